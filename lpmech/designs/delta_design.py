"""The best (epsilon, delta)-private channel for label counts, beside what is private without delta."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from lpmech.designs.comparing import Comparison, compared_with, published_beside, solved_with_rows
from lpmech.designs.designing import utility_of
from lpmech.entries import Array, to_exact, total
from lpmech.labels.counts import Labels, as_label_counts
from lpmech.mechanisms.rr_with_prior import hit_rates
from lpmech.privacy import MAX_EPSILON, PrivacyLevel, as_privacy_level
from lpmech.programs import optimal_channel
from lpmech.programs.approximate import approximate_channel
from lpmech.programs.hit_floors import floor_of
from lpmech.programs.linear import LinearSolution
from lpmech.programs.symmetry import symmetry_of
from lpmech.programs.uncertain_priors import PriorSet

__all__ = ["DeltaDesign", "design_with_delta"]

#: The level without delta that is as useful is told this close.
_CLOSE = 1e-4


@dataclass(frozen=True)
class DeltaDesign:
    """The best (epsilon, delta)-private channel, and others.

    Attributes
    ----------
    labels : tuple of str
    level : PrivacyLevel
    delta : Fraction
    utility_name : str
    solution : LinearSolution
        The optimum with its proof.
    comparisons : tuple of Comparison
        The first is ``optimal``; the others are private at epsilon without delta, by falling expected utility:
        ``optimal_without_delta``, and what is published.
    as_useful : tuple of float
        No channel without delta is as useful at the first epsilon, some channel is at the second, close above it; equal
        where delta gains nothing, infinite where it takes more than the largest epsilon there is. None with a floor.
    closed_form : Fraction or None
        For the hit rate: delta + (1 - delta) times that of RRWithPrior, at the rational e^epsilon of the program; None
        for the worst of several priors, or with a floor.
    utility, priors, floor
        As for `lpmech.designs.metric_design.MetricDesign`; with priors `as_useful` is about their worst, too.
    """

    labels: tuple[str, ...]
    level: PrivacyLevel
    delta: Fraction
    utility_name: str
    solution: LinearSolution
    comparisons: tuple[Comparison, ...]
    as_useful: tuple[float, float] | None
    closed_form: Fraction | None
    utility: Array
    priors: PriorSet | None = None
    floor: Fraction | None = None


def design_with_delta(
    counts: Labels,
    epsilon: PrivacyLevel | float,
    delta: object,
    utility: object = "hit",
    priors: PriorSet | None = None,
    hit_floor: object = None,
) -> DeltaDesign:
    """Find the best channel for label counts under which Pr[S | y] <= e^epsilon Pr[S | z] + delta for every set S.

    Parameters
    ----------
    counts, utility
        As for `lpmech.design`; counts are taken for public.
    epsilon : float or PrivacyLevel
        Privacy level.
    delta : number
        From 0 on and below 1; a float stands for the rational number that it is.
    priors, hit_floor : optional
        As for `lpmech.design`: the best channel for the worst of them is found, and of those that keep the floor.

    Raises
    ------
    PrivacyLevelError, LabelError, DataFileError, UtilityError
        If an argument is not usable.
    ProgramError
        If delta is not from 0 on and below 1, there are more than some 45 labels, or all of them cannot have the floor.
    PriorError
        If the set of priors is on another number of labels.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.designs.delta_design import design_with_delta
    >>> found = design_with_delta({"a": 2, "b": 1, "c": 1}, PrivacyLevel.from_ratio(2), Fraction(1, 10))
    >>> found.solution.value == found.closed_form  # 1/10 + 9/10 of 1/2
    True
    >>> found.solution.value, [round(end, 4) for end in found.as_useful]  # 2/4 of RR is 11/20 at e^epsilon = 22/9
    (Fraction(11, 20), [0.8938, 0.8938])
    """
    counts, level = as_label_counts(counts), as_privacy_level(epsilon)
    utility_name, gain = utility_of(utility, counts, level)
    prior, rows = counts.prior, sum(counts.counts)
    program = partial(approximate_channel, gain, level, delta, names=counts.labels)
    solution, first = solved_with_rows(program, gain, prior, rows, priors, hit_floor)
    slack, floor = Fraction(solution.program.data["delta"]), floor_of(solution.program)
    optimum = first[-1].expected_utility
    pure = optimal_channel(gain, level, prior, inputs=counts.labels, outputs=counts.labels).solve()
    others = published_beside(gain, level, prior, counts, optimum, symmetry_of(gain, prior))
    others.append(compared_with("optimal_without_delta", "", pure.channel, gain, prior, optimum, rows))
    others.sort(key=lambda entry: -round(entry.expected_utility, 12))
    closed = None
    if utility_name == "hit" and priors is None and floor is None:
        rates = hit_rates(sorted(to_exact(prior), reverse=True), PrivacyLevel.from_ratio(level.ratio_below))
        closed = Fraction(slack + (1 - slack) * max(rates))
    useful: tuple[float, float] | None = None
    if floor is None:
        useful = _as_useful(gain, prior, level, solution.value, priors) if slack else (level.epsilon, level.epsilon)
    compared = (*first, *others)
    return DeltaDesign(
        counts.labels, level, slack, utility_name, solution, compared, useful, closed, gain, priors, floor
    )


def _as_useful(
    gain: Array, prior: Array, level: PrivacyLevel, value: Fraction, priors: PriorSet | None
) -> tuple[float, float]:
    """Two close levels between which the optimum without delta reaches a value, by its bound and by its own value."""

    def best(epsilon: float) -> Any:
        """The optimum without delta."""
        if priors is not None:
            return optimal_channel(gain, epsilon, priors=priors).solve("float")
        return optimal_channel(gain, epsilon, prior).solve()

    exact = to_exact(gain)
    constant = [total(column * (to_exact(prior) if priors is None else priors.worst(column))) for column in exact.T]
    if value <= max(constant):
        return level.epsilon, level.epsilon
    low, high, step = level.epsilon, level.epsilon, 0.5
    while high < MAX_EPSILON:
        high = min(high + step, MAX_EPSILON)
        if Fraction(best(high).value) >= value:
            break
        low, step = high, 2 * step
    else:
        return low, np.inf
    while high - low > _CLOSE * max(high, 1.0) / 2:
        middle = (low + high) / 2
        found = best(middle)
        if Fraction(found.value) >= value:
            high = middle
        elif Fraction(found.bound) < value:
            low = middle
        else:
            break
    return low, high
