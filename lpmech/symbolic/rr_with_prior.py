"""RRWithPrior: w_k, the thresholds of k* and LP2's extreme points, derived (ghazi2021 section 3)."""

from __future__ import annotations

import sympy as sp

__all__ = [
    "symbols",
    "hit_rate_from_channel",
    "threshold_ratio",
    "epsilon_threshold",
    "extreme_point_value",
    "extreme_point",
    "row_dual_from_tight_columns",
]

symbols = sp.symbols("t k P p", positive=True)


def hit_rate_from_channel() -> sp.Expr:
    """w_k from RRTop-k itself: the kept labels, of mass P, are released truthfully with the value x that makes a row
    of one x and k - 1 entries x / t sum to one."""
    t, k, mass, _ = symbols
    x = sp.Symbol("x")
    truthful = sp.solve(sp.Eq(x + (k - 1) * x / t, 1), x)[0]
    return sp.factor(truthful * mass)


def threshold_ratio() -> sp.Expr:
    """The t at which k and k + 1 labels have the same hit rate; p is the prior of the (k+1)-st label."""
    t, k, mass, p = symbols
    rate = hit_rate_from_channel()
    following = rate.subs({k: k + 1, mass: mass + p}, simultaneous=True)
    return sp.factor(sp.solve(sp.Eq(rate, following), t)[0])


def epsilon_threshold(prior: list[sp.Rational]) -> list[sp.Expr]:
    """The exact epsilons at which k* changes, for a prior in falling order; only thresholds above zero."""
    _, k, mass, p = symbols
    ratios = [
        threshold_ratio().subs({k: i, mass: sum(prior[:i]), p: prior[i]}, simultaneous=True)
        for i in range(1, len(prior))
        if prior[i] > 0
    ]
    return [sp.log(r) for r in ratios if r > 1]


def extreme_point_value() -> sp.Expr:
    """q_y on Y when (4) is tight for all y in Y and q vanishes elsewhere; k stands for |Y|.

    Subtracting two tight constraints gives (1 - 1/t)(q_y - q_y') = 0, so all are equal to one x.
    """
    t, k, _, _ = symbols
    x = sp.Symbol("x")
    return sp.factor(sp.solve(sp.Eq(x + (k - 1) * x / t, 1), x)[0])


def extreme_point(size: int, chosen: tuple[int, ...], ratio: sp.Expr) -> set[tuple[sp.Expr, ...]]:
    """All q with (4) tight for the labels in `chosen` and (5) tight for the others: LP2's linear system, solved.

    Returns
    -------
    set of tuples
        One point if the system is regular; a point with free symbols where it is not (at t = 1); none if it
        has no solution.
    """
    q = sp.symbols(f"q:{size}")
    equations = [
        q[y] + sum(q[j] for j in range(size) if j != y) / ratio - 1 if y in chosen else q[y] for y in range(size)
    ]
    return {tuple(map(sp.factor, point)) for point in sp.linsolve(equations, q)}


def row_dual_from_tight_columns() -> sp.Expr:
    """The dual of a kept row from complementary slackness: its column's constraint is tight, sum(pi) = W.

    For output j the dual constraint of LP1 reads (p_j - sum(pi)) + (t - 1) (p_j - pi_j) <= 0; P stands for W.
    """
    t, _, best, p = symbols
    pi = sp.Symbol("pi")
    return sp.factor(sp.solve(sp.Eq(p - best + (t - 1) * (p - pi), 0), pi)[0])
