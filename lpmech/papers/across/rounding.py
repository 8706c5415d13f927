"""Bounds of an optimum from floats: on the right side of the exact ones, and near them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.claims import Parts
from lpmech.entries import Array, as_array
from lpmech.papers.across.bounds import least_shift
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs.rounding import bound_from_above, in_floats, value_from_below

_EXCESSES = tuple(map(Fraction, ("1/1000000000", "1/2", "2", "999", "1000000000000")))
#: Half the distance from 1 to the next float; the least positive float.
_U, _LEAST = Fraction(1, 2**53), Fraction(1, 2**1074)
_COVERED = "what a few operations round is covered several times over; which output is which"


def _exactly(values: Array) -> list[list[Fraction]]:
    return [[Fraction(v) for v in row] for row in values.tolist()]


def _dot(rows: Any, others: Any) -> Fraction:
    return sum(
        (a * b for one, other in zip(rows, others, strict=True) for a, b in zip(one, other, strict=True)), Fraction(0)
    )


def _attained(weights: Array, t: Fraction, matrix: Array) -> tuple[Fraction, Fraction]:
    """What private channels attain at most, and with the share that the errors of the rows E and of the ratio tau ask for.

    The channels are the rows over their sums, mixed with the column minima over theirs: as little as will do, or wholly.
    """
    q, w = _exactly(matrix), _exactly(weights)
    lows, highs = ([edge(column) for column in zip(*q, strict=True)] for edge in (min, max))
    sums, mass, tops = [sum(row) for row in q], sum(lows), sum(max(ws) for ws in w)
    exact = [[v / s for v in row] for row, s in zip(q, sums, strict=True)]
    overs = [max(column) - t * min(column) for column in zip(*exact, strict=True)]
    share = max(
        max(over, Fraction(0)) / (abs(over) + (t - 1) * low / mass)
        for over, low in zip(overs, lows, strict=True)
        if low
    )
    mixed, plain = _dot(w, [[low / mass for low in lows]] * len(q)), _dot(w, exact)
    error, tau = (
        max(abs(s - 1) for s in sums),
        max(1, *(high / low / t for high, low in zip(highs, lows, strict=True) if low)),
    )
    stated = min(Fraction(1), mass * (tau - 1 + 3 * error + 32 * _U) * t / (t - 1))
    missing = _dot([[v - max(ws) for v in ws] for ws in w], q) / (1 - error)
    return max((1 - share) * plain + share * mixed, mixed), tops + (1 - stated) * missing + stated * (mixed - tops)


def _channels() -> Iterator[tuple[Array, Fraction, Array]]:
    """Weights, also on top of large ones, t, and matrices that are private channels but for an error in every entry."""
    rng = np.random.default_rng(3)
    for i in range(60):
        excess, error, shape = (
            _EXCESSES[i % 5],
            (0.0, 1e-12, 1e-6, 1e-3)[i % 4],
            ((1, 2), (2, 2), (5, 3), (12, 6))[i // 4 % 4],
        )
        raised = rng.random(shape) < 0.4
        matrix = (1.0 + float(excess) * raised) * rng.random(shape[1])
        matrix[:, 0] *= i % 3 > 0
        matrix /= matrix.sum(axis=1)[:, None]
        tight = max(1 + excess, *(max(c) / min(c) for c in zip(*_exactly(matrix), strict=True) if min(c)))
        off = 1 + error * rng.random(shape)
        yield (
            rng.random(shape) + 3 * raised + 2.0 ** (i % 3 * 18),
            1 + (tight - 1) / Fraction(1 + i % 2 * error),
            matrix * off,
        )


@PAPER.claim(
    "The value of a channel in floats (the function)",
    r"value_from_below is at most what a private channel attains that the matrix suggests, and at least that for the share \lambda=s\eta t/(t-1), \eta=\tau-1+3E, of the column minima m; -\infty where an output occurs in some rows only, or E\ge1/2",
    hypotheses="E the error of the row sums, tau t the largest ratio, s = sum m; at least that with 2^-48 added to eta, less 4e-15 of the size of the weights; the float is read as an exact number",
    recorded="certified",
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
    for q, known in (
        ([[4, 0], [0, 4]], 0),
        ([[2, 2, 0], [2, 1, 1]], 0),
        ([[6, 0], [4, 0]], 0),
        ([[5.9, 0], [2.1, 0]], 1),
    ):
        found = below(np.eye(2, len(q[0])), PrivacyLevel.from_ratio(2), np.array(q) / 4)
        yield (found > -math.inf) is bool(known) or f"{q} / 4: {found}"


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
    r"bound_from_above is at least \sum(\pi_y+s)+\sum\mu f for the least s that makes \pi+s feasible, and above it by no more than rounding",
    hypotheses="above by at most 1e-13 (K + 8) times the largest weight, dual and product; the float is read as an exact number",
    recorded="certified",
    family="46 programs to 20 x 8, twenty with a prescribed entry, t - 1 from 1e-9 to 1e12; a bound near zero in 26 of them, among these hits less their rate",
    formula=bound_from_above,
    mutants={
        "the exact bound, rounded": lambda w, level, pi, f, mu: (
            bound_from_above(w, level, pi, f, mu) - 1e-13 * abs(w).max()
        )
    },
)
def bounds(above: Any) -> Parts:
    for weights, t, pi, fixed, mu in _with_duals():
        found = above(weights, PrivacyLevel.from_ratio(t), pi, fixed, mu)
        right = _bound(weights, t, pi, fixed, mu)
        near = Fraction(1e-13) * (len(pi) + 8) * (1 + Fraction(float(abs(weights).max() + abs(pi).max())))
        at = f"{weights.shape}, t = {t}, mu = {mu}: {found!r}, the exact bound is {float(right)!r}"
        yield (math.isfinite(found) and right <= Fraction(found) <= right + near) or at


def _bound(weights: Array, t: Fraction, pi: Array, fixed: Any, mu: Any) -> Fraction:
    reduced, duals = _exactly(weights), [Fraction(v) for v in pi.tolist()]
    for (y, j), v in mu.items():
        reduced[y][j] -= v
    return (
        sum(duals)
        + len(duals) * least_shift(reduced, t, duals)
        + sum((v * fixed[key] for key, v in mu.items()), Fraction(0))
    )


@PAPER.claim(
    "Weights as floats (the function)",
    r"in_floats has every weight rounded to the nearest float, and an error of at least \sum_y\max_j|\text{weight}-\text{float}| and at most \sum_y\max(2^{-52}\max_j|w_{yj}|,2^{-1074}) up to rounding, but 0 where nothing is rounded",
    recorded="certified",
    family="matrices of quotients, of whole numbers beyond 2^53, of numbers below 1e-310, of exact floats, and floats",
    formula=in_floats,
    mutants={"no error": lambda weights: (in_floats(weights)[0], 0.0)},
    survivors=_COVERED,
)
def as_floats(rounded: Any) -> Parts:
    thirds = [[Fraction(k, 3) for k in row] for row in ((1, -7), (-10, 11), (10**17, 0))]
    cases = [
        thirds,
        [[v * s for v in row] for row in thirds for s in (1, 10**30)],
        [[v / 10**320 for v in row] for row in thirds],
    ]
    for rows in [*cases, [[Fraction(1, 4), Fraction(2)]], [[0.1, -3.5]]]:
        found, error = rounded(as_array(rows, "weights", 2))
        nearest = [[float(v) for v in row] for row in rows]
        off = [
            max(abs(Fraction(v) - Fraction(f)) for v, f in zip(*pair, strict=True))
            for pair in zip(rows, nearest, strict=True)
        ]
        most = (
            sum(max(2 * _U * max(abs(Fraction(v)) for v in row), _LEAST) for row in nearest)
            if any(off)
            else Fraction(0)
        )
        fits = found.tolist() == nearest and sum(off) <= Fraction(error) <= most * (1 + 4 * _U) + 2 * _LEAST
        yield fits or f"{[[*map(str, row)] for row in rows]}: {found.tolist()}, error {error}"
