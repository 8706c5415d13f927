"""When randomised response is optimal: an "if and only if" for every utility and prior.

Lemma. Write w(i, j) = p_i u(i, j), C_y for the sum of column y of w, and V for the value of randomised response, the
sum of all C_y + (t-1) w(y, y) over K + t - 1. At t > 1 it is optimal if and only if for all y != j
R(y, j) = C_y + (t-1) (w(y, y) - w(y, j)) - V >= 0.

Proof. All columns of its channel are used, an entry beside the diagonal has the least probability of its column, one on
it the largest. By complementary slackness a dual pi proves it optimal exactly if w(y, j) <= pi_y for y != j and
sum_y (w(y, j) - pi_y) + (t-1) (w(j, j) - pi_j) = 0 for all j. Summed over j, these give sum_y pi_y = V; so
(t-1) pi_j = C_j + (t-1) w(j, j) - V is the only solution, and w(y, j) <= pi_y is R(y, j) >= 0. That w(j, j) >= pi_j
follows from the equation, as its other terms are at most 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import sympy as sp

from lpmech.discovery.closed import in_terms, square_root, through
from lpmech.discovery.family import Family
from lpmech.discovery.lemmas import of_response
from lpmech.discovery.parts import Part, Samples, Shown
from lpmech.discovery.witnesses import on_windows
from lpmech.programs.solvers.parametric import T
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import evaluated, in_sympy
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.terms import ONE, TRUE, Apply, Name, Node, substituted
from lpmech.terms.functions import Eq, Ge, Implies, Ne, Whole

__all__ = ["response"]

_K, _T, _Y, _I, _J, _M = map(Name, ("K", "t", "y", "i", "j", "m"))
#: Places in which a closed form is looked for, and the pairs that may decide, counted from either end.
_SIZES = range(2, 9)


def response(family: Family, samples: Samples, shown: Shown) -> list[Part]:
    """Randomised response and where it is optimal, proved for all K and t; empty where that is not found.

    Parameters
    ----------
    family : Family
        Its sums are polynomials in the label over a denominator in K.
    samples : Samples
        Tells which pair of labels decides.
    shown : Shown
    """
    if family.prior is None or not isinstance(family.utility, Node) or family.domain.own:
        return []
    if not _is_last(family, samples):
        return []
    if not _is_prior(family, shown):
        return []
    column = _closed(family, shown, _w(family, _M, _Y), "y")
    if column is None:
        return []
    every = _closed(family, shown, substituted(column, {"y": _M}), None)
    diagonal = _closed(family, shown, _w(family, _M, _M), None)
    if every is None or diagonal is None:
        return []
    value = in_terms((in_sympy(every) + (sp.Symbol("t") - 1) * in_sympy(diagonal)) / in_sympy(_K + _T - 1))

    def excess(y: Node, j: Node) -> Node:
        own = substituted(column, {"y": y})
        return own + (_T - 1) * (_w(family, y, y) - _w(family, y, j)) - value

    pair = _deciding(family, samples)
    if pair is None:
        return []
    decides = excess(*pair) >= 0
    labels = (Whole(_Y, _J), _Y >= 1, _J >= 1, _Y <= _K, _J <= _K, Ne(_Y, _J))
    others = excess(_Y, _J)
    if not (shown.shows(others >= excess(*pair), *labels) or shown.shows(Implies(decides, others >= 0), *labels)):
        return []
    end = _end(evaluated(excess(*pair)), shown)
    if end is None:
        return []
    always = shown.shows(end <= 1)
    when = TRUE if always else Ge(_T, end)
    own = substituted(column, {"y": _I}) + (_T - 1) * _w(family, _I, _I) - value
    dual = in_terms(evaluated(own / (_T - 1)))
    part = Part(value, when, attained="randomised response", channel=on_windows(Eq(_I, _J), ONE), dual=dual)
    return [shown.proved(replace(part, exactly=not always), of_response)]


def _end(excess: sp.Expr, shown: Shown) -> Node | None:
    """The t from which an expression is at least 0: above a positive denominator a parabola that is not above 0 at 1.

    A parabola open above, or a rising line, that is at most 0 at t = 1 is at least 0 at a t > 1 if and only if t is at
    least its larger root.
    """
    t = sp.Symbol("t")
    above, below = sp.fraction(sp.together(excess))
    if not (sp.cancel(above / below - excess) == 0 and shown.shows(in_terms(below) > 0)):
        return None
    curve = sp.Poly(sp.expand(above), t)
    if curve.degree() not in (1, 2) or not shown.shows(in_terms(curve.LC()) > 0):
        return None
    if not shown.shows(in_terms(curve.eval(1)) <= 0):
        return None
    if curve.degree() == 1:
        return in_terms(-curve.TC() / curve.LC())
    a, b, c = curve.all_coeffs()
    root = square_root((b**2 - 4 * a * c) / (4 * a**2), shown.copy().shows)
    if isinstance(root, Apply) and root.operation == "sqrt":
        return in_terms(-b / (2 * a)) + root
    return in_terms(-b / (2 * a) + in_sympy(root))


def _is_prior(family: Family, shown: Shown) -> bool:
    every = shown.sum_of(family.p(_M), ONE, _K)
    return shown.shows(Eq(every, 1)) and shown.shows(family.p(_J) >= 0, Whole(_J), _J >= 1, _J <= _K)


def _w(family: Family, i: Node, j: Node) -> Node:
    return family.p(i) * family.u(i, j)


def _is_last(family: Family, samples: Samples) -> bool:
    """Whether randomised response is optimal for all large t, at the samples."""
    for at in samples.instances():
        utility, prior = family.problem(at)
        weights = prior[:, None] * utility
        size = len(prior)
        every, own = as_rational(weights.sum()), as_rational(sum(weights.diagonal().tolist(), Fraction(0)))
        if sp.cancel(samples.pieces(at)[-1][2] - (every + (T - 1) * own) / (size + T - 1)) != 0:
            return False
    return True


def _deciding(family: Family, samples: Samples) -> tuple[Node, Node] | None:
    """The pair of labels of which R is least just where randomised response is no longer optimal, for every K."""
    candidates = _pairs()
    left = dict.fromkeys(range(len(candidates)), True)
    for at in samples.instances():
        lower = samples.pieces(at)[-1][0]
        if at["K"] < 4:
            continue
        start = sp.Rational(2) if lower == 1 else lower
        utility, prior = family.problem(at)
        weights = prior[:, None] * utility
        size = len(prior)
        every, own = weights.sum(axis=0), weights.diagonal()
        value = (as_rational(every.sum()) + (start - 1) * as_rational(own.sum())) / (size + start - 1)
        r = {
            (y, j): sp.N(as_rational(every[y]) + (start - 1) * as_rational(own[y] - weights[y, j]) - value, 30)
            for y, j in product(range(size), repeat=2)
            if y != j
        }
        least = min(r.values())
        for place, (y, j) in enumerate(candidates):
            where = tuple(int(fraction_of(numeric(x, {"K": as_rational(at["K"])}))) - 1 for x in (y, j))
            left[place] &= where in r and r[where] - least < sp.Float("1e-20")
    return next((candidates[place] for place, kept in left.items() if kept), None)


def _pairs() -> list[tuple[Node, Node]]:
    """Pairs of labels, counted from either end, that differ at every K >= 2."""
    neighbours = [(ONE, in_terms(2)), (_K, _K - 1), (ONE, _K)]
    return [*neighbours, *((j, y) for y, j in neighbours)]


def _closed(family: Family, shown: Shown, body: Node, letter: str | None) -> Node | None:
    """The sum of a term over m = 1..K as a formula in K and one more letter: through exact values, then proved."""
    sum_of = shown.sum_of(body, ONE, _K)
    values: dict[tuple[int, ...], Fraction] = {}
    for size in _SIZES:
        for label in range(1, size + 1) if letter else (1,):
            at: Mapping[str, int] = {"K": size, **({letter: label} if letter else {})}
            key = (size, label) if letter else (size,)
            values[key] = fraction_of(numeric(sum_of, {n: as_rational(Fraction(v)) for n, v in at.items()}))
    found = through(values, ("K", letter) if letter else ("K",))
    if found is None:
        return None
    inside = (Whole(Name(letter)), Name(letter) >= 1, Name(letter) <= _K) if letter else ()
    closed = in_terms(found)
    return closed if shown.shows(Eq(sum_of, closed), *inside) else None
