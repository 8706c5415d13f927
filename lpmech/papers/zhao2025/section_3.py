"""Sections 1 to 3: information kept by a vector, local against central label privacy, Proposition 1."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import partial, reduce
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import check_parts, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.papers.checks import ball, binomial_law, rows_in_words, rr_entries, sampled, unit
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, K, P, Q, S, T, paper_bits, shares, vector
from lpmech.terms import functions as tm
from lpmech.utilities import hit
from lpmech.verdicts import Outcome

LOG, KEPT, FIRST, SECOND, MASS, OWN, MORE, BEST = tm.symbols("epsilon k eta_z eta_w R eta_c eta_j eta_best")
CHANGED, OTHER, REST, NEXT, TOTAL, SOFAR, CHANCE, MEAN = tm.symbols("a b c eta W B w m")


def scalar_information(size: int, t: arb) -> arb:
    """Mutual information of a uniform label and its randomized response, in nats: sum of M ln(K M)."""
    high, low = rr_entries(t, size)
    return high * (high * size).log() + (size - 1) * low * (low * size).log()


def vector_information(size: int, s: arb) -> arb:
    """Mutual information of a uniform label and the vector (12): by the number w of ones, with t = s^2.

    Given a vector with w ones, P(z | y) / P(z) = K t^z_y / (w t + K - w).
    """
    t, (p, q), total = s * s, paper_bits(s), arb(0)
    for others, weight in enumerate(binomial_law(size - 1, q)):
        for bit, chance in ((1, p), (0, q)):
            ones = others + bit
            total += weight * chance * (size * t**bit / (ones * t + size - ones)).log()
    return total


@PAPER.claim(
    "Section 1 (more information)",
    r"'compared with scalar transformation, conversion of labels to multi-dimensional vectors preserves more information'",
    hypotheses=r"the vector (12) against randomized response at the same $\epsilon$; information: mutual information with a uniform label",
    consequence="wording",
    readings={r"for every $K \ge 2$": "refuted", "for large $K$": "certified"},
    formula=operator.gt,
    mutants={"the same information": operator.eq},
    note="The words after it, 'which is especially important with large $K$', and 'can preserve' in 4.1 allow the weaker reading.",
)
def more_information(compare: Any) -> tuple[Outcome, ...]:
    def instances(sizes: tuple[int, ...]) -> Parts:
        for size, s in product(sizes, (Fraction(2), Fraction(3, 2), Fraction(3))):
            ours, theirs = vector_information(size, ball(s)), scalar_information(size, ball(s * s))
            found = Instance(
                f"K = {size}, e^(eps/2) = {s}: nats of the vector, of randomized response", ours, ">", theirs
            )
            more = compare(ours, theirs) and not compare(theirs, ours)
            yield found if bool(more) == found.holds else f"{found.where} are not related so"

    told, method = "K = {}, e^(eps/2) in {{3/2, 2, 3}}", "ball arithmetic (arb)"
    return tuple(
        sampled(instances(sizes), told.format(", ".join(map(str, sizes))), method) for sizes in ((2,), (100, 200))
    )


@PAPER.claim(
    "Section 1 (more information) [K = 2]",
    "for $K=2$ the vector is randomized response followed by a channel: it holds no more information of any kind",
    hypotheses="an answer $j$ becomes the vector with bit $j$ alone, or one of $(0,0)$, $(1,1)$",
    given=[S > 1],
    replay="s in {3/2, 2, 3, 10}",
    kind="ours",
    formula=lambda p, q: (p * q, 0, p * p + q * q, p * q),
    mutants={"bits kept as they are": lambda p, q: (0, 0, 1, 0)},
)
def two_classes(row: Any) -> Parts:
    for s in ROOTS:
        ours = vector(2, s).channel()
        both, second, first, none = row(*paper_bits(s))
        step = Channel([[none, second, first, both], [none, first, second, both]], outputs=ours.outputs)
        made = randomized_response(2, PrivacyLevel.from_ratio(s * s)).then(step)
        yield made == ours or f"s = {s}: rows ({rows_in_words(made.matrix)})"
    high, low = rr_entries(S**2, 2)
    both, second, first, none = entries = row(P, Q)
    yield "(1, 0)", (high * first + low * second, P * (1 - Q))
    yield "(0, 1)", (high * second + low * first, (1 - P) * Q)
    yield "(1, 1)", (both, P * Q)
    yield "(0, 0)", (none, (1 - P) * (1 - Q))
    yield "a channel", tm.And(*(tm.term(entry) >= 0 for entry in entries))


@PAPER.claim(
    "Section 1 (more information) [from which K]",
    r"at $e^\epsilon=4$ the vector keeps more mutual information than randomized response from $K=8$ on, and less for $K=2,\dots,7$",
    family="uniform label, s = 2, K = 2..120",
    method="ball arithmetic (arb)",
    kind="ours",
    formula=8,
)
def from_which_size(first: int) -> Parts:
    for size in range(2, 121):
        ours, theirs = vector_information(size, arb(2)), scalar_information(size, arb(4))
        where = f"K = {size}: nats of the vector, of randomized response"
        yield Instance(where, ours, ">" if size >= first else "<", theirs)


def _times_retained(t: Any, size: Any, log: Any) -> Any:
    """epsilon times the probability that randomized response retains the label."""
    return log * t / (t + size - 1)


def _half_retained(t: Any, size: Any, log: Any) -> Any:
    return _times_retained(t, size, log) / 2


SCALARS, BALLS = "K = 2, 4, 10, 24, 100, e^epsilon = 9/4, 4, 9", "ball arithmetic (arb)"


@PAPER.claim(
    "Section 1 (scalars and statistical dependence)",
    "'as long as the label is transformed into a scalar, with increasing $K$, it is increasingly unlikely to maintain the statistical dependence between the original label and the privatized one'",
    hypotheses=r"dependence: mutual information with a uniform label, $K$ even. The bound $\epsilon e^\epsilon/(e^\epsilon + K - 1)$, which tends to 0, is claimed for randomized response on the label (first reading), and also for that on which half of $1,\dots,K$ the label is in (second, ours)",
    consequence="wording",
    readings={"of randomized response on the label": "proved", "of every scalar made of the label": "refuted"},
    formula=((_times_retained, ("the label",)), (_times_retained, ("the label", "the half it is in"))),
    mutants={"both halved": ((_half_retained, ("the label",)), (_half_retained, ("the half it is in",)))},
    note=r"One bit of the label, released by randomized response, is a scalar too; its information is the same for every even $K$, at $\epsilon = 1$ 0.111 nats, where the vector keeps at most 0.1225 "
    "('App. B (information for many classes)'). The sentence follows 'the probability of maintaining the original label ... is small', which speaks of flipping the label itself.",
)
def scalars_read(cases: Any) -> tuple[Outcome, ...]:
    label, every = cases
    settled = partial(check_parts, given=[T > 1, K >= 2], replay=SCALARS, method=BALLS)
    return settled(scalars_lose(label)), settled(scalars_lose(every))


@PAPER.claim(
    "Section 1 (scalars and statistical dependence) [repaired]",
    r"randomized response keeps at most $\epsilon P(\tilde{Y}=Y)=\epsilon e^\epsilon/(e^\epsilon+K-1)$ nats",
    hypotheses=r"uniform label, $K \ge 2$; $K P(\text{own})\le e^\epsilon$ and $K P(\text{other})\le 1$, so that of the sum of $M \ln(K M)$ at most $\epsilon P(\text{own})$ remains",
    kind="ours",
    given=[T > 1, K >= 2],
    replay=SCALARS,
    method=BALLS,
    formula=(_times_retained, ("the label",)),
)
def scalars_lose(case: Any) -> Parts:
    bound, methods = case
    ratios = (Fraction(9, 4), Fraction(4), Fraction(9))
    for size, t, method in product((2, 4, 10, 24, 100), ratios, methods):
        ratio, answers = ball(t), 2 if method == "the half it is in" else size
        kept, most = scalar_information(answers, ratio), bound(ratio, size, ratio.log())
        where = f"K = {size}, e^epsilon = {t}: nats that randomized response on {method} keeps, bound"
        yield Instance(where, kept, "<=", most)
    high, low = rr_entries(T, K)
    yield r"$\ln(K P(\text{own}))\le\epsilon$", K * high <= T
    yield r"$\ln(K P(\text{other}))\le 0$", K * low <= 1
    yield r"$\epsilon P(\text{own})$", (high * LOG, bound(T, K, LOG))


@PAPER.claim(
    "Section 2 (hit rate and risk)",
    r"RRWithPrior's 'optimization goal', $P(\tilde{Y}=Y)$, 'does not always align with the optimization of classification risk'",
    hypotheses=r"$K = 3$, $e^\epsilon = 4$, two feature values of mass $3/4$, $1/4$ with $\eta = (3, 2, 0)/5$, $(0, 2, 3)/5$; RRWithPrior for the law of the labels; the class of the most frequent released label, for $N$ to "
    r"infinity. RRWithPrior's hit rate gains $1/75$ on randomized response, its excess risk is $1/20$ where that one has none. If the prior is $\eta(x)$ itself, $k$ labels of mass $R$ are kept, two of them with $\eta_z > \eta_w$, and $z$ is released with probability $\frac{(t - 1) \eta_z + R}{t + k - 1} + \frac{1 - R}{k}$",
    given=[T > 1, KEPT >= 1, SECOND >= 0, FIRST > SECOND, MASS >= FIRST + SECOND, MASS <= 1],
    replay="the example",
    formula=(Fraction(1, 75), Fraction(1, 20), lambda t, k, eta, r: (t * eta + r - eta) / (t + k - 1) + (1 - r) / k),
    note=r"The label left out by the coarse prior is the best one at the second feature value. With the prior $\eta(x)$, which later stages estimate, the two goals do align: the best class is among those kept.",
)
def hit_rate_and_risk(stated: Any) -> Parts:
    gain, loss, law_of = stated
    level, masses = PrivacyLevel.from_ratio(4), (Fraction(3, 4), Fraction(1, 4))
    etas = [[Fraction(v, 5) for v in row] for row in ((3, 2, 0), (0, 2, 3))]
    prior = [sum(w * p for w, p in zip(masses, column, strict=True)) for column in zip(*etas, strict=True)]
    flips = rr_with_prior(prior, level), randomized_response(3, level)
    rates = [Fraction(flip.expected_utility(hit(3), prior)) for flip in flips]
    yield Instance(f"hit rates {rates[0]}, {rates[1]}: apart by, as stated", rates[0] - rates[1], "==", gain)
    for flip, risk in zip(flips, (loss, 0), strict=True):
        laws = [(eta @ flip.matrix).tolist() for eta in map(np.array, etas)]
        excess = sum(w * (max(e) - e[law.index(max(law))]) for w, e, law in zip(masses, etas, laws, strict=True))
        yield Instance(f"released laws ({rows_in_words(laws)}): excess risk, as stated", excess, "==", risk)
    own, other = (law_of(T, KEPT, eta, MASS) for eta in (FIRST, SECOND))
    yield (
        "released with the prior eta(x)",
        (own, T * FIRST / (T + KEPT - 1) + (MASS - FIRST) / (T + KEPT - 1) + (1 - MASS) / KEPT),
    )
    yield "with it the kept labels keep their order", own > other


@PAPER.claim(
    "Section 3.1 (local implies central)",
    r"'as long as $M$ is local $\epsilon$-label DP, then any learning algorithms using $(X_i,Z_i)$ ... are central $\epsilon$-label DP'",
    hypotheses="the datasets differ in one label, so that one factor of the joint law changes, $a$ against $b$, and the product $c$ of the others does not; an algorithm is a post-processing",
    given=[T > 1, CHANGED >= 0, OTHER >= 0, REST >= 0, CHANGED <= T * OTHER],
    evidence="any K, any N",
    replay="the joint law of all released vectors of N = 1, 2 examples, K = 2, 3",
    formula=lambda t: t,
)
def local_implies_central(allowed: Any) -> Parts:
    s, t = Fraction(2), Fraction(4)
    for count, size in product((1, 2), (2, 3)):
        single = vector(size, s).channel().matrix
        laws = reduce(np.kron, [single] * count).reshape(size, size ** (count - 1), -1)  # the label that changes first
        largest = (laws.max(axis=0) / laws.min(axis=0)).max()
        where = f"N = {count}, K = {size}, t = {t}"
        yield Instance(f"{where}: the largest ratio of two probabilities, e^epsilon", largest, "==", allowed(t))
    yield from sharp(CHANGED * REST, allowed(T) * OTHER * REST, tm.Eq(CHANGED, T * OTHER)).items()


@PAPER.claim(
    "Section 3.2 (Bayes risk)",
    r"'Bayes risk is the minimum risk among all possible classifiers'",
    hypotheses="every $K$, by induction over the classes: what is kept of the best so far and the next one",
    given=unit(SOFAR, NEXT),
    evidence="one more class; the risk is linear in the law of X",
    formula=lambda sofar, eta: tm.Max(sofar, eta),
)
def bayes_risk(best: Any) -> Relations:
    left = best(SOFAR, NEXT)
    return {
        "no class so far does better": 1 - left <= 1 - SOFAR,
        "nor the next one": 1 - left <= 1 - NEXT,
        "one of them has it": tm.Or(tm.Eq(left, SOFAR), tm.Eq(left, NEXT)),
    }


@PAPER.claim(
    "Prop. 1",
    r"(8): $R-R^*=\int(\eta^*(x)-E[\eta_{c(x)}(x)])f(x)\,dx$, the expectation over the training samples",
    hypotheses=r"every $K$ and $x$, by induction over the classes: $w_j = P(c(x) = j)$ over the training samples, $W$ and $B$ the sums of $w_j$ and $w_j \eta_j$ so far; the test example is independent of them, so that $P(Y \ne c(x) \mid x)$ is the sum of $w_j (1 - \eta_j) = 1 - E \eta_c$; $m = E \eta_c$, $\eta_{\mathrm{best}} = \eta^*$; linear in $f$",
    given=unit(TOTAL, SOFAR, CHANCE, MORE, BEST, MEAN),
    evidence="sum of w_j (1 - eta_j) = W - B, at W = 1",
    formula=lambda best, mean: best - mean,
    note="Needs the test example to be independent of the training examples. (7) is the maximum over $K$ functions; the text "
    "below it says 'of $m$ regression functions'.",
)
def proposition_1(gap: Any) -> Relations:
    return {
        "one more class": (TOTAL - SOFAR + CHANCE * (1 - MORE), (TOTAL + CHANCE) - (SOFAR + CHANCE * MORE)),
        "(10) less (9)": ((1 - MEAN) - (1 - BEST), gap(BEST, MEAN)),
    }


def _trained(example: tuple[int, int], x: int) -> int:
    """A classifier trained on one example (x', y'): y' everywhere if x' = 0, else y' at x' only and 0 elsewhere."""
    where, label = example
    return label if where in (0, x) else 0


@PAPER.claim(
    "Prop. 1 (finite distributions)",
    r"(8) with every expectation summed",
    family="two feature values with masses 1/3, 2/3, K = 2, 3, all class probabilities with denominators 4 and 3; a classifier trained on one example, which gives its label everywhere if it has the first feature value, else there only and class 1 elsewhere; all training and test examples enumerated",
    formula=lambda eta, law: max(eta) - sum(p * e for p, e in zip(law, eta, strict=True)),
)
def proposition_1_finite(gap: Any) -> Parts:
    weights = Fraction(1, 3), Fraction(2, 3)
    for etas in [*product(shares(2, 4)[::-1], repeat=2), *product(shares(3, 3), repeat=2)]:
        mass = {(x, y): weights[x] * p for x, eta in enumerate(etas) for y, p in enumerate(eta)}
        wrong = [mass[train] * mass[test] for train, test in product(mass, mass) if _trained(train, test[0]) != test[1]]
        excess = sum(wrong) - sum(w * (1 - max(eta)) for w, eta in zip(weights, etas, strict=True))
        right = Fraction(0)
        for x, eta in enumerate(etas):
            law = [sum(m for train, m in mass.items() if _trained(train, x) == y) for y in range(len(eta))]
            right += weights[x] * gap(eta, law)
        shown = " and ".join(f"({', '.join(map(str, eta))})" for eta in etas)
        yield Instance(f"eta = {shown}: excess risk, right side", excess, "==", right)


@PAPER.claim(
    "Prop. 1 (9), (10)",
    r"$P(Y\ne c\mid X=x)=1-\eta_c(x)$: the steps (9) for $c^*$, (10) for $c$, whose difference is (11)",
    hypotheses=r"every $K$, by induction over the classes other than $c$: $R$ and $R + \eta_j$ what they have together, $\eta_c + R = 1$ at the end; $\eta_{\mathrm{best}} = \eta^*$",
    given=[MASS + MORE <= 1, *unit(OWN, MASS, MORE, BEST)],
    evidence="sum over the wrong labels; linear in f, so the integral passes through",
    formula=lambda e: 1 - e,
)
def steps_9_10(miss: Any) -> Relations:
    return {
        "no other class": (miss(tm.Rational(1)), 0),
        "one more class": (miss(1 - MASS - MORE), miss(1 - MASS) + MORE),
        "(10) less (9)": (miss(OWN) - miss(BEST), BEST - OWN),
    }


PAPER.leave_out("Section 2", "related work: citations, and judgements on methods outside the paper")
PAPER.leave_out("Section 3.1 (definitions)", "(1), (2) and Definitions 1 to 3 state no result")
