"""Appendix C.2: PM, SW, the exponential mechanism and k-RR as defined there, and the shapes of their curves."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import both, check_identities, check_implications, sharp
from lpmech.mechanisms import even_grid
from lpmech.papers.checks import row_of_two, sampled, unit
from lpmech.papers.zheng2025.paper import (
    EPSILON,
    PAPER,
    THETA,
    T,
    X,
    centred,
    distance,
    pm_shape,
    sw_shape,
    two_densities,
)
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

S, C, P, K, Y, OTHER, N_1, N_2, M_1, M_2 = tm.symbols("s C p k y z n_1 n_2 m_1 m_2")
QUARTER = tm.Rational(1, 4)
#: Density, half-width and e^epsilon of PM with s = e^(epsilon/2), and of SW with t, epsilon as independent symbols.
PM_SHAPE, SW_SHAPE = pm_shape(S), sw_shape(EPSILON, T)


def _same_mechanism(formula: Any, density: Any, length: Any, rescaled: Any, given: list[Any]) -> tuple[Outcome, ...]:
    """The two readings of 'normalized': the shape of the published mechanism, and the mechanism itself."""
    high, half, start = formula
    sides = {"density": (high, density), "window length": (2 * half, length)}
    rescaled_start = {"the rescaled window starts at (1 - 2C) x": tm.Eq(rescaled, (1 - length) * X)}
    same_start = {"start of the window": tm.Eq(start(X, C), (1 - 2 * C) * X)}
    linear = check_implications([*given, *unit(X)], rescaled_start)
    place = check_implications([C > 0, QUARTER > C, *unit(X)], same_start)
    return check_identities(sides, hypotheses=given), both(linear, place)


@PAPER.claim(
    "C.2.1 (PM normalized)",
    r"the original PM on $[-1,1]\to[-C_\epsilon,C_\epsilon]$ can be 'normalized' to Def. 11 with the same privacy parameter",
    hypotheses=r"original (Wang et al. 2019): $c = (s + 1)/(s - 1)$, density $(s^2 - s)/(2 s + 2)$ on a window of length $c - 1$ that starts at $((c + 1) y - (c - 1))/2$; $s = e^{\epsilon/2} > 1$; "
    r"input and output rescaled linearly to $[0, 1]$, $x \in [0, 1]$, $0 < C < 1/4$",
    consequence="wording",
    readings={"same density and length of the window": "proved", "the same mechanism after rescaling": "refuted"},
    kind="remark",
    formula=(*PM_SHAPE[:2], centred),
    mutants={"C for 2C": (S, 2 * PM_SHAPE[1], centred)},
    note="Density and length agree, but the rescaled window starts at $(1 - 2C) x$, so it is not centred at $x$ (at $x = 0.3$ it lies to the right), and the original's unbiasedness is gone. "
    "Def. 11 is a new mechanism with the level of PM.",
)
def pm_normalized(formula: Any) -> tuple[Outcome, ...]:
    c = (S + 1) / (S - 1)
    rescaled = (((c + 1) * (2 * X - 1) - (c - 1)) / 2 + c) / (2 * c)
    return _same_mechanism(formula, (S**2 - S) / (2 * S + 2) * 2 * c, (c - 1) / (2 * c), rescaled, [S > 1])


@PAPER.claim(
    "C.2.1 (SW normalized)",
    r"the original SW on $[0,1]\to[-b,1+b]$ can be 'normalized' to Def. 12 with the same privacy parameter",
    hypotheses=r"original (Li et al. 2020): $b = (\epsilon t - t + 1)/(2 t (t - 1 - \epsilon))$, density $t/(2 b t + 1)$ on $[x - b, x + b]$; output rescaled linearly to $[0, 1]$; $t$, $\epsilon$ as "
    r"independent symbols with $\epsilon > 0$, $t > 1 + \epsilon$, $\epsilon t - t + 1 > 0$; $x \in [0, 1]$, $0 < C < 1/4$",
    consequence="wording",
    readings={"same density and length of the window": "proved", "the same mechanism after rescaling": "refuted"},
    kind="remark",
    formula=(*SW_SHAPE[:2], centred),
    mutants={"C for 2C": (SW_SHAPE[0], 2 * SW_SHAPE[1], centred)},
    note="As for PM: density and length agree, the place of the window does not.",
)
def sw_normalized(formula: Any) -> tuple[Outcome, ...]:
    b = (EPSILON * T - T + 1) / (2 * T * (T - 1 - EPSILON))
    width = 1 + 2 * b
    given = [EPSILON > 0, T > 1 + EPSILON, EPSILON * T - T + 1 > 0]
    return _same_mechanism(formula, T / (2 * b * T + 1) * width, 2 * b / width, X / width, given)


@PAPER.claim(
    "Def. 11 (normalised)",
    r"the density of PM integrates to one: $2Cp+(1-2C)p/e^\epsilon=1$",
    hypotheses=r"$s = e^{\epsilon/2}$",
    given=[S > 1],
    formula=PM_SHAPE,
)
@PAPER.claim(
    "Def. 12 (normalised)",
    r"the density of SW integrates to one",
    hypotheses=r"$t$ and $\epsilon$ as independent symbols",
    given=[T > 1, EPSILON > 0],
    formula=SW_SHAPE,
)
def normalised(formula: Any) -> Relations:
    high, half, t = formula
    return {"mass": (two_densities(2 * half, 1, high, t), 1)}


BRANCHES = {
    "x in [0, C)": (tm.And(X >= 0, X < C), tm.Rational(0), 2 * C),
    "x in [C, 1 - C]": (tm.And(X >= C, X <= 1 - C), X - C, X + C),
    "otherwise": (tm.And(X > 1 - C, X <= 1), 1 - 2 * C, tm.Rational(1)),
}


@PAPER.claim(
    "Def. 11 (intervals)",
    "$[l,r]$ is $[0,2C]$, $x+[-C,C]$ or $(1-2C,1]$: inside $[0,1]$, with $x$ in it, of length $2C$ for every $x$",
    hypotheses="the end point $1 - 2C$ left out in the third case does not matter",
    given=[C > 0, QUARTER >= C],
    formula=BRANCHES,
    mutants={"x + [-C, C] throughout": {"all": (tm.And(X >= 0, X <= 1), X - C, X + C)}},
)
def intervals(branches: Any) -> Parts:
    for name in each("case", branches):
        case, left, right = branches[name]
        window = tm.And(tm.Eq(right - left, 2 * C), tm.Eq(left, centred(X, C)))
        yield name, tm.Implies(case, tm.And(left >= 0, right <= 1, left <= X, right >= X, window))
    cases = [case for case, _, _ in branches.values()]
    yield "every x", tm.Implies(tm.And(X >= 0, X <= 1), tm.Or(*cases))
    yield "one case only", tm.And(*(tm.Not(tm.And(*pair)) for pair in combinations(cases, 2)))


@PAPER.claim(
    "C.2.1 (level of PM and SW)",
    r"both are $\epsilon$-LDP, and exactly so: $2C\le 1-2C$, so some output has $p$ from $x=0$ and $p/e^\epsilon$ from $x=1$",
    hypotheses=r"PM: $s > 1$. SW: $t > 1$, $\epsilon > 0$, $t = e^\epsilon$ by the two facts $\sinh \epsilon \ge \epsilon$, as $2 \epsilon \le t - 1/t$, and $1 - 1/t < \epsilon$",
    kind="remark",
    formula=(PM_SHAPE[1], SW_SHAPE[1]),
)
def level(halves: Any) -> Parts:
    sinh = [T > 1, EPSILON > 0, 2 * EPSILON <= T - 1 / T, EPSILON > 1 - 1 / T]
    shapes = {"PM": (halves[0], PM_SHAPE, [S > 1]), "SW": (halves[1], SW_SHAPE, sinh)}
    for name in each("mechanism", shapes):
        half, (high, _, t), given = shapes[name]
        normal = {"mass one": tm.Eq(two_densities(2 * half, 1, high, t), 1)}
        yield given, {"0 < C": half > 0, "C <= 1/4": half <= QUARTER, **normal}


@PAPER.claim(
    "C.2.1 (two slopes)",
    r"$F(x+\theta)-F(x-\theta)$ is linear with two slopes, $\propto p_\epsilon$ for small $\theta$ and $\propto p_\epsilon/e^\epsilon$ for large",
    hypotheses="$x = 0.5$ as in Fig. 4; closer to an end there are up to four pieces",
    given=[P > 0, T > 1, C > 0, QUARTER >= C, THETA >= 0, tm.Rational(1, 2) >= THETA],
    kind="remark",
    formula=(2 * P, 2 * P / T),
)
def two_slopes(slopes: Any) -> Relations:
    first, second = slopes
    mass = two_densities(tm.Min(2 * THETA, 2 * C), 2 * THETA, P, T)
    return {
        "up to C": tm.Implies(THETA <= C, tm.Eq(mass, first * THETA)),
        "beyond C": tm.Implies(THETA >= C, tm.Eq(mass, first * C + second * (THETA - C))),
    }


@PAPER.claim(
    "C.2.2 (100 bins)",
    r"$[0,1]$ in 100 bins, 'i.e. the domain is $\mathcal{X}=\{0,0.01,0.02,\ldots,1\}$'",
    consequence="wording",
    readings={"$|X|$": "refuted", "intervals": "certified"},
    kind="remark",
    formula=100,
    hypotheses="the number of points, or the number of intervals between them",
    mutants={"99": 99, "102": 102},
    note="k-RR needs $|X|$, and 100 against 101 changes its numbers in the third digit.",
)
def hundred_bins(count: int) -> tuple[Outcome, ...]:
    points = len(even_grid(101))
    numbers = {"points": points, "intervals": points - 1}
    return tuple(sampled([Instance(f"number of {what}", n, "==", count)], what) for what, n in numbers.items())


@PAPER.claim(
    "Def. 13 (which outputs it favours)",
    r"with $d(x,\tilde{x})=|x-\tilde{x}|$ the probability of a value further away from $x$ decreases",
    family="points 0..k-1, k <= 7, e^(epsilon/(2 Delta)) = 3/2, 2, 3: exact, as the exponents are whole numbers",
    consequence="formula",
    headline=4,
    formula=lambda distance: distance,
    note=r"$\exp(\epsilon d / (2 \Delta d))$ grows with the score, so as printed the farthest value is the likeliest; the score must be $-|x - \tilde{x}|$.",
    repair=Repair(
        r"with $d(x,\tilde{x})=-|x-\tilde{x}|$ it decreases",
        formula=lambda distance: -distance,
        survivors={"distance -> distance + 1": "a shift of the score changes no probability"},
    ),
)
def favours(score: Any) -> Parts:
    for k, base in product(range(2, 8), map(Fraction, ("3/2", "2", "3"))):  # base: e^(epsilon / (2 Delta))
        for x, y, z in product(range(k), repeat=3):
            if abs(x - y) < abs(x - z):
                weights = [base ** score(abs(x - i)) for i in range(k)]
                near, far = weights[y] / sum(weights), weights[z] / sum(weights)
                where = f"points 0..{k - 1}, e^(epsilon/(2 Delta)) = {base}, x = {x}"
                yield Instance(f"{where}: Pr[{y}] against Pr[{z}]", near, ">", far)


PAPER.claim(
    "Def. 13 (sensitivity)",
    r"$\Delta d=\max|d(x,\tilde{x})-d(x,\tilde{x}')|=1$ for the absolute distance on $\mathcal{X}\subset[0,1]$ with both ends",
    hypotheses=r"$y = \tilde{x}$, $z = \tilde{x}'$",
    given=unit(X, Y, OTHER),
    formula=tm.Rational(1),
)(lambda most: sharp(distance(distance(X, Y), distance(X, OTHER)), most, tm.Eq(X, 0), tm.Eq(Y, 0), tm.Eq(OTHER, 1)))


SENSITIVITY = tm.symbol("Delta")


@PAPER.claim(
    "Def. 13 (private)",
    r"$\Pr\propto\exp(\epsilon d/(2\Delta d))$ with $\Delta d$ taken over outputs of one input is $\epsilon$-LDP",
    hypotheses=r"weights in $[1, s]$ after shifting each row into $[0, \Delta]$, $s = e^{\epsilon/2}$; $n_1$, $n_2$ two of them, $m_1$, $m_2$ the means of their rows; the scores $(\Delta, 0, \dots, 0)$ and $(0, \Delta, \dots, \Delta)$ of $k$ outputs come as near to the level as one likes",
    given=[S > 1, K >= 2, SENSITIVITY > 0, *(r for v in (N_1, N_2, M_1, M_2) for r in (v >= 1, v <= S))],
    formula=lambda base, delta: base ** (2 * delta),
    note=r"Usually the sensitivity is taken over inputs. This one works as well: after shifting each row into $[0, \Delta]$, numerators and sums both change by at most $e^{\epsilon/2}$.",
)
def exponential_private(allowed: Any) -> Parts:
    yield "n_1 / m_1 <= t n_2 / m_2", N_1 * M_2 <= allowed(S, 1) * N_2 * M_1
    top = S**SENSITIVITY
    one_against_many = top * (1 + (K - 1) * top) / (top + K - 1)
    yield "approached", (one_against_many, allowed(S, SENSITIVITY) - top * (top**2 - 1) / (top + K - 1))


PAPER.claim(
    "Def. 14",
    r"k-RR: $e^\epsilon/(|\mathcal{X}|-1+e^\epsilon)$ for $x$, $1/(|\mathcal{X}|-1+e^\epsilon)$ otherwise, is normalised and exactly $\epsilon$-LDP",
    hypotheses=r"$k = |\mathcal{X}|$",
    given=[K >= 2, T > 1],
    formula=lambda t, k: (t / (k - 1 + t), 1 / (k - 1 + t)),
)(lambda entries: row_of_two(entries(T, K), T, K))


@PAPER.claim(
    "C.2.2 (k-RR, two slopes)",
    r"k-RR's curve resembles PM's: slope $\propto e^\epsilon/(|\mathcal{X}|-1+e^\epsilon)$ for small $\theta$, $\propto 1/(|\mathcal{X}|-1+e^\epsilon)$ for larger",
    hypotheses=r"$t > 1$, $n \ge 3$ points, $x$ in the middle of the domain, spacing $h > 0$, $0 \le \theta$; mass as printed for points ($\theta < h$), or ($\theta \le 3 h/2$) spread evenly over bins of width $h$ around them",
    consequence="wording",
    readings={"mass spread over bins": "proved", "mass at points, as in Def. 14": "refuted"},
    kind="remark",
    formula=lambda t, n, h: (2 * t / ((n - 1 + t) * h), 2 / ((n - 1 + t) * h)),
    mutants={"exchanged": lambda t, n, h: (2 / ((n - 1 + t) * h), 2 * t / ((n - 1 + t) * h))},
    note=r"On points, as Def. 14 has it, the curve starts at $\Pr[M(x) = x] > 0$ and is a staircase: it has a jump, not a slope, at 0.",
)
def k_rr_slopes(slopes: Any) -> tuple[Outcome, ...]:
    n, h = tm.symbols("n h")
    (first, second), low = slopes(T, n, h), 1 / (n - 1 + T)
    given = [T > 1, n >= 3, h > 0, THETA >= 0]
    # bins: density t low / h within h / 2 of x, low / h in the two neighbouring bins
    spread = two_densities(tm.Min(2 * THETA, h), 2 * THETA, T * low / h, T)
    pieces = {
        "inside the bin": tm.Implies(h / 2 >= THETA, tm.Eq(spread, first * THETA)),
        "beyond": tm.Implies(h / 2 <= THETA, tm.Eq(spread, first * h / 2 + second * (THETA - h / 2))),
    }
    at_points = {"mass near 0": tm.Eq(T / (n - 1 + T), first * THETA)}
    return (
        check_implications([*given, 3 * h / 2 >= THETA], pieces),
        check_implications([*given, h > THETA], at_points),
    )


@PAPER.claim(
    "C.2.2 (Exponential, smooth curve)",
    r"'The concentration analysis $F(x+\theta)-F(x-\theta)$ of the Exponential mechanism results in a smooth curve'",
    hypotheses=r"score $-|x-\tilde{x}|$, points $h > 0$ apart, $x$ in the middle, $r = e^{-\epsilon h/2} < 1$; $W$ the sum of all weights, $u = r^j$ the weight of a point $j$ steps away; at $\theta = jh$ the two points $x \pm jh$ enter, each once. The formula is the mass that comes in",
    consequence="wording",
    readings={
        r"its steps get smaller, each $r$ times the one before": "proved",
        r"as a function of real $\theta$ it has no jumps": "refuted",
    },
    kind="remark",
    formula=lambda weight, total: 2 * weight / total,
    mutants={"the density at x": lambda weight, total: 2 / total + 0 * weight},
    note=r"On finitely many points the curve is a staircase, as k-RR's is ('C.2.2 (k-RR, two slopes)').",
)
def exponential_curve(step: Any) -> tuple[Outcome, ...]:
    weight, total, r = tm.symbols("u W r")
    given = [r > 0, r < 1, weight > 0, weight <= 1, total >= 1 + 2 * weight]
    now, after = step(weight, total), step(r * weight, total)
    smaller = {
        "two points enter": tm.Eq(now, 2 * weight / total),
        "r times": tm.Eq(after, r * now),
        "less": after < now,
    }
    return check_implications(given, smaller), check_implications(given, {"no jump": tm.Eq(now, 0)})
