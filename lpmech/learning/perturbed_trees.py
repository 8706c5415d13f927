"""Gradient boosting whose leaf values are released with BRR, Laplace noise or others (zhang2025 V.C).

Needs scikit-learn (the extra ``learning``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, open_probability, positive_number, whole_number
from lpmech.errors import LabelError
from lpmech.learning.inputs import feature_matrix, features_as_in_fit, generator, target_vector
from lpmech.learning.scikit_learn import BaseEstimator, ExtraTreeRegressor, RegressorMixin
from lpmech.mechanisms.continuous import as_interval
from lpmech.mechanisms.perturbation import NO_NOISE, PERTURBATIONS, leaf_sensitivity
from lpmech.privacy import as_privacy_level

__all__ = ["LEAF_MECHANISMS", "LAPLACE_FOR_LEAVES", "NO_NOISE", "PerturbedBoostingRegressor"]

#: Laplace noise for the leaf at hand, whose value one target moves by at most `leaf_sensitivity`.
LAPLACE_FOR_LEAVES = "Laplace, one target"

#: Names of the mechanisms for leaf values.
LEAF_MECHANISMS = (NO_NOISE, LAPLACE_FOR_LEAVES, *PERTURBATIONS)


class PerturbedBoostingRegressor(RegressorMixin, BaseEstimator):
    """Boosting of random trees whose clipped leaf values are released: private in the targets.

    Parameters
    ----------
    epsilon : float
        Target-privacy level of the whole training; features are public.
    mechanism : str
        One of `LEAF_MECHANISMS`. Those of `PERTURBATIONS` treat any two leaf values of [-c, c] as neighbours.
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
    random_state : int, RandomState or None
        Seed.

    Attributes
    ----------
    epsilon_ : float
        Spent; infinite without noise.
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
        rounds = whole_number(self.rounds, "rounds", 1)
        shrinkage = open_probability(self.shrinkage, "shrinkage")
        bound, smoothing = (high - low) / 2, positive_number(self.regularization, "regularization")
        if self.mechanism not in LEAF_MECHANISMS:
            raise LabelError("mechanism", self.mechanism, f"one of {', '.join(LEAF_MECHANISMS)}")
        level, rng = as_privacy_level(self.epsilon).epsilon, generator(self.random_state)
        self.trees_, self.middle_, predicted = [], (low + high) / 2, np.zeros(len(targets))
        for round_ in range(rounds):
            tree = ExtraTreeRegressor(
                max_depth=whole_number(self.depth, "depth", 1), max_features=1, random_state=int(rng.integers(2**31))
            ).fit(features, rng.random(len(features)))  # targets of no meaning: the splits are random
            leaves, clip = tree.apply(features), bound * (1 - shrinkage) ** round_
            members = np.bincount(leaves) + smoothing
            sums = np.bincount(leaves, np.clip(targets - predicted, -bound, bound))
            values = np.zeros(len(sums))
            occupied = np.unique(leaves)
            values[occupied] = self._released(
                np.clip(sums / members, -clip, clip)[occupied],
                leaf_sensitivity(bound, members[occupied] - smoothing, smoothing),
                clip,
                level / rounds,
                rng,
            )
            self.trees_.append((tree, values))
            predicted += shrinkage * values[leaves]
        self.epsilon_ = np.inf if self.mechanism == NO_NOISE else level
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

    def _released(
        self, values: Array, sensitivities: Array, clip: float, epsilon: float, rng: np.random.Generator
    ) -> Array:
        if self.mechanism == NO_NOISE:
            return values
        if self.mechanism == LAPLACE_FOR_LEAVES:
            return values + rng.laplace(scale=np.minimum(sensitivities, 2 * clip) / epsilon)
        step = 2 * Fraction(str(clip)) / whole_number(self.intervals, "intervals", 1)
        return PERTURBATIONS[self.mechanism](clip, step, epsilon).sample(values, rng)
