"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Paper, Relations
from lpmech.claims.checking import sharp
from lpmech.mechanisms.unary_encoding import UnaryEncoding, symmetric_unary_encoding
from lpmech.terms import functions as tm

PAPER = Paper(
    "zhao2025",
    "Zhao, Wu, Liu, Shen, Zhang, Fan, Sun, Li: Enhancing Learning with Label Local Differential Privacy by Vector "
    "Approximation (zhao2025)",
    {
        "$s$, $t$": r"$e^{\epsilon/2}$ and $e^\epsilon$",
        "$K$": "how many classes there are",
        "$Z$": r"the released vector of $K$ bits, $Z(j)$ its entry for class $j$; $p$, $q$ the probability of a 1 at the true class and elsewhere",
        r"$\eta_j$, $\eta^*$, $\eta_s$": "the conditional probability of class $j$, the largest and the second largest of them; $c$ stands for $c(x)$ in an index, best for $c^*(x)$",
        r"$\Delta(x)$": "how far the estimates are from what they estimate",
        "$k$, $N$, $d$": "neighbours, examples and dimension of nearest neighbours",
        r"$\lambda$, $o$": "the scale of the Laplace noise of ALIBI, and what it releases",
    },
)

#: s = e^(epsilon/2), t = e^epsilon, K classes.
S, T, K = tm.symbols("s t K")

#: Values of s for exact work.
ROOTS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))


def paper_bits(s: Any) -> tuple[Any, Any]:
    """(p, q) of (12): probability of a 1 at the true class and at another one."""
    return s / (1 + s), 1 / (1 + s)


P, Q = paper_bits(S)


def vector(size: int, s: Fraction) -> UnaryEncoding:
    """The mechanism (12), (13) that users call."""
    return symmetric_unary_encoding(size, PrivacyLevel.from_ratio(s * s))


DIAGONAL = tm.symbol("D")


def best_hit_rate(value: Callable[[Any, Any], Any]) -> tuple[list[Any], Relations]:
    """That the value, which takes t and K, is the largest hit rate D/K of what is decoded, that of randomized response.

    Of a channel M, or of a release and its decoding: M_ii <= t M_ji, summed over j != i and over i, D = sum of M_ii.
    """
    left, right = (K - 1) * DIAGONAL, T * (K - DIAGONAL)
    return [T > 1, K >= 2, left <= right], sharp(DIAGONAL / K, value(T, K), tm.Eq(left, right))


def gain(x: Any) -> Any:
    """|x| - |x - 1|: what the log density of Laplace noise of scale 1 at x gains if the one-hot label has a 1 there."""
    return abs(x) - abs(x - 1)


def shares(size: int, total: int) -> list[tuple[Fraction, ...]]:
    """All distributions on `size` classes with denominators dividing `total`."""
    return [
        tuple(Fraction(v, total) for v in counts)
        for counts in product(range(total, -1, -1), repeat=size)
        if sum(counts) == total
    ]
