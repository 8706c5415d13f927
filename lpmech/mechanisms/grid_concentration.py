"""How much a mechanism on a grid concentrates around the true point, in closed form, and the most that any can."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lpmech.entries import Number, as_array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["k_rr_concentration", "exponential_concentration", "best_worst_case_concentration", "positive_decimal"]


def k_rr_concentration(inside: int, size: int, epsilon: PrivacyLevel | float) -> Number:
    """(t + inside - 1) / (t + size - 1): k-RR on `size` points, `inside` of them in the ball, the true one included.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If the counts are not whole numbers with 1 <= inside <= size, or the level is not usable.
    """
    points = whole_number(size, "size", 1)
    t = as_privacy_level(epsilon).ratio
    return (t + whole_number(inside, "inside", 1, points) - 1) / (t + points - 1)


def exponential_concentration(index: int, steps: int, size: int, epsilon: PrivacyLevel | float) -> float:
    """Concentration of the exponential mechanism on an even grid, by geometric sums.

    Parameters
    ----------
    index : int
        The true point, 0 <= index < size.
    steps : int
        Radius in steps of the grid, not negative.
    size : int
        Number of points, at least 2.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    size, steps = whole_number(size, "size", 2), whole_number(steps, "steps", 0)
    index = whole_number(index, "index", 0, size - 1)
    rate = as_privacy_level(epsilon).epsilon / (2 * (size - 1))

    def weight(left: int, right: int) -> float:
        """1 + (e^-rate + ... up to left terms) + (the same up to right terms), times e^rate - 1."""
        return float(np.expm1(rate) - np.expm1(-rate * left) - np.expm1(-rate * right))

    inside = weight(min(steps, index), min(steps, size - 1 - index))
    return inside / weight(index, size - 1 - index)


def best_worst_case_concentration(radius: Number, epsilon: PrivacyLevel | float) -> Number:
    """Largest min_x Pr[|M(x) - x| <= r] of an epsilon-LDP mechanism on [0, 1]: t / (t + k - 1), k = ceil(1 / (2 r)).

    Attained by `k_rr_on_bins(k)`. No mechanism has more: k points further than 2 r apart have disjoint balls; if every
    one is hit with probability c, each of the other balls is hit with at least c / t, and c + (k - 1) c / t <= 1.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If the radius is not a positive finite number or the level not usable.

    Notes
    -----
    A radius given as a float is taken as the decimal number it prints.
    """
    exact = positive_decimal(radius, "radius")
    t = as_privacy_level(epsilon).ratio
    bins = -((-1) // (2 * exact))
    return t / (t + bins - 1)


def positive_decimal(number: Number, argument: str) -> Fraction:
    """A positive number, a float as the decimal number it prints."""
    value = as_array([number], argument, 1)[0]
    exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    if exact <= 0:
        raise InvalidInputError(argument, number, "a positive number")
    return exact
