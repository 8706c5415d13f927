"""Section 3.2 and Appendices D to F: the partition (3.3), Alg. 2, and what it does with the settings of the experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, product
from math import exp
from typing import Any

from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import iff
from lpmech.mechanisms.block_rr import partition_by_decay
from lpmech.papers.liu2026.instances import HALF, priors
from lpmech.papers.liu2026.paper import PAPER
from lpmech.papers.liu2026.tables import COUNTS, SETTINGS
from lpmech.prove.arithmetic import Computed, enclosed_exp
from lpmech.terms import functions as tm
from lpmech.utilities import weight_matrix_from_decay


def _small_priors() -> Iterator[tuple[tuple[Fraction, ...], Fraction, str]]:
    for prior, decay in product(priors((3, 1, 2), 4), (Fraction(1, 3), HALF)):
        yield prior, decay, f"p = ({', '.join(map(str, prior))}), decay = {decay}"


OWN, REST, LEAST, DECAY = tm.symbols("p q p_min d")


@PAPER.claim(
    "eq. (3.3) (partition)",
    r"$\mathcal{S}_1=\{i: w_{ii}\ge w_{ij}\,\forall j\}=\{i: p_i\ge e^{-1/\sigma}\max_j p_j\}$",
    hypotheses=r"$d = e^{-1/\sigma}$; $p =$ prior of a label, so that $w_{ii} = p$, $q =$ largest prior of the other labels (0 if there is none), so that the largest other $w_{ij}$ is $d q$, $p_\min =$ the smallest prior",
    given=[DECAY > 0, DECAY < 1, OWN >= LEAST, REST >= 0, LEAST >= 0, OWN + REST <= 1],
    replay="small priors",
    formula=lambda own, top, least, decay: own >= decay * top,
    note=r"Section 3.2 prints $S_1 = \{i: w_{ii} \ge w_{ij}\}$ without 'for all $j$'; Alg. 2 line 5 and section 4 have it.",
)
def partition_rule(rule: Any) -> Parts:
    """w_ii = p_i and w_ij = d p_j, so 'for all j' asks p_i >= d q of the others (and p_i >= p_i of itself); max p = max(p_i, q)."""
    for prior, decay, where in _small_priors():
        weights = weight_matrix_from_decay(prior, decay)
        by_weights = [i for i in range(len(prior)) if all(weights[i, i] >= w for w in weights[i])]
        ruled = [i for i, p in enumerate(prior) if rule(p, max(prior), min(prior), decay)]
        yield Instance(f"{where}: S1 by the weights, by the rule", by_weights, "==", ruled)
    ruled = rule(OWN, tm.Max(OWN, REST), LEAST, DECAY)
    yield from iff(OWN >= DECAY * REST, ruled, "rule", "no other weight is larger").items()


@PAPER.claim(
    "eq. (3.3) (extremes of the partition)",
    r"$\mathcal{S}_1$ is never empty, and $\mathcal{S}_1=\mathcal{S}$ iff $e^{-1/\sigma}\max p\le\min p$",
    hypotheses=r"$d = e^{-1/\sigma}$; $p =$ prior of any label, $q =$ the largest, $p_\min =$ the smallest",
    given=[DECAY > 0, DECAY < 1, LEAST >= 0, OWN >= LEAST, OWN <= REST, REST <= 1],
    replay="small priors",
    kind="ours",
    formula=lambda top, least, decay: decay * top <= least,
)
def partition_extremes(whole: Any) -> Parts:
    """A label of largest prior is in S1; all labels are iff the one of smallest prior is."""
    for prior, decay, where in _small_priors():
        majority, minority = partition_by_decay(prior, decay)
        holds = majority and (not minority) == bool(whole(max(prior), min(prior), decay))
        yield bool(holds) or f"{where}: S1 = {majority}, S2 = {minority}"
    claimed = whole(REST, LEAST, DECAY)
    yield "a label of largest prior is in S1", REST >= DECAY * REST
    yield "condition => every label is", tm.Implies(claimed, OWN >= DECAY * REST)
    yield "the label of smallest prior is => condition", tm.Implies(LEAST >= DECAY * REST, claimed)


def majority_of(counts: tuple[int, ...], sigma: Fraction, enclose: Callable[[Fraction], Any] = exp_bounds) -> list[int]:
    """S1 for label counts and sigma, decided with rational bounds of e^(1/sigma); `enclosed_exp` keeps what is compared."""
    low, high = enclose(1 / sigma)
    ratios = [Fraction(max(counts), count) for count in counts]
    undecided = [r for r in ratios if low < r <= high]
    if undecided:
        raise ArithmeticError(f"max p / p_i = {undecided[0]} is too close to e^(1/{sigma})")
    return [i for i, r in enumerate(ratios) if r <= low]


def settings() -> Iterator[tuple[str, Fraction, Fraction, int | None, list[int], str]]:
    """(data set, epsilon, sigma, l, S1 for the true counts, in words) for every column of Tables 8 and 9."""
    for dataset, budget in ((d, b) for d in COUNTS for b in SETTINGS[d]):
        sigma, l = SETTINGS[dataset][budget]
        majority = majority_of(COUNTS[dataset], sigma, enclosed_exp)
        yield dataset, budget, sigma, l, majority, f"{dataset}, epsilon = {float(budget):g}, sigma = {float(sigma):g}"


@PAPER.claim(
    "Section 5.2 (epsilon >= 4 gives S1 = S, CIFAR-10_1)",
    r"for $\epsilon\ge 4.0$ and the $\sigma$ of Table 8, $\mathcal{S}_1=\mathcal{S}$ and $\mathcal{S}_2=\emptyset$",
    hypotheses=r"the true class counts of 5.1.1 as the prior; $e^{1/\sigma}$ enclosed by rationals",
    every="settings of the table",
    formula=("CIFAR-10_1", (4, 6, 8)),
)
@PAPER.claim(
    "Section 5.2 (epsilon >= 4 gives S1 = S, CIFAR-10_2)",
    r"for $\epsilon\ge 4.0$ and the $\sigma$ of Table 9, $\mathcal{S}_1=\mathcal{S}$ and $\mathcal{S}_2=\emptyset$",
    hypotheses=r"the true class counts of 5.1.1 as the prior; $e^{1/\sigma}$ enclosed by rationals",
    every="settings of the table",
    headline=6,
    formula=("CIFAR-10_2", (4, 6, 8)),
    note=r"Section 1 (3) says it of both data sets, section 5.2 after Tables 3 and 4. The abstract and section 6 say that BlockRR is RR there, which is so, because Table 9 sets $l = 0$ at $\epsilon = 4$: see 'Section 5.2 (BlockRR is RR)'.",
    consequence="wording",
    control=("CIFAR-10_2", (6, 8)),
)
@PAPER.claim(
    "App. G.1 (S2 empty)",
    r"'when $\epsilon\in\{6.0,8.0\}$, we have $\mathcal{S}_2=\emptyset$' on $\text{CIFAR-10}_2$ (Table 9)",
    hypotheses=r"the true class counts of 5.1.1 as the prior; $e^{1/\sigma}$ enclosed by rationals",
    every="settings of the table",
    kind="remark",
    formula=("CIFAR-10_2", (6, 8)),
    repairs="Section 5.2 (epsilon >= 4 gives S1 = S, CIFAR-10_2)",
)
def whole_partition(case: Any) -> Parts:
    """S2 is empty at the budgets named, and at no others of the table."""
    for dataset, budget, sigma, _, majority, where in (s for s in settings() if s[0] == case[0]):
        largest = max(COUNTS[dataset])
        missing = [n for i, n in enumerate(COUNTS[dataset]) if i not in majority]
        least = f"exp(-1/sigma) times the largest count {largest * exp(-1 / sigma):.2f}"
        told = f"{where}: {least}, counts below it {', '.join(map(str, missing)) or 'none'}: |S2|"
        yield Instance(told, len(missing), "==" if budget in case[1] else "!=", 0)


@PAPER.claim(
    "Section 5.2 (BlockRR is RR)",
    r"at $\epsilon\ge 4.0$, and already at $\epsilon=3.0$, BlockRR with the settings of Tables 8 and 9 is RR, by $l=0$ or by $\mathcal{S}_2=\emptyset$",
    hypotheses="the true class counts as the prior; $l$ of Tables 8 and 9, irrelevant where $S_2$ is empty",
    every="settings of both data sets: RR at these budgets and no others",
    headline=7,
    formula=(3, 4, 6, 8),
    note=r"So the comparison of 'Ours' with RR at $\epsilon = 3$ in Tables 3 to 6 compares RR with RR.",
)
def is_rr(budgets: tuple[int, ...]) -> Parts:
    for _, budget, _, l, majority, where in settings():
        minority, told = 10 - len(majority), "any" if l is None else l
        smaller = minority if l is None else min(l, minority)
        relation = "==" if budget in budgets else "!="
        yield Instance(f"{where}, l = {told}, |S2| = {minority}: the smaller of l and |S2|", smaller, relation, 0)


#: data set -> the labels of S1, in the order of the budgets of Tables 8 and 9.
MAJORITIES = {
    "CIFAR-10_1": (*["012345"] * 3, *["01234579"] * 2, *["0123456789"] * 3),
    "CIFAR-10_2": (*["012345"] * 5, "0123458", *["0123456789"] * 2),
}


@PAPER.claim(
    "Tables 8 and 9 (which labels fall in S1)",
    r"the majority labels: on $\text{CIFAR-10}_1$ 0-5 for $\sigma\ge 1.2$, also 7 and 9 for $\sigma=0.8$, 0.78, all for $\sigma=0.5$; on $\text{CIFAR-10}_2$ 0-5 for $\sigma\ge 0.8$, also 8 for $\sigma=0.5$, all for $\sigma=0.2$",
    hypotheses=r"the true class counts as the prior; $e^{1/\sigma}$ enclosed by rationals",
    every="settings of Tables 8 and 9",
    kind="ours",
    formula=MAJORITIES,
)
def which_labels(expected: dict[str, tuple[str, ...]]) -> Parts:
    for (*_, majority, where), labels in zip(settings(), chain(*expected.values()), strict=True):
        yield Instance(f"{where}: labels in S1", tuple(map(str, majority)), "==", tuple(labels))


@PAPER.claim(
    "Tables 8 and 9 (range of l)",
    r"every $l$ of Tables 8 and 9 lies in $\{0,\dots,|\tilde{S}_1|\}$",
    hypotheses="the true class counts as the prior; the private estimate may give another $S_1$",
    every={"size": (6, 7, 8, 10)},
    kind="ours",
    formula=lambda size: (0, size),
)
def range_of_l(ends: Any) -> Parts:
    """Both ends are reached."""
    found = [(Computed(l), *ends(len(majority)), where) for _, _, _, l, majority, where in settings() if l is not None]
    for l, low, high, where in found:
        yield Instance(f"{where}: l", l, "<=", high) if low <= l else f"{where}: l = {l} is less than {low}"
    yield any(l == low for l, low, _, _ in found) or "no l is the lower end"
    yield any(l == high for l, _, high, _ in found) or "no l is the upper end"


TOP, OTHER = tm.symbols("p_max p2")
IN_AND_OUT = (DECAY * TOP <= OWN, DECAY * TOP > REST)


@PAPER.claim(
    "Alg. 2 line 7",
    r"$\Delta$, the $l$ largest prior values in $\tilde{S}_1$, is the set of the $l$ largest prior values overall",
    hypotheses=r"$d = e^{-1/\sigma}$, $\tilde{S}_1 = S_1$ by (3.3), $l \le |S_1|$; $p =$ prior of a label of $S_1$, $p_2 =$ of one with another prior, $q =$ of a label outside, $p_\max =$ the largest",
    given=[
        DECAY > 0,
        DECAY < 1,
        OWN >= 0,
        REST >= 0,
        TOP >= OWN,
        TOP >= REST,
        TOP <= 1,
        OTHER >= 0,
        OTHER <= TOP,
        tm.Ne(OTHER, OWN),
        *IN_AND_OUT,
    ],
    kind="ours",
    formula=lambda first, second: first > second,
    note="Ties among labels of $S_1$ are broken alike in both rankings.",
)
def delta_is_top(precedes: Any) -> Relations:
    """The formula is the order of line 7. If S1 precedes the others, its first l <= |S1| labels are the first l of all."""
    return {"S1 before the others": precedes(OWN, REST), **iff(precedes(OWN, OTHER), OTHER < OWN, "larger", "first")}
