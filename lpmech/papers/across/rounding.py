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


def _exactly(values: Array) -> list[list[Fraction]]:
    return [[Fraction(v) for v in row] for row in values.tolist()]


def _attained(weights: Array, t: Fraction, matrix: Array) -> tuple[Fraction, Fraction]:
    """What private channels attain: the rows over their sums, mixed with the minima over theirs as little as will do; those alone."""
    q, lows = (
        [[v / sum(row) for v in row] for row in _exactly(matrix)],
        [*map(min, zip(*_exactly(matrix), strict=True))],
    )
    constant, share = [low / sum(lows) for low in lows], Fraction(0)
    for column, c in zip(zip(*q, strict=True), constant, strict=True):
        over = max(max(column) - t * min(column), Fraction(0))
        share = max(share, over / (over + (t - 1) * c)) if over else share
    rows = [*zip(_exactly(weights), q, strict=True)]
    plain = sum(w * v for ws, row in rows for w, v in zip(ws, row, strict=True))
    mixed = sum(w * c for ws, _ in rows for w, c in zip(ws, constant, strict=True))
    return (1 - share) * plain + share * mixed, mixed


def _channels() -> Iterator[tuple[Array, Fraction, Array, Fraction]]:
    """Weights, also on top of large ones, t, and matrices that are private channels but for an error in every entry."""
    rng = np.random.default_rng(3)
    for i in range(40):
        excess, error, shape = (
            _EXCESSES[i % 5],
            (0.0, 1e-12, 1e-6, 1e-3)[i % 4],
            ((1, 2), (2, 2), (5, 3), (20, 8))[i // 4 % 4],
        )
        matrix = (1.0 + float(excess) * (rng.random(shape) < 0.4)) * rng.random(shape[1])
        matrix[:, 0] *= i % 3 > 0
        matrix /= matrix.sum(axis=1)[:, None]
        columns = [column for column in zip(*_exactly(matrix), strict=True) if min(column)]
        tight = max(1 + excess, *(max(column) / min(column) for column in columns))
        t = 1 + (tight - 1) / Fraction(1 + error)
        yield rng.normal(size=shape) + 2.0 ** (i % 3 * 18), t, matrix * (1 + error * rng.random(shape)), Fraction(error)


@PAPER.claim(
    "The value of a channel in floats (the function)",
    r"value_from_below is at most what a private channel attains that the matrix suggests, and falls short of that by no more than the errors of its rows and ratios account for; -\infty where an output occurs in some rows only, or a row sum is off by half",
    hypotheses="the rows over their sums, mixed with the column minima as little as makes them private, or more than that; errors e of every entry, 0 to 1/1000; short of the former by at most min(1, (16 e + 2e-14) t/(t-1)) of the spread of the weights, and 4e-15 of their size; the float is read as an exact number",
    recorded="certified",
    family="40 matrices to 20 x 8, an output that is not released among them, t - 1 from 1e-9 to 1e12; weights of size 1, 2^18, 2^36",
    formula=value_from_below,
    mutants={"the plain value": lambda w, level, q: float((w * q).sum())},
)
def values(below: Any) -> Parts:
    for weights, t, matrix, error in _channels():
        found, attained = Fraction(below(weights, PrivacyLevel.from_ratio(t), matrix)), _attained(weights, t, matrix)
        spread, size = (Fraction(float(v)) for v in (np.ptp(weights, axis=1).sum(), abs(weights).sum(axis=0).max()))
        short = spread * min(Fraction(1), (16 * error + Fraction(2e-14)) * t / (t - 1)) + Fraction(4e-15) * size
        where = f"{matrix.shape}, t = {t}, error {float(error)}: {float(found)!r}"
        yield found <= max(attained) or f"{where}, but only {float(max(attained))!r} is attained"
        yield attained[0] - found <= short or f"{where}, more than {float(short)} below {float(attained[0])!r}"
    for q, known in (
        ([[1, 0], [0, 1]], False),
        ([[1.6, 0], [1, 0]], False),
        ([[0.4, 0], [1, 0]], False),
        ([[1.4, 0], [0.7, 0]], True),
    ):
        found = below(np.eye(2), PrivacyLevel.from_ratio(2), np.array(q, dtype=float))
        yield (found > -math.inf) is known or f"{q}: {found}"


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
)
def as_floats(rounded: Any) -> Parts:
    thirds = [[Fraction(k, 3) for k in row] for row in ((1, -7, 10**17), (2, 3, 0))]
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
