"""Section 5.2.2 and appendix B.2: the Gaussian mechanism, Theorem 4 step by step, Dwork's proof, the analytic Gaussian."""

from __future__ import annotations

import operator
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.gaussian import analytic_scale, extended_scale, pac_scale
from lpmech.mechanisms.privacy_indicator import approximate_delta_of
from lpmech.papers.checking import (
    both,
    check_family,
    check_identities,
    check_implications,
    check_reals,
    check_sampled_reals,
    unless_refuted,
)
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.paper import DELTA, EPSILON, PAPER, ball, upper_tail
from lpmech.papers.zheng2025.section_5 import small_channels
from lpmech.verdicts import Outcome, proved, refuted, unclear

SIGMA, OUT, SHIFT, Z, C, TAIL = sp.symbols("sigma y Delta Z C t")
#: sqrt(ln(2/delta) + epsilon), sqrt(ln(2/delta)) and sqrt 2; epsilon = A^2 - B^2.
A, B, ROOT_2 = sp.symbols("A B w")
LEVELS = [(e, d) for e in ("1/2", "1", "2", "4", "8") for d in ("1/2", "1/10", "1/1000")]


def threshold(sigma: Any, epsilon: Any) -> Any:
    """epsilon sigma - 1 / (2 sigma): the loss exceeds epsilon iff Z does this."""
    return epsilon * sigma - 1 / (2 * sigma)


def failure_of(sigma: float, epsilon: str) -> Any:
    """Pr[loss > epsilon] of the pair 0, 1 as a ball, for a float scale taken exactly."""
    return upper_tail(threshold(ball(Fraction(sigma)), ball(epsilon)))


THEOREM = "Theorem 4"


@PAPER.claim(
    THEOREM,
    r"x+\mathcal N(0,\sigma^2) is (\epsilon,\delta)-PAC LDP on [0,1] for \sigma\ge\frac{\sqrt2}2(\sqrt{\ln(2/\delta)+\epsilon}+\sqrt{\ln(2/\delta)})/\epsilon, any \epsilon>0",
    hypotheses="x~ ~ M(x_1) (under the printed quantifier of Def. 10 no sigma will do); A = sqrt(ln(2/delta) + epsilon) > B = sqrt(ln(2/delta)) >= sqrt(ln 2) > 0.8, w = sqrt 2; with the radical over "
    "ln(2/delta) alone, as the text can also be read, sigma is larger still; the tail bound is 'B.2.1 (tail bound) [repaired]'",

    formula=lambda a, b, epsilon: (a + b) / epsilon,
    mutants={
        "half": lambda a, b, epsilon: (a + b) / (4 * epsilon),
        "epsilon^2": lambda a, b, epsilon: (a + b) / (4 * epsilon**2),
        "B - A": lambda a, b, epsilon: (a - b) / epsilon,
    },
    note="In fact Pr[L > epsilon] <= delta / 2, as the proof bounds both tails where one matters.",
)  # fmt: skip
def theorem_4(shape: Any) -> Outcome:
    facts = {}
    for e, d in LEVELS:
        level, tail = ball(e), (2 / ball(d)).log()
        sigma = shape((tail + level).sqrt(), tail.sqrt(), level) * arb(2).sqrt() / 2
        facts[f"Pr[L > {e}] <= {d}"] = (upper_tail(threshold(sigma, level)), ball(d))

    def proof() -> Outcome:
        epsilon = A**2 - B**2
        hypotheses = [sp.Rational(8, 10) < B, A > B, sp.Eq(ROOT_2**2, 2), ROOT_2 > 0]
        both_readings = {
            "epsilon sigma - 1/(2 sigma) >= sqrt(2 ln(2/delta))": threshold(shape(A, B, epsilon) * ROOT_2 / 2, epsilon)
            >= ROOT_2 * B,
            "the other reading of the radical is larger": B + epsilon >= A,
        }
        return check_implications(
            hypotheses, both_readings, "then Pr[Z > sqrt(2 ln(2/delta))] <= delta / 2; B >= sqrt(ln 2) > 0.8"
        )

    return unless_refuted(check_reals(facts, "fifteen pairs"), proof)


def _smallest(scale: Any, delta_at: Any, names: str) -> Outcome:
    """Whether the scale satisfies a condition, and one per mille less does not."""
    facts = {}
    for e, d in LEVELS:
        sigma = scale(float(Fraction(e)), float(Fraction(d)))
        facts[f"enough at epsilon = {e}, delta = {d}, sigma = {sigma:.4f}"] = (delta_at(sigma * (1 + 1e-9), e), ball(d))
        facts[f"needed at epsilon = {e}, delta = {d}, sigma = {sigma:.4f}"] = (ball(d), delta_at(sigma * 0.999, e))
    return check_sampled_reals(facts, f"fifteen pairs, {names}")


def chernoff_failure(sigma: float, epsilon: str) -> Any:
    """The bound 2 e^(-t^2 / 2) that the proof uses for Pr[loss > epsilon], t = epsilon sigma - 1/(2 sigma), as a ball."""
    t = threshold(ball(Fraction(sigma)), ball(epsilon))
    return 2 * (-t * t / 2).exp()


