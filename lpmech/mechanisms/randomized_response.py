"""Randomized response (RR, GRR, k-RR): ghazi2021 eq. (1), liu2026 Def. 2.3, zhang2025 eq. (5)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from lpmech.channel import Channel
from lpmech.entries import label_names
from lpmech.privacy import PrivacyLevel, as_privacy_level

__all__ = ["randomized_response"]


def randomized_response(labels: int | Sequence[Hashable], epsilon: PrivacyLevel | float) -> Channel:
    """Release the true label with probability t / (t + K - 1), every other one with 1 / (t + K - 1).

    Parameters
    ----------
    labels : int or sequence of hashable
        K (meaning the labels 0..K-1), or the names of the labels.
    epsilon : float or PrivacyLevel
        Privacy level; t = e^epsilon.

    Returns
    -------
    Channel, K x K
        Exact for an exact level. Its tight level is epsilon for K >= 2.

    Raises
    ------
    PrivacyLevelError
        If the level is not usable.
    LabelError
        If there is no label, or one occurs twice.

    Notes
    -----
    Source: ghazi2021, eq. (1); liu2026, Def. 2.3; zhang2025, eq. (5).
    """
    names = label_names(labels, "labels")
    t = as_privacy_level(epsilon).ratio
    size = len(names)
    low = 1 / (t + size - 1)
    return Channel([[t * low if y == j else low for j in range(size)] for y in range(size)], names, names)
