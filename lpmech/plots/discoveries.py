"""The optimum of a family against epsilon, a curve for each number of labels, as far as a formula was found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.plots.canvas import axes_for, plain
from lpmech.plots.looks import LOOKS, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lpmech.discovery.search import Discovery

__all__ = ["plot_discovery"]

#: Numbers of labels that are drawn, the largest epsilon, and points of a curve.
_LABELS, _LARGEST, _POINTS = (2, 3, 4, 6, 9, 14), 5.0, 60
#: Longer formulas have the name of their mechanism in the legend.
_LONG = 40


def plot_discovery(found: Discovery, ax: Axes | None = None, title: str = "") -> Axes:
    """What was found: each part of the optimum in a look of its own; gaps are where no closed form was found.

    Parameters
    ----------
    found : Discovery
        Of a family whose prior is a formula. Other parameters than K have the first values of its instances.
    ax : Axes, optional
    title : str

    Raises
    ------
    InvalidInputError
        If the family is of every ordered prior, or nothing is found.
    """
    if found.family.prior is None:
        raise InvalidInputError("picture", found.family.about, "a family whose prior is a name or a formula")
    if not found.parts:
        raise InvalidInputError(
            "picture", found.family.about, "a family of which some formula is found (else: regimes)"
        )
    axes = axes_for(ax, 7.0, 4.6)
    instances: dict[int, dict[str, Fraction]] = {}
    for at in found.family.instances(max(_LABELS)):
        instances.setdefault(int(at["K"]), at)
    epsilons = np.linspace(_LARGEST / _POINTS, _LARGEST, _POINTS)
    curves: dict[int, Array] = {}
    for labels in sorted(set(instances) & set(_LABELS)):
        values = np.array([_values(found, instances[labels], epsilon) for epsilon in epsilons]).T
        for n in range(1, _POINTS):  # where one part takes over from another there is no gap
            ends, begins = ~np.isnan(values[:, n - 1]), ~np.isnan(values[:, n])
            if ends.any() and begins.any() and not (ends & begins).any():
                between = _values(found, instances[labels], (epsilons[n - 1] + epsilons[n]) / 2)
                if not np.isnan(between).all():
                    values[begins, n - 1] = values[ends, n - 1].max()
        for look, curve in zip(LOOKS, values, strict=False):
            axes.plot(epsilons, curve, color=look.colour, linestyle=look.dash, linewidth=1.4)
        curves[labels] = np.where(np.isnan(values), -np.inf, values).max(axis=0)
    _named(axes, epsilons, curves)
    for look, part in zip(LOOKS, found.parts, strict=False):
        label = part.optimum if len(part.optimum) < _LONG else part.attained or "a part"
        axes.plot([], [], color=look.colour, linestyle=look.dash, label=plain(label))
    own = [f"{name} = {value}" for name, value in next(iter(instances.values())).items() if name != "K"]
    axes.set_title(plain(title or ", ".join([found.family.about, *own]), title=True), fontsize=8, wrap=True)
    axes.set_xlabel(r"$\varepsilon$")
    axes.set_ylabel("optimal expected utility")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=7, frameon=False)
    return axes


def _values(found: Discovery, at: Mapping[str, Fraction], epsilon: float) -> list[float]:
    """The optimum by each part, where it says something."""
    here = {**at, "t": Fraction(math.exp(epsilon)).limit_denominator(1000)}
    return [float(part.value_at(here)) if part.covers(here) else math.nan for part in found.parts]


def _named(axes: Axes, epsilons: Array, curves: Mapping[int, Array]) -> None:
    """The numbers of labels beside their curves, where these are farthest apart."""
    table = np.array(list(curves.values()))
    known = np.isfinite(table).all(axis=0)
    steps = np.abs(np.diff(np.sort(np.where(known, table, 0.0), axis=0), axis=0))
    gaps = steps.min(axis=0) if len(table) > 1 else np.zeros(len(epsilons))
    place = int(np.argmax(np.where(known, gaps, -1.0)))
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
    for labels, curve in curves.items():
        if np.isfinite(curve[place]):
            axes.annotate(f"K = {labels}", (epsilons[place], curve[place]), fontsize=7, color=QUIET, bbox=behind)
