"""Section 4.1: concentration of noise-adding, piecewise-based and discrete mechanisms, and the three numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import both, check_parts, check_reals
from lpmech.mechanisms import even_grid
from lpmech.papers.checks import ball, equals, unit
from lpmech.papers.zheng2025.balls import concentrations, leads, masses, rounds_to
from lpmech.papers.zheng2025.paper import EPSILON, PAPER, THETA, T, X, centred, pm_shape, window_cdf
from lpmech.papers.zheng2025.section_3 import is_central_mass, mass_by_cdf
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, Verdict, unclear

NOISE_CDF, HIGH, LEFT, RIGHT, C = tm.symbols("F p l r C")
SIZE = tm.symbol("n")


PAPER.claim(
    "Section 4.1.1 (noise-adding)",
    r"$F_{\mathcal{M}}(x+\theta)-F_{\mathcal{M}}(x-\theta)=2F(\theta)-1$ for symmetric noise with cdf $F$, whatever $x$",
    hypotheses=r"continuous symmetric noise, $F(-\theta) = 1 - F(\theta)$; the mechanism is not truncated afterwards",
    given=[NOISE_CDF >= tm.Rational(1, 2), NOISE_CDF <= 1],
    formula=lambda F: 2 * F - 1,
    note="On the left $F_M$ is the cdf of the output, on the right that of the noise.",
)(lambda formula: {"mass of the ball": (NOISE_CDF - (1 - NOISE_CDF), formula(NOISE_CDF))})


PAPER.claim(
    "Section 4.1.1 (Laplace)",
    r"$2F_{\mathrm{Lap}}(\theta)-1=1-e^{-\theta\epsilon}$",
    hypotheses=r"noise $u$ of the density $\frac{\epsilon}{2} e^{-\epsilon |u|}$; with $w = \epsilon u$ it is the integral of $e^{-|w|}/2$ from $-x$ to $x = \epsilon \theta$",
    given=[EPSILON > 0, THETA > 0],
    formula=lambda epsilon, theta: 1 - tm.exp(-theta * epsilon),
)(lambda formula: is_central_mass(formula(EPSILON, THETA), THETA * EPSILON))


@PAPER.claim(
    "Def. 6 (private)",
    r"densities $p_\epsilon$ and $p_\epsilon/e^\epsilon$ are within the factor $e^\epsilon$ of each other, wherever the intervals lie",
    given=[HIGH > 0, T > 1],
    formula=lambda p, t: p / t,
)
def window_private(formula: Any) -> Relations:
    low = formula(HIGH, T)
    return {"low > 0": low > 0, "p = t low": (T * low, HIGH), "low <= t p": low <= T * HIGH}


def _cdf(y: Any) -> Any:
    """cdf of Def. 6 on [0, 1] with window [l, r]."""
    return window_cdf(tm.Min(tm.Max(y, 0), 1), LEFT, RIGHT - LEFT, HIGH, T)


BASICS = [HIGH > 0, T > 1, LEFT >= 0, RIGHT <= 1, LEFT <= RIGHT, X >= LEFT, X <= RIGHT, THETA >= 0]
MASS = _cdf(X + THETA) - _cdf(X - THETA)
MASS_IS = equals((HIGH, T, THETA, RIGHT - LEFT), mass=MASS)


PAPER.claim(
    "Section 4.1.1 (piecewise, nested)",
    r"if $B_\theta(x)\subseteq[l,r]$ the concentration is $2\theta p_\epsilon$",
    given=[*BASICS, X - THETA >= LEFT, X + THETA <= RIGHT],
    formula=lambda p, t, theta, width: 2 * theta * p,
)(MASS_IS)


@PAPER.claim(
    "Section 4.1.1 (piecewise, otherwise)",
    r"otherwise the concentration is $(r-l)p_\epsilon+(2\theta-(r-l))p_\epsilon/e^\epsilon$",
    hypotheses=r"PM of Def. 11, $B_\theta(x)$ not inside the window",
    given=BASICS,
    replay="PM, e^(epsilon/2) = 2, 3, x and theta in multiples of 1/12",
    consequence="formula",
    headline=3,
    formula=lambda p, t, theta, width, near, inside: width * p + (2 * theta - width) * p / t,
    note="The formula needs $[l, r]$ inside the ball and the ball inside the range. It fails where the ball reaches over 0 or 1 "
    r"(every $x$ closer than $\theta$ to an end) or covers the window in part. At $x = 0$, $\theta = 1/2$ the part of the ball in $[0, 1]$ is not inside the window either: "
    "probability $3/4$, formula 1.",
    repair=Repair(
        r"for every position the concentration is $|B\cap[l,r]|p_\epsilon+|(B\cap[0,1])\setminus[l,r]|p_\epsilon/e^\epsilon$",
        hypotheses="a window mechanism as in Def. 6",
        formula=lambda p, t, theta, width, near, inside: near * p + (inside - near) * p / t,
    ),
)
def otherwise(formula: Any) -> Parts:
    twelfths = [Fraction(k, 12) for k in range(13)]
    for s, x, theta in product((2, 3), twelfths, (*twelfths[1:6], *twelfths[:5:-1])):
        high, c, t = pm_shape(Fraction(s))
        start = steps.value(centred(x, c), {})
        if start <= x - theta and x + theta <= start + 2 * c:
            continue
        near = max(min(x + theta, start + 2 * c) - max(x - theta, start), Fraction(0))
        inside = min(x + theta, Fraction(1)) - max(x - theta, Fraction(0))
        truth, value = near * high + (inside - near) * high / t, formula(high, t, theta, 2 * c, near, inside)
        where = f"PM with e^epsilon = {t}, x = {x}, theta = {theta}, window [{start}, {start + 2 * c}]"
        yield Instance(f"{where}: probability of the ball", truth, "==", value)
    common = tm.Max(tm.Min(X + THETA, RIGHT) - tm.Max(X - THETA, LEFT), 0)
    whole = tm.Min(X + THETA, 1) - tm.Max(X - THETA, 0)
    yield "mass", tm.Eq(MASS, formula(HIGH, T, THETA, RIGHT - LEFT, common, whole))


PAPER.claim(
    "Section 4.1.1 (piecewise, window inside the ball)",
    r"$(r-l)p_\epsilon+(2\theta-(r-l))p_\epsilon/e^\epsilon$ if $[l,r]\subseteq B_\theta(x)\subseteq[0,1]$",
    given=[*BASICS, X - THETA <= LEFT, X + THETA >= RIGHT, X - THETA >= 0, X + THETA <= 1],
    formula=lambda p, t, theta, width: width * p + (2 * theta - width) * p / t,
)(MASS_IS)


@PAPER.claim(
    "Section 4.1.1 (piecewise, ball inside [0, 1])",
    r"for the windows of Def. 11 and 12 and $B_\theta(x)\subseteq[0,1]$ one of the two branches applies: $B\subseteq[l,r]$ or $[l,r]\subseteq B$",
    hypotheses=r"$l = \min(\max(x - C, 0), 1 - 2C)$",
    given=[C > 0, tm.Rational(1, 4) >= C, *unit(X), THETA >= 0, X - THETA >= 0, X + THETA <= 1],
    kind="ours",
    formula=centred,
    note="So the printed formula is right for PM and SW as defined here as long as the ball stays inside $[0, 1]$.",
)
def two_branches(start: Any) -> Relations:
    left, right = start(X, C), start(X, C) + 2 * C
    inside = tm.And(left <= X - THETA, right >= X + THETA)
    covers = tm.And(left >= X - THETA, right <= X + THETA)
    return {"one of them": tm.Or(inside, covers), "a window in [0, 1]": tm.And(left >= 0, right <= 1)}


PAPER.claim(
    "Section 4.1.1 (PM at 2, 0.3)",
    r"the PM mechanism has concentration 0.86 at $\epsilon=2$, $\theta=0.3$",
    hypotheses="ball inside $[0, 1]$; the printed number is read as the value rounded to two decimals",
    consequence="slip",
    formula="0.86",
    note="The value is $1 - 0.4/e = 0.8528$, and smaller for $x$ closer than 0.3 to an end; rounded up it would be 0.86.",
    repair=Repair(
        r"the PM mechanism has concentration 0.85 at $\epsilon=2$, $\theta=0.3$",
        hypotheses="ball inside $[0, 1]$",
        formula="0.85",
    ),
)(lambda printed: check_reals(rounds_to(concentrations(2, "0.3")["PM"], printed), "1 - 0.4 / e"))


PAPER.claim(
    "Section 4.1.2 (sum)",
    r"$F(x+\theta)-F(x-\theta)=\sum_{\tilde{x}_i\in[x-\theta,x+\theta]}p_\epsilon(\tilde{x}_i,x)$",
    hypotheses="the ends of the ball are points of $X$, or lie beyond all of them",
    family="k-RR on 0..k-1, k = 2, 3, 4, 5, 9, t = 2, 3, every x and every whole theta",
    cause="Prop. 1",
    consequence="formula",
    formula=lambda F, before, low, high: F(high) - F(low),
    note=r"The difference leaves out the point $x - \theta$; in the paper's example ($x = 0.5, \theta = 0.3$, points 0.01 apart) it is one.",
    repair=Repair(
        r"$F(x+\theta)-F((x-\theta)^{-})=\sum_{\tilde{x}_i\in[x-\theta,x+\theta]}p_\epsilon(\tilde{x}_i,x)$",
        formula=lambda F, before, low, high: F(high) - before(low),
    ),
)(mass_by_cdf((3, 2, 4, 5, 9), lambda k, x: [(x - r, x + r) for r in (1, *range(k - 1, 1, -1))]))


PAPER.claim(
    "Section 4.1.2 (points of X)",
    r"$\mathcal{X}=\{0,1/|\mathcal{X}|,2/|\mathcal{X}|,\ldots,1\}$: an even grid of $[0,1]$ with $|\mathcal{X}|$ points has steps $1/|\mathcal{X}|$",
    hypotheses="both ends belong to $X$, as printed",
    given=[tm.Whole(SIZE), SIZE >= 2],
    consequence="wording",
    formula=lambda n: 1 / n,
    note="The set has $|X| + 1$ elements; with $|X| = 100$ in the formulas of k-RR its probabilities would add up to more than one.",
    repair=Repair(r"$\{0,1/(n-1),\ldots,1\}$ has $n$ points", formula=lambda n: 1 / (n - 1)),
)(lambda step: {"number of points": (1 / step(SIZE) + 1, SIZE)})


LAYOUTS: dict[str, Callable[[int], Sequence[Fraction]]] = {
    "the printed set, $n + 1$ points $1/n$ apart": lambda n: even_grid(n + 1),
    "$n$ points from 0 to 1": even_grid,
    "the middles of $n$ bins": lambda n: [Fraction(2 * i + 1, 2 * n) for i in range(n)],
}


def _k_rr(formula: Any, text: str, least: bool = True) -> Iterator[Any]:
    """Compare a formula with the exact sum for |X| = n points, at balls inside [0, 1]; the least point may be left out."""
    for n, t, whole in product((3, 2, *range(4, 11)), (Fraction(2), Fraction(7)), range(5, 0, -1)):
        points, theta = LAYOUTS[text](n), Fraction(whole, n)
        for x in (x for x in points if x - theta >= 0 and x + theta <= 1):
            inside = sum(abs(y - x) <= theta and (least or y > x - theta) for y in points)
            truth, value = (t + inside - 1) / (t + len(points) - 1), formula(t, n, theta, inside, len(points))
            where = f"|X| = {n}, points {', '.join(map(str, points))}, t = {t}, x = {x}, theta = {theta}"
            yield Instance(f"{where}: probability", truth, "==", value)


def printed_k_rr(t: Any, n: Any, theta: Any, inside: Any, size: Any) -> Any:
    """(t + 2 theta |X| - 1) / (|X| - 1 + t)."""
    return (t + 2 * theta * n - 1) / (n - 1 + t)


@PAPER.claim(
    "Section 4.1.2 (k-RR)",
    r"for k-RR on an even grid the concentration is $(e^\epsilon+2\theta|\mathcal{X}|-1)/(|\mathcal{X}|-1+e^\epsilon)$",
    hypotheses=r"$|X| = 2,\dots,10$, $t = 2$, 7, balls inside $[0, 1]$ with whole $|X| \theta$; three layouts of the points, all fail",
    consequence="formula",
    formula=printed_k_rr,
    note=r"A closed ball of whole $|X| \theta$ inside $[0, 1]$ holds $2 \theta |X|$ points besides $x$ when the points are $1/|X|$ apart, not one less. What the formula counts is "
    r"the difference of the cdf, which leaves out $x - \theta$: 'Section 4.1.2 (k-RR, difference of the cdf)'. Where $2 \theta |X|$ is odd, and where the mass is spread over bins, it holds.",
    repair=Repair(
        r"$(e^\epsilon+m-1)/(k-1+e^\epsilon)$ with $m$ of the $k$ points in the ball; $m=2\lfloor\theta n\rfloor+1$ for points $1/n$ apart and a ball inside",
        hypotheses=r"$|X| = 2,\dots,10$, $t = 2$, 7, balls inside $[0, 1]$ with whole $|X| \theta$; three layouts",
        recorded="certified",
        formula=lambda t, n, theta, inside, size: (t + inside - 1) / (t + size - 1),
    ),
)
def k_rr(formula: Any) -> Outcome:
    layouts = {
        text: check_parts(_k_rr(formula, text), (), "", f"{text}, |X| = 2..10") for text in each("layout", LAYOUTS)
    }
    all_fail = all(outcome.verdict is Verdict.REFUTED for outcome in layouts.values())
    return unclear(layouts) if all_fail else reduce(both, layouts.values())


PAPER.claim(
    "Section 4.1.2 (k-RR, difference of the cdf)",
    r"$F(x+\theta)-F(x-\theta)=(e^\epsilon+2\theta|\mathcal{X}|-1)/(|\mathcal{X}|-1+e^\epsilon)$: what Section 4.1.2 calls the concentration, without the point $x-\theta$",
    family="|X| = 2..10 points 1/|X| apart (the middles of bins), t = 2, 7, balls inside [0, 1] with whole |X| theta",
    formula=printed_k_rr,
    note=r"So the '- 1' is the atom lost in Prop. 1, and its value at $|X| = 100$, $\theta = 0.3$ is 0.6240.",
)(lambda formula: _k_rr(formula, "the middles of $n$ bins", least=False))


@PAPER.claim(
    "Section 4.1.2 (k-RR at 2, 0.3)",
    r"with $|\mathcal{X}|=100$, $\epsilon=2$, $\theta=0.3$ the concentration of k-RR is 0.63",
    hypotheses=r"ball inside $[0, 1]$; the printed number is read as the value rounded to two decimals; which points $X$ has is left open; the printed closed form is $(e^\epsilon+2\theta|X|-1)/(|X|-1+e^\epsilon)$",
    consequence="formula",
    readings={
        "the printed closed form with $|X| = 100$": "refuted",
        "the printed set, 101 points, counted": "proved",
        "the middles of 100 bins, counted": "proved",
        "100 points from 0 to 1, counted": "refuted",
    },
    every={"points counted, of": ((59, 100), (60, 101), (60, 100), (58, 100))},
    formula="0.63",
    mutants={"PM": "0.86", "Laplace": "0.46"},
    note="The printed closed form gives 0.6240, an exact count on the printed set 0.6275, on the middles of 100 bins 0.6334, on 100 points "
    "from 0 to 1 0.6146.",
)
def k_rr_number(printed: str) -> tuple[Outcome, ...]:
    t = ball(2).exp()

    def found(counted: int, points: int) -> Outcome:
        value = (t + counted) / (t + points - 1)
        return check_reals(rounds_to(value, printed), value.str(5, radius=False))

    return tuple(found(*counts) for counts in each("points counted, of"))


@PAPER.claim(
    "Section 4.1.3 (PM highest)",
    r"at $\epsilon=2$, $\theta=0.3$ PM has the highest concentration of Laplace, PM and k-RR, so it is the best choice of the three",
    hypotheses="right values; ball inside $[0, 1]$, and also PM at its worst $x = 0$ against Laplace truncated to $[0, 1]$ at its best $x = 0$; k-RR by the largest of its four counts",
    formula="PM",
    mutants={"k-RR": "k-RR", "Laplace": "Laplace"},
    note=r"The three printed numbers are judged by themselves, 0.46 in 'Section 3.1 (p(2, 0.3))', 0.86 in 'Section 4.1.1 (PM at 2, 0.3)' and 0.63 in 'Section 4.1.2 (k-RR at 2, 0.3)': the values are 0.451, 0.853 and, by the printed $(e^\epsilon+2\theta|X|-1)/(|X|-1+e^\epsilon)$, 0.624. "
    "Among all 2-LDP mechanisms PM is not the best: 'Takeaway (program)'.",
)
def highest(best: str) -> Outcome:
    t, inside = ball(2).exp(), concentrations(2, "0.3")
    at_0 = masses(ball(2), Fraction(0), Fraction(3, 10), Fraction(0))
    middle = {"PM": inside["PM"], "k-RR": (t + 60) / (99 + t), "Laplace": inside["Laplace"]}
    end = {"PM": at_0["PM"], "k-RR": (t + 30) / (99 + t), "Laplace": at_0["truncated Laplace"]}
    return check_reals(leads(best, "x inside", middle) | leads(best, "x = 0", end), "both positions of x")
