"""Section 4: labels that the optimum of (4.1) never releases, the limitation of RRWithPrior that BlockRR is to remove."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.certify.checker import exp_bounds
from lpmech.mechanisms.block_rr.program import block_rr_program_from_decay
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.liu2026.algorithm_2 import majority_of, priors
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.section_4 import HALF, RATIOS, described
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.verdicts import Outcome

T, K, D, OWN, TOP = sp.symbols("t K d p_j p_max")
Setting = tuple[str, str]


def _only_one(own: Any, top: Any, t: Any, size: Any, d: Any) -> Any:
    """Whether the column of a label with this prior stays empty: its dual constraint has slack."""
    return own * (t + (size - 1) * d) < top * (1 + (t + size - 2) * d)


def _cases() -> list[Any]:
    several = [p for p in priors((2, 3), 6) if all(p)]
    return [
        (p, d, t) for p in several for d in (HALF, Fraction(1, 4), Fraction(3, 4)) for t in (Fraction(5, 4), *RATIOS)
    ]


def _solution(case: Any) -> Any:
    prior, d, t = case
    return block_rr_program_from_decay(prior, range(len(prior)), d, PrivacyLevel.from_ratio(t), 0).solve("exact")


@PAPER.claim(
    "Section 4 (discarding minority labels)",
    r"'a key limitation' of RRWithPrior 'is its discarding of minority labels ... To address these shortcomings, we propose the BlockRR algorithm' as the optimal solution of (4.1): an optimal solution of (4.1) releases every label",
    hypotheses="l = 0, positive priors with denominator 6 on K = 2, 3 labels, d = e^{-1/sigma} in {1/2, 1/4, 3/4}, t in {5/4, 2, 5}; exact optimum whose duals are strict in the columns of labels that it does not release, so that no "
    "optimum does. The formula says for which priors every label is released",
    consequence="optimality",
    recorded="refuted",
    formula=lambda own, top, t, size, d: True,
    control=lambda own, top, t, size, d: own * size == 1,
    mutants={
        "for S2 empty": lambda own, top, t, size, d: own >= d * top,
        "at least half the largest prior": lambda own, top, t, size, d: 2 * own >= top,
    },
    note="BlockRR itself releases every label of S~ = S, and is not the optimal solution there. (4.1) as an objective discards labels as RRWithPrior does.",
)
def every_label_released(claimed: Any) -> Outcome:
    def failure(case: Any) -> str | None:
        prior, d, t = case
        if not all(claimed(p, max(prior), t, len(prior), d) for p in prior):
            return None
        solution = _solution(case)
        empty = [j for j, excess in enumerate(solution.dual_excess) if excess < 0]
        if not empty:
            return None
        rows = [[str(v) for v in row] for row in solution.channel.matrix.tolist()]
        return f"{described((*case, 0))}: labels {empty} have probability 0 in every optimum, {solution.value}, such as {rows}"

    return check_family(_cases(), failure, "instances of (4.1) with l = 0, exact duals")


@PAPER.claim(
    "Section 4 (discarding minority labels) [repaired]",
    r"for l=0 the only optimum of (4.1) is to release the most probable label always iff p_j(e^\epsilon+(K-1)d)<p_{\max}(1+(e^\epsilon+K-2)d) for every other label j: so at small \epsilon whenever p_{\max} is unique, and for a label of \mathcal S_2 at every \epsilon",
    hypotheses="K >= 2 labels, any prior, t > 1, 0 <= d < 1, p_max > 0 the prior of the most probable label. Replayed on positive priors with denominator 6 on K = 2, 3 labels, d in {1/2, 1/4, 3/4}, t in {5/4, 2, 5}",
    formula=_only_one,
    mutants={
        "for every prior below the largest": lambda own, top, t, size, d: own < top,
        "for S2 only": lambda own, top, t, size, d: own < d * top,
        "with <=": lambda own, top, t, size, d: own * (t + (size - 1) * d) <= top * (1 + (t + size - 2) * d),
        "K for K - 1": lambda own, top, t, size, d: own * (t + size * d) < top * (1 + (t + size - 1) * d),
    },
    note="A constant answer is all that is left of the data then. The duals are p_max for the most probable label and d p_max for the others, and no other duals fit; the constraint of label j is strict iff the condition holds.",
    repairs="Section 4 (discarding minority labels)",
)
def one_label_only(condition: Any) -> Outcome:
    """The constant channel has floor 1 and no raised entry in its column, and zero floors elsewhere.

    Complementary slackness in its column: w_y - pi_y <= 0 and the sum is zero, so pi_y = w_y. If the other columns' constraints
    are strict, every optimum is zero there. If one is not satisfied the constant is not optimal; if one is an equality, then
    moving the floor of that column up a little, with entries at t m where w_yj > pi_y, keeps the value: another optimum.
    """
    other = [
        D * TOP - OWN,
        OWN - D * TOP,
        D * (OWN - TOP),
    ]  # -w + pi of row max; w - pi of row j; of the K - 2 other rows
    excess = (D * OWN - TOP) + T * (OWN - D * TOP) + (K - 2) * D * (OWN - TOP)
    below = (D * OWN - TOP) + (OWN - D * TOP) + (K - 2) * D * (OWN - TOP)
    given = [T > 1, K >= 2, D >= 0, D < 1, TOP > 0, TOP <= 1, OWN >= 0, OWN <= TOP]
    stated = condition(OWN, TOP, T, K, D)
    signs = check_implications(
        given, {"rows other than j": sp.And(other[2] <= 0, D * OWN - TOP <= 0)}, "signs of the slacks"
    )
    strict = sp.And(sp.Implies(OWN >= D * TOP, excess < 0), sp.Implies(OWN < D * TOP, below < 0))
    iff = check_implications(
        given,
        {"stated => strict": sp.Implies(stated, strict), "strict => stated": sp.Implies(strict, stated)},
        "the dual constraint of label j is strict iff the condition holds",
    )
    value = check_identities(
        {"sum of the duals = value of the constant": (TOP + (K - 1) * D * TOP, TOP * (1 + (K - 1) * D))},
        "and the duals sum to the value",
        hypotheses=given,
    )

    def failure(case: Any) -> str | None:
        prior, d, t = case
        top = max(prior)
        others = list(prior)
        others.remove(top)
        solution = _solution(case)
        columns = solution.channel.matrix.T
        constant = sum(not any(column) for column in columns) == len(prior) - 1
        unique = constant and sum(excess < 0 for excess in solution.dual_excess) == len(prior) - 1
        says = all(condition(p, top, t, len(prior), d) for p in others)
        return None if says == unique else f"{described((*case, 0))}: one label is the only optimum: {unique}"

    return replayed(both(both(signs, iff), value), check_family(_cases(), failure, "exact optima with exact duals"))


#: Labels of probability 0 in every optimum of (4.1), Tables 8 and 9.
DISCARDED: Mapping[Setting, str] = {
    ("CIFAR-10_1", "0.6"): "68", ("CIFAR-10_1", "0.8"): "6789", ("CIFAR-10_1", "1"): "6789",
    ("CIFAR-10_1", "2"): "6789", ("CIFAR-10_1", "3"): "6789", ("CIFAR-10_1", "4"): "68",
    ("CIFAR-10_1", "6"): "", ("CIFAR-10_1", "8"): "",
    ("CIFAR-10_2", "0.6"): "46789", ("CIFAR-10_2", "0.8"): "679", ("CIFAR-10_2", "1"): "6789",
    ("CIFAR-10_2", "2"): "679", ("CIFAR-10_2", "3"): "6789", ("CIFAR-10_2", "4"): "6789",
    ("CIFAR-10_2", "6"): "", ("CIFAR-10_2", "8"): "",
}  # fmt: skip


@PAPER.claim(
    "eq. (4.1) (labels that its optimum discards, Tables 8 and 9)",
    r"labels shown to have probability 0 in every optimum of (4.1), by a strict dual constraint: CIFAR-10_1 6 and 8 at \epsilon=0.6 and 4, 6 to 9 at 0.8 to 3; CIFAR-10_2 4 and 6 to 9 at 0.6, 6, 7 and 9 at 0.8 and 2, 6 to 9 at 1, 3 and 4; none at 6 and 8",
    hypotheses="class counts of 5.1.1 as the prior; e^epsilon and e^{-1/sigma} rounded down to a multiple of 10^-4 and 10^-6; l = 0 where the tables have none",
    recorded="certified",
    formula=DISCARDED,
    mutants={
        "none at all": dict.fromkeys(DISCARDED, ""),
        "as RRWithPrior at 1": {**DISCARDED, ("CIFAR-10_2", "2"): "6789"},
        "label 4 kept at CIFAR-10_2, 0.6": {**DISCARDED, ("CIFAR-10_2", "0.6"): "6789"},
    },
    note="In 12 of the 16 settings. BlockRR releases all ten labels there; it is 1 to 33 percent below the optimum.",
)
def discarded(claimed: Mapping[Setting, str]) -> Outcome:
    def failure(setting: Setting) -> str | None:
        dataset, budget = setting
        sigma, l = SETTINGS[dataset][Fraction(budget)]
        prior, majority = prior_from_counts(COUNTS[dataset]), majority_of(COUNTS[dataset], sigma)
        t = Fraction(exp_bounds(Fraction(budget))[0] * 10**4 // 1, 10**4)
        d = Fraction(10**6 / exp_bounds(1 / sigma)[1] // 1, 10**6)
        solution = block_rr_program_from_decay(prior, majority, d, PrivacyLevel.from_ratio(t), l or 0).solve("exact")
        strict = "".join(str(j) for j, excess in enumerate(solution.dual_excess) if excess < 0)
        if strict == claimed[setting]:
            return None
        return f"{dataset}, epsilon = {budget}: probability 0 in every optimum: {strict or 'none'}"

    return check_family(claimed, failure, "settings of Tables 8 and 9, exact optima with exact duals")
