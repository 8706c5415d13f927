"""Section 5.1, Def. 10, Theorem 2 and appendix B.3: hyperrectangles, PAC LDP, its combination."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement, permutations, product
from typing import Any

import numpy as np

from lpmech import Channel, PrivacyLevel
from lpmech.applications.robustness import Box, probabilistic_box
from lpmech.claims import Instance, Parts, Relations, Repair, each
from lpmech.claims.checking import check_implications, sharp
from lpmech.mechanisms.privacy_indicator import pac_delta_of
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checks import rows_in_words, sampled, unit
from lpmech.papers.zheng2025.network import told
from lpmech.papers.zheng2025.paper import DELTA, PAPER
from lpmech.terms import functions as tm
from lpmech.verdicts import Outcome

A1, A2, B1, B2, D, P, FAILS, INFERS = tm.symbols("A_1 A_2 B_1 B_2 d P f g")
EXACT = "exact rational arithmetic"


@PAPER.claim(
    "Section 5.1 (larger boxes)",
    r"larger $[a_i,b_i]$ give a stronger guarantee: $\rho(\epsilon,\theta_\diamond)=\prod_i F(b_i)-F(a_i)$ grows with the box",
    hypotheses="two dimensions; $A_i$ mass of the smaller, $B_i$ of the larger interval (a cdf does not fall)",
    given=[A1 >= 0, A2 >= 0, B1 >= A1, B2 >= A2, B1 <= 1, B2 <= 1],
    formula=lambda larger, smaller: larger >= smaller,
)
def larger_boxes(relation: Any) -> Relations:
    larger, smaller = B1 * B2, A1 * A2
    return {
        "rho": relation(larger, smaller),
        "not more": tm.Implies(larger > smaller, tm.Not(relation(smaller, larger))),
    }


@PAPER.claim(
    "Example 3",
    r"the radius $\theta=0.2$ at $x=(0.5,0.5)$ corresponds to the hyperrectangle $[0.4,0.6]\times[0.4,0.6]$",
    hypotheses=r"the ball of Def. 3 and its footnote: every coordinate within $\theta$ of that of $x$",
    family="the two ends",
    consequence="wording",
    formula=(Fraction(4, 10), Fraction(6, 10)),
    note="$[0.4, 0.6]^2$ is the ball of radius 0.1; with 0.2 read as the width of the box, the radius of Example 1 would be 0.1.",
    repair=Repair(
        r"it corresponds to $[0.3,0.7]\times[0.3,0.7]$",
        hypotheses="",
        formula=(Fraction(3, 10), Fraction(7, 10)),
    ),
)
def example_3(box: tuple[Fraction, Fraction]) -> Parts:
    low, high = Fraction(1, 2) - Fraction(1, 5), Fraction(1, 2) + Fraction(1, 5)
    yield Instance("$B_{0.2}(0.5)$ in each coordinate, ends", (low, high), "==", box)


#: Cells of another class on a grid of side 3, and the precision of a search.
SIZE, PRECISION = 3, 0.25
Cells = Sequence[tuple[int, ...]]


def found_box(wrong: Cells, x: tuple[int, ...], moved: Sequence[int]) -> Any:
    """What lpmech's search finds where a box is wrong everywhere if it has one of the points, and else nowhere."""

    options = {"domain": (0.0, SIZE - 1.0), "tau": 0.5, "omega": 0.5, "precision": PRECISION, "moved": moved}
    return told(probabilistic_box, x, lambda box, count: count * _has_one(box, wrong), **options)[0].box


def _has_one(box: Box, points: Cells) -> bool:
    return any(box.contains(np.array(p)) for p in points)


