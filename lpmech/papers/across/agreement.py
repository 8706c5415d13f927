"""What the claims here have in common: numbers are compared with the right ones, and what is no argument is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from lpmech.claims import Parts
from lpmech.papers.checks import ball, refuses

#: Found numbers and right ones, or arrays of them, by name.
Named = Iterator[tuple[str, Any, Any]]


def as_ball(value: Any) -> Any:
    """A number, exactly: a float is the number that it is."""
    return (
        value if isinstance(value, arb) else arb(float(value)) if isinstance(value, (float, np.bool_)) else ball(value)
    )


def agrees(where: str, found: Any, right: Any, absolute: float = 0, relative: float = 0) -> bool | str:
    """Whether numbers, or arrays of them, are the right ones: exactly, or as near as is said; else the first that is not.

    The right ones may be balls; a number is near if all of the ball says so.
    """
    one, other = (np.asarray(values, dtype=object) for values in (found, right))
    if one.shape != other.shape:
        return f"{where}: shape {one.shape}, not {other.shape}"
    for place, wanted in np.ndenumerate(other):
        value = one[place]
        if not (value == wanted or ((absolute or relative) and _near(value, wanted, absolute, relative))):
            entry = f", entry {place}" if place else ""
            return f"{where}{entry}: {value}, not {wanted.str(10, radius=False) if isinstance(wanted, arb) else wanted}"
    return True


def _near(value: Any, wanted: Any, absolute: float, relative: float) -> bool:
    right = as_ball(wanted)
    return bool(abs(as_ball(value) - right) <= arb(absolute) + arb(relative) * abs(right))


def refused(error: type[Exception], function: Callable[..., Any], *calls: Iterable[Any]) -> Parts:
    """That the function raises this error for each of the tuples of arguments."""
    for arguments in calls:
        yield refuses(error, function, *arguments) or f"{arguments} are taken"


def with_part(parts: tuple[Any, ...], place: int, other: Any) -> tuple[Any, ...]:
    """Functions, one of them another."""
    return (*parts[:place], other, *parts[place + 1 :])


def compared(where: str, named: Named, absolute: float = 1e-12) -> Parts:
    """What has a name, with the right values; shares of what was drawn are right to a hundredth."""
    for name, found, right in named:
        yield agrees(f"{where}: {name}", found, right, 0.01 if name == "shares drawn" else absolute)


def halved(parts: tuple[Any, ...], *places: int) -> dict[str, Any]:
    """Mutants: of functions, one that is given half of every float and fraction."""

    def of(part: Any) -> Any:
        return lambda *given: part(*(v / 2 if isinstance(v, (float, Fraction)) else v for v in given))

    return {f"{parts[i].__name__} of half the number": with_part(parts, i, of(parts[i])) for i in places}
