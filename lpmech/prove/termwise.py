"""Two sums over one range compared term by term: what holds of the terms at every index holds of the sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy as sp

from lpmech.prove.language import Sequent
from lpmech.prove.repeated import Sum

__all__ = ["at_each_index"]

_COMPARED = (sp.Ge, sp.Le, sp.Eq)
#: So many ways to exchange sums are tried.
_MOST_WAYS = 8


def at_each_index(statement: Sequent) -> Iterator[Sequent]:
    """Statements about the terms at one index, each of which is enough for a conclusion about sums over one range.

    The order of double sums whose ranges do not depend on each other is tried both ways. Nothing is yielded for a
    conclusion that is no such comparison. What has to be defined is not looked at here.
    """
    relation = statement.conclusion
    if not isinstance(relation, _COMPARED):
        return
    side = relation.lhs - relation.rhs if isinstance(relation, sp.Eq) else relation.gts - relation.lts
    parts = [_of_sum(part) for part in sp.Add.make_args(sp.expand(side))]
    if None in parts:
        return
    for number, way in enumerate(product(*(part for part in parts if part is not None))):
        ranges = {(lower, upper) for _, _, (_, lower, upper) in way}
        if number == _MOST_WAYS:
            return
        if len(ranges) == 1:
            own = sp.Dummy("i")
            term = sp.Add(*(factor * body.xreplace({index: own}) for factor, body, (index, _, _) in way))
            lower, upper = ranges.pop()
            inside = statement.under([lower <= own, own <= upper], [own])
            equal = isinstance(relation, sp.Eq)
            yield inside.with_conclusion((sp.Eq if equal else sp.Ge)(term, 0, evaluate=False))


#: A factor, what is summed, and the index with its range.
_Part = tuple[sp.Expr, sp.Expr, tuple[sp.Symbol, sp.Expr, sp.Expr]]


def _of_sum(part: sp.Expr) -> list[_Part] | None:
    """A multiple of a sum, in the orders in which it can be summed; None of anything else."""
    sums = [node for node in sp.Mul.make_args(part) if isinstance(node, sp.Sum)]
    if len(sums) != 1 or (found := sums[0]).function.has(sp.Sum):
        return None
    factor = sp.Mul(*(node for node in sp.Mul.make_args(part) if node is not found))
    indices = {index for index, _, _ in found.limits}
    if factor.free_symbols & indices:
        return None
    if len(found.limits) == 1:
        return [(factor, found.function, found.limits[0])]
    if len(found.limits) > 2 or any(limit[k].free_symbols & indices for limit in found.limits for k in (1, 2)):
        return None
    return [(factor, _inner(found.function, limit), other) for limit, other in (found.limits, found.limits[::-1])]


def _inner(body: sp.Expr, limit: tuple[sp.Symbol, sp.Expr, sp.Expr]) -> sp.Expr:
    """A sum, with the factors that do not depend on its index in front of it."""
    own = sp.Dummy(limit[0].name)
    outside, inside = body.xreplace({limit[0]: own}).as_independent(own, as_Add=False)
    return outside * Sum(inside, (own, limit[1], limit[2]))
