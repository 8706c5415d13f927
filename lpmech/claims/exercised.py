"""Which public functions of the library a check uses: read off the code of the check, and of what it calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from lpmech.files.reached import codes_of, held

__all__ = ["ROOMS", "exercised"]

#: The rooms that claims are about.
ROOMS = ("mechanisms", "programs", "utilities", "applications", "certify", "channel")


def exercised(*parts: Any) -> list[str]:
    """The functions of `ROOMS` that code outside of them names, ``"module.function"``, sorted.

    Parameters
    ----------
    *parts : object
        A check and its formula: functions, and what holds functions. What they call in turn is looked through, as far
        as the rooms; a function that is named and not called counts as well.
    """
    found: set[str] = set()
    seen: set[int] = set()
    ahead: list[Any] = list(parts)
    while ahead:
        part = ahead.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if name := _public(part):
            found.add(name)
        elif not _of_a_room(part):
            ahead += [inside for _, inside in held(part)]
            ahead += _named(part) if isinstance(part, FunctionType) else ()
    return sorted(found)


def _named(function: FunctionType) -> Iterator[Any]:
    """What the names in a function of ours, or of somebody's paper, stand for."""
    home = function.__module__ or ""
    if home.startswith("lpmech.") and not home.startswith(("lpmech.papers.", "lpmech.designs.")):
        return
    if home.partition(".")[0] in sys.stdlib_module_names | {"numpy", "sympy", "scipy", "flint", "cvxpy"}:
        return
    names = {name for code in codes_of(function) for name in code.co_names}
    stand_for = [function.__globals__[name] for name in names if name in function.__globals__]
    yield from stand_for
    imported = [sys.modules[name] for name in names if name in sys.modules]  # inside of the function
    for module in (value for value in (*stand_for, *imported) if isinstance(value, ModuleType)):
        if module.__name__.startswith("lpmech."):
            yield from (vars(module)[name] for name in names if name in vars(module))


def _public(part: Any) -> str:
    """The name of a function or class of a room that people use."""
    name = getattr(part, "__qualname__", "")
    public = isinstance(part, FunctionType | type) and "." not in name and not name.startswith(("_", "<"))
    return f"{part.__module__}.{name}" if public and _of_a_room(part) else ""


def _of_a_room(part: Any) -> bool:
    home = getattr(part, "__module__", "")
    return isinstance(home, str) and home.startswith("lpmech.") and home.split(".")[1] in ROOMS
