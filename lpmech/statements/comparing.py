"""What was followed against the functions as they are called, at values of the parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lpmech.errors import LpmechError
from lpmech.statements.following import RaisedError
from lpmech.statements.numbers import ROUNDING, TOLERANCE
from lpmech.statements.statement import NotFollowedError, Statement
from lpmech.statements.witness import Witness

__all__ = ["as_plain", "compare"]

#: What rounding in a user's function may do where it is called with floats; more, and it is another function there.
_ROUNDED = 1e-6


def compare(followed: list[Any], statement: Statement, at: Mapping[str, Any], sizes: list[float]) -> None:
    """Raise where the functions, called at a point with exact numbers or with plain ones, are not what was followed.

    Sizes are those of the terms of which the values are sums (`lpmech.statements.rounding`).
    """
    where = Witness(at, "").where
    _compare(followed, statement.values(at), TOLERANCE, [ROUNDING * size for size in sizes], f"called at {where}")
    as_plain(followed, statement, at)


def as_plain(values: list[Any], statement: Statement, at: Mapping[str, Any]) -> None:
    """Raise where the functions, called at a point with floats and ints, have other values than these."""
    whole = {p.name for p in statement.domain.parameters if p.whole}
    try:
        plain = {name: int(v) if name in whole else v if type(v) is tuple else float(v) for name, v in at.items()}
        called = statement.values(plain)
        told = f"called with floats and ints at {Witness(at, '').where}"
        _compare(values, called, _ROUNDED, [_ROUNDED] * len(called), told)
    except (RaisedError, LpmechError, OverflowError):  # made for exact numbers only
        return


def _compare(followed: list[Any], called: list[Any], relative: float, absolute: list[float], how: str) -> None:
    near = [
        abs(a - b) <= relative * max(abs(a), abs(b)) + more
        for a, b, more in zip(map(float, followed), map(float, called), absolute, strict=False)
    ]
    if not all(near) or len(called) != len(followed):
        raise NotFollowedError(f"{how} it is not what was followed", 1)
