"""Section IV.B: the derivative (7), Alg. 1 for one row, rows with different m, and the weights searched."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m_star, greedy_m, local_response
from lpmech.mechanisms.bipartite_rr.derivation import derivative_of_utility
from lpmech.mechanisms.bipartite_rr.program import best_rearrangement
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations
from lpmech.papers.zhang2025.greedy import loop_maximises, raised_on_average, rearrangement, rule_maximises
from lpmech.papers.zhang2025.paper import (
    PAPER,
    RATIOS,
    Matrix,
    T,
    loop_as_printed,
    similarity_matrices,
    similarity_rows,
    written,
)
from lpmech.verdicts import Outcome, unclear

#: Q = A / C before a weight is raised; lambda is the similarity of that weight, s its value.
A, C, OWN, S = sp.symbols("A C lambda s")


@PAPER.claim(
    "eq. (7)",
    r"\partial Q/\partial s_i=\sum_j(\lambda_i-\lambda_j)s_j/(\sum_j s_j)^2",
    hypotheses="any N, s_i, C > 0: the terms j != i enter through A = sum lambda_j s_j and C = sum s_j",
    formula=lambda own, s, others, mass: ((own * mass - others) + (own - own) * s) / (s + mass) ** 2,
    mutants={
        "denominator not squared": lambda own, s, others, mass: (own * mass - others) / (s + mass),
        "sign": lambda own, s, others, mass: (others - own * mass) / (s + mass) ** 2,
        "own term kept": lambda own, s, others, mass: (own * mass - others + own * s) / (s + mass) ** 2,
    },
)
def eq_7(expression: Any) -> Outcome:
    derivative, symbols = derivative_of_utility()
    return check_identities(
        {"derivative": (derivative, expression(*symbols))},
        "sympy differentiates Q; the i-th term of the sum vanishes",
        hypotheses=[symbols[1] > 0, symbols[3] > 0],
    )


@PAPER.claim(
    "eq. (7) (sign)",
    r"'the monotonicity of Q with respect to s_i is independent of the values of s_i'",
    hypotheses="two values s_1, s_2 > 0 of s_i; it does depend on the other s_j",
    formula=lambda own, s, others, mass: (own * mass - others) / (s + mass) ** 2,
    mutants={"own term kept": lambda own, s, others, mass: (own * mass - others + own * s) / (s + mass) ** 2},
)
def eq_7_sign(derivative: Any) -> Outcome:
    first, second = sp.symbols("s1 s2")
    return check_implications(
        [first > 0, second > 0, C > 0],
        {
            "same sign": sp.And(
                *(
                    sp.Implies(derivative(OWN, x, A, C) > 0, derivative(OWN, y, A, C) > 0)
                    for x, y in ((first, second), (second, first))
                )
            )
        },
        "for any two values of s_i",
    )


@PAPER.claim(
    "Alg. 1 (threshold)",
    r"raising s_i from 1 to e^\epsilon raises Q iff \lambda_i>Q, and leaves Q below \lambda_i: so the loop stops at the first \lambda_i\le Q",
    hypotheses="Q = A/C with C > 0; any N",
    formula=lambda own, value: own > value,
    mutants={"lambda_i > 2 Q": lambda own, value: own > 2 * value, "lambda_i < Q": lambda own, value: own < value},
)
def threshold(rule: Any) -> Outcome:
    before, after = A / C, (A + (T - 1) * OWN) / (C + (T - 1))
    return check_implications(
        [C > 0, T > 1],
        {
            "rule => Q rises": sp.Implies(rule(OWN, before), after > before),
            "Q rises => rule": sp.Implies(after > before, rule(OWN, before)),
            "rule => new Q < lambda_i": sp.Implies(rule(OWN, before), after < OWN),
        },
        "the new Q is the mediant of the old one and lambda_i",
    )


@PAPER.claim(
    "Alg. 1 (optimal for one row)",
    r"the weights of Alg. 1 maximise Q=\sum\lambda_i s_i/\sum s_i over s\in[1,e^\epsilon]^N, for every N",
    hypotheses="Alg. 1 ends with s_i = t where lambda_i > Q and s_i = 1 where lambda_i <= Q (see 'Alg. 1 (threshold)')",
    given=[T > 1, S >= 1, S <= T],
    evidence="termwise bound, all N and t",
    formula=lambda own, value, t: sp.Piecewise((t, own > value), (1, True)),
    mutants={
        "raised below Q": lambda own, value, t: sp.Piecewise((t, own < value), (1, True)),
        "never raised": lambda own, value, t: sp.Integer(1),
    },
    note="Term by term (lambda_i - Q) s_i <= (lambda_i - Q) s_i*, and the right sides sum to zero; so sum lambda_i s_i <= Q sum s_i. "
    "The constraints s_1 = e^eps and s_N = 1 of section IV.B hold at this optimum unless all similarities are equal.",
)
def one_row_optimal(best: Any) -> Relations:
    value = sp.Symbol("Q")
    weight = best(OWN, value, T)
    cases = weight.args if isinstance(weight, sp.Piecewise) else [(weight, sp.true)]
    conclusions = {}
    covered: Any = sp.false
    for k, (chosen, condition) in enumerate(cases):
        active = sp.And(condition, sp.Not(covered))
        conclusions[f"case {k + 1}"] = sp.Implies(active, (OWN - value) * (S - chosen) <= 0)
        covered = sp.Or(covered, condition)
    return conclusions


@PAPER.claim(
    "Alg. 1 (against enumeration)",
    r"Alg. 1 attains the largest Q over all s\in\{1,e^\epsilon\}^N (the vertices, where a ratio of linear functions is largest)",
    hypotheses="t > 1, any N and sorted similarities; the formula says when the loop raises a term. Replayed against all vertices: sorted integer "
    "similarities in 1..4, N <= 5, t in {2, 3, 7/2, 10}",
    formula=lambda own, value: own > value,
    mutants={
        "stops early, at 2 Q": lambda own, value: own > 2 * value,
        "raises one more, above Q - 1": lambda own, value: own > value - 1,
        "GRR": lambda own, value: sp.false,
    },
    note="So it does among all weights in [1, e^eps]^N, vertices or not.",
)
def against_enumeration(raises: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case

        def value(weights: tuple[Any, ...]) -> Fraction:
            return sum((a * w for a, w in zip(row, weights, strict=True)), Fraction(0)) / sum(weights)

        values = [value(tuple(t if i < m else Fraction(1) for i in range(len(row)))) for m in range(1, len(row) + 1)]
        m = 1
        while m < len(row) and raises(row[m], values[m - 1]):
            m += 1
        best = max(value(weights) for weights in product((Fraction(1), t), repeat=len(row)))
        return None if values[m - 1] == best else f"lambda = {row}, t = {t}: m = {m} gives {values[m - 1]}, best {best}"

    family = [(row, t) for row in similarity_rows(5, 4) for t in RATIOS]
    return replayed(loop_maximises(raises), check_family(family, failure, "all such rows"))


@PAPER.claim(
    "Alg. 1 (prefix sums)",
    r"one cumulative sum per row gives the m of the loop of Alg. 1 as printed: its numerators are \lambda_i((i-1)t+N-i+1)-(tP_{i-1}+P_N-P_{i-1})",
    hypotheses="t > 1, 1 <= i <= N; P_(i-1) and R = P_N - P_(i-1): sums of the similarities before i, and from i on. Replayed on the loop as printed: sorted "
    "integer similarities in 1..4, N <= 5, t in {2, 3, 7/2, 10}",
    formula=lambda own, i, n, before, rest, t: own * ((i - 1) * t + n - i + 1) - (t * before + rest),
    mutants={
        "i in place of i - 1": lambda own, i, n, before, rest, t: own * (i * t + n - i) - (t * before + rest),
        "weights not raised": lambda own, i, n, before, rest, t: own * n - (before + rest),
    },
    note="The loop has s_j = t for j < i and s_j = 1 from i on; the same numerators stop it at the same place.",
)
def prefix_sums(numerator: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case
        n, m = len(row), 1
        while m < n and numerator(row[m], m + 1, n, sum(row[:m]), sum(row[m:]), t) > 0:
            m += 1
        printed, _ = loop_as_printed(row, t)
        fast = greedy_m(as_array(row, "row", 1), t)
        return None if m == printed == fast else f"lambda = {row}, t = {t}: m = {m}, the loop gives {printed}"

    i, n, before, rest = sp.symbols("i N P R")
    loop = T * ((i - 1) * OWN - before) + ((n - i + 1) * OWN - rest)  # sum of (lambda_i - lambda_j) s_j in two parts
    proof = check_identities(
        {"numerator": (loop, numerator(OWN, i, n, before, rest, T))},
        "for all N, i, t",
        hypotheses=[T > 1, i >= 1, i <= n],
    )
    family = [(row, t) for row in similarity_rows(5, 4) for t in RATIOS]
    return replayed(proof, check_family(family, failure, "all such rows"))


@PAPER.claim(
    "Alg. 1 (ties)",
    r"a term with \lambda_i=Q can be raised or not without changing Q; Alg. 1 does not raise it",
    hypotheses="Q = A/C",
    formula=lambda own, value: sp.Eq(own, value),
    mutants={"lambda_i >= Q": lambda own, value: own >= value},
)
def ties(condition: Any) -> Outcome:
    before, after = A / C, (A + (T - 1) * OWN) / (C + (T - 1))
    return check_implications(
        [C > 0, T > 1],
        {
            "=>": sp.Implies(condition(OWN, before), sp.Eq(after, before)),
            "<=": sp.Implies(sp.Eq(after, before), condition(OWN, before)),
        },
        "all values",
    )


@PAPER.claim(
    "Alg. 1 (hypothesis lambda_N > 0)",
    r"the hypothesis \lambda_N>0 is not needed: adding a constant to all similarities shifts Q by it and changes no derivative",
    hypotheses="any N, s, C > 0; needed because section IV.D uses distances, with lambda_1 = 0 and the sign reversed",
    given=[S > 0, C > 0],
    evidence="with A' = A + c C",
    formula=lambda own, s, others, mass: (own * mass - others) / (s + mass) ** 2,
    mutants={
        "derivative with lambda_i s_i": lambda own, s, others, mass: (own * mass - others + own * s) / (s + mass) ** 2
    },
)
def positivity_not_needed(derivative: Any) -> Relations:
    shift = sp.Symbol("c")
    return {
        "derivative": (derivative(OWN + shift, S, A + shift * C, C), derivative(OWN, S, A, C)),
        "Q": ((OWN + shift) * S + A + shift * C, OWN * S + A + shift * (S + C)),
    }


def _nested_rows(first: tuple[int, ...], second: tuple[int, ...], t: Fraction) -> Channel:
    rows = [[t if j in chosen else Fraction(1) for j in range(3)] for chosen in (first, second)]
    return Channel([[v / sum(row) for v in row] for row in rows])


@PAPER.claim(
    "Section IV.B (different m)",
    r"'for different given occurrences the optimal m can vary, which violates differential privacy'",
    hypotheses="N = 3, two rows with sets of different sizes, t in {2, 3}",
    consequence="privacy",
    readings={
        "different m can violate privacy": "certified",
        "different m always violates privacy": "refuted",
    },
    formula=lambda first, second: True,
    mutants={"private always": lambda first, second: None},
    note="Read as 'may violate' the sentence is true; read as 'violates whenever m differs' it is false: if the smaller set is "
    "contained in the larger one the channel is still epsilon-LDP.",
)
def different_m(violates: Any) -> Outcome:
    sets = [c for m in (1, 2, 3) for c in combinations(range(3), m)]
    pairs = [(a, b, t) for a in sets for b in sets if len(a) < len(b) for t in (Fraction(2), Fraction(3))]

    def broken(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> bool:
        return not _nested_rows(*case).satisfies(PrivacyLevel.from_ratio(case[2]))

    expected = violates((), ())
    some = check_family(
        [any(map(broken, pairs))],
        lambda seen: None if seen == bool(expected) else "Y = {1}, Y' = {2, 3}, t = 2: the joint ratio exceeds t",
        "some pair of sets breaks privacy",
    )
    always = check_family(
        pairs,
        lambda case: (
            None
            if broken(case)
            else f"Y = {set(case[0])} inside Y' = {set(case[1])}, t = {case[2]}: ratio {_nested_rows(*case).ratio} <= t"
        ),
        "every pair of different sizes breaks privacy",
    )
    return unclear({"different m can violate privacy": some, "different m always violates privacy": always})


SMALL, LARGE, SIZE = sp.symbols("m_1 m_2 N")


@PAPER.claim(
    "Section IV.B (different m) [sharp]",
    r"two rows (6) with m_1<m_2 form an \epsilon-LDP channel iff Y\subseteq Y', for every N and \epsilon",
    hypotheses="entries t/D, 1/D and t/D', 1/D' with D = m_1 t + N - m_1 < D' = m_2 t + N - m_2. The formula: whether a column may be in Y (0 or 1) and in Y'. Replayed on N = 3, all pairs of sets, t in {2, 3}",
    formula=lambda first, second: first <= second,
    mutants={
        "iff Y = Y'": lambda first, second: first == second,
        "whatever the sets": lambda first, second: True,
        "iff Y' is inside Y": lambda first, second: second <= first,
    },
    note="A column is of one of four kinds: in both sets, in Y only, in Y' only, in neither. Only 'in Y only' breaks privacy.",
)
def nested_sets(allowed: Any) -> Outcome:
    sets = [c for m in (1, 2, 3) for c in combinations(range(3), m)]

    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        channel = _nested_rows(*case)
        satisfied = channel.satisfies(PrivacyLevel.from_ratio(case[2]))
        return (
            None
            if satisfied == all(allowed(j in case[0], j in case[1]) for j in range(3))
            else f"Y = {set(case[0])}, Y' = {set(case[1])}, t = {case[2]}: ratio {channel.ratio}"
        )

    first_mass, second_mass = (m * T + SIZE - m for m in (SMALL, LARGE))
    conclusions = {}
    for in_first, in_second in product((0, 1), repeat=2):
        a, b = T**in_first / first_mass, T**in_second / second_mass
        private = sp.And(a <= T * b, b <= T * a)
        conclusions[f"column in Y: {in_first}, in Y': {in_second}"] = (
            private if allowed(in_first, in_second) else sp.Not(private)
        )
    proof = check_implications(
        [T > 1, SMALL >= 1, LARGE > SMALL, LARGE <= SIZE], conclusions, "four kinds of columns, all N, m_1, m_2, t"
    )
    pairs = [(a, b, t) for a in sets for b in sets if len(a) < len(b) for t in (Fraction(2), Fraction(3))]
    return replayed(proof, check_family(pairs, failure, "all pairs of sets"))


LATER = sp.Symbol("mu")


@PAPER.claim(
    "Alg. 1 (break)",
    r"stopping at the first derivative \le 0 loses nothing: if \lambda_i\le Q, raising s_i anyway and then a later s_{i'} with \lambda_{i'}\le\lambda_i never lifts Q above its value before",
    hypotheses="Q = A/C; any N: Q as a function of m rises, then does not rise again",
    formula=lambda own, later: later <= own,
    mutants={"later terms larger": lambda own, later: later >= own, "any later term": lambda own, later: sp.true},
)
def break_is_final(order: Any) -> Outcome:
    before = A / C
    once = (A + (T - 1) * OWN) / (C + (T - 1))
    twice = (A + (T - 1) * (OWN + LATER)) / (C + 2 * (T - 1))
    return check_implications(
        [C > 0, T > 1, before >= OWN, order(OWN, LATER)],
        {"once": once <= before, "twice": twice <= before, "still not above": once >= LATER},
        "Q stays at least lambda_i >= lambda_i', so the next derivative is <= 0 again",
    )


@PAPER.claim(
    "Section IV.B (end weights)",
    r"the assumption s_1=e^\epsilon, s_N=1 loses nothing: some maximiser of Q satisfies it",
    hypotheses="t > 1, N >= 2, any similarities; the formula: the weights of the most and of the least similar term. Replayed on sorted integer "
    "similarities in 1..4, 2 <= N <= 5, t in {2, 3, 7/2, 10}",
    formula=lambda t: (t, 1),
    mutants={"reversed order": lambda t: (1, t), "both raised": lambda t: (t, t)},
    note="Every s with s_i = t where lambda_i > Q and 1 where lambda_i < Q attains the maximum Q ('Alg. 1 (optimal for one row)'), whatever s_i is where "
    "lambda_i = Q. And lambda_1 >= Q >= lambda_N, since Q is a mean.",
)
def end_weights(ends: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case
        response, _ = local_response(np.array(row, dtype=object), PrivacyLevel.from_ratio(t))
        first, last = ends(t)
        same = response[0] * last == response[-1] * first
        return None if same else f"lambda = {row}, t = {t}: weights {list(map(str, response.tolist()))}"

    value, first, last = sp.symbols("Q lambda_1 lambda_N")
    top, bottom = ends(T)
    proof = check_implications(
        [T > 1, S >= 1, S <= T, first >= value, value >= last],
        {"s_1": (first - value) * (S - top) <= 0, "s_N": (last - value) * (S - bottom) <= 0},
        "termwise bound at both ends",
    )
    family = [(row, t) for row in similarity_rows(5, 4) if len(row) > 1 for t in RATIOS]
    return replayed(proof, check_family(family, failure, "all such rows"))


@PAPER.claim(
    "Section IV.B (weights in [1, e^epsilon])",
    r"s_1\le e^\epsilon s_N suffices for \epsilon-LDP, and is necessary if some column holds both s_1 and s_N",
    hypotheses="t > 1, any N and any rearrangements of positive weights; the formula: the condition on s_1, s_N, and what two entries a, b of one column must "
    "be for it to be necessary. Replayed on N = 3, weights in {1, 2, 4}, all arrangements in three rows, t = 2",
    formula=(
        lambda largest, smallest, t: largest <= t * smallest,
        lambda a, b, largest, smallest: sp.And(sp.Eq(a, largest), sp.Eq(b, smallest)),
    ),
    mutants={
        "necessary always": (
            lambda largest, smallest, t: largest <= t * smallest,
            lambda a, b, largest, smallest: sp.true,
        ),
        "s_1 <= t^2 s_N suffices": (
            lambda largest, smallest, t: largest <= t * t * smallest,
            lambda a, b, largest, smallest: sp.And(sp.Eq(a, largest), sp.Eq(b, smallest)),
        ),
    },
    note="The rows have one total, so the ratio of two entries of a column is that of their weights. The paper searches only s in [1, e^eps]^N. Other "
    "private arrangements, such as rows (4, 2, 1), (2, 4, 1), (4, 2, 1) at t = 2, are left out.",
)
def row_weights(case: Any) -> Outcome:
    condition, extremes = case
    t = Fraction(2)
    vectors = [w for w in product((1, 2, 4), repeat=3) if w[0] >= w[1] >= w[2]]

    def failure(rows: tuple[tuple[int, ...], ...]) -> str | None:
        channel = Channel([[Fraction(v, sum(row)) for v in row] for row in rows])
        largest, smallest = max(rows[0]), min(rows[0])
        met = bool(condition(largest, smallest, t))
        needed = any(
            extremes(a, b, largest, smallest) for column in zip(*rows, strict=True) for a, b in permutations(column, 2)
        )
        satisfied = channel.satisfies(PrivacyLevel.from_ratio(t))
        if (met and not satisfied) or (needed and satisfied and not met):
            return f"rows {rows} / {sum(rows[0])}, t = 2: tight ratio {channel.ratio}"
        return None

    family = [rows for w in vectors for rows in product(sorted(set(permutations(w)), reverse=True), repeat=3)]
    a, b, largest, smallest = sp.symbols("a b s_1 s_N")
    proof = check_implications(
        [T > 1, smallest > 0, a >= smallest, b >= smallest, a <= largest, b <= largest],
        {
            "it suffices": sp.Implies(condition(largest, smallest, T), a <= T * b),
            "it is necessary": sp.Implies(
                sp.And(extremes(a, b, largest, smallest), a <= T * b), condition(largest, smallest, T)
            ),
        },
        "two entries of one column",
    )
    return replayed(proof, check_family(family, failure, "three rows"))


@PAPER.claim(
    "Section IV.B (best rearrangement)",
    r"among channels whose rows rearrange one weight vector in [1,e^\epsilon]^N the best common m attains the maximum",
    hypotheses="t > 1, any N, utility and prior: exchanges sort the rows, and the loop of Alg. 3 is best for sorted rows. The formula: m, and when a common weight "
    "is raised. Replayed on N = 3, similarities in {1, 2} with the true item largest, uniform prior, t in {2, 3}",
    formula=(common_m_star, raised_on_average),
    mutants={
        "GRR": (lambda matrix, level: 1, lambda p, own, others: sp.false),
        "m = N - 1": (lambda matrix, level: len(matrix) - 1, lambda p, own, others: sp.true),
    },
)
def best_of_rearrangements(case: Any) -> Outcome:
    choose, rule = case

    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        best = best_rearrangement(matrix, level)
        value = bipartite_channel(matrix, choose(matrix, level), level).expected_utility(matrix)
        return None if value == best else f"lambda = {written(matrix)}, t = {t}: {value} against {best}"

    instances = check_family([(m, t) for t in RATIOS[:2] for m in similarity_matrices(3, 2)], failure, "N = 3")
    return replayed(both(rearrangement(), rule_maximises(rule)), instances)
