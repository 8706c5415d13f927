"""Utilities behind Figs. 4 and 5 enclosed in balls (Arb): every comparison of two of them that is made is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import flint

from lpmech.certify.checker import exp_bounds
from lpmech.entries import Array
from lpmech.errors import UndecidedError
from lpmech.linear_algebra import flint_number
from lpmech.papers.checks import ball
from lpmech.utilities import absolute, tanimoto

_bounds = cache(exp_bounds)
#: The limit of a term as similar as all before it, and more so than some other: no e^epsilon here is as large.
_ALWAYS = flint.fmpq(10**1000)


def at_budget(value: Callable[[Fraction], Any], epsilon: Fraction) -> Any:
    """What is the same at rationals below and above e^epsilon, and changes one way only as t grows."""
    found = {value(t) for t in _bounds(epsilon)}
    if len(found) > 1:
        raise UndecidedError(f"e^epsilon at epsilon = {epsilon} is not told apart from a threshold: {found}")
    return found.pop()


class Figure:
    """One symmetric utility on 1..N, exact, and its name: the average utilities of the mechanisms at real budgets."""

    def __init__(self, name: str, utility: Array) -> None:
        self.name, self.utility = name, utility
        entries = [list(map(Fraction, row)) for row in utility.tolist()]
        places = {v: place for place, v in enumerate(dict.fromkeys(v for row in entries for v in row))}
        self._distinct = [flint.fmpq(v.numerator, v.denominator) for v in places]
        self._places = [[places[v] for v in row] for row in entries]
        self.rows = [[self._distinct[place] for place in row] for row in self._places]
        ordered = [sorted(row, reverse=True) for row in self.rows]
        self._sums = [sum(column, flint.fmpq(0)) for column in zip(*ordered, strict=True)]
        least = [min(column) for column in zip(*map(_limits, ordered), strict=True)]  # BRR: no row stops before
        self._limits = {"GRR": [flint.fmpq(0)], "BRR": least, "BRR*": _limits(self._sums)}

    def m(self, mechanism: str, epsilon: Fraction) -> int:
        """m of GRR, BRR (Alg. 2) or BRR* (Alg. 3, uniform prior) at this budget."""
        t = ball(epsilon).exp()
        i, limit = next(((i, v) for i, v in enumerate(self._limits[mechanism], 1) if not t < v), (len(self.rows), 0))
        if not t > limit:
            raise UndecidedError(f"e^epsilon in {t} is not told apart from {limit}")
        return i

    def ms(self, low: Fraction, high: Fraction) -> range:
        """Every m that BRR can have at a budget in [low, high]: m does not rise with it."""
        return range(self.m("BRR", high), self.m("BRR", low) + 1)

    def common(self, m: int, epsilon: Fraction) -> Any:
        """Average utility of (6) with this m for every row."""
        n, t = len(self.rows), ball(epsilon).exp()
        top, rest = sum(self._sums[:m], flint.fmpq(0)), sum(self._sums[m:], flint.fmpq(0))
        return (t * top + rest) / (t * m + (n - m)) / n

    def average(self, mechanism: str, epsilon: Fraction) -> Any:
        """Average utility over the true item; a loss counts negatively."""
        if mechanism == "exponential":
            return self._exponential(epsilon)
        return self.common(self.m(mechanism, epsilon), epsilon)

    @cache  # noqa: B019  (figures live as long as the module)
    def _exponential(self, epsilon: Fraction) -> Any:
        """Eq. (3): weights exp(epsilon u/(2 Delta)), each computed once for equal similarities; no term is kept of so many."""
        factor = flint.arb(flint_number(epsilon)) / (
            2 * max(max(column) - min(column) for column in zip(*self.rows, strict=True))
        )
        weights = [(factor * u).exp() for u in self._distinct]
        weighted = [weight * u for weight, u in zip(weights, self._distinct, strict=True)]
        means = (sum(weighted[i] for i in row) / sum(weights[i] for i in row) for row in self._places)
        return sum(means) / len(self.rows)


def _limits(row: list[Any]) -> list[Any]:
    """For i = 2, 3, ...: the i-th term is raised exactly for t below this limit, the earlier ones being raised.

    The numerator of (7) is t ((i - 1) lambda_i - P_(i-1)) + (N - i + 1) lambda_i - R; the factor of t is not positive.
    """
    limits, before, rest = [], flint.fmpq(0), sum(row, flint.fmpq(0))
    for i in range(1, len(row)):
        before, rest = before + row[i - 1], rest - row[i - 1]
        slope, constant = i * row[i] - before, (len(row) - i) * row[i] - rest
        limits.append(-constant / slope if slope else _ALWAYS if constant > 0 else flint.fmpq(0))
    return limits


@cache
def tanimoto_figure(n: int) -> Figure:
    """The Tanimoto similarity on 1..N (Fig. 4)."""
    return Figure("Tanimoto similarity", tanimoto(n))


@cache
def distance_figure(n: int) -> Figure:
    """-|i - j| on 1..N (Fig. 5)."""
    return Figure("|i - j| as loss", absolute(n))


def not_ahead_on(figure: Figure, low: Fraction, high: Fraction) -> Iterator[Fraction]:
    """Budgets in [low, high] at which BRR is not above the exponential mechanism; none is a proof for every real budget.

    On an interval BRR has an m between those of its ends, because m does not rise with epsilon, and its utility for a
    given m does not fall; the exponential mechanism's does not rise above that at the upper end.
    """

    def ahead(low: Fraction, high: Fraction) -> bool:
        bound = figure.average("exponential", high)
        return all(figure.common(m, low) > bound for m in figure.ms(low, high))

    return unsettled(low, high, ahead)


def unsettled(low: Fraction, high: Fraction, settled: Callable[[Fraction, Fraction], bool]) -> Iterator[Fraction]:
    """Lower ends of the intervals that are not settled and shorter than a thousandth; longer ones are halved."""
    if settled(low, high):
        return
    if high - low < Fraction(1, 1000):
        yield low
        return
    middle = (low + high) / 2
    yield from unsettled(low, middle, settled)
    yield from unsettled(middle, high, settled)
