"""Exact rational optima: a float simplex basis from HiGHS, solved and verified over the rationals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_float
from lpmech.errors import InfeasibleProgramError, ProgramError, SolverError
from lpmech.linear_algebra import solve
from lpmech.programs.general import Solution

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["solve_exactly"]


def solve_exactly(program: Program) -> Solution:
    """Solve an exact program to an exact rational optimum.

    HiGHS solves the substituted form q[y, j] = m_j + x[y, j], 0 <= x[y, j] <= (t - 1) m_j in floats; the
    equations of its final basis are solved over the rationals for the channel and for the duals, and the
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
    matrix, right, objective, equalities = _substituted_form(program)
    active, basic = _float_basis(program, matrix, right, objective, equalities)
    square = matrix[np.ix_(active, basic)]
    try:
        point = solve(square, right[active])
        multipliers = solve(square.T, objective[basic])
    except ZeroDivisionError as exc:
        raise SolverError("the basis found by HiGHS is singular over the rationals") from exc
    return _solution(program, basic, point, active, multipliers)


def _substituted_form(program: Program) -> tuple[Array, Array, Array, int]:
    """Constraint matrix, right-hand side and objective over (m, x); the first rows are equations.

    Rows: K row sums, then the fixed entries, then x[y, j] - (t - 1) m_j <= 0.
    """
    rows, columns = program.weights.shape
    t = program.level.ratio
    equalities = rows + len(program.fixed)
    matrix = np.zeros((equalities + rows * columns, columns + rows * columns), dtype=object)
    right = np.zeros(len(matrix), dtype=object)
    for y in range(rows):
        matrix[y, :columns] = 1
        matrix[y, columns + y * columns : columns + (y + 1) * columns] = 1
        right[y] = 1
    for i, ((y, j), value) in enumerate(program.fixed.items()):
        matrix[rows + i, j] = matrix[rows + i, columns + y * columns + j] = 1
        right[rows + i] = value
    for index in range(rows * columns):
        matrix[equalities + index, columns + index] = 1
        matrix[equalities + index, index % columns] = 1 - t
    objective = np.concatenate([program.weights.sum(axis=0), program.weights.ravel()])
    return (
        as_array(matrix, "matrix", 2),
        as_array(right, "right", 1),
        as_array(objective, "objective", 1),
        equalities,
    )


def _float_basis(
    program: Program, matrix: Array, right: Array, objective: Array, equalities: int
) -> tuple[Array, Array]:
    """Indices of the active rows and basic columns of an optimal basis found by HiGHS."""
    import highspy
    from scipy.sparse import csc_matrix

    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    scale = max(float(abs(objective).max()), 1e-300)
    model.col_cost_ = -to_float(objective) / scale
    model.col_lower_ = np.zeros(matrix.shape[1])
    model.col_upper_ = np.full(matrix.shape[1], highspy.kHighsInf)
    upper = to_float(right)
    lower = upper.copy()
    lower[equalities:] = -highspy.kHighsInf
    model.row_lower_, model.row_upper_ = lower, upper
    sparse = csc_matrix(to_float(matrix))
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = (
        sparse.indptr,
        sparse.indices,
        sparse.data,
    )
    highs: Any = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("primal_feasibility_tolerance", 1e-10)
    highs.setOptionValue("dual_feasibility_tolerance", 1e-10)
    highs.passModel(model)
    highs.run()
    status = highs.getModelStatus()
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        raise InfeasibleProgramError(f"no channel at {program.level} has the fixed entries {dict(program.fixed)!r}")
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped with status {highs.modelStatusToString(status)!r}")
    basis = highs.getBasis()
    basic_status = highspy.HighsBasisStatus.kBasic
    basic = np.array([i for i, s in enumerate(basis.col_status) if s == basic_status], dtype=int)
    active = np.array([i for i, s in enumerate(basis.row_status) if s != basic_status], dtype=int)
    return active, basic


def _solution(program: Program, basic: Array, point: Array, active: Array, multipliers: Array) -> Solution:
    rows, columns = program.weights.shape
    values = np.zeros(columns + rows * columns, dtype=object)
    values[basic] = point
    matrix = values[columns:].reshape(rows, columns) + values[:columns]
    duals = np.zeros(rows + len(program.fixed), dtype=object)
    equations = active < len(duals)
    duals[active[equations]] = multipliers[equations]
    keys = list(program.fixed)
    return Solution(
        program,
        Channel(matrix, program.inputs, program.outputs),
        as_array(duals[:rows], "row_duals", 1),
        {key: duals[rows + i] for i, key in enumerate(keys)},
        {"solver": "exact", "form": "substituted", "basis": len(basic)},
    )
