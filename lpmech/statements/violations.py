"""The engine's witness in the words of the statement: both sides of what fails, also where it has found a pole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lpmech.errors import UndecidedError
from lpmech.prove import answers
from lpmech.prove.evaluate import Point, UndefinedError, holds_at, shown, value_of
from lpmech.prove.language import NOWHERE_DEFINED
from lpmech.prove.wording import formula_in_words
from lpmech.statements.witness import Witness

__all__ = ["witness_of"]


def witness_of(asked: Any, found: answers.Witness) -> Witness:
    """The engine's witness against a relation or Boolean, told of the relations that are to blame.

    The engine's own words speak of the relation that it came to, such as the condition for a term to be defined; they
    are kept of a single relation whose sides are defined.
    """
    values = {symbol.name: value for symbol, value in found.point.items()}
    point = {symbol: values[symbol.name] for symbol in asked.free_symbols if symbol.name in values}
    told, relation = found.violation, asked
    try:
        blamed = list(dict.fromkeys(_to_blame(asked, point, True)))
        if blamed and not (blamed == [(asked, True)] and asked.free_symbols and _is_defined(asked, point)):
            told = "; ".join(_sides(_tidied(part), point, wanted) for part, wanted in blamed)
        relation = blamed[0][0] if blamed else asked
        left, right = (shown(side, point) for side in (relation.lhs, relation.rhs))
    except (UndecidedError, KeyError, AttributeError, *NOWHERE_DEFINED):  # the engine has decided it in another way
        return Witness(found.named, "relation", place={"told": told})
    return Witness(found.named, "relation", left, relation.rel_op, right, {"told": told})


def _to_blame(formula: Any, point: Point, wanted: bool) -> Iterator[tuple[Any, bool]]:
    """The relations, each with the truth that it should have, because of which the formula does not have its own."""
    if holds_at(formula, point) is wanted:
        return
    match formula:
        case sp.Not():
            yield from _to_blame(formula.args[0], point, not wanted)
        case sp.Implies():
            given, then = formula.args
            if not wanted:
                yield from _to_blame(given, point, True)
            yield from _to_blame(then, point, wanted)
        case sp.And() | sp.Or():
            alone = isinstance(formula, sp.And) is wanted  # one part is enough to spoil it
            for part in formula.args:
                found = list(_to_blame(part, point, wanted))
                yield from found
                if alone and found:
                    return
        case Relational():
            yield formula, wanted


def _is_defined(relation: Any, point: Point) -> bool:
    try:
        return all(value_of(side, point) is not None for side in (relation.lhs, relation.rhs))
    except UndefinedError:
        return False


def _sides(relation: Any, point: Point, wanted: bool) -> str:
    sides = f"{formula_in_words(relation)}: {shown(relation.lhs, point)} against {shown(relation.rhs, point)}"
    if not wanted:
        return f"{sides}, which should not be so"
    return sides if isinstance(relation, sp.Eq) else f"{sides}, not {relation.rel_op}"


def _tidied(node: Any) -> Any:
    """A formula that was read from a text, unevaluated, with the numbers of each sum and product taken together."""
    if not node.args:
        return node
    parts = [_tidied(part) for part in node.args]
    if isinstance(node, (sp.Add, sp.Mul)):
        number = node.func(*(part for part in parts if part.is_Rational))
        parts = [part for part in parts if not part.is_Rational]
        if number != node.identity or not parts:
            parts.append(number)
        return node.func(*parts, evaluate=False) if len(parts) > 1 else parts[0]
    if parts == list(node.args):
        return node
    return (
        node.func(*parts, evaluate=False) if isinstance(node, (sp.Pow, sp.Function, Relational)) else node.func(*parts)
    )
