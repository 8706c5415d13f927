"""What every fitted classifier of lpmech.applications.learning checks before it predicts or is scored."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.applications.learning.inputs import features_as_in_fit, label_positions, label_vector
from lpmech.applications.learning.ledger import OnTheBooks
from lpmech.applications.learning.scikit_learn import BaseEstimator, ClassifierMixin
from lpmech.entries import Array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.intervals import as_numbers

__all__ = ["CheckedClassifier", "LikeliestLabel"]


class CheckedClassifier(OnTheBooks, ClassifierMixin, BaseEstimator):
    """A scikit-learn classifier whose fit sets classes_ and, last, epsilon_, with typed errors for what comes later."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy.

        Raises
        ------
        LabelError
            If a label is none of `classes_`.
        InvalidInputError
            If the features are not as in fit, or the numbers of examples or weights differ.
        """
        features = features_as_in_fit(X, self)
        label_positions(label_vector(y, len(features)), self.classes_)
        if sample_weight is not None and as_numbers(sample_weight, "sample_weight").shape != (len(features),):
            raise InvalidInputError("sample_weight", sample_weight, f"{len(features)} numbers, one for each example")
        return float(super().score(X, y, sample_weight))


class LikeliestLabel(CheckedClassifier):
    """A classifier that predicts the label of largest probability."""

    def predict(self, X: Any) -> Array:
        """Label of largest probability for every row, shape (m,)."""
        columns = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[columns]
