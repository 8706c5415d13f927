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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lpmech.entries import Array
from lpmech.programs.row_blocks import RowBlocks
from lpmech.programs.solvers.near_entries import Block, WholeRows, blocks_of, near_entries
from lpmech.programs.solvers.newton import Newton

__all__ = ["InteriorPoint", "Iterate"]

_MOST_ITERATIONS = 1000
_STEP = 0.995
#: Relative gap below which, where a step leaves more than this part of it, only entries near the breaks are iterated
#: on; they are chosen anew whenever it has fallen by a factor of ten, and are all again after so many iterations.
_NARROW, _SLOW, _PATIENCE = 1e-2, 0.5, 100
#: How many of each row: at that gap, less for each such factor, and at least; and of each column. Beside these, all
#: that are in the centre at more than this part of their ceiling above the floor and below the ceiling.
_MOST_NEAR, _FEWER, _LEAST_NEAR, _NEAR_OF_COLUMN, _UNDECIDED = 38, 8, 8, 4, 0.05
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
        self._dropped_below = dropped_below
        self._dropped: set[int] = set()
        self.columns = columns
        self._whole(np.ascontiguousarray(gain))
        if start is None:
            self._begin()
        else:
            self._continue(start)

    _above: Array
    _below: Array
    _floor_duals: Array
    _ceiling_duals: Array

    def _whole(self, gain: Array) -> None:
        """All entries of these weights are iterated on."""
        self._gain = self._weights = gain
        self._rows = RowBlocks(gain.shape)
        self._blocks: Sequence[Block] = [WholeRows(at) for at in self._rows.slices]
        self._decided: Array | None = None
        self._places = np.empty(0, dtype=np.intp)
        self._narrows_at = _NARROW if self._dropped_below else 0.0
        self._gain_sums = self.p * gain.sum(axis=0)

    def _narrow(self, relative: float, centre: float) -> None:
        """From now on iterate on entries whose weights are near the duals only; the others stay where they are.

        Those at the ceiling are then columns in the row sums, 1 in place of p; those at the floor are nothing. Entries
        that were left out before begin in the centre, where x z = s v is `centre`.
        """
        self._narrows_at, self._narrowed_until = 0.1 * relative, self.iterations + _PATIENCE
        slack = self._gain - self.row_duals[:, None]
        if self._decided is not None:
            wrong = (self._decided == 1) != (slack > 0)
            wrong.reshape(-1)[self._places] = False
            if not wrong.any() and self._drop():
                slack = self._gain - self.row_duals[:, None]
        of_row = max(_LEAST_NEAR, round(_MOST_NEAR + _FEWER * math.log10(relative / _NARROW)))
        near = near_entries(slack, of_row, _NEAR_OF_COLUMN)
        near |= abs(slack) * (self.r * self.ceilings) < centre / _UNDECIDED
        if self._decided is None and 2 * near.sum() > near.size:
            return
        ceilings, pull = np.broadcast_to(self.ceilings, near.shape)[near], self.r * slack[near]
        pull *= ceilings
        small = 2 * centre * ceilings / (2 * centre + abs(pull) + np.hypot(2 * centre, pull))
        above, below = np.where(pull > 0, ceilings - small, small), np.where(pull > 0, small, ceilings - small)
        central = (above, below, centre / above, centre / below)
        places = np.flatnonzero(near)
        before = places
        if self._decided is not None:
            known = np.full(near.size, -1)
            known[self._places] = np.arange(len(self._places))
            before = known[places]
        last = (self._above, self._below, self._floor_duals, self._ceiling_duals)
        self._above, self._below, self._floor_duals, self._ceiling_duals = (
            np.where(before >= 0, values.reshape(-1)[before], new) for values, new in zip(last, central, strict=True)
        )
        self._places, self._decided = places, np.where((slack > 0) & ~near, 1.0, self.p)
        self._weights, self._blocks = self._gain[near], blocks_of(near)
        self._gain_sums = np.einsum("ij,ij->j", self._decided, self._gain)

    def _each(self, work: Callable[[Block], Any]) -> list[Any]:
        return [work(block) for block in self._blocks]

    def _begin(self) -> None:
        """The uniform channel in the middle of its bounds, duals above all weights: strictly feasible."""
        rows, columns = self._gain.shape
        self.ceilings = np.full(columns, 1 / (columns * (self.p + self.r / 2)))
        self._above = np.full(self._gain.shape, self.ceilings[0] / 2)
        self._below = self._above.copy()
        self.row_duals = np.full(rows, -self._gain.mean())
        per_entry = (self.p * self.row_duals.sum() - self._gain_sums) / rows
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
        """A copy of the current iterate, as long as it is on all entries."""
        arrays = (self.columns, self.ceilings, self.row_duals)
        large = (self._above, self._below, self._floor_duals, self._ceiling_duals)
        return Iterate(*(array.copy() for array in (*arrays, *large)))

    def _make_room(self) -> None:
        """Arrays for what one iteration keeps of every entry."""
        self._alpha, self._beta, self._pace, self._scaled = (np.empty_like(self._weights) for _ in range(4))
        self._above_second, self._below_second, self._pull = (np.empty_like(self._weights) for _ in range(3))
        self._matrix = self._scaled if self._decided is None else np.empty_like(self._gain)

    def _leave_room(self) -> None:
        del self._alpha, self._beta, self._pace, self._scaled, self._above_second, self._below_second, self._pull
        del self._matrix

    def _drop(self) -> bool:
        """Drop outputs that seem not to be released, if they are many; the next step restores the row sums."""
        small = self.ceilings < self._dropped_below * self.ceilings.max()
        if small.sum() <= _FEW * len(small):
            return False
        kept = self.ceilings >= self._dropped_below * self.ceilings.max() * self.column_slacks()
        if (~kept).sum() <= _FEW * len(kept) or not kept.any():
            return False
        self._dropped.update(self.columns[~kept].tolist())
        self.columns, self.ceilings = self.columns[kept], self.ceilings[kept]
        gain = np.ascontiguousarray(np.compress(kept, self._gain, axis=1))
        arrays = (self._above, self._below, self._floor_duals, self._ceiling_duals)
        if self._decided is None:
            left = [np.ascontiguousarray(np.compress(kept, array, axis=1)) for array in arrays]
            self._whole(gain)
        else:  # the entries that are left are chosen anew from them
            rows, columns = np.divmod(self._places, len(kept))
            own = kept[columns]
            left = [array[own] for array in arrays]
            self._gain, self._rows = gain, RowBlocks(gain.shape)
            self._places = rows[own] * gain.shape[1] + (np.cumsum(kept) - 1)[columns[own]]
        self._above, self._below, self._floor_duals, self._ceiling_duals = left
        return True

    def begin_anew(self, columns: Array, gain: Array) -> None:
        """Begin again with more outputs, shape (n,) and (K, n); if one of them was dropped, none is any more.

        To go on with them takes longer: however they are centred, the equations that they leave open cost dozens of
        short steps.
        """
        if not self._dropped.isdisjoint(columns.tolist()):
            self._dropped_below = 0.0
        self.columns = np.concatenate([self.columns, columns])
        self._whole(np.concatenate([self._gain, gain], axis=1))
        self._begin()

    def column_slacks(self) -> Array:
        """How far the dual constraint of each output is from being active, in (0, 1], shape (J,).

        It is -p sum(rho) - r sum(max(rho, 0)) = sum(min(z, v)), which is divided by -p sum(rho) = sum(v).
        """

        def sums(block: Block) -> Array:
            return block.column_sums(np.minimum(self._floor_duals[block.at], self._ceiling_duals[block.at]))

        slacks = sum(self._each(sums))
        return slacks / (self.p * (self.row_duals.sum() - self._gain.sum(axis=0)))

    def run(self, accuracy: float) -> None:
        """Iterate until the complementarity is below `accuracy` times the bound, or no step is possible."""
        self._make_room()
        last = math.inf
        while self.iterations < _MOST_ITERATIONS:
            gap, newton = self._prepare()
            relative = gap / max(abs(self.row_duals.sum()), _ZERO * len(self.row_duals))
            if relative <= accuracy:
                break
            if self._decided is not None and self.iterations > self._narrowed_until:
                self._leave_room()
                self._dropped_below = 0.0
                self._whole(self._gain)
                self._begin()
                self._make_room()
                gap, newton = self._prepare()
            elif _SLOW * last < relative <= self._narrows_at:
                del newton
                self._leave_room()
                self._narrow(relative, gap / (2 * self._above.size))
                self._make_room()
                gap, newton = self._prepare()
            last = relative
            steps = self._step(gap, newton)
            self.iterations += 1
            if max(steps) < 1e-8:
                break
            if self._decided is None and self._drop():
                self._make_room()
        self._leave_room()

    def _prepare(self) -> tuple[float, Newton]:
        """The complementarity, and the Newton system at the current point with the affine right-hand side."""

        def scalings(block: Block) -> tuple[Any, ...]:
            at = block.at
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            alpha, beta, pace = self._alpha[at], self._beta[at], self._pace[at]
            np.divide(z, x, out=alpha)
            np.divide(v, s, out=beta)
            np.add(alpha, beta, out=pace)
            np.reciprocal(pace, out=pace)
            share = beta * pace
            np.multiply(share, self.r, out=self._scaled[at])
            self._scaled[at] += self.p
            share *= alpha
            complementarity = np.vdot(x, z) + np.vdot(s, v)
            return (
                block.column_sums(share), block.column_sums(v), complementarity, block.row_sums(pace), block.row_sums(x)
            )  # fmt: skip

        parts = self._each(scalings)
        columns, ceiling_sums, gap = (sum(part[i] for part in parts) for i in range(3))
        paces, sums = (np.concatenate([part[i] for part in parts]) for i in (3, 4))
        row_scale, column_scale = self.r * np.sqrt(paces), np.sqrt(columns)

        if self._decided is None:
            fixed, prices = self.p * self.ceilings.sum(), self.p * self.row_duals.sum()
        else:
            fixed, prices = self._decided @ self.ceilings, self.row_duals @ self._decided
            np.copyto(self._matrix, self._decided)
            self._matrix.reshape(-1)[self._places] = self._scaled

        def scale(at: slice) -> None:
            self._matrix[at] /= row_scale[at, None]
            self._matrix[at] /= column_scale

        self._rows.each(scale)
        row_residual = 1 - fixed - self.r * sums
        column_residual = self._gain_sums - prices + ceiling_sums
        return float(gap), Newton(self._matrix, row_scale, column_scale, row_residual, column_residual)

    def _step(self, gap: float, newton: Newton) -> tuple[float, float]:
        """One step of predictor and corrector; returns the primal and the dual step length."""
        primal, dual, left = self._predict(gap, newton)
        target = (max(left, 0.0) / gap) ** 3 * gap / (2 * self._above.size)
        ceilings, row_duals, primal, dual = self._correct(newton, target, math.sqrt(primal * dual))
        primal, dual = min(1.0, _STEP * primal), min(1.0, _STEP * dual)

        self.ceilings += primal * ceilings
        self.row_duals += dual * row_duals

        def advance(block: Block) -> None:
            at = block.at
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
            np.divide(block.of_columns(self.ceilings), drift, out=drift)
            x *= drift
            s *= drift
            slack = self._weights[at] - block.of_rows(self.row_duals)
            slack *= self.r
            smaller = np.minimum(z, v)
            np.maximum(slack, 0.0, out=v)
            v += smaller
            np.minimum(slack, 0.0, out=slack)
            np.subtract(smaller, slack, out=z)

        self._each(advance)
        return primal, dual

    def _predict(self, gap: float, newton: Newton) -> tuple[float, float, float]:
        """The affine step: its primal and dual length and the complementarity it would leave; keeps dx dz and ds dv."""

        def right(block: Block) -> tuple[Array, Array]:
            at = block.at
            pull = np.subtract(self._ceiling_duals[at], self._floor_duals[at], out=self._pull[at])
            pull *= self._pace[at]
            push = self._beta[at] * pull
            push -= self._ceiling_duals[at]
            return block.column_sums(push), block.row_sums(pull)

        ceilings, row_duals = self._solve(newton, right)

        def move(block: Block) -> tuple[float, ...]:
            at = block.at
            x, s, z, v = self._above[at], self._below[at], self._floor_duals[at], self._ceiling_duals[at]
            above, below = self._primal_moves(block, ceilings, row_duals)
            floor_duals = self._alpha[at] * above
            floor_duals += z
            ceiling_duals = self._beta[at] * below
            ceiling_duals += v  # both duals move by the negative of these
            np.multiply(above, floor_duals, out=self._above_second[at])
            np.multiply(below, ceiling_duals, out=self._below_second[at])
            sums = (
                float(np.vdot(above, z) + np.vdot(below, v)),
                float(np.vdot(x, floor_duals) + np.vdot(s, ceiling_duals)),
                self._above_second[at].sum() + self._below_second[at].sum(),
            )
            above /= x
            below /= s  # dz / z = -1 - dx / x, dv / v = -1 - ds / s
            return -min(above.min(), below.min()), 1 + max(above.max(), below.max()), *sums

        parts = self._each(move)
        primal, dual = (1 / max(1.0, *(part[i] for part in parts)) for i in range(2))
        first, other, second = (math.fsum(part[i] for part in parts) for i in (2, 3, 4))
        return primal, dual, gap + primal * first - dual * other - primal * dual * second

    def _correct(self, newton: Newton, target: float, weight: float) -> tuple[Array, Array, float, float]:
        """The step towards complementarity `target`: da, dpi and the lengths to the boundary.

        dx, ds, dz and dv are left where `_pull`, M and the two of second order were, which are of no use any more.
        """

        def right(block: Block) -> tuple[Array, Array]:
            at = block.at
            above, below = self._above_second[at], self._below_second[at]
            for second, values in ((above, self._above[at]), (below, self._below[at])):
                second *= weight
                second += target
                second /= values  # now (mu - dx dz) / x and (mu - ds dv) / s
            pull = np.subtract(above, self._floor_duals[at], out=self._pull[at])
            ceiling_pull = below - self._ceiling_duals[at]
            pull -= ceiling_pull
            pull *= self._pace[at]
            ceiling_pull += self._beta[at] * pull
            return block.column_sums(ceiling_pull), block.row_sums(pull)

        ceilings, row_duals = self._solve(newton, right)

        def move(block: Block) -> tuple[float, float]:
            at = block.at
            above, below = self._primal_moves(block, ceilings, row_duals, self._pull[at], self._scaled[at])
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

        parts = self._each(move)
        primal, dual = (1 / max(1e-300, *(part[i] for part in parts)) for i in range(2))
        return ceilings, row_duals, primal, dual

    def _primal_moves(
        self,
        block: Block,
        ceilings: Array,
        row_duals: Array,
        above: Array | None = None,
        below: Array | None = None,
    ) -> tuple[Array, Array]:
        """dx and ds, written where it is said: each from terms of its own size, where da - dx would cancel."""
        at = block.at
        rest = self._pace[at] * block.of_rows(-self.r * row_duals)
        rest += self._pull[at]
        share = self._pace[at] * block.of_columns(ceilings)
        above, below = np.multiply(self._beta[at], share, out=above), np.multiply(self._alpha[at], share, out=below)
        above += rest
        below -= rest
        return above, below

    def _solve(self, newton: Newton, right: Callable[[Block], tuple[Array, Array]]) -> tuple[Array, Array]:
        parts = self._each(right)
        columns = sum(part[0] for part in parts)
        rows = np.concatenate([part[1] for part in parts])
        return newton.solve(newton.column_residual + columns, newton.row_residual - self.r * rows)
