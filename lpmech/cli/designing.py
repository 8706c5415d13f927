"""The command `design`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lpmech.cli.common import BAD_INPUT, OK, Counts, Epsilon, Json, Ratio, Switch, Whole, required_level, working
from lpmech.cli.counting import WHOSE, Counted, CountOptions
from lpmech.cli.labels import Columns
from lpmech.cli.uncertain import PriorOptions
from lpmech.cli.utility import DesignUtility
from lpmech.entries import rational_from_text
from lpmech.errors import InvalidInputError
from lpmech.labels.reading import Reading

if TYPE_CHECKING:
    pass

__all__ = ["design"]

#: What `design` asks of the counts.
Whose = Annotated[CountOptions, Parameter(name="*", group="Whose labels were counted")]

#: What it asks of the shares.
Shares = Annotated[PriorOptions, Parameter(name="*", group="How far the shares may be off")]


def design(
    counts: Counts,
    *,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    utility: DesignUtility = "hit",
    metric: str | None = None,
    delta: str | None = None,
    mechanism: str | None = None,
    rows: Whole | None = None,
    step: str | None = None,
    keep_labels: Switch = False,
    hit_floor: Epsilon | None = None,
    output: Path | None = None,
    overwrite: Switch = False,
    exact: Switch = False,
    explain: Switch = False,
    as_json: Json = False,
    counting: Whose | None = None,
    uncertain: Shares | None = None,
    reading: Columns | None = None,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    epsilon
        Privacy level; with private counts, of counting and releasing together.
    metric
        Labels at distance d may differ by e^(epsilon d), in place of any two by e^epsilon: line, ring, grid:W (rows of
        W labels), hamming:B (digits to base B), or a CSV file with the distances. With public counts.
    delta
        Probabilities of sets of outputs may differ by delta beyond e^epsilon times, 0 <= delta < 1: 1e-6, 1/100. With
        public counts.
    mechanism
        Name of the one of the comparison that is to release, in place of the best.
    rows
        With --utility count: how many labels will be released; default: as many as were counted.
    step
        With --utility unbiased: the released numbers are multiples of it; default: numbers that are placed where they
        help.
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
    uncertain
        How far the shares may be off.
    reading
        How the file is read.
    """
    from lpmech.cli.design_for_counting import CountingPlan, counting_plan
    from lpmech.cli.design_for_numbers import NumbersPlan, numbers_plan
    from lpmech.cli.design_for_program import (
        ProgramPlan,
        delta_of,
        delta_plan,
        information_plan,
        metric_plan,
        refuse_beside_program,
    )
    from lpmech.cli.design_for_utility import UtilityPlan, floor_asked, utility_plan
    from lpmech.release.directory import write_design
    from lpmech.release.record import COUNT, INFORMATIONS, UNBIASED
    from lpmech.tables import as_decimal, as_quotient

    level, whose = required_level(epsilon, ratio), counting or CountOptions()
    shares, of_labels = uncertain or PriorOptions(), utility not in (COUNT, UNBIASED)
    floors = {"keep_labels": keep_labels or None, "hit_floor": hit_floor}
    floor = any(value is not None for value in floors.values())
    _refuse_together(utility, rows, step, floors, exact and output is None)
    shares.check(whose.counts_are == "private")
    if shares.given and not of_labels:
        raise InvalidInputError("utility", utility, "the name or file of a K x K utility, where shares are uncertain")
    if metric is not None and delta is not None:
        raise InvalidInputError("delta", delta, "this option without --metric")
    informative = f"--utility {utility}" if utility in INFORMATIONS else ""
    if option := "--metric" if metric is not None else "--delta" if delta is not None else informative:
        usual = of_labels and informative in ("", option)
        # an information has a program of its own, and nothing is bought where no ledger counts
        refused = {**floors, **vars(shares)} if informative else {"confidence": shares.confidence}
        private = whose.counts_are if whose.counts_are == "private" and not informative else None
        more = {"utility": None if usual else utility, "mechanism": mechanism, **refused, "counts_are": private}
        refuse_beside_program(option, more)
    excess = None if delta is None else delta_of(delta)
    spacing, asked = None if step is None else _number(step), floor_asked(keep_labels, hit_floor)
    if output is not None:
        if whose.counts_are is None:
            sys.stderr.write(WHOSE)
            return BAD_INPUT
        _free(output, overwrite)
    printed = None if output is None else as_quotient if exact else as_decimal

    def made(from_counts: Counted) -> UtilityPlan | CountingPlan | NumbersPlan | ProgramPlan:
        """The design, and the files of its directory if there is to be one."""
        with working(f"{len(from_counts.counts.labels)} labels"):
            if utility == COUNT:
                return counting_plan(from_counts, mechanism, rows, printed)
            if utility == UNBIASED:
                return numbers_plan(from_counts, mechanism, spacing, printed)
            if informative:
                return information_plan(from_counts, utility, printed)
            if metric is not None:
                return metric_plan(from_counts, utility, metric, printed, shares, asked)
            if excess is not None:
                return delta_plan(from_counts, utility, excess, printed, shares, asked)
            return utility_plan(from_counts, utility, mechanism, asked, printed, shares)

    counted = whose.counted(counts, level, reading or Reading(), made, utility, floor)
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
        _print_written(output, plan.files, counted.counts.labels, exact)
    return OK


def _refuse_together(
    utility: str, rows: int | None, step: str | None, floors: Mapping[str, object], useless_exact: bool
) -> None:
    """Refuse options that mean nothing together."""
    from lpmech.release.record import COUNT, UNBIASED

    if useless_exact:
        raise InvalidInputError("exact", True, "this option with --output only")
    for name, value in floors.items() if utility in (COUNT, UNBIASED) else ():
        if value is not None:
            raise InvalidInputError(name, value, f"no floor with --utility {utility}, which has no hits")
    if rows is not None and utility != COUNT:
        raise InvalidInputError("rows", rows, "this option with --utility count only")
    if step is not None and utility != UNBIASED:
        raise InvalidInputError("step", step, "this option with --utility unbiased only")


def _number(text: str) -> Fraction:
    """The number that --step names."""
    number = rational_from_text(text)
    if number is None:
        raise InvalidInputError("step", text, "a number, such as 0.5 or 1/4")
    return number


def _print_written(output: Path, files: Mapping[str, str | bytes], labels: Sequence[str], exact: bool) -> None:
    """Say what was written, and what is to be known of it."""
    from lpmech.cli.for_people import left_out
    from lpmech.tables import formula_like, holds_quotients

    print(f"written to {output}: {', '.join(sorted(files))}")
    if formulas := formula_like(labels):
        print(f"spreadsheets take {formulas[0]!r} for a formula: import the CSV files with all columns as text")
    if not exact and holds_quotients(str(files.get("channel.csv", ""))):
        print("channel.csv is in quotients, numerator/denominator: one of its probabilities is no finite decimal")
    if missing := left_out():
        print(missing)


def _free(output: Path, overwrite: bool) -> None:
    """Refuse a place that is taken, or cannot be written, before anything is paid."""
    from lpmech.errors import DataFileError
    from lpmech.files.whole import refuse_place
    from lpmech.release.directory import FILES

    if os.path.isdir(output) and os.listdir(output) and not overwrite:
        raise DataFileError("output", str(output), "a directory that is new or empty, or --overwrite")
    refuse_place(output, FILES if overwrite else ())
