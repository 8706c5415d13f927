"""What every reader of a CSV file shares: its rows, and the exact value of a cell."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

from lpmech.errors import DataFileError

__all__ = ["exact_number", "read_rows", "rows_of", "whole_count"]


def rows_of(path: str | Path) -> Iterator[list[str]]:
    """The rows of a CSV file in UTF-8 one after the other, empty lines included.

    Raises
    ------
    DataFileError
        If the file is missing or unreadable.
    """
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            yield from csv.reader(file, strict=True)
    except (OSError, UnicodeDecodeError, csv.Error) as exc:
        raise DataFileError("file", str(path), f"a readable CSV file in UTF-8 ({exc})") from exc


def read_rows(path: str | Path) -> list[list[str]]:
    """All rows that are not blank; at least one.

    Raises
    ------
    DataFileError
        If the file is missing, unreadable or has no rows.
    """
    rows = [row for row in rows_of(path) if any(cell.strip() for cell in row)]
    if not rows:
        raise DataFileError("file", str(path), "a CSV file with rows")
    return rows


def exact_number(text: str) -> Fraction | None:
    """The exact value of a decimal or a quotient, or None; exponents beyond a float's are refused."""
    if text.isascii() and text.isdigit() and len(text) < 400:
        return Fraction(int(text))
    try:
        if "/" in text:
            return Fraction(text)
        value = Decimal(text)
        return Fraction(value) if value.is_finite() and abs(value.adjusted()) < 400 else None
    except (InvalidOperation, ValueError, ZeroDivisionError):
        return None


def whole_count(text: str) -> int | None:
    """The value of a cell that counts something, or None if it is no whole number >= 0."""
    value = exact_number(text.strip())
    return int(value) if value is not None and value.denominator == 1 and value >= 0 else None
