"""Utilities by name, as the commands take them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
    "DISTANCES",
    "INFORMATION",
    "NAMED_UTILITIES",
    "PRIOR_UTILITIES",
    "information_bound",
    "needs_order",
    "utility_named",
]


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


def needs_order(name: str, counts: LabelCounts) -> bool:
    """Whether the utility depends on the order of labels that are in the order of the alphabet only."""
    return name in DISTANCES and counts.order == "alphabetical"


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
