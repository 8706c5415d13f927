"""Section IV.C: one m for all rows (Alg. 2)."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m, common_m_star, local_m
from lpmech.papers.checking import check_family, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, T, similarity_matrices
from lpmech.utilities import absolute


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
    hypotheses="-|i - j| on 1..N for N <= 12 and 3 x 3 similarities in {1, 2}, uniform prior, t in {2, 3, 7/2, 10}",
    recorded="refuted",
    formula=common_m,
    control=common_m_star,
    mutants={"the largest m^(k)": lambda utility, level: max(local_m(row, level) for row in utility)},
    repaired_by="Alg. 2 (maximises utility) [repaired]",
    note="The paper itself introduces BRR* for this reason in section VI; Alg. 2 is presented as the solution in section IV.",
)
@PAPER.claim(
    "Alg. 2 (maximises utility) [repaired]",
    r"the m of Alg. 3 (BRR*) maximises the average utility among all common m",
    hypotheses="-|i - j| on 1..N for N <= 12 and 3 x 3 similarities in {1, 2}, uniform prior, t in {2, 3, 7/2, 10}; for all N see 'Alg. 3 (optimal among common weights)'",
    recorded="certified",
    formula=common_m_star,
    mutants={"Alg. 2": common_m, "GRR": lambda utility, level: 1},
)
def maximises_among_common_m(choose: Any) -> Outcome:
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

    return check_family(families(), failure, "small utilities")


A, C, OWN = sp.symbols("A C lambda")


@PAPER.claim(
    "Alg. 2 (never below GRR)",
    r"'improves the utility': for m=\min_k m^{(k)} every row's utility is at least that of GRR",
    hypotheses="any utility: up to m each row raises only terms with lambda_i > Q (see 'Alg. 1 (threshold)'); all N and t",
    recorded="proved",
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
    hypotheses="-|i - j| on 1..N for N <= 12 and 3 x 3 similarities in {1, 2}, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=common_m,
    mutants={
        "average m": lambda utility, level: -(-sum(local_m(row, level) for row in utility) // len(utility)),
        "the m of BRR*, one larger": lambda utility, level: common_m_star(utility, level) + 1,
    },
)
def no_overestimate(choose: Any) -> Outcome:
    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        own = [local_m(row, level) for row in utility]
        return (
            None
            if choose(utility, level) <= min(own)
            else f"{name}, t = {t}: m = {choose(utility, level)}, rows choose {own}"
        )

    return check_family(families(), failure, "small utilities")


@PAPER.claim(
    "Alg. 2 (private)",
    r"the output of Alg. 2 satisfies \epsilon-LDP, 'ensuring that all occurrences are treated consistently'",
    hypotheses="-|i - j| on 1..N for N <= 12 and 3 x 3 similarities in {1, 2}, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=lambda utility, level: [common_m(utility, level)] * len(utility),
    mutants={"each row its own m": lambda utility, level: [local_m(row, level) for row in utility]},
)
def alg_2_private(ms: Any) -> Outcome:
    def failure(case: tuple[str, Any, Fraction]) -> str | None:
        name, utility, t = case
        level = PrivacyLevel.from_ratio(t)
        rows = [bipartite_channel(utility, m, level).matrix[k] for k, m in enumerate(ms(utility, level))]
        channel = Channel(rows)
        return None if channel.satisfies(level) else f"{name}, t = {t}, m = {ms(utility, level)}: ratio {channel.ratio}"

    return check_family(families(), failure, "small utilities")


@PAPER.claim(
    "Alg. 2 (ties in Y_m)",
    r"if outputs tie for the m-th place, any choice among them gives the same utility and an \epsilon-LDP channel",
    hypotheses="|i - j| on 1..N, N <= 5, every row and m, t in {2, 3}; the paper does not say which of two equally distant items enters Y_m",
    recorded="certified",
    formula=lambda row, chosen: min(row[j] for j in chosen) >= max((v for j, v in enumerate(row) if j not in chosen), default=min(row)),
    mutants={
        "any m outputs": lambda row, chosen: True,
        "any m outputs with the true item": lambda row, chosen: row.index(max(row)) in chosen,
    },
)  # fmt: skip
def ties_in_the_set(admitted: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        n, m, t = case
        low = 1 / (m * t + n - m)
        chosen_rows = []
        for row in absolute(n).tolist():
            sets = [c for c in combinations(range(n), m) if admitted(row, c)]
            values = {(t - 1) * low * sum(row[j] for j in c) + low * sum(row) for c in sets}
            if len(values) != 1:
                return f"N = {n}, m = {m}, t = {t}: utilities {sorted(map(str, values))}"
            chosen_rows.append([t * low if j in sets[-1] else low for j in range(n)])
        channel = Channel(chosen_rows)
        return None if channel.satisfies(PrivacyLevel.from_ratio(t)) else f"N = {n}, m = {m}: ratio {channel.ratio}"

    family = [(n, m, t) for n in range(2, 6) for m in range(1, n + 1) for t in RATIOS[:2]]
    return check_family(family, failure, "N <= 5")


@PAPER.claim(
    "Alg. 2 (own utility)",
    r"for |i-j| Alg. 2 finds the best common m: BRR 'solves the ... maximization problem from the global standpoint'",
    hypotheses="-|i - j| on 1..N, N <= 12, t in {2, 3, 7/2, 10}, uniform prior",
    recorded="refuted",
    formula=common_m,
    control=common_m_star,
    mutants={"GRR": lambda utility, level: 1},
    repaired_by="Alg. 2 (maximises utility) [repaired]",
    note="At N = 5, t = 2 the rows of Fig. 3 add up to the distances 0, 5, 7, 12, 16; m = 1 gives 40/30, m = 2 gives (2 * 5 + 35)/35.",
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

    return check_family([(n, t) for n in range(2, 13) for t in RATIOS], failure, "N <= 12")
