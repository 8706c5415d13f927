"""What a design is about to cost."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

__all__ = ["Cost", "estimated_cost"]

#: Seconds and bytes for each entry of the matrix, measured with 1000 labels.
_SECONDS, _BYTES = 2e-5, 1500


@dataclass(frozen=True)
class Cost:
    """What a design is about to cost: seconds, and bytes of memory beside those of the machine."""

    seconds: float
    memory: float
    available: float

    @property
    def text(self) -> str:
        """The time for people."""
        units = (("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
        name, unit = next((name, unit) for name, unit in units if self.seconds >= unit or unit == 1)
        return f"{self.seconds / unit:.0f} {name}"


def estimated_cost(size: int) -> Cost:
    """Time and memory of `design` for that many labels, extrapolated from 1000: both grow with the matrix."""
    available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else math.inf
    return Cost(_SECONDS * size**2, _BYTES * size**2, available)
