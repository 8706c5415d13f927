"""A statement about three parameters x, y and z, decided cell by cell: lines of x above the cells of a plane.

The plane of (y, z) is decomposed (`lpmech.conditions.cells`) by the irreducible factors of what the p_i have for
coefficients of the highest power of x, discriminants and resultants in x. On each of its cells these have a constant
order: on a graph over an open interval of z a factor vanishes once, since its own discriminant does not; on a vertical
line only the line's own factor does; points are cells by themselves. So by McCallum (1998) and Brown (2001) the roots
of the p_i in x are as many all over a cell, continuous, and keep their order, unless a p_i vanishes for every x above a
point of it; and above a whole cell each p_i has one sign on each root and between two of them. An irreducible p_i
vanishes for every x only at the common zeros of its coefficients, which are finitely many points: cuts are added
that make each of these a cell by itself, over which nothing has to be continuous.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from lpmech.conditions.cells import TOO_LONG, Cell, Line, coefficient, line, projected
from lpmech.conditions.fibres import degree_in
from lpmech.conditions.regions import Names, Range, Region, names_of_roots, parts_of, said
from lpmech.conditions.signs import CONTEXT, OutsideError, SignFormula, SignReader, irreducible_factors
from lpmech.errors import UndecidedError
from lpmech.limits import time_limit

__all__ = ["Lines", "cover", "cut_plane", "lines_above"]

#: So many lines are looked at.
_MOST_LINES = 20_000

#: Lines by the number of the plane's cell and the part of it; None where a number is too large to compute with.
Lines = Mapping[tuple[int, int], Line | None]
_Kind = tuple[tuple[frozenset[Any], ...], tuple[bool | None, ...]]


def cut_plane(plane: SignReader, polynomials: Sequence[Any]) -> None:
    """Let a reader of the plane know the irreducible polynomials in y and z that cut it."""
    for one in (*projected(polynomials), *_where_all_vanish(polynomials)):
        if not one.is_constant():
            own = CONTEXT.from_dict({powers[1:]: c for powers, c in one.to_dict().items()})
            for factor, _ in irreducible_factors(own):
                plane.number(factor)


def _where_all_vanish(polynomials: Sequence[Any]) -> Iterator[Any]:
    """Polynomials that make points of those above which one of the given ones is zero for every x."""
    for one in polynomials:
        first, *rest = (coefficient(one, power) for power in range(degree_in(one, 0), -1, -1))
        if any(other.is_constant() and not other.is_zero() for other in (first, *rest)):
            continue
        is_flat = any(not degree_in(factor, 1) for factor, _ in irreducible_factors(first))
        apart = None if is_flat else next((other for other in rest if other and first.gcd(other).is_constant()), None)
        if apart is None:
            yield from (other for other in rest if other)
        else:
            yield first.resultant(apart, "y")


def lines_above(
    cells: Sequence[Cell | None],
    statement: SignFormula,
    hypotheses: Sequence[SignFormula],
    polynomials: Sequence[Any],
    seconds: float,
) -> Lines:
    """The lines above the parts of the plane in which the hypotheses hold; None for what takes longer.

    Raises
    ------
    OutsideError
        If there are too many.
    """
    places = [
        (number, part) for number, cell in enumerate(cells) if cell for part, true in enumerate(cell.truths) if true
    ]
    if len(places) > _MOST_LINES:
        raise OutsideError(f"{len(places)} cells in a plane, more than {_MOST_LINES}")
    found, until = dict[tuple[int, int], Line | None](), time.process_time() + seconds
    for number, part in places:
        cell = cells[number]
        assert cell is not None
        try:
            with time_limit(max(until - time.process_time(), 1e-3), TOO_LONG):
                own = line(cell.point(part), statement, hypotheses, polynomials)
        except (OutsideError, UndecidedError):
            found[number, part] = None
            continue
        if set(own.truths) != {None}:
            found[number, part] = own
    return found


def cover(
    lines: Lines, polynomials: Sequence[Any], within: Range, length: Callable[[Region], Any]
) -> Iterator[tuple[Region, dict[tuple[int, int], bool | None]]]:
    """Intervals of x that together are where the statement holds, each with the places in the plane where it does:
    False where it does not everywhere between the ends, None where it need not be said.
    """
    kinds = dict[_Kind, list[tuple[int, int]]]()
    for place, own in lines.items():
        if own is not None:
            names = tuple(map(frozenset, names_of_roots(own.fibre, polynomials, within)))
            kinds.setdefault((names, own.truths), []).append(place)
    every = {region: _spoken(region, kinds) for kind in kinds for region in said(kind[1], _names(kind))}
    told = {kind: set[int]() for kind in kinds}
    chosen = list[Region]()
    while any(told[kind] != {part for part, true in enumerate(kind[1]) if true} for kind in kinds):

        def gain(region: Region) -> Any:
            fresh = sum(len(parts - told[kind]) * len(kinds[kind]) for kind, parts in every[region].items())
            return -fresh, length(region)

        chosen.append(min(every, key=gain))
        for kind, parts in every[chosen[-1]].items():
            told[kind] |= parts
    for region in sorted(chosen, key=length, reverse=True):
        others = [every[one] for one in chosen if one is not region]
        if all(parts <= set().union(*(one.get(kind, ()) for one in others)) for kind, parts in every[region].items()):
            chosen.remove(region)
    told = {kind: set() for kind in kinds}
    for region in chosen:
        where: dict[tuple[int, int], bool | None] = dict.fromkeys(lines, False)
        for kind, parts in every[region].items():
            where |= dict.fromkeys(kinds[kind], None if parts <= told[kind] else True)
            told[kind] |= parts
        yield region, where


def _names(kind: _Kind) -> Names:
    return [set(one) for one in kind[0]]


def _spoken(region: Region, kinds: Mapping[_Kind, Any]) -> dict[_Kind, set[int]]:
    """The kinds of lines on which the statement holds all over an interval, and the parts in which it does."""
    found = {}
    for kind in kinds:
        truths = kind[1]
        parts = parts_of(region, _names(kind), len(truths))
        if parts is not None and all(truths[part] is not False for part in parts):
            found[kind] = {part for part in parts if truths[part]}
    return found
