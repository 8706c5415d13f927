"""Section 4.1: the mechanism (12), (13), Theorem 1 and the steps of (14)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.mechanisms.unary_encoding import UnaryEncoding
from lpmech.papers.checking import check_every, check_family, check_identities, check_implications
from lpmech.papers.claims import Relations
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, S, paper_bits
from lpmech.verdicts import Outcome


@PAPER.claim(
    "eq. (12), (13)",
    r"P(Z(j)=1|j')+P(Z(j)=0|j')=1 for j=j' and j\ne j', with all four probabilities strictly between 0 and 1",
    hypotheses="s = e^(epsilon/2) > 1",
    formula=lambda s: ((s / (1 + s), 1 / (1 + s)), (1 / (1 + s), s / (1 + s))),
    mutants={
        "(13) as (12)": lambda s: ((s / (1 + s), 1 / (1 + s)), (s / (1 + s), 1 / (1 + s))),
        "(13) with e^epsilon": lambda s: ((s / (1 + s), 1 / (1 + s)), (1 / (1 + s**2), s**2 / (1 + s**2))),
    },
    note="Text: ((12) at j = j', at j != j'), ((13) at j = j', at j != j').",
)
def eq_12_13(table: Any) -> Outcome:
    (one_same, one_other), (zero_same, zero_other) = table(S)
    sums = check_identities(
        {"j = j'": (one_same + zero_same, 1), "j != j'": (one_other + zero_other, 1)}, "sums", hypotheses=[S > 1]
    )
    if sums.counterexample:
        return sums
    inside = {f"0 < {v} < 1": (v > 0) & (v < 1) for v in (one_same, one_other, zero_same, zero_other)}
    return check_implications([S > 1], inside, "both sum to one, and lie in (0, 1), for all s > 1")


def _factor(bits: Any, value: int, near: bool) -> Any:
    """P(Z(l) = value | l is the true class, or is not)."""
    p, q = bits(S)
    chance = p if near else q
    return chance if value else 1 - chance


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
)
def theorem_1(bits: Any) -> Relations:
    return {
        f"(z_j, z_j') = {(a, b)}": _factor(bits, a, True) * _factor(bits, b, False)
        <= S**2 * _factor(bits, a, False) * _factor(bits, b, True)
        for a, b in product((0, 1), repeat=2)
    }


@PAPER.claim(
    "Theorem 1 (attained)",
    r"the level is exactly \epsilon for every K\ge 2: the ratio is e^\epsilon at z_j=1, z_{j'}=0",
    hypotheses="for K = 1 the level is 0",
    given=[S > 1],
    evidence="identity in s",
    formula=lambda s: s**2,
    mutants={"e^(epsilon/2)": lambda s: s, "e^(2 epsilon)": lambda s: s**4},
)
def theorem_1_attained(level: Any) -> Relations:
    high = _factor(paper_bits, 1, True) * _factor(paper_bits, 0, False)
    low = _factor(paper_bits, 1, False) * _factor(paper_bits, 0, True)
    return {"ratio": (high / low, level(S))}


@PAPER.claim(
    "Theorem 1 [channels]",
    r"the channel into \{0,1\}^K written out has tight ratio e^\epsilon",
    hypotheses="K = 2, ..., 6, s in {3/2, 2, 3, 10}",
    recorded="certified",
    formula=lambda s: (s, s),
    mutants={
        "OUE's odds e^epsilon and e^epsilon": lambda s: (s * s, s * s),
        "odds e^eps and 1/2": lambda s: (s * s, s),
    },
)
def theorem_1_channels(odds: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        size, s = case
        channel = UnaryEncoding(size, *odds(s)).channel()
        return None if channel.ratio == s * s else f"K = {size}, s = {s}: tight ratio {channel.ratio}"

    return check_family([(n, s) for n in range(2, 7) for s in ROOTS], failure, "K = 2..6")


def _bit_ratio(s: Fraction, vector: tuple[int, ...], position: int, label: int, other: int) -> Fraction:
    p, q = paper_bits(s)
    chances = [p if position == y else q for y in (label, other)]
    return Fraction(chances[0] / chances[1] if vector[position] else (1 - chances[0]) / (1 - chances[1]))


_VECTORS = [
    (s, z, j, k)
    for s in (Fraction(2), Fraction(3))
    for n in (2, 3, 4)
    for z in product((0, 1), repeat=n)
    for j, k in product(range(n), repeat=2)
    if j != k
]


@PAPER.claim(
    "eq. (14) step 1",
    r"\frac{P(Z=z|j)}{P(Z=z|j')}=\prod_l\frac{P(Z(l)=z(l)|j)}{P(Z(l)=z(l)|j')}, by conditional independence",
    hypotheses="the written-out channel, K = 2, 3, 4, s in {2, 3}, every z and every pair j != j'",
    recorded="certified",
    formula=math.prod,
    mutants={"the largest factor": max, "the product without the last factor": lambda ratios: math.prod(ratios[:-1])},
)
def step_1(combine: Any) -> Outcome:
    tables = {(n, s): UnaryEncoding(n, s, s).channel() for n in (2, 3, 4) for s in (Fraction(2), Fraction(3))}

    def failure(case: tuple[Fraction, tuple[int, ...], int, int]) -> str | None:
        s, z, j, k = case
        channel = tables[len(z), s]
        column = channel.outputs.index(z)
        whole = channel.matrix[j, column] / channel.matrix[k, column]
        parts = combine([_bit_ratio(s, z, l, j, k) for l in range(len(z))])
        return None if whole == parts else f"s = {s}, z = {z}, labels {j}, {k}: {whole} against {parts}"

    return check_family(_VECTORS, failure, "all vectors")


@PAPER.claim(
    "eq. (14) step 2",
    r"only the factors l=j and l=j' remain, all others are 1",
    hypotheses="j != j', s > 1; a position l is j, j' or neither, with either bit: six cases, whatever K and z are",
    formula=("j", "j'"),
    mutants={"l = j alone": ("j",), "l = j' alone": ("j'",)},
)
def step_2(kept: tuple[str, ...]) -> Outcome:
    def failure(case: tuple[str, int]) -> str | None:
        position, value = case
        ratio = sp.cancel(_factor(paper_bits, value, position == "j") / _factor(paper_bits, value, position == "j'"))
        return None if position in kept or ratio == 1 else f"l = {position}, z(l) = {value}: the factor is {ratio}"

    return check_every(
        list(product(("j", "j'", "neither"), (0, 1))), failure, "all positions and bits", "sympy identity"
    )


@PAPER.claim(
    "eq. (14) step 3",
    r"each of the two factors is at most e^{\epsilon/2}, so their product is at most (e^{\epsilon/2})^2=e^\epsilon",
    hypotheses="both values of the bit, at j and at j'",
    given=[S > 1],
    evidence="for all s > 1",
    formula=lambda s: s,
    mutants={"(1 + s)/2": lambda s: (1 + s) / 2, "p/(1 - q) = 1": lambda s: s / s},
)
def step_3(bound: Any) -> Relations:
    return {
        f"z = {value}, {'j' if near else 'j prime'}": _factor(paper_bits, value, near)
        <= bound(S) * _factor(paper_bits, value, not near)
        for value, near in product((0, 1), (True, False))
    }


@PAPER.claim(
    "eq. (15), (16) (decoding)",
    r"(Z(j)-q)/(p-q) has mean P(Y=j): the vector reflects the class probabilities",
    hypotheses="eta = P(Y = j) in [0, 1]",
    formula=lambda z, p, q: (z - q) / (p - q),
    mutants={"z / p": lambda z, p, q: z / p, "(z - q) / p": lambda z, p, q: (z - q) / p, "z": lambda z, p, q: z},
    note="Abstract: 'a random vector ... whose expectations reflect class conditional probabilities'; unbiased only after decoding.",
)
def decoding(decode: Any) -> Outcome:
    eta, (p, q) = sp.Symbol("eta"), paper_bits(S)
    mean = eta * (p * decode(1, p, q) + (1 - p) * decode(0, p, q))
    mean += (1 - eta) * (q * decode(1, p, q) + (1 - q) * decode(0, p, q))
    return check_identities({"mean": (mean, eta)}, "identity in s and eta", hypotheses=[S > 1, eta >= 0, eta <= 1])


PAPER.leave_out(
    "Section 4.1 ('RAPPOR has the optimal convergence rate')",
    "a citation of Kairouz et al. 2016 on frequency estimation",
)
