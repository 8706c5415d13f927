"""Section 5.2.2 and appendix B.2.1: the Gaussian mechanism, Theorem 4 step by step."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import arb

from lpmech.claims import Parts, Relations, Repair
from lpmech.claims.checking import check_sampled_reals, iff, sharp
from lpmech.mechanisms.gaussian import analytic_scale, extended_scale, pac_scale
from lpmech.papers.zheng2025.balls import ball, upper_tail
from lpmech.papers.zheng2025.paper import EPSILON, PAPER, unit
from lpmech.verdicts import Outcome, proved, refuted

SIGMA, OUT, SHIFT, BOUND, QUANTILE, ROOT, FIRST, SECOND = sp.symbols("sigma y Delta b z R x_1 x_2")
#: sqrt(ln(2/delta) + epsilon), sqrt(ln(2/delta)) and sqrt 2; epsilon = A^2 - B^2.
A, B, ROOT_2 = sp.symbols("A B w")
ROOTS = [A > B, sp.Eq(ROOT_2**2, 2), ROOT_2 > 0]
LEVELS = list(product(("1/2", "1", "2", "4", "8"), ("1/2", "1/10", "1/1000", "9/10")))
TWENTY = "epsilon = 1/2..8, delta = 9/10, 1/2, 1/10, 1/1000"


def threshold(sigma: Any, epsilon: Any) -> Any:
    """epsilon sigma - 1 / (2 sigma): the loss exceeds epsilon iff Z does this."""
    return epsilon * sigma - 1 / (2 * sigma)


def failure_of(sigma: float, epsilon: str) -> Any:
    """Pr[loss > epsilon] of the pair 0, 1 as a ball, for a float scale taken exactly."""
    return upper_tail(threshold(ball(Fraction(sigma)), ball(epsilon)))


def theorem_scale(epsilon: Any, delta: Any) -> Any:
    """sigma of Theorem 4 as a ball."""
    tail = (2 / delta).log()
    return ((tail + epsilon).sqrt() + tail.sqrt()) / (arb(2).sqrt() * epsilon)


@PAPER.claim(
    "Theorem 4",
    r"x+\mathcal N(0,\sigma^2) is (\epsilon,\delta)-PAC LDP on [0,1] for \sigma\ge\frac{\sqrt2}2(\sqrt{\ln(2/\delta)+\epsilon}+\sqrt{\ln(2/\delta)})/\epsilon, any \epsilon>0",
    hypotheses="x~ ~ M(x_1) (under the printed quantifier of Def. 10 no sigma will do); A = sqrt(ln(2/delta) + epsilon), B = sqrt(ln(2/delta)) >= sqrt(ln 2), w = sqrt 2; with the radical over ln(2/delta) alone, as the text can also be read, sigma is larger still; the tail bound is 'B.2.1 (tail bound) [repaired]'",
    given=[sp.Rational(8, 10) < B, *ROOTS],
    evidence="epsilon sigma - 1/(2 sigma) = sqrt(2 ln(2/delta)), then Pr[Z > sqrt(2 ln(2/delta))] <= delta / 2; B >= sqrt(ln 2) > 0.8",
    formula=lambda a, b, epsilon: (a + b) / epsilon,
    note="In fact Pr[L > epsilon] <= delta / 2, as the proof bounds both tails where one matters.",
)
def theorem_4(shape: Any) -> Relations:
    epsilon = A**2 - B**2
    reached = threshold(shape(A, B, epsilon) * ROOT_2 / 2, epsilon)
    return {
        "epsilon sigma - 1/(2 sigma) = sqrt(2 ln(2/delta))": sp.Eq(reached, ROOT_2 * B),
        "the other reading of the radical is larger": B + epsilon >= A,
    }


def _smallest(scale: Any, delta_at: Any, names: str) -> Outcome:
    """Whether the scale satisfies a condition, and one millionth less does not."""
    facts = {}
    for e, d in LEVELS:
        sigma = scale(float(Fraction(e)), float(Fraction(d)))
        where = f"epsilon = {e}, delta = {d}, sigma = {sigma:.4f}"
        facts[f"enough at {where}"] = (delta_at(sigma * (1 + 1e-9), e), ball(d))
        facts[f"needed at {where}"] = (ball(d), delta_at(sigma * (1 - 1e-6), e))
    return check_sampled_reals(facts, f"twenty pairs, {names}")


def chernoff_failure(sigma: float, epsilon: str) -> Any:
    """The bound 2 e^(-t^2 / 2) that the proof uses for Pr[loss > epsilon], t = epsilon sigma - 1/(2 sigma), as a ball."""
    return 2 * (-(threshold(ball(Fraction(sigma)), ball(epsilon)) ** 2) / 2).exp()


PAPER.claim(
    "B.2.1 (step 2, best choice)",
    r"'the best choice of \sigma' is the one with equality, that of Theorem 4",
    hypotheses=f"{TWENTY}; enough, and one millionth less is too small",
    consequence="optimality",
    headline=6,
    readings={"smallest for the bound of the proof": "certified", "smallest for (epsilon, delta)-PAC LDP": "refuted"},
    formula=extended_scale,
    mutants={"the analytic Gaussian, another notion": analytic_scale},
    note="Best for the Chernoff bound on both tails, not for Def. 10: at epsilon = 1, delta = 0.1 it is 2.637, where 1.595 is enough (and 1.0859 for (epsilon, delta)-LDP).",
)(lambda scale: (_smallest(scale, chernoff_failure, "Chernoff's bound"), _smallest(scale, failure_of, "exact tail")))


FORMS = ("(z + root) / (2 * level)", "1 / (root - z)")
#: Derived mutants of `pac_scale` that compute the same number.
EITHER_FORM = dict.fromkeys(
    [
        *(f"{change}, line 18" for change in ("0 -> 1", "0 -> -1", "z >= 0 -> z > 0", "z >= 0 -> z <= 0")),
        f"{FORMS[0]} if z >= 0 else {FORMS[1]} -> {FORMS[1]} if z >= 0 else {FORMS[0]}, line 18",
    ],
    "two forms of one root, the one or the other for the sake of rounding",
)


PAPER.claim(
    "Theorem 4 (smallest scale, instances)",
    r"the smallest \sigma with (\epsilon,\delta)-PAC LDP is (z+\sqrt{z^2+2\epsilon})/(2\epsilon), z the (1-\delta)-quantile of the normal distribution",
    hypotheses=f"{TWENTY}, to one millionth; lpmech.mechanisms.gaussian.pac_scale",
    recorded="certified",
    formula=pac_scale,
    mutants={"Theorem 4": extended_scale},
    survivors=EITHER_FORM,
)(lambda scale: _smallest(scale, failure_of, "exact tail"))


@PAPER.claim(
    "Theorem 4 (smallest scale)",
    r"\epsilon\sigma-1/(2\sigma) increases in \sigma and equals z at \sigma=(z+\sqrt{z^2+2\epsilon})/(2\epsilon)",
    hypotheses="R = sqrt(z^2 + 2 epsilon); Pr[L > epsilon] = Pr[Z > epsilon sigma - 1/(2 sigma)] is largest for the pair 0, 1",
    given=[ROOT > QUANTILE, ROOT > -QUANTILE, SIGMA > 0, SHIFT > 0, SHIFT <= 1],
    formula=lambda z, r, epsilon: (z + r) / (2 * epsilon),
)
def best_scale_identity(formula: Any) -> Relations:
    epsilon = (ROOT**2 - QUANTILE**2) / 2
    sigma = formula(QUANTILE, ROOT, epsilon)
    return {
        "equal to z": sp.Eq(threshold(sigma, epsilon), QUANTILE),
        "positive": sigma > 0,
        "increasing": epsilon + 1 / (2 * SIGMA**2) > 0,
        "worst pair": epsilon * SIGMA / SHIFT - SHIFT / (2 * SIGMA) >= threshold(SIGMA, epsilon),
    }


@PAPER.claim(
    "Contributions (epsilon >= 0)",
    r"the Gaussian mechanism is extended from \epsilon\in[0,1] to \epsilon\in[0,\infty)",
    hypotheses="the sigma of Theorem 4 for epsilon > 0, A and B as there; at epsilon = 0 every sigma > 0: Pr[L > 0] = Pr[Z > -1/(2 sigma)], which is at most delta < 1/2 only if the threshold is positive",
    given=[sp.Rational(8, 10) < B, *ROOTS],
    consequence="wording",
    formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.ge),
    note="The text also says 'applicable for any epsilon'. Every positive epsilon is; at the end point 0 the formula for sigma is undefined, and the loss exceeds 0 with probability above 1/2 for every sigma.",
    uses=["Theorem 4"],
    repair=Repair(
        r"it is extended to \epsilon\in(0,\infty)",
        hypotheses="the sigma of Theorem 4; A and B as there",
        formula=(lambda a, b, epsilon: (a + b) / epsilon, operator.gt),
    ),
)
def from_zero(case: Any) -> Parts:
    shape, relation = case
    yield from theorem_4(shape).items()
    yield "every positive level", sp.Implies(EPSILON > 0, relation(EPSILON, 0))
    yield "no negative one", sp.Implies(EPSILON < 0, sp.Not(relation(EPSILON, 0)))
    if relation(0, 0):
        yield [SIGMA > 0], {"positive threshold at epsilon = 0": threshold(SIGMA, sp.Integer(0)) > 0}


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails)",
    r"when the Gaussian mechanism fails, the privacy loss exceeds \epsilon but remains bounded by a larger value",
    hypotheses="largest loss (2 r + 1) / (2 sigma^2) over outputs with |noise| <= r and the pair 0, 1; bounded: a limit exists as r grows",
    consequence="privacy",
    headline=10,
    formula=lambda r, sigma: (2 * r + 1) / (2 * sigma**2),
    mutants={"the square root": lambda r, sigma: sp.sqrt(r) / sigma},
    note="The paper itself says in B.2.1 that the loss is unbounded. Clipped to [0, 1] the mechanism is purely LDP: next claim.",
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
    hypotheses="((y - x_2)^2 - (y - x_1)^2)/(2 sigma^2) is continuous; the atoms at 0 and 1 have the ratio Pr[Z <= 0] / Pr[Z <= -1/sigma]",
    given=[SIGMA > 0, *unit(FIRST, SECOND, OUT)],
    formula=lambda sigma: 1 / (2 * sigma**2),
)
def bounded_inside(bound: Any) -> Relations:
    loss = ((OUT - SECOND) ** 2 - (OUT - FIRST) ** 2) / (2 * SIGMA**2)
    return sharp(loss, bound(SIGMA), sp.Eq(OUT, 1), sp.Eq(FIRST, 1), sp.Eq(SECOND, 0))


@PAPER.claim(
    "Section 5.2.2 (bounded when it fails) [repaired]",
    r"the loss is finite at every output and passes every bound",
    hypotheses="pair 0, 1 (output y, drawn from the input 1): loss (2 y - 1)/(2 sigma^2) > b for y > b sigma^2 + 1/2",
    given=[SIGMA > 0, BOUND > 0],
    formula=lambda b, sigma: b * sigma**2 + sp.Rational(1, 2),
    repairs="Section 5.2.2 (bounded when it fails)",
)
def passes_every_bound(place: Any) -> Relations:
    loss, start = (2 * OUT - 1) / (2 * SIGMA**2), place(BOUND, SIGMA)
    return iff(start < OUT, BOUND < loss, "above b", "beyond")
