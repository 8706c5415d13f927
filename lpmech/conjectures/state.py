"""What the functions of a user's file could remember from one call to the next.

A verdict is about functions of their arguments. Everything that the functions of a file can reach and that may change
(their global names, closures, default arguments and attributes, and the containers, objects, classes and iterators in
those) is written down before the first call and compared after every call: an answer that an earlier call has prepared,
or a count of calls, has changed something.

The caches of `functools.cache`, `lru_cache` and `cached_property` may grow: they hold what a function gives for all of
its arguments, and give it again. What they hold must not change.
"""

from __future__ import annotations

import gc
import pickle
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, cached_property
from types import CellType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import sympy as sp

from lpmech.prove.traced import Traced

__all__ = ["RUN_NAME", "State"]

#: The name of the module of what a file defines.
RUN_NAME = "<conjecture>"

_Cache = type(cache(lambda: None))
#: Names in modules and classes that Python itself gives, and no file may use.
_OF_PYTHON = ("__builtins__", "__slotnames__", "__warningregistry__")
#: Equal ones of the same type are the same.
_VALUES = (int, str, bytes, float, bool, type(None), Fraction)
#: What cannot change, or is not the file's.
_FIXED = (*_VALUES, complex, sp.Basic, ModuleType)

#: A part of an object: its name if it has one of its own, and what it is.
Part = tuple[str, Any]


class State:
    """All that functions can reach and that may change, as it was when this was made.

    Parameters
    ----------
    functions : dict of str to function
        Of one file that was run; functions and classes of other files are taken as they are.
    """

    def __init__(self, functions: dict[str, Any]) -> None:
        self._known: dict[int, tuple[Any, str, list[Part]]] = {}
        self._add(functions.items())

    def changed(self) -> str | None:
        """The name of something that is no longer as it was; None if all is."""
        for value, name, before in self._known.values():
            now = _parts(value)
            if not (len(now) == len(before) and all(map(_same, before, now))):
                changed = [part for part in now if not any(_same(part, old) for old in before)]
                return next((label for label, _ in changed if label), name)
        caches = [(name, value) for value, name, _ in self._known.values() if isinstance(value, _Cache)]
        self._add((name, result) for name, value in caches for result in _results(value))
        return None

    def _add(self, found: Iterable[Part]) -> None:
        waiting = list(found)
        while waiting:
            name, value = waiting.pop()
            if id(value) not in self._known and type(value) is not Traced and not isinstance(value, _FIXED):
                parts = _parts(value)
                self._known[id(value)] = value, name, parts
                waiting += [(label or name, part) for label, part in parts]


def _same(one: Part, other: Part) -> bool:
    if one[0] != other[0]:
        return False
    equal = type(one[1]) is type(other[1]) and type(one[1]) in _VALUES and one[1] == other[1]
    return equal or one[1] is other[1]


def _parts(value: Any) -> list[Part]:
    """What an object consists of; of an object of a library, its state as bytes if it tells it."""
    match value:
        case FunctionType() if value.__globals__.get("__name__") == RUN_NAME:
            inner = (value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__)
            return [("", value.__globals__), *((value.__name__, part) for part in inner)]
        case FunctionType():
            return []
        case _Cache():
            return [("", value.__wrapped__)]
        case CellType():
            return [("", part) for part in gc.get_referents(value)]
        case MethodType():
            return [("", value.__func__), ("", value.__self__)]
        case GeneratorType():
            frame = value.gi_frame
            return [] if frame is None else [("", part) for part in (frame.f_lasti, *frame.f_locals.values())]
        case type():
            return list(_named(vars(value))) if value.__module__ == RUN_NAME else []
    parts: list[Part] = []
    if isinstance(value, dict):
        parts += [("", key) for key in value if not isinstance(key, str)] + list(_named(value))
    elif isinstance(value, (list, tuple, set, frozenset, deque)):
        parts += [("", part) for part in value]
    elif type(value).__module__ != RUN_NAME:
        state = _pickled(value)
        return [("", part) for part in (gc.get_referents(value) if state is None else [state])]
    kind = type(value)
    lazily = {name for c in kind.__mro__ for name, of_class in vars(c).items() if isinstance(of_class, cached_property)}
    parts += [(name, part) for name, part in _named(getattr(value, "__dict__", {})) if name not in lazily]
    slots = {name for c in kind.__mro__ for name in _slots(c)}
    return parts + [(name, getattr(value, name)) for name in sorted(slots) if hasattr(value, name)] + [("", kind)]


def _named(values: Any) -> Iterator[Part]:
    """A dict's values by the names that they have, but for what Python itself gives and remembers of warnings."""
    return ((k if isinstance(k, str) else "", v) for k, v in values.items() if k not in _OF_PYTHON)


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ()) if kind.__module__ == RUN_NAME else ()
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _pickled(value: Any) -> bytes | None:
    """None of what does not tell its state so; of that, what it refers to is compared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pickle.dumps(value)
    except Exception:  # the object may be of any library
        return None


def _results(cached: Any) -> Iterator[Any]:
    """What a cache holds, which only the garbage collector can see."""
    for inside in gc.get_referents(cached):
        if type(inside) is dict and inside is not cached.__dict__:
            for held in inside.values():
                yield from gc.get_referents(held) if type(held).__name__ == "_lru_list_elem" else [held]
