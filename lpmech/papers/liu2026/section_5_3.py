"""Abstract, sections 1, 5.2 and 5.3: what becomes of the three methods in each privacy regime, and what l does."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, product
from math import ceil
from operator import ge
from statistics import pvariance
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_parts
from lpmech.mechanisms.rr_with_prior import thresholds
from lpmech.papers.liu2026.paper import LARGER, ORDERED, ORDERED_EMPTY, PAPER, S1, S2, B, L, T, beta, gamma
from lpmech.papers.liu2026.section_5_2 import ACCURACIES, AVERAGES, CASES, HIGH, Case, against
from lpmech.papers.liu2026.shapes import exactly, ordered
from lpmech.papers.liu2026.tables import ACCURACY, AVERAGE, COUNTS, FIRST, METHODS, SECOND
from lpmech.papers.liu2026.tables_3_to_11 import accuracies, average, deviation, mean_accuracy, possible
from lpmech.priors import prior_from_counts
from lpmech.prove.arithmetic import Computed, enclosed_exp
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

LOW = ("4", "6", "8", "inf")


def cases(datasets: Iterable[str], budgets: Iterable[str]) -> list[Case]:
    """Pairs (data set, budget), sorted."""
    return sorted(product(datasets, budgets))


# -- RRWithPrior in the low-privacy regime ---------------------------------------------------------------


def keeps_all_from(dataset: str) -> Fraction:
    """The e^epsilon from which w_K is the largest w_k: w_K >= w_k iff (t + k - 1) >= P_k (t + K - 1)."""
    prior = list(map(Computed, sorted(prior_from_counts(COUNTS[dataset]).tolist(), reverse=True)))
    masses = enumerate(accumulate(prior[:-1]), start=1)
    return max((mass * (len(prior) - 1) - k + 1) / (1 - mass) for k, mass in masses)


@PAPER.claim(
    "Section 5.2 (all mechanisms degrade to RR, CIFAR-10_1)",
    r"for $\epsilon\ge 4.0$ RRWithPrior is RR as well ('degrading all mechanisms to standard RR')",
    hypotheses=r"$\text{CIFAR-10}_1$, the true class counts as the prior, $k^*$ as [GGK+21] chooses it; $e^\epsilon$ enclosed by rationals",
    every="budgets named",
    formula=(FIRST, ("4", "6", "8")),
    mutants={"from epsilon = 3": (FIRST, ("3", "4", "6", "8"))},
    note=r"The last threshold is $e^\epsilon = 49/2$, $\epsilon = 3.199$.",
)
@PAPER.claim(
    "Section 1 (3) (all methods become RR, CIFAR-10_2)",
    r"'in the low-privacy regime ($\epsilon\ge 4.0$), all methods converge as $\mathcal{S}_1=\mathcal{S}$': RRWithPrior is RR there",
    hypotheses=r"$\text{CIFAR-10}_2$, the true class counts as the prior, $k^*$ as [GGK+21] chooses it; $e^\epsilon$ enclosed by rationals",
    every="budgets named",
    consequence="wording",
    formula=(SECOND, ("4", "6", "8")),
    control=(SECOND, ("6", "8")),
    mutants={"from epsilon = 3": (SECOND, ("3", "6", "8"))},
    note=r"It keeps the last label iff $p_\min > 1 / (e^\epsilon + 9)$. At 4.0 it drops the class of least prior: Table 11 has it at 45.37 for class 9 where RR has 84.50.",
)
def rr_with_prior_degrades(case: tuple[str, tuple[str, ...]]) -> Parts:
    """At these budgets and at no others from 4 to 8."""
    dataset, budgets = case
    last = keeps_all_from(dataset)
    for budget in dict.fromkeys(("4", "6", "8", *budgets)):
        low, _ = enclosed_exp(Fraction(budget))
        where = f"{dataset}: RRWithPrior keeps all ten labels only for e^epsilon > {last}; e^{budget}"
        yield Instance(where, low, ">" if budget in budgets else "<=", last)


@PAPER.claim(
    "Section 1 (3) (all methods become RR, CIFAR-10_2) [repaired]",
    r"on $\text{CIFAR-10}_2$ $w_{10}$ is the largest $w_k$, so that RRWithPrior keeps all labels and is RR, iff $e^\epsilon\ge 30700/400-9=271/4$: at $\epsilon=4.216$ and above, not yet at 4.2",
    hypotheses=r"true class counts as the prior; at equality keeping nine labels is as good; $e^\epsilon$ enclosed by rationals; 4.2 the last with one decimal below, 4.216 the first with three above",
    every="comparisons with w_10, both budgets",
    formula=(Fraction(271, 4), "4.2", "4.216"),
    repairs="Section 1 (3) (all methods become RR, CIFAR-10_2)",
)
def where_rr_with_prior_is_rr(case: tuple[Fraction, str, str]) -> Parts:
    threshold, below, above = case
    found = keeps_all_from(SECOND)
    yield Instance("CIFAR-10_2: e^epsilon from which on w_10 is the largest", found, "==", threshold)
    steps = [Fraction(1, 10 ** len(b.partition(".")[2])) for b in (below, above)]
    around = ((Fraction(above) - steps[1], False), (Fraction(below) + steps[0], True), (below, False), (above, True))
    for budget, reached in around:
        low, high = enclosed_exp(Fraction(budget))
        end = (low, ">") if reached else (high, "<")
        yield Instance(f"e^{float(budget)}", *end, threshold)


@PAPER.claim(
    "Section 5.2 (class collapse of RRWithPrior)",
    r"at $\epsilon\le 1.0$ the classes at accuracy 0.00 with RRWithPrior are exactly those that it never releases, 6 to 9 ($k^*=6$)",
    hypotheses=r"both data sets, the true class counts as the prior; $e^\epsilon$ enclosed by rationals; Tables 10 and 11",
    every="budgets named, both data sets",
    formula=set(HIGH),
    mutants={"also at 2.0": {*HIGH, "2"}, "also at 3.0": {*HIGH, "3"}},
    kind="ours",
    note="At 2.0 and 3.0 the estimated prior sometimes keeps a class that the true one drops: accuracies between 8 and 78 appear.",
)
def collapsed_classes(budgets: set[str]) -> Parts:
    for dataset, budget in cases((FIRST, SECOND), {*HIGH, *budgets}):
        counts = COUNTS[dataset]
        low, high = enclosed_exp(Fraction(budget))
        limits = thresholds(prior_from_counts(counts))
        decided = not any(low <= limit <= high for limit in limits)
        kept = 1 + sum(limit < low for limit in limits)
        dropped = sorted(sorted(range(10), key=lambda i: (-counts[i], i))[kept:])
        zeros = [i for i, v in enumerate(accuracies(dataset, budget, "RRWithPrior")) if v == 0]
        where = f"{dataset}, epsilon = {budget}: k* = {kept}"
        relation = "==" if budget in budgets else "!="
        found = Instance(f"{where}, labels at 0.00, labels never released", zeros, relation, dropped)
        yield found if decided else where


# -- what the tables say of the regimes ------------------------------------------------------------------


@PAPER.claim(
    "Section 5.2 (similar performance)",
    r"'all methods converge to similar performance at $\epsilon\ge 4.0$' (Tables 3 and 4)",
    hypotheses=r"$\text{CIFAR-10}_1$, read as: all means within one point of each other (a threshold of ours)",
    every="rows at epsilon = 4, 6, 8, inf",
    formula=({FIRST}, Decimal(1)),
    mutants={"both data sets": ({FIRST, SECOND}, Decimal(1))},
    note=r"On $\text{CIFAR-10}_2$ the spread at 4.0 is 1.71 in Table 5 and 15.23 in Table 6.",
)
def similar_performance(case: tuple[set[str], Decimal]) -> Parts:
    datasets, limit = case
    spreads, tables = [Computed(0)], (("overall accuracy", ACCURACY), ("per-class average", AVERAGE))
    for (d, b), (name, table) in product(cases(datasets, LOW), tables):
        values = [Computed(entry[0]) for entry in table[d][b].values()]
        spreads.append(max(values) - min(values))
        yield Instance(f"{d}, epsilon = {b}: {name}, largest less smallest", spreads[-1], "<", limit)
    yield limit <= ceil(max(spreads)) or f"within {max(spreads)} as well"


def ours(known: Iterable[Case], *readings: tuple[str, str, Any, str]) -> Callable[[Any], tuple[Outcome, ...]]:
    """A reading for each `against`, on the rows that an experiment can give: so in the cases of the formula only."""

    def check(chosen: Iterable[Case]) -> tuple[Outcome, ...]:
        def outcome(other: str, what: str, of: Callable[..., Any], better: str) -> Outcome:
            rows = [case for case in dict.fromkeys((*known, *chosen)) if possible(*case, "Ours", other)]
            parts = exactly(rows)(against(other, what, of, better))(set(rows).intersection(chosen))
            return check_parts(parts, (), "", "", "rows that an experiment can give", "")

        return tuple(outcome(*reading) for reading in readings)

    return check


def _of_classes(number: Callable[[list[Computed]], Fraction]) -> Callable[..., Fraction]:
    return lambda *row: number(accuracies(*row))


WEAKEST = "weakest class (Tables 10 and 11)", _of_classes(min)


PAPER.claim(
    "Abstract (without additional performance loss)",
    r"for $\epsilon\ge 4.0$ BlockRR reduces to RR 'without additional performance loss'",
    hypotheses="both data sets, printed means of Ours at least those of RR; 'performance' is test accuracy (Tables 3, 5), or the average per-class accuracy too (Tables 4, 6)",
    consequence="wording",
    readings={"test accuracy": "proved", "average per-class accuracy too": "refuted"},
    formula=cases((FIRST, SECOND), LOW),
    mutants={"from 3.0 on": cases((FIRST, SECOND), ("3", *LOW))},
    note="In all four tables it is so, except in Table 6 at 4.0: 86.01 against 89.24 of RR. That 89.24 is the mean of a row of Table 11 which misses the overall "
    "accuracy of Table 5 by 1.76 ('Table 5 against Table 11'), and both are the same mechanism there ($l = 0$), so the gap says nothing about it.",
)(ours(cases((FIRST, SECOND), LOW), ("RR", ACCURACIES, mean_accuracy, ">="), ("RR", AVERAGES, average, ">=")))


#: Budgets whose averages rest on rows that an experiment can give.
COMPARED = [case for case in CASES if possible(*case, *METHODS)]


@PAPER.claim(
    "Abstract (better balance)",
    r"for $\epsilon\le 3.0$ 'our propsed method gets a better balance between test accuaracy and the average of per-class accuracy'",
    hypotheses=r"weakest reading: no other method is at least as good in both (Tables 3 to 6) and better in one; without 1.0 on $\text{CIFAR-10}_2$, whose averages rest on impossible rows of Table 11",
    every="rows of Tables 3 to 6",
    formula=set(COMPARED),
    note=r"RR is better in both at 3.0 on both data sets, RRWithPrior at 0.8 on $\text{CIFAR-10}_2$; at 3.0 Ours has $l = 0$ and is RR itself.",
    consequence="wording",
    repair=Repair(
        r"no method dominates BlockRR in both at $\epsilon\le 3.0$, except at 3.0 (both data sets) and at 0.8 on $\text{CIFAR-10}_2$",
        formula=set(COMPARED) - {(FIRST, "3"), (SECOND, "0.8"), (SECOND, "3")},
    ),
)
@exactly(COMPARED)
def undominated(case: Case) -> Instance:
    scores = {m: (mean_accuracy(*case, m), average(*case, m)) for m in METHODS}
    own = scores["Ours"]
    better = [m for m, both in scores.items() if all(map(ge, both, own)) and both != own]
    told = [f"{m} {' and '.join(f'{float(score):.2f}' for score in both)}" for m, both in scores.items()]
    where = f"{case[0]}, epsilon = {case[1]}: overall and average accuracy {'; '.join(told)}: so many dominate Ours"
    return Instance(where, len(better), "==", 0)


PAPER.claim(
    "Section 1 (3) (variance)",
    r"for $\epsilon\le 3.0$ BlockRR has a smaller standard deviation than RRWithPrior on both data sets",
    every="budgets named, Tables 3 and 5",
    formula=set(CASES),
    mutants={"also at 4.0": {*CASES, (FIRST, "4")}},
)(exactly(CASES)(against("RRWithPrior", "deviation (Tables 3 and 5)", deviation, "<")))

PAPER.claim(
    "Section 1 (3) (more balanced)",
    r"for $\epsilon\le 3.0$ 'BlockRR maintains more balanced per-class performance' than RRWithPrior",
    hypotheses=r"both data sets, Tables 10 and 11 without the rows that no experiment can give (1.0 on $\text{CIFAR-10}_2$)",
    consequence="wording",
    readings={
        "the weakest class does at least as well": "proved",
        "the accuracies of the ten classes have the smaller variance": "refuted",
    },
    formula=CASES,
    mutants={"also at 4.0": [*CASES, (FIRST, "4"), (SECOND, "4")]},
    note=r"'Balanced' has no criterion. The variance over the classes is larger at 0.6 on both data sets (809 against 768, 750 against 742) and at 0.8 on $\text{CIFAR-10}_2$ (881 against 847), and smaller from 1.0 on.",
)(
    ours(
        CASES,
        ("RRWithPrior", *WEAKEST, ">="),
        ("RRWithPrior", "variance of the accuracies of Tables 10 and 11", _of_classes(pvariance), "<"),
    )
)

FROM_1 = cases([SECOND], ("1", "2", "3", "4", "6", "8"))

PAPER.claim(
    "Section 5.2 (balanced for epsilon >= 1)",
    r"on $\text{CIFAR-10}_2$ BlockRR 'avoids the class collapse observed in RRWithPrior at low $\epsilon$ and maintains balanced per-class performance for all $\epsilon\ge 1.0$'",
    hypotheses="rows of Table 11 that an experiment can give (not Ours and RR at 1.0, nor RRWithPrior at 6.0 and 8.0)",
    consequence="wording",
    readings={
        "the weakest class does better than with RRWithPrior": "proved",
        "best and weakest class are no further apart than with RR": "refuted",
    },
    formula=FROM_1,
    mutants={"at infinity too": [*FROM_1, (SECOND, "inf")]},
    note="'Balanced' has no criterion, and no method to compare with: better than RRWithPrior it is (least accuracy of a class 15.55, 58.06, 69.46 against 0.00, 0.00, 28.48 "
    "at 2.0, 3.0, 4.0), as balanced as RR it is not. The row of 1.0, with 3.75 for a class, stands in Table 10 too and has accuracies that no "
    "test set of these sizes gives, so it proves nothing.",
)(
    ours(
        FROM_1,
        ("RRWithPrior", *WEAKEST, ">"),
        ("RR", "best less weakest class (Table 11)", _of_classes(lambda row: max(row) - min(row)), "<="),
    )
)


@PAPER.claim(
    "Section 5.3.1 (almost the same as RR)",
    r"at $\epsilon>4.0$ 'the performance of our proposed mechanism is almost the same as the RR mechanism'",
    hypotheses="test accuracy in Tables 3 and 5 at 6.0 and 8.0, read as: within half a point (a threshold of ours)",
    every="budgets named",
    formula=(("6", "8"), Decimal("0.5")),
    mutants={"within 0.3": (("6", "8"), Decimal("0.3"))},
)
def almost_rr(case: tuple[tuple[str, ...], Decimal]) -> Parts:
    budgets, limit = case
    gaps = []
    for d, b in cases((FIRST, SECOND), {"6", "8", *budgets}):
        gaps.append(abs(mean_accuracy(d, b, "Ours") - mean_accuracy(d, b, "RR")))
        yield Instance(f"{d}, epsilon = {b}: Ours and RR apart by", gaps[-1], "<=" if b in budgets else ">", limit)
    yield Instance("the largest gap rounded up to half points", Decimal(ceil(2 * max(gaps))) / 2, "==", limit)


# -- what l does -----------------------------------------------------------------------------------------


@PAPER.claim(
    "Section 5.3.1 (l only affects S2)",
    r"'the hyperparameter $l$ only affect elements in $\mathcal{S}_2$': majority rows do not depend on $l$",
    hypotheses=r"entries $t \beta$, $\beta$, $\gamma$ of a majority row with $\tilde{S}_2$ not empty, at $l$ and at a larger $l_2$",
    given=ORDERED,
    formula=(tm.Eq, tm.Eq),
    note=r"$K = 2$, $S_1 = \{0\}$, $t = 2$: label 0 is kept with probability $2/3$ at $l = 0$ and $3/4$ at $l = 1$. What the sentence is used for holds: with $S_2$ empty (then $\tilde{S}_2$ is empty too) $l$ is irrelevant.",
    consequence="wording",
    repair=Repair(
        r"with $\mathcal{S}_2=\tilde{S}_2=\emptyset$ no entry depends on $l$; otherwise a larger $l$ raises $e^\epsilon\beta$ and $\beta$ and lowers $\gamma$ in majority rows",
        formula=(operator.lt, operator.gt),
        mutants={
            "own label released less often": (operator.gt, operator.gt),
            "gamma does not change": (operator.lt, tm.Eq),
        },
    ),
    uses=["Lemma 3.1 (beta)", "Lemma 3.1 (gamma)"],
)
def majority_rows(relations: Any) -> Parts:
    of_beta, of_gamma = relations
    for relation in each("entry", relations):
        yield from ordered(relation)
    yield "t beta at l and at l2", of_beta(*(T * beta(T, B, S1, S2, l) for l in (L, LARGER)))
    yield "gamma at l and at l2", of_gamma(*(gamma(T, B, S1, S2, l) for l in (L, LARGER)))
    yield ORDERED_EMPTY, {"beta at s2 = 0": (beta(T, B, S1, 0, L), beta(T, B, S1, 0, LARGER))}


@PAPER.claim(
    "Section 5.3.1 (towards RRWithPrior)",
    r"'larger values of $l$ move the mechanism towards RRWithPrior': every entry moves monotonically towards that of RRTop-k on $\mathcal{S}_1$, and none passes it",
    hypotheses=r"$b = 1$, $\tilde{S} = S$, $l < l_2$. RRTop-k on $S_1$ has $t/(t+s_1-1)$ for a majority label itself, $1/(t+s_1-1)$ for another label of $S_1$, $1/s_1$ in the rows of $S_2$, and 0 outside of $S_1$",
    given=[T > 1, S1 >= 1, S2 >= 1, L >= 0, LARGER > L, LARGER <= S1],
    formula=lambda t, s1: (t / (t + s1 - 1), 1 / (t + s1 - 1), 1 / s1, tm.Rational(0)),
    note=r"It stops short: at $l = |\tilde{S}_1|$ $\gamma$ is still positive, so for $\tilde{S} = S$ no $l$ gives RRWithPrior. Table 1 needs $\tilde{S} = B(S_1)$.",
)
def towards_rr_with_prior(target: Any) -> Relations:
    own, other, uniform, outside = target(T, S1)
    low, high = (beta(T, 1, S1, S2, l) for l in (L, LARGER))
    more, less = (gamma(T, 1, S1, S2, l) for l in (L, LARGER))
    share = 1 / (S1 + S2)
    return {
        "majority, own label": tm.And(T * low < T * high, T * high < own),
        "majority, other label of S1": tm.And(low < high, high < other),
        "minority, label that joins Delta": tm.And(low <= share, share < uniform),
        "minority, label of S1 outside Delta": tm.And(low < high, high < uniform),
        "S~2": tm.And(more > less, less > outside),
        "majority row of RRTop-k": (own + (S1 - 1) * other + S2 * outside, 1),
        "minority row of RRTop-k": (S1 * uniform + S2 * outside, 1),
    }
