"""A data set of scikit-learn as the population, and the least risk on it, certified."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.special import logsumexp, softmax

from lpmech.applications.learning.scikit_learn import load_breast_cancer, load_iris, load_wine
from lpmech.applications.learning.sgd_formulas import LIPSCHITZ
from lpmech.entries import Array, positive_number
from lpmech.errors import LabelError, SolverError
from lpmech.extras import needs

__all__ = ["DATASETS", "Population", "population"]


#: Data sets by name.
DATASETS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"wine": load_wine, "iris": load_iris, "breast-cancer": load_breast_cancer}
)


_GAP = 1e-8


@dataclass(frozen=True)
class Population:
    """A finite population and the least risk in the ball of weights.

    Attributes
    ----------
    features : ndarray, shape (N, d)
        Every row standardised, then scaled to norm 1.
    labels : ndarray of int, shape (N,)
        0, ..., K - 1.
    radius : float
        R; the weights W, shape (K, d), have Frobenius norm at most R.
    minimiser : ndarray, shape (K, d)
        Weights of risk at most `minimum` + `gap`.
    minimum : float
        Certified lower bound on the risk of all weights in the ball: by convexity the risk at V is at least
        f(W) - <f'(W), W> - R ||f'(W)||.
    gap : float
        Risk of the minimiser minus `minimum`, below 1e-8.
    """

    features: Array
    labels: Array
    radius: float
    minimiser: Array
    minimum: float
    gap: float

    @property
    def classes(self) -> int:
        """K."""
        return int(self.labels.max()) + 1

    @property
    def ceiling(self) -> float:
        """D L: no weights in the ball have a larger excess risk, so that a bound above it says nothing."""
        return 2 * self.radius * LIPSCHITZ

    def risk(self, weights: Array) -> float:
        """Mean logistic loss of the weights, shape (K, d), over the population."""
        return _risk(weights, self.features, self.labels)

    def sample(self, size: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Features and labels of `size` independent draws with replacement."""
        drawn = rng.integers(len(self.labels), size=size)
        return self.features[drawn], self.labels[drawn]


def population(dataset: str, radius: float = 2.0) -> Population:
    """A data set of scikit-learn as population, with the least risk in the ball.

    Parameters
    ----------
    dataset : str
        Key of `DATASETS`.
    radius : float
        R, half of the diameter D.

    Returns
    -------
    Population

    Raises
    ------
    LabelError
        If there is no such data set.
    InvalidInputError
        If the radius is not a positive finite number.
    SolverError
        If the minimum could not be certified to 1e-8.
    """
    if dataset not in DATASETS:
        raise LabelError("dataset", dataset, f"one of {', '.join(DATASETS)}")
    positive_number(radius, "radius")
    raw, labels = DATASETS[dataset](return_X_y=True)
    standard = (raw - raw.mean(axis=0)) / raw.std(axis=0)
    features = standard / np.linalg.norm(standard, axis=1, keepdims=True)
    minimiser = _best_weights(features, labels, radius)
    residuals = softmax(features @ minimiser.T, axis=1) - np.eye(len(minimiser))[labels]
    gradient = residuals.T @ features / len(labels)
    gap = float(np.sum(gradient * minimiser) + radius * np.linalg.norm(gradient))
    if not gap <= _GAP:
        raise SolverError(f"least risk on {dataset} known to {gap:.1e} only, not to {_GAP:g}")
    return Population(features, labels, radius, minimiser, _risk(minimiser, features, labels) - gap, gap)


def _best_weights(features: Array, labels: Array, radius: float) -> Array:
    with needs("programs"):
        import cvxpy as cp

    hits = np.eye(int(labels.max()) + 1)[labels]
    weights = cp.Variable((hits.shape[1], features.shape[1]))
    scores = features @ weights.T
    loss = cp.sum(cp.log_sum_exp(scores, axis=1)) - cp.sum(cp.multiply(hits, scores))
    cp.Problem(cp.Minimize(loss / len(labels)), [cp.norm(weights, "fro") <= radius]).solve(solver=cp.CLARABEL)
    if weights.value is None:
        raise SolverError("no weights of least risk found")
    found: Array = weights.value
    return found * min(1.0, radius / float(np.linalg.norm(found)))


def _risk(weights: Array, features: Array, labels: Array) -> float:
    scores = features @ weights.T
    return float(np.mean(logsumexp(scores, axis=1) - scores[np.arange(len(labels)), labels]))
