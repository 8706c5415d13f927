"""Linear systems over floats (LAPACK) or exact rationals (FLINT), chosen by the entries."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from lpmech.entries import Array, as_array, is_exact

__all__ = [
    "flint_number",
    "from_flint",
    "independent_columns",
    "inverse",
    "one_thread",
    "solve_sparse",
    "solve_square",
    "to_flint",
]


@lru_cache(maxsize=1)
def _libraries(modules: int) -> ThreadpoolController:
    """The libraries of linear algebra, while no module is added; finding them takes longer than a small program."""
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    """Small matrices are done sooner by one thread than by several that wait for each other."""
    return _libraries(len(sys.modules)).limit(limits=1, user_api="blas")


def solve_square(matrix: Array, right: Array) -> Array:
    """Solve matrix @ x = right for a square matrix, shape (n, n) and (n,) or (n, m).

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular.
    """
    if not (is_exact(matrix) and is_exact(right)):
        try:
            return np.linalg.solve(matrix.astype(float), right.astype(float))
        except np.linalg.LinAlgError as exc:
            raise ZeroDivisionError("the matrix is singular") from exc
    columns = right.reshape(len(right), -1)
    solution = _fmpq(matrix).solve(_fmpq(columns))
    entries = [Fraction(int(v.p), int(v.q)) for v in solution.entries()]
    return as_array(entries, "solution", 1).reshape(right.shape)


#: A pivot of a sparse system changes so many numbers at most; what is left is dense.
_MOST_CHANGED = 64


def solve_sparse(rows: Sequence[Mapping[int, Any]], right: Sequence[Any]) -> list[Any]:
    """Solve a square system of which the rows have few coefficients: those of short rows and columns are eliminated.

    Parameters
    ----------
    rows : sequence of mappings
        The coefficients that are not zero, by their column 0..n-1, in FLINT's rationals.
    right : sequence of FLINT's rationals

    Returns
    -------
    list of FLINT's rationals

    Raises
    ------
    ValueError
        If there are not as many right sides.
    ZeroDivisionError
        If the system is singular.
    """
    from flint import fmpq, fmpq_mat

    left, values, size = [dict(row) for row in rows], list(right), len(rows)
    if len(values) != size:
        raise ValueError(f"{len(values)} right sides for {size} rows")
    holding: dict[int, set[int]] = {j: set() for j in range(size)}
    for i, row in enumerate(left):
        for j in row:
            holding[j].add(i)
    queue, open_rows, pivots = [(len(row), i) for i, row in enumerate(left)], set(range(size)), []
    heapify(queue)
    while queue:
        length, i = heappop(queue)
        if i not in open_rows or length != len(left[i]):
            continue
        if not length:
            raise ZeroDivisionError("the system is singular")
        j = min(left[i], key=lambda column: len(holding[column]))
        if (length - 1) * (len(holding[j]) - 1) > _MOST_CHANGED:
            break
        open_rows.remove(i)
        for column in left[i]:
            holding[column].discard(i)
        for k in holding.pop(j):
            factor = left[k].pop(j) / left[i][j]
            values[k] -= factor * values[i]
            for column, v in left[i].items():
                if column != j:
                    changed = left[k].get(column, 0) - factor * v
                    if changed:
                        left[k][column] = changed
                        holding[column].add(k)
                    elif left[k].pop(column, None) is not None:
                        holding[column].discard(k)
            heappush(queue, (len(left[k]), k))
        pivots.append((i, j))
    solution = [fmpq(0)] * size
    if open_rows:
        order, columns = sorted(open_rows), sorted(holding)
        dense = fmpq_mat(len(order), len(columns), [left[i].get(j, fmpq(0)) for i in order for j in columns])
        found = dense.solve(fmpq_mat(len(order), 1, [values[i] for i in order]))
        for at, j in enumerate(columns):
            solution[j] = found[at, 0]
    for i, j in reversed(pivots):
        rest = sum((v * solution[column] for column, v in left[i].items() if column != j), fmpq(0))
        solution[j] = (values[i] - rest) / left[i][j]
    return solution


def inverse(matrix: Array) -> Array:
    """Inverse of a square matrix, shape (n, n).

    Raises
    ------
    ZeroDivisionError
        If the matrix is singular.
    """
    identity = np.eye(len(matrix), dtype=int)
    return solve_square(matrix, as_array(identity, "identity", 2))


def independent_columns(matrix: Array) -> list[int]:
    """Indices of the first columns that span the column space of an exact matrix, shape (m, n)."""
    reduced, rank = _fmpq(matrix).rref()
    columns = matrix.shape[1]
    return [next(j for j in range(columns) if reduced[i, j] != 0) for i in range(rank)]


def flint_number(value: Any) -> Any:
    """An exact number as FLINT's rational, whose arithmetic is some ten times faster than that of Fraction."""
    from flint import fmpq

    exact = Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def to_flint(values: Array) -> Array:
    """An exact array, its entries FLINT's rationals; numpy's arithmetic and comparisons work on it."""
    flat = np.empty(values.size, dtype=object)
    flat[:] = [flint_number(v) for v in values.ravel().tolist()]
    return flat.reshape(values.shape)


def from_flint(values: Array) -> Array:
    """An array of FLINT's rationals as Fractions."""
    exact = np.empty(values.size, dtype=object)
    exact[:] = [Fraction(int(v.p), int(v.q)) for v in values.ravel()]
    return exact.reshape(values.shape)


def _fmpq(matrix: Array):  # type: ignore[no-untyped-def]  # python-flint ships no usable annotations here
    from flint import fmpq, fmpq_mat

    rows, columns = matrix.shape
    return fmpq_mat(rows, columns, [fmpq(v.numerator, v.denominator) for v in matrix.ravel().tolist()])
