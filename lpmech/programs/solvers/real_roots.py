"""Real roots of integer polynomials, isolated exactly, and the root nearest to a point among those of many.

Roots in an open interval (a, b) are counted by Descartes' rule: the polynomial (1 + x)^n f((a + b x) / (1 + x)) has as
many changes of sign among its coefficients as f has roots there, or an even number more (Collins & Akritas, SYMSAC
1976). None means no root, one means one root, and otherwise the interval is halved.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any, Protocol

import sympy as sp
from flint import fmpq, fmpq_poly, fmpz, fmpz_mat, fmpz_poly

__all__ = ["Interval", "RealRoot", "nearest_root", "roots_apart"]

#: Width of the intervals in which roots are kept, relative to the distance from zero, and of those that are compared.
_WIDTH, _COARSE = fmpq(1, 2**64), fmpq(1, 2**12)
_ONE_MORE = fmpz_poly([1, 1])


class Interval(Protocol):
    """A number that is known to lie between two rational ones."""

    @property
    def lower(self) -> Any:
        """`flint.fmpq`."""

    @property
    def upper(self) -> Any:
        """`flint.fmpq`."""


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
        root, cells = self, 4
        while root.upper - root.lower > width:
            nearer = root._cell(cells)
            root, cells = (nearer, cells**2) if nearer else (root.halved(), max(4, math.isqrt(cells)))
        return root

    def _cell(self, cells: int) -> RealRoot | None:
        """The number in that of so many equal parts of its interval at which a straight line points, if it is."""
        left, right = self.polynomial(self.lower), self.polynomial(self.upper)
        part = (self.upper - self.lower) / cells
        lower = self.lower + part * min((left / (left - right) * cells).floor(), cells - 1)
        ends = self.polynomial(lower), self.polynomial(lower + part)
        if any((got > 0) != (there > 0) for got, there in zip(ends, (left, right), strict=True)):
            return None
        return RealRoot(self.polynomial, lower, lower + part)

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


def roots_apart(polynomials: Iterable[Any]) -> list[RealRoot]:
    """All real roots of different irreducible polynomials, `flint.fmpz_poly`, in rising order; their intervals, with
    the ends, have no point in common.
    """
    found = [root for one in polynomials for root in isolated(one, -_bound(one), _bound(one))]
    found.sort(key=cmp_to_key(RealRoot.compared))
    for k in range(1, len(found)):
        while not found[k - 1].upper < found[k].lower:
            found[k - 1 : k + 1] = found[k - 1].halved(), found[k].halved()
    return found


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
    # the linear ones first: they are cheap, and no other root beyond theirs counts
    left = sorted([(each, True) for each in sign_changing], key=lambda pair: pair[0].degree() != 1)
    left = _with_roots([*left, *((each, False) for each in poles)], point, limit, direction)
    while left:
        (polynomial, odd_only), *left = left
        end = limit if best is None else best.upper if direction > 0 else best.lower
        if best is not None:
            while not polynomial % best.polynomial:
                polynomial //= best.polynomial
        root = _nearest_of(polynomial, odd_only, point, end, direction)
        if root is not None and (best is None or root.compared(best) == -direction):
            best = root.narrowed(_COARSE * max(abs(root.lower), abs(root.upper)))
            left = _with_roots(left, point, best.upper if direction > 0 else best.lower, direction)
    return best and best.narrowed(_WIDTH * max(abs(best.lower), abs(best.upper)))


def _nearest_of(polynomial: Any, odd_only: bool, point: Any, end: Any, direction: int) -> RealRoot | None:
    """The nearest root of one polynomial, of odd multiplicity if only these count."""
    if polynomial.degree() < 1 or not _roots_between(polynomial, point, end, direction):
        return None
    best: RealRoot | None = None
    for factor, multiplicity in polynomial.factor()[1]:
        if odd_only and multiplicity % 2 == 0:
            continue
        far = direction * _bound(factor) if end is None else end
        found = list(isolated(factor, *sorted((point, far))))
        if found:
            root = found[0] if direction > 0 else found[-1]
            best = root if best is None or root.compared(best) == -direction else best
    return best


def _with_roots(
    polynomials: Sequence[tuple[Any, bool]], point: Any, end: Any, direction: int
) -> list[tuple[Any, bool]]:
    """Those that may have roots between the point and the end, by Descartes' rule in one multiplication."""
    degree = max((polynomial.degree() for polynomial, _ in polynomials), default=0)
    if degree < 1:
        return []
    if end is None:  # x is the distance from the point, which is p / q
        above, below = fmpz_poly([point.p, direction * point.q]), fmpz_poly([point.q])
    else:  # the point at x = 0 and the end at infinity
        above, below = fmpz_poly([point.p * end.q, end.p * point.q]), point.q * end.q * _ONE_MORE
    places = range(degree + 1)
    powers = [above**i * below ** (degree - i) for i in places]
    coefficients = fmpz_mat([[each[i] for i in places] for each, _ in polynomials])
    moved = coefficients * fmpz_mat([[power[i] for i in places] for power in powers])
    return [each for each, row in zip(polynomials, moved.tolist(), strict=True) if min(row) < 0 < max(row)]


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
    if polynomial.degree() == 1:
        root = fmpq(-polynomial[0], polynomial[1])
        return int((root - point) * direction > 0 and (end is None or (end - root) * direction > 0))
    if end is None:
        return _changes(polynomial(fmpq_poly([point, direction])).numer())
    return _variations(polynomial, *sorted((point, end)))


def _variations(polynomial: Any, lower: Any, upper: Any) -> int:
    """At least the number of roots in an open interval; exact where it is none or one."""
    # in whole numbers: with a = l / d and b = u / d the polynomial is d^n f((l + u x) / (d (1 + x))) (1 + x)^n
    unit = lower.q * upper.q
    low, high = lower.p * upper.q, upper.p * lower.q
    scaled, power = [], fmpz(1)
    for coefficient in reversed(polynomial.coeffs()):
        scaled.append(coefficient * power)
        power *= unit
    shifted = fmpz_poly(scaled[::-1])(fmpz_poly([low, high - low]))
    coefficients = shifted.coeffs()
    coefficients += [fmpz(0)] * (len(scaled) - len(coefficients))
    return _changes(fmpz_poly(coefficients[::-1])(_ONE_MORE))


def _changes(polynomial: Any) -> int:
    signs = [c > 0 for c in polynomial.coeffs() if c]
    return sum(a != b for a, b in pairwise(signs))


def _bound(polynomial: Any) -> Any:
    """A number that no root exceeds in absolute value (Cauchy's)."""
    coefficients = [abs(c) for c in polynomial.coeffs()]
    return fmpq(2 + max(coefficients[:-1]) // coefficients[-1])
