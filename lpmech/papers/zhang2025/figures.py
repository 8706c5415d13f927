"""Sections V and VI: the numbers behind Figs. 4, 5, 11 and 12, recomputed."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.entries import Array, to_float
from lpmech.mechanisms.bipartite_rr import common_m, common_m_star
from lpmech.mechanisms.bipartite_rr_integers import m_integers
from lpmech.mechanisms.exponential import exponential
from lpmech.papers.checking import check_family
from lpmech.papers.claims import Outcome, refuted, supported, unclear
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.utilities import absolute, tanimoto

SIZES = (20, 40, 60, 80, 100)
BUDGETS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
UTILITIES: dict[str, Callable[[int], Array]] = {"Fig. 4": tanimoto, "Fig. 5": absolute}


@cache
def _utility(figure: str, n: int) -> Array:
    return to_float(UTILITIES[figure](n))


@cache
def average(figure: str, n: int, epsilon: float, mechanism: str) -> float:
    """Average utility over the true item, in floats; a loss counts negatively."""
    utility = _utility(figure, n)
    if mechanism == "exponential":
        return float((exponential(utility, epsilon).matrix * utility).sum() / n)
    m = {"GRR": lambda u, e: 1, "BRR": common_m, "BRR*": common_m_star}[mechanism](utility, epsilon)
    sums = np.sort(utility, axis=1)[:, ::-1].sum(axis=0)
    t = math.exp(epsilon)
    return float((t * sums[:m].sum() + sums[m:].sum()) / (m * t + n - m) / n)


def _ordering(figure: str, better: str, worse: str) -> Outcome:
    """Whether `better` is at least `worse` at every point of the grid, up to rounding."""
    checked = 0
    for n in SIZES:
        for epsilon in BUDGETS:
            checked += 1
            high, low = (average(figure, n, epsilon, name) for name in (better, worse))
            if high < low - 1e-12 * abs(low):
                return refuted(
                    "floating point",
                    f"{figure}, N = {n}, epsilon = {epsilon}",
                    f"N = {n}, epsilon = {epsilon}: {better} {high:.6f}, {worse} {low:.6f}",
                )
    return supported(
        "floating point",
        f"{checked} points: N in {SIZES}, epsilon in {BUDGETS}; tolerance 1e-12; other N and epsilon not seen",
    )


def _register_orderings(figure: str, what: str) -> None:

    def check(pair: tuple[str, str]) -> Outcome:
        return _ordering(figure, *pair)

    for worse in ("GRR", "exponential"):
        PAPER.claim(
            f"{figure} (BRR against {worse})",
            rf"{what}: the utility of BRR is at least that of the {worse} mechanism at every N and \epsilon shown",
            hypotheses="N = 20, 40, 60, 80, 100; the budgets of the figure are not given, epsilon from 0.25 to 8; exponential with the sensitivity of (3)",
            recorded="supported",
            formula=("BRR", worse),
            mutants={"the other way round": (worse, "BRR"), "GRR ahead of BRR*": ("GRR", "BRR*")},
        )(check)


_register_orderings("Fig. 4", "Tanimoto similarity")
_register_orderings("Fig. 5", "|i - j| as loss")


def exact_average(utility: Array, m: int, t: Fraction) -> Fraction:
    """Average utility of (6) with common m over sorted rows, exact."""
    n = len(utility)
    sums = np.sort(utility, axis=1)[:, ::-1].sum(axis=0)
    return Fraction((t * sums[:m].sum() + sums[m:].sum()) / (m * t + n - m) / n)


@PAPER.claim(
    "Section V.A (utility increases with epsilon)",
    r"'for the same N, the utility increases with higher privacy budgets across all mechanisms. This trend is inherent'",
    hypotheses="BRR (Alg. 2), |i - j| and Tanimoto on 1..N for N = 3, ..., 12, t from 2 to 10 in steps of 1/4; exact",
    recorded="refuted",
    formula=common_m,
    control=common_m_star,
    mutants={"one less than Alg. 2": lambda u, level: max(1, common_m(u, level) - 1)},
    repaired_by="Section V.A (utility increases with epsilon) [repaired]",
    note="When the minimum over rows drops from m to m - 1, BRR falls back by more than the larger budget gives. On the coarse grid "
    "of a figure the dips are easily missed.",
)
@PAPER.claim(
    "Section V.A (utility increases with epsilon) [repaired]",
    r"the utility of BRR* increases with \epsilon",
    hypotheses="|i - j| and Tanimoto on 1..N for N = 3, ..., 12, t from 2 to 10 in steps of 1/4; exact. For all N and t: BRR* is the maximum over weights in [1, t], a set that grows with t",
    recorded="certified",
    formula=common_m_star,
    mutants={"BRR": common_m},
)
def increases_with_epsilon(choose: Any) -> Outcome:
    steps = [Fraction(8 + i, 4) for i in range(33)]

    def failure(case: tuple[int, str]) -> str | None:
        n, name = case
        utility = {"|i - j|": absolute, "Tanimoto": tanimoto}[name](n)
        values = [(t, exact_average(utility, choose(utility, PrivacyLevel.from_ratio(t)), t)) for t in steps]
        for (t, before), (larger, after) in pairwise(values):
            if after < before:
                return f"{name} on 1..{n}: utility {before} at e^epsilon = {t}, {after} at {larger}"
        return None

    return check_family(
        [(n, name) for n in range(3, 13) for name in ("|i - j|", "Tanimoto")], failure, "N = 3..12, 33 levels"
    )


def nearby(epsilon: int) -> Fraction:
    """A rational near e^epsilon."""
    return Fraction(math.exp(epsilon)).limit_denominator(1000)


@PAPER.claim(
    "Section VI.C (m = 1 at epsilon = 8)",
    r"'when \epsilon=8, the m value of the BRR mechanism degrades to 1, resulting in utility loss identical to that of GRR'",
    hypotheses="|i - j| on 1..N; e^8 replaced by a rational within 1e-6; N is not stated for Fig. 12",
    recorded="unclear",
    formula=m_integers,
    mutants={"m of an end point, one more": lambda t, n: m_integers(t, n) + 1},
    note="True exactly for N <= 111.",
)
def degrades_to_grr(choose: Any) -> Outcome:
    t = nearby(8)

    def reading(n: int) -> Outcome:
        m = choose(t, n)
        return check_family(
            [n], lambda _: None if m == 1 else f"N = {n}, e^epsilon = {t}: m = {m}", f"N = {n}: m = {m}"
        )

    return unclear(
        {
            "N = 100, the largest size of Fig. 5": reading(100),
            "N = 111": reading(111),
            "N = 112": reading(112),
            "N = 1000": reading(1000),
        }
    )


@PAPER.claim(
    "Fig. 11 (slopes)",
    r"the slope of the fit m=kN is greater for BRR* than for BRR, and falls with \epsilon, at \epsilon=1,3,5",
    hypotheses="|i - j|, least squares through the origin over N = 1..150; the range of the figure is not given",
    recorded="supported",
    formula=("BRR*", "BRR"),
    mutants={"the other way round": ("BRR", "BRR*")},
)
def slopes(pair: tuple[str, str]) -> Outcome:
    fitted = {(name, e): _slope(name, e) for name in pair for e in (1.0, 3.0, 5.0)}
    text = ", ".join(f"{name} at {e:g}: {k:.3f}" for (name, e), k in fitted.items())
    larger = all(fitted[pair[0], e] > fitted[pair[1], e] for e in (1.0, 3.0, 5.0))
    falling = all(fitted[name, 1.0] > fitted[name, 3.0] > fitted[name, 5.0] for name in pair)
    if larger and falling:
        return supported("floating point", f"N = 1..150: {text}")
    return refuted("floating point", "slopes in another order", text)


@cache
def _slope(name: str, epsilon: float) -> float:
    choose = common_m_star if name == "BRR*" else common_m
    sizes = np.arange(1, 151)
    ms = np.array([choose(-abs(np.subtract.outer(np.arange(n), np.arange(n))).astype(float), epsilon) for n in sizes])
    return float((sizes * ms).sum() / (sizes * sizes).sum())


def losses_by_item(n: int, m: int, t: Fraction) -> list[Fraction]:
    """Expected |i - j| of (6) for every true item, exact."""
    rows = [sorted(abs(j - k) for j in range(n)) for k in range(n)]
    return [Fraction(t * sum(row[:m]) + sum(row[m:])) / (m * t + n - m) for row in rows]


@cache
def _shares(n: int, epsilon: int) -> tuple[Fraction, Fraction]:
    """Shares of the true items at which BRR* has the lower, and the higher, loss than BRR."""
    t = nearby(epsilon)
    utility = absolute(n)
    level = PrivacyLevel.from_ratio(t)
    star, brr = (losses_by_item(n, choose(utility, level), t) for choose in (common_m_star, common_m))
    lower = sum(a < b for a, b in zip(star, brr, strict=True))
    higher = sum(a > b for a, b in zip(star, brr, strict=True))
    return Fraction(lower, n), Fraction(higher, n)


#: Sizes at which BRR has m = 1 at epsilon = 8 while BRR* has m > 1, as the text says; Fig. 12 does not give its N.
FIG_12 = (97, 100, 104, 111)


def _share_readings(failure: Callable[[Fraction, Fraction], bool]) -> Outcome:
    """One reading for every N in FIG_12, at epsilon = 8; `failure` takes the shares of lower and of higher loss."""

    def reading(n: int) -> Outcome:
        lower, higher = _shares(n, 8)
        text = f"N = {n}, epsilon = 8: BRR* lower at {float(lower):.0%} of the items, higher at {float(higher):.0%}"
        return check_family([n], lambda _: text if failure(lower, higher) else None, text)

    return unclear({f"N = {n}": reading(n) for n in FIG_12})


@PAPER.claim(
    "Section VI.C (most regions)",
    r"at \epsilon=8 BRR* has lower utility loss than BRR 'in most regions'",
    hypotheses="read as: at more than half of the true items; |i - j|; e^8 replaced by a rational within 1e-6; N is not stated",
    recorded="unclear",
    formula=Fraction(1, 2),
    mutants={"at every item": Fraction(1)},
    note="Between N = 97 and N = 111, where the description of Fig. 12 fits, the share runs from less than half to almost all.",
)
def most_regions(share: Fraction) -> Outcome:
    return _share_readings(lambda lower, higher: lower <= share)


@PAPER.claim(
    "Section VI.C (a few points)",
    r"at \epsilon=8 BRR* 'exhibits slightly higher utility loss than the BRR mechanism at a few points'",
    hypotheses="read as: at most a tenth of the true items; |i - j|; e^8 replaced by a rational within 1e-6; N is not stated",
    recorded="unclear",
    formula=Fraction(1, 10),
    mutants={"nowhere": Fraction(0)},
    note="BRR* is better near the middle and worse near both ends of the range.",
)
def a_few_points(share: Fraction) -> Outcome:
    return _share_readings(lambda lower, higher: higher > share)


@PAPER.claim(
    "Section VI.C (GRR worst)",
    r"at \epsilon=3 and 5 GRR has the highest utility loss of the three, on average",
    hypotheses="|i - j|, N in {20, 100}, epsilon = 3; N = 100, epsilon = 5; exact at rationals near e^epsilon",
    recorded="certified",
    formula=lambda grr, others: grr > max(others),
    mutants={"GRR best": lambda grr, others: grr < min(others)},
)
def grr_worst(relation: Any) -> Outcome:
    def failure(case: tuple[int, int]) -> str | None:
        n, epsilon = case
        t, utility = nearby(epsilon), absolute(n)
        level = PrivacyLevel.from_ratio(t)
        losses = [
            sum(losses_by_item(n, m, t)) / n for m in (1, common_m(utility, level), common_m_star(utility, level))
        ]
        return (
            None
            if relation(losses[0], losses[1:])
            else f"N = {n}, epsilon = {epsilon}: GRR {float(losses[0]):.4f}, BRR {float(losses[1]):.4f}, BRR* {float(losses[2]):.4f}"
        )

    return check_family([(20, 3), (100, 3), (100, 5)], failure, "settings of Fig. 12")


PAPER.leave_out(
    "Figs. 6 to 10",
    "decision trees, SGD, location and vector data: the authors' data and settings are not given in full",
)
PAPER.leave_out(
    "Section V.E (percentages)",
    "'8.7 %', '23.4 %', '6.7 %', '14.3 %' on Gowalla and FourSquare: data and partition are not given",
)
PAPER.leave_out(
    "Abstract ('computationally cheap')", "no bound is stated; Alg. 1 costs one sort and one pass, see greedy_m"
)
