"""What was established about a conjecture, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from lpmech.conjectures import Finding

from lpmech.report.console import VERDICT_STYLES

__all__ = ["findings_table"]


def findings_table(title: str, findings: Sequence[Finding]) -> Group:
    """What was established about a conjecture, and the counterexamples below."""
    table = Table(title=escape(title), title_justify="left")
    for name in ("question", "verdict", "method", "evidence"):
        table.add_column(name, overflow="fold", no_wrap=name == "verdict")
    for finding in findings:
        outcome = finding.outcome
        style = VERDICT_STYLES[outcome.verdict]
        texts = (escape(text) for text in (finding.question, outcome.method, outcome.evidence))
        question, method, evidence = texts
        table.add_row(question, Text(outcome.verdict, style=style), method, evidence)
    refuted = [f for f in findings if f.outcome.counterexample]
    lines = [Text(f"counterexample to '{f.question}': {f.outcome.counterexample}") for f in refuted]
    return Group(table, *lines)
