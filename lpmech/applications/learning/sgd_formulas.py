"""Estimates, moments and bounds of label-private gradient descent: ghazi2021 (7), (17), Theorem 9, Prop. 11."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lpmech.entries import Array, open_probability, positive_number, whole_number
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = [
    "LIPSCHITZ",
    "debiased",
    "excess_risk_bound",
    "normal_deviation",
    "normal_moment",
    "rr_moment",
    "theorem_9_moment",
    "unbiased_estimate",
]

#: L of the logistic loss on features of norm at most 1: the gradient is (scores - e_k) x^T, ||scores - e_k||^2 <= 2.
LIPSCHITZ = math.sqrt(2)


def unbiased_estimate(t: Any, k: Any, own: Any, total: Any) -> Any:
    """((t + K - 1) own - total) / (t - 1) of ghazi2021 (7), from the released label's value and the sum of all."""
    return ((t + k - 1) * own - total) / (t - 1)


def debiased(values: object, epsilon: PrivacyLevel | float) -> Array:
    """Unbiased estimates from values at all K labels: row y is for the released label y, ghazi2021 (7) and (17).

    Parameters
    ----------
    values : array_like, shape (K, ...)
        Loss or gradient at every label.
    epsilon : float or PrivacyLevel
        Level of the randomized response that released the label.

    Returns
    -------
    ndarray, shape (K, ...)
        (values[y] - p sum(values)) / (1 - K p) with p = 1 / (e^epsilon + K - 1): its mean over the released label is
        the value at the true one.

    Raises
    ------
    InvalidInputError
        If the values are not finite numbers, at least one.
    PrivacyLevelError
        If the level is not usable.
    """
    allowed = "an array of finite numbers with one entry or row for every label"
    try:
        table = np.asarray(values, dtype=float)
    except (ValueError, TypeError) as exc:
        raise InvalidInputError("values", values, allowed) from exc
    if table.ndim == 0 or len(table) == 0 or not np.all(np.isfinite(table)):
        raise InvalidInputError("values", values, allowed)
    t, k = float(as_privacy_level(epsilon).ratio), len(table)
    estimate: Array = unbiased_estimate(t, k, table, table.sum(axis=0))
    return estimate


def rr_moment(classes: int, epsilon: PrivacyLevel | float, lipschitz: float) -> float:
    """G with E||g^||^2 <= G^2 for LP-RR-SGD: L times (2 (e^epsilon + K - 1) / (e^epsilon - 1)).

    At most 4 K L / epsilon for epsilon <= K.
    """
    positive_number(classes, "classes")
    positive_number(lipschitz, "lipschitz")
    t = float(as_privacy_level(epsilon).ratio)
    return lipschitz * 2 * (t + classes - 1) / (t - 1)


def theorem_9_moment(classes: int, epsilon: PrivacyLevel | float, lipschitz: float) -> float:
    """G = 6 K L / epsilon in the step size of ghazi2021 Theorem 9; above `rr_moment` for epsilon <= K."""
    positive_number(classes, "classes")
    positive_number(lipschitz, "lipschitz")
    return 6 * classes * lipschitz / as_privacy_level(epsilon).epsilon


def normal_deviation(epsilon: PrivacyLevel | float, delta: float, lipschitz: float) -> float:
    """sigma = 2 L sqrt(2 ln(1.25 / delta)) / epsilon, enough for (epsilon, delta) when epsilon < 1.

    Raises
    ------
    InvalidInputError
        If epsilon is not below 1 or delta not strictly between 0 and 1.
    """
    level = as_privacy_level(epsilon).epsilon
    if level >= 1:
        raise InvalidInputError("epsilon", level, "a number below 1 for the Gaussian noise of LP-Normal-SGD")
    open_probability(delta, "delta")
    positive_number(lipschitz, "lipschitz")
    return 2 * lipschitz * math.sqrt(2 * math.log(1.25 / delta)) / level


def normal_moment(classes: int, deviation: float, lipschitz: float) -> float:
    """G = sqrt(L^2 + K sigma^2) of LP-Normal-SGD."""
    positive_number(classes, "classes")
    positive_number(deviation, "deviation")
    positive_number(lipschitz, "lipschitz")
    return math.sqrt(lipschitz**2 + classes * deviation**2)


def excess_risk_bound(diameter: float, moment: float, steps: int) -> float:
    """2 D G (2 + ln n) / sqrt(n): Shamir and Zhang's bound after n steps of size D / (G sqrt(t)).

    Raises
    ------
    InvalidInputError
        If D or G is not a positive finite number or n not a whole number >= 1.
    """
    positive_number(diameter, "diameter")
    positive_number(moment, "moment")
    whole_number(steps, "steps", 1)
    return 2 * diameter * moment * (2 + math.log(steps)) / math.sqrt(steps)
