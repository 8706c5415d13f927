"""The label-private methods of the papers behind one interface: `METHODS`, classifiers by name.

Every one is made from a base estimator, epsilon, and the keywords classes and random_state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from lpmech.applications.learning.block_rr import block_rr_from_estimate
from lpmech.applications.learning.multi_stage import LPMST
from lpmech.applications.learning.private_classifier import (
    LabelPrivateClassifier,
    PriorChannelClassifier,
    Released,
    require_methods,
    train_on_posteriors,
    train_on_vectors,
)
from lpmech.applications.learning.scikit_learn import has_fit_parameter
from lpmech.channel import Channel
from lpmech.entries import Array, as_array
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.mechanisms.alibi import AlibiOnGrid
from lpmech.mechanisms.bipartite_rr import bipartite_rr_star
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.mechanisms.unary_encoding import symmetric_unary_encoding
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.randomness import RandomSource
from lpmech.utilities import hit

__all__ = [
    "METHODS",
    "RRClassifier",
    "RRWithPriorClassifier",
    "BlockRRClassifier",
    "BRRStarClassifier",
    "OptimalClassifier",
    "VectorClassifier",
    "AlibiClassifier",
]

#: A utility matrix, shape (K, K), or a function that makes one from the estimated prior.
Utility = Array | Callable[[Array], Array]


class RRClassifier(LabelPrivateClassifier):
    """Labels by randomized response; parameters and attributes of `LabelPrivateClassifier`.

    Notes
    -----
    Source: ghazi2021, eq. (1).
    """

    def _release(self, labels: Array, level: PrivacyLevel, source: RandomSource) -> Released:
        channel = randomized_response(len(self.classes_), level).exact(level)
        return Released(np.arange(len(labels)), channel.sample(labels, source))


class RRWithPriorClassifier(PriorChannelClassifier):
    """Labels by RRWithPrior at one prior for all examples; parameters and attributes of `PriorChannelClassifier`.

    Notes
    -----
    Source: ghazi2021, Alg. 2, with the prior of liu2026, section 5.1.2. LP-MST has a prior for every example.
    """

    def _channel(self, prior: Array, level: PrivacyLevel) -> Channel:
        return rr_with_prior(prior, level)


class BlockRRClassifier(PriorChannelClassifier):
    """Labels by BlockRR.

    Parameters
    ----------
    estimator, epsilon, prior_fraction, classes, random_state
        As in `PriorChannelClassifier`.
    sigma : float
        Hyperparameter of the partition (3.3).
    l : int
        |Delta|; if the partition leaves fewer than l labels in S~1, all of them are taken.

    Notes
    -----
    Source: liu2026, Alg. 2.
    """

    def __init__(
        self,
        estimator: Any,
        epsilon: float = 1.0,
        *,
        sigma: float = 1.2,
        l: int = 5,
        prior_fraction: float = 0.1,
        classes: Sequence[Any] | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(estimator, epsilon, prior_fraction=prior_fraction, classes=classes, random_state=random_state)
        self.sigma = sigma
        self.l = l

    def _channel(self, prior: Array, level: PrivacyLevel) -> Channel:
        return block_rr_from_estimate(prior, level, self.sigma, self.l)[0]


class _UtilityClassifier(PriorChannelClassifier):
    """A channel for the estimated prior and a utility.

    Parameters
    ----------
    estimator, epsilon, prior_fraction, classes, random_state
        As in `PriorChannelClassifier`.
    utility : array_like of shape (K, K) or callable, optional
        Larger is better; rows and columns in the order of `classes_`. A function is called with the estimated
        prior. The hit rate if omitted.
    """

    def __init__(
        self,
        estimator: Any,
        epsilon: float = 1.0,
        *,
        utility: Utility | None = None,
        prior_fraction: float = 0.1,
        classes: Sequence[Any] | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(estimator, epsilon, prior_fraction=prior_fraction, classes=classes, random_state=random_state)
        self.utility = utility

    def _gain(self, prior: Array) -> Array:
        size = len(prior)
        utility = hit(size) if self.utility is None else self.utility
        found = utility(prior) if callable(utility) else utility
        gain = as_array(found, "utility", 2, UtilityError, (self.classes_.tolist(),) * 2)
        if gain.shape != (size, size):
            raise UtilityError("utility", f"shape {gain.shape}", f"shape {(size, size)}")
        return gain


class BRRStarClassifier(_UtilityClassifier):
    """Labels by BRR* for a utility; randomized response if the utility is the hit rate.

    Notes
    -----
    Source: zhang2025, Alg. 3, with the prior of liu2026, Alg. 2.
    """

    def _channel(self, prior: Array, level: PrivacyLevel) -> Channel:
        return bipartite_rr_star(self._gain(prior), level, prior)


class OptimalClassifier(_UtilityClassifier):
    """Labels by the channel that maximises the expected utility under the estimated prior.

    For the hit rate it loses as little as RRWithPrior (ghazi2021, Theorem 3). See `lpmech.programs.optimal_channel`.
    """

    def _channel(self, prior: Array, level: PrivacyLevel) -> Channel:
        return optimal_channel(self._gain(prior), level, prior).solve().channel


class VectorClassifier(LabelPrivateClassifier):
    """Vector approximation: K bits for every label, a binary classifier for each, the likeliest bit is predicted.

    Parameters and attributes of `LabelPrivateClassifier`; the estimator needs predict_proba.

    Notes
    -----
    Source: zhao2025, (12) and (13). Debiasing the K probabilities does not change which is largest.
    """

    def _release(self, labels: Array, level: PrivacyLevel, source: RandomSource) -> Released:
        encoding = symmetric_unary_encoding(len(self.classes_), level).exact(level)
        return Released(np.arange(len(labels)), encoding.sample(labels, source))

    def _require_usable(self, estimator: Any) -> None:
        require_methods(estimator, "fit", "predict_proba")

    def _train(self, estimator: Any, features: Array, released: Array) -> Any:
        return train_on_vectors(estimator, features, released)

    def _positions(self, features: Array) -> Array:
        return np.argmax(self.estimator_.predict_proba(features), axis=1)

    def _probabilities(self, features: Array) -> Array:
        """The bits' probabilities, debiased, cut at zero and normalised; uniform where none is left."""
        encoding = symmetric_unary_encoding(len(self.classes_), self.epsilon)
        p, q = float(encoding.p), float(encoding.q)
        shares = np.maximum((self.estimator_.predict_proba(features) - q) / (p - q), 0.0)
        totals = shares.sum(axis=1, keepdims=True)
        return np.where(totals > 0, shares / np.where(totals > 0, totals, 1.0), 1 / len(self.classes_))


