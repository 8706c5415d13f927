"""The privacy indicator, and how private a channel is with a failure probability: zheng2025 Section 5.2."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel, as_channel
from lpmech.entries import Array, Number, is_exact, to_float
from lpmech.errors import ChannelError, LabelError
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.grid import GridMechanism
from lpmech.mechanisms.intervals import as_delta, as_numbers
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["PrivacyIndicator", "indicator_channel", "pac_delta_of", "approximate_delta_of"]


class PrivacyIndicator(ContinuousMechanism):
    """I_delta: with probability delta the true value itself, else the output of a mechanism.

    Parameters
    ----------
    mechanism : ContinuousMechanism
        The mechanism; for a mechanism on a grid use `indicator_channel`.
    delta : float
        Probability of releasing the true value, 0 < delta < 1.

    Raises
    ------
    LabelError
        If the mechanism is no continuous one.
    PrivacyLevelError
        If delta is not in (0, 1).

    Notes
    -----
    Source: zheng2025, Section 5.2.1. The output has an atom at the true value.
    """

    def __init__(self, mechanism: ContinuousMechanism, delta: float) -> None:
        if not isinstance(mechanism, ContinuousMechanism):
            raise LabelError("mechanism", mechanism, "a continuous mechanism; indicator_channel takes a channel")
        super().__init__(mechanism.domain)
        self.mechanism = mechanism
        self.delta = as_delta(delta)

    @property
    def epsilon(self) -> float:
        """Infinite: the true value is released as it is with positive probability, other values are not."""
        return math.inf

    @property
    def support(self) -> tuple[float, float]:
        """Support of the mechanism, widened to the domain."""
        low, high = self.mechanism.support
        return min(low, self.domain[0]), max(high, self.domain[1])

    @property
    def has_atoms(self) -> bool:
        """True: the true value."""
        return True

    def _pdf(self, y: Array, x: Array) -> Array:
        return (1 - self.delta) * self.mechanism.pdf(y, x)

    def _cdf(self, y: Array, x: Array) -> Array:
        return (1 - self.delta) * self.mechanism.cdf(y, x) + self.delta * (y >= x)

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        return (1 - self.delta) * self.mechanism.mass(a, b, x) + self.delta * ((a <= x) & (x <= b))

    def _concentration(self, x: Array, r: Array) -> Array:
        """delta + (1 - delta) times that of the mechanism: the true value lies in every ball."""
        return self.delta + (1 - self.delta) * self.mechanism.concentration(x, r)

    def _quantile(self, u: Array, x: Array) -> Array:
        below = (1 - self.delta) * (1 - self.mechanism.mass(x, math.inf, x))
        up_to = (1 - self.delta) * self.mechanism.cdf(x, x) + self.delta
        left = self.mechanism.quantile(np.clip(u / (1 - self.delta), 0, 1), x)
        right = self.mechanism.quantile(np.clip((u - self.delta) / (1 - self.delta), 0, 1), x)
        return np.where(u < below, left, np.where(u <= up_to, x, right))

    def simulate(self, true: object, rng: np.random.Generator) -> Array:
        """Draw every value independently in floats: toss the coin, then run the mechanism. Not to be released."""
        x = self.inside(as_numbers(true, "true"))
        released = self.mechanism.simulate(x, rng)
        return np.where(rng.random(x.shape) < self.delta, x, released)


def indicator_channel(channel: Channel | GridMechanism, delta: Number) -> Channel:
    """I_delta of a square channel: (1 - delta) Q + delta times the identity.

    Raises
    ------
    ChannelError
        If it is no channel, or inputs and outputs are not the same labels.
    PrivacyLevelError
        If delta is not in (0, 1).
    """
    inner = channel.channel if isinstance(channel, GridMechanism) else as_channel(channel)
    as_delta(float(delta) if isinstance(delta, Fraction) else delta)
    if inner.inputs != inner.outputs:
        raise ChannelError("channel", inner, "a channel whose outputs are its inputs")
    matrix = inner.matrix if is_exact(inner.matrix) and not isinstance(delta, float) else to_float(inner.matrix)
    identity = np.eye(len(inner.inputs), dtype=int)
    return Channel((1 - delta) * matrix + delta * identity, inner.inputs, inner.outputs)


def pac_delta_of(channel: Channel, epsilon: PrivacyLevel | float) -> Number:
    """Largest Pr[privacy loss > epsilon] over pairs of inputs, the output drawn from the first: the delta of PAC LDP.

    Exact for an exact channel and an exact level.

    Raises
    ------
    ChannelError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: zheng2025, Def. 10, read with the output drawn from the mechanism.
    """
    q, t = _comparable(channel, epsilon)
    sums = [q[y][q[y] > t * q[z]].sum() + 0 * q[0, 0] for y in range(len(q)) for z in range(len(q))]
    return max(sums)


def approximate_delta_of(channel: Channel, epsilon: PrivacyLevel | float) -> Number:
    """The delta of (epsilon, delta)-LDP: largest sum of max(q[y, j] - t q[z, j], 0) over pairs of inputs y, z.

    Exact for an exact channel and an exact level.

    Raises
    ------
    ChannelError, PrivacyLevelError
        If an argument is not usable.
    """
    q, t = _comparable(channel, epsilon)
    return max(np.maximum(q[y] - t * q[z], 0 * q[0, 0]).sum() for y in range(len(q)) for z in range(len(q)))


def _comparable(channel: Channel, epsilon: PrivacyLevel | float) -> tuple[Array, Number]:
    """Matrix and e^epsilon, both exact or both floats."""
    matrix, t = as_channel(channel).matrix, as_privacy_level(epsilon).ratio
    return (matrix if is_exact(matrix) and not isinstance(t, float) else to_float(matrix)), t