@PAPER.claim(
    "B.2.1 (step 2, best choice)",
    r"'the best choice of \sigma' is the one with equality, that of Theorem 4",
    hypotheses="epsilon = 1/2..8, delta = 1/2, 1/10, 1/1000; enough, and one per mille less is too small",
    consequence="optimality", readings={"smallest for the bound of the proof": "certified", "smallest for (epsilon, delta)-PAC LDP": "refuted",},
    formula=extended_scale,
    mutants={"twice": lambda e, d: 2 * extended_scale(e, d), "the analytic Gaussian, another notion": analytic_scale},
    note="Best for the Chernoff bound on both tails, not for Def. 10: at epsilon = 1, delta = 0.1 it is 2.637, where 1.595 is enough (and 1.0859 for (epsilon, delta)-LDP).",
)  # fmt: skip
def best_choice(scale: Any) -> Outcome:
    return unclear(
        {
            "smallest for the bound of the proof": _smallest(scale, chernoff_failure, "Chernoff's bound"),
            "smallest for (epsilon, delta)-PAC LDP": _smallest(scale, failure_of, "exact tail"),
        }
    )


@PAPER.claim(
    "Theorem 4 (smallest scale, instances)",
    r"the smallest \sigma with (\epsilon,\delta)-PAC LDP is (z+\sqrt{z^2+2\epsilon})/(2\epsilon), z the (1-\delta)-quantile of the normal distribution",
    hypotheses="epsilon = 1/2..8, delta = 1/2, 1/10, 1/1000, to one per mille; lpmech.mechanisms.gaussian.pac_scale",
    recorded="certified",
    formula=pac_scale,
    mutants={"Theorem 4": extended_scale, "two per cent more": lambda e, d: 1.02 * pac_scale(e, d)},
)
def smallest_scale(scale: Any) -> Outcome:
    return _smallest(scale, failure_of, "exact tail")


@PAPER.claim(
    "Theorem 4 (smallest scale)",
    r"\epsilon\sigma-1/(2\sigma) increases in \sigma and equals z at \sigma=(z+\sqrt{z^2+2\epsilon})/(2\epsilon)",
    hypotheses="R = sqrt(z^2 + 2 epsilon) > |z|, sigma > 0, 0 < Delta <= 1; Pr[L > epsilon] = Pr[Z > epsilon sigma - 1/(2 sigma)] is largest for the pair 0, 1",

    formula=lambda z, r, epsilon: (z + r) / (2 * epsilon),
    mutants={"the other root": lambda z, r, epsilon: (r - z) / (2 * epsilon), "factor 2 dropped": lambda z, r, epsilon: (z + r) / epsilon},
)  # fmt: skip
def best_scale_identity(formula: Any) -> Outcome:
    z, r, s, shift = sp.symbols("z R sigma Delta")
    epsilon = (r**2 - z**2) / 2
    sigma = formula(z, r, epsilon)
    return check_implications(
        [r > z, r > -z, s > 0, shift > 0, shift <= 1],
        {
            "equal to z": sp.Eq(threshold(sigma, epsilon), z),
            "positive": sigma > 0,
            "increasing": epsilon + 1 / (2 * s**2) > 0,
            "worst pair": epsilon * s / shift - shift / (2 * s) >= threshold(s, epsilon),
        },
        "all epsilon > 0 and delta in (0, 1)",
    )


