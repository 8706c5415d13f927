"""The pages of the site that are made from the code: start, papers, figures, mechanisms, commands, equations."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from cyclopts import App
from decided import decided_of
from mechanism_pages import mechanism_page, mechanism_pictures
from where import anchor_of, anchor_of_claim, claim_link
from where import page as where_page

from lpmech.claims import Claim, Consequence, Paper
from lpmech.cli.commands import COMMANDS, app
from lpmech.mathematics import in_notation
from lpmech.pages.mathematics import html_of
from lpmech.papers import PAPER_KEYS, load_paper
from lpmech.plots import png
from lpmech.plots.redrawn import PaperFigure, figures_of
from lpmech.prove.wording import hypotheses_in_notation
from lpmech.verdicts import Verdict

__all__ = ["MECHANISMS", "PAPERS", "pages", "pictures"]

ROOT = Path(__file__).resolve().parent.parent
_MECHANISMS = ROOT / "lpmech" / "mechanisms"

#: Entries of the navigation.
PAPERS = [{key: f"papers/{key}.md"} for key in PAPER_KEYS]
MECHANISMS = [
    {path.stem: f"reference/mechanisms/{path.stem}.md"}
    for path in sorted(_MECHANISMS.iterdir())
    if path.stem[0] not in "_." and (path.suffix == ".py" or (path / "__init__.py").exists())
]


def pages() -> dict[str, str]:
    """Place below docs/ -> Markdown."""
    made = {"index.md": _from_root("README.md"), "contributing.md": _from_root("CONTRIBUTING.md")}
    made |= {"changelog.md": _from_root("CHANGELOG.md"), "reference/commands.md": _commands()}
    made |= {f"papers/{key}.md": _paper(load_paper(key)) for key in PAPER_KEYS}
    made |= {place: mechanism_page(name) for entry in MECHANISMS for name, place in entry.items()}
    texts = [*made.values(), *(path.read_text("utf-8") for path in (ROOT / "docs").rglob("*.md"))]
    described = {module for text in texts for module in re.findall(r"^::: (\S+)$", text, re.MULTILINE)}
    return made | {"where.md": where_page(described), "figures.md": _figures()}


def pictures() -> dict[str, bytes]:
    """Place below docs/ -> the PNG picture of a figure that is redrawn, or of a mechanism."""
    drawn = {
        f"pictures/{each.file}": png(each.draw()) for key in _WITH_FIGURES for each in figures_of(key) if each.draw
    }
    return drawn | mechanism_pictures()


#: The papers whose figures are listed, in the order of their publication.
_WITH_FIGURES = ("ghazi2021", "zhang2025", "zheng2025", "zhao2025", "liu2026")


def _figures() -> str:
    """Figure by figure and table by table: what is reproduced, and why not what is not."""
    parts = [
        "# The papers' figures and tables",
        "What is pure computation is redrawn here, and the numbers that a paper prints stand beside ours; what is "
        "measured on data that are not published is not, and some of it has a like on data at hand. `lpmech reproduce "
        "figures PAPER` prints the same and draws the pictures. Where ours differs from what is printed, the claim "
        "that judges it is named.",
    ]
    for key in _WITH_FIGURES:
        found = figures_of(key)
        parts += [f"## {key}", load_paper(key).title, "| | shows | here | why |\n| --- | --- | --- | --- |"]
        parts[-1] += "".join(
            f"\n| {_figure_link(each)} | {_cell(each.shows)} | {each.treatment} | {_why(each)} |" for each in found
        )
        parts += [part for each in found if each.draw or each.compare for part in _redrawn(each)]
    return "\n\n".join(parts) + "\n"


def _figure_link(figure: PaperFigure) -> str:
    made = figure.draw or figure.compare
    return f"[{figure.item}](#{anchor_of(figure.item, figure.paper)})" if made else figure.item


def _why(figure: PaperFigure) -> str:
    return _cell(figure.why) + (f" `{figure.command}`" if figure.command else "")


def _cell(text: str) -> str:
    """Text in a cell of a table, its mathematics set; what Markdown would read as its own is a reference."""
    return re.sub(r"[*_|\[\]]", lambda sign: f"&#{ord(sign[0])};", html_of(in_notation(text)))


def _redrawn(figure: PaperFigure) -> Iterator[str]:
    claims = load_paper(figure.paper).claims
    yield f"### {figure.paper}, {figure.item} {{ #{anchor_of(figure.item, figure.paper)} }}"
    yield f"Shown: {_cell(figure.shows)}. {_why(figure)}"
    if figure.draw:
        yield f"![{figure.shows}](pictures/{figure.file})"
    if figure.compare:
        rows = [
            (
                _cell(row.what),
                row.printed or "-",
                row.ours,
                row.difference,
                claim_link(claims[row.claim]) if row.claim else "",
            )
            for row in figure.compare()
        ]
        head = "| | printed | ours | difference | claim |\n| --- | ---: | ---: | ---: | --- |"
        yield "\n".join([head, *(f"| {' | '.join(row)} |" for row in rows)])
    if figure.claims:
        yield "What is claimed of it: " + "; ".join(claim_link(claims[id]) for id in figure.claims) + "."


def _from_root(name: str) -> str:
    """A page that stands beside docs/: its links into docs/ become links within."""
    return re.sub(r"\]\(docs/", "](", (ROOT / name).read_text("utf-8"))


def _commands() -> str:
    """The help of every command, as `lpmech COMMAND --help` prints it."""
    lines = ["# Commands", "", "Made from the help of the commands: `lpmech COMMAND --help` prints the same.", ""]
    for command in COMMANDS:
        found: App = app
        for word in command.name.split():
            found = found[word]
        name = f"lpmech {command.name}"
        text = found.generate_docs(output_format="markdown", heading_level=2, usage_name=name)
        lines += [re.sub(r"^## .*$", f"## {name}", text, count=1, flags=re.MULTILINE), ""]
    return "\n".join(lines)


def _paper(paper: Paper) -> str:
    """Headlines, all claims in the paper's order, and what was left out."""
    claims = list(paper.claims.values())
    counts = Counter(claim.recorded for claim in claims)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    lines = [
        f"# {paper.key}",
        "",
        f"{paper.title}",
        "",
        f"{len(claims)} claims: {told}. The verdicts on this page are those on record; `lpmech verify {paper.key}` "
        f'runs every claim anew and fails where one comes out otherwise, `lpmech show {paper.key} "ID"` prints '
        "the strongest counterexample, the mutants and the code of one. A verdict is about one sentence as it is "
        "printed, under the reading that the claim states: [what a verdict means](../explanation/verdicts.md).",
        "",
    ]
    order = {None: len(Consequence)} | {consequence: place for place, consequence in enumerate(Consequence)}
    marked = [claim for claim in claims if claim.headline is not None]
    if marked:
        lines += ["## What to know first", ""]
        for claim in sorted(marked, key=lambda c: (order[c.consequence], c.headline)):
            repair = paper.repair_of(claim.id)
            right = f" Right is: {html_of(repair.statement)} ({repair.recorded})." if repair else ""
            of = f", {claim.consequence}" if claim.consequence else ""
            text = f"{_link(claim)} ({claim.recorded}{of}): {html_of(claim.statement)}.{right}"
            lines += [f"<p>{text}</p>", ""]
    for file, group in groupby(claims, key=lambda claim: claim.source.rpartition(":")[0]):
        docstring = ast.get_docstring(ast.parse(Path(file).read_text("utf-8"))) or paper.title
        lines += [f"## {docstring.split(chr(10))[0].rstrip('.')}", ""]
        for claim in group:
            lines += ["\n".join(_claim(paper, claim)), ""]
    if paper.not_checkable:
        lines += ["## Left out", "", "What no machine can check here, and why.", ""]
        lines += [f"<p>{escape(item)}: {html_of(why)}</p>\n" for item, why in paper.not_checkable.items()]
    return "\n".join(lines) + "\n"


