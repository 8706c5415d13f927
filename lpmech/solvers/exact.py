"""Exact rational optima: a float simplex basis from HiGHS, solved and verified over the rationals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from lpmech.channel import Channel
from lpmech.entries import as_array
from lpmech.errors import ProgramError, SolverError
from lpmech.linear_algebra import solve
from lpmech.programs.general import Solution
from lpmech.solvers.basis import float_basis

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["solve_exactly"]


def solve_exactly(program: Program) -> Solution:
    """Solve an exact program to an exact rational optimum.

    The basis that HiGHS finds in floats is solved over the rationals for the channel and for the duals, and the
    `Solution` is constructed only if both are feasible and their values agree exactly.

    Raises
    ------
    ProgramError
        If level, weights or fixed entries are floats.
    InfeasibleProgramError
        If no private channel has the fixed entries.
    SolverError
        If HiGHS fails or the basis does not verify exactly.
    """
    if not program.is_exact:
        raise ProgramError("program", program.level, "an exact level, exact weights and exact fixed entries")
    basis = float_basis(program)
    ratio, one = program.level.ratio, Fraction(1)
    system, right, objective = basis.system(program.weights, program.fixed, ratio, one)
    matrix = as_array(system, "matrix", 2)
    try:
        unknowns = solve(matrix, as_array(right, "right", 1)).tolist()
        solved = solve(matrix.T, as_array(objective, "objective", 1)).tolist()
    except (ValueError, ZeroDivisionError) as exc:
        raise SolverError(f"the basis found by HiGHS is singular over the rationals ({exc})") from exc
    rows, columns = program.weights.shape
    duals = basis.duals(solved, rows + len(program.fixed), one)
    return Solution(
        program,
        Channel(basis.channel(unknowns, (rows, columns), ratio, one), program.inputs, program.outputs),
        as_array(duals[:rows], "row_duals", 1),
        dict(zip(program.fixed, duals[rows:], strict=True)),
        {"solver": "exact", "form": "substituted", "basis": len(matrix)},
    )
