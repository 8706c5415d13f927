"""Section 4: multi-stage training (Alg. 3), Observation 4, running time."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cmp_to_key
from itertools import product
from random import Random
from typing import Any

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import rr_with_prior
from lpmech.papers.checking import check_family
from lpmech.papers.claims import Outcome, refuted, supported
from lpmech.papers.ghazi2021.paper import PAPER


@PAPER.claim(
    "Alg. 3 line 3(b)i",
    r"stage t takes its priors from M^{(t)}, as printed, a model that exists when it is used",
    hypotheses="T = 1, 2, 3 stages; M^(t) is trained in line 3(c) at the end of stage t",
    recorded="refuted",
    formula=lambda stage: stage,
    control=lambda stage: stage - 1,
    mutants={"M^(t+1)": lambda stage: stage + 1},
    repaired_by="Alg. 3 line 3(b)i [repaired]",
    note="The text of section 4 has it right: 'we use the most recent model M^(t-1)'.",
)
@PAPER.claim(
    "Alg. 3 line 3(b)i [repaired]",
    r"stage t takes its priors from M^{(t-1)}, which exists: M^{(0)} is trivial, M^{(t-1)} is trained in stage t-1",
    hypotheses="T = 1, 2, 3 stages",
    recorded="certified",
    formula=lambda stage: stage - 1,
    mutants={"M^(t)": lambda stage: stage, "M^(t-2)": lambda stage: stage - 2},
)
def model_used(index: Any) -> Outcome:
    def failure(stages: int) -> str | None:
        trained = {0}
        for stage in range(1, stages + 1):
            if index(stage) not in trained or (stage > 1 and index(stage) != max(trained)):
                return f"T = {stages}, stage {stage}: M^({index(stage)}) is used, trained so far: {sorted(trained)}"
            trained.add(stage)
        return None

    return check_family([1, 2, 3], failure, "T = 1, 2, 3")


def trained_prior(released: tuple[int, ...]) -> tuple[Fraction, Fraction]:
    """A deterministic training rule: the prior of label 0 after seeing randomized labels (add-one smoothing)."""
    zeros = released.count(0)
    return Fraction(zeros + 1, len(released) + 2), Fraction(len(released) - zeros + 1, len(released) + 2)


def _response(prior: tuple[Fraction, ...], label: int, out: int, t: Fraction) -> Fraction:
    entry: Fraction = rr_with_prior(prior, PrivacyLevel.from_ratio(t)).matrix[label, out]
    return entry


def lp_mst_law(
    labels: tuple[int, ...], stages: tuple[tuple[int, ...], ...], t: Fraction
) -> dict[tuple[int, ...], Fraction]:
    """Exact law of all randomized labels of LP-MST; the models are functions of them.

    `stages` lists the positions used in each stage; a position may occur twice (then its label is released twice).
    """
    law: dict[tuple[int, ...], Fraction] = {}
    count = sum(map(len, stages))
    for released in product((0, 1), repeat=count):
        probability, seen = Fraction(1), 0
        for stage in stages:
            prior = trained_prior(released[:seen]) if seen else (Fraction(1, 2), Fraction(1, 2))
            for offset, position in enumerate(stage):
                probability *= _response(prior, labels[position], released[seen + offset], t)
            seen += len(stage)
        law[released] = probability
    return law


def _by_position(labels: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    half = (len(labels) + 1) // 2
    return tuple(range(half)), tuple(range(half, len(labels)))


def _neighbours(count: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of label sequences of this length that differ in one label (substitution)."""
    sequences = list(product((0, 1), repeat=count))
    return [(a, b) for a in sequences for b in sequences if sum(x != y for x, y in zip(a, b, strict=True)) == 1]


