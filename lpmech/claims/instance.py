"""An instance of a statement that tells both of the numbers which it compares, whether it holds or not."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

import numpy as np

from lpmech.errors import LabelError
from lpmech.prove.arithmetic import OPPOSITE

__all__ = ["Instance", "apart", "told_of"]

_RELATIONS = {
    "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

#: Most signs of an instance that is told where it holds; of a fraction without its decimal, and beside it.
_LINE, _SHORT, _LONG = 200, 12, 24

#: Most bits of a number that is written with all digits.
_BITS = 10_000


@dataclass(frozen=True)
class Instance:
    """Two values that a check compares at one point; it yields this in the place of a bool and of words.

    Parameters
    ----------
    where : str
        The point, and what is compared at it: ``"K = 3, t = 2: the hit rate"``.
    left : object
        What was found: a number, exact or a ball, or a sequence or matrix of numbers.
    relation : {"==", "!=", "<", "<=", ">", ">="}
        What is required.
    right : object
        What the formula, or the other side, is.

    Attributes
    ----------
    holds : bool

    Raises
    ------
    LabelError
        If the relation is none of these, or the two sides cannot be compared by it.
    """

    where: str
    left: Any
    relation: str
    right: Any
    holds: bool = field(init=False)

    def __post_init__(self) -> None:
        if self.relation not in _RELATIONS:
            raise LabelError("relation", repr(self.relation), f"one of {', '.join(_RELATIONS)}")
        # numpy would repeat the entries of one of two shapes, and all of no entries hold
        shapes = {side.shape for side in (self.left, self.right) if isinstance(side, np.ndarray)}
        if len(shapes) > 1 or any(0 in shape for shape in shapes):
            raise LabelError("instance", self.where, f"arrays of one shape with entries, not of {shapes}")
        try:
            holds = bool(np.all(_RELATIONS[self.relation](self.left, self.right)))
        except (TypeError, ValueError) as exc:
            allowed = f"two sides that can be compared by {self.relation} ({exc})"
            raise LabelError("instance", self.where, allowed) from exc
        object.__setattr__(self, "holds", holds)

    @property
    def told(self) -> str:
        """In words: what is so, and of an equation that fails, that it is not."""
        return f"{self.where}: {self.sides}"

    @property
    def sides(self) -> str:
        """Both sides, and how they compare."""
        left, right = in_numbers(self.left, _LONG), in_numbers(self.right, _LONG)
        if self.relation == "==" and not self.holds:
            return f"{left}, not {right}"
        sign = self.relation if self.holds else OPPOSITE[self.relation]
        return f"{left} {'=' if sign == '==' else sign} {right}"

    @property
    def apart(self) -> float:
        """How far apart the two sides are, relative to the larger one; 0 where they are no numbers."""
        try:
            left, right = Fraction(self.left), Fraction(self.right)
        except (TypeError, ValueError, OverflowError):
            return 0.0
        return apart(left, right)

    @property
    def as_row(self) -> dict[str, str]:
        """For JSON, as `lpmech.statements.witness.Witness.as_row`: numbers as text."""
        left, right = in_numbers(self.left), in_numbers(self.right)
        return {"where": self.where, "relation": self.relation, "left": left, "right": right}


def apart(left: Fraction, right: Fraction) -> float:
    """How far apart two numbers are, relative to the larger one: 0 to 2."""
    return float(abs(left - right) / max(abs(left), abs(right), Fraction(1, 10**300)))


def in_numbers(value: Any, most: float = inf) -> str:
    """A value for people: a sequence in brackets, a matrix row by row; with seven digits a ball, and what is longer."""
    inside = partial(in_numbers, most=most)
    match value:
        case str():
            return value
        case float():
            return f"{value:.7g}"
        case np.ndarray():
            return inside(value.tolist())
        case Mapping():
            return ", ".join(f"{name}: {inside(one)}" for name, one in value.items())
        case list() | tuple() if value and all(isinstance(row, list | tuple) for row in value):
            return "; ".join(map(inside, value))
        case Iterable():
            return f"({', '.join(map(inside, value))})"
        case int() | Fraction() if max(map(int.bit_length, value.as_integer_ratio())) > _BITS:
            return _seven_digits(value)
        case Fraction() if len(str(value)) > _SHORT:
            return f"{value} ({_seven_digits(value)})" if len(str(value)) <= most else _seven_digits(value)
    shown = value.str(7, radius=False) if hasattr(value, "str") else str(value)
    return "0" if shown.startswith("0e") else shown


def _seven_digits(value: Fraction | int) -> str:
    try:
        near = float(value)
    except OverflowError:
        near = inf
    if value and near in (0, inf):
        return f"{Context(prec=7).divide(*map(Decimal, value.as_integer_ratio())).normalize():e}"
    return f"{near:.7g}"


def told_of(instances: Sequence[Instance]) -> tuple[str, ...]:
    """The first and the last of instances that hold, of those that fit on a line."""
    lines = (instance.told for instance in (*instances[:1], *instances[-1:]))
    return tuple(dict.fromkeys(line for line in lines if len(line) <= _LINE))
