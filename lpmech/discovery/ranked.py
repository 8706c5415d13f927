"""The hit rate under any ordered prior: randomised response on the k likeliest labels, the best k for every t.

Proved for every prior and number of labels by ghazi2021, Theorem 3 (`lpmech verify ghazi2021 --only "Theorem 3"`, and a
theorem of `proofs/ghazi2021.v`). What is found here is the prior's: its partial sums, the thresholds between one k and
the next, t_k = P_k / p_(k+1) - k + 1, which never fall, and whether they coincide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import sympy as sp

from lpmech.discovery.closed import in_terms
from lpmech.discovery.family import Family
from lpmech.discovery.lemmas import of_best_labels, of_each_row
from lpmech.discovery.parts import Index, Part, Shown
from lpmech.discovery.witnesses import of_hits
from lpmech.errors import FormulaError
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rate
from lpmech.programs.hit_rate import threshold
from lpmech.prove.from_sympy import term_of
from lpmech.prove.texts import in_sympy
from lpmech.terms import ONE, TRUE, ZERO, Apply, Choice, Name, Node, Number, Repeated, names_in, substituted
from lpmech.terms.functions import And, Eq, Ge, Implies, Le, Ne, Or, Whole
from lpmech.terms.sorts import check_sorts
from lpmech.terms.term import parts_of

__all__ = ["ranked"]

_K, _T, _I, _J, _SIZE, _M = map(Name, ("K", "t", "i", "j", "k", "m"))
_COUNT = sp.Symbol("k", integer=True, positive=True)


def ranked(family: Family, shown: Shown) -> list[Part]:
    """The optimum for the hit rate, in parts; empty where the utility is another or the prior is not ordered."""
    if family.prior is None:
        value = hit_rate(_T, _SIZE, Name("P_k"))
        channel, dual = of_hits(_SIZE, Name("p_i"), value)
        part = Part(value, index=Index("k", ONE, _K), attained="RRTop-k", channel=channel, dual=dual)
        return [shown.proved(part, of_best_labels, "P_k is the sum of the k largest probabilities")]
    if not isinstance(family.utility, Choice):
        return []
    worths = _worths(family, shown)
    if worths is None:
        return []
    if worths == (ONE, ZERO):
        return _of_ordered_prior(family, shown)
    return _of_gains(family, shown, *worths)


def _of_ordered_prior(family: Family, shown: Shown) -> list[Part]:
    reverse = replace(family, prior=family.p(_K + 1 - _I))
    shown = shown.knowing(_signs(family, shown))
    return _of_falling_prior(family, shown.copy()) or _of_falling_prior(reverse, shown, turned=True)


def _of_gains(family: Family, shown: Shown, hit: Node, miss: Node) -> list[Part]:
    """Of utility h_i of a hit and m_i of a miss: sum p_i m_i, which every channel has, and D times a hit rate.

    D is the sum of all p_i (h_i - m_i); the prior of the hit rate is p_i (h_i - m_i)/D.
    """
    gain, lost = _short(family.p(_I) * (hit - miss)), _short(family.p(_I) * miss)
    size, base = (_every(body, shown) for body in (gain, lost))
    if size is None or base is None:
        return []
    if not shown.shows(size > 0):
        return []
    alike = replace(family, prior=_short(gain / size))
    return [
        replace(
            part,
            value=_shorter(base + size * part.value),
            dual=None if part.dual is None else _each_case(part.dual, lambda dual: _short(lost + size * dual)),
            steps=(*part.steps, of_each_row.told),
            lemmas=(*part.lemmas, of_each_row),
        )
        for part in _of_ordered_prior(alike, shown)
    ]


def _every(body: Node, shown: Shown) -> Node | None:
    """The sum over all labels in closed form."""
    of_m = substituted(body, {"i": _M})
    every = shown.sum_of(of_m, ONE, _K)
    return next((total for total in _sums(of_m, ONE, _K) if shown.shows(Eq(every, total))), None)


def _of_falling_prior(family: Family, shown: Shown, turned: bool = False) -> list[Part]:
    """Of a prior that falls, or one that rises and is given turned round."""
    every = shown.sum_of(family.p(_M), ONE, _K)
    places = (Whole(_I), _I >= 1, _I <= _K - 1)
    if not shown.shows(Eq(every, 1)):
        return []
    if not (shown.shows(family.p(_K) >= 0) and shown.shows(family.p(_I) >= family.p(_I + 1), *places)):
        return []
    mass = _mass(family, shown)
    value = hit_rate(_T, _SIZE, mass)
    prior = family.p(_K + 1 - _I if turned else _I)

    def witnessed(part: Part, size: Node) -> Part:
        channel, dual = of_hits(size, prior, part.value, turned)
        return replace(part, channel=channel, dual=_each_case(dual, _short))

    how = f"RRTop-k{' in reverse order' if turned else ''}"
    best_k = witnessed(Part(value, index=Index("k", ONE, _K), attained=how, best=_best(family, shown, mass)), _SIZE)
    coinciding = _coinciding(family, shown, mass)
    if coinciding is None:
        return [shown.proved(best_k, of_best_labels)]
    last = witnessed(Part(_short(hit_rate(_T, _K, ONE)), attained="randomised response"), _K)
    if (up_to_there := shown.copy()).shows(coinciding <= 1):
        return [up_to_there.proved(last, of_best_labels)]
    first = Part(_first(family, shown), Le(_T, coinciding), attained="always the likeliest label")
    found = (witnessed(first, ONE), replace(last, when=Ge(_T, coinciding)))
    return [shown.proved(part, of_best_labels) for part in found]


def _signs(family: Family, shown: Shown) -> list[Node]:
    """The signs of the prior's denominators, where the engine finds them: (1 - r^K) r^i/(1 - r^(K+1)) needs them."""
    below = {part.arguments[1] for part in parts_of(family.p(_I)) if isinstance(part, Apply) and part.operation == "/"}
    signs = (sign for node in below if not isinstance(node, (Number, Name)) for sign in (node > 0, node < 0))
    return [sign for sign in signs if shown.shows(sign)]


