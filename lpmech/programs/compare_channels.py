"""Which of two channels is at least as good for everybody, whatever they want to know: Blackwell's order, with proofs.

A channel B follows from A if B = A R for a channel R: whoever has A can make B by post-processing. That is so if and
only if A is worth at least as much as B in every decision problem, a prior with a gain function (Blackwell 1951; as the
"coriaceous" theorem: McIver, Morgan, Smith, Espinoza, Meinicke 2014). B = A R, R >= 0, rows of R summing to one, are
linear equations over nonnegative numbers, and by Farkas' lemma they have a solution or prices g[y, j] and v[i] with

    sum_y A[y, i] g[y, j] <= v_i for all i, j, and sum_yj B[y, j] g[y, j] > sum_i v_i:

with the outputs of B as actions g is a decision problem in which B is worth more. So both answers have a proof that is
checked by arithmetic alone.

The smallest such problem: on some of the labels, one with w actions tells B from A if and only if outputs of B can be
merged to w of which the merged channel, on these labels, does not follow from A. Mergings are tried one after the
other, fewest actions first, then the fewest labels; then prices are rounded to small whole numbers that still tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, Literal

import numpy as np

from lpmech.channel import Channel, as_channel
from lpmech.entries import Array, as_array
from lpmech.errors import ChannelError, LabelError, SolverError
from lpmech.leakage import posterior_vulnerability
from lpmech.linear_algebra import from_flint, inverse, to_flint
from lpmech.programs.solvers.farkas import decide

__all__ = [
    "ChannelOrder",
    "Decision",
    "Relation",
    "compare_channels",
    "post_processing",
    "refuse_large",
    "relation_of",
    "telling",
]

Relation = Literal["equivalent", "first dominates", "second dominates", "incomparable"]

#: Mergings of so many outputs into so many actions are tried one by one; of more, they are merged step by step.
_MOST_MERGINGS = 1000
#: Labels of which all subsets are looked at for the smallest problem; unknowns times equations of a program.
_MOST_LABELS, _MOST_WORK = 8, 100_000
#: Gains are rounded to whole numbers up to this, if they still tell the channels apart.
_SMALL = 24


@dataclass(frozen=True)
class Decision:
    """A decision problem in which one channel is worth strictly more than another one.

    Attributes
    ----------
    labels : tuple
        The labels of positive prior, each as likely as the others.
    prior : ndarray of Fraction, shape (K,)
    gain : ndarray of Fraction, shape (K, A)
        Whole numbers that are not negative: what action a gains where the label is y; zero where the prior is.
    better, other : Fraction
        Posterior g-vulnerabilities of the channel that is worth more and of the other one.
    fewest : bool
        Whether no problem with fewer actions tells the channels apart, and none with as many actions and fewer labels.
    """

    labels: tuple[Any, ...]
    prior: Array
    gain: Array
    better: Fraction
    other: Fraction
    fewest: bool


@dataclass(frozen=True)
class ChannelOrder:
    """Blackwell's order of two channels, in both directions, with proofs; constructing one checks them.

    Attributes
    ----------
    first, second : Channel
        Exact, with the same inputs.
    to_second : Channel or None
        R with second = first R, from the outputs of the first to those of the second.
    to_first : Channel or None
        R with first = second R.
    for_second, for_first : Decision or None
        Where there is no such R: a problem in which the second is worth more than the first, and the other way round.

    Raises
    ------
    SolverError
        On construction, if a proof is missing or does not hold exactly.
    """

    first: Channel
    second: Channel
    to_second: Channel | None
    to_first: Channel | None
    for_second: Decision | None
    for_first: Decision | None

    def __post_init__(self) -> None:
        for source, target, follows, problem in (
            (self.first, self.second, self.to_second, self.for_second),
            (self.second, self.first, self.to_first, self.for_first),
        ):
            if (follows is None) == (problem is None):
                raise SolverError("an order of channels needs a post-processing or a decision problem, each way")
            if follows is not None and source.then(follows) != target:
                raise SolverError("the post-processing does not make the other channel")
            if problem is not None:
                values = [posterior_vulnerability(c, problem.prior, problem.gain) for c in (target, source)]
                if values != [problem.better, problem.other] or not problem.better > problem.other:
                    raise SolverError("the decision problem does not tell the channels apart")

    @cached_property
    def relation(self) -> Relation:
        """``"equivalent"``, ``"first dominates"``, ``"second dominates"`` or ``"incomparable"``."""
        return relation_of(self.to_second is not None, self.to_first is not None)


def relation_of(second_follows: bool, first_follows: bool) -> Relation:
    """The relation of two channels from the two directions."""
    if second_follows:
        return "equivalent" if first_follows else "first dominates"
    return "second dominates" if first_follows else "incomparable"


def compare_channels(first: Channel, second: Channel) -> ChannelOrder:
    """Compare two channels for every prior and every gain at once: Blackwell's order, by exact linear programs.

    Parameters
    ----------
    first, second : Channel
        Exact, with the same inputs; outputs may differ in number and name.

    Returns
    -------
    ChannelOrder
        Its `relation`, and for each direction the post-processing that makes the one from the other, or the smallest
        decision problem in which it is worth more.

    Raises
    ------
    ChannelError
        If an argument is no `Channel`, or has floats: equality is decided exactly.
    LabelError
        If the inputs differ.

    The first also where the channels are so large that exact arithmetic would take long (`refuse_large`).

    Notes
    -----
    Source: Blackwell, Comparison of experiments (1951); Alvim et al., The Science of Quantitative Information Flow
    (2020), Chapter 9.

    Examples
    --------
    Randomised response of a larger epsilon is better for everybody; that on bins is not, and not worse:

    >>> from lpmech import PrivacyLevel, compare_channels
    >>> from lpmech.mechanisms import randomized_response, rr_on_bins
    >>> three, four = PrivacyLevel.from_ratio(3), PrivacyLevel.from_ratio(4)
    >>> compare_channels(randomized_response(3, four), randomized_response(3, three)).relation
    'first dominates'
    >>> found = compare_channels(randomized_response(3, three), rr_on_bins([0, 0, 1], three))
    >>> found.relation
    'incomparable'
    >>> [[int(g) for g in row] for row in found.for_second.gain]
    [[1, 0], [0, 0], [0, 1]]
    """
    for name, channel in (("first", first), ("second", second)):
        if not as_channel(channel, name).is_exact:
            allowed = "an exact channel: floats do not decide equality; take channel.exact(level), or an exact level"
            raise ChannelError(name, channel, allowed)
    if first.inputs != second.inputs:
        if set(first.inputs) != set(second.inputs):
            raise LabelError("second", second.inputs, f"the inputs of the first channel, {first.inputs!r}")
        second = second.restrict(first.inputs)
    found = [(post_processing(a.matrix, b.matrix), a, b) for a, b in ((first, second), (second, first))]
    to_second, to_first = (None if r is None else Channel(r, a.outputs, b.outputs) for r, a, b in found)
    for_second, for_first = (None if r is not None else telling(a, b) for r, a, b in found)
    return ChannelOrder(first, second, to_second, to_first, for_second, for_first)


def post_processing(first: Array, second: Array) -> Array | None:
    """The exact R with second = first R, shape (I, J), or None if there is none.

    Parameters
    ----------
    first : ndarray of Fraction, shape (K, I)
    second : ndarray of Fraction, shape (K, J)
    """
    inverted = _inverse(first)
    if inverted is not None:  # then there is one R with second = first R, and its rows sum to one
        only: Array = inverted @ second
        return only if all(v >= 0 for v in only.ravel().tolist()) else None
    found = decide(*_system(first, second)).solution
    return None if found is None else from_flint(found).reshape(second.shape[1], first.shape[1]).T


def telling(first: Channel, second: Channel) -> Decision:
    """The smallest decision problem in which the second channel is worth more; it must not follow from the first."""
    rows, gain, fewest = _smallest(first.matrix, second.matrix)
    size = len(first.inputs)
    everywhere = np.full((size, gain.shape[1]), Fraction(0), dtype=object)
    everywhere[rows] = gain
    prior = as_array([Fraction(int(y in rows), len(rows)) for y in range(size)], "prior", 1)
    better, other = (Fraction(posterior_vulnerability(c, prior, everywhere)) for c in (second, first))
    return Decision(tuple(first.inputs[y] for y in rows), prior, everywhere, better, other, fewest)


def _smallest(first: Array, second: Array) -> tuple[list[int], Array, bool]:
    """Labels, their gains, and whether there is surely no smaller problem: of fewer actions, then of fewer labels."""
    size = len(first)
    told: list[tuple[list[int], Array, Array]] = []
    for rows in _label_sets(size):
        a, b = _distinct(first[rows]), _distinct(second[rows])
        if post_processing(a, b) is None:
            told.append((rows, a, b))
            if len(rows) == 2:  # two actions tell two laws apart, if anything does (Blackwell): nothing is smaller
                break
    for actions in range(2, second.shape[1] + 1):
        for rows, a, b in told:
            many = size > _MOST_LABELS or _partitions(b.shape[1], actions) > _MOST_MERGINGS
            if many and len(rows) > 2:
                return rows, _gain(a, _step_by_step(a, b)), False
            merged = [_step_by_step(a, b)] if many else [_merged(b, m) for m in _mergings(b.shape[1], actions)]
            gains = [_gain(a, m) for m in merged if post_processing(a, m) is None]
            if gains:
                return rows, min(gains, key=lambda g: (g.max(), g.sum())), gains[0].shape[1] == actions
    raise SolverError("the second channel follows from the first: no decision problem tells them apart")


def _label_sets(size: int) -> Iterator[list[int]]:
    """Sets of labels, smaller ones first; of many labels pairs and the whole alone."""
    for count in range(2, size + 1):
        if size <= _MOST_LABELS or count in (2, size):
            yield from (list(c) for c in combinations(range(size), count))


def _inverse(first: Array) -> Array | None:
    """The exact inverse, where there is one."""
    try:
        return inverse(first) if first.shape[0] == first.shape[1] else None
    except ZeroDivisionError:
        return None


def _system(first: Array, second: Array) -> tuple[Array, Array]:
    """The equations A R[:, j] = B[:, j] for every j, then that rows of R sum to one; R column by column."""
    middle, outputs = first.shape[1], second.shape[1]
    refuse_large(len(first), middle, outputs)
    sums = np.kron(np.ones((1, outputs), dtype=int), np.eye(middle, dtype=int))
    matrix = np.vstack([np.kron(np.eye(outputs, dtype=int), first), sums])
    return to_flint(matrix), to_flint(np.concatenate([second.T.ravel(), np.ones(middle, dtype=int)]))


def refuse_large(inputs: int, middle: int, outputs: int) -> None:
    """Refuse a comparison that would take long, before any work.

    Raises
    ------
    ChannelError
        If unknowns times equations are more than 100,000, about 16 labels with as many outputs each. A channel that can
        be inverted needs no program, and is not refused.
    """
    work = _work(inputs, middle, outputs)
    if work > _MOST_WORK:
        found = f"{inputs} inputs, {middle} and {outputs} outputs"
        allowed = f"I J (K J + I) of at most {_MOST_WORK} for I and J outputs; it is {work}. Merge labels or outputs"
        raise ChannelError("channels", found, allowed)


def _distinct(matrix: Array) -> Array:
    """The channel without outputs that never occur, those that tell the same merged into one."""
    found: dict[tuple[Fraction, ...], Any] = {}
    for column in matrix.T:
        if mass := sum(column):
            key = tuple(column / mass)
            found[key] = found.get(key, 0) + column
    return np.stack([*found.values()], axis=1)


def _merged(columns: Array, merging: Sequence[int]) -> Array:
    """Columns of one group added."""
    parts = [columns[:, [j for j, own in enumerate(merging) if own == g]].sum(axis=1) for g in range(max(merging) + 1)]
    return np.stack(parts, axis=1)


def _step_by_step(first: Array, columns: Array) -> Array:
    """Columns merged as long as they do not follow from the first channel."""
    for one, other in combinations(range(columns.shape[1]), 2):
        joined = _merged(columns, [one if j == other else j - (j > other) for j in range(columns.shape[1])])
        if joined.shape[1] > 1 and post_processing(first, joined) is None:
            return _step_by_step(first, joined)
    return columns


def _mergings(size: int, groups: int) -> Iterator[tuple[int, ...]]:
    """Every partition of so many outputs into so many groups, by the group of each, groups in order of appearance."""

    def further(start: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        used = max(start, default=-1) + 1
        if len(start) == size:
            if used == groups:
                yield start
        elif used + size - len(start) >= groups:
            for group in range(min(used + 1, groups)):
                yield from further((*start, group))

    return further(())


def _partitions(size: int, groups: int) -> int:
    """How many partitions there are."""
    terms = ((-1) ** (groups - k) * math.comb(groups, k) * k**size for k in range(groups + 1))
    return sum(terms) // math.factorial(groups)


def _gain(first: Array, second: Array) -> Array:
    """Small whole gains, labels as likely as each other, for which the second channel is worth more than the first."""
    gain = _priced(first, second)
    gain = gain - gain.min(axis=1)[:, None]
    common = math.lcm(*(v.denominator for v in gain.ravel().tolist()))
    whole = gain * common
    exact = whole // math.gcd(*(int(v) for v in whole.ravel().tolist()))
    largest = exact.max()
    rounded = (_whole(exact * n / largest) for n in range(1, min(_SMALL, int(largest) - 1) + 1))
    return next((g for g in rounded if _worth(g, second) > _worth(g, first)), _whole(exact))


def _priced(first: Array, second: Array) -> Array:
    """Gains that tell, prior included: prices of outputs, or of one that only a negative entry of R could make."""
    size, actions = second.shape
    inverted = _inverse(first)
    if inverted is not None and _work(size, size, actions) > _MOST_WORK:
        i, j = np.unravel_index(np.argmin(inverted @ second), second.shape)
        return np.outer(-inverted[i], np.eye(actions, dtype=int)[j])
    prices = decide(*_system(first, second)).prices
    if prices is None:
        raise SolverError("the second channel follows from the first: no decision problem tells them apart")
    return from_flint(prices[: size * actions]).reshape(actions, size).T


def _work(inputs: int, middle: int, outputs: int) -> int:
    """Unknowns times equations."""
    return middle * outputs * (inputs * outputs + middle)


def _whole(values: Array) -> Array:
    return as_array([[math.floor(v + Fraction(1, 2)) for v in row] for row in values.tolist()], "gain", 2)


def _worth(gain: Array, matrix: Array) -> Fraction:
    return sum((matrix.T @ gain).max(axis=1).tolist(), Fraction(0))
