"""zheng2025: the example of section 3 (Fig. 2) and the concentration of the mechanisms at x = 1/2 (Fig. 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lpmech.applications.robustness import Box, epsilon_for
from lpmech.entries import Array
from lpmech.mechanisms import PM, SW, Laplace, even_grid, exponential_on_grid, k_rr
from lpmech.mechanisms.grid import IntervalMechanism
from lpmech.plots.canvas import EPSILON_AXIS, legend_beside, panels_for
from lpmech.plots.looks import FAINT, LOOKS
from lpmech.plots.redrawn.numbers import Beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compare_concentrations", "compare_example", "draw_concentrations", "draw_example"]

_X, _THETA = 0.5, 0.3
#: Fig. 4: budgets, radii and the number of points of the discrete mechanisms.
_BUDGETS, _RADII, _POINTS = (2.0, 4.0, 6.0), np.linspace(0.1, 0.5, 401), 101
#: (1 - omega) (1 - tau), the constant factor of rho.
_FACTOR = 0.95 * 0.99


def _mass(epsilon: float) -> float:
    return float(Laplace(epsilon).concentration(np.array([_X]), _THETA)[0])


def draw_example() -> Axes:
    """Fig. 2: the density of Laplace noise around 0.5 with the ball of radius 0.3, and p(epsilon, 0.3)."""
    left, right = panels_for(None, 2, (1, 2), (10.5, 4.0))
    y = np.linspace(0, 1, 401)
    density = np.exp(-2 * abs(y - _X))  # epsilon / 2 = 1
    left.plot(y, density, color=LOOKS[1].colour)
    inside = abs(y - _X) <= _THETA
    left.fill_between(y[inside], density[inside], color=LOOKS[1].colour, alpha=0.25)
    left.set(
        xlabel="released value",
        ylabel="density",
        title=rf"(a) $\varepsilon = 2$: {_mass(2):.4f} within 0.3 of 0.5",
        ylim=0,
    )
    budgets = np.linspace(0.01, 10, 200)
    right.plot(budgets, [_mass(float(e)) for e in budgets], color=LOOKS[1].colour, label="ours")
    right.plot([2, 5.2], [0.46, 0.8], "x", color=LOOKS[0].colour, markersize=9, label="as printed")
    right.axhline(0.8, color=FAINT, linewidth=0.8)
    right.set(xlabel=EPSILON_AXIS, ylabel=r"$p(\varepsilon, 0.3)$", title="(b)", ylim=(0, 1.02))
    right.legend(frameon=False)
    return left


def compare_example() -> Sequence[Beside]:
    """The two numbers that section 3.1 reads off Fig. 2."""
    return (
        Beside("p(2, 0.3)", "0.46", f"{_mass(2):.4f}", "Section 3.1 (p(2, 0.3))"),
        Beside("p(5.2, 0.3)", "0.8", f"{_mass(5.2):.4f}", "Section 3.1 (epsilon for 0.8)"),
        Beside("least epsilon with p(epsilon, 0.3) = 0.8", "5.2", f"{-np.log(0.2) / _THETA:.4f}",
               "Section 3.1 (epsilon for 0.8) [repaired]"),
    )  # fmt: skip


def _mechanisms(epsilon: float) -> dict[str, IntervalMechanism]:
    points = even_grid(_POINTS)
    return {
        "PM": PM(epsilon),
        "SW": SW(epsilon),
        "Laplace": Laplace(epsilon),
        "exponential": exponential_on_grid(points, epsilon),
        "k-RR": k_rr(points, epsilon),
    }


def _concentrations(epsilon: float, radii: Array) -> dict[str, Array]:
    at = np.array([_X])
    found = _mechanisms(epsilon).items()
    return {name: np.array([float(m.concentration(at, float(r))[0]) for r in radii]) for name, m in found}


def draw_concentrations() -> Axes:
    """Fig. 4: Pr[within theta of 1/2] of the mechanisms at epsilon = 2, 4, 6, without the constant factor of rho."""
    panels = panels_for(None, len(_BUDGETS), (1, len(_BUDGETS)), (14.0, 4.0), sharey=True)
    for axes, epsilon in zip(panels, _BUDGETS, strict=True):
        for look, (name, values) in zip(LOOKS, _concentrations(epsilon, _RADII).items(), strict=False):
            axes.plot(_RADII, values, color=look.colour, linestyle=look.dash, label=name)
        axes.set(xlabel=r"$\theta$", title=rf"$\varepsilon = {epsilon:g}$", ylim=(0, 1.02))
        axes.grid(alpha=0.25, linewidth=0.6)
    panels[0].set_ylabel(r"Pr[within $\theta$ of $x = 0.5$]")
    legend_beside(panels[-1])
    return panels[0]


def compare_concentrations() -> Sequence[Beside]:
    """What section 4.3 reads off Fig. 4."""

    def best(epsilon: float, theta: float) -> str:
        values = {name: found[0] for name, found in _concentrations(epsilon, np.array([theta])).items()}
        return max(values, key=values.__getitem__)

    # a hair wider than the radius, so that the points of the discrete mechanisms that lie on it are in the ball
    grid = [(e, k / 100 + 1e-9) for e in _BUDGETS for k in range(10, 50)]
    leads = sum(best(e, theta) == "PM" for e, theta in grid)
    box = Box(np.array([_X - _THETA]), np.array([_X + _THETA]))
    bare, with_factor = (epsilon_for(0.8 / f, lambda e: [PM(e)], [_X], box) for f in (1, _FACTOR))
    return (
        Beside("best at epsilon = 2, theta = 0.1", "SW", best(2, 0.1 + 1e-9), "Example 2 (no best mechanism)"),
        Beside("best at epsilon = 2, theta = 0.01", "SW", best(2, 0.01 + 1e-9), "Example 2 (SW below 0.1)"),
        Beside("points of 120 (theta = 0.10, ..., 0.49) at which PM is best", "", str(leads), "Takeaway (PM)"),
        Beside("least epsilon of PM with rho = 0.8 at theta = 0.3", "1.8", f"{with_factor:.4f}", "Application 2"),
        Beside(
            "the same for the concentration alone, without the factor 0.9405", "1.8", f"{bare:.4f}", "Application 2"
        ),
    )
