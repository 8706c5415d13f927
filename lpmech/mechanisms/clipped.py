"""Noise clipped to the domain: what falls outside is moved to the nearer end (zheng2025, Section 3)."""

from __future__ import annotations

import math

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.continuous import ContinuousMechanism, NoiseMechanism

__all__ = ["Clipped"]


class Clipped(ContinuousMechanism):
    """A noise mechanism followed by clipping to its domain, which leaves an atom at either end.

    Parameters
    ----------
    mechanism : NoiseMechanism
        `Laplace` or `Gaussian`, or other noise with a log-concave symmetric density.

    Raises
    ------
    InvalidInputError
        If it is no noise mechanism.

    Notes
    -----
    Source: zheng2025, Section 3 and its footnote on post-processing. Clipped Gaussian noise is purely private, as its
    loss is unbounded only outside the domain.
    """

    def __init__(self, mechanism: NoiseMechanism) -> None:
        if not isinstance(mechanism, NoiseMechanism):
            raise InvalidInputError("mechanism", mechanism, "a noise mechanism such as Laplace or Gaussian")
        super().__init__(mechanism.domain)
        self.mechanism = mechanism

    @property
    def support(self) -> tuple[float, float]:
        """The domain."""
        return self.domain

    @property
    def epsilon(self) -> float:
        """Tight level: the loss at an atom for the pair of both ends.

        Next to the atom it is no larger: with a log-concave density f the cdf F is log-concave too, so f'/f <= f/F, and
        the losses ln(f(0) / f(-span)) and ln(F(0) / F(-span)) are the integrals of the two sides.
        """
        span = self.domain[1] - self.domain[0]
        noise = self.mechanism.noise
        return float(noise.logcdf(0.0) - noise.logcdf(-span))

    @property
    def has_atoms(self) -> bool:
        """True: both ends of the domain."""
        return True

    def atoms(self, true: object) -> tuple[Array, Array]:
        """Pr[released = low] and Pr[released = high] given the true value."""
        low, high = self.domain
        return self.mechanism.mass(-math.inf, low, true), self.mechanism.mass(high, math.inf, true)

    def _pdf(self, y: Array, x: Array) -> Array:
        low, high = self.domain
        return np.where((y > low) & (y < high), self.mechanism.pdf(y, x), 0.0)

    def _cdf(self, y: Array, x: Array) -> Array:
        low, high = self.domain
        return np.where(y < low, 0.0, np.where(y >= high, 1.0, self.mechanism.cdf(y, x)))

    def _quantile(self, u: Array, x: Array) -> Array:
        return np.clip(self.mechanism.quantile(u, x), *self.domain)

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        low, high = self.domain
        inside = (b >= low) & (a <= high)
        begin = np.where(a <= low, -math.inf, a)
        end = np.where(b >= high, math.inf, b)
        return np.where(inside, self.mechanism.mass(np.minimum(begin, end), end, x), 0.0)
