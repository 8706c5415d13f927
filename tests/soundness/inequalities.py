"""Shape (c): inequalities whose roots are known because the polynomial was multiplied together from them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import sympy as sp

from lpmech.mechanisms.bipartite_rr import high_probability, low_probability
from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.mechanisms.rr_with_prior import hit_rate, threshold
from soundness import domains
from soundness.domains import Letters
from soundness.rewriting import rewrite
from soundness.statement import Domain, Statement

__all__ = ["inequality"]

half = sp.Rational(1, 2)


def inequality(rng: Random) -> Statement:
    """(c) One inequality, strict or weak, true or false."""
    return rng.choice(
        [_one_variable, _one_variable, _integer, _squares, _of_a_mechanism, _of_a_mechanism, _transcendental]
    )(rng)


def _relate(left: Any, right: Any, strict: bool) -> Any:
    return sp.Gt(left, right, evaluate=False) if strict else sp.Ge(left, right, evaluate=False)


def _settled(
    shape: str, line: str, domain: Domain, gap: Any, strict: bool, witness: Any, left: Any = None
) -> Statement:
    """gap >= 0 (or > 0), true without a witness; written as left >= left - gap if left is given."""
    conclusion = _relate(gap, 0, strict) if left is None else _relate(left, left - gap, strict)
    return Statement(shape, line, witness is None, conclusion, domain.hypotheses, domain, witness)


# ---- one variable


def _root(rng: Random) -> Any:
    return rng.choice(
        [
            sp.Integer(rng.randint(-3, 9)),
            sp.Rational(rng.randint(-20, 90), 7),
            sp.sqrt(rng.choice([2, 3, 5, 6])),
            3 + sp.Rational(1, 10**6),
        ]
    )


def _minimal(root: Any, x: Any) -> Any:
    """The polynomial of least degree over the rationals with this root."""
    return x**2 - root**2 if not root.is_Rational else x - root


def _one_variable(rng: Random) -> Statement:
    """A product of powers of linear factors on an interval; where it is negative or zero is read off the roots."""
    t = Letters(rng).t if rng.random() < 0.5 else sp.Symbol("t")
    low, high = sp.Integer(1), rng.choice([None, None, sp.Integer(rng.randint(5, 12))])
    hypotheses: tuple[Any, ...] = (t > low,) if high is None else (t > low, t < high)
    domain = Domain(hypotheses, {t: lambda r, _: _between(r, low, high)}, (t,))
    roots = [(_root(rng), rng.choice([1, 2, 2])) for _ in range(rng.randint(1, 3))]
    polynomial = sp.prod([_minimal(r, t) ** e for r, e in roots])
    sign = rng.choice([1, 1, 1, -1])
    polynomial = sp.expand(sign * polynomial * rng.choice([1, t**2 + 1, sp.Rational(3, 7), t]))
    strict = rng.random() < 0.5
    witness = _where_not_positive(polynomial, t, [r for r, _ in roots], low, high, strict)
    if rng.random() < 0.3:
        s = sp.sqrt(t)
        shape, gap = "c roots in sqrt t", polynomial.subs(t, s)
        witness = None if witness is None else witness**2
        hypotheses = (t > low**2,) if high is None else (t > low**2, t < high**2)
        domain = Domain(hypotheses, {t: lambda r, _: _between(r, low, high) ** 2}, (t,))
    else:
        shape, gap = "c known roots", rng.choice([polynomial, sp.horner(polynomial), polynomial / (t + 1)])
    point = None if witness is None else {t: witness}
    return _settled(shape, f"a polynomial with roots {sorted({str(r) for r, _ in roots})}", domain, gap, strict, point)


def _between(rng: Random, low: Any, high: Any) -> Any:
    top = high if high is not None else low + 40
    return low + (top - low) * sp.Rational(rng.randint(1, 599), 600)


def _where_not_positive(polynomial: Any, t: Any, roots: list[Any], low: Any, high: Any, strict: bool) -> Any:
    """A point of (low, high) at which the polynomial is negative, or zero if that is enough; None if there is none."""
    inside = sorted({r for r in roots if r > low and (high is None or r < high)}, key=float)
    if strict and inside:
        return inside[0]
    ends = [low, *inside, high if high is not None else (inside[-1] if inside else low) + 2]
    for a, b in pairwise(ends):
        middle = _rational_between(a, b)
        if polynomial.subs(t, middle) < 0:
            return middle
    return None


def _rational_between(a: Any, b: Any) -> Any:
    return sp.Rational(sp.floor((a + b) / 2 * 10**9), 10**9)


# ---- integers


def _integer(rng: Random) -> Statement:
    """True at every integer though not at every real, or false at one integer only."""
    K = sp.Symbol("K", integer=True)
    a = rng.randint(2, 9)
    domain = Domain((K >= 2,), {K: lambda r, _: sp.Integer(r.randint(2, 30))}, (), (K,))
    strict = rng.random() < 0.5
    kind = rng.randrange(4)
    if kind == 0:  # negative between a and a + 1 only, zero at both
        return _settled(
            "c integers",
            f"(K - {a})(K - {a + 1})",
            domain,
            sp.expand((K - a) * (K - a - 1)),
            strict,
            {K: sp.Integer(a)} if strict else None,
        )
    if kind == 1:  # negative at a + 1
        return _settled(
            "c integers",
            f"(K - {a})(K - {a + 2})",
            domain,
            sp.expand((K - a) * (K - a - 2)),
            strict,
            {K: sp.Integer(a + 1)},
        )
    if kind == 2:  # the least value is 1/4 - margin, at no integer
        margin = rng.choice([sp.Rational(1, 4), sp.Rational(1, 5)])
        return _settled(
            "c integers",
            f"square around {a} + 1/2",
            domain,
            sp.expand((K - a - half) ** 2) - margin,
            strict,
            {K: sp.Integer(a)} if strict and margin == sp.Rational(1, 4) else None,
        )
    power = rng.choice([1, 2])
    gap = 2**K - K**power - (1 if power == 1 else 0)  # 2^K >= K + 1 for K >= 1; 2^K < K^2 at K = 3 only
    witness = {K: sp.Integer(3)} if power == 2 else None
    return _settled("c integers", f"2^K against K^{power}", domain, gap, strict, witness)


# ---- several variables


def _squares(rng: Random) -> Statement:
    """Sums of squares, zero exactly where all of them vanish, shifted by nothing, a little up, or a little down."""
    x, y = sp.symbols("x y", real=rng.choice([True, None]))
    a, b, c = (sp.Rational(rng.randint(-4, 4), rng.randint(1, 3)) for _ in range(3))
    d = sp.Rational(rng.randint(1, 5))
    shift = rng.choice([0, 0, sp.Rational(1, 10**9), -sp.Rational(1, 10**9)])
    gap = sp.expand((x - a * y - b) ** 2 + d * (y - c) ** 2) + shift
    strict = rng.random() < 0.5
    domain = Domain((), {s: lambda r, _: sp.Rational(r.randint(-60, 60), r.randint(1, 9)) for s in (x, y)})
    zero = {x: a * c + b, y: c}
    return _settled(
        "c sums of squares",
        "a positive definite form, shifted",
        domain,
        gap,
        strict,
        zero if shift < 0 or (shift == 0 and strict) else None,
    )


# ---- mechanisms

#: Domain, the difference that is at least zero, and where it is zero (None if nowhere).
Known = Callable[[Letters], tuple[str, Domain, Any, Any]]


def _above_uniform(s: Letters) -> tuple[str, Domain, Any, Any]:
    gap = high_probability(s.t, s.N, s.m) - 1 / s.N
    return (
        "BRR: the top m are above uniform",
        domains.bipartite(s),
        gap,
        {s.t: sp.Integer(2), s.m: sp.Integer(3), s.N: sp.Integer(3)},
    )


def _below_uniform(s: Letters) -> tuple[str, Domain, Any, Any]:
    gap = 1 / s.N - low_probability(s.t, s.N, s.m)
    return "BRR: the others are below uniform", domains.bipartite(s), gap, None


def _better_than_guessing(s: Letters) -> tuple[str, Domain, Any, Any]:
    return "RR is better than guessing", domains.level(s), s.t / (s.t + s.K - 1) - 1 / s.K, None


def _more_labels(s: Letters) -> tuple[str, Domain, Any, Any]:
    base = domains.top_k(s)
    domain = Domain(
        (*base.hypotheses, s.p > 0, s.t >= threshold(s.k, s.P, s.p)), base.ranges, base.above_one, base.counting
    )
    gap = hit_rate(s.t, s.k + 1, s.P + s.p) - hit_rate(s.t, s.k, s.P)
    zero = {s.t: sp.Integer(2), s.k: sp.Integer(1), s.P: sp.Rational(1, 2), s.p: sp.Rational(1, 4)}  # t = P/p - k + 1
    return "above its threshold one more label is no worse", domain, gap, zero


def _beta_against_gamma(s: Letters) -> tuple[str, Domain, Any, Any]:
    sizes = s.t, s.b, s.s1, s.s2, s.l
    domain = domains.blocks(s)
    gap = beta(*sizes) - 1 / (s.t * s.s1 + s.t * s.s2)
    return "BlockRR: beta is at least a t-th of uniform", domain, gap, None


def _gamma_private(s: Letters) -> tuple[str, Domain, Any, Any]:
    sizes = s.t, s.b, s.s1, s.s2, s.l
    return "BlockRR: gamma <= t beta", domains.blocks(s), s.t * beta(*sizes) - gamma(*sizes), None


def _mixture_private(s: Letters) -> tuple[str, Domain, Any, Any]:
    high = s.lam * s.t / (s.t + s.K - 1) + (1 - s.lam) / s.K
    low = s.lam / (s.t + s.K - 1) + (1 - s.lam) / s.K
    zero = {s.t: sp.Integer(2), s.K: sp.Integer(2), s.lam: sp.Integer(1)}
    return "a mixture of RR and uniform is private", domains.mixture(s), s.t * low - high, zero


def _variances(s: Letters) -> tuple[str, Domain, Any, Any]:
    gap = sp.sqrt(s.t) / (sp.sqrt(s.t) - 1) ** 2 - 4 * s.t / (s.t - 1) ** 2
    return "optimal unary encoding has less variance than the symmetric one", domains.one_ratio(s), gap, None


def _direct_against_unary(s: Letters) -> tuple[str, Domain, Any, Any]:
    base = domains.level(s)
    domain = Domain((*base.hypotheses, 3 * s.t + 2 >= s.K), base.ranges, base.above_one, base.counting)
    gap = (4 * s.t - (s.t + s.K - 2)) / (s.t - 1) ** 2
    return "direct encoding up to K = 3 t + 2", domain, gap, {s.t: sp.Integer(2), s.K: sp.Integer(8)}


def _two_maxima(s: Letters) -> tuple[str, Domain, Any, Any]:
    gap = s.t * s.p / (s.t + 1) + s.q / (s.t + 1) - sp.Min(s.p, s.q)
    return (
        "RR on two labels hits at least the rarer one",
        domains.two_priors(s),
        gap,
        {s.t: sp.Integer(2), s.p: sp.Integer(0), s.q: sp.Integer(0)},
    )


_KNOWN: list[Known] = [
    _above_uniform, _below_uniform, _better_than_guessing, _more_labels, _gamma_private, _beta_against_gamma, _mixture_private, _variances, _direct_against_unary, _two_maxima,
]  # fmt: skip


def _of_a_mechanism(rng: Random) -> Statement:
    """A known inequality: as it stands, strict, or lowered by 10^-9 (false where it is tight)."""
    gap = sp.S.Zero
    while gap.is_number:  # where sympy has already seen that it is zero there is nothing to prove
        line, domain, gap, zero = rng.choice(_KNOWN)(Letters(rng))
    lowered = zero is not None and rng.random() < 0.3
    gap = gap - sp.Rational(1, 10**9) if lowered else gap
    strict = rng.random() < 0.5
    witness = zero if lowered or strict else None
    gap = rewrite(rng, gap, domain, rng.choice([0, 0, 1]))
    return _settled("c mechanisms", line, domain, gap, strict, witness)


# ---- exponentials and logarithms


def _transcendental(rng: Random) -> Statement:
    """Tangents and their like, zero at one known point, shifted by nothing or a little down."""
    x = sp.Symbol("x", real=rng.choice([True, None]))
    anywhere = Domain((), {x: lambda r, _: sp.Rational(r.randint(-60, 60), 8)})
    positive = Domain((x > 0,), {x: lambda r, _: sp.Rational(r.randint(1, 80), 8)})
    bounded = Domain((x > -1,), {x: lambda r, _: sp.Rational(r.randint(-7, 60), 8)})
    line, domain, gap, zero = rng.choice(
        [
            ("e^x >= 1 + x", anywhere, sp.exp(x) - 1 - x, 0),
            ("e^-x >= 1 - x", anywhere, sp.exp(-x) - 1 + x, 0),
            ("log(1 + x) <= x", bounded, x - sp.log(1 + x), 0),
            ("log x <= x - 1", positive, x - 1 - sp.log(x), 1),
            ("cosh x >= 1", anywhere, sp.cosh(x) - 1, 0),
            ("cosh x >= 1 + x^2/2", anywhere, sp.cosh(x) - 1 - x**2 / 2, 0),
            ("tanh x <= x", positive, x - sp.tanh(x), None),
            ("sinh x >= x", positive, sp.sinh(x) - x, None),
            ("e^x >= e x", anywhere, sp.exp(x) - sp.E * x, 1),
            ("x log x >= x - 1", positive, x * sp.log(x) - x + 1, 1),
            ("tanh(x/2) < 1", anywhere, 1 - sp.tanh(x / 2), None),
        ]
    )
    strict = rng.random() < 0.5
    lowered = zero is not None and rng.random() < 0.3
    gap = gap - sp.Rational(1, 10**6) if lowered else gap
    witness = {x: sp.Integer(zero)} if zero is not None and (lowered or strict) else None
    return _settled("c exponentials", line, domain, gap, strict, witness)
