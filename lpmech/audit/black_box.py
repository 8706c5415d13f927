"""Bounds with confidence on the privacy level of a randomizer, from how often it gave which answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lpmech.audit.randomizer import OTHER
from lpmech.entries import Array, open_probability
from lpmech.release.estimation import clopper_pearson

__all__ = ["BlackBoxAudit", "audit_counts"]


@dataclass(frozen=True)
class BlackBoxAudit:
    """Bounds on the level of a randomizer from its answers.

    Attributes
    ----------
    low : float
        The level is at least this, with the confidence.
    output, likely, unlikely : hashable
        The event and the labels that show it; chosen by the first half of the answers, tested on the second.
    high : float
        The level on the outputs of the first half is at most this, with the confidence; infinite where some label was
        never answered with some of them. Nothing bounds outputs that were not seen.
    outputs : tuple of str
        Outputs seen in the first half, and all others as one.
    trials : int
        Answers for each label in the second half.
    confidence : float
        Of both bounds together.
    bounds : int
        How many binomial bounds share the error probability of `high`, by the union bound; `low` has two.
    """

    low: float
    output: str
    likely: str
    unlikely: str
    high: float
    outputs: tuple[str, ...]
    trials: int
    confidence: float
    bounds: int


def audit_counts(
    first: Array, second: Array, labels: Sequence[str], outputs: Sequence[str], confidence: float = 0.99
) -> BlackBoxAudit:
    """Bounds on the level from how often every label was answered with every output.

    Parameters
    ----------
    first, second : ndarray of int, shape (K, J)
        Independent answers. The first choose what is tested, the second test it; rows of the second have one sum.
    labels, outputs : sequence of str
        Names of rows and columns.
    confidence : float
        Of both bounds together.

    Notes
    -----
    Half of the error probability goes to `low`: one bound of Clopper and Pearson from below for the likelier label,
    one from above for the other, a quarter each. The other half is shared by the probabilities of the outputs
    that were seen, each bounded from both sides.
    """
    alpha = 1 - open_probability(confidence, "confidence")
    trials = int(second[0].sum())
    j, likely, unlikely = _most_suspicious(first, alpha)
    # of the two sides of a bound at level alpha / 2 one is used, which is wrong with probability alpha / 4
    one_low, one_high = clopper_pearson(second[[likely, unlikely], j], trials, alpha / 2)
    low = math.log(one_low[0] / one_high[1]) if one_low[0] > one_high[1] else 0.0
    named = second[:, [j for j, name in enumerate(outputs) if name is not OTHER]]
    lows, highs = clopper_pearson(named, trials, alpha / 2 / named.size)
    most = 0.0
    with np.errstate(divide="ignore"):
        for y in range(len(labels)):
            others = np.delete(lows, y, axis=0)
            most = max(most, float((highs[y] / others).max()))
    return BlackBoxAudit(
        low * (1 - 1e-12),
        outputs[j],
        labels[likely],
        labels[unlikely],
        math.log(max(most, 1.0)) * (1 + 1e-12),
        tuple(outputs),
        trials,
        confidence,
        2 * named.size,
    )


def _most_suspicious(counts: Array, alpha: float) -> tuple[int, int, int]:
    """Output, likelier and less likely label with the largest quotient that the counts speak for."""
    low, high = clopper_pearson(counts, int(counts[0].sum()), alpha)
    j = int(np.argmax(low.max(axis=0) / high.min(axis=0)))
    return j, int(np.argmax(low[:, j])), int(np.argmin(high[:, j]))
