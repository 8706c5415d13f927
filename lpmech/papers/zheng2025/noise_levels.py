"""Levels that the paper does not state: the exponential mechanism, the clipped Gaussian, Dwork's sigma beyond epsilon = 1."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb

from lpmech.claims import Parts, Relations, Repair
from lpmech.claims.checking import check_reals
from lpmech.mechanisms import even_grid, exponential, exponential_on_grid
from lpmech.mechanisms.gaussian import approximate_delta, classical_limit, classical_scale
from lpmech.papers.zheng2025.balls import ball, decided
from lpmech.papers.zheng2025.paper import PAPER
from lpmech.papers.zheng2025.theorem_4 import failure_of
from lpmech.utilities import absolute

U, V, W, R, TOP, HALF_ROOT = sp.symbols("u v w r R s")
TAIL, A, ATOM, C, LEVEL, QUANTILE, H = sp.symbols("q a p c epsilon z h")
HALF = sp.Rational(1, 2)
PLACE, SIZE, INDEX = sp.symbols("i n k", integer=True)


def weights(u: Any) -> Any:
    """(1 - r) times the sum of r^|i - j| over j = 0, ..., n - 1, with u = r^-i and R = r^(n - 1)."""
    return 1 + R - R / u - R * TOP * u


@PAPER.claim(
    "Def. 13 (tight level)",
    r"the exponential mechanism on the even grid of [0,1] with d=\mp|x-\tilde x| and \Delta d=1 is \epsilon/2-LDP, and exactly so",
    hypotheses="n points; r = e^(-epsilon/(2(n-1))) for d = -|x - x~|, its inverse for the printed d; R = r^(n-1) = e^(-epsilon/2) or its inverse; u, v = r^(-i) of two inputs. The ratio at outputs beyond both is G(v)/G(u), G(v) = v Z(v), Z the normaliser; between them it is no further from 1, and the others are the mirror image",
    replay="n = 2, 3, 11, 101, epsilon = 1/10, 1, 8, both signs, to 1e-12",
    formula=sp.Rational(1, 2),
    note="On the even grid the normalisers at 0 and 1 agree, so that half of the budget is never used: at equal tight level the mechanism may run at 2 epsilon, and its curves in Figs. 4, 6 and 7 are those of epsilon/2.",
)
def exponential_level(share: Any) -> Parts:
    for size, epsilon in product((2, 3, 11, 101), (0.1, 1.0, 8.0)):
        points, claimed = list(even_grid(size)), float(share) * epsilon
        levels = (exponential_on_grid(points, epsilon).epsilon, exponential(-absolute(points), epsilon).epsilon)
        good = all(abs(got - claimed) <= 1e-12 * max(1.0, claimed) for got in levels)
        yield good or f"n = {size}, epsilon = {epsilon}: level {levels[0]:.6f}, claimed {claimed}"
    sides = sp.Sum(R**INDEX, (INDEX, 0, PLACE)) + sp.Sum(R**INDEX, (INDEX, 1, SIZE - 1 - PLACE))
    whole = ((1 - R) * sides, weights(R**-PLACE).subs(TOP, R ** (SIZE - 1)))
    yield [R > 0, R < 1, PLACE >= 0, SIZE >= PLACE + 1], {"Z": whole}
    root = [HALF_ROOT > 1, sp.Eq(1 / TOP, HALF_ROOT**2)]  # s = e^(epsilon / 4)
    yield root, {"e^(share epsilon)": sp.Eq(1 / TOP, HALF_ROOT ** (4 * share))}

    def g(u: Any) -> Any:
        return u * weights(sp.sympify(u))

    ends = {"G(1/R)/G(1), at i = 0 and n - 1": sp.Eq(g(1 / TOP) / g(1), 1 / TOP)}
    near = {"least": g(U) >= g(1), "largest": g(V) <= g(1 / TOP), "positive": g(1) > 0}
    near["between"] = V * U / W**2 <= V / U
    inputs = [TOP > 0, TOP <= R, R < 1, U >= 1, U <= V, V <= 1 / TOP, W >= U, W <= V]
    yield inputs, ends | near
    far = {"least": -g(U) <= -g(1), "largest": g(U) <= g(1 / TOP), "one sign": g(1 / TOP) < 0}
    yield [R > 1, TOP >= R, U <= 1, U >= 1 / TOP], ends | far  # as printed, Z (1 - r) < 0


def half_tail_bound() -> tuple[list[Any], Relations]:
    """Pr[Z >= a] <= e^(-a^2/2)/2 for a >= 0: the difference starts at 0, rises while a < sqrt(2/pi), then falls towards 0."""
    a = sp.Symbol("a", positive=True)
    difference = sp.exp(-(a**2) / 2) / 2 - sp.erfc(a / sp.sqrt(2)) / 2
    slope = sp.simplify(sp.diff(difference, a) * sp.exp(a**2 / 2)).subs(a, A)
    ends = {"at 0": (difference.subs(a, 0), 0), "at infinity": (sp.limit(difference, a, sp.oo), 0)}
    return [A >= 0], {"slope times e^(a^2/2)": (slope, 1 / sp.sqrt(2 * sp.pi) - A / 2), **ends}


@PAPER.claim(
    "Section 5.2.2 (clipped Gaussian, level)",
    r"the Gaussian mechanism clipped to [0,1] is purely private, at exactly the level -\ln(2\Pr[Z\ge 1/\sigma])",
    hypotheses="q = Pr[Z >= 1/sigma]; the atom at 0 has mass p = Pr[Z >= x/sigma] in [q, 1/2], w from another input, that at 1 is its mirror image; inside the loss is at most 1/(2 sigma^2) ('Section 5.2.2 (bounded when it fails) [repaired, clipped]'), and e^(a^2/2) <= 1/(2q) for a = 1/sigma",
    given=[TAIL > 0, TAIL < HALF, ATOM >= TAIL, ATOM <= HALF, W >= TAIL, W <= HALF],
    formula=lambda q: 1 / (2 * q),
    uses=["Section 3 (clipping, the function)"],
    note="Section 5.2.2 says the Gaussian mechanism 'cannot satisfy pure epsilon-LDP'; Section 3 clips what is released, and clipped it does. At sigma = 2.637, which Theorem 4 takes for epsilon = 1, delta = 0.1, its level is 0.35 with no failure probability at all.",
)
def clipped_gaussian(ratio: Any) -> Parts:
    yield "the atom at most", W / ATOM <= ratio(TAIL)
    yield "attained by 0, 1", sp.Eq(HALF / TAIL, ratio(TAIL))
    yield half_tail_bound()


@PAPER.claim(
    "Section 1 (Dwork's Gaussian only for epsilon <= 1)",
    r"'The original Gaussian mechanism from Dwork is only valid for \epsilon\in[0,1]'",
    hypotheses="sigma = sqrt(2 ln(1.25/delta))/epsilon; valid: Pr[L > epsilon] <= delta, Def. 10, which implies Def. 15; the formula: the largest valid epsilon",
    given=[C > 0, LEVEL > 0],
    replay="delta = 1/2..1/100000, valid there and not beyond, to 1e-9",
    consequence="wording",
    formula=lambda delta: 1.0,
    note="What ends at epsilon = 1 is Dwork's proof. His sigma is smaller than that of Theorem 4 and good for Def. 10 up to epsilon = 4.34 at delta = 0.1, for Def. 15 up to 5.74; only beyond is something new needed.",
    repair=Repair(
        r"it is (\epsilon,\delta)-PAC LDP iff \epsilon\le 2c(c-z), c=\sqrt{2\ln(1.25/\delta)}, z the (1-\delta)-quantile, and so for every \epsilon\le 2\ln(5/2)=1.83 and \delta\le 3/4",
        hypotheses="sigma = c/epsilon; Pr[L > epsilon] = Pr[Z > epsilon sigma - 1/(2 sigma)] at the worst pair. For epsilon <= 2 ln(5/2) =: 2 h: x = c - h/c >= 0, as c^2 >= 2 ln(5/3) >= h, and Pr[Z >= x] <= e^(-x^2/2)/2 <= e^h e^(-c^2/2)/2 = delta ('Section 5.2.2 (clipped Gaussian, level)'); classical_limit as called",
        formula=classical_limit,
        mutants={"2 ln(5/2) at all delta": lambda delta: 1.8326},
        note="At delta = 0.1 the limit is 4.342.",
    ),
)
def dwork_limit(limit: Any) -> Parts:
    for delta in ("1/2", "1/3", "1/10", "1/100", "1/1000", "1/100000"):
        share, c = float(Fraction(delta)), (2 * (ball("5/4") / ball(delta)).log()).sqrt()
        apart = abs(arb(classical_scale(1.0, share)) - c)
        yield from decided({f"delta = {delta}: the scale as called": (apart, ball("1e-12"))})
        for text, more in (("valid", 1 - 1e-9), ("not valid", 1 + 1e-9)):
            level = limit(share) * more
            pair = (failure_of(classical_scale(level, share), str(Fraction(level))), ball(delta))
            yield from decided({f"delta = {delta}, epsilon = {level:.10g}: {text}": pair if more < 1 else pair[::-1]})
    sigma, x = C / LEVEL, C - LEVEL / (2 * C)
    private = LEVEL * sigma - 1 / (2 * sigma) >= QUANTILE
    yield "iff", sp.Equivalent(private, LEVEL <= 2 * C * (C - QUANTILE))
    # then e^(-x^2/2)/2 <= e^h e^(-c^2/2)/2 = (5/4) e^(-c^2/2) = delta
    yield [C > 0, LEVEL > 0, LEVEL <= 2 * H, C**2 >= H], {"x >= 0": x >= 0, "x^2 >= c^2 - 2 h": x**2 >= C**2 - 2 * H}
    yield check_reals({"2 ln(5/3) >= ln(5/2)": (ball("5/2").log(), 2 * ball("5/3").log())}, "delta <= 3/4")
    yield half_tail_bound()


@PAPER.claim(
    "Section 5.2.2 (Dwork's Gaussian beyond epsilon = 1)",
    r"Dwork's \sigma is not (\epsilon,\delta)-LDP for every \epsilon: at \epsilon=4\ln(1.25/\delta) its \delta is above 1/3, whatever \delta\le 1/3",
    hypotheses="c^2 = 2 ln(1.25/delta) >= 2 ln(15/4), epsilon = 2 c^2: thresholds c - epsilon/(2c) = 0 and c + epsilon/(2c) = 2c, so the delta of Def. 15 is 1/2 - e^(2 c^2) Pr[Z > 2c] >= 1/2 - 1/(2 c sqrt(2 pi)) by Mills' inequality Pr[Z > x] <= f(x)/x (the derivative of f(x)/x - Pr[Z > x] is -f(x)/x^2 < 0, its limit 0)",
    given=[C > 0, A > 0],
    replay="approximate_delta at delta = 1/3, 1/10, 1/100, which there exceeds delta and at epsilon = 1.83 does not",
    formula=(lambda c: 2 * c**2, Fraction(1, 3), operator.gt),
    note="At delta = 0.1 it fails from epsilon = 5.743 on. So an extension is needed, but not at 1.",
)
def dwork_fails(case: Any) -> Parts:
    level, least, relation = case
    yield least >= Fraction(1, 3) or f"delta = 1/3 is not below {least}"
    for delta in ("1/3", "1/10", "1/100"):
        share = float(Fraction(delta))
        epsilon = level(classical_scale(1.0, share))
        got, before = (approximate_delta(classical_scale(e, share), e) for e in (epsilon, 1.83))
        where = f"delta = {delta}, epsilon = {epsilon:.3f}: delta of Def. 15 = {got:.4f}"
        yield (relation(got, float(least)) and before <= share) or f"{where}, at 1.83 {before:.4f}"
    c, x = sp.symbols("c x", positive=True)
    density = sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
    mills = sp.simplify(sp.diff(density / x - sp.erfc(x / sp.sqrt(2)) / 2, x) / density)
    far = sp.simplify(density.subs(x, 2 * c) / (2 * c) * sp.exp(level(c)))
    yield "Mills", (mills.subs(x, A), -1 / A**2)
    yield "near threshold", (C - level(C) / (2 * C), 0)
    yield "far threshold", (C + level(C) / (2 * C), 2 * C)
    yield "far term", (far.subs(c, C), 1 / (2 * C * sp.sqrt(2 * sp.pi)))
    bound = ball("1/2") - 1 / (2 * (2 * ball("15/4").log()).sqrt() * (2 * arb.pi()).sqrt())
    largest = "c >= sqrt(2 ln(15/4)), where 1/c is largest"
    yield check_reals({"1/2 - 1/(2 c sqrt(2 pi))": (ball(least), bound)}, largest)
