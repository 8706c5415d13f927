"""Exact described channels: the probabilities of a `DescribedChannel` as whole numbers over one denominator."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import LabelError
from lpmech.privacy import log_of_fraction
from lpmech.randomness import RandomState, as_random_source
from lpmech.rationals import DENOMINATOR

__all__ = ["ExactDescribedChannel", "checked_positions", "filled"]

_CHUNK = 1 << 20


@dataclass(frozen=True)
class ExactDescribedChannel:
    """What `DescribedChannel.exact` returns: a rational channel on 0..K-1 that is sampled without a matrix.

    Attributes
    ----------
    order, bounds, starts, stops : ndarray of int
        As in `DescribedChannel`; windows that fill their group are empty here.
    kind : ndarray of int, shape (K,)
        Inputs of one kind have equal rows up to the place of the window.
    home : ndarray of int, shape (C,)
        The group in which the window of a kind lies.
    weights : ndarray of int64, shape (C, H + 1)
        Over `DENOMINATOR`: of one output of every group outside the window; last, of one output of the window.
    extra_cell, extra : ndarray of int, shape (C,)
        The first so many outputs of that cell (group without window, or window) have a weight larger by one, so that
        rows sum to one.
    """

    order: Array
    bounds: Array
    starts: Array
    stops: Array
    kind: Array
    home: Array
    weights: Array
    extra_cell: Array
    extra: Array

    @property
    def shape(self) -> tuple[int, int]:
        """(K, J)."""
        return len(self.kind), len(self.order)

    @cached_property
    def ratio(self) -> Fraction:
        """An exact bound of e^epsilon: the largest over the smallest weight in every group of outputs."""
        worst = Fraction(1)
        larger = np.eye(self.weights.shape[1], dtype=np.int64)[self.extra_cell] * (self.extra > 0)[:, None]
        tops, sizes = self.weights + larger, self._sizes
        for h in range(len(self.bounds) - 1):
            cells = np.zeros(self.weights.shape, dtype=bool)
            cells[:, h], cells[:, -1] = True, self.home == h
            cells &= sizes > 0
            if cells.any() and tops[cells].max() > 0:
                worst = max(worst, Fraction(int(tops[cells].max()), int(self.weights[cells].min())))
        return worst

    @property
    def epsilon(self) -> float:
        """ln(ratio)."""
        return log_of_fraction(self.ratio)

    def sample(self, labels: Array, random_state: RandomState = None) -> Array:
        """Release every label independently and exactly, shape (n,): one uniform whole number for each.

        Raises
        ------
        LabelError
            If a label is not an input.
        InvalidInputError
            If `random_state` is not usable; see `lpmech.randomness`.
        """
        given, source = checked_positions(labels, len(self.kind)), as_random_source(random_state)
        released = np.empty(given.size, dtype=self.order.dtype)
        for start in range(0, given.size, _CHUNK):
            part = given[start : start + _CHUNK]
            released[start : start + _CHUNK] = self.order[self._positions(part, source.below(DENOMINATOR, part.size))]
        return released

    def tabulate(self) -> Channel:
        """The exact matrix, for alphabets where it fits."""
        rows = []
        for y, c in enumerate(self.kind.tolist()):
            numerators = np.repeat(self.weights[c, :-1], np.diff(self.bounds))
            numerators[self.starts[y] : self.stops[y]] = self.weights[c, -1]
            cell = np.full(self.extra[c], self.extra_cell[c])
            numerators[self._places(np.full(cell.size, y), cell, np.arange(cell.size))] += 1
            rows.append([Fraction(n, DENOMINATOR) for n in numerators[np.argsort(self.order)].tolist()])
        return Channel(rows)

    def _positions(self, labels: Array, ticks: Array) -> Array:
        """The position in `order` that stands for each number below the denominator."""
        kinds = self.kind[labels]
        cell = np.empty(labels.size, dtype=np.intp)
        for c in np.unique(kinds):
            members = kinds == c
            cell[members] = np.searchsorted(self._ends[c], ticks[members], side="right")
        last = self.weights.shape[1]
        left = ticks - np.where(cell > 0, self._ends[kinds, cell - 1], 0)
        is_extra = cell == last
        cell = np.where(is_extra, self.extra_cell[kinds], cell)
        return self._places(labels, cell, np.where(is_extra, left, left // np.maximum(self.weights[kinds, cell], 1)))

    def _places(self, labels: Array, cell: Array, index: Array) -> Array:
        """Positions in `order` of the index-th outputs of cells; those of a group leave out the window."""
        in_window = cell == self.weights.shape[1] - 1
        first = np.where(in_window, self.starts[labels], self.bounds[np.where(in_window, 0, cell)])
        place = first + index
        beyond = ~in_window & (cell == self.home[self.kind[labels]]) & (place >= self.starts[labels])
        return place + np.where(beyond, self.stops[labels] - self.starts[labels], 0)

    @cached_property
    def _sizes(self) -> Array:
        """Number of outputs in every cell of every kind, shape (C, H + 1)."""
        first_of_kind = np.unique(self.kind, return_index=True)[1]
        widths = (self.stops - self.starts)[first_of_kind]
        sizes = np.tile(np.append(np.diff(self.bounds), 0), (len(widths), 1))
        sizes[np.arange(len(widths)), self.home] -= widths
        sizes[:, -1] = widths
        return sizes

    @property
    def row_sums(self) -> Array:
        """Sum of the weights of one row of every kind, shape (C,); equal to `DENOMINATOR`."""
        return self._ends[:, -1]

    @cached_property
    def _ends(self) -> Array:
        """Cumulative mass of the cells, then of the extra units, shape (C, H + 2); the last is the denominator."""
        return np.cumsum(np.column_stack([self.weights * self._sizes, self.extra]), axis=1)


def filled(weights: Array, sizes: Array, low: Array, high: Array) -> tuple[Array, int, int]:
    """Whole weights between the limits with sum(weights sizes) + extra = `DENOMINATOR`: (weights, cell, extra).

    Cells are filled, or emptied, from the left; `extra` outputs of one cell have one unit more, within its limit. The
    limits have to admit it: sum(low sizes) <= DENOMINATOR <= sum(high sizes).
    """
    values = [int(v) for v in np.clip(weights, low, high)]
    missing = DENOMINATOR - sum(v * int(size) for v, size in zip(values, sizes, strict=True))
    cell, extra = 0, 0
    for i, size in enumerate(sizes.tolist()):
        room = (int(high[i]) if missing > 0 else int(low[i])) - values[i]
        taken = min(missing, room * size) if missing > 0 else max(missing, room * size)
        if taken:
            units, rest = divmod(taken, size)
            values[i] += units
            missing -= taken
            if rest:
                cell, extra = i, rest
    return np.array(values, dtype=np.int64), cell, extra


def checked_positions(labels: object, inputs: int) -> Array:
    """Labels 0..K-1 as an array.

    Raises
    ------
    LabelError
        If they are anything else.
    """
    given = np.asarray(labels)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise LabelError("labels", f"{given.dtype} of shape {given.shape}", "a flat array of whole numbers")
    bad = (given < 0) | (given >= inputs)
    if np.any(bad):
        raise LabelError("labels", f"another value at position {int(np.argmax(bad))}", f"0..{inputs - 1}")
    return given
