"""Section IV.D: m of an end point, of the middle and of BRR on the integers 1..N, for every N; the slopes of Fig. 11."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.zhang2025 import rows
from lpmech.papers.zhang2025 import section_4d_roots as roots
from lpmech.papers.zhang2025.enclosures import at_budget
from lpmech.papers.zhang2025.paper import PAPER, N, T
from lpmech.papers.zhang2025.section_4d import ALL_SIZES, E_ABOVE, LEVELS, row_ms, sizes_and_levels
from lpmech.prove import steps
from lpmech.terms import functions as tm

PAIRS, LARGEST, VALUE, MASS, END_OF_ROW, MIDDLE, SHARE = tm.symbols("r lambda_N Q C r_1 r_2 r")
M_1, M_2, F_1, F_2, HALF = tm.symbols("m_1 m_2 f_1 f_2 h")


@PAPER.claim(
    "m_1 (floor)",
    r"$m_1=\lfloor i_{1r}\rfloor$, the floor of the right root of (8), is the $m$ that Alg. 1 finds at an end point",
    hypotheses=r"$t > 1$, every $N \ge 2$; Alg. 1 stops where the derivative is zero; $r$ the positive root of (8), $\frac{1}{2}(t-1)i^2+(N-\frac{1}{2}t+\frac{1}{2})i-\frac{1}{2}N^2-\frac{1}{2}N$",
    replay=ALL_SIZES,
    cause="m = min(m_1, m_2)",
    consequence="formula",
    formula=(closed.m_end_point_printed, rows.floor_of),
    note="Only at ties, where both choices have the same utility.",
    repair=Repair(
        r"$m_1=\lceil i_{1r}\rceil-1$, the largest $i$ with (8) negative; the floor is right iff the root is no integer",
        formula=(closed.m_end_point, rows.below),
        survivors={
            "part 1: n -> n + 1 in _largest(lambda i: end_point_sum(t, n, i) < 0, n)": "the same: (8) is not negative at N"
        },
        note=r"For rational $\epsilon > 0$, $e^\epsilon$ is transcendental and the root is never an integer for $N \ge 2$; then the floor is right.",
    ),
)
def m_1(case: Any) -> Parts:
    choose, place = case
    for n, t in sizes_and_levels():
        m, found = choose(t, n), row_ms(n, t)[0]
        at_next = closed.end_point_sum(t, n, found + 1)
        where = f"N = {n}, t = {t}, where (8) is {at_next} at i = {found + 1}: m_1, that of Alg. 1"
        yield Instance(where, m, "==", found)
    yield from rows.end_row_stops(place)


@PAPER.claim(
    "m_2 (odd or even)",
    "'if $i$ is odd, then $m_2=i$; if $i$ is even, then $m_2=i+1$', $i$ the floor of the right root of (9) or (10)",
    hypotheses=r"$t > 1$, every $N \ge 2$; $r$ the right root of $\frac{t-1}{4}i^2+\frac{N-(t-1)}{2}i+c$, $m_2=2h+1$; $c=\frac{t-1-N^2-2N}{4}$ in (9), for even $N$, and $\frac{t-N^2-2N}{4}$ in (10), for odd $N$",
    replay=ALL_SIZES,
    cause="m = min(m_1, m_2)",
    consequence="formula",
    headline=3,
    formula=(closed.m_middle_printed, rows.odd_floor_or_next),
    note="At an even $i$ the pair that begins there already has a positive derivative; it must not be raised.",
    repair=Repair(
        r"$m_2=2r+1$ for the largest $r$ with (9), (10) negative at $i=2r+1$: round the root down to an odd number, $i-1$ if $\lfloor i\rfloor$ is even (at no tie)",
        formula=(closed.m_middle, rows.odd_below),
        survivors=dict.fromkeys(
            (
                *("part 1: n -> n ** 2 in n % 2", "part 1: n -> n ** 2 in n - 1", "part 1: n -> n + 1 in n - 1"),
                "part 1: (n - 1) // 2 -> n - 1 in _largest(lambda r: middle_sum(t, n, 2 * r + 1) < 0, (n - 1) // 2)",
                "part 1: n - 1 -> n + 1 in (n - 1) // 2",
                *(f"part 1: 1 -> {other} in n - 1" for other in (0, 2)),
                *(f"part 1: 2 -> {other} in (n - 1) // 2" for other in (1, 3)),
            ),
            "the same: n and n^2 have one parity; both roots are at most N/(e^(epsilon/2) + 1) + 1, so up to r = N/4 suffices",
        ),
    ),
)
def m_2(case: Any) -> Parts:
    choose, place = case
    for n, t in sizes_and_levels():
        m, row = choose(t, n), (n - 1) // 2
        yield Instance(f"N = {n}, t = {t}: m_2, that of Alg. 1 in row {row + 1}", m, "==", row_ms(n, t)[row])
    yield from rows.middle_row_stops(place)


@PAPER.claim(
    "Section IV.D (m odd)",
    "'in the median there are many paired values, making the paired $i$ always odd': $m$ of a middle row is odd",
    hypotheses="every $N$ and $t$, $r$ pairs: the first term is raised, then pairs of equal distance, both or neither ('Section IV.D (paired terms)'); for even $N$ the last term, of largest distance, never is",
    given=[PAIRS >= 0, MASS > 0, VALUE <= LARGEST * MASS],
    replay=ALL_SIZES,
    formula=lambda pairs: 2 * pairs + 1,
)
def m_is_odd(count: Any) -> Parts:
    for n, t in sizes_and_levels():
        m = row_ms(n, t)[(n - 1) // 2]
        yield m in {count(r) for r in range(n)} or f"N = {n}, t = {t}: m = {m}"
    yield "one term and r pairs", (1 + 2 * PAIRS, count(PAIRS))
    yield "the sum of the last term is not negative", LARGEST * MASS - VALUE >= 0
    yield from rows.pairs_agree(0)


def printed_minimum(t: Any, n: int) -> int:
    """m as the paper prints it."""
    return min(closed.m_end_point_printed(t, n), closed.m_middle_printed(t, n))


@PAPER.claim(
    "m = min(m_1, m_2)",
    r"'$m=\min\{m_1,m_2\}$' with the printed $m_1$ and $m_2$ is the $m$ of Alg. 2",
    hypotheses=r"$t > 1$, every $N \ge 2$; printed: $m_1=\lfloor i_{1r}\rfloor$ with the right root of (8), and $m_2=i$, or $i+1$ if $i$ is even, $i$ the floor of the right root of (9) or (10)",
    replay=ALL_SIZES,
    consequence="formula",
    formula=(printed_minimum, tm.Min),
    repair=Repair(
        r"with the repaired $m_1$ and $m_2$, $\min\{m_1,m_2\}$ is the $m$ of Alg. 2",
        hypotheses=r"$t > 1$, every $N \ge 2$; $m_1=\lceil i_{1r}\rceil-1$ with the right root of (8), $m_2$ the largest odd number below that of (9) or (10)",
        formula=(closed.m_integers, tm.Min),
    ),
)
def minimum(case: Any) -> Parts:
    choose, combined = case
    for n, t in sizes_and_levels():
        m, right = choose(t, n), min(row_ms(n, t))
        yield Instance(f"N = {n}, t = {t}: min(m_1, m_2), m of Alg. 2", m, "==", right)
    first, second, row = tm.symbols("m_1 m_2 m_k")
    least = combined(first, second)
    # the minimum over the rows lies at the end point or in the middle
    smallest = {
        "at most the m of every row": least <= row,
        "the m of some row": tm.Or(tm.Eq(least, first), tm.Eq(least, second)),
    }
    yield [tm.Whole(first, second, row), first >= 1, second >= 1, tm.Or(row >= first, row >= second)], smallest
    yield from rows.minimum_at_an_end(rows.chains)
    yield from rows.end_row_stops(rows.below)
    yield from rows.middle_row_stops(rows.odd_below)


@PAPER.claim(
    "Section IV.D (epsilon >= 1)",
    r"'when $\epsilon\ge 1$, the minimum $m$ is obtained at the extreme point'",
    hypotheses=r"$t > 1$, every $N \ge 2$; the rows' $m$ by Alg. 1",
    replay="N <= 200, t in {11/4, 3, 4, 7/2, 9, 20, 55} (epsilon > 1)",
    cause="m = min(m_1, m_2)",
    consequence="formula",
    headline=5,
    formula=(closed.m_end_point, lambda m_1, m_2: m_1),
    note=r"The root of the end point is the smaller one for every $t > 1$, see '`i_3r > i_1r [repaired]`', but the middle row's $m$ is the next odd number below its root. No smaller $N$ can fail: for $N \le 3$ every row has $m = 1$. At $N = 4$ it fails for $e \le t < 3$, so at $\epsilon = 1$ itself.",
    repair=Repair(
        r"the minimum of the rows' $m$ is $\min\{m_1,m_2\}$; for $\epsilon\ge 1$ too it can be in the middle only, because $m_2$ is rounded to an odd number",
        hypotheses=r"$t > 1$, every $N \ge 2$; in the middle only it is, for example, at $N = 4$, $t = 11/4$",
        formula=(closed.m_integers, tm.Min),
    ),
)
def epsilon_at_least_one(case: Any) -> Parts:
    choose, _ = case
    for n, t in [(10, LEVELS[4]), *product(range(1, 201), [t for t in LEVELS if t > E_ABOVE])]:
        m, ms = choose(t, n), row_ms(n, t)
        yield Instance(f"N = {n}, t = {t}, where the rows choose m = {ms}: claimed, the minimum", m, "==", min(ms))
    yield Instance("N = 4, t = 11/4: m of the rows", row_ms(4, Fraction(11, 4)), "==", (2, 1, 1, 2))
    yield from minimum(case)


@PAPER.claim(
    "m = min(m_1, m_2) (how far off)",
    r"the printed $\min\{m_1,m_2\}$ is the $m$ of Alg. 2 or exactly one too large, for every $N$ and $\epsilon$",
    hypotheses=r"$t > 1$, $N \ge 3$; $r_1$ and $r_2$ the right roots of (8) and of (9) or (10), $r_1 < r_2$: '`i_3r > i_1r [repaired]`'; $m$ of an end point is the last integer below $r_1$, that of a middle row the last odd one below $r_2$; $f_1$, $f_2$ as printed",
    replay=f"{ALL_SIZES}, N >= 3; 0 and 1 both occur",
    given=[
        tm.Whole(M_1, M_2, F_1, F_2),
        *(rows.below(M_1, END_OF_ROW), rows.floor_of(F_1, END_OF_ROW), END_OF_ROW < MIDDLE),
        *(rows.odd_below(M_2, MIDDLE), rows.odd_floor_or_next(F_2, MIDDLE)),
    ],
    kind="ours",
    formula=lambda surplus: tm.And(tm.term(surplus) >= 0, tm.term(surplus) <= 1),
    note="$m_2$ by itself is two too large where it is wrong, but the minimum then is the printed $m_1$, one more than the true $m_2$. With $m$ one too large a row of utility at a tie loses nothing, another one does: see '`m_2 (odd or even)`'.",
)
def how_far(surplus: Any) -> Parts:
    found = set()
    for n, t in sizes_and_levels(3):
        printed, right = printed_minimum(t, n), closed.m_integers(t, n)
        found.add(printed - right)
        yield steps.holds(surplus(printed - right)) or f"N = {n}, t = {t}: printed {printed}, right {right}"
    for amount in set(range(-30, 31)) - found:
        yield not steps.holds(surplus(amount)) or f"never {amount} too large"
    yield "printed less true", surplus(tm.Min(F_1, F_2) - tm.Min(M_1, M_2))
    yield from roots.roots_ordered(3)


@PAPER.claim(
    "m = min(m_1, m_2) (how often off)",
    r"at the budgets $\epsilon=1,3,5$ of Fig. 11 the printed $m$ is one too large for 50, 51 and 49 of the 198 sizes $N=3,\dots,200$",
    hypotheses=r"$|i - j|$ on $1,\dots,N$; printed: $m = \min\{m_1,m_2\}$, $m_1=\lfloor i_{1r}\rfloor$, $m_2=i$, or $i+1$ if $i$ is even, $i$ the floor of the right root of (9) or (10); $e^\epsilon$ enclosed by rationals at both ends of which all values agree",
    every={"epsilon": ("1", "3", "5"), "N": range(3, 201)},
    kind="ours",
    formula={"1": 50, "3": 51, "5": 49},
    note=r"$e^\epsilon$ is irrational there, so $r_1$ is no integer and the printed $m_1$ is right: the whole error is the parity of $m_2$, in one size out of four. $N = 20$ at $\epsilon = 3$ is among them.",
)
def how_often(claimed: Mapping[str, int]) -> Parts:
    compared = (printed_minimum, closed.m_end_point_printed, closed.m_integers, closed.m_end_point)
    for budget in each("epsilon"):
        count, wrong = claimed.get(budget), []
        for n in each("N"):
            found, end_printed, right, end = (at_budget(partial(m, n=n), Fraction(budget)) for m in compared)
            yield end_printed == end or f"N = {n}, epsilon = {budget}: m_1 is printed as {end_printed}, not {end}"
            wrong += [n] if found != right else []
        some = ", ".join(map(str, wrong[:5]))
        yield Instance(
            f"epsilon = {budget}: so many sizes, N = {some}, ..., at which it is off", len(wrong), "==", count
        )


PAPER.claim(
    "Fig. 3 [all rows]",
    r"the $i$-th smallest distance of item $k\le(N+1)/2$ to $1,\dots,N$ is $\max(\lfloor i/2\rfloor, i-k)$",
    hypotheses=r"rows $N + 1 - k$ by symmetry; $h = \lfloor i/2\rfloor$",
    kind="ours",
    formula=rows.sorted_distance,
)(rows.distances_are)

PAPER.claim(
    "Section IV.D (paired terms)",
    "two terms with the same distance have the same sum, whatever their own weights: both are raised or neither, so $m$ of a middle row is odd",
    hypotheses=r"$S > 0$, $A$: sums of $s_j$ and $\lambda_j s_j$ over the other terms; $s_1$, $s_2$ and $\lambda_1=\lambda_2$ those of the two; any $N$",
    formula=0,
)(rows.pairs_agree)


@PAPER.claim(
    "m_1 and m_2 [all N]",
    "(8) increases with $i$, is negative at $i=1$ and not negative at $i=N$; (9), (10) likewise for odd $i$: so $m$ is the largest (odd) $i$ with a negative value",
    hypotheses=r"$N \ge 2$ for (8) and (9), $N \ge 3$ for (10)",
    formula=rows.QUADRATICS,
    note="This is what `m_end_point` and `m_middle` search for; it makes the repaired floor rules hold for every $N$.",
)
def closed_forms(quadratics: Any) -> Parts:
    for id, quadratic in each("equation", zip(("eq. (8)", "eq. (9)", "eq. (10)"), quadratics, strict=True)):
        yield PAPER.claims[id].outcome_of(quadratic)
    yield from rows.sums_rise(quadratics)


def grr_thresholds(n: Any, odd: bool) -> tuple[Any, Any]:
    """From which t on the end point, and the middle row, have m = 1."""
    return (n - 1) * (n - 2) / 2, (n - 1) * (n - 3) / 4 if odd else (n - 2) ** 2 / 4


@PAPER.claim(
    "Section VI.B (closer to GRR)",
    r"'the BRR and BRR* mechanisms become closer to the GRR mechanism' as $\epsilon$ grows: the row of an end point has $m=1$ iff $e^\epsilon\ge(N-1)(N-2)/2$, a middle row iff $e^\epsilon\ge(N-2)^2/4$ ($N$ even) or $(N-1)(N-3)/4$ ($N$ odd)",
    hypotheses=r"so BRR on $1,\dots,N$ is GRR from the smaller of the two thresholds on",
    given=[T > 1, N >= 3],
    formula=grr_thresholds,
    note=r"$m = 1$ iff (8) is not negative at $i = 2$, (9) and (10) at $i = 3$. At $\epsilon = 8$ this is $N \le 111$.",
)
def grr_from(thresholds: Any) -> Relations:
    (end, even), (_, odd) = (thresholds(N, is_odd) for is_odd in (False, True))
    return {
        "(8) at 2 is t minus the threshold": (closed.end_point_sum(T, N, 2), T - end),
        "(9) at 3": (closed.middle_sum_even(T, N, 3), T - even),
        "(10) at 3": (closed.middle_sum_odd(T, N, 3), T - odd),
    }


@PAPER.claim(
    "after (11) (printed m_1 <= printed m_2)",
    r"with the paper's own formulas, $m_1=\lfloor i_{1r}\rfloor\le m_2$ ($i$, or $i+1$ if $i$ is even): the minimum is always at the end point",
    hypotheses=r"$t > 1$, $N \ge 3$; the roots are ordered, see '`i_3r > i_1r [repaired]`'; $r_1$, $r_2$ the roots, $m_2=2h+1$",
    given=[tm.Whole(M_1, HALF), END_OF_ROW < MIDDLE, M_1 <= END_OF_ROW, END_OF_ROW < M_1 + 1, HALF >= 0],
    replay=f"{ALL_SIZES}, N >= 3; m_2 as printed between the values of (9) or (10) around it",
    formula=(closed.m_middle_printed, rows.odd_floor_or_next),
    note="The conclusion follows from the printed formulas; it fails for the mechanism because the printed $m_2$ is wrong for even $i$.",
)
def printed_order(case: Any) -> Parts:
    middle, place = case
    for n, t in sizes_and_levels(3):
        first, second = closed.m_end_point_printed(t, n), middle(t, n)
        yield Instance(f"N = {n}, t = {t}: printed m_1, m_2", first, "<=", second)
        quadratic = closed.middle_sum_odd if n % 2 else closed.middle_sum_even
        at_root = second % 2 == 1 and quadratic(t, n, second + 1) > 0
        at_root = at_root and (second == 1 or quadratic(t, n, second - 1) <= 0)
        yield at_root or f"N = {n}, t = {t}: m_2 is not printed as {second}"
    placed = place(2 * HALF + 1, MIDDLE)
    yield "rounding keeps the order", tm.Implies(placed, M_1 <= 2 * HALF + 1)
    floor = tm.floor(MIDDLE)
    yield "where m_2 lies", tm.Equivalent(placed, tm.Or(tm.Eq(2 * HALF + 1, floor), tm.Eq(2 * HALF, floor)))
    yield from roots.roots_ordered(3)


@PAPER.claim(
    "Fig. 11 (slope of BRR in the limit)",
    r"$m$ of BRR grows like $N/(e^{\epsilon/2}+1)$: both roots lie within a constant of it; the slope falls as $\epsilon$ grows",
    hypotheses="$t = u^2$; $m_1$, $m_2$ lie at most 2 below their roots; $i_{1r}$ lies between $N/(u+1) + 1/2$ and $N/(u+1) + 1$, $i_{3r}$ at most $u/(t-1)$ below the latter",
    kind="ours",
    formula=lambda n, u: n / (u + 1),
)
def slope_in_the_limit(linear: Any) -> Parts:
    value = linear(N, roots.U)
    end = tm.And(value + tm.Rational(1, 2) < roots.END_ROOT, roots.END_ROOT < value + 1)
    odd = tm.And(value + 1 - roots.U / (T - 1) < roots.ODD_ROOT, roots.ODD_ROOT < value + 1)
    yield [*roots.END_GIVEN, N >= 2, *roots.HALF_POWER], {r"$N/(u+1)+1/2<i_{1r}<N/(u+1)+1$": end}
    yield [*roots.ODD_GIVEN, N >= 2, *roots.HALF_POWER], {"$i_{3r}$ less than $u/(t-1)$ below $N/(u+1)+1$": odd}
    larger = tm.symbol("u2")
    yield [roots.U > 1, larger > roots.U, N >= 2], {"falls with epsilon": linear(N, larger) < value}


@PAPER.claim(
    "Fig. 11 (slope of BRR* greater, in the limit)",
    r"'the slope of the BRR* is always greater than that of the BRR': at $m/N=r=1/(e^{\epsilon/2}+1)$ the derivative (15) still asks for a larger $m$, for every $\epsilon$",
    hypotheses=r"limit $N \to \infty$ of $|i - j|$ on $1,\dots,N$ (sums become integrals), uniform prior; $r \in (0, 1/2)$ is every $\epsilon > 0$",
    given=[SHARE > 0, 2 * SHARE < 1],
    formula=lambda r: -((1 - r) ** 2) / 12,
    note="With the loss, a negative numerator means that raising one more term lowers the loss.",
)
def star_slope(numerator: Any) -> Relations:
    x, r = tm.symbols("x r")
    t = 1 + (1 - 2 * r) / r**2  # r = 1/(u + 1), t = u^2
    # mean over items x in [0, 1] of the sorted distance max(r/2, r - x), x <= 1/2: Fig. 3 scaled by N
    outer, inner = steps.integrate(r - x, (x, 0, r / 2)), steps.integrate(r / 2, (x, r / 2, Fraction(1, 2)))
    level = steps.expand(2 * (outer + inner))
    below, above = (steps.integrate(level.at({r: x}), (x, *ends)) for ends in ((0, r), (r, 1)))
    actual = (level * (t * r + 1 - r) - t * below - above).at({r: SHARE})
    return {"sympy integrates the sorted rows": (actual, numerator(SHARE)), "negative": numerator(SHARE) < 0}