@PAPER.claim(
    "Section 5.1 (procedure)",
    "expanding $[a_i,b_i]$ from the radius along $a_i$ and $b_i$ outputs a maximal robustness hyperrectangle",
    hypotheses="maximal by inclusion, up to the precision of the search; one pass over the faces, each moved as far as it goes, with an exact test",
    family="points of a 3 x 3 grid, up to two of them of another class, every other one as x; lpmech's search to a precision of 1/4",
    formula=lambda wrong, x: found_box(wrong, x, moved=range(2)),
    note=r"Not the box of largest volume, nor of largest $\rho$; and as the test of 4.2 is statistical, Def. 9 holds up to its tolerance only.",
)
def procedure(expand: Any) -> Parts:
    cells = list(product(range(SIZE), repeat=2))
    for x, wrong in product(cells, combinations_with_replacement(cells, 2)):
        if x in wrong:
            continue
        box = expand(wrong, x)
        where = f"x = {x}, other class at {sorted(set(wrong))}: {box.low.tolist()} to {box.high.tolist()}"
        yield (_has_one(box, [x]) and not _has_one(box, wrong)) or f"{where} has two classes, or not x"
        larger = [Box(box.low - step[:2], box.high + step[2:]) for step in PRECISION * np.eye(4)]
        inside = [other for other in larger if other.low.min() >= 0 and other.high.max() <= SIZE - 1]
        yield all(_has_one(other, wrong) for other in inside) or f"{where} can grow by {PRECISION}"


@PAPER.claim(
    "Section 5.1 (bound without (1 - omega)(1 - tau))",
    r"with probability at least $\prod_i F(b_i)-F(a_i)$ the class is preserved",
    hypotheses=r"$m$ the mass in the box, $s$ the share of it on which $h$ agrees with $h(x)$, $o$ that outside, all in $[0, 1]$; $s = 1$, or $s \ge 99/100$",
    consequence="bound",
    readings={"a box as in Def. 9, $s = 1$": "proved", "a box accepted by the test, $s < 1$": "refuted"},
    formula=lambda mass: mass,
    mutants={"one": lambda mass: mass**0},
    note=r"The footnote calls $(1 - \omega)(1 - \tau) = 0.9405$ 'almost 1' and omits it. For the box of Def. 9 nothing is missing; for a box found by the test the "
    r"bound is none: it can fail for any $\tau > 0$.",
)
def without_factor(bound: Any) -> tuple[Outcome, ...]:
    mass, same, outside = tm.symbols("m s o")
    given = unit(mass, same, outside)
    boxes = tm.Eq(same, 1), same >= tm.Rational(99, 100)
    claim = {"utility >= bound": mass * same + (1 - mass) * outside >= bound(mass)}
    return tuple(check_implications([*given, box], claim) for box in each("box", boxes))


LEVEL_2 = PrivacyLevel.from_ratio(2)
TENTH = Fraction(1, 10)
#: x_1 releases 'a', which x_2 never does, with probability 1/10.
REVEALING = Channel([[TENTH, 1 - TENTH], [0, 1]])


@PAPER.claim(
    "Def. 10",
    r"$\forall x_1,x_2,\tilde{x}:\Pr[\mathcal{L}(\tilde{x})\le\epsilon]\ge 1-\delta$ is weaker than $\epsilon$-LDP: some mechanism satisfies $(\epsilon,\delta)$-PAC LDP and not $\epsilon$-LDP",
    hypotheses=r"$t = 2$, $\delta = 1/10$; the witness: an output of probability $1/10$ that one of two inputs never gives",
    consequence="privacy",
    headline=5,
    readings={r"$\tilde{x}$ drawn from $M(x_1)$": "certified", r"for every $\tilde{x}$, as printed": "refuted"},
    formula=REVEALING,
    mutants={
        "an epsilon-LDP channel": randomized_response(2, LEVEL_2),
        "probability 2/10": Channel([[2 * TENTH, 1 - 2 * TENTH], [0, 1]]),
    },
    note=r"With $\tilde{x}$ under the quantifier nothing random is left: the probability is 0 or 1, and for $\delta < 1$ the definition is pure LDP, which no Gaussian "
    r"mechanism satisfies. What the proofs use is $\tilde{x} \sim M(x_1)$, the reading of all claims below.",
)
def definition_10(channel: Channel) -> tuple[Outcome, ...]:
    delta, rows = pac_delta_of(channel, LEVEL_2), channel.matrix.tolist()
    # nothing is random at a fixed x~: Pr[L(x~) <= ln 2] is 1 or 0
    least = min(int(p <= 2 * q) for first, second in permutations(rows, 2) for p, q in zip(first, second, strict=True))
    beyond = Instance("tight ratio", channel.ratio, ">", 2)
    drawn = Instance("Pr[L > ln 2]", delta, "<=", TENTH)
    everywhere = Instance("least Pr[L(x~) <= ln 2] over x~", least, ">=", 1 - TENTH)
    return tuple(sampled([beyond, private], "the witness", EXACT) for private in (drawn, everywhere))


