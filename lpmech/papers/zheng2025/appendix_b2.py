"""Appendix B.2.1: the proof of Theorem 4, step by step."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lpmech.claims import Relations, Repair
from lpmech.claims.checking import check_sampled_reals, sharp
from lpmech.papers.zheng2025.balls import ball, upper_tail
from lpmech.papers.zheng2025.paper import DELTA, EPSILON, PAPER, distance
from lpmech.papers.zheng2025.theorem_4 import OUT, ROOT_2, ROOTS, SHIFT, SIGMA, A, B, threshold
from lpmech.verdicts import Outcome

Z, C, R, TAIL = sp.symbols("Z C R t")


@PAPER.claim(
    "B.2.1 (loss)",
    r"\mathcal L=\ln\frac{e^{-\tilde x^2/2\sigma^2}}{e^{-(\tilde x+\Delta)^2/2\sigma^2}}=\frac1{2\sigma^2}(2\tilde x\Delta+\Delta^2)",
    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1],
    formula=lambda x, d, s: (2 * x * d + d**2) / (2 * s**2),
)
def gaussian_loss(formula: Any) -> Relations:
    derived = -(OUT**2) / (2 * SIGMA**2) + (OUT + SHIFT) ** 2 / (2 * SIGMA**2)
    return {"loss": (derived, formula(OUT, SHIFT, SIGMA))}


@PAPER.claim(
    "B.2.1 (distribution of the loss)",
    r"\mathcal L\sim\frac\Delta\sigma Z+\frac{\Delta^2}{2\sigma^2}: mean \Delta^2/(2\sigma^2), variance \Delta^2/\sigma^2",
    hypotheses="x~ = sigma Z",
    given=[SIGMA > 0, SHIFT >= -1, SHIFT <= 1],
    formula=(SHIFT**2 / (2 * SIGMA**2), SHIFT**2 / SIGMA**2),
)
def loss_distribution(formula: Any) -> Relations:
    mean, variance = formula
    loss = sp.expand((2 * SIGMA * Z * SHIFT + SHIFT**2) / (2 * SIGMA**2))
    slope = sp.diff(loss, Z)
    return {"mean": (loss.subs(Z, 0), mean), "variance": (slope**2, variance)}


#: Delta in [-1, 1], not 0.
SHIFTED = [SIGMA > 0, EPSILON > 0, SHIFT >= -1, SHIFT <= 1, sp.Ne(SHIFT, 0)]


PAPER.claim(
    "B.2.1 (step 1, |Z|)",
    r"\mathcal L\ge\epsilon means |Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/\Delta",
    hypotheses="the implication, which is all that is used",
    consequence="proof",
    given=[*SHIFTED, SHIFT * Z / SIGMA + SHIFT**2 / (2 * SIGMA**2) >= EPSILON],
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    note="It holds for Delta > 0; for Delta < 0 it can fail if epsilon < Delta^2/(2 sigma^2), which the sigma found later excludes.",
    repair=Repair(
        r"\mathcal L\ge\epsilon implies |Z|\ge(\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|",
        hypotheses="",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / sp.Max(d, -d),
    ),
)(lambda bound: {"|Z| is large": sp.Max(Z, -Z) >= bound(EPSILON, SIGMA, SHIFT), **has_loss_epsilon(bound)})


def has_loss_epsilon(place: Any) -> Relations:
    """That the loss is epsilon at the place claimed."""
    loss = distance(SHIFT, 0) * place(EPSILON, SIGMA, SHIFT) / SIGMA + SHIFT**2 / (2 * SIGMA**2)
    return {"the loss is epsilon there": sp.Eq(loss, EPSILON)}


@PAPER.claim(
    "B.2.1 (step 1, worst Delta)",
    r"since \Delta\in[-1,1], \Delta=1 minimizes (\epsilon\sigma-\Delta^2/(2\sigma))/\Delta",
    hypotheses="the expression where the loss is epsilon, for Delta > 0",
    consequence="proof",
    given=SHIFTED,
    formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / d,
    note="For negative Delta the expression is smaller, as the sign of the division was lost. With |Delta| below, as the symmetry of Z demands, |Delta| = 1 is the worst.",
    repair=Repair(
        r"|\Delta|=1 minimizes (\epsilon\sigma-\Delta^2/(2\sigma))/|\Delta|",
        formula=lambda e, s, d: (e * s - d**2 / (2 * s)) / sp.Max(d, -d),
    ),
)
def worst_shift(expression: Any) -> Relations:
    least = expression(EPSILON, SIGMA, SHIFT) >= threshold(SIGMA, EPSILON)
    return {"at least the value at 1": least, **has_loss_epsilon(expression)}


PAPER.claim(
    "B.2.1 (step 1, two tails)",
    r"\Pr[|Z|\ge t]\le\delta implies \Pr[Z\ge t]\le\delta/2",
    hypotheses="t >= 0, so that Pr[|Z| >= t] = 2 Pr[Z >= t] = 2 q",
    given=[TAIL >= 0, DELTA > 0, DELTA < 1, 2 * TAIL <= DELTA],
    formula=lambda delta: delta / 2,
    note="Only Pr[Z >= t] <= delta is needed: the other tail belongs to losses below epsilon.",
)(lambda bound: sharp(TAIL, bound(DELTA), sp.Eq(2 * TAIL, DELTA)))


def _exponential(value: Any) -> Any:
    """c e^a with rational c and a as a ball."""
    factor, power = sp.sympify(value).as_coeff_Mul()
    return ball(str(factor)) * ball(str(sp.Rational(sp.log(power)))).exp()


@PAPER.claim(
    "B.2.1 (tail bound)",
    r"\Pr[Z\ge t]\le e^{-t^2/2}",
    hypotheses="standard normal Z, any t, as printed; t = -1, -2, 0, 1/2, 1, 2, 3",
    consequence="proof",
    formula=lambda t: sp.exp(-(t**2) / 2),
    control=lambda t: sp.exp(-(sp.Max(t, 0) ** 2) / 2),
    note="It needs t >= 0, which Theorem 4's sigma has; the proof also admits t <= -C, where the bound does not hold.",
)
def tail_bound(bound: Any) -> Outcome:
    values = {t: _exponential(bound(sp.Rational(t))) for t in ("-1", "-2", "0", "1/2", "1", "2", "3")}
    facts = {f"Pr[Z >= {t}] <= bound": (upper_tail(ball(t)), value) for t, value in values.items()}
    facts |= {
        f"no more than Chernoff's at {t}": (values[t], (-(ball(t) ** 2) / 2).exp()) for t in ("1/2", "1", "2", "3")
    }
    return check_sampled_reals(facts, "values of t")


@PAPER.claim(
    "B.2.1 (tail bound) [repaired]",
    r"\Pr[Z\ge t]\le e^{-t^2/2} for t\ge 0",
    hypotheses="standard normal Z; t > 0: E e^{sZ} = e^{s^2/2} and Markov's inequality with s = t (sympy integrates the moment); at t = 0 it is 1/2 <= 1",
    given=[TAIL > 0],
    formula=lambda t: sp.exp(-(t**2) / 2),
    repairs="B.2.1 (tail bound)",
)
def chernoff(bound: Any) -> Relations:
    s, z = sp.symbols("s z", positive=True)
    moment = sp.integrate(sp.exp(s * z - z**2 / 2) / sp.sqrt(2 * sp.pi), (z, -sp.oo, sp.oo))
    markov = sp.simplify(sp.simplify(moment * sp.exp(-s * TAIL)).subs(s, TAIL))
    return {"e^(-t s) E e^(s Z) at s = t": (markov, bound(TAIL))}


PAPER.claim(
    "B.2.1 (step 2, two cases)",
    r"(\epsilon\sigma-\frac1{2\sigma})^2\ge C^2 iff \epsilon\sigma-\frac1{2\sigma}\ge C or \le-C",
    hypotheses="C = sqrt(-2 ln(delta/2)) from e^(-t^2/2) <= delta/2",
    given=[C >= 0],
    formula=lambda t, c: sp.Or(t >= c, t <= -c),
)(lambda cases: {"iff": sp.Equivalent(TAIL**2 >= C**2, cases(TAIL, C))})


@PAPER.claim(
    "B.2.1 (step 2, solutions)",
    r"\epsilon\sigma-1/(2\sigma)=\pm C gives \sigma=(\pm C\pm\sqrt{C^2+2\epsilon})/(2\epsilon)",
    hypotheses="R = sqrt(C^2 + 2 epsilon); all four sign patterns solve one of the two equations",
    given=[C > 0, R > C],
    formula=lambda c, r, epsilon: [(i * c + j * r) / (2 * epsilon) for i in (1, -1) for j in (1, -1)],
    survivors={"i * c + j * r -> i * c - j * r": "the same four in another order"},
)
def solutions(formula: Any) -> Relations:
    epsilon = (R**2 - C**2) / 2
    roots = formula(C, R, epsilon)
    solved = {f"root {i + 1}": (threshold(s, epsilon) ** 2, C**2) for i, s in enumerate(roots)}
    sizes = (sum(root**2 for root in roots), (C**2 + R**2) / epsilon**2)
    return {**solved, "all four": sp.Eq(len(roots), 4), "every sign": (sum(roots), 0), "both sizes": sizes}


@PAPER.claim(
    "B.2.1 (step 2, the positive root)",
    r"since \sigma must be positive, the root is (C+\sqrt{C^2+2\epsilon})/(2\epsilon)",
    hypotheses="positivity as the reason: no other of the four roots is positive; R = sqrt(C^2 + 2 epsilon)",
    given=[C > 0, R > C],
    consequence="proof",
    formula=lambda sigma, c, r, epsilon: sigma > 0,
    note="(-C + R)/(2 epsilon) is positive too, and smaller. There epsilon sigma - 1/(2 sigma) = -C, where the tail bound fails: the loss exceeds epsilon with "
    "probability at least 1 - delta/2.",
    repair=Repair(
        r"of the positive roots only (C+\sqrt{C^2+2\epsilon})/(2\epsilon) has \epsilon\sigma-1/(2\sigma)\ge 0, as the tail bound needs",
        hypotheses="R = sqrt(C^2 + 2 epsilon)",
        formula=lambda sigma, c, r, epsilon: sp.And(sigma > 0, threshold(sigma, epsilon) >= 0),
    ),
)
def positive_root(selects: Any) -> Relations:
    epsilon = (R**2 - C**2) / 2
    root, *others = (selects(s / (2 * epsilon), C, R, epsilon) for s in (C + R, R - C, C - R, -C - R))
    names = ("(R - C)", "(C - R)", "(-C - R)")
    excluded = {f"{name} / (2 epsilon) is excluded": sp.Not(s) for name, s in zip(names, others, strict=True)}
    return {"the root qualifies": root, **excluded}


@PAPER.claim(
    "B.2.1 (equivalent to Theorem 4)",
    r"(\sqrt{-2\ln(\delta/2)}+\sqrt{-2\ln(\delta/2)+2\epsilon})/(2\epsilon) is equivalent to the \sigma of Theorem 4",
    hypotheses="A = sqrt(ln(2/delta) + epsilon), B = sqrt(ln(2/delta)), w = sqrt 2, epsilon = A^2 - B^2",
    given=[B > 0, *ROOTS],
    formula=lambda a, b, epsilon: (ROOT_2 * b + ROOT_2 * a) / (2 * epsilon),
    note="The sentence fixes how far the theorem's first radical reaches: over ln(2/delta) + epsilon. With epsilon outside of it the theorem would have a larger sigma, which is sufficient as well.",
)
def equivalent(derived: Any) -> Relations:
    epsilon = A**2 - B**2
    return {"sigma": (derived(A, B, epsilon), ROOT_2 / 2 * (A + B) / epsilon)}
