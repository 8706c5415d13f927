"""A private estimate of the label distribution by discrete Laplace noise: liu2026 Alg. 3, for counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from lpmech.entries import Array
from lpmech.errors import LabelError
from lpmech.mechanisms.discrete_noise import DiscreteLaplace
from lpmech.privacy import PrivacyLevel
from lpmech.randomness import RandomState

__all__ = ["private_histogram", "noisy_counts", "with_noise", "count_noise", "distribution_of"]


def private_histogram(
    labels: Sequence[Hashable] | Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    random_state: RandomState = None,
) -> Array:
    """Estimate the label distribution with epsilon-label differential privacy.

    Parameters
    ----------
    labels : array_like, shape (n,)
        Labels of the examples, each one of `classes`.
    classes : sequence of hashable
        All K possible labels, fixed beforehand: labels that do not occur get noise too.
    epsilon : float or PrivacyLevel
        Privacy level for changing one label.
    random_state : None, int, numpy.random.Generator or RandomSource
        None for releases; see `lpmech.randomness`.

    Returns
    -------
    ndarray of float, shape (K,)
        A distribution; uniform if the noise makes every count zero.

    Raises
    ------
    LabelError
        If a label is not among the classes or not hashable, or a class occurs twice.
    PrivacyLevelError
        If the level is not usable.
    InvalidInputError
        If `random_state` is none of the above.

    Notes
    -----
    Source: liu2026, Alg. 3, with its loop running over the classes instead of the examples, and with discrete Laplace
    noise: real noise would betray in its last bits which count it was added to.
    """
    return distribution_of(noisy_counts(labels, classes, epsilon, random_state))


def noisy_counts(
    labels: Sequence[Hashable] | Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    random_state: RandomState = None,
) -> Array:
    """max(count + Z, 0) of every class, int64 of shape (K,), Z discrete Laplace; see `private_histogram`."""
    try:
        positions = {name: i for i, name in enumerate(classes)}
    except TypeError as exc:
        raise LabelError("classes", classes, "distinct hashable classes, at least one") from exc
    if len(positions) != len(classes) or not positions:
        raise LabelError("classes", list(classes), "distinct classes, at least one")
    counts = [0] * len(positions)
    try:
        tally = Counter(iter(labels.tolist() if isinstance(labels, np.ndarray) else labels))  # Counter(None) is empty
    except TypeError as exc:
        raise LabelError("labels", "something else", "a flat sequence of hashable labels") from exc
    for name, count in tally.items():
        if name not in positions:
            raise LabelError("labels", "a label that is no class", f"labels among {list(classes)!r}")
        counts[positions[name]] = count
    return np.array([max(count, 0) for count in with_noise(counts, epsilon, random_state)], dtype=np.int64)


def with_noise(counts: Sequence[int], epsilon: PrivacyLevel | float, random_state: RandomState = None) -> list[int]:
    """count + Z of every count, Z discrete Laplace, in whole numbers that may be below zero: liu2026 Alg. 3."""
    noise = count_noise(epsilon).sample(len(counts), random_state)
    return [count + z for count, z in zip(counts, noise.tolist(), strict=True)]


def count_noise(epsilon: PrivacyLevel | float) -> DiscreteLaplace:
    """Z: changing one label moves two counts by one, so the scale 2 / epsilon gives the level epsilon, exactly."""
    return DiscreteLaplace.of_level(2, epsilon)


def distribution_of(counts: Array) -> Array:
    """Counts divided by their sum; uniform if all are zero (post-processing, which costs no privacy)."""
    mass = counts.sum()
    return counts / mass if mass > 0 else np.full(len(counts), 1.0 / len(counts))
