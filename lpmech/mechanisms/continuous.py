"""What continuous mechanisms on an interval have in common: density, cdf, quantile, simulation, concentration."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, NoReturn

import numpy as np

from lpmech.entries import Array, as_generator
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_ends, as_inside, as_interval, as_numbers, as_radius, broadcast
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState

__all__ = ["ContinuousMechanism", "NoiseMechanism", "WindowMechanism"]


class ContinuousMechanism(ABC):
    """A mechanism that takes numbers of an interval and releases numbers.

    Subclasses give the tight level and four formulas; the methods here check the arguments. Every argument
    broadcasts. Mechanisms with atoms (clipped noise, the privacy indicator) say so: `pdf` is the density of the part
    without atoms, `cdf` and `mass` count everything.

    Parameters
    ----------
    domain : (float, float)
        The interval of true values, low < high.

    Raises
    ------
    InvalidInputError
        If the domain is not a pair of finite numbers low < high.
    """

    def __init__(self, domain: tuple[float, float] = (0.0, 1.0)) -> None:
        self.domain = as_interval(domain, "domain")

    @property
    @abstractmethod
    def epsilon(self) -> float:
        """The tight privacy level in nats: the smallest epsilon the mechanism satisfies (may be inf)."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Smallest interval with every released value (its ends may be infinite)."""

    @property
    def has_atoms(self) -> bool:
        """Whether single released values have positive probability, so that `pdf` does not tell everything."""
        return False

    @abstractmethod
    def _pdf(self, y: Array, x: Array) -> Array: ...

    @abstractmethod
    def _cdf(self, y: Array, x: Array) -> Array: ...

    @abstractmethod
    def _quantile(self, u: Array, x: Array) -> Array: ...

    @abstractmethod
    def _mass(self, a: Array, b: Array, x: Array) -> Array: ...

    def _concentration(self, x: Array, r: Array) -> Array:
        return self._mass(x - r, x + r, x)

    def pdf(self, released: object, true: object) -> Array:
        """Density of the released value given the true one.

        Raises
        ------
        InvalidInputError
            If an argument is not numeric, the shapes do not broadcast, or a true value lies outside the domain.
        """
        return self._pdf(*broadcast(released=as_numbers(released, "released"), true=self.inside(true)))

    def cdf(self, released: object, true: object) -> Array:
        """Pr[released value <= y given the true one]; errors as for `pdf`."""
        return self._cdf(*broadcast(released=as_numbers(released, "released"), true=self.inside(true)))

    def quantile(self, probability: object, true: object) -> Array:
        """The smallest y with cdf(y) >= probability.

        Raises
        ------
        InvalidInputError
            If a probability lies outside [0, 1], or a true value outside the domain.
        """
        u = as_numbers(probability, "probability")
        if np.any((u < 0) | (u > 1)):
            raise InvalidInputError("probability", u[(u < 0) | (u > 1)].flat[0], "numbers between 0 and 1")
        return self._quantile(*broadcast(probability=u, true=self.inside(true)))

    def mass(self, low: object, high: object, true: object) -> Array:
        """Pr[low <= released value <= high given the true one]; the ends may be infinite.

        Raises
        ------
        InvalidInputError
            If an end is not a number, low > high somewhere, or a true value lies outside the domain.
        """
        a, b = as_ends(low, high)
        return self._mass(*broadcast(low=a, high=b, true=self.inside(true)))

    def concentration(self, true: object, radius: object) -> Array:
        """Pr[|released - true| <= radius], in closed form for every position of the ball.

        Raises
        ------
        InvalidInputError
            If a radius is negative or not finite, or a true value lies outside the domain.
        """
        return self._concentration(*broadcast(true=self.inside(true), radius=as_radius(radius)))

    def sample(self, true: object, random_state: RandomState = None) -> NoReturn:
        """Refused: real numbers cannot be released without betraying the true value in their last bits.

        Raises
        ------
        InvalidInputError
            Always; it names the two ways out.
        """
        allowed = "a mechanism on a grid: release from discretized(mechanism).exact(epsilon), or simulate"
        raise InvalidInputError("mechanism", self, allowed)

    def simulate(self, true: object, rng: np.random.Generator) -> Array:
        """Draw every value independently in floats, by inverting the cdf: for experiments, never to be released.

        Parameters
        ----------
        true : array_like, any shape
            True values in the domain.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float, same shape

        Raises
        ------
        InvalidInputError
            If a true value is not a number of the domain, or `rng` no generator.

        Notes
        -----
        `epsilon` is the level of the mechanism on real numbers. Which floats can occur at all depends on the true value
        (Mironov, 2012): one of them may give it away. `lpmech.mechanisms.discretized` releases from a grid instead.
        """
        x = self.inside(true)
        return self._quantile(as_generator(rng).random(x.shape), x)

    def inside(self, true: object) -> Array:
        """The true values as floats, refused when one lies outside the domain."""
        return as_inside(true, self.domain)


