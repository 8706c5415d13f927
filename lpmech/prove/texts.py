"""Formulas read from text exactly as they are written.

Sympy cancels (K-9)/(K-9) while Python evaluates it, before any check sees it. A text becomes an expression in which
nothing has been evaluated, so that every pole, root and branch of it is an obligation (`lpmech.prove.language`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lpmech.errors import FormulaError
from lpmech.prove.repeated import Product, Sum
from lpmech.prove.rounded import Mod, ceiling, floor
from lpmech.prove.vectors import Each, Vector
from lpmech.terms import Apply, Choice, Name, Node, Number, Repeated, names_in
from lpmech.terms.reader import named_in_text, read_condition, read_formula
from lpmech.terms.sorts import check_sorts

__all__ = [
    "FUNCTIONS",
    "NOWHERE_DEFINED",
    "Builder",
    "EVALUATED",
    "as_written",
    "condition_from_text",
    "evaluated",
    "formula_from_text",
    "in_sympy",
    "is_whole_number",
    "letters_in",
    "read",
    "written",
]

#: What sympy raises of a constant part that is no real number: sqrt(-1) < 1, Mod(K, 0).
NOWHERE_DEFINED = (TypeError, ValueError, ZeroDivisionError)


def formula_from_text(text: str, symbols: Iterable[sp.Symbol | Vector], argument: str = "formula") -> sp.Expr:
    """An expression, not evaluated.

    Parameters
    ----------
    text : str
        In the language of `lpmech check`: decimals are the rationals they print.
    symbols : iterable of sympy Symbol or Vector
        What the names stand for.
    argument : str
        Name used in the error.

    Raises
    ------
    FormulaError
        If a part is outside the language, or a name is none of the symbols.
    """
    named = {symbol.name: symbol for symbol in symbols}
    return as_written(read_formula(text, _names_of(named), argument), named, argument)


def condition_from_text(text: str, symbols: Iterable[sp.Symbol | Vector], argument: str = "conclusion") -> Any:
    """A relation, or relations joined by and, or, not; not evaluated. As `formula_from_text`."""
    named = {symbol.name: symbol for symbol in symbols}
    return as_written(read_condition(text, _names_of(named), argument), named, argument)


def _names_of(symbols: Mapping[str, sp.Symbol | Vector]) -> list[str]:
    """The names, those of vectors as their entries are written."""
    return [s.in_text if isinstance(s, Vector) else name for name, s in symbols.items()]


def in_sympy(formula: Any) -> Any:
    """A term as an expression or condition of sympy's that is not evaluated; anything else as sympy takes it."""
    if not isinstance(formula, Node):
        return sp.sympify(formula)
    check_sorts(formula)
    return as_written(formula, {name: sp.Symbol(name) for name in names_in(formula)}, "formula")


def evaluated(formula: Any, positive: Collection[str] = ()) -> Any:
    """A term as sympy simplifies it, which forgets where it is defined; anything else as sympy takes it."""
    if not isinstance(formula, Node):
        return sp.sympify(formula)
    symbols = {name: sp.Symbol(name, positive=True if name in positive else None) for name in names_in(formula)}
    return read(Builder(symbols, EVALUATED), formula, "formula")


def letters_in(formula: Any) -> set[str]:
    """The names of the parameters of which a formula speaks: a term, a text, or one of sympy's."""
    if isinstance(formula, Node):
        return names_in(formula)
    return named_in_text(formula) if isinstance(formula, str) else {s.name for s in sp.sympify(formula).free_symbols}


def as_written(node: Node, symbols: Mapping[str, sp.Symbol | Vector], argument: str) -> Any:
    """The expression or condition of a formula, not evaluated; raises as `read` does."""
    return read(Builder(symbols, _WRITTEN), node, argument)


def read(builder: Builder, node: Node, argument: str) -> Any:
    """What a builder makes of a formula.

    Raises
    ------
    FormulaError
        If sympy cannot make it, as a constant part of it is nowhere a real number.
    """
    try:
        return builder.built(node)
    except FormulaError:
        raise
    except NOWHERE_DEFINED as exc:
        raise FormulaError(argument, str(exc), "a formula whose parts are real numbers somewhere") from exc


#: Operations that are functions of sympy.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": sp.Add, "*": sp.Mul, "**": sp.Pow, "exp": sp.exp, "log": sp.log, "Abs": sp.Abs, "Min": sp.Min, "Max": sp.Max,
    "floor": floor, "ceiling": ceiling, "Mod": Mod, "binomial": sp.binomial, "factorial": sp.factorial,
    "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge, "==": sp.Eq, "!=": sp.Ne, "and": sp.And, "or": sp.Or,
    "not": sp.Not, "implies": sp.Implies, "iff": sp.Equivalent, "sign": sp.sign, "sin": sp.sin, "cos": sp.cos,
    "tan": sp.tan, "sinh": sp.sinh, "cosh": sp.cosh, "tanh": sp.tanh, "coth": sp.coth, "erfc": sp.erfc,
}  # fmt: skip


