"""The papers and their claims, in the papers' own order."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from lpmech.errors import LabelError

if TYPE_CHECKING:
    from lpmech.papers.claims import Paper

__all__ = ["PAPER_KEYS", "load_paper"]

#: Keys of the papers whose claims are covered, in order of publication, and of the questions across them.
PAPER_KEYS = ("ghazi2021", "zhang2025", "zheng2025", "liu2026", "zhao2025", "across")


def load_paper(key: str) -> Paper:
    """The paper with this key; its module is imported when first asked for.

    Raises
    ------
    LabelError
        If there is no such paper.
    """
    if key not in PAPER_KEYS:
        raise LabelError("paper", key, f"one of {', '.join(PAPER_KEYS)}")
    paper: Paper = import_module(f"lpmech.papers.{key}").PAPER
    return paper
