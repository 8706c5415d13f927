"""Commands for label counts: `design`, `losses`, `regimes`, `epsilons`."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lpmech.cli.common import BAD_INPUT, OK, check_writable, followed, required_level, save, working
from lpmech.cli.counting import WHOSE, Counted, Counting, announce
from lpmech.errors import InvalidInputError
from lpmech.label_files import Reading, read_counts

if TYPE_CHECKING:
    from lpmech.designs import Design
    from lpmech.label_counts import LabelCounts
    from lpmech.privacy import PrivacyLevel

__all__ = ["design", "epsilons", "losses", "regimes"]

#: How the file of labels is read: the same options for every command.
Columns = Annotated[Reading, Parameter(name="*", group="How the file is read")]

#: What `design` asks of the counts.
Whose = Annotated[Counting, Parameter(name="*", group="Whose labels were counted")]


def design(
    counts: Path,
    *,
    epsilon: float | None = None,
    ratio: str | None = None,
    utility: str = "hit",
    keep_labels: Annotated[bool, Parameter(negative=())] = False,
    hit_floor: float | None = None,
    output: Path | None = None,
    overwrite: Annotated[bool, Parameter(negative=())] = False,
    exact: Annotated[bool, Parameter(negative=())] = False,
    explain: Annotated[bool, Parameter(negative=())] = False,
    as_json: Annotated[bool, Parameter(name="--json", negative=())] = False,
    counting: Whose | None = None,
    reading: Columns | None = None,
) -> int:
    """Find the best private channel for label counts and see how much every published mechanism loses.

    Parameters
    ----------
    counts
        CSV or Parquet file with two columns, labels and their counts; or with one label per row.
    epsilon
        Privacy level; with private counts, of counting and releasing together.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
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
    from lpmech.designs import design as find_design
    from lpmech.named_utilities import utility_named

    level, whose = required_level(epsilon, ratio), counting or Counting()
    if exact and output is None:
        raise InvalidInputError("exact", exact, "this option with --output only")
    if output is not None:
        if whose.counts_are is None:
            sys.stderr.write(WHOSE)
            return BAD_INPUT
        _free(output, overwrite)

    def floor_of(labels: LabelCounts, left: PrivacyLevel) -> Any:
        _refuse_unordered(utility, labels)
        utility_named(utility, labels, left)
        return _floor(keep_labels, hit_floor, len(labels.labels), left)

    counted = whose.counted(counts, level, reading or Reading(), floor_of)
    floor = floor_of(counted.counts, counted.level)
    with working(f"{len(counted.counts.labels)} labels"):
        found = find_design(counted.counts, counted.level, utility, floor)
    written = "" if output is None else _written(output, found, counted, overwrite, exact)
    if as_json:
        print(json.dumps(_design_json(found), indent=1, ensure_ascii=False))
        return OK
    _print_design(found, counted, whose, explain)
    if output is not None:
        print(f"written to {output}: {written}")
    return OK


def _free(output: Path, overwrite: bool) -> None:
    """Refuse a place that is taken before the work, not after it."""
    from lpmech.errors import DataFileError

    if output.exists() and not output.is_dir():
        raise DataFileError("output", str(output), "a directory, not a file")
    if output.is_dir() and any(output.iterdir()) and not overwrite:
        raise DataFileError("output", str(output), "a directory that is new or empty, or --overwrite")


def _written(output: Path, found: Design, counted: Counted, overwrite: bool, exact: bool) -> str:
    """Write the directory; the names of its files."""
    from lpmech.design_directory import files_of_design, release_of, write_design
    from lpmech.release import Spent
    from lpmech.tables import as_decimal, as_quotient

    release = release_of(found, counted.epsilon, counted.spent or Spent.on(counted.epsilon))
    files = files_of_design(found, release, counted.counts.edges, as_quotient if exact else as_decimal)
    write_design(output, files, overwrite)
    return ", ".join(sorted(files))


def _floor(keep_labels: bool, hit_floor: float | None, size: int, level: PrivacyLevel) -> Any:
    from lpmech.programs.hit_floors import as_floor, halfway_floor

    if keep_labels and hit_floor is not None:
        raise InvalidInputError("hit_floor", hit_floor, "at most one of --keep-labels and --hit-floor")
    if keep_labels:
        return halfway_floor(size, level)
    return None if hit_floor is None else as_floor(hit_floor, size, level)


def _refuse_unordered(utility: str, counts: LabelCounts) -> None:
    from lpmech.named_utilities import needs_order

    if needs_order(utility, counts):
        raise InvalidInputError("order", None, f"--order with all labels from first to last: {utility} depends on it")


