"""The best private channel for a practitioner's label counts, beside every published mechanism that applies."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lpmech.certify import Certificate, certificate_around, certificate_of, digest_of
from lpmech.channel import Channel
from lpmech.entries import Array, Number, to_float, unify
from lpmech.errors import UtilityError
from lpmech.label_counts import LabelCounts, label_values
from lpmech.mechanisms import (
    best_block_sizes,
    best_contiguous_bins,
    best_top_k,
    bipartite_rr,
    bipartite_rr_star,
    block_rr_from_partition,
    exponential,
    randomized_response,
    rr_on_bins,
    rr_top_k,
    rr_with_prior,
)
from lpmech.priors import top_labels
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.hit_floors import floor_bound
from lpmech.solvers.hit_floors import solve_with_hit_floor
from lpmech.tables import read_utility
from lpmech.utilities import absolute, balanced_hit, concentration, hit, squared, tanimoto, weights_per_label
from lpmech.what_is_left import WhatIsLeft, information_bound, what_is_left

__all__ = [
    "Comparison",
    "Design",
    "curves",
    "design",
    "estimated_cost",
    "losses",
    "published_channels",
    "utility_named",
]

#: Seconds and bytes for each entry of the matrix, measured with 1000 labels.
_SECONDS, _BYTES = 2e-5, 1500


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
    """

    mechanism: str
    parameters: str
    expected_utility: float
    loss_percent: float
    epsilon: float
    channel: Channel
    prior: Array

    @cached_property
    def left(self) -> WhatIsLeft:
        """What the released label still says about the true one."""
        return what_is_left(self.channel, self.prior)


@dataclass(frozen=True)
class Design:
    """The optimum for given label counts, its certificate, and the comparison with every mechanism.

    Attributes
    ----------
    labels : tuple of str
        Names of the labels.
    level : PrivacyLevel
        The level asked for.
    utility_name : str
        See `utility_named`; or the file's name.
    utility, prior : ndarray
        What was maximised; shapes (K, K) and (K,).
    certificate : Certificate
        Proof that the optimum lies between its `lower` and `upper`; with a floor, that of the priced program
        (`lpmech.programs.hit_floors`).
    comparisons : tuple of Comparison
        The first is ``optimal``, what is to be released; the others by falling expected utility. Losses are against the
        best channel without a floor.
    floor, prices : Fraction and ndarray of Fraction, shape (K,), optional
        The least hit rate that every label was to keep, and what it costs; None without one.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    utility_name: str
    utility: Array
    prior: Array
    certificate: Certificate
    comparisons: tuple[Comparison, ...]
    floor: Fraction | None = None
    prices: Array | None = None

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """Where the optimum, under the floor if there is one, was proved to lie."""
        if self.floor is None or self.prices is None:
            return self.certificate.lower, self.certificate.upper
        paid = sum(v * price for v, price in zip(self.optimum.channel.matrix.diagonal(), self.prices, strict=True))
        return self.certificate.lower - paid, floor_bound(self.certificate.upper, self.prices, self.floor)

    @property
    def optimum(self) -> Comparison:
        """The row of the program's optimum."""
        return self.comparisons[0]


def _tanimoto(values: int | Sequence[Any]) -> Array:
    return tanimoto(values if isinstance(values, int) or all(v > 0 for v in values) else len(values))


#: Utilities by name; each takes the labels as numbers and returns a (K, K) matrix.
NAMED_UTILITIES: dict[str, Callable[..., Array]] = {
    "hit": hit,
    "absolute": absolute,
    "squared": squared,
    "tanimoto": _tanimoto,
    "near": lambda values: concentration(values, 1),
}

#: Utilities by name that take the prior, shape (K,), and return a (K, K) matrix.
PRIOR_UTILITIES: dict[str, Callable[[Array], Array]] = {
    "balanced": balanced_hit,
    "weights": lambda prior: weights_per_label(prior, Fraction(1, 2)),
}

#: Utilities that depend on the order of the labels, or on their values where all are numbers.
DISTANCES = ("absolute", "squared", "tanimoto", "near")

#: The utility that needs the level, too; see `information_bound`.
INFORMATION = "information"


