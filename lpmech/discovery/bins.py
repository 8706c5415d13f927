"""Randomised response on contiguous bins of labels: the optimum of many families on a line, and a formula for it.

Bins of neighbouring labels, each released as one label, t times as likely as the others, are a private channel with the
value (t - 1) sum_i p_i u(i, c(i)) + sum_c sum_i p_i u(i, c), divided by t + m - 1, of m bins with the labels c. Both
sums are over bins, so that the best bins for each m are found from left to right.

Which bins they are for every K is fitted: a few bins at either end, each with its size and its label as linear
functions of K, and bins of one constant size between them. Of a dual only the sum over a bin follows from them, and the
most that a label may be below p_i u(i, c(i)). Tried are the one that is below it by the same at all labels of a bin,
those in which each label has nothing of the sum, as much as it may, or a part of the rest, by its place in its bin (the
rules are found at one K, and kept where the others allow them), and the one of the first basis that is optimal within
the part. All are then checked exactly, also at the two largest K, to which nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, islice, product
from math import lcm
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from lpmech.discovery.closed import K, in_terms, linear_through, through
from lpmech.discovery.fitting import HELD_OUT
from lpmech.discovery.parts import Part, Samples
from lpmech.discovery.witnesses import refused
from lpmech.entries import Array
from lpmech.programs.optimality import dual_excess
from lpmech.programs.solvers.parametric import T
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import in_sympy
from lpmech.statements.numeric import fraction_of, holds
from lpmech.terms import ONE, TRUE, ZERO, Choice, Name, Node, names_in
from lpmech.terms.functions import And, Eq, Ge, Le, Or, floor

__all__ = ["best_on_bins", "witnessed"]

_I, _J = map(Name, ("i", "j"))
#: Which of equally good bins are taken (`best_on_bins`), in the order in which they are tried.
_TIES = ((1, 1), (1, -1), (-1, 1), (-1, -1))
#: So many bins at an end have a formula of their own.
_APART = 3
#: So often are ends taken apart for a dual.
_ENDS = 3
#: Labels of a bin that may have a part of the slack of its own, each.
_FEW = 4
#: So many ways of sharing slacks that are a dual at the largest K are tried at the others.
_MOST_SHARES = 8
#: The smallest numbers of labels, so many, may have another dual than the larger ones.
_MOST_APART = 2


class Bin(NamedTuple):
    """Labels first..last, released as one of the labels."""

    first: int
    last: int
    label: int


def best_on_bins(
    utility: Array, prior: Array, t: Fraction, ties: tuple[int, int] = (1, 1)
) -> tuple[Fraction, list[Bin]]:
    """The largest value of randomised response on contiguous bins, and bins that have it.

    Parameters
    ----------
    utility : array of Fraction, shape (K, J)
    prior : array of Fraction, shape (K,)
    t : Fraction
    ties : pair of 1 or -1
        Of equally good bins those that begin first (1) or last (-1), and of equally good labels the first or the last.
    """
    weighted = [[Fraction(p) * Fraction(u) for u in row] for p, row in zip(prior, utility, strict=True)]
    common = lcm(*(x.denominator for row in weighted for x in row))
    sums = [[0, *accumulate(int(row[c] * common) for row in weighted)] for c in range(len(utility[0]))]
    above, below, size = t.numerator, t.denominator, len(prior)
    labels = range(len(sums))[:: ties[1]]

    def worth(first: int, last: int) -> tuple[int, int]:
        paid = {c: (above - below) * (sums[c][last] - sums[c][first]) + below * sums[c][size] for c in labels}
        best = max(paid, key=lambda c: paid[c])
        return paid[best], best

    worths = {(first, last): worth(first, last) for last in range(1, size + 1) for first in range(last)}
    best = {last: (worths[0, last][0], 0) for last in range(1, size + 1)}
    found = [(Fraction(best[size][0], above * common), [best])]
    for bins in range(2, size + 1):
        starts = {last: range(bins - 1, last)[:: ties[0]] for last in range(bins, size + 1)}
        best = {
            last: max(((best[a][0] + worths[a, last][0], a) for a in starts[last]), key=lambda pair: pair[0])
            for last in starts
        }
        found.append((Fraction(best[size][0], (above + (bins - 1) * below) * common), [*found[-1][1], best]))
    value, layers = max(found, key=lambda pair: pair[0])
    made, last = list[Bin](), size
    for layer in reversed(layers):
        first = layer[last][1]
        made.append(Bin(first + 1, last, worths[first, last][1] + 1))
        last = first
    return value, made[::-1]


#: By K, and the index if there is one.
_Bins = Mapping[tuple[int, ...], list[Bin]]


@dataclass(frozen=True)
class _Group:
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

    def places(self) -> Iterator[tuple[_Place, Node]]:
        """Its labels by their place in their bin, and how each place is told: in a bin that grows beside its own."""
        if self.size.is_Integer:
            for place in range(int(self.size)):
                behind = self.first + place
                if self.is_one:
                    yield _Place(behind, behind, 1, False), Eq(_I, in_terms(behind))
                else:
                    told = Eq((_I - in_terms(self.first)) % in_terms(self.size), place)
                    yield _Place(behind, self.last, int(self.size), True), told
        else:
            before, behind = sp.expand(self.label - 1), sp.expand(self.label + 1)
            yield _Place(self.first, before, 1, True), Le(_I, in_terms(before))
            yield _Place(self.label, self.label, 1, False), Eq(_I, in_terms(self.label))
            yield _Place(behind, self.last, 1, True), Ge(_I, in_terms(behind))


class _Place(NamedTuple):
    """Every so many labels from one to another, by K; and whether a formula for them is one in i, too."""

    first: sp.Expr
    last: sp.Expr
    step: int
    is_of_i: bool

    def labels(self, size: int) -> range:
        first, last = (int(end.subs(K, size)) for end in (self.first, self.last))
        return range(first, last + 1, self.step)


def witnessed(part: Part, samples: Samples) -> list[Part]:
    """A part with the channel and the dual that are found for it on bins and that nothing refuses.

    Where the dual is one only from some K on, the few smaller ones are parts of their own before it.
    """
    letters = ("K",) if part.index is None else ("K", part.index.name)
    for ties in _TIES:
        bins = _best_bins(part, samples, ties)
        groups = None if bins is None else _fitted(bins, letters)
        if bins is None or groups is None:
            continue
        found = replace(part, channel=_channel(groups))
        if refused(found, samples):
            continue
        is_even = _is_even(part, samples, bins)
        for parts in _finer(groups, min(map(len, bins.values()))):
            even = _even_dual(part, samples, bins, parts, letters) if is_even else None
            if even is not None and not refused(replace(part, dual=even), samples):
                return [replace(found, dual=even)]
            for start, dual in _by_places(part, samples, bins, parts):
                larger = _from(found, start)
                if not refused(replace(larger, channel=None, dual=dual), samples):
                    smaller = [_at(found, size) for size in sorted(key[0] for key in bins) if size < start]
                    return [*smaller, replace(larger if smaller else found, dual=dual)]
        return [found]
    return [part]


def _from(part: Part, start: int) -> Part:
    """The part from some K on."""
    return replace(part, when=And(Name("K") >= start, *_beside(part, start)))


def _at(part: Part, size: int) -> Part:
    """The part at one K."""
    return replace(part, when=And(Eq(Name("K"), size), *_beside(part, size)))


def _beside(part: Part, size: int) -> list[Node]:
    """The conditions of a part without those on K alone that hold at so many labels and at all larger numbers."""
    return [
        one
        for one in part.conditions
        if names_in(one) != {"K"} or not all(holds(one, {"K": sp.Integer(n)}) for n in (size, size + 1, size + 10**6))
    ]


def _best_bins(part: Part, samples: Samples, ties: tuple[int, int]) -> _Bins | None:
    """The best bins for each K and index of a part; None if bins are not the optimum."""
    found: dict[tuple[int, ...], list[Bin]] = {}
    for at in samples.instances():
        utility, prior = samples.problem(at)
        for t, best in samples.points(at):
            here = {**at, "t": t}
            if part.covers(here) and (key := _key(part, here, best)) not in found:
                value, found[key] = best_on_bins(utility, prior, t, ties)
                if value != best:
                    return None
    return found


def _key(part: Part, here: Mapping[str, Fraction], best: Fraction) -> tuple[int, ...]:
    """K, and the index that is best."""
    size = int(here["K"])
    return (size,) if part.index is None else (size, int(part.best_letters(here, best)[part.index.name]))


def _used(bins: _Bins) -> list[tuple[int, ...]]:
    """The keys to which formulas are fitted: without the two largest K, if there is not one K alone."""
    sizes = sorted({key[0] for key in bins})
    if len(sizes) == 1:
        return list(bins)
    return [key for key in bins if key[0] not in sizes[-HELD_OUT:]] if len(sizes) >= HELD_OUT + 3 else []


def _fitted(bins: _Bins, letters: Sequence[str]) -> list[_Group] | None:
    """Groups that are all of the bins, with as few bins apart from the others as may be."""
    if not _used(bins):
        return None
    for before, after in sorted(product(range(_APART + 1), repeat=2), key=sum):
        groups = _groups(bins, before, after, letters)
        if groups is not None and all(_told(groups, key, letters) == own for key, own in bins.items()):
            return groups
    return None


def _groups(bins: _Bins, before: int, after: int, letters: Sequence[str]) -> list[_Group] | None:
    """So many bins apart at either end, and the rest alike; None if they have no such formula."""
    counts = list(map(len, bins.values()))
    alike = (one for key in _used(bins) for one in _middle(bins[key], before, after))
    between = {(one.last - one.first + 1, one.label - one.first) for one in alike}
    if min(counts) < before + after or len(between) > 1 or (between and max(counts) == before + after + 1):
        return None
    apart = []
    for place in (*range(before), *range(-after, 0)):
        own = {key: bins[key][place] for key in _used(bins)}
        size = linear_through({key: one.last - one.first + 1 for key, one in own.items()}, letters)
        shift = linear_through({key: one.label - one.first for key, one in own.items()}, letters)
        if size is None or shift is None:
            return None
        apart.append((size, shift))
    groups, first = list[_Group](), sp.Integer(1)
    for place, (size, shift) in enumerate([*apart[:before], *between, *apart[before:]]):
        is_one = not (between and place == before)
        last = first + size - 1 if is_one else K - sum(own for own, _ in apart[before:])
        groups.append(_Group(first, last, sp.sympify(size), sp.sympify(shift), is_one))
        first = sp.expand(last + 1)
    return groups


def _finer(groups: Sequence[_Group], fewest: int) -> Iterator[list[_Group]]:
    """The groups, then with the first and the last of the bins that are alike apart, then two of either."""
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


def _middle(bins: list[Bin], before: int, after: int) -> list[Bin]:
    return bins[before : len(bins) - after]


def _members(groups: Sequence[_Group], place: int, bins: list[Bin]) -> list[Bin]:
    """The bins of one group."""
    if not groups[place].is_one:
        return _middle(bins, place, len(groups) - 1 - place)
    return [bins[place if all(one.is_one for one in groups[:place]) else place - len(groups)]]


def _told(groups: Sequence[_Group], key: Sequence[int], letters: Sequence[str]) -> list[Bin]:
    """The bins of the formulas at numbers."""
    at = dict(zip(map(sp.Symbol, letters), key, strict=True))
    found = []
    for group in groups:
        numbers = (group.first, group.last, group.size, group.shift)
        first, last, size, shift = (int(sp.floor(number.subs(at))) for number in numbers)
        found += [Bin(a, a + size - 1, a + shift) for a in range(first, last + 1, max(size, 1))]
    return found


def _by_label(groups: Sequence[_Group], values: Sequence[Node]) -> Node:
    """A case distinction by the group of i; of equal values side by side one case."""
    cases = list[tuple[Node, Node]]()
    for group, value in zip(groups, values, strict=True):
        if cases and cases[-1][0] == value:
            cases.pop()
        cases.append((value, TRUE if group is groups[-1] else Le(_I, in_terms(group.last))))
    return cases[0][0] if len(cases) == 1 else Choice(tuple(cases))


def _number(groups: Sequence[_Group]) -> sp.Expr:
    """Of bins."""
    return sum((1 if one.is_one else (one.last - one.first + 1) / one.size for one in groups), sp.Integer(0))


def _channel(groups: Sequence[_Group]) -> Node:
    number = _number(groups)
    label = _by_label(groups, [_as_term(group.label) for group in groups])
    own = Eq(_I, _J) if label == _I else Eq(_J, label)
    if number == 1:
        return Choice(((ONE, own), (ZERO, TRUE)))
    t, other = sp.Symbol("t"), _released(groups)
    rest = () if other == TRUE else ((ZERO, TRUE),)
    return Choice(((in_terms(t / (t + number - 1)), own), (in_terms(1 / (t + number - 1)), other), *rest))


def _released(groups: Sequence[_Group]) -> Node:
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


def _as_term(label: sp.Expr) -> Node:
    """A label; what is rounded stands apart."""
    for rounded in label.atoms(sp.floor):
        (inside,) = rounded.args
        size = label.coeff(rounded)
        return in_terms(sp.expand(label - size * rounded)) + in_terms(size) * floor(in_terms(inside))
    return in_terms(label)


#: What a label has of the slack of its bin: nothing, as much as it may, or a part of what these leave, an equal one or
#: one in proportion to what the next released label loses.
_NOTHING, _MOST, _EQUAL, _LOST = range(4)
_Shares = tuple[tuple[int, ...], ...]


def _rules(group: _Group) -> list[tuple[int, ...]]:
    """Shares by the place in a bin; in one of many labels, of its own label and of the others."""
    places = int(group.size) if group.has_few else 2
    kinds = (_EQUAL,) if group.has_few else (_EQUAL, _LOST)
    found = (rule for kind in kinds for rule in product((kind, _MOST, _NOTHING), repeat=places) if kind in rule)
    return sorted(found, key=lambda rule: len(set(rule)))


@dataclass(frozen=True)
class _Bounds:
    """Slacks w(i, c(i)) - pi_i at one K; they are quadratic in t above (t - 1) (t + m - 1), of m bins.

    By complementary slackness those of a bin sum to (V - C_c)/(t - 1), V the value and C_j the sum of column j, and a
    label's is at most w(i, c(i)) - w(i, j) for another j, and so much more as that of j where j is not released.

    Attributes
    ----------
    weights : array, shape (K, J)
    bins : list of Bin
    points : list of (t, value at t)
    gained : array, shape (K,)
        w(i, c(i)).
    below : array, shape (3,)
        The denominator: coefficients of 1, t, t^2.
    columns, most : array, shape (J, 3) and (K, 3)
        Numerators of the slack of a column, and of the most that a label may have.
    lost : array, shape (K,)
        What a label loses if the best of the other columns that are released is.
    """

    weights: Array
    bins: list[Bin]
    points: list[tuple[Fraction, Fraction]]
    gained: Array
    below: Array
    columns: Array
    most: Array
    lost: Array

    @classmethod
    def of(cls, part: Part, samples: Samples, size: int, bins: list[Bin]) -> _Bounds:
        at = {"K": Fraction(size)}
        utility, prior = samples.problem(at)
        weights, number = prior[:, None] * utility, len(bins)
        points = [(t, best) for t, best in samples.points(at, to_the_ends=True) if part.covers({**at, "t": t})]
        own = np.repeat([one.label - 1 for one in bins], [one.last - one.first + 1 for one in bins])
        gained, sums = weights[range(size), own], weights.sum(axis=0)
        below = np.array([1 - number, number - 2, 1], dtype=object)
        value = [sum(sums[one.label - 1] for one in bins) - gained.sum(), gained.sum(), 0]
        columns = value - np.outer(sums, [number - 1, 1, 0])
        t, used = points[0][0], sorted(set(own))
        beside = columns.copy()
        beside[used] = 0
        least = weights - (beside @ _powers(t)) / (below @ _powers(t))
        least[range(size), own] = weights.min() - 1
        other = least.argmax(axis=1)
        most = np.outer(gained - weights[range(size), other], below) + beside[other]
        return cls(weights, bins, points, gained, below, columns, most, gained - least[:, used].max(axis=1))

    def shares(self, groups: Sequence[_Group]) -> Iterator[_Shares]:
        """The rules for all groups that are a dual at this K, found group by group."""

        def extended(done: _Shares, above: list[Array]) -> Iterator[_Shares]:
            if any((x > 0).any() for x in above):
                return
            if len(done) == len(groups):
                yield done
                return
            for rule in _rules(groups[len(done)]):
                further = self._above(groups, len(done), rule)
                yield from extended((*done, rule), [x + y for x, y in zip(above, further, strict=True)])

        without = np.maximum(self.weights - self.gained[:, None], 0).sum(axis=0)
        sums = self.weights.sum(axis=0)
        yield from extended((), [sums - value + (t - 1) * without for t, value in self.points])

    def allow(self, groups: Sequence[_Group], shares: _Shares) -> bool:
        """Whether these rules are a dual at this K."""
        duals = self.duals(groups, shares)
        at = ((t, duals @ _powers(t) / (self.below @ _powers(t))) for t, _ in self.points)
        return all(dual_excess(self.weights, t, dual, {}).max() <= 0 for t, dual in at)

    def duals(self, groups: Sequence[_Group], shares: _Shares) -> Array:
        """Numerators of the duals."""
        slacks = np.vstack(
            [
                self._slacks(one, groups[place], rule)
                for place, rule in enumerate(shares)
                for one in _members(groups, place, self.bins)
            ]
        )
        return np.outer(self.gained, self.below) - slacks

    def _above(self, groups: Sequence[_Group], place: int, rule: tuple[int, ...]) -> list[Array]:
        """By how much the slacks of a group raise each column's constraint, at each point."""
        rises = [np.zeros(self.weights.shape[1], dtype=object) for _ in self.points]
        for one in _members(groups, place, self.bins):
            rows, slacks = slice(one.first - 1, one.last), self._slacks(one, groups[place], rule)
            more = self.weights[rows] - self.weights[rows, one.label - 1][:, None]
            for number, (t, _) in enumerate(self.points):
                own = (slacks @ _powers(t)) / (self.below @ _powers(t))
                rises[number] = rises[number] + (t - 1) * (
                    np.maximum(more + own[:, None], 0) - np.maximum(more, 0)
                ).sum(axis=0)
        return rises

    def _slacks(self, one: Bin, group: _Group, rule: tuple[int, ...]) -> Array:
        """Numerators of the slacks of one bin, shape (labels, 3)."""
        labels = range(one.first, one.last + 1)
        shares = rule if group.has_few else [rule[label != one.label] for label in labels]
        slacks = np.zeros((len(labels), 3), dtype=object)
        for place, share in enumerate(shares):
            if share == _MOST:
                slacks[place] = self.most[one.first - 1 + place]
        lost = self.lost[one.first - 1 : one.last]
        parts = [
            Fraction(share == _EQUAL) if share != _LOST else loss for share, loss in zip(shares, lost, strict=True)
        ]
        if sum(parts):
            slacks += np.outer(
                np.array(parts, dtype=object), (self.columns[one.label - 1] - slacks.sum(axis=0)) / sum(parts)
            )
        return slacks


