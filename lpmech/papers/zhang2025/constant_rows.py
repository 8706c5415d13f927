"""Alg. 2: one row that has nothing to choose from makes BRR randomized response, whatever the other rows are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, common_m
from lpmech.papers.checking import check_identities
from lpmech.papers.claims import Parts
from lpmech.papers.zhang2025.greedy import raised_by_all
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, N, T, similarity_matrices, written

FIRST, SECOND, REST = sp.symbols("lambda_1 lambda_2 R")
CONSTANT, MASS, OTHERS, SHARE = sp.symbols("c C x p")
CASES = list(product(list(similarity_matrices(3, 3))[::31], RATIOS))


def _row_of_grr(first: Any, rest: Any, t: Any, n: Any) -> Any:
    """Utility of GRR in a row: t times the similarity of the true item, once each other one."""
    return (t * first + rest) / (t + n - 1)


@PAPER.claim(
    "Alg. 2 (BRR is GRR iff)",
    r"BRR has m=1 iff in some row the second largest similarity is at most GRR's utility there, (e^\epsilon\lambda_1+\lambda_2+\dots+\lambda_N)/(e^\epsilon+N-1)",
    hypotheses="any similarities: (7) at i = 2 with s_1 = t; R = lambda_2 + ... + lambda_N. The formula: when a row keeps m = 1",
    given=[T > 1, N >= 2, FIRST >= SECOND, SECOND * (N - 1) >= REST],
    evidence="row by row, all N and t",
    replay="`common_m` on every 31st of the 3 x 3 matrices in {1, 2, 3}, the true item largest, t in {2, 3, 7/2, 10}",
    formula=lambda second, value: second <= value,
    note="The minimum over the rows is 1 as soon as one row's is: on 1..N with |i - j| that happens from e^epsilon = (N - 1)(N - 2)/2 or, in the middle, earlier on.",
)
def is_grr(stays: Any) -> Parts:
    for matrix, t in CASES:
        rows = [sorted(row, reverse=True) for row in matrix]
        says = any(stays(Fraction(row[1]), _row_of_grr(row[0], sum(row[1:]), t, len(row))) for row in rows)
        m = common_m(matrix, PrivacyLevel.from_ratio(t))
        yield (m == 1) == says or f"lambda = {written(matrix)}, t = {t}: m = {m}"
    raised = SECOND * (T + N - 1) - (T * FIRST + REST) > 0  # sum_j (lambda_2 - lambda_j) s_j
    kept = stays(SECOND, _row_of_grr(FIRST, REST, T, N))
    yield "kept => not raised", sp.Implies(kept, sp.Not(raised))
    yield "not raised => kept", sp.Implies(sp.Not(raised), kept)


@PAPER.claim(
    "Alg. 2 (a constant row)",
    r"one item that is equally similar to all makes BRR the GRR mechanism for all items, at every \epsilon and for every N",
    hypotheses="N >= 2; c = similarity of the constant row, C = sum of the weights, x the numerator of the other rows; the formula says from the numerators (p, own, others) of (7) whether a weight is raised",
    given=[T > 1, MASS > 0, SHARE > 0, SHARE < 1],
    evidence="no weight is raised, whatever the other rows gain; with gains of both rows it is",
    replay="`bipartite_rr` on every 31st of the 3 x 3 matrices in {1, 2, 3} whose first row is made constant, t in {2, 3, 7/2, 10}",
    formula=raised_by_all,
    mutants={
        "raised if one row gains": lambda p, own, others: sp.Or(own > 0, others > 0),
        "raised on average": lambda p, own, others: p * own + (1 - p) * others > 0,
    },
    note="The numerator of (7) vanishes in that row. At lambda = (2 2 2; 1 3 3; 1 3 3), t = 10, BRR = GRR has 23/9 where BRR* has 164/63; nothing is gained for the constant row in exchange, which has the same utility under every channel.",
)
def constant_row(raises: Any) -> Parts:
    for matrix, t in CASES:
        level, utility = PrivacyLevel.from_ratio(t), ((2, 2, 2), *matrix[1:])
        channel, star = bipartite_rr(utility, level), bipartite_rr_star(utility, level)
        grr = set(channel.matrix.ravel().tolist()) == {1 / (t + 2), t / (t + 2)}
        yield grr or f"lambda = {written(utility)}, t = {t}: not GRR, {channel.matrix.tolist()}"
        above = channel.expected_utility(utility) > star.expected_utility(utility)
        yield not above or f"{written(utility)}: above BRR*"
    own = CONSTANT * MASS - CONSTANT * MASS
    yield check_identities({"numerator": (own, 0)}, "the numerator of (7) in a constant row")
    yield "no weight is raised", sp.Not(raises(SHARE, own, OTHERS))
    gain = sp.Symbol("y")
    yield "raised where both gain", sp.Implies(sp.And(gain > 0, OTHERS > 0), raises(SHARE, gain, OTHERS))
    yield "and only there", sp.Implies(raises(SHARE, gain, OTHERS), sp.And(gain > 0, OTHERS > 0))
