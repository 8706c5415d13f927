"""Programs that branch on a parameter t, followed as rational functions: which formula holds where.

A `Traced` number carries a rational function of s, where t = s^k, and stands at one point. Arithmetic acts on the
function; a comparison is answered by its sign at the point and remembered, and so is every divisor. Afterwards the
remembered signs, by exact root isolation, give the interval around the point on which the program takes the same
branches, so that its result is the traced function there. Intervals are collected until they cover everything but the
break points; there, rational or not, the program is run again, and signs are decided by minimal polynomials.

The exponent k is 1 until the program takes a root of a power of t.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from lpmech.errors import SolverError
from lpmech.prove.evaluate import sign_of
from lpmech.prove.rational_functions import as_rational, exact_order, same_sign_interval, simplest_between

__all__ = ["Cover", "Piece", "Raised", "Spot", "Traced", "UnfollowableError", "cover", "pieces"]

#: The symbol of traced functions: t itself where no roots are taken, else s with t = s^k.
T = sp.Symbol("t")

_FIELD = sp.QQ.frac_field(T)
_MOST_PIECES = 60
_LARGEST_ROOT = 60


class UnfollowableError(sp.SympifyError, TypeError):
    """A program does something with t that is no arithmetic, root of a power of t, or comparison."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} of the number t"


class _BreakPoint(BaseException):
    """Two sides of a comparison meet at the very point at which a program is traced."""


class _NeedsRoot(BaseException):
    """A root of t is taken that is no power of s."""

    def __init__(self, degree: int) -> None:
        super().__init__(degree)
        self.degree = degree


@dataclass(frozen=True)
class Raised:
    """In place of a result: the program raised this."""

    error: Exception

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}"


@dataclass(frozen=True)
class Piece:
    """An open interval of s and the result of the program as a function of s on it.

    Attributes
    ----------
    lower, upper : sympy expression
        End points, exact algebraic numbers or oo.
    result : object
        What the program returned there, or `Raised`.
    point : sympy Rational
        Where it was run.
    """

    lower: sp.Expr
    upper: sp.Expr
    result: Any
    point: sp.Rational


@dataclass(frozen=True)
class Spot:
    """A break point, and what the program does there.

    Attributes
    ----------
    point : sympy expression
        An exact algebraic number.
    number : Traced
        s at this point.
    result : object
        What the program returned there, or `Raised`.
    """

    point: sp.Expr
    number: Traced
    result: Any


@dataclass(frozen=True)
class Cover:
    """Everything that a program does for t > 1, where t = s^root.

    Attributes
    ----------
    root : int
    pieces : tuple of Piece
    spots : tuple of Spot
        The break points between the pieces.
    """

    root: int
    pieces: tuple[Piece, ...]
    spots: tuple[Spot, ...]


@dataclass
class _Trace:
    point: sp.Expr
    conditions: list[Any] = field(default_factory=list)

    @cached_property
    def _minimal(self) -> sp.Poly | None:
        """The minimal polynomial of an irrational point; signs are then decided there, too."""
        return None if self.point.is_Rational else sp.Poly(sp.minimal_polynomial(self.point, T), T)

    on_break_point: bool = False

    def sign(self, element: Any) -> int:
        if element == 0:
            return 0
        self.conditions.append(element)
        sign = self._sign_of(element.numer) * self._sign_of(element.denom)
        if sign == 0 and not self.on_break_point:
            raise _BreakPoint
        return sign

    def _sign_of(self, polynomial: Any) -> int:
        if self._minimal is None:
            return int(sp.sign(polynomial.evaluate(0, self.point)))
        rest = sp.Poly(polynomial.as_expr(), T, domain="QQ").rem(self._minimal)
        return 0 if rest.is_zero else sign_of(rest.as_expr(), {T: self.point})