def _powers(t: Fraction) -> Array:
    return np.array([1, t, t * t], dtype=object)


def _even_dual(
    part: Part, samples: Samples, bins: _Bins, groups: Sequence[_Group], letters: Sequence[str]
) -> Node | None:
    """The dual with the same slack at all labels of a bin, if its parts have formulas."""
    value, family, found = in_sympy(part.value), samples.family, list[Node]()
    for place, group in enumerate(groups):
        columns, weights = dict[tuple[int, ...], Fraction](), dict[tuple[int, ...], Fraction]()
        for key in _used(bins):
            utility, prior = samples.problem({"K": Fraction(key[0])})
            for first, last, label in _members(groups, place, bins[key]):
                columns[key if group.is_one else (key[0], label)] = (prior * utility[:, label - 1]).sum()
                for i in range(first, last + 1):
                    own = prior[i - 1] * utility[i - 1, label - 1]
                    if weights.setdefault((key[0], i), own) != own:
                        weights[key[0], -i] = own  # another one at another index: no formula in K and i
        column = _through(columns, letters if group.is_one else ("K", "y"), family.base)
        if column is None:
            return None
        slack = sp.cancel((value - column.subs(sp.Symbol("y"), group.label)) / ((sp.Symbol("t") - 1) * group.size))
        weight = _through(weights, ("K", "i"), family.base)
        if weight is not None:
            found.append(in_terms(weight - slack))
        elif isinstance(family.utility, Node):
            u, p = family.u(_I, _as_term(group.label)), family.p(_I)
            plain = u / Name("K") if p == 1 / Name("K") else p * u
            found.append(plain if slack == 0 else plain - in_terms(slack))
        else:
            return None
    return _by_label(groups, found)


