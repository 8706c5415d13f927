"""Appendix C.1: exact robustness of a quadratic classifier and of a small network."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_implications
from lpmech.papers.zheng2025.network import HALF, U, V, is_robust, network
from lpmech.papers.zheng2025.paper import PAPER, THETA
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

A, B, D, R = tm.symbols("a b d R")
#: ln 2.
LN2 = tm.symbol("L")


def printed_scores(u: Any, v: Any) -> tuple[Any, Any]:
    """Discriminants of Example 4; ln 4 = 2 ln 2 and ln 0.5 = -ln 2."""
    first = -HALF * (u**2 + v**2) - LN2
    second = -HALF * (HALF * (u - 1) ** 2 + HALF * (v - 1) ** 2) - HALF * 2 * LN2 - LN2
    return first, second


@PAPER.claim(
    "Example 4 (boundary)",
    r"$h_1-h_2=0$ is the circle with centre $(-1,-1)$ and radius $2\sqrt{\ln 2+1}$",
    hypotheses=r"the printed discriminants, every $(u, v)$; $L$ stands for $\ln 2$, any positive number",
    given=[LN2 > 0],
    formula=(-1, -1, 4 * (LN2 + 1)),
)
def circle(formula: Any) -> Relations:
    a, b, square = formula
    first, second = printed_scores(U, V)
    return {"h_1 - h_2": (first - second, (square - (U - a) ** 2 - (V - b) ** 2) / 4)}


@PAPER.claim(
    "Example 4 (radius)",
    r"the $\ell_2$ robustness radius at $x_0$ is $|R-\| x_0-(-1,-1)\||$, $R=2\sqrt{\ln 2+1}$",
    hypotheses="a circle of radius $R$ around 0 and a point at distance $d$ from it, here $(d, 0)$ by rotation",
    given=[R > 0, D >= 0],
    formula=lambda r, d: tm.Max(r - d, d - r),
)
def circle_radius(formula: Any) -> Relations:
    radius = formula(R, D)
    nearer = tm.Implies(tm.Eq(A**2 + B**2, R**2), radius**2 <= (A - D) ** 2 + B**2)
    return {
        "no point of the circle is nearer": nearer,
        "(R, 0) is as near": (R - D) ** 2 <= radius**2,
        "not negative": radius >= 0,
    }


@PAPER.claim(
    "Example 4 (footnote)",
    r"$\theta/\sqrt{2}$ is a lower bound of the $\ell_\infty$ radius when $\theta$ is the $\ell_2$ radius",
    hypotheses=r"two dimensions: a point with $|u|$, $|v| \le \theta / \sqrt{2}$ has length at most $\theta$, the corner just so",
    given=[THETA >= 0],
    formula=tm.Rational(2),
)
def footnote(divisor: Any) -> Relations:
    side = THETA**2 / divisor
    return {
        "inside the l2 ball": tm.Implies(tm.And(side >= U**2, side >= V**2), U**2 + V**2 <= THETA**2),
        "the corner is on it": tm.Eq(2 * side, THETA**2),
    }


@PAPER.claim(
    "Section C.1.2 (encoding)",
    r"if $x\in B_\theta(x_0)\wedge h_c(x)<h_i(x)$ for $i\ne c$ is unsatisfiable, $h$ gives class $c$ on $B_\theta(x_0)$",
    hypotheses="three classes with the scores $a$, $b$, $d$, $c = 1$; the class is the one with the largest score, ties to the smallest index",
    consequence="wording",
    readings={"for some $i$": "proved", "for all $i$": "refuted"},
    formula=lambda a, b, c: (a < b, a < c),
    mutants={"only one rival": lambda a, b, c: (a < b, a < b - 1)},
    note=r"If ties were broken towards another class, $h_c \le h_i$ would be needed.",
)
def encoding(violations: Any) -> tuple[Outcome, ...]:
    first, second = violations(A, B, D)
    unsatisfiable = (tm.Not(tm.Or(first, second)), tm.Not(tm.And(first, second)))
    return tuple(check_implications([it], {"class 1": tm.And(A >= B, A >= D)}) for it in each("reading", unsatisfiable))


PAPER.claim(
    "Example 5 (verification at 0.1)",
    "the network gives one class on $B_{0.1}(0.5,0.5)$, so that the verification problem for its class is unsatisfiable",
    hypotheses=r"the printed weights; the class at $(0.5, 0.5)$ is 2, so the unsatisfiable problem is $h_2 \le h_1$",
    formula=Fraction(1, 10),
    mutants={"radius 0.5": Fraction(1, 2)},
)(is_robust)


@PAPER.claim(
    "Example 5 (replicates Example 4)",
    "the network replicates the QDA classifier of Example 4: same class at $x_0=(0.5,0.5)$, class 1",
    hypotheses=r"scores at $(1/2, 1/2)$: $h_1 - h_2 = \frac{1}{4}(4(\ln 2 + 1) - 9/2) > 0$ for the quadratic one; compared also at the points $(i/10, j/10)$",
    every={"point": [(Fraction(1, 2),) * 2, *product((Fraction(i, 10) for i in range(11)), repeat=2)]},
    consequence="formula",
    formula=lambda scores: scores,
    note="The printed network has $h_1 = -4.35$ and $h_2 = 6.39$ there. Even with the two outputs exchanged its exact radius is 0.385, the circle's "
    "0.340.",
    repair=Repair(
        "with its two outputs exchanged the network agrees with the quadratic classifier at $(0.5,0.5)$, and at all $(i/10,j/10)$ but $(0.7,1)$, $(0.8,0.9)$, $(0.9,0.8)$, $(1,0.7)$",
        hypotheses="",
        formula=lambda scores: (scores[1], scores[0]),
        mutants={"always class 1": lambda scores: (1, 0)},
    ),
)
def replicates(order: Any) -> Parts:
    differing = {(7, 10), (8, 9), (9, 8), (10, 7)}
    for place in each("point"):
        first, second = (steps.value(score, {}) for score in order(network(*place)))
        quadratic = [score.at({LN2: tm.log(2)}) for score in printed_scores(*place)]
        expected = (int(10 * place[0]), int(10 * place[1])) not in differing
        apart = steps.shown(quadratic[0] - quadratic[1], 5)
        where = f"at ({', '.join(map(str, place))}) the network has h_1 = {first}, h_2 = {second}, the quadratic classifier h_1 - h_2 = {apart}: class of the one, of the other"
        classes = 2 - (first > second), 2 - steps.holds(quadratic[0] > quadratic[1])
        yield Instance(where, classes[0], "==" if expected else "!=", classes[1])


@PAPER.claim(
    "Example 5 (radius)",
    r"$\arg\max_\theta h(B_\theta(x))=h(x)$ is found exactly: the boundary meets the diagonal at $(3.71-1.52/7.07)/3.95$",
    hypotheses="the printed weights, $x_0 = (0.5, 0.5)$; $(u, v)$ nearer to it than the corner on the diagonal",
    formula=(tm.Rational("3.71") - tm.Rational("1.52") / tm.Rational("7.07")) / tm.Rational("3.95") - HALF,
    mutants={"the circle's, about": tm.Rational("0.3402")},
)
def exact_radius(radius: Any) -> Parts:
    first, second = network(U, V)
    inside = [HALF - radius < U, HALF + radius > U, HALF - radius < V, HALF + radius > V]
    yield inside, {"class 2 inside": second > first}
    yield "h_1 = h_2 at the corner", network(HALF + radius, HALF + radius)
