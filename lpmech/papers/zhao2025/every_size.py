"""Proofs for every K and every level of what claims of this paper replay on small instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lpmech.claims.checking import both, check_identities, check_implications
from lpmech.papers.zhao2025.paper import K, S, T, paper_bits
from lpmech.verdicts import Outcome

__all__ = ["best_hit_rate", "fold_is_largest", "from_randomized_response"]

DIAGONAL = sp.Symbol("D")


def best_hit_rate(value: Callable[[Any, Any], Any]) -> Outcome:
    """That the value, which takes K and t, is no decoded channel's hit rate exceeded, and randomized response's.

    P(z | c) <= t P(z | y) for what z is decoded to, summed over y != c and over z: (K - 1) D <= t (K - D).
    """
    decoded = [T > 1, K >= 2, DIAGONAL >= 0, DIAGONAL <= K, (K - 1) * DIAGONAL <= T * (K - DIAGONAL)]
    attained = {"randomized response": (value(K, T), T / (T + K - 1))}
    return both(
        check_implications(decoded, {"hit rate": value(K, T) >= DIAGONAL / K}, "every K >= 2, every t > 1"),
        check_identities(attained, "attained", hypotheses=[T > 1, K >= 2]),
    )


def fold_is_largest(fold: Callable[[Any, Any], Any]) -> Outcome:
    """That the fold of eta_1, ..., eta_K leaves the least risk 1 - eta_c that a class c has: induction over the classes."""
    best, eta = sp.symbols("b eta")
    left = fold(best, eta)
    return check_implications(
        [best >= 0, best <= 1, eta >= 0, eta <= 1],
        {
            "no class so far does better": 1 - left <= 1 - best,
            "nor the next one": 1 - left <= 1 - eta,
            "one of them has it": sp.Or(sp.Eq(left, best), sp.Eq(left, eta)),
        },
        "one more class; the risk is linear in the law of X",
    )


def from_randomized_response(row: Callable[[Any, Any], Any]) -> Outcome:
    """That for K = 2 randomized response at s^2, then the row (both, second, first, none), is the vector at s."""
    p, q = paper_bits(S)
    high, low = S**2 / (S**2 + 1), 1 / (S**2 + 1)
    both_bits, second, first, none = row(p, q)
    laws = {
        "(1, 0)": (high * first + low * second, p * (1 - q)),
        "(0, 1)": (high * second + low * first, (1 - p) * q),
        "(1, 1)": (both_bits, p * q),
        "(0, 0)": (none, (1 - p) * (1 - q)),
        "row": (both_bits + second + first + none, 1),
    }
    entries = sp.And(*(sp.sympify(v) >= 0 for v in (both_bits, second, first, none)))
    return both(
        check_identities(laws, "every s > 1", hypotheses=[S > 1]),
        check_implications([S > 1], {"entries": entries}, "a channel"),
    )
