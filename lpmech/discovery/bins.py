"""Randomised response on contiguous bins of labels: the optimum of many families on a line, and a formula for it.

Bins of neighbouring labels, each released as one label, t times as likely as the others, are a private channel with the
value (t - 1) sum_i p_i u(i, c(i)) + sum_c sum_i p_i u(i, c), divided by t + m - 1, of m bins with the labels c. Both
sums are over bins, so that the best bins for each m are found from left to right.

Which bins they are for every K is fitted: a few bins at either end, each with its size and its label as linear
functions of K, and bins of one constant size between them. Of a dual only the sum over a bin follows from them; tried
are the one that is below p_i u(i, c(i)) by the same at all labels of a bin, and the one of the first basis that is
optimal within the part, by the place of a label in its bin. Both are then checked exactly, also at the two largest K,
to which nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, product
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
from lpmech.terms import ONE, TRUE, ZERO, Choice, Name, Node
from lpmech.terms.functions import And, Eq, Ge, Le, Or, floor

__all__ = ["best_on_bins", "witnessed"]

_I, _J = map(Name, ("i", "j"))
#: So many bins at an end have a formula of their own.
_APART = 3
#: So often are ends taken apart for a dual.
_ENDS = 3


class Bin(NamedTuple):
    """Labels first..last, released as one of the labels."""

    first: int
    last: int
    label: int


def best_on_bins(
    utility: Array, prior: Array, t: Fraction, late: bool = False, high: bool = False
) -> tuple[Fraction, list[Bin]]:
    """The largest value of randomised response on contiguous bins, and bins that have it.

    Parameters
    ----------
    utility : array of Fraction, shape (K, J)
    prior : array of Fraction, shape (K,)
    t : Fraction
    late, high : bool
        Of equally good ones, those that begin late, and release the last labels; else the first ones.
    """
    weighted = [[Fraction(p) * Fraction(u) for u in row] for p, row in zip(prior, utility, strict=True)]
    common = lcm(*(x.denominator for row in weighted for x in row))
    sums = [[0, *accumulate(int(row[c] * common) for row in weighted)] for c in range(len(utility[0]))]
    above, below, size = t.numerator, t.denominator, len(prior)
    labels = range(len(sums))[:: -1 if high else 1]

    def worth(first: int, last: int) -> tuple[int, int]:
        paid = {c: (above - below) * (sums[c][last] - sums[c][first]) + below * sums[c][size] for c in labels}
        best = max(paid, key=lambda c: paid[c])
        return paid[best], best

    worths = {(first, last): worth(first, last) for last in range(1, size + 1) for first in range(last)}
    best = {last: (worths[0, last][0], 0) for last in range(1, size + 1)}
    found = [(Fraction(best[size][0], above * common), [best])]
    for bins in range(2, size + 1):
        starts = {last: range(bins - 1, last)[:: -1 if late else 1] for last in range(bins, size + 1)}
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
    def label(self) -> sp.Expr:
        """What is released in place of i."""
        if self.is_one:
            return self.first + self.shift
        behind = sp.Symbol("i") - self.first
        return self.first + self.shift + (behind if self.size == 1 else self.size * sp.floor(behind / self.size))

    def at_place(self, place: int) -> Node:
        """Whether i is so far behind the first label of its bin."""
        if self.is_one:
            return Eq(_I, in_terms(self.first + place))
        return Eq((_I - in_terms(self.first)) % in_terms(self.size), place)


def witnessed(part: Part, samples: Samples) -> Part:
    """A part with the channel and the dual that are found for it on bins and that nothing refuses."""
    letters = ("K",) if part.index is None else ("K", part.index.name)
    for late, high in product((False, True), repeat=2):
        bins = _best_bins(part, samples, late, high)
        groups = None if bins is None else _fitted(bins, letters)
        if bins is None or groups is None:
            continue
        found = replace(part, channel=_channel(groups))
        if refused(found, samples):
            continue
        is_even = _is_even(part, samples, bins)
        for parts in _finer(groups, min(map(len, bins.values()))):
            even = _even_dual(part, samples, bins, parts, letters) if is_even else None
            for dual in (even, _basic_dual(part, samples, bins, parts)):
                if dual is not None and not refused(replace(part, dual=dual), samples):
                    return replace(found, dual=dual)
        return found
    return part


def _best_bins(part: Part, samples: Samples, late: bool, high: bool) -> _Bins | None:
    """The best bins for each K and index of a part; None if bins are not the optimum."""
    found: dict[tuple[int, ...], list[Bin]] = {}
    for at in samples.instances():
        utility, prior = samples.problem(at)
        for t, best in samples.points(at):
            here = {**at, "t": t}
            if part.covers(here) and (key := _key(part, here, best)) not in found:
                value, found[key] = best_on_bins(utility, prior, t, late, high)
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


def _basic_dual(part: Part, samples: Samples, bins: _Bins, groups: Sequence[_Group]) -> Node | None:
    """The dual of the first basis that each K has within the part, by the place of a label in its bin."""
    if part.index is not None:
        return None
    duals = {key: _of_basis(part, samples, {"K": Fraction(key[0])}) for key in _used(bins)}
    number, found = _number(groups), list[Node]()
    for group in groups:
        if not group.size.is_Integer:
            return None
        values = list[Node]()
        for place in range(int(group.size)):
            at = dict[tuple[int, ...], sp.Expr]()
            for key, dual in duals.items():
                first, last = (int(end.subs(K, key[0])) for end in (group.first, group.last))
                own = range(first + place, last + 1, int(group.size))
                at |= {key if group.is_one else (*key, i): dual[i - 1] for i in own}
            value = _in_t(at, number, samples.family.base)
            if value is None:
                return None
            values.append(in_terms(value))
        usual = max(values, key=values.count)
        cases = [(value, group.at_place(n)) for n, value in enumerate(values) if value != usual]
        found.append(Choice((*cases, (usual, TRUE))) if cases else usual)
    return _by_label(groups, found)


def _of_basis(part: Part, samples: Samples, at: Mapping[str, Fraction]) -> Sequence[sp.Expr]:
    t = next(t for t, _ in samples.points(at) if part.covers({**at, "t": t}))
    regimes = samples.regimes(at)
    optimum = next(one.optimum for one in regimes if one.contains(as_rational(t)))
    return next(one.row_duals for one in regimes if one.optimum == optimum)


def _in_t(values: Mapping[tuple[int, ...], sp.Expr], number: sp.Expr, base: Fraction | None) -> sp.Expr | None:
    """A formula in t, K and i through rational functions of t whose poles are those of duals on bins."""
    t, found, above = sp.Symbol("t"), sp.Integer(0), dict[tuple[int, ...], sp.Poly]()
    for key, value in values.items():
        whole = sp.cancel(value * (T - 1) * (T + number.subs(K, key[0]) - 1))
        if not whole.is_polynomial(T):
            return None
        above[key] = sp.Poly(whole, T)
    letters = ("K", "i")[: len(next(iter(values)))]
    for power in range(3):
        fit = _through({at: Fraction(str(p.coeff_monomial(T**power))) for at, p in above.items()}, letters, base)
        if fit is None:
            return None
        found += fit * t**power
    return sp.cancel(found / ((t - 1) * (t + number - 1)))


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
