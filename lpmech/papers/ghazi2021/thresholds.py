"""Alg. 2: the epsilons at which k* changes, and the shape of w_k."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, threshold, thresholds
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.ghazi2021.paper import MASS, NEXT, PAPER, RATIOS, K, T, priors, written
from lpmech.symbolic.rr_with_prior import symbols, threshold_ratio


@PAPER.claim(
    "Alg. 2 (threshold)",
    r"w_{k+1}>w_k iff e^\epsilon>t_k:=P_k/p_{k+1}-k+1",
    hypotheses="t > 1, k >= 1, P_k > 0, p_{k+1} > 0",
    recorded="proved",
    formula=threshold,
    mutants={
        "- k": lambda k, mass, following: mass / following - k,
        "P_(k+1)": lambda k, mass, following: (mass + following) / following - k + 1,
    },
    note="Not stated in the paper: it turns the argmax of Alg. 2 into explicit budgets.",
)
def threshold_formula(value: Any) -> Outcome:
    _, k, mass, p = symbols
    derived = check_identities(
        {"threshold": (threshold_ratio(), value(k, mass, p))}, "solved from w_k = w_(k+1) by sympy"
    )
    gain = hit_rate(T, K + 1, MASS + NEXT) > hit_rate(T, K, MASS)
    above = value(K, MASS, NEXT) < T
    proof = check_implications(
        [T > 1, K >= 1, MASS > 0, NEXT > 0],
        {"=>": sp.Implies(gain, above), "<=": sp.Implies(above, gain)},
        "for all t, k, P, p",
    )
    return both(derived, proof)


@PAPER.claim(
    "Alg. 2 (thresholds rise)",
    r"t_{k+1}\ge t_k, so w_k rises up to k^* and falls after it, and k^* does not decrease with \epsilon",
    hypotheses="prior in falling order: 0 < p_(k+2) <= p_(k+1), P_k > 0",
    recorded="proved",
    formula=threshold,
    mutants={
        "+ k": lambda k, mass, following: mass / following + k,
        "reciprocal": lambda k, mass, following: following / mass - k + 1,
    },
)
def thresholds_rise(value: Any) -> Outcome:
    after = sp.Symbol("p2")
    return check_implications(
        [K >= 1, MASS > 0, NEXT > 0, after > 0, after <= NEXT],
        {
            "t_(k+1) >= t_k": value(K + 1, MASS + NEXT, after) >= value(K, MASS, NEXT),
            "the exact gap": sp.Implies(
                sp.Eq(after, NEXT), sp.Eq(value(K + 1, MASS + NEXT, after), value(K, MASS, NEXT))
            ),
        },
        "for all sorted priors; equal probabilities give equal thresholds",
    )


@PAPER.claim(
    "Alg. 2 (k* from the thresholds)",
    r"k^*=1+\#\{k: t_k<e^\epsilon\} (the smallest maximiser)",
    hypotheses="priors with denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20} and every threshold above 1",
    recorded="certified",
    formula=lambda limits, t: 1 + sum(limit < t for limit in limits),
    mutants={
        "<= at a threshold": lambda limits, t: 1 + sum(limit <= t for limit in limits),
        "without the 1": lambda limits, t: sum(limit < t for limit in limits),
    },
)
def k_from_thresholds(rule: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        found = best_k(prior, PrivacyLevel.from_ratio(t))
        return (
            None
            if rule(thresholds(prior), t) == found
            else f"{written(prior)}, t = {t}, thresholds {list(map(str, thresholds(prior)))}: k* = {found}"
        )

    family = [(p, t) for p in priors((1, 2, 3, 4), 6) for t in sorted({*RATIOS, *(v for v in thresholds(p) if v > 1)})]
    return check_family(family, failure, "all such priors, levels and thresholds")


@PAPER.claim(
    "Alg. 2 (ties at a threshold)",
    r"at e^\epsilon=t_k the sizes k and k+1 have the same hit rate; 'k^*=\arg\max' leaves the choice open",
    hypotheses="priors with denominator 6 on K <= 4 labels, every threshold above 1",
    recorded="certified",
    formula=lambda rates, k: rates[k] == rates[k - 1],
    mutants={"k + 1 strictly better": lambda rates, k: rates[k] > rates[k - 1]},
)
def ties_at_threshold(relation: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        rates = hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()
        return (
            None
            if relation(rates, k)
            else f"{written(prior)}, t = t_{k} = {t}: w_k = {rates[k - 1]}, w_(k+1) = {rates[k]}"
        )

    family = [(p, k, t) for p in priors((2, 3, 4), 6) for k, t in enumerate(thresholds(p), start=1) if t > 1]
    return check_family(family, failure, "all thresholds")


@PAPER.claim(
    "Alg. 2 (ties in the prior)",
    r"at the smallest and at the largest maximiser k^*<K of w_k, p_{k^*}>p_{k^*+1}: Y_{k^*} does not depend on how ties are broken",
    hypotheses="t > 1, k >= 2, prior in falling order with P_(k-1) > 0; k* = 1 apart",
    recorded="proved",
    formula=lambda own, after, t: own > after,
    mutants={
        "by a factor t": lambda own, after, t: own > t * after,
        "p_(k*+1) = 0": lambda own, after, t: sp.Eq(after, 0),
    },
    note="'Ties broken arbitrarily' in Alg. 1 therefore never changes the mechanism of Alg. 2, except when a maximiser strictly between "
    "others is chosen: p = (1/2, 1/4, 1/4), t = 2 has w = (1/2, 1/2, 1/2), and k* = 2 keeps either of the last two labels.",
)
def ties_in_prior(relation: Any) -> Outcome:
    after = sp.Symbol("p2")
    before, here = hit_rate(T, K - 1, MASS), hit_rate(T, K, MASS + NEXT)
    following = hit_rate(T, K + 1, MASS + NEXT + after)
    one, two = hit_rate(T, 1, NEXT), hit_rate(T, 2, NEXT + after)
    return check_implications(
        [T > 1, K >= 2, MASS > 0, NEXT > 0, after >= 0],
        {
            "smallest maximiser": sp.Implies(sp.And(here > before, following <= here), relation(NEXT, after, T)),
            "largest maximiser": sp.Implies(sp.And(here >= before, following < here), relation(NEXT, after, T)),
            "k* = 1": sp.Implies(two <= one, relation(NEXT, after, T)),
        },
        "for all t, k, P, p",
    )


@PAPER.claim(
    "Alg. 2 (ties in the prior, every maximiser)",
    r"a maximiser k<K of w_k with p_k=p_{k+1} is neither the smallest nor the largest one",
    hypotheses="priors with denominator 4 on K <= 3 labels, every threshold above 1",
    recorded="certified",
    formula=lambda k, maximisers: k in (maximisers[0], maximisers[-1]),
    mutants={
        "no maximiser at all": lambda k, maximisers: True,
        "not any but the smallest": lambda k, maximisers: k != maximisers[0],
    },
    note="Not stated in the paper. The mutants' counterexample, p = (1/2, 1/4, 1/4) at t = 2, shows that a choice between others can tie.",
)
def ties_at_every_maximiser(excluded: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        rates = hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()
        maximisers = [k for k, w in enumerate(rates, start=1) if w == max(rates)]
        for k in maximisers:
            if k < len(prior) and excluded(k, maximisers) and prior[k - 1] == prior[k]:
                return f"{written(prior)}, t = {t}: w = ({', '.join(map(str, rates))}), k = {k}, p_k = p_(k+1) = {prior[k]}"
        return None

    family = [(p, t) for p in priors((2, 3), 4) for t in sorted({v for v in thresholds(p) if v > 1})]
    return check_family(family, failure, "all such priors and thresholds")
