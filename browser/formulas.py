"""Forty formulas of the claims, set by a browser: where every sign of each stands.

`python browser/formulas.py` writes what this browser shows to `formulas.json`, and a sheet of all to look at, `formulas.png`, to the
folder for temporary files; `test_formulas.py` compares. Places are in units of the letters' size, so that another font moves them little, and
an exponent that becomes a factor, an index of the wrong letter or a fraction without its line by much.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lpmech.mathematics import in_notation
from lpmech.pages.mathematics import html_of
from lpmech.papers import PAPER_KEYS, load_paper

KEPT = Path(__file__).with_suffix(".json")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
_SHEET = Path(tempfile.gettempdir()) / "formulas.png"

#: How many statements are drawn, and what was decided by these claims (the number of the part): terms, as they print themselves.
_STATEMENTS = 28
_DECIDED = (
    ("ghazi2021", "Cor. 10 (constants for k = 1)", 0),
    ("ghazi2021", "Theorem 17 [repaired]", 0),
    ("liu2026", "Lemma 3.1 (beta)", 0),
    ("zhang2025", "Fig. 11 (slope of BRR in the limit)", 0),
    ("zhang2025", "Section V.A (exponential increases)", 0),
    ("zhang2025", "Section V.A (increase at fixed m)", 0),
    ("zhao2025", "Theorem 1", 0),
    ("zhao2025", "Theorem 2", 1),
    ("zheng2025", "Takeaway (k-RR on bins dominates PM)", 0),
    ("zheng2025", "Takeaway (k-RR on bins dominates PM)", 2),
    ("zheng2025", "Takeaway (where PM leads)", 1),
    ("zheng2025", "Takeaway (where PM leads)", 2),
)

#: Of every formula, its leaves in order: text, left and middle in letters' sizes from those of the formula, and size.
_MEASURED = """all => [...document.querySelectorAll('p')].map(shown => {
    const em = parseFloat(getComputedStyle(shown).fontSize);
    const leaves = [...shown.querySelectorAll('mi, mn, mo, mtext, mfrac, msqrt')];
    return leaves.map(leaf => {
        const base = leaf.closest('math').getBoundingClientRect(), box = leaf.getBoundingClientRect();
        const text = leaf.children.length ? leaf.tagName : leaf.textContent;
        const round = value => Math.round(100 * value / em) / 100;
        return [text, round(box.left - base.left), round((box.top + box.bottom - base.top - base.bottom) / 2),
                round(box.width), Math.round(100 * parseFloat(getComputedStyle(leaf).fontSize) / em) / 100];
    });
})"""


def texts(names: Iterable[str] = ()) -> dict[str, str]:
    """Name -> HTML of every formula: the statements of these names, or as many drawn anew, and what was decided."""
    papers = {key: load_paper(key) for key in PAPER_KEYS}
    of = {
        f"{key}: {claim.id}": str(html_of(claim.statement)) for key in papers for claim in papers[key].claims.values()
    }
    rich = [name for name, html in of.items() if sum(html.count(f"<{tag}") for tag in ("msu", "mfrac", "msqrt")) > 1]
    chosen = [name for name in names if ", decided " not in name] or sorted(random.Random(23).sample(rich, _STATEMENTS))
    decided = {}
    for key, id, part in _DECIDED:
        found = papers[key].claims[id].run().decided[part]
        decided[f"{key}: {id}, decided {part}"] = str(html_of(replace(found, name=in_notation(found.name)).asked))
    return {name: of[name] for name in chosen} | decided


def page_of(formulas: dict[str, str]) -> str:
    """All of them on one page, each in a paragraph that is not broken."""
    style = "p { font: 20px serif; white-space: nowrap; margin: 14px 0 } math { font-size: 1em } small { color: gray }"
    rows = "".join(f"<small>{name}</small><p>{html.replace('<wbr>', '')}</p>" for name, html in formulas.items())
    return f"<!doctype html><meta charset=utf-8><style>{style}</style>{rows}"


def measured(page: Any, formulas: dict[str, str], file: Path) -> dict[str, list[list[Any]]]:
    """The leaves of every formula as this browser sets them, in a page that is written there."""
    file.write_text(page_of(formulas), encoding="utf-8")
    page.goto(file.as_uri())
    return dict(zip(formulas, page.evaluate(_MEASURED), strict=True))


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport={"width": 1500, "height": 900})
        found = measured(page, texts(), _SHEET.with_suffix(".html"))
        page.screenshot(path=_SHEET, full_page=True)
        browser.close()
    lines = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(leaves, ensure_ascii=False)}" for name, leaves in found.items()
    )
    KEPT.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