class AlibiClassifier(LabelPrivateClassifier):
    """ALIBI, repaired (`AlibiOnGrid`): noise on the one-hot label; the posterior for the uniform prior weights labels.

    Parameters and attributes of `LabelPrivateClassifier`; the estimator's fit needs sample_weight.

    Notes
    -----
    Source: zhao2025, App. B.2.
    """

    def _require_usable(self, estimator: Any) -> None:
        super()._require_usable(estimator)
        if not has_fit_parameter(estimator, "sample_weight"):
            raise InvalidInputError("estimator", estimator, "a classifier whose fit takes sample_weight")

    def _release(self, labels: Array, level: PrivacyLevel, source: RandomSource) -> Released:
        mechanism = AlibiOnGrid(len(self.classes_), level)
        return Released(np.arange(len(labels)), mechanism.posterior(mechanism.sample(labels, source)))

    def _train(self, estimator: Any, features: Array, released: Array) -> Any:
        return train_on_posteriors(estimator, features, released)


#: The methods by the names of the papers.
METHODS: Mapping[str, type] = MappingProxyType(
    {
        "RR": RRClassifier,
        "RRWithPrior": RRWithPriorClassifier,
        "LP-MST": LPMST,
        "BlockRR": BlockRRClassifier,
        "BRR*": BRRStarClassifier,
        "optimal": OptimalClassifier,
        "vector": VectorClassifier,
        "ALIBI": AlibiClassifier,
    }
)
