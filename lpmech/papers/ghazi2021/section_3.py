"""Sections 2 and 3.1, Appendix A.1: RR, RRTop-k, RRWithPrior and their privacy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import compress
from typing import Any

import numpy as np

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, each
from lpmech.claims.checking import check_parts, check_relations, iff
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, rr_top_k, rr_with_prior
from lpmech.mechanisms.rr_with_prior.derivation import hit_rate_from_channel
from lpmech.papers.checks import equals, ratio_in_words, row_of_two, rows_in_words
from lpmech.papers.ghazi2021.entries import of_entries, top_k
from lpmech.papers.ghazi2021.paper import (
    ALL,
    ANY_K,
    FAMILY,
    FAMILY_K,
    IN_PAPER,
    MASS,
    NEXT,
    PAPER,
    PRIORS,
    WITH_MASS,
    K,
    T,
)
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.utilities import hit
from lpmech.verdicts import Outcome

_WHOLE_K, _SIZE, _FIRST, _SECOND = tm.symbols("k K y1 y2")
HERE, THERE, _TOP = tm.symbols("p_y p_z p_1")
ENTRIES = tm.symbols("a b c")
#: The three entries of Alg. 1 in words.
NAMED = r"high $= e^\epsilon/(e^\epsilon + k - 1)$, low $= 1/(e^\epsilon + k - 1)$, uniform $= 1/k$"


@PAPER.claim(
    "Def. 2.1 (outputs and sets)",
    r"for $\delta=0$ the inequality for all sets $S$ of outputs is the inequality for every single output",
    hypotheses="finitely many outputs; induction over the outputs in $S$, the empty set being trivial; $a$ and $b$ the probabilities of $S$ on $D$ and on $D'$, $c$ and $d$ those of one more output",
    formula=lambda a, b, t: a <= t * b,
    note="The proof of Theorem 3 uses it for singletons, to have (2) from the privacy of $R$, and Lemma 1 in the other direction. "
    r"For $\delta > 0$ it fails: a set of two outputs may need $2 \delta$.",
)
def outputs_and_sets(private: Any) -> Parts:
    a, b, c, d = tm.symbols("a b c d")
    yield (
        [T > 1, a >= 0, b >= 0],
        {"S = one output: the inequality for it": tm.Equivalent(private(a, b, T), a <= T * b)},
    )
    both_hold = [T > 1, a >= 0, b >= 0, c >= 0, d >= 0, private(a, b, T), private(c, d, T)]
    yield both_hold, {"all sets, by induction: S and one more output": private(a + c, b + d, T)}


PAPER.claim(
    "eq. (1)",
    r"RR: $e^\epsilon/(e^\epsilon+K-1)$ on the true label, $1/(e^\epsilon+K-1)$ otherwise: normalised, level exactly $\epsilon$",
    given=[T > 1, ALL >= 2],
    formula=lambda t, n: top_k(t, n)[:2],
)(of_entries(2, k=ALL)(lambda *entries: row_of_two(entries, T, ALL)))


PAPER.claim(
    "eq. (1) (epsilon = 0)",
    r"the admitted value $\epsilon=0$ gives the uniform distribution",
    given=[ALL >= 1],
    every={"t": (1,)},
    formula=lambda t, n: top_k(t, n)[:2],
)(of_entries(2, t=1, k=ALL)(lambda high, low: {"true label": (high, 1 / ALL), "other label": (low, 1 / ALL)}))


@PAPER.claim(
    "Section 3 (signal-to-noise)",
    r"maximising $\Pr[y=\tilde{y}]$ is 'equivalently' maximising the signal-to-noise ratio",
    hypotheses="the paper does not define the ratio; noise is any wrong label ($h_1$, $h_2$ two hit rates in $[0, 1)$), or one wrong label (RRTop-k and RRTop-j under the uniform prior on $K$ "
    r"labels, $t > 1$, $2 \le k < j \le K$)",
    consequence="wording",
    readings={"noise $=$ any wrong label": "proved", "noise $=$ one wrong label": "refuted"},
    formula=lambda signal, noise: signal / noise,
    mutants={"variance": lambda signal, noise: signal * noise},
    note=r"Against one wrong label the ratio is $e^\epsilon$ for every $k \ge 2$, so maximising it would not choose $k$ at all.",
)
def signal_to_noise(ratio: Any) -> tuple[Outcome, ...]:
    first, second, more, size = tm.symbols("h1 h2 j K")
    larger = ratio(first, 1 - first) < ratio(second, 1 - second)
    rates = [first >= 0, second >= 0, first < 1, second < 1]
    (few, wrong, _), (many, other, _) = top_k(T, K), top_k(T, more)
    better = hit_rate(T, K, K / size) < hit_rate(T, more, more / size)
    one = {"larger hit rate => larger ratio": tm.Implies(better, ratio(few, wrong) < ratio(many, other))}
    rising = {"ratio": (ratio(first, 1 - first) * (1 - first), first)}
    rising |= iff(larger, first < second, "larger hit rate", "larger ratio")
    return (
        check_relations(rising, rates),
        check_relations(one, [T > 1, K >= 2, more > K, size >= more], "RRTop-k and RRTop-j"),
    )


PAPER.claim(
    "Alg. 1 (normalised)",
    "the rows of RRTop-k sum to one, for labels inside and outside $Y_k$",
    given=ANY_K,
    formula=top_k,
)(of_entries(3)(lambda high, low, left: {"y in Y_k": (high + (K - 1) * low, 1), "y not in Y_k": (K * left, 1)}))


@PAPER.claim(
    "Alg. 1 (ties)",
    r"'ties broken arbritrarily': the hit rate does not depend on how ties are broken",
    hypotheses="every prior, $k$ and $t$; $k$ labels may be kept where each of them is at least as probable as each label left out",
    given=[HERE >= 0, THERE >= HERE, HERE + THERE <= 1],
    formula=lambda kept, left_out: kept >= left_out,
    note="Two sets of $k$ labels differ by exchanges of a label of the one for a label of the other. If both sets are admitted, each of "
    "the two labels is at least as probable as the other, so no exchange changes the mass.",
)
def alg_1_ties(admitted: Any) -> Parts:
    exchanged = tm.Implies(admitted(HERE, THERE), tm.Eq(HERE, THERE))
    yield "y kept but not in Y_k, z in Y_k but not kept: equally probable", exchanged
    yield "Y_k may be kept", admitted(THERE, HERE)


#: What breaks ties is replayed on these.
TIES = "priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}"


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


def same_order(label: int, size: int) -> list[int]:
    """Ties are broken in the same order for every true label."""
    return list(range(size))


@PAPER.claim(
    "Alg. 1 (ties and privacy)",
    r"Alg. 1 is $\epsilon$-DP with 'ties broken arbritrarily'",
    hypotheses="row $y$ breaks ties in the same order as all others (first reading), or in one that has $y$ first and then the others (second), carried out by the library's RRTop-k on the labels in that order; that the true label may come first is our reading of 'arbritrarily'",
    consequence="privacy",
    readings={"by any rule that does not look at the true label": "proved", "by any rule": "refuted"},
    formula=(same_order, own_first),
    mutants={"the true label first in both": (own_first, own_first)},
    note="If the rule looks at the true label, two labels of the same prior keep different sets, and a label that one of them releases with probability $1/(t + k - 1)$ the other never does. "
    "The hit rate would rise: for $(1/2, 1/2)$ and $k = 1$ to 1.",
    uses=["Lemma 1"],
)
def ties_read(orders: Any) -> tuple[Outcome, ...]:
    narrow, broad = orders
    return check_parts(ties(narrow), replay=TIES), check_parts(ties(broad), replay=TIES)


@PAPER.claim(
    "Alg. 1 (ties and privacy) [repaired]",
    r"it is $\epsilon$-DP if and only if the rule keeps the same $k$ labels in every row",
    hypotheses="every prior, $K$, $k$ and $t > 1$; the same set: 'Lemma 1'; different sets of $k$ labels: a label of the one only has a probability of at least $1/(t + k - 1) > 0$ in a row that keeps it, 0 in the other",
    replay=TIES,
    kind="ours",
    formula=same_order,
    mutants={"the true label last": lambda y, size: [*own_first(y, size)[1:], y]},
    uses=["Lemma 1"],
    note="A random order will do, if it is drawn once for all rows or independently of the label.",
)
def ties(order: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        orders = [order(y, len(prior)) for y in range(len(prior))]
        if any(sorted(names) != list(range(len(prior))) for names in orders):
            yield f"{where}: no orders of all labels, {orders}"
            return
        channel = with_ties_broken(prior, k, level, orders)
        yield (
            channel.satisfies(level)
            or f"{where}: rows ({rows_in_words(channel.matrix)}), {ratio_in_words(channel.ratio)}"
        )
    yield PAPER.claims["Lemma 1"].run()
    entries = tm.And(*(entry > T * 0 for entry in top_k(T, K)))
    yield ANY_K, {"different sets: no factor brings 0 up to a kept label's entry": entries}


@PAPER.claim(
    "Section 3.1 (w_k)",
    r"$\Pr[\mathrm{RRTop}\text{-}k(y)=y]=\frac{e^\epsilon}{e^\epsilon+k-1}\sum_{\tilde{y}\in Y_k}p_{\tilde{y}}$ for $y\sim p$",
    hypotheses="all priors: only the mass $P$ of $Y_k$ enters; the other labels never hit",
    given=WITH_MASS,
    replay=f"the channel RRTop-k, every k, {PRIORS}",
    formula=hit_rate,
)
def w_k(rate: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        value = rr_top_k(prior, k, level).expected_utility(hit(len(prior)), prior)
        yield Instance(f"{where}: hit rate, w_k", value, "==", rate(level.ratio, k, sum(prior[:k])))
    yield "solved from normalisation and the ratio t", (term_of(hit_rate_from_channel()).at(IN_PAPER), rate(T, K, MASS))
    yield "from Alg. 1", (top_k(T, K)[0] * MASS, rate(T, K, MASS))


@PAPER.claim(
    "Lemma 1",
    r"RRTop-k is $\epsilon$-DP",
    hypotheses=rf"columns of $Y_k$ hold {NAMED} (low for $k \ge 2$ only), other columns are zero",
    given=ANY_K,
    replay=f"the entries and the level of the channel RRTop-k, every k, {PRIORS}",
    formula=top_k,
)
def lemma_1(entries: Any) -> Parts:
    for prior, k, level, where in FAMILY_K:
        channel, there = rr_top_k(prior, k, level), (True, k > 1, k < len(prior))
        rows, names = channel.matrix.tolist(), ", ".join(compress(("high", "low", "uniform"), there))
        found = tuple(compress((rows[0][0], rows[0][k - 1], rows[-1][0]), there))
        same = Instance(f"{where}: {names}", found, "==", tuple(compress(entries(level.ratio, Fraction(k)), there)))
        yield same if channel.satisfies(level) else f"{where}: ratio {channel.ratio}"
    high, low, uniform = entries(T, K)
    yield "low > 0", low > 0
    yield "high <= t low", tm.Implies(K >= 2, high <= T * low)
    yield "high <= t uniform", high <= T * uniform
    yield "uniform <= t low", tm.Implies(K >= 2, uniform <= T * low)
    yield "uniform <= t high", uniform <= T * high
    yield "low <= uniform", low <= uniform


PAPER.claim(
    "App. A.1 (maximum)",
    r"$\Pr[\mathrm{RRTop}\text{-}k(y)=\tilde{y}]$ is maximised when $y=\tilde{y}$",
    hypotheses=r"$a$ the entry at $y = \tilde{y}$, $b$ that at another label of $Y_k$, $c$ that at a label outside; that $a$ is the largest is $a \ge b$ and $a \ge c$",
    given=ANY_K,
    formula=lambda high, low, uniform: tm.And(high >= low, high >= uniform),
)(lambda largest: {"largest": largest(*top_k(T, K))} | iff(largest(*ENTRIES), ENTRIES[0] >= tm.Max(*ENTRIES[1:])))


@PAPER.claim(
    "App. A.1 (minimum)",
    r"$\Pr[\mathrm{RRTop}\text{-}k(y')=\tilde{y}]$ is minimised when $y'\in Y_k\setminus\{\tilde{y}\}$: no $y'$ has less than $1/(e^\epsilon+k-1)$",
    hypotheses=r"every $k \ge 1$; for $k = 1$ there is no such $y'$, and the number is a lower bound all the same",
    given=ANY_K,
    formula=lambda t, k: 1 / (t + k - 1),
    note="The lower bound is all that the ratio in the proof needs; where it is attained: 'App. A.1 (minimum, attained)'.",
)
def appendix_minimum(least: Any) -> Relations:
    (high, low, uniform), bound = top_k(T, K), least(T, K)
    return {"that of y'": (low, bound), "minimum": tm.And(bound > 0, bound <= high, bound <= uniform)}


def _tight(at: Any) -> Parts:
    """The check that two labels of Y_k have entries with the ratio t, high and low, at these k, and at no other one."""
    for prior, k, level, where in FAMILY_K:
        ratio = rr_top_k(prior, k, level).ratio
        yield Instance(
            f"{where}: largest over least entry of a column, as stated", ratio, "==", level.ratio if at(k) else 1
        )
    high, low, uniform = top_k(T, _WHOLE_K)
    with_low, with_uniform, tight = _WHOLE_K - 1 >= 1, _SIZE - _WHOLE_K >= 1, at(_WHOLE_K)
    both = tm.And(with_low, with_uniform)
    yield "low <= high <= t low", tm.Implies(with_low, tm.And(low <= high, high <= T * low))
    yield "uniform <= high <= t uniform", tm.Implies(with_uniform, tm.And(uniform <= high, high <= T * uniform))
    yield "low <= uniform <= t low", tm.Implies(both, tm.And(low <= uniform, uniform <= T * low))
    yield "tight => some pair has the ratio t", tm.Implies(tight, tm.And(with_low, tm.Eq(high, T * low)))
    constant = tm.And(tm.Not(with_low), tm.Implies(with_uniform, tm.Eq(high, uniform)))
    yield "not tight => every column is constant", tm.Implies(tm.Not(tight), constant)


for _id, _statement in (
    (
        "App. A.1 (minimum, attained)",
        r"for $k\ge 2$, and only then, a $y'\in Y_k\setminus\{\tilde{y}\}$ exists, and the minimum is attained there; for $k=1$ the channel is constant",
    ),
    ("Lemma 1 (tight level)", r"the level of RRTop-k is exactly $\epsilon$ iff $k\ge 2$; for $k=1$ it is 0"),
):
    PAPER.claim(
        _id,
        _statement,
        hypotheses=f"a column of $Y_k$ holds high once, low $k - 1$ times and uniform for the $K - k$ labels outside, the other columns are zero; {NAMED}",
        given=[tm.Whole(_WHOLE_K, _SIZE), T > 1, _WHOLE_K >= 1, _WHOLE_K <= _SIZE],
        replay=f"every k, {PRIORS}",
        kind="ours" if "tight level" in _id else None,
        formula=lambda k: k >= 2,
    )(_tight)

PAPER.claim(
    "App. A.1 (ratio)",
    r"$\frac{e^\epsilon}{e^\epsilon+k-1}/\frac{1}{e^\epsilon+k-1}=e^\epsilon$",
    given=ANY_K,
    formula=lambda high, low: high / low,
)(equals(top_k(T, K)[:2], ratio=T))


@PAPER.claim(
    "Cor. 2",
    r"RRWithPrior is $\epsilon$-DP: its choice of $k$ uses the prior and $\epsilon$, not the label",
    hypotheses=r"every prior, $K$ and $t$; row $y$ uses $k = k^*$, which the prior and $\epsilon$ give, whatever $y$ is",
    given=[tm.Whole(_WHOLE_K, _FIRST, _SECOND), _WHOLE_K >= 1, _FIRST >= 1, _SECOND >= 1],
    replay=PRIORS,
    formula=lambda best, y: best,
    uses=["Lemma 1"],
    note="All rows use one $k$, so they are those of the channel RRTop-k, which is private by Lemma 1.",
)
def corollary_2(choose: Any) -> Parts:
    for prior, level, where in FAMILY:
        ms = [choose(best_k(prior, level), y) for y in range(1, len(prior) + 1)]
        chosen = all(1 <= m <= len(prior) for m in ms)
        rows = [rr_top_k(prior, int(m), level).matrix[y] for y, m in enumerate(ms)] if chosen else []
        same = chosen and Channel(rows) == rr_with_prior(prior, level)
        of_each = f"{where}: row y from RRTop-k with k = {', '.join(map(str, ms))}"
        yield Instance(f"{of_each}: its ratio, t", Channel(rows).ratio, "<=", level.ratio) if same else of_each
    yield "the k of label y1 is that of label y2", (choose(_WHOLE_K, _FIRST), choose(_WHOLE_K, _SECOND))
    yield "it is k*", (choose(_WHOLE_K, _FIRST), _WHOLE_K)
    yield PAPER.claims["Lemma 1"].run()


@PAPER.claim(
    "Section 2 (epsilon = 0, every statement)",
    r"at $\epsilon=0$, which Def. 2.1 admits, Alg. 1, Lemma 1, Cor. 2 and Alg. 2 hold as stated, with $k^*=1$: RRWithPrior releases the most probable label; only (7) and (17), which divide by $e^\epsilon-1$, have no meaning",
    hypotheses=r"$t = 1$ put into the statements for $t > 1$: entries $1/k$ in every row; $w_k = P_k/k$, at most $w_1 = p_1$ as $P_k \le k p_1$; $t_k = P_k/p_{k+1} - k + 1 \ge 1 = t$, as every kept label has at least $p_{k+1}$, so no threshold lies below $t$ and $k^* = 1$. "
    r"Theorem 3 at $\epsilon = 0$: 'Theorem 3 (epsilon = 0)'. For (7) and (17) the reciprocals of the factor $(t+k-1)/(t-1)$ and of $1/(1 - k p_{k,\epsilon})$ are 0",
    given=[
        tm.Whole(_WHOLE_K),
        _WHOLE_K >= 1,
        _TOP > 0,
        NEXT > 0,
        NEXT <= _TOP,
        MASS <= _WHOLE_K * _TOP,
        MASS >= _WHOLE_K * NEXT,
        MASS + NEXT <= 1,
    ],
    formula=lambda k: tm.Eq(k, 1),
    uses=["Theorem 3 (epsilon = 0)"],
    note=r"The tight level is 0 for every $k$ then, so 'exactly $\epsilon$ iff $k \ge 2$' becomes 'for every $k$'. Ties $p_1 = p_2$ leave $k^* = 2$, ... as good as 1; the smallest maximiser is meant.",
)
def level_zero(best: Any) -> Parts:
    share, factor = 1 / (T + K - 1), (T + K - 1) / (T - 1)
    names = ("true label", "other kept label", "not kept")
    same = {
        **{
            f"Alg. 1 at t = 1, {name}": (entry, 1 / K)
            for name, entry in each("entry", zip(names, top_k(1, K), strict=True))
        },
        "w_k": (hit_rate(tm.Rational(1), K, MASS), MASS / K),
        "1/((7)'s factor)": (steps.cancel(1 / factor).at({T: 1}), 0),
        "1/((17)'s factor)": (steps.simplify(1 - K * share).at({T: 1}), 0),
    }
    yield [K >= 1], same
    limit = MASS / NEXT - _WHOLE_K + 1
    yield "w_k <= w_1", MASS / _WHOLE_K <= _TOP
    yield "no threshold below t = 1", limit >= 1
    # the smallest k with no threshold t_1, ..., t_{k-1} left at or above t: w_{k+1} > w_k at k < k* would need t_k < 1
    yield "k^*", tm.Implies(tm.Or(tm.Eq(_WHOLE_K, 1), limit < 1), best(_WHOLE_K))
    yield "only that", tm.Implies(best(_WHOLE_K), tm.Eq(_WHOLE_K, 1))
