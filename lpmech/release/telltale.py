"""Columns beside the label that give it away."""

from __future__ import annotations

from lpmech.entries import Array
from lpmech.labels.columns import LabelFile, Row

__all__ = ["Telltale"]


#: Different texts of a column that are remembered.
_MOST = 100_000


class Telltale:
    """Other columns of which each text goes with one label, and that is no accident: some texts occur again.

    They have no more different texts than there are labels, or every text occurs twice on average.
    """

    def __init__(self, source: LabelFile, size: int) -> None:
        self._size, self._rows = size, 0
        self._seen: dict[int, dict[str, int]] = {i: {} for i in range(len(source.header)) if i != source.position}

    def see(self, rows: list[Row], codes: Array) -> None:
        """Drop the columns that do not."""
        labels = codes.tolist()
        self._rows += len(labels)
        for column, seen in list(self._seen.items()):
            if any(
                seen.setdefault(row[column].strip(), y) != y or len(seen) > _MOST
                for row, y in zip(rows, labels, strict=True)
            ):
                del self._seen[column]

    @property
    def positions(self) -> tuple[int, ...]:
        """The columns left, if there is more than one label to tell."""
        return tuple(i for i, seen in self._seen.items() if len(set(seen.values())) > 1 and self._often(seen))

    def _often(self, seen: dict[str, int]) -> bool:
        return len(seen) < self._rows and (len(seen) <= self._size or 2 * len(seen) <= self._rows)
