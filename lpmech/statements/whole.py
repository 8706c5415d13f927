"""Whole numbers as a user's program gets them: ints, except that quotients and powers are exact."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

__all__ = ["Whole"]


class Whole(int):
    """An int whose sums and products are such ints, and whose quotients are exact: 1 / K is no float."""

    def _with(self, result: Any) -> Any:
        return Whole(result) if type(result) is int else result

    def __add__(self, other: Any) -> Any:
        return self._with(int.__add__(self, other))

    def __sub__(self, other: Any) -> Any:
        return self._with(int.__sub__(self, other))

    def __mul__(self, other: Any) -> Any:
        return self._with(int.__mul__(self, other))

    def __rsub__(self, other: Any) -> Any:
        return self._with(int.__rsub__(self, other))

    def __floordiv__(self, other: Any) -> Any:
        return self._with(int.__floordiv__(self, other))

    def __mod__(self, other: Any) -> Any:
        return self._with(int.__mod__(self, other))

    def __neg__(self) -> Any:
        return Whole(int.__neg__(self))

    def __truediv__(self, other: Any) -> Any:
        return _quotient(self, other) if _is(other, int) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return _quotient(other, self) if _is(other, int) else NotImplemented

    def __pow__(self, exponent: Any, modulo: Any = None) -> Any:
        if _is(exponent, int) and exponent >= 0:
            return self._with(int.__pow__(self, exponent, modulo))
        if _is(exponent, (int, Fraction, sp.Rational)):
            if self == 0 and exponent < 0:
                raise ZeroDivisionError("zero to a negative power")
            return sp.Integer(self) ** sp.Rational(int(exponent.numerator), int(exponent.denominator))
        return NotImplemented

    __radd__ = __add__
    __rmul__ = __mul__


def _is(value: Any, kinds: type | tuple[type, ...]) -> bool:
    """`isinstance`, which does not ask the value: of a number that is followed that would end the trace."""
    return issubclass(type(value), kinds)


def _quotient(above: int, under: int) -> Any:
    if under == 0:
        raise ZeroDivisionError("division by zero")
    return sp.Rational(int(above), int(under))
