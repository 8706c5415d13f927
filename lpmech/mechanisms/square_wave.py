"""The square wave mechanism SW: on [0, 1] (zheng2025 Def. 12) and with its original range [-b, 1 + b]."""

from __future__ import annotations

import math

from lpmech.entries import Array
from lpmech.mechanisms.continuous import WindowMechanism
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["SW", "OriginalSW", "half_width"]

#: Below this epsilon the closed forms cancel and their series are used.
_SMALL = 1e-3


def half_width(level: PrivacyLevel) -> float:
    """C = (e^epsilon (epsilon - 1) + 1) / (2 (e^epsilon - 1)^2)."""
    e = level.epsilon
    if e < _SMALL:
        return (0.5 + e / 3 + e * e / 8) / (2 * (1 + e / 2 + e * e / 6) ** 2)
    # divided by e^(2 epsilon), so that nothing overflows
    return (math.exp(-e) * (e - 1) + math.exp(-2 * e)) / (2 * math.expm1(-e) ** 2)


class SW(WindowMechanism):
    """SW on [0, 1]: density (e^epsilon - 1) / epsilon within C of x, the window moved inside [0, 1].

    Parameter and errors as for `lpmech.mechanisms.piecewise.PM`.

    Source: zheng2025, Def. 12.
    """

    def __init__(self, epsilon: PrivacyLevel | float) -> None:
        level = as_privacy_level(epsilon)
        high = math.expm1(level.epsilon) / level.epsilon
        super().__init__(level, high, 2 * half_width(level), (0.0, 1.0), (0.0, 1.0))


class OriginalSW(WindowMechanism):
    """SW as published: [0, 1] to [-b, 1 + b], density e^epsilon / (2 b e^epsilon + 1) within b of x.

    Parameter and errors as for `lpmech.mechanisms.piecewise.PM`.

    Source: Li et al., Estimating numerical distributions under local differential privacy (2020), with the b that they
    choose, b = (epsilon e^epsilon - e^epsilon + 1) / (2 e^epsilon (e^epsilon - 1 - epsilon)).
    """

    def __init__(self, epsilon: PrivacyLevel | float) -> None:
        level = as_privacy_level(epsilon)
        share = 2 * half_width(level)  # 2 b / (1 + 2 b)
        self.b = share / (2 * (1 - share))
        high = 1 / (2 * self.b + 1 / float(level.ratio))
        super().__init__(level, high, 2 * self.b, (-self.b, 1 + self.b), (0.0, 1.0))

    def _start(self, x: Array) -> Array:
        return x - self.b
