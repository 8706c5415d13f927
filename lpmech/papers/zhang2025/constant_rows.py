"""Alg. 2: one row that has nothing to choose from makes BRR randomized response, whatever the other rows are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, common_m
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.zhang2025.greedy import raised_by_all
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, N, T, similarity_matrices, written
from lpmech.verdicts import Outcome

FIRST, SECOND, REST = sp.symbols("lambda_1 lambda_2 R")


def _row_of_grr(first: Any, rest: Any, t: Any, n: Any) -> Any:
    """Utility of GRR in a row: t times the similarity of the true item, once each other one."""
    return (t * first + rest) / (t + n - 1)


def _stays(second: Any, value: Any) -> Any:
    return second <= value


@PAPER.claim(
    "Alg. 2 (BRR is GRR iff)",
    r"BRR has m=1 iff in some row the second largest similarity is at most GRR's utility there, (e^\epsilon\lambda_1+\lambda_2+\dots+\lambda_N)/(e^\epsilon+N-1)",
    hypotheses="t > 1, N >= 2, any similarities: (7) at i = 2 with s_1 = t; R = lambda_2 + ... + lambda_N. The formula: when a row keeps m = 1. Replayed with `common_m` on every 31st of the 3 x 3 matrices in {1, 2, 3}, the true item largest, t in {2, 3, 7/2, 10}",
    formula=_stays,
    mutants={
        "less than": lambda second, value: second < value,
        "at least": lambda second, value: second >= value,
        "one above it": lambda second, value: second <= value + 1,
    },
    note="The minimum over the rows is 1 as soon as one row's is: on 1..N with |i - j| that happens from e^epsilon = (N - 1)(N - 2)/2 or, in the middle, earlier on.",
)
def is_grr(stays: Any) -> Outcome:
    numerator = SECOND * (T + N - 1) - (T * FIRST + REST)  # sum_j (lambda_2 - lambda_j) s_j
    value = _row_of_grr(FIRST, REST, T, N)
    proof = check_implications(
        [T > 1, N >= 2, FIRST >= SECOND, SECOND * (N - 1) >= REST],
        {
            "kept => not raised": sp.Implies(stays(SECOND, value), sp.Not(numerator > 0)),
            "not raised => kept": sp.Implies(sp.Not(numerator > 0), stays(SECOND, value)),
        },
        "row by row, all N and t",
    )

    def failure(case: Any) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        rows = [sorted(row, reverse=True) for row in matrix]
        says = any(stays(Fraction(row[1]), _row_of_grr(row[0], sum(row[1:]), t, len(row))) for row in rows)
        m = common_m(matrix, level)
        return None if (m == 1) == says else f"lambda = {written(matrix)}, t = {t}: m = {m}"

    family = [(m, t) for m in list(similarity_matrices(3, 3))[::31] for t in RATIOS]
    return replayed(proof, check_family(family, failure, "3 x 3 similarities"))


@PAPER.claim(
    "Alg. 2 (a constant row)",
    r"one item that is equally similar to all makes BRR the GRR mechanism for all items, at every \epsilon and for every N",
    hypotheses="t > 1, N >= 2; c = similarity of the constant row, C = sum of the weights; the formula says from the numerators (p, own, others) of (7) whether a weight is raised. Replayed with `bipartite_rr` on every 31st of the 3 x 3 matrices in {1, 2, 3} whose first row is made constant, t in {2, 3, 7/2, 10}",
    formula=raised_by_all,
    mutants={
        "raised if one row gains": lambda p, own, others: sp.Or(own > 0, others > 0),
        "raised at a tie": lambda p, own, others: sp.And(own >= 0, others > 0),
        "raised on average": lambda p, own, others: p * own + (1 - p) * others > 0,
    },
    note="The numerator of (7) vanishes in that row. At lambda = (2 2 2; 1 3 3; 1 3 3), t = 10, BRR = GRR has 23/9 where BRR* has 164/63; nothing is gained for the constant row in exchange, which has the same utility under every channel.",
)
def constant_row(raises: Any) -> Outcome:
    constant, mass, others, share = sp.symbols("c C x p")
    own = constant * mass - constant * mass
    zero = check_identities({"numerator": (own, 0)}, "the numerator of (7) in a constant row")
    kept = check_implications(
        [T > 1, mass > 0, share > 0, share < 1],
        {"no weight is raised": sp.Not(raises(share, own, others))},
        "whatever the other rows gain",
    )

    def failure(case: Any) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        utility = ((2, 2, 2), *matrix[1:])
        channel = bipartite_rr(utility, level)
        if sorted(set(channel.matrix.ravel().tolist())) != [1 / (t + 2), t / (t + 2)]:
            return f"lambda = {written(utility)}, t = {t}: not GRR, {channel.matrix.tolist()}"
        star = bipartite_rr_star(utility, level)
        return (
            None
            if star.expected_utility(utility) >= channel.expected_utility(utility)
            else f"{written(utility)}: above BRR*"
        )

    family = [(m, t) for m in list(similarity_matrices(3, 3))[::31] for t in RATIOS]
    return replayed(both(zero, kept), check_family(family, failure, "3 x 3 similarities with a constant row"))
