"""The program with a floor on every hit rate, by HiGHS: on the column-floor form, or on floors and hits only."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from scipy.sparse import bmat, coo_array, csr_array, eye_array, kron

from lpmech.channel import Channel
from lpmech.entries import Array, to_exact
from lpmech.errors import SolverError
from lpmech.programs.general import Program
from lpmech.programs.hit_floors import FlooredOptimum, as_floor
from lpmech.programs.hit_rate import hit_gains, misses
from lpmech.programs.solvers.formulations import LARGEST_RATIO

__all__ = ["solve_with_hit_floor"]

#: The solver keeps floors that are higher by this, so that its tolerance does not fall below the true ones.
_ABOVE, _TOLERANCE = 1e-9, 1e-10

#: Of more variables HiGHS has its interior point method.
_LARGE = 150 * 151


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
    Weights are taken relative to the largest spread within a row, so that the scale of the utility does not matter.
    Where only hits count (`lpmech.programs.hit_rate.hit_gains`), `_of_hits` has 2 K + 1 variables in place of K^2 + K.
    """
    weights = program.floats[0]
    least = as_floor(floor, len(weights), program.level)
    scale = float((weights.max(axis=1) - weights.min(axis=1)).max()) or 1.0
    excess = min(float(program.level.ratio) - 1, LARGEST_RATIO)
    gains = hit_gains(weights)
    if gains is None:
        top = weights.max(axis=1)
        matrix, prices, duals = _of_weights((weights - top[:, None]) / scale, excess, float(least) + _ABOVE)
    else:
        top = misses(weights)
        matrix, prices, duals = _of_hits(gains / scale, excess, float(least) + _ABOVE)
    sums = matrix.sum(axis=1, keepdims=True)
    channel = Channel(matrix / sums, program.inputs, program.outputs).exact(program.level)
    if min(channel.matrix.diagonal().tolist()) < least:
        raise SolverError("the solver's channel does not keep the floor of all hit rates")
    return FlooredOptimum(program, least, channel, to_exact(scale * prices), to_exact(top) + to_exact(scale * duals))


def _of_weights(relative: Array, excess: float, least: float) -> tuple[Array, Array, Array]:
    """Matrix, prices and row duals: floors m_j, surpluses 0 <= x[y, j] <= (t - 1) m_j, and q = m + x."""
    rows, columns = relative.shape
    hits = coo_array((np.ones(rows), (np.arange(rows), np.arange(rows) * (columns + 1))), shape=(rows, rows * columns))
    private = [[-excess * kron(np.ones((rows, 1)), eye_array(columns)), eye_array(rows * columns)]]
    found = _solved(
        np.concatenate([-relative.sum(axis=0), -relative.ravel()]),
        [*private, [-eye_array(rows), -hits]],
        np.concatenate([np.zeros(rows * columns), np.full(rows, -least)]),
        [[np.ones((rows, columns)), kron(eye_array(rows), np.ones((1, columns)))]],
        np.ones(rows),
    )
    floors, surplus = np.maximum(found.x[:columns], 0.0), found.x[columns:].reshape(rows, columns)
    matrix = floors + np.clip(surplus, 0, excess * floors)
    return matrix, np.maximum(-found.ineqlin.marginals[rows * columns :], 0.0), -found.eqlin.marginals


def _of_hits(gains: Array, excess: float, least: float) -> tuple[Array, Array, Array]:
    """Matrix, prices and row duals where a miss is worth nothing: floors m_j, hits h_y, and the sum s of the floors.

    Row y can be filled if and only if h_y + s - m_y <= 1 <= h_y + t (s - m_y): a miss may have anything between m_j and
    t m_j, and all misses of a row are raised alike. The duals of both, subtracted, are that of the row sum.
    """
    size = len(gains)
    one, total = eye_array(size), csr_array(np.ones((size, 1)))
    limits: list[list[Any]] = [
        [-(1 + excess) * one, one, None],
        [one, -one, None],
        [-one, one, total],
        [(1 + excess) * one, -one, -(1 + excess) * total],
        [None, -one, None],
    ]
    right = np.concatenate([np.zeros(2 * size), np.ones(size), -np.ones(size), np.full(size, -least)])
    sums = [[total.T, csr_array((1, size)), csr_array([[-1.0]])]]
    found = _solved(np.concatenate([np.zeros(size), -gains, [0.0]]), limits, right, sums, np.zeros(1))
    floors, hits = np.maximum(found.x[:size], 0.0), found.x[size:-1]
    others = floors.sum() - floors
    room = excess * others
    raised = np.divide(1 - hits - others, room, out=np.zeros(size), where=room > 0)
    matrix = floors * (1 + excess * np.clip(raised, 0.0, 1.0)[:, None])
    np.fill_diagonal(matrix, hits)
    _, _, above, below, kept = -found.ineqlin.marginals.reshape(5, size)
    return matrix, np.maximum(kept, 0.0), above - below


def _solved(costs: Array, limits: list[list[Any]], right: Array, sums: list[list[Any]], values: Array) -> Any:
    """The least costs over numbers >= 0 with limits @ x <= right and sums @ x = values, both in blocks."""
    from scipy.optimize import linprog

    solve, stack = cast(Any, linprog), cast(Any, bmat)  # their stubs know too few sparse matrices
    found = solve(
        costs,
        A_ub=csr_array(stack(limits)),
        b_ub=right,
        A_eq=csr_array(stack(sums)),
        b_eq=values,
        method="highs" if len(costs) <= _LARGE else "highs-ipm",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if found.status != 0:
        raise SolverError(f"HiGHS on the program with floors: {found.message}")
    return found
