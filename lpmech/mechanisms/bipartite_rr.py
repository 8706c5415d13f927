"""Bipartite randomized response (BRR, BRR*): zhang2025 eq. (6), Alg. 1, Alg. 2, Alg. 3.

Every row gives the m most useful outputs the probability t / (m t + N - m) and the others 1 / (m t + N - m).
BRR takes the smallest of the rows' own best m, BRR* the common m that is best on average.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, is_exact, to_float, unify, whole_number
from lpmech.errors import UtilityError
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


def greedy_m(similarities: Array, t: Any) -> int:
    """m of Alg. 1 for similarities sorted in falling order: raise s_2, s_3, ... while the derivative is positive.

    The numerator for i is lambda_i ((i - 1) t + N - i + 1) - (t P_(i-1) + P_N - P_(i-1)) with prefix sums P,
    because s_j = t for j < i and the i-th term vanishes; so all N of them cost one cumulative sum.
    """
    n = len(similarities)
    if not is_exact(similarities):  # a power of two changes no sign; e^700 times a large similarity would overflow
        similarities = np.ldexp(similarities, -np.frexp(np.abs(similarities).max())[1])
    before = np.cumsum(similarities) - similarities
    taken = np.arange(n)
    numerators = similarities * (taken * t + (n - taken)) - (t * before + similarities.sum() - before)
    stops = np.flatnonzero(~(numerators[1:] > 0))
    return int(stops[0]) + 1 if stops.size else n


def local_m(utilities: object, epsilon: PrivacyLevel | float) -> int:
    """Alg. 1: how many outputs get the high probability when only this row counts.

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
    row, t = _with_level(as_array(utilities, "utilities", 1, UtilityError), epsilon)
    return greedy_m(np.sort(row)[::-1], t)


def local_response(utilities: object, epsilon: PrivacyLevel | float) -> tuple[Array, int]:
    """Alg. 1: the best distribution (w_1, ..., w_N) for one row, in the order given, and its m.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If an argument is not usable.
    """
    row, t = _with_level(as_array(utilities, "utilities", 1, UtilityError), epsilon)
    m, n = greedy_m(np.sort(row)[::-1], t), len(row)
    response = np.full(n, low_probability(t, n, m), dtype=row.dtype)
    response[np.argsort(-row, kind="stable")[:m]] = high_probability(t, n, m)
    return response, m


def common_m(utility: object, epsilon: PrivacyLevel | float) -> int:
    """Alg. 2 line 13: m = min over rows of the rows' own m.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If an argument is not usable.
    """
    matrix, t = _with_level(as_array(utility, "utility", 2, UtilityError), epsilon)
    return min(greedy_m(row, t) for row in np.sort(matrix, axis=1)[:, ::-1])


def common_m_star(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> int:
    """Alg. 3: the m of one greedy pass over the prior-weighted sums of the sorted rows.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        pi; uniform if omitted, as in the paper's (15). The weights belong inside the sum over k.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    matrix, t = _with_level(as_array(utility, "utility", 2, UtilityError), epsilon)
    ordered, weights = unify(np.sort(matrix, axis=1)[:, ::-1], as_prior(prior, len(matrix)))
    return greedy_m(weights @ ordered, t if is_exact(ordered) else float(t))


def bipartite_channel(utility: object, m: int, epsilon: PrivacyLevel | float) -> Channel:
    """Eq. (6) with Y_m the m outputs of largest utility in each row; ties: the true item, then the smaller index.

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
    rows = []
    for k, row in enumerate(matrix.tolist()):
        favoured = set(sorted(range(n), key=lambda j, k=k, row=row: (-row[j], j != k, j))[:m])  # type: ignore[misc]
        rows.append([high if j in favoured else low for j in range(n)])
    return Channel(rows)


def bipartite_rr(utility: object, epsilon: PrivacyLevel | float) -> Channel:
    """BRR: eq. (6) with the m of Alg. 2, the smallest of the rows' own m.

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
    (`bipartite_rr_star`) nor the best channel (`lpmech.programs.optimal_channel`).
    """
    return bipartite_channel(utility, common_m(utility, epsilon), epsilon)


def bipartite_rr_star(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Channel:
    """BRR*: eq. (6) with the m of Alg. 3, the common m that is best on average over the prior.

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


def _with_level(values: Array, epsilon: PrivacyLevel | float) -> tuple[Array, Any]:
    level = as_privacy_level(epsilon)
    if level.is_exact and is_exact(values):
        return values, level.ratio
    return to_float(values), float(level.ratio)
