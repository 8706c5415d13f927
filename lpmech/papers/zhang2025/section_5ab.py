"""Sections V.A, V.B and VI.B: the numbers behind Figs. 4, 5 and 11, recomputed, and what is optimal there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, product
from operator import mul
from typing import Any

from lpmech import PrivacyLevel
from lpmech.certify import certificate_of
from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_sampled_reals
from lpmech.entries import Array
from lpmech.errors import UndecidedError
from lpmech.mechanisms.bipartite_rr import common_m, common_m_star, global_program, local_m, m_integers
from lpmech.mechanisms.bipartite_rr.optimality import grr_excess_on_integers, grr_threshold_on_integers
from lpmech.mechanisms.exponential import exponential_from_root, sensitivity
from lpmech.papers.checks import ball, sampled
from lpmech.papers.zhang2025.algorithm_2 import best_common_m
from lpmech.papers.zhang2025.algorithm_3 import star_m
from lpmech.papers.zhang2025.enclosures import Figure, at_budget, distance_figure, not_ahead_on, tanimoto_figure
from lpmech.papers.zhang2025.greedy import ALG_2, ALG_3, Rule, loop_maximises, no_row_falls, raised_above, raised_by_all
from lpmech.papers.zhang2025.paper import PAPER, Matrix, N, T, average, better_of_both, matrices, written
from lpmech.prove import steps
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, tanimoto
from lpmech.verdicts import Outcome

WEIGHT, LARGER_T, TOP, REST, COUNT, SIZE, RATE = tm.symbols("s t2 A B m N x")
SCORES, POWERS = tm.symbols("u1 u2 u3"), tm.symbols("e1 e2 e3")
OWN, MINE, THEIRS, BEST, DELTA, ROOT = tm.symbols("u_yy u_yj u_jy u_jj Delta r")
QUARTER = N * (N + 1) / 4
#: The smallest found in which BRR* is behind the exponential mechanism too, and one of each of the next sizes.
BEHIND: tuple[Matrix, ...] = (
    ((2, 2, 2), (1, 3, 2), (1, 3, 3)),
    ((2, 2, 2, 2), (1, 3, 3, 2), (1, 2, 3, 2), (1, 3, 3, 3)),
    ((2, 2, 2, 2, 2), (1, 3, 2, 3, 3), (1, 2, 3, 2, 2), (1, 3, 3, 3, 2), (1, 3, 3, 3, 3)),
)
CASES = [m for m in [*list(matrices(3, 3))[::7], *BEHIND] if sensitivity(m) == 1]
SIZES = (20, 40, 60, 80, 100)
BUDGETS = tuple(map(Fraction, ("1/4", "1/2", "1", "3/2", "2", "3", "4", "5", "6", "8")))
FIGURES: dict[str, Callable[[int], Figure]] = {"Fig. 4": tanimoto_figure, "Fig. 5": distance_figure}
BALLS = "interval arithmetic (Arb)"
INCREASING = ("BRR", "GRR", "exponential")
POINTS = f"N in {SIZES}, 10 budgets from 1/4 to 8, {BALLS}"


def _points(figures: Iterable[str], better: str, worse: str, budgets: Sequence[Fraction], strictly: bool) -> Parts:
    """Whether `better` is certainly ahead at every budget (or is the same channel, unless strictly), else both utilities."""
    for name, n, epsilon in each("figure, N, epsilon", product(figures, SIZES, budgets)):
        figure = FIGURES[name](n)
        where = f"{figure.name}, N = {n}, epsilon = {epsilon}"
        ms = [] if "exponential" in (better, worse) else [figure.m(mechanism, epsilon) for mechanism in (better, worse)]
        if len(set(ms)) == 1:
            yield not strictly or f"{where}: m = {ms[0]} for both"
            continue
        high, low = (figure.average(mechanism, epsilon) for mechanism in (better, worse))
        if not high > low and not high < low:
            raise UndecidedError(f"{better} and {worse} at epsilon = {epsilon}: {high} and {low} are not told apart")
        yield Instance(f"{where}: {better}, {worse}", high, ">", low)


for figure, what in (("Fig. 4", "Tanimoto similarity"), ("Fig. 5", "$|i - j|$ as loss")):

    @PAPER.claim(
        f"{figure} (BRR against GRR)",
        rf"{what}: the utility of BRR is at least that of the GRR mechanism at every $N$ and $\epsilon$ shown",
        hypotheses=r"any $N$, utility and $\epsilon$: every step from $m = 1$ to the smallest $m$ raises the utility of every row",
        replay=POINTS,
        formula=("BRR", "GRR", raised_by_all),
        uses=["Alg. 2 (never below GRR)"],
    )
    def against_grr(case: tuple[str, str, Rule], figure: str = figure) -> Parts:
        better, worse, rule = case
        yield from _points([figure], better, worse, BUDGETS, False)
        ahead = any(isinstance(p, Instance) and p.holds for p in _points([figure], better, worse, BUDGETS[:1], True))
        yield ahead or f"{better} and {worse} are one channel at every size"
        yield from no_row_falls(rule)


for figure, quote in (
    ("Fig. 4", "'the results obtained using the BRR mechanism surpass those of the GRR and exponential mechanisms'"),
    (
        "Fig. 5",
        "'the utility loss with the BRR mechanism is consistently lower than that of the GRR and exponential mechanisms'",
    ),
):

    @PAPER.claim(
        f"{figure} (strictly better)",
        rf"{quote}: strictly better than GRR",
        hypotheses="$N = 20$, 40, 60, 80, 100; the budgets of the figure are not given",
        consequence="wording",
        readings={"budgets up to 3": "certified", "budgets up to 8": "refuted"},
        formula="GRR",
        mutants={"better than BRR itself": "BRR"},
        note=r"Once $m = 1$, BRR is GRR (section VI.C says so itself at $\epsilon = 8$), so the sentence can hold only while $m > 1$.",
    )
    def strictly_better(worse: str, figure: str = figure) -> tuple[Outcome, ...]:
        words = f"N in {{{{{', '.join(map(str, SIZES))}}}}}, {{}} budgets from 1/4 to {{}}"
        readings = ((some, words.format(len(some), max(some))) for some in (BUDGETS[:6], BUDGETS))
        return tuple(sampled(_points([figure], "BRR", worse, some, True), told, BALLS) for some, told in readings)


@PAPER.claim(
    "Figs. 4 and 5 (strictly better than the exponential mechanism)",
    r"'the BRR mechanism can not only provide higher data utility, but also have lower utility loss than ... exponential mechanism', at every $N$ and $\epsilon$",
    hypotheses=r"$N = 20$, 40, 60, 80, 100, every real $\epsilon$ from $1/10$ to 10; sensitivity of (3). On an interval of budgets BRR at the lower end is compared with the exponential mechanism at the upper end",
    every={
        "figure, N, epsilon": list(product(FIGURES, SIZES, BUDGETS)),
        "figure, N, at every real epsilon from 1/10 to 10": list(product(FIGURES, SIZES)),
    },
    method=BALLS,
    formula="exponential",
    mutants={"GRR": "GRR", "BRR*": "BRR*"},
)
def strictly_better_than_exponential(worse: str) -> Parts:
    yield from _points(FIGURES, "BRR", worse, BUDGETS, True)
    for name, n in each("figure, N, at every real epsilon from 1/10 to 10"):
        figure = FIGURES[name](n)
        left = next(not_ahead_on(figure, Fraction(1, 10), Fraction(10)), None)
        yield left is None or f"{figure.name}, N = {len(figure.rows)}: not settled at epsilon = {left}"
    for id in each("claim", ("Section V.A (exponential increases)", "Section V.A (increase at fixed m)")):
        yield PAPER.claims[id].run()


@PAPER.claim(
    "Figs. 4 and 5 (increase at whole budgets)",
    r"'the utility increases with higher privacy budgets across all mechanisms', BRR, GRR and exponential, from each whole budget $\epsilon=1,\dots,7$ to the next",
    hypotheses="both utilities, the loss of Fig. 5 with its sign changed; the budgets of the figures are not given",
    every={"figure, N, mechanism, epsilon": list(product(FIGURES, SIZES, INCREASING, map(Fraction, range(1, 8))))},
    method=BALLS,
    formula=Fraction(1),
    mutants={"steps of 1/2": Fraction(1, 2), "steps of 1/10": Fraction(1, 10)},
    note="At half budgets BRR already falls in between: see 'Section V.A (increase, N = 20)'.",
)
def increase_on_a_grid(step: Fraction) -> Parts:
    yield step <= 1 or f"steps of {step} leave out whole budgets"
    budgets = [1 + step * i for i in range(int(7 / step))]
    for shape, n, name, low in each("figure, N, mechanism, epsilon", product(FIGURES, SIZES, INCREASING, budgets)):
        make = FIGURES[shape]
        first, second = (make(n).average(name, epsilon) for epsilon in (low, low + step))
        where = f"{make(n).name}, N = {n}: {name} at epsilon = {low + step}, at {low}"
        yield Instance(where, second, ">", first)


def rises(choose: Any, cases: Iterable[tuple[str, Array]], levels: Sequence[Fraction]) -> Iterator[Instance]:
    """Whether the average utility of (6), m chosen anew, rises from one level to the next."""
    for name, utility in cases:
        ms = [choose(utility, PrivacyLevel.from_ratio(t)) for t in levels]
        values = [average(utility, m, t) for m, t in zip(ms, levels, strict=True)]
        for (t, m, before), (larger, k, after) in pairwise(zip(levels, ms, values, strict=True)):
            where = f"{name} at e^epsilon = {larger} (m = {k}), at {t} (m = {m})"
            yield Instance(where, after, ">=", before) if before >= 0 else Instance(where, -after, "<=", -before)


#: t = 2 to 10.
STEPS = [Fraction(8 + i, 4) for i in range(33)]
#: BRR* is the maximum over [1, t]^N, which lies in [1, t']^N.
STAYS_ADMITTED: dict[str, Any] = {
    "given": [T > 1, LARGER_T >= T, WEIGHT >= 1, WEIGHT <= T],
    "replay": "|i - j| and Tanimoto on 1..N for N = 3, ..., 12, and similarities of 10^20, t from 2 to 10 in steps of 1/4; exact",
}


@PAPER.claim(
    "Section V.A (utility increases with epsilon)",
    "'for the same $N$, the utility increases with higher privacy budgets across all mechanisms. This trend is inherent'",
    hypotheses="the average utility of BRR, uniform prior; of GRR and the exponential mechanism it is true: 'Section V.A (increase at fixed m)', 'Section V.A (exponential increases)'",
    **STAYS_ADMITTED,
    consequence="wording",
    formula=ALG_2,
    control=ALG_3,
    note="When the minimum over rows drops from $m$ to $m - 1$, BRR loses more than the larger budget gives. The coarse grid of a figure easily misses such dips.",
)
@PAPER.claim(
    "Section V.A (utility increases with epsilon) [repaired]",
    r"the utility of BRR* increases with $\epsilon$",
    hypotheses="any $N$, utility and prior: BRR* is the maximum over weights in $[1, t]^N$, which lies in $[1, t']^N$",
    **STAYS_ADMITTED,
    formula=ALG_3,
    repairs=["Section V.A (utility increases with epsilon)", "Section V.A (increase, N = 20)"],
)
def increases_with_epsilon(case: Any) -> Parts:
    utilities = (("|i - j| on 1..{}: average loss", absolute), ("Tanimoto on 1..{}: average utility", tanimoto))
    cases = [(name.format(n), utility(n)) for n, (name, utility) in product(range(3, 13), utilities)]
    yield from rises(case[0], cases, STEPS)
    yield "weights in [1, t] stay admitted in [1, t']", WEIGHT <= LARGER_T
    yield from best_common_m(case)


@PAPER.claim(
    "Section V.A (increase, N = 20)",
    r"the utility of BRR increases from $\epsilon=3$ to $\epsilon=3.5$ at $N=20$, the smallest size of Fig. 4",
    hypotheses=r"Tanimoto similarity on $1,\dots,20$; $m$ between rational bounds of $e^\epsilon$, the utility in ball arithmetic",
    cause="Section V.A (utility increases with epsilon)",
    consequence="wording",
    headline=7,
    formula=(common_m, common_m),
    control=(common_m_star, common_m_star),
    family="both budgets",
    mutants={"no output favoured at the smaller budget": (lambda utility, level: 0, common_m)},
    survivors="another choice of m, with which the utility does not fall either",
)
def increase_at_20(choices: Any) -> Parts:
    def m(choose: Any, epsilon: Fraction) -> int:
        return int(at_budget(lambda t: choose(tanimoto(20), PrivacyLevel.from_ratio(t)), epsilon))

    budgets = Fraction(3), Fraction(7, 2)
    ms = list(map(m, choices, budgets))
    text = f"N = 20: the utility at epsilon = 3 (m = {ms[0]}) is at most that at 3.5 (m = {ms[1]})"
    yield set(ms) <= set(range(1, 21)) or f"{text}: there is no such m"
    values = map(tanimoto_figure(20).common, ms, budgets)
    yield check_sampled_reals({text: tuple(values)}, text)


@PAPER.claim(
    "Section V.A (increase at fixed m)",
    r"for a fixed $m$, in particular for GRR, the utility does not fall as $\epsilon$ grows",
    hypotheses=r"$A$, $B$: sums of the $m$ largest and of the other similarities, so $A/m \ge B/(N - m)$",
    given=[T > 1, LARGER_T > T, COUNT >= 1, COUNT < SIZE],
    formula=lambda top, rest, m, n: top * (n - m) >= rest * m,
    note="For GRR this needs the true item to be (one of) the most similar to itself.",
)
def increase_at_fixed_m(larger: Any) -> Relations:
    before, after = ((t * TOP + REST) / (t * COUNT + SIZE - COUNT) for t in (T, LARGER_T))
    return {"does not fall iff": tm.Equivalent(larger(TOP, REST, COUNT, SIZE), after >= before)}


@PAPER.claim(
    "Section V.A (exponential increases)",
    r"the expected score of the exponential mechanism does not fall as $\epsilon$ grows: its derivative is the variance of the score over $2\Delta$",
    hypotheses=r"scores $u_i$, $e_i = e^{\epsilon u_i/(2 \Delta)}$; on the left the slope of $\sum u_i e_i e^{u_i x}/\sum e_i e^{u_i x}$ at $x = 0$; sums over pairs of outputs: $(\sum u^2 e)(\sum e) - (\sum u e)^2 =$ sum over pairs of $e_i e_j (u_i - u_j)^2$; three outputs written out, further pairs alike",
    given=[power > 0 for power in POWERS],
    formula=lambda u, v: (u - v) ** 2,
)
def exponential_increases(square: Any) -> Relations:
    weights = [e * tm.exp(RATE * u) for e, u in zip(POWERS, SCORES, strict=True)]
    mean = sum(u * w for u, w in zip(SCORES, weights, strict=True)) / sum(weights)
    pairs = sum(POWERS[i] * POWERS[j] * square(SCORES[i], SCORES[j]) for i in range(3) for j in range(i))
    derivative = steps.diff(mean, RATE).at({RATE: 0})
    return {"the derivative is a sum of squares with positive weights": (derivative, pairs / sum(POWERS) ** 2)}


@cache
def linear_fit(name: str, epsilon: int) -> tuple[Fraction, Fraction]:
    """Least-squares k of m = k N and its R^2, m of BRR or BRR* for |i - j| at the real e^epsilon: m does not rise with it."""
    choose, sizes = {"BRR": m_integers, "BRR*": star_m}[name], range(1, 151)
    ms = [Fraction(at_budget(partial(choose, n=n), Fraction(epsilon))) for n in sizes]
    slope, mean = sum(map(mul, sizes, ms)) / sum(n * n for n in sizes), sum(ms) / len(ms)
    residual = sum((m - slope * n) ** 2 for n, m in zip(sizes, ms, strict=True))
    return slope, 1 - residual / sum((m - mean) ** 2 for m in ms)


@PAPER.claim(
    "Fig. 11 (slopes)",
    r"the slope of the fit $m=kN$ is greater for BRR* than for BRR, and falls with $\epsilon$, at $\epsilon=1,3,5$",
    hypotheses=r"$|i - j|$, least squares through the origin over $N = 1,\dots,150$, as the range of the figure is not given. Exact $m$, the same at rationals below and above $e^\epsilon$",
    recorded="certified",
    formula=("BRR*", "BRR"),
    mutants={"the other way round": ("BRR", "BRR*")},
)
def slopes(pair: tuple[str, str]) -> Outcome:
    fitted = {(name, e): linear_fit(name, e)[0] for name in pair for e in (1, 3, 5)}
    larger, smaller = pair
    parts = [(f"{larger}, {smaller} at epsilon = {e}", (larger, e), (smaller, e)) for e in (1, 3, 5)]
    parts += [(f"{name} at epsilon = {e}, at {e + 2}", (name, e), (name, e + 2)) for name in pair for e in (1, 3)]
    text = ", ".join(f"{name} at {e}: {float(k):.3f}" for (name, e), k in fitted.items())
    in_order = (Instance(f"slopes of {where}", fitted[one], ">", fitted[other]) for where, one, other in parts)
    return sampled(in_order, f"N = 1..150: {text}")


@PAPER.claim(
    "Fig. 11 (fit)",
    "'the $y=kx$ model effectively captured the trend ..., with the fitted curve closely matching the data points'",
    hypotheses=r"$|i - j|$, $N = 1,\dots,150$, $\epsilon = 1$, 3, 5, exact $m$; closely: $R^2$ (about the mean) of at least 0.98",
    recorded="certified",
    formula=Fraction("0.98"),
)
def fit(smallest: Fraction) -> Outcome:
    found = {(name, e): linear_fit(name, e)[1] for name in ("BRR", "BRR*") for e in (1, 3, 5)}
    text = ", ".join(f"{name} at {e}: {float(r):.4f}" for (name, e), r in found.items())
    least, most = min(found.values()), smallest + Fraction(1, 200)
    parts = Instance("least R^2", least, ">=", smallest), Instance("least R^2, not much more", least, "<=", most)
    return sampled(parts, f"N = 1..150, R^2: {text}")


@PAPER.claim(
    "Section V.B (exponential mechanism, every similarity)",
    r"what 'for any utility function and any privacy level ... the optimal randomized response' implies of 'lower utility loss than ... exponential mechanism': the average utility of BRR is at least that of (3) for every similarity with the true item on top",
    hypotheses="the true item largest in its row, uniform prior; the better of BRR and BRR*",
    given=[DELTA > 0, OWN - THEIRS <= DELTA, BEST - MINE <= DELTA, BEST >= THEIRS, OWN >= MINE],
    replay="3 x 3 similarities with sensitivity 1, every seventh of those in {1, 2, 3} and (2 2 2; 1 3 2; 1 3 3), one 4 x 4 and one 5 x 5, t = 4, 9, 1.01^2 and 900, exact",
    cause="Abstract (optimal for any utility)",
    consequence="optimality",
    formula=lambda matrix, level: True,
    mutants={"at most one constant row": lambda matrix, level: sum(len(set(row)) == 1 for row in matrix) <= 1},
    note="The text of V.B speaks of the two similarities of its figures, and is right there: 'Figs. 4 and 5 (strictly better than the exponential mechanism)'. The exponential mechanism adapts every row by itself, BRR forces one $m$ on all; a row with little to choose from drags the others down.",
    repair=Repair(
        r"BRR's utility is in every row at least that of the exponential mechanism if all rows choose the same $m$ in Alg. 1 and the true item is the most similar in each, for every $N$ and $\epsilon$",
        hypotheses=r"$t > 1$; within a row the weights of (3) are then at most $e^\epsilon$ apart: $u_{yy} - u_{yj} \le 2 \Delta q$. Among weights in $[1, e^\epsilon]$ those of Alg. 1 are best for the row",
        formula=lambda matrix, level: len({local_m(row, level) for row in matrix}) == 1,
        note="So for $|i - j|$ turned into a circle, for the Hamming distance, and for every similarity whose rows are rearrangements of one another.",
    ),
)
def ahead_of_exponential(claimed: Any) -> Parts:
    for root, matrix in product(map(Fraction, ("2", "3", "101/100", "30")), CASES):
        level = PrivacyLevel.from_ratio(root**2)
        if claimed(matrix, level):
            own, other = better_of_both(matrix, level), exponential_from_root(matrix, root).expected_utility(matrix)
            where = f"lambda = {written(matrix)}, t = {root**2}: the better of BRR and BRR*, exponential mechanism"
            yield Instance(where, own, ">=", other)
    yield "the exponents of (3) in a row lie within epsilon of each other", OWN - MINE <= 2 * DELTA
    yield from loop_maximises(raised_above)


@cache
def optimum(figure: str, n: int, epsilon: Fraction) -> Any:
    """A ball that holds it: exact optima at rationals below and above e^epsilon; it rises, as the constraints are relaxed."""
    low, high = exp_bounds(epsilon)
    ratios = (Fraction(round_to(t * 10**7), 10**7) for round_to, t in ((math.floor, low), (math.ceil, high)))
    programs = [global_program(FIGURES[figure](n).utility, PrivacyLevel.from_ratio(t)) for t in ratios]
    below, above = (ball(certificate_of(program.solve("exact")).lower) for program in programs)
    return below.union(above)


#: With the percent of the optimum that is lost at N = 20, to one decimal, at every budget, by BRR and by BRR*.
for figure, statement, utility, note, *lost in (
    (
        "Fig. 5",
        r"at $\epsilon=1/4$, $1/2$, 1, $3/2$, 2, 3, 4, 5, 6, 8 the loss $|i-j|$ of BRR is 25.6, 20.3, 14.4, 10.7, 8.1, 6.7, 10.2, 2.1, 0.0, 0.0 percent above that of the optimal $\epsilon$-LDP channel, that of BRR* 25.5, 20.3, 14.0, 9.6, 7.9, 5.3, 2.1, 2.1, 0.0, 0.0",
        "$|i - j|$",
        r"'The optimal randomized response' of the abstract. At $\epsilon = 1$ the optimum releases 2 of the 20 items only. From $e^\epsilon = 177.5$, $\epsilon = 5.18$, on GRR is optimal: 'Abstract (GRR threshold for |i-j|)'.",
        "25.6 20.3 14.4 10.7 8.1 6.7 10.2 2.1 0.0 0.0",
        "25.5 20.3 14.0 9.6 7.9 5.3 2.1 2.1 0.0 0.0",
    ),
    (
        "Fig. 4",
        r"for the Tanimoto similarity at the same $\epsilon$ the utility of BRR is 13.0, 11.6, 8.2, 7.0, 7.9, 3.6, 4.2, 1.3, 0.3, 0.0 percent below that of the optimal $\epsilon$-LDP channel, that of BRR* 12.1, 9.4, 5.5, 2.9, 1.8, 1.1, 1.2, 1.0, 0.3, 0.0",
        "Tanimoto similarity",
        "",
        "13.0 11.6 8.2 7.0 7.9 3.6 4.2 1.3 0.3 0.0",
        "12.1 9.4 5.5 2.9 1.8 1.1 1.2 1.0 0.3 0.0",
    ),
):

    @PAPER.claim(
        f"{figure} (gap to the optimum, N = 20)",
        statement,
        hypotheses=rf"{utility} on $1,\dots,20$, uniform prior, the true $e^\epsilon$; half a unit of the last decimal",
        every={"mechanism, epsilon": list(product(("BRR", "BRR*"), BUDGETS))},
        method="exact optima with exact duals at rationals around e^epsilon, ball arithmetic (rigorous)",
        kind="ours",
        formula={
            mechanism: dict(zip(map(str, BUDGETS), percents.split(), strict=True))
            for mechanism, percents in zip(("BRR", "BRR*"), lost, strict=True)
        },
        note=note,
    )
    def gap(claimed: Mapping[str, Mapping[str, str]], figure: str = figure) -> Parts:
        yield claimed.keys() == {"BRR", "BRR*"} or f"of {', '.join(claimed)}, not of BRR and BRR*"
        for mechanism, epsilon in each("mechanism, epsilon"):
            best, percent = optimum(figure, 20, epsilon), claimed[mechanism][str(epsilon)]
            lost = 100 * (best - FIGURES[figure](20).average(mechanism, epsilon)) / abs(best)
            where = f"N = 20, epsilon = {epsilon}: {mechanism} loses {float(lost.mid()):.4f} percent, stated {percent}"
            yield Instance(f"{where}: apart by", abs(lost - ball(percent)), "<=", ball("0.05"))


#: N -> e^epsilon from which GRR is optimal, rounded up to one decimal.
THRESHOLDS = {3: "2.0", 4: "4.3", 5: "7.6", 20: "177.5", 40: "754.2", 60: "1730.8", 80: "3107.5", 100: "4884.2"}


@PAPER.claim(
    "Abstract (GRR threshold for |i-j|)",
    r"GRR is the optimal $\epsilon$-LDP channel for $|i-j|$ on $1,\dots,N$ exactly from $e^\epsilon=\frac{N(N+1)}{4}-N+1+\sqrt{\frac{N^2(N+1)^2}{16}-\frac{N(N^2-1)}{3}}$ on, which grows like $N^2/2$: 2, $2+\sqrt{5}$, $\frac{7+\sqrt{65}}{2}$ for $N=3,4,5$, and 177.5, 754.2, 1730.8, 3107.5, 4884.2 for $N=20,40,60,80,100$",
    hypotheses="$N$ real, uniform prior; the quadratic of 'Abstract (own utilities)', $r$ its square root; the function to one decimal, rounded up",
    given=[N >= 3, T > 1, ROOT >= 0, tm.Eq(ROOT**2, QUARTER**2 - N * (N**2 - 1) / 3)],
    every={"N": tuple(THRESHOLDS)},
    uses=["Abstract (own utilities)"],
    kind="ours",
    formula=(lambda n, root: n * (n + 1) / 4 - n + 1 + root, THRESHOLDS),
    note=r"$\epsilon = 5.18$, 6.63, 7.46, 8.05, 8.50 on the paper's sizes: among the budgets of 'Fig. 5 (BRR against GRR)' BRR is optimal at 6 and 8 for $N = 20$, and at 8 for 40 and 60.",
)
def grr_threshold(case: Any) -> Parts:
    right, thresholds = case
    for n in each("N"):
        value, exact = Fraction(thresholds[n]), grr_threshold_on_integers(n)
        below = value - Fraction(1, 10)
        near = below < Fraction(exact).limit_denominator(10**9) <= value
        tight = grr_excess_on_integers(value, n) >= 0 > grr_excess_on_integers(below, n)
        yield (near and tight) or f"N = {n}: from {exact:.4f} on, not {thresholds[n]}"
    beyond = T + N - 1 - QUARTER - ROOT
    factors = beyond * (T + N - 1 - QUARTER + ROOT)
    yield "factors", tm.Eq(grr_excess_on_integers(T, N), factors)
    yield "the left root is below 1", QUARTER - ROOT - N + 1 < 1
    yield "stated iff beyond the right root", tm.Equivalent(T >= right(N, ROOT), beyond >= 0)
