"""Private channels of the largest information: mutual information, divergences of released laws.

The objective sums mu(column) over outputs, mu sublinear: convex, mu(c v) = c mu(v) for c >= 0. Two kinds, each with
three functions f, x log x (Kullback and Leibler), (x - 1)^2 (chi-squared) and |x - 1| / 2 (total variation):

    information of true and released label, prior p:   mu(v) = sum_y p_y m f(v_y / m),  m = p v,
    divergence of the released laws of P and Q:        mu(v) = (Q v) f(P v / Q v).

With the first f the information is the mutual information. Chi-squared with P = Q + h d is h^2 times the Fisher
information about the parameter h, the inverse of the least variance of its estimates.

A private column is a sum of multiples of patterns, columns with entries 1 and t only (kairouz2016;
`lpmech.programs.extreme_points.staircase_refinement`), and mu of a sum is at most the sum: patterns suffice.

Primal: maximise sum_v theta_v mu(v) over theta >= 0 with sum_v theta_v v_y = 1 for all y, v over the 2^K patterns.
Dual: minimise sum_y pi_y over pi with pi v >= mu(v) for every pattern v. A pi that falls short by at most e is
feasible with e / K more for each label, as v >= 1: it proves sum pi + e.

Up to 12 labels every pattern is a column; the optimum is exact but for logarithms, which are enclosed by balls.
Beyond, patterns are found one after the other (column generation), and beyond 16 labels e is bounded over all of them:

- the information of a pattern is h(m), h concave: t log t (m - 1) / (t - 1) - m log m, (m - 1) (t - m) / m,
  (m - 1) (t - m) / (t - 1). A tangent is linear in the labels, so its largest excess over pi is found label by label;
  `lpmech.programs.pattern_parts` has one for each part of the patterns. With pi = c p, c = max h(m) / m, there is no
  excess: (t - 1)^2 / (4 t) for chi-squared, A - 1 - log A with A = t log t / (t - 1) for the first f. What many labels
  of small shares come near to.
- f is convex: below its chord from one x to the next, which again is linear in the labels, for every part of [1/t, t].

The total variation of two laws is largest for randomised response on whether P > Q: (t - 1) / (t + 1) of theirs, proved
by pi in proportion to |P - Q|.

For the uniform prior m depends on the number k of the labels with t only: the optimum is
max_k h(1 + (t - 1) k / K) / (1 + (t - 1) k / K), attained by k labels beside each other on a ring (or by all sets of k
labels, subset selection), and pi is the same for all labels.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from heapq import heapify, heappush, heapreplace
from itertools import pairwise
from typing import Any, Literal, cast

import numpy as np
from flint import arb, ctx, fmpq

from lpmech.channel import Channel
from lpmech.entries import Array, as_array, to_exact, to_float, total
from lpmech.errors import ProgramError
from lpmech.linear_algebra import flint_number, from_flint, to_flint
from lpmech.priors import as_prior
from lpmech.privacy import PrivacyLevel, as_privacy_level
from lpmech.programs.general import names_of
from lpmech.programs.pattern_columns import Mixture, best_mixture, fresh, generate, shares_of
from lpmech.programs.pattern_parts import Curve, Parts, split
from lpmech.programs.solvers.farkas import decide

__all__ = ["ENUMERATED", "Sublinear", "SublinearSolution", "divergence", "information"]

Measure = Literal["kullback-leibler", "chi-squared", "total-variation"]
MEASURES = ("kullback-leibler", "chi-squared", "total-variation")

#: Up to so many labels all patterns are columns, and are looked at by a bound; most labels; bits of balls.
ENUMERATED, _LOOKED_AT, _MOST, _BITS = 12, 16, 200, 160
_LARGEST_RATIO = 10**10
#: Most times that patterns are added to make a mixture exact.
_ROUNDS = 400
#: Parts of [1/t, t] for chords, and what is beside a point, in floats; parts of the patterns while columns are added,
#: and for the bound in the end.
_CHORDS, _BESIDE, _FEW, _PARTS = 1500, (0.9999, 1, 1.0001), 40, 300


@dataclass(frozen=True)
class Sublinear:
    """Maximise an information over private channels.

    Attributes
    ----------
    measure : {"kullback-leibler", "chi-squared", "total-variation"}
        In nats for the first.
    laws : ndarray of Fraction, shape (1, K) or (2, K)
        The prior, for information; P and Q, for their divergence.
    level : PrivacyLevel
        The program has `PrivacyLevel.ratio_below`.
    inputs : tuple of hashable
        Names of the labels.
    """

    measure: Measure
    laws: Array
    level: PrivacyLevel
    inputs: tuple[Hashable, ...]

    @property
    def ratio(self) -> Fraction:
        """e^epsilon, or a rational number just below."""
        return self.level.ratio_below

    def ends(self, channel: Channel) -> tuple[Fraction, Fraction]:
        """What an exact channel is worth: equal ends, or close ones where there are logarithms."""
        with ctx.workprec(_BITS):
            columns = (column for column in to_flint(channel.matrix).T if any(column))
            worth = sum((self._of_column(column) for column in columns), fmpq(0))
            return _ends(worth)

    def excess(self, duals: Array) -> Fraction:
        """At least the largest mu(v) - pi v over all patterns v, exactly; duals are Fractions, shape (K,)."""
        with ctx.workprec(_BITS):
            pi, t = to_flint(duals), flint_number(self.ratio)
            if len(pi) <= _LOOKED_AT:
                found = self._by_enumeration(pi, t)
            elif len(self.laws) == 2:
                found = self._by_chords(pi, t, self.chords(duals))
            else:
                found = self._by_parts(pi, t, cast(Parts, self.parts(duals)))
        return found

    def parts(self, duals: Array) -> Parts | None:
        """The parts of the patterns by which `excess` bounds them; None where it has another way."""
        if len(self.inputs) <= _LOOKED_AT or len(self.laws) == 2:
            return None
        return split(self._curve, to_float(self.laws[0]), to_float(duals), _PARTS, 0.0)[0]

    def chords(self, duals: Array) -> list[Fraction]:
        """Numbers between 1/t and t: the ends of the chords by which `excess` bounds a divergence, increasing."""
        laws, own, ratio = to_float(self.laws), to_float(duals), float(self.ratio)

        def above(left: float, right: float) -> tuple[float, float, float]:
            first, last = (float(_perspective(self.measure, x, 1.0, np.log)) for x in (left, right))
            slope = (last - first) / (right - left)
            free = slope * laws[0] + (first - slope * left) * laws[1] - own
            return -float(np.maximum(free, ratio * free).sum()), left, right

        points = np.concatenate([np.geomspace(1 / ratio, 1, 20), np.geomspace(1, ratio, 20)[1:]])
        parts = [above(left, right) for left, right in pairwise(points.tolist())]
        heapify(parts)
        ends = {float(point) for point in points}
        while len(ends) < _CHORDS:
            _, left, right = parts[0]
            middle = (left + right) / 2
            if not left < middle < right or right - left < 1e-7 * right:
                break
            ends.add(middle)
            heapreplace(parts, above(left, middle))
            heappush(parts, above(middle, right))
        inner = (Fraction(x) for x in sorted(ends))
        return [x for x in inner if 1 / self.ratio < x < self.ratio]

    def solve(self) -> SublinearSolution:
        """The best channel, of at most K outputs, with its proof and both ends of the optimum.

        Raises
        ------
        SolverError
            If HiGHS fails.
        """
        laws, t, size = to_float(self.laws), float(self.ratio), len(self.inputs)
        if size <= ENUMERATED:
            masks = _all_masks(size)
            found = best_mixture(masks, self._columns(masks), self.worth(masks))
        else:
            found, best = self._generated(laws, t)
        return self._exactly(found) if size <= _LOOKED_AT else self._rounded(found, best)

    def worth(self, masks: Array) -> Array:
        """mu of patterns, in floats, shape (n,); masks of bool, shape (n, K), say where they are t."""
        columns = self._columns(masks)
        sums = to_float(self.laws) @ columns.T
        return np.asarray(self._of_sums(list(sums), float(self.ratio), np.log))

    # -- mu --------------------------------------------------------------------------------------

    def _columns(self, masks: Array) -> Array:
        return np.where(masks, float(self.ratio), 1.0)

    def _of_sums(self, sums: list[Any], t: Any, log: Callable[[Any], Any]) -> Any:
        """mu of patterns from p v, or from P v and Q v; without logarithms for exact numbers."""
        if len(sums) == 2:
            return _perspective(self.measure, sums[0], sums[1], log)
        mean = sums[0]
        if self.measure == "kullback-leibler":
            return t * log(t) * (mean - 1) / (t - 1) - mean * log(mean)
        return (mean - 1) * (t - mean) / mean if self.measure == "chi-squared" else (mean - 1) * (t - mean) / (t - 1)

    def _of_column(self, column: Array) -> Any:
        """mu of any column of FLINT's rationals."""
        laws = to_flint(self.laws)
        if len(laws) == 2:
            return _perspective(self.measure, laws[0].dot(column), laws[1].dot(column), _log)
        mean = laws[0].dot(column)
        parts = (p * _perspective(self.measure, v, mean, _log) for p, v in zip(laws[0], column, strict=True) if p)
        return sum(parts, fmpq(0))

    # -- bounds over all patterns -----------------------------------------------------------------

    def _by_enumeration(self, pi: Array, t: Any) -> Fraction:
        rows = [pi, *to_flint(self.laws)]
        sums = [[sum(row, fmpq(0))] for row in rows]
        for y in range(len(pi)):
            sums = [known + [s + (t - 1) * row[y] for s in known] for known, row in zip(sums, rows, strict=True)]
        own, *others = sums
        worth: dict[Any, Any] = {}
        worst = Fraction(0)
        for cost, *values in zip(own, *others, strict=True):
            key = tuple((v.p, v.q) for v in values)
            if key not in worth:
                worth[key] = self._of_sums(values, t, _log)
            worst = max(worst, _ends(worth[key] - cost)[1])
        return worst

    def _by_parts(self, pi: Array, t: Any, parts: Parts) -> Fraction:
        worst, boxes = fmpq(0), [[(0, len(group)) for group in parts.groups]]
        prior = to_flint(self.laws[0])
        for told in parts.told:
            box = boxes.pop()
            if isinstance(told, tuple):
                (group, number), ends = told, box[told[0]]
                for half in ((number + 1, ends[1]), (ends[0], number)):
                    boxes.append([*box[:group], half, *box[group + 1 :]])
                continue
            at = flint_number(told)
            slope = self._slope(at, t, _log)
            free = slope * prior - pi
            bound = self._of_sums([at], t, _log) - at * slope + free.sum()
            for members, (low, high) in zip(parts.groups, box, strict=True):
                largest = sorted((free[y] for y in members), key=float, reverse=True)
                bound += (t - 1) * sum(largest[:low], fmpq(0))
                bound += (t - 1) * sum((_larger(c, fmpq(0)) for c in largest[low:high]), fmpq(0))
            worst = _larger(worst, bound)
        return _ends(worst)[1]

    @property
    def _curve(self) -> Curve:
        t = float(self.ratio)
        return Curve(
            t,
            lambda mean: self._of_sums([mean], t, np.log),
            lambda mean: self._slope(mean, t, np.log),
        )

    def _slope(self, mean: Any, t: Any, log: Callable[[Any], Any]) -> Any:
        """h'(m)."""
        if self.measure == "kullback-leibler":
            return t * log(t) / (t - 1) - log(mean) - 1
        return t / (mean * mean) - 1 if self.measure == "chi-squared" else (t + 1 - 2 * mean) / (t - 1)

    def _by_chords(self, pi: Array, t: Any, points: list[Fraction]) -> Fraction:
        exact = [1 / t, *map(flint_number, points), t]
        heights = [_perspective(self.measure, x, fmpq(1), _log) for x in exact]
        rows, worst = to_flint(self.laws), Fraction(0)
        for i in range(len(exact) - 1):
            slope = (heights[i + 1] - heights[i]) / (exact[i + 1] - exact[i])
            start = heights[i] - slope * exact[i]
            free = [slope * a + start * b - v for a, b, v in zip(*rows, pi, strict=True)]
            worst = max(worst, _ends(sum((_larger(v, t * v) for v in free), fmpq(0)))[1])
        return worst

    # -- patterns ----------------------------------------------------------------------------------

    def _generated(self, laws: Array, t: float) -> tuple[Mixture, Array]:
        """In floats; with x log x - x + 1 for two laws, which is as small as their divergence if they are near."""
        near = len(laws) == 2 and self.measure == "kullback-leibler"
        first, less = to_float(self._for_many()), (laws[0] - laws[-1]) * near

        def worth(sums: list[Any]) -> Any:
            return self._of_sums(sums, t, np.log) - (sums[0] - sums[-1]) * near

        found, best = generate(laws, t, worth, lambda duals, least: self._price(duals + less, least), first - less)
        return found._replace(duals=found.duals + less, worth=found.worth + found.columns @ less), best + less

    def _price(self, duals: Array, least: float) -> tuple[float, Array]:
        """What bounds patterns beyond the duals, and patterns that are worth much beyond them; all of up to 16 labels.

        For two laws each is the best for a tangent of f, at points that are spread, and then twice at those of the
        patterns, and the bound is that of chords between these.
        """
        laws, t = to_float(self.laws), float(self.ratio)
        if len(self.inputs) <= _LOOKED_AT:
            masks = _all_masks(len(duals))
        elif len(laws) == 1:
            return split(self._curve, laws[0], duals, _FEW, least)[1:]
        else:
            points = np.concatenate([np.geomspace(1 / t, 1, 200), np.geomspace(1, t, 200)[1:]])
            at = points
            for _ in range(3):
                height = _perspective(self.measure, at, np.ones_like(at), np.log)
                slope = {"kullback-leibler": np.log(at) + 1, "chi-squared": 2 * (at - 1)}.get(
                    self.measure, np.sign(at - 1) / 2
                )
                free = slope[:, None] * laws[0] + (height - slope * at)[:, None] * laws[1] - duals
                masks = np.unique(free > 0, axis=0)
                means = laws @ self._columns(masks).T
                at = means[0] / means[1]
        gains = self.worth(masks) - self._columns(masks) @ duals
        best = np.argsort(-gains)[: 4 * len(duals)]
        bound = gains[best[0]]
        if len(duals) > _LOOKED_AT:
            ends = np.unique(np.round(np.concatenate([points, *(np.clip(at * c, 1 / t, t) for c in _BESIDE)]), 11))
            height = _perspective(self.measure, ends, np.ones_like(ends), np.log)
            slope = np.diff(height) / np.diff(ends)
            free = slope[:, None] * laws[0] + (height[:-1] - slope * ends[:-1])[:, None] * laws[1] - duals
            bound = np.maximum(free, t * free).sum(axis=1).max()
        return max(0.0, float(bound)), masks[best]

    def _for_many(self) -> Array:
        """Duals that bound everything where all shares are small: in proportion to them; of two laws to Q or P - Q."""
        if len(self.laws) == 2:
            first, second = self.laws
            steep = (self.ratio - 1) / (self.ratio + 1) / 2
            return np.asarray(abs(first - second) * steep if self.measure == "total-variation" else second)
        points = np.geomspace(1, float(self.ratio), 10**5)[1:-1]
        most = (self._of_sums([points], float(self.ratio), np.log) / points).max()
        return np.asarray(Fraction(float(most)) * self.laws[0])

    def _rounded(self, found: Mixture, best: Array) -> SublinearSolution:
        """A mixture in floats as a channel: what its rows lack of 1 is private itself, and is joined to an output."""
        t, prices = self.ratio, [self._for_many(), *(_exact(pi) for pi in (best, found.duals))]
        shares = shares_of(found)
        used = np.flatnonzero(shares > 1e-12)
        columns = as_array([[t if kept else Fraction(1) for kept in mask] for mask in found.masks[used]], "patterns", 2)
        columns *= _exact(shares[used])[:, None]
        for power in range(50, -1, -1):
            some = columns * (1 - Fraction(1, 2**power))
            rest = 1 - some.sum(axis=0)
            if 0 < max(rest) <= t * min(rest):
                break
        some[int(shares[used].argmax())] += rest
        names = [tuple(name for name, kept in zip(self.inputs, found.masks[i], strict=True) if kept) for i in used]
        channel = Channel(some.T, self.inputs, names)
        return SublinearSolution(self, channel, min(prices, key=lambda pi: total(pi) + self.excess(pi)))

    def _exactly(self, found: Mixture) -> SublinearSolution:
        """From patterns that are nearly tight, the best mixture of them exactly."""
        size, slack, basic = len(self.inputs), found.slack, found.stop.columns
        near = np.flatnonzero(basic | (slack <= 1e-9 * max(abs(found.worth).max(), 1e-300)))
        chosen = found.masks[near[np.argsort(slack[near] - basic[near], kind="stable")][: 3 * size]]
        every = _all_masks(size)
        for _ in range(_ROUNDS):  # ties leave the duals open: those found may be too small elsewhere
            shares, prices, values = self._mixture(chosen)
            duals = to_float(prices)
            more = fresh(every, self.worth(every) - self._columns(every) @ duals, duals, chosen)
            if not len(more):
                break
            chosen = np.vstack([chosen, more[:size]])
        used = np.flatnonzero(shares > 0)
        names = [tuple(name for name, kept in zip(self.inputs, chosen[i], strict=True) if kept) for i in used]
        channel = Channel((shares[used, None] * values[used]).T, self.inputs, names)
        return SublinearSolution(self, channel, prices)

    def _mixture(self, masks: Array) -> tuple[Array, Array, Array]:
        """The best mixture of some patterns exactly, its duals, and the patterns; logarithms are rounded down."""
        t, size = self.ratio, len(self.inputs)
        values = as_array([[t if kept else Fraction(1) for kept in mask] for mask in masks], "patterns", 2)
        sums = [[Fraction(total(law)) + (t - 1) * Fraction(total(law[mask])) for mask in masks] for law in self.laws]
        with ctx.workprec(_BITS):
            means = [[flint_number(value) for value in row] for row in zip(*sums, strict=True)]
            gains = [_ends(self._of_sums(row, flint_number(t), _log))[0] for row in means]
        ones = as_array([Fraction(1)] * size, "right", 1)
        found = decide(to_flint(values.T), to_flint(ones), to_flint(as_array(gains, "gains", 1)))
        return from_flint(cast(Array, found.solution)), from_flint(cast(Array, found.prices)), values


