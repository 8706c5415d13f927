"""A program written out in cvxpy: the pairwise form of the papers, and the small column-floor form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lpmech.entries import to_float
from lpmech.extras import needs
from lpmech.programs.solvers.scaling import Scaled, scaled

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["Formulation", "pairwise_form", "column_floor_form", "solver_ratio", "LARGEST_RATIO"]

#: Coefficients above this leave the range that float solvers handle.
LARGEST_RATIO = 1e10


@dataclass(frozen=True)
class Formulation:
    """A cvxpy problem together with what has to be read off it.

    Attributes
    ----------
    problem : cvxpy.Problem
        The linear program.
    channel : cvxpy expression, shape (K, J)
        The channel.
    row_sums : cvxpy constraint
        "Every row sums to one"; its dual value is pi up to sign and units.
    fixed : mapping (int, int) -> cvxpy constraint
        The fixed entries.
    units : Scaled
        The objective is in these units, so that a solver's absolute tolerances suit every program.
    """

    problem: Any
    channel: Any
    row_sums: Any
    fixed: dict[tuple[int, int], Any]
    units: Scaled


def solver_ratio(program: Program) -> float:
    """The ratio given to a float solver: e^epsilon, at most 1e10.

    A channel that is private at a smaller ratio is private; the optimum rises by at most (K - 1) 1e-10 times
    the spread of the weights beyond that, and the duality gap is taken at the true ratio.
    """
    return min(float(program.level.ratio), LARGEST_RATIO)


def pairwise_form(program: Program) -> Formulation:
    """The papers' own form: q >= 0, rows sum to one, q[y, j] <= t q[y', j] for all y != y'.

    K (K - 1) J inequalities: ghazi2021 LP1 (2)-(3), liu2026 (4.1).
    """
    with needs("programs"):
        import cvxpy as cp

    rows, columns = program.weights.shape
    t = solver_ratio(program)
    q = cp.Variable((rows, columns), nonneg=True)
    private = [q[y] <= t * q[other] for y in range(rows) for other in range(rows) if other != y]
    return _assemble(program, q, private)


def column_floor_form(program: Program) -> Formulation:
    """The equivalent small form with one floor per output: m_j <= q[y, j] <= t m_j.

    Argument: if q satisfies the pairwise constraints, m_j = min_y q[y, j] satisfies these, since
    q[y, j] <= t q[y', j] for the y' that attains the minimum. Conversely q[y, j] <= t m_j <= t q[y', j].
    So both forms have the same channels, with 2 K J inequalities in place of K (K - 1) J.
    """
    with needs("programs"):
        import cvxpy as cp

    rows, columns = program.weights.shape
    t = solver_ratio(program)
    q = cp.Variable((rows, columns), nonneg=True)
    floors = cp.Variable((1, columns), nonneg=True)
    every_row = cp.Constant(np.ones((rows, 1)))
    private = [every_row @ floors <= q, q <= t * (every_row @ floors)]
    return _assemble(program, q, private)


def _assemble(program: Program, q: Any, private: list[Any]) -> Formulation:
    with needs("programs"):
        import cvxpy as cp

    row_sums = cp.sum(q, axis=1) == 1
    fixed = {(y, j): q[y, j] == float(value) for (y, j), value in program.fixed.items()}
    weights = to_float(program.weights)
    units = scaled(weights)
    objective = cp.Maximize(cp.sum(cp.multiply(units.gain(weights), q)))
    return Formulation(cp.Problem(objective, [*private, row_sums, *fixed.values()]), q, row_sums, fixed, units)
