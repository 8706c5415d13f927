"""Formulas evaluated on numbers: sympy's exact numbers, or numbers that record how a program branches on t."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from numbers import Rational
from typing import Any

import sympy as sp

from lpmech.errors import FormulaError, UndecidedError
from lpmech.prove.evaluate import UndefinedError, shown, sign_of
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.trace import T
from lpmech.prove.traced import Traced
from lpmech.terms import Apply, Choice, Name, Node, Number, Repeated

__all__ = ["above", "fraction_of", "holds", "numeric", "sign", "written"]

_HALF = Fraction(1, 2)
#: Bits of a power with a whole exponent; a larger one would not end.
_LARGEST_POWER = 10**6
#: Beyond these no limit on time interrupts the library that computes them.
_LARGEST_FACTORIAL, _LARGEST_BINOMIAL = 5000, 10**5


def sign(number: Any) -> int:
    """The sign of a number of either kind, decided exactly.

    Raises
    ------
    UndefinedError
        If it is no real number.
    UndecidedError
        If it is an expression whose sign cannot be decided.
    """
    if isinstance(number, Traced):
        return (number > 0) - (number < 0)
    exact = sp.sympify(number)
    if exact.is_Rational:
        return (exact.p > 0) - (exact.p < 0)
    if exact.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise UndefinedError(f"{exact} is no real number")
    return sign_of(exact, {})


def numeric(node: Node, at: Mapping[str, Any]) -> Any:
    """The value of a formula.

    Raises
    ------
    UndefinedError, ZeroDivisionError
        If it is not defined there.
    UndecidedError
        If a sign on which it depends is not decided.
    """
    match node:
        case Number(number):
            return as_rational(number)
        case Name(name):
            return at[name]
        case Apply("and" | "or" as connective, parts):
            return _joined(parts, at, absorbing=connective == "or")
        case Apply("not", (part,)):
            return not numeric(part, at)
        case Apply("implies", (first, second)):
            return _joined((Apply("not", (first,)), second), at, absorbing=True)
        case Apply(relation, (left, right)) if relation in _RELATIONS:
            return _RELATIONS[relation](sign(numeric(left, at) - numeric(right, at)), 0)
        case Apply(operation, arguments):
            return _VALUES[operation](*(numeric(a, at) for a in arguments))
        case Choice(cases):
            for value, condition in cases:
                if numeric(condition, at):
                    return numeric(value, at)
            raise UndefinedError("no case of a Piecewise applies")
        case Repeated(operation, body, index, first, last):
            ends = [_whole(numeric(end, at)) for end in (first, last)]
            terms = (numeric(body, {**at, index: sp.Integer(i)}) for i in range(ends[0], ends[1] + 1))
            if operation == "Sum":
                return reduce(lambda a, b: a + b, terms, sp.S.Zero)
            return reduce(lambda a, b: a * b, terms, sp.S.One)
    raise FormulaError("conjecture", node, "a formula of the language")


def holds(node: Node, at: Mapping[str, Any]) -> bool:
    """Whether a condition is true; where it is not defined, or not decided, it is not. Numbers may be Fractions."""
    exact = {name: as_rational(value) if type(value) is Fraction else value for name, value in at.items()}
    try:
        return bool(numeric(node, exact))
    except (UndefinedError, ZeroDivisionError, UndecidedError):
        return False


def fraction_of(value: Any) -> Fraction:
    """A rational number of sympy's or FLINT's as a Fraction."""
    return value if isinstance(value, Fraction) else Fraction(int(value.p), int(value.q))


def above(a: Any, b: Any) -> bool:
    """Whether one number is larger than another one, decided exactly."""
    return sign(a - b) > 0


def written(number: Any) -> str:
    """A number for people; a traced one at its point."""
    if isinstance(number, Traced):
        return shown(number.expression, {T: number.point})
    exact = sp.sympify(number)
    return str(exact) if exact.is_Rational else f"{exact} = {shown(exact, {})}"


def _joined(parts: Sequence[Node], at: Mapping[str, Any], absorbing: bool) -> bool:
    """A conjunction or disjunction by Kleene: one absorbing part decides, whatever the others are."""
    missing: ArithmeticError | None = None
    for part in parts:
        try:
            if bool(numeric(part, at)) is absorbing:
                return absorbing
        except (UndefinedError, ZeroDivisionError) as exc:
            missing = exc
    if missing is not None:
        raise missing
    return not absorbing


def _divided(a: Any, b: Any) -> Any:
    if sign(b) == 0:
        raise ZeroDivisionError("division by zero")
    return a / b


def _bits(number: Rational) -> int:
    return max(abs(int(number.numerator)), int(number.denominator)).bit_length()


def _power(base: Any, exponent: Any) -> Any:
    if isinstance(exponent, Traced):
        return base**exponent
    direction = sign(base)
    whole = sp.sympify(exponent).is_Integer
    if direction < 0 and not whole:
        raise UndefinedError(f"a negative number to the power {exponent}")
    if direction == 0 and sign(exponent) < 0:
        raise ZeroDivisionError("zero to a negative power")
    if whole and isinstance(base, Rational) and abs(exponent) * _bits(base) > _LARGEST_POWER:
        raise UndecidedError(f"a power of more than {_LARGEST_POWER} bits")
    return base**exponent


def _root(a: Any) -> Any:
    if sign(a) < 0:
        raise UndefinedError("square root of a negative number")
    return a**_HALF if isinstance(a, Traced) else sp.sqrt(a)


def _log(a: Any) -> Any:
    if sign(a) <= 0:
        raise UndefinedError("logarithm of a number <= 0")
    return sp.log(a)


def _extreme(direction: int) -> Callable[..., Any]:
    return lambda *values: reduce(lambda a, b: a if direction * sign(a - b) >= 0 else b, values)


def _floor(a: Any) -> Any:
    return sp.Integer(math.floor(a)) if isinstance(a, (Traced, sp.Rational)) else sp.floor(a)


def _modulo(a: Any, b: Any) -> Any:
    return a - b * _floor(_divided(a, b))


def _whole(value: Any) -> int:
    if isinstance(value, Traced) or not sp.sympify(value).is_Integer:
        raise UndefinedError(f"{value} is no whole number")
    return int(value)


def _factorial(value: Any) -> Any:
    n = _whole(value)
    if n < 0:
        raise UndefinedError(f"factorial({n})")
    if n > _LARGEST_FACTORIAL:
        raise UndecidedError(f"factorial({n})")
    return sp.factorial(n)


def _binomial(above: Any, below: Any) -> Any:
    n, k = _whole(above), _whole(below)
    if n < 0 and k < 0:
        raise UndefinedError(f"binomial({n}, {k})")
    if max(abs(n), k) > _LARGEST_BINOMIAL:
        raise UndecidedError(f"binomial({n}, {k})")
    return sp.binomial(n, k)


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_VALUES: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divided, "**": _power,
    "sqrt": _root, "exp": sp.exp, "log": _log, "Abs": lambda a: -a if sign(a) < 0 else a, "Min": _extreme(-1),
    "Max": _extreme(1), "floor": _floor, "ceiling": lambda a: -_floor(-a), "Mod": _modulo, "binomial": _binomial,
    "factorial": _factorial, "true": lambda: True, "false": lambda: False, "iff": operator.eq,
    "sign": lambda a: sp.Integer(sign(a)), "pi": lambda: sp.pi,
    "whole": lambda a: not isinstance(a, Traced) and bool(sp.sympify(a).is_Integer),
    "coth": lambda a: _divided(sp.cosh(a), sp.sinh(a)), "sin": sp.sin, "cos": sp.cos, "tan": sp.tan, "sinh": sp.sinh,
    "cosh": sp.cosh, "tanh": sp.tanh, "erfc": sp.erfc,
}  # fmt: skip
