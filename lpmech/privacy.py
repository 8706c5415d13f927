"""The privacy level: epsilon, or exactly e^epsilon as a rational number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from numbers import Rational, Real

from lpmech.entries import Number, rational_from_text
from lpmech.errors import PrivacyLevelError

__all__ = ["PrivacyLevel", "as_privacy_level", "MAX_EPSILON"]

#: Largest accepted epsilon: e^epsilon must fit a float.
MAX_EPSILON = 700.0


@dataclass(frozen=True)
class PrivacyLevel:
    """A privacy level, built by `from_epsilon` (float) or `from_ratio` (exact).

    Attributes
    ----------
    epsilon : float
        The level in nats.
    ratio : Fraction or float
        e^epsilon: a Fraction when the level is exact, else a float.

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> print(PrivacyLevel.from_epsilon(1.5))
    epsilon = 1.5
    >>> PrivacyLevel.from_ratio("7/2").ratio
    Fraction(7, 2)
    """

    ratio: Number
    epsilon: float

    @classmethod
    def from_epsilon(cls, epsilon: float) -> PrivacyLevel:
        """A float level.

        Raises
        ------
        PrivacyLevelError
            If epsilon is not a number with 0 < epsilon <= 700, or is rational and neither the value of a float nor the
            decimal that one prints: it is not rounded.
        """
        allowed = f"a number with 0 < epsilon <= {MAX_EPSILON:g}"
        if isinstance(epsilon, bool) or not isinstance(epsilon, Real):
            raise PrivacyLevelError("epsilon", epsilon, allowed)
        try:
            value = float(epsilon)
        except OverflowError:
            value = math.inf
        if not 0.0 < value <= MAX_EPSILON:
            raise PrivacyLevelError("epsilon", epsilon, allowed)
        if epsilon not in (value, Fraction(repr(value))):
            raise PrivacyLevelError("epsilon", epsilon, "a number that a float holds, or prints in full")
        ratio = math.exp(value)
        if ratio <= 1.0:
            raise PrivacyLevelError("epsilon", epsilon, "epsilon large enough that e^epsilon > 1 in floating point")
        return cls(ratio=ratio, epsilon=value)

    @classmethod
    def from_ratio(cls, ratio: int | str | Rational) -> PrivacyLevel:
        """An exact level from a rational e^epsilon (int, Fraction or text such as ``"7/2"``).

        Raises
        ------
        PrivacyLevelError
            If the ratio is not a rational number above 1, is above e^700, or so near to 1 that epsilon underflows.
        """
        allowed = "an exact rational e^epsilon above 1 (int, Fraction or 'a/b')"
        if isinstance(ratio, bool) or not isinstance(ratio, (Rational, str)):
            raise PrivacyLevelError("ratio", ratio, allowed)
        exact = rational_from_text(ratio) if isinstance(ratio, str) else Fraction(ratio)
        if exact is None or exact <= 1:
            raise PrivacyLevelError("ratio", ratio, allowed)
        epsilon = log_of_fraction(exact)
        if not 0 < epsilon <= MAX_EPSILON:
            allowed = f"a rational e^epsilon with epsilon at most {MAX_EPSILON:g} and above 0 in floating point"
            raise PrivacyLevelError("ratio", ratio, allowed)
        return cls(ratio=exact, epsilon=epsilon)

    @property
    def is_exact(self) -> bool:
        """Whether the ratio is an exact rational."""
        return isinstance(self.ratio, Fraction)

    @property
    def excess_bounds(self) -> tuple[float, float]:
        """Floats below and above e^epsilon - 1, a few roundings apart; without cancellation for small epsilon."""
        excess = float(self.ratio - 1) if isinstance(self.ratio, Fraction) else math.expm1(self.epsilon)
        return excess * (1 - 2.0**-50), excess * (1 + 2.0**-50)

    @cached_property
    def ratio_below(self) -> Fraction:
        """A rational number of at most e^epsilon: equal if the level is exact, else of `epsilon_below` (128 bits)."""
        if isinstance(self.ratio, Fraction):
            return self.ratio
        return _rounded_down("exp", self.epsilon_below)

    @cached_property
    def epsilon_below(self) -> Fraction:
        """A rational number of at most epsilon; of an exact level by ball arithmetic (128 bits).

        Of a float it is the smaller one of its value and of the decimal that it prints, so that what keeps it keeps the
        decimal as it was typed, too: the float 0.1 is more than 0.1.
        """
        if not isinstance(self.ratio, Fraction):
            return min(Fraction(self.epsilon), Fraction(repr(self.epsilon)))
        return _rounded_down("log", self.ratio)

    def power_below(self, exponent: Fraction) -> Fraction:
        """A rational number of at most e^(epsilon exponent), exponent > 0; equal where that can be seen to be one."""
        if isinstance(self.ratio, Fraction):
            from flint import fmpz

            parts = [int(fmpz(part).root(exponent.denominator)) for part in self.ratio.as_integer_ratio()]
            root = Fraction(*parts)
            if root**exponent.denominator == self.ratio:
                return root**exponent.numerator
        return _rounded_down("exp", self.epsilon_below * exponent)

    def share(self, parts: int) -> float:
        """The largest float of which so many are at most epsilon in all."""
        part = float(self.epsilon_below / parts)
        return part if Fraction(part) * parts <= self.epsilon_below else math.nextafter(part, 0.0)

    def __str__(self) -> str:
        return f"e^epsilon = {self.ratio}" if self.is_exact else f"epsilon = {repr(self.epsilon).removesuffix('.0')}"


def as_privacy_level(epsilon: PrivacyLevel | float) -> PrivacyLevel:
    """The level meant by `epsilon`: a bare number means epsilon itself.

    Raises
    ------
    PrivacyLevelError
        If `epsilon` is neither a `PrivacyLevel` nor a number with 0 < epsilon <= 700.
    """
    return epsilon if isinstance(epsilon, PrivacyLevel) else PrivacyLevel.from_epsilon(epsilon)


def log_of_fraction(value: Fraction) -> float:
    """Natural logarithm of a positive rational of any size."""
    nearness = value - 1
    if abs(nearness) < Fraction(1, 2):
        return math.log1p(float(nearness))
    try:
        return math.log(value.numerator / value.denominator)
    except (OverflowError, ValueError):  # beyond the range of floats; the difference is large and loses nothing
        return math.log(value.numerator) - math.log(value.denominator)


def _rounded_down(function: str, argument: Fraction) -> Fraction:
    """arb's exp or log of a rational number, rounded down to about 128 bits."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(192 + argument.denominator.bit_length()):
        ball = getattr(arb(fmpq(argument.numerator, argument.denominator)), function)().lower()
    mantissa, exponent = (int(part) for part in ball.man_exp())
    excess = max(0, mantissa.bit_length() - 128)
    return Fraction(mantissa >> excess) * Fraction(2) ** (exponent + excess)
