"""Label counts from files as people have them: one label a row, a table of counts, CSV or Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Literal

from lpmech.entries import rational_from_text
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.extras import needs
from lpmech.files.csv_rows import rows_of, whole_count
from lpmech.labels.bins import binned
from lpmech.labels.counts import LabelCounts, Tally, canonical, ordered, some_counted
from lpmech.labels.row_choice import RowChoice

__all__ = ["MISSING", "PARQUET", "Reading", "read_counts"]

#: Name of the label for rows without one.
MISSING = "missing"

PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Reading:
    """How a file of labels is to be read.

    Attributes
    ----------
    column : str, optional
        Column of a file with a header that holds the labels.
    count_column : str, optional
        Column that says how often the label of the row occurs.
    header : {"yes", "no"}, optional
        Whether the first line of a CSV file is a header, where that cannot be seen.
    order : str, optional
        All labels in their order, such as mild,moderate,critical.
    missing : {"label", "drop"}, optional
        What to do with blank cells and nan: a label of their own, called missing, or drop the rows.
    bins : str, optional
        Group numbers: 20 bins of equal width, log:20 of equal ratios (skewed positive numbers), quantile:20, or edges
        such as 0,10,100.
    range : str, optional
        LOW,HIGH: the range that bins of equal width or ratio divide.
    """

    column: str | None = None
    count_column: str | None = None
    header: Literal["yes", "no"] | None = None
    order: str | None = None
    missing: Literal["label", "drop"] | None = None
    bins: str | None = None
    range: str | None = None

    @property
    def alphabet(self) -> list[str] | None:
        """The labels of `order`, with the one for rows without a label last."""
        if self.order is None:
            return None
        names = [name.strip() for name in next(csv.reader([self.order], skipinitialspace=True), [])]
        return [*names, MISSING] if self.missing == "label" and MISSING not in names else names

    @property
    def limits(self) -> tuple[Fraction, Fraction] | None:
        """The two numbers of `range`.

        Raises
        ------
        InvalidInputError
            If it is not LOW,HIGH.
        """
        if self.range is None:
            return None
        numbers = [rational_from_text(text.strip()) for text in self.range.split(",")]
        if len(numbers) != 2 or numbers[0] is None or numbers[1] is None or numbers[0] >= numbers[1]:
            raise InvalidInputError("range", self.range, "two numbers LOW,HIGH, the first one smaller")
        return numbers[0], numbers[1]


def read_counts(
    path: str | Path,
    reading: Reading | None = None,
    choice: RowChoice | None = None,
    counts_are: Literal["public", "private"] = "public",
) -> LabelCounts:
    """Read label counts from a CSV or Parquet file.

    The file has two columns, the labels and their counts, under any names; or one label per row in its only column,
    or in the column named. Spellings of one number (1, 1.0) are one label.

    Parameters
    ----------
    path : str or Path
        A file whose name ends in .parquet or .pq is read as Parquet, any other as CSV.
    reading : Reading, optional
        Columns, order, bins, and what to do with missing labels.
    choice : RowChoice, optional
        The rows that are counted, of a file with one label per row; default: all.
    counts_are : {"public", "private"}
        Of private counts nothing is guessed, or refused, that depends on them: `reading` has to say whether the first
        line of a single column is a header, and all may be zero.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or has no rows; if a row has the wrong number of cells, a label occurs twice
        beside a count, a count is not a whole number >= 0, fewer than two labels occur, all counts are zero, or a label
        is missing and `reading` does not say what to do.
    InvalidInputError, LabelError
        If `reading` does not fit the file.
    MissingDependencyError
        If the file is Parquet and pyarrow is not installed.

    Notes
    -----
    An error says what is wrong and in which row, counted from 1 as "line", never what stands there: two files that are
    refused for the same rows get the same message. Of private counts these numbers are for the eyes of who holds the
    file: the command prints them on stderr only, nothing is written, and nothing is paid.
    """
    how = reading or Reading()
    where = str(path)
    if how.range is not None and how.bins is None:
        raise InvalidInputError("range", how.range, "this option with --bins only")
    header, rows = _parquet(where) if where.lower().endswith(PARQUET) else _csv(where, how, counts_are)
    tally = _tally(where, header, rows if choice is None else _chosen(rows, choice), how, counts_are)
    if choice is not None and tally.listed:
        raise InvalidInputError("share", choice.share, "a file with one label per row, not a table of counts")
    if how.bins is not None:
        if how.order is not None:
            raise InvalidInputError("order", how.order, "no order with --bins: bins are ordered by value")
        counts = binned(tally, how.bins, how.limits, where)
    else:
        counts = ordered(tally, how.alphabet, where)
    return counts if counts_are == "private" else some_counted(counts, where)


def _chosen(rows: Iterable[tuple[int, list[str]]], choice: RowChoice) -> Iterator[tuple[int, list[str]]]:
    mask = choice.masks()
    return (numbered for numbered in rows if mask(1)[0])


def _csv(where: str, how: Reading, counts_are: str) -> tuple[list[str] | None, Iterable[tuple[int, list[str]]]]:
    """The header, None without one, and the numbered rows below it."""
    lines = ((number, [cell.strip() for cell in row]) for number, row in enumerate(rows_of(where), start=1))
    first = next(((number, row) for number, row in lines if any(row)), None)
    if first is None:
        raise DataFileError("file", where, "a CSV file with rows")
    if _is_header(first[1], how):
        return first[1], _without_end(lines)
    if len(first[1]) > 1 or how.header == "no":
        return None, [first, *_without_end(lines)]
    body = list(_without_end(lines))
    start = first[1][0]
    unclear = DataFileError(
        "header", f"{where} line 1", "--column NAME if the first line names the column, --header no if it is a label"
    )
    if counts_are == "private":
        raise unclear
    below = {row[0] for _, row in body if row}
    if (
        rational_from_text(start) is None
        and any(below)
        and all(rational_from_text(text) is not None for text in below - {""})
    ):
        return first[1], body
    if start in below or rational_from_text(start) is not None:
        return None, [first, *body]
    raise unclear


def _is_header(row: Sequence[str], how: Reading) -> bool:
    """Whether the first row is certainly a header; a single text may be either, unless it is `label`."""
    if how.header is not None or how.column is not None or how.count_column is not None:
        return how.header != "no"
    if len(row) == 2:
        return whole_count(row[1]) is None
    return len(row) > 2 or row[0].lower() == "label"


def _without_end(lines: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
    """The lines without the empty ones at the end of the file: an empty line between others is a missing label."""
    empty: list[tuple[int, list[str]]] = []
    for line in lines:
        empty.append(line)
        if line[1]:
            yield from empty
            empty = []


def _parquet(where: str) -> tuple[list[str], Iterable[tuple[int, list[str]]]]:
    with needs("parquet"):
        import pandas as pd
    try:
        frame = pd.read_parquet(where, engine="pyarrow")
    except (OSError, ValueError) as exc:
        raise DataFileError("file", where, f"a readable Parquet file ({' '.join(str(exc).split())})") from exc
    cells = frame.astype(object).where(frame.notna(), "")
    return [str(name) for name in frame.columns], enumerate(
        ([str(cell).strip() for cell in row] for row in cells.itertuples(index=False, name=None)), start=1
    )


def _tally(
    where: str, header: list[str] | None, rows: Iterable[tuple[int, list[str]]], how: Reading, counts_are: str
) -> Tally:
    rows = iter(rows)
    start = next(rows, None)
    if start is None:
        raise DataFileError("counts", f"{where} with no rows", "at least two labels")
    width = len(header or start[1])
    of_label, of_count = _columns(where, header, width, how)
    guess = width == 2 and of_count is None and counts_are == "public"
    beside = 1 - of_label if guess else None
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    seen: set[str] = set()
    for line, row in chain([start], rows):
        if not row and width > 1:
            continue
        if len(row) != width and (row or width > 1):
            raise DataFileError("file", f"{where} line {line} with {len(row)} cells", f"{width} cells a line")
        text = row[of_label] if row else ""
        if not text or text.lower() == "nan":
            text = _missing(where, line, how)
        if beside is not None and (text in counts or whole_count(row[beside]) is None):
            beside = None  # a table of counts has every label once, and whole numbers beside them
        count = 1 if of_count is None else whole_count(row[of_count])
        if count is None:
            raise DataFileError(
                "counts", f"{where} line {line}", f"a whole number >= 0 in column {(of_count or 0) + 1}"
            )
        if width == 2 and of_count is not None and canonical(text) in seen:
            raise DataFileError("counts", f"{where} line {line}", "every label once beside its count")
        seen.add(canonical(text))
        if text or how.missing != "drop":
            counts[text] = counts.get(text, 0) + count
            first.setdefault(text, line)
    if beside is not None:
        allowed = f"--count-column with the name of column {beside + 1} too: {where} has every label once"
        raise InvalidInputError("column", how.column, allowed)
    if how.missing == "label" and MISSING in counts and "" in counts:
        raise InvalidInputError("missing", "label", f"no other label called {MISSING}: line {first[MISSING]}")
    renamed = {text or MISSING: text for text in counts}
    listed = of_count is not None
    return Tally(
        {name: counts[text] for name, text in renamed.items()}, {n: first[t] for n, t in renamed.items()}, listed
    )


def _missing(where: str, line: int, how: Reading) -> str:
    """The text for a row without a label, unless that is refused."""
    if how.missing is None:
        raise DataFileError(
            "missing", f"{where} line {line} without a label", "--missing drop, or --missing label to count them as one"
        )
    return ""


def _columns(where: str, header: list[str] | None, width: int, how: Reading) -> tuple[int, int | None]:
    """Positions of the labels and of their counts, None where every row is one."""
    if how.column is None and how.count_column is None:
        if width > 2:
            raise DataFileError("column", f"{where} with {width} columns", "--column with the name of one, of line 1")
        return 0, 1 if width == 2 else None
    of_count = None if how.count_column is None else _position(where, header, how.count_column, "count_column")
    if how.column is None and width > 2:
        raise InvalidInputError("column", None, f"--column with the name of one of {width} columns, of line 1")
    of_label = 1 - (of_count or 0) if how.column is None else _position(where, header, how.column, "column")
    return of_label, of_count


def _position(where: str, header: list[str] | None, name: str, argument: str) -> int:
    """Of a column; line 1 is not quoted, for it may be no header but the first row."""
    names = header or []
    if names.count(name.strip()) != 1:
        allowed = f"the name of one of {len(names)} columns that occurs once in line 1 of {where}"
        raise InvalidInputError(argument, name, allowed)
    return names.index(name.strip())
