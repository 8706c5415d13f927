"""Whether the answers of a program depend on anything besides their own label: on its run, its past, its neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from lpmech.audit.randomizer import Answers
from lpmech.entries import Array

__all__ = ["KINDS", "SAME_SEED", "Dependence", "dependences"]

#: Questions of each half that are looked at.
_MOST = 1_000_000

#: Labels, answers and contexts, as positions, all of shape (n,).
Observations = tuple[Array, Array, Array]


@dataclass(frozen=True)
class Dependence:
    """Something besides its label that an answer depends on.

    Attributes
    ----------
    on : str
        A key of `KINDS`; `SAME_SEED` if both runs gave the same answers throughout.
    better, pairs : int
        Pairs of answers to one label whose exchange made the predictions worse, and pairs where it made a difference.
    """

    on: str
    better: int
    pairs: int

    @property
    def chance(self) -> float:
        """The probability of as many or more if answers depend on their label alone: of `pairs` fair coins."""
        return float(binom.sf(self.better - 1, self.pairs, 0.5))

    @property
    def digits(self) -> int:
        """That probability is at most 10^-digits, by Chernoff's bound, which does not run out of small floats."""
        share = self.better / self.pairs
        entropy = sum(-p * math.log2(p) for p in (share, 1 - share) if p > 0)
        return math.floor(self.pairs * (1 - entropy) * math.log10(2)) if share > 0.5 else 0


def dependences(answers: Answers, alpha: float, seed: int | None = None) -> tuple[Dependence, ...]:
    """The kinds of dependence that are found, each sought with error probability at most `alpha`.

    Parameters
    ----------
    answers : Answers
        Of two runs to the same questions.
    alpha : float
        Probability, for each of `KINDS`, that it is found of a program whose answers depend on their label alone.
    seed : int, optional
        Of the pairing.

    Notes
    -----
    The first half of the answers chooses, for every label and context (the label asked before, say), the answer that is
    more frequent there than for the label at large: a prediction. In the second half questions of one label are paired
    at random. Where an answer depends on its label alone, the two answers of a pair are exchangeable, whatever the
    context; so that of the pairs whose exchange changes the number of right predictions, each is better as it is with
    probability 1/2, independently: an exact sign test.
    """
    rng = np.random.default_rng(seed)
    half = len(answers.asked) // 2
    found = []
    for on, observed in KINDS.items():
        learnt = observed(answers.part(0, min(half, _MOST)))
        fresh = observed(answers.part(half, min(2 * half, half + _MOST)))
        better, pairs = _signs(fresh, _predictions(learnt, fresh, len(answers.outputs)), rng)
        each = Dependence(on, better, pairs)
        if pairs and each.chance <= alpha:
            same = on == _OTHER_RUN and np.array_equal(*answers.runs)
            found.append(Dependence(SAME_SEED, better, pairs) if same else each)
    return tuple(found)


def _neighbour(lag: int) -> Callable[[Answers], Observations]:
    """The label asked so many questions before; after, if negative."""

    def observed(answers: Answers) -> Observations:
        here, there = (slice(lag, None), slice(None, -lag)) if lag > 0 else (slice(None, lag), slice(-lag, None))
        return answers.asked[here], answers.runs[0, here], answers.asked[there]

    return observed


