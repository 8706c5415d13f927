"""Bins of neighbouring labels, each released as one label, as formulas in K, and in the index if there is one.

From left to right there are runs of bins of one size. Where the size is the same for every K the number of bins is
linear in K and the index; where it grows with K, there are as many bins for every K. An index may have a part in it by
its parity: a run that is there only where it is odd has no bins where it is even.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import sympy as sp

from lpmech.discovery.closed import K, in_terms, linear_through
from lpmech.discovery.fitting import HELD_OUT
from lpmech.terms import ONE, TRUE, ZERO, Choice, Name, Node
from lpmech.terms.functions import And, Eq, Ge, Le, Or, floor

__all__ = ["Bin", "Bins", "Group", "by_label", "as_label", "channel_of", "finer", "fitted_groups", "used"]

_I, _J = map(Name, ("i", "j"))
#: So many bins of one size that are there for every K have a formula each.
_APART = 3
#: So often are ends taken apart for a dual.
_ENDS = 3
#: Labels of a bin that may have a part of the slack of its own, each.
_FEW = 4


class Bin(NamedTuple):
    """Labels first..last, released as one of the labels."""

    first: int
    last: int
    label: int


#: By K, and the index if there is one.
Bins = Mapping[tuple[int, ...], list[Bin]]


@dataclass(frozen=True)
class Group:
    """Bins that have one formula: the first label, the last one, size of a bin, and label minus first label of it."""

    first: sp.Expr
    last: sp.Expr
    size: sp.Expr
    shift: sp.Expr
    is_one: bool

    @property
    def has_few(self) -> bool:
        """Whether its bins have so few labels that each has a part of the slack of its own."""
        return bool(self.size.is_Integer and self.size <= _FEW)

    @property
    def label(self) -> sp.Expr:
        """What is released in place of i."""
        if self.is_one:
            return self.first + self.shift
        behind = sp.Symbol("i") - self.first
        return self.first + self.shift + (behind if self.size == 1 else self.size * sp.floor(behind / self.size))

    @property
    def number(self) -> sp.Expr:
        """Of bins."""
        return sp.Integer(1) if self.is_one else (self.last - self.first + 1) / self.size

    def bins(self, at: Mapping[str, int]) -> list[Bin]:
        """Its bins at numbers for the letters."""
        first, last, size, shift = (
            int(sp.floor(one.subs(at))) for one in (self.first, self.last, self.size, self.shift)
        )
        return [Bin(a, a + size - 1, a + shift) for a in range(first, last + 1, max(size, 1))]

    def places(self) -> Iterator[tuple[Place, Node]]:
        """Its labels by their place in their bin, and how each place is told: in a bin that grows beside its own."""
        if self.size.is_Integer:
            for place in range(int(self.size)):
                behind = self.first + place
                if self.is_one:
                    yield Place(behind, behind, 1, False), Eq(_I, in_terms(behind))
                else:
                    told = Eq((_I - in_terms(self.first)) % in_terms(self.size), place)
                    yield Place(behind, self.last, int(self.size), True), told
        else:
            before, behind = sp.expand(self.label - 1), sp.expand(self.label + 1)
            yield Place(self.first, before, 1, True), Le(_I, in_terms(before))
            yield Place(self.label, self.label, 1, False), Eq(_I, in_terms(self.label))
            yield Place(behind, self.last, 1, True), Ge(_I, in_terms(behind))


class Place(NamedTuple):
    """Every so many labels from one to another, by K; and whether a formula for them is one in i, too."""

    first: sp.Expr
    last: sp.Expr
    step: int
    is_of_i: bool

    def labels(self, size: int) -> range:
        first, last = (int(end.subs(K, size)) for end in (self.first, self.last))
        return range(first, last + 1, self.step)


#: Size of a bin and label minus first label of it, and how many of these stand side by side.
_Run = tuple[tuple[int, int], int]


def fitted_groups(bins: Bins, letters: Sequence[str]) -> list[Group] | None:
    """Groups that are all of the bins; None if they have no such formula.

    Parameters
    ----------
    bins : mapping
        By K, and the index.
    letters : sequence of str
        K, the index if there is one, and a letter for its parity if that matters.
    """
    at = {key: (*key, key[1] % 2) if len(letters) > 2 else key for key in bins}
    runs = {at[key]: _runs(bins[key]) for key in used(bins)}
    if not runs:
        return None
    longest = max(runs.values(), key=len)
    aligned = {point: found for point, own in runs.items() if (found := _aligned(own, longest)) is not None}
    most = {point[2:]: max(len(own) for other, own in runs.items() if other[2:] == point[2:]) for point in runs}
    clear = {point: found for point, found in aligned.items() if len(runs[point]) == most[point[2:]]}
    for some in (aligned, clear):
        groups = _groups(some, letters)
        numbers = (dict(zip(letters, at[key], strict=True)) for key in bins)
        if groups is not None and [[b for one in groups for b in one.bins(n)] for n in numbers] == [*bins.values()]:
            return groups
    return None


def _groups(runs: Mapping[tuple[int, ...], Sequence[_Run]], letters: Sequence[str]) -> list[Group] | None:
    """Formulas for runs that stand side by side."""
    groups, first = list[Group](), sp.Integer(1)
    for place in range(len(next(iter(runs.values()), ()))):
        kinds = {point: own[place][0] for point, own in runs.items() if own[place][1]}
        count = linear_through({point: own[place][1] for point, own in runs.items()}, letters)
        size, shift = (linear_through({p: kind[n] for p, kind in kinds.items()}, letters) for n in (0, 1))
        if count is None or size is None or shift is None or not (count.is_Integer or size.is_Integer):
            return None
        is_apart = count.is_Integer and (count <= _APART or not size.is_Integer)
        for _ in range(int(count) if is_apart else 1):
            behind = sp.expand(first + size * (1 if is_apart else count))
            groups.append(Group(first, sp.expand(behind - 1), size, shift, bool(is_apart)))
            first = behind
    return groups


def _runs(bins: Sequence[Bin]) -> list[_Run]:
    kinds = groupby((one.last - one.first + 1, one.label - one.first) for one in bins)
    return [(kind, len([*same])) for kind, same in kinds]


def _aligned(own: Sequence[_Run], longest: Sequence[_Run]) -> list[_Run] | None:
    """Runs side by side with others; those that are lacking have no bins. None if they are none of the others."""
    if len(own) == len(longest):
        return list(own)
    left, found = list(own), list[_Run]()
    for kind, _ in longest:
        found.append(left.pop(0) if left and left[0][0] == kind else (kind, 0))
    return None if left else found


def used(bins: Bins) -> list[tuple[int, ...]]:
    """The keys to which formulas are fitted: without the two largest K, if there is not one K alone."""
    sizes = sorted({key[0] for key in bins})
    if len(sizes) == 1:
        return list(bins)
    return [key for key in bins if key[0] not in sizes[-HELD_OUT:]] if len(sizes) >= HELD_OUT + 3 else []


def finer(groups: Sequence[Group], fewest: int) -> Iterator[list[Group]]:
    """The groups, then with the first and the last of bins that are alike apart, then two of either."""
    found = list(groups)
    for _ in range(_ENDS):
        if sum(one.is_one for one in found) <= fewest:
            yield found
        place = next((place for place, one in enumerate(found) if not one.is_one), None)
        if place is None:
            return
        one = found[place]
        first = replace(one, last=sp.expand(one.first + one.size - 1), is_one=True)
        last = replace(one, first=sp.expand(one.last - one.size + 1), is_one=True)
        between = replace(one, first=sp.expand(first.last + 1), last=sp.expand(last.first - 1))
        found[place : place + 1] = [first, between, last]


def by_label(groups: Sequence[Group], values: Sequence[Node]) -> Node:
    """A case distinction by the group of i; of equal values side by side one case."""
    cases = list[tuple[Node, Node]]()
    for group, value in zip(groups, values, strict=True):
        if cases and cases[-1][0] == value:
            cases.pop()
        cases.append((value, TRUE if group is groups[-1] else Le(_I, in_terms(group.last))))
    return cases[0][0] if len(cases) == 1 else Choice(tuple(cases))


def channel_of(groups: Sequence[Group]) -> Choice:
    """Randomised response on the bins."""
    number = sum(one.number for one in groups)
    label = by_label(groups, [as_label(group.label) for group in groups])
    own = Eq(_I, _J) if label == _I else Eq(_J, label)
    if number == 1:
        return Choice(((ONE, own), (ZERO, TRUE)))
    t, other = sp.Symbol("t"), _released(groups)
    rest = () if other == TRUE else ((ZERO, TRUE),)
    return Choice(((in_terms(t / (t + number - 1)), own), (in_terms(1 / (t + number - 1)), other), *rest))


def _released(groups: Sequence[Group]) -> Node:
    """Whether j is released."""
    conditions = list[Node]()
    alone = [group.label for group in groups if group.is_one]
    for group in (one for one in groups if not one.is_one):
        first, last = group.first + group.shift, group.last
        inside = []
        if group.size == 1:
            last += group.shift
            while (before := sp.expand(first - 1)) in alone:
                first = before
                alone.remove(before)
            while (behind := sp.expand(last + 1)) in alone:
                last = behind
                alone.remove(behind)
        else:
            inside = [Eq((_J - in_terms(first)) % in_terms(group.size), 0)]
        if group.size == 1 or group.first != 1:  # before the first bin there are no labels else
            inside += [Ge(_J, in_terms(first))] if first != 1 else []
        inside += [Le(_J, in_terms(last))] if last != K else []
        conditions.append(And(*inside) if len(inside) > 1 else inside[0] if inside else TRUE)
    conditions += [Eq(_J, in_terms(label)) for label in alone]
    return Or(*conditions) if len(conditions) > 1 else conditions[0]


def as_label(label: sp.Expr) -> Node:
    """A label; what is rounded stands apart."""
    for rounded in label.atoms(sp.floor):
        (inside,) = rounded.args
        size = label.coeff(rounded)
        return in_terms(sp.expand(label - size * rounded)) + in_terms(size) * floor(in_terms(inside))
    return in_terms(label)