@PAPER.claim(
    "Contributions (epsilon >= 0)",
    r"the Gaussian mechanism is extended from \epsilon\in[0,1] to \epsilon\in[0,\infty)",
    hypotheses="the sigma of Theorem 4 for epsilon > 0; at epsilon = 0 every sigma > 0: Pr[L > 0] = Pr[Z > -1/(2 sigma)], which is at most delta < 1/2 only if the threshold is positive",
    consequence="wording",
    recorded="refuted",
    formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.ge),
    mutants={
        "half the scale": (lambda a, b, epsilon: (a + b) / (4 * epsilon), operator.gt),
        "B - A": (lambda a, b, epsilon: (a - b) / epsilon, operator.gt),
    },
    note="The text also says 'applicable for any epsilon'. Every positive epsilon is; at the end point 0 the formula for sigma is undefined, and the loss exceeds 0 with probability above 1/2 for every sigma.",
    repair=Repair(
        r"it is extended to \epsilon\in(0,\infty)",
        hypotheses="the sigma of Theorem 4; A and B as there",
        formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.gt),
        mutants={
            "with 0, as printed": (lambda a, b, epsilon: (a + b) / epsilon, operator.ge),
            "half the scale": (lambda a, b, epsilon: (a + b) / (4 * epsilon), operator.gt),
        },
    ),
)
def from_zero(case: Any) -> Outcome:
    shape, relation = case
    positive = theorem_4(shape)
    if not relation(0, 0):
        return positive
    at_zero = {"positive threshold at epsilon = 0": threshold(SIGMA, sp.Integer(0)) > 0}
    return both(positive, check_implications([SIGMA > 0], at_zero, "every sigma"))


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails)",
    r"when the Gaussian mechanism fails, the privacy loss exceeds \epsilon but remains bounded by a larger value",
    hypotheses="largest loss (2 r + 1) / (2 sigma^2) over outputs with |noise| <= r and the pair 0, 1; bounded: a limit exists as r grows",
    consequence="privacy",
    headline=10,
    recorded="refuted",
    formula=lambda r, sigma: (2 * r + 1) / (2 * sigma**2),
    control=lambda r, sigma: 1 / (2 * sigma**2),
    mutants={
        "quadratic in r": lambda r, sigma: r**2 / (2 * sigma**2),
        "the square root": lambda r, sigma: sp.sqrt(r) / sigma,
    },
    note="The paper itself says in B.2.1 that the loss is unbounded. Clipped to [0, 1] the mechanism is purely LDP: that is the control.",
)
def bounded(loss: Any) -> Outcome:
    r, sigma = sp.symbols("r sigma", positive=True)
    limit = sp.limit(loss(r, sigma), r, sp.oo)
    if limit.is_finite:
        return proved("sympy limit", f"the largest loss tends to {limit}")
    where = f"sigma = 1, x_1 = 1, x_2 = 0, output 1 + r: loss {loss(r, sp.Integer(1))}, which has no bound; at r = 10 it is {loss(sp.Integer(10), sp.Integer(1))}"
    return refuted("sympy limit", "no bound", where)


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails) [repaired, clipped]",
    r"inside (0,1) the loss of the clipped Gaussian mechanism is at most 1/(2\sigma^2), which it approaches as y\to 1 for the pair 1, 0",
    hypotheses="sigma > 0, x_1, x_2, y in [0, 1]: ((y - x_2)^2 - (y - x_1)^2)/(2 sigma^2) is continuous; the atoms at 0 and 1 have the ratio Pr[Z <= 0] / Pr[Z <= -1/sigma]",
    formula=lambda sigma: 1 / (2 * sigma**2),
    mutants={
        "0": lambda sigma: 0 * sigma,
        "half of it": lambda sigma: 1 / (4 * sigma**2),
        "twice": lambda sigma: 1 / sigma**2,
        "1/(2 sigma)": lambda sigma: 1 / (2 * sigma),
    },
)
def bounded_inside(bound: Any) -> Outcome:
    first, second = sp.symbols("x_1 x_2")

    def loss(y: Any, one: Any, two: Any) -> Any:
        return ((y - two) ** 2 - (y - one) ** 2) / (2 * SIGMA**2)

    unit = [r for v in (first, second, OUT) for r in (v >= 0, v <= 1)]
    return check_implications(
        [SIGMA > 0, *unit],
        {
            "at most": loss(OUT, first, second) <= bound(SIGMA),
            "attained at y = 1 by the pair 1, 0": sp.Eq(loss(sp.Integer(1), 1, 0), bound(SIGMA)),
        },
        "bound and end point",
    )


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails) [repaired]",
    r"the loss is finite at every output and passes every bound",
    hypotheses="pair 0, 1 (output y, drawn from the input 1): loss (2 y - 1)/(2 sigma^2) > b for y > b sigma^2 + 1/2",
    formula=lambda b, sigma: b * sigma**2 + sp.Rational(1, 2),
    mutants={"b sigma^2": lambda b, sigma: b * sigma**2, "b sigma": lambda b, sigma: b * sigma},
    repairs="Section 5.2.2 (bounded when it fails)",
)
def passes_every_bound(place: Any) -> Outcome:
    b = sp.Symbol("b")
    return check_implications(
        [SIGMA > 0, b > 0, place(b, SIGMA) < OUT], {"above b": b < (2 * OUT - 1) / (2 * SIGMA**2)}, "for every b"
    )


@PAPER.claim(
    "B.2.1 (loss)",
    r"\mathcal L=\ln\frac{e^{-\tilde x^2/2\sigma^2}}{e^{-(\tilde x+\Delta)^2/2\sigma^2}}=\frac1{2\sigma^2}(2\tilde x\Delta+\Delta^2)",
    hypotheses="Delta in [-1, 1], every output",
    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1],
    evidence="identity",
    formula=lambda x, d, s: (2 * x * d + d**2) / (2 * s**2),
    mutants={
        "minus Delta^2": lambda x, d, s: (2 * x * d - d**2) / (2 * s**2),
        "sigma^2": lambda x, d, s: (2 * x * d + d**2) / s**2,
    },
)
def gaussian_loss(formula: Any) -> Relations:
    derived = -(OUT**2) / (2 * SIGMA**2) + (OUT + SHIFT) ** 2 / (2 * SIGMA**2)
    return {"loss": (derived, formula(OUT, SHIFT, SIGMA))}


