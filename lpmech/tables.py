"""Reading and writing the CSV files of the command line: label counts, utilities, channels, places."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from pathlib import Path

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, rational_from_text, to_float
from lpmech.errors import ChannelError, DataFileError, UtilityError
from lpmech.files import open_text, write_text
from lpmech.places import Places
from lpmech.priors import prior_from_counts

__all__ = ["LabelCounts", "read_counts", "read_utility", "read_channel", "write_channel", "read_places"]


@dataclass(frozen=True)
class LabelCounts:
    """Labels and how often each occurs.

    Attributes
    ----------
    labels : tuple of str
        At least two distinct names.
    counts : tuple of int
        One whole number for each label, not all zero.
    """

    labels: tuple[str, ...]
    counts: tuple[int, ...]

    @property
    def prior(self) -> Array:
        """The exact empirical prior, shape (K,)."""
        return prior_from_counts(self.counts)

    @property
    def values(self) -> list[Fraction] | None:
        """The labels as numbers, or None if some label is not a number."""
        numbers = [rational_from_text(label) for label in self.labels]
        return None if any(v is None for v in numbers) else [v for v in numbers if v is not None]


def read_counts(path: str | Path) -> LabelCounts:
    """Read label counts from a CSV file.

    The file has the columns ``label,count``, or one label per row (with or without the header ``label``),
    which are counted; counted labels are sorted, by value if all are numbers.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or has no rows; if a row has the wrong number of cells, a label is
        empty or occurs twice beside a count, a count is not a whole number >= 0, fewer than two labels occur,
        or all counts are zero.
    """
    rows = _read_rows(path)
    header = [cell.strip().lower() for cell in rows[0]]
    if header == ["label", "count"]:
        counts = _labelled_counts(path, rows[1:])
    elif len(header) == 1:
        counts = _tallied(path, rows[1:] if header == ["label"] else rows)
    else:
        raise DataFileError(
            "counts", f"{path} with header {','.join(rows[0])}", "columns label,count, or one column of labels"
        )
    if len(counts) < 2:
        raise DataFileError("counts", f"{path} with labels {list(counts)}", "at least two labels")
    if sum(counts.values()) == 0:
        raise DataFileError("counts", f"{path} with all counts zero", "at least one positive count")
    return LabelCounts(tuple(counts), tuple(counts.values()))


def _labelled_counts(path: str | Path, rows: Sequence[Sequence[str]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for number, row in enumerate(rows, start=2):
        if len(row) != 2:
            raise DataFileError("counts", f"{path} line {number}: {','.join(row)}", "two cells: label,count")
        label = row[0].strip()
        if not label or label in counts:
            raise DataFileError(
                "counts", f"{path} line {number}: label {label!r}", "a name that is not empty, once each"
            )
        counts[label] = _count(f"{path} line {number}", row[1])
    if not counts:
        raise DataFileError("counts", f"{path} with no rows", "at least two labels")
    return counts


def _tallied(path: str | Path, rows: Sequence[Sequence[str]]) -> dict[str, int]:
    for number, row in enumerate(rows, start=1):
        if len(row) != 1 or not row[0].strip():
            raise DataFileError("counts", f"{path} row {number}: {','.join(row)!r}", "one label per row")
    tally = Counter(row[0].strip() for row in rows)
    values = {label: rational_from_text(label) for label in tally}
    numeric = all(v is not None for v in values.values())
    labels = sorted(tally, key=lambda label: values[label] or Fraction(0)) if numeric else sorted(tally)
    return {label: tally[label] for label in labels}


def read_utility(path: str | Path, labels: Sequence[str]) -> Array:
    """Read a utility matrix from a CSV file, exactly.

    The file is a K x K table of numbers in the order of `labels`, or the same with the labels as header and
    first column, in any order.

    Returns
    -------
    ndarray, shape (K, K)
        Fractions: decimal numbers are taken at their exact value.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or empty.
    UtilityError
        If the shape is wrong, an entry is not a finite number, or the names are not the labels.
    """
    rows = _read_rows(path)
    size = len(labels)
    order = list(range(size))
    columns = order
    body: list[list[str]] = [list(row) for row in rows]
    if len(rows) == size + 1:
        names, header = [row[0].strip() for row in rows[1:]], [cell.strip() for cell in rows[0][1:]]
        if sorted(names) != sorted(labels) or sorted(header) != sorted(labels):
            raise UtilityError(
                "utility", f"{path} with rows {names} and columns {header}", f"the labels {list(labels)}"
            )
        order, columns = [names.index(name) for name in labels], [header.index(name) for name in labels]
        body = [list(row[1:]) for row in rows[1:]]
    if len(body) != size or any(len(row) != size for row in body):
        raise UtilityError(
            "utility",
            f"{path} with {len(body)} rows of {sorted({len(r) for r in body})} cells",
            f"{size} x {size} numbers",
        )
    return as_array([[_entry(path, body[y][j]) for j in columns] for y in order], "utility", 2, UtilityError)


def _entry(path: str | Path, text: str) -> Fraction:
    value = rational_from_text(text)
    if value is None:
        raise UtilityError("utility", f"{path}: entry {text!r}", "finite numbers")
    return value


def read_channel(path: str | Path) -> Channel:
    """Read a channel from a CSV file with the released labels as header and the true labels as first column.

    Decimals and quotients are taken at their exact value where all rows then sum to one, else as floats.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable, or not such a table.
    ChannelError
        If an entry is negative or a row does not sum to one.
    """
    rows = _read_rows(path)
    outputs = [cell.strip() for cell in rows[0][1:]]
    if len(rows) < 3 or not outputs or any(len(row) != len(outputs) + 1 for row in rows):
        raise DataFileError(
            "channel",
            f"{path} with {len(rows)} rows of {sorted({len(row) for row in rows})} cells",
            "a header of released labels, then for each of at least two true labels its name and one number a column",
        )
    exact = [[_probability(path, cell) for cell in row[1:]] for row in rows[1:]]
    inputs = [row[0].strip() for row in rows[1:]]
    if all(sum(row) == 1 for row in exact):
        return Channel(exact, inputs, outputs)
    return Channel(to_float(as_array(exact, "channel", 2, ChannelError)), inputs, outputs)


def _probability(path: str | Path, text: str) -> Fraction:
    value = rational_from_text(text)
    if value is None:
        raise DataFileError("channel", f"{path}: entry {text!r}", "probabilities: decimals or quotients")
    return value


def write_channel(path: str | Path, channel: Channel) -> None:
    """Write a channel as CSV: released labels as header, true labels as first column, shortest exact floats.

    Raises
    ------
    DataFileError
        If the file cannot be written; then it is as it was before.
    """
    file = StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(["", *(str(name) for name in channel.outputs)])
    for name, row in zip(channel.inputs, channel.matrix.tolist(), strict=True):
        writer.writerow([str(name), *(repr(float(v)) for v in row)])
    write_text(path, file.getvalue())


def read_places(path: str | Path) -> Places:
    """Read places from a CSV file with the columns ``place,latitude,longitude`` and optionally ``count``.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or has no rows; if a row has the wrong number of cells, a name is empty or
        occurs twice, a coordinate is not a number of degrees in its range, a count is not a whole number >= 0, there
        are fewer than two places, or all counts are zero.
    """
    rows = _read_rows(path)
    columns = ["place", "latitude", "longitude", "count"]
    header = [cell.strip().lower() for cell in rows[0]]
    if header not in (columns[:3], columns):
        raise DataFileError("places", f"{path} with header {','.join(rows[0])}", ",".join(columns) + " (count if any)")
    found: dict[str, tuple[float, float]] = {}
    counts: list[int] = []
    for number, row in enumerate(rows[1:], start=2):
        where = f"{path} line {number}"
        if len(row) != len(header):
            raise DataFileError("places", f"{where}: {','.join(row)}", f"{len(header)} cells: {','.join(header)}")
        name = row[0].strip()
        if not name or name in found:
            raise DataFileError("places", f"{where}: place {name!r}", "a name that is not empty, once each")
        found[name] = (_degrees(where, row[1], 90), _degrees(where, row[2], 180))
        counts += [_count(where, cell) for cell in row[3:]]
    if len(found) < 2:
        raise DataFileError("places", f"{path} with places {list(found)}", "at least two places")
    if counts and not any(counts):
        raise DataFileError("places", f"{path} with all counts zero", "at least one positive count")
    return Places(tuple(found), tuple(found.values()), tuple(counts) or None)


def _degrees(where: str, text: str, largest: int) -> float:
    value = rational_from_text(text)
    if value is None or abs(value) > largest:
        raise DataFileError("places", f"{where}: coordinate {text!r}", f"degrees from -{largest} to {largest}")
    return float(value)


def _count(where: str, text: str) -> int:
    count = rational_from_text(text)
    if count is None or count.denominator != 1 or count < 0:
        raise DataFileError("counts", f"{where}: count {text!r}", "a whole number >= 0")
    return int(count)


def label_values(counts: LabelCounts) -> Sequence[Hashable]:
    """The labels as numbers where all are, else their positions 0..K-1."""
    return counts.values or list(range(len(counts.labels)))


def _read_rows(path: str | Path) -> list[list[str]]:
    allowed = "a readable CSV file in UTF-8"
    with open_text(path, allowed) as file:
        try:
            rows = [row for row in csv.reader(file, strict=True) if any(cell.strip() for cell in row)]
        except csv.Error as exc:
            raise DataFileError("file", str(path), f"{allowed} ({exc})") from exc
    if not rows:
        raise DataFileError("file", str(path), "a CSV file with rows")
    return rows
