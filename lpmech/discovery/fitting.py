"""Formulas fitted to exact optima near both ends of the range of t: conjectures, certified where they were compared.

A piece is counted from t = 1 up or from infinity down. Its value is a rational function of t; where numerator and
denominator have the same degrees at every K of a class (all K, or those of one remainder by 2 or 3), each coefficient
is fitted as a rational function of K, and so are those of the polynomial of which its end point is a root. The two
largest K of a class are not used: they refuse what does not hold there. Small K that do not fit are left out, and named
in the condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp

from lpmech.discovery.closed import K, in_terms, through
from lpmech.discovery.parts import Part, Piece, Samples
from lpmech.programs.solvers.parametric import T
from lpmech.terms import Name, Node
from lpmech.terms.functions import And, Eq, sqrt

__all__ = ["ends", "fitted"]

_T, _K = sp.Symbol("t"), Name("K")
#: So many K of a class are kept for refusing what was fitted to the others.
HELD_OUT = 2
#: Classes of K that are tried: all, or by the remainder of a division.
_CLASSES = (1, 2, 3)
#: No more pieces are looked at from either end.
_MOST_PIECES = 12


@dataclass(frozen=True)
class _Fit:
    """A formula in t and K, from which K on it holds, and its ends as terms (None: 1, or infinity)."""

    value: sp.Expr
    start: int
    lower: Node | None
    upper: Node | None


def ends(samples: Samples) -> list[Part]:
    """What is fitted to the pieces of a family without parameters, from both ends, as far as it goes.

    Returns
    -------
    list of Part
        Rising in t within each class of K; certified.
    """
    by_size = {int(at["K"]): samples.pieces(at) for at in samples.instances()}
    found = [*_from_one_end(by_size, True), *reversed(_from_one_end(by_size, False))]
    return list({str((part.value, part.when)): part for part in found}.values())


def _from_one_end(by_size: Mapping[int, list[Piece]], upwards: bool) -> list[Part]:
    """Piece by piece, for all K or for classes of K apart, until one is fitted for none."""
    parts: list[Part] = []
    for place in range(_MOST_PIECES):
        index = place if upwards else -1 - place
        usable = {size: pieces[index] for size, pieces in by_size.items() if len(pieces) > place}
        for modulus in _CLASSES:
            classes = ({k: piece for k, piece in usable.items() if k % modulus == rest} for rest in range(modulus))
            fits = list(map(_fitted_piece, classes))
            if found := [_part(modulus, rest, fit) for rest, fit in enumerate(fits) if fit is not None]:
                break
        parts += found
        if not all(fits):
            break
    return parts


def _fitted_piece(pieces: Mapping[int, Piece]) -> _Fit | None:
    """The formula of one piece, on as many K as it holds for, the largest always among them."""
    sizes = sorted(pieces)
    for skipped in count():
        kept = sizes[skipped:]
        if len(kept) < HELD_OUT + 3:
            return None
        chosen = {size: pieces[size] for size in kept}
        value = _rational({size: piece[2] for size, piece in chosen.items()})
        if value is None:
            continue
        bounds: list[Node | None] = []
        for number, open_end in ((0, sp.Integer(1)), (1, sp.oo)):
            of_end = {size: piece[number] for size, piece in chosen.items()}
            if all(end == open_end for end in of_end.values()):
                bounds.append(None)
                continue
            end = fitted_end(of_end)
            if end is None:
                break
            bounds.append(end)
        if len(bounds) == 2:
            return _Fit(value, kept[0], *bounds)
    return None


def fitted(values: Mapping[int, Fraction]) -> sp.Expr | None:
    """A rational function of K through values, refused by the two largest K if it does not hold there."""
    sizes = sorted(values)
    used: dict[tuple[int, ...], Fraction] = {(size,): values[size] for size in sizes[:-HELD_OUT]}
    found = through(used, ("K",), spare=1)
    if found is None or any(found.subs(K, size) != _exact(values[size]) for size in sizes[-HELD_OUT:]):
        return None
    return found


def _exact(value: Any) -> sp.Rational:
    return sp.Rational(value.numerator, value.denominator)


def _rational(values: Mapping[int, sp.Expr]) -> sp.Expr | None:
    """A function of t and K that is these functions of t at its K."""
    quotients = {}
    for size, value in values.items():
        above, below = (sp.Poly(part, T, domain="QQ") for part in sp.fraction(sp.cancel(value)))
        quotients[size] = above.mul_ground(1 / below.LC()), below.monic()
    above, below = (_polynomial({size: q[part] for size, q in quotients.items()}) for part in (0, 1))
    return None if above is None or below is None else sp.factor(above / below)


def _polynomial(values: Mapping[int, sp.Poly]) -> sp.Expr | None:
    degrees = {polynomial.degree() for polynomial in values.values()}
    if len(degrees) != 1:
        return None
    (degree,) = degrees
    found = sp.Integer(0)
    for power in range(max(degree, 0) + 1):
        coefficients = {size: Fraction(str(p.coeff_monomial(T**power))) for size, p in values.items()}
        fit = fitted(coefficients)
        if fit is None:
            return None
        found += fit * _T**power
    return found


def fitted_end(values: Mapping[int, sp.Expr]) -> Node | None:
    """An end point as a formula in K: a rational function, or the root of a quadratic with such coefficients."""
    minimal = {size: sp.Poly(sp.minimal_polynomial(end, T), T).monic() for size, end in values.items()}
    degree = max(p.degree() for p in minimal.values())
    if degree > 2:
        return None
    general = {size: p for size, p in minimal.items() if p.degree() == degree}
    curve = _polynomial(general) if len(general) >= HELD_OUT + 3 else None
    if curve is None:
        return None
    roots = _roots(sp.Poly(curve, _T))
    for root in roots:
        if all(sp.simplify(root.subs(K, size) - end) == 0 for size, end in values.items()):
            return _written(root)
    return None


def _roots(curve: sp.Poly) -> Sequence[sp.Expr]:
    if curve.degree() == 1:
        return [sp.factor(-curve.TC() / curve.LC())]
    _, b, c = curve.all_coeffs()
    return [-b / 2 + sign * sp.sqrt(b**2 / 4 - c) for sign in (1, -1)]


def _written(root: sp.Expr) -> Node:
    """A root with its square root last, what is under it as one fraction."""
    rational, roots = sp.S(0), sp.S(0)
    for part in sp.Add.make_args(root):
        if part.is_rational_function(K):
            rational += part
        else:
            roots += part
    if roots == 0:
        return in_terms(rational)
    sign = 1 if roots.as_coeff_Mul()[0] > 0 else -1
    inside = sqrt(in_terms(sp.factor(sp.expand(roots**2))))
    return in_terms(sp.factor(rational)) + sign * inside


def _part(modulus: int, rest: int, fit: _Fit) -> Part:
    conditions = [fit.start <= _K] if fit.start > 2 else []
    conditions += [Eq(_K % modulus, rest)] if modulus > 1 else []
    conditions += [] if fit.lower is None else [Name("t") >= fit.lower]
    conditions += [] if fit.upper is None else [Name("t") <= fit.upper]
    return Part(in_terms(fit.value), And(*conditions))
