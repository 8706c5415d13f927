"""Which public functions of the library a check calls: seen while it runs, not declared."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

__all__ = ["exercised"]

#: The rooms that claims are about.
ROOMS = ("mechanisms", "programs", "utilities", "applications", "certify", "channel")


@contextmanager
def exercised() -> Iterator[list[str]]:
    """The functions of `ROOMS` called inside the block by code outside of them, ``"module.function"``, by name.

    The list is filled when the block ends. A function counts that has no underscore and is defined at the top of its
    module, or a class whose constructor is called.
    """
    found: set[str] = set()
    names: list[str] = []
    before = sys.getprofile()

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not _is_of_a_room(module := frame.f_globals.get("__name__", "")):
            return
        caller = frame.f_back
        if caller is not None and not _is_of_a_room(caller.f_globals.get("__name__", "")):
            name = frame.f_code.co_qualname.removesuffix(".__init__")
            if "." not in name and not name.startswith(("_", "<")):
                found.add(f"{module}.{name}")

    sys.setprofile(look)
    try:
        yield names
    finally:
        sys.setprofile(before)
        names += sorted(found)


@cache
def _is_of_a_room(module: str) -> bool:
    return module.startswith("lpmech.") and module.split(".")[1] in ROOMS