@PAPER.claim(
    "B.2.1 (distribution of the loss)",
    r"\mathcal L\sim\frac\Delta\sigma Z+\frac{\Delta^2}{2\sigma^2}: mean \Delta^2/(2\sigma^2), variance \Delta^2/\sigma^2",
    hypotheses="Delta in [-1, 1]; x~ = sigma Z",

    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1], evidence="linear in Z", formula=(SHIFT**2 / (2 * SIGMA**2), SHIFT**2 / SIGMA**2),
    mutants={"mean Delta^2 / sigma^2": (SHIFT**2 / SIGMA**2, SHIFT**2 / SIGMA**2), "variance Delta / sigma": (SHIFT**2 / (2 * SIGMA**2), SHIFT / SIGMA)},
)  # fmt: skip
def loss_distribution(formula: Any) -> Relations:
    mean, variance = formula
    loss = sp.expand((2 * SIGMA * Z * SHIFT + SHIFT**2) / (2 * SIGMA**2))
    slope = sp.diff(loss, Z)
    return {"mean": (loss.subs(Z, 0), mean), "variance": (slope**2, variance)}


#: Delta in [-1, 1], not 0.
SHIFTED = [SIGMA > 0, EPSILON > 0, SHIFT >= -1, SHIFT <= 1, sp.Ne(SHIFT, 0)]


@PAPER.claim(
    "B.2.1 (step 1, |Z|)",
    r"\mathcal L\ge\epsilon means |Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/\Delta",
    hypotheses="Delta in [-1, 1], not 0, sigma, epsilon > 0; the implication, which is all that is used",
    consequence="proof",
    recorded="refuted",
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    mutants={"the square": lambda e, s, d: (e * s + d**2 / (2 * s)) / d**2},
    note="It holds for Delta > 0; for Delta < 0 it can fail if epsilon < Delta^2/(2 sigma^2), which the sigma found later excludes.",
    repair=Repair(
        r"\mathcal L\ge\epsilon implies |Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|",
        hypotheses="Delta in [-1, 1], not 0, sigma, epsilon > 0",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / sp.Max(d, -d),
        mutants={
            "as printed": lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
            "twice": lambda e, s, d: 2 * (e * s - d**2 / (2 * s)) / sp.Max(d, -d),
        },
    ),
)
def absolute_value(bound: Any) -> Outcome:
    loss = SHIFT * Z / SIGMA + SHIFT**2 / (2 * SIGMA**2)
    conclusion = {"|Z| is large": sp.Max(Z, -Z) >= bound(EPSILON, SIGMA, SHIFT)}
    return check_implications([*SHIFTED, loss >= EPSILON], conclusion, "division by |Delta|")


@PAPER.claim(
    "B.2.1 (step 1, worst Delta)",
    r"since \Delta\in[-1,1], \Delta=1 minimizes (\epsilon\sigma-\Delta^2/(2\sigma))/\Delta",
    hypotheses="Delta in [-1, 1], not 0, epsilon, sigma > 0",
    consequence="proof",
    recorded="refuted",
    given=SHIFTED,
    evidence="decreasing in |Delta|",
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    mutants={"times Delta": lambda e, s, d: (e * s - d**2 / (2 * s)) * d},
    note="For negative Delta the expression is smaller, as the sign of the division was lost. With |Delta| below, as the symmetry of Z demands, |Delta| = 1 is the worst.",
    repair=Repair(
        r"|\Delta|=1 minimizes (\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / sp.Max(d, -d),
        mutants={"as printed": lambda e, s, d: (e * s - d**2 / (2 * s)) / d},
    ),
)
def worst_shift(expression: Any) -> Relations:
    return {"at least the value at 1": expression(EPSILON, SIGMA, SHIFT) >= threshold(SIGMA, EPSILON)}


@PAPER.claim(
    "B.2.1 (step 1, two tails)",
    r"\Pr[|Z|\ge t]\le\delta implies \Pr[Z\ge t]\le\delta/2",
    hypotheses="t >= 0, so that Pr[|Z| >= t] = 2 Pr[Z >= t] = 2 q",
    formula=lambda delta: delta / 2,
    mutants={"delta / 4": lambda delta: delta / 4, "delta^2": lambda delta: delta**2},
    note="Only Pr[Z >= t] <= delta is needed: the other tail belongs to losses below epsilon.",
)
def two_tails(bound: Any) -> Outcome:
    q = sp.Symbol("q")
    return check_implications(
        [q >= 0, 2 * q <= DELTA, DELTA > 0, DELTA < 1], {"one tail": q <= bound(DELTA)}, "symmetry"
    )


TAIL_BOUND = "B.2.1 (tail bound)"


@PAPER.claim(
    TAIL_BOUND,
    r"\Pr[Z\ge t]\le e^{-t^2/2}",
    hypotheses="standard normal Z, any t, as printed; t = -1, -2, 0, 1/2, 1, 2, 3",
    consequence="proof",
    recorded="refuted",
    formula=lambda t: sp.exp(-(t**2) / 2),
    control=lambda t: sp.exp(-(sp.Max(t, 0) ** 2) / 2),
    mutants={"e^(-t^2)": lambda t: sp.exp(-(t**2)), "half of it": lambda t: sp.exp(-(t**2) / 2) / 4},
    note="It needs t >= 0, which Theorem 4's sigma has; the proof also admits t <= -C, where the bound does not hold.",
)
def tail_bound(bound: Any) -> Outcome:
    return _tails(bound, ("-1", "-2", "0", "1/2", "1", "2", "3"))


