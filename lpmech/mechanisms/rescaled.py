"""A mechanism on one interval carried over to another: x -> a + b x before, and the same after."""

from __future__ import annotations

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.continuous import ContinuousMechanism

__all__ = ["Rescaled"]


class Rescaled(ContinuousMechanism):
    """A continuous mechanism for true values of another interval.

    Parameters
    ----------
    mechanism : ContinuousMechanism
        For example `OriginalPM`, whose domain is [-1, 1].
    domain : (float, float)
        The interval of true values; it is mapped onto the mechanism's own, and released values are mapped back.

    Raises
    ------
    InvalidInputError
        If it is no continuous mechanism, or the domain not a pair of finite numbers low < high.

    Notes
    -----
    The map is a bijection, so the tight level stays what it is.
    """

    def __init__(self, mechanism: ContinuousMechanism, domain: tuple[float, float]) -> None:
        super().__init__(domain)
        if not isinstance(mechanism, ContinuousMechanism):
            raise InvalidInputError("mechanism", mechanism, "a continuous mechanism")
        self.mechanism = mechanism
        (low, high), (own_low, own_high) = self.domain, mechanism.domain
        self.factor = (high - low) / (own_high - own_low)

    @property
    def epsilon(self) -> float:
        """Tight level of the mechanism."""
        return self.mechanism.epsilon

    @property
    def has_atoms(self) -> bool:
        """Whether the mechanism has."""
        return self.mechanism.has_atoms

    @property
    def support(self) -> tuple[float, float]:
        """The mechanism's support, mapped."""
        first, last = self.mechanism.support
        return float(self.outward(np.array(first))), float(self.outward(np.array(last)))

    def inward(self, values: Array) -> Array:
        """From the domain to the mechanism's own."""
        return self.mechanism.domain[0] + (values - self.domain[0]) / self.factor

    def outward(self, values: Array) -> Array:
        """From the mechanism's own domain, or its outputs, back."""
        return self.domain[0] + (values - self.mechanism.domain[0]) * self.factor

    def _own(self, x: Array) -> Array:
        return np.clip(self.inward(x), *self.mechanism.domain)  # an end may leave by a rounding error

    def _pdf(self, y: Array, x: Array) -> Array:
        return self.mechanism.pdf(self.inward(y), self._own(x)) / self.factor

    def _cdf(self, y: Array, x: Array) -> Array:
        return self.mechanism.cdf(self.inward(y), self._own(x))

    def _quantile(self, u: Array, x: Array) -> Array:
        return self.outward(self.mechanism.quantile(u, self._own(x)))

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        return self.mechanism.mass(self.inward(a), self.inward(b), self._own(x))

    def _concentration(self, x: Array, r: Array) -> Array:
        return self.mechanism.concentration(self._own(x), r / self.factor)
