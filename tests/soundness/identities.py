"""Shapes (a) and (b): true identities, rewritten, and the same with a term that hardly ever shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import sympy as sp

from soundness.domains import Letters
from soundness.formulas import Identity, identity
from soundness.rewriting import rewrite
from soundness.statement import Domain, Statement

__all__ = ["true_identity", "perturbed_identity"]

Fixed = Mapping[sp.Symbol, Any]
#: What the term is called, the term, and the values at which it is not zero.
Term = tuple[str, Any, Fixed]


def true_identity(rng: Random) -> Statement:
    """(a) An identity of the mechanisms, both sides rewritten."""
    name, domain, left, right = _written(rng)
    return Statement("a identity", name, True, sp.Eq(left, right, evaluate=False), domain.hypotheses, domain)


def perturbed_identity(rng: Random) -> Statement:
    """(b) The same with a term added; a third of the terms are zero on the whole domain, and the statement is true."""
    name, domain, left, right = _written(rng)
    harmless = rng.random() < 1 / 3
    for make in rng.sample(_HARMLESS if harmless else _HARMFUL, k=len(_HARMLESS if harmless else _HARMFUL)):
        term = make(rng, domain)
        if term is None:
            continue
        called, extra, fixed = term
        side = right + rng.choice([1, -1, sp.Rational(1, 7)]) * extra
        conclusion = sp.Eq(left, side, evaluate=False)
        line = f"{name}, with {called}"
        if harmless:
            return Statement("b harmless term", line, True, conclusion, domain.hypotheses, domain)
        witness = domain.draw(rng, fixed)
        return Statement(f"b {called}", line, False, conclusion, domain.hypotheses, domain, witness)
    tiny = sp.Rational(1, 10**12)
    return Statement(
        "b tiny term",
        f"{name}, off by 10^-12",
        False,
        sp.Eq(left, right + tiny, evaluate=False),
        domain.hypotheses,
        domain,
        domain.draw(rng),
    )


def _written(rng: Random) -> Identity:
    """An identity whose sides differ as written, and in which sympy has not made an infinity of a branch."""
    left = right = sp.S.One
    while left == right or sp.Tuple(left, right).has(sp.zoo, sp.nan, sp.oo):
        name, domain, left, right = identity(rng, Letters(rng))
        left, right = rewrite(rng, left, domain, rng.randint(0, 2)), rewrite(rng, right, domain, rng.randint(0, 1))
    return (name, domain, left, right) if rng.random() < 0.7 else (name, domain, right, left)


# ---- terms that are zero nearly everywhere


def _zero_at_small_k(rng: Random, domain: Domain) -> Term | None:
    if not domain.counting:
        return None
    K, last = domain.counting[0], rng.randint(2, 12)
    first = 1 if _admits(rng, domain, {K: sp.Integer(1)}) else 2
    product = sp.prod([K - j for j in range(first, last + 1)])
    product = product if rng.random() < 0.5 else sp.expand(product)
    return "a term zero at small K", rng.choice([1, sp.Rational(1, 10**6)]) * product, {K: sp.Integer(last + 1)}


def _at_one_size(rng: Random, domain: Domain) -> Term | None:
    if not domain.counting:
        return None
    K, size = domain.counting[0], sp.Integer(rng.choice([2, 7, 13, 50, 200]))
    if not _admits(rng, domain, {K: size}):
        return None
    return "a term at one K", sp.Piecewise((1, sp.Eq(K, size)), (0, True)), {K: size}


def _short_interval(rng: Random, domain: Domain) -> Term | None:
    if not domain.above_one:
        return None
    t = domain.above_one[0]
    low = 1 + sp.Rational(rng.randint(1, 300), 10)
    width = sp.Rational(1, rng.choice([2, 10, 100, 10**4]))
    high, middle = low + width, low + width / 2
    inside = rng.choice(
        [
            sp.Max(0, (t - low) * (high - t)),
            sp.Piecewise((1, sp.And(t > low, t < high)), (0, True)),
            sp.Max(0, width / 2 - sp.Abs(t - middle)),
            sp.Max(t - low, 0) * sp.Max(high - t, 0),
        ]
    )
    return "a term on a short interval", inside, {t: middle}


def _off_an_interval(rng: Random, domain: Domain) -> Term | None:
    if not domain.above_one:
        return None
    t, end = domain.above_one[0], sp.Integer(rng.randint(2, 40))
    outside = rng.choice([sp.Max(0, t - end), sp.Piecewise((0, t <= end), (t - end, True)), sp.Abs(t - end) + t - end])
    return "a term beyond an interval", outside, {t: end + 1}


def _at_irrational(rng: Random, domain: Domain) -> Term | None:
    if not domain.above_one:
        return None
    t, square = domain.above_one[0], sp.Integer(rng.choice([2, 3, 5, 7]))
    term = rng.choice(
        [
            (sp.Piecewise((1, sp.Eq(t**2, square)), (0, True)), sp.sqrt(square)),
            (sp.Piecewise((0, t**2 < square), (0, t**2 > square), (1, True)), sp.sqrt(square)),
            (sp.Piecewise((1, sp.Eq(t**2 - t - 1, 0)), (0, True)), (1 + sp.sqrt(5)) / 2),
        ]
    )
    return "a term at one irrational t", term[0], {t: term[1]}


def _at_one_prior(rng: Random, domain: Domain) -> Term | None:
    if not domain.unit:
        return None
    p, value = domain.unit[0], sp.Rational(rng.randint(1, 11), 24)
    term = rng.choice([sp.Piecewise((1, sp.Eq(p, value)), (0, True)), 1 - sp.Min(1, 10**6 * sp.Abs(p - value))])
    return "a term at one prior", term, {p: value}


def _at_ties(rng: Random, domain: Domain) -> Term | None:
    if len(domain.unit) < 2:
        return None
    p, q = domain.unit[:2]
    if domain.ranges[q] is domain.ranges[p] or not _admits(rng, domain, {p: sp.Rational(1, 3), q: sp.Rational(1, 3)}):
        return None
    term = sp.Piecewise((1, sp.Eq(p, q)), (0, True))
    return "a term at ties", term, {p: sp.Rational(1, 3), q: sp.Rational(1, 3)}


def _at_even(rng: Random, domain: Domain) -> Term | None:
    if not domain.counting:
        return None
    K, modulus = domain.counting[0], rng.choice([2, 3, 5])
    term = sp.Piecewise((1, sp.Eq(sp.Mod(K, modulus), 0)), (0, True))
    return "a term at multiples", term, {K: sp.Integer(modulus * 2)}


def _tiny(rng: Random, domain: Domain) -> Term | None:
    factor: Any = rng.choice([1, *domain.above_one, *domain.counting])
    return "a tiny term", factor * sp.Rational(1, 10**12), {}


_HARMFUL: list[Callable[[Random, Domain], Term | None]] = [
    _zero_at_small_k, _at_one_size, _short_interval, _off_an_interval, _at_irrational, _at_one_prior, _at_ties, _at_even, _tiny,
]  # fmt: skip


# ---- terms that only look as if


def _below_one(rng: Random, domain: Domain) -> Term | None:
    if not domain.above_one:
        return None
    t = domain.above_one[0]
    terms = [
        sp.Max(0, 1 - t),
        sp.Piecewise((1, t < 1), (0, True)),
        sp.Piecewise((t, sp.Eq(t**2, sp.Rational(1, 2))), (0, True)),
        sp.Abs(1 - t) + 1 - t,
    ]
    return "a term below t = 1", rng.choice(terms), {}


def _between_integers(rng: Random, domain: Domain) -> Term | None:
    if not domain.counting:
        return None
    K, n = domain.counting[0], rng.randint(2, 9)
    terms = [
        sp.Piecewise((1, sp.And(n < K, n + 1 > K)), (0, True)),
        sp.Max(0, (K - n) * (n + 1 - K)),
        sp.Piecewise((1, sp.Eq(2 * K, 2 * n + 1)), (0, True)),
        sp.Mod(K**2 + K, 2),
        sp.Max(0, -K),
    ]
    return "a term between integers", rng.choice(terms), {}


def _beyond_one(rng: Random, domain: Domain) -> Term | None:
    if not domain.unit:
        return None
    p = domain.unit[0]
    return (
        "a term outside [0, 1]",
        rng.choice([sp.Max(0, p - 1), sp.Max(0, -p), sp.Piecewise((1, p > 1), (0, True))]),
        {},
    )


_HARMLESS: list[Callable[[Random, Domain], Term | None]] = [_below_one, _between_integers, _beyond_one]


def _admits(rng: Random, domain: Domain, fixed: Fixed) -> bool:
    try:
        domain.draw(rng, fixed)
    except LookupError:
        return False
    return True
