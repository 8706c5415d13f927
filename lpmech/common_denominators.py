"""Exact arrays as whole numbers over one denominator: sums and products of a million entries without quotients.

Where the common denominator would be too long the functions say so, or work with FLINT's rationals.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, by_objects, objects_of

__all__ = ["exact_product", "fractions_of", "over_one_denominator", "exact_row_sums", "sum_of_products"]

#: Bits of a common denominator beyond which quotients are quicker.
_MOST_BITS = 4096


def over_one_denominator(*arrays: Array) -> tuple[list[Array], int] | None:
    """(numerators as arrays of int, denominator) of exact arrays or floats; None if that is longer than 4096 bits."""
    common = 1
    for denominator in {v.as_integer_ratio()[1] for values in arrays for v in objects_of(values)}:
        common = math.lcm(common, denominator)
        if common.bit_length() > _MOST_BITS:
            return None

    def scaled(value: Fraction | float) -> int:
        over, under = value.as_integer_ratio()
        return over * (common // under)

    return [by_objects(values, scaled) for values in arrays], common


def fractions_of(numerators: Array, denominator: int) -> Array:
    """The exact array numerators / denominator; equal entries are one object."""
    flat = numerators.ravel().tolist()
    quotients = {over: Fraction(over, denominator) for over in set(flat)}
    return _objects([quotients[over] for over in flat], numerators.shape)


def sum_of_products(*arrays: Array) -> Fraction:
    """The sum of the products of exact arrays that can be broadcast together."""
    whole = [over_one_denominator(values) for values in arrays]
    found = [part for part in whole if part is not None]
    if len(found) < len(arrays):
        return Fraction(_product(list(arrays)).sum())
    return Fraction(int(_product([part[0][0] for part in found]).sum()), math.prod(part[1] for part in found))


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


def _objects(flat: list[Any], shape: tuple[int, ...]) -> Array:
    found = np.empty(len(flat), dtype=object)
    found[:] = flat
    return found.reshape(shape)
