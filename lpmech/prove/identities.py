"""Symbolic identities of rational functions, decided by sympy."""

from __future__ import annotations

import sympy as sp

__all__ = ["is_zero", "is_identity", "positive_by_coefficients"]


def is_zero(expression: sp.Expr) -> bool:
    """Whether a rational function of its symbols vanishes identically (decided, not sampled)."""
    numerator, _ = sp.fraction(sp.together(sp.sympify(expression)))
    return bool(sp.expand(numerator) == 0)


def is_identity(left: sp.Expr, right: sp.Expr) -> bool:
    """Whether two rational functions agree wherever both are defined."""
    return is_zero(sp.sympify(left) - sp.sympify(right))


def positive_by_coefficients(expression: sp.Expr, *nonnegative: sp.Symbol) -> bool:
    """Whether a polynomial is visibly positive: no negative coefficient and a positive constant term.

    A sufficient condition for positivity on `nonnegative` >= 0; substitute t = 1 + s and the like first.
    """
    polynomial = sp.Poly(sp.expand(expression), *nonnegative)
    coefficients = polynomial.coeffs()
    return bool(all(c > 0 for c in coefficients) and polynomial.eval(dict.fromkeys(nonnegative, 0)) > 0)
