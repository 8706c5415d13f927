"""zhang2025: utilities and losses (Figs. 4, 5), places (Fig. 9), m against N (Fig. 11), losses by item (Fig. 12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from lpmech.applications.places import world_places
from lpmech.channel import Channel
from lpmech.entries import Array, to_float
from lpmech.mechanisms import bipartite_rr, exponential, randomized_response, staircase_rr
from lpmech.mechanisms.bipartite_rr import m_integers
from lpmech.mechanisms.staircase_rr import best_group_sizes, ranked_groups
from lpmech.papers.zhang2025.algorithm_3 import star_m
from lpmech.papers.zhang2025.section_5ab import SIZES, linear_fit
from lpmech.papers.zhang2025.section_6c import losses_by_item, nearby
from lpmech.plots.canvas import EPSILON_AXIS, legend_beside, panels_for
from lpmech.plots.looks import LOOKS, Look
from lpmech.plots.redrawn.numbers import Beside
from lpmech.privacy import PrivacyLevel
from lpmech.utilities import absolute, tanimoto

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "compare_distances", "compare_losses", "compare_slopes", "draw_distances", "draw_euclidean", "draw_losses",
    "draw_slopes", "draw_tanimoto",
]  # fmt: skip

_LOOKS = dict(zip(("BRR", "GRR", "exponential", "BRR*", "L-SRR"), LOOKS, strict=False))
#: The mechanisms of Figs. 4 and 5 for a utility and a level.
_CHANNELS: dict[str, Callable[[Array, PrivacyLevel], Channel]] = {
    "BRR": bipartite_rr,
    "GRR": lambda utility, level: randomized_response(len(utility), level),
    "exponential": exponential,
}
#: Figs. 4 and 5 give no budgets: every quarter up to 8.
_EVERY_QUARTER = tuple(0.25 * k for k in range(1, 33))
#: Fig. 9, and the regions of the time zone data base that stand for its zones.
_ZONE_BUDGETS, _REGIONS = tuple(0.25 * k for k in range(1, 9)), ("Europe", "Pacific", "Atlantic")
#: Figs. 11 and 12; N is given for neither, 100 is the largest size of Figs. 4 and 5.
_SLOPE_BUDGETS, _LARGEST, _LOSS_BUDGETS, _ITEMS = (1, 3, 5), 150, (3, 5, 8), 100


def _line(axes: Axes, name: str, x: Sequence[float], y: Sequence[float]) -> None:
    look: Look = _LOOKS[name]
    axes.plot(x, y, color=look.colour, linestyle=look.dash, label=name)


def _by_size(utility: Callable[[int], Array], sign: int, label: str) -> Axes:
    panels = panels_for(None, len(SIZES), (1, len(SIZES)), (17.0, 3.8), sharey=sign > 0)
    levels = [PrivacyLevel.from_epsilon(e) for e in _EVERY_QUARTER]
    for axes, n in zip(panels, SIZES, strict=True):
        u = to_float(utility(n))
        for name, channel in _CHANNELS.items():
            _line(axes, name, _EVERY_QUARTER, [sign * float(channel(u, e).expected_utility(u)) for e in levels])
        axes.set(xlabel=EPSILON_AXIS, title=f"$N = {n}$")
        axes.grid(alpha=0.25, linewidth=0.6)
    panels[0].set_ylabel(label)
    legend_beside(panels[-1])
    return panels[0]


def draw_tanimoto() -> Axes:
    """Fig. 4: the average Tanimoto similarity of the released number to the true one."""
    return _by_size(tanimoto, 1, "average similarity")


def draw_euclidean() -> Axes:
    """Fig. 5: the average |i - j|."""
    return _by_size(absolute, -1, "average |i - j|")


@cache
def _distances() -> dict[str, list[float]]:
    """Average distance in kilometres at every budget of Fig. 9, the regions weighted by their places."""
    regions = [world_places().regions()[name] for name in _REGIONS]
    found: dict[str, list[float]] = {"L-SRR": [], "GRR": [], "BRR": []}
    for level in map(PrivacyLevel.from_epsilon, _ZONE_BUDGETS):
        sums = dict.fromkeys(found, 0.0)
        for u in (region.utility for region in regions):
            channels = {
                "L-SRR": staircase_rr(ranked_groups(u, best_group_sizes(u, level)), level),
                "GRR": randomized_response(len(u), level),
                "BRR": bipartite_rr(u, level),
            }
            for name, channel in channels.items():
                sums[name] -= float((to_float(channel.matrix) * u).sum())
        for name, total in sums.items():
            found[name].append(total / sum(map(len, regions)))
    return found


def draw_distances() -> Axes:
    """Fig. 9, on the places that the world's time zones are named after, in place of Gowalla and FourSquare."""
    (axes,) = panels_for(None, 1, (1, 1), (8.0, 4.2))
    for name, values in _distances().items():
        _line(axes, name, _ZONE_BUDGETS, values)
    axes.set(xlabel=EPSILON_AXIS, ylabel="average distance (km)", title=f"places of {', '.join(_REGIONS)}")
    axes.grid(alpha=0.25, linewidth=0.6)
    legend_beside(axes)
    return axes