@dataclass(frozen=True)
class SublinearSolution:
    """A channel and duals: whatever they are, the optimum lies in [value, bound].

    Attributes
    ----------
    program : Sublinear
    channel : Channel
        Exact; an output is named by the labels that release it more often, t times.
    duals : ndarray of Fraction, shape (K,)

    Raises
    ------
    ProgramError
        On construction, if the channel is not private at the program's level, or not exact.
    """

    program: Sublinear
    channel: Channel
    duals: Array = field(repr=False)

    def __post_init__(self) -> None:
        level = PrivacyLevel.from_ratio(self.program.ratio)
        if not self.channel.is_exact or not self.channel.satisfies(level) or self.channel.inputs != self.program.inputs:
            raise ProgramError(
                "channel", self.channel, "an exact channel, private at the level, with the program's inputs"
            )

    @cached_property
    def value(self) -> Fraction:
        """What the channel is worth at least."""
        return self.program.ends(self.channel)[0]

    @cached_property
    def bound(self) -> Fraction:
        """What no private channel exceeds: the sum of the duals, raised until they are feasible."""
        return Fraction(total(self.raised))

    @cached_property
    def raised(self) -> Array:
        """The duals, all raised by as much as makes them feasible, shape (K,)."""
        return as_array(self.duals + self.program.excess(self.duals) / len(self.duals), "duals", 1)

    @property
    def gap(self) -> Fraction:
        """`bound` minus `value`, never negative."""
        return self.bound - self.value


