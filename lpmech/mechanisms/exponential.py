"""The exponential mechanism: zhang2025 eq. (3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, to_float
from lpmech.errors import UtilityError
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["sensitivity", "exponential"]


def sensitivity(utility: object) -> Number:
    """Delta: the largest change of the score of one output between two inputs, max_j (max_y u - min_y u).

    Raises
    ------
    UtilityError
        If the utility is not a matrix of finite numbers.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    spread: Any = matrix.max(axis=0) - matrix.min(axis=0)
    return spread.max()


def exponential(utility: object, epsilon: PrivacyLevel | float) -> Channel:
    """Release output j with probability proportional to exp(epsilon u[y, j] / (2 Delta)).

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Score of releasing j for the true label y.
    epsilon : float or PrivacyLevel
        Privacy level.

    Returns
    -------
    Channel, K x J
        Float entries, also for an exact level: the exponents are rarely integers. Uniform if the score does
        not depend on the input.

    Raises
    ------
    UtilityError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zhang2025, eq. (3). The tight level is at most epsilon and usually far below it.
    """
    scores = to_float(as_array(utility, "utility", 2, UtilityError))
    delta = float(sensitivity(utility))
    level = as_privacy_level(epsilon)
    exponents = scores * (level.epsilon / (2 * delta)) if delta > 0 else np.zeros(scores.shape)
    return Channel(_softmax(exponents))


def _softmax(exponents: Array) -> Array:
    powers = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
