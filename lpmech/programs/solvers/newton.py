"""The Newton system of the structured interior point method, factored once and solved with refinement."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import blas, lapack

from lpmech.entries import Array
from lpmech.errors import SolverError

__all__ = ["Newton"]

_REFINEMENTS = 5
_REFINED = 1e-13


class Newton:
    """The Newton system of one iterate, factored.

    With da' = g^(1/2) da and dpi' = e^(1/2) dpi it reads da' + M^T dpi' = R', M da' - dpi' = b'.

    Parameters
    ----------
    scaled : ndarray, shape (K, J)
        M.
    row_scale, column_scale : ndarray, shape (K,) and (J,)
        e^(1/2) and g^(1/2).
    row_residual, column_residual : ndarray, shape (K,) and (J,)
        What rounding has left in the primal and the dual equations.
    """

    def __init__(
        self, scaled: Array, row_scale: Array, column_scale: Array, row_residual: Array, column_residual: Array
    ) -> None:
        self.row_residual, self.column_residual = row_residual, column_residual
        self._scaled, self._row_scale, self._column_scale = scaled, row_scale, column_scale
        self._by_rows = scaled.shape[0] <= scaled.shape[1]
        self._factor = self._factored()

    def _factored(self) -> Array:
        """Cholesky factor of I + M M^T or I + M^T M; the diagonal is raised, first by a rounding, until it exists."""
        for raised in (1e-15, 1e-13, 1e-11, 1e-9, 1e-6):
            square = blas.dsyrk(1.0, self._scaled.T, trans=1 if self._by_rows else 0)
            diagonal = np.einsum("ii->i", square)
            diagonal += 1 + raised * diagonal
            factor, failed = lapack.dpotrf(square, lower=0, overwrite_a=1, clean=0)
            if not failed:
                return factor
        raise SolverError("the Newton system of the interior point method cannot be factored")

    def solve(self, right: Array, rows: Array) -> tuple[Array, Array]:
        """(da, dpi) for the right-hand sides R, shape (J,), and b, shape (K,), refined to 1e-13 or while that helps."""
        right, rows = right / self._column_scale, rows / self._row_scale
        ceilings, duals = self._solve_once(right, rows)
        error, enough = math.inf, _REFINED**2 * float(right @ right + rows @ rows)
        for _ in range(_REFINEMENTS):
            right_left = right - ceilings - duals @ self._scaled
            rows_left = rows - self._scaled @ ceilings + duals
            last, error = error, float(right_left @ right_left + rows_left @ rows_left)
            if not enough < error < 0.25 * last:
                break
            more = self._solve_once(right_left, rows_left)
            ceilings, duals = ceilings + more[0], duals + more[1]
        return ceilings / self._column_scale, duals / self._row_scale

    def _solve_once(self, right: Array, rows: Array) -> tuple[Array, Array]:
        if self._by_rows:
            duals = lapack.dpotrs(self._factor, self._scaled @ right - rows)[0]
            return right - duals @ self._scaled, duals
        ceilings = lapack.dpotrs(self._factor, right + rows @ self._scaled)[0]
        return ceilings, self._scaled @ ceilings - rows
