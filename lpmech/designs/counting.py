"""The mechanism that counts best: the least total variance of the estimated shares, among everything there is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lpmech.channel import Channel
from lpmech.designs.best_for_counting import MOST_LABELS, best_for_counting
from lpmech.designs.counting_bound import CountingBound
from lpmech.designs.decoding import total_variance
from lpmech.designs.optimum import optimum_of
from lpmech.designs.published import exact_alike, published_alike
from lpmech.entries import Array, Number, to_float, whole_number
from lpmech.errors import NotInvertibleError, ProgramError, SolverError
from lpmech.labels.counts import LabelCounts, Labels, as_label_counts
from lpmech.mechanisms import hadamard_response, optimal_unary_encoding, subset_selection, symmetric_unary_encoding
from lpmech.mechanisms.set_valued import SetValued
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.hit_floors import HALFWAY
from lpmech.programs.symmetry import symmetry_of
from lpmech.utilities import hit

__all__ = ["Counting", "CountingDesign", "design_for_counting"]

#: The optimum for hits with a floor is compared up to so many labels.
_MOST_FLOORED = 50

#: Of published K x K channels, more labels are compared with randomized response only.
_MOST_PUBLISHED = 500

#: Variances that differ by less, relatively, or by less than rounding, are equal.
_EQUAL, _ROUNDING = 1e-6, 1e-12


@dataclass(frozen=True)
class Counting:
    """One mechanism, as a way to count.

    Attributes
    ----------
    mechanism : str
        Name of its function in `lpmech.mechanisms`; ``"optimal"`` for the best one for hits that keeps every label,
        ``"best_for_counting"`` for that of `lpmech.designs.best_for_counting`.
    parameters : str
        What had to be chosen, and how.
    randomizer : Channel or SetValued
        Exact, private at the level; a channel's inputs are the names of the labels.
    variance : Fraction or float
        Total variance of the K estimated shares, times n; see `lpmech.designs.decoding.total_variance`.
    rows : int
        n.
    """

    mechanism: str
    parameters: str
    randomizer: Channel | SetValued
    variance: Number
    rows: int

    @property
    def error(self) -> float:
        """Root mean squared error of a label's share, between 0 and 1: the mean is over the labels."""
        labels = self.randomizer.size if isinstance(self.randomizer, SetValued) else len(self.randomizer.inputs)
        return math.sqrt(self.variance / labels / self.rows)


