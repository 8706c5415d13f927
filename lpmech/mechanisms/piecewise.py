"""The piecewise mechanism PM: on [0, 1] (zheng2025 Def. 11) and on its original domain [-1, 1]."""

from __future__ import annotations

import math

from lpmech.entries import Array
from lpmech.mechanisms.continuous import WindowMechanism
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["PM", "OriginalPM", "half_width"]


def half_width(level: PrivacyLevel) -> float:
    """C = (e^(epsilon/2) - 1) / (2 e^epsilon - 2) = 1 / (2 (e^(epsilon/2) + 1))."""
    return 0.5 / (math.exp(level.epsilon / 2) + 1)


class PM(WindowMechanism):
    """PM on [0, 1]: density e^(epsilon/2) within C of x, the window moved inside [0, 1], and e^(-epsilon/2) elsewhere.

    Parameters
    ----------
    epsilon : float or PrivacyLevel
        Privacy level; also the tight level.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.

    Notes
    -----
    Source: zheng2025, Def. 11.
    """

    def __init__(self, epsilon: PrivacyLevel | float) -> None:
        level = as_privacy_level(epsilon)
        super().__init__(level, math.exp(level.epsilon / 2), 2 * half_width(level), (0.0, 1.0), (0.0, 1.0))


class OriginalPM(WindowMechanism):
    """PM as published: [-1, 1] to [-c, c] with c = (s + 1) / (s - 1), s = e^(epsilon/2); its mean is the true value.

    Parameter and errors as for `PM`.

    Source: Wang et al., Collecting and analyzing multidimensional data with local differential privacy (2019), Alg. 2.
    Rescaled to [0, 1] it has the density and the window length of `PM`, but its window starts at (1 - 2C) x.
    """

    def __init__(self, epsilon: PrivacyLevel | float) -> None:
        level = as_privacy_level(epsilon)
        excess = math.expm1(level.epsilon / 2)  # s - 1
        c = (excess + 2) / excess
        high = (excess + 1) * excess / (2 * (excess + 2))
        super().__init__(level, high, 2 / excess, (-c, c), (-1.0, 1.0))
        self._c = c

    def _start(self, x: Array) -> Array:
        return (self._c + 1) / 2 * x - (self._c - 1) / 2
