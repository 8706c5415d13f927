"""The best private channel for a practitioner's label counts, beside every published mechanism that applies."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from lpmech.certify import Certificate, certificate_of, digest_of
from lpmech.channel import Channel
from lpmech.entries import Array, Number, to_float
from lpmech.mechanisms import (
    best_contiguous_bins,
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
from lpmech.programs import Program, optimal_channel
from lpmech.tables import LabelCounts, label_values, read_utility
from lpmech.utilities import absolute, balanced_hit, concentration, hit, squared, tanimoto, weight_matrix_from_decay

__all__ = ["Comparison", "Design", "curves", "design", "losses", "published_channels", "utility_named"]


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
    """

    mechanism: str
    parameters: str
    expected_utility: float
    loss_percent: float
    epsilon: float
    channel: Channel


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
        Proof that the optimum lies between its `lower` and `upper`.
    comparisons : tuple of Comparison
        By falling expected utility; the first is ``optimal``.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    utility_name: str
    utility: Array
    prior: Array
    certificate: Certificate
    comparisons: tuple[Comparison, ...]

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
    "weights": lambda prior: weight_matrix_from_decay(prior, Fraction(1, 2)),
}


def utility_named(name: str, counts: LabelCounts) -> Array:
    """The utility of that name for the labels, or the matrix in a CSV file.

    Parameters
    ----------
    name : str
        ``hit``; ``absolute`` or ``squared`` distance as a loss; ``tanimoto`` (zhang2025 V.A); ``near``, within 1 of
        the true label; ``balanced``, hits averaged over the labels; ``weights``, liu2026 (3.3) with
        e^(-1/sigma) = 1/2; or a file.
    counts : LabelCounts
        Distances use the labels' own values where all labels are numbers (for ``tanimoto``: positive numbers), else
        their positions.

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
    return read_utility(name, counts.labels)


def design(counts: LabelCounts, epsilon: PrivacyLevel | float, utility: str = "hit") -> Design:
    """Find the best private channel for label counts and compare every applicable mechanism with it.

    Parameters
    ----------
    counts : LabelCounts
        Labels and their counts; the prior is their empirical distribution.
    epsilon : float or PrivacyLevel
        Privacy level.
    utility : str
        See `utility_named`.

    Returns
    -------
    Design

    Raises
    ------
    PrivacyLevelError, DataFileError, UtilityError
        If an argument is not usable.
    """
    level = as_privacy_level(epsilon)
    gain = utility_named(utility, counts)
    prior = counts.prior
    program = optimal_channel(gain, level, prior, inputs=counts.labels, outputs=counts.labels)
    stated = {"utility": Path(utility).name, "utility sha256": digest_of(gain), "prior sha256": digest_of(prior)}
    certificate = certificate_of(program.solve(), stated)
    best = _released(program, certificate)
    rows = [("optimal", "", best)]
    rows += [(name, text, _relabelled(c, counts)) for name, text, c in published_channels(gain, level, prior)]
    optimum = float(best.expected_utility(gain, prior))
    comparisons = [_compared(name, text, channel, gain, prior, optimum) for name, text, channel in rows]
    comparisons[1:] = sorted(comparisons[1:], key=lambda c: -c.expected_utility)
    return Design(counts.labels, level, utility, gain, prior, certificate, tuple(comparisons))


def published_channels(utility: Array, level: PrivacyLevel, prior: Array) -> Iterator[tuple[str, str, Channel]]:
    """Every published mechanism that applies: (function name, chosen parameters, channel).

    Where a mechanism has a parameter beside epsilon, the value that is best for this utility and prior is
    taken and named; for block_rr with more than 12 labels, the best among about 12 sizes of S1 and of Delta.
    """
    size = len(prior)

    def value(channel: Channel) -> float:
        return float(channel.expected_utility(utility, prior))

    yield "randomized_response", "", randomized_response(size, level)
    yield "rr_with_prior", "", rr_with_prior(prior, level)
    best_k, channel = max(((k, rr_top_k(prior, k, level)) for k in range(1, size + 1)), key=lambda pair: value(pair[1]))
    yield "rr_top_k", f"k = {best_k}", channel
    bins = best_contiguous_bins(utility, prior, level)
    yield "rr_on_bins", f"{len(set(bins))} bins", _square(rr_on_bins(bins, level), size)
    order = top_labels(prior, size)
    (n, favoured), channel = max(
        (
            ((n, size_of_delta), block_rr_from_partition(prior, order[:n], level, size_of_delta))
            for n in _sizes(size)
            for size_of_delta in _sizes(n, start=0)
        ),
        key=lambda pair: value(pair[1]),
    )
    yield "block_rr", f"|S1| = {n}, l = {favoured}", channel
    yield "bipartite_rr", "", bipartite_rr(utility, level)
    yield "bipartite_rr_star", "", bipartite_rr_star(utility, level, prior)
    yield "exponential", "", exponential(utility, level)


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
    table: dict[str, dict[str, float]] = {}
    for utility in (*NAMED_UTILITIES, *PRIOR_UTILITIES):
        for entry in design(counts, epsilon, utility).comparisons:
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


def _released(program: Program, certificate: Certificate) -> Channel:
    """The certified channel with entries rounded to floats such that they stay private, compared exactly."""
    channel = certificate.channel
    low_ratio = Fraction(certificate.data["ratio"][0])
    matrix = to_float(channel.matrix)
    floors = [Fraction(v) for v in matrix.min(axis=0).tolist()]
    for row in matrix:
        for j, floor in enumerate(floors):
            while Fraction(float(row[j])) > low_ratio * floor:
                row[j] = math.nextafter(row[j], 0.0)
    return Channel(matrix, program.inputs, program.outputs)


def _compared(name: str, parameters: str, channel: Channel, utility: Array, prior: Array, optimum: float) -> Comparison:
    attained = float(channel.expected_utility(utility, prior))
    return Comparison(name, parameters, attained, loss_percent(attained, optimum), channel.epsilon, channel)


def loss_percent(value: Number, optimum: Number) -> float:
    """100 (optimum - value) / |optimum|; 0 where both agree to 1e-12, inf where only the optimum vanishes."""
    if math.isclose(value, optimum, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return 100 * float(optimum - value) / abs(float(optimum)) if optimum != 0 else math.inf
