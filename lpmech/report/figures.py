"""Tables of the figures of a paper: what is done about each, and its numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from lpmech.papers import load_paper

if TYPE_CHECKING:
    from lpmech.plots.redrawn import Beside, PaperFigure

__all__ = ["beside_table", "figures_table"]


def figures_table(paper: str, found: Sequence[PaperFigure]) -> Table:
    """What every figure and table shows, what is done about it, and why."""
    table = Table(title=f"{paper}: figures and tables", title_justify="left")
    for name in ("", "shows", "here", "why"):
        table.add_column(name, overflow="fold")
    for each in found:
        why = each.why + (f" `{each.command}`" if each.command else "")
        table.add_row(*map(escape, (each.item, each.shows, str(each.treatment), why)))
    return table


def beside_table(figure: PaperFigure, rows: Sequence[Beside]) -> Table:
    """The paper's numbers, ours, and the recorded verdict of the claim about each."""
    claims = load_paper(figure.paper).claims
    table = Table(title=f"{figure.item}: {escape(figure.shows)}", title_justify="left")
    for name, justify in (
        ("", "left"),
        ("printed", "right"),
        ("ours", "right"),
        ("difference", "right"),
        ("claim", "left"),
    ):
        table.add_column(name, justify=justify, overflow="fold")  # type: ignore[arg-type]
    for row in rows:
        claim = f"{row.claim}: {claims[row.claim].recorded}" if row.claim else ""
        table.add_row(*map(escape, (row.what, row.printed or "-", row.ours, row.difference, claim)))
    return table
