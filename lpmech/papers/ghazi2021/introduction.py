"""Section 1: what the introduction states about RRWithPrior and RR."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates, rr_top_k, rr_with_prior
from lpmech.papers.checking import check_family, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.ghazi2021.paper import MASS, PAPER, RATIOS, K, T, priors, written


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


@PAPER.claim(
    "Section 1 (how reliable)",
    r"RRTop-k hits more often than RR on all K labels iff the mass it prunes is below (K-k)/(e^\epsilon+K-1)",
    hypotheses="t > 1, 1 <= k < K, P_k the mass of the kept labels; y ~ p",
    recorded="proved",
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
