"""The abstract: optimality for the paper's own utilities and the hit rate, and the cost of the algorithms."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.bipartite_rr.closed_form import end_point_sum
from lpmech.mechanisms.bipartite_rr.program import global_program
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.papers.checking import both, check_every, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.zhang2025.greedy import grr_maximises_hits
from lpmech.papers.zhang2025.paper import PAPER, N, T, loop_as_printed, similarity_rows
from lpmech.utilities import absolute, tanimoto
from lpmech.verdicts import Outcome, certified, refuted, supported, unclear

UTILITIES = {"-|i - j|": absolute, "Tanimoto": tanimoto}
#: Small sizes, then the smallest size of Figs. 4 and 5 at e^epsilon = 20 (epsilon close to 3).
SETTINGS = [
    *((name, n, Fraction(t)) for n in range(2, 6) for name in UTILITIES for t in ("3/2", "2", "3", "10", "30")),
    *((name, 20, Fraction(20)) for name in UTILITIES),
]


def _grr_is_best(name: str, n: Any, t: Any) -> Any:
    """Whether GRR, which BRR is there, is optimal; None where nothing is claimed."""
    if n == 2:
        return sp.true
    mass = t + n - 1
    return mass**2 - mass * n * (n + 1) / 2 + n * (n**2 - 1) / 3 >= 0 if name == "-|i - j|" else None


@PAPER.claim(
    "Abstract (optimal for the paper's utilities)",
    r"BRR is the optimal \epsilon-LDP channel for the utilities of the paper itself, -|i-j| and the Tanimoto similarity on 1..N",
    hypotheses="N = 2..5 and t in {3/2, 2, 3, 10, 30}; N = 20, t = 20; uniform prior; the better of BRR and BRR*; exact optimum with exact duals. The "
    "formula says where BRR is optimal",
    consequence="optimality",
    headline=1,
    recorded="refuted",
    formula=lambda name, n, t: sp.true,
    mutants={
        "for -|i - j|": lambda name, n, t: sp.true if name == "-|i - j|" else None,
        "for the Tanimoto similarity": lambda name, n, t: sp.true if name == "Tanimoto" else None,
        "at N = 20, epsilon about 3": lambda name, n, t: t >= 20 if n == 20 else None,
    },
    note="At a strong privacy level some outputs should never be released: for -|i - j| the items near both ends. BRR releases every "
    "output with positive probability, so it cannot be optimal there.",
    repair=Repair(
        r"GRR, which BRR is there, is optimal for both utilities if N=2, and for -|i-j| on 1..N, N\ge 3, iff s=e^\epsilon+N-1 has s^2-\frac{N(N+1)}2s+\frac{N(N^2-1)}3\ge 0: from e^\epsilon=2, "
        r"2+\sqrt5, \frac{7+\sqrt{65}}2 on for N=3,4,5",
        hypotheses="t > 1, uniform prior, every N; duals in closed form. GRR is positive everywhere, so complementary slackness leaves it no other duals. Replayed on exact optima with exact "
        "duals, N = 2..5, t in {3/2, 2, 3, 10, 30}; N = 20, t = 20",
        formula=_grr_is_best,
        mutants={
            "t >= 3": lambda name, n, t: sp.true if n == 2 else t >= 3 if name == "-|i - j|" else None,
            "t >= 1 + N(N - 1)/2, which only suffices": lambda name, n, t: (
                sp.true if n == 2 else 2 * (t - 1) >= n * (n - 1) if name == "-|i - j|" else None
            ),
            "both utilities": lambda name, n, t: _grr_is_best("-|i - j|", n, t),
        },
    ),
)
def optimal_for_own_utilities(condition: Any) -> Outcome:
    def failure(case: tuple[str, int, Fraction]) -> str | None:
        name, n, t = case
        claimed = condition(name, n, sp.Rational(t))
        if claimed is None:
            return None
        level, utility = PrivacyLevel.from_ratio(t), UTILITIES[name](n)
        own = [channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star)]
        grr = randomized_response(n, level).expected_utility(utility)
        best = global_program(utility, level).solve("exact")
        if not claimed:
            return f"{name} on 1..{n}, t = {t}: GRR is optimal, {grr}" if grr == best.value else None
        if max(own) == best.value:
            return None
        rows = [[str(v) for v in row] for row in best.channel.matrix.tolist()] if n <= 4 else "of N rows"
        return f"{name} on 1..{n}, t = {t}: BRR {own[0]}, BRR* {own[1]}, optimum {best.value} at the channel {rows}"

    instances = check_family(SETTINGS, failure, "-|i - j| and Tanimoto")
    if condition("-|i - j|", N, T) is None or condition("Tanimoto", N, T) is not None:
        return instances  # nothing is proved for all N
    return replayed(both(_grr_for_distances(condition), _grr_for_two_items()), instances)


def _grr_for_distances(condition: Any) -> Outcome:
    """Where GRR is optimal for -|i - j| on 1..N, and that BRR is GRR there.

    Duals pi_y = (c_y - D/(t + N - 1))/(t - 1) with the sum c_y of row y of the utility and D of all rows (times 1/N for the uniform prior): they
    make every dual constraint an equality when -1 <= pi_y <= 0, because then u[j, j] - pi_j >= 0 is the only positive term of column j. GRR has only
    entries above 0, t times as large on the diagonal, so optimal duals of it must have these equalities and signs: they are these, or there are none.
    """
    y, n = sp.symbols("y N", integer=True)
    k = sp.Symbol("k", integer=True)
    column = -sp.expand(sp.summation(y - k, (k, 1, y)) + sp.summation(k - y, (k, y, n)))
    total = sp.factor(sp.summation(column, (y, 1, n)))
    item, size = sp.symbols("y n")
    c, d = column.subs({y: item, n: size}), total.subs(n, size)
    pi = (c - d / (T + size - 1)) / (T - 1)
    duals = (d - size * d / (T + size - 1)) / (T - 1)
    value = d / (T + size - 1)  # GRR: t times the similarity 0 of the true item, once each other one
    items = [size >= 3, item >= 1, item <= size, T > 1]
    sums = check_identities(
        {"sum of the duals": (duals, value), "dual constraint": (c - duals - (T - 1) * pi, 0)},
        "duals of GRR, all N",
        hypotheses=items,
    )
    claimed = condition("-|i - j|", size, T)
    signs = check_implications(
        [*items, claimed],
        {
            "pi <= 0": pi <= 0,
            "pi >= -1": pi >= -1,
            "the row of an end point keeps m = 1": end_point_sum(T, size, 2) >= 0,
        },
        "signs of all terms, and BRR is GRR",
    )
    needed = check_implications(
        [size >= 3, T > 1, pi.subs(item, 1) >= -1], {"only where it is claimed": claimed}, "else pi_1 < -1"
    )
    return both(sums, both(signs, needed))


def _grr_for_two_items() -> Outcome:
    """For N = 2 both utilities are a constant plus a multiple of the hit rate, for which GRR is optimal."""

    def failure(name: str) -> str | None:
        (a, b), (c, d) = UTILITIES[name](2).tolist()
        return None if a == d and b == c and a > b else f"{name}: {a, b, c, d}"

    alike = check_every(UTILITIES, failure, "N = 2: one similarity off the diagonal")
    return both(alike, grr_maximises_hits(lambda t, n: t / (t + n - 1)))


@PAPER.claim(
    "Abstract (hit rate)",
    r"for the hit rate with uniform prior BRR = GRR is optimal among all \epsilon-LDP channels, for every N and \epsilon",
    hypotheses="certificate: equal dual values pi = value / N",
    formula=lambda t, n: t / (t + n - 1),
    mutants={
        "t / (t + N)": lambda t, n: t / (t + n),
        "(t - 1) / (t + N - 1)": lambda t, n: (t - 1) / (t + n - 1),
    },
    note="A dual solution bounds every private channel, so equality with the value of GRR is a proof of optimality.",
)
def hit_rate(value: Any) -> Outcome:
    return grr_maximises_hits(value)


@PAPER.claim(
    "Abstract (outperforms)",
    r"BRR 'significantly outperforms the state-of-the-art LDP mechanisms'",
    hypotheses="-|i - j| on 1..20, uniform prior, e^epsilon = 20 (epsilon close to 3); the better of BRR and BRR*",
    consequence="wording",
    readings={
        "than GRR": "certified",
        "than the exponential mechanism": "supported",
        "than randomized response on bins": "refuted",
    },
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
    hypotheses="any N >= 2 and t; the paper states no bound. Each of the at most N - 1 derivatives is a sum of N products; the row (2, ..., 2, 1) asks for "
    "all of them. Replayed by counting, sorted rows with similarities 1, 2, N <= 9, t = 2",
    formula=lambda n: n * (n - 1),
    mutants={"linear": lambda n: n, "N^2": lambda n: n * n},
    note="With prefix sums (`greedy_m`) N multiplications do; see 'Alg. 1 (prefix sums)'. The program over all channels has N^2 unknowns.",
)
def operations(bound: Any) -> Outcome:
    def failure(n: int) -> str | None:
        most = max(loop_as_printed(row, Fraction(2))[1] for row in similarity_rows(n, 2) if len(row) == n)
        return None if most == bound(n) else f"N = {n}: at most {most} multiplications, claimed {bound(n)}"

    size, derivatives, raised = sp.symbols("N d i", integer=True)
    mass = raised * T + size - raised  # weights when i terms are raised; the similarities are 2, the last one 1
    proof = check_implications(
        [T > 1, size >= 2, derivatives >= 0, derivatives <= size - 1, raised >= 1, raised <= size - 2],
        {
            "at most": size * derivatives <= bound(size),
            "no break before i = N": 2 * mass - (2 * mass - 1) > 0,
        },
        "N products a derivative",
    )
    attained = check_identities(
        {"N - 1 derivatives": (N * (N - 1), bound(N))}, "attained by (2, ..., 2, 1)", hypotheses=[N >= 2]
    )
    return replayed(both(proof, attained), check_family(range(1, 10), failure, "all such rows, N <= 9"))
