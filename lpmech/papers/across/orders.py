"""Who is better for everybody: post-processings written out, and decision problems that tell mechanisms apart."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.channel import Channel
from lpmech.claims import Instance, Parts
from lpmech.leakage import multiplicative_bayes_capacity, posterior_vulnerability
from lpmech.mechanisms.hadamard_response import hadamard_response
from lpmech.mechanisms.named import named_mechanism
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_top_k
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checks import rows_in_words
from lpmech.priors import uniform_prior
from lpmech.privacy import PrivacyLevel
from lpmech.programs.compare_channels import compare_channels
from lpmech.terms import functions as tm

T, U, K, N, M, D = tm.symbols("t u K k m d")

_RATIOS = [Fraction(t) for t in ("3/2", "3", "20")]

#: What papers call the mechanisms of the command line.
_CALLED = {
    "randomized_response": "RR",
    "exponential": "the exponential mechanism",
    "hadamard_response": "Hadamard response",
    "rr_on_bins:2": "RR on two bins",
    "bipartite_rr:2": "BRR with m = 2",
    "block_rr:2,1": "BlockRR (|S1| = 2, l = 1)",
    "symmetric_unary_encoding": "RAPPOR",
    "optimal_unary_encoding": "OUE",
}


def _relation(what: str, first: Channel, second: Channel, stated: str) -> bool | str:
    found = compare_channels(first, second).relation
    return found == stated or f"{what}: {found}, not {stated}"


def _rr(size: int, ratio: Fraction) -> Channel:
    return randomized_response(size, PrivacyLevel.from_ratio(ratio))


@PAPER.claim(
    "RR of a larger epsilon",
    r"randomised response at a smaller level follows from that at a larger one, for every $K$: so it is worth at most as much to everybody, for every prior and gain",
    hypotheses=r"levels $e^\epsilon = t > u$; with $c = \frac{(u-1)(t+K-1)}{(u+K-1)(t-1)}$ the label that RR at $t$ released is kept with probability $\frac{1+(K-1)c}{K}$, and becomes each other one with $\frac{1-c}{K}$",
    given=[U > 1, T > U, K >= 2],
    replay="exact programs, K <= 4, levels 3/2, 3, 20",
    formula=lambda t, u, size: (u - 1) * (t + size - 1) / ((u + size - 1) * (t - 1)),
    mutants={"the levels' excesses alone": lambda t, u, size: (u - 1) / (t - 1)},
    note="The theorem of Blackwell (1951): channels that follow from one another are ordered for every decision problem, and no others are.",
)
def rr_of_larger_epsilon(kept: Callable[..., Any]) -> Parts:
    for size, (t, u) in product(range(2, 5), ((t, u) for t in _RATIOS for u in _RATIOS if t > u)):
        yield _relation(f"K = {size}, t = {t}, u = {u}", _rr(size, t), _rr(size, u), "first dominates")
    c = kept(T, U, K)
    own, other = (1 + (K - 1) * c) / K, (1 - c) / K
    high, low = T / (T + K - 1), 1 / (T + K - 1)
    yield "the label that is kept", (high * own + (K - 1) * low * other, U / (U + K - 1))
    yield "another one", (high * other + low * own + (K - 2) * low * other, 1 / (U + K - 1))
    yield "rows", (own + (K - 1) * other, 1)
    yield "not negative: own", own >= 0
    yield "not negative: other", other >= 0


@PAPER.claim(
    "RR and RRTop-k for everybody",
    r"RR and RRTop-k are incomparable for every $2 \le k < K$ and every $\epsilon$: each is worth more in some decision problem",
    hypotheses=r"the problem is to tell two labels apart that are as likely as each other; with RR on $n$ labels it is done with probability $\frac{2t+n-2}{2(t+n-1)}$. Two kept labels are better told by RRTop-k; two dropped ones, or if only one is dropped that and a kept one, by RR",
    given=[T > 1, N >= 2, K > N, tm.Whole(K, N)],
    replay="exact programs, K <= 5, all k, three t",
    formula=lambda t, n: (2 * t + n - 2) / (2 * (t + n - 1)),
    mutants={"the better of two labels alone": lambda t, n: t / (t + n - 1)},
)
def rr_and_top_k(told: Callable[..., Any]) -> Parts:
    for size in range(3, 6):
        for k, t in product(range(2, size), _RATIOS):
            top = rr_top_k(uniform_prior(size), k, PrivacyLevel.from_ratio(t))
            yield _relation(f"K = {size}, k = {k}, t = {t}", _rr(size, t), top, "incomparable")
    for size, t in product(range(2, 6), _RATIOS):
        two = [Fraction(1, 2), Fraction(1, 2), *[Fraction(0)] * (size - 2)]
        value = posterior_vulnerability(_rr(size, t), two)
        yield Instance(f"K = {size}, t = {t}: two labels are told apart with", value, "==", told(t, size))
    given = [T > 1, N >= 2, K > N, tm.Whole(K, N)]
    yield given, {"two kept labels": told(T, N) > told(T, K), "two dropped labels": told(T, K) > Fraction(1, 2)}
    dropped = (T / (T + N - 1) + (N - 1) / N) / 2
    yield [T > 1, N >= 2, tm.Whole(N)], {"a kept label and the only one dropped": told(T, N + 1) > dropped}


@PAPER.claim(
    "RR and Hadamard response for everybody",
    r"for three labels Hadamard response follows from RR at every $\epsilon$: it is worth at most as much to everybody; for four labels and more it does not",
    hypotheses=r"$K = 3$: RR's label becomes output 0, which says nothing, with probability $\frac{t}{2(t+1)}$ and else the output that is its own. $K \ge 4$: certified",
    given=[T > 1],
    family="K = 2..6, three t: exact programs",
    formula=lambda t: t / (2 * (t + 1)),
    mutants={"a half": lambda t: t**0 / 2},
)
def rr_and_hadamard(nothing: Callable[..., Any]) -> Parts:
    for size, t in product(range(2, 7), _RATIOS):
        other = hadamard_response(size, PrivacyLevel.from_ratio(t))
        order = compare_channels(_rr(size, t), other)
        follows = order.to_second is not None
        yield follows is (size <= 3) or f"K = {size}, t = {t}: {order.relation}"
        if size == 3 and order.to_second is not None:
            said = order.to_second.matrix[:, 0].tolist()
            yield Instance(f"t = {t}: output 0 is made with", said, "==", [nothing(t)] * 3)
    own = 1 - nothing(T)
    yield "output 0", (nothing(T), 2 * T / (4 * (1 + T)))
    yield "the own output", (T / (T + 2) * own, 2 * T / (4 * (1 + T)))
    yield "another output", (1 / (T + 2) * own, 2 / (4 * (1 + T)))


@PAPER.claim(
    "The largest capacity",
    r"no $\epsilon$-private channel on $K$ labels has a larger Bayes capacity, the sum of the column maxima, than RR, $\frac{K t}{t+K-1}$; RRTop-k has that of RR on $k$ labels, sets of $d$ labels have that of $K/d$ labels, $\frac{(K/d) t}{t + K/d - 1}$",
    hypotheses=r"a column of largest entry $m$ sums to at least $m + (K-1) m / t$, and the columns sum to $K$ together; of $n$ sets of $d$ labels $n d / K$ hold a label",
    given=[T > 1, K >= 2, M > 0],
    replay="K <= 5, all k and d, three t",
    formula=lambda t, size: size * t / (t + size - 1),
    mutants={"e^epsilon": lambda t, size: t},
    note=r"The capacity is the largest multiplicative leakage for any prior and gain (Alvim et al., The Science of Quantitative Information Flow, Chapter 7). $e^\epsilon$ is the cruder bound for all $K$.",
)
def largest_capacity(capacity: Callable[..., Any]) -> Parts:
    for size, t in product(range(3, 6), _RATIOS):
        level = PrivacyLevel.from_ratio(t)
        found = [(f"subset_selection:{d}", f"sets of {d}", Fraction(size, d)) for d in range(size - 1, 0, -1)]
        found += [(f"rr_top_k:{k}", f"RRTop-k, k = {k}", Fraction(k)) for k in range(2, size + 1)]
        for name, called, n in found:
            value = multiplicative_bayes_capacity(named_mechanism(name, size).at(level))
            yield Instance(f"K = {size}, t = {t}, {called}: capacity", value, "==", capacity(t, n))
    yield "column", M <= capacity(T, K) / K * (M + (K - 1) * M / T)
    number = tm.symbol("n")
    sets = number * T / (number * D / K * T + number * (K - D) / K)
    yield [T > 1, K > D, D >= 1, number > 0], {"sets": (sets, capacity(T, K / D))}


@PAPER.claim(
    "Post-processing tells nobody more",
    r"a channel that follows from another one has at most its vulnerability, for every prior and gain: $V_g(p, A R) \le V_g(p, A)$",
    hypotheses=r"output by output: what of outputs $i$ and $k$ becomes output $j$, with probabilities $u, m \ge 0$, is worth at most what it was worth before; $x, v$ are two actions' gains at $i$, $y, w$ those at $k$",
    given=[U >= 0, M >= 0],
    replay="six pairs of mechanisms on three labels at t = 4, all gains of 0 and 1 for two actions",
    formula=posterior_vulnerability,
    mutants={"the worst action": lambda c, p, g: -posterior_vulnerability(c, p, [[-v for v in row] for row in g])},
    note="Alvim et al., The Science of Quantitative Information Flow, Chapter 9; its converse is the coriaceous theorem, which Blackwell (1951) has for experiments.",
)
def post_processing_tells_no_more(value: Callable[..., Any]) -> Parts:
    level = PrivacyLevel.from_ratio(4)
    gains = [(bits[:2], bits[2:4], bits[4:]) for bits in product((0, 1), repeat=6)]
    for better, worse in _COMPARABLE:
        first, second = (named_mechanism(name, 3).at(level) for name in (better, worse))
        where = f"vulnerability of {_CALLED[better]}, of {_CALLED[worse]}"
        for gain in gains[25:] + gains[:25]:  # first and last are worth more than a guess
            here, there = value(first, None, gain), value(second, None, gain)
            yield Instance(f"gains ({rows_in_words(gain)}): {where}", here, ">=", there)
    x, y, v, w = tm.symbols("x y v w")
    yield "one output", tm.Max(U * x + M * y, U * v + M * w) <= U * tm.Max(x, v) + M * tm.Max(y, w)


#: Pairs on three labels of which the first dominates at t = 4.
_COMPARABLE = (
    ("randomized_response", "exponential"),
    ("randomized_response", "hadamard_response"),
    ("rr_on_bins:2", "bipartite_rr:2"),
    ("hadamard_response", "exponential"),
    ("symmetric_unary_encoding", "exponential"),
    ("optimal_unary_encoding", "exponential"),
)

#: First and second mechanism on three labels, the coefficients of the polynomial in s = sqrt(t) (the constant one first)
#: of which the break is a root, the relation below it, and that above.
_BREAKS = (
    ("symmetric_unary_encoding", "optimal_unary_encoding", (-2, -1, -2, 1), "incomparable", "first dominates"),
    ("hadamard_response", "symmetric_unary_encoding", (-1, -1, -3, 1), "incomparable", "second dominates"),
    ("exponential", "hadamard_response", (-3, 1), "second dominates", "incomparable"),
    ("exponential", "optimal_unary_encoding", (2, -3, 3, -6, 2), "second dominates", "incomparable"),
    ("block_rr:2,1", "exponential", (-1, 1, 0, -2, 1), "first dominates", "incomparable"),
)


@PAPER.claim(
    "From which epsilon on",
    r"on three labels RAPPOR (the vector approximation, symmetric unary encoding) is at least as good as optimal unary encoding for everybody if and only if $s = e^{\epsilon/2}$ has $s^3 \ge 2 s^2 + s + 2$ ($\epsilon \ge 1.956$), and as Hadamard response if and only if $s^3 \ge 3 s^2 + s + 1$ ($\epsilon \ge 2.438$); the exponential mechanism for hits, RR at $\epsilon/2$, ceases to follow from BlockRR ($|S_1| = 2$, $l = 1$, uniform prior) at $\epsilon = 1.248$, from OUE at $1.901$, from Hadamard response at $e^\epsilon = 9$",
    hypotheses=r"else they are incomparable. The breaks of the exponential mechanism are the roots above 1 of $s^4 - 2 s^3 + s - 1$ (BlockRR), $2 s^4 - 6 s^3 + 3 s^2 - 3 s + 2$ (OUE) and $s - 3$; these polynomials, and the relations below and above a break, are compared",
    every="the five pairs, each for all t > 1 at once: exact proofs over Q(s) and exact roots",
    formula=_BREAKS,
    mutants={
        "a root of another polynomial": ((*_BREAKS[0][:2], (-2, 1, -2, 1), *_BREAKS[0][3:]), *_BREAKS[1:]),
        "dominated below the break": ((*_BREAKS[0][:3], "second dominates", "first dominates"), *_BREAKS[1:]),
    },
    note=r"`lpmech compare --labels 3` has all 55 pairs of eleven mechanisms. ALIBI follows from RAPPOR at every $\epsilon$: zhao2025.",
)
def from_which_epsilon(breaks: tuple[tuple[str, str, tuple[int, ...], str, str], ...]) -> Parts:
    from lpmech.programs.order_in_t import order_regimes

    for first, second, polynomial, below, above in breaks:
        found = order_regimes(*(named_mechanism(name, 3).in_t() for name in (first, second)))
        ends = [tuple(map(int, r.ends[1].polynomial.coeffs())) for r in found if r.ends[1] is not None]
        got = ends, [regime.relation for regime in found]
        where = f"{_CALLED[first]}, {_CALLED[second]}: polynomial, relations below and above"
        yield Instance(where, got, "==", ([polynomial], [below, above]))
