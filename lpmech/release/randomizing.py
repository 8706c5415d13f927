"""Releasing a column of a CSV file: checked first, then drawn, entered in the ledger and put in place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from lpmech.entries import Array
from lpmech.errors import DataFileError, LabelError, TelltaleError
from lpmech.files.whole import put_in_place, refuse_taken, unfinished, uninterrupted
from lpmech.labels.columns import LabelFile, Row
from lpmech.labels.counts import canonical
from lpmech.labels.index import LabelIndex, row_list
from lpmech.labels.reading import MISSING
from lpmech.labels.row_choice import RowChoice
from lpmech.release.bookkeeping import (
    Known,
    Seen,
    Traces,
    entry_of,
    file_sha256,
    refuse_released,
    refuse_spent,
    rows_of_the_prior,
)
from lpmech.release.entry import Entry
from lpmech.release.fingerprints import Digests, row_text
from lpmech.release.ledger import Ledger, ledger_beside
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
    dropped : int
        Rows that were not released because they have no label.
    total : Fraction
        The most that the labels of a row have cost by now, in nats, by the ledger.
    """

    entry: Entry
    left_out: int
    dropped: int
    total: Fraction


def randomize_file(
    path: str | Path,
    release: Release,
    output: str | Path,
    *,
    column: str | None = None,
    header: Literal["yes", "no"] | None = None,
    missing: Literal["label", "drop"] | None = None,
    identifier: str | None = None,
    keep_telltale: Sequence[str] = (),
    again: bool = False,
    new_rows: bool = False,
    ledger: str | Path | None = None,
    progress: Progress = lambda count: None,
) -> Receipt:
    """Release the labels of a CSV file, in bounded memory; other columns are kept.

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
    missing : {"label", "drop"}, optional
        What to do with blank cells and nan: released as the label called missing, which the design must have, or
        dropped with their rows. Default: the label where the design has it, else they are refused.
    identifier : str, optional
        Column whose texts tell people apart, each in one row: then rows are known again whatever else stands in them.
    keep_telltale : sequence of str
        Columns to be kept although they tell the label of every row.
    again : bool
        Release labels once more that the ledger knows, which spends their epsilon again.
    new_rows : bool
        The rows of the file are other people's than those that the ledger knows: not counted for the release's private
        prior, and not released before.
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
        If some of the labels have been released before, or are a release; if nothing says which rows paid for the
        private prior.
    TelltaleError
        If another column tells the label of every row, and is not to be kept.
    ChannelError
        If the channel cannot be sampled exactly.
    KeyboardInterrupt
        Between two parts of the file; nothing is left behind.

    Notes
    -----
    Every label is checked before the first is drawn. The entry in the ledger is on the disk before the output gets its
    name, and is taken back only if the output certainly did not get it: a process that is killed in between has spent
    epsilon without a release, never the other way round. Nobody may read output and ledger who may not read the file.
    """
    source = LabelFile(path, column, header or "yes")
    refuse_taken(output)
    clear_orphan(output)
    place = ledger_beside(path) if ledger is None else Path(ledger)
    book = Ledger.read(place)
    _check_header(source, release.index)
    if header is None and column is None:  # the first line would be kept in the clear, whatever it is
        asked = "--header yes if the first line names the column, --header no if it is a row"
        raise DataFileError("header", f"none, for {path}", asked)
    for name in keep_telltale:
        source.column_named(name)
    if missing == "label" and release.index[""] < 0:
        raise LabelError("missing", missing, f"a design with the label {MISSING}, or drop")
    with uninterrupted() as stop_if_asked:

        def step(count: int) -> None:
            stop_if_asked()
            progress(count)

        dropped, seen = _checked(source, release.index, missing, identifier, keep_telltale, step)
        planned = _Planned(source, release, output, again, new_rows)
        traces = seen.under(book.key)
        choices = rows_of_the_prior(book, planned.entry(book, traces, seen.rows.count)[0])
        with unfinished(output) as aside:
            left_out = _released(source, release, choices, missing, aside.path, step)
            if source.sha256 != seen.file:
                raise DataFileError("file", str(path), "a file that does not change while it is read")
            aside.finish(path)
            released = file_sha256(aside.path)
            with Ledger.held(place, path) as current:
                if current.key != book.key:  # another process was the first one here
                    traces = seen.under(current.key)
                entry, known = planned.entry(current, traces, seen.rows.count - left_out, released)
                current.extended(entry, traces.hashes, path)
                try:
                    with marked(output, released, release, counted=not new_rows, like=path):
                        put_in_place(aside, output)
                except DataFileError:  # certainly not there; of anything else the entry stays
                    current.put_back(path)
                    raise
    return Receipt(entry, left_out, dropped, known.total((entry,)))


@dataclass(frozen=True)
class _Planned:
    """A release as it was asked for."""

    source: LabelFile
    release: Release
    output: str | Path
    again: bool
    new_rows: bool

    def entry(self, book: Ledger, traces: Traces, rows: int, released: str | None = None) -> tuple[Entry, Known]:
        """Its entry and what the ledger has of its rows, unless that forbids it."""
        found = entry_of(
            book,
            self.source,
            self.release,
            self.output,
            rows=rows,
            traces=traces,
            new_rows=self.new_rows,
            released=released,
        )
        known = Known.of(book, found, traces, by_rows=not self.new_rows)
        if not self.again:
            refuse_released(book, found, self.source)
            refuse_spent(known, found)
        return found, known


