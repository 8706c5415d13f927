"""The numbers that stand in the code of functions: where one may break, so that it is called there as well."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from typing import Any

from lpmech.files.reached import codes_of, reached
from lpmech.statements.domain import EPSILON, LARGEST_EPSILON, Domain
from lpmech.statements.numbers import exactly_as_written

__all__ = ["beside", "written_in", "written_points"]

#: How many points at numbers of its code are tried, in how many parts of the code, and how long these are.
_WRITTEN, _PARTS, _LONGEST = 120, 300, 40
#: Larger real numbers are not tried; those of larger denominators are tolerances.
_MOST, _DENOMINATOR = 5000, 1000


def written_in(function: Any) -> set[Fraction]:
    """The numbers that stand in the code of a function and of those of its module, and in what they reach by name."""
    own = getattr(function, "__module__", None)
    parts = [function, *(part for _, part, _ in islice(reached(function), _PARTS))]
    codes = (code for part in parts if getattr(part, "__module__", own) == own for code in codes_of(part))
    return set(_numbers([*parts, *(code.co_consts for code in codes)]))


def _numbers(parts: Iterable[Any]) -> Iterator[Fraction]:
    for part in parts:
        if isinstance(part, (tuple, list, set, frozenset, Mapping)):
            yield from _numbers(part)
        elif isinstance(part, (int, float, str, Fraction)) and len(str(part)) < _LONGEST:
            exact = exactly_as_written(part)
            yield from () if exact is None else (exact,)


def beside(point: Mapping[str, Any], names: Sequence[str], numbers: Collection[Fraction]) -> Iterator[dict[str, Any]]:
    """Points at and beside numbers: one parameter there, the others as at a point, or all beyond the largest."""
    if not numbers:
        return
    bases = [dict(point), {**point, **dict.fromkeys(names, max(numbers) + 1)}]
    near = sorted({number + step for number in numbers for step in (-1, 0, 1)})
    yield from ({**base, name: value} for base, value, name in islice(product(bases, near, names), _WRITTEN))


def written_points(domain: Domain, functions: Iterable[Any], largest: int) -> list[dict[str, Any]]:
    """Points of a domain at numbers that stand in the code of functions, with whole numbers up to a largest one."""
    numbers = {n for function in functions for n in written_in(function) if n.denominator <= _DENOMINATOR}
    names = [p.name for p in domain.parameters if p.values is None]
    most = {p.name: largest if p.whole else LARGEST_EPSILON if p.name in EPSILON else _MOST for p in domain.parameters}
    whole = [p.name for p in domain.parameters if p.whole]
    usable = {n for n in numbers if abs(n) < max(most.values(), default=0)}

    def called(point: Mapping[str, Any]) -> bool:
        return (
            all(point[name].denominator == 1 for name in whole)
            and all(abs(point[name]) <= bound for name, bound in most.items())
            and domain.holds(point)
        )

    known = domain.points if domain.parameters else ({},)
    found = (domain.completed(point) for point in beside(known[0], names, usable))
    return [point for point in found if called(point) and point not in known]
