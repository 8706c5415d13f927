"""BlockRR: kappa, beta and gamma derived from `equations` (liu2026 section 3.1)."""

from __future__ import annotations

from functools import cache

import sympy as sp

from lpmech.mechanisms.block_rr.equations import normalisation, row_sums, symbols, unknowns

__all__ = ["symbols", "row_sums", "solve_blocks", "determinants"]


@cache
def solve_blocks() -> tuple[sp.Expr, sp.Expr]:
    """beta and gamma of liu2026 eq. (3.2), rational in (t, b, s1, s2, l): eq. (3.1) solved."""
    solution = sp.solve(normalisation(), unknowns, dict=True)[0]
    beta, gamma = (sp.factor(solution[unknown]) for unknown in unknowns)
    return beta, gamma


def determinants() -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """(kappa, beta_1, gamma_1) of liu2026 eq. (3.2): Cramer's rule for eq. (3.1), a system of two linear equations.

    kappa is the determinant of its coefficients, beta_1 and gamma_1 those with the right-hand sides in the first and in
    the second column.
    """
    coefficients, right = sp.linear_eq_to_matrix(normalisation(), unknowns)
    columns = [coefficients.copy() for _ in unknowns]
    for i, matrix in enumerate(columns):
        matrix[:, i] = right
    kappa, beta, gamma = (sp.expand(matrix.det()) for matrix in (coefficients, *columns))
    return kappa, beta, gamma
