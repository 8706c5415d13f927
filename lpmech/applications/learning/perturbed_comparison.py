"""BRR against Laplace and the others in SGD and in boosted trees, on data that scikit-learn ships (zhang2025 V.C, V.D).

An analogue of zhang2025, Figs. 6 and 7; not the papers' data or models: the breast cancer and diabetes data in place
of MNIST and of abalone, bias and superconduct, logistic regression in place of a network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

import numpy as np
from joblib import Parallel, delayed

from lpmech.applications.learning.perturbed_sgd import GRADIENT_MECHANISMS, PerturbedSGDClassifier
from lpmech.applications.learning.perturbed_trees import LEAF_MECHANISMS, PerturbedBoostingRegressor
from lpmech.applications.learning.scikit_learn import load_breast_cancer, load_diabetes
from lpmech.entries import Array, whole_number
from lpmech.errors import InvalidInputError, LabelError
from lpmech.privacy import as_privacy_level

__all__ = ["TASKS", "Task", "Score", "ScoreSummary", "compare_perturbations", "scores", "score_once"]

_TEST_SHARE = 0.25


@dataclass(frozen=True)
class Task:
    """One way to use a mechanism for numbers in training.

    Attributes
    ----------
    title : str
        What is trained on what.
    unit : str
        What the score is.
    digits : int
        After the decimal point, for tables.
    mechanisms : tuple of str
        Names of the mechanisms.
    score : callable
        From (mechanism, epsilon, seed) the score on the test set.
    """

    title: str
    unit: str
    digits: int
    mechanisms: tuple[str, ...]
    score: Callable[[str, float, int], float]


@dataclass(frozen=True)
class Score:
    """One mechanism trained and tested once."""

    mechanism: str
    epsilon: float
    value: float


@dataclass(frozen=True)
class ScoreSummary:
    """Mean and standard deviation (n - 1; nan for one repeat) of the scores of one mechanism at one level."""

    mechanism: str
    epsilon: float
    repeats: int
    mean: float
    deviation: float


def _sgd(mechanism: str, epsilon: float, seed: int) -> float:
    """Accuracy of logistic regression on the breast cancer data, features scaled to [-1, 1] by their ranges.

    The ranges are those of all examples and taken as public, as are the bounds of the targets of `_trees`.
    """
    features, labels = load_breast_cancer(return_X_y=True)
    low, high = features.min(axis=0), features.max(axis=0)
    train, test = _split(len(labels), seed)
    scaled = 2 * (features - low) / (high - low) - 1
    model = PerturbedSGDClassifier(
        epsilon, mechanism=mechanism, clip=0.5, batch_size=16, classes=(0, 1), random_state=seed
    ).fit(scaled[train], labels[train])
    return model.score(scaled[test], labels[test])


def _trees(mechanism: str, epsilon: float, seed: int) -> float:
    """Root mean square error of five boosted trees on the diabetes data, whose targets range from 25 to 346."""
    features, targets = load_diabetes(return_X_y=True)
    train, test = _split(len(targets), seed)
    model = PerturbedBoostingRegressor(
        epsilon, mechanism=mechanism, target_range=(25, 346), rounds=5, random_state=seed
    ).fit(features[train], targets[train])
    return float(np.sqrt(np.mean((model.predict(features[test]) - targets[test]) ** 2)))


def _split(count: int, seed: int) -> tuple[Array, Array]:
    order = np.random.default_rng(seed).permutation(count)
    tested = round(_TEST_SHARE * count)
    return order[tested:], order[:tested]


#: What the mechanisms are compared at.
TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "sgd": Task("breast cancer, logistic regression by SGD", "test accuracy", 3, GRADIENT_MECHANISMS, _sgd),
        "trees": Task("diabetes, five boosted trees", "test root mean square error", 1, LEAF_MECHANISMS, _trees),
    }
)


def score_once(task: str, mechanism: str, epsilon: float, seed: int) -> Score:
    """Train and test one mechanism; the split depends on the seed only.

    Raises
    ------
    LabelError
        If there is no such task or mechanism.
    PrivacyLevelError
        If the level is not usable.
    """
    return Score(mechanism, epsilon, _task(task).score(mechanism, epsilon, seed))


def compare_perturbations(
    task: str, epsilons: Sequence[float], repeats: int, *, seed: int = 0, jobs: int = 1
) -> Iterator[Score]:
    """Every mechanism at every level on the same random splits, one for each repeat.

    Parameters
    ----------
    task : str
        Key of `TASKS`.
    epsilons : sequence of float
        Levels of the whole training.
    repeats : int
        Number of seeds: seed, seed + 1, ...
    seed : int
        The first seed; none may be negative or exceed 2^32 - 1.
    jobs : int
        Number of processes.

    Returns
    -------
    iterator of Score
        By level, then mechanism, then seed.

    Raises
    ------
    LabelError
        If there is no such task.
    InvalidInputError, PrivacyLevelError
        If another argument is not usable.
    """
    mechanisms = _task(task).mechanisms
    count, first = whole_number(repeats, "repeats", 1), whole_number(seed, "seed", 0)
    whole_number(first + count - 1, "seed", 0, 2**32 - 1)  # scikit-learn's limit
    if len(epsilons) == 0:
        raise InvalidInputError("epsilons", epsilons, "at least one level")
    levels = [as_privacy_level(epsilon).epsilon for epsilon in epsilons]
    runs: Iterator[Score] = Parallel(n_jobs=whole_number(jobs, "jobs", 1), return_as="generator")(
        delayed(score_once)(task, mechanism, epsilon, s)
        for epsilon, mechanism, s in product(levels, mechanisms, range(first, first + count))
    )
    return runs


def scores(runs: Iterable[Score]) -> list[ScoreSummary]:
    """One summary for each mechanism and level, in the order in which they occur."""
    groups: dict[tuple[str, float], list[float]] = {}
    for run in runs:
        groups.setdefault((run.mechanism, run.epsilon), []).append(run.value)
    return [
        ScoreSummary(
            mechanism,
            epsilon,
            len(values),
            float(np.mean(values)),
            float(np.std(values, ddof=1)) if len(values) > 1 else np.nan,
        )
        for (mechanism, epsilon), values in groups.items()
    ]


def _task(name: str) -> Task:
    if name not in TASKS:
        raise LabelError("task", name, f"one of {', '.join(TASKS)}")
    return TASKS[name]
