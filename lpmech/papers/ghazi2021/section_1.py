"""Section 1: what the introduction states about RRWithPrior and RR."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.ghazi2021.paper import MASS, PAPER, RATIOS, K, T, priors, written
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Section 1 (uniform prior)",
    r"if the prior is uniform RRWithPrior is RR: w_k=\frac kK\frac{e^\epsilon}{e^\epsilon+k-1} increases with k",
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
    hypotheses="every K >= 1; the formula is the k^* of the uniform prior on K labels; replayed on K <= 6",
    formula=lambda size: size,
    mutants={"RRTop-(K-1)": lambda size: size - 1, "k = 1": lambda size: size / size},
    note="k^* maximises w_k = (k/K) t/(t + k - 1) over 1 <= k <= K, and no label lies outside Y_K.",
)
def uniform_prior_channel(kept: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        level, uniform = PrivacyLevel.from_ratio(t), [Fraction(1, size)] * size
        same = rr_top_k(uniform, max(1, int(kept(size))), level) == randomized_response(size, level)
        if same and rr_with_prior(uniform, level) == randomized_response(size, level):
            return None
        return f"K = {size}, t = {t}: another channel"

    instances = check_family([(n, t) for n in range(1, 7) for t in RATIOS], failure, "K <= 6")
    size, k = sp.symbols("K k", integer=True)
    chosen = kept(size)
    largest = check_implications(
        [T > 1, k >= 1, k <= size],
        {
            "k* is the only maximiser of w_k": sp.Or(
                sp.Eq(k, chosen), hit_rate(T, k, k / size) < hit_rate(T, chosen, chosen / size)
            ),
            "no label outside": size - chosen <= 0,
        },
        "k* = K",
    )
    entries = check_identities(
        {
            "true label": (T / (T + chosen - 1), T / (T + size - 1)),
            "other label": (1 / (T + chosen - 1), 1 / (T + size - 1)),
        },
        "entries of Alg. 1 at k* and of eq. (1)",
        hypotheses=[T > 1, size >= 1],
    )
    return replayed(both(largest, entries), instances)


@PAPER.claim(
    "Section 1 (pruning helps)",
    r"if the true label is kept, it is released with larger probability than by RR on the entire alphabet",
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
    r"the hit rate of RRWithPrior, \max_k w_k, is at least that of RR, w_K",
    hypotheses="every prior, K and t; the formula combines max(w_1, ..., w_k) with w_(k+1); replayed on priors with denominator "
    "6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20}",
    formula=sp.Max,
    mutants={"the smallest w_k": sp.Min, "w_1": lambda best, following: best},
    note="Induction over k: the maximum is at least the w_k that entered last, which for k = K is RR.",
)
def never_below_rr(combined: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        rates = [sp.Rational(str(w)) for w in hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()]
        chosen = reduce(combined, rates)
        return None if chosen >= rates[-1] else f"{written(prior)}, t = {t}: {chosen} < w_K = {rates[-1]}"

    family = [(p, t) for p in priors((1, 2, 3, 4), 6) for t in RATIOS]
    best, following = sp.symbols("W w")
    proof = check_implications(
        [best > 0, following > 0],
        {
            "at least the last one": combined(best, following) >= following,
            "at least the others": combined(best, following) >= best,
        },
        "step of the induction, any K",
    )
    return replayed(proof, check_family(family, failure, "all such priors and t"))


@PAPER.claim(
    "Section 1 (how reliable)",
    r"RRTop-k hits more often than RR on all K labels iff the mass it prunes is below (K-k)/(e^\epsilon+K-1)",
    hypotheses="P_k the mass of the kept labels; y ~ p",
    formula=lambda t, k, size: (size - k) / (t + size - 1),
    mutants={
        "denominator t + K": lambda t, k, size: (size - k) / (t + size),
        "1/(t + K - 1), right for k = K - 1 only": lambda t, k, size: 1 / (t + size - 1),
        "(K - k)/K, without t": lambda t, k, size: (size - k) / size,
    },
    note="Makes 'if the prior is reliable and even if the alphabet is only minimally pruned' precise for the average over y: "
    "with a perfect prior (P_k = 1) every pruning helps; pruning one label helps iff its prior is below 1/(e^eps + K - 1).",
)
def how_reliable(bound: Any) -> Outcome:
    size = sp.Symbol("K")
    better = hit_rate(T, K, MASS) > hit_rate(T, size, 1)
    reliable = bound(T, K, size) > 1 - MASS
    return check_implications(
        [T > 1, K >= 1, size > K, MASS >= 0, MASS <= 1],
        {"reliable => better": sp.Implies(reliable, better), "better => reliable": sp.Implies(better, reliable)},
        "for all t, k, K, P_k",
    )
