"""BlockRR as a coin between two mechanisms: RR on all labels, and RR on S1 after minority labels are moved into Delta.

Symbols as in `closed_form`: t = e^epsilon, s1 = |S1|, s2 = |S2|, l = |Delta|; B(y) = {y} and S~ = S.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lpmech.channel import Channel
from lpmech.entries import Number
from lpmech.errors import BlockError
from lpmech.mechanisms.block_rr.closed_form import favoured_labels, kappa
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel

__all__ = ["mixture_weight", "moved_entries", "rr_on_majority"]


def mixture_weight(t: Any, s1: Any, s2: Any, l: Any) -> Any:
    """Share of `rr_on_majority` in BlockRR, with kappa of liu2026 eq. (3.2); the rest is RR. Ours."""
    return l * (t - 1) * (t - 1 + s1) / ((s1 + s2) * kappa(t, 1, s1, s2, l))


def moved_entries(t: Any, s1: Any, l: Any) -> tuple[Any, Any]:
    """Minority rows of `rr_on_majority`: (on Delta, on the rest of S1); 1/s1 twice in liu2026 Def. 2.4. Ours."""
    return (t - 1 + l) / (l * (t - 1 + s1)), t**0 / (t - 1 + s1)


def rr_on_majority(prior: object, majority: Sequence[int], level: PrivacyLevel, l: int) -> Channel:
    """Randomized response on S1, in which a minority label is first replaced by one drawn uniformly from Delta.

    Parameters
    ----------
    prior, majority, level
        As in `block_rr_from_partition`.
    l : int
        |Delta|, 1..|S1|.

    Returns
    -------
    Channel, K x K
        RRTop-k of liu2026 Def. 2.4 on S1 if l = |S1|. Exact for an exact level.

    Raises
    ------
    BlockError
        If l is outside 1..|S1|.
    PriorError
        If prior or level are not usable.
    """
    probabilities, t = as_prior(prior), level.ratio
    chosen = set(majority)
    favoured = set(favoured_labels(probabilities, majority, l))
    if not favoured:
        raise BlockError("l", l, f"a whole number from 1 to {len(chosen)}")
    low = t**0 / (t - 1 + len(chosen))
    on_delta, on_rest = moved_entries(t, len(chosen), len(favoured))

    def entry(y: int, j: int) -> Number:
        if j not in chosen:
            return 0 * t
        if y in chosen:
            return t * low if j == y else low
        return on_delta if j in favoured else on_rest

    size = len(probabilities)
    return Channel([[entry(y, j) for j in range(size)] for y in range(size)])
