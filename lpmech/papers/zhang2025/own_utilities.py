"""The abstract: optimality for the paper's own utilities and the hit rate, and the cost of the algorithms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, certified, refuted, supported, unclear
from lpmech.papers.zhang2025.paper import PAPER, N, T, loop_as_printed, similarity_rows
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


@PAPER.claim(
    "Abstract (outperforms)",
    r"BRR 'significantly outperforms the state-of-the-art LDP mechanisms'",
    hypotheses="-|i - j| on 1..20, uniform prior, e^epsilon = 20 (epsilon close to 3); the better of BRR and BRR*",
    recorded="unclear",
    formula=lambda own, other: own > other,
    mutants={
        "a tenth of their loss": lambda own, other: 10 * own > other,
        "equal to them": lambda own, other: own == other,
    },
    note="True of the mechanisms in the experiments. Randomized response on bins (2022) is not among them: it merges neighbouring "
    "items and is better for this loss.",
)
def outperforms(relation: Any) -> Outcome:
    utility, level = absolute(20), PrivacyLevel.from_ratio(20)
    on_bins = rr_on_bins(best_contiguous_bins(utility, None, level), level)
    released = [[row[j] for j in on_bins.outputs] for row in utility.tolist()]
    own = max(channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star))

    def reading(name: str, other: Channel, gain: Any) -> Outcome:
        value = other.expected_utility(gain)
        method = "exact rational arithmetic" if other.is_exact else "floating point"
        text = f"BRR or BRR* {float(own):.4f}, {name} {float(value):.4f}"
        if not relation(own, value):
            return refuted(method, text, f"N = 20, t = 20: BRR or BRR* {own}, {name} {value}")
        return certified(method, text) if other.is_exact else supported(method, text)

    return unclear(
        {
            "than GRR": reading("GRR", randomized_response(20, level), utility),
            "than the exponential mechanism": reading("exponential", exponential(utility, level), utility),
            "than randomized response on bins": reading("RR on bins", on_bins, released),
        }
    )


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
