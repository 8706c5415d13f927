"""Unbiased release of numbers: HiGHS in floats, and exact pivoting on extreme columns, from its answer or from none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array, eye_array, hstack, kron, vstack

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_exact, to_float
from lpmech.errors import ProgramError, SolverError
from lpmech.linear_algebra import from_flint, to_flint
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.programs.optimality import dual_excess
from lpmech.programs.solvers.formulations import LARGEST_RATIO
from lpmech.programs.solvers.simplex import ExtremeColumn, Simplex
from lpmech.programs.unbiased import Unbiased, UnbiasedProgram, dips, square_errors

__all__ = ["MOST_EXACT", "refined", "solve_unbiased"]

#: Largest programs: entries of the channel.
MOST_EXACT, _MOST_FLOAT = 10_000, 40_000
#: Entries of HiGHS's answer, relative to the largest of their column, that are taken for the column's ends.
_NEAR = 1e-6


def solve_unbiased(program: UnbiasedProgram, solver: str = "exact") -> Unbiased:
    """The unbiased private channel of least expected square error on the grid.

    Parameters
    ----------
    program : UnbiasedProgram
    solver : {"exact", "float"}
        Exactly: a basic solution, with at most 2 K outputs, whose value and bound are equal; of a float level at the
        rational ratio just below it. In floats: HiGHS's channel, unbiased up to rounding, with an exact bound.

    Raises
    ------
    ProgramError
        If the program is too large, or there is no such solver.
    SolverError
        If HiGHS fails.

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.programs.unbiased import UnbiasedProgram, even_grid
    >>> level = PrivacyLevel.from_ratio(3)
    >>> program = UnbiasedProgram.of([0, 1], [0.5, 0.5], even_grid([0, 1], level, 9), level)
    >>> found = solve_unbiased(program)
    >>> found.value, [str(z) for z in found.outputs]  # t / (t - 1)^2, by debiased randomised response
    (Fraction(3, 4), ['-1/2', '3/2'])
    """
    if solver not in ("exact", "float"):
        raise ProgramError("solver", solver, "'exact' or 'float'")
    size, most = program.errors.size, MOST_EXACT if solver == "exact" else _MOST_FLOAT
    if size > most:
        raise ProgramError("grid", f"{size} entries of the channel", f"at most {most} for the solver {solver!r}")
    try:
        found = _in_floats(program)
    except SolverError:
        if solver == "float":
            raise
        return _exactly(program, ())
    return found if solver == "float" else _exactly(program, _columns(found))


def refined(program: UnbiasedProgram, gap: float = 1e-4, unit: Fraction | None = None, rounds: int = 40) -> Unbiased:
    """The optimum in floats with a few outputs more, placed where they help: near to what any numbers could reach.

    Column generation on the line: an optimum, outputs where its dual constraint fails
    (`lpmech.programs.unbiased.dips`), an optimum with these, and so on.

    Parameters
    ----------
    program : UnbiasedProgram
        Its outputs are the start.
    gap : float
        Relative, of the value and its `Unbiased.anywhere`, at which to end.
    unit : Fraction, optional
        New outputs are multiples of it; default: a millionth of the start's span. With coarse ones the gap stays wider.
    rounds : int
        At most so many programs are solved.

    Raises
    ------
    SolverError
        If HiGHS fails.
    """
    step = (program.grid[-1] - program.grid[0]) / 10**6 if unit is None else unit
    for _ in range(rounds):
        found = _in_floats(program)
        if float(found.value - found.anywhere) <= gap * float(found.value):
            break
        low = [at for value, at in dips(program, found.prices, found.row_duals) if value < 0]
        grid = sorted({*program.grid.tolist(), *(step * round(at / step) for at in low)})
        if len(grid) == len(program.grid):
            break
        program = UnbiasedProgram(program.values, program.prior, as_array(grid, "grid", 1), program.level)
    return found


def _in_floats(program: UnbiasedProgram) -> Unbiased:
    """Floors m_j and surpluses 0 <= x[y, j] <= (t - 1) m_j, in units of the reach."""
    from scipy.optimize import linprog

    start, reach = program.grid[0], program.grid[-1] - program.grid[0]
    places, means = (to_float((numbers - start) / reach) for numbers in (program.grid, program.values))
    (rows, columns), excess = (len(means), len(places)), min(float(program.level.ratio) - 1, LARGEST_RATIO)
    errors = to_float(program.prior)[:, None] * square_errors(means, places)
    one, unit = eye_array(rows), float(reach)
    sums = [kron(np.ones((rows, 1)), row) for row in (np.ones((1, columns)), places[None, :])]
    own = [kron(one, row) for row in (np.ones((1, columns)), places[None, :])]
    ceilings = hstack([-excess * kron(np.ones((rows, 1)), eye_array(columns)), eye_array(rows * columns)])
    solve, stack = cast(Any, linprog), cast(Any, vstack)
    found = solve(
        np.concatenate([errors.sum(axis=0), errors.ravel()]),
        A_ub=csr_array(ceilings),
        b_ub=np.zeros(rows * columns),
        A_eq=csr_array(stack([hstack([a, b]) for a, b in zip(sums, own, strict=True)])),
        b_eq=np.concatenate([np.ones(rows), means]),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status:
        raise SolverError(f"HiGHS on the unbiased program: {found.message}")
    floors = np.maximum(found.x[:columns], 0.0)
    surplus = np.clip(found.x[columns:].reshape(rows, columns), 0, excess * floors)
    matrix = floors + surplus
    duals = found.eqlin.marginals * unit**2
    slopes = duals[rows:] / unit
    levels = duals[:rows] + slopes * means * unit
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True), *_names(program))
    return Unbiased(program, channel, to_exact(-slopes), to_exact(-levels))


def _columns(found: Unbiased) -> list[ExtremeColumn]:
    """The extreme columns that HiGHS's channel is made of: a nested chain of sets for each output."""
    columns: list[ExtremeColumn] = []
    for j, column in enumerate(to_float(found.channel.matrix).T):
        if column.max() > _NEAR:
            top, bottom = column.max(), column.min()
            steps = sorted({round(float(v), 9) for v in column if v > bottom + _NEAR * top}, reverse=True)
            columns += [(j, frozenset(np.flatnonzero(column >= v - _NEAR * top).tolist())) for v in steps]
            columns.append((j, frozenset()))
    return list(dict.fromkeys(columns))