def _worths(family: Family, shown: Shown) -> tuple[Node, Node] | None:
    """Utility of a hit and of a miss, in i, where it matters only whether the released label is the true one."""
    assert isinstance(family.utility, Choice)
    hit, miss = substituted(family.utility.cases[0][0], {"j": _I}), family.utility.cases[-1][0]
    labels = (Whole(_I, _J), _I >= 1, _J >= 1, _I <= _K, _J <= _K)
    if "j" in names_in(miss) or any(isinstance(part, Choice) for x in (hit, miss) for part in parts_of(x)):
        return None
    known = shown.shows(Implies(Ne(_I, _J), Eq(family.u(_I, _J), miss)), *labels)
    return (hit, miss) if known and shown.shows(Or(Ne(_I, _J), Eq(family.u(_I, _J), hit)), *labels) else None


def _mass(family: Family, shown: Shown) -> Node:
    """P_k in closed form where that is found; of a prior whose first labels are named apart, by cases."""
    prior, inside = family.p(_M), (Whole(_SIZE), _SIZE >= 1, _SIZE <= _K)
    every = shown.sum_of(prior, ONE, _SIZE)
    if not isinstance(prior, Choice):
        return next((P for P in _sums(prior, ONE, _SIZE) if shown.shows(Eq(every, P), *inside)), every)
    (first, condition), (rest, _) = prior.cases[0], prior.cases[-1]
    bound = _bound(condition)
    if bound is None or len(prior.cases) != 2:
        return every
    sums = (_sums(first, ONE, _SIZE), _sums(first, ONE, bound), _sums(rest, bound + 1, _SIZE))
    for before, up_to, after in product(*sums):
        beyond = _short(up_to + after)
        if not shown.shows(Eq(every, beyond), *inside, bound <= _SIZE):
            continue
        if bound == ONE:
            return beyond
        few = (*inside, bound >= _SIZE)
        alike = shown.shows(Eq(prior, first), Whole(_M), _M >= 1, _M <= _SIZE, *few)
        if alike and shown.shows(Eq(Repeated("Sum", first, "m", ONE, _SIZE), before), *few):
            return Choice(((before, Le(_SIZE, bound)), (beyond, TRUE)))
    return every


