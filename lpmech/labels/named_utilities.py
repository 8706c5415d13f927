"""Utilities by name, as the commands take them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, to_float
from lpmech.errors import UtilityError
from lpmech.labels.counts import LabelCounts, label_values
from lpmech.privacy import PrivacyLevel
from lpmech.tables import read_utility
from lpmech.utilities import absolute, balanced_hit, concentration, hit, squared, tanimoto, weights_per_label

__all__ = [
    "UTILITIES",
    "NamedUtility",
    "information_bound",
    "is_ordered",
    "needs_order",
    "same_at_every_level",
    "utility_named",
]


@dataclass(frozen=True)
class NamedUtility:
    """A utility that has a name: what commands, pages and checks say of it and do with it.

    Attributes
    ----------
    words : str
        What its expected value is.
    matrix : callable (values, prior, level) -> ndarray, shape (K, K)
        Of the labels' own values, or their number; their prior, shape (K,); the level, None where `at_level` is false.
    ordered : bool
        Whether it depends on the order of the labels, or on their values where all are numbers.
    at_level : bool
        Whether it is another matrix at every epsilon.
    formula : str
        An entry in i (label) and j (output), where these are any numbers; empty where there is none.
    """

    words: str
    matrix: Callable[[int | Sequence[Any], Array, Any], Array]
    ordered: bool = False
    at_level: bool = False
    formula: str = ""

    def entry(self, label: Fraction, output: Fraction) -> Fraction:
        """The value of the formula."""
        from lpmech.prove.rational_functions import as_rational
        from lpmech.statements.numeric import fraction_of, numeric
        from lpmech.terms.reader import read_formula

        read = read_formula(self.formula, ("i", "j"), "utility")
        return fraction_of(numeric(read, {"i": as_rational(label), "j": as_rational(output)}))


#: The utilities by name; all that takes or tells a name, from the commands to the pages, takes it from here.
UTILITIES: dict[str, NamedUtility] = {
    "hit": NamedUtility(
        "how often the released label is the true one",
        lambda values, prior, level: hit(values),
        formula="Piecewise((1, i == j), (0, True))",
    ),
    "absolute": NamedUtility(
        "minus the average distance of the released from the true label",
        lambda values, prior, level: absolute(values),
        ordered=True,
        formula="-Abs(i - j)",
    ),
    "squared": NamedUtility(
        "minus the average squared distance",
        lambda values, prior, level: squared(values),
        ordered=True,
        formula="-(i - j)**2",
    ),
    "tanimoto": NamedUtility(
        "the average similarity xy / (x^2 + y^2 - xy) of the two numbers",
        lambda values, prior, level: tanimoto(_positive(values)),
        ordered=True,
    ),
    "near": NamedUtility(
        "how often the released label is within 1 of the true one",
        lambda values, prior, level: concentration(values, 1),
        ordered=True,
        formula="Piecewise((1, Abs(i - j) <= 1), (0, True))",
    ),
    "balanced": NamedUtility(
        "how often it is the true one, averaged over the labels, so that rare ones count as much as frequent ones",
        lambda values, prior, level: balanced_hit(prior),
    ),
    "weights": NamedUtility(
        "the objective (4.1) of liu2026 with e^(-1/sigma) = 1/2, which favours hits of frequent labels",
        lambda values, prior, level: weights_per_label(prior, Fraction(1, 2)),
    ),
    "information": NamedUtility(
        "bits that are kept for sure: a lower bound of the information that is left",
        lambda values, prior, level: information_bound(prior, level),
        at_level=True,
    ),
}


def _positive(values: int | Sequence[Any]) -> int | Sequence[Any]:
    """The values if all are positive numbers, else how many they are."""
    return values if isinstance(values, int) or all(v > 0 for v in values) else len(values)


def same_at_every_level() -> list[str]:
    """The utilities that are one matrix whatever epsilon is."""
    return [name for name, utility in UTILITIES.items() if not utility.at_level]


def is_ordered(name: str) -> bool:
    """Whether it is a named utility that depends on the order or the values of the labels."""
    return name in UTILITIES and UTILITIES[name].ordered


def needs_order(name: str, counts: LabelCounts) -> bool:
    """Whether the utility depends on the order of labels that are in the order of the alphabet only."""
    return is_ordered(name) and counts.order == "alphabetical"


def utility_named(name: str, counts: LabelCounts, level: PrivacyLevel | None = None) -> Array:
    """The utility of that name for the labels, or the matrix in a CSV file.

    Parameters
    ----------
    name : str
        One of `UTILITIES`, or a file.
    counts : LabelCounts
        Distances use the labels' own values where all labels are numbers (for ``tanimoto``, of zhang2025 V.A: positive
        numbers), else their positions; ``weights`` is liu2026 eq. (4.1).
    level : PrivacyLevel, optional
        Needed by a utility that is another matrix at every epsilon.

    Returns
    -------
    ndarray, shape (K, K)

    Raises
    ------
    DataFileError, UtilityError
        If `name` is a file that cannot be read or does not hold a K x K matrix; or if it needs a level.
    """
    if name not in UTILITIES:
        return read_utility(name, counts.labels, otherwise=f"{', '.join(UTILITIES)}, or ")
    utility = UTILITIES[name]
    if utility.at_level and level is None:
        raise UtilityError("utility", name, "a utility that does not depend on epsilon")
    return utility.matrix(label_values(counts), counts.prior, level)


def information_bound(prior: Array, level: PrivacyLevel) -> Array:
    """log2 of q[y, j] / sum_y p_y q[y, j] of randomised response q: a utility that bounds information, shape (K, K).

    The expected value under any channel is at most its mutual information in bits, for it is the information that a
    reader gets who takes the channel for randomised response; under randomised response both agree. So the best channel
    for this utility keeps at least its expected utility, and at least what randomised response keeps.
    """
    # (t - 1) p + 1 is p q (t + K - 1); entry by entry, so that the order of the labels does not change the rounding
    missed = -np.log1p(level.excess_bounds[0] * to_float(prior)) / math.log(2)
    utility = np.tile(missed, (len(prior), 1))
    np.fill_diagonal(utility, level.epsilon / math.log(2) + missed)
    return utility
