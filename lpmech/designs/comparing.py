"""Every published mechanism beside the optimum, under a practitioner's utility and prior."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.designs.decoding import error_of
from lpmech.designs.published import published_alike
from lpmech.designs.what_is_left import WhatIsLeft, what_is_left
from lpmech.entries import Array, to_float, unify
from lpmech.labels.counts import LabelCounts, Labels, as_label_counts
from lpmech.labels.named_utilities import same_at_every_level, utility_named
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.hit_floors import floor_of
from lpmech.programs.linear import LinearProgram, LinearSolution
from lpmech.programs.optimality import loss_percent
from lpmech.programs.symmetry import Symmetry, symmetry_of
from lpmech.programs.uncertain_priors import PriorSet

__all__ = [
    "Comparison",
    "best_constant",
    "compared_with",
    "curves",
    "losses",
    "published_along",
    "published_beside",
    "solved_with_rows",
]


@dataclass(frozen=True)
class Comparison:
    """One mechanism under the practitioner's utility and prior.

    Attributes
    ----------
    mechanism : str
        Name of its function in `lpmech.mechanisms`, or ``"optimal"`` for the program's optimum.
    parameters : str
        What had to be chosen, and how.
    expected_utility : float
        A loss counts as negative utility.
    loss_percent : float
        100 (optimum - expected_utility) / |optimum|; 0 where both vanish, inf where only the optimum does.
    epsilon : float
        Tight privacy level of the channel.
    channel : Channel
        The mechanism itself.
    prior : ndarray, shape (K,)
        What the expectation was taken over.
    rows : int
        How many labels were counted.
    """

    mechanism: str
    parameters: str
    expected_utility: float
    loss_percent: float
    epsilon: float
    channel: Channel
    prior: Array
    rows: int

    @cached_property
    def left(self) -> WhatIsLeft:
        """What the released label still says about the true one."""
        return what_is_left(self.channel, self.prior)

    @cached_property
    def share_error(self) -> float | None:
        """Error of a label's share estimated from as many released labels; None where it cannot be estimated."""
        variance = self.left.variance
        return None if variance is None else error_of(variance, len(self.channel.inputs), self.rows)

    def row(self) -> dict[str, Any]:
        """What is tabulated of the mechanism, by column."""
        return {
            "mechanism": self.mechanism,
            "parameters": self.parameters,
            "expected_utility": self.expected_utility,
            "loss_percent": self.loss_percent,
            "epsilon": self.epsilon,
            "never_released": len(self.left.never),
            "decodable": "yes" if self.left.decodable else "no",
            "information_bits": self.left.information,
            "guessed": self.left.guessed,
            "share_error": self.share_error,
        }


def compared_with(
    name: str, parameters: str, channel: Channel, utility: Array, prior: Array, optimum: float, rows: int
) -> Comparison:
    attained = float(channel.expected_utility(utility, prior))
    return Comparison(
        name, parameters, attained, loss_percent(attained, optimum), channel.epsilon, channel, prior, rows
    )


def solved_with_rows(
    program: Callable[..., LinearProgram],
    utility: Array,
    prior: Array,
    rows: int,
    priors: PriorSet | None,
    hit_floor: object,
) -> tuple[LinearSolution, list[Comparison]]:
    """What is to be released, and the comparison of it and of what is best without the floor and for the prior alone.

    The last of these is what others lose against. The program is made for a `prior`, or for `priors`, and a floor.
    """
    usual = solution = program(prior=prior).solve()
    found = [("optimal", "", usual)]
    if hit_floor is not None:
        solution = program(prior=prior, hit_floor=hit_floor).solve()
        kept = f"hits >= {float(floor_of(solution.program) or 0):.6g}"
        found = [("optimal", kept, solution), ("optimal_without_floor", "", usual)]
    if priors is not None:
        solution = program(priors=priors, hit_floor=hit_floor).solve()
        told = f"{priors.kind} {priors.size}" + (f", {found[0][1]}" if found[0][1] else "")
        found = [("optimal", told, solution), ("optimal_for_the_prior", *found[0][1:]), *found[1:]]
    optimum = float(usual.value)
    return solution, [
        compared_with(name, text, each.channel, utility, prior, optimum, rows) for name, text, each in found
    ]