@dataclass(frozen=True)
class CountingDesign:
    """Every mechanism for the shares of some labels, the best one first.

    Attributes
    ----------
    labels : tuple of str
        Names of the labels.
    level : PrivacyLevel
        The level asked for.
    prior : ndarray of Fraction, shape (K,)
        The shares at which variances are taken.
    rows : int
        How many labels are to be released.
    comparisons : tuple of Counting
        The first is to be released through: the simplest one of those with the least variance, up to a millionth; the
        others by rising variance.
    bound : CountingBound or None
        No private channel has less variance than its value, proved; None for more than 8 labels, and where floats do
        not suffice (an epsilon below about 1e-5, or variances below 1e-12).
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    prior: Array
    rows: int
    comparisons: tuple[Counting, ...]
    bound: CountingBound | None

    @property
    def best(self) -> Counting:
        """What is to be released through."""
        return self.comparisons[0]

    @property
    def gap(self) -> float | None:
        """How much, relatively, the variance of the best may be above the least; None without a bound."""
        return None if self.bound is None else max(float(self.best.variance / self.bound.value - 1), 0.0)


def design_for_counting(counts: Labels, epsilon: PrivacyLevel | float, rows: int | None = None) -> CountingDesign:
    """Find the mechanism from which the shares of the labels are estimated best.

    Parameters
    ----------
    counts : mapping, pandas.Series, sequence or LabelCounts
        As for `lpmech.design`; variances are taken at these shares.
    epsilon : float or PrivacyLevel
        Privacy level.
    rows : int, optional
        How many labels will be released, for `Counting.error`; the sum of the counts if omitted.

    Raises
    ------
    PrivacyLevelError, LabelError, DataFileError
        If an argument is not usable.
    InvalidInputError
        If `rows` is not a whole number above 0.

    Notes
    -----
    Compared is the variance of unbiased estimates that do not know that shares sum to one and are not negative; the
    noise is that of the release only. For a mechanism that releases a set it is the usual estimate,
    `SetValued.decode`; for a channel that of the least variance at the prior, `least_variance_decoder`. The published
    channels have the parameters that are best for hits; those that merge labels cannot be decoded and are left out, as
    is randomized response on bins of more than one label; so are those other than randomized response for more than
    500 labels. The vector approximation is symmetric unary encoding. Hadamard response has its rows in the order of
    falling shares, then of names: it cannot treat two labels alike.
    """
    labels, level = as_label_counts(counts), as_privacy_level(epsilon)
    n = whole_number(sum(labels.counts) if rows is None else rows, "rows", 1)
    randomizers, bound = list(_randomizers(labels, level)), None
    if len(labels.labels) <= MOST_LABELS:
        try:
            channel, least = best_for_counting(labels.labels, level, labels.prior)
            bound = least if least.value > _ROUNDING else None
            randomizers.append(("best_for_counting", f"{len(channel.outputs)} outputs", channel))
        except (SolverError, np.linalg.LinAlgError, FloatingPointError):  # floats do not suffice
            pass
    found = []
    for mechanism, parameters, randomizer in randomizers:
        try:
            variance = total_variance(randomizer, labels.prior)
        except NotInvertibleError:
            continue
        found.append(Counting(mechanism, parameters, randomizer, variance, n))
    return CountingDesign(labels.labels, level, labels.prior, n, _ranked(found), bound)


def _ranked(found: list[Counting]) -> tuple[Counting, ...]:
    """By rising variance, but first the first one that is as good as the best up to a millionth."""
    rising = sorted(found, key=lambda entry: float(f"{float(entry.variance):.10g}"))  # rounding depends on the order
    least = float(rising[0].variance)
    first = next(entry for entry in found if entry.variance <= least * (1 + _EQUAL) + _ROUNDING)
    return first, *(entry for entry in rising if entry is not first)


def _randomizers(counts: LabelCounts, level: PrivacyLevel) -> Iterator[tuple[str, str, Channel | SetValued]]:
    """Every mechanism for these labels, exact: (function name, parameters, mechanism)."""
    labels, size = counts.labels, len(counts.labels)
    shares = counts.prior if level.is_exact else as_prior(to_float(counts.prior))
    symmetry = symmetry_of(hit(size), counts.prior)
    for mechanism, parameters, channel in published_alike(np.eye(size), level, shares, symmetry):
        yield mechanism, parameters, exact_alike(Channel(channel.matrix, labels, labels), level, symmetry)
        if size > _MOST_PUBLISHED:  # the first is randomized response
            break
    selection = subset_selection(size, level)
    yield "subset_selection", f"d = {selection.chosen}", selection.exact(level)
    yield "optimal_unary_encoding", "", optimal_unary_encoding(size, level).exact(level)
    yield "symmetric_unary_encoding", "", symmetric_unary_encoding(size, level).exact(level)
    rows = sorted(labels, key=lambda label: (-counts.counts[labels.index(label)], label))
    hadamard = hadamard_response(rows, level).exact(level)
    at = [hadamard.inputs.index(label) for label in labels]
    yield "hadamard_response", "", Channel(hadamard.matrix[at], labels, hadamard.outputs)
    if size <= _MOST_FLOORED:
        try:
            kept = optimum_of(hit(size), level, counts, HALFWAY)
        except (ProgramError, SolverError):  # for an epsilon below about 1e-6 there is no room between the floors
            return
        yield "optimal", f"hits >= {float(kept.floor or 0):.6g}", kept.channel
