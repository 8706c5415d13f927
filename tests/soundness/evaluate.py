"""Value of a formula at a point: fractions while they last, then 400 digits; independent of the engine under test.

Partial functions are undefined outside their domain (`UndefinedError`), an empty sum is 0, an empty product 1, 0**0 = 1.
Numbers of 400 digits are equal when they agree to 250: a witness must differ by more, a true statement never does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

import mpmath
import sympy as sp

__all__ = ["UndefinedError", "evaluate", "holds"]

_mp = mpmath.MPContext()
_mp.dps = 400
_SAME = _mp.mpf(10) ** -250
_MOST_TERMS = 5000

Point = Mapping[sp.Symbol, Any]


class UndefinedError(ArithmeticError):
    """The formula has no value at this point."""


def holds(statement: Any, point: Point) -> bool:
    """Truth of a relation at a point.

    Raises
    ------
    UndefinedError
        If a part that decides the answer has no value.
    """
    return bool(evaluate(statement, point))


def evaluate(expr: Any, point: Point) -> Any:
    """Value at a point: Fraction, mpf or bool.

    Raises
    ------
    UndefinedError
        If a partial function leaves its domain, or no branch covers the point.
    NotImplementedError
        If the formula is outside the language.
    """
    expr = sp.sympify(expr)
    if expr in point:
        return evaluate(point[expr], {})
    if isinstance(expr, sp.Rational):
        return Fraction(int(expr.p), int(expr.q))
    if expr in (sp.true, sp.false):
        return expr is sp.true
    if isinstance(expr, sp.NumberSymbol | sp.CRootOf | sp.AlgebraicNumber):
        return _mp.mpf(sp.N(expr, _mp.dps)._mpf_)
    for kind, rule in _RULES.items():
        if isinstance(expr, kind):
            return rule(expr, lambda part: evaluate(part, point), point)
    raise NotImplementedError(f"{type(expr).__name__} in {expr}")


# ---- numbers


def _real(value: Any) -> Any:
    return _mp.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def _sign(first: Any, second: Any) -> int:
    """-1, 0 or 1 as first is below, equal to or above second."""
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return (first > second) - (first < second)
    a, b = _real(first), _real(second)
    return 0 if abs(a - b) <= _SAME * (1 + abs(a) + abs(b)) else (1 if a > b else -1)


def _combine(exact: Callable[[Any, Any], Any], values: list[Any], start: Fraction) -> Any:
    if all(isinstance(v, Fraction) for v in values):
        return reduce(exact, values, start)
    return reduce(exact, map(_real, values), _real(start))


def _whole(value: Any) -> int | None:
    """The integer that a value is, or None."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else None
    nearest = int(_mp.nint(value))
    return nearest if _sign(value, Fraction(nearest)) == 0 else None


def _integer(value: Any, what: str) -> int:
    whole = _whole(value)
    if whole is None:
        raise UndefinedError(f"{what} at {value}, which is no integer")
    return whole


def _floor(value: Any) -> Fraction:
    whole = _whole(value)
    return Fraction(whole if whole is not None else int(_mp.floor(_real(value))))


def _power(base: Any, exponent: Any) -> Any:
    whole = _whole(exponent)
    sign = _sign(base, Fraction(0))
    if whole is not None:
        if sign == 0 and whole < 0:
            raise UndefinedError("division by zero")
        return base**whole
    if sign < 0:
        raise UndefinedError(f"root of the negative number {base}")
    if sign == 0:
        if _sign(exponent, Fraction(0)) < 0:
            raise UndefinedError("division by zero")
        return Fraction(0)
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        roots = [_exact_root(part, exponent.denominator) for part in (base.numerator, base.denominator)]
        if None not in roots:
            return Fraction(*roots) ** exponent.numerator
    return _mp.power(_real(base), _real(exponent))


def _exact_root(number: int, degree: int) -> int | None:
    root, exact = sp.integer_nthroot(number, degree)
    return int(root) if exact else None


def _log(value: Any) -> Any:
    if _sign(value, Fraction(0)) <= 0:
        raise UndefinedError(f"log of {value}")
    return Fraction(0) if value == 1 else _mp.log(_real(value))


def _binomial(n: int, k: int) -> Fraction:
    if k < 0:
        return Fraction(0)
    if n >= 0:
        return Fraction(math.comb(n, k))
    return Fraction((-1) ** k * math.comb(k - n - 1, k))


def _factorial(n: int) -> Fraction:
    if n < 0:
        raise UndefinedError(f"factorial of {n}")
    return Fraction(math.factorial(n))


# ---- the rules, one for each kind of formula


def _over_range(expr: Any, point: Point, combine: Callable[[Any, Any], Any], start: Fraction) -> Any:
    """Sum or product, the outermost index last in sympy's list of limits."""

    def walk(limits: tuple[Any, ...], inner: Point) -> list[Any]:
        if not limits:
            return [evaluate(expr.function, inner)]
        index, low, high = limits[-1]
        first, last = (_integer(evaluate(end, inner), "a bound of a sum") for end in (low, high))
        if last - first > _MOST_TERMS:
            raise NotImplementedError(f"{last - first} terms in {expr}")
        return [v for i in range(first, last + 1) for v in walk(limits[:-1], {**inner, index: sp.Integer(i)})]

    return _combine(combine, walk(expr.limits, point), start)


