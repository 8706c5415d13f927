// Of every page: light or dark as the system says, or as the button says, which is remembered where that is allowed.
(() => {
  "use strict";
  const root = document.documentElement;
  const remembered = {
    get: () => { try { return localStorage.getItem("lpmech-theme"); } catch { return null; } },
    set: (theme) => { try { localStorage.setItem("lpmech-theme", theme); } catch { /* not allowed here */ } },
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const chosen = remembered.get();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remembered.set(root.dataset.theme);
      show();
    });
    system.addEventListener("change", show);
    show();
  });

  // What is folded is open on paper, and folded again afterwards.
  let folded = [];
  const unfold = () => {
    folded.push(...document.querySelectorAll("details:not([open])"));
    for (const each of folded) each.open = true;
  };
  const fold = () => {
    for (const each of folded) each.open = false;
    folded = [];
  };
  matchMedia("print").addEventListener("change", (event) => (event.matches ? unfold() : fold()));
})();
