"""Section IV.C: one m for all rows (Alg. 2)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import (
    bipartite_channel,
    common_m,
    common_m_star,
    high_probability,
    local_m,
    low_probability,
)
from lpmech.papers.checking import both, check_family, check_implications, replayed
from lpmech.papers.zhang2025.greedy import raised_by_all, raised_on_average, rule_maximises
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, T, similarity_matrices
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome


def families() -> Iterable[tuple[str, Any, Fraction]]:
    """Small utilities: 3 x 3 similarities in {1, 2}, and -|i - j| on 1..N."""
    for t in RATIOS[:2]:
        for matrix in similarity_matrices(3, 2):
            yield f"lambda = {matrix}", matrix, t
    for n in range(2, 13):
        for t in RATIOS:
            yield f"-|i - j| on 1..{n}", absolute(n), t


def _values(utility: Any, level: PrivacyLevel) -> list[Any]:
    """Average utility of the channel (6) for m = 1..N, uniform prior."""
    return [bipartite_channel(utility, m, level).expected_utility(utility) for m in range(1, len(utility) + 1)]


@PAPER.claim(
    "Alg. 2 (maximises utility)",
    r"m=\min_k m^{(k)} maximises the (average) utility among all common m: 'improving utility', 'from the global standpoint'",
    hypotheses="the rows (3, 2, 1), (3, 3, 1), (3, 3, 1) at t = 2, where no tie rule matters, -|i - j| on 1..N for N <= 12 and 3 x 3 similarities in {1, 2}, uniform prior, t in {2, 3, 7/2, 10}",
    consequence="optimality",
    recorded="refuted",
    formula=(common_m, raised_by_all),
    control=(common_m_star, raised_on_average),
    mutants={
        "the largest m^(k)": (
            lambda utility, level: max(local_m(row, level) for row in utility),
            lambda p, own, others: sp.Or(own > 0, others > 0),
        )
    },
    note="The paper itself introduces BRR* for this reason in section VI; Alg. 2 is presented as the solution in section IV.",
)
@PAPER.claim(
    "Alg. 2 (maximises utility) [repaired]",
    r"the m of Alg. 3 (BRR*) maximises the average utility among all common m",
    hypotheses="every N, utility, prior and t: the formula is m, and when a common weight is raised; see 'Alg. 1 (threshold)' for the loop. Replayed "
    "on the same",
    formula=(common_m_star, raised_on_average),
    mutants={
        "Alg. 2": (common_m, raised_by_all),
        "GRR": (lambda utility, level: 1, lambda p, own, others: sp.false),
    },
    repairs=["Alg. 2 (maximises utility)", "Alg. 2 (own utility)"],
)
def maximises_among_common_m(case: Any) -> Outcome:
    choose, rule = case

    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        values = _values(utility, level)
        m = choose(utility, level)
        best = values.index(max(values)) + 1
        return (
            None
            if values[m - 1] == max(values)
            else f"{name}, t = {t}: m = {m} gives {values[m - 1]}, m = {best} gives {max(values)}"
        )

    without_ties = ("lambda = (3 2 1; 3 3 1; 3 3 1)", ((3, 2, 1), (3, 3, 1), (3, 3, 1)), Fraction(2))
    return replayed(rule_maximises(rule), check_family([without_ties, *families()], failure, "small utilities"))


A, C, OWN = sp.symbols("A C lambda")


@PAPER.claim(
    "Alg. 2 (never below GRR)",
    r"'improves the utility': for m=\min_k m^{(k)} every row's utility is at least that of GRR",
    hypotheses="any utility: up to m each row raises only terms with lambda_i > Q (see 'Alg. 1 (threshold)'); all N and t",
    formula=lambda before, own, t: own > before,
    mutants={"terms below Q raised": lambda before, own, t: own < before},
)
def never_below_grr(raised_when: Any) -> Outcome:
    before, after = A / C, (A + (T - 1) * OWN) / (C + (T - 1))
    return check_implications(
        [C > 0, T > 1, raised_when(before, OWN, T)],
        {"Q does not fall": after >= before},
        "one step of the loop, hence every step",
    )


@PAPER.claim(
    "Alg. 2 (avoids overestimating)",
    r"with the minimum no row gives the high probability to a term it would not choose itself",
    hypotheses="any utility, N and t; the formula combines the m of the rows seen so far with that of the next row. Replayed on -|i - j| on 1..N for "
    "N <= 12 and 3 x 3 similarities in {1, 2}, t in {2, 3, 7/2, 10}",
    formula=sp.Min,
    mutants={"average m": lambda so_far, own: (so_far + own) / 2, "the largest m": sp.Max},
    note="A row chooses its m^(k) most similar terms, so the first m of them for every m <= m^(k).",
)
def no_overestimate(combined: Any) -> Outcome:
    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        own = [sp.Integer(local_m(row, level)) for row in utility]
        m = reduce(combined, own)
        return None if m <= min(own) else f"{name}, t = {t}: m = {m}, rows choose {own}"

    so_far, own = sp.symbols("m m_k", integer=True)
    m = combined(so_far, own)
    proof = check_implications(
        [so_far >= 1, own >= 1], {"at most that of every row": sp.And(m <= so_far, m <= own)}, "induction over the rows"
    )
    return replayed(proof, check_family(families(), failure, "small utilities"))


@PAPER.claim(
    "Alg. 2 (private)",
    r"the output of Alg. 2 satisfies \epsilon-LDP, 'ensuring that all occurrences are treated consistently'",
    hypotheses="t > 1, any utility and N; the formula is the m used in a row of own m_k where the minimum is m. Replayed on -|i - j| on 1..N for "
    "N <= 12 and 3 x 3 similarities in {1, 2}, t in {2, 3, 7/2, 10}",
    formula=lambda common, own: common,
    mutants={
        "each row its own m": lambda common, own: own,
        "the minimum or one more": lambda common, own: sp.Min(own, common + 1),
    },
    note="Two rows with m_1, m_2 and any sets: a column has an entry t or 1 over m_i t + N - m_i in each of them.",
)
def alg_2_private(used: Any) -> Outcome:
    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        m = common_m(utility, level)
        ms = [int(used(m, local_m(row, level))) for row in utility]
        channel = Channel([bipartite_channel(utility, m, level).matrix[k] for k, m in enumerate(ms)])
        return None if channel.satisfies(level) else f"{name}, t = {t}, m = {ms}: ratio {channel.ratio}"

    common, first, second, size = sp.symbols("m m_1 m_2 N", integer=True)
    low = [1 / (used(common, own) * T + size - used(common, own)) for own in (first, second)]
    proof = check_implications(
        [T > 1, common >= 1, first >= common, second >= common, first <= size, second <= size],
        {
            f"column in Y: {in_first}, in Y': {in_second}": T**in_first * low[0] <= T * T**in_second * low[1]
            for in_first, in_second in product((0, 1), repeat=2)
        },
        "all pairs of rows, all sets",
    )
    return replayed(proof, check_family(families(), failure, "small utilities"))


@PAPER.claim(
    "Alg. 2 (ties in Y_m)",
    r"if outputs tie for the m-th place, any choice among them gives the same utility and an \epsilon-LDP channel",
    hypotheses="any utility, N, m and t; the formula says which sets of m outputs may be chosen: each output chosen against each one left out. Replayed on "
    "-|i - j| on 1..N, N <= 5, every row and m, t in {2, 3}; the paper does not say which of two equally distant items enters Y_m",
    formula=lambda chosen, left_out: chosen >= left_out,
    mutants={
        "any m outputs": lambda chosen, left_out: sp.true,
        "up to a distance of one": lambda chosen, left_out: chosen >= left_out - 1,
    },
    note="Two sets of m outputs differ by exchanges of an output of the one for an output of the other, and if both are admitted these two are equally "
    "similar. The utility of a row is (t - 1) q* times the sum over the set plus q* times the sum over all. (6) is private for all sets.",
)
def ties_in_the_set(admitted: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        n, m, t = case
        low = 1 / (m * t + n - m)
        chosen_rows = []
        for row in absolute(n).tolist():
            sets = [
                c
                for c in combinations(range(n), m)
                if all(admitted(row[j], row[k]) for j in c for k in set(range(n)) - set(c))
            ]
            values = {(t - 1) * low * sum(row[j] for j in c) + low * sum(row) for c in sets}
            if len(values) != 1:
                return f"N = {n}, m = {m}, t = {t}: utilities {sorted(map(str, values))}"
            chosen_rows.append([t * low if j in sets[-1] else low for j in range(n)])
        channel = Channel(chosen_rows)
        return None if channel.satisfies(PrivacyLevel.from_ratio(t)) else f"N = {n}, m = {m}: ratio {channel.ratio}"

    family = [(n, m, t) for n in range(2, 6) for m in range(1, n + 1) for t in RATIOS[:2]]
    first, second = sp.symbols("lambda_j lambda_k")
    proof = check_implications(
        [admitted(first, second), admitted(second, first)],
        {"exchanged outputs are equally similar": sp.Eq(first, second)},
        "j in the first set only, k in the second only",
    )
    return replayed(
        both(proof, PAPER.claims["eq. (6)"].outcome_of((high_probability, low_probability))),
        check_family(family, failure, "N <= 5"),
    )


@PAPER.claim(
    "Alg. 2 (own utility)",
    r"for |i-j| Alg. 2 finds the best common m: BRR 'solves the ... maximization problem from the global standpoint'",
    hypotheses="-|i - j| on 1..N, N <= 12, t in {3/2, 2, 3, 7/2, 10}, uniform prior",
    consequence="optimality",
    headline=4,
    recorded="refuted",
    formula=common_m,
    control=common_m_star,
    mutants={"GRR": lambda utility, level: 1},
    note="At N = 4, t = 3/2 the sorted rows add up to the distances 0, 4, 6, 10; m = 1 loses 20/18 = 10/9, m = 2 would lose (3/2 * 4 + 16)/20 = 11/10, no tie decides.",
)
def best_for_distances(choose: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        utility, level = absolute(n), PrivacyLevel.from_ratio(t)
        values = _values(utility, level)
        m = choose(utility, level)
        if values[m - 1] == max(values):
            return None
        return (
            f"N = {n}, t = {t}: m = {m} gives {values[m - 1]}, m = {values.index(max(values)) + 1} gives {max(values)}"
        )

    levels = (Fraction(3, 2), *RATIOS)
    return check_family([(n, t) for n in range(2, 13) for t in levels], failure, "N <= 12")
