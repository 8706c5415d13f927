"""What fails, where, and by which two sides: one object, from which every sentence about it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from lpmech.statements.numbers import Requirement, in_words, shown_number

__all__ = ["DEFINED", "Witness"]

#: The requirement that a function has a value; the two sides are then nothing.
DEFINED = "defined"


@dataclass(frozen=True)
class Witness:
    """A point at which a requirement is violated.

    Attributes
    ----------
    point : mapping
        Values of the parameters: Fractions, or sympy's algebraic numbers; a prior is a tuple.
    requirement : str
        The name of what fails.
    left, relation, right : object
        Its two sides there.
    place : mapping
        Where in a matrix, and what else the sentence tells: see `lpmech.statements.properties`.
    """

    point: Mapping[str, Any]
    requirement: str
    left: Any = None
    relation: str = ""
    right: Any = None
    place: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, failing: Requirement, point: Mapping[str, Any]) -> Witness:
        """The witness that a requirement which fails is."""
        left, right = _number(failing.left), _number(failing.right)
        place = {name: _number(value) for name, value in failing.place.items()}
        return cls(dict(point), failing.name, left, failing.relation, right, place)

    @property
    def where(self) -> str:
        """The point in words."""
        return ", ".join(f"{name}{_shown(value)}" for name, value in self.point.items())

    @property
    def told(self) -> str:
        """What fails, in a sentence or a few lines."""
        first, *others = _SENTENCES.get(self.requirement, _against)(self).split("\n")
        return "\n".join([first + _apart(self), *others])

    @property
    def is_nice(self) -> bool:
        """Whether both sides are numbers that a person can check by hand."""
        return all(side is None or type(side) in (Fraction, float, int) for side in (self.left, self.right))

    @property
    def is_exact(self) -> bool:
        """Whether no side is a float."""
        return not any(isinstance(side, float) for side in (self.left, self.right))

    @property
    def as_row(self) -> dict[str, Any]:
        """For JSON: numbers as text."""
        point = {name: [*map(str, v)] if isinstance(v, tuple) else str(v) for name, v in self.point.items()}
        sides = {name: None if v is None else str(v) for name, v in (("left", self.left), ("right", self.right))}
        return {"point": point, "requirement": self.requirement, "relation": self.relation, **sides}

    def __str__(self) -> str:
        return f"{self.where}: {self.told}" if self.point else self.told


def _number(value: Any) -> Any:
    """A side as a number: one that was followed as it is at its point."""
    if type(value).__name__ != "Traced":
        return value
    from lpmech.prove.trace import T

    exact = value.expression.subs(T, value.point)
    return Fraction(int(exact.p), int(exact.q)) if exact.is_Rational else exact


def _shown(value: Any) -> str:
    """A value after its name."""
    return f" ({', '.join(map(str, value))})" if isinstance(value, tuple) else f" = {in_words(value)}"


# ---- sentences


def _apart(w: Witness) -> str:
    """By how much the sides differ, where the digits that are shown of them do not tell."""
    sides = [side for side in (w.left, w.right) if type(side) is Fraction]
    shown = {shown_number(side).rpartition(" = ")[2] for side in sides}
    if len(sides) < 2 or sides[0] == sides[1] or len(shown) > 1:
        return ""
    return f"; the sides are {float(abs(sides[0] - sides[1])) or 1e-300:.2g} apart"


def _against(w: Witness) -> str:
    return f"{w.place.get('where', '')}{shown_number(w.left)} against {shown_number(w.right)}"


def _two_rows(w: Witness) -> str:
    above, under = w.place["above"], w.place["under"]
    ratio = "infinite" if under == 0 else shown_number(above / under)
    return (
        f"output {w.place['output']!r}: {shown_number(above)} for input {w.place['likely']!r} against "
        f"{shown_number(under)} for input {w.place['unlikely']!r}, ratio {ratio}"
    )


def _allowed(w: Witness) -> str:
    text, value = w.place["level"], shown_number(w.place["ratio"])
    return text if text.endswith(value) else f"e^epsilon = {value.rpartition(' = ')[2]} ({text})"


def _monotone(w: Witness) -> str:
    name, sides = w.place["parameter"], ((w.place["low"], w.place["here"]), (w.place["high"], w.place["beyond"]))
    return ", ".join(f"{shown_number(value)} at {name} = {at}" for value, at in sides)


def _optimal(w: Witness) -> str:
    better = w.place.get("better")
    text = f"{w.place['called']} {shown_number(w.left)}, the optimum is {shown_number(w.right)}"
    return text if better is None else f"{text}, of\n{rows_in_words(better.matrix.tolist())}"


def _garbling(w: Witness) -> str:
    names = w.place["names"]
    return (
        f"{names[1]} is better for this worth of its outputs (a row for each input, inputs summed)\n"
        f"{rows_in_words(w.place['better'].tolist(), 10**9)}\n"
        f"{shown_number(w.right)} against at most {shown_number(w.left)} of {names[0]}, whatever is made of its outputs"
    )


def _worth(w: Witness) -> str:
    names = w.place["names"]
    return f"expected utility {shown_number(w.left)} of {names[0]}, {shown_number(w.right)} of {names[1]}"


_SENTENCES: dict[str, Callable[[Witness], str]] = {
    DEFINED: lambda w: str(w.place["told"]),
    "no negative entry": lambda w: (
        f"output {w.place['output']!r} for input {w.place['input']!r}: {shown_number(w.left)} is negative"
    ),
    "rows sum to one": lambda w: f"row {w.place['input']!r} sums to {shown_number(w.left)}, not 1",
    "private": lambda w: f"{_two_rows(w)}, more than {_allowed(w)}",
    "tight": lambda w: f"the largest ratio is of {_two_rows(w)}, not {_allowed(w)}",
    "monotone": _monotone,
    "optimal": _optimal,
    "dominates": _garbling,
    "expected utility": _worth,
    "relation": lambda w: str(w.place["told"]),
    "pinned": lambda w: (
        f"{w.place['where']}pinned {shown_number(w.right)}\n{w.place['where']}now    {shown_number(w.left)}"
    ),
}


def rows_in_words(rows: list[list[Any]], most: int = 8) -> str:
    """The first rows and columns of a matrix, in lines."""
    shown = [[shown_number(v).split(" = ")[0] for v in row[:most]] for row in rows[:most]]
    width = max(len(text) for row in shown for text in row)
    lines = ["  " + "  ".join(text.rjust(width) for text in row) for row in shown]
    return "\n".join([*lines, *(["  ..."] if len(rows) > most or len(rows[0]) > most else [])])
