"""The reference solver: cvxpy with HiGHS or Clarabel; its answer is repaired for rounding, then checked."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, to_float
from lpmech.errors import ChannelError, InfeasibleProgramError, SolverError
from lpmech.extras import needs
from lpmech.programs.general import Solution
from lpmech.programs.optimality import best_fill
from lpmech.programs.solvers.formulations import Formulation, solver_ratio
from lpmech.programs.solvers.highs import silent_highspy

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["repaired", "solve_with_cvxpy"]

_TOLERANCES = {
    "HIGHS": {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    "CLARABEL": {"tol_feas": 1e-10, "tol_gap_abs": 1e-10, "tol_gap_rel": 1e-10},
}


def solve_with_cvxpy(program: Program, form: Callable[[Program], Formulation], solver: str) -> Solution:
    """Solve a program in the given form.

    Parameters
    ----------
    program : Program
        What to solve.
    form : callable
        `pairwise_form` or `column_floor_form`.
    solver : str
        Name of an installed cvxpy solver ("HIGHS", "CLARABEL").

    Raises
    ------
    InfeasibleProgramError
        If no private channel has the fixed entries.
    SolverError
        If the solver fails or the duality gap of the repaired answer is not closed.
    """
    with needs("programs"):
        import cvxpy as cp

    if solver == "HIGHS":
        silent_highspy()
    formulation = form(program)
    problem = formulation.problem
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # "may be inaccurate": the duality gap decides
            problem.solve(solver=solver, **_TOLERANCES.get(solver, {}))
    except (cp.error.SolverError, ValueError, ArithmeticError) as exc:  # cvxpy raises its own, and what it met inside
        raise SolverError(f"{solver} failed: {exc}") from exc
    if problem.status in (cp.INFEASIBLE, cp.INFEASIBLE_INACCURATE):
        raise InfeasibleProgramError(
            f"no channel at {program.level} has the fixed entries {dict(program.fixed)!r}"
            if program.fixed
            else f"{solver} calls a program without fixed entries infeasible at {program.level}"
        )
    if problem.status not in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE):
        raise SolverError(f"{solver} stopped with status {problem.status!r}")
    units = formulation.units
    row_duals = units.duals(np.asarray(formulation.row_sums.dual_value, dtype=float))
    fixed_duals = {key: units.unit * float(constraint.dual_value) for key, constraint in formulation.fixed.items()}
    if not all(map(math.isfinite, [*row_duals.tolist(), *fixed_duals.values()])):
        raise SolverError(f"{solver} answered with duals that are not finite")
    statistics = {
        "solver": solver,
        "form": form.__name__,
        "status": problem.status,
        "iterations": problem.solver_stats.num_iters,
        "seconds": problem.solver_stats.solve_time,
    }
    try:
        matrix = repaired(program, np.asarray(formulation.channel.value, dtype=float))
        channel = Channel(matrix, program.inputs, program.outputs)
    except ChannelError as exc:
        raise SolverError(f"{solver} answered with a matrix that is no channel: {exc}") from exc
    return Solution(program, channel, row_duals, fixed_duals, statistics)


def repaired(program: Program, answer: Array) -> Array:
    """Remove the rounding of a solver: rows that sum to one and entries between floor and t * floor."""
    answer = np.maximum(answer, 0.0)
    if not program.fixed:
        return _normalised(best_fill(to_float(program.weights), float(program.level.ratio), answer))
    free = np.ones(answer.shape, dtype=bool)
    for (y, j), value in program.fixed.items():
        answer[y, j] = float(value)
        free[y, j] = False
    ceilings = answer.max(axis=0)
    floors = ceilings / solver_ratio(program)
    answer = np.where(free, np.maximum(answer, floors), answer)
    for row, movable in zip(answer, free, strict=True):
        missing = 1.0 - row.sum()
        room = np.where(movable, ceilings - row if missing > 0 else row - floors, 0.0)
        if room.sum() > 0:
            row += missing * room / room.sum()
    return answer


def _normalised(rows: Array) -> Array:
    return rows / rows.sum(axis=1, keepdims=True)
