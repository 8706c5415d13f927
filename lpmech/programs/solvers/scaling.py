"""Weights in the units of a solver: what a row gains over its largest weight, in units of the largest difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lpmech.entries import Array
from lpmech.errors import UtilityError

__all__ = ["Scaled", "scaled"]

#: Largest and smallest difference within a row of weights that floats can carry through a solver.
_RANGE = (1e-250, 1e250)


@dataclass(frozen=True)
class Scaled:
    """An objective in units that suit any solver; rows sum to one, so the best channels are the same.

    Attributes
    ----------
    top : ndarray, shape (K,)
        Largest weight of each row.
    unit : float
        The largest difference within a row; one if no row varies.
    varies : ndarray of bool, shape (K,)
        Which rows vary.
    """

    top: Array
    unit: float
    varies: Array

    def gain(self, weights: Array) -> Array:
        """(weights - top) / unit, in [-1, 0], of some columns of the weights."""
        found: Array = weights - self.top[:, None]
        found /= self.unit
        return found

    def duals(self, found: Array) -> Array:
        """Row duals of the weights from those of `gain`."""
        return self.top + self.unit * found


def scaled(weights: Array) -> Scaled:
    """The units of float weights, shape (K, J).

    Raises
    ------
    UtilityError
        If the weights of a row differ by more than 1e250, or all differ by less than 1e-250.
    """
    top = weights.max(axis=1)
    with np.errstate(over="ignore"):
        spread = top - weights.min(axis=1)
    largest = float(spread.max())
    if largest > 0 and not _RANGE[0] <= largest <= _RANGE[1]:
        raise UtilityError("weights", largest, f"rows whose entries differ by {_RANGE[0]:g} to {_RANGE[1]:g}, or not")
    return Scaled(top, largest if largest > 0 else 1.0, spread > 0)
