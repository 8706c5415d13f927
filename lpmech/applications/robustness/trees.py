"""Decision trees and forests: leaves are boxes, and the nearest cell of another class is found by branch and bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lpmech.applications.robustness.exact import ExactClassifier
from lpmech.applications.robustness.regions import Box
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, MissingDependencyError
from lpmech.mechanisms.continuous import as_numbers

__all__ = ["Tree", "TreeEnsemble", "from_estimator"]

#: Sums of votes that differ by no more count as equal.
TIE = 1e-12


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
    Finding the nearest cell takes time exponential in the number of trees at worst; tens of shallow trees are fine.
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

    def growth(self, x: Array, box: Box, grow: Box, domain: Box) -> float:
        """Least growth at which the box meets a cell of another class."""
        label = int(self.predict(x[None, :])[0])
        search = _NearestCell(self.trees, label, box, grow, domain)
        start = np.nextafter(domain.low, -np.inf)  # cells are open below, the domain is not
        search.visit(0, start, domain.high, np.zeros(self.trees[0].votes.shape[1]))
        return search.best


class _NearestCell:
    """Depth-first search through the leaves of one tree after another, nearest first, pruned by growth and votes."""

    def __init__(self, trees: Sequence[Tree], label: int, box: Box, grow: Box, domain: Box) -> None:
        self.trees, self.label, self.box, self.grow, self.domain = trees, label, box, grow, domain
        self.best = math.inf
        # the most that the remaining trees can add to a rival's vote less that of the class
        gains = [(t.votes - t.votes[:, [label]]).max(axis=0) for t in trees]
        self.gains = np.cumsum([np.zeros_like(gains[0]), *gains[::-1]], axis=0)[::-1]

    def needed(self, low: Array, high: Array) -> Array:
        """Growth needed to meet the interior of each cell, infinite for empty ones; shapes (leaves, d) to (leaves,)."""
        below, above = self.box.low - high, low - self.box.high  # distances to cells below and above the box
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.maximum(
                np.where(below >= 0, np.where(self.grow.low < 0, below / -self.grow.low, np.inf), 0.0),
                np.where(above >= 0, np.where(self.grow.high > 0, above / self.grow.high, np.inf), 0.0),
            )
        # a box of width zero at the upper end of a cell is in it, as cells are (low, high]
        inside = (self.box.low == high) & (self.box.low == self.box.high)
        steps = np.where(inside, 0.0, steps)
        met = steps.max(axis=-1)
        return np.where(np.any(low >= high, axis=-1), np.inf, met)

    def visit(self, index: int, low: Array, high: Array, votes: Array) -> None:
        lead = votes - votes[self.label] + self.gains[index]
        lead[self.label] = -np.inf
        tied = np.abs(lead) <= TIE
        ahead = (lead > TIE) | (tied & (np.arange(len(lead)) < self.label))  # ties go to the first class
        if not np.any(ahead):
            return
        if index == len(self.trees):
            self.best = min(self.best, float(self.needed(low, high)))
            return
        tree = self.trees[index]
        lows, highs = np.maximum(tree.low, low), np.minimum(tree.high, high)
        needed = self.needed(lows, highs)
        for leaf in np.argsort(needed, kind="stable"):
            if needed[leaf] >= self.best:
                return
            self.visit(index + 1, lows[leaf], highs[leaf], votes + tree.votes[leaf])


def from_estimator(estimator: Any) -> TreeEnsemble:
    """The trees of a fitted decision tree or forest of scikit-learn.

    Labels are indices into ``classes_``.

    Parameters
    ----------
    estimator : DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier or ExtraTreesClassifier
        Fitted, with one label an example. Other ensembles of trees weight their members or hide features from them,
        so that the mean vote is not their prediction.

    Raises
    ------
    InvalidInputError
        If it is anything else.
    MissingDependencyError
        If scikit-learn is not installed.
    """
    try:
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
        from sklearn.tree import DecisionTreeClassifier
    except ModuleNotFoundError as exc:
        raise MissingDependencyError("scikit-learn", "learning") from exc

    known = isinstance(estimator, (DecisionTreeClassifier, RandomForestClassifier, ExtraTreesClassifier))
    if not known or getattr(estimator, "n_outputs_", 0) != 1:
        raise InvalidInputError("estimator", estimator, "a fitted tree or forest classifier for one label an example")
    members = getattr(estimator, "estimators_", [estimator])
    return TreeEnsemble([_leaves(member.tree_, int(member.tree_.n_features)) for member in members])


def _leaves(tree: Any, dimension: int) -> Tree:
    found: list[tuple[Array, Array, Array]] = []
    pending = [(0, np.full(dimension, -np.inf), np.full(dimension, np.inf))]
    while pending:
        node, low, high = pending.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left == right:  # a leaf
            values = np.asarray(tree.value[node][0], dtype=float)
            found.append((low, high, values / values.sum()))
            continue
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        below, above = high.copy(), low.copy()
        below[feature] = min(high[feature], threshold)
        above[feature] = max(low[feature], threshold)
        pending += [(left, low, below), (right, above, high)]
    lows, highs, votes = zip(*found, strict=True)
    return Tree(np.array(lows), np.array(highs), np.array(votes))
