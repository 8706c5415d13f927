"""Section VI.C: the losses of GRR, BRR and BRR* behind Fig. 12, exactly."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import groupby, product
from typing import Any

from flint import arb

from lpmech import PrivacyLevel
from lpmech.certify.checker import exp_bounds
from lpmech.claims import Instance, Parts, each
from lpmech.mechanisms.bipartite_rr import bipartite_channel, m_integers
from lpmech.papers.checks import ball, sampled
from lpmech.papers.zhang2025.algorithm_3 import sorted_rows, star_m
from lpmech.papers.zhang2025.enclosures import at_budget
from lpmech.papers.zhang2025.greedy import raised_on_average, rule_maximises
from lpmech.papers.zhang2025.paper import EXACT, PAPER
from lpmech.papers.zhang2025.section_4d_m import grr_thresholds
from lpmech.terms import functions as tm
from lpmech.utilities import absolute
from lpmech.verdicts import Outcome

HALF, POWER = tm.symbol("h"), tm.symbol("t")


def nearby(epsilon: int) -> Fraction:
    """A rational near e^epsilon."""
    return Fraction(math.exp(epsilon)).limit_denominator(1000)


def losses_by_item(n: int, m: int, t: Fraction) -> list[Fraction]:
    """Expected |i - j| of (6) for every true item, exact."""
    rows = sorted_rows(n)
    high, low = rows[:, :m].sum(axis=1).tolist(), rows[:, m:].sum(axis=1).tolist()
    return [(t * a + b) / (m * t + n - m) for a, b in zip(high, low, strict=True)]


@cache
def _losses(n: int, epsilon: int) -> dict[str, list[Fraction]]:
    t = nearby(epsilon)
    ms = {"GRR": 1, "BRR": m_integers(t, n), "BRR*": star_m(t, n)}
    return {name: losses_by_item(n, m, t) for name, m in ms.items()}


def _signs(n: int, epsilon: int) -> list[int]:
    """At every true item: whether BRR* has a lower (-1), the same or a higher (1) loss than BRR."""
    losses = _losses(n, epsilon)
    return [(a > b) - (a < b) for a, b in zip(losses["BRR*"], losses["BRR"], strict=True)]


def _in_words(losses: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {float(loss):.4f}" for name, loss in losses.items())


def readings_of(facts: Iterable[tuple[bool | Instance, str]], method: str = EXACT) -> tuple[Outcome, ...]:
    """A reading for each fact, which its words tell whether it is one or not."""
    return tuple(sampled([fact or words], words, method) for fact, words in facts)


@PAPER.claim(
    "Section VI.C (m = 1 at epsilon = 8)",
    r"'when $\epsilon=8$, the $m$ value of the BRR mechanism degrades to 1, resulting in utility loss identical to that of the GRR mechanism'",
    hypotheses=r"$|i - j|$ on $1,\dots,N$; $e^8$ replaced by a rational within $10^{-6}$; $N$ is not stated for Fig. 12",
    consequence="wording",
    readings={
        "$N = 100$, the largest size of Fig. 5": "certified",
        "$N = 111$, the largest with $m = 1$": "certified",
        "$N = 112$, the next": "refuted",
        "$N = 1000$, a large domain": "refuted",
    },
    formula=m_integers,
    mutants={"one more": lambda t, n: m_integers(t, n) + 1},
    note=r"True exactly for $N \le 111$: see 'Section VI.C (m = 1 iff N <= 111)'.",
)
def degrades_to_grr(choose: Any) -> tuple[Outcome, ...]:
    t = nearby(8)
    ms = [(n, choose(t, n)) for n in (100, 111, 112, 1000)]
    at = f"e^epsilon = {t}"
    return readings_of((Instance(f"N = {n}, {at}: m", m, "==", 1), f"N = {n}, {at}: m = {m}") for n, m in ms)


@PAPER.claim(
    "Section VI.C (m = 1 iff N <= 111)",
    r"at $\epsilon=8$ the $m$ of BRR for $|i-j|$ on $1,\dots,N$ is 1 exactly for $N\le 111$",
    hypotheses="every $N$: $m = 1$ iff $e^8$, which its series with remainder puts between 2980 and 2981, is at least a threshold of 'Section VI.B (closer to GRR)', of the end point or the middle row; $N = 2h$ or $2h + 1$",
    given=[tm.Whole(HALF), HALF >= 1, POWER > 2980, POWER < 2981],
    replay="N <= 200 at both ends",
    every={"N - 2h": (0, 1)},
    kind="ours",
    formula=lambda n: n <= 111,
    uses=["Section VI.B (closer to GRR)"],
)
def one_up_to_111(is_one: Any) -> Parts:
    for n in (*range(111, 0, -1), *range(112, 201)):
        ms = [m_integers(Fraction(t), n) for t in (2980, 2981)]
        where = f"N = {n}: m at t = 2980 and 2981, the {'larger' if is_one(n) else 'smaller'}"
        yield Instance(where, *((max(ms), "==") if is_one(n) else (min(ms), ">")), 1)
    low, high = exp_bounds(Fraction(8))
    yield 2980 < low < high < 2981 or f"{low} < e^8 < {high}"
    for odd in each("N - 2h"):
        end, middle = grr_thresholds(2 * HALF + odd, bool(odd))
        is_grr = tm.Or(POWER >= end, POWER >= middle)
        yield f"m = 1 iff claimed, N = 2h{' + 1' * odd}", tm.Equivalent(is_grr, is_one(2 * HALF + odd))
    yield PAPER.claims["Section VI.B (closer to GRR)"].run()


#: Sizes at which BRR has m = 1 at epsilon = 8 while BRR* has m > 1, as the text says; Fig. 12 does not give its N.
FITTING = (97, 100, 104, 111)


@PAPER.claim(
    "Section VI.C (most regions)",
    r"at $\epsilon=5$ and 8 BRR* has lower utility loss than BRR 'in most regions'",
    hypotheses=r"read as: at more than half of the true items; $|i - j|$ on $1,\dots,N$, $N$ is not stated; exact at rationals near $e^\epsilon$",
    consequence="wording",
    readings={
        r"$N = 100$, $\epsilon = 5$": "certified",
        r"$N = 116$, $\epsilon = 5$": "refuted",
        r"$N = 97$, $\epsilon = 8$": "refuted",
        r"$N = 100$, $\epsilon = 8$": "certified",
        r"$N = 104$, $\epsilon = 8$": "certified",
        r"$N = 111$, $\epsilon = 8$": "certified",
    },
    formula=Fraction(1, 2),
    mutants={"at every item": Fraction(1)},
    note=r"At $\epsilon = 8$ the description fits $N = 97$ to 111, where BRR has $m = 1$ and BRR* has not; there the share runs from less than half to almost all.",
)
def most_regions(share: Fraction) -> tuple[Outcome, ...]:
    cases = (100, 5), (116, 5), *((n, 8) for n in FITTING)
    lower = [(n, epsilon, Fraction(_signs(n, epsilon).count(-1), n)) for n, epsilon in cases]
    return readings_of(
        (
            Instance(f"N = {n}, epsilon = {e}: share of the items at which BRR* is lower", v, ">", share),
            f"N = {n}, epsilon = {e}: lower at {float(v):.0%} of the items",
        )
        for n, e, v in lower
    )


@PAPER.claim(
    "Section VI.C (a few points)",
    r"at $\epsilon=8$, where BRR has $m=1$, BRR* 'exhibits slightly higher utility loss than the BRR mechanism at a few points'",
    hypotheses="a few: some, but at most a tenth, a share of ours; $|i - j|$, exact at a rational near $e^8$; neither $N$ nor the points are stated",
    consequence="wording",
    readings={
        "items, $N = 97$": "refuted",
        "items, $N = 100$": "refuted",
        "items, $N = 104$": "refuted",
        "items, $N = 111$": "certified",
        "sizes $N$": "refuted",
    },
    formula=Fraction(1, 10),
    mutants={"at no point": Fraction(0)},
    note="Read as sizes $N$, no point is higher, since BRR* is the best common $m$.",
)
def a_few_points(share: Fraction) -> tuple[Outcome, ...]:
    higher = [(n, Fraction(_signs(n, 8).count(1), n)) for n in FITTING]
    sizes = range(90, 113)
    above = sum(sum(_losses(n, 8)["BRR*"]) > sum(_losses(n, 8)["BRR"]) for n in sizes)
    text = f"the average loss is higher at {above} of the sizes N = 90..112"
    items = ((0 < v <= share, f"N = {n}: higher at {float(v):.0%} of the items") for n, v in higher)
    return readings_of([*items, (0 < above <= share * len(sizes), text)])


@PAPER.claim(
    "Section VI.C (where BRR* is lower)",
    r"from an end of the range to the middle, the items at which BRR* has the lower loss than BRR are consecutive; the others are near the end, near the middle, or both",
    hypotheses=r"$|i - j|$, exact at rationals near $e^\epsilon$; the second half mirrors the first",
    kind="ours",
    family="3 <= N <= 112, epsilon = 3, 5, 8",
    formula=lambda signs: len([sign for sign, _ in groupby(signs) if sign < 0]) <= 1,
    note="'BRR* ... in most regions, ... at a few points' describes such a picture; which share is lower depends on $N$.",
)
def where_star_is_lower(shape: Any) -> Parts:
    for n, epsilon in product(range(3, 113), (3, 5, 8)):
        signs = _signs(n, epsilon)[: (n + 1) // 2]
        runs = [(sign, len(list(run))) for sign, run in groupby(signs)]
        yield shape(signs) or f"N = {n}, epsilon = {epsilon}: (sign, number of items) {runs}"
    for signs, expected in (([-1, 1, -1], False), ([1, -1, 0], True), ([-1, -1, 1, 0, -1], False), ([1, 0, 1], True)):
        yield bool(shape(signs)) == expected or f"whether signs {signs} are one run is said to be {not expected}"


@PAPER.claim(
    "Section VI.C (GRR worst)",
    r"at $\epsilon=3$ and at $\epsilon=5$ GRR has the highest utility loss of the three",
    hypotheses=r"average over the items; $|i - j|$ on $1,\dots,N$, $N$ is not stated; exact at rationals near $e^\epsilon$",
    consequence="wording",
    readings={"$N = 20$": "refuted", "$N = 40$": "certified", "$N = 100$": "certified"},
    formula=lambda grr, others: grr > max(others),
    mutants={"GRR best": lambda grr, others: grr < min(others)},
    note=r"At $N = 20$ and $\epsilon = 5$ all three have $m = 1$ and are one channel.",
)
def grr_worst(relation: Any) -> tuple[Outcome, ...]:
    def facts(n: int) -> Parts:
        for epsilon in (3, 5):
            averages = {name: sum(losses) / n for name, losses in _losses(n, epsilon).items()}
            grr, *others = averages.values()
            yield relation(grr, others) or f"N = {n}, epsilon = {epsilon}: {_in_words(averages)}"

    return tuple(sampled(facts(n), f"N = {n}, epsilon = 3, 5") for n in (20, 40, 100))


@PAPER.claim(
    "Section VI.C (GRR worst at every item)",
    r"at $\epsilon=3$ 'the GRR mechanism exhibits the highest utility loss', read as: at every item neither BRR nor BRR* has a higher one",
    hypotheses=r"$|i - j|$ on $1,\dots,N$, $N$ is not stated; exact at a rational near $e^3$. Of BRR alone it is true for every $N$: 'Alg. 2 (never below GRR)'",
    consequence="wording",
    readings={"$N = 10$": "refuted", "$N = 20$": "certified", "$N = 100$": "certified"},
    formula=lambda own, grr: own <= grr,
    mutants={"the other way round": lambda own, grr: own >= grr, "a tenth of it": lambda own, grr: 10 * own <= grr},
    uses=["Alg. 2 (never below GRR)"],
    note="BRR* is better than GRR on average; at small $N$ it is worse at some items.",
)
def grr_worst_at_every_item(relation: Any) -> tuple[Outcome, ...]:
    def facts(n: int) -> Parts:
        losses = _losses(n, 3)
        for name, item in product(("BRR", "BRR*"), range(n)):
            at_item = {which: losses[which][item] for which in (name, "GRR")}
            text = f"N = {n}, e^epsilon = {nearby(3)}, item {item + 1}: {_in_words(at_item)}"
            yield relation(*at_item.values()) or text

    return tuple(sampled(facts(n), f"N = {n}, every item") for n in (10, 20, 100))


def information(n: int, m: int, t: Fraction) -> arb:
    """Mutual information, in nats, of a uniform item of 1..N and its release by (6) with |i - j|."""
    rows = bipartite_channel(absolute(n), m, PrivacyLevel.from_ratio(t)).matrix
    terms = (ball(v / n) * ball(v * n / column.sum()).log() for column in rows.T for v in column)
    return sum(terms, arb(0))


@PAPER.claim(
    "Section VI.C (information loss)",
    r"the highest utility loss of GRR at $\epsilon=3$ 'is primarily due to severe information loss caused by the strong randomization with fixed $m=1$'",
    hypotheses=r"information: of a uniform item on $1,\dots,N$, $N$ is not stated; balls at a rational near $e^3$; compared with BRR, which has $m > 1$ at these sizes",
    consequence="wording",
    readings={"$N = 12$": "refuted", "$N = 15$": "refuted", "$N = 20$": "certified", "$N = 40$": "certified"},
    formula=lambda grr, brr: grr < brr,
    mutants={"GRR has ten times less": lambda grr, brr: 10 * grr < brr},
    note="At small $N$ GRR loses more utility and keeps more information: what it keeps is about the true item alone, not about its neighbours.",
)
def information_loss(less: Any) -> tuple[Outcome, ...]:
    t, facts = nearby(3), []
    for n in (12, 15, 20, 40):
        m = m_integers(t, n)
        grr, brr = (information(n, size, t) for size in (1, m))
        text = f"N = {n}: GRR keeps {grr.str(5, radius=False)} nats, BRR with m = {m} {brr.str(5, radius=False)}"
        facts.append((bool(less(grr, brr)), text))
    return readings_of(facts, "ball arithmetic (arb)")


@PAPER.claim(
    "Section VI.C (lower budgets)",
    r"'under low privacy budget conditions, the BRR* mechanism outperforms both the GRR and BRR mechanisms'",
    hypotheses=r"average loss, $|i - j|$ on $1,\dots,N$ at $\epsilon = 3$, read as 'at least as good at every $N$, and better at some sizes'. The first for every $N$, prior and $\epsilon$; the second at $N = 12$, where rational bounds of $e^3$ have one $m$, and the loss for a given $m$ falls with $t$",
    replay="N = 3..120; N = 12 at both ends",
    formula=("BRR*", raised_on_average),
)
def best_of_three(case: Any) -> Parts:
    name, rule = case
    for n in range(120, 2, -1):
        averages = {key: sum(losses) / n for key, losses in _losses(n, 3).items()}
        where = f"N = {n}: {_in_words(averages)}: {name}, the least"
        yield Instance(where, averages[name], "<=", min(averages.values()))
    (low, high), n = exp_bounds(Fraction(3)), 12
    star, brr = (at_budget(partial(choose, n=n), Fraction(3)) for choose in (star_m, m_integers))
    own, rest = sum(losses_by_item(n, star, low)), min(sum(losses_by_item(n, m, high)) for m in (1, brr))
    where = f"N = {n}: sum of the losses at m = {star}, the smaller one at m = 1 and {brr}, bounds of e^3 against it"
    yield Instance(where, own, "<", rest)
    yield from rule_maximises(rule)


PAPER.leave_out(
    "Fig. 12 and section VII",
    "'`normalized_Q_Loss`' is not defined, nor what it is drawn against; 'significantly reduced' and 'comparable' name no bound. The conclusion repeats the abstract and section I",
)
