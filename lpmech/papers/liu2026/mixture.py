"""What BlockRR is: a coin, tossed without a look at the label, between RR and RR on the majority labels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.block_rr import block_rr_from_partition, partition_by_decay
from lpmech.mechanisms.block_rr.mixture import mixture_weight, moved_entries, rr_on_majority
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.liu2026.paper import PAPER, S1, S2, L, T
from lpmech.papers.liu2026.section_4 import closed_form_entries, described, small_cases
from lpmech.verdicts import Outcome

SIZES = (T > 1, S1 >= 1, S2 >= 1, L > 0, L <= S1)
LARGER: list[Any] = [
    ((Fraction(3, 10), Fraction(3, 10), Fraction(2, 10), Fraction(1, 10), Fraction(1, 10)), Fraction(1, 2), Fraction(3), l)
    for l in range(4)
]  # fmt: skip


def _parts(entries: Any) -> dict[str, tuple[Any, Any, Any]]:
    """Entry type of the blocks: (BlockRR, RR, RR on the majority)."""
    block = closed_form_entries(T, S1, S2, L)
    low, majority_low = 1 / (T + S1 + S2 - 1), 1 / (T + S1 - 1)
    on_delta, on_rest = entries(T, S1, L)
    moved = {
        "majority own": T * majority_low, "majority S1": majority_low, "majority S2": sp.Integer(0),
        "minority Delta": on_delta, "minority S1": on_rest, "minority own": sp.Integer(0), "minority S2": sp.Integer(0),
    }  # fmt: skip
    return {kind: (block[kind], T * low if "own" in kind else low, other) for kind, other in moved.items()}


@PAPER.claim(
    "Section 3.1 (BlockRR is a mixture)",
    r"for l\ge 1 BlockRR is, with probability a=l(e^\epsilon-1)(e^\epsilon-1+|\mathcal S_1|)/(K\kappa), RR on \mathcal S_1 after a minority label has been replaced by one drawn uniformly from \Delta, and "
    r"with probability 1-a RR on all K labels",
    hypotheses="t > 1, B(y) = {y}, S~ = S, K = s1 + s2, s1, s2 >= 1, 0 < l <= s1 (real); the coin does not see the label. The functions replayed on positive priors with "
    "denominator 4 on K = 2, 3 labels, d in {1/2, 1/4}, t in {2, 5}, and (3, 3, 2, 1, 1)/10, d = 1/2, t = 3; every l >= 1",
    formula=(mixture_weight, moved_entries),
    mutants={
        "the minority uniform on S1": (mixture_weight, lambda t, s1, l: (1 / s1, 1 / s1)),
        "the minority uniform on Delta": (mixture_weight, lambda t, s1, l: (1 / l, sp.Integer(0))),
        "weight l/K": (lambda t, s1, s2, l: l / (s1 + s2), moved_entries),
        "kappa of l = 0": (
            lambda t, s1, s2, l: l * (t - 1 + s1) / ((s1 + s2) * (t - 1 + s1 + s2)),
            moved_entries,
        ),
        "no mixture": (lambda t, s1, s2, l: 0 * t, moved_entries),
    },
    note="Both parts are epsilon-label DP and the coin is independent of the label, which proves Theorem 3.4 for B(y) = {y} in one line. "
    "At l = |S1| the second part is RRTop-k.",
)
def is_a_mixture(case: Any) -> Outcome:
    weight, entries = case
    a = weight(T, S1, S2, L)
    identities = {kind: (block, (1 - a) * rr + a * moved) for kind, (block, rr, moved) in _parts(entries).items()}
    proof = check_identities(identities, "all seven entry types", hypotheses=SIZES)
    range_of = check_implications(SIZES, {"0 < a < 1": sp.And(a > 0, a < 1)}, "the weight is a probability")
    rows = check_identities(
        {"minority row": (L * entries(T, S1, L)[0] + (S1 - L) * entries(T, S1, L)[1], 1)},
        "rows of the second part sum to one",
        hypotheses=SIZES,
    )

    def failure(case: Any) -> str | None:
        prior, decay, t, l = case
        level = PrivacyLevel.from_ratio(t)
        majority, minority = partition_by_decay(prior, decay)
        share = weight(t, len(majority), len(minority), l)
        parts = randomized_response(len(prior), level).matrix, rr_on_majority(prior, majority, level, l).matrix
        mixed = (1 - share) * parts[0] + share * parts[1]
        closed = block_rr_from_partition(prior, majority, level, l).matrix
        return None if (mixed == closed).all() else f"{described(case)}: {mixed.tolist()} is not {closed.tolist()}"

    with_minority = [c for c in [*small_cases(), *LARGER] if c[3] and partition_by_decay(c[0], c[1])[1]]
    return replayed(
        both(both(proof, range_of), rows), check_family(with_minority, failure, "channels of the functions")
    )


@PAPER.claim(
    "Section 5.3.1 (RR and RRWithPrior, when a mixture)",
    r"'blending properties of both RR and RRWithPrior': with minority labels BlockRR is a mixture of RR and RRTop-k on \mathcal S_1 iff l=0 or l=|\mathcal S_1|",
    hypotheses="t > 1, B(y) = {y}, S~ = S, s1, s2 >= 1, 0 <= l <= s1 (real); RRTop-k releases a minority label's answer uniformly on S1. Function replayed on the same priors",
    formula=lambda l, s1: sp.Or(sp.Eq(l, 0), sp.Eq(l, s1)),
    mutants={
        "for every l": lambda l, s1: sp.true,
        "for l = 0 only": lambda l, s1: sp.Eq(l, 0),
        "for l = |S1| only": lambda l, s1: sp.Eq(l, s1),
        "also for l = |S1| - 1": lambda l, s1: sp.Or(sp.Eq(l, 0), sp.Eq(l, s1), sp.Eq(l, s1 - 1)),
    },
    note="In between, a minority label is answered from Delta: 'Section 3.1 (BlockRR is a mixture)'. The column of S2 fixes the weight of the mixture; in the minority rows "
    "the rest of S1 has then too little for a uniform answer.",
)
def mixture_with_rr_with_prior(claimed: Any) -> Outcome:
    a = mixture_weight(T, S1, S2, L)
    block = closed_form_entries(T, S1, S2, L)
    low = 1 / (T + S1 + S2 - 1)
    given = (T > 1, S1 >= 1, S2 >= 1, L >= 0, L <= S1)
    on_delta = (1 - a) * low + a / S1 - block["minority Delta"]
    on_rest = (1 - a) * low + a / S1 - block["minority S1"]
    fixed = check_identities(
        {"the weight is fixed by the columns of S2": (block["majority S2"], (1 - a) * low)},
        "the entry of S2 in a majority row fixes the weight",
        hypotheses=given,
    )
    same = sp.And(sp.Or(sp.Eq(L, 0), sp.Eq(on_delta, 0)), sp.Or(sp.Eq(L, S1), sp.Eq(on_rest, 0)))
    condition = claimed(L, S1)
    iff = check_implications(
        given,
        {"stated => mixture": sp.Implies(condition, same), "mixture => stated": sp.Implies(same, condition)},
        "minority rows on Delta (if any) and on the rest of S1 (if any)",
    )

    def failure(case: Any) -> str | None:
        prior, decay, t, l = case
        level = PrivacyLevel.from_ratio(t)
        majority, minority = partition_by_decay(prior, decay)
        s1 = len(majority)
        share = mixture_weight(t, s1, len(minority), l)
        top = rr_top_k(prior, s1, level).restrict(range(len(prior)))
        rows = [
            [top.matrix[y, top.outputs.index(j)] if j in top.outputs else 0 for j in range(len(prior))]
            for y in range(len(prior))
        ]
        rr = randomized_response(len(prior), level).matrix
        closed = block_rr_from_partition(prior, majority, level, l).matrix
        mixed = all(
            (1 - share) * rr[y, j] + share * rows[y][j] == closed[y, j]
            for y in range(len(prior))
            for j in range(len(prior))
        )
        return (
            None if mixed == bool(claimed(sp.Integer(l), sp.Integer(s1))) else f"{described(case)}: a mixture: {mixed}"
        )

    with_minority = [c for c in [*small_cases(), *LARGER] if partition_by_decay(c[0], c[1])[1]]
    return replayed(both(fixed, iff), check_family(with_minority, failure, "channels of the functions"))
