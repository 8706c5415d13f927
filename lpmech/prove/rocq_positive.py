"""What is seen to be positive in Rocq, with its reason: a term whose type is 0 < s or 0 <= s."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from lpmech.errors import FormulaError

__all__ = ["Positive", "inverse", "number", "plus", "refused", "times", "weak", "weighted"]


def refused(what: str) -> FormulaError:
    """What has no form in Rocq, by its name."""
    return FormulaError("proof", what, "what has a form in Rocq")


class Positive(NamedTuple):
    """A text of Rocq's that is positive (or, unless strict, not negative), by the term; and what sign it was given."""

    text: str
    strict: bool
    term: str
    sign: int = 1


def number(value: Any) -> Positive:
    """A positive number."""
    value = Fraction(value)
    if value.denominator == 1:
        return Positive(str(value), True, f"(IZR_lt 0 {value} eq_refl)")
    return Positive(
        f"({value.numerator} / {value.denominator})", True, f"(quotient {value.numerator} {value.denominator})"
    )


def weak(a: Positive) -> str:
    """The term for 0 <= s."""
    return f"(Rlt_le _ _ {a.term})" if a.strict else a.term


def times(a: Positive, b: Positive) -> Positive:
    """The product."""
    text, sign = f"({a.text} * {b.text})", a.sign * b.sign
    if a.strict and b.strict:
        return Positive(text, True, f"(Rmult_lt_0_compat _ _ {a.term} {b.term})", sign)
    return Positive(text, False, f"(Rmult_le_pos _ _ {weak(a)} {weak(b)})", sign)


def weighted(weight: Any, parts: Sequence[Positive]) -> Positive:
    """A product with a positive number."""
    found = None if weight == 1 and parts else number(weight)
    for part in parts:
        found = part if found is None else times(found, part)
    assert found is not None
    return found


def plus(a: Positive, b: Positive) -> Positive:
    """The sum of two with the same sign."""
    kind = "lt" if a.strict and b.strict else "lt_le" if a.strict else "le_lt" if b.strict else "le_le"
    lemma = f"Rplus_{kind}_0_compat"
    return Positive(f"({a.text} + {b.text})", a.strict or b.strict, f"({lemma} _ _ {a.term} {b.term})", a.sign)


def inverse(a: Positive) -> Positive:
    """1 / a, for a that is positive."""
    return Positive(f"(/ {a.text})", True, f"(Rinv_0_lt_compat _ {a.term})", a.sign)
