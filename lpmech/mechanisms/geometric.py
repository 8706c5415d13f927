"""The truncated geometric mechanism for counts, the best way to decode it, and why none is better on a line.

On a line with d(i, k) = |i - k| a channel q is metric-private if neighbours are t-close: q[i, j] <= t q[i +- 1, j]. Let
F_k(i) = Pr[output >= k | i]. Then F_k(i + 1) <= rise(F_k(i)), rise(f) = min(t f, 1 - (1 - f) / t), which is strictly
increasing, and the tails of the geometric mechanism rise by just that, mixed with the next threshold or not. Choose for
each k the tail g_k, of the geometric mechanism with its output compared with a threshold (or with two, by chance),
that has g_k(k) = F_k(k). Then F_k <= g_k from k on and F_k >= g_k below: of a true count k or more it is said at least
as often, of a smaller one at most as often. As g_(k+1)(k) <= F_(k+1)(k) <= F_k(k) = g_k(k), the thresholds are in
order, so that they belong to one output: every private channel has a post-processing of the geometric mechanism beside
it that releases something at least as near from every true count, on either side (`closer`). What is best for a prior
and a loss that does not fall away from the true count is therefore a post-processing of it, and, as the value is
linear in that, a deterministic one (`best_on_a_line`): the theorem of Ghosh, Roughgarden and Sundararajan.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import as_array, label_names, unify
from lpmech.errors import ChannelError, UtilityError
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["best_on_a_line", "closer", "geometric", "rise", "tail_above", "tail_below"]


def tail_above(distance: Any, t: Any) -> Any:
    """Pr[noise >= distance] for distance >= 1 and noise with Pr[noise = z] = (t - 1) / (t + 1) t^-|z|."""
    return t ** (1 - distance) / (t + 1)


def tail_below(distance: Any, t: Any) -> Any:
    """Pr[noise >= distance] for distance <= 0; see `tail_above`."""
    return 1 - t**distance / (t + 1)


def rise(tail: Any, t: Any) -> tuple[Any, Any]:
    """Two numbers of which neither is exceeded by Pr[output >= k | i + 1] where Pr[output >= k | i] is `tail`."""
    return t * tail, 1 - (1 - tail) / t


def geometric(labels: int | Sequence[Hashable], epsilon: PrivacyLevel | float) -> Channel:
    """Add two-sided geometric noise to a count 0..n and release the nearest count of 0..n.

    Parameters
    ----------
    labels : int or sequence of hashable
        K = n + 1 (meaning the counts 0..n), or names in their order.
    epsilon : float or PrivacyLevel
        Privacy of neighbouring counts: metric privacy with the distance |i - j|.

    Returns
    -------
    Channel, K x K
        Exact for an exact level. Its own `Channel.epsilon`, of labels that are all neighbours, is n times as large.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    LabelError
        If there is no label, or one occurs twice.

    Notes
    -----
    Source: Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms, STOC 2009, Section 2
    (SIAM Journal on Computing 41, 2012).

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> geometric(3, PrivacyLevel.from_ratio(2)).matrix.tolist()[0]
    [Fraction(2, 3), Fraction(1, 6), Fraction(1, 6)]
    """
    names, t = label_names(labels, "labels"), as_privacy_level(epsilon).ratio
    size = len(names)
    tails = [[_tail(k, i, size, t) for k in range(size + 1)] for i in range(size)]
    return Channel([[row[j] - row[j + 1] for j in range(size)] for row in tails], names, names)


def best_on_a_line(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Channel:
    """The best channel that is metric-private on a line, in closed form: the geometric mechanism, decoded.

    Parameters
    ----------
    utility : array_like, shape (K, K)
        Larger is better; no row rises away from its own label, on either side.
    epsilon : float or PrivacyLevel
        Privacy of neighbouring labels, 0, ..., K - 1 in their order.
    prior : array_like, shape (K,), optional
        Distribution of the true label; uniform if omitted.

    Returns
    -------
    Channel, K x K
        Exact for an exact level, utility and prior; some outputs are never released.

    Raises
    ------
    UtilityError
        If the utility is not a square matrix, or rises away from a label.
    PriorError, PrivacyLevelError
        If an argument is not usable.

    Notes
    -----
    Optimal by the theorem of Ghosh, Roughgarden and Sundararajan (see the module): for each prior and utility
    there is an optimal post-processing, and the best one releases for each noisy count what is expected to be best.
    """
    gain = as_array(utility, "utility", 2, UtilityError)
    size = len(gain)
    falls = gain.shape == (size, size) and all(
        all(row[j] >= row[j + 1] for j in range(i, size - 1)) and all(row[j] <= row[j + 1] for j in range(i))
        for i, row in enumerate(gain.tolist())
    )
    if not falls:
        raise UtilityError("utility", utility, "a square matrix of which no row rises away from its own label")
    noisy = geometric(size, epsilon)
    gain, weights, entries = unify(gain, as_prior(prior, size), noisy.matrix)
    expected = (weights[:, None] * entries).T @ gain
    image = [max(range(size), key=row.__getitem__) for row in expected.tolist()]
    return noisy.then(Channel(np.eye(size, dtype=int)[image]))


def closer(channel: Channel, epsilon: PrivacyLevel | float) -> Channel:
    """A post-processing of `geometric` by which every true count is released at least as near, on either side.

    Parameters
    ----------
    channel : Channel, K x K
        With Pr[j | i] at most e^epsilon Pr[j | i +- 1]; its inputs are the counts 0..n in order, and so its outputs.
    epsilon : float or PrivacyLevel

    Returns
    -------
    Channel, K x K
        R of the proof in the module: G = geometric(K, epsilon) followed by R has, for all k and i, Pr[output >= k | i]
        of at least that of the channel for i >= k, and at most that for i < k.

    Raises
    ------
    ChannelError
        If the channel is not square, or not private like that.
    PrivacyLevelError
        If the level is not usable.
    """
    size, t = len(channel.inputs), as_privacy_level(epsilon).ratio
    q = channel.matrix
    if q.shape != (size, size) or any((a > t * b).any() or (b > t * a).any() for a, b in pairwise(q)):
        raise ChannelError("channel", channel, f"a square channel of which neighbouring rows differ by at most {t}")
    released = np.zeros((size, size + 1), dtype=q.dtype)  # Pr[output >= k | noisy count]
    released[:, 0] = 1
    for k in range(1, size):
        tail = q[k, k:].sum()
        m = max(m for m in range(size) if _tail(m, k, size, t) >= tail)
        upper, lower = (_tail(m + step, k, size, t) for step in (0, 1))
        released[m, k] = (tail - lower) / (upper - lower)
        released[m + 1 :, k] = 1
    return Channel(released[:, :-1] - released[:, 1:], channel.inputs, channel.outputs)


def _tail(k: int, i: int, size: int, t: Any) -> Any:
    """Pr[truncated noisy count >= k | i]."""
    if k in (0, size):
        return t**0 if k == 0 else 0 * t
    return tail_above(k - i, t) if k > i else tail_below(k - i, t)
