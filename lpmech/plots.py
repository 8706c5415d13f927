"""Pictures: a channel as a heat map, a comparison as bars, released places on maps.

Every function draws on the caller's axes, or on axes of a new figure, and returns them. To save the figure is the
caller's business, and so is the title of a figure that is theirs.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import to_float
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from lpmech.applications.learning.circle import CirclePoint
    from lpmech.applications.places import Places
    from lpmech.applications.robustness.study import ClassifierUtility
    from lpmech.channel import Channel
    from lpmech.designs.comparing import Comparison
    from lpmech.release.estimation import Frequencies

__all__ = [
    "plot_channel",
    "plot_circle",
    "plot_comparison",
    "plot_excess_risk",
    "plot_frequencies",
    "plot_regimes",
    "plot_release",
    "plot_utility",
    "png",
]

_STYLES = ["-", "--", "-.", ":"]

#: Colours that people with colour-blindness can tell apart (Okabe and Ito), each with a marker.
_LOOKS = [("#0072b2", "o"), ("#009e73", "s"), ("#d55e00", "^"), ("#cc79a7", "D"), ("#e69f00", "v")]

_MOST_TICKS = 25
_ANNOTATED = 12
_HARDLY_EVER = 1e-6

#: Dots an inch; labels up to which a heat map has linear colours; dots for each entry of a larger one.
_RESOLUTION, _LINEAR, _PIXELS = 150, 60, 3


def plot_channel(channel: Channel, ax: Axes | None = None, title: str = "") -> Axes:
    """Heat map of Pr[released | true], with the numbers where there are at most 12 labels.

    Above 60 labels colours are logarithmic, for a diagonal of a hundredth is lost beside a column of one; entries below
    1e-6 stay white. Every entry gets a pixel of its own, up to 1200 labels.
    """
    from matplotlib.colors import LogNorm

    matrix = to_float(channel.matrix)
    many = max(matrix.shape) > _LINEAR
    side = min(max(6.2, max(matrix.shape) * _PIXELS / _RESOLUTION + 2), 18.0)
    axes = _axes(ax, side + 1, side)
    released = matrix[matrix > _HARDLY_EVER]
    scale = {"norm": LogNorm(0.9 * released.min(), released.max())} if many else {"vmin": 0.0}
    shown = np.ma.masked_where(matrix <= _HARDLY_EVER, matrix) if many else matrix
    image = axes.imshow(shown, cmap="viridis", interpolation="nearest", **scale)
    axes.figure.colorbar(image, ax=axes, label="Pr[released label | true label]")
    _name_ticks(axes.set_xticks, channel.outputs)
    _name_ticks(axes.set_yticks, channel.inputs)
    axes.tick_params(axis="x", rotation=45 if many or any(len(str(n)) > 3 for n in channel.outputs) else 0)
    axes.set(xlabel="released label", ylabel="true label", title=title)
    if max(matrix.shape) <= _ANNOTATED:
        for y, row in enumerate(matrix):
            for j, value in enumerate(row):
                colour = "black" if value > 0.6 * matrix.max() else "white"
                axes.text(j, y, f"{value:.3f}", ha="center", va="center", color=colour, fontsize=8)
    return axes


def plot_comparison(comparisons: Sequence[Comparison], ax: Axes | None = None, title: str = "") -> Axes:
    """Bars of the expected utility of every mechanism, the optimum marked by a line, losses written beside."""
    axes = _axes(ax, 8.6, 0.9 + 0.45 * len(comparisons))
    names = [c.mechanism for c in comparisons]
    values = np.array([c.expected_utility for c in comparisons])
    colours = ["#1b7837" if c.mechanism == "optimal" else "#5b8db8" for c in comparisons]
    axes.axvline(values[0], color="#1b7837", linestyle="--", linewidth=1, zorder=0)
    bars = axes.barh(names, values, color=colours)
    texts = axes.bar_label(
        bars,
        [f"{v:.4g}  (loses {c.loss_percent:.2f} %)" for v, c in zip(values, comparisons, strict=True)],
        padding=4,
    )
    for text in texts:  # the line of the optimum runs behind the numbers
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    axes.invert_yaxis()
    span = max(values.max(), 0.0) - min(values.min(), 0.0) or 1.0
    axes.set_xlim(
        min(values.min(), 0.0) - 0.5 * span * (values.min() < 0),
        max(values.max(), 0.0) + 0.5 * span * (values.max() > 0),
    )
    axes.set(xlabel="expected utility (larger is better)", title=title)
    return axes


def plot_regimes(
    pieces: Sequence[tuple[Any, Any, Any]],
    curves: Mapping[str, Sequence[tuple[float, float]]],
    ax: Axes | None = None,
    title: str = "",
) -> Axes:
    """The optimum against epsilon, its break points marked, and every published closed form beside it."""
    import sympy as sp

    from lpmech.solvers.parametric import epsilon_at

    axes = _axes(ax, 8.5, 5.2)
    last = max(epsilon for curve in curves.values() for epsilon, _ in curve)
    t = sp.Symbol("t")
    grid = np.linspace(1e-3, last, 400)
    optimum = np.full(grid.shape, np.nan)
    for lower, upper, value in pieces:
        inside = (np.exp(grid) >= float(lower)) & (np.exp(grid) <= float(upper))
        optimum[inside] = [float(value.subs(t, float(np.exp(e)))) for e in grid[inside]]
        if 0 < epsilon_at(lower) <= last:
            axes.axvline(epsilon_at(lower), color="#bbbbbb", linewidth=0.8)
    axes.plot(grid, optimum, color="#1b7837", linewidth=4, alpha=0.5, label="optimum")
    for (name, curve), style in zip(curves.items(), _STYLES * 2, strict=False):
        axes.plot(*zip(*curve, strict=True), style, linewidth=1.2, label=name)
    axes.set(xlabel="epsilon (grey lines: the optimal formula changes)", ylabel="expected utility", title=title)
    axes.legend(fontsize=8, frameon=False)
    return axes


def plot_release(
    places: Places,
    true_place: str,
    probabilities: Mapping[str, np.ndarray],
    ax: Sequence[Axes] | None = None,
    title: str = "",
) -> Sequence[Axes]:
    """One map a mechanism: Pr[released place | true place] as area and colour, the true place circled.

    Places released less than once in a million are crosses. Longitudes run the short way round from the true place.
    """
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FuncFormatter

    latitudes, longitudes = np.array(places.coordinates).T
    true = places.names.index(true_place)
    longitudes = longitudes[true] + (longitudes - longitudes[true] + 180) % 360 - 180
    height, width = np.ptp(latitudes), np.ptp(longitudes)
    squeeze = max(0.3, float(np.cos(np.radians(np.mean(latitudes)))))
    shape = min(max(height / (squeeze * width or 1), 0.4), 1.4)
    size = 6.2 * len(probabilities) + 0.8, 5.5 * shape + 1.1
    grid = _panels(ax, len(probabilities), (1, len(probabilities)), size, sharex=True, sharey=True)
    released = np.concatenate([row[row > _HARDLY_EVER] for row in probabilities.values()])
    largest, colours = released.max(), LogNorm(0.8 * released.min(), 1.0)
    for axes, (name, row) in zip(grid, probabilities.items(), strict=True):
        hardly = row <= _HARDLY_EVER
        axes.scatter(longitudes[hardly], latitudes[hardly], marker="x", s=14, linewidths=0.7, color="#999999")
        order = np.flatnonzero(~hardly)[np.argsort(-row[~hardly], kind="stable")]
        points = axes.scatter(
            longitudes[order], latitudes[order], c=row[order], s=12 + 260 * row[order] / largest,
            cmap="YlGnBu", norm=colours, edgecolors="#555555", linewidths=0.5,
        )  # fmt: skip
        axes.scatter(longitudes[true], latitudes[true], s=420, facecolors="none", edgecolors="#c51b7d", linewidths=1.6)
        distance = float(-(row * places.utility[true]).sum())
        axes.set(title=f"{name}: {distance:.0f} km expected", xlabel="longitude", aspect=1 / squeeze)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{(x + 180) % 360 - 180:g}°"))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}°"))
        axes.grid(color="#eeeeee", linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0].set_ylabel("latitude")
    figure = grid[0].figure
    figure.colorbar(points, ax=list(grid), label="Pr[released place | true place]", format="%g")
    if ax is None:
        figure.suptitle(f"True place {true_place} (circled), {title}; crosses: less than one in a million")
    return grid


def plot_excess_risk(
    table: pd.DataFrame, ceiling: float, ax: Sequence[Axes] | None = None, title: str = ""
) -> Sequence[Axes]:
    """Mean excess risk and its bound against n, one panel for each finite epsilon.

    Parameters
    ----------
    table : DataFrame
        Columns algorithm, epsilon, n, excess, error, bound; an infinite epsilon is drawn in every panel, in grey.
    ceiling : float
        Excess risk that no weights exceed.
    ax : sequence of Axes, optional
        One for each finite epsilon.
    title : str
        Title of the figure.
    """
    from matplotlib.lines import Line2D

    levels = sorted(set(table["epsilon"]) - {np.inf})
    columns = min(3, len(levels))
    rows = -(-len(levels) // columns)
    size = 1.6 + 3.5 * columns, 1.4 + 3.4 * rows
    panels = _panels(ax, len(levels), (rows, columns), size, sharey=True)
    names = list(dict.fromkeys(table["algorithm"]))
    private = [name for name in names if np.isfinite(table.loc[table["algorithm"] == name, "epsilon"]).all()]
    looks = dict.fromkeys(names, ("#666666", "x")) | dict(zip(private, _LOOKS, strict=False))
    for axes, level in zip(panels, levels, strict=True):
        shown = table[table["epsilon"].isin([level, np.inf])]
        for name, curve in shown.groupby("algorithm", sort=False):
            colour, marker = looks[str(name)]
            style = {"color": colour, "linewidth": 1.3}
            axes.errorbar(
                curve["n"], curve["excess"], curve["error"], marker=marker, markersize=4.5, capsize=2.5, **style
            )
            axes.plot(curve["n"], curve["bound"], "--", **style)
        axes.axhline(ceiling, color="black", linestyle=":", linewidth=1)
        ends = np.array([shown["n"].min(), shown["n"].max()], dtype=float)
        guide = 0.4 * shown["excess"].min() * np.sqrt(ends[1] / ends)
        axes.plot(ends, guide, color="#aaaaaa", linewidth=0.9)
        axes.annotate(r"$n^{-1/2}$", (ends[0], guide[0]), (2, -14), textcoords="offset points", color="#666666")
        axes.set(xscale="log", yscale="log", xlabel="sample size $n$", title=rf"$\varepsilon = {level:g}$")
        axes.grid(alpha=0.25, linewidth=0.6)
    for axes in panels[::columns]:
        axes.set_ylabel("excess risk")
    keys = [Line2D([], [], color=looks[name][0], marker=looks[name][1], label=name) for name in names]
    lines: list[tuple[Any, str]] = [
        ("-", "mean, \u00b1 standard error"),
        ("--", "bound on the mean"),
        (":", "$DL$, which no weights exceed"),
    ]
    keys += [Line2D([], [], color="black", linestyle=style, linewidth=1.2, label=text) for style, text in lines]
    if ax is None:
        figure = panels[0].figure
        figure.suptitle(title)
        figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    else:
        panels[-1].legend(handles=keys, frameon=False, fontsize=9)
    return panels


def plot_circle(points: Sequence[CirclePoint], ax: Sequence[Axes] | None = None, title: str = "") -> Sequence[Axes]:
    """Mean accuracy of every method with its 95 % interval against the number of classes, one axes for each panel."""
    names = list(dict.fromkeys(point.panel for point in points))
    panels = _panels(ax, len(names), (1, len(names)), (1.0 + 4.6 * len(names), 4.4), sharey=True)
    for axes, panel in zip(panels, names, strict=True):
        shown = [point for point in points if point.panel == panel]
        classes = [point.classes for point in shown]
        for method, (colour, marker) in zip(shown[0].result.accuracies, _LOOKS, strict=False):
            means = [point.result.mean(method) for point in shown]
            halves = [point.result.half_width(method) for point in shown]
            axes.errorbar(
                classes, means, halves, color=colour, marker=marker, markersize=4.5, capsize=2.5, linewidth=1.3,
                label=method,
            )  # fmt: skip
        bayes = [point.result.bayes for point in shown]
        axes.plot(classes, bayes, "--", color="black", linewidth=1, label="Bayes classifier")
        axes.set(title=panel, xlabel="classes $K$")
        axes.set_ylim(0, 1.03)
        axes.grid(alpha=0.25, linewidth=0.6)
    panels[0].set_ylabel("accuracy, mean and 95 % interval")
    panels[0].legend(fontsize=9, frameon=False)
    if ax is None:
        panels[0].figure.suptitle(title)
    return panels


def plot_frequencies(groups: Mapping[str, Frequencies], ax: Axes | None = None, title: str = "") -> Axes:
    """Interval and unbiased estimate of every label's frequency, and the most likely one as a cross; up to 5 groups."""
    shown = dict(list(groups.items())[: len(_LOOKS)])
    labels = next(iter(shown.values())).labels
    axes = _axes(ax, 8.0, min(1.6 + (0.16 + 0.14 * len(shown)) * len(labels), 60))
    rows = np.arange(len(labels))
    for i, (name, found) in enumerate(shown.items()):
        at, (colour, marker) = rows + (i - (len(shown) - 1) / 2) * 0.7 / len(shown), _LOOKS[i]
        axes.hlines(at, 100 * found.low, 100 * found.high, color=colour, linewidth=1.5)
        label = f"{name}, {found.rows} rows" if len(shown) > 1 else "unbiased, with its interval"
        axes.plot(100 * found.unbiased, at, marker, color=colour, markersize=5, linestyle="none", label=label)
        crosses = "most likely" if i == len(shown) - 1 else None
        axes.plot(100 * found.likely, at, "x", color="black", markersize=5, linestyle="none", label=crosses)
    _name_ticks(axes.set_yticks, labels)
    axes.invert_yaxis()
    axes.axvline(0, color="#bbbbbb", linewidth=0.8)
    axes.grid(axis="x", alpha=0.25, linewidth=0.6)
    axes.set(xlabel="rows with this true label (%)", title=title)
    axes.legend(fontsize=8, frameon=False)
    return axes


