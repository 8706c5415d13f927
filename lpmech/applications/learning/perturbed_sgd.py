"""Differentially private SGD with BRR, Laplace noise or others on every coordinate of the gradient (zhang2025 V.D).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import softmax

from lpmech.applications.learning.classifier import LikeliestLabel
from lpmech.applications.learning.inputs import encoded_labels, feature_matrix, features_as_in_fit
from lpmech.applications.learning.ledger import spent_in_all
from lpmech.applications.vectors import EveryCoordinate
from lpmech.entries import Array, positive_number, whole_number
from lpmech.errors import LabelError
from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.mechanisms.perturbation import NO_NOISE, PERTURBATIONS, releasable
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource, as_random_source

__all__ = ["GRADIENT_MECHANISMS", "LAPLACE_FOR_BATCHES", "NO_NOISE", "PerturbedSGDClassifier"]

#: Laplace noise for gradients of neighbouring batches, which differ in one example: by at most 2 c / B a coordinate.
LAPLACE_FOR_BATCHES = "Laplace, one example"

#: Noise for one example is on a grid: so many steps are what the example may move a coordinate, and one for rounding.
STEPS = 1024

#: Names of the mechanisms for the coordinates of gradients.
GRADIENT_MECHANISMS = (NO_NOISE, LAPLACE_FOR_BATCHES, *PERTURBATIONS)


class PerturbedSGDClassifier(LikeliestLabel):
    """Logistic regression by minibatches whose mean gradients are clipped and released coordinate by coordinate.

    Parameters
    ----------
    epsilon : float
        Level of the whole training, for training sets of one size that differ in one example (features and label).
    mechanism : str
        One of `GRADIENT_MECHANISMS`, drawn exactly: those of `PERTURBATIONS` from exact channels (`releasable`),
        treating any two gradients of [-c, c]^d as neighbours, the other from discrete Laplace noise on a grid.
    clip : float
        c: every coordinate of an example's gradient is clipped to [-c, c].
    intervals : int
        2 c / L: the grid of the discrete mechanisms has one point more.
    batch_size : int
        B; the examples are dealt out into batches at random, and a remainder of fewer than B is left out.
    epochs : int
        Passes; each has epsilon / epochs.
    learning_rate : float
        Step size in the first step; the s-th step has this over sqrt(s).
    classes : sequence, optional
        All labels, public knowledge; if omitted, those that occur, which the level does not cover.
    random_state : None, int, numpy.random.Generator or RandomState
        None for releases; a seed for experiments only, see `lpmech.randomness`.

    Attributes
    ----------
    released_indices_ : ndarray of int
        The examples that were in a batch.
    coef_ : ndarray, shape (K - 1, d + 1)
        Weights and intercept of all labels but the last.
    epsilon_ : float
        What this fit and all before it spent: an upper bound, see `lpmech.applications.learning.ledger`. An example is
        in one batch of every epoch. Infinite without noise.
    steps_ : int
        Number of released gradients.

    Notes
    -----
    Source: zhang2025, section V.D, on the algorithm of Abadi et al. (2016), without its details, which are not given;
    clipping by coordinates, which the interval [-c, c] asks for, replaces clipping by the norm.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        mechanism: str = "BRR",
        clip: float = 1.0,
        intervals: int = 10,
        batch_size: int = 32,
        epochs: int = 1,
        learning_rate: float = 1.0,
        classes: Any = None,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.mechanism = mechanism
        self.clip = clip
        self.intervals = intervals
        self.batch_size = batch_size
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Any:
        """One released gradient for every batch.

        Raises
        ------
        InvalidInputError, LabelError, PrivacyLevelError
            If an argument or a parameter is not usable; if there are fewer examples than `batch_size`.
        """
        features = _with_intercept(feature_matrix(X, self))
        self.classes_, labels = encoded_labels(y, self.classes, len(features))
        epochs = whole_number(self.epochs, "epochs", 1)
        size = whole_number(self.batch_size, "batch_size", 1, len(features))
        clip, rate = positive_number(self.clip, "clip"), positive_number(self.learning_rate, "learning_rate")
        source, truth = as_random_source(self.random_state), np.eye(len(self.classes_))[labels, :-1]
        rng = source.generator()
        weights = np.zeros((truth.shape[1], features.shape[1]))
        level = as_privacy_level(self.epsilon)
        release = self._release(level, weights.size, clip, size, epochs)
        spent = np.inf if self.mechanism == NO_NOISE else level.epsilon
        in_all = spent_in_all(spent, self.random_state)
        self.steps_, used = 0, np.zeros(len(features), dtype=bool)
        for _ in range(epochs):
            order = rng.permutation(len(features))
            for batch in order[: len(order) // size * size].reshape(-1, size):
                errors = _probabilities(features[batch] @ weights.T)[:, :-1] - truth[batch]
                gradients = np.clip(errors[:, :, None] * features[batch][:, None, :], -clip, clip)
                mean = np.clip(gradients.mean(axis=0), -clip, clip)
                self.steps_, used[batch] = self.steps_ + 1, True
                weights -= rate / np.sqrt(self.steps_) * release(mean.ravel(), source).reshape(weights.shape)
        self.coef_ = weights
        self.released_indices_ = np.flatnonzero(used)
        self.epsilon_ = in_all
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of `classes_`, shape (m, K)."""
        features = features_as_in_fit(X, self)
        return _probabilities(_with_intercept(features) @ self.coef_.T)

    def _release(
        self, level: PrivacyLevel, dimension: int, clip: float, batch_size: int, epochs: int
    ) -> Callable[[Array, RandomSource], Array]:
        if self.mechanism not in GRADIENT_MECHANISMS:
            raise LabelError("mechanism", self.mechanism, f"one of {', '.join(GRADIENT_MECHANISMS)}")
        share = level.share(epochs)
        if self.mechanism == NO_NOISE:
            return lambda mean, source: mean
        if self.mechanism == LAPLACE_FOR_BATCHES:
            step = 2 * clip / batch_size / STEPS
            noise = DiscreteLaplace.of_level((STEPS + 1) * dimension, share)
            return lambda mean, source: step * (np.rint(mean / step) + noise.sample(mean.size, source))
        every = EveryCoordinate(partial(releasable, self.mechanism, self.intervals), dimension, share)
        return lambda mean, source: clip * every.sample([mean / clip], source)[0]


def _with_intercept(features: Array) -> Array:
    return np.column_stack([features, np.ones(len(features))])


def _probabilities(scores: Array) -> Array:
    """Softmax with the last label's score zero, shape (n, K)."""
    return softmax(np.column_stack([scores, np.zeros(len(scores))]), axis=1)
