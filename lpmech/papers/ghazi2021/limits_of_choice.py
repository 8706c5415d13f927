"""Choices that the definitions leave open: ties in the prior, the level epsilon = 0, the number of stages."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_top_k
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.ghazi2021.algorithm_3 import _response, lp_mst_law, trained_prior
from lpmech.papers.ghazi2021.paper import NEXT, PAPER, RATIOS, K, T, priors, written
from lpmech.papers.ghazi2021.section_3 import _top_k, lemma_1
from lpmech.verdicts import Outcome

TIES = "Alg. 1 (ties and privacy)"


def own_first(label: int, size: int) -> list[int]:
    """Among equally probable labels the true one comes first."""
    return [label, *(y for y in range(size) if y != label)]


def by_index(label: int, size: int) -> list[int]:
    """Among equally probable labels the smaller index comes first."""
    return list(range(size))


def with_ties_broken(prior: Sequence[Fraction], k: int, level: PrivacyLevel, order: Any) -> Channel:
    """RRTop-k whose row of label y breaks ties in the order for y: the library's, on the labels in that order."""
    size = len(prior)
    rows = []
    for y in range(size):
        names = order(y, size)
        reordered = rr_top_k([prior[name] for name in names], k, level).matrix[names.index(y)]
        row = np.empty(size, dtype=object)
        row[names] = reordered
        rows.append(row)
    return Channel(rows)


@PAPER.claim(
TIES,
r"Alg. 1 is \epsilon-DP with 'ties broken arbitrarily', also in favour of the true label",
hypotheses="the formula is the order in which row y breaks ties, carried out by the library's RRTop-k on the labels in that order; priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}",
consequence="privacy", recorded="refuted",
formula=own_first,
mutants={
        "the true label last": lambda y, size: [*own_first(y, size)[1:], y],
        "backwards for label 0": lambda y, size: by_index(y, size)[:: -1 if y == 0 else 1],
    },
note="'Arbitrarily' has to be read as 'by any rule that does not look at the label'. Otherwise two labels of the same prior keep different sets, and a label that one of them releases with probability 1/(t + k - 1) the other never does. "
    "The hit rate would rise: for (1/2, 1/2) and k = 1 to 1.",
repair=Repair(
r"it is \epsilon-DP if and only if the rule keeps the same k labels in every row",
hypotheses="every prior, K, k and t > 1; the same set: 'Lemma 1'; different sets of k labels: a label of the one only has a probability of at least 1/(t + k - 1) > 0 in a row that keeps it, 0 in the other. Replayed as above",
formula=by_index,
mutants={"the true label first": own_first, "backwards for label 0": lambda y, size: by_index(y, size)[:: -1 if y == 0 else 1]},
note="A random order will do, if it is drawn once for all rows or independently of the label.",
),
)  # fmt: skip
def ties(order: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        level = PrivacyLevel.from_ratio(t)
        channel = with_ties_broken(prior, k, level, order)
        rows = [list(map(str, row)) for row in channel.matrix.tolist()]
        return None if channel.satisfies(level) else f"{written(prior)}, k = {k}, t = {t}: rows {rows}"

    high, low, uniform = _top_k(T, K)
    apart = check_implications(
        [T > 1, K >= 1],
        {"no factor brings 0 up to a kept label's entry": sp.And(high > T * 0, low > T * 0, uniform > T * 0)},
        "different sets",
    )
    family = [(p, k, t) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1) for t in RATIOS]
    return replayed(both(lemma_1(_top_k), apart), check_family(family, failure, "all such priors, k and t"))


TOP, MASS = sp.symbols("p_1 P")


@PAPER.claim(
    "Section 2 (epsilon = 0, every statement)",
    r"at \epsilon=0, which Def. 2.1 admits, Alg. 1, Lemma 1, Cor. 2 and Alg. 2 hold as stated, with k^*=1: RRWithPrior releases the most probable label; only (7) and (17), which divide by e^\epsilon-1, have no meaning",
    hypotheses="t = 1 put into the statements for t > 1: entries 1/k in every row; w_k = P_k/k, at most w_1 = p_1 as P_k <= k p_1; t_k = P_k/p_{k+1} - k + 1 >= 1 = t, as every kept label has at least p_{k+1}, so no threshold lies below t and k^* = 1. "
    "Theorem 3 at epsilon = 0: 'Theorem 3 (epsilon = 0)'. For (7) and (17) the reciprocals of the factor (t+k-1)/(t-1) and of 1/(1 - k p_{k,eps}) are 0. The formula: k^* among the sizes",

    formula=lambda k: sp.Eq(k, 1),
    mutants={"every size is as good": lambda k: k >= 1, "k = 2": lambda k: sp.Eq(k, 2), "all K": lambda k: k > 1},
    note="The tight level is 0 for every k then, so 'exactly epsilon iff k >= 2' becomes 'for every k'. Ties p_1 = p_2 leave k^* = 2, ... as good as 1; the smallest maximiser is meant.",
)  # fmt: skip
def level_zero(best: Any) -> Outcome:
    high, low, uniform = (entry.subs(T, 1) for entry in _top_k(T, K))
    share, factor = 1 / (T + K - 1), (T + K - 1) / (T - 1)
    debiased = 1 / (1 - K * share)
    whole = [K >= 1]
    same = check_identities(
        {
            "kept": (high, 1 / K),
            "another kept": (low, 1 / K),
            "left out": (uniform, 1 / K),
            "w_k": (hit_rate(sp.Integer(1), K, MASS), MASS / K),
            "1/((7)'s factor)": ((1 / factor).subs(T, 1), 0),
            "1/((17)'s factor)": (sp.simplify(1 / debiased).subs(T, 1), 0),
        },
        "t = 1",
        hypotheses=whole,
    )
    size = sp.Symbol("k", integer=True)
    falling = [size >= 1, TOP > 0, NEXT > 0, NEXT <= TOP, MASS <= size * TOP, MASS >= size * NEXT]
    better = check_implications(
        falling,
        {"w_k <= w_1": MASS / size <= TOP, "no threshold below t = 1": MASS / NEXT - size + 1 >= 1},
        "the prior falls",
    )
    # the smallest k with no threshold t_1, ..., t_{k-1} left at or above t: w_{k+1} > w_k at k < k* would need t_k < 1
    smallest = check_implications(
        [*falling, sp.Or(sp.Eq(size, 1), MASS / NEXT - size + 1 < 1)], {"k^*": best(size)}, "k^* = 1"
    )
    other = check_implications([size >= 1, best(size)], {"only that": sp.Eq(size, 1)}, "k^* = 1")
    return both(both(same, better), both(smallest, other))


