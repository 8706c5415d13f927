"""Both sides of the proof of an optimum, where they are repaired: duals shifted until feasible, floors filled greedily."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from library.paper import PAPER
from lpmech.claims import Parts
from lpmech.entries import Array, as_array, exact_texts, to_exact
from lpmech.papers.across.agreement import agrees
from lpmech.programs.optimality import best_fill, dual_bound, dual_excess, feasible_shift, greedy_fill

_FAMILY = "36 programs, 1 to 6 labels, 1 to 9 outputs, with ties, some with denominators of 400 digits, t = 11/10, 3, 1000, 10^9"
_KIND = "only whether they are exact, or how many there are, is asked"
#: Denominators of the numbers: one; a few; so many that no common one is used.
_UNITS = (lambda i: 1, lambda i: 1 + i % 7, lambda i: 10**400 + i**2)


def _settings() -> Iterator[tuple[Any, Array, Fraction, str]]:
    """A source, weights -8, ..., 8 over a denominator, t, and both in words."""
    rng = np.random.default_rng(7)
    for i, shape in enumerate(((1, 1), (2, 3), (3, 2), (4, 5), (6, 4), (5, 9)) * 6):
        whole, unit = rng.integers(-8, 9, shape).tolist(), _UNITS[i // 6 % 3]
        rows = [[Fraction(v, unit(9 * y + j)) for j, v in enumerate(row)] for y, row in enumerate(whole)]
        t = Fraction(("11/10", "3", "1000", "1000000000")[i % 5 % 4])
        yield rng, as_array(rows, "weights", 2), t, f"weights {rows}, t = {t}"[:300]


def reduced(weights: Array, mu: dict[tuple[int, int], Fraction]) -> Array:
    """The weights less the prices of prescribed entries."""
    found = weights.copy()
    for place, price in mu.items():
        found[place] -= price
    return found


def least_shift(weights: Array, t: Fraction, duals: Array) -> Fraction:
    """The least s for which pi + s is feasible: the largest root of the lines whose maximum the constraint of an output is."""
    roots = []
    for slack in (weights - duals[:, None]).T:
        tops = accumulate(sorted(slack, reverse=True), initial=Fraction(0))
        roots += [(slack.sum() + (t - 1) * top) / (len(slack) + (t - 1) * k) for k, top in enumerate(tops)]
    return max(roots)


@PAPER.claim(
    "Duals of a program (the functions)",
    r"`dual_excess` is $\sum_y r_{yj}+(t-1)\sum_y\max(r_{yj},0)$, $r=w-\pi-\mu$; `feasible_shift` is the least $s\ge 0$ for which $\pi+s$ has none above 0, `dual_bound` $\sum(\pi_y+s)+\sum\mu f$",
    hypotheses=r"$\mu$ of one entry $f$, or of none; the least $s$ as the largest root of the lines whose maximum the constraint is",
    family=f"{_FAMILY}; exactly, and in floats within 1e-9",
    formula=(dual_excess, feasible_shift, dual_bound),
    mutants={"never shifted": (dual_excess, lambda *given: Fraction(0), dual_bound)},
    survivors={
        "part 1: weights -> weights + 1 in is_exact(weights)": _KIND,
        **{f"part 2: weights -> weights + 1 in is_exact(weights){again}": _KIND for again in ("", ", place 2")},
        "part 3: row_duals -> row_duals + 1 in len(row_duals)": _KIND,
    },
)
def duals(functions: Any) -> Parts:
    excess, shift, bound = functions
    for i, (rng, weights, t, where) in enumerate(_settings()):
        pi = weights[:, 0] + rng.integers(-3, 2, len(weights)).astype(object) * Fraction(1, 3)
        mu, fixed = ({(0, 0): Fraction(2, 3)}, {(0, 0): Fraction(1, 5)}) if i % 2 else ({}, {})
        slack, least = reduced(weights, mu) - pi[:, None], max(Fraction(0), least_shift(reduced(weights, mu), t, pi))
        right = [*(slack.sum(axis=0) + (t - 1) * np.maximum(slack, 0).sum(axis=0)), least]
        right.append(sum(pi) + len(pi) * least + sum(price * fixed[place] for place, price in mu.items()))
        floats = weights.astype(float), float(t), pi.astype(float)
        for near, (w, ratio, p) in ((0, (weights, t, pi)), (1e-9, floats)):
            found = [*excess(w, ratio, p, mu), shift(w, ratio, p, mu), bound(w, ratio, p, fixed, mu)]
            yield agrees(f"{where}, duals {exact_texts(pi)}, mu = {mu}", found, right, near, near)


def _scaled(floors: Array, t: Fraction) -> Array:
    """The floors, so that rows above them can sum to one."""
    return floors / max(floors.sum(), min(t * floors.sum(), Fraction(1)))


def _best(weights: Array, t: Fraction, floors: Array) -> Any:
    """The largest value of rows that sum to one, floor <= q <= t floor; of each by its dual, a number w0."""
    return sum(min(w0 + (floors * np.maximum(t * (row - w0), row - w0)).sum() for w0 in row) for row in weights)


def _filled(where: str, weights: Array, t: Fraction, floors: Array, found: Array, best: Any, near: float) -> Parts:
    """That rows sum to one, entries lie between floor and t floor, and the value is the best."""
    q, off = to_exact(found), Fraction(near)
    yield agrees(f"{where}: row sums", q.sum(axis=1), [1] * len(q), near)
    yield (
        bool(np.all((floors - off <= q) & (q <= t * floors + off)))
        or f"{where}: not between floor and t floor: {exact_texts(q)}"
    )
    yield agrees(f"{where}: value", (weights * q).sum(), best, 100 * near)


def _matrix(rng: Any, rows: int, columns: int) -> Array:
    """Rows that sum to one, mostly with an entry around 1 - 1e-6 in one of the first columns; columns with zeros."""
    large, width = int(rng.choice([1, 10**6 - 1, 10**7])), int(rng.integers(1, columns + 1))
    found = rng.integers(0, 2, (rows, columns)).astype(object) * Fraction(1)
    found[range(rows), [y % width for y in range(rows)]] += large
    return found / found.sum(axis=1)[:, None]


@PAPER.claim(
    "Floors filled greedily (the functions)",
    r"`greedy_fill` is the best matrix with rows that sum to one and $m_j\le q_{yj}\le tm_j$, $m$ scaled where $\sum m>1$ or $t\sum m<1$; `best_fill` the better of those for the column minima and for the maxima over $t$, maxima above $1-10^{-6}$ set to one",
    hypotheses=r"the value of the best by linear programming duality, a number $w_0$ for each row: $w_0+\sum_j m_j\max(t(w_{yj}-w_0),w_{yj}-w_0)$",
    family=f"{_FAMILY}; floors with zeros, too small and too large; exactly, and in floats within 1e-9, values 1e-7",
    formula=(greedy_fill, best_fill),
    mutants={"the column minima alone": (greedy_fill, lambda w, t, q: greedy_fill(w, t, q.min(axis=0)))},
    survivors="shifted weights are filled as they were; floors are scaled in one way or another where that gives the same rows",
)
def fills(functions: Any) -> Parts:
    fill, best = functions
    for rng, weights, t, where in _settings():
        floors = np.array([1, *rng.integers(0, 3, weights.shape[1] - 1)], dtype=object) * Fraction(
            1, int(rng.choice([2, 9, 2000]))
        )
        matrix, reached = _matrix(rng, *weights.shape), _scaled(floors, t)
        highs = matrix.max(axis=0)
        tried = matrix.min(axis=0), np.where(highs > 1 - Fraction(1, 10**6), 1, highs) / t
        most = max(_best(weights, t, _scaled(m, t)) for m in tried if any(m))
        of_floors, of_matrix = f"{where}, floors {exact_texts(floors)}", f"{where}, matrix {exact_texts(matrix)}"
        floats = weights.astype(float), float(t), floors.astype(float), matrix.astype(float)
        for near, (w, ratio, m, q) in ((0, (weights, t, floors, matrix)), (1e-9, floats)):
            yield from _filled(of_floors, weights, t, reached, fill(w, ratio, m), _best(weights, t, reached), near)
            made = best(w, ratio, q)
            yield from _filled(of_matrix, weights, t, to_exact(made).min(axis=0), made, most, near)
