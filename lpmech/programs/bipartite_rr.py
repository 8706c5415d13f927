"""zhang2025's utility maximisation, over all private channels and within the paper's own classes of channels."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Number, as_array
from lpmech.errors import ProgramError, UtilityError
from lpmech.mechanisms.bipartite_rr import bipartite_channel, common_m_star
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.general import Program, optimal_channel

__all__ = ["global_program", "best_common_m", "best_rearrangement", "best_two_valued"]

_LARGEST_ENUMERATED = 4


def global_program(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Program:
    """Maximise the expected utility over all private channels (abstract and section I of the paper).

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (K,), optional
        Distribution of the true item; uniform if omitted.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    return optimal_channel(utility, epsilon, prior)


def best_common_m(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> tuple[Channel, Number]:
    """The best channel (6) with one m for all rows, and its expected utility: Alg. 3 (BRR*) finds it.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    channel = bipartite_channel(utility, common_m_star(utility, epsilon, prior), epsilon)
    return channel, channel.expected_utility(utility, prior)


def best_rearrangement(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Number:
    """Largest expected utility among channels whose rows rearrange one weight vector with largest <= t smallest.

    Reduction to the sorted sums: given the weights s_1 >= ... >= s_N every row is best off giving the larger
    weight to the larger utility (rearrangement inequality), so the value is sum Lambda_i s_i / sum s_i with
    Lambda_i = sum_k pi_k lambda_i^(k) over sorted rows. This ratio of linear functions is largest at a vertex of
    [1, t]^N; with sorted Lambda the vertices to compare are those that raise the first m weights.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    sums = as_prior(prior, len(matrix)) @ np.sort(matrix, axis=1)[:, ::-1]
    t: Any = as_privacy_level(epsilon).ratio
    n = len(sums)
    return max((t * sums[:m].sum() + sums[m:].sum()) / (m * t + n - m) for m in range(1, n + 1))


def best_two_valued(utility: object, epsilon: PrivacyLevel | float, prior: object = None) -> Number:
    """Largest expected utility among private channels whose rows take at most two values a and t a each.

    Every row y chooses a set Y_y for its high value; rows may have different sizes m. Enumerates all sets, for at
    most 4 outputs and 4 inputs.

    Raises
    ------
    ProgramError
        If there are more than 4 inputs or outputs.
    UtilityError, PriorError, PrivacyLevelError
        If an argument is not usable.
    """
    matrix = as_array(utility, "utility", 2, UtilityError)
    level = as_privacy_level(epsilon)
    rows, columns = matrix.shape
    if max(rows, columns) > _LARGEST_ENUMERATED:
        raise ProgramError("utility", f"shape {matrix.shape}", f"at most {_LARGEST_ENUMERATED} inputs and outputs")
    weights = as_prior(prior, rows)[:, None] * matrix
    responses = [_two_valued(mask, level.ratio) for mask in product((0, 1), repeat=columns) if any(mask)]
    best: Number | None = None
    for choice in product(responses, repeat=rows):
        candidate = np.array(choice, dtype=object)
        if np.all(candidate.max(axis=0) <= level.ratio * candidate.min(axis=0)):
            value = (weights * candidate).sum()
            best = value if best is None or value > best else best
    assert best is not None  # the constant channel is always private
    return best


def _two_valued(mask: tuple[int, ...], ratio: Number) -> list[Number]:
    low = 1 / (sum(mask) * ratio + len(mask) - sum(mask))
    return [ratio * low if high else low for high in mask]
