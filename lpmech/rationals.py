"""Matrices of probabilities as whole numbers over one denominator that keep a privacy level exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations, islice

import numpy as np

from lpmech.entries import Array, is_exact, to_exact
from lpmech.randomness import RandomSource

__all__ = [
    "DENOMINATOR",
    "LARGEST_DENOMINATOR",
    "PLACES",
    "alike_numerators",
    "draw",
    "likelihood_weights",
    "over_common_denominator",
    "private_numerators",
]

#: Rounded channels have entries of so many decimal places.
PLACES = 18

#: The common denominator of rounded channels.
DENOMINATOR = 10**PLACES

#: Exact channels of a larger common denominator are not sampled.
LARGEST_DENOMINATOR = 2**62

#: So many pairs of kinds are tried for what a row lacks.
_MOST_PAIRS = 10_000


def over_common_denominator(matrix: Array) -> tuple[Array, int] | None:
    """(numerators as int64, denominator) of exact probabilities; None if the denominator is above 2^62."""
    entries = matrix.ravel().tolist()
    denominator = 1
    for factor in {v.denominator for v in entries}:
        denominator = math.lcm(denominator, factor)
        if denominator > LARGEST_DENOMINATOR:
            return None
    numerators = [v.numerator * (denominator // v.denominator) for v in entries]
    return np.array(numerators, dtype=np.int64).reshape(matrix.shape), denominator


def draw(rows: Array, cumulative: Array, denominator: int, source: RandomSource) -> Array:
    """A column for each of the given rows, intp of shape (n,).

    Parameters
    ----------
    rows : ndarray of int, shape (n,)
        Positions 0..K-1.
    cumulative : ndarray of int64, shape (K, J)
        Cumulative numerators of every row; the last column is the denominator.
    denominator : int
        At most 2^62.
    source : RandomSource
        One uniform whole number below the denominator is drawn for each row.
    """
    ticks = source.below(denominator, rows.size)
    kind = np.uint16 if len(cumulative) <= 1 << 16 else np.intp  # short keys are sorted by radix
    order = np.argsort(rows.astype(kind), kind="stable")
    ends = np.cumsum(np.bincount(rows, minlength=len(cumulative)))
    chosen = np.empty(rows.size, dtype=np.intp)
    for row in np.flatnonzero(np.diff(ends, prepend=0)):
        members = order[ends[row - 1] if row else 0 : ends[row]]
        chosen[members] = np.searchsorted(cumulative[row], ticks[members], side="right")
    return chosen


def likelihood_weights(ratio: Fraction, outputs: int) -> tuple[int, int]:
    """Whole weights (high, low), high <= ratio low, of one output and of each other one; at most 2^62 in all.

    high / low is nearly the ratio, or, for a ratio of 2^61 and more, 2^61.
    """
    low = max(1, math.floor(LARGEST_DENOMINATOR / (ratio + outputs)))
    return min(math.floor(ratio * low), LARGEST_DENOMINATOR - (outputs - 1) * low), low


def private_numerators(matrix: Array, ratio: Fraction, denominator: int = DENOMINATOR) -> Array:
    """Round a channel to whole numbers over a denominator such that its level is at most ln(ratio), exactly.

    Parameters
    ----------
    matrix : ndarray, shape (K, J)
        Probabilities, floats or exact; rows sum to one and columns keep the ratio, both up to rounding.
    ratio : Fraction
        Above 1.
    denominator : int
        D, at most 2^62.

    Returns
    -------
    ndarray of int64, shape (K, J)
        n with row sums D and n[y, j] <= ratio n[y', j].

    Notes
    -----
    Every entry of column j is clipped to the whole numbers from f_j = ceil(D min_y q[y, j]) to floor(ratio f_j), which
    is the privacy; then every row is filled, or emptied, within these limits. That a row fits takes
    sum f <= D <= sum floor(ratio f). Each column has a row at its minimum, hence ratio sum(min q) - 1 is at least
    (ratio - 1) / (ratio K) unless the channel is constant, so this fails only where ratio - 1 is of the size of
    K / D, and there the channel of equal rows f / sum(f) is as near as any.
    """
    limits = _limits(matrix, ratio, denominator)
    if limits is None:
        floors = [math.ceil(v * denominator) for v in to_exact(matrix.min(axis=0)).tolist()]
        return np.tile(_shares(floors, denominator), (len(matrix), 1))
    entries, low, high = limits
    missing = denominator - entries.sum(axis=1)
    entries += _taken(high - entries, np.maximum(missing, 0))
    entries -= _taken(entries - low, np.maximum(-missing, 0))
    return entries


def alike_numerators(matrix: Array, ratio: Fraction, kinds: Array) -> tuple[Array, int]:
    """`private_numerators` that are equal where the entries are of one kind, and their denominator.

    Parameters
    ----------
    matrix : ndarray of float, shape (K, J)
        As for `private_numerators`; equal entries where kinds are equal.
    ratio : Fraction
        Above 1.
    kinds : ndarray of int, shape (K, J)
        Two rows have no kind in common or all, each as often; so have two columns.

    Returns
    -------
    tuple of ndarray of int64, shape (K, J), and int
        The denominator is 10^18, or somewhat less where that cannot be shared alike (three thirds, six sixths).

    Notes
    -----
    What a row lacks is given to one kind, or two, of which it can be a sum of multiples. Where no denominator that is
    tried allows that, which only rows of a contrived kind need, it is shared from the left as in `private_numerators`.
    """
    _, first = np.unique(kinds.min(axis=1), return_index=True)
    found = [np.unique(kinds[row], return_index=True, return_counts=True) for row in first.tolist()]
    common = math.lcm(kinds.shape[1], *set(chain.from_iterable(counts.tolist() for _, _, counts in found)))
    for denominator in (DENOMINATOR, DENOMINATOR // common * common):
        limits = _limits(matrix, ratio, denominator) if denominator > DENOMINATOR // 2 else None
        if limits is None:
            break
        entries, low, high = limits
        change = np.zeros(int(kinds.max()) + 1, dtype=np.int64)
        for row, (names, at, counts) in zip(first.tolist(), found, strict=True):
            given = _given(
                counts.tolist(),
                (low[row, at] - entries[row, at]).tolist(),
                (high[row, at] - entries[row, at]).tolist(),
                denominator - int(entries[row].sum()),
            )
            if given is None:
                break
            change[names] = given
        else:
            return entries + change[kinds], denominator
    return private_numerators(matrix, ratio), DENOMINATOR


def _limits(matrix: Array, ratio: Fraction, denominator: int) -> tuple[Array, Array, Array] | None:
    """The rounded entries within the limits of their columns, and these limits; None if no rows are within them.

    Floors are rounded up; down if they sum to too much then, as those of equal rows do, and made smaller if minima do
    that themselves, by the rounding of floats.
    """
    if is_exact(matrix):
        scaled = np.array([round(v * denominator) for v in matrix.ravel().tolist()], dtype=np.int64)
        scaled = scaled.reshape(matrix.shape)
    else:
        scaled = np.minimum(np.rint(matrix * denominator).astype(np.int64), denominator)
    minima = [v * denominator for v in to_exact(matrix.min(axis=0)).tolist()]
    least = Fraction(denominator) / max(Fraction(denominator), sum(minima, Fraction(0)))
    for rounded, part in ((math.ceil, 1), (math.floor, least)):
        floors = [rounded(v * part) for v in minima]
        tops = [min(floor * ratio.numerator // ratio.denominator, denominator) for floor in floors]
        if sum(floors) <= denominator <= sum(tops):
            low, high = (np.broadcast_to(np.array(limit, dtype=np.int64), matrix.shape) for limit in (floors, tops))
            return np.clip(scaled, low, high), low, high
    return None


def _given(counts: list[int], least: list[int], most: list[int], missing: int) -> list[int] | None:
    """Whole numbers within their limits of which so many of each sum to what is missing; at most two are not zero."""
    given = [0] * len(counts)
    if missing == 0:
        return given
    for k, n in enumerate(counts):
        if missing % n == 0 and least[k] <= missing // n <= most[k]:
            given[k] = missing // n
            return given
    for k, l in islice(combinations(range(len(counts)), 2), _MOST_PAIRS):
        common = math.gcd(counts[k], counts[l])
        n, m = counts[k] // common, counts[l] // common
        if missing % common:
            continue
        one = missing // common * pow(n, -1, m) % m if m > 1 else 0
        other = (missing // common - n * one) // m
        # one + m i and other - n i solve it, too, for every whole i
        lowest = max(-((one - least[k]) // m), -((most[l] - other) // n))
        highest = min((most[k] - one) // m, (other - least[l]) // n)
        if lowest <= highest:
            i = min(max(0, lowest), highest)
            given[k], given[l] = one + m * i, other - n * i
            return given
    return None


def _taken(room: Array, wanted: Array) -> Array:
    """What is taken from each entry's room, from the left, for every row to take what it wants."""
    capped = np.minimum(room, wanted[:, None])
    before = np.cumsum(capped, axis=1) - capped
    return np.clip(wanted[:, None] - before, 0, capped)


def _shares(weights: list[int], total: int) -> Array:
    """Whole numbers in proportion to the weights that sum to the total."""
    ends = [0]
    for weight in weights:
        ends.append(ends[-1] + weight)
    cuts = [end * total // ends[-1] for end in ends]
    return np.diff(np.array(cuts, dtype=np.int64))
