"""The Laplace mechanism on an interval, as it is and truncated: zheng2025 Def. 4."""

from __future__ import annotations

import numpy as np

from lpmech.entries import Array
from lpmech.mechanisms.continuous import ContinuousMechanism, NoiseMechanism
from lpmech.mechanisms.intervals import as_interval
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["Laplace", "TruncatedLaplace"]


class Laplace(NoiseMechanism):
    """Release x plus Laplace noise of scale (high - low) / epsilon.

    Parameters
    ----------
    epsilon : float or PrivacyLevel
        Privacy level; also the tight level, attained outside (low, high).
    domain : (float, float)
        The interval [low, high] of true values.

    Raises
    ------
    PrivacyLevelError, InvalidInputError
        If an argument is not usable.

    Notes
    -----
    Source: zheng2025, Def. 4. Its truncation to the domain, "a post-processing step", is `Clipped`.
    """

    def __init__(self, epsilon: PrivacyLevel | float, domain: tuple[float, float] = (0.0, 1.0)) -> None:
        from scipy import stats  # loaded here: it takes longer than all mechanisms together

        self.level = as_privacy_level(epsilon)
        low, high = as_interval(domain, "domain")
        self.scale = (high - low) / self.level.epsilon
        super().__init__(stats.laplace(scale=self.scale), domain)

    @property
    def epsilon(self) -> float:
        """epsilon."""
        return self.level.epsilon

    def _concentration(self, x: Array, r: Array) -> Array:
        """1 - e^(-r / scale), whatever x."""
        return -np.expm1(-r / self.scale)


class TruncatedLaplace(ContinuousMechanism):
    """Release y in [low, high] with density proportional to e^(-|y - x| / scale), scale = (high - low) / epsilon.

    Parameters
    ----------
    epsilon : float or PrivacyLevel
        Privacy level; also the tight level. (At the ends, x = low against x = high, the constants of the two
        densities agree; elsewhere the larger constant works against the larger distance.)
    domain : (float, float)
        The interval [low, high] of true and of released values.

    Raises
    ------
    PrivacyLevelError, InvalidInputError
        If an argument is not usable.

    Notes
    -----
    Source: zheng2025, footnote to Section 3 ("truncated Laplace mechanisms").
    """

    def __init__(self, epsilon: PrivacyLevel | float, domain: tuple[float, float] = (0.0, 1.0)) -> None:
        self.level = as_privacy_level(epsilon)
        super().__init__(domain)
        self.scale = (self.domain[1] - self.domain[0]) / self.level.epsilon

    @property
    def epsilon(self) -> float:
        """epsilon."""
        return self.level.epsilon

    @property
    def support(self) -> tuple[float, float]:
        """The domain."""
        return self.domain

    def _within(self, distance: Array) -> Array:
        """Weight of the released values on one side of x up to a distance, in units of the scale."""
        return -np.expm1(-distance / self.scale)

    def _total(self, x: Array) -> Array:
        return self._within(x - self.domain[0]) + self._within(self.domain[1] - x)

    def _pdf(self, y: Array, x: Array) -> Array:
        low, high = self.domain
        density = np.exp(-np.abs(y - x) / self.scale) / (self.scale * self._total(x))
        return np.where((y >= low) & (y <= high), density, 0.0)

    def _signed(self, y: Array, x: Array) -> Array:
        """Weight between x and y, negative to the left of x."""
        distance = np.clip(y, *self.domain) - x
        return np.sign(distance) * self._within(np.abs(distance))

    def _cdf(self, y: Array, x: Array) -> Array:
        return (self._within(x - self.domain[0]) + self._signed(y, x)) / self._total(x)

    def _quantile(self, u: Array, x: Array) -> Array:
        # measured from an end of the domain, where neither a small nor a large level cancels
        low, high = self.domain
        total = self._total(x)
        left = low + self.scale * np.log1p(u * total * np.exp((x - low) / self.scale))
        right = high - self.scale * np.log1p((1 - u) * total * np.exp((high - x) / self.scale))
        return np.clip(np.where(u * total <= self._within(x - low), left, right), low, high)

    def _mass(self, a: Array, b: Array, x: Array) -> Array:
        return (self._signed(b, x) - self._signed(a, x)) / self._total(x)

    def _concentration(self, x: Array, r: Array) -> Array:
        """(2 - e^(-a / scale) - e^(-b / scale)) / (the same for the whole interval), a and b the ball's two halves."""
        left, right = np.minimum(r, x - self.domain[0]), np.minimum(r, self.domain[1] - x)
        return (self._within(left) + self._within(right)) / self._total(x)
