"""Section V.E: locations, perturbed within zones; what its sentences say about the mechanisms on any locations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product
from operator import mul
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Repair
from lpmech.claims.checking import check_parts, check_relations, replayed
from lpmech.entries import Array
from lpmech.mechanisms.bipartite_rr import common_m, derivative_numerator
from lpmech.mechanisms.staircase_rr import step_weight
from lpmech.papers.checks import sampled
from lpmech.papers.zhang2025.algorithm_2 import best_common_m, rows_above_grr
from lpmech.papers.zhang2025.greedy import ALG_2, ALG_3, rearrangement
from lpmech.papers.zhang2025.paper import ENTRIES, PAPER, T, average
from lpmech.papers.zhang2025.section_5ab import rises
from lpmech.terms import functions as tm
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

#: e^epsilon at whole numbers; the budgets of Fig. 9, 0.25 to 2, are those from 1.28 to 7.39.
LEVELS = tuple(map(Fraction, range(2, 8)))

LARGER_T, REST, SIZE, A, B, C = tm.symbols("t2 B N a b c")


def on_a_line(most: int, longest: int) -> Iterable[tuple[int, ...]]:
    """Whole numbers 0 = x_1 < ... < x_N, N = 2..most: short ranges first, then few points."""
    for last in range(1, longest + 1):
        for inner in range(min(most - 2, last - 1) + 1):
            for between in combinations(range(1, last), inner):
                yield (0, *between, last)


@PAPER.claim(
    "Section V.E (zones)",
    r"with zones, where 'the perturbations are confined to each zone', the release satisfies $\epsilon$-LDP 'under different privacy budgets ($\epsilon$ ranging from 0.25 to 2)'",
    hypotheses="(2), for any two possible inputs: locations of two zones too, each with the mechanism (6), any sets",
    replay="zones of 2 or 3 locations, m < N, t = 2; the level of (6) itself",
    consequence="privacy",
    formula=(ENTRIES, 2),
    note="The released location shows the zone with certainty: no budget, however large, holds between locations of two zones.",
    repair=Repair(
        r"it satisfies $\epsilon$-LDP between locations of one zone",
        hypotheses="any sets; zones of any sizes",
        formula=(ENTRIES, 1),
    ),
)
def zones(case: Any) -> Parts:
    formulas, count = case
    t = Fraction(2)
    for n, m in ((2, 1), (3, 1), (3, 2)):
        high, low = (formula(t, n, m) for formula in formulas)
        zone = [[high if (j - k) % n < m else low for j in range(n)] for k in range(n)]
        nothing = [Fraction(0)] * n
        release = Channel([nothing * k + row + nothing * (count - 1 - k) for k in range(count) for row in zone])
        to_1 = [row[0] for row in release.matrix]
        told = f"{count} zone{'s' * (count > 1)} of {n}, m = {m}, t = 2: location 1 is released with probability {to_1[0]} from location 1, {min(to_1)} from location {to_1.index(min(to_1)) + 1}"
        yield Instance(f"{told}: tight ratio", release.ratio, "<=", t)
        yield Instance(f"one zone of {n}, m = {m}, t = 2: tight ratio", release.ratio, "==", t)
    yield PAPER.claims["eq. (6)"].outcome_of(formulas)


def lines(most: int, longest: int) -> list[tuple[str, Array, Fraction]]:
    """Locations on a line in words, as a utility, and with the level."""
    cases = product(on_a_line(most, longest), LEVELS)
    return [(f"locations {points} on a line", absolute(points), t) for points, t in cases]


def _at_most_staircase(choose: Any) -> Iterator[Instance]:
    for name, utility, t in lines(5, 6):
        m, n = choose(utility, PrivacyLevel.from_ratio(t)), len(utility)
        own, losses = -average(utility, m, t), [sum(column) for column in zip(*map(sorted, -utility), strict=True)]
        for first, second in combinations(range(1, n), 2):  # three groups, the nearest first
            sizes = (first, second - first, n - second)
            weights = [step_weight(t, 3, j) for j, size in enumerate(sizes, 1) for _ in range(size)]
            other = Fraction(sum(map(mul, losses, weights))) / sum(weights) / n
            where = f"{name}, t = {t}: average loss at m = {m}, of a staircase with groups of {sizes}"
            yield Instance(where, own, "<=", other)


@PAPER.claim(
    "Section V.E (BRR best)",
    r"'the BRR scheme performs the best across all privacy budgets' among L-SRR, GRR and BRR",
    hypotheses="a statement on mechanisms; as one on the figure it rests on the authors' data. The paper does not define L-SRR: here its staircase of probabilities over three groups of common sizes, the nearest locations first, private at the same level",
    consequence="wording",
    readings={"against GRR": "proved", "against a staircase with groups of common sizes": "refuted"},
    formula=ALG_2,
    mutants={"all equally likely": (lambda u, level: len(u), lambda p, own, others: tm.TRUE)},
    uses=["Alg. 2 (never below GRR)"],
    note=r"Against GRR it holds at every location, so in every zone and on average, with any shares; where $m = 1$ in a zone, the two are one channel there, so 'best' cannot mean strictly better. L-SRR forms its groups by common prefixes of codes; where their sizes differ between locations, the level of the channel can exceed $\epsilon$.",
)
def best_of_three(case: Any) -> tuple[Outcome, ...]:
    choose, rule = case

    on_lines = sampled(rows_above_grr(choose, lines(5, 8)), "2 to 5 locations on a line, range at most 8, t = 2..7")
    any_utility = PAPER.claims["Alg. 2 (never below GRR)"].outcome_of(rule)
    staircase = sampled(_at_most_staircase(choose), "2 to 5 locations on a line, three groups of common sizes")
    return replayed(any_utility, on_lines), staircase


@PAPER.claim(
    "Section V.E (BRR best) [repaired]",
    r"BRR* loses on average at most as much as BRR, GRR and every staircase with groups of common sizes",
    hypotheses="any locations, distance, prior and number of groups: all of these give the $j$-th nearest location the $j$-th of $N$ common weights in $[1, t]$",
    replay="2 to 5 whole numbers on a line, range at most 6, t = 2..7, against three groups; against every m at t = 2, and on similarities of 10^20",
    formula=ALG_3,
)
def star_best(case: Any) -> Parts:
    yield from _at_most_staircase(case[0])
    yield from best_common_m(case, lines(5, 6)[::6])
    groups, j = tm.symbols("m j")  # reals: whole numbers among them, and z3 decides at once
    weight = step_weight(T, groups, j)
    steps = {"steps from t to 1 are in [1, t]": tm.And(weight >= 1, weight <= T)}
    yield [T > 1, groups >= 2, j >= 1, j <= groups], steps
    yield from rearrangement()


#: In a zone of N locations GRR loses B / (t + N - 1), where B is the sum of the distances.
BUDGETS = [T > 1, LARGER_T > T, SIZE >= 2, REST >= 0]
BETWEEN_BUDGETS = "2 to 4 whole numbers on a line, range at most 10, t = 2..7, between the budgets of the figure"
GRR_FALLS = ("GRR's loss falls", REST / (LARGER_T + SIZE - 1) <= REST / (T + SIZE - 1))


@PAPER.claim(
    "Section V.E (loss falls with the budget)",
    r"'As the privacy budget increases, the overall utility loss gradually decreases'",
    hypotheses="average distance in one zone, uniform prior. The locations are ours, as the data of Fig. 9 is not given, and so are budgets between those of the figure; $B$ the sum of the distances in a zone of $N$ locations",
    cause="Section V.A (utility increases with epsilon)",
    consequence="wording",
    readings={"the loss of GRR, on any locations": "proved", "the loss of BRR, on any locations": "refuted"},
    formula=(lambda t, size: 1 / (t + size - 1), ALG_2),
    mutants={"the chance of the true location": (lambda t, size: t / (t + size - 1), ALG_2)},
    note="The sentence is read off Fig. 9. Where $m$ drops because one row no longer wants its neighbour, every other row loses its neighbour too. Four locations are the fewest with a dip: 'Section V.E (loss falls with the budget) [up to three locations]'.",
)
def loss_falls(case: Any) -> tuple[Outcome, ...]:
    loss, rule = case
    falls = {"GRR's loss falls": REST * loss(LARGER_T, SIZE) <= REST * loss(T, SIZE)}
    return check_relations(falls, BUDGETS), check_parts(falls_with_budget(rule), BUDGETS, replay=BETWEEN_BUDGETS)


@PAPER.claim(
    "Section V.E (loss falls with the budget) [repaired]",
    r"the loss of GRR and of BRR* falls as the privacy budget increases",
    hypotheses="average distance in one zone, uniform prior; GRR on any locations; BRR* for any $N$, utility and prior, as it is the maximum over weights in $[1, t]^N$",
    given=BUDGETS,
    replay=BETWEEN_BUDGETS,
    kind="ours",
    formula=ALG_3,
)
def falls_with_budget(case: Any) -> Parts:
    cases = [(f"locations {p} on a line: average loss", absolute(p)) for p in on_a_line(4, 10)]
    yield from rises(case[0], cases, LEVELS)
    yield GRR_FALLS
    yield from best_common_m(case, lines(4, 5)[::3])


@PAPER.claim(
    "Section V.E (loss falls with the budget) [up to three locations]",
    "in a zone of at most three locations BRR has $m=1$, so its loss does not rise with the budget",
    hypotheses="any metric. $m > 1$ asks that in every row the nearest other location is raised; two locations cannot raise the farther one; $a$, $b$, $c$ the distances of three",
    given=BUDGETS,
    replay="whole numbers on a line, range at most 10, t = 2..7",
    kind="ours",
    formula=(3, lambda a, b, c: tm.And(a + b >= c, b + c >= a, c + a >= b)),
    note="BRR needs $m > 1$ in all rows to differ from GRR: with three locations the row of the one farthest from the closest pair never asks for it.",
)
def three_locations(case: Any) -> Parts:
    most, assumed = case
    yield most == 3 or f"said of {most} locations"
    for points in on_a_line(most, 10):
        for t in LEVELS:
            m = common_m(absolute(points), PrivacyLevel.from_ratio(t))
            yield Instance(f"locations {points} on a line, t = {t}: m", m, "==", 1)

    def raised(nearest: Any, *others: Any) -> Any:
        """Whether the loop raises the nearest other location of a row; the true one has distance 0 and weight t."""
        similarities = [0, -nearest, *(-d for d in others)]
        return derivative_numerator(similarities, [T] + [1] * (1 + len(others)), 1) > 0

    def row(u: Any, v: Any) -> Any:
        return tm.Or(tm.And(u <= v, raised(u, v)), tm.And(v <= u, raised(v, u)))

    distances = [A >= 0, B >= 0, C >= 0]
    yield [*distances, A + B >= C, B + C >= A, C + A >= B], {"any metric": assumed(A, B, C)}
    ones = {
        "three locations: m = 1": tm.Not(tm.And(row(A, B), row(A, C), row(B, C))),
        "two locations: m = 1": tm.Not(raised(A)),
    }
    yield [T > 1, *distances, assumed(A, B, C)], ones
    yield GRR_FALLS


PAPER.leave_out(
    "Section V.E (Fig. 9)",
    "the curves on Gowalla and FourSquare: the 1,000 and 3,000 locations, their codes and zones ('the average size of the domains is equal') are not given, L-SRR is not defined; 'significantly affected' and 'relatively optimal' name no bound",
)
PAPER.leave_out("Fig. 8", "a picture of how Gowalla and FourSquare are divided into zones; their codes are not given")
PAPER.leave_out(
    "Section V.E (percentages)", "'8.7 %', '23.4 %', '6.7 %', '14.3 %' on these data: data and partition are not given"
)
