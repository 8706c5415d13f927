"""Commands for what leaves the house: `randomize`, `estimate`, `audit`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from lpmech.cli.common import OK, app

__all__ = ["randomize"]


@app.command
def randomize(
    labels: Path,
    *,
    channel: Path,
    output: Path,
    column: str | None = None,
    header: Literal["yes", "no"] = "yes",
    again: Annotated[bool, Parameter(negative=())] = False,
    new_rows: Annotated[bool, Parameter(negative=())] = False,
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
        Whether the first line names the columns.
    again
        Release labels that have been released before: epsilon is spent again.
    new_rows
        No row of the file was counted for the private prior of the design.
    ledger
        File in which releases are entered; default: lpmech-ledger.json beside the labels. Keep it as private as them.
    """
    from lpmech.budgets import amount_text
    from lpmech.randomizing import randomize_file
    from lpmech.release import Release
    from lpmech.report import console

    release = Release.load(channel)
    with _bytes_read("checked, then released", 2 * _size(labels)) as progress:
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
    out = console()
    entry = receipt.entry
    out.print(f"released {entry.rows} labels at epsilon = {release.epsilon} to {output}", soft_wrap=True)
    if receipt.left_out:
        out.print(f"left out {receipt.left_out} rows that were counted for the prior")
    total = f"spent on these labels by now: epsilon = {amount_text(receipt.total)}"
    if release.spent.prior is not None and not new_rows:
        total += f", the prior included ({release.spent.composition} composition)"
    out.print(total, soft_wrap=True)
    for name in receipt.telltale:
        out.print(f"warning: column {name} was kept, and tells every label of column {entry.column}", soft_wrap=True)
    return OK


def _size(path: Path) -> int:
    return os.path.getsize(path) if path.is_file() else 0


@contextmanager
def _bytes_read(text: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr for the bytes of a file."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from lpmech.report import console

    columns = (TextColumn(text), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)
