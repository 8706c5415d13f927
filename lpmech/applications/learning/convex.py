"""LP-RR-SGD and LP-Normal-SGD: one pass of label-private gradient descent for a convex loss (ghazi2021 Alg. 5, 6).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from lpmech.applications.learning.classifier import LikeliestLabel
from lpmech.applications.learning.inputs import encoded_labels, feature_matrix, features_as_in_fit
from lpmech.applications.learning.ledger import spent_in_all
from lpmech.applications.learning.scikit_learn import check_is_fitted
from lpmech.applications.learning.sgd_formulas import (
    LIPSCHITZ,
    debiased,
    excess_risk_bound,
    normal_deviation,
    normal_moment,
    rr_moment,
)
from lpmech.entries import Array, positive_number
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.discrete_noise import DiscreteGaussian
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource, as_random_source

__all__ = ["LPRRSGDClassifier", "LPNormalSGDClassifier", "TrueLabelSGDClassifier"]

#: Shorter rows of features count as zero: their squares underflow, and noise in their direction would be lost.
_SHORTEST = 1e-100


class _LabelPrivateSGD(LikeliestLabel):
    """One pass of projected gradient descent on the multinomial logistic loss of a linear model."""

    def fit(self, X: Any, y: Any) -> Any:
        """One step for every example, in random order.

        Rows of X are scaled down to norm 1 where they are longer, so that the loss is sqrt(2)-Lipschitz.

        Raises
        ------
        InvalidInputError, LabelError, PrivacyLevelError
            If an argument or a parameter is not usable.
        """
        features = _clipped(feature_matrix(X, self))
        self.classes_, labels = encoded_labels(y, self.classes, len(features))
        positive_number(self.radius, "radius")
        source = as_random_source(self.random_state)
        size = len(self.classes_)
        weights = np.zeros((size, features.shape[1]))
        self.moment_ = self._moment(size)
        # the gradient at label k is (scores - e_k) x^T: e_k is all of it that depends on the label, and is estimated
        estimates = self._released(labels, np.linalg.norm(features, axis=1), size, source)
        spent = spent_in_all(self._spent(), self.random_state)
        for step, i in enumerate(source.generator().permutation(len(features)), 1):
            scores = softmax(weights @ features[i])
            gradient = np.outer(scores - estimates[i], features[i])
            weights -= 2 * self.radius / (self.moment_ * math.sqrt(step)) * gradient
            norm = float(np.linalg.norm(weights))
            if norm > self.radius:
                weights *= float(self.radius) / norm
        self.coef_, self.steps_, self.released_indices_ = weights, len(features), np.arange(len(features))
        self.epsilon_ = spent
        return self

    def _spent(self) -> float:
        """Label-privacy level of the training."""
        return as_privacy_level(self.epsilon).epsilon

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of `classes_`, shape (m, K)."""
        features = features_as_in_fit(X, self)
        return softmax(_clipped(features) @ self.coef_.T, axis=-1)

    def excess_risk_bound(self) -> float:
        """Bound on the expected excess risk of the fitted weights over the best ones in the ball."""
        check_is_fitted(self, "coef_")
        return excess_risk_bound(2 * self.radius, self.moment_, self.steps_)


