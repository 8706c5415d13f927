"""The label-private methods on examples of one's own, or on scikit-learn's digits in the proportions of liu2026, 5.1.1.

The digits are an analogue of liu2026, Tables 3 to 6, 10 and 11, and zhao2025, Fig. 2; not the papers' data: some of
1797 images of 8 x 8 pixels in place of CIFAR-10, logistic regression in place of a deep network, 10 % of the examples
in place of 1 % for the prior.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from lpmech.applications.learning.inputs import check_runs
from lpmech.applications.learning.methods import METHODS
from lpmech.applications.learning.scikit_learn import LogisticRegression, load_digits
from lpmech.applications.tabular import Examples, enough_examples
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, LabelError, PrivacyWarning
from lpmech.privacy import as_privacy_level
from lpmech.utilities import weight_matrix

__all__ = [
    "COUNTS",
    "BLOCK_RR_SETTINGS",
    "NOT_PRIVATE",
    "Run",
    "Summary",
    "compare",
    "imbalanced_digits",
    "number_of_runs",
    "root_weighted_hit",
    "run_once",
    "stratified",
    "summarise",
]

#: Training samples per class, liu2026 section 5.1.1; here their proportions are used.
COUNTS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "digits-1": (5000, 4900, 4700, 4600, 4500, 4800, 1000, 1500, 1000, 1500),
        "digits-2": (5000, 4900, 4700, 4600, 4500, 4800, 600, 500, 700, 400),
    }
)

#: epsilon -> (sigma, l), liu2026 Tables 8 and 9; another epsilon takes those of the nearest one.
BLOCK_RR_SETTINGS: Mapping[str, Mapping[float, tuple[float, int]]] = MappingProxyType(
    {
        "digits-1": {0.6: (1.4, 6), 0.8: (1.2, 5), 1: (1.2, 5), 2: (0.8, 2), 3: (0.78, 0), 4: (0.5, 0)},
        "digits-2": {0.6: (1.2, 2), 0.8: (1.2, 6), 1: (1.2, 5), 2: (0.8, 6), 3: (0.8, 0), 4: (0.5, 0)},
    }
)

#: Name of the base estimator trained on the true labels.
NOT_PRIVATE = "true labels"

_LARGEST = 174  # examples of a class with count 5000: the rarest digit has as many, so that every proportion fits
_TEST_SHARE = 0.25


@dataclass(frozen=True)
class Run:
    """One method fitted and tested once.

    Attributes
    ----------
    method : str
        Key of `METHODS`, or `NOT_PRIVATE`.
    epsilon : float
        Label-privacy level that was asked for.
    spent : float
        Level of the training; infinite without privacy.
    accuracy : float
        Share of the test examples.
    per_class : ndarray, shape (K,)
        The same for every true label, in sorted order; their mean is `average`.
    """

    method: str
    epsilon: float
    spent: float
    accuracy: float
    per_class: Array

    @property
    def average(self) -> float:
        """Average of the per-class accuracies (liu2026, Tables 4 and 6)."""
        return float(self.per_class.mean())


@dataclass(frozen=True)
class Summary:
    """Means and standard deviations (n - 1) over the repeats of one method at one level."""

    method: str
    epsilon: float
    spent: float
    repeats: int
    accuracy: tuple[float, float]
    average: tuple[float, float]
    per_class: tuple[Array, Array]


def root_weighted_hit(prior: Array) -> Array:
    """Hits weighted by prior^(-1/2): between the hit rate (weight 1) and the average over classes (weight 1/prior)."""
    present = prior > 0
    return np.diag(np.where(present, 1 / np.sqrt(np.where(present, prior, 1.0)), 0.0))


def imbalanced_digits(dataset: str, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """A random subset of the digits in the proportions of the data set, a quarter of every class for the test.

    Parameters
    ----------
    dataset : str
        Key of `COUNTS`.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    train_features, train_labels, test_features, test_labels : ndarray
        Features are the 64 grey values divided by 16.

    Raises
    ------
    LabelError
        If there is no such data set.
    """
    features, labels = load_digits(return_X_y=True)
    train, test = [], []
    for digit, count in enumerate(_entry(COUNTS, dataset)):
        total = round(_LARGEST * count / 5000)
        members = rng.permutation(np.flatnonzero(labels == digit))[:total]
        tested = round(_TEST_SHARE * total)
        test.append(members[:tested])
        train.append(members[tested:])
    first, second = np.concatenate(train), np.concatenate(test)
    return features[first] / 16, labels[first], features[second] / 16, labels[second]


def stratified(examples: Examples, rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """A random quarter of every label for the test, at least one example; returns as `imbalanced_digits`.

    Features have mean 0 and deviation 1 on the examples for training.
    """
    train, test = [], []
    for name in np.unique(examples.labels):
        members = rng.permutation(np.flatnonzero(examples.labels == name))
        tested = max(1, round(_TEST_SHARE * len(members)))
        test.append(members[:tested])
        train.append(members[tested:])
    first, second = np.concatenate(train), np.concatenate(test)
    centre, spread = examples.features[first].mean(axis=0), examples.features[first].std(axis=0)
    scaled = (examples.features - centre) / np.where(spread > 0, spread, 1.0)
    return scaled[first], examples.labels[first], scaled[second], examples.labels[second]


def run_once(dataset: str | Examples, method: str, epsilon: float, seed: int) -> Run:
    """Fit one method on one random part of the examples and test it; the part depends on the seed only.

    Raises
    ------
    LabelError
        If there is no such data set or method.
    PrivacyLevelError
        If the level is not usable.
    """
    rng, own = np.random.default_rng(seed), isinstance(dataset, Examples)
    parts = stratified(dataset, rng) if isinstance(dataset, Examples) else imbalanced_digits(dataset, rng)
    train_features, train_labels, test_features, test_labels = parts
    classes = np.unique(test_labels)  # all labels: every one has examples for the test
    base = LogisticRegression(C=1.0 if own else 0.1, max_iter=300)
    if method == NOT_PRIVATE:
        model, spent = base.fit(train_features, train_labels), math.inf
    else:
        options = {} if isinstance(dataset, Examples) else _options(dataset, method, epsilon)
        made: Any = _entry(METHODS, method)(base, epsilon, classes=classes, random_state=seed, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PrivacyWarning)  # nothing private is here: each fit is a simulation
            model, spent = made.fit(train_features, train_labels), float(epsilon)
    right = model.predict(test_features) == test_labels
    per_class = np.array([right[test_labels == name].mean() for name in classes])
    return Run(method, epsilon, spent, float(right.mean()), per_class)


def compare(
    dataset: str | Examples,
    epsilons: Sequence[float],
    repeats: int,
    *,
    methods: Sequence[str] = (NOT_PRIVATE, *METHODS),
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[Run]:
    """Run every method at every level on the same random parts of the examples, one for each repeat.

    Parameters
    ----------
    dataset : str or Examples
        Key of `COUNTS`, or examples of one's own, on which BlockRR, BRR* and the optimum keep their default parameters:
        those for the digits are chosen for them.
    epsilons : sequence of float
        Label-privacy levels.
    repeats : int
        Number of seeds: seed, seed + 1, ...
    methods : sequence of str
        Keys of `METHODS`, or `NOT_PRIVATE`, which is run at the first level only.
    seed : int
        The first seed, not negative.
    jobs : int
        Number of processes.

    Returns
    -------
    iterator of Run
        len(epsilons) * len(methods) * repeats of them (fewer with `NOT_PRIVATE`), in this order.

    Raises
    ------
    LabelError
        If there is no such data set or method.
    InvalidInputError, PrivacyLevelError
        If there are too few examples, a label has only one, or another argument is not usable.
    """
    check_runs(repeats, seed, jobs)
    if not epsilons:
        raise InvalidInputError("epsilons", epsilons, "at least one level")
    levels = [as_privacy_level(epsilon).epsilon for epsilon in epsilons]
    if isinstance(dataset, Examples):
        names = enough_examples(dataset.labels)
        single = [str(name) for name in names if np.sum(dataset.labels == name) < 2]
        if single:
            raise InvalidInputError("data", f"one example of {', '.join(single)}", "two or more examples of each label")
    else:
        _entry(COUNTS, dataset)
    for method in methods:
        if method != NOT_PRIVATE:
            _entry(METHODS, method)
    tasks = [
        (method, epsilon, seed + repeat)
        for (position, epsilon), method, repeat in product(enumerate(levels), methods, range(repeats))
        if method != NOT_PRIVATE or position == 0
    ]
    runs: Iterator[Run] = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(run_once)(dataset, *task) for task in tasks
    )
    return runs


def number_of_runs(epsilons: Sequence[float], repeats: int) -> int:
    """How many runs `compare` yields for all methods."""
    return (len(epsilons) * len(METHODS) + 1) * repeats


def summarise(runs: Iterable[Run]) -> list[Summary]:
    """One summary for each method and level, in the order in which they occur."""
    groups: dict[tuple[str, float], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.method, run.epsilon), []).append(run)
    return [
        Summary(
            method,
            epsilon,
            max(run.spent for run in members),
            len(members),
            _mean_and_deviation([run.accuracy for run in members]),
            _mean_and_deviation([run.average for run in members]),
            _mean_and_deviation([run.per_class for run in members]),
        )
        for (method, epsilon), members in groups.items()
    ]


def _mean_and_deviation(values: Sequence[Any]) -> tuple[Any, Any]:
    table = np.asarray(values, dtype=float)
    deviation = table.std(axis=0, ddof=1) if len(table) > 1 else np.full(table.shape[1:], np.nan)
    return (table.mean(axis=0), deviation) if table.ndim > 1 else (float(table.mean()), float(deviation))


def _options(dataset: str, method: str, epsilon: float) -> dict[str, Any]:
    """Parameters of a method beyond the common ones."""
    settings = BLOCK_RR_SETTINGS[dataset]
    sigma, l = settings[min(settings, key=lambda tabulated: abs(tabulated - epsilon))]
    options: dict[str, dict[str, Any]] = {
        "BlockRR": {"sigma": sigma, "l": l},
        "BRR*": {"utility": partial(weight_matrix, sigma=sigma)},
        "optimal": {"utility": root_weighted_hit},
    }
    return options.get(method, {})


def _entry(table: Mapping[str, Any], name: str) -> Any:
    if name not in table:
        raise LabelError("dataset" if table is COUNTS else "method", name, f"one of {', '.join(table)}")
    return table[name]
