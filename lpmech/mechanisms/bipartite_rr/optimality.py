"""When zhang2025 eq. (6) with one m for all rows is optimal among all private channels: duals in closed form.

Symbols: w[y, j] = pi(y) lambda(y, j), the utility weighted by the prior; t = e^epsilon. All of it is ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from lpmech.entries import Array, Number, as_array, is_exact, to_float, unify
from lpmech.errors import ProgramError, UtilityError
from lpmech.linear_algebra import solve_square
from lpmech.mechanisms.bipartite_rr.closed_form import bipartite_channel, common_m_star
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel
from lpmech.programs.optimality import dual_excess

__all__ = [
    "acts_transitively",
    "common_m_duals",
    "common_m_is_optimal",
    "dual_share",
    "grr_excess_on_integers",
    "grr_threshold_on_integers",
    "star_duals",
    "star_is_proved_optimal",
]


def _weighted(utility: object, prior: object) -> Array:
    matrix = as_array(utility, "utility", 2, UtilityError)
    matrix, weights = unify(matrix, as_prior(prior, len(matrix)))
    return weights[:, None] * matrix


def common_m_duals(utility: object, m: int, epsilon: PrivacyLevel | float, prior: object = None) -> Array:
    """The only duals of the rows that can prove zhang2025 eq. (6) with this m optimal, shape (N,).

    Parameters
    ----------
    utility : array_like, shape (N, N)
        Similarity of output j to true item k.
    m : int
        How many outputs get the high probability, 1..N.
    epsilon : float or PrivacyLevel
        Privacy level.
    prior : array_like, shape (N,), optional
        Distribution of the true item; uniform if omitted.

    Raises
    ------
    ProgramError
        If the channel is not square or singular: then the duals are not determined by it, and only
        `program.global_program` decides.
    UtilityError, PriorError, PrivacyLevelError
        If another argument is not usable.
    InvalidInputError
        If m is not in 1..N.

    Notes
    -----
    Ours. All entries are positive, so the dual constraint of every output is an equality, and with the signs of the
    gains w[y, j] - pi_y that go with the raised entries it reads sum_y q[y, j] (w[y, j] - pi_y) = 0.
    """
    weights = _weighted(utility, prior)
    weights, channel = unify(weights, bipartite_channel(utility, m, epsilon).matrix)
    if channel.shape[0] != channel.shape[1]:
        raise ProgramError("utility", f"shape {channel.shape}", "as many inputs as outputs")
    try:
        return solve_square(channel.T, (channel * weights).sum(axis=0))
    except ZeroDivisionError as exc:
        raise ProgramError("m", m, "an m for which the channel is not singular") from exc


def common_m_is_optimal(utility: object, m: int, epsilon: PrivacyLevel | float, prior: object = None) -> bool:
    """Whether zhang2025 eq. (6) with this m is optimal among all private channels, exact for exact arguments. Ours.

    It is iff the duals of `common_m_duals` have w[y, j] >= pi_y on the raised entries and w[y, j] <= pi_y elsewhere.

    Raises
    ------
    ProgramError, UtilityError, PriorError, PrivacyLevelError, InvalidInputError
        As `common_m_duals`.
    """
    duals = common_m_duals(utility, m, epsilon, prior)
    weights, channel = unify(_weighted(utility, prior), bipartite_channel(utility, m, epsilon).matrix)
    raised = channel > channel.min(axis=1, keepdims=True)
    gains = weights - duals[:, None]
    return bool(np.all(np.where(raised, gains >= 0, gains <= 0) | (gains == 0)))


def dual_share(value: Any, high: Any, low: Any) -> Any:
    """(Q - Lambda_(m+1)) / (Lambda_m - Lambda_(m+1)): where zhang2025 Alg. 3 stops. Ours."""
    return (value - low) / (high - low)


def star_duals(utility: object, level: PrivacyLevel, prior: object = None) -> Array:
    """Duals of the rows that sum to the expected utility of BRR* (zhang2025 Alg. 3), shape (K,).

    Parameters
    ----------
    utility, prior
        As for `lpmech.mechanisms.bipartite_rr.global_program`, errors too.
    level : PrivacyLevel
        Privacy level.

    Notes
    -----
    Ours. Every row's dual lies between its (m + 1)-th and its m-th largest w, all at the share `dual_share`. If they
    are feasible (`star_is_proved_optimal`) BRR* is optimal among all private channels.
    """
    weights = _weighted(utility, prior) if level.is_exact else to_float(_weighted(utility, prior))
    ordered = np.sort(weights, axis=1)[:, ::-1]
    m = common_m_star(utility, level, prior)
    if m == ordered.shape[1]:
        return ordered[:, -1]
    t: Any = level.ratio if is_exact(weights) else float(level.ratio)
    sums = ordered.sum(axis=0)
    value = (t * sums[:m].sum() + sums[m:].sum()) / (m * t + len(sums) - m)
    share = dual_share(value, sums[m - 1], sums[m]) if sums[m - 1] != sums[m] else 0 * value
    return ordered[:, m] + share * (ordered[:, m - 1] - ordered[:, m])


def star_is_proved_optimal(utility: object, level: PrivacyLevel, prior: object = None) -> bool:
    """Whether `star_duals` prove BRR* (zhang2025 Alg. 3) optimal among all private channels; exact for exact arguments.

    Ours. They do whenever symmetries of the utility act transitively on the outputs (`acts_transitively`); where there
    are none, a negative answer decides nothing.

    Raises
    ------
    UtilityError, PriorError
        If an argument is not usable.
    """
    duals = star_duals(utility, level, prior)
    return bool(np.all(dual_excess(_weighted(utility, prior), level.ratio, duals, {}) <= 0))


def acts_transitively(
    utility: object, symmetries: Iterable[tuple[Sequence[int], Sequence[int]]], prior: object = None
) -> bool:
    """Whether these are symmetries of the weighted utility that can carry every output to every other one.

    Then zhang2025 Alg. 3 (BRR*) is optimal among all private channels.

    Parameters
    ----------
    utility : array_like, shape (K, N)
        Similarity of output j to true item k.
    symmetries : iterable of pairs of permutations
        Images of the inputs 0..K-1 and of the outputs 0..N-1.
    prior : array_like, shape (K,), optional
        Distribution of the true item; uniform if omitted.

    Raises
    ------
    UtilityError, PriorError
        If utility or prior are not usable, or a pair does not leave the weighted utility as it is.
    """
    weights = _weighted(utility, prior)
    reached, steps = {0}, []
    for rows, columns in symmetries:
        if sorted(rows) != list(range(len(weights))) or sorted(columns) != list(range(weights.shape[1])):
            raise UtilityError("symmetries", (rows, columns), "permutations of the inputs and of the outputs")
        if not np.array_equal(weights[np.ix_(rows, columns)], weights):
            raise UtilityError("symmetries", (rows, columns), "permutations that leave the weighted utility as it is")
        steps.append(columns)
    todo = [0]
    while todo:
        j = todo.pop()
        for columns in steps:
            if columns[j] not in reached:
                reached.add(columns[j])
                todo.append(columns[j])
    return len(reached) == weights.shape[1]


def grr_excess_on_integers(t: Any, n: Any) -> Any:
    """zhang2025 eq. (5), GRR, is optimal for |i - j| on 1..N iff this is not negative (N >= 3, uniform prior). Ours."""
    mass = t + n - 1
    return mass**2 - mass * n * (n + 1) / 2 + n * (n**2 - 1) / 3


def grr_threshold_on_integers(n: int) -> Number:
    """The e^epsilon from which GRR (zhang2025 eq. (5)) is optimal for the loss |i - j| on 1..N.

    The right root of `grr_excess_on_integers`: N (N + 1)/4 - N + 1 + sqrt(N^2 (N + 1)^2/16 - N (N^2 - 1)/3), about
    N^2/2. Ours.

    Raises
    ------
    UtilityError
        If n is less than 2.
    """
    if n < 2:
        raise UtilityError("n", n, "at least two items")
    half = n * (n + 1) / 4
    return half - n + 1 + math.sqrt(half**2 - n * (n**2 - 1) / 3)
