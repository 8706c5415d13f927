"""Commands for labels in files: `randomize` and `estimate`."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from lpmech.cli.common import OK, Json, Switch

if TYPE_CHECKING:
    from rich.console import Console

    from lpmech.entries import Array
    from lpmech.release import Release
    from lpmech.release.estimation import Frequencies

__all__ = ["bytes_read", "estimate", "randomize", "say"]


def randomize(
    labels: Path,
    *,
    channel: Path,
    output: Path,
    column: str | None = None,
    header: Literal["yes", "no"] | None = None,
    missing: Literal["label", "drop"] | None = None,
    identifier: Annotated[str | None, Parameter(name="--id")] = None,
    keep_telltale: Annotated[list[str] | None, Parameter(negative=())] = None,
    again: Switch = False,
    new_rows: Switch = False,
    ledger: Path | None = None,
) -> int:
    """Release a column of labels: every label is replaced by a random one, drawn exactly by the channel of a design.

    Parameters
    ----------
    labels
        CSV file with a column of labels; its other columns are kept as they are, and listed before anything is done.
    channel
        Directory that `lpmech design --output` has written.
    output
        CSV file to be made; nothing is overwritten.
    column
        Name of the column; may be left out where there is only one.
    header
        Whether the first line names the columns; may be left out with --column.
    missing
        What to do with blank cells and nan: label, called missing, as in the design; or drop the rows. That a label is
        missing is not protected then.
    identifier
        Column that tells people apart, each in one row: they are known again whatever else stands in their rows.
    keep_telltale
        Column to be kept although it tells the label of every row; may be repeated.
    again
        Release labels that have been released before: epsilon is spent again.
    new_rows
        The rows are other people's than those the ledger knows: not counted for the private prior of the design, and
        not released before.
    ledger
        File in which releases are entered; default: lpmech-ledger.json beside the labels. Keep it as private as them.
    """
    from lpmech.budgets import amount_text
    from lpmech.labels.columns import LabelFile
    from lpmech.release import Release
    from lpmech.release.randomizing import randomize_file

    release = Release.load(channel)
    if kept := LabelFile(labels, column, header or "yes").others:
        sys.stderr.write(f"lpmech: kept as they are: {', '.join(map(_name, kept))}\n")
    with bytes_read("checked, then released", 2 * _size(labels)) as progress:
        receipt = randomize_file(
            labels,
            release,
            output,
            column=column,
            header=header,
            missing=missing,
            identifier=identifier,
            keep_telltale=keep_telltale or (),
            again=again,
            new_rows=new_rows,
            ledger=ledger,
            progress=progress,
        )
    entry = receipt.entry
    say(f"released {entry.rows} labels at epsilon = {release.epsilon} to {output}")
    if receipt.left_out:
        say(f"left out {receipt.left_out} rows that were counted for the prior")
    if receipt.dropped:
        say(f"left out {receipt.dropped} rows without a label")
    total = f"spent on these labels by now: epsilon = {amount_text(receipt.total)}"
    if release.spent.prior is not None and not new_rows:
        total += f", the prior included ({release.spent.composition} composition)"
    say(total)
    if entry.rows_known is None:
        say("so many rows are not known one by one: the ledger knows name, content and order of labels only")
    return OK


def estimate(
    released: Path,
    *,
    channel: Path,
    column: str | None = None,
    by: str | None = None,
    confidence: float = 0.95,
    released_only: Switch = False,
    output: Path | None = None,
    as_json: Json = False,
) -> int:
    """Estimate how frequent the true labels are from released ones, and what a released label says of the true one.

    Parameters
    ----------
    released
        CSV file that `lpmech randomize` has written.
    channel
        Directory of the design that released it.
    column
        Name of the column of released labels; may be left out where there is only one.
    by
        Column that tells groups of rows apart, to be estimated each by itself.
    confidence
        Of the interval of every label by itself.
    released_only
        Leave out the noisy counts that were bought for the design.
    output
        PNG file for a picture of the frequencies; nothing is overwritten.
    as_json
        Print everything as JSON.
    """
    from lpmech.extras import required
    from lpmech.files.whole import refuse_taken
    from lpmech.release import Release
    from lpmech.release.estimating_files import estimate_file
    from lpmech.release.means import mean_of
    from lpmech.release.record import UNBIASED
    from lpmech.report.console import console
    from lpmech.report.estimates import mean_line

    if output is not None:
        required("plots", "matplotlib")
        refuse_taken(output)
    release = Release.load(channel)
    with bytes_read("counted", _size(released)) as progress:
        found = estimate_file(
            released,
            release,
            column=column,
            by=by,
            confidence=confidence,
            released_only=released_only,
            progress=progress,
        )
    groups = found.groups
    if output is not None:  # before anything is printed: whoever reads it may not read to its end
        _draw_frequencies(groups, output, f"{released.name}, epsilon = {release.epsilon}")
    if as_json:
        print(json.dumps({name: _group_json(group, release) for name, group in groups.items()}, ensure_ascii=False))
        for note in found.notes:
            console(stderr=True).print(note, soft_wrap=True, markup=False)
    else:
        _print_frequencies(console(), groups, by)
        for name, group in groups.items() if release.utility["name"] == UNBIASED else ():
            say(mean_line("" if by is None else f"{by} = {name}: ", mean_of(group), group.confidence))
        for note in found.notes:
            say(note)
        if output is not None:
            say(f"written to {output}")
    return OK


def _print_frequencies(out: Console, groups: Mapping[str, Frequencies], by: str | None) -> None:
    from lpmech.report.estimates import frequencies_table, posterior_table

    for name, found in groups.items():
        where = "" if by is None else f"{by} = {name}: "
        out.print(frequencies_table(f"{where}{found.rows} released labels", found))
        out.print(posterior_table(f"{where}the true label behind a released one", found))
    any_group = next(iter(groups.values()))
    say(
        f"intervals: {100 * any_group.confidence:g} % for each label by itself, for the shares in the population "
        "of which the rows are a random sample"
    )
    if any(math.isnan(value) for found in groups.values() for value in found.unbiased):
        say("-: the channel merges this label with others: no unbiased estimate, and one most likely answer of several")


def _draw_frequencies(groups: Mapping[str, Frequencies], path: Path, title: str) -> None:
    from lpmech.files.whole import replace_file
    from lpmech.plots import plot_frequencies, png

    replace_file(path, png(plot_frequencies(groups, title=title)))


def _group_json(found: Frequencies, release: Release) -> dict[str, Any]:
    """Frequencies, and of numbers released without bias their mean."""
    from lpmech.release.means import mean_of
    from lpmech.release.record import UNBIASED

    data = _frequencies_json(found)
    return {**data, "mean": vars(mean_of(found))} if release.utility["name"] == UNBIASED else data


def _frequencies_json(found: Frequencies) -> dict[str, Any]:
    return {
        "rows": found.rows,
        "confidence": found.confidence,
        "labels": list(found.labels),
        "unbiased": _numbers(found.unbiased),
        "low": _numbers(found.low),
        "high": _numbers(found.high),
        found.fitted.replace(" ", "_"): _numbers(found.likely),
        "noisy_counts_at_epsilon": None if found.beside is None else found.beside.epsilon,
        "posterior": {str(name): _numbers(found.posterior[:, j]) for j, name in enumerate(found.outputs)},
    }


def _numbers(values: Array) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _name(column: str) -> str:
    return column if column.isprintable() else ascii(column)


def say(text: str) -> None:
    """Print a line as it is; labels may hold what would be markup."""
    from lpmech.report.console import console

    console().print(text, soft_wrap=True, markup=False)


def _size(path: Path) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


@contextmanager
def bytes_read(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr for the bytes of a file."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from lpmech.report.console import console

    columns = (TextColumn(text), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    out = console(stderr=True)
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)
