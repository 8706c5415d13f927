"""The abstract: optimality for the paper's own utilities and the hit rate, and the cost of the algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Parts, Repair, beside
from lpmech.claims.checking import check_identities, check_implications
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.bipartite_rr.closed_form import end_point_sum
from lpmech.mechanisms.bipartite_rr.optimality import grr_excess_on_integers
from lpmech.mechanisms.bipartite_rr.program import global_program
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.papers.zhang2025.greedy import grr_maximises_hits
from lpmech.papers.zhang2025.paper import EXACT, PAPER, N, T, loop_as_printed, similarity_rows
from lpmech.utilities import absolute, tanimoto
from lpmech.verdicts import Outcome, certified, refuted, supported

SIZE, DERIVATIVES, RAISED = sp.symbols("N d i", integer=True)
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
    return grr_excess_on_integers(t, n) >= 0 if name == "-|i - j|" else None


@PAPER.claim(
    "Abstract (optimal for the paper's utilities)",
    r"BRR is the optimal \epsilon-LDP channel for the utilities of the paper itself, -|i-j| and the Tanimoto similarity on 1..N",
    hypotheses="uniform prior; the better of BRR and BRR*. The formula says where BRR is optimal",
    replay="exact optima with exact duals, N = 2..5, t in {3/2, 2, 3, 10, 30}; N = 20, t = 20",
    consequence="optimality",
    headline=1,
    recorded="refuted",
    compare=beside.bipartite_rr_for_distances,
    formula=lambda name, n, t: sp.true,
    note="At a strong privacy level some outputs should never be released: for -|i - j| the items near both ends. BRR releases every "
    "output with positive probability, so it cannot be optimal there.",
    repair=Repair(
        r"GRR, which BRR is there, is optimal for both utilities if N=2, and for -|i-j| on 1..N, N\ge 3, iff s=e^\epsilon+N-1 has s^2-\frac{N(N+1)}2s+\frac{N(N^2-1)}3\ge 0: from e^\epsilon=2, "
        r"2+\sqrt5, \frac{7+\sqrt{65}}2 on for N=3,4,5",
        hypotheses="uniform prior, every N; duals in closed form. GRR is positive everywhere, so complementary slackness leaves it no other duals",
        formula=_grr_is_best,
        mutants={
            "for the Tanimoto similarity": lambda name, n, t: sp.true if name == "Tanimoto" else None,
            "t >= 1 + N(N - 1)/2, which only suffices": lambda name, n, t: (
                sp.true if n == 2 else 2 * (t - 1) >= n * (n - 1) if name == "-|i - j|" else None
            ),
            "both utilities": lambda name, n, t: _grr_is_best("-|i - j|", n, t),
        },
    ),
)
def optimal_for_own_utilities(condition: Any) -> Parts:
    for name, n, t in SETTINGS:
        claimed = condition(name, n, sp.Rational(t))
        if claimed is None:
            continue
        level, utility = PrivacyLevel.from_ratio(t), UTILITIES[name](n)
        grr = randomized_response(n, level).expected_utility(utility)
        best = global_program(utility, level).solve("exact")
        if not claimed:
            yield grr != best.value or f"{name} on 1..{n}, t = {t}: GRR is optimal, {grr}"
            continue
        own = [channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star)]
        rows = [[str(v) for v in row] for row in best.channel.matrix.tolist()] if n <= 4 else "of N rows"
        yield max(own) == best.value or (
            f"{name} on 1..{n}, t = {t}: BRR {own[0]}, BRR* {own[1]}, optimum {best.value} at the channel {rows}"
        )
    if condition("-|i - j|", N, T) is not None and condition("Tanimoto", N, T) is None:
        yield from _grr_for_distances(condition)
        for name, of_two in UTILITIES.items():  # a constant plus a multiple of the hit rate
            (a, b), (c, d) = of_two(2).tolist()
            yield (a == d and b == c and a > b) or f"{name} on 1, 2: {a, b, c, d}"
        yield grr_maximises_hits(lambda t, n: t / (t + n - 1))


def _grr_for_distances(condition: Any) -> Iterator[Outcome]:
    """Where GRR is optimal for -|i - j| on 1..N, and that BRR is GRR there.

    Duals pi_y = (c_y - D/(t + N - 1))/(t - 1) with the sum c_y of row y of the utility and D of all rows (times 1/N for the uniform prior): they
    make every dual constraint an equality when -1 <= pi_y <= 0, because then u[j, j] - pi_j >= 0 is the only positive term of column j. GRR has only
    entries above 0, t times as large on the diagonal, so optimal duals of it must have these equalities and signs: they are these, or there are none.
    """
    y, n, k = sp.symbols("y N k", integer=True)
    column = -sp.expand(sp.summation(y - k, (k, 1, y)) + sp.summation(k - y, (k, y, n)))
    item, size = sp.symbols("y n")
    c = column.subs({y: item, n: size})
    d = sp.factor(sp.summation(column, (y, 1, n))).subs(n, size)
    value = d / (T + size - 1)  # GRR: t times the similarity 0 of the true item, once each other one
    pi, duals = (c - value) / (T - 1), (d - size * value) / (T - 1)
    items = [size >= 3, item >= 1, item <= size, T > 1]
    yield check_identities(
        {"sum of the duals": (duals, value), "dual constraint": (c - duals - (T - 1) * pi, 0)},
        "duals of GRR, all N",
        hypotheses=items,
    )
    claimed = condition("-|i - j|", size, T)
    row_keeps_1 = end_point_sum(T, size, 2) >= 0
    yield check_implications(
        [*items, claimed],
        {"pi <= 0": pi <= 0, "pi >= -1": pi >= -1, "the row of an end point keeps m = 1": row_keeps_1},
        "signs of all terms, and BRR is GRR",
    )
    yield check_implications(
        [size >= 3, T > 1, pi.subs(item, 1) >= -1], {"only where it is claimed": claimed}, "else pi_1 < -1"
    )


PAPER.claim(
    "Abstract (hit rate)",
    r"for the hit rate with uniform prior BRR = GRR is optimal among all \epsilon-LDP channels, for every N and \epsilon",
    hypotheses="certificate: equal dual values pi = value / N",
    compare=beside.bipartite_rr_for_hits,
    formula=lambda t, n: t / (t + n - 1),
    note="A dual solution bounds every private channel, so equality with the value of GRR is a proof of optimality.",
)(grr_maximises_hits)


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
    mutants={"a tenth of their loss": lambda own, other: 10 * own > other},
    note="True of the mechanisms in the experiments. Randomized response on bins (2022) is not among them: it merges neighbouring "
    "items and is better for this loss.",
)
def outperforms(relation: Any) -> tuple[Outcome, ...]:
    utility, level = absolute(20), PrivacyLevel.from_ratio(20)
    on_bins = rr_on_bins(best_contiguous_bins(utility, None, level), level)
    released = [[row[j] for j in on_bins.outputs] for row in utility.tolist()]
    own = max(channel(utility, level).expected_utility(utility) for channel in (bipartite_rr, bipartite_rr_star))

    def compared(name: str, other: Channel, gain: Any) -> Outcome:
        value = other.expected_utility(gain)
        method, found = (EXACT, certified) if other.is_exact else ("floating point", supported)
        text = f"BRR or BRR* {float(own):.4f}, {name} {float(value):.4f}"
        failed = refuted(method, text, f"N = 20, t = 20: BRR or BRR* {own}, {name} {value}")
        return found(method, text) if relation(own, value) else failed

    return (
        compared("GRR", randomized_response(20, level), utility),
        compared("the exponential mechanism", exponential(utility, level), utility),
        compared("randomized response on bins", on_bins, released),
    )


@PAPER.claim(
    "Abstract (computationally cheap)",
    r"'solving this linear program can be computationally cheap': Alg. 1 as printed takes at most N(N-1) multiplications, and that many for some rows; Alg. 2 N times as many",
    hypotheses="the paper states no bound. Each of the d <= N - 1 derivatives is a sum of N products; the row (2, ..., 2, 1) asks for all of them: i weights raised, the sum stays positive",
    given=[T > 1, SIZE >= 2, DERIVATIVES >= 0, DERIVATIVES < SIZE, RAISED >= 1, RAISED <= SIZE - 2],
    evidence="N products a derivative, attained by (2, ..., 2, 1)",
    replay="sorted rows with similarities 1, 2, N <= 9, t = 2, multiplications counted",
    formula=lambda n: n * (n - 1),
    note="With prefix sums (`greedy_m`) N multiplications do; see 'Alg. 1 (prefix sums)'. The program over all channels has N^2 unknowns.",
)
def operations(bound: Any) -> Parts:
    for n in range(1, 10):
        most = max(loop_as_printed(row, Fraction(2))[1] for row in similarity_rows(n, 2))
        yield most == bound(n) or f"N = {n}: at most {most} multiplications, claimed {bound(n)}"
    mass = RAISED * T + SIZE - RAISED  # weights when i terms are raised; the similarities are 2, the last one 1
    yield "at most", SIZE * DERIVATIVES <= bound(SIZE)
    yield "no break before i = N", 2 * mass - (2 * mass - 1) > 0
    yield "N - 1 derivatives", (SIZE * (SIZE - 1), bound(SIZE))
