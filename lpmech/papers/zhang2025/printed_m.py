"""Section IV.D: how far the printed m = min(m_1, m_2) is off, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from lpmech.certify.checker import exp_bounds
from lpmech.errors import UndecidedError
from lpmech.mechanisms.bipartite_rr import closed_form as closed
from lpmech.papers.checking import both, check_every, check_family, check_implications, replayed
from lpmech.papers.zhang2025.paper import PAPER
from lpmech.papers.zhang2025.section_4d import sizes_and_levels
from lpmech.papers.zhang2025.section_4d_roots import roots_ordered
from lpmech.verdicts import Outcome


def printed(t: Any, n: int) -> int:
    """m as the paper prints it."""
    return min(closed.m_end_point_printed(t, n), closed.m_middle_printed(t, n))


@PAPER.claim(
    "m = min(m_1, m_2) (how far off)",
    r"the printed \min\{m_1,m_2\} is the m of Alg. 2 or exactly one too large, for every N and \epsilon",
    hypotheses="t > 1, N >= 3; r_1 and r_2 the right roots of (8) and of (9) or (10), r_1 < r_2: 'i_3r > i_1r [repaired]'; m of an end point is the last integer below r_1, that of a middle row the last odd one below r_2. The formula: printed less true value. "
    "Replayed for N <= 200, t in {3/2, 2, 11/4, 3, 4, 7/2, 9, 20, 55}",
    formula=lambda surplus: sp.And(surplus >= 0, surplus <= 1),
    mutants={
        "always right": lambda surplus: sp.Eq(surplus, 0),
        "always one too large": lambda surplus: sp.Eq(surplus, 1),
        "one too small or right": lambda surplus: sp.And(surplus >= -1, surplus <= 0),
        "two too large at times": lambda surplus: sp.Or(sp.Eq(surplus, 0), sp.Eq(surplus, 2)),
    },
    note="m_2 by itself is two too large where it is wrong, but the minimum then is the printed m_1, one more than the true m_2. With m one too large a row of utility at a tie loses nothing, another one does: see 'm_2 (odd or even)'.",
)
def how_far(surplus: Any) -> Outcome:
    first, second = sp.symbols("r_1 r_2")
    end, end_printed, middle, middle_printed = sp.symbols("m_1 f_1 m_2 f_2", integer=True)
    bounds = {
        "m_1 is f_1 or f_1 - 1": sp.And(end_printed - 1 <= end, end <= end_printed),
        "f_1 <= f_2": end_printed <= middle_printed,
        "m_2 >= f_1 - 1": middle >= end_printed - 1,
    }
    at_end = [end < first, first <= end + 1, end_printed <= first, first < end_printed + 1]
    in_middle = [
        first < second,
        middle < second,
        second <= middle + 2,
        middle_printed - 1 <= second,
        second < middle_printed + 1,
    ]
    rounded = reduce(
        both,
        (
            check_implications(given, {name: bounds[name]}, "rounding of two roots in this order")
            for given, name in (
                (at_end, "m_1 is f_1 or f_1 - 1"),
                ([end_printed <= first, *in_middle], "f_1 <= f_2"),
                ([end_printed <= first, *in_middle], "m_2 >= f_1 - 1"),
            )
        ),
    )
    minimum = check_implications(
        list(bounds.values()),
        {"printed less true": surplus(sp.Min(end_printed, middle_printed) - sp.Min(end, middle))},
        "and the smaller of each",
    )

    def failure(case: tuple[int, Fraction]) -> str | None:
        n, t = case
        found, right = printed(t, n), closed.m_integers(t, n)
        return (
            None
            if surplus(sp.Integer(found - right)) == sp.true
            else f"N = {n}, t = {t}: printed {found}, right {right}"
        )

    family = check_family(((n, t) for n, t in sizes_and_levels() if n >= 3), failure, "3 <= N <= 200 at nine levels")
    return replayed(both(both(rounded, minimum), roots_ordered(3)), family)


#: e^epsilon is rounded outwards to multiples of 1 / SCALE.
SCALE = 10**9
#: epsilon -> for how many N of 3..200 the printed m is one too large.
WRONG: Mapping[str, int] = {"1": 50, "3": 51, "5": 49}


@PAPER.claim(
    "m = min(m_1, m_2) (how often off)",
    r"at the budgets \epsilon=1,3,5 of Fig. 11 the printed m is one too large for 50, 51 and 49 of the 198 sizes N=3,\dots,200",
    hypotheses="|i - j| on 1..N; e^epsilon enclosed by rationals at both ends of which all values agree",
    formula=WRONG,
    mutants={f"one more at {budget}": {**WRONG, budget: count + 1} for budget, count in WRONG.items()},
    note="e^epsilon is irrational there, so r_1 is no integer and the printed m_1 is right: the whole error is the parity of m_2, in one size out of four. N = 20 at epsilon = 3 is among them.",
)
def how_often(claimed: Mapping[str, int]) -> Outcome:
    def failure(budget: str) -> str | None:
        low, high = exp_bounds(Fraction(budget))
        ends = Fraction(low * SCALE // 1, SCALE), Fraction(-(-high * SCALE // 1), SCALE)
        wrong = []
        for n in range(3, 201):
            values = {
                (printed(t, n), closed.m_end_point_printed(t, n), closed.m_integers(t, n), closed.m_end_point(t, n))
                for t in ends
            }
            if len(values) > 1:
                raise UndecidedError(f"N = {n}, epsilon = {budget}: e^epsilon is not told apart from a threshold")
            found, end_printed, right, end = values.pop()
            if end_printed != end:
                return f"N = {n}, epsilon = {budget}: m_1 is printed as {end_printed}, right is {end}"
            if found != right:
                wrong.append(n)
        if len(wrong) == claimed[budget]:
            return None
        return f"epsilon = {budget}: wrong for {len(wrong)} sizes, N = {', '.join(map(str, wrong[:5]))}, ..."

    return check_every(claimed, failure, "all N from 3 to 200", "exact rational arithmetic")
