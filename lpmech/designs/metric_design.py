"""The best metric-private channel for label counts, beside what else keeps that privacy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from lpmech.channel import Channel
from lpmech.designs.comparing import Comparison, best_constant, compared_with, solved_with_rows
from lpmech.designs.designing import utility_of
from lpmech.entries import Array, to_float
from lpmech.errors import ProgramError
from lpmech.labels.counts import LabelCounts, Labels, as_label_counts
from lpmech.mechanisms.geometric import geometric
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.hit_floors import floor_of
from lpmech.programs.linear import LinearSolution
from lpmech.programs.metric import METRICS, metric_channel, metric_of
from lpmech.programs.uncertain_priors import PriorSet
from lpmech.tables import read_utility

__all__ = ["MetricDesign", "design_for_metric"]

#: Metrics that depend on the order of the labels.
_ORDERED = ("line", "ring", "grid", "hamming")


@dataclass(frozen=True)
class MetricDesign:
    """The best metric-private channel, and others.

    Attributes
    ----------
    labels : tuple of str
    level : PrivacyLevel
        Of labels at distance 1.
    utility_name, metric_name : str
    solution : LinearSolution
        The optimum with its proof.
    comparisons : tuple of Comparison
        The first is ``optimal``; the others, all private for the metric at this level, by falling expected utility.
    utility : ndarray, shape (K, K)
    priors : PriorSet, optional
        The priors of which the worst counts; the solution is about that, expected utilities are for the counts, and the
        second comparison is ``optimal_for_the_prior``.
    floor : Fraction, optional
        The least hit rate of every label, if one was asked for; then ``optimal_without_floor`` is compared, too.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    utility_name: str
    metric_name: str
    solution: LinearSolution
    comparisons: tuple[Comparison, ...]
    utility: Array
    priors: PriorSet | None = None
    floor: Fraction | None = None


def design_for_metric(
    counts: Labels,
    epsilon: PrivacyLevel | float,
    metric: object,
    utility: object = "hit",
    priors: PriorSet | None = None,
    hit_floor: object = None,
) -> MetricDesign:
    """Find the best channel for label counts under which labels at distance d differ by at most e^(epsilon d).

    Parameters
    ----------
    counts, utility
        As for `lpmech.design`; counts are taken for public.
    epsilon : float or PrivacyLevel
        Privacy of labels at distance 1.
    metric : str or array_like, shape (K, K)
        A name of `lpmech.programs.metric.METRICS`, a CSV file with distances (like one with a utility), or distances.
    priors, hit_floor : optional
        As for `lpmech.design`: the best channel for the worst of them is found, and of those that keep the floor.

    Raises
    ------
    PrivacyLevelError, LabelError, DataFileError, UtilityError
        If an argument is not usable.
    ProgramError
        If the distances are no metric, or too small for this level, or a named one needs an order of the labels that
        nobody has given, or a floor is none that all labels can have.
    PriorError
        If the set of priors is on another number of labels.
    """
    counts, level = as_label_counts(counts), as_privacy_level(epsilon)
    name, distances = _distances(metric, counts)
    utility_name, gain = utility_of(utility, counts, level)
    prior, rows, size = counts.prior, sum(counts.counts), len(counts.labels)
    program = partial(metric_channel, gain, level, distances, names=counts.labels)
    solution, first = solved_with_rows(program, gain, prior, rows, priors, hit_floor)
    optimum = first[-1].expected_utility
    label = best_constant(gain, prior)
    nearest = min((value for value in distances.ravel().tolist() if value), default=1)
    found = {
        f"always {counts.labels[label]}": np.eye(size, dtype=int)[[label] * size],
        "exponential": _exponential(level.epsilon, to_float(distances)),
        "randomized_response": randomized_response(size, level.epsilon * float(nearest)).matrix,
    }
    if name == "line":
        found["geometric"] = geometric(size, level).matrix
    others = [
        compared_with(key, "", Channel(matrix, counts.labels, counts.labels), gain, prior, optimum, rows)
        for key, matrix in found.items()
    ]
    compared = (*first, *sorted(others, key=lambda entry: -entry.expected_utility))
    floor = floor_of(solution.program)
    return MetricDesign(counts.labels, level, utility_name, name, solution, compared, gain, priors, floor)


def _distances(metric: object, counts: LabelCounts) -> tuple[str, Array]:
    size = len(counts.labels)
    if not isinstance(metric, (str, Path)):
        return "given", metric_of(metric, size, counts.labels)
    text = str(metric)
    named = text.partition(":")[0] in {name.partition(":")[0] for name in METRICS}
    if not named:
        otherwise = f"{', '.join(METRICS)}, or "
        distances = read_utility(text, counts.labels, "metric", ProgramError, otherwise)
        return Path(text).name, metric_of(distances, size, counts.labels)
    if text.partition(":")[0] in _ORDERED and counts.order == "alphabetical":
        raise ProgramError("metric", text, "labels in an order (--order), or a file with the distances")
    return text, metric_of(text, size)


def _exponential(epsilon: float, distances: Array) -> Array:
    """Release z in proportion to e^(-epsilon d(y, z) / 2): metric-private, as sums differ by half at most, too."""
    powers = np.exp(-epsilon * distances / 2)
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
