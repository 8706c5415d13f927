"""Gradient boosting whose leaf values are released with BRR, Laplace noise or others (zhang2025 V.C).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lpmech.applications.learning.inputs import feature_matrix, features_as_in_fit, target_vector
from lpmech.applications.learning.ledger import OnTheBooks, spent_in_all
from lpmech.applications.learning.perturbed_sgd import STEPS
from lpmech.applications.learning.scikit_learn import BaseEstimator, ExtraTreeRegressor, RegressorMixin
from lpmech.entries import Array, open_probability, positive_number, whole_number
from lpmech.errors import LabelError
from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.mechanisms.intervals import as_interval
from lpmech.mechanisms.perturbation import NO_NOISE, PERTURBATIONS, leaf_sensitivity, releasable
from lpmech.privacy import as_privacy_level
from lpmech.randomness import RandomSource, as_random_source

__all__ = ["LEAF_MECHANISMS", "LAPLACE_FOR_LEAVES", "NO_NOISE", "PerturbedBoostingRegressor"]

#: Laplace noise for the leaf at hand, whose value one target moves by at most `leaf_sensitivity`.
LAPLACE_FOR_LEAVES = "Laplace, one target"

#: Names of the mechanisms for leaf values.
LEAF_MECHANISMS = (NO_NOISE, LAPLACE_FOR_LEAVES, *PERTURBATIONS)


class PerturbedBoostingRegressor(OnTheBooks, RegressorMixin, BaseEstimator):
    """Boosting of random trees whose clipped leaf values are released: private in the targets.

    Parameters
    ----------
    epsilon : float
        Target-privacy level of the whole training; features are public.
    mechanism : str
        One of `LEAF_MECHANISMS`, drawn exactly: those of `PERTURBATIONS` from exact channels (`releasable`), treating
        any two leaf values of [-c, c] as neighbours, the other from discrete Laplace noise on a grid of `STEPS`.
    target_range : (float, float)
        Public bounds; targets outside are clipped to them.
    rounds : int
        Number of trees; each has epsilon / rounds, since a target lies in one leaf of each.
    depth : int
        Of the trees.
    intervals : int
        2 c / L: the grid of the discrete mechanisms has one point more.
    shrinkage : float
        Factor of every tree, below 1; leaf values of round r are clipped to c = g (1 - shrinkage)^(r - 1), where g is
        half the range.
    regularization : float
        lambda.
    random_state : None, int, numpy.random.Generator or RandomState
        None for releases; a seed for experiments only, see `lpmech.randomness`.

    Attributes
    ----------
    released_indices_ : ndarray of int, shape (n,)
        0, ..., n - 1: every target is used.
    epsilon_ : float
        What this fit and all before it spent: an upper bound, see `lpmech.applications.learning.ledger`. Infinite
        without noise.
    trees_ : list of (tree, ndarray)
        Every tree with the released value of every node that is a leaf.

    Notes
    -----
    Source: zhang2025, section V.C, on the algorithm of Li et al., DPBoost (2020). The splits are drawn at random from
    the features, where DPBoost spends half of the budget on choosing them; a target is protected, not a row.
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        *,
        mechanism: str = "BRR",
        target_range: tuple[float, float] = (-1.0, 1.0),
        rounds: int = 10,
        depth: int = 3,
        intervals: int = 20,
        shrinkage: float = 0.3,
        regularization: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.epsilon = epsilon
        self.mechanism = mechanism
        self.target_range = target_range
        self.rounds = rounds
        self.depth = depth
        self.intervals = intervals
        self.shrinkage = shrinkage
        self.regularization = regularization
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Any:
        """One tree for every round.

        Raises
        ------
        InvalidInputError, LabelError, PrivacyLevelError
            If an argument or a parameter is not usable.
        """
        features = feature_matrix(X, self)
        low, high = as_interval(self.target_range, "target_range")
        targets = np.clip(target_vector(y, len(features)), low, high) - (low + high) / 2
        rounds, depth = whole_number(self.rounds, "rounds", 1), whole_number(self.depth, "depth", 1)
        shrinkage = open_probability(self.shrinkage, "shrinkage")
        bound, smoothing = (high - low) / 2, positive_number(self.regularization, "regularization")
        if self.mechanism not in LEAF_MECHANISMS:
            raise LabelError("mechanism", self.mechanism, f"one of {', '.join(LEAF_MECHANISMS)}")
        level, source = as_privacy_level(self.epsilon), as_random_source(self.random_state)
        rng, release = source.generator(), self._release(level.share(rounds))
        spent = np.inf if self.mechanism == NO_NOISE else level.epsilon
        in_all = spent_in_all(spent, self.random_state)
        self.trees_, self.middle_, predicted = [], (low + high) / 2, np.zeros(len(targets))
        for round_ in range(rounds):
            tree = ExtraTreeRegressor(max_depth=depth, max_features=1, random_state=int(rng.integers(2**31))).fit(
                features, rng.random(len(features))
            )  # targets of no meaning: the splits are random
            leaves, clip = tree.apply(features), bound * (1 - shrinkage) ** round_
            members = np.bincount(leaves) + smoothing
            sums = np.bincount(leaves, np.clip(targets - predicted, -bound, bound))
            values = np.zeros(len(sums))
            occupied = np.unique(leaves)
            sensitivities = leaf_sensitivity(bound, members[occupied] - smoothing, smoothing)
            values[occupied] = release(np.clip(sums / members, -clip, clip)[occupied], sensitivities, clip, source)
            self.trees_.append((tree, values))
            predicted += shrinkage * values[leaves]
        self.released_indices_ = np.arange(len(features))
        self.epsilon_ = in_all
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets, shape (m,).

        Raises
        ------
        InvalidInputError
            If the features are not as in fit.
        """
        features = features_as_in_fit(X, self)
        total = sum((values[tree.apply(features)] for tree, values in self.trees_), np.zeros(len(features)))
        return self.middle_ + self.shrinkage * total

    def _release(self, epsilon: float) -> Callable[[Array, Array, float, RandomSource], Array]:
        """From values of [-c, c], how far one target moves each, c, and a source: the released values."""
        if self.mechanism == NO_NOISE:
            return lambda values, sensitivities, clip, source: values
        if self.mechanism == LAPLACE_FOR_LEAVES:
            noise = DiscreteLaplace.of_level(STEPS + 1, epsilon)

            def noisy(values: Array, sensitivities: Array, clip: float, source: RandomSource) -> Array:
                steps = np.minimum(sensitivities, 2 * clip) / STEPS
                return steps * (np.rint(values / steps) + noise.sample(values.size, source))

            return noisy
        points = releasable(self.mechanism, self.intervals, epsilon)
        return lambda values, sensitivities, clip, source: clip * points.sample(values / clip, source)
