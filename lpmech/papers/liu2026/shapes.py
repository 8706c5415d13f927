"""Shapes that claims and checks of this paper have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from lpmech.claims import Instance, Parts, Relations, each
from lpmech.claims.checking import iff
from lpmech.prove import Holds, prove
from lpmech.prove.arithmetic import OPPOSITE
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome, refuted

#: What a check of `exactly` says of a case: how it compares, or whether something holds, in words.
Judged = Instance | tuple[bool, str]


def decides(arguments: Sequence[Any], fact: Any, what: str, words: str = "condition") -> Callable[[Any], Relations]:
    """The check that a condition holds iff the fact does."""
    return lambda condition: iff(condition(*arguments), fact, what, words)


def ordered(relation: Any) -> Iterator[Outcome]:
    """Nothing if the relation is <, = or >; else that it is none: one that two of them satisfy says less than what holds."""
    (u, v), (w, z) = tm.symbols("u v"), tm.symbols("w z")
    same = tm.Or(tm.And(u < v, w < z), tm.And(tm.Eq(u, v), tm.Eq(w, z)), tm.And(u > v, w > z))
    if not isinstance(prove(tm.Implies(tm.And(relation(u, v), relation(w, z)), same), []), Holds):
        yield refuted("comparison", "no order", "the relation is none of <, = and >")


def compares(pairs: Mapping[str, tuple[Any, Any]]) -> Callable[[Any], Parts]:
    """The check how the sides of each pair compare."""

    def check(relation: Any) -> Parts:
        yield from ordered(relation)
        yield from ((name, relation(*pairs[name])) for name in each("comparison", pairs))

    return check


def exactly(cases: Iterable[Any]) -> Callable[[Callable[[Any], Judged]], Callable[[Any], Parts]]:
    """The check that a function, which says whether and how, holds in exactly those cases that the formula contains.

    It is asked in these cases, and in others that the formula adds.
    """
    known = tuple(cases)

    def made(judge: Callable[[Any], Judged]) -> Callable[[Any], Parts]:
        @wraps(judge)
        def check(chosen: Any) -> Parts:
            for case in dict.fromkeys((*known, *chosen)):
                found, here = judge(case), case in chosen
                if isinstance(found, Instance):
                    yield found if here else replace(found, relation=OPPOSITE[found.relation])
                else:
                    yield found[0] == here or found[1]

        return check

    return made
