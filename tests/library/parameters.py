"""The best parameters of published mechanisms: by trying every channel."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from library.paper import PAPER
from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.entries import as_array
from lpmech.errors import UtilityError
from lpmech.mechanisms.catalogue import published_channels
from lpmech.papers.across.agreement import agrees, refused
from lpmech.papers.checks import ball
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel

_RATIOS = tuple(map(Fraction, ("11/10", "2", "9", "1000000000")))


def settings(sizes: tuple[int, ...], columns: int = 0) -> Iterator[tuple[Any, list[Fraction], PrivacyLevel]]:
    """Whole utilities with ties, not symmetric, every seventh constant; priors with zeros and ties that do not fall; four t."""
    rng = np.random.default_rng(5)
    for i, size in enumerate(sizes):
        gain = rng.integers(-4, 5, size=(size, columns or size))
        counts = rng.integers(0, 5, size=size)
        counts[i % size] += 1
        prior = [Fraction(int(c), int(counts.sum())) for c in counts]
        yield (gain * (i % 7 != 6) - i % 2).tolist(), prior, PrivacyLevel.from_ratio(_RATIOS[i % 4])


def _block_rr(prior: list[Fraction], level: PrivacyLevel, n: int, l: int) -> Channel:
    """S1 has the n most probable labels."""
    return m.block_rr_from_partition(prior, sorted(range(len(prior)), key=lambda y: (-prior[y], y))[:n], level, l)


def _best(utility: Any, prior: list[Fraction], channels: dict[Any, Channel]) -> Any:
    """The first of the parameters whose channel has the largest expected utility."""
    return max(channels, key=lambda parameters: channels[parameters].expected_utility(utility, prior))


def _by_k(prior: list[Fraction], level: PrivacyLevel) -> dict[int, Channel]:
    return {k: m.rr_top_k(prior, k, level) for k in range(1, len(prior) + 1)}


def at(utility: Any, prior: list[Fraction], level: PrivacyLevel) -> str:
    return f"u = {utility}, p = ({', '.join(map(str, prior))}), t = {level.ratio}"


@PAPER.claim(
    "Best parameters (the functions)",
    r"`best_top_k` is the smallest $k$ for which RRTop-k, `best_block_sizes` the first $(|\mathcal{S}_1|,l)$ for which BlockRR on the most probable labels, has the largest expected utility",
    hypotheses="every $k$, and every $(|S_1|, l)$ in an order that does not rise, as exact channels; a utility that is not square is refused",
    family="44 whole utilities with ties, K = 1..5, priors with zeros, t = 11/10, 2, 9, 10^9",
    formula=(m.best_top_k, m.best_block_sizes),
    mutants={"for the hit rate": (lambda u, p, level: m.best_top_k(np.eye(len(p)), p, level), m.best_block_sizes)},
)
def best_parameters(functions: Any) -> Parts:
    top_k, block_sizes = functions
    for utility, prior, level in settings((1, 2, 3, 4, 5, 3, 4, 5, 2, 3, 5) * 4):
        size, where = len(prior), at(utility, prior, level)
        yield agrees(f"{where}: k", top_k(utility, prior, level), _best(utility, prior, _by_k(prior, level)))
        channels = {(n, l): _block_rr(prior, level, n, l) for n in range(size, 0, -1) for l in range(n + 1)}
        for _ in range(2):  # among all, and among those that are left
            best = _best(utility, prior, channels)
            yield agrees(f"{where}: (|S1|, l)", block_sizes(utility, prior, level, list(channels)), best)
            del channels[best]
    wide = ([[1, 2, 3]] * 2, [Fraction(1, 2)] * 2, PrivacyLevel.from_ratio(2))
    yield from refused(UtilityError, top_k, wide)
    yield from refused(UtilityError, block_sizes, (*wide, [(1, 0)]))


def _even(start: int, last: int) -> list[int]:
    """All sizes if there are at most twelve, else twelve spread evenly."""
    steps = min(last - start, 11)
    return sorted({start + round(Fraction(i * (last - start), max(steps, 1))) for i in range(steps + 1)})


def _best_of_runs(utility: Any, prior: list[Fraction], t: Fraction) -> Fraction:
    """The largest expected utility of RR on runs of neighbouring labels, each released as one of them: of all partitions."""
    gains, size = np.array(prior)[:, None] * np.array(utility, dtype=object), len(prior)
    values = gains.sum(axis=0)
    runs = [(a, b) for b in range(size + 1) for a in range(b)]
    worth = {(a, b): max(values[r] + (t - 1) * gains[a:b, r].sum() for r in range(a, b)) for a, b in runs}
    cuts = ([0, *chosen, size] for n in range(size) for chosen in combinations(range(1, size), n))
    return max(sum(worth[run] for run in pairwise(ends)) / (t + len(ends) - 2) for ends in cuts)


def _exponential(utility: Any, t: Fraction) -> list[list[Any]]:
    """Probabilities proportional to t^(u / (2 Delta)), in balls."""
    twice, log = 2 * max(max(column) - min(column) for column in zip(*utility, strict=True)), ball(t).log()
    weights = [[(log * ball(Fraction(u - max(row), twice or 1))).exp() for u in row] for row in utility]
    return [[w / sum(row) for w in row] for row in weights]


#: What the catalogue computes of utilities, and a shift of all of them does not change.
_SHIFTED = (
    *(f"best_{what}(utility, prior, level)" for what in ("top_k", "contiguous_bins")),
    "best_block_sizes(utility, prior, level, sizes)",
    *("bipartite_rr(utility, level)", "bipartite_rr_star(utility, level, prior)", "exponential(utility, level)"),
)


@PAPER.claim(
    "The catalogue of published mechanisms (the function)",
    r"`published_channels` has the eight mechanisms with the parameters that are best for the utility and the prior, as $K\times K$ channels with the labels in order",
    hypotheses=r"every $k$, and every size of $S_1$ and of $\Delta$, of more than 12 candidates for one of them 12 spread evenly; names, parameters and entries; of the exponential mechanism within $10^{-12}$, RR on bins has the value of the best of all partitions",
    family="eight whole utilities with ties, K = 2..5, 13 and 15, priors with zeros, t = 11/10, 2, 9, 10^9",
    formula=published_channels,
    mutants={"the prior reversed": lambda u, level, p: published_channels(u, level, p[::-1])},
    uses=("Best parameters (the functions)",),
    survivors={
        **{f"utility -> utility + 1 in {call}": "the same for all outputs" for call in _SHIFTED},
        **{
            f"prior -> prior + 1 in {call}": "the same size and order"
            for call in ("len(prior)", "top_labels(prior, n)")
        },
    },
)
def catalogue(published: Any) -> Parts:
    for utility, prior, level in settings((2, 3, 5, 13, 4, 15, 3, 4)):
        size, t, where = len(prior), Fraction(level.ratio), at(utility, prior, level)
        made = list(published(as_array(utility, "utility", 2), level, as_prior(prior)))
        every = m.randomized_response(size, level)
        on_bins = next((channel for name, _, channel in made if name == "rr_on_bins"), every)
        bins = [row.index(max(row)) for row in on_bins.matrix.tolist()]
        low = 1 / (t + len(set(bins)) - 1)
        narrow = [[low * (t if j == own else j in bins) for j in range(size)] for own in bins]
        by_k, by_sizes = (
            _by_k(prior, level),
            {(n, l): _block_rr(prior, level, n, l) for n in _even(1, size) for l in _even(0, n)},
        )
        k, (n, l) = (_best(utility, prior, channels) for channels in (by_k, by_sizes))
        right = {
            "randomized_response": ("", every.matrix),
            "rr_with_prior": ("", m.rr_with_prior(prior, level).matrix),
            "rr_top_k": (f"k = {k}", by_k[k].matrix),
            "rr_on_bins": (f"{len(set(bins))} bins", narrow),
            "block_rr": (f"|S1| = {n}, l = {l}", by_sizes[n, l].matrix),
            "bipartite_rr": ("", m.bipartite_rr(utility, level).matrix),
            "bipartite_rr_star": ("", m.bipartite_rr_star(utility, level, prior).matrix),
            "exponential": ("", _exponential(utility, t)),
        }
        yield agrees(f"{where}: names", [name for name, *_ in made], list(right))
        for name, text, channel in made:
            parameters, matrix = right[name]
            named = (text, channel.outputs) == (parameters, tuple(range(size)))
            yield named or f"{where}: {name} {text} to {channel.outputs}, not {parameters}"
            yield agrees(f"{where}: {name}", channel.matrix, matrix, 1e-12 if name == "exponential" else 0)
        runs = bins == sorted(bins) and all(bins[own] == own for own in bins)
        yield runs or f"{where}: bins {bins} are no runs"
        best = _best_of_runs(utility, prior, t)
        yield agrees(f"{where}: value on bins", on_bins.expected_utility(utility, prior), best)
