"""Unary encodings: the label as a vector of K bits, each released by its own randomized response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.entries import Array, Number, as_array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.set_valued import MAX_CHANNEL_SIZE, SetValued, drawable, happens, rounded_down
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource

__all__ = [
    "UnaryEncoding",
    "symmetric_unary_encoding",
    "optimal_unary_encoding",
    "MAX_CHANNEL_SIZE",
]


@dataclass(frozen=True)
class UnaryEncoding(SetValued):
    """K independent bits: bit j is 1 with probability p if j is the true label, with probability q < p if not.

    Parameters
    ----------
    size : int
        K, at least 1.
    odds_present : Fraction, int or float
        p / (1 - p): odds of a 1 at the true label, e^epsilon1.
    odds_absent : Fraction, int or float
        (1 - q) / q: odds of a 0 at another label, e^epsilon2.

    Raises
    ------
    InvalidInputError
        If K is not a whole number >= 1, the odds are not positive finite numbers, or their product is not a finite
        number above 1.

    Notes
    -----
    Released sets are arrays of 0 and 1 of shape (n, K). Exact odds give exact probabilities. Source: zhao2025
    (12), (13); the family of RAPPOR (e^epsilon1 = e^epsilon2) and optimal unary encoding (e^epsilon1 = 1).
    """

    size: int
    odds_present: Number
    odds_absent: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole_number(self.size, "size", 1))
        odds = as_array([self.odds_present, self.odds_absent], "odds", 1)
        if np.any(odds <= 0):
            raise InvalidInputError("odds", odds[odds <= 0][0], "positive numbers")
        present, absent = odds.tolist()
        if not 1 < present * absent < math.inf:
            raise InvalidInputError("odds", (present, absent), "odds whose product e^epsilon is finite and above 1")
        object.__setattr__(self, "odds_present", present)
        object.__setattr__(self, "odds_absent", absent)

    @property
    def odds(self) -> tuple[Number, Number]:
        """The two odds: of a 1 at the true label, of a 0 at another one."""
        return self.odds_present, self.odds_absent

    @property
    def ratio(self) -> Number:
        """Tight e^epsilon: the product of the two odds, attained by z_y = 1, z_y' = 0; 1 if there is one label."""
        product_of_odds = self.odds_present * self.odds_absent
        return product_of_odds if self.size > 1 else product_of_odds**0

    @property
    def is_drawable(self) -> bool:
        """Whether numerators and denominators of both odds are whole and sum to at most 2^62."""
        return drawable(self.odds_present) and drawable(self.odds_absent)

    def exact(self, epsilon: PrivacyLevel | float) -> UnaryEncoding:
        """An encoding with rational odds beside this one: `SetValued.exact`, each of the odds rounded down."""
        level, kept = self._kept_by(epsilon)
        if kept:
            return self
        present, absent = rounded_down(Fraction(self.odds_present)), Fraction(self.odds_absent)
        most = absent if self.size == 1 else min(absent, level.ratio_below / present)
        return UnaryEncoding(self.size, present, rounded_down(most))

    def _draw(self, truth: Array, source: RandomSource) -> Array:
        vectors = ~happens(self.odds_absent, truth.size * self.size, source).reshape(truth.size, self.size)
        vectors[np.arange(truth.size), truth] = happens(self.odds_present, truth.size, source)
        return vectors

    def _sets(self) -> list[tuple[int, ...]]:
        return list(product((0, 1), repeat=self.size))

    def _probability(self, vector: tuple[int, ...], label: int) -> Any:
        chances = ((self.p if j == label else self.q) for j in range(self.size))
        return math.prod(chance if bit else 1 - chance for bit, chance in zip(vector, chances, strict=True))

    @property
    def hit_rate(self) -> Number:
        """Pr[guess = label] of a uniformly random guess among the bits that are 1 (among all K if none is).

        ((p / q) (1 - (1 - q)^K) + (1 - p) (1 - q)^(K - 1)) / K; the best guess for the uniform prior.
        """
        p, q, n = self.p, self.q, self.size
        none = (1 - q) ** (n - 1)
        some = 1 - none * (1 - q) if isinstance(q, Fraction) else -math.expm1(n * math.log1p(-q))
        return (p / q * some + none / (1 + self.odds_present)) / n


def symmetric_unary_encoding(size: int, epsilon: PrivacyLevel | float) -> UnaryEncoding:
    """The vector approximation of zhao2025 (12), (13): both odds are e^(epsilon/2) (basic RAPPOR).

    Parameters
    ----------
    size : int
        K.
    epsilon : float or PrivacyLevel
        Privacy level; exact if e^epsilon is the square of a rational number.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    root = _square_root(as_privacy_level(epsilon))
    return UnaryEncoding(size, root, root)


def optimal_unary_encoding(size: int, epsilon: PrivacyLevel | float) -> UnaryEncoding:
    """OUE: p = 1/2 and q = 1 / (e^epsilon + 1), the least variance for a label that is rare.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Source: Wang, Blocki, Li, Jha, Locally differentially private protocols for frequency estimation (2017).
    """
    level = as_privacy_level(epsilon)
    return UnaryEncoding(size, Fraction(1) if level.is_exact else 1.0, level.ratio)


def _square_root(level: PrivacyLevel) -> Number:
    if isinstance(level.ratio, Fraction):
        root = Fraction(math.isqrt(level.ratio.numerator), math.isqrt(level.ratio.denominator))
        if root * root == level.ratio:
            return root
    return math.exp(level.epsilon / 2)
