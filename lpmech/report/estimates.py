"""Tables of estimated frequencies and of the labels behind released ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from lpmech.release.estimation import Frequencies
    from lpmech.release.means import Mean

__all__ = ["frequencies_table", "mean_line", "posterior_table"]


def frequencies_table(title: str, found: Frequencies) -> Table:
    """Unbiased estimate, interval and most likely (or central) frequency of every true label, in percent."""
    table = Table(title=escape(title), title_justify="left")
    table.add_column("true label")
    for name in ("unbiased (%)", "interval (%)", f"{found.fitted} (%)"):
        table.add_column(name, justify="right", no_wrap=True)
    columns = (found.unbiased, found.low, found.high, found.likely)
    for label, *values in zip(found.labels, *(100 * column for column in columns), strict=True):
        middle, low, high, likely = values
        unbiased = "-" if math.isnan(middle) else f"{middle:.2f}"
        table.add_row(escape(str(label)), unbiased, f"{low:.2f} to {high:.2f}", f"{likely:.2f}")
    return table


def posterior_table(title: str, found: Frequencies, most: int = 3) -> Table:
    """The likeliest true labels of every released one, in percent, where the fitted frequencies are the prior.

    Of released sets each label is a row: the sets that hold it.
    """
    table = Table(title=escape(title), title_justify="left")
    table.add_column("released set with" if found.sets else "released label")
    table.add_column("rows", justify="right")
    table.add_column("true label (%)")
    for j, name in enumerate(found.outputs):
        chances = found.posterior[:, j]
        if found.counts[j] == 0 and math.isnan(chances[0]):
            continue
        order = sorted(range(len(chances)), key=lambda k: -chances[k])[:most]
        text = ", ".join(f"{found.labels[k]} {100 * chances[k]:.1f}" for k in order)
        table.add_row(escape(str(name)), str(found.counts[j]), escape(text))
    return table


def mean_line(where: str, found: Mean, confidence: float) -> str:
    """The estimated mean of the true numbers."""
    return (
        f"{where}mean of the true numbers: {found.value:.6g}, the average of the released ones; standard error "
        f"{found.error:.3g}, {100 * confidence:g} % interval {found.low:.6g} to {found.high:.6g}"
    )
