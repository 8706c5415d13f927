"""Programs with fixed entries in floats: HiGHS, and exact pivoting where its answer does not survive the check, or
leaves a gap."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING

from lpmech.entries import to_exact, to_float
from lpmech.errors import InfeasibleProgramError, SolverError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program, Solution
from lpmech.solvers.cvxpy_solver import solve_with_cvxpy
from lpmech.solvers.exact import solve_exactly
from lpmech.solvers.formulations import column_floor_form, solver_ratio

if TYPE_CHECKING:
    from lpmech.entries import Number

__all__ = ["solve_with_fixed_entries"]

#: The rounding that fixed entries, given as floats, may carry: with less room some would admit no channel at all.
_ROOM = 1 + Fraction(1, 2**40)


def solve_with_fixed_entries(program: Program) -> Solution:
    """Solve a program with fixed entries; the statistics name the solver that answered.

    Where HiGHS is given a smaller ratio than the program's (`solver_ratio`) its gap can be wide, and its word that
    there is no channel is not taken for it: exact pivoting decides.

    Raises
    ------
    InfeasibleProgramError
        If no private channel has the fixed entries.
    SolverError
        If neither answer survives the check.
    """
    try:
        found = solve_with_cvxpy(program, column_floor_form, "HIGHS")
    except SolverError:
        return _exactly(program)
    except InfeasibleProgramError:
        if solver_ratio(program) == float(program.level.ratio):
            raise
        return _exactly(program)
    return found if found.is_closed else _exactly(program)


def _exactly(program: Program) -> Solution:
    """The exact optimum for the numbers that the floats stand for, in floats unless the program is exact."""
    if program.is_exact:
        return solve_exactly(program)
    level = PrivacyLevel.from_ratio(Fraction(program.level.ratio) * _ROOM)
    fixed: dict[tuple[Hashable, Hashable], Number] = {
        (program.inputs[y], program.outputs[j]): Fraction(value) for (y, j), value in program.fixed.items()
    }
    found = solve_exactly(Program(to_exact(program.weights), level, program.inputs, program.outputs, fixed))
    duals = {key: float(mu) for key, mu in found.fixed_duals.items()}
    return Solution(program, found.channel.to_float(), to_float(found.row_duals), duals, found.statistics)
