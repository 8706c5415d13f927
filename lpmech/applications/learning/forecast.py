"""What training on private labels, and counting them, would give: simulated releases of public or synthetic data."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import t as student

from lpmech.applications.learning.comparison import NOT_PRIVATE
from lpmech.applications.learning.inputs import check_runs
from lpmech.applications.learning.methods import METHODS
from lpmech.applications.learning.scikit_learn import DummyClassifier, LogisticRegression
from lpmech.applications.tabular import enough_examples
from lpmech.entries import Array
from lpmech.errors import PrivacyWarning
from lpmech.labels.counts import LabelCounts
from lpmech.privacy import as_privacy_level

if TYPE_CHECKING:
    from lpmech.designs.counting import CountingDesign

__all__ = ["CONSTANT", "Forecast", "SplitTrial", "counting_errors", "forecasts", "trials"]

#: The classifier that always says the most frequent label of the training data.
CONSTANT = "always one label"

_TEST_SHARE = 0.25


@dataclass(frozen=True)
class SplitTrial:
    """One method trained on one random part of the data: accuracy and mean per-class accuracy on the rest."""

    method: str
    accuracy: float
    average: float


@dataclass(frozen=True)
class Forecast:
    """Mean and half-width of the 95 % interval (Student's t over the random splits) of both accuracies."""

    method: str
    accuracy: tuple[float, float]
    average: tuple[float, float]


def trials(
    features: Array, labels: Array, epsilon: float, repeats: int, *, seed: int = 0, jobs: int = 1
) -> Iterator[SplitTrial]:
    """Train every method on the same random splits; the true labels are released in simulation only.

    Parameters
    ----------
    features, labels : ndarray, shapes (n, d) and (n,)
        Public or synthetic examples: what comes out of it depends on the true labels.
    epsilon : float
        Level of each training, the private prior included.
    repeats : int
        Number of random splits, at least 2.
    seed : int
        The first seed.
    jobs : int
        Number of processes.

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable.
    """
    check_runs(repeats, seed, jobs, least=2)
    classes = enough_examples(labels)
    level = as_privacy_level(epsilon).epsilon
    tasks = [(method, seed + i) for method in (NOT_PRIVATE, CONSTANT, *METHODS) for i in range(repeats)]
    found: Iterator[SplitTrial] = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_trial)(features, labels, classes, method, level, at) for method, at in tasks
    )
    return found


def forecasts(found: Iterable[SplitTrial]) -> list[Forecast]:
    """One forecast for each method, in the order in which they occur."""
    groups: dict[str, list[SplitTrial]] = {}
    for trial in found:
        groups.setdefault(trial.method, []).append(trial)
    return [
        Forecast(method, _interval([m.accuracy for m in members]), _interval([m.average for m in members]))
        for method, members in groups.items()
    ]


def counting_errors(labels: Array, epsilon: float) -> CountingDesign:
    """Error of the estimated shares of the labels under every mechanism that can count them."""
    from lpmech.designs.counting import design_for_counting

    names, counts = np.unique(labels, return_counts=True)
    return design_for_counting(LabelCounts(tuple(str(name) for name in names), tuple(counts.tolist())), epsilon)


def _trial(features: Array, labels: Array, classes: Array, method: str, epsilon: float, seed: int) -> SplitTrial:
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(labels))
    tested = max(1, round(_TEST_SHARE * len(labels)))
    test, train = order[:tested], order[tested:]
    centre, spread = features[train].mean(axis=0), features[train].std(axis=0)
    scaled = (features - centre) / np.where(spread > 0, spread, 1.0)
    base: Any = LogisticRegression(max_iter=300)
    model: Any = base if method == NOT_PRIVATE else DummyClassifier() if method == CONSTANT else None
    if model is None:
        made: Any = METHODS[method]
        model = made(base, epsilon, classes=classes, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PrivacyWarning)  # nothing private is here: each fit is a simulation
        right = np.asarray(model.fit(scaled[train], labels[train]).predict(scaled[test])) == labels[test]
    rates = [right[labels[test] == name].mean() for name in classes if np.any(labels[test] == name)]
    return SplitTrial(method, float(right.mean()), float(np.mean(rates)))


def _interval(values: Sequence[float]) -> tuple[float, float]:
    deviation = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return float(np.mean(values)), float(student.ppf(0.975, len(values) - 1)) * deviation
