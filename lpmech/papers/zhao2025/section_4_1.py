"""Section 4.1: is eps/2 + eps/2 the best split of a unary encoding, and how far is it from the best channel?"""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from lpmech import PrivacyLevel
from lpmech.claims import Parts, Relations
from lpmech.mechanisms.unary_encoding import UnaryEncoding, symmetric_unary_encoding
from lpmech.papers.zhao2025.paper import DECODED, PAPER, ROOTS, K, S, T, best_hit_rate, scalar_entries
from lpmech.programs import optimal_channel

#: Odds of a one at the true class, at a wrong one, and there with the best split.
ODDS, B, B0 = sp.symbols("a b b_0")

_PROGRAMS = tuple(product((2, 3, 4), (Fraction(9, 4), Fraction(4), Fraction(9))))


def total_variance(t: Any, k: Any, b: Any) -> Any:
    """Sum over classes of the variance of the decoded counts, per example, at odds b: p/(1-p) = t b, q/(1-q) = b."""
    p, q = t * b / (1 + t * b), b / (1 + b)
    return (p * (1 - p) + (k - 1) * q * (1 - q)) / (p - q) ** 2


@PAPER.claim(
    "Section 4.1 (split, variance)",
    r"among the unary encodings of level \epsilon the total variance of the count estimates is least at q/(1-q)=b_0, b_0^2=(t+K-1)/(t(1+(K-1)t))",
    hypotheses="all b > 0; variance(b) - variance(b_0) = (t + K - 1)(b - b_0)^2 / (b b_0^2 (t - 1)^2)",
    given=[T > 1, K >= 2, B > 0, B0 > 0],
    evidence="identity in t, K, b, b_0",
    formula=lambda t, k: (t + k - 1) / (t * (1 + (k - 1) * t)),
    mutants={"eps/2 + eps/2, b_0^2 = 1/t": lambda t, k: 1 / t},
    note="Not stated by the paper, which gives no reason for eps/2 + eps/2.",
)
def least_variance(square: Any) -> Relations:
    # eliminate b_0 through its square: (b - b_0)^2 / b_0^2 = (b^2 / b_0^2 + 1) - 2 b / b_0
    difference = total_variance(T, K, B) - total_variance(T, K, B0)
    gain = (T + K - 1) * (B - B0) ** 2 / (B * B0**2 * (T - 1) ** 2)
    residue = sp.numer(sp.together(difference - gain))
    zero = sp.expand(B0**2 * sp.denom(square(T, K)) - sp.numer(square(T, K)))
    return {"variance(b) - variance(b_0)": (sp.expand(residue), sp.quo(sp.expand(residue), zero, B0) * zero)}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, variance)",
    r"the paper's split is the one of least total variance iff K=2",
    given=[T > 1, K > 1],
    evidence="1/t = b_0^2, cross-multiplied",
    formula=lambda k: sp.Eq(k, 2),
)
def symmetric_variance(condition: Any) -> Relations:
    return {"iff": sp.Equivalent(condition(K), sp.Eq((T + K - 1) * T, T * (1 + (K - 1) * T)))}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, difference p - q)",
    r"among the unary encodings of level at most \epsilon the paper's split alone has the largest p-q, (e^{\epsilon/2}-1)/(e^{\epsilon/2}+1), for every K: the smallest factor \Delta_\epsilon/\Delta in (21)",
    hypotheses="odds a of a one at the true class",
    given=[S > 1, B > 0, ODDS > 0, S**2 * B >= ODDS],
    evidence="for all s > 1 and all splits",
    formula=lambda s: (s - 1) / (s + 1),
    mutants={"OUE's, 1/2 - 1/(e^eps + 1)": lambda s: sp.Rational(1, 2) - 1 / (s**2 + 1)},
    note="Not stated by the paper; it is what its bound (20) divides the error by, and there the split is best. In variance and hit rate it is best for K = 2 only.",
)
def largest_difference(largest: Any) -> Relations:
    difference = ODDS / (1 + ODDS) - B / (1 + B)
    own = sp.And(sp.Eq(ODDS, S), sp.Eq(S * B, 1))
    return {"at most": difference <= largest(S), "iff": sp.Equivalent(own, sp.Eq(difference, largest(S)))}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, hit rate, K = 2)",
    r"for K=2 the hit rate of a guess among the ones is (1+p-q)/2\le s/(1+s), attained by the paper's split only",
    hypotheses="odds a = s^2 b of a one at the true class",
    given=[S > 1, B > 0],
    evidence="for all s > 1 and all splits",
    formula=lambda s: s / (1 + s),
    mutants={"RR's e^eps/(e^eps + 1)": lambda s: s**2 / (1 + s**2)},
    note="RR on the same two labels reaches e^eps/(e^eps + 1), which is more.",
)
def hit_rate_two(best: Any) -> Relations:
    a = S**2 * B
    p, q = a / (1 + a), B / (1 + B)
    rate = (p / q * (1 - (1 - q) ** 2) + (1 - p) * (1 - q)) / 2
    short = (1 + p - q) / 2
    own = sp.Equivalent(sp.Eq(S * B, 1), sp.Eq(short, best(S)))
    return {"(1 + p - q)/2": (rate, short), "at most": short <= best(S), "iff": own}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, hit rate, K >= 3)",
    r"for K\ge 3 another split of \epsilon has a larger hit rate than the paper's",
    hypotheses="odds of a zero at a wrong class: the paper's s times c",
    recorded="certified",
    family="K = 3, ..., 12, s in {3/2, 2, 3, 10}",
    formula=Fraction(21, 20),
    mutants={"towards a zero-free vector, c = 20/21": Fraction(20, 21), "the same split": Fraction(1)},
    survivors="the claim is that some other split is better: many are",
)
def hit_rate_more(c: Fraction) -> Parts:
    for size, s in product(range(3, 13), ROOTS):
        ours, other = UnaryEncoding(size, s, s).hit_rate, UnaryEncoding(size, s / c, s * c).hit_rate
        yield other > ours or f"K = {size}, s = {s}: {float(other):.6f} is not above {float(ours):.6f}"


