"""BlockRR: beta and gamma derived from the four blocks and normalisation (liu2026 section 3.1)."""

from __future__ import annotations

from functools import cache

import sympy as sp

__all__ = ["symbols", "row_sums", "solve_blocks"]

symbols = sp.symbols("t b s1 s2 l", positive=True)


def row_sums(beta: sp.Expr, gamma: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Sums of a majority and of a minority row, block by block, with all entries counted once.

    Majority: b entries t beta, s1 - b entries beta, s2 entries gamma. Minority, with B(y) inside S~2: l entries
    1 / (s1 + s2), s1 - l entries beta, b entries t gamma, s2 - b entries gamma.
    """
    t, b, s1, s2, l = symbols
    majority = b * (t * beta) + (s1 - b) * beta + s2 * gamma
    minority = l / (s1 + s2) + (s1 - l) * beta + b * (t * gamma) + (s2 - b) * gamma
    return majority, minority


@cache
def solve_blocks() -> tuple[sp.Expr, sp.Expr]:
    """beta and gamma for which both kinds of row sum to one, as rational functions of (t, b, s1, s2, l)."""
    x, y = sp.symbols("beta gamma")
    majority, minority = row_sums(x, y)
    solution = sp.solve([sp.Eq(majority, 1), sp.Eq(minority, 1)], [x, y], dict=True)
    return sp.factor(solution[0][x]), sp.factor(solution[0][y])
