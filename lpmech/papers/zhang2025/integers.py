"""Section IV.D: BRR on the integers 1..N with |i - j|: Fig. 3, the chains, (8), (9), (10) and m."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from lpmech.entries import as_array
from lpmech.mechanisms import bipartite_rr_integers as closed
from lpmech.mechanisms.bipartite_rr import greedy_m
from lpmech.papers.checking import check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome, unclear
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.symbolic import bipartite_rr as derived

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
    hypotheses="|i - j| on 1..N, every row, N <= 25, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}; -lambda is not positive, which Alg. 1 does not need",
    recorded="certified",
    formula=lambda losses: [-loss for loss in losses],
    mutants={
        "1 / (1 + loss)": lambda losses: [Fraction(1, 1 + loss) for loss in losses],
        "-loss^2": lambda losses: [-(loss**2) for loss in losses],
    },
    note="Algs. 1 to 3 ask for lambda_1 >= ... >= lambda_N > 0, section IV.D has 0 = lambda_1 <= ... <= lambda_N: another quantity under "
    "the same letter.",
)
def losses_as_similarities(similarity: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        for k, expected in enumerate(row_ms(n, t), 1):
            m = greedy_m(as_array(similarity(sorted_losses(n, k)), "row", 1), t)
            if m != expected:
                return f"N = {n}, t = {t}, row {k}: m = {m}, the rule for losses gives {expected}"
        return None

    return check_family(sizes_and_levels(25), failure, "N <= 25 at nine levels")


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
    recorded="unclear",
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
    hypotheses="N = 14, ..., 40, first twelve columns, last column N - k",
    recorded="certified",
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

    return check_family([(n, k) for n in range(14, 41) for k in rows], failure, "rows 1 to 7")


@PAPER.claim(
    "Section IV.D (adjacent rows)",
    r"for adjacent rows k' (farther out) and k: \lambda'_i=\lambda_i for i\le j_0 and \lambda'_i=\lambda_i+1 for i>j_0",
    hypotheses="all N <= 60, k = k' + 1 <= (N + 1)/2; j_0 = 2 k'",
    recorded="certified",
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

    return check_family(
        [(n, k) for n in range(3, 61) for k in range(1, (n + 1) // 2)], failure, "all N <= 60 and adjacent rows"
    )


LOW, HIGH, TAIL, HEAD = sp.symbols("L H S_tail S_head")


@PAPER.claim(
    "Section IV.D (first chain)",
    r"for i\le j_0: \sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j-\sum_{j>j_0}s_j\le\sum_j(\lambda_i-\lambda_j)s_j",
    hypotheses="the shift of 'adjacent rows'; sums over j <= j_0 and j > j_0 written HEAD, TAIL, weights s_j > 0; any N",
    recorded="proved",
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
    equal = check_identities({"chain": (outer, shifted(total, HEAD, TAIL))}, "identity")
    smaller = check_implications(
        [TAIL > 0, HEAD > 0], {"outer <= inner": shifted(total, HEAD, TAIL) <= total}, "and the tail is positive"
    )
    return equal if equal.verdict != "proved" else smaller


@PAPER.claim(
    "Section IV.D (second chain)",
    r"for i>j_0: \sum_j(\lambda'_i-\lambda'_j)s_j=\sum_j(\lambda_i-\lambda_j)s_j+\sum_{j\le j_0}s_j>\sum_j(\lambda_i-\lambda_j)s_j",
    hypotheses="as the first chain",
    recorded="proved",
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
    equal = check_identities({"chain": (outer, shifted(total, HEAD, TAIL))}, "identity")
    larger = check_implications(
        [TAIL > 0, HEAD > 0], {"outer > inner": shifted(total, HEAD, TAIL) > total}, "and the head is positive"
    )
    return equal if equal.verdict != "proved" else larger


@PAPER.claim(
    "Section IV.D (end point or middle)",
    r"'the minimum m is obtained when the true term is at the extreme point or the middle point'",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}, exact integers",
    recorded="certified",
    formula=lambda ms: min(ms[0], ms[(len(ms) - 1) // 2]),
    mutants={"end point only": lambda ms: ms[0], "middle only": lambda ms: ms[(len(ms) - 1) // 2]},
)
def end_or_middle(smallest: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        ms = row_ms(*case)
        return None if smallest(ms) == min(ms) else f"N = {case[0]}, t = {case[1]}: rows choose m = {ms}"

    return check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")


@PAPER.claim(
    "eq. (8)",
    r"end point: \sum_{j<i}(\lambda_i-\lambda_j)e^\epsilon+\sum_{j>i}(\lambda_i-\lambda_j)=\frac12(e^\epsilon-1)i^2+(N-\frac12e^\epsilon+\frac12)i-\frac12N^2-\frac12N",
    hypotheses="losses 0, 1, ..., N - 1; all N, i, t",
    recorded="proved",
    formula=closed.end_point_sum,
    mutants={
        "N for N^2": lambda t, n, i: ((t - 1) * i**2 + (2 * n - t + 1) * i - n - n) / 2,
        "sign of t in the linear term": lambda t, n, i: ((t - 1) * i**2 + (2 * n + t + 1) * i - n**2 - n) / 2,
    },
)
def eq_8(quadratic: Any) -> Outcome:
    return check_identities({"sum": (derived.end_point_sum(), quadratic(T, N, I))}, "summed symbolically by sympy")


@PAPER.claim(
    "eq. (9)",
    r"middle, N even, i odd: the sum is \frac{e^\epsilon-1}4i^2+\frac{N-(e^\epsilon-1)}2i+\frac{(e^\epsilon-1)-N^2-2N}4",
    hypotheses="losses 0, 1, 1, ..., N/2; i = 2r + 1, N = 2M; all M, r, t",
    recorded="proved",
    formula=closed.middle_sum_even,
    mutants={
        "constant with -N": lambda t, n, i: closed.middle_sum_even(t, n, i) + n / 4,
        "the odd formula": closed.middle_sum_odd,
    },
)
def eq_9(quadratic: Any) -> Outcome:
    return check_identities(
        {"sum": (derived.middle_sum(0), quadratic(T, 2 * HALF_N, 2 * R + 1))}, "summed symbolically by sympy"
    )


@PAPER.claim(
    "eq. (10)",
    r"middle, N odd, i odd: the sum is \frac{e^\epsilon-1}4i^2+\frac{N-(e^\epsilon-1)}2i+\frac{(e^\epsilon-1)-2N-N^2+1}4",
    hypotheses="losses 0, 1, 1, ..., (N-1)/2 in pairs; i = 2r + 1, N = 2M + 1; all M, r, t",
    recorded="proved",
    formula=closed.middle_sum_odd,
    mutants={
        "without + 1": closed.middle_sum_even,
        "constant with -N": lambda t, n, i: closed.middle_sum_odd(t, n, i) + n / 4,
    },
)
def eq_10(quadratic: Any) -> Outcome:
    return check_identities(
        {"sum": (derived.middle_sum(1), quadratic(T, 2 * HALF_N + 1, 2 * R + 1))}, "summed symbolically by sympy"
    )


@PAPER.claim(
    "eq. (10) (second line)",
    r"the second line of (10), \frac{i-1}2e^\epsilon+2e^\epsilon(1+\dots+(\frac{i-1}2-1))-2(1+\dots+(\frac{N-1}2-\frac{i-1}2)), is the sum",
    hypotheses="i = 2r + 1, N = 2M + 1",
    recorded="proved",
    formula=lambda t, m, r: r * t + 2 * t * (r - 1) * r / 2 - 2 * (m - r) * (m - r + 1) / 2,
    mutants={"last term once": lambda t, m, r: r * t + 2 * t * (r - 1) * r / 2 - (m - r) * (m - r + 1) / 2},
)
def eq_10_second_line(expression: Any) -> Outcome:
    return check_identities({"sum": (derived.middle_sum(1), expression(T, HALF_N, R))}, "identity in M, r, t")


@PAPER.claim(
    "m_1 (floor)",
    r"m_1=\lfloor i_{1r}\rfloor, the floor of the right root of (8), is the m that Alg. 1 finds at an end point",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}; Alg. 1 stops where the derivative is zero",
    recorded="refuted",
    formula=closed.m_end_point_printed,
    control=closed.m_end_point,
    mutants={"one more": lambda t, n: closed.m_end_point(t, n) + 1},
    repaired_by="m_1 (floor) [repaired]",
    note="Only at ties, where both choices have the same utility.",
)
@PAPER.claim(
    "m_1 (floor) [repaired]",
    r"m_1=\lceil i_{1r}\rceil-1, the largest i with (8) negative; the floor is right iff the root is no integer",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    recorded="certified",
    formula=closed.m_end_point,
    mutants={"floor of the root": closed.m_end_point_printed, "ceiling": lambda t, n: closed.m_end_point(t, n) + 1},
    note="For rational epsilon > 0, e^epsilon is transcendental and the root is never an integer for N >= 2; then the floor is right.",
)
def m_1(choose: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        found = row_ms(n, t)[0]
        return (
            None
            if choose(t, n) == found
            else f"N = {n}, t = {t}: m_1 = {choose(t, n)}, Alg. 1 finds {found}; (8) at i = {found + 1}: {closed.end_point_sum(t, n, found + 1)}"
        )

    return check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")


@PAPER.claim(
    "m_2 (odd or even)",
    r"'if i is odd, then m_2=i; if i is even, then m_2=i+1', i the floor of the right root of (9) or (10)",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    recorded="refuted",
    formula=closed.m_middle_printed,
    control=closed.m_middle,
    mutants={"the floor itself": lambda t, n: max(1, closed.m_middle_printed(t, n) - 1)},
    repaired_by="m_2 (odd or even) [repaired]",
    note="At an even i the pair that begins there already has a positive derivative; it must not be raised.",
)
@PAPER.claim(
    "m_2 (odd or even) [repaired]",
    r"m_2=2r+1 for the largest r with (9), (10) negative at i=2r+1: round the root down to an odd number, i-1 if \lfloor i\rfloor is even (at no tie)",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    recorded="certified",
    formula=closed.m_middle,
    mutants={
        "i + 1 for even i": closed.m_middle_printed,
        "always one pair more": lambda t, n: closed.m_middle(t, n) + 2,
    },
)
def m_2(choose: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        found = row_ms(n, t)[(n - 1) // 2]
        return (
            None
            if choose(t, n) == found
            else f"N = {n}, t = {t}: m_2 = {choose(t, n)}, Alg. 1 finds {found} in row {(n + 1) // 2}"
        )

    return check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")


@PAPER.claim(
    "Section IV.D (m odd)",
    r"'in the median there are many paired values, making the paired i always odd': m of a middle row is odd",
    hypotheses="all N <= 200 at nine levels",
    recorded="certified",
    formula=lambda m: m % 2 == 1,
    mutants={"even": lambda m: m % 2 == 0, "odd or 2": lambda m: m % 2 == 1 and m != 3},
)
def m_is_odd(parity: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        m = row_ms(*case)[(case[0] - 1) // 2]
        return None if parity(m) else f"N = {case[0]}, t = {case[1]}: m = {m}"

    return check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")


def _printed_minimum(t: Fraction, n: int) -> int:
    return min(closed.m_end_point_printed(t, n), closed.m_middle_printed(t, n))


@PAPER.claim(
    "m = min(m_1, m_2)",
    r"'m=\min\{m_1,m_2\}' with the printed m_1 and m_2 is the m of Alg. 2",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    recorded="refuted",
    formula=_printed_minimum,
    control=closed.m_integers,
    mutants={"printed m_1 alone": closed.m_end_point_printed},
    repaired_by="m = min(m_1, m_2) [repaired]",
)
@PAPER.claim(
    "m = min(m_1, m_2) [repaired]",
    r"with the repaired m_1 and m_2, \min\{m_1,m_2\} is the m of Alg. 2",
    hypotheses="all N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    recorded="certified",
    formula=closed.m_integers,
    mutants={"as printed": _printed_minimum, "m_1 alone": closed.m_end_point},
)
def minimum(choose: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        return (
            None
            if choose(t, n) == min(row_ms(n, t))
            else f"N = {n}, t = {t}: {choose(t, n)}, Alg. 2 finds {min(row_ms(n, t))}"
        )

    return check_family(sizes_and_levels(), failure, "all N <= 200 at nine levels")


@PAPER.claim(
    "Section IV.D (epsilon >= 1)",
    r"'when \epsilon\ge 1, the minimum m is obtained at the extreme point'",
    hypotheses="all N <= 200, t in {11/4, 3, 4, 7/2, 9, 20, 55} (epsilon > 1)",
    recorded="refuted",
    formula=closed.m_end_point,
    control=closed.m_integers,
    mutants={"in the middle": closed.m_middle},
    repaired_by="Section IV.D (epsilon >= 1) [repaired]",
    note="The root of the end point is indeed the smaller one for every t > 1 (see 'i_3r > i_1r [repaired]'), but the middle row's m "
    "is the next odd number below its root. No smaller N can fail: for N <= 3 every row has m = 1 when t > 1. At N = 4 it fails for "
    "e <= t < 3, so at epsilon = 1 itself.",
)
@PAPER.claim(
    "Section IV.D (epsilon >= 1) [repaired]",
    r"the minimum of the rows' m is \min\{m_1,m_2\}; for \epsilon\ge 1 too it can be in the middle only, because m_2 is rounded to an odd number",
    hypotheses="all N <= 200, t in {11/4, 3, 4, 7/2, 9, 20, 55} (epsilon > 1)",
    recorded="certified",
    formula=closed.m_integers,
    mutants={"end point": closed.m_end_point, "middle": closed.m_middle},
)
def epsilon_at_least_one(choose: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        ms = row_ms(n, t)
        return None if choose(t, n) == min(ms) else f"N = {n}, t = {t}: rows choose m = {ms}, claimed {choose(t, n)}"

    return check_family(
        ((n, t) for n, t in sizes_and_levels() if t > E_ABOVE), failure, "all N <= 200 at seven levels above e"
    )
