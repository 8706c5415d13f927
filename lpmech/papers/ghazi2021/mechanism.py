"""Sections 2 and 3.1, Appendix A.1: RR, RRTop-k, RRWithPrior and their privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.ghazi2021.paper import PAPER, RATIOS, K, T, priors, written
from lpmech.symbolic.rr_with_prior import hit_rate_from_channel, symbols
from lpmech.utilities import hit


def _rr(t: Any, size: Any) -> tuple[Any, Any]:
    return t / (t + size - 1), 1 / (t + size - 1)


@PAPER.claim(
    "eq. (1)",
    r"RR: e^\epsilon/(e^\epsilon+K-1) on the true label, 1/(e^\epsilon+K-1) otherwise: normalised, level exactly \epsilon",
    hypotheses="t > 1, K >= 2",
    recorded="proved",
    formula=_rr,
    mutants={
        "denominator t + K": lambda t, n: (t / (t + n), 1 / (t + n)),
        "otherwise 1/K": lambda t, n: (t / (t + n - 1), 1 / n),
    },
)
def eq_1(entries: Any) -> Outcome:
    high, low = entries(T, K)
    normalised = check_identities(
        {"row sum": (high + (K - 1) * low, 1)}, "every row has one high and K - 1 low entries"
    )
    level = check_implications(
        [T > 1, K >= 2], {"low > 0": low > 0, "high = t low": sp.Eq(high, T * low)}, "high = t low > 0"
    )
    return both(normalised, level)


@PAPER.claim(
    "eq. (1) (epsilon = 0)",
    r"the admitted value \epsilon=0 gives the uniform distribution",
    hypotheses="K >= 1",
    recorded="proved",
    formula=_rr,
    mutants={"denominator t + K": lambda t, n: (t / (t + n), 1 / (t + n))},
)
def eq_1_zero(entries: Any) -> Outcome:
    high, low = entries(1, K)
    return check_identities({"high": (high, 1 / K), "low": (low, 1 / K)}, "identity in K")


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
    hypotheses="k >= 1, t > 1",
    recorded="proved",
    formula=_top_k,
    mutants=TOP_K_MUTANTS,
)
def alg_1_normalised(entries: Any) -> Outcome:
    high, low, uniform = entries(T, K)
    return check_identities(
        {"y in Y_k": (high + (K - 1) * low, 1), "y not in Y_k": (K * uniform, 1)}, "identities in t and k"
    )


@PAPER.claim(
    "Alg. 1 (ties)",
    r"'ties broken arbitrarily': the hit rate does not depend on how ties are broken",
    hypotheses="priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}; all orders of the labels that sort the prior",
    recorded="certified",
    formula=lambda prior, order, k: order[:k],
    mutants={
        "the k labels of least prior": lambda prior, order, k: order[-k:],
        "one label beyond": lambda prior, order, k: (*order[: k - 1], order[-1]),
    },
)
def alg_1_ties(kept: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int]) -> str | None:
        prior, k = case
        size = len(prior)
        expected = sum(prior[:k])
        for order in permutations(range(size)):
            if all(prior[order[i]] >= prior[order[i + 1]] for i in range(size - 1)):
                mass = sum(prior[y] for y in kept(prior, order, k))
                if mass != expected:
                    return f"{written(prior)}, k = {k}, order {order}: mass {mass} against {expected}"
        return None

    return check_family(
        [(p, k) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1)], failure, "all tie-breaking orders"
    )


@PAPER.claim(
    "Section 3.1 (w_k)",
    r"\Pr[\mathrm{RRTop}\text{-}k(y)=y]=\frac{e^\epsilon}{e^\epsilon+k-1}\sum_{\tilde y\in Y_k}p_{\tilde y} for y\sim p",
    hypotheses="all t, k and priors: only the mass P of Y_k enters",
    recorded="proved",
    formula=hit_rate,
    mutants={
        "k in place of k - 1": lambda t, k, mass: t * mass / (t + k),
        "labels outside counted": lambda t, k, mass: t * mass / (t + k - 1) + (1 - mass) / k,
        "t dropped": lambda t, k, mass: mass / (t + k - 1),
    },
)
def w_k(rate: Any) -> Outcome:
    t, k, mass, _ = symbols
    return check_identities(
        {"hit rate": (hit_rate_from_channel(), rate(t, k, mass))},
        "derived from normalisation and the ratio t; labels outside Y_k never hit",
    )


@PAPER.claim(
    "Section 3.1 (w_k, channel)",
    r"w_k is the expected hit rate of the channel RRTop-k",
    hypotheses="priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}",
    recorded="certified",
    formula=hit_rate,
    mutants={"k in place of k - 1": lambda t, k, mass: t * mass / (t + k)},
)
def w_k_channel(rate: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        value = rr_top_k(prior, k, PrivacyLevel.from_ratio(t)).expected_utility(hit(len(prior)), prior)
        claimed = rate(t, k, sum(prior[:k]))
        return None if value == claimed else f"{written(prior)}, k = {k}, t = {t}: {value} against {claimed}"

    return check_family(
        [(p, k, t) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1) for t in RATIOS],
        failure,
        "all such priors, k, t",
    )


@PAPER.claim(
    "Lemma 1",
    r"RRTop-k is \epsilon-DP",
    hypotheses="t > 1, k >= 1; columns of Y_k hold the three entry types, other columns are zero",
    recorded="proved",
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
    hypotheses="t > 1, k >= 1",
    recorded="proved",
    formula=lambda high, low, uniform: sp.And(high >= low, high >= uniform),
    mutants={"outside Y_k": lambda high, low, uniform: uniform >= high},
)
def appendix_maximum(statement: Any) -> Outcome:
    return check_implications([T > 1, K >= 1], {"maximum": statement(*_top_k(T, K))}, "all k and t")


@PAPER.claim(
    "App. A.1 (minimum)",
    r"\Pr[\mathrm{RRTop}\text{-}k(y')=\tilde y] is minimised when y'\in Y_k\setminus\{\tilde y\}: such a y' exists for every k\in[K]",
    hypotheses="k = 1, ..., 6",
    recorded="refuted",
    formula=lambda k: k >= 1,
    control=lambda k: k >= 2,
    mutants={"for k = 1 only": lambda k: k == 1},
    repaired_by="App. A.1 (minimum) [repaired]",
    note="For k = 1 the set Y_k minus {y~} is empty. The channel is then constant, so Lemma 1 holds all the same.",
)
@PAPER.claim(
    "App. A.1 (minimum) [repaired]",
    r"for k\ge 2 the minimum is attained at y'\in Y_k\setminus\{\tilde y\}; for k=1 the channel is constant",
    hypotheses="k = 1, ..., 6; K = k + 1 labels, t in {2, 3}",
    recorded="certified",
    formula=lambda k: k >= 2,
    mutants={"every k": lambda k: True, "k >= 3": lambda k: k >= 3},
)
def appendix_minimum(exists: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        k, t = case
        prior = [Fraction(1, k + 1)] * (k + 1)
        column = rr_top_k(prior, k, PrivacyLevel.from_ratio(t)).matrix[:, 0]
        others = [column[y] for y in range(1, k)]
        attained = bool(others) and min(column) == min(others)
        return (
            None
            if attained == exists(k)
            else f"k = {k}: Y_k minus the output is {'empty' if not others else 'not empty'}; column {list(map(str, column))}"
        )

    return check_family([(k, t) for k in range(1, 7) for t in (Fraction(2), Fraction(3))], failure, "k = 1..6")


@PAPER.claim(
    "App. A.1 (ratio)",
    r"\frac{e^\epsilon}{e^\epsilon+k-1}\big/\frac1{e^\epsilon+k-1}=e^\epsilon",
    hypotheses="all t, k",
    recorded="proved",
    formula=_top_k,
    mutants={"denominators differ": lambda t, k: (t / (t + k - 1), 1 / (t + k), 1 / k)},
)
def appendix_ratio(entries: Any) -> Outcome:
    high, low, _ = entries(T, K)
    return check_identities({"ratio": (high / low, T)}, "identity")


@PAPER.claim(
    "Lemma 1 (tight level)",
    r"the level of RRTop-k is exactly \epsilon iff k\ge 2; for k=1 it is 0",
    hypotheses="priors with denominator 6 on K <= 4 labels, every k, t in {11/10, 2, 3, 9/2, 20}",
    recorded="certified",
    formula=lambda k: k >= 2,
    mutants={"for every k": lambda k: True, "iff k >= 3": lambda k: k >= 3},
)
def lemma_1_tight(is_tight: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        ratio = rr_top_k(prior, k, PrivacyLevel.from_ratio(t)).ratio
        return (
            None if ratio == (t if is_tight(k) else 1) else f"{written(prior)}, k = {k}, t = {t}: tight ratio {ratio}"
        )

    return check_family(
        [(p, k, t) for p in priors((1, 2, 3, 4), 6) for k in range(1, len(p) + 1) for t in RATIOS],
        failure,
        "all such priors, k, t",
    )


@PAPER.claim(
    "Cor. 2",
    r"RRWithPrior is \epsilon-DP: its choice of k uses the prior and \epsilon, not the label",
    hypotheses="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}",
    recorded="certified",
    formula=lambda prior, y, level: best_k(prior, level),
    mutants={"k depends on the label": lambda prior, y, level: max(best_k(prior, level), y + 1)},
)
def corollary_2(choose: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        level = PrivacyLevel.from_ratio(t)
        rows = [rr_top_k(prior, choose(prior, y, level), level).matrix[y] for y in range(len(prior))]
        channel = Channel(rows)
        return None if channel.satisfies(level) else f"{written(prior)}, t = {t}: ratio {channel.ratio}"

    return check_family([(p, t) for p in priors((1, 2, 3, 4), 6) for t in RATIOS], failure, "all such priors and t")


@PAPER.claim(
    "Section 1 (uniform prior)",
    r"if the prior is uniform RRWithPrior is RR: w_k=\frac kK\frac{e^\epsilon}{e^\epsilon+k-1} increases with k",
    hypotheses="t > 1, 1 <= k < K",
    recorded="proved",
    formula=lambda t, k, size: hit_rate(t, k, k / size),
    mutants={"mass 1/K": lambda t, k, size: hit_rate(t, k, 1 / size)},
)
def uniform_prior(rate: Any) -> Outcome:
    size = sp.Symbol("K")
    return check_implications(
        [T > 1, K >= 1, size > K], {"w_(k+1) > w_k": rate(T, K + 1, size) > rate(T, K, size)}, "strict, for all t, k, K"
    )


@PAPER.claim(
    "Section 1 (uniform prior, channel)",
    r"for the uniform prior the channel of RRWithPrior equals RR; LP-1ST is vanilla RR",
    hypotheses="K <= 6, t in {11/10, 2, 3, 9/2, 20}",
    recorded="certified",
    formula=lambda size, level: rr_with_prior([Fraction(1, size)] * size, level),
    mutants={"RRTop-(K-1)": lambda size, level: rr_top_k([Fraction(1, size)] * size, max(1, size - 1), level)},
)
def uniform_prior_channel(build: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        level = PrivacyLevel.from_ratio(t)
        return (
            None if build(size, level) == randomized_response(size, level) else f"K = {size}, t = {t}: another channel"
        )

    return check_family([(n, t) for n in range(1, 7) for t in RATIOS], failure, "K <= 6")


@PAPER.claim(
    "Section 1 (pruning helps)",
    r"if the true label is kept, it is released with larger probability than by RR on the entire alphabet",
    hypotheses="t > 1, 1 <= k < K",
    recorded="proved",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"uniform on the kept labels": lambda t, k: 1 / k},
)
def pruning_helps(truthful: Any) -> Outcome:
    size = sp.Symbol("K")
    return check_implications(
        [T > 1, K >= 1, size > K], {"larger": truthful(T, K) > T / (T + size - 1)}, "for all t, k, K"
    )


@PAPER.claim(
    "Section 1 (never below RR)",
    r"the hit rate of RRWithPrior is at least that of RR, w_K",
    hypotheses="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}; by definition of k* for all others",
    recorded="certified",
    formula=lambda rates: max(rates),
    mutants={"the smallest w_k": lambda rates: min(rates), "w_1": lambda rates: rates[0]},
)
def never_below_rr(chosen: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        rates = hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()
        return None if chosen(rates) >= rates[-1] else f"{written(prior)}, t = {t}: {chosen(rates)} < w_K = {rates[-1]}"

    return check_family([(p, t) for p in priors((1, 2, 3, 4), 6) for t in RATIOS], failure, "all such priors and t")
