"""What was followed against the functions as they are called, at values of the parameters."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice, product
from typing import Any

from lpmech.errors import LpmechError
from lpmech.statements.domain import Domain, Parameter
from lpmech.statements.following import RaisedError
from lpmech.statements.numbers import ROUNDING, TOLERANCE, entries_of
from lpmech.statements.numeric import holds
from lpmech.statements.statement import NotFollowedError, Statement
from lpmech.terms import names_in

__all__ = ["compare", "instances_of"]

#: What rounding in a user's function may do where it is called with floats; more, and it is another function there.
_ROUNDED = 1e-6


def instances_of(domain: Domain, others: list[Parameter]) -> list[dict[str, Fraction]]:
    """Values of parameters that satisfy the hypotheses on them; of those without a list the ones that are called."""
    names = [p.name for p in others]
    if all(p.values is not None for p in others):
        every = (dict(zip(names, values, strict=True)) for values in product(*(sorted(p.values or ()) for p in others)))
        alone = [node for _, node in domain.conditions if names_in(node) <= set(names)]
        return list(islice((at for at in every if all(holds(node, at) for node in alone)), 2000))
    met = dict.fromkeys(tuple((name, point[name]) for name in names) for point in domain.points)
    return [dict(pairs) for pairs in met]


def compare(followed: list[Any], statement: Statement, at: Mapping[str, Fraction], sizes: list[float]) -> None:
    """Raise where the functions, called at a point with exact numbers or with plain ones, are not what was followed.

    Sizes are those of the terms of which the values are sums (`lpmech.statements.rounding`).
    """
    where = ", ".join(f"{name} = {value}" for name, value in at.items())
    _compare(followed, statement.at(at)[1], TOLERANCE, [ROUNDING * size for size in sizes], f"called at {where}")
    whole = {p.name for p in statement.domain.parameters if p.whole}
    plain = {name: int(value) if name in whole else float(value) for name, value in at.items()}
    try:
        called = [v for function in statement.functions for v in entries_of(function(plain))]
    except (RaisedError, LpmechError):  # made for exact numbers only
        return
    _compare(followed, called, _ROUNDED, [_ROUNDED] * len(called), f"called with floats and ints at {where}")


def _compare(followed: list[Any], called: list[Any], relative: float, absolute: list[float], how: str) -> None:
    near = [
        abs(a - b) <= relative * max(abs(a), abs(b)) + more
        for a, b, more in zip(followed, called, absolute, strict=False)
    ]
    if not all(near) or len(called) != len(followed):
        raise NotFollowedError(f"{how} it is not what was followed", 1)
