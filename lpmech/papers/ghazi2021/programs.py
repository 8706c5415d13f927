"""LP1 and LP2 as cvxpy writes them, and what is derived from the equations of section 3."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts
from lpmech.mechanisms.rr_with_prior import hit_rates
from lpmech.mechanisms.rr_with_prior.derivation import best_k_from_thresholds, gain_of_one_more, threshold_ratio
from lpmech.mechanisms.rr_with_prior.program import lp1_in_cvxpy, lp2_in_cvxpy, row_duals
from lpmech.papers.checks import above, as_stated, excess_of_channel, in_floats, optimum
from lpmech.papers.ghazi2021.paper import (
    IN_PAPER,
    MANY,
    MASS,
    NEXT,
    PAPER,
    WITH_NEXT,
    K,
    T,
    smallest_maximiser,
    written,
)
from lpmech.prove.from_sympy import term_of

_PRIORS = tuple(tuple(map(Fraction, p.split())) for p in ("1/2 1/3 1/6", "0 1/4 3/4", "1", "2/5 1/5 1/5 1/5"))
_RATIOS = tuple(map(Fraction, ("11/10", "3", "40")))


@PAPER.claim(
    "Implementation (LP1 and LP2 in cvxpy)",
    r"`lp1_in_cvxpy` is $\max\sum_y p_y q_{y\mid y}$ under (2), (3) and $q\ge 0$, `lp2_in_cvxpy` its relaxation under (4), (5); the optimum of both is $W=\max_k w_k$, and `row_duals` has their duals $\max(0,(e^\epsilon p_y-W)/(e^\epsilon-1))$",
    hypotheses="objective and labelled constraints at random points with entries of both signs, within $10^{-9}$; HiGHS's optimum within $10^{-7}$",
    recorded="supported",
    formula=(lp1_in_cvxpy, lp2_in_cvxpy, row_duals),
    survivors={"part 3: 0 * values -> 0 in np.maximum(values, 0 * values)": "zero as an integer"},
)
@in_floats("four priors on K <= 4 labels, one with a zero, one with ties; t = 11/10, 3, 40")
def programs_in_cvxpy(problems: Any) -> Parts:
    rng = np.random.default_rng(0)
    for prior, t in product(_PRIORS, _RATIOS):
        level = PrivacyLevel.from_ratio(t)
        p, ratio, best = np.array(prior, dtype=float), float(t), max(hit_rates(prior, level))
        lp1, lp2, duals = (problem(prior, level) for problem in problems)
        q, own = rng.normal(size=(p.size, p.size)), rng.normal(size=p.size)
        yield from as_stated(lp1, {"q": q}, p @ np.diag(q), excess_of_channel(q, ratio, "(2)", "(3)", "not negative"))
        least = {"(4)": above(own + (own.sum() - own) / ratio - 1), "(5)": above(-own)}
        yield from as_stated(lp2, {"q": own}, p @ own, least)
        right = [max(Fraction(0), (t * v - best) / (t - 1)) for v in prior]
        yield Instance(f"{written(prior)}, t = {t}: duals", duals.tolist(), "==", right)
        found = [optimum(lp1), optimum(lp2)]
        yield max(abs(v - best) for v in found) <= 1e-7 or f"{written(prior)}, t = {t}: optima {found}, not {best}"


@PAPER.claim(
    "Ours (w_k and k^* from the equations)",
    r"$w_{k+1}-w_k=\frac{e^\epsilon(p_{k+1}(e^\epsilon+k-1)-P_k)}{(e^\epsilon+k)(e^\epsilon+k-1)}$, zero at $e^\epsilon=P_k/p_{k+1}-k+1$, and $k^*$ is one more than there are such thresholds below $e^\epsilon$",
    hypotheses="by `gain_of_one_more`, `threshold_ratio` and `best_k_from_thresholds`, which solve the equations",
    given=[T > 1, K >= 1, *WITH_NEXT],
    replay="three sorted priors, a zero and ties among them, t between the thresholds and at one, and one of 70 labels: the smallest maximiser of w_k",
    formula=(gain_of_one_more, threshold_ratio, best_k_from_thresholds),
    survivors={"part 2: 0 -> -1 in sp.solve(sp.Eq(gain_of_one_more(), 0), t)[0]": "the equation has one root"},
)
def from_the_equations(derived: Any) -> Parts:
    gain, threshold, chosen = derived
    many = " ".join(map(str, MANY)), "2"
    few = ("1/2 1/3 1/6", "5/4 3/2 4 9/2"), ("3/4 1/4 0", "2 3 7/2"), ("2/5 1/5 1/5 1/5", "2 3")
    for prior, ratios in (*few, many):
        sorted_prior = tuple(map(Fraction, prior.split()))
        for t in map(Fraction, ratios.split()):
            where = f"{written(sorted_prior)}, t = {t}: k* from the equations, smallest maximiser of w_k"
            yield Instance(where, chosen(sorted_prior, t), "==", smallest_maximiser(sorted_prior, t))
    rise = T * (MASS + NEXT) / (T + K) - T * MASS / (T + K - 1)
    yield "gain", (term_of(gain()).at(IN_PAPER), rise)
    yield "gain in one fraction", (rise, T * (NEXT * (T + K - 1) - MASS) / ((T + K) * (T + K - 1)))
    yield "threshold", (term_of(threshold()).at(IN_PAPER), MASS / NEXT - K + 1)
