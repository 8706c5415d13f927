"""The best channel for a metric: lpmech, with a dual, beside qif's min_loss_given_d, in processor time of one run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import qif
from rich.console import Console
from rich.table import Table

from lpmech.programs.metric import metric_channel, metric_of

#: Metric, labels, epsilon: qif's own kinds of example, distances on a line and on a grid, and larger ones.
CASES = (
    ("line", 10, 0.8),
    ("grid:4", 16, 0.8),
    ("ring", 20, 0.5),
    ("line", 27, 0.5),
    ("grid:6", 36, 0.5),
    ("line", 60, 0.3),
)


def processor_seconds(function: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The least time of some runs, and what the last one found."""
    least, found = np.inf, None
    for _ in range(times):
        started = time.process_time()
        found = function()
        least = min(least, time.process_time() - started)
    return least, found


def compare(table: Table, name: str, size: int, epsilon: float, times: int) -> None:
    prior = np.random.default_rng(0).dirichlet(np.ones(size))
    distances = metric_of(name, size)
    near = distances.astype(float)

    def theirs() -> Any:
        return qif.mechanism.d_privacy.min_loss_given_d(
            prior, size, lambda y, z: epsilon * near[y, z], lambda y, j: near[y, j]
        )

    slow, channel = processor_seconds(theirs, 1)
    quick, rounded = processor_seconds(lambda: metric_channel(-distances, epsilon, name, prior).solve("float"), times)
    proved, best = processor_seconds(lambda: metric_channel(-distances, epsilon, name, prior).solve(), times)
    loss = float((prior[:, None] * near * np.array(channel)).sum())
    apart = abs(loss + float(best.value))
    gap = f"{float(rounded.gap):.0e}"
    cells = [f"{seconds:.3f}" for seconds in (slow, quick)]
    table.add_row(
        f"{name}, K = {size}", *cells, f"{slow / quick:.1f}", gap, f"{proved:.3f} ({best.solver})", f"{apart:.0e}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="runs of lpmech, of which the fastest counts")
    chosen = parser.parse_args()
    columns = ("metric", "qif s", "lpmech float s", "ratio", "gap proved", "lpmech default s", "losses apart")
    table = Table(*columns, title="Loss: the distance")
    for name, size, epsilon in CASES:
        compare(table, name, size, epsilon, chosen.times)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
