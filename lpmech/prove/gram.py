"""Gram matrices: found by a semidefinite program in floats, rounded to exact solutions of its equations, decomposed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_mpoly

from lpmech.extras import needs

__all__ = ["Inside", "Linear", "definite", "interior", "rounded", "without_kernel"]

#: What counts as an eigenvalue of zero beside the largest, and how far inside of the cone a matrix has to be.
_KERNEL, _INSIDE = 1e-4, 1e-6
#: Denominators of a kernel's entries, and how near they have to be.
_SMALL, _NEAR = 60, 2e-3
#: What entries are rounded to, the simplest first.
_DENOMINATORS = (1, 12, 2520, 10**6, 10**9)
_ITERATIONS = 200


@dataclass(frozen=True)
class Linear:
    """Equations about entries of symmetric matrices, weights that are not negative and add up to one, free numbers.

    Attributes
    ----------
    rows : list of lists of fmpq
        One for each monomial, and one for the sum of the weights, but for those that follow from others, at which a
        solver in floats stalls; the last entry is the right side.
    sizes : list of int
        Of the matrices.
    weights : int
    """

    rows: list[list[fmpq]]
    sizes: list[int]
    weights: int

    @classmethod
    def of(cls, columns: Sequence[fmpq_mpoly], sizes: list[int], weights: int) -> Linear:
        """That the columns, with these unknowns, add up to the zero polynomial."""
        entries = [{tuple(map(int, m)): c for m, c in column.to_dict().items()} for column in columns]
        monomials = sorted({m for column in entries for m in column})
        rows = [[*(column.get(m, fmpq(0)) for column in entries), fmpq(0)] for m in monomials]
        first = sum(n * (n + 1) // 2 for n in sizes)
        rows.append([fmpq(int(first <= i < first + weights or i == len(columns))) for i in range(len(columns) + 1)])
        return cls(_independent(rows), sizes, weights)


def _independent(rows: list[list[fmpq]]) -> list[list[fmpq]]:
    """The rows that are no combination of rows before them."""
    turned, rank = fmpq_mat([list(column) for column in zip(*rows, strict=True)]).rref()
    return [rows[next(j for j in range(len(rows)) if turned[i, j] != 0)] for i in range(rank)]


@dataclass(frozen=True)
class Inside:
    """A solution in floats.

    Attributes
    ----------
    values : array
        Of all unknowns.
    matrices : list of arrays
    inside : bool
        Whether every matrix is positive definite by more than rounding.
    """

    values: Any
    matrices: list[Any]
    inside: bool


def interior(linear: Linear) -> Inside | None:
    """A solution whose matrices are as far inside of the cone as they can be; None if there is none.

    Raises
    ------
    MissingDependencyError
        If cvxpy is not installed.
    """
    with needs("programs"):
        import cvxpy as cp
    if not linear.rows or not linear.sizes:  # nothing to be found
        return None
    table = np.array([[int(v.p) / int(v.q) for v in row] for row in linear.rows])
    table /= np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-300)
    unknown, depth = cp.Variable(table.shape[1] - 1), cp.Variable()
    first = sum(n * (n + 1) // 2 for n in linear.sizes)
    constraints: list[Any] = [table[:, :-1] @ unknown == table[:, -1], depth <= 1]
    constraints.append(unknown[first : first + linear.weights] >= 0)
    maps = list(_matrices(linear.sizes))
    for size, chosen in zip(linear.sizes, maps, strict=True):
        matrix = cp.reshape(unknown[chosen.ravel()], (size, size), order="C")
        if size:  # nothing is left of a matrix whose kernel is everything
            constraints.append(matrix - depth * np.eye(size) >> 0)
    problem = cp.Problem(cp.Maximize(depth), constraints)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is inaccurate is made exact, or is of no use
            problem.solve(solver=cp.CLARABEL, max_iter=_ITERATIONS, accept_unknown=True)
    except cp.SolverError:
        return None
    if unknown.value is None or problem.status not in ("optimal", "optimal_inaccurate") or depth.value < -_INSIDE * 100:
        return None
    matrices = [unknown.value[chosen] for chosen in maps]
    return Inside(unknown.value, matrices, bool(depth.value > _INSIDE))


def _matrices(sizes: Sequence[int]) -> Iterator[Any]:
    """For each matrix where its entries stand among the unknowns."""
    start = 0
    for size in sizes:
        places = np.zeros((size, size), dtype=int)
        for number, (i, j) in enumerate(combinations_with_replacement(range(size), 2)):
            places[i, j] = places[j, i] = start + number
        start += size * (size + 1) // 2
        yield places


def without_kernel(matrix: Any) -> list[list[fmpq]] | None:
    """Vectors that span what is orthogonal to the kernel of a matrix; None if the kernel is in no small rationals."""
    size = len(matrix)
    if not size:
        return []
    values, vectors = np.linalg.eigh(matrix)
    kernel = vectors[:, values < _KERNEL * max(1.0, values[-1])].T
    reduced, pivots = _reduced(kernel.copy())
    entries = [[Fraction(float(v)).limit_denominator(_SMALL) for v in row] for row in reduced]
    if np.abs(np.array(entries, dtype=float).reshape(reduced.shape) - reduced).max(initial=0) > _NEAR:
        return None
    found = []
    for free in (j for j in range(size) if j not in pivots):
        row = [fmpq(int(j == free)) for j in range(size)]
        for pivot, line in zip(pivots, entries, strict=True):
            row[pivot] = -fmpq(line[free].numerator, line[free].denominator)
        found.append(row)
    return found


def _reduced(rows: Any) -> tuple[Any, list[int]]:
    """Rows in reduced echelon form, the largest entry of each as its pivot."""
    pivots: list[int] = []
    for i in range(len(rows)):
        rest = np.abs(rows[i:])
        below, pivot = np.unravel_index(np.argmax(rest), rest.shape)
        rows[[i, i + below]] = rows[[i + below, i]]
        rows[i] /= rows[i, pivot]
        for other in range(len(rows)):
            if other != i:
                rows[other] -= rows[other, pivot] * rows[i]
        pivots.append(int(pivot))
    return rows, pivots


def rounded(linear: Linear, values: Any) -> Iterator[list[fmpq]]:
    """Exact solutions of the equations near a solution in floats, the simplest first."""
    width = len(linear.rows[0])
    reduced, rank = fmpq_mat(len(linear.rows), width, [v for row in linear.rows for v in row]).rref()
    pivots = [next(j for j in range(width) if reduced[i, j] != 0) for i in range(rank)]
    if width - 1 in pivots:
        return
    free = [j for j in range(width - 1) if j not in set(pivots)]
    for denominator in _DENOMINATORS:
        exact = [fmpq(0)] * (width - 1)
        for j in free:
            exact[j] = fmpq(round(float(values[j]) * denominator), denominator)
        for i, pivot in enumerate(pivots):
            exact[pivot] = reduced[i, width - 1] - sum((reduced[i, j] * exact[j] for j in free), fmpq(0))
        yield exact


def definite(entries: Mapping[tuple[int, int], fmpq], size: int) -> list[tuple[fmpq, list[fmpq]]] | None:
    """Weights and rows with x'Qx = sum of weight (row x)^2: Q = L D L'; None if Q is not positive semidefinite.

    Parameters
    ----------
    entries : mapping of (int, int) to fmpq
        On and above the diagonal.
    size : int
    """
    left = dict(entries)
    found = []
    for k in range(size):
        pivot = left[k, k]
        row = [left[k, j] for j in range(k, size)]
        if pivot < 0 or (pivot == 0 and any(v != 0 for v in row)):
            return None
        if pivot == 0:
            continue
        scaled = [v / pivot for v in row]
        found.append((pivot, [fmpq(0)] * k + scaled))
        for i in range(k + 1, size):
            for j in range(i, size):
                left[i, j] -= row[i - k] * scaled[j - k]
    return found
