"""What the paper's own bounds say at its own numbers, and the accuracy at fixed k as K grows (App. C.1)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from flint import arb

from lpmech.claims import Parts
from lpmech.papers.binomial import binomial_law
from lpmech.papers.zhao2025.paper import PAPER, ROOTS, S, vector
from lpmech.papers.zhao2025.theorem_2 import amplification
from lpmech.terms import functions as tm

NEIGHBOURS, LOG, ROOT, W = tm.symbols("k x D w")
SIZE, M = tm.symbols("K m")
#: Failure probability in hundredths -> the least K at which 2 Delta_epsilon >= 1, k = 200, epsilon = 1.
FIRST = {1: 3, 5: 11, 10: 21, 50: 101, 100: 202}


@PAPER.claim(
    "eq. (36) (what it says at epsilon = 1, k = 200)",
    r"with (36) the bound $2\Delta_\epsilon$ of (20) is at least 1, and says nothing, iff $K\ge\frac{\delta}{2}\exp(\frac{k}{2}\tanh^2\frac{\epsilon}{4})$: at the paper's $\epsilon=1$, $k=200$ from $K=11$ on for $\delta=0.05$, from $K=202$ on for every $\delta<1$",
    hypotheses=r"the first term of (36) alone, $L = 0$; $x = \ln(2K/\delta)$, $D = \sqrt{x/(2k)}$, $c = \coth(\epsilon/4) = (s + 1)/(s - 1)$; numbers in balls: the least whole $K$ for $\delta = 0.01$, 0.05, 0.1, 0.5, and the limit 1",
    given=[S > 1, NEIGHBOURS >= 1, LOG > 0, ROOT > 0, tm.Eq(ROOT**2, LOG / (2 * NEIGHBOURS))],
    every="five failure probabilities",
    method="ball arithmetic (rigorous)",
    headline=9,
    formula=(lambda k, c: k / (2 * c**2), FIRST),
    note=r"At $K = 10$ and $\delta = 0.05$ $2 \Delta_\epsilon$ is 0.9994: from $K = 10$ on for $\delta \le 0.0496$. The indicator in (20) is 1 wherever $2 \Delta_\epsilon \ge 1$, as no gap is larger, and no excess risk is larger than "
    r"1. With $K = 100$ of Figs. 2 and 4, where the simulation shows accuracies far from chance, the theorem guarantees nothing, and with $k = 100$ even less; at $\epsilon = 2$, $k = 100$ (Fig. 3) it does so from $K = 1085$ on for $\delta = 0.05$.",
)
def vacuous(case: Any) -> Parts:
    exponent, first = case
    wide = exponent(arb(200), amplification(arb("0.5").exp()))
    for hundredths, size in first.items():
        before, at = ((arb(2 * n * 100) / hundredths).log() for n in (size - 1, size))
        shown = f"{wide.str(7, radius=False)} is not between {before.str(7)} and {at.str(7, radius=False)}"
        yield bool(before < wide <= at) or f"delta = {hundredths}/100, K = {size - 1} and {size}: {shown}"
    c = amplification(S)
    yield "says nothing iff", tm.Equivalent(exponent(NEIGHBOURS, c) <= LOG, 2 * c * ROOT >= 1)


def _accuracy(size: int, neighbours: int, p: Fraction, q: Fraction) -> Fraction:
    """Probability that the true class has most ones among its k bits, ties broken uniformly; all neighbours alike."""
    total, below = Fraction(0), Fraction(0)
    for chance, same in zip(binomial_law(neighbours, p), binomial_law(neighbours, q), strict=True):
        ties = (comb(size - 1, m) * same**m * below ** (size - 1 - m) / (m + 1) for m in range(size))
        total, below = total + chance * sum(ties), below + same
    return total


@PAPER.claim(
    "App. C.1 (accuracy at fixed k)",
    r"at fixed $k$ and $\epsilon$ the accuracy of the kNN of (31) tends to 0 with $K$, even where $\eta_1=1$ everywhere and $N=\infty$: it is at most $\frac{1-(1-w)^K}{Kw}\le\frac{1}{Kw}$, $w=(1+e^{\epsilon/2})^{-k}$",
    hypotheses="each of the $K - 1$ wrong classes has $k$ ones among $k$ bits with probability $w = q^k$, independently; with $m$ of them the true class is chosen with probability at most $1/(m + 1)$, ties being broken at random or, in the mean over the true label, in any fixed order; $E 1/(M + 1)$ "
    r"for $M$ $\mathrm{binomial}(K - 1, w)$, term by term $C(K-1, m)/(m+1) = C(K, m+1)/K$",
    given=[tm.Whole(SIZE, M), W > 0, W < 1, SIZE >= 2, M >= 0, M <= SIZE - 1],
    replay="the exact accuracy for k = 1, 2, 3, K = 2..6, s = 3/2, 3, and for k = 1 the library's hit rate",
    formula=lambda w, size: (1 - (1 - w) ** size) / (size * w),
    note=r"'Our method solves the problem of the degradation of utility with large number of classes $K$': $k$ has to grow like $\ln K$. The decay sets in where $K$ passes $1/w$, at $\epsilon = 1$ and $k = 1$ at 2.6 classes, $k = 10$ at 17,000 and the paper's $k = 200$ beyond any number of classes.",
)
def accuracy_falls(bound: Any) -> Parts:
    for neighbours, count, s in product((1, 2, 3), range(2, 7), (ROOTS[0], ROOTS[2])):
        encoding = vector(count, s)
        got = _accuracy(count, neighbours, Fraction(encoding.p), Fraction(encoding.q))
        most, where = bound(Fraction(encoding.q) ** neighbours, count), f"K = {count}, k = {neighbours}, s = {s}"
        yield neighbours > 1 or got == encoding.hit_rate or f"{where}: accuracy {got}, hit rate {encoding.hit_rate}"
        yield got <= most or f"{where}: accuracy {got} = {float(got):.4f}, claimed at most {float(most):.4f}"
    yield "absorption, C(K-1, m)/(m+1)", (tm.binomial(SIZE - 1, M) / (M + 1), tm.binomial(SIZE, M + 1) / SIZE)
    missing = (1 - W) ** SIZE  # the term m + 1 = 0 of the sum that is 1
    yield "the mean, by the binomial theorem", (bound(W, SIZE), (1 - missing) / (SIZE * W))
    yield "at most 1/(K w)", bound(W, SIZE) <= 1 / (SIZE * W)
