"""Sections 2 and 3: sensitivity, the Laplace mechanism, the example and its numbers, Proposition 1."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech.papers.checking import check_family, check_identities, check_implications, check_reals
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.paper import EPSILON, PAPER, THETA, ball, rounds_to
from lpmech.verdicts import Outcome

FIRST, SECOND, OUT, RADIUS = sp.symbols("x_1 x_2 y r")
UNIT = [FIRST >= 0, FIRST <= 1, SECOND >= 0, SECOND <= 1]


def distance(a: Any, b: Any) -> Any:
    """|a - b|, in words the prover knows."""
    return sp.Max(a - b, b - a)


@PAPER.claim(
    "Section 2.2 (sensitivity)",
    r"the identity on [0,1] has sensitivity \Delta f=\max|x_1-x_2|=1",
    hypotheses="x_1, x_2 in [0, 1]",
    formula=sp.Integer(1),
    mutants={"1/2": sp.Rational(1, 2), "2": sp.Integer(2)},
)
def sensitivity(largest: Any) -> Outcome:
    attained = sp.Implies(sp.And(sp.Eq(FIRST, 0), sp.Eq(SECOND, 1)), distance(FIRST, SECOND) >= largest)
    return check_implications(
        UNIT, {"at most": distance(FIRST, SECOND) <= largest, "attained at 0, 1": attained}, "both directions"
    )


@PAPER.claim(
    "Def. 4 (private)",
    r"x+\mathrm{Lap}(1/\epsilon) is \epsilon-LDP on [0,1]: \ln of the density ratio is (|y-x_2|-|y-x_1|)\epsilon\le\epsilon",
    hypotheses="x_1, x_2 in [0, 1], every output y, epsilon > 0",
    given=[*UNIT, EPSILON > 0],
    evidence="triangle inequality",
    formula=lambda epsilon: 1 / epsilon,
    mutants={"half the scale": lambda epsilon: 1 / (2 * epsilon), "scale epsilon": lambda epsilon: epsilon},
)
def laplace_private(scale: Any) -> Relations:
    loss = (distance(OUT, SECOND) - distance(OUT, FIRST)) / scale(EPSILON)
    return {"loss <= epsilon": loss <= EPSILON}


@PAPER.claim(
    "Def. 4 (tight level)",
    r"epsilon is attained: at x_1=0, x_2=1 every output y\le 0 has loss \epsilon",
    hypotheses="the level of the mechanism is no smaller than its name says",
    given=[OUT <= 0, EPSILON > 0],
    evidence="for every y <= 0",
    formula=lambda epsilon: 1 / epsilon,
    mutants={"twice the scale": lambda epsilon: 2 / epsilon},
)
def laplace_tight(scale: Any) -> Relations:
    loss = (distance(OUT, 1) - distance(OUT, 0)) / scale(EPSILON)
    return {"loss = epsilon": sp.Eq(loss, EPSILON)}


@PAPER.claim(
    "Section 3 (truncation)",
    r"truncating \mathcal M_\epsilon(x) to [0,1] afterwards loses no output of the ball: \tilde x\in B_\theta(x) stays in B_\theta(x)",
    hypotheses="x in [0, 1]; so the truncated mechanism has at least the concentration of the raw one",
    given=[FIRST >= 0, FIRST <= 1, THETA >= 0, distance(OUT, FIRST) <= THETA],
    evidence="clipping moves no point away from a point of [0, 1]",
    formula=lambda y: sp.Min(sp.Max(y, 0), 1),
    mutants={
        "truncated to [1/10, 9/10]": lambda y: sp.Min(sp.Max(y, sp.Rational(1, 10)), sp.Rational(9, 10)),
        "mirrored at 1/2": lambda y: sp.Min(sp.Max(1 - y, 0), 1),
    },
)
def truncation(clip: Any) -> Relations:
    return {"still in the ball": distance(clip(OUT), FIRST) <= THETA}


def _central_mass(theta: Any) -> Any:
    """Mass of [-theta, theta] under the density epsilon e^(-epsilon |u|) / 2."""
    e, u = sp.Symbol("epsilon", positive=True), sp.Symbol("u", positive=True)
    return sp.integrate(e * sp.exp(-e * u), (u, 0, theta)).subs(e, EPSILON)


@PAPER.claim(
    "Section 3.1 (p)",
    r"p(\epsilon,0.3)=F(0.3)-F(-0.3)=2F(0.3)-1=1-e^{-0.3\epsilon}",
    hypotheses="the density is integrated symbolically",
    given=[EPSILON > 0],
    evidence="identity in epsilon",
    formula=lambda epsilon: 1 - sp.exp(-sp.Rational(3, 10) * epsilon),
    mutants={
        "half": lambda epsilon: (1 - sp.exp(-sp.Rational(3, 10) * epsilon)) / 2,
        "F(0.3)": lambda epsilon: 1 - sp.exp(-sp.Rational(3, 10) * epsilon) / 2,
    },
)
def laplace_p(formula: Any) -> Relations:
    claimed, derived = formula(EPSILON), _central_mass(sp.Rational(3, 10))
    return {"p(epsilon, 0.3)": (sp.expand(claimed), sp.expand(derived))}


@PAPER.claim(
    "Section 3.1 (p(2, 0.3))",
    r"p(2,0.3)=0.46",
    hypotheses="the printed number is read as the value rounded to two decimals",
    consequence="formula",
    recorded="refuted",
    formula="0.46",
    mutants={"the complement": "0.55", "a factor 1/2": "0.23"},
    note="1 - e^-0.6 = 0.4512. Rounded up it would be 0.46, as would be the other two numbers of 4.1.3, but it enters the sentence "
    "'with probability at least 0.46', where rounding up is wrong. Reading the noise as a truncated distribution gives 0.71.",
    repair=Repair(
        r"p(2,0.3)=0.45",
        formula="0.45",
        mutants={"as printed": "0.46", "cut off at 0.4": "0.4"},
        hypotheses="",
    ),
)
def laplace_number(printed: str) -> Outcome:
    return check_reals(rounds_to(1 - (-ball("0.6")).exp(), printed), "1 - e^(-0.6)")


@PAPER.claim(
    "Section 3.1 (robust on [0.2, 0.8])",
    r"h(x)=1 on [0.2,0.8]: h is robust on B_{0.3}(0.5), so with probability p(\epsilon,0.3) (at least, and exactly) the class is preserved",
    hypotheses="y in [0, 1]; the set where h = 1 is the ball of radius 0.3 around 0.5, no less and no more",
    given=[OUT >= 0, OUT <= 1],
    evidence="equivalence",
    formula=sp.Rational(3, 10),
    mutants={"0.2": sp.Rational(1, 5), "0.4": sp.Rational(2, 5)},
)
def example_radius(radius: Any) -> Relations:
    inside = sp.And(sp.Rational(1, 5) <= OUT, sp.Rational(4, 5) >= OUT)
    near = distance(OUT, sp.Rational(1, 2)) <= radius
    return {"robust": sp.Implies(near, inside), "all of it": sp.Implies(inside, near)}


@PAPER.claim(
    "Section 3.1 (epsilon for 0.8)",
    r"p(\epsilon,0.3)\ge 0.8 holds once \epsilon is at least 5.2",
    hypotheses="p = 1 - e^(-0.3 epsilon), which increases",
    consequence="formula",
    recorded="refuted",
    formula="5.2",
    control="5.37",
    mutants={"5.3": "5.3", "log 2 for log 5": "2.31"},
    note="p(5.2, 0.3) = 0.7899; the smallest epsilon is ln(5) / 0.3 = 5.3648.",
)
def epsilon_for_utility(epsilon: str) -> Outcome:
    p = 1 - (-ball("0.3") * ball(epsilon)).exp()
    return check_reals({f"0.8 <= p({epsilon}, 0.3)": (ball("0.8"), p)}, f"p({epsilon}, 0.3) is large enough")


@PAPER.claim(
    "Section 3.1 (epsilon for 0.8) [repaired]",
    r"p(\epsilon,0.3)=0.8 at \epsilon=\ln 5/0.3=5.36...; 5.37 is the smallest level with two decimals",
    evidence="exact",
    formula=sp.log(5) / sp.Rational(3, 10),
    mutants={"as printed": sp.Rational(52, 10), "ln 4": sp.log(4) / sp.Rational(3, 10)},
    repairs="Section 3.1 (epsilon for 0.8)",
)
def epsilon_for_utility_repaired(epsilon: Any) -> Relations:
    exponent = sp.Rational(3, 10) * epsilon
    return {"p": (1 - sp.exp(-exponent), sp.Rational(4, 5)), "two decimals": (sp.ceiling(100 * epsilon), 537)}


@PAPER.claim(
    "Fig. 2b",
    r"p(\epsilon,0.3) as a function of \epsilon: it rises from 0 towards 1",
    hypotheses="epsilon >= 0; the printed curve itself cannot be read off the text",
    formula=lambda epsilon: 1 - sp.exp(-sp.Rational(3, 10) * epsilon),
    mutants={
        "falls": lambda epsilon: sp.exp(-sp.Rational(3, 10) * epsilon),
        "towards 1/2": lambda epsilon: (1 - sp.exp(-sp.Rational(3, 10) * epsilon)) / 2,
    },
)
def curve(formula: Any) -> Outcome:
    e = sp.Symbol("epsilon", positive=True)
    p = formula(e)
    slope = sp.simplify(sp.diff(p, e) * sp.exp(sp.Rational(3, 10) * e))
    return check_identities(
        {
            "p(0)": (formula(sp.Integer(0)), 0),
            "limit": (sp.limit(p, e, sp.oo), 1),
            "sign of the slope": (sp.sign(slope), 1),
        },
        "value at 0, limit and sign of the derivative",
    )


def _intervals() -> Iterable[tuple[int, Fraction, int, Fraction, Fraction]]:
    for k in (2, 3):
        ends = [Fraction(i, 2) for i in range(-1, 2 * k)]
        for t in (Fraction(2), Fraction(3)):
            for x in range(k):
                yield from ((k, t, x, a, b) for a in ends for b in ends if a < b)


@PAPER.claim(
    "Prop. 1",
    r"\forall a<b: \Pr[a\le\mathcal M(x)\le b]=F(b)-F(a) for every \epsilon-LDP mechanism",
    hypotheses="k-RR on 0..k-1, k = 2, 3, t = 2, 3, ends in multiples of 1/2; Section 4.1.2 applies it to such mechanisms",
    consequence="formula",
    recorded="refuted",
    formula=lambda F, before, a, b: F(b) - F(a),
    mutants={
        "ends swapped": lambda F, before, a, b: F(a) - F(b),
        "open at b": lambda F, before, a, b: before(b) - before(a),
    },
    note="The left side contains an atom at a, the right side does not. For distributions without atoms the statement holds.",
    repair=Repair(
        r"\Pr[a\le\mathcal M(x)\le b]=F(b)-F(a^-), and F(b)-F(a) if a is no atom",
        hypotheses="k-RR on 0..k-1, k = 2, 3, t = 2, 3, ends in multiples of 1/2",
        recorded="certified",
        formula=lambda F, before, a, b: F(b) - before(a),
        mutants={"as printed": lambda F, before, a, b: F(b) - F(a)},
    ),
)
def proposition_1(formula: Any) -> Outcome:
    def failure(case: tuple[int, Fraction, int, Fraction, Fraction]) -> str | None:
        k, t, x, a, b = case
        mass = {y: (t if y == x else 1) / (t + k - 1) for y in range(k)}

        def cdf(z: Fraction) -> Fraction:
            return sum((p for y, p in mass.items() if y <= z), Fraction(0))

        def before(z: Fraction) -> Fraction:
            return sum((p for y, p in mass.items() if y < z), Fraction(0))

        truth = sum((p for y, p in mass.items() if a <= y <= b), Fraction(0))
        value = formula(cdf, before, a, b)
        where = f"k-RR on 0..{k - 1}, t = {t}, x = {x}, [{a}, {b}]"
        return None if value == truth else f"{where}: probability {truth}, formula {value}"

    return check_family(_intervals(), failure, "k = 2, 3")


PAPER.leave_out(
    "Def. 1, 2, 3, 5, 7 and 9", "definitions state no result; what is said about them afterwards has its claims"
)
PAPER.leave_out(
    "Appendix A", "related work; its statements about other papers cannot be checked against this one's formulas"
)