def _fitted_dual(
    polynomials: Mapping[tuple[int, ...], Array], samples: Samples, groups: Sequence[_Group]
) -> Node | None:
    """A formula for duals by the place of a label in its bin, in a bin that grows before, at and behind its own label.

    Parameters
    ----------
    polynomials : mapping
        For each K the coefficients of 1, t, t^2 of each dual times (t - 1) (t + m - 1), of m bins, shape (K, 3).
    """
    below, cases = (sp.Symbol("t") - 1) * (sp.Symbol("t") + _number(groups) - 1), list[tuple[Node, Node]]()
    for group in groups:
        within, own = TRUE if group is groups[-1] else Le(_I, in_terms(group.last)), list[tuple[Node, Node]]()
        for place, condition in group.places():
            at = dict[tuple[int, ...], Array]()
            for key, above in polynomials.items():
                at |= {(*key, i) if place.is_of_i else key: above[i - 1] for i in place.labels(key[0])}
            if at:
                value = _in_t(at, below, samples.family.base)
                if value is None:
                    return None
                is_told = within == TRUE or not (place.is_of_i and place.last == group.last)
                own.append((in_terms(value), condition if is_told else And(condition, within)))
        values = [value for value, _ in own]
        usual = max(values, key=values.count)
        apart = [case for case in own if case[0] != usual]
        if not apart and cases and cases[-1][0] == usual:
            cases.pop()
        cases += [*apart, (usual, within)]
    return cases[0][0] if len(cases) == 1 else Choice(tuple(cases))


