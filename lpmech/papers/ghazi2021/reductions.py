"""App. F.3 to F.5 as wholes: the reduction of Lemma 16 proved, Lemma 15 (16) and Prop. 12 (11) with their constants."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

import sympy as sp
from flint import arb

from lpmech.papers.checking import (
    both,
    check_identities,
    check_implications,
    check_reals,
    check_sampled_reals,
    replayed,
)
from lpmech.papers.ghazi2021.paper import PAPER
from lpmech.verdicts import Outcome

DELTA, LOG, M, POWER, EPSILON, N = sp.symbols("delta l m P epsilon n")
DELTAS = (Fraction(49, 100), Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))


def _log(value: Fraction | int) -> arb:
    exact = Fraction(value)
    return (arb(exact.numerator) / exact.denominator).log()


def _copies_tail(n: int, above: int) -> Fraction:
    """Pr[an example is drawn more than `above` times in n draws from n]."""
    chance = Fraction(1, n)
    return 1 - sum((comb(n, m) * chance**m * (1 - chance) ** (n - m) for m in range(min(above, n) + 1)), Fraction(0))


@PAPER.claim(
    "Lemma 16",
    r"an \left(\frac\varepsilon{4\log(2/\delta)},\frac{e^{-\varepsilon}\delta}{8\log(2/\delta)}\right)-LabelDP algorithm with excess population risk \gamma gives an (\varepsilon,\delta)-LabelDP algorithm with excess empirical risk \gamma",
    hypotheses="every n >= 1, gamma, epsilon > 0, 0 < delta < 1/2, l = ln(2/delta): run it on n draws from S with replacement, whose population risk is the empirical risk of S, so the excess is the same. One example is drawn M times, M binomial(n, 1/n), M <= 4l but with probability delta/2: "
    "Pr[M >= m] <= E m^M/m^m <= e^{m-1}/m^m <= e^{-m/4} for m >= 4 ln 4, and e^{-l} = delta/2. Given M = k <= 4l, Fact 14: level k epsilon' <= epsilon, delta'(e^{k epsilon'} - 1)/(e^{epsilon'} - 1) <= k e^epsilon delta' <= delta/2. "
    "Tail replayed exactly for n = 1..60, four delta. The formula: (4, 8)",

    formula=(4, 8),
    mutants={
        "2 log(2/delta)": (2, 8),
        "4 log(2/delta) for both": (4, 4),
        "8 and 8": (8, 8),
        "3 and 5": (3, 5),
    },
    note="The paper quotes it from Bassily et al., where sample and label are protected; nothing in the proof needs the sample. (4, 8) is one choice of many: 3 log(2/delta) and 6 would do as well.",
)  # fmt: skip
def lemma_16(divisors: Any) -> Outcome:
    copies, failing = divisors
    v = sp.Symbol("v", positive=True)
    power = sp.Symbol("m", positive=True)
    chernoff = check_identities(
        {"e^(v - 1)/v^m at v = m": ((sp.exp(v - 1) / v**power).subs(v, power).subs(power, M), sp.exp(M - 1) / M**M)},
        "Markov's inequality for m^M; (1 + (m - 1)/n)^n <= e^(m - 1)",
        hypotheses=[M >= 1],
    )
    # ln m - 1 - 1/a + 1/m >= 0 is what e^(m-1)/m^m <= e^(-m/a) asks for; it rises for m >= 1
    rises = check_implications([M >= 1], {"ln m + 1/m rises": 1 / M - 1 / M**2 >= 0}, "the derivative")
    least = copies * _log(4)
    start = check_reals(
        {"ln m + 1/m >= 1 + 1/a at m = a ln 4": (1 + arb(1) / copies, least.log() + 1 / least)}, "delta < 1/2"
    )
    k, single, geometric, budget = sp.symbols("k x c E")
    group = check_implications(
        [k >= 1, single >= 1, POWER >= 1, geometric >= 0, geometric <= k * POWER],
        {"c_(k+1) = x c_k + 1 <= (k + 1) x^(k+1)": single * geometric + 1 <= (k + 1) * single * POWER},
        "Fact 14's coefficient, by induction on k",
    )
    total = check_implications(
        [LOG > 0, DELTA > 0, DELTA < sp.Rational(1, 2), budget >= 1, k >= 0, k <= copies * LOG],
        {"delta": DELTA / 2 + k * budget * (DELTA / budget) / (failing * LOG) <= DELTA},
        "both failures, E = e^epsilon",
    )

    def tails() -> Iterator[tuple[str, tuple[arb, arb]]]:
        for n in range(1, 61):
            for delta in DELTAS:
                limit = copies * _log(2 / delta)
                tail = _copies_tail(n, int(limit.floor().unique_fmpz()))
                yield (
                    f"n = {n}, delta = {delta}",
                    (arb(tail.numerator) / tail.denominator, arb(delta.numerator) / delta.denominator / 2),
                )

    proof = both(both(chernoff, rises), both(start, both(group, total)))
    return replayed(proof, check_sampled_reals(dict(tails()), "exact tails, n = 1..60, four delta"))


def prop_13_constant(t: Any, delta: Any) -> Any:
    """1 - sqrt((t + delta)/(t + 1)) as a ball: Prop. 13 gives half of it times DL/sqrt(n)."""
    return 1 - ((t + delta) / (t + 1)).sqrt()


C0 = sp.Symbol("c_0")


@PAPER.claim(
    "Lemma 15 (16) (as a whole)",
    r"(16) with its constant: every (\varepsilon',\delta')-LabelDP algorithm with \varepsilon'\le 1, \delta'\le\varepsilon'/4, n\ge 1/\varepsilon' has excess risk at least \frac{c_0}4\frac{DL}{\sqrt{\varepsilon'n}}, \frac{c_0}4=0.0174, on some dataset",
    hypotheses="k = floor(1/epsilon'), m = floor(n/k) examples k times each, n - km of loss 0; budget k epsilon' <= 1, delta <= (e - 1)/4 <= 1/2 by Fact 14 ('Lemma 15 (delta)'), so excess c_0 DL/(2 sqrt m) with c_0 = 1 - sqrt((e + 1/2)/(e + 1)) by 'Prop. 13' on the m examples, times km/n; "
    "km > n/2 and k epsilon' > 1/2 by 'Lemma 15 (any n)' and 'Lemma 15 (k)'. The formula: the constant over c_0, and its value",

    formula=(sp.Rational(1, 4), "0.0174"),
    mutants={
        "1/2": (sp.Rational(1, 2), "0.0348"),
        "1/3": (sp.Rational(1, 3), "0.0232"),
        "0.0175": (sp.Rational(1, 4), "0.0175"),
        "0.0170": (sp.Rational(1, 4), "0.0170"),
    },
    note="As a limit the factor 1/4 is what this proof gives: k epsilon' near 1/2 and km near n/2.",
)  # fmt: skip
def lemma_15(constants: Any) -> Outcome:
    share, printed = constants
    k, copies = sp.symbols("k m")
    # (km/n) c_0 DL/(2 sqrt m) >= share c_0 DL/sqrt(epsilon' n), squared and divided by (c_0 DL)^2
    squares = check_implications(
        [EPSILON > 0, EPSILON <= 1, k >= 1, copies >= 1, N >= k * copies, 2 * k * copies >= N, 2 * k * EPSILON >= 1],
        {"squares": share**2 / (EPSILON * N) <= (k * copies / N) ** 2 / (4 * copies)},
        "km >= n/2, k epsilon' >= 1/2",
    )
    sharp = check_implications(
        [EPSILON > 0, k >= 1, copies >= 1, sp.Eq(N, 2 * k * copies), sp.Eq(2 * k * EPSILON, 1)],
        {"equal at the ends": sp.Eq(share**2 / (EPSILON * N), (k * copies / N) ** 2 / (4 * copies))},
        "sharp",
    )
    value = prop_13_constant(arb(1).exp(), arb(1) / 2) * share.p / share.q
    decimals = Fraction(printed)
    below, above = (arb(v.numerator) / v.denominator for v in (decimals, decimals + Fraction(1, 10000)))
    numbers = check_reals(
        {
            "at least the printed value": (below, value),
            "one unit more is not reached": (value, above),
            "(e - 1)/4 <= 1/2": (arb(1).exp() - 1, arb(2)),
        },
        "c_0",
    )
    return both(both(squares, sharp), numbers)


SMALL = Fraction(76, 1000)


@PAPER.claim(
    "Prop. 12 (11) (as a whole)",
    r"(11) with its constant and logarithm, for every \varepsilon\in(0,1]: every (\varepsilon,\delta)-LabelDP algorithm has excess population risk at least \frac{2\cdot 10^{-5}\,DL}{\sqrt{\varepsilon n\ln(2/\varepsilon)}} for some P, if n\ge 1/\varepsilon and \delta\le 10^{-6}\varepsilon^2",
    hypotheses="by Lemma 16, applied with delta_E of its own, l = ln(2/delta_E), epsilon_E = 4 l epsilon and delta <= e^{-epsilon_E} delta_E/(8 l). epsilon <= 0.076: delta_E = epsilon, epsilon_E <= 1, Lemma 15 (16): (c_0/4) DL/sqrt(4 l epsilon n) = (c_0/8) DL/sqrt(l epsilon n). "
    "epsilon > 0.076: delta_E = 1/4, l = ln 8, epsilon_E <= 4 ln 8: Prop. 13 at n gives (1 - sqrt((8^4 + 1/4)/(8^4 + 1))) DL/(2 sqrt n), and epsilon ln(2/epsilon) >= 0.24 on [0.076, 1] (concave). epsilon ln(2/epsilon) increases up to 0.076. The formula: the constant and that of delta",

    formula=("0.00002", "0.000001"),
    mutants={
        "constant 10^-3": ("0.001", "0.000001"),
        "constant 5 10^-5": ("0.00005", "0.000001"),
        "delta <= epsilon^2/100": ("0.00002", "0.01"),
        "delta <= 10^-4 epsilon^2": ("0.00002", "0.0001"),
    },
    note="The text says 'for sufficiently small delta' and 'sufficiently large n (both depending on epsilon)'; n >= 1/epsilon is enough. For epsilon <= 0.076 alone the constant is 0.0087. The distribution is the uniform one on the dataset of Lemma 15 (Prop. 13), n of Lemma 16.",
)  # fmt: skip
def prop_12(constants: Any) -> Outcome:
    constant, most = (Fraction(c) for c in constants)

    def real(value: Fraction) -> arb:
        return arb(value.numerator) / value.denominator

    c0 = prop_13_constant(arb(1).exp(), arb(1) / 2)
    large = prop_13_constant(arb(8) ** 4, arb(1) / 4) / 2
    edge = real(SMALL)
    product_at_edge = edge * (2 / edge).log()
    facts = {
        "4 l epsilon <= 1 up to 0.076": (4 * product_at_edge, arb(1)),
        "epsilon <= 0.076: constant": (real(constant), c0 / 8),
        "delta_E = epsilon <= epsilon_E/4 = l epsilon": (arb(1), (2 / edge).log()),
        "epsilon l >= 0.24 at 0.076": (real(Fraction(24, 100)), product_at_edge),
        "epsilon l >= 0.24 at 1": (real(Fraction(24, 100)), arb(2).log()),
        "epsilon > 0.076: constant": (real(constant), large * real(Fraction(24, 100)).sqrt()),
        "epsilon > 0.076: delta, worst at epsilon = 1": (real(most), arb(8) ** -4 / 4 / (8 * arb(8).log())),
    }
    # epsilon <= 0.076: delta <= e^-1 epsilon/(8 l) holds as most epsilon^2 <= most epsilon/(4 l), epsilon l <= 1/4
    facts["epsilon <= 0.076: delta"] = (real(most) / 4, (-arb(1)).exp() / 8)
    numbers = check_reals(facts, "two ranges of epsilon")
    slope = check_implications(
        [EPSILON > 0, EPSILON <= real_rational(SMALL), LOG >= 3],
        {"(epsilon ln(2/epsilon))' = l - 1 > 0": LOG - 1 > 0},
        "increasing",
    )
    squares = check_identities(
        {"(c_0/4)/sqrt(4 l epsilon n)": ((C0 / 4) ** 2 / (4 * LOG * EPSILON * N), (C0 / 8) ** 2 / (LOG * EPSILON * N))},
        "Lemma 15 at 4 l epsilon",
        hypotheses=[LOG > 0, EPSILON > 0, N >= 1],
    )
    return both(numbers, both(slope, squares))


def real_rational(value: Fraction) -> sp.Rational:
    """The fraction in sympy."""
    return sp.Rational(value.numerator, value.denominator)
