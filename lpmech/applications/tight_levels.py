"""Mechanisms on [0, 1] brought to the same tight privacy level, so that their utilities can be compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy  # its parts are loaded when they are used

from lpmech.entries import Number
from lpmech.errors import InvalidInputError, PrivacyLevelError
from lpmech.mechanisms import PM, SW, Clipped, Gaussian, Laplace, TruncatedLaplace, exponential_on_grid, k_rr
from lpmech.mechanisms.grid import GridMechanism, IntervalMechanism
from lpmech.privacy import PrivacyLevel

__all__ = ["clipped_gaussian", "same_level_mechanisms", "tight_exponential"]

#: The exponential mechanism has twice this as its parameter.
LARGEST = 350


def tight_exponential(points: Sequence[Number], level: PrivacyLevel) -> GridMechanism:
    """`exponential_on_grid` with the *tight* level epsilon: its parameter is 2 epsilon.

    With Pr[y | x] = e^(-a |x - y|) / Z(x), a = parameter / (2 D) and D the largest distance, the two ends have equal Z
    on a symmetric grid and differ by a D = parameter / 2 at either; that no other pair differs by more is checked.

    Raises
    ------
    InvalidInputError
        If the points are not increasing, or (not even) have another tight level.
    PrivacyLevelError
        If the level is not usable or above 350.
    """
    epsilon = level.epsilon
    if epsilon > LARGEST:
        raise PrivacyLevelError("epsilon", epsilon, f"at most {LARGEST}")
    made = exponential_on_grid(points, 2 * epsilon)
    if not math.isclose(made.epsilon, epsilon, rel_tol=1e-9, abs_tol=1e-14):
        raise InvalidInputError("points", points, "even points: others have another tight level")
    return made


def clipped_gaussian(level: PrivacyLevel) -> Clipped:
    """Gaussian noise, clipped to [0, 1], with the least scale whose tight level is at most epsilon.

    Without clipping no scale has a finite level; the loss is unbounded outside [0, 1] only.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    """

    def excess(log_scale: float) -> float:
        return Clipped(Gaussian(math.exp(log_scale))).epsilon - level.epsilon

    low, high = 0.0, 0.0
    while excess(low) <= 0:
        low -= 1.0
    while excess(high) > 0:
        high += 1.0
    root = float(scipy.optimize.brentq(excess, low, high, xtol=1e-14, rtol=1e-14))
    step = 1e-13
    while excess(root) > 0:
        root, step = root + step, 2 * step
    return Clipped(Gaussian(math.exp(root)))


def same_level_mechanisms(points: Sequence[Number], level: PrivacyLevel) -> dict[str, IntervalMechanism]:
    """The mechanisms of zheng2025, Table 1, on [0, 1], all with the tight level epsilon.

    Parameters
    ----------
    points : sequence of number
        Even points of [0, 1] for the discrete ones.
    level : PrivacyLevel
        Tight level of each.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    return {
        "PM": PM(level),
        "SW": SW(level),
        "Laplace, clipped": Clipped(Laplace(level)),
        "Laplace, truncated": TruncatedLaplace(level),
        "Gaussian, clipped": clipped_gaussian(level),
        "exponential": tight_exponential(points, level),
        "k-RR": k_rr(points, level),
    }
