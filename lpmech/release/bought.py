"""Noisy counts that were bought for a design: what they say of the true ones, below zero included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lpmech.budgets import require
from lpmech.entries import digest_of
from lpmech.priors import prior_from_counts

__all__ = ["BoughtCounts", "clipped"]

#: Counts and rows stay below, so that no file can ask for endless arithmetic.
_MOST = 10**40


@dataclass(frozen=True)
class BoughtCounts:
    """Counts with discrete Laplace noise as they were drawn: unbiased, which counts clipped at zero are not.

    Attributes
    ----------
    counts : tuple of int
        For each label; may be below zero.
    rows : int
        How many rows were counted, which is no secret: the level is for changing a label.
    """

    counts: tuple[int, ...]
    rows: int

    @classmethod
    def of_prior(cls, prior: Mapping[str, Any], size: int) -> BoughtCounts | None:
        """The noisy counts that release.json states beside the prior made of them; None if it states none.

        Raises
        ------
        ReleaseError
            If they are not such counts of so many labels, or not those of the prior.
        """
        if "counts" not in prior and "rows" not in prior:
            return None
        counts, rows = prior.get("counts"), prior.get("rows")
        whole = isinstance(counts, list) and len(counts) == size and all(_is_count(v, -_MOST) for v in counts)
        require(whole and prior.get("noisy") is True, "prior.counts", counts, f"{size} whole numbers, bought by noise")
        require(_is_count(rows, 0), "prior.rows", rows, "a whole number")
        found = cls(tuple(counts or ()), int(rows or 0))
        same = digest_of(prior_from_counts(clipped(found.counts))) == prior.get("sha256")
        require(same, "prior.counts", counts, "the counts that the prior is made of")
        return found

    def stated(self) -> dict[str, Any]:
        """What release.json states of them."""
        return {"counts": list(self.counts), "rows": self.rows}


def clipped(counts: Sequence[int]) -> tuple[int, ...]:
    """Counts without those below zero; one for each label if none is left."""
    found = tuple(max(count, 0) for count in counts)
    return found if any(found) else (1,) * len(found)


def _is_count(value: object, least: int) -> bool:
    return type(value) is int and least <= value <= _MOST
