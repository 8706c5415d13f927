"""An exact simplex method over the extreme columns of private channels.

The nonnegative columns with max <= t min form a cone whose extreme rays are the vectors v_S with t on a set S of
inputs and 1 elsewhere. A private channel is therefore q[:, j] = sum_S lambda_{j,S} v_S with lambda >= 0, and the
program has one equation per row sum and per fixed entry, in exponentially many lambda. Given duals pi (and mu of the
fixed entries) the most promising S of output j is {y: w[y, j] - mu[y, j] - pi_y > 0}, so pricing is the dual
constraint of `lpmech.programs.optimality.dual_excess`, and only columns that enter are ever written down.

Artificial columns, which must vanish, cost minus an infinitely large M: costs are pairs, compared lexicographically.
Guessed columns are completed to a basis by unit columns, all artificial; a column whose level comes out negative is
negated and becomes artificial too. So a basis that is almost optimal is repaired in few pivots, and no guess at all is
a start as well. The lexicographic ratio test excludes cycling: the method ends for every program, however degenerate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import InfeasibleProgramError, SolverError
from lpmech.linear_algebra import flint_number, from_flint, independent_columns, inverse, to_flint
from lpmech.programs.general import Solution
from lpmech.programs.optimality import dual_excess

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["ExtremeColumn", "Simplex", "optimal_columns", "solve_by_simplex"]

#: An output j and the set S of inputs at t.
ExtremeColumn = tuple[int, frozenset[int]]


def solve_by_simplex(program: Program, guess: Sequence[ExtremeColumn] = ()) -> Solution:
    """Solve an exact program by exact pivoting.

    Parameters
    ----------
    program : Program
        Exact level, weights and fixed entries.
    guess : sequence of ExtremeColumn
        Columns expected in the optimal basis.

    Raises
    ------
    InfeasibleProgramError
        If no private channel has the fixed entries (proved: the artificial variables cannot vanish).
    """
    simplex, pivots = _solved(program, guess)
    return simplex.solution({"solver": "exact", "form": "extreme columns", "pivots": pivots})


def optimal_columns(program: Program, guess: Sequence[ExtremeColumn] = ()) -> list[ExtremeColumn]:
    """The extreme columns of an optimal basis, for as many equations as there are rows and fixed entries.

    Raises
    ------
    InfeasibleProgramError
        As for `solve_by_simplex`.
    SolverError
        If an equation is redundant, so that no basis is made of extreme columns alone.
    """
    basis = _solved(program, guess)[0].basis
    columns = [column for column in basis if column is not None]
    if len(columns) < len(basis):
        raise SolverError("the fixed entries are redundant: no basis of extreme columns")
    return columns


def _solved(program: Program, guess: Sequence[ExtremeColumn]) -> tuple[Simplex, int]:
    """The state at an optimum, and the number of pivots."""
    simplex = Simplex(program, guess)
    pivots = 0
    while (column := simplex.best_column()) is not None:
        simplex.enter(column)
        pivots += 1
    if any(level != 0 for level, column in zip(simplex.level, simplex.basis, strict=True) if column is None):
        raise InfeasibleProgramError(f"no channel at {program.level} has the fixed entries {dict(program.fixed)!r}")
    return simplex, pivots


class Simplex:
    """The state: basic columns (None for an artificial one), their levels, costs and the inverse of the basis matrix.

    With `right`, one number for each equation and none negative, a subclass has other equations and columns besides.

    `order` holds the rows that break ties of the ratio test; it starts as the identity and is updated like the inverse.
    """

    def __init__(self, program: Program, guess: Sequence[ExtremeColumn], right: Array | None = None) -> None:
        from flint import fmpq

        self.program = program
        self.zero, self.one = fmpq(0), fmpq(1)
        self.ratio = flint_number(program.level.ratio)
        self.weights = to_flint(program.weights)
        self.fixed = list(program.fixed)
        if right is None:
            right = np.array([1] * len(program.weights) + list(program.fixed.values()), dtype=object)
        size = len(right)
        self.order = to_flint(np.eye(size, dtype=int))
        columns = [self._coefficients(column) for column in guess]
        matrix = np.stack([*columns, *self.order], axis=1)
        chosen = independent_columns(from_flint(matrix))
        self.basis: list[Any] = [guess[i] if i < len(guess) else None for i in chosen]
        self.inverse = to_flint(inverse(from_flint(matrix[:, chosen])))
        self.level = self.inverse.dot(to_flint(right))
        self.cost = np.array([self._cost(column) for column in self.basis], dtype=object)
        for i in np.flatnonzero(self.level < 0):
            self.basis[i], self.level[i], self.inverse[i] = None, -self.level[i], -self.inverse[i]
            self.cost[i] = self._cost(None)

    def enter(self, column: Any) -> None:
        """Exchange the column for the basic variable that the lexicographic ratio test names."""
        direction = self.inverse.dot(self._coefficients(column))
        blocking = [i for i, d in enumerate(direction) if d > 0]
        leaving = min(blocking, key=lambda i: (self.level[i] / direction[i], *(self.order[i] / direction[i])))
        for rows in (self.level, self.order, self.inverse):
            rows[leaving] = rows[leaving] / direction[leaving]
            for i, d in enumerate(direction):
                if i != leaving and d != 0:
                    rows[i] = rows[i] - d * rows[leaving]
        self.basis[leaving], self.cost[leaving] = column, self._cost(column)

    def best_column(self) -> Any:
        """The column of largest reduced cost, or None if none is positive."""
        infinite, finite = self._reduced(0), self._reduced(1)
        best: tuple[Any, Any] = (self.zero, self.zero)
        entering: ExtremeColumn | None = None
        for j in range(self.weights.shape[1]):
            pairs = list(zip(infinite[:, j], finite[:, j], strict=True))
            high = frozenset(y for y, pair in enumerate(pairs) if pair > (0, 0))
            heights = self._heights(high)
            price = ((heights * infinite[:, j]).sum(), (heights * finite[:, j]).sum())
            if price > best:
                best, entering = price, (j, high)
        return entering

    def solution(self, statistics: dict[str, Any]) -> Solution:
        """The solution with its proof; M becomes a number large enough for the duals to be feasible."""
        program, rows = self.program, len(self.weights)
        infinite, finite = self.cost[:, 0].dot(self.inverse), self.cost[:, 1].dot(self.inverse)
        large = self.one
        while True:
            duals = from_flint(large * infinite + finite)
            fixed_duals = dict(zip(self.fixed, duals[rows:].tolist(), strict=True))
            if max(dual_excess(program.weights, program.level.ratio, duals[:rows], fixed_duals)) <= 0:
                break
            large = 2 * large
        channel = Channel(from_flint(self.matrix()), program.inputs, program.outputs)
        return Solution(program, channel, duals[:rows], fixed_duals, statistics)

    def matrix(self) -> Array:
        """The channel of the extreme columns in the basis."""
        matrix = np.full(self.weights.shape, self.zero, dtype=object)
        for column, level in zip(self.basis, self.level, strict=True):
            if isinstance(column, tuple):
                matrix[:, column[0]] += level * self._heights(column[1])
        return matrix

    def _cost(self, column: ExtremeColumn | None) -> list[Any]:
        """The multiple of M and the finite part."""
        if column is None:
            return [-self.one, self.zero]
        output, high = column
        return [self.zero, (self._heights(high) * self.weights[:, output]).sum()]

    def _heights(self, high: frozenset[int]) -> Array:
        return np.array([self.ratio if y in high else self.one for y in range(len(self.weights))], dtype=object)

    def _coefficients(self, column: ExtremeColumn) -> Array:
        output, high = column
        heights = self._heights(high)
        own = [heights[y] if j == output else self.zero for y, j in self.fixed]
        return np.array([*heights, *own], dtype=object)

    def _reduced(self, part: int) -> Array:
        """Weight minus duals of every entry: the multiple of M (part 0) or the finite part (1), shape (K, J)."""
        duals = self.cost[:, part].dot(self.inverse)
        weights = self.weights if part else np.full(self.weights.shape, self.zero, dtype=object)
        reduced = weights - duals[: len(weights), None]
        for (y, j), mu in zip(self.fixed, duals[len(weights) :], strict=True):
            reduced[y, j] = reduced[y, j] - mu
        return reduced
