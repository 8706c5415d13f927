"""Shapes that claims and checks of this paper have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp

from lpmech.claims import Relations

__all__ = ["iff", "decides", "equals", "one_order", "compares"]


def iff(claimed: Any, fact: Any, what: str = "fact", words: str = "condition") -> Relations:
    """Both directions of "claimed iff fact", by name."""
    return {f"{words} => {what}": sp.Implies(claimed, fact), f"{what} => {words}": sp.Implies(fact, claimed)}


def decides(arguments: Sequence[Any], fact: Any, what: str, words: str = "condition") -> Callable[[Any], Relations]:
    """The check that a condition holds iff the fact does."""
    return lambda condition: iff(condition(*arguments), fact, what, words)


def equals(arguments: Sequence[Any], **expected: Any) -> Callable[[Any], Relations]:
    """The check that the values of a formula, or of several, are those expected, by name."""

    def check(formula: Any) -> Relations:
        found = tuple(f(*arguments) for f in formula) if isinstance(formula, tuple) else formula(*arguments)
        pairs = zip(found if isinstance(found, tuple) else (found,), expected.values(), strict=True)
        return dict(zip(expected, pairs, strict=True))

    return check


def one_order(relation: Any) -> Relations:
    """That a relation is <, = or >: one that two of them satisfy says less than what holds."""
    (u, v), (w, z) = sp.symbols("u v"), sp.symbols("w z")
    same = sp.Or(sp.And(u < v, w < z), sp.And(sp.Eq(u, v), sp.Eq(w, z)), sp.And(u > v, w > z))
    return {"one order": sp.Implies(sp.And(relation(u, v), relation(w, z)), same, evaluate=False)}


def compares(pairs: Mapping[str, tuple[Any, Any]]) -> Callable[[Any], Relations]:
    """The check how the sides of each pair compare."""
    return lambda relation: {
        **{name: relation(*pair, evaluate=False) for name, pair in pairs.items()},
        **one_order(relation),
    }