def _by_places(part: Part, samples: Samples, bins: _Bins, groups: Sequence[_Group]) -> Iterator[tuple[int, Node]]:
    """Duals, and from which K on: first those whose slack is shared in each bin by one rule, then that of a basis."""
    if part.index is not None:
        return
    bounds = {key: _Bounds.of(part, samples, key[0], own) for key, own in bins.items()}
    used, found = _used(bins), list[tuple[int, _Shares]]()
    for shares in islice(bounds[max(used)].shares(groups), _MOST_SHARES):
        others = [key for key, one in bounds.items() if not one.allow(groups, shares)]
        if len(others) <= _MOST_APART and sum(key > max(others, default=(0,)) for key in used) > HELD_OUT:
            found.append((max(others, default=(0,))[0], shares))
    for last, shares in sorted(found):
        numerators = {key: bounds[key].duals(groups, shares) for key in used if key[0] > last}
        if (dual := _fitted_dual(numerators, samples, groups)) is not None:
            yield min(numerators)[0], dual
    basic = _basic_duals(part, samples, bins)
    if basic is not None and (dual := _fitted_dual(basic, samples, groups)) is not None:
        yield min(key[0] for key in bins), dual


def _basic_duals(part: Part, samples: Samples, bins: _Bins) -> dict[tuple[int, ...], Array] | None:
    """Of the first basis that each K has within the part; None if a pole is none of those of duals on bins."""
    found = dict[tuple[int, ...], Array]()
    for key in _used(bins):
        at = {"K": Fraction(key[0])}
        t = next(t for t, _ in samples.points(at) if part.covers({**at, "t": t}))
        regimes = samples.regimes(at)
        optimum = next(one.optimum for one in regimes if one.contains(as_rational(t)))
        duals = next(one.row_duals for one in regimes if one.optimum == optimum)
        above = [sp.cancel(dual * (T - 1) * (T + len(bins[key]) - 1)) for dual in duals]
        if not all(whole.is_polynomial(T) and sp.degree(whole, T) <= 2 for whole in above):
            return None
        found[key] = np.array(
            [[fraction_of(sp.sympify(whole).coeff(T, power)) for power in range(3)] for whole in above], dtype=object
        )
    return found


