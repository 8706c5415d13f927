"""Unary encodings: the label as a vector of K bits, each released by its own randomized response."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.channel import LEVEL_TOLERANCE, Channel
from lpmech.entries import Array, Number, as_array, to_float, unify, whole_number
from lpmech.errors import ChannelError, InvalidInputError, LabelError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level, log_of_fraction
from lpmech.randomness import RandomSource, RandomState, as_random_source
from lpmech.rationals import LARGEST_DENOMINATOR

__all__ = [
    "UnaryEncoding",
    "symmetric_unary_encoding",
    "optimal_unary_encoding",
    "MAX_CHANNEL_SIZE",
]

#: Largest K for which the channel over {0, 1}^K is written out.
MAX_CHANNEL_SIZE = 12

_CHUNK = 1 << 20


@dataclass(frozen=True)
class UnaryEncoding:
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
    Released vectors are arrays of 0 and 1 of shape (n, K). Exact odds give exact probabilities. Source: zhao2025
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

    # -- privacy ---------------------------------------------------------------------------------

    @property
    def p(self) -> Number:
        """Pr[bit y is 1 | y]."""
        return self.odds_present / (1 + self.odds_present)

    @property
    def q(self) -> Number:
        """Pr[bit j is 1 | y] for j != y."""
        return 1 / (1 + self.odds_absent)

    @property
    def ratio(self) -> Number:
        """Tight e^epsilon: the product of the two odds, attained by z_y = 1, z_y' = 0; 1 if there is one label."""
        product_of_odds = self.odds_present * self.odds_absent
        return product_of_odds if self.size > 1 else product_of_odds**0

    @property
    def epsilon(self) -> float:
        """Tight privacy level in nats."""
        ratio = self.ratio
        return log_of_fraction(ratio) if isinstance(ratio, Fraction) else math.log(ratio)

    # -- release ---------------------------------------------------------------------------------

    def exact(self, epsilon: PrivacyLevel | float) -> UnaryEncoding:
        """An encoding with rational odds beside this one, to be sampled: private at the level to the last bit.

        Parameters
        ----------
        epsilon : float or PrivacyLevel
            A level that this encoding keeps up to rounding (1e-6 of e^epsilon).

        Returns
        -------
        UnaryEncoding
            With numerators and denominators of odds that sum to at most 2^62, and a product of at most e^epsilon,
            compared in rational arithmetic; the encoding itself if it is like that already.

        Raises
        ------
        ChannelError
            If the encoding is not private at this level.
        PrivacyLevelError
            If the level is not usable.
        """
        level = as_privacy_level(epsilon)
        odds = Fraction(self.odds_present), Fraction(self.odds_absent)
        if all(_drawable(x) for x in (self.odds_present, self.odds_absent)) and self.ratio <= level.ratio_below:
            return self
        if self.ratio > level.ratio_below * (1 + LEVEL_TOLERANCE):
            allowed = f"an encoding that is private at {level}; this one has epsilon = {self.epsilon:.9g}"
            raise ChannelError("encoding", self, allowed)
        present = _rounded_down(odds[0])
        most = odds[1] if self.size == 1 else min(odds[1], level.ratio_below / present)
        return UnaryEncoding(self.size, present, _rounded_down(most))

    def sample(self, labels: object, random_state: RandomState = None) -> Array:
        """Release every label independently, with whole numbers only.

        Parameters
        ----------
        labels : array_like of int, shape (n,)
            True labels 0, ..., K - 1.
        random_state : None, int, numpy.random.Generator or RandomSource
            None for releases; see `lpmech.randomness`.

        Returns
        -------
        ndarray of uint8, shape (n, K)

        Raises
        ------
        LabelError
            If a label is not one of 0, ..., K - 1.
        ChannelError
            If the odds are floats, or numerator and denominator of one sum to more than 2^62.
        InvalidInputError
            If `random_state` is none of the above.
        """
        present, absent = self.odds_present, self.odds_absent
        if not (_drawable(present) and _drawable(absent)):
            allowed = (
                "rational odds, numerator and denominator at most 2^62 in all: floats cannot be sampled without "
                "rounding, which may betray labels; take encoding.exact(epsilon)"
            )
            raise ChannelError("encoding", self, allowed)
        truth, source = _labels(labels, self.size), as_random_source(random_state)
        vectors = np.empty((truth.size, self.size), dtype=np.uint8)
        height = max(1, _CHUNK // self.size)
        for start in range(0, truth.size, height):
            part = vectors[start : start + height]
            part[:] = ~_happens(absent, part.size, source).reshape(part.shape)
        vectors[np.arange(truth.size), truth] = _happens(present, truth.size, source)
        return vectors

    def channel(self) -> Channel:
        """The channel from 0..K-1 to {0, 1}^K; outputs are tuples of bits.

        Raises
        ------
        InvalidInputError
            If K is above `MAX_CHANNEL_SIZE`.
        """
        if self.size > MAX_CHANNEL_SIZE:
            raise InvalidInputError("size", self.size, f"at most {MAX_CHANNEL_SIZE} labels for a written-out channel")
        outputs = list(product((0, 1), repeat=self.size))
        return Channel([[self._probability(z, y) for z in outputs] for y in range(self.size)], outputs=outputs)

    def _probability(self, vector: tuple[int, ...], label: int) -> Any:
        chances = ((self.p if j == label else self.q) for j in range(self.size))
        return math.prod(chance if bit else 1 - chance for bit, chance in zip(vector, chances, strict=True))

    # -- what a released vector tells ------------------------------------------------------------

    def decode(self, vectors: object) -> Array:
        """Unbiased estimate (z - q) / (p - q) of the indicator of the true label: zhao2025 (15), (16).

        E[decode(z) | y] = e_y.

        Parameters
        ----------
        vectors : array_like, shape (n, K)
            Released vectors.

        Returns
        -------
        ndarray of float, shape (n, K)

        Raises
        ------
        InvalidInputError
            If the shape is not (n, K) or an entry is neither 0 nor 1.
        """
        bits = _bits(vectors, self.size)
        a, b = float(self.odds_present), float(self.odds_absent)
        shift = (1 + a) / (a * b - 1)
        return np.where(bits, b * shift, -shift)

    def estimate_counts(self, vectors: object) -> Array:
        """Unbiased estimate of the label counts from released vectors, shape (K,); see `decode`."""
        return self.decode(vectors).sum(axis=0)

    def count_variance(self, counts: object) -> Array:
        """Variance of every entry of `estimate_counts` when the true label counts are `counts`.

        Parameters
        ----------
        counts : array_like, shape (K,)
            Numbers of examples with each label (or shares, for the variance per example).

        Returns
        -------
        ndarray, shape (K,)
            (n_j p (1 - p) + (n - n_j) q (1 - q)) / (p - q)^2; exact for exact odds and counts.

        Raises
        ------
        InvalidInputError
            If there are not K counts or one is negative.
        """
        numbers = as_array(counts, "counts", 1)
        if numbers.size != self.size or np.any(numbers < 0):
            raise InvalidInputError("counts", counts, f"{self.size} numbers that are not negative")
        numbers, odds = unify(numbers, as_array([self.odds_present, self.odds_absent], "odds", 1))
        a, b = odds.tolist()
        present, absent = a * ((1 + b) / (a * b - 1)) ** 2, b * ((1 + a) / (a * b - 1)) ** 2
        return numbers * present + (numbers.sum() - numbers) * absent

    def posterior(self, vectors: object, prior: object = None) -> Array:
        """Pr[label | vector]: proportional to prior[y] t^z_y with t the tight e^epsilon, whatever the split.

        Parameters
        ----------
        vectors : array_like, shape (n, K)
            Released vectors.
        prior : array_like, shape (K,), optional
            Uniform if omitted.

        Returns
        -------
        ndarray of float, shape (n, K)

        Raises
        ------
        InvalidInputError, PriorError
            If an argument is not usable.
        """
        bits = _bits(vectors, self.size)
        weights = to_float(as_prior(prior, self.size)) * np.where(bits, 1.0, math.exp(-self.epsilon))
        return weights / weights.sum(axis=1, keepdims=True)

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


def _labels(labels: object, size: int) -> Array:
    try:
        values = np.asarray(labels)
    except ValueError as exc:
        raise LabelError("labels", "a ragged sequence", "a flat sequence of labels") from exc
    allowed = f"whole numbers 0, ..., {size - 1} in one dimension"
    if values.ndim != 1 or values.dtype.kind not in "iu":
        raise LabelError("labels", f"an array of {values.dtype} and shape {values.shape}", allowed)
    bad = (values < 0) | (values >= size)
    if np.any(bad):
        raise LabelError("labels", f"another value at position {int(np.argmax(bad))}", allowed)
    return values


def _bits(vectors: object, size: int) -> Array:
    try:
        values = np.asarray(vectors)
    except ValueError as exc:
        raise InvalidInputError("vectors", vectors, f"shape (n, {size})") from exc
    if values.ndim != 2 or values.shape[1] != size:
        raise InvalidInputError("vectors", f"shape {values.shape}", f"shape (n, {size})")
    if not np.all((values == 0) | (values == 1)):
        raise InvalidInputError("vectors", values[(values != 0) & (values != 1)][0], "entries 0 and 1")
    return values == 1


def _drawable(odds: Number) -> bool:
    return isinstance(odds, Fraction) and odds.numerator + odds.denominator <= LARGEST_DENOMINATOR


def _rounded_down(odds: Fraction) -> Fraction:
    """Odds of at most these, near them, whose numerator and denominator sum to at most 2^62."""
    if odds >= 2**61:
        return Fraction(2**61)
    places = 60 - max(0, math.floor(odds).bit_length())
    return Fraction(math.floor(odds * 2**places), 2**places)


def _happens(odds: Number, count: int, source: RandomSource) -> Array:
    """True with probability odds / (1 + odds), exactly, shape (count,)."""
    exact = Fraction(odds)
    return source.below(exact.numerator + exact.denominator, count) < exact.numerator