class LPRRSGDClassifier(_LabelPrivateSGD):
    """LP-RR-SGD: every step takes the debiased gradient (7) at a label released by randomized response.

    Parameters
    ----------
    epsilon : float
        Label-privacy level; every label is released once.
    radius : float
        The weights stay in the Euclidean ball of this radius (half the paper's diameter D).
    classes : sequence, optional
        All labels, public knowledge. If omitted, the labels that occur are taken, with a warning: their set shows.
    random_state : None, int, numpy.random.Generator or RandomState
        None for releases; a seed for experiments only, see `lpmech.randomness`.
    moment : callable, optional
        (K, epsilon, L) -> G in the step size D / (G sqrt(t)), `rr_moment` or a larger one such as `theorem_9_moment`.

    Notes
    -----
    Source: ghazi2021, Alg. 5. Theorem 9 has the step size of `theorem_9_moment`; that of `rr_moment` has the smaller
    bound.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        radius: float = 10.0,
        classes: Any = None,
        random_state: Any = None,
        moment: Callable[[int, PrivacyLevel | float, float], float] = rr_moment,
    ) -> None:
        self.epsilon = epsilon
        self.radius = radius
        self.classes = classes
        self.random_state = random_state
        self.moment = moment

    def _moment(self, size: int) -> float:
        if not callable(self.moment):
            raise InvalidInputError("moment", self.moment, "a function of K, epsilon and L")
        chosen, least = self.moment(size, self.epsilon, LIPSCHITZ), rr_moment(size, self.epsilon, LIPSCHITZ)
        if not least <= chosen < math.inf:
            raise InvalidInputError("moment", chosen, f"a finite number, at least rr_moment = {least:g}")
        return chosen

    def _released(self, labels: Array, lengths: Array, size: int, source: RandomSource) -> Array:
        released = randomized_response(size, self.epsilon).exact(self.epsilon).sample(labels, source)
        return debiased(np.eye(size), self.epsilon)[released]


class LPNormalSGDClassifier(_LabelPrivateSGD):
    """LP-Normal-SGD: discrete Gaussian noise on the gradient, within the span of the gradients at all labels.

    Parameters
    ----------
    epsilon : float
        Below 1.
    delta : float
        The release is (epsilon, delta)-label private.
    radius, classes, random_state
        As in `LPRRSGDClassifier`.

    Notes
    -----
    Source: ghazi2021, Alg. 6. The gradients at all labels are (scores - e_k) x^T with entries of the first factor that
    sum to zero, so their span has K - 1 dimensions. The noise is on the grid of `DiscreteGaussian`, at most 2^15 steps
    wide; two labels are sqrt(2) ||x|| <= sqrt(2) apart, and sigma is for twice as much, so that
    `DiscreteGaussian.delta` stays far below delta.
    """

    def __init__(
        self,
        epsilon: float = 0.5,
        delta: float = 1e-5,
        *,
        radius: float = 10.0,
        classes: Any = None,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.radius = radius
        self.classes = classes
        self.random_state = random_state

    def _deviation(self) -> float:
        return normal_deviation(self.epsilon, self.delta, LIPSCHITZ)

    def _moment(self, size: int) -> float:
        return normal_moment(size, self._deviation(), LIPSCHITZ)

    def _released(self, labels: Array, lengths: Array, size: int, source: RandomSource) -> Array:
        # noise of deviation sigma on outer(v, x / ||x||), v orthogonal to (1, ..., 1): on whole multiples of a step
        steps = self._steps()
        units = np.rint(lengths * steps)
        noise = self._noise().sample(labels.size * size, source).reshape(-1, size)
        vectors = np.where(labels[:, None] == np.arange(size), units[:, None], 0.0) + noise
        vectors += ((units - vectors.sum(axis=1)) / size)[:, None]  # the projection: the true sum is public
        return np.divide(vectors, (lengths * steps)[:, None], out=np.zeros(vectors.shape), where=lengths[:, None] > 0)

    def _steps(self) -> int:
        """Steps of the grid to the unit: a power of two, such that the noise is at most 2^15 steps."""
        return 2 ** max(0, math.floor(math.log2(2**15 / self._deviation())))

    def _noise(self) -> DiscreteGaussian:
        return DiscreteGaussian.of_deviation(self._deviation() * self._steps())


class TrueLabelSGDClassifier(_LabelPrivateSGD):
    """The same descent with gradients at the true labels: not private, what privacy is compared with.

    Parameters
    ----------
    radius, classes, random_state
        As in `LPRRSGDClassifier`.
    """

    def __init__(self, *, radius: float = 10.0, classes: Any = None, random_state: Any = None) -> None:
        self.radius = radius
        self.classes = classes
        self.random_state = random_state

    def _spent(self) -> float:
        return math.inf

    def _moment(self, size: int) -> float:
        return LIPSCHITZ

    def _released(self, labels: Array, lengths: Array, size: int, source: RandomSource) -> Array:
        return np.eye(size)[labels]


def _clipped(features: Array) -> Array:
    below_one = features / np.maximum(np.abs(features).max(axis=1, keepdims=True), 1.0)  # squares cannot overflow
    lengths = np.linalg.norm(below_one, axis=1, keepdims=True)
    return np.where(lengths < _SHORTEST, 0.0, below_one / np.maximum(lengths, 1.0))
