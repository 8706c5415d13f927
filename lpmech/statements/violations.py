"""The engine's witness in the words of the statement: both sides of what fails, also where it has found a pole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove import answers
from lpmech.prove.answers import sides_in_words
from lpmech.prove.evaluate import Point, UndefinedError, holds_at, shown, value_of
from lpmech.prove.from_sympy import term_of
from lpmech.prove.texts import NOWHERE_DEFINED, in_sympy
from lpmech.prove.wording import formula_in_words, latex_of
from lpmech.statements.witness import Witness
from lpmech.terms import TRUE, Apply, Name, Number, names_in, substituted

__all__ = ["witness_of"]

#: Most signs of a line of arithmetic, without its commands and braces.
_LINE = 120
_COMMAND = re.compile(r"\\[a-z]+|[{} ]")

#: A relation of so many characters is told in full where it fails.
_SHORT = 90

_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


def witness_of(asked: Any, found: answers.FailingPoint) -> Witness:
    """The engine's witness against a statement, told of the relations that are to blame.

    Parameters
    ----------
    asked : term, or sympy relation or Boolean
        As it was asked.
    found : Witness
        The engine's answer. Its own words speak of the relation that it came to, such as the condition for a term to be
        defined; they are kept where no relation of the statement is to blame.
    """
    point = {sp.Symbol(symbol.name): value for symbol, value in found.point.items()}
    told = found.violation
    try:
        statement = _without_true(term_of(asked))
        blamed = list(dict.fromkeys(_to_blame(statement, point, True)))
        if blamed:
            told = "; or ".join(_sides(relation, point, wanted) for relation, wanted in blamed)
        relation: Any = blamed[0][0] if blamed else statement
        left, right = (shown(in_sympy(side), point) for side in relation.arguments)
        steps = tuple(_arithmetic(relation, point))
    except (UndecidedError, KeyError, AttributeError, ValueError, *NOWHERE_DEFINED):  # it was decided in another way
        return Witness(found.named, "relation", place={"told": told})
    return Witness(found.named, "relation", left, relation.operation, right, {"told": told, "arithmetic": steps})


def _arithmetic(relation: Any, point: Point) -> Iterator[str]:
    """For each side of a relation a line that leads from its formula by way of the numbers at a point to its value."""
    numbers = {symbol.name: term_of(value) for symbol, value in point.items()}
    for side in relation.arguments:
        value = value_of(in_sympy(side), point) if names_in(side) and _is_defined(relation, point) else None
        if not isinstance(value, Fraction) or isinstance(side, Name):
            continue
        inside = side if side.shown else _named_in_numbers(side, point)
        line = f"{latex_of(side)} = {latex_of(substituted(inside, numbers))} = "
        if len(_COMMAND.sub("", line)) <= _LINE:
            yield f"${line}{latex_of(Number(value))}$"


def _named_in_numbers(formula: Any, point: Point) -> Any:
    """The formula with numbers in the place of the parts that are printed by a name."""
    value = value_of(in_sympy(formula), point) if formula.shown else None
    match formula:
        case _ if isinstance(value, Fraction):
            return Number(value)
        case Apply(operation, parts):
            return Apply(operation, tuple(_named_in_numbers(part, point) for part in parts))
    return formula


def _without_true(formula: Any) -> Any:
    """What is implied by the truth is asked by itself."""
    match formula:
        case Apply("implies", (given, then)) if given == TRUE:
            return _without_true(then)
    return formula


def _to_blame(formula: Any, point: Point, wanted: bool) -> Iterator[tuple[Any, bool]]:
    """The relations, each with the truth that it should have, because of which the formula does not have its own."""
    if holds_at(in_sympy(formula), point) is wanted:
        return
    match formula:
        case Apply("not", (part,)):
            yield from _to_blame(part, point, not wanted)
        case Apply("implies", (given, then)):
            if not wanted:
                yield from _to_blame(given, point, True)
            yield from _to_blame(then, point, wanted)
        case Apply("iff", (first, second)) if wanted:
            yield from _to_blame(second if holds_at(in_sympy(first), point) else first, point, True)
        case Apply("and" | "or" as joined, parts):
            alone = (joined == "and") is wanted  # one part is enough to spoil it
            for part in parts:
                found = list(_to_blame(part, point, wanted))
                yield from found
                if alone and found:
                    return
        case Apply(relation, (_, _)) if relation in _RELATIONS:
            yield formula, wanted


def _is_defined(relation: Any, point: Point) -> bool:
    try:
        return all(value_of(in_sympy(side), point) is not None for side in relation.arguments)
    except UndefinedError:
        return False


def _sides(relation: Any, point: Point, wanted: bool) -> str:
    formula = formula_in_words(relation) if wanted else f"not {formula_in_words(relation)}"
    if isinstance(relation.arguments[0], Name) and isinstance(relation.arguments[1], Number):
        return f"required: {formula}"  # the point tells the sides
    left, right = (shown(in_sympy(side), point) for side in relation.arguments)
    told_by_name = wanted and len(formula) > _SHORT and _is_defined(relation, point)
    return sides_in_words(left, right, relation.operation, "" if told_by_name else formula)
