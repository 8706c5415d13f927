"""App. C.1: the error of the kNN estimate, (33) to (36), the rate; what (36) says at the paper's numbers, and at fixed k."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from flint import arb

from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import both, check_identities, check_implications, sharp
from lpmech.papers.checks import at_most, ball, binomial_law, equals, unit
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, K, S, vector
from lpmech.papers.zhao2025.theorem_2 import amplification, tilted
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, refuted

A, B, C, L, RHO, ETA, NEIGHBOURS, EXAMPLES, EPSILON, BALL = tm.symbols("a b c L rho eta k N epsilon v")
X, U, R0, RISK, ONE, TWO, DIMENSION, GAMMA, MEAN, H = tm.symbols("x u r_0 delta first second d gamma m h")
_SLOPE = (S - 1) / (S + 1) * L

#: k neighbours, K classes, the probability delta of a failure.
SIZES = [NEIGHBOURS >= 1, K >= 2, RISK > 0, RISK < 1]
TAILS = "exact tails, ball arithmetic (arb)"


@PAPER.claim(
    "eq. (33) (first line)",
    r"as printed: $|g_j(x)-\eta_j(x)|=|\frac{1}{k}\sum_i Z_i(j)-\tilde{\eta}_j(x)|$",
    hypotheses="$g$ of (31)",
    consequence="slip",
    family="k = 1, Z in {0, 1}, eta in {0, 1/3, 1/2, 1}, s in {3/2, 2, 3, 10}",
    formula=lambda s, eta: eta,
    note=r"A misprint: the tilde is missing on the left. (18) defines $\Delta$ with $\tilde{\eta}$, and the rest of (33) bounds $|g - \tilde{\eta}|$.",
    repair=Repair(
        r"$|g_j(x)-\tilde{\eta}_j(x)|=|\frac{1}{k}\sum_i Z_i(j)-\tilde{\eta}_j(x)|$",
        formula=tilted,
    ),
)
def eq_33_first(subtracted: Any) -> Parts:
    etas = Fraction(1, 2), Fraction(1), Fraction(0), Fraction(1, 3)
    for eta, s, bit in product(etas, (Fraction(2), *ROOTS), (1, 0)):
        left, right = abs(bit - subtracted(s, eta)), abs(bit - tilted(s, eta))
        yield Instance(f"k = 1, Z = {bit}, eta = {eta}, e^(eps/2) = {s}: left, right side", left, "==", right)


PAPER.claim(
    "eq. (33) (second line)",
    r"$|\bar{Z}-\tilde{\eta}(x)|\le|\bar{Z}-\bar{\tilde{\eta}}|+|\bar{\tilde{\eta}}-\tilde{\eta}(x)|$, bars for means over the neighbours",
    hypotheses=r"$a = \bar{Z}$, $b = \bar{\tilde{\eta}}$, $c = \tilde{\eta}(x)$, any real numbers",
    formula=lambda first, second: first + second,
)(lambda combine: sharp(abs(A - C), combine(abs(A - B), abs(B - C)), A <= B, B <= C))


PAPER.claim(
    "eq. (33) (third line)",
    r"$|\tilde{\eta}_j(X_i)-\tilde{\eta}_j(x)|\le\frac{e^{\epsilon/2}-1}{e^{\epsilon/2}+1}L\rho(x)$, by (24) and the Lipschitz assumption",
    hypotheses=r"$a = \eta(X_i)$, $b = \eta(x)$; the mean over the neighbours keeps the bound",
    given=[S > 1, L >= 0, RHO >= 0, A - B <= L * RHO, B - A <= L * RHO],
    formula=lambda s: (s - 1) / (s + 1),
)(lambda slope: sharp(abs(tilted(S, A) - tilted(S, B)), slope(S) * L * RHO, tm.Eq(A - B, L * RHO)))


def hoeffding_square(k: Any, classes: Any, risk: Any, log: Callable[[Any], Any] = tm.log) -> Any:
    """Square of the deviation in (34)."""
    return log(2 * classes / risk) / (2 * k)


PAPER.claim(
    "eq. (34)",
    r"Hoeffding: $2e^{-2ku^2}=\delta/K$ at $u=\sqrt{\frac{1}{2k}\ln\frac{2K}{\delta}}$",
    hypotheses=r"$k$ independent bits given the features; Hoeffding's inequality $P(|\text{mean}| > u) \le 2 \exp(-2 k u^2)$ is quoted",
    given=SIZES,
    formula=hoeffding_square,
    note="Which examples are neighbours depends on the features alone, so that their bits stay independent.",
)(lambda square: {"2 exp(-2 k u^2)": (2 * tm.exp(-2 * NEIGHBOURS * square(NEIGHBOURS, K, RISK)), RISK / K)})


@PAPER.claim(
    "eq. (34) (exact tails)",
    r"$P(|\bar{Z}-\tilde{\eta}|>u)\le\delta/K$ for equal bits, the binomial tail summed",
    uses=["eq. (34)"],
    family="k = 1, ..., 30 bits with the same mean in {1/3, 1/2, 2/3, 1/11}, K in {2, 10, 100}, delta in {1/2, 1/20}",
    method=TAILS,
    formula=lambda k, classes, risk: hoeffding_square(k, classes, risk, lambda v: v.log()),
)
def eq_34_exact(square: Any) -> Parts:
    means = (Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1, 11))
    for k, mean, classes, risk in product(range(1, 31), means, (2, 10, 100), (Fraction(1, 2), Fraction(1, 20))):
        bound = square(k, arb(classes), ball(risk))
        inside = [ball((Fraction(ones, k) - mean) ** 2) <= bound for ones in range(k + 1)]
        # counted unless surely inside
        tail = sum(chance for chance, near in zip(binomial_law(k, mean), inside, strict=True) if not near)
        where = f"k = {k}, mean {mean}, K = {classes}, delta = {risk}"
        yield Instance(f"{where}: tail, delta/K", tail, "<=", risk / classes)
        stated = 2 * (-2 * k * bound).exp()
        yield bool(stated.overlaps(ball(risk / classes))) or f"{where}: Hoeffding's inequality gives {stated.str(5)}"


@PAPER.claim(
    "eq. (35) (event)",
    r"$\rho(x)>r_0$ iff fewer than $k$ examples lie in the closed ball $B(x,r_0)$",
    family="all distances 0..3 of N = 3, 4 examples, k <= N, r_0 = 0, 1, 2",
    formula=lambda inside, k: inside < k,
)
def eq_35_event(few: Any) -> Parts:
    for distances, radius in product([*product(range(4), repeat=3), *product(range(4), repeat=4)], range(3)):
        inside = sum(v <= radius for v in distances)
        for k, farthest in enumerate(sorted(distances), 1):
            where = f"distances {distances}, k = {k}, {inside} inside: rho, r_0"
            yield Instance(where, farthest, ">" if few(inside, k) else "<=", radius)


def _log(value: Any) -> Any:
    return steps.expand_log(tm.log(value), force=True)


@PAPER.claim(
    "eq. (35) (Chernoff)",
    r"$P(n(x,r_0)<k)\le e^{-Np}(e N p/k)^k$ for $Np\ge k$",
    hypotheses=r"$m = N p$; $n$ $\mathrm{binomial}(N, p)$, $v = k/m \in (0, 1]$: $P(n \le k) \le E v^n / v^k$ by Markov's inequality, and $E v^n = (1 - p(1 - v))^N \le e^{-m(1 - v)}$ as $1 - x \le e^{-x}$",
    given=[NEIGHBOURS >= 1, MEAN >= NEIGHBOURS],
    formula=lambda mean, k: tm.exp(-mean) * (tm.E * mean / k) ** k,
    note=r"At $r_0$ $Np = 2k$ exactly, as the text assumes a density; where spheres have mass, $Np \ge 2k$ and the bound, which falls with $Np \ge k$, is smaller still.",
)
def eq_35_markov(bound: Any) -> Relations:
    share = NEIGHBOURS / MEAN
    markov, stated = tm.exp(-MEAN * (1 - share)) / share**NEIGHBOURS, _log(bound(MEAN, NEIGHBOURS))
    return {"logarithms": (_log(markov), stated), "the bound falls with Np >= k": steps.diff(stated, MEAN) <= 0}


@PAPER.claim(
    "eq. (35) (exact tails)",
    r"$P(n(x,r_0)<k)\le e^{-Np}(e N p/k)^k$ with $p=2k/N$",
    hypotheses=r"$n$ $\mathrm{binomial}(N, p)$",
    uses=["eq. (35) (Chernoff)"],
    family="k = 1, ..., 12, N = 2k, ..., 2k + 20 and N = 10k, 100k; the left side exact, the right side a ball",
    method=TAILS,
    formula=lambda mean, k: (-mean).exp() * (arb(1).exp() * mean / k) ** k,
    note=r"Needs $2k \le N$.",
)
def eq_35_exact(bound: Any) -> Parts:
    sizes = [(k, n) for k in range(1, 13) for n in (*range(2 * k, 2 * k + 21), 10 * k, 100 * k)]
    for k, n in sizes:
        tail, value = at_most(k - 1, n, Fraction(2 * k, n)), bound(arb(2 * k), k)
        stated = ((arb(2).log() - 1) * k).exp()
        yield bool(value.overlaps(stated)) or f"k = {k}: {value.str(5)}, not e^(-(1 - ln 2) k) = {stated.str(5)}"
        yield Instance(f"k = {k}, N = {n}: tail, bound", ball(tail), "<=", value)


PAPER.claim(
    "eq. (35) (last line)",
    r"$e^{-2k}(2e)^k=e^{-(1-\ln 2)k}$",
    given=[NEIGHBOURS >= 1],
    formula=lambda k: -(1 - tm.log(2)) * k,
)(equals([NEIGHBOURS], logarithm=_log(tm.exp(-2 * NEIGHBOURS) * (2 * tm.E) ** NEIGHBOURS)))


@PAPER.claim(
    "eq. (36)",
    r"with probability at least $1-\delta-e^{-(1-\ln 2)k}$: $\Delta(x)\le\sqrt{\frac{1}{2k}\ln\frac{2K}{\delta}}+\frac{e^{\epsilon/2}-1}{e^{\epsilon/2}+1}Lr_0$",
    hypotheses=r"first and second the two terms of (33), $u =$ the square root, $x = e^{-(1 - \ln 2)k}$; (33) to (35), $K$ classes each failing with probability at most $\delta/K$",
    given=[*SIZES, X > 0, X < 1, S > 1, L >= 0, R0 >= RHO, ONE <= U, TWO <= _SLOPE * RHO],
    formula=(lambda classes, risk, x: classes * (risk / classes) + x, lambda u, slope: u + slope),
    note=r"Holds with $k$ and $N$ fixed, $2k \le N$. A union bound over $K + 1$ events.",
)
def eq_36(formula: Any) -> Relations:
    failing, combine = formula
    ends = tm.Eq(ONE, U), tm.Eq(TWO, _SLOPE * RHO), tm.Eq(RHO, R0)
    union = failing(K, RISK, X), RISK + X
    return {"failing, by the union bound": union, **sharp(ONE + TWO, combine(U, _SLOPE * R0), *ends)}


@PAPER.claim(
    "eq. (36) (growth)",
    r"'which grows with $\sqrt{\ln K}$'; section 4.2: 'for $k$ nearest neighbor classifiers, $\Delta(x)$ grows with $\sqrt{\ln K}$'",
    hypotheses=r"$k$, $\delta$, $\epsilon$ fixed, $K \ge 2$; $x = \ln K$, $c = \ln 2$, $h = \ln(2/\delta) \ge 0$; for the second reading $k = 1$, $e^{\epsilon/2} = 2$",
    consequence="bound",
    readings={
        r"upper bound, $O(\sqrt{\ln K})$": "proved",
        r"$\Delta$ itself is of the order $\sqrt{\ln K}$": "refuted",
    },
    formula=lambda x, h: x + h,
    mutants={"ln(K)^2": lambda x, h: (x + h) ** 2},
    note=r"Section 1 says $O(\sqrt{\ln K})$, which is right. $\Delta$ is at most 1 for every $K$: the bound is empty once $\ln(2K/\delta) > 2k$.",
)
def grows(log_term: Any) -> tuple[Outcome, ...]:
    at_most = {"2k u^2 <= (1 + h / c) ln(K)": log_term(X, H) <= (1 + H / C) * X}
    square = 2 * NEIGHBOURS * hoeffding_square(NEIGHBOURS, K, RISK)
    exactly = {"2k u^2 = ln(K) + ln(2/delta)": (square, log_term(tm.log(K), tm.log(2 / RISK)))}
    upper = both(
        check_implications([C > 0, C < 1, H >= 0, X >= C], at_most), check_identities(exactly, hypotheses=SIZES)
    )
    # k = 1: |Z_j - eta~_j|, Z_j = 0 or 1, lies in [1/(1+s), s/(1+s)], whatever K is; with s = 2 it can at most double
    errors = tilted(S, ETA), 1 - tilted(S, ETA)
    within = {f"k = 1, {e}": tm.And(e >= 1 / (1 + S), e <= S / (1 + S)) for e in each("Z = 0 or 1", errors)}
    bounded = check_implications([S > 1, *unit(ETA)], within)
    growth = (arb(17).log() / arb(2).log()).sqrt()
    order = refuted(
        "SMT (z3), ball arithmetic (arb)",
        "for k = 1 the error is between 1/(1+s) and s/(1+s) for every K",
        f"k = 1, s = 2: 1/3 <= Delta <= 2/3 for every K, yet sqrt(ln K) grows {growth.str(4, radius=False)}-fold from K = 2 to 17",
    )
    return upper, bounded if bounded.counterexample or not growth > 2 else order


PAPER.claim(
    "App. C.1 (fixed k)",
    r"'with fixed $k$, ... $\Delta(x)$ does not converge to zero even if $N\to\infty$': $E\Delta(x)\ge\frac{e^{\epsilon/2}}{(1+e^{\epsilon/2})^2 k}$",
    hypotheses=r"$|g - \tilde{\eta}| \le 1$, so $E|g - \tilde{\eta}| \ge \mathrm{Var} g$, the variance of $k$ independent bits",
    given=[S > 1, *unit(ETA), NEIGHBOURS >= 1],
    formula=lambda s, k: s / ((1 + s) ** 2 * k),
    note="The text says 'according to (36)', an upper bound, which cannot show it; the variance does.",
)(lambda lower: sharp(lower(S, NEIGHBOURS), tilted(S, ETA) * (1 - tilted(S, ETA)) / NEIGHBOURS, tm.Eq(ETA, 1)))


def r_0(epsilon: Any, k: Any, n: Any, d: Any) -> Any:
    """r_0^d of (32) for a density that is 1 near x in the unit where a ball of radius r has mass r^d."""
    return 2 * k / n


@PAPER.claim(
    "App. C.1 (r_0)",
    r"as printed: 'from (32), $r_0\sim\epsilon(k/N)^{1/d}$'",
    hypotheses=r"a constant density with mass $r^d$ in the ball of radius $r$; $r_0^d$ compared with that at $\epsilon = 1/2$, $k = 1$, $N = 64$",
    consequence="proof",
    family="epsilon in {1/4, 1/2}, k in {1, 2}, N in {16, 64}, d = 1, 2",
    formula=lambda epsilon, k, n, d: epsilon**d * k / n,
    control=lambda epsilon, k, n, d: k / n,
    note=r"(32) does not contain $\epsilon$. The factor belongs to the second term of (36), which is of the order $\epsilon r_0$; the rates that follow use that.",
)
def radius(power: Any) -> Parts:
    one = Fraction(1)
    base = (one / 2, one, 64 * one)
    for d, n, k, epsilon in product((1, 2), (64 * one, 16 * one), (one, 2 * one), (one / 2, one / 4)):
        true, stated = (f(epsilon, k, n, d) / f(*base, d) for f in (r_0, power))
        where = f"d = {d}, epsilon = {epsilon}, k = {k}, N = {n} against epsilon = 1/2, k = 1, N = 64"
        yield Instance(f"{where}: factor of r_0^d, as printed", true, "==", stated)


@PAPER.claim(
    "App. C.1 (r_0) [repaired]",
    r"$r_0=(2k/N)^{1/d}\sim(k/N)^{1/d}$, without $\epsilon$",
    hypotheses=r"a constant density with mass $v = r^d$ in the ball of radius $r$; (32): $r_0$ is the least $r$ with $v \ge 2k/N$, so $r_0^d = 2k/N$",
    given=[NEIGHBOURS >= 1, EXAMPLES >= 2 * NEIGHBOURS, EPSILON > 0, EPSILON < 1, BALL >= 0, DIMENSION > 0],
    formula=r_0,
    repairs="App. C.1 (r_0)",
)
def radius_exactly(power: Any) -> Relations:
    enough = EXAMPLES * BALL >= 2 * NEIGHBOURS
    least = power(EPSILON, NEIGHBOURS, EXAMPLES, DIMENSION)
    return {"a ball has the mass iff r >= r_0": tm.Equivalent(BALL >= least, enough)}


@PAPER.claim(
    "App. C.1 (second term)",
    r"for $0<\epsilon\le 1$: $\tanh(1/4)\,\epsilon\le\frac{e^{\epsilon/2}-1}{e^{\epsilon/2}+1}=\tanh(\epsilon/4)\le\epsilon/4$, so that the second term is of the order $\epsilon(k/N)^{1/d}$",
    hypotheses=r"tanh is concave on $x \ge 0$ with slope 1 at 0: $\tanh'' = -2\tanh(1 - \tanh^2) \le 0$; the chord to $x = 1/4$ lies below it, the tangent above",
    given=[EPSILON > 0, EPSILON <= 1, X >= 0],
    formula=4,
)
def second_term(divisor: int) -> Relations:
    quotient = (tm.exp(EPSILON / 2) - 1) / (tm.exp(EPSILON / 2) + 1)
    return {
        "tanh(epsilon/4)": (quotient, tm.tanh(EPSILON / divisor)),
        "slope 1 at 0": (steps.diff(tm.tanh(X), X).at({X: 0}), 1),
        "concave": steps.diff(tm.tanh(X), X, 2) <= 0,
    }


def _choice(d: Any) -> tuple[Any, Any]:
    """Exponents of epsilon and N."""
    return -2 * d / (d + 2), 2 / (d + 2)


@PAPER.claim(
    "App. C.1 (choice of k)",
    r"$k\sim\epsilon^{-2d/(d+2)}N^{2/(d+2)}$ balances $k^{-1/2}$ and $\epsilon(k/N)^{1/d}$ in (36)",
    hypotheses=r"exponents of $\epsilon$ and $N$; logarithms neglected as in the text; needs $k \le N/2$",
    given=[DIMENSION > 0],
    formula=_choice,
    note=r"At the minimum both terms have the same order: their exponents in $k$, $-1/2$ and $1/d$, do not depend on $\epsilon$ and $N$.",
)
def choice_of_k(exponents: Any) -> Relations:
    a, b = exponents(DIMENSION)
    return {"exponents of epsilon": (-a / 2, 1 + a / DIMENSION), "of N": (-b / 2, (b - 1) / DIMENSION)}


PAPER.claim(
    "App. C.1 (rate of Delta)",
    r"then $\Delta(x)$ decays with $\epsilon^{d/(d+2)}N^{-1/(d+2)}$",
    hypotheses="exponents of $k^{-1/2}$",
    given=[DIMENSION > 0],
    formula=lambda d: (d / (d + 2), -1 / (d + 2)),
)(equals([DIMENSION], epsilon=-_choice(DIMENSION)[0] / 2, N=-_choice(DIMENSION)[1] / 2))


def _rate(d: Any) -> tuple[Any, Any]:
    return -2 / (d + 2), -1 / (d + 2)


@PAPER.claim(
    "App. C.1 (rate of the excess risk)",
    r"$\Delta_\epsilon(x)\sim(N\epsilon^2)^{-1/(d+2)}$, hence $R-R^*\lesssim(N\epsilon^2)^{-1/(d+2)}$: the right side of (20), with (36) for $\Delta$, is of this order",
    hypotheses=r"a density bounded away from zero on its support, as printed; exponents of $\epsilon$ and $N$, logarithms neglected as in the text. Example, $d = 1$: $X$ uniform on the intervals "
    "$[n, n + n^{-2}]$, $n = 1$, 2, ..., where $\\eta^*-\\eta_s\\le L$",
    consequence="proof",
    headline=8,
    given=[DIMENSION > 0],
    formula=(_rate, "any support"),
    note=r"In the example an interval with $n > (N/k)^{1/2}$ has less mass than $2k/N$, so that $r_0 \ge 1/2$ there, and $2\Delta_\epsilon \ge 2Lr_0 \ge L$ by (36): the indicator in (20) is 1. These intervals have the mass "
    r"$(k/N)^{1/2}$, $N^{-1/6}$ at the $k \sim N^{2/3}$ of the text, against $N^{-1/3}$. Of $R-R^*$ itself nothing is shown.",
    repair=Repair(
        r"on a regular bounded support, where every ball of radius $r$ around a point of it has mass at least $c r^d$: $\Delta_\epsilon\sim(N\epsilon^2)^{-1/(d+2)}$",
        hypotheses=r"$d > 0$; the exponents; $\Delta_\epsilon$ is of the order $\Delta/\epsilon$ for $\epsilon < 1$ ('App. C.1 (second term)'); logarithms neglected as in the text",
        formula=(_rate, "regular bounded support"),
    ),
)
def rate_of_risk(case: Any) -> Parts:
    exponents, support = case
    one, (epsilon, n) = Fraction(1), exponents(DIMENSION)
    missed, claimed = (_choice(one)[1] - 1) / 2, exponents(one)[1]
    if support != "regular bounded support" and claimed < missed:
        found = f"d = 1, intervals [n, n + n^-2]: r_0 >= 1/2 on a mass N^({missed}), so that (20) is at least of this order; claimed N^({claimed})"
        yield refuted("exact exponents", "thin intervals far out", found)
    yield "epsilon", (epsilon, DIMENSION / (DIMENSION + 2) - 1)
    yield "N", (n, -1 / (DIMENSION + 2))


def _faster(d: Any, gamma: Any) -> Any:
    return (1 + gamma) / (d + 2)


def _third_is_chosen() -> Parts:
    """The steps of the example of 'App. C.1 (Tsybakov condition)': an excess risk of the order N^(-2/3) at least."""
    best, third, r = (1 + X / 2) / 3, (1 - X) / 3, 4 * NEIGHBOURS / EXAMPLES
    ratios = (2 / best + 1 / third) / 9
    yield [X >= 0, tm.Rational(1, 2) >= X], {"the sum of 1/9 over each class": ratios <= 1 + X**2}
    yield [NEIGHBOURS >= 4], {"Chebyshev: 2k over k^2": 2 * NEIGHBOURS / NEIGHBOURS**2 <= tm.Rational(1, 2)}
    yield [NEIGHBOURS > 0, EXAMPLES > 0, X >= r / 4], {"the gap": best - third >= r / 8}
    at_k = [NEIGHBOURS > 0, EXAMPLES > 0, C > 0, tm.Eq(NEIGHBOURS**3, C**3 * EXAMPLES**2)]
    yield at_k, {"k r^2 is constant": tm.Eq(NEIGHBOURS * r**2, 16 * C**3)}


@PAPER.claim(
    "App. C.1 (Tsybakov condition)",
    r"under $P(0<\eta^*-\eta_s<t)\lesssim t^\gamma$: $R-R^*\lesssim(N\epsilon^2)^{-(1+\gamma)/(d+2)}$",
    hypotheses=r"example, $d = 1$: $X$ uniform on $[0, 1]$, $\eta = ((1 + x/2)/3, (1 + x/2)/3, (1 - x)/3)$; $\eta^* = \eta_s$ everywhere, so the condition holds for every $\gamma$. $k$ of the order $N^{2/3}$ as in the text, "
    r"$r = 4k/N$: with probability at least $1/2$, $k \ge 4$ of the examples lie in $[0, r/2]$ (Chebyshev's inequality, mean $2k$), and then all neighbours of $x \le r/2$ in $[0, r]$. With three equal classes at the neighbours the third is chosen with probability $1/3$, ties broken at random; "
    r"so with these $\eta$, by the inequality of Cauchy and Schwarz, with at least $\frac{1}{9}(1 + r^2)^{-k}$, whatever is done to the labels, as the sum of $\frac{1}{9}/\eta_j$ is at most $1 + r^2$. With $k^3=c^3N^2$, $kr^2$ is $16c^3$. On $[r/4, r/2]$ the third class is at least $r/8$ behind: the excess risk is at least $r^2 e^{-kr^2}/576$",
    consequence="bound",
    headline=7,
    given=[DIMENSION > 0, GAMMA > 0],
    formula=(_faster, "ties left out"),
    note=r"With $K \ge 3$ classes a tie of the two best does not make the third harmless. In the example the third class is little behind on a stretch of length of the order $k^{-1/2}$ and is "
    r"chosen there with a probability that does not vanish: the excess risk is at least of the order $k^{-1}$, $N^{-2/3}$ at the $k$ of the text, whatever $\gamma$ is.",
    repair=Repair(
        r"under $P(\eta^*-\eta_s<t)\lesssim t^\gamma$, ties included, (20) gives $(N\epsilon^2)^{-(1+\gamma)/(d+2)}$",
        hypotheses=r"$d$, $\gamma > 0$; the right side of (20) at a constant radius $D = (N \epsilon^2)^{-1/(d + 2)}$ is $2 D P(\eta^* - \eta_s \le 2 D)$; a regular bounded support as in 'App. C.1 (rate of the excess risk)'",
        formula=(_faster, "ties counted"),
    ),
)
def tsybakov(case: Any) -> Parts:
    exponent, ties = case
    n_rate = -1 / (DIMENSION + 2)
    yield "exponent of D D^gamma", (-exponent(DIMENSION, GAMMA), n_rate + GAMMA * n_rate)
    if ties != "ties counted":  # the example, k ~ N^(2/3)
        yield from _third_is_chosen()
        yield "no faster than N^(-2/3)", exponent(Fraction(1), GAMMA) <= tm.Rational(2, 3)


LOG, ROOT, W = tm.symbols("x D w")
SIZE, M = tm.symbols("K m")
#: Failure probability in hundredths -> the least K at which 2 Delta_epsilon >= 1, k = 200, epsilon = 1.
FIRST = {1: 3, 5: 11, 10: 21, 50: 101, 100: 202}


@PAPER.claim(
    "eq. (36) (what it says at epsilon = 1, k = 200)",
    r"with (36) the bound $2\Delta_\epsilon$ of (20) is at least 1, and says nothing, iff $K\ge\frac{\delta}{2}\exp(\frac{k}{2}\tanh^2\frac{\epsilon}{4})$: at the paper's $\epsilon=1$, $k=200$ from $K=11$ on for $\delta=0.05$, from $K=202$ on for every $\delta<1$",
    hypotheses=r"the first term of (36) alone, $L = 0$; $x = \ln(2K/\delta)$, $D = \sqrt{x/(2k)}$, $c = \coth(\epsilon/4) = (s + 1)/(s - 1)$; numbers in balls: the least whole $K$ for $\delta = 0.01$, 0.05, 0.1, 0.5, and the limit 1",
    given=[S > 1, NEIGHBOURS >= 1, LOG > 0, ROOT > 0, tm.Eq(ROOT**2, LOG / (2 * NEIGHBOURS))],
    every="five failure probabilities",
    method="ball arithmetic (rigorous)",
    headline=9,
    kind="ours",
    formula=(lambda k, c: k / (2 * c**2), FIRST),
    note=r"At $K = 10$ and $\delta = 0.05$ $2 \Delta_\epsilon$ is 0.9994: from $K = 10$ on for $\delta \le 0.0496$. The indicator in (20) is 1 wherever $2 \Delta_\epsilon \ge 1$, as no gap is larger, and no excess risk is larger than "
    r"1. With $K = 100$ of Figs. 2 and 4, where the simulation shows accuracies far from chance, the theorem guarantees nothing, and with $k = 100$ even less; at $\epsilon = 2$, $k = 100$ (Fig. 3) it does so from $K = 1085$ on for $\delta = 0.05$.",
)
def vacuous(case: Any) -> Parts:
    exponent, first = case
    wide = exponent(ball(200), amplification(ball("0.5").exp()))
    for hundredths, size in first.items():
        before, at = ((ball(2 * n * 100) / hundredths).log() for n in (size - 1, size))
        where = f"delta = {Fraction(hundredths, 100)}: k/(2 c^2), ln(2K/delta) at K = "
        less = Instance(f"{where}{size - 1}", wide, ">", before)
        yield Instance(f"{where}{size}", wide, "<=", at) if less.holds else less
    c = amplification(S)
    yield "says nothing iff", tm.Equivalent(exponent(NEIGHBOURS, c) <= LOG, 2 * c * ROOT >= 1)


def _accuracy(size: int, neighbours: int, p: Fraction, q: Fraction) -> Fraction:
    """Probability that the true class has most ones among its k bits, ties broken uniformly; all neighbours alike."""
    total, below = Fraction(0), Fraction(0)
    for chance, same in zip(binomial_law(neighbours, p), binomial_law(neighbours, q), strict=True):
        ties = (comb(size - 1, m) * same**m * below ** (size - 1 - m) / (m + 1) for m in range(size))
        total, below = total + chance * sum(ties), below + same
    return total


@PAPER.claim(
    "App. C.1 (accuracy at fixed k)",
    r"at fixed $k$ and $\epsilon$ the accuracy of the kNN of (31) tends to 0 with $K$, even where $\eta_1=1$ everywhere and $N=\infty$: it is at most $\frac{1-(1-w)^K}{Kw}\le\frac{1}{Kw}$, $w=(1+e^{\epsilon/2})^{-k}$",
    hypotheses="each of the $K - 1$ wrong classes has $k$ ones among $k$ bits with probability $w = q^k$, independently; with $m$ of them the true class is chosen with probability at most $1/(m + 1)$, ties being broken at random or, in the mean over the true label, in any fixed order; $E 1/(M + 1)$ "
    r"for $M$ $\mathrm{binomial}(K - 1, w)$, term by term $C(K-1, m)/(m+1) = C(K, m+1)/K$",
    given=[tm.Whole(SIZE, M), W > 0, W < 1, SIZE >= 2, M >= 0, M <= SIZE - 1],
    kind="ours",
    replay="the exact accuracy for k = 1, 2, 3, K = 2..6, s = 3/2, 3, and for k = 1 the library's hit rate",
    formula=lambda w, size: (1 - (1 - w) ** size) / (size * w),
    note=r"'Our method solves the problem of the degradation of utility with large number of classes $K$': $k$ has to grow like $\ln K$. The decay sets in where $K$ passes $1/w$, at $\epsilon = 1$ and $k = 1$ at 2.65 classes, $k = 10$ at 17,000 and the paper's $k = 200$ beyond any number of classes.",
)
def accuracy_falls(bound: Any) -> Parts:
    for neighbours, count, s in product((1, 2, 3), range(2, 7), (ROOTS[0], ROOTS[2])):
        encoding = vector(count, s)
        got = _accuracy(count, neighbours, Fraction(encoding.p), Fraction(encoding.q))
        most, where = bound(Fraction(encoding.q) ** neighbours, count), f"K = {count}, k = {neighbours}, s = {s}"
        yield neighbours > 1 or Instance(f"{where}: accuracy, hit rate", got, "==", encoding.hit_rate)
        yield Instance(f"{where}: accuracy, bound", got, "<=", most)
    yield "absorption, C(K-1, m)/(m+1)", (tm.binomial(SIZE - 1, M) / (M + 1), tm.binomial(SIZE, M + 1) / SIZE)
    missing = (1 - W) ** SIZE  # the term m + 1 = 0 of the sum that is 1
    yield "the mean, by the binomial theorem", (bound(W, SIZE), (1 - missing) / (SIZE * W))
    yield "at most 1/(K w)", bound(W, SIZE) <= 1 / (SIZE * W)
