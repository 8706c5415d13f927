"""The structured primal-dual interior point method for large alphabets, with crossover and a rigorous gap.

Let a_j be the ceiling of output j, the largest entry of its column, p = 1 / t and r = 1 - p. A matrix is a private
channel iff q[y, j] = p a_j + r x[y, j] with 0 <= x[y, j] <= a_j and rows that sum to one (`column_floor_form`, in
units that suit every t). With duals z of x >= 0 and v of x <= a, slack s = a - x and rho = w - pi, the optimum is where

    p sum_j a_j + r sum_j x[y, j] = 1,   z - v + r rho = 0,   p sum_y rho[y, j] + sum_y v[y, j] = 0,
    x z = s v = 0.

A Newton step for x z = s v = mu eliminates z, v, s and x entry by entry and leaves (alpha = z / x, beta = v / s,
D = 1 / (alpha + beta), h = p + r beta D)

    g_j da_j + sum_y h[y, j] dpi_y = R_j,     g_j = sum_y alpha beta D,
    sum_j h[y, j] da_j - e_y dpi_y = b_y,     e_y = r^2 sum_j D.

With M = e^(-1/2) h g^(-1/2) one Cholesky factorisation of I + M M^T (or of I + M^T M, whichever is smaller) solves
both equations. The uniform channel and large duals are strictly feasible, so no iterate ever is infeasible but for
rounding, and sum(pi) minus the complementarity is a running bound. Where only a hit counts the closed form is tried
first (`lpmech.solvers.hit_rate`); it has to close the same gap.

Sources: Mehrotra, SIAM J. Optim. 2 (1992) for predictor and corrector; the corrector is weighted by the square root
of the affine step lengths, because its second-order term presumes a full step.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.linalg import blas, lapack

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import PrivacyLevelError, ProgramError, SolverError, UtilityError
from lpmech.privacy import MAX_EPSILON
from lpmech.programs.general import GAP_RELATIVE, Solution
from lpmech.programs.rounding import bound_from_above, in_floats, value_from_below
from lpmech.solvers.crossover import crossover
from lpmech.solvers.filling import Filler
from lpmech.solvers.hit_rate import best_floors, hit_duals, hit_gains
from lpmech.solvers.rows import RowBlocks

if TYPE_CHECKING:
    from lpmech.programs.general import Program

__all__ = ["solve_along", "solve_by_interior_point", "InteriorPoint", "Iterate", "RELATIVE_GAP"]

#: Accepted gap relative to the larger of |value| and |bound|; relative to what all rows together can gain at most, four
#: orders less is accepted, too: this is what rounding leaves of a value that nearly cancels.
RELATIVE_GAP = GAP_RELATIVE
_CANCELLED_GAP = 1e-12

_MOST_ITERATIONS = 400
_STEP = 0.995
#: When an output is dropped (see `InteriorPoint`), and the share of outputs for which it is worth while.
_DROPPED, _FEW = 1e-2, 0.2
#: Relative gap of the iterate from which a neighbouring level is started.
_EARLY = 1e-2
#: Levels beyond this are solved at this one and filled at their own: outputs that are not the best of a row get less
#: than rounding. (A channel private at a smaller level is private.)
_LARGEST_EXCESS = 1e15
#: What counts as zero for the mean of the row duals, where the weights range over an interval of length one.
_ZERO = 1e-20
_REFINEMENTS = 5
_REFINED = 1e-13
#: Largest and smallest spread of a row of weights that floats can carry through the method.
_RANGE = (1e-250, 1e250)


def solve_by_interior_point(program: Program) -> Solution:
    """Solve a program without fixed entries to a rigorous relative gap of 1e-8, at an extreme point if one is found.

    Parameters
    ----------
    program : Program
        Any K x J weights. An exact program is solved in floats.

    Returns
    -------
    Solution
        Its `statistics`: "iterations", "seconds", "extreme" (whether the channel is the crossover's extreme point, or
        else the interior one after the greedy fill).

    Raises
    ------
    ProgramError
        If entries are fixed.
    PrivacyLevelError
        If e^epsilon is beyond floats.
    UtilityError
        If the weights of a row differ by more than 1e250, or all differ by less than 1e-250.
    SolverError
        If the gap cannot be closed.
    """
    return next(solve_along([program]))


def solve_along(programs: Sequence[Program]) -> Iterator[Solution]:
    """Solve programs one after the other, each from an early iterate of the one before where the weights are the same.

    For programs that differ in a small step of epsilon this saves about half of the iterations (measured in
    ``benchmarks/warm_start.py``). Raises and yields for each program as `solve_by_interior_point` does.
    """
    start: Iterate | None = None
    weights: Array | None = None
    for position, program in enumerate(programs):
        if weights is None or not np.array_equal(program.weights, weights):
            start, weights = None, program.weights
        solution, start = _solved(program, start, keep=position + 1 < len(programs))
        yield solution


def _solved(program: Program, start: Iterate | None, keep: bool) -> tuple[Solution, Iterate | None]:
    if program.fixed:
        raise ProgramError("fixed", dict(program.fixed), 'no fixed entries, or solver="highs" or "exact"')
    if program.level.epsilon > MAX_EPSILON:
        raise PrivacyLevelError("epsilon", program.level, f"at most {MAX_EPSILON:g} for a solver in floats")
    started = time.perf_counter()
    weights, _ = in_floats(program.weights)
    varies, scale = _spread(weights)
    kept: Iterate | None = None
    with RowBlocks(weights.shape) as blocks:
        filler = Filler(weights, program.level.excess_bounds[0], blocks)
        found = _Best(program, weights, filler)
        if not varies.any():
            found.offer(np.eye(1, weights.shape[1])[0], weights[:, 0])
        else:
            gains = hit_gains(weights)
            if gains is not None:  # ghazi2021, Theorem 3, subject to the same gap as every answer
                excess = filler.excess
                found.offer(best_floors(gains, excess), hit_duals(weights, gains, excess), extreme=True)
            if gains is None or not found.closed:
                kept = _search(found, weights, varies, scale, start, keep)
    statistics = {
        "solver": "interior-point",
        "iterations": found.iterations,
        "extreme": found.extreme,
        "seconds": time.perf_counter() - started,
    }
    if not (found.closed or found.cancelled):
        raise SolverError(f"the gap from {found.value:.10g} to {found.bound:.10g} could not be closed")
    channel = Channel(found.matrix, program.inputs, program.outputs)
    return Solution(program, channel, found.duals, {}, statistics), kept


def _spread(weights: Array) -> tuple[Array, float]:
    """Which rows vary, and the largest difference within a row."""
    with np.errstate(over="ignore"):
        spread = weights.max(axis=1) - weights.min(axis=1)
    largest = float(spread.max())
    if largest > 0 and not _RANGE[0] <= largest <= _RANGE[1]:
        raise UtilityError("weights", largest, f"rows whose entries differ by {_RANGE[0]:g} to {_RANGE[1]:g}, or not")
    return spread > 0, largest


class _Best:
    """The best channel and the best duals offered so far, by their rigorous value and bound."""

    def __init__(self, program: Program, weights: Array, filler: Filler) -> None:
        self.value, self.bound = -math.inf, math.inf
        self.matrix, self.duals = np.empty(0), np.empty(0)
        self.extreme, self.iterations = False, 0
        self.filler = filler
        self._level, self._weights = program.level, weights
        self._reach = float(np.ptp(weights, axis=1).sum())

    def offer(self, floors: Array, duals: Array, extreme: bool = False) -> None:
        """Take the greedy fill of the floors, or the duals, if they are better; an extreme point also if equal."""
        matrix = self.filler.matrix(self.filler.fill(floors))
        value = value_from_below(self._weights, self._level, matrix)
        allowance = 1e-13 * self._reach if extreme else 0.0
        if value > self.value - allowance:
            self.value, self.matrix, self.extreme = value, matrix, extreme
        bound = bound_from_above(self._weights, self._level, duals)
        if bound < self.bound:
            self.bound, self.duals = bound, duals

    @property
    def closed(self) -> bool:
        """Whether the relative gap is small enough."""
        return self.bound - self.value <= RELATIVE_GAP * max(abs(self.value), abs(self.bound))

    @property
    def cancelled(self) -> bool:
        """Whether the gap is what rounding leaves of a value that nearly cancels."""
        return self.bound - self.value <= _CANCELLED_GAP * self._reach


def _search(
    found: _Best, weights: Array, varies: Array, scale: float, start: Iterate | None, keep: bool
) -> Iterate | None:
    """Run the interior point method, crossing over whenever it is accurate enough, until the gap is closed.

    Outputs that the optimum seems not to release are dropped on the way. The bound is taken over all outputs; if one of
    them was dropped wrongly the gap stays open, and the method starts again, at last with all of them for good.
    Returns an early iterate if it is to be kept.
    """
    top = weights.max(axis=1)
    duals = top.copy()
    gain = (weights[varies] - top[varies, None]) / scale
    kept: Iterate | None = None
    for dropped_below, begin in [(_DROPPED, start)] * (start is not None) + [(_DROPPED, None), (0.0, None)]:
        with RowBlocks(gain.shape) as blocks:
            interior = InteriorPoint(gain, min(found.filler.excess, _LARGEST_EXCESS), blocks, dropped_below, begin)
            if keep:
                interior.run(_EARLY)
                kept = interior.iterate()
            before = found.iterations
            for accuracy in (1e-10, 1e-12, 1e-14):
                interior.run(accuracy)
                found.iterations = before + interior.iterations
                duals[varies] = top[varies] + scale * interior.row_duals
                floors, slacks = np.zeros(weights.shape[1]), np.ones(weights.shape[1])
                floors[interior.columns] = interior.ceilings * interior.p
                slacks[interior.columns] = interior.column_slacks()
                found.offer(floors, duals.copy())
                vertex = crossover(weights, found.filler, floors, slacks, duals)
                if vertex is not None:
                    found.offer(vertex.floors, vertex.duals, extreme=True)
                if found.closed:
                    return kept
    return kept


@dataclass(frozen=True)
class Iterate:
    """An iterate of `InteriorPoint` from which another level can be started."""

    columns: Array
    ceilings: Array
    row_duals: Array
    above: Array
    below: Array
    floor_duals: Array
    ceiling_duals: Array


class InteriorPoint:
    """The iterates of the method for weights whose rows have maximum zero and whose smallest entry is -1.

    Parameters
    ----------
    gain : ndarray, shape (K, J)
        Weights.
    excess : float
        t - 1.
    blocks : RowBlocks
        Rows of `gain`.
    dropped_below : float
        An output is dropped when its ceiling, relative to the largest, is below this times its `column_slacks`.
    start : Iterate, optional
        Of the same weights at another level. Default: the uniform channel and large duals.

    Attributes
    ----------
    columns : ndarray of int
        The outputs that are left.
    ceilings, row_duals : ndarray, shape (J,) and (K,)
        a of the outputs that are left, and pi.
    iterations : int
        Number of factorisations.
    """

    def __init__(
        self,
        gain: Array,
        excess: float,
        blocks: RowBlocks,
        dropped_below: float = 0.0,
        start: Iterate | None = None,
    ) -> None:
        self.p, self.r = 1 / (1 + excess), excess / (1 + excess)
        self.iterations = 0
        self._blocks, self._dropped_below = blocks, dropped_below
        self.columns = np.arange(gain.shape[1]) if start is None else start.columns
        self._gain = gain if start is None else gain[:, start.columns]
        self._gain_sums = self._gain.sum(axis=0)
        self._blocks.fit(len(self.columns))
        if start is None:
            self._begin()
        else:
            self._continue(start)

    def _begin(self) -> None:
        """The uniform channel in the middle of its bounds, duals above all weights: strictly feasible."""
        rows, columns = self._gain.shape
        self.ceilings = np.full(columns, 1 / (columns * (self.p + self.r / 2)))
        self._above = np.full(self._gain.shape, self.ceilings[0] / 2)
        self._below = self._above.copy()
        self.row_duals = np.full(rows, -self._gain.mean())
        per_entry = self.p * (self.row_duals.sum() - self._gain_sums) / rows
        self._ceiling_duals = np.broadcast_to(per_entry, self._gain.shape).copy()
        self._floor_duals = self.row_duals[:, None] - self._gain
        self._floor_duals *= self.r
        self._floor_duals += self._ceiling_duals

    def _continue(self, start: Iterate) -> None:
        """An iterate of another level, scaled to rows with mean sum one; Newton steps repair the rest."""
        mean = self.p * start.ceilings.sum() + self.r * start.above.sum() / len(start.above)
        self.ceilings, self.row_duals = start.ceilings / mean, start.row_duals.copy()
        self._above, self._below = start.above / mean, start.below / mean
        slack = self.r * (self._gain - self.row_duals[:, None])
        high = start.ceiling_duals > start.floor_duals
        self._floor_duals = np.where(high, start.floor_duals, start.ceiling_duals - slack)
        self._ceiling_duals = np.where(high, start.floor_duals + slack, start.ceiling_duals)

    def iterate(self) -> Iterate:
        """A copy of the current iterate."""
        arrays = (self.columns, self.ceilings, self.row_duals)
        large = (self._above, self._below, self._floor_duals, self._ceiling_duals)
        return Iterate(*(array.copy() for array in (*arrays, *large)))

    def _make_room(self) -> None:
        """Arrays for what one iteration keeps of every entry."""
        self._alpha, self._beta, self._pace, self._scaled = (np.empty_like(self._gain) for _ in range(4))
        self._above_second, self._below_second, self._pull = (np.empty_like(self._gain) for _ in range(3))

    def _leave_room(self) -> None:
        del self._alpha, self._beta, self._pace, self._scaled, self._above_second, self._below_second, self._pull

    def _drop(self) -> None:
        """Drop outputs that seem not to be released, if they are many; the next step restores the row sums."""
        small = self.ceilings < self._dropped_below * self.ceilings.max()
        if small.sum() <= _FEW * len(small):
            return
        kept = self.ceilings >= self._dropped_below * self.ceilings.max() * self.column_slacks()
        if (~kept).sum() <= _FEW * len(kept) or not kept.any():
            return
        self._leave_room()
        self.columns, self.ceilings, self._gain_sums = self.columns[kept], self.ceilings[kept], self._gain_sums[kept]
        self._gain, self._above, self._below = self._gain[:, kept], self._above[:, kept], self._below[:, kept]
        self._floor_duals, self._ceiling_duals = self._floor_duals[:, kept], self._ceiling_duals[:, kept]
        self._blocks.fit(len(self.columns))
        self._make_room()

    def column_slacks(self) -> Array:
        """How far the dual constraint of each output is from being active, in (0, 1], shape (J,).

        It is -p sum(rho) - r sum(max(rho, 0)) = sum(min(z, v)), which is divided by -p sum(rho) = sum(v).
        """

        def sums(at: slice) -> tuple[Array, Array]:
            z, v = self._floor_duals[at], self._ceiling_duals[at]
            return np.minimum(z, v).sum(axis=0), v.sum(axis=0)

        parts = self._blocks.each(sums)
        return sum(part[0] for part in parts) / sum(part[1] for part in parts)

    def run(self, accuracy: float) -> None:
        """Iterate until the complementarity is below `accuracy` times the bound, or no step is possible."""
        self._make_room()
        while self.iterations < _MOST_ITERATIONS:
            gap, newton = self._prepare()
            if gap <= accuracy * max(abs(self.row_duals.sum()), _ZERO * len(self.row_duals)):
                break
            steps = self._step(gap, newton)
            self.iterations += 1
            if max(steps) < 1e-8:
                break
            self._drop()
        self._leave_room()

    def _prepare(self) -> tuple[float, _Newton]:
        """The complementarity, and the Newton system at the current point with the affine right-hand side."""

        def scalings(at: slice) -> tuple[Any, ...]:
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            alpha, beta, pace = self._alpha[at], self._beta[at], self._pace[at]
            np.divide(z, x, out=alpha)
            np.divide(v, s, out=beta)
            np.add(alpha, beta, out=pace)
            np.reciprocal(pace, out=pace)
            share = beta * pace
            np.multiply(share, self.r, out=self._scaled[at])
            self._scaled[at] += self.p
            complementarity = np.einsum("ij,ij->", x, z) + np.einsum("ij,ij->", s, v)
            curvature = np.einsum("ij,ij->j", alpha, share)
            return curvature, v.sum(axis=0), complementarity, pace.sum(axis=1), x.sum(axis=1)

        parts = self._blocks.each(scalings)
        columns, ceiling_sums, gap = (sum(part[i] for part in parts) for i in range(3))
        paces, sums = (np.concatenate([part[i] for part in parts]) for i in (3, 4))
        row_scale, column_scale = self.r * np.sqrt(paces), np.sqrt(columns)

        def scale(at: slice) -> None:
            self._scaled[at] /= row_scale[at, None]
            self._scaled[at] /= column_scale

        self._blocks.each(scale)
        row_residual = 1 - self.p * self.ceilings.sum() - self.r * sums
        column_residual = self.p * (self._gain_sums - self.row_duals.sum()) + ceiling_sums
        return float(gap), _Newton(self._scaled, row_scale, column_scale, row_residual, column_residual)

    def _step(self, gap: float, newton: _Newton) -> tuple[float, float]:
        """One step of predictor and corrector; returns the primal and the dual step length."""
        primal, dual, left = self._predict(gap, newton)
        target = (max(left, 0.0) / gap) ** 3 * gap / (2 * self._above.size)
        ceilings, row_duals, primal, dual = self._correct(newton, target, math.sqrt(primal * dual))
        primal, dual = min(1.0, _STEP * primal), min(1.0, _STEP * dual)

        self.ceilings += primal * ceilings
        self.row_duals += dual * row_duals

        def advance(at: slice) -> None:
            above, below = self._primal_moves(at, ceilings, row_duals)
            floor_duals, ceiling_duals = self._dual_moves(at, above, below)
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            moves = ((x, above, primal), (s, below, primal), (z, floor_duals, dual), (v, ceiling_duals, dual))
            for values, move, length in moves:
                move *= length
                values += move
            # the larger of x and s from x + s = a, of z and v from z - v + r rho = 0: no drift, no cancellation
            nearer = x < s
            np.subtract(self.ceilings, x, out=s, where=nearer)
            np.subtract(self.ceilings, s, out=x, where=~nearer)
            slack = self._gain[at] - self.row_duals[at, None]
            slack *= self.r
            high = v > z
            np.add(z, slack, out=v, where=high)
            np.subtract(v, slack, out=z, where=~high)

        self._blocks.each(advance)
        return primal, dual

    def _predict(self, gap: float, newton: _Newton) -> tuple[float, float, float]:
        """The affine step: its primal and dual length and the complementarity it would leave; keeps dx dz and ds dv."""

        def right(at: slice) -> tuple[Array, Array]:
            pull = np.subtract(self._ceiling_duals[at], self._floor_duals[at], out=self._pull[at])
            pull *= self._pace[at]
            columns = np.einsum("ij,ij->j", self._beta[at], pull) - self._ceiling_duals[at].sum(axis=0)
            return columns, pull.sum(axis=1)

        ceilings, row_duals = self._solve(newton, right)

        def move(at: slice) -> tuple[float, ...]:
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            above, below = self._primal_moves(at, ceilings, row_duals)
            floor_duals = self._alpha[at] * above
            floor_duals += z
            ceiling_duals = self._beta[at] * below
            ceiling_duals += v  # both duals move by the negative of these
            np.multiply(above, floor_duals, out=self._above_second[at])
            np.multiply(below, ceiling_duals, out=self._below_second[at])
            sums = (
                np.einsum("ij,ij->", above, z) + np.einsum("ij,ij->", below, v),
                np.einsum("ij,ij->", x, floor_duals) + np.einsum("ij,ij->", s, ceiling_duals),
                self._above_second[at].sum() + self._below_second[at].sum(),
            )
            above /= x
            below /= s  # dz / z = -1 - dx / x, dv / v = -1 - ds / s
            return -min(above.min(), below.min()), 1 + max(above.max(), below.max()), *sums

        parts = self._blocks.each(move)
        primal, dual = (1 / max(1.0, *(part[i] for part in parts)) for i in range(2))
        first, other, second = (math.fsum(part[i] for part in parts) for i in (2, 3, 4))
        return primal, dual, gap + primal * first - dual * other - primal * dual * second

    def _correct(self, newton: _Newton, target: float, weight: float) -> tuple[Array, Array, float, float]:
        """The step towards complementarity `target`: da, dpi and the lengths to the boundary."""

        def right(at: slice) -> tuple[Array, Array]:
            above, below = self._above_second[at], self._below_second[at]
            for second, values in ((above, self._above[at]), (below, self._below[at])):
                second *= weight
                second += target
                second /= values  # now (mu - dx dz) / x and (mu - ds dv) / s
            pull = np.subtract(above, self._floor_duals[at], out=self._pull[at])
            ceiling_pull = below - self._ceiling_duals[at]
            pull -= ceiling_pull
            pull *= self._pace[at]
            return ceiling_pull.sum(axis=0) + np.einsum("ij,ij->j", self._beta[at], pull), pull.sum(axis=1)

        ceilings, row_duals = self._solve(newton, right)

        def move(at: slice) -> tuple[float, float]:
            above, below = self._primal_moves(at, ceilings, row_duals)
            floor_duals, ceiling_duals = self._dual_moves(at, above, below)
            primal = max(-(above / self._above[at]).min(), -(below / self._below[at]).min())
            floor_duals /= self._floor_duals[at]
            ceiling_duals /= self._ceiling_duals[at]
            return primal, -min(floor_duals.min(), ceiling_duals.min())

        parts = self._blocks.each(move)
        primal, dual = (1 / max(1e-300, *(part[i] for part in parts)) for i in range(2))
        return ceilings, row_duals, primal, dual

    def _primal_moves(self, at: slice, ceilings: Array, row_duals: Array) -> tuple[Array, Array]:
        """dx and ds: each from terms of its own size, where da - dx would cancel."""
        rest = self._pull[at] - self.r * row_duals[at, None] * self._pace[at]
        share = self._pace[at] * ceilings
        above = self._beta[at] * share
        above += rest
        share *= self._alpha[at]
        share -= rest
        return above, share

    def _dual_moves(self, at: slice, above: Array, below: Array) -> tuple[Array, Array]:
        """dz and dv that belong to dx and ds."""
        floor_duals = self._above_second[at] - self._alpha[at] * above
        floor_duals -= self._floor_duals[at]
        ceiling_duals = self._below_second[at] - self._beta[at] * below
        ceiling_duals -= self._ceiling_duals[at]
        return floor_duals, ceiling_duals

    def _solve(self, newton: _Newton, right: Callable[[slice], tuple[Array, Array]]) -> tuple[Array, Array]:
        parts = self._blocks.each(right)
        columns = sum(part[0] for part in parts)
        rows = np.concatenate([part[1] for part in parts])
        return newton.solve(newton.column_residual + columns, newton.row_residual - self.r * rows)


class _Newton:
    """The Newton system of one iterate, factored.

    With da' = g^(1/2) da and dpi' = e^(1/2) dpi it reads da' + M^T dpi' = R', M da' - dpi' = b'.

    Parameters
    ----------
    scaled : ndarray, shape (K, J)
        M.
    row_scale, column_scale : ndarray, shape (K,) and (J,)
        e^(1/2) and g^(1/2).
    row_residual, column_residual : ndarray, shape (K,) and (J,)
        What rounding has left in the primal and the dual equations.
    """

    def __init__(
        self, scaled: Array, row_scale: Array, column_scale: Array, row_residual: Array, column_residual: Array
    ) -> None:
        self.row_residual, self.column_residual = row_residual, column_residual
        self._scaled, self._row_scale, self._column_scale = scaled, row_scale, column_scale
        self._by_rows = scaled.shape[0] <= scaled.shape[1]
        self._factor = self._factored()

    def _factored(self) -> Array:
        """Cholesky factor of I + M M^T or I + M^T M; the diagonal is raised, first by a rounding, until it exists."""
        for raised in (1e-15, 1e-13, 1e-11, 1e-9, 1e-6):
            square = blas.dsyrk(1.0, self._scaled.T, trans=1 if self._by_rows else 0)
            diagonal = np.einsum("ii->i", square)
            diagonal += 1 + raised * diagonal
            factor, failed = lapack.dpotrf(square, lower=0, overwrite_a=1, clean=0)
            if not failed:
                return factor
        raise SolverError("the Newton system of the interior point method cannot be factored")

    def solve(self, right: Array, rows: Array) -> tuple[Array, Array]:
        """(da, dpi) for the right-hand sides R, shape (J,), and b, shape (K,), refined to 1e-13 or while that helps."""
        right, rows = right / self._column_scale, rows / self._row_scale
        ceilings, duals = self._solve_once(right, rows)
        error, enough = math.inf, _REFINED**2 * float(right @ right + rows @ rows)
        for _ in range(_REFINEMENTS):
            right_left = right - ceilings - duals @ self._scaled
            rows_left = rows - self._scaled @ ceilings + duals
            last, error = error, float(right_left @ right_left + rows_left @ rows_left)
            if not enough < error < 0.25 * last:
                break
            more = self._solve_once(right_left, rows_left)
            ceilings, duals = ceilings + more[0], duals + more[1]
        return ceilings / self._column_scale, duals / self._row_scale

    def _solve_once(self, right: Array, rows: Array) -> tuple[Array, Array]:
        if self._by_rows:
            duals = lapack.dpotrs(self._factor, self._scaled @ right - rows)[0]
            return right - duals @ self._scaled, duals
        ceilings = lapack.dpotrs(self._factor, right + rows @ self._scaled)[0]
        return ceilings, self._scaled @ ceilings - rows
