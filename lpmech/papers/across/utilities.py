"""The published mechanisms under one another's utilities: how much of the optimum each loses, exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.entries import Array
from lpmech.mechanisms.bipartite_rr import bipartite_rr, bipartite_rr_star
from lpmech.mechanisms.block_rr import block_rr_from_partition
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_on_bins import best_contiguous_bins, rr_on_bins
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.papers.across.paper import PAPER
from lpmech.papers.liu2026.tables import COUNTS
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.utilities import absolute, hit, tanimoto, weights_per_label

_COUNTS = COUNTS["CIFAR-10_1"]
_LEVEL = PrivacyLevel.from_ratio(3)


@cache
def _prior() -> tuple[Fraction, ...]:
    return tuple(prior_from_counts(_COUNTS).tolist())


@cache
def _utility(name: str) -> Array:
    size = len(_COUNTS)
    if name == "objective of (4.1)":
        return weights_per_label(list(_prior()), Fraction(1, 2))
    return {"hit rate": hit, "-|i-j|": absolute, "Tanimoto": tanimoto}[name](size)


@cache
def _optimum(name: str) -> Fraction:
    return Fraction(optimal_channel(_utility(name), _LEVEL, list(_prior())).solve("exact").value)


def _channel(mechanism: str, name: str) -> Channel:
    prior, utility = list(_prior()), _utility(name)
    if mechanism == "RR on bins":
        return rr_on_bins(best_contiguous_bins(utility, prior, _LEVEL), _LEVEL)
    return {
        "RR": lambda: randomized_response(len(prior), _LEVEL),
        "RRWithPrior": lambda: rr_with_prior(prior, _LEVEL),
        "BlockRR": lambda: block_rr_from_partition(prior, range(6), _LEVEL, 6),
        "BRR": lambda: bipartite_rr(utility, _LEVEL),
        "BRR*": lambda: bipartite_rr_star(utility, _LEVEL, prior),
    }[mechanism]()


def _loss(mechanism: str, name: str) -> float:
    """Percent of the optimum lost, an exact quotient rounded to two digits."""
    channel, prior = _channel(mechanism, name), list(_prior())
    columns = [int(str(output)) for output in channel.outputs]
    value = Fraction(channel.expected_utility(_utility(name)[:, columns], prior))
    optimum = _optimum(name)
    return float(round(100 * (optimum - value) / abs(optimum), 2))


#: Percent lost, by mechanism, under the hit rate, -|i-j|, the Tanimoto similarity and the objective of (4.1).
LOSSES = {
    "RR": (21.64, 59.57, 11.99, 28.51),
    "RRWithPrior": (0.0, 18.52, 7.60, 0.66),
    "BlockRR": (17.31, 51.36, 11.11, 22.94),
    "BRR": (21.64, 35.87, 8.28, 24.21),
    "BRR*": (21.64, 35.16, 6.43, 22.72),
    "RR on bins": (0.0, 0.0, 0.0, 0.49),
}
_UTILITIES = ("hit rate", "-|i-j|", "Tanimoto", "objective of (4.1)")


def _with(mechanism: str, column: int, value: float) -> dict[str, tuple[float, ...]]:
    row = LOSSES[mechanism]
    return {**LOSSES, mechanism: (*row[:column], value, *row[column + 1 :])}


@PAPER.claim(
    "Mechanisms under one another's utilities",
    "percent of the optimum lost under the hit rate, -|i-j|, Tanimoto, objective of (4.1) of liu2026: "
    + "; ".join(f"{name} {', '.join(f'{v:g}' for v in row)}" for name, row in LOSSES.items()),
    hypotheses="label counts of CIFAR-10_1 (liu2026, 5.1.1), e^epsilon = 3; BlockRR with S1 = the six majority labels and l = 6; labels as numbers 0..9 (1..10 for Tanimoto); the objective sum w q of (4.1) has the weights (3.3), p_y or p_j e^(-1/sigma), with e^(-1/sigma) = 1/2 and no fixed entries. Exact quotients, shown to two digits",
    every="all 24 cells of the table",
    formula=LOSSES,
    mutants={
        "BRR optimal for its own utility": _with("BRR", 1, 0.0),
        "BlockRR optimal for its own weights": _with("BlockRR", 3, 0.0),
        "weights (3.3), weighed by the prior a second time": _with("RR", 3, 27.55),
    },
    note="`lpmech losses COUNTS.csv --epsilon E` prints such a table for any counts and level, with the best parameters of every mechanism.",
)
def losses(table: dict[str, tuple[float, ...]]) -> Parts:
    for mechanism in LOSSES:
        row = table.get(mechanism, ())
        yield len(row) == len(_UTILITIES) or f"{mechanism}: {len(row)} of {len(_UTILITIES)} cells"
        for utility, stated in zip(_UTILITIES, row, strict=True):
            loss = _loss(mechanism, utility)
            yield loss == stated or f"{mechanism} under {utility}: {loss} percent, not {stated}"
