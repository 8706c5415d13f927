"""The questions that are asked about a conjecture: at one t, and on a whole interval of t."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.prove.counterexamples import Instance
from lpmech.prove.evaluate import shown
from lpmech.prove.rational_functions import negative_point, nonzero_point
from lpmech.prove.trace import T
from lpmech.prove.traced import Traced, constant
from lpmech.prove.tracing import Piece
from lpmech.statements.numeric import sign

__all__ = ["PRIVATE", "ROWS", "Question", "expression", "first", "written"]

Rows = list[list[Any]]


@dataclass(frozen=True)
class Question:
    """A question about the result of a conjecture's function.

    Attributes
    ----------
    text : str
    at : callable
        Takes instance, t and the result there; says what fails, or None. Numbers are of either kind (see `sign`).
    on_piece : callable
        Takes instance, k and a piece of s, where t = s^k; returns a rational s at which it fails, or None.
    how : str
        Method in words.
    """

    text: str
    at: Callable[[Instance, Any, Any], str | None]
    on_piece: Callable[[Instance, int, Piece], Fraction | None]
    how: str


def expression(number: Any) -> sp.Expr:
    """A number as an expression in s."""
    return number.expression if isinstance(number, Traced) else sp.sympify(number)


def written(number: Any) -> str:
    """A number for people."""
    if isinstance(number, Traced):
        return shown(number.expression, {T: number.point})
    exact = sp.sympify(number)
    return str(exact) if exact.is_Rational else f"{exact} = {shown(exact, {})}"


def first(points: Iterable[Fraction | None]) -> Fraction | None:
    """The first that is a point."""
    return next((point for point in points if point is not None), None)


def _simplest(points: Iterable[Fraction | None]) -> Fraction | None:
    """The one of smallest numerator and denominator: the same in every run, however a set is ordered."""
    found = [point for point in points if point is not None]
    return min(found, key=lambda point: (point.numerator + point.denominator, point), default=None)


def _failing_row(_: Instance, __: Any, rows: Rows) -> str | None:
    for y, row in enumerate(rows):
        total = sum(row[1:], row[0])
        if sign(total - 1) != 0:
            return f"row {y} sums to {written(total)}"
    return None


def _row_on_piece(_: Instance, __: int, piece: Piece) -> Fraction | None:
    sums = {sum(map(_element, row)) for row in piece.result}
    return _simplest(nonzero_point(total - 1, T, piece.lower, piece.upper) for total in sums)


def _failing_pair(_: Instance, t: Any, rows: Rows) -> str | None:
    for j in range(len(rows[0])):
        column = [row[j] for row in rows]
        for y, entry in enumerate(column):
            if sign(entry) < 0:
                return f"q[{y}, {j}] = {written(entry)} is negative"
        low, high = _extreme(column, -1), _extreme(column, 1)
        if sign(t * column[low] - column[high]) < 0:
            return (
                f"q[{high}, {j}] = {written(column[high])} is more than t = {written(t)} times "
                f"q[{low}, {j}] = {written(column[low])}"
            )
    return None


def _extreme(column: list[Any], direction: int) -> int:
    """Index of the largest (1) or smallest (-1) number."""
    best = 0
    for y in range(1, len(column)):
        if direction * sign(column[y] - column[best]) > 0:
            best = y
    return best


def _pair_on_piece(_: Instance, root: int, piece: Piece) -> Fraction | None:
    """A point at which an entry, or t q[y', j] - q[y, j], is negative."""
    conditions: set[Any] = set()
    t = constant(T**root)
    for column in _columns(piece.result):
        conditions |= column | {t * low - high for low in column for high in column if low != high}
    return _simplest(negative_point(condition, T, piece.lower, piece.upper) for condition in conditions)


def _columns(rows: Rows) -> Iterator[set[Any]]:
    for j in range(len(rows[0])):
        yield {_element(row[j]) for row in rows}


def _element(number: Any) -> Any:
    return number.element if isinstance(number, Traced) else constant(sp.sympify(number))


def attains(root: int, piece: Piece) -> bool:
    """Whether some pair of entries of a private channel has the ratio t on a whole piece."""
    t = constant(T**root)
    return any(low != 0 and t * low == high for column in _columns(piece.result) for low in column for high in column)


def largest_ratio(rows: Rows) -> Any:
    """Largest ratio of two entries of a column, of a private channel."""
    ratios = []
    for j in range(len(rows[0])):
        column = [row[j] for row in rows]
        high, low = column[_extreme(column, 1)], column[_extreme(column, -1)]
        if sign(high) > 0:
            ratios.append(high / low)
    return ratios[_extreme(ratios, 1)]


ROWS = Question("rows sum to one", _failing_row, _row_on_piece, "identities in t, exact arithmetic")
PRIVATE = Question("epsilon-private", _failing_pair, _pair_on_piece, "signs of polynomials in t, exact arithmetic")
