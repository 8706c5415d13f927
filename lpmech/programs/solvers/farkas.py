"""Whether M x = r has a solution x >= 0, exactly: a basic solution, or a proof that there is none (Farkas).

The first phase of the simplex method over the rationals, in FLINT's numbers: one artificial variable for each equation,
and their sum is made as small as it can be. Where it is zero there is a solution; else its prices y have y M <= 0 and
y r > 0, which no x >= 0 allows. Largest reduced cost first, and Bland's rule once the sum has not fallen for long: the
method ends for every system.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lpmech.entries import Array
from lpmech.linear_algebra import to_flint

__all__ = ["Decided", "decide"]

#: Pivots without progress, for each equation, after which Bland's rule takes over.
_PATIENCE = 3


class Decided(NamedTuple):
    """What was found about M x = r, x >= 0, with n columns.

    Attributes
    ----------
    basis : list of int
        A column for each equation; n + i is the artificial variable of equation i.
    solution : ndarray of FLINT's rationals, shape (n,), or None
        A basic solution; artificial variables that are left belong to equations that follow from the others.
    prices : ndarray of FLINT's rationals, one for each equation, or None
        y with y M <= 0 and y r > 0 where there is no solution.
    """

    basis: list[int]
    solution: Array | None
    prices: Array | None


def decide(matrix: Array, right: Array) -> Decided:
    """Solve M x = r with x >= 0, or prove that it cannot be.

    Parameters
    ----------
    matrix : ndarray of FLINT's rationals, shape (m, n)
    right : ndarray of FLINT's rationals, shape (m,)
        Not negative.
    """
    rows, columns = matrix.shape
    table = np.hstack([matrix, to_flint(np.eye(rows, dtype=int)), right[:, None]])
    basis = [columns + i for i in range(rows)]
    cost = table[:, :columns].sum(axis=0)
    idle = 0
    while True:
        candidates = np.flatnonzero(cost > 0)
        if not len(candidates):
            break
        bland = idle > _PATIENCE * rows
        entering = int(candidates[0] if bland else candidates[np.argmax(cost[candidates])])
        blocking = np.flatnonzero(table[:, entering] > 0)
        leaving = int(min(blocking, key=lambda i: (table[i, -1] / table[i, entering], basis[i])))
        idle = idle + 1 if table[leaving, -1] == 0 else 0
        _pivot(table, leaving, entering)
        cost = cost - cost[entering] * table[leaving, :columns]
        basis[leaving] = entering
    left = [i for i in range(rows) if basis[i] >= columns]
    if any(table[i, -1] > 0 for i in left):
        return Decided(basis, None, table[left, columns:-1].sum(axis=0))
    for i in left:
        real = np.flatnonzero(table[i, :columns] != 0)
        if len(real):
            _pivot(table, i, int(real[0]))
            basis[i] = int(real[0])
    solution = to_flint(np.zeros(columns, dtype=int))
    for i, column in enumerate(basis):
        if column < columns:
            solution[column] = table[i, -1]
    return Decided(basis, solution, None)


def _pivot(table: Array, row: int, column: int) -> None:
    """Make the column a unit vector with its one in the row."""
    table[row] = table[row] / table[row, column]
    used = np.flatnonzero(table[row] != 0)
    for i in np.flatnonzero(table[:, column] != 0):
        if i != row:
            factor: Any = table[i, column]
            table[i, used] = table[i, used] - factor * table[row, used]
