"""The verdicts as Markdown with formulas between dollars, to be put into a review."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from lpmech import __version__
from lpmech.claims import Consequence, Paper
from lpmech.latex.words import parts_of
from lpmech.pages.claims import Ran
from lpmech.papers.running import ClaimResult
from lpmech.verdicts import Verdict

__all__ = ["review"]

#: What Markdown or HTML would take for a mark.
_MARK = re.compile(r"([\\`*_\[\]<>#$~|])")


def review(ran: Sequence[Ran]) -> str:
    """First what is not simply true, the gravest first, then everything else, a line each.

    Parameters
    ----------
    ran : sequence of (Paper, sequence of ClaimResult)
        As for `lpmech.pages.claims.claims_page`.
    """
    parts = ["\n".join(_of_paper(paper, results)) for paper, results in ran]
    meanings = [f"- *{verdict}*: {verdict.meaning}." for verdict in Verdict]
    return (
        "\n\n".join([*parts, "## What the verdicts mean", "\n".join(meanings), f"Made by lpmech {__version__}."]) + "\n"
    )


def _of_paper(paper: Paper, results: Sequence[ClaimResult]) -> Iterator[str]:
    every = {result.id: result for result in results}
    counts = Counter(result.verdict for result in results)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in [*Verdict, "error"] if counts[verdict])
    yield f"# {_text(paper.title)}\n"
    yield f"{len(results)} claim{'s' * (len(results) != 1)}: {told}.\n"
    simple = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED)
    grave = sorted((r for r in results if r.verdict not in simple), key=_gravity)
    if grave:
        yield "## What is not simply true\n"
    for result in grave:
        yield from _finding(result, every.get(result.repaired_by or ""))
    holding = [result for result in results if result.verdict in simple]
    if holding:
        yield "## What holds\n"
        yield from (f"- **{_text(r.id)}** ({r.in_full}, {_text(r.method)}): {_text(r.statement)}" for r in holding)
        yield ""
    if paper.not_checkable:
        yield "## Left out\n"
        yield from (f"- {_text(item)}: {_text(why)}" for item, why in paper.not_checkable.items())


def _gravity(result: ClaimResult) -> int:
    """The place of its consequence; what has none comes last, an error or an undecided claim first."""
    if result.verdict not in (Verdict.REFUTED, Verdict.UNCLEAR):
        return -1
    order = [str(consequence) for consequence in Consequence]
    return order.index(result.consequence) if result.consequence in order else len(order)


def _finding(result: ClaimResult, repair: ClaimResult | None) -> Iterator[str]:
    yield f"### {_text(result.id)}: {result.verdict}{f' ({result.consequence})' * bool(result.consequence)}\n"
    yield f"> {_text(result.statement)}\n"
    conditions = "; ".join(filter(None, [*result.given, result.hypotheses]))
    for name, text in (
        ("for", conditions),
        ("fails at", "" if result.readings else result.counterexample),
        ("evidence", "" if result.readings else result.evidence),
    ):
        if text:
            yield f"- {name}: {_text(text)}"
    yield from (f"- read as “{_text(reading)}”: {_text(found)}" for reading, found in result.readings.items())
    if repair is not None:
        yield f"- right is: {_text(repair.statement)} ({repair.in_full}, {_text(repair.method)})"
    if result.note:
        yield f"- note: {_text(result.note)}"
    if result.verdict != result.recorded:
        yield f"- not as recorded: {result.recorded}"
    yield ""


def _text(text: str) -> str:
    return " ".join(
        f"${part.text.strip()}$" if part.is_mathematics else _MARK.sub(r"\\\1", part.text) for part in parts_of(text)
    )
