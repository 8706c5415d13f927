"""Mechanisms that release a set of labels: what unary encodings and subset selection have in common."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.channel import LEVEL_TOLERANCE, Channel
from lpmech.entries import Array, Number, as_array, to_float, unify
from lpmech.errors import ChannelError, InvalidInputError, LabelError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level, log_of_fraction
from lpmech.randomness import RandomSource, RandomState, as_random_source
from lpmech.rationals import LARGEST_DENOMINATOR

__all__ = ["MAX_CHANNEL_SIZE", "SetValued", "as_labels", "drawable", "happens", "rounded_down", "total_variance"]

#: Largest K for which the channel over the sets is written out.
MAX_CHANNEL_SIZE = 12

_CHUNK = 1 << 20


class SetValued(ABC):
    """Releases a set of labels, as K bits: the true label is in it with probability p, another one with q < p.

    A set has e^epsilon times the probability from a label in it that it has, all else equal, from one outside.

    Attributes
    ----------
    size : int
        K, at least 1.
    """

    size: int

    # -- privacy ---------------------------------------------------------------------------------

    @property
    @abstractmethod
    def odds(self) -> tuple[Number, Number]:
        """p / (1 - p), the odds of the true label to be in the set, and (1 - q) / q, of another one to be outside."""

    @property
    @abstractmethod
    def ratio(self) -> Number:
        """Tight e^epsilon: a Fraction where the parameters are exact."""

    @property
    def p(self) -> Number:
        """Pr[y is in the set | y]."""
        present, _ = self.odds
        return present / (1 + present)

    @property
    def q(self) -> Number:
        """Pr[j is in the set | y] for j != y."""
        _, absent = self.odds
        return 1 / (1 + absent)

    @property
    def epsilon(self) -> float:
        """Tight privacy level in nats."""
        ratio = self.ratio
        return log_of_fraction(ratio) if isinstance(ratio, Fraction) else math.log(ratio)

    # -- release ---------------------------------------------------------------------------------

    @property
    @abstractmethod
    def is_drawable(self) -> bool:
        """Whether sets can be drawn exactly: rational parameters, over denominators that the random source takes."""

    @abstractmethod
    def exact(self, epsilon: PrivacyLevel | float) -> SetValued:
        """A mechanism with rational parameters beside this one, to be sampled: private at the level to the last bit.

        Parameters
        ----------
        epsilon : float or PrivacyLevel
            A level that this mechanism keeps up to rounding (1e-6 of e^epsilon).

        Returns
        -------
        SetValued
            `is_drawable`, with a ratio of at most e^epsilon, compared in rational arithmetic; the mechanism itself if
            it is like that already.

        Raises
        ------
        ChannelError
            If the mechanism is not private at this level.
        PrivacyLevelError
            If the level is not usable.
        """

    @abstractmethod
    def _draw(self, truth: Array, source: RandomSource) -> Array:
        """Sets for these labels, uint8 of shape (n, K)."""

    def _kept_by(self, epsilon: PrivacyLevel | float) -> tuple[PrivacyLevel, bool]:
        """The level, and whether this mechanism keeps it and can be drawn as it is."""
        level = as_privacy_level(epsilon)
        if self.ratio > level.ratio_below * (1 + LEVEL_TOLERANCE):
            allowed = f"an encoding that is private at {level}; this one has epsilon = {self.epsilon:.9g}"
            raise ChannelError("encoding", self, allowed)
        return level, self.is_drawable and self.ratio <= level.ratio_below

    def sample(self, labels: object, random_state: RandomState = None) -> Array:
        """Release every label independently, with whole numbers only: the law of the set is the channel's, exactly.

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
            If a parameter is a float, or the numerator and denominator of its odds sum to more than 2^62.
        InvalidInputError
            If `random_state` is none of the above.
        """
        if not self.is_drawable:
            allowed = (
                "rational odds, numerator and denominator at most 2^62 in all: floats cannot be sampled without "
                "rounding, which may betray labels; take encoding.exact(epsilon)"
            )
            raise ChannelError("encoding", self, allowed)
        truth, source = as_labels(labels, self.size), as_random_source(random_state)
        vectors = np.empty((truth.size, self.size), dtype=np.uint8)
        height = max(1, _CHUNK // self.size)
        for start in range(0, truth.size, height):
            vectors[start : start + height] = self._draw(truth[start : start + height], source)
        return vectors

    @abstractmethod
    def _sets(self) -> list[tuple[int, ...]]:
        """Every set that may be released, as K bits."""

    @abstractmethod
    def _probability(self, vector: tuple[int, ...], label: int) -> Number:
        """Pr[set | label]."""

    def channel(self) -> Channel:
        """The channel from 0..K-1 to the sets; outputs are tuples of bits.

        Raises
        ------
        InvalidInputError
            If K is above `MAX_CHANNEL_SIZE`.
        """
        if self.size > MAX_CHANNEL_SIZE:
            raise InvalidInputError("size", self.size, f"at most {MAX_CHANNEL_SIZE} labels for a written-out channel")
        outputs = self._sets()
        return Channel([[self._probability(z, y) for z in outputs] for y in range(self.size)], outputs=outputs)

    # -- what a released set tells ---------------------------------------------------------------

    def decode(self, vectors: object) -> Array:
        """Unbiased estimate (z - q) / (p - q) of the indicator of the true label: zhao2025 (15), (16).

        E[decode(z) | y] = e_y.

        Parameters
        ----------
        vectors : array_like, shape (n, K)
            Released sets, as bits.

        Returns
        -------
        ndarray of float, shape (n, K)

        Raises
        ------
        InvalidInputError
            If the shape is not (n, K) or an entry is neither 0 nor 1.
        """
        bits = _bits(vectors, self.size)
        a, b = (float(odds) for odds in self.odds)
        shift = (1 + a) / (a * b - 1)
        return np.where(bits, b * shift, -shift)

    def estimate_counts(self, vectors: object) -> Array:
        """Unbiased estimate of the label counts from released sets, shape (K,); see `decode`."""
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
        numbers, variances = unify(numbers, as_array(self._variances, "odds", 1))
        present, absent = variances.tolist()
        return numbers * present + (numbers.sum() - numbers) * absent

    @property
    def total_variance(self) -> Number:
        """Sum of `count_variance` over the labels, per person: (p (1 - p) + (K - 1) q (1 - q)) / (p - q)^2.

        It is the same whatever the labels are.
        """
        return total_variance(self.odds, self.size)

    @property
    def _variances(self) -> tuple[Number, Number]:
        return _variances(self.odds)

    def posterior(self, vectors: object, prior: object = None) -> Array:
        """Pr[label | set]: proportional to prior[y] t^z_y with t the tight e^epsilon.

        Parameters
        ----------
        vectors : array_like, shape (n, K)
            Released sets, as bits.
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


