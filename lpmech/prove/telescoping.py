"""How the sums of a relation telescope: found out when its proof is written down, as the search only needs values."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

import sympy as sp

from lpmech.prove.answers import Holds, Undecided
from lpmech.prove.language import Sequent
from lpmech.prove.records import Record
from lpmech.prove.sums import Prover, closed_form

__all__ = ["with_sums"]


class _Search(Protocol):
    def prover(self) -> Prover: ...

    def answer(self) -> Holds | Undecided: ...


def with_sums(statement: Sequent, record: Record, search: Callable[[Sequent], _Search]) -> Record:
    """What was shown of a relation; if there are sums in it, with what finds out later how they telescope.

    Parameters
    ----------
    statement : Sequent
    record : Record
    search : callable
        A new search for the proof of a statement.
    """
    given = statement.with_conclusion(sp.true)
    found = sorted(statement.conclusion.atoms(sp.Sum), key=str)
    later = tuple((node, partial(_telescoped, given, node, search)) for node in found)
    parts = () if record.how == "identity" else (record,)
    return Record("sums", statement, parts, later) if found else record


def _telescoped(
    given: Sequent, node: sp.Sum, search: Callable[[Sequent], _Search]
) -> tuple[sp.Expr, sp.Symbol, Record] | None:
    """G(k) and k with f(k) = G(k + 1) - G(k) for the terms f of a sum, and the proof of that; None if it has none."""
    (index, lower, upper), *more = node.limits
    k = sp.Dummy(index.name, integer=True)
    before = node.func(node.function, (index, lower, k - 1))
    total = None if more else closed_form(before, search(given.under([k >= lower], [k])).prover())
    if total is None or total.has(sp.Sum, sp.Product):
        return None
    term = sp.Eq(node.function.subs(index, k), total.subs(k, k + 1) - total, evaluate=False)
    shown = search(given.under([lower <= k, k <= upper], [k]).with_conclusion(term)).answer()
    return (total, k, shown.record) if isinstance(shown, Holds) and shown.record is not None else None
