"""The structured solver against HiGHS's simplex, interior point and PDLP methods and OR-Tools' PDLP at equal gap.

Every answer is judged by the same rigorous bounds: the greedy fill of its column floors from below, its row duals from
above. A first-order method gets the loosest tolerance with which its certified gap is at most `EQUAL`, if one is found
within the time limit. Medians of several runs, on the machine as it is and with one and two of its cores kept busy.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import highspy
import numpy as np
import ortools_pdlp
from instances import EPSILON, instances
from rich.console import Console
from rich.table import Table
from scipy.sparse import coo_matrix, csc_matrix

from lpmech.privacy import as_privacy_level
from lpmech.programs import Program
from lpmech.programs.rounding import bound_from_above, value_from_below
from lpmech.programs.row_blocks import RowBlocks
from lpmech.programs.solvers.filling import Filler

#: Column floors, row duals and the solver's own seconds.
Answer = tuple[np.ndarray, np.ndarray, float]
#: Certified relative gap that is asked of every method, and the tolerances tried for it.
EQUAL, TOLERANCES = 1e-8, (1e-8, 1e-10, 1e-12)
#: Seconds that one run may take.
LIMIT = 300.0


def substituted(weights: np.ndarray) -> tuple[np.ndarray, csc_matrix]:
    """Objective and constraint matrix of q = m_j + x, 0 <= x <= (t - 1) m_j: K row sums, then the bounds of x."""
    rows, columns = weights.shape
    y, j = (index.ravel() for index in np.indices(weights.shape))
    x, ones = columns + np.arange(rows * columns), np.ones(rows * columns)
    bounds = rows + np.arange(rows * columns)
    values = np.concatenate([ones, ones, ones, -np.expm1(EPSILON) * ones])
    places = (np.concatenate([y, y, bounds, bounds]), np.concatenate([j, x, x, j]))
    return np.concatenate([weights.sum(axis=0), weights.ravel()]), csc_matrix(coo_matrix((values, places)))


def by_highs(weights: np.ndarray, tolerance: float, method: str) -> Answer:
    """Column floors, row duals and seconds by HiGHS on the substituted form."""
    rows, columns = weights.shape
    objective, matrix = substituted(weights)
    unit = abs(weights).max()
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.col_cost_ = -objective / unit
    model.col_lower_, model.col_upper_ = np.zeros(matrix.shape[1]), np.full(matrix.shape[1], highspy.kHighsInf)
    model.row_lower_ = np.concatenate([np.ones(rows), np.full(rows * columns, -highspy.kHighsInf)])
    model.row_upper_ = np.concatenate([np.ones(rows), np.zeros(rows * columns)])
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_, model.a_matrix_.index_ = matrix.indptr, matrix.indices
    model.a_matrix_.value_ = matrix.data
    highs = highspy.Highs()
    for option, value in (("output_flag", False), ("solver", method), ("pdlp_optimality_tolerance", tolerance)):
        highs.setOptionValue(option, value)
    highs.setOptionValue("time_limit", LIMIT)
    highs.passModel(model)
    start = time.perf_counter()
    highs.run()
    took = time.perf_counter() - start
    solution = highs.getSolution()
    return np.maximum(np.array(solution.col_value)[:columns], 0), -unit * np.array(solution.row_dual)[:rows], took


def by_ortools(weights: np.ndarray, tolerance: float) -> Answer:
    """Column floors, row duals and seconds by OR-Tools' PDLP on the substituted form."""
    rows, columns = weights.shape
    objective, matrix = substituted(weights)
    unit = abs(weights).max()
    primal, dual, took = ortools_pdlp.solve(-objective / unit, matrix, rows, tolerance, LIMIT)
    return np.maximum(primal[:columns], 0), -unit * dual[:rows], took


METHODS: dict[str, Callable[[np.ndarray, float], Answer]] = {
    "simplex": partial(by_highs, method="simplex"),
    "ipm": partial(by_highs, method="ipm"),
    "pdlp": partial(by_highs, method="pdlp"),
    "OR-Tools pdlp": by_ortools,
}


def at_equal_gap(method: str, weights: np.ndarray, runs: int) -> tuple[float, float]:
    """Median seconds and certified gap with the loosest tolerance that reaches `EQUAL`, else with the last one."""
    for tolerance in TOLERANCES if "pdlp" in method else TOLERANCES[:1]:
        floors, duals, took = METHODS[method](weights, tolerance)
        gap = certified_gap(weights, floors, duals)
        if gap <= EQUAL or took >= LIMIT:
            break
    times = [took, *(METHODS[method](weights, tolerance)[2] for _ in range(runs - 1) if took < LIMIT)]
    return statistics.median(times), gap


def certified_gap(weights: np.ndarray, floors: np.ndarray, duals: np.ndarray) -> float:
    """Relative gap of the best fill of the floors and the shifted duals, whoever computed them."""
    level = as_privacy_level(EPSILON)
    filler = Filler(weights, level.excess_bounds[0], RowBlocks(weights.shape))
    value = value_from_below(weights, level, filler.matrix(filler.fill(floors)))
    bound = bound_from_above(weights, level, duals)
    return (bound - value) / max(abs(value), abs(bound))


@contextmanager
def busy(cores: int) -> Iterator[None]:
    """So many other processes that do nothing but count."""
    burners = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(cores)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.terminate()
            burner.join()


def _burn() -> None:
    while True:
        pass


def median(work: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main(
    size: int, runs: int, methods: tuple[str, ...], cores_kept_busy: tuple[int, ...], utilities: tuple[str, ...]
) -> None:
    console = Console()
    for cores in cores_kept_busy:
        table = Table(
            "utility", "solver", "median s", "ratio", "certified gap", title=f"K = {size}, {cores} cores kept busy"
        )
        for name, weights in instances(size).items():
            if utilities and name not in utilities:
                continue
            program = Program(weights, EPSILON)
            with busy(cores):
                ours = median(lambda p=program: p.solve(), runs)
                table.add_row(name, "lpmech", f"{ours:.3f}", "1", f"{program.solve().relative_gap:.0e}")
                for method in methods:
                    took, gap = at_equal_gap(method, weights, runs)
                    table.add_row("", method, f"{took:.3f}", f"{took / ours:.1f}", f"{gap:.0e}")
        console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=METHODS)
    parser.add_argument("--busy", nargs="*", type=int, default=[0, 1, 2], help="how many cores are kept busy")
    parser.add_argument("--utilities", nargs="*", default=[], help="names as in instances.py; all if omitted")
    given = parser.parse_args()
    main(given.size, given.runs, tuple(given.methods), tuple(given.busy), tuple(given.utilities))
