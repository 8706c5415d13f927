"""Section IV.D for every N: the rows of Fig. 3, where the minimum lies, the closed forms of m, and the slopes of Fig. 11."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations
from lpmech.claims.checking import check_implications
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.zhang2025.paper import PAPER, N, T
from lpmech.papers.zhang2025.rows import (
    QUADRATICS,
    distances_are,
    odd_floor_or_next,
    pairs_agree,
    sorted_distance,
    sums_rise,
)
from lpmech.papers.zhang2025.section_4d import ALL_SIZES, sizes_and_levels
from lpmech.papers.zhang2025.section_4d_roots import (
    END_GIVEN,
    END_ROOT,
    HALF_POWER,
    ODD_GIVEN,
    ODD_ROOT,
    U,
    roots_ordered,
)

PAPER.claim(
    "Fig. 3 [all rows]",
    r"the i-th smallest distance of item k\le(N+1)/2 to 1..N is \max(\lfloor i/2\rfloor, i-k)",
    hypotheses="rows N + 1 - k by symmetry; h = floor(i/2)",
    formula=sorted_distance,
)(distances_are)

PAPER.claim(
    "Section IV.D (paired terms)",
    r"two terms with the same distance have the same sum, whatever their own weights: both are raised or neither, so m of a middle row is odd",
    hypotheses="S > 0, A: sums of s_j and lambda_j s_j over the other terms; any N. The formula: how far apart the distances are",
    formula=0,
)(pairs_agree)


@PAPER.claim(
    "m_1 and m_2 [all N]",
    r"(8) increases with i, is negative at i=1 and not negative at i=N; (9), (10) likewise for odd i: so m is the largest (odd) i with a negative value",
    hypotheses="N >= 2 for (8) and (9), N >= 3 for (10)",
    formula=QUADRATICS,
    note="This is what `m_end_point` and `m_middle` search for; it makes the repaired floor rules hold for every N.",
)
def closed_forms(quadratics: Any) -> Parts:
    for id, quadratic in zip(("eq. (8)", "eq. (9)", "eq. (10)"), quadratics, strict=True):
        yield PAPER.claims[id].outcome_of(quadratic)
    yield sums_rise(quadratics)


def grr_thresholds(n: Any, odd: bool) -> tuple[Any, Any]:
    """From which t on the end point, and the middle row, have m = 1."""
    return (n - 1) * (n - 2) / 2, (n - 1) * (n - 3) / 4 if odd else (n - 2) ** 2 / 4


@PAPER.claim(
    "Section VI.B (closer to GRR)",
    r"'the BRR and BRR* mechanisms become closer to the GRR mechanism' as \epsilon grows: the row of an end point has m=1 iff e^\epsilon\ge(N-1)(N-2)/2, a middle row iff e^\epsilon\ge(N-2)^2/4 (N even) or (N-1)(N-3)/4 (N odd)",
    hypotheses="so BRR on 1..N is GRR from the smaller of the two thresholds on",
    given=[T > 1, N >= 3],
    evidence="each sum is t minus its threshold",
    formula=grr_thresholds,
    note="m = 1 iff (8) is not negative at i = 2, (9) and (10) at i = 3. At epsilon = 8 this is N <= 111.",
)
def grr_from(thresholds: Any) -> Relations:
    (end, even), (_, odd) = (thresholds(N, is_odd) for is_odd in (False, True))
    return {
        "(8) at 2": (closed.end_point_sum(T, N, 2), T - end),
        "(9) at 3": (closed.middle_sum_even(T, N, 3), T - even),
        "(10) at 3": (closed.middle_sum_odd(T, N, 3), T - odd),
    }


END_OF_ROW, MIDDLE = sp.symbols("r_1 r_2")
M_1, HALF = sp.symbols("m_1 h", integer=True)


@PAPER.claim(
    "after (11) (printed m_1 <= printed m_2)",
    r"with the paper's own formulas, m_1=\lfloor i_{1r}\rfloor\le m_2 (i, or i+1 if i is even): the minimum is always at the end point",
    hypotheses="t > 1, N >= 3; the roots are ordered, see 'i_3r > i_1r [repaired]'. The formula: m_2, and where an odd m_2 lies with respect to the root",
    given=[END_OF_ROW < MIDDLE, M_1 <= END_OF_ROW, END_OF_ROW < M_1 + 1, HALF >= 0],
    evidence="rounding keeps the order",
    replay=f"{ALL_SIZES}, N >= 3; m_2 as printed between the values of (9) or (10) around it",
    formula=(closed.m_middle_printed, odd_floor_or_next),
    note="The conclusion follows from the printed formulas; it fails for the mechanism because the printed m_2 is wrong for even i.",
)
def printed_order(case: Any) -> Parts:
    middle, place = case
    for n, t in sizes_and_levels(3):
        first, second = closed.m_end_point_printed(t, n), middle(t, n)
        yield first <= second or f"N = {n}, t = {t}: m_1 = {first}, m_2 = {second}"
        quadratic = closed.middle_sum_odd if n % 2 else closed.middle_sum_even
        at_root = second % 2 == 1 and quadratic(t, n, second + 1) > 0
        at_root = at_root and (second == 1 or quadratic(t, n, second - 1) <= 0)
        yield at_root or f"N = {n}, t = {t}: m_2 is not printed as {second}"
    placed = place(2 * HALF + 1, MIDDLE)
    yield "m_1 <= m_2", sp.Implies(placed, M_1 <= 2 * HALF + 1)
    yield "where m_2 lies", sp.Equivalent(placed, odd_floor_or_next(2 * HALF + 1, MIDDLE))
    yield roots_ordered(3)


@PAPER.claim(
    "Fig. 11 (slope of BRR in the limit)",
    r"m of BRR grows like N/(e^{\epsilon/2}+1): both roots lie within a constant of it; the slope falls as \epsilon grows",
    hypotheses="t = u^2; m_1, m_2 lie at most 2 below their roots; i_1r between N/(u+1) + 1/2 and + 1, i_3r within u/(t-1)",
    formula=lambda n, u: n / (u + 1),
    mutants={"N / (t + 1)": lambda n, u: n / (u**2 + 1), "N / u": lambda n, u: n / u},
)
def slope_in_the_limit(linear: Any) -> Parts:
    value = linear(N, U)
    yield check_implications(
        [*END_GIVEN, N >= 2, *HALF_POWER],
        {"i_1r above": value + sp.Rational(1, 2) < END_ROOT, "i_1r below": value + 1 > END_ROOT},
        "N/(u+1) + 1/2 < i_1r < N/(u+1) + 1",
    )
    yield check_implications(
        [*ODD_GIVEN, N >= 2, *HALF_POWER],
        {"i_3r above": value + 1 - U / (T - 1) < ODD_ROOT, "i_3r below": value + 1 > ODD_ROOT},
        "i_3r within u/(t-1)",
    )
    larger = sp.Symbol("u2")
    falls = {"falls": linear(N, larger) < value}
    yield check_implications([U > 1, larger > U, N >= 2], falls, "falls with epsilon")


X, POSITIVE_SHARE = sp.symbols("x r", positive=True)
SHARE = sp.Symbol("r")


def average_distance() -> sp.Expr:
    """Mean over items x in [0, 1] of the sorted distance max(r/2, r - x), x <= 1/2 (Fig. 3 scaled by N), in r."""
    outer = sp.integrate(POSITIVE_SHARE - X, (X, 0, POSITIVE_SHARE / 2))
    inner = sp.integrate(POSITIVE_SHARE / 2, (X, POSITIVE_SHARE / 2, sp.Rational(1, 2)))
    return sp.expand(2 * (outer + inner))


@PAPER.claim(
    "Fig. 11 (slope of BRR* greater, in the limit)",
    r"'the slope of the BRR* is always greater than that of the BRR': at m/N=r=1/(e^{\epsilon/2}+1) the derivative (15) still asks for a larger m, for every \epsilon",
    hypotheses="limit N -> infinity of |i - j| on 1..N (sums become integrals), uniform prior; r in (0, 1/2) is every epsilon > 0",
    given=[SHARE > 0, 2 * SHARE < 1],
    evidence="sympy integrates the sorted rows; negative for every epsilon > 0",
    formula=lambda r: -((1 - r) ** 2) / 12,
    note="With the loss, a negative numerator means that raising one more term lowers the loss.",
)
def star_slope(numerator: Any) -> Relations:
    r = POSITIVE_SHARE
    t = 1 + (1 - 2 * r) / r**2  # r = 1/(u + 1), t = u^2
    level = average_distance()
    below, above = (sp.integrate(level.subs(r, X), (X, *ends)) for ends in ((0, r), (r, 1)))
    actual = (level * (t * r + 1 - r) - t * below - above).subs(r, SHARE)
    return {"numerator": (actual, numerator(SHARE)), "negative": numerator(SHARE) < 0}
