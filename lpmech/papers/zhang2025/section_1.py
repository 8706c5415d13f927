"""The abstract (optimality in several classes of channels) and section I (the contributions)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_implications
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr.program import best_rearrangement, best_two_valued, global_program
from lpmech.papers import beside
from lpmech.papers.checks import rr_entries
from lpmech.papers.zhang2025.greedy import grr_maximises_hits, raised_on_average, rearrangement, rule_maximises
from lpmech.papers.zhang2025.paper import (
    ENTRIES,
    LARGE,
    OF_TWO,
    PAPER,
    RATIOS,
    M,
    N,
    T,
    better_of_both,
    matrices,
    written,
)
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

SIZE, RAISED, COUNT = tm.symbols("N m c")
#: t > 1 and 1 < m < N, real.
BETWEEN = [T > 1, M > 1, M < N]
#: Similarities for N = 2; what releasing the other item costs in either row is its stake.
U = tuple(tuple(tm.symbol(f"u{k}{j}") for j in (1, 2)) for k in (1, 2))
ORDERED = [U[k][k] >= U[k][1 - k] for k in (0, 1)]
EQUAL_STAKES = ((2, 1), (1, 2))


def _stakes(matrix: Any) -> tuple[Any, Any]:
    return matrix[0][0] - matrix[0][1], matrix[1][1] - matrix[1][0]


@PAPER.claim(
    "Abstract (optimal for any utility)",
    r"'for any utility function and any privacy level' BRR solves the utility maximisation: no $\epsilon$-LDP channel has a larger expected utility",
    hypotheses="$N = 2$, the true item largest in its row, uniform prior",
    given=[T > 1, *ORDERED],
    replay="exact optima with exact duals, similarities in {1, 2, 3}, t in {2, 3, 7/2, 10}",
    every={"output": (0, 1)},
    consequence="optimality",
    headline=1,
    compare=beside.bipartite_rr_for_distances,
    formula=lambda matrix, t: tm.TRUE,
    note=r"Already when one item has more at stake than the other, always releasing it beats BRR. No narrower reading of the sentence holds either: not for the paper's own utilities, $-|i-j|$ and the Tanimoto similarity, on $1,\dots,N$ ('Abstract (own utilities)' says when), nor among rows that take two values ('Abstract (two-valued rows)'), nor among rows that rearrange one vector ('Abstract (rows that rearrange one vector)'). Among the paper's own channels, (6) with one common $m$, BRR* is optimal: 'Alg. 3 (optimal among common weights)'.",
    repair=Repair(
        r"for $N=2$ BRR is optimal among all $\epsilon$-LDP channels iff the larger of the stakes $\lambda(1,1)-\lambda(1,2)$, $\lambda(2,2)-\lambda(2,1)$ is at most $e^\epsilon$ times the smaller",
        hypotheses="$N = 2$, the true item largest in its row, uniform prior; duals in closed form, and the channel that always releases the item with more at stake",
        formula=lambda u, t: tm.And(*(tm.term(a) <= t * b for a, b in permutations(_stakes(u)))),
        note="For $N = 2$ both algorithms keep $m = 1$. Feasible duals whose sum is the utility of a private channel prove that it is optimal.",
    ),
)
def optimal_among_all(claimed: Any) -> Parts:
    for matrix, t in product([EQUAL_STAKES, *matrices(2, 3), ((3, 1), (1, 2))], RATIOS):
        level = PrivacyLevel.from_ratio(t)
        own, best = better_of_both(matrix, level), global_program(matrix, level).solve("exact")
        told = f"lambda = {written(matrix)}, t = {t}: BRR and BRR* against the optimum, at the channel {written(best.channel.matrix)}"
        yield Instance(told, own, "==" if steps.holds(claimed(matrix, t)) else "!=", best.value)
    condition, stakes = claimed(U, T), _stakes(U)
    # the two duals make both dual constraints equalities while each row's own gain is >= 0 and its other gain <= 0
    duals = [U[k][k] - (T * stakes[1 - k] - stakes[k]) / (T**2 - 1) for k in (0, 1)]
    value = sum((T * U[k][k] + U[k][1 - k]) / (T + 1) for k in (0, 1))
    parts = {"sum of the duals": tm.Eq(sum(duals), value)}
    for j in each("output"):
        gains = [U[k][j] - duals[k] for k in (0, 1)]
        parts[f"row {j + 1} keeps m = 1"] = U[j][1 - j] * T - U[j][j] * T <= 0  # (7) at i = 2 with s_1 = t
        parts[f"signs in output {j + 1}"] = tm.And(gains[j] >= 0, gains[1 - j] <= 0)
        parts[f"dual constraint of output {j + 1}"] = T * gains[j] + gains[1 - j] <= 0
    yield [T > 1, *ORDERED, condition], parts
    beaten = [U[0][j] + U[1][j] > value for j in each("output")]
    yield "else a constant is better", tm.Or(condition, *beaten)


@PAPER.claim(
    "Abstract (two-valued rows)",
    r"among private channels whose rows take two values $a$, $e^\epsilon a$ BRR* is optimal for the hit rate (one output of similarity 2 in each row, the others 1), where it is GRR",
    hypotheses="any $N$ and $t$, uniform prior: optimal among all private channels by the duals of 'Abstract (hit rate)'",
    replay="N = 3, similarities in {1, 2} with the true item largest, t = 2, all sets, also of different sizes",
    kind="ours",
    formula={1},
    mutants={"one or two": {1, 2}, "any number": {0, 1, 2, 3}},
    uses=["Abstract (optimal for any utility)"],
    note="What is left of 'Abstract (optimal for any utility)' among such rows: with any number of outputs of similarity 2 another one of them is better, for rows may choose sets of different sizes as long as the channel stays private. The output of similarity 2 is the true item, so the similarity is one plus the hit rate; a constant moves every utility alike. BRR* keeps $m = 1$, since the second term has the least similarity.",
)
def optimal_among_two_valued(allowed: set[int]) -> Parts:
    level = PrivacyLevel.from_ratio(2)
    for matrix in matrices(3, 2):
        if all(row.count(2) in allowed for row in matrix):
            own = closed.bipartite_rr_star(matrix, level).expected_utility(matrix)
            best = best_two_valued(matrix, level)
            yield Instance(f"lambda = {written(matrix)}, t = 2: BRR*, best two-valued rows", own, "==", best)
    one_plus_hits = {
        "a row sums up as one plus the hit rate does": tm.Eq(2 * COUNT + (N - COUNT), N + 1),
        "BRR* keeps m = 1": (T + N - 1) - (2 * T + N - 1) <= 0,  # (7) at i = 2 with s_1 = t
    }
    yield [tm.Whole(COUNT), T > 1, N >= 2, tm.Or(*(tm.Eq(COUNT, c) for c in allowed))], one_plus_hits
    yield from grr_maximises_hits(lambda t, n: t / (t + n - 1))


@PAPER.claim(
    "Abstract (rows that rearrange one vector)",
    r"BRR* is optimal among private channels whose rows are permutations of one probability vector $w$ with $w_1\le e^\epsilon w_N$",
    hypotheses="any $N$, utility and prior; $w$ falling",
    replay="N = 2, similarities in {1, 2, 3} with the true item largest, uniform prior, t in {2, 3}, weights (a, 1 - a), a in twelfths; the best rearrangement at N = 3",
    kind="ours",
    formula=lambda largest, smallest, t: largest <= t * smallest,
    mutants={"any weights": lambda largest, smallest, t: tm.TRUE},
    uses=["Abstract (optimal for any utility)"],
    note=r"What is left of 'Abstract (optimal for any utility)' among such rows: the paper restricts the weights to $[1, e^\epsilon]$ as if at no cost, but privacy compares the entries of one column, and equal rows are private whatever their weights. $w/w_N$ lies in $[1, e^\epsilon]^N$ and has the same $Q$. Sorted rows are best by exchanges, and among sorted rows with weights in $[1, e^\epsilon]$ BRR* is best.",
)
def optimal_among_permuted(admitted: Any) -> Parts:
    for matrix, t in product([EQUAL_STAKES, *matrices(2, 3)], RATIOS[:2]):
        level = PrivacyLevel.from_ratio(t)
        own = closed.bipartite_rr_star(matrix, level).expected_utility(matrix)
        twelfths = [(Fraction(a, 12), Fraction(12 - a, 12)) for a in range(13)]
        for pair in (pair for pair in twelfths if steps.holds(admitted(max(pair), min(pair), t))):
            for rows in product((pair, pair[::-1]), repeat=2):
                channel, shown = Channel(rows), written(rows)
                told = f"lambda = {written(matrix)}, t = {t}: BRR* against the rows {shown}"
                yield not channel.satisfies(level) or Instance(told, own, ">=", channel.expected_utility(matrix))
    for matrix, t in product([LARGE, *matrices(3, 2), OF_TWO], RATIOS[:2]):
        level = PrivacyLevel.from_ratio(t)
        own, best = closed.bipartite_rr_star(matrix, level).expected_utility(matrix), best_rearrangement(matrix, level)
        yield Instance(f"lambda = {written(matrix)}, t = {t}: BRR*, best rearrangement", own, "==", best)
    largest, weight, smallest = tm.symbols("w_1 w_i w_N")
    weights = [largest > 0, smallest >= 0, weight >= smallest, largest >= weight]
    within = {"w_N > 0": smallest > 0, "1 <= w_i / w_N <= t": tm.And(weight >= smallest, weight <= T * smallest)}
    yield [T > 1, *weights, admitted(largest, smallest, T)], within
    top, bottom, total = tm.symbols("s_1 s_N S")
    in_range = [bottom >= 1, top >= bottom, T >= top, total >= top]
    yield in_range, {"all weights in [1, t] are admitted": admitted(top / total, bottom / total, T)}
    yield from rearrangement()
    yield from rule_maximises(raised_on_average)


@PAPER.claim(
    "Section I (p* < p, q* < q, p* > q*)",
    "for $1<m<N$: $p^*<p$, $q^*<q$ and $p^*>q^*$",
    given=BETWEEN,
    formula=ENTRIES,
)
def probabilities_compared(formulas: Any) -> Relations:
    high, low = (f(T, N, M) for f in formulas)
    p, q = rr_entries(T, N)
    return {"row sum": (M * high + (N - M) * low, 1), "p* < p": high < p, "q* < q": low < q, "p* > q*": high > low}


@PAPER.claim(
    "Section I (similar values gain)",
    "the release probability of a similar value rises from $q$ to $p^*$, that of the true and of a far value falls",
    given=BETWEEN,
    formula=ENTRIES,
)
def similar_values_gain(formulas: Any) -> Relations:
    high, low = (f(T, N, M) for f in formulas)
    p, q = rr_entries(T, N)
    gains = {"a similar value rises": high > q, "the true one falls": high < p, "a far one falls": low < q}
    return {"row sum": (M * high + (N - M) * low, 1), **gains}


@PAPER.claim(
    "Section I (true and close values)",
    "'the introduction of $p^*$ and $q^*$ ensures that the release probabilities of the true value and values close to it are higher, while reducing the probabilities for erroneous values'",
    hypotheses="the sentence does not say higher than what",
    consequence="wording",
    readings={"than those of the other values": "proved", "than under GRR": "refuted"},
    formula=lambda high, other: high > other,
    mutants={"lower": lambda high, other: high < other},
    uses=["Section I (similar values gain)"],
    note="Under BRR the true value is released less often than under GRR, as the introduction itself says: $p^* < p$. Values close to it, erroneous ones too, gain what it and the far ones lose.",
)
def true_and_close_values(relation: Any) -> tuple[Outcome, ...]:
    (high, low), (p, q) = (entry(T, SIZE, RAISED) for entry in ENTRIES), rr_entries(T, SIZE)
    against_grr = {"close values, q under GRR": relation(high, q), "the true value, p under GRR": relation(high, p)}
    both = {"p* against q*": relation(high, low)}, against_grr
    whole = [tm.Whole(RAISED, SIZE), T > 1, RAISED > 1, RAISED < SIZE]
    return tuple(check_implications(whole, compared, "for all t and whole m, N") for compared in each("reading", both))


@PAPER.claim(
    "Section I (similarity not reciprocal)",
    r"$y\in Y_m(x)$ does not imply $x\in Y_m(y)$",
    hypotheses="one example proves it: three integers with distance $|x - y|$ and no ties, $m = 2$",
    every="points (0, 1, 3): 1 is in Y_2(3), 3 is not in Y_2(1)",
    formula=((0, 1, 3), 2, 1),
    survivors="another example, which proves it as well",
    note="Among 0, 1, 3 the point nearest to 3 is 1, and the point nearest to 1 is 0.",
)
def not_reciprocal(example: Any) -> Parts:
    points, x, y = example
    high = closed.bipartite_channel(absolute(points), 2, PrivacyLevel.from_ratio(2)).matrix > Fraction(1, 5)
    told = f"points {points}: Y_2({points[x]}) and Y_2({points[y]}) do not differ in this way"
    yield bool(high[x, y] and not high[y, x]) or told


@PAPER.claim(
    "Section I (stronger privacy)",
    r"'under the framework of differential privacy', BRR 'achieves stronger privacy protection' than GRR at the same $\epsilon$",
    hypotheses="protection as differential privacy measures it, by the level",
    given=[tm.Whole(SIZE, RAISED), T > 1, SIZE >= 2, RAISED >= 1, RAISED < SIZE],
    replay="N = 3, 4, -|i - j|, 1 < m < N, t in {2, 3, 7/2, 10}",
    consequence="privacy",
    headline=4,
    formula=lambda brr, grr: brr < grr,
    note=r"The level $\epsilon$ is the same. What is smaller is the chance of guessing a uniform true item from the output, see 'Section I (guessing)'.",
    repair=Repair(
        r"BRR with $m<N$ has exactly the level $\epsilon$ of GRR",
        id="Section I (level of BRR and GRR)",
        hypotheses="any utility for which the true item is (one of) the most similar to itself",
        formula=lambda brr, grr: tm.Eq(brr, grr),
        note="Item $k$ is in $Y_m(k)$. If all sets were one, it would hold every item and $m = N$; so some column holds $p^*$ and $q^*$, and their ratio is that of $p$ and $q$.",
    ),
)
def stronger_privacy(relation: Any) -> Parts:
    for (n, m), t in product(((3, 2), (4, 2), (4, 3)), RATIOS):
        own, grr_level = (closed.bipartite_channel(absolute(n), k, PrivacyLevel.from_ratio(t)).ratio for k in (m, 1))
        yield (
            steps.holds(relation(own, grr_level))
            or f"N = {n}, m = {m}, t = {t}: the largest ratio of two entries of a column is {own} of BRR, {grr_level} of GRR"
        )
    for own, other in ((Fraction(2), Fraction(3)), (Fraction(3), Fraction(2))):
        yield not steps.holds(relation(own, other)) or f"the relation holds of {own} and {other} too"
    p, q = rr_entries(T, SIZE)
    ratio = closed.high_probability(T, SIZE, RAISED) / closed.low_probability(T, SIZE, RAISED)
    yield "not all items in one set", tm.Not(tm.Eq(RAISED, SIZE))
    yield "largest ratio in a column", relation(ratio, p / q)


@PAPER.claim(
    "Section I (guessing)",
    "for $1<m<N$ and a uniform prior the true item is guessed from BRR's output with probability at most $p^*<p$, GRR's",
    hypotheses=r"a guess after output $y$ is right with probability $\max_x \Pr[y\mid x]/N \le p^*/N$",
    given=[*BETWEEN, tm.Whole(M), tm.Whole(N)],
    replay="-|i - j|, N = 3, 4, 5, t in {2, 3, 7/2, 10}, where p* is attained",
    kind="ours",
    formula=lambda high, n: n * high / n,
)
def guessing(bound: Any) -> Parts:
    for (n, m), t in product(((3, 2), (4, 2), (4, 3), (5, 4)), RATIOS):
        channel = closed.bipartite_channel(absolute(n), m, PrivacyLevel.from_ratio(t))
        right, stated = channel.matrix.max(axis=0).sum() / n, bound(closed.high_probability(t, n, m), n)
        yield Instance(f"N = {n}, m = {m}, t = {t}: probability of a right guess", right, "==", stated)
    yield "the sum over the N outputs is below p", bound(closed.high_probability(T, N, M), N) < rr_entries(T, N)[0]


PAPER.leave_out("Section I (Fig. 1, Fig. 2)", "illustrations of the mechanism")
PAPER.leave_out("Section II", "related work: citations")
