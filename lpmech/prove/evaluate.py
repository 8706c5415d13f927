"""The value of a formula at a point: over the rationals, else in rigorous balls (Arb) or by minimal polynomials.

This is the first of two evaluators of every counterexample; it walks the expression itself and uses nothing of sympy's
own evaluation. The second is `replay`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue
from sympy.polys.polyerrors import BasePolynomialError

from lpmech.errors import FormulaError, UndecidedError
from lpmech.prove.substitution import put_in

__all__ = ["UndefinedError", "holds_at", "is_true", "replay", "shown", "sign_of", "value_of"]

Point = Mapping[sp.Symbol, sp.Expr]
Value = Any  # Fraction or arb

#: Bits of the balls that are tried in turn.
_PRECISIONS = (96, 320, 1500)
_MOST_TERMS = 100_000
#: Digits of the second evaluator: more than the bits of the first can tell.
_MOST_DIGITS = 2000


class UndefinedError(ArithmeticError):
    """A formula is not defined at a point; the message says which part."""


class _BlurredError(ArithmeticError):
    """Balls overlap at this precision."""


def value_of(expression: sp.Expr, point: Point, precision: int = _PRECISIONS[0]) -> Value:
    """The value at a point: a Fraction where all of it is rational, else a ball of Arb that contains it.

    Raises
    ------
    UndefinedError
        If the expression is not defined there.
    UndecidedError
        If a case distinction in it cannot be decided.
    """
    for bits in (b for b in _PRECISIONS if b >= precision):
        before, ctx.prec = ctx.prec, bits
        try:
            return _value(expression, dict(point))
        except _BlurredError:
            continue
        finally:
            ctx.prec = before
    raise UndecidedError(f"{expression} is not decided at {dict(point)}")


def sign_of(expression: sp.Expr, point: Point) -> int:
    """The sign of an expression at a point, decided.

    Raises
    ------
    UndefinedError, UndecidedError
        As for `value_of`.
    """
    for bits in _PRECISIONS:
        value = value_of(expression, point, bits)
        if isinstance(value, Fraction):
            return (value > 0) - (value < 0)
        if value > 0 or value < 0:
            return 1 if value > 0 else -1
    if _vanishes(expression, point):
        return 0
    raise UndecidedError(f"the sign of {expression} is not decided at {dict(point)}")


def holds_at(formula: Boolean, point: Point) -> bool | None:
    """Whether a formula is true at a point; None where it is not defined (see `lpmech.prove.language`).

    Raises
    ------
    UndecidedError
        If a sign cannot be decided.
    """
    match formula:
        case BooleanTrue() | BooleanFalse():
            return bool(formula)
        case sp.And() | sp.Or():
            absorbing = isinstance(formula, sp.Or)
            parts = [holds_at(part, point) for part in formula.args]
            if absorbing in parts:
                return absorbing
            return None if None in parts else not absorbing
        case sp.Not():
            part = holds_at(formula.args[0], point)
            return None if part is None else not part
        case sp.Implies():
            # no disjunction is built: sympy takes one of A and not A for true, whether A is defined or not
            given, then = (holds_at(part, point) for part in formula.args)
            if given is False or then is True:
                return True
            return None if None in (given, then) else False
        case sp.Equivalent():
            first, second = (holds_at(part, point) for part in formula.args)
            return None if first is None or second is None else first == second
        case Relational():
            try:
                sign = sign_of(_difference(formula), point)
            except UndefinedError:
                return None
            return _RELATIONS[type(formula)](sign)
    raise FormulaError("formula", formula, "a relation or a Boolean combination of relations")


def _difference(relation: Relational) -> sp.Expr:
    return sp.Add(relation.lhs, sp.Mul(-1, relation.rhs, evaluate=False), evaluate=False)


_RELATIONS: dict[type, Callable[[int], bool]] = {
    sp.Eq: lambda s: s == 0, sp.Ne: lambda s: s != 0, sp.Lt: lambda s: s < 0, sp.Le: lambda s: s <= 0,
    sp.Gt: lambda s: s > 0, sp.Ge: lambda s: s >= 0,
}  # fmt: skip


def _value(node: sp.Basic, at: dict[sp.Symbol, Any]) -> Value:
    match node:
        case sp.Symbol():
            if node not in at:
                raise UndecidedError(f"{node} has no value")
            given = at[node]
            return given if isinstance(given, (Fraction, arb)) else _number(given)
        case sp.Rational():
            return Fraction(int(node.p), int(node.q))
        case sp.Add():
            return reduce(_add, (_value(a, at) for a in node.args))
        case sp.Mul():
            return reduce(_multiply, (_value(a, at) for a in node.args))
        case sp.Pow():
            return _power(_base_value(node.base, at), _value(node.exp, at), node)
        case sp.Sum() | sp.Product():
            return _repeated(node, at)
        case sp.Piecewise():
            for value, condition in node.args:
                holds = holds_at(condition, at)
                if holds is None:
                    raise UndefinedError(f"condition {condition}")
                if holds:
                    return _value(value, at)
            raise UndefinedError("no branch of a case distinction applies")
        case sp.exp() | sp.log() | sp.sin() | sp.cos() | sp.tan() | sp.sinh() | sp.cosh() | sp.tanh() | sp.coth():
            has_pole = isinstance(node, (sp.log, sp.coth))
            return _transcendental(node, (_base_value if has_pole else _value)(node.args[0], at))
        case sp.Function() | sp.Max() | sp.Min():
            return _exact_function(node, [_value(a, at) for a in node.args])
    if node in (sp.zoo, sp.nan, sp.I):
        raise UndefinedError("the logarithm or root of a negative number" if node == sp.I else "a division by zero")
    if node in _CONSTANTS:
        return _CONSTANTS[node]()
    return _number(node)


_CONSTANTS: dict[sp.Basic, Callable[[], arb]] = {
    sp.pi: arb.pi,
    sp.E: lambda: arb(1).exp(),
    sp.GoldenRatio: lambda: (1 + arb(5).sqrt()) / 2,
}


def _number(value: Any) -> Value:
    """A rational or real algebraic number given as a coordinate, or an exponential or logarithm of such."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    exact = sp.sympify(value)
    if isinstance(exact, sp.Rational):
        return Fraction(int(exact.p), int(exact.q))
    if isinstance(exact, sp.polys.rootoftools.ComplexRootOf):
        error = sp.Rational(1, 2 ** (ctx.prec + 8))
        middle = exact.eval_rational(dx=error)
        return arb(_fmpq(middle), arb(_fmpq(error)).upper())
    made = isinstance(exact, (sp.Add, sp.Mul, sp.Pow, sp.exp, sp.log)) or exact in _CONSTANTS
    if made and not exact.free_symbols:
        return _value(exact, {})
    raise FormulaError("number", value, "a rational or real algebraic number")


