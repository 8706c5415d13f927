"""Estimated frequencies of true labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from lpmech.plots.canvas import axes_for, legend_beside, name_ticks, plain
from lpmech.plots.looks import FAINT, LOOKS, OPTIMUM

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.release.estimation import Frequencies

__all__ = ["plot_frequencies"]

_MOST_GROUPS = 5


def plot_frequencies(groups: Mapping[str, Frequencies], ax: Axes | None = None, title: str = "") -> Axes:
    """Interval and unbiased estimate of every label's frequency, and the most likely one as a cross; up to 5 groups."""
    shown = dict(list(groups.items())[:_MOST_GROUPS])
    labels = next(iter(shown.values())).labels
    axes = axes_for(ax, 8.0, min(1.6 + (0.16 + 0.14 * len(shown)) * len(labels), 60))
    rows = np.arange(len(labels))
    for i, (name, found) in enumerate(shown.items()):
        at, (colour, marker, *_) = rows + (i - (len(shown) - 1) / 2) * 0.7 / len(shown), LOOKS[i]
        axes.hlines(at, 100 * found.low, 100 * found.high, color=colour, linewidth=1.5)
        label = f"{plain(name)}, {found.rows} rows" if len(shown) > 1 else "unbiased, with its interval"
        axes.plot(100 * found.unbiased, at, marker, color=colour, markersize=5, linestyle="none", label=label)
        crosses = found.fitted if i == len(shown) - 1 else None
        axes.plot(100 * found.likely, at, "x", color=OPTIMUM.colour, markersize=5, linestyle="none", label=crosses)
    name_ticks(axes.yaxis, labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.axvline(0, color=FAINT, linewidth=0.8)
    axes.grid(axis="x", alpha=0.25, linewidth=0.6)
    axes.set(xlabel="rows with this true label (%)", title=plain(title, title=True))
    legend_beside(axes)
    return axes
