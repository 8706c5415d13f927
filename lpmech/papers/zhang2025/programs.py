"""Q_g as cvxpy writes it, what is derived from the equations of section IV, and m of one row, in floats too."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Parts, each
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr import common_m, common_m_star, local_m, program
from lpmech.mechanisms.bipartite_rr import derivation as derived
from lpmech.mechanisms.bipartite_rr.equations import m
from lpmech.papers.checks import above, as_stated, excess_of_channel, in_floats, optimum
from lpmech.papers.zhang2025.functions import greedy
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.papers.zhang2025.rows import QUADRATICS
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm

T, N, I, M = map(term_of, (derived.t, derived.N, derived.i, m))


@PAPER.claim(
    "Implementation (Q_g in cvxpy)",
    r"`global_program_in_cvxpy` is $\max\sum_k\pi_k\sum_j\lambda_{kj}w_{kj}$ under (2), `common_weights_in_cvxpy` (12) for common weights $w=s/\sum s$, $1\le s\le e^\epsilon$; their optima are those of the program and of the best $m$, as `best_rearrangement` says",
    hypotheses="objective and labelled constraints at random points with entries of both signs, within $10^{-9}$; HiGHS's optimum within $10^{-7}$ of the exact optimum and of the best $m$ for (12)",
    recorded="supported",
    formula=(program.global_program_in_cvxpy, program.common_weights_in_cvxpy),
)
@in_floats("four matrices, one not square, with ties and constant rows, t = 11/10, 3, 40; priors with a zero")
def in_cvxpy(problems: Any) -> Parts:
    rng = np.random.default_rng(0)
    matrices = ([[3, 1, 2], [2, 2, 2], [0, 1, 5]], [[4, 1], [0, 2], [3, 3]], [[5, 3, 3, 1], [0, 4, 6, 6]], [[2, 1, 2]])
    for i, (matrix, t) in enumerate(product(matrices, map(Fraction, ("11/10", "3", "40")))):
        counts = range(len(matrix)) if i % 2 == 0 and len(matrix) > 1 else [1] * len(matrix)
        prior = [Fraction(v, sum(counts)) for v in counts]
        weights = np.array(matrix, dtype=float) * np.array(prior, dtype=float)[:, None]
        ordered, level, ratio = -np.sort(-weights, axis=1).sum(axis=0), PrivacyLevel.from_ratio(t), float(t)
        whole, common = (problem(matrix, level, prior) for problem in problems)
        q, w, c = rng.normal(size=weights.shape), rng.normal(size=len(ordered)), rng.normal()
        excess = excess_of_channel(q, ratio, "(2)", "rows", "not negative")
        yield from as_stated(whole, {"w": q}, (weights * q).sum(), excess)
        excess = {"1 <= s": above(c - w), "s <= t": above(w - ratio * c), "sum": abs(w.sum() - 1)}
        yield from as_stated(common, {"w": w, "c": c}, ordered @ w, excess)
        exact = program.global_program(matrix, level, prior).solve("exact").value
        tops = ordered.cumsum()
        best = max((tops[-1] + (ratio - 1) * tops) / (w.size + (ratio - 1) * np.arange(1, w.size + 1)))
        common_best = program.best_rearrangement(matrix, level, prior)
        for found, right in ((optimum(whole), exact), (optimum(common), best), (common_best, best)):
            yield abs(found - right) <= 1e-7 or f"lambda = {matrix}, pi = {prior}, t = {t}: {found}, not {right}"


@PAPER.claim(
    "Ours (q^*, the sums (8) to (10) and m from the equations)",
    r"the row sum has $q^*=1/(mt+N-m)$, the losses have the sums (8), (9), (10), `right_root` $r$ is their larger root, and the last $i$ before it the $m$ of BRR on $1,\dots,N$",
    hypotheses="$r$ of $a i^2 + b i + c$: $(2 a r + b)^2 = b^2 - 4 a c$, $a > 0$, and $2 a r + b > 0$ at $t = 4$, $N = 10$",
    given=[T > 1, N >= 2, M >= 1, M <= N],
    evidence="derived by sympy from the losses of the rows",
    replay="m of an end point, of a middle row and of all by the loop of Alg. 1, for five N <= 20 and t that are and are not squares",
    formula=(derived.m_integers_from_roots, derived.right_root),
)
def from_the_equations(functions: Any) -> Parts:
    smaller, larger_root = functions
    for text, n in (("3/2", 4), ("3/2", 5), ("3/2", 14), ("9", 20), ("60", 2)):
        t = Fraction(text)
        ms = [greedy([-abs(k - j) for j in range(n)], t) for k in range(n)]
        found = derived.m_end_point_from_root(t, n), derived.m_middle_from_root(t, n), smaller(t, n)
        yield found == (ms[0], ms[(n - 1) // 2], min(ms)) or f"N = {n}, t = {t}: {found}, Alg. 1 has {ms}"
    yield "q*", (term_of(derived.derive_low_probability()), closed.low_probability(T, N, M))
    middles = (derived.in_index(derived.derive_middle_sum(odd), odd) for odd in (0, 1))
    for total, printed in each("sum", zip((derived.derive_end_point_sum(), *middles), QUADRATICS, strict=True)):
        c, b, a = steps.coefficients_in(printed(T, N, I), I)
        root, name = steps.expand(2 * a * term_of(larger_root(total)) + b), printed.__name__
        # a wrong root dies at these numbers, before sympy and z3 look for long at what is no square
        larger = tm.And(tm.Eq(root**2, b**2 - 4 * a * c), root > 0).at({T: 4, N: 10})
        yield steps.holds(larger) or f"{name}: not the larger root at t = 4, N = 10"
        yield name, (term_of(total), printed(T, N, I))
        yield f"{name}, opens upwards", a > 0
        yield f"{name}, root", (steps.expand(root**2), b**2 - 4 * a * c)


@PAPER.claim(
    "Ours (m of a row, in any order and in floats)",
    "`local_m` is the $m$ of Alg. 1 for one row in any order, `common_m` the least of the rows' and `common_m_star` that of the sorted rows averaged over the prior, also in floats",
    hypotheses=r"the rule in exact arithmetic for the floats as they are, where no sum is zero; at $\epsilon = 690$ similarities of $10^{300}$ too",
    family="forty random 3 x 6 matrices of floats and of whole numbers, times 1e-300, 1, 1e300, at epsilon = 0.1, 1, 5, 690",
    formula=(local_m, common_m, common_m_star),
    survivors="of which kind t is changes no sign here",
)
def of_rows(functions: Any) -> Parts:
    own, least, averaged = functions
    rng = np.random.default_rng(0)
    for i in range(40):
        epsilon, scale = (0.1, 1.0, 5.0, 690.0)[i % 4], (1e-300, 1.0, 1e300)[i % 3]
        matrix = (rng.normal(size=(3, 6)) * scale).tolist() if i % 5 else rng.integers(0, 99, size=(3, 6)).tolist()
        level, exact = PrivacyLevel.from_epsilon(epsilon), [[Fraction(v) for v in row] for row in matrix]
        t, prior = Fraction(float(level.ratio)), [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
        ms = [greedy(row, t) for row in exact]
        ordered = zip(*(sorted(row, reverse=True) for row in exact), strict=True)
        star = greedy([sum(p * v for p, v in zip(prior, column, strict=True)) for column in ordered], t)
        found = [own(row, level) for row in matrix], least(matrix, level), averaged(matrix, level, prior)
        right = ms, min(ms), star
        yield found == right or f"lambda = {matrix}, epsilon = {epsilon}: {found}, not {right}"
