"""What the label-private classifiers share: every label is used once, and only released labels reach the model.

Released labels become training data in one of three ways: as labels, as weights (the posterior of the label given
what was released), or as vectors with one binary classifier for each entry. Needs scikit-learn (extra ``learning``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lpmech.applications.learning.classifier import CheckedClassifier
from lpmech.applications.learning.inputs import (
    blamed_on,
    encoded_labels,
    feature_matrix,
    features_as_in_fit,
    seeded_clone,
)
from lpmech.applications.learning.ledger import spent_in_all
from lpmech.applications.learning.prior_split import prior_from_split
from lpmech.applications.learning.scikit_learn import (
    BaseEstimator,
    DummyClassifier,
    OneVsRestClassifier,
    available_if,
    is_classifier,
)
from lpmech.channel import Channel
from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource, as_random_source

__all__ = [
    "LabelPrivateClassifier",
    "PriorChannelClassifier",
    "Released",
    "in_all_columns",
    "require_methods",
    "train_on_labels",
    "train_on_posteriors",
    "train_on_vectors",
]


class Released(NamedTuple):
    """A release: the examples, positions of their released labels (or bits, or posteriors), and fitted attributes."""

    indices: Array
    values: Array
    more: Mapping[str, Any] = {}


class LabelPrivateClassifier(CheckedClassifier, ABC):
    """Release every label once at level epsilon, then train any classifier on what was released.

    Parameters
    ----------
    estimator : scikit-learn classifier
        Cloned and fitted on the released labels.
    epsilon : float
        Label-privacy level of the whole training.
    classes : sequence, optional
        All labels, public knowledge. If omitted, the labels that occur are taken, with a warning: their set shows.
    random_state : None, int, numpy.random.Generator or RandomState
        None for releases. A seed makes the noise known to whoever knows it: for experiments only; see
        `lpmech.randomness`.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels.
    estimator_ : classifier
        The fitted model; its labels are positions in `classes_`.
    released_indices_ : ndarray of int, shape (n2,)
        The examples whose labels were released: those the model was trained on.
    released_ : ndarray, shape (n2,) or (n2, K)
        What was released of them: labels, bits, or posteriors.
    epsilon_ : float
        What this fit and all before it spent, in this process and in those that it starts: never less than what was
        spent on one of these examples, and more if some fits were about other people. See
        `lpmech.applications.learning.ledger`; one fit spends `epsilon`.

    Notes
    -----
    Every fit releases the labels anew and spends epsilon again, cross-validation and grid search once for every fold
    and setting. To choose a model or its parameters, release once and go on with what was released, which costs
    nothing: ``private = RRClassifier(base, 1.0, classes=c).fit(X, y)``, then scikit-learn's ``GridSearchCV(base,
    grid).fit(X[private.released_indices_], private.released_)``, which predicts labels as `classes_` names them.
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
        source = as_random_source(self.random_state)
        self._require_usable(self.estimator)
        release = self._release(labels, level, source)
        spent = spent_in_all(
            level.epsilon, self.random_state
        )  # before anything shows, whatever becomes of the training
        for name, value in release.more.items():
            setattr(self, name, value)
        self.released_indices_ = release.indices
        self.released_ = self.classes_[release.values] if release.values.ndim == 1 else release.values
        with blamed_on(self.estimator):
            base = seeded_clone(self.estimator, source.generator())
            self.estimator_ = self._train(base, features[release.indices], release.values)
        self.epsilon_ = spent
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

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the released label being each of `classes_`, shape (m, K), if the base estimator has them.

        Errors as for `predict`.
        """
        features = features_as_in_fit(X, self)
        with blamed_on(self.estimator):
            return self._probabilities(features)

    def _require_usable(self, estimator: Any) -> None:
        """Refuse a base estimator that cannot learn from what will be released: after the release it is too late."""
        require_methods(estimator, "fit", "predict")

    @abstractmethod
    def _release(self, labels: Array, level: PrivacyLevel, source: RandomSource) -> Released:
        """Release labels 0, ..., K - 1; nothing of it shows in the estimator yet."""

    def _train(self, estimator: Any, features: Array, released: Array) -> Any:
        return train_on_labels(estimator, features, released)

    def _positions(self, features: Array) -> Array:
        return np.asarray(self.estimator_.predict(features), dtype=np.intp)

    def _probabilities(self, features: Array) -> Array:
        return in_all_columns(self.estimator_, features, len(self.classes_))


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
        The channel as it was applied: exact entries, in positions of `classes_`.

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

    def _release(self, labels: Array, level: PrivacyLevel, source: RandomSource) -> Released:
        positions = range(len(self.classes_))
        counted, indices, prior = prior_from_split(labels, positions, level, self.prior_fraction, source)
        channel = self._channel(prior, level).exact(level)
        released = channel.sample(labels[indices], source)
        return Released(indices, released, {"prior_indices_": counted, "prior_": prior, "channel_": channel})


def in_all_columns(model: Any, features: Array, size: int) -> Array:
    """A model's probabilities of the positions 0, ..., K - 1, shape (m, K); 0 for those it never saw."""
    probabilities = model.predict_proba(features)
    wide = np.zeros((len(probabilities), size))
    wide[:, model.classes_] = probabilities
    return wide


def train_on_labels(estimator: Any, features: Array, labels: Array) -> Any:
    """Fit on released labels, shape (n,); where all are equal, a constant classifier, as few accept one class."""
    model = estimator if np.unique(labels).size > 1 else DummyClassifier()
    return model.fit(features, labels)


def train_on_posteriors(estimator: Any, features: Array, posteriors: Array) -> Any:
    """Fit an estimator that takes sample_weight with every example once under each label, weighted by its posterior.

    The posteriors have shape (n, K).
    """
    examples, size = posteriors.shape
    repeated = np.repeat(features, size, axis=0)
    return estimator.fit(repeated, np.tile(np.arange(size), examples), sample_weight=posteriors.ravel())


def train_on_vectors(estimator: Any, features: Array, vectors: Array) -> Any:
    """Fit one binary classifier for each entry of released vectors of 0 and 1, shape (n, K)."""
    return OneVsRestClassifier(estimator).fit(features, vectors)


def require_methods(estimator: Any, *methods: str) -> None:
    """Refuse what is no scikit-learn classifier with these methods.

    Raises
    ------
    InvalidInputError
        If it is not.
    """
    known = isinstance(estimator, BaseEstimator) and is_classifier(estimator)
    if not known or not all(hasattr(estimator, name) for name in methods):
        raise InvalidInputError("estimator", estimator, f"a scikit-learn classifier with {', '.join(methods)}")
