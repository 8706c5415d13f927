"""The concentration program: the best channel on a grid for concentration utility, against the published mechanisms."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from flint import arb

from lpmech import PrivacyLevel
from lpmech.claims import Parts
from lpmech.claims.checking import check_sampled_reals
from lpmech.mechanisms import even_grid
from lpmech.papers.zheng2025.balls import ball, masses
from lpmech.papers.zheng2025.paper import PAPER
from lpmech.programs.general import optimal_channel
from lpmech.utilities import concentration
from lpmech.verdicts import Outcome


@cache
def best_mean(size: int, steps: int, t: Fraction) -> Any:
    """Largest mean probability of releasing a point at most `steps` points away, exact."""
    return optimal_channel(concentration(size, steps), PrivacyLevel.from_ratio(t)).solve("exact").value


@PAPER.claim(
    "Concentration program (closed form)",
    r"on k(2r+1) points with uniform prior the largest mean concentration within r steps is e^\epsilon/(e^\epsilon+k-1), that of k-RR on k blocks of 2r+1 points",
    hypotheses="exact optimum with exact duals. In general: points 2 r + 1 apart have disjoint balls, as in 'Takeaway (program)', and the residue classes have k points each",
    family="seven grids with k = 1..4, r = 0, 1, 2, t = 2, 7",
    recorded="certified",
    formula=lambda t, k, r: t / (t + k - 1),
    mutants={"k-RR on the points": lambda t, k, r: (t + 2 * r) / (t + k * (2 * r + 1) - 1)},
)
def closed_form(value: Any) -> Parts:
    grids = ((1, 1), (2, 0), (3, 0), (2, 1), (3, 1), (2, 2), (4, 1))
    for (k, r), t in product(grids, (Fraction(2), Fraction(7))):
        best, claimed = best_mean(k * (2 * r + 1), r, t), value(t, k, r)
        yield best == claimed or f"k = {k}, r = {r}, t = {t}: optimum {best}, claimed {claimed}"


def mean_concentrations(size: int, steps: int, t: int) -> dict[str, Any]:
    """Mean over x = 0, 1/(size - 1), ..., 1 of Pr[|M(x) - x| <= steps/(size - 1)] as balls."""
    points = even_grid(size)
    ends = [(points[max(k - steps, 0)], points[min(k + steps, size - 1)], x) for k, x in enumerate(points)]
    found = [masses(arb(t).log(), *place, size) for place in ends]
    return {name: sum((at[name] for at in found), arb(0)) / size for name in ("PM", "SW", "k-RR", "Exponential")}


@PAPER.claim(
    "Concentration program (published mechanisms)",
    r"PM, SW, k-RR and the exponential mechanism all stay below the optimum; PM by 5.7% to 38% of it",
    hypotheses="K = 4, 5, 7, 9, 11 points from 0 to 1, r = 1, 2 steps (2 r + 1 < K), t = 4, 9, 49, mean over the points, optimum exact. Outputs between the points do not help: no interval of length 2 theta "
    "holds more than 2 r + 1 points",
    recorded="certified",
    formula=("PM", "0.057", "0.38"),
    mutants={"SW": ("SW", "0.057", "0.38"), "k-RR": ("k-RR", "0.057", "0.38")},
    note="The best of the four changes: k-RR on 4 points, SW on 11 points with r = 1 and t = 9, PM on 11 points with r = 2.",
)
def published(case: Any) -> Outcome:
    name, least, most = case
    facts: dict[str, tuple[Any, Any]] = {}
    losses = []
    for size, r, t in product((4, 5, 7, 9, 11), (1, 2), (4, 9, 49)):
        if 2 * r + 1 >= size:
            continue
        best, values = ball(best_mean(size, r, Fraction(t))), mean_concentrations(size, r, t)
        where = f"K = {size}, r = {r}, t = {t}"
        facts |= {f"{other} below the optimum, {where}": (v, best) for other, v in values.items()}
        losses.append(1 - values[name] / best)
        facts[f"{name} loses at least {least}, {where}"] = (ball(least), losses[-1])
        facts[f"{name} loses at most {most}, {where}"] = (losses[-1], ball(most))
    facts["0.001 more is not lost everywhere"] = (min(losses), ball(least) + ball("0.001"))
    facts["0.01 less is passed somewhere"] = (ball(most) - ball("0.01"), max(losses))
    return check_sampled_reals(facts, "24 settings, exact linear programs and ball arithmetic")
