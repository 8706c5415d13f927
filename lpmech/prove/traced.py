"""Numbers that stand for functions of t: arithmetic acts on the function, a comparison is answered at one point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from lpmech.prove.evaluate import sign_of
from lpmech.prove.rational_functions import as_rational

__all__ = ["BreakPoint", "NeedsRoot", "T", "Trace", "Traced", "UnfollowableError", "constant", "parameter"]

#: The symbol of traced functions: t itself where no roots are taken, else s with t = s^k.
T = sp.Symbol("t")

_FIELD = sp.QQ.frac_field(T)


class UnfollowableError(sp.SympifyError, TypeError):
    """A program does something with t that is no arithmetic, root of a power of t, or comparison."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"{self.what} of the number t"


class BreakPoint(BaseException):
    """Two sides of a comparison meet at the very point at which a program is traced."""


class NeedsRoot(BaseException):
    """A root of t is taken that is no power of s."""

    def __init__(self, degree: int) -> None:
        super().__init__(degree)
        self.degree = degree


@dataclass
class Trace:
    """Where numbers stand, and the functions whose signs were asked for."""

    point: sp.Expr
    on_break_point: bool = False
    conditions: dict[Any, None] = field(default_factory=dict)

    @cached_property
    def _minimal(self) -> sp.Poly | None:
        """The minimal polynomial of an irrational point; signs are then decided there, too."""
        return None if self.point.is_Rational else sp.Poly(sp.minimal_polynomial(self.point, T), T)

    def sign(self, element: Any) -> int:
        """The sign of a function at the point.

        Raises
        ------
        BreakPoint
            If it is zero or a pole there, and the point is not meant to be a break point.
        """
        if element == 0:
            return 0
        if not (element.numer.is_ground and element.denom.is_ground):
            self.conditions[element] = None
        sign = self._sign_of(element.numer) * self._sign_of(element.denom)
        if sign == 0 and not self.on_break_point:
            raise BreakPoint
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

    def __init__(self, element: Any, trace: Trace) -> None:
        self._element = element
        self._trace = trace

    __hash__ = None  # type: ignore[assignment]

    @property
    def element(self) -> Any:
        """The function as an element of the field of rational functions."""
        return self._element

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

    def __str__(self) -> str:
        raise UnfollowableError("the text")

    def __format__(self, _: str) -> str:
        raise UnfollowableError("the text")

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
            raise NeedsRoot(power.denominator)
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


def constant(number: sp.Expr) -> Any:
    """A number as an element of the field of rational functions."""
    return _FIELD.from_sympy(number)


def parameter(trace: Trace, root: int = 1) -> Traced:
    """s^root at the point of a trace."""
    return Traced(_FIELD.from_sympy(T**root), trace)