def utility_named(name: str, counts: LabelCounts, level: PrivacyLevel | None = None) -> Array:
    """The utility of that name for the labels, or the matrix in a CSV file.

    Parameters
    ----------
    name : str
        ``hit``; ``absolute`` or ``squared`` distance as a loss; ``tanimoto`` (zhang2025 V.A); ``near``, within 1 of
        the true label; ``balanced``, hits averaged over the labels; ``weights``, the objective of
        liu2026 eq. (4.1) with e^(-1/sigma) = 1/2; ``information``, a bound of the mutual information; or a file.
    counts : LabelCounts
        Distances use the labels' own values where all labels are numbers (for ``tanimoto``: positive numbers), else
        their positions.
    level : PrivacyLevel, optional
        Needed for ``information``.

    Returns
    -------
    ndarray, shape (K, K)

    Raises
    ------
    DataFileError, UtilityError
        If `name` is a file that cannot be read or does not hold a K x K matrix.
    """
    if name in NAMED_UTILITIES:
        return NAMED_UTILITIES[name](label_values(counts))
    if name in PRIOR_UTILITIES:
        return PRIOR_UTILITIES[name](counts.prior)
    if name == INFORMATION:
        if level is None:
            raise UtilityError("utility", name, "a utility that does not depend on epsilon")
        return information_bound(counts.prior, level)
    return read_utility(name, counts.labels)


def design(
    counts: LabelCounts, epsilon: PrivacyLevel | float, utility: str = "hit", hit_floor: float | Fraction | None = None
) -> Design:
    """Find the best private channel for label counts and compare every applicable mechanism with it.

    Parameters
    ----------
    counts : LabelCounts
        Labels and their counts; the prior is their empirical distribution.
    epsilon : float or PrivacyLevel
        Privacy level.
    utility : str
        See `utility_named`.
    hit_floor : number, optional
        The least probability with which every label is to be released as itself.

    Returns
    -------
    Design

    Raises
    ------
    PrivacyLevelError, DataFileError, UtilityError
        If an argument is not usable.
    ProgramError
        If no private channel keeps the floor.
    """
    level = as_privacy_level(epsilon)
    gain = utility_named(utility, counts, level)
    prior = counts.prior
    program = optimal_channel(gain, level, prior, inputs=counts.labels, outputs=counts.labels)
    stated = {"utility": Path(utility).name, "utility sha256": digest_of(gain), "prior sha256": digest_of(prior)}
    certificate = certificate_of(program.solve(), stated)
    best = certificate.channel.exact(level)
    optimum = float(best.expected_utility(gain, prior))
    others = _others(gain, level, prior, counts, optimum)
    first = _compared("optimal", "", best, gain, prior, optimum)
    if hit_floor is None:
        return Design(counts.labels, level, utility, gain, prior, certificate, (first, *others))
    kept = solve_with_hit_floor(program, hit_floor)
    floor = f"{float(kept.floor):.6g}"
    certificate = certificate_around(
        kept.priced, kept.channel, kept.row_duals, {"utility": f"{utility}, hits priced to keep the rate {floor}"}
    )
    keeping = _compared("optimal", f"hits >= {floor}", kept.channel, gain, prior, optimum)
    compared = (keeping, replace(first, mechanism="optimal_without_floor"), *others)
    return Design(counts.labels, level, utility, gain, prior, certificate, compared, kept.floor, kept.prices)


def _others(gain: Array, level: PrivacyLevel, prior: Array, counts: LabelCounts, optimum: float) -> list[Comparison]:
    """Every mechanism but the optimum, by falling expected utility."""
    label = _best_constant(gain, prior)
    constant = np.zeros(gain.shape)
    constant[:, label] = 1
    # float channels have float values: exact entries are converted once, not for every mechanism
    values = (gain, prior) if level.is_exact else (to_float(gain), to_float(prior))
    rows = [("always_one_label", counts.labels[label], Channel(constant, counts.labels, counts.labels))]
    rows += [(name, text, _relabelled(c, counts)) for name, text, c in published_channels(values[0], level, values[1])]
    found = [_compared(name, text, channel, *values, optimum) for name, text, channel in rows]
    return sorted(found, key=lambda c: -c.expected_utility)


def _best_constant(gain: Array, prior: Array) -> int:
    """The first label whose release is best if it is always the same one; ties are told exactly from near ones."""
    scores = to_float(prior) @ to_float(gain)
    near = np.flatnonzero(scores >= scores.max() - 1e-9 * np.ptp(scores))
    weights, columns = unify(prior, gain[:, near])
    return int(near[int(np.argmax(weights @ columns))])


