"""Arrays of numbers that are either floats or exact rationals, told apart by their dtype.

An array is *exact* when its dtype is ``object`` and every entry is a `fractions.Fraction`; otherwise it
is ``float64``. Integers and Fractions make exact arrays, a single float makes a float array.
"""

from __future__ import annotations

import hashlib
import json
import math
import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from lpmech.errors import InvalidInputError, LabelError

__all__ = [
    "Array",
    "Number",
    "as_array",
    "is_exact",
    "to_float",
    "to_exact",
    "unify",
    "total",
    "by_objects",
    "exact_texts",
    "digest_of",
    "objects_and_places",
    "objects_of",
    "rational_from_text",
    "label_names",
    "names_of_axes",
    "own_names",
    "MOST_LABELS",
    "whole_number",
    "positive_number",
    "open_probability",
    "as_generator",
    "extremes",
    "widest",
]

Array = npt.NDArray[Any]
Number = Fraction | float

#: Entries of which a dict tells the distinct objects sooner than numpy does.
_FEW = 64

#: Most labels of a channel or a utility that is written down as a matrix.
MOST_LABELS = 20_000

#: Decimals above 1e400 are no floats; one near zero is a rational number like others.
_LONGEST_NUMBER, _LARGEST_EXPONENT, _SMALLEST_EXPONENT = 1000, 400, -5000


def is_exact(values: Array) -> bool:
    """Whether `values` holds exact rationals (dtype object) rather than floats."""
    return values.dtype == object


def to_float(values: Array) -> Array:
    """`values` as float64, rounding exact entries to the nearest float.

    Raises
    ------
    InvalidInputError
        If an exact entry is too large for a float.
    """
    if not is_exact(values):
        return values.astype(np.float64)
    try:
        return by_objects(values, lambda v: v.numerator / v.denominator, np.float64)
    except OverflowError as exc:
        raise InvalidInputError("entries", max(abs(values.ravel())), "numbers below 1.8e308 in float work") from exc


def to_exact(values: Array) -> Array:
    """`values` as Fractions; a float becomes the rational it stands for, with no rounding."""
    if is_exact(values):
        return values.copy()
    flat = values.ravel().tolist()
    rationals = {v: Fraction(v) for v in set(flat)}
    return _object_array([rationals[v] for v in flat], values.shape)


class _Addresses:
    """Where the objects of a contiguous array are (CPython's `id`), told as numpy is told of memory; of floats bits."""

    def __init__(self, values: Array) -> None:
        kind = np.dtype(f"u{values.itemsize}").str
        self.__array_interface__ = {
            "data": (values.ctypes.data, True),
            "shape": values.shape,
            "typestr": kind,
            "version": 3,
        }


def objects_and_places(values: Array) -> tuple[Array, Array]:
    """The distinct objects among the entries of an exact array, and which of them each entry is, shape (n,)."""
    flat = values.ravel()
    if flat.size <= _FEW:
        entries = flat.tolist()
        found = {id(entry): entry for entry in entries}
        places = dict(zip(found, range(len(found)), strict=True))
        which = np.array([places[id(entry)] for entry in entries], dtype=np.intp)
        return _object_array(found.values(), (len(found),)), which
    _, first, which = np.unique(np.asarray(_Addresses(flat)), return_index=True, return_inverse=True)
    return flat[first], which


def objects_of(values: Array) -> list[Any]:
    """The distinct objects among the entries of an exact array, where equal entries may be one object."""
    found: list[Any] = objects_and_places(values)[0].tolist()
    return found


def by_objects(values: Array, function: Callable[[Any], Any], dtype: Any = object) -> Array:
    """The function of every entry, called once for each object of an array in which equal entries are one object."""
    objects, which = objects_and_places(values)
    found = np.fromiter(map(function, objects.tolist()), dtype, len(objects))
    return found[which].reshape(values.shape)


def unify(*arrays: Array) -> tuple[Array, ...]:
    """The arrays unchanged when all are exact, else all as floats."""
    if all(is_exact(a) for a in arrays):
        return arrays
    return tuple(to_float(a) for a in arrays)


def total(values: Array) -> Any:
    """Sum of all entries: exact for exact arrays, correctly rounded for floats."""
    if is_exact(values):
        return sum(values.ravel().tolist(), Fraction(0))
    return float(np.sum(values))


def exact_texts(values: Array) -> Any:
    """The exact values of an array as text, such as "-3/7", in nested lists of its shape."""
    return by_objects(values, _text).tolist()


def _text(value: Number) -> str:
    over, under = value.as_integer_ratio()
    return f"{over}/{under}" if under > 1 else str(over)


def digest_of(values: Array) -> str:
    """SHA-256 of `exact_texts` as JSON without spaces: by it a utility or a prior is known again."""
    return hashlib.sha256(json.dumps(exact_texts(values), separators=(",", ":")).encode()).hexdigest()


