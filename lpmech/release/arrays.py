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

__all__ = ["named_like", "warn_if_released_before"]


def named_like(labels: Any, outputs: tuple[Hashable, ...]) -> Array:
    """The outputs as text, or as numbers of the dtype of the labels (floats where that cannot hold them)."""
    names = np.array(outputs, dtype=object)
    dtype = getattr(labels, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iuf":
        return names
    try:
        numbers = names.astype(np.float64)
        return numbers.astype(dtype) if np.array_equal(numbers.astype(dtype), numbers) else numbers
    except (ValueError, OverflowError):
        return names


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
