"""Which labels a problem cannot tell apart, and one order of the labels that their names and their order do not change.

A renaming of the labels moves rows and columns of the utility and the prior together; one that changes neither is an
automorphism. Colour refinement finds classes of labels, and of pairs of labels, that every automorphism keeps: two
labels get one colour as long as they have the same prior and see the same utilities, both ways, towards as many labels
of each colour. Averaging a channel over classes of pairs keeps row sums, private columns and the expected utility
(every row of a class has as many entries of each class, and so has every column: a fractional automorphism of the
linear program; Grohe, Kersting, Mladenov, Selman, "Dimension reduction via colour refinement", 2014). It does so in
rational arithmetic, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lpmech.common_denominators import over_one_denominator
from lpmech.entries import Array, is_exact

__all__ = ["Symmetry", "symmetry_of"]

#: So many orders are compared at most where a class has several; then the best of these is taken.
_MOST_ORDERS = 500
#: Whole numbers up to so many times their number are ranked without being sorted.
_DENSE = 8


@dataclass(frozen=True)
class Symmetry:
    """The canonical order of labels, and the classes of labels and of pairs in that order.

    Attributes
    ----------
    order : ndarray of int, shape (K,)
        Positions of the labels, by falling prior first: problems that differ by a renaming are the same in it.
    labels : ndarray of int, shape (K,)
        Class of each label, in the canonical order.
    pairs : ndarray of int, shape (K, K)
        Class of each pair (true, released), in the canonical order.
    """

    order: Array
    labels: Array
    pairs: Array

    @cached_property
    def discrete(self) -> bool:
        """Whether all labels can be told apart."""
        return int(self.labels.max()) == len(self.labels) - 1

    @cached_property
    def back(self) -> Array:
        """The place of each label in the canonical order, shape (K,)."""
        return np.argsort(self.order)

    @cached_property
    def _alike(self) -> tuple[Array, Array, Array]:
        """Places of the pairs that have others of their class, these classes in turn, and how many pairs each has."""
        classes = self.pairs.ravel()
        at = np.flatnonzero(np.bincount(classes)[classes] > 1)
        kinds = _ranks(classes[at])
        return at, kinds, np.bincount(kinds)

    def average(self, matrix: Array) -> Array:
        """A matrix in the canonical order, exact or float, averaged over the classes of pairs: equal for equal ones."""
        if self.discrete:
            return matrix
        at, kinds, often = self._alike
        found = matrix.flatten()
        found[at] = _averaged(found[at], kinds, often)
        return found.reshape(matrix.shape)

    def average_labels(self, values: Array) -> Array:
        """The same for a number for each label."""
        return values if self.discrete else _averaged(values, self.labels, np.bincount(self.labels))

    def reordered(self, places: Array) -> Symmetry:
        """The same classes in another order, given by places in this one."""
        return Symmetry(self.order[places], self.labels[places], self.pairs[places][:, places])


def symmetry_of(utility: Array, prior: Array) -> Symmetry:
    """The canonical order and the classes of a problem.

    Parameters
    ----------
    utility : ndarray, shape (K, K)
        Compared exactly.
    prior : ndarray of Fraction, shape (K,)
        Compared exactly.

    Notes
    -----
    Where refinement leaves classes whose order matters, one label after the other is singled out and the order is taken
    of which the utility is least, as programs for graph isomorphism do; labels that a found automorphism exchanges are
    tried once. After 500 orders the best so far is taken, which only utilities of a contrived kind need.
    """
    size = len(prior)
    colours = _ranks(-prior)
    if colours.max() == size - 1:
        order = np.argsort(colours)
        return Symmetry(order, np.arange(size), np.arange(size * size).reshape(size, size))
    values = _ranks(utility)
    codes = _ranks(values * (values.max() + 1) + values.T) * 2 + np.eye(size, dtype=np.int64)
    colours = _refined(codes, colours)
    order = _Orders(codes).least(colours)[1]
    labels, codes = colours[order], codes[order][:, order]
    kinds = (labels[:, None] * size + labels) * (codes.max() + 1) + codes
    return Symmetry(order, labels, _ranks(kinds))


def _averaged(values: Array, classes: Array, often: Array) -> Array:
    flat, entries = classes.ravel(), values.ravel()
    means: Array = np.zeros(len(often), dtype=values.dtype)
    means[flat] = entries  # one of each class, so that equal entries stay what they are
    if is_exact(values):
        moved = entries - means[flat]
        at = np.flatnonzero(moved)
        np.add.at(means, flat[at], moved[at] / often.astype(object)[flat[at]])
    else:
        means += np.bincount(flat, weights=entries - means[flat]) / often
    return means[flat].reshape(values.shape)


def _ranks(values: Array) -> Array:
    """The place of each value among the distinct ones, the least first, compared exactly."""
    if values.dtype.kind == "i" and values.min() >= 0 and values.max() < _DENSE * values.size:
        occurs = np.zeros(int(values.max()) + 1, dtype=bool)
        occurs[values] = True
        found: Array = (np.cumsum(occurs) - 1)[values]
        return found
    if not is_exact(values):
        return np.unique(values, return_inverse=True)[1].reshape(values.shape).astype(np.int64)
    whole = over_one_denominator(values)
    flat = (values if whole is None else whole[0][0]).ravel().tolist()
    place = {value: rank for rank, value in enumerate(sorted(set(flat)))}
    return np.array([place[value] for value in flat], dtype=np.int64).reshape(values.shape)


def _refined(codes: Array, colours: Array) -> Array:
    """The coarsest refinement in which labels of one colour see the same codes towards as many labels of each colour.

    Colours keep their order, and those that one is split into are ordered by what they see.
    """
    while True:
        seen = np.sort(codes * len(codes) + colours, axis=1)
        keys = [(colour, row.tobytes()) for colour, row in zip(colours.tolist(), seen, strict=True)]
        place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
        if len(place) == colours.max() + 1:
            return colours
        colours = np.array([place[key] for key in keys], dtype=np.int64)


class _Orders:
    """The orders of labels that refinement and singling out lead to."""

    def __init__(self, codes: Array) -> None:
        self.codes, self.tried = codes, 0

    def least(self, colours: Array) -> tuple[bytes, Array]:
        """The least matrix of codes, as bytes, and an order that gives it."""
        members = self._undecided(colours)
        if members is None:
            self.tried += 1
            order = np.argsort(colours, kind="stable")
            return self.codes[order][:, order].tobytes(), order
        best: tuple[bytes, Array] | None = None
        orbits, done = list(range(len(colours))), set[int]()
        for label in members.tolist():
            if any(orbits[label] == orbits[other] for other in done):
                continue
            if best is not None and self.tried >= _MOST_ORDERS:
                break
            done.add(label)
            single = 2 * colours + 1
            single[label] -= 1
            found = self.least(_refined(self.codes, _ranks(single)))
            if best is not None and found[0] == best[0]:
                for one, other in zip(best[1].tolist(), found[1].tolist(), strict=True):
                    kept, gone = orbits[one], orbits[other]
                    orbits = [kept if orbit == gone else orbit for orbit in orbits] if kept != gone else orbits
            elif best is None or found[0] < best[0]:
                best = found
        assert best is not None
        return best

    def _undecided(self, colours: Array) -> Array | None:
        """The labels of the first class whose order matters, if any: codes between two classes are not all the same."""
        size, most = len(colours), int(self.codes.max()) + 1
        kinds = np.sort((colours[:, None] * size + colours) * most + self.codes, axis=None)
        kinds = kinds[np.diff(kinds, prepend=-1) > 0]
        blocks = kinds[kinds % most % 2 == 0] // most  # odd codes are the diagonal, a kind of its own
        mixed = blocks[1:][blocks[1:] == blocks[:-1]]
        return np.flatnonzero(colours == mixed[0] // size) if mixed.size else None
