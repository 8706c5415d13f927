"""The channel that a design deploys: of largest expected utility, whatever the order and names of the labels.

Everything that chooses is done in the canonical order of `lpmech.programs.symmetry`: the same program, bit for bit, for
all orders and names. Solver, choice on the optimal face and rounding are deterministic, so the exact channel is the
same one up to renaming; entries of pairs of labels that cannot be told apart are equal as rationals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lpmech.channel import Channel
from lpmech.entries import Array, to_exact, to_float
from lpmech.errors import SolverError
from lpmech.labels.counts import LabelCounts
from lpmech.linear_algebra import one_thread
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program, optimal_channel
from lpmech.programs.hit_floors import priced, short_prices
from lpmech.programs.solvers.optimal_face import face_of, least_variance, variance
from lpmech.programs.symmetry import Symmetry, symmetry_of
from lpmech.programs.uncertain_priors import PriorSet, WorstCase
from lpmech.rationals import DENOMINATOR, alike_numerators, private_numerators

__all__ = ["Optimum", "optimum_for_worst_prior", "optimum_of"]

#: How much expected utility, relative to the largest spread of a row, rounding may take from the chosen channel.
_LOST = 1e-9

#: A label that is released less often than this, whatever the true one, is never released.
_NOTHING = 1e-15

#: Hit rates stay above the floor by this, unless the solver's are nearer.
_ABOVE = 1e-10


@dataclass(frozen=True)
class Optimum:
    """An optimal channel, and what proves it.

    Attributes
    ----------
    program : Program
        What is maximised, without prices of hits.
    channel : Channel
        Exact, private at the level, over one denominator of at most 2^62; every hit rate at least the floor.
    row_duals : ndarray, shape (K,)
        Almost feasible duals of the program, hits priced if there is a floor.
    symmetry : Symmetry
        Of utility and prior.
    floor, prices : Fraction and ndarray of Fraction, shape (K,), optional
        As in `lpmech.programs.hit_floors.FlooredOptimum`; None without a floor.
    error_before : float or None
        Error of a share under the channel that the solver found, where another one of the optimal channels was chosen;
        infinite if it could not be decoded. None where the optimal channel is the only one, or none that was looked
        at can be decoded.
    """

    program: Program
    channel: Channel
    row_duals: Array
    symmetry: Symmetry
    floor: Fraction | None = None
    prices: Array | None = None
    error_before: float | None = None

    @property
    def priced(self) -> Program:
        """The program of which a certificate proves this optimum."""
        return self.program if self.prices is None else priced(self.program, self.prices)


def optimum_of(
    gain: Array,
    level: PrivacyLevel,
    counts: LabelCounts,
    hit_floor: object = None,
    known: Symmetry | None = None,
) -> Optimum:
    """The optimum for label counts.

    Among the optimal channels it is one with little variance of the estimated shares: see
    `lpmech.programs.solvers.optimal_face` for what is guaranteed.

    Parameters
    ----------
    gain : ndarray, shape (K, K)
        Utility.
    level : PrivacyLevel
        Privacy level.
    counts : LabelCounts
        Labels, prior and number of rows.
    hit_floor : number or str, optional
        See `lpmech.programs.hit_floors.as_floor`.
    known : Symmetry, optional
        Of utility and prior, where it was found before.

    Raises
    ------
    UtilityError, ProgramError, SolverError
        If an argument is not usable, or a solver fails.
    """
    program = optimal_channel(gain, level, counts.prior, inputs=counts.labels, outputs=counts.labels)
    symmetry = known or symmetry_of(gain, counts.prior)
    order, back = symmetry.order, symmetry.back
    sorted_program = program.reordered(order)
    least, prices = None, None
    if hit_floor is None:
        solution = sorted_program.solve()
        found, duals = solution.channel, solution.row_duals
    else:
        from lpmech.programs.solvers.hit_floors import solve_with_hit_floor  # here, for others need no scipy

        kept = solve_with_hit_floor(sorted_program, hit_floor)
        found, duals, prices, least = kept.channel, kept.row_duals, kept.prices, kept.floor
    matrix = symmetry.average(to_float(found.matrix))
    duals = symmetry.average_labels(to_float(duals))
    costs = symmetry.average_labels(np.zeros(len(order)) if prices is None else to_float(prices))
    with one_thread():
        chosen, before = _chosen(sorted_program, matrix, duals, costs, least, to_float(counts.prior)[order], symmetry)
    channel = _exact(chosen, symmetry, level, counts.labels)
    if least is None:
        return Optimum(program, channel, duals[back], symmetry, error_before=_error(before, counts))
    _refuse_below(channel, least)
    prices = short_prices(program, costs[back])
    return Optimum(program, channel, duals[back], symmetry, least, prices, _error(before, counts))


def optimum_for_worst_prior(
    gain: Array, level: PrivacyLevel, counts: LabelCounts, priors: PriorSet, hit_floor: object = None
) -> WorstCase:
    """The optimum for the worst prior of a set on the labels of the counts, its channel exact as that of `optimum_of`.

    Labels that utility and set cannot tell apart are treated alike: the worst case of an averaged channel is no worse,
    for the least expectation over a set is concave, and the set is the same after these are exchanged.

    Raises
    ------
    UtilityError, PriorError, ProgramError, SolverError
        If an argument is not usable, there are more than 150 labels, or HiGHS fails or does not keep the floor.
    """
    kinds = list(zip(priors.centre.tolist(), priors.low.tolist(), priors.high.tolist(), strict=True))
    ranks = {kind: Fraction(rank) for rank, kind in enumerate(sorted(set(kinds)))}
    symmetry = symmetry_of(gain, np.array([ranks[kind] for kind in kinds], dtype=object))
    order, back = symmetry.order, symmetry.back
    found = optimal_channel(gain[order][:, order], level, priors=priors.reordered(order)).solve("float", hit_floor)
    channel = _exact(symmetry.average(to_float(found.channel.matrix)), symmetry, level, counts.labels)
    prior = symmetry.average_labels(found.prior)[back]
    program = optimal_channel(to_exact(gain), level, prior, inputs=counts.labels, outputs=counts.labels)
    duals = symmetry.average_labels(to_float(found.row_duals))[back]
    if found.floor is None or found.prices is None:
        return WorstCase(to_exact(gain), priors, program, channel, prior, duals)
    _refuse_below(channel, found.floor)
    prices = to_exact(symmetry.average_labels(to_float(found.prices))[back])
    return WorstCase(to_exact(gain), priors, program, channel, prior, duals, found.floor, prices)


def _refuse_below(channel: Channel, least: Fraction) -> None:
    if min(channel.matrix.diagonal().tolist()) < least:
        raise SolverError("the solver's channel does not keep the floor of all hit rates")


def _chosen(
    program: Program,
    matrix: Array,
    duals: Array,
    prices: Array,
    least: Fraction | None,
    prior: Array,
    symmetry: Symmetry,
) -> tuple[Array, float | None]:
    """The matrix to deploy, and the variance of the solver's if another one was chosen that can be decoded."""
    weights = program.floats[0] + np.diag(prices)
    spread = float(np.ptp(weights, axis=1).max())
    excess = program.level.excess_bounds[0]
    face = face_of(
        weights, matrix, duals, prices > 0, 0.0 if least is None else float(least) + _ABOVE, excess, symmetry
    )
    if face.is_point:
        return matrix, None
    chosen = least_variance(face, matrix, prior)
    if float((weights * (matrix - chosen)).sum()) > _LOST * spread:
        return matrix, None
    after = variance(chosen, prior)[0]
    return chosen, variance(matrix, prior)[0] if np.isfinite(after) else None


def _exact(matrix: Array, symmetry: Symmetry, level: PrivacyLevel, labels: tuple[str, ...]) -> Channel:
    """The exact channel, from the canonical order back to that of the labels."""
    matrix = np.where(matrix.max(axis=0) < _NOTHING, 0.0, matrix)
    matrix = symmetry.average(matrix / matrix.sum(axis=1, keepdims=True))
    ratio = level.ratio_below
    if symmetry.discrete:
        numerators, denominator = private_numerators(matrix, ratio), DENOMINATOR
    else:
        numerators, denominator = alike_numerators(matrix, ratio, symmetry.pairs)
    back = symmetry.back
    return Channel.of_numerators(numerators[back][:, back], denominator, labels, labels)


def _error(total: float | None, counts: LabelCounts) -> float | None:
    """Root mean squared error of a share, from tr(D^T diag(r) D)."""
    return None if total is None else math.sqrt(max(total - 1, 0.0) / len(counts.labels) / sum(counts.counts))
