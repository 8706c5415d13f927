"""What a design is about to cost."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass

__all__ = ["Cost", "estimated_cost"]

#: Seconds and bytes for each entry of the matrix, measured with 300 to 3000 labels; with a floor for the hit rates the
#: second. Quotients of many digits take longer. Bytes of the program itself.
_MEASURED = {
    "hit": ((8e-6, 220), (2.1e-5, 420)),
    "count": ((1e-5, 150), (1e-5, 150)),
    "weights": ((3e-5, 740), (5.8e-5, 1900)),
    "tanimoto": ((9.5e-5, 710), (1.6e-4, 1100)),
}
_OTHERS = ((1.2e-5, 370), (4.3e-5, 420))
_ITSELF = 1.2e8


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


def estimated_cost(size: int, utility: str = "", floor: bool = False, designs: int = 1) -> Cost:
    """Time and memory of `design`, extrapolated from some sizes: both grow with the matrix.

    Parameters
    ----------
    size : int
        Number of labels.
    utility : str
        Its name, or ``"count"``; hits and counting take less than others.
    floor : bool
        Whether every label is to keep a hit rate, which takes a second and harder program.
    designs : int
        How many designs are made one after the other.
    """
    seconds, memory = _MEASURED.get(utility, _OTHERS)[floor]
    available = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else math.inf
    return Cost(designs * seconds * size**2, _ITSELF + memory * size**2, available)
