"""Signs of rational functions of one symbol on an interval, decided by exact root isolation."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

import sympy as sp
from sympy.polys.fields import FracElement

from lpmech.errors import InvalidInputError

__all__ = [
    "negative_point",
    "nonzero_point",
    "same_sign_interval",
    "simplest_between",
    "exact_order",
    "as_rational",
    "positive_root",
]


def negative_point(function: Any, symbol: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> Fraction | None:
    """The simplest rational strictly between the end points at which a rational function is negative.

    None proves that the function is at least zero wherever it is defined there: between consecutive roots of
    numerator and denominator, isolated exactly, the sign is constant, and one point of each piece is tried.

    Raises
    ------
    InvalidInputError
        If `function` is not a rational function of `symbol` with rational coefficients.
    """
    polynomials = _parts(function, symbol)
    for left, right in _pieces(polynomials, lower, upper):
        point = simplest_between(left, right)
        numerator, denominator = (polynomial.eval(as_rational(point)) for polynomial in polynomials)
        if numerator * denominator < 0:
            return point
    return None


def nonzero_point(function: Any, symbol: sp.Symbol, lower: sp.Expr, upper: sp.Expr) -> Fraction | None:
    """The simplest rational strictly between the end points at which a rational function is defined and not zero.

    None proves that it vanishes identically.
    """
    numerator, denominator = _parts(function, symbol)
    if numerator.is_zero:
        return None
    left, right = _pieces([numerator, denominator], lower, upper)[0]
    return simplest_between(left, right)


def same_sign_interval(
    functions: Iterable[Any], symbol: sp.Symbol, point: sp.Rational, lower: sp.Expr, upper: sp.Expr
) -> tuple[sp.Expr, sp.Expr]:
    """The largest open interval around a point, within (lower, upper), without a root or a pole of the functions."""
    polynomials = {part for function in functions for part in _parts(function, symbol)}
    for left, right in _pieces(list(polynomials), lower, upper):
        if left < point < right:
            return left, right
    raise InvalidInputError("point", point, "a point at which no function has a root or a pole")


def simplest_between(lower: sp.Expr, upper: sp.Expr) -> Fraction:
    """The rational of smallest denominator, then numerator, with lower < value < upper, for 0 <= lower < upper <= oo.

    The walk down the Stern-Brocot tree: an integer if there is one, else the whole part and the reciprocal rest.
    """
    whole = int(sp.floor(lower))
    if sp.Integer(whole + 1) < upper:
        return Fraction(whole + 1)
    rest_lower, rest_upper = lower - whole, upper - whole
    inverted_upper = sp.oo if rest_lower == 0 else 1 / rest_lower
    return whole + 1 / simplest_between(1 / rest_upper, inverted_upper)


def _parts(function: Any, symbol: sp.Symbol) -> list[sp.Poly]:
    if isinstance(function, FracElement):
        return [sp.Poly(part.as_expr(), symbol, domain="QQ") for part in (function.numer, function.denom)]
    try:
        parts = [sp.Poly(part, symbol, domain="QQ") for part in sp.fraction(sp.cancel(sp.sympify(function)))]
    except (sp.PolynomialError, sp.CoercionFailed) as exc:
        raise InvalidInputError("function", function, f"a rational function of {symbol} over the rationals") from exc
    return parts


def _pieces(polynomials: list[sp.Poly], lower: sp.Expr, upper: sp.Expr) -> list[tuple[sp.Expr, sp.Expr]]:
    """The open intervals into which the real roots cut (lower, upper)."""
    roots = {
        root
        for polynomial in polynomials
        if polynomial.degree() > 0
        for factor, _ in polynomial.factor_list()[1]
        for root in factor.real_roots()
        if lower < root < upper
    }
    inside = sorted(roots, key=exact_order)
    ends = [sp.sympify(lower), *inside, sp.sympify(upper)]
    return list(itertools.pairwise(ends))


def _order(first: sp.Expr, second: sp.Expr) -> int:
    return 0 if first == second else -1 if first < second else 1


#: Sorting key of real algebraic numbers, which are compared exactly.
exact_order = cmp_to_key(_order)


def as_rational(value: Fraction | int) -> sp.Rational:
    """An exact number as a sympy Rational."""
    return sp.Rational(value.numerator, value.denominator)


def positive_root(number: sp.Expr, degree: int) -> sp.Expr:
    """The positive root of some degree of a positive real algebraic number, as root isolation gives it."""
    if degree == 1 or number in (1, sp.oo):
        return number
    symbol = sp.Dummy()
    polynomial = sp.Poly(sp.minimal_polynomial(number, symbol).subs(symbol, symbol**degree), symbol)
    candidates = [root for factor, _ in polynomial.factor_list()[1] for root in factor.real_roots() if root > 0]
    return min(candidates, key=lambda root: abs(sp.N(root**degree - number, 60)))
