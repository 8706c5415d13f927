"""The program with a floor on every hit rate, by HiGHS on the column-floor form."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import bmat, coo_array, csr_array, eye_array, kron

from lpmech.channel import Channel
from lpmech.entries import Array, to_exact, to_float
from lpmech.errors import SolverError
from lpmech.programs.general import Program
from lpmech.programs.hit_floors import FlooredOptimum, as_floor
from lpmech.solvers.formulations import LARGEST_RATIO

__all__ = ["solve_with_hit_floor"]

#: The solver keeps floors that are higher by this, so that its tolerance does not fall below the true ones.
_ABOVE, _TOLERANCE = 1e-9, 1e-10

_LARGE = 150


def solve_with_hit_floor(program: Program, floor: object) -> FlooredOptimum:
    """Maximise the program over private channels in which every label is released as itself with probability >= floor.

    Parameters
    ----------
    program : Program
        Square, without fixed entries.
    floor : number
        h, the least hit rate of each label.

    Raises
    ------
    ProgramError
        If no private channel keeps the floor for all labels.
    SolverError
        If HiGHS fails, or its answer does not keep level or floor when it is made exact.

    Notes
    -----
    Columns are floors m_j and surpluses x[y, j] with 0 <= x[y, j] <= (t - 1) m_j and q = m + x. Weights are taken
    relative to the largest spread within a row, so that the scale of the utility does not matter.
    """
    rows, columns = program.weights.shape
    least = as_floor(floor, rows, program.level)
    weights = to_float(program.weights)
    top = weights.max(axis=1)
    scale = float((weights.max(axis=1) - weights.min(axis=1)).max()) or 1.0
    relative = (weights - top[:, None]) / scale
    excess = min(float(program.level.ratio) - 1, LARGEST_RATIO)
    hits = coo_array((np.ones(rows), (np.arange(rows), np.arange(rows) * (columns + 1))), shape=(rows, rows * columns))
    private = [-excess * kron(np.ones((rows, 1)), eye_array(columns)), eye_array(rows * columns)]
    solve, stack = cast(Any, linprog), cast(Any, bmat)  # their stubs know too few sparse matrices
    found = solve(
        np.concatenate([-relative.sum(axis=0), -relative.ravel()]),
        A_ub=csr_array(stack([private, [-eye_array(rows), -hits]])),
        b_ub=np.concatenate([np.zeros(rows * columns), np.full(rows, -float(least) - _ABOVE)]),
        A_eq=csr_array(stack([[np.ones((rows, columns)), kron(eye_array(rows), np.ones((1, columns)))]])),
        b_eq=np.ones(rows),
        method="highs" if rows <= _LARGE else "highs-ipm",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if found.status != 0:
        raise SolverError(f"HiGHS on the program with floors: {found.message}")
    floors, surplus = found.x[:columns], found.x[columns:].reshape(rows, columns)
    channel = _exact(program, np.maximum(floors, 0) + np.clip(surplus, 0, excess * np.maximum(floors, 0)))
    if min(channel.matrix.diagonal().tolist()) < least:
        raise SolverError("the solver's channel does not keep the floor of all hit rates")
    prices = to_exact(scale * np.maximum(-found.ineqlin.marginals[rows * columns :], 0.0))
    return FlooredOptimum(program, least, channel, prices, to_exact(top) - to_exact(scale * found.eqlin.marginals))


def _exact(program: Program, matrix: Array) -> Channel:
    sums = matrix.sum(axis=1, keepdims=True)
    return Channel(matrix / sums, program.inputs, program.outputs).exact(program.level)
