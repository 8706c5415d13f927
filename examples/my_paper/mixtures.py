"""Section 4: the mixture lam * RR + (1 - lam) * RRTop-k, for priors p_1 >= p_2 >= ...; P_k is the sum of the first k."""

from fractions import Fraction

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Repair, each
from lpmech.claims.checking import check_family, check_implications, replayed, unless_refuted
from lpmech.mechanisms.rr_with_prior import hit_rate, hit_rates
from lpmech.programs.optimality import dual_bound
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.terms import term
from lpmech.utilities import hit

from .mechanisms import mixture
from .paper import PAPER, K, t

k, lam, P = tm.symbols("k lam P")
p1, p2, p3 = tm.symbols("p1 p2 p3")

_HALF = Fraction(1, 2)
_WEIGHTS = [Fraction(0), Fraction(1, 3), Fraction(1)]
_COUNTS = (48, 8, 7)
_PRIORS = [
    [Fraction(count, sum(counts)) for count in counts]
    for counts in ((2, 1), (2, 1, 1), (5, 3, 1), _COUNTS, (4, 3, 2, 1))
]
_CASES = [
    (prior, kept, weight, Fraction(ratio))
    for prior in _PRIORS
    for kept in range(1, len(prior) + 1)
    for weight in _WEIGHTS
    for ratio in ("3/2", "2", "13/2")
]
_MIXTURES = "the mixtures of five priors, every k, lam = 0, 1/3, 1, three t"


@PAPER.claim(
    "Lemma 4.1",
    r"the level of the mixture is exactly $\epsilon$",
    hypotheses=r"$t > 1$, $1 \le k \le K$, $K \ge 2$, $0 < \lambda \le 1$. A kept column has a largest, a smallest and, in the rows of dropped labels, a middle entry; another column is $\lambda$ times that of RR",
    formula=t,
    mutants={"lam t": lam * t, "t + 1": t + 1, "lam t + 1 - lam": lam * t + 1 - lam},
)
def level_of_the_mixture(stated):
    rr, top = 1 / (t + K - 1), 1 / (t + k - 1)
    smallest, middle = lam * rr + (1 - lam) * top, lam * rr + (1 - lam) / k
    largest = lam * t * rr + (1 - lam) * t * top
    conclusions = {
        "kept: the middle is not below": middle >= smallest,
        "kept: the middle is not above": middle <= largest,
        "kept: largest over smallest": tm.Eq(largest, stated * smallest),
        "k = 1: largest over middle": (lam * t * rr + 1 - lam) <= stated * (lam * rr + 1 - lam),
        "dropped": tm.Eq(lam * t * rr, stated * lam * rr),
    }
    inside = [tm.Whole(K, k), t > 1, k >= 1, K >= k, K >= 2, lam > 0, lam <= 1]
    proof = check_implications(inside, conclusions, "the entries of every column")

    def failure(case):
        prior, kept, weight, ratio = case
        if weight == 0:
            return None
        found = mixture(prior, kept, weight, ratio).witness.ratio
        expected = steps.value(stated, {t: ratio, lam: weight})
        return None if found == expected else f"{_named(case)}: {found} against {expected}"

    return replayed(proof, check_family(_CASES, failure, _MIXTURES))


