"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb, fmpq

from lpmech.claims import Paper, Relations
from lpmech.claims.checking import sharp
from lpmech.errors import UndecidedError
from lpmech.verdicts import Outcome, proved, refuted

__all__ = [
    "DECODED", "DIAGONAL", "PAPER", "ROOTS", "K", "S", "T", "ball", "best_hit_rate", "gain", "identical", "magnitude",
    "paper_bits", "scalar_entries", "shares",
]  # fmt: skip

PAPER = Paper(
    "zhao2025",
    "Zhao, Wu, Liu, Shen, Zhang, Fan, Sun, Li: Enhancing Learning with Label Local Differential Privacy by Vector "
    "Approximation (zhao2025)",
)

#: s = e^(epsilon/2), t = e^epsilon, K classes.
S, T, K = sp.symbols("s t K")

#: Values of s for exact work.
ROOTS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))


def paper_bits(s: Any) -> tuple[Any, Any]:
    """(p, q) of (12): probability of a 1 at the true class and at another one."""
    return s / (1 + s), 1 / (1 + s)


def scalar_entries(t: Any, k: Any) -> tuple[Any, Any]:
    """Probabilities with which randomized response releases the true label and another one."""
    return t / (t + k - 1), 1 / (t + k - 1)


DIAGONAL = sp.Symbol("D")
#: Of a channel M, or of a release and its decoding: M_ii <= t M_ji, summed over j != i and over i, D = sum of M_ii.
DECODED = [T > 1, K >= 2, (K - 1) * DIAGONAL <= T * (K - DIAGONAL)]


def best_hit_rate(value: Callable[[Any, Any], Any]) -> Relations:
    """That the value, which takes t and K, is the largest hit rate D/K of what is decoded, that of randomized response."""
    return sharp(DIAGONAL / K, value(T, K), sp.Eq((K - 1) * DIAGONAL, T * (K - DIAGONAL)))


def ball(value: Fraction | int) -> arb:
    """A rational number as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def magnitude(x: Any) -> Any:
    """|x|."""
    return sp.Max(x, -x)


def gain(x: Any) -> Any:
    """|x| - |x - 1|: what the log density of Laplace noise of scale 1 at x gains if the one-hot label has a 1 there."""
    return magnitude(x) - magnitude(x - 1)


def shares(size: int, total: int) -> list[tuple[Fraction, ...]]:
    """All distributions on `size` classes with denominators dividing `total`."""
    return [
        tuple(Fraction(v, total) for v in counts)
        for counts in product(range(total, -1, -1), repeat=size)
        if sum(counts) == total
    ]


def identical(left: Any, right: Any, evidence: str, **where: Any) -> Outcome:
    """Proved if sympy simplifies the difference of two functions to 0, refuted if their values at a point differ."""
    if sp.simplify(sp.expand(left - right)) == 0:
        return proved("sympy identity", evidence)
    sides = sp.sympify(left), sp.sympify(right)
    values = [side.subs({symbol: where[symbol.name] for symbol in side.free_symbols}).evalf(30) for side in sides]
    at = ", ".join(f"{name} = {value}" for name, value in where.items())
    if abs(values[0] - values[1]) < 1e-20:
        raise UndecidedError(f"sympy finds no identity, and no difference at {at}")
    return refuted("sympy identity", "another function", f"{at}: {float(values[0]):.6g} against {float(values[1]):.6g}")
