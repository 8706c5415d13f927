"""Several labels of a person under one budget: what the best joint channel has, and what is released one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from lpmech.claims import Instance, Parts
from lpmech.designs.several_labels import joint_program, several_labels
from lpmech.papers.across.paper import PAPER
from lpmech.privacy import PrivacyLevel
from lpmech.terms import functions as tm
from lpmech.utilities import hit
from lpmech.verdicts import Verdict

T, A, B = tm.symbols("t a b")


@PAPER.claim(
    "Two binary labels together",
    r"where a person has two labels of two values, all as likely, and both together are worth $\epsilon$, the largest expected share of hits is $\frac{t + 1}{t + 3}$, by randomised response on the four pairs; released one by one, at levels $a b = t$, the share is less",
    hypotheses=r"the dual is a quarter of the value for every pair: the values around a pair are 1, $1/2$, $1/2$ and 0, and only 1 is above it. One by one: $\frac{1}{2} \left(\frac{a}{a + 1} + \frac{b}{b + 1}\right)$, $a, b \ge 1$, at most $\sqrt{t}/(\sqrt{t} + 1)$",
    given=[T > 1],
    replay="exact programs, $t = 9/4$, 4, 25",
    formula=lambda t: (t + 1) / (t + 3),
    mutants={"randomised response on each": lambda t: t / (t + 1)},
    note="`lpmech several` compares both ways for any counts, number of labels and utility.",
)  # fmt: skip
def two_binary_labels(share: Any) -> Parts:
    for t in map(Fraction, ("9/4", "4", "25")):
        found = several_labels(hit(2), PrivacyLevel.from_ratio(t), 2)
        yield Instance(f"t = {t}: optimum", found.together.value, "==", share(t))
        yield Instance(f"t = {t}: one by one", found.one_by_one[0].value, "<", share(t))
    value, unit = share(T), 1 / (T + 3)
    yield "rows", (T * unit + 3 * unit, 1)
    yield "value", (T * unit + 2 * unit / 2, value)
    yield "dual", (2 - 4 * value + (T - 1) * (1 - value), 0)
    yield "half a hit is below", value >= tm.term(Fraction(1, 2))
    yield [A >= 1, B >= 1, A * B > 1], {"one by one": (A / (A + 1) + B / (B + 1)) / 2 < share(A * B)}


@PAPER.claim(
    "Tuples with enough hits",
    r"where a person has $n$ labels of $K$ values, all as likely, and all together are worth $\epsilon$, the largest expected share of hits is the largest, over $c = 1, \dots, n$, of $\frac{S + (t-1) T_c}{K^n + (t-1) N_c}$, with $N_c$ the number of tuples that hit at least $c$ labels of a given one, $T_c$ their shares of hits, and $S = K^{n-1}$ those of all",
    hypotheses=r"$N_c = \sum_{h \ge c} C(n, h) (K-1)^{n-h}$, $T_c$ the same with $h/n$; the channel gives those tuples $t$ times the probability of the others. By the lemma on utilities of which every value stands equally often in each row and column (`lpmech.discovery.rings`), here checked on instances",
    replay="exact programs, $K^n \\le 32$, five $t$",
    formula=lambda t, size, n: max(_at_least(c, t, size, n) for c in range(1, n + 1)),
    mutants={
        "all labels hit": lambda t, size, n: _at_least(n, t, size, n),
        "some label hit": lambda t, size, n: _at_least(1, t, size, n),
    },
    note="With $n = 1$ it is $t/(t + K - 1)$.",
    recorded=Verdict.CERTIFIED,
)  # fmt: skip
def enough_hits(share: Any) -> Parts:
    sizes = [(size, n) for size, n in product(range(2, 6), range(2, 6)) if size**n <= 32]
    for (size, n), t in product(sizes, map(Fraction, ("6/5", "2", "4", "10", "50"))):
        best, stated = joint_program(hit(size), PrivacyLevel.from_ratio(t), n).solve("exact").value, share(t, size, n)
        yield Instance(f"K = {size}, n = {n}, t = {t}: optimum", best, "==", stated)


def _at_least(c: int, t: Any, size: int, n: int) -> Any:
    """The share of hits of tuples that hit c labels of the true one with t times the probability of the others."""
    around = {h: comb(n, h) * (size - 1) ** (n - h) for h in range(c, n + 1)}
    mass = sum(Fraction(h, n) * number for h, number in around.items())
    return (size ** (n - 1) + (t - 1) * mass) / (size**n + (t - 1) * sum(around.values()))
