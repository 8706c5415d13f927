"""Tables and lines about a design for counting."""

from __future__ import annotations

from fractions import Fraction

from rich.console import Group
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lpmech.certify.checker import below
from lpmech.designs.counting import Counting, CountingDesign
from lpmech.report.designs import epsilon_words
from lpmech.report.plain_words import COUNTING_COLUMNS, MECHANISMS

__all__ = ["bound_line", "counting_design_table", "counting_words"]


def counting_design_table(found: CountingDesign, chosen: Counting) -> Table:
    """Every mechanism by the error of its estimated shares, the chosen one in bold."""
    title = f"{len(found.labels)} labels, epsilon = {found.level.epsilon:g}, shares from {found.rows} released labels"
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("parameters", overflow="fold")
    for name in COUNTING_COLUMNS:
        table.add_column(name, justify="right")
    for row in found.comparisons:
        more = max(row.error / found.best.error - 1, 0.0) if found.best.error > 0 else 0.0  # below it by rounding only
        cells = (row.mechanism, row.parameters, f"{100 * row.error:.4g}", f"{100 * more:.1f}")
        table.add_row(*cells, style="bold" if row is chosen else "")
    return table


def bound_line(found: CountingDesign, chosen: Counting) -> str:
    """How much better than the chosen mechanism any other private channel could be."""
    if found.bound is None:
        return "no bound on what another mechanism could reach (computed for up to 8 labels, where floats suffice)"
    least = (float(found.bound.value) / len(found.labels) / found.rows) ** 0.5
    gap = max(chosen.error / least - 1, 0.0)
    points = below(Fraction(100 * least * (1 - 1e-9)), 6)
    return (
        f"certified: no private channel has unbiased shares of an error below {points} points "
        f"(exact rational arithmetic); {chosen.mechanism} is {100 * gap:.2g} % above that"
    )


def counting_words(found: CountingDesign) -> Group:
    """What the mechanisms and columns are, a line each."""
    shown = {row.mechanism: MECHANISMS[row.mechanism] for row in found.comparisons}
    lines = [Text.assemble((name, "bold"), f": {text}") for name, text in {**COUNTING_COLUMNS, **shown}.items()]
    return Group(*lines, Text(f"{epsilon_words(found.level)}; `lpmech epsilons` compares levels"))