def _claim(paper: Paper, claim: Claim) -> Iterator[str]:
    kind = f"{claim.kind}, consequence for {claim.consequence}" if claim.consequence else str(claim.kind)
    verdict = f'<span class="verdict {claim.recorded}">{claim.recorded}</span>'
    yield '<div class="claim">'
    yield f'<h4 id="{anchor_of_claim(claim)}">{escape(claim.id)}</h4>'
    yield f"<p>{verdict} {kind}</p>"
    yield f"<p>{html_of(claim.statement)}</p>"
    given = hypotheses_in_notation(claim.given) if claim.given else ""
    told, decided = decided_of(claim)
    fails = "" if claim.readings else told.get("counterexample", "")
    since = ", ".join(told.get("arithmetic", ()))
    for label, text in (("for", given), ("where", claim.hypotheses), ("fails at", fails), ("since", since)):
        if text:
            yield _line(label, html_of(text))
    for reading, found in claim.readings.items():
        yield _line("reading", f"{html_of(reading)}: {found}")
    several = len(told.get("given", ())) > 1
    for part in decided:
        under = f"for {html_of(part.given)}; " if several and part.given else ""
        yield _line("decided", f'{html_of(part.asked)}<br><span class="how">{under}{html_of(part.how)}</span>')
    shown = "" if decided or claim.readings else told.get("evidence", "")
    for label, text in (
        ("function", told.get("function", "")),
        ("in words", claim.in_words),
        ("method", "" if decided else told.get("method", "")),
        ("evidence", shown),
        ("compared", "; ".join(told.get("compared", ()))),
        ("note", claim.note),
    ):
        if text:
            yield _line(label, html_of(text))
    repair = paper.repair_of(claim.id)
    if repair is not None:
        yield _line("repaired by", _link(repair))
    for label, ids in (("repairs", claim.repairs), ("uses", claim.uses)):
        for id in ids:
            yield _line(label, _link(paper.claims[id]) if id in paper.claims else escape(id))
    file, _, line = claim.source.rpartition(":")
    yield _line("source", f"<code>{Path(file).relative_to(ROOT).as_posix()}:{line}</code>")
    yield "</div>"


def _line(label: str, html: str) -> str:
    return f'<p class="field"><span class="label">{label}</span><span>{html}</span></p>'


def _link(claim: Claim) -> str:
    return f'<a href="#{anchor_of_claim(claim)}">{escape(claim.id)}</a>'
