"""Formulas read from text exactly as they are written.

Sympy cancels (K-9)/(K-9) while Python evaluates it, before any check sees it. A text becomes an expression in which
nothing has been evaluated, so that every pole, root and branch of it is an obligation (`lpmech.prove.language`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp

from lpmech.errors import FormulaError
from lpmech.prove.grammar import Apply, Choice, Name, Node, Number, Repeated, read_condition, read_expressions

__all__ = ["condition_from_text", "formula_from_text"]


def formula_from_text(text: str, symbols: Iterable[sp.Symbol], argument: str = "formula") -> sp.Expr:
    """An expression, not evaluated.

    Parameters
    ----------
    text : str
        In the language of `lpmech check`: decimals are the rationals they print.
    symbols : iterable of sympy Symbol
        What the names stand for.
    argument : str
        Name used in the error.

    Raises
    ------
    FormulaError
        If a part is outside the language, or a name is none of the symbols.
    """
    named = {symbol.name: symbol for symbol in symbols}
    parts = read_expressions(text, named, argument)
    if len(parts) != 1:
        raise FormulaError(argument, text, "one formula")
    return _read(parts[0], named, argument)


def condition_from_text(text: str, symbols: Iterable[sp.Symbol], argument: str = "conclusion") -> Any:
    """A relation, or relations joined by and, or, not; not evaluated. As `formula_from_text`."""
    named = {symbol.name: symbol for symbol in symbols}
    return _read(read_condition(text, named, argument), named, argument)


def _read(node: Node, symbols: dict[str, sp.Symbol], argument: str) -> Any:
    try:
        return _written(node, symbols)
    except FormulaError:
        raise
    except (TypeError, ValueError, ZeroDivisionError) as exc:  # what sympy evaluates all the same: Mod(K, 0)
        raise FormulaError(argument, str(exc), "a formula whose parts are real numbers somewhere") from exc


def _applied(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *parts: function(*parts, evaluate=False)


_add, _times, _power = _applied(sp.Add), _applied(sp.Mul), _applied(sp.Pow)

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": _add, "-": lambda a, b: _add(a, _times(-1, b)), "*": _times, "/": lambda a, b: _times(a, _power(b, -1)),
    "**": _power, "sqrt": lambda a: _power(a, sp.Rational(1, 2)), "exp": _applied(sp.exp), "log": _applied(sp.log),
    "Abs": _applied(sp.Abs), "Min": _applied(sp.Min), "Max": _applied(sp.Max), "floor": _applied(sp.floor),
    "ceiling": _applied(sp.ceiling), "Mod": _applied(sp.Mod), "binomial": _applied(sp.binomial),
    "factorial": _applied(sp.factorial), "<": _applied(sp.Lt), "<=": _applied(sp.Le), ">": _applied(sp.Gt),
    ">=": _applied(sp.Ge), "==": _applied(sp.Eq), "!=": _applied(sp.Ne), "and": _applied(sp.And),
    "or": _applied(sp.Or), "not": _applied(sp.Not), "true": lambda: sp.true,
}  # fmt: skip


def _written(node: Node, symbols: dict[str, sp.Symbol]) -> Any:
    match node:
        case Number(value):
            return sp.Rational(value.numerator, value.denominator)
        case Name(name):
            return symbols[name]
        case Apply(operation, arguments):
            return _OPERATIONS[operation](*(_written(part, symbols) for part in arguments))
        case Choice(cases):
            pairs = [(_written(value, symbols), _written(condition, symbols)) for value, condition in cases]
            return sp.Piecewise(*pairs, evaluate=False)
        case Repeated(operation, body, name, first, last):
            index = sp.Symbol(name)
            ends = (_written(end, symbols) for end in (first, last))
            return (sp.Sum if operation == "Sum" else sp.Product)(
                _written(body, {**symbols, name: index}), (index, *ends)
            )
    raise FormulaError("formula", node, "a formula of the language")