def _print_design(found: Design, counted: Counted, whose: Counting, explain: bool) -> None:
    from lpmech.certify.checker import above, below
    from lpmech.named_utilities import DISTANCES
    from lpmech.report import comparison_table, console, explanations, floor_line, left_table, order_line, warning_of

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
    if whose.counts_are is None:
        print("made from the exact counts: for your eyes, if the labels are private; --output asks whose they are")


def losses(
    counts: Path, *, epsilon: float | None = None, ratio: str | None = None, reading: Columns | None = None
) -> int:
    """Print what every published mechanism loses against the optimum, under every named utility.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    epsilon
        Privacy level.
    ratio
        e^epsilon as an exact rational such as 7/2, instead of --epsilon.
    reading
        How the file is read.
    """
    from lpmech.designs import losses as find_losses
    from lpmech.report import console, losses_table, order_line

    level = required_level(epsilon, ratio)
    label_counts = read_counts(counts, reading)
    announce(len(label_counts.labels))
    title = f"{counts.name}, {level}: percent of the certified optimum lost"
    with working(f"{len(label_counts.labels)} labels"):
        found = find_losses(label_counts, level)
    out = console()
    out.print(losses_table(title, found))
    out.print(order_line(label_counts), soft_wrap=True, markup=False)
    return OK


def regimes(counts: Path, *, utility: str = "hit", output: Path | None = None, reading: Columns | None = None) -> int:
    """Print the optimum as an exact function of t = e^epsilon, for all epsilon > 0, with its break points.

    Parameters
    ----------
    counts
        CSV file with the columns label,count; or one label per row.
    utility
        hit, absolute, squared, tanimoto, near, balanced, weights (as for design), or a CSV file with a K x K matrix.
    output
        PNG file for a plot of the optimum and every published closed form against epsilon.
    reading
        How the file is read.
    """
    from lpmech.designs import curves
    from lpmech.formulas import regimes as find_regimes
    from lpmech.plots import plot_regimes
    from lpmech.privacy import MAX_EPSILON
    from lpmech.report import console, regime_table
    from lpmech.solvers.parametric import epsilon_at

    label_counts = read_counts(counts, reading)
    _refuse_unordered(utility, label_counts)
    if output is not None:
        check_writable(output)
    with working(f"{len(label_counts.labels)} labels"):
        found = find_regimes(label_counts, utility)
    pieces = found.pieces
    if output is not None:
        last = min(MAX_EPSILON, max([3.0, *(1.3 * epsilon_at(piece[0]) for piece in pieces)]))
        drawn = curves(found.utility, found.prior, last)
        save(plot_regimes(pieces, drawn, title=f"{counts.name}, utility {utility}"), output)
    out = console()
    out.print(regime_table(f"{counts.name}: optimum for utility {utility}, t = e^epsilon", pieces))
    steps = f" ({len(found.regimes)} intervals of the proof)" if len(found.regimes) > len(pieces) else ""
    out.print(f"{len(pieces)} formulas, each proved for all t in its interval by signs of polynomials{steps}")
    if output is not None:
        out.print(f"written to {output}", soft_wrap=True)
    return OK


def epsilons(
    counts: Path,
    *,
    utility: str = "hit",
    releases: int = 1,
    epsilon: Annotated[list[float] | None, Parameter(consume_multiple=True)] = None,
    reading: Columns | None = None,
) -> int:
    """Compare levels of privacy: what each keeps of the labels, and what it means for one person.

    Parameters
    ----------
    counts
        CSV or Parquet file of labels, as for design. What is printed depends on the exact counts.
    utility
        As for design.
    releases
        How many releases about the same person there will be: of several columns, or of one again and again.
    epsilon
        Levels of one release; default: seven from 0.1 to 5.
    reading
        How the file is read.
    """
    from lpmech.epsilons import EPSILONS, level_choices
    from lpmech.plain_words import EPSILON_COLUMNS
    from lpmech.privacy import PrivacyLevel
    from lpmech.report import console, epsilon_words, epsilons_table

    levels = epsilon or EPSILONS
    label_counts = read_counts(counts, reading)
    announce(len(label_counts.labels))
    _refuse_unordered(utility, label_counts)
    found = followed(
        level_choices(label_counts, utility, levels, releases), len(levels), lambda c: f"epsilon = {c.epsilon:g}"
    )
    out = console()
    rows = sum(label_counts.counts)
    out.print(epsilons_table(f"{len(label_counts.labels)} labels, {rows} rows, utility {utility}", found))
    for name, words in EPSILON_COLUMNS.items():
        out.print(f"{name}: {words}", soft_wrap=True, markup=False)
    middle = PrivacyLevel.from_epsilon(sorted(levels)[len(levels) // 2])
    out.print(epsilon_words(middle, releases), soft_wrap=True, markup=False)
    out.print("made from the exact counts: for your eyes, if the labels are private", soft_wrap=True)
    return OK


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
