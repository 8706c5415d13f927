"""BRR: q*, the derivative (7), the sums (8), (9), (10), their roots and m, from `equations` (zhang2025 section IV)."""

from __future__ import annotations

import sympy as sp

from lpmech.mechanisms.bipartite_rr.equations import (
    M,
    N,
    end_point_row,
    expected_utility,
    i,
    middle_row,
    numerator,
    r,
    row_sum,
    t,
    term,
)

__all__ = [
    "t", "N", "i", "r", "M",
    "derive_low_probability",
    "derivative_of_utility",
    "derive_end_point_sum",
    "derive_middle_sum",
    "in_index",
    "right_root",
    "m_end_point_from_root",
    "m_middle_from_root",
    "m_integers_from_roots",
]  # fmt: skip


def derive_low_probability() -> sp.Expr:
    """q* of zhang2025 eq. (6), the value for which a row sums to one; p* is t times as large."""
    low = sp.Symbol("q", positive=True)
    return sp.factor(sp.solve(row_sum(low), low)[0])


def derivative_of_utility() -> tuple[sp.Expr, tuple[sp.Symbol, ...]]:
    """dQ/ds_i of zhang2025 eq. (7) for any number of terms, with the other terms gathered.

    Returns
    -------
    derivative : sympy expression
    symbols : (lambda, s, A, C)
        Q = (lambda s + A) / (s + C), where A = sum_{j != i} lambda_j s_j and C = sum_{j != i} s_j.
    """
    return sp.diff(expected_utility(), term[1]), term


def derive_end_point_sum() -> sp.Expr:
    """zhang2025 eq. (8) from the losses of the end point's row."""
    return numerator(*end_point_row())


def derive_middle_sum(odd: int) -> sp.Expr:
    """zhang2025 eq. (9) (odd = 0) or eq. (10) (odd = 1) from the losses of a middle row, in terms of r and M."""
    return numerator(*middle_row(odd))


def in_index(total: sp.Expr, odd: int) -> sp.Expr:
    """A `derive_middle_sum` in terms of i = 2 r + 1 and N = 2 M + odd, as zhang2025 eq. (9) and (10) print it."""
    return sp.expand(total.subs({r: (i - 1) / 2, M: (N - odd) / 2}))


def right_root(total: sp.Expr) -> sp.Expr:
    """The larger root in i of zhang2025 eq. (8), (9) or (10), as `derive_end_point_sum` and `in_index` return them.

    The leading coefficient is a positive multiple of t - 1, so the larger root is the one with + sqrt.
    """
    index = sp.Symbol("i")
    a, b, c = sp.Poly(total.subs(i, index), index).all_coeffs()
    return (-b + sp.sqrt(sp.factor(b**2 - 4 * a * c))) / (2 * a)


def _last_before(root: sp.Expr) -> int:
    """The largest integer below the root: there the sum is still negative."""
    return int(sp.ceiling(root)) - 1


def m_end_point_from_root(ratio: sp.Rational, n: int) -> int:
    """m_1 of the row of an end point (zhang2025 after eq. (8)): the last i left of the root, at least 1; exact."""
    return max(1, _last_before(right_root(derive_end_point_sum()).subs({t: ratio, N: n})))


def m_middle_from_root(ratio: sp.Rational, n: int) -> int:
    """m_2 of a middle row (zhang2025 after eq. (9) and (10)): the last odd i left of the root; exact.

    Both items of a pair are raised or neither, so m is odd.
    """
    last = _last_before(right_root(in_index(derive_middle_sum(n % 2), n % 2)).subs({t: ratio, N: n}))
    return max(1, last - (last + 1) % 2)


def m_integers_from_roots(ratio: sp.Rational, n: int) -> int:
    """m of BRR on 1..N with the loss |i - j|: the smaller of m_1 and m_2 (zhang2025 Alg. 2 line 13)."""
    return min(m_end_point_from_root(ratio, n), m_middle_from_root(ratio, n))