def _tails(bound: Any, places: tuple[str, ...]) -> Outcome:
    """Pr[Z >= t] <= bound(t) at some t."""
    inequalities = {}
    for place in places:
        factor, power = sp.sympify(bound(sp.Rational(place))).as_coeff_Mul()
        exponent = sp.Rational(sp.log(power)) if power != 1 else sp.Integer(0)
        limit = ball(str(factor)) * ball(str(exponent)).exp()
        inequalities[f"Pr[Z >= {place}] <= bound"] = (upper_tail(ball(place)), limit)
    return check_sampled_reals(inequalities, "values of t")


@PAPER.claim(
    f"{TAIL_BOUND} [repaired]",
    r"\Pr[Z\ge t]\le e^{-t^2/2} for t\ge 0",
    hypotheses="standard normal Z; t > 0: E e^{sZ} = e^{s^2/2} and Markov's inequality with s = t (sympy integrates the moment); at t = 0 it is 1/2 <= 1",
    formula=lambda t: sp.exp(-(t**2) / 2),
    mutants={"e^(-t^2)": lambda t: sp.exp(-(t**2)), "half of it": lambda t: sp.exp(-(t**2) / 2) / 4},
    repairs="B.2.1 (tail bound)",
)
def chernoff(bound: Any) -> Outcome:
    def proof() -> Outcome:
        s, z = sp.symbols("s z", positive=True)
        moment = sp.integrate(sp.exp(s * z - z**2 / 2) / sp.sqrt(2 * sp.pi), (z, -sp.oo, sp.oo))
        markov = sp.simplify(sp.simplify(moment * sp.exp(-s * TAIL)).subs(s, TAIL))
        identity = {"e^(-t s) E e^(s Z) at s = t": (markov, bound(TAIL))}
        return check_identities(identity, "Markov's inequality", hypotheses=[TAIL > 0])

    return unless_refuted(_tails(bound, ("0", "1/2", "1", "2", "3")), proof)


@PAPER.claim(
    "B.2.1 (step 2, two cases)",
    r"(\epsilon\sigma-\frac1{2\sigma})^2\ge C^2 iff \epsilon\sigma-\frac1{2\sigma}\ge C or \le-C",
    hypotheses="C = sqrt(-2 ln(delta/2)) from e^(-t^2/2) <= delta/2",
    given=[C >= 0],
    evidence="algebra",
    formula=lambda t, c: sp.Or(t >= c, t <= -c),
    mutants={"one case": lambda t, c: t >= c, "and": lambda t, c: sp.And(t >= c, t >= -c)},
)
def two_cases(cases: Any) -> Relations:
    claimed = cases(TAIL, C)
    square = TAIL**2 >= C**2
    return {"only if": sp.Implies(square, claimed), "if": sp.Implies(claimed, square)}


@PAPER.claim(
    "B.2.1 (step 2, solutions)",
    r"\epsilon\sigma-1/(2\sigma)=\pm C gives \sigma=(\pm C\pm\sqrt{C^2+2\epsilon})/(2\epsilon)",
    hypotheses="R = sqrt(C^2 + 2 epsilon) > C; all four sign patterns solve one of the two equations",
    formula=lambda c, r, epsilon: [(i * c + j * r) / (2 * epsilon) for i in (1, -1) for j in (1, -1)],
    mutants={
        "epsilon for 2 epsilon": lambda c, r, epsilon: [(i * c + j * r) / epsilon for i in (1, -1) for j in (1, -1)],
        "C^2 for C": lambda c, r, epsilon: [(c**2 + r) / (2 * epsilon)],
    },
)
def solutions(formula: Any) -> Outcome:
    r = sp.Symbol("R")
    epsilon = (r**2 - C**2) / 2
    return check_identities(
        {f"root {i + 1}": (threshold(s, epsilon) ** 2, C**2) for i, s in enumerate(formula(C, r, epsilon))},
        "four roots",
        hypotheses=[C > 0, r > C],
    )


@PAPER.claim(
    "B.2.1 (step 2, the positive root)",
    r"since \sigma must be positive, the root is (C+\sqrt{C^2+2\epsilon})/(2\epsilon)",
    hypotheses="positivity as the reason: no other of the four roots is positive; C > 0, R = sqrt(C^2 + 2 epsilon) > C",
    consequence="proof",
    recorded="refuted",
    formula=lambda sigma, c, r, epsilon: sigma > 0,
    mutants={"at most (C + R)/(2 epsilon)": lambda sigma, c, r, epsilon: sigma <= (c + r) / (2 * epsilon)},
    note="(-C + R)/(2 epsilon) is positive too, and smaller. There epsilon sigma - 1/(2 sigma) = -C, where the tail bound fails: the loss exceeds epsilon with "
    "probability at least 1 - delta/2.",
    repair=Repair(
        r"of the positive roots only (C+\sqrt{C^2+2\epsilon})/(2\epsilon) has \epsilon\sigma-1/(2\sigma)\ge 0, as the tail bound needs",
        hypotheses="C > 0, R = sqrt(C^2 + 2 epsilon) > C",
        formula=lambda sigma, c, r, epsilon: sp.And(sigma > 0, threshold(sigma, epsilon) >= 0),
        mutants={"as printed": lambda sigma, c, r, epsilon: sigma > 0},
    ),
)
def positive_root(selects: Any) -> Outcome:
    r = sp.Symbol("R")
    epsilon = (r**2 - C**2) / 2
    chosen = (C + r) / (2 * epsilon)
    others = {
        "(R - C)": (r - C) / (2 * epsilon),
        "(C - R)": (C - r) / (2 * epsilon),
        "(-C - R)": (-C - r) / (2 * epsilon),
    }
    conclusions = {f"{name} / (2 epsilon) is excluded": sp.Not(selects(s, C, r, epsilon)) for name, s in others.items()}
    return check_implications(
        [C > 0, r > C], {"the root qualifies": selects(chosen, C, r, epsilon), **conclusions}, "the four roots"
    )


