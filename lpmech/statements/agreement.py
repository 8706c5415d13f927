"""Whether a formula is the same for letters and for numbers: what it gives of letters is what gets proved.

A function of Python may tell letters from numbers, on purpose or not (``isinstance(K, int)``, ``{2: a}.get(K, b)``,
``if K == 2`` with sympy, an error that is caught): then the formula of letters says nothing about the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import sympy as sp
from flint import arb, fmpq

from lpmech.errors import LabelError, LpmechError
from lpmech.files.reached import codes_of, reached
from lpmech.prove.evaluate import holds_at, value_of
from lpmech.prove.language import Statement, stated
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.search import candidate_points, hypotheses_test
from lpmech.prove.texts import in_sympy
from lpmech.prove.vectors import has_vectors
from lpmech.statements.numbers import exactly_as_written
from lpmech.terms import Name, Term

__all__ = ["AtLetters", "check_agreement"]

#: At how many points a formula is compared at least, of how many that are tried, with so many values of a parameter.
_POINTS, _TRIED, _REACH = 4, 400, 12
#: How many points at numbers of its code are tried besides, in how many parts of the code, and how long these are.
_WRITTEN, _PARTS, _LONGEST = 120, 300, 40
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
        for point in (*points, *_written_points(statement, points, _written_in(call.function))):
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


def _points(statement: Statement) -> list[dict[str, Any]]:
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
    statement: Statement, points: Sequence[Mapping[str, Any]], numbers: Collection[Fraction]
) -> Iterator[dict[str, Any]]:
    """Points of the hypotheses at and beside numbers: one parameter there, and all of them beyond the largest."""
    if not points or not numbers:
        return
    inside, names = hypotheses_test(statement), {symbol: symbol.name for symbol in statement.symbols}
    far = max(numbers) + 1
    bases = [points[0], {name: as_rational(far) for name in points[0]}]
    near = {as_rational(number + step) for number in numbers for step in (-1, 0, 1)}
    for base, symbol, value in islice(product(bases, names, sorted(near)), _WRITTEN):
        point = {s: value if s == symbol else base[n] for s, n in names.items()}
        if (symbol not in statement.integers or value.is_Integer) and inside(point):
            yield {n: point[s] for s, n in names.items()}


def _written_in(function: Callable[..., Any]) -> set[Fraction]:
    """The numbers that stand in the code of a function and of those of its module, and in what they reach by name."""
    own = getattr(function, "__module__", None)
    parts = [function, *(part for _, part, _ in islice(reached(function), _PARTS))]
    codes = (code for part in parts if getattr(part, "__module__", own) == own for code in codes_of(part))
    return set(_numbers([*parts, *(code.co_consts for code in codes)]))


def _numbers(parts: Iterable[Any]) -> Iterator[Fraction]:
    for part in parts:
        if isinstance(part, (tuple, list, set, frozenset, Mapping)):
            yield from _numbers(part)
        elif isinstance(part, (int, float, str, Fraction)) and len(str(part)) < _LONGEST:
            exact = exactly_as_written(part)
            yield from () if exact is None else (exact,)


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
    expression, other = (in_sympy(side) if isinstance(side, Term) else sp.sympify(side) for side in (letters, number))
    at = {symbol: point[symbol.name] for side in (expression, other) for symbol in side.free_symbols}
    if isinstance(expression, sp.logic.boolalg.Boolean) or isinstance(other, sp.logic.boolalg.Boolean):
        found = holds_at(expression, at), holds_at(other, at)
        return None not in found and found[0] is not found[1]
    one = value_of(expression, at)
    if other.has(sp.Float):
        return not math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-9)
    return not bool(_ball(one).overlaps(_ball(value_of(other, at))))


def _ball(value: Any) -> arb:
    return arb(fmpq(value.numerator, value.denominator)) if isinstance(value, Fraction) else value
