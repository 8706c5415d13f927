"""The concentration program: the best channel on a grid for concentration utility, against the published mechanisms."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.mechanisms import PM, SW, even_grid, exponential_on_grid, k_rr
from lpmech.papers.checking import check_family
from lpmech.papers.claims import Outcome, refuted, supported
from lpmech.papers.zheng2025.paper import PAPER
from lpmech.programs.general import optimal_channel
from lpmech.utilities import concentration


@cache
def best_mean(size: int, steps: int, t: Fraction) -> Any:
    """Largest mean probability of releasing a point at most `steps` points away, exact."""
    return optimal_channel(concentration(size, steps), PrivacyLevel.from_ratio(t)).solve("exact").value


def _settings() -> Iterable[tuple[int, int, Fraction]]:
    yield from (
        (k, r, t)
        for k, r in ((1, 1), (2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (4, 1))
        for t in (Fraction(2), Fraction(7))
    )


@PAPER.claim(
    "Concentration program (closed form)",
    r"on k(2r+1) points with uniform prior the largest mean concentration within r steps is e^\epsilon/(e^\epsilon+k-1), that of k-RR on k blocks of 2r+1 points",
    hypotheses="k = 1..4, r = 0, 1, 2, t = 2, 7; exact optimum with exact duals. In general: points 2 r + 1 apart have disjoint balls, as in 'Takeaway (program)', and the residue classes have k points each",
    recorded="certified",
    formula=lambda t, k, r: t / (t + k - 1),
    mutants={"k-RR on the points": lambda t, k, r: (t + 2 * r) / (t + k * (2 * r + 1) - 1), "k + 1 blocks": lambda t, k, r: t / (t + k)},
)  # fmt: skip
def closed_form(value: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        k, r, t = case
        best = best_mean(k * (2 * r + 1), r, t)
        return (
            None if best == value(t, k, r) else f"k = {k}, r = {r}, t = {t}: optimum {best}, claimed {value(t, k, r)}"
        )

    return check_family(_settings(), failure, "seven grids, two levels", "exact linear programs")


MAKERS: dict[str, Any] = {
    "PM": lambda size, level: PM(level),
    "SW": lambda size, level: SW(level),
    "k-RR": lambda size, level: k_rr(even_grid(size), level),
    "Exponential": lambda size, level: exponential_on_grid(even_grid(size), level),
}


@PAPER.claim(
    "Concentration program (published mechanisms)",
    r"PM, SW, k-RR and the exponential mechanism all stay below the optimum; PM by 4% to 38% of it",
    hypotheses="K = 4, 5, 7, 9, 11 points from 0 to 1, r = 1, 2 steps (2 r + 1 < K), t = 4, 9, 49, mean over the points, optimum exact. Outputs between the points do not help: no interval of length 2 theta "
    "holds more than 2 r + 1 points",
    recorded="supported",
    formula=("PM", Fraction(4, 100), Fraction(38, 100)),
    mutants={"PM within 10%": ("PM", Fraction(0), Fraction(10, 100)), "SW within 30%": ("SW", Fraction(4, 100), Fraction(30, 100)), "k-RR within 20%": ("k-RR", Fraction(0), Fraction(20, 100))},
    note="The best of the four changes: k-RR on 4 points, SW on 11 points with r = 1 and t = 9, PM on 11 points with r = 2.",
)  # fmt: skip
def published(case: Any) -> Outcome:
    name, least, most = case
    losses = []
    for size in (4, 5, 7, 9, 11):
        for r in (1, 2):
            if 2 * r + 1 >= size:
                continue
            points = np.arange(size) / (size - 1)
            for t in (4, 9, 49):
                level, best = PrivacyLevel.from_ratio(t), float(best_mean(size, r, Fraction(t)))
                shares = {
                    n: float(make(size, level).concentration(points, r / (size - 1)).mean()) / best
                    for n, make in MAKERS.items()
                }
                loss, where = 1 - shares[name], f"K = {size}, r = {r}, t = {t}"
                if max(shares.values()) > 1 - 1e-9:
                    return refuted("floating point", "the optimum is reached", f"{where}: {shares}")
                if not least <= loss <= most:
                    return refuted(
                        "floating point",
                        "outside the stated range",
                        f"{where}: {name} loses {loss:.4f} of the optimum {best:.4f}",
                    )
                losses.append(loss)
    return supported(
        "exact linear programs, floating point",
        f"{len(losses)} settings, {name} loses {min(losses):.3f} to {max(losses):.3f}; gaps above 1e-9",
    )
