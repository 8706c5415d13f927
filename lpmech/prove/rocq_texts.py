"""Small parts of theorems in Rocq: numbers, patterns, and what a formula consists of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.reading import Parsed

__all__ = ["TAKEN", "alternatives", "denominators", "lowered", "numeral", "pattern", "real"]

#: Names that mean something in Rocq, or in the proofs.
TAKEN = {"exp", "ln", "sqrt", "sin", "cos", "INR", "IZR", "R", "PI", "S", "O", "I", "H", "C", "D", "Q", "Z", "N", "E"}


def alternatives(tree: Parsed, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Parsed]]:
    """The parts of a disjunction, and how each is reached."""
    if tree[0] != "or":
        yield way, tree
        return
    for number, part in enumerate(tree[1:]):
        last = number == len(tree) - 2
        yield from alternatives(part, (*way, *["right"] * number, *(() if last else ("left",))))


def real(tree: Parsed) -> Parsed | None:
    """A hypothesis without what it says of whole numbers: the theorem is about all real ones."""
    if tree[0] == "and":
        parts = [part for inner in tree[1:] if (part := real(inner)) is not None]
        return None if not parts else parts[0] if len(parts) == 1 else ("and", *parts)
    return None if tree[0] in ("whole", "true") else tree


def numeral(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator} / {value.denominator})"


def pattern(names: Sequence[str], join: str = " ") -> str:
    return names[0] if len(names) == 1 else f"[{names[0]}{join}{pattern(names[1:], join)}]"


def lowered(monomial: Any, atom: int) -> Any:
    """With one less of an indeterminate."""
    return tuple((i, e - (i == atom)) for i, e in monomial if i != atom or e > 1)


def denominators(tree: Parsed) -> list[Parsed]:
    """What is divided by in a relation, from within."""
    found: list[Parsed] = []

    def walk(part: Parsed) -> None:
        if part[0] in ("number", "name"):
            return
        for inner in part[1:]:
            walk(inner)
        below = part[2] if part[0] == "/" else part[1] if part[0] == "**" and part[2][0] == "-" else None
        if below is not None and below[0] != "number" and below not in found:
            found.append(below)

    walk(tree[1])
    walk(tree[2])
    return found
