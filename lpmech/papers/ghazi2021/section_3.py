"""Sections 2 and 3.1, Appendix A.1: RR, RRTop-k, RRWithPrior and their privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, rr_top_k
from lpmech.mechanisms.rr_with_prior.derivation import hit_rate_from_channel
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.ghazi2021.paper import ANY_K, IN_PAPER, MASS, PAPER, RATIOS, WITH_MASS, K, T, priors, written
from lpmech.utilities import hit
from lpmech.verdicts import Outcome, unclear


def _rr(t: Any, size: Any) -> tuple[Any, Any]:
    return t / (t + size - 1), 1 / (t + size - 1)


DELTA = sp.Rational(1, 10)


@PAPER.claim(
    "Def. 2.1 (outputs and sets)",
    r"for \delta=0 the inequality for all sets S of outputs is the inequality for every single output",
    hypotheses="finitely many outputs; induction over the outputs in S, the empty set being trivial",
    formula=lambda a, b, t: a <= t * b,
    mutants={
        "delta = 1/10 per output": lambda a, b, t: a <= t * b + DELTA,
        "difference in place of ratio": lambda a, b, t: a - b <= t,
    },
    note="The proof of Theorem 3 uses it ('the DP guarantee implies (2)', singletons) and Lemma 1 in the other direction. The "
    "first mutant shows that it fails for delta > 0.",
)
def outputs_and_sets(private: Any) -> Outcome:
    a, b, c, d = sp.symbols("a b c d")
    single = check_implications(
        [T > 1, a >= 0, b >= 0],
        {
            "S = one output, Def. 2.1 implies it": sp.Implies(a <= T * b, private(a, b, T)),
            "and conversely": sp.Implies(private(a, b, T), a <= T * b),
        },
        "one output",
    )
    step = check_implications(
        [T > 1, a >= 0, b >= 0, c >= 0, d >= 0, private(a, b, T), private(c, d, T)],
        {"S and one more output": private(a + c, b + d, T)},
        "all sets, by induction",
    )
    return both(step, single)


@PAPER.claim(
    "eq. (1)",
    r"RR: e^\epsilon/(e^\epsilon+K-1) on the true label, 1/(e^\epsilon+K-1) otherwise: normalised, level exactly \epsilon",
    hypotheses="K >= 2",
    formula=_rr,
    mutants={
        "denominator t + K": lambda t, n: (t / (t + n), 1 / (t + n)),
        "otherwise 1/K": lambda t, n: (t / (t + n - 1), 1 / n),
    },
)
def eq_1(entries: Any) -> Outcome:
    high, low = entries(T, K)
    several = [T > 1, K >= 2]
    normalised = check_identities(
        {"row sum": (high + (K - 1) * low, 1)}, "every row has one high and K - 1 low entries", hypotheses=several
    )
    level = check_implications(several, {"low > 0": low > 0, "high = t low": sp.Eq(high, T * low)}, "high = t low > 0")
    return both(normalised, level)


@PAPER.claim(
    "eq. (1) (epsilon = 0)",
    r"the admitted value \epsilon=0 gives the uniform distribution",
    hypotheses="K >= 1",
    given=[K >= 1],
    evidence="identity in K",
    formula=_rr,
    mutants={"denominator t + K": lambda t, n: (t / (t + n), 1 / (t + n))},
)
def eq_1_zero(entries: Any) -> Relations:
    high, low = entries(1, K)
    return {"high": (high, 1 / K), "low": (low, 1 / K)}


@PAPER.claim(
    "Section 3 (signal-to-noise)",
    r"maximising \Pr[y=\tilde y] is 'equivalently' maximising the signal-to-noise ratio",
    hypotheses="the paper does not define the ratio; noise is any wrong label (hit rates in [0, 1)), or one wrong label (RRTop-k and RRTop-j under the uniform prior on K "
    "labels, t > 1, 2 <= k < j <= K)",
    consequence="wording",
    readings={
        "noise = any wrong label": "proved",
        "noise = one wrong label": "refuted",
    },
    formula=lambda signal, noise: signal / noise,
    mutants={
        "variance": lambda signal, noise: signal * noise,
        "noise to signal": lambda signal, noise: noise / (signal + 1),
    },
    note="Against one wrong label the ratio is e^epsilon for every k >= 2, so maximising it would not choose k at all.",
)
def signal_to_noise(ratio: Any) -> Outcome:
    first, second, more, size = sp.symbols("h1 h2 j K")
    any_wrong = check_implications(
        [first >= 0, second >= 0, first < 1, second < 1],
        {
            "=>": sp.Implies(first < second, ratio(first, 1 - first) < ratio(second, 1 - second)),
            "<=": sp.Implies(ratio(first, 1 - first) < ratio(second, 1 - second), first < second),
        },
        "strictly increasing in the hit rate",
    )
    (few, wrong, _), (many, other, _) = _top_k(T, K), _top_k(T, more)
    one_wrong = check_implications(
        [T > 1, K >= 2, more > K, size >= more],
        {
            "larger hit rate => larger ratio": sp.Implies(
                hit_rate(T, K, K / size) < hit_rate(T, more, more / size), ratio(few, wrong) < ratio(many, other)
            )
        },
        "RRTop-k and RRTop-j",
    )
    return unclear({"noise = any wrong label": any_wrong, "noise = one wrong label": one_wrong})


def _top_k(t: Any, k: Any) -> tuple[Any, Any, Any]:
    """(true label kept, other kept label, kept label when the true one is not kept)."""
    return t / (t + k - 1), 1 / (t + k - 1), 1 / k


TOP_K_MUTANTS = {
    "denominator t + k": lambda t, k: (t / (t + k), 1 / (t + k), 1 / k),
    "uniform over k + 1": lambda t, k: (t / (t + k - 1), 1 / (t + k - 1), 1 / (k + 1)),
}


@PAPER.claim(
    "Alg. 1 (normalised)",
    r"the rows of RRTop-k sum to one, for labels inside and outside Y_k",
    given=ANY_K,
    evidence="identities in t and k",
    formula=_top_k,
    mutants=TOP_K_MUTANTS,
)
def alg_1_normalised(entries: Any) -> Relations:
    high, low, uniform = entries(T, K)
    return {"y in Y_k": (high + (K - 1) * low, 1), "y not in Y_k": (K * uniform, 1)}


@PAPER.claim(
    "Alg. 1 (ties)",
    r"'ties broken arbitrarily': the hit rate does not depend on how ties are broken",
    hypotheses="every prior, k and t; the formula says which k labels may be kept: each kept label against each label left out; replayed on all such sets for priors with denominator 6 on K <= 4 labels",
    formula=lambda kept, left_out: kept >= left_out,
    mutants={
        "the k labels of least prior": lambda kept, left_out: kept <= left_out,
        "any k labels": lambda kept, left_out: sp.true,
    },
    note="Two sets of k labels differ by exchanges of a label of the one for a label of the other. If both sets are admitted, each of "
    "the two labels is at least as probable as the other, so no exchange changes the mass.",
)
def alg_1_ties(admitted: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int]) -> str | None:
        prior, k = case
        expected = sum(prior[:k])
        for kept in combinations(range(len(prior)), k):
            others = set(range(len(prior))) - set(kept)
            if all(admitted(prior[y], prior[z]) for y in kept for z in others):
                mass = sum(prior[y] for y in kept)
                if mass != expected:
                    return f"{written(prior)}, k = {k}, kept {kept}: mass {mass} against {expected}"
        return None

    family = [(p, k) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1)]
    here, there = sp.symbols("p_y p_z")
    proof = check_implications(
        [here >= 0, there >= 0, admitted(here, there), there >= here],
        {"exchanged labels are equally probable": sp.Eq(here, there)},
        "y kept but not in Y_k, z in Y_k but not kept; all priors, K and k",
    )
    return replayed(proof, check_family(family, failure, "all sets of labels"))


@PAPER.claim(
    "Section 3.1 (w_k)",
    r"\Pr[\mathrm{RRTop}\text{-}k(y)=y]=\frac{e^\epsilon}{e^\epsilon+k-1}\sum_{\tilde y\in Y_k}p_{\tilde y} for y\sim p",
    hypotheses="t > 1, k >= 1, all priors: only the mass P of Y_k, in [0, 1], enters",
    given=WITH_MASS,
    evidence="derived from normalisation and the ratio t; labels outside Y_k never hit",
    formula=hit_rate,
    mutants={
        "k in place of k - 1": lambda t, k, mass: t * mass / (t + k),
        "labels outside counted": lambda t, k, mass: t * mass / (t + k - 1) + (1 - mass) / k,
        "t dropped": lambda t, k, mass: mass / (t + k - 1),
    },
)
def w_k(rate: Any) -> Relations:
    return {"hit rate": (hit_rate_from_channel().subs(IN_PAPER), rate(T, K, MASS))}


@PAPER.claim(
    "Section 3.1 (w_k, channel)",
    r"w_k is the expected hit rate of the channel RRTop-k",
    hypotheses="every prior, K, k and t: the kept labels, of mass P, hit with the probability of Alg. 1, the others never; replayed "
    "on priors with denominator 6 on K <= 4 labels",
    formula=hit_rate,
    mutants={"k in place of k - 1": lambda t, k, mass: t * mass / (t + k)},
)
def w_k_channel(rate: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        value = rr_top_k(prior, k, PrivacyLevel.from_ratio(t)).expected_utility(hit(len(prior)), prior)
        claimed = rate(t, k, sum(prior[:k]))
        return None if value == claimed else f"{written(prior)}, k = {k}, t = {t}: {value} against {claimed}"

    family = [(p, k, t) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1) for t in RATIOS]
    high, _, _ = _top_k(T, K)
    proof = check_identities(
        {"expected hit rate": (high * MASS + 0 * (1 - MASS), rate(T, K, MASS))},
        "sum over the labels, linear in the prior",
        hypotheses=WITH_MASS,
    )
    return replayed(proof, check_family(family, failure, "all such priors, k, t"))


@PAPER.claim(
    "Lemma 1",
    r"RRTop-k is \epsilon-DP",
    hypotheses="columns of Y_k hold the three entry types, other columns are zero",
    formula=_top_k,
    mutants={
        "uniform over K > k labels": lambda t, k: (t / (t + k - 1), 1 / (t + k - 1), 1 / (k + t)),
        "truth with t^2": lambda t, k: (t**2 / (t**2 + k - 1), 1 / (t**2 + k - 1), 1 / k),
    },
)
def lemma_1(entries: Any) -> Outcome:
    high, low, uniform = entries(T, K)
    return check_implications(
        [T > 1, K >= 1],
        {
            "low > 0": low > 0,
            "high <= t low": sp.Implies(K >= 2, high <= T * low),
            "high <= t uniform": high <= T * uniform,
            "uniform <= t low": sp.Implies(K >= 2, uniform <= T * low),
            "uniform <= t high": uniform <= T * high,
            "low <= uniform": low <= uniform,
        },
        "all pairs of entry types, all k and t (low does not occur for k = 1)",
    )


@PAPER.claim(
    "App. A.1 (maximum)",
    r"\Pr[\mathrm{RRTop}\text{-}k(y)=\tilde y] is maximised when y=\tilde y",
    given=[T > 1, K >= 1],
    evidence="all k and t",
    formula=lambda high, low, uniform: sp.And(high >= low, high >= uniform),
    mutants={"outside Y_k": lambda high, low, uniform: uniform >= high},
)
def appendix_maximum(statement: Any) -> Relations:
    return {"maximum": statement(*_top_k(T, K))}


@PAPER.claim(
    "App. A.1 (minimum)",
    r"\Pr[\mathrm{RRTop}\text{-}k(y')=\tilde y] is minimised when y'\in Y_k\setminus\{\tilde y\}: no y' has less than 1/(e^\epsilon+k-1)",
    hypotheses="every k >= 1; for k = 1 there is no such y', and the number is a lower bound all the same",
    given=[T > 1, K >= 1],
    evidence="all k and t",
    formula=_top_k,
    mutants={
        "the two other entries exchanged": lambda t, k: (t / (t + k - 1), 1 / k, 1 / (t + k - 1)),
        "1/(t + k) for labels outside": lambda t, k: (t / (t + k - 1), 1 / (t + k - 1), 1 / (t + k)),
    },
    note="The lower bound is all that the ratio in the proof needs; where it is attained: 'App. A.1 (minimum, attained)'.",
)
def appendix_minimum(entries: Any) -> Relations:
    high, low, uniform = entries(T, K)
    return {"minimum": sp.And(low > 0, low <= high, low <= uniform)}


@PAPER.claim(
    "App. A.1 (minimum, attained)",
    r"for k\ge 2, and only then, a y'\in Y_k\setminus\{\tilde y\} exists, and the minimum is attained there; for k=1 the channel is constant",
    hypotheses="every whole k >= 1",
    formula=lambda k: k >= 2,
    mutants={"every k": lambda k: sp.true, "k >= 3": lambda k: k >= 3},
)
def appendix_minimum_attained(exists: Any) -> Outcome:
    k = sp.Symbol("k", integer=True)
    high, low, uniform = _top_k(T, k)
    others = k - 1  # size of Y_k minus {y~}
    return check_implications(
        [T > 1, k >= 1],
        {
            "Y_k minus {y~}, of k - 1 labels, is not empty": sp.Implies(exists(k), others >= 1),
            "all k with such a y'": sp.Implies(others >= 1, exists(k)),
            "the minimum is there": sp.Implies(exists(k), sp.And(low <= high, low <= uniform)),
            "constant for k = 1": sp.Implies(sp.Eq(k, 1), sp.And(sp.Eq(high, 1), sp.Eq(uniform, 1))),
        },
        "all whole k and all t",
    )


@PAPER.claim(
    "App. A.1 (ratio)",
    r"\frac{e^\epsilon}{e^\epsilon+k-1}\big/\frac1{e^\epsilon+k-1}=e^\epsilon",
    given=ANY_K,
    evidence="identity",
    formula=_top_k,
    mutants={"denominators differ": lambda t, k: (t / (t + k - 1), 1 / (t + k), 1 / k)},
    survivors=dict.fromkeys(
        ["k -> k + 1, line 2, place 3", "k -> k ** 2, line 2, place 3"], "the third entry is no part of the ratio"
    ),
)
def appendix_ratio(entries: Any) -> Relations:
    high, low, _ = entries(T, K)
    return {"ratio": (high / low, T)}


@PAPER.claim(
    "Lemma 1 (tight level)",
    r"the level of RRTop-k is exactly \epsilon iff k\ge 2; for k=1 it is 0",
    hypotheses="every whole K >= k >= 1; a column of Y_k holds high once, low k - 1 times and uniform for the K - k labels outside, the other columns are zero; replayed on priors with denominator 6 on K <= 4 labels",
    formula=lambda k: k >= 2,
    mutants={"for every k": lambda k: sp.true, "iff k >= 3": lambda k: k >= 3},
)
def lemma_1_tight(is_tight: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        ratio = rr_top_k(prior, k, PrivacyLevel.from_ratio(t)).ratio
        return (
            None if ratio == (t if is_tight(k) else 1) else f"{written(prior)}, k = {k}, t = {t}: tight ratio {ratio}"
        )

    family = [(p, k, t) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1) for t in RATIOS]
    k, size = sp.symbols("k K", integer=True)
    high, low, uniform = _top_k(T, k)
    with_low, with_uniform = sp.Ge(k - 1, 1), sp.Ge(size - k, 1)
    proof = check_implications(
        [T > 1, k >= 1, k <= size],
        {
            "no pair of a column exceeds t": sp.And(
                sp.Implies(with_low, high <= T * low),
                sp.Implies(with_uniform, sp.And(high <= T * uniform, uniform <= high)),
                sp.Implies(sp.And(with_low, with_uniform), sp.And(uniform <= T * low, low <= uniform)),
            ),
            "tight => some pair has the ratio t": sp.Implies(is_tight(k), sp.And(with_low, sp.Eq(high, T * low))),
            "not tight => every column is constant": sp.Implies(
                sp.Not(is_tight(k)), sp.And(sp.Not(with_low), sp.Implies(with_uniform, sp.Eq(high, uniform)))
            ),
        },
        "all whole k and K, all t",
    )
    return replayed(proof, check_family(family, failure, "all such priors, k, t"))


@PAPER.claim(
    "Cor. 2",
    r"RRWithPrior is \epsilon-DP: its choice of k uses the prior and \epsilon, not the label",
    hypotheses="every prior, K and t; the formula is the k used for label y where the prior and epsilon give k^*; replayed on priors "
    "with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}",
    formula=lambda best, y: best,
    mutants={"k depends on the label": lambda best, y: sp.Max(best, y), "k = y": lambda best, y: y},
    note="All rows use one k, so they are those of the channel RRTop-k, which is private by Lemma 1.",
)
def corollary_2(choose: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        ms = [int(choose(best_k(prior, level), y)) for y in range(1, len(prior) + 1)]
        channel = Channel([rr_top_k(prior, m, level).matrix[y] for y, m in enumerate(ms)])
        return None if channel.satisfies(level) else f"{written(prior)}, t = {t}: ratio {channel.ratio}"

    family = [(p, t) for p in priors((1, 2, 3, 4), 6) for t in RATIOS]
    best, first, second = sp.symbols("k y1 y2", integer=True)
    one_k = check_implications(
        [best >= 1, first >= 1, second >= 1],
        {"one k for all labels": sp.Eq(choose(best, first), choose(best, second))},
        "all pairs of labels",
    )
    return replayed(both(one_k, lemma_1(_top_k)), check_family(family, failure, "all such priors and t"))
