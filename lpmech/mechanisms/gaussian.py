"""The Gaussian mechanism on an interval and three ways to choose its scale: zheng2025 Theorem 4 and appendix B.2."""

from __future__ import annotations

import math

import scipy  # its parts are loaded when they are used

from lpmech.entries import Array, positive_number
from lpmech.mechanisms.continuous import NoiseMechanism
from lpmech.mechanisms.intervals import as_delta
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = [
    "Gaussian", "extended_scale", "classical_scale", "classical_limit", "pac_scale", "analytic_scale", "pac_delta",
    "approximate_delta",
]  # fmt: skip


class Gaussian(NoiseMechanism):
    """Release x plus Gaussian noise.

    Parameters
    ----------
    scale : float
        Standard deviation, positive. `extended_scale`, `pac_scale` and `analytic_scale` give it for the domain [0, 1];
        multiply by the length of another domain.
    domain : (float, float)
        The interval of true values.

    Raises
    ------
    InvalidInputError
        If the scale is not a positive finite number, or the domain not an interval.

    Notes
    -----
    Source: zheng2025, Theorem 4.
    """

    def __init__(self, scale: float, domain: tuple[float, float] = (0.0, 1.0)) -> None:
        from scipy import stats  # loaded here: it takes longer than all mechanisms together

        self.scale = positive_number(scale, "scale")
        super().__init__(stats.norm(scale=self.scale), domain)

    @property
    def epsilon(self) -> float:
        """Infinite: the privacy loss is not bounded."""
        return math.inf

    def _concentration(self, x: Array, r: Array) -> Array:
        """erf(r / (sqrt 2 scale)), whatever x."""
        return scipy.special.erf(r / (math.sqrt(2) * self.scale))


def extended_scale(epsilon: PrivacyLevel | float, delta: float) -> float:
    """Scale sqrt(1/2) (sqrt(ln(2/delta) + epsilon) + sqrt(ln(2/delta))) / epsilon of zheng2025 Theorem 4, for [0, 1].

    Raises
    ------
    PrivacyLevelError
        If epsilon is not usable or delta not in (0, 1).
    """
    level, tail = as_privacy_level(epsilon).epsilon, math.log(2 / as_delta(delta))
    return math.sqrt(0.5) * (math.sqrt(tail + level) + math.sqrt(tail)) / level


def classical_scale(epsilon: PrivacyLevel | float, delta: float) -> float:
    """Dwork's scale sqrt(2 ln(1.25/delta)) / epsilon for the domain [0, 1].

    Raises
    ------
    PrivacyLevelError
        If epsilon is not usable or delta not in (0, 1).

    Notes
    -----
    Source: Dwork and Roth 2014, Theorem A.1, there for epsilon < 1; `classical_limit` says how far it goes.
    """
    return _classical(delta) / as_privacy_level(epsilon).epsilon


def classical_limit(delta: float) -> float:
    """The largest epsilon for which `classical_scale` has Pr[privacy loss > epsilon] <= delta: 2 c (c - z).

    c = sqrt(2 ln(1.25/delta)), z the (1 - delta)-quantile of the standard normal distribution: with s = c / epsilon the
    threshold epsilon s - 1 / (2 s) is c - epsilon / (2 c).

    Raises
    ------
    PrivacyLevelError
        If delta is not in (0, 1).

    Notes
    -----
    Ours. It is above 2 ln(5/2) = 1.83 for delta <= 3/4, as Pr[Z > x] <= e^(-x^2/2) / 2 for x >= 0.
    """
    c = _classical(delta)
    return 2 * c * (c - -float(scipy.special.ndtri(delta)))


def _classical(delta: float) -> float:
    return math.sqrt(2 * math.log(1.25 / as_delta(delta)))


def pac_scale(epsilon: PrivacyLevel | float, delta: float) -> float:
    """The smallest scale with Pr[privacy loss > epsilon] <= delta for every pair in [0, 1].

    It solves epsilon s - 1 / (2 s) = z with z the (1 - delta)-quantile of the standard normal distribution:
    s = (z + sqrt(z^2 + 2 epsilon)) / (2 epsilon).

    Raises
    ------
    PrivacyLevelError
        If epsilon is not usable or delta not in (0, 1).

    Notes
    -----
    zheng2025 Def. 10 with the output drawn from the mechanism; the worst pair has distance 1.
    """
    level, z = as_privacy_level(epsilon).epsilon, -float(scipy.special.ndtri(as_delta(delta)))
    root = math.sqrt(z * z + 2 * level)
    return (z + root) / (2 * level) if z >= 0 else 1 / (root - z)


def analytic_scale(epsilon: PrivacyLevel | float, delta: float) -> float:
    """The smallest scale with (epsilon, delta)-LDP on [0, 1] (Balle and Wang 2018, Theorem 8).

    Raises
    ------
    PrivacyLevelError
        If epsilon is not usable or delta not in (0, 1).
    """
    from scipy import optimize

    level, failure = as_privacy_level(epsilon), as_delta(delta)
    largest = pac_scale(level, failure)  # Pr[loss > epsilon] bounds the delta of (epsilon, delta)-LDP

    def excess(log_scale: float) -> float:
        return approximate_delta(math.exp(log_scale), level) - failure

    start = math.log(largest)
    smaller = start - 1.0
    while excess(smaller) <= 0:
        smaller -= 1.0
    return math.exp(float(optimize.brentq(excess, smaller, start, xtol=1e-14, rtol=1e-14)))


def pac_delta(scale: float, epsilon: PrivacyLevel | float) -> float:
    """Largest Pr[privacy loss > epsilon] over pairs in [0, 1]: Pr[Z > epsilon s - 1 / (2 s)].

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If the scale or epsilon is not usable.
    """
    s, level = positive_number(scale, "scale"), as_privacy_level(epsilon).epsilon
    return float(scipy.special.ndtr(1 / (2 * s) - level * s))


def approximate_delta(scale: float, epsilon: PrivacyLevel | float) -> float:
    """The delta of (epsilon, delta)-LDP on [0, 1]: Pr[Z > e s - 1/(2s)] - e^epsilon Pr[Z > e s + 1/(2s)], e = epsilon.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If the scale or epsilon is not usable.

    Notes
    -----
    Source: Balle and Wang 2018, Theorem 8.
    """
    s, level = positive_number(scale, "scale"), as_privacy_level(epsilon).epsilon
    far = math.exp(level + float(scipy.special.log_ndtr(-level * s - 1 / (2 * s))))
    return float(scipy.special.ndtr(1 / (2 * s) - level * s)) - far
