"""Section 4.2: probabilistic robustness, Hoeffding's bound, the test, the search for the radius, Example 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

from lpmech.applications.robustness import Box, hoeffding_samples, probabilistic_box
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_implications, check_reals, iff
from lpmech.papers.checks import at_most, ball, unit
from lpmech.papers.zheng2025.network import is_robust, told
from lpmech.papers.zheng2025.paper import OMEGA, PAPER, TAU
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, Verdict

MU, MEAN, S, N, LENGTH = tm.symbols("mu m s n l")
#: 0 < omega < 1, tau > 0.
SIGNIFICANCE = [OMEGA > 0, OMEGA < 1, TAU > 0]


@PAPER.claim(
    "Def. 8",
    r"$\Pr_{\tilde{x}\sim B_\theta(x)}[1-\Pr[h(\tilde{x})=h(x)]\le\tau]\ge 1-\omega$ says $\Pr_{\tilde{x}}[h(\tilde{x})=h(x)]\ge 1-\tau$",
    hypotheses=r"a deterministic classifier; $\mu = \Pr[h(\tilde{x}) = h(x)]$ under the uniform distribution on the ball; $0 \le \mu \le 1$, $0 < \tau$, $\omega < 1$. The printed outer probability is the mass "
    r"of the $\tilde{x}$ ($\mu$ of them right, $1 - \mu$ wrong) whose inner probability, $\mu$ itself or 1 and 0, is at least $1 - \tau$",
    consequence="bound",
    readings={
        r"inner probability over $\tilde{x}$: $\mu \ge 1 - \tau$": "proved",
        r"inner probability at $\tilde{x}$, 0 or 1: $\mu \ge 1 - \omega$": "refuted",
    },
    formula=lambda mu, tau, omega: mu >= 1 - tau,
    mutants={
        "both subtracted": lambda mu, tau, omega: mu >= 1 - tau - omega,
        "the product": lambda mu, tau, omega: mu >= (1 - tau) * (1 - omega),
    },
    note=r"Two nested probabilities, one source of randomness. If the inner one is taken at a given $\tilde{x}$ it is 0 or 1 and $\tau$ drops out; if it "
    r"is taken over $\tilde{x}$ the outer one is 0 or 1 and $\omega$ drops out. The rest of the section means a third thing: $\mu \ge 1 - \tau$, "
    r"with confidence $1 - \omega$ over the sample of the test.",
)
def definition_8(condition: Any) -> tuple[Outcome, ...]:
    def equivalent(if_right: Any, if_wrong: Any) -> Outcome:
        right, wrong = (tm.Piecewise((1, 1 - inner <= TAU), (0, True)) for inner in (if_right, if_wrong))
        literal = MU * right + (1 - MU) * wrong >= 1 - OMEGA
        ways = iff(literal, condition(MU, TAU, OMEGA), "condition", "Def. 8 as printed")
        return check_implications([*unit(MU), TAU < 1, *SIGNIFICANCE], ways)

    return equivalent(MU, MU), equivalent(tm.Rational(1), tm.Rational(0))


@PAPER.claim(
    "Def. 8 (special case)",
    r"deterministic robustness is the special case $\tau=0$, $\omega=0$",
    hypotheses=r"errors on the ball: $n$ single points and intervals of total length $l$; the uniform distribution does not see the points, so Def. 8 with $\tau = \omega = 0$ is $l = 0$",
    consequence="wording",
    given=[N >= 0, LENGTH >= 0],
    formula=lambda points, length: tm.TRUE,
    note=r"Deterministic robustness implies it; one single point of another class, $n = 1$ and $l = 0$, shows that the converse fails. Def. 8 itself asks for $\tau > 0$.",
    repair=Repair(
        r"it is, exactly where the errors on the ball are none or have positive measure",
        formula=lambda points, length: tm.Or(tm.Eq(points, 0), length > 0),
    ),
)
def special_case(admitted: Any) -> Relations:
    """Robust is n = l = 0, and implies l = 0: the two agree where l = 0 leaves no point."""
    return iff(admitted(N, LENGTH), tm.Implies(tm.Eq(LENGTH, 0), tm.Eq(N, 0)), "no errors if none has a length")


@PAPER.claim(
    "Theorem 1",
    r"$\Pr[|\hat{\mu}_Z-\mu_Z|\le\tau]\ge 1-\omega$ with $\omega=2e^{-2n\tau^2}$",
    hypotheses=r"$n$ independent values of an indicator with mean $\mu$; Markov's inequality for $e^{ns m}$, Taylor's theorem for $\psi$, and the union of both tails",
    given=[*unit(MU), N >= 1, TAU >= 0],
    evidence="psi = ln E e^{s(Z - mu)} <= s^2/8, then Markov with s = 4 tau",
    formula=lambda n, tau: 2 * tm.exp(-2 * n * tau**2),
    note=r"The sentence before it calls $\omega$ the probability 'that the empirical mean is within $\tau$'; it bounds that of the contrary, as displayed.",
)
def hoeffding(bound: Any) -> Relations:
    logarithm = steps.expand_log(tm.log(bound(N, TAU) / 2), force=True, positive=[N, TAU])
    tilted = MU * tm.exp(S) / (1 - MU + MU * tm.exp(S))
    psi = tm.log(1 - MU + MU * tm.exp(S)) - MU * S
    return {
        "psi(0)": (psi.at({S: 0}), 0),
        "psi'(0)": (steps.diff(psi, S).at({S: 0}), 0),
        "psi''": (steps.diff(psi, S, 2), tilted * (1 - tilted)),
        "q(1-q) <= 1/4": tm.Rational(1, 4) >= MU * (1 - MU),
        r"$n(s^2/8-s\tau)$ at $s=4\tau$, each of two tails": (N * (2 * TAU**2 - 4 * TAU**2), steps.expand(logarithm)),
    }


def bound_after(share: Any) -> Callable[[Any], Relations]:
    """The check that Hoeffding's bound is omega after n(omega, tau) samples, at that share of tau."""

    def check(n: Any) -> Relations:
        half = tm.log(2 / OMEGA)
        exponent = "the exponent of the bound after so many samples"
        return {
            exponent: (-2 * n(OMEGA, TAU) * (share * TAU) ** 2, -half),
            "then it is omega / 2": tm.Eq(tm.exp(-half), OMEGA / 2),
        }

    return check