@PAPER.claim(
    "Observation 4",
    r"if RRWithPrior is \epsilon-DP then LP-MST is \epsilon-LabelDP, even when all models and all randomized labels are output",
    hypotheses="n = 2, 3 examples, K = 2 labels, T = 2 stages, a deterministic training rule, t in {2, 5}; all outcomes of all neighbouring datasets",
    recorded="certified",
    formula=_by_position,
    mutants={
        "a label used in both stages": lambda labels: (tuple(range(len(labels))), (0,)),
        "partition depends on the labels": lambda labels: (
            tuple(i for i, y in enumerate(labels) if y == 0),
            tuple(i for i, y in enumerate(labels) if y == 1),
        ),
    },
    note="The proof is general: the joint law is a product in which one factor changes. The mutants show that both hypotheses, "
    "each label used once and a partition independent of the labels, are needed.",
)
def observation_4(partition: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        first, second, t = case
        ours, theirs = lp_mst_law(first, partition(first), t), lp_mst_law(second, partition(second), t)
        for outcome, probability in ours.items():
            if probability > t * theirs[outcome]:
                return (
                    f"labels {first} and {second}, t = {t}, released {outcome}: {probability} > t * {theirs[outcome]}"
                )
        return None

    pairs = [(a, b, t) for t in (Fraction(2), Fraction(5)) for n in (2, 3) for a, b in _neighbours(n)]
    return check_family(pairs, failure, "all neighbouring datasets and outcomes")


@PAPER.claim(
    "Observation 4 (product formula)",
    r"\Pr[M^{(1)},\dots,M^{(T)},\tilde y_1,\dots,\tilde y_n]=\prod_t\Pr[M^{(t)}|\dots]\prod_{i\in S^{(t)}}\Pr[\tilde y_i=z_i|M^{(t-1)}]",
    hypotheses="n = 2 labels, T = 2, deterministic training, t in {2, 5}",
    recorded="certified",
    formula=lambda labels, out, t: (
        _response((Fraction(1, 2), Fraction(1, 2)), labels[0], out[0], t)
        * _response(trained_prior(out[:1]), labels[1], out[1], t)
    ),
    mutants={
        "second stage ignores the model": lambda labels, out, t: (
            _response((Fraction(1, 2), Fraction(1, 2)), labels[0], out[0], t)
            * _response((Fraction(1, 2), Fraction(1, 2)), labels[1], out[1], t)
        )
    },
)
def observation_4_product(probability: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        labels, t = case
        for out, value in lp_mst_law(labels, ((0,), (1,)), t).items():
            if probability(labels, out, t) != value:
                return f"labels {labels}, t = {t}, released {out}: {value} against {probability(labels, out, t)}"
        return None

    return check_family(
        [(y, t) for y in product((0, 1), repeat=2) for t in (Fraction(2), Fraction(5))], failure, "n = 2"
    )


@PAPER.claim(
    "Observation 4 (one factor)",
    r"for datasets that differ in the label of j only, the two joint probabilities differ in one factor, "
    r"\Pr[\tilde y_j=z_j|M^{(\ell-1)}=m^{(\ell-1)}], the law of RRWithPrior at (x_j, y_j)",
    hypotheses="n = 2, 3 labels, T = 2, deterministic training, t in {2, 5}; all neighbouring datasets, all outcomes",
    recorded="certified",
    formula=lambda labels, j, out, half, t: _response(_prior_of_stage(out, j, half), labels[j], out[j], t),
    mutants={
        "stage l - 2": lambda labels, j, out, half, t: _response(
            (Fraction(1, 2), Fraction(1, 2)), labels[j], out[j], t
        ),
        "another example i": lambda labels, j, out, half, t: _response(
            _prior_of_stage(out, j, half), labels[j - 1], out[j - 1], t
        ),
    },
    note="The proof prints this law as that of 'RRWithPrior^{m(x_i)} outputs z_i'; the i is not bound there, and j is meant.",
)
def observation_4_factor(factor: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], int, Fraction]) -> str | None:
        labels, j, t = case
        changed = (*labels[:j], 1 - labels[j], *labels[j + 1 :])
        stages = _by_position(labels)
        ours, theirs = lp_mst_law(labels, stages, t), lp_mst_law(changed, stages, t)
        half = len(stages[0])
        for out in ours:
            sides = ours[out] * factor(changed, j, out, half, t), theirs[out] * factor(labels, j, out, half, t)
            if sides[0] != sides[1]:
                return (
                    f"labels {labels} and {changed}, t = {t}, released {out}: cross products {sides[0]} and {sides[1]}"
                )
        return None

    family = [
        (y, j, t)
        for t in (Fraction(2), Fraction(5))
        for n in (2, 3)
        for y in product((0, 1), repeat=n)
        for j in range(n)
    ]
    return check_family(family, failure, "all neighbouring datasets and outcomes")


def _prior_of_stage(out: tuple[int, ...], position: int, half: int) -> tuple[Fraction, Fraction]:
    return (Fraction(1, 2), Fraction(1, 2)) if position < half else trained_prior(out[:half])