def plot_utility(found: ClassifierUtility, ax: Sequence[Axes] | None = None, title: str = "") -> Sequence[Axes]:
    """Bars of the guaranteed, points with intervals of the simulated utility: the mean, and the least of all rows."""
    names = [m.mechanism + (" *" if m.delta > 0 else "") for m in found.mechanisms]
    panels = _panels(ax, 2, (1, 2), (10.5, 1.2 + 0.42 * len(names)), sharey=True)
    guaranteed = ([m.guaranteed for m in found.mechanisms], [m.guaranteed_least for m in found.mechanisms])
    simulated = ([m.simulated for m in found.mechanisms], [m.simulated_least for m in found.mechanisms])
    kind = "guaranteed" if found.guarantee == "exact" else "sampled lower bound"
    colours = ["#b0b0b0" if m.delta > 0 else "#5b8db8" for m in found.mechanisms]
    for axes, bounds, measured, name in zip(panels, guaranteed, simulated, ("mean", "least"), strict=True):
        axes.barh(names, bounds, color=colours, label=kind)
        values = [e.value for e in measured]
        spread = [[e.value - e.low for e in measured], [e.high - e.value for e in measured]]
        axes.errorbar(
            values, names, xerr=spread, fmt="o", color="black", markersize=4, capsize=2.5, label="simulated",
        )  # fmt: skip
        axes.set(xlim=(0, 1.02), xlabel=f"Pr[the class stays], {name} of {found.rows} rows")
        axes.grid(axis="x", alpha=0.25, linewidth=0.6)
        axes.set_axisbelow(True)
    panels[0].invert_yaxis()
    panels[0].legend(fontsize=8, frameon=False, loc="lower right")
    if ax is None:
        panels[0].figure.suptitle(title)
    return panels


