"""Inequalities with sums by induction: one more term adds nothing negative, or less than what is kept in reserve.

That 2 - sum over i = 1..n of 1/i^2 is positive is lost by one more term; that it is at least 1/(n + 1/2) is not, and is
enough. Such a reserve g bounds all terms to come: g(n) - g(n + 1) is at least the next one. It is guessed, from the
leading coefficients of the terms or from their ratios, and what it has to satisfy is proved like anything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import sympy as sp
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from lpmech.errors import UndecidedError
from lpmech.prove.evaluate import UndefinedError, holds_at
from lpmech.prove.language import Sequent
from lpmech.prove.substitution import put_in
from lpmech.prove.sums import longer, starts

__all__ = ["by_increments"]

_INEQUALITIES = (sp.Lt, sp.Le, sp.Gt, sp.Ge)
#: Reserves that are tried, and at how many numbers an induction may start; up to there the inequality is evaluated.
_MOST_RESERVES, _STARTS = 4, 12
#: How far beyond it is first looked whether one more term takes too much.
_AHEAD = (0, 1, 10, 100)


def by_increments(statement: Sequent, obliged: Callable[[Sequent], Iterable[Sequent]]) -> Iterator[list[Sequent]]:
    """Statements that are together enough for an inequality with sums, in several ways.

    Parameters
    ----------
    statement : Sequent
    obliged : callable
        What has to be shown for the conclusion of a statement to be defined.
    """
    relation = statement.conclusion
    if not isinstance(relation, _INEQUALITIES):
        return
    side = relation.gts - relation.lts
    in_sums = set[sp.Symbol]().union(*(node.free_symbols for node in side.atoms(sp.Sum)))
    for variable, start, others, later in starts(statement, in_sums & statement.integers):
        following = longer(side, variable)
        if following is None or (added := sp.expand(following[0] - side)).has(sp.Sum):
            continue
        ranges = [later.with_conclusion(condition) for condition in following[1]]
        here = [*obliged(later.with_conclusion(relation)), *ranges]
        grows = later.with_conclusion(sp.Ge(sp.together(added), 0, evaluate=False))
        yield [others.with_conclusion(put_in(relation, {variable: start})), *here, grows]
        if side.free_symbols != {variable}:
            continue
        for reserve, first in islice(_reserves(side, added, variable, int(start)), _MOST_RESERVES):
            from_there = later.under([variable >= first])
            before = (put_in(relation, {variable: n}) for n in range(int(start), first))
            enough = relation.func(reserve, 0) if relation.gts == relation.lhs else relation.func(0, reserve)
            yield [
                *(others.with_conclusion(one) for one in before),
                others.with_conclusion(put_in(sp.Ge(side, reserve, evaluate=False), {variable: first})),
                *here,
                *obliged(from_there.with_conclusion(enough)),
                from_there.with_conclusion(enough),
                from_there.with_conclusion(_kept(added, reserve, variable)),
            ]


def _kept(added: sp.Expr, reserve: sp.Expr, n: sp.Symbol) -> Boolean:
    """That one more term takes no more than the reserve becomes smaller."""
    return sp.Ge(sp.together(added + reserve - put_in(reserve, {n: n + 1})), 0, evaluate=False)


def _reserves(side: sp.Expr, added: sp.Expr, n: sp.Symbol, start: int) -> Iterator[tuple[sp.Expr, int]]:
    """Candidates with the number from which on each may be kept: where the side is at least as large."""

    def has(reserve: sp.Expr, at: int) -> bool:
        asked = [(sp.Ge(side, reserve, evaluate=False), at)]
        asked += [(_kept(added, reserve, n), at + more) for more in _AHEAD]
        try:
            return all(holds_at(condition, {n: sp.Integer(where)}) for condition, where in asked)
        except (UndecidedError, UndefinedError):
            return False

    ratio = sp.powsimp(sp.combsimp(put_in(added, {n: n + 1}) / added))
    for at in range(start, start + _STARTS):
        falls = (fall for fall in (ratio.subs(n, at), _at_infinity(ratio, n)) if fall.is_Rational and 0 < fall < 1)
        candidates = (*_of_powers(-added, n), *(-added / (1 - fall) for fall in falls))
        yield from ((reserve, at) for reserve in candidates if has(reserve, at))


def _at_infinity(ratio: sp.Expr, n: sp.Symbol) -> sp.Expr:
    """The limit of a rational function, zero where it is none."""
    if not ratio.is_rational_function(n):
        return sp.S.Zero
    above, below = (sp.Poly(part, n) for part in sp.fraction(sp.cancel(ratio)))
    return above.LC() / below.LC() if above.degree() == below.degree() else sp.S.Zero


def _of_powers(lost: sp.Expr, n: sp.Symbol) -> Iterator[sp.Expr]:
    """What exceeds its own next value by a root of a rational function c n^-p (1 + e/n + ...), p > 1, or a little more.

    The difference of c / ((p - 1) (n + b)^(p - 1)) is c n^-p (1 - p (b + 1/2)/n + ...).
    """
    try:
        above, below = (sp.Poly(part, n) for part in sp.fraction(sp.cancel(sp.together(lost**2))))
    except PolynomialError:
        return
    order = sp.Rational(below.degree() - above.degree(), 2)
    if order <= 1:
        return
    scale = sp.sqrt(above.LC() / below.LC())
    slope = (
        sum(sign * (p.nth(p.degree() - 1) / p.LC() if p.degree() else 0) for sign, p in ((1, above), (-1, below))) / 2
    )
    shift = -slope / order - sp.Rational(1, 2)
    for by in dict.fromkeys((shift, sp.floor(shift))):
        yield scale / ((order - 1) * (n + by) ** (order - 1))
