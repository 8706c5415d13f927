"""RPWithPrior, randomized response for regression: a continuous mechanism (liu2026 Def. 2.6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np

from lpmech.entries import Array, as_generator
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers, broadcast
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["RPWithPrior"]


@dataclass(frozen=True)
class RPWithPrior:
    """Release a value near the true one when it lies in [low, high], else a uniform value.

    For y in [low, high] the density on [low - delta, high + delta] is 1 / gamma within delta of y and
    e^-epsilon / gamma elsewhere, with gamma = 2 delta + e^-epsilon (high - low); for other y it is uniform.

    Parameters
    ----------
    low, high : float
        The interval I = [A1, A2], low <= high.
    delta : float
        Half-width of the neighbourhoods, positive.
    epsilon : PrivacyLevel or float
        Privacy level (a number is epsilon).

    Raises
    ------
    InvalidInputError
        If low, high or delta are not finite numbers, low > high or delta <= 0.
    PrivacyLevelError
        If the level is not usable.
    """

    low: float
    high: float
    delta: float
    level: PrivacyLevel

    def __init__(self, low: float, high: float, delta: float, epsilon: PrivacyLevel | float) -> None:
        for name, value in (("low", low), ("high", high), ("delta", delta)):
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
                raise InvalidInputError(name, value, "a finite number")
        if low > high:
            raise InvalidInputError("low", low, f"a number <= high = {high}")
        if delta <= 0:
            raise InvalidInputError("delta", delta, "a positive number")
        object.__setattr__(self, "low", float(low))
        object.__setattr__(self, "high", float(high))
        object.__setattr__(self, "delta", float(delta))
        object.__setattr__(self, "level", as_privacy_level(epsilon))

    @property
    def support(self) -> tuple[float, float]:
        """N_I = [low - delta, high + delta]."""
        return self.low - self.delta, self.high + self.delta

    @property
    def gamma(self) -> float:
        """2 delta + e^-epsilon (high - low)."""
        return 2 * self.delta + (self.high - self.low) / float(self.level.ratio)

    @property
    def epsilon(self) -> float:
        """Tight privacy level: epsilon, or 0 if the interval is a single point."""
        return self.level.epsilon if self.high > self.low else 0.0

    def pdf(self, released: object, true: object) -> Array:
        """Density of the released value given the true one; arguments broadcast.

        Returns
        -------
        ndarray of float

        Raises
        ------
        InvalidInputError
            If an argument is not numeric, or the shapes do not broadcast.
        """
        out, y = broadcast(released=as_numbers(released, "released"), true=as_numbers(true, "true"))
        inside = (y >= self.low) & (y <= self.high)
        near = (out >= y - self.delta) & (out <= y + self.delta)  # ends rounded as those of the support
        first, last = self.support
        far_density = 1 / (float(self.level.ratio) * self.gamma)
        density = np.where(inside, np.where(near, 1 / self.gamma, far_density), 1 / (last - first))
        return np.where((out >= first) & (out <= last), density, 0.0)

    def cdf(self, released: object, true: object) -> Array:
        """Pr[released value <= x given the true one]; arguments and errors as for `pdf`."""
        out, y = broadcast(released=as_numbers(released, "released"), true=as_numbers(true, "true"))
        first, last = self.support
        x = np.clip(out, first, last)
        inside = (y >= self.low) & (y <= self.high)
        t = float(self.level.ratio)
        near = np.clip(x - (y - self.delta), 0.0, 2 * self.delta)
        piecewise = ((x - first) - near) / (t * self.gamma) + near / self.gamma
        return np.where(inside, piecewise, (x - first) / (last - first))

    def simulate(self, true: object, rng: np.random.Generator) -> Array:
        """Draw every value independently in floats, by inverting the cdf: for experiments, never to be released.

        Parameters
        ----------
        true : array_like, shape (n,)
            True values; any finite numbers.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        InvalidInputError
            If a value is not a finite number, or `rng` no generator.
        """
        y = as_numbers(true, "true")
        if not np.all(np.isfinite(y)):
            raise InvalidInputError("true", y[~np.isfinite(y)][0], "finite numbers")
        u = as_generator(rng).random(y.shape)
        first, last = self.support
        t = float(self.level.ratio)
        far = t * self.gamma
        before = (y - self.delta - first) / far
        within = 2 * self.delta / self.gamma
        left = first + u * far
        middle = y - self.delta + (u - before) * self.gamma
        right = y + self.delta + (u - before - within) * far
        piecewise = np.where(u < before, left, np.where(u < before + within, middle, right))
        inside = (y >= self.low) & (y <= self.high)
        return np.clip(np.where(inside, piecewise, first + u * (last - first)), first, last)
