"""What bounds utility, and what does not: classes, epsilon, dimension (Section 4.3); the best means on a grid and for every theta.

Beside the best mean the l-infinity radius of Example 4.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import isclose
from typing import Any

import numpy as np
from flint import arb

from lpmech import PrivacyLevel
from lpmech.applications.robustness import Box, rho_as_stated
from lpmech.claims import Instance, Parts, Relations, each
from lpmech.claims.checking import check_reals, check_sampled_reals
from lpmech.mechanisms import PM, even_grid, randomized_response
from lpmech.mechanisms.mean_concentration import best_mean_concentration, mean_concentration_duals
from lpmech.papers.checks import ball
from lpmech.papers.zheng2025.balls import masses, rounds_to
from lpmech.papers.zheng2025.paper import PAPER, THETA, T, two_densities
from lpmech.programs.optimal import optimal_channel
from lpmech.prove.steps import value as value_at
from lpmech.terms import functions as tm
from lpmech.utilities import concentration
from lpmech.verdicts import Outcome

S, HIGHER, LEFT, X, LENGTH, CLASSES, E, DIAGONAL = tm.symbols("s S a x L K E D")
#: (s / (s + 1))^d, the mass of the cube of windows, and the dimension.
MASS, DIMENSIONS = tm.symbols("g d")
K, A, B, ROOT, U, V = tm.symbols("k a b w u v")
#: R^2 of the circle of Example 4, by w = sqrt(2 R^2 - (a - b)^2).
SQUARE = (ROOT**2 + (A - B) ** 2) / 2
HALF_WINDOW = 1 / (2 * (S + 1))


def _pm(s: Fraction | int) -> PM:
    return PM(PrivacyLevel.from_ratio(s * s))


@PAPER.claim(
    "Section 7.2.1 (utility increases with epsilon)",
    r"under PM the concentration on a ball increases with $\epsilon$, for every $x$ and $\theta$",
    hypotheses=r"$s = e^{\epsilon/2} < S$, $L$ the length of the ball within $[0, 1]$: a ball around $x$ lies in the window or contains it ('Section 4.1.1 (piecewise, ball inside [0, 1])'; with one end cut off $0 < x \le C$ and $\theta \ge x$), so it has $\min(L s, 1 - (1 - L)/s)$",
    given=[S > 1, HIGHER > S, LENGTH > 0, LENGTH <= 1],
    replay="PM for x = 0, 0.05, ..., 0.5, theta = 0.05, 0.2, 0.45, s = 1.2, 2, 5, to 1e-12",
    formula=lambda length, s: tm.Min(length * s, 1 - (1 - length) / s),
    note=r"Of $\rho$ on a hyperrectangle it is not true: 'Section 7.2.1 (utility falls with epsilon)'.",
)
def ball_increases(mass: Any) -> Parts:
    for i, theta, s in product(range(11), map(Fraction, ("0.05", "0.2", "0.45")), map(Fraction, ("1.2", "2", "5"))):
        x = Fraction(i, 20)
        length = min(x + theta, Fraction(1)) - max(x - theta, Fraction(0))
        got, claimed = _pm(s).concentration(float(x), float(theta)), float(value_at(mass(length, s), {}))
        where = f"x = {x}, theta = {theta}, s = {s}"
        yield isclose(got, claimed, abs_tol=1e-12) or f"{where}: mass {got}, claimed {claimed}"
    less, more = mass(LENGTH, S), mass(LENGTH, HIGHER)
    yield "no less", less <= more
    yield "strictly, below length 1", tm.Implies(LENGTH < 1, less < more)
    inside = tm.Or(tm.And(X >= THETA, X + THETA <= 2 * HALF_WINDOW), X <= THETA)
    yield [S > 1, X >= 0, X <= HALF_WINDOW, THETA >= 0], {"inside the window, or containing it": inside}


@PAPER.claim(
    "Section 7.2.1 (utility falls with epsilon)",
    r"'both utilities increase with $\epsilon$' is no law: for $x\le 1/4$ and the box $[a,1]$, $0<a<x$, $\rho$ of PM is $1-a e^{\epsilon/2}$, which falls, for every $\epsilon$ up to $2\ln(1/(2x)-1)$",
    hypotheses=r"$s < S = e^{\epsilon/2}$: the window starts at 0 and has length $1/(s + 1) \ge 2x > a$, so what is lost is the mass $a s$ of $[0, a]$",
    given=[S > 1, HIGHER > S, LEFT > 0, X > LEFT, X <= HALF_WINDOW.at({S: HIGHER})],
    kind="ours",
    formula=lambda a, s: 1 - a * s,
    uses=["Section 5.1 (the functions)"],
    note=r"At $x = 0.1$ with the box $[0.05, 1]$ PM guarantees 0.95 as $\epsilon \to 0$ and 0.80 at $\epsilon = 2.77$: the more privacy is given up, the more mass the window moves next to the true value, on the wrong side of the boundary too. The records of Figs. 6 and 7 do not show it. "
    r"So the least $\epsilon$ for a utility requirement (Application 2) need not be where the curve first crosses.",
)
def box_falls(value: Any) -> Relations:
    return {
        "the window starts at 0": X <= HALF_WINDOW,
        "and reaches beyond $a$": 1 / (S + 1) > LEFT,
        "the mass of the box": tm.Eq(value(LEFT, S), two_densities(1 / (S + 1) - LEFT, 1 - LEFT, S, S**2)),
        "falls": value(LEFT, HIGHER) < value(LEFT, S),
    }


@PAPER.claim(
    "Section 4.3 (lower bound, d dimensions)",
    r"in every dimension $d$ the printed $(1-\omega)(1-\tau)\Pr[\mathcal{M}^d(x)\in B]$ is no bound: at $x=(1/2,\dots,1/2)$, $\theta=1/2$ the class may be preserved with probability $d/(s+1)$ only, $s=e^{\epsilon/2}$",
    hypotheses=r"PM in every dimension, whole $d$, $(s + 1)^d \ge 1/\tau$: the cube of the windows, side $1/(s + 1)$, is at most a $\tau$ fraction of $[0, 1]^d$ and is given another class; it has mass $g=(s/(s+1))^d \ge 1 - d/(s+1)$ (by induction), while the printed $\rho$ is $(1 - \omega)(1 - \tau)$",
    given=[S > 1, DIMENSIONS >= 1, MASS >= 0, MASS <= 1],
    replay="PM.mass and rho_as_stated for d = 1, 2, 5, 20 and the least s = 2^k allowed with d/(s+1) <= 1/4, omega = 1/20, tau = 1/100",
    kind="ours",
    formula=lambda d, s: d / (s + 1),
    note=r"The printed value stays at 0.9405 while the true one tends to 0 as $\epsilon$ grows. At $d = 2$, $\epsilon = 6$ (per dimension) the class is preserved with 0.0926. "
    r"The repair holds in $d$ dimensions: a $\tau$ fraction has at most $\tau|B|\max p = \tau(2\theta s)^d$.",
)
def many_dimensions(utility: Any) -> Parts:
    for d in (1, 2, 5, 20):
        s = next(2**k for k in range(1, 20) if (2**k + 1) ** d >= 100 and 4 * d <= 2**k + 1)
        mechanism, claimed = _pm(s), float(utility(d, Fraction(s)))
        low, high = (float(end) for end in mechanism.window(0.5))
        share, kept = (high - low) ** d, 1 - float(mechanism.mass(low, high, 0.5)) ** d
        stated = rho_as_stated([mechanism] * d, [0.5] * d, Box(np.zeros(d), np.ones(d)), omega=0.05, tau=0.01)
        where = f"d = {d}, s = {s}: share {share:.2g}, preserved {kept:.4f}"
        good = share <= 0.01 and kept <= claimed + 1e-12 and claimed < stated
        yield good or f"{where}, claimed {claimed:.4f}, printed {stated:.4f}"
    yield "d = 1", (1 - S / (S + 1), utility(tm.Rational(1), S))
    step = 1 - MASS * S / (S + 1) <= utility(DIMENSIONS + 1, S)
    yield "d + 1", tm.Implies(1 - MASS <= utility(DIMENSIONS, S), step)
    yield "mass of one window of length 1/(s + 1)", (tm.Rational(1) / (S + 1) * S, S / (S + 1))


@PAPER.claim(
    "Section 4.3 (label bound)",
    r"a classifier with $K$ classes, all taken, preserves some class with probability at most $E/(E+K-1)$, $E=e^{d\epsilon}$ the level of all features together, whatever mechanism and classifier; with K-RR on its classes it reaches it",
    hypotheses=r"one input of every class, $Q_{ij} = \Pr[h(M(x_i)) = j]$, private at the level $\ln E$ as post-processing of $M$; $Q_{jj} \le E Q_{ij}$ summed over $i \ne j$ and then over $j$: $(K - 1) D \le E (K - D)$, $D$ the sum of the $Q_{jj}$, $K$ times their least or mean",
    given=[CLASSES >= 2, E > 1],
    replay="exact optimum of the program for K = 2, 3, 4, E = 2, 4, 20, and the library's K-RR",
    kind="ours",
    formula=lambda e, k: e / (e + k - 1),
    note=r"So $\rho_{\mathrm{wor}}$ and, with classes of equal weight, $\rho_{\mathrm{avg}}$ cannot pass it. For two features at $\epsilon = 1$ each and two classes 0.881; the ten digits with 49 pixels at $\epsilon = 1/10$ each have at most 0.937.",
)
def label_bound(bound: Any) -> Parts:
    for k, e in product((2, 3, 4), (2, 4, 20)):
        level = PrivacyLevel.from_ratio(e)
        best = optimal_channel([[int(i == j) for j in range(k)] for i in range(k)], level).solve("exact").value
        own, claimed = min(randomized_response(k, level).matrix.diagonal()), Fraction(bound(Fraction(e), k))
        yield Instance(f"K = {k}, E = {e}: optimum, K-RR", (best, own), "==", (claimed, claimed))
    low = 1 / (E + CLASSES - 1)
    yield "K-RR", tm.Eq(bound(E, CLASSES), E * low)
    yield "a row", tm.Eq(E * low + (CLASSES - 1) * low, 1)
    summed = (CLASSES - 1) * DIAGONAL <= E * (CLASSES - DIAGONAL)
    traces = [CLASSES >= 2, E > 1, DIAGONAL >= 0, DIAGONAL <= CLASSES, summed]
    yield traces, {"the mean": bound(E, CLASSES) * CLASSES >= DIAGONAL}


@cache
def best_mean(size: int, steps: int, t: Fraction) -> Any:
    """Largest mean probability of releasing a point at most `steps` points away, exact."""
    return optimal_channel(concentration(size, steps), PrivacyLevel.from_ratio(t)).solve("exact").value


@PAPER.claim(
    "Concentration program (closed form)",
    r"on $k(2r+1)$ points with uniform prior the largest mean concentration within $r$ steps is $e^\epsilon/(e^\epsilon+k-1)$, that of k-RR on $k$ blocks of $2r+1$ points",
    hypotheses="exact optimum with exact duals. In general: points $2 r + 1$ apart have disjoint balls, as in 'Takeaway (program)', and the residue classes have $k$ points each",
    family="nine grids with k = 1..5, r = 0..3, t = 2, 7",
    kind="ours",
    formula=lambda t, k, r: t / (t + k - 1),
    mutants={"k-RR on the points": lambda t, k, r: (t + 2 * r) / (t + k * (2 * r + 1) - 1)},
)
def closed_form(value: Any) -> Parts:
    grids = ((2, 1), (1, 1), (2, 0), (3, 0), (3, 1), (2, 2), (4, 1), (1, 3), (5, 0))
    for (k, r), t in product(grids, (Fraction(2), Fraction(7))):
        best = best_mean(k * (2 * r + 1), r, t)
        yield Instance(f"k = {k}, r = {r}, t = {t}: optimum", best, "==", value(t, k, r))


def mean_concentrations(size: int, steps: int, t: int) -> dict[str, Any]:
    """Mean over x = 0, 1/(size - 1), ..., 1 of Pr[|M(x) - x| <= steps/(size - 1)] as balls."""
    points = even_grid(size)
    ends = [(points[max(k - steps, 0)], points[min(k + steps, size - 1)], x) for k, x in enumerate(points)]
    found = [masses(arb(t).log(), *place, size) for place in ends]
    return {name: sum((at[name] for at in found), arb(0)) / size for name in ("PM", "SW", "k-RR", "Exponential")}


@PAPER.claim(
    "Concentration program (published mechanisms)",
    r"PM, SW, k-RR and the exponential mechanism all stay below the optimum; PM by 5.7% to 38% of it",
    hypotheses=r"$K = 4$, 5, 7, 9, 11 points from 0 to 1, $r = 1$, 2 steps ($2 r + 1 < K$), $t = 4$, 9, 49, mean over the points, optimum exact. Outputs between the points do not help: no interval of length $2 \theta$ "
    "holds more than $2 r + 1$ points",
    recorded="certified",
    kind="ours",
    formula=("PM", "0.057", "0.38"),
    mutants={"k-RR": ("k-RR", "0.057", "0.38")},
    note="The best of the four changes: k-RR on 4 points, SW on 11 points with $r = 1$ and $t = 9$, PM on 11 points with $r = 2$.",
)
def published(case: Any) -> Outcome:
    name, least, most = case
    facts: dict[str, tuple[Any, Any]] = {}
    losses = []
    for size, r, t in each("K, r, t", product((4, 5, 7, 9, 11), (1, 2), (4, 9, 49))):
        if 2 * r + 1 >= size:
            continue
        best, values = ball(best_mean(size, r, Fraction(t))), mean_concentrations(size, r, t)
        where = f"K = {size}, r = {r}, t = {t}"
        facts |= {f"{other} below the optimum, {where}": (v, best) for other, v in each("mechanism", values.items())}
        losses.append(1 - values[name] / best)
        facts[f"{name} loses at least {least}, {where}"] = (ball(least), losses[-1])
        facts[f"{name} loses at most {most}, {where}"] = (losses[-1], ball(most))
    last, digit = (ball(Fraction(1, 10 ** len(end.partition(".")[2]))) for end in (least, most))
    facts["one more in the last place is not lost everywhere"] = (min(losses), ball(least) + last)
    facts["one less in the last place is passed somewhere"] = (ball(most) - digit, max(losses))
    return check_sampled_reals(facts, "24 settings, exact linear programs and ball arithmetic")


@PAPER.claim(
    "Section 4.3 (rho_avg, best mechanism)",
    r"for uniform $x$ the largest mean concentration of an $\epsilon$-LDP mechanism on $[0,1]$ is $\max(\frac{k L t}{t+k-1},\frac{t+(k+1)L-1}{t+k})$, $L=2\theta$, $k=\lfloor 1/L\rfloor$",
    hypotheses=r"$k \le 1/L < k + 1$. Attained: k-RR on values with disjoint balls, or ($k+1$)-RR on values whose balls cover $[0, 1]$, at most two at a place. No mechanism has more: duals of period $L$, low on $[0, w)$, high on $[w, L)$, $w = 1 - k L$, with $t L - (t-1) g = V$ for the integral $g$ over a period, $V = k g + w$ low their total and $0 \le$ low, high $\le 1$ (`lpmech.mechanisms.mean_concentration`)",
    given=[T > 1, K >= 1, LENGTH > 0, K * LENGTH <= 1, (K + 1) * LENGTH > 1],
    replay="exact optimum of the program on n = 2..9 points, L = (2m+1)/n, t = 3/2, 4",
    kind="ours",
    formula=(
        lambda length, k, t: k * length * t / (t + k - 1),
        lambda length, k, t: (t + length * (k + 1) - 1) / (t + k),
    ),
    note=r"The paper's Application 1 asks which mechanism is best; for the mean over $x$ it is k-RR on bins at every $\theta$ and $\epsilon$, not PM. The second number wins iff $t L > ((k+1) L - 1)(t + k - 1)$; at $L = 1/k$ both bins and balls fit and it is $t/(t+k-1)$.",
)
def best_average(formula: Any) -> Parts:
    grids = [
        (size, steps) for size in range(2, 10) for steps in range((size - 1) // 2, -1, -1) if (size, steps) != (9, 0)
    ]
    for (size, steps), t in product(grids, (Fraction(3, 2), Fraction(4))):
        share, level = Fraction(2 * steps + 1, size), PrivacyLevel.from_ratio(t)
        bins, optimum, ours = int(1 / share), best_mean(size, steps, t), best_mean_concentration(share, level)
        claimed = max(f(share, bins, t) for f in formula)
        low, high = mean_concentration_duals(share, level)
        total = bins * (share * high) + (1 - bins * share) * (low - bins * (high - low))
        within, where = 0 <= low <= 1 and 0 <= high <= 1, f"{size} points, {steps} steps, t = {t}"
        found = Instance(f"{where}: optimum, ours, total of the duals", (optimum, ours, total), "==", (claimed,) * 3)
        yield found if within else f"{where}: duals {low} and {high}"
    low_bins, high_bins = (f(LENGTH, K, T) for f in formula)
    first, second = ((T * LENGTH - V) / (T - 1) for V in (low_bins, high_bins))
    # better >= 0: where k bins are no worse than k + 1
    rest, better = 1 - K * LENGTH, ((K + 1) * LENGTH - 1) * (T + K - 1) - T * LENGTH
    yield "0 <= high with k bins", first >= 0
    yield "low <= 1 with k + 1 bins", second <= LENGTH
    yield "denominators", (T + K - 1) * (T + K) > 0
    yield "which is larger", ((low_bins - high_bins) * (T + K - 1) * (T + K), (T - 1) * better)
    yield "high <= 1 where k bins are", (LENGTH - rest - first, better / (T + K - 1))
    yield "low >= 0 where k + 1 bins are", (second - (LENGTH - rest), -better / (T + K))
    yield "total of the duals, k bins", (K * first, low_bins)
    yield "total of the duals, k + 1 bins", (K * second + second - (LENGTH - rest), high_bins)
    yield "value of k bins", (low_bins, K * LENGTH * T / (T + K - 1))
    yield "value of k + 1 bins", (high_bins, T / (T + K) + ((K + 1) * LENGTH - 1) / (T + K))
    yield "a place near two of them", (2 * T / (T + K) - (T - 1) / (T + K), (T + 1) / (T + K))


@PAPER.claim(
    "Example 4 (l-infinity radius)",
    r"the $\ell_\infty$ radius at $(x,y)$, which Def. 3 asks for, is $\frac{1}{2}(\sqrt{2R^2-(a-b)^2}-a-b)$, $a=|x+1|$, $b=|y+1|$: at $(0.5,0.5)$ $\sqrt{2(\ln 2+1)}-\frac{3}{2}=0.340$",
    hypotheses=r"a point inside the circle of 'Example 4 (boundary)', centre $(-1, -1)$; $w=\sqrt{2R^2-(a-b)^2}$, so that $R^2=(w^2+(a-b)^2)/2$. Within the radius no point crosses the circle, and the corner away from the centre lies on it; it is at least $(R - \sqrt{a^2 + b^2})/\sqrt{2}$, with equality iff $a = b$: $m=a+b$, $e=a-b$, $P=\sqrt{2}R$, $N=\sqrt{2(a^2+b^2)}$",
    given=[A >= 0, B >= 0, ROOT > 0, A**2 + B**2 < SQUARE],
    kind="ours",
    formula=lambda a, b, root: (root - a - b) / 2,
    note=r"The example computes the $l_2$ radius and its footnote the lower bound $l_2/\sqrt{2}$. On the diagonal, where $x_0 = (0.5, 0.5)$ lies, that bound is the $l$-infinity radius itself; elsewhere inside the circle it is smaller.",
)
def quadratic_radius(formula: Any) -> Parts:
    side, square = ball("3/2"), 4 * (ball(2).log() + 1)
    yield check_reals(rounds_to(formula(side, side, (2 * square).sqrt()), "0.340"), "at (0.5, 0.5)")
    radius = formula(A, B, ROOT)
    yield "positive", radius > 0
    yield "the corner is on the circle", tm.Eq((A + radius) ** 2 + (B + radius) ** 2, SQUARE)
    near_point = [U <= radius, U >= -radius, V <= radius, V >= -radius]
    beyond = {"no point beyond the circle": (A + U) ** 2 + (B + V) ** 2 <= SQUARE}
    yield [A >= 0, B >= 0, ROOT > 0, A**2 + B**2 < SQUARE, *near_point], beyond
    total, gap, far, near = tm.symbols("m e P N")  # as the hypotheses name them
    lengths = [total >= 0, ROOT > 0, near >= 0, far > near]
    squares = [*lengths, tm.Eq(far**2, ROOT**2 + gap**2), tm.Eq(near**2, total**2 + gap**2)]
    on_it = tm.And(tm.Eq(far, ROOT), tm.Eq(near, total))
    sides = {"w < P off the diagonal": tm.Implies(tm.Ne(gap, 0), far > ROOT), "m <= N": total <= near}
    yield squares, sides | {"w = P, m = N on it": tm.Implies(tm.Eq(gap, 0), on_it)}
    # the footnote's bound against ours: (w - m)(w + m) = (P - N)(P + N)
    ours, bound = 2 * formula((total + gap) / 2, (total - gap) / 2, ROOT), far - near
    beside = [*lengths, near >= total, far >= ROOT, tm.Eq(ROOT**2 - total**2, far**2 - near**2)]
    footnote = {
        "more than the footnote's bound off the diagonal": tm.Implies(far > ROOT, ours > bound),
        "as much on it": tm.Implies(on_it, tm.Eq(ours, bound)),
    }
    yield beside, footnote
