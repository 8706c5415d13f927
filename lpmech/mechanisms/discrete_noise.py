"""Noise on whole numbers, sampled exactly: discrete Laplace and discrete Gaussian.

Noise on real numbers is computed in floats, and which floats can occur betrays the true value. Whole numbers cannot:
every decision here is a comparison of uniform whole numbers, so the law of a sample is the stated one, without
rounding. Numbers on a grid are whole multiples of its step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational

import numpy as np

from lpmech.entries import Array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource, RandomState, as_random_source

__all__ = ["DiscreteGaussian", "DiscreteLaplace", "happens_with_exp"]

#: Numerators and denominators of scales and variances stay below, so that all products fit 63 bits.
_LARGEST = 2**40


@dataclass(frozen=True)
class DiscreteLaplace:
    """Z with Pr[Z = n] proportional to e^(-|n| / scale), n whole.

    Parameters
    ----------
    scale : Fraction or int
        Positive, numerator and denominator at most 2^40.

    Raises
    ------
    InvalidInputError
        If the scale is none of these.

    Notes
    -----
    Source of the sampler: Canonne, Kamath, Steinke, The discrete Gaussian for differential privacy (2020), Alg. 2.
    """

    scale: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", _as_rational(self.scale, "scale"))

    @classmethod
    def of_level(cls, sensitivity: int, epsilon: PrivacyLevel | float) -> DiscreteLaplace:
        """The noise for sums of that sensitivity: scale sensitivity / epsilon, rounded up to a binary fraction.

        Parameters
        ----------
        sensitivity : int
            By how much the true vector of whole numbers may move in all, in the L1 norm; at least 1.
        epsilon : float or PrivacyLevel
            Level; `level` says exactly what the rounded scale has.

        Raises
        ------
        InvalidInputError, PrivacyLevelError
            If an argument is not usable, or the scale would be above 2^40.
        """
        wanted = whole_number(sensitivity, "sensitivity", 1) / as_privacy_level(epsilon).epsilon_below
        places = max(0, 39 - max(0, math.ceil(wanted).bit_length()))
        return cls(Fraction(math.ceil(wanted * 2**places), 2**places))

    def level(self, sensitivity: int) -> Fraction:
        """The tight epsilon, exactly, when the true vector moves by at most this much in the L1 norm."""
        return whole_number(sensitivity, "sensitivity", 1) / self.scale

    def probability(self, value: object) -> Array:
        """Pr[Z = n], in floats."""
        rate = 1 / float(self.scale)
        return math.tanh(rate / 2) * np.exp(-rate * np.abs(np.asarray(value)))

    def sample(self, count: int, random_state: RandomState = None) -> Array:
        """Independent samples, int64 of shape (count,).

        Raises
        ------
        InvalidInputError
            If the count is not a whole number >= 0, or `random_state` not usable; see `lpmech.randomness`.
        """
        source = as_random_source(random_state)
        found = np.zeros(whole_number(count, "count", 0), dtype=np.int64)
        pending = np.arange(found.size)
        while pending.size:
            ticks = source.below(self.scale.numerator, pending.size)
            kept = happens_with_exp(ticks, self.scale.numerator, source)
            pending_kept, ticks = pending[kept], ticks[kept]
            size = (ticks + self.scale.numerator * _successes(ticks.size, source)) // self.scale.denominator
            negative = source.below(2, size.size) == 1
            found[pending_kept] = np.where(negative, -size, size)
            minus_zero = pending_kept[negative & (size == 0)]
            pending = np.concatenate([pending[~kept], minus_zero])
        return found


@dataclass(frozen=True)
class DiscreteGaussian:
    """Z with Pr[Z = n] proportional to e^(-n^2 / (2 variance)), n whole.

    Parameters
    ----------
    variance : Fraction or int
        sigma^2, positive (the variance of Z is a little smaller); numerator and denominator at most 2^40, and
        2 numerator denominator (floor(sigma) + 1)^2 below 2^62.

    Raises
    ------
    InvalidInputError
        If the variance is none of these.

    Notes
    -----
    Source: Canonne, Kamath, Steinke, The discrete Gaussian for differential privacy (2020), Alg. 3, Theorem 7.
    """

    variance: Fraction

    def __post_init__(self) -> None:
        variance = _as_rational(self.variance, "variance")
        if self._unit(variance) >= 2**62:
            raise InvalidInputError("variance", self.variance, "a rational number with fewer digits")
        object.__setattr__(self, "variance", variance)

    @staticmethod
    def _unit(variance: Fraction) -> int:
        return 2 * variance.numerator * variance.denominator * (math.isqrt(math.floor(variance)) + 1) ** 2

    @classmethod
    def of_deviation(cls, deviation: float) -> DiscreteGaussian:
        """The least whole sigma^2 of at least deviation^2.

        Raises
        ------
        InvalidInputError
            If the deviation is not positive, or above 2^15.
        """
        if not 0 < deviation <= 2**15:
            raise InvalidInputError("deviation", deviation, "a positive number of at most 2^15")
        return cls(Fraction(math.ceil(Fraction(deviation) ** 2)))

    def concentrated(self, squared_sensitivity: int) -> Fraction:
        """rho of concentrated differential privacy: Delta^2 / (2 sigma^2), Delta in the L2 norm, any dimension."""
        return whole_number(squared_sensitivity, "squared_sensitivity", 1) / (2 * self.variance)

    def delta(self, epsilon: PrivacyLevel | float, squared_sensitivity: int) -> float:
        """A delta for which samples in every coordinate are (epsilon, delta)-private: e^(-(epsilon - rho)^2 / (4 rho)).

        One if epsilon is below rho. Rounded up by 1e-12 of itself; not the least delta.
        """
        rho, level = float(self.concentrated(squared_sensitivity)), as_privacy_level(epsilon).epsilon
        return min(1.0, math.exp(-((level - rho) ** 2) / (4 * rho)) * (1 + 1e-12)) if level > rho else 1.0

    def sample(self, count: int, random_state: RandomState = None) -> Array:
        """Independent samples, int64 of shape (count,); errors as for `DiscreteLaplace.sample`."""
        source = as_random_source(random_state)
        found = np.zeros(whole_number(count, "count", 0), dtype=np.int64)
        a, b = self.variance.numerator, self.variance.denominator
        width = math.isqrt(a // b) + 1
        proposal, unit = DiscreteLaplace(Fraction(width)), self._unit(self.variance)
        pending = np.arange(found.size)
        while pending.size:
            proposed = proposal.sample(pending.size, source)
            # accepted with probability e^-x, x = (|n| - sigma^2 / width)^2 / (2 sigma^2) = (|n| width b - a)^2 / unit
            distances, back = np.unique(np.abs(proposed), return_inverse=True)
            parts = [divmod((n * width * b - a) ** 2, unit) for n in distances.tolist()]
            whole = np.array([min(units, 2**62) for units, _ in parts], dtype=np.int64)[back]
            rest = np.array([remainder for _, remainder in parts], dtype=np.int64)[back]
            kept = happens_with_exp(rest, unit, source) & (_successes(pending.size, source) >= whole)
            found[pending[kept]] = proposed[kept]
            pending = pending[~kept]
        return found


def happens_with_exp(numerators: Array, denominator: int, source: RandomSource) -> Array:
    """True with probability e^(-n / d), exactly, for 0 <= n <= d <= 2^62; bool of the shape of the numerators.

    Of independent events of probability x, x/2, x/3, ... the first that fails has an odd number with probability
    1 - x + x^2/2 - ... = e^-x.
    """
    odd = np.zeros(numerators.size, dtype=bool)
    going = np.arange(numerators.size)
    number = 1
    while going.size:
        happened = source.below(denominator, going.size) < numerators[going]
        happened &= source.below(number, going.size) == 0
        odd[going[~happened]] = number % 2 == 1
        going = going[happened]
        number += 1
    return odd


def _successes(count: int, source: RandomSource) -> Array:
    """How often an event of probability 1/e happens before it fails, int64 of shape (count,)."""
    found = np.zeros(count, dtype=np.int64)
    going = np.arange(count)
    while going.size:
        going = going[happens_with_exp(np.ones(going.size, dtype=np.int64), 1, source)]
        found[going] += 1
    return found


def _as_rational(value: object, argument: str) -> Fraction:
    number = Fraction(value) if isinstance(value, Rational) and not isinstance(value, bool) else Fraction(0)
    if number <= 0 or max(number.numerator, number.denominator) > _LARGEST:
        raise InvalidInputError(argument, value, "a positive rational number, numerator and denominator at most 2^40")
    return number
