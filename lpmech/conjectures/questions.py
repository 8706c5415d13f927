"""The questions that are asked about a conjecture: at one t, and on a whole interval of t."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.entries import widest
from lpmech.prove.counterexamples import Instance
from lpmech.prove.tracing import Piece
from lpmech.statements.numbers import Requirement, Table
from lpmech.statements.numeric import above
from lpmech.statements.pieces import element, failing, failing_point, t_of
from lpmech.statements.properties import not_negative, private, sums_to_one

__all__ = ["PRIVATE", "ROWS", "Question", "attains", "largest_ratio"]

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


def _of_channel(text: str, requirements: Callable[[Table, Any], Iterable[Requirement]], how: str) -> Question:
    """A question about what has to hold of a matrix and of t."""

    def on_piece(_: Instance, root: int, piece: Piece) -> Fraction | None:
        return failing_point(requirements(_table(piece.result), t_of(root, piece)), piece.lower, piece.upper)

    return Question(text, lambda _, t, rows: failing(requirements(_table(rows), t)), on_piece, how)


def _table(rows: Rows) -> Table:
    return Table(rows, tuple(range(len(rows))), tuple(range(len(rows[0]))))


def attains(root: int, piece: Piece) -> bool:
    """Whether some pair of entries of a private channel has the ratio t on a whole piece."""
    t = element(t_of(root, piece))
    columns = [{element(entry) for entry in column} for column in zip(*piece.result, strict=True)]
    return any(low != 0 and t * low == high for column in columns for high, low in product(column, repeat=2))


def largest_ratio(rows: Rows) -> Any:
    """Largest ratio of two entries of a column, of a private channel."""
    j, high, low = widest(list(zip(*rows, strict=True)), above) or (0, 0, 0)
    return rows[high][j] / rows[low][j]


def _private(table: Table, t: Any) -> Iterable[Requirement]:
    yield from not_negative(table)
    yield from private(table, t, "e^epsilon = t")


ROWS = _of_channel("rows sum to one", lambda table, _: sums_to_one(table), "identities in t, exact arithmetic")
PRIVATE = _of_channel("epsilon-private", _private, "signs of polynomials in t, exact arithmetic")
