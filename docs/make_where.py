"""Writes where.md: paper, numbered item -> function -> claim, from docstrings and the claims' ids.

Run ``make where`` after a docstring, a claim or papers.toml has changed; a test compares.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

from lpmech.papers import load_paper
from lpmech.papers.bibliography import PAPERS as LISTED

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "where.md"
_NUMBERED = tomllib.loads((ROOT / "docs" / "papers.toml").read_text("utf-8"))
PAPERS = {key: _NUMBERED.get(key, {"items": {}}) for key, paper in LISTED.items() if paper.bibtex}

_NUMBER = r"(?:[A-Z]\.)?\d{1,2}(?:\.\d{1,2})?"
_KINDS = ("Alg.", "Assumption", "Cor.", "Def.", "Example", "Fact", "Lemma", "Observation", "Prop.", "Remark", "Theorem")
_NAMED = re.compile(
    rf"({'|'.join(map(re.escape, _KINDS))}) ({_NUMBER})((?:(?:, | and |, and ){_NUMBER}(?![\w%]))*)".replace(r"\ ", " ")
)
_EQUATIONS = re.compile(rf"\(({_NUMBER})\)(?:(?: to |-)\(({_NUMBER})\))?")
_KEY = re.compile(rf"\b({'|'.join(PAPERS)})\b")
#: The end of a sentence or a paragraph, not the period of an abbreviation.
_END = re.compile(r"(?<!eq)(?<!Alg)(?<!Cor)(?<!Def)(?<!Prop)(?<!App)(?<!Fig)(?<!Figs)(?<!al)\.(?=\s|$)|\n\s*\n")


def items(paper: str) -> list[str]:
    """The numbered items of a paper in the order of their kinds: ``"eq. (3.2)"``, ``"Alg. 1"``, ``"Lemma 3.1"``."""
    listed = PAPERS[paper]["items"]
    return [
        f"eq. ({number})" if kind == "eq." else f"{kind} {number}"
        for kind, text in listed.items()
        for number in _all(text)
    ]


def _all(text: str) -> list[str]:
    """``"1-3 5"`` -> 1, 2, 3, 5; ``"4.1-4.3"`` -> 4.1, 4.2, 4.3."""
    found: list[str] = []
    for part in text.split():
        first, _, last = part.partition("-")
        found += _range(first, last) if last else [first]
    return found


def _range(first: str, last: str) -> list[str]:
    head, dot, start = first.rpartition(".")
    return [f"{head}{dot}{number}" for number in range(int(start), int(last.rpartition(".")[2]) + 1)]


def references(text: str) -> list[str]:
    """The items that a text without the paper's name refers to, in order."""
    found = []
    for match in _NAMED.finditer(text):
        numbers = [match[2], *re.findall(_NUMBER, match[3])]
        found += [f"{match[1]} {number}" for number in numbers]
    for match in _EQUATIONS.finditer(text):
        numbers = _range(match[1], match[2]) if match[2] else [match[1]]
        found += [f"eq. ({number})" for number in numbers]
    return found


def references_by_paper(docstring: str) -> list[tuple[str, str]]:
    """(paper, item) for every item that follows a paper's name within the same sentence."""
    found = []
    for name in _KEY.finditer(docstring):
        following = _KEY.search(docstring, name.end())
        text = docstring[name.end() : following.start() if following else None]
        end = _END.search(text)
        found += [(name[1], item) for item in references(" ".join(text[: end.start() if end else None].split()))]
    return found


def functions() -> Iterator[tuple[str, str]]:
    """(path and name, docstring) of every public function and class below lpmech/, outside papers and commands."""
    for path, tree in _modules():
        for node in _public(tree):
            yield f"{path} {node.name}", ast.get_docstring(node) or ""


def methods() -> Iterator[tuple[str, str]]:
    """The same of every public method of these classes."""
    for path, tree in _modules():
        for of in _public(tree):
            for node in _public(of) if isinstance(of, ast.ClassDef) else ():
                yield f"{path} {of.name}.{node.name}", ast.get_docstring(node) or ""


def _public(of: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in of.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


@cache
def _modules() -> list[tuple[str, ast.Module]]:
    paths = ((path, path.relative_to(ROOT / "lpmech")) for path in sorted((ROOT / "lpmech").rglob("*.py")))
    ours = ((path, place) for path, place in paths if place.parts[0] not in ("papers", "cli"))
    return [(place.as_posix(), ast.parse(path.read_text("utf-8"))) for path, place in ours]


@cache
def functions_by_item() -> dict[tuple[str, str], list[str]]:
    """(paper, item) -> the functions that name it, or the module where its docstring alone does."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, docstring in chain(functions(), methods()):
        for reference in dict.fromkeys(references_by_paper(docstring)):
            found[reference].append(name)
    for path, tree in _modules():
        for reference in dict.fromkeys(references_by_paper(ast.get_docstring(tree) or "")):
            if not any(name.startswith(f"{path} ") for name in found[reference]):
                found[reference].append(path)
    return found


def claims_by_item(paper: str) -> dict[str, list[str]]:
    """Item -> the claims whose id names it, or that papers.toml names for it, each with its recorded verdict.

    In the paper's order: the statement itself, then its proof and what is said of it, as the modules have them.
    """
    found: dict[str, list[str]] = defaultdict(list)
    claims = load_paper(paper).claims
    for claim in claims.values():
        for item in dict.fromkeys(references(claim.id)):
            found[item].append(f"{claim.id}: {claim.recorded}")
    for item, named in found.items():
        named.sort(key=lambda text: not text.startswith((f"{item}: ", f"{item} [")))
    for item, ids in PAPERS[paper].get("see", {}).items():
        found[item] += [f"{id}: {claims[id].recorded}" for id in ids]
    return found


def reason(paper: str, item: str) -> str:
    """Why an item has no claim: as papers.toml or the paper's list of what is left out says; empty if neither does."""
    given: str = PAPERS[paper].get("reasons", {}).get(item, "")
    left_out = load_paper(paper).not_checkable.items()
    return given or next((why for what, why in left_out if item in references(f"{what}; {why}")), "")


def table() -> str:
    """The text of where.md."""
    where = functions_by_item()
    lines = [
        "# Where an equation is",
        "",
        "Every numbered equation, theorem, algorithm and definition of the papers; the functions whose docstring",
        "names it, below `lpmech/`; and the claims about it with their recorded verdicts, or why there is none. Made",
        "by `make where` from the docstrings, the claims and `papers.toml`.",
    ]
    for paper in PAPERS:
        lines += ["", f"## {load_paper(paper).title}", ""]
        if not items(paper):
            lines.append(
                f"Not numbered: reconstructed, not compared with the text. `lpmech verify {paper} --all` lists it."
            )
            continue
        lines += ["| item | function | claim |", "|---|---|---|"]
        claims = claims_by_item(paper)
        for item in items(paper):
            claimed = claims.get(item) or [f"no claim: {reason(paper, item)}"]
            named = [f"`{name}`" for name in where.get((paper, item), [])]
            lines.append(f"| {item} | {_cell(named)} | {_cell(claimed)} |")
    return "\n".join(lines) + "\n"


def _cell(parts: list[str]) -> str:
    return "<br>".join(part.replace("|", "\\|") for part in parts)


if __name__ == "__main__":
    TABLE.write_text(table(), "utf-8")
