"""The mechanisms that users call, against the paper's formulas: unary encodings exactly, ALIBI in ball arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.claims import Parts
from lpmech.mechanisms.alibi import AlibiOnGrid, alibi
from lpmech.mechanisms.unary_encoding import UnaryEncoding, optimal_unary_encoding, symmetric_unary_encoding
from lpmech.papers.zhao2025.paper import PAPER, ball
from lpmech.papers.zhao2025.section_4_1 import bit_chance

SPLITS = tuple((Fraction(a), Fraction(b)) for a, b in (("2", "2"), ("1", "4"), ("3", "1/2"), ("5/4", "7")))
PRIORS = {2: (None, ("1/5", "4/5")), 3: (None, ("1/2", "1/3", "1/6")), 4: (None, ("1/10", "2/10", "3/10", "4/10"))}
VECTORS = ((-1.5, 0.25, 2.0, 0.0), (0.5, 0.5, 1.0, -0.25), (3.0, -2.0, 0.75, 0.125))


@PAPER.claim(
    "eqs. (12), (13) (the functions)",
    r"UnaryEncoding's channel, level, decoding, variance, posterior and hit rate are those of K independent bits with the odds \frac p{1-p}, \frac{1-q}q",
    hypotheses="what is released in floats within 1e-12",
    recorded="certified",
    family="K = 2, 3, 4, odds (2, 2), (1, 4), (3, 1/2), (5/4, 7), every vector, two priors; sums over all vectors",
    method="exact enumeration",
    formula=UnaryEncoding,
    mutants={
        "the odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a),
        "the bit of the label twice as likely": lambda k, a, b: UnaryEncoding(k, 2 * a, b),
    },
)
def unary_function(make: Any) -> Parts:
    for k, (a, b) in product((2, 3, 4), SPLITS):
        encoding, bits, outputs = make(k, a, b), (a / (1 + a), 1 / (1 + b)), list(product((0, 1), repeat=k))
        law = [[prod(bit_chance(bits, bit, j == y) for j, bit in enumerate(z)) for y in range(k)] for z in outputs]
        at = f"K = {k}, odds {a} and {b}"
        matrix = encoding.channel().matrix
        yield matrix.T.tolist() == law or f"{at}: {matrix[0].tolist()}"
        level = max(max(chances) / min(chances) for chances in law)
        yield encoding.ratio == level or f"{at}: e^epsilon = {encoding.ratio}, not {level}"
        hit = sum(map(max, law)) / k
        yield encoding.hit_rate == hit or f"{at}: hit rate {encoding.hit_rate}, not {hit}"
        vectors, weights = np.array(outputs), np.array(law, dtype=float)
        decoded = np.array([encoding.estimate_counts(vector[None]) for vector in vectors])
        mean = weights.T @ decoded
        yield np.allclose(mean, np.eye(k), rtol=0, atol=1e-12) or f"{at}: the decoded vector has mean {mean.tolist()}"
        counts = [3 * j + 1 for j in range(k)]
        spread = np.array(counts) @ (weights.T @ decoded**2 - mean**2)
        found = np.float64(encoding.count_variance(counts))
        yield np.allclose(spread, found, rtol=1e-12) or f"{at}: variance {found}, not {spread.tolist()}"
        for prior in PRIORS[k]:
            pi = np.array([float(Fraction(x)) for x in prior]) if prior else np.full(k, 1 / k)
            right = weights * pi / (weights * pi).sum(axis=1, keepdims=True)
            posterior = encoding.posterior(vectors, pi)
            same = np.allclose(posterior, right, rtol=0, atol=1e-12)
            yield same or f"{at}, prior {prior}: posterior {posterior[0].tolist()}"


@PAPER.claim(
    "eq. (13) (the split as called)",
    r"symmetric_unary_encoding has both odds e^{\epsilon/2}, and the level \epsilon; optimal_unary_encoding has the odds 1 and e^\epsilon",
    recorded="certified",
    family="K = 1, 2, 7; e^epsilon = 9/4, 4, 25, exactly and in floats",
    formula=(symmetric_unary_encoding, optimal_unary_encoding),
    mutants={"exchanged": (optimal_unary_encoding, symmetric_unary_encoding)},
)
def split_function(pair: Any) -> Parts:
    for k, root in product((1, 2, 7), (Fraction(3, 2), Fraction(2), Fraction(5))):
        for make, odds in zip(pair, ((root, root), (Fraction(1), root**2)), strict=True):
            exact, rounded = make(k, PrivacyLevel.from_ratio(root**2)), make(k, 2 * math.log(root))
            right = (exact.size, exact.odds_present, exact.odds_absent) == (k, *odds)
            shown = f"K = {k}, e^epsilon = {root**2}: odds {exact.odds_present} and {exact.odds_absent}"
            yield (right and not isinstance(exact.odds_present, float)) or shown
            found = (float(rounded.odds_present), float(rounded.odds_absent))
            yield np.allclose(found, list(map(float, odds)), rtol=1e-12) or f"K = {k}, floats: odds {found}, not {odds}"


@PAPER.claim(
    "App. B.2 (the functions)",
    r"alibi(K, \epsilon) adds Laplace noise of scale 2/\epsilon to the one-hot label, has the level \epsilon, and its posterior is Bayes' rule, also on the grid",
    hypotheses="600 draws against the same noise drawn from numpy's Laplace distribution of scale 2/epsilon",
    recorded="certified",
    family="K = 2, 3, 4, epsilon in {1/2, 1, 4}, three vectors, uniform and other priors, within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=(alibi, AlibiOnGrid),
    mutants={
        "scale 1/epsilon": (lambda k, e: alibi(k, 2 * e), AlibiOnGrid),
        "the grid at twice the level": (alibi, lambda k, e: AlibiOnGrid(k, 2 * e)),
    },
)
def alibi_functions(pair: Any) -> Parts:
    for k, epsilon in product((2, 3, 4), (Fraction(1, 2), Fraction(1), Fraction(4))):
        noisy, gridded = (make(k, float(epsilon)) for make in pair)
        at = f"K = {k}, epsilon = {epsilon}"
        right = abs(noisy.epsilon - float(epsilon)) <= 1e-12 and noisy.scale == 2 / float(epsilon)
        yield bool(right) or f"{at}: scale {noisy.scale}, level {noisy.epsilon}"
        close = 0.999 * float(epsilon) <= gridded.epsilon <= float(epsilon) + 1e-12
        yield bool(close) or f"{at}: level {gridded.epsilon} on the grid"
        labels = np.arange(600) % k
        noise = np.random.default_rng(7).laplace(scale=2 / float(epsilon), size=(600, k))
        same = np.array_equal(noisy.simulate(labels, np.random.default_rng(7)), noise + np.eye(k)[labels])
        yield same or f"{at}: what is drawn is not the one-hot label and Laplace noise of scale 2/epsilon"
        for vector, prior, made in product(VECTORS, PRIORS[k], (noisy, gridded)):
            pi = [Fraction(x) for x in prior] if prior else [Fraction(1, k)] * k
            distances = [sum(abs(Fraction(o) - (j == c)) for j, o in enumerate(vector[:k])) for c in range(k)]
            laws = [ball(p) * ball(-epsilon / 2 * far).exp() for p, far in zip(pi, distances, strict=True)]
            found = made.posterior([vector[:k]], [float(p) for p in pi])[0]
            for value, density in zip(found, laws, strict=True):
                exact = density / sum(laws, arb(0))
                near = bool(abs(arb(float(value)) - exact) <= arb("1e-12"))
                shown = f"posterior {value:.10g}, Bayes {exact.str(10, radius=False)}"
                yield near or f"{at}, o = {vector[:k]}: {shown}"
