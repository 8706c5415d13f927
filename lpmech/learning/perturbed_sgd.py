"""Differentially private SGD with BRR, Laplace noise or others on every coordinate of the gradient (zhang2025 V.D).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import softmax

from lpmech.entries import Array, positive_number, whole_number
from lpmech.errors import LabelError
from lpmech.learning.classifier import CheckedClassifier
from lpmech.learning.inputs import encoded_labels, feature_matrix, features_as_in_fit, generator
from lpmech.mechanisms.perturbation import NO_NOISE, PERTURBATIONS
from lpmech.mechanisms.vectors import EveryCoordinate
from lpmech.privacy import as_privacy_level

__all__ = ["GRADIENT_MECHANISMS", "LAPLACE_FOR_BATCHES", "NO_NOISE", "PerturbedSGDClassifier"]

#: Laplace noise for gradients of neighbouring batches, which differ in one example: by at most 2 c / B a coordinate.
LAPLACE_FOR_BATCHES = "Laplace, one example"

#: Names of the mechanisms for the coordinates of gradients.
GRADIENT_MECHANISMS = (NO_NOISE, LAPLACE_FOR_BATCHES, *PERTURBATIONS)


class PerturbedSGDClassifier(CheckedClassifier):
    """Logistic regression by minibatches whose mean gradients are clipped and released coordinate by coordinate.

    Parameters
    ----------
    epsilon : float
        Level of the whole training, for training sets of one size that differ in one example (features and label).
    mechanism : str
        One of `GRADIENT_MECHANISMS`. Those of `PERTURBATIONS` treat any two gradients of [-c, c]^d as neighbours.
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
    random_state : int, RandomState or None
        Seed.

    Attributes
    ----------
    coef_ : ndarray, shape (K - 1, d + 1)
        Weights and intercept of all labels but the last.
    epsilon_ : float
        Spent: an example is in one batch of every epoch. Infinite without noise.
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
        rng, truth = generator(self.random_state), np.eye(len(self.classes_))[labels, :-1]
        weights = np.zeros((truth.shape[1], features.shape[1]))
        release = self._release(weights.size, clip, size, epochs)
        self.steps_ = 0
        for _ in range(epochs):
            order = rng.permutation(len(features))
            for batch in order[: len(order) // size * size].reshape(-1, size):
                errors = _probabilities(features[batch] @ weights.T)[:, :-1] - truth[batch]
                gradients = np.clip(errors[:, :, None] * features[batch][:, None, :], -clip, clip)
                mean = np.clip(gradients.mean(axis=0), -clip, clip)
                self.steps_ += 1
                weights -= rate / np.sqrt(self.steps_) * release(mean.reshape(1, -1), rng).reshape(weights.shape)
        self.coef_ = weights
        self.epsilon_ = np.inf if self.mechanism == NO_NOISE else as_privacy_level(self.epsilon).epsilon
        return self

    def predict(self, X: Any) -> Array:
        """Label of largest probability for every row, shape (m,)."""
        columns = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[columns]

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of `classes_`, shape (m, K)."""
        features = features_as_in_fit(X, self)
        return _probabilities(_with_intercept(features) @ self.coef_.T)

    def _release(
        self, dimension: int, clip: float, batch_size: int, epochs: int
    ) -> Callable[[Array, np.random.Generator], Array]:
        if self.mechanism not in GRADIENT_MECHANISMS:
            raise LabelError("mechanism", self.mechanism, f"one of {', '.join(GRADIENT_MECHANISMS)}")
        level = as_privacy_level(self.epsilon).epsilon / epochs
        if self.mechanism == NO_NOISE:
            return lambda mean, rng: mean
        if self.mechanism == LAPLACE_FOR_BATCHES:
            scale = 2 * clip * dimension / (batch_size * level)
            return lambda mean, rng: mean + rng.laplace(scale=scale, size=mean.shape)
        step = 2 * Fraction(str(clip)) / whole_number(self.intervals, "intervals", 1)
        return EveryCoordinate(lambda e: PERTURBATIONS[self.mechanism](clip, step, e), dimension, level).sample


def _with_intercept(features: Array) -> Array:
    return np.column_stack([features, np.ones(len(features))])


def _probabilities(scores: Array) -> Array:
    """Softmax with the last label's score zero, shape (n, K)."""
    return softmax(np.column_stack([scores, np.zeros(len(scores))]), axis=1)
