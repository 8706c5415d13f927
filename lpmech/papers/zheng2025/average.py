"""rho_avg and the radius: the best mean concentration for every theta, and the l-infinity radius of Example 4."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.claims import Parts
from lpmech.claims.checking import check_implications, check_reals
from lpmech.mechanisms.mean_concentration import best_mean_concentration, mean_concentration_duals
from lpmech.papers.zheng2025.balls import ball, rounds_to
from lpmech.papers.zheng2025.paper import PAPER, T
from lpmech.papers.zheng2025.program import best_mean

L, K, A, B, R, ROOT, U, V = sp.symbols("L k a b R w u v")


def fewer(length: Any, bins: Any, t: Any) -> Any:
    """k bins: a share k L of the true values has t / (t + k - 1) near it, the rest nothing."""
    return bins * length * t / (t + bins - 1)


def more(length: Any, bins: Any, t: Any) -> Any:
    """k + 1 bins: t / (t + k), and (t + 1) / (t + k) on the share (k + 1) L - 1 that lies near two of them."""
    return (t + length * (bins + 1) - 1) / (t + bins)


@PAPER.claim(
    "Section 4.3 (rho_avg, best mechanism)",
    r"for uniform x the largest mean concentration of an \epsilon-LDP mechanism on [0,1] is \max\left(\frac{kLt}{t+k-1},\frac{t+(k+1)L-1}{t+k}\right), L=2\theta, k=\lfloor 1/L\rfloor",
    hypotheses="k <= 1/L < k + 1. Attained: k-RR on values with disjoint balls, or (k+1)-RR on values whose balls cover [0, 1], at most two at a place. No mechanism has more: duals of period L, low on [0, w), high on [w, L), w = 1 - k L, with t L - (t-1) g = V for the integral g over a period, V = k g + w low their total and 0 <= low, high <= 1 (lpmech.mechanisms.mean_concentration)",
    given=[T > 1, K >= 1, L > 0, K * L <= 1, (K + 1) * L > 1],
    evidence="duals in [0, 1], and both sides equal",
    replay="exact optimum of the program on n = 2..9 points, L = (2m+1)/n, t = 3/2, 4",
    formula=(fewer, more),
    mutants={
        "k bins only": (fewer, fewer),
        "k + 1 bins only": (more, more),
        "the concave bound t L/(1 + (t-1) L)": (lambda length, k, t: t * length / (1 + (t - 1) * length),) * 2,
    },
    note="The paper's Application 1 asks which mechanism is best; for the mean over x it is k-RR on bins at every theta and epsilon, not PM. The second number wins iff t L > ((k+1) L - 1)(t + k - 1); at L = 1/k both bins and balls fit and it is t/(t+k-1).",
)
def best_average(formula: Any) -> Parts:
    grids = [(size, steps) for size in range(2, 10) for steps in range((size + 1) // 2) if (size, steps) != (9, 0)]
    for (size, steps), t in product(grids, (Fraction(3, 2), Fraction(4))):
        share, level = Fraction(2 * steps + 1, size), PrivacyLevel.from_ratio(t)
        bins, optimum, ours = int(1 / share), best_mean(size, steps, t), best_mean_concentration(share, level)
        claimed = max(f(share, bins, t) for f in formula)
        low, high = mean_concentration_duals(share, level)
        total = bins * (share * high) + (1 - bins * share) * (low - bins * (high - low))
        good = optimum == ours == claimed == total and 0 <= low <= 1 and 0 <= high <= 1
        where = f"{size} points, {steps} steps, t = {t}"
        yield good or f"{where}: optimum {optimum}, ours {ours}, claimed {claimed}"
    low_bins, high_bins = (f(L, K, T) for f in formula)
    first, second = ((T * L - V) / (T - 1) for V in (low_bins, high_bins))
    rest, better = 1 - K * L, ((K + 1) * L - 1) * (T + K - 1) - T * L  # where k bins are no worse than k + 1
    yield "0 <= high with k bins", first >= 0
    yield "low <= 1 with k + 1 bins", second <= L
    yield "denominators", (T + K - 1) * (T + K) > 0
    yield "which is larger", ((low_bins - high_bins) * (T + K - 1) * (T + K), (T - 1) * better)
    yield "high <= 1 where k bins are", (L - rest - first, better / (T + K - 1))
    yield "low >= 0 where k + 1 bins are", (second - (L - rest), -better / (T + K))
    yield "total of the duals, k bins", (K * first, low_bins)
    yield "total of the duals, k + 1 bins", (K * second + second - (L - rest), high_bins)
    yield "value of k bins", (low_bins, K * L * T / (T + K - 1))
    yield "value of k + 1 bins", (high_bins, T / (T + K) + ((K + 1) * L - 1) / (T + K))
    yield "a place near two of them", (2 * T / (T + K) - (T - 1) / (T + K), (T + 1) / (T + K))


@PAPER.claim(
    "Example 4 (l-infinity radius)",
    r"the \ell_\infty radius at (x,y), which Def. 3 asks for, is \frac12\left(\sqrt{2R^2-(a-b)^2}-a-b\right), a=|x+1|, b=|y+1|: at (0.5,0.5) \sqrt{2(\ln 2+1)}-\frac32=0.340",
    hypotheses="a point inside the circle of 'Example 4 (boundary)', centre (-1, -1). Within the radius no point crosses the circle, and the corner away from the centre lies on it; it is at least (R - sqrt(a^2 + b^2))/sqrt 2, with equality iff a = b",
    given=[A >= 0, B >= 0, R > 0, A**2 + B**2 < R**2, ROOT > 0, sp.Eq(ROOT**2, 2 * R**2 - (A - B) ** 2)],
    evidence="the corner",
    formula=lambda a, b, root: (root - a - b) / 2,
    mutants={"a alone": lambda a, b, root: (root - 2 * a) / 2},
    note="The example computes the l2 radius and its footnote the lower bound l2/sqrt 2. On the diagonal, where x_0 = (0.5, 0.5) lies, that bound is the l-infinity radius itself; elsewhere inside the circle it is smaller.",
)
def quadratic_radius(formula: Any) -> Parts:
    side, square = ball("3/2"), 4 * (ball(2).log() + 1)
    yield check_reals(rounds_to(formula(side, side, (2 * square).sqrt()), "0.340"), "at (0.5, 0.5)")
    radius, place = formula(A, B, ROOT), [A >= 0, B >= 0, R > 0, ROOT > 0, sp.Eq(ROOT**2, 2 * R**2 - (A - B) ** 2)]
    yield "positive", radius > 0
    yield "the corner is on it", sp.Eq((A + radius) ** 2 + (B + radius) ** 2, R**2)
    near_point = [A**2 + B**2 < R**2, U <= radius, U >= -radius, V <= radius, V >= -radius]
    inner = {"no point beyond the circle": (A + U) ** 2 + (B + V) ** 2 <= R**2}
    yield check_implications([*place, *near_point], inner, "inside")
    total, gap, far, near = sp.symbols("m e P N")  # a + b, a - b, sqrt 2 R, sqrt 2 times the distance from the centre
    lengths = [total >= 0, ROOT > 0, near >= 0, far > near]
    squares = [*lengths, sp.Eq(far**2, ROOT**2 + gap**2), sp.Eq(near**2, total**2 + gap**2)]
    on_it = sp.And(sp.Eq(far, ROOT), sp.Eq(near, total))
    sides = {"w < P off the diagonal": sp.Implies(sp.Ne(gap, 0), far > ROOT), "m <= N": total <= near}
    yield check_implications(squares, sides | {"w = P, m = N on it": sp.Implies(sp.Eq(gap, 0), on_it)}, "sides")
    # the footnote's bound against ours: (w - m)(w + m) = (P - N)(P + N)
    ours, bound = 2 * formula((total + gap) / 2, (total - gap) / 2, ROOT), far - near
    beside = [*lengths, near >= total, far >= ROOT, sp.Eq(ROOT**2 - total**2, far**2 - near**2)]
    footnote = {
        "more than the footnote's bound off the diagonal": sp.Implies(far > ROOT, ours > bound),
        "as much on it": sp.Implies(on_it, sp.Eq(ours, bound)),
    }
    yield check_implications(beside, footnote, "(w - m)(w + m) = (P - N)(P + N)")
