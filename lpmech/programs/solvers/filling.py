"""The greedy fill of `lpmech.programs.optimality` for large float arrays: every row sorted once, filled often.

Given column floors m the best channel has in every row the ceiling t m_j on the outputs of largest weight, the
floor on those of smallest weight and one output in between, the *break* of the row.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lpmech.entries import Array
from lpmech.programs.row_blocks import RowBlocks

__all__ = ["Fill", "Filler"]

#: A mass that rounding produces in a row of sum one.
_NOTHING = 2.0**-50


@dataclass(frozen=True)
class Fill:
    """Where the greedy fill of some floors stops.

    Attributes
    ----------
    floors : ndarray, shape (J,)
        Column floors, scaled such that rows with them exist.
    count : ndarray of int, shape (K,)
        Number of outputs at the ceiling.
    rest : ndarray, shape (K,)
        What the break exceeds its floor by, in units of ceiling minus floor; in [0, 1].
    """

    floors: Array
    count: Array
    rest: Array


class Filler:
    """Greedy fills of one objective.

    Parameters
    ----------
    weights : ndarray of float, shape (K, J)
        Objective.
    excess : float
        t - 1, rounded down.
    blocks : RowBlocks
        Rows of `weights`.
    """

    def __init__(self, weights: Array, excess: float, blocks: RowBlocks) -> None:
        self.excess = excess
        self._blocks = blocks
        self.order = np.empty(weights.shape, dtype=np.int32)

        def sort(rows: slice) -> None:
            self.order[rows] = np.argsort(-weights[rows], axis=1, kind="stable")

        blocks.each(sort)

    def fill(self, floors: Array) -> Fill:
        """Where the fill stops; the floors are scaled first unless their sum is in [1 / t, 1]."""
        mass = math.fsum(floors.tolist())
        if mass > 1:
            floors = floors / (mass * (1 + 2.0**-50))
        elif mass * (1 + self.excess) < 1:
            floors = floors / (mass * (1 + self.excess) * (1 - 2.0**-50))
        room = floors * self.excess
        left = 1 - math.fsum(floors.tolist())
        count = np.empty(len(self.order), dtype=np.intp)
        rest = np.empty(len(self.order))

        def stop(rows: slice) -> None:
            ordered = room[self.order[rows]]
            reached = np.cumsum(ordered, axis=1)
            n = np.minimum((reached <= left).sum(axis=1), ordered.shape[1] - 1)
            here = np.arange(len(n))
            width = ordered[here, n]
            missing = left - (reached[here, n] - width)
            count[rows] = n
            missing[missing < _NOTHING] = 0.0  # what rounding left over must not go to a less useful output
            rest[rows] = np.clip(np.divide(missing, width, out=np.zeros_like(missing), where=width > 0), 0.0, 1.0)

        self._blocks.each(stop)
        return Fill(floors, count, rest)

    def breaks(self, fill: Fill) -> Array:
        """The output at which each row stops, shape (K,)."""
        return self.order[np.arange(len(fill.count)), fill.count]

    def high(self, count: Array) -> Array:
        """Which entries are among the `count` outputs of largest weight of their row, shape (K, J)."""
        mask = np.zeros(self.order.shape, dtype=bool)
        for row, order, n in zip(mask, self.order, count.tolist(), strict=True):
            row[order[:n]] = True
        return mask

    def matrix(self, fill: Fill) -> Array:
        """The filled channel, shape (K, J): no entry above t times its floor in floats, rows one up to rounding."""
        ceilings = fill.floors * (1 + self.excess)
        ceilings *= 1 - 2.0**-51
        np.maximum(ceilings, fill.floors, out=ceilings)
        last = self.breaks(fill)
        matrix = np.empty(self.order.shape)

        def write(rows: slice) -> None:
            part = matrix[rows]
            part[:] = fill.floors
            for row, order, n in zip(part, self.order[rows], fill.count[rows].tolist(), strict=True):
                row[order[:n]] = ceilings[order[:n]]
            here, stop = np.arange(len(part)), last[rows]
            part[here, stop] += fill.rest[rows] * (ceilings - fill.floors)[stop]
            for _ in range(2):
                short = 1 - part.sum(axis=1)
                moved = part[here, stop] + np.where(abs(short) > _NOTHING, short, 0.0)
                part[here, stop] = np.clip(moved, fill.floors[stop], ceilings[stop])

        self._blocks.each(write)
        return matrix
