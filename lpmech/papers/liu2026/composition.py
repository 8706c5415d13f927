"""Appendices D to F: the private histogram (Alg. 3), Lemma F.1, Theorem 3.5."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.mechanisms.block_rr import beta, gamma
from lpmech.papers.checking import check_family
from lpmech.papers.claims import Outcome, unclear
from lpmech.papers.liu2026.paper import PAPER

HALF = Fraction(1, 2)


def _datasets(n: int, size: int) -> list[tuple[int, ...]]:
    return list(product(range(size), repeat=n))


def _neighbours(n: int, size: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [
        (first, second)
        for first in _datasets(n, size)
        for second in _datasets(n, size)
        if sum(a != b for a, b in zip(first, second, strict=True)) == 1
    ]


@PAPER.claim(
    "Alg. 3 (Laplace scale)",
    r"the noise Lap(2/\epsilon) makes the label histogram \epsilon-label DP when one label is substituted, and no smaller scale does",
    hypotheses="all neighbouring datasets with n <= 3 examples and K <= 3 labels; the level of Laplace noise is the L1 change over the scale",
    recorded="certified",
    formula=lambda epsilon: 2 / epsilon,
    mutants={"Lap(1/epsilon)": lambda epsilon: 1 / epsilon, "Lap(4/epsilon)": lambda epsilon: 4 / epsilon},
)
def laplace_scale(scale: Any) -> Outcome:
    def failure(case: tuple[int, int, Fraction]) -> str | None:
        n, size, epsilon = case
        change = max(sum(abs(a.count(y) - b.count(y)) for y in range(size)) for a, b in _neighbours(n, size))
        level = change / scale(epsilon)
        return (
            None
            if level == epsilon
            else f"n = {n}, K = {size}, epsilon = {epsilon}: L1 change {change}, tight level {level}"
        )

    family = [(n, size, e) for n in (1, 2, 3) for size in (2, 3) for e in (HALF, Fraction(1), Fraction(3))]
    return check_family(family, failure, "n <= 3, K <= 3")


@PAPER.claim(
    "Alg. 3 line 2",
    r"the loop 'for (x,y)\in D_1' releases noisy counts of the same labels for neighbouring datasets",
    hypotheses="all neighbouring datasets with n <= 2 examples and K = 2 labels; read literally: only labels that occur are visited",
    recorded="refuted",
    formula=lambda dataset, classes: set(dataset),
    control=lambda dataset, classes: set(classes),
    mutants={"labels that occur twice": lambda dataset, classes: {y for y in dataset if dataset.count(y) > 1} | {0}},
    repaired_by="Alg. 3 line 2 [repaired]",
    note="Read literally, a label absent from D1 gets no entry, which reveals its absence with certainty; it is surely a "
    "slip for 'for y in Y', the set over which line 6 outputs a distribution.",
)
@PAPER.claim(
    "Alg. 3 line 2 [repaired]",
    r"looping over all labels y\in\mathcal Y, every neighbouring pair is released on the same labels",
    hypotheses="all neighbouring datasets with n <= 2 examples and K = 2 labels",
    recorded="certified",
    formula=lambda dataset, classes: set(classes),
    mutants={"labels that occur": lambda dataset, classes: set(dataset)},
)
def histogram_support(visited: Any) -> Outcome:
    def failure(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> str | None:
        first, second = (visited(dataset, (0, 1)) for dataset in pair)
        return (
            None
            if first == second
            else f"labels {pair[0]} and {pair[1]}: counts released for {first} against {second}, so the ratio is infinite"
        )

    return check_family([p for n in (1, 2) for p in _neighbours(n, 2)], failure, "neighbouring datasets")


@PAPER.claim(
    "Alg. 3 line 6 (normaliser)",
    r"p_y=h'_y/\sum_{(x,y)\in D_1}h'_y, the sum running over examples, is a distribution",
    hypotheses="datasets with n <= 3 examples and K = 2 labels, h' = h (noise zero)",
    recorded="refuted",
    formula=lambda dataset: sum(dataset.count(y) for y in dataset),
    control=lambda dataset: sum(dataset.count(y) for y in set(dataset)),
    mutants={"number of labels": lambda dataset: len(set(dataset)) + len(dataset)},
    repaired_by="Alg. 3 line 6 (normaliser) [repaired]",
    note="As printed, each h'_y is added once for every example with that label.",
)
@PAPER.claim(
    "Alg. 3 line 6 (normaliser) [repaired]",
    r"p_y=h'_y/\sum_{y\in\mathcal Y}h'_y sums to one",
    hypotheses="datasets with n <= 3 examples and K = 2 labels, h' = h",
    recorded="certified",
    formula=lambda dataset: sum(dataset.count(y) for y in set(dataset)),
    mutants={"sum over examples": lambda dataset: sum(dataset.count(y) for y in dataset)},
)
def normaliser(total: Any) -> Outcome:
    def failure(dataset: tuple[int, ...]) -> str | None:
        mass = sum(Fraction(dataset.count(y), total(dataset)) for y in set(dataset))
        return None if mass == 1 else f"labels {dataset}: probabilities sum to {mass}"

    return check_family([d for n in (1, 2, 3) for d in _datasets(n, 2)], failure, "small datasets")


def _divided(counts: tuple[int, ...]) -> list[Fraction] | None:
    return [Fraction(c, sum(counts)) for c in counts] if sum(counts) else None


@PAPER.claim(
    "Alg. 3 line 6 (all counts clipped)",
    r"the output is defined for every outcome of the noise",
    hypotheses="clipped counts 0..2 for K <= 3 labels, each of positive probability",
    recorded="refuted",
    formula=_divided,
    control=lambda counts: [Fraction(1, len(counts))] * len(counts) if not sum(counts) else _divided(counts),
    mutants={
        "one added to the first count only if K = 2": lambda counts: (
            _divided(counts) if len(counts) != 2 else [Fraction(1), Fraction(0)]
        )
    },
    repaired_by="Alg. 3 line 6 (all counts clipped) [repaired]",
    note="max{h + Lap, 0} = 0 for every label has probability prod (1/2) e^(-h_y epsilon / 2) > 0; then p = 0/0.",
)
@PAPER.claim(
    "Alg. 3 line 6 (all counts clipped) [repaired]",
    r"with the uniform distribution in place of 0/0 the output is a distribution for every outcome",
    hypotheses="clipped counts 0..2 for K <= 3 labels",
    recorded="certified",
    formula=lambda counts: [Fraction(1, len(counts))] * len(counts) if not sum(counts) else _divided(counts),
    mutants={"0/0 left": _divided},
)
def clipped(distribution: Any) -> Outcome:
    def failure(counts: tuple[int, ...]) -> str | None:
        result = distribution(counts)
        return None if result is not None and sum(result) == 1 else f"clipped counts {counts}: 0/0"

    return check_family([c for n in (1, 2, 3) for c in product(range(3), repeat=n)], failure, "clipped counts")


@PAPER.claim(
    "Alg. 3 (epsilon = 0)",
    r"the input \epsilon\ge 0 is admissible: the scale 2/\epsilon exists",
    hypotheses="epsilon in {0, 1/10, 1}",
    recorded="refuted",
    formula=lambda epsilon: epsilon >= 0,
    control=lambda epsilon: epsilon > 0,
    mutants={"any epsilon": lambda epsilon: True},
    repaired_by="Alg. 3 (epsilon = 0) [repaired]",
)
@PAPER.claim(
    "Alg. 3 (epsilon = 0) [repaired]",
    r"the scale 2/\epsilon exists iff \epsilon>0",
    hypotheses="epsilon in {0, 1/10, 1}",
    recorded="certified",
    formula=lambda epsilon: epsilon > 0,
    mutants={"epsilon >= 0": lambda epsilon: epsilon >= 0, "epsilon >= 1": lambda epsilon: epsilon >= 1},
)
def zero_epsilon(admissible: Any) -> Outcome:
    def failure(epsilon: Fraction) -> str | None:
        return None if admissible(epsilon) == (epsilon != 0) else f"epsilon = {epsilon}: 2 / epsilon"

    return check_family([Fraction(0), Fraction(1, 10), Fraction(1)], failure, "three budgets")


# -- Lemma F.1 and Theorem 3.5 -----------------------------------------------------------------------


def _parity_release(part: tuple[int, ...], bit: int, t: Fraction) -> Fraction:
    """Probability that randomized response at ratio t on the parity of |part| shows `bit`."""
    return t / (t + 1) if len(part) % 2 == bit else 1 / (t + 1)


def _composed_ratio(pairs: list[tuple[tuple[int, ...], tuple[int, ...]]], t: Fraction) -> tuple[Fraction, Any]:
    """Largest likelihood ratio of releasing both parts U_0 = {0}, U_1 = {1} over the given pairs of datasets."""
    worst, where = Fraction(1), None
    for first, second in pairs:
        for bits in product((0, 1), repeat=2):
            ratio = Fraction(1)
            for part, bit in enumerate(bits):
                mine, other = (tuple(v for v in d if v == part) for d in (first, second))
                ratio *= _parity_release(mine, bit, t) / _parity_release(other, bit, t)
            if ratio > worst:
                worst, where = ratio, (first, second)
    return worst, where


def _add_remove(size: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    pairs = [(d, (*d, v)) for n in range(size) for d in _datasets(n, 2) for v in (0, 1)]
    return pairs + [(b, a) for a, b in pairs]


@PAPER.claim(
    "Lemma F.1",
    r"if each M_i is \epsilon-DP and \{U_i\} partitions the domain, then (M_i(D\cap U_i))_i is \epsilon-DP",
    hypotheses="U = {0, 1} split into {0}, {1}; M_i = randomized response on the parity of the part; datasets of size <= 3",
    recorded="unclear",
    formula=Fraction(1),
    mutants={"each M_i only 2 epsilon-DP": Fraction(2)},
    note="'Adjacent' is not defined for datasets without labels. By adding or removing one record exactly one part changes, as "
    "the proof says; by substituting one (the notion of Def. 2.2) two parts can change and 2 epsilon is spent.",
)
def lemma_f_1(multiple: Fraction) -> Outcome:
    t = Fraction(3)
    used = t**multiple.numerator

    def reading(pairs: list[tuple[tuple[int, ...], tuple[int, ...]]], name: str) -> Outcome:
        ratio, where = _composed_ratio(pairs, used)
        return check_family(
            [ratio],
            lambda r: None if r <= t else f"{name}: datasets {where}, each part at ratio {used}: joint ratio {r} > {t}",
            f"{len(pairs)} pairs, {name}",
        )

    return unclear(
        {
            "adjacent = one record added or removed": reading(_add_remove(3), "adding or removing"),
            "adjacent = one record substituted": reading(
                [p for n in (1, 2, 3) for p in _neighbours(n, 2)], "substitution"
            ),
        }
    )


@PAPER.claim(
    "Lemma F.1 (split by position)",
    r"if a dataset is split by position, independently of the labels, substitution changes one part only and the composition is \epsilon-DP",
    hypotheses="n = 2, 3 labels from {0, 1}; the first label in one part, the others in the second; M_i = randomized response on the parity of the sum",
    recorded="certified",
    formula=lambda dataset: (dataset[:1], dataset[1:]),
    mutants={
        "split by label": lambda dataset: (
            tuple(v for v in dataset if v == 0) + (1,) * dataset.count(0),
            tuple(v for v in dataset if v == 1),
        ),
        "parts overlap": lambda dataset: (dataset[:2], dataset[1:]),
    },
    note="This is what Alg. 2's random split needs; it is not a partition of the domain, so Lemma F.1 does not cover it as stated.",
)
def split_by_position(split: Any) -> Outcome:
    t = Fraction(3)

    def law(dataset: tuple[int, ...], bits: tuple[int, ...]) -> Fraction:
        probability = Fraction(1)
        for part, bit in zip(split(dataset), bits, strict=True):
            probability *= t / (t + 1) if sum(part) % 2 == bit else 1 / (t + 1)
        return probability

    def failure(pair: tuple[tuple[int, ...], tuple[int, ...]]) -> str | None:
        for bits in product((0, 1), repeat=2):
            ratio = law(pair[0], bits) / law(pair[1], bits)
            if ratio > t:
                return f"labels {pair[0]} and {pair[1]}, releases {bits}: ratio {ratio} > {t}"
        return None

    return check_family([p for n in (2, 3) for p in _neighbours(n, 2)], failure, "neighbouring label vectors")


def _block_row(majority: int, label: int, released: int, t: Fraction) -> Fraction:
    """BlockRR on two labels with S1 = {majority}, l = 1."""
    b, g = (f(t, 1, 1, 1, Fraction(1)) for f in (beta, gamma))
    if label == majority:
        return t * b if released == majority else g
    return HALF if released == majority else t * g


def algorithm_2_law(dataset: tuple[int, ...], t: Fraction, prior_ratio: Fraction, keep: bool) -> dict[Any, Fraction]:
    """Exact law of Alg. 2 on labels in {0, 1}: one example, drawn uniformly, gives the prior estimate.

    The prior release is randomized response at `prior_ratio` on that example's label and decides S1; every
    other label (with `keep`, every label) is released by BlockRR. The split is part of the release.
    """
    law: dict[Any, Fraction] = {}
    n = len(dataset)
    for chosen, estimate in product(range(n), (0, 1)):
        start = Fraction(1, n) * (prior_ratio if dataset[chosen] == estimate else 1) / (prior_ratio + 1)
        rest = [i for i in range(n) if keep or i != chosen]
        for released in product((0, 1), repeat=len(rest)):
            probability = start
            for i, out in zip(rest, released, strict=True):
                probability *= _block_row(estimate, dataset[i], out, t)
            law[chosen, estimate, released] = probability
    return law


@PAPER.claim(
    "Theorem 3.5",
    r"Algorithm 2 is \epsilon-label DP",
    hypotheses="n = 2, 3 labels from {0, 1}, one example for a private prior that decides S1, BlockRR with l = 1; all outcomes, t in {2, 5}",
    recorded="certified",
    formula=lambda dataset, t: algorithm_2_law(dataset, t, t, keep=False),
    mutants={
        "prior examples released again": lambda dataset, t: algorithm_2_law(dataset, t, t, keep=True),
        "prior at 2 epsilon": lambda dataset, t: algorithm_2_law(dataset, t, t * t, keep=False),
    },
    note="Each label is used in one part only, and given the split and the prior the releases are independent; so for all "
    "sizes the ratio of the joint laws is the ratio of one factor. The enumeration includes the adaptivity.",
)
def theorem_3_5(law: Any) -> Outcome:
    def failure(case: tuple[Fraction, tuple[tuple[int, ...], tuple[int, ...]]]) -> str | None:
        t, (first, second) = case
        ours, theirs = law(first, t), law(second, t)
        for outcome, probability in ours.items():
            if probability > t * theirs[outcome]:
                return f"t = {t}, labels {first} and {second}, outcome {outcome}: ratio {probability / theirs[outcome]}"
        return None

    return check_family(
        [(t, p) for t in (Fraction(2), Fraction(5)) for n in (2, 3) for p in _neighbours(n, 2)],
        failure,
        "all neighbours and outcomes",
    )


def _joint(t: Fraction) -> dict[tuple[int, int], Fraction]:
    """Joint law of (prior estimate, released label) for labels (0, 1) with the first as D1."""
    law: dict[tuple[int, int], Fraction] = {}
    for (chosen, estimate, released), probability in algorithm_2_law((0, 1), t, t, keep=False).items():
        if chosen == 0:
            law[estimate, released[0]] = 2 * probability
    return law


def _as_product(t: Fraction) -> dict[tuple[int, int], Fraction]:
    joint = _joint(t)
    first = [joint[e, 0] + joint[e, 1] for e in (0, 1)]
    second = [joint[0, r] + joint[1, r] for r in (0, 1)]
    return {(e, r): first[e] * second[r] for e in (0, 1) for r in (0, 1)}


def _by_chain_rule(t: Fraction) -> dict[tuple[int, int], Fraction]:
    return {(e, r): (t if e == 0 else Fraction(1)) / (t + 1) * _block_row(e, 1, r, t) for e in (0, 1) for r in (0, 1)}


@PAPER.claim(
    "App. D (product formula)",
    r"Alg. 2 composes its two mechanisms as Lemma F.1 does: \Pr[M(D)=r]=\prod_i\Pr[M_i(D_i)=r_i]",
    hypotheses="labels (0, 1), the first gives the prior; t = 2, 3",
    recorded="refuted",
    formula=_as_product,
    control=_by_chain_rule,
    mutants={
        "prior ignored": lambda t: {
            (e, r): (t if e == 0 else Fraction(1)) / (t + 1) * _block_row(0, 1, r, t) for e in (0, 1) for r in (0, 1)
        }
    },
    repaired_by="App. D (product formula) [repaired]",
    note="BlockRR uses the released prior, so the second factor is conditional on the first release. Theorem 3.5 survives.",
)
@PAPER.claim(
    "App. D (product formula) [repaired]",
    r"\Pr[M(D)=(r_1,r_2)]=\Pr[M_1(D_1)=r_1]\,\Pr[M_2(D_2;r_1)=r_2]",
    hypotheses="labels (0, 1), the first gives the prior; t = 2, 3",
    recorded="certified",
    formula=_by_chain_rule,
    mutants={"product of marginals": _as_product},
)
def product_formula(formula: Any) -> Outcome:
    def failure(t: Fraction) -> str | None:
        joint, claimed = _joint(t), formula(t)
        for outcome, probability in joint.items():
            if probability != claimed[outcome]:
                return f"t = {t}, prior estimate {outcome[0]}, released {outcome[1]}: {probability} against {claimed[outcome]}"
        return None

    return check_family([Fraction(2), Fraction(3)], failure, "t = 2, 3")
