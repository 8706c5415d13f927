"""(4.1) as cvxpy writes it and as sigma gives it, the determinants of (3.1), and both at the ends of their arguments."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.claims import Parts, Relations
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.block_rr import block_rr_from_partition, block_rr_from_prior
from lpmech.mechanisms.block_rr.derivation import determinants
from lpmech.mechanisms.block_rr.optimality import block_rr_is_optimal
from lpmech.mechanisms.block_rr.program import block_rr_in_cvxpy, block_rr_program, block_rr_program_from_decay
from lpmech.mechanisms.block_rr.relaxation import Relaxation, block_rr_relaxation, diagonal_relaxation
from lpmech.papers.checks import as_stated, ball, excess_of_channel, in_floats, optimum, refuses
from lpmech.papers.liu2026.equation_3_1 import IN_PAPER
from lpmech.papers.liu2026.paper import ALL, PAPER, SIZES, beta, gamma, kappa
from lpmech.prove.from_sympy import term_of


def _settings(decays: str) -> Iterator[tuple[tuple[Fraction, ...], list[int], Fraction, Fraction, int]]:
    """Prior, S1, decay, t and l: a zero, ties, a prior that rises, every l, S2 empty."""
    priors = (("1/2 1/3 1/6", [0, 1]), ("0 1/4 3/4", [2]), ("1/4 1/4 1/4 1/4", [1, 3]), ("2/5 3/5", [0, 1]))
    for (prior, majority), d, t in product(priors, decays.split(), ("3/2", "8")):
        for l in range(len(majority) + 1):
            yield tuple(map(Fraction, prior.split())), majority, Fraction(d), Fraction(t), l


def _told(p: tuple[Fraction, ...], majority: list[int], d: Any, t: Fraction, l: int) -> str:
    return f"p = ({', '.join(map(str, p))}), S1 = {majority}, d = {d}, t = {t}, l = {l}"


@PAPER.claim(
    "Ours (determinants of (3.1))",
    r"$\kappa$, $\beta_1$, $\gamma_1$ of (3.2) are the determinants of (3.1): of its coefficients, and with the right-hand sides in the first and in the second column",
    given=SIZES,
    formula=(
        lambda t, b, s1, s2, l: ((t - 1) * b + s1) * ((t - 1) * b + s2) - (s1 - l) * s2,
        lambda t, b, s1, s2, l: (t - 1) * b + l * s2 / (s1 + s2),
        lambda t, b, s1, s2, l: (t - 1) * b + l - l * ((t - 1) * b + s1) / (s1 + s2),
    ),
)
def by_cramer(printed: Any) -> Relations:
    first, one, other = (term_of(determinant).at(IN_PAPER) for determinant in determinants())
    k, beta_1, gamma_1 = (part(*ALL) for part in printed)
    found = {"kappa": (first, k), "beta_1": (one, beta_1), "gamma_1": (other, gamma_1)}
    return {**found, "kappa()": (kappa(*ALL), k), "beta()": (beta(*ALL) * k, one), "gamma()": (gamma(*ALL) * k, other)}


@PAPER.claim(
    "Implementation ((4.1) in cvxpy)",
    r"`block_rr_in_cvxpy` is (4.1): $\max\sum w_{yj}p_{j\mid y}$, $p_{j\mid y}\le e^\epsilon p_{j\mid y'}$, $p_{j\mid y}=1/K$ for $y\in\mathcal{S}_2$, $j\in\Delta$, rows sum to one, $p\ge 0$; its optimum is that of `block_rr_program_from_decay`",
    hypotheses="objective and labelled constraints at a random matrix with entries of both signs, within $10^{-9}$; HiGHS's optimum within $10^{-7}$ of the exact one",
    recorded="supported",
    formula=block_rr_in_cvxpy,
)
@in_floats("four priors, a zero and ties among them, with S1, every l, S2 empty once; t = 3/2, 8; d = 1/2")
def in_cvxpy(problem: Any) -> Parts:
    rng = np.random.default_rng(0)
    for prior, majority, d, t, l in _settings("1/2"):
        arguments, size = (prior, majority, d, PrivacyLevel.from_ratio(t), l), len(prior)
        p, made, numbers = rng.normal(size=(size, size)), problem(*arguments), np.array(prior, dtype=float)
        rare = [y for y in range(size) if y not in majority]
        delta = sorted(majority, key=lambda y, prior=prior: (-prior[y], y))[:l]  # type: ignore[misc]
        excess = excess_of_channel(p, float(t), *(f"(4.1) {name}" for name in ("privacy", "rows", "not negative")))
        if rare and delta:
            excess["(4.1) S2 on Delta"] = abs(p[np.ix_(rare, delta)] - 1 / size)
        objective = float(d) * (p @ numbers).sum() + (1 - float(d)) * np.diag(p) @ numbers
        yield from as_stated(made, {"p": p}, objective, excess)
        found, best = optimum(made), block_rr_program_from_decay(*arguments).solve("exact").value
        yield abs(found - best) <= 1e-7 or f"{_told(prior, majority, d, t, l)}: optimum {found}, not {best}"


@PAPER.claim(
    "Ours (S1 of sigma)",
    r"`block_rr_program` is (4.1) and `block_rr_from_prior` BlockRR with $S_1=\{i:p_i\ge e^{-1/\sigma}p_j\ \forall j\ne i\}$, in (4.1) with the weights $p_j e^{-[y\ne j]/\sigma}$",
    hypotheses=r"the exponential in ball arithmetic, weights within $10^{-15}$, entries exactly; $1/\sigma = 1000$ has a decay below all floats, and a label of prior zero is not in $S_1$ even so",
    family="three priors, one with a zero, one uniform, 1/sigma = 1/3, 2/3, 2, 1000, l = 0 and |S1|, t = 3",
    formula=(block_rr_program, block_rr_from_prior),
)
def by_sigma(functions: Any) -> Parts:
    level, priors = PrivacyLevel.from_ratio(3), ("1/2 1/3 1/6", "5/8 3/8 0", "1/4 1/4 1/4 1/4")
    for text, rate in product(priors, map(Fraction, ("1/3", "2/3", "2", "1000"))):
        p, decay = tuple(map(Fraction, text.split())), (-ball(rate)).exp()
        labels = range(len(p))
        majority = [i for i in labels if all(ball(p[i]) >= decay * ball(p[j]) for j in labels if j != i)]
        for l in {0, len(majority)}:
            program, channel = (function(p, level, 1 / float(rate), l) for function in functions)
            at = _told(p, majority, f"exp(-{rate})", Fraction(3), l)
            fixed = {(y, j): Fraction(1, len(p)) for y in labels if y not in majority for j in majority[:l]}  # p falls
            same = channel.matrix.tolist() == block_rr_from_partition(p, majority, level, l).matrix.tolist()
            yield (same and dict(program.fixed) == fixed) or f"{at}: another channel, or fixed {dict(program.fixed)}"
            floats = functions[0]([float(v) for v in p], level, 1 / float(rate), l).fixed
            near = floats.keys() == fixed.keys() and all(abs(v - 1 / len(p)) <= 1e-15 for v in floats.values())
            yield near or f"{at}: in floats {dict(floats)} are fixed"
            right = [ball(p[j]) * (1 if y == j else decay) for y in labels for j in labels]
            off = [abs(arb(float(w)) - v) for w, v in zip(program.weights.ravel(), right, strict=True)]
            yield all(v <= arb("1e-15") for v in off) or f"{at}: weights {program.weights.tolist()}"


@PAPER.claim(
    "Ours (ends of the decay)",
    r"`block_rr_is_optimal` says whether BlockRR attains the optimum of (4.1), for $d=0$ too, and refuses $d<0$ and $d\ge 1$; the diagonal part of (4.9) has the optimum of `diagonal_relaxation` in floats, all of it none",
    hypotheses="the optimum of (4.1) by the exact solver; of (4.9) by HiGHS within $10^{-9}$",
    family="four priors, a zero and ties among them, with S1, every l, S2 empty once; t = 3/2, 8; d = 0, 1/2",
    formula=(block_rr_is_optimal, Relaxation.solve),
    survivors={"part 1: 0 -> -1 in as_array([decay], 'decay', 1)[0]": "the array has one entry"},
)
def at_the_ends(functions: Any) -> Parts:
    is_optimal, solve = functions
    for p, majority, d, t, l in _settings("0 1/2"):
        at, level = _told(p, majority, d, t, l), PrivacyLevel.from_ratio(t)
        program = block_rr_program_from_decay(p, majority, d, level, l)
        attained = program.value(block_rr_from_partition(p, majority, level, l)) == program.solve("exact").value
        yield is_optimal(p, majority, d, level, l) is attained or f"{at}: BlockRR optimal: {attained}"
        whole = block_rr_relaxation(p, majority, d, level, l)
        diagonal = Relaxation(whole.weights * np.eye(len(p), dtype=int), whole.matrix, whole.right)
        if min(p) > 0:
            best = diagonal_relaxation(p, majority, level, l).optimum(p)[0]
            yield abs(solve(diagonal) - best) <= 1e-9 or f"{at}: {solve(diagonal)}, not {best}"
            yield (solve(whole) == math.inf) is (d > 0) or f"{at}: {solve(whole)} over all entries"
    for d in (Fraction(-1, 9), Fraction(1), Fraction(9, 8)):
        refused = refuses(InvalidInputError, is_optimal, (Fraction(1),), [0], d, PrivacyLevel.from_ratio(2), 1)
        yield refused or f"d = {d}: an answer"
