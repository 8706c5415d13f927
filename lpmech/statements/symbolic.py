"""Formulas as sympy expressions, with everything that must hold for them to be defined.

The domain of every partial operation is written down before sympy sees the operation: sympy cancels (K-9)/(K-9).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import FormulaError
from lpmech.prove.grammar import Node
from lpmech.prove.language import Obligation, conditions, truth
from lpmech.prove.texts import FUNCTIONS, Builder, as_written, read, written
from lpmech.prove.vectors import Vector

__all__ = ["Symbolic", "hypothesis", "symbolic"]


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


def symbolic(node: Node, symbols: Mapping[str, sp.Symbol | Vector]) -> Symbolic:
    """A formula over symbols.

    Raises
    ------
    FormulaError
        If it has no real value anywhere (1/(t - t), sqrt(-1)).
    """
    builder = _Builder(symbols, _EVALUATED)
    expression = read(builder, node, "conjecture")
    if expression.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise FormulaError("conjecture", str(expression), "formulas that are real numbers somewhere")
    return Symbolic(expression, tuple(dict.fromkeys(builder.obligations)))


def hypothesis(node: Node, symbols: Mapping[str, sp.Symbol | Vector], argument: str = "where") -> Boolean:
    """When a condition is defined and true as it is written: ``a == 0 or b/a <= 2`` is true at a = 0.

    Raises
    ------
    FormulaError
        If a part of it has no real value anywhere.
    """
    symbolic(node, symbols)
    return truth(as_written(node, symbols, argument))


_EVALUATED: dict[str, Callable[..., Any]] = {
    **FUNCTIONS, "[]": lambda vector, *indices: vector[indices],
    "-": operator.sub, "/": operator.truediv, "sqrt": sp.sqrt, "true": lambda: sp.true,
}  # fmt: skip
#: The operation whose conditions are asked for, as written.
_PARTIAL: dict[str, Callable[..., sp.Expr]] = {
    **{name: partial(written, FUNCTIONS[name]) for name in ("**", "log", "Mod", "binomial", "factorial")},
    "/": lambda a, b: written(sp.Pow, b, -1),
    "sqrt": lambda a: written(sp.Pow, a, sp.Rational(1, 2)),
}


class _Builder(Builder):
    """Evaluates, and writes down before what each operation needs."""

    def __init__(self, symbols: Mapping[str, sp.Symbol | Vector], operations: Mapping[str, Callable[..., Any]]) -> None:
        super().__init__(symbols, operations)
        self._under: tuple[Boolean, ...] = ()
        self._indices: frozenset[sp.Symbol] = frozenset()
        self.obligations: list[Obligation] = []

    def applied(self, operation: str, arguments: list[Any]) -> Any:
        if operation in _PARTIAL:
            for condition in conditions(_PARTIAL[operation](*arguments)):
                self._need(condition)
        if operation == "factorial" and arguments[0].is_Integer and arguments[0] > 1000:
            raise FormulaError("conjecture", f"factorial({arguments[0]})", "factorials up to 1000")
        return super().applied(operation, arguments)

    def _need(self, condition: Boolean) -> None:
        if condition != sp.true:
            used = frozenset(self._indices & sp.And(condition, *self._under).free_symbols)
            self.obligations.append(Obligation(self._under, condition, used))

    def chosen(self, cases: tuple[tuple[Node, Node], ...]) -> sp.Expr:
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

    def inside(self, index: sp.Symbol, first: Any, last: Any, body: Node) -> Any:
        before = self._under, self._indices
        self._under = (*self._under, first <= index, index <= last)
        self._indices |= {index}
        built = super().inside(index, first, last, body)
        self._under, self._indices = before
        return built
