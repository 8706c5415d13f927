"""Randomised response on bins: for which utilities it is optimal, and where that stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np

from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Instance, Parts, each
from lpmech.designs.prior_maps import prior_map_in_t
from lpmech.entries import Array
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checks import rows_in_words
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.solvers.prior_regions_in_t import FIELD
from lpmech.programs.solvers.prior_regions_in_t import T as FIELD_T
from lpmech.terms import functions as tm

_RATIOS = tuple(map(Fraction, ("11/10", "3/2", "2", "3", "5", "12")))


def _monotone_settings() -> Iterator[tuple[Array, Array, PrivacyLevel]]:
    """Utilities that fall, not always strictly, on both sides of the diagonal; priors with zeros; six levels."""
    rng = np.random.default_rng(1)
    for i in range(120):
        size = 2 + (i + 3) % 4
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
        where = f"u = ({rows_in_words(utility.tolist())}), p = ({', '.join(map(str, prior))}), t = {level.ratio}: RR on bins, optimum"
        yield Instance(where, value, "==", optimum)


T = tm.symbol("t")


@PAPER.claim(
    "RR on bins (where it stops)",
    r"for $K=3$, the uniform prior and the utility $-[j=y]$ (release anything but the truth) no RR on bins, of any map of labels to outputs, is optimal: the channel with 1 on the diagonal and $e^\epsilon$ elsewhere, over $2e^\epsilon+1$, is better at every $\epsilon>0$",
    hypotheses="labels and outputs 0, 1, 2; the relations have on the left the channel's probability of a hit, and on the right that of RR on the bins to which a map sends the three labels",
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
        yield f"bins {', '.join(map(str, phi))}", hit < hits / (3 * (T + len(set(phi)) - 1))


#: Label -> released label, on three labels.
Maps = Iterable[tuple[int, ...]]


@PAPER.claim(
    "RR on bins (every prior on three labels)",
    "on three labels, for the hit rate, $-|i-j|$ and $-(i-j)^2$, at every prior and every $e^\\epsilon>1$ an RR on bins is optimal, where one bin means that the same label is always released",
    hypotheses="by the regions of all priors and all $t$, with exact borders; what the channel of a region keeps of each label is compared with what RR on bins keeps, as a rational function of $t$",
    every={"utility": ["hit", "absolute", "squared"]},
    formula=lambda: product(range(3), repeat=3),
    mutants={
        "RR on all labels": lambda: permutations(range(3)),
        "at most two bins": lambda: [phi for phi in product(range(3), repeat=3) if len(set(phi)) < 3],
        "no more than the labels that are kept": lambda: [phi for phi in product(range(3), repeat=3) if phi[1] == 1],
    },
    note="The regions are those of `lpmech regimes --all-priors`: a map in which no other mechanism has a place.",
)
def rr_on_bins_at_every_prior(maps: Callable[[], Maps]) -> Parts:
    allowed = [(phi, len(set(phi))) for phi in maps()]
    for name in each("utility"):
        found = prior_map_in_t(3, name)
        for between in found.intervals:
            for region in between.regions:
                attained = any(_keeps(region.row_utilities, found.utility, phi, bins) for phi, bins in allowed)
                yield attained or f"{name}, t = {between.sample}: no RR on bins keeps {region.row_utilities}"


def _keeps(kept: Sequence[Any], utility: Array, phi: Sequence[int], bins: int) -> bool:
    """Whether RR on the bins phi keeps so much of each label, as rational functions of t."""
    gains = [[FIELD(int(v)) for v in row] for row in utility.tolist()]
    released = [sum((row[j] for j in set(phi)), FIELD(0)) for row in gains]
    return all(
        kept[y] * (FIELD_T + bins - 1) == released[y] + (FIELD_T - 1) * gains[y][phi[y]] for y in range(len(gains))
    )
