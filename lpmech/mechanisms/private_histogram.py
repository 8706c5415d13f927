"""A private estimate of the label distribution by Laplace noise: liu2026 Alg. 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from lpmech.entries import Array, as_generator
from lpmech.errors import LabelError
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["private_histogram", "noisy_counts", "distribution_of"]


def private_histogram(
    labels: Sequence[Hashable] | Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    rng: np.random.Generator,
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
    rng : numpy.random.Generator
        Source of randomness.

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
        If `rng` is no generator.

    Notes
    -----
    Source: liu2026, Alg. 3, with its loop running over the classes instead of the examples.
    """
    return distribution_of(noisy_counts(labels, classes, epsilon, rng))


def noisy_counts(
    labels: Sequence[Hashable] | Array,
    classes: Sequence[Hashable],
    epsilon: PrivacyLevel | float,
    rng: np.random.Generator,
) -> Array:
    """max(count + Laplace(2 / epsilon), 0) of every class, shape (K,); see `private_histogram`.

    Changing one label moves two counts by one, so the scale 2 / epsilon gives the level epsilon.
    """
    level, rng = as_privacy_level(epsilon), as_generator(rng)
    try:
        positions = {name: i for i, name in enumerate(classes)}
    except TypeError as exc:
        raise LabelError("classes", classes, "distinct hashable classes, at least one") from exc
    if len(positions) != len(classes) or not positions:
        raise LabelError("classes", list(classes), "distinct classes, at least one")
    counts = np.zeros(len(positions))
    try:
        tally = Counter(iter(labels.tolist() if isinstance(labels, np.ndarray) else labels))  # Counter(None) is empty
    except TypeError as exc:
        raise LabelError("labels", labels, "a flat sequence of hashable labels") from exc
    for name, count in tally.items():
        if name not in positions:
            raise LabelError("labels", name, f"one of {list(classes)!r}")
        counts[positions[name]] = count
    return np.maximum(counts + rng.laplace(scale=2.0 / level.epsilon, size=len(counts)), 0.0)


def distribution_of(counts: Array) -> Array:
    """Counts divided by their sum; uniform if all are zero (post-processing, which costs no privacy)."""
    mass = counts.sum()
    return counts / mass if mass > 0 else np.full(len(counts), 1.0 / len(counts))
