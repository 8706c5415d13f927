"""Sentences beside the theorems: what a higher p ensures (Section 1), the worst case, levels of d mechanisms, Section 6, C.2.1."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts, Relations, each
from lpmech.claims.checking import check_implications, check_reals, sharp
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checks import ball, unit
from lpmech.papers.zheng2025.balls import concentrations
from lpmech.papers.zheng2025.paper import DELTA, EPSILON, PAPER, THETA, T, X, positive
from lpmech.papers.zheng2025.section_5 import side_by_side
from lpmech.privacy import PrivacyLevel
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

S, HIGH, NEAR, FAR, KEPT = tm.symbols("s p n f E")
M_1, M_2, O_1, ALL_1, ALL_2, ONE_1, ONE_2, ALL = tm.symbols("m_1 m_2 o_1 P Q p q R")
SIDE, OTHER, MORE, PRECISION, COUNT, DIMENSIONS, HALF = tm.symbols("a u v kappa N d b")


@PAPER.claim(
    "Section 1 (a higher p ensures better utility)",
    r"'an LDP mechanism that provides a higher $p(\epsilon,\theta)$ ensures better utility at the same privacy level'",
    hypotheses=r"$m$ the mass in the ball, on which $h$ is robust, $o$ the chance of the class of $x$ given an output outside, both in $[0, 1]$: the utility is $m+(1-m)o$. For the utility itself: PM and the clipped Laplace mechanism at $\epsilon = 1$, $x = 1/2$, $\theta = 2/5$, another class on $(9/10, 95/100)$ only",
    consequence="optimality",
    readings={"a better guarantee, the least utility over such $h$": "proved", "a better utility of $h$": "refuted"},
    formula=lambda m, o: m + (1 - m) * o,
    mutants={"outside and inside exchanged": lambda m, o: 1 - m + m * o},
    note="$p$ is the least utility, that of an $h$ with another class everywhere else; what is released outside the ball counts as well. PM has 0.879 in the ball against 0.330, and keeps the class with 0.970 against 0.984.",
)
def better_utility(utility: Any) -> tuple[Outcome, ...]:
    given = [*unit(M_1, M_2, O_1), M_1 >= M_2]
    least = {"least at o = 0": utility(M_1, 0) <= utility(M_1, O_1), "there the mass": tm.Eq(utility(M_1, 0), M_1)}
    order = {"a larger mass has a larger least": utility(M_1, 0) >= utility(M_2, 0)}
    values = concentrations(1, "2/5")
    between = (-ball("2/5")).exp() - (-ball("9/20")).exp()
    lost = {"PM": ball("1/20") * (-ball("1/2")).exp(), "Laplace": between / 2}
    found = {name: utility(values[name], 1 - lost[name] / (1 - values[name])) for name in lost}
    more = {
        "PM has no less in the ball than Laplace": (values["Laplace"], values["PM"]),
        "PM keeps the class no less often than Laplace": (found["Laplace"], found["PM"]),
    }
    return check_implications(given, least | order), check_reals(more, "PM against Laplace")


@PAPER.claim(
    "Section 4.3 (rho_wor at a boundary)",
    r"$\rho_{\mathrm{wor}}(\epsilon)=\min_{x\sim P_x}\rho(\epsilon,\theta)$ is 0 if the support of $P_x$ meets the decision boundary: $\Pr[M(x)\in B_\theta(x)]\le 2\theta\max p$, and $\theta\to 0$ there",
    hypotheses=r"the radius of Def. 3; a window mechanism, $n$ of the ball in the window of density $p$ and $f$ outside; Laplace noise with $\max p = \epsilon/2$ and $E = e^{-\theta \epsilon} \ge 1 - \theta \epsilon$; in $d$ dimensions the power $d$",
    given=[T > 1, *positive(HIGH, THETA, EPSILON), NEAR >= 0, FAR >= 0, NEAR + FAR <= 2 * THETA],
    kind="ours",
    formula=lambda theta, p: 2 * theta * p,
    note=r"So for a continuous $P_x$ the worst case says nothing, and on a data set the record next to the boundary decides it. In the example of Section 3 the class at $x = 0.2$ is kept with $(1 - e^{-0.6 \epsilon})/2$ by Laplace noise, at least.",
)
def worst_case(bound: Any) -> Relations:
    mass, most = NEAR * HIGH + FAR * HIGH / T, bound(THETA, HIGH)
    laplace = tm.Implies(1 - KEPT <= THETA * EPSILON, 1 - KEPT <= bound(THETA, EPSILON / 2))
    zero = {"Laplace": laplace, "0 at theta = 0": (bound(0, HIGH), 0)}
    return sharp(mass, most, tm.Eq(NEAR, 2 * THETA), tm.Eq(FAR, 0)) | zero


@PAPER.claim(
    "Section 5.1 (d epsilon)",
    r"'$d$ independent $\mathcal{M}_\epsilon$ (i.e. pure $d\epsilon$-LDP)', as the $2\epsilon$-LDP of Section 7.2.1: no less",
    hypotheses=r"every $d$, from $d$ to $d + 1$: $P \le R Q$ probabilities (or densities) of what $d$ release, $p \le t q$ of one more",
    given=[T > 1, ALL > 0, *(v >= 0 for v in (ALL_1, ALL_2, ONE_1, ONE_2)), ALL_1 <= ALL * ALL_2, ONE_1 <= T * ONE_2],
    replay="k-RR for k = 2, 3, t = 2, 3, d = 1, 2, 3",
    formula=lambda ratio, t: ratio * t,
)
def d_epsilon(one_more: Any) -> Parts:
    for k, t in product((2, 3), (2, 3)):
        one, claimed = randomized_response(k, PrivacyLevel.from_ratio(t)), t
        for d in (2, 3):
            ratio, claimed = side_by_side(one, d).ratio, one_more(claimed, t)
            yield Instance(f"k = {k}, t = {t}, d = {d}: tight ratio", ratio, "==", claimed)
    both_equal = tm.Eq(ALL_1, ALL * ALL_2), tm.Eq(ONE_1, T * ONE_2)
    yield from sharp(ALL_1 * ONE_1, one_more(ALL, T) * ALL_2 * ONE_2, *both_equal).items()


@PAPER.claim(
    "Section 5.2.1 (level of d mechanisms)",
    r"substituting $I_\delta(\mathcal{M}^d(x))$ for $\mathcal{M}^d(x)$ relaxes 'the privacy guarantee to $(\epsilon,\delta)$-PAC LDP'",
    hypotheses=r"PM on $d = 2$ features, $s = e^{\epsilon/2}$, the pair $(0, 0)$, $(1, 1)$: each loss is $\epsilon$ with probability $s/(s + 1)$, that of its own window, else 0 or $-\epsilon$; $0 < \delta < 1$. The indicator's $\Pr[L > \text{level}]$ should be $\delta$",
    consequence="wording",
    readings={
        r"$\epsilon$ that of $M^d$, all features together": "proved",
        r"$\epsilon$ that of each mechanism": "refuted",
    },
    formula=lambda delta, exceeds: delta + (1 - delta) * exceeds,
    mutants={"without the coin": lambda delta, exceeds: exceeds + 0 * delta},
    note=r"The next sentence of the paper, and all its case studies, have $(d \epsilon, \delta)$, which is right for mechanisms without atoms ('Theorem 3 [repaired]').",
)
def level_of_d(fails: Any) -> tuple[Outcome, ...]:
    given = [S > 1, DELTA > 0, DELTA < 1]
    above = {
        "both": tm.Rational(0),
        "each": (S / (S + 1)) ** 2,
    }  # of M^2 alone, at the level of both and at that of each
    return tuple(
        check_implications(given, {"it fails with probability delta": tm.Eq(fails(DELTA, above[of]), DELTA)})
        for of in each("level of", above)
    )


@PAPER.claim(
    "Section 5.1 (not unique)",
    r"'the robustness hyperrectangle $\theta_\diamond$ is not unique, unlike the robustness radius': $h=1$ iff $u+v\le 1$ has at $(0,0)$ a maximal one $[0,a]\times[0,1-a]$ for every $a$",
    given=[*unit(SIDE), OTHER >= 0, MORE >= 0],
    formula=lambda a: 1 - a,
    note=r"$\rho$ differs among them, and no order of the faces is best for all mechanisms; the paper's own wish is that the ball be inside, here $a = 1/2$.",
)
def not_unique(side: Any) -> Relations:
    beyond = tm.And(OTHER > SIDE, tm.Eq(MORE, side(SIDE)))
    return {
        "robust": tm.Implies(tm.And(OTHER <= SIDE, MORE <= side(SIDE)), OTHER + MORE <= 1),
        "the first side": tm.Implies(beyond, OTHER + MORE > 1),
        "the second": tm.Implies(tm.And(tm.Eq(OTHER, SIDE), MORE > side(SIDE)), OTHER + MORE > 1),
    }


@PAPER.claim(
    "Section 6 (radii of all inputs)",
    r"'users can uniformly query the classifier over the entire input domain ... this one-time procedure yields robustness radii for all inputs': to a precision $\kappa$ it takes at least $(2\kappa)^{-d}$ queries, $50^{49}>10^{83}$ for 49 pixels at $\kappa=0.01$",
    hypotheses=r"a point with no query within $\kappa$ may have radius 0, or $\kappa$ and more: a class that only its ball has is not seen. $N$ balls of volume $(2 \kappa)^d$ cover $[0, 1]^d$ only if $N (2 \kappa)^d \ge 1$; enough where $1/(2 \kappa)$ is whole",
    given=[PRECISION > 0, COUNT >= 0, tm.Whole(DIMENSIONS), DIMENSIONS >= 1],
    replay="the number for 49 pixels",
    kind="ours",
    formula=lambda kappa, d: (2 * kappa) ** -d,
    note="With two features it is 2,500. For many, the radii cannot be had without asking near the own record.",
)
def queries(needed: Any) -> Parts:
    yield needed(Fraction(1, 100), 49) > 10**83 or "49 pixels: at most 10^83"
    enough = COUNT * (2 * PRECISION) ** DIMENSIONS >= 1
    yield "the volumes add up to 1, and not with fewer", tm.Equivalent(enough, COUNT >= needed(PRECISION, DIMENSIONS))


@PAPER.claim(
    "C.2.1 (unbiased)",
    r"the original PM is unbiased; 'unlike PM, SW is biased': its mean is $\frac{1}{2}+(1-r)(x-\frac{1}{2})$ with $0<r<1$, right at $x=\frac{1}{2}$ only. Normalised to Def. 11 PM is biased too",
    hypotheses=r"window means times the difference of the densities, plus the mean of the rest; PM as in 'C.2.1 (PM normalized)' on $[-c, c]$, $c = (s+1)/(s-1)$; SW as in 'C.2.1 (SW normalized)', $b > 0$; Def. 11 at $x = 0$, $s = e^{\epsilon/2}$, where its mean is $1/(s+1)$; in each case the mean of a density $q$ on $[m - h, m + h]$ and $q/t$ on the rest of $[l, r]$",
    given=[S > 1, T > 1, HALF > 0],
    kind="remark",
    formula=lambda q, t, m, h, left, right: (q - q / t) * 2 * h * m + q / t * (right**2 - left**2) / 2,
    note="The paper compares PM and SW after normalising, where none is unbiased; for a classifier it does not matter.",
)
def means(mean: Any) -> Parts:
    c, half = (S + 1) / (S - 1), 1 / (2 * (S + 1))
    pm = mean((S**2 - S) / (2 * S + 2), S**2, (c + 1) * X / 2, (c - 1) / 2, -c, c)
    q = T / (2 * HALF * T + 1)
    kept = q * (1 - 1 / T) * 2 * HALF
    yield "PM", (pm, X)
    yield "SW", (mean(q, T, X, HALF, -HALF, 1 + HALF), tm.Rational(1, 2) + kept * (X - tm.Rational(1, 2)))
    yield "SW is biased", tm.And(kept > 0, kept < 1)
    yield "Def. 11 at 0", (mean(S, S**2, half, half, tm.Rational(0), tm.Rational(1)), 1 / (S + 1))
