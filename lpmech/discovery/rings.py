"""Utilities that a rotation of the labels does not change: randomised response on windows around the true label.

Lemma. Let every value stand in each row and in each column of u equally often, and the prior be uniform. Write S for
the sum of a column and, of the values that are at least c, N for their number in a column and T for their sum. For
every t > 1 the optimum is the largest, over the values c of u, of v_c = (S + (t-1) T) / (K + (t-1) N).

Proof. The channel that releases j with t / (t N + K - N) where u(i, j) >= c, else with the t-th part of it, is private;
its rows sum to one, since a row has as many values of at least c as a column; its expected utility is v_c. The dual
that is v / K for every label is feasible if, for each column, S - K v + (t-1) sum_i max(u_i - v, 0) <= 0. The left side
falls in v and vanishes at one v. There the maximum is positive exactly where u_i > v, so that S - K v + (t-1) (T - N v)
vanishes for the least value c above v: v is v_c. The dual proves v, the channel attains it. (Where no value is above v,
all are equal.) More labels than outputs, or fewer, change nothing but the number of rows.

A utility that the rotation i -> i + 1, j -> j + 1 (K before 1) leaves as it is satisfies the hypothesis.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from lpmech.discovery.closed import in_terms, through
from lpmech.discovery.family import Family
from lpmech.discovery.lemmas import of_rings
from lpmech.discovery.parts import Index, Part, Shown
from lpmech.discovery.shells import Shells
from lpmech.discovery.witnesses import on_windows, shared
from lpmech.prove.rational_functions import as_rational
from lpmech.prove.texts import in_sympy
from lpmech.statements.numeric import fraction_of, numeric
from lpmech.terms import ONE, TRUE, ZERO, Name, Node, Repeated, substituted, term
from lpmech.terms.functions import Abs, And, Eq, Le, Min, Whole, floor

__all__ = ["rings", "shells", "windows"]

_K, _T, _I, _J = map(Name, ("K", "t", "i", "j"))
#: The largest radius of a window that is a number.
_RADII = 3
#: At so many labels the values next to the true one are looked at, and from which on the others are alike.
_MANY = 11


def windows(total: Node, labels: Node, mass: Node, members: Node) -> Node:
    """v_c of the lemma: S, the number of labels, T and N."""
    return (total + (_T - 1) * mass) / (labels + (_T - 1) * members)


def rings(family: Family, shown: Shown) -> list[Part]:
    """The optimum where a rotation of the labels changes nothing; empty where that is not so."""
    if family.prior is None or not isinstance(family.utility, Node) or not _rotates(family):
        return []
    if not (shown.shows(Eq(family.prior, 1 / _K), Whole(_I), _I >= 1, _I <= _K) and _is_rotation(family, shown)):
        return []
    return _of_two_values(family, shown) or _of_few_values(family, shown) or _of_falling_values(family, shown)


def shells(family: Family, shown: Shown) -> list[Part]:
    """The optimum of a problem on words or sets, uniform prior; empty for others."""
    found = family.utility
    if not isinstance(found, Shells) or family.prior is None:
        return []
    if not all(shown.shows(node) for node in (Eq(family.prior, 1 / _K), *found.identities)):
        return []
    value = windows(found.sums.total, _K, found.sums.mass, found.sums.members)
    if found.sums.total == found.sums.mass == found.sums.members:
        value = found.sums.members * _T / (found.sums.members * _T + _K - found.sums.members)
    index = None if found.last is None else Index("r", ZERO, found.last)
    how = "all that has at least some value with t times the probability of the rest"
    channel = on_windows(found.inside, found.sums.members, found.outputs)
    part = Part(value, index=index, best=found.best, attained=how, channel=channel, dual=shared(value))
    return [shown.proved(part, found.argument, of_rings)]


def _rotates(family: Family) -> bool:
    """Whether a rotation changes nothing at five labels, before it is asked for all."""
    at = next((at for at in family.instances(5) if at["K"] == 5), None)
    if at is None:
        return False
    utility, _ = family.problem(at)
    return all(utility[i, j] == utility[(i + 1) % 5, (j + 1) % 5] for i in range(5) for j in range(5))


def _is_rotation(family: Family, shown: Shown) -> bool:
    i_in, j_in = ((Whole(x), x >= 1, x <= _K - 1) for x in (_I, _J))
    return (
        shown.shows(Eq(family.u(_I + 1, _J + 1), family.u(_I, _J)), *i_in, *j_in)
        and shown.shows(Eq(family.u(_I + 1, ONE), family.u(_I, _K)), *i_in)
        and shown.shows(Eq(family.u(ONE, _J + 1), family.u(_K, _J)), *j_in)
        and shown.shows(Eq(family.u(ONE, ONE), family.u(_K, _K)))
    )


def _of_two_values(family: Family, shown: Shown) -> list[Part]:
    """One value within a window and a smaller one outside: the values of at least the larger are its 2 r + 1 labels."""
    values = _two_values(family)
    if values is None:
        return []
    low, high = map(term, values)
    own = [Name(p.name) for p in family.domain.own if p.whole]
    for radius in (*map(in_terms, range(_RADII)), *own):
        inside, trial = radius + 1, shown.copy()
        if (
            trial.shows(2 * radius + 1 <= _K)
            and trial.shows(Eq(family.u(_I, ONE), high), Whole(_I), _I >= 1, inside >= _I)
            and trial.shows(Eq(family.u(_I, ONE), low), Whole(_I), inside + 1 <= _I, _K - radius >= _I)
            and trial.shows(Eq(family.u(_I, ONE), high), Whole(_I), _K - radius + 1 <= _I, _I <= _K)
        ):
            members = 2 * radius + 1
            hits = members * _T / (members * _T + _K - members)
            value = hits if values == [0, 1] else low + (high - low) * hits
            how = "the labels within the window with t times the probability of the others"
            part = Part(value, attained=how, channel=_on_circle(radius), dual=shared(value))
            return [trial.proved(part, of_rings)]
    return []


def _on_circle(radius: Node) -> Node:
    """The channel on the window of a radius around the true label."""
    apart = Abs(_I - _J)
    inside = Eq(_I, _J) if radius == ZERO else Le(Min(apart, _K - apart), radius)
    return on_windows(inside, 2 * radius + 1)


def _two_values(family: Family) -> list[Fraction] | None:
    """The two values at five labels, where there are two."""
    at = next(at for at in family.instances(5) if at["K"] == 5)
    values = sorted(set(family.problem(at)[0].ravel().tolist()))
    return values if len(values) == 2 else None


def _of_falling_values(family: Family, shown: Shown) -> list[Part]:
    """Values that are the same on both sides of the true label and fall with the distance: windows of every radius."""
    w, at = Name("w"), family.u(_I, ONE)
    if "w" in family.domain.names or len(family.domain.own) > 0:
        return []
    labels = (Whole(_I), _I >= 2, _I <= _K)
    if not (
        shown.shows(Eq(at, family.u(_K + 2 - _I, ONE)), *labels)
        and shown.shows(family.u(_I, ONE) >= family.u(_I + 1, ONE), Whole(_I), _I >= 1, 2 * _I <= _K)
    ):
        return []
    within = (Whole(w), w >= 0, 2 * w + 1 <= _K)
    edge = _closed(family.u(w + 1, ONE), ("K", "w"))
    if edge is None or not shown.shows(Eq(family.u(w + 1, ONE), edge), *within):
        return []
    at_distance = substituted(edge, {"w": Name("m")})
    sum_of = substituted(edge, {"w": ZERO}) + 2 * Repeated("Sum", at_distance, "m", ONE, w)
    mass = _closed(sum_of, ("K", "w"))
    if mass is None or not shown.shows(Eq(sum_of, mass), *within):
        return []
    parts = []
    size, radius = sp.symbols("K w")
    for rest, last in ((1, (size - 1) / 2), (0, size / 2 - 1)):
        middle = in_sympy(mass).subs(radius, last)
        opposite = in_sympy(edge).subs(radius, size / 2)  # the one label across, where K is even
        across = Eq(family.u(w + 1, ONE), in_terms(opposite))
        if rest == 0 and not shown.shows(across, Whole(w), Eq(_K, 2 * w)):
            return []
        total = sp.factor(middle + (opposite if rest == 0 else 0))
        value = windows(in_terms(total), _K, mass, in_terms(2 * radius + 1))
        best = _best_window(total, in_sympy(mass), in_sympy(edge))
        when = Eq(Name("K") % 2, rest)
        index = Index("w", ZERO, floor((_K - 1) / 2))
        how = "the labels within distance w with t times the probability of others"
        parts.append(Part(value, when, index, best, how, _on_circle(w), shared(value)))
    return [shown.proved(part, of_rings) for part in parts]


def _of_few_values(family: Family, shown: Shown) -> list[Part]:
    """Numbers at the labels next to the true one, and one at all others; each K that is too small by itself."""
    if family.domain.own or not (column := _column(family, _MANY)):
        return []
    middle = _MANY // 2
    first = next(k for k in range(middle + 1) if len({*column[k : middle + 1]}) == 1)
    last = next(k for k in range(_MANY, middle, -1) if len({*column[middle:k]}) == 1)
    if last - first <= middle:  # too many differ
        return []
    before, other, after = column[:first], column[middle], column[last:]
    least = max(2, len(before) + len(after) + (other == max(column)))
    parts = _levels(family, shown, before, other, after, least <= _K)
    for size in range(least - 1, 1, -1):
        if column := _column(family, size):
            found = _levels(family, shown, column, Fraction(0), [], Eq(_K, size))
            if not found or not parts:
                return []
            parts = [*found, *parts]
    return parts


def _column(family: Family, size: int) -> list[Fraction]:
    """The values for the first released label at so many labels; none where the family has no such problem."""
    at = next((one for one in family.instances(size) if one["K"] == size), None)
    return [] if at is None else [Fraction(value) for value in family.problem(at)[0][:, 0]]


def _levels(
    family: Family, shown: Shown, before: list[Fraction], other: Fraction, after: list[Fraction], sizes: Node
) -> list[Part]:
    """A part for each value c but the least: it is the best one where v_c is at most c, and at least the next value."""
    trial, here = shown.copy(), () if sizes in family.hypotheses else (sizes,)
    is_rest = sizes != Eq(_K, len(before))
    labels = _K if is_rest else term(len(before))
    if is_rest:
        middle = (Whole(_I), len(before) + 1 <= _I, _K - len(after) >= _I, *here)
        if not trial.shows(Eq(family.u(_I, ONE), term(other)), *middle):
            return []
    beside = [*((term(k), value) for k, value in enumerate(before, start=1)),
              *((_K - k, value) for k, value in enumerate(reversed(after)))]  # fmt: skip
    if not all(trial.shows(Eq(family.u(label, ONE), term(value)), *here) for label, value in beside):
        return []
    numbers = [*before, *after]
    every = sorted({*numbers, *([other] if is_rest else [])}, reverse=True)
    size = in_sympy(labels)
    others = size - len(numbers)

    def up_to(least: Fraction) -> tuple[sp.Expr, sp.Expr]:
        """T and N of the lemma."""
        own, there = [value for value in numbers if value >= least], others if other >= least else sp.Integer(0)
        return as_rational(sum(own, Fraction(0))) + as_rational(other) * there, len(own) + there

    total, parts = up_to(every[-1])[0], list[Part]()

    def end(value: Fraction, mass: sp.Expr, members: sp.Expr) -> sp.Expr:
        """The t at which v_c is a value."""
        bound = as_rational(value)
        return sp.factor(1 + (bound * size - total) / (mass - bound * members))

    if len(every) == 1:
        value, when = term(every[0]), sizes if here else TRUE
        part = Part(value, when, attained="any channel", channel=1 / _K, dual=value / _K)
        return [trial.proved(part, "all values of the utility are equal")]
    for place, level in enumerate(every[:-1]):
        mass, members = up_to(level)
        value = in_terms(sp.factor(in_sympy(windows(in_terms(total), labels, in_terms(mass), in_terms(members)))))
        high = end(level, mass, members) if place else sp.oo
        low = end(every[place + 1], mass, members) if place + 2 < len(every) else sp.Integer(1)
        if high.is_number and high <= 1:
            continue
        bounds = [] if high == sp.oo else [Name("t") <= in_terms(high)]
        bounds += [] if low.is_number and low <= 1 else [Name("t") >= in_terms(low)]
        channel = on_windows(family.u(_I, _J) >= term(level), in_terms(members))
        how = f"the labels of a value of at least {level} with t times the probability of the others"
        when = And(*here, *bounds) if here or bounds else TRUE
        parts.append(Part(value, when, attained=how, channel=channel, dual=shared(value)))
    return [trial.proved(part, of_rings) for part in reversed(parts)]


def _best_window(total: sp.Expr, mass: sp.Expr, edge: sp.Expr) -> Node:
    """Where a window is the best one: its outermost value is at least the optimum, and the next one beyond at most.

    The windows w and w - 1 are as good as each other where the optimum is the value u_w at distance w.
    """
    size, w = sp.symbols("K w")

    def end(radius: sp.Expr) -> Node:
        u, inside, members = edge.subs(w, radius), mass.subs(w, radius), 2 * radius + 1
        return in_terms(1 + (size * u - total) / (inside - members * u))

    return And(Name("t") >= end(w + 1), Name("t") <= end(w))


def _closed(node: Node, letters: tuple[str, str]) -> Node | None:
    """A formula through the values of a term in K and w at small ones."""
    values: dict[tuple[int, ...], Fraction] = {}
    for size in range(2, 12):
        for w in range((size - 1) // 2 + 1):
            at = {"K": as_rational(Fraction(size)), "w": as_rational(Fraction(w))}
            values[size, w] = fraction_of(numeric(node, at))
    found = through(values, letters)
    return None if found is None else in_terms(found)
