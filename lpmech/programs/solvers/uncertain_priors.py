"""Best channels for the worst prior of a set: HiGHS, its answer made exact, or exact pivoting on extreme columns."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from scipy.sparse import bmat, coo_array, csr_array, eye_array, kron

from lpmech.channel import Channel
from lpmech.common_denominators import exact_product
from lpmech.entries import Array, to_exact, to_float
from lpmech.errors import ProgramError, SolverError
from lpmech.linear_algebra import from_flint, to_flint
from lpmech.programs.general import Program
from lpmech.programs.optimality import dual_excess
from lpmech.programs.solvers.formulations import LARGEST_RATIO
from lpmech.programs.solvers.simplex import ExtremeColumn, Simplex
from lpmech.programs.uncertain_priors import PriorSet, WorstCase

__all__ = ["best_for_worst_prior"]

#: Largest programs: entries of the utility, exactly and in floats.
_MOST_EXACT, _MOST_FLOAT = 400, 22_500

#: Of more entries HiGHS has its interior point method.
_LARGE = 2_500


def best_for_worst_prior(program: Program, priors: PriorSet, solver: str | None = None) -> WorstCase:
    """The channel whose expected utility under its worst prior of a set is largest.

    Parameters
    ----------
    program : Program
        The usual one with the utility as its weights; without fixed entries.
    priors : PriorSet
        Of as many labels.
    solver : {"exact", "float"}, optional
        Default: exact for an exact level and utility of at most 400 entries, else floats, from which a channel is made
        that is private to the last bit and a prior that is in the set exactly, with `value` and `bound` close together.

    Raises
    ------
    UtilityError, PriorError
        If the program is not usable.
    ProgramError
        If the program is too large, there is no such solver, or the level or the utility are not exact.
    SolverError
        If HiGHS fails.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel, optimal_channel
    >>> from lpmech.programs.uncertain_priors import priors_within
    >>> from lpmech.utilities import hit
    >>> near = priors_within([Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)], Fraction(1, 20))
    >>> found = optimal_channel(hit(3), PrivacyLevel.from_ratio(2), priors=near).solve()
    >>> found.value, found.bound
    (Fraction(17, 30), Fraction(17, 30))
    """
    priors.check(len(program.inputs))
    exact, entries = program.is_exact, program.weights.size
    if solver not in (None, "exact", "float"):
        raise ProgramError("solver", solver, "'exact' or 'float'")
    if solver == "exact" and not exact:
        raise ProgramError("solver", solver, "'float', or an exact level and an exact utility")
    chosen = solver or ("exact" if exact and entries <= _MOST_EXACT else "float")
    most = _MOST_EXACT if chosen == "exact" else _MOST_FLOAT
    if entries > most:
        raise ProgramError("utility", f"{entries} entries", f"at most {most} for the solver {chosen!r}")
    return _exactly(program, priors) if chosen == "exact" else _in_floats(program, priors)


def _in_floats(program: Program, priors: PriorSet) -> WorstCase:
    """Floors m_j, surpluses 0 <= x[y, j] <= (t - 1) m_j, and q = m + x; then sigma, rho, alpha and beta."""
    from scipy.optimize import linprog

    gain, level = program.weights, program.level
    values, (rows, columns) = to_float(gain), gain.shape
    scale = float(np.ptp(values)) or 1.0
    relative = (values - values.max()) / scale
    excess = min(float(level.ratio) - 1, LARGEST_RATIO)
    centre, up, down = (to_float(v) for v in (priors.centre, priors.high - priors.centre, priors.centre - priors.low))
    one, ones = eye_array(rows), np.ones((rows, 1))
    places = np.repeat(np.arange(rows), columns), np.arange(rows * columns)
    worth = coo_array((relative.ravel(), places), shape=(rows, rows * columns))
    limits: list[list[Any]] = [
        [-excess * kron(ones, eye_array(columns)), eye_array(rows * columns), None, None, None, None],
        [-relative, -worth, csr_array(ones), None, -one, None],
        [relative, worth, csr_array(-ones), csr_array(-ones), None, -one],
    ]
    sums = [[np.ones((rows, columns)), kron(one, np.ones((1, columns))), csr_array((rows, 2 * rows + 2))]]
    weighted = centre[:, None] * relative
    costs = np.concatenate([-weighted.sum(axis=0), -weighted.ravel(), [0.0, float(priors.radius)], up, down])
    solve, stack = cast(Any, linprog), cast(Any, bmat)  # their stubs know too few sparse matrices
    found = solve(
        costs,
        A_ub=csr_array(stack(limits)),
        b_ub=np.zeros(rows * columns + 2 * rows),
        A_eq=csr_array(stack(sums)),
        b_eq=np.ones(rows),
        method="highs" if gain.size <= _LARGE else "highs-ipm",
        bounds=[(0, None)] * (columns + rows * columns) + [(None, None)] + [(0, None)] * (1 + 2 * rows),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status != 0:
        raise SolverError(f"HiGHS on the program with uncertain priors: {found.message}")
    floors = np.maximum(found.x[:columns], 0.0)
    surplus = found.x[columns : columns + rows * columns].reshape(rows, columns)
    matrix = floors + np.clip(surplus, 0, excess * floors)
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True), program.inputs, program.outputs).exact(level)
    more, less = -found.ineqlin.marginals[rows * columns :].reshape(2, rows)
    prior = priors.nearest(centre + more - less)
    duals = scale * -found.eqlin.marginals + values.max() * to_float(prior)
    return _worst_case(program, priors, channel, prior, duals)


def _exactly(program: Program, priors: PriorSet) -> WorstCase:
    simplex = _WithPriors(program, priors)
    while (column := simplex.best_column()) is not None:
        simplex.enter(column)
    return simplex.worst_case()


def _worst_case(program: Program, priors: PriorSet, channel: Channel, prior: Array, duals: Array) -> WorstCase:
    utility = to_exact(program.weights)
    weights = exact_product(prior[:, None], utility)
    proof = Program(weights, program.level, program.inputs, program.outputs)
    return WorstCase(utility, priors, proof, channel, prior, duals)


class _WithPriors(Simplex):
    """Extreme columns of channels beside the unknowns of the inner dual, which are columns by their number.

    Equations: K row sums; g_y + alpha_y - sigma - s_y = 0; g_y - beta_y - sigma - rho + s'_y = 0. The duals of the last
    two say what the prior has more, and less, than the centre.
    """

    def __init__(self, program: Program, priors: PriorSet) -> None:
        size = len(program.weights)
        one, none, ones = np.eye(size, dtype=int), np.zeros((size, size), dtype=int), np.ones((size, 1), dtype=int)
        nothing = np.zeros(size, dtype=int)
        upper = [one, none, -ones, ones, 0 * ones, -one, none]
        lower = [none, -one, -ones, ones, -ones, none, one]
        self.priors = priors
        self.centre = to_flint(priors.centre)
        self.others = to_flint(
            np.vstack([np.zeros((size, 4 * size + 3), dtype=int), np.hstack(upper), np.hstack(lower)])
        )
        limits = [priors.centre - priors.high, priors.low - priors.centre]
        self.costs = to_flint(
            np.concatenate([*limits, np.array([0, 0, -priors.radius], dtype=object), nothing, nothing])
        )
        super().__init__(program, (), np.concatenate([nothing + 1, nothing, nothing]).astype(object))

    def best_column(self) -> Any:
        """An unknown of the inner dual that gains, the one that gains most, or else an extreme column."""
        infinite, finite = (self.cost[:, part].dot(self.inverse) for part in (0, 1))
        gains = list(zip(-infinite.dot(self.others), self.costs - finite.dot(self.others), strict=True))
        best = max(range(len(gains)), key=gains.__getitem__)
        return best if gains[best] > (0, 0) else super().best_column()

    def worst_case(self) -> WorstCase:
        """The optimum; M becomes a number large enough for the duals to be feasible."""
        program, size = self.program, len(self.weights)
        large = self.one
        infinite, finite = (self.cost[:, part].dot(self.inverse) for part in (0, 1))
        while True:
            prices = large * infinite + finite
            duals = from_flint(prices)
            prior = self.priors.centre - duals[size : 2 * size] - duals[2 * size :]
            weights = exact_product(prior[:, None], program.weights)
            excess = dual_excess(weights, program.level.ratio, duals[:size], {})
            if max(excess) <= 0 and max(self.costs - prices.dot(self.others)) <= 0:
                break
            large = 2 * large
        channel = Channel(from_flint(self.matrix()), program.inputs, program.outputs)
        return _worst_case(program, self.priors, channel, prior, duals[:size])

    def _cost(self, column: Any) -> list[Any]:
        if isinstance(column, int):
            return [self.zero, self.costs[column]]
        if column is None:
            return super()._cost(None)
        return [self.zero, (self._heights(column[1]) * self.centre * self.weights[:, column[0]]).sum()]

    def _coefficients(self, column: ExtremeColumn | int) -> Array:
        if isinstance(column, int):
            return self.others[:, column]
        heights = self._heights(column[1])
        worth = heights * self.weights[:, column[0]]
        return np.concatenate([heights, worth, worth])

    def _reduced(self, part: int) -> Array:
        duals = self.cost[:, part].dot(self.inverse)
        size = len(self.weights)
        prior = part * self.centre - duals[size : 2 * size] - duals[2 * size :]
        return np.asarray(prior[:, None] * self.weights - duals[:size, None])
