"""CSV files with a column of labels, read in constant memory and written as they were but for that column."""

from __future__ import annotations

import csv
import hashlib
import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lpmech.errors import DataFileError
from lpmech.files.access import GZIP, reason

if TYPE_CHECKING:
    from _csv import Writer
    from typing import TextIO

__all__ = ["LabelFile", "Row"]

Row = list[str]

#: Rows held in memory at a time, and the longest cell.
_CHUNK, _LONGEST_CELL = 1 << 16, 1 << 24

#: How files of other formats begin, and what is to be done with them.
_OTHER_FORMATS = {
    GZIP[:1]: "gzip is not read: unpack it first",
    b"PAR1\x15": "Parquet is read by design only: write the table as CSV",
    b"PK\x03\x04": "a spreadsheet or a zip archive is not read: write the table as CSV",
}


class LabelFile:
    """A CSV file in UTF-8 with a header, of which one column holds labels.

    Parameters
    ----------
    path : path
        A regular file: it is read more than once.
    column : str, optional
        Name of the column; may be left out where there is only one.
    header : {"yes", "no"}
        Whether the first line names the columns; without it there must be one column only.

    Attributes
    ----------
    header : list of str
        The first line.
    position : int
        Of the column.
    sha256 : str
        Of all bytes that were read in the last complete pass of `chunks`.

    Raises
    ------
    DataFileError
        If the file is missing, no regular file, not such a table, or has no or several columns of that name.
    """

    def __init__(self, path: str | Path, column: str | None = None, header: Literal["yes", "no"] = "yes") -> None:
        self.path = Path(path)
        if (kind := _other_kind(self.path)) is not None:
            raise DataFileError("file", f"{path}: {kind}", "a CSV file that can be read twice")
        self.sha256 = ""
        _refuse_other_formats(self.path)
        with self._opened(_Watched(self.path)) as text:
            first = text.read(1)
            self._mark = first if first == "\ufeff" else ""
            lines = _Remembered(text, first.removeprefix("\ufeff"))
            self.header = self._header(lines)
            last = lines.seen[-1]
            self._end = next((end for end in ("\r\n", "\n", "\r") if last.endswith(end)), "\n")
            everything_quoted = _as_csv(self.header, csv.QUOTE_ALL, self._end).rstrip("\r\n")
            whole = "".join(lines.seen).rstrip("\r\n")
            self._quoting: Literal[0, 1] = csv.QUOTE_ALL if whole == everything_quoted else csv.QUOTE_MINIMAL
        self.named = header == "yes"
        if header == "no" and (column is not None or len(self.header) > 1):
            raise DataFileError("header", f"no, for {len(self.header)} columns", "one column, and no name of it")
        self.position = self._position(column)

    @property
    def column(self) -> str:
        """Name of the column of labels; empty without a header."""
        return self.header[self.position] if self.named else ""

    def writer(self, file: TextIO) -> Writer:
        """A CSV writer in the manner of this file, which has written the header if there is one."""
        file.write(self._mark)
        writer = csv.writer(file, lineterminator=self._end, quoting=self._quoting)
        if self.named:
            writer.writerow(self.header)
        return writer

    @property
    def others(self) -> tuple[str, ...]:
        """Names of the columns beside the labels, which are kept as they are."""
        return tuple(name for i, name in enumerate(self.header) if i != self.position)

    def column_named(self, name: str) -> int:
        """Position of another column.

        Raises
        ------
        DataFileError
            If no column, or more than one, has this name.
        """
        found = [i for i, cell in enumerate(self.header) if cell == name]
        found = found or [i for i, cell in enumerate(self.header) if cell.strip() == name.strip()]
        if len(found) != 1:
            allowed = f"the name of one of the {len(self.header)} columns in the header of {self.path}"
            raise DataFileError("column", f"{name!r}, which {len(found)} columns have", allowed)
        return found[0]

    def chunks(self, progress: Callable[[int], None] = lambda count: None) -> Iterator[tuple[int, list[Row]]]:
        """Rows in order, some 65,000 at a time, each time with the number of the first; a header is row 1.

        `progress` is called with the number of bytes read since it was last called.

        Raises
        ------
        DataFileError
            If a row has another number of cells than the header, or is not CSV. A blank line is a row with an empty
            cell where there is one column, and no row at the end of the file.
        """
        raw = _Watched(self.path)
        with self._opened(raw) as text:
            text.read(len(self._mark))
            reader = self._checked(csv.reader(text, strict=True))
            if self.named:
                next(reader, [])
            number, blank = 1 + self.named, 0
            rows: list[Row] = []
            for row in reader:
                if not row:  # a blank line: nothing at the end of the file, else a row with no cells
                    blank += 1
                    continue
                if len(self.header) == 1:  # or with an empty one
                    rows += [[""] for _ in range(blank)]
                    blank = 0
                if blank or len(row) != len(self.header):
                    where = f"{self.path} row {number + len(rows)} with {0 if blank else len(row)} cells"
                    raise DataFileError("file", where, f"{len(self.header)} cells as in the header")
                rows.append(row)
                if len(rows) >= _CHUNK:
                    progress(raw.newly_read())
                    yield number, rows
                    number, rows = number + len(rows), []
            self.sha256 = raw.digest.hexdigest()
            progress(raw.newly_read())
            if rows:
                yield number, rows

    def _header(self, lines: _Remembered) -> Row:
        header = next(self._checked(csv.reader(lines, strict=True)), [])
        if not any(cell.strip() for cell in header):
            raise DataFileError("file", f"{self.path} with no first line", "a CSV file with a header")
        return header

    def _position(self, column: str | None) -> int:
        if column is not None:
            return self.column_named(column)
        if len(self.header) > 1:
            raise DataFileError("column", f"none, for {len(self.header)} columns in {self.path}", "the name of one")
        return 0

    @contextmanager
    def _opened(self, raw: _Watched) -> Iterator[TextIO]:
        limit = csv.field_size_limit(_LONGEST_CELL)
        try:
            with io.TextIOWrapper(
                io.BufferedReader(raw, 1 << 20), encoding="utf-8", errors="surrogateescape", newline=""
            ) as text:
                yield text
        except OSError as exc:
            raise DataFileError("file", str(self.path), f"a readable CSV file ({exc.strerror or exc})") from exc
        finally:
            csv.field_size_limit(limit)

    def _checked(self, rows: Iterator[Row]) -> Iterator[Row]:
        try:
            yield from rows
        except csv.Error as exc:
            raise DataFileError("file", str(self.path), f"a CSV file in UTF-8 ({exc})") from exc


