"""The synthetic experiment of zhao2025, Figs. 2 to 4: classes on a circle, k nearest neighbours, label privacy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import scipy  # its parts are loaded when they are used

from lpmech.applications.learning.label_vectors import METHODS, neighbour_means
from lpmech.entries import Array, positive_number, whole_number
from lpmech.errors import InvalidInputError
from lpmech.privacy import as_privacy_level

__all__ = [
    "CirclePoint", "CircleResult", "DEVIATIONS", "FIGURES", "FULL_SIZE", "REDUCED_SIZE", "SIZES", "bayes_accuracy",
    "circle_experiment", "circle_figure",
]  # fmt: skip

#: Number of the figure -> epsilon and k.
FIGURES: Mapping[int, tuple[float, int]] = MappingProxyType({2: (1.0, 200), 3: (2.0, 100), 4: (1.0, 100)})

#: Panel of every figure -> sigma from K.
DEVIATIONS: Mapping[str, Callable[[int], float]] = MappingProxyType(
    {"a: sigma = 0.05": lambda K: 0.05, "b: sigma = 2/K": lambda K: 2 / K}
)

#: Numbers of classes K of the recomputed figures.
SIZES = (3, 5, 10, 20, 40, 60, 80, 100)

#: Trials, and test examples in each: the paper's number of trials (it does not say how many tests), and fewer.
FULL_SIZE, REDUCED_SIZE = (1000, 1000), (20, 500)


@dataclass(frozen=True)
class CircleResult:
    """Accuracies of all methods on the same data sets.

    Attributes
    ----------
    accuracies : mapping of str to ndarray, shape (trials,)
        For "RR", "LP-2ST", "ALIBI", "vector": the accuracy of every trial.
    bayes : float
        Accuracy of the Bayes classifier (5).
    """

    accuracies: Mapping[str, Array]
    bayes: float

    def mean(self, method: str) -> float:
        """Mean accuracy over the trials."""
        return float(self.accuracies[method].mean())

    def half_width(self, method: str, level: float = 0.95) -> float:
        """Half-width of the confidence interval of the mean (Student's t)."""
        values = self.accuracies[method]
        return float(scipy.stats.t.ppf((1 + level) / 2, len(values) - 1) * scipy.stats.sem(values))

    def lead(self, method: str, level: float = 0.95) -> tuple[float, float]:
        """Confidence interval of the accuracy of "vector" minus that of `method`, paired by trial."""
        difference = self.accuracies["vector"] - self.accuracies[method]
        half = scipy.stats.t.ppf((1 + level) / 2, len(difference) - 1) * scipy.stats.sem(difference)
        return float(difference.mean() - half), float(difference.mean() + half)


def bayes_accuracy(classes: int, deviation: float) -> float:
    """Accuracy of the nearest-mean rule for K means equally spaced on the unit circle and isotropic normal noise.

    The integral over [-pi / K, pi / K] of the density of the angle of a normal vector around (1, 0), which with
    r = cos(theta) / sigma is exp(-1 / (2 sigma^2)) / (2 pi) + r Phi(r) exp(-sin(theta)^2 / (2 sigma^2)) / sqrt(2 pi).

    Raises
    ------
    InvalidInputError
        If there is no class or the deviation is not a positive finite number.
    """
    _check(classes, deviation)
    if classes == 1:
        return 1.0

    def density(angle: float) -> float:
        r = math.cos(angle) / deviation
        tail = math.exp(-1 / (2 * deviation**2)) / (2 * math.pi)
        front = math.exp(-((math.sin(angle) / deviation) ** 2) / 2) / math.sqrt(2 * math.pi)
        return tail + r * float(scipy.stats.norm.cdf(r)) * front

    return float(2 * scipy.integrate.quad(density, 0, math.pi / classes, epsabs=1e-12)[0])


def circle_experiment(
    classes: int,
    deviation: float,
    epsilon: float,
    *,
    neighbours: int = 200,
    examples: int = 10_000,
    tests: int = 1_000,
    trials: int = 1_000,
    seed: int = 0,
) -> CircleResult:
    """Train and test all four methods on fresh data in every trial.

    Parameters
    ----------
    classes : int
        K; the class means are equally spaced on the unit circle, all classes equally likely.
    deviation : float
        Standard deviation sigma of both coordinates.
    epsilon : float
        Level of label privacy.
    neighbours, examples, trials : int
        k, N and the number of repetitions; the defaults are the paper's.
    tests : int
        Test examples in each trial (the paper does not say how many).
    seed : int
        Seed of the whole experiment.

    Returns
    -------
    CircleResult

    Raises
    ------
    InvalidInputError, PrivacyLevelError
        If an argument is not usable: k above N / 2 leaves too few examples for the first stage of LP-2ST.

    Notes
    -----
    Source: zhao2025, section 5.1 and App. A.
    """
    _check(classes, deviation)
    as_privacy_level(epsilon)
    _check_size(neighbours, examples, tests, trials, seed)
    rng = np.random.default_rng(seed)
    accuracies: dict[str, list[float]] = {name: [] for name in METHODS}
    for _ in range(trials):
        features, labels = _draw(classes, deviation, examples, rng)
        queries, truth = _draw(classes, deviation, tests, rng)
        targets = [make(features, labels, classes, epsilon, neighbours, rng) for make in METHODS.values()]
        means = neighbour_means(features, np.hstack(targets), queries, neighbours)
        for name, scores in zip(METHODS, np.hsplit(means, len(METHODS)), strict=True):
            accuracies[name].append(float(np.mean(np.argmax(scores, axis=1) == truth)))
    return CircleResult({n: np.array(v) for n, v in accuracies.items()}, bayes_accuracy(classes, deviation))


@dataclass(frozen=True)
class CirclePoint:
    """One number of classes in one panel of a figure.

    Attributes
    ----------
    panel : str
        Key of `DEVIATIONS`.
    classes : int
        K.
    deviation : float
        sigma.
    result : CircleResult
        Accuracies of all methods.
    """

    panel: str
    classes: int
    deviation: float
    result: CircleResult


def circle_figure(
    figure: int,
    sizes: Sequence[int] = SIZES,
    *,
    trials: int = REDUCED_SIZE[0],
    tests: int = REDUCED_SIZE[1],
    examples: int = 10_000,
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[CirclePoint]:
    """Every point of one figure, both panels, by `circle_experiment` with the same seed.

    Parameters
    ----------
    figure : int
        Key of `FIGURES`.
    sizes : sequence of int
        Numbers of classes K.
    trials, tests : int
        `FULL_SIZE` are the paper's (hours), `REDUCED_SIZE` take minutes.
    examples, seed
        As for `circle_experiment`.
    jobs : int
        Number of processes.

    Returns
    -------
    iterator of CirclePoint
        Two for each size, panel by panel.

    Raises
    ------
    InvalidInputError
        If there is no such figure or an argument is not usable.
    """
    if figure not in FIGURES:
        raise InvalidInputError("figure", figure, f"one of {', '.join(map(str, FIGURES))}")
    if not sizes:
        raise InvalidInputError("sizes", sizes, "at least one number of classes")
    epsilon, neighbours = FIGURES[figure]
    for classes in sizes:
        whole_number(classes, "classes", 2)
    whole_number(jobs, "jobs", 1)
    _check_size(neighbours, examples, tests, trials, seed)
    tasks = [(panel, classes, deviation(classes)) for panel, deviation in DEVIATIONS.items() for classes in sizes]
    options = {"neighbours": neighbours, "examples": examples, "tests": tests, "trials": trials, "seed": seed}
    from joblib import Parallel, delayed

    results = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(circle_experiment)(classes, deviation, epsilon, **options) for _, classes, deviation in tasks
    )
    return (CirclePoint(*task, result) for task, result in zip(tasks, results, strict=True))


def _check_size(neighbours: int, examples: int, tests: int, trials: int, seed: int) -> None:
    least = {"examples": (examples, 2), "tests": (tests, 1), "trials": (trials, 2), "seed": (seed, 0)}
    for name, (value, smallest) in least.items():
        whole_number(value, name, smallest)
    whole_number(neighbours, "neighbours", 1, examples // 2)


def _draw(classes: int, deviation: float, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    labels = rng.integers(0, classes, size=count)
    angles = 2 * np.pi * labels / classes
    centres = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return centres + deviation * rng.standard_normal((count, 2)), labels


def _check(classes: int, deviation: float) -> None:
    whole_number(classes, "classes", 1)
    positive_number(deviation, "deviation")
