"""What further processing does to a guarantee: PAC LDP of Def. 10, and truncation to [0, 1] (Section 3)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech import Channel, PrivacyLevel
from lpmech.claims import Instance, Parts, Relations
from lpmech.claims.checking import sharp
from lpmech.mechanisms.privacy_indicator import pac_delta_of
from lpmech.papers.checks import rows_in_words, unit
from lpmech.papers.zheng2025.paper import DELTA, PAPER, T
from lpmech.terms import functions as tm

FAILS, P, Q, U, V, S, E, W, SMALL, OTHER, COUNT = tm.symbols("a P Q u v s E w p q n")


def merging(fails: Any, delta: Any, t: Any) -> list[list[Any]]:
    """Two rows over four outputs; merging the first two, of loss infinity and ln t, makes all of them fail."""
    other = (delta + t - 1 - t * fails) / (t**2 - 1)
    rest = 1 - fails - t * other
    return [[fails, t * other, rest, 0], [0, other, t * rest, delta]]


@PAPER.claim(
    "Def. 10 (post-processing)",
    r"post-processing of an $(\epsilon,\delta)$-PAC LDP mechanism raises the failure probability from $\delta$ to any value below $t(t-1+\delta)/(t^2-1)$, and to no larger one",
    hypotheses=r"$\tilde{x} \sim M(x_1)$. None larger: $P$, $Q$ the probabilities of the outputs with $P > t Q$ after processing, which keeps Def. 15 ('C.3 (PAC implies $(\epsilon,\delta)$)'). Below: outputs 1 and 2 of the rows $(a, tq, m, 0)$, $(0, q, tm, \delta)$ are merged, $q = (\delta+t-1-ta)/(t^2-1)$: $a + tq$ is the bound less $a/(t^2-1)$",
    given=[T > 1, DELTA > 0, DELTA <= 1 - 1 / T, FAILS > 0, FAILS <= DELTA],
    kind="ours",
    replay="that channel for t = 3/2, 2, 3, 7, delta = 1/100, 1/10, a = delta, delta/10, delta/1000",
    formula=lambda t, delta: t * (t - 1 + delta) / (t**2 - 1),
    note=r"The paper calls truncation 'a post-processing step'. However small $\delta$ is, two outputs told apart fail with probability $\delta$ and, once merged, with nearly $t/(t+1)$: "
    r"at $t = 2$, $\delta = 1/10$ with $11/15$. Pure LDP and $(\epsilon,\delta)$-LDP are closed under post-processing; so Def. 10 follows for the raw release only.",
)
def not_closed(bound: Any) -> Parts:
    levels, deltas, shares = ("2", "3/2", "3", "7"), ("1/10", "1/100"), ("1", "1/10", "1/1000")
    for t, delta, share in product(map(Fraction, levels), map(Fraction, deltas), map(Fraction, shares)):
        rows, level = Channel(merging(delta * share, delta, t)), PrivacyLevel.from_ratio(t)
        before, after = pac_delta_of(rows, level), pac_delta_of(rows.post_process({0: 0, 1: 0, 2: 1, 3: 2}), level)
        expected = Fraction(bound(t, delta)) - delta * share / (t**2 - 1)
        where = f"t = {t}, rows ({rows_in_words(rows.matrix.tolist())}): fails with, merged with"
        yield Instance(where, (before, after), "==", (delta, expected))
    value, (first, second) = bound(T, DELTA), merging(FAILS, DELTA, T)
    merged = first[0] + first[1]
    yield "rows", (sum(second), 1)
    yield "merged", (merged, value - FAILS / (T**2 - 1))
    yield "entries", tm.And(second[1] >= 0, first[2] >= 0)
    none = tm.And(first[1] <= T * second[1], second[2] <= T * first[2], first[2] <= T * second[2])
    yield "no other output fails", none
    yield "merged, it fails", merged > T * (second[0] + second[1])
    any_set = [*unit(P, Q), P > T * Q, 1 - Q <= T * (1 - P) + DELTA]
    yield [T > 1, DELTA > 0, DELTA <= 1 - 1 / T, *any_set], {"below the bound": value > P}


PAPER.claim(
    "Section 3 (truncation, privacy)",
    r"the truncation 'does not leak privacy': the Laplace mechanism clipped to $[0,1]$ is $\epsilon$-LDP, and exactly so",
    hypotheses=r"inside $(0, 1)$ the density is that of Def. 4; the atoms at 0 and 1 are $F(-x)$ and its mirror image, $F(-x) = e^{-\epsilon x}/2$, $u = e^{\epsilon x_1}$, $v = e^{\epsilon x_2}$, $s^2 = e^\epsilon$",
    given=[S > 1, U >= 1, U <= S**2, V >= 1, V <= S**2],
    formula=tm.Rational(1),
    uses=["Section 3 (clipping, the function)"],
    note=r"Any post-processing $f$ keeps $\epsilon$-LDP, as $\Pr[f(M(x))\in S] = \Pr[M(x)\in f^{-1}(S)]$. Nothing is gained either: the atoms have the whole loss for the pair 0, 1.",
)(lambda factor: sharp(V / U, S ** (2 * factor), tm.Eq(U, 1), tm.Eq(V, S**2)))  # attained by x_1 = 0, x_2 = 1


@PAPER.claim(
    "Section 3 (truncated and normalised Laplace)",
    r"the Laplace density truncated to $[0,1]$ and normalised, which is no post-processing, is $\epsilon$-LDP too, and exactly so",
    hypotheses=r"$E = e^{-\epsilon}$, $u$, $v = e^{\epsilon x}$ for $x_1 \le x_2$, $w = e^{\epsilon y}$; the density is $\propto e^{-\epsilon |y - x|}/A(u)$, $A(u) = 2 - 1/u - E u$; its ratio is $G(v)/G(u)$, $G(v) = v A(v)$, for outputs $y \le x_1$, and at most that for $y$ between, where $w^2 = v^2$ becomes $w^2 \ge u^2$ in the denominator; the others by the mirror image",
    given=[E > 0, E < 1, U >= 1, U <= V, V <= 1 / E, W >= U, W <= V],
    kind="ours",
    formula=tm.Rational(1),
    uses=["Section 3 (truncated Laplace, the function)"],
    note=r"At the ends the two constants agree, elsewhere the larger constant works against the larger distance. In general normalising an $\epsilon$-LDP mechanism to a set of outputs costs: see 'Section 3 (normalising)'.",
)
def truncated_laplace(multiple: Any) -> Relations:
    at_u, at_v, at_1, at_t = (2 - 1 / u - E * u for u in (U, V, tm.Rational(1), 1 / E))
    return {
        "A(u) > 0": at_u > 0,
        "G(u) >= G(1)": U * at_u >= at_1,
        "G(v) <= G(1/E)": V * at_v <= at_t / E,
        "a ratio t at most, attained by x_1 = 0, x_2 = 1": tm.Eq(at_t / E / at_1, E**-multiple),
        "no more for y between": V * U / W**2 <= V / U,
    }


@PAPER.claim(
    "Section 3 (normalising)",
    r"an $\epsilon$-LDP mechanism restricted to a set of outputs and normalised is $2\epsilon$-LDP, and no smaller multiple of $\epsilon$ will do",
    hypotheses=r"$p \le t q$ one of the outputs and $P \le t Q$, $Q \le t P$ the set; sharp: rows $(t a, n t a)$, $(a, n t^2 a)$ on the set, $a$ small, the rest on another output, have the ratio $(n t^2 + 1)/(n + 1) = t^2 - (t^2 - 1)/(n + 1)$ at the first",
    given=[T > 1, COUNT >= 1],
    kind="ours",
    formula=lambda t: t**2,
    note="Clipping, rounding and merging are post-processing; drawing again until the output is in $[0, 1]$ is not.",
)
def normalising(bound: Any) -> Parts:
    first, second = (T, COUNT * T), (1, COUNT * T**2)
    own, other = first[0] / sum(first), second[0] / sum(second)
    yield "ratio", (own / other, bound(T) - (T**2 - 1) / (COUNT + 1))
    yield "the first output has the ratio t", (first[0], T * second[0])
    yield "the second 1/t", (T * first[1], second[1])
    rest, beside = (1 - SMALL * sum(row) for row in (first, second))
    small = [SMALL > 0, rest >= tm.Rational(1, 2), beside >= tm.Rational(1, 2)]
    yield [T > 1, COUNT >= 1, *small], {"the rest": tm.And(rest <= T * beside, beside <= T * rest)}
    near = [SMALL <= T * OTHER, OTHER <= T * SMALL, P <= T * Q, Q <= T * P]
    a_set = [T > 1, SMALL > 0, OTHER > 0, P >= SMALL, Q >= OTHER, P <= 1, Q <= 1, *near]
    yield a_set, {"p/P <= bound q/Q": SMALL * Q <= bound(T) * OTHER * P}