def side_by_side(channel: Channel, count: int) -> Channel:
    """So many independent copies, each on its own coordinate."""
    return Channel(reduce(np.kron, [channel.matrix] * count))


def pairs_of_rows(parts: int) -> list[Channel]:
    """The 2 x 2 channels in multiples of 1/parts."""
    rows = [(Fraction(i, parts), 1 - Fraction(i, parts)) for i in range(parts + 1)]
    return [Channel(pair) for pair in product(rows, repeat=2)]


def small_channels() -> Iterator[Channel]:
    """2 x 2 and 2 x 3 channels with entries in multiples of 1/4 and 1/10, a few with zeros."""
    yield from (*pairs_of_rows(4)[7:], *pairs_of_rows(4)[:7])
    rows = [(Fraction(i, 4), Fraction(j, 4), 1 - Fraction(i + j, 4)) for i in range(5) for j in range(5 - i)]
    yield from (*map(Channel, product(rows, repeat=2)), *pairs_of_rows(10)[:-1])  # the last is among the first


@PAPER.claim(
    "Section 5.2 (inferred with probability at most delta)",
    r"'although PAC LDP allows a $\delta$-probabilistic failure, the adversary can only infer the original data with probability at most $\delta$ when $\epsilon$-LDP fails'",
    hypotheses=r"$0 < \delta < 1$, $0 < f \le \delta$ the probability of a failure, $g \in [0, 1]$ that of inferring $x$ when there is one",
    consequence="privacy",
    readings={"that it fails and $x$ is inferred": "proved", "that $x$ is inferred, given that it fails": "refuted"},
    formula=lambda fails, infers: fails * infers,
    mutants={"either of the two": lambda fails, infers: fails + infers - fails * infers},
    note="Given a failure the privacy indicator releases $x$ itself, as Section 5.2.2 says: $g = 1$.",
)
def inferred(chance: Any) -> tuple[Outcome, ...]:
    given = [DELTA > 0, DELTA < 1, FAILS > 0, FAILS <= DELTA, *unit(INFERS)]
    chances = chance(FAILS, INFERS), chance(tm.Rational(1), INFERS)
    return tuple(check_implications(given, {"at most delta": value <= DELTA}) for value in each("reading", chances))


@PAPER.claim(
    "Section 5.2 (delta = 0)",
    r"pure $\epsilon$-LDP is $(\epsilon,\delta)$-PAC LDP with $\delta=0$",
    hypotheses=r"$\tilde{x} \sim M(x_1)$",
    family="small exact channels, t = 2, 3",
    formula=Fraction(0),
)
def pure_case(delta: Fraction) -> Parts:
    for channel, t in product(small_channels(), (2, 3)):
        level = PrivacyLevel.from_ratio(t)
        private = "==" if channel.satisfies(level) else "!="
        where = (
            f"rows ({rows_in_words(channel.matrix.tolist())}), t = {t}, tight ratio {channel.ratio}: Pr[L > epsilon]"
        )
        yield Instance(where, pac_delta_of(channel, level), private, delta)