def compare_distances() -> Sequence[Beside]:
    """How much less BRR loses than L-SRR: the percentages of section V.E beside those on the places."""
    ours = _distances()
    less = [100 * (1 - b / a) for a, b in zip(ours["L-SRR"], ours["BRR"], strict=True)]
    mean, claim = f"{np.mean(less):.1f} %", "Section V.E (BRR best)"
    return (
        Beside("BRR below L-SRR on average; printed for Gowalla", "8.7 %", mean, claim),
        Beside("BRR below L-SRR on average; printed for FourSquare", "6.7 %", mean, claim),
        Beside("BRR below L-SRR at epsilon = 2; printed for Gowalla, its most", "23.4 %", f"{less[-1]:.1f} %", claim),
        Beside(
            "BRR below L-SRR at epsilon = 0.25; printed for FourSquare, its most", "14.3 %", f"{less[0]:.1f} %", claim
        ),
    )


def draw_slopes() -> Axes:
    """Fig. 11: m of BRR and BRR* for |i - j| on 1..N against N, and the lines k N fitted to it."""
    panels = panels_for(None, len(_SLOPE_BUDGETS), (1, len(_SLOPE_BUDGETS)), (14.0, 4.0))
    sizes = np.arange(1, _LARGEST + 1)
    for axes, epsilon in zip(panels, _SLOPE_BUDGETS, strict=True):
        for name, choose in (("BRR", m_integers), ("BRR*", star_m)):
            look, slope = _LOOKS[name], float(linear_fit(name, epsilon)[0])
            ms = [choose(nearby(epsilon), int(n)) for n in sizes]
            axes.plot(sizes, ms, ".", color=look.colour, markersize=2.5)
            axes.plot(sizes, slope * sizes, color=look.colour, linestyle=look.dash, label=f"{name}: m = {slope:.4f} N")
        axes.set(xlabel="$N$", title=rf"$\varepsilon = {epsilon}$")
        axes.legend(frameon=False)
    panels[0].set_ylabel("$m$")
    return panels[0]


def compare_slopes() -> Sequence[Beside]:
    """The slopes of Fig. 11: the paper says which of two is larger, and prints none."""
    fits = [(name, e, *linear_fit(name, e)) for e in _SLOPE_BUDGETS for name in ("BRR", "BRR*")]
    return [
        Beside(f"slope of {name} at epsilon = {e} (R^2 = {float(r):.4f})", "", f"{float(k):.4f}", "Fig. 11 (slopes)")
        for name, e, k, r in fits
    ]


def _losses(epsilon: int) -> dict[str, list[float]]:
    t = nearby(epsilon)
    ms = {"GRR": 1, "BRR": m_integers(t, _ITEMS), "BRR*": star_m(t, _ITEMS)}
    return {f"{name}, m = {m}": [float(v) / _ITEMS for v in losses_by_item(_ITEMS, m, t)] for name, m in ms.items()}


def draw_losses() -> Axes:
    """Fig. 12: the expected |i - j| / N of every true item i under GRR, BRR and BRR*."""
    panels = panels_for(None, len(_LOSS_BUDGETS), (1, len(_LOSS_BUDGETS)), (14.0, 4.0))
    for axes, epsilon in zip(panels, _LOSS_BUDGETS, strict=True):
        for name, values in _losses(epsilon).items():
            look = _LOOKS[name.partition(",")[0]]
            above = 3 if name.startswith("GRR") else 2  # dashes over the line of BRR
            axes.plot(range(1, _ITEMS + 1), values, color=look.colour, linestyle=look.dash, label=name, zorder=above)
        axes.set(xlabel="true item $i$", title=rf"$\varepsilon = {epsilon}$", ylim=0)
        axes.legend(frameon=False)
    panels[0].set_ylabel(f"expected $|i - j| / N$, $N = {_ITEMS}$")
    return panels[0]


def compare_losses() -> Sequence[Beside]:
    """What section VI.C says of Fig. 12, at N = 100."""
    (at_8,) = [m_integers(nearby(8), _ITEMS)]
    rows = [Beside("m of BRR at epsilon = 8", "1", str(at_8), "Section VI.C (m = 1 at epsilon = 8)")]
    for epsilon in _LOSS_BUDGETS:
        grr, brr, star = _losses(epsilon).values()
        lower = sum(a < b for a, b in zip(star, brr, strict=True))
        higher = sum(a > b for a, b in zip(star, brr, strict=True))
        claim = "Section VI.C (most regions)" if epsilon > 3 else "Section VI.C (GRR worst)"
        text = f"items of {_ITEMS} at which BRR* loses less, and more, than BRR at epsilon = {epsilon}"
        rows.append(Beside(text, "", f"{lower}, {higher}", claim))
        worst = "GRR" if sum(grr) >= max(sum(brr), sum(star)) else "not GRR"
        if epsilon < 8:
            rows.append(
                Beside(f"largest average loss at epsilon = {epsilon}", "GRR", worst, "Section VI.C (GRR worst)")
            )
    return rows
