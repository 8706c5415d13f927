"""The mechanisms that users call, against the paper's formulas: unary encodings exactly, ALIBI in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.mechanisms.alibi import AlibiOnGrid, alibi
from lpmech.mechanisms.unary_encoding import UnaryEncoding, optimal_unary_encoding, symmetric_unary_encoding
from lpmech.papers.checking import check_family
from lpmech.papers.zhao2025.paper import PAPER
from lpmech.verdicts import Outcome

SPLITS = tuple((Fraction(a), Fraction(b)) for a, b in (("2", "2"), ("1", "4"), ("3", "1/2"), ("5/4", "7")))
PRIORS = {2: (None, ("1/5", "4/5")), 3: (None, ("1/2", "1/3", "1/6")), 4: (None, ("1/10", "2/10", "3/10", "4/10"))}
VECTORS = ((-1.5, 0.25, 2.0, 0.0), (0.5, 0.5, 1.0, -0.25), (3.0, -2.0, 0.75, 0.125))


def _law(k: int, odds: tuple[Fraction, Fraction]) -> list[tuple[tuple[int, ...], list[Fraction]]]:
    """Every vector of K bits with its probability under each label, from (12) and (13)."""
    p, q = odds[0] / (1 + odds[0]), 1 / (1 + odds[1])
    law = []
    for bits in product((0, 1), repeat=k):
        chances = []
        for label in range(k):
            total = Fraction(1)
            for j, bit in enumerate(bits):
                one = p if j == label else q
                total *= one if bit else 1 - one
            chances.append(total)
        law.append((bits, chances))
    return law


@PAPER.claim(
    "eqs. (12), (13) (the functions)",
    r"UnaryEncoding's channel, level, decoding, variance, posterior and hit rate are those of K independent bits with the odds \frac p{1-p}, \frac{1-q}q",
    hypotheses="K = 2, 3, 4, odds (2, 2), (1, 4), (3, 1/2), (5/4, 7), every vector; two priors; sums over all vectors, exactly; what is released in floats within 1e-12",
    recorded="certified",
    formula=UnaryEncoding,
    mutants={
        "the odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a),
        "the bit of the label twice as likely": lambda k, a, b: UnaryEncoding(k, 2 * a, b),
    },
)
def unary_function(make: Any) -> Outcome:
    def failure(case: tuple[int, tuple[Fraction, Fraction]]) -> str | None:
        k, odds = case
        encoding, law = make(k, *odds), _law(k, odds)
        at = f"K = {k}, odds {odds[0]} and {odds[1]}"
        matrix = encoding.channel().matrix
        if matrix.T.tolist() != [chances for _, chances in law]:
            return f"{at}: {matrix[0].tolist()}"
        level = max(max(chances) / min(chances) for _, chances in law)
        if encoding.ratio != level:
            return f"{at}: e^epsilon = {encoding.ratio}, not {level}"
        hit = sum(max(chances) for _, chances in law) / k
        if encoding.hit_rate != hit:
            return f"{at}: hit rate {encoding.hit_rate}, not {hit}"
        vectors = np.array([bits for bits, _ in law])
        decoded = encoding.decode(vectors)
        weights = np.array([[float(c) for c in chances] for _, chances in law])
        if not np.allclose(weights.T @ decoded, np.eye(k), rtol=0, atol=1e-12):
            return f"{at}: the decoded vector has mean {(weights.T @ decoded).tolist()}"
        counts = [3 * j + 1 for j in range(k)]
        spread = weights.T @ decoded**2 - (weights.T @ decoded) ** 2
        if not np.allclose(np.array(counts) @ spread, np.float64(encoding.count_variance(counts)), rtol=1e-12):
            return f"{at}: variance {encoding.count_variance(counts)}, not {(np.array(counts) @ spread).tolist()}"
        for prior in PRIORS[k]:
            pi = np.array([float(Fraction(x)) for x in prior]) if prior else np.full(k, 1 / k)
            right = weights * pi / (weights * pi).sum(axis=1, keepdims=True)
            if not np.allclose(encoding.posterior(vectors, pi), right, rtol=0, atol=1e-12):
                return f"{at}, prior {prior}: posterior {encoding.posterior(vectors, pi)[0].tolist()}"
        return None

    return check_family(
        [(k, odds) for k in (2, 3, 4) for odds in SPLITS], failure, "sizes and odds", "exact enumeration"
    )


@PAPER.claim(
    "eq. (13) (the split as called)",
    r"symmetric_unary_encoding has both odds e^{\epsilon/2}, and the level \epsilon; optimal_unary_encoding has the odds 1 and e^\epsilon",
    hypotheses="K = 1, 2, 7; e^epsilon = 9/4, 4, 25 exactly",
    recorded="certified",
    formula=(symmetric_unary_encoding, optimal_unary_encoding),
    mutants={
        "exchanged": (optimal_unary_encoding, symmetric_unary_encoding),
        "both at the whole level": (
            lambda k, level: UnaryEncoding(k, level.ratio, level.ratio),
            optimal_unary_encoding,
        ),
    },
)
def split_function(pair: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        k, root = case
        level = PrivacyLevel.from_ratio(root**2)
        for make, odds in zip(pair, ((root, root), (Fraction(1), root**2)), strict=True):
            made = make(k, level)
            if (made.size, made.odds_present, made.odds_absent) != (k, *odds):
                return f"K = {k}, e^epsilon = {root**2}: odds {made.odds_present} and {made.odds_absent}"
        return None

    return check_family([(k, Fraction(r)) for k in (1, 2, 7) for r in ("3/2", "2", "5")], failure, "sizes and levels")


def _bayes(size: int, epsilon: Fraction, vector: tuple[float, ...], prior: list[Fraction]) -> list[Any]:
    """Pr[label | o] from the densities prod_k exp(-|o_k - [k = c]| epsilon / 2)."""
    rate = arb(epsilon.numerator) / (2 * epsilon.denominator)
    weights = []
    for c in range(size):
        distance = sum((abs(Fraction(o) - (k == c)) for k, o in enumerate(vector)), Fraction(0))
        exponent = rate * distance.numerator / distance.denominator
        weights.append(arb(prior[c].numerator) / prior[c].denominator * (-exponent).exp())
    total = sum(weights, arb(0))
    return [weight / total for weight in weights]


@PAPER.claim(
    "App. B.2 (the functions)",
    r"alibi(K, \epsilon) adds Laplace noise of scale 2/\epsilon to the one-hot label, has the level \epsilon, and its posterior is Bayes' rule, also on the grid",
    hypotheses="K = 2, 3, 4, epsilon in {1/2, 1, 4}, three vectors, uniform and other priors, within 1e-12 by ball arithmetic; 600 draws against the same noise drawn "
    "from numpy's Laplace distribution of scale 2/epsilon",
    recorded="certified",
    formula=(alibi, AlibiOnGrid),
    mutants={
        "scale 1/epsilon": (lambda k, e: alibi(k, 2 * e), AlibiOnGrid),
        "the grid at twice the level": (alibi, lambda k, e: AlibiOnGrid(k, 2 * e)),
    },
)
def alibi_functions(pair: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        k, epsilon = case
        noisy, gridded = (make(k, float(epsilon)) for make in pair)
        at = f"K = {k}, epsilon = {epsilon}"
        if abs(noisy.epsilon - float(epsilon)) > 1e-12 or noisy.scale != 2 / float(epsilon):
            return f"{at}: scale {noisy.scale}, level {noisy.epsilon}"
        if not 0.999 * float(epsilon) <= gridded.epsilon <= float(epsilon) + 1e-12:
            return f"{at}: level {gridded.epsilon} on the grid"
        labels = np.arange(600) % k
        noise = np.random.default_rng(7).laplace(scale=2 / float(epsilon), size=(600, k))
        if not np.array_equal(noisy.simulate(labels, np.random.default_rng(7)), noise + np.eye(k)[labels]):
            return f"{at}: what is drawn is not the one-hot label and Laplace noise of scale 2/epsilon"
        for vector in VECTORS:
            for prior in PRIORS[k]:
                pi = [Fraction(x) for x in prior] if prior else [Fraction(1, k)] * k
                right = _bayes(k, epsilon, vector[:k], pi)
                for made in (noisy, gridded):
                    found = made.posterior([vector[:k]], [float(p) for p in pi])[0]
                    for value, exact in zip(found, right, strict=True):
                        if not abs(arb(float(value)) - exact) <= arb("1e-12"):
                            return (
                                f"{at}, o = {vector[:k]}: posterior {value:.10g}, Bayes {exact.str(10, radius=False)}"
                            )
        return None

    cases = [(k, Fraction(e)) for k in (2, 3, 4) for e in ("1/2", "1", "4")]
    return check_family(cases, failure, "sizes and levels", "ball arithmetic (rigorous)")
