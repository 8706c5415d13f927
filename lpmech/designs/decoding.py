"""What estimated shares cost: the decoder of least variance, and the total variance of the shares that it gives."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from lpmech.channel import Channel
from lpmech.entries import Array, Number, to_float
from lpmech.errors import NotInvertibleError
from lpmech.mechanisms.set_valued import SetValued

__all__ = ["least_variance_decoder", "total_variance"]

#: Smallest singular value, relative to the largest, above which decoding does not drown in rounding.
_DECODABLE = 1e-9


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
    has the variance (sum_j r_j D[j, y]^2 - f_y) / n, r = f q (`lpmech.designs.what_is_left.share_error`).
    """
    if isinstance(randomizer, SetValued):
        return randomizer.total_variance
    _, _, values = _weighted(randomizer, prior)
    return float((values**-2.0).sum()) - 1


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
    weighted, roots, _ = _weighted(channel, prior)
    decoder = np.zeros(channel.matrix.T.shape)
    occurs = roots > 0
    decoder[occurs] = np.linalg.pinv(weighted) / roots[occurs, None]
    return decoder


def _weighted(channel: Channel, prior: Array) -> tuple[Array, Array, Array]:
    """Q R^(-1/2) without the outputs that never occur, the square roots of r, shape (J,), and its singular values."""
    matrix = to_float(channel.matrix)
    roots = np.sqrt(to_float(prior) @ matrix)
    weighted = matrix[:, roots > 0] / roots[roots > 0]
    rows, columns = weighted.shape
    with threadpool_limits(limits=1, user_api="blas"):  # several threads wait for each other more than they compute
        values = np.linalg.svd(weighted, compute_uv=False)
    if columns < rows or not values[-1] > _DECODABLE * values[0]:
        raise NotInvertibleError(f"channel {rows} x {columns}: its rows are linearly dependent, or nearly so")
    return weighted, roots, values
