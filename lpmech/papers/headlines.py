"""Which claims of a paper a reader should see first."""

from __future__ import annotations

from collections.abc import Sequence

from lpmech.claims import Consequence
from lpmech.papers.running import ClaimResult

__all__ = ["MOST", "gravest"]

#: The most headlines that a paper gets.
MOST = 7


def gravest(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    """The claims that are headlines: the gravest consequence first, then as their numbers say."""
    order = {None: len(Consequence)} | {c: i for i, c in enumerate(Consequence)}
    marked = [r for r in results if r.claim.headline is not None]
    return sorted(marked, key=lambda r: (order[r.claim.consequence], r.claim.headline))[:MOST]
