"""A practitioner's labels over all levels of privacy at once: what the explorable page shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lpmech.designs.comparing import best_constant, published_along
from lpmech.designs.designing import utility_of
from lpmech.designs.regimes import Formulas, regimes
from lpmech.entries import Array, to_float
from lpmech.errors import InvalidInputError
from lpmech.labels.counts import LabelCounts
from lpmech.labels.named_utilities import needs_order, same_at_every_level
from lpmech.privacy import PrivacyLevel
from lpmech.programs import optimal_channel
from lpmech.programs.hit_floors import halfway_floor
from lpmech.programs.solvers.hit_floors import solve_with_hit_floor

__all__ = ["FLOORED", "GRID", "MOST_LABELS", "Curve", "Explored", "explorable", "explored"]

#: Levels at which the published mechanisms are computed; the optimum is a formula between them, too.
GRID = tuple(round(0.05 * step, 2) for step in range(1, 161))

#: Every so many of them the optimum with a floor is solved for, which is a program of its own at each level.
FLOORED = 8

#: A page for more labels would be a table that nobody reads, and regimes take half a minute for that many.
MOST_LABELS = 25


@dataclass(frozen=True)
class Curve:
    """A mechanism at the levels of `GRID`.

    Attributes
    ----------
    mechanism : str
        Name of its function in `lpmech.mechanisms`, or ``"optimal_with_floor"``: every label keeps a hit rate halfway
        between that of guessing and of randomised response.
    parameters : tuple of str
        What was chosen at each level.
    utility : tuple of float or None
        Its expected utility at each level, in floats; None where it was not computed.
    """

    mechanism: str
    parameters: tuple[str, ...]
    utility: tuple[float | None, ...]


@dataclass(frozen=True)
class Explored:
    """One utility over all levels.

    Attributes
    ----------
    formulas : Formulas
        The optimum as a function of t = e^epsilon, proved for all t > 1.
    curves : tuple of Curve
        The best label if it is always the same one, the published mechanisms, the optimum with a floor.
    """

    formulas: Formulas
    curves: tuple[Curve, ...]


def explorable(counts: LabelCounts, asked: Sequence[str] | None = None) -> list[str]:
    """The utilities of a page: those asked for, else all named ones that the labels have.

    Raises
    ------
    InvalidInputError
        If there are more than `MOST_LABELS` labels.
    UtilityError, DataFileError
        If a utility is not usable, depends on epsilon, or on an order of the labels that nobody has given.
    """
    if len(counts.labels) > MOST_LABELS:
        raise InvalidInputError("counts", f"{len(counts.labels)} labels", f"at most {MOST_LABELS}; --bins groups them")
    if not asked:
        return [name for name in same_at_every_level() if not needs_order(name, counts)]
    for name in asked:
        utility_of(name, counts)
    return list(dict.fromkeys(asked))


def explored(counts: LabelCounts, utilities: Sequence[str]) -> Iterator[Explored]:
    """The exact regimes of every utility, and the published mechanisms on `GRID`, one utility after the other."""
    for name in utilities:
        formulas = regimes(counts, name)
        yield Explored(formulas, tuple(_curves(formulas, counts)))


def _curves(formulas: Formulas, counts: LabelCounts) -> Iterator[Curve]:
    utility, prior = to_float(formulas.utility), to_float(formulas.prior)
    best = best_constant(utility, prior)
    yield Curve("always_one_label", (counts.labels[best],) * len(GRID), (float(prior @ utility[:, best]),) * len(GRID))
    yield _floored(utility, prior)
    for name, points in published_along(utility, prior, map(PrivacyLevel.from_epsilon, GRID)).items():
        yield Curve(name, tuple(chosen for _, chosen, _ in points), tuple(value for _, _, value in points))


def _floored(utility: Array, prior: Array) -> Curve:
    size = len(prior)
    parameters = [""] * len(GRID)
    values: list[float | None] = [None] * len(GRID)
    for place in range(FLOORED - 1, len(GRID), FLOORED):
        level = PrivacyLevel.from_epsilon(GRID[place])
        kept = solve_with_hit_floor(optimal_channel(utility, level, prior), halfway_floor(size, level))
        parameters[place] = f"hits >= {float(kept.floor):.4g}"
        values[place] = float(kept.channel.expected_utility(utility, prior))
    return Curve("optimal_with_floor", tuple(parameters), tuple(values))
