"""BRR: the derivative (7) and the sums (8), (9), (10) derived from their definitions (zhang2025 section IV)."""

from __future__ import annotations

import sympy as sp

__all__ = ["derivative_of_utility", "end_point_sum", "middle_sum", "in_index", "right_root"]

t = sp.Symbol("t", positive=True)
N, i, r, M = sp.symbols("N i r M", integer=True, positive=True)
_d = sp.Symbol("d", integer=True, positive=True)


def derivative_of_utility() -> tuple[sp.Expr, tuple[sp.Symbol, ...]]:
    """dQ/ds_i for any number of terms, with the other terms gathered.

    Q = (lambda s + A) / (s + C), where A = sum_{j != i} lambda_j s_j and C = sum_{j != i} s_j do not contain
    s = s_i.

    Returns
    -------
    derivative : sympy expression
    symbols : (lambda, s, A, C)
    """
    own, s, others, mass = sp.symbols("lambda s A C")
    return sp.diff((own * s + others) / (s + mass), s), (own, s, others, mass)


def end_point_sum() -> sp.Expr:
    """sum_{j<i} (i - j) t - sum_{j>i} (j - i): the row of the end point 1, losses 0, 1, ..., N - 1."""
    j = sp.Symbol("j", integer=True, positive=True)
    raised = sp.summation((i - j) * t, (j, 1, i - 1))
    waiting = sp.summation(j - i, (j, i + 1, N))
    return sp.expand(raised - waiting)


def middle_sum(odd: int) -> sp.Expr:
    """The sum for i = 2 r + 1 in a middle row, in terms of r and M; N = 2 M + odd.

    Losses 0, then 1, 1, 2, 2, ...; up to M - 1 in pairs and M once (N even), or up to M in pairs (N odd). Before
    i stand 0 and the pairs 1..r-1 and one r, which contributes nothing; after it the larger losses.
    """
    raised = r * t + sp.summation(2 * (r - _d) * t, (_d, 1, r - 1))
    last_pair = M if odd else M - 1
    waiting = sp.summation(2 * (_d - r), (_d, r + 1, last_pair)) + (0 if odd else M - r)
    return sp.expand(raised - waiting)


def right_root(total: sp.Expr) -> sp.Expr:
    """The larger root in i of `end_point_sum()`, or of `middle_sum(odd)` rewritten in i and N.

    The leading coefficient is a positive multiple of t - 1, so the larger root is the one with + sqrt.
    """
    index = sp.Symbol("i")
    a, b, c = sp.Poly(total.subs(i, index), index).all_coeffs()
    return (-b + sp.sqrt(sp.factor(b**2 - 4 * a * c))) / (2 * a)


def in_index(total: sp.Expr, odd: int) -> sp.Expr:
    """A `middle_sum` in terms of i = 2 r + 1 and N = 2 M + odd instead of r and M."""
    return sp.expand(total.subs({r: (i - 1) / 2, M: (N - odd) / 2}))
