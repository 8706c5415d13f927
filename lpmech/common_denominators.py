"""Exact arrays as whole numbers over one denominator: sums and products of a million entries without quotients.

Where the common denominator would be too long the functions say so, or work with FLINT's rationals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from operator import add, mul
from typing import Any

import numpy as np

from lpmech.entries import Array, objects_and_places

__all__ = [
    "LONGEST",
    "exact_product",
    "exact_row_sums",
    "floats_of",
    "fractions_of",
    "over_one_denominator",
    "short_numerators",
    "short_product",
    "sum_of_products",
    "sum_of_short_products",
]

#: Bits of a common denominator beyond which quotients are quicker.
_MOST_BITS = 4096

#: Whole numbers up to this are floats, so that their quotients in floats are rounded correctly.
_SHORT = 2**53

#: Whole numbers up to this are added and subtracted in 64 bits.
LONGEST = 2**62


def over_one_denominator(*arrays: Array) -> tuple[list[Array], int] | None:
    """(numerators as arrays of int, denominator) of exact arrays or floats; None if that is longer than 4096 bits."""
    common = 1
    split = [objects_and_places(values) for values in arrays]
    for denominator in {v.as_integer_ratio()[1] for objects, _ in split for v in objects.tolist()}:
        common = math.lcm(common, denominator)
        if common.bit_length() > _MOST_BITS:
            return None

    def scaled(value: Fraction | float) -> int:
        over, under = value.as_integer_ratio()
        return over * (common // under)

    return [
        _objects([scaled(v) for v in objects.tolist()], objects.shape)[places].reshape(values.shape)
        for values, (objects, places) in zip(arrays, split, strict=True)
    ], common


def short_numerators(values: Array) -> tuple[Array, int] | None:
    """(numerators as int64, denominator) of an exact array if all of these are at most 2^53, else None."""
    whole = over_one_denominator(values)
    if whole is None or max(whole[1], abs(whole[0][0]).max()) > _SHORT:
        return None
    return whole[0][0].astype(np.int64), whole[1]


def short_product(first: Array, second: Array) -> tuple[Array, int] | None:
    """`short_numerators` of the product of two exact arrays that can be broadcast together, whose factors are short."""
    whole, other = short_numerators(first), short_numerators(second)
    if whole is None or other is None:
        return None
    largest = int(abs(whole[0]).max()) * int(abs(other[0]).max())
    if max(largest, whole[1] * other[1]) > _SHORT:
        return None
    return whole[0] * other[0], whole[1] * other[1]


def sum_of_short_products(first: tuple[Array, int], second: tuple[Array, int]) -> Fraction:
    """The sum of the products of two arrays of one shape, each whole numbers over a denominator."""
    rows = zip(first[0], second[0], strict=True)
    total = sum(sum(map(mul, one.tolist(), other.tolist())) for one, other in rows)
    return Fraction(total, first[1] * second[1])


def fractions_of(numerators: Array, denominator: int) -> Array:
    """The exact array numerators / denominator; equal entries are one object."""
    if numerators.dtype == object:
        flat = numerators.ravel().tolist()
        quotients = {over: Fraction(over, denominator) for over in set(flat)}
        return _objects([quotients[over] for over in flat], numerators.shape)
    distinct, which = np.unique(numerators, return_inverse=True)
    found = _objects([Fraction(over, denominator) for over in distinct.tolist()], distinct.shape)
    return found[which].reshape(numerators.shape)


def floats_of(numerators: Array, denominator: int) -> Array:
    """The array numerators / denominator, int64 over a whole number, each entry rounded to the nearest float."""
    if max(denominator, int(abs(numerators).max())) <= _SHORT:
        return np.asarray(numerators / denominator)
    distinct, which = np.unique(numerators, return_inverse=True)
    return np.array([over / denominator for over in distinct.tolist()])[which].reshape(numerators.shape)


def sum_of_products(*arrays: Array, times: tuple[Array, int] | None = None) -> Fraction:
    """The sum of the products of exact arrays, and of int64 over a denominator, that can be broadcast together."""
    whole = [over_one_denominator(values) for values in arrays]
    found = [(part[0][0], part[1]) for part in whole if part is not None]
    more = [] if times is None else [(times[0].astype(object), times[1])]
    if len(found) < len(arrays):
        return _sum(_product([*arrays, *(part[0] for part in more)])) / math.prod(part[1] for part in more)
    found += more
    return Fraction(int(_product([part[0] for part in found]).sum()), math.prod(part[1] for part in found))


def exact_product(first: Array, second: Array) -> Array:
    """The product of two exact arrays that can be broadcast together, entry by entry."""
    whole, other = over_one_denominator(first), over_one_denominator(second)
    if whole is None or other is None:
        return np.asarray(first * second)
    return fractions_of(whole[0][0] * other[0][0], whole[1] * other[1])


def exact_row_sums(values: Array) -> Array:
    """The sums of the rows of an exact array."""
    whole = over_one_denominator(values)
    return np.asarray(values.sum(axis=1)) if whole is None else fractions_of(whole[0][0].sum(axis=1), whole[1])


def _product(arrays: list[Array]) -> Array:
    found: Any = arrays[0]
    for other in arrays[1:]:
        found = found * other
    return np.asarray(found)


def _sum(values: Array) -> Fraction:
    """The sum of exact numbers, two by two: it has the digits of the common denominator, which are added to seldom."""
    flat = values.ravel().tolist()
    while len(flat) > 1:
        pairs = list(map(add, flat[::2], flat[1::2]))
        flat = pairs + flat[2 * len(pairs) :]
    return Fraction(flat[0]) if flat else Fraction(0)


def _objects(flat: list[Any], shape: tuple[int, ...]) -> Array:
    found = np.empty(len(flat), dtype=object)
    found[:] = flat
    return found.reshape(shape)
