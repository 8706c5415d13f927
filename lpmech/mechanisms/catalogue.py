"""Every published mechanism on a finite alphabet, with the best of its parameters for a utility and a prior."""

from __future__ import annotations

from collections.abc import Iterator

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.mechanisms.best_parameters import best_block_sizes, best_top_k
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.exponential import exponential
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_top_k, rr_with_prior
from lpmech.priors import top_labels
from lpmech.privacy import PrivacyLevel

__all__ = ["PUBLISHED", "published_channels"]

#: The mechanisms of the catalogue, a sentence each; pictures give them their colours in this order.
PUBLISHED = {
    "rr_with_prior": "randomized response on the labels that matter; the rare ones are never released",
    "randomized_response": "keeps the label with one fixed probability, else releases any other one at random",
    "rr_on_bins": "neighbouring labels form bins, each with one label; randomized response on these labels",
    "block_rr": "frequent labels (S1) are kept with another probability than rare ones",
    "bipartite_rr": "labels that are good enough for the true one share a high probability, the others a low one",
    "bipartite_rr_star": "the same, with the number of good labels chosen for the frequencies of the labels",
    "rr_top_k": "randomized response on the k most frequent labels; the others are replaced by one of them",
    "exponential": "each label is released the likelier the better it would be; easy, seldom the best",
}


def published_channels(utility: Array, level: PrivacyLevel, prior: Array) -> Iterator[tuple[str, str, Channel]]:
    """Every published mechanism that applies: (function name, chosen parameters, channel).

    Where a mechanism has a parameter beside epsilon, the value that is best for this utility and prior is
    taken and named; for block_rr with more than 12 labels, the best among about 12 sizes of S1 and of Delta.
    """
    size = len(prior)
    yield "randomized_response", "", randomized_response(size, level)
    yield "rr_with_prior", "", rr_with_prior(prior, level)
    best_k = best_top_k(utility, prior, level)
    yield "rr_top_k", f"k = {best_k}", rr_top_k(prior, best_k, level)
    bins = best_contiguous_bins(utility, prior, level)
    yield "rr_on_bins", f"{len(set(bins))} bins", _square(rr_on_bins(bins, level), size)
    sizes = [(n, size_of_delta) for n in _sizes(size) for size_of_delta in _sizes(n, start=0)]
    n, favoured = best_block_sizes(utility, prior, level, sizes)
    channel = block_rr_from_partition(prior, top_labels(prior, n), level, favoured)
    yield "block_rr", f"|S1| = {n}, l = {favoured}", channel
    yield "bipartite_rr", "", bipartite_rr(utility, level)
    yield "bipartite_rr_star", "", bipartite_rr_star(utility, level, prior)
    yield "exponential", "", exponential(utility, level)


def _sizes(largest: int, start: int = 1, most: int = 12) -> list[int]:
    """All sizes start..largest where they are few, else about `most` spread evenly, ends included."""
    if largest - start < most:
        return list(range(start, largest + 1))
    return sorted({start + round(i * (largest - start) / (most - 1)) for i in range(most)})


def _square(channel: Channel, size: int) -> Channel:
    missing = [name for name in range(size) if name not in channel.outputs]
    rows = [[*row, *([0] * len(missing))] for row in channel.matrix.tolist()]
    wide = Channel(rows, channel.inputs, [*channel.outputs, *missing])
    return Channel(wide.matrix[:, [wide.outputs.index(j) for j in range(size)]])
