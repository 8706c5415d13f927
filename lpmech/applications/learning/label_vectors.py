"""Label-private training targets: every method turns a label into a vector whose mean over neighbours is classified.

Randomized response, LP-2ST, ALIBI and vector approximation as they are compared in zhao2025, section 5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import scipy  # its parts are loaded when they are used

from lpmech.applications.learning.row_priors import sample_rr_with_priors
from lpmech.entries import Array, whole_number
from lpmech.mechanisms.alibi import AlibiOnGrid
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding

__all__ = ["METHODS", "Targets", "neighbour_means", "one_stage", "two_stages", "soft_labels", "vectors"]

#: (features, labels, number of classes, epsilon, neighbours, rng) -> target vectors, shape (n, K).
Targets = Callable[[Array, Array, int, float, int, np.random.Generator], Array]


def neighbour_means(features: Array, targets: Any, queries: Array, neighbours: int) -> Array:
    """Mean target vector of the nearest neighbours of every query, (31) of zhao2025.

    Parameters
    ----------
    features : ndarray, shape (n, d)
        Training features.
    targets : ndarray or sparse array, shape (n, K)
        Their target vectors; few entries are added up sooner where zeros are left out.
    queries : ndarray, shape (m, d)
        Where to predict.
    neighbours : int
        k, 1 <= k <= n.

    Returns
    -------
    ndarray of float, shape (m, K)

    Raises
    ------
    InvalidInputError
        If k is not a whole number with 1 <= k <= n.
    """
    n = len(features)
    whole_number(neighbours, "neighbours", 1, n)
    near = np.sort(np.asarray(scipy.spatial.KDTree(features).query(queries, k=[*range(1, neighbours + 1)])[1]), axis=1)
    ends = np.arange(len(queries) + 1) * neighbours
    members = scipy.sparse.csr_array((np.ones(near.size), near.ravel(), ends), shape=(len(queries), n))
    sums: Any = members @ targets
    return np.asarray(sums if isinstance(sums, np.ndarray) else sums.toarray()) / neighbours


def _one_hot(labels: Array, classes: int) -> Array:
    return np.eye(classes)[labels]


def one_stage(
    features: Array, labels: Array, classes: int, epsilon: float, neighbours: int, rng: np.random.Generator
) -> Array:
    """One-hot vectors of labels randomized with the uniform prior (LP-1ST)."""
    uniform = np.full((len(labels), classes), 1 / classes)
    return _one_hot(sample_rr_with_priors(labels, uniform, epsilon, rng), classes)


def two_stages(
    features: Array, labels: Array, classes: int, epsilon: float, neighbours: int, rng: np.random.Generator
) -> Array:
    """LP-2ST: half of the labels by randomized response; the neighbours' shares are the priors of the other half."""
    order = rng.permutation(len(labels))
    first, second = np.array_split(order, 2)
    targets = np.empty((len(labels), classes))
    targets[first] = one_stage(features[first], labels[first], classes, epsilon, neighbours, rng)
    released = scipy.sparse.csr_array(targets[first])
    priors = neighbour_means(features[first], released, features[second], min(neighbours, len(first)))
    targets[second] = _one_hot(sample_rr_with_priors(labels[second], priors, epsilon, rng), classes)
    return targets


def soft_labels(
    features: Array, labels: Array, classes: int, epsilon: float, neighbours: int, rng: np.random.Generator
) -> Array:
    """ALIBI: the posterior of the label after Laplace noise, on a grid, on its one-hot vector."""
    mechanism = AlibiOnGrid(classes, epsilon)
    return mechanism.posterior(mechanism.sample(labels, rng))


def vectors(
    features: Array, labels: Array, classes: int, epsilon: float, neighbours: int, rng: np.random.Generator
) -> Array:
    """Vector approximation, (12) and (13) of zhao2025."""
    return symmetric_unary_encoding(classes, epsilon).exact(epsilon).sample(labels, rng).astype(float)


#: The four methods of zhao2025, Figs. 2 to 4.
METHODS: Mapping[str, Targets] = MappingProxyType(
    {"RR": one_stage, "LP-2ST": two_stages, "ALIBI": soft_labels, "vector": vectors}
)
