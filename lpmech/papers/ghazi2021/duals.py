"""The scalar lemmas by which the closed-form duals prove Theorem 3 for every K, prior and epsilon."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.claims import Parts
from lpmech.claims.checking import check_relations
from lpmech.mechanisms.rr_with_prior import hit_rate
from lpmech.papers.ghazi2021.paper import MASS, NEXT, WITH_MASS, K, T
from lpmech.verdicts import Outcome

__all__ = ["BELOW_W", "P_Y", "SUM", "W", "duals_prove", "duals_sum_to_the_value"]

#: W = max w_k, the prior of one label, and the denominator t + k - 1 of w_k.
W, P_Y, SUM = sp.symbols("W p_y C")

#: No prior exceeds W, as w_1 = p_1.
BELOW_W = (T > 1, P_Y >= 0, W >= P_Y, W > 0)


def duals_sum_to_the_value(dual: Any) -> Outcome:
    """(b): the duals of the k kept labels, of mass P, sum to w_k."""
    together = K * dual(T, MASS / K, W).subs(W, hit_rate(T, K, MASS))
    return check_relations(
        {
            "(b) affine in p_y": (sp.diff(dual(T, P_Y, W), P_Y, 2), 0),
            "(b) sum of k duals = W": (together, hit_rate(T, K, MASS)),
        },
        [*WITH_MASS, P_Y >= 0, W >= P_Y, W > 0],
        "duals of the kept labels sum to W",
    )


def duals_prove(dual: Any) -> Parts:
    """Steps (a), (b), (c) of 'Theorem 3': pi_y = max(0, dual) is feasible for the program over channels, with the sum W.

    w_(k+1) is the mediant of w_k = A/C and t p_(k+1) / 1, so it lies between them: who is kept at the smallest k*.
    """
    joined = (hit_rate(T, K, MASS) * (T + K - 1) + T * NEXT) / (T + K)
    yield check_relations(
        {
            "(a) w_(k+1) is a mediant": (hit_rate(T, K + 1, MASS + NEXT), joined),
            "(a) w_1 = p_1": (hit_rate(T, 1, MASS), MASS),
        },
        [*WITH_MASS, NEXT >= 0],
        "w_(k+1) from w_k",
    )
    following = (W * SUM + T * P_Y) / (SUM + 1)
    yield check_relations(
        {
            "(a) w_k < w_(k+1) => w_(k+1) < t p": sp.Implies(following > W, following < T * P_Y),
            "(a) w_(k+1) <= w_k => t p <= w_k": sp.Implies(following <= W, T * P_Y <= W),
            "(a) k* = 1: t p_1 > w_1": T * W > W,
        },
        [T > 1, K >= 1, W > 0, P_Y >= 0, SUM > 0, sp.Eq(SUM, T + K - 1)],
        "who is kept",
    )
    yield duals_sum_to_the_value(dual)
    value = dual(T, P_Y, W)
    yield check_relations(
        {
            "(b) positive on the kept labels": sp.Implies(T * P_Y > W, value > 0),
            "(b) zero on the others": sp.Implies(T * P_Y <= W, value <= 0),
            "(c) p >= pi": sp.Max(0, value) <= P_Y,
            "(c) dual constraint": T * P_Y - (T - 1) * sp.Max(0, value) <= W,
        },
        BELOW_W,
        "dual constraint of every output, all p, t, W >= p (w_1 = p_1)",
    )
