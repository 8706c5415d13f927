"""What a user's function may return: exact numbers and floats, in a matrix or alone; how two of them are compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import rational_from_text
from lpmech.errors import InvalidInputError

__all__ = [
    "FLOATS",
    "ROUNDING",
    "TOLERANCE",
    "NoNumberError",
    "Requirement",
    "Requirements",
    "Table",
    "entries_of",
    "exactly_as_written",
    "is_generic",
    "in_words",
    "is_recorded",
    "number",
    "number_or_table",
    "shown_number",
    "table",
]

#: Floats that differ relatively by less than this are taken for equal.
TOLERANCE = 1e-9
#: How they are compared, in words.
FLOATS = f"floats, up to rounding {TOLERANCE:g}; exactly: not checked"
#: What rounding does to a sum, relative to the size of its terms: some thousand roundings.
ROUNDING = 2.0**-40

#: Numbers that stand for functions of the parameters; to ask them what they are would end a trace.
_FOLLOWED = {"Traced", "Recorded"}


def is_recorded(value: Any) -> bool:
    """Whether it is a number of `lpmech.statements.recording`, which need not be loaded for that."""
    return type(value).__name__ == "Recorded"


def is_generic(value: Any) -> bool:
    """Whether it is a matrix of `lpmech.statements.generic`."""
    return type(value).__name__ == "Generic"


class NoNumberError(ArithmeticError):
    """A function gives something that is not finite."""


class Requirement(NamedTuple):
    """left == right or left >= right, its name, where it is asked, and the size of the terms that a side sums."""

    left: Any
    relation: str
    right: Any
    name: str
    place: Mapping[str, Any] = MappingProxyType({})
    scale: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether it does: exactly for exact numbers, for floats up to `TOLERANCE`, relatively."""
        return self.holds_beside(0.0)

    def holds_beside(self, scale: float) -> bool:
        """Whether it holds where floats may also differ by `ROUNDING` times the size of the terms of a sum."""
        left, right = self.left, self.right
        if type(left) is Fraction and type(right) is Fraction:
            return bool(left == right if self.relation == "==" else left >= right)
        if self.is_exact and not (is_recorded(left) or is_recorded(right)):
            from lpmech.statements.numeric import sign

            found = sign(left - right)
            return found == 0 if self.relation == "==" else found >= 0
        if not self.is_exact:
            left, right = float(left), float(right)
        near = abs(left - right) <= max(TOLERANCE * max(abs(left), abs(right)), ROUNDING * scale)
        return bool(near if self.relation == "==" else near or left >= right)

    @property
    def is_exact(self) -> bool:
        """Whether both sides are exact: Fractions, or numbers of sympy's."""
        return not (_is_float(self.left) or _is_float(self.right))

    @property
    def excess(self) -> float:
        """By how much floats miss it: relatively, of a number beside zero absolutely."""
        left, right = float(self.left), float(self.right)
        return abs(left - right) / (max(abs(left), abs(right)) if left and right else 1.0)


def _is_float(value: Any) -> bool:
    if type(value).__module__.startswith("sympy."):
        import sympy as sp

        return bool(value.has(sp.Float))
    return type(value) is float


#: What has to hold at values of the parameters.
Requirements = Callable[[Mapping[str, Any]], Iterable[Requirement]]


class Table(NamedTuple):
    """Rows of numbers with names of inputs and outputs."""

    rows: list[list[Any]]
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


def exactly_as_written(value: object) -> Fraction | None:
    """A number as a Fraction, a float as the decimal that it prints; None if it is no finite number."""
    if isinstance(value, str):
        return rational_from_text(value)
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (float, np.floating)):
        return Fraction(repr(float(value))) if math.isfinite(value) else None
    if isinstance(value, (Rational, np.integer)):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(value) if isinstance(value, Decimal) and value.is_finite() else None


