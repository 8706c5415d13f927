"""Section IV.D: BRR on the integers 1..N with |i - j|: Fig. 3, the chains, (8), (9), (10) and m."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, reduce
from typing import Any

import numpy as np
import sympy as sp

from lpmech.entries import as_array
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.mechanisms.bipartite_rr import derivation as derived
from lpmech.mechanisms.bipartite_rr import greedy_m
from lpmech.papers.checking import both, check_every, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.papers.zhang2025.rows import (
    chains,
    distances_are,
    end_row_stops,
    middle_row_stops,
    minimum_at_an_end,
    pairs_agree,
    rows_change_at,
    sorted_distance,
)
from lpmech.verdicts import Outcome, unclear

T, N, I, R, HALF_N = derived.t, derived.N, derived.i, derived.r, derived.M

#: e^epsilon for the exhaustive checks; 11/4 and above have epsilon > 1, and 4 and 9 make square roots rational.
LEVELS = tuple(map(Fraction, ("3/2", "2", "11/4", "3", "4", "7/2", "9", "20", "55")))
LARGEST = 200
#: A rational just above e: t > E_ABOVE implies epsilon > 1.
E_ABOVE = Fraction(2719, 1000)


def sorted_losses(n: int, k: int) -> list[int]:
    """The distances of item k to 1..N in rising order."""
    return sorted(abs(j - k) for j in range(1, n + 1))


@cache
def row_ms(n: int, t: Fraction) -> tuple[int, ...]:
    """m of every row by the loop of Alg. 1 on losses, in exact integer arithmetic: i is raised while the sum is negative."""
    a, b = t.numerator, t.denominator
    taken = np.arange(n, dtype=np.int64)
    found = []
    for k in range(1, (n + 1) // 2 + 1):  # row N + 1 - k has the same distances
        losses = np.sort(np.abs(np.arange(1, n + 1, dtype=np.int64) - k))
        before = np.cumsum(losses) - losses
        sums = losses * (taken * a + (n - taken) * b) - (a * before + b * (losses.sum() - before))
        stops = np.flatnonzero(sums[1:] >= 0)
        found.append(int(stops[0]) + 1 if stops.size else n)
    return tuple(found + found[n // 2 - 1 :: -1] if n > 1 else found)


def sizes_and_levels(largest: int = LARGEST) -> Iterable[tuple[int, Fraction]]:
    """All N up to `largest` at every level, small N first."""
    return ((n, t) for n in range(1, largest + 1) for t in LEVELS)


@PAPER.claim(
    "Section IV.D (losses)",
    r"the rule for losses, raise s_i until \partial Q/\partial s_i\ge 0, is Alg. 1 for the similarities -\lambda",
    hypotheses="any losses, N and t, weights s_j > 0: term by term the numerator of (7) changes its sign, and rising losses are falling similarities. -lambda is "
    "not positive, which Alg. 1 does not need. Replayed on |i - j| on 1..N, every row, N <= 25, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    formula=lambda loss: -loss,
    mutants={
        "1 / (1 + loss)": lambda loss: sp.Integer(1) / (1 + loss),
        "-loss^2": lambda loss: -(loss**2),
    },
    note="Algs. 1 to 3 ask for lambda_1 >= ... >= lambda_N > 0, section IV.D has 0 = lambda_1 <= ... <= lambda_N: another quantity under "
    "the same letter.",
)
def losses_as_similarities(similarity: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        for k, expected in enumerate(row_ms(n, t), 1):
            row = [Fraction(str(similarity(loss))) for loss in sorted_losses(n, k)]
            m = greedy_m(as_array(row, "row", 1), t)
            if m != expected:
                return f"N = {n}, t = {t}, row {k}: m = {m}, the rule for losses gives {expected}"
        return None

    own, other, weight = sp.symbols("lambda_i lambda_j s_j")
    proof = check_identities(
        {"term of (7)": ((similarity(own) - similarity(other)) * weight, -(own - other) * weight)},
        "every term of the sum",
        hypotheses=[weight > 0],
    )
    return replayed(proof, check_family(sizes_and_levels(25), failure, "N <= 25 at nine levels"))


FIG_3 = {
    1: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    2: (0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    3: (0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9),
    4: (0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9),
    5: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7),
    6: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
    7: (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
}
FIG_3_MENDED = {**FIG_3, 4: (0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8)}


@PAPER.claim(
    "Fig. 3",
    r"the table of Fig. 3 shows the sorted distances of item k to 1..N",
    hypotheses="N = 14, ..., 40, rows 1 to 7, first twelve columns, last column N - k",
    consequence="wording",
    readings={
        "row 4 as transcribed": "refuted",
        "apart from row 4": "proved",
    },
    formula=FIG_3,
    mutants={"row 7 = row 5": {**FIG_3, 4: FIG_3_MENDED[4], 7: FIG_3[5]}},
    note="Fig. 3 is a picture; in our transcript row 4 repeats row 3, which may be a slip of the figure or of the transcript. The argument "
    "drawn from the figure does not depend on it.",
)
def fig_3_as_transcribed(rows: dict[int, tuple[int, ...]]) -> Outcome:
    return unclear({"row 4 as transcribed": fig_3(rows), "apart from row 4": fig_3({**rows, 4: FIG_3_MENDED[4]})})


@PAPER.claim(
    "Fig. 3 (row 4 mended)",
    r"rows 1 to 7 of Fig. 3 with row 4 = (0,1,1,2,2,3,3,4,5,6,7,8) are the sorted distances",
    hypotheses="every N >= 14, first twelve columns, last column N - k; by 'Fig. 3 [all rows]' the i-th distance is max(floor(i/2), i - k), whatever "
    "N is. Replayed for N = 14, ..., 40",
    formula=FIG_3_MENDED,
    mutants={"row 4 as printed": FIG_3, "row 2 without the pair": {**FIG_3_MENDED, 2: FIG_3[1]}},
)
def fig_3(rows: dict[int, tuple[int, ...]]) -> Outcome:
    def failure(case: tuple[int, int]) -> str | None:
        n, k = case
        losses = sorted_losses(n, k)
        if tuple(losses[:12]) == rows[k] and losses[-1] == n - k:
            return None
        return f"N = {n}, row {k}: {tuple(losses[:12])}, printed {rows[k]}"

    def entry(case: tuple[int, int]) -> str | None:
        k, i = case
        distance = sorted_distance(i, k, i // 2)
        return None if rows[k][i - 1] == distance else f"row {k}, column {i}: {distance}, printed {rows[k][i - 1]}"

    table = check_every([(k, i) for k in rows for i in range(1, 13)], entry, "rows 1 to 7, twelve columns, any N >= 14")
    n, k, half = sp.symbols("N k h", integer=True)
    last = check_implications(
        [n >= 14, k >= 1, k <= 7, 2 * half <= n, n <= 2 * half + 1],
        {"last column": sp.Eq(sorted_distance(n, k, half), n - k), "upper half": 2 * k <= n + 1},
        "last column",
    )
    instances = check_family([(n, k) for n in range(14, 41) for k in rows], failure, "rows 1 to 7")
    return replayed(reduce(both, [table, last, distances_are(sorted_distance)]), instances)


@PAPER.claim(
    "Section IV.D (adjacent rows)",
    r"for adjacent rows k' (farther out) and k: \lambda'_i=\lambda_i for i\le j_0 and \lambda'_i=\lambda_i+1 for i>j_0; j_0=2k'",
    hypotheses="all integers N, k = k' + 1 <= (N + 1)/2 and i; the distances of 'Fig. 3 [all rows]'. Replayed for N <= 60",
    formula=lambda outer: 2 * outer,
    mutants={"j_0 = 2 k' + 1": lambda outer: 2 * outer + 1, "j_0 = k'": lambda outer: outer},
)
def adjacent_rows(first_changed: Any) -> Outcome:
    def failure(case: tuple[int, int]) -> str | None:
        n, outer = case
        j0 = first_changed(outer)
        inner = sorted_losses(n, outer + 1)
        expected = inner[:j0] + [v + 1 for v in inner[j0:]]
        return None if sorted_losses(n, outer) == expected else f"N = {n}, rows {outer} and {outer + 1}, j_0 = {j0}"

    family = [(n, k) for n in range(3, 61) for k in range(1, (n + 1) // 2)]
    instances = check_family(family, failure, "all N <= 60 and adjacent rows")
    return replayed(both(rows_change_at(first_changed), distances_are(sorted_distance)), instances)


LOW, HIGH, TAIL, HEAD = sp.symbols("L H S_tail S_head")


@PAPER.claim(
    "Section IV.D (first chain)",
    r"for i\le j_0: \sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j-\sum_{j>j_0}s_j\le\sum_j(\lambda_i-\lambda_j)s_j",
    hypotheses="the shift of 'adjacent rows'; sums over j <= j_0 and j > j_0 written HEAD, TAIL, weights s_j > 0; any N",
    formula=lambda total, head, tail: total - tail,
    mutants={
        "plus the tail": lambda total, head, tail: total + tail,
        "minus the head": lambda total, head, tail: total - head,
    },
)
def first_chain(shifted: Any) -> Outcome:
    own = sp.Symbol("lambda_i")
    total = own * (HEAD + TAIL) - (LOW + HIGH)  # LOW, HIGH: sums of lambda_j s_j over both ranges
    outer = own * (HEAD + TAIL) - (LOW + HIGH + TAIL)
    equal = check_identities(
        {"chain": (outer, shifted(total, HEAD, TAIL))}, "identity", hypotheses=[TAIL > 0, HEAD > 0]
    )
    smaller = check_implications(
        [TAIL > 0, HEAD > 0], {"outer <= inner": shifted(total, HEAD, TAIL) <= total}, "and the tail is positive"
    )
    return equal if equal.verdict != "proved" else smaller


@PAPER.claim(
    "Section IV.D (second chain)",
    r"for i>j_0: \sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j+\sum_{j\le j_0}s_j>\sum_j(\lambda_i-\lambda_j)s_j",
    hypotheses="as the first chain",
    formula=lambda total, head, tail: total + head,
    mutants={
        "minus the head": lambda total, head, tail: total - head,
        "plus the tail": lambda total, head, tail: total + tail,
    },
)
def second_chain(shifted: Any) -> Outcome:
    own = sp.Symbol("lambda_i")
    total = own * (HEAD + TAIL) - (LOW + HIGH)
    outer = (own + 1) * (HEAD + TAIL) - (LOW + HIGH + TAIL)
    equal = check_identities(
        {"chain": (outer, shifted(total, HEAD, TAIL))}, "identity", hypotheses=[TAIL > 0, HEAD > 0]
    )
    larger = check_implications(
        [TAIL > 0, HEAD > 0], {"outer > inner": shifted(total, HEAD, TAIL) > total}, "and the head is positive"
    )
    return equal if equal.verdict != "proved" else larger


@PAPER.claim(
    "Section IV.D (end point or middle)",
    r"'the minimum m is obtained when the true term is at the extreme point or the middle point', for every N and \epsilon",
    hypotheses="t > 1; the two chains with j_0 = 2 k' hold at every i; c_k is the first index at which row k's sum is >= 0, so m = c_k - 1. The "
    "formula: where the minimum is, and the chains. Replayed for N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}, exact integers",
    formula=(lambda ms: min(ms[0], ms[(len(ms) - 1) // 2]), chains),
    mutants={
        "end point only": (lambda ms: ms[0], lambda outer, inner, i, j0: outer <= inner),
        "middle only": (lambda ms: ms[(len(ms) - 1) // 2], lambda outer, inner, i, j0: outer > inner),
        "without the second chain": (
            lambda ms: ms[0],
            lambda outer, inner, i, j0: sp.Implies(i <= j0, outer <= inner),
        ),
    },
    note="Going inwards c_k does not fall while c_k > 2(k - 1); once c_k <= 2(k - 1) this stays so and c_k does not rise. So c_k first "
    "rises, then falls, and its minimum is at an end of the rows 1..(N + 1)/2.",
)
def end_or_middle(case: Any) -> Outcome:
    smallest, related = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        ms = row_ms(*case)
        return None if smallest(ms) == min(ms) else f"N = {case[0]}, t = {case[1]}: rows choose m = {ms}"

    instances = check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")
    return replayed(minimum_at_an_end(related), instances)


@PAPER.claim(
    "eq. (8)",
    r"end point: \sum_{j<i}(\lambda_i-\lambda_j)e^\epsilon+\sum_{j>i}(\lambda_i-\lambda_j)=\frac12(e^\epsilon-1)i^2+(N-\frac12e^\epsilon+\frac12)i-\frac12N^2-\frac12N",
    hypotheses="losses 0, 1, ..., N - 1; t > 1, 1 <= i <= N",
    given=[T > 1, N >= 1, I >= 1, I <= N],
    evidence="summed symbolically by sympy",
    formula=closed.end_point_sum,
    mutants={
        "N for N^2": lambda t, n, i: ((t - 1) * i**2 + (2 * n - t + 1) * i - n - n) / 2,
        "sign of t in the linear term": lambda t, n, i: ((t - 1) * i**2 + (2 * n + t + 1) * i - n**2 - n) / 2,
    },
)
def eq_8(quadratic: Any) -> Relations:
    return {"sum": (derived.end_point_sum(), quadratic(T, N, I))}


@PAPER.claim(
    "eq. (9)",
    r"middle, N even, i odd: the sum is \frac{e^\epsilon-1}4i^2+\frac{N-(e^\epsilon-1)}2i+\frac{(e^\epsilon-1)-N^2-2N}4",
    hypotheses="losses 0, 1, 1, ..., N/2; i = 2r + 1, N = 2M; t > 1, 0 <= r < M",
    given=[T > 1, HALF_N >= 1, R >= 0, R < HALF_N],
    evidence="summed symbolically by sympy",
    formula=closed.middle_sum_even,
    mutants={
        "constant with -N": lambda t, n, i: closed.middle_sum_even(t, n, i) + n / 4,
        "the odd formula": closed.middle_sum_odd,
    },
)
def eq_9(quadratic: Any) -> Relations:
    return {"sum": (derived.middle_sum(0), quadratic(T, 2 * HALF_N, 2 * R + 1))}


@PAPER.claim(
    "eq. (10)",
    r"middle, N odd, i odd: the sum is \frac{e^\epsilon-1}4i^2+\frac{N-(e^\epsilon-1)}2i+\frac{(e^\epsilon-1)-2N-N^2+1}4",
    hypotheses="losses 0, 1, 1, ..., (N-1)/2 in pairs; i = 2r + 1, N = 2M + 1; t > 1, 0 <= r <= M",
    given=[T > 1, HALF_N >= 0, R >= 0, R <= HALF_N],
    evidence="summed symbolically by sympy",
    formula=closed.middle_sum_odd,
    mutants={
        "without + 1": closed.middle_sum_even,
        "constant with -N": lambda t, n, i: closed.middle_sum_odd(t, n, i) + n / 4,
    },
)
def eq_10(quadratic: Any) -> Relations:
    return {"sum": (derived.middle_sum(1), quadratic(T, 2 * HALF_N + 1, 2 * R + 1))}


@PAPER.claim(
    "eq. (10) (second line)",
    r"the second line of (10), \frac{i-1}2e^\epsilon+2e^\epsilon(1+\dots+(\frac{i-1}2-1))-2(1+\dots+(\frac{N-1}2-\frac{i-1}2)), is the sum",
    hypotheses="i = 2r + 1, N = 2M + 1, 0 <= r <= M",
    given=[T > 1, HALF_N >= 0, R >= 0, R <= HALF_N],
    evidence="identity in M, r, t",
    formula=lambda t, m, r: r * t + 2 * t * (r - 1) * r / 2 - 2 * (m - r) * (m - r + 1) / 2,
    mutants={"last term once": lambda t, m, r: r * t + 2 * t * (r - 1) * r / 2 - (m - r) * (m - r + 1) / 2},
)
def eq_10_second_line(expression: Any) -> Relations:
    return {"sum": (derived.middle_sum(1), expression(T, HALF_N, R))}


def _below(m: Any, root: Any) -> Any:
    """m = ceil(root) - 1, the m of an end point with respect to the right root of (8)."""
    return sp.And(m < root, root <= m + 1)


def _floor(m: Any, root: Any) -> Any:
    return sp.And(m <= root, root < m + 1)


def _odd_below(m: Any, root: Any) -> Any:
    """The m of a middle row, an odd number, with respect to the right root of (9) or (10)."""
    return sp.And(m < root, root <= m + 2)


def _odd_floor_or_next(m: Any, root: Any) -> Any:
    """m_2 as printed, an odd number: the floor of the root, or one more if the floor is even."""
    return sp.And(m - 1 <= root, root < m + 1)


@PAPER.claim(
    "m_1 (floor)",
    r"m_1=\lfloor i_{1r}\rfloor, the floor of the right root of (8), is the m that Alg. 1 finds at an end point",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}; Alg. 1 stops where the derivative is zero",
    consequence="formula",
    recorded="refuted",
    formula=(closed.m_end_point_printed, _floor),
    mutants={"one more": (lambda t, n: closed.m_end_point(t, n) + 1, lambda m, root: _below(m - 1, root))},
    note="Only at ties, where both choices have the same utility.",
    repair=Repair(
        r"m_1=\lceil i_{1r}\rceil-1, the largest i with (8) negative; the floor is right iff the root is no integer",
        hypotheses="t > 1, every N >= 2; the formula: m_1, and where it lies with respect to the positive root of (8). Replayed for N <= 200, t in "
        "{3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
        formula=(closed.m_end_point, _below),
        mutants={
            "floor of the root": (closed.m_end_point_printed, _floor),
            "ceiling": (lambda t, n: closed.m_end_point(t, n) + 1, lambda m, root: _below(m - 1, root)),
        },
        note="For rational epsilon > 0, e^epsilon is transcendental and the root is never an integer for N >= 2; then the floor is right.",
    ),
)
def m_1(case: Any) -> Outcome:
    choose, place = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        found = row_ms(n, t)[0]
        return (
            None
            if choose(t, n) == found
            else f"N = {n}, t = {t}: m_1 = {choose(t, n)}, Alg. 1 finds {found}; (8) at i = {found + 1}: {closed.end_point_sum(t, n, found + 1)}"
        )

    return replayed(end_row_stops(place), check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels"))


@PAPER.claim(
    "m_2 (odd or even)",
    r"'if i is odd, then m_2=i; if i is even, then m_2=i+1', i the floor of the right root of (9) or (10)",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    consequence="formula",
    headline=3,
    recorded="refuted",
    formula=(closed.m_middle_printed, _odd_floor_or_next),
    mutants={"the floor itself": (lambda t, n: max(1, closed.m_middle_printed(t, n) - 1), _floor)},
    note="At an even i the pair that begins there already has a positive derivative; it must not be raised.",
    repair=Repair(
        r"m_2=2r+1 for the largest r with (9), (10) negative at i=2r+1: round the root down to an odd number, i-1 if \lfloor i\rfloor is even (at no tie)",
        hypotheses="t > 1, every N >= 2; the formula: m_2, and where it, an odd number, lies with respect to the right root of (9), (10). Replayed for "
        "N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
        formula=(closed.m_middle, _odd_below),
        mutants={
            "i + 1 for even i": (closed.m_middle_printed, _odd_floor_or_next),
            "always one pair more": (
                lambda t, n: closed.m_middle(t, n) + 2,
                lambda m, root: _odd_below(m - 2, root),
            ),
        },
    ),
)
def m_2(case: Any) -> Outcome:
    choose, place = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        found = row_ms(n, t)[(n - 1) // 2]
        return (
            None
            if choose(t, n) == found
            else f"N = {n}, t = {t}: m_2 = {choose(t, n)}, Alg. 1 finds {found} in row {(n + 1) // 2}"
        )

    return replayed(middle_row_stops(place), check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels"))


@PAPER.claim(
    "Section IV.D (m odd)",
    r"'in the median there are many paired values, making the paired i always odd': m of a middle row is odd",
    hypotheses="every N and t, r >= 0 pairs: the first term is raised, then pairs of equal distance, both or neither ('Section IV.D (paired terms)'); for even N the last term, of largest distance, never is. The formula: m after r pairs. Replayed for N <= 200 at nine levels",
    formula=lambda pairs: 2 * pairs + 1,
    mutants={"even": lambda pairs: 2 * pairs, "one pair at least": lambda pairs: 2 * pairs + 3},
)
def m_is_odd(count: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        m = row_ms(n, t)[(n - 1) // 2]
        return None if m in {count(r) for r in range(n)} else f"N = {n}, t = {t}: m = {m}"

    r, largest, value, mass = sp.symbols("r lambda_N Q C")
    counted = check_identities(
        {"one term and r pairs": (1 + 2 * r, count(r))}, "one term and r pairs", hypotheses=[r >= 0]
    )
    last = check_implications(
        [mass > 0, value <= largest * mass], {"the sum of the last term": largest * mass - value >= 0}, "last term"
    )
    proof = reduce(both, [counted, last, pairs_agree(0)])
    return replayed(proof, check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels"))


def _printed_minimum(t: Fraction, n: int) -> int:
    return min(closed.m_end_point_printed(t, n), closed.m_middle_printed(t, n))


def _first(m_1: Any, m_2: Any) -> Any:
    return m_1


def _second(m_1: Any, m_2: Any) -> Any:
    return m_2


def _all_rows(combined: Any) -> Outcome:
    """combined(m_1, m_2) is the minimum over all rows, which lies at the end point or in the middle, where m is as repaired."""
    first, second, row = sp.symbols("m_1 m_2 m_k", integer=True)
    least = check_implications(
        [first >= 1, second >= 1, sp.Or(row >= first, row >= second)],
        {
            "at most the m of every row": combined(first, second) <= row,
            "the m of some row": sp.Or(sp.Eq(combined(first, second), first), sp.Eq(combined(first, second), second)),
        },
        "the smaller of both is the minimum over the rows",
    )
    return reduce(both, [least, minimum_at_an_end(chains), end_row_stops(_below), middle_row_stops(_odd_below)])


@PAPER.claim(
    "m = min(m_1, m_2)",
    r"'m=\min\{m_1,m_2\}' with the printed m_1 and m_2 is the m of Alg. 2",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    consequence="formula",
    recorded="refuted",
    formula=(_printed_minimum, sp.Min),
    mutants={"printed m_1 alone": (closed.m_end_point_printed, _first)},
    repair=Repair(
        r"with the repaired m_1 and m_2, \min\{m_1,m_2\} is the m of Alg. 2",
        hypotheses="t > 1, every N >= 2; the formula: m, and how the repaired m_1 and m_2 are combined. Replayed for N <= 200, t in {3/2, 2, 11/4, 3, 4, "
        "7/2, 9, 20, 55}",
        formula=(closed.m_integers, sp.Min),
        mutants={
            "as printed": (_printed_minimum, sp.Min),
            "m_1 alone": (closed.m_end_point, _first),
            "the larger one": (lambda t, n: max(closed.m_end_point(t, n), closed.m_middle(t, n)), sp.Max),
        },
    ),
)
def minimum(case: Any) -> Outcome:
    choose, combined = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        return (
            None
            if choose(t, n) == min(row_ms(n, t))
            else f"N = {n}, t = {t}: {choose(t, n)}, Alg. 2 finds {min(row_ms(n, t))}"
        )

    return replayed(_all_rows(combined), check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels"))


@PAPER.claim(
    "Section IV.D (epsilon >= 1)",
    r"'when \epsilon\ge 1, the minimum m is obtained at the extreme point'",
    hypotheses="all N <= 200, t in {11/4, 3, 4, 7/2, 9, 20, 55} (epsilon > 1)",
    consequence="formula",
    headline=6,
    recorded="refuted",
    formula=(closed.m_end_point, _first),
    mutants={"in the middle": (closed.m_middle, _second)},
    note="The root of the end point is indeed the smaller one for every t > 1 (see 'i_3r > i_1r [repaired]'), but the middle row's m "
    "is the next odd number below its root. No smaller N can fail: for N <= 3 every row has m = 1 when t > 1. At N = 4 it fails for "
    "e <= t < 3, so at epsilon = 1 itself.",
    repair=Repair(
        r"the minimum of the rows' m is \min\{m_1,m_2\}; for \epsilon\ge 1 too it can be in the middle only, because m_2 is rounded to an odd number",
        hypotheses="t > 1, every N >= 2; the formula as in 'm = min(m_1, m_2) [repaired]'. Replayed for N <= 200, t in {11/4, 3, 4, 7/2, 9, 20, 55} "
        "(epsilon > 1); in the middle only at N = 4, t = 11/4",
        formula=(closed.m_integers, sp.Min),
        mutants={"end point": (closed.m_end_point, _first), "middle": (closed.m_middle, _second)},
    ),
)
def epsilon_at_least_one(case: Any) -> Outcome:
    choose, combined = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        ms = row_ms(n, t)
        return None if choose(t, n) == min(ms) else f"N = {n}, t = {t}: rows choose m = {ms}, claimed {choose(t, n)}"

    family = ((n, t) for n, t in sizes_and_levels() if t > E_ABOVE)
    instances = check_family(family, failure, "all N <= 200 at seven levels above e")
    example = check_every(
        [row_ms(4, Fraction(11, 4))],
        lambda ms: None if ms == (2, 1, 1, 2) else f"N = 4, t = 11/4: rows choose m = {ms}",
        "N = 4, t = 11/4: rows choose 2, 1, 1, 2",
    )
    return replayed(both(_all_rows(combined), example), instances)
