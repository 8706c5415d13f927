"""Sections 2 and 3: sensitivity, the Laplace mechanism, the example and its numbers, Proposition 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Relations, Repair
from lpmech.claims.checking import check_reals, iff, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checks import ball, unit
from lpmech.papers.zheng2025.balls import rounds_to
from lpmech.papers.zheng2025.paper import EPSILON, PAPER, THETA, X, distance
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

FIRST, SECOND, OUT, C = tm.symbols("x_1 x_2 y c")


PAPER.claim(
    "Section 2.2 (sensitivity)",
    r"the identity on $[0,1]$ has sensitivity $\Delta f=\max|x_1-x_2|=1$",
    given=unit(FIRST, SECOND),
    formula=tm.Rational(1),
)(lambda largest: sharp(distance(FIRST, SECOND), largest, tm.Eq(FIRST, 0), tm.Eq(SECOND, 1)))


@PAPER.claim(
    "Def. 4 (private)",
    r"$x+\mathrm{Lap}(1/\epsilon)$ is $\epsilon$-LDP on $[0,1]$: $\ln$ of the density ratio is $(|y-x_2|-|y-x_1|)\epsilon\le\epsilon$",
    given=[*unit(FIRST, SECOND), EPSILON > 0],
    formula=lambda epsilon: 1 / epsilon,
)
@PAPER.claim(
    "Def. 4 (tight level)",
    r"$\epsilon$ is attained: at $x_1=0$, $x_2=1$ every output $y\le 0$ has loss $\epsilon$",
    given=[*unit(FIRST, SECOND), EPSILON > 0],
    kind="ours",
    formula=lambda epsilon: 1 / epsilon,
)
def laplace_level(scale: Any) -> Relations:
    loss = (distance(OUT, SECOND) - distance(OUT, FIRST)) / scale(EPSILON)
    return sharp(loss, EPSILON, tm.Eq(FIRST, 0), tm.Eq(SECOND, 1), OUT <= 0)


@PAPER.claim(
    "Section 3 (truncation)",
    r"truncating $\mathcal{M}_\epsilon(x)$ to $[0,1]$ afterwards loses no output of the ball: $\tilde{x}\in B_\theta(x)$ stays in $B_\theta(x)$",
    hypotheses="so the truncated mechanism has at least the concentration of the raw one",
    given=[*unit(FIRST), THETA >= 0, distance(OUT, FIRST) <= THETA],
    formula=lambda y: tm.Min(tm.Max(y, 0), 1),
)
def truncation(clip: Any) -> Relations:
    inside = tm.And(clip(OUT) >= 0, clip(OUT) <= 1)
    return {"still in the ball": distance(clip(OUT), FIRST) <= THETA, "in [0, 1]": inside}


def is_central_mass(mass: Any, end: Any) -> Parts:
    """The check of a mass of [-theta, theta] under epsilon e^(-epsilon |u|) / 2, where end is epsilon theta.

    With w = epsilon u it is the integral of e^(-|w|)/2 from -x to x, x = epsilon theta.
    """
    density, integral = tm.exp(-X) / 2, 1 - tm.exp(-X)
    yield (
        [X >= 0],
        {
            "the integral grows by the density at both ends": (steps.diff(integral, X), density + density),
            "and begins at 0: no less": integral >= 0,
            "and no more than x": integral <= X,
        },
    )
    yield r"at $x = \epsilon \theta$", (mass, integral.at({X: end}))


@PAPER.claim(
    "Section 3.1 (p)",
    r"$p(\epsilon,0.3)=F(0.3)-F(-0.3)=2F(0.3)-1=1-e^{-0.3\epsilon}$",
    hypotheses=r"noise $u$ of the density $\frac{\epsilon}{2} e^{-\epsilon |u|}$; with $w = \epsilon u$ its mass from $-0.3$ to 0.3 is the integral of $e^{-|w|}/2$ from $-x$ to $x = 0.3 \epsilon$",
    given=[EPSILON > 0],
    formula=lambda epsilon: 1 - tm.exp(-tm.Rational(3, 10) * epsilon),
)
def curve(formula: Any) -> Parts:
    yield from is_central_mass(formula(EPSILON), tm.Rational(3, 10) * EPSILON)


PAPER.claim(
    "Section 3.1 (p(2, 0.3))",
    "$p(2,0.3)=0.46$",
    hypotheses="the printed number is read as the value rounded to two decimals",
    consequence="formula",
    formula="0.46",
    note="$1 - e^{-0.6} = 0.4512$. Rounded up it would be 0.46, as would be the other two numbers of 4.1.3, but it enters the sentence "
    "'with probability at least $p(2, 0.3) = 0.46$', where rounding up is wrong. Reading the noise as a truncated distribution gives 0.71.",
    repair=Repair("$p(2,0.3)=0.45$", formula="0.45", hypotheses=""),
)(lambda printed: check_reals(rounds_to(1 - (-ball("0.6")).exp(), printed), "1 - e^(-0.6)"))


@PAPER.claim(
    "Section 3.1 (robust on [0.2, 0.8])",
    r"$h(x)=1$ on $[0.2,0.8]$: $h$ is robust on $B_{0.3}(0.5)$, so with probability $p(\epsilon,0.3)$ (at least, and exactly) the class is preserved",
    hypotheses="the set where $h = 1$ is the ball of radius 0.3 around 0.5, no less and no more",
    given=unit(OUT),
    formula=tm.Rational(3, 10),
)
def example_radius(radius: Any) -> Relations:
    inside = tm.And(tm.Rational(1, 5) <= OUT, tm.Rational(4, 5) >= OUT)
    return iff(distance(OUT, tm.Rational(1, 2)) <= radius, inside, "robust", "in the ball")


@PAPER.claim(
    "Section 3.1 (epsilon for 0.8)",
    r"$p(\epsilon,0.3)\ge 0.8$ holds once $\epsilon$ is at least 5.2",
    hypotheses=r"$p = 1 - e^{-0.3 \epsilon}$, which increases; the least such level with its decimals",
    consequence="formula",
    formula="5.2",
    control="5.37",
    note=r"$p(5.2, 0.3) = 0.7899$; the smallest $\epsilon$ is $\ln(5) / 0.3 = 5.3648$.",
)
def epsilon_for_utility(epsilon: str) -> Outcome:
    digits = len(epsilon.partition(".")[2])
    p, before = (1 - (-ball("0.3") * (ball(epsilon) - less)).exp() for less in (0, ball(10) ** -digits))
    enough = {f"0.8 <= p({epsilon}, 0.3)": (ball("0.8"), p), "one less in the last place": (before, ball("0.8"))}
    return check_reals(enough, f"p({epsilon}, 0.3) is large enough, and {epsilon} the least")


@PAPER.claim(
    "Section 3.1 (epsilon for 0.8) [repaired]",
    r"$p(\epsilon,0.3)=0.8$ at $\epsilon=\ln 5/0.3=5.36$...; 5.37 is the smallest level with two decimals",
    formula=lambda log_5: 10 * log_5 / 3,
    repairs="Section 3.1 (epsilon for 0.8)",
)
def epsilon_for_utility_repaired(level: Any) -> Parts:
    yield "p", (1 - tm.exp(-tm.Rational(3, 10) * level(tm.log(5))), tm.Rational(4, 5))
    epsilon = level(ball(5).log())
    yield check_reals({"5.36 is too small": (ball("5.36"), epsilon), "5.37": (epsilon, ball("5.37"))}, "two decimals")


@PAPER.claim(
    "Fig. 2b",
    r"$p(\epsilon,0.3)$ as a function of $\epsilon$: it rises from 0 towards 1",
    hypotheses=r"$p$ as in 'Section 3.1 (p)', $x = 0.3 \epsilon$; $c$ in $(0, 1)$, however near to 0 and 1 it has to come; the printed curve itself cannot be read off the text",
    given=[EPSILON > 0],
    formula=lambda epsilon: 1 - tm.exp(-tm.Rational(3, 10) * epsilon),
)
def rises(formula: Any) -> Parts:
    yield from curve(formula)
    rise, value = tm.exp(X), 1 - tm.exp(-X)
    yield (
        [X >= 0, C > 0, C < 1],
        {
            "from 0: below c while $(1-c)e^x < 1$": tm.Implies((1 - C) * rise < 1, value < C),
            "rises, the slope": steps.diff(value, X) > 0,
            "below 1": value < 1,
            "within c of 1 once $c e^x > 1$": tm.Implies(C * rise > 1, value > 1 - C),
        },
    )


def mass_by_cdf(sizes: Sequence[int], ends: Callable[[int, int], Iterable[Any]]) -> Callable[[Any], Parts]:
    """The check that a formula has Pr[a <= M(x) <= b] of k-RR from F and F(.-), for the ends that k and x give."""

    def check(formula: Any) -> Parts:
        for k, t in product(sizes, (Fraction(2), Fraction(3))):
            for x, row in enumerate(randomized_response(k, PrivacyLevel.from_ratio(t)).matrix.tolist()):

                def mass(a: Any, b: Any, row: Any = row) -> Any:
                    return sum((p for y, p in enumerate(row) if a <= y <= b), Fraction(0))

                for a, b in ends(k, x):
                    truth, value = mass(a, b), formula(partial(mass, 0), lambda z, k=k, m=mass: 1 - m(z, k), a, b)
                    where = f"k-RR on 0..{k - 1}, t = {t}, x = {x}, $[{a}, {b}]$: probability"
                    yield Instance(where, truth, "==", value)

    return check


PAPER.claim(
    "Prop. 1",
    r"$\forall a<b$: $\Pr[a\le\mathcal{M}(x)\le b]=F(b)-F(a)$ for every $\epsilon$-LDP mechanism",
    hypotheses="k-RR, to which Section 4.1.2 applies it",
    family="k-RR on 0..k-1, k = 2, 3, 6, t = 2, 3, ends in multiples of 1/2",
    consequence="formula",
    formula=lambda F, before, a, b: F(b) - F(a),
    note="The left side contains an atom at $a$, the right side does not. For distributions without atoms the statement holds.",
    repair=Repair(
        r"$\Pr[a\le\mathcal{M}(x)\le b]=F(b)-F(a^{-})$, and $F(b)-F(a)$ if $a$ is no atom",
        hypotheses="k-RR",
        formula=lambda F, before, a, b: F(b) - before(a),
    ),
)(mass_by_cdf((2, 3, 6), lambda k, _: combinations([Fraction(i, 2) for i in range(-1, 2 * k)], 2)))
PAPER.leave_out(
    "Def. 1, 2, 3, 5, 7 and 9", "definitions state no result; what is said about them afterwards has its claims"
)
PAPER.leave_out(
    "Appendix A", "related work; its statements about other papers cannot be checked against this one's formulas"
)
