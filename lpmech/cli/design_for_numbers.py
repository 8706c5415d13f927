"""What `design --utility unbiased` makes and prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from lpmech.cli.counting import Counted
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.unbiased import UnbiasedDesign
    from lpmech.entries import Number

__all__ = ["NumbersPlan", "numbers_plan"]


@dataclass(frozen=True)
class NumbersPlan:
    """A design for unbiased release, and the files of its directory."""

    found: UnbiasedDesign
    files: dict[str, str | bytes]

    def show(self, counted: Counted, explain: bool) -> None:
        """Print the comparison, what was proved, what was spent; if asked for, what finer outputs gain."""
        from lpmech.report.console import console
        from lpmech.report.designs import epsilon_words, spent_line
        from lpmech.report.unbiased import proved_line, spacings_table, unbiased_table

        out, level = console(), self.found.best.program.level
        out.print(unbiased_table(self.found))
        out.print(proved_line(self.found), soft_wrap=True)
        if counted.spent is not None:
            out.print(spent_line(counted.spent), soft_wrap=True)
        if not explain:
            out.print("--explain says what finer outputs gain")
            return
        from lpmech.designs.unbiased import multiples, spacings

        out.print(epsilon_words(counted.level), soft_wrap=True)
        if not self.found.anywhere:
            return
        values = counted.counts.values or []
        step = multiples(values, level)[1]
        steps = [step * size for size in (16, 8, 4, 2, 1, Fraction(1, 2))]
        out.print(spacings_table(spacings(counted.counts, level, steps, self.found.anywhere)))

    def to_json(self) -> str:
        """The comparison as JSON."""
        found = self.found
        data: dict[str, Any] = {
            "labels": list(found.labels),
            "epsilon": found.best.program.level.epsilon,
            "utility": "unbiased",
            "outputs": list(found.channel.outputs),
            "variance": {
                "value": str(found.best.value),
                "bound": str(found.best.bound),
                "any_outputs": str(found.anywhere),
            },
            "comparison": [vars(row) for row in found.comparisons],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def numbers_plan(
    counted: Counted, mechanism: str | None, step: Number | None, printed: Callable[[Number], str] | None
) -> NumbersPlan:
    """Design for unbiased release, and make the files of its directory if entries of a channel are to be printed.

    Raises
    ------
    InvalidInputError
        If the labels are no numbers, or another mechanism is asked for.
    """
    from lpmech.budgets import largest_ratio
    from lpmech.designs.unbiased import design_unbiased
    from lpmech.privacy import PrivacyLevel
    from lpmech.release import Spent
    from lpmech.release.unbiased_files import files_of_unbiased, release_of_unbiased

    if mechanism not in (None, "optimal"):
        raise InvalidInputError("mechanism", mechanism, "optimal: with --utility unbiased no other one is released")
    found = design_unbiased(counted.counts, PrivacyLevel.from_ratio(largest_ratio(counted.epsilon)), step)
    if printed is None:
        return NumbersPlan(found, {})
    release = release_of_unbiased(found, counted.epsilon, counted.spent or Spent.on(counted.epsilon), counted.bought)
    return NumbersPlan(found, files_of_unbiased(found, release, counted.counts.edges, printed))
