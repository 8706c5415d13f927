"""App. G: the debiased loss (17), Lemmas 18 to 22, Theorem 17."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import sympy as sp
from flint import arb, fmpq

from lpmech import PrivacyLevel
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_top_k, rr_with_prior
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.ghazi2021.paper import ANY_K, PAPER, RATIOS, K, T
from lpmech.verdicts import Outcome, unclear

#: Loss at a label of the top k and the sum over the other k - 1 of them; loss at a label outside.
OWN, REST, OUTSIDE = sp.symbols("l_y R l_out")


def low(t: Any, k: Any) -> Any:
    """p_{k,epsilon} = 1/(e^epsilon + k - 1)."""
    return 1 / (t + k - 1)


def debiased(t: Any, k: Any, own: Any, total: Any) -> Any:
    """(17): own loss and the sum over the top k labels."""
    p = low(t, k)
    return (own - p * total) / (1 - k * p)


def without_factor(t: Any, k: Any, own: Any, total: Any) -> Any:
    """(17) without 1/(1 - k p)."""
    return own - low(t, k) * total


def factor_k_minus_1(t: Any, k: Any, own: Any, total: Any) -> Any:
    """(17) with k - 1 in place of k."""
    p = low(t, k)
    return (own - p * total) / (1 - (k - 1) * p)


def _mean_inside(form: Any) -> Any:
    """E of the debiased loss over RR on the top k when the true label is one of them."""
    total, p = OWN + REST, low(T, K)
    # sum over the others of form(loss at that label) = (k - 1) values, linear in the loss: R and k - 1 copies of the total
    others = (K - 1) * form(T, K, REST / (K - 1), total)
    return T * p * form(T, K, OWN, total) + p * others


@PAPER.claim(
    "eq. (17) (well defined)",
    r"1-kp_{k,\varepsilon}=\frac{e^\varepsilon-1}{e^\varepsilon+k-1}>0",
    formula=lambda t, k: (t - 1) / (t + k - 1),
    mutants={"t/(t + k - 1)": lambda t, k: t / (t + k - 1), "(t - 1)/(t + k)": lambda t, k: (t - 1) / (t + k)},
)
def well_defined(value: Any) -> Outcome:
    identity = check_identities({"1 - k p": (1 - K * low(T, K), value(T, K))}, "identity in t and k", hypotheses=ANY_K)
    return both(identity, check_implications([T > 1, K >= 1], {"positive": value(T, K) > 0}, "positive for all t, k"))


@PAPER.claim(
    "Lemma 18",
    r"y\in Y_k^x: E_{\tilde y}[\tilde\ell(t,(x,\tilde y))]=\ell(t,(x,y))",
    hypotheses="k >= 2 labels in Y (k = 1 releases the label); l_y the loss at y, R the sum over the other k - 1 (the formula is linear in them)",
    given=[T > 1, K >= 2],
    evidence="identity in t, k, l_y, R",
    formula=debiased,
    mutants={"factor 1/(1 - k p) dropped": without_factor, "k - 1 in the factor": factor_k_minus_1},
)
def lemma_18(form: Any) -> Relations:
    return {"mean": (_mean_inside(form), OWN)}


@PAPER.claim(
    "Lemma 18 (outside the top k)",
    r"y\notin Y_k^x: E_{\tilde y}[\tilde\ell(t,(x,\tilde y))]=\frac1k\sum_{y'\in Y_k^x}\ell(t,(x,y')), whatever \ell(t,(x,y)) is",
    hypotheses="the released label is uniform on Y_k",
    given=ANY_K,
    evidence="linear in the loss, so the mean passes through",
    formula=lambda total, k: total / k,
    mutants={"the loss at y": lambda total, k: OUTSIDE, "sum over Y_k": lambda total, k: total},
)
def lemma_18_outside(mean: Any) -> Relations:
    total = sp.Symbol("S")
    return {"mean": (debiased(T, K, total / K, total), mean(total, K))}


@PAPER.claim(
    "Lemma 19",
    r"\tilde\ell is L\frac{1+kp_{k,\varepsilon}}{1-kp_{k,\varepsilon}}-Lipschitz in t",
    hypotheses="all k + 1 losses move by at most 1 (L |t - t'| = 1); any label y, also outside Y_k, where it is attained",
    formula=lambda t, k: (1 + k * low(t, k)) / (1 - k * low(t, k)),
    mutants={
        "(1 + (k-2)p)/(1 - kp)": lambda t, k: (1 + (k - 2) * low(t, k)) / (1 - k * low(t, k)),
        "1/(1 - kp)": lambda t, k: 1 / (1 - k * low(t, k)),
    },
)
def lemma_19(constant: Any) -> Outcome:
    move, total = sp.symbols("u v")
    p = low(T, K)
    change = (move - p * total) / (1 - K * p)
    bound = check_implications(
        [T > 1, K >= 1, move <= 1, move >= -1, total <= K, total >= -K],
        {"upper": change <= constant(T, K), "lower": -change <= constant(T, K)},
        "for all t, k and movements",
    )
    attained = check_identities(
        {"attained": (change.subs({move: 1, total: -K}), constant(T, K))}, "attained outside Y_k", hypotheses=ANY_K
    )
    return both(bound, attained)


@PAPER.claim(
    "Lemma 19 (labels that are released)",
    r"for y\in Y_k^x, the only labels that RRTop-k releases, the constant is L\frac{1+(k-2)p_{k,\varepsilon}}{1-kp_{k,\varepsilon}}=L\frac{e^\varepsilon+2k-3}{e^\varepsilon-1}",
    hypotheses="own loss and the k - 1 others move by at most 1 each",
    formula=lambda t, k: (t + 2 * k - 3) / (t - 1),
    mutants={
        "(t + 2k - 1)/(t - 1)": lambda t, k: (t + 2 * k - 1) / (t - 1),
        "(t + k - 2)/(t - 1)": lambda t, k: (t + k - 2) / (t - 1),
    },
)
def lemma_19_released(constant: Any) -> Outcome:
    move, others = sp.symbols("u v")
    change = debiased(T, K, move, move + others)
    bound = check_implications(
        [T > 1, K >= 1, move <= 1, move >= -1, others <= K - 1, others >= 1 - K],
        {"upper": change <= constant(T, K), "lower": -change <= constant(T, K)},
        "for all t, k and movements",
    )
    attained = check_identities(
        {"attained": (change.subs({move: 1, others: 1 - K}), constant(T, K))}, "attained", hypotheses=ANY_K
    )
    return both(bound, attained)


@PAPER.claim(
    "Lemma 20",
    r"(19): |L(f;P)-\tilde L(f,\tilde P)|\le\Pr_{(x,y)\sim P}[y\notin Y_k^x]",
    hypotheses="mass q outside Y_k; inside the difference is 0 (Lemma 18), outside it is the loss at y minus the mean of the losses on Y_k, both in [0, 1]",
    formula=lambda q: q,
    mutants={"q/2": lambda q: q / 2, "q^2": lambda q: q**2},
)
def lemma_20(bound: Any) -> Outcome:
    q, mean = sp.symbols("q m")
    difference = q * (OUTSIDE - mean)
    return check_implications(
        [q >= 0, q <= 1, OUTSIDE >= 0, OUTSIDE <= 1, mean >= 0, mean <= 1],
        {"upper": difference <= bound(q), "lower": -difference <= bound(q)},
        "for all losses in [0, 1]; 1 is attained",
    )


@PAPER.claim(
    "Lemma 20 (first line of the proof)",
    r"as printed: \tilde L(f;\tilde P)=E_{(x,y)\sim P,\tilde y}[\ell(f,(x,\tilde y))]",
    hypotheses="one x, k = K = 2, y = 1, t = 2, losses (1, 0) and (0, 1) at the labels 1, 2; is the loss in the two displayed lines the debiased one?",
    consequence="proof",
    readings={
        "the loss itself, as printed": "refuted",
        "the debiased loss": "certified",
    },
    formula=debiased,
    mutants={"(17) without its factor": without_factor},
    note="Lemma 18, which the proof uses for the inner term, is about the debiased loss; the tilde seems to be missing in the two lines.",
)
def lemma_20_line(form: Any) -> Outcome:
    t = Fraction(2)

    def failure(case: tuple[tuple[int, int], bool]) -> str | None:
        losses, printed = case
        weights = (t / (t + 1), 1 / (t + 1))
        values = losses if printed else [form(t, 2, own, sum(losses)) for own in losses]
        right = sum(w * v for w, v in zip(weights, values, strict=True))
        left = sum(w * debiased(t, 2, own, sum(losses)) for w, own in zip(weights, losses, strict=True))
        return None if left == right else f"k = K = 2, e^eps = 2, y = 1, losses {losses}: {left} against {right}"

    cases = ((1, 0), (0, 1))
    return unclear(
        {
            "the loss itself, as printed": check_family([(c, True) for c in cases], failure, "two losses"),
            "the debiased loss": check_family([(c, False) for c in cases], failure, "two losses"),
        }
    )


# -- range of the debiased loss, Theorem 17 --------------------------------------------------------------


def width(t: Any, k: Any) -> Any:
    """Largest minus smallest value of the debiased loss at released labels, for losses in [0, 1]."""
    return (t + 2 * k - 3) / (t - 1)


@PAPER.claim(
    "Theorem 17 (range)",
    r"in the proof: \tilde\ell\circ F consists of functions X\times Y\to[0,1], as Lemma 21 needs",
    hypotheses="losses 0 or 1 on the k labels of Y_k, k = 1, 2, 3, 4, t in {3/2, 2, 5}, a released label",
    consequence="proof",
    recorded="refuted",
    formula=lambda t, k: (Fraction(0), Fraction(1)),
    control=lambda t, k: (-(k - 1) / (t - 1), (t + k - 2) / (t - 1)),
    mutants={"[-1, 1]": lambda t, k: (Fraction(-1), Fraction(1))},
    note="Only for k = 1 are the values in [0, 1].",
)
def range_printed(ends: Any) -> Outcome:
    def failure(case: tuple[Fraction, tuple[int, ...]]) -> str | None:
        t, losses = case
        k = len(losses)
        first, last = ends(t, k)
        for own in losses:
            value = debiased(t, k, Fraction(own), sum(losses))
            if not first <= value <= last:
                return f"k = {k}, e^eps = {t}, losses {losses}, released label with loss {own}: {value}"
        return None

    levels = (Fraction(2), Fraction(3, 2), Fraction(5))
    family = [(t, v) for n in (1, 2, 3, 4) for t in levels for v in product((0, 1), repeat=n)]
    return check_family(family, failure, "all 0/1 losses")


@PAPER.claim(
    "Theorem 17 (range) [repaired]",
    r"-\frac{k-1}{e^\varepsilon-1}\le\tilde\ell\le\frac{e^\varepsilon+k-2}{e^\varepsilon-1} at released labels, both attained: width \frac{e^\varepsilon+2k-3}{e^\varepsilon-1}",
    hypotheses="own loss in [0, 1], sum of the others in [0, k - 1]",
    formula=lambda t, k: (-(k - 1) / (t - 1), (t + k - 2) / (t - 1)),
    mutants={
        "[0, 1], as printed": lambda t, k: (0 * t, 1 + 0 * t),
        "k for k - 1": lambda t, k: (-k / (t - 1), (t + k - 1) / (t - 1)),
    },
    repairs="Theorem 17 (range)",
)
def range_repaired(ends: Any) -> Outcome:
    first, last = ends(T, K)
    value = debiased(T, K, OWN, OWN + REST)
    bound = check_implications(
        [T > 1, K >= 1, OWN >= 0, OWN <= 1, REST >= 0, REST <= K - 1],
        {"lower": value >= first, "upper": value <= last},
        "for all t, k, losses",
    )
    attained = check_identities(
        {
            "lower": (value.subs({OWN: 0, REST: K - 1}), first),
            "upper": (value.subs({OWN: 1, REST: 0}), last),
            "width": (last - first, width(T, K)),
        },
        "attained",
        hypotheses=ANY_K,
    )
    return both(bound, attained)


@PAPER.claim(
    "eq. (18) from (24)",
    r"'(18) now follows by combining (24), (26) and (27)': the deviation \sqrt{\log(2/\beta)/n} of (24) is at most \sqrt{\log(2/\beta)/(2n)} of (18)",
    hypotheses="x = log(2/beta) > 0, n >= 1; squares compared",
    consequence="proof",
    recorded="refuted",
    formula=lambda x, n: x / (2 * n),
    control=lambda x, n: x / n,
    mutants={"log(2/beta)/(4n)": lambda x, n: x / (4 * n)},
    note="(18) would follow from the usual form of Lemma 21, whose deviation is sqrt(log(2/beta)/(2n)); (22) is weaker and correct.",
)
def eq_18_from_24(square: Any) -> Outcome:
    x, n = sp.symbols("x n")
    return check_implications([x > 0, n >= 1], {"(24) <= (18)": x / n <= square(x, n)}, "for all x, n")


_ONE_FUNCTION = [
    (k, t, n, beta)
    for beta in (Fraction(1, 2), Fraction(1, 20))
    for n in (1, 2, 5, 10)
    for k in (2, 3)
    for t in (Fraction(2), Fraction(3, 2), Fraction(5))
]


def _failing(k: int, t: Fraction, n: int, radius: arb) -> Fraction:
    """Probability that |empirical - true risk| > radius: one function, loss 1 at the true label y and 0 at the others.

    The debiased loss is (t + k - 2)/(t - 1) when y is released, which has probability t/(t + k - 1), else -1/(t - 1).
    """
    chance = t / (t + k - 1)
    high, other = (t + k - 2) / (t - 1), -1 / (t - 1)
    total = Fraction(0)
    for hits in range(n + 1):
        gap = abs((hits * high + (n - hits) * other) / n - 1)
        if not arb(fmpq(gap.numerator, gap.denominator)) <= radius:
            total += comb(n, hits) * chance**hits * (1 - chance) ** (n - hits)
    return total


def _deviation(case: tuple[int, Fraction, int, Fraction], square: Any, multiple: Any) -> str | None:
    k, t, n, beta = case
    x = (2 / arb(fmpq(beta.numerator, beta.denominator))).log()
    m = multiple(t, k)
    radius = square(x, n).sqrt() * fmpq(m.numerator, m.denominator)
    failing = _failing(k, t, n, radius)
    if failing <= beta:
        return None
    return (
        f"one function, k = K = {k}, e^eps = {t}, n = {n}, beta = {beta}, loss 1 at the true label only: the deviation "
        f"exceeds {radius.str(5, radius=False)} with probability {failing}"
    )


@PAPER.claim(
    "Theorem 17",
    r"(18): with probability at least 1-\beta, |\tilde L(f;\tilde S)-L(f;P)|\le 2L\frac{1+kp}{1-kp}R_{n,P_X}(F)+\sqrt{\log(2/\beta)/(2n)}+\Pr[y\notin Y_k^x] for all f",
    hypotheses="F = one function (its Rademacher complexity is 0), k = K (no label outside), the true label always y = 1 with loss 1, the others 0",
    consequence="bound",
    headline=1,
    recorded="refuted",
    formula=(lambda x, n: x / (2 * n), lambda t, k: Fraction(1)),
    control=(lambda x, n: x / (2 * n), width),
    mutants={"(24)'s deviation": (lambda x, n: x / n, lambda t, k: Fraction(1))},
    note="Smallest: k = K = 2, e^eps = 2, n = 1, beta = 1/2. The debiased loss is 2 (probability 2/3) or -1, its mean 1; both are "
    "further from 1 than sqrt(ln(4)/2) = 0.833. At e^eps = 3/2 they are 3 and -2, so that a logarithm to base 2 does not help. The deviation must be multiplied by the width of the range.",
)
@PAPER.claim(
    "Theorem 17 [repaired]",
    r"the same with \frac{e^\varepsilon+2k-3}{e^\varepsilon-1}\sqrt{\log(2/\beta)/(2n)}",
    hypotheses="quoted: Lemma 21 in its usual form, |E g - mean g| <= 2R(g) + s, s^2 = log(2/beta)/(2n), for g = (debiased loss - least value)/B with values in [0, 1], where B R(g) = R of the debiased loss <= M R(F) by Lemma 22, M from Lemma 19; Lemma 20. Replayed with exact tails on classes of one function",
    formula=(lambda x, n: x / (2 * n), width),
    mutants={
        "as printed": (lambda x, n: x / (2 * n), lambda t, k: Fraction(1)),
        "half the width": (lambda x, n: x / (2 * n), lambda t, k: width(t, k) / 4),
    },
    note="The usual form of Lemma 21 (symmetrisation and bounded differences) is quoted, as in the paper; the rest is proved. That R(g) is R/B: a constant "
    "drops out of (20), whose signs have mean zero.",
    repairs=["eq. (18) from (24)", "Theorem 17"],
)
def theorem_17(formula: Any) -> Outcome:
    square, multiple = formula
    gap, scaled, small, deviation, bias, complexity, x, n, lipschitz, q = sp.symbols("e g r s b R x n M q")
    proof = check_implications(
        [
            *(T > 1, K >= 1, x > 0, n >= 1, deviation >= 0, sp.Eq(deviation**2, x / (2 * n))),
            *(scaled <= 2 * small + deviation, width(T, K) * small <= lipschitz * complexity, bias <= q),
            sp.Eq(gap, width(T, K) * scaled),
        ],
        {
            "(18) with the width": gap + bias <= 2 * lipschitz * complexity + width(T, K) * deviation + q,
            "which the radius covers": (width(T, K) * deviation) ** 2 <= multiple(T, K) ** 2 * square(x, n),
        },
        "every class, from the usual form of Lemma 21",
    )
    return replayed(
        proof,
        check_family(
            _ONE_FUNCTION,
            lambda case: _deviation(case, square, multiple),
            "one function",
            "exact tails, ball arithmetic (arb)",
        ),
    )


@PAPER.claim(
    "Theorem 17 (empirical risk minimiser)",
    r"where |\tilde L(f;\tilde S)-L(f;P)|\le b for all f, the empirical risk minimiser has excess risk at most 2b ('within a factor of 2')",
    hypotheses="whatever the bound b on the right of (18) is; risks of the minimiser and of the best function",
    formula=2,
    mutants={"1": 1, "3/2": sp.Rational(3, 2)},
)
def risk_minimiser(factor: Any) -> Outcome:
    ours, best, ours_seen, best_seen, b = sp.symbols("L_f L_best M_f M_best b")
    return check_implications(
        [
            *(ours - ours_seen <= b, ours_seen - ours <= b, best - best_seen <= b, best_seen - best <= b),
            ours_seen <= best_seen,
        ],
        {"excess risk": ours - best <= factor * b},
        "all risks and b",
    )


@PAPER.claim(
    "App. G (uniform top-k prior)",
    r"'RRTop-k can be thought of as RRWithPrior in the case when the prior is uniform over the k labels in Y_k^x'",
    hypotheses="t > 1, 1 <= k <= K; w_j = t min(j/k, 1)/(t + j - 1). The formula is k^*. Replayed on K <= 5, t in {11/10, 2, 3, 9/2, 20}",
    formula=lambda k, size: k,
    mutants={"K": lambda k, size: size, "k - 1": lambda k, size: sp.Max(k - 1, 1)},
    note="At epsilon = 0 all w_1, ..., w_k are equal and the choice is open.",
)
def uniform_top_k(kept: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        k, size, t = case
        prior, level = [Fraction(1, k)] * k + [Fraction(0)] * (size - k), PrivacyLevel.from_ratio(t)
        if rr_with_prior(prior, level) == rr_top_k(prior, int(kept(k, size)), level):
            return None
        return f"k = {k}, K = {size}, t = {t}: another channel"

    j, k, size = sp.symbols("j k K", integer=True)
    chosen = kept(k, size)

    def below(number: Any) -> Any:
        return hit_rate(T, number, number / k)

    proof = check_implications(
        [T > 1, k >= 1, k <= size, j >= 1, j <= size],
        {
            "k* labels, none of prior zero": sp.And(chosen >= 1, chosen <= k),
            "fewer or as many labels as have a prior": sp.Implies(
                sp.And(j <= k, sp.Ne(j, chosen)), below(j) < below(chosen)
            ),
            "more labels": sp.Implies(j > k, hit_rate(T, j, 1) < below(chosen)),
        },
        "k* is the only maximiser",
    )
    family = [(k, n, t) for n in range(1, 6) for k in range(1, n + 1) for t in RATIOS]
    return replayed(proof, check_family(family, failure, "K <= 5"))


@PAPER.claim(
    "Lemma 21 (22)",
    r"|E f(v)-\frac1n\sum f(v_i)|\le 2R_{n,D}(F)+\sqrt{\ln(2/\beta)/n} with probability at least 1-\beta for f with values in [0,1]",
    hypotheses="beta in {1/2, 1/20, 1/100}, n = 1, ..., 12; F = one indicator with mean in {1/4, 1/2, 9/10} (R = 0), and F = all indicators on m = 12, 100 points of equal "
    "probability (R near 1/2 for m = 100); exact tails, exact R",
    recorded="certified",
    formula=(2, lambda x, n: x / n),
    mutants={
        "ln(2/beta)/(16 n)": (2, lambda x, n: x / (16 * n)),
        "R in place of 2R": (1, lambda x, n: x / n),
        "without R": (0, lambda x, n: x / n),
    },
    note="Quoted from Bartlett and Mendelson; the usual form has ln(2/beta)/(2n), which is stronger.",
)
def lemma_21(bound: Any) -> Outcome:
    factor, square = bound

    def radius(complexity: Fraction, n: int, beta: Fraction) -> arb:
        x = (2 / arb(fmpq(beta.numerator, beta.denominator))).log()
        part = factor * complexity
        return fmpq(part.numerator, part.denominator) + square(x, n).sqrt()

    def failure(case: tuple[str, Fraction, int, Fraction, dict[Fraction, Fraction]]) -> str | None:
        name, complexity, n, beta, law = case
        allowed = radius(complexity, n, beta)
        failing = sum(
            (p for gap, p in law.items() if not arb(fmpq(gap.numerator, gap.denominator)) <= allowed), Fraction(0)
        )
        return (
            None
            if failing <= beta
            else f"{name}, n = {n}, beta = {beta}, R = {complexity}: fails with probability {failing}"
        )

    levels = (Fraction(1, 2), Fraction(1, 20), Fraction(1, 100))
    single = [
        (f"one indicator, mean {mean}", Fraction(0), n, beta, _law_of_one(mean, n))
        for mean in (Fraction(1, 2), Fraction(1, 4), Fraction(9, 10))
        for n in range(1, 13)
        for beta in levels
    ]
    every = [
        (f"all indicators on {m} points", _complexity_of_all(m, n), n, beta, _law_of_all(m, n))
        for m in (12, 100)
        for n in range(1, 13)
        for beta in levels
    ]
    return check_family(single + every, failure, "one function and all functions", "exact tails, ball arithmetic (arb)")


def _law_of_one(mean: Fraction, n: int) -> dict[Fraction, Fraction]:
    """Deviation -> probability, for one indicator of this mean."""
    law: dict[Fraction, Fraction] = {}
    for ones in range(n + 1):
        gap = abs(Fraction(ones, n) - mean)
        law[gap] = law.get(gap, Fraction(0)) + comb(n, ones) * mean**ones * (1 - mean) ** (n - ones)
    return law


def _law_of_all(m: int, n: int) -> dict[Fraction, Fraction]:
    """Largest deviation -> probability, for all indicators on m >= n points: 1 - (points seen) / m, at the set that is seen."""
    seen = {0: Fraction(1)}
    for _ in range(n):
        following: dict[int, Fraction] = {}
        for s, p in seen.items():
            following[s] = following.get(s, Fraction(0)) + p * Fraction(s, m)
            following[s + 1] = following.get(s + 1, Fraction(0)) + p * Fraction(m - s, m)
        seen = following
    return {1 - Fraction(s, m): p for s, p in seen.items() if p}


def _complexity_of_all(m: int, n: int) -> Fraction:
    """(20) of that class: an indicator takes every point whose signs sum to a positive number, m E|sum| / (2 n) in all."""
    total = Fraction(0)
    for count in range(1, n + 1):
        walk = sum((comb(count, up) * abs(2 * up - count) for up in range(count + 1)), 0)
        total += (
            comb(n, count) * Fraction(1, m) ** count * (1 - Fraction(1, m)) ** (n - count) * Fraction(walk, 2**count)
        )
    return m * total / (2 * n)


def _mean_supremum(values: list[tuple[Fraction, ...]]) -> Fraction:
    """E over signs of the largest mean of sigma_i times the value, over a finite set of value vectors."""
    n = len(values[0])
    signs = list(product((-1, 1), repeat=n))
    best = (max(sum(s * v for s, v in zip(sigma, row, strict=True)) for row in values) for sigma in signs)
    return Fraction(sum(best, Fraction(0)), n * len(signs))


_MAPS: dict[str, Any] = {
    "|x|": abs,
    "-x": lambda x: -x,
    "max(x, 0)": lambda x: max(x, Fraction(0)),
    "min(x, 1) + 1": lambda x: min(x, Fraction(1)) + 1,
}


@PAPER.claim(
    "Lemma 22 (23), with (25)",
    r"E_\sigma\sup_f\frac1n\sum\sigma_i\Phi_i(f(v_i))\le L\hat R_{n,S}(F) for L-Lipschitz \Phi_i",
    hypotheses="any n and class: Phi_i are replaced by L times the identity one at a time. For the sign of one i the mean of two suprema is half that of "
    "A(f) + A(g) + Phi(f) - Phi(g) over pairs, A the rest of the sum. Replayed with L = 1, n = 1, 2, all sets of one or two functions with values "
    "-1, 0, 1, 2; Phi_i among |x|, -x, max(x, 0), min(x, 1) + 1; signs enumerated",
    formula=1,
    mutants={"L/2": Fraction(1, 2), "3L/4": Fraction(3, 4)},
    note="(25) takes Phi_i = the debiased loss at (x_i, y_i), with Lemma 19's constant (27). Needs no value at 0: (20) has no absolute value.",
)
def lemma_22(constant: Any) -> Outcome:
    def failure(case: tuple[tuple[tuple[Fraction, ...], ...], tuple[str, ...]]) -> str | None:
        functions, names = case
        mapped = [tuple(_MAPS[m](v) for m, v in zip(names, row, strict=True)) for row in functions]
        left, right = _mean_supremum(mapped), constant * _mean_supremum(list(functions))
        shown = [tuple(map(str, row)) for row in functions]
        return None if left <= right else f"functions {shown}, maps {names}: {left} > {right}"

    values = tuple(map(Fraction, (-1, 0, 1, 2)))
    family = [
        (functions, names)
        for n in (1, 2)
        for size in (1, 2)
        for functions in combinations(list(product(values, repeat=n)), size)
        for names in product(_MAPS, repeat=n)
    ]
    a, b, u, v, phi_u, phi_v, lipschitz = sp.symbols("a b u v phi_u phi_v L")
    pair, slope = a + b + phi_u - phi_v, constant * lipschitz
    proof = check_implications(
        [lipschitz >= 0, phi_u - phi_v <= lipschitz * sp.Max(u - v, v - u)],
        {"the pair, or the pair exchanged": pair <= sp.Max(a + b + slope * (u - v), a + b + slope * (v - u))},
        "every pair of functions, so the supremum",
    )
    return replayed(proof, check_family(family, failure, "all such sets and maps"))


@PAPER.claim(
    "Theorem 17 (constant)",
    r"(27): \frac{1+kp_{k,\varepsilon}}{1-kp_{k,\varepsilon}}=\frac{e^\varepsilon+2k-1}{e^\varepsilon-1}",
    hypotheses="p = 1/(t + k - 1)",
    given=ANY_K,
    evidence="identity in t and k",
    formula=lambda t, k: (t + 2 * k - 1) / (t - 1),
    mutants={"(t + 2k)/(t - 1)": lambda t, k: (t + 2 * k) / (t - 1)},
)
def constant_27(value: Any) -> Relations:
    return {"(27)": ((1 + K * low(T, K)) / (1 - K * low(T, K)), value(T, K))}
