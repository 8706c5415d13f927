"""Section 4.3: the utility guarantee rho, its applications, Example 2, the takeaway, the impact of the dimension."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.grid import best_worst_case_concentration, k_rr_on_bins
from lpmech.papers.checking import (
    check_family,
    check_identities,
    check_implications,
    check_reals,
    check_sampled_reals,
    unless_refuted,
)
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.paper import OMEGA, PAPER, TAU, ball, concentrations
from lpmech.verdicts import Outcome, proved, unclear

MU, ACCEPT, MASS, SAME, VOLUME, LOW, HIGH, NEAR, FAR, D = sp.symbols("mu a m s V q p n f d")
UNIT = [TAU > 0, TAU < 1, OMEGA > 0, OMEGA < 1]


@PAPER.claim(
    "Section 4.3 ((1 - omega)(1 - tau))",
    r"with the remaining \omega and \tau fractions non-robust, (1-\omega)(1-\tau) is a conservative estimate of the robustness on the ball",
    hypotheses="0 < tau, omega < 1, mu in [0, 1] the true robustness on the ball, a in [0, 1] the probability that the test accepts it, a <= omega if mu < 1 - tau; if it does not accept, "
    "the radius is 0 and the class is kept",
    consequence="bound", readings={"jointly over the sample of the test and a uniform point": "proved", "once the test has accepted": "refuted",},
    formula=lambda tau, omega: (1 - omega) * (1 - tau),
    mutants={"1 - omega tau": lambda tau, omega: 1 - omega * tau, "1 - omega tau / 2": lambda tau, omega: 1 - omega * tau / 2},
    note="omega is no fraction of the inputs: it is the chance of a misleading sample. Averaged over that chance and over uniform points of the "
    "ball the estimate holds; once the test has accepted, the true robustness may be anything.",
)  # fmt: skip
def confidence_and_tolerance(estimate: Any) -> Outcome:
    claimed = estimate(TAU, OMEGA)
    joint = (1 - ACCEPT) + ACCEPT * MU
    probabilities = [*UNIT, MU >= 0, MU <= 1, ACCEPT >= 0, ACCEPT <= 1, sp.Or(MU >= 1 - TAU, ACCEPT <= OMEGA)]
    return unclear(
        {
            "jointly over the sample of the test and a uniform point": check_implications(
                probabilities, {"at least the estimate": joint >= claimed}, "either mu >= 1 - tau, or the test refuses with 1 - omega"
            ),
            "once the test has accepted": check_implications(
                [*probabilities, ACCEPT > 0], {"mu is at least the estimate": claimed <= MU}, "an accepted classifier"
            ),
        }
    )  # fmt: skip


def printed_bound(mass: Any, tau: Any, omega: Any, volume: Any, high: Any) -> Any:
    """Concentration times (1 - omega)(1 - tau)."""
    return mass * (1 - omega) * (1 - tau)


def density_bound(mass: Any, tau: Any, omega: Any, volume: Any, high: Any) -> Any:
    """Concentration less the largest mass of a tau fraction of the ball."""
    return mass - tau * volume * high


def _classifiers() -> Iterable[tuple[int, Fraction, Fraction]]:
    """(s, theta, fraction of the ball with another class), that fraction inside the window of PM at x = 1/2."""
    for share in (Fraction(1, 100), Fraction(1, 250)):
        for theta in (Fraction(1, 2), Fraction(1, 4)):
            yield from ((s, theta, share) for s in (2, 3, 4, 6, 8, 12, 16, 24, 32))


RHO = "Section 4.3 (lower bound)"


@PAPER.claim(
    RHO,
    r"with probability at least (F(x+\theta)-F(x-\theta))(1-\omega)(1-\tau) the class is preserved, if h agrees on all but a \tau fraction of B_\theta(x)",
    hypotheses="PM at x = 1/2, e^(epsilon/2) = 2..32, theta = 1/4, 1/2, omega = 1/20, tau = 1/100 (the paper's); h differs on 1/100 or 1/250 of the ball, "
    "next to x; one dimension",
    consequence="bound",
    headline=1,
    recorded="refuted",
    formula=printed_bound,
    mutants={
        "(1 - tau) alone": lambda mass, tau, omega, volume, high: mass * (1 - tau),
        "the mass of the ball": lambda mass, tau, omega, volume, high: mass,
    },
    note="The robustness is measured under the uniform distribution on the ball, the mechanism does not release uniformly: PM puts e^(epsilon/2) times the "
    "length on points near x. In d dimensions the factor is e^(d epsilon/2). With 1/250 of the ball, which the test accepts, it fails from e^(epsilon/2) = 16 on.",
    repair=Repair(
        r"it is preserved with probability at least \Pr[\mathcal M(x)\in B]-\tau|B|\max p, |B| the volume of the ball and p the density",
        hypotheses="0 < tau, omega < 1, V = |B| > 0; a window mechanism: a set of length at most tau |B|, n of it in the window with density p, f outside with density q <= p; the rest of the ball has the class of x",
        formula=density_bound,
        mutants={"as printed": printed_bound, "without tau": lambda mass, tau, omega, volume, high: mass},
    ),
)
def lower_bound(bound: Any) -> Outcome:
    tau, omega = Fraction(1, 100), Fraction(1, 20)

    def failure(case: tuple[int, Fraction, Fraction]) -> str | None:
        s, theta, share = case
        width = Fraction(1, s + 1)
        inside = min(width, 2 * theta)
        mass = inside * s + (2 * theta - inside) / s
        utility = mass - 2 * theta * share * s  # share * 2 theta < width in the whole family
        value = bound(mass, tau, omega, 2 * theta, Fraction(s))
        where = f"PM, e^epsilon = {s * s}, x = 1/2, theta = {theta}, another class on a stretch of length {2 * theta * share} next to x"
        return (
            None
            if utility >= value
            else f"{where}: class preserved with {utility} = {float(utility):.4f}, bound {float(value):.4f}"
        )

    def proof() -> Outcome:
        hypotheses = [
            *UNIT,
            VOLUME > 0,
            LOW > 0,
            LOW <= HIGH,
            NEAR >= 0,
            FAR >= 0,
            NEAR + FAR <= TAU * VOLUME,
            MASS >= 0,
        ]
        utility = MASS - (NEAR * HIGH + FAR * LOW)
        return check_implications(
            hypotheses,
            {"utility >= bound": utility >= bound(MASS, TAU, OMEGA, VOLUME, HIGH)},
            "greedy: the worst set lies in the window",
        )

    return unless_refuted(check_family(_classifiers(), failure, "PM and an interval of another class"), proof)


@PAPER.claim(
    "Section 4.3 (product)",
    r"\Pr[\mathcal M(x)\in B]\cdot\Pr_{\tilde x}[h(\tilde x)=h(x)] is a lower bound when \tilde x is drawn from \mathcal M(x) given \tilde x\in B",
    hypotheses="any mechanism and classifier, probabilities m, s, o in [0, 1] of the ball, of h(x) inside and of h(x) outside: the sample of the test must be drawn from the mechanism, not uniformly",

    formula=lambda mass, same: mass * same,
    mutants={"the robustness alone": lambda mass, same: same, "the sum less one half": lambda mass, same: mass + same - sp.Rational(1, 2)},
)  # fmt: skip
def product_bound(bound: Any) -> Outcome:
    outside = sp.Symbol("o")
    utility = MASS * SAME + (1 - MASS) * outside
    hypotheses = [MASS >= 0, MASS <= 1, SAME >= 0, SAME <= 1, outside >= 0, outside <= 1]
    return check_implications(
        hypotheses, {"utility >= bound": utility >= bound(MASS, SAME)}, "law of total probability"
    )


FIRST, SECOND = sp.symbols("c_1 c_2")
UNIT_2 = [r for c in (FIRST, SECOND) for r in (c >= 0, c <= 1)]
PROBABILITIES = [{FIRST: sp.Rational(1, 2), SECOND: sp.Rational(1, 3)}]


@PAPER.claim(
    "Section 4.3 (power d)",
    r"\Pr[\mathcal M^d(x)\in B_\theta(x)]=(F(x+\theta)-F(x-\theta))^d for d independent mechanisms",
    hypotheses="d = 2; c_1, c_2 in [0, 1] the concentrations at the two coordinates of x",
    consequence="wording",
    readings={
        "the same concentration in every dimension": "proved",
        "a concentration that depends on the coordinate": "refuted",
    },
    formula=lambda first, second: first**2,
    mutants={"d times": lambda first, second: 2 * first, "one of them": lambda first, second: first},
    note="PM, SW, k-RR and everything truncated depend on x, and the coordinates of x differ: the product over the coordinates is meant.",
)
def power(formula: Any) -> Outcome:
    claimed = formula(FIRST, SECOND)
    return unclear(
        {
            "the same concentration in every dimension": check_identities({"mass": (FIRST * FIRST, claimed.subs(SECOND, FIRST))}, "identity", PROBABILITIES, UNIT_2),
            "a concentration that depends on the coordinate": check_identities({"mass": (FIRST * SECOND, claimed)}, "identity", PROBABILITIES, UNIT_2),
        }
    )  # fmt: skip


#: epsilon, theta of Fig. 4 and the mechanisms drawn there.
NAMES = ("Laplace", "PM", "SW", "Exponential", "k-RR")


def _best(name: str, epsilon: Any, theta: Any) -> dict[str, tuple[Any, Any]]:
    values = concentrations(epsilon, theta)
    return {
        f"{other} below {name} at epsilon = {epsilon}, theta = {theta}": (values[other], values[name])
        for other in NAMES
        if other != name
    }


@PAPER.claim(
    "Example 2 (no best mechanism)",
    r"no single mechanism is universally optimal for all \epsilon and \theta: at \epsilon=2 SW is best for \theta=0.1, PM for \theta=0.3",
    hypotheses="x = 0.5; Laplace, PM, SW, exponential (with the sign that favours near points) and k-RR on 0, 0.01, ..., 1",
    formula=("SW", "PM"),
    mutants={"PM twice": ("PM", "PM"), "SW twice": ("SW", "SW"), "k-RR": ("k-RR", "PM")},
)
def no_best(winners: Any) -> Outcome:
    first, second = winners
    return check_reals({**_best(first, 2, "1/10"), **_best(second, 2, "3/10")}, "two points of Fig. 4")


@PAPER.claim(
    "Example 2 (SW at small values)",
    r"when \epsilon and \theta are small SW performs best: at \epsilon=2, \theta=0.1, where Fig. 4 begins",
    hypotheses="x = 0.5; right concentrations",
    formula="SW",
    mutants={"PM": "PM", "Exponential": "Exponential"},
)
def sw_small(name: str) -> Outcome:
    return check_reals(_best(name, 2, "1/10"), "theta = 0.1")


@PAPER.claim(
    "Example 2 (SW below 0.1)",
    r"when \epsilon=2 and \theta\le 0.1 SW performs best",
    hypotheses="x = 0.5, theta from the least named one to 0.1: at the least, and at every multiple of 0.01, where the steps of k-RR and of the exponential mechanism rise; between "
    "them SW has theta (e^2 - 1), PM 2 e theta, Laplace less than 2 theta (SW's and PM's half windows are longer than 0.1)",
    consequence="wording",
    recorded="refuted",
    formula="0",
    mutants={"from 0.012": "0.012", "from 0.005": "0.005"},
    note="Below theta = 0.01368 the atom of k-RR at x wins. Fig. 4 begins at theta = 0.1.",
    repair=Repair(
        r"for 0.0137\le\theta\le 0.1 it does; 0.0137 is the least such bound with four decimals",
        hypotheses="as above",
        formula="0.0137",
        mutants={"from 0, as printed": "0", "from 0.0136": "0.0136"},
    ),
)
def sw_below(least: str) -> Outcome:
    ends = [*(Fraction(k, 100) for k in range(1, 11) if Fraction(k, 100) > Fraction(least)), Fraction(least)]
    facts = {name: pair for theta in ends for name, pair in _best("SW", 2, theta).items()}
    slopes = {"2 e < e^2 - 1": (2 * ball(1).exp(), ball(2).exp() - 1), "2 < e^2 - 1": (ball(2), ball(2).exp() - 1)}
    t = ball(2).exp()
    slopes["SW's half window"] = (ball("1/10"), (t + 1) / (2 * (t - 1) ** 2))
    return check_reals({**slopes, **facts}, "every theta from there to 0.1")


FIGURE = [(e, Fraction(k, 100)) for e in (2, 4, 6) for k in range(10, 50)]


@PAPER.claim(
    "Example 2 (PM at larger values)",
    r"as \epsilon and \theta increase, PM becomes the superior choice",
    hypotheses="Fig. 4 recomputed: x = 0.5, epsilon = 2, 4, 6, theta = 0.10, 0.11, ..., 0.49 in ball arithmetic; at 0.5 all bounded mechanisms have 1",
    recorded="certified",
    formula=lambda epsilon, theta: epsilon > 2 or theta >= Fraction(13, 100),
    mutants={"everywhere": lambda epsilon, theta: True, "from 0.12 on": lambda epsilon, theta: epsilon > 2 or theta >= Fraction(12, 100)},
    note="At epsilon = 2 it takes over between theta = 0.12 and 0.13, at 4 and 6 it leads at all of them. For all epsilon and theta: 'Takeaway (where PM leads)'.",
)  # fmt: skip
def pm_large(region: Any) -> Outcome:
    facts = {k: v for e, theta in FIGURE if region(e, theta) for k, v in _best("PM", e, theta).items()}
    return check_sampled_reals(facts, "the stated region of Fig. 4")


BINS = [(e, Fraction(1, 2 * k)) for e in ("2", "4", "6", "8", "10") for k in (2, 3, 4, 5)]


@PAPER.claim(
    "Takeaway (PM)",
    r"if \epsilon\ge 2 and \theta\ge 0.1, PM is generally the best choice",
    hypotheses="x = 0.5, the mechanisms of Fig. 4 with k-RR on 101 points; theta = 0.10, ..., 0.49",
    consequence="wording",
    readings={
        "at nearly every point of Fig. 4": "certified",
        "always in Fig. 4": "refuted",
        "for every epsilon from 4 to 10": "refuted",
        "among all LDP mechanisms": "refuted",
    },
    formula="PM",
    mutants={"SW": "SW", "k-RR": "k-RR", "Laplace": "Laplace"},
    note="In the figure 117 of 120 points. It fails at epsilon = 2 and theta = 0.10, 0.11, 0.12 (SW), and from epsilon = 9.2 on, where k-RR wins everywhere. "
    "k-RR on the middles of 1/(2 theta) bins beats it at once: 0.881 against 0.816 at epsilon = 2, theta = 0.25; see 'Takeaway (program)'.",
)
def takeaway(name: str) -> Outcome:
    def always(grid: Iterable[tuple[int, Fraction]]) -> Outcome:
        return check_reals({k: v for e, theta in grid for k, v in _best(name, e, theta).items()}, "every point")

    def mostly() -> Outcome:
        wins = [all(bool(a < b) for a, b in _best(name, e, theta).values()) for e, theta in FIGURE]
        return check_family(
            [sum(wins)],
            lambda n: None if n >= 108 else f"{name} leads at {n} of 120 points",
            "at least 9 of 10 points of Fig. 4",
        )

    def among_all() -> Outcome:
        facts = {}
        for e, theta in BINS:
            t, k = ball(e).exp(), int(1 / (2 * theta))
            rival = f"k-RR on {k} bins has no more at epsilon = {e}, theta = {theta}"
            facts[rival] = (t / (t + k - 1), concentrations(e, theta)[name] if k > 1 else ball(1))
        return check_reals(facts, "k-RR on bins")

    coarse = [(e, Fraction(k, 10)) for e in (4, 6, 8, 10) for k in (1, 2, 3, 4)]
    return unclear(
        {
            "at nearly every point of Fig. 4": mostly(),
            "always in Fig. 4": always(FIGURE),
            "for every epsilon from 4 to 10": always(coarse),
            "among all LDP mechanisms": among_all(),
        }
    )


REACH = sp.Symbol("m")


@PAPER.claim(
    "Takeaway (where PM leads)",
    r"PM has the highest concentration of the mechanisms of Fig. 4 for 0.1\le\epsilon\le 9.18 and every \theta from its half window C=1/(2(e^{\epsilon/2}+1)) to 1/2; up to SW's half window SW has more",
    hypotheses="x = 0.5; s = e^(epsilon/2), e = epsilon; lost are (1 - 2 theta)/s under PM, v/s with v = e^((1/2 - theta) epsilon) >= 1 under Laplace, (1 - 2 theta)(1 - 1/t)/e under SW, (100 - 2m)/(100 + t) under k-RR and at least 2(50 - m)/(101 w), w^2 = s, under the exponential mechanism, m <= 100 theta points on each side; fact: sinh(e/2) > e/2",

    formula=(sp.Rational(21, 20), sp.Rational(9898, 100)),
    mutants={
        "up to e^(epsilon/2) = 100": (sp.Rational(21, 20), sp.Integer(100)),
        "every epsilon": (sp.Integer(1), sp.Integer(1000)),
    },
    note="At epsilon = 2 C is 0.134, at 4 it is 0.060: of the points with epsilon >= 2, theta >= 0.1 only those below C can belong to another mechanism, until k-RR takes over at "
    "e^(epsilon/2) = 50 + sqrt(2400), epsilon = 9.19.",
)  # fmt: skip
def where_pm_leads(levels: Any) -> Outcome:
    low, high = levels
    s, e, theta, v, w = sp.symbols("s e theta v w")
    c = 1 / (2 * (s + 1))
    sinh = [s > 1, e > 0, e < s - 1 / s]
    inside = [s >= low, s <= high, theta >= c, theta <= sp.Rational(1, 2)]
    lost = (1 - 2 * theta) / s
    points = [REACH >= 0, 100 * theta >= REACH, REACH <= 50]
    parts = [
        check_implications([*sinh, *inside, v >= 1], {"Laplace": lost <= v / s}, "Laplace"),
        check_implications([*sinh, *inside], {"SW": lost <= (1 - 2 * theta) * (1 - 1 / s**2) / e}, "SW"),
        check_implications(
            sinh, {"SW's half window is the shorter one": (s**2 * (e - 1) + 1) / (2 * (s**2 - 1) ** 2) <= c}, "windows"
        ),
        check_implications(
            [*sinh, theta > 0], {"SW up to there": 2 * theta * s < 2 * theta * (s**2 - 1) / e}, "SW first"
        ),
        check_implications([*inside, *points], {"k-RR": lost <= (100 - 2 * REACH) / (100 + s**2)}, "k-RR"),
        check_implications(
            [*inside, *points, w > 0, sp.Eq(w**2, s)],
            {"exponential": lost <= 2 * (50 - REACH) / (101 * w)},
            "exponential",
        ),
    ]
    grid = [(level, Fraction(k, 100)) for level in ("1/10", "2", "5", "9") for k in (25, 26, 30, 37, 49)]
    sample = {name: pair for level, radius in grid for name, pair in _best("PM", level, radius).items()}
    failed = [part for part in parts if part.counterexample is not None]
    return failed[0] if failed else unless_refuted(
        check_reals(sample, "twenty points"), lambda: proved("SMT (z3)", "each of the other four; replayed at twenty points")
    )  # fmt: skip


@PAPER.claim(
    "Takeaway (program)",
    r"the largest \min_x concentration of an \epsilon-LDP mechanism on [0,1] is e^\epsilon/(e^\epsilon+k-1), k=\lceil 1/(2\theta)\rceil, attained by k-RR on the middles of k bins",
    hypotheses="every radius; k points further than 2 theta apart, each ball hit with at least c: c + (k - 1) c / t <= 1; and the channel itself at theta = 1/7..1/2",

    formula=lambda t, k: t / (t + k - 1),
    mutants={"k + 1 bins": lambda t, k: t / (t + k), "k - 1 bins": lambda t, k: t / (t + k - 2)},
)  # fmt: skip
def worst_case_optimum(value: Any) -> Outcome:
    c, t, k = sp.symbols("c t k")

    def failure(theta: Fraction) -> str | None:
        level = PrivacyLevel.from_ratio(5)
        bins = -((-1) // (2 * theta))
        lowest = min(float(k_rr_on_bins(bins, level).concentration(Fraction(i, 60), theta)) for i in range(61))
        claimed = value(Fraction(5), bins)
        if best_worst_case_concentration(theta, level) != claimed or abs(lowest - float(claimed)) > 1e-12:
            return f"t = 5, theta = {theta}: k-RR on {bins} bins has {lowest} at its worst x, claimed {claimed}"
        return None

    def proof() -> Outcome:
        return check_implications(
            [t > 1, k >= 1, c >= 0, c + (k - 1) * c / t <= 1],
            {"c at most the value": c <= value(t, k)},
            "packing bound and covering channel",
        )

    return unless_refuted(check_family([Fraction(a, 14) for a in (1, 2, 3, 4, 5, 7)], failure, "six radii"), proof)


S, K = sp.symbols("s k")


@PAPER.claim(
    "Takeaway (k-RR on bins dominates PM)",
    r"at \theta=1/(2k), PM's concentration at any x is at most that of k-RR on k bins, with equality iff e^{\epsilon/2}=k-1",
    hypotheses="s = e^(epsilon/2) > 1, k >= 2 real; PM by its larger values, those of balls inside [0, 1]",
    given=[S > 1, K >= 2],
    evidence="the difference is a multiple of (s - 1)(s - k + 1)",
    formula=lambda s, k: s**2 / (s**2 + k - 1),
    mutants={"k bins more": lambda s, k: s**2 / (s**2 + 2 * k - 1), "s for s^2": lambda s, k: s / (s + k - 1)},
)
def bins_dominate(value: Any) -> Relations:
    wide, narrow = 1 - (1 - 1 / K) / S, S / K
    claimed = value(S, K)
    return {
            "window inside the ball": sp.Implies(S >= K - 1, claimed >= wide),
            "ball inside the window": sp.Implies(S <= K - 1, claimed >= narrow),
            "strict": sp.Implies(sp.Ne(S, K - 1), sp.And(sp.Implies(S > K - 1, claimed > wide), sp.Implies(S < K - 1, claimed > narrow))),
        }  # fmt: skip


FIXED = ball("0.95") * ball("0.99")


def _rho_at(epsilon: str) -> dict[str, Any]:
    """rho of PM at theta = 0.3 with the fixed omega = 0.05, tau = 0.01, for a ball inside [0, 1] and at x = 0."""
    s = (ball(epsilon) / 2).exp()
    window = 1 / (s + 1)
    near = window.min(ball("0.3"))
    at_end = near * s + (ball("0.3") - near) / s
    return {"inside": FIXED * concentrations(epsilon, "0.3")["PM"], "x = 0": FIXED * at_end}


@PAPER.claim(
    "Application 2",
    r"for \theta=0.3 and \rho\ge 0.8 under PM we can set \epsilon=1.8",
    hypotheses="rho as defined in 4.3 with its factor (1 - omega)(1 - tau) = 0.9405 for the fixed omega = 0.05, tau = 0.01; ball inside [0, 1]",
    consequence="bound",
    headline=6,
    recorded="refuted",
    formula={"inside": "1.8"},
    control={"inside": "1.97"},
    mutants={"1.2": {"inside": "1.2"}, "1.9": {"inside": "1.9"}},
    note="rho(1.8, 0.3) = 0.7875. The concentration alone is 0.8374 there for a ball inside [0, 1], but 0.7154 at x = 0, so that the sentence fails at x = 0 without the factor too.",
    repair=Repair(
        r"1.97 is the least level with two decimals for a ball inside [0,1], 3.09 at x=0",
        hypotheses="as above",
        formula={"inside": "1.97", "x = 0": "3.09"},
        mutants={
            "as printed": {"inside": "1.8", "x = 0": "1.8"},
            "2, more than is needed": {"inside": "2", "x = 0": "3.09"},
            "1.97 at x = 0": {"inside": "1.97", "x = 0": "1.97"},
        },
    ),
)
def application_2(levels: dict[str, str]) -> Outcome:
    facts = {}
    for where, epsilon in levels.items():
        before = str(Fraction(epsilon) - Fraction(1, 100))
        facts[f"rho({epsilon}, 0.3) is at least 0.8, {where}"] = (ball("0.8"), _rho_at(epsilon)[where])
        facts[f"a hundredth less is not enough, {where}"] = (_rho_at(before)[where], ball("0.8"))
    return check_reals(facts, "the level and a hundredth less")


@PAPER.claim(
    "Section 4.3 (dimension)",
    r"\rho(\epsilon,\theta) decreases exponentially with d",
    hypotheses="the same concentration 0 < c < 1 in every dimension d >= 1 and a fixed radius",
    formula=lambda c, d: c**d,
    mutants={"c / d": lambda c, d: c / d, "1 - d (1 - c)": lambda c, d: 1 - d * (1 - c)},
)
def dimension(rho: Any) -> Outcome:
    positive = sp.symbols("c d", positive=True)
    ratio = sp.powsimp(rho(positive[0], positive[1] + 1) / rho(*positive))
    c, d = sp.symbols("c d")
    return check_identities(
        {"rho(d + 1) / rho(d)": (sp.simplify(ratio).subs(dict(zip(positive, (c, d), strict=True))), c)},
        "a factor c < 1 for every dimension",
        hypotheses=[c > 0, c < 1, d >= 1],
    )


PAPER.leave_out(
    "rho_avg and rho_wor",
    "definitions of the mean and the minimum over a data distribution; computed in lpmech.applications.robustness",
)