def _in_t(values: Mapping[tuple[int, ...], Array], below: sp.Expr, base: Fraction | None) -> sp.Expr | None:
    """A formula in t, K and i above a denominator, through coefficients of 1, t and t^2."""
    letters, found = ("K", "i")[: len(next(iter(values)))], sp.Integer(0)
    for power in range(3):
        fit = _through({at: above[power] for at, above in values.items()}, letters, base)
        if fit is None:
            return None
        found += fit * sp.Symbol("t") ** power
    return sp.cancel(found / below)


def _is_even(part: Part, samples: Samples, bins: _Bins) -> bool:
    """Whether the same slack at all labels of a bin is a dual at the smallest K, before a formula is looked for."""
    smallest = min(key[0] for key in bins)
    (at,) = (one for one in samples.instances() if one["K"] == smallest)
    utility, prior = samples.problem(at)
    weights = prior[:, None] * utility
    for t, best in samples.points(at, to_the_ends=True):
        here = {**at, "t": t}
        if not part.covers(here):
            continue
        dual = list[Fraction]()
        for first, last, label in bins.get(_key(part, here, best), ()):
            slack = (best - weights[:, label - 1].sum()) / ((t - 1) * (last - first + 1))
            dual += [weights[i, label - 1] - slack for i in range(first - 1, last)]
        if not dual or dual_excess(weights, t, np.array(dual, dtype=object), {}).max() > 0:
            return False
    return True


def _through(values: Mapping[tuple[int, ...], Fraction], letters: Sequence[str], base: Fraction | None) -> Any:
    """A constant, or a formula through values."""
    if len(set(values.values())) == 1:
        return sp.Rational(str(next(iter(values.values()))))
    found = through(values, letters, spare=1)
    return through(values, letters, spare=1, base=base) if found is None and base is not None else found
