"""Appendix C.2: PM, SW, the exponential mechanism and k-RR as defined there, and the shapes of their curves."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech import Channel
from lpmech.papers.checking import both, check_facts, check_family, check_identities, check_implications, replayed
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.paper import EPSILON, PAPER, THETA, T, X, distance

from lpmech.verdicts import Outcome, unclear

S, C, P = sp.symbols("s C p")
#: PM with s = e^(epsilon/2): density, half-width.
PM_SHAPE = (S, (S - 1) / (2 * S**2 - 2))
#: SW with t = e^epsilon and epsilon as independent symbols.
SW_SHAPE = ((T - 1) / EPSILON, (T * (EPSILON - 1) + 1) / (2 * (T - 1) ** 2))


#: The levels: s = e^(epsilon/2), or t = e^epsilon and epsilon.
LEVELS = [S > 1, T > 1, EPSILON > 0]


def centred(x: Any, c: Any) -> Any:
    """Left end of the window of Def. 11 and 12."""
    return sp.Min(sp.Max(x - c, 0), 1 - 2 * c)


@PAPER.claim(
    "C.2.1 (PM normalized)",
    r"the original PM on [-1,1]\to[-C_\epsilon,C_\epsilon] can be 'normalized' to Def. 11 with the same privacy parameter",
    hypotheses="original (Wang et al. 2019): c = (s + 1)/(s - 1), density (s^2 - s)/(2 s + 2) on a window of length c - 1 that starts at ((c + 1) y - (c - 1))/2; s = e^(epsilon/2); "
    "> 1; input and output rescaled linearly to [0, 1], x in [0, 1], 0 < C <= 1/4",
    consequence="wording", readings={"same density and length of the window": "proved", "the same mechanism after rescaling": "refuted",},
    formula=(*PM_SHAPE, centred),
    mutants={"density s^2": (S**2, PM_SHAPE[1], centred), "C for 2C": (S, 2 * PM_SHAPE[1], centred)},
    note="Density and length agree, but the rescaled window starts at (1 - 2C) x, so it is not centred at x (at x = 0.3 it lies to the right), and the original's unbiasedness is gone. "
    "Def. 11 is a new mechanism with the level of PM.",
)  # fmt: skip
def pm_normalized(formula: Any) -> Outcome:
    high, half, start = formula
    c = (S + 1) / (S - 1)
    y = 2 * X - 1
    rescaled = (((c + 1) * y - (c - 1)) / 2 + c) / (2 * c)
    return _same_mechanism(high, half, start, (S**2 - S) / (2 * S + 2) * 2 * c, (c - 1) / (2 * c), rescaled, [S > 1])


@PAPER.claim(
    "C.2.1 (SW normalized)",
    r"the original SW on [0,1]\to[-b,1+b] can be 'normalized' to Def. 12 with the same privacy parameter",
    hypotheses="original (Li et al. 2020): b = (epsilon t - t + 1)/(2 t (t - 1 - epsilon)), density t/(2 b t + 1) on [x - b, x + b]; output rescaled linearly to [0, 1]; t, epsilon as "
    "independent symbols with epsilon > 0, t > 1 + epsilon, epsilon t - t + 1 > 0; x in [0, 1], 0 < C <= 1/4",
    consequence="wording", readings={"same density and length of the window": "proved", "the same mechanism after rescaling": "refuted",},
    formula=(*SW_SHAPE, centred),
    mutants={"density t - 1": (T - 1, SW_SHAPE[1], centred), "C for 2C": (SW_SHAPE[0], 2 * SW_SHAPE[1], centred)},
    note="As for PM: density and length agree, the place of the window does not.",
)  # fmt: skip
def sw_normalized(formula: Any) -> Outcome:
    high, half, start = formula
    b = (EPSILON * T - T + 1) / (2 * T * (T - 1 - EPSILON))
    width = 1 + 2 * b
    hypotheses = [EPSILON > 0, T > 1 + EPSILON, EPSILON * T - T + 1 > 0]
    return _same_mechanism(high, half, start, T / (2 * b * T + 1) * width, 2 * b / width, X / width, hypotheses)


def _same_mechanism(
    high: Any, half: Any, start: Any, density: Any, length: Any, rescaled: Any, hypotheses: list[Any]
) -> Outcome:
    shape = check_identities(
        {"density": (high, density), "window length": (2 * half, length)}, "identity", hypotheses=hypotheses
    )
    moves = {"(1 - 2C) x": sp.Eq(rescaled, (1 - length) * X)}
    linear = check_implications([*hypotheses, X >= 0, X <= 1], moves, "the rescaled window starts at (1 - 2C) x")
    place = check_implications(
        [C > 0, sp.Rational(1, 4) >= C, X >= 0, X <= 1],
        {"start of the window": sp.Eq(start(X, C), (1 - 2 * C) * X)},
        "same start",
    )
    return unclear(
        {"same density and length of the window": shape, "the same mechanism after rescaling": both(linear, place)}
    )


@PAPER.claim(
    "Def. 11 (normalised)",
    r"the density of PM integrates to one: 2Cp+(1-2C)p/e^\epsilon=1",
    hypotheses="s = e^(epsilon/2) > 1",
    formula=(*PM_SHAPE, S**2),
    mutants={"p = e^epsilon": (S**2, PM_SHAPE[1], S**2), "C twice as large": (S, 2 * PM_SHAPE[1], S**2)},
)
@PAPER.claim(
    "Def. 12 (normalised)",
    r"the density of SW integrates to one",
    hypotheses="identity in t > 1 and epsilon > 0 as independent symbols",

    formula=(*SW_SHAPE, T),
    mutants={"p = (t - 1)/2": ((T - 1) / 2, SW_SHAPE[1], T), "epsilon + 1": (SW_SHAPE[0], (T * (EPSILON + 1) + 1) / (2 * (T - 1) ** 2), T)},
)  # fmt: skip
def normalised(formula: Any) -> Outcome:
    high, half, t = formula
    return check_identities({"mass": (2 * half * high + (1 - 2 * half) * high / t, 1)}, "identity", hypotheses=LEVELS)


BRANCHES = {
    "x in [0, C)": (sp.And(X >= 0, X < C), sp.Integer(0), 2 * C),
    "x in [C, 1 - C]": (sp.And(X >= C, X <= 1 - C), X - C, X + C),
    "otherwise": (sp.And(X > 1 - C, X <= 1), 1 - 2 * C, sp.Integer(1)),
}


@PAPER.claim(
    "Def. 11 (intervals)",
    r"[l,r] is [0,2C], x+[-C,C] or (1-2C,1]: inside [0,1], with x in it, of length 2C for every x",
    hypotheses="the end point 1 - 2C left out in the third case does not matter",
    formula=BRANCHES,
    mutants={
        "[0, C]": {**BRANCHES, "x in [0, C)": (BRANCHES["x in [0, C)"][0], sp.Integer(0), C)},
        "x + [-C, C] throughout": {"all": (sp.And(X >= 0, X <= 1), X - C, X + C)},
    },
)
def intervals(branches: Any) -> Outcome:
    conclusions = {}
    for name, (case, left, right) in branches.items():
        conclusions[name] = sp.Implies(
            case, sp.And(left >= 0, right <= 1, left <= X, right >= X, sp.Eq(right - left, 2 * C))
        )
    return check_implications([C > 0, sp.Rational(1, 4) >= C], conclusions, "three cases")


@PAPER.claim(
    "C.2.1 (level of PM and SW)",
    r"both are \epsilon-LDP, and exactly so: 2C\le 1-2C, so some output has p from x=0 and p/e^\epsilon from x=1",
    hypotheses="PM: s > 1. SW: t > 1, epsilon > 0, t = e^epsilon by the two facts sinh epsilon >= epsilon, as 2 epsilon <= t - 1/t, and 1 - 1/t < epsilon",
    formula=(PM_SHAPE[1], SW_SHAPE[1]),
    mutants={
        "windows of half the domain": (sp.Rational(1, 2) + 0 * S, SW_SHAPE[1]),
        "C twice as large": (PM_SHAPE[1], 2 * SW_SHAPE[1]),
    },
)
def level(halves: Any) -> Outcome:
    pm, sw = halves
    quarter = sp.Rational(1, 4)
    first = check_implications([S > 1], {"0 < C": pm > 0, "C <= 1/4": pm <= quarter}, "PM")
    second = check_implications(
        [T > 1, EPSILON > 0, 2 * EPSILON <= T - 1 / T, EPSILON > 1 - 1 / T],
        {"0 < C": sw > 0, "C <= 1/4": sw <= quarter},
        "SW",
    )
    return both(first, second)


@PAPER.claim(
    "C.2.1 (two slopes)",
    r"F(x+\theta)-F(x-\theta) is linear with two slopes, \propto p_\epsilon for small \theta and \propto p_\epsilon/e^\epsilon for large",
    hypotheses="x = 0.5 as in Fig. 4; closer to an end there are up to four pieces",
    formula=(2 * P, 2 * P / T),
    mutants={"half": (P, P / T), "exchanged": (2 * P / T, 2 * P), "p / t^2": (2 * P, 2 * P / T**2)},
)
def two_slopes(slopes: Any) -> Outcome:
    first, second = slopes
    near = sp.Min(2 * THETA, 2 * C)
    mass = near * P + (2 * THETA - near) * P / T
    small, large = (
        sp.Implies(THETA <= C, sp.Eq(mass, first * THETA)),
        sp.Implies(THETA >= C, sp.Eq(mass, first * C + second * (THETA - C))),
    )
    hypotheses = [P > 0, T > 1, C > 0, sp.Rational(1, 4) >= C, THETA >= 0, sp.Rational(1, 2) >= THETA]
    return check_implications(hypotheses, {"up to C": small, "beyond C": large}, "two pieces")


@PAPER.claim(
    "C.2.2 (100 bins)",
    r"[0,1] in 100 bins, 'i.e. the domain is \mathcal X=\{0,0.01,0.02,\ldots,1\}'",
    consequence="wording",
    readings={
        "|X|": "refuted",
        "intervals": "certified",
    },
    formula=100,
    hypotheses="the number of points, or the number of intervals between them",
    mutants={"99": 99, "102": 102},
    note="k-RR needs |X|, and 100 against 101 changes its numbers in the third digit.",
)
def hundred_bins(count: int) -> Outcome:
    points = [Fraction(i, 100) for i in range(101)]
    return unclear(
        {
            "|X|": check_facts([(len(points) == count, f"{len(points)} points, not {count}")], "points"),
            "intervals": check_facts(
                [(len(points) - 1 == count, f"{len(points) - 1} intervals, not {count}")], "intervals"
            ),
        }
    )


#: e^(epsilon h / (2 Delta)) for neighbouring points at distance h.
BASES = (Fraction(3, 2), Fraction(2), Fraction(3))


@PAPER.claim(
    "Def. 13 (which outputs it favours)",
    r"with d(x,\tilde x)=|x-\tilde x| the probability of a value further away from x decreases",
    hypotheses="points 0..k-1, k <= 5, e^(epsilon/(2 Delta)) = 3/2, 2, 3: exact, as the exponents are whole numbers",
    consequence="formula",
    headline=4,
    recorded="refuted",
    formula=lambda distance: distance,
    mutants={"squared": lambda distance: distance**2, "constant": lambda distance: 0 * distance},
    note="exp(epsilon d / (2 Delta d)) grows with the score, so as printed the farthest value is the likeliest; the score must be -|x - x~|.",
    repair=Repair(
        r"with d(x,\tilde x)=-|x-\tilde x| it decreases",
        hypotheses="points 0..k-1, k <= 5, e^(epsilon/(2 Delta)) = 3/2, 2, 3",
        recorded="certified",
        formula=lambda distance: -distance,
        mutants={"as printed": lambda distance: distance},
    ),
)
def favours(score: Any) -> Outcome:
    def failure(case: tuple[int, Fraction]) -> str | None:
        k, base = case
        for x in range(k):
            weights = [base ** score(abs(x - y)) for y in range(k)]
            for y, z in product(range(k), repeat=2):
                if abs(x - y) < abs(x - z) and weights[y] <= weights[z]:
                    total = sum(weights)
                    return f"points 0..{k - 1}, base {base}, x = {x}: Pr[{y}] = {weights[y] / total}, Pr[{z}] = {weights[z] / total}"
        return None

    return check_family(product(range(2, 6), BASES), failure, "k <= 5")


@PAPER.claim(
    "Def. 13 (sensitivity)",
    r"\Delta d=\max|d(x,\tilde x)-d(x,\tilde x')|=1 for the absolute distance on \mathcal X\subset[0,1] with both ends",
    hypotheses="x, x~, x~' in [0, 1]",
    formula=sp.Integer(1),
    mutants={"1/2": sp.Rational(1, 2), "2": sp.Integer(2)},
)
def score_sensitivity(largest: Any) -> Outcome:
    y, z = sp.symbols("y z")
    unit = [r for v in (X, y, z) for r in (v >= 0, v <= 1)]
    gap = distance(distance(X, y), distance(X, z))
    attained = sp.Implies(sp.And(sp.Eq(X, 0), sp.Eq(y, 0), sp.Eq(z, 1)), gap >= largest)
    return check_implications(unit, {"at most": gap <= largest, "attained": attained}, "both directions")


@PAPER.claim(
    "Def. 13 (private)",
    r"\Pr\propto\exp(\epsilon d/(2\Delta d)) with \Delta d taken over outputs of one input is \epsilon-LDP",
    hypotheses="weights in [1, s] after shifting each row into [0, Delta], s = e^(epsilon/2) > 1; n_1, n_2 two of them, m_1, m_2 the means of their rows; replayed on all 2 x 2 and 2 x 3 "
    "scores 0..2, e^(epsilon/(2 Delta)) = 3/2, 2, 3",

    formula=lambda base, delta: base ** (2 * delta),
    mutants={
        "half the budget": lambda base, delta: base**delta,
        "a third": lambda base, delta: base ** (2 * delta // 3),
    },
    note="Usually the sensitivity is taken over inputs. This one works as well: after shifting each row into [0, Delta], numerators and sums both change by at most e^(epsilon/2).",
)  # fmt: skip
def exponential_private(allowed: Any) -> Outcome:
    def failure(case: tuple[tuple[tuple[int, ...], ...], Fraction]) -> str | None:
        scores, base = case
        delta = max(max(row) - min(row) for row in scores)
        rows = [[base**v for v in row] for row in scores]
        ratio = Channel([[v / sum(row) for v in row] for row in rows]).ratio
        return (
            None
            if ratio <= allowed(base, delta)
            else f"scores {scores}, base {base}: ratio {ratio} > {allowed(base, delta)}"
        )

    family = [
        (scores, base) for base in BASES for n in (2, 3) for scores in product(product(range(3), repeat=n), repeat=2)
    ]
    n_1, n_2, m_1, m_2 = sp.symbols("n_1 n_2 m_1 m_2")
    between = [r for v in (n_1, n_2, m_1, m_2) for r in (v >= 1, v <= S)]
    proof = check_implications(
        [S > 1, *between], {"n_1 / m_1 <= t n_2 / m_2": n_1 * m_2 <= allowed(S, 1) * n_2 * m_1}, "numerators and means"
    )
    return replayed(proof, check_family(family, failure, "small scores"))


K = sp.Symbol("k")


@PAPER.claim(
    "Def. 14",
    r"k-RR: e^\epsilon/(|\mathcal X|-1+e^\epsilon) for x, 1/(|\mathcal X|-1+e^\epsilon) otherwise, is normalised and exactly \epsilon-LDP",
    hypotheses="k >= 2 points",
    given=[K >= 2, T > 1],
    evidence="identities",
    formula=lambda t, k: (t / (k - 1 + t), 1 / (k - 1 + t)),
    mutants={
        "|X| in the denominator": lambda t, k: (t / (k + t), 1 / (k + t)),
        "t^2": lambda t, k: (t**2 / (k - 1 + t), 1 / (k - 1 + t)),
    },
)
def k_rr_definition(formula: Any) -> Relations:
    high, low = formula(T, K)
    return {"row sum": (high + (K - 1) * low, 1), "ratio": (high / low, T)}


@PAPER.claim(
    "C.2.2 (k-RR, two slopes)",
    r"k-RR's curve resembles PM's: slope \propto e^\epsilon/(|\mathcal X|-1+e^\epsilon) for small \theta, \propto 1/(|\mathcal X|-1+e^\epsilon) for larger",
    hypotheses="t > 1, n >= 3 points, x in the middle of the domain, spacing h > 0, 0 <= theta; mass as printed for points (theta < h), or (theta <= 3 h/2) spread evenly over bins of width h around them",
    consequence="wording", readings={"mass spread over bins": "proved", "mass at points, as in Def. 14": "refuted",},
    formula=lambda t, n, h: (2 * t / ((n - 1 + t) * h), 2 / ((n - 1 + t) * h)),
    mutants={"exchanged": lambda t, n, h: (2 / ((n - 1 + t) * h), 2 * t / ((n - 1 + t) * h)), "the same": lambda t, n, h: (2 / ((n - 1 + t) * h), 2 / ((n - 1 + t) * h))},
    note="On points, as Def. 14 has it, the curve starts at Pr[M(x) = x] > 0 and is a staircase: it has a jump, not a slope, at 0.",
)  # fmt: skip
def k_rr_slopes(slopes: Any) -> Outcome:
    n, h = sp.symbols("n h")
    first, second = slopes(T, n, h)
    low = 1 / (n - 1 + T)
    hypotheses = [T > 1, n >= 3, h > 0, THETA >= 0]
    # bins: density t low / h within h / 2 of x, low / h in the two neighbouring bins
    near = sp.Min(2 * THETA, h)
    spread = near * T * low / h + (2 * THETA - near) * low / h
    bins = check_implications(
        [*hypotheses, 3 * h / 2 >= THETA],
        {
            "inside the bin": sp.Implies(h / 2 >= THETA, sp.Eq(spread, first * THETA)),
            "beyond": sp.Implies(h / 2 <= THETA, sp.Eq(spread, first * h / 2 + second * (THETA - h / 2))),
        },
        "mass spread over bins",
    )
    points = check_implications(
        [*hypotheses, h > THETA], {"slope at 0": sp.Eq(T * low, first * THETA)}, "mass at points"
    )
    return unclear({"mass spread over bins": bins, "mass at points, as in Def. 14": points})
