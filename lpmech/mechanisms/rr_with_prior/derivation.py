"""RRWithPrior: w_k, k*, its thresholds and LP2's extreme points, derived from `equations` (ghazi2021 section 3)."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from lpmech.mechanisms.rr_with_prior.equations import (
    extreme_equations,
    kept_row,
    objective,
    symbols,
    tight_column,
    truthful,
)

__all__ = [
    "symbols",
    "hit_rate_from_channel",
    "gain_of_one_more",
    "threshold_ratio",
    "best_k_from_thresholds",
    "extreme_point_value",
    "extreme_point",
    "row_dual_from_tight_columns",
]

t, k, P, p = symbols


def hit_rate_from_channel() -> sp.Expr:
    """w_k from RRTop-k itself (ghazi2021 Alg. 2 line 1(a)): `kept_row` solved, put into `objective`."""
    return sp.factor(objective().subs(truthful, sp.solve(kept_row(), truthful)[0]))


def gain_of_one_more() -> sp.Expr:
    """w_(k+1) - w_k of ghazi2021 Alg. 2, factored; p is the prior of the (k+1)-st label."""
    rate = hit_rate_from_channel()
    return sp.factor(rate.subs({k: k + 1, P: P + p}, simultaneous=True) - rate)


def threshold_ratio() -> sp.Expr:
    """The t at which k and k + 1 labels have the same w_k (ghazi2021 Alg. 2 line 2)."""
    return sp.factor(sp.solve(sp.Eq(gain_of_one_more(), 0), t)[0])


def _thresholds(prior: Sequence[sp.Rational]) -> list[sp.Expr]:
    threshold = threshold_ratio()
    return [
        threshold.subs({k: i, P: sum(prior[:i]), p: prior[i]}, simultaneous=True)
        for i in range(1, len(prior))
        if prior[i] > 0
    ]


def best_k_from_thresholds(prior: Sequence[sp.Rational], ratio: sp.Rational) -> int:
    """k* of ghazi2021 Alg. 2 line 2 by the derived thresholds: one more than there are below t (prior falling)."""
    return 1 + sum(bool(threshold < ratio) for threshold in _thresholds(prior))


def extreme_point_value() -> sp.Expr:
    """q_y on Y when ghazi2021 eq. (4) is tight for all y in Y and q vanishes elsewhere; k stands for |Y|.

    Subtracting two tight constraints gives (1 - 1/t)(q_y - q_y') = 0, so all are equal, and (4) is `kept_row`.
    """
    return sp.factor(sp.solve(kept_row(), truthful)[0])


def extreme_point(size: int, chosen: tuple[int, ...], ratio: sp.Expr) -> set[tuple[sp.Expr, ...]]:
    """All q with ghazi2021 eq. (4) tight for the labels in `chosen`, eq. (5) for the others: the system, solved.

    Returns
    -------
    set of tuples
        One point if the system is regular; a point with free symbols where it is not (at t = 1); none if it
        has no solution.
    """
    equations, q = extreme_equations(size, chosen, ratio)
    return {tuple(map(sp.factor, point)) for point in sp.linsolve(equations, q)}


def row_dual_from_tight_columns() -> sp.Expr:
    """The dual of a kept row, for ghazi2021 Theorem 3, from complementary slackness: `tight_column` solved."""
    dual = sp.Symbol("pi")
    return sp.factor(sp.solve(tight_column(dual), dual)[0])
