"""Several labels of a person under one budget: released one by one, or as one tuple by the best joint channel.

A person has n labels, each drawn from the same prior, and all of them together are worth epsilon: two people may differ
in every label. The gain is the mean of u(true, released) over the n labels.

Label by label, the i-th label is released at epsilon_i with sum epsilon_i = epsilon (composition). The gain is the mean
of the optima v(epsilon_i), so only the budget's parts count; here they are multiples of epsilon / n. A label without a
part is not looked at: the best label is released for it. Together, the tuple is one label of an alphabet of K^n, which
`lpmech.programs.general.Program` solves, with its proof. What is released label by label is a private channel over
tuples, too: the joint optimum is never below. For hits and two labels with K = 2, each as likely, it is
(t + 1) / (t + 3), by randomised response on the four tuples; label by label no more than sqrt(t) / (sqrt(t) + 1).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from flint import fmpz

from lpmech.entries import Array, Number, as_array, unify, whole_number
from lpmech.errors import InvalidInputError, UtilityError
from lpmech.extras import needs
from lpmech.frames import html_of
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs import Program, Solution, optimal_channel

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["OneByOne", "SeveralLabels", "joint_program", "several_labels"]

#: Most labels of a person, and most tuples of labels; up to so many tuples are solved exactly.
MOST_LABELS, MOST_TUPLES, _MOST_EXACT = 8, 1024, 128


@dataclass(frozen=True)
class OneByOne:
    """The labels released one by one.

    Attributes
    ----------
    parts : tuple of Fraction
        The part of epsilon of each label, the largest first.
    value : number
        The gain; exact if every level is.
    """

    parts: tuple[Fraction, ...]
    value: Number


@dataclass(frozen=True)
class SeveralLabels:
    """What releasing a tuple gains over releasing its labels.

    Attributes
    ----------
    level : PrivacyLevel
        Of all labels together.
    together : Solution
        The best channel over tuples of labels, which are its inputs and outputs, and its proof.
    one_by_one : tuple of OneByOne
        For each division of the budget into multiples of epsilon / n, the best first.
    """

    level: PrivacyLevel
    together: Solution
    one_by_one: tuple[OneByOne, ...]

    @property
    def gain(self) -> float:
        """By how many percent the joint optimum is above the best that is released one by one, which is joint, too."""
        alone = float(self.one_by_one[0].value)
        joint = max(float(self.together.value), alone)
        return 100 * (joint - alone) / abs(alone) if alone else math.copysign(math.inf, joint) if joint else 0.0

    def to_frame(self) -> pd.DataFrame:
        """How labels are released, the parts of epsilon, the mean gain of a label, percent of the joint optimum."""
        with needs("frames"):
            import pandas as pd

        joint = float(self.together.value)
        rows = [("together", "", joint)]
        rows += [("one by one", ", ".join(map(str, way.parts)), float(way.value)) for way in self.one_by_one]
        frame = pd.DataFrame(rows, columns=["released", "parts of epsilon", "utility"])
        return frame.assign(**{"below the joint optimum": joint - frame["utility"]})

    def _repr_html_(self) -> str | None:
        return html_of(f"{len(self.one_by_one[0].parts)} labels of a person, {self.level} together", self.to_frame)


def several_labels(
    utility: object,
    epsilon: PrivacyLevel | float,
    labels_each: int,
    prior: object = None,
    names: Sequence[Hashable] | None = None,
) -> SeveralLabels:
    """Compare the best joint channel for several labels of a person with the best channels for one label.

    Parameters
    ----------
    utility : array_like, shape (K, J)
        Of one label; larger is better.
    epsilon : float or PrivacyLevel
        For all labels of the person together. Everything is exact where it is exact and e^epsilon is an n-th power.
    labels_each : int
        n, from 2 to 8; K^n and J^n are at most 1,024.
    prior : array_like, shape (K,), optional
        Of each label, independent of the others; uniform if omitted.
    names : sequence of hashable, optional
        Of the K labels, where outputs are labels; default: numbers from 0 on.

    Raises
    ------
    UtilityError, PriorError, PrivacyLevelError, InvalidInputError
        If an argument is not usable.

    Examples
    --------
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.designs.several_labels import several_labels
    >>> from lpmech.utilities import hit
    >>> found = several_labels(hit(2), PrivacyLevel.from_ratio(4), 2)
    >>> found.together.value, found.one_by_one[0].value
    (Fraction(5, 7), Fraction(2, 3))
    """
    level = as_privacy_level(epsilon)
    program = joint_program(utility, level, labels_each, prior, names)
    gain = as_array(utility, "utility", 2, UtilityError)
    chances = as_prior(prior, len(gain))
    worth = [_alone(gain, _part(level, whole, labels_each), chances) for whole in range(labels_each + 1)]
    ways = [
        OneByOne(tuple(Fraction(part, labels_each) for part in parts), _mean([worth[part] for part in parts]))
        for parts in _divisions(labels_each, labels_each, labels_each)
    ]
    exactly = program.is_exact and len(program.inputs) <= _MOST_EXACT
    together = program.solve("exact" if exactly else None)
    return SeveralLabels(level, together, tuple(sorted(ways, key=lambda way: way.value, reverse=True)))


def joint_program(
    utility: object,
    epsilon: PrivacyLevel | float,
    labels_each: int,
    prior: object = None,
    names: Sequence[Hashable] | None = None,
) -> Program:
    """The program for tuples of labels, whose gain is the mean over the labels; arguments as of `several_labels`."""
    number = whole_number(labels_each, "labels_each", 2)
    gain = as_array(utility, "utility", 2, UtilityError)
    if number > MOST_LABELS or max(gain.shape) ** number > MOST_TUPLES:
        allowed = f"at most {MOST_LABELS}, and at most {MOST_TUPLES} tuples of {max(gain.shape)} kinds of label"
        raise InvalidInputError("labels_each", labels_each, allowed)
    chances = as_prior(prior, len(gain))
    inputs, outputs = (list(product(range(size), repeat=number)) for size in gain.shape)
    weights = as_array([_product(chances[list(true)]) for true in inputs], "prior", 1)
    rows = [[_mean([gain[pair] for pair in zip(true, drawn, strict=True)]) for drawn in outputs] for true in inputs]
    called = range(max(gain.shape)) if names is None else names
    told = [[tuple(called[place] for place in places) for places in axis] for axis in (inputs, outputs)]
    return optimal_channel(as_array(rows, "utility", 2), epsilon, weights, inputs=told[0], outputs=told[1])


def _product(values: Array) -> Number:
    return math.prod(values.tolist())


def _mean(values: list[Number]) -> Number:
    total = sum(values[1:], start=values[0])
    return total / len(values) if isinstance(total, float) else Fraction(total) / len(values)


def _alone(gain: Array, level: PrivacyLevel | None, prior: Array) -> Number:
    """The optimum of one label; without a level, of no look at it."""
    if level is None:
        matrix, chances = unify(gain, prior)
        return max((chances @ matrix).tolist())
    program = optimal_channel(gain, level, prior)
    return program.solve("exact" if program.is_exact and len(gain) <= _MOST_EXACT else None).value


def _part(level: PrivacyLevel, parts: int, of: int) -> PrivacyLevel | None:
    """So many of so many equal parts of a level: exactly where e^epsilon is such a power; None for nothing."""
    if not parts:
        return None
    if parts == of:
        return level
    if isinstance(level.ratio, Fraction):
        root = Fraction(*(int(fmpz(n).root(of)) for n in level.ratio.as_integer_ratio()))
        if root**of == level.ratio:
            return PrivacyLevel.from_ratio(root**parts)
    return as_privacy_level(level.epsilon * parts / of)


def _divisions(total: int, places: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a falling sum of so many numbers from 0 to the largest."""
    if not places:
        if not total:
            yield ()
        return
    for first in range(min(total, largest), -1, -1):
        for rest in _divisions(total - first, places - 1, first):
            yield (first, *rest)