def information(
    prior: object,
    epsilon: PrivacyLevel | float,
    measure: Measure = "kullback-leibler",
    names: Sequence[Hashable] | None = None,
) -> Sublinear:
    """The program for the largest information of true and released label.

    Parameters
    ----------
    prior : array_like, shape (K,)
        Distribution of the true label, K up to 200. Floats stand for the rational numbers that they are, divided by
        their sum.
    epsilon : float or PrivacyLevel
        Privacy level.
    measure : {"kullback-leibler", "chi-squared", "total-variation"}
        Of joint and independent labels; the first is the mutual information, in nats.
    names : sequence of hashable, optional
        Of the labels; default: numbers from 0 on.

    Raises
    ------
    PriorError, PrivacyLevelError
        If prior or level are not usable.
    ProgramError
        If there is no such measure, e^epsilon is above 10^10, there are more than 200 labels, or names do not fit.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.programs.sublinear import information
    >>> found = information([Fraction(1, 3)] * 3, PrivacyLevel.from_ratio(4), "chi-squared").solve()
    >>> found.value, found.bound  # randomised response: 3 (4/6)^2 (...) - 1 = 1/2
    (Fraction(1, 2), Fraction(1, 2))
    """
    return _program(as_array([_exact_law(prior)], "laws", 2), epsilon, measure, names)


