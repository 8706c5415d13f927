"""The table of solvers by name; `lpmech.solvers` fills it, programs look solvers up in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.errors import LabelError

__all__ = ["register_solver", "solver_named"]

_SOLVERS: dict[str, Callable[[Any], Any]] = {}


def register_solver(name: str, solve: Callable[[Any], Any]) -> None:
    """Make a solver available to `Program.solve` under `name`."""
    _SOLVERS[name] = solve


def solver_named(name: str) -> Callable[[Any], Any]:
    """The solver registered under `name`.

    Raises
    ------
    LabelError
        If there is none.
    """
    if name not in _SOLVERS:
        raise LabelError("solver", name, f"one of {sorted(_SOLVERS)}")
    return _SOLVERS[name]
