"""What released labels say: frequencies of the true ones with intervals, and the true label behind each."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import beta, norm
from threadpoolctl import threadpool_limits

from lpmech.channel import Channel
from lpmech.entries import Array, open_probability, to_float
from lpmech.errors import DataFileError, InvalidInputError, LabelError, SolverError
from lpmech.labels.columns import LabelFile
from lpmech.labels.index import LabelIndex, row_list
from lpmech.release.record import Release

__all__ = ["Frequencies", "estimate", "estimate_file", "maximum_likelihood"]

#: Largest error of a decoder's expectations that counts as rounding.
_UNBIASED = 1e-6

_MOST_GROUPS = 10_000


@dataclass(frozen=True)
class Frequencies:
    """Estimated frequencies of the true labels, and what a released label says.

    Attributes
    ----------
    labels, outputs : tuple
        True and released labels.
    counts : ndarray of int, shape (J,)
        Released labels seen.
    confidence : float
        Of every interval by itself.
    unbiased : ndarray, shape (K,)
        May be below 0 or above 1; nan where no unbiased estimate exists because the channel merges labels.
    low, high : ndarray, shape (K,)
        Interval for the frequency of each label.
    likely : ndarray, shape (K,)
        The distribution under which the released labels are most likely.
    gap : float
        Its log-likelihood a row is within this of the largest.
    posterior : ndarray, shape (K, J)
        Pr[true label | released label] where `likely` is the prior; nan for outputs that are never released.
    """

    labels: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    counts: Array
    confidence: float
    unbiased: Array
    low: Array
    high: Array
    likely: Array
    gap: float
    posterior: Array

    @property
    def rows(self) -> int:
        """How many labels were released."""
        return int(self.counts.sum())


def estimate(counts: object, channel: Channel, confidence: float = 0.95) -> Frequencies:
    """Frequencies of the true labels from counts of released ones.

    Parameters
    ----------
    counts : array_like of int, shape (J,)
        How often each output was released; rows are taken as independent.
    channel : Channel
        What released them.
    confidence : float
        Of every interval by itself, between 0 and 1.

    Raises
    ------
    InvalidInputError
        If the counts are no whole numbers >= 0, one for each output, not all zero, or the confidence is none.
    SolverError
        If the most likely distribution is not found.

    Notes
    -----
    Where the channel can be decoded, with decoder D (`Channel.decoder`), the frequency of label k is the mean of
    D[output, k], and the interval is that of Agresti and Coull for a mean of these values: z^2 / 2 rows more with the
    smallest and with the largest value, then the normal interval; for two values it is theirs for a proportion. It
    contains the unbiased estimate, and is cut to [0, 1]. Where it cannot, the interval follows from the bounds of
    Clopper and Pearson on the probabilities of all outputs together, which cannot tell apart labels that the channel
    merges.
    """
    seen, level = _counts(counts, len(channel.outputs)), open_probability(confidence, "confidence")
    matrix = to_float(channel.matrix)
    with _one_thread():
        decoder = np.linalg.pinv(matrix)
    known = np.abs(matrix @ decoder - np.eye(len(matrix))).max(axis=0) <= _UNBIASED
    middle, low, high = _agresti_coull(seen, decoder, level)
    least, most = _bounds_by_outputs(seen, matrix, level)
    with _one_thread():
        likely, gap = maximum_likelihood(seen, matrix)
    joint = likely[:, None] * matrix
    mass = joint.sum(axis=0)
    posterior = np.divide(joint, mass, out=np.full_like(joint, np.nan), where=mass > 0)
    return Frequencies(
        channel.inputs,
        channel.outputs,
        seen,
        level,
        np.where(known, middle, np.nan),
        np.clip(np.where(known, low, least), 0, 1),
        np.clip(np.where(known, high, most), 0, 1),
        likely,
        gap,
        posterior,
    )


def _one_thread() -> threadpool_limits:
    """Matrices of this size are done sooner by one thread than by several that wait for each other."""
    return threadpool_limits(limits=1, user_api="blas")


def _agresti_coull(counts: Array, values: Array, confidence: float) -> tuple[Array, Array, Array]:
    """Mean of every column of `values`, shape (J, K), over the counted rows, and the ends of its interval."""
    z, rows = float(norm.ppf((1 + confidence) / 2)), counts.sum()
    added = z * z / 2
    smallest, largest = values.min(axis=0), values.max(axis=0)
    weight = rows + 2 * added
    shares = counts / weight
    mean = shares @ values + added * (smallest + largest) / weight
    spread = shares @ (values - mean) ** 2 + added * ((smallest - mean) ** 2 + (largest - mean) ** 2) / weight
    half = z * np.sqrt(spread / weight)
    return counts @ values / rows, mean - half, mean + half


def _bounds_by_outputs(counts: Array, matrix: Array, confidence: float) -> tuple[Array, Array]:
    """Bounds on every frequency that follow from bounds on the probability of each output, all at once.

    With the other labels' smallest and largest Pr[j | y], m and M: p_j lies between f q_kj + (1 - f) m and
    f q_kj + (1 - f) M.
    """
    low, high = clopper_pearson(counts, int(counts.sum()), (1 - confidence) / len(counts))
    rising, order = np.sort(matrix, axis=0), np.argsort(matrix, axis=0)
    only, last = len(matrix) - 1, min(1, len(matrix) - 1)
    label = np.arange(len(matrix))[:, None]
    smallest = np.where(order[0] == label, rising[last], rising[0])
    largest = np.where(order[only] == label, rising[only - last], rising[only])
    above, below = matrix - smallest, matrix - largest
    with np.errstate(divide="ignore", invalid="ignore"):
        most_above = np.where(above > 0, (high - smallest) / above, np.inf)
        most_below = np.where(below < 0, (largest - low) / -below, np.inf)
        least_above = np.where(below > 0, (low - largest) / below, -np.inf)
        least_below = np.where(above < 0, (smallest - high) / -above, -np.inf)
    return np.maximum(least_above, least_below).max(axis=1), np.minimum(most_above, most_below).min(axis=1)


def clopper_pearson(successes: Array, trials: int, alpha: float) -> tuple[Array, Array]:
    """Bounds on probabilities: each pair holds with probability at least 1 - alpha, alpha / 2 for either side."""
    k = np.asarray(successes, dtype=np.float64)
    low = np.where(k > 0, beta.ppf(alpha / 2, np.maximum(k, 1), trials - k + 1), 0.0)
    high = np.where(k < trials, beta.isf(alpha / 2, k + 1, np.maximum(trials - k, 1)), 1.0)
    return low, high


def maximum_likelihood(counts: Array, matrix: Array, tolerance: float = 1e-9) -> tuple[Array, float]:
    """The distribution f of true labels that maximises sum_j counts_j ln (f Q)_j, by an interior point method.

    Parameters
    ----------
    counts : ndarray, shape (J,)
        Not all zero.
    matrix : ndarray of float, shape (K, J)
        Q, rows of which sum to one.
    tolerance : float
        Largest gap.

    Returns
    -------
    tuple of ndarray, shape (K,), and float
        f, and a proved bound on what its mean log-likelihood lacks: max_k sum_j Q_kj w_j / (f Q)_j - 1 with w the
        shares of the outputs, since the log-likelihood is concave.

    Raises
    ------
    SolverError
        If the gap does not come below the tolerance.
    """
    seen = counts > 0
    rates, shares = matrix[:, seen], counts[seen] / counts.sum()
    size = len(rates)
    f, z = np.full(size, 1 / size), np.ones(size)
    best, best_gap = f, np.inf
    for _ in range(200):
        p = f @ rates
        gradient = rates @ (shares / p)  # of the log-likelihood; the multiplier of sum f = 1 is one
        gap = float((gradient * f.sum()).max() - 1)
        if gap < best_gap:
            best, best_gap = f / f.sum(), max(gap, 0.0)
        if best_gap <= tolerance:
            return best, best_gap
        target = 0.1 * float(f @ z) / size
        weighted = rates * (np.sqrt(shares) / p)
        step = np.linalg.solve(weighted @ weighted.T + np.diag(z / f), gradient - 1 + target / f)
        step_z = (target - f * z - z * step) / f
        f = f + _length(f, step) * step
        z = z + _length(z, step_z) * step_z
    raise SolverError(f"maximum likelihood: the gap is {best_gap:.1e} after 200 steps, above {tolerance:.0e}")


def _length(point: Array, step: Array) -> float:
    """How far to go, at most the whole step, for the point to stay positive."""
    falling = step < 0
    return min(1.0, 0.99 * float((-point[falling] / step[falling]).min())) if falling.any() else 1.0


def estimate_file(
    path: str | Path,
    release: Release,
    *,
    column: str | None = None,
    by: str | None = None,
    confidence: float = 0.95,
    progress: Callable[[int], None] = lambda count: None,
) -> dict[str, Frequencies]:
    """Frequencies of the true labels from a CSV file of released ones, in constant memory.

    Parameters
    ----------
    path : path
        CSV file with a header, as `randomize_file` writes it.
    release : Release
        What released the labels.
    column : str, optional
        Column of released labels; may be left out where there is only one.
    by : str, optional
        Column that tells groups apart, each of which is estimated by itself; they are disjoint, so that this costs no
        more epsilon.
    confidence, progress
        See `estimate` and `LabelFile.chunks`.

    Returns
    -------
    dict of str to Frequencies
        By group in the order of the file; without `by` the one group is called ``all``.

    Raises
    ------
    DataFileError, LabelError, InvalidInputError
        If the file is not such a file, or a label is none of the outputs.
    """
    source, index = LabelFile(path, column), LabelIndex(release.outputs)
    group_at = None if by is None else source.column_named(by)
    if group_at == source.position:
        raise InvalidInputError("by", by, "another column than that of the released labels")
    size = len(release.outputs)
    counts: dict[str, Array] = {}
    for number, rows in source.chunks(progress):
        codes = np.array([index[row[source.position]] for row in rows], dtype=np.int64)
        bad = np.flatnonzero(codes < 0)
        if bad.size:
            allowed = f"{index.allowed}, which are what the design releases"
            raise LabelError("labels", f"unknown labels in rows {row_list((bad + number).tolist(), bad.size)}", allowed)
        groups = ["all"] * len(rows) if group_at is None else [row[group_at] for row in rows]
        names = {name: i for i, name in enumerate(dict.fromkeys(groups))}
        found = np.bincount(np.array([names[g] for g in groups]) * size + codes, minlength=len(names) * size)
        for name, line in zip(names, found.reshape(-1, size), strict=True):
            counts[name] = counts.get(name, 0) + line
        if len(counts) > _MOST_GROUPS:
            raise InvalidInputError("by", by, f"a column with at most {_MOST_GROUPS} different texts")
    if not counts:
        raise DataFileError("file", f"{path} without rows", "at least one released label")
    return {name: estimate(line, release.channel, confidence) for name, line in counts.items()}


def _counts(counts: object, size: int) -> Array:
    try:
        found = np.asarray(counts)
        whole = found.astype(np.int64)
        usable = found.shape == (size,) and bool(np.all(whole == found) and np.all(whole >= 0) and whole.sum() > 0)
    except (TypeError, ValueError, OverflowError):
        usable = False
    if not usable:
        raise InvalidInputError("counts", counts, f"{size} whole numbers >= 0, not all zero")
    return whole
