"""What upper rooms offer to programs: solvers by name (from `lpmech.solvers`) and the certifier (`lpmech.certify`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lpmech.errors import LabelError

__all__ = ["register_solver", "solver_named", "register_certifier", "certifier"]

_SOLVERS: dict[str, Callable[[Any], Any]] = {}
_CERTIFIERS: list[Callable[[Any], Any]] = []


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


def register_certifier(certify: Callable[[Any], Any]) -> None:
    """Set the function behind `Solution.certificate`."""
    _CERTIFIERS[:] = [certify]


def certifier() -> Callable[[Any], Any]:
    """The function that makes the certificate of a solution."""
    return _CERTIFIERS[0]
