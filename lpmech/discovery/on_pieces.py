"""A dual as functions of t, checked at every t of a piece: signs of polynomials between roots, isolated exactly.

At a number of labels the dual of each true label is a rational function of t. Which of w(i, j) - pi_i are positive is
the same up to the next root, and so is the constraint of a released label a polynomial; beyond it begins another one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import count
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_poly, fmpz_poly

from lpmech.entries import Array
from lpmech.linear_algebra import flint_number
from lpmech.programs.solvers.parametric import T
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root, roots_apart
from lpmech.prove.evaluate import UndefinedError
from lpmech.statements.numeric import fraction_of, holds, numeric
from lpmech.terms import Apply, Choice, Name, Node, names_in

__all__ = ["wrong_on_piece"]

#: Numerator and denominator, polynomials in t.
_Quotient = tuple[Any, Any]
_ONE = fmpq_poly([1])


def wrong_on_piece(
    dual: Node, letters: Sequence[Mapping[str, Any]], weights: Array, lower: Any, upper: Any, value: Any
) -> str:
    """Why a formula is no dual with this value somewhere between two ends; empty if it is one everywhere.

    Parameters
    ----------
    dual : term
        Rational in t; its conditions are not about t.
    letters : sequence of mappings
        What else stands in it, for each true label.
    weights : array of Fraction, shape (K, J)
    lower, upper, value : sympy expression
        Ends, the second may be infinity; the value is a rational function of t.
    """
    quotients = [_quotient(dual, at) for at in letters]
    below = reduce(lambda one, other: one * other // one.gcd(other), (own for _, own in quotients), _ONE)
    duals = [above * (below // own) for above, own in quotients]
    above, under = (_polynomial(part) for part in sp.fraction(sp.cancel(value)))
    if sum(duals, fmpq_poly()) * under != above * below:
        return "the dual does not sum to the optimum"
    slack = [[flint_number(w) * below - own for w in row] for row, own in zip(weights, duals, strict=True)]
    ends = _root(lower), None if upper == sp.oo else _root(upper)
    return _exceeded(slack, below, *ends)


def _exceeded(slack: list[list[Any]], below: Any, lower: RealRoot, upper: RealRoot | None) -> str:
    """Where a constraint is exceeded between two numbers, in words."""
    point = _inside([below, *(one for row in slack for one in row)], lower, upper)
    sign = 1 if below(point) > 0 else -1
    t, columns = fmpq_poly([0, 1]), list(zip(*slack, strict=True))
    sums = [sum((one * t if sign * one(point) > 0 else one for one in column), fmpq_poly()) for column in columns]
    for j, one in enumerate(sums, start=1):
        if sign * one(point) > 0:
            return f"at t = {point} the dual's constraint of released label {j} is exceeded"
    changing = {str(one): one.numer() for one in (*(x for row in slack for x in row), *sums) if one.degree() > 0}
    own = [one for one in changing.values() if one(point) != 0]
    touching = [one for one in changing.values() if one(point) == 0]
    for direction, end in ((-1, lower), (1, upper)):
        root = nearest_root(own, [below.numer()], point, direction)
        if touching:
            root = RealRoot.rational(point)
        if root is not None and (end is None or root.compared(end) == -direction):
            beyond = (lower, root) if direction < 0 else (root, upper)
            if why := _exceeded(slack, below, *beyond):
                return why
    return ""


def _inside(polynomials: Sequence[Any], lower: RealRoot, upper: RealRoot | None) -> Any:
    """A rational between two numbers at which none of the polynomials vanishes that is not zero everywhere."""
    while upper is not None and lower.upper >= upper.lower:
        lower, upper = lower.halved(), upper.halved()
    start, end = lower.upper, lower.upper + 2 if upper is None else upper.lower
    points = (start + (end - start) * fmpq(1, n) for n in count(2))
    return next(point for point in points if all(one(point) != 0 for one in polynomials if one != 0))


def _root(end: Any) -> RealRoot:
    """An end of a piece, exactly."""
    if end.is_Rational:
        return RealRoot.rational(fmpq(int(end.p), int(end.q)))
    coefficients = sp.Poly(sp.minimal_polynomial(end, T), T).all_coeffs()
    roots = roots_apart([fmpz_poly([int(c) for c in reversed(coefficients)])])
    near = flint_number(Fraction(str(sp.Rational(sp.N(end, 60)))))
    return min(roots, key=lambda root: max(root.lower - near, near - root.upper))


def _polynomial(expression: Any) -> Any:
    return fmpq_poly([fmpq(int(c.p), int(c.q)) for c in reversed(sp.Poly(expression, T, domain="QQ").all_coeffs())])


def _quotient(node: Node, at: Mapping[str, Any]) -> _Quotient:
    """A term as a rational function of t, at numbers for all other letters.

    Raises
    ------
    UndefinedError
        If it is none, or a denominator is zero.
    """
    if "t" not in names_in(node):
        return fmpq_poly([flint_number(fraction_of(numeric(node, at)))]), _ONE
    match node:
        case Name("t"):
            return fmpq_poly([0, 1]), _ONE
        case Choice(cases) if not any("t" in names_in(condition) for _, condition in cases):
            chosen = next((case for case, condition in cases if holds(condition, dict(at))), None)
            if chosen is not None:
                return _quotient(chosen, at)
        case Apply("+" | "-" | "*" | "/" as operation, parts):
            return reduce(lambda one, other: _combined(operation, one, other), (_quotient(part, at) for part in parts))
        case Apply("**", (base, exponent)) if "t" not in names_in(exponent):
            power = fraction_of(numeric(exponent, at))
            if power.denominator == 1 and power >= 0:
                return tuple(part ** int(power) for part in _quotient(base, at))
    raise UndefinedError(f"{node} is no rational function of t")


def _combined(operation: str, one: _Quotient, other: _Quotient) -> _Quotient:
    (a, b), (c, d) = one, other
    match operation:
        case "*":
            return a * c, b * d
        case "/" if c == 0:
            raise UndefinedError("a denominator is zero")
        case "/":
            return a * d, b * c
    return (a * d + c * b if operation == "+" else a * d - c * b), b * d
