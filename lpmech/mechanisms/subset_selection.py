"""Subset selection: the label as a set of d labels, which holds it more often than another one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from lpmech.entries import Array, Number, as_array, whole_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.set_valued import SetValued, drawable, happens, rounded_down
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource

__all__ = ["SubsetSelection", "best_subset_size", "subset_odds", "subset_selection", "subset_variance"]


@dataclass(frozen=True)
class SubsetSelection(SetValued):
    """A set of d of the K labels: every set with the true label has t times the probability of one without.

    Parameters
    ----------
    size : int
        K, at least 2.
    chosen : int
        d, from 1 (randomized response) to K - 1.
    weight : Fraction, int or float
        t, above 1: the tight e^epsilon.

    Raises
    ------
    InvalidInputError
        If K or d is no such whole number, or t is not finite and above 1.

    Notes
    -----
    p = d t / (d t + K - d); given whether the true label is in the set, its other labels are any of the other K - 1
    with one probability, so that q = (d - p) / (K - 1). Source: Wang et al., Mutual information optimally local private
    discrete distribution estimation (2016); Ye and Barg, Optimal schemes for discrete distribution estimation under
    locally differential privacy (2018).
    """

    size: int
    chosen: int
    weight: Number

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole_number(self.size, "size", 2))
        object.__setattr__(self, "chosen", whole_number(self.chosen, "chosen", 1))
        if self.chosen >= self.size:
            raise InvalidInputError("chosen", self.chosen, f"at most K - 1 = {self.size - 1} labels")
        weight = as_array([self.weight], "weight", 1)[0]
        if not weight > 1:
            raise InvalidInputError("weight", weight, "a number t = e^epsilon above 1")
        object.__setattr__(self, "weight", weight if isinstance(weight, Fraction) else float(weight))

    @property
    def odds(self) -> tuple[Number, Number]:
        """See `subset_odds`."""
        return subset_odds(self.size, self.chosen, self.weight)

    @property
    def ratio(self) -> Number:
        """Tight e^epsilon: t, attained by every set."""
        return self.weight

    @property
    def is_drawable(self) -> bool:
        """Whether numerator and denominator of the odds of the true label are whole and sum to at most 2^62."""
        return drawable(self.odds[0])

    def exact(self, epsilon: PrivacyLevel | float) -> SubsetSelection:
        """A rational t beside this one: `SetValued.exact`, the odds of the true label rounded down."""
        level, kept = self._kept_by(epsilon)
        if kept:
            return self
        share = Fraction(self.chosen, self.size - self.chosen)
        odds = rounded_down(min(Fraction(self.weight), level.ratio_below) * share)
        return SubsetSelection(self.size, self.chosen, odds / share)

    def _draw(self, truth: Array, source: RandomSource) -> Array:
        """Floyd's algorithm on the other labels, those of the last column, which stands for the true one, exchanged."""
        here, last = np.arange(truth.size), self.size - 1
        vectors = np.zeros((truth.size, self.size), dtype=np.uint8)
        vectors[:, last] = happens(self.odds[0], truth.size, source)
        for present in (0, 1):
            rows = here[vectors[:, last] == present]
            for top in range(last - (self.chosen - present), last):
                drawn = source.below(top + 1, rows.size)
                vectors[rows, np.where(vectors[rows, drawn] == 1, top, drawn)] = 1
        own = vectors[:, last].copy()
        vectors[:, last] = vectors[here, truth]
        vectors[here, truth] = own
        return vectors

    def _sets(self) -> list[tuple[int, ...]]:
        held = combinations(range(self.size), self.chosen)
        return [tuple(int(j in kept) for j in range(self.size)) for kept in held]

    def _probability(self, vector: tuple[int, ...], label: int) -> Number:
        t, others = self.weight, self.size - 1
        total = math.comb(others, self.chosen - 1) * t + math.comb(others, self.chosen)
        return t / total if vector[label] else 1 / total


def subset_odds(size: Any, chosen: Any, ratio: Any) -> tuple[Any, Any]:
    """p / (1 - p) = d t / (K - d) and (1 - q) / q = (K - d) (d t + K - d - 1) / (d ((d - 1) t + K - d)).

    Parameters
    ----------
    size, chosen : int or Expr
        K, and d from 1 to K - 1.
    ratio : number or Expr
        t = e^epsilon above 1; exact if it is.
    """
    K, d, t = size, chosen, ratio
    return d * t / (K - d), (K - d) * (d * t + K - d - 1) / (d * ((d - 1) * t + K - d))


def subset_variance(size: Any, chosen: Any, ratio: Any) -> Any:
    """Total variance of the shares times n, (K - 1) ((K - 1) (K - d + t^2 d) / (d (K - d) (t - 1)^2) - 1).

    It is `SetValued.total_variance` in closed form, the same for every prior. Over real d it is least at K / (t + 1).
    Arguments as for `subset_odds`.
    """
    K, d, t = size, chosen, ratio
    return (K - 1) * ((K - 1) * (K - d + t**2 * d) / (d * (K - d) * (t - 1) ** 2) - 1)


def best_subset_size(size: int, epsilon: PrivacyLevel | float) -> int:
    """The d from 1 to K - 1 of the least variance, one of the two whole numbers around K / (t + 1); the smaller of two.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    The variance is convex in d. Both neighbours are compared exactly, a float level as the rational number it is. Ye
    and Barg (2018) have the same rule.
    """
    K = whole_number(size, "size", 2)
    t = Fraction(as_privacy_level(epsilon).ratio)
    below = min(max(math.floor(K / (t + 1)), 1), K - 1)
    return min((below, min(below + 1, K - 1)), key=lambda d: (subset_variance(K, d, t), d))


def subset_selection(size: int, epsilon: PrivacyLevel | float, chosen: int | None = None) -> SubsetSelection:
    """Subset selection with sets of `chosen` labels, by default the number of the least variance.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    level = as_privacy_level(epsilon)
    return SubsetSelection(size, best_subset_size(size, level) if chosen is None else chosen, level.ratio)
