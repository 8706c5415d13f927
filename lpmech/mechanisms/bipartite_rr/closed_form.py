"""Bipartite randomized response (BRR, BRR*): zhang2025 eq. (6), Alg. 1, Alg. 2, Alg. 3.

Every row gives the m most useful outputs the probability t / (m t + N - m) and the others 1 / (m t + N - m).
BRR takes the smallest of the rows' own best m, BRR* the common m that is best on average. At the end: m on the integers
1..N with the loss |i - j| (section IV.D), where the i-th weight is raised while the sums (8), (9), (10) are negative.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.common_denominators import over_one_denominator, short_numerators
from lpmech.entries import Array, as_array, is_exact, to_float, whole_number
from lpmech.errors import UtilityError
from lpmech.linear_algebra import flint_number
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = [
    "high_probability",
    "low_probability",
    "derivative_numerator",
    "greedy_m",
    "local_m",
    "local_response",
    "common_m",
    "common_m_star",
    "bipartite_channel",
    "bipartite_rr",
    "bipartite_rr_star",
    "end_point_sum",
    "middle_sum_even",
    "middle_sum_odd",
    "m_end_point",
    "m_middle",
    "m_integers",
    "m_end_point_printed",
    "m_middle_printed",
]


def high_probability(t: Any, n: Any, m: Any) -> Any:
    """p* = t / (m t + N - m), zhang2025 eq. (6) for y in Y_m; floats, Fractions or sympy expressions."""
    return t / (m * t + n - m)


def low_probability(t: Any, n: Any, m: Any) -> Any:
    """q* = 1 / (m t + N - m), zhang2025 eq. (6) for y outside Y_m."""
    return 1 / (m * t + n - m)


def derivative_numerator(similarities: Any, weights: Any, i: int) -> Any:
    """Numerator of dQ/ds_i: sum_j (lambda_i - lambda_j) s_j, zhang2025 eq. (7); any arithmetic, 0-based i."""
    return sum((similarities[i] - other) * s for other, s in zip(similarities, weights, strict=True))


def greedy_m(similarities: Array, t: Any, low: Any = 1) -> int:
    """m of zhang2025 Alg. 1 for falling similarities: raise s_2, s_3, ... while the derivative is positive.

    The numerator for i is lambda_i ((i - 1) t + N - i + 1) - (t P_(i-1) + P_N - P_(i-1)) with prefix sums P,
    because s_j = t for j < i and the i-th term vanishes; so all N of them cost one cumulative sum. Weights `low` and t
    in place of 1 and t have the m of t / low: with whole numbers everything is exact and quick.
    """
    n = len(similarities)
    if similarities.dtype.kind == "f":  # a power of two changes no sign; e^700 times a large one would overflow
        similarities = np.ldexp(similarities, -np.frexp(np.abs(similarities).max())[1])
    before = np.cumsum(similarities) - similarities
    taken = np.arange(n).astype(similarities.dtype)
    sums = t * before + low * similarities.sum() - low * before
    numerators = similarities * (taken * t + (n - taken) * low) - sums
    stops = np.flatnonzero(~(numerators[1:] > 0))
    return int(stops[0]) + 1 if stops.size else n


def local_m(utilities: object, epsilon: PrivacyLevel | float) -> int:
    """zhang2025 Alg. 1: how many outputs get the high probability when only this row counts.

    Parameters
    ----------
    utilities : array_like, shape (N,)
        Similarity of every output to the true item, in any order; only differences matter.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If an argument is not usable.
    """
    (row,), *weights = _scaled(as_privacy_level(epsilon), as_array(utilities, "utilities", 1, UtilityError))
    return greedy_m(np.sort(row)[::-1], *weights)


def local_response(utilities: object, epsilon: PrivacyLevel | float) -> tuple[Array, int]:
    """zhang2025 Alg. 1: the best distribution (w_1, ..., w_N) for one row, in the order given, and its m.

    Parameters and errors as for `local_m`.
    """
    level, row = as_privacy_level(epsilon), as_array(utilities, "utilities", 1, UtilityError)
    exact = level.is_exact and is_exact(row)
    m, n, t = local_m(row, level), len(row), level.ratio if exact else float(level.ratio)
    response = np.full(n, low_probability(t, n, m), dtype=object if exact else float)
    response[np.argsort(-row, kind="stable")[:m]] = high_probability(t, n, m)
    return response, m


def common_m(utility: object, epsilon: PrivacyLevel | float) -> int:
    """zhang2025 Alg. 2 line 13: m = min over rows of the rows' own m.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    epsilon : float or PrivacyLevel
        Privacy level, errors as for `local_m`.
    """
    (matrix,), *weights = _scaled(as_privacy_level(epsilon), as_array(utility, "utility", 2, UtilityError))
    return min(greedy_m(row, *weights) for row in np.sort(matrix, axis=1)[:, ::-1])


def common_m_star(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> int:
    """zhang2025 Alg. 3: the m of one greedy pass over the prior-weighted sums of the sorted rows.

    Parameters
    ----------
    utility, epsilon
        As for `common_m`.
    prior : array_like, shape (K,), optional
        pi; uniform if omitted, as in the paper's (15). The weights belong inside the sum over k.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    (matrix, shares), *weights = _scaled(as_privacy_level(epsilon), matrix, as_prior(prior, len(matrix)))
    return greedy_m(shares @ np.sort(matrix, axis=1)[:, ::-1], *weights)


