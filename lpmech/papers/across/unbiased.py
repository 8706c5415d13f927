"""Numbers released without bias: how far outputs have to reach, two labels in closed form, how many outputs it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.errors import InvalidInputError
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.programs.solvers.unbiased import solve_unbiased
from lpmech.programs.unbiased import Unbiased, UnbiasedProgram, even_grid, least_at_two, nearest_output, reach
from lpmech.terms import functions as tm

A, B, D, K, T = tm.symbols("a b d K t")
_P, _Q, _S, _V, _W, _X, _LAMBDA = tm.symbols("p q s v w x lambda")

_RATIOS = [Fraction(t) for t in ("3/2", "3", "20")]


def _solved(values: Sequence[int], weights: list[int], grid: Any, ratio: Fraction) -> Unbiased:
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    return solve_unbiased(UnbiasedProgram.of(values, prior, grid, PrivacyLevel.from_ratio(ratio)))


@PAPER.claim(
    "Unbiased outputs reach",
    r"an $\epsilon$-private channel whose outputs are numbers from $a$ to $b$ can be unbiased for values from $v$ to $w$ if and only if $a \le v - \frac{w-v}{t-1}$ and $b \ge w + \frac{w-v}{t-1}$, whatever outputs lie between, and however many values",
    hypotheses=r"$w > v$. Only if: $z - a \ge 0$, so its mean at $w$ is at most $t$ times that at $v$: $w - a \le t(v - a)$; likewise $b - v \le t(b - w)$. If: the value $x$ releases $b$ with probability $\frac{x-a}{b-a}$, else $a$",
    given=[T > 1, _W > _V],
    replay="2 to 4 values, three t, with and without outputs between: exact optima at the reach; beyond it, refused",
    formula=nearest_output,
    mutants={
        "half the range": lambda v, w, t: v - (w - v) / (2 * (t - 1)),
        "the range over t": lambda v, w, t: v - (w - v) / t,
    },
    note=r"At the reach itself nothing between the ends is released: there is one unbiased channel.",
)
def unbiased_outputs_reach(end: Callable[..., Any]) -> Parts:
    for size, ratio, inner in product(range(2, 5), _RATIOS, (0, 3)):
        values = tuple(y * y for y in range(size))
        low, high = end(values[0], values[-1], ratio), end(values[-1], values[0], ratio)
        yield Instance(f"values {values}, t = {ratio}: ends", reach(values, ratio), "==", (low, high))
        grid = [low + (high - low) * Fraction(k, inner + 1) for k in range(inner + 2)]
        try:
            found = _solved(values, [1] * size, grid, ratio)
            yield Instance(f"values {values}, t = {ratio}: outputs", found.outputs, "==", [low, high])
        except InvalidInputError as exc:
            yield f"{values}, t = {ratio}: {exc}"
        try:
            _solved(values, [1] * size, [low + (high - low) / 1000, *grid[1:]], ratio)
            yield f"{values}, t = {ratio}: a nearer output suffices"
        except InvalidInputError:
            yield True
    yield "least output", tm.Equivalent(_W - A <= T * (_V - A), A <= end(_V, _W, T))
    yield "largest output", tm.Equivalent(B - _V <= T * (B - _W), B >= end(_W, _V, T))
    yield "unbiased", ((_X - A) * B + (B - _X) * A, _X * (B - A))


@PAPER.claim(
    "Unbiased on two labels",
    r"on two values at a distance $d$ no unbiased $\epsilon$-private channel has less variance at either of them than $\frac{d^2 t}{(t-1)^2}$, whatever it releases and whatever the prior: debiased randomised response, which releases $v - \frac{d}{t-1}$ or $w + \frac{d}{t-1}$, is the best",
    hypotheses=r"an output $z$ has probability $p$ at $v$ and $q$ at $w$, $s = z - v$; the mean of $s$ is $0$ at $v$ and $d$ at $w$, so for any $\lambda$ the variance is the sum over outputs of $p s^2 - 2\lambda(q-p)s$, plus $2 \lambda d$; each of these is at least $-\lambda^2 \frac{(t-1)^2}{t} q$, for $p$ times what it is more is a square and a multiple of $(tq-p)(tp-q) \ge 0$, and $\lambda = \frac{d t}{(t-1)^2}$",
    given=[T > 1, D > 0, _P > 0, _Q > 0],
    replay="five grids, two priors, three t: exact optima and their proofs",
    formula=least_at_two,
    mutants={
        "RR without its factor": lambda d, t: d * d / (t - 1) ** 2,
        "t^2": lambda d, t: d * d * t * t / (t - 1) ** 2,
    },
    note="So on any number of labels each has at least the variance of two at its distance to the farthest one: Hammersley, Chapman and Robbins.",
)
def unbiased_on_two_labels(least: Callable[..., Any]) -> Parts:
    for points, weights, ratio in product(range(2, 7), ([1, 1], [9, 1]), _RATIOS):
        grid = even_grid([2, 5], PrivacyLevel.from_ratio(ratio), points)
        variances = _solved([2, 5], weights, grid, ratio).variances.tolist()
        where = f"values 2 and 5, {points} outputs, prior as {(*weights,)}, t = {ratio}: variances"
        yield Instance(where, variances, "==", [least(3, ratio)] * 2)
    below, above = nearest_output(_V, _V + D, T), nearest_output(_V + D, _V, T)
    yield "debiased RR, mean", (T / (T + 1) * below + 1 / (T + 1) * above, _V)
    yield "debiased RR", (T / (T + 1) * (below - _V) ** 2 + 1 / (T + 1) * (above - _V) ** 2, least(D, T))
    bound, gap = (T - 1) ** 2 / T, _LAMBDA * (_Q - _P)
    yield (
        "one output",
        (
            _P * (_P * _S**2 - 2 * gap * _S + _LAMBDA**2 * bound * _Q),
            (_P * _S - gap) ** 2 + _LAMBDA**2 / T * (T * _Q - _P) * (T * _P - _Q),
        ),
    )
    given = [T > 1, _P > 0, _Q > 0, _Q <= T * _P, _P <= T * _Q]
    yield given, {"private": (T * _Q - _P) * (T * _P - _Q) >= 0}
    best = D * T / (T - 1) ** 2
    yield "all outputs", (2 * best * D - best**2 * bound, least(D, T))


def _family(size: int) -> Iterator[Unbiased]:
    """Even and rising priors, three t, grids of two spacings that do not meet the ends."""
    values = list(range(size))
    for weights, ratio, step in product(([1] * size, [*values[1:], size]), _RATIOS, (Fraction(1, 3), Fraction(2, 7))):
        low, high = reach(values, ratio)
        grid = [low - 1 + step * j for j in range(int((high - low + 2) / step) + 2)]
        yield _solved(values, weights, grid, ratio)


@PAPER.claim(
    "At most 2K outputs",
    r"on every grid that reaches far enough an optimal unbiased channel on $K$ labels releases at most $2K$ different numbers, and on some grids $2K$ are released",
    hypotheses=r"the $K$ row sums and $K$ means are equations in the weights of columns with entries $m$ and $tm$, of which every private channel is a sum; a basic optimum has at most $2K$ of them",
    family="K = 2..5, two priors, t = 3/2, 3, 20, two spacings: exact basic optima, each with its dual",
    formula=lambda size: 2 * size,
    mutants={"K": lambda size: size, "2K - 1": lambda size: 2 * size - 1},
    note="Badanidiyuru, Ghazi, Kamath, Kumar, Leeman, Manurangsi, Varadarajan, Zhang 2023 (Optimal Unbiased Randomizers for Regression with Label Differential Privacy) have an optimum with at most $2K$ outputs among all real numbers. On a grid outputs come in neighbouring pairs.",
)
def at_most_twice_the_labels(most: Callable[[int], int]) -> Parts:
    for size in range(2, 6):
        counts = [len(found.outputs) for found in _family(size)]
        yield Instance(f"K = {size}: most outputs", max(counts), "==", most(size))
