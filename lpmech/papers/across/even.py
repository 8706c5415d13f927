"""Numbers spread evenly where a mechanism asks for random ones: what it draws from them shows its law without chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from lpmech.entries import Array

__all__ = ["DRAWS", "Even"]

#: Two Fibonacci numbers: the points (i / DRAWS, i STEP / DRAWS mod 1) fill the square evenly.
DRAWS, STEP = 987, 610


class Even(np.random.Generator):
    """Stands for uniform numbers, DRAWS at a time, twice: the first are in order, the second independent of them."""

    def __init__(self) -> None:
        super().__init__(np.random.PCG64(0))
        self._left = [1, STEP]

    def random(self, size: Any = None, *others: Any, **named: Any) -> Array:  # type: ignore[override]
        """The next DRAWS numbers; a third time there are none."""
        return (np.arange(DRAWS) * self._left.pop(0) % DRAWS + 0.5) / DRAWS
