"""Section 4: multi-stage training (Alg. 3), Observation 4, running time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from lpmech import PrivacyLevel
from lpmech.claims import Instance, Parts, Repair
from lpmech.mechanisms.randomized_response import randomized_response
from lpmech.mechanisms.rr_with_prior import hit_rate, rr_with_prior
from lpmech.papers.ghazi2021.paper import PAPER, T
from lpmech.terms import functions as tm

Labels = tuple[int, ...]
Prior = tuple[Fraction, Fraction]

LEVELS = (Fraction(2), Fraction(5))
STAGE, SIZE = tm.symbol("t"), tm.symbol("K")
KEPT, TRAINED = tm.symbols("k P")
PAST, MODEL, RELEASED, THEIRS, RATIO, OTHERS = tm.symbols("J m r J' c r'")
LEFT, RIGHT, POWER = tm.symbols("a b c")


@PAPER.claim(
    "Alg. 3 line 3(b)i",
    "stage $t$ takes its priors from $M^{(t)}$, as printed, a model that exists when it is used",
    hypotheses="any number of stages; $M^{(t)}$ is trained in line 3(c) at the end of stage $t$, so $M^{(0)}$, ..., $M^{(t-1)}$ exist in stage $t$",
    given=[tm.Whole(STAGE), STAGE >= 1],
    replay="T = 1, 2, 3 stages",
    consequence="slip",
    formula=lambda stage: stage,
    note="A misprint: $M^{(t)}$ is not there yet. The text of section 4 has it right: 'we use the most recent model $M^{(t-1)}$'.",
    repair=Repair(
        "stage $t$ takes its priors from $M^{(t-1)}$, which exists: $M^{(0)}$ is trivial, $M^{(t-1)}$ is trained in stage $t-1$",
        formula=lambda stage: stage - 1,
    ),
)
def model_used(index: Any) -> Parts:
    for stages in (1, 2, 3):
        for stage in range(1, stages + 1):
            trained, used = list(range(stage)), index(stage)
            so_far = ", ".join(f"$M^{{({model})}}$" for model in trained)
            where = f"T = {stages}, stage {stage}, trained so far {so_far}: index of the model that is used, of the last one trained"
            yield Instance(where, used, "==", trained[-1])
    yield "it exists", tm.And(index(STAGE) >= 0, index(STAGE) <= STAGE - 1)
    yield "the most recent one", index(STAGE) >= STAGE - 1


def trained_prior(released: Labels) -> Prior:
    """A deterministic training rule: the prior of label 0 after seeing randomized labels (add-one smoothing)."""
    zeros = released.count(0)
    return Fraction(zeros + 1, len(released) + 2), Fraction(len(released) - zeros + 1, len(released) + 2)


UNIFORM = trained_prior(())


@cache
def response(prior: Prior, label: int, out: int, t: Fraction) -> Fraction:
    """Probability that RRWithPrior releases `out`."""
    entry: Fraction = rr_with_prior(prior, PrivacyLevel.from_ratio(t)).matrix[label, out]
    return entry


@cache
def lp_mst_law(stages: tuple[Labels, ...], labels: Labels, t: Fraction) -> dict[Labels, Fraction]:
    """Exact law of all randomized labels of LP-MST, which is run on every draw; the models are functions of them.

    `stages` lists the positions used in each stage; a position may occur twice (then its label is released twice).
    Probabilities of two labels are multiples of 1/(t + 1), so that each label has t + 1 equally likely draws.
    """
    order = [(labels[i], sum(map(len, stages[:s]))) for s, stage in enumerate(stages) for i in stage]
    draws, counted = int(t) + 1, dict.fromkeys(product((0, 1), repeat=len(order)), 0)
    for run in product(range(draws), repeat=len(order)):
        released: Labels = ()
        for draw, (label, seen) in zip(run, order, strict=True):
            released += (int(draw >= draws * response(trained_prior(released[:seen]), label, 0, t)),)
        counted[released] += 1
    return {released: Fraction(count, draws ** len(order)) for released, count in counted.items()}


def _by_position(labels: Labels) -> tuple[Labels, ...]:
    *first, last = range(len(labels))
    return tuple(first), (last,)


def _factor(labels: Labels, j: int, out: Labels, t: Fraction) -> Fraction:
    """Probability that example j releases out[j]: the last one in stage 2, the others in stage 1."""
    return response(trained_prior(out[:-1]) if j == len(out) - 1 else UNIFORM, labels[j], out[j], t)


def _told(released: Iterable[Any]) -> str:
    return " ".join(map(str, released))


def _model(prior: Prior) -> str:
    return f"({', '.join(map(str, prior))})"


def _changed(labels: Labels, j: int) -> Labels:
    return (*labels[:j], 1 - labels[j], *labels[j + 1 :])


def sequences(*sizes: int) -> Iterator[tuple[Labels, Fraction]]:
    """All label sequences of these lengths, with both levels."""
    yield from ((y, t) for t in LEVELS for n in sizes for y in product((0, 1), repeat=n))


def _neighbours(*sizes: int) -> Iterator[tuple[Labels, Labels, int, Fraction]]:
    """Every sequence, every one that differs in one label (substitution), and which label that is."""
    yield from ((y, _changed(y, j), j, t) for y, t in sequences(*sizes) for j in range(len(y)))


def neighbours_within(law: Callable[[Labels, Fraction], dict[Any, Fraction]], *sizes: int) -> Parts:
    """The law of a sequence of labels against that of every neighbour."""
    for labels, other, _, t in _neighbours(*sizes):
        ours, theirs = law(labels, t), law(other, t)
        for out, chance in ours.items():
            where = f"labels {_told(labels)} and {_told(other)}, t = {t}, released {_told(out)}: probability"
            yield Instance(f"{where}, t times that of the other", chance, "<=", t * theirs.get(out, 0))


#: Pr of the released label of example j and of another example i under both datasets, and of everything else.
OWN, OWN_2, OTHER, OTHER_2, REST = tm.symbols("a b c d C")

#: The joint law is a product of the laws of the training runs, each given what was released before, and of the released
#: labels, each given the model. C holds the factors that are the same for both datasets, whatever K, n, the number of
#: stages and the (randomized) training; every released label's law is epsilon-DP.
ONE_CHANGES = (
    *(T > 1, *(x >= 0 for x in (OWN, OWN_2, OTHER, OTHER_2, REST))),
    *(x <= T * y for x, y in ((OWN, OWN_2), (OWN_2, OWN), (OTHER, OTHER_2), (OTHER_2, OTHER))),
)


def _ratio_bounded(changed: Any) -> Parts:
    """Joint probabilities C f(a, c) and C f(b, d), where f gathers the factors that differ between the datasets."""
    ours, theirs = changed(OWN, OTHER), changed(OWN_2, OTHER_2)
    yield r"$\epsilon$-DP of the product of all factors", REST * ours <= T * REST * theirs
    yield "the ratio of one label's law", (ours * OWN_2, theirs * OWN)


#: The letters of these in words.
LETTERS = "; $a$, $b$ and $c$, $d$ the probabilities of the released labels of example $j$ and of another one under both datasets, $C$ all other factors"


@PAPER.claim(
    "Observation 4",
    r"if RRWithPrior is $\epsilon$-DP then LP-MST is $\epsilon$-LabelDP, even when all models and all randomized labels are output",
    hypotheses="any $n$, $K$, number of stages and (randomized) training, by 'Observation 4 (product formula, every T)': one factor of the product, $a$, differs "
    "between neighbouring datasets, and the partition depends on positions only" + LETTERS,
    given=ONE_CHANGES,
    replay="n = 2, 3 examples, K = 2 labels, T = 2 stages, a deterministic training rule, t in {2, 5}; all outcomes of all neighbouring datasets",
    formula=(lambda own, other: own, _by_position),
    mutants={
        "a label used in both stages": (
            lambda own, other: own * own,
            lambda labels: (tuple(range(len(labels))), (0,)),
        ),
        "partition depends on the labels": (
            lambda own, other: own * other,
            lambda labels: tuple(tuple(i for i, y in enumerate(labels) if y == stage) for stage in (0, 1)),
        ),
    },
    note="A label that is used once, in a partition that does not depend on labels, enters one factor. The mutants show that both "
    "hypotheses are needed.",
)
def observation_4(case: Any) -> Parts:
    changed, partition = case
    for n in (2, 3):
        stages = partition((0,) * n)
        used = set(sum(stages, ()))
        yield used == set(range(n)) or f"n = {n}, stages {stages}: not the positions 0, ..., {n - 1}"
    yield from neighbours_within(lambda labels, t: lp_mst_law(partition(labels), labels, t), 2, 3)
    yield from _ratio_bounded(changed)


@PAPER.claim(
    "Observation 4 (product formula)",
    r"$\Pr[M^{(1)},\dots,M^{(T)},\tilde{y}_1,\dots,\tilde{y}_n]=\prod_t\Pr[M^{(t)}\mid\dots]\prod_{i\in S^{(t)}}\Pr[\tilde{y}_i=z_i\mid M^{(t-1)}]$",
    hypotheses=r"$n = 2$ labels, $T = 2$, deterministic training, $t \in \{2, 5\}$; for every $T$: 'Observation 4 (product formula, every T)'",
    family="the shares of all equally likely draws that release both labels, against the product",
    formula=lambda labels, out, t: _factor(labels, 0, out, t) * _factor(labels, 1, out, t),
)
def observation_4_product(probability: Any) -> Parts:
    for labels, t in sequences(2):
        for out, value in lp_mst_law(((0,), (1,)), labels, t).items():
            where = f"labels {_told(labels)}, t = {t}, released {_told(out)}: share of the draws, product"
            yield Instance(where, value, "==", probability(labels, out, t))


@PAPER.claim(
    "Observation 4 (one factor)",
    "for datasets that differ in the label of $j$ only, the two joint probabilities differ in one factor, "
    r"$\Pr[\tilde{y}_j=z_j\mid M^{(\ell-1)}=m^{(\ell-1)}]$, the law of RRWithPrior at $(x_j, y_j)$",
    hypotheses=r"$n = 2$, 3 labels, $T = 2$, deterministic training, $t \in \{2, 5\}$",
    family="all neighbouring datasets and outcomes",
    formula=_factor,
    note=r"The proof prints this law as that of '$\mathrm{RRWithPrior}^{m^{(\ell-1)}(x_i)}$ outputs $z_i$'; the $i$ is not bound there, and $j$ is meant.",
)
def observation_4_factor(factor: Any) -> Parts:
    for labels, other, j, t in _neighbours(2, 3):
        ours, theirs = (lp_mst_law(_by_position(y), y, t) for y in (labels, other))
        for out in ours:
            left, right = ours[out] * factor(other, j, out, t), theirs[out] * factor(labels, j, out, t)
            total = sum(factor(labels, j, release, t) for release in (out, _changed(out, j)))
            shown = f"labels {_told(labels)} and {_told(other)}, t = {t}, released {_told(out)}"
            yield Instance(f"{shown}: each joint probability times the other's factor", left, "==", right)
            yield Instance(f"{shown}: the factor summed over both labels, 1", total, "==", 1)


def _with_models(seen: Any, labels: Labels, t: Fraction) -> dict[Any, Fraction]:
    """Law of all that is released with one label per stage: the first label, a model, the second label, a last model.

    Training is not private at all: a coin decides whether a model shows its data. The last model is the first one or
    leaves out the first label where that one ranks it second; `seen` says which first label is looked at.
    """
    joint: dict[Any, Fraction] = defaultdict(Fraction)
    for first, second in product((0, 1), repeat=2):
        looked_at = seen(first, labels[0])
        for model, chance in ((trained_prior((looked_at,)), Fraction(2, 3)), (UNIFORM, Fraction(1, 3))):
            answer = response(UNIFORM, labels[0], first, t) * chance * response(model, labels[1], second, t)
            kept = (first, second) if model[looked_at] == max(model) else (second,)
            for last, share in ((model, Fraction(1, 4)), (trained_prior(kept), Fraction(3, 4))):
                joint[first, _model(model), second, _model(last)] += answer * share
    return joint


@PAPER.claim(
    "Observation 4 (any training algorithm)",
    r"'the training algorithm $A$ need not be private': the joint law of the models and all $\tilde{y}_i$ is $\epsilon$-LabelDP for a randomized $A$",
    hypotheses="any $n$, $K$, number of stages and randomized training; one factor of the product, $a$, differs, and $A$ sees the released labels"
    + LETTERS,
    given=ONE_CHANGES,
    replay="n = 2 labels, one per stage, K = 2, a rule with a coin that releases its training data, t in {2, 5}; all outcomes",
    formula=(lambda own, model: own, lambda released, label: released),
    mutants={"A sees the true labels": (lambda own, model: own * model, lambda released, label: label)},
    note="The law of $M^{(t)}$ given all that was released before is a factor of $C$, the same for both datasets: A sees released labels only.",
)
@PAPER.claim(
    "App. B (multi-stage training)",
    r"stage 2 may start from the model of stage 1, and leave out labels of stage 1 that it does not rank among the top $k$: $\epsilon$-LabelDP as before",
    hypotheses="any $n$, $K$, number of stages and randomized training that sees the released labels and all earlier models; one factor of the "
    "product, $a$, differs, and the released label is ranked. The replayed training of stage 2 keeps the first model or leaves the first label out "
    "where that model ranks it second" + LETTERS,
    given=ONE_CHANGES,
    replay="n = 2 labels, one per stage, K = 2, t in {2, 5}; all labels and both models",
    kind="remark",
    formula=(lambda own, model: own, lambda released, label: released),
    mutants={"labels left out by the true label": (lambda own, model: own * model, lambda released, label: label)},
    note="The printed product conditions the law of $M^{(t)}$ on the labels alone, as Alg. 3 trains; with the initialisation of App. B it is the law given "
    "the earlier models as well, and still the same for both datasets.",
)
def any_training(case: Any) -> Parts:
    changed, seen = case
    yield from neighbours_within(lambda labels, t: _with_models(seen, labels, t), 2)
    yield from _ratio_bounded(changed)


STAGES = (((0,),), ((0,), (1,)), ((0, 1), (2,)), ((0,), (1,), (2,)), ((0,), (1, 2), (3,)), ((0,), (1,), (2,), (3,)))


@PAPER.claim(
    "Observation 4 (product formula, every T)",
    r"$\Pr[M^{(1)},\dots,M^{(T)},\tilde{y}_1,\dots,\tilde{y}_n]=\prod_t\Pr[M^{(t)}\mid\dots]\prod_{i\in S^{(t)}}\Pr[\tilde{y}_i=z_i\mid M^{(t-1)}]$ for every number of stages, and the laws of neighbouring datasets are within the factor $e^\epsilon$",
    hypotheses=r"any $n$, $K$, $T$ and randomized training, by induction over the releases: given all released so far, a new model's law $m$ does not depend on the labels, and a label's law $r$ depends on its own label and the last model only; $J = c J'$, $c \le t$ the ratio so far, one factor $r \le t r'$ where the changed label is released, the others equal",
    given=[T > 1, PAST >= 0, THEIRS >= 0, MODEL >= 0, RELEASED >= 0, OTHERS >= 0, RATIO > 0, RATIO <= T],
    replay="the joint law without and with the last label, T = 1, 2, 3, 4 stages with up to 4 labels, K = 2, t = 2, 5, and the ratio to each neighbour",
    formula=lambda past, model, released: past * model * released,
    note="The paper states this product in the proof, without the induction. It needs each label in one stage: see 'Observation 4' for what happens otherwise.",
)
def every_stage(law: Any) -> Parts:
    for stages in STAGES:
        *first, last = stages
        size, before = sum(map(len, stages)), (*first, last[:-1])
        for labels, t in sequences(size):
            shorter = lp_mst_law(before, labels, t)
            for out, probability in lp_mst_law(stages, labels, t).items():
                prior = trained_prior(out[: sum(map(len, first))])
                claimed = law(shorter[out[:-1]], 1, response(prior, labels[last[-1]], out[-1], t))
                by_stage = ", then ".join(_told(labels[i] for i in stage) for stage in stages)
                where = f"labels {by_stage}, t = {t}, released {_told(out)}: joint law, product"
                yield Instance(where, probability, "==", claimed)
        yield from neighbours_within(partial(lp_mst_law, stages), size)
    yield r"$\Pr[A, B, C] = \Pr[A] \Pr[B\mid A] \Pr[C\mid A, B]$", (law(PAST, MODEL, RELEASED), PAST * MODEL * RELEASED)
    ours, theirs = law(PAST, MODEL, RELEASED), law(THEIRS, MODEL, RELEASED)
    yield "induction over the releases: another label", tm.Implies(PAST <= RATIO * THEIRS, ours <= RATIO * theirs)
    first_seen = tm.And(PAST <= THEIRS, RELEASED <= T * OTHERS)
    yield "the changed label", tm.Implies(first_seen, ours <= T * law(THEIRS, MODEL, OTHERS))


@PAPER.claim(
    "Section 4 (LP-1ST)",
    r"'LP-1ST is equivalent to using vanilla RR'",
    hypotheses="any $n$, $K$ and $t > 1$: every label of the first stage is released with the uniform prior of $M^{(0)}$, and the law is the product over "
    "the examples. One stage holds all of them, and the $k$ classes that are most probable when a label is released have the mass $k/K$, not some $P$ of a trained model",
    given=[T > 1, KEPT >= 1, KEPT < SIZE, TRAINED > 0, TRAINED <= 1],
    replay="K = 2, n <= 3 labels, t in {2, 5}",
    formula=(lambda k, size, trained: k / size, lambda labels: (tuple(range(len(labels))),)),
    mutants={"two stages": (lambda k, size, trained: trained, _by_position)},
    note="$k^* = K$ for the uniform prior, and the rows of Alg. 1 for $k = K$ are those of eq. (1). With a trained prior other $k$ can be best.",
)
def lp_1st(case: Any) -> Parts:
    mass, stages = case
    for labels, t in sequences(1, 2, 3):
        used = sorted(sum(stages(labels), ()))
        yield used == list(range(len(labels))) or f"labels {_told(labels)}: the positions {_told(used)} are used"
        channel = randomized_response(2, PrivacyLevel.from_ratio(t)).matrix
        for out, probability in lp_mst_law(stages(labels), labels, t).items():
            vanilla = math.prod((channel[y, z] for y, z in zip(labels, out, strict=True)), start=Fraction(1))
            where = f"labels {_told(labels)}, t = {t}, released {_told(out)}: probability by LP-1ST, by RR"
            yield Instance(where, probability, "==", vanilla)
    whole = mass(SIZE, SIZE, 1)
    yield "k* = K", hit_rate(T, KEPT, mass(KEPT, SIZE, TRAINED)) < hit_rate(T, SIZE, whole)
    yield "no label is left out", tm.Eq(whole, 1)


@PAPER.claim(
    "Section 4 (running time)",
    r"'the running time of our RRWithPrior algorithm is quasi-linear in $K$ (the time needed to sort the prior)': at most $K\lceil\log_2 K\rceil+2K$ operations",
    hypotheses=r"the count is ours: comparisons of merge sort, plus one pass for $P_k$ and one for the maximum; any $K \le 2^c$ and any order: merging two parts of $a$ and $b \le 2^{c-1}$ labels takes at most $a + b - 1$ comparisons",
    given=[tm.Whole(LEFT, RIGHT, POWER), LEFT >= 1, RIGHT >= 1, POWER >= 1],
    formula=lambda size, c: size * c + 2 * size,
    note="Induction over $c$: the bound without the two passes is zero for one label and $c = 0$, and at least its values for the two parts plus "
    "$a + b - 1$.",
)
def running_time(bound: Any) -> Parts:
    def sorting(size: Any, power: Any) -> Any:
        return bound(size, power) - 2 * size

    merged = sorting(LEFT, POWER - 1) + sorting(RIGHT, POWER - 1) + LEFT + RIGHT - 1
    yield "one label: two passes and no comparison", tm.Eq(bound(1, tm.Rational(0)), 2)
    yield "merging", merged <= sorting(LEFT + RIGHT, POWER)
    yield "quasi-linear", bound(LEFT, POWER) <= 3 * LEFT * POWER


PAPER.leave_out(
    "Section 4 ('essentially optimal')",
    "writing down a prior takes $O(K)$; no model of computation is given for a proof",
)
