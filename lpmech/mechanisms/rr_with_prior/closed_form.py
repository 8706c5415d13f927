"""RRTop-k and RRWithPrior: ghazi2021 Alg. 1 and Alg. 2, liu2026 Def. 2.4."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, is_exact, to_float, whole_number
from lpmech.priors import as_prior, top_labels
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.hit_rate import threshold

__all__ = ["hit_rate", "hit_rates", "best_k", "threshold", "thresholds", "rr_top_k", "rr_with_prior"]


def hit_rate(t: Any, k: Any, mass: Any) -> Any:
    """w_k = t / (t + k - 1) * P_k, the hit rate of RRTop-k; floats, Fractions or sympy expressions.

    Parameters
    ----------
    t : number
        e^epsilon.
    k : int
        How many labels are kept.
    mass : number
        P_k, the prior mass of the kept labels.

    Notes
    -----
    Source: ghazi2021, Alg. 2 line 1(a).
    """
    return t * mass / (t + k - 1)


def hit_rates(prior: object, epsilon: PrivacyLevel | float) -> Array:
    """All w_1, ..., w_K of ghazi2021 Alg. 2 line 1, shape (K,).

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    probabilities, t = _arguments(prior, epsilon)
    masses = np.cumsum(np.sort(probabilities)[::-1])
    return hit_rate(t, np.arange(1, len(masses) + 1), masses)


def best_k(prior: object, epsilon: PrivacyLevel | float) -> int:
    """k* = argmax w_k, the smallest one in a tie (ghazi2021 Alg. 2 line 2 leaves ties open)."""
    return int(np.argmax(hit_rates(prior, epsilon))) + 1


def thresholds(prior: object) -> list[Any]:
    """t_1 <= ... <= t_(n-1) for the n labels of positive prior: k* = k (ghazi2021 Alg. 2) for t_(k-1) < t <= t_k.

    A threshold at most 1 is below every epsilon; the list does not fall. Exact for an exact prior.

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    """
    probabilities = np.sort(as_prior(prior))[::-1]
    masses = np.cumsum(probabilities)
    return [threshold(k, masses[k - 1], probabilities[k]) for k in range(1, len(probabilities)) if probabilities[k] > 0]


def rr_top_k(prior: object, k: int, epsilon: PrivacyLevel | float) -> Channel:
    """Randomized response on the k labels of largest prior; other labels release one of these uniformly.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; ties go to the smaller index.
    k : int
        How many labels to keep, 1..K.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel, K x K
        Columns outside the kept labels are zero. The tight level is epsilon for k >= 2 and 0 for k = 1.

    Raises
    ------
    PriorError, PrivacyLevelError
        If prior or level are not usable.
    InvalidInputError
        If k is not in 1..K.

    Notes
    -----
    Source: ghazi2021, Alg. 1; liu2026, Def. 2.4.
    """
    probabilities, t = _arguments(prior, epsilon)
    size = len(probabilities)
    k = whole_number(k, "k", 1, size)
    kept = top_labels(probabilities, k)
    matrix = np.zeros((size, size), dtype=probabilities.dtype)
    matrix[:, kept] = t**0 / k
    low = 1 / (t + k - 1)
    for y in kept:
        matrix[y, kept] = low
        matrix[y, y] = t * low
    return Channel(matrix)


def rr_with_prior(prior: object, epsilon: PrivacyLevel | float) -> Channel:
    """RRTop-k with k = k*, which maximises the hit rate over all private channels (ghazi2021 Theorem 3).

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; ties go to the smaller index and the smaller k.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel, K x K

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: ghazi2021, Alg. 2.
    """
    return rr_top_k(prior, best_k(prior, epsilon), epsilon)


def _arguments(prior: object, epsilon: PrivacyLevel | float) -> tuple[Array, Any]:
    probabilities, level = as_prior(prior), as_privacy_level(epsilon)
    if level.is_exact and is_exact(probabilities):
        return probabilities, level.ratio
    return to_float(probabilities), float(level.ratio)
