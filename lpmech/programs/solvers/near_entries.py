"""Which entries the interior point method iterates on: all of them in blocks of rows, or those near the breaks.

Once the gap is small, nearly all entries of an optimum are decided: those whose weight is well above the dual of
their row are at the ceiling of their column, those well below are at its floor. What is iterated on then are, of every
row and of every column, the entries whose weight is nearest to the dual.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lpmech.entries import Array

__all__ = ["Block", "NearEntries", "WholeRows", "blocks_of", "near_entries"]

_BLOCK = 1 << 15


@dataclass(frozen=True)
class WholeRows:
    """Some rows, all entries of them: arrays of shape (n, J).

    Attributes
    ----------
    at : slice
        The rows.
    """

    at: slice

    def of_rows(self, values: Array) -> Array:
        """For each entry the value of its row, of shape (K,)."""
        return values[self.at, None]

    def of_columns(self, values: Array) -> Array:
        """For each entry the value of its column, of shape (J,)."""
        return values

    def row_sums(self, values: Array) -> Array:
        """Sums of the rows of this block."""
        return np.asarray(values.sum(axis=1))

    def column_sums(self, values: Array) -> Array:
        """Sums of the columns, within this block, shape (J,)."""
        return np.asarray(values.sum(axis=0))


@dataclass(frozen=True)
class NearEntries:
    """Some entries of some rows, row by row and at least one of each: arrays of shape (n,).

    Attributes
    ----------
    at : slice
        Where they are among all entries that are iterated on.
    rows, columns : ndarray of int, shape (n,)
    starts : ndarray of int
        Where the rows begin.
    width : int
        J.
    """

    at: slice
    rows: Array
    columns: Array
    starts: Array
    width: int

    def of_rows(self, values: Array) -> Array:
        """For each entry the value of its row, of shape (K,)."""
        return np.take(values, self.rows)

    def of_columns(self, values: Array) -> Array:
        """For each entry the value of its column, of shape (J,)."""
        return np.take(values, self.columns)

    def row_sums(self, values: Array) -> Array:
        """Sums of the rows of this block."""
        return np.asarray(np.add.reduceat(values, self.starts))

    def column_sums(self, values: Array) -> Array:
        """Sums of the columns, within this block, shape (J,)."""
        return np.bincount(self.columns, values, self.width)


Block = WholeRows | NearEntries


def near_entries(slack: Array, of_row: int, of_column: int) -> Array:
    """Where the so many least absolute values of every row and of every column are, as a mask, shape (K, J)."""
    distance = abs(slack)
    of_row, of_column = min(of_row, slack.shape[1]) - 1, min(of_column, slack.shape[0]) - 1
    found: Array = distance <= np.partition(distance, of_row, axis=1)[:, of_row, None]
    found |= distance <= np.partition(distance, of_column, axis=0)[of_column]
    return found


def blocks_of(mask: Array) -> list[NearEntries]:
    """The entries of a mask in blocks of rows that fit the cache."""
    rows, columns = np.nonzero(mask)
    starts = np.searchsorted(rows, np.arange(len(mask) + 1))
    height = max(1, len(mask) * _BLOCK // max(len(rows), _BLOCK))
    borders = [*range(0, len(mask), height), len(mask)]
    return [
        NearEntries(
            at := slice(int(starts[first]), int(starts[last])),
            rows[at],
            columns[at],
            starts[first:last] - starts[first],
            mask.shape[1],
        )
        for first, last in pairwise(borders)
    ]
