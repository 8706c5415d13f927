"""Sections 1 to 3: information kept by a vector, local against central label privacy, Proposition 1."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import product
from math import comb
from typing import Any

import sympy as sp
from flint import arb, fmpq

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.papers.checking import check_family, check_identities, check_implications, replayed
from lpmech.papers.zhao2025.every_size import fold_is_largest, from_randomized_response
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, T, paper_bits, shares
from lpmech.verdicts import Outcome, unclear


def scalar_information(size: int, t: arb) -> arb:
    """Mutual information of a uniform label and its randomized response, in nats: sum of M ln(K M)."""
    high, low = t / (t + size - 1), 1 / (t + size - 1)
    return high * (high * size).log() + (size - 1) * low * (low * size).log()


def vector_information(size: int, s: arb) -> arb:
    """Mutual information of a uniform label and the vector (12): by the number w of ones, with t = s^2.

    Given a vector with w ones, P(z | y) / P(z) = K t^z_y / (w t + K - w).
    """
    t, low, total = s * s, 1 / (1 + s), arb(0)
    for others in range(size):
        weight = comb(size - 1, others) * low**others * (1 - low) ** (size - 1 - others)
        for bit, chance in ((1, s / (1 + s)), (0, 1 / (1 + s))):
            ones = others + bit
            total += weight * chance * (size * t**bit / (ones * t + size - ones)).log()
    return total


@PAPER.claim(
    "Section 1 (more information)",
    r"'compared with scalar transformation, conversion of labels to multi-dimensional vectors preserves more information'",
    hypotheses="the vector (12) against randomized response at the same epsilon; information: mutual information with a uniform label",
    consequence="wording",
    headline=5,
    readings={
        "for every K >= 2": "refuted",
        "for large K": "certified",
    },
    formula=operator.gt,
    mutants={"the same information": operator.eq},
    note="The words after it, 'which is especially important with large K', and 'can preserve' in 4.1 allow the weaker reading.",
)
def more_information(compare: Callable[[Any, Any], bool]) -> Outcome:
    return unclear({"for every K >= 2": _more(compare, (2,)), "for large K": _more(compare, (100, 200))})


def _more(compare: Callable[[Any, Any], bool], sizes: tuple[int, ...]) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, s = case
        root = arb(fmpq(s.numerator, s.denominator))
        vector, scalar = vector_information(size, root), scalar_information(size, root * root)
        kept = f"{vector.str(6, radius=False)} nats against {scalar.str(6, radius=False)}"
        return None if compare(vector, scalar) else f"K = {size}, e^(eps/2) = {s}: the vector keeps {kept}"

    family = [(n, s) for n in sizes for s in (Fraction(2), Fraction(3, 2), Fraction(3))]
    where = f"K in {sizes}, e^(eps/2) in {{3/2, 2, 3}}"
    return check_family(family, failure, where, "ball arithmetic (arb)")


@PAPER.claim(
    "Section 1 (more information) [K = 2]",
    r"for K=2 the vector is randomized response followed by a channel: it holds no more information of any kind",
    hypotheses="s > 1: an answer j becomes the vector with bit j alone, or one of (0,0), (1,1); replayed for s in {3/2, 2, 3, 10}",
    formula=lambda p, q: (p * q, 0, p * p + q * q, p * q),
    mutants={
        "bits kept as they are": lambda p, q: (0, 0, 1, 0),
        "a second wrong bit": lambda p, q: (p * q, q * q, p * p, p * q),
    },
)
def two_classes(row: Any) -> Outcome:
    def failure(s: Fraction) -> str | None:
        level = PrivacyLevel.from_ratio(s * s)
        vector = symmetric_unary_encoding(2, level).channel()
        both, second, first, none = row(*paper_bits(s))
        step = Channel([[none, second, first, both], [none, first, second, both]], outputs=vector.outputs)
        made = randomized_response(2, level).then(step)
        return None if made == vector else f"s = {s}: {made.matrix.tolist()}"

    instances = check_family(ROOTS, failure, "s in {3/2, 2, 3, 10}")
    return replayed(from_randomized_response(row), instances)


@PAPER.claim(
    "Section 1 (more information) [from which K]",
    r"at e^\epsilon=4 the vector keeps more mutual information than randomized response from K=8 on, and less for K=2,\dots,7",
    hypotheses="uniform label, s = 2, all K up to 120; rigorous balls",
    recorded="certified",
    formula=8,
    mutants={"from K = 2": 2, "from K = 9": 9},
)
def from_which_size(first: int) -> Outcome:
    def failure(size: int) -> str | None:
        vector, scalar = vector_information(size, arb(2)), scalar_information(size, arb(4))
        fine = vector > scalar if size >= first else vector < scalar
        return None if fine else f"K = {size}: {vector.str(6)} against {scalar.str(6)} nats"

    return check_family(range(2, 121), failure, "K = 2..120", "ball arithmetic (arb)")


@PAPER.claim(
    "Section 3.1 (local implies central)",
    r"'as long as M is local \epsilon-label DP, then any learning algorithms using (X_i,Z_i) are central \epsilon-label DP'",
    hypotheses="the datasets differ in one label, so that one factor of the joint law changes, a against b, and the product c of the others does not; an algorithm is a post-processing; "
    "replayed on the joint law of all released vectors of N = 1, 2 examples, K = 2, 3",

    formula=lambda t: t,
    mutants={"e^(epsilon/2)": lambda t: Fraction(2), "a share of the budget for each example": lambda t: t / 2},
)  # fmt: skip
def local_implies_central(allowed: Any) -> Outcome:
    t = Fraction(4)

    def failure(case: tuple[int, int]) -> str | None:
        count, size = case
        single = symmetric_unary_encoding(size, PrivacyLevel.from_ratio(t)).channel().matrix
        for labels in product(range(size), repeat=count):
            for changed in range(size):
                for released in product(range(single.shape[1]), repeat=count):
                    ours = theirs = Fraction(1)
                    for i, (y, z) in enumerate(zip(labels, released, strict=True)):
                        ours, theirs = ours * single[y, z], theirs * single[changed if i == 0 else y, z]
                    if ours > allowed(t) * theirs:
                        return f"labels {labels}, first one changed to {changed}, t = {t}: ratio {ours / theirs}"
        return None

    instances = check_family([(1, 2), (1, 3), (2, 2), (2, 3)], failure, "all neighbouring datasets and outcomes")
    changed, other, rest = sp.symbols("a b c")
    proof = check_implications(
        [T > 1, changed >= 0, other >= 0, rest >= 0, changed <= T * other],
        {"joint law": changed * rest <= allowed(T) * other * rest},
        "any K, any N",
    )
    return replayed(proof, instances)


_POINTS = [(a, b) for a in shares(3, 3) for b in shares(3, 3)] + [(a, b) for a in shares(2, 4) for b in shares(2, 4)]


def trained(example: tuple[int, int], x: int) -> int:
    """A classifier trained on one example (x', y'): y' everywhere if x' = 0, else y' at x' only and 0 elsewhere."""
    where, label = example
    return label if where in (0, x) else 0


def _risk(etas: tuple[tuple[Fraction, ...], ...], weights: tuple[Fraction, ...]) -> Fraction:
    """P(c(X) != Y) by enumerating one training example and one test example."""
    examples = [(x, y) for x in range(len(etas)) for y in range(len(etas[0]))]
    mass = {(x, y): weights[x] * etas[x][y] for x, y in examples}
    return sum(
        (mass[train] * mass[test] for train in examples for test in examples if trained(train, test[0]) != test[1]),
        Fraction(0),
    )


@PAPER.claim(
    "Section 3.2 (Bayes risk)",
    r"'Bayes risk is the minimum risk among all possible classifiers'",
    hypotheses="every K, by induction over the classes: what is kept of the best so far and the next one; replayed on two feature values with masses 1/3, 2/3, K = 2, 3, class probabilities with denominators 4 and 3, all K^2 classifiers",
    formula=lambda sofar, eta: sp.Max(sofar, eta),
    mutants={
        "smallest conditional probability": lambda sofar, eta: sp.Min(sofar, eta),
        "the first class": lambda sofar, eta: sofar,
        "the last class": lambda sofar, eta: eta,
        "the sum": lambda sofar, eta: sofar + eta,
    },
)
def bayes_risk(best: Any) -> Outcome:
    weights = (Fraction(1, 3), Fraction(2, 3))

    def failure(etas: tuple[tuple[Fraction, ...], ...]) -> str | None:
        bayes = sum(
            (w * (1 - Fraction(str(reduce(best, eta)))) for w, eta in zip(weights, etas, strict=True)), Fraction(0)
        )
        risks = [
            sum((w * (1 - eta[c]) for w, eta, c in zip(weights, etas, choice, strict=True)), Fraction(0))
            for choice in product(range(len(etas[0])), repeat=2)
        ]
        return None if bayes == min(risks) else f"eta = {_written(etas)}: {bayes} against the least risk {min(risks)}"

    instances = check_family(_POINTS, failure, "all class probabilities with these denominators")
    return replayed(fold_is_largest(best), instances)


@PAPER.claim(
    "Prop. 1",
    r"(8): R-R^*=\int(\eta^*(x)-E[\eta_{c(x)}(x)])f(x)\,dx, the expectation over the training samples",
    hypotheses="every K and x, by induction over the classes: w_j = P(c(x) = j) over the training samples, W and B the sums of w_j and w_j eta_j so far; the test example is independent of them, so that P(Y != c(x) | x) is the sum of w_j (1 - eta_j) = 1 - E eta_c; linear in f",

    formula=lambda best, mean: best - mean,
    mutants={
        "1 - E eta_c, without the Bayes risk": lambda best, mean: 1 - mean,
        "the other way": lambda best, mean: mean - best,
    },
    note="Needs the test example to be independent of the training examples. (7) is the maximum over K functions; the text "
    "below it says 'of m regression functions'.",
)  # fmt: skip
def proposition_1(gap: Any) -> Outcome:
    total, sofar, chance, eta, best, mean = sp.symbols("W B w eta_j eta_best E_eta_c")
    return check_identities(
        {
            "one more class": (total - sofar + chance * (1 - eta), (total + chance) - (sofar + chance * eta)),
            "(10) less (9)": ((1 - mean) - (1 - best), gap(best, mean)),
        },
        "sum of w_j (1 - eta_j) = W - B, at W = 1",
        hypotheses=[r for v in (total, sofar, chance, eta, best, mean) for r in (v >= 0, v <= 1)],
    )


@PAPER.claim(
    "Prop. 1 (finite distributions)",
    r"(8) with every expectation summed",
    hypotheses="two feature values with masses 1/3, 2/3, K = 2, 3; a classifier trained on one example; all training and test examples enumerated",
    recorded="certified",
    formula=lambda eta, law: max(eta) - sum(p * e for p, e in zip(law, eta, strict=True)),
    mutants={
        "second largest": lambda eta, law: sorted(eta)[-2] - sum(p * e for p, e in zip(law, eta, strict=True)),
        "1 - E eta_c, without the Bayes risk": lambda eta, law: 1 - sum(p * e for p, e in zip(law, eta, strict=True)),
        "eta of the most frequent prediction": lambda eta, law: max(eta) - eta[law.index(max(law))],
    },
)
def proposition_1_finite(gap: Any) -> Outcome:
    weights = (Fraction(1, 3), Fraction(2, 3))

    def failure(etas: tuple[tuple[Fraction, ...], ...]) -> str | None:
        size = len(etas[0])
        excess = _risk(etas, weights) - sum(
            (w * (1 - max(eta)) for w, eta in zip(weights, etas, strict=True)), Fraction(0)
        )
        right = Fraction(0)
        for x, eta in enumerate(etas):
            law = [Fraction(0)] * size
            for where, label in product(range(2), range(size)):
                law[trained((where, label), x)] += weights[where] * etas[where][label]
            right += weights[x] * gap(eta, law)
        return None if excess == right else f"eta = {_written(etas)}: {excess} against {right}"

    return check_family(_POINTS, failure, "all class probabilities with these denominators")


@PAPER.claim(
    "Prop. 1 (9), (10)",
    r"P(Y\ne c\mid X=x)=1-\eta_c(x): the steps (9) for c^*, (10) for c, whose difference is (11)",
    hypotheses="every K, by induction over the classes other than c: R and R + eta_j what they have together, eta_c + R = 1 at the end; replayed on the sum over the wrong labels, K = 2, 3, 4, "
    "probabilities in quarters",
    formula=lambda e: 1 - e,
    mutants={"the probability of a hit": lambda e: e, "1 - e^2": lambda e: 1 - e * e, "half": lambda e: (1 - e) / 2},
)
def steps_9_10(miss: Any) -> Outcome:
    own, rest, more, best = sp.symbols("eta_c R eta_j eta_best")
    given = [r for v in (own, rest, more, best) for r in (v >= 0, v <= 1)]
    proof = check_identities(
        {
            "no other class": (miss(sp.Integer(1)), 0),
            "one more class": (miss(1 - rest - more), miss(1 - rest) + more),
            "(10) less (9)": (miss(own) - miss(best), best - own),
        },
        "sum over the wrong labels; linear in f, so the integral passes through",
        hypotheses=given,
    )

    def failure(eta: tuple[Fraction, ...]) -> str | None:
        for c, e in enumerate(eta):
            wrong = sum((other for label, other in enumerate(eta) if label != c), Fraction(0))
            if wrong != miss(e):
                return f"eta = {_written((eta,))}, c = {c}: P(Y != c) = {wrong}, stated {miss(e)}"
        return None

    return replayed(proof, check_family([eta for k in (2, 3, 4) for eta in shares(k, 4)], failure, "K = 2, 3, 4"))


def _written(etas: tuple[tuple[Fraction, ...], ...]) -> str:
    return "; ".join("(" + ", ".join(map(str, eta)) + ")" for eta in etas)


PAPER.leave_out("Section 2", "related work: citations, and judgements on methods outside the paper")
PAPER.leave_out("Section 3.1 (definitions)", "(1), (2) and Definitions 1 to 3 state no result")