def as_array(
    values: object,
    argument: str,
    ndim: int,
    error: type[InvalidInputError] = InvalidInputError,
    names: Sequence[Sequence[Hashable] | None] = (),
) -> Array:
    """Validate numbers and return them as an exact or a float array.

    Parameters
    ----------
    values : array_like
        Nested sequences or an array of ints, Fractions, sympy Rationals or floats. A Series or DataFrame whose labels
        are the names of its axis in another order is put into the order of the names.
    argument : str
        Name used in the error.
    ndim : int
        Required number of dimensions.
    error : type
        The `InvalidInputError` subclass to raise.
    names : sequence, optional
        The names along each axis; 0, ..., n - 1 where they are not given.

    Returns
    -------
    ndarray
        dtype object (all Fractions) or float64; always a fresh copy.

    Raises
    ------
    InvalidInputError
        If an entry is not a finite real number, the number of dimensions is wrong, or a Series or DataFrame has labels
        that are not the names, so that nobody knows which row is whose.
    """
    for axis, labels in enumerate(own_names(values)):
        values = _in_order(values, axis, labels, names[axis] if axis < len(names) else None, argument, error)
    try:
        raw = np.array(values)
        if raw.dtype.kind not in "fiu":
            raw = np.array(values, dtype=object)
    except Exception as exc:  # whatever the object's own __array__ or __len__ raises
        raise error(argument, values, f"a rectangular array with {ndim} dimension(s)") from exc
    if raw.ndim != ndim or raw.size == 0:
        raise error(argument, values, f"a non-empty array with {ndim} dimension(s), not shape {raw.shape}")
    if raw.dtype.kind == "f":
        floats = raw.astype(np.float64, copy=False)  # raw is a copy
        if not np.all(np.isfinite(floats)):
            bad = floats[~np.isfinite(floats)][0]
            raise error(argument, float(bad), "finite numbers only")
        return floats
    if raw.dtype == object and set(map(type, raw.ravel().tolist())) == {Fraction}:
        return raw  # already exact, and a copy
    if raw.dtype.kind in "iu":
        distinct, which = np.unique(raw, return_inverse=True)
        return _object_array([Fraction(v) for v in distinct.tolist()], distinct.shape)[which].reshape(raw.shape)
    numbers = [_as_number(v, argument, error) for v in raw.ravel().tolist()]
    if all(isinstance(v, Fraction) for v in numbers):
        return _object_array(numbers, raw.shape)
    return np.array([_rounded(v, argument, error) for v in numbers], dtype=np.float64).reshape(raw.shape)


def rational_from_text(text: str) -> Fraction | None:
    """The exact value of a decimal or a quotient such as "-3/7", or None if the text is neither, in ASCII.

    Decimals from 1e400 on or below 1e-4999, where an exponent of a few digits stands for gigabytes, and texts of more
    than 1,000 characters are refused.
    """
    text = text.strip()
    if len(text) > _LONGEST_NUMBER or not text.isascii():
        return None
    try:
        if "/" in text:
            above, under = text.split("/")
            return Fraction(int(above), int(under))
        value = Decimal(text)
        written_out = value.is_finite() and _SMALLEST_EXPONENT < value.adjusted() < _LARGEST_EXPONENT
        return Fraction(value) if written_out else None
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None


def label_names(labels: object, argument: str, error: type[InvalidInputError] = LabelError) -> tuple[Hashable, ...]:
    """Names of labels: a whole number K stands for 0, ..., K - 1; else distinct or repeated names as they are.

    Raises
    ------
    error
        If there is no label, there are more than `MOST_LABELS`, or it is no sequence of hashable names.
    """
    if isinstance(labels, Integral):
        return tuple(range(whole_number(labels, argument, 1, MOST_LABELS, error)))
    try:
        names: tuple[Hashable, ...] = tuple(labels)  # type: ignore[arg-type]
        hash(names)
    except TypeError as exc:
        raise error(argument, labels, "a whole number of labels, or a sequence of hashable names") from exc
    if not 0 < len(names) <= MOST_LABELS:
        raise error(argument, f"{len(names)} labels", f"at least one label, at most {MOST_LABELS}")
    return names


def own_names(values: object) -> tuple[tuple[Hashable, ...], ...]:
    """The labels along each axis of a pandas Series or DataFrame, or of what has such; () of anything else."""
    axes: list[Any] = [getattr(values, name, None) for name in ("index", "columns")]
    found = [tuple(axis.tolist()) for axis in axes if hasattr(axis, "tolist")]
    return tuple(found) if hasattr(values, "to_numpy") else ()


