"""Commands for labels in files: `randomize` and `estimate`."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lpmech.cli.common import OK, Json, Switch

if TYPE_CHECKING:
    from rich.console import Console

    from lpmech.entries import Array
    from lpmech.release.estimation import Frequencies

__all__ = ["bytes_read", "estimate", "randomize", "say"]


def randomize(
    labels: Path,
    *,
    channel: Path,
    output: Path,
    column: str | None = None,
    header: Literal["yes", "no"] | None = None,
    again: Switch = False,
    new_rows: Switch = False,
    ledger: Path | None = None,
) -> int:
    """Release a column of labels: every label is replaced by a random one, drawn exactly by the channel of a design.

    Parameters
    ----------
    labels
        CSV file with a column of labels; its other columns are kept as they are.
    channel
        Directory that `lpmech design --output` has written.
    output
        CSV file to be made; nothing is overwritten.
    column
        Name of the column; may be left out where there is only one.
    header
        Whether the first line names the columns; may be left out with --column.
    again
        Release labels that have been released before: epsilon is spent again.
    new_rows
        No row of the file was counted for the private prior of the design.
    ledger
        File in which releases are entered; default: lpmech-ledger.json beside the labels. Keep it as private as them.
    """
    from lpmech.budgets import amount_text
    from lpmech.release import Release
    from lpmech.release.randomizing import randomize_file

    release = Release.load(channel)
    with bytes_read("checked, then released", 2 * _size(labels)) as progress:
        receipt = randomize_file(
            labels,
            release,
            output,
            column=column,
            header=header,
            again=again,
            new_rows=new_rows,
            ledger=ledger,
            progress=progress,
        )
    entry = receipt.entry
    say(f"released {entry.rows} labels at epsilon = {release.epsilon} to {output}")
    if receipt.left_out:
        say(f"left out {receipt.left_out} rows that were counted for the prior")
    total = f"spent on these labels by now: epsilon = {amount_text(receipt.total)}"
    if release.spent.prior is not None and not new_rows:
        total += f", the prior included ({release.spent.composition} composition)"
    say(total)
    for name in receipt.telltale:
        say(f"warning: column {name} was kept, and tells every label of column {entry.column}")
    return OK


def estimate(
    released: Path,
    *,
    channel: Path,
    column: str | None = None,
    by: str | None = None,
    confidence: float = 0.95,
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
    output
        PNG file for a picture of the frequencies; nothing is overwritten.
    as_json
        Print everything as JSON.
    """
    from lpmech.extras import required
    from lpmech.files.whole import refuse_taken
    from lpmech.release import Release
    from lpmech.release.estimation import estimate_file
    from lpmech.report.console import console

    if output is not None:
        required("plots", "matplotlib")
        refuse_taken(output)
    release = Release.load(channel)
    with bytes_read("counted", _size(released)) as progress:
        groups = estimate_file(released, release, column=column, by=by, confidence=confidence, progress=progress)
    if output is not None:  # before anything is printed: whoever reads it may not read to its end
        _draw_frequencies(groups, output, f"{released.name}, epsilon = {release.epsilon}")
    if as_json:
        print(json.dumps({name: _frequencies_json(found) for name, found in groups.items()}, ensure_ascii=False))
    else:
        _print_frequencies(console(), groups, by)
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
    say(f"intervals: {100 * any_group.confidence:g} % for each label by itself")
    if any(math.isnan(value) for found in groups.values() for value in found.unbiased):
        say("-: the channel merges this label with others: no unbiased estimate, and one most likely answer of several")


def _draw_frequencies(groups: Mapping[str, Frequencies], path: Path, title: str) -> None:
    from lpmech.files.whole import replace_file
    from lpmech.plots import plot_frequencies, png

    replace_file(path, png(plot_frequencies(groups, title=title)))


def _frequencies_json(found: Frequencies) -> dict[str, Any]:
    return {
        "rows": found.rows,
        "confidence": found.confidence,
        "labels": list(found.labels),
        "unbiased": _numbers(found.unbiased),
        "low": _numbers(found.low),
        "high": _numbers(found.high),
        "most_likely": _numbers(found.likely),
        "posterior": {str(name): _numbers(found.posterior[:, j]) for j, name in enumerate(found.outputs)},
    }


def _numbers(values: Array) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def say(text: str) -> None:
    """Print a line as it is; labels may hold what would be markup."""
    from lpmech.report.console import console

    console().print(text, soft_wrap=True, markup=False)


def _size(path: Path) -> int:
    return os.path.getsize(path) if path.is_file() else 0


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
