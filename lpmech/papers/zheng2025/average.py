"""rho_avg and the radius: the best mean concentration for every theta, and the l-infinity radius of Example 4."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.mean_concentration import best_mean_concentration, mean_concentration_duals
from lpmech.papers.checking import (
    both,
    check_family,
    check_identities,
    check_implications,
    check_reals,
    replayed,
    unless_refuted,
)
from lpmech.papers.zheng2025.paper import PAPER, T, ball, rounds_to
from lpmech.papers.zheng2025.program import best_mean
from lpmech.verdicts import Outcome

L, K = sp.symbols("L k")


def fewer(length: Any, bins: Any, t: Any) -> Any:
    """k bins: a share k L of the true values has t / (t + k - 1) near it, the rest nothing."""
    return bins * length * t / (t + bins - 1)


def more(length: Any, bins: Any, t: Any) -> Any:
    """k + 1 bins: t / (t + k), and (t + 1) / (t + k) on the share (k + 1) L - 1 that lies near two of them."""
    return (t + length * (bins + 1) - 1) / (t + bins)


def _grids() -> Iterator[tuple[int, int, Fraction]]:
    for size in range(2, 10):
        for steps in range((size + 1) // 2):
            if (size, steps) != (9, 0):
                yield from ((size, steps, t) for t in (Fraction(3, 2), Fraction(4)))


@PAPER.claim(
    "Section 4.3 (rho_avg, best mechanism)",
    r"for uniform x the largest mean concentration of an \epsilon-LDP mechanism on [0,1] is \max\left(\frac{kLt}{t+k-1},\frac{t+(k+1)L-1}{t+k}\right), L=2\theta, k=\lfloor 1/L\rfloor",
    hypotheses="t > 1, 0 < L <= 1, k <= 1/L < k + 1. Attained: k-RR on values with disjoint balls, or (k+1)-RR on values whose balls cover [0, 1], at most two at a place. No mechanism has more: duals of period L, "
    "low on [0, w), high on [w, L), w = 1 - k L, with t L - (t-1) g = V for the integral g over a period, V = k g + w low their total and 0 <= low, high <= 1 (lpmech.mechanisms.mean_concentration). Replayed against the exact optimum of the program on n = 2..9 points, L = (2m+1)/n, t = 3/2, 4",

    formula=(fewer, more),
    mutants={
        "k bins only": (fewer, fewer),
        "k + 1 bins only": (more, more),
        "the concave bound t L/(1 + (t-1) L)": (lambda length, k, t: t * length / (1 + (t - 1) * length),) * 2,
        "without the double cover": (fewer, lambda length, k, t: t / (t + k)),
    },
    note="The paper's Application 1 asks which mechanism is best; for the mean over x it is k-RR on bins at every theta and epsilon, not PM. The second number wins iff t L > ((k+1) L - 1)(t + k - 1); at L = 1/k both bins and balls fit and it is t/(t+k-1).",
)  # fmt: skip
def best_average(formula: Any) -> Outcome:
    low_bins, high_bins = (f(L, K, T) for f in formula)
    inside = [T > 1, K >= 1, L > 0, K * L <= 1, (K + 1) * L > 1]
    rest = 1 - K * L
    first, second = ((T * L - V) / (T - 1) for V in (low_bins, high_bins))
    better = ((K + 1) * L - 1) * (T + K - 1) - T * L  # where k bins are no worse than k + 1
    duals = check_implications(
        inside,
        {
            "0 <= high with k bins": first >= 0,
            "low <= 1 with k + 1 bins": second <= L,
            "denominators": (T + K - 1) * (T + K) > 0,
        },
        "duals in [0, 1]",
    )
    values = {
        "which is larger": ((low_bins - high_bins) * (T + K - 1) * (T + K), (T - 1) * better),
        "high <= 1 where k bins are": (L - rest - first, better / (T + K - 1)),
        "low >= 0 where k + 1 bins are": (second - (L - rest), -better / (T + K)),
        "total of the duals, k bins": (K * first, low_bins),
        "total of the duals, k + 1 bins": (K * second + second - (L - rest), high_bins),
        "value of k bins": (low_bins, K * L * T / (T + K - 1)),
        "value of k + 1 bins": (high_bins, T / (T + K) + ((K + 1) * L - 1) / (T + K)),
        "a place near two of them": (2 * T / (T + K) - (T - 1) / (T + K), (T + 1) / (T + K)),
    }
    equal = check_identities(values, "both sides", hypotheses=inside)

    def failure(case: tuple[int, int, Fraction]) -> str | None:
        size, steps, t = case
        share, level = Fraction(2 * steps + 1, size), PrivacyLevel.from_ratio(t)
        bins = int(1 / share)
        optimum, ours = best_mean(size, steps, t), best_mean_concentration(share, level)
        claimed = max(f(share, bins, t) for f in formula)
        low, high = mean_concentration_duals(share, level)
        total = bins * (share * high) + (1 - bins * share) * (low - bins * (high - low))
        good = optimum == ours == claimed == total and 0 <= low <= 1 and 0 <= high <= 1
        return (
            None
            if good
            else f"{size} points, {steps} steps, t = {t}: optimum {optimum}, ours {ours}, claimed {claimed}"
        )

    return replayed(both(duals, equal), check_family(_grids(), failure, "exact programs"))


A, B, R, ROOT, U, V = sp.symbols("a b R w u v")


@PAPER.claim(
    "Example 4 (l-infinity radius)",
    r"the \ell_\infty radius at (x,y), which Def. 3 asks for, is \frac12\left(\sqrt{2R^2-(a-b)^2}-a-b\right), a=|x+1|, b=|y+1|: at (0.5,0.5) \sqrt{2(\ln 2+1)}-\frac32=0.340",
    hypotheses="a, b >= 0, a^2 + b^2 < R^2: a point inside the circle of 'Example 4 (boundary)', centre (-1, -1); w = sqrt(2 R^2 - (a - b)^2). Within the radius no point crosses the circle, and the corner away from the centre lies on it; it is at least (R - sqrt(a^2 + b^2))/sqrt 2, with equality iff a = b",

    formula=lambda a, b, root: (root - a - b) / 2,
    mutants={
        "without the half": lambda a, b, root: root - a - b,
        "a alone": lambda a, b, root: (root - 2 * a) / 2,
        "plus": lambda a, b, root: (root + a - b) / 2,
        "half of it": lambda a, b, root: (root - a - b) / 4,
    },
    note="The example computes the l2 radius and its footnote the lower bound l2/sqrt 2. On the diagonal, where x_0 = (0.5, 0.5) lies, that bound is the l-infinity radius itself; elsewhere inside the circle it is smaller.",
)  # fmt: skip
def quadratic_radius(formula: Any) -> Outcome:
    radius = formula(A, B, ROOT)
    place = [A >= 0, B >= 0, R > 0, A**2 + B**2 < R**2, ROOT > 0, sp.Eq(ROOT**2, 2 * R**2 - (A - B) ** 2)]
    corner = check_implications(
        place,
        {"positive": radius > 0, "the corner is on it": sp.Eq((A + radius) ** 2 + (B + radius) ** 2, R**2)},
        "the corner",
    )
    side, square = ball("3/2"), 4 * (ball(2).log() + 1)
    number = check_reals(rounds_to(formula(side, side, (2 * square).sqrt()), "0.340"), "at (0.5, 0.5)")
    return unless_refuted(
        both(number, corner), lambda: both(both(number, corner), _inside_and_footnote(formula, place))
    )


def _inside_and_footnote(formula: Any, place: list[Any]) -> Outcome:
    """No point within the radius crosses the circle, and the footnote's bound is less but on the diagonal."""
    radius = formula(A, B, ROOT)
    ball_points = [U <= radius, U >= -radius, V <= radius, V >= -radius]
    inner = check_implications(
        [*place, *ball_points], {"no point beyond the circle": (A + U) ** 2 + (B + V) ** 2 <= R**2}, "inside"
    )
    total, gap, far, near = sp.symbols("m e P N")  # a + b, a - b, sqrt 2 R, sqrt 2 times the distance from the centre
    squares = [
        total >= 0,
        ROOT > 0,
        near >= 0,
        far > near,
        sp.Eq(far**2, ROOT**2 + gap**2),
        sp.Eq(near**2, total**2 + gap**2),
    ]
    sides = check_implications(
        squares,
        {"w < P off the diagonal": sp.Implies(sp.Ne(gap, 0), far > ROOT), "m <= N": total <= near, "w = P, m = N on it": sp.Implies(sp.Eq(gap, 0), sp.And(sp.Eq(far, ROOT), sp.Eq(near, total)))},
        "sides",
    )  # fmt: skip
    ours, bound = 2 * formula((total + gap) / 2, (total - gap) / 2, ROOT), far - near
    difference = [total >= 0, ROOT > 0, near >= total, far > near, sp.Eq(ROOT**2 - total**2, far**2 - near**2)]
    footnote = check_implications(
        [*difference, far >= ROOT],
        {
            "more than the footnote's bound off the diagonal": sp.Implies(far > ROOT, ours > bound),
            "as much on it": sp.Implies(sp.And(sp.Eq(far, ROOT), sp.Eq(near, total)), sp.Eq(ours, bound)),
        },
        "(w - m)(w + m) = (P - N)(P + N)",
    )
    return both(inner, both(sides, footnote))
