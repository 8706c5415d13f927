"""True identities of the mechanisms: name, domain, left, right. Each is a formula of a paper or follows by hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import sympy as sp

from lpmech.mechanisms.bipartite_rr import high_probability, low_probability
from lpmech.mechanisms.block_rr import beta, gamma, kappa
from lpmech.mechanisms.rr_with_prior import hit_rate
from lpmech.mechanisms.staircase_rr import step_weight
from soundness import domains
from soundness.domains import Letters
from soundness.statement import Domain

__all__ = ["identity", "IDENTITIES"]

Identity = tuple[str, Domain, Any, Any]
i = sp.Symbol("i", integer=True)
half = sp.Rational(1, 2)


def identity(rng: Random, letters: Letters) -> Identity:
    """One of the identities."""
    name = rng.choice(sorted(IDENTITIES))
    domain, left, right = IDENTITIES[name]
    return name, domain(letters), left(letters), right(letters)


def _response(t: Any, K: Any) -> tuple[Any, Any]:
    return t / (t + K - 1), 1 / (t + K - 1)


def _kept_rate(s: Letters, more: int) -> Any:
    return hit_rate(s.t, s.k + more, s.P + more * s.p)


def _sizes(s: Letters) -> tuple[Any, ...]:
    return s.t, s.b, s.s1, s.s2, s.l


def _bit_variance(p: Any, q: Any) -> Any:
    return q * (1 - q) / (p - q) ** 2


def _two_point(s: Letters) -> Any:
    """Pr[released label is the true one] minus Pr[it is the other], exponential mechanism with two labels."""
    return (sp.exp(s.eps / 2) - 1) / (sp.exp(s.eps / 2) + 1)


def _private(s: Letters) -> Domain:
    return Domain((s.eps > 0,), {s.eps: lambda rng, _: sp.Rational(rng.randint(1, 40), 8)})


def _two_labels(s: Letters) -> Domain:
    base = domains.level(s)
    return Domain((*base.hypotheses, s.K >= 3), base.ranges, base.above_one, base.counting)


def _steps(s: Letters) -> Domain:
    base = domains.bipartite(s)
    ranges = {s.t: base.ranges[s.t], s.m: lambda rng, _: sp.Integer(rng.randint(2, 8))}
    return Domain((s.t > 1, s.m >= 2), ranges, (s.t,), (s.m,))


Part = Callable[[Letters], Any]

IDENTITIES: dict[str, tuple[Callable[[Letters], Domain], Part, Part]] = {
    "rows of RR sum to one": (
        domains.level,
        lambda s: _response(s.t, s.K)[0] + (s.K - 1) * _response(s.t, s.K)[1],
        lambda s: 1,
    ),
    "rows of RR, summed label by label": (
        domains.level,
        lambda s: _response(s.t, s.K)[0] + sp.Sum(_response(s.t, s.K)[1], (i, 2, s.K)),
        lambda s: 1,
    ),
    "difference of the entries of RR": (
        domains.level,
        lambda s: _response(s.t, s.K)[0] - _response(s.t, s.K)[1],
        lambda s: (s.t - 1) / (s.t + s.K - 1),
    ),
    "hit rate of RR against guessing": (
        domains.level,
        lambda s: _response(s.t, s.K)[0] - 1 / s.K,
        lambda s: (s.t - 1) * (s.K - 1) / (s.K * (s.t + s.K - 1)),
    ),
    "gain of one more label in RRTop-k": (
        domains.top_k,
        lambda s: _kept_rate(s, 1) - _kept_rate(s, 0),
        lambda s: s.t * (s.p * (s.t + s.k - 1) - s.P) / ((s.t + s.k) * (s.t + s.k - 1)),
    ),
    "hit rate of RRTop-k": (domains.top_k, lambda s: (s.t + s.k - 1) * _kept_rate(s, 0), lambda s: s.t * s.P),
    "rows of BRR sum to one": (
        domains.bipartite,
        lambda s: s.m * high_probability(s.t, s.N, s.m) + (s.N - s.m) * low_probability(s.t, s.N, s.m),
        lambda s: 1,
    ),
    "BRR summed over its top m": (
        domains.bipartite,
        lambda s: (
            sp.Sum(high_probability(s.t, s.N, s.m), (i, 1, s.m))
            + sp.Sum(low_probability(s.t, s.N, s.m), (i, s.m + 1, s.N))
        ),
        lambda s: 1,
    ),
    "utility of BRR with ranks as similarities": (
        domains.bipartite,
        lambda s: sp.Sum(i * high_probability(s.t, s.N, s.m), (i, 1, s.m)),
        lambda s: s.t * s.m * (s.m + 1) / (2 * (s.m * s.t + s.N - s.m)),
    ),
    "majority rows of BlockRR": (
        domains.blocks,
        lambda s: ((s.t - 1) * s.b + s.s1) * beta(*_sizes(s)) + s.s2 * gamma(*_sizes(s)),
        lambda s: 1,
    ),
    "minority rows of BlockRR": (
        domains.blocks,
        lambda s: ((s.t - 1) * s.b + s.s2) * gamma(*_sizes(s)) + (s.s1 - s.l) * beta(*_sizes(s)) + s.l / (s.s1 + s.s2),
        lambda s: 1,
    ),
    "kappa of BlockRR": (
        domains.blocks,
        lambda s: kappa(*_sizes(s)),
        lambda s: (s.t - 1) * s.b * ((s.t - 1) * s.b + s.s1 + s.s2) + s.l * s.s2,
    ),
    "variance of a bit of unary encoding": (
        domains.encoding,
        lambda s: _bit_variance(s.p, s.q),
        lambda s: s.q / (s.p - s.q) ** 2 - (s.q / (s.p - s.q)) ** 2,
    ),
    "variance of optimal unary encoding": (
        domains.one_ratio,
        lambda s: _bit_variance(half, 1 / (s.t + 1)),
        lambda s: 4 * s.t / (s.t - 1) ** 2,
    ),
    "variance of symmetric unary encoding": (
        domains.one_ratio,
        lambda s: _bit_variance(sp.sqrt(s.t) / (sp.sqrt(s.t) + 1), 1 / (sp.sqrt(s.t) + 1)),
        lambda s: sp.sqrt(s.t) / (sp.sqrt(s.t) - 1) ** 2,
    ),
    "variance of direct encoding": (
        domains.level,
        lambda s: _bit_variance(*_response(s.t, s.K)),
        lambda s: (s.t + s.K - 2) / (s.t - 1) ** 2,
    ),
    "hit rate of the exponential mechanism": (
        domains.level,
        lambda s: sp.sqrt(s.t) / (sp.sqrt(s.t) + s.K - 1),
        lambda s: 1 - (s.K - 1) / (sp.sqrt(s.t) + s.K - 1),
    ),
    "exponential mechanism on two labels": (_private, _two_point, lambda s: sp.tanh(s.eps / 4)),
    "RR on two labels": (
        _private,
        lambda s: sp.exp(s.eps) / (sp.exp(s.eps) + 1),
        lambda s: half + sp.tanh(s.eps / 2) / 2,
    ),
    "truncated geometric mechanism": (
        domains.level,
        lambda s: sp.Sum(s.t ** (-i), (i, 0, s.K - 1)),
        lambda s: (s.t - s.t ** (1 - s.K)) / (s.t - 1),
    ),
    "two-sided geometric weights": (
        domains.level,
        lambda s: 1 + 2 * sp.Sum(s.t ** (-i), (i, 1, s.K)),
        lambda s: (s.t + 1 - 2 * s.t ** (-s.K)) / (s.t - 1),
    ),
    "subset selection: true label inside": (
        domains.bipartite,
        lambda s: s.m * sp.binomial(s.N, s.m),
        lambda s: s.N * sp.binomial(s.N - 1, s.m - 1),
    ),
    "subset selection: rows sum to one": (
        domains.bipartite,
        lambda s: (s.t * sp.binomial(s.N - 1, s.m - 1) + sp.binomial(s.N - 1, s.m)) / sp.binomial(s.N, s.m),
        lambda s: (s.m * s.t + s.N - s.m) / s.N,
    ),
    "staircase weights": (
        _steps,
        lambda s: sp.Sum(step_weight(s.t, s.m, i), (i, 1, s.m)),
        lambda s: s.m * (s.t + 1) / 2,
    ),
    "number of bits set": (
        domains.level,
        lambda s: sp.Sum(sp.binomial(s.K, i) * s.t**i, (i, 0, s.K)),
        lambda s: (1 + s.t) ** s.K,
    ),
    "mean number of bits set": (
        domains.counts,
        lambda s: sp.Sum(i * sp.binomial(s.K, i), (i, 0, s.K)),
        lambda s: s.K * 2 ** (s.K - 1),
    ),
    "loss |i - j| of the first row": (
        domains.counts,
        lambda s: sp.Sum(i - 1, (i, 1, s.K)),
        lambda s: s.K * (s.K - 1) / 2,
    ),
    "squared loss of the first row": (
        domains.counts,
        lambda s: sp.Sum((i - 1) ** 2, (i, 1, s.K)),
        lambda s: s.K * (s.K - 1) * (2 * s.K - 1) / 6,
    ),
    "loss of the middle row": (
        domains.counts,
        lambda s: sp.floor(s.K / 2) * sp.ceiling(s.K / 2),
        lambda s: sp.floor(s.K**2 / 4),
    ),
    "mixture of RR and uniform": (
        domains.mixture,
        lambda s: (
            s.lam * s.t / (s.t + s.K - 1)
            + (1 - s.lam) / s.K
            + (s.K - 1) * (s.lam / (s.t + s.K - 1) + (1 - s.lam) / s.K)
        ),
        lambda s: 1,
    ),
    "better of two labels": (
        domains.two_priors,
        lambda s: sp.Max(s.t * s.p + s.q, s.t * s.q + s.p),
        lambda s: s.p + s.q + (s.t - 1) * sp.Max(s.p, s.q),
    ),
    "majority of two labels": (
        domains.two_priors,
        lambda s: sp.Piecewise((s.p, s.p >= s.q), (s.q, True)),
        lambda s: (s.p + s.q + sp.Abs(s.p - s.q)) / 2,
    ),
    "Bayes risk of two labels": (
        domains.two_priors,
        lambda s: sp.Min(s.p, s.q) + sp.Max(s.p, s.q),
        lambda s: s.p + s.q,
    ),
    "RR composed with RR": (
        _two_labels,
        lambda s: (s.t**2 + s.K - 1) / (s.t + s.K - 1) ** 2 + (s.K - 1) * (2 * s.t + s.K - 2) / (s.t + s.K - 1) ** 2,
        lambda s: 1,
    ),
}
