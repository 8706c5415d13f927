"""Exact rational optima: a float basis from HiGHS, solved and verified over Q, or repaired by exact pivoting."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import as_array
from lpmech.errors import ChannelError, InfeasibleProgramError, ProgramError, SolverError
from lpmech.linear_algebra import solve_square
from lpmech.programs.general import Solution
from lpmech.programs.solvers.basis import Basis, float_basis
from lpmech.programs.solvers.simplex import ExtremeColumn, solve_by_simplex

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["extreme_columns", "solve_exactly"]


def solve_exactly(program: Program) -> Solution:
    """Solve an exact program to an exact rational optimum.

    The basis that HiGHS finds in floats is solved over the rationals for the channel and for the duals, and the
    `Solution` is constructed only if both are feasible and their values agree exactly. If that basis does not
    verify, or HiGHS finds none or calls the program infeasible, exact pivoting decides
    (`lpmech.programs.solvers.simplex`).

    Raises
    ------
    ProgramError
        If level, weights or fixed entries are floats.
    InfeasibleProgramError
        If no private channel has the fixed entries.
    """
    if not program.is_exact:
        raise ProgramError("program", program.level, "an exact level, exact weights and exact fixed entries")
    try:
        basis = float_basis(program)
    except (InfeasibleProgramError, SolverError):
        return solve_by_simplex(program)
    try:
        return solution_of_basis(program, basis)
    except (ChannelError, SolverError, ValueError, ZeroDivisionError):
        return solve_by_simplex(program, extreme_columns(program, basis))


def solution_of_basis(program: Program, basis: Basis) -> Solution:
    """The solution that a basis stands for.

    Raises
    ------
    ChannelError, SolverError
        If the basis is not feasible on both sides.
    ValueError, ZeroDivisionError
        If its system is not square or singular.
    """
    ratio, one = program.level.ratio, Fraction(1)
    system, right, objective = basis.system(program.weights, program.fixed, ratio, one)
    matrix = as_array(system, "matrix", 2)
    unknowns = solve_square(matrix, as_array(right, "right", 1)).tolist()
    solved = solve_square(matrix.T, as_array(objective, "objective", 1)).tolist()
    rows, columns = program.weights.shape
    duals = basis.duals(solved, rows + len(program.fixed), one)
    return Solution(
        program,
        Channel(basis.channel(unknowns, (rows, columns), ratio, one), program.inputs, program.outputs),
        as_array(duals[:rows], "row_duals", 1),
        dict(zip(program.fixed, duals[rows:], strict=True)),
        {"solver": "exact", "form": "substituted", "basis": len(matrix)},
    )


def extreme_columns(program: Program, basis: Basis) -> list[ExtremeColumn]:
    """The extreme columns that a basis stands for: in each output the high entries, then the free ones added in turn.

    The order of the free entries of one output, largest first, comes from the least-squares solution in floats.
    """
    system, right, _ = basis.system(np.zeros(program.weights.shape), program.fixed, float(program.level.ratio), 1.0)
    unknowns = np.linalg.lstsq(np.array(system, dtype=float), np.array(right, dtype=float), rcond=None)[0]
    size = dict(zip(basis.free, unknowns[len(basis.floors) :].tolist(), strict=True))
    found: list[ExtremeColumn] = []
    for j in dict.fromkeys([*basis.floors, *(j for _, j in basis.free)]):
        high = frozenset(int(y) for y in np.flatnonzero(basis.high[:, j]))
        if j in basis.floors:
            found.append((j, high))
        for y, _ in sorted((key for key in basis.free if key[1] == j), key=lambda key: -size[key]):
            high |= {y}
            found.append((j, high))
    return found