def png(axes: Axes) -> bytes:
    """The figure of these axes as a PNG picture."""
    figure: Any = axes.figure
    picture = io.BytesIO()
    figure.savefig(picture, dpi=_RESOLUTION, format="png")
    return picture.getvalue()


def _axes(ax: Axes | None, width: float, height: float) -> Any:
    """The caller's axes, or those of a new figure of this size in inches."""
    return _canvas(width, height).add_subplot() if ax is None else ax


def _panels(
    ax: Sequence[Axes] | None, count: int, shape: tuple[int, int], size: tuple[float, float], **shared: bool
) -> list[Any]:
    """The caller's axes, which must be `count`, or the first `count` of a new figure of this shape and size."""
    if ax is None:
        grid = list(_canvas(*size).subplots(*shape, squeeze=False, **shared).flat)
        for spare in grid[count:]:
            spare.set_visible(False)
        return grid[:count]
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    if len(given) != count:
        raise InvalidInputError("ax", f"{len(given)} axes", f"{count}: one for each panel")
    return given


def _canvas(width: float, height: float) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _name_ticks(set_ticks: Any, names: tuple[object, ...]) -> None:
    step = -(-len(names) // _MOST_TICKS)
    positions = range(0, len(names), step)
    set_ticks(list(positions), [str(names[i]) for i in positions])
