"""Formulas fitted to exact optima near both ends of the range of t: conjectures, certified where they were compared.

A piece is counted from t = 1 up or from infinity down. Its value is a rational function of t; where numerator and
denominator have the same degrees at every K of a class (all K, or those of one remainder by 2 or 3), each coefficient
is fitted as a rational function of K, and so are those of the polynomial of which its end point is a root. The two
largest K of a class are not used: they refuse what does not hold there. Small K that do not fit are left out, and named
in the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count

import sympy as sp

from lpmech.discovery.closed import K, has_root, in_terms, square_root, through
from lpmech.discovery.parts import Part, Piece, Samples
from lpmech.programs.solvers.parametric import T
from lpmech.prove import Holds, prove
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import in_sympy
from lpmech.statements.numeric import holds
from lpmech.terms import TRUE, Apply, Name, Node
from lpmech.terms.functions import And, Eq, Whole

__all__ = [
    "CLASSES", "HELD_OUT", "conditions", "ends", "fitted", "fitted_end", "follows", "quotient_of", "roots", "written",
]  # fmt: skip

_T, _K = sp.Symbol("t"), Name("K")
#: So many K of a class are kept for refusing what was fitted to the others.
HELD_OUT = 2
#: Classes of K that are tried: all, or by the remainder of a division.
CLASSES = (1, 2, 3)
#: No more pieces are looked at from either end.
_MOST_PIECES = 12


@dataclass(frozen=True)
class _Fit:
    """A formula in t and K, from which K on it holds, and between which t."""

    value: sp.Expr
    start: int
    between: tuple[Node, ...]


def ends(samples: Samples, upwards: bool) -> Iterator[Part]:
    """What is fitted to the pieces of a family without parameters, as far as it goes; certified.

    Piece by piece from t = 1 up, or from infinity down, for all K or for classes of K apart, until one is fitted for
    none.
    """
    by_size = {int(at["K"]): samples.pieces(at) for at in samples.instances()}
    base = samples.family.base
    for place in range(_MOST_PIECES):
        index = place if upwards else -1 - place
        usable = {size: pieces[index] for size, pieces in by_size.items() if len(pieces) > place}
        for modulus in CLASSES:
            classes = ({k: piece for k, piece in usable.items() if k % modulus == rest} for rest in range(modulus))
            fits = [_fitted_piece(pieces, base) for pieces in classes]
            if found := [_part(modulus, rest, fit) for rest, fit in enumerate(fits) if fit is not None]:
                break
        yield from found
        if not all(fits):
            break


def _fitted_piece(pieces: Mapping[int, Piece], base: Fraction | None) -> _Fit | None:
    """The formula of one piece, on as many K as it holds for, the largest always among them."""
    sizes = sorted(pieces)
    for skipped in count():
        kept = sizes[skipped:]
        if len(kept) < HELD_OUT + 3:
            return None
        chosen = {size: pieces[size] for size in kept}
        value = _rational({size: piece[2] for size, piece in chosen.items()}, base)
        if value is None:
            continue
        ends = [_end({size: piece[upper] for size, piece in chosen.items()}, bool(upper), base) for upper in (0, 1)]
        if all(end is not None for end in ends):
            return _Fit(value, kept[0], tuple(end for end in ends if end is not None and end != TRUE))
    return None


def _end(values: Mapping[int, sp.Expr], is_upper: bool, base: Fraction | None) -> Node | None:
    """The condition at an end of a piece: True where it ends at no K; None if no formula is found.

    A piece that begins at t = 1 at small K has a formula for its lower end that is at most 1 there.
    """
    ended = {size: end for size, end in values.items() if end not in (1, sp.oo)}
    if not ended:
        return TRUE
    begins = [size for size in values if size not in ended]
    if len(ended) < HELD_OUT + 3 or (is_upper and begins):
        return None
    found = fitted_end(ended, base)
    if found is None or not all(holds(found <= 1, {"K": sp.Integer(size)}) for size in begins):
        return None
    return Name("t") <= found if is_upper else Name("t") >= found


def fitted(values: Mapping[int, Fraction], base: Fraction | None = None) -> sp.Expr | None:
    """A rational function of K (or b^K as well) through values, refused by the two largest K if it is not theirs."""
    sizes = sorted(values)
    used: dict[tuple[int, ...], Fraction] = {(size,): values[size] for size in sizes[:-HELD_OUT]}
    found = through(used, ("K",), spare=1)
    if found is None and base is not None:
        found = through(used, ("K",), spare=1, base=base)
    if found is None or any(found.subs(K, size) != as_rational(values[size]) for size in sizes[-HELD_OUT:]):
        return None
    return found


@cache
def quotient_of(value: sp.Expr) -> tuple[sp.Poly, sp.Poly]:
    """Numerator and denominator in T; the denominator has the leading coefficient 1."""
    above, below = (sp.Poly(part, T, domain="QQ") for part in sp.fraction(sp.cancel(value)))
    return above.mul_ground(1 / below.LC()), below.monic()


def _rational(values: Mapping[int, sp.Expr], base: Fraction | None) -> sp.Expr | None:
    """A function of t and K that is these functions of t at its K."""
    quotients = {size: quotient_of(value) for size, value in values.items()}
    above, below = (_polynomial({size: q[part] for size, q in quotients.items()}, base) for part in (0, 1))
    return None if above is None or below is None else sp.factor(above / below)


def _polynomial(values: Mapping[int, sp.Poly], base: Fraction | None) -> sp.Expr | None:
    degrees = {polynomial.degree() for polynomial in values.values()}
    if len(degrees) != 1:
        return None
    (degree,) = degrees
    found = sp.Integer(0)
    for power in range(max(degree, 0) + 1):
        coefficients = {size: Fraction(str(p.coeff_monomial(T**power))) for size, p in values.items()}
        fit = fitted(coefficients, base)
        if fit is None:
            return None
        found += fit * _T**power
    return found


def fitted_end(values: Mapping[int, sp.Expr], base: Fraction | None = None) -> Node | None:
    """An end point as a formula in K: a rational function, or the root of a quadratic with such coefficients."""
    minimal = {size: sp.Poly(sp.minimal_polynomial(end, T), T).monic() for size, end in values.items()}
    degree = max(p.degree() for p in minimal.values())
    if degree > 2:
        return None
    general = {size: p for size, p in minimal.items() if p.degree() == degree}
    curve = _polynomial(general, base) if len(general) >= HELD_OUT + 3 else None
    if curve is None:
        return None
    for root in roots(sp.Poly(curve, _T)):
        if all(sp.simplify(root.subs(K, size) - end) == 0 for size, end in values.items()):
            return written(root, follows(Whole(_K), min(values) <= _K))
    return None


def roots(curve: sp.Poly, short: Callable[[sp.Expr], sp.Expr] = sp.sympify) -> Sequence[sp.Expr]:
    """In t, of a polynomial of degree one or two with the leading coefficient 1 in the second case, parts shortened."""
    if curve.degree() == 1:
        return [sp.factor(short(-curve.TC() / curve.LC()))]
    _, b, c = curve.all_coeffs()
    return [short(-b / 2) + sign * sp.sqrt(short(b**2 / 4 - c)) for sign in (1, -1)]


def written(root: sp.Expr, shows: Callable[[Node], bool]) -> Node:
    """A root with its square root last, what is under it as one fraction, or no square root where it is none."""
    rational, roots = sp.S(0), sp.S(0)
    for part in sp.Add.make_args(root):
        if not has_root(part):
            rational += part
        else:
            roots += part
    if roots == 0:
        return in_terms(rational)
    sign = 1 if roots.as_coeff_Mul()[0] > 0 else -1
    inside = square_root(sp.expand(roots**2), shows)
    if isinstance(inside, Apply) and inside.operation == "sqrt":
        beside = in_terms(sp.factor(rational))
        return beside + inside if sign > 0 else beside - inside
    return in_terms(rational + sign * in_sympy(inside))


def follows(*given: Node) -> Callable[[Node], bool]:
    """Whether a condition is proved from these, in a second."""
    return lambda asked: isinstance(prove(asked, given, timeout_seconds=1), Holds)


def _part(modulus: int, rest: int, fit: _Fit) -> Part:
    return Part(in_terms(fit.value), And(*conditions(modulus, rest, fit.start), *fit.between))


def conditions(modulus: int, rest: int, start: int) -> list[Node]:
    """What a class of K says, and that K is at least so much."""
    return ([start <= _K] if start > max(rest, 2) else []) + ([Eq(_K % modulus, rest)] if modulus > 1 else [])
