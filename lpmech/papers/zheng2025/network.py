"""The network of Example 5 and the question whether it has one class on a ball, decided by SMT."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.errors import UndecidedError
from lpmech.prove import Fails, Undecided, prove
from lpmech.verdicts import Outcome, proved, refuted

__all__ = ["HALF", "U", "V", "network", "is_robust"]

U, V = sp.symbols("u v")


def _rational(text: str) -> Any:
    return sp.Rational(text)


#: The printed weights of Example 5.
HIDDEN = [[_rational("-1.86"), _rational("-2.09")], [_rational("0.12"), _rational("-0.46")]]
HIDDEN_BIAS = [_rational("3.71"), _rational("-0.08")]
OUTPUT = [[_rational("-3.05"), _rational("0.40")], [_rational("4.02"), _rational("-0.22")]]
OUTPUT_BIAS = [_rational("0.94"), _rational("-0.58")]
HALF = sp.Rational(1, 2)


def network(u: Any, v: Any) -> tuple[Any, Any]:
    """Scores h_1, h_2 of Example 5."""
    hidden = [sp.Max(w[0] * u + w[1] * v + b, 0) for w, b in zip(HIDDEN, HIDDEN_BIAS, strict=True)]
    scores = [w[0] * hidden[0] + w[1] * hidden[1] + b for w, b in zip(OUTPUT, OUTPUT_BIAS, strict=True)]
    return scores[0], scores[1]


def is_robust(radius: Fraction, text: str, expected: bool = True) -> Outcome:
    """Whether Example 5's network has class 2 on the whole ball around (1/2, 1/2), decided by SMT over the reals."""
    r = sp.Rational(radius.numerator, radius.denominator)
    ball = [HALF - r <= U, HALF + r >= U, HALF - r <= V, HALF + r >= V]
    first, second = network(U, V)
    answer = prove(second > first, ball)
    if isinstance(answer, Undecided):
        raise UndecidedError(f"{text}: {answer.reason}")
    if isinstance(answer, Fails) != expected:
        return proved("exact evaluation, twice" if isinstance(answer, Fails) else answer.method, text)
    where = answer.witness.where if isinstance(answer, Fails) else "no point of another class"
    return refuted("SMT and exact evaluation", f"not so: {text}", f"radius {radius}: {where}")
