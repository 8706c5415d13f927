"""A number that a paper prints beside the same number computed here."""

from __future__ import annotations

from typing import NamedTuple

from lpmech.entries import rational_from_text

__all__ = ["Beside"]


class Beside(NamedTuple):
    """What it is; the printed number, empty if it is only drawn; ours, with its decimals; the claim that judges it."""

    what: str
    printed: str
    ours: str
    claim: str = ""

    @property
    def difference(self) -> str:
        """Ours less the printed one; of words, whether they are the same; empty without a printed one."""
        if not self.printed:
            return ""
        printed, ours = (rational_from_text(text.removesuffix(" %")) for text in (self.printed, self.ours))
        if printed is None or ours is None:
            return "none" if self.printed == self.ours else "differs"
        return f"{float(ours - printed):+.4g}" if ours != printed else "0"
