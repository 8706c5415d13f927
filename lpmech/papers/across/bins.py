"""Randomised response on bins: for which utilities it is optimal, and where that stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Parts, each
from lpmech.entries import Array
from lpmech.papers.across.paper import PAPER
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.terms import functions as tm

_RATIOS = tuple(map(Fraction, ("11/10", "3/2", "2", "3", "5", "12")))


def _monotone_settings() -> Iterator[tuple[Array, Array, PrivacyLevel]]:
    """Utilities that fall, not always strictly, on both sides of the diagonal; priors with zeros; six levels."""
    rng = np.random.default_rng(1)
    for i in range(120):
        size = 2 + i % 4
        heights = rng.integers(0, 4, (size, size)).cumsum(axis=1)
        counts = rng.integers(0, 7, size)
        counts[rng.integers(size)] += 1
        utility = -abs(heights - heights.diagonal()[:, None]).astype(object)
        yield utility, prior_from_counts(counts.tolist()), PrivacyLevel.from_ratio(_RATIOS[rng.integers(6)])


def released_value(channel: Channel, utility: Array, prior: Any) -> Fraction:
    """The expected utility of a channel whose outputs are some of the labels."""
    return Fraction(channel.expected_utility(utility[:, [int(str(name)) for name in channel.outputs]], prior))


@PAPER.claim(
    "RR on bins (loss that grows away from the diagonal)",
    "for a utility with $u_{y,j}$ falling in $|j-y|$ on each side of the diagonal, and any prior, RR on the best contiguous bins attains the optimum of the program",
    family="120 such integer utilities with ties, K = 2..5, priors with zeros, six t; exact optimum with exact duals",
    formula=lambda utility, prior, level: m.rr_on_bins(m.best_contiguous_bins(utility, prior, level), level),
    mutants={
        "RR on all labels": lambda u, p, level: m.randomized_response(len(p), level),
        "without the prior": lambda u, p, level: m.rr_on_bins(m.best_contiguous_bins(u, None, level), level),
    },
    note="A fact from the literature on label-private regression (Ghazi et al. 2022), restated for finite alphabets. The hit rate, $-|i-j|$, "
    r"squared distances and the Tanimoto similarity on $1,\dots,N$ are such utilities, so this one mechanism covers RRWithPrior's and BRR's settings.",
    survivors={"utility -> utility + 1": "a shift of all utilities changes no comparison of two bins"},
)
def rr_on_bins_is_optimal(mechanism: Callable[..., Channel]) -> Parts:
    for utility, prior, level in _monotone_settings():
        value = released_value(mechanism(utility, prior, level), utility, prior)
        optimum = optimal_channel(utility, level, prior).solve("exact").value
        where = f"u = {utility.tolist()}, p = ({', '.join(map(str, prior))})"
        yield value == optimum or f"{where}, t = {level.ratio}: {value}, the optimum is {optimum}"


T = tm.symbol("t")


@PAPER.claim(
    "RR on bins (where it stops)",
    r"for $K=3$, the uniform prior and the utility $-[j=y]$ (release anything but the truth) no RR on bins, of any map of labels to outputs, is optimal: the channel with 1 on the diagonal and $e^\epsilon$ elsewhere, over $2e^\epsilon+1$, is better at every $\epsilon>0$",
    hypotheses="the formula is the probability of a hit",
    given=[T > 1],
    evidence="all 27 maps of three labels to three outputs hit more often",
    every={"map of the labels": list(product(range(3), repeat=3))},
    formula=1 / (2 * T + 1),
    note="The channel is BRR with $m = 2$ for this utility. Utilities that do not fall away from the diagonal need more than two values of one output's floor.",
)
def rr_on_bins_stops(hit: Any) -> Parts:
    yield "a row of the channel", (hit + 2 * T * hit, 1)
    for phi in each("map of the labels"):
        hits = sum(T if phi[y] == y else 1 for y in set(phi))  # of RR on the bins phi, label -> released label
        yield str(phi), hit < hits / (3 * (T + len(set(phi)) - 1))
