"""Unbiased shares of the labels, from released labels and from noisy counts, and the intervals around them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.special import log_ndtr, ndtr
from scipy.stats import norm

from lpmech.entries import Array
from lpmech.release.bought import BoughtCounts

__all__ = ["CountsBeside", "Shares", "combined", "shares_of"]


@dataclass(frozen=True)
class Shares:
    """Estimated shares of K labels in the population that the rows are drawn from.

    Attributes
    ----------
    rows : int
        How many labels were released.
    unbiased : ndarray, shape (K,)
        nan where no unbiased estimate exists.
    centre, variance : ndarray, shape (K,)
        Of a normal interval; the variance is that of the rows, which are drawn, and of their release.
    laplace : ndarray, shape (K,)
        Scale of an error beside the normal one, zero without noisy counts.
    """

    rows: int
    unbiased: Array
    centre: Array
    variance: Array
    laplace: Array

    def interval(self, confidence: float) -> tuple[Array, Array]:
        """The ends of the interval of every label, each by itself."""
        half = _half_width(np.sqrt(self.variance), self.laplace, confidence)
        return self.centre - half, self.centre + half


@dataclass(frozen=True)
class CountsBeside:
    """Noisy counts beside released labels.

    Attributes
    ----------
    bought : BoughtCounts
        As they were drawn.
    scale : Fraction
        Of their discrete Laplace noise.
    epsilon : str
        What they cost.
    same_rows : bool
        Whether the released rows are those that were counted; else they are others of the same population.
    """

    bought: BoughtCounts
    scale: Fraction
    epsilon: str
    same_rows: bool


def added_rows(confidence: float) -> float:
    """Rows that Agresti and Coull add at either end, z^2 / 2."""
    return float(norm.ppf((1 + confidence) / 2)) ** 2 / 2


def shares_of(counts: Array, values: Array, known: Array, confidence: float) -> Shares:
    """Mean of every column of `values` over rows counted by output, with the interval of Agresti and Coull.

    Parameters
    ----------
    counts : ndarray of int, shape (J,) or (J, K)
        How often each output was released (for each label, where outputs differ by label).
    values : ndarray, shape (J, K)
        The decoder.
    known : ndarray of bool, shape (K,)
        Whether the decoder is unbiased for a label.
    confidence : float
        Of the interval.
    """
    seen = counts if counts.ndim == 2 else counts[:, None]
    rows, added = int(seen[:, 0].sum()), added_rows(confidence)
    smallest, largest = values.min(axis=0), values.max(axis=0)
    weight = rows + 2 * added
    shares = seen / weight
    mean = (shares * values).sum(axis=0) + added * (smallest + largest) / weight
    spread = (shares * (values - mean) ** 2).sum(axis=0)
    spread += added * ((smallest - mean) ** 2 + (largest - mean) ** 2) / weight
    unbiased = np.where(known, (seen * values).sum(axis=0) / rows, np.nan)
    return Shares(rows, unbiased, mean, spread / weight, np.zeros(len(mean)))


def combined(released: Shares, beside: CountsBeside, confidence: float) -> Shares:
    """The best linear combination of both unbiased estimates of every label: weights inverse to their variances.

    Rows that were counted and released err in common by having been drawn; the noise of the counts and that of the
    release are independent. Rows that were only counted are drawn independently of those that were released. Draws are
    centred as Agresti and Coull centre a proportion; an estimate that does not exist has no weight.
    """
    rows, added, scale = beside.bought.rows, added_rows(confidence), float(beside.scale)
    counted = np.array(beside.bought.counts, dtype=np.float64)
    centre = (counted + added) / (rows + 2 * added)
    noise = _variance_of_noise(scale) / rows**2
    known = ~np.isnan(released.unbiased)
    middle = np.clip(np.where(known, released.centre, centre), 0, 1)
    for _ in range(3):  # the variance of drawing depends on the share that is estimated
        drawing = middle * (1 - middle) / (rows + 2 * added)
        common = drawing if beside.same_rows else np.zeros_like(drawing)
        own = np.where(known, np.maximum(released.variance - common, 0), np.inf)
        alone = noise + drawing - common
        with np.errstate(divide="ignore"):
            weight = 1 / (1 + alone / own)
        both = weight * centre + (1 - weight) * released.centre
        middle = np.clip(both, 0, 1)
    unbiased = weight * counted / rows + (1 - weight) * np.where(known, released.unbiased, 0)
    # (1 - weight)^2 own = weight (1 - weight) alone
    variance = common + weight**2 * (drawing - common) + weight * (1 - weight) * alone
    return Shares(released.rows, unbiased, both, variance, weight * scale / rows)


def _variance_of_noise(scale: float) -> float:
    """Of discrete Laplace noise: 2 r / (1 - r)^2 with r = e^(-1/scale)."""
    return 1 / (2 * math.sinh(0.5 / scale) ** 2) if scale > 1e-2 else 0.0


def _half_width(deviation: Array, scale: Array, confidence: float) -> Array:
    """h with Pr[|G + L| <= h] = confidence for a normal G and an independent Laplace L, by bisection.

    For x >= 0, with r = s/b, Pr[G + L > x] is
    Phi(-x/s) + (e^(r^2/2 - x/b) Phi(x/s - r) - e^(r^2/2 + x/b) Phi(-x/s - r)) / 2.
    """
    z, tail = float(norm.ppf((1 + confidence) / 2)), (1 - confidence) / 2
    half = z * deviation
    noisy = scale > 1e-9 * deviation
    s, b = np.maximum(deviation[noisy], 1e-300), scale[noisy]
    low, high = np.zeros_like(s), z * s + 2 * b * math.log(1 / tail)
    with np.errstate(over="ignore"):
        r = s / b
        for _ in range(100):
            x = (low + high) / 2
            upper = np.exp(r * r / 2 - x / b + log_ndtr(x / s - r)) - np.exp(r * r / 2 + x / b + log_ndtr(-x / s - r))
            above = ndtr(-x / s) + upper / 2 > tail
            low, high = np.where(above, x, low), np.where(above, high, x)
    half[noisy] = high
    return half
