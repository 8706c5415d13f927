"""What changes with epsilon: the optimum, the loss of every mechanism, k*, and which mechanism is best."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.extras import needs
from lpmech.plots.canvas import EPSILON_AXIS, axes_for, legend_beside, plain
from lpmech.plots.looks import FAINT, OPTIMUM, looks_of
from lpmech.programs.optimality import loss_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_best", "plot_kept", "plot_losses", "plot_regimes"]

#: lower and upper end in t = e^epsilon, and the optimum between them: sympy expressions.
Pieces = Sequence[tuple[Any, Any, Any]]
#: By name: (epsilon, expected utility), epsilon rising.
Curves = Mapping[str, Sequence[tuple[float, float]]]

#: Break points that are written out; a longer fraction than this is a decimal.
_WRITTEN, _LONGEST = 8, 9


def plot_regimes(pieces: Pieces, curves: Curves, ax: Axes | None = None, title: str = "") -> Axes:
    """The optimum against epsilon, every mechanism beside it; its break points are written above.

    Parameters
    ----------
    pieces : sequence of (lower, upper, value)
        As `lpmech.regimes` has them.
    curves : mapping of str to sequence of (epsilon, expected utility)
        As of `lpmech.designs.comparing.curves`.
    ax : Axes, optional
    title : str
    """
    axes = axes_for(ax, 9.6, 5.2)
    last = max(epsilon for curve in curves.values() for epsilon, _ in curve)
    grid = np.linspace(1e-3, last, 400)
    axes.plot(grid, _optimum(pieces, grid), color=OPTIMUM.colour, linewidth=5, alpha=0.35, label="optimum")
    _draw(axes, curves, lambda _, utility: utility)
    _mark(axes, [lower for lower, *_ in pieces], last)
    axes.set(xlabel=EPSILON_AXIS, ylabel="expected utility", title=plain(title, title=True))
    legend_beside(axes)
    return axes


def plot_losses(pieces: Pieces, curves: Curves, ax: Axes | None = None, title: str = "") -> Axes:
    """Percent of the optimum that every mechanism loses, against epsilon; arguments as of `plot_regimes`."""
    axes = axes_for(ax, 9.6, 5.2)
    last = max(epsilon for curve in curves.values() for epsilon, _ in curve)

    def lost(epsilon: Array, utility: Array) -> Array:
        best = _optimum(pieces, epsilon)
        return np.array([loss_percent(u, b) for u, b in zip(utility.tolist(), best.tolist(), strict=True)])

    _draw(axes, curves, lost)
    _mark(axes, [lower for lower, *_ in pieces], last)
    axes.set(
        xlabel=EPSILON_AXIS,
        ylabel="utility lost (% of the optimum)",
        title=plain(title, title=True),
        xlim=(0, last),
    )
    axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
    legend_beside(axes)
    return axes


def plot_kept(prior: object, last: float, ax: Axes | None = None, title: str = "") -> Axes:
    """How many labels RRWithPrior keeps, k*, against epsilon up to `last`: a staircase, its thresholds written above.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Exact for exact thresholds.
    last : float
        The largest epsilon shown.
    ax : Axes, optional
    title : str

    Raises
    ------
    PriorError
        If the prior is not a distribution.

    Notes
    -----
    The thresholds are those of `lpmech.mechanisms.rr_with_prior.thresholds`.
    """
    from lpmech.mechanisms.rr_with_prior import thresholds

    axes = axes_for(ax, 7.2, 3.6)
    found = thresholds(prior)
    steps = [math.log(t) for t in found if math.log(t) < last]
    axes.step([0.0, *steps, last], [*range(1, len(steps) + 2), len(steps) + 1], where="post", color=OPTIMUM.colour)
    _mark(axes, found, last)
    axes.set(
        xlabel=EPSILON_AXIS,
        ylabel="labels kept, k*",
        title=plain(title, title=True),
        xlim=(0, last),
        ylim=(0.5, len(steps) + 1.5),
    )
    axes.yaxis.get_major_locator().set_params(integer=True)
    return axes


def plot_best(
    best: Any, epsilons: Sequence[float], rows: Sequence[float], ax: Axes | None = None, title: str = "",
    row_name: str = "skew of the prior",
) -> Axes:  # fmt: skip
    """Map of what is best at every epsilon and prior: a colour and a hatch for each name.

    Parameters
    ----------
    best : array_like of str, shape (len(rows), len(epsilons))
        What is best there.
    epsilons, rows : sequence of float
        Epsilon of the columns; a number for the prior of each row, `row_name`.
    ax : Axes, optional
    title, row_name : str

    Raises
    ------
    InvalidInputError
        If there are not as many names as cells.
    """
    with needs("plots"):
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Patch

    names = np.asarray(best, dtype=object)
    if names.shape != (len(rows), len(epsilons)):
        raise InvalidInputError("best", f"shape {names.shape}", f"shape {(len(rows), len(epsilons))}")
    axes = axes_for(ax, 8.4, 4.2)
    looks = looks_of(sorted(set(names.ravel().tolist())))
    for name, look in looks.items():
        cells = np.ma.masked_where(names != name, np.ones(names.shape))
        area = axes.pcolor(epsilons, rows, cells, cmap=ListedColormap([look.colour]), shading="nearest")
        area.set(edgecolor="white", linewidth=0.0, hatch=look.hatch)
    axes.set(xlabel=EPSILON_AXIS, ylabel=plain(row_name), title=plain(title, title=True))
    keys = [
        Patch(facecolor=look.colour, edgecolor="white", hatch=look.hatch, label=plain(n)) for n, look in looks.items()
    ]
    legend_beside(axes, handles=keys)
    return axes


def _optimum(pieces: Pieces, epsilons: Array) -> Array:
    """The optimum at every epsilon, from its formulas in t."""
    import sympy as sp

    ratios, found = np.exp(epsilons), np.full(epsilons.shape, np.nan)
    for lower, upper, value in pieces:
        inside = (ratios >= float(lower)) & (ratios <= float(upper))
        found[inside] = sp.lambdify(sp.Symbol("t"), value, "numpy")(ratios[inside])
    return found


def _draw(axes: Any, curves: Curves, shown: Callable[[Array, Array], Array]) -> None:
    """A line for each curve; those that coincide are one, under all their names, and lower ones are broader."""
    groups: dict[tuple[float, ...], list[str]] = {}
    for name, curve in curves.items():
        groups.setdefault(tuple(round(utility, 9) for _, utility in curve), []).append(name)
    looks = looks_of(list(curves))
    for i, names in enumerate(groups.values()):
        x, y = np.array(curves[names[0]]).T
        look = looks[names[0]]
        width = 1.2 + 1.6 * (1 - i / len(groups))
        axes.plot(
            x, shown(x, y), color=look.colour, linestyle=look.dash, linewidth=width, label=",\n".join(map(plain, names))
        )


def _mark(axes: Any, ratios: Sequence[Any], last: float) -> None:
    """Break points in t above 1: a faint line each, and what they are above the axes where they are few."""
    places = {math.log(float(t)): t for t in ratios if 1 < float(t) < math.exp(last)}
    for place in places:
        axes.axvline(place, color=FAINT, linewidth=0.8, zorder=0)
    if places and len(places) <= _WRITTEN:
        texts = [f"t = {t}" if len(str(t)) <= _LONGEST else f"t = {float(t):.4g}" for t in places.values()]
        above = axes.secondary_xaxis("top")
        above.set_ticks(list(places), texts, rotation=40, ha="left", fontsize=8)
        above.set_xlabel(r"break points, $t = e^\varepsilon$", fontsize=8)
