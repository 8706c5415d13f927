"""Paper, numbered item -> function -> claim, from docstrings, the claims' ids and papers.toml; a page of the site."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from lpmech.claims import Claim
from lpmech.pages.claims import anchors, slug
from lpmech.papers import load_paper
from lpmech.papers.bibliography import PAPERS as LISTED

ROOT = Path(__file__).resolve().parent.parent
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


def claims_by_item(paper: str) -> dict[str, list[Claim]]:
    """Item -> the claims whose id names it, or that papers.toml names for it.

    In the paper's order: the statement itself, then its proof and what is said of it, as the modules have them.
    """
    found: dict[str, list[Claim]] = defaultdict(list)
    claims = load_paper(paper).claims
    for claim in claims.values():
        for item in dict.fromkeys(references(claim.id)):
            found[item].append(claim)
    for item, named in found.items():
        named.sort(key=lambda claim: claim.id != item and not claim.id.startswith(f"{item} ["))
    for item, ids in PAPERS[paper].get("see", {}).items():
        found[item] += [claims[id] for id in ids]
    return found


def reason(paper: str, item: str) -> str:
    """Why an item has no claim: as papers.toml or the paper's list of what is left out says; empty if neither does."""
    given: str = PAPERS[paper].get("reasons", {}).get(item, "")
    left_out = load_paper(paper).not_checkable.items()
    return given or next((why for what, why in left_out if item in references(f"{what}; {why}")), "")


def page(described: Collection[str]) -> str:
    """The page, in which every item has a heading of its own: search finds it, and a link leads to it.

    Parameters
    ----------
    described : collection of str
        Modules that a page of the site describes.
    """
    where = functions_by_item()
    parts = [
        "---\nsearch:\n  boost: 4\n---",  # above the papers' sections 4.1.1, ...: "(4.1)" finds the equation first
        "# Where an equation is",
        "Every numbered equation, theorem, algorithm and definition of the papers; the functions whose docstring "
        "names it; and the claims about it with their recorded verdicts, or why there is none. Made from the "
        "docstrings, the claims and `docs/papers.toml`.",
    ]
    for paper in PAPERS:
        parts.append(f"## {load_paper(paper).title}")
        if not items(paper):
            told = f"Not numbered: reconstructed, not compared with the text. [All its claims](papers/{paper}.md)."
            parts.append(told)
            continue
        claims = claims_by_item(paper)
        for item in items(paper):
            parts.append(f"#### {paper}, {item} {{ #{anchor_of(item, paper)} }}")
            functions = [f"- {_function(name, described)}" for name in where.get((paper, item), [])]
            found = [f"- {claim_link(claim)}" for claim in claims.get(item, [])]
            parts.append("\n".join(functions + (found or [f"- no claim: {reason(paper, item)}"])))
    return "\n\n".join(parts) + "\n"


def _function(name: str, described: Collection[str]) -> str:
    """A link to where a function is described, and its name alone where no page does."""
    path, _, function = name.partition(" ")
    module = "lpmech." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    text = f"`{module.removeprefix('lpmech.')}{'.' if function else ''}{function}`"
    if function and module in described and function.partition(".")[0] in import_module(module).__all__:
        return f"[{text}][{module}.{function}]"
    return text


def claim_link(claim: Claim, up: str = "") -> str:
    """A link to a claim and its verdict, from a page so many folders below."""
    text = re.sub(r"([*_|\[\]<>])", r"\\\1", claim.id)
    return f"[{text}]({up}papers/{claim.paper}.md#{anchor_of_claim(claim)}): {claim.recorded}"


def anchor_of(item: str, paper: str) -> str:
    """The anchor of an item of a paper."""
    return f"{paper}-{slug(item.lower())}"


def anchor_of_claim(claim: Claim) -> str:
    """The anchor of a claim, the one that it has in a report."""
    return _anchors(claim.paper)[claim.id]


@cache
def _anchors(paper: str) -> dict[str, str]:
    return anchors(load_paper(paper))
