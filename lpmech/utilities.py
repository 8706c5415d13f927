"""Utilities: matrices u[y, j], larger is better; a loss is its negative."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from numbers import Integral

import numpy as np

from lpmech.common_denominators import fractions_of, over_one_denominator
from lpmech.entries import MOST_LABELS, Array, Number, as_array, is_exact, positive_number, to_float, whole_number
from lpmech.errors import UtilityError
from lpmech.priors import as_prior

__all__ = [
    "hit",
    "balanced_hit",
    "absolute",
    "squared",
    "circular",
    "hamming",
    "euclidean",
    "great_circle",
    "tanimoto",
    "weight_matrix",
    "weight_matrix_from_decay",
    "decay_of",
    "weights_per_label",
    "concentration",
    "bin_loss",
]


def hit(labels: int | Sequence[object]) -> Array:
    """Hit rate: 1 on the diagonal, 0 elsewhere; its expectation is Pr[released label = true label].

    Parameters
    ----------
    labels : int or sequence
        K, or the labels themselves.

    Returns
    -------
    ndarray of Fraction, shape (K, K)

    Raises
    ------
    UtilityError
        If there is no label, or `labels` is neither a whole number nor a sequence.
    """
    size = len(_entries(labels, "labels"))
    return np.array([Fraction(0), Fraction(1)], dtype=object)[np.eye(size, dtype=int)]


def balanced_hit(prior: object) -> Array:
    """Hits weighted by 1 / (K p_y): their expectation is the hit rate averaged over the labels, shape (K, K).

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label; labels of probability 0 do not count, nor in K.

    Raises
    ------
    PriorError
        If it is not a distribution.
    """
    probabilities = as_prior(prior)
    present = sum(1 for p in probabilities.tolist() if p > 0)
    weights = [1 / (present * p) if p > 0 else 0 * p for p in probabilities.tolist()]
    size = len(weights)
    return as_array([[w if y == j else 0 * w for j in range(size)] for y, w in enumerate(weights)], "utility", 2)


def absolute(labels: int | Sequence[object]) -> Array:
    """Absolute distance as a loss: u[y, j] = -|x_y - x_j|, shape (K, K).

    Parameters
    ----------
    labels : int or sequence of numbers
        K (meaning the labels 0..K-1), or the labels' values x.

    Raises
    ------
    UtilityError
        If a label is not a finite number, there is none, or a difference overflows.
    """
    return _distances(labels, 1)


def squared(labels: int | Sequence[object]) -> Array:
    """Squared distance as a loss: u[y, j] = -(x_y - x_j)^2, shape (K, K); see `absolute`."""
    return _distances(labels, 2)


def circular(size: int) -> Array:
    """Distance on a circle of items 0..N-1 as a loss: u[y, j] = -min(|y - j|, N - |y - j|), shape (N, N).

    Raises
    ------
    UtilityError
        If the size is not a positive whole number.
    """
    size = whole_number(size, "size", 1, error=UtilityError)
    rows = [[-min(abs(y - j), size - abs(y - j)) for j in range(size)] for y in range(size)]
    return as_array(rows, "utility", 2, UtilityError)


def hamming(words: Sequence[Sequence[object]]) -> Array:
    """Hamming distance as a loss: u[y, j] = -(number of places at which two words differ), shape (K, K).

    Parameters
    ----------
    words : sequence of sequences
        The items, all of one length.

    Raises
    ------
    UtilityError
        If there is no word, or they differ in length.
    """
    if not words or len({len(word) for word in words}) != 1:
        raise UtilityError("words", words, "words of one length, at least one")
    rows = [[-sum(a != b for a, b in zip(x, z, strict=True)) for z in words] for x in words]
    return as_array(rows, "utility", 2, UtilityError)


def euclidean(points: object) -> Array:
    """Euclidean distance as a loss: u[y, j] = -|x_y - x_j|, shape (K, K), floats.

    Parameters
    ----------
    points : array_like, shape (K, d)
        Coordinates, one point a row; on a line (d = 1) `absolute` is exact.

    Raises
    ------
    UtilityError
        If the points are not a table of finite numbers, or a distance overflows.
    """
    from scipy.spatial.distance import cdist

    x = to_float(as_array(points, "points", 2, UtilityError))
    scale = float(np.max(np.abs(x), initial=0.0)) or 1.0
    with np.errstate(over="ignore"):
        return _finite(-(scale * cdist(x / scale, x / scale)), points, "points")


def great_circle(points: object, radius: float = 6371.0088) -> Array:
    """Great-circle distance on a sphere as a loss: u[y, j] = -(angle between y and j) radius, shape (K, K), floats.

    Parameters
    ----------
    points : array_like, shape (K, 2)
        Latitude and longitude in degrees, one point a row.
    radius : number
        Radius of the sphere; by default the Earth's mean radius (2a + b) / 3 of WGS 84, in kilometres.

    Raises
    ------
    UtilityError
        If the points are not K x 2, a latitude is outside [-90, 90], a longitude outside [-180, 180], or the radius
        is not a positive finite number.

    Notes
    -----
    With unit vectors a and b the angle is 2 atan2(|a - b|, |a + b|), which keeps its digits for near and for
    opposite points.
    """
    from scipy.spatial.distance import cdist

    degrees = to_float(as_array(points, "points", 2, UtilityError))
    if degrees.shape[1] != 2 or np.any(np.abs(degrees) > (90, 180)):
        raise UtilityError("points", points, "rows of a latitude in [-90, 90] and a longitude in [-180, 180]")
    length = positive_number(radius, "radius", UtilityError)
    latitude, longitude = np.radians(degrees).T
    across = np.cos(latitude)
    vectors = np.column_stack([across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)])
    with np.errstate(over="ignore"):
        angles = 2 * np.arctan2(cdist(vectors, vectors), cdist(vectors, -vectors))
        return _finite(-(length * angles), radius, "radius")


def tanimoto(values: int | Sequence[object]) -> Array:
    """Generalised Jaccard (Tanimoto) similarity u[x, y] = x y / (x^2 + y^2 - x y), shape (K, K).

    Parameters
    ----------
    values : int or sequence of positive numbers
        K (meaning the values 1..K), or the values.

    Raises
    ------
    UtilityError
        If a value is not positive, there is none, or a square over- or underflows.

    Notes
    -----
    Source: zhang2025, section V.A.
    """
    x = _values(values, "values", first=1)
    if np.any(x <= 0):
        raise UtilityError("values", x[x <= 0][0], "positive numbers")
    whole = over_one_denominator(x) if is_exact(x) else None
    if whole is not None:  # the denominator cancels
        numbers = whole[0][0].tolist()
        half = [[Fraction(a * b, a * a + b * b - a * b) for b in numbers[: i + 1]] for i, a in enumerate(numbers)]
        return as_array([[half[max(i, j)][min(i, j)] for j in range(len(x))] for i in range(len(x))], "utility", 2)
    with np.errstate(over="ignore", invalid="ignore"):
        products = np.multiply.outer(x, x)
        return _finite(products / (np.add.outer(x * x, x * x) - products), values, "values")


def weight_matrix(prior: object, sigma: float) -> Array:
    """Weights w[i, j] = p_j exp(-[i != j] / sigma), shape (K, K), floats.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution p of the true label.
    sigma : number
        Positive hyperparameter, small enough that exp(-1 / sigma) < 1 in floating point (about 1e16).

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    UtilityError
        If sigma is not a positive finite number, or so large that the decay rounds to 1.

    Notes
    -----
    Source: liu2026, eq. (3.3).
    """
    return weight_matrix_from_decay(prior, decay_of(sigma))


def decay_of(sigma: float) -> float:
    """exp(-1 / sigma), the decay of liu2026 eq. (3.3); 0 where it underflows.

    Raises
    ------
    UtilityError
        If sigma is not a positive finite number, or so large that the decay rounds to 1.
    """
    decay = math.exp(-1 / positive_number(sigma, "sigma", UtilityError))
    if decay == 1:
        raise UtilityError("sigma", sigma, "a number small enough that exp(-1 / sigma) < 1 in floating point")
    return decay


def weight_matrix_from_decay(prior: object, decay: Number) -> Array:
    """The weights of `weight_matrix` from decay = exp(-1 / sigma), exact for exact arguments, shape (K, K).

    Raises
    ------
    PriorError
        If the prior is not a distribution.
    UtilityError
        If the decay is not in [0, 1).
    """
    factor = as_array([decay], "decay", 1, UtilityError)[0]
    if not 0 <= factor < 1:
        raise UtilityError("decay", decay, "a number with 0 <= decay < 1")
    probabilities = as_prior(prior)
    size = len(probabilities)
    off = np.full((size, size), factor, dtype=object if is_exact(probabilities) else float)
    factors = np.where(np.eye(size, dtype=bool), factor**0, off)
    return as_array(factors * probabilities, "weights", 2, UtilityError)


def weights_per_label(prior: object, decay: Number) -> Array:
    """w[i, j] / p_i: the utility whose expectation is the objective sum w[i, j] q[i, j] of liu2026 eq. (4.1), (K, K).

    The objective (4.1) sums over the true labels without weighing them by the prior, an expected utility weighs them.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution p of the true label; labels of probability 0 do not count, their rows are zero.
    decay : number
        exp(-1 / sigma) of `weight_matrix_from_decay`, exact for exact arguments.

    Raises
    ------
    PriorError, UtilityError
        As `weight_matrix_from_decay`.
    """
    weights = weight_matrix_from_decay(prior, decay)
    rows = [row / p if p > 0 else 0 * row for row, p in zip(weights, as_prior(prior).tolist(), strict=True)]
    return as_array(rows, "weights", 2, UtilityError)


def concentration(points: int | Sequence[object], radius: Number) -> Array:
    """1 where the released point lies within `radius` of the true one, else 0, shape (K, K).

    Its expectation is the probability mass that a mechanism concentrates around the truth (zheng2025). Give exact
    points and radius to have pairs at exactly this distance counted; differences of floats round.

    Raises
    ------
    UtilityError
        If a point is not a number or the radius is negative.
    """
    bound = as_array([radius], "radius", 1, UtilityError)[0]
    if bound < 0:
        raise UtilityError("radius", radius, "a number >= 0")
    return as_array((_distances(points, 1) >= -bound).astype(int), "utility", 2)


def bin_loss(
    values: int | Sequence[object], bins: int | Sequence[object], loss: Callable[[Number, Number], Number]
) -> Array:
    """Utility -loss(x_y, b_j) of releasing a bin's representative b_j for a value x_y, shape (K, J).

    Raises
    ------
    UtilityError
        If a value or a loss is not a finite number.
    """
    x, b = _values(values, "values"), _values(bins, "bins")
    return -as_array([[loss(v, r) for r in b.tolist()] for v in x.tolist()], "loss", 2, UtilityError)


def _entries(labels: object, argument: str, first: int = 0) -> list[object]:
    """The labels themselves; a whole number K stands for first, ..., first + K - 1."""
    allowed = "a whole number K >= 1, or a sequence of labels with at least one"
    if isinstance(labels, Integral) and not isinstance(labels, bool):
        size = whole_number(labels, argument, 1, MOST_LABELS, UtilityError)
        labels = range(first, first + size)
    if isinstance(labels, np.ndarray) and labels.ndim == 0:
        raise UtilityError(argument, labels, allowed)
    if not isinstance(labels, (Sequence, np.ndarray)) or isinstance(labels, (str, bytes)) or len(labels) == 0:
        raise UtilityError(argument, labels, allowed)
    return list(labels)


def _values(labels: object, argument: str, first: int = 0) -> Array:
    return as_array(_entries(labels, argument, first), argument, 1, UtilityError)


def _distances(labels: object, power: int) -> Array:
    """-|x_y - x_j|^power, shape (K, K); exact ones in whole numbers over one denominator."""
    x = _values(labels, "labels")
    whole = over_one_denominator(x) if is_exact(x) else None
    if whole is not None:
        (numerators,), unit = whole
        return fractions_of(-(abs(np.subtract.outer(numerators, numerators)) ** power), unit**power)
    with np.errstate(over="ignore"):
        return _finite(-(abs(np.subtract.outer(x, x)) ** power), labels)


def _finite(utility: Array, values: object, argument: str = "labels") -> Array:
    """The utility unless an entry over- or underflowed (only floats can)."""
    if not is_exact(utility) and not np.all(np.isfinite(utility)):
        raise UtilityError(argument, values, "numbers whose squares and differences are finite and not zero in floats")
    return utility