def divergence(
    first: object,
    second: object,
    epsilon: PrivacyLevel | float,
    measure: Measure = "kullback-leibler",
    names: Sequence[Hashable] | None = None,
) -> Sublinear:
    """The program for the largest divergence of the released laws of two laws; parameters as for `information`.

    Parameters
    ----------
    first, second : array_like, shape (K,)
        P and Q.
    epsilon, measure, names
        As for `information`.

    Raises
    ------
    PriorError, PrivacyLevelError, ProgramError
        As for `information`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from lpmech import PrivacyLevel
    >>> from lpmech.programs.sublinear import divergence
    >>> laws = [[Fraction(n, 6) for n in law] for law in ((3, 2, 1), (1, 2, 3))]
    >>> found = divergence(laws[0], laws[1], PrivacyLevel.from_ratio(3), "total-variation").solve()
    >>> found.value == found.bound  # (t - 1)/(t + 1) of 1/3
    True
    >>> found.value
    Fraction(1, 6)
    """
    laws = [_exact_law(first), _exact_law(second)]
    if len(laws[0]) != len(laws[1]):
        raise ProgramError("second", f"{len(laws[1])} labels", f"{len(laws[0])}, as the first law has")
    return _program(as_array(laws, "laws", 2), epsilon, measure, names)


