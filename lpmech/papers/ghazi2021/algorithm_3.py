"""Section 4: multi-stage training (Alg. 3), Observation 4, running time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import sympy as sp

from lpmech import PrivacyLevel
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_with_prior
from lpmech.papers.checking import check_family, check_implications, replayed
from lpmech.papers.claims import Repair
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.verdicts import Outcome


@PAPER.claim(
    "Alg. 3 line 3(b)i",
    r"stage t takes its priors from M^{(t)}, as printed, a model that exists when it is used",
    hypotheses="any number of stages; M^(t) is trained in line 3(c) at the end of stage t, so M^(0), ..., M^(t-1) exist in stage t",
    consequence="formula",
    headline=7,
    recorded="refuted",
    formula=lambda stage: stage,
    mutants={"M^(t+1)": lambda stage: stage + 1},
    note="The text of section 4 has it right: 'we use the most recent model M^(t-1)'.",
    repair=Repair(
        r"stage t takes its priors from M^{(t-1)}, which exists: M^{(0)} is trivial, M^{(t-1)} is trained in stage t-1",
        hypotheses="any number of stages; in stage t the models M^(0), ..., M^(t-1) exist; replayed for T = 1, 2, 3",
        formula=lambda stage: stage - 1,
        mutants={"M^(t)": lambda stage: stage, "M^(t-2)": lambda stage: stage - 2},
    ),
)
def model_used(index: Any) -> Outcome:
    def failure(stages: int) -> str | None:
        trained = {0}
        for stage in range(1, stages + 1):
            if index(stage) not in trained or (stage > 1 and index(stage) != max(trained)):
                return f"T = {stages}, stage {stage}: M^({index(stage)}) is used, trained so far: {sorted(trained)}"
            trained.add(stage)
        return None

    stage = sp.Symbol("t", integer=True)
    used = index(stage)
    proof = check_implications(
        [stage >= 1],
        {"it exists": sp.And(used >= 0, used <= stage - 1), "the most recent one": used >= stage - 1},
        "every stage",
    )
    return replayed(proof, check_family([1, 2, 3], failure, "T = 1, 2, 3"))


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


#: Pr of the released label of example j and of another example i under both datasets, and of everything else.
OWN, OWN_2, OTHER, OTHER_2, REST = sp.symbols("a b c d C")


def _ratio_bounded(changed: Any) -> Outcome:
    """Joint probabilities C f(a, c) and C f(b, d), where f gathers the factors that differ between the datasets.

    The joint law is a product of the laws of the training runs, each given what was released before, and of the
    released labels, each given the model. C holds the factors that are the same for both datasets, whatever K, n,
    the number of stages and the (randomized) training; every released label's law is epsilon-DP.
    """
    rules = [T > 1, *(x >= 0 for x in (OWN, OWN_2, OTHER, OTHER_2, REST))]
    rules += [x <= T * y for x, y in ((OWN, OWN_2), (OWN_2, OWN), (OTHER, OTHER_2), (OTHER_2, OTHER))]
    return check_implications(
        rules,
        {"epsilon-DP": REST * changed(OWN, OTHER) <= T * REST * changed(OWN_2, OTHER_2)},
        "product of all factors, one of which changes",
    )


@PAPER.claim(
    "Observation 4",
    r"if RRWithPrior is \epsilon-DP then LP-MST is \epsilon-LabelDP, even when all models and all randomized labels are output",
    hypotheses="any n, K, number of stages and (randomized) training, by the product formula; the formula is the part of the product that "
    "differs between neighbouring datasets, and the partition. Replayed on n = 2, 3 examples, K = 2 labels, T = 2 stages, a deterministic "
    "training rule, t in {2, 5}; all outcomes of all neighbouring datasets",
    formula=(lambda own, other: own, _by_position),
    mutants={
        "a label used in both stages": (
            lambda own, other: own * own,
            lambda labels: (tuple(range(len(labels))), (0,)),
        ),
        "partition depends on the labels": (
            lambda own, other: own * other,
            lambda labels: (
                tuple(i for i, y in enumerate(labels) if y == 0),
                tuple(i for i, y in enumerate(labels) if y == 1),
            ),
        ),
    },
    note="A label that is used once, in a partition that does not depend on labels, enters one factor. The mutants show that both "
    "hypotheses are needed.",
)
def observation_4(case: Any) -> Outcome:
    changed, partition = case

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
    return replayed(_ratio_bounded(changed), check_family(pairs, failure, "all neighbouring datasets and outcomes"))


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
    r"'the training algorithm A need not be private': the joint law of the models and all \tilde y_i is \epsilon-LabelDP for a randomized A",
    hypotheses="any n, K, number of stages and randomized training; the formula is the part of the product that differs, and A. Replayed on "
    "n = 2 labels, one per stage, K = 2, a rule with a coin that releases its training data, t in {2, 5}; all outcomes",
    formula=(lambda own, model: own, _leaky_training),
    mutants={
        "A sees the true labels": (
            lambda own, model: own * model,
            lambda released, labels: _leaky_training(labels[:1], labels),
        )
    },
    note="The law of M^(t) given all that was released before is a factor of C, the same for both datasets: A sees released labels only.",
)
def observation_4_any_training(case: Any) -> Outcome:
    changed, train = case

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
    return replayed(_ratio_bounded(changed), check_family(pairs, failure, "all neighbouring datasets and outcomes"))


def _warm_start(
    released: tuple[int, ...], first: tuple[Fraction, Fraction], labels: tuple[int, ...]
) -> dict[tuple[Fraction, Fraction], Fraction]:
    """Training of stage 2 from the model of stage 1: it leaves the first label out where that model ranks it second."""
    kept = released if first[released[0]] == max(first) else released[1:]
    law = {first: Fraction(1, 4)}
    model = trained_prior(kept)
    law[model] = law.get(model, Fraction(0)) + Fraction(3, 4)
    return law


@PAPER.claim(
    "App. B (multi-stage training)",
    r"stage 2 may start from the model of stage 1, and leave out labels of stage 1 that it does not rank among the top k: \epsilon-LabelDP as before",
    hypotheses="any n, K, number of stages and randomized training that sees the released labels and all earlier models; the formula is the part of the "
    "product that differs, and the training of stage 2. Replayed on n = 2 labels, one per stage, K = 2, t in {2, 5}; all labels and both models",
    formula=(lambda own, model: own, _warm_start),
    mutants={
        "labels left out by the true label": (
            lambda own, model: own * model,
            lambda released, first, labels: {
                trained_prior(released if released[0] == labels[0] else released[1:]): Fraction(1)
            },
        )
    },
    note="The printed product conditions the law of M^(t) on the labels alone, as Alg. 3 trains; with the initialisation of App. B it is the law given "
    "the earlier models as well, and still the same for both datasets.",
)
def warm_start(case: Any) -> Outcome:
    changed, train = case

    def law(labels: tuple[int, ...], t: Fraction) -> dict[Any, Fraction]:
        joint: dict[Any, Fraction] = {}
        for first, second in product((0, 1), repeat=2):
            for model, chance in _leaky_training((first,), labels).items():
                answer = _response((Fraction(1, 2), Fraction(1, 2)), labels[0], first, t)
                answer *= chance * _response(model, labels[1], second, t)
                for last, share in train((first, second), model, labels).items():
                    joint[first, model, second, last] = answer * share
        return joint

    def failure(case: tuple[tuple[int, ...], tuple[int, ...], Fraction]) -> str | None:
        before, after, t = case
        ours, theirs = law(before, t), law(after, t)
        for outcome, probability in ours.items():
            if probability > t * theirs.get(outcome, Fraction(0)):
                shown = f"labels {outcome[0], outcome[2]}, models {[str(v) for v in outcome[1]]}, {[str(v) for v in outcome[3]]}"
                return f"{before} and {after}, t = {t}: {shown}: {probability} > t * {theirs.get(outcome, 0)}"
        return None

    pairs = [(a, b, t) for t in (Fraction(2), Fraction(5)) for a, b in _neighbours(2)]
    return replayed(_ratio_bounded(changed), check_family(pairs, failure, "all neighbouring datasets and outcomes"))


@PAPER.claim(
    "Section 4 (LP-1ST)",
    r"'LP-1ST is equivalent to using vanilla RR'",
    hypotheses="any n, K and t > 1: every label of the first stage is released with the uniform prior of M^(0), and the law is the product over the "
    "examples. The formula is the mass of the k most probable labels when a label is released, and the stages. Replayed on K = 2, n <= 3 "
    "labels, t in {2, 5}",
    formula=(lambda k, size, trained: k / size, lambda labels: (tuple(range(len(labels))),)),
    mutants={"two stages": (lambda k, size, trained: trained, _by_position)},
    note="k^* = K for the uniform prior, and the rows of Alg. 1 for k = K are those of eq. (1). With a trained prior other k can be best.",
)
def lp_1st(case: Any) -> Outcome:
    mass, stages = case

    def failure(case: tuple[tuple[int, ...], Fraction]) -> str | None:
        labels, t = case
        channel = randomized_response(2, PrivacyLevel.from_ratio(t)).matrix
        for out, probability in lp_mst_law(labels, stages(labels), t).items():
            vanilla = math.prod((channel[y, z] for y, z in zip(labels, out, strict=True)), start=Fraction(1))
            if probability != vanilla:
                return f"labels {labels}, t = {t}, released {out}: {probability} against {vanilla} for RR"
        return None

    family = [(y, t) for t in (Fraction(2), Fraction(5)) for n in (1, 2, 3) for y in product((0, 1), repeat=n)]
    k, size, trained = sp.symbols("k K P")
    whole = mass(size, size, 1)
    proof = check_implications(
        [T > 1, k >= 1, k < size, trained > 0, trained <= 1],
        {
            "k* = K": hit_rate(T, k, mass(k, size, trained)) < hit_rate(T, size, whole),
            "no label is left out": sp.Eq(whole, 1),
        },
        "every factor is one of RR",
    )
    return replayed(proof, check_family(family, failure, "n <= 3"))


def _comparisons(values: Sequence[int]) -> tuple[list[int], int]:
    """Sort by merging halves; (sorted values, comparisons)."""
    if len(values) <= 1:
        return list(values), 0
    middle = len(values) // 2
    (left, first), (right, second) = _comparisons(values[:middle]), _comparisons(values[middle:])
    merged: list[int] = []
    count = first + second
    while left and right:
        count += 1
        merged.append((left if left[0] <= right[0] else right).pop(0))
    return merged + left + right, count


@PAPER.claim(
    "Section 4 (running time)",
    r"'the running time of RRWithPrior is quasi-linear in K (the time needed to sort the prior)': at most K\lceil\log_2 K\rceil+2K operations",
    hypotheses="comparisons of merge sort, plus one pass for P_k and one for the maximum; any K <= 2^c and any order: merging two parts of a and b <= 2^(c-1) labels takes at most a + b - 1 comparisons. Replayed by counting, K = 2^1, ..., 2^11, one shuffled prior each",
    formula=lambda size, c: size * c + 2 * size,
    mutants={"linear, 3 K": lambda size, c: 3 * size, "half as many": lambda size, c: (size * c + 2 * size) / 2},
    note="Induction over c: the bound without the two passes is zero or more for one label and c = 0, and at least its values for the two parts plus "
    "a + b - 1.",
)
def running_time(bound: Any) -> Outcome:
    def failure(power: int) -> str | None:
        size = 2**power
        values = list(range(size))
        Random(size).shuffle(values)
        operations = _comparisons(values)[1] + 2 * size
        return (
            None
            if operations <= bound(size, power)
            else f"K = {size}: {operations} operations, bound {bound(size, power)}"
        )

    a, b, c = sp.symbols("a b c", integer=True)

    def sorting(size: Any, power: Any) -> Any:
        return bound(size, power) - 2 * size

    proof = check_implications(
        [a >= 1, b >= 1, c >= 1],
        {
            "one label": sorting(1, sp.Integer(0)) >= 0,
            "merging": sorting(a, c - 1) + sorting(b, c - 1) + a + b - 1 <= sorting(a + b, c),
        },
        "induction over c, every K <= 2^c",
    )
    return replayed(proof, check_family(range(1, 12), failure, "K = 2 to 2048"))


PAPER.leave_out(
    "Section 4 ('essentially optimal')", "writing down a prior takes O(K); no model of computation is given for a proof"
)
