"""The linear programs of the proof of ghazi2021 Theorem 3: LP1 over channels, and its relaxation LP2."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from lpmech.entries import Array, Number, is_exact, to_float
from lpmech.errors import SolverError
from lpmech.mechanisms.rr_with_prior import hit_rates
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.general import Program, optimal_channel
from lpmech.utilities import hit

__all__ = ["lp1", "lp2_vertices", "solve_lp2", "lp2_by_enumeration"]


def lp1(prior: object, epsilon: PrivacyLevel | float) -> Program:
    """LP1: maximise the hit rate sum_y p_y q[y, y] over private channels, constraints (2) and (3).

    Raises
    ------
    PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    probabilities = as_prior(prior)
    return optimal_channel(hit(len(probabilities)), epsilon, probabilities)


def lp2_vertices(size: int, ratio: Any) -> list[list[Any]]:
    """The extreme points of LP2, {q >= 0 : q_y + (1/t) sum_{j != y} q_j <= 1 for all y}, as the proof lists them.

    Zero, and for every non-empty set Y the point with t / (t + |Y| - 1) on Y and zero elsewhere.
    """
    points: list[list[Any]] = [[ratio * 0] * size]
    for count in range(1, size + 1):
        value = ratio / (ratio + count - 1)
        points += [
            [value if y in chosen else ratio * 0 for y in range(size)] for chosen in combinations(range(size), count)
        ]
    return points


def lp2_by_enumeration(prior: object, epsilon: PrivacyLevel | float) -> Number:
    """Optimum of LP2: the largest objective over `lp2_vertices`; 2^K points, exact for exact arguments."""
    probabilities, level = as_prior(prior), as_privacy_level(epsilon)
    exact = level.is_exact and is_exact(probabilities)
    weights = probabilities if exact else to_float(probabilities)
    ratio: Any = level.ratio if exact else float(level.ratio)
    best: Number = max(_objective(weights, point) for point in lp2_vertices(len(weights), ratio))
    return best


def solve_lp2(prior: object, epsilon: PrivacyLevel | float, solver: str = "HIGHS") -> tuple[float, Array]:
    """Solve LP2 through cvxpy.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label.
    epsilon : float or PrivacyLevel
        Privacy level.
    solver : str
        Name of an installed cvxpy solver.

    Returns
    -------
    value : float
        Optimum.
    diagonal : ndarray, shape (K,)
        The optimal q_y = Pr[y | y].

    Raises
    ------
    SolverError
        If the solver does not find the optimum, or its value is not that of RRWithPrior within 1e-7.
    """
    import cvxpy as cp

    probabilities = to_float(as_prior(prior))
    t = float(as_privacy_level(epsilon).ratio)
    q = cp.Variable(len(probabilities), nonneg=True)
    problem = cp.Problem(cp.Maximize(probabilities @ q), [(1 - 1 / t) * q + cp.sum(q) / t <= 1])
    try:
        problem.solve(solver=solver)
    except cp.error.SolverError as exc:
        raise SolverError(f"{solver} failed on LP2: {exc}") from exc
    expected = float(np.max(hit_rates(probabilities, epsilon)))
    if problem.status != cp.OPTIMAL or abs(problem.value - expected) > 1e-7:
        raise SolverError(f"{solver} returned {problem.value} ({problem.status}) for LP2, expected {expected}")
    return float(problem.value), np.asarray(q.value)


def _objective(weights: Array, point: Sequence[Any]) -> Any:
    return sum((p * q for p, q in zip(weights.tolist(), point, strict=True)), start=weights[0] * 0)
