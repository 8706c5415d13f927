"""What has to hold of a matrix: that it is a channel, private, tight, optimal."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lpmech.entries import extremes, widest
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.statements.domain import Domain, Parameter, with_next
from lpmech.statements.following import Called, called
from lpmech.statements.numbers import Requirement, Requirements, Table, entries_of, is_generic, is_recorded, number
from lpmech.statements.statement import NotFollowedError

__all__ = [
    "Attained", "Level", "channel_of", "constant_level", "equal", "is_channel", "level_of", "monotone", "private",
    "private_channel_of", "tight_channel_of",
]  # fmt: skip

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Level:
    """A privacy level, which may depend on the parameters.

    Attributes
    ----------
    text : str
        What is shown of it.
    ratio : callable
        e^epsilon at values of the parameters; of a float epsilon the float.
    constant : PrivacyLevel or None
        The level, where it does not depend on them.
    """

    text: str
    ratio: Callable[[Mapping[str, Any]], Any]
    constant: PrivacyLevel | None = None

    def at_most(self, at: Mapping[str, Any], table: Any) -> Any:
        """e^epsilon, of a float epsilon rounded down to a rational number where entries are exact."""
        entries = table.entries() if is_generic(table) else list(itertools.chain(*table.rows))
        if self.constant is None:
            return self.ratio(at)
        if all(type(entry) is Fraction for entry in entries):
            return self.constant.ratio_below
        followed = next((entry for entry in entries if is_recorded(entry)), None)
        if followed is not None and not isinstance(self.constant.ratio, Fraction):
            return followed.like(self.constant.epsilon).exp()
        return self.ratio(at)


def level_of(epsilon: object, ratio: object, domain: Domain) -> Level:
    """The level that is given by one of epsilon and ratio.

    Raises
    ------
    InvalidInputError
        If both or none are given.
    PrivacyLevelError, FormulaError
        If the one that is given is not usable.
    """
    if (epsilon is None) == (ratio is None):
        got = "neither" if epsilon is None else f"both, epsilon = {epsilon!r} and ratio = {ratio!r}"
        raise InvalidInputError("epsilon", got, "one of epsilon and ratio, which is e^epsilon")
    if isinstance(epsilon, str) or callable(epsilon):
        of_point = called(epsilon, "epsilon", domain, number)
        name = _named(epsilon)
        text = name if name in ("epsilon", "eps") else f"epsilon = {name}"
        return Level(text, lambda at: _exponential(of_point(at)))
    if epsilon is not None:
        return constant_level(as_privacy_level(epsilon))  # type: ignore[arg-type]
    if callable(ratio) or (isinstance(ratio, str) and any(c.isalpha() for c in ratio)):
        return Level(f"e^epsilon = {_named(ratio)}", called(ratio, "ratio", domain, number))
    return constant_level(PrivacyLevel.from_ratio(ratio))  # type: ignore[arg-type]


def _named(value: object) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", "a function")


def _exponential(value: Any) -> Any:
    return value.exp() if is_recorded(value) else math.exp(value)


def constant_level(level: PrivacyLevel) -> Level:
    """A level that is the same for all parameters."""
    return Level(str(level), lambda _: level.ratio, level)


def channel_of(rows: Called) -> Requirements:
    """The values of a function are channels."""
    return lambda at: is_channel(rows(at))


def private_channel_of(rows: Called, level: Level) -> Requirements:
    """They are channels, and private."""

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        table = rows(at)
        yield from is_channel(table)
        yield from private(table, level.at_most(at, table), level.text)

    return requirements


def tight_channel_of(rows: Called, level: Level) -> Requirements:
    """They are channels, private, and some two entries of a column have the ratio e^epsilon."""
    attained, private_of = Attained(level.text), private_channel_of(rows, level)

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        yield from private_of(at)
        yield from attained(rows(at), level.ratio(at))

    return requirements


def equal(first: Called, second: Called) -> Requirements:
    """Two functions, of numbers or matrices, have the same values."""

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        left, right = first(at), second(at)
        shape, other = _shape(left), _shape(right)
        if shape != other:
            raise InvalidInputError("g", f"a result of shape {other}", f"the shape of f, {shape}")
        for i, (a, b) in enumerate(zip(entries_of(left), entries_of(right), strict=True)):
            where = f"entry ({i // shape[1]}, {i % shape[1]}): " if shape else ""
            yield Requirement(a, "==", b, "equal", {"where": where}, 1.0)

    return requirements


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value.inputs), len(value.outputs)) if type(value) is Table else ()


def monotone(value: Called, domain: Domain, parameter: Parameter, rising: bool) -> tuple[Domain, Requirements]:
    """A function does not fall, or does not rise, in a parameter: the domain of neighbours, and what they require."""
    pairs, larger = with_next(domain, parameter)
    listed, name = sorted(parameter.values or ()), parameter.name
    following = dict(itertools.pairwise(listed)).__getitem__ if listed else lambda here: here + 1

    def requirements(at: Mapping[str, Any]) -> Iterator[Requirement]:
        here = at[name]
        beyond = at[larger] if larger else following(here)
        low, high = value({**at, name: here}), value({**at, name: beyond})
        place = {"parameter": name, "here": here, "beyond": beyond, "low": low, "high": high}
        upper, lower = (high, low) if rising else (low, high)
        yield Requirement(upper, ">=", lower, "monotone", place)

    return pairs, requirements


def is_channel(table: Any) -> Iterator[Requirement]:
    """No entry is negative, and rows sum to one."""
    yield from not_negative(table)
    yield from sums_to_one(table)


def not_negative(table: Any) -> Iterator[Requirement]:
    """No entry is negative, but for the rounding of a sum of one of which it is a term."""
    name = "no negative entry"
    if is_generic(table):
        yield from (Requirement(entry, ">=", _ZERO, name) for entry in table.entries())
        return
    for y, row in zip(table.inputs, table.rows, strict=True):
        for j, entry in zip(table.outputs, row, strict=True):
            yield Requirement(entry, ">=", _ZERO, name, {"output": j, "input": y}, 1.0)


def sums_to_one(table: Any) -> Iterator[Requirement]:
    """Rows sum to one."""
    name = "rows sum to one"
    if is_generic(table):
        yield Requirement(table.total(), "==", _ONE, name)
        return
    for y, row in zip(table.inputs, table.rows, strict=True):
        total = math.fsum(row) if all(type(v) is float for v in row) else sum(row[1:], row[0])
        yield Requirement(total, "==", _ONE, name, {"input": y})


def private(table: Any, ratio: Any, text: str) -> Iterator[Requirement]:
    """No entry is more than e^epsilon times another one of its column."""
    if is_generic(table):
        for low, high in itertools.product(table.entries(elsewhere=True), table.entries()):
            yield Requirement(ratio * low, ">=", high, "private")
        return
    for j, column in enumerate(zip(*table.rows, strict=True)):
        for high, low in _pairs(column):
            place = _place(table, j, high, low, text, ratio)
            yield Requirement(ratio * column[low], ">=", column[high], "private", place)


def _place(table: Table, j: int, high: int, low: int, text: str, ratio: Any) -> dict[str, Any]:
    """Two entries of a column, for the sentence about them."""
    return {
        "output": table.outputs[j], "likely": table.inputs[high], "unlikely": table.inputs[low],
        "above": table.rows[high][j], "under": table.rows[low][j], "level": text, "ratio": ratio,
    }  # fmt: skip


class Attained:
    """The largest ratio of two entries of a column is e^epsilon.

    Of numbers the largest ratio is looked up. Of functions of the parameters it would have to be compared everywhere:
    there, a pair of entries that had the ratio at every point that was called is shown to have it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._pairs: dict[tuple[int, int], set[tuple[int, int, int]]] = {}

    def __call__(self, table: Any, ratio: Any) -> Iterator[Requirement]:
        """What has to hold."""
        if is_generic(table):
            if not (common := set.intersection(*self._pairs.values())):
                raise NotFollowedError("no pair of entries has the ratio for every number of labels", 1)
            j, high, low = min(common)
            yield Requirement(ratio * table.at(low, j), "==", table.at(high, j), "tight")
            return
        shape = len(table.inputs), len(table.outputs)
        columns = list(zip(*table.rows, strict=True))
        plain = all(map(_is_number, itertools.chain(*columns)))
        if not plain and self._pairs.get(shape):
            yield self._requirement(table, ratio, *min(self._pairs[shape]))
            return
        best = widest(columns, _comparison(itertools.chain(*columns)))
        if best is None:
            raise InvalidInputError("channel", "a matrix of zeros", "a channel")
        if plain:
            reached = {
                (j, y, z)
                for j, column in enumerate(columns)
                for high, low in [extremes(column, _comparison(column))]
                if self._requirement(table, ratio, j, high, low).holds and column[low] > 0
                for y, above in enumerate(column)
                for z, under in enumerate(column)
                if above == column[high] and under == column[low]
            }
            if reached:  # else floats miss it here
                self._pairs[shape] = self._pairs.get(shape, reached) & reached
        yield self._requirement(table, ratio, *best)

    def _requirement(self, table: Table, ratio: Any, j: int, high: int, low: int) -> Requirement:
        place = _place(table, j, high, low, self._text, ratio)
        return Requirement(ratio * table.rows[low][j], "==", table.rows[high][j], "tight", place)


def _is_number(value: Any) -> bool:
    """Whether comparisons of it tell what holds at a point, not in how many cases a function has to be followed."""
    if is_recorded(value):
        return bool(value.path.stands)
    return type(value).__name__ != "Traced"


def _comparison(values: Iterable[Any]) -> Callable[[Any, Any], bool]:
    """a > b, decided exactly of sympy's numbers."""
    if not any(type(value).__module__.startswith("sympy.") for value in values):
        return operator.gt
    from lpmech.statements.numeric import above

    return above


def _pairs(column: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """The rows to be compared: of numbers the largest with the smallest, of formulas all that differ."""
    if all(map(_is_number, column)):
        yield extremes(column, _comparison(column))
        return
    first: dict[Any, int] = {}
    for y, value in enumerate(column):
        first.setdefault(_formula(value), y)
    yield from itertools.permutations(first.values(), 2)


def _formula(value: Any) -> Any:
    return value.node if is_recorded(value) else getattr(value, "_element", value)
