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
  let sorted = "";

  // As it is searched: formulas as people type them, e^ε, e_1 or \\beta: without the signs, letters by their names.
  const letters = { α: "alpha", β: "beta", γ: "gamma", δ: "delta", ε: "epsilon", ϵ: "epsilon", ζ: "zeta", η: "eta",
    θ: "theta", κ: "kappa", λ: "lambda", μ: "mu", ν: "nu", ξ: "xi", π: "pi", ρ: "rho", σ: "sigma", τ: "tau",
    φ: "phi", ϕ: "phi", χ: "chi", ψ: "psi", ω: "omega" };
  const spelt = (text) => text.toLowerCase().replace(/[α-ωϵϕ]/g, (letter) => letters[letter] ?? letter)
    .replace(/\s+/g, " ").replace(/[\^_{}\\]/g, "");
  const textOf = (claim) => {
    if (!texts.has(claim)) texts.set(claim, spelt(`${claim.id} ${claim.textContent}`));
    return texts.get(claim);
  };
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const wanted = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));

  // Words, each of which has to occur; those between quotation marks together.
  const words = (text) => (spelt(text).match(/"[^"]*"|[^ "]+/g) ?? []).map((word) => word.replaceAll('"', ""));
  const fits = (claim, query) => [...new Set(query.keys())].every((name) => name === "q"
    ? words(query.get("q")).every((word) => textOf(claim).includes(word))
    : query.getAll(name).includes(claim.dataset[name]));

  // The claim whose number is asked for comes first, then those that begin with it, then those that have all of it.
  const rank = (claim, text) => {
    const id = spelt(claim.querySelector("h4").textContent);
    if (!text || id === text) return 0;
    if (id.startsWith(text) && !/\w/.test(id[text.length])) return 1;
    return textOf(claim).includes(text) ? 2 : 3;
  };
  const sort = (text) => {
    const ranks = new Map(claims.map((claim) => [claim, rank(claim, text)]));
    const best = (paper) => Math.min(...claims.filter((c) => !c.hidden && paper.contains(c)).map((c) => ranks.get(c)));
    const ends = new Map(papers.map((paper) => [paper, best(paper)]));
    const after = papers.at(-1).parentElement;
    for (const paper of papers.toSorted((a, b) => ends.get(a) - ends.get(b))) after.append(paper);
    for (const paper of papers) {
      const place = paper.querySelector(".claims");
      place.append(...claims.filter((c) => paper.contains(c)).toSorted((a, b) => ranks.get(a) - ranks.get(b)));
    }
  };

  const filter = () => {
    const query = wanted();
    for (const claim of claims) claim.hidden = !fits(claim, query);
    for (const paper of papers) paper.hidden = !paper.querySelector(".claim:not([hidden])");
    const text = spelt(query.get("q") ?? "").replaceAll('"', "").trim();
    if (text !== sorted) sort(text);
    sorted = text;
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
