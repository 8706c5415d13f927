"""HiGHS on a linear program in floats, with the basis at which it stops."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InfeasibleProgramError, SolverError
from lpmech.extras import needs

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

__all__ = ["Stop", "minimise", "silent_highspy"]


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
    rows, columns = matrix.shape
    highs.passModel(  # in arrays: lists of attributes are converted number by number
        columns,
        rows,
        matrix.nnz,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        costs / max(float(abs(costs).max()), 1e-300),
        np.zeros(columns),
        np.full(columns, highspy.kHighsInf),
        np.maximum(lower, -highspy.kHighsInf),
        right,
        matrix.indptr,
        matrix.indices,
        matrix.data,
        np.zeros(columns, dtype=np.int32),
    )
    if start is not None:
        highs.setBasis(start)
    highs.run()
    status = highs.getModelStatus()
    if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
        raise InfeasibleProgramError("HiGHS finds no channel that satisfies the constraints")
    if status != highspy.HighsModelStatus.kOptimal:
        raise SolverError(f"HiGHS stopped with status {highs.modelStatusToString(status)!r}")
    basis, found = highs.getBasis(), highs.getSolution()
    basic = np.zeros(rows + columns, dtype=bool)
    basic[_basic_variables(highs, basis, highspy.HighsBasisStatus.kBasic)] = True
    return Stop(basic[:columns], basic[columns:][::-1], np.array(found.col_value), np.array(found.row_dual), basis)


def _basic_variables(highs: Any, basis: Any, basic: Any) -> Any:
    """Columns 0, 1, ... and rows -1, -2, ... that are basic."""
    if hasattr(highs, "getBasicVariables"):
        return highs.getBasicVariables()[1]
    columns, rows = basis.col_status, basis.row_status  # scipy 1.15: each state a Python object
    return [*(j for j, s in enumerate(columns) if s == basic), *(-1 - i for i, s in enumerate(rows) if s == basic)]


@cache
def silent_highspy() -> Any:
    """The package highspy, to be loaded here before it is used: 1.16 prints its name as the first object is made."""
    with needs("programs"):
        import highspy
    sys.stdout.flush()
    output = os.dup(1)
    try:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
        highspy.Highs()
    finally:
        os.dup2(output, 1)
        os.close(output)
    return highspy


def _library() -> Any:
    """HiGHS as scipy carries it: a copy of highspy, with its names; highspy itself where scipy has put it elsewhere."""
    try:
        from scipy.optimize._highspy import _core
    except ImportError:
        with needs("programs"):
            from highspy import _core
    return _core
