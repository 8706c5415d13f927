"""Maps over the priors on three labels: which mechanism is best where, and what each published one loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import Array, to_float
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.catalogue import PUBLISHED, published_channels
from lpmech.plots.canvas import axes_for, panels_for, plain
from lpmech.plots.looks import FAINT, LOOKS, QUIET
from lpmech.privacy import PrivacyLevel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.designs.prior_maps import PriorMap

__all__ = ["plot_prior_losses", "plot_prior_map"]

#: Corners of the triangle: all of the probability on the first, second, third label.
_CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
#: Steps along a side of the grid on which losses are computed.
_STEPS = 30


def plot_prior_map(found: PriorMap, ax: Axes | None = None, title: str = "") -> Axes:
    """The triangle of the priors on three labels, each region in the look of its mechanism.

    Maps in which the same mechanisms have a place show them in the same colours.

    Raises
    ------
    InvalidInputError
        If the map is not of three labels.
    """
    _three(found)
    axes = axes_for(ax, 9.0, 6.4)
    ranked = sorted(range(len(found.regions)), key=lambda place: (not found.mechanisms[place], found.mechanisms[place]))
    for place, (region, names) in enumerate(zip(found.regions, found.mechanisms, strict=True)):
        look = LOOKS[ranked.index(place) % len(LOOKS)]
        shape = _around(to_float(np.array(region.vertices, dtype=object)) @ _CORNERS)
        label = f"{float(100 * region.share):.3g} %  {names[0] if names else 'none of the published'}"
        axes.fill(*shape.T, facecolor=look.colour, edgecolor="white", hatch=look.hatch, alpha=0.75, label=plain(label))
    _frame(axes, title)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.04), ncols=2, fontsize=8, handleheight=1.3, frameon=False)
    return axes


def plot_prior_losses(found: PriorMap, ax: Sequence[Axes] | None = None, title: str = "") -> list[Axes]:
    """For each published mechanism the triangle of priors, coloured by the utility that it loses; the scale is shared.

    Computed in floats on a grid of priors, each mechanism with the parameter that is best for the prior.

    Raises
    ------
    InvalidInputError
        If the map is not of three labels.
    """
    _three(found)
    grid = [(i, j, _STEPS - i - j) for i in range(_STEPS + 1) for j in range(_STEPS + 1 - i)]
    priors = np.array(grid) / _STEPS
    best = (priors @ to_float(np.array([region.row_utilities for region in found.regions], dtype=object)).T).max(axis=1)
    lost = _lost(found, priors, best)
    panels = panels_for(ax, len(PUBLISHED), (2, 4), (13.0, 6.4))
    most = max(float(values.max()) for values in lost.values())
    corners = priors @ _CORNERS
    for axes, name in zip(panels, PUBLISHED, strict=True):
        image = axes.tripcolor(*corners.T, lost[name], shading="gouraud", cmap="viridis", vmin=0, vmax=most)
        _frame(axes, name)
    panels[0].figure.colorbar(image, ax=panels, label="utility lost")
    panels[0].figure.suptitle(plain(title, title=True))
    return list(panels)


def _lost(found: PriorMap, priors: Array, best: Array) -> dict[str, Array]:
    utility, level = to_float(found.utility), PrivacyLevel.from_epsilon(found.level.epsilon)
    lost = {name: np.zeros(len(priors)) for name in PUBLISHED}
    for place, (prior, optimum) in enumerate(zip(priors, best.tolist(), strict=True)):
        for name, _, channel in published_channels(utility, level, prior):
            value = float((prior[:, None] * utility * to_float(channel.matrix)).sum())
            lost[name][place] = max(optimum - value, 0.0)
    return lost


def _three(found: PriorMap) -> None:
    if len(found.utility) != 3:
        raise InvalidInputError("map", f"{len(found.utility)} labels", "three labels: their priors are a triangle")


def _around(corners: Array) -> Array:
    """The corners of a convex region in the order in which they follow each other."""
    away = corners - corners.mean(axis=0)
    return corners[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]


def _frame(axes: Any, title: str) -> None:
    axes.plot(*np.vstack([_CORNERS, _CORNERS[:1]]).T, color=QUIET, linewidth=0.8)
    axes.plot(*_CORNERS.mean(axis=0), marker="+", color=FAINT)
    sides = (("right", "top"), ("left", "top"), ("center", "bottom"))
    for k, (corner, (across, up)) in enumerate(zip(_CORNERS, sides, strict=True)):
        axes.text(*corner, f" p{k + 1} = 1 ", ha=across, va=up, fontsize=8)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_title(plain(title, title=True))
