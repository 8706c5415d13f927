"""Shapes that claims and checks of this paper have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any

import sympy as sp

from lpmech.claims import Parts, Relations, each
from lpmech.claims.checking import iff


def decides(arguments: Sequence[Any], fact: Any, what: str, words: str = "condition") -> Callable[[Any], Relations]:
    """The check that a condition holds iff the fact does."""
    return lambda condition: iff(condition(*arguments), fact, what, words)


def one_order(relation: Any) -> Relations:
    """That a relation is <, = or >: one that two of them satisfy says less than what holds."""
    (u, v), (w, z) = sp.symbols("u v"), sp.symbols("w z")
    same = sp.Or(sp.And(u < v, w < z), sp.And(sp.Eq(u, v), sp.Eq(w, z)), sp.And(u > v, w > z))
    return {"one order": sp.Implies(sp.And(relation(u, v), relation(w, z)), same, evaluate=False)}


def compares(pairs: Mapping[str, tuple[Any, Any]]) -> Callable[[Any], Relations]:
    """The check how the sides of each pair compare."""
    return lambda relation: {
        **{name: relation(*pairs[name], evaluate=False) for name in each("comparison", pairs)},
        **one_order(relation),
    }


def exactly(cases: Iterable[Any]) -> Callable[[Callable[[Any], tuple[bool, str]]], Callable[[Any], Parts]]:
    """The check that a function, which says whether and how, holds in exactly those cases that the formula contains.

    It is asked in these cases, and in others that the formula adds.
    """
    known = tuple(cases)

    def made(judge: Callable[[Any], tuple[bool, str]]) -> Callable[[Any], Parts]:
        @wraps(judge)
        def check(chosen: Any) -> Parts:
            for case in dict.fromkeys((*known, *chosen)):
                holds, words = judge(case)
                yield holds == (case in chosen) or words

        return check

    return made
