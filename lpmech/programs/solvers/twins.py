"""Inverses and products of matrices that know labels by their class only: of the size of the classes.

Twins are labels of which any two may be exchanged for themselves, such as those of equal counts where only hits count.
A matrix that is the same for twins is diag(e) + P B P^T: P says which class a label is of, B has an entry for each pair
of classes, and e is the same in a class. On vectors that sum to zero in every class it is e; on those that are constant
there it is diag(e) + B N, N the sizes of the classes. So are its inverse and its products with others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lpmech.entries import Array
from lpmech.programs.symmetry import Symmetry

__all__ = ["Twins", "twins_of"]

#: So many labels for each class are worth it.
_WORTH = 2


@dataclass(frozen=True)
class Twins:
    """Classes of labels, any two of one of which are twins.

    Attributes
    ----------
    labels : ndarray of int, shape (K,)
        Class of each label, all from 0 on.
    first, last : ndarray of int, shape (n,)
        A label of each class, and another one, but for classes of one label.
    sizes : ndarray of int, shape (n,)
        How many labels each class has.
    """

    labels: Array
    first: Array
    last: Array
    sizes: Array

    def inverse(self, matrix: Array) -> Array:
        """The inverse of a matrix that is the same for twins.

        Raises
        ------
        numpy.linalg.LinAlgError
            If it has none.
        """
        own, between = self._parts(matrix)
        if not own.all():
            raise np.linalg.LinAlgError("two rows are the same")
        constant = np.linalg.inv(np.diag(own) + between * self.sizes)
        return self._whole(1 / own, (constant - np.diag(1 / own)) / self.sizes)

    def product(self, one: Array, other: Array) -> Array:
        """The product of two matrices that are the same for twins."""
        (own, between), (more, beside) = self._parts(one), self._parts(other)
        both = own[:, None] * beside + between * more + (between * self.sizes) @ beside
        return self._whole(own * more, both)

    def _parts(self, matrix: Array) -> tuple[Array, Array]:
        """e and B of a matrix; where a label is alone its e can be chosen, and is one."""
        between = matrix[np.ix_(self.first, self.last)]
        own = np.where(self.sizes > 1, matrix[self.first, self.first] - between.diagonal(), 1.0)
        np.fill_diagonal(between, matrix[self.first, self.first] - own)
        return own, between

    def _whole(self, own: Array, between: Array) -> Array:
        found: Array = between[self.labels][:, self.labels]
        found[np.diag_indices_from(found)] += own[self.labels]
        return found


def twins_of(symmetry: Symmetry) -> Twins | None:
    """The twins among the labels, in the canonical order; None if a class has others, or they are few."""
    labels, pairs = symmetry.labels, symmetry.pairs
    _, first, classes = np.unique(labels, return_index=True, return_inverse=True)
    if _WORTH * len(first) > len(labels):
        return None
    last = len(labels) - 1 - np.unique(classes[::-1], return_index=True)[1]
    expected = pairs[np.ix_(first, last)][classes][:, classes]
    np.fill_diagonal(expected, pairs[first, first][classes])
    if not np.array_equal(expected, pairs):
        return None
    return Twins(classes, first, last, np.bincount(classes))
