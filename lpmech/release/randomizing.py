"""Releasing a column of a CSV file: checked first, then drawn, entered in the ledger and put in place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from lpmech.entries import Array
from lpmech.errors import DataFileError, LabelError
from lpmech.files.whole import flush, put_in_place, refuse_taken, unfinished, uninterrupted
from lpmech.labels.columns import LabelFile, Row
from lpmech.labels.counts import canonical
from lpmech.labels.index import LabelIndex, row_list
from lpmech.labels.reading import MISSING
from lpmech.labels.row_choice import RowChoice
from lpmech.release.bookkeeping import Digests, entry_of, refuse_spent, rows_of_the_prior
from lpmech.release.ledger import Entry, Ledger, ledger_beside, total_of
from lpmech.release.mark import clear_orphan, marked
from lpmech.release.record import Release
from lpmech.release.telltale import Telltale

__all__ = ["Receipt", "randomize_file"]

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Receipt:
    """What was released.

    Attributes
    ----------
    entry : Entry
        The line of the ledger.
    left_out : int
        Rows that were not released because they paid for the prior.
    total : Fraction
        What these labels have cost by now, in nats, by the ledger.
    telltale : tuple of str
        Other columns of the file that determine the label of every row, and were kept.
    """

    entry: Entry
    left_out: int
    total: Fraction
    telltale: tuple[str, ...]


def randomize_file(
    path: str | Path,
    release: Release,
    output: str | Path,
    *,
    column: str | None = None,
    header: Literal["yes", "no"] | None = None,
    again: bool = False,
    new_rows: bool = False,
    ledger: str | Path | None = None,
    progress: Progress = lambda count: None,
) -> Receipt:
    """Release the labels of a CSV file, in constant memory; other columns are kept.

    Parameters
    ----------
    path : path
        CSV file in UTF-8.
    release : Release
        What is applied to every label.
    output : path
        CSV file, which must not exist yet; it is there when all rows are released, or not at all. Beside it, under its
        name and .design.json, is the mark of the design (`lpmech.release.mark`).
    column : str, optional
        Column of labels; may be left out where there is only one.
    header : {"yes", "no"}, optional
        Whether the first line names the columns; may be left out where `column` says so.
    again : bool
        Release labels once more that the ledger knows, which spends their epsilon again.
    new_rows : bool
        The rows of the file are not among those counted for the release's private prior.
    ledger : path, optional
        The ledger; default: ``lpmech-ledger.json`` in the directory of `path`.
    progress : callable
        Called with a number of bytes; together twice the size of the file.

    Raises
    ------
    DataFileError
        If a file cannot be read or written, or the file changes meanwhile.
    LabelError
        If some labels are unknown or missing; it says in which rows, not what they are.
    SpentError
        If the labels have been released before, or nothing says which rows paid for the private prior.
    ChannelError
        If the channel cannot be sampled exactly.
    KeyboardInterrupt
        Between two parts of the file; nothing is left behind.

    Notes
    -----
    Every label is checked before the first is drawn. The ledger is written before the output gets its name: a process
    that is killed in between has spent epsilon without a release, never the other way round.
    """
    source = LabelFile(path, column, header or "yes")
    refuse_taken(output)
    clear_orphan(output)
    book = Ledger.read(ledger_beside(path) if ledger is None else ledger)
    _check_header(source, release.index)
    if header is None and column is None:  # the first line would be kept in the clear, whatever it is
        asked = "--header yes if the first line names the column, --header no if it is a row"
        raise DataFileError("header", f"none, for {path}", asked)
    with uninterrupted() as stop_if_asked:

        def step(count: int) -> None:
            stop_if_asked()
            progress(count)

        rows, digests, telltale = _checked(source, release.index, step)
        entry = entry_of(book, source, release, output, rows=rows, digests=digests, new_rows=new_rows)
        choices = rows_of_the_prior(book, entry)

        def allowed(current: Ledger) -> None:
            if not again:
                refuse_spent(current, entry)

        allowed(book)
        with unfinished(output) as aside:
            left_out = _released(source, release, choices, aside, step)
            if source.sha256 != entry.file_sha256:
                raise DataFileError("file", str(path), "a file that does not change while it is read")
            flush(aside)
            entry = replace(entry, rows=rows - left_out)
            with book.extended(entry, allowed) as after, marked(aside, output, release, counted=not new_rows):
                put_in_place(aside, output)
    return Receipt(entry, left_out, total_of(after.same_data(entry)), telltale)


def _check_header(source: LabelFile, index: LabelIndex) -> None:
    """A header that is a label is a row of a file without one, which would be kept in the clear."""
    if source.named and index[source.header[source.position]] >= 0:
        raise DataFileError("header", f"{source.path} with a label in the first line", "a header, or --header no")


def _checked(source: LabelFile, index: LabelIndex, step: Progress) -> tuple[int, Digests, tuple[str, ...]]:
    """Number of rows, digests of the labels in order, and the telltale columns, once every label is known."""
    labels, texts = hashlib.sha256("\0".join(str(name) for name in index.names).encode()), hashlib.sha256()
    unknown: list[int] = []
    total = rows = 0
    telltale = Telltale(source, len(index.names))
    for number, chunk in source.chunks(step):
        codes = _codes(source, chunk, index)
        bad = np.flatnonzero(codes < 0)
        total += bad.size
        unknown += (bad[: max(0, 20 - len(unknown))] + number).tolist()
        rows += len(chunk)
        labels.update(codes.astype("<i8").tobytes())
        texts.update("".join([_plain(row[source.position]) for row in chunk]).encode(errors="surrogateescape"))
        telltale.see(chunk, codes)
    if total:
        known = index.allowed + (" (the header is row 1)" if source.named else "")
        raise LabelError("labels", f"unknown or missing labels in rows {row_list(unknown, total)}", known)
    if not rows:
        raise DataFileError("file", f"{source.path} without rows", "at least one label")
    return rows, Digests(labels.hexdigest(), texts.hexdigest()), telltale.names


def _released(source: LabelFile, release: Release, choices: Sequence[RowChoice], aside: Path, step: Progress) -> int:
    """Write the release of all rows but the chosen ones; how many those are."""
    left_out = 0
    chosen = [choice.masks() for choice in choices]
    with aside.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        writer = source.writer(file)
        for _, chunk in source.chunks(step):
            kept = chunk
            mask = np.any([np.zeros(len(chunk), dtype=bool), *(one(len(chunk)) for one in chosen)], axis=0)
            if mask.any():
                left_out += int(mask.sum())
                kept = [row for row, out in zip(chunk, mask.tolist(), strict=True) if not out]
            codes = _codes(source, kept, release.index)
            if np.any(codes < 0):
                raise DataFileError("file", str(source.path), "a file that does not change while it is read")
            for row, text in zip(kept, release.texts(codes).tolist(), strict=True):
                row[source.position] = text
            writer.writerows(kept)
    return left_out


def _codes(source: LabelFile, rows: list[Row], index: LabelIndex) -> Array:
    at = source.position
    return np.fromiter(map(index.__getitem__, [row[at] for row in rows]), dtype=np.int64, count=len(rows))


@lru_cache(maxsize=100_000)
def _plain(text: str) -> str:
    """A label as it goes into the digest of the texts: one for all spellings of a number, and for none."""
    bare = text.strip()
    return (MISSING if bare.lower() in ("", "nan") else canonical(bare)) + "\0"
