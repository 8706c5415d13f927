"""Sympy as a user's file sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import sympy as sp

from lpmech.prove.traced import Traced

__all__ = ["as_users_see_sympy"]


@contextmanager
def as_users_see_sympy() -> Iterator[None]:
    """Sympy while a user's file runs: numbers that are followed may go in, and 1/0 raises."""
    with _roots_of_traced(), _divisions_by_zero_raised():
        yield


@contextmanager
def _roots_of_traced() -> Iterator[None]:
    """Let sympy's sqrt, Abs, Min and Max, as a user's file imports them, take the numbers of `lpmech.prove.tracing`."""
    half = sp.Rational(1, 2)
    ours = {
        "sqrt": lambda x: x**half,
        "Abs": abs,
        "Min": lambda *values: min(values),
        "Max": lambda *values: max(values),
    }
    originals = {name: getattr(sp, name) for name in ours}

    def either(name: str) -> Callable[..., Any]:
        @wraps(originals[name], updated=())
        def function(*values: Any, **options: Any) -> Any:
            if any(isinstance(v, Traced) for v in values):
                return ours[name](*values)
            return originals[name](*values, **options)

        return function

    try:
        for name in ours:
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