@PAPER.claim(
    "Theorem 2",
    r"$d$ independent $(\epsilon,\delta)$-PAC LDP mechanisms together satisfy $(d\epsilon,1-(1-\delta)^d)$-PAC LDP",
    hypotheses=r"$\tilde{x} \sim M(x_1)$; whole $d$; by induction from $d$ to $d + 1$: the losses $L$ of $d$ and $l$ of one more add up, and by independence both parts hold with the product $R p$ of their probabilities, $R \ge 1 - \delta_d$, $p \ge 1 - \delta$",
    given=[*unit(DELTA), tm.Whole(D), D >= 1],
    formula=(lambda delta, d: 1 - (1 - delta) ** d, lambda d: d),
)
def theorem_2(case: Any) -> Parts:
    total, level = case
    yield "d = 1", (total(DELTA, tm.Rational(1)), DELTA)
    yield "level at d = 1", (level(tm.Rational(1)), 1)
    yield "d to d + 1", (1 - total(DELTA, D + 1), (1 - total(DELTA, D)) * (1 - DELTA))
    before, one, together = tm.symbols("delta_d p R")
    both_hold = [*unit(DELTA, before), one >= 1 - DELTA, one <= 1, together >= 1 - before, together <= 1]
    yield both_hold, {"both parts hold": together * one >= (1 - before) * (1 - DELTA)}
    epsilon, sofar, alone = tm.symbols("epsilon L l")
    adding = [epsilon > 0, D >= 1, sofar <= level(D) * epsilon, alone <= epsilon]
    largest = tm.Eq(sofar, level(D) * epsilon), tm.Eq(alone, epsilon)
    yield adding, sharp(sofar + alone, level(D + 1) * epsilon, *largest)


@PAPER.claim(
    "B.3 (only if)",
    r"the combination satisfies pure $\epsilon$-LDP only if all $d$ mechanisms do",
    hypotheses=r"$d = 2$, $\epsilon > 0$; $l_1$, $l_2$ the losses: the largest, $l_1$, $l_2 \ge 0$ with $l_1 + l_2 \le \epsilon$, or those at one output, $l_1 + l_2 \le 2 \epsilon$",
    consequence="proof",
    readings={
        r"level $\epsilon$, largest losses of the mechanisms": "proved",
        r"level $d \epsilon$, losses at the outputs drawn": "refuted",
    },
    formula=lambda first, second, epsilon: tm.And(first <= epsilon, second <= epsilon),
    mutants={
        "neither exceeds half of it": lambda first, second, epsilon: tm.And(2 * first <= epsilon, 2 * second <= epsilon)
    },
    note=r"The theorem needs the converse only: losses of at most $\epsilon$ add up to at most $d \epsilon$.",
)
def only_if(necessary: Any) -> tuple[Outcome, ...]:
    first, second, epsilon = tm.symbols("l_1 l_2 epsilon")
    largest = [epsilon > 0, first >= 0, second >= 0, first + second <= epsilon]
    drawn = [epsilon > 0, first + second <= 2 * epsilon]
    both = {"both losses": necessary(first, second, epsilon)}
    return check_implications(largest, both), check_implications(drawn, both)


