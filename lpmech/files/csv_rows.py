"""What every reader of a CSV file shares: its rows, and the exact value of a cell."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from lpmech.entries import rational_from_text
from lpmech.errors import DataFileError
from lpmech.files.access import open_text

__all__ = ["read_rows", "rows_of", "whole_count"]


def rows_of(path: str | Path) -> Iterator[list[str]]:
    """The rows of a CSV file in UTF-8 one after the other, empty lines included.

    Raises
    ------
    DataFileError
        If the file is missing or unreadable.
    """
    allowed = "a readable CSV file in UTF-8"
    with open_text(path, allowed) as file:
        try:
            yield from csv.reader(file, strict=True)
        except csv.Error as exc:
            raise DataFileError("file", str(path), f"{allowed} ({exc})") from exc


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


def whole_count(text: str) -> int | None:
    """The value of a cell that counts something, or None if it is no whole number >= 0."""
    value = rational_from_text(text)
    return int(value) if value is not None and value.denominator == 1 and value >= 0 else None
