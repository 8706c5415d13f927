"""What a channel tells an adversary: vulnerability, leakage and capacity, exact for exact channels.

An adversary who does not know the label takes one of several actions a, and gains g[y, a] if the label is y. The prior
g-vulnerability V_g(p) = max_a sum_y p_y g[y, a] is what the best action gains before anything is released, the
posterior one V_g(p, C) = sum_j max_a sum_y p_y C[y, j] g[y, a] what it gains on the average once the output j is known.
With the gain 1 for the right label and 0 for another one they are the Bayes vulnerabilities, the chances of the best
guess. The multiplicative leakage is their quotient, the min-entropy leakage its binary logarithm.

Source: Alvim, Chatzikokolakis, McIver, Morgan, Palamidessi and Smith, The Science of Quantitative Information Flow
(Springer 2020), Chapters 3 (gain functions), 5 (posterior vulnerability, leakage) and 7 (capacity).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lpmech.channel import Channel, as_channel
from lpmech.entries import Array, Number, as_array, unify
from lpmech.errors import UtilityError
from lpmech.priors import as_prior

__all__ = [
    "additive_leakage",
    "min_entropy_leakage",
    "multiplicative_bayes_capacity",
    "multiplicative_leakage",
    "posterior_vulnerability",
    "prior_vulnerability",
]


def prior_vulnerability(prior: object, gain: object = None) -> Number:
    """V_g(p), what the best action gains without any output.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label.
    gain : array_like, shape (K, A), optional
        g[y, a] of action a where the label is y; default: the identity, which guesses the label (Bayes vulnerability).

    Raises
    ------
    PriorError, UtilityError
        If an argument is not usable.
    """
    weights = as_prior(prior)
    weighted = _weighted(weights, gain)
    best: Any = max(weighted.sum(axis=0).tolist())
    return best


def posterior_vulnerability(channel: Channel, prior: object = None, gain: object = None) -> Number:
    """V_g(p, C), what the best action gains once the output is known.

    Parameters
    ----------
    channel : Channel, K x J
    prior : array_like, shape (K,), optional
        Distribution of the true label; uniform if omitted.
    gain : array_like, shape (K, A), optional
        As for `prior_vulnerability`.

    Raises
    ------
    ChannelError, PriorError, UtilityError
        If an argument is not usable.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.leakage import posterior_vulnerability
    >>> from lpmech.mechanisms import randomized_response
    >>> posterior_vulnerability(randomized_response(3, PrivacyLevel.from_ratio(4)))  # t / (t + K - 1)
    Fraction(2, 3)
    """
    rows = as_channel(channel).matrix
    weighted = _weighted(as_prior(prior, len(rows), channel.inputs), gain)
    rows, weighted = unify(rows, weighted)
    best: Any = sum((rows.T @ weighted).max(axis=1).tolist())
    return best


def multiplicative_leakage(channel: Channel, prior: object = None, gain: object = None) -> Number:
    """V_g(p, C) / V_g(p), at least 1.

    Raises
    ------
    ChannelError, PriorError, UtilityError
        If an argument is not usable, or nothing is gained without an output: then there is no quotient.
    """
    before, after = _both(channel, prior, gain)
    if before <= 0:
        raise UtilityError("gain", gain, "one of which the best action gains more than 0 without an output")
    return after / before


def additive_leakage(channel: Channel, prior: object = None, gain: object = None) -> Number:
    """V_g(p, C) - V_g(p), at least 0. Arguments and errors as for `posterior_vulnerability`."""
    before, after = _both(channel, prior, gain)
    return after - before


def min_entropy_leakage(channel: Channel, prior: object = None) -> float:
    """log2 of the multiplicative leakage of the Bayes vulnerability, in bits.

    Arguments and errors as for `posterior_vulnerability`.
    """
    return math.log2(float(multiplicative_leakage(channel, prior)))


def multiplicative_bayes_capacity(channel: Channel) -> Number:
    """The sum of the column maxima: the largest multiplicative leakage for any prior and any gain that is not negative.

    It is attained by the uniform prior and the guess of the label. Its binary logarithm is the min-capacity in bits.

    Raises
    ------
    ChannelError
        If the argument is no `Channel`.

    Notes
    -----
    Source: Alvim et al. (2020), Chapter 7; that no gain leaks more is their "Miracle" theorem.
    """
    largest: Any = sum(as_channel(channel).matrix.max(axis=0).tolist())
    return largest


def _both(channel: Channel, prior: object, gain: object) -> tuple[Any, Any]:
    weights = as_prior(prior, len(as_channel(channel).inputs), channel.inputs)
    return prior_vulnerability(weights, gain), posterior_vulnerability(channel, weights, gain)


def _weighted(prior: Array, gain: object) -> Array:
    """p_y g[y, a], shape (K, A)."""
    size = len(prior)
    values = as_array(np.eye(size, dtype=int) if gain is None else gain, "gain", 2, UtilityError)
    if len(values) != size:
        raise UtilityError("gain", f"shape {values.shape}", f"a row for each of the {size} labels")
    weights, values = unify(prior, values)
    return np.asarray(weights[:, None] * values)
