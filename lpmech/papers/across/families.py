"""Optima of whole families, for every number of labels: what `lpmech discover` finds, with its duals written out."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech.claims import Instance, Parts
from lpmech.papers.across.paper import PAPER
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.uncertain_priors import priors_within
from lpmech.terms import functions as tm
from lpmech.utilities import absolute, hit

T, K, W, A, M = tm.symbols("t K w a m")

_RATIOS = [Fraction(t) for t in ("3/2", "3", "20")]


def _optimum(utility: Any, ratio: Fraction, prior: Any = None) -> Fraction:
    program = optimal_channel(utility, PrivacyLevel.from_ratio(ratio), prior)
    return Fraction(program.solve("exact").value)


def _told(where: str, stated: Any, right: Fraction) -> Instance:
    return Instance(f"{where}: exact optimum", right, "==", stated)


def _on_a_circle(size: int, radius: int) -> Any:
    places = np.arange(size)
    apart = abs(places[:, None] - places)
    return (np.minimum(apart, size - apart) <= radius).astype(int).astype(object)


@PAPER.claim(
    "Windows on a circle",
    r"where a hit is a label within $w$ places of the true one on a circle of $K$ labels, each as likely, the best rate of hits is $\frac{(2 w + 1) t}{(2 w + 1) t + K - 2 w - 1}$",
    hypotheses=r"the channel gives the $2 w + 1$ labels of the window $t$ times the probability of the others; the dual is the optimum over $K$ for every label. Column $j$ has $2 w + 1$ ones, so its constraint is $N - K v + (t-1) N (1 - v) \le 0$ with $N = 2 w + 1$",
    given=[T > 1, W >= 0, K >= 2 * W + 1, K >= 2, tm.Whole(K, W)],
    replay="exact programs, K <= 6, all w, three t",
    formula=lambda t, size, w: (2 * w + 1) * t / ((2 * w + 1) * t + size - 2 * w - 1),
    mutants={"of 2 w labels": lambda t, size, w: 2 * w * t / (2 * w * t + size - 2 * w)},
    note="`lpmech discover --utility window` finds it; with $w = 0$ it is randomised response.",
)
def windows(rate: Any) -> Parts:
    for size in range(2, 7):
        for w, t in product(range((size + 1) // 2), _RATIOS):
            yield _told(f"K = {size}, w = {w}, t = {t}", rate(t, size, w), _optimum(_on_a_circle(size, w), t))
    yield from _two_values(rate(T, K, W), 2 * W + 1)


@PAPER.claim(
    "RR for the worst prior",
    r"for the hit rate randomised response is the best channel for the worst prior of every set that contains the uniform one; the worst case is $\frac{t}{t+K-1}$",
    hypotheses=r"each of its labels has that rate, so every prior has; under the uniform prior the dual $v/K$ for each label proves that no channel has more: the constraint of an output, times $K$, is $1 - K v + (t-1)(1 - v) \le 0$",
    given=[T > 1, K >= 2, tm.Whole(K)],
    replay="exact programs with counts 1, ..., K, K <= 5, four distances from just those that reach the uniform prior on, three t",
    formula=lambda t, size: t / (t + size - 1),
    mutants={"the likeliest label": lambda t, size: t / (t + size - 2)},
    note="`lpmech design --prior-within` has the best channel for any set (`lpmech.programs.uncertain_priors`).",
)  # fmt: skip
def worst_prior(rate: Any) -> Parts:
    for size, share, t in product(range(2, 6), map(Fraction, ("0", "1/3", "2/3", "1")), _RATIOS):
        prior = prior_from_counts(list(range(1, size + 1)))
        reach = sum((max(Fraction(1, size) - p, Fraction(0)) for p in prior.tolist()), Fraction(0))
        priors = priors_within(prior, reach + share * (1 - reach))
        found = optimal_channel(hit(size), PrivacyLevel.from_ratio(t), priors=priors).solve()
        yield _told(f"K = {size}, distance {priors.radius}, t = {t}", rate(t, size), found.value)
    yield from _two_values(rate(T, K), 1)


def _two_values(value: Any, members: Any) -> Iterator[Any]:
    """That a value is attained by t times the probability on so many of K labels, and proved by a constant dual."""
    unit = 1 / (members * T + K - members)
    yield "rows", (unit * (members * T + K - members), 1)
    yield "value", (unit * members * T, value)
    yield "dual", (members - K * value + (T - 1) * members * (1 - value), 0)
    yield "value below a hit", value <= 1
    yield "value above a miss", value >= 0


@PAPER.claim(
    "One likelier label",
    r"where one label has probability $a \ge 1/K$ and the others are alike, the best hit rate is the larger of $a$ and $t/(t+K-1)$: always that label, or randomised response on all; RRTop-k with $1 < k < K$ is never better",
    hypotheses=r"$b = (1 - a)/(K - 1)$; where $t b \le a$ the dual is $a$ for the likelier label and 0 for the others, else $(t p_y - v)/(t-1)$ with $v = t/(t+K-1)$",
    replay=r"exact programs, $K \le 5$, four $a$, three $t$",
    formula=lambda t, size, a: tm.Max(a, t / (t + size - 1)),
    mutants={"RR alone": lambda t, size, a: t / (t + size - 1), "RRTop-2": lambda t, size, a: (
        tm.Max(a, t * (a + (1 - a) / (size - 1)) / (t + 1))
    )},
    note="All thresholds $t_k = P_k/p_{k+1} - k + 1$ of ghazi2021 are $a/b$. `lpmech discover --prior one-likelier` finds it.",
)  # fmt: skip
def one_likelier(rate: Any) -> Parts:
    for size, share, t in product(range(2, 6), map(Fraction, ("1/2", "3/5", "4/5", "9/10")), _RATIOS):
        prior = [share, *([(1 - share) / (size - 1)] * (size - 1))]
        at = {T: t, K: Fraction(size), A: share}
        yield _told(f"K = {size}, a = {share}, t = {t}", _number(rate(T, K, A), at), _optimum(hit(size), t, prior))
    rest, best, value = (1 - A) / (K - 1), rate(T, K, A), T / (T + K - 1)
    given = [T > 1, K >= 2, tm.Whole(K), A >= 1 / K, A < 1]
    yield (
        [*given, T * rest <= A],
        {
            "always the likelier label": (best, A),
            "dual of another output": rest - A + (T - 1) * rest <= 0,
        },
    )
    likely, other = ((T * p - value) / (T - 1) for p in (A, rest))
    yield (
        [*given, T * rest >= A],
        {
            "randomised response": (best, value),
            "sum of the duals": (likely + (K - 1) * other, value),
            "duals are not negative": other >= 0,
            "dual below the likelier label": likely <= A,
            "dual below the others": other <= rest,
            "output of the likelier label": (T * (A - likely) - (K - 1) * other, 0),
            "output of another": (T * (rest - other) - likely - (K - 2) * other, 0),
        },
    )


def _number(formula: Any, at: dict[Any, Fraction]) -> Any:
    from lpmech.statements.numeric import fraction_of, numeric

    return fraction_of(numeric(tm.term(formula), {name.name: value for name, value in at.items()}))


def _end(size: Any) -> tuple[Any, Any]:
    return (size**2 - 3 * size + 4) / 4, size * (size + 1) * (3 * size**2 - 13 * size + 16) / 48


@PAPER.claim(
    "RR for distances on a line",
    r"for the loss $|i-j|$ on $K$ labels, each as likely, randomised response is optimal if and only if $t \ge \frac{K^2-3K+4}{4} + \sqrt{\frac{K(K+1)(3K^2-13K+16)}{48}}$",
    hypotheses=r"by complementary slackness: if and only if $C_y + (t-1)(w_{yy} - w_{yj}) \ge V$ for all $y \ne j$, with $w$ the utility over $K$, $C_y$ its column sums and $V$ the value; the ends of the line decide, $y = 1$ and $j = 2$; the statement has the middle of the two roots of their quadratic in $t$, and half the distance of the roots",
    given=[T > 1, K >= 2, tm.Whole(K)],
    replay="exact programs, K <= 6, on both sides of the end",
    formula=_end,
    mutants={"the root of K": lambda size: (size * (size - 1) / 2, 0 * size)},
    note="`lpmech discover --utility absolute` finds it. Below the end the optimum has more and more pieces.",
)  # fmt: skip
def distances(end: Any) -> Parts:
    for size in range(2, 7):
        middle, square = end(Fraction(size))
        for t in (middle + k for k in map(Fraction, (-1, 0, 1, 2, 4, 12)) if middle + k > 1):
            stated = t >= middle and (t - middle) ** 2 >= square
            value = -Fraction((size**2 - 1) / (3 * (t + size - 1)))
            best = _optimum(absolute(size), t)
            yield Instance(f"K = {size}, t = {t}: RR, optimum", value, "==" if stated else "!=", best)
    middle, square = end(K)
    value = (1 - K**2) / (3 * (T + K - 1))
    first = -(K - 1) / 2 + (T - 1) / K - value
    yield "quadratic", (first * K * (K + T - 1), (T - middle) ** 2 - square)
    yield "one root is at most 1", (1 - middle) ** 2 <= square
    y, j = tm.symbols("y j")
    column = -(y * (y - 1) + (K - y) * (K - y + 1)) / (2 * K)
    places = [tm.Whole(K, y, j), K >= 2, y >= 1, y <= K, j >= 1, j <= K, tm.Ne(y, j), T > 1]
    yield (
        places,
        {
            "column sums": (tm.Sum(-tm.Abs(M - y) / K, (M, 1, K)), column),
            "the end decides": column + (T - 1) * tm.Abs(y - j) / K - value >= first,
        },
    )