PAPER.claim(
    "Theorem 1 (n)",
    r"$n(\omega,\tau)=\ln(2/\omega)/(2\tau^2)$ is where $2e^{-2n\tau^2}=\omega$, so at least so many samples make the bound $\omega$",
    hypotheses="they are needed for this bound, not for the property itself",
    given=SIGNIFICANCE,
    formula=lambda omega, tau: tm.log(2 / omega) / (2 * tau**2),
)(bound_after(1))


@PAPER.claim(
    "Section 4.2.1 (test, conclusion)",
    r"if $\hat{\mu}_Z\in[1-\tau/2,1]$ and $|\mu_Z-\hat{\mu}_Z|\le\tau/2$ then $\mu_Z\in[1-\tau,1]$",
    given=[MEAN <= 1, MEAN - MU <= TAU / 2, MU - MEAN <= TAU / 2, MU >= 0, MU <= 1, TAU > 0, TAU < 1],
    formula=lambda tau: 1 - tau / 2,
)
def conclusion_of_the_test(threshold: Any) -> Relations:
    return {
        "mu >= 1 - tau": tm.Implies(threshold(TAU) <= MEAN, MU >= 1 - TAU),
        "the least such threshold": tm.Eq(threshold(TAU) - TAU / 2, 1 - TAU),
    }


