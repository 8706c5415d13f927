"""Programs with a floor on hit rates by the interior point method, in the form of column floors.

To the form of `lpmech.programs.solvers.interior_point`, q[y, j] = p a_j + r x[y, j] with 0 <= x[y, j] <= a_j, comes for
each label f_y = p a_y + r x[y, y] - h >= 0 with its price mu_y. The other optimality conditions are those without
floors for w + diag(mu), and f mu = 0 joins them. Linearised and eliminated like the others (theta = mu / f) it changes
entries of the diagonal only:

    D = 1 / (alpha + beta + r^2 theta),   h = (p alpha + beta) D,
    g: + (alpha beta + theta (p^2 alpha + beta)) D in place of + alpha beta D,

so a step costs no more than without floors. Randomised response mixed with the uniform channel is strictly feasible.
"""

from __future__ import annotations

import math

import numpy as np

from lpmech.entries import Array
from lpmech.programs.solvers.newton import Newton

__all__ = ["floors_and_prices"]

_MOST_ITERATIONS, _ACCURACY, _STEP = 200, 1e-12, 0.995

#: Steps shorter than this, or after which the complementarity is so many times its least, lead nowhere any more.
_STUCK, _RISEN = 1e-8, 10


def floors_and_prices(gain: Array, excess: float, least: float) -> tuple[Array, Array, Array]:
    """Column floors, prices and row duals, each of shape (K,), near an optimum with all hit rates at least `least`.

    Parameters
    ----------
    gain : ndarray, shape (K, K)
        Weights, none above zero or below -1.
    excess : float
        t - 1.
    least : float
        Below t / (t + K - 1), which randomised response has.
    """
    state, best = _State(gain, excess, least), math.inf
    for _ in range(_MOST_ITERATIONS):
        gap = state.gap
        if gap < best:
            priced = np.where(state.above > state.prices, 0.0, state.prices)
            best, found = gap, (state.p * state.ceilings, priced, state.row_duals.copy())
        if not _ACCURACY * abs(state.bound) < gap <= _RISEN * best or state.step() < _STUCK:
            break
    return found


