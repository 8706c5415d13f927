"""Intervals of rationals around numbers: sqrt(2) < 3/2, log(2) > 2/3."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from lpmech.certify.proofs.reading import Parsed, RefusedProofError

__all__ = ["sign_of"]

_MOST_BITS, _LARGEST = 512, 400
Interval = tuple[Fraction, Fraction]


def sign_of(tree: Parsed) -> int | None:
    """The sign of a number; None if it is not told apart from zero.

    Raises
    ------
    RefusedProofError
        If a part is not understood, or not defined.
    """
    bits = 64
    while bits <= _MOST_BITS:
        low, high = _around(tree, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        if low == high == 0:
            return 0
        bits *= 2
    return None


def _rounded(low: Fraction, high: Fraction, bits: int) -> Interval:
    if low == high and low.denominator.bit_length() <= bits:
        return low, high
    scale = 1 << bits
    return Fraction(low * scale // 1, scale), Fraction(-(-high * scale // 1), scale)


def _around(tree: Parsed, bits: int) -> Interval:
    match tree:
        case ("number", value):
            return value, value
        case ("pi",):
            five, other = (_arctan(Fraction(1, n), bits + 6) for n in (5, 239))
            return _rounded(16 * five[0] - 4 * other[1], 16 * five[1] - 4 * other[0], bits)
        case ("+" | "-" | "*" | "/", left, right):
            return _rounded(*_combined(tree[0], _around(left, bits), _around(right, bits)), bits)
        case ("**", base, ("number", exponent)) if exponent.denominator == 1 and abs(exponent) <= _LARGEST:
            return _rounded(*_power(_around(base, bits), int(exponent)), bits)
        case ("**", base, ("/", ("number", above), ("number", below))):
            return _exp(_times(_log(_around(base, bits), bits), above / below), bits)
        case ("sqrt", x):
            low, high = _around(x, bits)
            if low < 0:
                raise RefusedProofError("a root of what is not known to be positive")
            return _root(low, bits, 0), _root(high, bits, 1)
        case ("exp", x):
            return _exp(_around(x, bits), bits)
        case ("log", x):
            return _log(_around(x, bits), bits)
        case ("floor" | "ceiling", x):
            up = tree[0] == "ceiling"
            low, high = (Fraction(-(-end // 1) if up else end // 1) for end in _around(x, bits))
            return low, high
        case ("sign", x):
            low, high = _around(x, bits)
            return Fraction((low > 0) - (low < 0)), Fraction((high > 0) - (high < 0))
        case ("Abs", x):
            low, high = _around(x, bits)
            return max(Fraction(0), low, -high), max(-low, high)
        case ("Max", *parts):
            found = [_around(part, bits) for part in parts]
            return max(low for low, _ in found), max(high for _, high in found)
        case ("Min", *parts):
            found = [_around(part, bits) for part in parts]
            return min(low for low, _ in found), min(high for _, high in found)
    raise RefusedProofError(f"{tree[0]} of numbers is not understood")


def _combined(operation: str, a: Interval, b: Interval) -> Interval:
    if operation == "+":
        return a[0] + b[0], a[1] + b[1]
    if operation == "-":
        return a[0] - b[1], a[1] - b[0]
    if operation == "/":
        if b[0] <= 0 <= b[1]:
            raise RefusedProofError("a division by what is not told apart from zero")
        b = 1 / b[1], 1 / b[0]
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _times(a: Interval, factor: Fraction) -> Interval:
    return (a[0] * factor, a[1] * factor) if factor >= 0 else (a[1] * factor, a[0] * factor)


def _power(a: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return _combined("/", (Fraction(1), Fraction(1)), _power(a, -exponent))
    ends = [end**exponent for end in a]
    if exponent % 2 == 0 and a[0] < 0 < a[1]:
        return Fraction(0), max(ends)
    return min(ends), max(ends)


def _root(value: Fraction, bits: int, up: int) -> Fraction:
    scale = 1 << bits
    scaled = value * scale * scale
    whole = isqrt(scaled.numerator // scaled.denominator)
    exact = up and whole * whole == scaled
    return Fraction(whole + (up and not exact), scale)


def _exp(a: Interval, bits: int) -> Interval:
    if max(abs(a[0]), abs(a[1])) > _LARGEST:
        raise RefusedProofError(f"an exponential of more than {_LARGEST}")
    return _exp_of(a[0], bits)[0], _exp_of(a[1], bits)[1]


def _exp_of(x: Fraction, bits: int) -> Interval:
    """Taylor's series of e^(x / 2^k) with |x / 2^k| <= 1/2, whose remainder is below its last term, squared k times."""
    halvings = max(0, abs(x).__ceil__().bit_length() + 1)
    low, high = _rounded(x, x, bits + 2 * halvings)
    low, high = low / 2**halvings, high / 2**halvings
    found: list[Fraction] = []
    for end, up in ((low, 0), (high, 1)):
        term = total = Fraction(1)
        n = 0
        while abs(term) > Fraction(1, 1 << (bits + 2 * halvings)):
            n += 1
            term = term * end / n
            total += term
        found.append(total + (abs(term) if up else -abs(term)))
    interval = _rounded(found[0], found[1], bits + 2 * halvings)
    for _ in range(halvings):
        interval = _rounded(interval[0] ** 2, interval[1] ** 2, bits + 2 * halvings)
    return interval


def _log(a: Interval, bits: int) -> Interval:
    if a[0] <= 0:
        raise RefusedProofError("a logarithm of what is not known to be positive")
    return _log_of(a[0], bits)[0], _log_of(a[1], bits)[1]


def _log_of(x: Fraction, bits: int) -> Interval:
    """2 artanh((y - 1)/(y + 1)) for y = x / 2^k between 2/3 and 4/3, and k times that of 2."""
    shift = 0
    while x > Fraction(4, 3):
        x, shift = x / 2, shift + 1
    while x < Fraction(2, 3):
        x, shift = x * 2, shift - 1
    own, two = _artanh((x - 1) / (x + 1), bits), _artanh(Fraction(1, 3), bits)
    more = _times(two, Fraction(shift))
    return _rounded(2 * (own[0] + more[0]), 2 * (own[1] + more[1]), bits)


def _artanh(z: Fraction, bits: int) -> Interval:
    """z + z^3/3 + ...; what is left out is below twice the first term left out."""
    low, high = _rounded(z, z, bits)
    ends = []
    for end, up in ((low, 1 if low < 0 else 0), (high, 0 if high < 0 else 1)):
        power, total, n = end, Fraction(0), 1
        while abs(power) > Fraction(1, 1 << bits):
            total += power / n
            power, n = power * end * end, n + 2
        ends.append(total + (2 * power if up else 0))
    return ends[0], ends[1]


def _arctan(x: Fraction, bits: int) -> Interval:
    """x - x^3/3 + x^5/5 - ... for 0 < x < 1, which lies between any two sums that follow each other."""
    before, total, power, n = Fraction(0), x, x, 1
    while abs(power) > Fraction(1, 1 << bits):
        power, n = -power * x * x, n + 2
        before, total = total, total + power / n
    return min(before, total), max(before, total)
