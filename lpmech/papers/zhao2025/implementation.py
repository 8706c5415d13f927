"""Section 4.3: cost of the transformation, and sigmoid against softmax."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from lpmech.entries import Array
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.checking import both, check_identities, check_implications
from lpmech.papers.claims import Outcome, refuted, supported, unclear
from lpmech.papers.zhao2025.paper import PAPER, K, S, paper_bits
from lpmech.randomness import RandomSource


class _CountingSource(RandomSource):
    """A source that counts the numbers it hands out."""

    drawn = 0

    def below(self, bound: int, count: int) -> Array:
        self.drawn += count
        return super().below(bound, count)


@PAPER.claim(
    "Section 4.3 (O(NK))",
    r"'our method only introduces O(NK) additional time complexity for label transformation'",
    hypotheses="random numbers drawn for N = 1, 10, 1000 labels and K = 2, 20, 200 classes; bound N(K + 1)",
    recorded="supported",
    formula=lambda n, size: n * (size + 1),
    mutants={"one bit less": lambda n, size: n * size - 1, "one number for each label": lambda n, size: n},
)
def cost(bound: Any) -> Outcome:
    for n in (1, 10, 1000):
        for size in (2, 20, 200):
            source = _CountingSource(bytes(32))
            symmetric_unary_encoding(size, 1.0).exact(1.0).sample(np.zeros(n, dtype=int), source)
            if source.drawn > bound(n, size):
                found = f"N = {n}, K = {size}: {source.drawn} numbers drawn"
                return refuted("operation count", found, f"{found}, more than {bound(n, size)}")
    return supported("operation count", "N(K + 1) draws for all nine sizes; wall time not measured")


@PAPER.claim(
    "Section 4.3 (sum of Z)",
    r"E\sum_jZ(j)=\sum_j\tilde\eta_j=(K-1+s)/(1+s), which is 1 iff K=2",
    hypotheses="s > 1, K > 1",
    recorded="proved",
    formula=lambda s, k: (k - 1 + s) / (1 + s),
    mutants={"1": lambda s, k: sp.Integer(1), "(K + s)/(1 + s)": lambda s, k: (k + s) / (1 + s)},
)
def sum_of_bits(mean: Any) -> Outcome:
    p, q = paper_bits(S)
    value = check_identities({"mean": (p + (K - 1) * q, mean(S, K))}, "identity in s and K")
    one = sp.Eq(mean(S, K), 1)
    iff = {"if": sp.Implies(sp.Eq(K, 2), one), "only if": sp.Implies(one, sp.Eq(K, 2))}
    return both(value, check_implications([S > 1, K > 1], iff, "1 iff K = 2"))


@PAPER.claim(
    "Section 4.3 (softmax)",
    r"'a sigmoid activation at the last layer can not be replaced by softmax, since the randomized vector Z does not sum to 1'",
    hypotheses="s > 1, K >= 2; the outputs of a softmax sum to 1 and should approximate eta~",
    recorded="unclear",
    formula=sp.Ne,
    mutants={"Z does sum to 1": sp.Eq},
    note="For K = 2 the target eta~ sums to 1 and a softmax can represent it; the vector itself may still be (0,0) or (1,1).",
)
def softmax(relation: Any) -> Outcome:
    p, q = paper_bits(S)
    mean = p + (K - 1) * q

    def reading(left: Any, smallest: int) -> Outcome:
        return check_implications([S > 1, smallest <= K], {"sum and 1": relation(left, 1)}, f"K >= {smallest}")

    return unclear(
        {
            "Z itself: sum Z = 1 is not certain (all bits are 0 with positive probability)": reading(
                1 - (1 - p) * (1 - q), 2
            ),
            "the target eta~, every K >= 2": reading(mean, 2),
            "the target eta~, K >= 3": reading(mean, 3),
        }
    )
