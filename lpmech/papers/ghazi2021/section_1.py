"""Section 1: what the introduction states about RRWithPrior and RR."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.claims.checking import iff, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.papers.ghazi2021.duals import FOLLOWING, W, is_maximum
from lpmech.papers.ghazi2021.entries import top_k
from lpmech.papers.ghazi2021.paper import FAMILY, FAMILY_K, MASS, PAPER, PRIORS, K, T, at_levels
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import hit

SIZE, OURS, THEIRS, WITHOUT = tm.symbols("K a b c")
NUMBER, KEPT, LABELS = tm.symbols("j k K")


def best_for_uniform(kept: Any) -> Parts:
    """That kept(k, K) is the only k^* of the prior that is uniform on k of K labels."""
    uniform = ((Fraction(1, k),) * k + (Fraction(0),) * (n - k) for n in range(1, 7) for k in range(1, n + 1))
    for prior, level, where in at_levels(uniform):
        size, number = len(prior), int(kept(sum(p > 0 for p in prior), len(prior)))
        same = 1 <= number <= size and rr_with_prior(prior, level) == rr_top_k(prior, number, level)
        yield same or f"{where}: another channel"
    chosen = kept(KEPT, LABELS)
    best, fewer = (hit_rate(T, number, number / KEPT) for number in (chosen, NUMBER))
    other = tm.And(NUMBER <= KEPT, tm.Ne(NUMBER, chosen))
    parts = {
        "$k^*$ labels, none of prior zero": tm.And(chosen >= 1, chosen <= KEPT),
        "the only maximiser of w_j among those with a prior": tm.Implies(other, fewer < best),
        "more labels are worse": tm.Implies(NUMBER > KEPT, hit_rate(T, NUMBER, 1) < best),
    }
    yield [tm.Whole(NUMBER, KEPT, LABELS), T > 1, KEPT >= 1, KEPT <= LABELS, NUMBER >= 1, NUMBER <= LABELS], parts


@PAPER.claim(
    "Section 1 (uniform prior, channel)",
    r"for the uniform prior the channel of RRWithPrior equals RR; LP-1ST is vanilla RR",
    hypotheses=r"every $K \ge 1$; $k^* = K$ for the uniform prior on $K$ labels. More is shown: for the prior that is uniform on $k$ of $K$ labels $k^* = k$, where $j$ is any other number of labels",
    replay="uniform on k of K <= 6 labels, t in {11/10, 2, 3, 9/2, 20}",
    formula=lambda size: size,
    note=r"$k^*$ maximises $w_k = (k/K) t/(t + k - 1)$ over $1 \le k \le K$, and no label lies outside $Y_K$.",
)
def uniform_prior_channel(kept: Any) -> Parts:
    for uniform, level, where in at_levels((Fraction(1, n),) * n for n in range(1, 7)):
        same = rr_with_prior(uniform, level) == randomized_response(len(uniform), level)
        yield same or f"{where}: not RR"
    yield from best_for_uniform(lambda k, size: kept(k))
    (high, low, _), total = top_k(T, kept(LABELS)), T + LABELS - 1
    yield [tm.Whole(LABELS), T > 1, LABELS >= 1], {"true label": (high, T / total), "other label": (low, 1 / total)}


@PAPER.claim(
    "Section 1 (pruning helps)",
    r"if the true label is kept, it is released with larger probability than by RR on the entire alphabet",
    given=[T > 1, K >= 1, SIZE > K],
    replay="RRTop-k: priors with denominator 6 on K <= 4 labels",
    formula=lambda t, k: t / (t + k - 1),
)
def pruning_helps(truthful: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        entry = rr_top_k(prior, k, level).matrix[0, 0]
        yield Instance(f"{where}: Pr[true label] by RRTop-k, by the rule", entry, "==", truthful(level.ratio, k))
    yield "as in Alg. 1", (truthful(T, K), top_k(T, K)[0])
    yield "larger", truthful(T, K) > T / (T + SIZE - 1)


@PAPER.claim(
    "Section 1 (never below RR)",
    r"the hit rate of RRWithPrior, $\max_k w_k$, is at least that of RR, $w_K$",
    hypotheses=r"every prior, $K$ and $t$; in the relations $W = \max(w_1, \dots, w_k)$ and $w = w_{k+1}$",
    given=[W > 0, FOLLOWING > 0],
    replay=PRIORS,
    formula=tm.Max,
    mutants={"w_1": lambda best, following: best},
    note="Induction over $k$: the maximum is at least the $w_k$ that entered last, which for $k = K$ is RR.",
)
def never_below_rr(combined: Any) -> Parts:
    for prior, level, where in FAMILY:
        rates = hit_rates(prior, level).tolist()
        chosen, own = (
            steps.value(reduce(combined, map(tm.Rational, rates)), {}),
            rr_with_prior(prior, level).expected_utility(hit(len(prior)), prior),
        )
        found = Instance(f"{where}: hit rate of RRWithPrior, max w_k", own, "==", chosen)
        yield Instance(f"{where}: hit rate of RRWithPrior, of RR", own, ">=", rates[-1]) if found.holds else found
    yield from is_maximum(combined)


PAPER.claim(
    "Section 1 (how reliable)",
    r"RRTop-k hits more often than RR on all $K$ labels iff the mass it prunes is below $(K-k)/(e^\epsilon+K-1)$",
    hypotheses=r"$P_k$ the mass of the kept labels; $y \sim p$",
    given=[T > 1, K >= 1, SIZE > K, MASS >= 0, MASS <= 1],
    formula=lambda t, k, size: (size - k) / (t + size - 1),
    kind="ours",
    note="Makes 'if the prior is reliable and even if the alphabet is only minimally pruned' precise for the average over $y$: with "
    r"a perfect prior ($P_k = 1$) every pruning helps; pruning one label helps iff its prior is below $1/(e^\epsilon + K - 1)$.",
)(lambda mass: iff(mass(T, K, SIZE) > 1 - MASS, hit_rate(T, K, MASS) > hit_rate(T, SIZE, 1), "better", "reliable"))


PAPER.claim(
    "Section 1 (footnote 4)",
    r"$\epsilon$-DP for adding or removing an example 'is not directly comparable' to $\epsilon$-LabelDP, which substitutes one: for substitution it gives the level $2\epsilon$ and no less",
    hypotheses="$a$, $b$ the probabilities of an outcome for two datasets that differ in one example, $c$ that for the dataset without it",
    given=[
        *(T > 1, OURS >= 0, THEIRS >= 0, WITHOUT >= 0),
        *(x <= T * y for other in (OURS, THEIRS) for x, y in ((other, WITHOUT), (WITHOUT, other))),
    ],
    formula=lambda t: t**2,
    uses=["Alg. 4 line 4(b) (parameter)"],
    note="Discrete Laplace noise attains it: 'Alg. 4 line 4(b) (parameter)'. The other way round no level follows: the number of examples, released as "
    "it is, has level 0 for substitution and none for removal.",
)(lambda ratio: sharp(OURS, ratio(T) * THEIRS, tm.Eq(OURS, T * WITHOUT), tm.Eq(WITHOUT, T * THEIRS)))
