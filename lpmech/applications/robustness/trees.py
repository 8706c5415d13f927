"""Decision trees and forests: leaves are boxes, thresholds cut the domain into cells, and each cell has one class.

The nearest cell of another class is read off all of them where they are few, else found by branch and bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from lpmech.applications.robustness.exact import ExactClassifier
from lpmech.applications.robustness.regions import Box
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, SolverError
from lpmech.mechanisms.intervals import as_numbers

__all__ = ["MOST_CELL_VOTES", "MOST_STEPS", "MOST_TREES", "Tree", "TreeEnsemble"]

#: Sums of votes that differ by no more may be equal, or ordered otherwise in another order of the sum.
TIE = 1e-12

#: Most votes (cells times classes times trees, counted as 20 at least, for cells take memory, too) that are written
#: down; about a second.
MOST_CELL_VOTES = 200_000_000

#: Where the votes are more: most steps of one search, about a second, and trees, each of which is a level of it.
MOST_STEPS, MOST_TREES = 10_000, 500


@dataclass(frozen=True)
class Tree:
    """A tree by its leaves: boxes (low, high], one row a leaf, and their votes.

    Attributes
    ----------
    low, high : ndarray, shape (leaves, d)
        Ends of the leaves, infinite where there is none.
    votes : ndarray, shape (leaves, classes)
        Probability of every class in a leaf.

    Raises
    ------
    InvalidInputError
        If the shapes do not fit.
    """

    low: Array
    high: Array
    votes: Array

    def __post_init__(self) -> None:
        low, high, votes = (as_numbers(getattr(self, name), name) for name in ("low", "high", "votes"))
        if low.ndim != 2 or low.shape != high.shape or votes.ndim != 2 or len(votes) != len(low) or not len(low):
            raise InvalidInputError("low", low.shape, "shape (leaves, d), as `high`, and votes for each leaf")
        for name, value in (("low", low), ("high", high), ("votes", votes)):
            object.__setattr__(self, name, value)


class TreeEnsemble(ExactClassifier):
    """The class with the largest mean vote of the trees; ties go to the first.

    Parameters
    ----------
    trees : sequence of Tree
        At least one, with the same features and classes.

    Raises
    ------
    InvalidInputError
        If there is none or they differ in features or classes.

    Notes
    -----
    Votes that differ by rounding errors may be counted either way, depending on the order of the sum: cells with such a
    tie count as cells of another class, unless the votes are whole numbers, whose sums are exact.
    """

    def __init__(self, trees: Sequence[Tree]) -> None:
        if not isinstance(trees, Sequence) or not all(isinstance(t, Tree) for t in trees):
            raise InvalidInputError("trees", trees, "a sequence of Tree")
        shapes = {(t.low.shape[1], t.votes.shape[1]) for t in trees}
        if len(shapes) != 1:
            raise InvalidInputError("trees", trees, "trees with the same features and classes, at least one")
        self.trees = tuple(trees)

    @property
    def dimension(self) -> int:
        """Number of features."""
        return int(self.trees[0].low.shape[1])

    def predict(self, points: Array) -> Array:
        """Index of the largest mean vote."""
        return np.argmax(sum(self._votes(tree, points) for tree in self.trees), axis=1)

    @staticmethod
    def _votes(tree: Tree, points: Array) -> Any:
        inside = np.all((points[:, None] > tree.low) & (points[:, None] <= tree.high), axis=2)
        return tree.votes[np.argmax(inside, axis=1)]

    def rescaled(self, start: Array, scale: Array) -> TreeEnsemble:
        """The same with features (v - start) / scale in place of v."""
        return TreeEnsemble([Tree((t.low - start) / scale, (t.high - start) / scale, t.votes) for t in self.trees])

    def growth(self, x: Array, box: Box, grow: Box, domain: Box) -> float:
        """Least growth at which the box meets a cell of another class.

        Raises
        ------
        SolverError
            If there are more than `MOST_CELL_VOTES` votes, and more than `MOST_TREES` trees or `MOST_STEPS` steps of
            branch and bound do not suffice.
        """
        label = int(self.predict(x[None, :])[0])
        edges = self._edges(domain)
        cells = math.prod(len(e) - 1 for e in edges)
        if cells * self.trees[0].votes.shape[1] * max(len(self.trees), 20) <= MOST_CELL_VOTES:
            return _nearest(edges, _rivals(self, label, tuple(e.tobytes() for e in edges)), box, grow)
        if len(self.trees) > MOST_TREES:
            raise _too_many(self.trees, cells)
        search = _NearestCell(self.trees, label, box, grow, cells)
        start = np.array([e[0] for e in edges])
        search.visit(0, start, domain.high, np.zeros(self.trees[0].votes.shape[1]))
        return search.best

    def _edges(self, domain: Box) -> list[Array]:
        """Ends of the cells (e_0, e_1], (e_1, e_2], ... that the thresholds cut every feature of the domain into."""
        found = []
        for i, (low, high) in enumerate(zip(domain.low, domain.high, strict=True)):
            cuts = np.unique(np.concatenate([ends[:, i] for tree in self.trees for ends in (tree.low, tree.high)]))
            # cells are open below, the domain is not
            found.append(np.array([np.nextafter(low, -np.inf), *cuts[(cuts >= low) & (cuts < high)], high]))
        return found


def _ahead(votes: Array, label: int) -> Array:
    """Whether some other class has, or may have, the largest vote, shape (..., classes) to (...)."""
    lead = votes - votes[..., [label]]
    exact = (votes == np.rint(votes)) & (votes[..., [label]] == np.rint(votes[..., [label]]))
    wins = np.where(exact, (lead > 0) | ((lead == 0) & (np.arange(lead.shape[-1]) < label)), lead >= -TIE)
    wins[..., label] = False
    return np.any(wins, axis=-1)


def _wide(edges: Sequence[Array]) -> list[int]:
    """Features with more than one cell: only they get an axis, for there may be more features than numpy has axes."""
    return [i for i, e in enumerate(edges) if len(e) > 2]


@lru_cache(maxsize=1)
def _rivals(ensemble: TreeEnsemble, label: int, ends: tuple[bytes, ...]) -> Array:
    """Which cells are of another class, an axis a wide feature; the last answer is kept, for every face asks for it."""
    edges = [np.frombuffer(e) for e in ends]
    wide = _wide(edges)
    votes = np.zeros(
        [ensemble.trees[0].votes.shape[1], *(len(edges[i]) - 1 for i in wide)]
    )  # long axes last, for speed
    for tree in ensemble.trees:
        first = np.stack([np.searchsorted(e, low) for e, low in zip(edges, tree.low.T, strict=True)], axis=1)
        last = np.stack([np.searchsorted(e, end, "right") - 1 for e, end in zip(edges, tree.high.T, strict=True)], 1)
        met = np.all(first < last, axis=1)
        for begin, end, vote in zip(first[met].tolist(), last[met].tolist(), tree.votes[met], strict=True):
            cells = tuple(slice(begin[i], end[i]) for i in wide)
            for j in np.flatnonzero(vote).tolist():
                at: tuple[Any, ...] = (j, *cells)
                votes[at] += vote[j]
    return _ahead(np.moveaxis(votes, 0, -1), label)


def _needed(low: Array, high: Array, box: Box, grow: Box) -> Array:
    """Growth needed to meet the interior of intervals (low, high], feature by feature, shapes (..., d)."""
    below, above = box.low - high, low - box.high  # distances to intervals below and above the box
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.maximum(
            np.where(below >= 0, np.where(grow.low < 0, below / -grow.low, np.inf), 0.0),
            np.where(above >= 0, np.where(grow.high > 0, above / grow.high, np.inf), 0.0),
        )
    # a box of width zero at the upper end of an interval is in it, as intervals are (low, high]
    return np.where((box.low == high) & (box.low == box.high), 0.0, steps)


def _nearest(edges: Sequence[Array], rivals: Array, box: Box, grow: Box) -> float:
    """Least growth needed to meet one of the cells; the domain, and so every box, meets the one cell of the others."""
    wide = _wide(edges)
    steps = np.zeros([1] * len(wide))
    for axis, i in enumerate(wide):
        own = Box(box.low[[i]], box.high[[i]]), Box(grow.low[[i]], grow.high[[i]])
        shape = [1] * len(wide)
        shape[axis] = len(edges[i]) - 1
        steps = np.maximum(steps, _needed(edges[i][:-1, None], edges[i][1:, None], *own).reshape(shape))
    return float(np.min(steps, where=rivals, initial=math.inf))


def _too_many(trees: Sequence[Tree], cells: int) -> SolverError:
    return SolverError(
        f"classifier: {len(trees)} trees cut the features that may change into {cells:.3g} cells, too many to look at, "
        f"and a search of {MOST_STEPS} steps does not find the nearest one of another class; let fewer features "
        "change, take fewer or shallower trees, or a sampled bound"
    )


class _NearestCell:
    """Depth-first search through the leaves of one tree after another, nearest first, pruned by growth and votes."""

    def __init__(self, trees: Sequence[Tree], label: int, box: Box, grow: Box, cells: int) -> None:
        self.trees, self.label, self.box, self.grow, self.cells = trees, label, box, grow, cells
        self.best, self.steps = math.inf, 0
        # the most that the remaining trees can add to a rival's vote less that of the class
        gains = [(t.votes - t.votes[:, [label]]).max(axis=0) for t in trees]
        self.gains = np.cumsum([np.zeros_like(gains[0]), *gains[::-1]], axis=0)[::-1]

    def needed(self, low: Array, high: Array) -> Array:
        """Growth needed to meet the interior of each cell, infinite for empty ones; shapes (leaves, d) to (leaves,)."""
        met = _needed(low, high, self.box, self.grow).max(axis=-1)
        return np.where(np.any(low >= high, axis=-1), np.inf, met)

    def visit(self, index: int, low: Array, high: Array, votes: Array) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _too_many(self.trees, self.cells)
        if index == len(self.trees):
            if _ahead(votes, self.label):
                self.best = min(self.best, float(self.needed(low, high)))
            return
        lead = votes - votes[self.label] + self.gains[index]
        lead[self.label] = -np.inf
        if not np.any(lead >= -TIE):
            return
        tree = self.trees[index]
        lows, highs = np.maximum(tree.low, low), np.minimum(tree.high, high)
        needed = self.needed(lows, highs)
        for leaf in np.argsort(needed, kind="stable"):
            if needed[leaf] >= self.best:
                return
            self.visit(index + 1, lows[leaf], highs[leaf], votes + tree.votes[leaf])
