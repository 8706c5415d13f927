"""Programs with a floor on hit rates, or a set of priors: on column floors, or on these and hits only.

By HiGHS; beyond 150 labels those with a floor of which more than hits count by an interior point method of our own
(`lpmech.programs.solvers.floored_interior_point`), and by HiGHS if that does not close the gap.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np
from scipy.sparse import bmat, coo_array, csr_array, eye_array, kron

from lpmech.channel import Channel
from lpmech.entries import Array, to_exact, to_float
from lpmech.errors import SolverError
from lpmech.linear_algebra import one_thread
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.programs.hit_floors import FlooredOptimum, as_floor
from lpmech.programs.hit_rate import hit_gains, misses
from lpmech.programs.rounding import bound_from_above
from lpmech.programs.solvers.floored_interior_point import floors_and_prices
from lpmech.programs.solvers.formulations import LARGEST_RATIO
from lpmech.programs.solvers.optimal_face import filled
from lpmech.programs.uncertain_priors import PriorSet

__all__ = ["solve_for_worst_prior", "solve_with_hit_floor"]

#: The solver keeps floors that are higher by this, so that its tolerance does not fall below the true ones.
_ABOVE, _TOLERANCE = 1e-9, 1e-10

#: Of more variables HiGHS has its interior point method; the second number beside a set of priors.
_LARGE, _LARGE_BESIDE_PRIORS = 150 * 151, 2_500

#: Of more entries a program is solved by the interior point method of this package, to this relative gap.
_MANY, _GAP = 150**2, 1e-9


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
        relative, above = (weights - top[:, None]) / scale, float(least) + _ABOVE
        found = _at_once(relative, program.level, excess, above) if weights.size > _MANY else None
        matrix, prices, duals = found or _of_weights(relative, excess, above)[:3]
    else:
        top = misses(weights)
        matrix, prices, duals = _of_hits(gains / scale, excess, float(least) + _ABOVE)
    sums = matrix.sum(axis=1, keepdims=True)
    channel = Channel(matrix / sums, program.inputs, program.outputs).exact(program.level)
    if min(channel.matrix.diagonal().tolist()) < least:
        raise SolverError("the solver's channel does not keep the floor of all hit rates")
    return FlooredOptimum(program, least, channel, to_exact(scale * prices), to_exact(top) + to_exact(scale * duals))


def solve_for_worst_prior(
    utility: Array, level: PrivacyLevel, priors: PriorSet, least: Fraction | None = None
) -> tuple[Array, Array, Array, Array]:
    """The best channel for the worst prior of a set in floats, perhaps with every hit rate at least a number.

    Parameters
    ----------
    utility : ndarray of float, shape (K, J)
    level : PrivacyLevel
    priors : PriorSet
    least : Fraction, optional
        Then K = J.

    Returns
    -------
    matrix : ndarray, shape (K, J)
        Private, its rows summing to one, up to rounding.
    prior, row_duals, prices : ndarray, shape (K,)
        Near the proof that nothing is better: see `lpmech.programs.uncertain_priors`; prices are zero without a floor.

    Raises
    ------
    SolverError
        If HiGHS fails.
    """
    scale, top = float(np.ptp(utility)) or 1.0, float(utility.max())
    kept = None if least is None else float(least) + _ABOVE
    matrix, prices, duals, moved = _of_weights(
        (utility - top) / scale, min(float(level.ratio) - 1, LARGEST_RATIO), kept, priors
    )
    prior = priors.nearest(to_float(priors.centre) + moved)
    return matrix / matrix.sum(axis=1, keepdims=True), prior, scale * duals + top * to_float(prior), scale * prices


def _of_weights(
    relative: Array, excess: float, least: float | None, priors: PriorSet | None = None
) -> tuple[Array, Array, Array, Array]:
    """Matrix, prices, row duals, what the prior has more than the centre: m_j, 0 <= x[y, j] <= (t - 1) m_j, q = m + x.

    With a set of priors the weights are the utility, none above zero, and -sigma, rho, alpha and beta are unknown, too.
    """
    rows, columns = relative.shape
    entries, one, ones = rows * columns, eye_array(rows), np.ones((rows, 1))
    limits: list[list[Any]] = [[-excess * kron(ones, eye_array(columns)), eye_array(entries)]]
    right, centre, costs = [np.zeros(entries)], np.ones(rows), [np.zeros(0)]
    if least is not None:
        hits = coo_array((np.ones(rows), (np.arange(rows), np.arange(rows) * (columns + 1))), shape=(rows, entries))
        limits.append([-one, -hits])
        right.append(np.full(rows, -least))
    if priors is not None:
        worth = coo_array((relative.ravel(), (np.arange(entries) // columns, np.arange(entries))))
        limits = [[*blocks, None, None, None, None] for blocks in limits]
        limits.append([-relative, -worth, csr_array(-ones), None, -one, None])
        limits.append([relative, worth, csr_array(ones), csr_array(-ones), None, -one])
        right.append(np.zeros(2 * rows))
        centre, *steps = (to_float(v) for v in (priors.centre, priors.high - priors.centre, priors.centre - priors.low))
        costs = [np.array([0.0, float(priors.radius)]), *steps]
    weighted, added = -centre[:, None] * relative, np.concatenate(costs)
    sums = [np.ones((rows, columns)), kron(one, np.ones((1, columns)))]
    found = _solved(
        np.concatenate([weighted.sum(axis=0), weighted.ravel(), added]),
        limits,
        np.concatenate(right),
        [[*sums, csr_array((rows, len(added)))] if len(added) else sums],
        np.ones(rows),
        _LARGE if priors is None else _LARGE_BESIDE_PRIORS,
    )
    floors, surplus = np.maximum(found.x[:columns], 0.0), found.x[columns : columns + entries].reshape(rows, columns)
    matrix, prices = floors + np.clip(surplus, 0, excess * floors), -found.ineqlin.marginals[entries:]
    kept = np.zeros(rows) if least is None else np.maximum(prices[:rows], 0.0)
    moved = np.zeros(rows) if priors is None else prices[-2 * rows : -rows] - prices[-rows:]
    return matrix, kept, -found.eqlin.marginals, moved


def _at_once(relative: Array, level: PrivacyLevel, excess: float, least: float) -> tuple[Array, Array, Array] | None:
    """Matrix, prices and row duals of weights at most zero; None if the gap is not closed.

    Given the column floors each row is filled for itself: its hits to `least`, then the entries of largest weight.
    """
    with one_thread():
        floors, prices, duals = floors_and_prices(relative, excess, least)
    low, ceilings = np.broadcast_to(floors, relative.shape).copy(), floors * (1 + excess)
    np.fill_diagonal(low, np.maximum(floors, np.minimum(least, ceilings)))
    matrix = filled(low, np.maximum(low, ceilings), np.argsort(-relative, axis=1, kind="stable"))
    matrix /= matrix.sum(axis=1, keepdims=True)
    bound = bound_from_above(relative + np.diag(prices), level, duals) - least * float(prices.sum())
    closed = bound - float((relative * matrix).sum()) <= _GAP * abs(bound)
    return (matrix, prices, duals) if closed and matrix.diagonal().min() >= least - _ABOVE / 2 else None


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


def _solved(
    costs: Array, limits: list[list[Any]], right: Array, sums: list[list[Any]], values: Array, large: int = _LARGE
) -> Any:
    """The least costs over numbers >= 0 with limits @ x <= right and sums @ x = values, both in blocks."""
    from scipy.optimize import linprog

    solve, stack = cast(Any, linprog), cast(Any, bmat)  # their stubs know too few sparse matrices
    found = solve(
        costs,
        A_ub=csr_array(stack(limits)),
        b_ub=right,
        A_eq=csr_array(stack(sums)),
        b_eq=values,
        method="highs" if len(costs) <= large else "highs-ipm",
        options={"primal_feasibility_tolerance": _TOLERANCE, "dual_feasibility_tolerance": _TOLERANCE},
    )
    if found.status != 0:
        raise SolverError(f"HiGHS on the program with column floors: {found.message}")
    return found
