"""Numbers that stand for functions of t: arithmetic acts on the function, a comparison is answered at one point.

Whatever else a program asks of such a number ends the trace for good, also where the program catches the exception or
asks for an attribute only: `Trace.ended` remembers it. What no number answers (`__len__`) ends nothing. The operators
of sympy's and Python's own numbers may ask what they like: they leave what they do not know to the traced number. Not
seen are ``type(t)``, ``id(t)`` and ``t is x``, which ask nothing of t: see `lpmech.conjectures.source`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from numbers import Number
from typing import Any, NoReturn

import sympy as sp

from lpmech.prove.rational_functions import as_rational
from lpmech.prove.trace import NeedsRoot, T, Trace, UnfollowableError, runs

__all__ = ["METHODS", "OF_OBJECTS", "Traced", "constant", "parameter"]

_FIELD = sp.QQ.frac_field(T)

_COMPARISONS = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
_OPERATIONS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
#: Functions of sympy and `fractions` in which an operator asks its other operand what it is.
_OPERATORS = {
    *_COMPARISONS, *(f"__{side}{name}__" for name in _OPERATIONS for side in ("", "r")),
    "__sympifyit_wrapper", "_func", "binary_op_wrapper", "forward", "reverse", "_richcmp",
}  # fmt: skip
_ASKING = {"sympy", "fractions", "abc"}
#: All attributes of numbers, and whether they are methods.
_OF_NUMBERS = {
    n: callable(getattr(kind, n, None)) for kind in (int, Fraction, sp.Integer, sp.Rational) for n in dir(kind)
}
#: Of them what operators and functions of Python's ask for.
METHODS = [name for name, is_method in _OF_NUMBERS.items() if is_method and name.startswith("__")]


def _asked_by_an_operator() -> bool:
    """Whether the attribute of a traced number that is looked up is asked for by an operator of other numbers."""
    frame, name = sys._getframe(2), ""
    while frame.f_globals.get("__name__", "").partition(".")[0] in _ASKING and frame.f_back is not None:
        frame, name = frame.f_back, frame.f_code.co_name
    return name in _OPERATORS


class Traced:
    """A rational function of s, compared as at one point; supports + - * / ** and comparisons.

    Exponents are exact: whole, or rational where the base is a power of t.
    """

    __slots__ = ("_element", "_trace")

    def __init__(self, element: Any, trace: Trace) -> None:
        self._element = element
        self._trace = trace

    @property
    def element(self) -> Any:
        """The function as an element of the field of rational functions."""
        return self._result()._element

    @property
    def expression(self) -> sp.Expr:
        """The function as a sympy expression in the symbol t, which stands for s."""
        return self._result()._element.as_expr()

    @property
    def point(self) -> sp.Expr:
        """Where it stands."""
        return self._result()._trace.point

    def like(self, expression: sp.Expr) -> Traced:
        """Another function at the same point."""
        return Traced(_FIELD.from_sympy(expression), self._result()._trace)

    def at(self, value: sp.Rational) -> sp.Rational:
        """The function at another value of s."""
        numerator, denominator = (part.evaluate(0, value) for part in (self.element.numer, self.element.denom))
        return sp.Rational(numerator, denominator)

    def _result(self) -> Traced:
        """This number, whose function only those who run a program may see."""
        if runs():
            self._trace.lose("what traced numbers alone have")
        return self

    def kept(self) -> Traced:
        """This number as a part of the result of the program that runs; raises as `Trace.used` does."""
        self._trace.used()
        return self

    @property  # type: ignore[misc]
    def __class__(self) -> type[Traced]:
        if runs() and not _asked_by_an_operator():
            self._trace.lose("the type")
        return Traced

    def __getattr__(self, name: str) -> Any:
        if name in _OF_NUMBERS and not _asked_by_an_operator():
            self._trace.ended = self._trace.ended or UnfollowableError(f"the attribute {name}")
        raise AttributeError(f"{name} of the number t")

    def _sympy_(self) -> Any:
        if _asked_by_an_operator():
            raise UnfollowableError("a function of sympy")
        self._trace.lose("a function of sympy")

    def __repr__(self) -> str:
        if runs():
            self._trace.lose("the text")
        return str(self.expression)

    def __format__(self, _: str) -> str:
        return repr(self)

    def __floor__(self) -> int:
        if not (self._element.numer.is_ground and self._element.denom.is_ground):
            self._trace.lose("floor()")
        return int(sp.floor(self._element.as_expr()))

    def _other(self, other: Any) -> Any:
        self._trace.used()
        if isinstance(other, Traced):
            other._trace.used()
            return other._element
        if isinstance(other, (int, Fraction, sp.Rational)):
            exact = sp.Rational(other.numerator, other.denominator)
            return _FIELD(sp.QQ(int(exact.p), int(exact.q)))
        if isinstance(other, (Number, sp.Basic)):
            self._trace.lose(f"an operation with {type(other).__name__} {other}")
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
            self._trace.lose("an exponent")
        if self._other(exponent) is None:
            return NotImplemented
        if exponent < 0 and not self:
            raise ZeroDivisionError("zero to a negative power")
        if exponent.denominator == 1:
            return Traced(self._element ** int(exponent), self._trace)
        return Traced(self._rooted(Fraction(int(exponent.numerator), int(exponent.denominator))), self._trace)

    def _rooted(self, exponent: Fraction) -> Any:
        if self._element == 0:
            return self._element
        numerator, denominator = self._element.numer.terms(), self._element.denom.terms()
        if len(numerator) > 1 or len(denominator) > 1:
            self._trace.lose(f"the power {exponent} of a sum")
        power = Fraction(int(numerator[0][0][0]) - int(denominator[0][0][0])) * exponent
        factor = sp.Rational(numerator[0][1], denominator[0][1]) ** as_rational(exponent)
        if not factor.is_Rational:
            self._trace.lose(f"the irrational factor {factor}")
        if power.denominator > 1:
            self._trace.end(NeedsRoot(power.denominator))
        return _FIELD.from_sympy(factor * T ** int(power))

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


def _unanswered(name: str) -> Callable[..., NoReturn]:
    def method(self: Traced, *_: Any) -> NoReturn:
        self._trace.lose(f"{name}()")

    return method


#: What a program may ask of an object of any kind, and get an answer that depends on the number.
OF_OBJECTS = {"__hash__", "__reduce__", "__reduce_ex__", "__getstate__", "__dir__", "__sizeof__"}
_OWN = set(dir(Traced))
for _name in (*OF_OBJECTS, *METHODS):
    if _name in OF_OBJECTS or _name not in _OWN:
        setattr(Traced, _name, _unanswered(_name))


def constant(number: sp.Expr) -> Any:
    """A number as an element of the field of rational functions."""
    return _FIELD.from_sympy(number)


def parameter(trace: Trace, root: int = 1) -> Traced:
    """s^root at the point of a trace."""
    return Traced(_FIELD.from_sympy(T**root), trace)
