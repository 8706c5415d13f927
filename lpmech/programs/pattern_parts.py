"""How much a pattern can be worth more than its duals: branch and bound where patterns are too many to be looked at.

A pattern v, entries 1 and t, is worth h(p v), h concave (`lpmech.programs.sublinear`). For the tangent of h at any mean
a, of slope s, it is at most h(a) - a s + s p v, and less pi v that is linear in the labels: a sum of v_y c_y with
c = s p - pi. Labels of nearly equal shares are a group; where at least l and at most u labels of a group have t, the
sum is largest with t on the l labels of the largest c and on the next ones up to u whose c is above zero.

The bound is least where the mean of the best pattern goes past a. The two patterns there differ in a label, and the
bound is what a fraction of it would be worth; so patterns are split by how many labels of its group have t, at most k
or more, the part of the largest bound first. What is left is due to labels of a group that change places: none where
their shares are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array

__all__ = ["Curve", "Parts", "split"]

#: Labels are a group while their shares are at least this part of the largest: one, or else the other; halvings of
#: means; parts split at once.
_ALIKE, _HALVINGS, _AT_ONCE = (0.9, 1.0), 40, 8


@dataclass(frozen=True)
class Curve:
    """The concave function h on [1, t], in floats: its values and slopes."""

    ratio: float
    value: Callable[[Array], Any]
    slope: Callable[[Array], Any]


@dataclass(frozen=True)
class Parts:
    """Parts that hold every pattern between them, with a tangent for each.

    Attributes
    ----------
    groups : list of list of int
        Every label once.
    told : list of Fraction, or of (int, int)
        From the part of all patterns on: (g, k) splits it into those with at most k labels of group g at t, which come
        next, and the others, which follow them; a number is the mean of the tangent of a part that is not split.
    """

    groups: list[list[int]]
    told: list[Fraction | tuple[int, int]]


@dataclass
class _Part:
    """How many labels of each group have t, the tangent and its bound, and where it is split, if it can be."""

    lows: Array
    highs: Array
    mean: float
    bound: float
    where: tuple[int, int]
    halves: tuple[Any, ...] = ()

    @property
    def is_whole(self) -> bool:
        return self.where[0] < 0


def split(curve: Curve, prior: Array, duals: Array, most: int, least: float) -> tuple[Parts, float, Array]:
    """Bound what a pattern is worth more than its duals.

    Parameters
    ----------
    curve : Curve
    prior, duals : ndarray of float, shape (K,)
    most : int
        So many parts at most, about.
    least : float
        A bound of that size is small enough.

    Returns
    -------
    parts : Parts
    bound : float
    masks : ndarray of bool, shape (n, K)
        Patterns that were met: where they are t.
    """
    tried: list[tuple[Parts, float, Array]] = []
    for alike in _ALIKE:
        tried.append(_split(_Relaxed(curve, prior, duals, alike), most, least))
        if tried[-1][1] <= least:
            break
    parts, bound, _ = min(tried, key=lambda found: found[1])
    return parts, bound, np.unique(np.vstack([masks for *_, masks in tried]), axis=0)


def _split(relaxed: _Relaxed, most: int, least: float) -> tuple[Parts, float, Array]:
    everything = relaxed.parts(np.zeros((1, len(relaxed.sizes)), dtype=int), relaxed.sizes[None])
    ends = list(everything)
    while len(ends) < most:
        ends.sort(key=lambda part: -part.bound)
        opened = [part for part in ends[:_AT_ONCE] if part.bound > least and not part.is_whole]
        if not opened or ends[0].is_whole:  # what is largest stays
            break
        lows, highs = (np.repeat(np.array([getattr(p, end) for p in opened]), 2, axis=0) for end in ("lows", "highs"))
        for i, part in enumerate(opened):
            group, number = part.where
            highs[2 * i, group], lows[2 * i + 1, group] = number, number + 1
        found = relaxed.parts(lows, highs)
        for i, part in enumerate(opened):
            part.halves = tuple(found[2 * i : 2 * i + 2])
        ends = [part for part in ends if not part.halves] + found
    told: list[Fraction | tuple[int, int]] = []
    stack = everything
    while stack:
        part = stack.pop()
        told.append(part.where if part.halves else Fraction(part.mean))
        stack.extend(reversed(part.halves))
    bound = max(part.bound for part in ends)
    return Parts(relaxed.groups, told), max(bound, 0.0), np.vstack(relaxed.met)


class _Relaxed:
    """Tangents of the least bounds for many parts at once; labels in the order of their groups."""

    def __init__(self, curve: Curve, prior: Array, duals: Array, alike: float) -> None:
        self.curve = curve
        self.order = np.argsort(-prior, kind="stable")
        self.prior, self.duals = prior[self.order], duals[self.order]
        self.group, first = np.zeros(len(prior), dtype=int), 0
        for y in range(1, len(prior)):
            first = first if self.prior[y] >= alike * self.prior[first] else y
            self.group[y] = self.group[y - 1] + (first == y)
        self.sizes = np.bincount(self.group)
        self.place = np.arange(len(prior)) - (np.cumsum(self.sizes) - self.sizes)[self.group]
        self.met: list[Array] = []

    @property
    def groups(self) -> list[list[int]]:
        return [self.order[self.group == g].tolist() for g in range(len(self.sizes))]

    def parts(self, lows: Array, highs: Array) -> list[_Part]:
        """The parts with at least and at most so many labels of each group at t, shape (n, number of groups)."""
        left, right = np.ones(len(lows)), np.full(len(lows), self.curve.ratio)
        for _ in range(_HALVINGS):
            at = np.sqrt(left * right)
            past = self._best(at, lows, highs)[0] @ self.prior > at
            left, right = np.where(past, at, left), np.where(past, right, at)
        under, low = self._best(right, lows, highs)
        over, high = self._best(left, lows, highs)
        means = np.where(low < high, right, left)
        first, last = (self._numbers(columns > 1) for columns in (under, over))
        where = abs(last - first).argmax(axis=1)
        rows = np.arange(len(lows))
        least = np.minimum(first, last)[rows, where]
        where = np.where(first[rows, where] != last[rows, where], where, -1)
        masks = np.empty((2 * len(lows), len(self.prior)), dtype=bool)
        masks[:, self.order] = np.vstack([under, over]) > 1
        self.met.append(masks)
        splits = zip(where.tolist(), least.tolist(), strict=True)
        told = zip(lows, highs, means.tolist(), np.minimum(low, high).tolist(), splits, strict=True)
        return [_Part(*part) for part in told]

    def _best(self, means: Array, lows: Array, highs: Array) -> tuple[Array, Array]:
        """For tangents at these means the patterns that are worth most, and the bounds."""
        slopes = self.curve.slope(means)
        free = slopes[:, None] * self.prior - self.duals
        ranked = np.lexsort((-free, np.broadcast_to(self.group, free.shape)))
        chosen = self.place < lows[:, self.group]
        chosen |= (self.place < highs[:, self.group]) & (np.take_along_axis(free, ranked, axis=1) > 0)
        columns = np.ones(free.shape)
        np.put_along_axis(columns, ranked, np.where(chosen, self.curve.ratio, 1.0), axis=1)
        return columns, self.curve.value(means) - means * slopes + (columns * free).sum(axis=1)

    def _numbers(self, masks: Array) -> Array:
        starts = np.cumsum(self.sizes) - self.sizes
        return np.add.reduceat(masks.astype(int), starts, axis=1)
