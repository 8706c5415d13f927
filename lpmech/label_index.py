"""Labels matched by value: 1, 1.0, "1" and numpy's integers are one label; a missing label is none."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.entries import Array
from lpmech.errors import LabelError

__all__ = ["LabelIndex", "row_list"]

_SHOWN_ROWS = 10
_CACHED = 100_000


class LabelIndex(dict[str, int]):
    """The position of a label by its text; -1 where it is unknown.

    A text that is one of the names is that name; else a number is the name of the same value, if only one is.

    Parameters
    ----------
    names : sequence of hashable
        The labels in order.
    """

    def __init__(self, names: Sequence[Hashable]) -> None:
        super().__init__({str(name).strip(): position for position, name in enumerate(names)})
        self.names = tuple(names)
        values = [_value(str(name)) for name in names]
        self._by_value = {v: i for i, v in enumerate(values) if v is not None and values.count(v) == 1}

    def __missing__(self, text: str) -> int:
        position = self.get(text.strip(), -1)
        if position < 0:
            value = _value(text)
            position = -1 if value is None else self._by_value.get(value, -1)
        if position >= 0 and len(self) < _CACHED:
            self[text] = position
        return position

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
        codes = np.fromiter((self[str(cell)] for cell in cells), dtype=np.intp, count=len(cells))
        bad = np.flatnonzero(codes < 0).tolist()
        if bad:
            raise LabelError(
                argument, f"unknown or missing labels at positions {row_list(bad, len(bad))}", self.allowed
            )
        return codes

    @property
    def allowed(self) -> str:
        """What is known, for error messages."""
        return f"labels among {', '.join(str(name) for name in self.names[:20])}" + ", ..." * (len(self.names) > 20)


def row_list(rows: Sequence[int], total: int) -> str:
    """The first ten numbers, and how many there are in all."""
    shown = ", ".join(map(str, rows[:_SHOWN_ROWS]))
    return shown if total <= _SHOWN_ROWS else f"{shown}, ... ({total} in all)"


def _value(text: str) -> Fraction | None:
    """The exact value of a decimal, or None."""
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return Fraction(number) if number.is_finite() and abs(number.adjusted()) < 400 else None
