"""Ten thousand labels: processor time, memory and the certified gap, which is of the full program.

Distances on a line and on a grid, distances on a line up to 3 (all others count as 3), hits under a Dirichlet prior,
and, of half as many labels, cosines in 16 dimensions.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from instances import EPSILON, random_cosines
from rich.console import Console
from rich.table import Table
from scipy.spatial.distance import cdist

from lpmech.programs import Program

PLACES = ("line", "grid", "near", "Dirichlet", "cosines")


def weights_of(place: str, size: int) -> np.ndarray:
    """Utility times prior of about K labels, for a grid a square one, for cosines half as many."""
    if place == "cosines":
        return random_cosines(size // 2)
    if place == "Dirichlet":
        return np.diag(np.random.default_rng(0).dirichlet(np.ones(size)))
    side = round(size**0.5)
    where = (np.argwhere(np.ones((side, side))) if place == "grid" else np.arange(size)[:, None]).astype(float)
    weights = cdist(where, where)
    if place == "near":
        np.minimum(weights, 3, out=weights)
    weights *= -1 / len(where)
    return weights


def solved(place: str, size: int) -> tuple[str, ...]:
    """K, the weights, seconds of processor time, GiB at the peak and the relative gap."""
    weights = weights_of(place, size)
    start = time.process_time()
    solution = Program(weights, EPSILON).solve()
    took = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return str(len(weights)), place, f"{took:.1f}", f"{peak:.2f}", f"{solution.relative_gap:.0e}"


def main(size: int, places: Sequence[str]) -> None:
    table = Table("K", "weights", "seconds", "GiB", "relative gap", title="Large programs, processor time")
    for place in places:
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            table.add_row(*alone.submit(solved, place, size).result())
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--only", choices=PLACES, help="one of the programs")
    given = parser.parse_args()
    main(given.size, PLACES if given.only is None else (given.only,))
