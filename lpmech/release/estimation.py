"""What released labels say: frequencies of the true ones with intervals, and the true label behind each."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from lpmech.channel import Channel
from lpmech.designs.decoding import weighted_inverse
from lpmech.entries import Array, open_probability, to_float
from lpmech.errors import InvalidInputError, SolverError
from lpmech.linear_algebra import one_thread
from lpmech.release.consistency import central_shares
from lpmech.release.label_sets import LabelSets
from lpmech.release.shares import CountsBeside, Shares, combined, shares_of

__all__ = ["Frequencies", "estimate", "estimate_sets", "maximum_likelihood"]

#: Largest error of a decoder's expectations that counts as rounding.
_UNBIASED = 1e-6


@dataclass(frozen=True)
class Frequencies:
    """Estimated frequencies of the true labels, and what a released label says.

    Attributes
    ----------
    labels, outputs : tuple
        True and released labels.
    counts : ndarray of int, shape (J,)
        Released labels seen; of sets, how many hold each label.
    rows : int
        How many labels were released.
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
    beside : CountsBeside, optional
        The noisy counts that the estimates are combined with. Then `likely` are the central shares
        (`lpmech.release.consistency.central_shares`) of `unbiased`, and its gap is zero.
    sets : bool
        Whether sets of labels were released; then `likely` are the central shares, too.
    """

    labels: tuple[Hashable, ...]
    outputs: tuple[Hashable, ...]
    counts: Array
    rows: int
    confidence: float
    unbiased: Array
    low: Array
    high: Array
    likely: Array
    gap: float
    posterior: Array
    beside: CountsBeside | None = None
    sets: bool = False

    @property
    def fitted(self) -> str:
        """What `likely` is: the most likely distribution, or the central shares of `unbiased`."""
        return "central" if self.sets or self.beside is not None else "most likely"


def estimate(
    counts: object,
    channel: Channel,
    confidence: float = 0.95,
    prior: Array | None = None,
    beside: CountsBeside | None = None,
) -> Frequencies:
    """Frequencies of the true labels from counts of released ones.

    Parameters
    ----------
    counts : array_like of int, shape (J,)
        How often each output was released; rows are taken as independent.
    channel : Channel
        What released them.
    confidence : float
        Of every interval by itself, between 0 and 1.
    prior : ndarray, shape (K,), optional
        Where the decoder of a channel with more outputs than labels has the least variance; default: uniform.
    beside : CountsBeside, optional
        Noisy counts that are combined with what was released (`lpmech.release.shares.combined`).

    Raises
    ------
    InvalidInputError
        If the counts are no whole numbers >= 0, one for each output, not all zero, or the confidence is none.
    SolverError
        If the most likely distribution is not found.

    Notes
    -----
    Frequencies are those of the population from which the rows are drawn independently, so that intervals hold the
    error of drawing them and that of the release. Where the channel can be decoded, with decoder D
    (`lpmech.designs.decoding.weighted_inverse`), the frequency of label k is the mean of D[output, k], and the interval
    is that of Agresti and Coull for a mean of these values: z^2 / 2 rows more with the smallest and with the largest
    value, then the normal interval; for two values it is theirs for a proportion. It is cut to [0, 1]. Where it cannot,
    the interval follows from the bounds of Clopper and Pearson on the probabilities of all outputs together, which
    cannot tell apart labels that the channel merges.
    """
    seen, level = _counts(counts, len(channel.outputs)), open_probability(confidence, "confidence")
    matrix = to_float(channel.matrix)
    with one_thread():
        decoder = weighted_inverse(matrix, np.full(len(matrix), 1 / len(matrix)) if prior is None else to_float(prior))
        decodable = np.abs(matrix @ decoder - np.eye(len(matrix))).max(axis=0) <= _UNBIASED
        shares = shares_of(seen, decoder, decodable, level)
        if beside is not None:
            shares = combined(shares, beside, level)
        likely, gap = maximum_likelihood(seen, matrix) if beside is None else (_central(shares), 0.0)
    low, high = shares.interval(level)
    known = ~np.isnan(shares.unbiased)
    if not known.all():
        least, most = _bounds_by_outputs(seen, matrix, level)
        low, high = np.where(known, low, least), np.where(known, high, most)
    return Frequencies(
        channel.inputs,
        channel.outputs,
        seen,
        shares.rows,
        level,
        shares.unbiased,
        np.clip(low, 0, 1),
        np.clip(high, 0, 1),
        likely,
        gap,
        _posterior(likely, matrix),
        beside,
    )


def estimate_sets(
    counts: Array, rows: int, sets: LabelSets, confidence: float = 0.95, beside: CountsBeside | None = None
) -> Frequencies:
    """Frequencies of the true labels from released sets: unbiased, (share of the sets with a label - q) / (p - q).

    Parameters
    ----------
    counts : ndarray of int, shape (K,)
        How many sets hold each label.
    rows : int
        How many sets were released.
    sets : LabelSets
        What released them.
    confidence, beside
        See `estimate`; the interval is that of Agresti and Coull for the share of the sets with the label.

    Returns
    -------
    Frequencies
        Its outputs are the labels that sets may hold; `likely` are the central shares of `unbiased`.
    """
    level, size = open_probability(confidence, "confidence"), len(sets.inputs)
    p, q = float(sets.mechanism.p), float(sets.mechanism.q)
    decoder = np.array([[(1 - q) / (p - q)] * size, [-q / (p - q)] * size])
    shares = shares_of(np.array([counts, rows - counts]), decoder, np.ones(size, dtype=bool), level)
    if beside is not None:
        shares = combined(shares, beside, level)
    low, high = np.clip(shares.interval(level), 0, 1)
    likely = _central(shares)
    held = np.where(np.eye(size, dtype=bool), p, q)
    return Frequencies(
        sets.inputs,
        sets.inputs,
        counts,
        rows,
        level,
        shares.unbiased,
        low,
        high,
        likely,
        0.0,
        _posterior(likely, held),
        beside,
        True,
    )


def _central(shares: Shares) -> Array:
    """`central_shares` of the unbiased estimates; a deviation above 1 says no more of a share than 1 does."""
    return central_shares(shares.unbiased, min(float(np.sqrt(shares.variance.mean())), 1.0))


def _posterior(prior: Array, matrix: Array) -> Array:
    joint = prior[:, None] * matrix
    mass = joint.sum(axis=0)
    return np.divide(joint, mass, out=np.full_like(joint, np.nan), where=mass > 0)


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
