"""Formulas in t, K and the number m of a piece: where the number of pieces grows with K, one formula for many of them.

Pieces are counted from t = 1 up or from infinity down, for all K or those of one remainder by 2 or 3. The coefficients
of their values, in which the parity of m may matter, and the last m of a K, are fitted to all K but the two largest,
which refuse what does not hold there. Neighbours are equal where one of them takes over from the other: that is no
further fit. The optimum is said to be the largest value over m, which exact programs refuse where a formula is no more
than that of its own piece. Where the pieces end that have it is a formula in K, the end of the last but one, or, where
their number is irregular, a whole number that t is below at every K.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import sympy as sp

from lpmech.discovery.closed import ODD, K, in_terms, linear_through, through, without_powers
from lpmech.discovery.fitting import CLASSES, HELD_OUT, conditions, fitted_end, follows, quotient_of, roots, written
from lpmech.discovery.parts import Index, Part, Piece, Samples, disagreement
from lpmech.programs.solvers.parametric import T
from lpmech.prove.evaluate import UndefinedError
from lpmech.prove.from_sympy import term_of
from lpmech.statements.numeric import holds
from lpmech.terms import Name, Node, substituted, term
from lpmech.terms.functions import And, Eq, Whole, floor

__all__ = ["indexed"]

_T, _M = sp.symbols("t m")
_Pieces = Mapping[int, list[Piece]]
#: Fewest sizes, and fewest pieces of the largest one, which say that there is an index.
_LEAST_SIZES, _LEAST_PIECES = HELD_OUT + 3, 3
#: Pieces that are left out before the first, at most, and parts of K up to which pieces are fitted, or looked at.
_MOST_SKIPPED, _SHARES = 2, (1, 2, 3, 4, 5)
#: Power of K that the end of a piece grows like, at most.
_MOST_DEGREE = 4
#: Characters of a condition that says which m is best; a longer one says nothing to anybody.
_LONGEST = 300


class _Found(NamedTuple):
    """A part, and whether it has all pieces from the K on from which it holds."""

    part: Part
    is_all: bool


class _Last(NamedTuple):
    """The last m of each K, and its share of K where K is large."""

    told: Node
    slope: sp.Rational


class _Tie(NamedTuple):
    """Where m and m + 1 are as good as each other: in K, m and the letter for the parity, and as it is written."""

    root: sp.Expr
    told: Node


def indexed(samples: Samples) -> list[Part]:
    """Parts for classes of K where one formula gives many pieces, more of them at larger K; certified."""
    by_size = {int(at["K"]): samples.pieces(at) for at in samples.instances()}
    every = list[Part]()
    for upwards in (True, False):
        for modulus in CLASSES:
            classes = ({k: pieces for k, pieces in by_size.items() if k % modulus == rest} for rest in range(modulus))
            tried = [_of_class(sizes, upwards, modulus, rest, samples) for rest, sizes in enumerate(classes)]
            found = [one for one in tried if one is not None]
            if len(found) == modulus and all(one.is_all for one in found):
                return [one.part for one in found]
            if found:
                every += [one.part for one in found]
                break
    return every


def _of_class(by_size: _Pieces, upwards: bool, modulus: int, rest: int, samples: Samples) -> _Found | None:
    """The first formula that is found."""
    sizes = sorted(by_size)
    if len(sizes) < _LEAST_SIZES or len(by_size[sizes[-1]]) < _LEAST_PIECES:
        return None
    counted = {k: pieces if upwards else pieces[::-1] for k, pieces in by_size.items()}
    for letters, share, skipped in product((("K", "m"), ("K", "m", ODD)), _SHARES, range(_MOST_SKIPPED + 1)):
        value = _value(counted, sizes[:-HELD_OUT], letters, share, skipped, samples.family.base)
        found = None if value is None else _extended(value, counted, upwards, modulus, rest, samples)
        if found is not None:
            return found
    return None


def _value(
    counted: _Pieces, sizes: Sequence[int], letters: Sequence[str], share: int, skipped: int, base: Fraction | None
) -> sp.Expr | None:
    """A formula through the values of some pieces, K/share at most, behind the first few, of all but the smallest K."""
    quotients = {
        (size, m, m % 2)[: len(letters)]: quotient_of(counted[size][m - 1][2])
        for size in sizes[max(1, len(sizes) // 4) :]
        for m in range(1 + skipped, min(len(counted[size]), skipped + size // share) + 1)
    }
    degrees = Counter((above.degree(), below.degree()) for above, below in quotients.values())
    if not degrees:
        return None
    usual = max(degrees, key=lambda pair: degrees[pair])
    alike = {
        at: (above, below)
        for at, (above, below) in quotients.items()
        if above.degree() <= usual[0] and below.degree() == usual[1]
    }
    if len({m for _, m, *_ in alike}) < _LEAST_PIECES:
        return None
    lowest = {at: int(below.TC()) for at, (_, below) in alike.items() if below.TC().is_Integer}
    is_usual = share > 1 or skipped > 1 or len(letters) > 2
    if is_usual and usual[1] == 1 and (len(lowest) < len(alike) or linear_through(lowest, letters) is None):
        return None  # bins are a linear number of them: soon seen
    parts = []
    for part, degree in reversed([*enumerate(usual)]):
        found = sp.Integer(0)
        for power in range(degree + 1):
            values: dict[tuple[int, ...], Fraction] = {
                at: Fraction(str(q[part].coeff_monomial(T**power))) for at, q in alike.items()
            }
            fit = through(values, letters)
            if fit is None and base is not None and len(letters) < 3:
                fit = through(values, letters, base=base)
            if fit is None or not _is_refusable(fit, len({m for _, m, *_ in values})):
                return None
            found += fit * _T**power
        parts.append(found)
    return sp.factor(parts[1] / parts[0])


def _is_refusable(fit: sp.Expr, pieces: int) -> bool:
    """Whether there are more values of m than coefficients that they could give a formula: it could fail at one."""
    letters = sp.fraction(sp.together(without_powers(fit)[0]))
    free = sum(
        sp.degree(part, _M) + 1
        for one in map(sp.expand, letters)
        for power in (0, 1)
        if (part := one.coeff(sp.Symbol(ODD), power)).has(_M) or (power and part != 0)
    )
    return free == 0 or pieces > free


def _extended(
    value: sp.Expr, counted: _Pieces, upwards: bool, modulus: int, rest: int, samples: Samples
) -> _Found | None:
    """The part of a formula that is the value of pieces m = first..last(K) of every K from some K on."""
    if "m" not in {str(letter) for letter in value.free_symbols}:
        return None
    runs = {size: _run(value, size, pieces) for size, pieces in counted.items()}
    base, every = samples.family.base, sorted(size for size, run in runs.items() if run)
    plain, powers = without_powers(value)
    told = substituted(substituted(in_terms(plain), powers), {ODD: Name("m") % 2})
    ties = _ties(value)
    for sizes in (every[n:] for n in range(len(every) - _LEAST_SIZES + 1)):
        kept = {size: runs[size] for size in sizes}
        first = kept[sizes[-1]][0]
        if {run[0] for run in kept.values()} != {first} or [size for size in counted if size >= sizes[0]] != sizes:
            continue
        if sizes[-1] != max(counted) or kept[sizes[-1]][-1] - first + 1 < _LEAST_PIECES:
            return None
        tie = next((tie for tie in ties if _is_end(tie, counted, kept, upwards)), None)
        best = None if tie is None or len(str(tie.told)) > _LONGEST else _best(tie.told, upwards)
        given, last = conditions(modulus, rest, sizes[0]), _last({size: run[-1] for size, run in kept.items()})
        if last is not None:
            part = Part(told, And(*given), Index("m", term(first), last.told), best)
            if all(run[0] == 1 and run[-1] == len(counted[size]) for size, run in kept.items()):
                return _Found(part, True)
            ends = _between(counted, kept, upwards, tie, last, base)
            if ends is not None:
                return _Found(replace(part, when=And(*given, *ends)), False)
        if upwards:
            part = Part(told, index=Index("m", term(first), Name("K")), best=best)
            if (below := _below(part, counted, kept, (modulus, rest), samples)) is not None:
                return _Found(below, False)
    return None


def _run(value: sp.Expr, size: int, pieces: Sequence[Piece]) -> list[int]:
    """The numbers in a row that have the formula as their value, the most of them."""
    runs: list[list[int]] = [[]]
    for m, piece in enumerate(pieces, start=1):
        if sp.cancel(value.subs({K: size, _M: m, _T: T, sp.Symbol(ODD): m % 2}) - piece[2]) == 0:
            runs[-1].append(m)
        elif runs[-1]:
            runs.append([])
    return max(runs, key=len)


def _last(values: Mapping[int, int]) -> _Last | None:
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
                    told = in_terms(above * K + shift)
                    return _Last(told if below == 1 else floor(told / below), sp.Rational(above, below))
    return None


def _between(
    counted: _Pieces, kept: Mapping[int, list[int]], upwards: bool, tie: _Tie | None, last: _Last, base: Fraction | None
) -> list[Node] | None:
    """Conditions on t where the pieces of a formula are; None if they are not found."""
    given = _start(counted, kept, upwards, base)
    beyond = {size: counted[size][run[-1] - 1][int(upwards)] for size, run in kept.items()}
    if given is None or all(end in (1, sp.oo) for end in beyond.values()):
        return given
    end = None if {1, sp.oo} & {*beyond.values()} else fitted_end(beyond, base)
    if end is None and tie is not None and base is None and not upwards:
        end = _leading(tie, last)
        if end is None or not all(holds(end >= term_of(bound), {"K": sp.Integer(k)}) for k, bound in beyond.items()):
            return None
    return None if end is None else [*given, Name("t") <= end if upwards else Name("t") >= end]


def _leading(tie: _Tie, last: _Last) -> Node | None:
    """What the end of the last piece but one grows like, a K^d; None if it is more than that at some large K."""
    for degree in range(1, _MOST_DEGREE + 1):
        found = sp.limit(tie.root.subs({sp.Symbol(ODD): 0, _M: last.slope * K}) / K**degree, K, sp.oo)
        if found.is_finite and found.is_positive:
            end, inside = in_terms(found * K**degree), substituted(tie.told, {"m": last.told - 1})
            large = (10**power + more for power in (2, 3, 6) for more in range(6))
            return end if all(holds(inside <= end, {"K": sp.Integer(size)}) for size in large) else None
    return None


def _start(counted: _Pieces, kept: Mapping[int, list[int]], upwards: bool, base: Fraction | None) -> list[Node] | None:
    """Where the first of these pieces begins."""
    before = {size: counted[size][run[0] - 1][int(not upwards)] for size, run in kept.items()}
    if all(end in (1, sp.oo) for end in before.values()):
        return []
    end = None if {1, sp.oo} & {*before.values()} else fitted_end(before, base)
    return None if end is None else [Name("t") >= end if upwards else Name("t") <= end]


def _below(
    part: Part, counted: _Pieces, runs: Mapping[int, list[int]], own: tuple[int, int], samples: Samples
) -> Part | None:
    """The part up to a whole number that t has before its pieces end at any K; the largest m may be one of no piece."""
    assert part.index is not None
    sizes, ends = sorted(runs), {size: counted[size][run[-1] - 1][1] for size, run in runs.items()}
    bound = sp.floor(min(ends[size] for size in sizes[len(sizes) // 2 :]))
    begun = max((n for n, size in enumerate(sizes) if ends[size] < bound), default=-1) + 1
    kept = {size: runs[size] for size in sizes[begun:]}
    starts = None if bound <= 1 or bound == sp.oo else _start(counted, kept, True, samples.family.base)
    if starts is None:
        return None
    when = And(*conditions(*own, min(kept)), *starts, Name("t") <= int(bound))
    needed = {size: max((m for m in run if counted[size][m - 1][0] < bound), default=0) for size, run in kept.items()}
    for share in _SHARES:
        last = Name("K") if share == 1 else floor(Name("K") / share)
        found = replace(part, when=when, index=replace(part.index, last=last))
        if all(size // share >= m for size, m in needed.items()) and disagreement(found, samples) is None:
            return found
    return None


def _ties(value: sp.Expr) -> list[_Tie]:
    """Where m and m + 1 may be as good as each other."""
    odd = sp.Symbol(ODD)
    following = value.subs({_M: _M + 1, odd: 1 - odd}, simultaneous=True)
    plain, powers = without_powers(value - following)
    curve = sp.Poly(_by_parity(sp.fraction(sp.together(plain))[0]), _T)
    if curve.degree() == 0 or curve.degree() > 3:
        return []
    found, shows = list[_Tie](), follows(Whole(Name("K")), Whole(Name("m")), Name("m") >= 1, Name("m") < Name("K"))
    _, factors = sp.factor_list(curve.as_expr(), _T)
    for own in (sp.Poly(factor, _T) for factor, _ in factors):
        if own.degree() in (1, 2):
            for root in roots(sp.Poly(own.as_expr() / own.LC(), _T) if own.degree() == 2 else own, _by_parity):
                told = substituted(written(root, lambda asked: shows(substituted(asked, powers))), powers)
                found.append(_Tie(root, substituted(told, {ODD: Name("m") % 2})))
    return found


def _best(tie: Node, upwards: bool) -> Node:
    """Where an m between the first and the last is the best one."""
    ends = substituted(tie, {"m": Name("m") - 1}), tie
    lower, upper = ends if upwards else ends[::-1]
    return And(Name("t") >= lower, Name("t") <= upper)


def _by_parity(expression: sp.Expr) -> sp.Expr:
    """The same in the letter for the parity, of the first degree."""
    even, odd = (expression.subs(sp.Symbol(ODD), rest) for rest in (0, 1))
    return sp.expand(even + sp.Symbol(ODD) * (odd - even))


def _is_end(tie: _Tie, counted: _Pieces, kept: Mapping[int, list[int]], upwards: bool) -> bool:
    """Whether each piece of a formula but the last ends there."""
    ends = {(size, m): counted[size][m - 1][int(upwards)] for size, run in kept.items() for m in run[:-1]}
    try:
        return all(
            holds(Eq(tie.told, Name("end")), {"K": sp.Integer(size), "m": sp.Integer(m), "end": end})
            for (size, m), end in ends.items()
        )
    except (ZeroDivisionError, UndefinedError):
        return False
