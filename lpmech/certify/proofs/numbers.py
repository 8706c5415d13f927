"""Numbers between decimals: sqrt(2) < 3/2, log(2) > 2/3."""

from __future__ import annotations

from collections.abc import Callable
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from lpmech.certify.proofs.reading import Parsed, RefusedProofError, number_in

__all__ = ["sign_of"]

_DIGITS, _LARGEST = (25, 50, 100, 200), 400
_PI = Fraction(31415926535897932384626433832795028841971693993751, 10**49)
Interval = tuple[Decimal, Decimal]


def sign_of(tree: Parsed) -> int | None:
    """The sign of a number; None if it is not told apart from zero.

    Raises
    ------
    RefusedProofError
        If a part is not understood, or not defined.
    """
    for digits in _DIGITS:
        low, high = _Around(digits).number(tree)
        if low > 0 or high < 0 or low == high == 0:
            return (low > 0) - (high < 0)
    return None


class _Around:
    """Interval arithmetic: `down` and `up` round outwards; root, exponential and logarithm of decimals are within one unit."""

    def __init__(self, digits: int):
        self.down = Context(digits, ROUND_FLOOR, MIN_EMIN, MAX_EMAX)
        self.up = Context(digits, ROUND_CEILING, MIN_EMIN, MAX_EMAX)

    def number(self, tree: Parsed) -> Interval:
        """Two decimals with the number between them."""
        down, up = self.down, self.up
        match tree:
            case ("number", value):
                return self._fraction(value)
            case ("pi",):
                return self._fraction(_PI - Fraction(1, 10**48))[0], self._fraction(_PI + Fraction(1, 10**48))[1]
            case ("+", a, b):
                (a, b), (c, d) = self.number(a), self.number(b)
                return down.add(a, c), up.add(b, d)
            case ("-", a, b):
                (a, b), (c, d) = self.number(a), self.number(b)
                return down.subtract(a, d), up.subtract(b, c)
            case ("*", a, b):
                return self._ends(Context.multiply, self.number(a), self.number(b))
            case ("/", a, b):
                return self._divided(self.number(a), self.number(b))
            case ("**", base, exponent) if (value := number_in(exponent)) is not None:
                return self._power(self.number(base), value)
            case ("sqrt", x):
                return self._monotone(Context.sqrt, self._at_least(x, 0))
            case ("exp", x):
                return self._exp(self.number(x))
            case ("log", x):
                return self._monotone(Context.ln, self._at_least(x, 1))
            case ("floor" | "ceiling", x):
                rounding = ROUND_FLOOR if tree[0] == "floor" else ROUND_CEILING
                low, high = (end.to_integral_value(rounding) for end in self.number(x))
                return low, high
            case ("sign", x):
                low, high = self.number(x)
                return Decimal((low > 0) - (low < 0)), Decimal((high > 0) - (high < 0))
            case ("Abs", x):
                low, high = self.number(x)
                return max(Decimal(0), low, high.copy_negate()), max(low.copy_negate(), high)
            case ("Max" | "Min" as name, *parts):
                lows, highs = zip(*map(self.number, parts), strict=True)
                return (max(lows), max(highs)) if name == "Max" else (min(lows), min(highs))
        raise RefusedProofError(f"{tree[0]} of numbers is not understood")

    def _fraction(self, value: Fraction) -> Interval:
        above, below = Decimal(value.numerator), Decimal(value.denominator)
        return self.down.divide(above, below), self.up.divide(above, below)

    def _ends(self, operation: Callable[[Context, Decimal, Decimal], Decimal], a: Interval, b: Interval) -> Interval:
        pairs = [(x, y) for x in a for y in b]
        return min(operation(self.down, *p) for p in pairs), max(operation(self.up, *p) for p in pairs)

    def _divided(self, a: Interval, b: Interval) -> Interval:
        if b[0] <= 0 <= b[1]:
            raise RefusedProofError("a division by what is not told apart from zero")
        return self._ends(Context.divide, a, b)

    def _monotone(self, function: Callable[[Context, Decimal], Decimal], a: Interval) -> Interval:
        low, high = (function(self.down, end) for end in a)
        return self.down.next_minus(low), self.up.next_plus(high)

    def _at_least(self, x: Parsed, strict: int) -> Interval:
        found = self.number(x)
        if found[0] < 0 or (strict and not found[0]):
            raise RefusedProofError("a root or a logarithm of what is not known to be positive")
        return found

    def _exp(self, a: Interval) -> Interval:
        if a[1] > _LARGEST or a[0] < -_LARGEST:
            raise RefusedProofError(f"an exponential of more than {_LARGEST}")
        return self._monotone(Context.exp, a)

    def _power(self, a: Interval, exponent: Fraction) -> Interval:
        if exponent.denominator != 1:
            if a[0] <= 0:
                raise RefusedProofError("a power of what is not known to be positive")
            return self._exp(self._ends(Context.multiply, self._monotone(Context.ln, a), self._fraction(exponent)))
        if abs(exponent) > _LARGEST:
            raise RefusedProofError(f"an exponent above {_LARGEST}")
        if exponent < 0:
            return self._divided((Decimal(1), Decimal(1)), self._power(a, -exponent))
        if exponent % 2 == 0:  # of what is between -x and y that of its absolute value
            a = max(Decimal(0), a[0], a[1].copy_negate()), max(a[0].copy_negate(), a[1])
        found = Decimal(1), Decimal(1)
        for _ in range(int(exponent)):
            found = self._ends(Context.multiply, found, a)
        return found
