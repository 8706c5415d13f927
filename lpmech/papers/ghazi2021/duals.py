"""The scalar lemmas by which the closed-form duals prove Theorem 3 for every K, prior and epsilon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lpmech.claims import Parts, Relations
from lpmech.mechanisms.rr_with_prior import hit_rate
from lpmech.papers.ghazi2021.paper import MASS, NEXT, WITH_MASS, K, T
from lpmech.terms import functions as tm

#: W = max w_k (so far) and w_(k+1), the prior of one label, and the denominator t + k - 1 of w_k.
W, FOLLOWING, P_Y, P_Z, SUM = tm.symbols("W w p_y p_z C")

#: No prior exceeds W, as w_1 = p_1.
BELOW_W = (T > 1, P_Y >= 0, W >= P_Y, W > 0, W <= 1)


def is_maximum(combined: Any) -> Parts:
    """That W = max(w_1, ..., w_k) and w_(k+1) are combined to the larger one."""
    most = combined(W, FOLLOWING)
    yield "at least both", tm.And(most >= W, most >= FOLLOWING)
    yield "one of both", tm.Or(tm.Eq(most, W), tm.Eq(most, FOLLOWING))


def duals_sum_to_the_value(dual: Any) -> tuple[Sequence[Any], Relations]:
    """(b): the duals of the k kept labels, of mass P, sum to w_k."""
    together = K * dual(T, MASS / K, W).at({W: hit_rate(T, K, MASS)})
    mean, middle = (dual(T, P_Y, W) + dual(T, P_Z, W)) / 2, dual(T, (P_Y + P_Z) / 2, W)
    return [*WITH_MASS, P_Y >= 0, W >= P_Y, W > 0, W <= 1], {
        "step (b): affine in p_y": (mean, middle),
        "step (b): the duals of the k kept labels sum to W": (together, hit_rate(T, K, MASS)),
    }


def duals_prove(dual: Any) -> Parts:
    """Steps (a), (b), (c) of 'Theorem 3': pi_y = max(0, dual) is feasible for the program over channels, with the sum W.

    w_(k+1) is the mediant of w_k = A/C and t p_(k+1) / 1, so it lies between them: who is kept at the smallest k*.
    """
    joined = (hit_rate(T, K, MASS) * (T + K - 1) + T * NEXT) / (T + K)
    mediant = {
        "step (a): w_(k+1) is a mediant": (hit_rate(T, K + 1, MASS + NEXT), joined),
        "step (a): w_1 = p_1": (hit_rate(T, 1, MASS), MASS),
    }
    yield [*WITH_MASS, NEXT >= 0], mediant
    following = (W * SUM + T * P_Y) / (SUM + 1)
    who_is_kept = {
        "step (a): w_k < w_(k+1) => w_(k+1) < t p": tm.Implies(following > W, following < T * P_Y),
        "step (a): w_(k+1) <= w_k => t p <= w_k": tm.Implies(following <= W, T * P_Y <= W),
        "step (a): k* = 1: t p_1 > w_1": T * W > W,
    }
    yield [T > 1, K >= 1, W > 0, P_Y >= 0, SUM > 0, tm.Eq(SUM, T + K - 1)], who_is_kept
    yield duals_sum_to_the_value(dual)
    value = dual(T, P_Y, W)
    feasible = {
        "step (b): positive on the kept labels": tm.Implies(T * P_Y > W, value > 0),
        "step (b): zero on the others": tm.Implies(T * P_Y <= W, value <= 0),
        "step (c): p >= pi": tm.Max(0, value) <= P_Y,
        "step (c): dual constraint of every output": T * P_Y - (T - 1) * tm.Max(0, value) <= W,
    }
    yield BELOW_W, feasible