class Traced:
    """A rational function of s, compared as at one point; supports + - * / ** and comparisons.

    Exponents are exact: whole, or rational where the base is a power of t.
    """

    __slots__ = ("_element", "_trace")

    def __init__(self, element: Any, trace: _Trace) -> None:
        self._element = element
        self._trace = trace

    __hash__ = None  # type: ignore[assignment]

    @property
    def expression(self) -> sp.Expr:
        """The function as a sympy expression in the symbol t, which stands for s."""
        return self._element.as_expr()

    @property
    def point(self) -> sp.Expr:
        """Where it stands."""
        return self._trace.point

    @property
    def sign(self) -> int:
        """The sign at the point."""
        return self._trace.sign(self._element)

    def like(self, expression: sp.Expr) -> Traced:
        """Another function at the same point."""
        return Traced(_FIELD.from_sympy(expression), self._trace)

    def _sympy_(self) -> Any:
        raise UnfollowableError("a function of sympy")

    def __int__(self) -> int:
        raise UnfollowableError("int()")

    def __float__(self) -> float:
        raise UnfollowableError("float()")

    def __floor__(self) -> int:
        if self._element.numer.is_ground and self._element.denom.is_ground:
            return int(sp.floor(self.expression))
        raise UnfollowableError("floor()")

    __trunc__ = __ceil__ = __round__ = __index__ = __int__

    def _other(self, other: Any) -> Any:
        if isinstance(other, Traced):
            return other._element
        if isinstance(other, (int, Fraction, sp.Rational)):
            exact = sp.Rational(other.numerator, other.denominator)
            return _FIELD(sp.QQ(int(exact.p), int(exact.q)))
        return None

    def _divided(self, dividend: Any, divisor: Any) -> Any:
        if self._trace.sign(divisor) == 0:
            raise ZeroDivisionError("division by zero")
        return dividend / divisor

    def _apply(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        element = self._other(other)
        return NotImplemented if element is None else Traced(operation(self._element, element), self._trace)

    def __add__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> Any:
        return self._apply(other, self._divided)

    def __rsub__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: b - a)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: self._divided(b, a))

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Traced):
            raise UnfollowableError("an exponent")
        if isinstance(exponent, float) or not isinstance(exponent, (int, Fraction, sp.Rational)):
            return NotImplemented
        if exponent < 0 and self.sign == 0:
            raise ZeroDivisionError("zero to a negative power")
        if exponent.denominator == 1:
            return Traced(self._element ** int(exponent), self._trace)
        return Traced(self._rooted(Fraction(int(exponent.numerator), int(exponent.denominator))), self._trace)

    def _rooted(self, exponent: Fraction) -> Any:
        if self._element == 0:
            return self._element
        numerator, denominator = self._element.numer.terms(), self._element.denom.terms()
        if len(numerator) > 1 or len(denominator) > 1:
            raise UnfollowableError(f"the power {exponent} of a sum")
        power = Fraction(int(numerator[0][0][0]) - int(denominator[0][0][0])) * exponent
        factor = sp.Rational(numerator[0][1], denominator[0][1]) ** as_rational(exponent)
        if not factor.is_Rational:
            raise UnfollowableError(f"the irrational factor {factor}")
        if power.denominator > 1:
            raise _NeedsRoot(power.denominator)
        return _FIELD.from_sympy(factor * T ** int(power))

    def __rpow__(self, base: Any) -> Any:
        raise UnfollowableError("an exponent")

    def __floordiv__(self, other: Any) -> Any:
        raise UnfollowableError("//")

    __rfloordiv__ = __mod__ = __rmod__ = __floordiv__

    def __neg__(self) -> Traced:
        return Traced(-self._element, self._trace)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return -self if self < 0 else self

    def _sign_against(self, other: Any) -> int | None:
        element = self._other(other)
        return None if element is None else self._trace.sign(self._element - element)

    def __bool__(self) -> bool:
        return self.sign != 0

    def __eq__(self, other: object) -> Any:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign == 0

    def __lt__(self, other: Any) -> Any:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign < 0

    def __le__(self, other: Any) -> Any:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign <= 0

    def __gt__(self, other: Any) -> Any:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign > 0

    def __ge__(self, other: Any) -> Any:
        sign = self._sign_against(other)
        return NotImplemented if sign is None else sign >= 0


def cover(program: Callable[[Traced], Any]) -> Cover:
    """Everything that a program does for t > 1: pieces, and the break points between them.

    Raises
    ------
    UnfollowableError
        If it does more with t than arithmetic, roots of powers of t, and comparisons.
    SolverError
        If there are more than 60 pieces.
    """
    root = 1
    while root <= _LARGEST_ROOT:
        try:
            found = _pieces(program, sp.S.One, sp.oo, root)
            spots = tuple(_spot(program, piece.lower, root) for piece in found[1:])
        except _NeedsRoot as exc:
            root *= exc.degree
            continue
        return Cover(root, tuple(found), spots)
    raise UnfollowableError(f"a root of degree above {_LARGEST_ROOT}")


def pieces(program: Callable[[Traced], Any], lower: sp.Expr = sp.S.One, upper: sp.Expr = sp.oo) -> list[Piece]:
    """Cover (lower, upper) but for finitely many break points by intervals on which the program is one formula.

    The program takes no roots of t; see `cover`.

    Raises
    ------
    UnfollowableError, SolverError
        As for `cover`.
    """
    try:
        return _pieces(program, sp.sympify(lower), sp.sympify(upper), 1)
    except _NeedsRoot as exc:
        raise UnfollowableError(f"a root of degree {exc.degree}") from None


def _pieces(program: Callable[[Traced], Any], lower: sp.Expr, upper: sp.Expr, root: int) -> list[Piece]:
    found: list[Piece] = []
    open_intervals = [(lower, upper)]
    while open_intervals:
        left, right = open_intervals.pop()
        piece = _around(program, left, right, root)
        found.append(piece)
        if len(found) > _MOST_PIECES:
            raise SolverError(f"more than {_MOST_PIECES} pieces")
        open_intervals += [(a, b) for a, b in ((left, piece.lower), (piece.upper, right)) if a != b]
    return sorted(found, key=lambda piece: exact_order(piece.lower))


def _around(program: Callable[[Traced], Any], left: sp.Expr, right: sp.Expr, root: int) -> Piece:
    """The piece within (left, right) around the simplest point that is no break point."""
    end = right
    for _ in range(20):
        point = as_rational(simplest_between(left, end))
        trace = _Trace(point)
        try:
            result = _run(program, trace, root)
        except _BreakPoint:
            end = point
            continue
        conditions = [c.as_expr() for c in trace.conditions]
        return Piece(*same_sign_interval(conditions, T, point, left, right), result, point)
    raise SolverError(f"only break points found between {left} and {right}")


def _spot(program: Callable[[Traced], Any], point: sp.Expr, root: int) -> Spot:
    trace = _Trace(point, on_break_point=True)
    return Spot(point, Traced(_FIELD.from_sympy(T), trace), _run(program, trace, root))


def _run(program: Callable[[Traced], Any], trace: _Trace, root: int) -> Any:
    try:
        return program(Traced(_FIELD.from_sympy(T**root), trace))
    except TypeError:
        raise  # what cannot be done with t
    except Exception as exc:  # the program is the user's own
        return Raised(exc)