def scalar_and_vector_variance(s: Any, k: Any) -> tuple[Any, Any]:
    """Total variances, per example, of the decoded label of randomized response and of the decoded vector."""
    return (k - 1) * (2 * s**2 + k - 2) / (s**2 - 1) ** 2, k * s / (s - 1) ** 2


@PAPER.claim(
    "Section 4.1 (rate of RAPPOR)",
    r"'RAPPOR has the optimal convergence rate': for e^\epsilon\ge K, at every N, its total variance is more than e^{\epsilon/2}/3 times that of randomized response: the rate can be optimal for smaller \epsilon only",
    hypotheses="both variances by 'Section 4.1 (variance against randomized response)', per example: divided by N in a mean, so that the rate in N is that of every such encoding. Optimal for small epsilon is quoted, not checked",
    uses=["Section 4.1 (variance against randomized response)"],
    given=[S > 1, K >= 2, S**2 >= K],
    evidence="for all K >= 2 and s^2 >= K",
    formula=lambda s: s / 3,
    mutants={"half of s": lambda s: s / 2},
    survivors="a smaller factor, or a slightly larger one, holds too: 1/3 is what remains for s^2 = K to infinity",
    note="The abstract of Kairouz et al. 2016, whom the sentence cites, has 'the order-optimality of k-RR and the existing RAPPOR mechanism at different privacy regimes'.",
)
def rate_of_rappor(factor: Any) -> Relations:
    scalar, vector = scalar_and_vector_variance(S, K)
    return {"vector against scalar": vector > factor(S) * scalar}


