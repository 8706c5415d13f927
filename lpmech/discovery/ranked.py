"""The hit rate under any ordered prior: randomised response on the k likeliest labels, the best k for every t.

Proved for every prior and number of labels by ghazi2021, Theorem 3 (`lpmech verify ghazi2021 --only "Theorem 3"`, and a
theorem of `proofs/ghazi2021.v`). What is found here is the prior's: its partial sums, the thresholds between one k and
the next, t_k = P_k / p_(k+1) - k + 1, which never fall, and whether they coincide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from lpmech.discovery.closed import in_terms
from lpmech.discovery.family import Family
from lpmech.discovery.parts import Index, Part, Shown
from lpmech.mechanisms.rr_with_prior.closed_form import hit_rate
from lpmech.programs.hit_rate import threshold
from lpmech.prove.texts import in_sympy
from lpmech.terms import ONE, Choice, Name, Node, Repeated, substituted
from lpmech.terms.functions import And, Eq, Ge, Implies, Le, Ne, Whole

__all__ = ["ranked"]

_THEOREM = "ghazi2021, Theorem 3: the largest over k of t P_k/(t + k - 1), for every prior and every K"
_K, _T, _I, _J, _SIZE, _M = map(Name, ("K", "t", "i", "j", "k", "m"))


def ranked(family: Family, shown: Shown) -> list[Part]:
    """The optimum for the hit rate, in parts; empty where the utility is another or the prior is not ordered."""
    if family.prior is None:
        value = hit_rate(_T, _SIZE, Name("P_k"))
        part = Part(value, index=Index("k", ONE, _K), attained="RRTop-k")
        return [shown.proved(part, _THEOREM, "P_k is the sum of the k largest probabilities")]
    if not isinstance(family.utility, Choice) or not _is_hit(family, shown):
        return []
    reverse = replace(family, prior=family.p(_K + 1 - _I))
    return _of_falling_prior(family, shown.copy()) or _of_falling_prior(reverse, shown, " in reverse order")


def _of_falling_prior(family: Family, shown: Shown, order: str = "") -> list[Part]:
    sum_of = Repeated("Sum", family.p(_M), "m", ONE, _SIZE)
    inside = (Whole(_SIZE), _SIZE >= 1, _SIZE <= _K)
    places = (Whole(_I), _I >= 1, _I <= _K - 1)
    if not shown.shows(Eq(substituted(sum_of, {"k": _K}), 1)):
        return []
    if not (shown.shows(family.p(_K) >= 0) and shown.shows(family.p(_I) >= family.p(_I + 1), *places)):
        return []
    mass = next((P for P in _masses(family) if shown.shows(Eq(sum_of, P), *inside)), sum_of)
    value = hit_rate(_T, _SIZE, mass)
    every = Part(value, index=Index("k", ONE, _K), attained=f"RRTop-k{order}", best=_best(family, shown, mass))
    coinciding = _coinciding(family, shown, mass)
    if coinciding is None:
        return [shown.proved(every, _THEOREM)]
    last = shown.proved(
        Part(_short(hit_rate(_T, _K, ONE)), Ge(_T, coinciding), attained="randomised response"), _THEOREM
    )
    first = Part(_first(family, shown), Le(_T, coinciding), attained="always the likeliest label")
    if shown.shows(coinciding <= 1):
        return [shown.proved(Part(last.value, attained=last.attained), _THEOREM)]
    return [shown.proved(first, _THEOREM), last]


def _is_hit(family: Family, shown: Shown) -> bool:
    labels = (Whole(_I, _J), _I >= 1, _J >= 1, _I <= _K, _J <= _K)
    return shown.shows(Implies(Ne(_I, _J), Eq(family.u(_I, _J), 0)), *labels) and shown.shows(
        Eq(family.u(_I, _I), 1), *labels[:1]
    )


def _masses(family: Family) -> Iterator[Node]:
    """What P_k may be in closed form: of a prior that names its first entries apart, their branch and the others'."""
    size, m = sp.Symbol("k", integer=True, positive=True), sp.Symbol("m", integer=True, positive=True)
    prior = family.p(_M)
    first, rest = (prior, prior) if not isinstance(prior, Choice) else (prior.cases[0][0], prior.cases[-1][0])
    begin: Any = sp.simplify(in_sympy(substituted(first, {"m": ONE})))
    body = in_sympy(rest).subs(sp.Symbol("m"), m)
    found = begin + sp.summation(body, (m, 2, size))
    if not found.has(sp.Sum):
        yield in_terms(sp.simplify(found.subs({size: sp.Symbol("k")})))


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
    if not (shown.shows(following > 0, *labels) and shown.shows(Eq(following, _general(family)), *labels)):
        return None
    end = _short(threshold(_SIZE, mass, _general(family)))
    begin = _short(in_terms(in_sympy(end).subs(sp.Symbol("k"), sp.Symbol("k") - 1)))
    return And(Ge(_T, begin), Le(_T, end))


def _coinciding(family: Family, shown: Shown, mass: Node) -> Node | None:
    """The one threshold, if all are the same."""
    end = threshold(_SIZE, mass, family.p(_SIZE + 1))
    candidate = _short(threshold(_SIZE, mass, _general(family)))
    if "k" in str(in_sympy(candidate).free_symbols):
        return None
    places = (Whole(_SIZE), _SIZE >= 1, _SIZE <= _K - 1, family.p(_SIZE + 1) > 0)
    return candidate if shown.shows(Eq(end, candidate), *places) else None


def _short(node: Any) -> Node:
    """The same, taken together by sympy."""
    return in_terms(in_sympy(node))
