"""Channel and dual of a part, entry by entry: what attains the value, and the multipliers by which nothing exceeds it.

A channel is a formula for Pr[j | i]. A dual is one for pi_i, a multiplier for each true label. With
w(i, j) = p_i u(i, j) it proves by weak duality that no channel has more than the sum of all pi_i, if for every released
label j sum_i (w(i, j) - pi_i) + (t - 1) sum_i max(w(i, j) - pi_i, 0) <= 0.
Both are checked exactly wherever the value is compared, and beside both ends of each piece, a dual at every t of each
piece (`lpmech.discovery.on_pieces`): nothing is taken from the proof of the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from lpmech.discovery.on_pieces import wrong_on_piece
from lpmech.discovery.parts import Part, Samples
from lpmech.entries import Array
from lpmech.programs.optimality import dual_excess
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.rational_functions import as_rational
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.terms import ONE, TRUE, ZERO, Apply, Choice, Name, Node, names_in
from lpmech.terms.functions import And, Eq, Ge, Le

__all__ = ["of_hits", "on_windows", "refused", "shared"]

Letters = Mapping[str, Any]

_K, _T, _I, _J = map(Name, ("K", "t", "i", "j"))
#: Letters of a channel and of a dual that stand for something else at each label.
_OF_LABELS = frozenset({"i", "j", "u_ij", "p_i"})


def on_windows(inside: Node, members: Any, outputs: Node = _K) -> Node:
    """The channel with t times the probability of the rest where the condition holds.

    Parameters
    ----------
    inside : term
        Condition on i and j, or on u_ij, the utility of releasing j in place of i.
    members : term
        In how many of K rows of a column it holds.
    outputs : term
        Number of released labels.
    """
    below = _T + _K - 1 if members == ONE else members * _T + _K - members
    high, low = (_T / below, 1 / below) if outputs == _K else (_K * _T / (outputs * below), _K / (outputs * below))
    return Choice(((high, inside), (low, TRUE)))


def shared(value: Node) -> Node:
    """The dual that is the same for every label."""
    match value:
        case Apply("/", (above, below)):
            return above / (_K * below)
    return value / _K


def of_hits(size: Node, prior: Node, value: Node, turned: bool = False) -> tuple[Node, Node]:
    """RRTop-k and its dual for the hit rate.

    Parameters
    ----------
    size : term
        The number k of labels that are released: 1, k or K.
    prior : term
        In i.
    value : term
        The hit rate.
    turned : bool
        Whether the last k labels are released, not the first.
    """
    if size == ONE:
        only = _K if turned else ONE
        return Choice(((ONE, Eq(_J, only)), (ZERO, TRUE))), Choice(((value, Eq(_I, only)), (ZERO, TRUE)))
    i_in, j_in = (TRUE if size == _K else Ge(x, _K + 1 - size) if turned else Le(x, size) for x in (_I, _J))
    cases = prior.cases if isinstance(prior, Choice) else ((prior, TRUE),)
    duals = [((_T * p - value) / (_T - 1), _both(condition, i_in)) for p, condition in cases]
    dual = duals[0][0] if duals[0][1] == TRUE else Choice((*duals, *([] if size == _K else [(ZERO, TRUE)])))
    if size == _K:
        return on_windows(Eq(_I, _J), ONE), dual
    below = _T + size - 1
    entries = (_T / below, And(i_in, Eq(_I, _J))), (1 / below, And(i_in, j_in)), (1 / size, j_in), (ZERO, TRUE)
    return Choice(entries), dual


def _both(one: Node, other: Node) -> Node:
    conditions = [condition for condition in (one, other) if condition != TRUE]
    return And(*conditions) if len(conditions) > 1 else next(iter(conditions), TRUE)


def refused(part: Part, samples: Samples) -> dict[str, str]:
    """Why its channel or its dual is none, by name: at the first point at which it shows.

    Both are looked at where the value is compared and beside the ends of each piece; a dual that nothing refuses there
    is looked at for all t of each piece, if it is a rational function of t.
    """
    found: dict[str, str] = {}
    for at in samples.instances() if part.witnesses else ():
        utility, prior = samples.problem(at)
        for t, best in samples.points(at, to_the_ends=True):
            here = {**at, "t": t}
            if len(found) == len(part.witnesses) or not part.covers(here):
                continue
            letters = part.best_letters(here, best, prior)
            for name, node in part.witnesses:
                wrong = _wrong_channel if name == "channel" else _wrong_dual
                if name not in found and (why := wrong(node, letters, utility, prior, best)):
                    found[name] = f"{_told(here)}: {why}"
    if part.dual is not None and "dual" not in found and (why := _wrong_between(part, part.dual, samples)):
        found["dual"] = why
    return found


def _wrong_between(part: Part, dual: Node, samples: Samples) -> str:
    """Why it is no dual somewhere in a piece, of which the part says something at both ends and between."""
    for at in samples.instances():
        utility, prior = samples.problem(at)
        pieces, points = samples.pieces(at), samples.points(at, to_the_ends=True)
        each = len(points) // len(pieces)
        for place, piece in enumerate(pieces):
            own = points[each * place : each * (place + 1)]
            if not all(part.covers({**at, "t": t}) for t, _ in own):
                continue
            letters = part.best_letters({**at, "t": own[0][0]}, own[0][1], prior)
            del letters["t"]
            rows = [{**letters, "i": sp.Integer(i), "p_i": as_rational(p)} for i, p in enumerate(prior, start=1)]
            with suppress(UndefinedError):  # no rational function of t
                if why := wrong_on_piece(dual, rows, prior[:, None] * utility, *piece):
                    return f"{_told(at)}: {why}"
    return ""


def _told(at: Letters) -> str:
    return ", ".join(f"{name} = {value}" for name, value in at.items())


def _wrong_channel(channel: Node, letters: Letters, utility: Array, prior: Array, best: Fraction) -> str:
    """Why it is no private channel with this value; empty if it is."""
    rows, columns = utility.shape
    at = (
        {"i": sp.Integer(i + 1), "j": sp.Integer(j + 1), "u_ij": as_rational(utility[i, j])}
        for i, j in product(range(rows), range(columns))
    )
    try:
        q = np.array(list(_values(channel, letters, at)), dtype=object).reshape(rows, columns)
    except (UndefinedError, ZeroDivisionError) as exc:
        return f"an entry of the channel is not defined ({exc})"
    for i, mass in enumerate(q.sum(axis=1), start=1):
        if mass != 1:
            return f"row {i} of the channel sums to {mass}"
    if q.min() < 0:
        return f"an entry of the channel is {q.min()}"
    for j, (least, most) in enumerate(zip(q.min(axis=0), q.max(axis=0), strict=True), start=1):
        if most > fraction_of(letters["t"]) * least:
            return f"column {j} of the channel has {most} and {least}"
    value = (prior[:, None] * utility * q).sum()
    return "" if value == best else f"the channel's value is {value}, the optimum {best}"


def _wrong_dual(dual: Node, letters: Letters, utility: Array, prior: Array, best: Fraction) -> str:
    """Why it does not prove the value; empty if it does."""
    at = ({"i": sp.Integer(i), "p_i": as_rational(p)} for i, p in enumerate(prior, start=1))
    try:
        pi = np.array(list(_values(dual, letters, at)), dtype=object)
    except (UndefinedError, ZeroDivisionError) as exc:
        return f"an entry of the dual is not defined ({exc})"
    if pi.sum() != best:
        return f"the dual sums to {pi.sum()}, the optimum is {best}"
    excess = dual_excess(prior[:, None] * utility, fraction_of(letters["t"]), pi, {})
    worst = int(excess.argmax())
    return "" if excess[worst] <= 0 else f"the dual's constraint of released label {worst + 1} is exceeded"


def _values(node: Node, letters: Letters, at: Iterable[Letters]) -> Iterator[Fraction]:
    """A formula at labels; what does not depend on them is computed once."""
    known: dict[int, Fraction] = {}

    def value(node: Node, here: Letters) -> Fraction:
        if isinstance(node, Choice):
            case = next((case for case, condition in node.cases if numeric(condition, here)), None)
            if case is None:
                raise UndefinedError("no case applies")
            return value(case, here)
        if id(node) not in known:
            found = fraction_of(numeric(node, here))
            if names_in(node) & _OF_LABELS:
                return found
            known[id(node)] = found
        return known[id(node)]

    return (value(node, {**letters, **one}) for one in at)
