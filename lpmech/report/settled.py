"""What was established about a conjecture, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from lpmech.conjectures import Settled

from lpmech.report.console import VERDICT_STYLES

__all__ = ["settled_table"]


def settled_table(title: str, settled: Sequence[Settled]) -> Group:
    """What was established about a conjecture, and the counterexamples below."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("requirement", "verdict", "method", "evidence"):
        table.add_column(name, overflow="fold", no_wrap=name == "verdict")
    for one in settled:
        outcome = one.outcome
        style = VERDICT_STYLES[outcome.verdict]
        texts = (escape(text) for text in (one.requirement, outcome.method, outcome.evidence))
        requirement, method, evidence = texts
        table.add_row(requirement, Text(outcome.verdict, style=style), method, evidence)
    refuted = [one for one in settled if one.outcome.counterexample]
    lines = [Text(f"counterexample to '{one.requirement}': {one.outcome.counterexample}") for one in refuted]
    return Group(table, *lines)
