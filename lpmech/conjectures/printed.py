"""A channel as a table prints it: exact decimals, and how much their rounding may hide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, rational_from_text
from lpmech.errors import DataFileError, LabelError, UtilityError
from lpmech.files.csv_rows import read_rows
from lpmech.tables import read_channel

__all__ = ["PrintedChannel", "read_decoding", "read_printed", "read_table_utility"]

#: Relative rounding of a few operations in floating point.
_FLOAT = Fraction(1, 2**51)


@dataclass(frozen=True)
class PrintedChannel:
    """A table and what stands in its cells.

    Attributes
    ----------
    channel : Channel
        Columns in the order of the rows where both have the same labels.
    entries : list of list of Fraction, shape (K, J)
        The numbers as printed, exactly.
    places : int or None
        Most decimal places of a cell; None if all are quotients or whole.
    """

    channel: Channel
    entries: list[list[Fraction]]
    places: int | None

    def rounding(self, entry: Fraction) -> Fraction:
        """How far a number may be from the one that was printed: half a unit of the last place, or a few roundings."""
        if self.places is None:
            return Fraction(0)
        return max(Fraction(1, 2 * 10**self.places), entry * _FLOAT)


def read_printed(path: str | Path) -> PrintedChannel:
    """Read a channel from a CSV file and keep its decimals; raises as `lpmech.tables.read_channel` does."""
    channel = read_channel(path)
    cells = [[cell.strip() for cell in row[1:]] for row in read_rows(path)[1:]]
    places = [_places(cell) for row in cells for cell in row]
    order = list(range(len(channel.outputs)))
    if sorted(map(str, channel.outputs)) == sorted(map(str, channel.inputs)):
        order = [channel.outputs.index(name) for name in channel.inputs]
    entries = [[rational_from_text(row[j]) or Fraction(0) for j in order] for row in cells]
    ordered = Channel(channel.matrix[:, order], channel.inputs, [channel.outputs[j] for j in order])
    return PrintedChannel(ordered, entries, max((p for p in places if p is not None), default=None))


def _places(cell: str) -> int | None:
    """Decimal places of a cell: 3 for 0.125, 9 for 1e-9; None for a quotient or a whole number."""
    digits, _, exponent = cell.lower().partition("e")
    _, point, decimals = digits.partition(".")
    if "/" in cell or not (point or exponent):
        return None
    return max(0, len(decimals) - int(exponent or 0))


def read_decoding(path: str | Path, outputs: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Read which label every output stands for: a CSV file with the columns ``output,label``.

    Raises
    ------
    DataFileError
        If the file cannot be read or has other columns.
    LabelError
        If an output is missing, unknown or given twice, or a label is unknown.
    """
    rows = read_rows(path)
    if [cell.strip().lower() for cell in rows[0]] != ["output", "label"] or any(len(row) != 2 for row in rows):
        raise DataFileError("decoding", f"{path} with header {','.join(rows[0])}", "two columns: output,label")
    pairs = [(row[0].strip(), row[1].strip()) for row in rows[1:]]
    if sorted(output for output, _ in pairs) != sorted(outputs):
        raise LabelError("decoding", [output for output, _ in pairs], f"each output once: {', '.join(outputs)}")
    unknown = [label for _, label in pairs if label not in labels]
    if unknown:
        raise LabelError("decoding", unknown[0], f"labels among {', '.join(labels)}")
    return dict(pairs)


def decoded(channel: Channel, decoding: Mapping[str, str]) -> Channel:
    """The channel that releases labels: the columns of each label are added."""
    columns = [[j for j, output in enumerate(channel.outputs) if decoding[str(output)] == y] for y in channel.inputs]
    rows = [[sum((row[j] for j in js), row[0] * 0) for js in columns] for row in channel.matrix.tolist()]
    return Channel(rows, channel.inputs, channel.inputs)


def read_table_utility(path: str | Path, inputs: Sequence[str], outputs: Sequence[str]) -> Array:
    """Read a utility with the outputs as header and the labels as first column, both in any order.

    Raises
    ------
    DataFileError
        If the file cannot be read.
    UtilityError
        If names are missing or unknown, or an entry is no finite number.
    """
    rows = read_rows(path)
    header, names = [cell.strip() for cell in rows[0][1:]], [row[0].strip() for row in rows[1:]]
    if sorted(header) != sorted(outputs) or sorted(names) != sorted(inputs):
        raise UtilityError(
            "utility", f"{path} with rows {names} and columns {header}", f"rows {list(inputs)}, columns {list(outputs)}"
        )
    found = {}
    for name, row in zip(names, rows[1:], strict=True):
        if len(row) != len(header) + 1:
            raise UtilityError("utility", f"{path}: {','.join(row)}", f"{len(header)} numbers after the label")
        for output, cell in zip(header, row[1:], strict=True):
            value = rational_from_text(cell.strip())
            if value is None:
                raise UtilityError("utility", f"{path}: entry {cell!r}", "finite numbers")
            found[name, output] = value
    return as_array([[found[y, j] for j in outputs] for y in inputs], "utility", 2, UtilityError)