@PAPER.claim(
    "B.2.1 (equivalent to Theorem 4)",
    r"(\sqrt{-2\ln(\delta/2)}+\sqrt{-2\ln(\delta/2)+2\epsilon})/(2\epsilon) is equivalent to the \sigma of Theorem 4",
    hypotheses="A = sqrt(ln(2/delta) + epsilon) > B = sqrt(ln(2/delta)) > 0, w = sqrt 2 > 0, epsilon = A^2 - B^2",

    formula=lambda a, b, epsilon: (ROOT_2 * b + ROOT_2 * a) / (2 * epsilon),
    mutants={"epsilon for 2 epsilon": lambda a, b, epsilon: (ROOT_2 * b + ROOT_2 * a) / epsilon, "without sqrt 2": lambda a, b, epsilon: (b + a) / (2 * epsilon)},
    note="The sentence fixes how far the theorem's first radical reaches: over ln(2/delta) + epsilon. With epsilon outside of it the theorem would have a larger sigma, which is sufficient as well.",
)  # fmt: skip
def equivalent(derived: Any) -> Outcome:
    epsilon = A**2 - B**2
    hypotheses = [B > 0, A > B, ROOT_2 > 0, sp.Eq(ROOT_2**2, 2)]
    points = [{A: sp.Integer(2), B: sp.Integer(1), ROOT_2: sp.sqrt(2)}]
    sigma = {"sigma": (derived(A, B, epsilon), ROOT_2 / 2 * (A + B) / epsilon)}
    return check_identities(sigma, "identity", points, hypotheses)


@PAPER.claim(
    "B.2.2 (counterexample)",
    r"\Pr[Z\ge t]\le\frac\sigma{\sqrt{2\pi}}e^{-t^2/2\sigma^2} is wrong: at t=0, \sigma=1 it says 0.5\le 1/\sqrt{2\pi}\approx 0.399",
    hypotheses="the bound as the paper quotes it; whether the cited proof rests on it cannot be checked here",
    formula=(Fraction(0), Fraction(1), "0.399"),
    mutants={"t = 2": (Fraction(2), Fraction(1), "0.399"), "0.5": (Fraction(0), Fraction(1), "0.500")},
    note="With the factor 1/t, as in Mills' inequality, it holds for all t > 0.",
)
def dwork(case: tuple[Fraction, Fraction, str]) -> Outcome:
    t, sigma, printed = case
    bound = ball(sigma) / (2 * arb.pi()).sqrt() * (-(ball(t) ** 2) / (2 * ball(sigma) ** 2)).exp()
    half = ball("0.0005")
    return check_reals(
        {
            "the bound is below the probability": (bound, upper_tail(ball(t) / ball(sigma))),
            "printed value": (ball(printed) - half, bound),
            "printed value from above": (bound, ball(printed) + half),
        },
        "1 / sqrt(2 pi) = 0.3989 < 1/2",
    )


def printed_condition(first: list[Fraction], second: list[Fraction], t: int) -> Fraction:
    """Pr[L >= eps] - e^(-eps) Pr[L <= -eps], both for the pair (first, second)."""
    large = sum((p for p, q in zip(first, second, strict=True) if p > 0 and p >= t * q), Fraction(0))
    small = sum((p for p, q in zip(first, second, strict=True) if t * p <= q), Fraction(0))
    return large - small / t


def balle_wang(first: list[Fraction], second: list[Fraction], t: int) -> Fraction:
    """Pr[L >= eps] - e^eps Pr[L' <= -eps], L' the loss of the swapped pair."""
    large = sum((p for p, q in zip(first, second, strict=True) if p > 0 and p >= t * q), Fraction(0))
    small = sum((q for p, q in zip(first, second, strict=True) if p >= t * q), Fraction(0))
    return large - t * small


#: Delta = 1/20 for the first pair; the printed condition gives 1/25.
WITNESS = Channel([[Fraction(5, 100), Fraction(2, 100), Fraction(93, 100)], [0, Fraction(4, 100), Fraction(96, 100)]])