def total_variance(odds: tuple[Any, Any], size: Any) -> Any:
    """`SetValued.total_variance` of the odds p / (1 - p) and (1 - q) / q and K; numbers or terms."""
    present, absent = _variances(odds)
    return present + (size - 1) * absent


def _variances(odds: tuple[Any, Any]) -> tuple[Any, Any]:
    """p (1 - p) / (p - q)^2 and q (1 - q) / (p - q)^2, without cancellation."""
    a, b = odds
    return a * ((1 + b) / (a * b - 1)) ** 2, b * ((1 + a) / (a * b - 1)) ** 2


def as_labels(labels: object, size: int) -> Array:
    """The labels as an array of whole numbers 0, ..., K - 1, shape (n,).

    Raises
    ------
    LabelError
        If they are none.
    """
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


def drawable(odds: Number) -> bool:
    """Whether an event of these odds can be drawn exactly: rational, numerator and denominator at most 2^62 in all."""
    return isinstance(odds, Fraction) and odds.numerator + odds.denominator <= LARGEST_DENOMINATOR


def rounded_down(odds: Fraction) -> Fraction:
    """Odds of at most these, near them, whose numerator and denominator sum to at most 2^62."""
    if odds >= 2**61:
        return Fraction(2**61)
    places = max(0, 60 - math.floor(odds).bit_length())
    return Fraction(math.floor(odds * 2**places), 2**places)


def happens(odds: Any, count: int, source: RandomSource) -> Array:
    """True with probability odds / (1 + odds), exactly, shape (count,)."""
    exact = Fraction(odds)
    return source.below(exact.numerator + exact.denominator, count) < exact.numerator
