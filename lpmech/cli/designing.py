"""The command `design`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import BAD_INPUT, OK, Counts, Epsilon, Json, Ratio, Switch, required_level, working
from lpmech.cli.counting import WHOSE, Counted, CountOptions
from lpmech.cli.labels import Columns, refuse_unordered
from lpmech.errors import InvalidInputError
from lpmech.labels.reading import Reading

if TYPE_CHECKING:
    from lpmech.designs.comparing import Comparison
    from lpmech.designs.designing import Design
    from lpmech.entries import Number
    from lpmech.privacy import PrivacyLevel

__all__ = ["design"]

#: What `design` asks of the counts.
Whose = Annotated[CountOptions, Parameter(name="*", group="Whose labels were counted")]


def design(
    counts: Counts,
    *,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    utility: str = "hit",
    mechanism: str | None = None,
    rows: int | None = None,
    keep_labels: Switch = False,
    hit_floor: float | None = None,
    output: Path | None = None,
    overwrite: Switch = False,
    exact: Switch = False,
    explain: Switch = False,
    as_json: Json = False,
    counting: Whose | None = None,
    reading: Columns | None = None,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    epsilon
        Privacy level; with private counts, of counting and releasing together.
    utility
        hit, absolute, squared, tanimoto, near (within 1), balanced (average over the labels), weights (the objective of
        liu2026 (4.1), e^(-1/sigma) = 1/2), information (a bound of the bits that are left), count (how near estimated
        shares of the labels come to the true ones), or a CSV file with a K x K matrix (larger is better).
    mechanism
        Name of the one of the comparison that is to release, in place of the best.
    rows
        With --utility count: how many labels will be released; default: as many as were counted.
    keep_labels
        Every label is released as itself at least halfway as often, between chance and randomized response.
    hit_floor
        The least probability with which every label is released as itself, chosen by yourself.
    output
        Directory for release.json, channel.csv, comparison.csv, labels.csv, certificate.json and pictures; written as
        one, or not at all.
    overwrite
        Replace the directory of an earlier design.
    exact
        Write the probabilities of channel.csv as quotients, numerator/denominator, in place of exact decimals; where
        one of them is no finite decimal all are quotients anyhow.
    explain
        Say in plain words what the mechanisms and columns are.
    as_json
        Print the comparison as JSON.
    counting
        Whose labels were counted.
    reading
        How the file is read.
    """
    from lpmech.cli.design_for_counting import CountingPlan, counting_plan
    from lpmech.cli.design_for_utility import UtilityPlan
    from lpmech.cli.for_people import left_out
    from lpmech.designs.designing import design as find_design
    from lpmech.release.directory import write_design
    from lpmech.release.record import COUNT
    from lpmech.tables import as_decimal, as_quotient, formula_like, holds_quotients

    level, whose = required_level(epsilon, ratio), counting or CountOptions()
    if exact and output is None:
        raise InvalidInputError("exact", exact, "this option with --output only")
    if output is not None:
        if whose.counts_are is None:
            sys.stderr.write(WHOSE)
            return BAD_INPUT
        _free(output, overwrite)

    if utility == COUNT and (keep_labels or hit_floor is not None):
        raise InvalidInputError("hit_floor", hit_floor, "no floor with --utility count, which has no hits")
    if utility != COUNT and rows is not None:
        raise InvalidInputError("rows", rows, "this option with --utility count only")
    printed = None if output is None else as_quotient if exact else as_decimal

    def made(from_counts: Counted) -> UtilityPlan | CountingPlan:
        """The design, and the files of its directory if there is to be one."""
        labels = from_counts.counts
        with working(f"{len(labels.labels)} labels"):
            if utility == COUNT:
                return counting_plan(from_counts, mechanism, rows, printed)
            refuse_unordered(utility, labels)
            floor = _floor(keep_labels, hit_floor, len(labels.labels), from_counts.level)
            found = find_design(labels, from_counts.level, utility, floor)
            chosen = found.named(mechanism or "optimal")
            return UtilityPlan(found, chosen, {} if printed is None else _files(found, chosen, from_counts, printed))

    counted = whose.counted(counts, level, reading or Reading(), made, keep_labels or hit_floor is not None)
    for line in counted.books:
        sys.stderr.write(f"lpmech: {line}\n")
    plan = made(counted)
    if output is not None:
        write_design(output, plan.files, overwrite)
    if as_json:
        print(plan.to_json())
        return OK
    plan.show(counted, explain)
    if whose.counts_are is None:
        print("made from the exact counts: for your eyes, if the labels are private; --output asks whose they are")
    if output is not None:
        print(f"written to {output}: {', '.join(sorted(plan.files))}")
        if formulas := formula_like(counted.counts.labels):
            print(f"spreadsheets take {formulas[0]!r} for a formula: import the CSV files with all columns as text")
        if not exact and holds_quotients(str(plan.files.get("channel.csv", ""))):
            print("channel.csv is in quotients, numerator/denominator: one of its probabilities is no finite decimal")
        if utility != COUNT and (missing := left_out()):
            print(missing)
    return OK


def _free(output: Path, overwrite: bool) -> None:
    """Refuse a place that is taken, or cannot be written, before anything is paid."""
    from lpmech.errors import DataFileError
    from lpmech.files.whole import refuse_place
    from lpmech.release.directory import FILES

    if os.path.isdir(output) and os.listdir(output) and not overwrite:
        raise DataFileError("output", str(output), "a directory that is new or empty, or --overwrite")
    refuse_place(output, FILES if overwrite else ())


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


def _floor(keep_labels: bool, hit_floor: float | None, size: int, level: PrivacyLevel) -> Any:
    from lpmech.programs.hit_floors import HALFWAY, as_floor

    if keep_labels and hit_floor is not None:
        raise InvalidInputError("hit_floor", hit_floor, "at most one of --keep-labels and --hit-floor")
    if keep_labels:
        return HALFWAY
    return None if hit_floor is None else as_floor(hit_floor, size, level)
