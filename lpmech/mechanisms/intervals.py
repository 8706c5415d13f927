"""Numbers, intervals and radii as mechanisms on the real line take them: each checked once, by one function."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from lpmech.entries import Array, Number, open_probability
from lpmech.errors import InvalidInputError, PrivacyLevelError

__all__ = ["as_numbers", "as_ends", "as_radius", "broadcast", "as_inside", "as_interval", "as_delta"]


def as_numbers(values: object, argument: str) -> Array:
    """The values as floats (infinities allowed).

    Raises
    ------
    InvalidInputError
        If an entry is not a real number, or NaN.
    """
    try:
        raw = np.asarray(values)
        if raw.dtype.kind not in "iuf" and not (raw.dtype.kind == "O" and all(map(_is_number, raw.ravel().tolist()))):
            raise ValueError("no numbers")
        numbers = raw.astype(float)
    except (TypeError, ValueError, OverflowError) as exc:
        raise InvalidInputError(argument, values, "real numbers") from exc
    if np.any(np.isnan(numbers)):
        raise InvalidInputError(argument, values, "real numbers")
    return numbers


def _is_number(value: object) -> bool:
    """Whether an entry of an object array is a real number, of Python, numpy or sympy."""
    return (isinstance(value, Real) and not isinstance(value, bool)) or getattr(value, "is_number", False) is True


def as_ends(low: object, high: object) -> tuple[Array, Array]:
    """Ends of intervals, low <= high, of shapes that broadcast.

    Raises
    ------
    InvalidInputError
        If they are anything else.
    """
    a, b = broadcast(low=as_numbers(low, "low"), high=as_numbers(high, "high"))
    if np.any(a > b):
        raise InvalidInputError("low", low, f"numbers <= high = {high}")
    return a, b


def as_radius(radius: object) -> Array:
    """Radii of balls.

    Raises
    ------
    InvalidInputError
        If one is negative or not finite.
    """
    r = as_numbers(radius, "radius")
    if np.any((r < 0) | ~np.isfinite(r)):
        raise InvalidInputError("radius", radius, "finite numbers that are not negative")
    return r


def broadcast(**arguments: Array) -> tuple[Array, ...]:
    """The arrays in one shape.

    Raises
    ------
    InvalidInputError
        If their shapes do not fit together; it names the first argument.
    """
    try:
        return tuple(np.broadcast_arrays(*arguments.values()))
    except ValueError as exc:
        (name, first), *others = arguments.items()
        fitting = ", ".join(f"{other} {array.shape}" for other, array in others)
        raise InvalidInputError(name, f"shape {first.shape}", f"a shape that broadcasts with {fitting}") from exc


def as_inside(true: object, domain: tuple[float, float]) -> Array:
    """True values as floats.

    Raises
    ------
    InvalidInputError
        If one is not a number or lies outside the domain.
    """
    x = as_numbers(true, "true")
    low, high = domain
    outside = ~((x >= low) & (x <= high))
    if np.any(outside):
        raise InvalidInputError("true", x[outside].flat[0], f"numbers in the domain [{low:g}, {high:g}]")
    return x


def as_interval(ends: tuple[Number, Number], argument: str) -> tuple[float, float]:
    """A pair of finite numbers low < high as floats.

    Raises
    ------
    InvalidInputError
        If it is anything else.
    """
    allowed = "a pair of finite numbers low < high"
    try:
        low, high = ends
    except (TypeError, ValueError) as exc:
        raise InvalidInputError(argument, ends, allowed) from exc
    for end in (low, high):
        if isinstance(end, bool) or not isinstance(end, Real) or not math.isfinite(end):
            raise InvalidInputError(argument, ends, allowed)
    if not low < high:
        raise InvalidInputError(argument, ends, allowed)
    return float(low), float(high)


def as_delta(delta: float) -> float:
    """A failure probability strictly between 0 and 1.

    Raises
    ------
    PrivacyLevelError
        If it is anything else.
    """
    return open_probability(delta, "delta", PrivacyLevelError)
