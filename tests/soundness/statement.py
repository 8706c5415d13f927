"""A statement with its truth, and the independent check that the truth is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import sympy as sp

from soundness.evaluate import UndefinedError, holds

__all__ = ["Domain", "Statement", "mislabelled", "violated", "within"]

#: Draws the value of one symbol, given those of the symbols before it.
Draw = Callable[[Random, Mapping[sp.Symbol, Any]], Any]
Point = dict[sp.Symbol, Any]

_TRIES = 400


@dataclass(frozen=True)
class Domain:
    """Hypotheses, and a way to draw points that satisfy them.

    Attributes
    ----------
    hypotheses : tuple of sympy relations
        The domain.
    ranges : mapping of symbol to Draw
        Drawn in this order; points outside the hypotheses are thrown away.
    above_one, counting, unit : tuples of symbols
        Reals above 1, integers of at least 1, and reals in [0, 1] on the whole domain: what rewriting may use.
    """

    hypotheses: tuple[Any, ...]
    ranges: Mapping[sp.Symbol, Draw]
    above_one: tuple[sp.Symbol, ...] = ()
    counting: tuple[sp.Symbol, ...] = ()
    unit: tuple[sp.Symbol, ...] = ()

    def draw(self, rng: Random, fixed: Mapping[sp.Symbol, Any] | None = None) -> Point:
        """A point inside the hypotheses with the fixed values.

        Raises
        ------
        LookupError
            If none was found.
        """
        given = fixed or {}
        for _ in range(_TRIES):
            point: Point = {}
            for symbol, draw in self.ranges.items():
                point[symbol] = given[symbol] if symbol in given else draw(rng, point)
            if within(self.hypotheses, point):
                return point
        raise LookupError(f"no point of {self.hypotheses} with {given}")


@dataclass(frozen=True)
class Statement:
    """A statement and what is known of it.

    Attributes
    ----------
    shape : str
        Kind, such as ``a identity``.
    line : str
        What a person would say it is.
    truth : bool or None
        Known by construction; None where a careful reader says neither: the hypotheses contradict each other.
    conclusion, hypotheses
        What the engine gets.
    domain : Domain or None
        Where a true statement is spot-checked.
    witness : mapping or None
        Where a false statement fails.
    """

    shape: str
    line: str
    truth: bool | None
    conclusion: Any
    hypotheses: tuple[Any, ...] = ()
    domain: Domain | None = field(default=None, repr=False)
    witness: Mapping[sp.Symbol, Any] | None = None

    def __str__(self) -> str:
        given = f"  given {', '.join(map(str, self.hypotheses))}" if self.hypotheses else ""
        return f"[{self.truth}] {self.line}: {self.conclusion}{given}"


def within(hypotheses: tuple[Any, ...], point: Mapping[sp.Symbol, Any]) -> bool:
    """Whether a point satisfies the hypotheses, those declared on its symbols included.

    Where a hypothesis has no value it is not satisfied.
    """
    try:
        return all(_as_declared(s, point) for s in point) and all(holds(h, point) for h in hypotheses)
    except UndefinedError:
        return False


def _as_declared(symbol: sp.Symbol, point: Mapping[sp.Symbol, Any]) -> bool:
    meanings = [
        (symbol.is_integer, sp.Eq(sp.floor(symbol, evaluate=False), symbol, evaluate=False)),
        (symbol.is_even, sp.Eq(sp.Mod(symbol, 2, evaluate=False), 0, evaluate=False)),
        (symbol.is_positive, sp.Gt(symbol, 0, evaluate=False)),
        (symbol.is_negative, sp.Lt(symbol, 0, evaluate=False)),
        (symbol.is_nonnegative, sp.Ge(symbol, 0, evaluate=False)),
        (symbol.is_nonpositive, sp.Le(symbol, 0, evaluate=False)),
        (symbol.is_nonzero, sp.Ne(symbol, 0, evaluate=False)),
    ]
    return all(holds(meaning, point) for declared, meaning in meanings if declared)


def mislabelled(statement: Statement, rng: Random, points: int = 50) -> str | None:
    """Why the stated truth is wrong, or None: a true one must hold at random points, a false one fail at its witness."""
    if statement.truth is None:
        return None
    if statement.truth:
        for _ in range(points):
            point = statement.domain.draw(rng) if statement.domain is not None else {}
            if within(statement.hypotheses, point) and not _true_at(statement.conclusion, point):
                return f"called true, fails at {point}"
        return None
    if statement.witness is None:
        return "called false without a witness"
    if not within(statement.hypotheses, statement.witness):
        return f"the witness {statement.witness} is outside the hypotheses"
    if _true_at(statement.conclusion, statement.witness):
        return f"called false, holds at {statement.witness}"
    return None


def violated(statement: Statement, point: Mapping[sp.Symbol, Any]) -> bool:
    """Whether a point is inside the hypotheses and the conclusion is not true there."""
    return within(statement.hypotheses, point) and not _true_at(statement.conclusion, point)


def _true_at(conclusion: Any, point: Mapping[sp.Symbol, Any]) -> bool:
    try:
        return holds(conclusion, point)
    except UndefinedError:
        return False
