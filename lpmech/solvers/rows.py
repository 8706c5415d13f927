"""Work on a K x J array done in blocks of rows that fit the cache, on all cores; sums are added in a fixed order."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

__all__ = ["RowBlocks"]

_BLOCK = 1 << 16


class RowBlocks:
    """Blocks of rows of a K x J array, mapped over by threads (NumPy releases the interpreter lock).

    Parameters
    ----------
    shape : tuple of int
        (K, J).
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._rows = shape[0]
        self._cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
        self.fit(shape[1])
        workers = min(len(self.slices), self._cores)
        self._pool = ThreadPoolExecutor(workers) if workers > 1 else None

    def fit(self, columns: int) -> None:
        """Choose the blocks for rows of another length: equal ones, as many for every core."""
        rounds = -(-self._rows * columns // (_BLOCK * self._cores))
        count = 1 if self._rows * columns <= _BLOCK else self._cores * rounds
        height = -(-self._rows // count)
        self.slices = [slice(start, min(start + height, self._rows)) for start in range(0, self._rows, height)]

    def each(self, work: Callable[[slice], Any]) -> list[Any]:
        """What `work` returns for every block, in the order of the rows."""
        return list((self._pool.map if self._pool else map)(work, self.slices))

    def __enter__(self) -> RowBlocks:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._pool:
            self._pool.shutdown()
