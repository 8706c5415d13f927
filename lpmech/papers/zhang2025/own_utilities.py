"""The abstract against the paper's own utilities, the hit rate, the row weights, and the cost of the algorithms."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star, derivative_numerator, greedy_m
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, N, T, similarity_rows
from lpmech.programs.bipartite_rr import global_program
from lpmech.utilities import absolute, tanimoto

UTILITIES = {"-|i - j|": absolute, "Tanimoto": tanimoto}
#: Small sizes, then the smallest size of Figs. 4 and 5 at e^epsilon = 20 (epsilon close to 3).
SETTINGS = [
    *((name, n, Fraction(t)) for n in range(2, 6) for name in UTILITIES for t in ("3/2", "2", "3", "10", "30")),
    *((name, 20, Fraction(20)) for name in UTILITIES),
]


@PAPER.claim(
    "Abstract (optimal for the paper's utilities)",
    r"BRR is the optimal \epsilon-LDP channel for the utilities of the paper itself, -|i-j| and the Tanimoto similarity on 1..N",
    hypotheses="N = 2..5 and t in {3/2, 2, 3, 10, 30}; N = 20, t = 20; uniform prior; the better of BRR and BRR*; exact optimum with exact duals",
    recorded="refuted",
    formula=lambda name, n, t: True,
    control=lambda name, n, t: n == 2 or (n <= 5 and name == "-|i - j|" and t >= 10),
    mutants={
        "for -|i - j|": lambda name, n, t: name == "-|i - j|",
        "for the Tanimoto similarity": lambda name, n, t: name == "Tanimoto",
        "at N = 20, epsilon about 3": lambda name, n, t: n == 20,
    },
    repaired_by="Abstract (optimal for the paper's utilities) [repaired]",
    note="At a strong privacy level some outputs should never be released: for -|i - j| the items near both ends. BRR releases every "
    "output with positive probability, so it cannot be optimal there.",
)
@PAPER.claim(
    "Abstract (optimal for the paper's utilities) [repaired]",
    r"BRR is optimal for both utilities if N=2, and for -|i-j| if N\le 5 and e^\epsilon\ge 10",
    hypotheses="t in {3/2, 2, 3, 10, 30}, uniform prior; exact optimum with exact duals",
    recorded="certified",
    formula=lambda name, n, t: n == 2 or (n <= 5 and name == "-|i - j|" and t >= 10),
    mutants={
        "t >= 3": lambda name, n, t: n == 2 or (n <= 5 and name == "-|i - j|" and t >= 3),
        "both utilities": lambda name, n, t: n == 2 or (n <= 5 and t >= 10),
    },
)
def optimal_for_own_utilities(claimed: Any) -> Outcome:
    def failure(case: tuple[str, int, Fraction]) -> str | None:
        name, n, t = case
        level, utility = PrivacyLevel.from_ratio(t), UTILITIES[name](n)
        own = [channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star)]
        best = global_program(utility, level).solve("exact")
        if max(own) == best.value:
            return None
        rows = [[str(v) for v in row] for row in best.channel.matrix.tolist()] if n <= 4 else "of N rows"
        return f"{name} on 1..{n}, t = {t}: BRR {own[0]}, BRR* {own[1]}, optimum {best.value} at the channel {rows}"

    return check_family([case for case in SETTINGS if claimed(*case)], failure, "-|i - j| and Tanimoto")


@PAPER.claim(
    "Abstract (hit rate)",
    r"for the hit rate with uniform prior BRR = GRR is optimal among all \epsilon-LDP channels, for every N and \epsilon",
    hypotheses="t > 1, N >= 2; certificate: equal dual values pi = value / N",
    recorded="proved",
    formula=lambda t, n: t / (t + n - 1),
    mutants={
        "t / (t + N)": lambda t, n: t / (t + n),
        "(t - 1) / (t + N - 1)": lambda t, n: (t - 1) / (t + n - 1),
    },
    note="A dual solution bounds every private channel, so equality with the value of GRR is a proof of optimality.",
)
def hit_rate(value: Any) -> Outcome:
    pi = value(T, N) / N
    own, other = 1 / N - pi, -pi
    primal = check_identities({"hit rate of GRR": (T / (T + N - 1), value(T, N))}, "the hit rate of (5)")
    dual = check_implications(
        [T > 1, N >= 2],
        {"own > 0 > other": sp.And(own > 0, other < 0), "dual constraint": own + (N - 1) * other + (T - 1) * own <= 0},
        "one dual constraint, the same for every output",
    )
    return both(primal, dual)


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


class _Counted:
    """An exact number that counts the multiplications it takes part in."""

    def __init__(self, value: Fraction | int, tally: list[int]) -> None:
        self.value, self.tally = Fraction(value), tally

    def __sub__(self, other: _Counted) -> _Counted:
        return _Counted(self.value - other.value, self.tally)

    def __mul__(self, factor: Fraction) -> Fraction:
        self.tally[0] += 1
        return self.value * factor


def loop_as_printed(row: tuple[int, ...], t: Fraction) -> tuple[int, int]:
    """Alg. 1 line by line, (m, multiplications): every derivative is summed anew."""
    n, tally = len(row), [0]
    similarities = [_Counted(v, tally) for v in row]
    weights = [t] + [Fraction(1)] * (n - 1)
    m = 1
    for i in range(1, n):
        if derivative_numerator(similarities, weights, i) <= 0:
            break
        weights[i], m = t, i + 1
    return m, tally[0]


@PAPER.claim(
    "Abstract (computationally cheap)",
    r"'solving this linear program can be computationally cheap': Alg. 1 as printed takes at most N(N-1) multiplications, and that many for some rows; Alg. 2 N times as many",
    hypotheses="sorted rows with similarities 1, 2, N <= 9, t = 2; the paper states no bound",
    recorded="certified",
    formula=lambda n: n * (n - 1),
    mutants={"linear": lambda n: n, "N^2": lambda n: n * n},
    note="With prefix sums (`greedy_m`) N multiplications do; see 'Alg. 1 (prefix sums)'. The program over all channels has N^2 unknowns.",
)
def operations(bound: Any) -> Outcome:
    def failure(n: int) -> str | None:
        most = max(loop_as_printed(row, Fraction(2))[1] for row in similarity_rows(n, 2) if len(row) == n)
        return None if most == bound(n) else f"N = {n}: at most {most} multiplications, claimed {bound(n)}"

    return check_family(range(1, 10), failure, "all such rows, N <= 9")


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