def _fmpq(value: Any) -> fmpq:
    numerator, denominator = (value.p, value.q) if isinstance(value, sp.Rational) else value.as_integer_ratio()
    return fmpq(int(numerator), int(denominator))


def _ball(value: Value) -> arb:
    return arb(_fmpq(value)) if isinstance(value, Fraction) else value


def _add(first: Value, second: Value) -> Value:
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first + second
    return _ball(first) + _ball(second)


def _multiply(first: Value, second: Value) -> Value:
    if isinstance(first, Fraction) and isinstance(second, Fraction):
        return first * second
    if first == 0 or second == 0:
        return Fraction(0)
    return _ball(first) * _ball(second)


def _base_value(base: sp.Expr, at: dict[sp.Symbol, Any]) -> Value:
    """The value of what has to be told from zero, which is exactly zero where its minimal polynomial says so."""
    value = _value(base, at)
    if isinstance(value, arb) and value.contains(0):
        if ctx.prec < _PRECISIONS[-1]:
            raise _BlurredError
        if _vanishes(base, at):
            return Fraction(0)
    return value


def _power(base: Value, exponent: Value, node: sp.Pow) -> Value:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return _whole_power(base, int(exponent), node)
    if isinstance(base, Fraction):
        if base < 0 or (base == 0 and not exponent > 0):
            _not_whole(exponent)
            raise UndefinedError(f"{node.base} = {base} to the power {node.exp}")
        if base in (0, 1):
            return base
        if isinstance(exponent, Fraction):
            root = _exact_root(base, exponent.denominator)
            if root is not None:
                return root**exponent.numerator
    elif base < 0:
        _not_whole(exponent)
        raise UndefinedError(f"{node.base} < 0 to the power {node.exp}")
    elif not base > 0:
        raise _BlurredError
    if isinstance(exponent, Fraction) and exponent.denominator == 2:
        return _whole_power(_ball(base).sqrt(), exponent.numerator, node)
    return (_ball(exponent) * _ball(base).log()).exp()


def _whole_power(base: Value, exponent: int, node: sp.Pow) -> Value:
    if abs(exponent) > _MOST_TERMS:
        raise UndecidedError(f"{node}: an exponent above {_MOST_TERMS}")
    if exponent < 0:
        if isinstance(base, Fraction):
            if base == 0:
                raise UndefinedError(f"{node.base} = 0 in a denominator")
        elif base.contains(0):
            raise UndecidedError(f"{node.base} may be zero in a denominator")
    return base**exponent


def _exact_root(base: Fraction, degree: int) -> Fraction | None:
    parts = [sp.integer_nthroot(part, degree) for part in (base.numerator, base.denominator)]
    return Fraction(int(parts[0][0]), int(parts[1][0])) if all(exact for _, exact in parts) else None


