"""What `design` prints and writes of other programs than the usual one: a metric, delta, information."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from lpmech.cli.counting import Counted
from lpmech.cli.labels import refuse_unordered
from lpmech.cli.uncertain import PriorOptions
from lpmech.entries import rational_from_text
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.designs.delta_design import DeltaDesign
    from lpmech.designs.information_design import InformationDesign
    from lpmech.designs.metric_design import MetricDesign
    from lpmech.entries import Number

    _Found = MetricDesign | DeltaDesign | InformationDesign

__all__ = [
    "ProgramPlan",
    "delta_of",
    "delta_plan",
    "information_plan",
    "metric_plan",
    "refuse_beside_program",
]

#: What a design with a delta makes use of it for.
_WITH_DELTA = ("optimal", "optimal_for_the_prior", "optimal_without_floor")

_COLUMNS = ("mechanism", "expected_utility", "loss_percent", "epsilon")

_ALL_KEEP = (
    "all keep it; randomized_response keeps that level for any two labels, more than is asked: no fair comparison; "
    "column epsilon: what a channel has for any two labels. Other published mechanisms are made for these"
)


@dataclass(frozen=True)
class ProgramPlan:
    """A design that is the optimum of another program, and the files of its directory.

    Attributes
    ----------
    found : MetricDesign, DeltaDesign or InformationDesign
    level : str
        What the title says of the privacy.
    told : tuple of str
        Lines below the table.
    kept : str
        Why there is no release.json; empty if there is one.
    condition : mapping
        Its entries in JSON.
    files : dict
    """

    found: _Found
    level: str
    told: tuple[str, ...]
    kept: str
    condition: Mapping[str, object]
    files: dict[str, str | bytes]
    proved_in: str = "exact rational arithmetic"

    def show(self, counted: Counted, explain: bool) -> None:
        """Print the comparison, and what was proved of the optimum; it is explained anyhow."""
        from lpmech.certify.checker import above, below
        from lpmech.report.console import console
        from lpmech.report.designs import comparison_table, spent_line

        out, solution = console(), self.found.solution
        out.print(comparison_table(self.found, self.level))
        worst = " of the worst case" if getattr(self.found, "priors", None) else ""
        proved = (
            f"certified: the optimum{worst} lies in [{below(solution.value, 10)}, {above(solution.bound, 10)}] "
            f"({self.proved_in})"
        )
        for line in (*self.told, proved):
            out.print(line, soft_wrap=True, markup=False)
        if counted.spent is not None:
            out.print(spent_line(counted.spent), soft_wrap=True)
        if self.files and self.kept:
            checks = "`lpmech certify` checks the directory"
            out.print(f"{checks}; there is no release.json, as {self.kept}", soft_wrap=True)

    def to_json(self) -> str:
        """The comparison as JSON."""
        found = self.found
        data = {
            "labels": list(found.labels),
            "epsilon": found.level.epsilon,
            **self.condition,
            "utility": found.utility_name,
            "optimum": {"lower": str(found.solution.value), "upper": str(found.solution.bound)},
            "comparison": [dict(zip(_COLUMNS, map(_finite, row), strict=True)) for row in _rows(found)],
        }
        return json.dumps(data, indent=1, ensure_ascii=False)


def refuse_beside_program(option: str, given: Mapping[str, object]) -> None:
    """Refuse what goes with the usual privacy only: here there is one channel, and counts have no price."""
    for name, value in given.items():
        if value is not None:
            raise InvalidInputError(name, value, f"this option or value without {option}")


def delta_of(text: str) -> Fraction:
    """The number that --delta names.

    Raises
    ------
    InvalidInputError
        If it names none from 0 on and below 1.
    """
    number = rational_from_text(text)
    if number is None or not 0 <= number < 1:
        raise InvalidInputError("delta", text, "a number with 0 <= delta < 1, such as 1e-6 or 1/100")
    return number


def metric_plan(
    counted: Counted,
    utility: str,
    metric: str,
    printed: Callable[[Number], str] | None,
    shares: PriorOptions,
    floor: object,
) -> ProgramPlan:
    """Design for a metric, and make the files of its directory if entries of a channel are to be printed."""
    from lpmech.designs.metric_design import design_for_metric

    refuse_unordered(utility, counted.counts)
    found = design_for_metric(counted.counts, counted.level, metric, utility, shares.of(counted), floor)
    told = f"labels at distance d ({found.metric_name}) may differ by e^(epsilon d): {_ALL_KEEP}"
    kept = "a ledger counts epsilon for any two labels"
    condition = {"metric": found.metric_name, **_set(found)}
    return ProgramPlan(found, "", (told, *_worst(found)), kept, condition, _files(found, printed))


def delta_plan(
    counted: Counted,
    utility: str,
    delta: Fraction,
    printed: Callable[[Number], str] | None,
    shares: PriorOptions,
    floor: object,
) -> ProgramPlan:
    """Design with a delta, and make the files of its directory if entries of a channel are to be printed."""
    from lpmech.designs.delta_design import design_with_delta

    refuse_unordered(utility, counted.counts)
    found = design_with_delta(counted.counts, counted.level, delta, utility, shares.of(counted), floor)
    level, small = f"(epsilon, delta) = ({found.level.epsilon:g}, {float(delta):g})", float(delta)
    names = [row.mechanism for row in found.comparisons if row.mechanism in _WITH_DELTA]
    optimal = ", ".join(names) if len(names) > 1 else "the optimal one"
    told = [
        f"Pr[S | y] <= e^epsilon Pr[S | z] + {small:g} for all labels y, z and every set S of outputs; all but "
        f"{optimal} keep epsilon without delta. Column epsilon: what a channel has without delta, inf where an output "
        "betrays a label",
        *([] if found.as_useful is None else [f"as useful without delta: {_without(found.as_useful)}"]),
        *_worst(found),
    ]
    if found.closed_form is not None:
        inside = found.solution.value <= found.closed_form <= found.solution.bound
        told.append(
            f"closed form for hits, delta + (1 - delta) max_k w_k = {float(found.closed_form):.10g}: "
            + ("the optimum" if inside else "NOT the optimum")
        )
    condition = {
        "delta": str(delta),
        "as_useful_without_delta": None if found.as_useful is None else [_finite(end) for end in found.as_useful],
        **_set(found),
    }
    return ProgramPlan(
        found, level, tuple(told), "a ledger counts epsilon without delta", condition, _files(found, printed)
    )


def information_plan(counted: Counted, utility: str, printed: Callable[[Number], str] | None) -> ProgramPlan:
    """Design for an information, and make the files of its directory if entries of a channel are to be printed."""
    from lpmech.budgets import largest_ratio
    from lpmech.designs.information_design import design_for_information
    from lpmech.privacy import PrivacyLevel
    from lpmech.release import Spent
    from lpmech.release.information_files import files_of_information, release_of_information
    from lpmech.release.record import INFORMATIONS

    measure, level = INFORMATIONS[utility], PrivacyLevel.from_ratio(largest_ratio(counted.epsilon))
    found = design_for_information(counted.counts, level, measure)
    found = replace(found, level=counted.level, utility_name=utility)
    solution, logs = found.solution, measure == "kullback-leibler"
    value, gap = float(solution.value), float(solution.gap)
    what = f"utility: the {measure} information of true and released label"
    told = [
        f"the mutual information of true and released label, in nats: {value / math.log(2):.6g} bits" if logs else what,
        f"an output {{a, b}} is released e^epsilon times as often from these labels as from the others; gap {gap:.2g}",
    ]
    proved = "patterns with exact entries, logarithms in balls" if logs else "exact rational arithmetic"
    files: dict[str, str | bytes] = {}
    if printed is not None:
        release = release_of_information(
            found, counted.epsilon, counted.spent or Spent.on(counted.epsilon), counted.bought
        )
        files = files_of_information(found, release, counted.counts.edges, printed)
    return ProgramPlan(found, "", tuple(told), "", {"gap": gap}, files, proved)


def _worst(found: MetricDesign | DeltaDesign) -> list[str]:
    """What counts where there is a floor, or the shares are uncertain."""
    from lpmech.report.designs import floor_line, worst_case_line

    kept = [] if found.floor is None else [floor_line(found.floor)]
    return kept if found.priors is None else [*kept, worst_case_line(found, found.solution.value)]


def _set(found: MetricDesign | DeltaDesign) -> dict[str, object]:
    kept: dict[str, object] = {} if found.floor is None else {"hit_floor": float(found.floor)}
    return kept if found.priors is None else {**kept, "priors": [found.priors.kind, found.priors.size]}


def _without(ends: tuple[float, float]) -> str:
    low, high = ends
    if low == high:
        return f"epsilon = {high:g}, so delta gains nothing"
    return f"epsilon between {low:.6g} and {high:.6g}" if math.isfinite(high) else f"no epsilon up to {low:g}"


def _finite(value: object) -> object:
    """A value for JSON, which has no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _files(found: MetricDesign | DeltaDesign, printed: Callable[[Number], str] | None) -> dict[str, str | bytes]:
    from lpmech.certify.program import program_certificate
    from lpmech.release.directory import table
    from lpmech.tables import channel_csv

    if printed is None:
        return {}
    return {
        "channel.csv": channel_csv(found.comparisons[0].channel, printed),
        "comparison.csv": table(_COLUMNS, _rows(found)),
        "certificate.json": program_certificate(found.solution) + "\n",
    }


def _rows(found: _Found) -> list[list[object]]:
    return [[getattr(entry, name) for name in _COLUMNS] for entry in found.comparisons]
