"""BRR: the equations that define it, as sympy objects (zhang2025 section IV).

t = e^epsilon; N = number of outputs; i = place in a sorted row; a middle row is written with i = 2 r + 1 and
N = 2 M (even) or N = 2 M + 1 (odd).
"""

from __future__ import annotations

import sympy as sp

__all__ = [
    "t",
    "N",
    "i",
    "r",
    "M",
    "m",
    "term",
    "row_sum",
    "expected_utility",
    "end_point_row",
    "middle_row",
    "numerator",
]

t = sp.Symbol("t", positive=True)
N, i, r, M, m = sp.symbols("N i r M m", integer=True, positive=True)
_d = sp.Symbol("d", integer=True, positive=True)

#: One term of Q and the rest of its sums: lambda_i, s_i, A = sum_{j != i} lambda_j s_j, C = sum_{j != i} s_j.
term = own, s, others, mass = sp.symbols("lambda s A C")

#: Items of a sorted row by their losses: (loss as a function of d, first d, last d, how many items for each d).
Groups = list[tuple[sp.Expr, sp.Expr, sp.Expr, int]]


def row_sum(low: sp.Expr) -> sp.Eq:
    """A row of zhang2025 eq. (6) sums to one: m entries t q* and N - m entries q*."""
    return sp.Eq(m * t * low + (N - m) * low, 1)


def expected_utility() -> sp.Expr:
    """Q = sum_j lambda_j s_j / sum_j s_j, differentiated in zhang2025 eq. (7), the i-th term apart."""
    return (own * s + others) / (s + mass)


def end_point_row() -> tuple[sp.Expr, Groups, Groups]:
    """The row of the end point 1, summed in zhang2025 eq. (8): losses 0, 1, ..., N - 1.

    Returns
    -------
    loss, before, after
        lambda_i, the items before place i, which are raised to t, and those after it, which stay at 1.
    """
    return i - 1, [(_d - 1, sp.S(1), i - 1, 1)], [(_d - 1, i + 1, N, 1)]


def middle_row(odd: int) -> tuple[sp.Expr, Groups, Groups]:
    """A middle row, summed in zhang2025 eq. (9) and (10), at i = 2 r + 1, the second of the pair of losses r.

    Losses 0, then 1, 1, 2, 2, ...; up to M - 1 in pairs and M once (N even), or up to M in pairs (N odd).
    """
    before = [(sp.S(0), sp.S(1), sp.S(1), 1), (_d, sp.S(1), r - 1, 2), (_d, r, r, 1)]
    after = [(_d, r + 1, M, 2)] if odd else [(_d, r + 1, M - 1, 2), (_d, M, M, 1)]
    return r, before, after


def numerator(loss: sp.Expr, before: Groups, after: Groups) -> sp.Expr:
    """sum_{j<i} (lambda_i - lambda_j) t + sum_{j>i} (lambda_i - lambda_j): the sign of zhang2025 eq. (7) at place i."""

    def total(groups: Groups) -> sp.Expr:
        return sum((n * sp.summation(loss - other, (_d, first, last)) for other, first, last, n in groups), sp.S(0))

    return sp.expand(t * total(before) + total(after))