def _repeated(node: Any, at: dict[sp.Symbol, Any]) -> Value:
    (index, lower, upper), *outer = reversed(node.limits)
    ends = [_value(end, at) for end in (lower, upper)]
    if not all(isinstance(end, Fraction) and end.denominator == 1 for end in ends):
        for end in ends:
            _not_whole(end)
        raise UndefinedError(f"limits {lower}, {upper} that are not whole numbers")
    first, last = (int(end) for end in ends)
    most = round(_MOST_TERMS ** (1 / _nested(node)))
    if last - first > most:
        raise UndecidedError(f"more than {most} terms in {node}")
    body = node.func(node.function, *reversed(outer)) if outer else node.function
    empty, combine = (Fraction(0), _add) if isinstance(node, sp.Sum) else (Fraction(1), _multiply)
    return reduce(combine, (_value(body, {**at, index: Fraction(i)}) for i in range(first, last + 1)), empty)


def _nested(node: sp.Basic) -> int:
    """How many sums or products stand in one another."""
    own = len(node.limits) if isinstance(node, (sp.Sum, sp.Product)) else 0
    return own + max(map(_nested, node.args), default=0)


def _transcendental(node: sp.Function, argument: Value) -> Value:
    if argument == 0 and not isinstance(node, (sp.log, sp.coth)):
        return Fraction(1 if isinstance(node, (sp.exp, sp.cos, sp.cosh)) else 0)
    if isinstance(node, sp.log):
        if argument == 1:
            return Fraction(0)
        if argument <= 0:
            raise UndefinedError(f"logarithm of {node.args[0]} <= 0")
    if isinstance(node, sp.coth) and argument == 0:
        raise UndefinedError("coth(0)")
    result = getattr(_ball(argument), type(node).__name__)()
    if not result.is_finite():
        raise _BlurredError
    return result


def _exact_function(node: sp.Expr, arguments: list[Value]) -> Value:
    match node:
        case sp.Abs():
            return abs(arguments[0])
        case sp.sign():
            return Fraction(_decided_sign(arguments[0]))
        case sp.Max() | sp.Min():
            choose = max if isinstance(node, sp.Max) else min
            if all(isinstance(a, Fraction) for a in arguments):
                return choose(arguments)
            pick = (lambda a, b: a.max(b)) if choose is max else (lambda a, b: a.min(b))
            return reduce(pick, map(_ball, arguments))
        case sp.floor():
            return _floor(arguments[0])
        case sp.ceiling():
            return -_floor(-arguments[0])
        case sp.Mod():
            dividend, divisor = arguments
            if divisor == 0:
                raise UndefinedError(f"modulo {node.args[1]} = 0")
            return _add(dividend, -_multiply(divisor, _floor(_multiply(dividend, 1 / divisor))))
        case sp.factorial():
            n = _whole_number(arguments[0], node)
            if not 0 <= n <= 5000:
                raise UndefinedError(f"{node} at {n}") if n < 0 else UndecidedError(f"{node} at {n}")
            return Fraction(math.factorial(n))
        case sp.binomial():
            n, k = (_whole_number(a, node) for a in arguments)
            return _binomial(n, k)
    raise FormulaError("formula", node, "a function of the language")


def _binomial(n: int, k: int) -> Fraction:
    """n (n - 1) ... (n - k + 1) / k! for k >= 0, zero for k < 0 <= n; not defined where both are negative."""
    if n < 0 and k < 0:
        raise UndefinedError(f"binomial({n}, {k})")
    if abs(n) > 10**5 or k > 10**5:
        raise UndecidedError(f"binomial({n}, {k})")
    if k < 0:
        return Fraction(0)
    return Fraction(math.comb(n, k) if n >= 0 else (-1) ** k * math.comb(k - n - 1, k))


def _decided_sign(value: Value) -> int:
    if value == 0 or value > 0:
        return int(value != 0)
    if value < 0:
        return -1
    raise _BlurredError


def _floor(value: Value) -> Fraction:
    if isinstance(value, Fraction):
        return Fraction(math.floor(value))
    whole = value.floor()
    if not whole.is_exact():
        raise _BlurredError
    return Fraction(int(whole.unique_fmpz()))


def _not_whole(value: Value) -> None:
    """Of a ball with a whole number in it nothing is known."""
    if isinstance(value, arb) and value.contains_integer():
        raise _BlurredError


def _whole_number(value: Value, node: sp.Expr) -> int:
    if not isinstance(value, Fraction) or value.denominator != 1:
        _not_whole(value)
        raise UndefinedError(f"{node} at {value}, which is no whole number")
    return int(value)


#: Denominators of numbers that a product of roots is compared with.
_SIMPLE = 10_000


