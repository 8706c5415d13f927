"""Section III and the first paragraph of IV.A: Laplace mechanism, unbiased GRR, BRR with m = 1; and small facts of V.C."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.bipartite_rr import bipartite_channel, high_probability, low_probability
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checking import both, check_family, check_identities, check_implications
from lpmech.papers.claims import Outcome
from lpmech.papers.zhang2025.paper import PAPER, RATIOS, N, T
from lpmech.utilities import absolute, tanimoto

OUT, HERE, THERE, SPREAD, EPSILON = sp.symbols("r f g Delta epsilon")


def _distance(a: Any, b: Any) -> Any:
    return sp.Max(a - b, b - a)


@PAPER.claim(
    "eq. (4)",
    r"the Laplace mechanism f(D)+\mathrm{Laplace}(\Delta f/\epsilon) is \epsilon-DP: \ln of the density ratio is (|r-f'|-|r-f|)/b\le\epsilon for b=\Delta f/\epsilon",
    hypotheses="real outputs r, |f - f'| <= Delta f, epsilon > 0; density e^{-|r - f|/b}/(2b)",
    recorded="proved",
    formula=lambda spread, epsilon: spread / epsilon,
    mutants={
        "scale Delta f / (2 epsilon)": lambda spread, epsilon: spread / (2 * epsilon),
        "scale epsilon / Delta f": lambda spread, epsilon: epsilon / spread,
    },
)
def eq_4(scale: Any) -> Outcome:
    return check_implications(
        [SPREAD > 0, EPSILON > 0, _distance(HERE, THERE) <= SPREAD],
        {"ratio": _distance(OUT, THERE) - _distance(OUT, HERE) <= EPSILON * scale(SPREAD, EPSILON)},
        "the scale is positive; triangle inequality, all real r, f, f'",
    )


@PAPER.claim(
    "Section III.E (unbiased)",
    r"GRR 'enables unbiased estimation of the overall data': (c-q)/(p-q) is unbiased for a share \pi, where c is the released share",
    hypotheses="E c = pi p + (1 - pi) q with p, q of (5); t > 1, N >= 2 makes p > q",
    recorded="proved",
    formula=lambda c, p, q: (c - q) / (p - q),
    mutants={"c / p": lambda c, p, q: c / p, "c - q": lambda c, p, q: c - q},
)
def unbiased(estimate: Any) -> Outcome:
    share, p, q = sp.Symbol("pi"), T / (T + N - 1), 1 / (T + N - 1)
    mean = check_identities(
        {"mean": (estimate(share * p + (1 - share) * q, p, q), share)}, "linear in c, so the mean passes through"
    )
    return both(mean, check_implications([T > 1, N >= 2], {"p > q": p > q}, "and p > q"))


@PAPER.claim(
    "Section IV.A (m = 1)",
    r"'when m=1, p=p^*, thereby equating BRR to GRR'",
    hypotheses="all N, t; and as channels for -|i - j| and Tanimoto, N <= 6, where the true item is the most similar one",
    recorded="proved",
    formula=1,
    mutants={"m = 2": 2, "m = N": N},
)
def one_is_grr(m: Any) -> Outcome:
    return check_identities(
        {
            "p* = p": (high_probability(T, N, m), T / (T + N - 1)),
            "q* = q": (low_probability(T, N, m), 1 / (T + N - 1)),
        },
        "identities in N and t",
    )


@PAPER.claim(
    "Section IV.A (m = 1) [channels]",
    r"the channel (6) with m=1 is the channel (5) when the true item is the most similar to itself",
    hypotheses="-|i - j| and Tanimoto on 1..N, N <= 6, t in {2, 3, 7/2, 10}",
    recorded="certified",
    formula=1,
    mutants={"m = 2": 2},
)
def one_is_grr_channel(m: int) -> Outcome:
    def failure(case: tuple[str, int, Fraction]) -> str | None:
        name, n, t = case
        level = PrivacyLevel.from_ratio(t)
        utility = absolute(n) if name == "-|i - j|" else tanimoto(n)
        same = bipartite_channel(utility, m, level) == randomized_response(n, level)
        return None if same else f"{name} on 1..{n}, t = {t}: m = {m} is another channel"

    family = [(name, n, t) for n in range(2, 7) for name in ("-|i - j|", "Tanimoto") for t in RATIOS]
    return check_family(family, failure, "N = 2..6")


@PAPER.claim(
    "Section IV.A (m = N)",
    r"with m=N every item has probability 1/N: BRR gives no information, and is 0-LDP",
    hypotheses="all N, t; the other end of the range of m, which the paper does not mention",
    recorded="proved",
    formula=lambda n: 1 / n,
    mutants={"GRR's p": lambda n: T / (T + n - 1)},
)
def all_alike(entry: Any) -> Outcome:
    return check_identities({"p*": (high_probability(T, N, N), entry(N))}, "identity")


HALF_RANGE, STEP = sp.symbols("c L")


@PAPER.claim(
    "Section V.C (n = 2c/L + 1)",
    r"dividing [-c,c] into intervals of length L gives n=2c/L+1 values: the last of -c, -c+L, ... is c",
    hypotheses="2c a multiple of L",
    recorded="proved",
    formula=lambda c, step: 2 * c / step + 1,
    mutants={"2c/L": lambda c, step: 2 * c / step, "c/L + 1": lambda c, step: c / step + 1},
)
def grid(count: Any) -> Outcome:
    return check_identities(
        {"last value": (-HALF_RANGE + STEP * (count(HALF_RANGE, STEP) - 1), HALF_RANGE)}, "identity in c and L"
    )


PAPER.leave_out(
    "Section II and III.A to III.D (definitions)", "definitions (1), (2) and Warner's scheme state no result"
)
