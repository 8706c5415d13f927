"""Privacy levels and budgets as text, compared exactly: decimals, quotients and logarithms of quotients."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache

from lpmech.certify.checker import exp_bounds
from lpmech.errors import ReleaseError
from lpmech.privacy import MAX_EPSILON, PrivacyLevel

__all__ = ["amount_of", "amount_text", "epsilon_text", "largest_ratio", "rational_of", "require", "upper_epsilon"]

_RATIONAL = re.compile(r"\d{1,1000}(/(?=0*[1-9])\d{1,1000})?", re.ASCII)
_NUMBER = re.compile(r"\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?|\d{1,40}/(?=0*[1-9])\d{1,40}", re.ASCII)
_LOGARITHM = re.compile(r"ln\((\d{1,40}(?:/\d{1,40})?)\)", re.ASCII)


def largest_ratio(epsilon: str) -> Fraction:
    """A rational that is at most e^epsilon, exactly e^epsilon for ``ln(p/q)``, else within 1e-24 of it relatively.

    Raises
    ------
    ReleaseError
        If `epsilon` is no decimal or quotient with 0 < epsilon <= 700 and no ``ln(p/q)`` with p > q.
    """
    allowed = f"a decimal or a quotient with 0 < epsilon <= {MAX_EPSILON:g}, or ln(p/q) with p > q"
    logarithm = _LOGARITHM.fullmatch(epsilon) if isinstance(epsilon, str) else None
    if logarithm:
        ratio = rational_of(logarithm[1])
        require(ratio > 1, "epsilon", epsilon, allowed)
        return ratio
    amount = amount_of(epsilon)
    require(0 < amount <= MAX_EPSILON, "epsilon", epsilon, allowed)
    return _below_exponential(amount)


@cache
def _below_exponential(amount: Fraction) -> Fraction:
    return exp_bounds(amount)[0]


def upper_epsilon(epsilon: str) -> str:
    """The level in nats: the number itself, or twelve decimals that are at least ``ln(p/q)``, proved.

    Raises
    ------
    ReleaseError
        As `largest_ratio`.
    """
    ratio = largest_ratio(epsilon)
    if not epsilon.startswith("ln"):
        return epsilon
    digits = Context(prec=60)
    nats = digits.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)).ln(digits)
    nats = nats.quantize(Decimal("1e-12"), rounding="ROUND_CEILING", context=digits) + Decimal("1e-12")
    require(ratio <= largest_ratio(f"{nats:f}"), "epsilon", epsilon, "a logarithm that can be enclosed")
    return f"{nats:f}"


def epsilon_text(level: PrivacyLevel) -> str:
    """The level as text: the shortest decimal of epsilon, or ``ln(p/q)`` of an exact ratio."""
    return f"ln({level.ratio})" if level.is_exact else repr(level.epsilon)


def amount_text(amount: Fraction) -> str:
    """An amount as a decimal where it is a short one, else as a quotient."""
    decimal = Decimal(amount.numerator) / Decimal(amount.denominator)
    return f"{decimal:f}" if Fraction(decimal) == amount else str(amount)


def amount_of(text: object) -> Fraction:
    """The exact value of an amount in nats, a decimal or a quotient as text.

    Raises
    ------
    ReleaseError
        If it is anything else.
    """
    return _exactly(text, _NUMBER, "epsilon", "a decimal or a quotient as text")


def rational_of(text: object) -> Fraction:
    """The exact value of a whole number or a quotient as text.

    Raises
    ------
    ReleaseError
        If it is anything else.
    """
    return _exactly(text, _RATIONAL, "release", "exact numbers as text, such as 3/7")


def _exactly(text: object, form: re.Pattern[str], argument: str, allowed: str) -> Fraction:
    if not isinstance(text, str) or form.fullmatch(text) is None:
        raise ReleaseError(argument, text, allowed)
    return Fraction(text)


def require(condition: bool, argument: str, value: object, allowed: str) -> None:
    """Raise a `ReleaseError` unless the condition holds."""
    if not condition:
        raise ReleaseError(argument, value, allowed)
