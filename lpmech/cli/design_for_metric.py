"""What `design --metric` prints and writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lpmech.cli.counting import Counted
from lpmech.cli.labels import refuse_unordered
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.metric_design import MetricDesign
    from lpmech.entries import Number

__all__ = ["MetricPlan", "metric_plan", "refuse_beside_metric"]

_ALL_KEEP = (
    "all keep it; randomized_response keeps that level for any two labels, more than is asked: no fair comparison; "
    "column epsilon: what a channel has for any two labels. Other published mechanisms are made for these"
)


@dataclass(frozen=True)
class MetricPlan:
    """A design for a metric, and the files of its directory."""

    found: MetricDesign
    files: dict[str, str | bytes]

    def show(self, counted: Counted, explain: bool) -> None:
        """Print the comparison, and what was proved of the optimum; it is explained anyhow."""
        from lpmech.certify.checker import above, below
        from lpmech.report.console import console
        from lpmech.report.designs import comparison_table

        found, out = self.found, console()
        solution = found.solution
        out.print(comparison_table(found))
        out.print(
            f"labels at distance d ({found.metric_name}) may differ by e^(epsilon d): {_ALL_KEEP}", soft_wrap=True
        )
        out.print(
            f"certified: the optimum lies in [{below(solution.value, 10)}, {above(solution.bound, 10)}] "
            "(exact rational arithmetic)",
            soft_wrap=True,
        )
        if self.files:
            out.print(
                "`lpmech certify` checks the directory; there is no release.json, as a ledger counts epsilon for "
                "any two labels",
                soft_wrap=True,
            )

    def to_json(self) -> str:
        """The comparison as JSON."""
        found = self.found
        data = {
            "labels": list(found.labels),
            "epsilon": found.level.epsilon,
            "metric": found.metric_name,
            "utility": found.utility_name,
            "optimum": {"lower": str(found.solution.value), "upper": str(found.solution.bound)},
            "comparison": [
                {key: row[key] for key in ("mechanism", "expected_utility", "loss_percent", "epsilon")}
                for row in (entry.row() for entry in found.comparisons)
            ],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def refuse_beside_metric(given: Mapping[str, object]) -> None:
    """Refuse what goes with the usual privacy only: for a metric there is one channel, and counts have no price."""
    for name, value in given.items():
        if value is not None:
            raise InvalidInputError(name, value, "this option or value without --metric")


def metric_plan(counted: Counted, utility: str, metric: str, printed: Callable[[Number], str] | None) -> MetricPlan:
    """Design for a metric, and make the files of its directory if entries of a channel are to be printed."""
    from lpmech.designs.metric_design import design_for_metric
    from lpmech.release.metric_files import files_for_metric

    refuse_unordered(utility, counted.counts)
    found = design_for_metric(counted.counts, counted.level, metric, utility)
    return MetricPlan(found, {} if printed is None else files_for_metric(found, printed))
