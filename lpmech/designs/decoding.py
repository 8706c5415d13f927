"""What estimated shares cost: the decoder of least variance, and the variance of the shares that it gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, Number, to_float
from lpmech.errors import NotInvertibleError
from lpmech.linear_algebra import one_thread

if TYPE_CHECKING:
    from lpmech.mechanisms.set_valued import SetValued

__all__ = ["decodable", "error_of", "least_variance_decoder", "share_error", "total_variance", "weighted_inverse"]

#: Smallest singular value, relative to the largest, above which decoding does not drown in rounding.
_DECODABLE = 1e-9

#: A condition number that is smaller by this factor needs no singular values.
_SURELY = 1e-2

#: No label is taken for rarer, so that every output that may occur has a weight.
_RAREST = 1e-9


def total_variance(randomizer: Channel | SetValued, prior: Array) -> Number:
    """Sum over the labels of the variance of the estimated shares, times the number n of released labels.

    Parameters
    ----------
    randomizer : Channel or SetValued
        A channel is decoded by `least_variance_decoder`, a set by `SetValued.decode`.
    prior : ndarray, shape (K,)
        The true shares f.

    Returns
    -------
    Fraction or float
        For a set (p (1 - p) + (K - 1) q (1 - q)) / (p - q)^2, exact for exact parameters; for a channel
        tr(M^-1) - 1 with M = sum_j q_j q_j^T / r_j, in floats.

    Raises
    ------
    NotInvertibleError
        If the channel cannot be decoded.

    Notes
    -----
    The people and their labels are fixed, and the noise is that of the release: with a decoder D the share of label y
    has the variance (sum_j r_j D[j, y]^2 - f_y) / n, r = f q.
    """
    if not isinstance(randomizer, Channel):
        return randomizer.total_variance
    shares = to_float(prior)
    squares = (shares @ randomizer.floats) @ least_variance_decoder(randomizer, prior) ** 2
    return float(np.maximum(squares - shares, 0.0).sum())  # below zero by rounding only


def share_error(channel: Channel, prior: Array, rows: int) -> float:
    """Root mean squared error of a label's share estimated from so many released labels; the mean is over the labels.

    Raises
    ------
    NotInvertibleError
        If the channel cannot be decoded.
    """
    return error_of(total_variance(channel, prior), len(channel.inputs), rows)


def error_of(variance: Number, labels: int, rows: int) -> float:
    """`share_error` from the `total_variance`."""
    return math.sqrt(variance / labels / rows)


def least_variance_decoder(channel: Channel, prior: Array) -> Array:
    """The decoder D, shape (J, K), matrix @ D = identity, whose shares have the least variance where `prior` is true.

    Raises
    ------
    NotInvertibleError
        If the channel cannot be decoded.

    Notes
    -----
    Weighted least squares: D = R^-1 Q^T M^-1 with R = diag(r), r = f Q, and M = Q R^-1 Q^T. It is unbiased whatever
    the true shares are. A channel with as many outputs as inputs has one decoder only.
    """
    matrix = channel.floats
    found, inverse = _decoded(matrix)
    if not found:
        rows, columns = matrix.shape
        raise NotInvertibleError(f"channel {rows} x {columns}: its rows are linearly dependent, or nearly so")
    if inverse is not None:  # a square channel has one decoder only
        return inverse
    with one_thread():
        return weighted_inverse(matrix, to_float(prior))


def decodable(matrix: Array) -> bool:
    """Whether the rows of a matrix of floats are linearly independent, and not only by rounding."""
    return _decoded(matrix)[0]


def _decoded(matrix: Array) -> tuple[bool, Array | None]:
    """`decodable`, and the inverse of a square matrix, if it was found."""
    rows, columns = matrix.shape
    if columns < rows or len({row.tobytes() for row in matrix}) < rows:
        return False, None
    with one_thread():
        inverse = _inverse(matrix) if rows == columns else None
        if inverse is not None and np.linalg.norm(matrix) * np.linalg.norm(inverse) < _SURELY / _DECODABLE:
            return True, inverse  # these norms are no less than the largest singular values of both
        values = np.linalg.svd(matrix, compute_uv=False)
    return bool(values[-1] > _DECODABLE * values[0]), inverse


def _inverse(matrix: Array) -> Array | None:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None


def weighted_inverse(matrix: Array, prior: Array) -> Array:
    """The D of `least_variance_decoder` in floats; of labels that can be decoded, where others cannot.

    Column y is the shortest solution d of matrix @ d = e_y, lengths weighted by r, if there is one; rows are brought to
    one length before, for rare labels have outputs of tiny r.
    """
    roots = np.sqrt(np.maximum(prior, _RAREST) @ matrix)
    occurs = roots > 0
    weighted = matrix[:, occurs] / roots[occurs]
    lengths = np.linalg.norm(weighted, axis=1)
    decoder = np.zeros(matrix.T.shape)
    decoder[occurs] = np.linalg.pinv(weighted / lengths[:, None]) / lengths / roots[occurs, None]
    return decoder
