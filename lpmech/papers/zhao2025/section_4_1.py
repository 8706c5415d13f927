"""Section 4.1: the mechanism (12), (13), Theorem 1, the steps of (14), and how good the split eps/2 + eps/2 is."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, each
from lpmech.mechanisms.unary_encoding import UnaryEncoding
from lpmech.papers.checks import equals, rr_entries
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, K, P, Q, S, T, best_hit_rate, paper_bits, vector
from lpmech.programs import optimal_channel
from lpmech.prove import steps
from lpmech.terms import functions as tm

ETA, OWN, OTHER = tm.symbols("eta p q")
#: Odds of a one at the true class, at a wrong one, and there with the best split.
ODDS, B, B0 = tm.symbols("a b b_0")

#: K, e^(epsilon/2) and the level.
_PROGRAMS = [(size, s, PrivacyLevel.from_ratio(s * s)) for size, s in product((2, 3, 4), ROOTS[:3])]


@PAPER.claim(
    "eq. (12), (13)",
    r"$P(Z(j)=1\mid j')+P(Z(j)=0\mid j')=1$ for $j=j'$ and $j\ne j'$, with all four probabilities strictly between 0 and 1",
    hypotheses=r"$s = e^{\epsilon/2}$",
    given=[S > 1],
    formula=lambda s: ((s / (1 + s), 1 / (1 + s)), (1 / (1 + s), s / (1 + s))),
    note=r"The four probabilities are (12) at $j = j'$ and at $j \ne j'$, (13) at $j = j'$ and at $j \ne j'$.",
)
def eq_12_13(table: Any) -> Relations:
    ones, zeros = table(S)
    entries = tm.And(*(tm.And(v > 0, v < 1) for v in (*ones, *zeros)))
    sums = {"sum at j = j'": (ones[0] + zeros[0], 1), "sum at j != j'": (ones[1] + zeros[1], 1)}
    return {**sums, "in (0, 1)": entries, "p": (ones[0], P), "q": (ones[1], Q)}


def bit_chance(bits: tuple[Any, Any], value: int, near: bool) -> Any:
    """P(Z(l) = value | l is the true class, or is not)."""
    chance = bits[0] if near else bits[1]
    return chance if value else 1 - chance


PAPER.claim(
    "Section 4.1 (a simple form of RAPPOR)",
    r"'(12) and (13) is a simple form of RAPPOR': the permanent bits of RAPPOR, set with $1-f/2$ and $f/2$, with one bit for each label and $f=2/(1+e^{\epsilon/2})$; RAPPOR's level $2h\ln\frac{1-f/2}{f/2}$, $h=1$, is $\epsilon$",
    hypotheses=r"RAPPOR's $f$ and level are quoted; $s = e^{\epsilon/2}$",
    given=[S > 1],
    formula=lambda s: 2 / (1 + s),
)(lambda f: {"at the label": (1 - f(S) / 2, P), "elsewhere": (f(S) / 2, Q), "odds": (1 - f(S) / 2, S * f(S) / 2)})


@PAPER.claim(
    "Theorem 1",
    r"(12), (13) is $\epsilon$-label LDP, for every number of classes $K$",
    hypotheses=r"$j \ne j'$; all other bits have the same law and cancel, so that the four values of $(z_j, z_{j'})$ are all there is",
    headline=1,
    given=[S > 1],
    replay="the library's p and q at s in {3/2, 2, 3, 10}",
    every={"(z_j, z_j')": list(product((0, 1), repeat=2))},
    formula=paper_bits,
)
def theorem_1(bits: Any) -> Parts:
    for s in ROOTS:
        ours = vector(2, s)
        yield Instance(f"s = {s}: p, q of the library", (ours.p, ours.q), "==", bits(s))
    pair = bits(S)
    for a, b in each("(z_j, z_j')"):
        first, second = (bit_chance(pair, a, near) * bit_chance(pair, b, not near) for near in (True, False))
        yield f"$(z_j, z_{{j'}}) = ({a}, {b})$", first <= S**2 * second


PAPER.claim(
    "Theorem 1 (attained)",
    r"the level is exactly $\epsilon$ for every $K\ge 2$: the ratio is $e^\epsilon$ at $z_j=1$, $z_{j'}=0$",
    hypotheses="for $K = 1$ the level is 0",
    given=[S > 1],
    kind="ours",
    formula=lambda s: s**2,
)(equals([S], ratio=P * (1 - Q) / (Q * (1 - P))))


@PAPER.claim(
    "Theorem 1 [channels]",
    r"the channel into $\{0,1\}^K$ written out has tight ratio $e^\epsilon$",
    family="K = 2, ..., 6, s in {3/2, 2, 3, 10}",
    formula=lambda s: (s, s),
)
def theorem_1_channels(odds: Any) -> Parts:
    for size, s in product(range(2, 7), ROOTS):
        channel = UnaryEncoding(size, *odds(s)).channel()
        same = channel == vector(size, s).channel()
        tight = Instance(f"K = {size}, s = {s}: tight ratio, s^2", channel.ratio, "==", s * s)
        yield tight if same else f"K = {size}, s = {s}: bits {channel.matrix[0].tolist()}"


@PAPER.claim(
    "eq. (14) step 1",
    r"$\frac{P(Z=z\mid j)}{P(Z=z\mid j')}=\prod_l\frac{P(Z(l)=z(l)\mid j)}{P(Z(l)=z(l)\mid j')}$, by conditional independence",
    family="the written-out channel, K = 2, 3, 4, s in {2, 3}, every z and every pair j != j'",
    formula=math.prod,
    mutants={"the largest factor": max, "the product without the last factor": lambda ratios: math.prod(ratios[:-1])},
)
def step_1(combine: Any) -> Parts:
    for s, n in product((Fraction(2), Fraction(3)), (2, 3, 4)):
        channel, bits = UnaryEncoding(n, s, s).channel(), paper_bits(s)
        bit_vectors: list[Any] = list(channel.outputs)
        first, *others = enumerate(bit_vectors)
        for (column, z), (j, k) in product([*others, first], permutations(range(n), 2)):
            whole = channel.matrix[j, column] / channel.matrix[k, column]
            parts = combine([bit_chance(bits, z[l], l == j) / bit_chance(bits, z[l], l == k) for l in range(n)])
            yield Instance(
                f"s = {s}, z = {z}, labels {j + 1}, {k + 1}: ratio, product of the factors", whole, "==", parts
            )


@PAPER.claim(
    "eq. (14) step 2",
    "only the factors $l=j$ and $l=j'$ remain, all others are 1",
    hypotheses=r"$j \ne j'$, $s > 1$, any $K$ and $z$",
    every={"l, z(l)": list(product(("j", "j'", "neither"), (0, 1)))},
    method="sympy identity",
    formula={"j", "j'"},
    mutants={"l = j alone": {"j"}, "every factor": {"j", "j'", "neither"}},
)
def step_2(kept: set[str]) -> Parts:
    for position, value in each("l, z(l)"):
        ratio = steps.cancel(bit_chance((P, Q), value, position == "j") / bit_chance((P, Q), value, position == "j'"))
        where = f"l = {position}, z(l) = {value}: the factor"
        yield Instance(where, ratio, "!=" if position in kept else "==", tm.Rational(1))


PAPER.claim(
    "eq. (14) step 3",
    r"each of the two factors is at most $e^{\epsilon/2}$, so their product is at most $(e^{\epsilon/2})^2=e^\epsilon$",
    hypotheses="both values of the bit, at $j$ and at $j'$",
    given=[S > 1],
    formula=lambda s: s,
)(lambda bound: {"the largest of the factors": (tm.Max(P / Q, (1 - P) / (1 - Q), Q / P, (1 - Q) / (1 - P)), bound(S))})


@PAPER.claim(
    "eq. (15), (16) (decoding)",
    "$(Z(j)-q)/(p-q)$ has mean $P(Y=j)$: the vector reflects the class probabilities",
    hypotheses=r"$\eta = P(Y = j)$",
    given=[OWN > OTHER, OTHER > 0, OWN < 1, ETA >= 0, ETA <= 1],
    every={"z": (0, 1)},
    formula=lambda z, p, q: (z - q) / (p - q),
    note="Abstract: 'a random vector ... whose expectations reflect class conditional probabilities'; unbiased only after decoding.",
)
def decoding(decode: Any) -> Relations:
    one = ETA * OWN + (1 - ETA) * OTHER
    return {"mean of the decoded bit": (one * decode(1, OWN, OTHER) + (1 - one) * decode(0, OWN, OTHER), ETA)}


def total_variance(t: Any, k: Any, b: Any) -> Any:
    """Sum over classes of the variance of the decoded counts, per example, at odds b: p/(1-p) = t b, q/(1-q) = b."""
    p, q = t * b / (1 + t * b), b / (1 + b)
    return (p * (1 - p) + (k - 1) * q * (1 - q)) / (p - q) ** 2


@PAPER.claim(
    "Section 4.1 (split, variance)",
    r"among the unary encodings of level $\epsilon$ the total variance of the count estimates is least at $q/(1-q)=b_0$, $b_0^2=(t+K-1)/(t(1+(K-1)t))$",
    hypotheses=r"$p/(1-p) = t b$ and $q/(1-q) = b$, which is level $\epsilon$, all $b > 0$: the difference to the variance at $b_0$ is a square over positive numbers",
    kind="ours",
    formula=lambda t, k: (t + k - 1) / (t * (1 + (k - 1) * t)),
    note=r"Not stated by the paper, which gives no reason for $\epsilon/2 + \epsilon/2$.",
)
def least_variance(square: Any) -> Parts:
    difference = total_variance(T, K, B) - total_variance(T, K, B0)
    gain = (T + K - 1) * (B - B0) ** 2 / (B * B0**2 * (T - 1) ** 2)
    yield (
        [T > 1, K >= 2, B > 0, B0 > 0, tm.Eq(B0**2, square(T, K))],
        {"variance(b) - variance(b_0)": (difference, gain)},
    )


PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, variance)",
    "the paper's split is the one of least total variance iff $K=2$",
    given=[T > 1, K > 1],
    kind="ours",
    formula=lambda k: tm.Eq(k, 2),
)(lambda condition: {"iff 1/t = b_0^2": tm.Equivalent(condition(K), tm.Eq((T + K - 1) * T, T * (1 + (K - 1) * T)))})


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, difference p - q)",
    r"among the unary encodings of level at most $\epsilon$ the paper's split alone has the largest $p-q$, $(e^{\epsilon/2}-1)/(e^{\epsilon/2}+1)$, for every $K$: the smallest factor $\Delta_\epsilon/\Delta$ in (21)",
    hypotheses="$a$ the odds of a one at the true class, $b$ those at another one",
    given=[S > 1, B > 0, ODDS > 0, S**2 * B >= ODDS],
    kind="ours",
    formula=lambda s: (s - 1) / (s + 1),
    note="Not stated by the paper; it is what its bound (20) divides the error by, and there the split is best. In variance and hit rate it is best for $K = 2$ only.",
)
def largest_difference(largest: Any) -> Relations:
    difference = ODDS / (1 + ODDS) - B / (1 + B)
    own = tm.And(tm.Eq(ODDS, S), tm.Eq(S * B, 1))
    equal = tm.Equivalent(own, tm.Eq(difference, largest(S)))
    return {"at most": difference <= largest(S), "equal iff the paper's split": equal}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, hit rate, K = 2)",
    r"for $K=2$ the hit rate of a guess among the ones is $(1+p-q)/2\le s/(1+s)$, attained by the paper's split only",
    hypotheses="odds $s^2 b$ of a one at the true class, $b$ at the other one",
    given=[S > 1, B > 0],
    kind="ours",
    formula=lambda s: s / (1 + s),
    note=r"RR on the same two labels reaches $e^\epsilon/(e^\epsilon + 1)$, which is more.",
)
def hit_rate_two(best: Any) -> Relations:
    a = S**2 * B
    p, q = a / (1 + a), B / (1 + B)
    rate = (p / q * (1 - (1 - q) ** 2) + (1 - p) * (1 - q)) / 2
    short = (1 + p - q) / 2
    equal = tm.Equivalent(tm.Eq(S * B, 1), tm.Eq(short, best(S)))
    return {"(1 + p - q)/2": (rate, short), "at most": short <= best(S), "equal iff the paper's split": equal}


@PAPER.claim(
    "Section 4.1 (split eps/2 + eps/2, hit rate, K >= 3)",
    r"for $K\ge 3$ another split of $\epsilon$ has a larger hit rate than the paper's",
    hypotheses="odds of a zero at a wrong class: the paper's $s$ times $c = 21/20$; odds of a one at the true class $s/c$",
    family="K = 3, ..., 12, s in {3/2, 2, 3, 10}",
    kind="ours",
    formula=Fraction(21, 20),
    survivors="the claim is that some other split is better: many are",
)
def hit_rate_more(c: Fraction) -> Parts:
    for size, s in product(range(3, 13), ROOTS):
        ours, other = UnaryEncoding(size, s, s).hit_rate, UnaryEncoding(size, s / c, s * c).hit_rate
        yield Instance(f"K = {size}, s = {s}: hit rate of the other split, of the paper's", other, ">", ours)


def scalar_and_vector_variance(s: Any, k: Any) -> tuple[Any, Any]:
    """Total variances, per example, of the decoded label of randomized response and of the decoded vector."""
    return (k - 1) * (2 * s**2 + k - 2) / (s**2 - 1) ** 2, k * s / (s - 1) ** 2


SCALAR, VECTOR = scalar_and_vector_variance(S, K)


PAPER.claim(
    "Section 4.1 (rate of RAPPOR)",
    r"for $e^\epsilon\ge K$, at every $N$, RAPPOR's total variance is more than $e^{\epsilon/2}/3$ times that of randomized response",
    hypotheses=r"both variances by 'Section 4.1 (variance against randomized response)', per example: divided by $N$ in a mean, so that the rate in $N$ is that of every such encoding. Optimal for small $\epsilon$ is quoted, not checked",
    uses=["Section 4.1 (variance against randomized response)"],
    kind="ours",
    given=[S > 1, K >= 2, S**2 >= K],
    formula=lambda s: s / 3,
    survivors="a slightly larger factor holds too: 1/3 is what remains for s^2 = K to infinity",
    note=r"The section says 'RAPPOR has the optimal convergence rate' without a condition; the rate can be optimal for smaller $\epsilon$ only. The abstract of Kairouz et al. 2016, whom the sentence cites, has 'the order-optimality of k-RR and the existing RAPPOR mechanism at different privacy regimes'.",
)(lambda factor: {"vector against scalar": VECTOR > factor(S) * SCALAR, "no smaller factor": factor(S) >= S / 3})


@PAPER.claim(
    "Section 4.1 (variance against randomized response)",
    r"the decoded label of randomized response has a smaller total variance than the paper's decoded vector iff $(K-1)(2e^\epsilon+K-2)<Ks(s+1)^2$",
    hypotheses=r"$s = e^{\epsilon/2}$; uniform or any other label distribution (both sums of variances do not depend on it)",
    given=[S > 1, K >= 2],
    kind="ours",
    formula=lambda s, k: (k - 1) * (2 * s**2 + k - 2) < k * s * (s + 1) ** 2,
    note=r"At $e^\epsilon = 4$ randomized response is better for $K \le 13$, at $e^\epsilon = e$ ($s = 1.65$) for $K \le 9$; the vector for more classes.",
)
def variance_against_rr(condition: Any) -> Relations:
    high, low = rr_entries(S**2, K)
    return {
        "scalar": ((high * (1 - high) + (K - 1) * low * (1 - low)) / (high - low) ** 2, SCALAR),
        "vector": (total_variance(S**2, K, 1 / S), VECTOR),
        "less of the scalar iff": tm.Equivalent(condition(S, K), SCALAR < VECTOR),
    }


@PAPER.claim(
    "Section 4.1 (hit rate against the program)",
    r"the best $\epsilon$-LDP channel into $\{0,1\}^K$ has hit rate $e^\epsilon/(e^\epsilon+K-1)$, that of randomized response on one-hot vectors",
    hypotheses=r"uniform labels; a guess among the ones is a decoding; $D$ the sum over the labels of the probability that a label is decoded to itself, $(K - 1) D \le t (K - D)$ as in App. B.1 without $j = i$",
    replay="the exact optimum of the program with 2^K outputs, K = 2, 3, 4, t in {9/4, 4, 9}",
    method="exact linear programs",
    kind="ours",
    formula=lambda t, k: t / (t + k - 1),
    note=r"At $K = 4$ and $e^\epsilon = 4$ the paper's vector hits with $23/54 = 0.426$, the optimum with $4/7 = 0.571$.",
)
def hit_rate_program(value: Any) -> Parts:
    for size, s, level in _PROGRAMS:
        # u[y, z]: probability that a random one of z (any class if there is none) is y
        vectors = list(product((0, 1), repeat=size))
        guess = [[Fraction(z[y], sum(z)) if any(z) else Fraction(1, size) for z in vectors] for y in range(size)]
        optimum, most = optimal_channel(guess, level).solve("exact").value, value(s * s, size)
        yield Instance(f"K = {size}, t = {s * s}: optimum, as stated", optimum, "==", most)
    yield best_hit_rate(value)


@PAPER.claim(
    "Section 4.1 (squared error against the program)",
    r"for the decoding $(z-q)/(p-q)$ with the paper's $p$, $q$ another $\epsilon$-LDP channel into $\{0,1\}^K$ has a smaller mean squared error",
    hypotheses="uniform labels; the optimum may be biased",
    family="K = 2, 3, 4, t in {9/4, 4, 9}",
    method="exact linear programs",
    kind="ours",
    formula=operator.lt,
    mutants={"the paper's is best": operator.eq},
)
def squared_error_program(smaller: Any) -> Parts:
    for size, s, level in _PROGRAMS:
        encoding = vector(size, s)
        p, q = Fraction(encoding.p), Fraction(encoding.q)
        bits: Any = np.array(encoding.channel().outputs, dtype=object)
        utility = [(-(((bits - q) / (p - q) - own) ** 2).sum(axis=1)).tolist() for own in np.eye(size, dtype=int)]
        optimum = -optimal_channel(utility, level).solve("exact").value
        ours = sum(encoding.count_variance([Fraction(1, size)] * size).tolist())
        less = Instance(f"K = {size}, t = {s * s}: squared error of the optimum, of the paper's", optimum, "<", ours)
        fine = smaller(optimum, ours) and not smaller(ours, optimum)
        yield less if fine == less.holds else f"{less.where} are not related so"
