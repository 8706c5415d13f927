"""Tables and lines about releasing numbers without bias."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from rich.markup import escape
from rich.table import Table

from lpmech.budgets import amount_text
from lpmech.certify.checker import above, below
from lpmech.designs.unbiased import Spacing, UnbiasedDesign

__all__ = ["proved_line", "spacings_table", "unbiased_table"]


def unbiased_table(found: UnbiasedDesign) -> Table:
    """Every mechanism by the error of one released number, the best one in bold."""
    level = found.best.program.level
    title = f"{len(found.labels)} numbers, epsilon = {level.epsilon:g}, released without bias"
    table = Table(title=escape(title), title_justify="left")
    table.add_column("mechanism", no_wrap=True)
    table.add_column("parameters", overflow="fold")
    for name in ("variance", "error of one", "more (%)"):
        table.add_column(name, justify="right")
    for row in found.comparisons:
        more = max(row.variance / float(found.best.value) - 1, 0.0)
        cells = (row.mechanism, row.parameters, f"{row.variance:.5g}", f"{math.sqrt(row.variance):.4g}")
        table.add_row(*cells, f"{100 * more:.1f}", style="bold" if row is found.comparisons[0] else "")
    return table


def proved_line(found: UnbiasedDesign) -> str:
    """What is certified of the best one, and how much better any other outputs could be."""
    best = found.best
    least = "what mechanisms with other outputs could reach is not bounded at so large an epsilon"
    if found.anywhere:
        more = max(100 * (float(best.value) / float(found.anywhere) - 1), 0)
        least = (
            f"no unbiased mechanism of this level, whatever it releases, has less than {below(found.anywhere, 8)} "
            f"(this one is {more:.2g} % above; exact rational arithmetic)"
        )
    return (
        f"certified: every number is released as one of {len(best.outputs)} numbers whose mean it is, exactly; "
        f"the least variance on {len(best.program.grid)} outputs lies in "
        f"[{below(best.bound, 8)}, {above(Fraction(best.value), 8)}]; {least}"
    )


def spacings_table(found: Sequence[Spacing]) -> Table:
    """What even outputs of each step lose against any outputs."""
    table = Table(title="even outputs, as far as debiased randomized response reaches", title_justify="left")
    for name in ("step", "outputs", "used", "variance", "above any outputs (%)"):
        table.add_column(name, justify="right")
    for row in found:
        counts = (amount_text(row.step), str(row.points), str(row.outputs))
        table.add_row(*counts, f"{row.variance:.5g}", f"{100 * row.above:.2f}")
    return table
