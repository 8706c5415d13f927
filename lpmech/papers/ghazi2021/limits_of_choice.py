"""Choices that the definitions leave open: ties in the prior, the level epsilon = 0, the number of stages."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Parts, Repair
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_top_k
from lpmech.papers.ghazi2021.algorithm_3 import lp_mst_law, neighbours_within, response, sequences, trained_prior
from lpmech.papers.ghazi2021.entries import top_k
from lpmech.papers.ghazi2021.paper import ANY_K, FAMILY_K, MASS, NEXT, PAPER, K, T

#: The letters of the hypotheses, claim by claim.
TOP, PAST, MODEL, RELEASED, THEIRS, RATIO, OTHER = sp.symbols("p_1 J m r J' c r'")
SIZE = sp.Symbol("k", integer=True)


def own_first(label: int, size: int) -> list[int]:
    """Among equally probable labels the true one comes first."""
    return [label, *(y for y in range(size) if y != label)]


def with_ties_broken(prior: Sequence[Fraction], k: int, level: PrivacyLevel, orders: list[list[int]]) -> Channel:
    """RRTop-k whose row of label y breaks ties in the order for y: the library's, on the labels in that order."""
    rows = []
    for y, names in enumerate(orders):
        row = np.empty(len(prior), dtype=object)
        row[names] = rr_top_k([prior[name] for name in names], k, level).matrix[names.index(y)]
        rows.append(row)
    return Channel(rows)


