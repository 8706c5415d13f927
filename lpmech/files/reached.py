"""What a function can reach by the names in its text: for what it keeps from call to call, and asks for besides."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Collection, Iterable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

__all__ = ["codes_of", "held", "package_of", "reached"]

#: Where what is called keeps a function that it calls: `functools.cache`, numba, numpy.
_WRAPPED = ("__wrapped__", "py_func", "pyfunc")
#: The classes above a class, and what stands in it, as Python has them: nothing that a metaclass says of itself is run.
_MRO, _OWN = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__


def reached(function: Any) -> Iterator[tuple[str, Any, str]]:
    """What a function, and those that it calls by a name, reach by their closures, defaults, attributes and globals.

    Yields
    ------
    str, object, str
        Its name, what it is, and the package of the function that reaches it.
    """
    waiting: list[tuple[str, Any]] = [("", function)]
    seen: dict[int, Any] = {}  # kept, as the next object may have the place in memory of one that is gone
    while waiting:
        name, thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        found = list(_parts(thing, name))
        package = package_of(thing)
        yield from ((label, part, package) for label, part in found)
        waiting += found


def codes_of(function: Any) -> Iterator[CodeType]:
    """The code of a function and of all that is defined inside of it."""
    code = getattr(function, "__code__", None)
    waiting = [code] if isinstance(code, CodeType) else []
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [constant for constant in one.co_consts if isinstance(constant, CodeType)]


def package_of(thing: Any) -> str:
    """The package in which something is defined."""
    of_module = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
    return str(of_module or getattr(type(thing), "__module__", "")).partition(".")[0]


def _attributes(of: Any, things: Iterable[tuple[str, Any]], names: Collection[str]) -> Iterator[tuple[str, Any]]:
    """What a function takes from the modules, classes and objects of its package, by the names in its text."""
    for label, thing in things:
        owner = thing if isinstance(thing, (ModuleType, type)) else type(thing)
        if package_of(owner) == package_of(of) and not isinstance(thing, FunctionType):
            for name in sorted(names):
                found = _static(owner, name)
                part = getattr(found, "__func__", getattr(found, "fget", found))
                if part is not None:
                    yield f"{label}.{name}" if label else name, part


def _parts(thing: Any, name: str) -> Iterator[tuple[str, Any]]:
    inside = list(held(thing, name))
    if isinstance(thing, FunctionType):
        names = _names(thing)
        named = [(n, thing.__globals__[n]) for n in sorted(names) if n in thing.__globals__]
        yield from named
        yield from _attributes(thing, [*named, *inside], names)
    elif isinstance(thing, MethodType):
        yield from _attributes(thing.__func__, [("", thing.__self__)], _names(thing.__func__))
    yield from inside


def held(thing: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """What something has inside, without the names in its text: closure, defaults, what is bound, what is called.

    Yields
    ------
    str, object
        Its name and what it is; of a container what can be called, and containers.
    """
    match thing:
        case FunctionType():
            cells = zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True)
            yield from ((n, cell.cell_contents) for n, cell in cells if cell != CellType())
            yield from ((f"{thing.__name__}()", default) for default in thing.__defaults__ or ())
            yield from (thing.__kwdefaults__ or {}).items()
            yield from ((f"{thing.__name__}.{n}", part) for n, part in vars(thing).items())
        case functools.partial():
            yield from ((name, part) for part in (thing.func, *thing.args, *thing.keywords.values()))
        case MethodType():
            yield from ((name or thing.__func__.__name__, part) for part in (thing.__func__, thing.__self__))
        case _ if isinstance(_of_classes(_MRO(type(thing)), "__call__"), FunctionType):
            yield name or type(thing).__name__, thing.__call__
        case dict() | list() | tuple():
            parts = thing.values() if isinstance(thing, dict) else thing
            yield from ((name, part) for part in parts if callable(part) or isinstance(part, (dict, list, tuple)))
    kept = (_static(thing, n) for n in _WRAPPED)
    yield from ((name, part) for part in kept if isinstance(part, FunctionType))


def _static(thing: Any, name: str) -> Any:
    """`inspect.getattr_static`, or None; without its care, which takes long before every call, of what cannot lie."""
    match type(thing):
        case one if one is type:
            return _of_classes((*_MRO(thing), type), name)
        case one if one is ModuleType or one is FunctionType:
            return dict.get(thing.__dict__ or {}, name)
    return inspect.getattr_static(thing, name, None)


def _of_classes(classes: Iterable[type], name: str) -> Any:
    for own in map(_OWN, classes):
        if name in own:
            return own[name]
    return None


def _names(function: Any) -> set[str]:
    return {name for code in codes_of(function) for name in code.co_names}
