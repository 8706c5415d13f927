"""Time and memory of the structured solver against K, beside the floor; written to bench-output/growth.png."""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
from instances import EPSILON, instances, seconds
from rich.console import Console
from rich.table import Table
from scipy.linalg import cholesky

from lpmech.programs import Program


def measured(size: int, name: str) -> tuple[float, float, int]:
    """Seconds, peak memory in dense K x K arrays and iterations, in a process of its own."""
    run = subprocess.run(
        [sys.executable, __file__, "--one", str(size), name], capture_output=True, text=True, check=True
    )
    took, arrays, iterations = run.stdout.split()
    return float(took), float(arrays), int(iterations)


def one(size: int, name: str) -> None:
    weights = instances(size)[name]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = []
    took = seconds(lambda: found.append(Program(weights, EPSILON).solve("interior-point")), 1)
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(took, peak / (8 * size * size), found[0].statistics["iterations"])


def floors(size: int) -> tuple[float, float]:
    """Seconds for reading the utility once and for one K x K Cholesky factorisation."""
    weights = instances(size)["|i - j|"]
    definite = weights @ weights.T + size * np.eye(size)
    return seconds(weights.sum), seconds(lambda: cholesky(definite, check_finite=False))


def main(sizes: list[int], output: Path) -> None:
    from matplotlib.figure import Figure

    table = Table(
        "K", "utility", "seconds", "K x K arrays", "iterations", "read once s", "factor once s", title="Growth"
    )
    rows = []
    for size in sizes:
        read, factor = floors(size)
        for name in ("|i - j|", "Dirichlet diagonal"):
            took, arrays, iterations = measured(size, name)
            rows.append((size, name, took, arrays, read, factor))
            table.add_row(
                str(size), name, f"{took:.2f}", f"{arrays:.1f}", str(iterations), f"{read:.4f}", f"{factor:.4f}"
            )
    Console().print(table)
    output.parent.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(9, 4), layout="constrained")
    times, memory = figure.subplots(1, 2)
    for name in dict.fromkeys(row[1] for row in rows):
        own = [row for row in rows if row[1] == name]
        times.loglog([row[0] for row in own], [row[2] for row in own], "o-", label=name)
        memory.plot([row[0] for row in own], [row[3] for row in own], "o-", label=name)
    for name in dict.fromkeys(row[1] for row in rows):
        own = [row for row in rows if row[1] == name and row[2] > 0]
        slope = np.polyfit(np.log([row[0] for row in own]), np.log([row[2] for row in own]), 1)[0]
        Console().print(f"{name}: seconds grow like K^{slope:.2f}")
    single = [row for row in rows if row[1] == rows[0][1]]
    times.loglog([row[0] for row in single], [row[5] for row in single], "k--", label="one factorisation")
    times.loglog([row[0] for row in single], [row[4] for row in single], "k:", label="reading the utility once")
    times.set(xlabel="K", ylabel="seconds")
    ticks = [row[0] for row in single]
    times.set_xticks(ticks, labels=[str(size) for size in ticks])
    times.set_xticks([], minor=True)
    memory.set(xlabel="K", ylabel="peak memory in dense K x K arrays")
    memory.axhline(20, color="k", linestyle=":")
    times.legend()
    memory.legend()
    figure.savefig(output)
    Console().print(f"written to {output}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", nargs=2, metavar=("K", "UTILITY"))
    parser.add_argument("--sizes", nargs="*", type=int, default=[250, 500, 1000, 2000, 4000])
    parser.add_argument("--output", type=Path, default=Path("bench-output/growth.png"))
    given = parser.parse_args()
    if given.one:
        one(int(given.one[0]), given.one[1])
    else:
        main(given.sizes, given.output)
