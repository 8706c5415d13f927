"""The papers and their claims, in the papers' own order; and papers of anybody else's, by their file."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.errors import LabelError
from lpmech.papers.bibliography import PAPERS

if TYPE_CHECKING:
    from lpmech.claims import Paper

__all__ = ["PAPER_KEYS", "described_paper", "load_paper", "nearest", "paper_reference"]

#: Keys of the papers whose claims are covered, in order of publication, and of the questions across them.
PAPER_KEYS = PAPERS.keys()


def paper_reference(name: str) -> str:
    """What names a paper in every process: the key of one of ours, or the absolute path of anybody's.

    Parameters
    ----------
    name : str
        A key, a Python file, or the directory of a package.

    Raises
    ------
    LabelError
        If it is neither a key nor a path that exists.
    """
    if name in PAPER_KEYS:
        return name
    path = Path(name)
    if path.exists():
        return str(path.resolve())
    if path.suffix == ".py" or os.sep in name:
        raise LabelError("paper", name, "a Python file, or the directory of a package, that exists")
    allowed = f"one of {', '.join(PAPER_KEYS)}, or a Python file or package"
    raise LabelError("paper", name, allowed + nearest(name, PAPER_KEYS))


def load_paper(name: str) -> Paper:
    """The paper with this key or in this file or package; it is imported when first asked for.

    Parameters
    ----------
    name : str
        As for `paper_reference`.

    Raises
    ------
    LabelError
        If there is no such paper.
    DataFileError
        If a file does not run or does not define exactly one paper, with claims, as ``PAPER``.
    """
    reference = paper_reference(name)
    if reference in PAPER_KEYS:
        paper: Paper = import_module(f"lpmech.papers.{reference}").PAPER
        return paper
    from lpmech.papers.outside import paper_at

    return paper_at(Path(reference))


def described_paper(name: str) -> Paper:
    """`load_paper`, but that a paper of anybody else's is loaded in a process of its own, and comes without its code.

    Parameters
    ----------
    name : str
        As for `paper_reference`.

    Raises
    ------
    LabelError, DataFileError, RefusedError
        As for `load_paper`.
    """
    reference = paper_reference(name)
    if reference in PAPER_KEYS:
        return load_paper(reference)
    from lpmech.papers.outside import paper_described

    return paper_described(Path(reference))


def nearest(name: str, names: Iterable[str]) -> str:
    """'; nearest: ...' for messages about a name that is not among the names; empty if none is near."""
    by_lower = {known.lower(): known for known in names}
    near = [by_lower[found] for found in get_close_matches(name.lower(), by_lower, n=3, cutoff=0.4)]
    return f"; nearest: {', '.join(map(repr, near))}" if near else ""