@PAPER.claim(
    "B.2.3 (privacy definition)",
    r"the analytic Gaussian's \Pr[\mathcal L\ge\epsilon]-e^{-\epsilon}\Pr[\mathcal L\le-\epsilon]\le\delta satisfies (\epsilon,\delta)-DP",
    hypotheses="all pairs of inputs of small exact channels, t = 2, 3, the largest value of the left side taken as delta, against Def. 15; L of one pair in both terms, as printed",
    consequence="proof",
    recorded="refuted",
    formula=printed_condition,
    mutants={
        "e^eps and the same pair": lambda p, q, t: (
            2 * printed_condition(p, q, t) - (t * t) * (printed_condition(p, q, t))
        )
    },
    note="Balle and Wang have e^{+eps} and, in the second term, the loss of the swapped pair; then it is no alternative but equivalent to Def. 15.",
    repair=Repair(
        r"\Pr[\mathcal L_{x_1,x_2}\ge\epsilon]-e^{\epsilon}\Pr[\mathcal L_{x_2,x_1}\le-\epsilon]\le\delta for all pairs is (\epsilon,\delta)-LDP",
        hypotheses="small exact channels, t = 2, 3; equality with the delta of Def. 15 is checked as well",
        recorded="certified",
        formula=balle_wang,
        survivors=dict.fromkeys(
            [
                "p > 0 -> p >= 0, line 3",
                "0 -> -1, line 3",
                "p >= t * q -> p > t * q, line 3",
                "first and second exchanged",
            ],
            "the same largest sum: what is added is zero, or the pair is taken the other way round",
        ),
    ),
)
def analytic_definition(condition: Any) -> Outcome:
    def failure(case: tuple[Channel, int]) -> str | None:
        channel, t = case
        rows = channel.matrix.tolist()
        delta = approximate_delta_of(channel, PrivacyLevel.from_ratio(t))
        claimed = max(condition(p, q, t) for p in rows for q in rows)
        if delta == claimed:
            return None
        where = f"rows {', '.join('(' + ' '.join(map(str, r)) + ')' for r in rows)}, t = {t}"
        return f"{where}: condition holds with delta = {claimed}, Def. 15 {'needs' if delta > claimed else 'holds with'} {delta}"

    family = [(WITNESS, 2), *((c, t) for c in small_channels() for t in (2, 3))]
    return check_family(family, failure, "small channels")


def hockey_stick(sigma: float, epsilon: str) -> Any:
    """delta of (epsilon, delta)-LDP for a float scale taken exactly, as a ball (Balle and Wang 2018, Theorem 8)."""
    s, e = ball(Fraction(sigma)), ball(epsilon)
    return upper_tail(e * s - 1 / (2 * s)) - e.exp() * upper_tail(e * s + 1 / (2 * s))


@PAPER.claim(
    "B.2.3 (scales)",
    r"the analytic Gaussian needs less noise than the smallest PAC scale, and that less than Theorem 4",
    hypotheses="epsilon, sigma > 0, t > 1; q = Pr[Z >= epsilon sigma + 1/(2 sigma)] > 0 at the PAC scale, where Pr[L > epsilon] = delta; the analytic delta falls with sigma, as e^epsilon times the density at "
    "epsilon sigma + 1/(2 sigma) is that at epsilon sigma - 1/(2 sigma); z < C (and C > 0) by the tail bound, R_z = sqrt(z^2 + 2 epsilon), R_C likewise; the paper compares in words only",

    formula=((hockey_stick, pac_scale), (failure_of, extended_scale)),
    mutants={
        "PAC below the analytic Gaussian": ((failure_of, analytic_scale),),
        "Theorem 4 below PAC": ((chernoff_failure, pac_scale),),
    },
)  # fmt: skip
def scales(pairs: Any) -> Outcome:
    facts = {}
    for e, d in LEVELS:
        for notion, scale in pairs:
            sigma = scale(float(Fraction(e)), float(Fraction(d)))
            facts[f"{notion.__name__} at {sigma:.4f}, epsilon = {e}, delta = {d}"] = (
                notion(sigma, e),
                ball(d) * ball("0.99"),
            )

    def proof() -> Outcome:
        q, t, density, z, root_z, root_c = sp.symbols("q t phi z R_z R_C")
        high, low = EPSILON * SIGMA + 1 / (2 * SIGMA), threshold(SIGMA, EPSILON)
        # d/d sigma of Pr[Z >= low] - t Pr[Z >= high], with t times the density at high = density at low = phi
        slope = -density * sp.diff(low, SIGMA) + density * sp.diff(high, SIGMA)
        return check_implications(
            [SIGMA > 0, EPSILON > 0, q > 0, t > 1, density > 0, z < C, C > 0, root_z > 0, root_c > 0,
             sp.Eq(root_z**2, z**2 + 2 * EPSILON), sp.Eq(root_c**2, C**2 + 2 * EPSILON)],
            {
                "t e^(-high^2/2) = e^(-low^2/2)": sp.Eq(high**2 - low**2, 2 * EPSILON),
                "the analytic delta falls with sigma": slope < 0,
                "slack at the PAC scale": DELTA - t * q < DELTA,
                "Theorem 4's scale is larger": (z + root_z) / (2 * EPSILON) < (C + root_c) / (2 * EPSILON),
            },
            "all epsilon > 0, delta in (0, 1); replayed on fifteen pairs",
        )  # fmt: skip

    return unless_refuted(check_reals(facts, "fifteen pairs, one per cent of delta to spare"), proof)


