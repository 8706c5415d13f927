"""The paper and the symbols and families its claims share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb, fmpq

from lpmech import PrivacyLevel
from lpmech.claims import Paper, Relations
from lpmech.mechanisms.rr_with_prior.derivation import symbols

__all__ = [
    *("ANY_K", "FAMILY", "FAMILY_K", "IN_PAPER", "K", "LARGER", "MASS", "NEXT", "PAPER", "PRIORS", "RATIOS"),
    *("T", "WITH_MASS", "as_ball", "at_levels", "is_top_k", "priors", "top_k", "written"),
]

PAPER = Paper(
    "ghazi2021", "Ghazi, Golowich, Kumar, Manurangsi, Zhang: Deep Learning with Label Differential Privacy (ghazi2021)"
)

#: t = e^epsilon, k labels of prior mass P, and the next label's probability.
T, K, MASS, NEXT = sp.symbols("t k P p")

#: What is derived from the equations, in these symbols.
IN_PAPER = dict(zip(symbols, (T, K, MASS, NEXT), strict=True))

#: Any number of labels and any epsilon > 0; the same with the mass of the labels that are kept.
ANY_K = (T > 1, K >= 1)
WITH_MASS = (*ANY_K, MASS >= 0, MASS <= 1)


def top_k(t: Any, k: Any) -> tuple[Any, Any, Any]:
    """Alg. 1: (true label kept, other kept label, kept label when the true one is not kept); at k = K eq. (1) too."""
    return t / (t + k - 1), 1 / (t + k - 1), 1 / k


def is_top_k(entries: Iterable[Any], k: Any = K) -> Relations:
    """That these are the entries of Alg. 1 at k labels; without the last one those of eq. (1)."""
    return dict(zip(("kept, true", "kept, other", "not kept"), zip(entries, top_k(T, k), strict=False), strict=False))


Prior = tuple[Fraction, ...]
RATIOS = (Fraction(11, 10), Fraction(2), Fraction(3), Fraction(9, 2), Fraction(20))


def priors(sizes: tuple[int, ...], total: int) -> list[Prior]:
    """All priors in falling order with denominators dividing `total`, zero entries and ties included."""
    return [
        tuple(Fraction(v, total) for v in counts)
        for n in sizes
        for counts in product(range(total, -1, -1), repeat=n)
        if sum(counts) == total and all(counts[i] >= counts[i + 1] for i in range(n - 1))
    ]


def as_ball(value: Fraction) -> arb:
    """The fraction as a ball."""
    return arb(fmpq(value.numerator, value.denominator))


def written(prior: Prior) -> str:
    """The prior in words."""
    return f"p = ({', '.join(map(str, prior))})"


def at_levels(of: Iterable[Prior], ratios: Iterable[Fraction] = RATIOS) -> list[tuple[Prior, PrivacyLevel, str]]:
    """Every prior at every level, with the words for both."""
    return [(p, PrivacyLevel.from_ratio(t), f"{written(p)}, t = {t}") for p, t in product(of, ratios)]


#: Priors with denominator 6 on K <= 4 labels at five levels, zero entries and ties included; the same with every k, and some
#: priors on 5 and 6 labels.
FAMILY = at_levels(priors((1, 2, 3, 4), 6))
PRIORS = "priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}"
LARGER = at_levels(priors((5, 6), 8)[::4], RATIOS[1:4])
FAMILY_K = [
    (p, k, PrivacyLevel.from_ratio(t), f"{written(p)}, k = {k}, t = {t}")
    for p in priors((1, 2, 3, 4), 6)
    for k, t in product(range(1, len(p) + 1), RATIOS)
]
