"""Released labels of arrays and series: their dtype, and a warning where the same labels are released again."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.budgets import amount_text
from lpmech.entries import Array
from lpmech.errors import PrivacyWarning

__all__ = ["typed_like", "warn_if_released_before"]


def typed_like(labels: Any, released: Array, outputs: tuple[Hashable, ...]) -> Array:
    """Released texts, or numbers of the dtype of the labels (floats where that cannot hold the outputs)."""
    dtype = getattr(labels, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iuf":
        return released
    try:
        numbers = np.array(outputs, dtype=object).astype(np.float64)
    except (ValueError, OverflowError):
        return released
    with np.errstate(invalid="ignore"):
        held = np.array_equal(numbers.astype(dtype), numbers)
    return released.astype(np.float64).astype(dtype if held else np.float64)


#: What this process has spent on labels, by their digest.
_SPENT: dict[bytes, Fraction] = {}


def warn_if_released_before(codes: Array, labels: Any, epsilon: Fraction) -> None:
    """Warn of labels, known by their positions and the index of a series, on which this process has spent before."""
    index = np.asarray(labels.index) if hasattr(labels, "iloc") else np.empty(0)
    digest = hashlib.sha256(codes.tobytes() + repr(index.tolist()).encode()).digest()
    before = _SPENT.get(digest, Fraction(0))
    _SPENT[digest] = before + epsilon
    if before:
        warnings.warn(
            f"these {codes.size} labels were released before in this process: "
            f"if they are the same people's, they have cost epsilon = {amount_text(before + epsilon)} by now",
            PrivacyWarning,
            stacklevel=3,
        )
