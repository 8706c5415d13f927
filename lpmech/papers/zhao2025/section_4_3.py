"""Section 4.3: cost of the transformation, and sigmoid against softmax."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import sympy as sp

from lpmech.entries import Array
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.checking import both, check_identities, check_implications
from lpmech.papers.claims import Repair
from lpmech.papers.zhao2025.paper import PAPER, K, S, paper_bits
from lpmech.randomness import RandomSource
from lpmech.verdicts import Outcome, refuted, supported


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
    formula=lambda s, k: (k - 1 + s) / (1 + s),
    mutants={"1": lambda s, k: sp.Integer(1), "(K + s)/(1 + s)": lambda s, k: (k + s) / (1 + s)},
)
def sum_of_bits(mean: Any) -> Outcome:
    p, q = paper_bits(S)
    value = check_identities({"mean": (p + (K - 1) * q, mean(S, K))}, "identity in s and K", hypotheses=[S > 1, K > 1])
    one = sp.Eq(mean(S, K), 1)
    iff = {"if": sp.Implies(sp.Eq(K, 2), one), "only if": sp.Implies(one, sp.Eq(K, 2))}
    return both(value, check_implications([S > 1, K > 1], iff, "1 iff K = 2"))


ETA, OTHER, SCORE = sp.symbols("eta_j eta_l f")


@PAPER.claim(
    "Section 4.3 (softmax)",
    r"'a sigmoid activation at the last layer can not be replaced by softmax, since the randomized vector Z does not sum to 1': with softmax the scores do not keep the order of \eta",
    hypotheses="s > 1, K >= 2, 0 <= eta_l < eta_j, eta_j + eta_l <= 1. Cross entropy -sum_j Z(j) ln f_j over scores that sum to 1 has the mean -sum_j eta~_j ln f_j, which is least at "
    "f = eta~ / sum eta~: any two scores of sum b > 0 minimise -a ln f - c ln(b - f), a, c > 0, convex with its minimum at f = b a/(a + c). The formula compares the scores of l and j there",
    consequence="wording",
    headline=7,
    recorded="refuted",
    formula=operator.ge,
    mutants={"equal scores": sp.Eq},
    note="Z does not sum to 1, and for K >= 3 neither does its mean, so that a softmax cannot represent eta~ itself. Its optimum is eta~ up to a factor, with the same argmax: the method works with it.",
    repair=Repair(
        r"softmax with cross entropy has its optimum at \tilde\eta(1+s)/(K-1+s), with the argmax of \eta",
        hypotheses="as above",
        formula=operator.lt,
        mutants={"the order is not kept, as printed": operator.ge, "equal scores": sp.Eq},
    ),
)
def softmax(relation: Any) -> Outcome:
    p, q = paper_bits(S)
    first, second, share = sp.symbols("a c b")
    loss = -first * sp.log(SCORE) - second * sp.log(share - SCORE)
    positive = [first > 0, second > 0, share > 0]
    best = {SCORE: share * first / (first + second)}
    stationary = check_identities(
        {"derivative at the minimum": (sp.diff(loss, SCORE).subs(best), 0)}, "stationary", hypotheses=positive
    )
    convex = check_implications(
        [*positive, SCORE > 0, share > SCORE], {"convex": sp.diff(loss, SCORE, 2) > 0}, "two scores of a given sum"
    )
    low, high = (((1 - eta) * q + eta * p) * (1 + S) / (K - 1 + S) for eta in (OTHER, ETA))
    order = check_implications(
        [S > 1, K >= 2, OTHER >= 0, ETA > OTHER, ETA + OTHER <= 1],
        {"order": relation(low, high)},
        "scores at the optimum",
    )
    return both(both(stationary, convex), order)
