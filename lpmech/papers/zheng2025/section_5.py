"""Section 5 and appendix B.1, B.3: hyperrectangles, PAC LDP, its combination, the privacy indicator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import sympy as sp

from lpmech import Channel, PrivacyLevel
from lpmech.mechanisms.privacy_indicator import approximate_delta_of, indicator_channel, pac_delta_of
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.papers.checking import (
    both,
    check_facts,
    check_family,
    check_identities,
    check_implications,
    replayed,
    unless_refuted,
)
from lpmech.papers.claims import Relations, Repair
from lpmech.papers.zheng2025.paper import DELTA, PAPER, T
from lpmech.verdicts import Outcome, unclear

A1, A2, B1, B2, RHO, D, P, Q = sp.symbols("A_1 A_2 B_1 B_2 rho d P Q")


@PAPER.claim(
    "Section 5.1 (larger boxes)",
    r"larger [a_i,b_i] give a stronger guarantee: \rho(\epsilon,\theta_\diamond)=\prod_i F(b_i)-F(a_i) grows with the box",
    hypotheses="two dimensions; 0 <= A_i <= B_i <= 1, A_i mass of the smaller, B_i of the larger interval (a cdf does not fall)",
    formula=lambda larger, smaller: larger >= smaller,
    mutants={"strictly": lambda larger, smaller: larger > smaller, "falls": lambda larger, smaller: larger <= smaller},
)
def larger_boxes(relation: Any) -> Outcome:
    hypotheses = [A1 >= 0, A2 >= 0, B1 >= A1, B2 >= A2, B1 <= 1, B2 <= 1]
    return check_implications(hypotheses, {"rho": relation(B1 * B2, A1 * A2)}, "both factors grow")


@PAPER.claim(
    "Example 3",
    r"the radius \theta=0.2 at x=(0.5,0.5) corresponds to the hyperrectangle [0.4,0.6]\times[0.4,0.6]",
    hypotheses="the ball of Def. 3 and its footnote: every coordinate within theta of that of x",
    consequence="wording",
    recorded="refuted",
    formula=(Fraction(4, 10), Fraction(6, 10)),
    mutants={"one side": (Fraction(5, 10), Fraction(7, 10))},
    note="[0.4, 0.6]^2 is the ball of radius 0.1; with 0.2 read as the width of the box, the radius of Example 1 would be 0.1.",
    repair=Repair(
        r"it corresponds to [0.3,0.7]\times[0.3,0.7]",
        recorded="certified",
        formula=(Fraction(3, 10), Fraction(7, 10)),
        mutants={"as printed": (Fraction(4, 10), Fraction(6, 10))},
        hypotheses="",
    ),
)
def example_3(box: tuple[Fraction, Fraction]) -> Outcome:
    x, theta = Fraction(1, 2), Fraction(1, 5)
    return check_facts(
        [
            (box == (x - theta, x + theta), f"B_0.2(0.5) = [{float(x - theta)}, {float(x + theta)}], not [{float(box[0])}, {float(box[1])}]"),
        ],
        "the two ends",
    )  # fmt: skip


Box = tuple[int, int, int, int]


def _one_class(wrong: set[tuple[int, int]], box: Box, size: int) -> bool:
    a, b, c, d = box
    inside = a >= 0 and b < size and c >= 0 and d < size
    return inside and not any((u, v) in wrong for u in range(a, b + 1) for v in range(c, d + 1))


STEPS = ((-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, -1, 0), (0, 0, 0, 1))


def _moved(box: Box, step: Sequence[int]) -> Box:
    a, b, c, d = (p + q for p, q in zip(box, step, strict=True))
    return a, b, c, d


def each_face_in_turn(wrong: set[tuple[int, int]], start: Box, size: int) -> Box:
    """Expand one face as far as it goes, then the next: one pass."""
    box = start
    for step in STEPS:
        while _one_class(wrong, _moved(box, step), size):
            box = _moved(box, step)
    return box


def one_step_each(wrong: set[tuple[int, int]], start: Box, size: int) -> Box:
    """Expand every face by one step, once."""
    box = start
    for step in STEPS:
        if _one_class(wrong, _moved(box, step), size):
            box = _moved(box, step)
    return box


@PAPER.claim(
    "Section 5.1 (procedure)",
    r"expanding [a_i,b_i] from the radius along a_i and b_i outputs a maximal robustness hyperrectangle",
    hypotheses="maximal by inclusion; classifiers on a 4 x 4 grid with up to two cells of another class, every x; one pass over the faces, each moved as far as it goes, with an exact test",
    recorded="certified",
    formula=each_face_in_turn,
    mutants={"one step per face": one_step_each, "the radius itself": lambda wrong, start, size: start},
    note="Not the box of largest volume, nor of largest rho; and as the test of 4.2 is statistical, Def. 9 holds up to its tolerance only.",
)  # fmt: skip
def procedure(expand: Any) -> Outcome:
    cells = list(product(range(4), repeat=2))

    def failure(case: tuple[tuple[int, int], set[tuple[int, int]]]) -> str | None:
        (u, v), wrong = case
        if (u, v) in wrong:
            return None
        box = expand(wrong, (u, u, v, v), 4)
        if not _one_class(wrong, box, 4):
            return f"x = {u, v}, other class at {sorted(wrong)}: {box} has two classes"
        grows = [s for s in STEPS if _one_class(wrong, _moved(box, s), 4)]
        return None if not grows else f"x = {u, v}, other class at {sorted(wrong)}: {box} can grow by {grows[0]}"

    family = [(x, {p, q}) for x in cells for p in cells for q in cells if p <= q]
    return check_family(family, failure, "4 x 4 cells")


@PAPER.claim(
    "Section 5.1 (bound without (1 - omega)(1 - tau))",
    r"with probability at least \prod_i F(b_i)-F(a_i) the class is preserved",
    hypotheses="m the mass in the box, s the share of it on which h agrees with h(x), o that outside, all in [0, 1]; s = 1, or s >= 99/100",
    consequence="bound", readings={"a box as in Def. 9, s = 1": "proved", "a box accepted by the test, s < 1": "refuted",},
    formula=lambda mass: mass,
    mutants={"the mass and a bit more": lambda mass: mass + (1 - mass) / 2, "one": lambda mass: mass**0},
    note="The footnote calls (1 - omega)(1 - tau) = 0.9405 'almost 1' and omits it. For the box of Def. 9 nothing is missing; for a box found by the test the "
    "bound is none: it can fail for any tau > 0.",
)  # fmt: skip
def without_factor(bound: Any) -> Outcome:
    mass, same, outside = sp.symbols("m s o")
    probabilities = [mass >= 0, mass <= 1, same >= 0, same <= 1, outside >= 0, outside <= 1]
    utility = mass * same + (1 - mass) * outside
    claim = {"utility >= bound": utility >= bound(mass)}
    return unclear(
        {
            "a box as in Def. 9, s = 1": check_implications([*probabilities, sp.Eq(same, 1)], claim, "law of total probability"),
            "a box accepted by the test, s < 1": check_implications([*probabilities, same >= sp.Rational(99, 100)], claim, "law of total probability"),
        }
    )  # fmt: skip


LEVEL_2 = PrivacyLevel.from_ratio(2)
TENTH = Fraction(1, 10)
#: x_1 releases 'a', which x_2 never does, with probability 1/10.
REVEALING = Channel([[TENTH, 1 - TENTH], [0, 1]])


@PAPER.claim(
    "Def. 10",
    r"\forall x_1,x_2,\tilde x:\Pr[\mathcal L(\tilde x)\le\epsilon]\ge 1-\delta is weaker than \epsilon-LDP: some mechanism satisfies (\epsilon,\delta)-PAC LDP and not \epsilon-LDP",
    hypotheses="t = 2, delta = 1/10; the witness: an output of probability 1/10 that one of two inputs never gives",
    consequence="privacy", headline=5, readings={"x~ drawn from M(x_1)": "certified", "for every x~, as printed": "refuted",},
    formula=REVEALING,
    mutants={
        "an epsilon-LDP channel": randomized_response(2, LEVEL_2),
        "probability 2/10": Channel([[2 * TENTH, 1 - 2 * TENTH], [0, 1]]),
    },
    note="With x~ under the quantifier nothing random is left: the probability is 0 or 1, and for delta < 1 the definition is pure LDP, which no Gaussian "
    "mechanism satisfies. What the proofs use is x~ ~ M(x_1), the reading of all claims below.",
)  # fmt: skip
def definition_10(channel: Channel) -> Outcome:
    pure = channel.satisfies(LEVEL_2)
    drawn = pac_delta_of(channel, LEVEL_2) <= TENTH and not pure
    rows = channel.matrix.tolist()
    # nothing is random at a fixed x~: Pr[L(x~) <= ln 2] is 1 or 0
    least = min(int(p <= 2 * q) for first, second in permutations(rows, 2) for p, q in zip(first, second, strict=True))
    everywhere = least >= 1 - TENTH and not pure
    return unclear(
        {
            "x~ drawn from M(x_1)": check_facts([(drawn, f"Pr[L > ln 2] = {pac_delta_of(channel, LEVEL_2)}, tight ratio {channel.ratio}")], "the witness"),
            "for every x~, as printed": check_facts([(everywhere, f"least Pr[L(x~) <= ln 2] over x~: {least} against 9/10 (tight ratio {channel.ratio})")], "the witness"),
        }
    )  # fmt: skip


def small_channels() -> Iterable[Channel]:
    """2 x 2 and 2 x 3 channels with entries in multiples of 1/4 and 1/10, a few with zeros."""
    for parts in (4, 10):
        rows = [(Fraction(i, parts), 1 - Fraction(i, parts)) for i in range(parts + 1)]
        yield from (Channel([r, s]) for r in rows for s in rows)
    rows3 = [(Fraction(i, 4), Fraction(j, 4), 1 - Fraction(i + j, 4)) for i in range(5) for j in range(5 - i)]
    yield from (Channel([r, s]) for r in rows3 for s in rows3)


FAILS, INFERS = sp.symbols("f g")


@PAPER.claim(
    "Section 5.2 (inferred with probability at most delta)",
    r"'although PAC LDP allows a \delta-probabilistic failure, the adversary can only infer the original data with probability at most \delta when \epsilon-LDP fails'",
    hypotheses="0 < delta < 1, 0 <= f <= delta the probability of a failure, g in [0, 1] that of inferring x when there is one",
    consequence="privacy",
    readings={
        "that it fails and x is inferred": "proved",
        "that x is inferred, given that it fails": "refuted",
    },
    formula=lambda fails, infers: fails * infers,
    mutants={"either of the two": lambda fails, infers: fails + infers - fails * infers},
    note="Given a failure the privacy indicator releases x itself, as Section 5.2.2 says: g = 1.",
)
def inferred(chance: Any) -> Outcome:
    hypotheses = [DELTA > 0, DELTA < 1, FAILS >= 0, FAILS <= DELTA, INFERS >= 0, INFERS <= 1]
    at_most = {"at most delta": chance(FAILS, INFERS) <= DELTA}
    return unclear(
        {
            "that it fails and x is inferred": check_implications(hypotheses, at_most, "a part of the failures"),
            "that x is inferred, given that it fails": check_implications(
                hypotheses, {"at most delta": chance(sp.Integer(1), INFERS) <= DELTA}, "after a failure"
            ),
        }
    )


@PAPER.claim(
    "Section 5.2 (delta = 0)",
    r"pure \epsilon-LDP is (\epsilon,\delta)-PAC LDP with \delta=0",
    hypotheses="small exact channels, t = 2, 3; x~ ~ M(x_1)",
    recorded="certified",
    formula=Fraction(0),
    mutants={"delta = 1/10": Fraction(1, 10), "delta = 1/2": Fraction(1, 2)},
)
def pure_case(delta: Fraction) -> Outcome:
    def failure(case: tuple[Channel, int]) -> str | None:
        channel, t = case
        level = PrivacyLevel.from_ratio(t)
        same = (pac_delta_of(channel, level) <= delta) == channel.satisfies(level)
        return (
            None
            if same
            else f"{channel.matrix.tolist()}, t = {t}: Pr[L > eps] = {pac_delta_of(channel, level)}, tight ratio {channel.ratio}"
        )

    return check_family(((c, t) for c in small_channels() for t in (2, 3)), failure, "small channels")


@PAPER.claim(
    "Theorem 2",
    r"d independent (\epsilon,\delta)-PAC LDP mechanisms together satisfy (d\epsilon,1-(1-\delta)^d)-PAC LDP",
    hypotheses="x~ ~ M(x_1); 0 <= delta <= 1, whole d >= 1; by induction from d to d + 1: the losses add up, and by independence both parts hold with the product R p of their probabilities, "
    "R >= 1 - delta_d, p >= 1 - delta. Replayed on the 2 x 2 channels in multiples of 1/5, d = 2, 3, t = 2, 3",

    formula=(lambda delta, d: 1 - (1 - delta) ** d, lambda d: d),
    mutants={
        "delta": (lambda delta, d: delta * d**0, lambda d: d),
        "delta^d": (lambda delta, d: delta**d, lambda d: d),
        "d - 1": (lambda delta, d: 1 - (1 - delta) ** (d - 1), lambda d: d),
        "level d epsilon - epsilon": (lambda delta, d: 1 - (1 - delta) ** d, lambda d: d - 1),
        "level 2 d epsilon": (lambda delta, d: 1 - (1 - delta) ** d, lambda d: 2 * d),
        "failure certain": (lambda delta, d: 1 + 0 * delta, lambda d: d),
    },
)  # fmt: skip
def theorem_2(case: Any) -> Outcome:
    total, level = case

    def failure(case: tuple[Channel, int, int]) -> str | None:
        channel, t, d = case
        delta = pac_delta_of(channel, PrivacyLevel.from_ratio(t))
        joint = channel
        for _ in range(d - 1):
            joint = _beside(joint, channel)
        got = pac_delta_of(joint, PrivacyLevel.from_ratio(t ** level(d)))
        return (
            None
            if got <= total(delta, d)
            else f"{channel.matrix.tolist()}, t = {t}, d = {d}: delta {delta}, together {got} > {total(delta, d)}"
        )

    def proof() -> Outcome:
        n, one, together, alone, epsilon = sp.symbols("n p R l epsilon")
        sofar = sp.Symbol("L")
        unit = [DELTA >= 0, DELTA <= 1]
        whole, power = sp.Symbol("n", integer=True, positive=True), sp.Symbol("n", integer=True)
        step = (
            sp.expand(sp.powsimp(1 - total(DELTA, whole + 1)).expand(power_exp=True)).subs(whole, power),
            sp.expand((1 - total(DELTA, whole)) * (1 - DELTA)).subs(whole, power),
        )
        start = {"d = 1": (total(DELTA, sp.Integer(1)), DELTA), "level at d = 1": (level(sp.Integer(1)), 1)}
        bounds = check_identities({**start, "d to d + 1": step}, "induction on d", hypotheses=[*unit, power >= 1])
        before = sp.Symbol("delta_d")
        parts = [before >= 0, before <= 1, together >= 1 - before, together <= 1, one >= 1 - DELTA, one <= 1]
        joint = check_implications(
            [*unit, *parts], {"both parts hold": together * one >= (1 - before) * (1 - DELTA)}, "independence"
        )
        losses = check_implications(
            [epsilon > 0, n >= 1, sofar <= level(n) * epsilon, alone <= epsilon],
            {"the losses": sofar + alone <= level(n + 1) * epsilon},
            "losses add up",
        )
        return both(bounds, both(joint, losses))

    chosen = [Channel([r, s]) for r in _rows(5) for s in _rows(5)]
    return unless_refuted(
        check_family(((c, t, d) for c in chosen for t in (2, 3) for d in (2, 3)), failure, "small channels"), proof
    )


def _rows(parts: int) -> list[tuple[Fraction, Fraction]]:
    return [(Fraction(i, parts), 1 - Fraction(i, parts)) for i in range(parts + 1)]


def _beside(first: Channel, second: Channel) -> Channel:
    """Both mechanisms, each on its own coordinate."""
    rows = [[p * q for p in r for q in s] for r in first.matrix.tolist() for s in second.matrix.tolist()]
    return Channel(rows)


@PAPER.claim(
    "B.3 (only if)",
    r"the combination satisfies pure \epsilon-LDP only if all d mechanisms do",
    hypotheses="d = 2, epsilon > 0; l_1, l_2 the losses: the largest, l_1, l_2 >= 0 with l_1 + l_2 <= epsilon, or those at one output, l_1 + l_2 <= 2 epsilon",
    consequence="privacy", readings={"level epsilon, largest losses of the mechanisms": "proved", "level d epsilon, losses at the outputs drawn": "refuted",},
    formula=lambda first, second, epsilon: sp.And(first <= epsilon, second <= epsilon),
    mutants={"neither exceeds half of it": lambda first, second, epsilon: sp.And(2 * first <= epsilon, 2 * second <= epsilon)},
    note="The theorem needs the converse only: losses of at most epsilon add up to at most d epsilon.",
)  # fmt: skip
def only_if(necessary: Any) -> Outcome:
    first, second, epsilon = sp.symbols("l_1 l_2 epsilon")
    claimed = necessary(first, second, epsilon)
    return unclear(
        {
            "level epsilon, largest losses of the mechanisms": check_implications(
                [epsilon > 0, first >= 0, second >= 0, first + second <= epsilon], {"then": claimed}, "largest losses are not negative and add up"
            ),
            "level d epsilon, losses at the outputs drawn": check_implications(
                [epsilon > 0, first + second <= 2 * epsilon], {"then": claimed}, "losses at one output"
            ),
        }
    )  # fmt: skip


@PAPER.claim(
    "B.3 (total failure)",
    r"the total failure probability of d independent (\epsilon,\delta)-PAC LDP mechanisms is 1-(1-\delta)^d",
    hypotheses="as an equation, for mechanisms whose failure probability is exactly delta; 2 x 2 channels in multiples of 1/5, d = 2, t = 2, 3, delta > 0",
    consequence="privacy", readings={"some mechanism exceeds its epsilon": "certified", "the losses together exceed d epsilon": "refuted",},
    formula=lambda got, delta: got == 1 - (1 - delta) ** 2,
    mutants={"twice delta": lambda got, delta: got == 2 * delta, "delta": lambda got, delta: got == delta},
    note="The proof calls it a failure when one of the mechanisms exceeds its epsilon; the notion that is claimed, when the losses together exceed d epsilon. The former is the "
    "larger event, so the theorem, an upper bound, holds. 'At least delta' in the proof should be 'at most'.",
)  # fmt: skip
def total_failure(relation: Any) -> Outcome:
    return unclear(
        {
            "some mechanism exceeds its epsilon": _two_fail(relation, some_fails),
            "the losses together exceed d epsilon": _two_fail(relation, together_fail),
        }
    )


@PAPER.claim(
    "B.3 (total failure, together)",
    r"the losses together exceed d\epsilon with probability at most 1-(1-\delta)^d",
    hypotheses="2 x 2 channels in multiples of 1/5, d = 2, t = 2, 3; for all d see Theorem 2",
    recorded="certified",
    formula=lambda got, delta: got <= 1 - (1 - delta) ** 2,
    mutants={"an equation": lambda got, delta: got == 1 - (1 - delta) ** 2, "at most delta": lambda got, delta: got <= delta},
)  # fmt: skip
def total_failure_together(relation: Any) -> Outcome:
    return _two_fail(relation, together_fail)


def some_fails(channel: Channel, t: int) -> Fraction:
    """Probability that the loss of one of two independent copies exceeds ln t, at the worst pairs of inputs."""
    rows = channel.matrix.tolist()
    pairs = [list(zip(first, second, strict=True)) for first, second in permutations(rows, 2)]
    chances: list[Fraction] = [
        sum((p * u for p, q in one for u, v in other if p > t * q or u > t * v), Fraction(0))
        for one, other in product(pairs, repeat=2)
    ]
    return max(chances)


def together_fail(channel: Channel, t: int) -> Fraction:
    """Probability that the losses of two independent copies add up to more than 2 ln t, at the worst pairs of inputs."""
    return Fraction(pac_delta_of(_beside(channel, channel), PrivacyLevel.from_ratio(t * t)))


def _two_fail(relation: Any, probability: Callable[[Channel, int], Fraction]) -> Outcome:
    def failure(case: tuple[Channel, int]) -> str | None:
        channel, t = case
        delta = pac_delta_of(channel, PrivacyLevel.from_ratio(t))
        got = probability(channel, t)
        if delta == 0 or relation(got, delta):
            return None
        rows = [[str(v) for v in row] for row in channel.matrix.tolist()]
        return (
            f"{rows}, t = {t}: delta = {delta}, two of them fail with {got}, 1 - (1 - delta)^2 = {1 - (1 - delta) ** 2}"
        )

    rows = _rows(5)
    return check_family(((Channel([r, s]), t) for r in rows for s in rows for t in (2, 3)), failure, "2 x 2 channels")


@PAPER.claim(
    "B.3 (remark)",
    r"1-(1-\delta)^d\le d\delta for \delta\in(0,1), d\ge 1: more precise than (d\epsilon,d\delta)",
    hypotheses="P = (1 - delta)^d >= 0; induction: if (1 - delta)^d >= 1 - d delta then (1 - delta)^(d+1) >= 1 - (d + 1) delta; equality at d = 1",
    formula=lambda delta, d: d * delta,
    mutants={"d delta / 2": lambda delta, d: d * delta / 2, "d delta^2": lambda delta, d: d * delta**2},
)
def remark(bound: Any) -> Outcome:
    hypotheses = [DELTA > 0, DELTA < 1, D >= 1, 1 - bound(DELTA, D) <= P, P >= 0]
    conclusions = {
        "d = 1": bound(DELTA, sp.Integer(1)) >= DELTA,
        "d + 1": 1 - bound(DELTA, D + 1) <= P * (1 - DELTA),
    }
    return check_implications(hypotheses, conclusions, "Bernoulli's inequality")


def _indicators() -> Iterable[tuple[int, Fraction, Fraction]]:
    return product((2, 3, 4), (Fraction(2), Fraction(3)), (Fraction(1, 10), Fraction(1, 2)))


@PAPER.claim(
    "Theorem 3",
    r"if \mathcal M is \epsilon-LDP, I_\delta(\mathcal M(x)) satisfies (\epsilon,\delta)-PAC LDP",
    hypotheses="k-RR, k = 2, 3, 4, t = 2, 3, delta = 1/10, 1/2; x~ drawn from the indicator's own output (under the printed quantifier it fails for every M)",
    consequence="privacy",
    headline=2,
    recorded="refuted",
    formula=lambda delta, low, t: delta,
    control=lambda delta, low, t: delta + (1 - delta) * t * low,
    mutants={"0": lambda delta, low, t: 0 * delta, "delta + low": lambda delta, low, t: delta + low},
    note="The loss is that of I_delta(M), whose outputs do not say which of the two happened. For a mechanism that can release x itself, the output x is more likely "
    "than e^epsilon times, whichever way it came about: 2-RR at t = 2 fails with probability 7/10 for delta = 1/10. The case studies use the "
    "indicator with k-RR and the exponential mechanism.",
)
def theorem_3(total: Any) -> Outcome:
    def failure(case: tuple[int, Fraction, Fraction]) -> str | None:
        k, t, delta = case
        level = PrivacyLevel.from_ratio(t)
        got = pac_delta_of(indicator_channel(randomized_response(k, level), delta), level)
        claimed = total(delta, 1 / (t + k - 1), t)
        where = f"k-RR with k = {k}, t = {t}, delta = {delta}"
        return None if got <= claimed else f"{where}: Pr[L > epsilon] = {got} > {claimed}"

    return check_family(_indicators(), failure, "k-RR")


@PAPER.claim(
    "Theorem 3 (discrete) [repaired]",
    r"for k-RR the indicator has failure probability \delta+(1-\delta)\Pr[\mathcal M(x)=x] at level \epsilon, and tight level \ln(t+\delta(t+k-1)/(1-\delta))",
    hypotheses="t > 1, k >= 2, 0 < delta < 1; only the output x_1 has a loss above epsilon. Replayed on the library's channels for k = 2, 3, 4, t = 2, 3, delta = 1/10, 1/2",

    formula=(lambda delta, low, t: delta + (1 - delta) * t * low, lambda delta, low, t: t + delta / ((1 - delta) * low)),
    mutants={
        "delta": (lambda delta, low, t: delta, lambda delta, low, t: t + delta / ((1 - delta) * low)),
        "delta + (1 - delta) low": (lambda delta, low, t: delta + (1 - delta) * low, lambda delta, low, t: t + delta / ((1 - delta) * low)),
        "one, an upper bound": (lambda delta, low, t: delta**0, lambda delta, low, t: t + delta / ((1 - delta) * low)),
        "level t + delta / low": (lambda delta, low, t: delta + (1 - delta) * t * low, lambda delta, low, t: t + delta / low),
    },
)  # fmt: skip
def theorem_3_discrete(case: Any) -> Outcome:
    total, ratio = case

    def failure(case: tuple[int, Fraction, Fraction]) -> str | None:
        k, t, delta = case
        low, level = 1 / (t + k - 1), PrivacyLevel.from_ratio(t)
        channel = indicator_channel(randomized_response(k, level), delta)
        got = (pac_delta_of(channel, level), channel.ratio)
        claimed = (total(delta, low, t), ratio(delta, low, t))
        where = f"k-RR with k = {k}, t = {t}, delta = {delta}"
        return None if got == claimed else f"{where}: Pr[L > epsilon], tight ratio = {got}, claimed {claimed}"

    k = sp.Symbol("k", integer=True)
    low = 1 / (T + k - 1)
    own, other = DELTA + (1 - DELTA) * T * low, (1 - DELTA) * low
    hypotheses = [T > 1, k >= 2, DELTA > 0, DELTA < 1]
    values = {"failure probability": (total(DELTA, low, T), own), "tight ratio": (ratio(DELTA, low, T), own / other)}
    losses = {"the output x_1 fails": own > T * other, "the output x_2 does not": other <= T * own}
    proof = both(
        check_identities(values, "the entries of the indicator's channel", hypotheses=hypotheses),
        check_implications(hypotheses, losses, "the other outputs have loss 0"),
    )
    return replayed(proof, check_family(_indicators(), failure, "k-RR"))


def private_with(delta: Any, own: Any, other: Any, t: Any) -> Any:
    """Whether the atom at x_1, of mass `own` from x_1 and `other` from x_2, keeps I_delta private."""
    return sp.Or(sp.Eq(own, 0), delta + (1 - delta) * own <= t * (1 - delta) * other)


@PAPER.claim(
    "Theorem 3 [repaired]",
    r"for an \epsilon-LDP \mathcal M, I_\delta(\mathcal M(x)) satisfies (\epsilon,\delta)-PAC LDP iff for all x_1\ne x_2: \mathcal M(x_1)\{x_1\}=0 or "
    r"\delta+(1-\delta)\mathcal M(x_1)\{x_1\}\le e^\epsilon(1-\delta)\mathcal M(x_2)\{x_1\}",
    hypotheses="t > 1, 0 < delta < 1; a, b = M(x_1){x_1}, M(x_2){x_1} and c, d = M(x_1){x_2}, M(x_2){x_2} in [0, 1], f, g the probabilities (or densities) of another output, all within the "
    "factor t; x~ drawn from I_delta(M)(x_1). Replayed on the 2 x 2 channels in multiples of 1/5 that are ln t-LDP and on k-RR, k = 3, 4, t = 2, 3, delta = 1/10, 1/2",
    formula=private_with,
    mutants={
        "without the output's own mass": lambda delta, own, other, t: sp.Or(
            sp.Eq(own, 0), delta <= t * (1 - delta) * other
        ),
        "for every M, as printed": lambda delta, own, other, t: sp.true,
        "only without an atom": lambda delta, own, other, t: sp.Eq(own, 0),
        "b for a": lambda delta, own, other, t: sp.Or(
            sp.Eq(own, 0), delta + (1 - delta) * own <= t * (1 - delta) * own
        ),
    },
    note="Without atoms (Laplace, PM, SW on an interval, not clipped) it holds, with failure probability exactly delta. Not for the Laplace mechanism clipped to [0, 1]: at x = 0 and 1 it "
    "fails with probability 0.55 for delta = 0.1, whatever epsilon. And M must be epsilon-LDP: for Gaussian noise the failure probability is delta + (1 - delta) "
    "Pr[Z > epsilon sigma - 1/(2 sigma)] > delta.",
    repairs="Theorem 3",
)
def theorem_3_repaired(condition: Any) -> Outcome:
    a, b, c, d, f, g = sp.symbols("a b c d f g")
    pairs = ((a, b), (c, d), (f, g))
    unit = [r for v in (a, b, c, d) for r in (v >= 0, v <= 1)]
    hypotheses = [T > 1, DELTA > 0, DELTA < 1, *unit, f >= 0, g >= 0]
    hypotheses += [r for p, q in pairs for r in (p <= T * q, q <= T * p)]
    mass = DELTA + (1 - DELTA) * a
    fine = sp.Or(mass <= T * (1 - DELTA) * b, mass <= DELTA)
    claimed = condition(DELTA, a, b, T)
    proof = check_implications(
        hypotheses,
        {
            "the loss elsewhere is at most epsilon": (1 - DELTA) * f <= T * (1 - DELTA) * g,
            "the loss at x_2 is at most epsilon": (1 - DELTA) * c <= T * (DELTA + (1 - DELTA) * d),
            "if: the loss at x_1 is at most epsilon, or its probability at most delta": sp.Implies(claimed, fine),
            "only if": sp.Implies(fine, claimed),
        },
        "the three kinds of outputs",
    )

    def failure(case: tuple[Channel, int, Fraction]) -> str | None:
        channel, t, delta = case
        m, level = channel.matrix, PrivacyLevel.from_ratio(t)
        got = pac_delta_of(indicator_channel(channel, delta), level)
        pairs = permutations(range(len(m)), 2)
        met = all(
            bool(condition(sp.Rational(delta), *map(sp.Rational, (m[x, x], m[y, x])), sp.Integer(t))) for x, y in pairs
        )
        where = f"{[list(map(str, row)) for row in m.tolist()]}, t = {t}, delta = {delta}"
        return (
            None
            if met == (got <= delta)
            else f"{where}: Pr[L > epsilon] = {got}, the condition {'holds' if met else 'fails'}"
        )

    def family() -> Iterable[tuple[Channel, int, Fraction]]:
        square = [Channel([r, s]) for r in _rows(5) for s in _rows(5)]
        for t, delta in product((2, 3), (TENTH, Fraction(1, 2))):
            level = PrivacyLevel.from_ratio(t)
            larger = [randomized_response(k, level) for k in (3, 4)]
            yield from ((channel, t, delta) for channel in [*square, *larger] if channel.satisfies(level))

    return replayed(proof, check_family(family(), failure, "small private channels"))


LOSS = "B.1 (loss)"


@PAPER.claim(
    LOSS,
    r"the loss of I_\delta(\mathcal M) is bounded through \mathcal L_{\mathcal M,x_1,x_2}: where \mathcal M was applied, the loss is that of \mathcal M",
    hypotheses="p, q = Pr[M(x_1) = y], Pr[M(x_2) = y], q > 0, 0 < delta < 1; a = 1 for the output y = x_1, else 0; e^L for the mechanism I_delta(M), whose output does not say whether M was applied",
    consequence="proof",
    recorded="refuted",
    formula=lambda p, q, delta, a: p / q,
    mutants={"delta added": lambda p, q, delta, a: p / q + delta, "q / p": lambda p, q, delta, a: q / p},
    note="The two agree at outputs other than x_1 and x_2 (a = 0), which is why the theorem holds for mechanisms without atoms.",
    repair=Repair(
        r"e^{\mathcal L}=((1-\delta)p+\delta)/((1-\delta)q) at y=x_1, and p/q at outputs other than x_1, x_2",
        hypotheses="as above",
        formula=lambda p, q, delta, a: ((1 - delta) * p + delta * a) / ((1 - delta) * q),
        mutants={"as printed": lambda p, q, delta, a: p / q},
    ),
)
def indicator_loss(formula: Any) -> Outcome:
    p, q = sp.symbols("p q")
    points = [{p: sp.Rational(2, 3), q: sp.Rational(1, 3), DELTA: sp.Rational(1, 10)}]
    truth = {
        name: ((1 - DELTA) * p + DELTA * a) / ((1 - DELTA) * q) for name, a in (("y elsewhere", 0), ("y = x_1", 1))
    }
    claimed = {name: formula(p, q, DELTA, a) for name, a in (("y elsewhere", 0), ("y = x_1", 1))}
    hypotheses = [DELTA > 0, DELTA < 1, p >= 0, p <= 1, q > 0, q <= 1]
    values = {name: (truth[name], claimed[name]) for name in truth}
    return check_identities(values, "both kinds of outputs", points, hypotheses)


@PAPER.claim(
    "Theorem 3 ((epsilon, delta)-LDP)",
    r"for every \epsilon-LDP mechanism the indicator satisfies (\epsilon,\delta)-LDP of Def. 15",
    hypotheses="t > 1, 0 < delta < 1; P, Q in [0, 1] the probabilities of a set of outputs under M(x_1), M(x_2), P <= t Q; the atom adds at most delta to the first and at least 0 to the second",
    formula=lambda delta: delta,
    mutants={"delta / 2": lambda delta: delta / 2, "delta (1 - delta)": lambda delta: delta * (1 - delta)},
    note="What the indicator offers is this notion, also for discrete mechanisms.",
)
def indicator_approximate(total: Any) -> Outcome:
    hypotheses = [T > 1, DELTA > 0, DELTA < 1, P >= 0, Q >= 0, P <= T * Q, P <= 1, Q <= 1]
    return check_implications(
        hypotheses,
        {"Pr_1 <= t Pr_2 + delta": T * (1 - DELTA) * Q + total(DELTA) >= (1 - DELTA) * P + DELTA},
        "every set of outputs",
    )


@PAPER.claim(
    "Section 5.2.1 (utility)",
    r"under I_\delta the class is preserved with probability at least \delta+(1-\delta)\rho=\rho+\delta(1-\rho)\ge\rho",
    hypotheses="rho in [0, 1] a lower bound under M for the utility u <= 1; with probability delta the data are unchanged; the inequality is strict iff rho < 1",
    formula=lambda rho, delta: delta + (1 - delta) * rho,
    mutants={
        "delta rho + 1 - delta": lambda rho, delta: delta * rho + 1 - delta,
        "rho + delta": lambda rho, delta: rho + delta,
    },
)
def indicator_utility(bound: Any) -> Outcome:
    utility = sp.Symbol("u")
    hypotheses = [RHO >= 0, RHO <= 1, DELTA > 0, DELTA < 1, utility >= RHO, utility <= 1]
    claimed = bound(RHO, DELTA)
    return check_implications(
        hypotheses,
        {
            "a lower bound": DELTA + (1 - DELTA) * utility >= claimed,
            "rho + delta (1 - rho)": sp.Eq(claimed, RHO + DELTA * (1 - RHO)),
            "at least rho": claimed >= RHO,
        },
        "law of total probability",
    )


@PAPER.claim(
    "C.3 (PAC implies (epsilon, delta))",
    r"(\epsilon,\delta)-PAC LDP gives the common interpretation of (\epsilon,\delta)-LDP: it implies Def. 15 with the same \delta",
    hypotheses="t > 1; P, Q >= 0 the probabilities of the outputs in S with L <= epsilon under x_1, x_2, P <= t Q; 0 <= a <= delta <= 1, a <= delta = Pr[L > epsilon] and b those of the others; replayed on small exact channels, "
    "t = 2, 3: the delta of Def. 15 against Pr[L > epsilon]",

    formula=lambda pac: pac,
    mutants={"half of it": lambda pac: pac / 2, "its square": lambda pac: pac**2},
    note="Not conversely: 2-RR with indicator, t = 2, delta = 1/10, has delta = 1/10 in Def. 15 and fails PAC LDP with 7/10.",
)  # fmt: skip
def pac_implies(bound: Any) -> Outcome:
    def failure(case: tuple[Channel, int]) -> str | None:
        channel, t = case
        level = PrivacyLevel.from_ratio(t)
        delta, pac = approximate_delta_of(channel, level), pac_delta_of(channel, level)
        return (
            None if delta <= bound(pac) else f"{channel.matrix.tolist()}, t = {t}: delta {delta}, Pr[L > eps] = {pac}"
        )

    a, b = sp.symbols("a b")
    proof = check_implications(
        [T > 1, P >= 0, Q >= 0, P <= T * Q, a >= 0, b >= 0, a <= DELTA, DELTA <= 1],
        {"Pr_1[S] <= t Pr_2[S] + delta": T * (Q + b) + bound(DELTA) >= P + a},
        "S split by the loss",
    )
    family = ((c, t) for c in small_channels() for t in (2, 3))
    return replayed(proof, check_family(family, failure, "small channels"))


@PAPER.claim(
    "C.3, B.2.2 (cannot be unbounded)",
    r"(\epsilon,\delta)-LDP 'says that the distance between two distributions is always bounded by the given (\epsilon,\delta) pair, i.e. strictly cannot be unbounded'",
    hypotheses="the distance as C.3 rewrites it, with delta/e^epsilon in the denominator, delta > 0; or the privacy loss, the logarithm of the ratio itself; t > 1, delta < 1, P, Q in (0, 1], P <= t Q + delta; for the loss at t = 2, P = delta = 1/10 against a bound c = 100 on p/q",
    consequence="privacy", readings={"the distance of C.3": "proved", "the privacy loss": "refuted",},
    formula=lambda p, q, delta, t: p / (q + delta / t),
    mutants={
        "delta / t^2": lambda p, q, delta, t: p / (q + delta / t**2),
        "t times as large": lambda p, q, delta, t: t * p / (q + delta / t),
    },
    note="For one output with p = delta the loss ln(p/q) grows without bound as q falls, and (epsilon, delta)-LDP allows it, as the Gaussian mechanism shows. In that respect it does not "
    "differ from PAC LDP, which implies it.",
)  # fmt: skip
def cannot_be_unbounded(distance: Any) -> Outcome:
    bound = sp.Symbol("c")
    pair = [P > 0, P <= 1, Q > 0, Q <= 1, DELTA > 0, DELTA < 1, T > 1, P <= T * Q + DELTA]
    return unclear(
        {
            "the distance of C.3": check_implications(pair, {"at most t": distance(P, Q, DELTA, T) <= T}, "for every set S"),
            "the privacy loss": check_implications(
                [*pair, sp.Eq(T, 2), sp.Eq(P, DELTA), sp.Eq(DELTA, sp.Rational(1, 10)), sp.Eq(bound, 100)], {"p / q at most c": bound >= P / Q}, "a bound"
            ),
        }
    )  # fmt: skip


@PAPER.claim(
    "C.3 (rewriting)",
    r"Def. 15 can be rewritten as \Pr[\mathcal M(x_1)\in S]/(\Pr[\mathcal M(x_2)\in S]+\delta/e^\epsilon)\le e^\epsilon",
    hypotheses="P, Q in [0, 1] the two probabilities, 0 < delta < 1, t > 1",

    given=[P >= 0, P <= 1, Q >= 0, Q <= 1, DELTA > 0, DELTA < 1, T > 1], evidence="equivalent", formula=lambda p, q, delta, t: p / (q + delta / t) <= t,
    mutants={"delta for delta / t": lambda p, q, delta, t: p / (q + delta) <= t, "t delta": lambda p, q, delta, t: p / (q + delta * t) <= t},
)  # fmt: skip
def rewriting(condition: Any) -> Relations:
    claimed = condition(P, Q, DELTA, T)
    return {"one way": sp.Implies(claimed, P <= T * Q + DELTA), "the other": sp.Implies(P <= T * Q + DELTA, claimed)}


PAPER.leave_out(
    "C.3 (interpretations of (epsilon, delta))",
    "whether a definition is 'hard to interpret' or 'ambiguous' is no mathematical statement",
)
