"""Ten thousand labels on a line and on a grid: time, memory and the certified gap, which is of the full program."""

from __future__ import annotations

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from instances import EPSILON
from rich.console import Console
from rich.table import Table
from scipy.spatial.distance import cdist

from lpmech.programs import Program

PLACES = ("line", "grid")


def points(place: str, size: int) -> np.ndarray:
    """Labels 0..K-1 on a line, or the points of a square grid with about K points."""
    side = round(size**0.5)
    return np.arange(size)[:, None] if place == "line" else np.argwhere(np.ones((side, side)))


def solved(place: str, size: int) -> tuple[str, ...]:
    """K, the points, seconds, GiB at the peak and the relative gap for distances under the uniform prior."""
    where = points(place, size).astype(float)
    weights = cdist(where, where)
    weights *= -1 / len(where)
    start = time.perf_counter()
    solution = Program(weights, EPSILON).solve()
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return str(len(where)), place, f"{took:.1f}", f"{peak:.2f}", f"{solution.relative_gap:.0e}"


def main(size: int) -> None:
    table = Table("K", "points", "seconds", "GiB", "relative gap", title="Distances, uniform prior")
    for place in PLACES:
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            table.add_row(*alone.submit(solved, place, size).result())
    Console().print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    main(parser.parse_args().size)
