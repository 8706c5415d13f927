"""LP-MST, multi-stage training with label privacy, and priors from private cluster histograms (ghazi2021 Alg. 3, 4).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from lpmech.applications.learning.classifier import LikeliestLabel
from lpmech.applications.learning.inputs import (
    blamed_on,
    encoded_labels,
    feature_matrix,
    features_as_in_fit,
    seeded_clone,
)
from lpmech.applications.learning.ledger import spent_in_all
from lpmech.applications.learning.private_classifier import in_all_columns, train_on_labels
from lpmech.applications.learning.row_priors import best_ks, label_array, sample_rr_with_priors
from lpmech.applications.learning.scikit_learn import KMeans
from lpmech.entries import Array, positive_number, whole_number
from lpmech.errors import InvalidInputError, LabelError, PrivacyLevelError
from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.mechanisms.private_histogram import distribution_of
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.randomness import RandomSource, RandomState, as_random_source

__all__ = ["LPMST", "cluster_priors"]


def cluster_priors(
    groups: object, labels: object, classes: int, epsilon: PrivacyLevel | float, random_state: RandomState = None
) -> Array:
    """A prior for every example: the private label histogram of its group.

    Parameters
    ----------
    groups : array_like of int, shape (n,)
        Group of every example; must not depend on the labels.
    labels : array_like of int, shape (n,)
        True labels 0, ..., K - 1.
    classes : int
        K.
    epsilon : float or PrivacyLevel
        Level of all histograms together for changing one label: every label is in one group, and moves two counts
        by one, so the noise is discrete Laplace with parameter epsilon / 2.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.

    Returns
    -------
    ndarray of float, shape (n, K)
        Uniform where no noisy count of the group is positive.

    Raises
    ------
    LabelError
        If a label is not one of 0, ..., K - 1.
    InvalidInputError, PrivacyLevelError
        If another argument is not usable.

    Notes
    -----
    Source: ghazi2021, Alg. 4 from line 4 on. Together with labels randomized at level epsilon' the cost is
    epsilon + epsilon'.
    """
    where, truth, source = label_array(groups, "groups"), label_array(labels, "labels"), as_random_source(random_state)
    noise = DiscreteLaplace.of_level(2, epsilon)
    whole_number(classes, "classes", 1)
    if where.ndim != 1 or where.dtype.kind not in "iu" or where.size == 0:
        raise InvalidInputError("groups", groups, "whole numbers in one dimension")
    if truth.shape != where.shape or truth.dtype.kind not in "iu" or np.any((truth < 0) | (truth >= classes)):
        raise LabelError("labels", "other labels", f"{where.size} whole numbers 0, ..., {classes - 1}")
    priors = np.empty((where.size, classes))
    for group in np.unique(where):
        members = where == group
        noisy = np.bincount(truth[members], minlength=classes) + noise.sample(classes, source)
        priors[members] = distribution_of(np.maximum(noisy, 0).astype(float))
    return priors


class LPMST(LikeliestLabel):
    """Train any classifier in stages on labels randomized by RRWithPrior; the last stage's model is the prior.

    Parameters
    ----------
    estimator : scikit-learn classifier with predict_proba
        Cloned and fitted anew in every stage, on all labels released so far; a constant classifier while these are
        all equal, as they are where the priors leave one label.
    epsilon : float
        Label-privacy level of the whole training, the prior included.
    stages : int
        T; one stage without clusters is randomized response.
    shares : sequence of float, optional
        Share of the examples in every stage, T positive numbers that sum to one; equal shares if omitted.
    temperature : float
        The model's probabilities are raised to the power 1 / temperature and normalised; above 1 they spread.
    classes : sequence, optional
        All labels, public knowledge. If omitted, the labels that occur are taken, with a warning: their set shows.
    clusters : int, optional
        If given, the first stage has priors from private histograms of this many k-means clusters of the features.
    prior_epsilon : float
        Part of epsilon for these histograms; not used without clusters.
    random_state : None, int, numpy.random.Generator or RandomState
        None for releases; a seed for experiments only, see `lpmech.randomness`.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels.
    estimator_ : classifier
        Model of the last stage; its labels are positions in `classes_`.
    released_ : ndarray, shape (n,)
        The released labels.
    released_indices_ : ndarray of int, shape (n,)
        0, ..., n - 1: every label is released.
    stage_ : ndarray of int, shape (n,)
        Stage in which each was released, 0, ..., T - 1.
    mean_sizes_ : list of float
        Mean k* of RRWithPrior in every stage.
    epsilon_ : float
        What this fit, priors and labels, and all before it spent: an upper bound, see
        `lpmech.applications.learning.ledger`.

    Notes
    -----
    Source: ghazi2021, Alg. 3 with the model M^(t-1) of the stage before, and Alg. 4 for the clusters.
    """

    def __init__(
        self,
        estimator: Any,
        epsilon: float = 1.0,
        *,
        stages: int = 2,
        shares: Sequence[float] | None = None,
        temperature: float = 1.0,
        classes: Sequence[Any] | None = None,
        clusters: int | None = None,
        prior_epsilon: float = 0.1,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.epsilon = epsilon
        self.stages = stages
        self.shares = shares
        self.temperature = temperature
        self.classes = classes
        self.clusters = clusters
        self.prior_epsilon = prior_epsilon
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> LPMST:
        """Release every label once and train.

        Raises
        ------
        InvalidInputError
            If the features are not finite numbers, the numbers of examples differ, there are fewer examples than
            stages or labels, the estimator has no predict_proba, or a parameter is not usable.
        LabelError
            If a label is not among `classes`.
        PrivacyLevelError
            If a level is not usable.
        """
        features = feature_matrix(X, self)
        source = as_random_source(self.random_state)
        rng = source.generator()
        self.classes_, labels = encoded_labels(y, self.classes, len(features))
        total = as_privacy_level(self.epsilon).epsilon
        stages = self._split(len(features), rng)
        spent, priors = self._first_priors(features, labels, total, source)
        in_all = spent_in_all(total, self.random_state)  # whatever becomes of the training
        released_at = math.nextafter(total - spent, 0.0) if spent else total
        released = np.empty(len(features), dtype=np.intp)
        self.stage_ = np.empty(len(features), dtype=np.intp)
        self.mean_sizes_ = []
        seen = np.empty(0, dtype=np.intp)
        for number, members in enumerate(stages):
            if number:
                priors[members] = self._probabilities(features[members])
            released[members] = sample_rr_with_priors(labels[members], priors[members], released_at, source)
            self.mean_sizes_.append(float(best_ks(priors[members], released_at).mean()))
            self.stage_[members] = number
            seen = np.concatenate([seen, members])
            with blamed_on(self.estimator):
                base = seeded_clone(self.estimator, rng)
                self.estimator_ = train_on_labels(base, features[seen], released[seen])
        self.released_ = self.classes_[released]
        self.released_indices_ = np.arange(len(features))
        self.epsilon_ = in_all
        return self

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of `classes_` by the last stage's model, shape (m, K)."""
        return self._columns(features_as_in_fit(X, self))

    def _columns(self, features: Array) -> Array:
        """The model's probabilities in the order of `classes_`; a label that no example got has probability 0."""
        with blamed_on(self.estimator):
            return in_all_columns(self.estimator_, features, len(self.classes_))

    def _probabilities(self, features: Array) -> Array:
        probabilities = self._columns(features)
        largest = probabilities.max(axis=1, keepdims=True)  # divided by it, no row of powers underflows to zero
        powers = (probabilities / largest) ** (1 / self.temperature)
        return powers / powers.sum(axis=1, keepdims=True)

    def _split(self, count: int, rng: np.random.Generator) -> list[Array]:
        known = hasattr(self.estimator, "predict_proba") and hasattr(self.estimator, "get_params")
        if not known or isinstance(self.estimator, type):
            raise InvalidInputError("estimator", self.estimator, "a scikit-learn classifier with predict_proba")
        if isinstance(self.stages, bool) or not isinstance(self.stages, Integral) or not 1 <= self.stages <= count:
            raise InvalidInputError("stages", self.stages, f"a whole number from 1 to the {count} examples")
        positive_number(self.temperature, "temperature")
        try:
            shares = np.full(self.stages, 1 / self.stages) if self.shares is None else np.asarray(self.shares, float)
        except (TypeError, ValueError) as exc:
            raise InvalidInputError("shares", self.shares, f"{self.stages} positive numbers that sum to one") from exc
        if shares.shape != (self.stages,) or not np.all(shares > 0) or abs(shares.sum() - 1) > 1e-9:
            raise InvalidInputError("shares", self.shares, f"{self.stages} positive numbers that sum to one")
        ends = np.round(np.cumsum(shares)[:-1] * count).astype(int)
        parts = np.split(rng.permutation(count), ends)
        if min(part.size for part in parts) == 0:
            raise InvalidInputError("shares", self.shares, f"at least one of the {count} examples for every stage")
        return parts

    def _first_priors(self, features: Array, labels: Array, total: float, source: RandomSource) -> tuple[float, Array]:
        """Budget spent on the priors of the first stage, and these."""
        size = len(self.classes_)
        if self.clusters is None:
            return 0.0, np.full((len(features), size), 1 / size)
        if (
            isinstance(self.clusters, bool)
            or not isinstance(self.clusters, Integral)
            or not 1 <= self.clusters <= len(features)
        ):
            raise InvalidInputError("clusters", self.clusters, f"a whole number from 1 to the {len(features)} examples")
        try:
            spent = as_privacy_level(self.prior_epsilon).epsilon
        except PrivacyLevelError as exc:
            raise PrivacyLevelError("prior_epsilon", self.prior_epsilon, exc.allowed) from exc
        if spent >= total:
            raise InvalidInputError("prior_epsilon", self.prior_epsilon, f"less than epsilon = {total}")
        groups = KMeans(self.clusters, n_init=1, random_state=int(source.below(2**31, 1)[0])).fit_predict(features)
        return spent, cluster_priors(groups, labels, size, spent, source)
