"""App. G: what Theorem 17 quotes, Lemma 21 (uniform deviation) and Lemma 22 (contraction)."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.papers.checks import ball, binomial_law
from lpmech.papers.ghazi2021.paper import PAPER
from lpmech.papers.ghazi2021.theorem_17 import failing, law_of_a_mean
from lpmech.terms import functions as tm

#: The letters of the hypotheses, claim by claim.
A, B, U, V, PHI_U, PHI_V, LIPSCHITZ = tm.symbols("a b u v phi_u phi_v L")


@PAPER.claim(
    "Lemma 21 (22)",
    r"$|E f(v)-\frac{1}{n}\sum f(v_i)|\le 2R_{n,D}(F)+\sqrt{\ln(2/\beta)/n}$ with probability at least $1-\beta$ for $f$ with values in $[0,1]$",
    hypotheses=r"$\beta \in \{1/2, 1/20, 1/100\}$, $n = 1$, ..., 12; $F =$ one indicator with mean in $\{1/4, 1/2, 9/10\}$ ($R = 0$), and $F =$ all indicators on $m = 12$, 100 points of equal "
    "probability ($R$ near $1/2$ for $m = 100$); exact tails, exact $R$",
    family="one function and all functions",
    method="exact tails, ball arithmetic (arb)",
    formula=(2, lambda x, n: x / n),
    survivors={
        **dict.fromkeys(
            ["part 1: 2 -> 3", "part 2: x / n -> x", "part 2: x -> x + 1", "part 2: x -> x ** 2"],
            "a larger bound, as x = ln(2/beta) > 1",
        ),
        "part 2: n -> n + 1": "above the usual form, ln(2/beta)/(2n)",
    },
    note=r"Quoted from Bartlett and Mendelson; the usual form has $\ln(2/\beta)/(2n)$, which is stronger.",
)
def lemma_21(bound: Any) -> Parts:
    factor, square = bound
    means, sizes = map(Fraction, ("1/2", "1/4", "9/10")), range(12, 0, -1)
    one, zero = Fraction(1), Fraction(0)
    classes = [(f"one indicator, mean {p}", n, zero, law_of_a_mean(n, p, one, zero)) for p, n in product(means, sizes)]
    for m, n in product((12, 100), sizes):
        classes.append((f"all indicators on {m} points", n, complexity_of_all(m, n), [*law_of_all(m, n).items()]))
    larger_than_needed = True
    for (name, n, complexity, law), beta in product(classes, map(Fraction, ("1/2", "1/20", "1/100"))):
        radius = ball(factor * complexity) + square((2 / ball(beta)).log(), n).sqrt()
        where = f"{name}, n = {n}, beta = {beta}, R = {float(complexity):.4g}: Pr[deviation > {radius.str(4, radius=False)}], beta"
        yield Instance(where, failing(law, radius), "<=", beta)
        larger_than_needed &= failing(law, radius / 4) <= beta
    yield not larger_than_needed or "a quarter of the bound would do in every case"


def law_of_all(m: int, n: int) -> dict[Fraction, Fraction]:
    """Largest deviation -> probability, for all indicators on m >= n points: 1 - (points seen) / m, at the set that is seen."""
    seen = {0: Fraction(1)}
    for _ in range(n):
        following: dict[int, Fraction] = defaultdict(Fraction)
        for s, p in seen.items():
            following[s] += p * Fraction(s, m)
            following[s + 1] += p * Fraction(m - s, m)
        seen = following
    return {1 - Fraction(s, m): p for s, p in seen.items() if p}


def complexity_of_all(m: int, n: int) -> Fraction:
    """(20) of that class: an indicator takes every point whose signs sum to a positive number, m E|sum| / (2 n) in all."""
    total = Fraction(0)
    for count, chance in enumerate(binomial_law(n, Fraction(1, m))):
        walk = Fraction(sum(comb(count, up) * abs(2 * up - count) for up in range(count + 1)), 2**count)
        total += chance * walk
    return m * total / (2 * n)


@PAPER.claim(
    "Lemma 22 (23), with (25)",
    r"$E_\sigma\sup_f\frac{1}{n}\sum\sigma_i\Phi_i(f(v_i))\le L\hat{R}_{n,S}(F)$ for L-Lipschitz $\Phi_i$",
    hypotheses=r"any $n$ and class: $\Phi_i$ are replaced by $L$ times the identity one at a time. For the sign of one $i$ the mean of two suprema is half that of "
    r"$A(f) + A(g) + \Phi(f) - \Phi(g)$ over pairs, $A$ the rest of the sum ($a$, $b$; $f$ and $g$ have the values $u$, $v$, $\Phi$ there $\phi_u$, $\phi_v$)",
    given=[LIPSCHITZ >= 0, PHI_U - PHI_V <= LIPSCHITZ * tm.Max(U - V, V - U)],
    formula=1,
    note=r"(25) takes $\Phi_i =$ the debiased loss at $(x_i, y_i)$, with Lemma 19's constant (27). Needs no value at 0: (20) has no absolute value.",
)
def lemma_22(constant: Any) -> Parts:
    pair, slope = A + B + PHI_U - PHI_V, constant * LIPSCHITZ
    straight, exchanged = A + B + slope * (U - V), A + B + slope * (V - U)
    identity = tm.Eq(PHI_U - PHI_V, LIPSCHITZ * (U - V))
    yield "the pair, or the pair exchanged", pair <= tm.Max(straight, exchanged)
    yield "attained by L times the identity", tm.Implies(identity, tm.Eq(pair, straight))
