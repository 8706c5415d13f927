"""The iterates of the structured primal-dual interior point method (driven by `lpmech.programs.solvers.structured`).

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
rounding, and sum(pi) minus the complementarity is a running bound.

Sources: Mehrotra, SIAM J. Optim. 2 (1992) for predictor and corrector; the corrector is weighted by the square root
of the affine step lengths, because its second-order term presumes a full step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lpmech.entries import Array
from lpmech.programs.row_blocks import RowBlocks
from lpmech.programs.solvers.newton import Newton

__all__ = ["InteriorPoint", "Iterate"]

_MOST_ITERATIONS = 1000
_STEP = 0.995
#: Share of outputs for which it is worth while to drop them (see `InteriorPoint`).
_FEW = 0.2
#: What counts as zero for the mean of the row duals, where the weights range over an interval of length one.
_ZERO = 1e-20


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
    """The iterates of the method for some outputs of weights that are at most zero and at least -1.

    Parameters
    ----------
    gain : ndarray, shape (K, J)
        Weights.
    excess : float
        t - 1.
    columns : ndarray of int, shape (J,)
        What the outputs are called.
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
        self, gain: Array, excess: float, columns: Array, dropped_below: float = 0.0, start: Iterate | None = None
    ) -> None:
        self.p, self.r = 1 / (1 + excess), excess / (1 + excess)
        self.iterations = 0
        self._blocks, self._dropped_below = RowBlocks(gain.shape), dropped_below
        self._dropped: set[int] = set()
        self.columns, self._gain = columns, np.ascontiguousarray(gain)
        self._gain_sums = self._gain.sum(axis=0)
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
        self._dropped.update(self.columns[~kept].tolist())
        self.columns, self.ceilings = self.columns[kept], self.ceilings[kept]
        arrays = (self._gain, self._above, self._below, self._floor_duals, self._ceiling_duals)
        self._gain, self._above, self._below, self._floor_duals, self._ceiling_duals = (
            np.ascontiguousarray(np.compress(kept, array, axis=1)) for array in arrays
        )
        self._gain_sums = self._gain.sum(axis=0)
        self._blocks.fit(len(self.columns))
        self._make_room()

    def begin_anew(self, columns: Array, gain: Array) -> None:
        """Begin again with more outputs, shape (n,) and (K, n); if one of them was dropped, none is any more.

        To go on with them takes longer: however they are centred, the equations that they leave open cost dozens of
        short steps.
        """
        if not self._dropped.isdisjoint(columns.tolist()):
            self._dropped_below = 0.0
        self.columns = np.concatenate([self.columns, columns])
        self._gain = np.concatenate([self._gain, gain], axis=1)
        self._gain_sums = self._gain.sum(axis=0)
        self._blocks.fit(len(self.columns))
        self._begin()

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

    def _prepare(self) -> tuple[float, Newton]:
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
        return float(gap), Newton(self._scaled, row_scale, column_scale, row_residual, column_residual)

    def _step(self, gap: float, newton: Newton) -> tuple[float, float]:
        """One step of predictor and corrector; returns the primal and the dual step length."""
        primal, dual, left = self._predict(gap, newton)
        target = (max(left, 0.0) / gap) ** 3 * gap / (2 * self._above.size)
        ceilings, row_duals, primal, dual = self._correct(newton, target, math.sqrt(primal * dual))
        primal, dual = min(1.0, _STEP * primal), min(1.0, _STEP * dual)

        self.ceilings += primal * ceilings
        self.row_duals += dual * row_duals

        def advance(at: slice) -> None:
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            for values, every, length in (
                (x, self._pull, primal),
                (s, self._scaled, primal),
                (z, self._above_second, dual),
                (v, self._below_second, dual),
            ):
                move = every[at]
                move *= length
                values += move
            # x + s = a, and the larger of z and v from z - v + r rho = 0: no drift, no cancellation; no masks, which
            # take ten times as long as a sum
            drift = x + s
            np.divide(self.ceilings, drift, out=drift)
            x *= drift
            s *= drift
            slack = self._gain[at] - self.row_duals[at, None]
            slack *= self.r
            smaller = np.minimum(z, v)
            np.maximum(slack, 0.0, out=v)
            v += smaller
            np.minimum(slack, 0.0, out=slack)
            np.subtract(smaller, slack, out=z)

        self._blocks.each(advance)
        return primal, dual

    def _predict(self, gap: float, newton: Newton) -> tuple[float, float, float]:
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

    def _correct(self, newton: Newton, target: float, weight: float) -> tuple[Array, Array, float, float]:
        """The step towards complementarity `target`: da, dpi and the lengths to the boundary.

        dx, ds, dz and dv are left where `_pull`, M and the two of second order were, which are of no use any more.
        """

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
            above, below = self._primal_moves(at, ceilings, row_duals, self._pull[at], self._scaled[at])
            shortest = [(above / self._above[at]).min(), (below / self._below[at]).min()]
            for scale, primal, move, values in (
                (self._alpha, above, self._above_second, self._floor_duals),
                (self._beta, below, self._below_second, self._ceiling_duals),
            ):
                part, dual = scale[at], move[at]
                part *= primal
                dual -= part
                dual -= values[at]
                shortest.append(np.divide(dual, values[at], out=part).min())
            return -min(shortest[:2]), -min(shortest[2:])

        parts = self._blocks.each(move)
        primal, dual = (1 / max(1e-300, *(part[i] for part in parts)) for i in range(2))
        return ceilings, row_duals, primal, dual

    def _primal_moves(
        self,
        at: slice,
        ceilings: Array,
        row_duals: Array,
        above: Array | None = None,
        below: Array | None = None,
    ) -> tuple[Array, Array]:
        """dx and ds, written where it is said: each from terms of its own size, where da - dx would cancel."""
        rest = self._pace[at] * (-self.r * row_duals[at, None])
        rest += self._pull[at]
        share = self._pace[at] * ceilings
        above, below = np.multiply(self._beta[at], share, out=above), np.multiply(self._alpha[at], share, out=below)
        above += rest
        below -= rest
        return above, below

    def _solve(self, newton: Newton, right: Callable[[slice], tuple[Array, Array]]) -> tuple[Array, Array]:
        parts = self._blocks.each(right)
        columns = sum(part[0] for part in parts)
        rows = np.concatenate([part[1] for part in parts])
        return newton.solve(newton.column_residual + columns, newton.row_residual - self.r * rows)
