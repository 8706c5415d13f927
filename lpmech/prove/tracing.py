"""Programs that branch on a parameter t, followed as rational functions: which formula holds where.

A `Traced` number carries a rational function of s, where t = s^k, and stands at one point. Arithmetic acts on the
function; a comparison is answered by its sign at the point and remembered, and so is every divisor. Afterwards the
remembered signs, by exact root isolation, give the interval around the point on which the program takes the same
branches, so that its result is the traced function there. Intervals are collected until they cover everything but the
break points; there, rational or not, the program is run again, and signs are decided by minimal polynomials.

The exponent k is 1 until the program takes a root of a power of t.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lpmech.errors import SolverError
from lpmech.prove.rational_functions import as_rational, exact_order, same_sign_interval, simplest_between
from lpmech.prove.trace import BreakPoint, NeedsRoot, T, Trace, UnfollowableError, running
from lpmech.prove.traced import Traced, parameter

__all__ = ["Cover", "Piece", "Raised", "Spot", "Traced", "UnfollowableError", "cover", "pieces"]

_MOST_PIECES = 60
_LARGEST_ROOT = 60


@dataclass(frozen=True)
class Raised:
    """In place of a result: the program raised this."""

    error: Exception

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}"


@dataclass(frozen=True)
class Piece:
    """An open interval of s and the result of the program as a function of s on it.

    Attributes
    ----------
    lower, upper : sympy expression
        End points, exact algebraic numbers or oo.
    result : object
        What the program returned there, or `Raised`.
    point : sympy Rational
        Where it was run.
    """

    lower: sp.Expr
    upper: sp.Expr
    result: Any
    point: sp.Rational


@dataclass(frozen=True)
class Spot:
    """A break point, and what the program does there.

    Attributes
    ----------
    point : sympy expression
        An exact algebraic number.
    number : Traced
        s at this point.
    result : object
        What the program returned there, or `Raised`.
    """

    point: sp.Expr
    number: Traced
    result: Any


@dataclass(frozen=True)
class Cover:
    """Everything that a program does for t > 1, where t = s^root.

    Attributes
    ----------
    root : int
    pieces : tuple of Piece
    spots : tuple of Spot
        The break points between the pieces.
    """

    root: int
    pieces: tuple[Piece, ...]
    spots: tuple[Spot, ...]


def cover(program: Callable[[Traced], Any]) -> Cover:
    """Everything that a program does for t > 1: pieces, and the break points between them.

    Raises
    ------
    UnfollowableError
        If it does more with t than arithmetic, roots of powers of t, and comparisons.
    SolverError
        If there are more than 60 pieces.
    """
    root = 1
    while root <= _LARGEST_ROOT:
        try:
            found = _pieces(program, sp.S.One, sp.oo, root)
            spots = tuple(_spot(program, piece.lower, root) for piece in found[1:])
        except NeedsRoot as exc:
            root *= exc.degree
            continue
        return Cover(root, tuple(found), spots)
    raise UnfollowableError(f"a root of degree above {_LARGEST_ROOT}")


def pieces(program: Callable[[Traced], Any], lower: sp.Expr = sp.S.One, upper: sp.Expr = sp.oo) -> list[Piece]:
    """Cover (lower, upper) but for finitely many break points by intervals on which the program is one formula.

    The program takes no roots of t; see `cover`.

    Raises
    ------
    UnfollowableError, SolverError
        As for `cover`.
    """
    try:
        return _pieces(program, sp.sympify(lower), sp.sympify(upper), 1)
    except NeedsRoot as exc:
        raise UnfollowableError(f"a root of degree {exc.degree}") from None


def _pieces(program: Callable[[Traced], Any], lower: sp.Expr, upper: sp.Expr, root: int) -> list[Piece]:
    found: list[Piece] = []
    open_intervals = [(lower, upper)]
    while open_intervals:
        left, right = open_intervals.pop()
        piece = _around(program, left, right, root)
        found.append(piece)
        if len(found) > _MOST_PIECES:
            raise SolverError(f"more than {_MOST_PIECES} pieces")
        open_intervals += [(a, b) for a, b in ((left, piece.lower), (piece.upper, right)) if a != b]
    return sorted(found, key=lambda piece: exact_order(piece.lower))


def _around(program: Callable[[Traced], Any], left: sp.Expr, right: sp.Expr, root: int) -> Piece:
    """The piece within (left, right) around the simplest point that is no break point."""
    end = right
    for _ in range(20):
        point = as_rational(simplest_between(left, end))
        trace = Trace(point)
        try:
            result = _run(program, trace, root)
        except BreakPoint:
            end = point
            continue
        return Piece(*same_sign_interval(trace.conditions, T, point, left, right), result, point)
    raise SolverError(f"only break points found between {left} and {right}")


def _spot(program: Callable[[Traced], Any], point: sp.Expr, root: int) -> Spot:
    trace = Trace(point, on_break_point=True)
    return Spot(point, parameter(trace), _run(program, trace, root))


def _run(program: Callable[[Traced], Any], trace: Trace, root: int) -> Any:
    result: Any
    try:
        with running(trace):
            result = program(parameter(trace, root))
    except TypeError as exc:  # what cannot be done with t
        result = exc
    except Exception as exc:  # the program is the user's own
        result = Raised(exc)
    if trace.ended is not None:
        raise trace.ended  # also where the program has caught it
    if isinstance(result, TypeError):
        raise result
    return result
