"""Duals on bins: how the slack of a bin, of which only the sum follows, is shared by its labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from lpmech.discovery.groups import Bin, Group
from lpmech.discovery.parts import Part, Samples
from lpmech.entries import Array
from lpmech.programs.optimality import dual_excess

__all__ = ["EQUAL", "LOST", "MOST", "NOTHING", "Bounds", "Shares", "powers"]

#: What a label has of the slack of its bin: nothing, as much as it may, or a part of what these leave, an equal one or
#: one in proportion to what the next released label loses.
NOTHING, MOST, EQUAL, LOST = range(4)
Shares = tuple[tuple[int, ...], ...]


def _rules(group: Group) -> list[tuple[int, ...]]:
    """Shares by the place in a bin; in one of many labels, of its own label and of the others."""
    places = int(group.size) if group.has_few else 2
    kinds = (EQUAL,) if group.has_few else (EQUAL, LOST)
    found = (rule for kind in kinds for rule in product((kind, MOST, NOTHING), repeat=places) if kind in rule)
    return sorted(found, key=lambda rule: len(set(rule)))


@dataclass(frozen=True)
class Bounds:
    """Slacks w(i, c(i)) - pi_i at one K; they are quadratic in t above (t - 1) (t + m - 1), of m bins.

    By complementary slackness those of a bin sum to (V - C_c)/(t - 1), V the value and C_j the sum of column j, and a
    label's is at most w(i, c(i)) - w(i, j) for another j, and so much more as that of j where j is not released.

    Attributes
    ----------
    weights : array, shape (K, J)
    bins : list of Bin
    points : list of (t, value at t)
    gained : array, shape (K,)
        w(i, c(i)).
    below : array, shape (3,)
        The denominator: coefficients of 1, t, t^2.
    columns, most : array, shape (J, 3) and (K, 3)
        Numerators of the slack of a column, and of the most that a label may have.
    lost : array, shape (K,)
        What a label loses if the best of the other columns that are released is.
    """

    weights: Array
    bins: list[Bin]
    points: list[tuple[Fraction, Fraction]]
    gained: Array
    below: Array
    columns: Array
    most: Array
    lost: Array

    @classmethod
    def of(cls, part: Part, samples: Samples, size: int, bins: list[Bin]) -> Bounds:
        at = {"K": Fraction(size)}
        utility, prior = samples.problem(at)
        weights, number = prior[:, None] * utility, len(bins)
        points = [(t, best) for t, best in samples.points(at, to_the_ends=True) if part.covers({**at, "t": t})]
        own = np.repeat([one.label - 1 for one in bins], [one.last - one.first + 1 for one in bins])
        gained, sums = weights[range(size), own], weights.sum(axis=0)
        below = np.array([1 - number, number - 2, 1], dtype=object)
        value = [sum(sums[one.label - 1] for one in bins) - gained.sum(), gained.sum(), 0]
        columns = value - np.outer(sums, [number - 1, 1, 0])
        t, used = points[0][0], sorted(set(own))
        beside = columns.copy()
        beside[used] = 0
        least = weights - (beside @ powers(t)) / (below @ powers(t))
        least[range(size), own] = weights.min() - 1
        other = least.argmax(axis=1)
        most = np.outer(gained - weights[range(size), other], below) + beside[other]
        return cls(weights, bins, points, gained, below, columns, most, gained - least[:, used].max(axis=1))

    def shares(self, groups: Sequence[Group]) -> Iterator[Shares]:
        """The rules for all groups that are a dual at this K, found group by group."""

        def extended(done: Shares, above: list[Array]) -> Iterator[Shares]:
            if any((x > 0).any() for x in above):
                return
            if len(done) == len(groups):
                yield done
                return
            for rule in _rules(groups[len(done)]):
                further = self._above(groups, len(done), rule)
                yield from extended((*done, rule), [x + y for x, y in zip(above, further, strict=True)])

        without = np.maximum(self.weights - self.gained[:, None], 0).sum(axis=0)
        sums = self.weights.sum(axis=0)
        yield from extended((), [sums - value + (t - 1) * without for t, value in self.points])

    def allow(self, groups: Sequence[Group], shares: Shares) -> bool:
        """Whether these rules are a dual at this K."""
        duals = self.duals(groups, shares)
        at = ((t, duals @ powers(t) / (self.below @ powers(t))) for t, _ in self.points)
        return all(dual_excess(self.weights, t, dual, {}).max() <= 0 for t, dual in at)

    def duals(self, groups: Sequence[Group], shares: Shares) -> Array:
        """Numerators of the duals."""
        slacks = np.vstack(
            [
                self._slacks(one, groups[place], rule)
                for place, rule in enumerate(shares)
                for one in groups[place].bins({"K": len(self.weights)})
            ]
        )
        return np.outer(self.gained, self.below) - slacks

    def _above(self, groups: Sequence[Group], place: int, rule: tuple[int, ...]) -> list[Array]:
        """By how much the slacks of a group raise each column's constraint, at each point."""
        rises = [np.zeros(self.weights.shape[1], dtype=object) for _ in self.points]
        for one in groups[place].bins({"K": len(self.weights)}):
            rows, slacks = slice(one.first - 1, one.last), self._slacks(one, groups[place], rule)
            more = self.weights[rows] - self.weights[rows, one.label - 1][:, None]
            for number, (t, _) in enumerate(self.points):
                own = (slacks @ powers(t)) / (self.below @ powers(t))
                rises[number] = rises[number] + (t - 1) * (
                    np.maximum(more + own[:, None], 0) - np.maximum(more, 0)
                ).sum(axis=0)
        return rises

    def _slacks(self, one: Bin, group: Group, rule: tuple[int, ...]) -> Array:
        """Numerators of the slacks of one bin, shape (labels, 3)."""
        labels = range(one.first, one.last + 1)
        shares = rule if group.has_few else [rule[label != one.label] for label in labels]
        slacks = np.zeros((len(labels), 3), dtype=object)
        for place, share in enumerate(shares):
            if share == MOST:
                slacks[place] = self.most[one.first - 1 + place]
        lost = self.lost[one.first - 1 : one.last]
        parts = [Fraction(share == EQUAL) if share != LOST else loss for share, loss in zip(shares, lost, strict=True)]
        if sum(parts):
            slacks += np.outer(
                np.array(parts, dtype=object), (self.columns[one.label - 1] - slacks.sum(axis=0)) / sum(parts)
            )
        return slacks


def powers(t: Fraction) -> Array:
    return np.array([1, t, t * t], dtype=object)
