"""Simplex bases of the substituted form, in the few numbers that determine them.

Substitute q[y, j] = m_j + x[y, j] with 0 <= x[y, j] <= (t - 1) m_j (every channel has this form with m_j the
column minimum, see `lpmech.programs.solvers.formulations.column_floor_form`). In a basic solution every x[y, j] is low
(zero), high ((t - 1) m_j) or free, and every m_j is basic or zero. Inserting the low and the high ones leaves
one equation per row sum and per fixed entry in as many unknowns: the basic m_j and the free x[y, j].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix

from lpmech.entries import Array, is_exact, to_float
from lpmech.errors import InfeasibleProgramError
from lpmech.programs.solvers.highs import minimise

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["Basis", "FloatStart", "float_basis", "substituted_form"]

#: Exact weights from this on, up to its inverse, become floats as they are.
_SMALL = Fraction(1, 10**290)
#: Least unit of an entry (coefficients are at most its inverse) and least share of the floor in a row sum: with none at
#: all HiGHS more often ends at a basis that is not optimal.
_LEAST_UNIT, _LEAST_SHARE = 1e-12, 1e-10


@dataclass(frozen=True)
class Basis:
    """A basis of the substituted form.

    Attributes
    ----------
    floors : tuple of int
        Outputs j whose floor m_j is basic; the others have m_j = 0.
    free : tuple of (int, int)
        Entries (y, j) strictly between floor and ceiling, in the non-degenerate case.
    high : ndarray of bool, shape (K, J)
        Entries at the ceiling t m_j.
    equations : tuple of int
        The row sums 0..K-1 and fixed entries K..K+F-1 that determine the unknowns; any other one has the dual
        value zero and must hold by itself.
    """

    floors: tuple[int, ...]
    free: tuple[tuple[int, int], ...]
    high: Array
    equations: tuple[int, ...]

    def system(
        self, weights: Array, fixed: Mapping[tuple[int, int], Any], ratio: Any, one: Any
    ) -> tuple[list[list[Any]], list[Any], list[Any]]:
        """The square linear system of the basis in any field.

        Parameters
        ----------
        weights : ndarray, shape (K, J)
            Objective, field elements.
        fixed : mapping (int, int) -> field element
            Prescribed entries.
        ratio, one : field elements
            t and 1.

        Returns
        -------
        matrix : list of lists
            Rows: `equations`; columns: `floors`, then `free`.
        right : list
            1 for row sums, the values of the fixed entries.
        objective : list
            Weight of each unknown; the duals of the equations solve matrix^T d = objective.
        """
        rows = len(weights)
        zero = one - one
        height = [[ratio if h else one for h in line] for line in self.high.tolist()]

        def coefficients(y: int, entries: set[int] | None) -> list[Any]:
            line = [height[y][j] if entries is None or j in entries else zero for j in self.floors]
            return line + [one if z == y and (entries is None or j in entries) else zero for z, j in self.free]

        matrix = [coefficients(y, None) for y in range(rows)]
        matrix += [coefficients(y, {j}) for y, j in fixed]
        right = [one] * rows + [one * value for value in fixed.values()]
        objective = [sum((height[y][j] * weights[y, j] for y in range(rows)), zero) for j in self.floors]
        objective += [one * weights[y, j] for y, j in self.free]
        return [matrix[i] for i in self.equations], [right[i] for i in self.equations], objective

    def duals(self, solved: list[Any], size: int, one: Any) -> list[Any]:
        """Duals of all `size` row sums and fixed entries from those of the equations."""
        every = [one - one] * size
        for i, value in zip(self.equations, solved, strict=True):
            every[i] = value
        return every

    def channel(self, unknowns: list[Any], shape: tuple[int, int], ratio: Any, one: Any) -> list[list[Any]]:
        """The matrix q from the solved unknowns."""
        zero = one - one
        floors = [zero] * shape[1]
        for j, value in zip(self.floors, unknowns, strict=False):
            floors[j] = value
        matrix = [[floors[j] * (ratio if self.high[y, j] else one) for j in range(shape[1])] for y in range(shape[0])]
        for (y, j), value in zip(self.free, unknowns[len(self.floors) :], strict=True):
            matrix[y][j] += value
        return matrix


def float_basis(program: Program, start: FloatStart | None = None) -> Basis:
    """An optimal basis found by the simplex method of HiGHS in floats.

    Parameters
    ----------
    program : Program
        What is maximised.
    start : FloatStart, optional
        Where to begin; it takes the basis that is found. Of a program that differs in the level only.

    Raises
    ------
    InfeasibleProgramError
        If HiGHS finds no channel with the fixed entries.
    SolverError
        If HiGHS stops otherwise.
    """
    start = start or FloatStart(program)
    rows, columns = program.weights.shape
    matrix, right, unit = substituted_form(program)
    objective = np.concatenate([start.weights.sum(axis=0) / float(program.level.ratio), (start.weights * unit).ravel()])
    lower = right.copy()
    lower[-rows * columns :] = -np.inf
    try:
        stop = minimise(-objective, matrix, lower, right, start.basis)
    except InfeasibleProgramError as exc:
        fixed = dict(program.fixed)
        raise InfeasibleProgramError(f"no channel at {program.level} has the fixed entries {fixed!r}") from exc
    start.basis = stop.start
    return _read(program, stop.columns, stop.rows)


class FloatStart:
    """What one program has in floats at every level, and the basis of HiGHS that was found last.

    Attributes
    ----------
    weights : ndarray, shape (K, J)
        In moderate units.
    basis : object or None
        As HiGHS has it.
    """

    def __init__(self, program: Program) -> None:
        self.weights = _in_moderate_units(program.weights)
        self.basis: Any = None


def _in_moderate_units(weights: Array) -> Array:
    """The weights in floats; exact ones too large or too small for these in units of the largest."""
    largest = abs(weights).max()
    if is_exact(weights) and largest and not _SMALL < largest < 1 / _SMALL:
        return to_float(weights / largest)
    return to_float(weights)


def substituted_form(program: Program) -> tuple[Any, Array, Array]:
    """The substituted form in floats: columns t m_j, then x[y, j] in units; rows: sums, fixed entries, x <= (t - 1) m.

    The ceilings t m_j stand for the floors, and a fixed entry for the unit of its x, so that no coefficient is large
    however large the ratio and however small the entry; the row of a fixed entry is in its unit, too.

    Returns
    -------
    matrix : csc_matrix, shape (K + F + K J, J + K J)
    right : ndarray, shape (K + F + K J,)
        The first K + F rows are equal to it, the others at most.
    unit : ndarray, shape (K, J)
    """
    rows, columns = program.weights.shape
    t, unit = float(program.level.ratio), np.ones((rows, columns))
    for key, value in program.fixed.items():
        unit[key] = max(float(value), _LEAST_UNIT) if value else 1.0
    y, j = (index.ravel() for index in np.indices((rows, columns)))
    x = columns + np.arange(rows * columns)
    fixed = np.array(list(program.fixed), dtype=int).reshape(-1, 2)
    own = unit[fixed[:, 0], fixed[:, 1]]
    fixed_rows = rows + np.arange(len(fixed))
    bounds = rows + len(fixed) + np.arange(rows * columns)
    units, ones = unit.ravel(), np.ones(rows * columns)
    entries = [
        (np.maximum(ones / t, _LEAST_SHARE), y, j),
        (units, y, x),
        (1 / (t * own), fixed_rows, fixed[:, 1]),
        (np.ones(len(fixed)), fixed_rows, columns + fixed[:, 0] * columns + fixed[:, 1]),
        (ones, bounds, x),
        ((1 / t - 1) / units, bounds, j),
    ]
    values, row, column = (np.concatenate(part) for part in zip(*entries, strict=True))
    shape = (rows + len(fixed) + rows * columns, columns + rows * columns)
    right = [np.ones(rows), np.array([float(v) for v in program.fixed.values()]) / own, np.zeros(rows * columns)]
    return csc_matrix(coo_matrix((values, (row, column)), shape)), np.concatenate(right), unit


def _read(program: Program, basic_columns: Array, basic_rows: Array) -> Basis:
    rows, columns = program.weights.shape
    moves = basic_columns[columns:].reshape(rows, columns)
    slack = basic_rows[-rows * columns :].reshape(rows, columns)
    pinned = (~moves & ~slack).any(axis=0)  # x = 0 and x = (t - 1) m both active: the floor is zero
    floors = tuple(int(j) for j in np.flatnonzero(basic_columns[:columns] & ~pinned))
    free = tuple((int(y), int(j)) for y, j in np.argwhere(moves & slack))
    equations = tuple(int(i) for i in np.flatnonzero(~basic_rows[: -rows * columns]))
    return Basis(floors, free, moves & ~slack, equations)
