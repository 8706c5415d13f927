"""Real roots of integer polynomials, isolated exactly, and the root nearest to a point among those of many.

Roots in an open interval (a, b) are counted by Descartes' rule: the polynomial (1 + x)^n f((a + b x) / (1 + x)) has as
many changes of sign among its coefficients as f has roots there, or an even number more (Collins & Akritas, SYMSAC
1976). None means no root, one means one root, and otherwise the interval is halved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_poly, fmpz_poly

__all__ = ["RealRoot", "nearest_root"]

#: Width of the intervals in which roots are kept, relative to the distance from zero, and of those that are compared.
_WIDTH, _COARSE = fmpq(1, 2**64), fmpq(1, 2**12)


@dataclass(frozen=True)
class RealRoot:
    """The only root of an irreducible integer polynomial in an open interval, or a rational number (an interval of
    width zero).

    Attributes
    ----------
    polynomial : flint.fmpz_poly
        The irreducible polynomial.
    lower, upper : flint.fmpq
        The interval.
    """

    polynomial: Any
    lower: Any
    upper: Any

    @classmethod
    def rational(cls, value: Any) -> RealRoot:
        """A rational number, given as FLINT's."""
        return cls(fmpz_poly([-value.p, value.q]), value, value)

    def halved(self) -> RealRoot:
        """The same number in half the interval."""
        if self.lower == self.upper:
            return self
        middle = (self.lower + self.upper) / 2
        below = (self.polynomial(middle) > 0) == (self.polynomial(self.upper) > 0)
        return RealRoot(self.polynomial, self.lower, middle) if below else RealRoot(self.polynomial, middle, self.upper)

    def narrowed(self, width: Any) -> RealRoot:
        """The same number in an interval at most so wide."""
        root = self
        while root.upper - root.lower > width:
            root = root.halved()
        return root

    def near(self, tolerance: Fraction) -> Fraction:
        """A rational number that is nearer than the tolerance."""
        lower = self.narrowed(fmpq(tolerance.numerator, tolerance.denominator)).lower
        return Fraction(int(lower.p), int(lower.q))

    def compared(self, other: RealRoot) -> int:
        """-1, 0 or 1: less than the other number, equal, or larger."""
        first, second = self, other
        while True:
            if first.upper < second.lower:
                return -1
            if second.upper < first.lower:
                return 1
            if first.polynomial == second.polynomial:
                ends = (min(first.lower, second.lower), max(first.upper, second.upper))
                if ends[0] == ends[1] or _variations(first.polynomial, *ends) == 1:
                    return 0
            first, second = first.halved(), second.halved()

    def expression(self, symbol: sp.Symbol) -> sp.Expr:
        """The number for sympy: a rational, radicals for a quadratic polynomial, else a CRootOf."""
        coefficients = [int(c) for c in reversed(self.polynomial.coeffs())]
        if len(coefficients) == 2:
            return sp.Rational(-coefficients[1], coefficients[0])
        before = sum(1 for _ in isolated(self.polynomial, -_bound(self.polynomial), self.upper)) - 1
        return sp.Poly(coefficients, symbol).root(before, radicals=True)


def nearest_root(
    sign_changing: Iterable[Any], poles: Iterable[Any], point: Any, direction: int, limit: Any = None
) -> RealRoot | None:
    """The root nearest to a point on one side of it, or None.

    Parameters
    ----------
    sign_changing : iterable of flint.fmpz_poly
        Polynomials, not zero at the point, of which the roots of odd multiplicity count.
    poles : iterable of flint.fmpz_poly
        Polynomials, not zero at the point, of which every root counts.
    point : flint.fmpq
        Where to begin.
    direction : int
        1 for roots above the point, -1 for roots below.
    limit : flint.fmpq, optional
        Roots at or beyond it do not count.
    """
    best: RealRoot | None = None
    for polynomials, odd_only in ((sign_changing, True), (poles, False)):
        for polynomial in polynomials:
            end = limit if best is None else best.upper if direction > 0 else best.lower
            rest = polynomial
            if best is not None and _roots_between(rest, point, end, direction):
                while not rest % best.polynomial:
                    rest //= best.polynomial
            if rest.degree() < 1 or not _roots_between(rest, point, end, direction):
                continue
            for factor, multiplicity in rest.factor()[1]:
                if odd_only and multiplicity % 2 == 0:
                    continue
                far = direction * _bound(factor) if end is None else end
                found = list(isolated(factor, *sorted((point, far))))
                if not found:
                    continue
                root = found[0] if direction > 0 else found[-1]
                if best is None or root.compared(best) == -direction:
                    best = root.narrowed(_COARSE * max(abs(root.lower), abs(root.upper)))
    return best and best.narrowed(_WIDTH * max(abs(best.lower), abs(best.upper)))


def isolated(polynomial: Any, lower: Any, upper: Any) -> Iterator[RealRoot]:
    """The roots of an irreducible polynomial in an open interval, in rising order, each in an interval of its own."""
    if polynomial.degree() == 1:
        root = fmpq(-polynomial[0], polynomial[1])
        if lower < root < upper:
            yield RealRoot.rational(root)
        return
    variations = _variations(polynomial, lower, upper)
    if variations == 1:
        yield RealRoot(polynomial, lower, upper)
    elif variations > 1:
        middle = (lower + upper) / 2
        yield from isolated(polynomial, lower, middle)
        yield from isolated(polynomial, middle, upper)


def _roots_between(polynomial: Any, point: Any, end: Any, direction: int) -> int:
    """At least the number of roots between a point and an end in a direction, None being infinity."""
    if end is None:
        return _changes(polynomial(fmpq_poly([point, direction])).numer())
    return _variations(polynomial, *sorted((point, end)))


def _variations(polynomial: Any, lower: Any, upper: Any) -> int:
    """At least the number of roots in an open interval; exact where it is none or one."""
    stretched = polynomial(fmpq_poly([lower, upper - lower])).numer()
    coefficients = stretched.coeffs()
    coefficients += [0] * (polynomial.degree() + 1 - len(coefficients))
    return _changes(fmpz_poly(coefficients[::-1])(fmpz_poly([1, 1])))


def _changes(polynomial: Any) -> int:
    signs = [c > 0 for c in polynomial.coeffs() if c]
    return sum(a != b for a, b in pairwise(signs))


def _bound(polynomial: Any) -> Any:
    """A number that no root exceeds in absolute value (Cauchy's)."""
    coefficients = [abs(c) for c in polynomial.coeffs()]
    return 2 + max(coefficients[:-1]) // coefficients[-1]
