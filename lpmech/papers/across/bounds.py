"""Both sides of the proof of an optimum, where they are repaired: duals shifted until feasible, floors filled greedily."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from lpmech.claims import Parts
from lpmech.entries import Array, as_array
from lpmech.papers.across.paper import PAPER
from lpmech.programs.optimality import best_fill, dual_bound, dual_excess, feasible_shift, greedy_fill

Rows = list[list[Fraction]]

_FAMILY = (
    "36 programs, 1 to 6 labels, 1 to 9 outputs, with ties, some with denominators of 400 digits, t = 11/10, 3, 1000"
)
_KIND = "only whether they are exact, or how many there are, is asked"
#: Denominators of the numbers: one; a few; so many that no common one is used.
_UNITS = (lambda i: 1, lambda i: 1 + i % 7, lambda i: 10**400 + i**2)


def _settings() -> Iterator[tuple[Any, Rows, Fraction]]:
    """A source, weights -8, ..., 8 over a denominator, and t."""
    rng = np.random.default_rng(7)
    for i, shape in enumerate(((1, 1), (2, 3), (3, 2), (4, 5), (6, 4), (5, 9)) * 6):
        whole, unit = rng.integers(-8, 9, shape).tolist(), _UNITS[i // 6 % 3]
        rows = [[Fraction(v, unit(9 * y + j)) for j, v in enumerate(row)] for y, row in enumerate(whole)]
        yield rng, rows, Fraction(("11/10", "3", "1000")[i % 5 % 3])


def _exact_and_floats(t: Fraction, *values: Any) -> Iterator[tuple[float, list[Any]]]:
    """The arguments as exact numbers, and as floats; with how far the answer may be off."""
    exact = [as_array(v, "numbers", np.ndim(v)) for v in values]
    yield 0, [t, *exact]
    yield 1e-9, [float(t), *(v.astype(float) for v in exact)]


def _told(weights: Rows, t: Fraction, *others: Any) -> str:
    text = f"weights {[list(map(str, row)) for row in weights]}, t = {t}, {', '.join(map(str, others))}"
    return text if len(text) < 300 else f"{text[:290]} ..."


def least_shift(weights: Rows, t: Fraction, duals: list[Fraction]) -> Fraction:
    """The least s for which pi + s is feasible: the largest root of the lines whose maximum the constraint of an output is."""
    roots = []
    for column in zip(*weights, strict=True):
        slack = sorted((w - pi for w, pi in zip(column, duals, strict=True)), reverse=True)
        tops = accumulate(slack, initial=Fraction(0))
        roots += [(sum(slack) + (t - 1) * top) / (len(slack) + (t - 1) * k) for k, top in enumerate(tops)]
    return max(roots)


@PAPER.claim(
    "Duals of a program (the functions)",
    r"dual_excess is \sum_yr_{yj}+(t-1)\sum_y\max(r_{yj},0), r=w-\pi-\mu; feasible_shift is the least s\ge 0 for which \pi+s has none above 0, dual_bound \sum(\pi_y+s)+\sum\mu f",
    hypotheses="mu of one entry f, or of none; the least s as the largest root of the lines whose maximum the constraint is",
    recorded="certified",
    family=f"{_FAMILY}; exactly, and in floats within 1e-9",
    formula=(dual_excess, feasible_shift, dual_bound),
    mutants={"never shifted": (dual_excess, lambda *given: Fraction(0), dual_bound)},
    survivors={
        **dict.fromkeys(("part 1: weights -> weights + 1, line 7", "part 2: weights -> weights + 1, line 13"), _KIND),
        **dict.fromkeys(
            ("part 2: weights -> weights + 1, line 21", "part 3: row_duals -> row_duals + 1, line 10, place 2"), _KIND
        ),
    },
)
def duals(functions: Any) -> Parts:
    excess, shift, bound = functions
    for i, (rng, weights, t) in enumerate(_settings()):
        pi = [row[0] + Fraction(int(rng.integers(-3, 2)), 3) for row in weights]
        mu, fixed = ({(0, 0): Fraction(2, 3)}, {(0, 0): Fraction(1, 5)}) if i % 2 else ({}, {})
        reduced = [[w - mu.get((y, j), 0) for j, w in enumerate(row)] for y, row in enumerate(weights)]
        slack = [[w - p for w, p in zip(column, pi, strict=True)] for column in zip(*reduced, strict=True)]
        least = max(Fraction(0), least_shift(reduced, t, pi))
        right = [sum(r) + (t - 1) * sum(max(v, Fraction(0)) for v in r) for r in slack]
        right += [least, sum(pi) + len(pi) * least + sum(v * fixed[key] for key, v in mu.items())]
        for near, (ratio, w, p) in _exact_and_floats(t, weights, pi):
            found = [*excess(w, ratio, p, mu), shift(w, ratio, p, mu), bound(w, ratio, p, fixed, mu)]
            close = all(abs(Fraction(v) - r) <= near * (1 + abs(r)) for v, r in zip(found, right, strict=True))
            yield close or _told(weights, t, [*map(str, pi)], mu, f"{[*map(str, found)]}, not {[*map(str, right)]}")


def _scaled(floors: list[Fraction], t: Fraction) -> list[Fraction]:
    """The floors, so that rows above them can sum to one."""
    return [f / max(sum(floors), min(t * sum(floors), Fraction(1))) for f in floors]


def _best(weights: Rows, t: Fraction, floors: list[Fraction]) -> Fraction:
    """The largest value of rows that sum to one, floor <= q <= t floor; of each by its dual, a number w0."""
    pairs = [list(zip(row, floors, strict=True)) for row in weights]
    return sum(
        (min(w0 + sum(f * max(t * (w - w0), w - w0) for w, f in row) for w0, _ in row) for row in pairs), Fraction(0)
    )


def _wrong(weights: Rows, t: Fraction, floors: list[Fraction], found: Array, best: Fraction, near: float) -> str:
    """What a matrix lacks: rows that sum to one, entries between floor and t floor, the best value."""
    q = [[Fraction(v) for v in row] for row in found.tolist()]
    if any(abs(sum(row) - 1) > near for row in q):
        return "a row does not sum to one"
    if any(not f - near <= v <= t * f + near for row in q for v, f in zip(row, floors, strict=True)):
        return f"an entry is not between floor and {t} floor"
    value = sum(w * v for ws, row in zip(weights, q, strict=True) for w, v in zip(ws, row, strict=True))
    return "" if abs(value - best) <= 100 * near else f"value {value}, the best is {best}"


def _matrix(rng: Any, rows: int, columns: int) -> Rows:
    """Rows that sum to one, mostly with an entry around 1 - 1e-6 in one of the first columns; columns with zeros."""
    found, large, width = [], int(rng.choice([1, 10**6 - 1, 10**7])), int(rng.integers(1, columns + 1))
    for y in range(rows):
        row = [int(v) + large * (j == y % width) for j, v in enumerate(rng.integers(0, 2, columns))]
        found.append([Fraction(v, sum(row)) for v in row])
    return found


@PAPER.claim(
    "Floors filled greedily (the functions)",
    r"greedy_fill is the best matrix with rows that sum to one and m_j\le q_{yj}\le tm_j, m scaled where \sum m>1 or t\sum m<1; best_fill the best of those for the column minima, the maxima over t, and these with maxima above 1-10^{-6} set to one",
    hypotheses="the value of the best by linear programming duality, a number w_0 for each row: w_0+\\sum_jm_j\\max(t(w_{yj}-w_0),w_{yj}-w_0)",
    recorded="certified",
    family=f"{_FAMILY}; floors with zeros, too small and too large; exactly, and in floats within 1e-9, values 1e-7",
    formula=(greedy_fill, best_fill),
    mutants={"the column minima alone": (greedy_fill, lambda w, t, q: greedy_fill(w, t, q.min(axis=0)))},
    survivors="x",
)
def fills(functions: Any) -> Parts:
    fill, best = functions
    for rng, weights, t in _settings():
        unit = int(rng.choice([2, 9, 2000]))
        floors = [Fraction(int(v), unit) for v in (1, *rng.integers(0, 3, len(weights[0]) - 1))]
        matrix, reached = _matrix(rng, len(weights), len(weights[0])), _scaled(floors, t)
        highs = [max(column) for column in zip(*matrix, strict=True)]
        whole = [Fraction(1) if h > 1 - Fraction(1, 10**6) else h for h in highs]
        tried = [[min(c) for c in zip(*matrix, strict=True)], [h / t for h in highs], [h / t for h in whole]]
        most = max(_best(weights, t, _scaled(m, t)) for m in tried if any(m))
        for near, (ratio, w, m, q) in _exact_and_floats(t, weights, floors, matrix):
            wrong = _wrong(weights, t, reached, fill(w, ratio, m), _best(weights, t, reached), near)
            yield not wrong or _told(weights, t, f"floors {[*map(str, floors)]}", wrong)
            made = best(w, ratio, q)
            lows = [min(Fraction(v) for v in column) for column in made.T.tolist()]
            wrong = _wrong(weights, t, lows, made, most, near)
            yield not wrong or _told(weights, t, f"matrix {[[*map(str, row)] for row in matrix]}", wrong)
