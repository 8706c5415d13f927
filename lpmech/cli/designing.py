"""The command `design`."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import BAD_INPUT, OK, Counts, Epsilon, Json, Ratio, Switch, required_level, working
from lpmech.cli.counting import WHOSE, Counted, CountOptions
from lpmech.cli.labels import Columns, refuse_unordered
from lpmech.errors import InvalidInputError
from lpmech.labels.reading import Reading

if TYPE_CHECKING:
    from lpmech.designs.designing import Design
    from lpmech.labels.counts import LabelCounts
    from lpmech.privacy import PrivacyLevel

__all__ = ["design"]

#: Labels up to which a picture keeps their order.
_READ_ONE_BY_ONE = 25

#: What `design` asks of the counts.
Whose = Annotated[CountOptions, Parameter(name="*", group="Whose labels were counted")]


def design(
    counts: Counts,
    *,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    utility: str = "hit",
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
        liu2026 (4.1), e^(-1/sigma) = 1/2), information (a bound of the bits that are left), or a CSV file with a K x K
        matrix (larger is better).
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
        Write the probabilities of channel.csv as quotients, numerator/denominator, in place of exact decimals.
    explain
        Say in plain words what the mechanisms and columns are.
    as_json
        Print the comparison as JSON.
    counting
        Whose labels were counted.
    reading
        How the file is read.
    """
    from lpmech.certify.packing import refuse_uncertifiable
    from lpmech.cli.for_people import left_out
    from lpmech.designs.designing import design as find_design
    from lpmech.labels.named_utilities import utility_named

    level, whose = required_level(epsilon, ratio), counting or CountOptions()
    if exact and output is None:
        raise InvalidInputError("exact", exact, "this option with --output only")
    if output is not None:
        if whose.counts_are is None:
            sys.stderr.write(WHOSE)
            return BAD_INPUT
        _free(output, overwrite)

    def floor_of(labels: LabelCounts, left: PrivacyLevel) -> Any:
        refuse_unordered(utility, labels)
        return _floor(keep_labels, hit_floor, len(labels.labels), left)

    def usable(labels: LabelCounts, left: PrivacyLevel) -> None:
        floor_of(labels, left)
        refuse_uncertifiable(utility_named(utility, labels, left))

    counted = whose.counted(counts, level, reading or Reading(), usable)
    floor = floor_of(counted.counts, counted.level)
    with working(f"{len(counted.counts.labels)} labels"):
        found = find_design(counted.counts, counted.level, utility, floor)
    written = "" if output is None else _written(output, found, counted, overwrite, exact)
    if as_json:
        print(json.dumps(_design_json(found), indent=1, ensure_ascii=False))
        return OK
    _print_design(found, counted, explain)
    if whose.counts_are is None:
        print("made from the exact counts: for your eyes, if the labels are private; --output asks whose they are")
    if output is not None:
        print(f"written to {output}: {written}")
        if missing := left_out():
            print(missing)
    return OK


def _free(output: Path, overwrite: bool) -> None:
    """Refuse a place that is taken, or cannot be written, before anything is paid."""
    from lpmech.errors import DataFileError
    from lpmech.files.whole import refuse_place
    from lpmech.release.design_files import FILES

    if os.path.isdir(output) and os.listdir(output) and not overwrite:
        raise DataFileError("output", str(output), "a directory that is new or empty, or --overwrite")
    refuse_place(output, FILES if overwrite else ())


def _written(output: Path, found: Design, counted: Counted, overwrite: bool, exact: bool) -> str:
    """Write the directory; the names of its files."""
    from lpmech.cli.for_people import files_for_people
    from lpmech.release import Spent
    from lpmech.release.design_files import files_of_design, release_of, write_design
    from lpmech.tables import as_decimal, as_quotient

    release = release_of(found, counted.epsilon, counted.spent or Spent.on(counted.epsilon), counted.bought)
    for_people = files_for_people(found, release, _shown_order(found))
    files = files_of_design(found, release, counted.counts.edges, as_quotient if exact else as_decimal, for_people)
    write_design(output, files, overwrite)
    return ", ".join(sorted(files))


def _shown_order(found: Design) -> list[Hashable] | None:
    """The most frequent labels first, where they are too many to be read one by one and no distance orders them."""
    from lpmech.labels.named_utilities import DISTANCES, INFORMATION, NAMED_UTILITIES, PRIOR_UTILITIES

    unordered = {*NAMED_UTILITIES, *PRIOR_UTILITIES, INFORMATION} - {*DISTANCES}
    if len(found.labels) <= _READ_ONE_BY_ONE or found.utility_name not in unordered:
        return None
    return [name for _, name in sorted(zip(found.prior, found.labels, strict=True), key=lambda pair: -pair[0])]


def _floor(keep_labels: bool, hit_floor: float | None, size: int, level: PrivacyLevel) -> Any:
    from lpmech.programs.hit_floors import as_floor, halfway_floor

    if keep_labels and hit_floor is not None:
        raise InvalidInputError("hit_floor", hit_floor, "at most one of --keep-labels and --hit-floor")
    if keep_labels:
        return halfway_floor(size, level)
    return None if hit_floor is None else as_floor(hit_floor, size, level)


def _print_design(found: Design, counted: Counted, explain: bool) -> None:
    from lpmech.certify.checker import above, below
    from lpmech.labels.named_utilities import DISTANCES
    from lpmech.report.console import console
    from lpmech.report.designs import comparison_table, explanations, floor_line, left_table, order_line, warning_of

    out = console()
    out.print(comparison_table(found))
    out.print(left_table(found))
    lower, upper = found.interval
    gap = max(float(upper - lower), 1e-12)
    out.print(
        f"certified: the optimum lies in [{below(lower, 10)}, {above(upper, 10)}] "
        f"(exact rational arithmetic, gap below {10.0 ** math.ceil(math.log10(gap)):.0e})",
        soft_wrap=True,
    )
    if found.floor is not None:
        out.print(floor_line(found.floor), soft_wrap=True)
    if found.utility_name in DISTANCES:
        out.print(order_line(counted.counts), soft_wrap=True, markup=False)
    if (spent := counted.spent) is not None:
        how = "the counted rows may be released" if spent.composition == "sequential" else "no counted row is released"
        out.print(
            f"private counts: {spent.prior} for noisy counts, {spent.release} for the release, {spent.total} in all "
            f"({spent.composition}: {how}); all of the above is made from the noisy counts",
            soft_wrap=True,
        )
    if warning := warning_of(found):
        out.print(warning, soft_wrap=True, markup=False)
    if explain:
        out.print(explanations(found))
    else:
        out.print("--explain says what the mechanisms and columns are")


def _design_json(found: Design) -> dict[str, Any]:
    return {
        "labels": list(found.labels),
        "epsilon": found.level.epsilon,
        "utility": found.utility_name,
        "hit_floor": None if found.floor is None else float(found.floor),
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
                "information_bits": c.left.information,
                "guessed": c.left.guessed,
            }
            for c in found.comparisons
        ],
    }