PAPER.claim(
    "Section 4.2.1 (test, level)",
    r"with $n(\omega,\tau/2)$ samples a classifier with $\mu_Z<1-\tau$ passes with probability at most $\omega$",
    hypotheses=r"only one of Hoeffding's tails matters: the bound $e^{-2n(\tau/2)^2}$ equals $\omega/2$, so $\ln(1/\omega)$ would do for $\ln(2/\omega)$",
    given=SIGNIFICANCE,
    formula=lambda omega, tau: tm.log(2 / omega) / (2 * (tau / 2) ** 2),
)(bound_after(tm.Rational(1, 2)))


def _passes(n: int, rate: Any, tau: Fraction) -> Any:
    """Chance that a classifier of that misclassification rate, Fraction or ball, shows one below tau / 2 among n samples."""
    return at_most(ceil(n * tau / 2) - 1, n, rate)


def samples(omega: Any, tau: Any) -> Any:
    """n(omega, tau / 2) as a ball."""
    return (ball(2) / ball(omega)).log() / (2 * (ball(tau) / 2) ** 2)


@PAPER.claim(
    "Section 4.2.2 (confidence, the paper's settings)",
    r"the radius found satisfies $\Pr[h(\tilde{x})=h(x)]\ge 1-\tau$ with probability at least $1-\omega$",
    hypotheses=r"$\omega = 0.05$, $\tau = 0.01$ or 0.02, binary search to precision 0.01 (7 tests), new samples for every test",
    every={"tau": (Fraction(1, 50), Fraction(1, 100))},
    formula=lambda omega, tau: hoeffding_samples(float(omega), float(tau) / 2),
    note=r"Seven tests of significance $\omega$ each would not give confidence $1 - \omega$ in general; here the binomial tail is so far below "
    "Hoeffding's bound that it does.",
)
def confidence(size: Any) -> Outcome:
    facts, omega = {}, Fraction(1, 20)
    for tau in each("tau"):
        n, exact = size(omega, tau), samples(omega, tau)
        some = 7 * _passes(n, ball(tau), tau)
        facts[f"tau = {tau}, n = {n}: seven times the chance that one test passes, omega"] = (some, ball(omega))
        facts |= {f"{n} is n(omega, tau/2)": (exact, ball(n)), f"the least, {n}": (ball(n - 1), exact)}
    return check_reals(facts, "exact binomial tails, seven tests")


@PAPER.claim(
    "Section 4.2.2 (confidence, binary search)",
    r"a binary search with $\log(1/\kappa)$ tests of $n(\omega,\tau/2)$ samples finds a radius that is right with probability at least $1-\omega$",
    hypotheses=r"any $\tau$, $\omega$ and precision",
    family="h(x~) = 1 iff x~ <= x (rate 1/2 at every radius), tau = 9/20, 1/5, omega = 1/2, 1/20, up to 32 tests",
    consequence="bound",
    formula=lambda omega, tests: omega,
    note=r"Every test is one more chance to accept a radius that is too large. With the paper's $\tau$ and $\omega$ it does no harm: 'Section 4.2.2 (confidence, the paper's settings)'.",
    repair=Repair(
        r"with $n(\omega/k,\tau/2)$ samples in each of $k$ tests the radius is right with probability at least $1-\omega$",
        hypotheses="in general by the union bound",
        formula=lambda omega, tests: omega / tests,
    ),
)
def confidence_of_binary_search(significance: Any) -> Parts:
    for t, o, tests in product(("9/20", "1/5"), ("1/2", "1/20"), (1, 2, 4, 8, 16, 24, 32)):
        tau, omega = Fraction(t), Fraction(o)
        n = int(samples(significance(omega, tests), tau).ceil().unique_fmpz())
        passes = _passes(n, Fraction(1, 2), tau)
        where = f"tau = {tau}, omega = {omega}, {tests} tests of n = {n}, which pass with {float(passes):.4g} each: one does with probability"
        yield Instance(where, 1 - (1 - passes) ** tests, "<=", omega)
    yield "union bound of n tests", (N * significance(OMEGA, N), OMEGA)


