"""Columns beside the label that give it away."""

from __future__ import annotations

from lpmech.entries import Array
from lpmech.labels.columns import LabelFile, Row

__all__ = ["Telltale"]


class Telltale:
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
