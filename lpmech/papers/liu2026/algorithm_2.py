"""Section 3.2 and Appendices D to F: the partition (3.3), Alg. 2, Alg. 3, Lemma F.1, Theorem 3.5."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.certify.checker import exp_bounds
from lpmech.mechanisms.block_rr import partition_by_decay
from lpmech.papers.checking import check_every, check_every_fact, check_family, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.utilities import weight_matrix_from_decay
from lpmech.verdicts import Outcome

HALF = Fraction(1, 2)


def priors(sizes: tuple[int, ...], total: int) -> list[tuple[Fraction, ...]]:
    """All priors on the given numbers of labels with denominators dividing `total`."""
    return [
        tuple(Fraction(v, total) for v in counts)
        for n in sizes
        for counts in product(range(total + 1), repeat=n)
        if sum(counts) == total
    ]


OWN, REST, LEAST, DECAY = sp.symbols("p q p_min d")


@PAPER.claim(
    "eq. (3.3) (partition)",
    r"\mathcal S_1=\{i: w_{ii}\ge w_{ij}\,\forall j\}=\{i: p_i\ge e^{-1/\sigma}\max_j p_j\}",
    hypotheses="0 < d = e^{-1/sigma} < 1; q = largest prior of the other labels (0 if there is none), p_min = the smallest prior",
    formula=lambda own, top, least, decay: own >= decay * top,
    mutants={
        "strict inequality": lambda own, top, least, decay: own > decay * top,
        "threshold e^{-1/sigma}": lambda own, top, least, decay: own >= decay,
        "compared with the smallest": lambda own, top, least, decay: own >= decay * least,
    },
    note="Section 3.2 prints S1 = {i: w_ii >= w_ij} without 'for all j'; Alg. 2 line 5 and section 4 have it.",
)
def partition_rule(rule: Any) -> Outcome:
    """w_ii = p_i and w_ij = d p_j, so 'for all j' asks p_i >= d q of the others (and p_i >= p_i of itself); max p = max(p_i, q)."""

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, decay = case
        weights = weight_matrix_from_decay(prior, decay)
        size = range(len(prior))
        by_weights = [i for i in size if all(weights[i, i] >= weights[i, j] for j in size)]
        ruled = [i for i, p in enumerate(prior) if rule(p, max(prior), min(prior), decay)]
        return None if by_weights == ruled else f"p = {tuple(map(str, prior))}, decay = {decay}: S1 = {by_weights}"

    by_weights = OWN >= DECAY * REST
    ruled = rule(OWN, sp.Max(OWN, REST), LEAST, DECAY)
    return replayed(
        check_implications(
            [DECAY > 0, DECAY < 1, OWN >= LEAST, REST >= 0, LEAST >= 0],
            {
                "w_ii >= w_ij => rule": sp.Implies(by_weights, ruled),
                "rule => w_ii >= w_ij": sp.Implies(ruled, by_weights),
            },
            "every label of every prior, every sigma",
        ),
        check_family([(p, d) for p in priors((1, 2, 3), 4) for d in (Fraction(1, 3), HALF)], failure, "small priors"),
    )


@PAPER.claim(
    "eq. (3.3) (extremes of the partition)",
    r"\mathcal S_1 is never empty, and \mathcal S_1=\mathcal S iff e^{-1/\sigma}\max p\le\min p",
    hypotheses="0 < d = e^{-1/sigma} < 1; p = prior of any label, q = the largest, p_min = the smallest",
    formula=lambda top, least, decay: decay * top <= least,
    mutants={"max and min swapped": lambda top, least, decay: decay * least <= top},
)
def partition_extremes(whole: Any) -> Outcome:
    """A label of largest prior is in S1; all labels are iff the one of smallest prior is."""

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, decay = case
        majority, minority = partition_by_decay(prior, decay)
        holds = majority and (not minority) == bool(whole(max(prior), min(prior), decay))
        return None if holds else f"p = {tuple(map(str, prior))}, decay = {decay}: S1 = {majority}, S2 = {minority}"

    claimed = whole(REST, LEAST, DECAY)
    return replayed(
        check_implications(
            [DECAY > 0, DECAY < 1, LEAST >= 0, OWN >= LEAST, OWN <= REST],
            {
                "a label of largest prior is in S1": REST >= DECAY * REST,
                "condition => every label is": sp.Implies(claimed, OWN >= DECAY * REST),
                "the label of smallest prior is => condition": sp.Implies(LEAST >= DECAY * REST, claimed),
            },
            "all priors, every sigma",
        ),
        check_family([(p, d) for p in priors((1, 2, 3), 4) for d in (Fraction(1, 3), HALF)], failure, "small priors"),
    )


def majority_of(counts: tuple[int, ...], sigma: Fraction) -> list[int]:
    """S1 for label counts and sigma, decided with rational bounds of e^(1/sigma)."""
    low, high = exp_bounds(1 / sigma)
    ratios = [Fraction(max(counts), count) for count in counts]
    undecided = [r for r in ratios if low < r <= high]
    if undecided:
        raise ArithmeticError(f"max p / p_i = {undecided[0]} is too close to e^(1/{sigma})")
    return [i for i, r in enumerate(ratios) if r <= low]


def _whole_for(dataset: str, budgets: tuple[int, ...]) -> Any:
    def failure(budget: int) -> str | None:
        sigma, _ = SETTINGS[dataset][Fraction(budget)]
        counts = COUNTS[dataset]
        missing = [counts[i] for i in range(10) if i not in majority_of(counts, sigma)]
        if not missing:
            return None
        return f"{dataset}, epsilon = {budget}, sigma = {float(sigma)}: counts {missing} lie below max * exp(-1/sigma), so S2 is not empty"

    return check_every(budgets, failure, f"{dataset}, epsilon in {budgets}, class counts of 5.1.1 as the prior")


@PAPER.claim(
    "Section 5.2 (epsilon >= 4 gives S1 = S, CIFAR-10_1)",
    r"for \epsilon\ge 4.0 and the \sigma of Table 8, \mathcal S_1=\mathcal S and \mathcal S_2=\emptyset",
    hypotheses="the true class counts as the prior; e^{1/sigma} enclosed by rationals",
    formula=("CIFAR-10_1", (4, 6, 8)),
    mutants={"from epsilon = 3": ("CIFAR-10_1", (3, 4, 6, 8))},
)
@PAPER.claim(
    "Section 5.2 (epsilon >= 4 gives S1 = S, CIFAR-10_2)",
    r"for \epsilon\ge 4.0 and the \sigma of Table 9, \mathcal S_1=\mathcal S and \mathcal S_2=\emptyset",
    hypotheses="the true class counts as the prior; e^{1/sigma} enclosed by rationals",
    consequence="wording",
    headline=7,
    recorded="refuted",
    formula=("CIFAR-10_2", (4, 6, 8)),
    mutants={"from epsilon = 3": ("CIFAR-10_2", (3, 4, 6, 8))},
    note="At epsilon = 4 the channel is RR all the same, because Table 9 sets l = 0 there: see 'Section 5.2 (BlockRR is RR)'.",
    repair=Repair(
        r"for \epsilon\in\{6,8\}, \mathcal S_2=\emptyset on CIFAR-10_2 (Table 9)",
        id="App. G.1 (S2 empty)",
        hypotheses="the true class counts as the prior",
        formula=("CIFAR-10_2", (6, 8)),
        mutants={"also for epsilon = 4": ("CIFAR-10_2", (4, 6, 8))},
    ),
)
def whole_partition(case: Any) -> Outcome:
    outcome: Outcome = _whole_for(*case)
    return outcome


@PAPER.claim(
    "Section 5.2 (BlockRR is RR)",
    r"at \epsilon\ge 4.0, and already at \epsilon=3.0, BlockRR with the settings of Tables 8 and 9 is RR, by l=0 or by \mathcal S_2=\emptyset",
    hypotheses="the true class counts as the prior; l of Tables 8 and 9, irrelevant where S2 is empty",
    formula=(3, 4, 6, 8),
    mutants={"from epsilon = 2": (2, 3, 4, 6, 8), "at epsilon = 1": (1,)},
    note="So the comparison of 'Ours' with RR at epsilon = 3 in Tables 3 to 6 compares RR with RR.",
)
def is_rr(budgets: tuple[int, ...]) -> Outcome:
    def failure(case: tuple[str, int]) -> str | None:
        dataset, budget = case
        sigma, l = SETTINGS[dataset][Fraction(budget)]
        whole = len(majority_of(COUNTS[dataset], sigma)) == 10
        return None if whole or l == 0 else f"{dataset}, epsilon = {budget}: S2 is not empty and l = {l}"

    return check_every([(d, b) for d in COUNTS for b in budgets], failure, f"both data sets, epsilon in {budgets}")


S1_BY_SETTING = {
    ("CIFAR-10_1", "0.6"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_1", "0.8"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_1", "1"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_1", "2"): (0, 1, 2, 3, 4, 5, 7, 9),
    ("CIFAR-10_1", "3"): (0, 1, 2, 3, 4, 5, 7, 9),
    ("CIFAR-10_1", "4"): tuple(range(10)),
    ("CIFAR-10_1", "6"): tuple(range(10)),
    ("CIFAR-10_1", "8"): tuple(range(10)),
    ("CIFAR-10_2", "0.6"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_2", "0.8"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_2", "1"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_2", "2"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_2", "3"): (0, 1, 2, 3, 4, 5),
    ("CIFAR-10_2", "4"): (0, 1, 2, 3, 4, 5, 8),
    ("CIFAR-10_2", "6"): tuple(range(10)),
    ("CIFAR-10_2", "8"): tuple(range(10)),
}


@PAPER.claim(
    "Tables 8 and 9 (which labels fall in S1)",
    r"the majority labels: on CIFAR-10_1 0-5 for \sigma\ge 1.2, also 7 and 9 for \sigma=0.8, 0.78, all for \sigma=0.5; on CIFAR-10_2 0-5 for \sigma\ge 0.8, also 8 for \sigma=0.5, all for \sigma=0.2",
    hypotheses="the true class counts as the prior; e^{1/sigma} enclosed by rationals",
    formula=S1_BY_SETTING,
    mutants={
        "label 6 in S1 at epsilon = 2": {**S1_BY_SETTING, ("CIFAR-10_1", "2"): (0, 1, 2, 3, 4, 5, 6, 7, 9)},
        "label 8 left out at epsilon = 4": {**S1_BY_SETTING, ("CIFAR-10_2", "4"): (0, 1, 2, 3, 4, 5)},
    },
)
def which_labels(expected: dict[tuple[str, str], tuple[int, ...]]) -> Outcome:
    def fact(key: tuple[str, str]) -> tuple[bool, str]:
        dataset, budget = key
        found = tuple(majority_of(COUNTS[dataset], SETTINGS[dataset][Fraction(budget)][0]))
        return found == expected[key], f"{dataset}, epsilon = {budget}: S1 = {found}"

    return check_every_fact(map(fact, expected), "all settings of Tables 8 and 9", "exact rational arithmetic")


@PAPER.claim(
    "Tables 8 and 9 (range of l)",
    r"every l of Tables 8 and 9 lies in \{0,\dots,|\tilde S_1|\}",
    hypotheses="the true class counts as the prior; the private estimate may give another S1",
    formula=lambda l: l,
    mutants={"l + 1": lambda l: l + 1, "l - 1": lambda l: l - 1},
)
def range_of_l(size_of_delta: Any) -> Outcome:
    def fact(case: tuple[str, Fraction]) -> tuple[bool, str]:
        dataset, budget = case
        sigma, l = SETTINGS[dataset][budget]
        s1 = len(majority_of(COUNTS[dataset], sigma))
        return l is None or 0 <= size_of_delta(l) <= s1, f"{dataset}, epsilon = {budget}: l = {l}, |S~1| = {s1}"

    return check_every_fact(
        ((fact((d, b))) for d in COUNTS for b in SETTINGS[d]), "settings with an l", "exact rational arithmetic"
    )


@PAPER.claim(
    "Alg. 2 line 7",
    r"\Delta, the l largest prior values in \tilde S_1, is the set of the l largest prior values overall",
    hypotheses="0 < d = e^{-1/sigma} < 1, S~1 = S1 by (3.3), l <= |S1|; p = prior of a label of S1, q = of a label outside, p_max = the largest",
    formula=lambda first, second: first > second,
    mutants={"the l smallest": lambda first, second: first < second, "any l": lambda first, second: sp.true},
    note="Ties among labels of S1 are broken alike in both rankings.",
)
def delta_is_top(precedes: Any) -> Outcome:
    """The formula is the order of line 7: which of two labels of different prior is taken first.

    If every label of S1 precedes every label outside, the first l <= |S1| in the ranking of all labels are the first l
    in the ranking of S1; and line 7 must rank by larger prior.
    """
    top, other = sp.symbols("p_max p2")
    return check_implications(
        [
            DECAY > 0,
            DECAY < 1,
            OWN >= 0,
            REST >= 0,
            top >= OWN,
            top >= REST,
            top >= other,
            other >= 0,
            DECAY * top <= OWN,
            DECAY * top > REST,
        ],
        {
            "S1 before the others": precedes(OWN, REST),
            "largest first": sp.And(
                sp.Implies(other < OWN, precedes(OWN, other)), sp.Implies(other > OWN, sp.Not(precedes(OWN, other)))
            ),
        },
        "S1 consists of the labels of largest prior",
    )
