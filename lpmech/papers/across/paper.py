"""The collection of questions that no single paper asks."""

from __future__ import annotations

from lpmech.claims import Paper

PAPER = Paper("across", "Questions across the papers: mechanisms under one another's utilities (across)", kind="ours")