@PAPER.claim(
    "Lemma 4.2",
    r"the hit rate is $\lambda t/(t+K-1)+(1-\lambda)tP_k/(t+k-1)$, never above the better of its two parts",
    hypotheses=r"$t > 1$, $1 \le k \le K$, $0 \le \lambda \le 1$, $0 \le P_k \le 1$",
    formula=lam * t / (t + K - 1) + (1 - lam) * t * P / (t + k - 1),
    mutants={
        "without P_k": lam * t / (t + K - 1) + (1 - lam) * t / (t + k - 1),
        "lam P_k": lam * P * t / (t + K - 1) + (1 - lam) * t * P / (t + k - 1),
        "lam exchanged": (1 - lam) * t / (t + K - 1) + lam * t * P / (t + k - 1),
    },
)
def hit_rate_of_the_mixture(stated):
    rr, top = 1 / (t + K - 1), 1 / (t + k - 1)
    counted = P * (lam * t * rr + (1 - lam) * t * top) + (1 - P) * lam * t * rr
    conclusions = {
        "the hit rate": tm.Eq(counted, stated),
        "at most the better part": stated <= tm.Max(t * rr, t * P * top),
    }
    inside = [tm.Whole(K, k), t > 1, k >= 1, K >= k, lam >= 0, lam <= 1, P >= 0, P <= 1]
    proof = check_implications(inside, conclusions, "kept and dropped labels")

    def failure(case):
        prior, kept, weight, ratio = case
        found = mixture(prior, kept, weight, ratio).expected_utility(hit(len(prior)), prior)
        at = {t: ratio, lam: weight, K: len(prior), k: kept, P: sum(prior[:kept])}
        expected = steps.value(stated, at)
        return None if found == expected else f"{_named(case)}: {found} against {expected}"

    return replayed(proof, check_family(_CASES, failure, _MIXTURES))


def _named(case):
    prior, kept, weight, ratio = case
    return f"prior ({', '.join(map(str, prior))}), k = {kept}, lam = {weight}, t = {ratio}"


def _rates(first, second, third):
    """w_1, w_2, w_3."""
    return [hit_rate(t, size, mass) for size, mass in ((1, first), (2, first + second), (3, first + second + third))]


@PAPER.claim(
    "Lemma 4.3",
    r"with three labels the largest hit rate of an $\epsilon$-private mechanism is $w^*=\max_k w_k$, $w_k=tP_k/(t+k-1)$",
    hypotheses=r"$t > 1$, $p_1 \ge p_2 \ge p_3 \ge 0$, sum one",
    formula=lambda rates: tm.Max(*rates),
    mutants={
        "the smallest": lambda rates: tm.Min(*rates),
        "w_1 or w_3": lambda rates: tm.Max(rates[0], rates[2]),
        "w_1 or w_2": lambda rates: tm.Max(rates[0], rates[1]),
        "twice the largest": lambda rates: 2 * tm.Max(*rates),
        "their sum": lambda rates: sum(rates),
    },
    note=r"RRTop-k attains $w_k$ (Lemma 4.2 at $\lambda = 0$). By weak duality nothing is better: prices $\pi_j = \max(0, (t p_j - w^*)/(t-1))$ are feasible iff $p_j + (t-1) \max(p_j - \pi_j, 0) \le \sum \pi$ for every $j$, and they sum to $w^*$. ghazi2021 Theorem 3 is the same for any number of labels.",
)
def largest_hit_rate(best):
    value = tm.symbol("v")
    prior = (p1, p2, p3)
    prices = [tm.Max(0, t * p - value) for p in prior]  # times t - 1
    inside = [t > 1, p1 >= p2, p2 >= p3, p3 >= 0, tm.Eq(sum(prior), 1), tm.Eq(value, best(_rates(*prior)))]
    conclusions = {
        "the prices sum to w*": tm.Eq(sum(prices), (t - 1) * value),
        "no price exceeds its utility": value >= p1,
        **{
            f"output {j}": p + tm.Max(0, (t - 1) * p - price) <= value
            for j, (p, price) in enumerate(each("output", zip(prior, prices, strict=True)), start=1)
        },
    }
    proof = check_implications(inside, conclusions, "the prices are feasible for the dual and sum to w*")

    def failure(case):
        counts, ratio = case
        numbers = [Fraction(count, sum(counts)) for count in counts]
        v = steps.value(best(hit_rates(numbers, PrivacyLevel.from_ratio(ratio))), {})
        duals = np.array([max(Fraction(0), (ratio * p - v) / (ratio - 1)) for p in numbers])
        weights = hit(3) * np.array(numbers).reshape(-1, 1)
        found = dual_bound(weights, ratio, duals, {}, {})
        return None if found == v else f"t = {ratio}, counts {counts}: dual bound {found}, stated {v}"

    cases = [
        (counts, Fraction(r)) for counts in ((1, 1, 1), (2, 1, 1), (5, 3, 1), _COUNTS) for r in ("3/2", "2", "13/2")
    ]
    return replayed(proof, check_family(cases, failure, "the dual of the program for four priors, three t"))


