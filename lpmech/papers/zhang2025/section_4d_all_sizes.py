"""Section IV.D for every N: the rows of Fig. 3, where the minimum lies, the closed forms of m, and the slopes of Fig. 11."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checking import both, check_family, check_identities, check_implications, replayed
from lpmech.papers.zhang2025.paper import PAPER, N, T
from lpmech.papers.zhang2025.rows import distances_are, pairs_agree, sorted_distance, sums_rise
from lpmech.papers.zhang2025.section_4d import sizes_and_levels
from lpmech.papers.zhang2025.section_4d_roots import (
    END,
    END_ROOT,
    END_SQUARE,
    ODD,
    ODD_ROOT,
    ODD_SQUARE,
    U,
    roots_ordered,
)
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Fig. 3 [all rows]",
    r"the i-th smallest distance of item k\le(N+1)/2 to 1..N is \max(\lfloor i/2\rfloor, i-k)",
    hypotheses="all integers N, k, i with 1 <= k <= (N + 1)/2, 1 <= i <= N; rows N + 1 - k by symmetry",
    formula=sorted_distance,
    mutants={
        "i - k + 1": lambda i, k, half: sp.Max(half, i - k + 1),
        "min": lambda i, k, half: sp.Min(half, i - k),
    },
)
def distances(formula: Any) -> Outcome:
    return distances_are(formula)


@PAPER.claim(
    "Section IV.D (paired terms)",
    r"two terms with the same distance have the same sum, whatever their own weights: both are raised or neither, so m of a middle row is odd",
    hypotheses="s_1, s_2 > 0; S > 0, A: sums of s_j and lambda_j s_j over the other terms; any N",
    formula=0,
    mutants={"distances one apart": 1},
)
def pairs(apart: int) -> Outcome:
    return pairs_agree(apart)


@PAPER.claim(
    "m_1 and m_2 [all N]",
    r"(8) increases with i, is negative at i=1 and not negative at i=N; (9), (10) likewise for odd i: so m is the largest (odd) i with a negative value",
    hypotheses="N >= 2 for (8) and (9), N >= 3 for (10)",
    formula=(closed.end_point_sum, closed.middle_sum_even, closed.middle_sum_odd),
    mutants={
        "(8) with -N^2": (
            lambda t, n, i: closed.end_point_sum(t, n, i) - n**2 / 2,
            closed.middle_sum_even,
            closed.middle_sum_odd,
        ),
        "(10) without the constant": (
            closed.end_point_sum,
            closed.middle_sum_even,
            lambda t, n, i: closed.middle_sum_odd(t, n, i) - closed.middle_sum_odd(t, n, 0),
        ),
    },
    note="This is what `m_end_point` and `m_middle` search for; it makes the repaired floor rules hold for every N.",
)
def closed_forms(quadratics: Any) -> Outcome:
    return sums_rise(quadratics)


def grr_thresholds(n: Any, odd: bool) -> tuple[Any, Any]:
    """From which t on the end point, and the middle row, have m = 1."""
    return (n - 1) * (n - 2) / 2, (n - 1) * (n - 3) / 4 if odd else (n - 2) ** 2 / 4


@PAPER.claim(
    "Section VI.B (closer to GRR)",
    r"'the BRR and BRR* mechanisms become closer to the GRR mechanism' as \epsilon grows: the row of an end point has m=1 iff e^\epsilon\ge(N-1)(N-2)/2, a middle row iff e^\epsilon\ge(N-2)^2/4 (N even) or (N-1)(N-3)/4 (N odd)",
    hypotheses="so BRR on 1..N is GRR from the smaller of the two thresholds on",
    formula=grr_thresholds,
    mutants={
        "N(N - 1)/2": lambda n, odd: (n * (n - 1) / 2, grr_thresholds(n, odd)[1]),
        "(N - 1)^2/4 for odd N": lambda n, odd: (
            grr_thresholds(n, odd)[0],
            (n - 1) ** 2 / 4 if odd else (n - 2) ** 2 / 4,
        ),
    },
    note="m = 1 iff (8) is not negative at i = 2, (9) and (10) at i = 3. At epsilon = 8 this is N <= 111.",
)
def grr_from(thresholds: Any) -> Outcome:
    return check_identities(
        {
            "(8) at 2": (closed.end_point_sum(T, N, 2), T - thresholds(N, False)[0]),
            "(9) at 3": (closed.middle_sum_even(T, N, 3), T - thresholds(N, False)[1]),
            "(10) at 3": (closed.middle_sum_odd(T, N, 3), T - thresholds(N, True)[1]),
        },
        "each sum is t minus its threshold",
        hypotheses=[T > 1, N >= 3],
    )


@PAPER.claim(
    "after (11) (printed m_1 <= printed m_2)",
    r"with the paper's own formulas, m_1=\lfloor i_{1r}\rfloor\le m_2 (i, or i+1 if i is even): the minimum is always at the end point",
    hypotheses="t > 1, N >= 3; the roots are ordered, see 'i_3r > i_1r [repaired]'. The formula: m_2, and where an odd m_2 lies with respect to "
    "the root. Replayed for N <= 200, t in {3/2, 2, 3, 4, 7/2, 9, 20, 55, 11/4}",
    formula=(closed.m_middle_printed, lambda m, root: sp.And(m - 1 <= root, root < m + 1)),
    mutants={
        "the true m of the middle row": (closed.m_middle, lambda m, root: sp.And(m < root, root <= m + 2)),
    },
    note="The conclusion follows from the printed formulas; it fails for the mechanism because the printed m_2 is wrong for even i.",
)
def printed_order(case: Any) -> Outcome:
    middle, place = case

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        first, second = closed.m_end_point_printed(t, n), middle(t, n)
        return None if first <= second else f"N = {n}, t = {t}: m_1 = {first}, m_2 = {second}"

    instances = check_family(((n, t) for n, t in sizes_and_levels() if n >= 3), failure, "3 <= N <= 200 at nine levels")
    end_root, middle_root = sp.symbols("r_1 r_2")
    first, half = sp.symbols("m_1 h", integer=True)
    second = 2 * half + 1
    order = check_implications(
        [end_root < middle_root, first <= end_root, end_root < first + 1, half >= 0, place(second, middle_root)],
        {"m_1 <= m_2": first <= second},
        "rounding keeps the order",
    )
    return replayed(both(order, roots_ordered(3)), instances)


@PAPER.claim(
    "Fig. 11 (slope of BRR in the limit)",
    r"m of BRR grows like N/(e^{\epsilon/2}+1): both roots lie within a constant of it; the slope falls as \epsilon grows",
    hypotheses="t = u^2 > 1, N >= 2; m_1, m_2 lie at most 2 below their roots",
    formula=lambda n, u: n / (u + 1),
    mutants={"N / (t + 1)": lambda n, u: n / (u**2 + 1), "N / u": lambda n, u: n / u},
)
def slope_in_the_limit(linear: Any) -> Outcome:
    roots = [T > 1, N >= 2, U > 1, sp.Eq(U**2, T)]
    half = sp.Rational(1, 2)
    end = check_implications(
        [*roots, END > 0, sp.Eq(END**2, END_SQUARE)],
        {"i_1r above": linear(N, U) + half < END_ROOT, "i_1r below": linear(N, U) + 1 > END_ROOT},
        "N/(u+1) + 1/2 < i_1r < N/(u+1) + 1",
    )
    middle = check_implications(
        [*roots, ODD > 0, sp.Eq(ODD**2, ODD_SQUARE)],
        {
            "i_3r above": linear(N, U) + 1 - U / (T - 1) < ODD_ROOT,
            "i_3r below": linear(N, U) + 1 > ODD_ROOT,
        },
        "i_3r within u/(t-1)",
    )
    larger = sp.Symbol("u2")
    falling = check_implications(
        [U > 1, larger > U, N >= 2], {"falls": linear(N, larger) < linear(N, U)}, "falls with epsilon"
    )
    return both(both(end, middle), falling)


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
    formula=lambda r: -((1 - r) ** 2) / 12,
    mutants={"(1 - 2r)^2": lambda r: -((1 - 2 * r) ** 2) / 12, "sign": lambda r: (1 - r) ** 2 / 12},
    note="With the loss, a negative numerator means that raising one more term lowers the loss.",
)
def star_slope(numerator: Any) -> Outcome:
    r = POSITIVE_SHARE
    t = 1 + (1 - 2 * r) / r**2  # r = 1/(u + 1), t = u^2
    level = average_distance()
    below = sp.integrate(level.subs(r, X), (X, 0, r))
    above = sp.integrate(level.subs(r, X), (X, r, 1))
    actual = (level * (t * r + 1 - r) - t * below - above).subs(r, SHARE)
    shares = [SHARE > 0, 2 * SHARE < 1]
    equal = check_identities(
        {"numerator": (actual, numerator(SHARE))}, "sympy integrates the sorted rows", hypotheses=shares
    )
    negative = check_implications(shares, {"negative": numerator(SHARE) < 0}, "negative for every epsilon > 0")
    return both(equal, negative)
