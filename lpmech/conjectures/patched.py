"""Sympy as a user's file sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import sympy as sp

from lpmech.prove.traced import Traced
from lpmech.statements.recording import Recorded

__all__ = ["as_users_see_sympy"]


@contextmanager
def as_users_see_sympy() -> Iterator[None]:
    """Sympy while a user's file runs: numbers that are followed may go in, and 1/0 raises."""
    with _functions_of_followed(), _divisions_by_zero_raised():
        yield


@contextmanager
def _functions_of_followed() -> Iterator[None]:
    """Let functions of sympy, as a user's file imports them, take numbers that are traced or recorded."""
    half = sp.Rational(1, 2)
    of_both: dict[str, Callable[..., Any]] = {
        "sqrt": lambda x: x**half, "Abs": abs, "Min": lambda *v: min(v), "Max": lambda *v: max(v),
    }  # fmt: skip
    of_recorded: dict[str, Callable[..., Any]] = {
        **of_both, "sqrt": Recorded.sqrt, "exp": Recorded.exp, "log": Recorded.log, "floor": Recorded.floor,
        "ceiling": Recorded.ceil,
    }  # fmt: skip
    originals = {name: getattr(sp, name) for name in of_recorded}

    def either(name: str) -> Callable[..., Any]:
        @wraps(originals[name], updated=())
        def function(*values: Any, **options: Any) -> Any:
            kinds = {type(value) for value in values}
            if Recorded in kinds:
                return of_recorded[name](*values)
            if Traced in kinds and name in of_both:
                return of_both[name](*values)
            return originals[name](*values, **options)

        return function

    try:
        for name in of_recorded:
            setattr(sp, name, either(name))
        yield
    finally:
        for name, original in originals.items():
            setattr(sp, name, original)


@contextmanager
def _divisions_by_zero_raised() -> Iterator[None]:
    """Let a division of sympy's numbers by zero raise as Python's does: 1/(1/0) is not 0, and 1/0 is no number."""
    names = {
        sp.Rational: ("__truediv__", "__rtruediv__"),
        sp.Expr: ("__truediv__", "__rtruediv__", "__pow__", "__rpow__"),
    }
    originals = {(kind, name): getattr(kind, name) for kind, chosen in names.items() for name in chosen}

    def raising(original: Callable[..., Any]) -> Callable[..., Any]:
        def operation(self: Any, other: Any) -> Any:
            result = original(self, other)
            if result in (sp.zoo, sp.nan):
                raise ZeroDivisionError("division by zero")
            return result

        return operation

    try:
        for (kind, name), original in originals.items():
            setattr(kind, name, raising(original))
        yield
    finally:
        for (kind, name), original in originals.items():
            setattr(kind, name, original)
