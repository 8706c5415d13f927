"""The structured solver against the pairwise program in cvxpy, qif, and HiGHS on the substituted form."""

from __future__ import annotations

import argparse

import numpy as np
import qif
from instances import EPSILON, instances, random_cosines, seconds
from rich.console import Console
from rich.table import Table
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, csr_matrix

from lpmech.programs import Program


def by_qif(weights: np.ndarray) -> float:
    """Optimum by qif's min_loss_given_d with the discrete metric."""
    size = len(weights)
    prior = np.full(size, 1 / size)
    loss = weights.max() - weights * size
    channel = qif.mechanism.d_privacy.min_loss_given_d(
        prior, size, lambda y, other: EPSILON * (y != other), lambda y, j: float(loss[int(y), int(j)])
    )
    return float((weights * np.array(channel)).sum())


def by_highs(weights: np.ndarray, method: str) -> float:
    """Optimum by HiGHS on q = m_j + x, 0 <= x <= (t - 1) m_j, all in sparse matrices."""
    rows, columns = weights.shape
    excess = np.expm1(EPSILON)
    y, j = (index.ravel() for index in np.indices(weights.shape))
    entries = np.arange(rows * columns)
    ones = np.ones(rows * columns)
    sums = coo_matrix((np.tile(ones, 2), (np.tile(y, 2), np.concatenate([j, columns + entries]))))
    limits = coo_matrix(
        (np.concatenate([-excess * ones, ones]), (np.tile(entries, 2), np.concatenate([j, columns + entries])))
    )
    objective = -np.concatenate([weights.sum(axis=0), weights.ravel()])
    answer = linprog(
        objective, csr_matrix(limits), np.zeros(rows * columns), csr_matrix(sums), np.ones(rows), method=method
    )
    return -float(answer.fun)


def small(console: Console, size: int) -> None:
    table = Table(
        "utility", "lpmech s", "pairwise cvxpy s", "ratio", "qif s", "ratio", "relative gap", title=f"K = {size}"
    )
    for name, weights in instances(size).items():
        program = Program(weights, EPSILON)
        program.solve("interior-point")
        ours = seconds(lambda p=program: p.solve("interior-point"), 20)
        pairwise = seconds(lambda p=program: p.solve("highs-pairwise"), 1)
        other = seconds(lambda w=weights: by_qif(w), 1)
        gap = program.solve("interior-point").relative_gap
        cells = (ours, pairwise, pairwise / ours, other, other / ours)
        table.add_row(name, *(f"{cell:.4g}" for cell in cells), f"{gap:.0e}")
    console.print(table)


def medium(console: Console, size: int) -> None:
    table = Table(
        "utility", "lpmech s", "HiGHS simplex s", "HiGHS interior point s", "ratio to faster", "difference",
        title=f"K = {size}, HiGHS on the substituted form",
    )  # fmt: skip
    for name, weights in instances(size).items():
        program = Program(weights, EPSILON)
        ours = seconds(lambda p=program: p.solve("interior-point"))
        found: dict[str, float] = {}
        times = [
            seconds(lambda m=m, w=weights, f=found: f.update({m: by_highs(w, m)}), 1) for m in ("highs-ds", "highs-ipm")
        ]
        difference = max(abs(value - float(program.solve("interior-point").value)) for value in found.values())
        cells = (ours, *times, min(times) / ours)
        table.add_row(name, *(f"{cell:.4g}" for cell in cells), f"{difference:.0e}")
    console.print(table)


def large(console: Console, sizes: list[int]) -> None:
    table = Table("K", "utility", "seconds", "iterations", "relative gap", "extreme point", title="Large alphabets")
    for size in sizes:
        for name, weights in {**instances(size), "cosine, 16 dimensions": random_cosines(size)}.items():
            if size > 1000 and name == "random":
                continue
            program = Program(weights, EPSILON)
            took = seconds(lambda p=program: p.solve("interior-point"), 2)
            solution = program.solve("interior-point")
            statistics = solution.statistics
            table.add_row(
                str(size), name, f"{took:.2f}", str(statistics["iterations"]), f"{solution.relative_gap:.0e}",
                str(statistics["extreme"]),
            )  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", type=int, default=40, help="labels beside the pairwise program and qif")
    parser.add_argument("--medium", type=int, default=400, help="labels beside HiGHS")
    parser.add_argument("--large", nargs="*", type=int, default=[1000, 2000], help="labels without others")
    given = parser.parse_args()
    small(Console(), given.small)
    medium(Console(), given.medium)
    large(Console(), given.large)
