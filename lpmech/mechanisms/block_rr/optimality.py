"""When BlockRR's closed form solves liu2026 eq. (4.1): the duals that fit it, and their signs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from lpmech.entries import Array, Number, as_array
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.block_rr.closed_form import favoured_labels
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel

__all__ = ["block_rr_is_optimal", "dual_from_sum", "dual_sums", "optimality_slacks", "fitting_duals"]


def dual_sums(t: Any, s1: Any, s2: Any, l: Any, d: Any, favoured: Any, kept: Any) -> tuple[Any, Any]:
    """Sums of the duals of liu2026 eq. (4.1) over S1 and over all labels; favoured, kept: prior in S1."""
    size = s1 + s2
    first = favoured * (t + (s1 - 1) * d) + kept * (t + (size - 1) * d)
    second = (1 - favoured - kept) * (t + (size - 1) * d)
    determinant = (t - 1 + l) * (t - 1 + s2) + (s1 - l) * (t - 1)
    return ((t - 1 + s2) * first - (s1 - l) * second) / determinant, (
        (t - 1) * first + (t - 1 + l) * second
    ) / determinant


def dual_from_sum(own: Any, t: Any, size: Any, d: Any, total: Any) -> Any:
    """The dual of a row of liu2026 eq. (4.1): `size` rows are free in its own column, with duals of this sum. Ours."""
    return (own * (t + (size - 1) * d) - total) / (t - 1)


def fitting_duals(prior: Array, favoured: Collection[int], majority: Collection[int], t: Any, d: Any) -> list[Any]:
    """The only duals of the rows of liu2026 eq. (4.1) that can prove BlockRR optimal; t and d may be symbols. Ours.

    BlockRR is positive, so the dual constraint of every output is an equality: (t - 1) pi_y is p_y (t + (n - 1) d) less
    the sum of the duals of the n rows that are free in column y, those of S1 if y is in Delta and all K otherwise. The
    two sums solve a regular 2 x 2 system.
    """
    size, s1 = len(prior), len(majority)
    mass = sum(prior[y] for y in favoured)
    kept = sum(prior[y] for y in majority) - mass
    first, whole = dual_sums(t, s1, size - s1, len(favoured), d, mass, kept)
    return [
        dual_from_sum(p, t, s1, d, first) if y in favoured else dual_from_sum(p, t, size, d, whole)
        for y, p in enumerate(prior.tolist())
    ]


def optimality_slacks(prior: object, majority: Sequence[int], d: Any, t: Any, l: int) -> list[Any]:
    """What must not be negative for BlockRR to solve liu2026 eq. (4.1); d = exp(-1 / sigma) and t may be symbols.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution p of the true label; S~ = S.
    majority : sequence of int
        S1.
    d, t
        Decay of the weights (3.3), 0 <= d < 1, and e^epsilon > 1.
    l : int
        |Delta|, 0..|S1|.

    Returns
    -------
    list
        For every row y with other labels whose entries are not fixed: pi_y - d max p_j over these labels, with the pi
        of `fitting_duals`.

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    PriorError
        If the prior is not a distribution.

    Notes
    -----
    Ours. The closed form is optimal iff none is negative: these duals have the signs that complementary slackness asks
    for, or no duals do; pi_y <= p_y follows from the equality of column y. Exact for exact arguments, no solver.
    """
    probabilities = as_prior(prior)
    favoured = favoured_labels(probabilities, majority, l)
    chosen = set(majority)
    if len(chosen) == len(probabilities):  # no entry is fixed
        favoured = []
    slacks = []
    for y, pi in enumerate(fitting_duals(probabilities, favoured, chosen, t, d)):
        fixed = favoured if y not in chosen else []
        free = [p for j, p in enumerate(probabilities.tolist()) if j != y and j not in fixed]
        if free:
            slacks.append(pi - d * max(free))
    return slacks


def block_rr_is_optimal(prior: object, majority: Sequence[int], decay: Number, level: PrivacyLevel, l: int) -> bool:
    """Whether BlockRR solves liu2026 eq. (4.1), by `optimality_slacks`.

    Parameters
    ----------
    prior, majority, decay, level, l
        As in `block_rr_program_from_decay`.

    Raises
    ------
    BlockError
        If l is outside 0..|S1|.
    PriorError
        If another argument is not usable.
    InvalidInputError
        If the decay is not in [0, 1).
    """
    d = as_array([decay], "decay", 1)[0]
    if not 0 <= d < 1:
        raise InvalidInputError("decay", decay, "a number with 0 <= decay < 1")
    return all(slack >= 0 for slack in optimality_slacks(prior, majority, d, level.ratio, l))
