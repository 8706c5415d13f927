"""Section 5.2.2: the Gaussian mechanism, Theorem 4; appendix B.2.1: its proof, step by step."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Parts, Relations, Repair, each
from lpmech.claims.checking import check_sampled_reals, iff, sharp
from lpmech.mechanisms.gaussian import analytic_scale, extended_scale, pac_scale
from lpmech.papers.checks import ball, equals, unit
from lpmech.papers.zheng2025.balls import upper_tail
from lpmech.papers.zheng2025.paper import DELTA, EPSILON, PAPER, distance
from lpmech.prove import steps
from lpmech.prove.from_sympy import term_of
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, proved, refuted

SIGMA, OUT, SHIFT, BOUND, QUANTILE, ROOT, FIRST, SECOND = tm.symbols("sigma y Delta b z R x_1 x_2")
Z, C, R, TAIL, CHANCE = tm.symbols("Z C R t q")
#: sqrt(ln(2/delta) + epsilon), sqrt(ln(2/delta)) and sqrt 2; epsilon = A^2 - B^2.
A, B, ROOT_2 = tm.symbols("A B w")
ROOTS = [A > B, tm.Eq(ROOT_2**2, 2), ROOT_2 > 0]
LEVELS = list(product(("1/2", "1", "2", "4", "8", "20", "100"), ("1/2", "1/10", "1/1000", "9/10")))
PAIRS = r"$\epsilon = 1/2$, 1, 2, 4, 8, 20, 100, $\delta = 9/10$, $1/2$, $1/10$, $1/1000$"


def threshold(sigma: Any, epsilon: Any) -> Any:
    """epsilon sigma - 1 / (2 sigma): the loss exceeds epsilon iff Z does this."""
    return epsilon * sigma - 1 / (2 * sigma)


def failure_of(sigma: float, epsilon: str) -> Any:
    """Pr[loss > epsilon] of the pair 0, 1 as a ball, for a float scale taken exactly."""
    return upper_tail(threshold(ball(Fraction(sigma)), ball(epsilon)))


def theorem_scale(epsilon: Any, delta: Any) -> Any:
    """sigma of Theorem 4 as a ball."""
    tail = (2 / delta).log()
    return ((tail + epsilon).sqrt() + tail.sqrt()) / (ball(2).sqrt() * epsilon)


@PAPER.claim(
    "Theorem 4",
    r"$x+\mathcal{N}(0,\sigma^2)$ is $(\epsilon,\delta)$-PAC LDP on $[0,1]$ for $\sigma\ge\frac{\sqrt{2}}{2}(\sqrt{\ln(2/\delta)+\epsilon}+\sqrt{\ln(2/\delta)})/\epsilon$, any $\epsilon>0$",
    hypotheses=r"$\tilde{x} \sim M(x_1)$ (under the printed quantifier of Def. 10 no $\sigma$ will do); $A = \sqrt{\ln(2/\delta) + \epsilon}$, $B = \sqrt{\ln(2/\delta)} \ge \sqrt{\ln 2}$, $w = \sqrt{2}$; with the radical over $\ln(2/\delta)$ alone, as the text can also be read, $\sigma$ is larger still; the tail bound is 'B.2.1 (tail bound) [repaired]'",
    given=[tm.Rational(8, 10) < B, *ROOTS],
    evidence="epsilon sigma - 1/(2 sigma) = sqrt(2 ln(2/delta)), then Pr[Z > sqrt(2 ln(2/delta))] <= delta / 2; B >= sqrt(ln 2) > 0.8",
    formula=lambda a, b, epsilon: (a + b) / epsilon,
    note=r"In fact $\Pr[L > \epsilon] \le \delta / 2$, as the proof bounds both tails where one matters.",
)
def theorem_4(shape: Any) -> Relations:
    epsilon = A**2 - B**2
    reached = threshold(shape(A, B, epsilon) * ROOT_2 / 2, epsilon)
    return {
        r"$\epsilon\sigma-1/(2\sigma)=\sqrt{2\ln(2/\delta)}$": tm.Eq(reached, ROOT_2 * B),
        "the other reading of the radical is larger": B + epsilon >= A,
    }


def _smallest(scale: Any, delta_at: Any, names: str) -> Outcome:
    """Whether the scale satisfies a condition, and one millionth less does not."""
    facts = {}
    for e, d in each("epsilon, delta", LEVELS):
        sigma = scale(float(Fraction(e)), float(Fraction(d)))
        where = f"epsilon = {e}, delta = {d}, sigma = {sigma:.4f}"
        facts[f"the failure at {where} is at most delta"] = (delta_at(sigma * (1 + 1e-9), e), ball(d))
        facts[f"the failure one millionth below, at {where}, is at least delta"] = (
            ball(d),
            delta_at(sigma * (1 - 1e-6), e),
        )
    return check_sampled_reals(facts, f"{len(LEVELS)} pairs, {names}")


def chernoff(sigma: float, epsilon: str) -> Any:
    """The bound 2 e^(-t^2 / 2) that the proof uses for Pr[loss > epsilon], t = epsilon sigma - 1/(2 sigma), as a ball."""
    return 2 * (-(threshold(ball(Fraction(sigma)), ball(epsilon)) ** 2) / 2).exp()


PAPER.claim(
    "B.2.1 (step 2, best choice)",
    r"'the best choice of $\sigma$' is the one with equality, that of Theorem 4",
    hypotheses=f"{PAIRS}; enough, and one millionth less is too small",
    consequence="optimality",
    headline=6,
    readings={
        "smallest for the bound of the proof": "certified",
        r"smallest for $(\epsilon,\delta)$-PAC LDP": "refuted",
    },
    formula=extended_scale,
    mutants={"the analytic Gaussian, another notion": analytic_scale},
    note=r"Best for the Chernoff bound on both tails, not for Def. 10: at $\epsilon = 1$, $\delta = 0.1$ it is 2.637, where 1.595 is enough (and 1.0859 for $(\epsilon,\delta)$-LDP).",
)(lambda scale: (_smallest(scale, chernoff, "Chernoff's bound"), _smallest(scale, failure_of, "exact tail")))


_ONE, _OTHER = "(z + root) / (2 * level)", "1 / (root - z)"
_FORMS = f"{_ONE} if z >= 0 else {_OTHER}"
#: Derived mutants of `pac_scale` that compute the same number, by two forms of one root that differ in rounding.
EITHER_FORM = [
    *("0 -> 1 in z >= 0", "0 -> -1 in z >= 0", f"{_FORMS} -> {_OTHER} if z >= 0 else {_ONE}"),
    *(f"z >= 0 -> {other} in {_FORMS}" for other in ("z > 0", "z <= 0")),
]


PAPER.claim(
    "Theorem 4 (smallest scale, instances)",
    r"the smallest $\sigma$ with $(\epsilon,\delta)$-PAC LDP is $(z+\sqrt{z^2+2\epsilon})/(2\epsilon)$, $z$ the $(1-\delta)$-quantile of the normal distribution",
    hypotheses=f"{PAIRS}, to one millionth; `lpmech.mechanisms.gaussian.pac_scale`",
    recorded="certified",
    kind="ours",
    formula=pac_scale,
    mutants={"Theorem 4": extended_scale},
    survivors=dict.fromkeys(EITHER_FORM, "the other form of the root"),
)(lambda scale: _smallest(scale, failure_of, "exact tail"))


@PAPER.claim(
    "Theorem 4 (smallest scale)",
    r"$\epsilon\sigma-1/(2\sigma)$ increases in $\sigma$ and equals $z$ at $\sigma=(z+\sqrt{z^2+2\epsilon})/(2\epsilon)$",
    hypotheses=r"$R = \sqrt{z^2 + 2 \epsilon}$; $\Pr[L > \epsilon] = \Pr[Z > \epsilon \sigma - 1/(2 \sigma)]$ is largest for the pair 0, 1",
    given=[ROOT > QUANTILE, ROOT > -QUANTILE, SIGMA > 0, SHIFT > 0, SHIFT <= 1],
    kind="ours",
    formula=lambda z, r, epsilon: (z + r) / (2 * epsilon),
)
def best_scale_identity(formula: Any) -> Relations:
    epsilon = (ROOT**2 - QUANTILE**2) / 2
    sigma = formula(QUANTILE, ROOT, epsilon)
    return {
        "equal to z": tm.Eq(threshold(sigma, epsilon), QUANTILE),
        "positive": sigma > 0,
        "increasing": epsilon + 1 / (2 * SIGMA**2) > 0,
        "worst pair": epsilon * SIGMA / SHIFT - SHIFT / (2 * SIGMA) >= threshold(SIGMA, epsilon),
    }


@PAPER.claim(
    "Contributions (epsilon >= 0)",
    r"the Gaussian mechanism is extended from $\epsilon\in[0,1]$ to $\epsilon\in[0,\infty)$",
    hypotheses=r"the $\sigma$ of Theorem 4 for $\epsilon > 0$, $A$ and $B$ as there; $\Pr[L > \epsilon] = \Pr[Z > \epsilon\sigma - 1/(2 \sigma)]$ is at most $\delta < 1/2$ only if this threshold is positive. A level belongs to the range iff it is so at some $\sigma$, at $\epsilon = 0$ any $\sigma > 0$, else $\sigma = 1/\sqrt{\epsilon}$",
    given=[tm.Rational(8, 10) < B, *ROOTS],
    consequence="wording",
    formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.ge),
    note=r"The text also says 'applicable for any $\epsilon$'. Every positive $\epsilon$ is; at the end point 0 the formula for $\sigma$ is undefined, and the loss exceeds 0 with probability above $1/2$ for every $\sigma$.",
    uses=["Theorem 4"],
    repair=Repair(
        r"it is extended to $\epsilon\in(0,\infty)$",
        formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.gt),
    ),
)
def from_zero(case: Any) -> Parts:
    shape, relation = case
    yield from theorem_4(shape).items()
    at_sigma = tm.Or(tm.Eq(EPSILON, 0), tm.Eq(EPSILON * SIGMA**2, 1))
    in_range = tm.Equivalent(relation(EPSILON, 0), threshold(SIGMA, EPSILON) > 0)
    yield [SIGMA > 0, EPSILON >= 0, at_sigma], {"in the range iff the threshold is positive": in_range}


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails)",
    r"when the Gaussian mechanism fails, the privacy loss exceeds $\epsilon$ but remains bounded by a larger value",
    hypotheses=r"largest loss $(2 r + 1)/(2\sigma^2)$ over outputs with $|\text{noise}| \le r$ and the pair 0, 1; bounded: a limit exists as $r$ grows",
    consequence="privacy",
    headline=9,
    formula=lambda r, sigma: (2 * r + 1) / (2 * sigma**2),
    control=lambda r, sigma: 1 / (2 * sigma**2),
    mutants={"the square root": lambda r, sigma: tm.sqrt(r) / sigma},
    survivors="what does not grow with r is bounded; by how much is '[repaired, clipped]'",
    note="The paper itself says in B.2.1 that the loss is unbounded. Clipped to $[0, 1]$ the mechanism is purely LDP: 'Section 5.2.2 (clipped Gaussian, level)'.",
)
def bounded(loss: Any) -> Outcome:
    r, sigma = tm.symbols("r sigma")
    limit = steps.limit(loss(r, sigma), r, steps.oo, positive=[r, sigma])
    if limit != term_of(steps.oo):
        return proved("sympy limit", f"the largest loss tends to {limit}")
    where = f"sigma = 1, x_1 = 1, x_2 = 0, output 1 + r: loss {steps.expand(loss(r, tm.Rational(1)))}, which has no bound; at r = 10 it is {steps.shown(loss(tm.Rational(10), tm.Rational(1)))}"
    return refuted("sympy limit", "no bound", where)


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails) [repaired, clipped]",
    r"inside $(0,1)$ the loss of the clipped Gaussian mechanism is at most $1/(2\sigma^2)$, which it approaches as $y\to 1$ for the pair 1, 0",
    hypotheses=r"$((y - x_2)^2 - (y - x_1)^2)/(2 \sigma^2)$ is continuous; the atoms at 0 and 1 have the ratio $\Pr[Z \le 0] / \Pr[Z \le -1/\sigma]$",
    given=[SIGMA > 0, *unit(FIRST, SECOND, OUT)],
    formula=lambda sigma: 1 / (2 * sigma**2),
)
def bounded_inside(bound: Any) -> Relations:
    loss = ((OUT - SECOND) ** 2 - (OUT - FIRST) ** 2) / (2 * SIGMA**2)
    return sharp(loss, bound(SIGMA), tm.Eq(OUT, 1), tm.Eq(FIRST, 1), tm.Eq(SECOND, 0))


PAPER.claim(
    "Section 5.2.2 (bounded when it fails) [repaired]",
    r"the loss is finite at every output and passes every bound",
    hypotheses=r"pair 0, 1 (output $y$, drawn from the input 1): loss $(2 y - 1)/(2 \sigma^2) > b$ for $y > b \sigma^2 + 1/2$",
    given=[SIGMA > 0, BOUND > 0],
    formula=lambda b, sigma: b * sigma**2 + tm.Rational(1, 2),
    repairs="Section 5.2.2 (bounded when it fails)",
)(lambda place: iff(place(BOUND, SIGMA) < OUT, BOUND < (2 * OUT - 1) / (2 * SIGMA**2), "above b", "beyond"))


PAPER.claim(
    "B.2.1 (loss)",
    r"$\mathcal{L}=\ln\frac{e^{-\tilde{x}^2/2\sigma^2}}{e^{-(\tilde{x}+\Delta)^2/2\sigma^2}}=\frac{1}{2\sigma^2}(2\tilde{x}\Delta+\Delta^2)$",
    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1],
    formula=lambda x, d, s: (2 * x * d + d**2) / (2 * s**2),
)(equals([OUT, SHIFT, SIGMA], loss=-(OUT**2) / (2 * SIGMA**2) + (OUT + SHIFT) ** 2 / (2 * SIGMA**2)))


@PAPER.claim(
    "B.2.1 (distribution of the loss)",
    r"$\mathcal{L}\sim\frac{\Delta}{\sigma} Z+\frac{\Delta^2}{2\sigma^2}$: mean $\Delta^2/(2\sigma^2)$, variance $\Delta^2/\sigma^2$",
    hypotheses=r"$\tilde{x} = \sigma Z$",
    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1],
    formula=(SHIFT**2 / (2 * SIGMA**2), SHIFT**2 / SIGMA**2),
)
def loss_distribution(formula: Any) -> Relations:
    mean, variance = formula
    noise, factor = SIGMA * Z, SHIFT / SIGMA
    loss = (2 * noise * SHIFT + SHIFT**2) / (2 * SIGMA**2)
    return {"the loss, Z having the mean 0": (loss, factor * Z + mean), "variance": (factor**2, variance)}


#: Delta in [-1, 1], not 0.
SHIFTED = [SIGMA > 0, EPSILON > 0, SHIFT >= -1, SHIFT <= 1, tm.Ne(SHIFT, 0)]


PAPER.claim(
    "B.2.1 (step 1, |Z|)",
    r"$\mathcal{L}\ge\epsilon$ means $|Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/\Delta$",
    hypotheses="the implication, which is all that is used",
    consequence="slip",
    given=[*SHIFTED, SHIFT * Z / SIGMA + SHIFT**2 / (2 * SIGMA**2) >= EPSILON],
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    note=r"It holds for $\Delta > 0$; for $\Delta < 0$ it can fail if $\epsilon < \Delta^2/(2 \sigma^2)$, which the $\sigma$ found later excludes.",
    repair=Repair(
        r"$\mathcal{L}\ge\epsilon$ implies $|Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|$",
        hypotheses="",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / tm.Max(d, -d),
    ),
)(lambda bound: {"|Z| is large": tm.Max(Z, -Z) >= bound(EPSILON, SIGMA, SHIFT), **has_loss_epsilon(bound)})


def has_loss_epsilon(place: Any) -> Relations:
    """That the loss is epsilon at the place claimed."""
    loss = distance(SHIFT, 0) * place(EPSILON, SIGMA, SHIFT) / SIGMA + SHIFT**2 / (2 * SIGMA**2)
    return {"the loss is epsilon there": tm.Eq(loss, EPSILON)}


@PAPER.claim(
    "B.2.1 (step 1, worst Delta)",
    r"since $\Delta\in[-1,1]$, $\Delta=1$ minimizes $(\epsilon\sigma-\Delta^2/(2\sigma))/\Delta$",
    hypotheses=r"the expression as printed, for every such $\Delta$ but 0; for $\Delta > 0$ it is where the loss is $\epsilon$",
    cause="B.2.1 (step 1, |Z|)",
    consequence="slip",
    given=SHIFTED,
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    note=r"For negative $\Delta$ the expression is smaller, as the sign of the division was lost. With $|\Delta|$ below, as the symmetry of $Z$ demands, $|\Delta| = 1$ is the worst.",
    repair=Repair(
        r"$|\Delta|=1$ minimizes $(\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|$",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / tm.Max(d, -d),
    ),
)
def worst_shift(expression: Any) -> Relations:
    least = expression(EPSILON, SIGMA, SHIFT) >= threshold(SIGMA, EPSILON)
    return {"at least the value at 1": least, **has_loss_epsilon(expression)}


PAPER.claim(
    "B.2.1 (step 1, two tails)",
    r"$\Pr[|Z|\ge t]\le\delta$ implies $\Pr[Z\ge t]\le\delta/2$",
    hypotheses=r"$t \ge 0$, so that $\Pr[|Z| \ge t] = 2 q$, $q = \Pr[Z \ge t]$",
    given=[CHANCE >= 0, DELTA > 0, DELTA < 1, 2 * CHANCE <= DELTA],
    formula=lambda delta: delta / 2,
    note=r"Only $\Pr[Z \ge t] \le \delta$ is needed: the other tail belongs to losses below $\epsilon$.",
)(lambda bound: sharp(CHANCE, bound(DELTA), tm.Eq(2 * CHANCE, DELTA)))


@PAPER.claim(
    "B.2.1 (tail bound)",
    r"$\Pr[Z\ge t]\le e^{-t^2/2}$",
    hypotheses="standard normal $Z$, any $t$, as printed; $t = -1$, -2, 0, $1/2$, 1, 2, 3",
    consequence="proof",
    formula=lambda t: -(t**2) / 2,
    control=lambda t: -(max(t, 0) ** 2) / 2,
    note=r"It needs $t \ge 0$, which Theorem 4's $\sigma$ has; the proof also admits $t \le -C$, where the bound does not hold.",
)
def tail_bound(exponent: Any) -> Outcome:
    values = {t: ball(exponent(Fraction(t))).exp() for t in ("-1", "-2", "0", "1/2", "1", "2", "3")}
    facts = {f"Pr[Z >= {t}] <= bound": (upper_tail(ball(t)), values[t]) for t in each("t", values)}
    for t in each("t", ("1/2", "1", "2", "3")):
        facts[f"no more than Chernoff's at {t}"] = (values[t], (-(ball(t) ** 2) / 2).exp() + ball("1e-12"))
    return check_sampled_reals(facts, "values of t")


@PAPER.claim(
    "B.2.1 (tail bound) [repaired]",
    r"$\Pr[Z\ge t]\le e^{-t^2/2}$ for $t\ge 0$",
    hypotheses=r"standard normal $Z$; $t > 0$: $E e^{sZ} = e^{s^2/2}$ and Markov's inequality with $s = t$ (sympy integrates the moment); at $t = 0$ it is $1/2 \le 1$",
    given=[TAIL > 0],
    formula=lambda t: tm.exp(-(t**2) / 2),
    repairs="B.2.1 (tail bound)",
)
def markov(bound: Any) -> Relations:
    s, z = tm.symbols("s z")
    moment = steps.integrate(tm.exp(s * z - z**2 / 2) / tm.sqrt(2 * tm.pi), (z, -steps.oo, steps.oo), positive=[s])
    value = steps.simplify((moment * tm.exp(-s * TAIL)).at({s: TAIL}))
    return {"e^(-t s) E e^(s Z) at s = t": (value, bound(TAIL))}


PAPER.claim(
    "B.2.1 (step 2, two cases)",
    r"$(\epsilon\sigma-\frac{1}{2\sigma})^2\ge C^2$ iff $\epsilon\sigma-\frac{1}{2\sigma}\ge C$ or $\le-C$",
    hypotheses=r"$C = \sqrt{-2 \ln(\delta/2)}$ from $e^{-t^2/2} \le \delta/2$",
    given=[C >= 0],
    formula=lambda t, c: tm.Or(t >= c, t <= -c),
)(lambda cases: {"iff": tm.Equivalent(TAIL**2 >= C**2, cases(TAIL, C))})


@PAPER.claim(
    "B.2.1 (step 2, solutions)",
    r"$\epsilon\sigma-1/(2\sigma)=\pm C$ gives $\sigma=(\pm C\pm\sqrt{C^2+2\epsilon})/(2\epsilon)$",
    hypotheses=r"$R = \sqrt{C^2 + 2 \epsilon}$; all four sign patterns solve one of the two equations",
    given=[C > 0, R > C],
    formula=lambda c, r, epsilon: [s / (2 * epsilon) for s in (c + r, c - r, r - c, -c - r)],
)
def solutions(formula: Any) -> Relations:
    epsilon = (R**2 - C**2) / 2
    roots = formula(C, R, epsilon)
    solved = {f"root {i + 1}": (threshold(s, epsilon) ** 2, C**2) for i, s in enumerate(each("root", roots))}
    sizes = (sum(root**2 for root in roots), (C**2 + R**2) / epsilon**2)
    return {**solved, "every sign: their sum": (sum(roots), 0), "both sizes: the sum of their squares": sizes}


@PAPER.claim(
    "B.2.1 (step 2, the positive root)",
    r"since $\sigma$ must be positive, the root is $(C+\sqrt{C^2+2\epsilon})/(2\epsilon)$",
    hypotheses=r"positivity as the reason: no other of the four roots is positive; $R = \sqrt{C^2 + 2 \epsilon}$",
    given=[C > 0, R > C],
    consequence="proof",
    formula=lambda sigma, c, r, epsilon: sigma > 0,
    note=r"$(-C + R)/(2 \epsilon)$ is positive too, and smaller. There $\epsilon \sigma - 1/(2 \sigma) = -C$, where the tail bound fails: the loss exceeds $\epsilon$ with "
    r"probability at least $1 - \delta/2$.",
    repair=Repair(
        r"of the positive roots only $(C+\sqrt{C^2+2\epsilon})/(2\epsilon)$ has $\epsilon\sigma-1/(2\sigma)\ge 0$, as the tail bound needs",
        hypotheses=r"$R = \sqrt{C^2 + 2 \epsilon}$",
        formula=lambda sigma, c, r, epsilon: tm.And(sigma > 0, threshold(sigma, epsilon) >= 0),
    ),
)
def positive_root(selects: Any) -> Relations:
    epsilon = (R**2 - C**2) / 2
    root, *others = (selects(s / (2 * epsilon), C, R, epsilon) for s in (C + R, R - C, C - R, -C - R))
    names = ("(R - C)", "(C - R)", "(-C - R)")
    excluded = {
        f"{name} / (2 epsilon) is excluded": tm.Not(s) for name, s in each("root", zip(names, others, strict=True))
    }
    return {"the root qualifies": root, **excluded}


PAPER.claim(
    "B.2.1 (equivalent to Theorem 4)",
    r"$(\sqrt{-2\ln(\delta/2)}+\sqrt{-2\ln(\delta/2)+2\epsilon})/(2\epsilon)$ is equivalent to the $\sigma$ of Theorem 4",
    hypotheses=r"$A = \sqrt{\ln(2/\delta) + \epsilon}$, $B = \sqrt{\ln(2/\delta)}$, $w = \sqrt{2}$, $\epsilon = A^2 - B^2$",
    given=[B > 0, *ROOTS],
    formula=lambda a, b, epsilon: (ROOT_2 * b + ROOT_2 * a) / (2 * epsilon),
    note=r"The sentence fixes how far the theorem's first radical reaches: over $\ln(2/\delta) + \epsilon$. With $\epsilon$ outside of it the theorem would have a larger $\sigma$, which is sufficient as well.",
)(equals([A, B, A**2 - B**2], sigma=ROOT_2 / 2 * (A + B) / (A**2 - B**2)))
