"""Section 4.3: the utility guarantee rho, its applications, Example 2, the takeaway, the impact of the dimension."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import or_
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.applications.robustness import Box, epsilon_for
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import (
    check_identities,
    check_implications,
    check_reals,
    check_sampled_reals,
    sharp,
)
from lpmech.mechanisms import PM
from lpmech.mechanisms.grid import k_rr_on_bins
from lpmech.mechanisms.grid_concentration import best_worst_case_concentration
from lpmech.papers.checks import ball, sampled, unit
from lpmech.papers.zheng2025.balls import concentrations, leads, masses
from lpmech.papers.zheng2025.paper import OMEGA, PAPER, TAU, T, sw_shape
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

MU, ACCEPT, MASS, SAME, OTHER, VOLUME, LOW, HIGH, NEAR, FAR = tm.symbols("mu a m s o V q p n f")
S, K, SHARE, D, FIRST, SECOND, REACH = tm.symbols("s k c d c_1 c_2 m")
UNIT = [TAU > 0, TAU < 1, OMEGA > 0, OMEGA < 1]


@PAPER.claim(
    "Section 4.3 ((1 - omega)(1 - tau))",
    r"with the remaining $\omega$ and $\tau$ fractions non-robust, $(1-\omega)(1-\tau)$ is a conservative estimate of the robustness on the ball",
    hypotheses=r"$0 < \tau$, $\omega < 1$, $\mu \in [0, 1]$ the true robustness on the ball, $a \in [0, 1]$ the probability that the test accepts it, $a \le \omega$ if $\mu < 1 - \tau$; if it does not "
    "accept, the radius is 0 and the class is kept",
    consequence="bound",
    readings={
        "jointly over the sample of the test and a uniform point": "proved",
        "once the test has accepted": "refuted",
    },
    formula=lambda tau, omega: (1 - omega) * (1 - tau),
    mutants={"1 - omega tau": lambda tau, omega: 1 - omega * tau},
    note=r"$\omega$ is no fraction of the inputs: it is the chance of a misleading sample. Averaged over that chance and over uniform points of "
    "the ball the estimate holds; once the test has accepted, the true robustness may be anything.",
)
def confidence_and_tolerance(estimate: Any) -> tuple[Outcome, ...]:
    claimed = estimate(TAU, OMEGA)
    given = [*UNIT, *unit(MU, ACCEPT), tm.Or(MU >= 1 - TAU, ACCEPT <= OMEGA)]
    return (
        check_implications(given, {"at least the estimate": (1 - ACCEPT) + ACCEPT * MU >= claimed}),
        check_implications([*given, ACCEPT > 0], {"mu is at least the estimate": claimed <= MU}),
    )


@PAPER.claim(
    "Section 4.3 (lower bound)",
    r"with probability at least $(F(x+\theta)-F(x-\theta))(1-\omega)(1-\tau)$ the class is preserved, if $h$ agrees on all but a $\tau$ fraction of $B_\theta(x)$",
    hypotheses="one dimension",
    given=[*UNIT, VOLUME > 0, LOW > 0, LOW <= HIGH, NEAR >= 0, FAR >= 0, NEAR + FAR <= TAU * VOLUME, MASS >= 0],
    replay="PM at x = 1/2, e^(epsilon/2) = 2..32, theta = 1/4, 1/2, omega = 1/20, tau = 1/100 (the paper's); h differs on 1/100 or 1/250 of the ball, next to x",
    consequence="bound",
    headline=1,
    formula=lambda mass, tau, omega, volume, high: mass * (1 - omega) * (1 - tau),
    note=r"The robustness is measured under the uniform distribution on the ball, the mechanism does not release uniformly: PM puts $e^{\epsilon/2}$ times the length "
    r"on points near $x$. In $d$ dimensions the factor is $e^{d \epsilon/2}$. With $1/250$ of the ball, which the test accepts, it fails from $e^{\epsilon/2} = 16$ on.",
    repair=Repair(
        r"it is preserved with probability at least $\Pr[\mathcal{M}(x)\in B]-\tau|B|\max p$, $|B|$ the volume of the ball and $p$ the density",
        hypotheses=r"a window mechanism: a set of length at most $\tau V$, $V = |B|$, $n$ of it in the window with density $p$, $f$ outside with density $q$; the rest of the ball has the class of $x$",
        formula=lambda mass, tau, omega, volume, high: mass - tau * volume * high,
    ),
)
def lower_bound(bound: Any) -> Parts:
    shares, radii = (Fraction(1, 100), Fraction(1, 250)), (Fraction(1, 2), Fraction(1, 4))
    for share, theta, s in product(shares, radii, (2, 3, 4, 6, 8, 12, 16, 24, 32)):
        inside = min(Fraction(1, s + 1), 2 * theta)
        mass = inside * s + (2 * theta - inside) / s
        utility = mass - 2 * theta * share * s  # share * 2 theta is less than the window everywhere
        value = bound(mass, Fraction(1, 100), Fraction(1, 20), 2 * theta, Fraction(s))
        where = f"PM, e^epsilon = {s * s}, x = 1/2, theta = {theta}, another class on a stretch of length {2 * theta * share} next to x"
        yield Instance(f"{where}: class preserved with this probability, against the bound", utility, ">=", value)
    utility, claimed = MASS - (NEAR * HIGH + FAR * LOW), bound(MASS, TAU, OMEGA, VOLUME, HIGH)
    yield from sharp(claimed, utility, tm.Eq(NEAR, TAU * VOLUME), tm.Eq(FAR, 0)).items()  # all of it in the window


PAPER.claim(
    "Section 4.3 (product)",
    r"$\Pr[\mathcal{M}(x)\in B]\cdot\Pr_{\tilde{x}}[h(\tilde{x})=h(x)]$ is a lower bound when $\tilde{x}$ is drawn from $\mathcal{M}(x)$ given $\tilde{x}\in B$",
    hypotheses="any mechanism and classifier, probabilities $m$, $s$, $o$ of the ball, of $h(x)$ inside and of $h(x)$ outside: the sample of the test must be drawn from the mechanism, not uniformly",
    given=unit(MASS, SAME, OTHER),
    formula=lambda mass, same: mass * same,
)(lambda bound: sharp(bound(MASS, SAME), MASS * SAME + (1 - MASS) * OTHER, tm.Eq(OTHER, 0)))


@PAPER.claim(
    "Section 4.3 (power d)",
    r"$\Pr[\mathcal{M}^d(x)\in B_\theta(x)]=(F(x+\theta)-F(x-\theta))^d$ for $d$ independent mechanisms",
    hypotheses=r"$d = 2$; $c_1$, $c_2 \in [0, 1]$ the concentrations at the two coordinates of $x$",
    consequence="wording",
    readings={
        "the same concentration in every dimension": "proved",
        "a concentration that depends on the coordinate": "refuted",
    },
    formula=lambda first, second: first**2,
    mutants={"d times": lambda first, second: 2 * first, "one of them": lambda first, second: first},
    note="PM, SW, k-RR and everything truncated depend on $x$, and the coordinates of $x$ differ: the product over the coordinates is meant.",
)
def power(formula: Any) -> tuple[Outcome, ...]:
    claimed, given = formula(FIRST, SECOND), unit(FIRST, SECOND)
    alike, apart = tm.Eq(FIRST * FIRST, claimed.at({SECOND: FIRST})), (FIRST * SECOND, claimed)
    points = [{FIRST: tm.Rational(1, 2), SECOND: tm.Rational(1, 3)}]
    return check_implications(given, {"mass of the ball": alike}), check_identities(
        {"mass of the ball": apart}, "", points, given
    )


def _leads(name: str, points: Iterable[tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    """That the mechanism has the highest concentration of those in Fig. 4 at all (epsilon, theta), at x = 1/2."""
    places = (leads(name, f"epsilon = {e}, theta = {theta}", concentrations(e, theta)) for e, theta in points)
    return reduce(or_, places, {})


@PAPER.claim(
    "Example 2 (no best mechanism)",
    r"no single mechanism is universally optimal for all $\epsilon$ and $\theta$: at $\epsilon=2$ SW is best for $\theta=0.1$, PM for $\theta=0.3$",
    hypotheses="$x = 0.5$; Laplace, PM, SW, exponential (with the sign that favours near points) and k-RR on 0, 0.01, ..., 1",
    formula=("SW", "PM"),
    mutants={"PM twice": ("PM", "PM"), "SW twice": ("SW", "SW"), "k-RR": ("k-RR", "PM")},
)
def no_best(winners: Any) -> Outcome:
    first, second = winners
    facts = _leads(first, [(2, "1/10")]) | _leads(second, [(2, "3/10")])
    return check_reals(facts, "two points of Fig. 4; the first is where it begins")


@PAPER.claim(
    "Example 2 (SW below 0.1)",
    r"when $\epsilon=2$ and $\theta\le 0.1$ SW performs best",
    hypotheses=r"$x = 0.5$, $\theta$ from the least one stated (0 if none is) to 0.1: at the least, and at every multiple of 0.01, where the steps of k-RR and of the exponential mechanism rise; between them "
    r"SW has $\theta (e^2 - 1)$, PM $2 e \theta$, Laplace less than $2 \theta$ (SW's and PM's half windows are longer than 0.1)",
    consequence="wording",
    formula="0",
    note=r"Below $\theta = 0.01368$ the atom of k-RR at $x$ wins. Fig. 4 begins at $\theta = 0.1$.",
    uses=["Example 2 (no best mechanism)"],
    repair=Repair(
        r"for $0.0137\le\theta\le 0.1$ it does; 0.0137 is the least such bound with four decimals", formula="0.0137"
    ),
)
def sw_below(least: str) -> Outcome:
    start, t = Fraction(least), ball(2).exp()
    slopes = {"2 e < e^2 - 1": (2 * ball(1).exp(), t - 1), "2 < e^2 - 1": (ball(2), t - 1)}
    slopes["SW's half window"] = (ball("1/10"), (t + 1) / (2 * (t - 1) ** 2))
    ends = [*(Fraction(k, 100) for k in range(1, 11) if Fraction(k, 100) > start), start]
    before = concentrations(2, max(start - Fraction(1, 10000), Fraction(0)))
    sharp = {f"k-RR is ahead 0.0001 below {least}": (before["SW"], before["k-RR"])}
    return check_reals(slopes | _leads("SW", [(2, end) for end in ends]) | sharp, "every theta from there to 0.1")


FIGURE = [(e, Fraction(k, 100)) for e in (2, 4, 6) for k in range(10, 50)]


@PAPER.claim(
    "Example 2 (PM at larger values)",
    r"as $\epsilon$ and $\theta$ increase, PM becomes the superior choice",
    hypotheses=r"Fig. 4 recomputed: $x = 0.5$, $\epsilon = 2$, 4, 6, $\theta = 0.10$, 0.11, ..., 0.49 in ball arithmetic; at 0.5 all bounded mechanisms have 1",
    recorded="certified",
    formula=lambda epsilon, theta: epsilon > 2 or theta >= Fraction(13, 100),
    survivors=dict.fromkeys(["100 -> 101", "2 -> 3"], "the same points of the figure"),
    note=r"At $\epsilon = 2$ it takes over between $\theta = 0.12$ and 0.13, at 4 and 6 it leads at all of them. For all $\epsilon$ and $\theta$: 'Takeaway (where PM leads)'.",
)
def pm_large(region: Any) -> Outcome:
    facts = _leads("PM", [point for point in FIGURE if region(*point)])
    for e, theta in each("epsilon, theta", [point for point in FIGURE if not region(*point)]):
        values = concentrations(e, theta)
        facts[f"PM is behind SW at epsilon = {e}, theta = {theta}"] = (values["PM"], values["SW"])
    return check_sampled_reals(facts, "the stated region of Fig. 4, and no other point of it")


def _against_bins(name: str) -> dict[str, tuple[Any, Any]]:
    """That the mechanism has more than k-RR on 1/(2 theta) bins."""
    found: dict[str, tuple[Any, Any]] = {}
    for e, k in each("epsilon, k", product(("2", "4", "6", "8", "10"), (2, 3, 4, 5))):
        t, theta = ball(e).exp(), Fraction(1, 2 * k)
        values = {name: concentrations(e, theta)[name], f"k-RR on {k} bins": t / (t + k - 1)}
        found |= leads(name, f"epsilon = {e}, theta = {theta}", values)
    return found


@PAPER.claim(
    "Takeaway (PM)",
    r"if $\epsilon\ge 2$ and $\theta\ge 0.1$, PM is generally the best choice",
    hypotheses=r"$x = 0.5$, the mechanisms of Fig. 4 with k-RR on 101 points; $\theta = 0.10$, ..., 0.49",
    consequence="wording",
    readings={
        "at nearly every point of Fig. 4": "certified",
        "always in Fig. 4": "refuted",
        r"for every $\epsilon$ from 4 to 10": "refuted",
        "among all LDP mechanisms": "refuted",
    },
    formula="PM",
    mutants={"SW": "SW", "k-RR": "k-RR", "Laplace": "Laplace"},
    note=r"In the figure 117 of 120 points. It fails at $\epsilon = 2$ and $\theta = 0.10$, 0.11, 0.12 (SW), and from $\epsilon = 9.2$ on, where k-RR wins everywhere. "
    r"k-RR on the middles of $1/(2 \theta)$ bins beats it at once: 0.881 against 0.816 at $\epsilon = 2$, $\theta = 0.25$; see 'Takeaway (program)'.",
)
def takeaway(name: str) -> tuple[Outcome, ...]:
    wins = sum(all(bool(a < b) for a, b in _leads(name, [point]).values()) for point in FIGURE)
    most = [Instance(f"points of 120 at which {name} leads", wins, ">=", 108)]
    coarse = product((4, 6, 8, 10), (Fraction(k, 10) for k in (1, 2, 3, 4)))
    return (
        sampled(most, "at least 9 of 10 points of Fig. 4", "ball arithmetic (rigorous)"),
        check_reals(_leads(name, FIGURE), "every point"),
        check_reals(_leads(name, coarse), "every point"),
        check_reals(_against_bins(name), "k-RR on bins"),
    )


@PAPER.claim(
    "Takeaway (where PM leads)",
    r"PM has the highest concentration of the mechanisms of Fig. 4 for $0.1\le\epsilon\le 9.18$ and every $\theta$ from its half window $C=1/(2(e^{\epsilon/2}+1))$ to $1/2$; up to SW's half window SW has more",
    hypotheses=r"$x = 0.5$; $s = e^{\epsilon/2}$, known of it only that $\epsilon < s - 1/s$, which is $\sinh(\epsilon/2) > \epsilon/2$; lost are $(1 - 2 \theta)/s$ under PM, $v/s$ with $v = e^{(1/2 - \theta) \epsilon}$ under Laplace, $(1 - 2\theta)(1 - 1/t)/\epsilon$ under SW, $(100 - 2m)/(100 + t)$ under k-RR and at least $2(50 - m)/(101 w)$, $w^2 = s$, under the exponential mechanism, $m$ points on each side",
    kind="ours",
    formula=(Fraction(21, 20), Fraction(9898, 100)),
    note=r"At $\epsilon = 2$ $C$ is 0.134, at 4 it is 0.060: of the points with $\epsilon \ge 2$, $\theta \ge 0.1$ only those below $C$ can belong to another mechanism, until k-RR takes over at "
    r"$e^{\epsilon/2} = 50 + \sqrt{2400}$, $\epsilon = 9.19$.",
)
def where_pm_leads(levels: Any) -> Parts:
    low, high = levels
    s, e, theta, v, w = tm.symbols("s epsilon theta v w")
    c, lost, sw = 1 / (2 * (s + 1)), (1 - 2 * theta) / s, sw_shape(e, s**2)[1]
    sinh = [s > 1, e > 0, e < s - 1 / s]
    inside = [s >= low, s <= high, theta >= c, theta <= tm.Rational(1, 2)]
    points = [*inside, REACH >= 0, 100 * theta >= REACH, REACH <= 50]
    root = [*points, w > 0, tm.Eq(w**2, s)]
    rivals = (
        ([*sinh, *inside, v >= 1], "Laplace", lost <= v / s),
        ([*sinh, *inside], "SW", lost <= (1 - 2 * theta) * (1 - 1 / s**2) / e),
        (sinh, "SW's half window is the shorter one", sw <= c),
        ([*sinh, theta > 0], "SW up to there", 2 * theta * s < 2 * theta * (s**2 - 1) / e),
        (points, "k-RR", lost <= (100 - 2 * REACH) / (100 + s**2)),
        (root, "exponential", lost <= 2 * (50 - REACH) / (101 * w)),
    )
    for given, name, relation in each("rival", rivals):
        yield given, {name: relation}
    ends = {"0.1 is in it": (ball(low), ball("0.05").exp()), "9.18 is in it": (ball("4.59").exp(), ball(high))}
    yield check_reals(ends, "the stated levels")


@PAPER.claim(
    "Takeaway (program)",
    r"the largest $\min_x$ concentration of an $\epsilon$-LDP mechanism on $[0,1]$ is $e^\epsilon/(e^\epsilon+k-1)$, $k=\lceil 1/(2\theta)\rceil$, attained by k-RR on the middles of $k$ bins",
    hypotheses=r"every radius; $k$ points further than $2 \theta$ apart, each ball hit with at least $c$",
    given=[SHARE >= 0, T > 1, K >= 1, SHARE + (K - 1) * SHARE / T <= 1],
    replay="the channel itself at t = 5, theta = 1/14..1/2, every x in steps of 1/60",
    kind="ours",
    formula=lambda t, k: t / (t + k - 1),
)
def worst_case_optimum(value: Any) -> Parts:
    level = PrivacyLevel.from_ratio(5)
    for theta in (Fraction(a, 14) for a in (1, 2, 3, 4, 5, 7)):
        bins = -((-1) // (2 * theta))
        lowest = min(float(k_rr_on_bins(bins, level).concentration(Fraction(i, 60), theta)) for i in range(61))
        claimed = value(Fraction(5), bins)
        same = best_worst_case_concentration(theta, level) == claimed and abs(lowest - float(claimed)) <= 1e-12
        where = f"t = 5, theta = {theta}: k-RR on {bins} bins"
        yield same or f"{where} has {lowest} at its worst x, claimed {claimed}"
    yield "c at most the value", value(T, K) >= SHARE


@PAPER.claim(
    "Takeaway (k-RR on bins dominates PM)",
    r"at $\theta=1/(2k)$, PM's concentration at any $x$ is at most that of k-RR on $k$ bins, with equality iff $e^{\epsilon/2}=k-1$",
    hypotheses=r"$s = e^{\epsilon/2}$, $k$ real; PM by its larger values, those of balls inside $[0, 1]$",
    given=[S > 1, K >= 2],
    headline=8,
    kind="ours",
    formula=lambda s, k: s**2 / (s**2 + k - 1),
)
def bins_dominate(value: Any) -> Relations:
    around, within, claimed = 1 - (1 - 1 / K) / S, S / K, value(S, K)
    return {
        "more, window inside the ball": tm.Implies(S > K - 1, claimed > around),
        "more, ball inside the window": tm.Implies(S < K - 1, claimed > within),
        "equal at s = k - 1": tm.Implies(tm.Eq(S, K - 1), tm.And(tm.Eq(claimed, around), tm.Eq(claimed, within))),
        "k-RR, t times the probability of another bin": tm.Eq(claimed, S**2 * (1 - claimed) / (K - 1)),
    }


@PAPER.claim(
    "Application 2",
    r"for $\theta=0.3$ and $\rho\ge 0.8$ under PM we can set $\epsilon=1.8$",
    hypotheses=r"$\rho$ as defined in 4.3 with its factor $(1 - \omega)(1 - \tau) = 0.9405$ for the fixed $\omega = 0.05$, $\tau = 0.01$; ball inside $[0, 1]$",
    consequence="bound",
    formula={"ball inside [0, 1]": "1.8"},
    control={"ball inside [0, 1]": "1.97"},
    note=r"$\rho(1.8, 0.3) = 0.7875$. The concentration alone is 0.8374 there for a ball inside $[0, 1]$, but 0.7154 at $x = 0$, so that the sentence fails at $x = 0$ without the factor too.",
    repair=Repair(
        "1.97 is the least level with two decimals for a ball inside $[0,1]$, 3.09 at $x=0$",
        hypotheses=r"$\rho$ as defined in 4.3 with its factor $(1 - \omega)(1 - \tau) = 0.9405$ for the fixed $\omega = 0.05$, $\tau = 0.01$",
        formula={"ball inside [0, 1]": "1.97", "x = 0": "3.09"},
    ),
)
def application_2(levels: dict[str, str]) -> Outcome:
    facts = {}
    places = {"x = 0": ("0", "0.3", "0"), "ball inside [0, 1]": ("0.2", "0.8", "0.5")}
    for where in each("place of x", levels):
        epsilon = levels[where]
        low, top, x = map(Fraction, places[where])
        less = Fraction(epsilon) - Fraction(1, 100)
        rho, before = (masses(ball(e), low, top, x)["PM"] * ball("0.9405") for e in (epsilon, less))
        facts[f"rho({epsilon}, 0.3) is at least 0.8, {where}"] = (ball("0.8"), rho)
        facts[f"a hundredth less is not enough, {where}"] = (before, ball("0.8"))
        box = Box(np.array([float(low)]), np.array([float(top)]))
        found = ball(Fraction(epsilon_for(0.8 / (0.95 * 0.99), lambda e: [PM(e)], [float(x)], box)))
        facts[f"{epsilon} is enough for lpmech's epsilon_for, {where}"] = (found, ball(epsilon))
        facts[f"and a hundredth less is not, {where}"] = (ball(less), found)
    return check_reals(facts, "the level and a hundredth less, by hand and by epsilon_for")


@PAPER.claim(
    "Section 4.3 (dimension)",
    r"$\rho(\epsilon,\theta)$ decreases exponentially with $d$",
    hypotheses="the same concentration in every dimension and a fixed radius",
    given=[SHARE > 0, SHARE < 1, D >= 1],
    formula=lambda c, d: c**d,
)
def dimension(rho: Any) -> Relations:
    ratio = rho(SHARE, D + 1) / rho(SHARE, D)
    return {"rho(d + 1) / rho(d)": (ratio, SHARE), "d = 1": (rho(SHARE, tm.Rational(1)), SHARE)}


PAPER.leave_out(
    "rho_avg and rho_wor",
    "definitions of the mean and the minimum over a data distribution; computed in lpmech.applications.robustness",
)