class _State:
    """An iterate: x, s, f and a; z, v, mu and pi."""

    def __init__(self, gain: Array, excess: float, least: float) -> None:
        self.gain, self.least, size = gain, least, len(gain)
        self.own = np.diag_indices(size)
        self.p, self.r = 1 / (1 + excess), excess / (1 + excess)
        most = 1 / (1 + (size - 1) * self.p)
        response = (1 + max(0.0, (least - 1 / size) / (most - 1 / size))) / 2
        ceiling = (1 - response) / (size * (self.p + self.r / 2))
        self.x = np.full(gain.shape, ceiling / 2)
        self.s = self.x.copy()
        self.x[self.own] += response * most
        self.s += response * most
        self.s[self.own] = ceiling / 2
        self.ceilings = np.full(size, ceiling + response * most)
        self.above = self.hits - least
        price = -float(gain.mean())
        self.prices, self.row_duals = np.full(size, price), np.full(size, 2 * price)
        per_entry = self.p * (self.row_duals.sum() - gain.sum(axis=0) - price) / size
        self.v = np.broadcast_to(per_entry, gain.shape).copy()
        self.z = self.v - self.slack

    @property
    def hits(self) -> Array:
        """What the iterate releases of each label as itself."""
        found: Array = self.p * self.ceilings + self.r * self.x[self.own]
        return found

    @property
    def slack(self) -> Array:
        """r (w + diag(mu) - pi), which is v - z."""
        found: Array = self.gain - self.row_duals[:, None]
        found[self.own] += self.prices
        found *= self.r
        return found

    @property
    def gap(self) -> float:
        """The complementarity."""
        return float(np.vdot(self.x, self.z) + np.vdot(self.s, self.v) + self.above @ self.prices)

    @property
    def bound(self) -> float:
        """What the duals say that no channel exceeds."""
        return float(self.row_duals.sum() - self.least * self.prices.sum())

    def step(self) -> float:
        """One step of predictor and corrector; returns the longer of the primal and the dual one."""
        alpha, beta, theta = self.z / self.x, self.v / self.s, self.prices / self.above
        pace = alpha + beta
        pace[self.own] += self.r**2 * theta
        np.reciprocal(pace, out=pace)
        scaled = (self.p * alpha + beta) * pace
        columns = (alpha * beta * pace).sum(axis=0)
        columns += theta * ((self.p**2 * alpha + beta) * pace)[self.own]
        row_scale, column_scale = self.r * np.sqrt(pace.sum(axis=1)), np.sqrt(columns)
        scaled /= row_scale[:, None]
        scaled /= column_scale
        row_residual = 1 - self.p * self.ceilings.sum() - self.r * self.x.sum(axis=1)
        column_residual = self.v.sum(axis=0) + self.p * (self.gain.sum(axis=0) + self.prices - self.row_duals.sum())
        newton = Newton(scaled, row_scale, column_scale, row_residual, column_residual)

        def moves(z: Array, v: Array, mu: Array) -> tuple[Array, ...]:
            """The way to given (dz + alpha dx, dv + beta ds, dmu + theta df), which are overwritten."""
            pull = z - v
            pull[self.own] += self.r * mu
            pull *= pace
            push = beta * pull
            push[self.own] -= self.p * self.r * theta * pull[self.own]
            push += v
            rows = newton.row_residual - self.r * pull.sum(axis=1)
            ceilings, row_duals = newton.solve(newton.column_residual + push.sum(axis=0) + self.p * mu, rows)
            pull -= self.r * pace * row_duals[:, None]
            share = pace * ceilings
            x, s = beta * share, np.multiply(alpha, share, out=push)
            both = self.r * theta * share[self.own]
            x[self.own] -= self.p * both
            s[self.own] += both
            x += pull
            s -= pull
            above = self.p * ceilings + self.r * x[self.own]
            z -= np.multiply(alpha, x, out=share)
            v -= np.multiply(beta, s, out=share)
            return ceilings, x, s, above, row_duals, z, v, mu - theta * above

        primal_now, dual_now = (self.x, self.s, self.above), (self.z, self.v, self.prices)
        _, dx, ds, df, _, dz, dv, dmu = moves(-self.z, -self.v, -self.prices)
        primal, dual = _length((dx, ds, df), primal_now, 1.0), _length((dz, dv, dmu), dual_now, 1.0)
        left = sum(
            float(np.vdot(now + primal * move, price + dual * change))
            for now, move, price, change in zip(primal_now, (dx, ds, df), dual_now, (dz, dv, dmu), strict=True)
        )
        gap, weight = self.gap, math.sqrt(primal * dual)
        target = (left / gap) ** 3 * gap / (2 * self.x.size + len(self.above))
        wanted = [
            (target - weight * move * change) / now - price
            for now, move, price, change in zip(primal_now, (dx, ds, df), dual_now, (dz, dv, dmu), strict=True)
        ]
        del dx, ds, dz, dv
        ceilings, dx, ds, df, row_duals, dz, dv, dmu = moves(*wanted)
        primal = min(1.0, _STEP * _length((dx, ds, df), primal_now, 1e300))
        dual = min(1.0, _STEP * _length((dz, dv, dmu), dual_now, 1e300))
        self.ceilings += primal * ceilings
        self.row_duals += dual * row_duals
        for now, move, length in (
            (self.x, dx, primal), (self.s, ds, primal), (self.above, df, primal),
            (self.z, dz, dual), (self.v, dv, dual), (self.prices, dmu, dual),
        ):  # fmt: skip
            move *= length
            now += move
        # x + s = a, and the larger of z and v from the smaller: no drift, no cancellation
        drift = self.ceilings / (self.x + self.s)
        self.x *= drift
        self.s *= drift
        smaller, slack = np.minimum(self.z, self.v), self.slack
        self.v = smaller + np.maximum(slack, 0.0)
        self.z = smaller - np.minimum(slack, 0.0)
        return max(primal, dual)


def _length(moves: tuple[Array, ...], now: tuple[Array, ...], most: float) -> float:
    """How far one can go until the first of the numbers vanishes."""
    fastest = max(float((-move / value).max()) for move, value in zip(moves, now, strict=True))
    return 1 / max(1 / most, fastest)
