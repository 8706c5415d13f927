"""Releasing a column of a CSV file: checked first, then drawn, entered in the ledger and put in place."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

import numpy as np

from lpmech.budgets import amount_text
from lpmech.entries import Array, digest_of
from lpmech.errors import DataFileError, LabelError, SpentError
from lpmech.files.whole import flush, put_in_place, refuse_taken, unfinished, uninterrupted
from lpmech.labels.columns import LabelFile, Row
from lpmech.labels.index import LabelIndex, row_list
from lpmech.labels.row_choice import RowChoice
from lpmech.release.ledger import Entry, Ledger, ledger_beside, total_of, utc_now
from lpmech.release.record import Release, Spent

__all__ = ["Receipt", "randomize_file", "record_prior"]

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
    header: Literal["yes", "no"] = "yes",
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
        CSV file, which must not exist yet; it is there when all rows are released, or not at all.
    column : str, optional
        Column of labels; may be left out where there is only one.
    header : {"yes", "no"}
        Whether the first line names the columns.
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
    source = LabelFile(path, column, header)
    refuse_taken(output)
    book = Ledger.read(ledger_beside(path) if ledger is None else ledger)
    _check_header(source, release.index)
    with uninterrupted() as stop_if_asked:

        def step(count: int) -> None:
            stop_if_asked()
            progress(count)

        rows, digest, telltale = _checked(source, release.index, step)
        entry = _entry(book, source, release, output, rows=rows, labels_sha256=digest, new_rows=new_rows)
        choice = _rows_of_the_prior(book, entry)

        def allowed(current: Ledger) -> None:
            if not again:
                _refuse_spent(current, entry)

        allowed(book)
        with unfinished(output) as aside:
            left_out = _released(source, release, choice, aside, step)
            if source.sha256 != entry.file_sha256:
                raise DataFileError("file", str(path), "a file that does not change while it is read")
            flush(aside)
            entry = replace(entry, rows=rows - left_out)
            with book.extended(entry, allowed) as after:
                put_in_place(aside, output)
    return Receipt(entry, left_out, total_of(after.same_data(entry)), telltale)


def record_prior(
    path: str | Path,
    prior: Array,
    spent: Spent,
    *,
    rows: int,
    column: str = "",
    choice: RowChoice | None = None,
    ledger: str | Path | None = None,
) -> Ledger:
    """Enter noisy counts of a file's labels in its ledger, before they are used or shown.

    Parameters
    ----------
    path : path
        The file that was counted; its rows are known again by its content.
    prior : ndarray
        The noisy prior.
    spent : Spent
        With the cost of the prior.
    rows : int
        How many rows were counted.
    column : str
        Of the labels.
    choice : RowChoice, optional
        Which rows were counted, to be left out of the release; default: all.
    ledger : path, optional
        Default: beside the file.

    Returns
    -------
    Ledger
        As it is now.

    Raises
    ------
    DataFileError
        If the file cannot be read or the ledger not written.
    """
    book = Ledger.read(ledger_beside(path) if ledger is None else ledger)
    entry = Entry(
        kind="prior",
        when=utc_now(),
        file=book.file_name(path),
        column=column,
        file_sha256=_file_digest(path),
        labels_sha256=None,
        rows=rows,
        epsilon=str(spent.prior),
        prior_sha256=digest_of(prior),
        prior_epsilon=spent.prior,
        composition=spent.composition,
        choice=choice,
    )
    with book.extended(entry) as after:
        return after


def _entry(
    book: Ledger,
    source: LabelFile,
    release: Release,
    output: str | Path,
    *,
    rows: int,
    labels_sha256: str,
    new_rows: bool,
) -> Entry:
    """What the ledger gets to know of a release."""
    paid = release.spent.prior is not None and not new_rows
    return Entry(
        kind="release",
        when=utc_now(),
        file=book.file_name(source.path),
        column=source.column,
        file_sha256=source.sha256,
        labels_sha256=labels_sha256,
        rows=rows,
        epsilon=release.spent.release,
        prior_sha256=release.prior["sha256"] if paid else None,
        prior_epsilon=release.spent.prior if paid else None,
        composition=release.spent.composition if paid else None,
        output=book.file_name(output),
    )


def _file_digest(path: str | Path) -> str:
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as exc:
        raise DataFileError("file", str(path), f"a readable file ({exc.strerror})") from exc


def _check_header(source: LabelFile, index: LabelIndex) -> None:
    """A header that is a label is a row of a file without one, which would be kept in the clear."""
    if source.named and index[source.header[source.position]] >= 0:
        raise DataFileError("header", f"{source.path} with a label in the first line", "a header, or --header no")


def _checked(source: LabelFile, index: LabelIndex, step: Progress) -> tuple[int, str, tuple[str, ...]]:
    """Number of rows, digest of the labels in order, and the telltale columns, once every label is known."""
    digest = hashlib.sha256("\0".join(str(name) for name in index.names).encode())
    unknown: list[int] = []
    total = rows = 0
    telltale = _Telltale(source, len(index.names))
    for number, chunk in source.chunks(step):
        codes = _codes(source, chunk, index)
        bad = np.flatnonzero(codes < 0)
        total += bad.size
        unknown += (bad[: max(0, 20 - len(unknown))] + number).tolist()
        rows += len(chunk)
        digest.update(codes.astype("<i8").tobytes())
        telltale.see(chunk, codes)
    if total:
        known = index.allowed + (" (the header is row 1)" if source.named else "")
        raise LabelError("labels", f"unknown or missing labels in rows {row_list(unknown, total)}", known)
    if not rows:
        raise DataFileError("file", f"{source.path} without rows", "at least one label")
    return rows, digest.hexdigest(), telltale.names


def _released(source: LabelFile, release: Release, choice: RowChoice | None, aside: Path, step: Progress) -> int:
    """Write the release of all rows but the chosen ones; how many those are."""
    names, left_out = [str(name) for name in release.outputs], 0
    chosen = choice.masks() if choice is not None else lambda count: np.zeros(count, dtype=bool)
    with aside.open("w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        writer = source.writer(file)
        for _, chunk in source.chunks(step):
            kept = chunk
            mask = chosen(len(chunk))
            if mask.any():
                left_out += int(mask.sum())
                kept = [row for row, out in zip(chunk, mask.tolist(), strict=True) if not out]
            codes = _codes(source, kept, release.index)
            if np.any(codes < 0):
                raise DataFileError("file", str(source.path), "a file that does not change while it is read")
            for row, j in zip(kept, release.draw(codes).tolist(), strict=True):
                row[source.position] = names[j]
            writer.writerows(kept)
    return left_out


def _codes(source: LabelFile, rows: list[Row], index: LabelIndex) -> Array:
    at = source.position
    return np.fromiter(map(index.__getitem__, [row[at] for row in rows]), dtype=np.int64, count=len(rows))


def _rows_of_the_prior(book: Ledger, entry: Entry) -> RowChoice | None:
    """The rows to leave out: those that the ledger says were counted for the prior of this release."""
    if entry.composition != "parallel":
        return None
    for earlier in reversed(book.entries):
        if earlier.kind == "prior" and earlier.prior_sha256 == entry.prior_sha256:
            if earlier.choice is None:
                raise SpentError(
                    f"every row of {earlier.file} was counted for the prior of this release and must not be released "
                    "(parallel composition): release other rows, and say --new-rows"
                )
            if earlier.file_sha256 == entry.file_sha256:
                return earlier.choice
            raise SpentError(
                f"the rows that paid for the prior of this release are known by their places in {earlier.file}, "
                "as it was then: release that file, or say --new-rows if no row here was counted for the prior"
            )
    raise SpentError(
        f"some rows paid for the prior of this release, but {book.path} does not say which: name the right --ledger, "
        "or say --new-rows if no row here was counted for the prior"
    )


def _refuse_spent(book: Ledger, entry: Entry) -> None:
    """Refuse labels that have been released, by file, content or labels."""
    same = book.same_data(entry)
    earlier = [e for e in same if e.kind == "release"]
    if earlier:
        last = earlier[-1]
        column = f", column {last.column}," if last.column else ""
        raise SpentError(
            f"{last.file}{column} was released on {last.when} to {last.output} at epsilon = {last.epsilon}; once more "
            f"makes {amount_text(total_of((*same, entry)))} in all for the same people: --again if that is wanted"
        )


class _Telltale:
    """Other columns that give the label of every row away, having no more different texts than there are labels."""

    def __init__(self, source: LabelFile, size: int) -> None:
        self._source, self._size = source, size
        self._seen: dict[int, dict[str, int]] = {i: {} for i in range(len(source.header)) if i != source.position}

    def see(self, rows: list[Row], codes: Array) -> None:
        """Drop the columns that do not."""
        labels = codes.tolist()
        for column, seen in list(self._seen.items()):
            if any(
                seen.setdefault(row[column], y) != y or len(seen) > self._size
                for row, y in zip(rows, labels, strict=True)
            ):
                del self._seen[column]

    @property
    def names(self) -> tuple[str, ...]:
        """The columns left, if there is more than one label to tell."""
        header = self._source.header
        return tuple(header[i] for i, seen in self._seen.items() if len(set(seen.values())) > 1)