def published_beside(
    gain: Array,
    level: PrivacyLevel,
    prior: Array,
    counts: LabelCounts,
    optimum: float,
    symmetry: Symmetry,
) -> list[Comparison]:
    """Every mechanism but the optimum, by falling expected utility; the symmetry is that of gain and prior."""
    label = best_constant(gain, prior)
    constant = np.zeros(gain.shape)
    constant[:, label] = 1
    # float channels have float values: exact entries are converted once, not for every mechanism
    values = (gain, prior) if level.is_exact else (to_float(gain), as_prior(to_float(prior)))
    rows = [("always_one_label", counts.labels[label], Channel(constant, counts.labels, counts.labels))]
    published = published_alike(values[0], level, values[1], symmetry)
    rows += [(name, text, _relabelled(c, counts)) for name, text, c in published]
    found = [compared_with(name, text, channel, *values, optimum, sum(counts.counts)) for name, text, channel in rows]
    return sorted(found, key=_rank)


def _rank(entry: Comparison) -> tuple[float, float]:
    """By the loss, so that what differs by rounding keeps its order; by utility where every loss is infinite."""
    loss = round(entry.loss_percent, 9)
    return loss, -entry.expected_utility if math.isinf(loss) else 0.0


def losses(counts: Labels, epsilon: PrivacyLevel | float) -> dict[str, dict[str, float]]:
    """Percent of the certified optimum that every published mechanism loses, by mechanism and utility.

    Parameters
    ----------
    counts : mapping, pandas.Series, sequence or LabelCounts
        As for `design`.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    """
    counts, level = as_label_counts(counts), as_privacy_level(epsilon)
    prior = counts.prior if level.is_exact else as_prior(to_float(counts.prior))
    table: dict[str, dict[str, float]] = {"optimal": {}}
    for utility in same_at_every_level():
        gain = utility_named(utility, counts)
        if not level.is_exact:
            gain = to_float(gain)
        optimum = float(optimal_channel(gain, level, prior).solve().value)
        table["optimal"][utility] = 0.0
        for entry in published_beside(gain, level, prior, counts, optimum, symmetry_of(gain, prior)):
            table.setdefault(entry.mechanism, {})[utility] = entry.loss_percent
    return table


def curves(utility: Array, prior: Array, last: float, points: int = 60) -> dict[str, list[tuple[float, float]]]:
    """(epsilon, expected utility) of every published mechanism on a grid of epsilon up to `last`, in floats."""
    along = published_along(utility, prior, [as_privacy_level(last * i / points) for i in range(1, points + 1)])
    return {name: [(level.epsilon, value) for level, _, value in found] for name, found in along.items()}


def published_along(
    utility: Array, prior: Array, levels: Iterable[PrivacyLevel]
) -> dict[str, list[tuple[PrivacyLevel, str, float]]]:
    """(level, chosen parameters, expected utility) of every published mechanism at every level."""
    found: dict[str, list[tuple[PrivacyLevel, str, float]]] = {}
    symmetry = symmetry_of(utility, prior)
    for level in levels:
        for name, parameters, channel in published_alike(utility, level, prior, symmetry):
            found.setdefault(name, []).append((level, parameters, float(channel.expected_utility(utility, prior))))
    return found


def best_constant(gain: Array, prior: Array) -> int:
    """The first label whose release is best if it is always the same one; ties are told exactly from near ones."""
    scores = to_float(prior) @ to_float(gain)
    near = np.flatnonzero(scores >= scores.max() - 1e-9 * np.ptp(scores))
    weights, columns = unify(prior, gain[:, near])
    return int(near[int(np.argmax(weights @ columns))])


def _relabelled(channel: Channel, counts: LabelCounts) -> Channel:
    return channel.renamed(counts.labels, counts.labels)
