"""What the label-private classifiers share: every label is used once, and only released labels reach the model.

Released labels become training data in one of three ways: as labels, as weights (the posterior of the label given
what was released), or as vectors with one binary classifier for each entry. Needs scikit-learn (extra ``learning``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.learning.classifier import CheckedClassifier
from lpmech.learning.inputs import (
    blamed_on,
    encoded_labels,
    feature_matrix,
    features_as_in_fit,
    generator,
    seeded_clone,
)
from lpmech.learning.prior_split import prior_from_split
from lpmech.learning.scikit_learn import (
    BaseEstimator,
    DummyClassifier,
    OneVsRestClassifier,
    has_fit_parameter,
    is_classifier,
)
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = [
    "LabelPrivateClassifier",
    "PriorChannelClassifier",
    "train_on_labels",
    "train_on_posteriors",
    "train_on_vectors",
]


class LabelPrivateClassifier(CheckedClassifier, ABC):
    """Release every label once at level epsilon, then train any classifier on what was released.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Cloned and fitted on the released labels.
    epsilon : float
        Label-privacy level of the whole training.
    classes : sequence, optional
        All labels, public knowledge. If omitted, the labels that occur are taken, which reveals their set.
    random_state : int, RandomState or None
        Seed.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels.
    estimator_ : classifier
        The fitted model; its labels are positions in `classes_`.
    released_indices_ : ndarray of int, shape (n2,)
        The examples whose labels were released: those the model was trained on.
    epsilon_ : float
        What was spent in all.
    """

    def __init__(
        self, estimator: Any, epsilon: float = 1.0, *, classes: Sequence[Any] | None = None, random_state: Any = None
    ) -> None:
        self.estimator = estimator
        self.epsilon = epsilon
        self.classes = classes
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> LabelPrivateClassifier:
        """Release the labels and train.

        Raises
        ------
        InvalidInputError
            If the features are not finite numbers, the numbers of examples differ, there are fewer examples than
            labels, the estimator lacks what the method needs, or a parameter is not usable.
        LabelError
            If a label is not among `classes`.
        PrivacyLevelError
            If the level is not usable.
        """
        features = feature_matrix(X, self)
        self.classes_, labels = encoded_labels(y, self.classes, len(features))
        level = as_privacy_level(self.epsilon)
        rng = generator(self.random_state)
        _require(self.estimator, "fit", "predict")
        self.released_indices_, released = self._release(labels, level, rng)
        with blamed_on(self.estimator):
            self.estimator_ = self._train(seeded_clone(self.estimator, rng), features[self.released_indices_], released)
        self.epsilon_ = level.epsilon
        return self

    def predict(self, X: Any) -> Array:
        """Predicted label of every row, shape (m,).

        Raises
        ------
        InvalidInputError
            If the features are not finite numbers or have another number of columns than in fit.
        """
        features = features_as_in_fit(X, self)
        with blamed_on(self.estimator):
            positions = self._positions(features)
        return self.classes_[positions]

    @abstractmethod
    def _release(self, labels: Array, level: PrivacyLevel, rng: np.random.Generator) -> tuple[Array, Array]:
        """Positions of the examples that are released, and what is released of their labels 0, ..., K - 1."""

    def _train(self, estimator: Any, features: Array, released: Array) -> Any:
        return train_on_labels(estimator, features, released)

    def _positions(self, features: Array) -> Array:
        return np.asarray(self.estimator_.predict(features), dtype=np.intp)


class PriorChannelClassifier(LabelPrivateClassifier):
    """A channel that depends on the prior, which is estimated privately on a part of the examples of its own.

    Parameters
    ----------
    estimator, epsilon, classes, random_state
        As in `LabelPrivateClassifier`.
    prior_fraction : float
        Share of the examples for the prior; the model does not see them. liu2026 takes 1 % of 50000.

    Attributes
    ----------
    prior_ : ndarray, shape (K,)
        The private estimate.
    prior_indices_ : ndarray of int, shape (n1,)
        The examples it was made from; disjoint from `released_indices_`, so that both parts together cost epsilon.
    channel_ : Channel, K x K
        The channel as it was applied, in positions of `classes_`.

    Notes
    -----
    Source: liu2026, Alg. 2 and 3.
    """

    def __init__(
        self,
        estimator: Any,
        epsilon: float = 1.0,
        *,
        prior_fraction: float = 0.1,
        classes: Sequence[Any] | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(estimator, epsilon, classes=classes, random_state=random_state)
        self.prior_fraction = prior_fraction

    @abstractmethod
    def _channel(self, prior: Array, level: PrivacyLevel) -> Channel:
        """The channel for this prior, in positions 0, ..., K - 1."""

    def _release(self, labels: Array, level: PrivacyLevel, rng: np.random.Generator) -> tuple[Array, Array]:
        positions = range(len(self.classes_))
        self.prior_indices_, indices, self.prior_ = prior_from_split(labels, positions, level, self.prior_fraction, rng)
        self.channel_ = self._channel(self.prior_, level).exact(level)
        return indices, self.channel_.sample(labels[indices], rng)


def train_on_labels(estimator: Any, features: Array, labels: Array) -> Any:
    """Fit on released labels, shape (n,); where all are equal, a constant classifier, as few accept one class."""
    model = estimator if np.unique(labels).size > 1 else DummyClassifier()
    return model.fit(features, labels)


def train_on_posteriors(estimator: Any, features: Array, posteriors: Array) -> Any:
    """Fit with every example once under each label, weighted by its posterior, shape (n, K).

    Raises
    ------
    InvalidInputError
        If the estimator's fit takes no sample_weight.
    """
    if not has_fit_parameter(estimator, "sample_weight"):
        raise InvalidInputError("estimator", estimator, "a classifier whose fit takes sample_weight")
    examples, size = posteriors.shape
    repeated = np.repeat(features, size, axis=0)
    return estimator.fit(repeated, np.tile(np.arange(size), examples), sample_weight=posteriors.ravel())


def train_on_vectors(estimator: Any, features: Array, vectors: Array) -> Any:
    """Fit one binary classifier for each entry of released vectors of 0 and 1, shape (n, K).

    Raises
    ------
    InvalidInputError
        If the estimator has no predict_proba.
    """
    _require(estimator, "predict_proba")
    return OneVsRestClassifier(estimator).fit(features, vectors)


def _require(estimator: Any, *methods: str) -> None:
    known = isinstance(estimator, BaseEstimator) and is_classifier(estimator)
    if not known or not all(hasattr(estimator, name) for name in methods):
        raise InvalidInputError("estimator", estimator, f"a scikit-learn classifier with {', '.join(methods)}")
