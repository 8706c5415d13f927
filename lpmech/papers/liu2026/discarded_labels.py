"""Section 4: labels that the optimum of (4.1) never releases, the limitation of RRWithPrior that BlockRR is to remove."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.certify.checker import exp_bounds
from lpmech.claims import Parts
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.papers.liu2026.algorithm_2 import majority_of
from lpmech.papers.liu2026.equation_4_1 import without_delta
from lpmech.papers.liu2026.instances import HALF, RATIOS, positive
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.shapes import iff
from lpmech.papers.liu2026.tables import COUNTS, by_setting
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel

T, K, D, OWN, TOP = sp.symbols("t K d p_j p_max")


#: Small instances of (4.1) with l = 0.
INSTANCES = without_delta(positive(6), (HALF, Fraction(1, 4), Fraction(3, 4)), (Fraction(5, 4), *RATIOS))


@PAPER.claim(
    "Section 4 (discarding minority labels)",
    r"'a key limitation' of RRWithPrior 'is its discarding of minority labels ... To address these shortcomings, we propose the BlockRR algorithm' as the optimal solution of (4.1): an optimal solution of (4.1) releases every label",
    hypotheses="l = 0, positive priors with denominator 6 on K = 2, 3 labels, d = e^{-1/sigma} in {1/2, 1/4, 3/4}, t in {5/4, 2, 5}; exact optimum whose duals are strict in the columns of labels that it does not release, so that no "
    "optimum does. The formula says for which priors every label is released",
    family="instances of (4.1) with l = 0, exact duals",
    consequence="optimality",
    recorded="refuted",
    formula=lambda own, top, t, size, d: True,
    control=lambda own, top, t, size, d: own * size == 1,
    survivors={"own and size exchanged": "the same product"},
    mutants={
        "for S2 empty": lambda own, top, t, size, d: own >= d * top,
        "at least half the largest prior": lambda own, top, t, size, d: 2 * own >= top,
    },
    note="BlockRR itself releases every label of S~ = S, and is not the optimal solution there. (4.1) as an objective discards labels as RRWithPrior does.",
)
def every_label_released(claimed: Any) -> Parts:
    for case in INSTANCES:
        if all(claimed(p, max(case.prior), case.t, len(case.prior), case.decay) for p in case.prior):
            empty = [j for j, excess in enumerate(case.solution.dual_excess) if excess < 0]
            optimum = f"{case.solution.value}, such as {case.rows}"
            yield not empty or f"{case}: labels {empty} have probability 0 in every optimum, {optimum}"


@PAPER.claim(
    "Section 4 (discarding minority labels) [repaired]",
    r"for l=0 the only optimum of (4.1) is to release the most probable label always iff p_j(e^\epsilon+(K-1)d)<p_{\max}(1+(e^\epsilon+K-2)d) for every other label j: so at small \epsilon whenever p_{\max} is unique, and for a label of \mathcal S_2 at every \epsilon",
    hypotheses="K labels, any prior, p_max = the prior of the most probable label. Replayed on positive priors with denominator 6 on K = 2, 3 labels, d in {1/2, 1/4, 3/4}, t in {5/4, 2, 5}",
    given=[T > 1, K >= 2, D >= 0, D < 1, TOP > 0, TOP <= 1, OWN >= 0, OWN <= TOP],
    evidence="the dual constraint of label j is strict iff the condition holds, and the duals sum to the value",
    replay="exact optima with exact duals",
    formula=lambda own, top, t, size, d: own * (t + (size - 1) * d) < top * (1 + (t + size - 2) * d),
    mutants={
        "for every prior below the largest": lambda own, top, t, size, d: own < top,
        "for S2 only": lambda own, top, t, size, d: own < d * top,
        "K for K - 1": lambda own, top, t, size, d: own * (t + size * d) < top * (1 + (t + size - 1) * d),
    },
    note="A constant answer is all that is left of the data then. The duals are p_max for the most probable label and d p_max for the others, and no other duals fit; the constraint of label j is strict iff the condition holds.",
    repairs="Section 4 (discarding minority labels)",
)
def one_label_only(condition: Any) -> Parts:
    """The constant channel has floor 1 and no raised entry in its column, and zero floors elsewhere.

    Complementary slackness in its column: w_y - pi_y <= 0 and the sum is zero, so pi_y = w_y. If the other columns' constraints
    are strict, every optimum is zero there. If one is not satisfied the constant is not optimal; if one is an equality, then
    moving the floor of that column up a little, with entries at t m where w_yj > pi_y, keeps the value: another optimum.
    """
    for case in INSTANCES:
        size, solution = len(case.prior), case.solution
        *others, top = sorted(case.prior)
        constant = sum(not any(column) for column in solution.channel.matrix.T) == size - 1
        unique = constant and sum(excess < 0 for excess in solution.dual_excess) == size - 1
        as_claimed = unique == all(condition(p, top, case.t, size, case.decay) for p in others)
        yield as_claimed or f"{case}: one label is the only optimum: {unique}"
    # w - pi in the column of j: of the row of the largest prior, of row j, and of each of the K - 2 other rows
    of_top, own, of_others = D * OWN - TOP, OWN - D * TOP, D * (OWN - TOP)
    yield "rows other than j", sp.And(of_others <= 0, of_top <= 0)
    excess, below = (of_top + weight * own + (K - 2) * of_others for weight in (T, 1))
    strict = sp.And(sp.Implies(own >= 0, excess < 0), sp.Implies(own < 0, below < 0))
    yield from iff(condition(OWN, TOP, T, K, D), strict, "strict", "stated").items()
    yield "sum of the duals = value of the constant", (TOP + (K - 1) * D * TOP, TOP * (1 + (K - 1) * D))


#: Labels of probability 0 in every optimum of (4.1), in the order of Tables 8 and 9.
DISCARDED: Mapping[str, tuple[str, ...]] = {
    "CIFAR-10_1": ("68", "6789", "6789", "6789", "6789", "68", "", ""),
    "CIFAR-10_2": ("46789", "679", "6789", "679", "6789", "6789", "", ""),
}


@PAPER.claim(
    "eq. (4.1) (labels that its optimum discards, Tables 8 and 9)",
    r"labels shown to have probability 0 in every optimum of (4.1), by a strict dual constraint: CIFAR-10_1 6 and 8 at \epsilon=0.6 and 4, 6 to 9 at 0.8 to 3; CIFAR-10_2 4 and 6 to 9 at 0.6, 6, 7 and 9 at 0.8 and 2, 6 to 9 at 1, 3 and 4; none at 6 and 8",
    hypotheses="class counts of 5.1.1 as the prior; e^epsilon and e^{-1/sigma} rounded down to a multiple of 10^-4 and 10^-6; l = 0 where the tables have none",
    family="settings of Tables 8 and 9, exact optima with exact duals",
    recorded="certified",
    formula=DISCARDED,
    mutants={"none at all": dict.fromkeys(DISCARDED, ("",) * 8)},
    note="In 12 of the 16 settings. BlockRR releases all ten labels there; it is 1 to 33 percent below the optimum.",
)
def discarded(claimed: Mapping[str, tuple[str, ...]]) -> Parts:
    for dataset, budget, sigma, l, labels in by_setting(claimed):
        prior, majority = prior_from_counts(COUNTS[dataset]), majority_of(COUNTS[dataset], sigma)
        t = Fraction(exp_bounds(budget)[0] * 10**4 // 1, 10**4)
        d = Fraction(10**6 / exp_bounds(1 / sigma)[1] // 1, 10**6)
        solution = block_rr_program_from_decay(prior, majority, d, PrivacyLevel.from_ratio(t), l or 0).solve("exact")
        strict = "".join(str(j) for j, excess in enumerate(solution.dual_excess) if excess < 0)
        where = f"{dataset}, epsilon = {float(budget):g}"
        yield strict == labels or f"{where}: probability 0 in every optimum: {strict or 'none'}"
