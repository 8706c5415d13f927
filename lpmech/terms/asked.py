"""What a function asks of a letter besides arithmetic: whether two are written alike, its hash, its text, a number.

``{53: a}.get(K, b)``, ``K in (53,)``, ``str(K) != "53"`` and ``int(K)`` have one answer for a letter and others for
numbers: what a function makes of such an answer says nothing about the numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["ask", "questions"]

#: Rooms that ask how terms are written, and make nothing of it that numbers would not have.
_OWN = ("lpmech.terms", "lpmech.prove", "lpmech.statements", "lpmech.mathematics", "sympy", "dataclasses")

_noted: list[list[str]] = []


@contextmanager
def questions() -> Iterator[list[str]]:
    """What functions that run inside the block ask of terms."""
    asked: list[str] = []
    _noted.append(asked)
    try:
        yield asked
    finally:
        _noted.pop()


def ask(what: str) -> None:
    """Note a question, if the one who asks the caller is no room of the engine's."""
    if _noted and not sys._getframe(2).f_globals.get("__name__", "").startswith(_OWN):
        _noted[-1].append(what)
