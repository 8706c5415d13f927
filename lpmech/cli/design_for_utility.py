"""What `design` prints and writes for a utility."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lpmech.cli.counting import Counted
from lpmech.cli.labels import refuse_unordered
from lpmech.cli.uncertain import PriorOptions
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.comparing import Comparison
    from lpmech.designs.designing import Design
    from lpmech.entries import Number

__all__ = ["UtilityPlan", "floor_asked", "utility_plan"]


@dataclass(frozen=True)
class UtilityPlan:
    """A design for a utility, the mechanism of it that is chosen, and the files of its directory."""

    found: Design
    chosen: Comparison
    files: dict[str, str | bytes]

    def show(self, counted: Counted, explain: bool) -> None:
        """Print the comparison, what was proved of the optimum, and what was spent."""
        from lpmech.certify.checker import above, below
        from lpmech.labels.named_utilities import is_ordered
        from lpmech.report.console import console
        from lpmech.report.designs import (
            comparison_table,
            counting_line,
            explanations,
            floor_line,
            left_table,
            order_line,
            spent_line,
            warning_of,
            worst_case_line,
        )

        found, out = self.found, console()
        out.print(comparison_table(found))
        out.print(left_table(found))
        lower, upper = found.interval
        gap = max(float(upper - lower), 1e-12)
        worst = "" if found.priors is None else " of the worst case"
        out.print(
            f"certified: the optimum{worst} lies in [{below(lower, 10)}, {above(upper, 10)}] "
            f"(exact rational arithmetic, gap below {10.0 ** math.ceil(math.log10(gap)):.0e})",
            soft_wrap=True,
        )
        if found.floor is not None:
            out.print(floor_line(found.floor), soft_wrap=True)
        if line := worst_case_line(found, lower):
            out.print(line, soft_wrap=True)
        out.print(counting_line(found), soft_wrap=True)
        if is_ordered(found.utility_name):
            out.print(order_line(counted.counts), soft_wrap=True, markup=False)
        if counted.spent is not None:
            out.print(spent_line(counted.spent), soft_wrap=True)
        if warning := warning_of(found, self.chosen):
            out.print(warning, soft_wrap=True, markup=False)
        if self.chosen.mechanism != "optimal":
            out.print(f"chosen: {self.chosen.mechanism}, which loses {self.chosen.loss_percent:.4g} %", soft_wrap=True)
        if explain:
            out.print(explanations(found))
        else:
            out.print("--explain says what the mechanisms and columns are")

    def to_json(self) -> str:
        """The comparison as JSON."""
        found = self.found
        data: dict[str, Any] = {
            "labels": list(found.labels),
            "epsilon": found.level.epsilon,
            "utility": found.utility_name,
            "mechanism": self.chosen.mechanism,
            "hit_floor": None if found.floor is None else float(found.floor),
            "priors": None if found.priors is None else [found.priors.kind, found.priors.size],
            "optimum": {"lower": str(found.interval[0]), "upper": str(found.interval[1])},
            "comparison": [
                {
                    "mechanism": c.mechanism,
                    "parameters": c.parameters,
                    "expected_utility": c.expected_utility,
                    "loss_percent": c.loss_percent if c.loss_percent != float("inf") else None,
                    "epsilon": c.epsilon if c.epsilon != float("inf") else None,
                    "never_released": list(c.left.never),
                    "decodable": c.left.decodable,
                    "share_error": c.share_error,
                    "information_bits": c.left.information,
                    "guessed": c.left.guessed,
                }
                for c in found.comparisons
            ],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def utility_plan(
    counted: Counted,
    utility: str,
    mechanism: str | None,
    floor: float | str | None,
    printed: Callable[[Number], str] | None,
    shares: PriorOptions,
) -> UtilityPlan:
    """Design for a utility, and make the files of its directory if entries of a channel are to be printed.

    Raises
    ------
    InvalidInputError
        If there is no such mechanism.
    """
    from lpmech.designs.designing import design

    labels = counted.counts
    refuse_unordered(utility, labels)
    found = design(labels, counted.level, utility, floor, shares.of(counted))
    chosen = found.named(mechanism or "optimal")
    return UtilityPlan(found, chosen, {} if printed is None else _files(found, chosen, counted, printed))


def _files(
    found: Design, chosen: Comparison, counted: Counted, printed: Callable[[Number], str]
) -> dict[str, str | bytes]:
    """Name and content of every file of the directory."""
    from lpmech.cli.for_people import files_for_people
    from lpmech.release import Spent
    from lpmech.release.design_files import files_of_design, release_of

    spent = counted.spent or Spent.on(counted.epsilon)
    release = release_of(found, counted.epsilon, spent, counted.bought, chosen.mechanism)
    return files_of_design(found, release, counted.counts.edges, printed, files_for_people(found, chosen, release))


def floor_asked(keep_labels: bool, hit_floor: float | None) -> float | str | None:
    """What is asked of the hit rate of every label: a number, a word, or nothing.

    Raises
    ------
    InvalidInputError
        If two floors are asked for.
    """
    from lpmech.programs.hit_floors import HALFWAY

    if keep_labels and hit_floor is not None:
        raise InvalidInputError("hit_floor", hit_floor, "at most one of --keep-labels and --hit-floor")
    return HALFWAY if keep_labels else hit_floor