def _program(laws: Array, epsilon: PrivacyLevel | float, measure: Any, names: Sequence[Hashable] | None) -> Sublinear:
    size = laws.shape[1]
    if measure not in MEASURES:
        raise ProgramError("measure", measure, ", ".join(MEASURES))
    if size > _MOST:
        raise ProgramError("prior", f"{size} labels", f"at most {_MOST}")
    told, level = names_of(names, size, "names"), as_privacy_level(epsilon)
    if level.ratio > _LARGEST_RATIO:
        found = f"e^epsilon = {float(level.ratio):.6g}"
        raise ProgramError("epsilon", found, "e^epsilon of at most 10^10, so epsilon up to 23.025")
    return Sublinear(measure, laws, level, told)


def _exact_law(law: object) -> list[Fraction]:
    values = to_exact(np.asarray(as_prior(law)))
    return [Fraction(v) / total(values) for v in values]


def _exact(values: Array) -> Array:
    return as_array([Fraction(v) for v in values.tolist()], "values", 1)


def _all_masks(size: int) -> Array:
    """But for the pattern of t only, which is a multiple of that of 1 only."""
    return np.asarray((np.arange(2**size - 1)[:, None] >> np.arange(size)) % 2 == 1)


def _perspective(measure: str, a: Any, b: Any, log: Callable[[Any], Any]) -> Any:
    """b f(a / b) for b > 0."""
    if measure == "kullback-leibler":
        return a * log(a / b)
    return (a - b) * (a - b) / b if measure == "chi-squared" else abs(a - b) / 2


def _log(value: Any) -> Any:
    """The logarithm in a ball; of 1 exactly."""
    if isinstance(value, fmpq) and value == 1:
        return fmpq(0)
    return arb(value).log()


def _larger(one: Any, other: Any) -> Any:
    return arb(one).max(arb(other)) if isinstance(one, arb) or isinstance(other, arb) else max(one, other)


def _ends(value: Any) -> tuple[Fraction, Fraction]:
    """A rational number twice, or the ends of a ball."""
    if not isinstance(value, arb):
        found = Fraction(int(fmpq(value).p), int(fmpq(value).q))
        return found, found
    low, high = (tuple(int(part) for part in end.man_exp()) for end in (value.lower(), value.upper()))
    return Fraction(low[0]) * Fraction(2) ** low[1], Fraction(high[0]) * Fraction(2) ** high[1]
