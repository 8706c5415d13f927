"""Random rewriting that keeps the value of a formula everywhere on its domain."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import sympy as sp

from soundness.statement import Domain

__all__ = ["rewrite", "equal_pair"]

i = sp.Symbol("i", integer=True)
half = sp.Rational(1, 2)
Pair = tuple[Any, Any]

#: Equal for every real t > 1; both sides positive.
_ABOVE_ONE: list[Callable[[Any], Pair]] = [
    lambda t: ((t - 1) * (t + 1), t**2 - 1),
    lambda t: ((sp.sqrt(t) - 1) * (sp.sqrt(t) + 1), t - 1),
    lambda t: (sp.Max(t, 1), t),
    lambda t: (sp.Abs(t - 1), t - 1),
    lambda t: ((t**3 - 1) / (t - 1), t**2 + t + 1),
    lambda t: (sp.sqrt(t**2), t),
    lambda t: (sp.sqrt(t**2 - 2 * t + 1), t - 1),
    lambda t: (sp.Max(t, 1 / t), t),
    lambda t: (sp.Min(1 / t, 1), 1 / t),
    lambda t: (sp.Piecewise((t, t >= 1), (1 / t, True)), t),
    lambda t: (sp.Piecewise((t - 1, t > 1), (0, True)), t - 1),
    lambda t: (t ** sp.Rational(3, 2) / sp.sqrt(t), t),
    lambda t: (sp.sqrt(t) + 1 / sp.sqrt(t), (t + 1) / sp.sqrt(t)),
    lambda t: (sp.sqrt(t + 2 * sp.sqrt(t) + 1), sp.sqrt(t) + 1),
]
#: Equal for every integer K >= 1; both sides positive.
_COUNTING: list[Callable[[Any], Pair]] = [
    lambda K: (sp.Sum(i, (i, 1, K)), K * (K + 1) / 2),
    lambda K: (sp.Sum(2 * i - 1, (i, 1, K)), K**2),
    lambda K: (sp.Sum(1, (i, 1, K)), K),
    lambda K: (sp.floor(K / 2) + sp.ceiling(K / 2), K),
    lambda K: (sp.Mod(K, 2) + 2 * sp.floor(K / 2), K),
    lambda K: (sp.binomial(K + 1, 2), K * (K + 1) / 2),
    lambda K: (sp.Product((i + 1) / i, (i, 1, K)), K + 1),
    lambda K: (sp.Sum(1 / (i * (i + 1)), (i, 1, K)), K / (K + 1)),
    lambda K: (sp.Sum(sp.binomial(K, i), (i, 0, K)), 2**K),
    lambda K: (sp.factorial(K + 1) / sp.factorial(K), K + 1),
    lambda K: (sp.Max(K, 1), K),
    lambda K: (sp.Piecewise((1, sp.Eq(K, 1)), (K, True)), K),
    lambda K: (2 ** (K + 1) - 2**K, 2**K),
    lambda K: (sp.Sum(2**i, (i, 0, K)), 2 ** (K + 1) - 1),
    lambda K: (sp.Abs(K), K),
    lambda K: (sp.Mod(K**2 + K, 2) + 1, sp.S.One),
]
#: Equal for every real t > 1 and integer K >= 1; both sides positive.
_BOTH: list[Callable[[Any, Any], Pair]] = [
    lambda t, K: (sp.Sum(t**i, (i, 0, K - 1)), (t**K - 1) / (t - 1)),
    lambda t, K: (sp.Sum(sp.binomial(K, i) * t**i, (i, 0, K)), (1 + t) ** K),
    lambda t, K: (t ** (K + 1) - t**K, (t - 1) * t**K),
    lambda t, K: (sp.sqrt(t ** (2 * K)), t**K),
    lambda t, K: (sp.Max(t + K - 1, K), t + K - 1),
    lambda t, K: (t ** (-K) + 1, (1 + t**K) / t**K),
    lambda t, K: (sp.Product(t, (i, 1, K)), t**K),
]
#: Equal for every p in [0, 1], not always positive.
_UNIT: list[Callable[[Any], Pair]] = [
    lambda p: (sp.Abs(p), p),
    lambda p: (sp.Abs(1 - p), 1 - p),
    lambda p: (sp.Min(p, 1), p),
    lambda p: (sp.Max(p, 0), p),
    lambda p: (sp.sqrt(p**2), p),
    lambda p: (sp.Max(p, 1 - p), (1 + sp.Abs(2 * p - 1)) / 2),
    lambda p: (sp.Max(p, p**2), p),
    lambda p: (sp.Piecewise((p, p > 0), (0, True)), p),
]


def equal_pair(rng: Random, domain: Domain) -> Pair | None:
    """Two formulas that are equal and positive on the domain, or None if the domain has no usable symbols."""
    choices: list[Pair] = [make(t) for t in domain.above_one for make in _ABOVE_ONE]
    choices += [make(K) for K in domain.counting for make in _COUNTING]
    choices += [make(t, K) for t in domain.above_one for K in domain.counting for make in _BOTH]
    return rng.choice(choices) if choices else None


def rewrite(rng: Random, expr: Any, domain: Domain, steps: int) -> Any:
    """The same formula, written differently in a few random steps."""
    for _ in range(steps):
        expr = rng.choice(_STEPS)(rng, sp.sympify(expr), domain)
    return expr


# ---- the steps


def _add_zero(rng: Random, expr: Any, domain: Domain) -> Any:
    pair = _any_pair(rng, domain)
    return expr if pair is None else expr + rng.choice([1, 2, -1, half, *domain.above_one]) * (pair[0] - pair[1])


def _times_one(rng: Random, expr: Any, domain: Domain) -> Any:
    pair = equal_pair(rng, domain)
    if pair is None:
        return expr
    above, below = pair if rng.random() < 0.5 else pair[::-1]
    return expr * above / below


def _rename(rng: Random, expr: Any, domain: Domain) -> Any:
    """One summand or factor gets a symbol written differently."""
    if not expr.args or expr.has(sp.Sum, sp.Product):
        return expr
    part = rng.choice(expr.args)
    symbols = [s for s in (*domain.above_one, *domain.counting, *domain.unit) if s in part.free_symbols]
    if not symbols or not isinstance(expr, sp.Add | sp.Mul):
        return expr
    symbol = rng.choice(symbols)
    same: dict[Any, list[Any]] = {
        **{t: [sp.Max(t, 1), sp.Abs(t), sp.sqrt(t**2), (t**2 - 1) / (t + 1) + 1] for t in domain.above_one},
        **{K: [sp.Max(K, 1), sp.floor(K / 2) + sp.ceiling(K / 2), (K**2 + K) / (K + 1)] for K in domain.counting},
        **{p: [sp.Abs(p), sp.Max(p, 0), sp.Min(p, 1)] for p in domain.unit},
    }
    return expr.func(*[a.subs(symbol, rng.choice(same[symbol])) if a == part else a for a in expr.args])


def _transform(rng: Random, expr: Any, domain: Domain) -> Any:
    if not expr.is_rational_function(*expr.free_symbols):
        return sp.expand_mul(expr) if rng.random() < 0.5 else expr
    return rng.choice([sp.expand, sp.together, sp.factor, sp.cancel])(expr)


def _split(rng: Random, expr: Any, domain: Domain) -> Any:
    """Two branches that say the same."""
    conditions = [t > 3 for t in domain.above_one] + [t**2 < 2 for t in domain.above_one]
    conditions += [sp.Eq(K, 3) for K in domain.counting] + [K > 4 for K in domain.counting]
    conditions += [p < half for p in domain.unit]
    if not conditions:
        return expr
    other = _transform(rng, expr, domain)
    return sp.Piecewise(
        (other if other != expr else _add_zero(rng, expr, domain), rng.choice(conditions)), (expr, True)
    )


def _extreme(rng: Random, expr: Any, domain: Domain) -> Any:
    pair = equal_pair(rng, domain)
    if pair is None or expr.is_number:
        return expr
    return rng.choice([sp.Max(expr, expr - pair[1]), sp.Min(expr, expr + pair[1])])


def _any_pair(rng: Random, domain: Domain) -> Pair | None:
    unit = [make(p) for p in domain.unit for make in _UNIT]
    return rng.choice(unit) if unit and rng.random() < 0.4 else equal_pair(rng, domain)


_STEPS = [_add_zero, _add_zero, _times_one, _rename, _transform, _transform, _split, _extreme]
