"""The abstract (optimality in several classes of channels) and section I (the contributions)."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.bipartite_rr import (
    bipartite_channel,
    bipartite_rr,
    bipartite_rr_star,
    high_probability,
    low_probability,
)
from lpmech.mechanisms.bipartite_rr.program import best_two_valued, global_program
from lpmech.papers.checking import both, check_every, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zhang2025.greedy import grr_maximises_hits, raised_on_average, rearrangement, rule_maximises
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, M, Matrix, N, T, grr, similarity_matrices, written
from lpmech.verdicts import Outcome


def _hit_rate_of_grr(t: Any, n: Any) -> Any:
    return t / (t + n - 1)


def _stakes(matrix: Any) -> tuple[Any, Any]:
    """What releasing the other item costs in either row."""
    return matrix[0][0] - matrix[0][1], matrix[1][1] - matrix[1][0]


def _stakes_within(matrix: Any, t: Any) -> Any:
    """The larger stake is at most t times the smaller one."""
    first, second = _stakes(matrix)
    return sp.And(first <= t * second, second <= t * first)


def _equal_stakes(matrix: Any, t: Any) -> Any:
    return sp.Eq(*_stakes(matrix))


@PAPER.claim(
    "Abstract (optimal for any utility)",
    r"'for any utility function and any privacy level' BRR solves the utility maximisation: no \epsilon-LDP channel has a larger expected utility",
    hypotheses="N = 2, similarities in {1, 2, 3} with the true item largest in its row, uniform prior, t in {2, 3, 7/2, 10}",
    consequence="optimality",
    headline=2,
    recorded="refuted",
    formula=lambda matrix, t: sp.true,
    mutants={"if both diagonal entries are equal": lambda matrix, t: sp.Eq(matrix[0][0], matrix[1][1])},
    note="Already when one item has more at stake than the other, always releasing that item beats BRR. Within the paper's "
    "class of channels, (6) with one common m, BRR* is optimal: see 'Alg. 3 (optimal among common weights)'.",
    repair=Repair(
        r"for N=2 BRR is optimal among all \epsilon-LDP channels iff the larger of the stakes \lambda(1,1)-\lambda(1,2), \lambda(2,2)-\lambda(2,1) is at most e^\epsilon times the smaller",
        hypotheses="t > 1, N = 2, real similarities with the true item largest in its row, uniform prior; duals in closed form, and the channel that always releases the item with more at stake. "
        "Replayed on exact optima with exact duals, similarities in {1, 2, 3}, t in {2, 3, 7/2, 10}",
        formula=_stakes_within,
        mutants={
            "for any similarities": lambda matrix, t: sp.true,
            "only for equal stakes": _equal_stakes,
            "larger stake at most t^2 times": lambda matrix, t: _stakes_within(matrix, t * t),
            "one of the two": lambda matrix, t: _stakes(matrix)[0] <= t * _stakes(matrix)[1],
        },
        note="For N = 2 both algorithms keep m = 1. Feasible duals whose sum is the utility of a private channel prove that it is optimal.",
    ),
)
def optimal_among_all(claimed: Any) -> Outcome:
    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        own = max(
            bipartite_rr(matrix, level).expected_utility(matrix),
            bipartite_rr_star(matrix, level).expected_utility(matrix),
        )
        solution = global_program(matrix, level).solve("exact")
        if (own == solution.value) == bool(claimed(matrix, t)):
            return None
        rows = [[str(v) for v in row] for row in solution.channel.matrix.tolist()]
        return (
            f"lambda = {written(matrix)}, t = {t}: BRR and BRR* {own}, optimum {solution.value} at the channel {rows}"
        )

    instances = check_family([(m, t) for m in similarity_matrices(2, 3) for t in RATIOS], failure, "N = 2")
    matrix = tuple(tuple(sp.Symbol(f"u{k}{j}") for j in (1, 2)) for k in (1, 2))
    stakes = _stakes(matrix)
    # the two duals make both dual constraints equalities while each row's own gain is >= 0 and its other gain <= 0
    own = [(T * stakes[1 - k] - stakes[k]) / (T**2 - 1) for k in (0, 1)]
    duals = [matrix[k][k] - own[k] for k in (0, 1)]
    value = sum((T * matrix[k][k] + matrix[k][1 - k]) / (T + 1) for k in (0, 1))
    columns = {"sum of the duals": sp.Eq(sum(duals), value)}
    for j in (0, 1):
        gains = [matrix[k][j] - duals[k] for k in (0, 1)]
        columns[f"signs in output {j + 1}"] = sp.And(gains[j] >= 0, gains[1 - j] <= 0)
        columns[f"dual constraint of output {j + 1}"] = T * gains[j] + gains[1 - j] <= 0
    keeps_one = {
        f"row {k + 1} keeps m = 1": matrix[k][1 - k] * T - matrix[k][k] * T <= 0 for k in (0, 1)
    }  # (7) at i = 2 with s_1 = t
    given = [T > 1, *(matrix[k][k] >= matrix[k][1 - k] for k in (0, 1))]
    condition = claimed(matrix, T)
    enough = check_implications(
        [*given, *sp.And.make_args(condition)], {**keeps_one, **columns}, "dual constraints of both outputs"
    )
    always = [matrix[0][j] + matrix[1][j] for j in (0, 1)]
    beaten = sp.Or(*(constant > value for constant in always))
    needed = check_implications(
        given, {"else a constant is better": sp.Or(condition, beaten)}, "all similarities and t"
    )
    return replayed(both(enough, needed), instances)


@PAPER.claim(
    "Abstract (two-valued rows)",
    r"BRR* is optimal among private channels whose rows take two values a, e^\epsilon a",
    hypotheses="N = 3, similarities in {1, 2} with the true item largest, uniform prior, t = 2; all sets, also of different sizes. The formula: how many "
    "outputs of similarity 2 a row may have",
    consequence="optimality",
    recorded="refuted",
    formula=(0, 1, 2, 3),
    mutants={"one or two": (1, 2)},
    note="Rows may choose sets of different sizes as long as the channel stays private.",
    repair=Repair(
        r"for the hit rate (one output of similarity 2 in each row, the others 1) BRR* = GRR is optimal among two-valued rows",
        hypotheses="any N and t, uniform prior: optimal among all private channels by the duals of 'Abstract (hit rate)'. Replayed on N = 3, t = 2 by "
        "enumeration of all sets",
        formula=(1,),
        mutants={"one or two": (1, 2), "any number": (0, 1, 2, 3)},
        note="One output of similarity 2 is the true item, so the similarity is one plus the hit rate, and adding a constant moves every utility alike. BRR* "
        "keeps m = 1, since the second term has the least similarity.",
    ),
)
def optimal_among_two_valued(allowed: tuple[int, ...]) -> Outcome:
    def failure(matrix: Matrix) -> str | None:
        level = PrivacyLevel.from_ratio(2)
        own = bipartite_rr_star(matrix, level).expected_utility(matrix)
        best = best_two_valued(matrix, level)
        return None if own == best else f"lambda = {written(matrix)}, t = 2: BRR* {own}, best two-valued rows {best}"

    matrices = [m for m in similarity_matrices(3, 2) if all(row.count(2) in allowed for row in m)]
    instances = check_family(matrices, failure, "N = 3")
    count = sp.Symbol("c", integer=True)
    shape = check_implications(
        [T > 1, N >= 2, sp.Or(*(sp.Eq(count, c) for c in allowed))],
        {
            "one output of similarity 2, the true item": sp.Eq(count, 1),
            "BRR* keeps m = 1": (T + N - 1) - (2 * T + N - 1) <= 0,  # (7) at i = 2 with s_1 = t
        },
        "one plus the hit rate",
    )
    return replayed(both(shape, grr_maximises_hits(_hit_rate_of_grr)), instances)


@PAPER.claim(
    "Abstract (rows that rearrange one vector)",
    r"BRR* is optimal among private channels whose rows are permutations of one probability vector",
    hypotheses="N = 2, similarities in {1, 2, 3} with the true item largest, uniform prior, t in {2, 3}; weights (a, 1 - a), a in twelfths",
    consequence="optimality",
    recorded="refuted",
    formula=lambda largest, smallest, t: sp.true,
    mutants={"w_1 <= t^2 w_N": lambda largest, smallest, t: largest <= t * t * smallest},
    note="The paper restricts the weights to [1, e^eps] without saying that this costs generality: privacy compares the "
    "entries of one column, and equal rows are private whatever their weights.",
    repair=Repair(
        r"with w_1\le e^\epsilon w_N BRR* is optimal among permuted rows",
        hypotheses="t > 1, any N, utility and prior; the formula is the condition on the largest and the smallest weight. Replayed on N = 2, similarities in "
        "{1, 2, 3}, uniform prior, t in {2, 3}; weights (a, 1 - a), a in twelfths",
        formula=lambda largest, smallest, t: largest <= t * smallest,
        mutants={"any weights": lambda largest, smallest, t: sp.true},
        note="w/w_N lies in [1, e^eps]^N and has the same Q. Sorted rows are best by exchanges, and among sorted rows with weights in [1, e^eps] BRR* is best.",
    ),
)
def optimal_among_permuted(admitted: Any) -> Outcome:
    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        own = bipartite_rr_star(matrix, level).expected_utility(matrix)
        for a in range(13):
            weights = (Fraction(a, 12), Fraction(12 - a, 12))
            if not admitted(max(weights), min(weights), t):
                continue
            for rows in product((weights, weights[::-1]), repeat=2):
                channel = Channel(rows)
                if channel.satisfies(level) and channel.expected_utility(matrix) > own:
                    shown = [[str(v) for v in row] for row in rows]
                    return f"lambda = {written(matrix)}, t = {t}: BRR* {own}, rows {shown} give {channel.expected_utility(matrix)}"
        return None

    instances = check_family([(m, t) for m in similarity_matrices(2, 3) for t in RATIOS[:2]], failure, "N = 2")
    largest, weight, smallest = sp.symbols("w_1 w_i w_N")
    scaled = check_implications(
        [T > 1, largest > 0, smallest >= 0, weight >= smallest, largest >= weight, admitted(largest, smallest, T)],
        {"w_N > 0": smallest > 0, "1 <= w_i / w_N <= t": sp.And(weight >= smallest, weight <= T * smallest)},
        "weights in [1, t] after division by w_N",
    )
    proof = reduce(both, [scaled, rearrangement(), rule_maximises(raised_on_average)])
    return replayed(proof, instances)


@PAPER.claim(
    "Section I (p* < p, q* < q, p* > q*)",
    r"for 1<m<N: p^*<p, q^*<q and p^*>q^*",
    hypotheses="t > 1, 1 < m < N, real",
    formula=(high_probability, low_probability),
    mutants={
        "denominator N": (lambda t, n, m: t / n, lambda t, n, m: 1 / n),
        "m and N - m swapped": (lambda t, n, m: t / ((n - m) * t + m), lambda t, n, m: 1 / ((n - m) * t + m)),
    },
)
def probabilities_compared(formulas: Any) -> Outcome:
    high, low = (f(T, N, M) for f in formulas)
    p, q = grr(T, N)
    row = check_identities(
        {"row sum": (M * high + (N - M) * low, 1)}, "rows sum to one", hypotheses=[T > 1, M > 1, M < N]
    )
    order = check_implications(
        [T > 1, M > 1, M < N], {"p* < p": high < p, "q* < q": low < q, "p* > q*": high > low}, "for all t, m, N"
    )
    return both(row, order)


@PAPER.claim(
    "Section I (similar values gain)",
    r"the release probability of a similar value rises from q to p^*, that of the true and of a far value falls",
    given=[T > 1, M > 1, M < N],
    evidence="for all t, m, N",
    formula=lambda p, q, high, low: sp.And(high > q, high < p, low < q),
    mutants={
        "the true value gains": lambda p, q, high, low: sp.And(high > q, high > p, low < q),
        "far values gain": lambda p, q, high, low: sp.And(high > q, high < p, low > q),
    },
)
def similar_values_gain(statement: Any) -> Relations:
    high, low = high_probability(T, N, M), low_probability(T, N, M)
    return {"ordering": statement(*grr(T, N), high, low)}


def nearest(position: int, points: tuple[int, ...], m: int) -> set[int]:
    """Indices of the m points nearest to points[position], itself first, ties to the smaller index."""
    return set(sorted(range(len(points)), key=lambda j: (abs(points[j] - points[position]), j != position, j))[:m])


@PAPER.claim(
    "Section I (similarity not reciprocal)",
    r"y\in Y_m(x) does not imply x\in Y_m(y)",
    hypotheses="one example proves it: three integers with distance |x - y| and no ties, m = 2. The formula: three points and the indices of x and y",
    formula=((0, 1, 3), 2, 1),
    mutants={"a reciprocal pair": ((0, 1, 3), 1, 0), "y not in Y_2(x)": ((0, 1, 3), 2, 0)},
    note="Among 0, 1, 3 the point nearest to 3 is 1, and the point nearest to 1 is 0.",
)
def not_reciprocal(example: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], int, int]) -> str | None:
        points, x, y = case
        if y in nearest(x, points, 2) and x not in nearest(y, points, 2):
            return None
        return f"points {points}: Y_2({points[x]}) and Y_2({points[y]}) do not differ in this way"

    return check_every([example], failure, "points (0, 1, 3): 1 is in Y_2(3), 3 is not in Y_2(1)")


def _best_guess(channel: Channel) -> Any:
    """Probability of guessing a uniform true item from the output."""
    return channel.matrix.max(axis=0).sum() / len(channel.inputs)


def _privacy_compared(measure: Any, relation: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        n, m, t = case
        utility = [[-abs(i - j) for j in range(n)] for i in range(n)]
        brr, grr = (measure(bipartite_channel(utility, k, PrivacyLevel.from_ratio(t))) for k in (m, 1))
        return None if relation(brr, grr) else f"N = {n}, m = {m}, t = {t}: BRR {brr}, GRR {grr}"

    return check_family([(n, m, t) for n in (3, 4) for m in range(2, n) for t in RATIOS], failure, "N <= 4, 1 < m < N")


@PAPER.claim(
    "Section I (stronger privacy)",
    r"'under the framework of differential privacy', BRR 'achieves stronger privacy protection' than GRR at the same \epsilon",
    hypotheses="protection as differential privacy measures it, by the level; N = 3, 4, -|i - j|, 1 < m < N, t in {2, 3, 7/2, 10}",
    consequence="privacy",
    headline=5,
    recorded="refuted",
    formula=lambda brr, grr: brr < grr,
    control=lambda brr, grr: sp.Eq(brr, grr),
    mutants={"weaker privacy": lambda brr, grr: brr > grr},
    note="The level epsilon is the same. What is smaller is the chance of guessing a uniform true item from the output, see 'Section I (guessing)'.",
)
def stronger_privacy(relation: Any) -> Outcome:
    return _privacy_compared(lambda channel: channel.ratio, relation)


@PAPER.claim(
    "Section I (level of BRR and GRR)",
    r"BRR with m<N has exactly the level \epsilon of GRR",
    hypotheses="t > 1, N >= 2, 1 <= m < N, any utility for which the true item is (one of) the most similar to itself. Replayed on N = 3, 4, -|i - j|, "
    "1 < m < N, t in {2, 3, 7/2, 10}",
    formula=lambda brr, grr: sp.Eq(brr, grr),
    mutants={"smaller": lambda brr, grr: brr < grr},
    note="Item k is in Y_m(k). If all sets were one, it would hold every item and m = N; so some column holds p* and q*, and their ratio is that of p and q.",
    repairs="Section I (stronger privacy)",
)
def same_level(relation: Any) -> Outcome:
    m, size = sp.symbols("m N", integer=True)
    high, low = high_probability(T, size, m), low_probability(T, size, m)
    p, q = grr(T, size)
    proof = check_implications(
        [T > 1, size >= 2, m >= 1, m < size],
        {"not all items in one set": sp.Not(sp.Eq(m, size)), "largest ratio in a column": relation(high / low, p / q)},
        "all N, m and t",
    )
    return replayed(proof, _privacy_compared(lambda channel: channel.ratio, relation))


@PAPER.claim(
    "Section I (guessing)",
    r"for 1<m<N and a uniform prior the true item is guessed from BRR's output with probability at most p^*<p, GRR's",
    hypotheses="a guess after output y is right with probability max_x Pr[y|x]/N <= p*/N",
    given=[T > 1, M > 1, M < N],
    evidence="sum over the N outputs",
    formula=lambda high, n: n * high / n,
    mutants={"m outputs favoured": lambda high, n: M * high},
)
def guessing(bound: Any) -> Relations:
    high = high_probability(T, N, M)
    return {"below p": bound(high, N) < grr(T, N)[0]}


PAPER.leave_out("Section I (Fig. 1, Fig. 2)", "illustrations of the mechanism")
PAPER.leave_out("Section II", "related work: citations")
