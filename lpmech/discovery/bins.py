"""Randomised response on contiguous bins of labels: the optimum of many families on a line, and a formula for it.

Bins of neighbouring labels, each released as one label, t times as likely as the others, are a private channel with the
value (t - 1) sum_i p_i u(i, c(i)) + sum_c sum_i p_i u(i, c), divided by t + m - 1, of m bins with the labels c. Both
sums are over bins, so that the best bins for each m are found from left to right.

Which bins they are for every K is fitted (`lpmech.discovery.groups`). Of a dual only the sum over a bin follows from
them, and the most that a label may be below p_i u(i, c(i)). Tried are the one that is below it by the same at all
labels of a bin, those in which each label has nothing of the sum, as much as it may, or a part of the rest, by its
place in its bin (the rules are found at one K, and kept where the others allow them: `lpmech.discovery.slacks`), and
the one of the first basis that is optimal within the part. All are then checked exactly, also at the two largest K, to
which nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, islice, product
from math import lcm
from typing import Any

import numpy as np
import sympy as sp

from lpmech.discovery.closed import ODD, in_terms, through
from lpmech.discovery.fitting import HELD_OUT
from lpmech.discovery.groups import Bin, Bins, Group, as_label, by_label, channel_of, finer, fitted_groups, used
from lpmech.discovery.parts import Index, Part, Samples
from lpmech.discovery.slacks import Bounds, Shares
from lpmech.discovery.witnesses import refused
from lpmech.entries import Array
from lpmech.programs.optimality import dual_excess
from lpmech.programs.solvers.parametric import T
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import in_sympy
from lpmech.statements.numeric import fraction_of, holds
from lpmech.terms import TRUE, Choice, Name, Node, names_in, substituted
from lpmech.terms.functions import And, Eq, Le

__all__ = ["best_on_bins", "witnessed"]

_I = Name("i")
#: Which of equally good bins are taken (`best_on_bins`), in the order in which they are tried.
_TIES = ((1, 1), (1, -1), (-1, 1), (-1, -1))
#: So many ways of sharing slacks that are a dual at the largest K are tried at the others.
_MOST_SHARES = 8
#: The smallest numbers of labels, so many, may have another dual than the larger ones.
_MOST_APART = 2


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


def witnessed(part: Part, samples: Samples) -> list[Part]:
    """A part with the channel and the dual that are found for it on bins and that nothing refuses.

    Where the dual is one only from some K on, the few smaller ones are parts of their own before it.
    """
    plain = ("K",) if part.index is None else ("K", part.index.name)
    for ties, letters in product(_TIES, (plain,) if part.index is None else (plain, (*plain, ODD))):
        bins = _best_bins(part, samples, ties)
        groups = None if bins is None else fitted_groups(bins, letters)
        channel: Node | None = None if groups is None else channel_of(groups)
        if bins and channel is None and part.index is not None:
            channel = _first_apart(bins, letters, part.index)
        if bins is None or channel is None:
            continue
        found = replace(part, channel=substituted(channel, {ODD: Name(plain[-1]) % 2}))
        if refused(found, samples):
            continue
        if groups is None:
            return [found]
        is_even = _is_even(part, samples, bins)
        for parts in finer(groups, min(map(len, bins.values()))):
            even = _even_dual(part, samples, bins, parts, letters) if is_even and ODD not in letters else None
            if even is not None and not refused(replace(part, dual=even), samples):
                return [replace(found, dual=even)]
            for start, dual in _by_places(part, samples, bins, parts):
                larger = _from(found, start)
                if not refused(replace(larger, channel=None, dual=dual), samples):
                    smaller = [_at(found, size) for size in sorted(key[0] for key in bins) if size < start]
                    return [*smaller, replace(larger if smaller else found, dual=dual)]
        return [found]
    return [part]


def _first_apart(bins: Bins, letters: Sequence[str], index: Index) -> Node | None:
    """The channel where the first index has bins of another form than the others."""
    least = min(m for _, m in bins)
    apart = fitted_groups({(size,): own for (size, m), own in bins.items() if m == least}, ("K",))
    others = fitted_groups({key: own for key, own in bins.items() if key[1] > least}, letters)
    if apart is None or others is None:
        return None
    is_first = Eq(Name(index.name), least)
    first = [(q, is_first if own == TRUE else And(is_first, own)) for q, own in channel_of(apart).cases]
    return Choice((*first, *channel_of(others).cases))


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


def _best_bins(part: Part, samples: Samples, ties: tuple[int, int]) -> Bins | None:
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


def _even_dual(
    part: Part, samples: Samples, bins: Bins, groups: Sequence[Group], letters: Sequence[str]
) -> Node | None:
    """The dual with the same slack at all labels of a bin, if its parts have formulas."""
    value, family, found = in_sympy(part.value), samples.family, list[Node]()
    for group in groups:
        columns, weights = dict[tuple[int, ...], Fraction](), dict[tuple[int, ...], Fraction]()
        for key in used(bins):
            utility, prior = samples.problem({"K": Fraction(key[0])})
            for first, last, label in group.bins(dict(zip(letters, key, strict=False))):
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
            u, p = family.u(_I, as_label(group.label)), family.p(_I)
            plain = u / Name("K") if p == 1 / Name("K") else p * u
            found.append(plain if slack == 0 else plain - in_terms(slack))
        else:
            return None
    return by_label(groups, found)


def _fitted_dual(
    polynomials: Mapping[tuple[int, ...], Array], samples: Samples, groups: Sequence[Group]
) -> Node | None:
    """A formula for duals by the place of a label in its bin, in a bin that grows before, at and behind its own label.

    Parameters
    ----------
    polynomials : mapping
        For each K the coefficients of 1, t, t^2 of each dual times (t - 1) (t + m - 1), of m bins, shape (K, 3).
    """
    t, cases = sp.Symbol("t"), list[tuple[Node, Node]]()
    below = (t - 1) * (t + sum(one.number for one in groups) - 1)
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


def _by_places(part: Part, samples: Samples, bins: Bins, groups: Sequence[Group]) -> Iterator[tuple[int, Node]]:
    """Duals, and from which K on: first those whose slack is shared in each bin by one rule, then that of a basis."""
    if part.index is not None:
        return
    bounds = {key: Bounds.of(part, samples, key[0], own) for key, own in bins.items()}
    fitted, found = used(bins), list[tuple[int, Shares]]()
    for shares in islice(bounds[max(fitted)].shares(groups), _MOST_SHARES):
        others = [key for key, one in bounds.items() if not one.allow(groups, shares)]
        if len(others) <= _MOST_APART and sum(key > max(others, default=(0,)) for key in fitted) > HELD_OUT:
            found.append((max(others, default=(0,))[0], shares))
    for last, shares in sorted(found):
        numerators = {key: bounds[key].duals(groups, shares) for key in fitted if key[0] > last}
        if (dual := _fitted_dual(numerators, samples, groups)) is not None:
            yield min(numerators)[0], dual
    basic = _basic_duals(part, samples, bins)
    if basic is not None and (dual := _fitted_dual(basic, samples, groups)) is not None:
        yield min(key[0] for key in bins), dual


def _basic_duals(part: Part, samples: Samples, bins: Bins) -> dict[tuple[int, ...], Array] | None:
    """Of the first basis that each K has within the part; None if a pole is none of those of duals on bins."""
    found = dict[tuple[int, ...], Array]()
    for key in used(bins):
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


def _is_even(part: Part, samples: Samples, bins: Bins) -> bool:
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
