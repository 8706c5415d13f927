"""Column generation on the K-variable dual against the interior point method, which was chosen after this comparison.

The dual is min sum(pi) with one convex constraint an output; its linearisations are the columns of a master program:
an output with the set of rows at the ceiling. The best set of an output for given pi is {y : w[y, j] > pi_y}, so
pricing costs one pass over the weights; HiGHS keeps the simplex basis of the master.
"""

from __future__ import annotations

import argparse

import highspy
import numpy as np
from instances import EPSILON, instances, seconds
from rich.console import Console
from rich.table import Table

from lpmech.programs import Program


def column_generation(weights: np.ndarray, gap: float = 1e-8, most: int = 200) -> tuple[int, float]:
    """Rounds and relative gap reached."""
    rows, columns = weights.shape
    excess = np.expm1(EPSILON)
    top = weights.max(axis=1)
    below = weights - top[:, None]
    master = highspy.Highs()
    master.setOptionValue("output_flag", False)
    for _ in range(rows):
        master.addRow(1.0, 1.0, 0, [], [])
    every = np.arange(rows, dtype=np.int32)

    def add(j: int, high: np.ndarray) -> None:
        factor = 1 + excess * high
        master.addCol(-float(factor @ below[:, j]), 0.0, highspy.kHighsInf, rows, every, factor)

    for y in range(rows):  # slack for a start: a row may lose everything it can
        master.addCol(2.0 * rows * float(-below.min()), 0.0, highspy.kHighsInf, 1, [y], [1.0])
    for j in range(columns):
        add(j, np.zeros(rows))
    best, rounds = np.inf, 0
    for _ in range(most):
        master.run()
        rounds += 1
        pi = -np.array(master.getSolution().row_dual)
        value = -master.getInfo().objective_function_value
        slack = below - pi[:, None]
        excesses = slack.sum(axis=0) + excess * np.maximum(slack, 0).sum(axis=0)
        best = min(best, float(pi.sum() + max(excesses.max(), 0.0)))
        if best - value <= gap * abs(value + top.sum()):
            break
        for j in np.flatnonzero(excesses > 0):
            add(int(j), slack[:, j] > 0)
    return rounds, (best - value) / abs(value + top.sum())


def main(sizes: list[int]) -> None:
    table = Table("K", "utility", "lpmech s", "column generation s", "rounds", "relative gap", title="Alternatives")
    for size in sizes:
        for name, weights in instances(size).items():
            ours = seconds(lambda w=weights: Program(w, EPSILON).solve("interior-point"))
            found: list[tuple[int, float]] = []
            theirs = seconds(lambda w=weights, f=found: f.append(column_generation(w)), 1)
            rounds, gap = found[0]
            table.add_row(str(size), name, f"{ours:.3f}", f"{theirs:.2f}", str(rounds), f"{gap:.0e}")
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[10, 20, 40])
    main(parser.parse_args().sizes)