def published_channels(utility: Array, level: PrivacyLevel, prior: Array) -> Iterator[tuple[str, str, Channel]]:
    """Every published mechanism that applies: (function name, chosen parameters, channel).

    Where a mechanism has a parameter beside epsilon, the value that is best for this utility and prior is
    taken and named; for block_rr with more than 12 labels, the best among about 12 sizes of S1 and of Delta.
    """
    size = len(prior)
    yield "randomized_response", "", randomized_response(size, level)
    yield "rr_with_prior", "", rr_with_prior(prior, level)
    best_k = best_top_k(utility, prior, level)
    yield "rr_top_k", f"k = {best_k}", rr_top_k(prior, best_k, level)
    bins = best_contiguous_bins(utility, prior, level)
    yield "rr_on_bins", f"{len(set(bins))} bins", _square(rr_on_bins(bins, level), size)
    sizes = [(n, size_of_delta) for n in _sizes(size) for size_of_delta in _sizes(n, start=0)]
    n, favoured = best_block_sizes(utility, prior, level, sizes)
    channel = block_rr_from_partition(prior, top_labels(prior, n), level, favoured)
    yield "block_rr", f"|S1| = {n}, l = {favoured}", channel
    yield "bipartite_rr", "", bipartite_rr(utility, level)
    yield "bipartite_rr_star", "", bipartite_rr_star(utility, level, prior)
    yield "exponential", "", exponential(utility, level)


@dataclass(frozen=True)
class Cost:
    """What a design is about to cost: seconds, and bytes of memory beside those of the machine."""

    seconds: float
    memory: float
    available: float

    @property
    def text(self) -> str:
        """The time for people."""
        units = (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
        name, unit = next((name, unit) for name, unit in units if self.seconds >= unit or unit == 1)
        return f"{self.seconds / unit:.0f} {name}"


def estimated_cost(size: int) -> Cost:
    """Time and memory of `design` for that many labels, extrapolated from 1000: both grow with the matrix."""
    available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else math.inf
    return Cost(_SECONDS * size**2, _BYTES * size**2, available)


def losses(counts: LabelCounts, epsilon: PrivacyLevel | float) -> dict[str, dict[str, float]]:
    """Percent of the certified optimum that every published mechanism loses, by mechanism and utility.

    Parameters
    ----------
    counts : LabelCounts
        Labels and their counts.
    epsilon : float or PrivacyLevel
        Privacy level.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    """
    level = as_privacy_level(epsilon)
    table: dict[str, dict[str, float]] = {"optimal": {}}
    for utility in (*NAMED_UTILITIES, *PRIOR_UTILITIES):
        gain, prior = utility_named(utility, counts), counts.prior
        if not level.is_exact:
            gain, prior = to_float(gain), to_float(prior)
        optimum = float(optimal_channel(gain, level, prior).solve().value)
        table["optimal"][utility] = 0.0
        for entry in _others(gain, level, prior, counts, optimum):
            table.setdefault(entry.mechanism, {})[utility] = entry.loss_percent
    return table


def curves(utility: Array, prior: Array, last: float, points: int = 60) -> dict[str, list[tuple[float, float]]]:
    """(epsilon, expected utility) of every published mechanism on a grid of epsilon up to `last`, in floats."""
    found: dict[str, list[tuple[float, float]]] = {}
    for i in range(1, points + 1):
        level = as_privacy_level(last * i / points)
        for name, _, channel in published_channels(utility, level, prior):
            found.setdefault(name, []).append((level.epsilon, float(channel.expected_utility(utility, prior))))
    return found


def _sizes(largest: int, start: int = 1, most: int = 12) -> list[int]:
    """All sizes start..largest where they are few, else about `most` spread evenly, ends included."""
    if largest - start < most:
        return list(range(start, largest + 1))
    return sorted({start + round(i * (largest - start) / (most - 1)) for i in range(most)})


def _square(channel: Channel, size: int) -> Channel:
    missing = [name for name in range(size) if name not in channel.outputs]
    rows = [[*row, *([0] * len(missing))] for row in channel.matrix.tolist()]
    wide = Channel(rows, channel.inputs, [*channel.outputs, *missing])
    return Channel(wide.matrix[:, [wide.outputs.index(j) for j in range(size)]])


def _relabelled(channel: Channel, counts: LabelCounts) -> Channel:
    return Channel(channel.matrix, counts.labels, counts.labels)


def _compared(name: str, parameters: str, channel: Channel, utility: Array, prior: Array, optimum: float) -> Comparison:
    attained = float(channel.expected_utility(utility, prior))
    return Comparison(name, parameters, attained, loss_percent(attained, optimum), channel.epsilon, channel, prior)


def loss_percent(value: Number, optimum: Number) -> float:
    """100 (optimum - value) / |optimum|; 0 where both agree to 1e-12, inf where only the optimum vanishes."""
    if math.isclose(value, optimum, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return 100 * float(optimum - value) / abs(float(optimum)) if optimum != 0 else math.inf
