"""The best parameters of published mechanisms: by trying every channel."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.entries import as_array
from lpmech.errors import UtilityError
from lpmech.mechanisms.best_parameters import best_block_sizes, best_top_k
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.catalogue import published_channels
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k, rr_with_prior
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checks import refuses
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel

Setting = tuple[list[list[int]], list[Fraction], PrivacyLevel]

_RATIOS = tuple(map(Fraction, ("11/10", "2", "9", "1000000000")))


def settings(sizes: tuple[int, ...], columns: int = 0) -> Iterator[Setting]:
    """Whole utilities with ties, not symmetric, every seventh constant; priors with zeros and ties that do not fall; four t."""
    rng = np.random.default_rng(5)
    for i, size in enumerate(sizes):
        gain = rng.integers(-4, 5, size=(size, columns or size))
        counts = rng.integers(0, 5, size=size)
        counts[i % size] += 1
        prior = [Fraction(int(c), int(counts.sum())) for c in counts]
        yield (gain * (i % 7 != 6) - i % 2).tolist(), prior, PrivacyLevel.from_ratio(_RATIOS[i % 4])


def _most_probable(prior: list[Fraction], n: int) -> list[int]:
    return sorted(range(len(prior)), key=lambda y: (-prior[y], y))[:n]


def _block_rr(prior: list[Fraction], level: PrivacyLevel, n: int, l: int) -> Channel:
    return block_rr_from_partition(prior, _most_probable(prior, n), level, l)


def _first_best(values: dict[Any, Any]) -> Any:
    """The first of the candidates with the largest value."""
    return max(values, key=values.__getitem__)


def at(utility: Any, prior: list[Fraction], level: PrivacyLevel) -> str:
    return f"u = {utility}, p = ({', '.join(map(str, prior))}), t = {level.ratio}"


@PAPER.claim(
    "Best parameters (the functions)",
    r"best_top_k is the smallest k for which RRTop-k, best_block_sizes the first (|\mathcal S_1|,l) for which BlockRR on the most probable labels, has the largest expected utility",
    hypotheses="every k, and every (|S1|, l) in an order that does not rise, as exact channels; a utility that is not square is refused",
    recorded="certified",
    family="44 whole utilities with ties, K = 1..5, priors with zeros, t = 11/10, 2, 9, 10^9",
    formula=(best_top_k, best_block_sizes),
    mutants={"for the hit rate": (lambda u, p, level: best_top_k(np.eye(len(p)), p, level), best_block_sizes)},
    survivors={"part 1: 1 -> 2, line 17": "never more than K candidates"},
)
def best_parameters(functions: Any) -> Parts:
    top_k, block_sizes = functions
    for utility, prior, level in settings((1, 2, 3, 4, 5, 3, 4, 5, 2, 3, 5) * 4):
        size = len(prior)
        by_k = {k: rr_top_k(prior, k, level).expected_utility(utility, prior) for k in range(1, size + 1)}
        found, where = top_k(utility, prior, level), at(utility, prior, level)
        yield found == _first_best(by_k) or f"{where}: k = {found}, not {_first_best(by_k)}"
        sizes = [(n, l) for n in range(size, 0, -1) for l in range(n + 1)]
        by_sizes = {s: _block_rr(prior, level, *s).expected_utility(utility, prior) for s in sizes}
        chosen = block_sizes(utility, prior, level, sizes)
        yield chosen == _first_best(by_sizes) or f"{where}: (|S1|, l) = {chosen}, not {_first_best(by_sizes)}"
    wide = ([[1, 2, 3]] * 2, [Fraction(1, 2)] * 2, PrivacyLevel.from_ratio(2))
    yield refuses(UtilityError, top_k, *wide) or "a utility of two labels and three outputs is taken"


def _even(start: int, last: int) -> list[int]:
    """All sizes if there are at most twelve, else twelve spread evenly."""
    steps = min(last - start, 11)
    return sorted({start + round(Fraction(i * (last - start), max(steps, 1))) for i in range(steps + 1)})


def _best_of_each(utility: Any, prior: list[Fraction], level: PrivacyLevel) -> Iterator[tuple[str, str, Channel]]:
    """The mechanisms of the catalogue, their parameters found by trying all that it considers."""
    size = len(prior)
    yield "randomized_response", "", randomized_response(size, level)
    yield "rr_with_prior", "", rr_with_prior(prior, level)
    by_k = {k: rr_top_k(prior, k, level).expected_utility(utility, prior) for k in range(1, size + 1)}
    yield "rr_top_k", f"k = {_first_best(by_k)}", rr_top_k(prior, _first_best(by_k), level)
    bins = best_contiguous_bins(utility, prior, level)
    narrow = rr_on_bins(bins, level)
    wide = [
        [dict(zip(narrow.outputs, row, strict=True)).get(j, 0) for j in range(size)] for row in narrow.matrix.tolist()
    ]
    yield "rr_on_bins", f"{len(narrow.outputs)} bins", Channel(wide)
    sizes = [(n, l) for n in _even(1, size) for l in _even(0, n)]
    by_sizes = {s: _block_rr(prior, level, *s).expected_utility(utility, prior) for s in sizes}
    n, l = _first_best(by_sizes)
    yield "block_rr", f"|S1| = {n}, l = {l}", _block_rr(prior, level, n, l)
    yield "bipartite_rr", "", bipartite_rr(utility, level)
    yield "bipartite_rr_star", "", bipartite_rr_star(utility, level, prior)
    yield "exponential", "", exponential(utility, level)


@PAPER.claim(
    "The catalogue of published mechanisms (the function)",
    "published_channels has the eight mechanisms with the parameters that are best for the utility and the prior, as K x K channels with the labels in order",
    hypotheses="every k, and every size of S1 and of Delta, of more than 12 candidates for one of them 12 spread evenly; names, parameters and entries; of the exponential mechanism within 1e-12",
    recorded="certified",
    family="eight whole utilities with ties, K = 2..5, 13 and 15, priors with zeros, t = 11/10, 2, 9, 10^9",
    formula=published_channels,
    mutants={"the prior reversed": lambda u, level, p: published_channels(u, level, p[::-1])},
    uses=("Best parameters (the functions)",),
    survivors={
        **{f"utility -> utility + 1, line {line}": "the same for all outputs" for line in (10, 12, 15, 18, 19, 20)},
        **dict.fromkeys(
            ("prior -> prior + 1, line 7", "prior -> prior + 1, line 16, place 2"), "the same size and order"
        ),
    },
)
def catalogue(published: Any) -> Parts:
    for utility, prior, level in settings((2, 3, 5, 13, 4, 15, 3, 4)):
        right, found = (
            _best_of_each(utility, prior, level),
            published(as_array(utility, "utility", 2), level, as_prior(prior)),
        )
        for (name, parameters, channel), (other, text, made) in zip(right, found, strict=True):
            same = made.outputs == tuple(range(len(prior))) and (name, parameters) == (other, text)
            near = 1e-12 if name == "exponential" else 0
            same = same and bool(np.all(abs(made.matrix - channel.matrix) <= near))
            yield same or f"{at(utility, prior, level)}: {other} {text}, not {name} {parameters}, or other entries"
