"""The randomized dataset of liu2026 Alg. 2: estimate the prior on one part, randomize the labels of the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from lpmech.applications.learning.prior_split import prior_from_split
from lpmech.channel import Channel
from lpmech.entries import Array, whole_number
from lpmech.errors import BlockError
from lpmech.mechanisms.block_rr import block_rr_from_partition, partition
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomState, as_random_source

__all__ = ["RandomizedDataset", "randomize_dataset", "block_rr_from_estimate"]


@dataclass(frozen=True)
class RandomizedDataset:
    """What Alg. 2 releases, and what it spent.

    Attributes
    ----------
    indices : ndarray of int, shape (n2,)
        Positions of the examples whose labels are released (D2).
    labels : ndarray, shape (n2,)
        Their randomized labels.
    prior_indices : ndarray of int, shape (n1,)
        Positions of the examples used for the prior (D1); their labels are not released.
    prior : ndarray, shape (K,)
        The private estimate.
    channel : Channel
        BlockRR as it was applied: exact entries.
    favoured : int
        |Delta| that was used: l, or |S~1| if that is smaller.
    epsilon : float
        Label-privacy level of the whole release: every label is used once, in one of the two parts.
    """

    indices: Array
    labels: Array
    prior_indices: Array
    prior: Array
    channel: Channel
    favoured: int
    epsilon: float


def randomize_dataset(
    labels: Sequence[Hashable] | Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    sigma: float,
    l: int,
    random_state: RandomState = None,
    prior_fraction: float = 0.01,
) -> RandomizedDataset:
    """Split the examples at random, estimate the prior privately on one part, apply BlockRR to the other.

    Parameters
    ----------
    labels : array_like, shape (n,)
        True labels, each one of `classes`.
    classes : sequence of hashable
        All K labels.
    epsilon : float or PrivacyLevel
        Level of the prior estimate and of BlockRR; also the level of the whole, since the parts are disjoint.
    sigma : float
        Hyperparameter of the partition (3.3).
    l : int
        |Delta|; if the partition leaves fewer than l labels in S~1, all of them are taken.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.
    prior_fraction : float
        Share of the examples used for the prior, strictly between 0 and 1 (liu2026 section 5.1.2: 1 %); at
        least one example goes to each part.

    Returns
    -------
    RandomizedDataset

    Raises
    ------
    LabelError
        If a label is not among the classes.
    BlockError
        If l is not a whole number >= 0.
    InvalidInputError, PrivacyLevelError
        If another argument is not usable, or there are fewer than two examples.

    Notes
    -----
    Source: liu2026, Alg. 2 and section 5.1.2.
    """
    values, level, source = np.asarray(labels), as_privacy_level(epsilon), as_random_source(random_state)
    _checked_size(l)
    prior_indices, indices, prior = prior_from_split(values, classes, level, prior_fraction, source)
    positions, favoured = block_rr_from_estimate(prior, level, sigma, l)
    channel = Channel(positions.matrix, classes, classes).exact(level)
    return RandomizedDataset(
        indices, channel.sample(values[indices], source), prior_indices, prior, channel, favoured, level.epsilon
    )


def block_rr_from_estimate(prior: object, epsilon: PrivacyLevel | float, sigma: float, l: int) -> tuple[Channel, int]:
    """BlockRR for a prior that was not known when l was chosen.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label.
    epsilon : float or PrivacyLevel
        Privacy level.
    sigma : float
        Hyperparameter of the partition (3.3).
    l : int
        |Delta|; if the partition leaves fewer than l labels in S~1, all of them are taken.

    Returns
    -------
    channel : Channel, K x K
        Inputs and outputs 0, ..., K - 1.
    favoured : int
        |Delta| that was used.

    Raises
    ------
    BlockError
        If l is not a whole number >= 0.
    PriorError, PrivacyLevelError, InvalidInputError
        If another argument is not usable.
    """
    majority, _ = partition(prior, sigma)
    favoured = min(_checked_size(l), len(majority))
    return block_rr_from_partition(prior, majority, epsilon, favoured), favoured


def _checked_size(l: int) -> int:
    return whole_number(l, "l", 0, error=BlockError)
