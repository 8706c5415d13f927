"""What code computes: public implementations of unary encodings and of ALIBI, read in their repositories; then our own.

A statement refuted here is about that code, not about the paper. The mechanisms that users call are compared with the
paper's formulas, unary encodings exactly, ALIBI in ball arithmetic.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import sharp
from lpmech.entries import Array
from lpmech.mechanisms.alibi import AlibiOnGrid, alibi
from lpmech.mechanisms.unary_encoding import UnaryEncoding, optimal_unary_encoding, symmetric_unary_encoding
from lpmech.papers.checks import ball
from lpmech.papers.zhao2025.paper import PAPER, P, Q, S, gain
from lpmech.papers.zhao2025.section_4_1 import bit_chance
from lpmech.randomness import RandomSource
from lpmech.terms import functions as tm

SIGMA, ROOT, X, Y = tm.symbols("sigma r x y")
CALLS, REPORTED = tm.symbols("n f")

SPLITS = tuple((Fraction(a), Fraction(b)) for a, b in (("2", "2"), ("1", "4"), ("3", "1/2"), ("5/4", "7")))
VECTORS = ((-1.5, 0.25, 2.0, 0.0), (0.5, 0.5, 1.0, -0.25), (3.0, -2.0, 0.75, 0.125))


def _priors(k: int) -> list[list[Fraction]]:
    """The uniform one and one with K different entries."""
    return [[Fraction(w, sum(weights)) for w in weights] for weights in ([1] * k, range(1, k + 1))]


class _EveryNumber(RandomSource):
    """A source that hands out all numbers below the bound in turn."""

    def below(self, bound: int, count: int) -> Array:
        return np.arange(count) % bound


#: Of optimal unary encoding.
OPTIMAL = tm.Rational(1, 2), 1 / (1 + S**2)

SOURCES = {
    "pure-LDP, UEClient": (
        "UEClient of Samuel-Maddock/pure-LDP (`unary_encoding/ue_client.py`, commit f4dbcd2) as it stands, `use_oue=False`, has the bits of (12)",
        lambda s: (s / (s + 1), 1 - s / (s + 1)),
        (P, Q),
    ),
    "pure-LDP, UEClient, use_oue": (
        r"UEClient with `use_oue=True` (commit f4dbcd2) has $p=1/2$, $q=1/(e^\epsilon+1)$, optimal unary encoding, not the bits of (12)",
        lambda s: (tm.Rational(1, 2), 1 / (1 + s**2)),
        OPTIMAL,
    ),
    "multi-freq-ldpy, UE_Client": (
        r"`UE_Client` of hharcolezi/multi-freq-ldpy (`pure_frequency_oracles/UE.py`, commit fd04aef) as it stands, `optimal=True`, has $p=1/2$, $q=1/(e^\epsilon+1)$",
        lambda s: (tm.Rational(1, 2), 1 / (1 + s**2)),
        OPTIMAL,
    ),
}


def _has_bits(right_p: Any, right_q: Any) -> Callable[[Any], Relations]:
    """Two labels change two bits; the law ratio is largest where the one is 1 and the other 0, as p > q."""

    def check(bits: Any) -> Relations:
        p, q = bits(S)
        largest = p * (1 - q) / (q * (1 - p))
        return {"p": (p, right_p), "q": (q, right_q), "largest ratio": (largest, S**2), "order": tm.And(q > 0, p > q)}

    return check


for _name, (_source, _bits, _expected) in SOURCES.items():
    PAPER.claim(
        f"Implementation ({_name})",
        rf"{_source}; level exactly $\epsilon$",
        hypotheses=r"exact arithmetic, $s = e^{\epsilon/2}$, $K \ge 2$",
        given=[S > 1],
        formula=_bits,
        note="$p$ and $q$ are the probabilities of a 1 at the true class and at another one.",
    )(_has_bits(*_expected))


PAPER.claim(
    "Implementation (label_dp_antipodes, Laplace)",
    r"RandomizedLabelPrivacy of `facebookresearch/label_dp_antipodes` (`lib/alibi.py`, commit ce52800) adds Laplace noise of standard deviation $\sigma$, scale $\sigma/\sqrt{2}$, to the one-hot label and reports $\epsilon=2\sqrt{2}/\sigma$: its tight level",
    hypotheses=r"one call of `increase_budget`, $K \ge 2$, exact arithmetic; $r = \sqrt{2}$; $x$, $y =$ released values at the two labels compared, where the one-hot vectors differ; the log ratio times the scale $\sigma / r$",
    given=[SIGMA > 0, ROOT > 0, tm.Eq(ROOT**2, 2)],
    formula=lambda root, sigma: 2 * root / sigma,
    note=r"The difference of two exponential variables of rate $\sqrt{2} / \sigma$. It is ALIBI of App. B.2 with $\lambda = \sigma / \sqrt{2}$.",
)(lambda reported: sharp(gain(X) - gain(Y), reported(ROOT, SIGMA) * SIGMA / ROOT, X >= 1, Y <= 0))


@PAPER.claim(
    "Implementation (label_dp_antipodes, several steps)",
    r"`increase_budget` called $n$ times reports $n\epsilon_1$ for the Laplace mechanism, as composition of $n$ releases gives",
    hypotheses=r"$\epsilon_1 =$ what one call reports",
    consequence="wording",
    family="n = 1, ..., 6 calls of one step",
    formula=lambda n: n,
    control=math.factorial,
    mutants={"n (n + 1) / 2": lambda n: n * (n + 1) // 2},
    note="Call $n$ multiplies by $n$ what call $n - 1$ reported. The code warns that several Laplace steps are not optimal; its training script makes one call, or one an epoch without `noise_only_once`.",
)
def reported_after(claimed: Any) -> Parts:
    for calls, reported in enumerate(accumulate(range(1, 7), operator.mul), 1):
        where = f"{calls} calls: reported, and that of {calls} releases, in epsilon_1"
        yield Instance(where, reported, "==", claimed(calls))


PAPER.claim(
    "Implementation (label_dp_antipodes, several steps) [repaired]",
    r"after $n$ calls it reports $n!\,\epsilon_1\ge n\epsilon_1$: never less than is spent",
    hypotheses=r"by induction: $f =$ what call $n$ reports, in units of $\epsilon_1$; call 1 reports 1",
    given=[tm.Whole(CALLS, REPORTED), CALLS >= 1, REPORTED >= CALLS],
    formula=lambda n, reported: (n + 1) * reported,
    repairs="Implementation (label_dp_antipodes, several steps)",
)(
    lambda after: {
        "next call": after(CALLS, REPORTED) >= CALLS + 1,
        "factor n + 1, so that it is (n + 1)! if f = n!": (after(CALLS, REPORTED), (CALLS + 1) * REPORTED),
    }
)


@PAPER.claim(
    "eqs. (12), (13) (the functions)",
    r"UnaryEncoding's channel, level, decoding, variance, posterior and hit rate are those of $K$ independent bits with the odds $\frac{p}{1-p}$, $\frac{1-q}{q}$",
    hypotheses="what is released in floats within $10^{-12}$",
    family="K = 2, 3, 4, 7, odds (2, 2), (1, 4), (3, 1/2), (5/4, 7), every vector, two priors; sums over all vectors; at K = 7 what is released where every number is drawn equally often",
    method="exact enumeration",
    formula=UnaryEncoding,
    mutants={"the odds exchanged": lambda k, a, b: UnaryEncoding(k, b, a)},
)
def unary_function(make: Any) -> Parts:
    for k, (a, b) in product((2, 3, 4, 7), SPLITS):
        encoding, bits, outputs = make(k, a, b), (a / (1 + a), 1 / (1 + b)), list(product((0, 1), repeat=k))
        law = [[math.prod(bit_chance(bits, bit, j == y) for j, bit in enumerate(z)) for y in range(k)] for z in outputs]
        at = f"K = {k}, odds {a} and {b}"
        matrix = encoding.channel().matrix
        yield Instance(f"{at}: the law of every vector", matrix.T.tolist(), "==", law)
        level = max(max(chances) / min(chances) for chances in law)
        yield Instance(f"{at}: e^epsilon", encoding.ratio, "==", level)
        hit = sum(map(max, law)) / k
        yield Instance(f"{at}: hit rate", encoding.hit_rate, "==", hit)
        vectors, weights = np.array(outputs), np.array(law, dtype=float)
        decoded = np.array([encoding.estimate_counts(vector[None]) for vector in vectors])
        mean = weights.T @ decoded
        yield np.allclose(mean, np.eye(k), rtol=0, atol=1e-12) or f"{at}: the decoded vector has mean {mean.tolist()}"
        counts = [3 * j + 1 for j in range(k)]
        spread = np.array(counts) @ (weights.T @ decoded**2 - mean**2)
        found = np.float64(encoding.count_variance(counts))
        yield np.allclose(spread, found, rtol=1e-12) or f"{at}: variance {found}, not {spread.tolist()}"
        for prior in _priors(k):
            pi = np.array(prior, dtype=float)
            right = weights * pi / (weights * pi).sum(axis=1, keepdims=True)
            posterior = encoding.posterior(vectors, pi)
            same = np.allclose(posterior, right, rtol=0, atol=1e-12)
            yield same or f"{at}, prior {prior}: posterior {posterior[0].tolist()}"
        if k == 7:  # prime to all bounds below which is drawn, so that every column sees every number equally often
            draws = (a.numerator + a.denominator) * (b.numerator + b.denominator)
            counts = encoding.sample(np.zeros(draws, dtype=int), _EveryNumber(bytes(32))).sum(axis=0).tolist()
            expected = [draws * bits[0]] + [draws * bits[1]] * 6
            yield Instance(f"{at}: number of ones in {draws} releases, by the probabilities", counts, "==", expected)


@PAPER.claim(
    "eq. (13) (the split as called)",
    r"`symmetric_unary_encoding` has both odds $e^{\epsilon/2}$, of a 1 at the true class and of a 0 elsewhere, and the level $\epsilon$; `optimal_unary_encoding` has the odds 1 and $e^\epsilon$",
    family="K = 1, 2, 7; e^epsilon = 9/4, 4, 25, exactly and in floats",
    method="exact rational arithmetic, floats to 1e-12",
    formula=(symmetric_unary_encoding, optimal_unary_encoding),
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
            private = rounded.exact(PrivacyLevel.from_ratio(root**2))
            level = Fraction(private.odds_present) * Fraction(private.odds_absent)
            fine = 1 - Fraction(1, 10**6) <= level / root**2 <= 1
            yield fine or f"K = {k}, e^epsilon = {root**2}: {level} of the encoding to be sampled"


@PAPER.claim(
    "App. B.2 (the functions)",
    r"`alibi`$(K,\epsilon)$ adds Laplace noise of scale $2/\epsilon$ to the one-hot label, has the level $\epsilon$, and its posterior is Bayes' rule, also on the grid",
    hypotheses=r"600 draws against the same noise drawn from numpy's Laplace distribution of scale $2/\epsilon$; on the grid their means within 0.1",
    family="K = 2, 3, 4, epsilon in {1/2, 1, 4}, three vectors, uniform and other priors, within 1e-12",
    method="ball arithmetic (rigorous)",
    kind="ours",
    formula=(alibi, AlibiOnGrid),
    mutants={"the grid at twice the level": (alibi, lambda k, e: AlibiOnGrid(k, 2 * e))},
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
        points, one_hot = np.arange(gridded.steps + 1) / gridded.steps, np.eye(k, dtype=bool)[labels]
        released = gridded.sample(labels, RandomSource(bytes(32)))
        means, right = [released[~one_hot].mean(), released[one_hot].mean()], gridded.coordinate.matrix @ points
        fine = np.isin(released, points).all() and np.abs(means - right).max() <= 0.1
        yield bool(fine) or f"{at}: means {means} on the grid, not {right.tolist()}"
        for vector, pi, made in product(VECTORS, _priors(k), (noisy, gridded)):
            distances = [sum(abs(Fraction(o) - (j == c)) for j, o in enumerate(vector[:k])) for c in range(k)]
            laws = [ball(p) * ball(-epsilon / 2 * far).exp() for p, far in zip(pi, distances, strict=True)]
            found = made.posterior([vector[:k]], [float(p) for p in pi])[0]
            for value, density in zip(found, laws, strict=True):
                exact = density / sum(laws, arb(0))
                near = bool(abs(arb(float(value)) - exact) <= arb("1e-12"))
                shown = f"posterior {value:.10g}, Bayes {exact.str(10, radius=False)}"
                yield near or f"{at}, o = {vector[:k]}: {shown}"
