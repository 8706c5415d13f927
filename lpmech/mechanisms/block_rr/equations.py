"""BlockRR: the equations that define it, as sympy objects (liu2026 section 3.1).

t = e^epsilon, b = |B(y)|, s1 = |S~1|, s2 = |S~2|, l = |Delta|.
"""

from __future__ import annotations

import sympy as sp

__all__ = ["symbols", "unknowns", "row_sums", "normalisation"]

symbols = t, b, s1, s2, l = sp.symbols("t b s1 s2 l", positive=True)

#: beta and gamma, the two values of the blocks.
unknowns = beta, gamma = sp.symbols("beta gamma")


def row_sums(beta: sp.Expr, gamma: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Sums of a majority and of a minority row from the block definitions before liu2026 eq. (3.1), entry by entry.

    Majority: b entries t beta, s1 - b entries beta, s2 entries gamma. Minority, with B(y) inside S~2: l entries
    1 / (s1 + s2), s1 - l entries beta, b entries t gamma, s2 - b entries gamma.
    """
    majority = b * (t * beta) + (s1 - b) * beta + s2 * gamma
    minority = l / (s1 + s2) + (s1 - l) * beta + b * (t * gamma) + (s2 - b) * gamma
    return majority, minority


def normalisation() -> tuple[sp.Eq, sp.Eq]:
    """liu2026 eq. (3.1): both kinds of row sum to one."""
    majority, minority = row_sums(*unknowns)
    return sp.Eq(majority, 1), sp.Eq(minority, 1)