def _leaky_training(released: tuple[int, ...], labels: tuple[int, ...]) -> dict[tuple[Fraction, Fraction], Fraction]:
    """A randomized training rule that is not private at all: a biased coin decides whether the model shows its data."""
    model = trained_prior(released)
    law = {model: Fraction(2, 3)}
    uniform = (Fraction(1, 2), Fraction(1, 2))
    law[uniform] = law.get(uniform, Fraction(0)) + Fraction(1, 3)
    return law


@PAPER.claim(
    "Observation 4 (any training algorithm)",
    r"'the training algorithm A need not be private': the joint law of M^{(1)} and all \tilde y_i is \epsilon-LabelDP for a randomized A",
    hypotheses="n = 2 labels, one per stage, K = 2, a rule with a coin that releases its training data, t in {2, 5}; all outcomes",
    recorded="certified",
    formula=_leaky_training,
    mutants={"A sees the true labels": lambda released, labels: _leaky_training(labels[:1], labels)},
)
def observation_4_any_training(train: Any) -> Outcome:
    def law(labels: tuple[int, ...], t: Fraction) -> dict[Any, Fraction]:
        joint: dict[Any, Fraction] = {}
        for first, second in product((0, 1), repeat=2):
            for model, chance in train((first,), labels).items():
                answer = _response((Fraction(1, 2), Fraction(1, 2)), labels[0], first, t)
                joint[first, model, second] = answer * chance * _response(model, labels[1], second, t)
        return joint

    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        first, second, t = case
        ours, theirs = law(first, t), law(second, t)
        for outcome, probability in ours.items():
            if probability > t * theirs.get(outcome, Fraction(0)):
                return (
                    f"labels {first} and {second}, t = {t}, outcome {outcome[0], *map(str, outcome[1]), outcome[2]}: "
                    + (f"{probability} > t * {theirs.get(outcome, 0)}")
                )
        return None

    pairs = [(a, b, t) for t in (Fraction(2), Fraction(5)) for a, b in _neighbours(2)]
    return check_family(pairs, failure, "all neighbouring datasets and outcomes")


@PAPER.claim(
    "Section 4 (LP-1ST)",
    r"'LP-1ST is equivalent to using vanilla RR'",
    hypotheses="K = 2, n <= 3 labels, t in {2, 5}: the law of all randomized labels of one stage; for every K the uniform prior gives RR",
    recorded="certified",
    formula=lambda labels: (tuple(range(len(labels))),),
    mutants={"two stages": _by_position},
)
def lp_1st(stages: Any) -> Outcome:
    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        labels, t = case
        channel = randomized_response(2, PrivacyLevel.from_ratio(t)).matrix
        for out, probability in lp_mst_law(labels, stages(labels), t).items():
            vanilla = math.prod((channel[y, z] for y, z in zip(labels, out, strict=True)), start=Fraction(1))
            if probability != vanilla:
                return f"labels {labels}, t = {t}, released {out}: {probability} against {vanilla} for RR"
        return None

    return check_family(
        [(y, t) for t in (Fraction(2), Fraction(5)) for n in (1, 2, 3) for y in product((0, 1), repeat=n)],
        failure,
        "n <= 3",
    )


def _comparisons(size: int) -> int:
    """Comparisons that sorting a random prior of `size` labels takes, plus K steps for the sums and the maximum."""
    values = list(range(size))
    Random(size).shuffle(values)
    count = 0

    def compare(a: int, b: int) -> int:
        nonlocal count
        count += 1
        return a - b

    sorted(values, key=cmp_to_key(compare))
    return count + 2 * size


@PAPER.claim(
    "Section 4 (running time)",
    r"'the running time of RRWithPrior is quasi-linear in K (the time needed to sort the prior)'",
    hypotheses="comparisons of the sort plus one pass for P_k and one for the maximum, K = 2^4, ..., 2^14, one shuffled prior each; bound K log2 K + 2 K",
    recorded="supported",
    formula=lambda size: size * math.log2(size) + 2 * size,
    mutants={"linear, 3 K": lambda size: 3 * size},
)
def running_time(bound: Any) -> Outcome:
    for power in range(4, 15):
        size = 2**power
        if _comparisons(size) > bound(size):
            return refuted(
                "operation count",
                f"K = {size}",
                f"K = {size}: {_comparisons(size)} operations, bound {bound(size):.0f}",
            )
    return supported(
        "operation count",
        "K = 16 to 16384, one random order each; other orders not seen (the sort's worst case is of the same order)",
    )


PAPER.leave_out(
    "Section 4 ('essentially optimal')", "writing down a prior takes O(K); no model of computation is given for a proof"
)
