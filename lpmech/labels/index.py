"""Labels matched by value: 1, 1.0, "1" and numpy's integers are one label; a missing label is none."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array, rational_from_text
from lpmech.errors import LabelError
from lpmech.labels.counts import canonical
from lpmech.labels.reading import MISSING

__all__ = ["LabelIndex", "row_list"]

_SHOWN_ROWS = 10
_CACHED = 100_000


class LabelIndex(dict[str, int]):
    """The position of a label by its text; -1 where it is unknown.

    All spellings of a number are one label, but for codes such as 007; blanks and nan are the label ``missing``, where
    there is one. With bins a label is any number, and its position that of its bin.

    Parameters
    ----------
    names : sequence of hashable
        The labels in order.
    edges : sequence of Fraction
        The K + 1 rising edges of the bins; each holds its lower edge, and the last one its upper edge, too.
    """

    def __init__(self, names: Sequence[Hashable], edges: Sequence[Fraction] = ()) -> None:
        super().__init__()
        self.names, self.edges = tuple(names), tuple(edges)
        self._positions = {canonical(str(name).strip()): position for position, name in enumerate(names)}

    def __missing__(self, text: str) -> int:
        bare = text.strip()
        position = self._bin(bare) if self.edges else self._positions.get(canonical(bare), -1)
        if position < 0 and bare.lower() in ("", "nan"):
            position = self._positions.get(MISSING, -1)
        if position >= 0 and len(self) < _CACHED:
            self[text] = position
        return position

    def _bin(self, text: str) -> int:
        value = rational_from_text(text)
        if value is None or not self.edges[0] <= value <= self.edges[-1]:
            return -1
        return min(bisect_right(self.edges, value) - 1, len(self.names) - 1)

    def codes(self, values: Any, argument: str = "labels") -> Array:
        """Positions of labels given as any one-dimensional array, shape (n,).

        Raises
        ------
        LabelError
            If some are unknown or missing; it says at which positions, not what they are.
        """
        try:
            given = np.asarray(values)
            cells = given.astype(object).tolist()
        except (TypeError, ValueError) as exc:
            raise LabelError(argument, type(values).__name__, "a one-dimensional array of labels") from exc
        if given.ndim != 1:
            raise LabelError(argument, f"shape {given.shape}", "a one-dimensional array of labels")
        codes = np.fromiter((self[_text(cell)] for cell in cells), dtype=np.intp, count=len(cells))
        bad = np.flatnonzero(codes < 0).tolist()
        if bad:
            raise LabelError(
                argument, f"unknown or missing labels at positions {row_list(bad, len(bad))}", self.allowed
            )
        return codes

    @property
    def allowed(self) -> str:
        """What is known, for error messages."""
        if self.edges:
            return f"numbers from {self.edges[0]} to {self.edges[-1]}"
        return f"labels among {', '.join(str(name) for name in self.names[:20])}" + ", ..." * (len(self.names) > 20)


def row_list(rows: Sequence[int], total: int) -> str:
    """The first ten numbers, and how many there are in all."""
    shown = ", ".join(map(str, rows[:_SHOWN_ROWS]))
    return shown if total <= _SHOWN_ROWS else f"{shown}, ... ({total} in all)"


def _text(cell: object) -> str:
    """A label as text; the empty text for None and the missing values of numpy and pandas."""
    text = str(cell)
    return "" if cell is None or text in ("NaT", "<NA>") else text
