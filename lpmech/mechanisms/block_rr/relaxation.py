"""The relaxation (4.9) of liu2026's optimization problem (4.1): over the diagonal, and over all entries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lpmech.entries import Array, Number, as_array, to_float
from lpmech.errors import ProgramError, SolverError
from lpmech.linear_algebra import solve_square
from lpmech.mechanisms.block_rr.closed_form import favoured_labels
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel

__all__ = ["DiagonalRelaxation", "diagonal_relaxation", "Relaxation", "block_rr_relaxation"]

#: Largest number of labels for which the extreme points of the relaxation are enumerated.
MAX_ENUMERATED = 6


@dataclass(frozen=True)
class DiagonalRelaxation:
    """liu2026 eq. (4.9) over the diagonal, x_j = q[j, j]: maximise gains . x over x >= 0 with matrix @ x <= bounds.

    Attributes
    ----------
    matrix : ndarray, shape (K, K)
        Coefficients of x in the constraint of every true label.
    bounds : ndarray, shape (K,)
        One for labels of S1, 1 - l / K for labels of S2.
    """

    matrix: Array
    bounds: Array

    def tight_point(self) -> Array:
        """The point at which every constraint is an equality, shape (K,): the linear system after liu2026 (4.9).

        Raises
        ------
        ZeroDivisionError
            If the system is singular.
        """
        return solve_square(self.matrix, self.bounds)

    def optimum(self, gains: object) -> tuple[Number, Array]:
        """The largest gains . x and an extreme point that attains it, by enumeration of the extreme points.

        Parameters
        ----------
        gains : array_like, shape (K,)
            Positive weights of the diagonal entries.

        Raises
        ------
        ProgramError
            If there are more than 6 labels, or the gains do not fit.
        """
        size = len(self.bounds)
        weights = as_array(gains, "gains", 1, ProgramError)
        if len(weights) != size or np.any(weights <= 0) or size > MAX_ENUMERATED:
            raise ProgramError("gains", gains, f"{size} positive numbers, for at most {MAX_ENUMERATED} labels")
        points = [self.matrix[0] * 0]
        for count in range(1, size + 1):
            for positive in combinations(range(size), count):
                points += self._points(positive)
        values = [(weights * x).sum() for x in points]
        best = max(range(len(points)), key=values.__getitem__)
        return values[best], points[best]

    def _points(self, positive: tuple[int, ...]) -> list[Array]:
        """Feasible points that are zero outside `positive` and meet as many constraints with equality."""
        found = []
        for rows in combinations(range(len(self.bounds)), len(positive)):
            try:
                part = solve_square(self.matrix[np.ix_(rows, positive)], self.bounds[list(rows)])
            except ZeroDivisionError:
                continue
            x = self.matrix[0] * 0
            x[list(positive)] = part
            if np.all(x >= 0) and np.all(self.matrix @ x <= self.bounds):
                found.append(x)
        return found


def diagonal_relaxation(prior: object, majority: Sequence[int], level: PrivacyLevel, l: int) -> DiagonalRelaxation:
    """liu2026 eq. (4.9) with B(y) = {y}, S~ = S, over the diagonal entries only, its second constraint as in eq. (4.3).

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; orders Delta.
    majority : sequence of int
        S1.
    level : PrivacyLevel
        Privacy level; exact levels are needed for exact answers.
    l : int
        |Delta|, 0..|S1|.

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    PriorError
        If another argument is not usable.

    Notes
    -----
    Source: liu2026, eq. (4.9). Over all entries of the channel (4.9) is unbounded: the off-diagonal ones have
    positive weight and occur in no constraint.
    """
    probabilities, t = as_prior(prior), level.ratio
    size = len(probabilities)
    favoured = favoured_labels(probabilities, list(majority), l)
    rows = [
        [t**0 if y == j else 0 * t if y not in majority and j in favoured else 1 / t for j in range(size)]
        for y in range(size)
    ]
    bounds = [t**0 if y in majority else 1 - l * t**0 / size for y in range(size)]
    return DiagonalRelaxation(as_array(rows, "matrix", 2), as_array(bounds, "bounds", 1))


@dataclass(frozen=True)
class Relaxation:
    """liu2026 eq. (4.9): maximise sum weights[y, j] p[y, j] over p >= 0 with matrix @ p.ravel() <= right.

    Attributes
    ----------
    weights : ndarray, shape (K, K)
        Objective.
    matrix : ndarray, shape (K, K * K)
        One row for each label: liu2026 eq. (4.2) for minority, eq. (4.3) for majority labels.
    right : ndarray, shape (K,)
        Right-hand sides.
    """

    weights: Array
    matrix: Array
    right: Array

    def is_feasible(self, point: Array) -> bool:
        """Whether a matrix of shape (K, K) satisfies all constraints."""
        return bool(np.all(point >= 0) and np.all(self.matrix @ point.ravel() <= self.right))

    def value(self, point: Array) -> Number:
        """Objective at a matrix of shape (K, K)."""
        return (self.weights * point).sum()

    def solve(self) -> float:
        """Optimum in floats by HiGHS; infinite if the problem is unbounded.

        Raises
        ------
        SolverError
            If HiGHS stops otherwise.
        """
        from scipy.optimize import linprog

        answer: Any = linprog(-to_float(self.weights).ravel(), to_float(self.matrix), to_float(self.right))
        if answer.status == 3:
            return math.inf
        if answer.status != 0:
            raise SolverError(f"HiGHS stopped on (4.9): {answer.message}")
        return -float(answer.fun)


def block_rr_relaxation(
    prior: object, majority: Sequence[int], decay: Number, epsilon: PrivacyLevel | float, l: int
) -> Relaxation:
    """The relaxation liu2026 eq. (4.9) of eq. (4.1) for B(y) = {y}, S~ = S, its second constraint as in (4.3).

    For y in S2: p[y, y] + (1/t) sum of p[j, j] over j outside Delta and y, + l/K <= 1; for y in S1: the same sum
    over all j other than y. (The printed second constraint counts S~2 twice; (4.3), from which it comes, does not.)

    Parameters and errors as for `block_rr_program_from_decay`.
    """
    program = block_rr_program_from_decay(prior, majority, decay, epsilon, l)
    size = len(program.weights)
    one = program.weights[0, 0] * 0 + 1
    inverse = one / program.level.ratio
    favoured = {j for _, j in program.fixed}
    matrix = np.zeros((size, size, size), dtype=object)
    right = np.full(size, one, dtype=object)
    for y in range(size):
        skipped = set() if y in set(majority) else favoured
        for j in range(size):
            if j not in skipped:
                matrix[y, j, j] = inverse
        matrix[y, y, y] = one
        right[y] -= one * len(skipped) / size
    return Relaxation(program.weights, as_array(matrix.reshape(size, -1), "matrix", 2), as_array(right, "right", 1))
