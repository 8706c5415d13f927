"""What `design --utility count` makes and prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lpmech.cli.counting import Counted
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.counting import Counting, CountingDesign
    from lpmech.entries import Number
    from lpmech.release import Release

__all__ = ["CountingPlan", "counting_plan"]

#: What can be deployed for any shares: others merge labels at some, which nobody knows of private ones beforehand.
_FOR_ANY_SHARES = (
    *("randomized_response", "subset_selection", "optimal_unary_encoding", "symmetric_unary_encoding"),
    *("hadamard_response", "best_for_counting"),
)


@dataclass(frozen=True)
class CountingPlan:
    """A design for counting, the mechanism of it that is chosen, and the files of its directory."""

    found: CountingDesign
    chosen: Counting
    files: dict[str, str | bytes]

    def show(self, counted: Counted, explain: bool) -> None:
        """Print the comparison, the bound, and what was spent."""
        from lpmech.report.console import console
        from lpmech.report.counting import bound_line, counting_design_table, counting_words
        from lpmech.report.designs import spent_line

        out = console()
        out.print(counting_design_table(self.found, self.chosen))
        out.print(f"chosen: {self.chosen.mechanism}")
        out.print(bound_line(self.found, self.chosen), soft_wrap=True)
        if counted.spent is not None:
            out.print(spent_line(counted.spent), soft_wrap=True)
        out.print(counting_words(self.found) if explain else "--explain says what the mechanisms and columns are")

    def to_json(self) -> str:
        """The comparison as JSON."""
        found = self.found
        bound = None if found.bound is None else str(found.bound.value)
        data: dict[str, Any] = {
            "labels": list(found.labels),
            "epsilon": found.level.epsilon,
            "utility": "count",
            "rows": found.rows,
            "mechanism": self.chosen.mechanism,
            "variance_bound": bound,
            "comparison": [
                {
                    "mechanism": row.mechanism,
                    "parameters": row.parameters,
                    "variance": float(row.variance),
                    "error": row.error,
                }
                for row in found.comparisons
            ],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def counting_plan(
    counted: Counted, mechanism: str | None, rows: int | None, printed: Callable[[Number], str] | None
) -> CountingPlan:
    """Design for counting, and make the files of its directory if entries of a channel are to be printed.

    Raises
    ------
    InvalidInputError
        If there is no such mechanism for these counts.
    """
    from lpmech.designs.counting import design_for_counting
    from lpmech.release import Spent
    from lpmech.release.counting_files import files_for_counting, release_for_counting

    many = rows if rows is not None or counted.bought is None else counted.bought.rows or None
    found = design_for_counting(counted.counts, counted.level, many)
    usable = {row.mechanism: row for row in found.comparisons}
    if counted.bought is not None:
        usable = {name: row for name, row in usable.items() if name in _FOR_ANY_SHARES}
    if mechanism is not None and mechanism not in usable:
        allowed = f"{', '.join(usable)}: what counts these labels"
        raise InvalidInputError("mechanism", mechanism, allowed)
    chosen = found.best if mechanism is None else usable[mechanism]
    if printed is None:
        return CountingPlan(found, chosen, {})
    spent = counted.spent or Spent.on(counted.epsilon)
    release = release_for_counting(found, chosen, counted.epsilon, spent, counted.bought)
    for_people = _for_people(found, chosen, release)
    return CountingPlan(found, chosen, files_for_counting(found, release, counted.counts.edges, printed, for_people))


def _for_people(found: CountingDesign, chosen: Counting, release: Release) -> dict[str, bytes]:
    """Name and content of a picture and a page; none where a library for them is missing."""
    from lpmech.cli.for_people import left_out

    if left_out():
        return {}
    from lpmech.pages.design_for_counting import counting_page
    from lpmech.plots import plot_counting, png

    title = f"Error of a share, epsilon = {found.level.epsilon:g}, {found.rows} released labels"
    picture = png(plot_counting(found.comparisons, chosen, title=title))
    return {"comparison.png": picture, "design.html": counting_page(found, chosen, release, picture).encode()}
