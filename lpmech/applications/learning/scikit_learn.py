"""The parts of scikit-learn that lpmech.applications.learning uses, or one typed error that says how to install it."""

from __future__ import annotations

from lpmech.extras import needs

with needs("learning"):
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone, is_classifier
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.tree import ExtraTreeRegressor
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "DummyClassifier",
    "ExtraTreeRegressor",
    "KMeans",
    "LogisticRegression",
    "OneVsRestClassifier",
    "RegressorMixin",
    "available_if",
    "check_classification_targets",
    "check_is_fitted",
    "clone",
    "has_fit_parameter",
    "is_classifier",
    "load_breast_cancer",
    "load_diabetes",
    "load_digits",
    "load_iris",
    "load_wine",
    "validate_data",
]
