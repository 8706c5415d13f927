"""Alg. 2: the epsilons at which k* changes, and the shape of w_k."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.rr_with_prior import best_k, hit_rate, hit_rates, threshold, thresholds
from lpmech.mechanisms.rr_with_prior.derivation import threshold_ratio
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.ghazi2021.paper import IN_PAPER, MASS, NEXT, PAPER, RATIOS, K, T, priors, written
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Alg. 2 (threshold)",
    r"w_{k+1}>w_k iff e^\epsilon>t_k:=P_k/p_{k+1}-k+1",
    hypotheses="P_k > 0, p_{k+1} > 0",
    formula=threshold,
    mutants={
        "- k": lambda k, mass, following: mass / following - k,
        "P_(k+1)": lambda k, mass, following: (mass + following) / following - k + 1,
    },
    note="Not stated in the paper: it turns the argmax of Alg. 2 into explicit budgets.",
)
def threshold_formula(value: Any) -> Outcome:
    known = [T > 1, K >= 1, MASS > 0, NEXT > 0]
    derived = check_identities(
        {"threshold": (threshold_ratio().subs(IN_PAPER), value(K, MASS, NEXT))},
        "solved from w_k = w_(k+1) by sympy",
        hypotheses=known,
    )
    gain = hit_rate(T, K + 1, MASS + NEXT) > hit_rate(T, K, MASS)
    above = value(K, MASS, NEXT) < T
    proof = check_implications(
        known,
        {"=>": sp.Implies(gain, above), "<=": sp.Implies(above, gain)},
        "for all t, k, P, p",
    )
    return both(derived, proof)


@PAPER.claim(
    "Alg. 2 (thresholds rise)",
    r"t_{k+1}\ge t_k, so w_k rises up to k^* and does not rise after it, and k^* does not decrease with \epsilon",
    hypotheses="prior in falling order: 0 < p_(k+2) <= p_(k+1), P_k > 0",
    formula=threshold,
    mutants={
        "+ k": lambda k, mass, following: mass / following + k,
        "reciprocal": lambda k, mass, following: following / mass - k + 1,
    },
    note="It need not fall: p = (1/2, 1/4, 1/4), t = 2 has w = (1/2, 1/2, 1/2).",
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
    hypotheses="t > 1, every sorted prior; the formula is the relation that is counted, and what is added to the count. Replayed on priors with "
    "denominator 6 on K <= 4 labels, t in {11/10, 2, 3, 9/2, 20} and every threshold above 1",
    formula=(lambda limit, t: limit < t, 1),
    mutants={"<= at a threshold": (lambda limit, t: limit <= t, 1), "without the 1": (lambda limit, t: limit < t, 0)},
    note="w_(k+1) > w_k iff t_k is counted. The thresholds do not fall ('Alg. 2 (thresholds rise)'), so those counted are the first c: w "
    "rises strictly up to w_(c+1) and not again. Labels of prior zero have no threshold, and w falls there.",
)
def k_from_thresholds(rule: Any) -> Outcome:
    counted, added = rule

    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        found, limits = best_k(prior, PrivacyLevel.from_ratio(t)), thresholds(prior)
        if added + sum(bool(counted(limit, t)) for limit in limits) == found:
            return None
        return f"{written(prior)}, t = {t}, thresholds {list(map(str, limits))}: k* = {found}"

    family = [(p, t) for p in priors((1, 2, 3, 4), 6) for t in sorted({*RATIOS, *(v for v in thresholds(p) if v > 1)})]
    count = sp.Symbol("c", integer=True)
    here, following = hit_rate(T, K, MASS), hit_rate(T, K + 1, MASS + NEXT)
    limit = counted(threshold(K, MASS, NEXT), T)
    steps = check_implications(
        [T > 1, K >= 1, MASS > 0, NEXT >= 0, count >= 0],
        {
            "counted => w rises": sp.Implies(sp.And(NEXT > 0, limit), following > here),
            "w rises => counted": sp.Implies(sp.And(NEXT > 0, following > here), limit),
            "w falls at a label of prior zero": sp.Implies(sp.Eq(NEXT, 0), following < here),
            "k* = c + 1": sp.Eq(count + added, count + 1),
        },
        "w_(k+1) against w_k",
    )
    return replayed(
        both(steps, thresholds_rise(threshold)),
        check_family(family, failure, "all such priors, levels and thresholds"),
    )


@PAPER.claim(
    "Alg. 2 (ties at a threshold)",
    r"at e^\epsilon=t_k the sizes k and k+1 have the same hit rate; 'k^*=\arg\max' leaves the choice open",
    hypotheses="t > 1, P_k > 0, p_(k+1) > 0; both sizes are maximisers, because w rises up to k and does not rise after k + 1 ('Alg. 2 (thresholds rise)'). Replayed on priors with denominator 6 on K <= 4 labels, every threshold above 1",
    formula=lambda longer, shorter: sp.Eq(longer, shorter),
    mutants={"k + 1 strictly better": lambda longer, shorter: longer > shorter},
)
def ties_at_threshold(relation: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], int, Fraction]) -> str | None:
        prior, k, t = case
        rates = hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()
        return (
            None
            if relation(sp.Rational(str(rates[k])), sp.Rational(str(rates[k - 1])))
            else f"{written(prior)}, t = t_{k} = {t}: w_k = {rates[k - 1]}, w_(k+1) = {rates[k]}"
        )

    family = [(p, k, t) for p in priors((2, 3, 4), 6) for k, t in enumerate(thresholds(p), start=1) if t > 1]
    proof = check_implications(
        [T > 1, K >= 1, MASS > 0, NEXT > 0, sp.Eq(T, threshold(K, MASS, NEXT))],
        {"w_(k+1) against w_k": relation(hit_rate(T, K + 1, MASS + NEXT), hit_rate(T, K, MASS))},
        "for all k, P, p",
    )
    return replayed(both(proof, thresholds_rise(threshold)), check_family(family, failure, "all thresholds"))


@PAPER.claim(
    "Alg. 2 (ties in the prior)",
    r"at the smallest and at the largest maximiser k^*<K of w_k, p_{k^*}>p_{k^*+1}: Y_{k^*} does not depend on how ties are broken",
    hypotheses="P_(k-1) > 0, p_k > 0, p_(k+1) >= 0; k* = 1 apart",
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
    r"a maximiser k<K of w_k with p_k=p_{k+1} is neither the smallest nor the largest one: k-1 and k+1 are maximisers too",
    hypotheses="t > 1, k >= 2, P_(k-1) > 0; for k = 1 and p_1 = p_2 the size 1 is no maximiser. The formula relates w_(k-1), w_k, w_(k+1). "
    "Replayed on priors with denominator 4 on K <= 3 labels, every threshold above 1",
    formula=lambda before, here, after: sp.And(sp.Eq(before, here), sp.Eq(here, after)),
    mutants={
        "the smallest": lambda before, here, after: before < here,
        "the largest": lambda before, here, after: after < here,
    },
    note="Not stated in the paper. The mutants' counterexample, p = (1/2, 1/4, 1/4) at t = 2, shows that a choice between others can tie.",
)
def ties_at_every_maximiser(relation: Any) -> Outcome:
    def failure(case: tuple[tuple[Fraction, ...], Fraction]) -> str | None:
        prior, t = case
        rates = [sp.Rational(str(w)) for w in hit_rates(prior, PrivacyLevel.from_ratio(t)).tolist()]
        for k in range(1, len(prior)):
            if (
                rates[k - 1] == max(rates)
                and prior[k - 1] == prior[k]
                and not (k > 1 and relation(*rates[k - 2 : k + 1]))
            ):
                return f"{written(prior)}, t = {t}: w = ({', '.join(map(str, rates))}), k = {k}, p_k = p_(k+1) = {prior[k]}"
        return None

    before, here = hit_rate(T, K - 1, MASS), hit_rate(T, K, MASS + NEXT)
    after = hit_rate(T, K + 1, MASS + 2 * NEXT)
    proof = check_implications(
        [T > 1, K >= 2, MASS > 0, NEXT >= 0],
        {
            "k >= 2": sp.Implies(sp.And(here >= before, here >= after), relation(before, here, after)),
            "k = 1": sp.Implies(NEXT > 0, hit_rate(T, 2, 2 * NEXT) > hit_rate(T, 1, NEXT)),
        },
        "p = p_k = p_(k+1), all t, k, P, p",
    )
    family = [(p, t) for p in priors((2, 3), 4) for t in sorted({v for v in thresholds(p) if v > 1})]
    return replayed(proof, check_family(family, failure, "all such priors and thresholds"))
