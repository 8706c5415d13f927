"""Fitted classifiers of scikit-learn as exact ones: linear, trees, forests and networks, behind scalers or not."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from lpmech.applications.robustness.exact import ExactClassifier, LinearClassifier
from lpmech.applications.robustness.relu import ReluClassifier
from lpmech.applications.robustness.trees import Tree, TreeEnsemble
from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.extras import needs

__all__ = ["from_estimator", "rescaled_estimator", "unnamed"]

_ALLOWED = (
    "a fitted linear classifier, tree, forest or ReLU network (MLPClassifier) of scikit-learn, one label an example"
)


def from_estimator(estimator: Any) -> ExactClassifier:
    """The structure of a fitted classifier of scikit-learn.

    Labels are indices into ``classes_``.

    Parameters
    ----------
    estimator : fitted classifier, one label an example
        LogisticRegression, RidgeClassifier, SGDClassifier, Perceptron, LinearSVC, LinearDiscriminantAnalysis;
        DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier (other ensembles of
        trees weight their members or hide features from them, so that the mean vote is not their prediction);
        MLPClassifier with ReLU.

    Raises
    ------
    InvalidInputError
        If it is anything else.
    MissingDependencyError
        If scikit-learn is not installed.
    """
    with needs("learning"):
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
        from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
        from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
        from sklearn.neural_network import MLPClassifier
        from sklearn.svm import LinearSVC
        from sklearn.tree import DecisionTreeClassifier

    linear = (LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier, LinearSVC, LinearDiscriminantAnalysis)
    if isinstance(estimator, linear) and hasattr(estimator, "coef_") and _one_label(estimator):
        weights = np.atleast_2d(estimator.coef_)  # two labels may have a flat one
        return LinearClassifier(weights, np.broadcast_to(estimator.intercept_, len(weights)))
    forests = (DecisionTreeClassifier, RandomForestClassifier, ExtraTreesClassifier)
    if isinstance(estimator, forests) and getattr(estimator, "n_outputs_", 0) == 1:
        members = getattr(estimator, "estimators_", [estimator])
        return TreeEnsemble([_leaves(member.tree_, int(member.tree_.n_features)) for member in members])
    network = isinstance(estimator, MLPClassifier) and estimator.activation == "relu"
    if network and hasattr(estimator, "coefs_") and len(estimator.classes_) > 1 and _one_label(estimator):
        return ReluClassifier([w.T for w in estimator.coefs_], list(estimator.intercepts_))
    raise InvalidInputError("estimator", estimator, _ALLOWED)


@contextmanager
def unnamed() -> Iterator[None]:
    """Where scikit-learn gets the columns it was fitted with, but as an array, and shall not warn of that."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*valid feature names", UserWarning)
        yield


def _one_label(estimator: Any) -> bool:
    """Whether a fitted classifier predicts one label an example, not a row of them."""
    with unnamed():
        return np.ndim(estimator.predict(np.zeros((1, estimator.n_features_in_)))) == 1


def rescaled_estimator(estimator: Any, low: Array, high: Array) -> ExactClassifier:
    """The structure of a fitted classifier as a function of features from 0 (low) to 1 (high).

    Parameters
    ----------
    estimator
        As for `from_estimator`, or a pipeline of StandardScaler, MinMaxScaler (without clip), MaxAbsScaler or
        RobustScaler before it.
    low, high : ndarray, shape (d,)
        low < high.

    Raises
    ------
    InvalidInputError, MissingDependencyError
        As for `from_estimator`, or if a pipeline has another step.
    """
    with needs("learning"):
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

    ends = np.stack([low, high])
    while isinstance(estimator, Pipeline):
        *scalers, (_, last) = estimator.steps
        for _, step in scalers:
            known = isinstance(step, (MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler))
            if not known or getattr(step, "clip", False):
                raise InvalidInputError("estimator", step, "scalers only, without clip, before the classifier")
            with unnamed():
                ends = np.asarray(step.transform(ends))
        estimator = last
    exact = from_estimator(estimator)
    if exact.dimension != len(low):
        raise InvalidInputError("estimator", estimator, f"a classifier of {len(low)} features")
    return exact.rescaled(ends[0], ends[1] - ends[0])


def _leaves(tree: Any, dimension: int) -> Tree:
    found: list[tuple[Array, Array, Array]] = []
    pending = [(0, np.full(dimension, -np.inf), np.full(dimension, np.inf))]
    while pending:
        node, low, high = pending.pop()
        left, right = int(tree.children_left[node]), int(tree.children_right[node])
        if left == right:  # a leaf
            found.append((low, high, np.asarray(tree.value[node][0], dtype=float)))
            continue
        feature, threshold = int(tree.feature[node]), _largest_below(float(tree.threshold[node]))
        below, above = high.copy(), low.copy()
        below[feature] = min(high[feature], threshold)
        above[feature] = max(low[feature], threshold)
        pending += [(left, low, below), (right, above, high)]
    lows, highs, votes = zip(*found, strict=True)
    return Tree(np.array(lows), np.array(highs), np.array(votes))


def _largest_below(threshold: float) -> float:
    """Up to where numbers, rounded to float32 as scikit-learn does, are at most the threshold."""
    single = np.float32(threshold)
    if float(single) > threshold:
        single = np.nextafter(single, np.float32(-np.inf))
    return (float(single) + float(np.nextafter(single, np.float32(np.inf)))) / 2