def names_of_axes(
    values: object, inputs: Sequence[Hashable] | None, outputs: Sequence[Hashable] | None
) -> tuple[Sequence[Hashable] | None, Sequence[Hashable] | None]:
    """The names of rows and columns: those given, else those of a DataFrame, else None."""
    rows, columns = own if len(own := own_names(values)) == 2 else (None, None)
    return rows if inputs is None else inputs, columns if outputs is None else outputs


def _in_order(
    values: Any,
    axis: int,
    labels: tuple[Hashable, ...],
    names: Sequence[Hashable] | None,
    argument: str,
    error: type[InvalidInputError],
) -> Any:
    """The values with one axis in the order of the names; labels 0, ..., n - 1 beside other names are no labels."""
    counted = tuple(range(len(labels)))
    wanted = tuple(names) if isinstance(names, Iterable) else counted
    if labels == wanted:
        return values
    try:
        where = {label: position for position, label in enumerate(labels)}
        if len(where) == len(labels) and set(where) == set(wanted):
            return values.take([where[name] for name in wanted], axis=axis)
    except TypeError as exc:
        raise error(argument, names, "hashable names") from exc
    if labels == counted:
        return values
    shown = f"labels {list(wanted)!r} in any order, or .to_numpy() in that order"
    raise error(argument, f"labels {list(labels)!r}", shown)


def whole_number(
    value: object,
    argument: str,
    least: int,
    most: int | None = None,
    error: type[InvalidInputError] = InvalidInputError,
) -> int:
    """A whole number from `least` to `most`, of Python or numpy, as an int.

    Raises
    ------
    error
        If it is anything else, True and 1.0 included.
    """
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else least - 1
    if number < least or (most is not None and number > most):
        raise error(argument, value, f"a whole number {f'>= {least}' if most is None else f'from {least} to {most}'}")
    return number


def positive_number(value: object, argument: str, error: type[InvalidInputError] = InvalidInputError) -> float:
    """A positive finite number as a float.

    Raises
    ------
    error
        If it is anything else.
    """
    return _below(math.inf, value, argument, "a positive finite number", error)


def open_probability(value: object, argument: str, error: type[InvalidInputError] = InvalidInputError) -> float:
    """A number strictly between 0 and 1 as a float; for anything else the error."""
    return _below(1.0, value, argument, "a number strictly between 0 and 1", error)


def _below(limit: float, value: object, argument: str, allowed: str, error: type[InvalidInputError]) -> float:
    number = _as_real(value)
    if not 0 < number < limit:
        raise error(argument, value, allowed)
    return number


def _rounded(value: Number, argument: str, error: type[InvalidInputError]) -> float:
    try:
        return float(value)
    except OverflowError as exc:
        raise error(argument, value, "numbers below 1.8e308 where some are floats") from exc


def _as_real(value: object) -> float:
    """A real number as a float; nan if it is none, or too large for one."""
    try:
        return float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return math.nan


def as_generator(rng: object) -> np.random.Generator:
    """A source of randomness.

    Raises
    ------
    InvalidInputError
        If it is no `numpy.random.Generator`.
    """
    if not isinstance(rng, np.random.Generator):
        raise InvalidInputError("rng", rng, "a numpy.random.Generator, such as numpy.random.default_rng(seed)")
    return rng


def _as_number(value: object, argument: str, error: type[InvalidInputError]) -> Number:
    if isinstance(value, (bool, np.bool_)):
        raise error(argument, value, "numbers, not truth values")
    if isinstance(value, (Rational, np.integer)):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (float, np.floating)):
        if not np.isfinite(value):
            raise error(argument, value, "finite numbers only")
        return float(value)
    if getattr(value, "is_Rational", False):  # sympy
        return Fraction(int(value.p), int(value.q))  # type: ignore[attr-defined]
    raise error(argument, value, "ints, Fractions or floats")


def _object_array(flat: Iterable[Any], shape: tuple[int, ...]) -> Array:
    flat = list(flat)
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return out.reshape(shape)


def extremes(column: Sequence[Any], above: Callable[[Any, Any], bool] = operator.gt) -> tuple[int, int]:
    """The places of the largest and of the smallest number of a column, the first ones."""
    high = low = 0
    for y, value in enumerate(column):
        if above(value, column[high]):
            high = y
        if above(column[low], value):
            low = y
    return high, low


def widest(
    columns: Iterable[Sequence[Any]], above: Callable[[Any, Any], bool] = operator.gt
) -> tuple[int, int, int] | None:
    """Column, and places of its largest and its smallest entry, where their ratio is largest; None if all are zero.

    Entries are not negative. Nothing is divided: a ratio may be infinite.
    """
    best: tuple[int, int, int] | None = None
    most, least = 0, 1
    for j, column in enumerate(columns):
        high, low = extremes(column, above)
        if above(column[high], 0) and (best is None or above(column[high] * least, most * column[low])):
            best, most, least = (j, high, low), column[high], column[low]
    return best
