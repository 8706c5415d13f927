"""The private channel from which shares are estimated best, for few labels: an optimal design of experiments."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.designs.counting_bound import CountingBound, both_sides, patterns
from lpmech.entries import Array, as_array, to_float
from lpmech.errors import InvalidInputError, SolverError
from lpmech.linear_algebra import from_flint, one_thread
from lpmech.privacy import PrivacyLevel

__all__ = ["MOST_LABELS", "best_for_counting"]

#: The program has 2^K - 1 variables.
MOST_LABELS = 8

#: Outputs that are rarer than this, whatever the label, are left out.
_RARE = 1e-7

#: The gap that is wanted, relative to the total variance, and the largest one, relative to tr(M^-1).
_WANTED, _TOLERATED = 1e-9, 1e-6


def best_for_counting(labels: tuple[str, ...], level: PrivacyLevel, prior: Array) -> tuple[Channel, CountingBound]:
    """The private channel with the least total variance of the estimated shares, nearly, and a proved bound on all.

    Parameters
    ----------
    labels : tuple of str
        K <= 8 names.
    level : PrivacyLevel
        Privacy level.
    prior : ndarray of Fraction, shape (K,)
        The shares at which the variance is least.

    Returns
    -------
    tuple of Channel and CountingBound
        The channel is exact and private at the level; its outputs are texts of K bits, 1 where a label has t times the
        probability that it has where it is 0. It depends on the order of the labels only in the order of the bits. The
        gap between its variance and the bound is that of the solver.

    Raises
    ------
    InvalidInputError
        If there are more than 8 labels.
    SolverError
        If floats do not suffice, as for an epsilon below about 1e-5.

    Notes
    -----
    Minimised is tr(M(w)^-1), M(w) = sum_s w_s v_s v_s^T / (p . v_s), over w >= 0 with sum_s w_s v_s = 1, which is
    convex; see `CountingBound` for why it covers every private channel.
    """
    size = len(labels)
    if size > MOST_LABELS:
        raise InvalidInputError("labels", f"{size} labels", f"at most {MOST_LABELS} labels")
    order = sorted(range(size), key=lambda y: (-prior[y], labels[y]))
    back = [order.index(y) for y in range(size)]
    shares, t = to_float(prior[order]), float(level.ratio)
    with one_thread(), np.errstate(over="raise", divide="raise", invalid="raise"):
        weights, inverse, duals = _interior_point(shares, t)
        weights = _shared(weights, prior[order])
        kept = weights * t > _RARE
        bits = patterns(size)[kept]
        columns = 1 + (t - 1) * bits
        weights = _balanced(weights[kept], columns)
    matrix = (weights[:, None] * columns).T
    names = ["".join(str(row[place]) for place in back) for row in bits.tolist()]
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True), [labels[y] for y in order], names).exact(level)
    ordered = Channel(channel.matrix[back], labels, names)
    return ordered, _bound(prior, _ratio_above(level), inverse[np.ix_(back, back)], duals[back])


def _interior_point(prior: Array, t: float) -> tuple[Array, Array, Array]:
    """Weights of all patterns, M^-1, and duals of sum_s w_s v_s = 1, by a primal-dual method.

    The derivative by w_s is -|M^-1 u_s|^2 with u_s = v_s / sqrt(p . v_s); the second one by w_s and w_r is
    2 (u_s M^-2 u_r) (u_s M^-1 u_r). The slacks are z_s = lambda . v_s - |M^-1 u_s|^2, and w . z is the gap.
    """
    size = len(prior)
    columns = 1 + (t - 1) * patterns(size)
    scaled = columns / np.sqrt(columns @ prior)[:, None]
    weights = np.full(len(columns), 1 / columns[:, 0].sum())
    inverse, moved, slopes = _state(weights, scaled)
    duals = np.full(size, 1.1 * (slopes / columns.sum(axis=1)).max())
    slacks = columns @ duals - slopes
    for _ in range(100):
        value, gap = np.trace(inverse), weights @ slacks
        if gap <= max(_WANTED * (value - 1), 1e-13 * value):
            return weights, inverse, duals
        target = 0.1 * gap / len(weights) / weights
        curvature = 2 * (moved @ moved.T) * (scaled @ moved.T) + np.diag(slacks / weights)
        right = slopes - columns @ duals + target
        try:
            solved = np.linalg.solve(curvature, np.column_stack([columns, right]))
            missing = 1 - columns.T @ weights
            step_duals = np.linalg.solve(columns.T @ solved[:, :size], columns.T @ solved[:, size] - missing)
            step = solved[:, size] - solved[:, :size] @ step_duals
            step_slacks = target - slacks - slacks / weights * step
            length = min(_length(weights, step), _length(slacks, step_slacks))
            weights, slacks = weights + length * step, slacks + length * step_slacks
            duals = duals + length * step_duals
            inverse, moved, slopes = _state(weights, scaled)
        except (np.linalg.LinAlgError, FloatingPointError):
            break
    if not 0 <= gap <= _TOLERATED * value:
        raise SolverError(f"the best channel for counting: a gap of {gap:.1e} beside a value of {value:.1e}")
    return weights, inverse, duals


def _state(weights: Array, scaled: Array) -> tuple[Array, Array, Array]:
    """M^-1, the vectors M^-1 u_s, and their squared lengths."""
    inverse = np.linalg.inv((scaled.T * weights) @ scaled)
    moved = scaled @ inverse
    return inverse, moved, (moved**2).sum(axis=1)


def _length(point: Array, step: Array) -> float:
    """How far to go, at most the whole step, for the point to stay positive."""
    falling = step < 0
    return min(1.0, 0.95 * float((-point[falling] / step[falling]).min())) if falling.any() else 1.0


def _shared(weights: Array, prior: Array) -> Array:
    """Weights that are the same for patterns which differ by an exchange of labels of one share only."""
    bits = patterns(len(prior))
    classes = {share: [y for y, other in enumerate(prior) if other == share] for share in prior.tolist()}
    counts = np.column_stack([bits[:, members].sum(axis=1) for members in classes.values()])
    _, orbit = np.unique(counts, axis=0, return_inverse=True)
    return (np.bincount(orbit.ravel(), weights) / np.bincount(orbit.ravel()))[orbit.ravel()]


def _balanced(weights: Array, columns: Array) -> Array:
    """Weights near these with sum_s w_s v_s = 1."""
    for _ in range(3):
        missing = 1 - columns.T @ weights
        weights = weights * (1 + columns @ np.linalg.solve((columns.T * weights) @ columns, missing))
    return weights


def _ratio_above(level: PrivacyLevel) -> Fraction:
    """A rational number of at least e^epsilon, within 2e-12 of it; e^epsilon itself if the level is exact."""
    if isinstance(level.ratio, Fraction):
        return level.ratio
    return Fraction(-(-level.ratio_below * (10**12 + 1) // 1), 10**12)


def _bound(prior: Array, ratio: Fraction, inverse: Array, duals: Array) -> CountingBound:
    """The bound of these floats, the duals scaled up until they are feasible."""
    matrix = as_array([[Fraction(float(v)) for v in row] for row in inverse], "matrix", 2)
    nearly = as_array([Fraction(float(v)) for v in duals], "duals", 1)
    needed, allowed = both_sides(prior, ratio, matrix, nearly)
    if min(allowed) <= 0:
        raise SolverError("the best channel for counting: no usable duals")
    return CountingBound(prior, ratio, matrix, nearly * from_flint((needed / allowed).max(keepdims=True))[0])
