"""Bounds with confidence on the privacy level of a randomizer, from its answers to random questions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy.stats import beta

from lpmech.audit.dependence import KINDS, Dependence, dependences
from lpmech.audit.randomizer import OTHER, Answers
from lpmech.entries import Array, open_probability
from lpmech.release.estimation import clopper_pearson

__all__ = ["NEIGHBOURS", "BlackBoxAudit", "Leak", "audit_answers", "trials_needed"]

#: Whose label an answer may betray besides the label that was asked: how many questions before.
NEIGHBOURS: Mapping[int, str] = MappingProxyType(
    {
        1: "the label of the question before",
        2: "the label two questions before",
        3: "the label three questions before",
        -1: "the label of the question after",
    }
)


@dataclass(frozen=True)
class Leak:
    """What the answers tell of one label.

    Attributes
    ----------
    lag : int
        Whose label: of the question itself (0), or of the one so many questions before.
    low : float
        The level is at least this, with the confidence; 0 if nothing was shown.
    output, likely, unlikely : str
        The answer that speaks for one of two labels; chosen by the first half of the answers, tested on the second.
    right, guesses : int
        How often that answer was given where one of the two labels was asked, and how often it was the likelier one.
    """

    lag: int
    low: float
    output: str
    likely: str
    unlikely: str
    right: int
    guesses: int


@dataclass(frozen=True)
class BlackBoxAudit:
    """Bounds on the level of a randomizer from its answers.

    Attributes
    ----------
    own : Leak
        About the label that was asked.
    neighbours : tuple of Leak
        About the labels of questions before and after (`NEIGHBOURS`): `low` is 0 for an honest program.
    dependences : tuple of Dependence
        What answers depend on besides their label (`lpmech.audit.dependence.KINDS`); none of an honest program.
    high : float
        If answers depend on their own label alone, the level on the outputs of the first half is at most this, with
        the confidence; infinite where some label was never answered with some of them. Nothing bounds outputs that
        were not seen.
    outputs : tuple of str
        Outputs seen in the first half, and all others as one.
    trials : int
        Answers of the second half.
    confidence : float
        Of everything together: of an honest program nothing is found, and its level lies between the bounds.
    bounds : int
        How many binomial bounds share half of the error probability, for `high`.
    tests : int
        How many bounds and tests about neighbours and dependence share a quarter of it.
    """

    own: Leak
    neighbours: tuple[Leak, ...]
    dependences: tuple[Dependence, ...]
    high: float
    outputs: tuple[str, ...]
    trials: int
    confidence: float
    bounds: int
    tests: int

    @property
    def worst(self) -> Leak:
        """The leak with the largest lower bound of the level."""
        return max((self.own, *self.neighbours), key=lambda leak: leak.low)

    @property
    def is_honest(self) -> bool:
        """Whether answers were found to depend on nothing but their own label."""
        return not self.dependences and all(leak.low == 0 for leak in self.neighbours)


def audit_answers(answers: Answers, confidence: float = 0.99, seed: int | None = None) -> BlackBoxAudit:
    """Bounds on the level of a program, and what its answers depend on besides their label.

    Parameters
    ----------
    answers : Answers
        Of two runs to the same random questions.
    confidence : float
        Of all bounds and tests together.
    seed : int, optional
        Of the random pairs of `lpmech.audit.dependence`.

    Notes
    -----
    A quarter of the error probability goes to the lower bound about the label itself, a quarter in equal shares to the
    lower bounds about neighbours and to the tests of dependence. Labels are asked independently, each as likely as any
    other; if every label of a run is private at epsilon, then whoever has seen all its answers, and knows that a
    label is one of two, guesses it with probability at most e^epsilon / (1 + e^epsilon), given all other labels: right
    guesses are at most as many as of that binomial distribution, whatever the program remembers (Steinke, Nasr and
    Jagielski 2023, "Privacy auditing with one (1) training run", Section 5). The guess is the label that is likelier
    with a certain answer, wherever it is given; the bound on its probability is that of Clopper and Pearson from below.

    The other half is shared by the probabilities of the outputs that were seen, each bounded from both sides.
    """
    alpha = 1 - open_probability(confidence, "confidence")
    tests = len(NEIGHBOURS) + len(KINDS)
    share = alpha / 4 / tests
    high, bounds = _upper(answers, alpha / 2)
    return BlackBoxAudit(
        _leak(answers, 0, alpha / 4),
        tuple(_leak(answers, lag, share) for lag in NEIGHBOURS),
        dependences(answers, share, seed),
        high,
        answers.outputs,
        len(answers.asked) - len(answers.asked) // 2,
        confidence,
        bounds,
        tests,
    )


def trials_needed(epsilon: float, confidence: float = 0.99) -> int:
    """How many answers for a label show that a program which always tells it is not private at a level.

    All n guesses are then right, and the bound on their probability is (alpha/4)^(1/n).
    """
    alpha = 1 - open_probability(confidence, "confidence")
    return math.ceil(math.log(alpha / 4) / -math.log1p(math.exp(-epsilon)))


def _leak(answers: Answers, lag: int, alpha: float) -> Leak:
    """The level about the label that was asked so many questions before, at least, but for probability `alpha`."""
    first, second = (_counts(answers, part, lag) for part in (0, 1))
    j = int(np.argmax(_surely_right(first.max(axis=0), first.min(axis=0), alpha)))
    likely, unlikely = int(np.argmax(first[:, j])), int(np.argmin(first[:, j]))
    right, wrong = int(second[likely, j]), int(second[unlikely, j])
    least = float(_surely_right(right, wrong, alpha))
    low = math.log(least / (1 - least)) * (1 - 1e-12) if least > 0.5 else 0.0
    return Leak(lag, low, answers.outputs[j], answers.labels[likely], answers.labels[unlikely], right, right + wrong)


def _surely_right(right: Array | int, wrong: Array | int, alpha: float) -> Array:
    """The bound of Clopper and Pearson from below on the probability of a right guess, from counts of both kinds."""
    return np.where(np.asarray(right) > 0, beta.ppf(alpha, np.maximum(right, 1), np.asarray(wrong) + 1), 0.0)


def _counts(answers: Answers, part: int, lag: int) -> Array:
    """How often every output answered, so many questions after every label was asked, in one half; shape (K, J)."""
    half, size = len(answers.asked) // 2, (len(answers.labels), len(answers.outputs))
    asked, given = (each[half * part : half * (part + 1)] for each in (answers.asked, answers.runs[0]))
    if lag > 0:
        asked, given = asked[:-lag], given[lag:]
    elif lag < 0:
        asked, given = asked[-lag:], given[:lag]
    return np.bincount(asked.astype(np.int64) * size[1] + given, minlength=size[0] * size[1]).reshape(size)


def _upper(answers: Answers, alpha: float) -> tuple[float, int]:
    """The level on the outputs of the first half, at most, but for probability `alpha`; and of how many bounds."""
    counts = _counts(answers, 1, 0)
    named = [j for j, name in enumerate(answers.outputs) if name is not OTHER]
    size = len(counts) * len(named)
    lows, highs = np.array([clopper_pearson(row[named], int(row.sum()), alpha / size) for row in counts]).swapaxes(0, 1)
    most = 0.0
    with np.errstate(divide="ignore"):
        for y in range(len(counts)):
            most = max(most, float((highs[y] / np.delete(lows, y, axis=0)).max()))
    return math.log(max(most, 1.0)) * (1 + 1e-12), 2 * size
