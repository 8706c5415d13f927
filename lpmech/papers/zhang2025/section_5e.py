"""Section V.E: locations, perturbed within zones; what its sentences say about the mechanisms on any locations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.entries import Array
from lpmech.mechanisms.bipartite_rr import (
    common_m,
    common_m_star,
    derivative_numerator,
    high_probability,
    low_probability,
)
from lpmech.mechanisms.staircase_rr import step_weight
from lpmech.papers.checking import both, check_family, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.zhang2025.greedy import (
    no_row_falls,
    raised_by_all,
    raised_on_average,
    rearrangement,
    rule_maximises,
)
from lpmech.papers.zhang2025.paper import PAPER, T
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome, unclear

#: e^epsilon at whole numbers; the budgets of Fig. 9, 0.25 to 2, are those from 1.28 to 7.39.
LEVELS = tuple(map(Fraction, range(2, 8)))

SHARE, LARGER_T, REST, SIZE = sp.symbols("w t2 B N")
Points = tuple[int, ...]


def on_a_line(most: int, longest: int) -> Iterable[Points]:
    """Whole numbers 0 = x_1 < ... < x_N, N = 2..most: short ranges first, then few points."""
    for last in range(1, longest + 1):
        for inner in range(min(most - 2, last - 1) + 1):
            for between in combinations(range(1, last), inner):
                yield (0, *between, last)


def bipartite_weights(n: int, m: int, t: Fraction) -> list[Fraction]:
    """Weights of (6), the nearest first."""
    return [t] * m + [Fraction(1)] * (n - m)


def losses_of(utility: Array, weights: Sequence[Fraction]) -> list[Fraction]:
    """Expected distance at every true location if the j-th nearest one has the j-th weight."""
    rows = [sorted(-row) for row in utility]
    return [sum(d * w for d, w in zip(row, weights, strict=True)) / sum(weights) for row in rows]


def average(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def staircases(n: int, t: Fraction) -> Iterable[tuple[tuple[int, int, int], list[Fraction]]]:
    """Weights of three groups of common sizes, the nearest first, in equal steps from t to 1."""
    for first, second in combinations(range(1, n), 2):
        sizes = (first, second - first, n - second)
        yield sizes, [step_weight(t, 3, j) for j, size in enumerate(sizes, 1) for _ in range(size)]


def _high_of_square(t: Any, n: Any, m: Any) -> Any:
    return high_probability(t * t, n, m)


def _low_of_square(t: Any, n: Any, m: Any) -> Any:
    return low_probability(t * t, n, m)


@PAPER.claim(
    "Section V.E (zones)",
    r"with zones, where 'the perturbations are confined to each zone', the release satisfies \epsilon-LDP 'under different privacy budgets (\epsilon ranging from 0.25 to 2)'",
    hypotheses="(2), for any two possible inputs: locations of two zones too. Two zones of 2 or 3 locations, each with the mechanism (6), m < N, t = 2",
    consequence="privacy",
    headline=9,
    recorded="refuted",
    formula=((high_probability, low_probability), 2),
    mutants={"t^2 in place of t": ((_high_of_square, _low_of_square), 2)},
    note="The released location shows the zone with certainty: no budget, however large, holds between locations of two zones.",
    repair=Repair(
        r"it satisfies \epsilon-LDP between locations of one zone",
        hypotheses="t > 1, 1 <= m <= N, any sets; replayed on one zone of 2 or 3 locations at t = 2. The formula: the mechanism, and how many zones the inputs come from",
        formula=((high_probability, low_probability), 1),
        mutants={
            "any two locations, as printed": ((high_probability, low_probability), 2),
            "t^2 in place of t": ((_high_of_square, _low_of_square), 1),
            "the near ones twice as likely": (
                (lambda t, n, m: 2 * t / (2 * m * t + n - m), lambda t, n, m: 1 / (2 * m * t + n - m)),
                1,
            ),
        },
    ),
)
def zones(case: Any) -> Outcome:
    formulas, count = case

    def failure(case: tuple[int, int]) -> str | None:
        n, m = case
        t = Fraction(2)
        high, low = (formula(t, n, m) for formula in formulas)
        zone = [[high if (j - k) % n < m else low for j in range(n)] for k in range(n)]
        nothing = [Fraction(0)] * n
        release = Channel([nothing * k + row + nothing * (count - 1 - k) for k in range(count) for row in zone])
        if release.satisfies(PrivacyLevel.from_ratio(t)):
            return None
        return f"{count} zones of {n}, m = {m}, t = 2: location 1 is released with probability {high} from location 1, tight ratio {release.ratio} over all inputs"

    instances = check_family([(n, m) for n in (2, 3) for m in range(1, n)], failure, "zones of 2 or 3 locations")
    return replayed(PAPER.claims["eq. (6)"].outcome_of(formulas), instances)


def _no_zone_falls() -> Outcome:
    """An average over zones, and over the locations of a zone, with any shares is at most that of larger losses."""
    a1, a2, b1, b2 = sp.symbols("a_1 a_2 b_1 b_2")
    return check_implications(
        [SHARE >= 0, SHARE <= 1, a1 <= b1, a2 <= b2],
        {"average": SHARE * a1 + (1 - SHARE) * a2 <= SHARE * b1 + (1 - SHARE) * b2},
        "averages over locations and zones, any shares",
    )


def _at_most_grr(choose: Any) -> Outcome:
    def failure(case: tuple[Points, Fraction]) -> str | None:
        points, t = case
        utility, n = absolute(points), len(points)
        m = choose(utility, PrivacyLevel.from_ratio(t))
        own, grr = (losses_of(utility, bipartite_weights(n, k, t)) for k in (m, 1))
        for x, a, b in zip(points, own, grr, strict=True):
            if a > b:
                return f"locations {points} on a line, t = {t}, m = {m}: at {x} the loss is {a}, GRR {b}"
        return None

    family = [(points, t) for points in on_a_line(5, 8) for t in LEVELS]
    return check_family(family, failure, "2 to 5 locations on a line")


@PAPER.claim(
    "Section V.E (BRR against GRR)",
    r"'the BRR scheme performs the best across all privacy budgets', against GRR: its expected distance is at most that of GRR at every location, so in every zone and on average",
    hypotheses="t > 1, any locations, distance, zones and shares of the locations. The formula: m, and when a common weight is raised. Replayed on 2 to 5 whole numbers on a "
    "line, range at most 8, t = 2..7",
    formula=(common_m, raised_by_all),
    mutants={"BRR*": (common_m_star, raised_on_average)},
    note="Where m = 1 in a zone, the two are one channel there, so 'best' cannot mean strictly better.",
)
def against_grr(case: Any) -> Outcome:
    choose, rule = case
    return replayed(both(no_row_falls(rule), _no_zone_falls()), _at_most_grr(choose))


def _at_most_staircase(choose: Any) -> Outcome:
    def failure(case: tuple[Points, Fraction]) -> str | None:
        points, t = case
        utility, n = absolute(points), len(points)
        m = choose(utility, PrivacyLevel.from_ratio(t))
        own = average(losses_of(utility, bipartite_weights(n, m, t)))
        for sizes, weights in staircases(n, t):
            other = average(losses_of(utility, weights))
            if own > other:
                return f"locations {points} on a line, t = {t}: m = {m} loses {own} on average, a staircase with groups of {sizes} {other}"
        return None

    family = [(points, t) for points in on_a_line(5, 6) for t in LEVELS]
    return check_family(family, failure, "2 to 5 locations on a line, three groups of common sizes")


@PAPER.claim(
    "Section V.E (BRR best)",
    r"'the BRR scheme performs the best across all privacy budgets' among L-SRR, GRR and BRR",
    hypotheses="read as a statement on mechanisms; as one on the figure it rests on the authors' data. The paper does not define L-SRR: here its staircase of probabilities "
    "over three groups of common sizes, the nearest locations first, which is private at the same level",
    consequence="wording",
    readings={
        "against GRR": "proved",
        "against a staircase with groups of common sizes": "refuted",
    },
    formula=(common_m, raised_by_all),
    mutants={
        "one more": (lambda u, level: min(len(u), common_m(u, level) + 1), raised_by_all),
        "all equally likely": (lambda u, level: len(u), raised_by_all),
    },
    note="L-SRR forms its groups by common prefixes of codes; where their sizes differ between locations, the level of the channel can exceed epsilon.",
)
def best_of_three(case: Any) -> Outcome:
    choose, _ = case
    return unclear(
        {
            "against GRR": against_grr(case),
            "against a staircase with groups of common sizes": _at_most_staircase(choose),
        }
    )


@PAPER.claim(
    "Section V.E (BRR best) [repaired]",
    r"BRR* loses on average at most as much as BRR, GRR and every staircase with groups of common sizes",
    hypotheses="t > 1, any locations, distance, prior and number of groups: all of these give the j-th nearest location the j-th of N common weights in [1, t]. The formula: "
    "m, and when a common weight is raised. Replayed on 2 to 5 whole numbers on a line, range at most 6, t = 2..7",
    formula=(common_m_star, raised_on_average),
    mutants={"BRR": (common_m, raised_by_all), "GRR": (lambda u, level: 1, raised_by_all)},
)
def star_best(case: Any) -> Outcome:
    choose, rule = case
    groups, j = sp.symbols("m j")  # reals: whole numbers among them, and z3 decides at once
    weight = step_weight(T, groups, j)
    steps = check_implications(
        [T > 1, groups >= 2, j >= 1, j <= groups], {"in [1, t]": sp.And(weight >= 1, weight <= T)}, "steps from t to 1"
    )
    return replayed(reduce(both, [steps, rearrangement(), rule_maximises(rule)]), _at_most_staircase(choose))


def _falls_on_lines(choose: Any) -> Outcome:
    def failure(points: Points) -> str | None:
        utility, n = absolute(points), len(points)
        ms = [choose(utility, PrivacyLevel.from_ratio(t)) for t in LEVELS]
        values = [average(losses_of(utility, bipartite_weights(n, m, t))) for m, t in zip(ms, LEVELS, strict=True)]
        for (t, m, before), (larger, k, after) in pairwise(zip(LEVELS, ms, values, strict=True)):
            if after > before:
                return f"locations {points} on a line: average loss {before} (m = {m}) at e^epsilon = {t}, {after} (m = {k}) at {larger}"
        return None

    return check_family(on_a_line(4, 10), failure, "2 to 4 locations on a line, e^epsilon = 2, ..., 7")


def _grr_falls(relation: Any) -> Outcome:
    """In a zone of N locations GRR loses B / (t + N - 1), where B is the sum of the distances."""
    before, after = (REST / (t + SIZE - 1) for t in (T, LARGER_T))
    return check_implications(
        [T > 1, LARGER_T > T, SIZE >= 2, REST >= 0],
        {"falls": relation(after, before)},
        "GRR: any locations and budgets",
    )


@PAPER.claim(
    "Section V.E (loss falls with the budget)",
    r"'As the privacy budget increases, the overall utility loss gradually decreases'",
    hypotheses="average distance in one zone, uniform prior; GRR on any locations, 1 < t < t', and BRR on 2 to 4 whole numbers on a line with range at most 10, t = 2..7, between the budgets of "
    "the figure. The formula: m, and when a common weight is raised",
    consequence="wording",
    headline=10,
    recorded="refuted",
    formula=(common_m, raised_by_all),
    mutants={"one more than BRR": (lambda u, level: min(len(u), common_m(u, level) + 1), raised_by_all)},
    note="Read off Fig. 9 the sentence rests on the authors' data; as one on mechanisms it holds for GRR. Where m, the smallest of the rows' own m, drops because one row no longer wants its "
    "neighbour, every other row loses its neighbour too. Four locations are the fewest with a dip: see [up to three locations].",
    repair=Repair(
        r"that of GRR and of BRR* does",
        hypotheses="as above; BRR* for any N, utility and prior, as it is the maximum over weights in [1, t]^N",
        formula=(common_m_star, raised_on_average),
        mutants={
            "BRR, as printed": (common_m, raised_by_all),
            "the largest set": (lambda u, level: len(u), lambda p, own, others: sp.true),
        },
    ),
)
def falls_with_budget(case: Any) -> Outcome:
    choose, rule = case
    best = replayed(rule_maximises(rule), _falls_on_lines(choose))
    return both(_grr_falls(lambda after, before: after <= before), best)


def _metric(a: Any, b: Any, c: Any) -> Any:
    """The triangle inequality for the three distances."""
    return sp.And(a + b >= c, b + c >= a, c + a >= b)


@PAPER.claim(
    "Section V.E (loss falls with the budget) [up to three locations]",
    r"in a zone of at most three locations BRR has m=1, so its loss does not rise with the budget",
    hypotheses="any metric. m > 1 asks that in every row the nearest other location is raised; two locations cannot raise the farther one. The formula: how many locations, and what is assumed of the distances. Replayed on whole numbers on a line, range at most 10, t = 2..7",
    formula=(3, _metric),
    mutants={
        "four locations": (4, _metric),
        "no triangle inequality": (3, lambda a, b, c: sp.true),
    },
    note="BRR needs m > 1 in all rows to differ from GRR: with three locations the row of the one farthest from the closest pair never asks for it.",
)
def three_locations(case: Any) -> Outcome:
    most, assumed = case

    def failure(point: tuple[Points, Fraction]) -> str | None:
        m = common_m(absolute(point[0]), PrivacyLevel.from_ratio(point[1]))
        return None if m == 1 else f"locations {point[0]} on a line, t = {point[1]}: m = {m}"

    instances = check_family(
        [(points, t) for points in on_a_line(most, 10) for t in LEVELS], failure, f"at most {most} locations on a line"
    )
    a, b, c = sp.symbols("a b c")

    def raised(nearest: Any, *others: Any) -> Any:
        """Whether the loop raises the nearest other location of a row; the true one has distance 0 and weight t."""
        similarities = [0, -nearest, *(-d for d in others)]
        return derivative_numerator(similarities, [T] + [1] * (1 + len(others)), 1) > 0

    def row(u: Any, v: Any) -> Any:
        return sp.Or(sp.And(u <= v, raised(u, v)), sp.And(v <= u, raised(v, u)))

    proof = check_implications(
        [T > 1, a >= 0, b >= 0, c >= 0, assumed(a, b, c)],
        {
            "three locations: m = 1": sp.Not(sp.And(row(a, b), row(a, c), row(b, c))),
            "two locations: m = 1": sp.Not(raised(a)),
        },
        "distances a, b, c of three locations",
    )
    return replayed(both(proof, _grr_falls(lambda after, before: after <= before)), instances)


PAPER.leave_out(
    "Section V.E (Fig. 9)",
    "the curves on Gowalla and FourSquare: the 1,000 and 3,000 locations, their codes and zones ('the average size of the domains is equal') are not given and L-SRR is "
    "not defined; 'significantly affected' and 'relatively optimal' name no bound",
)
PAPER.leave_out("Fig. 8", "a picture of how Gowalla and FourSquare are divided into zones; their codes are not given")
PAPER.leave_out(
    "Section V.E (percentages)",
    "'8.7 %', '23.4 %', '6.7 %', '14.3 %' on Gowalla and FourSquare: data and partition are not given",
)
