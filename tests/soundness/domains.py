"""The parameters that papers on randomized response speak of, with their hypotheses, and how to draw them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import sympy as sp

from soundness.statement import Domain

__all__ = [
    "Letters",
    "level",
    "top_k",
    "bipartite",
    "blocks",
    "mixture",
    "encoding",
    "two_priors",
    "one_ratio",
    "counts",
]


class Letters:
    """The symbols of one statement; reals come with or without sympy's own assumptions, as people declare them."""

    def __init__(self, rng: Random) -> None:
        flavour = rng.choice([{}, {}, {"real": True}, {"positive": True}])
        self.t, self.eps = (sp.Symbol(name, **flavour) for name in ("t", "epsilon"))
        self.P, self.p, self.q, self.lam = (
            sp.Symbol(name, **(rng.choice([{}, {"real": True}]))) for name in ("P", "p", "q", "lam")
        )
        whole = rng.choice([{"integer": True}, {"integer": True}, {"integer": True, "positive": True}])
        self.K, self.k, self.m, self.N, self.b, self.s1, self.s2 = sp.symbols("K k m N b s1 s2", **whole)
        self.l = sp.Symbol("l", integer=True)


def _ratio(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    if rng.random() < 0.1:
        return rng.choice([sp.sqrt(2), sp.sqrt(3), sp.sqrt(5), (1 + sp.sqrt(5)) / 2])
    return 1 + sp.Rational(rng.randint(1, 40), rng.randint(1, 12))


def _whole(low: int, high: int) -> Any:
    return lambda rng, _: sp.Integer(rng.randint(low, high))


def _unit(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return sp.Rational(rng.randint(0, 12), 12)


def _inside(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return sp.Rational(rng.randint(1, 23), 24)


def level(s: Letters) -> Domain:
    """t > 1 and K >= 2."""
    return Domain((s.t > 1, s.K >= 2), {s.t: _ratio, s.K: _whole(2, 9)}, (s.t,), (s.K,))


def one_ratio(s: Letters) -> Domain:
    """t > 1."""
    return Domain((s.t > 1,), {s.t: _ratio}, (s.t,))


def counts(s: Letters) -> Domain:
    """K >= 1."""
    return Domain((s.K >= 1,), {s.K: _whole(1, 10)}, (), (s.K,))


def top_k(s: Letters) -> Domain:
    """RRTop-k: t > 1, k >= 1, mass P of the kept labels and p of the next."""
    hypotheses = (s.t > 1, s.k >= 1, s.p >= 0, s.P > 0, s.P + s.p <= 1)
    ranges = {s.t: _ratio, s.k: _whole(1, 8), s.P: _inside, s.p: lambda rng, at: (1 - at[s.P]) * _unit(rng, at)}
    return Domain(hypotheses, ranges, (s.t,), (s.k,), (s.p, s.P))


def bipartite(s: Letters) -> Domain:
    """BRR: t > 1, 1 <= m <= N."""
    ranges = {s.t: _ratio, s.m: _whole(1, 6), s.N: lambda rng, at: at[s.m] + rng.randint(0, 5)}
    return Domain((s.t > 1, s.m >= 1, s.m <= s.N), ranges, (s.t,), (s.m, s.N))


def blocks(s: Letters) -> Domain:
    """BlockRR: t > 1, b >= 1, s1 >= b, s2 >= b, 0 <= l <= s1."""
    hypotheses = (s.t > 1, s.b >= 1, s.s1 >= s.b, s.s2 >= s.b, s.l >= 0, s.l <= s.s1)
    ranges = {
        s.t: _ratio,
        s.b: _whole(1, 3),
        s.s1: lambda rng, at: at[s.b] + rng.randint(0, 4),
        s.s2: lambda rng, at: at[s.b] + rng.randint(0, 4),
        s.l: lambda rng, at: sp.Integer(rng.randint(0, int(at[s.s1]))),
    }
    return Domain(hypotheses, ranges, (s.t,), (s.b, s.s1, s.s2))


def mixture(s: Letters) -> Domain:
    """lam RR + (1 - lam) something: t > 1, K >= 2, 0 <= lam <= 1."""
    base = level(s)
    return Domain((*base.hypotheses, s.lam >= 0, s.lam <= 1), {**base.ranges, s.lam: _unit}, (s.t,), (s.K,), (s.lam,))


def encoding(s: Letters) -> Domain:
    """Unary encoding: 0 < q < p < 1."""
    ranges = {s.p: _inside, s.q: lambda rng, at: at[s.p] * _inside(rng, at)}
    return Domain((s.q > 0, s.p > s.q, s.p < 1), ranges, (), (), (s.p, s.q))


def two_priors(s: Letters) -> Domain:
    """t > 1 and two probabilities p, q with p + q <= 1."""
    ranges = {s.t: _ratio, s.p: _unit, s.q: lambda rng, at: (1 - at[s.p]) * _unit(rng, at)}
    return Domain((s.t > 1, s.p >= 0, s.q >= 0, s.p + s.q <= 1), ranges, (s.t,), (), (s.p, s.q))