@PAPER.claim(
    "B.3 (total failure)",
    r"the total failure probability of $d$ independent $(\epsilon,\delta)$-PAC LDP mechanisms is $1-(1-\delta)^d$",
    hypotheses=r"as an equation, for mechanisms whose failure probability is exactly $\delta$; $2\times 2$ channels in multiples of $1/5$, $d = 2$, $t = 2$, 3, $\delta > 0$",
    consequence="proof",
    readings={
        r"some mechanism exceeds its $\epsilon$": "certified",
        r"the losses together exceed $d \epsilon$": "refuted",
    },
    formula=lambda delta: 1 - (1 - delta) ** 2,
    mutants={"twice delta": lambda delta: 2 * delta, "delta": lambda delta: delta},
    note=r"The proof calls it a failure when one of the mechanisms exceeds its $\epsilon$; the notion that is claimed, when the losses together exceed $d \epsilon$. The former is the "
    r"larger event, so the theorem, an upper bound, holds. 'At least $\delta$' in the proof should be 'at most'.",
)
def total_failure(value: Any) -> tuple[Outcome, ...]:
    readings = (
        (Instance(where, got, "==", value(delta)) for _, delta, got, where in _two_fail(probability))
        for probability in (some_fails, together_fail)
    )
    return tuple(sampled(instances, "2 x 2 channels", EXACT) for instances in readings)


@PAPER.claim(
    "B.3 (total failure, together)",
    r"the losses together exceed $d\epsilon$ with probability at most $1-(1-\delta)^d$",
    hypotheses="$d = 2$; for all $d$ see Theorem 2",
    family="2 x 2 channels in multiples of 1/5, t = 2, 3; attained where x_2 never gives what x_1 gives with probability delta",
    formula=lambda delta: 1 - (1 - delta) ** 2,
    uses=["Theorem 2"],
)
def total_failure_together(value: Any) -> Parts:
    for channel, delta, got, where in _two_fail(together_fail):
        revealing = channel.matrix[1].tolist() == [0, 1]
        yield Instance(where, got, "==" if revealing else "<=", value(delta))


def _two_fail(probability: Callable[[Channel, int], Fraction]) -> Iterator[tuple[Channel, Fraction, Fraction, str]]:
    """Channels, their failure probability, that of two copies, and what it is."""
    for channel, t in product(pairs_of_rows(5), (2, 3)):
        delta, got = Fraction(pac_delta_of(channel, PrivacyLevel.from_ratio(t))), probability(channel, t)
        if delta > 0:
            rows = rows_in_words(channel.matrix.tolist())
            yield (
                channel,
                delta,
                got,
                f"rows ({rows}), t = {t}, delta = {delta}: two copies fail, at the worst inputs, with",
            )


def some_fails(channel: Channel, t: int) -> Fraction:
    """Probability that the loss of one of two independent copies exceeds ln t, at the worst pairs of inputs."""
    pairs = [list(zip(*rows, strict=True)) for rows in permutations(channel.matrix.tolist(), 2)]
    return max(
        sum((p * u for (p, q), (u, v) in product(one, other) if p > t * q or u > t * v), Fraction(0))
        for one, other in product(pairs, repeat=2)
    )


def together_fail(channel: Channel, t: int) -> Fraction:
    """Probability that the losses of two independent copies add up to more than 2 ln t, at the worst pairs of inputs."""
    return Fraction(pac_delta_of(side_by_side(channel, 2), PrivacyLevel.from_ratio(t * t)))


@PAPER.claim(
    "B.3 (remark)",
    r"$1-(1-\delta)^d\le d\delta$ for $\delta\in(0,1)$, $d\ge 1$: more precise than $(d\epsilon,d\delta)$",
    hypotheses=r"$P = (1 - \delta)^d$; by induction over whole $d$: if $(1 - \delta)^d \ge 1 - d \delta$ then $(1 - \delta)^{d+1} \ge 1 - (d + 1) \delta$; equality at $d = 1$",
    given=[DELTA > 0, DELTA < 1, D >= 1, P >= 0],
    formula=lambda delta, d: d * delta,
)
def remark(bound: Any) -> Relations:
    step = tm.Implies(1 - bound(DELTA, D) <= P, 1 - bound(DELTA, D + 1) <= P * (1 - DELTA))
    least = tm.Eq(bound(DELTA, 2) - (1 - (1 - DELTA) ** 2), DELTA**2)
    return {"d = 1": (1 - (1 - DELTA), bound(DELTA, 1)), "d + 1": step, "at d = 2 too large by delta^2 only": least}
