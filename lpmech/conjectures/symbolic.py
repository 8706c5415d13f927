"""Formulas as sympy expressions, with everything that must hold for them to be defined.

The domain of every partial operation is written down before sympy sees the operation: sympy cancels (K-9)/(K-9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import FormulaError
from lpmech.prove.grammar import Apply, Choice, Name, Node, Number, Repeated
from lpmech.prove.language import Obligation, conditions

__all__ = ["Symbolic", "symbolic"]


@dataclass(frozen=True)
class Symbolic:
    """An expression or a condition, and where it is defined.

    Attributes
    ----------
    expression : sympy expression or Boolean
    obligations : tuple of Obligation
        All of them hold wherever the formula as written is defined, and only there.
    """

    expression: Any
    obligations: tuple[Obligation, ...]

    @property
    def domain(self) -> Boolean:
        """The obligations without bound symbols, as one condition."""
        return sp.And(*(sp.Or(*map(sp.Not, o.under), o.condition) for o in self.obligations if not o.indices))

    @property
    def bound_obligations(self) -> list[Obligation]:
        """Those that are about the terms of a sum or product."""
        return [o for o in self.obligations if o.indices]


def symbolic(node: Node, symbols: Mapping[str, sp.Symbol]) -> Symbolic:
    """A formula over symbols.

    Raises
    ------
    FormulaError
        If it has no real value anywhere (1/(t - t), sqrt(-1)).
    """
    builder = _Builder(symbols)
    try:
        expression = builder.built(node)
    except FormulaError:
        raise
    except (
        TypeError,
        ValueError,
        ZeroDivisionError,
    ) as exc:  # a constant part, evaluated: sqrt(-1) < 1
        raise FormulaError("conjecture", str(exc), "formulas whose parts are real numbers somewhere") from exc
    if expression.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise FormulaError("conjecture", str(expression), "formulas that are real numbers somewhere")
    return Symbolic(expression, tuple(dict.fromkeys(builder.obligations)))


_BUILT: dict[str, Callable[..., Any]] = {
    "+": sp.Add, "-": lambda a, b: a - b, "*": sp.Mul, "**": sp.Pow, "sqrt": sp.sqrt, "exp": sp.exp, "log": sp.log,
    "Abs": sp.Abs, "Min": sp.Min, "Max": sp.Max, "floor": sp.floor, "ceiling": sp.ceiling, "Mod": sp.Mod,
    "binomial": sp.binomial, "factorial": sp.factorial, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge,
    "==": sp.Eq, "!=": sp.Ne, "and": sp.And, "or": sp.Or, "not": sp.Not, "true": lambda: sp.true,
    "/": lambda a, b: a / b,
}  # fmt: skip
#: The operation as written, not evaluated: its conditions are asked for.
_WRITTEN: dict[str, Callable[..., sp.Expr]] = {
    "/": lambda a, b: sp.Pow(b, -1, evaluate=False),
    "**": lambda a, b: sp.Pow(a, b, evaluate=False),
    "sqrt": lambda a: sp.Pow(a, sp.Rational(1, 2), evaluate=False),
    "log": lambda a: sp.log(a, evaluate=False),
    "Mod": lambda a, b: sp.Mod(a, b, evaluate=False),
    "binomial": lambda a, b: sp.binomial(a, b, evaluate=False),
    "factorial": lambda a: sp.factorial(a, evaluate=False),
}


class _Builder:
    def __init__(self, symbols: Mapping[str, sp.Symbol]):
        self._symbols = dict(symbols)
        self._under: tuple[Boolean, ...] = ()
        self._indices: frozenset[sp.Symbol] = frozenset()
        self.obligations: list[Obligation] = []

    def built(self, node: Node) -> Any:
        match node:
            case Number(value):
                return sp.Rational(value.numerator, value.denominator)
            case Name(name):
                return self._symbols[name]
            case Apply(operation, arguments):
                return self._applied(operation, [self.built(a) for a in arguments])
            case Choice(cases):
                return self._chosen(cases)
            case Repeated():
                return self._repeated(node)
        raise FormulaError("conjecture", node, "a formula of the language")

    def _applied(self, operation: str, arguments: list[Any]) -> Any:
        if operation in _WRITTEN:
            for condition in conditions(_WRITTEN[operation](*arguments)):
                self._need(condition)
        if operation == "factorial" and arguments[0].is_Integer and arguments[0] > 1000:
            raise FormulaError("conjecture", f"factorial({arguments[0]})", "factorials up to 1000")
        return _BUILT[operation](*arguments)

    def _need(self, condition: Boolean) -> None:
        if condition != sp.true:
            used = frozenset(self._indices & sp.And(condition, *self._under).free_symbols)
            self.obligations.append(Obligation(self._under, condition, used))

    def _chosen(self, cases: tuple[tuple[Node, Node], ...]) -> sp.Expr:
        outside, before, pairs = self._under, self._under, []
        for value, condition in cases:
            self._under = before
            holds = self.built(condition)
            self._under = (*before, holds)
            pairs.append((self.built(value), holds))
            before = (*before, sp.Not(holds))
        self._under = outside
        self._need(sp.Or(*(holds for _, holds in pairs)))
        return sp.Piecewise(*pairs)

    def _repeated(self, node: Repeated) -> sp.Expr:
        first, last = self.built(node.first), self.built(node.last)
        index = sp.Symbol(node.index)
        before = self._under, self._indices, dict(self._symbols)
        self._under = (*self._under, first <= index, index <= last)
        self._indices |= {index}
        self._symbols[node.index] = index
        body = self.built(node.body)
        self._under, self._indices, self._symbols = before
        return (sp.Sum if node.operation == "Sum" else sp.Product)(body, (index, first, last))
