"""Reading and writing the CSV files of the command line: utilities and channels."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from pathlib import Path

from lpmech.channel import Channel
from lpmech.common_denominators import exact_row_sums
from lpmech.entries import Array, Number, as_array, by_objects, objects_of, rational_from_text, to_float
from lpmech.errors import ChannelError, DataFileError, InvalidInputError, UtilityError
from lpmech.files.access import write_text
from lpmech.files.csv_rows import read_rows
from lpmech.rationals import PLACES

__all__ = [
    "as_decimal",
    "as_quotient",
    "channel_csv",
    "csv_line",
    "formula_like",
    "holds_quotients",
    "read_channel",
    "read_entries",
    "read_utility",
    "write_channel",
]

#: Of a decimal that is written out.
_UNITS = tuple((places, 10**places) for places in (PLACES, 62))


#: How cells begin that spreadsheets calculate (OWASP, "CSV Injection"), with the full-width forms of the signs.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def formula_like(labels: Iterable[str]) -> list[str]:
    """The labels that a spreadsheet takes for formulas when it opens a CSV file: a number with a sign is none.

    They are written as they are: a mark before them, as is advised for files that are only looked at, would be part of
    the label for everybody who reads the file again.
    """
    return [label for label in labels if label.startswith(_FORMULA) and rational_from_text(label) is None]


def read_utility(
    path: str | Path,
    labels: Sequence[str],
    argument: str = "utility",
    error: type[InvalidInputError] = UtilityError,
    otherwise: str = "",
) -> Array:
    """Read a utility matrix from a CSV file, exactly; or one of distances.

    The file is a K x K table of numbers in the order of `labels`, or the same with the labels as header and
    first column, in any order.

    Parameters
    ----------
    path : path
    labels : sequence of str
    argument, error
        What the matrix is for, and what is raised of it.
    otherwise : str
        What is allowed beside a file that can be read.

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
    try:
        rows = read_rows(path)
    except DataFileError as exc:
        raise DataFileError(argument, str(path), otherwise + exc.allowed) from exc
    size = len(labels)
    order = list(range(size))
    columns = order
    body: list[list[str]] = [list(row) for row in rows]
    if len(rows) == size + 1:
        names, header = [row[0].strip() for row in rows[1:]], [cell.strip() for cell in rows[0][1:]]
        if sorted(names) != sorted(labels) or sorted(header) != sorted(labels):
            raise error(argument, f"{path} with rows {names} and columns {header}", f"the labels {list(labels)}")
        order, columns = [names.index(name) for name in labels], [header.index(name) for name in labels]
        body = [list(row[1:]) for row in rows[1:]]
    if len(body) != size or any(len(row) != size for row in body):
        raise error(
            argument,
            f"{path} with {len(body)} rows of {sorted({len(r) for r in body})} cells",
            f"{size} x {size} numbers",
        )
    values = {cell: rational_from_text(cell) for row in body for cell in row}
    if wrong := [cell for cell, value in values.items() if value is None]:
        raise error(argument, f"{path}: entry {wrong[0]!r}", "finite numbers")
    return as_array([[values[body[y][j]] for j in columns] for y in order], argument, 2, error)


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
    inputs, outputs, rows = read_entries(path)
    exact = as_array(rows, "channel", 2, ChannelError)
    whole = all(mass == 1 for mass in exact_row_sums(exact).tolist())
    try:
        return Channel(exact if whole else to_float(exact), inputs, outputs)
    except ChannelError as exc:
        raise ChannelError("channel", f"{path}: {exc.value}", exc.allowed) from exc


def read_entries(path: str | Path) -> tuple[list[str], list[str], list[list[Fraction]]]:
    """True labels, released labels and the numbers of a table, exactly as printed, whatever its rows sum to.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable, or not such a table.
    """
    rows = read_rows(path)
    outputs = [cell.strip() for cell in rows[0][1:]]
    if len(rows) < 3 or not outputs or any(len(row) != len(outputs) + 1 for row in rows):
        raise DataFileError(
            "channel",
            f"{path} with {len(rows)} rows of {sorted({len(row) for row in rows})} cells",
            "a header of released labels, then for each of at least two true labels its name and one number a column",
        )
    inputs = [row[0].strip() for row in rows[1:]]
    for names in (inputs, outputs):
        name, count = Counter(names).most_common(1)[0]
        if count > 1:
            raise DataFileError("channel", f"{path} with {count} labels {name!r}", "names without duplicates")
    value = {cell: _probability(path, cell) for cell in dict.fromkeys(cell for row in rows[1:] for cell in row[1:])}
    return inputs, outputs, [[value[cell] for cell in row[1:]] for row in rows[1:]]


def _probability(path: str | Path, text: str) -> Fraction:
    value = rational_from_text(text)
    if value is None:
        raise DataFileError("channel", f"{path}: entry {text!r}", "probabilities: decimals or quotients")
    return value


def write_channel(path: str | Path, channel: Channel) -> None:
    """Write a channel as CSV: released labels as header, true labels as first column.

    The entries of an exact channel are printed at their exact value, all as decimals of at most 62 places, or all as
    quotients where one of them is no such decimal: what is printed sums to one, and is as private as the channel.
    Floats are printed as they read back.
    """
    write_text(path, channel_csv(channel))


def as_decimal(value: Number) -> str:
    """A Fraction exactly, as a decimal of `PLACES` to 62 places if that suffices, else a quotient; a float as it reads.

    An exact channel that is sampled has denominators of at most 2^62: halves of halves, up to 62 times, are decimals.
    """
    if not isinstance(value, Fraction):
        return repr(float(value))
    over, under = value.as_integer_ratio()
    for places, unit in _UNITS:
        if unit % under == 0:
            digits = str(over * (unit // under)).zfill(places + 1)
            decimals = digits[-places:]
            return f"{digits[:-places]}.{decimals[:PLACES]}{decimals[PLACES:].rstrip('0')}"
    return str(value)


def as_quotient(value: Number) -> str:
    """The exact value as numerator/denominator."""
    over, under = value.as_integer_ratio()
    return f"{over}/{under}"


def holds_quotients(table: str) -> bool:
    """Whether the entries of what `channel_csv` made are quotients."""
    return "/" in table[table.rfind(",") :]


def channel_csv(channel: Channel, printed: Callable[[Number], str] = as_decimal) -> str:
    """What `write_channel` writes: entries as `printed` has them, or all as quotients if it makes one of them such."""
    texts = by_objects(channel.matrix, printed)
    if any("/" in text for text in objects_of(texts)):
        texts = by_objects(channel.matrix, as_quotient)
    lines = [csv_line(["", *map(str, channel.outputs)])]
    for name, row in zip(channel.inputs, texts.tolist(), strict=True):
        lines += (csv_line([str(name), ""])[:-1], ",".join(row), "\n")  # numbers need no quotation marks, names may
    return "".join(lines)


def csv_line(cells: Sequence[str]) -> str:
    """A row of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