def number(value: Any, argument: str) -> Any:
    """A number as a Fraction or a float, of sympy where it is irrational; what stands for a function stays what it is.

    Raises
    ------
    NoNumberError
        If it is infinite, or not a number.
    InvalidInputError
        If it is of another kind.
    """
    if type(value).__name__ in _FOLLOWED:
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return number(value.item(), argument)
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise NoNumberError(f"{argument} gives {float(value)}")
        return float(value)
    exact = exactly_as_written(value)
    if exact is not None:
        return exact
    if getattr(value, "is_number", False) and type(value).__module__.startswith("sympy."):
        return _of_sympy(value, argument)
    raise InvalidInputError(argument, value, "exact numbers or finite floats: int, Fraction, float, sympy, '1/3'")


def _of_sympy(value: Any, argument: str) -> Any:
    """An irrational number of sympy's stays what it is."""
    import sympy as sp

    if value.has(sp.Float):
        return number(float(value), argument)
    if value.has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I):
        raise NoNumberError(f"{argument} gives {value}, which is no real number")
    return value


def table(value: Any, argument: str) -> Any:
    """A matrix of numbers.

    Raises
    ------
    InvalidInputError
        If it is no rectangular matrix.
    NoNumberError
        If an entry is not finite.
    """
    if is_generic(value):
        return value
    if isinstance(value, Channel):
        return Table(value.matrix.tolist(), value.inputs, value.outputs)
    if hasattr(value, "to_numpy") and hasattr(value, "columns"):  # a DataFrame
        return table(value.to_numpy(), argument)._replace(inputs=tuple(value.index), outputs=tuple(value.columns))
    allowed = "a matrix: one list of entries for each label, or input, all of one length"
    if type(value).__name__ in _FOLLOWED:
        raise InvalidInputError(argument, "a number", allowed)
    rows = value.tolist() if hasattr(value, "tolist") else value  # of numpy or sympy
    if isinstance(rows, (str, bytes, dict)) or not hasattr(rows, "__iter__"):
        raise InvalidInputError(argument, value, allowed)
    found: list[list[Any]] = []
    for row in rows:
        if type(row).__name__ in _FOLLOWED or isinstance(row, (str, bytes, dict)) or not hasattr(row, "__iter__"):
            raise InvalidInputError(argument, value, allowed)
        found.append([number(entry, argument) for entry in row])
    if not found or not found[0] or len({len(row) for row in found}) > 1:
        raise InvalidInputError(argument, f"rows of {[len(row) for row in found]} entries", allowed)
    return Table(found, tuple(range(len(found))), tuple(range(len(found[0]))))


def number_or_table(value: Any, argument: str) -> Any:
    """A number, or a matrix of numbers; raises as `number` and `table` do."""
    if type(value).__name__ in _FOLLOWED or is_generic(value):
        return value
    many = isinstance(value, Channel) or (hasattr(value, "__iter__") and not isinstance(value, str))
    return table(value, argument) if many and getattr(value, "ndim", 2) != 0 else number(value, argument)


def entries_of(value: Any) -> list[Any]:
    """The number, or the entries of the table row by row."""
    return [entry for row in value.rows for entry in row] if type(value) is Table else [value]


def shown_number(value: Any) -> str:
    """A number for people: a Fraction that is long has its decimal beside it."""
    if type(value) is Fraction:
        text = str(value)
        if value.denominator == 1 and len(text) < 25:
            return text
        return f"{text} = {_decimal(value)}" if len(text) < 60 else _decimal(value)
    if isinstance(value, float):
        return f"{value:.12g}"
    if is_recorded(value):
        return "a formula"
    from lpmech.statements.numeric import fraction_of, written

    return shown_number(fraction_of(value)) if getattr(value, "is_Rational", False) else in_words(written(value))


def in_words(value: Any) -> str:
    """A number as text; a root of a polynomial in x, whatever sympy has called its variable."""
    return str(value).replace("_x", "x")


def _decimal(value: Fraction) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return "more than 1.8e308"
