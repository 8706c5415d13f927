"""OR-Tools' PDLP on a program in a file, in a process of its own: its library and highspy's exclude one another.

Run as ``python ortools_pdlp.py PROGRAM.npz SOLUTION.npz``; see `solve`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.sparse import csc_matrix


def solve(
    cost: np.ndarray, matrix: csc_matrix, equations: int, tolerance: float, limit: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Primal and dual solution and seconds of min cost x, x >= 0, the first rows of the matrix 1, the others <= 0."""
    with tempfile.TemporaryDirectory() as directory:
        program, solution = Path(directory, "program.npz"), Path(directory, "solution.npz")
        np.savez(
            program, cost=cost, data=matrix.data, indices=matrix.indices, indptr=matrix.indptr, shape=matrix.shape,
            options=[equations, tolerance, limit],
        )  # fmt: skip
        subprocess.run([sys.executable, __file__, program, solution], check=True, capture_output=True)
        found = np.load(solution)
        return found["primal"], found["dual"], float(found["seconds"])


def _main(program: str, solution: str) -> None:
    from ortools.pdlp import solvers_pb2
    from ortools.pdlp.python import pdlp

    given = np.load(program)
    matrix = csc_matrix((given["data"], given["indices"], given["indptr"]), shape=tuple(given["shape"]))
    equations, tolerance, limit = given["options"].tolist()
    right = np.where(np.arange(matrix.shape[0]) < equations, 1.0, 0.0)
    model = pdlp.QuadraticProgram()
    model.objective_vector, model.constraint_matrix = given["cost"], matrix
    model.constraint_lower_bounds, model.constraint_upper_bounds = np.where(right > 0, 1.0, -np.inf), right
    model.variable_lower_bounds = np.zeros(matrix.shape[1])
    model.variable_upper_bounds = np.full(matrix.shape[1], np.inf)
    options = solvers_pb2.PrimalDualHybridGradientParams()
    options.termination_criteria.simple_optimality_criteria.eps_optimal_absolute = tolerance
    options.termination_criteria.simple_optimality_criteria.eps_optimal_relative = tolerance
    options.termination_criteria.time_sec_limit = limit
    start = time.perf_counter()
    answer = pdlp.primal_dual_hybrid_gradient(model, options)
    took = time.perf_counter() - start
    np.savez(solution, primal=answer.primal_solution, dual=answer.dual_solution, seconds=took)


if __name__ == "__main__":
    _main(*sys.argv[1:])
