"""Rigorous bounds of the optimum from floats: what rounding may have hidden is added, never assumed away.

Both bounds take a channel or duals as floats, whoever computed them, and account for every operation between
these and the number returned. u = 2^-53 is the rounding of one operation; a sum of n terms in any order errs by
at most gamma_n = n u / (1 - n u) times the sum of their absolute values (Higham, Accuracy and Stability of
Numerical Algorithms, section 3.1); `math.fsum` rounds once. The level enters as an interval of t - 1.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from lpmech.common_denominators import floats_of
from lpmech.entries import Array, Number, is_exact, to_float
from lpmech.privacy import PrivacyLevel
from lpmech.programs.row_blocks import RowBlocks

__all__ = ["LEAST", "ROUNDING", "bound_from_above", "in_floats", "short_in_floats", "slack_sums", "value_from_below"]

#: u, half the distance from 1 to the next float.
ROUNDING = 2.0**-53

_STEPS = 80

#: The least positive float.
LEAST = 5e-324


def in_floats(weights: Array) -> tuple[Array, float]:
    """The weights as floats, and by how much that can change the objective of any channel."""
    if not is_exact(weights):
        return weights, 0.0
    floats = to_float(weights)
    pairs = zip(floats.ravel().tolist(), weights.ravel().tolist(), strict=True)
    if all(number == value for number, value in pairs):  # compared exactly; mostly one of the first says no
        return floats, 0.0
    return floats, _error_of(floats)


def short_in_floats(numerators: Array, denominator: int) -> tuple[Array, float]:
    """`in_floats` of whole numbers over one denominator, all at most 2^62."""
    floats = floats_of(numerators, denominator)
    odd = denominator // (denominator & -denominator)
    return floats, _error_of(floats) if (numerators % odd).any() else 0.0


def _error_of(floats: Array) -> float:
    # each row for itself: the sum of the largest could overflow; a number below the least normal one errs absolutely
    errors = np.maximum(2 * ROUNDING * abs(floats).max(axis=1), LEAST)
    return float(errors.sum())


def value_from_below(weights: Array, level: PrivacyLevel, matrix: Array) -> float:
    """A number that some channel, private at the level, attains: at most the optimum.

    Parameters
    ----------
    weights, matrix : ndarray of float, shape (K, J)
        Objective, and a matrix that is a private channel up to rounding; entries not negative.
    level : PrivacyLevel
        Privacy level.

    Returns
    -------
    float
        Minus infinity if no channel of that level is near, because an output occurs in some rows only.

    Notes
    -----
    Let E be the largest error of a row sum and tau t the tight ratio of the matrix, m its column minima and s
    their sum. The rows divided by their sums have column ratios of at most tau t (1 + E) / (1 - E). Mixed with the
    constant channel m / s in the proportion 1 - lambda to lambda they are private as soon as
    lambda >= s eta t / (t - 1), eta = tau / (1 - E) - 1 / (1 + E). The value of that mixture is returned, with weights
    taken relative to the largest one of each row, so that no sum cancels.
    """
    occurs = matrix.max(axis=0) > 0
    if not occurs.all():  # what is never released adds nothing, whatever its weights
        weights, matrix = weights[:, occurs], matrix[:, occurs]
    rows, columns = weights.shape
    excess = level.excess_bounds[0]
    top = weights.max(axis=1)
    below = weights - top[:, None]
    attained = math.fsum(np.einsum("yj,yj->y", below, matrix).tolist())
    sums = matrix.sum(axis=1, dtype=np.longdouble)
    wide = float(np.finfo(np.longdouble).eps)  # of the widest floats of the machine, at worst the usual ones
    error = float(abs(sums - 1).max()) * (1 + 4 * ROUNDING) + 2 * columns * wide
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    if not error < 0.5 or np.any((low == 0) & (high > 0)):
        return -math.inf
    used = low > 0
    stretch = float(((high[used] / low[used] - 1 - excess) / (1 + excess)).max())
    eta = max(stretch, 0.0) + 3 * error + 16 * ROUNDING
    mass = math.fsum(low.tolist())
    share = min(1.0, mass * eta * (1 + excess) / excess * (1 + 16 * ROUNDING))
    constant = float(below.sum(axis=0) @ low) / mass
    mixed = (1 - share) * attained / (1 - error) + share * constant
    return _down(top, mixed * (1 + _gamma(rows + columns + 32)))


def bound_from_above(
    weights: Array,
    level: PrivacyLevel,
    row_duals: Array,
    fixed: Mapping[tuple[int, int], Number] = MappingProxyType({}),
    fixed_duals: Mapping[tuple[int, int], Number] = MappingProxyType({}),
) -> float:
    """A number that no channel, private at the level, exceeds: sum(pi) + sum(mu f), pi shifted until feasible.

    Parameters
    ----------
    weights : ndarray of float, shape (K, J)
        Objective.
    level : PrivacyLevel
        Privacy level.
    row_duals : ndarray of float, shape (K,)
        Any numbers; the nearer to dual optimal the better the bound.
    fixed, fixed_duals : mapping (int, int) -> number
        The fixed entries f that the channels have, and any numbers mu for them.

    Notes
    -----
    The constraint of an output, divided by t, is p sum(r) + (1 - p) sum(max(r, 0)) <= 0 with r = w - pi and p = 1 / t:
    convex, piecewise linear and falling in the shift. Newton's method finds the shift; it stops only when the
    computed left-hand sides plus their rounding errors are at most zero for every output. A fixed entry lowers its
    weight by mu and adds mu f; both are rounded up.
    """
    rows, blocks = len(weights), RowBlocks(weights.shape)
    weights, added = _priced(weights, fixed, fixed_duals)
    excess = level.excess_bounds[1]
    p, rest = 1 / (1 + excess), excess / (1 + excess)
    duals = row_duals.astype(float)
    for step in range(_STEPS):
        sums, taken, positive = slack_sums(weights, duals, blocks)
        left = p * sums + rest * positive
        left += _gamma(rows + 16) * (p * (2 * positive - sums) + rest * positive)
        worst = float((left / (p * rows + rest * taken)).max())
        if worst <= 0 and step > 0:
            break
        duals = duals + worst if step == 0 else np.nextafter(duals + worst * (1 + ROUNDING * 4.0**step), math.inf)
    else:
        return math.inf
    return -_down(-np.concatenate([duals, added]), 0.0)


def slack_sums(weights: Array, duals: Array, blocks: RowBlocks) -> tuple[Array, Array, Array]:
    """Of w - pi, for each output: the sum, how many are positive, and the sum of these; added in blocks of rows."""

    total, positive = np.zeros(weights.shape[1]), np.zeros(weights.shape[1])
    taken = np.zeros(weights.shape[1], dtype=np.intp)

    def add(at: slice) -> None:
        slack = weights[at] - duals[at, None]
        np.add(total, slack.sum(axis=0), out=total)
        np.add(taken, (slack > 0).sum(axis=0), out=taken)
        np.add(positive, np.maximum(slack, 0.0, out=slack).sum(axis=0), out=positive)

    blocks.each(add)
    return total, taken, positive


def _priced(
    weights: Array, fixed: Mapping[tuple[int, int], Number], fixed_duals: Mapping[tuple[int, int], Number]
) -> tuple[Array, Array]:
    """The weights less mu, and the products mu f, both rounded up."""
    if not fixed_duals:
        return weights, np.empty(0)
    weights = weights.copy()
    for key, mu in fixed_duals.items():
        weights[key] = _up(Fraction(weights[key]) - Fraction(mu))
    return weights, np.array([_up(Fraction(mu) * Fraction(fixed[key])) for key, mu in fixed_duals.items()])


def _up(exact: Fraction) -> float:
    """The least float that is not smaller."""
    try:
        nearest = float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -sys.float_info.max
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def _gamma(terms: int) -> float:
    return terms * ROUNDING / (1 - terms * ROUNDING)


def _down(parts: Array, more: float) -> float:
    """sum(parts) + more, rounded down."""
    total = math.fsum(parts.tolist())
    return total + more - 8 * ROUNDING * (abs(total) + abs(more))
