"""Small changes to a formula that make another formula: the mutants that a check must tell from it.

A formula is a term, a sympy expression (which becomes one), a text, a number, a Python function, or a pair or table of
those. Every change is at one place: a constant one up or one down, a sign, a factor dropped or squared, two symbols
exchanged, a relation turned or made weak or strict, a range one longer or shorter. A function is changed in its syntax
tree, so that a mutant is the same function for symbols, for exact numbers and for balls; so is a text, in which nothing
is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from inspect import unwrap
from itertools import chain, count
from types import FunctionType
from typing import Any

import sympy as sp

from lpmech.prove.from_sympy import term_of
from lpmech.prove.mutated_functions import mutated_functions, mutated_texts
from lpmech.prove.mutated_terms import mutated_terms
from lpmech.prove.texts import in_sympy
from lpmech.terms import Term, term
from lpmech.terms import functions as tm

__all__ = ["mutants_of"]

#: A function of a library in whose place another one is easily written.
_PARTNERS: Mapping[Any, Any] = {
    min: max, max: min, any: all, all: any, tm.Min: tm.Max, tm.Max: tm.Min, tm.floor: tm.ceiling,
    tm.ceiling: tm.floor, tm.And: tm.Or, tm.Or: tm.And,
}  # fmt: skip


def mutants_of(formula: Any) -> dict[str, Any]:
    """All mutants of a formula, by what was changed; empty where nothing is known to change.

    Parameters
    ----------
    formula : object
        A term, a sympy expression or relation, an int, Fraction or Decimal, a text (a decimal, or a formula in the
        language of `lpmech check`), a Python function, or a tuple or dict of such: of those one part is changed.
    """
    found: dict[str, Any] = {}
    for name, mutant in _mutants(formula):
        if not _same(mutant, formula):
            found[_unused(name, found)] = mutant
    return found


def _unused(name: str, names: Mapping[str, Any]) -> str:
    """The name, or the name at its second, third ... place."""
    return next(n for n in chain([name], (f"{name}, place {i}" for i in count(2))) if n not in names)


def _same(mutant: Any, formula: Any) -> bool:
    return not callable(formula) and type(mutant) is type(formula) and bool(mutant == formula)


def _mutants(formula: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(formula, tuple):
        for place, part in enumerate(formula):
            for name, mutant in _mutants(part):
                yield f"part {place + 1}: {name}", (*formula[:place], mutant, *formula[place + 1 :])
    elif isinstance(formula, dict):
        for key, part in formula.items():
            for name, mutant in _mutants(part):
                yield f"{key}: {name}", {**formula, key: mutant}
    elif isinstance(formula, (set, frozenset)):
        for part in sorted(formula, key=str):
            yield f"without {part}", formula - {part}
    elif isinstance(formula, Term):
        yield from mutated_terms(term(formula))
    elif isinstance(formula, sp.Basic):
        yield from ((name, in_sympy(mutant)) for name, mutant in mutated_terms(term_of(formula)))
    elif isinstance(formula, (int, Fraction)) and not isinstance(formula, bool):
        for other in (formula + 1, formula - 1):
            yield f"{formula} -> {other}", other
    elif isinstance(formula, Decimal) or (isinstance(formula, str) and _is_decimal(formula)):
        yield from _mutated_decimals(formula)
    elif isinstance(formula, str):
        yield from mutated_texts(formula)
    elif (partner := _partner(formula)) is not None:
        yield f"{formula.__name__} -> {partner.__name__}", partner
    elif callable(formula) and isinstance(function := unwrap(formula), FunctionType) and not _is_of_terms(function):
        yield from mutated_functions(function)


def _is_of_terms(function: FunctionType) -> bool:
    """Whether it is a function of the field, which is no formula of a claim."""
    return function.__module__ == tm.__name__


def _partner(formula: Any) -> Any:
    try:
        return _PARTNERS.get(formula)
    except TypeError:  # not hashable
        return None


def _is_decimal(text: str) -> bool:
    try:
        Decimal(text)
    except ArithmeticError:
        return False
    return True


def _mutated_decimals(formula: str | Decimal) -> Iterator[tuple[str, Any]]:
    """The last printed digit one up or down."""
    exponent = Decimal(formula).as_tuple().exponent
    if isinstance(exponent, int):
        for step in (1, -1):
            other = Decimal(formula) + step * Decimal(1).scaleb(exponent)
            yield f"{formula} -> {other}", type(formula)(other)
