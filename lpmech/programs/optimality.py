"""Optimality conditions of the general program: the dual in K numbers, and the repairs that close rounding.

With column floors m_j = min_y q[y, j] a private channel has m_j <= q[y, j] <= t m_j. For any pi the Lagrangian
of "rows sum to one" is maximised column by column, so pi is dual feasible iff for every output j

    sum_y (w[y, j] - pi_y) + (t - 1) sum_y max(w[y, j] - pi_y, 0) <= 0,

and then sum(pi) bounds the optimum. A fixed entry q[y, j] = f adds a free multiplier mu: the weight becomes
w[y, j] - mu and the bound gains mu f.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.common_denominators import fractions_of, over_one_denominator
from lpmech.entries import Array, Number, is_exact, to_exact, to_float, total, unify
from lpmech.linear_algebra import flint_number, from_flint, to_flint
from lpmech.programs.rounding import LEAST, ROUNDING

__all__ = [
    "best_fill",
    "dual_bound",
    "dual_excess",
    "feasible_shift",
    "greedy_fill",
    "loss_percent",
    "may_be_broken",
    "shift_of_numerators",
]


def _reduced(weights: Array, fixed_duals: Mapping[tuple[int, int], Number]) -> Array:
    reduced = weights.copy()
    for (y, j), mu in fixed_duals.items():
        reduced[y, j] = reduced[y, j] - mu
    return reduced


def dual_excess(
    weights: Array, ratio: Number, row_duals: Array, fixed_duals: Mapping[tuple[int, int], Number]
) -> Array:
    """Left-hand side of the dual constraint of each output, shape (J,)."""
    weights, row_duals = unify(weights, row_duals)
    slack = _reduced(weights, fixed_duals) - row_duals[:, None]
    t = ratio if is_exact(weights) else float(ratio)
    return slack.sum(axis=0) + (t - 1) * np.maximum(slack, 0).sum(axis=0)


def feasible_shift(
    weights: Array, ratio: Number, row_duals: Array, fixed_duals: Mapping[tuple[int, int], Number]
) -> Number:
    """Smallest s >= 0 such that row_duals + s is dual feasible.

    The constraint of an output is convex, piecewise linear and falling in s. Newton's method from s = 0 takes the root
    of the line at s, the largest of all outputs; it never passes the shift, and stands still there, because the set of
    positive slacks can only shrink. Exact for exact arguments.
    """
    weights, row_duals = unify(weights, row_duals)
    weights = _reduced(weights, fixed_duals)
    unit, t = 1, float(ratio)
    if is_exact(weights):
        t = flint_number(ratio)
        whole = over_one_denominator(weights, row_duals)
        if whole is None:
            weights, row_duals = to_flint(weights), to_flint(row_duals)
        else:
            (weights, row_duals), unit = whole
    shift = _newton_shift(weights - row_duals[:, None], t)
    return Fraction(int(shift.p), int(shift.q)) / unit if is_exact(weights) else float(shift)


def shift_of_numerators(numerators: Array, denominator: int, ratio: Number, row_duals: Array) -> Fraction:
    """`feasible_shift` of weights that are whole numbers, int64, over a denominator; duals are exact."""
    whole = over_one_denominator(row_duals)
    if whole is None:
        return Fraction(feasible_shift(fractions_of(numerators, denominator), ratio, row_duals, {}))
    (duals,), unit = whole
    common = math.lcm(unit, denominator)
    slack = numerators.astype(object) * (common // denominator) - (duals * (common // unit))[:, None]
    shift = _newton_shift(slack, flint_number(ratio))
    return Fraction(int(shift.p), int(shift.q)) / common


def may_be_broken(weights: Array, ratio: Number, row_duals: Array) -> Array:
    """The outputs whose dual constraint may not hold: of all others it does, whatever the rounding; positions.

    Parameters
    ----------
    weights : ndarray of float, shape (K, J)
        Each the nearest float of the weight that is meant.
    ratio, row_duals
        As for `feasible_shift`, which needs no other outputs: they hold without a shift, and more so with one.

    Notes
    -----
    Weights, duals, their differences, ratio and sums of K terms are rounded; with u = 2^-53 and s the sum of
    |w| + |pi| over the rows the left-hand side errs by less than 4 (K + 8) u t s.
    """
    duals, t = to_float(row_duals), float(ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        slack = weights - duals[:, None]
        excess = slack.sum(axis=0) + (t - 1) * np.maximum(slack, 0).sum(axis=0)
        size = abs(weights).sum(axis=0) + abs(duals).sum()
        error = 4 * (len(duals) + 8) * t * (ROUNDING * size + LEAST)
        return np.flatnonzero(~(excess + error <= 0))  # what is no number counts, too


def _newton_shift(slack: Array, t: Any) -> Any:
    """The shift of slacks that are floats, FLINT's rationals or whole numbers; a float, else one of FLINT's."""
    sums = slack.sum(axis=0)
    shift = 0 * t
    while True:
        # whole numbers are above it where they are above the whole number below it, and sooner compared with that
        above = slack > (int(shift.floor()) if isinstance(slack.flat[0], int) else shift)
        gained = np.where(above, slack, 0).sum(axis=0)
        roots = (sums + (t - 1) * gained) / (len(slack) + (t - 1) * above.sum(axis=0).astype(slack.dtype))
        largest = roots.max()
        if not largest > shift:
            return shift
        shift = largest


def dual_bound(
    weights: Array,
    ratio: Number,
    row_duals: Array,
    fixed: Mapping[tuple[int, int], Number],
    fixed_duals: Mapping[tuple[int, int], Number],
) -> Number:
    """Upper bound of the optimum from any duals: pi is shifted up uniformly until feasible."""
    shift = feasible_shift(weights, ratio, row_duals, fixed_duals)
    return total(row_duals) + len(row_duals) * shift + sum(mu * fixed[key] for key, mu in fixed_duals.items())


def greedy_fill(weights: Array, ratio: Number, floors: Array) -> Array:
    """Best matrix with the given column floors: every row a fractional knapsack, shape (K, J).

    Each row starts at the floors and raises entries to ratio * floor in the order of falling weight until it
    sums to one. The floors are scaled first if no such rows exist: sum(floors) must lie in [1/ratio, 1].

    Exact for exact arguments.
    """
    mass = floors.sum()
    if mass > 1:
        floors = floors / mass
    elif ratio * mass < 1:
        floors = floors / (ratio * mass)
    room = (ratio - 1) * floors
    left = 1 - floors.sum()
    released = np.flatnonzero(floors != 0)
    filled = np.tile(floors, (len(weights), 1))
    for entries, row in zip(filled, weights[:, released], strict=True):
        remaining = left
        for j in released[np.argsort(-row, kind="stable")].tolist():
            step = min(room[j], remaining)
            entries[j] += step
            remaining -= step
            if remaining <= 0:
                break
    return filled


def best_fill(weights: Array, ratio: Number, matrix: Array) -> Array:
    """The best greedy fill of the floors that an almost optimal matrix suggests, shape (K, J).

    The floors are read off the column minima and, because these drown in a solver's tolerance when the ratio is large,
    off the column maxima divided by the ratio, where one is one up to a tolerance of 1e-6.
    """
    minima, maxima = matrix.min(axis=0), matrix.max(axis=0)
    if is_exact(weights):
        minima, maxima = to_exact(minima), to_exact(maxima)
    maxima = np.where(maxima * 10**6 > 10**6 - 1, maxima**0, maxima)
    candidates = [floors for floors in (minima, maxima / ratio) if floors.sum() > 0]
    whole = over_one_denominator(weights) if is_exact(weights) else None
    if whole is not None:
        return _best_whole_fill(whole[0][0], Fraction(ratio), candidates)
    if is_exact(weights):
        weights, ratio = to_flint(weights), flint_number(ratio)
        filled = [greedy_fill(weights, ratio, to_flint(floors)) for floors in candidates]
        return from_flint(max(filled, key=lambda rows: (weights * rows).sum()))
    return max((greedy_fill(weights, ratio, floors) for floors in candidates), key=lambda rows: (weights * rows).sum())


def _best_whole_fill(weights: Array, ratio: Fraction, candidates: Sequence[Array]) -> Array:
    """The best greedy fill for weights that are whole numbers, shape (K, J), in whole numbers over one denominator."""
    used = np.flatnonzero(sum((floors != 0 for floors in candidates), np.zeros(weights.shape[1], dtype=bool)))
    worth = weights[:, used]
    orders = np.argsort(-worth, axis=1, kind="stable").tolist()
    filled = [_whole_fill(orders, ratio, floors[used].tolist()) for floors in candidates]
    numerators, denominator = max(filled, key=lambda fill: Fraction(int((worth * fill[0]).sum()), fill[1]))
    every = np.zeros(weights.shape, dtype=object)
    every[:, used] = numerators
    return fractions_of(every, denominator)


def _whole_fill(orders: list[list[int]], ratio: Fraction, floors: list[Fraction]) -> tuple[Array, int]:
    """`greedy_fill` for rows that raise their entries in these orders: (numerators, denominator)."""
    over, under = ratio.as_integer_ratio()
    one = math.lcm(*(v.denominator for v in floors))
    heights = [v.numerator * (one // v.denominator) for v in floors]
    mass = sum(heights)
    if mass > one:
        one = mass
    elif over * mass < under * one:
        heights, one = [under * v for v in heights], over * mass
        mass = under * mass
    low, room = [under * v for v in heights], [(over - under) * v for v in heights]
    filled = np.empty((len(orders), len(low)), dtype=object)
    for entries, order in zip(filled, orders, strict=True):
        row, left = low.copy(), under * (one - mass)
        for j in order:
            step = min(room[j], left)
            row[j] += step
            left -= step
            if not left:
                break
        entries[:] = row
    return filled, under * one


def loss_percent(value: Number, optimum: Number) -> float:
    """100 (optimum - value) / |optimum|; 0 where both agree to 1e-12, inf where only the optimum vanishes."""
    if math.isclose(value, optimum, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return 100 * float(optimum - value) / abs(float(optimum)) if optimum != 0 else math.inf
