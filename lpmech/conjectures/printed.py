"""A channel as a table prints it: exact decimals, and how much their rounding may hide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

import sympy as sp

from lpmech.channel import ROW_SUM_TOLERANCE, Channel
from lpmech.entries import Array, as_array, rational_from_text
from lpmech.errors import ChannelError, DataFileError, LabelError, UtilityError
from lpmech.files.csv_rows import read_rows
from lpmech.tables import read_entries

__all__ = ["PrintedChannel", "decoded", "printed", "read_decoding", "read_printed", "read_table_utility", "told_apart"]

#: Most characters of a quotient that is printed as one.
_SHORT = 20
#: Relative rounding of a few operations in floating point.
_FLOAT = Fraction(1, 2**51)


@dataclass(frozen=True)
class PrintedChannel:
    """A table and what stands in its cells.

    Attributes
    ----------
    channel : Channel
        Columns in the order of the rows where both have the same labels; rows divided by their sums.
    entries : list of list of Fraction, shape (K, J)
        The numbers as printed, exactly.
    places : int or None
        Most decimal places of a cell; None if all are quotients or whole.
    """

    channel: Channel
    entries: list[list[Fraction]]
    places: int | None

    def rounding(self, entry: Fraction) -> Fraction:
        """How far a number may be from the one that was printed."""
        return _rounding(self.places, entry)

    @property
    def farthest(self) -> tuple[str, Fraction]:
        """The row whose sum is farthest from one, and that sum."""
        sums = {str(name): sum(row, Fraction(0)) for name, row in zip(self.channel.inputs, self.entries, strict=True)}
        return max(sums.items(), key=lambda named: abs(named[1] - 1))


def read_printed(path: str | Path) -> PrintedChannel:
    """Read a channel from a CSV file and keep its decimals.

    Rows that sum to one up to the rounding of their decimals (or of floating point, 1e-12) are divided by their sums.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable, or no such table.
    ChannelError
        If an entry is negative, or a row does not sum to one up to rounding.
    """
    inputs, outputs, entries = read_entries(path)
    if sorted(outputs) == sorted(inputs):
        order = [outputs.index(name) for name in inputs]
        outputs, entries = inputs, [[row[j] for j in order] for row in entries]
    places = [_places(cell.strip()) for row in read_rows(path)[1:] for cell in row[1:]]
    decimals = max((p for p in places if p is not None), default=None)
    for name, row in zip(inputs, entries, strict=True):
        if min(row) < 0:
            raise ChannelError("channel", f"{path}: {printed(min(row))}", "entries that are not negative")
        total, slack = sum(row, Fraction(0)), sum((_rounding(decimals, entry) for entry in row), Fraction(0))
        if total != 1 and abs(total - 1) >= (0 if decimals is None else max(slack, Fraction(ROW_SUM_TOLERANCE))):
            up_to = "" if decimals is None else f", up to the rounding of {decimals} decimals"
            raise ChannelError(
                "channel", f"{path}: row {name!r} with sum {printed(total)}", f"rows that sum to one{up_to}"
            )
    try:
        channel = Channel([[entry / sum(row) for entry in row] for row in entries], inputs, outputs)
    except ChannelError as exc:
        raise ChannelError("channel", f"{path}: {exc.value}", exc.allowed) from exc
    return PrintedChannel(channel, entries, decimals)


def _rounding(places: int | None, entry: Fraction) -> Fraction:
    """Half a unit of the last place, or a few roundings of floating point."""
    return Fraction(0) if places is None else max(Fraction(1, 2 * 10**places), entry * _FLOAT)


def printed(number: Fraction, digits: int = 20) -> str:
    """A number of any size: exactly as a decimal of 40 digits or a short quotient, else so many digits."""
    exact = _decimal(number, max(40, digits))
    if Fraction(exact) != number:
        if len(str(number)) <= _SHORT:
            return str(number)
        exact = _decimal(number, digits)
    plain = f"{exact:f}"
    return plain if len(plain) <= max(40, digits) + 2 else f"{exact:e}"


def told_apart(first: sp.Expr, second: sp.Expr) -> tuple[str, str]:
    """Two positive numbers, with so many digits that they are different texts if they differ."""
    for digits in (20, 40, 80, 160, 320, 640):
        one, other = (
            printed(Fraction(int(x.p), int(x.q)), digits) if x.is_Rational else f"{Decimal(str(sp.N(x, digits))):g}"
            for x in (first, second)
        )
        if one != other:
            break
    return one, other


def _decimal(number: Fraction, digits: int) -> Decimal:
    context = Context(prec=digits)
    return context.divide(Decimal(number.numerator), Decimal(number.denominator)).normalize(context)


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
