"""Does the interior point method gain from an iterate of a neighbouring epsilon? Iterations, cold against warm.

The warm start takes an iterate of the neighbour with a relative gap of 1e-1, 1e-2 or 1e-3: the nearer to its optimum,
the nearer to the boundary, too.
"""

from __future__ import annotations

import argparse

import numpy as np
from instances import instances
from rich.console import Console
from rich.table import Table

from lpmech.programs.solvers.interior_point import InteriorPoint


def iterations(gain: np.ndarray, epsilon: float, neighbour: float | None = None, accuracy: float = 1e-2) -> int:
    """Iterations to a relative gap of 1e-10, from scratch or from an iterate at the neighbouring epsilon."""
    columns, start = np.arange(gain.shape[1]), None
    if neighbour is not None:
        other = InteriorPoint(gain, np.expm1(neighbour), columns)
        other.run(accuracy)
        start = other.iterate()
    method = InteriorPoint(gain, np.expm1(epsilon), columns, start=start)
    method.run(1e-10)
    return method.iterations


def main(size: int) -> None:
    table = Table("utility", "step of epsilon", "cold", "warm 1e-1", "warm 1e-2", "warm 1e-3", title=f"K = {size}")
    for name, weights in instances(size).items():
        gain = weights - weights.max(axis=1, keepdims=True)
        gain /= -gain.min()
        for step in (0.1, 0.01, 0.001):
            warm = [iterations(gain, 1.0, 1.0 - step, accuracy) for accuracy in (1e-1, 1e-2, 1e-3)]
            table.add_row(name, str(step), str(iterations(gain, 1.0)), *map(str, warm))
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200)
    main(parser.parse_args().size)
