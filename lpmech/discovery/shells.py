"""Symmetric problems whose labels are no numbers on a line or a circle: words, sets; the lemma gives their optimum.

What the labels around each label are is combinatorics, said in a sentence; sums over them are proved by the engine, and
the whole is compared with exact programs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from lpmech.terms import ZERO, Name, Node, Repeated
from lpmech.terms.functions import And, Eq, Ge, Le, Sum, binomial, floor

__all__ = ["SHELLS", "Shells"]

_K, _N, _D, _R, _T, _B, _U = map(Name, ("K", "n", "d", "r", "t", "b", "u_ij"))


class Sums(NamedTuple):
    """Of a column: the sum of all values; of the values that are at least some value, their sum and number."""

    total: Node
    mass: Node
    members: Node


@dataclass(frozen=True)
class Shells:
    """A utility of which every value stands in each row and in each column equally often.

    Attributes
    ----------
    about : str
        The utility in words.
    argument : str
        Why its values stand so.
    matrix : callable
        The utility at values of K and the parameters, shape (K, J).
    sums : Sums
        With the index r, if there is one.
    inside : term
        Whether a value, u_ij, is at least the one that is meant.
    outputs : term
        Number of released labels.
    last : term or None
        Of the index r = 0, 1, ..., where the best shell depends on t.
    best : term or None
        Where the index is the best one.
    identities : tuple of terms
        What the engine has to prove.
    """

    about: str
    argument: str
    matrix: Callable[[Mapping[str, Fraction]], list[list[int]]]
    sums: Sums
    inside: Node
    outputs: Node = _K
    last: Node | None = None
    best: Node | None = None
    identities: tuple[Node, ...] = ()


def _distances(at: Mapping[str, Fraction]) -> list[list[int]]:
    size = int(at["K"])
    return [[(i ^ j).bit_count() for j in range(size)] for i in range(size)]


def _within(at: Mapping[str, Fraction]) -> list[list[int]]:
    return [[int(distance <= at["r"]) for distance in row] for row in _distances(at)]


def _in_set(at: Mapping[str, Fraction]) -> list[list[int]]:
    size = int(at["K"])
    sets = list(combinations(range(size), int(at["d"])))
    return [[int(label in chosen) for chosen in sets] for label in range(size)]


_WORDS = "adding a word to both keeps their distance: C(n, b) words at distance b from each"
_BALL = Repeated("Sum", binomial(_N, _B), "b", ZERO, _R)


def _tie(radius: Node) -> Node:
    """Where the shells r and r - 1 are as good as each other: the optimum is the value -r."""
    nearer = Sum((radius - _B) * binomial(_N, _B), (_B, 0, radius))
    return 1 + _K * (_N / 2 - radius) / nearer


SHELLS = {
    "cube": Shells(
        "minus the number of bits in which two words of n bits differ",
        _WORDS,
        lambda at: [[-distance for distance in row] for row in _distances(at)],
        Sums(ZERO - _N * _K / 2, ZERO - Sum(_B * binomial(_N, _B), (_B, 1, _R)), _BALL),
        Ge(_U, ZERO - _R),
        _K,
        floor(_N / 2),
        And(Ge(_T, _tie(_R + 1)), Le(_T, _tie(_R))),
        (Eq(Sum(_B * binomial(_N, _B), (_B, 1, _N)), _N * 2**_N / 2), Eq(Sum(binomial(_N, _B), (_B, 0, _N)), 2**_N)),
    ),
    "ball": Shells(
        "1 where two words of n bits differ in at most r bits", _WORDS, _within, Sums(_BALL, _BALL, _BALL), Eq(_U, 1)
    ),
    "subset": Shells(
        "1 where the true label is in the released set of d labels",
        "renaming the labels: d labels in each set, C(K - 1, d - 1) sets around each label",
        _in_set,
        Sums(_D, _D, _D),
        Eq(_U, 1),
        binomial(_K, _D),
    ),
}