def _exactly(program: UnbiasedProgram, guess: tuple[ExtremeColumn, ...] | list[ExtremeColumn]) -> Unbiased:
    simplex = _WithMeans(program, guess)
    while (column := simplex.best_column()) is not None:
        simplex.enter(column)
    return simplex.unbiased()


class _WithMeans(Simplex):
    """Extreme columns of channels; equations: K row sums, and K means of z - z_0, which is never negative."""

    def __init__(self, program: UnbiasedProgram, guess: Any) -> None:
        self.asked = program
        self.places = to_flint(program.grid - program.grid[0])
        right = np.concatenate([as_array([1] * len(program.values), "rows", 1), program.values - program.grid[0]])
        level = PrivacyLevel.from_ratio(program.level.ratio_below)
        super().__init__(Program(-program.errors, level), guess, right)

    def unbiased(self) -> Unbiased:
        """The optimum; M becomes a number large enough for the duals to be feasible."""
        size = len(self.weights)
        infinite, finite = (self.cost[:, part].dot(self.inverse) for part in (0, 1))
        large, program = self.one, self.asked
        while True:
            duals = from_flint(large * infinite + finite)
            prices = duals[size:]
            row_duals = duals[:size] + prices * (program.values - program.grid[0])
            priced = program.priced(prices, self.program.level)
            if max(dual_excess(priced.weights, priced.level.ratio, row_duals, {})) <= 0:
                break
            large = 2 * large
        return Unbiased(program, Channel(from_flint(self.matrix()), *_names(program)), prices, row_duals)

    def _coefficients(self, column: ExtremeColumn) -> Array:
        heights = self._heights(column[1])
        return np.concatenate([heights, heights * self.places[column[0]]])

    def _reduced(self, part: int) -> Array:
        duals = self.cost[:, part].dot(self.inverse)
        size = len(self.weights)
        return np.asarray(part * self.weights - duals[:size, None] - duals[size:, None] * self.places[None, :])


def _names(program: UnbiasedProgram) -> tuple[list[str], list[str]]:
    return [str(v) for v in program.values.tolist()], [str(z) for z in program.grid.tolist()]
