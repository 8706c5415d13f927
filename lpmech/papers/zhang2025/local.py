"""Section IV.B: the derivative (7), Alg. 1 for one row, rows with different m, and the weights searched."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import bipartite_channel, bipartite_rr_star, greedy_m, local_response
from lpmech.papers.checking import check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, unclear
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
from lpmech.programs.bipartite_rr import best_rearrangement
from lpmech.symbolic.bipartite_rr import derivative_of_utility

#: Q = A / C before a weight is raised; lambda is the similarity of that weight, s its value.
A, C, OWN, S = sp.symbols("A C lambda s")


@PAPER.claim(
    "eq. (7)",
    r"\partial Q/\partial s_i=\sum_j(\lambda_i-\lambda_j)s_j/(\sum_j s_j)^2",
    hypotheses="any N: the terms j != i enter through A = sum lambda_j s_j and C = sum s_j",
    recorded="proved",
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
        {"derivative": (derivative, expression(*symbols))}, "sympy differentiates Q; the i-th term of the sum vanishes"
    )


@PAPER.claim(
    "eq. (7) (sign)",
    r"'the monotonicity of Q with respect to s_i is independent of the values of s_i'",
    hypotheses="s_i of this index; it does depend on the other s_j",
    recorded="proved",
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
    hypotheses="Q = A/C with C > 0, t > 1; any N",
    recorded="proved",
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
    recorded="proved",
    formula=lambda own, value, t: sp.Piecewise((t, own > value), (1, True)),
    mutants={
        "raised below Q": lambda own, value, t: sp.Piecewise((t, own < value), (1, True)),
        "never raised": lambda own, value, t: sp.Integer(1),
    },
    note="Term by term (lambda_i - Q) s_i <= (lambda_i - Q) s_i*, and the right sides sum to zero; so sum lambda_i s_i <= Q sum s_i. "
    "The constraints s_1 = e^eps and s_N = 1 of section IV.B hold at this optimum unless all similarities are equal.",
)
def one_row_optimal(best: Any) -> Outcome:
    value = sp.Symbol("Q")
    weight = best(OWN, value, T)
    cases = weight.args if isinstance(weight, sp.Piecewise) else [(weight, sp.true)]
    conclusions = {}
    covered: Any = sp.false
    for k, (chosen, condition) in enumerate(cases):
        active = sp.And(condition, sp.Not(covered))
        conclusions[f"case {k + 1}"] = sp.Implies(active, (OWN - value) * (S - chosen) <= 0)
        covered = sp.Or(covered, condition)
    return check_implications([T > 1, S >= 1, S <= T], conclusions, "termwise bound, all N and t")


@PAPER.claim(
    "Alg. 1 (against enumeration)",
    r"Alg. 1 attains the largest Q over all s\in\{1,e^\epsilon\}^N (the vertices, where a ratio of linear functions is largest)",
    hypotheses="sorted integer similarities in 1..4, N <= 5, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=greedy_m,
    mutants={
        "stops one early": lambda row, t: max(1, greedy_m(row, t) - 1),
        "raises one more": lambda row, t: min(len(row), greedy_m(row, t) + 1),
        "GRR": lambda row, t: 1,
    },
)
def against_enumeration(choose: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case
        m = choose(as_array(row, "row", 1), t)

        def value(weights: tuple[Any, ...]) -> Fraction:
            return sum((a * w for a, w in zip(row, weights, strict=True)), Fraction(0)) / sum(weights)

        best = max(value(weights) for weights in product((Fraction(1), t), repeat=len(row)))
        own = value(tuple(t if i < m else Fraction(1) for i in range(len(row))))
        return None if own == best else f"lambda = {row}, t = {t}: m = {m} gives {own}, best {best}"

    return check_family([(row, t) for row in similarity_rows(5, 4) for t in RATIOS], failure, "all such rows")


@PAPER.claim(
    "Alg. 1 (prefix sums)",
    r"one cumulative sum per row gives the m of the loop of Alg. 1 as printed",
    hypotheses="sorted integer similarities in 1..4, N <= 5, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=greedy_m,
    mutants={
        "lower terms made larger": lambda row, t: greedy_m(
            row + Fraction(1, 10**6) * as_array(range(len(row)), "row", 1), t
        ),
        "GRR": lambda row, t: 1,
    },
)
def prefix_sums(fast: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case
        m = fast(as_array(row, "row", 1), t)
        printed, _ = loop_as_printed(row, t)
        return None if m == printed else f"lambda = {row}, t = {t}: m = {m}, the loop gives {printed}"

    return check_family([(row, t) for row in similarity_rows(5, 4) for t in RATIOS], failure, "all such rows")


@PAPER.claim(
    "Alg. 1 (ties)",
    r"a term with \lambda_i=Q can be raised or not without changing Q; Alg. 1 does not raise it",
    hypotheses="Q = A/C, C > 0, t > 1",
    recorded="proved",
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
    hypotheses="any N; needed because section IV.D uses distances, with lambda_1 = 0 and the sign reversed",
    recorded="proved",
    formula=lambda own, s, others, mass: (own * mass - others) / (s + mass) ** 2,
    mutants={
        "derivative with lambda_i s_i": lambda own, s, others, mass: (own * mass - others + own * s) / (s + mass) ** 2
    },
)
def positivity_not_needed(derivative: Any) -> Outcome:
    shift = sp.Symbol("c")
    return check_identities(
        {
            "derivative": (derivative(OWN + shift, S, A + shift * C, C), derivative(OWN, S, A, C)),
            "Q": ((OWN + shift) * S + A + shift * C, OWN * S + A + shift * (S + C)),
        },
        "with A' = A + c C",
    )


def _nested_rows(first: tuple[int, ...], second: tuple[int, ...], t: Fraction) -> Channel:
    rows = [[t if j in chosen else Fraction(1) for j in range(3)] for chosen in (first, second)]
    return Channel([[v / sum(row) for v in row] for row in rows])


@PAPER.claim(
    "Section IV.B (different m)",
    r"'for different given occurrences the optimal m can vary, which violates differential privacy'",
    hypotheses="N = 3, two rows with sets of different sizes, t in {2, 3}",
    recorded="unclear",
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


@PAPER.claim(
    "Section IV.B (different m) [sharp]",
    r"two rows with |Y|<|Y'| form an \epsilon-LDP channel iff Y\subseteq Y'",
    hypotheses="N = 3, t in {2, 3}; for every N: an output of Y outside Y' has ratio t D'/D > t, one of Y' outside Y has t D/D' < t, where D < D' are the denominators",
    recorded="certified",
    formula=lambda first, second: set(first) <= set(second),
    mutants={"never": lambda first, second: False, "iff Y' is everything": lambda first, second: len(second) == 3},
)
def nested_sets(private: Any) -> Outcome:
    sets = [c for m in (1, 2, 3) for c in combinations(range(3), m)]

    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        channel = _nested_rows(*case)
        satisfied = channel.satisfies(PrivacyLevel.from_ratio(case[2]))
        return (
            None
            if satisfied == private(case[0], case[1])
            else f"Y = {set(case[0])}, Y' = {set(case[1])}, t = {case[2]}: ratio {channel.ratio}"
        )

    pairs = [(a, b, t) for a in sets for b in sets if len(a) < len(b) for t in (Fraction(2), Fraction(3))]
    return check_family(pairs, failure, "all pairs of sets")


SMALL, LARGE, SIZE = sp.symbols("m_1 m_2 N")


@PAPER.claim(
    "Section IV.B (different m) [all N]",
    r"two rows (6) with m_1<m_2 form an \epsilon-LDP channel iff Y\subseteq Y', for every N and \epsilon",
    hypotheses="t > 1, 1 <= m_1 < m_2 <= N; entries t/D, 1/D and t/D', 1/D' with D = m_1 t + N - m_1 < D' = m_2 t + N - m_2",
    recorded="proved",
    formula=lambda first, second: first <= second,
    mutants={
        "iff Y = Y'": lambda first, second: first == second,
        "whatever the sets": lambda first, second: True,
        "iff Y' is inside Y": lambda first, second: second <= first,
    },
    note="A column is of one of four kinds: in both sets, in Y only, in Y' only, in neither. Only 'in Y only' breaks privacy.",
)
def nested_sets_all_n(allowed: Any) -> Outcome:
    first_mass, second_mass = (m * T + SIZE - m for m in (SMALL, LARGE))
    conclusions = {}
    for in_first, in_second in product((0, 1), repeat=2):
        a, b = T**in_first / first_mass, T**in_second / second_mass
        private = sp.And(a <= T * b, b <= T * a)
        conclusions[f"column in Y: {in_first}, in Y': {in_second}"] = (
            private if allowed(in_first, in_second) else sp.Not(private)
        )
    return check_implications(
        [T > 1, SMALL >= 1, LARGE > SMALL, LARGE <= SIZE], conclusions, "four kinds of columns, all N, m_1, m_2, t"
    )


LATER = sp.Symbol("mu")


@PAPER.claim(
    "Alg. 1 (break)",
    r"stopping at the first derivative \le 0 loses nothing: if \lambda_i\le Q, raising s_i anyway and then a later s_{i'} with \lambda_{i'}\le\lambda_i never lifts Q above its value before",
    hypotheses="Q = A/C, C > 0, t > 1; any N: Q as a function of m rises, then does not rise again",
    recorded="proved",
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
    hypotheses="sorted integer similarities in 1..4, 2 <= N <= 5, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=lambda response: response,
    mutants={"reversed order": lambda response: response[::-1]},
)
def end_weights(arranged: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        row, t = case
        response, _ = local_response(np.array(row, dtype=object), PrivacyLevel.from_ratio(t))
        weights = arranged(response.tolist())
        return None if weights[0] == t * weights[-1] else f"lambda = {row}, t = {t}: weights {list(map(str, weights))}"

    return check_family(
        [(row, t) for row in similarity_rows(5, 4) if len(row) > 1 for t in RATIOS], failure, "all such rows"
    )


def _columns_mix(rows: tuple[tuple[int, ...], ...]) -> bool:
    return any({max(rows[0]), min(rows[0])} <= set(column) for column in zip(*rows, strict=True))


@PAPER.claim(
    "Section IV.B (weights in [1, e^epsilon])",
    r"s_1\le e^\epsilon s_N suffices for \epsilon-LDP, and is necessary if some column holds both s_1 and s_N",
    hypotheses="N = 3, weights in {1, 2, 4}, all arrangements in three rows, t = 2",
    recorded="certified",
    formula=lambda rows, t: True if max(rows[0]) <= t * min(rows[0]) else False if _columns_mix(rows) else None,
    mutants={
        "necessary always": lambda rows, t: max(rows[0]) <= t * min(rows[0]),
        "s_1 <= t^2 s_N suffices": lambda rows, t: True if max(rows[0]) <= t * t * min(rows[0]) else None,
    },
    note="The paper searches only s in [1, e^eps]^N. Other private arrangements, such as rows (4, 2, 1), (2, 4, 1), (4, 2, 1) at "
    "t = 2, are left out.",
)
def row_weights(private: Any) -> Outcome:
    t = Fraction(2)
    vectors = [w for w in product((1, 2, 4), repeat=3) if w[0] >= w[1] >= w[2]]

    def failure(rows: tuple[tuple[int, ...], ...]) -> str | None:
        channel = Channel([[Fraction(v, sum(row)) for v in row] for row in rows])
        if private(rows, t) in (None, channel.satisfies(PrivacyLevel.from_ratio(t))):  # None: nothing is claimed
            return None
        return f"rows {rows} / {sum(rows[0])}, t = 2: tight ratio {channel.ratio}"

    family = [rows for w in vectors for rows in product(sorted(set(permutations(w)), reverse=True), repeat=3)]
    return check_family(family, failure, "three rows")


@PAPER.claim(
    "Section IV.B (best rearrangement)",
    r"among channels whose rows rearrange one weight vector in [1,e^\epsilon]^N the best common m attains the maximum",
    hypotheses="N = 3, similarities in {1, 2} with the true item largest, uniform prior, t in {2, 3}; compared with all two-valued weight vectors",
    recorded="certified",
    formula=lambda matrix, level: bipartite_rr_star(matrix, level).expected_utility(matrix),
    mutants={
        "GRR": lambda matrix, level: bipartite_channel(matrix, 1, level).expected_utility(matrix),
        "m = N - 1": lambda matrix, level: bipartite_channel(matrix, 2, level).expected_utility(matrix),
    },
)
def best_of_rearrangements(value: Any) -> Outcome:
    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        best = best_rearrangement(matrix, level)
        return (
            None
            if value(matrix, level) == best
            else f"lambda = {written(matrix)}, t = {t}: {value(matrix, level)} against {best}"
        )

    return check_family([(m, t) for t in RATIOS[:2] for m in similarity_matrices(3, 2)], failure, "N = 3")
