"""Section VI.A: the prior-weighted BRR* (12) to (15), Alg. 3."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from lpmech import PrivacyLevel
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m, common_m_star, greedy_m
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zhang2025.algorithm_2 import families
from lpmech.papers.zhang2025.greedy import raised_by_all, raised_on_average, rule_maximises
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, N, T, similarity_matrices
from lpmech.verdicts import Outcome

#: Any N: s is the weight s_i, C the sum of the other weights; in row k lambda_k is the similarity of s_i, A_k the sum of
#: lambda_j s_j over the others. Two rows with prior (p, 1 - p); everything is linear in the rows, so more rows are alike.
L1, L2, A1, A2, P, S, C = sp.symbols("lambda_1 lambda_2 A_1 A_2 p s C")
MASS = S + C
ROW_1, ROW_2 = L1 * S + A1, L2 * S + A2
HALF = sp.Rational(1, 2)
#: N, the number of rows; the weights and priors.
ROWS = sp.Symbol("N")
WEIGHTS = [S > 0, C > 0, P >= 0, P <= 1]


@PAPER.claim(
    "eq. (12)",
    r"Q_g=\sum_k\pi(k)\sum_i\lambda_i^{(k)}w_i^{(k)} is the expected utility of the channel",
    hypotheses="any N, utility and weights: the channel gives the larger weight to the more similar output, so two outputs contribute the same as the two terms they become "
    "in sorted order, and exchanges sort a row; rows enter with their prior p, q >= 0, 1 - p - q >= 0. Replayed on 3 x 3 similarities in {1, 2}, priors (1/2, 1/3, 1/6) and "
    "(1/6, 1/6, 2/3), m = 1, 2, 3, t in {2, 3}",
    formula=(
        lambda prior, rows: sum(p * row for p, row in zip(prior, rows, strict=True)),
        lambda u, v, high, low: sp.Max(u, v) * high + sp.Min(u, v) * low,
    ),
    mutants={
        "prior dropped": (
            lambda prior, rows: sum(rows) / sp.Integer(len(rows)),
            lambda u, v, high, low: sp.Max(u, v) * high + sp.Min(u, v) * low,
        ),
        "rows not sorted": (
            lambda prior, rows: sum(p * row for p, row in zip(prior, rows, strict=True)),
            lambda u, v, high, low: u * high + v * low,
        ),
    },
    note="The formula: how the rows are combined, and what two outputs of similarities u, v contribute with the weights high >= low.",
)
def eq_12(case: Any) -> Outcome:
    combined, pair = case
    priors = [(Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3))]

    @cache
    def arranged(row: tuple[int, ...]) -> list[int]:
        """The row, neighbours exchanged where `pair` exchanges them."""
        values = list(row)
        for end in range(len(row) - 1, 0, -1):
            for i in range(end):
                swapped = pair(values[i], values[i + 1], 1, 0) != values[i]
                values[i : i + 2] = values[i : i + 2][::-1] if swapped else values[i : i + 2]
        return values

    def row_utility(row: tuple[int, ...], weights: list[Fraction]) -> Fraction:
        return sum((u * w for u, w in zip(arranged(row), weights, strict=True)), Fraction(0))

    def failure(case: tuple[Any, Any, int, Fraction]) -> str | None:
        matrix, prior, m, t = case
        channel = bipartite_channel(matrix, m, PrivacyLevel.from_ratio(t))
        weights = [(t if i < m else Fraction(1)) / (m * t + 3 - m) for i in range(3)]
        expected = channel.expected_utility(matrix, prior)
        return (
            None
            if combined(prior, [row_utility(row, weights) for row in matrix]) == expected
            else f"lambda = {matrix}, m = {m}, t = {t}: expected utility {expected}"
        )

    family = [
        (mat, p, m, t) for mat in similarity_matrices(3, 2) for p in priors for m in (1, 2, 3) for t in RATIOS[:2]
    ]
    u, v, high, low, first, second = sp.symbols("u v a b r_1 r_2")
    released = sp.Implies(u >= v, sp.Eq(u * high + v * low, pair(u, v, high, low)))
    exchanged = sp.Implies(u < v, sp.Eq(u * low + v * high, pair(u, v, high, low)))
    places = check_implications(
        [high >= low], {"u more similar": released, "v more similar": exchanged}, "two outputs, hence all, by exchanges"
    )
    third, q = sp.symbols("r_3 q")
    prior, values = (P, q, 1 - P - q), (first, second, third)
    mean = sum(p * row for p, row in zip(prior, values, strict=True))
    rows = check_identities(
        {"rows": (mean, combined(prior, values))}, "linear in the rows", hypotheses=[P >= 0, q >= 0, P + q <= 1]
    )
    return replayed(both(places, rows), check_family(family, failure, "3 x 3 similarities"))


@PAPER.claim(
    "eq. (13)",
    r"\partial Q_g/\partial s_i^{(k)}=\pi(k)\sum_j(\lambda_i^{(k)}-\lambda_j^{(k)})s_j^{(k)}/(\sum_j s_j^{(k)})^2",
    hypotheses="0 <= p <= 1, s, C > 0; rows with their own weights; any N, the other rows do not depend on s_i^(k)",
    given=WEIGHTS,
    evidence="sympy differentiates (12)",
    formula=lambda p, numerator, mass: p * numerator / mass**2,
    mutants={
        "pi dropped": lambda p, numerator, mass: numerator / mass**2,
        "mass not squared": lambda p, numerator, mass: p * numerator / mass,
    },
)
def eq_13(derivative: Any) -> Relations:
    other_row = sp.Symbol("Q2")
    value = P * ROW_1 / MASS + (1 - P) * other_row
    return {"derivative": (sp.diff(value, S), derivative(P, L1 * C - A1, MASS))}


@PAPER.claim(
    "eq. (14)",
    r"treating the weights uniformly, 'Q_g becomes \sum_k\sum_i\lambda_i^{(k)}s_i/\sum_j s_j', as printed",
    hypotheses="N >= 1 rows with the uniform prior 1/N: one, and the sum of the N - 1 others; any number of outputs, s, C > 0",
    consequence="formula",
    recorded="refuted",
    given=[*WEIGHTS, ROWS >= 1],
    evidence="(12) with common weights and the uniform prior",
    formula=lambda n: (ROW_1 + ROW_2) / MASS,
    mutants={
        "factor 1/N^2": lambda n: (ROW_1 + ROW_2) / MASS / n**2,
        "factor 1/2": lambda n: (ROW_1 + ROW_2) / MASS / 2,
    },
    note="The factor pi(k) = 1/N is dropped; it does not move the maximum. At N = 2 with similarities and weights one, it is 2 in place of 1.",
    repair=Repair(
        r"with \pi(k)=1/N, Q_g=\frac1N\sum_k\sum_i\lambda_i^{(k)}s_i/\sum_j s_j",
        hypotheses="as above",
        formula=lambda n: (ROW_1 + ROW_2) / MASS / n,
        mutants={"as printed": lambda n: (ROW_1 + ROW_2) / MASS, "factor 1/2": lambda n: (ROW_1 + ROW_2) / MASS / 2},
    ),
)
def eq_14(expression: Any) -> Relations:
    value = ROW_1 / MASS / ROWS + ROW_2 / MASS / ROWS
    return {"Q_g": (value, expression(ROWS))}


def _printed_15(p: Any) -> Any:
    """(15) with pi(k) outside the sum over k, k = 1."""
    return p / MASS**2 * ((L1 * C - A1) + (L2 * C - A2))


def _repaired_15(p: Any) -> Any:
    return (p * (L1 * C - A1) + (1 - p) * (L2 * C - A2)) / MASS**2


@PAPER.claim(
    "eq. (15) (uniform prior)",
    r"\partial Q_g/\partial s_i=\frac{\pi(k)}{(\sum_j s_j)^2}\sum_j(\sum_k(\lambda_i^{(k)}-\lambda_j^{(k)}))s_j for \pi(k)=1/N",
    hypotheses="as in (14)",
    given=[*WEIGHTS, ROWS >= 1],
    evidence="sympy differentiates (12)",
    formula=_printed_15,
    mutants={
        "mass not squared": lambda p: _printed_15(p) * MASS,
        "without pi": lambda p: _printed_15(p) / p,
        "1/2 for 1/N": lambda p: _printed_15(HALF),
    },
)
def eq_15_uniform(derivative: Any) -> Relations:
    value = ROW_1 / MASS / ROWS + ROW_2 / MASS / ROWS
    return {"derivative": (sp.diff(value, S), derivative(1 / ROWS))}


@PAPER.claim(
    "eq. (15) (general prior)",
    r"(15) with \pi(k) in front of the sum over k is the derivative for any prior ('if we know the a prior probability distribution')",
    hypotheses="a row of prior p and one of prior 1 - p (or the mean of the others under the prior), k = 1; 0 <= p <= 1, any number of outputs, s, C > 0",
    consequence="formula",
    headline=8,
    recorded="refuted",
    formula=_printed_15,
    mutants={"pi(2) in front": lambda p: _printed_15(1 - p)},
    note="The free k in pi(k) shows the slip; the paper adds 'with pi(k) = 1/N', for which (15) is right.",
    repair=Repair(
        r"\partial Q_g/\partial s_i=\frac1{(\sum_j s_j)^2}\sum_j(\sum_k\pi(k)(\lambda_i^{(k)}-\lambda_j^{(k)}))s_j",
        hypotheses="as above",
        formula=_repaired_15,
        mutants={"as printed": _printed_15},
    ),
)
def eq_15_general(derivative: Any) -> Outcome:
    value = P * ROW_1 / MASS + (1 - P) * ROW_2 / MASS
    points = [
        {L1: 2, A1: 1, L2: 3, A2: 1, S: 1, C: 1, P: sp.Rational(1, 3)},  # N = 2: rows (2, 1), (3, 1), s = (1, 1)
        {L1: 3, A1: 1, L2: 2, A2: 1, S: 2, C: 1, P: sp.Rational(1, 4)},
    ]
    return check_identities(
        {"derivative": (sp.diff(value, S), derivative(P))}, "sympy differentiates (12)", points, WEIGHTS
    )


A, OWN = sp.symbols("A Lambda")


@PAPER.claim(
    "Section VI.A (sign of (15))",
    r"'the monotonicity of Q_g with respect to s_i is independent of the values of s_i'",
    hypotheses="s, C > 0; Lambda_i = sum_k pi(k) lambda_i^(k), A and C without the i-th term; any N",
    formula=(OWN * C - A) / (S + C) ** 2,
    mutants={"own term kept": (OWN * C - A + OWN * S) / (S + C) ** 2},
)
def sign_of_15(derivative: Any) -> Outcome:
    actual = sp.diff((OWN * S + A) / (S + C), S)
    equal = check_identities({"derivative": (actual, derivative)}, "the derivative", hypotheses=[S > 0, C > 0])
    if equal.verdict != "proved":
        return equal
    return check_implications(
        [S > 0, C > 0],
        {"sign": sp.And(sp.Implies(derivative > 0, OWN * C > A), sp.Implies(OWN * C > A, derivative > 0))},
        "its sign is that of Lambda_i C - A, free of s_i",
    )


@PAPER.claim(
    "Alg. 3 (optimal among common weights)",
    r"BRR* maximises Q_g over all common weights s\in[1,e^\epsilon]^N, for every N and every prior",
    hypotheses="Lambda_i sorted; Alg. 3 raises exactly the terms with Lambda_i > Q (see 'Alg. 1 (threshold)')",
    given=[T > 1, S >= 1, S <= T],
    evidence="termwise bound, all N, t and priors",
    formula=lambda own, value, t: sp.Piecewise((t, own > value), (1, True)),
    mutants={
        "raised below Q": lambda own, value, t: sp.Piecewise((t, own < value), (1, True)),
        "all raised": lambda own, value, t: t,
    },
    note="Termwise (Lambda_i - Q) s_i <= (Lambda_i - Q) s_i*, and the right sides sum to zero. Giving larger weights to larger "
    "similarities within each row is best by the rearrangement inequality.",
)
def alg_3_optimal(best: Any) -> Relations:
    value = sp.Symbol("Q")
    weight = best(OWN, value, T)
    cases = weight.args if isinstance(weight, sp.Piecewise) else [(weight, sp.true)]
    conclusions, covered = {}, sp.false
    for k, (chosen, condition) in enumerate(cases):
        conclusions[f"case {k + 1}"] = sp.Implies(sp.And(condition, sp.Not(covered)), (OWN - value) * (S - chosen) <= 0)
        covered = sp.Or(covered, condition)
    return conclusions


@PAPER.claim(
    "Alg. 3 (against enumeration)",
    r"the m of Alg. 3 attains the largest average utility over common weights in \{1,e^\epsilon\}^N",
    hypotheses="t > 1, any N, utility and prior; the formula: m, and when a common weight is raised. Replayed against all vertices: 3 x 3 similarities in {1, 2} and -|i - j| on "
    "1..N, N <= 6; uniform prior, t in {2, 3, 7/2, 10}",
    formula=(common_m_star, raised_on_average),
    mutants={
        "one less": (
            lambda u, level: max(1, common_m_star(u, level) - 1),
            lambda p, own, others: p * own + (1 - p) * others > 1,
        ),
        "Alg. 2": (common_m, raised_by_all),
    },
)
def alg_3_against_enumeration(case: Any) -> Outcome:
    choose, rule = case

    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        sums = [sum(column) for column in zip(*(sorted(row, reverse=True) for row in utility), strict=True)]
        m = choose(utility, PrivacyLevel.from_ratio(t))

        def value(weights: tuple[Any, ...]) -> Fraction:
            return sum((a * w for a, w in zip(sums, weights, strict=True)), Fraction(0)) / sum(weights) / len(utility)

        best = max(value(weights) for weights in product((Fraction(1), t), repeat=len(sums)))
        own = value(tuple(t if i < m else Fraction(1) for i in range(len(sums))))
        return None if own == best else f"{name}, t = {t}: m = {m} gives {own}, best {best}"

    instances = check_family([f for f in families() if len(f[1]) <= 6], failure, "small utilities")
    return replayed(rule_maximises(rule), instances)


@PAPER.claim(
    "Alg. 3 (m* >= m)",
    r"the m of BRR* is at least the m of BRR: 'the slope of BRR* is always greater' in the weak sense",
    hypotheses="0 <= p <= 1, s, C > 0: a term that every row raises (d_k = lambda_i^(k) C - A^(k) > 0 for all k) has sum_k pi_k d_k > 0, which is the numerator of (15); one row of prior p, the mean "
    "of the others",
    formula=lambda p, first, second: p * first + (1 - p) * second,
    mutants={
        "difference of the rows": lambda p, first, second: p * first - (1 - p) * second,
        "product of the rows": lambda p, first, second: first * second,
        "sum of the rows": lambda p, first, second: first + second,
    },
)
def m_star_at_least_m(combined: Any) -> Outcome:
    first, second = sp.symbols("d1 d2")
    value = P * ROW_1 / MASS + (1 - P) * ROW_2 / MASS
    numerator = check_identities(
        {"(15)": (sp.diff(value, S), combined(P, L1 * C - A1, L2 * C - A2) / MASS**2)},
        "the numerator of (15)",
        hypotheses=WEIGHTS,
    )
    positive = check_implications(
        [P >= 0, P <= 1, first > 0, second > 0],
        {"the sum is positive": combined(P, first, second) > 0},
        "so BRR* raises every term that all rows raise",
    )
    return both(numerator, positive)


@PAPER.claim(
    "Alg. 3 (BRR* against BRR)",
    r"the average utility of BRR* is at least that of BRR",
    hypotheses="t > 1, any N, utility and prior: BRR has common weights in {1, e^eps} too, and BRR* is best among them. The formula: m, and when a common weight is raised. Replayed "
    "on 3 x 3 similarities in {1, 2} and -|i - j| on 1..N, N <= 12, t in {2, 3, 7/2, 10}",
    formula=(common_m_star, raised_on_average),
    mutants={
        "GRR": (lambda u, level: 1, lambda p, own, others: sp.false),
        "all outputs": (lambda u, level: len(u), lambda p, own, others: sp.true),
    },
)
def star_against_brr(case: Any) -> Outcome:
    choose, rule = case

    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        star, brr = (
            bipartite_channel(utility, m, level).expected_utility(utility)
            for m in (choose(utility, level), common_m(utility, level))
        )
        return None if star >= brr else f"{name}, t = {t}: {star} < {brr}"

    return replayed(rule_maximises(rule), check_family(families(), failure, "small utilities"))


def _general_prior_m(matrix: Any, prior: Any, t: Fraction) -> int:
    """Alg. 3 with the derivative (15) repaired: the greedy on sum_k pi_k lambda_(i)^(k)."""
    return common_m_star(matrix, PrivacyLevel.from_ratio(t), prior)


def _printed_prior_m(matrix: Any, prior: Any, t: Fraction) -> int:
    """Alg. 3 with (14), (15) as printed: the prior does not enter the sum over k."""
    sums = [sum(column) for column in zip(*(sorted(row, reverse=True) for row in matrix), strict=True)]
    return greedy_m(as_array(sums, "sums", 1), t)


@PAPER.claim(
    "Alg. 3 (known prior)",
    r"Alg. 3, with Q_g=\frac1N\sum_k and (15) as printed, finds the best common m for a known prior \pi",
    hypotheses="3 x 3 similarities in {1, 2, 3} from a short list, prior (4/5, 1/10, 1/10), t = 2",
    consequence="optimality",
    headline=7,
    recorded="refuted",
    formula=(_printed_prior_m, lambda p, own, others: own + others > 0),
    mutants={"Alg. 2": (lambda matrix, prior, t: common_m(matrix, PrivacyLevel.from_ratio(t)), raised_by_all)},
    note="Section VI starts from a known prior, then sets pi(k) = 1/N; line 1 of Alg. 3 has 1/N. With pi inside the sum it is right.",
    repair=Repair(
        r"with \sum_k\pi(k)\lambda_i^{(k)} in place of \frac1N\sum_k\lambda_i^{(k)} Alg. 3 finds the best common m for the prior \pi",
        hypotheses="t > 1, any N, utility and prior; the formula: m, and when a common weight is raised (two rows of prior p and 1 - p). Replayed on 3 x 3 similarities in {1, 2, 3} from "
        "a short list, prior (4/5, 1/10, 1/10), t in {2, 5/4, 3/2, 3, 8, 9}",
        formula=(_general_prior_m, raised_on_average),
        mutants={"as printed": (_printed_prior_m, lambda p, own, others: own + others > 0)},
    ),
)
def known_prior(case: Any) -> Outcome:
    choose, rule = case
    prior = (Fraction(4, 5), Fraction(1, 10), Fraction(1, 10))
    family = [
        ((3, 3, 1), (1, 3, 1), (1, 1, 3)),
        ((3, 1, 1), (3, 3, 1), (1, 3, 3)),
        ((2, 2, 1), (1, 2, 1), (1, 1, 2)),
        ((3, 2, 1), (2, 3, 1), (1, 1, 3)),
    ]

    def failure(case: tuple[Any, Fraction]) -> str | None:
        matrix, t = case
        values = [
            bipartite_channel(matrix, m, PrivacyLevel.from_ratio(t)).expected_utility(matrix, prior) for m in (1, 2, 3)
        ]
        m = choose(matrix, prior, t)
        return (
            None
            if values[m - 1] == max(values)
            else f"lambda = {matrix}, pi = (4/5, 1/10, 1/10), t = {t}: m = {m} gives {values[m - 1]}, best {max(values)}"
        )

    cases = [(matrix, t) for t in map(Fraction, ("2", "5/4", "3/2", "3", "8", "9")) for matrix in family]
    return replayed(rule_maximises(rule), check_family(cases, failure, "four 3 x 3 similarities at six levels"))


@cache
def sorted_rows(n: int) -> np.typing.NDArray[np.int64]:
    """The distances of every item to 1..N in rising order, shape (N, N)."""
    items = np.arange(n, dtype=np.int64)
    return np.sort(abs(np.subtract.outer(items, items)), axis=1)


def star_m(n: int, t: Fraction) -> int:
    """m of BRR* for |i - j| on 1..N and the uniform prior, exact."""
    return greedy_m(as_array((-sorted_rows(n).sum(axis=0)).tolist(), "sums", 1), t)


@PAPER.claim(
    "Section VI.B (closer to GRR, BRR*)",
    r"BRR* on 1..N with |i-j| is GRR iff e^\epsilon\ge(N-1)(N-2)/3",
    hypotheses="t > 1, N >= 2, uniform prior: over the rows the second smallest distances add up to N, all of them to N(N^2 - 1)/3 (summed symbolically), and m = 1 iff (15) at i = 2 is not "
    "positive. Replayed on the library's m for N <= 40, t in {3/2, 2, 7/2, 10, 26, 70, 220}",
    formula=lambda n: (n - 1) * (n - 2) / 3,
    mutants={
        "(N - 1)(N - 2)/2, that of an end point": lambda n: (n - 1) * (n - 2) / 2,
        "N (N - 2)/3": lambda n: n * (n - 2) / 3,
        "(N - 1)(N - 2)/4": lambda n: (n - 1) * (n - 2) / 4,
    },
)
def star_is_grr_from(threshold: Any) -> Outcome:
    n, y, k = sp.symbols("n y k", integer=True)
    row = sp.summation(y - k, (k, 1, y)) + sp.summation(k - y, (k, y, n))
    total = sp.expand(sp.summation(row, (y, 1, n))).subs(n, N)
    numerator = N * (T + N - 1) - total  # losses: the weights add up to t + N - 1 when only the true item is raised
    proof = check_identities(
        {"(15) at i = 2": (numerator, N * (T - threshold(N)))},
        "N times t minus the threshold",
        hypotheses=[T > 1, N >= 2],
    )

    def failure(case: tuple[int, Fraction]) -> str | None:
        size, t = case
        m = star_m(size, t)
        return None if (m == 1) == (t >= threshold(Fraction(size))) else f"N = {size}, t = {t}: BRR* has m = {m}"

    levels = [Fraction(v) for v in ("3/2", "2", "7/2", "10", "26", "70", "220")]
    return replayed(proof, check_family([(size, t) for size in range(2, 41) for t in levels], failure, "N <= 40"))
