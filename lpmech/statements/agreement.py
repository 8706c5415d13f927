"""Whether a formula is the same for letters and for numbers: what it gives of letters is what gets proved.

A function of Python may tell letters from numbers, on purpose or not (``isinstance(K, int)``, ``{2: a}.get(K, b)``,
``if K == 2`` with sympy, an error that is caught): then the formula of letters says nothing about the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import sympy as sp
from flint import arb, fmpq

from lpmech.errors import LabelError, LpmechError
from lpmech.prove.evaluate import holds_at, value_of
from lpmech.prove.language import Sequent, stated
from lpmech.prove.search import candidate_points, hypotheses_test
from lpmech.prove.texts import in_sympy
from lpmech.prove.vectors import has_vectors
from lpmech.statements.written import beside, written_in
from lpmech.terms import Name, Term

__all__ = ["AtLetters", "check_agreement"]

#: At how many points a formula is compared at least, of how many that are tried, with so many values of a parameter.
_POINTS, _TRIED, _REACH = 4, 400, 12
#: What a function may raise of numbers that it was not written for; then nothing is compared.
_RAISED = (LpmechError, ArithmeticError, TypeError, ValueError, AttributeError, LookupError)


@dataclass(frozen=True)
class AtLetters:
    """A call of a formula with letters: the function, its arguments by name, and what it gave."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    result: Any

    @property
    def letters(self) -> dict[str, str]:
        """Of each argument that is a letter by itself, its name."""
        found = {name: value for name, value in self.arguments.items() if isinstance(value, (Name, sp.Symbol))}
        return {name: value.name for name, value in found.items()}


def check_agreement(calls: Sequence[AtLetters], given: Sequence[Any]) -> None:
    """Call formulas with numbers where the hypotheses hold, and compare with what they gave of letters.

    Raises
    ------
    LabelError
        If they give something else.
    """
    if not calls:
        return
    statement = stated(sp.true, given)
    if any(map(has_vectors, statement.hypotheses)):  # whose points are no assignments of numbers
        return
    whole = {symbol.name for symbol in statement.integers}
    points = _points(statement)
    for call in calls:
        for point in (*points, *_written_points(statement, points, written_in(call.function))):
            if not set(call.letters.values()) <= set(point):
                continue
            values = {name: point[letter] for name, letter in call.letters.items()}
            numbers = {
                name: value
                if isinstance(call.arguments[name], sp.Symbol)
                else _plain(value, call.letters[name] in whole)
                for name, value in values.items()
            }
            try:
                again = call.function(**{**call.arguments, **numbers})
                pair = next((pair for pair in _pairs(call.result, again) if _differ(*pair, point)), None)
            except _RAISED:
                continue
            if pair is not None:
                where = ", ".join(f"{call.letters[name]} = {value}" for name, value in values.items())
                got = f"{pair[1]} at {where} when it is called with numbers, and {pair[0]} when with letters"
                raise LabelError("formula", got, "one formula for both: cases are Piecewise")


def _points(statement: Sequent) -> list[dict[str, Any]]:
    """Points of the hypotheses, by name: the simplest, and one for each further value of a parameter."""
    found: list[dict[str, Any]] = []
    seen: set[tuple[str, Any]] = set()
    for candidate in islice(candidate_points(statement, _TRIED, _REACH), _TRIED):
        point = {symbol.name: value for symbol, value in candidate.items()}
        if len(found) < _POINTS or not point.items() <= seen:
            found.append(point)
            seen |= set(point.items())
    return found


def _written_points(
    statement: Sequent, points: Sequence[Mapping[str, Any]], numbers: Collection[Fraction]
) -> Iterator[dict[str, Any]]:
    """Points of the hypotheses at and beside numbers."""
    inside, symbols = hypotheses_test(statement), {symbol.name: symbol for symbol in statement.symbols}
    for candidate in beside(points[0], list(symbols), numbers) if points else ():
        at = {symbols[name]: sp.sympify(value) for name, value in candidate.items()}
        if all(at[symbol].is_Integer for symbol in statement.integers if symbol in at) and inside(at):
            yield {symbol.name: value for symbol, value in at.items()}


def _plain(value: Any, whole: bool) -> int | Fraction:
    return int(value) if whole else Fraction(int(value.p), int(value.q))


def _pairs(result: Any, again: Any) -> Iterator[tuple[Any, Any]]:
    """The entries of both, where they are of one shape."""
    if isinstance(result, Mapping):
        result, again = list(result.values()), list(again.values())
    if isinstance(result, (list, tuple, np.ndarray, sp.MatrixBase)):
        if len(result) == len(again):
            for one, other in zip(result, again, strict=True):
                yield from _pairs(one, other)
        return
    yield result, again


def _differ(letters: Any, number: Any, point: Mapping[str, Any]) -> bool:
    expression, other = (
        _expression(side) if isinstance(side, Term) else sp.sympify(side) for side in (letters, number)
    )
    at = {symbol: point[symbol.name] for side in (expression, other) for symbol in side.free_symbols}
    if isinstance(expression, sp.logic.boolalg.Boolean) or isinstance(other, sp.logic.boolalg.Boolean):
        found = holds_at(expression, at), holds_at(other, at)
        return None not in found and found[0] is not found[1]
    one = value_of(expression, at)
    if other.has(sp.Float):
        return not math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-9)
    return not bool(_ball(one).overlaps(_ball(value_of(other, at))))


@lru_cache(maxsize=1 << 8)  # it is compared at one point after the other
def _expression(side: Term) -> Any:
    return in_sympy(side)


def _ball(value: Any) -> arb:
    return arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else value
