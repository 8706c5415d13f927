"""A channel as a heat map, a comparison of mechanisms as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.extras import needs
from lpmech.plots.canvas import RESOLUTION, axes_for, name_ticks, plain
from lpmech.plots.looks import LOOKS, OPTIMUM, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.channel import Channel
    from lpmech.designs.comparing import Comparison
    from lpmech.designs.counting import Counting
    from lpmech.entries import Array

__all__ = ["plot_channel", "plot_comparison", "plot_counting"]

#: Labels up to which a heat map has numbers, linear colours, and a cell for each; dots for each cell of a larger one.
_ANNOTATED, _LINEAR, _CELLS, _PIXELS = 12, 60, 400, 3
_HARDLY_EVER = 1e-6


def plot_channel(
    channel: Channel,
    ax: Axes | None = None,
    title: str = "",
    order: Sequence[object] | None = None,
    largest: float | None = None,
) -> Axes:
    """Heat map of Pr[released | true], with numbers up to 12 labels; what is never released is blank.

    Above 60 labels colours are logarithmic, for a diagonal of a hundredth is lost beside a column of one, and labels
    that are never released have no column. Above 400 a cell is the largest of a block of entries, as is said beside it.

    Parameters
    ----------
    channel : Channel
    ax : Axes, optional
    title : str
    order : sequence of labels, optional
        How rows and columns follow on each other, the most frequent label first, say; labels that are not in it come
        last. Default: as in the channel.
    largest : float, optional
        The probability at which the colours end: the same for maps beside each other. Default: the channel's largest.
    """
    with needs("plots"):
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import LogNorm, Normalize
        from matplotlib.ticker import LogLocator

    inputs, outputs = (_ordered(names, order) for names in (channel.inputs, channel.outputs))
    whole = channel.floats
    many = max(whole.shape) > _LINEAR
    if many:
        released = whole.max(axis=0) > _HARDLY_EVER
        outputs = [j for j in outputs if released[j]]
    never = len(channel.outputs) - len(outputs)
    down, across = (-(-len(places) // _CELLS) for places in (inputs, outputs))
    matrix = _largest(whole, inputs, outputs, down, across)
    side = max(6.2, max(matrix.shape) * _PIXELS / RESOLUTION + 2)
    axes = axes_for(ax, side + 1, side)
    shown = np.ma.masked_less_equal(matrix, _HARDLY_EVER)
    top = shown.max() if largest is None else largest
    norm = LogNorm(0.9 * shown.min(), top) if many else Normalize(0.0, top)
    image = ScalarMappable(norm, "viridis")
    # many are coloured before they are enlarged: a dot is four bytes then, and no array of floats
    colours: dict[str, Any] = {} if many else {"cmap": "viridis", "norm": norm}
    dots = image.to_rgba(shown, bytes=True) if many else shown
    axes.imshow(dots, interpolation="nearest", aspect="auto" if never else "equal", **colours)
    block = f", the largest of {down} x {across} entries" if max(down, across) > 1 else ""
    blank = f"; blank: below {_HARDLY_EVER:g}" if np.ma.getmaskarray(shown).any() else ""
    ticks = LogLocator(subs=(1, 2, 5)) if many else None
    bar = axes.figure.colorbar(image, ax=axes, label=f"Pr[released | true]{block}{blank}", format="%g", ticks=ticks)
    bar.minorticks_off()
    name_ticks(axes.xaxis, [channel.outputs[j] for j in outputs[::across]])
    name_ticks(axes.yaxis, [channel.inputs[y] for y in inputs[::down]])
    missing = f" ({never} others are never released)" if never else ""
    axes.set(xlabel=f"released label{missing}", ylabel="true label", title=plain(title, title=True))
    if max(matrix.shape) <= _ANNOTATED:
        for y, j in zip(*np.nonzero(~np.ma.getmaskarray(shown)), strict=True):
            colour = "black" if norm(matrix[y, j]) > 0.6 else "white"
            axes.text(j, y, f"{matrix[y, j]:.3f}", ha="center", va="center", color=colour, fontsize=8)
    return axes


def _largest(whole: Array, inputs: list[int], outputs: list[int], down: int, across: int) -> Array:
    """The largest entry of each block of so many rows and columns; of blocks of one the entries themselves."""
    rows = [whole[inputs[start : start + down]].max(axis=0)[outputs] for start in range(0, len(inputs), down)]
    return np.asarray(np.maximum.reduceat(rows, range(0, len(outputs), across), axis=1))


def _ordered(names: Sequence[object], order: Sequence[object] | None) -> list[int]:
    """The places of the names, those of `order` first."""
    rank = {name: place for place, name in enumerate(order or ())}
    return sorted(range(len(names)), key=lambda place: rank.get(names[place], len(rank)))


def plot_comparison(comparisons: Sequence[Comparison], ax: Axes | None = None, title: str = "") -> Axes:
    """Bars of the expected utility of every mechanism, the first one's marked by a line; numbers on the right."""
    axes = axes_for(ax, 8.6, 1.1 + 0.4 * len(comparisons))
    names = [plain(_named(c)) for c in comparisons]
    values = np.array([c.expected_utility for c in comparisons])
    first, others = OPTIMUM.colour, LOOKS[2].colour
    axes.axvline(values[0], color=first, linestyle="--", linewidth=1, zorder=0)
    axes.barh(names, values, color=[first if c.mechanism == "optimal" else others for c in comparisons])
    axes.axvline(0, color=QUIET, linewidth=0.8)
    numbers = axes.secondary_yaxis("right")
    numbers.set_ticks(range(len(names)), [_worth(c) for c in comparisons])
    numbers.tick_params(length=0)
    axes.invert_yaxis()
    axes.margins(x=0.02)
    axes.set(xlabel="expected utility (larger is better)", title=plain(title, title=True))
    return axes


def _named(entry: Comparison) -> str:
    """The mechanism; the optimum with a floor for the hit rates, which others may surpass, as that."""
    return "optimal with a floor" if entry.mechanism == "optimal" and entry.parameters else entry.mechanism


def _worth(entry: Comparison) -> str:
    """A utility, and how much worse than the best it is: of losses, too, of which more than all can hardly be lost."""
    worse = f"  ({entry.loss_percent:.2f} % worse)" if entry.loss_percent else "  (the best)"
    return f"{entry.expected_utility:.4g}{worse}"


def plot_counting(comparisons: Sequence[Counting], chosen: Counting, ax: Axes | None = None, title: str = "") -> Axes:
    """Bars of the error of a share under every mechanism for counting, the chosen one's in another colour."""
    axes = axes_for(ax, 8.6, 1.1 + 0.4 * len(comparisons))
    names, errors = [plain(row.mechanism) for row in comparisons], [100 * row.error for row in comparisons]
    colours = [OPTIMUM.colour if row is chosen else LOOKS[2].colour for row in comparisons]
    bars = axes.barh(names, errors, color=colours)
    axes.bar_label(bars, fmt="%.4g", padding=3)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set(xlabel="error of a share (percentage points; smaller is better)", title=plain(title, title=True))
    return axes
