"""Exact binomial probabilities, against which bounds on tails are checked."""

from __future__ import annotations

from math import comb
from typing import Any

__all__ = ["at_most", "binomial_law"]


def binomial_law(n: int, chance: Any) -> list[Any]:
    """Pr[k of n independent events] for k = 0..n, each of this probability: a Fraction or a ball."""
    return [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)]


def at_most(k: int, n: int, chance: Any) -> Any:
    """Pr[at most k of n independent events], as `binomial_law`."""
    total, ways = 0 * chance, 1
    for i in range(min(k, n) + 1):
        total += ways * chance**i * (1 - chance) ** (n - i)
        ways = ways * (n - i) // (i + 1)
    return total
