"""The abstract (optimality in several classes of channels) and section I (the contributions)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
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
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, unclear
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, M, Matrix, N, T, grr, similarity_matrices, written
from lpmech.programs.bipartite_rr import best_two_valued, global_program


@PAPER.claim(
    "Abstract (optimal for any utility)",
    r"'for any utility function and any privacy level' BRR solves the utility maximisation: no \epsilon-LDP channel has a larger expected utility",
    hypotheses="N = 2, similarities in {1, 2, 3} with the true item largest in its row, uniform prior, t in {2, 3, 7/2, 10}",
    recorded="refuted",
    formula=lambda matrix: True,
    control=lambda matrix: matrix[0][0] - matrix[0][1] == matrix[1][1] - matrix[1][0],
    mutants={"if both diagonal entries are equal": lambda matrix: matrix[0][0] == matrix[1][1]},
    repaired_by="Abstract (optimal for any utility) [repaired]",
    note="Already when one item has more at stake than the other, always releasing that item beats BRR. Within the paper's "
    "class of channels, (6) with one common m, BRR* is optimal: see 'Alg. 3 (optimal among common weights)'.",
)
@PAPER.claim(
    "Abstract (optimal for any utility) [repaired]",
    r"for N=2 and equal stakes \lambda(1,1)-\lambda(1,2)=\lambda(2,2)-\lambda(2,1) BRR is optimal among all \epsilon-LDP channels",
    hypotheses="N = 2, similarities in {1, 2, 3}, uniform prior, t in {2, 3, 7/2, 10}; exact optimum with exact duals",
    recorded="certified",
    formula=lambda matrix: matrix[0][0] - matrix[0][1] == matrix[1][1] - matrix[1][0],
    mutants={"for any similarities": lambda matrix: True},
)
def optimal_among_all(claimed: Any) -> Outcome:
    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        if not claimed(matrix):
            return None
        level = PrivacyLevel.from_ratio(t)
        own = max(
            bipartite_rr(matrix, level).expected_utility(matrix),
            bipartite_rr_star(matrix, level).expected_utility(matrix),
        )
        solution = global_program(matrix, level).solve("exact")
        if own == solution.value:
            return None
        rows = [[str(v) for v in row] for row in solution.channel.matrix.tolist()]
        return (
            f"lambda = {written(matrix)}, t = {t}: BRR and BRR* {own}, optimum {solution.value} at the channel {rows}"
        )

    return check_family([(m, t) for m in similarity_matrices(2, 3) for t in RATIOS], failure, "N = 2")


@PAPER.claim(
    "Abstract (two-valued rows)",
    r"BRR* is optimal among private channels whose rows take two values a, e^\epsilon a",
    hypotheses="N = 3, similarities in {1, 2} with the true item largest, uniform prior, t = 2; all sets, also of different sizes",
    recorded="refuted",
    formula=lambda matrix: True,
    control=lambda matrix: (
        len({tuple(sorted(row)) for row in matrix}) == 1 and all(row.count(2) == 1 for row in matrix)
    ),
    mutants={"if all diagonal entries are equal": lambda matrix: len({matrix[k][k] for k in range(3)}) == 1},
    repaired_by="Abstract (two-valued rows) [repaired]",
    note="Rows may choose sets of different sizes as long as the channel stays private.",
)
@PAPER.claim(
    "Abstract (two-valued rows) [repaired]",
    r"for the hit rate (one output of similarity 2 in each row, the others 1) BRR* = GRR is optimal among two-valued rows",
    hypotheses="N = 3, t = 2, uniform prior; enumeration of all sets",
    recorded="certified",
    formula=lambda matrix: (
        len({tuple(sorted(row)) for row in matrix}) == 1 and all(row.count(2) == 1 for row in matrix)
    ),
    mutants={"for any similarities": lambda matrix: True},
)
def optimal_among_two_valued(claimed: Any) -> Outcome:
    def failure(matrix: Matrix) -> str | None:
        if not claimed(matrix):
            return None
        level = PrivacyLevel.from_ratio(2)
        own = bipartite_rr_star(matrix, level).expected_utility(matrix)
        best = best_two_valued(matrix, level)
        return None if own == best else f"lambda = {written(matrix)}, t = 2: BRR* {own}, best two-valued rows {best}"

    return check_family(similarity_matrices(3, 2), failure, "N = 3")


@PAPER.claim(
    "Abstract (rows that rearrange one vector)",
    r"BRR* is optimal among private channels whose rows are permutations of one probability vector",
    hypotheses="N = 2, similarities in {1, 2, 3} with the true item largest, uniform prior, t in {2, 3}; weights (a, 1 - a), a in twelfths",
    recorded="refuted",
    formula=lambda weights, t: True,
    control=lambda weights, t: max(weights) <= t * min(weights),
    mutants={"w_1 <= t^2 w_N": lambda weights, t: max(weights) <= t * t * min(weights)},
    repaired_by="Abstract (rows that rearrange one vector) [repaired]",
    note="The paper restricts the weights to [1, e^eps] without saying that this costs generality: privacy compares the "
    "entries of one column, and equal rows are private whatever their weights.",
)
@PAPER.claim(
    "Abstract (rows that rearrange one vector) [repaired]",
    r"with w_1\le e^\epsilon w_N BRR* is optimal among permuted rows",
    hypotheses="N = 2, similarities in {1, 2, 3}, uniform prior, t in {2, 3}; weights (a, 1 - a), a in twelfths; all N: see Alg. 3",
    recorded="certified",
    formula=lambda weights, t: max(weights) <= t * min(weights),
    mutants={"any weights": lambda weights, t: True},
)
def optimal_among_permuted(admitted: Any) -> Outcome:
    def failure(case: tuple[Matrix, Fraction]) -> str | None:
        matrix, t = case
        level = PrivacyLevel.from_ratio(t)
        own = bipartite_rr_star(matrix, level).expected_utility(matrix)
        for a in range(13):
            weights = (Fraction(a, 12), Fraction(12 - a, 12))
            if not admitted(weights, t):
                continue
            for rows in product((weights, weights[::-1]), repeat=2):
                channel = Channel(rows)
                if channel.satisfies(level) and channel.expected_utility(matrix) > own:
                    shown = [[str(v) for v in row] for row in rows]
                    return f"lambda = {written(matrix)}, t = {t}: BRR* {own}, rows {shown} give {channel.expected_utility(matrix)}"
        return None

    return check_family([(m, t) for m in similarity_matrices(2, 3) for t in RATIOS[:2]], failure, "N = 2")


@PAPER.claim(
    "Section I (p* < p, q* < q, p* > q*)",
    r"for 1<m<N: p^*<p, q^*<q and p^*>q^*",
    hypotheses="t > 1, 1 < m < N, real",
    recorded="proved",
    formula=(high_probability, low_probability),
    mutants={
        "denominator N": (lambda t, n, m: t / n, lambda t, n, m: 1 / n),
        "m and N - m swapped": (lambda t, n, m: t / ((n - m) * t + m), lambda t, n, m: 1 / ((n - m) * t + m)),
    },
)
def probabilities_compared(formulas: Any) -> Outcome:
    high, low = (f(T, N, M) for f in formulas)
    p, q = grr(T, N)
    row = check_identities({"row sum": (M * high + (N - M) * low, 1)}, "rows sum to one")
    order = check_implications(
        [T > 1, M > 1, M < N], {"p* < p": high < p, "q* < q": low < q, "p* > q*": high > low}, "for all t, m, N"
    )
    return both(row, order)


@PAPER.claim(
    "Section I (similar values gain)",
    r"the release probability of a similar value rises from q to p^*, that of the true and of a far value falls",
    hypotheses="t > 1, 1 < m < N",
    recorded="proved",
    formula=lambda p, q, high, low: sp.And(high > q, high < p, low < q),
    mutants={
        "the true value gains": lambda p, q, high, low: sp.And(high > q, high > p, low < q),
        "far values gain": lambda p, q, high, low: sp.And(high > q, high < p, low > q),
    },
)
def similar_values_gain(statement: Any) -> Outcome:
    high, low = high_probability(T, N, M), low_probability(T, N, M)
    return check_implications([T > 1, M > 1, M < N], {"ordering": statement(*grr(T, N), high, low)}, "for all t, m, N")


def nearest(position: int, points: tuple[int, ...], m: int) -> set[int]:
    """Indices of the m points nearest to points[position], itself first, ties to the smaller index."""
    return set(sorted(range(len(points)), key=lambda j: (abs(points[j] - points[position]), j != position, j))[:m])


@PAPER.claim(
    "Section I (similarity not reciprocal)",
    r"y\in Y_m(x) does not imply x\in Y_m(y)",
    hypotheses="three integers up to 4 with distance |x - y| and no ties, m = 2",
    recorded="certified",
    formula=lambda: True,
    mutants={"always reciprocal": lambda: False},
)
def not_reciprocal(exists: Any) -> Outcome:
    found = [
        (points, x, y)
        for points in combinations(range(5), 3)
        if points[2] - points[1] != points[1] - points[0]
        for x in range(3)
        for y in nearest(x, points, 2)
        if x not in nearest(y, points, 2)
    ]
    example = (
        f"points {found[0][0]}: {found[0][0][found[0][2]]} is in Y_2({found[0][0][found[0][1]]}), not conversely"
        if found
        else "none"
    )
    return check_family([bool(found)], lambda seen: None if seen == exists() else f"a pair exists: {example}", example)


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
    r"BRR 'achieves stronger privacy protection' than GRR at the same \epsilon",
    hypotheses="N = 3, 4, -|i - j|, 1 < m < N, t in {2, 3, 7/2, 10}; uniform prior for the guess",
    recorded="unclear",
    formula=lambda brr, grr: brr < grr,
    mutants={"weaker privacy": lambda brr, grr: brr > grr},
    note="The text does not say how protection is measured. The level epsilon, the only measure the paper defines, is the same; the "
    "chance of guessing the true item from the output is smaller, see 'Section I (guessing)'.",
)
def stronger_privacy(relation: Any) -> Outcome:
    return unclear(
        {
            "a smaller level epsilon": _privacy_compared(lambda channel: channel.ratio, relation),
            "a smaller chance of guessing the true item": _privacy_compared(_best_guess, relation),
        }
    )


@PAPER.claim(
    "Section I (level of BRR and GRR)",
    r"BRR with m<N has exactly the level \epsilon of GRR",
    hypotheses="N = 3, 4, -|i - j|, 1 < m < N, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=lambda brr, grr: brr == grr,
    mutants={"smaller": lambda brr, grr: brr < grr},
)
def same_level(relation: Any) -> Outcome:
    return _privacy_compared(lambda channel: channel.ratio, relation)


@PAPER.claim(
    "Section I (guessing)",
    r"for 1<m<N and a uniform prior the true item is guessed from BRR's output with probability at most p^*<p, GRR's",
    hypotheses="all N, m, t; a guess after output y is right with probability max_x Pr[y|x]/N <= p*/N",
    recorded="proved",
    formula=lambda high, n: n * high / n,
    mutants={"m outputs favoured": lambda high, n: M * high},
)
def guessing(bound: Any) -> Outcome:
    high = high_probability(T, N, M)
    return check_implications(
        [T > 1, M > 1, M < N], {"below p": bound(high, N) < grr(T, N)[0]}, "sum over the N outputs"
    )


PAPER.leave_out("Section I (Fig. 1, Fig. 2)", "illustrations of the mechanism")
PAPER.leave_out("Section II", "related work: citations")