def _piecewise(expr: Any, point: Point) -> Any:
    for value, condition in expr.args:
        if evaluate(condition, point):
            return evaluate(value, point)
    raise UndefinedError(f"no branch of {expr} covers {dict(point)}")


def _decided(parts: Iterable[Any], value: Callable[[Any], Any], deciding: bool) -> bool:
    """And (False decides) and Or (True decides); an undefined part matters if nothing else decides."""
    undefined = None
    for part in parts:
        try:
            if value(part) == deciding:
                return deciding
        except UndefinedError as exc:
            undefined = exc
    if undefined is not None:
        raise undefined
    return not deciding


def _modulo(a: Any, b: Any) -> Any:
    if _sign(b, Fraction(0)) == 0:
        raise UndefinedError("remainder by zero")
    quotient = _floor(a / b if isinstance(a, Fraction) and isinstance(b, Fraction) else _real(a) / _real(b))
    return (
        _combine(lambda x, y: x - y, [_times(quotient, b)], a)
        if isinstance(a, Fraction)
        else a - _real(_times(quotient, b))
    )


def _times(a: Any, b: Any) -> Any:
    return _combine(lambda x, y: x * y, [a, b], Fraction(1))


def _extreme(values: list[Any], wanted: int) -> Any:
    return reduce(lambda a, b: b if _sign(b, a) == wanted else a, values)


def _relation(*accepted: int) -> Callable[[Any, Callable[[Any], Any], Point], bool]:
    return lambda e, v, _: _sign(v(e.lhs), v(e.rhs)) in accepted


def _irrational(function: Callable[[Any], Any]) -> Callable[[Any, Callable[[Any], Any], Point], Any]:
    return lambda e, v, _: function(_real(v(e.args[0])))


_RULES: dict[type, Callable[[Any, Callable[[Any], Any], Point], Any]] = {
    sp.Add: lambda e, v, _: _combine(lambda a, b: a + b, [v(a) for a in e.args], Fraction(0)),
    sp.Mul: lambda e, v, _: _combine(lambda a, b: a * b, [v(a) for a in e.args], Fraction(1)),
    sp.exp: lambda e, v, _: Fraction(1) if v(e.args[0]) == 0 else _mp.exp(_real(v(e.args[0]))),
    sp.Pow: lambda e, v, _: _power(v(e.base), v(e.exp)),
    sp.log: lambda e, v, _: _log(v(e.args[0])),
    sp.sin: _irrational(_mp.sin),
    sp.cos: _irrational(_mp.cos),
    sp.sinh: _irrational(_mp.sinh),
    sp.cosh: _irrational(_mp.cosh),
    sp.tanh: _irrational(_mp.tanh),
    sp.Abs: lambda e, v, _: abs(v(e.args[0])),
    sp.Max: lambda e, v, _: _extreme([v(a) for a in e.args], 1),
    sp.Min: lambda e, v, _: _extreme([v(a) for a in e.args], -1),
    sp.floor: lambda e, v, _: _floor(v(e.args[0])),
    sp.ceiling: lambda e, v, _: -_floor(-v(e.args[0])),
    sp.Mod: lambda e, v, _: _modulo(*map(v, e.args)),
    sp.Piecewise: lambda e, _, point: _piecewise(e, point),
    sp.Sum: lambda e, _, point: _over_range(e, point, lambda a, b: a + b, Fraction(0)),
    sp.Product: lambda e, _, point: _over_range(e, point, lambda a, b: a * b, Fraction(1)),
    sp.binomial: lambda e, v, _: _binomial(*(_integer(v(a), "a binomial") for a in e.args)),
    sp.factorial: lambda e, v, _: _factorial(_integer(v(e.args[0]), "a factorial")),
    sp.Eq: _relation(0),
    sp.Ne: _relation(-1, 1),
    sp.Lt: _relation(-1),
    sp.Le: _relation(-1, 0),
    sp.Gt: _relation(1),
    sp.Ge: _relation(0, 1),
    sp.And: lambda e, v, _: _decided(e.args, v, False),
    sp.Or: lambda e, v, _: _decided(e.args, v, True),
    sp.Not: lambda e, v, _: not v(e.args[0]),
    sp.Implies: lambda e, v, _: _decided([sp.Not(e.args[0]), e.args[1]], v, True),
    sp.Equivalent: lambda e, v, _: all(a == b for a, b in pairwise([v(a) for a in e.args])),
    sp.Xor: lambda e, v, _: sum(map(bool, map(v, e.args))) % 2 == 1,
    sp.ITE: lambda e, v, _: v(e.args[1]) if v(e.args[0]) else v(e.args[2]),
}
