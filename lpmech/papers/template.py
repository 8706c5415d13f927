"""The paper that `lpmech new paper` writes: a Python file that runs as it is, with one claim of every kind."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["paper_named"]

_KEY = "my_paper"


def paper_named(key: str) -> str:
    """The text of the template with this key for the paper.

    Parameters
    ----------
    key : str
        A Python identifier.
    """
    return (files("lpmech.papers") / "template.txt").read_text(encoding="utf-8").replace(_KEY, key)
