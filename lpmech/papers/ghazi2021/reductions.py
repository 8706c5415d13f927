"""App. F.3 to F.5 as wholes: the reduction of Lemma 16 proved, Lemma 15 (16) and Prop. 12 (11) with their constants."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from lpmech.claims import Instance, Parts, each
from lpmech.claims.checking import check_reals
from lpmech.papers.checks import at_most, ball
from lpmech.papers.ghazi2021.paper import PAPER
from lpmech.papers.ghazi2021.proposition_12 import EPSILON_2
from lpmech.terms import functions as tm

DELTA, LOG, M, POWER, EPSILON, N = tm.symbols("delta l m P epsilon n")
COPIES, SINGLE, GEOMETRIC, BUDGET, C0 = tm.symbols("k x c E c_0")
HALF = tm.Rational(1, 2)


@PAPER.claim(
    "Lemma 16",
    r"an $(\frac{\epsilon}{4\log(2/\delta)},\frac{e^{-\epsilon}\delta}{8\log(2/\delta)})$-LabelDP algorithm with excess population risk $\gamma$ gives an $(\epsilon,\delta)$-LabelDP algorithm with excess empirical risk $\gamma$",
    hypotheses=r"every $n \ge 1$, $\gamma$, $\epsilon > 0$, $0 < \delta < 1/2$, $l = \ln(2/\delta)$: run it on $n$ draws from $S$ with replacement, whose population risk is the empirical risk of $S$, so the excess is the same. One example is drawn $M$ times, $M$ $\mathrm{binomial}(n, 1/n)$, $M \le 4l$ but with probability $\delta/2$: "
    r"$\Pr[M \ge m] \le E m^M/m^m \le e^{m-1}/m^m \le e^{-m/4}$ for $m \ge 4 \ln 4$, and $e^{-l} = \delta/2$. Given $M = k \le 4l$, Fact 14: level $k \epsilon' \le \epsilon$, $\delta'(e^{k \epsilon'} - 1)/(e^{\epsilon'} - 1) \le k e^\epsilon \delta' \le \delta/2$. $x = e^{\epsilon'}$, $P = x^k$, $c = (x^k - 1)/(x - 1)$, $E = e^\epsilon$. The constants 4 and 8 are those of the two budgets",
    replay="exact tails, n = 1..60, four delta",
    formula=(4, 8),
    mutants={"4 log(2/delta) for both": (4, 4)},
    survivors={"part 1: 4 -> 3": "one choice of many, see the note", "part 2: 8 -> 9": "a smaller delta'"},
    uses=["Fact 14"],
    note=r"The paper quotes it from Bassily et al., where sample and label are protected; nothing in the proof needs the sample. $(4, 8)$ is one choice of many: $3 \log(2/\delta)$ and 6 would do as well.",
)
def lemma_16(divisors: Any) -> Parts:
    copies, failing = divisors
    for n in range(1, 61):
        for delta in map(Fraction, ("49/100", "1/10", "1/1000", "1/1000000")):
            # an example is drawn more often than that in n draws from n
            tail = 1 - at_most(int((copies * ball(2 / delta).log()).floor().unique_fmpz()), n, Fraction(1, n))
            yield Instance(f"n = {n}, delta = {delta}: Pr[too many copies], delta/2", tail, "<=", delta / 2)
    v, power = tm.symbols("v m")
    markov = ((tm.exp(v - 1) / v**power).at({v: M, power: M}), tm.exp(M - 1) / M**M)
    # ln m - 1 - 1/a + 1/m >= 0 is what e^(m-1)/m^m <= e^(-m/a) asks for; it rises for m >= 1
    rises = {"its slope: ln m + 1/m rises": 1 / M - 1 / M**2 >= 0}
    yield [M >= 1], {"Markov's inequality for v^M, (1 + (v - 1)/n)^n/v^m <= e^(v - 1)/v^m, at v = m": markov} | rises
    least = copies * arb(4).log()
    start = {"1 + 1/a, ln m + 1/m at m = a ln 4, a = 4": (1 + arb(1) / copies, least.log() + 1 / least)}
    yield check_reals(start, "delta < 1/2")
    group = {
        "Fact 14's c_(k+1) = x c_k + 1 <= (k + 1) x^(k+1)": SINGLE * GEOMETRIC + 1 <= (COPIES + 1) * SINGLE * POWER
    }
    yield [COPIES >= 1, SINGLE >= 1, POWER >= 1, GEOMETRIC >= 0, GEOMETRIC <= COPIES * POWER], group
    total = DELTA / 2 + COPIES * BUDGET * (DELTA / BUDGET) / (failing * LOG)
    known = [LOG > 0, DELTA > 0, DELTA < HALF, BUDGET >= 1, COPIES >= 0, COPIES <= copies * LOG]
    yield known, {"both failures together, E = e^epsilon": total <= DELTA}


def prop_13_constant(t: Any, delta: Any) -> Any:
    """1 - sqrt((t + delta)/(t + 1)) as a ball: Prop. 13 gives half of it times DL/sqrt(n)."""
    return 1 - ((t + delta) / (t + 1)).sqrt()


def _printed(value: arb, printed: str) -> dict[str, tuple[arb, arb]]:
    """The printed decimals are the value, rounded down."""
    below, unit = Fraction(printed), Fraction(1, 10 ** len(printed.partition(".")[2]))
    return {
        "printed decimals, value": (ball(below), value),
        "value, one unit of the last decimal more": (value, ball(below + unit)),
        "a digit is printed: one unit, printed decimals": (ball(unit), ball(below)),
    }


@PAPER.claim(
    "Lemma 15 (16) (as a whole)",
    r"(16) with its constant: every $(\epsilon',\delta')$-LabelDP algorithm with $\epsilon'\le 1$, $\delta'\le\epsilon'/4$, $n\ge 1/\epsilon'$ has excess risk at least $\frac{c_0}{4}\frac{DL}{\sqrt{\epsilon'n}}$, $\frac{c_0}{4}>0.0174$, on some dataset",
    hypotheses=r"$k = \lfloor 1/\epsilon'\rfloor$, $m = \lfloor n/k\rfloor$ examples $k$ times each, $n - km$ of loss 0; budget $k \epsilon' \le 1$, $\delta \le (e - 1)/4 \le 1/2$ by Fact 14 ('Lemma 15 (delta)'), so excess $c_0 DL/(2 \sqrt{m})$ with $c_0 = 1 - \sqrt{(e + 1/2)/(e + 1)}$ by 'Prop. 13' on the $m$ examples, times "
    r"$km/n$; $km > n/2$ and $k \epsilon' > 1/2$ by 'Lemma 15 (any n)' and 'Lemma 15 (k)'. $1/4$ is the constant over $c_0$",
    formula=(Fraction(1, 4), "0.0174"),
    uses=["Lemma 15 (k)", "Lemma 15 (delta)", "Lemma 15 (any n)", "Prop. 13"],
    note=r"As a limit the factor $1/4$ is what this proof gives: $k \epsilon'$ near $1/2$ and $k m$ near $n/2$.",
)
def lemma_15(constants: Any) -> Parts:
    share, printed = constants
    k, m = COPIES, M
    # (km/n) c_0 DL/(2 sqrt m) >= share c_0 DL/sqrt(epsilon' n), squared and divided by (c_0 DL)^2
    ours, theirs = share**2 / (EPSILON_2 * N), (k * m / N) ** 2 / (4 * m)
    known = [EPSILON_2 > 0, EPSILON_2 <= 1, k >= 1, m >= 1, N >= k * m, 2 * k * m >= N, 2 * k * EPSILON_2 >= 1]
    ends = tm.And(tm.Eq(N, 2 * k * m), tm.Eq(2 * k * EPSILON_2, 1))
    yield known, {"squares": ours <= theirs, "equal at the ends": tm.Implies(ends, tm.Eq(ours, theirs))}
    value = prop_13_constant(arb(1).exp(), arb(1) / 2) * share.numerator / share.denominator
    three_digits = Fraction(100, 10 ** len(printed.partition(".")[2])), Fraction(printed)
    facts = {
        "e - 1, 2": (arb(1).exp() - 1, arb(2)),
        "three digits are printed: 100 units, printed decimals": tuple(map(ball, three_digits)),
    }
    yield check_reals({**_printed(value, printed), **facts}, "c_0")


@PAPER.claim(
    "Prop. 12 (11) (as a whole)",
    r"(11) with its constant and logarithm, for every $\epsilon\in(0,1]$: every $(\epsilon,\delta)$-LabelDP algorithm has excess population risk at least $\frac{2\cdot 10^{-5}\,DL}{\sqrt{\epsilon n\ln(2/\epsilon)}}$ for some $P$, if $n\ge 1/\epsilon$ and $\delta\le 10^{-6}\epsilon^2$",
    hypotheses=r"by Lemma 16, applied with $\delta_E$ of its own, $l = \ln(2/\delta_E)$, $\epsilon_E = 4 l \epsilon$ and $\delta \le e^{-\epsilon_E} \delta_E/(8 l)$. $\epsilon \le 0.076$: $\delta_E = \epsilon$, $\epsilon_E \le 1$, Lemma 15 (16): $(c_0/4) DL/\sqrt{4 l \epsilon n} = (c_0/8) DL/\sqrt{l \epsilon n}$. "
    r"$\epsilon > 0.076$: $\delta_E = 1/4$, $l = \ln 8$, $\epsilon_E \le 4 \ln 8$: Prop. 13 at $n$ gives $(1 - \sqrt{(8^4 + 1/4)/(8^4 + 1)}) DL/(2 \sqrt{n})$, and $\epsilon \ln(2/\epsilon) \ge 0.24$ on $[0.076, 1]$ (concave). $\epsilon \ln(2/\epsilon)$ increases up to 0.076",
    formula=("0.00002", "0.000001"),
    mutants={"delta <= epsilon^2/100": ("0.00002", "0.01")},
    survivors={
        "part 2: 0.000001 -> 0.000002": "a larger delta would do: up to 3.6 10^-6 epsilon^2",
        "part 2: 0.000001 -> 0.000000": "delta = 0, a special case",
    },
    uses=["Lemma 16", "Lemma 15 (16) (as a whole)", "Prop. 13"],
    note=r"The text says 'for sufficiently small $\delta$' and 'sufficiently large $n$ (both depending on $\epsilon$)'; $n \ge 1/\epsilon$ is enough. For $\epsilon \le 0.076$ alone the constant is 0.0087. The distribution is the uniform one on the dataset of Lemma 15 (Prop. 13), $n$ of Lemma 16.",
)
def prop_12(constants: Any) -> Parts:
    constant, most = constants[0], ball(constants[1])
    c0, edge, least = prop_13_constant(arb(1).exp(), arb(1) / 2), arb(76) / 1000, arb(24) / 100
    at_edge, large = edge * (2 / edge).log(), prop_13_constant(arb(8) ** 4, arb(1) / 4) / 2
    beyond = _printed(large * least.sqrt(), constant)
    facts = {
        "4 l epsilon <= 1 up to 0.076": (4 * at_edge, arb(1)),
        "epsilon <= 0.076: constant": (ball(constant), c0 / 8),
        "delta_E = epsilon <= epsilon_E/4 = l epsilon": (arb(1), (2 / edge).log()),
        "epsilon l >= 0.24 at 0.076": (least, at_edge),
        "epsilon l >= 0.24 at 1": (least, arb(2).log()),
        "epsilon > 0.076: delta, worst at epsilon = 1": (most, arb(8) ** -4 / 4 / (8 * arb(8).log())),
        # delta <= e^-1 epsilon/(8 l) holds as most epsilon^2 <= most epsilon/(4 l), epsilon l <= 1/4
        "epsilon <= 0.076: delta": (most / 4, (-arb(1)).exp() / 8),
        **{f"epsilon > 0.076: {words}": beyond[words] for words in each("constant", beyond)},
    }
    yield check_reals(facts, "two ranges of epsilon")
    rising = [EPSILON > 0, EPSILON <= tm.Rational(76, 1000), LOG >= 3]
    yield rising, {"epsilon ln(2/epsilon) increases, with slope l - 1": LOG - 1 > 0}
    squares = ((C0 / 4) ** 2 / (4 * LOG * EPSILON * N), (C0 / 8) ** 2 / (LOG * EPSILON * N))
    yield [LOG > 0, EPSILON > 0, N >= 1], {"Lemma 15 at 4 l epsilon, (c_0/4)/sqrt(4 l epsilon n)": squares}
