"""The exponential mechanism: zhang2025 eq. (3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, Number, as_array, to_float
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["sensitivity", "exponential", "exponential_from_root"]


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


def exponential_from_root(utility: object, root: Number) -> Channel:
    """`exponential` at epsilon = 2 ln(root), exact for an exact root: weights root^(u[y, j] / Delta).

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Score of releasing j for the true label y: whole multiples of their sensitivity Delta > 0.
    root : number
        e^(epsilon / 2), larger than 1.

    Returns
    -------
    Channel, K x J

    Raises
    ------
    UtilityError
        If a score divided by Delta is no whole number, or Delta is 0.
    InvalidInputError
        If the root is not larger than 1.

    Notes
    -----
    Source: zhang2025, eq. (3).
    """
    base = as_array([root], "root", 1)[0]
    if not base > 1:
        raise InvalidInputError("root", root, "a number larger than 1")
    matrix, delta = as_array(utility, "utility", 2, UtilityError), sensitivity(utility)
    if delta == 0 or any(u % delta for u in matrix.ravel().tolist()):
        raise UtilityError("utility", utility, f"whole multiples of the sensitivity {delta}, which is not 0")
    powers = [[base ** int((u - max(row)) / delta) for u in row] for row in matrix.tolist()]
    return Channel([[p / sum(row) for p in row] for row in powers])


def _softmax(exponents: Array) -> Array:
    powers = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)