def written(function: Callable[..., Any], *arguments: Any) -> Any:
    """A function of sympy, not evaluated."""
    return function(*arguments, evaluate=False)


def _joined(function: Callable[..., Any], *parts: Any) -> Any:
    """``and``, ``or``, ``iff``; sympy takes ``1/x > 0 or 1/x <= 0`` for true even unevaluated, and it is not at 0."""
    made = written(function, *parts)
    if made in (sp.true, sp.false) and made not in parts:
        return written(function, parts[0], *map(_hidden, parts[1:]))
    return made


def _hidden(part: Any) -> Any:
    """A condition in words in which sympy does not see that it is the same as another, or the opposite."""
    opposite = part.negated if isinstance(part, Relational) else written(sp.Not, part)
    return written(sp.Not, opposite)


_WRITTEN: dict[str, Callable[..., Any]] = {
    **{name: partial(written, function) for name, function in FUNCTIONS.items()},
    "and": partial(_joined, sp.And),
    "or": partial(_joined, sp.Or),
    "iff": partial(_joined, sp.Equivalent),
    "-": lambda a, b: _negated(b) if a == 0 else written(sp.Add, a, _negated(b)),
    "/": lambda a, b: written(sp.Mul, a, written(sp.Pow, b, -1)),
    "sqrt": lambda a: written(sp.Pow, a, sp.Rational(1, 2)),
    "true": lambda: sp.true,
    "false": lambda: sp.false,
    "pi": lambda: sp.pi,
    "whole": lambda a: sp.Contains(a, sp.S.Integers) if isinstance(a, sp.Symbol) else is_whole_number(a),
}


def is_whole_number(a: sp.Expr) -> Any:
    """That a number is whole, as a relation."""
    return sp.Eq(a, floor(a, evaluate=False), evaluate=False)


def _negated(a: Any) -> Any:
    return -a if a.is_Rational else written(sp.Mul, -1, a)


def _factorial(number: Any) -> Any:
    if number.is_Integer and number > 1000:
        raise FormulaError("formula", f"factorial({number})", "factorials up to 1000")
    return sp.factorial(number)


#: Likewise, with what sympy evaluates.
EVALUATED: dict[str, Callable[..., Any]] = {
    **_WRITTEN, **FUNCTIONS, "-": operator.sub, "/": operator.truediv, "sqrt": sp.sqrt, "factorial": _factorial,
}  # fmt: skip

#: What is made of a term and the range of its index.
_REPEATED: dict[str, Callable[..., Any]] = {"Sum": Sum, "Product": Product, "Each": Each}


class Builder:
    """Formulas as sympy expressions.

    Parameters
    ----------
    symbols : mapping of str to Symbol
        What the names stand for.
    operations : mapping of str to callable
        What makes an expression of the arguments of each operation of the grammar.
    """

    def __init__(self, symbols: Mapping[str, sp.Symbol | Vector], operations: Mapping[str, Callable[..., Any]]) -> None:
        self._symbols = dict(symbols)
        self._operations = operations

    def built(self, node: Node) -> Any:
        """The expression or condition of a formula."""
        match node:
            case Number(value):
                return sp.Rational(value.numerator, value.denominator)
            case Name(name):
                return self._symbols[name]
            case Apply("[]", (Apply("vector", (Name(name), *lengths)), *places)):
                return Vector(name, *map(self.built, lengths))[tuple(map(self.built, places))]
            case Apply("[]", (Name(name), *places)):
                vector: Any = self._symbols[name]
                return vector[tuple(map(self.built, places))]
            case Apply(operation, arguments):
                return self.applied(operation, [self.built(part) for part in arguments])
            case Choice(cases):
                return self.chosen(cases)
            case Repeated():
                return self.repeated(node)

    def applied(self, operation: str, arguments: list[Any]) -> Any:
        """An operation."""
        return self._operations[operation](*arguments)

    def chosen(self, cases: tuple[tuple[Node, Node], ...]) -> Any:
        """A case distinction."""
        return sp.Piecewise(*((self.built(value), self.built(condition)) for value, condition in cases), evaluate=False)

    def repeated(self, node: Repeated) -> Any:
        """A sum or product, or a condition for each index."""
        index = sp.Symbol(node.index)
        ends = self.built(node.first), self.built(node.last)
        body = self.inside(index, *ends, node.body)
        return _REPEATED[node.operation](body, (index, *ends))

    def inside(self, index: sp.Symbol, first: Any, last: Any, body: Node) -> Any:
        """The term of a sum or product."""
        outside = self._symbols
        self._symbols = {**outside, index.name: index}
        built = self.built(body)
        self._symbols = outside
        return built
