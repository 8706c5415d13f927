"""Closed forms of 10^5 and 10^6 labels, a batch of priors, and m without sorts."""

from __future__ import annotations

import argparse

import numpy as np
from instances import seconds
from rich.console import Console
from rich.table import Table

from lpmech.applications.at_scale import mechanisms as at_scale
from lpmech.applications.at_scale.described import AbsoluteDistance, HitRate
from lpmech.applications.learning.row_priors import best_ks
from lpmech.mechanisms.bipartite_rr import common_m
from lpmech.mechanisms.rr_with_prior import best_k
from lpmech.utilities import absolute


def described(console: Console, size: int, draws: int) -> None:
    rng = np.random.default_rng(0)
    prior = rng.dirichlet(np.ones(size))
    labels = rng.integers(0, size, draws)
    points = np.sort(rng.random(size))
    makers = {
        "randomized_response": lambda: at_scale.described_randomized_response(size, 2.0),
        "rr_on_bins, 300 bins": lambda: at_scale.described_rr_on_bins(np.arange(size) * 300 // size, 2.0),
        "rr_with_prior": lambda: at_scale.described_rr_with_prior(prior, 2.0),
        "block_rr": lambda: at_scale.described_block_rr_from_partition(prior, np.argsort(-prior)[:500], 2.0, 5),
        "bipartite_rr on points": lambda: at_scale.bipartite_rr_on_points(points, 2.0),
    }
    table = Table(
        "mechanism", "build s", "epsilon s", "hit rate s", "|x - x'| s", f"{draws:.0e} samples s", title=f"K = {size}"
    )
    for name, make in makers.items():
        channel = make()
        exact = channel.exact(2.0)
        square = channel.shape[0] == channel.shape[1]
        table.add_row(
            name,
            f"{seconds(make):.3f}",
            f"{seconds(lambda m=make: m().epsilon) - seconds(make):.3f}",
            f"{seconds(lambda c=channel: c.expected_utility(HitRate(), prior)):.3f}" if square else "",
            f"{seconds(lambda c=channel: c.expected_utility(AbsoluteDistance(points), prior), 1):.3f}"
            if square
            else "",
            f"{seconds(lambda c=exact: c.sample(labels), 1):.2f}",
        )
    console.print(table)


def priors(console: Console) -> None:
    rng = np.random.default_rng(0)
    one = rng.dirichlet(np.ones(1_000_000))
    batch = rng.dirichlet(np.ones(10), 100_000)
    points = np.sort(rng.random(2000))
    loss = absolute(points)
    table = Table("what", "seconds", "compared with", "seconds", "ratio", title="Priors and m")
    whole, sort = (
        seconds(lambda: at_scale.described_rr_with_prior(one, 1.0)),
        seconds(lambda: np.argsort(-one, kind="stable")),
    )
    table.add_row(
        "rr_with_prior, K = 10^6", f"{whole:.2f}", "one sort of the prior", f"{sort:.2f}", f"{whole / sort:.1f}"
    )
    rows = (
        (
            "k* of 10^5 priors on 10 labels",
            lambda: best_ks(batch, 1.0),
            "a loop over best_k",
            lambda: [best_k(p, 1.0) for p in batch],
        ),
        (
            "m of BRR on 2000 points",
            lambda: at_scale.common_m_on_points(points, 1.0),
            "2000 sorts",
            lambda: common_m(loss, 1.0),
        ),
    )
    for what, fast, other, slow in rows:
        quick, long = seconds(fast), seconds(slow, 1)
        table.add_row(what, f"{quick:.3f}", other, f"{long:.2f}", f"{long / quick:.0f}")
    console.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--draws", type=int, default=10_000_000)
    given = parser.parse_args()
    described(Console(), given.size, given.draws)
    priors(Console())
