"""Rows of a file chosen at random, and known again by a seed."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lpmech.budgets import amount_of, require
from lpmech.entries import Array

__all__ = ["RowChoice"]


@dataclass(frozen=True)
class RowChoice:
    """Rows drawn for noisy counts, without regard to their labels; which ones follows from a seed.

    Attributes
    ----------
    seed : str
        128 bits in hexadecimal.
    share : str
        Probability that a row is chosen, a decimal or a quotient.
    """

    seed: str
    share: str

    @classmethod
    def draw(cls, share: str) -> RowChoice:
        """A new choice by the operating system's entropy.

        Raises
        ------
        ReleaseError
            If the share is not strictly between 0 and 1.
        """
        require(0 < amount_of(share) < 1, "share", share, "a decimal strictly between 0 and 1")
        return cls(os.urandom(16).hex(), share)

    def masks(self) -> Callable[[int], Array]:
        """A function that says of the next so many rows which are chosen, as truth values."""
        source = np.random.Philox(key=int(self.seed, 16))
        threshold = np.uint64(min(int(amount_of(self.share) * 2**64), 2**64 - 1))
        return lambda count: source.random_raw(count) < threshold
