"""HiGHS on a linear program in floats, with the basis at which it stops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csc_matrix

from lpmech.entries import Array
from lpmech.errors import InfeasibleProgramError, SolverError
from lpmech.extras import needs

__all__ = ["Stop", "minimise"]


class Stop(NamedTuple):
    """Where HiGHS stopped.

    Attributes
    ----------
    columns, rows : ndarray of bool
        Which unknowns, and which rows, are basic: a row that is not basic holds with equality.
    point, duals : ndarray of float
        The unknowns, and how much the minimum changes with the right side of each row.
    start : object
        The basis as HiGHS has it, to start from.
    """

    columns: Array
    rows: Array
    point: Array
    duals: Array
    start: Any


def minimise(costs: Array, matrix: csc_matrix, lower: Array, right: Array, start: Any = None) -> Stop:
    """Minimise costs x over x >= 0 with lower <= matrix x <= right by the simplex method.

    Parameters
    ----------
    costs : ndarray, shape (n,)
        Divided by the largest of them; `duals` are in that unit.
    matrix : csc_matrix, shape (m, n)
    lower, right : ndarray, shape (m,)
    start : object, optional
        `Stop.start` of a program of the same shape.

    Raises
    ------
    InfeasibleProgramError
        If HiGHS finds no x.
    SolverError
        If HiGHS stops otherwise.
    """
    highspy = _library()
    highs = highspy._Highs()
    for option, value in (
        ("output_flag", False),
        ("solver", "simplex"),
        ("primal_feasibility_tolerance", 1e-10),
        ("dual_feasibility_tolerance", 1e-10),
        ("small_matrix_value", 1e-12),
    ):
        highs.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.col_cost_ = costs / max(float(abs(costs).max()), 1e-300)
    model.col_lower_ = np.zeros(matrix.shape[1])
    model.col_upper_ = np.full(matrix.shape[1], highspy.kHighsInf)
    model.row_lower_, model.row_upper_ = np.maximum(lower, -highspy.kHighsInf), right
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = matrix.indptr
    model.a_matrix_.index_ = matrix.indices
    model.a_matrix_.value_ = matrix.data
    highs.passModel(model)
    if start is not None:
        highs.setBasis(start)
    highs.run()
    status = highs.getModelStatus()
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        raise InfeasibleProgramError("HiGHS finds no channel that satisfies the constraints")
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped with status {highs.modelStatusToString(status)!r}")
    basis, found = highs.getBasis(), highs.getSolution()
    basic = highspy.HighsBasisStatus.kBasic
    columns, rows = (np.array([s == basic for s in part]) for part in (basis.col_status, basis.row_status))
    return Stop(columns, rows, np.array(found.col_value), np.array(found.row_dual), basis)


def _library() -> Any:
    """HiGHS as scipy carries it: a copy of highspy, with its names; highspy itself where scipy has put it elsewhere."""
    try:
        from scipy.optimize._highspy import _core
    except ImportError:
        with needs("programs"):
            from highspy import _core
    return _core
