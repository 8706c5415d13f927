"""From almost optimal column floors and duals to an extreme point of the optimal channels.

The greedy fill of given floors leaves in each row the outputs at the ceiling, those at the floor and one break
between them. Let a_j be the ceilings and L what a row lifts above its floors, in units of ceiling minus floor. A row
whose break is at neither end is *free*; a *tight* row states that its high outputs have sum a_j = L. These homogeneous
equations, with a_j = 0 for the outputs never released, determine (a, L) up to scale exactly at an extreme point; the
scale follows from p sum(a) + r L = 1 with p = 1 / t, r = 1 - p. As long as they leave more freedom the optimum does
not change along it (up to the accuracy of the start): one moves until another row is tight or an output is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, lstsq, qr

from lpmech.entries import Array
from lpmech.programs.solvers.filling import Filler

__all__ = ["Vertex", "crossover"]

#: A break nearer than this to one end of its room, relative to the room, is taken to be there.
_TIGHT = 1e-7
_RANK = 1e-9
#: On an optimal face of more dimensions no extreme point is looked for: the steps to one take their number cubed.
_MOST_DIMENSIONS = 1000


@dataclass(frozen=True)
class Vertex:
    """An extreme point.

    Attributes
    ----------
    floors : ndarray, shape (J,)
        Column floors, zero for outputs that are never released.
    duals : ndarray, shape (K,)
        Duals that fit it: the break's weight in a free row, the nearest solution of the column equations in tight rows.
    """

    floors: Array
    duals: Array


def crossover(weights: Array, filler: Filler, floors: Array, slacks: Array, duals: Array) -> Vertex | None:
    """An extreme point near an almost optimal interior one.

    None if the guess of its tight rows is contradictory, or the optimal face has more than 1,000 dimensions.

    Parameters
    ----------
    weights : ndarray, shape (K, J)
        Objective.
    filler : Filler
        Of these weights.
    floors, slacks : ndarray, shape (J,)
        Column floors, and how far the dual constraint of each output is from being active, in (0, 1].
    duals : ndarray, shape (K,)
        Row duals.
    """
    support = np.flatnonzero(floors > slacks * floors.max())
    kept = np.zeros_like(floors)
    kept[support] = floors[support]
    if support.size == 0:
        return None
    fill = filler.fill(kept)
    upper = fill.rest > 1 - _TIGHT
    free = ~upper & (fill.rest >= _TIGHT)
    high = filler.high(fill.count + upper)[:, support]
    last = filler.breaks(fill)
    excess = filler.excess
    p, r = 1 / (1 + excess), excess / (1 + excess)
    start = np.append(fill.floors[support] * (1 + excess), (1 - fill.floors.sum()) / r)
    position = np.zeros(len(floors), dtype=np.intp)
    position[support] = np.arange(len(support))
    value_at_break = np.where(free, weights[np.arange(len(weights)), last], 0.0)
    norm = np.append(np.full(len(support), p), r)
    kept_weights = weights[:, support]
    slope = np.append(
        p * kept_weights.sum(axis=0) + r * ((kept_weights - value_at_break[:, None]) * high).sum(axis=0),
        r * value_at_break.sum(),
    )
    ray = _extreme_ray(high, free, position[last], start, slope, norm)
    if ray is None:
        return None
    found = np.zeros_like(floors)
    found[support] = p * ray[:-1]
    return Vertex(found, _fitting_duals(kept_weights, high, free, value_at_break, duals, p, r))


def _extreme_ray(high: Array, free: Array, last: Array, start: Array, slope: Array, norm: Array) -> Array | None:
    """(a, L) of an extreme point: `start` projected on the equations of the tight rows, then moved along `slope`."""
    equations = np.hstack([high[~free].astype(float), np.full((int((~free).sum()), 1), -1.0)])
    freedom = _null_space(equations, len(start))
    point = freedom @ (freedom.T @ start)
    if not 0 < freedom.shape[1] <= _MOST_DIMENSIONS or not norm @ point > 0.5:
        return None
    point /= norm @ point
    if (abs(point - start) > 1e-4 * start.max()).any():
        return None
    rows = np.hstack([-high[free].astype(float), np.ones((int(free.sum()), 1))])
    last = last[free]
    while freedom.shape[1] > 1:
        direction = _direction(freedom, point, slope, norm)
        rest, room = rows @ point, point[last]
        speed, widening = rows @ direction, direction[last]
        quantities = np.concatenate([point[:-1], rest, room - rest])
        speeds = np.concatenate([direction[:-1], speed, widening - speed])
        falling = speeds < -1e-13 * abs(direction).max()
        if not falling.any():
            return None
        times = np.where(falling, np.maximum(quantities, 0.0) / np.where(falling, -speeds, 1.0), np.inf)
        hit = int(times.argmin())
        point = point + times[hit] * direction
        freedom = _restricted(freedom, _normal(hit, rows, last, len(start)))
        point = freedom @ (freedom.T @ point)
        point /= norm @ point
    ray = np.maximum(freedom[:, 0] * np.sign(freedom[:, 0] @ point), 0.0)
    return ray / (norm @ ray)


def _null_space(equations: Array, size: int) -> Array:
    if len(equations) == 0:
        return np.eye(size)
    orthogonal, triangle, _ = qr(equations.T, mode="full", pivoting=True, check_finite=False)
    diagonal = abs(np.diag(triangle))
    rank = int((diagonal > _RANK * diagonal[0]).sum())
    return orthogonal[:, rank:]


def _direction(freedom: Array, point: Array, slope: Array, norm: Array) -> Array:
    """A way to move that keeps the scale and does not lower the objective."""
    tangent = freedom - np.outer(point, norm @ freedom)
    direction = tangent[:, int((tangent**2).sum(axis=0).argmax())]
    return direction if slope @ direction >= 0 else -direction


def _normal(hit: int, rows: Array, last: Array, size: int) -> Array:
    """The equation of the constraint that was hit: a_j = 0, a break at its floor, or a break at its ceiling."""
    outputs, free = size - 1, len(rows)
    normal = np.zeros(size)
    if hit < outputs:
        normal[hit] = 1.0
    elif hit < outputs + free:
        normal = rows[hit - outputs]
    else:
        row = hit - outputs - free
        normal[last[row]] = 1.0
        normal = normal - rows[row]
    return normal


def _restricted(freedom: Array, normal: Array) -> Array:
    """An orthonormal basis of the part of the span of `freedom` that is orthogonal to `normal` (Householder)."""
    image = freedom.T @ normal
    pivot = image.copy()
    pivot[0] += np.copysign(np.linalg.norm(image), image[0])
    pivot /= np.linalg.norm(pivot)
    return (freedom - 2 * np.outer(freedom @ pivot, pivot))[:, 1:]


def _fitting_duals(
    weights: Array, high: Array, free: Array, value_at_break: Array, duals: Array, p: float, r: float
) -> Array:
    """Row duals equal to the weight of the break in free rows that satisfy the column equations of the support.

    A tight row is corrected in proportion to how far its dual is from the nearest weight of the row.
    """
    fitted = np.where(free, value_at_break, duals)
    slack = weights - fitted[:, None]
    reach = np.where(free, 0.0, abs(slack).min(axis=1))
    factor = p + r * high
    violation = np.einsum("yj,yj->j", factor, slack)
    factor *= reach[:, None]
    largest = factor.max(axis=0)
    if not (largest > 0).all():
        return fitted
    try:
        steps = lstsq((factor / largest).T, violation / largest, cond=1e-13, lapack_driver="gelsy", check_finite=False)[
            0
        ]
    except (LinAlgError, ValueError):
        return fitted
    return fitted + reach * steps
