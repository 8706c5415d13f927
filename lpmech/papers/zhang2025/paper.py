"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise, product

import sympy as sp

from lpmech.papers.claims import Paper

__all__ = ["PAPER", "T", "N", "M", "RATIOS", "similarity_matrices", "similarity_rows"]

PAPER = Paper(
    "zhang2025",
    "Zhang, Zhu, Chen, Xiong: Bipartite Randomized Response Mechanism for Local Differential Privacy (zhang2025)",
)

#: t = e^epsilon, N outputs, m favoured ones.
T, N, M = sp.symbols("t N m")

RATIOS = (Fraction(2), Fraction(3), Fraction(7, 2), Fraction(10))


def similarity_rows(largest_size: int, largest_value: int) -> Iterable[tuple[int, ...]]:
    """Sorted positive integer rows lambda_1 >= ... >= lambda_N > 0, small first."""
    for size in range(1, largest_size + 1):
        for row in product(range(1, largest_value + 1), repeat=size):
            if all(a >= b for a, b in pairwise(row)):
                yield row


def similarity_matrices(size: int, largest_value: int) -> Iterable[tuple[tuple[int, ...], ...]]:
    """Positive integer matrices whose diagonal is the largest entry of its row, small sums first."""
    entries = product(range(1, largest_value + 1), repeat=size * size)
    matrices = (tuple(values[k * size : (k + 1) * size] for k in range(size)) for values in entries)
    yield from sorted(
        (m for m in matrices if all(max(row) == row[k] for k, row in enumerate(m))), key=lambda m: sum(map(sum, m))
    )
