"""Pictures of repeated experiments: released places on maps, risks, accuracies, what a classifier keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.extras import needs
from lpmech.plots.canvas import legend_beside, panels_for, plain
from lpmech.plots.looks import FAINT, LOOKS, QUIET

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from lpmech.applications.learning.circle import CirclePoint
    from lpmech.applications.places import Places
    from lpmech.applications.robustness.study import ClassifierUtility

__all__ = ["plot_circle", "plot_excess_risk", "plot_release", "plot_utility"]

_HARDLY_EVER = 1e-6


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
    with needs("plots"):
        from matplotlib.colors import LogNorm
        from matplotlib.ticker import FuncFormatter

    latitudes, longitudes = np.array(places.coordinates).T
    true = places.names.index(true_place)
    longitudes = longitudes[true] + (longitudes - longitudes[true] + 180) % 360 - 180
    height, width = np.ptp(latitudes), np.ptp(longitudes)
    squeeze = max(0.3, float(np.cos(np.radians(np.mean(latitudes)))))
    shape = min(max(height / (squeeze * width or 1), 0.4), 1.4)
    size = 6.2 * len(probabilities) + 0.8, 5.5 * shape + 1.1
    grid = panels_for(ax, len(probabilities), (1, len(probabilities)), size, sharex=True, sharey=True)
    released = np.concatenate([row[row > _HARDLY_EVER] for row in probabilities.values()])
    largest, colours = released.max(), LogNorm(0.8 * released.min(), 1.0)
    for axes, (name, row) in zip(grid, probabilities.items(), strict=True):
        hardly = row <= _HARDLY_EVER
        axes.scatter(longitudes[hardly], latitudes[hardly], marker="x", s=14, linewidths=0.7, color=QUIET)
        order = np.flatnonzero(~hardly)[np.argsort(-row[~hardly], kind="stable")]
        points = axes.scatter(
            longitudes[order], latitudes[order], c=row[order], s=12 + 260 * row[order] / largest,
            cmap="YlGnBu", norm=colours, edgecolors=QUIET, linewidths=0.5,
        )  # fmt: skip
        axes.scatter(
            longitudes[true], latitudes[true], s=420, facecolors="none", edgecolors=LOOKS[0].colour, linewidths=1.6
        )
        distance = float(-(row * places.utility[true]).sum())
        axes.set(title=f"{plain(name)}: {distance:.0f} km expected", xlabel="longitude", aspect=1 / squeeze)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{(x + 180) % 360 - 180:g}°"))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}°"))
        axes.grid(color=FAINT, alpha=0.4, linewidth=0.6)
        axes.set_axisbelow(True)
    grid[0].set_ylabel("latitude")
    figure = grid[0].figure
    figure.colorbar(points, ax=list(grid), label="Pr[released place | true place]", format="%g")
    if ax is None:
        figure.suptitle(
            f"True place {plain(true_place)} (circled), {plain(title, title=True)}; crosses: less than one in a million"
        )
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
    with needs("plots"):
        from matplotlib.lines import Line2D

    levels = sorted(set(table["epsilon"]) - {np.inf})
    columns = min(3, len(levels))
    rows = -(-len(levels) // columns)
    size = 1.6 + 3.5 * columns, 1.4 + 3.4 * rows
    panels = panels_for(ax, len(levels), (rows, columns), size, sharey=True)
    names = list(dict.fromkeys(table["algorithm"]))
    private = [name for name in names if np.isfinite(table.loc[table["algorithm"] == name, "epsilon"]).all()]
    looks = dict.fromkeys(names, (QUIET, "x")) | {name: look[:2] for name, look in zip(private, LOOKS, strict=False)}
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
        axes.plot(ends, guide, color=FAINT, linewidth=0.9)
        axes.annotate(r"$n^{-1/2}$", (ends[0], guide[0]), (2, -14), textcoords="offset points", color=QUIET)
        axes.set(xscale="log", yscale="log", xlabel="sample size $n$", title=rf"$\varepsilon = {level:g}$")
        axes.grid(alpha=0.25, linewidth=0.6)
    for axes in panels[::columns]:
        axes.set_ylabel("excess risk")
    keys = [Line2D([], [], color=looks[name][0], marker=looks[name][1], label=plain(name)) for name in names]
    lines: list[tuple[Any, str]] = [
        ("-", "mean, \u00b1 standard error"),
        ("--", "bound on the mean"),
        (":", "$DL$, which no weights exceed"),
    ]
    keys += [Line2D([], [], color="black", linestyle=style, linewidth=1.2, label=text) for style, text in lines]
    if ax is None:
        figure = panels[0].figure
        figure.suptitle(plain(title, title=True))
        figure.legend(handles=keys, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    else:
        panels[-1].legend(handles=keys, frameon=False, fontsize=9)
    return panels


def plot_circle(points: Sequence[CirclePoint], ax: Sequence[Axes] | None = None, title: str = "") -> Sequence[Axes]:
    """Mean accuracy of every method with its 95 % interval against the number of classes, one axes for each panel."""
    names = list(dict.fromkeys(point.panel for point in points))
    panels = panels_for(ax, len(names), (1, len(names)), (1.0 + 4.6 * len(names), 4.4), sharey=True)
    lowest = min(p.result.mean(m) - p.result.half_width(m) for p in points for m in p.result.accuracies)
    for axes, panel in zip(panels, names, strict=True):
        shown = [point for point in points if point.panel == panel]
        places = np.arange(len(shown))
        methods = list(shown[0].result.accuracies)
        for i, (method, look) in enumerate(zip(methods, LOOKS, strict=False)):
            means = [point.result.mean(method) for point in shown]
            halves = [point.result.half_width(method) for point in shown]
            beside = 0.07 * (i - (len(methods) - 1) / 2)  # equal accuracies stand beside each other
            axes.errorbar(
                places + beside, means, halves, color=look.colour, marker=look.marker, markersize=4.5, capsize=2.5,
                linewidth=1.3, label=plain(method),
            )  # fmt: skip
        bayes = [point.result.bayes for point in shown]
        axes.plot(places, bayes, "--", color="black", linewidth=1, label="Bayes classifier")
        axes.set(title=plain(panel), xlabel="classes $K$", ylim=(max(0.0, lowest - 0.05), 1.03))
        axes.set_xticks(places, [str(point.classes) for point in shown])
        axes.grid(alpha=0.25, linewidth=0.6)
    panels[0].set_ylabel("accuracy, mean and 95 % interval")
    legend_beside(panels[-1])
    if ax is None:
        panels[0].figure.suptitle(plain(title, title=True))
    return panels


def plot_utility(found: ClassifierUtility, ax: Sequence[Axes] | None = None, title: str = "") -> Sequence[Axes]:
    """Bars of the guaranteed, points with intervals of the simulated utility: the mean, and the least of all rows."""
    names = [plain(m.mechanism) + (" *" if m.delta > 0 else "") for m in found.mechanisms]
    panels = panels_for(ax, 2, (1, 2), (10.5, 1.2 + 0.42 * len(names)), sharey=True)
    guaranteed = ([m.guaranteed for m in found.mechanisms], [m.guaranteed_least for m in found.mechanisms])
    simulated = ([m.simulated for m in found.mechanisms], [m.simulated_least for m in found.mechanisms])
    kind = "guaranteed" if found.guarantee == "exact" else "sampled lower bound"
    colours = [FAINT if m.delta > 0 else LOOKS[2].colour for m in found.mechanisms]
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
    legend_beside(panels[-1])
    if ax is None:
        panels[0].figure.suptitle(plain(title, title=True))
    return panels
