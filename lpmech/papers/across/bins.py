"""Randomised response on bins: for which utilities it is optimal, and where that stops."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.entries import Array, as_array
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel

Setting = tuple[Array, list[Fraction], PrivacyLevel]

_RATIOS = tuple(map(Fraction, ("11/10", "3/2", "2", "3", "5", "12")))


def _monotone_settings(count: int = 120, seed: int = 1) -> Iterator[Setting]:
    """Utilities that fall, not always strictly, on both sides of the diagonal; priors with zeros; six levels."""
    rng = random.Random(seed)
    for i in range(count):
        size = 2 + i % 4
        rows = []
        for y in range(size):
            row = [0] * size
            for j in range(y + 1, size):
                row[j] = row[j - 1] - rng.randint(0, 3)
            for j in range(y - 1, -1, -1):
                row[j] = row[j + 1] - rng.randint(0, 3)
            rows.append(row)
        counts = [rng.randint(0, 6) for _ in range(size)]
        counts[rng.randrange(size)] += 1
        prior = [Fraction(c, sum(counts)) for c in counts]
        yield as_array(rows, "utility", 2), prior, PrivacyLevel.from_ratio(rng.choice(_RATIOS))


def _best_bins(utility: Array, prior: list[Fraction], level: PrivacyLevel) -> Channel:
    return rr_on_bins(best_contiguous_bins(utility, prior, level), level)


def _worth(channel: Channel, utility: Array, prior: list[Fraction]) -> Fraction:
    columns = [int(str(name)) for name in channel.outputs]
    return Fraction(channel.expected_utility(utility[:, columns], prior))


@PAPER.claim(
    "RR on bins (loss that grows away from the diagonal)",
    r"for a utility with u_{y,j} falling in |j-y| on each side of the diagonal, and any prior, RR on the best contiguous bins attains the optimum of the program",
    recorded="certified",
    family="120 such integer utilities with ties, K = 2..5, priors with zeros, six t; exact optimum with exact duals",
    formula=_best_bins,
    mutants={
        "RR on all labels": lambda u, p, level: randomized_response(len(p), level),
        "the best bins of the uniform prior": lambda u, p, level: rr_on_bins(
            best_contiguous_bins(u, [Fraction(1, len(p))] * len(p), level), level
        ),
    },
    note="A fact from the literature on label-private regression (Ghazi et al. 2022), restated for finite alphabets. The hit rate, -|i-j|, "
    "squared distances and the Tanimoto similarity on 1..N are such utilities, so this one mechanism covers RRWithPrior's and BRR's settings.",
    survivors={"utility -> utility + 1, line 2": "a shift of all utilities changes no comparison of two bins"},
)
def rr_on_bins_is_optimal(mechanism: Callable[..., Channel]) -> Parts:
    for utility, prior, level in _monotone_settings():
        value = _worth(mechanism(utility, prior, level), utility, prior)
        optimum = optimal_channel(utility, level, prior).solve("exact").value
        where = f"u = {[[int(v) for v in row] for row in utility.tolist()]}, p = ({', '.join(map(str, prior))})"
        yield value == optimum or f"{where}, t = {level.ratio}: {value}, the optimum is {optimum}"


T = sp.Symbol("t")


def _avoidance_by_bins(phi: tuple[int, ...]) -> sp.Expr:
    """Probability that RR on the bins phi (label -> released label) releases the true label, uniform prior."""
    released = set(phi)
    hits = sum((T if phi[y] == y else 1) for y in range(len(phi)) if y in released)
    return sp.sympify(hits) / (len(phi) * (T + len(released) - 1))


@PAPER.claim(
    "RR on bins (where it stops)",
    r"for K=3, the uniform prior and the utility -[j=y] (release anything but the truth) no RR on bins, of any map of labels to outputs, is optimal: the channel with 1 on the diagonal and e^\epsilon elsewhere, over 2e^\epsilon+1, is better at every \epsilon>0",
    hypotheses="the formula is the probability of a hit",
    given=[T > 1],
    evidence="all 27 maps of three labels to three outputs hit more often",
    formula=1 / (2 * T + 1),
    mutants={"randomised response": T / (T + 2), "two bins": 2 / (3 * (T + 1))},
    note="The channel is BRR with m = 2 for this utility. Utilities that do not fall away from the diagonal need more than two values of one output's floor.",
)
def rr_on_bins_stops(hit: Any) -> Parts:
    yield "a row of the channel", (hit + 2 * T * hit, 1)
    for phi in product(range(3), repeat=3):
        yield str(phi), hit < _avoidance_by_bins(phi)
