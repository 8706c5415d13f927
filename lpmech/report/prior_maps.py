"""Maps over priors on the terminal: a row for each region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from lpmech.channel import Channel
    from lpmech.designs.prior_maps import PriorMap, PriorMapInT, RegionRow

__all__ = ["prior_map_table", "prior_map_tables_in_t"]


def prior_map_table(title: str, found: PriorMap) -> Table:
    """The regions at one level: share, mechanism, optimum as a linear function of the prior, corners."""
    table = Table(title=escape(title), title_justify="left", show_lines=len(found.regions) <= _LINES)
    for name in ("share", "best mechanism", "optimum", "corners of the region"):
        table.add_column(name, overflow="fold")
    for region, names in zip(found.regions, found.mechanisms, strict=True):
        corners = "\n".join(f"({', '.join(map(str, corner))})" for corner in region.vertices)
        share = f"{float(100 * region.share):.4g} %"
        table.add_row(share, _named(names) if names else _shown(region.channel), linear(region.row_utilities), corners)
    return table


#: Regions up to which a table has lines between them.
_LINES = 20


def prior_map_tables_in_t(title: str, found: PriorMapInT) -> list[Table]:
    """A table for each interval of t: mechanism, optimum, the inequalities of the region, share."""
    tables: dict[tuple[str, str], Table] = {}
    for row in found.rows():
        ends = (str(row.lower), str(row.upper))
        if ends not in tables:
            words = f"{title}, t from {ends[0]} to {ends[1]}"
            tables[ends] = Table(title=escape(words), title_justify="left", show_lines=True)
            for name in ("best mechanism", "where", "optimum", "share"):
                tables[ends].add_column(name, overflow="fold")
        tables[ends].add_row(*_cells(row))
    return list(tables.values())


def linear(factors: Sequence[Fraction]) -> str:
    """A linear function of p1, p2, ... over one denominator: "(3 p1 - p2)/5"."""
    below = math.lcm(*(v.denominator for v in factors))
    sizes = [int(value * below) for value in factors]
    parts = [
        f"{'-' if size < 0 else '+'} {'' if abs(size) == 1 else f'{abs(size)} '}p{k + 1}"
        for k, size in enumerate(sizes)
        if size
    ]
    text = " ".join(parts).removeprefix("+ ")
    text = "-" + text.removeprefix("- ") if text.startswith("- ") else text
    return (text or "0") if below == 1 else f"({text})/{below}"


def _cells(row: RegionRow) -> tuple[str, str, str, str]:
    return _named(row.mechanisms), "\n".join(row.where), str(row.optimum), str(row.share)


def _shown(channel: Channel) -> str:
    """A channel that nobody has published, row by row."""
    rows = "\n".join(f"({', '.join(map(str, row))})" for row in channel.matrix.tolist())
    return f"none of the published:\n{rows}"


def _named(names: Sequence[str]) -> str:
    return escape("\n".join(names)) if names else "none of the published"
