// The report: filters, search and links. All of it stands in the address, "#ghazi2021/theorem-3?verdict=refuted&q=prior".
(() => {
  "use strict";
  const form = document.getElementById("filters");
  const count = document.getElementById("count");
  const unfold = document.getElementById("unfold");
  const claims = [...document.querySelectorAll(".claim")];
  const papers = [...document.querySelectorAll(".paper")];
  const texts = new Map();
  let target = "";

  // As it is searched: either epsilon, and formulas as people type them, e^ε or e_1, which are set without the signs.
  const spelt = (text) => text.toLowerCase().replace(/\s+/g, " ").replace(/ϵ/g, "ε").replace(/[\^_{}\\]/g, "");
  const textOf = (claim) => {
    if (!texts.has(claim)) texts.set(claim, spelt(`${claim.id} ${claim.textContent}`));
    return texts.get(claim);
  };
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const wanted = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));

  const fits = (claim, query) => [...new Set(query.keys())].every((name) => name === "q"
    ? spelt(query.get("q")).split(" ").every((word) => textOf(claim).includes(word))
    : query.getAll(name).includes(claim.dataset[name]));

  const filter = () => {
    const query = wanted();
    for (const claim of claims) claim.hidden = !fits(claim, query);
    for (const paper of papers) paper.hidden = !paper.querySelector(".claim:not([hidden])");
    const narrowed = ["q", "kind", "consequence", "verdict"].some((name) => query.has(name));
    for (const part of document.querySelectorAll(".unfiltered")) part.hidden = narrowed;
    const shown = claims.filter((claim) => !claim.hidden).length;
    const noun = claims.length === 1 ? "claim" : "claims";
    count.textContent = shown === claims.length ? `${shown} ${noun}` : `${shown} of ${claims.length} ${noun}`;
  };

  const write = () => {
    const query = wanted().toString();
    const rest = target + (query && `?${query}`);
    history.replaceState(null, "", rest ? `#${rest}` : location.pathname + location.search);
  };

  const set = (query) => {
    for (const field of form.elements) {
      if (field.type === "checkbox") field.checked = query.getAll(field.name).includes(field.value);
      else if (field.name) field.value = query.get(field.name) ?? "";
    }
    filter();
  };

  const show = (claim) => {
    claim.querySelector("details").open = true;
    claim.scrollIntoView({ block: "start" });
    claim.querySelector("summary").focus({ preventScroll: true });
  };

  // What the address says: filters if it has any, and the claim or paper before them.
  const read = () => {
    const [place, ...rest] = location.hash.slice(1).split("?");
    const found = document.getElementById(place) ?? document.getElementById(decoded(place));
    if (rest.length) set(new URLSearchParams(rest.join("?")));
    if (found?.closest("[hidden]")) set(new URLSearchParams());
    target = found?.id ?? "";
    if (found?.matches(".claim")) show(found);
    else if (found) found.scrollIntoView();
    else if (rest.length) document.querySelector(".controls").scrollIntoView();
    write();
  };

  form.addEventListener("input", () => {
    target = "";
    filter();
    write();
  });
  document.getElementById("all").addEventListener("click", () => {
    set(new URLSearchParams());
    write();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  unfold.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    unfold.setAttribute("aria-pressed", String(open));
    for (const claim of claims) claim.firstElementChild.open = open;
  });
  for (const claim of claims) {
    claim.firstElementChild.firstElementChild.addEventListener("click", () => {
      target = claim.firstElementChild.open ? "" : claim.id; // as it will be
      write();
    });
  }
  addEventListener("hashchange", read);
  document.querySelector(".controls").hidden = false;
  filter();
  read();
})();
