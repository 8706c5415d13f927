"""Section 4.2: probabilistic robustness, Hoeffding's bound, the test, the search for the radius, Example 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import comb
from typing import Any

import sympy as sp
from flint import arb

from lpmech.papers.checking import (
    both,
    check_family,
    check_identities,
    check_implications,
    check_reals,
    unless_refuted,
)
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.network import is_robust
from lpmech.papers.zheng2025.paper import OMEGA, PAPER, TAU, ball
from lpmech.verdicts import Outcome, unclear

MU, MEAN, S, N = sp.symbols("mu m s n")
#: 0 < omega < 1, tau > 0.
SIGNIFICANCE = [OMEGA > 0, OMEGA < 1, TAU > 0]


@PAPER.claim(
    "Def. 8",
    r"\Pr_{\tilde x\sim B_\theta(x)}[1-\Pr[h(\tilde x)=h(x)]\le\tau]\ge 1-\omega says \Pr_{\tilde x}[h(\tilde x)=h(x)]\ge 1-\tau",
    hypotheses="a deterministic classifier; mu = Pr[h(x~) = h(x)] under the uniform distribution on the ball; 0 <= mu <= 1, 0 < tau, omega < 1. The printed outer probability is the "
    "mass of the x~ (mu of them right, 1 - mu wrong) whose inner probability, mu itself or 1 and 0, is at least 1 - tau",
    consequence="bound", headline=9, readings={"inner probability over x~: mu >= 1 - tau": "proved", "inner probability at x~, 0 or 1: mu >= 1 - omega": "refuted",},
    formula=lambda mu, tau, omega: mu >= 1 - tau,
    mutants={
        "both subtracted": lambda mu, tau, omega: mu >= 1 - tau - omega,
        "the product": lambda mu, tau, omega: mu >= (1 - tau) * (1 - omega),
        "the larger of the two": lambda mu, tau, omega: mu >= 1 - sp.Min(tau, omega),
    },
    note="Two nested probabilities, one source of randomness. If the inner one is taken at a given x~ it is 0 or 1 and tau drops out; if it "
    "is taken over x~ the outer one is 0 or 1 and omega drops out. The rest of the section means a third thing: mu >= 1 - tau, with "
    "confidence 1 - omega over the sample of the test.",
)  # fmt: skip
def definition_8(condition: Any) -> Outcome:
    hypotheses = [MU >= 0, MU <= 1, TAU > 0, TAU < 1, OMEGA > 0, OMEGA < 1]
    claimed = condition(MU, TAU, OMEGA)

    def equivalent(inner_if_right: Any, inner_if_wrong: Any, text: str) -> Outcome:
        outer = MU * _accepted(inner_if_right) + (1 - MU) * _accepted(inner_if_wrong)
        literal = outer >= 1 - OMEGA
        ways = {f"=>, {text}": sp.Implies(literal, claimed), f"<=, {text}": sp.Implies(claimed, literal)}
        return check_implications(hypotheses, ways, text)

    return unclear(
        {
            "inner probability over x~: mu >= 1 - tau": equivalent(MU, MU, "the condition on mu and tau"),
            "inner probability at x~, 0 or 1: mu >= 1 - omega": equivalent(sp.Integer(1), sp.Integer(0), "the condition on mu and omega"),
        }
    )  # fmt: skip


def _accepted(inner: Any) -> Any:
    """1 where 1 - inner <= tau, else 0."""
    return sp.Piecewise((1, 1 - inner <= TAU), (0, True))


POINTS, LENGTH = sp.symbols("n l")


@PAPER.claim(
    "Def. 8 (special case)",
    r"deterministic robustness is the special case \tau=0, \omega=0",
    hypotheses="errors on the ball: n >= 0 single points and intervals of total length l >= 0; the uniform distribution does not see the points, so Def. 8 with tau = omega = 0 is l = 0",
    consequence="wording",
    recorded="refuted",
    given=[POINTS >= 0, LENGTH >= 0],
    evidence="both directions",
    formula=lambda points, length: sp.true,
    mutants={"where errors have positive measure": lambda points, length: length > 0},
    note="Deterministic robustness implies it; one single point of another class shows that the converse fails. Def. 8 itself asks for tau > 0.",
    repair=Repair(
        r"it is, exactly where the errors on the ball are none or have positive measure",
        hypotheses="as above",
        formula=lambda points, length: sp.Or(sp.Eq(points, 0), length > 0),
        mutants={
            "always, as printed": lambda points, length: sp.true,
            "only where errors have positive measure": lambda points, length: length > 0,
            "only without single points": lambda points, length: sp.Eq(points, 0),
        },
    ),
)
def special_case(admitted: Any) -> Relations:
    robust, probabilistic = sp.And(sp.Eq(POINTS, 0), sp.Eq(LENGTH, 0)), sp.Eq(LENGTH, 0)
    same = sp.Or(sp.And(robust, probabilistic), sp.And(sp.Not(robust), sp.Not(probabilistic)))
    claimed = admitted(POINTS, LENGTH)
    return {"the two agree": sp.Implies(claimed, same), "nowhere else": sp.Implies(same, claimed)}


def _binomial_cases() -> Iterable[tuple[int, Fraction, Fraction]]:
    means = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 10), Fraction(9, 10))
    taus = (Fraction(1, 4), Fraction(2, 5), Fraction(49, 100), Fraction(4, 5))
    return product(range(1, 9), means, taus)


@PAPER.claim(
    "Theorem 1",
    r"\Pr[|\hat\mu_Z-\mu_Z|\le\tau]\ge 1-\omega with \omega=2e^{-2n\tau^2}",
    hypotheses="n >= 1 independent values of an indicator with mean mu in [0, 1], tau > 0; Markov's inequality for e^{ns m}, Taylor's theorem for psi, and the union of both tails",
    formula=lambda n, tau: 2 * sp.exp(-2 * n * tau**2),
    mutants={
        "factor 2 dropped": lambda n, tau: sp.exp(-2 * n * tau**2),
        "4 n tau^2": lambda n, tau: 2 * sp.exp(-4 * n * tau**2),
        "tau for tau^2": lambda n, tau: 2 * sp.exp(-2 * n * tau),
    },
)
def hoeffding(bound: Any) -> Outcome:
    def failure(case: tuple[int, Fraction, Fraction]) -> str | None:
        n, mu, tau = case
        far = sum(comb(n, k) * mu**k * (1 - mu) ** (n - k) for k in range(n + 1) if abs(Fraction(k, n) - mu) > tau)
        exponent, factor = _exponent(bound(sp.Integer(n), sp.Rational(tau.numerator, tau.denominator)))
        limit = factor * ball(exponent).exp()
        where = f"n = {n}, mu = {mu}, tau = {tau}"
        return None if ball(far) <= limit else f"{where}: Pr[further than tau] = {far} > {limit.str(6, radius=False)}"

    def proof() -> Outcome:
        n, tau = sp.symbols("n tau", positive=True)
        tilted = MU * sp.exp(S) / (1 - MU + MU * sp.exp(S))
        psi = sp.log(1 - MU + MU * sp.exp(S)) - MU * S
        exponent = sp.expand_log(sp.log(bound(n, tau) / 2), force=True)
        steps = check_identities(
            {
                "psi(0)": (psi.subs(S, 0), 0),
                "psi'(0)": (sp.diff(psi, S).subs(S, 0), 0),
                "psi''": (sp.diff(psi, S, 2), tilted * (1 - tilted)),
                "n (s^2/8 - s tau) at s = 4 tau, each of two tails": (
                    N * (2 * TAU**2 - 4 * TAU**2),
                    sp.expand(exponent).subs({n: N, tau: TAU}),
                ),
            },
            "psi = ln E e^{s(Z - mu)} <= s^2/8, then Markov with s = 4 tau",
            hypotheses=[MU >= 0, MU <= 1, N >= 1, TAU > 0],
        )
        return both(
            steps,
            check_implications(
                [MU >= 0, MU <= 1], {"q(1-q) <= 1/4": sp.Rational(1, 4) >= MU * (1 - MU)}, "psi'' <= 1/4"
            ),
        )

    return unless_refuted(check_family(_binomial_cases(), failure, "binomials, n <= 8"), proof)


def _exponent(value: Any) -> tuple[Fraction, int]:
    """(a, c) of c e^a with a rational."""
    factor, power = sp.sympify(value).as_coeff_Mul()
    exponent = sp.Rational(power.exp)
    return Fraction(int(exponent.p), int(exponent.q)), int(factor)


@PAPER.claim(
    "Theorem 1 (n)",
    r"n(\omega,\tau)=\ln(2/\omega)/(2\tau^2) is where 2e^{-2n\tau^2}=\omega, so at least so many samples make the bound \omega",
    hypotheses="they are needed for this bound, not for the property itself",
    given=SIGNIFICANCE,
    evidence="identity",
    formula=lambda omega, tau: sp.log(2 / omega) / (2 * tau**2),
    mutants={
        "one-sided": lambda omega, tau: sp.log(1 / omega) / (2 * tau**2),
        "1 / tau^2": lambda omega, tau: sp.log(2 / omega) / tau**2,
    },
)
def sample_size(n: Any) -> Relations:
    omega, tau = sp.symbols("omega tau", positive=True)
    exponent = sp.expand_log(-2 * n(omega, tau) * tau**2 + sp.log(2) - sp.log(omega), force=True)
    exponent = sp.expand(exponent).subs({omega: OMEGA, tau: TAU})
    return {"ln of the bound over omega": (exponent, 0)}


@PAPER.claim(
    "Section 4.2.1 (test, conclusion)",
    r"if \hat\mu_Z\in[1-\tau/2,1] and |\mu_Z-\hat\mu_Z|\le\tau/2 then \mu_Z\in[1-\tau,1]",
    hypotheses="|m - mu| <= tau/2",
    formula=lambda tau: 1 - tau / 2,
    mutants={"1 - tau": lambda tau: 1 - tau, "1 - 2 tau / 3": lambda tau: 1 - 2 * tau / 3},
)
def conclusion_of_the_test(threshold: Any) -> Outcome:
    return check_implications(
        [
            threshold(TAU) <= MEAN,
            MEAN <= 1,
            MEAN - MU <= TAU / 2,
            MU - MEAN <= TAU / 2,
            MU >= 0,
            MU <= 1,
            TAU > 0,
            TAU < 1,
        ],
        {"mu >= 1 - tau": MU >= 1 - TAU},
        "triangle inequality",
    )


@PAPER.claim(
    "Section 4.2.1 (test, level)",
    r"with n(\omega,\tau/2) samples a classifier with \mu_Z<1-\tau passes with probability at most \omega",
    hypotheses="only one of Hoeffding's tails matters: the bound e^{-2n(tau/2)^2} equals omega/2, so ln(1/omega) would do for ln(2/omega)",
    given=SIGNIFICANCE,
    evidence="the tail is omega / 2 <= omega",
    formula=lambda omega, tau: sp.log(2 / omega) / (2 * (tau / 2) ** 2),
    mutants={
        "n(omega, tau)": lambda omega, tau: sp.log(2 / omega) / (2 * tau**2),
        "n(omega, tau/2) with ln(omega/2)": lambda omega, tau: sp.log(omega / 2) / (2 * (tau / 2) ** 2),
    },
)
def level_of_the_test(n: Any) -> Relations:
    omega, tau = sp.symbols("omega tau", positive=True)
    tail = sp.expand_log(-2 * n(omega, tau) * (tau / 2) ** 2, force=True)
    return {"ln of the tail": (sp.expand(tail).subs({omega: OMEGA, tau: TAU}), sp.log(OMEGA) - sp.log(2))}


def _wrong_at_most(n: int, rate: Any, most: int) -> Any:
    """Pr[Bin(n, rate) <= most] for a ball or a Fraction."""
    term = (1 - rate) ** n
    total = term
    for k in range(most):
        term = term * (n - k) / (k + 1) * rate / (1 - rate)
        total = total + term
    return total


@cache
def _pass_at_tolerance(n: int, tau: Fraction) -> Any:
    """Chance that a classifier with misclassification rate tau shows a rate below tau / 2 among n samples."""
    most = -((-n * tau) // 2) - 1
    return _wrong_at_most(n, ball(tau), int(most))


@PAPER.claim(
    "Section 4.2.2 (confidence, the paper's settings)",
    r"the radius found satisfies \Pr[h(\tilde x)=h(x)]\ge 1-\tau with probability at least 1-\omega",
    hypotheses="omega = 0.05, tau = 0.01 or 0.02, binary search to precision 0.01 (7 tests), new samples for every test",
    formula=lambda omega, tau: int((-2 * (-(ball(2) / ball(omega)).log() / ball(tau) ** 2)).ceil().unique_fmpz()),
    mutants={"100 samples": lambda omega, tau: 100, "2 / tau": lambda omega, tau: int(2 / tau)},
    note="Seven tests of significance omega each would not give confidence 1 - omega in general; here the binomial tail is so far below "
    "Hoeffding's bound that it does.",
)
def confidence(samples: Any) -> Outcome:
    facts = {}
    for tau in (Fraction(1, 50), Fraction(1, 100)):
        omega = Fraction(1, 20)
        passes = _pass_at_tolerance(samples(omega, tau), tau)
        facts[f"tau = {tau}, n = {samples(omega, tau)}"] = (1 - (1 - passes) ** 7, ball(omega))
    return check_reals(facts, "exact binomial tails, seven tests")


HALF_LINE = [
    (Fraction(tau), Fraction(omega), k)
    for tau in ("9/20", "1/5")
    for omega in ("1/2", "1/20")
    for k in (1, 2, 4, 8, 16, 24, 32)
]


@PAPER.claim(
    "Section 4.2.2 (confidence, binary search)",
    r"a binary search with \log(1/\kappa) tests of n(\omega,\tau/2) samples finds a radius that is right with probability at least 1-\omega",
    hypotheses="any tau, omega and precision; family: h(x~) = 1 iff x~ <= x (rate 1/2 at every radius), tau = 9/20, 1/5, omega = 1/2, 1/20, up to 32 tests",
    consequence="bound",
    recorded="refuted",
    formula=lambda omega, tests: omega,
    mutants={"twice the significance": lambda omega, tests: min(2 * omega, Fraction(19, 10))},
    note="Every test is one more chance to accept a radius that is too large. With the paper's tau and omega it does no harm, see above.",
    repair=Repair(
        r"with n(\omega/k,\tau/2) samples in each of k tests the radius is right with probability at least 1-\omega",
        hypotheses="the same family; in general by the union bound",
        recorded="certified",
        formula=lambda omega, tests: omega / tests,
        mutants={"as printed": lambda omega, tests: omega},
    ),
)
def confidence_of_binary_search(significance: Any) -> Outcome:
    def failure(case: tuple[Fraction, Fraction, int]) -> str | None:
        tau, omega, tests = case
        n = int(((ball(2) / ball(significance(omega, tests))).log() * 2 / ball(tau) ** 2).ceil().unique_fmpz())
        most = -((-n * tau) // 2) - 1
        passes = _wrong_at_most(n, Fraction(1, 2), int(most))
        wrong = 1 - (1 - passes) ** tests
        if wrong <= omega:
            return None
        return f"tau = {tau}, omega = {omega}, {tests} tests of n = {n}: one passes with {passes}, some with {float(wrong):.4f} > omega"

    return check_family(HALF_LINE, failure, "half-line classifier")


def _upward(passes: Sequence[bool]) -> int | None:
    """Index of the last radius accepted before the first one refused."""
    accepted = None
    for i, passed in enumerate(passes):
        if not passed:
            break
        accepted = i
    return accepted


def _last_accepted(passes: Sequence[bool]) -> int | None:
    accepted = [i for i, passed in enumerate(passes) if passed]
    return accepted[-1] if accepted else None


@PAPER.claim(
    "Section 4.2.2 (confidence, increasing the radius)",
    r"testing growing radii and stopping at the first refusal errs with probability at most that of one test",
    hypotheses="five radii, any set of bad ones, each passed with probability 1/20, good ones with 1/2 or 1; independent tests",
    recorded="certified",
    formula=_upward,
    mutants={"the largest radius accepted, without stopping": _last_accepted},
    note="To err, the first bad radius must pass. So steps 1 to 3 as printed need no correction for repeated tests.",
)
def upward(choose: Any) -> Outcome:
    def failure(case: tuple[tuple[bool, ...], Fraction]) -> str | None:
        bad, good = case
        chances = [Fraction(1, 20) if b else good for b in bad]
        wrong = Fraction(0)
        for passes in product((False, True), repeat=len(bad)):
            weight = Fraction(1)
            for p, chance in zip(passes, chances, strict=True):
                weight *= chance if p else 1 - chance
            chosen = choose(passes)
            wrong += weight if chosen is not None and bad[chosen] else 0
        return (
            None if wrong <= Fraction(1, 20) else f"bad radii {bad}, good ones pass with {good}: error {wrong} > 1/20"
        )

    return check_family(product(product((False, True), repeat=5), (Fraction(1, 2), Fraction(1))), failure, "five radii")


@PAPER.claim(
    "Section 4.2.2 (the rate exceeds tau/2)",
    r"as \theta increases, the misclassification rate will eventually exceed \tau/2",
    hypotheses="h = 1 on [0, c], 2 on (c, 1], x = 0, balls inside the domain [0, 1], tau = 1/50; c = 1 is a classifier with one answer",
    consequence="bound",
    recorded="refuted",
    formula=lambda c, tau: True,
    mutants={"unless constant": lambda c, tau: c < 1},
    note="The search must end at the domain.",
    repair=Repair(
        r"it does so iff it does on some ball; for thresholds at c: iff c<1-\tau/2",
        hypotheses="h = 1 on [0, c], 2 on (c, 1], x = 0, tau = 1/50",
        recorded="certified",
        formula=lambda c, tau: c < 1 - tau / 2,
        mutants={"always": lambda c, tau: True, "c < 1 - tau": lambda c, tau: c < 1 - tau},
    ),
)
def exceeds(claimed: Any) -> Outcome:
    tau = Fraction(1, 50)

    def failure(c: Fraction) -> str | None:
        highest = 1 - c  # rate (theta - c) / theta on [0, theta], largest at theta = 1
        return (
            None
            if (highest > tau / 2) == claimed(c, tau)
            else f"c = {c}: the rate reaches {highest}, tau/2 = {tau / 2}"
        )

    return check_family([Fraction(c) for c in ("1", "1/2", "3/4", "197/200", "999/1000")], failure, "five thresholds")


def _bisect(exceeds_at: Sequence[bool]) -> int:
    low, high = 0, len(exceeds_at)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if exceeds_at[middle] else (middle, high)
    return low


@PAPER.claim(
    "Section 4.2.2 (binary search)",
    r"binary search finds the maximum \theta before the misclassification rate exceeds \tau/2",
    hypotheses="eight radii, the rate exceeds tau/2 at any set of them but not at the first",
    consequence="bound",
    recorded="refuted",
    formula=lambda rates: True,
    mutants={
        "if it exceeds at the last": lambda rates: rates[-1],
        "if it never falls twice": lambda rates: sum(a > b for a, b in pairwise(rates)) < 2,
    },
    note="The rate need not grow with the radius: a small region of another class close to x weighs less in a larger ball. Under Def. 8 the radius "
    "found may still be a valid one.",
    repair=Repair(
        r"it does so if the rate, once above \tau/2, stays there",
        hypotheses="eight radii",
        recorded="certified",
        formula=lambda rates: list(rates) == sorted(rates),
        mutants={"always": lambda rates: True},
    ),
)
def binary_search(admitted: Any) -> Outcome:
    def failure(rates: tuple[bool, ...]) -> str | None:
        if not admitted(rates):
            return None
        first = rates.index(True) if True in rates else len(rates)
        found = _bisect(rates)
        return (
            None
            if found == first - 1
            else f"rate above tau/2 at {rates}: binary search gives {found}, the scan {first - 1}"
        )

    return check_family([(False, *rest) for rest in product((False, True), repeat=7)], failure, "eight radii")


@PAPER.claim(
    "Section 6 (complexity)",
    r"binary search to precision \kappa takes \log(1/\kappa) tests: about 7 for \kappa=0.01",
    formula=7,
    mutants={"6": 6, "100": 100},
    hypotheses="the smallest k with 2^-k <= 0.01",
)
def complexity(k: int) -> Outcome:
    return check_identities({"smallest k": (sp.ceiling(sp.log(100, 2)), k)}, "2^6 < 100 <= 2^7")


@PAPER.claim(
    "Example 1 (n)",
    r"n(0.05,0.02/2)\approx 1.8\times 10^4",
    hypotheses="two significant digits",
    formula=lambda omega, tau: (ball(2) / ball(omega)).log() / (2 * (ball(tau) / 2) ** 2),
    mutants={
        "n(omega, tau)": lambda omega, tau: (ball(2) / ball(omega)).log() / (2 * ball(tau) ** 2),
        "ln(1/omega)": lambda omega, tau: (ball(1) / ball(omega)).log() / (2 * (ball(tau) / 2) ** 2),
    },
    note="18444.4; a one-sided bound needs 14979, and 149 samples without any error prove mu >= 0.98 with confidence 0.95.",
)
def example_1_samples(n: Any) -> Outcome:
    value = n("0.05", "0.02")
    return check_reals({"at least 17500": (arb(17500), value), "below 18500": (value, arb(18500))}, "n = 18444.4")


@PAPER.claim(
    "Example 1 (radius)",
    r"the robustness radius of the network at x=(0.5,0.5) is \theta=0.20",
    hypotheses="the network of Example 5, which the paper says is the classifier of Fig. 3, with its printed weights; largest radius with two decimals",
    consequence="formula",
    headline=8,
    recorded="refuted",
    formula=Fraction(20, 100),
    mutants={"0.34, the circle's": Fraction(34, 100), "0.10": Fraction(10, 100)},
    note="The whole ball of radius 0.21, indeed of 0.38, has one class, so the procedure with tau = 0.02 cannot stop at 0.20: no sample is "
    "misclassified there. The rounding of the weights (0.005) is far too small to explain it.",
    repair=Repair(
        r"for the printed weights the exact radius is (3.71-1.52/7.07)/3.95-1/2=0.3848..., so 0.38 with two decimals",
        hypotheses="the network of Example 5",
        formula=Fraction(38, 100),
        mutants={"as printed": Fraction(20, 100), "0.39": Fraction(39, 100)},
    ),
)
def example_1_radius(radius: Fraction) -> Outcome:
    return both(
        is_robust(radius, f"one class on the ball of radius {radius}"),
        is_robust(radius + Fraction(1, 100), "the next radius is too large", expected=False),
    )


PAPER.leave_out("Fig. 3, Fig. 5 (pictures)", "decision boundaries drawn from an unpublished brute-force computation")
