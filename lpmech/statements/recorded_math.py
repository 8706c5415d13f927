"""`math` and `int` as a function sees them that is run on recorded numbers (`lpmech.statements.recording`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from lpmech.statements.numbers import is_recorded

__all__ = ["functions_of_math", "moved", "recorded_names"]

#: Functions of `math` that recorded numbers have as methods.
_METHODS = (
    "exp", "log", "sqrt", "expm1", "log1p", "exp2", "log2", "log10", "sinh", "cosh", "tanh", "comb", "factorial",
)  # fmt: skip
_ORIGINALS: dict[str, Callable[..., Any]] = {name: getattr(math, name) for name in (*_METHODS, "pow")}


def _either(name: str) -> Callable[..., Any]:
    original = _ORIGINALS[name]

    @wraps(original)
    def function(*values: Any) -> Any:
        if not any(map(is_recorded, values)):
            return original(*values)
        if name == "pow":
            return values[0] ** values[1]
        if not is_recorded(values[0]):
            values = (values[1].like(values[0]), *values[1:])
        if name == "log" and len(values) == 2:
            return _OURS["log"](values[0]) / _OURS["log"](values[1])
        return getattr(values[0], name)(*values[1:])

    return function


_OURS = {name: _either(name) for name in _ORIGINALS}


@contextmanager
def functions_of_math() -> Iterator[None]:
    """Let the functions of the module `math` take recorded numbers."""
    try:
        for name, function in _OURS.items():
            setattr(math, name, function)
        yield
    finally:
        for name, original in _ORIGINALS.items():
            setattr(math, name, original)


class _OfInt(type):
    """What `isinstance(x, int)` asks."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, int)

    def __subclasscheck__(cls, kind: Any) -> bool:
        return issubclass(kind, int)

    def __call__(cls, value: Any = 0, *base: Any) -> Any:
        return value.__trunc__() if is_recorded(value) else int(value, *base)

    def __getattr__(cls, name: str) -> Any:
        return getattr(int, name)


class _Int(metaclass=_OfInt):
    """`int` for a function that is recorded: of a recorded number it is the rounding towards zero."""


def recorded_names(function: FunctionType) -> dict[str, Any]:
    """The global names of a function, with `int`, imported parts of `math` and functions of its module as here."""
    seen = function.__globals__
    names: dict[str, Any] = {"int": _Int, **seen}
    for name, value in seen.items():
        if isinstance(value, ModuleType) and value.__name__ == "math":
            names[name] = SimpleNamespace(**{**vars(math), **_OURS})
        elif type(value) is FunctionType and value.__globals__ is seen:
            names[name] = moved(value, names)
        else:
            names[name] = next((_OURS[n] for n, original in _ORIGINALS.items() if value is original), value)
    return names


def moved(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function with other global names."""
    found = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    found.__kwdefaults__ = function.__kwdefaults__
    vars(found).update(vars(function))
    return found