class NoiseMechanism(ContinuousMechanism):
    """Release the true value plus noise from a symmetric distribution (zheng2025 Def. 5).

    Parameters
    ----------
    noise : frozen continuous distribution of `scipy.stats`
        Symmetric around 0.
    domain : (float, float)
        The interval of true values.
    """

    def __init__(self, noise: Any, domain: tuple[float, float]) -> None:
        super().__init__(domain)
        self.noise = noise

    @property
    def support(self) -> tuple[float, float]:
        """The real line."""
        return -math.inf, math.inf

    def _pdf(self, y: Array, x: Array) -> Array:
        return self.noise.pdf(y - x)

    def _cdf(self, y: Array, x: Array) -> Array:
        return self.noise.cdf(y - x)

    def _quantile(self, u: Array, x: Array) -> Array:
        return x + self.noise.ppf(u)

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        # mirrored to the left of 0 when the interval lies to the right, where the cdf does not cancel
        right = a > x
        below = np.where(right, x - b, a - x)
        above = np.where(right, x - a, b - x)
        return self.noise.cdf(above) - self.noise.cdf(below)


class WindowMechanism(ContinuousMechanism):
    """A density with two values: high on a window that depends on the true value, e^-epsilon times that elsewhere.

    The window is centred at the true value and moved inside the support; subclasses may place it otherwise by
    `_start(x)`, its left end (zheng2025 Def. 6).

    Parameters
    ----------
    epsilon : float or PrivacyLevel
        Privacy level; also the tight level.
    high : float
        Density on the window.
    width : float
        Length of the window.
    support, domain : (float, float)
        Intervals of released and of true values.
    """

    def __init__(
        self,
        epsilon: PrivacyLevel | float,
        high: float,
        width: float,
        support: tuple[float, float],
        domain: tuple[float, float],
    ) -> None:
        super().__init__(domain)
        self.level = as_privacy_level(epsilon)
        self.high = high
        self.width = width
        self._support = support

    @property
    def support(self) -> tuple[float, float]:
        """Interval of released values."""
        return self._support

    @property
    def low(self) -> float:
        """Density outside the window."""
        return self.high / float(self.level.ratio)

    @property
    def epsilon(self) -> float:
        """epsilon: some output lies in the window of one input and outside that of another."""
        return self.level.epsilon

    def _start(self, x: Array) -> Array:
        """Left end of the window: centred at x, moved inside the support."""
        first, last = self.support
        return np.clip(x - self.width / 2, first, last - self.width)

    def window(self, true: object) -> tuple[Array, Array]:
        """Ends l and r of the window, where the density is high."""
        start = self._start(self.inside(true))
        return start, start + self.width

    def _pdf(self, y: Array, x: Array) -> Array:
        start = self._start(x)
        first, last = self.support
        near = (y >= start) & (y <= start + self.width) | (y == x)  # an end that is x itself may round past it
        return np.where((y >= first) & (y <= last), np.where(near, self.high, self.low), 0.0)

    def _cdf(self, y: Array, x: Array) -> Array:
        return self._mass(np.full(y.shape, -math.inf), y, x)

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        # |I and window| high + |I and support, outside the window| low, for every position of I = [a, b]
        start = self._start(x)
        first, last = self.support
        covered = (a <= start) & (b >= start + self.width)
        near = np.where(covered, self.width, _overlap(a, b, start, start + self.width))
        return near * self.high + (_overlap(a, b, first, last) - near) * self.low

    def _quantile(self, u: Array, x: Array) -> Array:
        first, last = self.support
        start = self._start(x)
        before, within = (start - first) * self.low, self.width * self.high
        left = first + u / self.low
        middle = start + (u - before) / self.high
        right = start + self.width + (u - before - within) / self.low
        return np.clip(np.where(u <= before, left, np.where(u <= before + within, middle, right)), first, last)


def _overlap(a: Array, b: Array, low: Array | float, high: Array | float) -> Array:
    """Length of [a, b] and [low, high] in common."""
    return np.maximum(np.minimum(b, high) - np.maximum(a, low), 0.0)
