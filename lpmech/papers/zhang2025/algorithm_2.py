"""Section IV.C: one m for all rows (Alg. 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from itertools import combinations, product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, each
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checks import rr_entries
from lpmech.papers.zhang2025.greedy import ALG_2, ALG_3, no_row_falls, raised_by_all, raised_on_average, rule_maximises
from lpmech.papers.zhang2025.paper import (
    BREAKING,
    LARGE,
    OF_TWO,
    PAPER,
    RATIOS,
    N,
    T,
    among_common_m,
    matrices,
    of_row,
    written,
)
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute

COMMON, OWN, FIRST, SECOND, SIZE = tm.symbols("m m_k m_1 m_2 N")
NEAR, FAR, LARGEST, NEXT, REST = tm.symbols("lambda_j lambda_k lambda_1 lambda_2 R")
CONSTANT, MASS, OTHERS, SHARE = tm.symbols("c C x p")
#: Similarities that floating point cannot tell apart, and levels next to 1 and far from it.
LARGE_CASES: list[tuple[str, Any, Fraction]] = [(f"lambda = {written(LARGE)}", LARGE, t) for t in RATIOS[:2]]
LARGE_CASES += [
    (f"-|i - j| on 1..{n}", absolute(n), t) for n in (4, 9) for t in (Fraction(1001, 1000), Fraction(10**4))
]
LARGE_CASES += BREAKING


def families() -> Iterator[tuple[str, Any, Fraction]]:
    """Small utilities: 3 x 3 similarities in {1, 2}, large ones, and -|i - j| on 1..N."""
    for t in RATIOS[:2]:
        for matrix in (OF_TWO, *matrices(3, 2)):
            yield f"lambda = {written(matrix)}", matrix, t
    yield from LARGE_CASES
    for n, t in product(range(2, 13), RATIOS):
        yield f"-|i - j| on 1..{n}", absolute(n), t


FAMILIES = r"-|i - j| on 1..N, N <= 12, t in {2, 3, 7/2, 10}; 3 x 3 similarities in $\{1, 2\}$ and one matrix with $10^{20}+1$, $10^{20}+2$, $t\in\{2, 3\}$; -|i - j|, N = 4, 9, t in {1001/1000, 10^4}; equal rows of 3 or 4 ones on 4 and of 52 on 70 outputs, t = 2"


def best_common_m(case: Any, cases: Any = ()) -> Parts:
    """That the m chosen is the best common one, in the cases too; and for all parameters the rule when a weight is raised."""
    choose, rule = case
    yield from (one.holds or one.told for one in among_common_m(choose, [*cases, *LARGE_CASES]))
    yield from rule_maximises(rule)


@PAPER.claim(
    "Alg. 2 (maximises utility)",
    r"$m=\min_k m^{(k)}$ maximises the (average) utility among all common $m$: 'improving utility', 'from the global standpoint'",
    hypotheses="every $N$, utility, prior and $t$",
    replay=f"the rows (3, 2, 1), (3, 3, 1), (3, 3, 1) at t = 2, where no tie rule matters, and {FAMILIES}; uniform prior",
    consequence="optimality",
    formula=ALG_2,
    control=ALG_3,
    note="Rows are sorted, the most similar item first. The paper itself introduces BRR* for this reason in section VI; Alg. 2 is presented as the solution in section IV.",
)
@PAPER.claim(
    "Alg. 2 (maximises utility) [repaired]",
    r"the $m$ of Alg. 3 (BRR*; for another prior with $\pi$ inside the sum) maximises the average utility among all common $m$",
    hypotheses="every $N$, utility, prior and $t$: a common weight is raised exactly where this raises $Q_g$, see 'Alg. 1 (threshold)'",
    replay=f"the same rows and {FAMILIES}; uniform prior",
    formula=ALG_3,
    repairs=["Alg. 2 (maximises utility)", "Alg. 2 (own utility)"],
)
def maximises_among_common_m(case: Any) -> Parts:
    without_ties = ((3, 2, 1), (3, 3, 1), (3, 3, 1))
    yield from among_common_m(case[0], [(f"lambda = {written(without_ties)}", without_ties, Fraction(2)), *families()])
    yield from rule_maximises(case[1])


@PAPER.claim(
    "Alg. 2 (never below GRR)",
    r"'improves the utility': for $m=\min_k m^{(k)}$ every row's utility is at least that of GRR",
    hypotheses="any utility, $N$ and $t > 1$: every step of the loop from $m = 1$ up to the smallest $m$ raises the utility of every row",
    replay=f"every row of {FAMILIES}; |i - j| on 1..N, N <= 40, t in {{3, 20, 148}}",
    formula=raised_by_all,
)
def never_below_grr(rule: Any) -> Parts:
    larger = [(f"-|i - j| on 1..{n}", absolute(n), Fraction(t)) for n in range(40, 1, -1) for t in (3, 20, 148)]
    yield from rows_above_grr(closed.common_m, [*larger, *families()])
    yield from no_row_falls(rule)


def rows_above_grr(choose: Any, cases: Iterable[tuple[str, Any, Fraction]]) -> Parts:
    """Whether the m chosen leaves every row at least the utility of GRR, and is not that of GRR throughout."""
    largest = 1
    for name, utility, t in cases:
        m = choose(utility, PrivacyLevel.from_ratio(t))
        largest = max(largest, m)
        for row in dict.fromkeys(tuple(sorted(row, reverse=True)) for row in utility):
            own, grr = (of_row(row, i, t) for i in (m, 1))
            where = f"{name}, t = {t}: the row ({', '.join(map(str, row))}) at m = {m}, of GRR"
            yield Instance(where, own, ">=", grr)
    yield largest > 1 or "m = 1 in all cases"


@PAPER.claim(
    "Alg. 2 (avoids overestimating)",
    r"with the minimum no row gives the high probability to a term it would not choose itself",
    hypotheses="any utility, $N$ and $t$; $m$ the least of the rows seen so far, $m_k$ that of the next row",
    given=[tm.Whole(COMMON, OWN), COMMON >= 1, OWN >= 1],
    replay=FAMILIES,
    formula=tm.Min,
    note=r"A row chooses its $m^{(k)}$ most similar terms, so the first $m$ of them for every $m \le m^{(k)}$.",
)
def no_overestimate(combined: Any) -> Parts:
    for name, utility, t in families():
        own = tuple(closed.local_m(row, PrivacyLevel.from_ratio(t)) for row in utility)
        m = steps.value(reduce(combined, own), {})
        yield Instance(f"{name}, t = {t}, where rows choose {own}: m, the least of these", m, "==", min(own))
    m = combined(COMMON, OWN)
    yield "at most that of every row, by induction over the rows", tm.And(m <= COMMON, m <= OWN)
    yield "that of a row", tm.Or(tm.Eq(m, COMMON), tm.Eq(m, OWN))


@PAPER.claim(
    "Alg. 2 (private)",
    r"the output of Alg. 2 satisfies $\epsilon$-LDP, 'Ensuring that all local occurrences are treated consistently'",
    hypotheses="any utility and $N$; $m$ the least of all rows, $m_1$, $m_2$ those of two rows",
    given=[
        tm.Whole(COMMON, FIRST, SECOND, SIZE),
        T > 1,
        COMMON >= 1,
        FIRST >= COMMON,
        SECOND >= COMMON,
        FIRST <= SIZE,
        SECOND <= SIZE,
    ],
    replay=FAMILIES,
    every={"a column is in Y, in Y'": list(product((0, 1), repeat=2))},
    formula=lambda common, own: common,
    mutants={"each row its own m": lambda common, own: own},
    note="Two rows with $m_1$, $m_2$ and any sets: a column has an entry $t$ or 1 over $m_i t + N - m_i$ in each of them.",
)
def alg_2_private(used: Any) -> Parts:
    for name, utility, t in families():
        level = PrivacyLevel.from_ratio(t)
        m = closed.common_m(utility, level)
        ms = tuple(int(used(m, closed.local_m(row, level))) for row in utility)
        matrices = {own: closed.bipartite_channel(utility, own, level).matrix for own in set(ms)}
        channel = Channel([matrices[own][k] for k, own in enumerate(ms)])
        same = closed.bipartite_rr(utility, level) == channel
        where = f"{name}, t = {t}, m = {ms}: tight ratio"
        yield Instance(where, channel.ratio, "<=", t) if same else f"{where} {channel.ratio}, another channel"
    low = [1 / (used(COMMON, own) * T + SIZE - used(COMMON, own)) for own in (FIRST, SECOND)]
    for in_first, in_second in each("a column is in Y, in Y'"):
        private = T**in_first * low[0] <= T * T**in_second * low[1]
        yield f"column in Y: {in_first}, in Y': {in_second}", private


@PAPER.claim(
    "Alg. 2 (ties in Y_m)",
    r"if outputs tie for the $m$-th place, any choice among them gives the same utility and an $\epsilon$-LDP channel",
    hypotheses="any utility, $N$, $m$ and $t$; of the outputs chosen each is at least as similar as each one left out. The paper does not say which of two equally distant items enters $Y_m$",
    replay="-|i - j| on 1..N, N <= 5, every row and m, t in {2, 3}",
    kind="ours",
    formula=lambda chosen, left_out: chosen >= left_out,
    note="Two sets of $m$ outputs differ by exchanges of an output of the one for an output of the other, and if both are admitted these two are equally similar. The utility of a row is $(t - 1) q^*$ times the sum over the set plus $q^*$ times the sum over all. (6) is private for all sets.",
)
def ties_in_the_set(admitted: Any) -> Parts:
    ms = [(n, m) for n in range(2, 6) for m in range(1, n + 1)]
    for (n, m), t in product(ms, RATIOS[:2]):
        own = closed.bipartite_channel(absolute(n), m, PrivacyLevel.from_ratio(t)).matrix.tolist()
        for row, released in zip(absolute(n).tolist(), own, strict=True):
            every = ((set(c), set(range(n)) - set(c)) for c in combinations(range(n), m))
            sets = [chosen for chosen, left in every if all(admitted(row[j], row[k]) for j in chosen for k in left)]
            totals = {sum(row[j] for j in chosen) for chosen in sets}
            among = {j for j in range(n) if released[j] == max(released)} in sets
            where = f"N = {n}, m = {m}, t = {t}, row ({', '.join(map(str, row))}): least and largest sum of a set"
            yield among or f"{where}, but of the one released"
            yield len(sets) == 1 or Instance(where, min(totals), "==", max(totals))
    # j in the first set only, k in the second only
    yield [admitted(NEAR, FAR), admitted(FAR, NEAR)], {"exchanged outputs are equally similar": tm.Eq(NEAR, FAR)}
    yield PAPER.claims["eq. (6)"].run()


@PAPER.claim(
    "Alg. 2 (own utility)",
    "for $|i-j|$ Alg. 2 finds the best common $m$: BRR 'solves the ... maximization problem from the global standpoint'",
    hypotheses=r"$-|i - j|$ on $1,\dots,N$, uniform prior",
    family="N <= 12, t in {3/2, 2, 3, 7/2, 10}; shifted by 10^20 at N = 5, t = 3/2",
    cause="Alg. 2 (maximises utility)",
    consequence="optimality",
    headline=2,
    formula=closed.common_m,
    control=closed.common_m_star,
    survivors={
        "utility -> utility + 1 in as_array(utility, 'utility', 2, UtilityError)": "the same: a constant added to all similarities changes no m"
    },
    note=r"At $N = 4$, $t = 3/2$ the sorted rows add up to the distances 0, 4, 6, 10; $m = 1$ loses $20/18 = 10/9$, $m = 2$ would lose $(3/2 \cdot 4 + 16)/20 = 11/10$, no tie decides.",
)
def best_for_distances(choose: Any) -> Parts:
    levels = (Fraction(3, 2), *RATIOS)
    cases = [(f"N = {n}", absolute(n), t) for n, t in product(range(2, 13), levels)]
    yield from among_common_m(choose, [*cases, ("N = 5, shifted", absolute(5) - 10**20, Fraction(3, 2))])


CASES = [(OF_TWO, RATIOS[0]), *product(list(matrices(3, 3))[::31], RATIOS)]


@PAPER.claim(
    "Alg. 2 (BRR is GRR iff)",
    r"BRR has $m=1$ iff in some row the second largest similarity is at most GRR's utility there, $(e^\epsilon\lambda_1+\lambda_2+\dots+\lambda_N)/(e^\epsilon+N-1)$",
    hypotheses=r"any similarities: (7) at $i = 2$ with $s_1 = t$; $R = \lambda_2 + \dots + \lambda_N$",
    given=[T > 1, N >= 2, LARGEST >= NEXT, NEXT * (N - 1) >= REST],
    replay="`common_m` on every 31st of the 3 x 3 matrices in {1, 2, 3}, the true item largest, t in {2, 3, 7/2, 10}",
    headline=6,
    kind="ours",
    formula=lambda second, value: second <= value,
    note=r"The minimum over the rows is 1 as soon as one row's is: on $1,\dots,N$ with $|i - j|$ that happens from $e^\epsilon = (N - 1)(N - 2)/2$ or, in the middle, earlier on.",
)
def is_grr(stays: Any) -> Parts:
    for matrix, t in CASES:
        p, q = rr_entries(t, 3)
        rows = [sorted(row, reverse=True) for row in matrix]
        says = any(stays(Fraction(row[1]), p * row[0] + q * sum(row[1:])) for row in rows)
        m = closed.common_m(matrix, PrivacyLevel.from_ratio(t))
        where = f"lambda = {written(matrix)}, t = {t}, where {'some' if says else 'no'} row says so: m"
        yield Instance(where, m, "==" if says else "!=", 1)
    raised = NEXT * (T + N - 1) - (T * LARGEST + REST) > 0  # sum_j (lambda_2 - lambda_j) s_j
    p, q = rr_entries(T, N)
    keeps = stays(NEXT, p * LARGEST + q * REST)
    yield "a row keeps m = 1 iff its second weight is not raised", tm.Equivalent(keeps, tm.Not(raised))


@PAPER.claim(
    "Alg. 2 (a constant row)",
    r"one item that is equally similar to all makes BRR the GRR mechanism for all items, at every $\epsilon$ and for every $N$",
    hypotheses=r"$N \ge 2$; $c =$ similarity of the constant row, $C =$ sum of the weights, $x$ the mean numerator of (7) of the other rows, $y$ one in place of the constant row's",
    given=[T > 1, MASS > 0, SHARE > 0, SHARE < 1],
    replay="`bipartite_rr` on every 31st of the 3 x 3 matrices in {1, 2, 3} whose first row is made constant, t in {2, 3, 7/2, 10}",
    kind="ours",
    formula=raised_by_all,
    mutants={"raised on average": raised_on_average},
    note=r"The numerator of (7) vanishes in that row. At $\lambda = ((2, 2, 2), (1, 3, 3), (1, 3, 3))$, $t = 10$, BRR $=$ GRR has $23/9$ where BRR* has $164/63$; nothing is gained for the constant row in exchange, which has the same utility under every channel.",
)
def constant_row(raises: Any) -> Parts:
    for matrix, t in CASES:
        level, utility = PrivacyLevel.from_ratio(t), ((2, 2, 2), *matrix[1:])
        channel, star = closed.bipartite_rr(utility, level), closed.bipartite_rr_star(utility, level)
        grr = set(channel.matrix.ravel().tolist()) == {1 / (t + 2), t / (t + 2)}
        yield grr or f"lambda = {written(utility)}, t = {t}: not GRR, {channel.matrix.tolist()}"
        own, other = (released.expected_utility(utility) for released in (channel, star))
        yield Instance(f"lambda = {written(utility)}, t = {t}: BRR, BRR*", own, "<=", other)
    own, gain = closed.derivative_numerator([CONSTANT] * 3, [T, MASS, MASS], 1), tm.symbol("y")
    yield "no weight is raised, whatever the other rows gain", tm.Not(raises(SHARE, own, OTHERS))
    lowest = tm.Min(gain, OTHERS) > 0
    yield "raised iff both rows gain", tm.Equivalent(raises(SHARE, gain, OTHERS), lowest)