@PAPER.claim(
    "Section 4.2.2 (confidence, increasing the radius)",
    r"testing growing radii and stopping at the first refusal errs with probability at most that of one test",
    hypotheses="independent tests",
    family="five radii, any set of bad ones, each passed with probability 1/20, good ones with 1/2 or 1",
    formula=lambda passes: [*passes, False].index(False) - 1,
    mutants={"without stopping": lambda passes: max((i for i, passed in enumerate(passes) if passed), default=-1)},
    note="To err, the first bad radius must pass. So steps 1 to 3 as printed need no correction for repeated tests.",
)
def upward(choose: Any) -> Parts:
    chosen = {passes: choose(passes) for passes in product((False, True), repeat=5)}  # -1: none
    for passes, last in chosen.items():
        yield last == 4 or not all(passes[: last + 2]) or f"{passes}: found {last}, though the next is not refused"
    bads = list(chosen)
    for bad, good in product((*bads[16:], *bads[:16]), (Fraction(1, 2), Fraction(1))):
        chances = [Fraction(1, 20) if is_bad else good for is_bad in bad]
        wrong = sum(
            prod(chance if passed else 1 - chance for chance, passed in zip(chances, passes, strict=True))
            for passes, last in chosen.items()
            if last >= 0 and bad[last]
        )
        numbers = ", ".join(str(i) for i, is_bad in enumerate(bad, 1) if is_bad) or "none"
        where = f"bad radii of the five: {numbers}; good ones pass with probability {good}: error"
        yield Instance(where, wrong, "<=", Fraction(1, 20))


@PAPER.claim(
    "Section 4.2.2 (the rate exceeds tau/2)",
    r"as $\theta$ increases, the misclassification rate will eventually exceed $\tau/2$",
    hypotheses=r"$h = 1$ on $[0, c]$, 2 on $(c, 1]$, $x = 0$, balls inside the domain $[0, 1]$, $\tau = 1/50$; with $c = 1$ a classifier with one answer",
    family="eight thresholds c",
    consequence="bound",
    formula=lambda c, tau: True,
    note="The search must end at the domain.",
    repair=Repair(
        r"it does so iff it does on some ball; for thresholds at $c$: iff $c<1-\tau/2$",
        hypotheses=r"$h = 1$ on $[0, c]$, 2 on $(c, 1]$, $x = 0$, $\tau = 1/50$",
        formula=lambda c, tau: c < 1 - tau / 2,
    ),
)
def exceeds(claimed: Any) -> Parts:
    tau = Fraction(1, 50)
    for c in map(Fraction, ("124/125", "1", "1/2", "3/4", "197/200", "0.989999", "99/100", "999/1000")):
        highest = 1 - c  # rate (theta - c) / theta on [0, theta], largest at theta = 1
        relation = ">" if claimed(c, tau) else "<="
        yield Instance(f"c = {c}: the highest rate, at theta = 1, against tau/2", highest, relation, tau / 2)


@PAPER.claim(
    "Section 4.2.2 (binary search)",
    r"binary search finds the maximum $\theta$ before the misclassification rate exceeds $\tau/2$",
    hypotheses=r"the rate exceeds $\tau/2$ at any set of radii but not at 0; the search is `probabilistic_box`, whose tests are told at which",
    family="radii 0, 1, ..., 8",
    consequence="bound",
    formula=lambda rates: True,
    note="The rate need not grow with the radius: a small region of another class close to $x$ weighs less in a larger ball. Under Def. 8 the radius "
    "found may still be a valid one.",
    repair=Repair(
        r"it does so if the rate, once above $\tau/2$, stays there",
        hypotheses="",
        formula=lambda rates: list(rates) == sorted(rates),
    ),
)
def binary_search(admitted: Any) -> Parts:
    options = {"domain": (0.0, 8.0), "tau": 0.5, "omega": 0.5, "precision": 1.0, "moved": ()}
    for rates in ((False, *rest) for rest in product((False, True), repeat=8)):

        def errors(box: Box, count: int, rates: Sequence[bool] = rates) -> int:
            return count * rates[int(box.high[0])]

        found, first = int(told(probabilistic_box, [0.0], errors, **options)[0].radius), [*rates, True].index(True)
        above = ", ".join(str(radius) for radius, is_above in enumerate(rates) if is_above) or "none"
        where = f"of the radii 0 to 8 the rate is above tau/2 at {above}"
        yield not admitted(rates) or Instance(
            f"{where}: found by binary search, by growing radii", found, "==", first - 1
        )
        yield list(rates) != sorted(rates) or admitted(rates) or f"{where}, and it is not admitted"


