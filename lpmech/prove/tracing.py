"""Programs that branch on a parameter t, followed as rational functions: which formula holds where.

A `Traced` number carries a rational function of t and stands at one rational point. Arithmetic acts on the function; a
comparison is answered by its sign at the point and remembered. Afterwards the remembered signs, by exact root
isolation, give the interval around the point on which the program takes the same branches, so that its result is the
traced function there. Intervals are collected until they cover everything but the break points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import LpmechError, SolverError
from lpmech.prove.rational_functions import as_rational, exact_order, same_sign_interval, simplest_between

__all__ = ["Traced", "Piece", "BreakPointError", "pieces"]

#: The parameter.
T = sp.Symbol("t")

_FIELD = sp.QQ.frac_field(T)
_MOST_PIECES = 60


class BreakPointError(LpmechError):
    """Two sides of a comparison meet at the very point at which a program is traced."""


@dataclass(frozen=True)
class Piece:
    """An open interval of t and the result of the program as a function of t on it.

    Attributes
    ----------
    lower, upper : sympy expression
        End points, exact algebraic numbers or oo.
    result : object
        What the program returned there.
    """

    lower: sp.Expr
    upper: sp.Expr
    result: Any


@dataclass
class _Trace:
    point: sp.Rational
    conditions: list[Any] = field(default_factory=list)

    def sign(self, element: Any) -> int:
        if element == 0:
            return 0
        value = element.numer.evaluate(0, self.point) * element.denom.evaluate(0, self.point)
        if value == 0:
            raise BreakPointError(f"a comparison is decided at t = {self.point} itself")
        self.conditions.append(element)
        return 1 if value > 0 else -1


class Traced:
    """A rational function of t, compared as at one point; supports + - * / ** with whole exponents, and comparisons."""

    __slots__ = ("_element", "_trace")

    def __init__(self, element: Any, trace: _Trace) -> None:
        self._element = element
        self._trace = trace

    __hash__ = None  # type: ignore[assignment]

    @property
    def expression(self) -> sp.Expr:
        """The function as a sympy expression in t."""
        return self._element.as_expr()

    def _other(self, other: Any) -> Any:
        if isinstance(other, Traced):
            return other._element
        if isinstance(other, (int, Fraction, sp.Rational)):
            exact = sp.Rational(other.numerator, other.denominator)
            return _FIELD(sp.QQ(int(exact.p), int(exact.q)))
        return None

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
        return self._apply(other, lambda a, b: a / b)

    def __rsub__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: b - a)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply(other, lambda a, b: b / a)

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, (int, sp.Integer)):
            return NotImplemented
        return Traced(self._element ** int(exponent), self._trace)

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
        return self._trace.sign(self._element) != 0

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


def pieces(program: Callable[[Traced], Any], lower: sp.Expr = sp.S.One, upper: sp.Expr = sp.oo) -> list[Piece]:
    """Cover (lower, upper) but for finitely many break points by intervals on which the program is one formula.

    Raises
    ------
    SolverError
        If there are more than 60 pieces.
    """
    found: list[Piece] = []
    open_intervals = [(sp.sympify(lower), sp.sympify(upper))]
    while open_intervals:
        left, right = open_intervals.pop()
        start, end, result = _around(program, left, right)
        found.append(Piece(start, end, result))
        if len(found) > _MOST_PIECES:
            raise SolverError(f"more than {_MOST_PIECES} pieces")
        open_intervals += [(a, b) for a, b in ((left, start), (end, right)) if a != b]
    return sorted(found, key=lambda piece: exact_order(piece.lower))


def _around(program: Callable[[Traced], Any], left: sp.Expr, right: sp.Expr) -> tuple[sp.Expr, sp.Expr, Any]:
    """The piece within (left, right) around the simplest point that is no break point."""
    end = right
    for _ in range(20):
        point = as_rational(simplest_between(left, end))
        trace = _Trace(point)
        try:
            result = program(Traced(_FIELD.from_sympy(T), trace))
        except BreakPointError:
            end = point
            continue
        return (*same_sign_interval([c.as_expr() for c in trace.conditions], T, point, left, right), result)
    raise SolverError(f"only break points found between {left} and {right}")
