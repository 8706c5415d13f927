"""The three answers of the engine: a statement holds, fails at a point, or is undecided."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import sympy as sp

from lpmech.prove.language import Sequent
from lpmech.prove.objects import Node
from lpmech.prove.records import Record

__all__ = [
    "Answer", "Fails", "Holds", "Undecided", "FailingPoint", "both", "direct", "sides_in_words", "together",
]  # fmt: skip

_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}

_ENTRY = re.compile(r"(\w+)\[([\d, ]+)\]")


@dataclass(frozen=True)
class FailingPoint:
    """A point inside the hypotheses at which a statement is violated; both sides were evaluated, twice.

    Attributes
    ----------
    point : mapping of sympy Symbol to sympy number
        Rational or real algebraic values of the symbols, or exponentials and logarithms of such.
    violation : str
        What is violated, with the values of both sides.
    """

    point: Mapping[sp.Symbol, sp.Expr]
    violation: str

    @property
    def named(self) -> dict[str, str]:
        """The point by names; the entries of a vector together, a matrix row by row."""
        shown: dict[str, str] = {}
        vectors: dict[str, dict[tuple[int, ...], str]] = {}
        for symbol, value in self.point.items():
            entry = _ENTRY.fullmatch(str(symbol))
            if entry is None:
                shown[str(symbol)] = str(value)
            else:
                place = tuple(map(int, entry[2].split(",")))
                vectors.setdefault(entry[1], {})[place] = str(value)
        for name, entries in vectors.items():
            rows = groupby(sorted(entries), key=lambda place: place[:-1])
            inner = [f"({', '.join(entries[place] for place in row)})" for _, row in rows]
            shown[name] = inner[0] if len(next(iter(entries))) == 1 else f"({', '.join(inner)})"
        return dict(sorted(shown.items()))

    @property
    def where(self) -> str:
        """The point in words."""
        return ", ".join(f"{name} = {value}" for name, value in self.named.items()) or "everywhere"

    def __str__(self) -> str:
        return f"{self.where}: {self.violation}"


def sides_in_words(left: str, right: str, relation: str, required: str = "") -> str:
    """Both sides of a relation that fails, and what was required of them: by default ``left ≤ right``."""
    asked = required or f"left {_SIGNS.get(relation, relation)} right"
    return f"left side {left}, right side {right}; required: {asked}"


@dataclass(frozen=True)
class Holds:
    """The statement is true at every point of its hypotheses.

    Attributes
    ----------
    methods : tuple of str
        The methods of proof, from the list in `lpmech.prove.engine`.
    example : mapping of Symbol to sympy number
        A point of the hypotheses, which shows that they are satisfiable.
    record : Record or None
        What the search has kept of the proof.
    """

    methods: tuple[str, ...]
    example: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    record: Record | None = field(default=None, compare=False, repr=False)

    @property
    def proof(self) -> Node:
        """The proof as an object; what has none yet is called by its method's name in it."""
        from lpmech.prove.rendering import rendered

        return rendered(self.record, self.method)

    @property
    def method(self) -> str:
        """The methods in words."""
        return ", ".join(self.methods) or "nothing to show"

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True)
class Fails:
    """The statement is false.

    Attributes
    ----------
    witness : FailingPoint
        Where.
    """

    witness: FailingPoint

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Undecided:
    """Neither a proof nor a counterexample was found.

    Attributes
    ----------
    reason : str
        What stood in the way.
    methods : tuple of str
        Which methods of proof were tried.
    points : int
        At how many points of the hypotheses a violation was looked for.
    hints : tuple of str
        What may help.
    implied : Holds, optional
        The proof where only a point of the hypotheses is missing: they contradict each other, or none was found.
    """

    reason: str
    methods: tuple[str, ...] = ()
    points: int = 0
    hints: tuple[str, ...] = ()
    implied: Holds | None = None

    @property
    def told(self) -> str:
        """The reason, what was tried, and what may help."""
        if not self.methods:
            return self.reason
        tried = f"no proof by {', '.join(self.methods)}; no violation at {self.points} points"
        return f"{self.reason}. Tried: {tried}. What may help: {'; '.join(self.hints)}"

    def __bool__(self) -> bool:
        return False


Answer = Holds | Fails | Undecided


def direct(method: str, statement: Sequent) -> Holds:
    """A proof without parts."""
    return Holds((method,), record=Record(method, statement))


def together(how: str, statement: Sequent, answers: Sequence[Holds | Undecided], data: Any = None) -> Holds | Undecided:
    """What several answers make together."""
    for answer in answers:
        if isinstance(answer, Undecided):
            return answer
    shown = [answer for answer in answers if isinstance(answer, Holds)]
    records = tuple(answer.record for answer in shown if answer.methods != ("cases",))
    methods = tuple(dict.fromkeys(method for answer in shown for method in answer.methods))
    whole = None if None in records else Record(how, statement, tuple(filter(None, records)), data)
    return Holds(methods, record=whole)


def both(first: Holds | Undecided, second: Holds | Undecided) -> Holds | Undecided:
    """What two answers make together."""
    if isinstance(first, Undecided) or isinstance(second, Undecided):
        return first if isinstance(first, Undecided) else second
    return Holds(tuple(dict.fromkeys(first.methods + second.methods)))
