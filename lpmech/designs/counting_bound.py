"""How well any private channel can count: a lower bound on the total variance, checked in exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lpmech.entries import Array
from lpmech.errors import CertificateError, InvalidInputError
from lpmech.linear_algebra import to_flint

__all__ = ["CountingBound", "both_sides", "patterns"]

#: There are 2^K patterns to check.
_MOST_LABELS = 16


def patterns(size: int) -> Array:
    """All subsets of K labels but the full one, as bits: int of shape (2^K - 1, K)."""
    return np.arange(2**size - 1)[:, None] >> np.arange(size) & 1


@dataclass(frozen=True)
class CountingBound:
    """No private channel has unbiased estimates of the shares with less total variance than `value` / n.

    Parameters
    ----------
    prior : ndarray of Fraction, shape (K,)
        The true shares p.
    ratio : Fraction
        t: the bound is about channels whose columns have entries within this factor.
    matrix : ndarray of Fraction, shape (K, K)
        B.
    duals : ndarray of Fraction, shape (K,)
        lambda, with lambda . v >= |B v|^2 / (p . v) for every vector v of ones and t's.

    Raises
    ------
    CertificateError
        If the last inequality fails for a vector.
    InvalidInputError
        If there are more than 16 labels.

    Notes
    -----
    A column of a private channel is a sum of vectors w_s v_s, w_s >= 0, v_s of ones and t's, and its rows sum to one:
    sum_s w_s v_s = 1. The least total variance of the estimates of a channel with columns q_j is tr(M^-1) - 1, with
    M = sum_j q_j q_j^T / (p . q_j) (`lpmech.designs.decoding`), and M is at most sum_s w_s v_s v_s^T / (p . v_s), since
    q q^T / (p . q) is convex in q and homogeneous. For every B, from |M^(-1/2) - M^(1/2) B^T|^2 >= 0,

    tr(M^-1) >= 2 tr(B) - tr(B M B^T) >= 2 tr(B) - sum_s w_s |B v_s|^2 / (p . v_s)
    >= 2 tr(B) - sum_s w_s lambda . v_s = 2 tr(B) - sum(lambda).
    """

    prior: Array
    ratio: Fraction
    matrix: Array
    duals: Array

    def __post_init__(self) -> None:
        self.check()

    @property
    def value(self) -> Fraction:
        """2 tr(B) - sum(lambda) - 1."""
        return 2 * sum(self.matrix.diagonal().tolist(), Fraction(0)) - sum(self.duals.tolist(), Fraction(0)) - 1

    def check(self) -> None:
        """Check every vector of ones and t's, in exact arithmetic.

        Raises
        ------
        CertificateError, InvalidInputError
            As above.
        """
        if len(self.prior) > _MOST_LABELS:
            raise InvalidInputError("prior", f"{len(self.prior)} labels", f"at most {_MOST_LABELS} labels")
        needed, allowed = both_sides(self.prior, self.ratio, self.matrix, self.duals)
        if np.any(needed > allowed):
            pattern = patterns(len(self.prior))[int(np.argmax(needed > allowed))].tolist()
            raise CertificateError(f"the duals are too small for the column with t at {pattern}")


def both_sides(prior: Array, ratio: Fraction, matrix: Array, duals: Array) -> tuple[Array, Array]:
    """|B v|^2 and (lambda . v) (p . v) for every pattern, as FLINT's rationals."""
    bits = patterns(len(prior))
    columns = np.where(bits == 1, *to_flint(np.array([ratio, Fraction(1)], dtype=object)))
    moved = columns @ to_flint(matrix).T
    return (moved * moved).sum(axis=1), (columns @ to_flint(duals)) * (columns @ to_flint(prior))