def bipartite_channel(utility: object, m: int, epsilon: PrivacyLevel | float) -> Channel:
    """zhang2025 eq. (6), Y_m the m outputs of largest utility in a row; ties: the true item, then the smaller index.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    m : int
        How many outputs get the high probability, 1..N.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel, K x N
        Exact for an exact level. Its tight level is epsilon unless all rows favour the same outputs.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If utility or level are not usable.
    InvalidInputError
        If m is not in 1..N.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    t = as_privacy_level(epsilon).ratio
    n = matrix.shape[1]
    m = whole_number(m, "m", 1, n)
    high, low = high_probability(t, n, m), low_probability(t, n, m)
    others = np.eye(*matrix.shape) == 0
    short = short_numerators(matrix) if is_exact(matrix) else None
    ranks = np.unique(matrix, return_inverse=True)[1].reshape(matrix.shape) if short is None else short[0]
    order = np.lexsort((others, -ranks))[:, :m]  # it is stable, so that the smaller index comes first
    entries = np.full(matrix.shape, low)
    np.put_along_axis(entries, order, high, axis=1)
    return Channel(entries)


def bipartite_rr(utility: object, epsilon: PrivacyLevel | float) -> Channel:
    """BRR: zhang2025 eq. (6) with the m of Alg. 2, the smallest of the rows' own m.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k; a loss is given as its negative.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel, K x N
        Exact for an exact level; m is chosen exactly if the utility is exact too.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zhang2025, Alg. 2. In no row worse than m = 1 (randomized response); in general neither the best common m
    (`bipartite_rr_star`) nor the best channel (`program.global_program`).
    """
    return bipartite_channel(utility, common_m(utility, epsilon), epsilon)


def bipartite_rr_star(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Channel:
    """BRR*: zhang2025 eq. (6) with the m of Alg. 3, the common m that is best on average over the prior.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k; a loss is given as its negative.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        Distribution of the true item; uniform if omitted.

    Returns
    -------
    Channel, K x N
        Exact for an exact level; m is chosen exactly if utility and prior are exact too.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zhang2025, Alg. 3, with pi inside the sum over k of (15). Best among all channels whose rows rearrange one
    weight vector in [1, t]^N; a single row may do worse than under `bipartite_rr`.
    """
    return bipartite_channel(utility, common_m_star(utility, epsilon, prior), epsilon)


def end_point_sum(t: Any, n: Any, i: Any) -> Any:
    """zhang2025 eq. (8): (t - 1)/2 i^2 + (N - t/2 + 1/2) i - N^2/2 - N/2, the row of 1 or N."""
    return ((t - 1) * i**2 + (2 * n - t + 1) * i - n**2 - n) / 2


def middle_sum_even(t: Any, n: Any, i: Any) -> Any:
    """zhang2025 eq. (9): the row of N/2 for even N and odd i."""
    return ((t - 1) * i**2 + 2 * (n - (t - 1)) * i + (t - 1) - n**2 - 2 * n) / 4


def middle_sum_odd(t: Any, n: Any, i: Any) -> Any:
    """zhang2025 eq. (10): the row of (N + 1)/2 for odd N and odd i."""
    return ((t - 1) * i**2 + 2 * (n - (t - 1)) * i + (t - 1) - 2 * n - n**2 + 1) / 4


def m_end_point(t: Any, n: int) -> int:
    """m of an end point's row: the largest i with `end_point_sum`, zhang2025 eq. (8), below 0, at least 1; O(log N)."""
    t = _quick(t)
    return max(1, _largest(lambda i: end_point_sum(t, n, i) < 0, n))


def m_middle(t: Any, n: int) -> int:
    """m of a middle row: 2 r + 1 for the largest r whose sum, zhang2025 eq. (9) or (10), is negative at i = 2 r + 1.

    Both members of a pair of equal losses are raised or neither, so m is odd.
    """
    t, middle_sum = _quick(t), middle_sum_odd if n % 2 else middle_sum_even
    return 2 * _largest(lambda r: middle_sum(t, n, 2 * r + 1) < 0, (n - 1) // 2) + 1


def m_integers(t: Any, n: int) -> int:
    """m of BRR (zhang2025 Alg. 2, with (8)-(10)) on 1..N: the smaller of `m_end_point` and `m_middle`."""
    return min(m_end_point(t, n), m_middle(t, n))


def m_end_point_printed(t: Any, n: int) -> int:
    """m_1 as printed: the floor of the right root of zhang2025 eq. (8)."""
    t = _quick(t)
    return _largest(lambda i: end_point_sum(t, n, i) <= 0, n)


def m_middle_printed(t: Any, n: int) -> int:
    """m_2 as printed: i = the floor of the right root of zhang2025 eq. (9) or (10), and i + 1 if i is even."""
    t, middle_sum = _quick(t), middle_sum_odd if n % 2 else middle_sum_even
    i = _largest(lambda i: i == 0 or middle_sum(t, n, i) <= 0, n)
    return i if i % 2 else i + 1


def _scaled(level: PrivacyLevel, *values: Array) -> tuple[Any, Any, Any]:
    """(arrays, t, low) for `greedy_m`: whole numbers, each array and t / low scaled, if all is exact, else floats."""
    if not (level.is_exact and all(map(is_exact, values))):
        return tuple(map(to_float, values)), float(level.ratio), 1
    found = map(over_one_denominator, values)
    whole = tuple(array if one is None else one[0][0] for array, one in zip(values, found, strict=True))
    return whole, *level.ratio.as_integer_ratio()


def _quick(t: Any) -> Any:
    return flint_number(t) if isinstance(t, (int, Fraction)) else t


def _largest(holds: Callable[[int], bool], last: int) -> int:
    """Largest i in 0..last with holds(i), for a condition that holds on an initial segment."""
    low, high = 0, last + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