@PAPER.claim(
    "Section 6 (complexity)",
    r"binary search to precision $\kappa$ takes $\log(1/\kappa)$ tests: about 7 for $\kappa=0.01$",
    hypotheses=r"the smallest $k$ with $2^{-k} \le 0.01$",
    formula=7,
)
def complexity(k: int) -> Outcome:
    tests = ball(100).log() / ball(2).log()
    enough = {f"{k} are enough": (tests, ball(k)), "one less is not": (ball(k - 1), tests)}
    return check_reals(enough, "log(100) / log(2)")


@PAPER.claim(
    "Example 1 (n)",
    r"$n(0.05,0.02/2)\approx 1.8\times 10^4$",
    hypotheses="two significant digits",
    every={
        "omega, tau": ((0.05, 0.02), (0.01, 0.1), (0.5, 0.04)),
        "omega": (0.05, 0.01, 0.5),
        "tau": (0.02, 0.1, 0.04),
    },
    formula=lambda omega, tau: hoeffding_samples(omega, tau / 2),
    note=r"18444.4; a one-sided bound needs 14979, and 149 samples without any error prove $\mu \ge 0.98$ with confidence 0.95.",
)
def example_1_samples(n: Any) -> Outcome:
    value = ball(n(0.05, 0.02))
    facts = {"at least 17500": (ball(17500), value), "below 18500": (value, ball(18500))}
    for omega, tau in each("omega, tau"):
        exact, got = samples(str(omega), str(tau)), ball(n(omega, tau))
        facts[f"enough at omega = {omega}, tau = {tau}"] = (exact, got)
        facts[f"no more than asked for at omega = {omega}, tau = {tau}"] = (got, exact + 1)
    return check_reals(facts, "n = 18444.4")


@PAPER.claim(
    "Example 1 (radius)",
    r"the robustness radius of the network at $x=(0.5,0.5)$ is $\theta=0.20$",
    hypotheses="the network of Example 5, which the paper says is the classifier of Fig. 3, with its printed weights; largest radius with two decimals",
    every="the next radius with two decimals, which is too large",
    consequence="formula",
    headline=7,
    formula=Fraction(20, 100),
    note=r"The whole ball of radius 0.21, indeed of 0.38, has one class, so the procedure with $\tau = 0.02$ cannot stop at 0.20: no sample "
    "is misclassified there. The rounding of the weights (0.005) is far too small to explain it.",
    repair=Repair(
        "for the printed weights the exact radius is $(3.71-1.52/7.07)/3.95-1/2=0.3848$..., so 0.38 with two decimals",
        hypotheses="the network of Example 5",
        formula=Fraction(38, 100),
    ),
)
def example_1_radius(radius: Fraction) -> Parts:
    yield is_robust(radius)
    larger = radius + Fraction(1, 100)
    yield (
        is_robust(larger).verdict is Verdict.REFUTED
        or f"the ball of radius {larger} has no point of another class either"
    )


PAPER.leave_out("Fig. 3, Fig. 5 (pictures)", "decision boundaries drawn from an unpublished brute-force computation")
