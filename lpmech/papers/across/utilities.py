"""The published mechanisms under one another's utilities: how much of the optimum each loses, exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Instance, Parts
from lpmech.entries import Array
from lpmech.papers.across.agreement import with_part
from lpmech.papers.across.bins import released_value
from lpmech.papers.across.paper import PAPER
from lpmech.papers.liu2026.tables import COUNTS
from lpmech.priors import prior_from_counts
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.utilities import absolute, hit, tanimoto, weights_per_label

_LEVEL = PrivacyLevel.from_ratio(3)
_PRIOR = prior_from_counts(COUNTS["CIFAR-10_1"])
_SIZE = len(_PRIOR)
_UTILITIES: dict[str, Array] = {
    "hit rate": hit(_SIZE),
    "-|i-j|": absolute(_SIZE),
    "Tanimoto": tanimoto(_SIZE),
    "objective of (4.1)": weights_per_label(_PRIOR, Fraction(1, 2)),
}
_MECHANISMS: dict[str, Callable[[Array], Channel]] = {
    "RR": lambda utility: m.randomized_response(_SIZE, _LEVEL),
    "RRWithPrior": lambda utility: m.rr_with_prior(_PRIOR, _LEVEL),
    "BlockRR": lambda utility: m.block_rr_from_partition(_PRIOR, range(6), _LEVEL, 6),
    "BRR": lambda utility: m.bipartite_rr(utility, _LEVEL),
    "BRR*": lambda utility: m.bipartite_rr_star(utility, _LEVEL, _PRIOR),
    "RR on bins": lambda utility: m.rr_on_bins(m.best_contiguous_bins(utility, _PRIOR, _LEVEL), _LEVEL),
}

#: Percent lost, by mechanism, under the hit rate, -|i-j|, the Tanimoto similarity and the objective of (4.1).
LOSSES = {
    "RR": (21.64, 59.57, 11.99, 28.51),
    "RRWithPrior": (0.0, 18.52, 7.60, 0.66),
    "BlockRR": (17.31, 51.36, 11.11, 22.94),
    "BRR": (21.64, 35.87, 8.28, 24.21),
    "BRR*": (21.64, 35.16, 6.43, 22.72),
    "RR on bins": (0.0, 0.0, 0.0, 0.49),
}


def _with(mechanism: str, column: int, value: float) -> dict[str, tuple[float, ...]]:
    return {**LOSSES, mechanism: with_part(LOSSES[mechanism], column, value)}


@PAPER.claim(
    "Mechanisms under one another's utilities",
    "percent of the optimum lost under the hit rate, $-|i-j|$, Tanimoto, objective of (4.1) of liu2026: "
    + "; ".join(f"{name} {', '.join(f'{v:g}' for v in row)}" for name, row in LOSSES.items()),
    hypotheses=r"label counts of $\text{CIFAR-10}_1$ (liu2026, 5.1.1), $e^\epsilon = 3$; BlockRR with $S_1 =$ the six majority labels and $l = 6$; labels as numbers $0,\dots,9$ ($1,\dots,10$ for Tanimoto); the objective $\sum w q$ of (4.1) has the weights (3.3), $p_y$ or $p_j e^{-1/\sigma}$, with $e^{-1/\sigma} = 1/2$ and no fixed entries. Exact quotients, shown to two digits",
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
    for place, (name, utility) in enumerate(_UTILITIES.items()):
        best = Fraction(optimal_channel(utility, _LEVEL, _PRIOR).solve("exact").value)
        for mechanism, make in _MECHANISMS.items():
            lost = 100 * (best - released_value(make(utility), utility, _PRIOR)) / abs(best)
            stated = dict(enumerate(table.get(mechanism, ()))).get(place, "none")
            yield Instance(f"{mechanism} under {name}: percent lost", float(round(lost, 2)), "==", stated)
    yield all(len(row) == len(_UTILITIES) for row in table.values()) or "a row of the table has more cells"
