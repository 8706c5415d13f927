"""Formulas in t, K and the number m of a piece: where the number of pieces grows with K, one formula for all of them.

Pieces are counted from t = 1 up or from infinity down, for all K or those of one remainder by 2 or 3. The coefficients
of their values, and the last m of a K, are fitted to all K but the two largest, which refuse what does not hold there.
Neighbours are equal where one of them takes over from the other: that is no further fit. The optimum is said to be the
largest value over m, which exact programs refuse where a formula is no more than that of its own piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import sympy as sp

from lpmech.discovery.closed import K, in_terms, through, without_powers
from lpmech.discovery.fitting import CLASSES, HELD_OUT, conditions, fitted_end, follows, quotient_of, roots, written
from lpmech.discovery.parts import Index, Part, Piece, Samples
from lpmech.programs.solvers.parametric import T
from lpmech.prove.evaluate import UndefinedError
from lpmech.statements.numeric import numeric
from lpmech.terms import Name, Node, substituted, term
from lpmech.terms.functions import And, Eq, Whole, floor

__all__ = ["indexed"]

_T, _M = sp.symbols("t m")
_Pieces = Mapping[int, list[Piece]]
#: Fewest sizes, and fewest pieces of the largest one, which say that there is an index.
_LEAST_SIZES, _LEAST_PIECES = HELD_OUT + 3, 3
#: Characters of a condition that says which m is best; a longer one says nothing to anybody.
_LONGEST = 300


class _Found(NamedTuple):
    """A part, the K from which it holds, and whether it has all pieces from there on."""

    part: Part
    start: int
    is_all: bool


def indexed(samples: Samples) -> list[Part]:
    """A part for each class of K where one formula gives many pieces, more of them at larger K; certified."""
    by_size = {int(at["K"]): samples.pieces(at) for at in samples.instances()}
    best: list[_Found] = []
    for modulus in CLASSES:
        classes = ({k: pieces for k, pieces in by_size.items() if k % modulus == rest} for rest in range(modulus))
        found = [_of_class(sizes, modulus, rest, samples.family.base) for rest, sizes in enumerate(classes)]
        if all(one is not None and one.is_all for one in found):
            return [one.part for one in found if one is not None]
        best = best or [one for one in found if one is not None]
    return [one.part for one in best]


def _of_class(by_size: _Pieces, modulus: int, rest: int, base: Fraction | None) -> _Found | None:
    """The formula with the most pieces, of those that are tried."""
    sizes = sorted(by_size)
    if len(sizes) < _LEAST_SIZES or len(by_size[sizes[-1]]) < _LEAST_PIECES:
        return None
    best: _Found | None = None
    for upwards, share, skipped in product((True, False), (1, 2, 3), (0, 1)):
        counted = {k: pieces if upwards else pieces[::-1] for k, pieces in by_size.items()}
        value = _value(counted, sizes[:-HELD_OUT], share, skipped, base)
        found = None if value is None else _extended(value, counted, upwards, modulus, rest, base)
        if found is not None and found.is_all:
            return found
        best = best or found
    return best


def _value(counted: _Pieces, sizes: Sequence[int], share: int, skipped: int, base: Fraction | None) -> sp.Expr | None:
    """A formula through the values of the first pieces, 1/share of them, of all but the smallest K."""
    quotients = {
        (size, m): quotient_of(counted[size][m - 1][2])
        for size in sizes[1:]
        for m in range(1 + skipped, len(counted[size]) // share + 1)
    }
    degrees = Counter((above.degree(), below.degree()) for above, below in quotients.values())
    if not degrees:
        return None
    usual = max(degrees, key=lambda pair: degrees[pair])
    alike = {at: q for at, q in quotients.items() if (q[0].degree(), q[1].degree()) == usual}
    if len({m for _, m in alike}) < _LEAST_PIECES:
        return None
    parts = []
    for part, degree in enumerate(usual):
        found = sp.Integer(0)
        for power in range(degree + 1):
            values: dict[tuple[int, ...], Fraction] = {
                at: Fraction(str(q[part].coeff_monomial(T**power))) for at, q in alike.items()
            }
            fit = through(values, ("K", "m"))
            if fit is None and base is not None:
                fit = through(values, ("K", "m"), base=base)
            if fit is None:
                return None
            found += fit * _T**power
        parts.append(found)
    return sp.factor(parts[0] / parts[1])


def _extended(
    value: sp.Expr, counted: _Pieces, upwards: bool, modulus: int, rest: int, base: Fraction | None
) -> _Found | None:
    """The part of a formula that is the value of pieces m = first..last(K) of every K from some K on."""
    if "m" not in {str(letter) for letter in value.free_symbols}:
        return None
    runs = {size: _run(value, size, pieces) for size, pieces in counted.items()}
    sizes = sorted(size for size, run in runs.items() if run)
    while len(sizes) >= _LEAST_SIZES:
        kept = {size: runs[size] for size in sizes}
        ends = _last({size: run[-1] for size, run in kept.items()})
        if len({run[0] for run in kept.values()}) == 1 and sizes[-1] == max(counted) and ends is not None:
            break
        sizes = sizes[1:]
    else:
        return None
    first, start = kept[sizes[-1]][0], sizes[0]
    if [size for size in counted if size >= start] != sizes or kept[sizes[-1]][-1] - first + 1 < _LEAST_PIECES:
        return None
    given = conditions(modulus, rest, start)
    is_all = all(run[0] == 1 and run[-1] == len(counted[size]) for size, run in kept.items())
    if not is_all:
        beyond = {size: counted[size][run[-1] - 1][int(upwards)] for size, run in kept.items()}
        before = {size: counted[size][first - 1][int(not upwards)] for size, run in kept.items()}
        for values, is_upper in ((beyond, upwards), (before, not upwards)):
            if all(end in (1, sp.oo) for end in values.values()):
                continue
            end = None if {1, sp.oo} & set(values.values()) else fitted_end(values, base)
            if end is None:
                return None
            given.append(Name("t") <= end if is_upper else Name("t") >= end)
    plain, powers = without_powers(value)
    told = substituted(in_terms(plain), powers)
    part = Part(told, And(*given), Index("m", term(first), ends), _best(value, counted, kept, upwards, ends))
    return _Found(part, start, is_all)


def _run(value: sp.Expr, size: int, pieces: Sequence[Piece]) -> list[int]:
    """The first numbers in a row that have the formula as their value."""
    run: list[int] = []
    for m, piece in enumerate(pieces, start=1):
        if sp.cancel(value.subs({K: size, _M: m, _T: T}) - piece[2]) == 0:
            run.append(m)
        elif run:
            break
    return run


def _last(values: Mapping[int, int]) -> Node | None:
    """The simplest floor((a K + b)/c), c <= 4, 0 < a <= 2 c, of all K but the two largest, if it is theirs, too."""
    used = {size: values[size] for size in sorted(values)[:-HELD_OUT]}
    size, last = max(used.items())
    for below in range(1, 5):
        for above in range(1, 2 * below + 1):
            for rest in range(below):
                shift = last * below + rest - above * size
                if all((above * k + shift) // below == value for k, value in used.items()):
                    if any((above * k + shift) // below != value for k, value in values.items()):
                        return None
                    return in_terms(above * K + shift) if below == 1 else floor(in_terms(above * K + shift) / below)
    return None


def _best(value: sp.Expr, counted: _Pieces, kept: Mapping[int, list[int]], upwards: bool, last: Node) -> Node | None:
    """Where an m between the first and the last is the best one: its value is that of its neighbours at the ends."""
    plain, powers = without_powers(value - value.subs(_M, _M + 1))
    curve = sp.Poly(sp.fraction(sp.factor(plain))[0], _T)
    if curve.degree() == 0 or curve.degree() > 3:
        return None
    shows = follows(Whole(Name("K")), Whole(Name("m")), Name("K") >= min(kept), Name("m") >= 1, Name("m") < last)
    _, factors = sp.factor_list(curve.as_expr(), _T)
    for factor, _ in factors:
        own = sp.Poly(factor, _T)
        if own.degree() not in (1, 2):
            continue
        for root in roots(sp.Poly(own.as_expr() / own.LC(), _T) if own.degree() == 2 else own):
            told = substituted(written(root, lambda asked: shows(substituted(asked, powers))), powers)
            if len(str(told)) > _LONGEST:
                return None
            if all(_is_end(told, size, m, counted[size][m - 1][int(upwards)]) for size, m in _inner(kept)):
                ends = substituted(told, {"m": Name("m") - 1}), told
                lower, upper = ends if upwards else ends[::-1]
                return And(Name("t") >= lower, Name("t") <= upper)
    return None


def _inner(kept: Mapping[int, list[int]]) -> Iterator[tuple[int, int]]:
    return ((size, m) for size, run in kept.items() for m in run[:-1])


def _is_end(formula: Node, size: int, m: int, end: sp.Expr) -> bool:
    try:
        return bool(numeric(Eq(formula, Name("end")), {"K": sp.Integer(size), "m": sp.Integer(m), "end": end}))
    except (ZeroDivisionError, UndefinedError):
        return False