@PAPER.claim(
    "Section 7.2.2 (larger sigma)",
    r"extending the Gaussian mechanism to \epsilon\ge 1 leads to a larger \sigma",
    hypotheses="than Dwork's sqrt(2 ln(1.25/delta))/epsilon, at epsilon = 1, delta = 0.1 and 0.01 and in the limit of large epsilon",
    consequence="wording",
    readings={
        "than Dwork's formula at the same epsilon": "proved",
        "than at a smaller epsilon": "refuted",
    },
    formula="larger",
    mutants={"twice as large": "twice"},
    note="Than what is left open. At epsilon = 1 Theorem 4 has 2.64 against 2.25; at any fixed delta it decreases in epsilon.",
)
def larger_sigma(word: str) -> Outcome:
    factor = 2 if word == "twice" else 1

    def dwork_scale(e: str, d: str) -> Any:
        return factor * (2 * (ball("5/4") / ball(d)).log()).sqrt() / ball(e)

    def theorem(e: str, d: str) -> Any:
        tail, level = (2 / ball(d)).log(), ball(e)
        return ((tail + level).sqrt() + tail.sqrt()) / (arb(2).sqrt() * level)

    return unclear(
        {
            "than Dwork's formula at the same epsilon": check_reals(
                {f"epsilon = {e}, delta = {d}": (dwork_scale(e, d), theorem(e, d)) for e in ("1", "2", "8") for d in ("1/10", "1/100")}, "six pairs"
            ),
            "than at a smaller epsilon": check_reals(
                {f"delta = {d}": (factor * theorem("1", d), theorem("2", d)) for d in ("1/10", "1/100")}, "epsilon = 1 against 2"
            ),
        }
    )  # fmt: skip


def theorem_scale(epsilon: Any, delta: Any) -> Any:
    """sigma of Theorem 4 as a ball."""
    tail = (2 / delta).log()
    return ((tail + epsilon).sqrt() + tail.sqrt()) / (arb(2).sqrt() * epsilon)


@PAPER.claim(
    "Section 7.2.2 (Gaussian behind Laplace)",
    r"'the Gaussian mechanism is not as good': with Theorem 4's \sigma it is on no box more concentrated than the Laplace mechanism, for \delta=0.1 and every \epsilon in [1,8]",
    hypotheses="boxes inside [0, 1]^d around x, both mechanisms raw or both clipped; each side of x has half the central mass, so theta in (0, 1] decides: up to 1/2 by the chord of the concave "
    "1 - e^(-theta epsilon) and the largest density of the Gaussian, from there by the values at 1/2 and 1; epsilon in steps of 1/4, Laplace at the lower and Gaussian at the upper end",

    formula=theorem_scale,
    mutants={
        "a quarter of it": lambda epsilon, delta: theorem_scale(epsilon, delta) / 4,
        "the standard deviation of the Laplace noise": lambda epsilon, delta: arb(2).sqrt() / epsilon,
    },
    note="Whatever the data and the classifiers, and without the indicator's share delta, which the text adds to Laplace, PM and the exponential mechanism only.",
)  # fmt: skip
def behind_laplace(scale: Any) -> Outcome:
    facts = {}
    for quarter in range(4, 32):
        low, sigma = ball(Fraction(quarter, 4)), scale(ball(Fraction(quarter + 1, 4)), ball("1/10"))
        where = f"epsilon in [{quarter / 4}, {(quarter + 1) / 4}]"
        chord = 1 - (-low / 2).exp()
        facts[f"{where}, up to 1/2"] = (1 / (sigma * (2 * arb.pi()).sqrt()), chord)
        facts[f"{where}, 1/2 to 1"] = (1 - 2 * upper_tail(1 / sigma), chord)
    return check_reals(facts, "28 intervals that cover [1, 8], every theta")


@PAPER.claim(
    "C.5.1 (Gaussian, (2 epsilon, 0.1))",
    r"two Gaussian mechanisms with Theorem 4's \sigma for \delta=0.1 are (2\epsilon,0.1)-PAC LDP together",
    hypotheses="losses add up to N(1/sigma^2, 2/sigma^2) at the worst pair, Pr[L_1 + L_2 > 2 epsilon] = Pr[Z > sqrt 2 C] with C = sqrt(2 ln 20), whatever epsilon",
    formula=lambda c: arb(2).sqrt() * c,
    mutants={"C / 4": lambda c: c / 4, "minus": lambda c: -arb(2).sqrt() * c},
    note="By Theorem 2 alone it would be (2 epsilon, 0.19): the slack of Theorem 4 makes up for it, the exact value being 0.0003.",
)
def two_gaussians(place: Any) -> Outcome:
    c = (2 * arb(20).log()).sqrt()
    return check_reals({"Pr[L_1 + L_2 > 2 epsilon] <= 0.1": (upper_tail(place(c)), ball("0.1"))}, "Pr[Z > 3.46]")
