"""Section 4.1: the mechanism (12), (13), Theorem 1 and the steps of (14)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations
from lpmech.mechanisms.unary_encoding import UnaryEncoding
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, S, paper_bits

ETA, BITS = sp.Symbol("eta"), paper_bits(S)


@PAPER.claim(
    "eq. (12), (13)",
    r"P(Z(j)=1|j')+P(Z(j)=0|j')=1 for j=j' and j\ne j', with all four probabilities strictly between 0 and 1",
    hypotheses="s = e^(epsilon/2)",
    given=[S > 1],
    evidence="both sum to one, and lie in (0, 1), for all s > 1",
    formula=lambda s: ((s / (1 + s), 1 / (1 + s)), (1 / (1 + s), s / (1 + s))),
    mutants={"(13) as (12)": lambda s: ((s / (1 + s), 1 / (1 + s)), (s / (1 + s), 1 / (1 + s)))},
    note="Text: ((12) at j = j', at j != j'), ((13) at j = j', at j != j').",
)
def eq_12_13(table: Any) -> Relations:
    ones, zeros = table(S)
    entries = sp.And(*(sp.And(v > 0, v < 1) for v in (*ones, *zeros)))
    return {"j = j'": (ones[0] + zeros[0], 1), "j != j'": (ones[1] + zeros[1], 1), "in (0, 1)": entries}


def bit_chance(bits: tuple[Any, Any], value: int, near: bool) -> Any:
    """P(Z(l) = value | l is the true class, or is not)."""
    chance = bits[0] if near else bits[1]
    return chance if value else 1 - chance


@PAPER.claim(
    "Section 4.1 (a simple form of RAPPOR)",
    r"'(12) and (13) is a simple form of RAPPOR': the permanent bits of RAPPOR, set with 1-f/2 and f/2, with one bit for each label and f=2/(1+e^{\epsilon/2}); RAPPOR's level 2h\ln\frac{1-f/2}{f/2}, h=1, is \epsilon",
    hypotheses="RAPPOR's f and level are quoted; s = e^(epsilon/2)",
    given=[S > 1],
    evidence="identities in s",
    formula=lambda s: 2 / (1 + s),
)
def rappor(f: Any) -> Relations:
    half, (p, q) = sp.Rational(1, 2) * f(S), BITS
    return {"at the label": (1 - half, p), "elsewhere": (half, q), "odds, half of epsilon each": (1 - half, S * half)}


@PAPER.claim(
    "Theorem 1",
    r"(12), (13) is \epsilon-label LDP, for every number of classes K",
    hypotheses="j != j'; all other bits have the same law and cancel, so that the four values of (z_j, z_j') are all there is",
    headline=1,
    given=[S > 1],
    evidence="cross-multiplied, for all s > 1",
    formula=paper_bits,
    mutants={
        "all of epsilon in each bit": lambda s: (s**2 / (1 + s**2), 1 / (1 + s**2)),
        "p = s/(1+s), q = 1/(1+s)^2": lambda s: (s / (1 + s), 1 / (1 + s) ** 2),
    },
    survivors={"s -> s ** 2, line 3, place 2": "p = s/(1+s^2) is smaller, and private too; (12) has the level exactly"},
)
def theorem_1(bits: Any) -> Relations:
    pair = bits(S)
    return {
        f"(z_j, z_j') = {(a, b)}": bit_chance(pair, a, True) * bit_chance(pair, b, False)
        <= S**2 * bit_chance(pair, a, False) * bit_chance(pair, b, True)
        for a, b in product((0, 1), repeat=2)
    }


@PAPER.claim(
    "Theorem 1 (attained)",
    r"the level is exactly \epsilon for every K\ge 2: the ratio is e^\epsilon at z_j=1, z_{j'}=0",
    hypotheses="for K = 1 the level is 0",
    given=[S > 1],
    evidence="identity in s",
    formula=lambda s: s**2,
)
def theorem_1_attained(level: Any) -> Relations:
    p, q = BITS
    return {"ratio": (p * (1 - q) / (q * (1 - p)), level(S))}


@PAPER.claim(
    "Theorem 1 [channels]",
    r"the channel into \{0,1\}^K written out has tight ratio e^\epsilon",
    recorded="certified",
    family="K = 2, ..., 6, s in {3/2, 2, 3, 10}",
    formula=lambda s: (s, s),
)
def theorem_1_channels(odds: Any) -> Parts:
    for size, s in product(range(2, 7), ROOTS):
        channel = UnaryEncoding(size, *odds(s)).channel()
        yield channel.ratio == s * s or f"K = {size}, s = {s}: tight ratio {channel.ratio}"


@PAPER.claim(
    "eq. (14) step 1",
    r"\frac{P(Z=z|j)}{P(Z=z|j')}=\prod_l\frac{P(Z(l)=z(l)|j)}{P(Z(l)=z(l)|j')}, by conditional independence",
    recorded="certified",
    family="the written-out channel, K = 2, 3, 4, s in {2, 3}, every z and every pair j != j'",
    formula=math.prod,
    mutants={"the largest factor": max, "the product without the last factor": lambda ratios: math.prod(ratios[:-1])},
)
def step_1(combine: Any) -> Parts:
    for s, n in product((Fraction(2), Fraction(3)), (2, 3, 4)):
        channel, bits = UnaryEncoding(n, s, s).channel(), paper_bits(s)
        for (column, z), (j, k) in product(enumerate(channel.outputs), permutations(range(n), 2)):
            whole = channel.matrix[j, column] / channel.matrix[k, column]
            parts = combine([bit_chance(bits, z[l], l == j) / bit_chance(bits, z[l], l == k) for l in range(n)])
            yield whole == parts or f"s = {s}, z = {z}, labels {j}, {k}: {whole} against {parts}"


@PAPER.claim(
    "eq. (14) step 2",
    r"only the factors l=j and l=j' remain, all others are 1",
    hypotheses="j != j', s > 1, any K and z",
    every="a position l is j, j' or neither, with either bit",
    method="sympy identity",
    formula=("j", "j'"),
    mutants={"l = j alone": ("j",), "l = j' alone": ("j'",), "every factor": ("j", "j'", "neither")},
)
def step_2(kept: tuple[str, ...]) -> Parts:
    for position, value in product(("j", "j'", "neither"), (0, 1)):
        ratio = sp.cancel(bit_chance(BITS, value, position == "j") / bit_chance(BITS, value, position == "j'"))
        yield (position in kept) == (ratio != 1) or f"l = {position}, z(l) = {value}: the factor is {ratio}"


@PAPER.claim(
    "eq. (14) step 3",
    r"each of the two factors is at most e^{\epsilon/2}, so their product is at most (e^{\epsilon/2})^2=e^\epsilon",
    hypotheses="both values of the bit, at j and at j'",
    given=[S > 1],
    evidence="for all s > 1",
    formula=lambda s: s,
    mutants={"(1 + s)/2": lambda s: (1 + s) / 2},
)
def step_3(bound: Any) -> Parts:
    for value, near in product((0, 1), (True, False)):
        ours, theirs = bit_chance(BITS, value, near), bit_chance(BITS, value, not near)
        yield f"z = {value}, {'j' if near else 'j prime'}", ours <= bound(S) * theirs
    yield "attained at z = 1, j", (BITS[0], bound(S) * BITS[1])


@PAPER.claim(
    "eq. (15), (16) (decoding)",
    r"(Z(j)-q)/(p-q) has mean P(Y=j): the vector reflects the class probabilities",
    hypotheses="eta = P(Y = j)",
    given=[S > 1, ETA >= 0, ETA <= 1],
    evidence="identity in s and eta",
    formula=lambda z, p, q: (z - q) / (p - q),
    mutants={"z / p": lambda z, p, q: z / p, "the bit itself": lambda z, p, q: z},
    note="Abstract: 'a random vector ... whose expectations reflect class conditional probabilities'; unbiased only after decoding.",
)
def decoding(decode: Any) -> Relations:
    p, q = BITS
    one = ETA * p + (1 - ETA) * q
    return {"mean": (one * decode(1, p, q) + (1 - one) * decode(0, p, q), ETA)}
