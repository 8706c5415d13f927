"""Bounds of an optimum from floats: on the right side of the exact ones, and near them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from library.bounds import least_shift, reduced
from library.paper import PAPER
from lpmech.claims import Parts
from lpmech.entries import Array, as_array, to_exact
from lpmech.papers.across.agreement import agrees
from lpmech.privacy import PrivacyLevel
from lpmech.programs.rounding import bound_from_above, in_floats, value_from_below

_EXCESSES = tuple(map(Fraction, ("1/1000000000", "1/2", "2", "999", "1000000000000")))
#: Half the distance from 1 to the next float; the least positive float.
_U, _LEAST = Fraction(1, 2**53), Fraction(1, 2**1074)
_COVERED = "what a few operations round, or a step more or less, is covered several times over; how many rows there are"


def _attained(weights: Array, t: Fraction, matrix: Array) -> tuple[Fraction, Fraction]:
    """What private channels attain at most, and with the share that the errors of the rows E and of the ratio tau ask for.

    The channels are the rows over their sums, mixed with the column minima over theirs: as little as will do, or wholly.
    """
    q, w, one = to_exact(matrix), to_exact(weights), Fraction(1)
    sums, lows, highs, tops = q.sum(axis=1), q.min(axis=0), q.max(axis=0), w.max(axis=1)
    exact, mass, used = q / sums[:, None], lows.sum(), lows > 0
    overs = (exact.max(axis=0) - t * exact.min(axis=0))[used]
    share = (np.maximum(overs, 0) / (abs(overs) + (t - 1) * lows[used] / mass)).max()
    mixed, plain = (w * lows).sum() / mass, (w * exact).sum()
    error, tau = abs(sums - 1).max(), max(one, (highs[used] / lows[used]).max() / t)
    stated = min(one, mass * (tau - 1 + 3 * error + 32 * _U) * t / (t - 1))
    missing = ((w - tops[:, None]) * q).sum() / (1 - error)
    return max((1 - share) * plain + share * mixed, mixed), tops.sum() + (1 - stated) * missing + stated * (
        mixed - tops.sum()
    )


def _channels() -> Iterator[tuple[Array, Fraction, Array]]:
    """Weights, also on top of large ones, t, and matrices that are private channels but for an error in every entry."""
    rng = np.random.default_rng(3)
    for i in range(60):
        excess, error = _EXCESSES[i % 5], (1e-12, 1e-6, 1e-3)[i % 3]
        shape = ((1, 2), (2, 2), (5, 3), (12, 6))[i // 5 % 4]
        raised, floors = rng.random(shape) < 0.4, rng.random(shape[1])
        floors[0] *= i % 7 > 0
        matrix = (1.0 + float(excess) * raised) * floors
        matrix /= matrix.sum(axis=1)[:, None]
        used = to_exact(matrix[:, matrix.min(axis=0) > 0])
        tight = max(1 + excess, (used.max(axis=0) / used.min(axis=0)).max())
        off = 1 + i // 2 % 2 * error * (2 * rng.random(shape) - 1)  # in one half the rows do not sum to one,
        t = 1 + (tight - 1) / Fraction(1 + i % 2 * error)  # in one half the ratios are too large
        yield rng.random(shape) + 3 * raised + 2.0 ** (i % 3 * 18), t, matrix * off


@PAPER.claim(
    "The value of a channel in floats (the function)",
    r"`value_from_below` is at most what a private channel attains that the matrix suggests, and at least that for the share $\lambda=s\eta t/(t-1)$, $\eta=\tau-1+3E$, of the column minima $m$; $-\infty$ where an output occurs in some rows only, or $E\ge1/2$",
    hypotheses=r"$E$ the error of the row sums, $\tau t$ the largest ratio, $s = \sum m$; at least that with $2^{-48}$ added to $\eta$, less $4\cdot 10^{-15}$ of the size of the weights; the float is read as an exact number",
    family="60 matrices to 12 x 6, an output that is not released among them, t - 1 from 1e-9 to 1e12, E to 1/1000; weights of size 1, 2^18, 2^36",
    formula=value_from_below,
    mutants={"the plain value": lambda w, level, q: float((w * q).sum())},
    survivors=_COVERED,
)
def values(below: Any) -> Parts:
    for weights, t, matrix in _channels():
        found, (most, least) = (
            Fraction(below(weights, PrivacyLevel.from_ratio(t), matrix)),
            _attained(weights, t, matrix),
        )
        fits = least - Fraction(4e-15) * Fraction(float(abs(weights).sum())) <= found <= most
        yield fits or f"{matrix.shape}, t = {float(t)}: {float(found)!r}, not from {float(least)!r} to {float(most)!r}"
    for q in ([[4, 0], [0, 4]], [[2, 2, 0], [2, 1, 1]], [[6, 0], [4, 0]], [[5.9, 0], [2.1, 0]]):
        found = below(np.eye(2, len(q[0])), PrivacyLevel.from_ratio(2), np.array(q) / 4)
        yield (found > -math.inf) is (q[0][0] == 5.9) or f"{q} / 4: {found}"  # its rows sum to more than half


def _bound(weights: Array, t: Fraction, pi: Array, fixed: Any, mu: Any) -> Fraction:
    exact, duals = reduced(to_exact(weights), mu), to_exact(pi)
    least = least_shift(exact, t, duals)
    return duals.sum() + len(duals) * least + sum((price * fixed[place] for place, price in mu.items()), Fraction(0))


def _with_duals() -> Iterator[tuple[Array, Fraction, Array, Any, Any]]:
    """Weights, t, duals and a price mu of a prescribed entry; the bound is near zero in half of them, and at hits less their rate."""
    rng = np.random.default_rng(4)
    for i in range(40):
        t, shape = 1 + _EXCESSES[i % 5], ((1, 1), (2, 3), (7, 4), (20, 8))[i // 5 % 4]
        weights, pi = rng.normal(size=shape) * 1e3 ** (i % 3), rng.normal(size=shape[0])
        mu, fixed = ({(0, 0): Fraction(1, 3)}, {(0, 0): Fraction(1, 7)}) if i % 2 else ({}, {})
        for _ in range(2 * (i % 4 < 2)):
            pi -= float(_bound(weights, t, pi, fixed, mu)) / len(pi)
            weights -= float(_bound(weights, t, pi, fixed, mu)) / len(pi)
        yield weights, t, pi, fixed, mu
    for n, ratio in ((2, 2), (2, 5), (4, 5), (5, 3), (6, 5), (9, 2)):
        yield np.eye(n) - ratio / (ratio + n - 1), Fraction(ratio), np.full(n, 1e-9), {}, {}


@PAPER.claim(
    "The bound of duals in floats (the function)",
    r"`bound_from_above` is at least $\sum(\pi_y+s)+\sum\mu f$ for the least $s$ that makes $\pi+s$ feasible, and above it by no more than rounding",
    hypotheses="above by at most $10^{-13} (K + 8)$ times the largest weight, dual and product; the float is read as an exact number",
    family="46 programs to 20 x 8, twenty with a prescribed entry, t - 1 from 1e-9 to 1e12; a bound near zero in 26 of them, among these hits less their rate",
    formula=bound_from_above,
    survivors=_COVERED,
    mutants={"the exact bound, rounded": lambda w, *others: bound_from_above(w, *others) - 1e-13 * abs(w).max()},
)
def bounds(above: Any) -> Parts:
    for weights, t, pi, fixed, mu in _with_duals():
        found, right = above(weights, PrivacyLevel.from_ratio(t), pi, fixed, mu), _bound(weights, t, pi, fixed, mu)
        near = Fraction(1e-13) * (len(pi) + 8) * (1 + Fraction(float(abs(weights).max() + abs(pi).max())))
        at = f"{weights.shape}, t = {t}, mu = {mu}: {found!r}, the exact bound is {float(right)!r}"
        yield (math.isfinite(found) and right <= Fraction(found) <= right + near) or at


@PAPER.claim(
    "Weights as floats (the function)",
    r"`in_floats` has every weight rounded to the nearest float, and an error of at least $\sum_y\max_j|\text{weight}-\text{float}|$ and at most $\sum_y\max(2^{-52}\max_j|w_{yj}|,2^{-1074})$ up to rounding, but 0 where nothing is rounded",
    family="matrices of quotients, of whole numbers beyond 2^53, of numbers below 1e-310, of exact floats, and floats",
    formula=in_floats,
    survivors=_COVERED,
)
def as_floats(rounded: Any) -> Parts:
    thirds = [[Fraction(k, 3) for k in row] for row in ((1, -7, 1), (-10, 1, 1))]
    tiny = [[v / 10**320 for v in row] for row in thirds]
    for rows in (thirds, tiny, [[Fraction(2**53 + 1), Fraction(3)]], [[Fraction(1, 4), Fraction(2)]], [[0.1, -3.5]]):
        found, error = rounded(as_array(rows, "weights", 2))
        nearest = to_exact(np.array(rows, dtype=float))
        off = abs(to_exact(as_array(rows, "weights", 2)) - nearest).max(axis=1)
        most = sum(max(2 * _U * largest, _LEAST) for largest in abs(nearest).max(axis=1)) * any(off)
        yield agrees(f"{rows}", found, nearest)
        yield sum(off) <= Fraction(error) <= most * (1 + 4 * _U) + 2 * _LEAST or f"{rows}: error {error}"