@PAPER.claim(
    "Conjecture 4.4",
    "for the counts 48, 8, 7 a mixture of RR and RRTop-1 attains the largest hit rate, whatever $t$",
    hypotheses="$t > 1$",
    recorded="refuted",
    formula=tm.TRUE,
    mutants={"for t <= 13/2 or t >= 7": tm.Or(t <= tm.Rational(13, 2), t >= 7)},
    note="Only between $t = 6$ and $t = 7$ is it better to keep two labels.",
    repair=Repair(
        r"for the counts 48, 8, 7 a mixture of RR and RRTop-1 attains the largest hit rate iff $t\le6$ or $t\ge7$",
        formula=tm.Or(t <= 6, t >= 7),
        mutants={
            "t < 6 or t >= 7": tm.Or(t < 6, t >= 7),
            "t <= 6": t <= 6,
            "t <= 6 or t >= 13/2": tm.Or(t <= 6, t >= tm.Rational(13, 2)),
            "t <= 11/2 or t >= 7": tm.Or(t <= tm.Rational(11, 2), t >= 7),
        },
    ),
)
def all_or_one(condition):
    rates = _rates(*(Fraction(count, sum(_COUNTS)) for count in _COUNTS))
    attained = tm.Max(rates[0], rates[2]) >= rates[1]
    prior = [Fraction(count, sum(_COUNTS)) for count in _COUNTS]

    def failure(ratio):
        first, second, third = hit_rates(prior, PrivacyLevel.from_ratio(ratio))
        stated = steps.holds(condition.at({t: ratio}))
        found = f"t = {ratio}: RRTop-2 has {second}, RRTop-1 {first}, RR {third}"
        return None if (max(first, third) >= second) is stated else found

    ratios = [Fraction(n, 2) for n in range(3, 21)]
    search = check_family(ratios, failure, "t = 3/2, 2, ..., 10")
    conclusions = {"if": tm.Implies(condition, attained), "only if": tm.Implies(attained, condition)}
    return unless_refuted(
        search, lambda: check_implications([t > 1], conclusions, "w_2 against w_1 and w_3 at every t")
    )


@PAPER.claim(
    "Conjecture 4.5",
    r"at $t=97$ with four labels, the more weight $\lambda$ on RR, the higher the hit rate of its mixture with RRTop-1",
    hypotheses=r"$1/4 \le p_1 \le 1$",
    recorded="refuted",
    formula=(97, 4, tm.TRUE),
    control=(97, 4, p1 < tm.Rational(97, 100)),
    mutants={"for p_1 <= 97/100": (97, 4, p1 <= tm.Rational(97, 100))},
    note="It holds for every prior with $p_1 < 0.97$; from there on RRTop-1, which always releases the most probable label, is at least as good.",
    repair=Repair(
        r"the hit rate of the mixture of RR and RRTop-1 rises with $\lambda$ iff $p_1<t/(t+K-1)$",
        hypotheses=r"$t > 1$, $K \ge 2$, $1/K \le p_1 \le 1$",
        formula=(t, K, p1 < t / (t + K - 1)),
        mutants={
            "p_1 <= t/(t+K-1)": (t, K, p1 <= t / (t + K - 1)),
            "p_1 < t/(t+K)": (t, K, p1 < t / (t + K)),
            "p_1 < 97/100": (t, K, p1 < tm.Rational(97, 100)),
        },
    ),
)
def more_weight_is_better(case):
    ratio, size, condition = term(case[0]), term(case[1]), case[2]
    more = tm.symbol("more")

    def rate(weight):
        return weight * hit_rate(ratio, size, 1) + (1 - weight) * hit_rate(ratio, 1, p1)

    rises = rate(more) > rate(lam)
    inside = [tm.Whole(K), t > 1, K >= 2, p1 * size >= 1, p1 <= 1, lam >= 0, more > lam, more <= 1]
    conclusions = {"if": tm.Implies(condition, rises), "only if": tm.Implies(rises, condition)}
    proof = check_implications(inside, conclusions, "any two weights")
    return unless_refuted(_percents(*case), lambda: proof) if isinstance(case[0], int) else proof


