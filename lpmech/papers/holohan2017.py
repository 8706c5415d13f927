"""holohan2017 (binary randomised response with two kept probabilities): its claims, in one file.

A response 0 or 1 is kept with probability p00 or p11; n people answer, and the share pi of ones is estimated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.channel import Channel
from lpmech.claims import Instance, Paper, Parts, each
from lpmech.claims.checking import iff
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.privacy import PrivacyLevel
from lpmech.prove import steps
from lpmech.terms import functions as tm

__all__ = ["PAPER"]

PAPER = Paper(
    "holohan2017",
    "Holohan, Leith, Mason: Optimal Differentially Private Mechanisms for Randomised Response (holohan2017)",
)
PAPER.leave_out("numbers of equations and theorems", "the text, beyond its abstract, was not at hand")

SOURCE = "Reconstructed from the abstract (arXiv:1612.05568) and the standard statement; not compared with the text."

a, b, t, d, pi = tm.symbols("p00 p11 t delta pi")
x, y = tm.symbols("x y")  # (1 - p00)/D and (1 - p11)/D with D = p00 + p11 - 1

DESIGN = [t > 1, a >= 0, a <= 1, b >= 0, b <= 1]
_GRID: list[Any] = [Fraction(n, 6) for n in range(7)]


def _channel(kept_0: Any, kept_1: Any) -> Channel:
    return Channel([[kept_0, 1 - kept_0], [1 - kept_1, kept_1]])


@PAPER.claim(
    "Region of privacy",
    r"a design with $p_{00}+p_{11}\ge 1$ is $(\epsilon,\delta)$-private iff $p_{00}\le e^\epsilon(1-p_{11})+\delta$ and $p_{11}\le e^\epsilon(1-p_{00})+\delta$",
    given=[*DESIGN, a + b >= 1, d >= 0, d <= 1],
    replay="all p00, p11 in sixths, two t, delta = 0 and 1/6, against Channel.satisfies",
    kind="theorem",
    formula=tm.And(a <= t * (1 - b) + d, b <= t * (1 - a) + d),
    note=SOURCE + r" Strict privacy is $\delta = 0$. Where $p_{00} + p_{11} < 1$, exchange the names of the outputs.",
)
def region(stated: Any) -> Parts:
    for k0, k1, ratio, slack in product(_GRID, _GRID, (Fraction(3, 2), Fraction(4)), _GRID[:2]):
        found = _channel(k0, k1).satisfies(PrivacyLevel.from_ratio(ratio), slack)
        agrees = k0 + k1 < 1 or found is steps.holds(stated.at({a: k0, b: k1, t: ratio, d: slack}))
        yield agrees or f"p00, p11 = {k0}, {k1}, t = {ratio}, delta = {slack}: private is {found}"
    private = tm.And(a <= t * (1 - b) + d, b <= t * (1 - a) + d, 1 - b <= t * a + d, 1 - a <= t * b + d)
    yield from iff(stated, private, "all four inequalities", "these two").items()


@PAPER.claim(
    "Variance of the estimator",
    r"$n$ times the variance of the unbiased estimator is $\pi(1-\pi)+[\pi p_{11}(1-p_{11})+(1-\pi)p_{00}(1-p_{00})]/(p_{00}+p_{11}-1)^2$",
    given=[*DESIGN, pi >= 0, pi <= 1, tm.Ne(a + b, 1)],
    evidence=r"$\lambda(1-\lambda)/D^2$ with the probability $\lambda$ of the answer 1, and $D = p_{00} + p_{11} - 1$",
    replay="p00, p11 in sixths, three pi: the variance of one response under Channel.decoder",
    kind="theorem",
    formula=pi * (1 - pi) + (pi * b * (1 - b) + (1 - pi) * a * (1 - a)) / (a + b - 1) ** 2,
    note=SOURCE,
)
def variance(formula: Any) -> Parts:
    for k0, k1 in ((k0, k1) for k0, k1 in product(_GRID, _GRID) if k0 + k1 != 1):
        channel = _channel(k0, k1)
        for share in (Fraction(1, 3), Fraction(0), Fraction(1)):
            law = [(1 - share) * of_0 + share * of_1 for of_0, of_1 in zip(*channel.matrix, strict=True)]
            found = sum(p * estimate**2 for p, estimate in zip(law, channel.decoder[:, 1], strict=True)) - share**2
            stated = steps.value(formula, {a: k0, b: k1, pi: share})
            yield Instance(f"p00, p11 = {k0}, {k1}, pi = {share}: n times the variance", found, "==", stated)
    one = pi * b + (1 - pi) * (1 - a)
    yield "n Var", (one * (1 - one) / (a + b - 1) ** 2, formula)


@PAPER.claim(
    "Optimal design, strict privacy",
    r"$p_{00}=p_{11}=e^\epsilon/(1+e^\epsilon)$ has the least variance of all $\epsilon$-private designs, for every $\pi$: $\pi(1-\pi)+e^\epsilon/(e^\epsilon-1)^2$",
    given=[*DESIGN, a + b > 1, a <= t * (1 - b), b <= t * (1 - a)],
    replay="the kept probability of randomized_response, four t",
    headline=1,
    kind="theorem",
    formula=t / (t - 1) ** 2,
    uses=("Variance of the estimator", "Region of privacy"),
    note=SOURCE + r" Both responses attain their own bound at once, so $\pi$ does not matter.",
)
def optimal_strict(within: Any) -> Parts:
    for ratio in map(Fraction, ("3/2", "2", "4", "20")):
        kept = randomized_response(2, PrivacyLevel.from_ratio(ratio)).matrix[0, 0]
        least, stated = kept * (1 - kept) / (2 * kept - 1) ** 2, steps.value(within, {t: ratio})
        yield Instance(f"t = {ratio}, kept with {kept}: n times the variance less pi (1 - pi)", least, "==", stated)
    for name, kept in each("design", (("a 0", a), ("a 1", b))):
        yield f"at least the variance of {name}", kept * (1 - kept) / (a + b - 1) ** 2 >= within
    p = t / (1 + t)
    yield "attained at this design", (p * (1 - p) / (2 * p - 1) ** 2, within)


@PAPER.claim(
    "Optimal design, relaxed privacy",
    r"$p_{00}=p_{11}=(e^\epsilon+\delta)/(1+e^\epsilon)$ has the least variance of all $(\epsilon,\delta)$-private designs iff $\min(\pi,1-\pi)\ge\delta(e^\epsilon+\delta)/(e^\epsilon-1+2\delta)^2$; for $\pi$ below, $p_{00}=1$, $p_{11}=\delta$ is better",
    hypotheses=r"$x = (1-p_{00})/D$ and $y = (1-p_{11})/D$ with $D = p_{00} + p_{11} - 1$, so that $1/D = 1 + x + y$ and the variance rises in $x$ and $y$; $\pi \le 1/2$, else exchange the responses. With $c = x = y$ in the corner, a design with $x < c$ has $y$ on the edge or above, one with $y < c$ has $x$ so, and all others have both $\ge c$",
    given=[t > 1, d > 0, d < 1, pi >= 0, pi <= tm.Rational(1, 2), x >= 0, y >= 0],
    kind="theorem",
    formula=d * (t + d) / (t - 1 + 2 * d) ** 2,
    uses=("Variance of the estimator", "Region of privacy"),
    note=SOURCE + r" The condition on $\pi$ is ours. A rare response is best asked so that only its own bearers ever give it.",
)  # fmt: skip
def optimal_relaxed(least_share: Any) -> Parts:
    def extra(x: Any, y: Any) -> Any:
        return x * y + pi * y + (1 - pi) * x

    c, steep = (1 - d) / (t - 1 + 2 * d), t - 1 + d
    p = (t + d) / (1 + t)
    big = 1 + x + y
    yield "the variance", (extra(x, y), pi * y * (1 + x) + (1 - pi) * x * (1 + y))
    yield "the region", tm.Equivalent((1 + x) / big <= t * x / big + d, steep * x + d * y >= 1 - d)
    yield "in the corner", (extra(c, c), p * (1 - p) / (2 * p - 1) ** 2)
    edge, slope = (1 - d - steep * x) / d, (steep * (x + c) - (1 - d)) / d
    for name, one, other in each(
        "case", (("x < c", pi, 1 - pi), ("y < c", 1 - pi, pi))
    ):  # the other: the responses exchanged
        on_edge = x * edge + one * edge + other * x
        yield f"{name}, edge", (on_edge - extra(c, c), (c - x) * (slope + one * steep / d - other))
        yield f"{name}, if", tm.Implies(pi >= least_share, slope + one * steep / d - other >= 0)
    yield "only if", tm.Implies(pi < least_share, extra(0, (1 - d) / d) < extra(c, c))


@PAPER.claim(
    "Optimal design of Warner",
    r"with $p_{00}=p_{11}=p>1/2$ the least variance of an $(\epsilon,\delta)$-private design is at $p=(e^\epsilon+\delta)/(1+e^\epsilon)$, for every $\pi$",
    hypotheses="$p$ stands for $p_{00}$",
    given=[t > 1, d >= 0, d < 1, a > tm.Rational(1, 2), a <= 1],
    kind="theorem",
    formula=(t + d) / (1 + t),
    uses=("Variance of the estimator", "Region of privacy"),
    note=SOURCE,
)
def warner(largest: Any) -> Parts:
    yield "private iff p is at most that", tm.Equivalent(a <= t * (1 - a) + d, a <= largest)
    falls = a * (1 - a) / (2 * a - 1) ** 2 >= largest * (1 - largest) / (2 * largest - 1) ** 2
    yield "least variance", tm.Implies(a <= (t + d) / (1 + t), falls)
