"""Programs with fixed entries in floats: scipy's HiGHS on the substituted form, and exact pivoting where its answer
does not survive the check, or leaves a gap."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import to_exact, to_float
from lpmech.errors import ChannelError, InfeasibleProgramError, SolverError
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program, Solution
from lpmech.programs.solvers.basis import substituted_form
from lpmech.programs.solvers.cvxpy_solver import repaired
from lpmech.programs.solvers.exact import solve_exactly
from lpmech.programs.solvers.formulations import solver_ratio
from lpmech.programs.solvers.scaling import scaled

if TYPE_CHECKING:
    from lpmech.entries import Number

__all__ = ["solve_with_fixed_entries"]

#: The rounding that fixed entries, given as floats, may carry: with less room some would admit no channel at all.
_ROOM = 1 + Fraction(1, 2**40)
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
#: What `scipy.optimize.linprog` calls a program without a feasible point.
_INFEASIBLE = 2


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
        found = _in_floats(program)
    except SolverError:
        return _exactly(program)
    except InfeasibleProgramError:
        if solver_ratio(program) == float(program.level.ratio):
            raise
        return _exactly(program)
    return found if found.is_closed else _exactly(program)


def _in_floats(program: Program) -> Solution:
    """What HiGHS answers, repaired for rounding, with its duals of row sums and fixed entries."""
    from scipy.optimize import linprog

    rows, columns = program.weights.shape
    equal, weights = rows + len(program.fixed), to_float(program.weights)
    units = scaled(weights)
    matrix, right, unit = substituted_form(program)
    gain = units.gain(weights)
    solve = cast(Any, linprog)  # its stubs know too few sparse matrices
    try:
        found = solve(
            -np.concatenate([gain.sum(axis=0) / float(program.level.ratio), (gain * unit).ravel()]),
            A_ub=matrix[equal:],
            b_ub=right[equal:],
            A_eq=matrix[:equal],
            b_eq=right[:equal],
            options=_TOLERANCES,
        )
    except ValueError as exc:
        raise SolverError(f"HiGHS failed: {exc}") from exc
    if found.status == _INFEASIBLE:
        raise InfeasibleProgramError(f"no channel at {program.level} has the fixed entries {dict(program.fixed)!r}")
    if found.status:
        raise SolverError(f"HiGHS failed: {found.message}")
    duals = -found.eqlin.marginals
    fixed_duals = {
        key: units.unit * dual / unit[key] for key, dual in zip(program.fixed, duals[rows:].tolist(), strict=True)
    }
    answer = found.x[:columns] / float(program.level.ratio) + unit * found.x[columns:].reshape(rows, columns)
    try:
        channel = Channel(repaired(program, answer), program.inputs, program.outputs)
    except ChannelError as exc:
        raise SolverError(f"HiGHS answered with a matrix that is no channel: {exc}") from exc
    statistics = {"solver": "HIGHS", "form": "substituted", "iterations": int(found.nit)}
    return Solution(program, channel, units.duals(duals[:rows]), fixed_duals, statistics)


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