def _past(lag: int) -> Callable[[Answers], Observations]:
    """Label and answer so many questions before; no question is both one that is predicted and one that predicts."""

    def observed(answers: Answers) -> Observations:
        places = np.arange(lag, len(answers.asked))
        here = places[places // lag % 2 == 1]
        there = here - lag
        context = answers.asked[there].astype(np.int64) * len(answers.outputs) + answers.runs[0, there]
        return answers.asked[here], answers.runs[0, here], context

    return observed


def _truthful(answers: Answers) -> Observations:
    """Whether the question before was answered with its label."""
    position = {name: j for j, name in enumerate(answers.outputs)}
    own = np.array([position.get(label, -1) for label in answers.labels])
    here = np.arange(1, len(answers.asked), 2)
    there = here - 1
    return answers.asked[here], answers.runs[0, here], (own[answers.asked[there]] == answers.runs[0, there]).astype(int)


def _same_label(answers: Answers) -> Observations:
    """The answer when the same label was asked the last time; every second time that it is asked is predicted."""
    order = np.argsort(answers.asked, kind="stable")
    here, there = _pairs(answers.asked, order)
    return answers.asked[there], answers.runs[0, there], answers.runs[0, here]


def _which_run(answers: Answers) -> Observations:
    size = len(answers.asked)
    return np.tile(answers.asked, 2), answers.runs.ravel(), np.repeat([0, 1], size)


def _other_run(answers: Answers) -> Observations:
    return answers.asked, answers.runs[0], answers.runs[1]


SAME_SEED, _OTHER_RUN = "the seed", "the place in the run"

#: What is sought: its name, and what it takes for context of an answer.
KINDS: dict[str, Callable[[Answers], Observations]] = {
    "the label of the question before": _neighbour(1),
    "the label two questions before": _neighbour(2),
    "the label three questions before": _neighbour(3),
    "the label of the question after": _neighbour(-1),
    "label and answer of the question before": _past(1),
    "label and answer two questions before": _past(2),
    "whether the question before was answered truly": _truthful,
    "the last answer to the same label": _same_label,
    "which run of the program it is": _which_run,
    _OTHER_RUN: _other_run,
}


def _predictions(learnt: Observations, fresh: Observations, outputs: int) -> Array:
    """The answer to be expected of every fresh question, given its label and context; -1 where nothing is known."""
    labels, answers, contexts = (each.astype(np.int64) for each in learnt)
    if not len(labels):
        return np.full(len(fresh[0]), -1)
    width = max(int(each[2].max(initial=0)) for each in (learnt, fresh)) + 1
    keys, counts = np.unique((labels * width + contexts) * outputs + answers, return_counts=True)
    groups, which = np.unique(keys // outputs, return_inverse=True)
    of_label = np.bincount(labels * outputs + answers, minlength=(labels.max() + 1) * outputs).reshape(-1, outputs)
    shares = of_label / np.maximum(of_label.sum(axis=1, keepdims=True), 1)
    expected = np.bincount(which, counts)[which] * shares[groups[which] // width, keys % outputs]
    by_group = np.lexsort(((counts - expected) / np.sqrt(expected), which))
    best = keys[by_group[np.cumsum(np.bincount(which)) - 1]] % outputs
    wanted = fresh[0].astype(np.int64) * width + fresh[2]
    place = np.minimum(np.searchsorted(groups, wanted), len(groups) - 1)
    return np.where(groups[place] == wanted, best[place], -1)


def _signs(fresh: Observations, predicted: Array, rng: np.random.Generator) -> tuple[int, int]:
    """Random pairs of one label for which the exchange makes predictions worse, and those where it changes anything."""
    labels, answers, _ = fresh
    shuffled = rng.permutation(len(labels))
    one, other = _pairs(labels, shuffled[np.argsort(labels[shuffled], kind="stable")])
    (a, b), (p, q) = ((each[one], each[other]) for each in (answers, predicted))
    gain = (a == p).astype(int) + (b == q) - (a == q) - (b == p)
    return int((gain > 0).sum()), int((gain != 0).sum())


def _pairs(labels: Array, order: Array) -> tuple[Array, Array]:
    """Neighbours in an order that sorts the labels, two by two, each pair of one label."""
    by_label = labels[order]
    starts = np.searchsorted(by_label, by_label, side="left")
    first = np.flatnonzero((np.arange(len(order)) - starts) % 2 == 0)
    first = first[first + 1 < len(order)]
    first = first[by_label[first] == by_label[first + 1]]
    return order[first], order[first + 1]