STAGES = (((0,),), ((0,), (1,)), ((0, 1), (2,)), ((0,), (1,), (2,)), ((0,), (1, 2), (3,)), ((0,), (1,), (2,), (3,)))
JOINT, PAST, MODEL, RELEASED = sp.symbols("J_new J m r")


def chained(past: Any, model: Any, released: Any) -> Any:
    """Joint law after one more release: what came before, the model given it, the label given the model."""
    return past * model * released


@PAPER.claim(
    "Observation 4 (product formula, every T)",
    r"\Pr[M^{(1)},\dots,M^{(T)},\tilde y_1,\dots,\tilde y_n]=\prod_t\Pr[M^{(t)}|\dots]\prod_{i\in S^{(t)}}\Pr[\tilde y_i=z_i|M^{(t-1)}] for every number of stages, and the laws of neighbouring datasets are within the factor e^\epsilon",
    hypotheses="any n, K, T and randomized training, by induction over the releases: given all released so far, a new model's law m does not depend on the labels, and a label's law r depends on its own label and the last model only; J = c J', c <= t the ratio so far, one factor r <= t r' where the changed label is released, the others equal. "
    "Replayed on the sums of the joint law over the last label for T = 1, 2, 3, 4 stages with up to 4 labels, at most one of them 1, K = 2, t = 2, 5, and on the ratio to each neighbour",

    formula=chained,
    mutants={
        "without the model": lambda past, model, released: past * released + 0 * model,
        "the label counted twice": lambda past, model, released: past * model * released**2,
        "without the past": lambda past, model, released: model * released + 0 * past,
    },
    note="This is the formula of the proof; the paper states it without the induction. It needs each label in one stage: see 'Observation 4' for what happens otherwise.",
)  # fmt: skip
def every_stage(law: Any) -> Outcome:
    ours, theirs, ratio, other = sp.symbols("J J' c r'")
    chain = check_identities(
        {"Pr[A, B, C] = Pr[A] Pr[B | A] Pr[C | A, B]": (law(PAST, MODEL, RELEASED), PAST * MODEL * RELEASED)},
        "chain rule",
        hypotheses=[PAST > 0, MODEL > 0, RELEASED > 0],
    )
    given = [T > 1, theirs > 0, MODEL > 0, RELEASED > 0, other > 0, ratio > 0, ratio <= T]
    step = check_implications(
        given,
        {
            "another label": sp.Implies(ours <= ratio * theirs, law(ours, MODEL, RELEASED) <= ratio * law(theirs, MODEL, RELEASED)),
            "the changed label, first seen": sp.Implies(
                sp.And(ours <= theirs, RELEASED <= T * other), law(ours, MODEL, RELEASED) <= T * law(theirs, MODEL, other)
            ),
        },
        "induction over the releases",
    )  # fmt: skip

    def failure(case: tuple[tuple[tuple[int, ...], ...], tuple[int, ...], Fraction]) -> str | None:
        stages, labels, t = case
        whole = lp_mst_law(labels, stages, t)
        before = [*stages[:-1], stages[-1][:-1]]
        shorter = lp_mst_law(labels, tuple(s for s in before if s), t)
        seen = sum(map(len, stages[:-1]))
        for out, probability in whole.items():
            prior = trained_prior(out[:seen]) if seen else (Fraction(1, 2), Fraction(1, 2))
            last = _response(prior, labels[stages[-1][-1]], out[-1], t)
            claimed = law(shorter[out[:-1]], 1, last)
            if probability != claimed:
                return f"stages {stages}, labels {labels}, t = {t}, released {out}: {probability} against {claimed}"
        for j in range(len(labels)):
            near = lp_mst_law((*labels[:j], 1 - labels[j], *labels[j + 1 :]), stages, t)
            if any(probability > t * near[out] for out, probability in whole.items()):
                return f"stages {stages}, labels {labels}, t = {t}: label {j} changed, above t"
        return None

    family = [
        (stages, labels, t)
        for t, shapes in ((Fraction(2), STAGES), (Fraction(5), STAGES[:4]))
        for stages in shapes
        for labels in product((0, 1), repeat=sum(map(len, stages)))
        if sum(labels) < 2
    ]
    return replayed(both(chain, step), check_family(family, failure, "up to four stages"))
