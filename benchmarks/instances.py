"""The utilities that the benchmarks run on, as losses or gains already weighted by the prior."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

__all__ = ["EPSILON", "instances", "random_cosines", "seconds"]

EPSILON = 1.0


def instances(size: int) -> dict[str, np.ndarray]:
    """|i - j|, random, a Dirichlet prior on the diagonal, cosine similarity of images; K x K, prior included."""
    rng = np.random.default_rng(0)
    found = {
        "|i - j|": -np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / size,
        "random": rng.random((size, size)) / size,
        "Dirichlet diagonal": np.diag(rng.dirichlet(np.ones(size))),
    }
    similarity = digit_similarity(size)
    return found if similarity is None else {**found, "digits, cosine": similarity / size}


def random_cosines(size: int) -> np.ndarray:
    """Cosine similarity of K random vectors in 16 dimensions, uniform prior: K x K, harder than the others."""
    vectors = np.random.default_rng(0).normal(size=(size, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T / size


def digit_similarity(size: int) -> np.ndarray | None:
    """Cosine similarity of the first K of scikit-learn's 1797 handwritten digits; None if there are not so many."""
    from sklearn.datasets import load_digits

    images = load_digits().data[:size]
    if len(images) < size:
        return None
    unit = images / np.linalg.norm(images, axis=1, keepdims=True)
    return unit @ unit.T


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The least wall-clock time of several runs: others may be using the machine."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
