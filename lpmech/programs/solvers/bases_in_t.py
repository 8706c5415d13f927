"""The two systems of a basis over Q(t), without fixed entries: one constant matrix, its inverse, and a correction.

With s = t - 1 a row without a free entry states sum_j m_j + s sum_(j high) m_j = 1, in matrices (J + s H) m = 1 with J
all ones and H of zeros and ones. For any number c it is s G + (1 - c s) J with G = H + c J, so that where G has an
inverse, sum(m) (s + (1 - c s) g) = sum(G^-1 1) with g = sum(G^-1 1), and m follows (Sherman and Morrison). det(G) is
linear in c: if it vanishes at c = 0 and at c = 1, then the system of the basis is singular for every t. A row with a
free entry has the free entry alone as an unknown of its own, and the weight of the free entry as its dual.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq_mat, fmpz_mat, fmpz_poly

from lpmech.entries import Array
from lpmech.programs.solvers.basis import Basis
from lpmech.programs.solvers.polynomial_systems import QuotientVector

__all__ = ["solved_in_t"]

_EXCESS = fmpz_poly([-1, 1])  # t - 1


def solved_in_t(basis: Basis, weights: Array) -> tuple[QuotientVector, QuotientVector]:
    """The unknowns of a basis (floors, then free entries) and the duals of its equations, as functions of t.

    Parameters
    ----------
    basis : Basis
        Of a program without fixed entries.
    weights : ndarray of int, shape (K, J)
        Objective.

    Raises
    ------
    ZeroDivisionError
        If the system of the basis is not square, or singular for every t.
    """
    broken = dict(basis.free)
    tight = [y for y in basis.equations if y not in broken]
    if len(broken) != len(basis.free) or not {*broken} <= {*basis.equations} or not len(tight) == len(basis.floors) > 0:
        raise ZeroDivisionError("the system of the basis is singular")
    rows, floors = [*broken], list(basis.floors)
    high = basis.high[:, floors]
    inverse, added = _inverse(high[tight].astype(int).tolist())
    size = len(tight)
    ones = fmpq_mat(size, 1, [1] * size)
    unit, (row_sums, column_sums) = _whole(inverse * ones, inverse.transpose() * ones)
    total = sum(row_sums)
    # s + (1 - c s) g, in the unit
    scale = _EXCESS * unit + (1 - added * _EXCESS) * total
    lifted = fmpz_mat(high[rows].astype(int).tolist()) * fmpz_mat(size, 1, row_sums) if rows else fmpz_mat(0, 1)
    rest = [_EXCESS * (unit - added * total - each) for each in lifted.entries()]
    unknowns = QuotientVector.of([*(fmpz_poly([v]) for v in row_sums), *rest], scale)

    own = weights[rows, [broken[y] for y in rows]] if rows else np.zeros(0, dtype=object)
    gains = weights[:, floors]
    fixed = gains.sum(axis=0) - own.sum()
    moving = (gains * high).sum(axis=0) - (own[:, None] * high[rows]).sum(axis=0)
    sides = fmpq_mat(fmpz_mat([[int(v), int(w)] for v, w in zip(fixed, moving, strict=True)]))
    solved = inverse.transpose() * sides
    part, (constants, slopes) = _whole(*(fmpq_mat(size, 1, [solved[i, k] for i in range(size)]) for k in range(2)))
    summed = (1 - added * _EXCESS) * fmpz_poly([sum(constants) - sum(slopes), sum(slopes)])
    duals = [fmpz_poly([a - b, b]) * scale - z * summed for a, b, z in zip(constants, slopes, column_sums, strict=True)]
    one = part * _EXCESS * scale
    of_row = dict(zip(tight, duals, strict=True)) | {y: int(v) * one for y, v in zip(rows, own, strict=True)}
    return unknowns, QuotientVector.of([of_row[y] for y in basis.equations], one)


def _inverse(high: list[list[int]]) -> tuple[Any, int]:
    """The inverse of H + c J, and c: 0, or 1 where H is singular."""
    try:
        return fmpq_mat(fmpz_mat(high)).inv(), 0
    except ZeroDivisionError:
        return fmpq_mat(fmpz_mat([[entry + 1 for entry in row] for row in high])).inv(), 1


def _whole(*columns: Any) -> tuple[Any, list[list[Any]]]:
    """A denominator of all columns, and their numerators over it."""
    parts = [column.numer_denom() for column in columns]
    unit = parts[0][1]
    for _, denominator in parts[1:]:
        unit = unit * denominator // unit.gcd(denominator)
    return unit, [[v * (unit // denominator) for v in numerators.entries()] for numerators, denominator in parts]