@PAPER.claim(
    "Section 4.1 (variance against randomized response)",
    r"the decoded label of randomized response has a smaller total variance than the paper's decoded vector iff (K-1)(2e^\epsilon+K-2)<Ks(s+1)^2",
    hypotheses="s = e^(epsilon/2); uniform or any other label distribution (both sums of variances do not depend on it)",
    given=[S > 1, K >= 2],
    evidence="for all s > 1, K >= 2",
    formula=lambda s, k: (k - 1) * (2 * s**2 + k - 2) < k * s * (s + 1) ** 2,
    mutants={"never": lambda s, k: sp.false, "K < e^eps + 2": lambda s, k: k < s**2 + 2},
    note="At e^eps = 4 randomized response is better for K <= 13, at e^eps = e (s = 1.65) for K <= 9; the vector for more classes.",
)
def variance_against_rr(condition: Any) -> Relations:
    scalar, vector = scalar_and_vector_variance(S, K)
    high, low = scalar_entries(S**2, K)
    return {
        "scalar": ((high * (1 - high) + (K - 1) * low * (1 - low)) / (high - low) ** 2, scalar),
        "vector": (total_variance(S**2, K, 1 / S), vector),
        "iff": sp.Equivalent(condition(S, K), scalar < vector),
    }


@PAPER.claim(
    "Section 4.1 (hit rate against the program)",
    r"the best \epsilon-LDP channel into \{0,1\}^K has hit rate e^\epsilon/(e^\epsilon+K-1), that of randomized response on one-hot vectors",
    hypotheses="uniform labels; a guess among the ones is a decoding",
    given=DECODED,
    evidence="every K >= 2, every t > 1; attained",
    replay="the exact optimum of the program with 2^K outputs, K = 2, 3, 4, t in {9/4, 4, 9}",
    method="exact linear programs",
    formula=lambda t, k: t / (t + k - 1),
    mutants={"the paper's vector": lambda t, k: symmetric_unary_encoding(k, PrivacyLevel.from_ratio(t)).hit_rate},
    note="At K = 4 and e^eps = 4 the paper's vector hits with 23/54 = 0.426, the optimum with 4/7 = 0.571.",
)
def hit_rate_program(value: Any) -> Parts:
    for size, t in _PROGRAMS:
        # u[y, z]: probability that a random one of z (any class if there is none) is y
        vectors = list(product((0, 1), repeat=size))
        guess = [[Fraction(z[y], sum(z)) if any(z) else Fraction(1, size) for z in vectors] for y in range(size)]
        optimum = optimal_channel(guess, PrivacyLevel.from_ratio(t)).solve("exact").value
        yield optimum == value(t, size) or f"K = {size}, t = {t}: optimum {optimum}, not {value(t, size)}"
    yield from best_hit_rate(value).items()


@PAPER.claim(
    "Section 4.1 (squared error against the program)",
    r"for the decoding (z-q)/(p-q) with the paper's p, q another \epsilon-LDP channel into \{0,1\}^K has a smaller mean squared error",
    hypotheses="uniform labels; the optimum may be biased",
    recorded="certified",
    family="K = 2, 3, 4, t in {9/4, 4, 9}",
    method="exact linear programs",
    formula=operator.lt,
    mutants={"the paper's is best": operator.eq},
)
def squared_error_program(smaller: Any) -> Parts:
    for size, t in _PROGRAMS:
        level = PrivacyLevel.from_ratio(t)
        encoding = symmetric_unary_encoding(size, level)
        p, q, bits = encoding.p, encoding.q, np.array(encoding.channel().outputs, dtype=object)
        utility = [(-(((bits - q) / (p - q) - own) ** 2).sum(axis=1)).tolist() for own in np.eye(size, dtype=int)]
        optimum = -optimal_channel(utility, level).solve("exact").value
        ours = sum(encoding.count_variance([Fraction(1, size)] * size).tolist())
        yield smaller(optimum, ours) or f"K = {size}, t = {t}: optimum {optimum}, the paper's {ours}"