def _percents(ratio, size, condition):
    def failure(percent):
        prior = [Fraction(percent, 100), *[Fraction(100 - percent, 100 * (size - 1))] * (size - 1)]
        level = Fraction(ratio)
        low, high = (mixture(prior, 1, w, level).expected_utility(hit(size), prior) for w in (_HALF, Fraction(1)))
        stated = steps.holds(condition.at({p1: Fraction(percent, 100)}))
        found = f"K = {size}, t = {ratio}, p_1 = {percent}/100: {low} at lam = 1/2, {high} at lam = 1"
        return None if (high > low) is stated else found

    return check_family(range(25, 101), failure, "p_1 = 0.25, 0.26, ..., 1")


@PAPER.claim(
    "Lemma 4.6",
    r"with three labels and $0<\lambda<1$ the mixture of RR and RRTop-1 never has the largest hit rate",
    hypotheses=r"$t > 1$, $p_1 \ge p_2 \ge p_3 \ge 0$, sum one, $0 < \lambda < 1$",
    recorded="refuted",
    formula=tm.FALSE,
    mutants={"only if p_1 = t p_2 and p_3 = 0": tm.And(tm.Eq(p1, t * p2), tm.Eq(p3, 0))},
    note="It fails at one prior for each $t$, $(t, 1, 1)/(t+2)$, where all three sizes tie.",
    repair=Repair(
        r"with three labels and $0<\lambda<1$ the mixture of RR and RRTop-1 has the largest hit rate iff $p_1=tp_2=tp_3$, where $w_1=w_2=w_3$",
        formula=tm.And(tm.Eq(p1, t * p2), tm.Eq(p2, p3)),
        mutants={
            "iff p_1 = t p_2": tm.Eq(p1, t * p2),
            "iff p_2 = p_3": tm.Eq(p2, p3),
            "iff p_1 = t^2 p_2 = t^2 p_3": tm.And(tm.Eq(p1, t**2 * p2), tm.Eq(p2, p3)),
            "never": tm.FALSE,
        },
    ),
)
def optimal_at_the_triple_tie(condition):
    search = _small_counts(condition)
    rates = _rates(p1, p2, p3)
    attained = lam * rates[2] + (1 - lam) * rates[0]
    inside = [t > 1, p1 >= p2, p2 >= p3, p3 >= 0, tm.Eq(p1 + p2 + p3, 1), lam > 0, lam < 1]
    optimal = tm.And(*(attained >= rate for rate in rates))
    conclusions = {"if": tm.Implies(condition, optimal), "only if": tm.Implies(optimal, condition)}
    return unless_refuted(
        search, lambda: replayed(check_implications(inside, conclusions, "w* by Lemma 4.3, every prior and t"), search)
    )


def _small_counts(condition):
    def failure(case):
        counts, ratio = case
        prior = [Fraction(count, sum(counts)) for count in counts]
        found = mixture(prior, 1, _HALF, ratio).expected_utility(hit(3), prior)
        best = max(hit_rates(prior, PrivacyLevel.from_ratio(ratio)))
        at = dict(zip((t, p1, p2, p3), (ratio, *prior), strict=True))
        stated = steps.holds(condition.at(at))
        where = f"t = {ratio}, prior ({', '.join(map(str, prior))}), lam = 1/2"
        return None if (found == best) is stated else f"{where}: hit rate {found}, largest {best}"

    triples = [(a, b, c) for a in range(1, 7) for b in range(1, a + 1) for c in range(b + 1)]
    cases = [(counts, Fraction(ratio)) for counts in triples for ratio in ("2", "3")]
    return check_family(cases, failure, "counts up to 6, t = 2, 3, lam = 1/2")
