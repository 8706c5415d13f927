"""Cells made few regions: neighbouring ones with the same answer are one, and their ends are said in the same way.

The answer on the line over a point of the base changes at some roots, and which they are can be said in several ways:
as a root of one polynomial or another that vanishes there, counted from below or from above, by the formula for degree
one or two. Roots are counted with multiplicity, so that two that meet in a point keep their names there. A region is an
interval between two such roots, over neighbouring cells in all of which the statement holds between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple

from flint import fmpq

from lpmech.conditions.cells import Cell
from lpmech.conditions.fibres import Fibre, degree_in
from lpmech.programs.solvers.real_roots import RealRoot

__all__ = ["Change", "Names", "Range", "Region", "names_of_roots", "parts_of", "regions", "said"]

#: Relations of x to numbers, all of which the hypotheses demand.
Range = tuple[tuple[str, Fraction], ...]


class Change(NamedTuple):
    """A way to say where the answer changes on a line.

    Attributes
    ----------
    polynomial : int
    how : str
        "": of degree one; "-" or "+": of degree two, with this sign before the square root; "0": of degree two where
        the square has no coefficient; "below" or "above": the roots of the polynomial within the range are counted from
        there, with multiplicity.
    rank : int
    after : bool
        Whether the root itself belongs to what is below the change.
    """

    polynomial: int
    how: str
    rank: int = 1
    after: bool = False


@dataclass(frozen=True)
class Region:
    """Over some cells of the base, one interval of the parameter that is solved for.

    Attributes
    ----------
    first, last : int
        Numbers of cells.
    missing : tuple of int
        Cells between them that do not belong to it.
    lower, upper : Change, optional
        The ends.
    holes : tuple of Change
        Roots between them that do not belong to it.
    """

    first: int
    last: int
    missing: tuple[int, ...]
    lower: Change | None
    upper: Change | None
    holes: tuple[Change, ...]

    @property
    def changes(self) -> list[Change]:
        """The roots that it speaks of."""
        return [one for one in (self.lower, self.upper, *self.holes) if one]


Ways = frozenset[Change]
Names = Sequence[set[Change]]


@dataclass(frozen=True)
class _Group:
    """Neighbouring cells with the same answer: whether it holds on the lowest part of a line, where that changes."""

    true: bool
    changes: tuple[Ways, ...]
    first: int
    last: int
    missing: tuple[int, ...] = ()

    def joined(self, other: _Group) -> _Group | None:
        """With another one after it; None if the changes cannot be said in the same way."""
        if self.true != other.true or len(self.changes) != len(other.changes):
            return None
        common = tuple(one & another for one, another in zip(self.changes, other.changes, strict=True))
        return replace(self, changes=common, last=other.last) if all(common) else None

    def intervals(self) -> list[tuple[Ways | None, Ways | None, tuple[Ways, ...]]]:
        """Where it holds: ways to say the lower end, the upper end, and roots between them that are left out."""
        ends = [*([None] if self.true else []), *self.changes, None]
        found = list[tuple[Ways | None, Ways | None, tuple[Ways, ...]]]()
        for lower, upper in zip(ends[::2], ends[1::2], strict=False):
            hole: Ways = frozenset()
            if found and lower and (before := found[-1][1]):
                hole = before & {one._replace(after=False) for one in lower if one.after}
            if hole:
                first, _, holes = found.pop()
                found.append((first, upper, (*holes, hole)))
            else:
                found.append((lower, upper, ()))
        return found


def regions(
    cells: Sequence[Cell | None],
    polynomials: Sequence[Any],
    within: Range,
    single: Callable[[int], bool],
    length: Callable[[Region], Any],
) -> list[Region]:
    """Regions that together are where the statement holds, none of them without need.

    Parameters
    ----------
    cells : sequence of Cell or None
    polynomials : sequence of flint.fmpz_mpoly
    within : tuple of (str, Fraction)
        In which range roots are counted.
    single : callable
        Whether a cell, by its number, is one value of the base.
    length : callable
        How long a region is to say: the shorter ones are kept.
    """
    names = {k: names_of_roots(cell.fibre, polynomials, within) for k, cell in enumerate(cells) if cell}
    known = {k: cell.truths for k, cell in enumerate(cells) if cell}
    found = list[Region]()
    for group in _groups(names, known, single):
        for interval in group.intervals():
            widened = [_widened(one, names, known) for one in _said(group, interval)]
            found.append(min(widened, key=lambda one: (one.first - one.last + len(one.missing), length(one))))
    found = list(dict.fromkeys(found))
    covered = {region: set(_covered(region, names, known)) for region in found}
    for region in sorted(found, key=length, reverse=True):
        others = set().union(*(covered[one] for one in found if one is not region))
        if covered[region] <= others:
            found.remove(region)
    return found


def names_of_roots(fibre: Fibre, polynomials: Sequence[Any], within: Range) -> list[set[Change]]:
    """For each root on a line what it can be called."""
    inside = [all(_related(root, relation, bound) for relation, bound in within) for root in fibre.roots]
    found: list[set[Change]] = [set() for _ in fibre.roots]
    for k, polynomial in enumerate(polynomials):
        own = [n for n, owners in enumerate(fibre.multiplicities) for _ in range(owners.get(k, 0))]
        degree = degree_in(polynomial, 0)
        if degree == 1 and own:
            found[own[0]].add(Change(k, ""))
        elif degree == 2 and len(own) == 2:  # it has not become one of degree one
            rising = fibre.signs[-1][k] > 0
            for n, sign in zip(own, "-+" if rising else "+-", strict=True):
                found[n].add(Change(k, sign))
        elif degree == 2 and own:
            found[own[0]].add(Change(k, "0"))
        else:
            ranked = [n for n in own if inside[n]]
            for way, order in (("below", ranked), ("above", ranked[::-1])):
                for rank, n in enumerate(order, 1):
                    found[n].add(Change(k, way, rank))
    return found


def _related(root: RealRoot, relation: str, bound: Fraction) -> bool:
    order = root.compared(RealRoot.rational(fmpq(bound.numerator, bound.denominator)))
    if order == 0:
        return relation in ("<=", ">=")
    return (order > 0) == (relation in (">", ">="))


def _groups(
    names: dict[int, list[set[Change]]], known: dict[int, tuple[bool | None, ...]], single: Callable[[int], bool]
) -> list[_Group]:
    found = list[_Group]()
    for place, truths in known.items():
        own = _group(place, truths, names[place])
        if found and (joined := found[-1].joined(own)):
            found[-1] = joined
        elif len(found) > 1 and _is_one(found[-1], single) and (joined := found[-2].joined(own)):
            hole = found.pop()
            found[-1:] = hole, replace(joined, missing=(*joined.missing, hole.first))
        else:
            found.append(own)
    return found


def _is_one(group: _Group, single: Callable[[int], bool]) -> bool:
    return group.first == group.last and single(group.first)


def _group(place: int, truths: Sequence[bool | None], names: Names) -> _Group:
    known = [(part, true) for part, true in enumerate(truths) if true is not None]
    changes = []
    for (part, before), (next_part, after) in pairwise(known):
        if before != after:
            cuts = range(part + 1, next_part + 1)
            changes.append(frozenset(one._replace(after=cut % 2 == 0) for cut in cuts for one in names[(cut - 1) // 2]))
    return _Group(known[0][1], tuple(changes), place, place)


def said(truths: Sequence[bool | None], names: Names) -> Iterator[Region]:
    """The intervals of a line in which the answer is yes, in all the ways in which they can be said."""
    group = _group(0, truths, names)
    return (region for interval in group.intervals() for region in _said(group, interval))


def _said(group: _Group, interval: tuple[Ways | None, Ways | None, tuple[Ways, ...]]) -> Iterator[Region]:
    """An interval in all the ways in which it can be said."""
    lower, upper, holes = interval
    for low, high, *rest in product(*(sorted(one) if one else [None] for one in (lower, upper, *holes))):
        yield Region(group.first, group.last, group.missing, low, high, tuple(one for one in rest if one))


def parts_of(region: Region, names: Names, parts: int) -> list[int] | None:
    """The parts of a line that a region speaks of; None if there are no such roots."""
    places = {one: n for n, own in enumerate(names) for one in own}
    if any(one._replace(after=False) not in places for one in region.changes):
        return None
    low, high = (
        beyond if end is None else 2 * places[end._replace(after=False)] + 1 + end.after
        for end, beyond in ((region.lower, 0), (region.upper, parts))
    )
    holes = {2 * places[one] + 1 for one in region.holes}
    return [part for part in range(low, high) if part not in holes]


def _widened(region: Region, names: dict[int, list[set[Change]]], known: dict[int, tuple[bool | None, ...]]) -> Region:
    """Over all neighbouring cells in which the statement holds between the same roots."""

    def parts(place: int) -> list[int] | None:
        return parts_of(region, names[place], len(known[place]))

    def holds(place: int) -> bool:
        return all(known[place][part] is not False for part in own) if (own := parts(place)) is not None else False

    def speaks(place: int) -> bool:
        return any(known[place][part] for part in parts(place) or ())

    places = list(known)
    first, last = places.index(region.first), places.index(region.last)
    while first and holds(places[first - 1]):
        first -= 1
    while first and not speaks(places[first]):
        first += 1
    while last + 1 < len(places) and holds(places[last + 1]):
        last += 1
    while last + 1 < len(places) and not speaks(places[last]):
        last -= 1
    missing = tuple(place for place in region.missing if not holds(place))
    return replace(region, first=places[first], last=places[last], missing=missing)


def _covered(
    region: Region, names: dict[int, list[set[Change]]], known: dict[int, tuple[bool | None, ...]]
) -> Iterator[tuple[int, int]]:
    for place, truths in known.items():
        if region.first <= place <= region.last and place not in region.missing:
            for part in parts_of(region, names[place], len(truths)) or ():
                if truths[part]:
                    yield place, part
