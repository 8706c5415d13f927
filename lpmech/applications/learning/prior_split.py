"""A private prior from a part of the examples of its own: the first half of liu2026 Alg. 2."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real

import numpy as np

from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.private_histogram import private_histogram
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import RandomState, as_random_source

__all__ = ["prior_from_split"]


def prior_from_split(
    labels: Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    prior_fraction: float,
    random_state: RandomState = None,
) -> tuple[Array, Array, Array]:
    """Split the examples at random into D1 and D2 and estimate the prior privately on D1.

    Parameters
    ----------
    labels : ndarray, shape (n,)
        True labels, each one of `classes`.
    classes : sequence of hashable
        All K labels.
    epsilon : float or PrivacyLevel
        Level of the estimate. The parts are disjoint, so that releasing the labels of D2 at the same level costs
        no more in all.
    prior_fraction : float
        Share of D1, strictly between 0 and 1; at least one example goes to each part.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.

    Returns
    -------
    prior_indices, indices, prior : ndarray
        Positions of D1, positions of D2, both increasing; the estimate, shape (K,).

    Raises
    ------
    LabelError
        If a label is not among the classes.
    InvalidInputError, PrivacyLevelError
        If another argument is not usable, or there are fewer than two examples.

    Notes
    -----
    Source: liu2026, Alg. 2 and 3.
    """
    source = as_random_source(random_state)
    if not isinstance(labels, np.ndarray) or labels.ndim != 1 or labels.size < 2:
        raise InvalidInputError("labels", "something else", "an array with at least two labels in one dimension")
    if not isinstance(prior_fraction, Real) or not 0 < prior_fraction < 1:
        raise InvalidInputError("prior_fraction", prior_fraction, "a number strictly between 0 and 1")
    order = source.generator().permutation(labels.size)
    first = min(max(1, round(prior_fraction * labels.size)), labels.size - 1)
    prior_indices, indices = np.sort(order[:first]), np.sort(order[first:])
    return prior_indices, indices, private_histogram(labels[prior_indices], classes, epsilon, source)