class _Watched(io.RawIOBase):
    """A file whose bytes are counted and digested as they are read."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = io.FileIO(path)
        except OSError as exc:
            raise DataFileError("file", str(path), f"a readable CSV file ({exc.strerror})") from exc
        self.digest = hashlib.sha256()
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int | None:  # type: ignore[override]
        count = self._file.readinto(buffer)
        self.digest.update(memoryview(buffer)[: count or 0])
        self._count += count or 0
        return count

    def newly_read(self) -> int:
        """Bytes read since the last call."""
        count, self._count = self._count, 0
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class _Remembered:
    """Lines of a text that keeps those it has given."""

    def __init__(self, text: TextIO, first: str) -> None:
        self._text, self._first = text, first
        self.seen: list[str] = []

    def __iter__(self) -> _Remembered:
        return self

    def __next__(self) -> str:
        line, self._first = self._first + self._text.readline(), ""
        if not line:
            raise StopIteration
        self.seen.append(line)
        return line


def _other_kind(path: Path) -> str | None:
    """Why it is no regular file."""
    try:
        return None if stat.S_ISREG(os.stat(path).st_mode) else "no regular file"
    except FileNotFoundError:
        return "no such file"
    except (OSError, ValueError) as exc:
        return reason(exc)


def _as_csv(row: Sequence[str], quoting: Literal[0, 1], end: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, lineterminator=end).writerow(row)
    return text.getvalue()


def _refuse_other_formats(path: Path) -> None:
    """Name the format of a file that is not CSV, by how it begins."""
    try:
        with path.open("rb") as file:
            beginning = file.read(max(map(len, _OTHER_FORMATS)))
    except OSError as exc:
        raise DataFileError("file", str(path), f"a readable CSV file in UTF-8 ({reason(exc)})") from exc
    for magic, words in _OTHER_FORMATS.items():
        if beginning.startswith(magic):
            raise DataFileError("file", str(path), f"a CSV file in UTF-8 ({words})")
