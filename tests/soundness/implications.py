"""Shape (d): implications with one hypothesis dropped; whether it matters is known, with a point if it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import sympy as sp

from soundness.statement import Domain, Statement

__all__ = ["implication"]


@dataclass(frozen=True)
class Lemma:
    """Hypotheses that imply a conclusion.

    Attributes
    ----------
    needed : mapping of relation to point
        Each hypothesis that matters, with a point at which all others hold and the conclusion does not.
    spare : tuple of relations
        Hypotheses that follow from the others or are not used.
    ranges : mapping
        How to draw points for a spot check.
    """

    line: str
    conclusion: Any
    needed: Mapping[Any, Mapping[sp.Symbol, Any]]
    spare: tuple[Any, ...]
    ranges: Mapping[sp.Symbol, Any]


def implication(rng: Random) -> Statement:
    """(d) All hypotheses, all but a spare one, or all but a needed one."""
    lemma = rng.choice([_farkas, _farkas, _product, _named, _named, _named])(rng)
    needed, spare = list(lemma.needed), list(lemma.spare)
    kind = rng.choice(["all", "spare", "needed", "needed"])
    dropped = (
        rng.choice(needed) if kind == "needed" and needed else rng.choice(spare) if kind == "spare" and spare else None
    )
    hypotheses = [h for h in needed + spare if h is not dropped]
    rng.shuffle(hypotheses)
    witness = lemma.needed[dropped] if dropped in needed else None
    line = lemma.line if dropped is None else f"{lemma.line}, without {dropped}"
    shape = (
        "d nothing dropped"
        if dropped is None
        else "d a needed one dropped"
        if witness is not None
        else "d a spare one dropped"
    )
    domain = Domain(tuple(hypotheses), lemma.ranges)
    if witness is None and rng.random() < 0.2 and hypotheses:
        conclusion = sp.Implies(hypotheses[-1], lemma.conclusion, evaluate=False)
        return Statement(shape, line, True, conclusion, tuple(hypotheses[:-1]), domain)
    return Statement(shape, line, witness is None, lemma.conclusion, tuple(hypotheses), domain, witness)


def _number(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return sp.Rational(rng.randint(-40, 40), rng.randint(1, 8))


def _small(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return sp.Rational(rng.randint(0, 12), 12)


def _ratio(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return 1 + sp.Rational(rng.randint(1, 60), 8)


def _count(rng: Random, _: Mapping[sp.Symbol, Any]) -> Any:
    return sp.Integer(rng.randint(1, 9))


# ---- random ones


def _farkas(rng: Random) -> Lemma:
    """Linear forms u_i >= b_i in independent directions imply sum w_i u_i >= sum w_i b_i - slack for w >= 0.

    The form with weight w_i > 0 is needed: move along the direction in which only u_i falls.
    """
    n = rng.choice([2, 3])
    xs = sp.symbols(f"x1:{n + 1}", real=rng.choice([True, None]))
    while True:
        matrix = sp.Matrix(n, n, lambda *_: rng.randint(-3, 3))
        if matrix.det() != 0:
            break
    bounds = sp.Matrix([sp.Rational(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(n)])
    weights = [rng.choice([0, 1, 2, sp.Rational(1, 3)]) for _ in range(n)]
    if not any(weights):
        weights[0] = 1
    forms = matrix * sp.Matrix(xs)
    hypotheses = [sp.Ge(forms[i], bounds[i], evaluate=False) for i in range(n)]
    target = sp.expand(sum(w * f for w, f in zip(weights, forms, strict=True)))
    least = sum(w * b for w, b in zip(weights, bounds, strict=True))
    slack = rng.choice([0, 0, sp.Rational(1, 1000)])
    corner, inverse = matrix.inv() * bounds, matrix.inv()
    needed = {}
    for i in (i for i in range(n) if weights[i]):
        point = corner - inverse[:, i]  # u_i = b_i - 1, the others at their bounds
        needed[hypotheses[i]] = dict(zip(xs, point, strict=True))
    spare = tuple(h for h, w in zip(hypotheses, weights, strict=True) if not w)
    return Lemma(
        "weighted sum of linear inequalities",
        sp.Ge(target, least - slack, evaluate=False),
        needed,
        spare,
        _around(xs, corner, inverse),
    )


def _around(xs: Any, corner: Any, inverse: Any) -> dict[sp.Symbol, Any]:
    """Draw how much larger each form is than its bound, under a name of its own; the x follow."""
    slacks = [sp.Symbol(f"slack_{x}") for x in xs]

    def coordinate(j: int) -> Any:
        return lambda _, at: corner[j] + sum(inverse[j, k] * at[s] for k, s in enumerate(slacks))

    drawn: dict[sp.Symbol, Any] = {s: (lambda rng, _: sp.Rational(rng.randint(0, 9), 2)) for s in slacks}
    return drawn | {x: coordinate(j) for j, x in enumerate(xs)}


def _product(rng: Random) -> Lemma:
    """x >= a and y >= b imply (x - a)(y - b) >= 0, written out; each is needed."""
    x, y = sp.symbols("x y", real=rng.choice([True, None]))
    a, b = (sp.Rational(rng.randint(-5, 5), rng.randint(1, 3)) for _ in range(2))
    needed = {sp.Ge(x, a, evaluate=False): {x: a - 1, y: b + 1}, sp.Ge(y, b, evaluate=False): {x: a + 1, y: b - 1}}
    conclusion = sp.Ge(sp.expand((x - a) * (y - b)), 0, evaluate=False)
    return Lemma(
        "product of two non-negative forms",
        conclusion,
        needed,
        (sp.Ge(x**2, -1, evaluate=False), x + y > a + b - 1),
        {x: _number, y: _number},
    )


# ---- named ones


def _named(rng: Random) -> Lemma:
    return rng.choice(_NAMED)(rng.choice([{}, {"real": True}]))


def _small_product(flavour: Any) -> Lemma:
    x, y = sp.symbols("x y", **flavour)
    needed = {x >= 0: {x: -1, y: -1}, x + y <= 1: {x: 1, y: 1}}
    return Lemma(
        "x y <= 1/4 on the simplex", sp.Le(x * y, sp.Rational(1, 4)), needed, (x <= 7,), {x: _small, y: _number}
    )


def _weak_mixture(flavour: Any) -> Lemma:
    t, lam = sp.symbols("t lam", **flavour)
    needed = {lam > 0: {t: 2, lam: 0}, t > 1: {t: 1, lam: 1}}
    return Lemma("lam (t - 1) > 0", lam * (t - 1) > 0, needed, (lam <= 1,), {t: _ratio, lam: _small})


def _mixture_private(flavour: Any) -> Lemma:
    t, lam = sp.symbols("t lam", **flavour)
    K = sp.Symbol("K", integer=True)
    high, low = (lam * a / (t + K - 1) + (1 - lam) / K for a in (t, 1))
    needed = {
        t > 1: {t: sp.Rational(3, 4), lam: sp.Rational(1, 2), K: 2},
        lam <= 1: {t: 2, lam: 3, K: 2},
        K >= 2: {t: 2, lam: sp.Rational(1, 2), K: 0},
    }
    ranges = {t: _ratio, lam: _small, K: _count}
    return Lemma(
        "a mixture of RR and uniform is private",
        sp.Le(high, t * low),
        needed,
        (lam >= 0, t > sp.Rational(1, 2)),
        ranges,
    )


def _roots(flavour: Any) -> Lemma:
    x, y = sp.symbols("x y", **flavour)
    needed = {y >= 0: {x: 0, y: -1}, x >= y: {x: 0, y: 1}}
    return Lemma("squares are monotone", sp.Ge(x**2, y**2), needed, (x >= -1,), {x: _number, y: _number})


def _root_monotone(flavour: Any) -> Lemma:
    x, y = sp.symbols("x y", **flavour)
    needed = {y >= 0: {x: 1, y: -1}, x >= y: {x: 0, y: 1}}
    return Lemma(
        "square roots are monotone",
        sp.Ge(sp.sqrt(x), sp.sqrt(y)),
        needed,
        (x >= 0,) if flavour else (),
        {x: _number, y: _number},
    )


def _top_labels(flavour: Any) -> Lemma:
    t, P, p = sp.symbols("t P p", **flavour)
    k = sp.Symbol("k", integer=True)
    gap = sp.Le(t * (P + p) / (t + k), t * P / (t + k - 1))
    quarter = sp.Rational(1, 4)
    needed = {
        p * (t + k - 1) <= P: {t: 3, k: 1, P: 2 * quarter, p: quarter},
        k >= 1: {t: 2, k: -2, P: 2 * quarter, p: quarter},
        t > 1: {t: -1, k: 3, P: 2 * quarter, p: quarter},
    }
    ranges = {t: _ratio, k: _count, p: _small, P: _small}
    return Lemma("below its threshold one more label does not help", gap, needed, (p <= 1, p >= 0), ranges)


def _even(flavour: Any) -> Lemma:
    K = sp.Symbol("K", integer=True)
    needed = {sp.Eq(sp.Mod(K, 2), 0): {K: 3}}
    return Lemma("an even number is twice its half", sp.Eq(2 * sp.floor(K / 2), K), needed, (K >= 2,), {K: _count})


def _odd_square(flavour: Any) -> Lemma:
    K = sp.Symbol("K", integer=True)
    needed = {sp.Eq(sp.Mod(K, 2), 1): {K: 2}}
    return Lemma("odd squares are 1 modulo 8", sp.Eq(sp.Mod(K**2, 8), 1), needed, (K >= 1,), {K: _count})


def _integral(flavour: Any) -> Lemma:
    K = sp.Symbol("K", integer=True)
    needed = {K > 2: {K: 2}}
    return Lemma("above 2 means at least 3", sp.Ge(K, 3), needed, (K > 1, 2 * K > 3), {K: _count})


def _pole(flavour: Any) -> Lemma:
    x, y = sp.symbols("x y", **flavour)
    needed = {sp.Ne(x, y): {x: 1, y: 1}}
    return Lemma(
        "difference of squares",
        sp.Eq((x**2 - y**2) / (x - y), x + y, evaluate=False),
        needed,
        (x + y > -1,),
        {x: _number, y: _number},
    )


def _two_priors(flavour: Any) -> Lemma:
    t, p, q = sp.symbols("t p q", **flavour)
    hit = (t * p + q) / (t + 1)
    needed = {p >= q: {t: 2, p: 0, q: 1}, t > 1: {t: sp.Rational(1, 2), p: 1, q: 0}}
    return Lemma(
        "RR hits the commoner label at least half the time",
        sp.Ge(hit, (p + q) / 2),
        needed,
        (q >= 0, p + q <= 1),
        {t: _ratio, p: _small, q: _small},
    )


def _power(flavour: Any) -> Lemma:
    t = sp.Symbol("t", **flavour)
    K = sp.Symbol("K", integer=True)
    needed = {t >= 1: {t: sp.Rational(1, 2), K: 1}, K >= 0: {t: 2, K: -1}}
    return Lemma("powers of t are at least 1", sp.Ge(t**K, 1), needed, (t > 0,), {t: _ratio, K: _count})


def _floors(flavour: Any) -> Lemma:
    x = sp.Symbol("x", **flavour)
    needed = {x >= 2: {x: sp.Rational(3, 2)}, x < 3: {x: 3}}
    return Lemma(
        "floor on an interval",
        sp.Eq(sp.floor(x), 2),
        needed,
        (x > 0,),
        {x: lambda r, _: 2 + sp.Rational(r.randint(0, 99), 100)},
    )


def _branches(flavour: Any) -> Lemma:
    x = sp.Symbol("x", **flavour)
    needed = {x > 0: {x: 0}}
    value = sp.Piecewise((x, x > 0), (1, x < 0))
    return Lemma(
        "a definition that leaves out zero",
        sp.Gt(value, 0),
        needed,
        (x > -5,),
        {x: lambda r, _: sp.Rational(r.randint(1, 99), 10)},
    )


def _declared(flavour: Any) -> Lemma:
    lam, t = sp.Symbol("lam", positive=True), sp.Symbol("t", **flavour)
    needed = {t > 1: {t: 1, lam: 1}}
    return Lemma(
        "lam declared positive",
        lam * (t - 1) > 0,
        needed,
        (lam <= 1,),
        {t: _ratio, lam: lambda r, _: sp.Rational(r.randint(1, 12), 12)},
    )


_NAMED = [
    _small_product, _weak_mixture, _mixture_private, _roots, _root_monotone, _top_labels, _even, _odd_square, _integral, _pole, _two_priors, _power, _floors, _branches, _declared,
]  # fmt: skip
