"""The whole card of one claim, for people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from lpmech.papers.claims import Paper
from lpmech.papers.running import ClaimResult
from lpmech.report import VERDICT_STYLES

__all__ = ["claim_card"]


def claim_card(paper: Paper, result: ClaimResult) -> Group:
    """Everything that is known about a claim: nothing is cut.

    Parameters
    ----------
    paper : Paper
        The paper of the claim; its other claims are looked up for repairs.
    result : ClaimResult
        Of a run with its self-test, so that the mutants are told.
    """
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in _lines(paper, result):
        grid.add_row(name, Group(*map(_indented, text.split("\n"))))
    return Group(Rule(Text(f"{paper.key}: {result.id}", style="bold"), align="left"), grid)


def _indented(line: Text) -> RenderableType:
    """A line whose continuation is indented as its beginning is."""
    return Padding(line[2:], (0, 0, 0, 2)) if line.plain.startswith("  ") else line


def _lines(paper: Paper, result: ClaimResult) -> Iterator[tuple[str, Text]]:
    verdict = Text(result.verdict, style=VERDICT_STYLES.get(result.verdict, ""))
    if not result.as_recorded:
        verdict.append(f"  NOT AS RECORDED ({result.recorded})")
    yield "verdict", verdict
    yield "statement", Text(result.statement)
    for name, value in (
        ("for", result.hypotheses),
        ("for example", result.example),
        ("method", result.method),
        ("evidence", "" if result.readings else result.evidence),
        ("counterexample", "" if result.readings else result.counterexample),
    ):
        if value:
            yield name, Text(value)
    for reading, found in result.readings.items():
        yield "reading", Text(f"{reading}\n  {found}")
    if result.note:
        yield "note", Text(result.note)
    if result.repaired_by is not None:
        repair = paper.claims.get(result.repaired_by)
        known = "no such claim" if repair is None else f"{repair.statement} ({repair.recorded})"
        yield "repaired by", Text(f"{result.repaired_by}\n  {known}")
    elif result.recorded == "refuted":
        yield "repaired by", Text("no repair on record")
    for other in paper.claims.values():
        if other.repaired_by == result.id:
            yield "repairs", Text(f"{other.id}\n  {other.statement} ({other.recorded})")
    for name, fate in result.fates.items():
        yield "mutant", Text(f"{name}\n  {fate}")
    for complaint in result.complaints:
        yield "complaint", Text(complaint, style="bold red")
    yield "source", Text(_from_here(result.source))


def _from_here(source: str) -> str:
    """The source line with its path relative to the working directory where that is shorter."""
    file, _, line = source.rpartition(":")
    return f"{min(os.path.relpath(file), file, key=len)}:{line}" if Path(file).is_absolute() else source
