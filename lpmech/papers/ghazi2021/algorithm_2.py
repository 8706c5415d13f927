"""Alg. 2: the epsilons at which k* changes, and the shape of w_k; small budgets (Section 5.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import iff
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_with_prior, threshold, thresholds
from lpmech.mechanisms.rr_with_prior.derivation import threshold_ratio
from lpmech.papers.checks import rows_in_words
from lpmech.papers.ghazi2021.paper import (
    FAMILY,
    IN_PAPER,
    MANY,
    MASS,
    NEXT,
    PAPER,
    PRIORS,
    RATIOS,
    WITH_NEXT,
    K,
    T,
    at_levels,
    priors,
    smallest_maximiser,
)
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm

#: Probability of the label after the next, and a count of thresholds.
AFTER, COUNT = tm.symbol("p'"), tm.symbol("c")
#: Three hit rates.
BEFORE, HERE, BEYOND = tm.symbols("w1 w2 w3")
#: The two largest probabilities of a prior.
LIKELIEST, SECOND = tm.symbols("p_1 p_2")

SOLVED = term_of(threshold_ratio()).at(IN_PAPER)


def _at_thresholds(sizes: tuple[int, ...], total: int, *ratios: Fraction) -> list[Any]:
    """Priors at these levels and at their own thresholds above 1, with the words for both."""
    cases = ((p, {*ratios, *(v for v in thresholds(p) if v > 1)}) for p in priors(sizes, total))
    return [case for p, levels in cases for case in at_levels([p], sorted(levels))]


@PAPER.claim(
    "Alg. 2 (threshold)",
    r"$w_{k+1}>w_k$ iff $e^\epsilon>t_k:=P_k/p_{k+1}-k+1$",
    given=[T > 1, K >= 1, *WITH_NEXT],
    kind="ours",
    formula=threshold,
    note="Not stated in the paper: it turns the argmax of Alg. 2 into explicit budgets.",
)
def threshold_formula(value: Any) -> Relations:
    gain, limit = hit_rate(T, K + 1, MASS + NEXT) > hit_rate(T, K, MASS), value(K, MASS, NEXT)
    return {"solved from w_k = w_(k+1)": (SOLVED, limit), **iff(limit < T, gain, "gain", "above")}


@PAPER.claim(
    "Alg. 2 (thresholds rise)",
    r"$t_{k+1}\ge t_k$, so $w_k$ rises up to $k^*$ and does not rise after it, and $k^*$ does not decrease with $\epsilon$",
    hypotheses="prior in falling order; $P = P_k$, $p = p_{k+1}$, $p' = p_{k+2}$",
    given=[K >= 1, MASS > 0, NEXT > 0, AFTER > 0, AFTER <= NEXT, MASS + NEXT + AFTER <= 1],
    kind="ours",
    formula=threshold,
    note="It need not fall: $p = (1/2, 1/4, 1/4)$, $t = 2$ has $w = (1/2, 1/2, 1/2)$.",
)
def thresholds_rise(value: Any) -> Parts:
    here, following = value(K, MASS, NEXT), value(K + 1, MASS + NEXT, AFTER)
    yield "t_k", (SOLVED, here)
    yield "t_(k+1) >= t_k", following >= here
    yield "equal probabilities, equal thresholds", tm.Implies(tm.Eq(AFTER, NEXT), tm.Eq(following, here))


@PAPER.claim(
    "Alg. 2 (k* from the thresholds)",
    r"$k^*=1+\#\{k: t_k<e^\epsilon\}$ (the smallest maximiser)",
    hypotheses=r"every sorted prior; $t_k = P_k/p_{k+1} - k + 1$, $P = P_k$, $p = p_{k+1}$, $c$ the number of $t_k < e^\epsilon$",
    given=[tm.Whole(COUNT), T > 1, K >= 1, MASS > 0, NEXT >= 0, MASS + NEXT <= 1, COUNT >= 0],
    replay="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20} and every threshold above 1; one on 70 labels, 52 alike",
    kind="ours",
    formula=(lambda limit, t: limit < t, 1),
    uses=["Alg. 2 (thresholds rise)"],
    note="$w_{k+1} > w_k$ iff $t_k$ is counted. The thresholds do not fall ('Alg. 2 (thresholds rise)'), so those counted are the first $c$: "
    "$w$ rises strictly up to $w_{c+1}$ and not again. Labels of prior zero have no threshold, and $w$ falls there.",
)
def k_from_thresholds(rule: Any) -> Parts:
    counted, added = rule
    for prior, level, where in [*at_levels([MANY], RATIOS), *_at_thresholds((1, 2, 3, 4), 6, *RATIOS)]:
        limits, found = thresholds(prior), best_k(prior, level)
        number = added + sum(bool(counted(v, level.ratio)) for v in limits)
        at = f"{where}, t_k = ({', '.join(map(str, limits))}): k*, counted, against the smallest maximiser"
        yield Instance(at, (found, number), "==", (smallest_maximiser(prior, level.ratio),) * 2)
    here, following = hit_rate(T, K, MASS), hit_rate(T, K + 1, MASS + NEXT)
    limit = counted(threshold(K, MASS, NEXT), T)
    yield from iff(tm.And(NEXT > 0, limit), tm.And(NEXT > 0, following > here), "w rises", "counted").items()
    yield "w falls at a label of prior zero", tm.Implies(tm.Eq(NEXT, 0), following < here)
    yield "k* = c + 1", tm.Eq(COUNT + added, COUNT + 1)
    yield PAPER.claims["Alg. 2 (thresholds rise)"].run()


@PAPER.claim(
    "Alg. 2 (ties at a threshold)",
    r"at $e^\epsilon=t_k$ the sizes $k$ and $k+1$ have the same hit rate; '$k^*=\arg\max_{k\in[K]}w_k$' leaves the choice open",
    hypotheses="both sizes are maximisers, because $w$ rises up to $k$ and does not rise after $k + 1$ ('Alg. 2 (thresholds rise)')",
    given=[T > 1, K >= 1, *WITH_NEXT, tm.Eq(T, threshold(K, MASS, NEXT))],
    replay="priors with denominator 6 on K <= 4 labels, every threshold above 1",
    formula=lambda longer, shorter: tm.Eq(longer, shorter),
    uses=["Alg. 2 (thresholds rise)"],
)
def ties_at_threshold(relation: Any) -> Parts:
    for prior, level, where in _at_thresholds((2, 3, 4), 6):
        rates = list(map(Fraction, hit_rates(prior, level)))
        for k in (k for k, limit in enumerate(thresholds(prior), start=1) if limit == level.ratio):
            yield (
                steps.holds(relation(rates[k], rates[k - 1])) or f"{where} = t_{k}: w = ({', '.join(map(str, rates))})"
            )
    yield "w_(k+1) against w_k", relation(hit_rate(T, K + 1, MASS + NEXT), hit_rate(T, K, MASS))
    yield "the same hit rate", tm.Implies(relation(BEFORE, HERE), tm.Eq(BEFORE, HERE))
    yield PAPER.claims["Alg. 2 (thresholds rise)"].run()


@PAPER.claim(
    "Alg. 2 (ties in the prior)",
    "at the smallest and at the largest maximiser $k^*<K$ of $w_k$, $p_{k^*}>p_{k^*+1}$: $Y_{k^*}$ does not depend on how ties are broken",
    hypotheses="prior in falling order; $P = P_{k-1}$, $p = p_k$, $p' = p_{k+1}$; $k^* = 1$ apart",
    given=[
        *(T > 1, K >= 2, MASS >= (K - 1) * NEXT, NEXT > 0),
        *(AFTER >= 0, AFTER <= NEXT, MASS + NEXT + AFTER <= 1),
    ],
    kind="ours",
    formula=lambda own, after: own > after,
    note="'(ties broken arbritrarily)' in Alg. 1 therefore never changes the mechanism of Alg. 2, except when a maximiser strictly between others "
    "is chosen: $p = (1/2, 1/4, 1/4)$, $t = 2$ has $w = (1/2, 1/2, 1/2)$, and $k^* = 2$ keeps either of the last two labels.",
)
def ties_in_prior(relation: Any) -> Parts:
    before, here = hit_rate(T, K - 1, MASS), hit_rate(T, K, MASS + NEXT)
    following = hit_rate(T, K + 1, MASS + NEXT + AFTER)
    one, two = hit_rate(T, 1, NEXT), hit_rate(T, 2, NEXT + AFTER)
    larger = relation(NEXT, AFTER)
    yield "smallest maximiser", tm.Implies(tm.And(here > before, following <= here), larger)
    yield "largest maximiser", tm.Implies(tm.And(here >= before, following < here), larger)
    yield "k* = 1", tm.Implies(two <= one, larger)
    yield "so there is no tie", tm.Implies(larger, NEXT > AFTER)


@PAPER.claim(
    "Alg. 2 (ties in the prior, every maximiser)",
    "a maximiser $k<K$ of $w_k$ with $p_k=p_{k+1}$ is neither the smallest nor the largest one: $k-1$ and $k+1$ are maximisers too, $w_{k-1} = w_k = w_{k+1}$",
    hypotheses="$P = P_{k-1}$, $p = p_k = p_{k+1}$; for $k = 1$ and $p_1 = p_2$ the size 1 is no maximiser",
    given=[T > 1, K >= 2, MASS > 0, MASS >= (K - 1) * NEXT, NEXT >= 0, MASS + 2 * NEXT <= 1],
    replay="priors with denominator 4 on K <= 3 labels, every threshold above 1",
    kind="ours",
    formula=lambda before, here, after: tm.And(tm.Eq(before, here), tm.Eq(here, after)),
    note="Not stated in the paper. There are such maximisers: $p = (1/2, 1/4, 1/4)$ at $t = 2$ has $w = (1/2, 1/2, 1/2)$, and $k = 2$ is one.",
)
def ties_at_every_maximiser(relation: Any) -> Parts:
    for prior, level, where in _at_thresholds((2, 3), 4):
        rates = list(map(Fraction, hit_rates(prior, level)))
        for k in range(1, len(prior)):
            tied = rates[k - 1] == max(rates) and prior[k - 1] == prior[k]
            fine = not tied or (k > 1 and steps.holds(relation(*rates[k - 2 : k + 1])))
            yield fine or f"{where}: w = ({', '.join(map(str, rates))}), k = {k}, p_k = p_(k+1) = {prior[k]}"
    before, here = hit_rate(T, K - 1, MASS), hit_rate(T, K, MASS + NEXT)
    after = hit_rate(T, K + 1, MASS + 2 * NEXT)
    yield "k >= 2", tm.Implies(tm.And(here >= before, here >= after), relation(before, here, after))
    yield "k = 1", tm.Implies(NEXT > 0, hit_rate(T, 2, 2 * NEXT) > hit_rate(T, 1, NEXT))
    same = tm.And(tm.Eq(BEFORE, HERE), tm.Eq(HERE, BEYOND))
    yield "all three tie", tm.Implies(relation(BEFORE, HERE, BEYOND), same)


@PAPER.claim(
    "Section 5.2 (small budgets)",
    r"with 'extremely small privacy budgets' the label is not used: RRWithPrior releases the most probable label whatever the true one is, iff $e^\epsilon\le p_1/p_2$",
    hypotheses=r"every sorted prior and $K$; $w_2 \le w_1$, and then no larger size wins ('Alg. 2 (thresholds rise)'); the smallest maximiser",
    given=[T > 1, LIKELIEST > 0, SECOND >= 0, SECOND <= LIKELIEST, LIKELIEST + SECOND <= 1],
    replay=f"rows of the channel, {PRIORS}",
    formula=lambda first, second, t: t * second <= first,
    kind="ours",
    uses=["Alg. 2 (thresholds rise)"],
    note=r"The quoted words are those of section 1.1, on $\epsilon \le 0.1$. Of 0.1 there is 0.05 left after $\epsilon_p = 0.05$ (BYOL; 0.075 after 0.025 for DINO), and $e^{0.05} = 1.051$ (1.078): only where the two most frequent classes of a cluster are nearly level does an example's own label matter; "
    "elsewhere the training sees the largest noisy count of its cluster.",
)
def small_budgets(unused: Any) -> Parts:
    for prior, level, where in FAMILY:
        rows = rr_with_prior(prior, level).matrix.tolist()
        constant = all(row == [1] + [0] * (len(row) - 1) for row in rows)
        same = constant == bool(unused(*(*prior, Fraction(0))[:2], level.ratio))
        yield same or f"{where}: rows {rows_in_words(rows)}"
    one_kept = hit_rate(T, 2, LIKELIEST + SECOND) <= hit_rate(T, 1, LIKELIEST)
    yield from iff(unused(LIKELIEST, SECOND, T), one_kept, "k* = 1", "not used").items()
    yield PAPER.claims["Alg. 2 (thresholds rise)"].run()