def _bound(condition: Node) -> Node | None:
    """How many labels m = 1, 2, ... a condition names apart: m == 1, m <= 2, m < K."""
    match condition:
        case Apply("==", (Name("m"), Number(value))) if value == 1:
            return ONE
        case Apply("<=" | "<" as relation, (Name("m"), last)) if "m" not in names_in(last):
            return last if relation == "<=" else _short(last - 1)
    return None


def _sums(body: Node, first: Node, last: Node) -> Iterator[Node]:
    """Closed forms of a sum over m that sympy knows; a case distinction of its own is left for its last branch."""
    m = sp.Symbol("m", integer=True, positive=True)
    ends = (in_sympy(end).subs(sp.Symbol("k"), _COUNT) for end in (first, last))
    found = sp.summation(in_sympy(body).subs(sp.Symbol("m"), m), (m, *ends))
    found = found.replace(lambda e: isinstance(e, sp.Piecewise), lambda e: e.args[-1][0])
    if not found.has(sp.Sum):
        with suppress(FormulaError):  # harmonic numbers and the like are no closed form here
            told = in_terms(sp.simplify(found.subs(_COUNT, sp.Symbol("k"))))
            check_sorts(told)
            yield told


def _first(family: Family, shown: Shown) -> Node:
    """The probability of the likeliest label, without a choice where it is one of its cases."""
    likeliest = family.p(ONE)
    cases = [value for value, _ in likeliest.cases] if isinstance(likeliest, Choice) else []
    return next((value for value in cases if shown.shows(Eq(likeliest, value))), likeliest)


def _general(family: Family) -> Node:
    """The prior of a label that is none of the first, named apart."""
    prior = family.p(_SIZE + 1)
    return prior.cases[-1][0] if isinstance(prior, Choice) else prior


def _best(family: Family, shown: Shown, mass: Node) -> Node | None:
    """Where k is the best number of labels, 1 < k < K: between two thresholds, if all labels occur."""
    labels = (Whole(_SIZE), _SIZE >= 1, _SIZE <= _K - 1)
    following = family.p(_SIZE + 1)
    if not shown.shows(following > 0, *labels):
        return None
    general = _general(family)
    end = threshold(_SIZE, mass, general if shown.shows(Eq(following, general), *labels) else following)
    before = substituted(end, {"k": _SIZE - 1})
    return And(Ge(_T, _short(before)), Le(_T, _short(end)))


def _coinciding(family: Family, shown: Shown, mass: Node) -> Node | None:
    """The one threshold, if all are the same."""
    end = threshold(_SIZE, mass, family.p(_SIZE + 1))
    candidate = _short(threshold(_SIZE, mass, _general(family)))
    if "k" in names_in(candidate):
        return None
    places = (Whole(_SIZE), _SIZE >= 1, _SIZE <= _K - 1, family.p(_SIZE + 1) > 0)
    return candidate if shown.shows(Eq(end, candidate), *places) else None


def _each_case(node: Node, change: Callable[[Node], Node]) -> Node:
    """The term changed, in each case of its own if it distinguishes some."""
    if not isinstance(node, Choice):
        return change(node)
    return Choice(tuple((change(value), condition) for value, condition in node.cases))


def _shorter(node: Node) -> Node:
    """As it is, or taken together, where that is shorter."""
    return min(node, _short(node), key=lambda one: len(str(one)))


def _short(node: Any) -> Node:
    """The same, taken together by sympy; what has a case distinction in it is left as it is."""
    parts = list(parts_of(node))
    if any(isinstance(part, Choice) for part in parts):
        return node
    powers = (part.arguments for part in parts if isinstance(part, Apply) and part.operation == "**")
    if not any(names_in(base) and names_in(exponent) for base, exponent in powers):
        return in_terms(in_sympy(node))
    plain = {sp.Symbol(name): sp.Symbol(name, positive=True) for name in names_in(node)}
    return term_of(sp.simplify(in_sympy(node).subs(plain)).subs({new: old for old, new in plain.items()}))
