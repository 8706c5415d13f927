"""The functions that users call, against the rules of the paper as they are printed: Algs. 1 to 3, (3), (6), V.A.

Then Q_g as cvxpy writes it, what is derived from the equations of section IV, and m of one row, in floats too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import cycle, product
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, each
from lpmech.mechanisms.bipartite_rr import (
    bipartite_rr,
    bipartite_rr_star,
    common_m,
    common_m_star,
    equations,
    local_m,
    local_response,
    m_integers,
    program,
)
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr import derivation as derived
from lpmech.mechanisms.exponential import exponential
from lpmech.papers.checks import above, as_stated, ball, excess_of_channel, in_floats, optimum
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.papers.zhang2025.rows import QUADRATICS
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, tanimoto

Matrix = Sequence[Sequence[Any]]

LEVELS = tuple(map(Fraction, ("3/2", "100000", "40", "1001/1000", "2", "5")))
#: How far a float may be from what it stands for.
_NEAR = arb("1e-14")
PRIORS = [list(map(Fraction, shares)) for shares in (("1/2", "1/3", "1/6"), ("1/10", "1/10", "4/5"))]


def greedy(row: Sequence[Any], t: Fraction) -> int:
    """m of Alg. 1: s_i = e^epsilon for i = 2, 3, ... while the sum of (lambda_i - lambda_j) s_j, by prefix sums, is positive."""
    ordered, n, before = sorted(row, reverse=True), len(row), Fraction(0)
    for m in range(1, n):
        before += ordered[m - 1]
        if ordered[m] * (m * t + n - m) - (t * before + sum(ordered[m:])) <= 0:
            return m
    return n


def rows() -> Iterator[Sequence[Any]]:
    """Every row of up to five similarities 1, 2, 3; constant rows and rows with one low end; longer ones with ties."""
    yield (3, 2, 2, 1)
    for n in range(1, 6):
        yield from product((1, 2, 3), repeat=n)
    for n in (6, 17, 60):
        yield from ((7,) * n, (7,) * (n - 1) + (1,), (7,) + (1,) * (n - 1))
    rng = np.random.default_rng(0)
    for n in (8, 20, 60, 250):
        yield from rng.integers(1, 12, size=(10, n)).tolist()
    yield from ([n - abs(k - j) for j in range(n)] for n in (199, 202, 333) for k in (0, n // 2))
    yield from ([Fraction(-abs(k - j), 3) for j in range(n)] for n in (4, 9) for k in (0, n // 2))


@PAPER.claim(
    "Alg. 1 (the function)",
    "`local_response` is Alg. 1: $m$ is the number of raised weights, the $m$ most similar outputs get $t/(mt+N-m)$, the others $1/(mt+N-m)$",
    family="every row of at most five similarities 1, 2, 3; constant rows, m = N - 1, ties; negative and fractional ones; N to 333; t in {3/2, 2, 5, 40, 1001/1000, 10^5}",
    formula=local_response,
)
def local_function(respond: Any) -> Parts:
    for row in rows():
        n, order = len(row), sorted(range(len(row)), key=lambda j, row=row: (-row[j], j))  # type: ignore[misc]
        for t in LEVELS if n < 60 else LEVELS[1::3]:
            response, m = respond(row, PrivacyLevel.from_ratio(t))
            right = greedy(row, t)
            yield Instance(f"lambda = {_few(row)}, N = {n}, t = {t}: m, of Alg. 1", m, "==", right)
            weights = [(t if j in order[:m] else 1) / (m * t + n - m) for j in range(n)]
            yield list(response) == weights or f"lambda = {_few(row)}, t = {t}: {_few(response)}"


def cases() -> Iterator[Matrix]:
    """Every 3 x 3 matrix with similarities 1, 2; others with ties, constant rows, N from 3 to 12, and |i - j| for N = 5, 40."""
    yield from ((cell[:3], cell[3:6], cell[6:]) for cell in product((1, 2), repeat=9))
    rng = np.random.default_rng(1)
    for n in (3, 4, 5, 8, 12):
        for _ in range(8):
            matrix = rng.integers(1, 8, size=(n, n)).tolist()
            matrix[n // 2] = [4] * n
            yield matrix
    for n in (5, 40, 110):
        yield [[n - abs(i - j) for j in range(n)] for i in range(n)]
    for inputs, outputs in ((2, 5), (7, 3)):
        yield [[Fraction(-abs(3 * i - 2 * j), 7) for j in range(outputs)] for i in range(inputs)]


def _as_printed(channel: Any, matrix: Matrix, m: int, t: Fraction) -> bool | str:
    """Whether the rows are those of (6) with this m, else which one is not."""
    n = len(matrix[0])
    for k, (found, row) in enumerate(zip(channel.matrix.tolist(), matrix, strict=True)):
        chosen = sorted(range(n), key=lambda j, k=k, row=row: (-row[j], j != k, j))[:m]  # type: ignore[misc]
        right = [(t if j in chosen else 1) / (m * t + n - m) for j in range(n)]
        if found != right:
            return f"u = {_few(matrix)}, t = {t}: row {k + 1} is {_few(found)}, with m = {m} it is {_few(right)}"
    return True


@PAPER.claim(
    "Alg. 2 (the function)",
    r"`bipartite_rr` is (6) with $m=\min_k m_k$ and $Y_m$ the $m$ most similar outputs",
    hypotheses="of equal similarities the true item is taken first, then the smaller index",
    family="every 3 x 3 matrix of similarities 1, 2; others with ties and constant rows, N to 110; 2 x 5 and 7 x 3, negative and fractional; at two of t = 3/2, 2, 5, 40, 1001/1000, 10^5",
    formula=bipartite_rr,
    mutants={"BRR*": bipartite_rr_star},
    note="The paper does not say which of equally similar outputs belong to $Y_m$; the true item first is this library's choice, and never worse.",
)
def common_function(respond: Any) -> Parts:
    for matrix, *levels in zip(cases(), cycle(LEVELS), cycle(LEVELS[1:] + LEVELS[:1])):
        for t in levels:
            channel = respond(matrix, PrivacyLevel.from_ratio(t))
            yield _as_printed(channel, matrix, min(greedy(row, t) for row in matrix), t)


@PAPER.claim(
    "Alg. 3 (the function)",
    "`bipartite_rr_star` is (6) with the $m$ of Alg. 1 for the sorted rows averaged over the prior",
    family="the matrices of 'Alg. 2 (the function)'; two priors for N = 3, one that rises for N > 3, and none (uniform); at one of the levels",
    formula=bipartite_rr_star,
    mutants={
        "without the prior": lambda matrix, level, prior: bipartite_rr_star(matrix, level),
        "BRR": lambda matrix, level, prior: bipartite_rr(matrix, level),
    },
)
def weighted_function(respond: Any) -> Parts:
    for matrix, t in zip(cases(), cycle(LEVELS)):
        columns = list(zip(*(sorted(row, reverse=True) for row in matrix), strict=True))
        n = len(matrix)
        for prior in (None, *(PRIORS if n == 3 else [[Fraction(2 * k + 2, n * (n + 1)) for k in range(n)]])):
            shares = prior or [Fraction(1, n)] * n
            means = [sum(p * v for p, v in zip(shares, column, strict=True)) for column in columns]  # (15)
            channel = respond(matrix, PrivacyLevel.from_ratio(t), prior)
            found = _as_printed(channel, matrix, greedy(means, t), t)
            yield found is True or f"prior {_few(shares)}, {found}"


@PAPER.claim(
    "Section IV.D (the function)",
    r"`m_integers` is the $m$ of Alg. 2 for the losses $|i-j|$ on $1,\dots,N$",
    family="all N <= 40 and N = 100, 199, 200, 201, 202, 250, 333, 400; t in {3/2, 2, 5, 40, 1001/1000, 10^5}, rows by the loop of Alg. 1: every one for N <= 40, else the outermost, the innermost and every ninth of the inner two thirds",
    formula=m_integers,
    mutants={"one more beyond 200": lambda t, n: m_integers(t, n) + (n > 200)},
)
def integers_function(chosen: Any) -> Parts:
    for n, t in product((*range(40, 0, -1), 100, 199, 200, 201, 202, 250, 333, 400), LEVELS):
        rows = range((n + 1) // 2)  # the others are mirror images
        looked_at = rows if n <= 40 else (*rows[:3], *rows[len(rows) // 3 :: 9], *rows[-2:])
        m, right = chosen(t, n), min(greedy([-abs(k - j) for j in range(n)], t) for k in looked_at)
        yield Instance(f"N = {n}, t = {t}: m, of Alg. 2", m, "==", right)


@PAPER.claim(
    "eq. (3) (the function)",
    r"exponential is (3): $q(j\mid y)=e^{\epsilon u(y,j)/(2\Delta)}/\sum_i e^{\epsilon u(y,i)/(2\Delta)}$, $\Delta=\max_j(\max_y u-\min_y u)$",
    family="every 2 x 3 matrix of scores 0, 1/3, 2, with Delta below and above 1, and |i - j| for N = 5, 20; epsilon in {1/2, 1, 4, 1/1000, 20}; every entry within 1e-14 by ball arithmetic",
    formula=lambda scores, epsilon: exponential(scores, float(epsilon)).matrix,
)
def exponential_function(channel: Any) -> Parts:
    small = [(cell[:3], cell[3:]) for cell in product((Fraction(0), Fraction(1, 3), Fraction(2)), repeat=6)]
    large = [absolute(n).tolist() for n in (5, 20)]
    for scores, epsilon in product((*small, *large), map(Fraction, ("1/2", "1", "4", "1/1000", "20"))):
        delta = max(max(column) - min(column) for column in zip(*scores, strict=True))
        rate = epsilon / (2 * delta) if delta else Fraction(0)
        for row, found in zip(scores, channel(scores, epsilon), strict=True):
            powers = [ball(rate * u).exp() for u in row]
            together = sum(powers, arb(0))
            for power, value in zip(powers, found, strict=True):
                right = power / together
                yield bool(abs(arb(float(value)) - right) <= _NEAR) or (
                    f"u = {_few(scores)}, epsilon = {epsilon}: {value}, (3) gives {right.str(8, radius=False)}"
                )


@PAPER.claim(
    "Section V.A (the functions)",
    "tanimoto is $xy/(x^2+y^2-xy)$ and absolute is $-|x-y|$",
    family="every pair of 1..60, of {1/2, 3/7, 11}, of {1000, 1001, 10^6, 10^12} and of the floats 0.5, 1.5, 3.75, 40.25; Tanimoto's to one unit in the last place",
    formula=(tanimoto, absolute),
    survivors={"part 1: 1 -> 2 in i + 1": "the same: one similarity more is computed, and not used"},
)
def utilities_function(pair: Any) -> Parts:
    fractions, floats = [Fraction(1, 2), Fraction(3, 7), Fraction(11)], [0.5, 1.5, 3.75, 40.25]
    for given, values in ((60, range(1, 61)), *((v, v) for v in (fractions, [1000, 1001, 10**6, 10**12], floats))):
        similar, near = (function(given) for function in pair)
        for (i, x), (j, y) in product(enumerate(map(Fraction, values)), repeat=2):
            right = x * y / (x * x + y * y - x * y)
            close = abs(Fraction(similar[i][j]) - right) <= right / 2**52
            yield close or f"x = {x}, y = {y}: {similar[i][j]}, not {right}"
            yield Fraction(near[i][j]) == -abs(x - y) or f"x = {x}, y = {y}: {near[i][j]}, not {-abs(x - y)}"


def _few(values: Any) -> str:
    """Values in words, as long as a person can read them."""
    text = "(" + ", ".join(_few(v) if isinstance(v, (list, tuple)) else str(v) for v in values) + ")"
    return text if len(text) <= 160 else f"{text[:150]} ...)"


T, N, I, M = map(term_of, (derived.t, derived.N, derived.i, equations.m))


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
            yield (
                abs(found - right) <= 1e-7
                or f"lambda = {_few(matrix)}, pi = {_few(prior)}, t = {t}: {found}, not {right}"
            )


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
    for text, n in (("3/2", 4), ("3/2", 5), ("60", 2), ("3/2", 14), ("9", 20)):
        t = Fraction(text)
        ms = [greedy([-abs(k - j) for j in range(n)], t) for k in range(n)]
        found = derived.m_end_point_from_root(t, n), derived.m_middle_from_root(t, n), smaller(t, n)
        where = f"N = {n}, t = {t}: m of an end point, of the middle row, the least, from the roots and by Alg. 1"
        yield Instance(where, found, "==", (ms[0], ms[(n - 1) // 2], min(ms)))
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
        where = f"lambda = {_few(matrix)}, epsilon = {epsilon}: m of the rows, of BRR, of BRR*"
        yield Instance(where, found, "==", right)
