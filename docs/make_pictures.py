"""Draws the pictures of these pages: `python docs/make_pictures.py`."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import lpmech
from lpmech.cli import main
from lpmech.utilities import hit

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"

_RATIO, _PRIOR = 3, (Fraction(3, 5), Fraction(2, 5))
_INSIDE, _MARK, _LEVEL = "#5b8db8", "#d55e00", "#999999"


def program_and_dual() -> Figure:
    """Two labels: the private channels with the best one, and the pairs of row duals with the best pair."""
    level = lpmech.PrivacyLevel.from_ratio(_RATIO)
    solution = lpmech.optimal_channel(hit(2), level, list(_PRIOR)).solve("exact")
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    a, b = np.meshgrid(np.linspace(0, 1, 801), np.linspace(0, 1, 801))
    private = np.ones_like(a, dtype=bool)
    for one, other in ((a, 1 - b), (1 - a, b)):  # the entries of a column
        private &= (one <= _RATIO * other) & (other <= _RATIO * one)
    kept = tuple(float(solution.channel.matrix[y][y]) for y in range(2))
    _draw(left, a, b, private, float(_PRIOR[0]) * a + float(_PRIOR[1]) * b, kept, "private channels", "best channel")
    left.set(xlabel="probability that label a is kept", ylabel="probability that label b is kept")
    x, y = np.meshgrid(np.linspace(0.1, 0.8, 801), np.linspace(0.0, 0.7, 801))
    proves = np.ones_like(x, dtype=bool)
    for first, second in ((float(_PRIOR[0]) - x, -y), (-x, float(_PRIOR[1]) - y)):
        gains = np.maximum(first, 0) + np.maximum(second, 0)
        proves &= first + second + (_RATIO - 1) * gains <= 1e-12
    duals = tuple(float(number) for number in solution.row_duals)
    _draw(right, x, y, proves, x + y, duals, "pairs that prove a bound", "smallest bound")
    right.set(xlabel="number of row a", ylabel="number of row b")
    left.set_title(f"the largest utility is {solution.value}")
    right.set_title(f"the smallest bound is {sum(solution.row_duals)}")
    return figure


def _draw(axes: Axes, x: Any, y: Any, inside: Any, value: Any, best: tuple[float, ...], *names: str) -> None:
    axes.contourf(x, y, inside.astype(float), levels=[0.5, 1.5], colors=[_INSIDE], alpha=0.55)
    lines = axes.contour(x, y, value, levels=8, colors=_LEVEL, linewidths=0.7)
    long = [path.vertices for path in lines.get_paths() if len(path) and np.ptp(path.vertices, axis=0).max() > 0.3]
    axes.clabel(lines, fontsize=7, manual=[vertices.mean(axis=0) for vertices in long])  # none at an edge
    axes.plot([], [], "s", color=_INSIDE, alpha=0.55, markersize=9, label=names[0])
    axes.plot(*best, "o", color=_MARK, markersize=8, label=names[1])
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False)
    axes.set_aspect("equal")


if __name__ == "__main__":
    program_and_dual().savefig(PICTURES / "program-and-dual.png", dpi=110)
    for name, line in {
        "regimes": ["regimes", str(ROOT / "examples" / "diabetes.csv"), "--utility", "absolute"],
        "all_priors": ["regimes", "--all-priors", "--labels", "3", "--utility", "absolute", "--ratio", "3"],
        "oue_or_rr": ["when", "variance(oue) <= variance(rr)", "--span", "K 2 30", "--span", "t 1 14"],
    }.items():
        overwrite = ["--overwrite"] * (line[0] == "regimes")
        with suppress(SystemExit):
            main([*line, "--output", str(PICTURES / f"{name}.png"), *overwrite])
