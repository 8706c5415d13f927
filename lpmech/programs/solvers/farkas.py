"""Whether M x = r has a solution x >= 0, exactly, and the best one: a basic solution, or a proof of none (Farkas).

The first phase of the simplex method over the rationals, in FLINT's numbers: one artificial variable for each equation,
and their sum is made as small as it can be. Where it is zero there is a solution; else its prices y have y M <= 0 and
y r > 0, which no x >= 0 allows. Largest reduced cost first, and Bland's rule once the sum has not fallen for long: the
method ends for every system. The second phase goes on from there with an objective.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lpmech.entries import Array
from lpmech.errors import SolverError
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
        y with y M <= 0 and y r > 0 where there is no solution; with gains and a solution y M >= gains, y r = gains x.
    """

    basis: list[int]
    solution: Array | None
    prices: Array | None


def decide(matrix: Array, right: Array, gains: Array | None = None) -> Decided:
    """Solve M x = r with x >= 0, or prove that it cannot be; with gains make gains x as large as it can be.

    Parameters
    ----------
    matrix : ndarray of FLINT's rationals, shape (m, n)
    right : ndarray of FLINT's rationals, shape (m,)
        Not negative.
    gains : ndarray of FLINT's rationals, shape (n,), optional

    Raises
    ------
    SolverError
        If gains x has no largest value.
    """
    table, basis = _feasible(matrix, right)
    rows, columns = matrix.shape
    left = [i for i in range(rows) if basis[i] >= columns]
    if any(table[i, -1] > 0 for i in left):
        return Decided(basis, None, table[left, columns:-1].sum(axis=0))
    prices = None
    if gains is not None:
        every = np.concatenate([gains, to_flint(np.zeros(rows, dtype=int))])
        _climb(table, basis, gains - every[basis].dot(table[:, :columns]))
        prices = every[basis].dot(table[:, columns:-1])
    solution = to_flint(np.zeros(columns, dtype=int))
    for i, column in enumerate(basis):
        if column < columns:
            solution[column] = table[i, -1]
    return Decided(basis, solution, prices)


def _feasible(matrix: Array, right: Array) -> tuple[Array, list[int]]:
    """The table (M, artificial variables, r) and its basis after the first phase.

    Where the sum of the artificial variables is zero, those left in the basis belong to equations that follow.
    """
    rows, columns = matrix.shape
    table = np.hstack([matrix, to_flint(np.eye(rows, dtype=int)), right[:, None]])
    basis = [columns + i for i in range(rows)]
    _climb(table, basis, table[:, :columns].sum(axis=0))
    left = [i for i in range(rows) if basis[i] >= columns]
    if not any(table[i, -1] > 0 for i in left):
        for i in left:
            real = np.flatnonzero(table[i, :columns] != 0)
            if len(real):
                _pivot(table, i, int(real[0]))
                basis[i] = int(real[0])
    return table, basis


def _climb(table: Array, basis: list[int], gains: Array) -> None:
    """Exchange columns until no reduced gain, one for each column of M, is positive."""
    rows, columns, idle = len(table), len(gains), 0
    while len(candidates := np.flatnonzero(gains > 0)):
        bland = idle > _PATIENCE * rows
        entering = int(candidates[0] if bland else candidates[np.argmax(gains[candidates])])
        blocking = np.flatnonzero(table[:, entering] > 0)
        if not len(blocking):
            raise SolverError("the objective has no largest value")
        leaving = int(min(blocking, key=lambda i: (table[i, -1] / table[i, entering], basis[i])))
        idle = idle + 1 if table[leaving, -1] == 0 else 0
        _pivot(table, leaving, entering)
        gains = gains - gains[entering] * table[leaving, :columns]
        basis[leaving] = entering


def _pivot(table: Array, row: int, column: int) -> None:
    """Make the column a unit vector with its one in the row."""
    table[row] = table[row] / table[row, column]
    used = np.flatnonzero(table[row] != 0)
    for i in np.flatnonzero(table[:, column] != 0):
        if i != row:
            factor: Any = table[i, column]
            table[i, used] = table[i, used] - factor * table[row, used]
