"""Randomized response on bins: liu2026 Def. 2.5."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, label_names, to_float
from lpmech.errors import UtilityError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["rr_on_bins", "best_contiguous_bins"]

#: Ends of bins that the dynamic program looks at together.
_BLOCK = 128

#: By how much, relatively, sums of a few thousand floats may be off.
_ROUNDED = 1e-11


def rr_on_bins(bin_of: Mapping[Hashable, Hashable] | Sequence[Hashable], epsilon: PrivacyLevel | float) -> Channel:
    """Release the bin of the true label with probability t / (t + n - 1), each other bin with 1 / (t + n - 1).

    Parameters
    ----------
    bin_of : mapping or sequence
        Phi: label -> bin; a sequence gives the bins of the labels 0..K-1.
    epsilon : float or PrivacyLevel
        Privacy level; n is the number of distinct bins.

    Returns
    -------
    Channel, K x n
        Outputs: the bins in order of first appearance. Exact for an exact level.

    Raises
    ------
    LabelError
        If there is no label.
    PrivacyLevelError
        If the level is not usable.

    Notes
    -----
    Source: liu2026, Def. 2.5 (there from Ghazi et al. 2022), for a deterministic Phi.
    """
    names = label_names(bin_of.values() if isinstance(bin_of, Mapping) else bin_of, "bin_of")
    pairs = dict(zip(bin_of, names, strict=True)) if isinstance(bin_of, Mapping) else dict(enumerate(names))
    t = as_privacy_level(epsilon).ratio
    bins = list(dict.fromkeys(pairs.values()))
    low = 1 / (t + len(bins) - 1)
    rows = [[t * low if own == other else low for other in bins] for own in pairs.values()]
    return Channel(rows, list(pairs), bins)


def best_contiguous_bins(utility: object, prior: object, epsilon: PrivacyLevel | float) -> list[int]:
    """The best bins among runs of neighbouring labels, each released as one of its own labels.

    Parameters
    ----------
    utility, prior, epsilon
        As for `lpmech.mechanisms.best_top_k`.

    Returns
    -------
    list of int
        For every label the label that represents its bin: an argument of `rr_on_bins`.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    With n bins of representatives r the expected utility is
    (sum over bins of g_r + (t - 1) sum over labels y of the bin of p_y u[y, r]) / (t + n - 1) with
    g_r = sum_y p_y u[y, r]: additive over bins, so a dynamic program over the last bin finds the best bins
    for every n. Carried out in floats, O(K^3).
    """
    matrix = to_float(as_array(utility, "utility", 2, UtilityError))
    if matrix.shape[0] != matrix.shape[1]:
        raise UtilityError("utility", f"shape {matrix.shape}", "a square matrix")
    size = len(matrix)
    t = float(as_privacy_level(epsilon).ratio)
    weighted = to_float(as_prior(prior, size))[:, None] * matrix
    sums = np.vstack([np.zeros(size), np.cumsum(weighted, axis=0)])
    worth = np.full((size + 1, size + 1), -np.inf)
    representative = np.zeros((size + 1, size + 1), dtype=int)
    # rows: the end of the bin; columns: its representative, which is not beyond the end
    upto = np.where(np.tri(size, dtype=bool), sums[size] + (t - 1) * sums[1:], -np.inf)
    room = np.empty(_BLOCK * size)
    for start in range(size):
        less = (t - 1) * sums[start]
        for end in range(start, size, _BLOCK):
            stop = min(end + _BLOCK, size)
            values = room[: (stop - end) * (stop - start)].reshape(stop - end, stop - start)
            np.subtract(upto[end:stop, start:stop], less[start:stop], out=values)
            chosen = np.argmax(values, axis=1)
            representative[start, end + 1 : stop + 1] = start + chosen
            worth[start, end + 1 : stop + 1] = values[np.arange(len(chosen)), chosen]
    layers = [worth[0].copy()]  # of n + 1 bins each: the best that they are worth together, by their end
    most = _at_most(weighted, sums[size], t)
    found = layers[0][size] / t
    for n in range(1, size):
        if most[n] < found:
            break
        layers.append(_one_bin_more(layers[-1], worth, n))
        found = max(found, layers[-1][size] / (t + n))
    values_of_n = [best[size] / (t + n) for n, best in enumerate(layers)]
    return _read_off(int(np.argmax(values_of_n)), layers, worth, representative)


def _at_most(weighted: Array, columns: Array, t: float) -> Array:
    """No n + 1 bins or more are worth more than this, by n: best sums of columns, and the best entry of each row."""
    best = np.cumsum(np.sort(columns)[::-1]) + (t - 1) * weighted.max(axis=1).sum()
    scale = abs(columns).sum() + t * abs(weighted).sum()
    bounds = (best + _ROUNDED * scale) / (t + np.arange(len(columns)))
    return np.asarray(np.maximum.accumulate(bounds[::-1])[::-1])


def _one_bin_more(best: Array, worth: Array, bins: int) -> Array:
    """The best worth of one bin more, which begins where `bins` bins can end; in blocks, for half of it is empty."""
    found = np.full(len(best), -np.inf)
    for end in range(bins + 1, len(best), _BLOCK):
        stop = min(end + _BLOCK, len(best))
        found[end:stop] = (best[bins:stop, None] + worth[bins:stop, end:stop]).max(axis=0)
    return found


def _read_off(layer: int, layers: list[Array], worth: Array, representative: Array) -> list[int]:
    size = len(worth) - 1
    bins, end = [0] * size, size
    while end > 0:
        start = int(np.argmax(layers[layer - 1] + worth[:, end])) if layer > 0 else 0
        bins[start:end] = [int(representative[start, end])] * (end - start)
        end, layer = start, layer - 1
    return bins
