"""zhao2025: what Figs. 2 to 4 have without a simulation, the accuracy of the Bayes classifier; what a vector keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lpmech.applications.learning.circle import DEVIATIONS, SIZES, bayes_accuracy
from lpmech.mechanisms import symmetric_unary_encoding
from lpmech.plots.canvas import legend_beside, panels_for
from lpmech.plots.looks import LOOKS
from lpmech.plots.redrawn.numbers import Beside
from lpmech.privacy import PrivacyLevel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compare_bayes", "draw_bayes", "draw_kept"]


def draw_bayes() -> Axes:
    """The dashed line of Figs. 2 to 4 in both panels."""
    panels = panels_for(None, len(DEVIATIONS), (1, len(DEVIATIONS)), (10.5, 3.8), sharey=True)
    classes = range(2, max(SIZES) + 1)
    for axes, (name, deviation) in zip(panels, DEVIATIONS.items(), strict=True):
        axes.plot(classes, [bayes_accuracy(n, deviation(n)) for n in classes], "--", color="black")
        axes.set(xlabel="classes $K$", title=name, ylim=(0, 1.03))
        axes.grid(alpha=0.25, linewidth=0.6)
    panels[0].set_ylabel("accuracy of the Bayes classifier")
    return panels[0]


def compare_bayes() -> Sequence[Beside]:
    """The line at the numbers of classes; the paper prints none of them."""
    claims = ("Fig. 2(a) (decreases with K)", "Fig. 2(b) (overlap)")
    return [
        Beside(f"K = {n}, {name}", "", f"{bayes_accuracy(n, deviation(n)):.4f}", claim)
        for (name, deviation), claim in zip(DEVIATIONS.items(), claims, strict=True)
        for n in SIZES
    ]


def draw_kept() -> Axes:
    """Fig. 1 in numbers: how often each bit of a vector says the label, beside a label kept by randomized response."""
    (axes,) = panels_for(None, 1, (1, 1), (9.0, 4.0))
    classes = range(2, max(SIZES) + 1)
    for look, epsilon in zip(LOOKS, (1.0, 2.0, 4.0), strict=False):
        level = PrivacyLevel.from_epsilon(epsilon)
        t, bit = float(level.ratio), float(symmetric_unary_encoding(2, level).p)
        axes.plot(
            classes, [t / (t + n - 1) for n in classes], color=look.colour, label=rf"label, $\varepsilon = {epsilon:g}$"
        )
        axes.axhline(bit, color=look.colour, linestyle="--", label=rf"bit of the vector, $\varepsilon = {epsilon:g}$")
    axes.set(xlabel="classes $K$", ylabel="Pr[unchanged]", ylim=(0, 1.02))
    legend_beside(axes)
    return axes
