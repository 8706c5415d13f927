"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Paper, Parts, Relations
from lpmech.claims.checking import check_family
from lpmech.mechanisms.bipartite_rr import bipartite_channel, derivative_numerator, high_probability, low_probability
from lpmech.verdicts import Outcome

PAPER = Paper(
    "zhang2025",
    "Zhang, Zhu, Chen, Xiong: Bipartite Randomized Response Mechanism for Local Differential Privacy (zhang2025)",
)

#: t = e^epsilon, N outputs, m favoured ones.
T, N, M = sp.symbols("t N m")

EXACT = "exact rational arithmetic"
RATIOS = (Fraction(2), Fraction(3), Fraction(7, 2), Fraction(10))


def similarity_rows(size: int, largest_value: int) -> Iterable[tuple[int, ...]]:
    """Sorted positive integer rows lambda_1 >= ... >= lambda_N > 0."""
    return combinations_with_replacement(range(largest_value, 0, -1), size)


#: The sets of outputs of N = 3, small first.
SETS = [c for m in (1, 2, 3) for c in combinations(range(3), m)]


def rows_of(first: tuple[int, ...], second: tuple[int, ...], t: Fraction) -> Channel:
    """Two rows (6) on three outputs, each with its own set."""
    weights = [[t if j in chosen else Fraction(1) for j in range(3)] for chosen in (first, second)]
    return Channel([[v / sum(row) for v in row] for row in weights])


def similarity_matrices(size: int, largest_value: int) -> Iterable[tuple[tuple[int, ...], ...]]:
    """Positive integer matrices whose diagonal is the largest entry of its row, small sums first."""
    entries = product(range(1, largest_value + 1), repeat=size * size)
    matrices = (tuple(values[k * size : (k + 1) * size] for k in range(size)) for values in entries)
    yield from sorted(
        (m for m in matrices if all(max(row) == row[k] for k, row in enumerate(m))), key=lambda m: sum(map(sum, m))
    )


class _Counted:
    """An exact number that counts the multiplications it takes part in."""

    def __init__(self, value: Fraction | int, tally: list[int]) -> None:
        self.value, self.tally = Fraction(value), tally

    def __sub__(self, other: _Counted) -> _Counted:
        return _Counted(self.value - other.value, self.tally)

    def __mul__(self, factor: Fraction) -> Fraction:
        self.tally[0] += 1
        return self.value * factor


def loop_as_printed(row: tuple[int, ...], t: Fraction) -> tuple[int, int]:
    """Alg. 1 line by line, (m, multiplications): every derivative is summed anew."""
    n, tally = len(row), [0]
    similarities = [_Counted(v, tally) for v in row]
    weights = [t] + [Fraction(1)] * (n - 1)
    m = 1
    for i in range(1, n):
        if derivative_numerator(similarities, weights, i) <= 0:
            break
        weights[i], m = t, i + 1
    return m, tally[0]


Matrix = tuple[tuple[int, ...], ...]


#: Exact similarities that floating point cannot tell apart; the two largest of every row are equal, so m > 1.
LARGE: Matrix = tuple(tuple(10**20 + v for v in row) for row in ((2, 2, 1), (2, 2, 1), (1, 2, 2)))


def written(matrix: Matrix) -> str:
    """A matrix on one line: rows apart by semicolons."""
    return "(" + "; ".join(" ".join(map(str, row)) for row in matrix) + ")"


def equals(name: str, value: Callable[[], Any], *at: Any) -> Callable[[Any], Relations]:
    """The check that a formula, at these symbols, is the value."""

    def check(formula: Any) -> Relations:
        return {name: (value(), formula(*at))}

    return check


def sampled(instances: Parts, family: str, method: str = EXACT) -> Outcome:
    """The outcome of instances as a check yields them, for a reading of its own."""
    return check_family(instances, lambda found: None if found is True else found, family, method)


def average(utility: Any, m: int, t: Fraction, prior: Any = None) -> Any:
    """Expected utility of (6) with this m for every row."""
    return bipartite_channel(utility, m, PrivacyLevel.from_ratio(t)).expected_utility(utility, prior)


#: p* and q* of (6), and at twice the level.
ENTRIES = (high_probability, low_probability)
OF_SQUARE = tuple(lambda t, n, m, f=f: f(t * t, n, m) for f in ENTRIES)


def grr(t: Any, n: Any) -> tuple[Any, Any]:
    """p and q of (5)."""
    return t / (t + n - 1), 1 / (t + n - 1)
