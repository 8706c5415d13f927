"""Expressions of sympy as terms of z3, and values of z3 as numbers of sympy."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import reduce
from typing import Any

import sympy as sp
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from lpmech.errors import UndecidedError
from lpmech.extras import needs

with needs("smt"):
    import z3

__all__ = ["Translator", "exact_value"]


def exact_value(value: Any) -> sp.Expr | None:
    if z3.is_int_value(value) or z3.is_rational_value(value):
        return sp.Rational(str(value))
    if z3.is_algebraic_value(value):
        x = sp.Dummy("x")
        coefficients = [sp.Rational(str(c)) for c in value.poly()]
        polynomial = sp.Poly(sum((c * x**i for i, c in enumerate(coefficients)), sp.S.Zero), x)
        return sp.CRootOf(polynomial, value.index() - 1, radicals=True)
    return None


class Translator:
    """Sympy to z3."""

    def __init__(self, integers: Collection[sp.Symbol]) -> None:
        self._integers = set(integers)
        self.variables: dict[sp.Symbol, Any] = {}
        self.definitions: list[Any] = []
        self._cache: dict[sp.Basic, Any] = {}

    def __call__(self, node: Any) -> Any:
        if node not in self._cache:
            self._cache[node] = self._translated(node)
        return self._cache[node]

    def _translated(self, node: Any) -> Any:
        match node:
            case BooleanTrue() | BooleanFalse():
                return z3.BoolVal(bool(node))
            case sp.Symbol():
                return self._variable(node)
            case sp.Rational():
                return z3.Q(int(node.p), int(node.q))
            case sp.Pow() if node.exp.is_Integer:
                return self._power(self(node.base), int(node.exp))
            case sp.Piecewise():
                *others, last = [(self(value), self(condition)) for value, condition in node.args]
                return reduce(lambda rest, pair: z3.If(pair[1], pair[0], rest), reversed(others), last[0])
        handler = next((h for kind, h in _HANDLERS if isinstance(node, kind)), None)
        if handler is not None:
            return handler([self(a) for a in node.args])
        if isinstance(node, sp.floor):
            return self._floor(self(node.args[0]))
        if isinstance(node, sp.ceiling):
            return -self._floor(-self(node.args[0]))
        if isinstance(node, sp.Mod):
            dividend, divisor = map(self, node.args)
            return dividend - divisor * self._floor(dividend / divisor)
        raise UndecidedError(f"{node} is outside what SMT solvers decide here")

    def _floor(self, value: Any) -> Any:
        whole = z3.FreshInt("floor")
        real = z3.ToReal(whole)
        self.definitions += [real <= value, value < real + 1]
        return real

    def _variable(self, symbol: sp.Symbol) -> Any:
        if symbol not in self.variables:
            name = f"x{len(self.variables)}"  # two symbols may have one name, and a name any characters
            self.variables[symbol] = z3.Int(name) if symbol in self._integers else z3.Real(name)
        variable = self.variables[symbol]
        return z3.ToReal(variable) if symbol in self._integers else variable

    @staticmethod
    def _power(base: Any, exponent: int) -> Any:
        if abs(exponent) > 60:
            raise UndecidedError(f"a power of {exponent} is too large for SMT solvers")
        product = reduce(lambda a, b: a * b, [base] * abs(exponent)) if exponent else z3.RealVal(1)
        return 1 / product if exponent < 0 else product


def _chosen(better: Callable[[Any, Any], Any]) -> Callable[[list[Any]], Any]:
    def choose(arguments: list[Any]) -> Any:
        return reduce(lambda a, b: z3.If(better(a, b), a, b), arguments)

    return choose


def _sign(arguments: list[Any]) -> Any:
    return z3.If(arguments[0] > 0, z3.RealVal(1), z3.If(arguments[0] < 0, z3.RealVal(-1), z3.RealVal(0)))


def _absolute(arguments: list[Any]) -> Any:
    return z3.If(arguments[0] >= 0, arguments[0], -arguments[0])


def _logical(name: str) -> Callable[[list[Any]], Any]:
    def apply(arguments: list[Any]) -> Any:
        return getattr(z3, name)(*arguments)

    return apply


_HANDLERS: list[tuple[type, Callable[[list[Any]], Any]]] = [
    (sp.Add, lambda a: reduce(lambda x, y: x + y, a)),
    (sp.Mul, lambda a: reduce(lambda x, y: x * y, a)),
    (sp.Max, _chosen(lambda a, b: a >= b)),
    (sp.Min, _chosen(lambda a, b: a <= b)),
    (sp.Abs, _absolute),
    (sp.sign, _sign),
    (sp.Eq, lambda a: a[0] == a[1]),
    (sp.Ne, lambda a: a[0] != a[1]),
    (sp.Lt, lambda a: a[0] < a[1]),
    (sp.Le, lambda a: a[0] <= a[1]),
    (sp.Gt, lambda a: a[0] > a[1]),
    (sp.Ge, lambda a: a[0] >= a[1]),
    (sp.And, _logical("And")),
    (sp.Or, _logical("Or")),
    (sp.Not, _logical("Not")),
    (sp.Implies, _logical("Implies")),
    (sp.Equivalent, lambda a: a[0] == a[1]),
]