def _vanishes(expression: sp.Expr, point: Point) -> bool:
    """Whether a number is zero: an algebraic one by its minimal polynomial, another as written; False says nothing."""
    try:
        number = put_in(sp.sympify(expression), dict(point))
    except (ValueError, TypeError):  # sympy cannot order the arguments of Max, or the value of one is no number
        return False
    if not isinstance(number, sp.Expr) or number.has(sp.Function, sp.E, sp.pi) or number.free_symbols:
        return number == 0 or (not number.has(sp.Sum, sp.Product) and number.doit() == 0)
    x = sp.Dummy()
    try:
        return bool(sp.minimal_polynomial(number, x) == x)
    except (BasePolynomialError, NotImplementedError, ValueError, TypeError):
        return False


def shown(expression: sp.Expr, point: Point) -> str:
    """The value at a point, for people: exact where it is rational, a product of roots as well, else twelve digits."""
    try:
        value = value_of(expression, point)
    except UndefinedError as exc:
        return f"not defined ({exc})"
    if isinstance(value, arb):
        middle = float(value.mid())
        near = Fraction(middle).limit_denominator(_SIMPLE) if math.isfinite(middle) else Fraction(0)
        if not value.contains(_fmpq(near)) or not _vanishes(
            sp.sympify(expression) - sp.Rational(*near.as_integer_ratio()), point
        ):
            return str(value.str(12, radius=False))
        value = near
    return str(value)


# ---- the second evaluator


def replay(formula: Boolean, point: Point) -> bool | None:
    """Whether a formula is true at a point, evaluated by sympy from the inside out; None where it does not tell."""
    if isinstance(formula, (sp.And, sp.Or)):
        absorbing = isinstance(formula, sp.Or)
        parts = [replay(part, point) for part in formula.args]
        return absorbing if absorbing in parts else None if None in parts else not absorbing
    try:
        value = _by_sympy(formula, dict(point))
    except (TypeError, ValueError, ArithmeticError, RecursionError):
        return None
    return bool(value) if value in (sp.true, sp.false) else None


def _by_sympy(node: Any, at: dict[sp.Symbol, Any]) -> Any:
    """Sums and products term by term: sympy takes a sum from 1 to -2 for minus the sum from -1 to 0."""
    if isinstance(node, (sp.Sum, sp.Product)):
        *inner, (index, lower, upper) = node.limits
        combine = sp.Add if isinstance(node, sp.Sum) else sp.Mul
        body = node.func(node.function, *inner) if inner else node.function
        terms = range(int(_by_sympy(lower, at)), int(_by_sympy(upper, at)) + 1)
        return combine(*(_by_sympy(body, {**at, index: sp.Integer(i)}) for i in terms))
    if isinstance(node, sp.Symbol):
        return sp.sympify(at[node])
    parts = [_by_sympy(part, at) for part in node.args]
    if isinstance(node, (sp.floor, sp.ceiling)):
        return _rounded(parts[0]) if isinstance(node, sp.floor) else -_rounded(-parts[0])
    if isinstance(node, sp.Mod):
        return parts[0] - parts[1] * _rounded(parts[0] / parts[1])
    if isinstance(node, Relational):
        return sp.true if _RELATIONS[type(node)](_numerical_sign(parts[0] - parts[1])) else sp.false
    return node.func(*parts) if parts else node


def _rounded(number: sp.Expr) -> sp.Integer:
    """The floor, by the sign of what is missing to the nearest whole number."""
    if number.is_Rational:
        return sp.Integer(number.p // number.q)
    nearest = sp.Integer(round(sp.N(number, 60, maxn=_MOST_DIGITS)))
    return nearest if _numerical_sign(number - nearest) >= 0 else nearest - 1


def _numerical_sign(difference: sp.Expr) -> int:
    """By digits, unless it is rational.

    Sympy takes the square of a zero with 1e-385 as its value for positive: a small value counts where more digits
    confirm it; else an algebraic number is taken for zero, and of another one nothing is told.
    """
    value = difference if difference.is_Rational else sp.N(difference, 60, maxn=_MOST_DIGITS)
    if not value.is_real or not value.is_finite:
        raise ValueError(f"{difference} is no real number")
    if value.is_Rational or abs(value) >= sp.Float("1e-50"):
        return int(sp.sign(value))
    again = sp.N(difference, 200, maxn=_MOST_DIGITS)
    if abs(value - again) <= abs(again) / 10**20:
        return int(sp.sign(again))
    if difference.has(sp.Function, sp.E, sp.pi):
        raise ValueError(f"{difference} is not told from zero")
    return 0


def is_true(relation: Boolean) -> bool:
    """Whether a relation between numbers is true, in rationals or balls; False says nothing."""
    try:
        return bool(holds_at(relation, {}))
    except UndecidedError:
        return False