@PAPER.claim(
    "Alg. 1 (ties and privacy)",
    r"Alg. 1 is \epsilon-DP with 'ties broken arbitrarily', also in favour of the true label",
    hypotheses="the formula is the order in which row y breaks ties, carried out by the library's RRTop-k on the labels in that order",
    replay="priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}",
    consequence="privacy",
    headline=8,
    formula=own_first,
    note="'Arbitrarily' has to be read as 'by any rule that does not look at the label'. Otherwise two labels of the same prior keep different sets, and a label that one of them releases with probability 1/(t + k - 1) the other never does. "
    "The hit rate would rise: for (1/2, 1/2) and k = 1 to 1.",
    uses=["Lemma 1"],
    repair=Repair(
        r"it is \epsilon-DP if and only if the rule keeps the same k labels in every row",
        hypotheses="every prior, K, k and t > 1; the same set: 'Lemma 1'; different sets of k labels: a label of the one only has a probability of at least 1/(t + k - 1) > 0 in a row that keeps it, 0 in the other",
        formula=lambda y, size: list(range(size)),
        mutants={"the true label last": lambda y, size: [*own_first(y, size)[1:], y]},
        note="A random order will do, if it is drawn once for all rows or independently of the label.",
    ),
)
def ties(order: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        orders = [order(y, len(prior)) for y in range(len(prior))]
        yield all(sorted(names) == list(range(len(prior))) for names in orders) or f"{where}: no orders, {orders}"
        channel = with_ties_broken(prior, k, level, orders)
        rows = [list(map(str, row)) for row in channel.matrix.tolist()]
        yield channel.satisfies(level) or f"{where}: rows {rows}"
    yield PAPER.claims["Lemma 1"].run()
    entries = sp.And(*(entry > T * 0 for entry in top_k(T, K)))
    yield ANY_K, {"different sets: no factor brings 0 up to a kept label's entry": entries}


@PAPER.claim(
    "Section 2 (epsilon = 0, every statement)",
    r"at \epsilon=0, which Def. 2.1 admits, Alg. 1, Lemma 1, Cor. 2 and Alg. 2 hold as stated, with k^*=1: RRWithPrior releases the most probable label; only (7) and (17), which divide by e^\epsilon-1, have no meaning",
    hypotheses="t = 1 put into the statements for t > 1: entries 1/k in every row; w_k = P_k/k, at most w_1 = p_1 as P_k <= k p_1; t_k = P_k/p_{k+1} - k + 1 >= 1 = t, as every kept label has at least p_{k+1}, so no threshold lies below t and k^* = 1. "
    "Theorem 3 at epsilon = 0: 'Theorem 3 (epsilon = 0)'. For (7) and (17) the reciprocals of the factor (t+k-1)/(t-1) and of 1/(1 - k p_{k,eps}) are 0. The formula: k^* among the sizes",
    given=[SIZE >= 1, TOP > 0, NEXT > 0, NEXT <= TOP, MASS <= SIZE * TOP, MASS >= SIZE * NEXT],
    formula=lambda k: sp.Eq(k, 1),
    uses=["Theorem 3 (epsilon = 0)"],
    note="The tight level is 0 for every k then, so 'exactly epsilon iff k >= 2' becomes 'for every k'. Ties p_1 = p_2 leave k^* = 2, ... as good as 1; the smallest maximiser is meant.",
)
def level_zero(best: Any) -> Parts:
    share, factor = 1 / (T + K - 1), (T + K - 1) / (T - 1)
    high, low, left_out = top_k(1, K)
    same = {
        **{"true label, t = 1": (high, 1 / K), "other": (low, 1 / K), "left out": (left_out, 1 / K)},
        "w_k": (hit_rate(sp.Integer(1), K, MASS), MASS / K),
        "1/((7)'s factor)": ((1 / factor).subs(T, 1), 0),
        "1/((17)'s factor)": (sp.simplify(1 - K * share).subs(T, 1), 0),
    }
    yield [K >= 1], same
    limit = MASS / NEXT - SIZE + 1
    yield "w_k <= w_1", MASS / SIZE <= TOP
    yield "no threshold below t = 1", limit >= 1
    # the smallest k with no threshold t_1, ..., t_{k-1} left at or above t: w_{k+1} > w_k at k < k* would need t_k < 1
    yield "k^*", sp.Implies(sp.Or(sp.Eq(SIZE, 1), limit < 1), best(SIZE))
    yield "only that", sp.Implies(best(SIZE), sp.Eq(SIZE, 1))


STAGES = (((0,),), ((0,), (1,)), ((0, 1), (2,)), ((0,), (1,), (2,)), ((0,), (1, 2), (3,)), ((0,), (1,), (2,), (3,)))


@PAPER.claim(
    "Observation 4 (product formula, every T)",
    r"\Pr[M^{(1)},\dots,M^{(T)},\tilde y_1,\dots,\tilde y_n]=\prod_t\Pr[M^{(t)}|\dots]\prod_{i\in S^{(t)}}\Pr[\tilde y_i=z_i|M^{(t-1)}] for every number of stages, and the laws of neighbouring datasets are within the factor e^\epsilon",
    hypotheses="any n, K, T and randomized training, by induction over the releases: given all released so far, a new model's law m does not depend on the labels, and a label's law r depends on its own label and the last model only; J = c J', c <= t the ratio so far, one factor r <= t r' where the changed label is released, the others equal",
    given=[T > 1, PAST >= 0, THEIRS >= 0, MODEL >= 0, RELEASED >= 0, OTHER >= 0, RATIO > 0, RATIO <= T],
    replay="the joint law without and with the last label, T = 1, 2, 3, 4 stages with up to 4 labels, K = 2, t = 2, 5, and the ratio to each neighbour",
    formula=lambda past, model, released: past * model * released,
    note="This is the formula of the proof; the paper states it without the induction. It needs each label in one stage: see 'Observation 4' for what happens otherwise.",
)
def every_stage(law: Any) -> Parts:
    for stages in STAGES:
        *first, last = stages
        size, before = sum(map(len, stages)), (*first, last[:-1])
        for labels, t in sequences(size):
            shorter = lp_mst_law(before, labels, t)
            for out, probability in lp_mst_law(stages, labels, t).items():
                prior = trained_prior(out[: sum(map(len, first))])
                claimed = law(shorter[out[:-1]], 1, response(prior, labels[last[-1]], out[-1], t))
                shown = f"stages {stages}, labels {labels}, t = {t}, released {out}"
                yield probability == claimed or f"{shown}: {probability} against {claimed}"
        yield from neighbours_within(partial(lp_mst_law, stages), size)
    yield "Pr[A, B, C] = Pr[A] Pr[B | A] Pr[C | A, B]", (law(PAST, MODEL, RELEASED), PAST * MODEL * RELEASED)
    ours, theirs = law(PAST, MODEL, RELEASED), law(THEIRS, MODEL, RELEASED)
    yield "induction over the releases: another label", sp.Implies(PAST <= RATIO * THEIRS, ours <= RATIO * theirs)
    yield (
        "the changed label, first seen",
        sp.Implies(sp.And(PAST <= THEIRS, RELEASED <= T * OTHER), ours <= T * law(THEIRS, MODEL, OTHER)),
    )