def _check_header(source: LabelFile, index: LabelIndex) -> None:
    """A header that is a label is a row of a file without one, which would be kept in the clear."""
    if source.named and index[source.header[source.position]] >= 0:
        raise DataFileError("header", f"{source.path} with a label in the first line", "a header, or --header no")


def _checked(
    source: LabelFile,
    index: LabelIndex,
    missing: str | None,
    identifier: str | None,
    keep_telltale: Sequence[str],
    step: Progress,
) -> tuple[int, Seen]:
    """How many rows are dropped, and what was seen of the others, once every label is known."""
    labels, texts = hashlib.sha256("\0".join(str(name) for name in index.names).encode()), hashlib.sha256()
    seen, people = Digests(), Digests()
    who = None if identifier is None else source.column_named(identifier)
    if who == source.position:
        raise DataFileError("id", identifier, "a column beside the labels")
    unknown: list[int] = []
    total = dropped = 0
    telltale = Telltale(source, len(index.names))
    for number, chunk in source.chunks(step):
        kept, numbers = _with_label(source, chunk, missing)
        codes = _codes(source, kept, index)
        bad = np.flatnonzero(codes < 0)
        total += bad.size
        unknown += (numbers[bad[: max(0, 20 - len(unknown))]] + number).tolist()
        dropped += len(chunk) - len(kept)
        labels.update(codes.astype("<i8").tobytes())
        texts.update("".join([_plain(row[source.position]) for row in kept]).encode(errors="surrogateescape"))
        telltale.see(kept, codes)
        seen.see([row_text(row) for row in kept])
        if who is not None:
            people.see([row[who].strip() for row in kept])
    if total:
        known = index.allowed + (" (the header is row 1)" if source.named else "")
        raise LabelError("labels", f"unknown or missing labels in rows {row_list(unknown, total)}", known)
    if not seen.count:
        raise DataFileError("file", f"{source.path} without rows", "at least one label")
    _refuse_telltale(telltale, keep_telltale, source)
    if who is not None and people.repeated().size:
        again = f"{identifier} with {people.repeated().size} rows that repeat another's"
        raise DataFileError("id", again, "one row for each identifier")
    found = Seen(
        source.sha256,
        labels.hexdigest(),
        texts.hexdigest(),
        seen,
        None if who is None else people,
        len(source.header) > 1,
    )
    return dropped, found


def _refuse_telltale(telltale: Telltale, keep: Sequence[str], source: LabelFile) -> None:
    """Refuse to keep a column that tells the label of every row, unless that is wanted."""
    wanted = {source.column_named(name) for name in keep}
    found = [source.header[at] for at in telltale.positions if at not in wanted]
    if found:
        raise TelltaleError(
            f"column {', '.join(found)} would be kept, and tells every label of column {source.column}: leave it out "
            f"of the file, or --keep-telltale {found[0]} if it is public anyway"
        )


def _released(
    source: LabelFile,
    release: Release,
    choices: Sequence[RowChoice],
    missing: str | None,
    aside: Path,
    step: Progress,
) -> int:
    """Write the release of all rows with a label but the chosen ones; how many of these were chosen."""
    left_out = 0
    chosen = [choice.masks() for choice in choices]
    with aside.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        writer = source.writer(file)
        for _, chunk in source.chunks(step):
            mask = np.any([np.zeros(len(chunk), dtype=bool), *(one(len(chunk)) for one in chosen)], axis=0)
            with_label, numbers = _with_label(source, chunk, missing)
            out = mask[numbers].tolist()
            left_out += sum(out)
            kept = [row for row, skipped in zip(with_label, out, strict=True) if not skipped]
            codes = _codes(source, kept, release.index)
            if np.any(codes < 0):
                raise DataFileError("file", str(source.path), "a file that does not change while it is read")
            for row, text in zip(kept, release.texts(codes).tolist(), strict=True):
                row[source.position] = text
            writer.writerows(kept)
    return left_out


def _with_label(source: LabelFile, rows: list[Row], missing: str | None) -> tuple[list[Row], Array]:
    """The rows to be released, and their places among the given ones."""
    if missing != "drop":
        return rows, np.arange(len(rows))
    places = [n for n, row in enumerate(rows) if row[source.position].strip().lower() not in ("", "nan")]
    return [rows[n] for n in places], np.array(places, dtype=np.int64)


def _codes(source: LabelFile, rows: list[Row], index: LabelIndex) -> Array:
    at = source.position
    return np.fromiter(map(index.__getitem__, [row[at] for row in rows]), dtype=np.int64, count=len(rows))


@lru_cache(maxsize=100_000)
def _plain(text: str) -> str:
    """A label as it goes into the digest of the texts: one for all spellings of a number, and for none."""
    bare = text.strip()
    return (MISSING if bare.lower() in ("", "nan") else canonical(bare)) + "\0"
