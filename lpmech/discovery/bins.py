"""Randomised response on contiguous bins of labels: what the optimum is where no formula for it is found.

Bins of neighbouring labels, each released as one label, t times as likely as the others, are a private channel with the
value (t - 1) sum_i p_i u(i, c(i)) + sum_c sum_i p_i u(i, c), divided by t + m - 1, of m bins with the labels c. Both
sums are over bins, so that the best bins for each m are found from left to right.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import lcm

from lpmech.entries import Array

__all__ = ["best_on_bins"]


def best_on_bins(utility: Array, prior: Array, t: Fraction) -> Fraction:
    """The largest value of randomised response on contiguous bins.

    Parameters
    ----------
    utility : array of Fraction, shape (K, J)
    prior : array of Fraction, shape (K,)
    t : Fraction
    """
    weighted = [[Fraction(p) * Fraction(u) for u in row] for p, row in zip(prior, utility, strict=True)]
    common = lcm(*(x.denominator for row in weighted for x in row))
    sums = [[0, *accumulate(int(row[c] * common) for row in weighted)] for c in range(len(utility[0]))]
    above, below, size = t.numerator, t.denominator, len(prior)
    worth = {
        (first, last): max((above - below) * (one[last] - one[first]) + below * one[size] for one in sums)
        for last in range(1, size + 1)
        for first in range(last)
    }
    best = {last: worth[0, last] for last in range(1, size + 1)}
    found = [Fraction(best[size], above * common)]
    for bins in range(2, size + 1):
        best = {
            last: max(best[first] + worth[first, last] for first in range(bins - 1, last))
            for last in range(bins, size + 1)
        }
        found.append(Fraction(best[size], (above + (bins - 1) * below) * common))
    return max(found)
