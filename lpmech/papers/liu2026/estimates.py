"""Rigorous probabilities for the partition (3.3) when the prior is estimated by Alg. 3: balls, no simulation.

Of n examples drawn without replacement k_i have label i with probability prod C(n_i, k_i) / C(sum n_i, n); Alg. 3
adds Lap(2/epsilon) to each and clips at zero. The largest noisy count M decides the partition: label i is in S1 iff its
noisy count is at least e^(-1/sigma) M. For M in a short interval the thresholds are bounded, so the probability that all
noisy counts lie in given sets, one coefficient of a product of ten polynomials, bounds that of the event. Summed over
intervals this encloses it, with all that is left out (large deviations of counts or of M) added above.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache, partial
from math import comb, prod

from flint import arb, arb_mat, arb_poly

from lpmech.certify.checker import exp_bounds
from lpmech.linear_algebra import flint_number
from lpmech.papers.liu2026.tables import COUNTS

#: Share of the training set in D1 (5.1.2).
SHARE = Fraction(1, 100)

#: The largest noisy count is looked for between these.
LEAST, MOST = 40, 96

#: Counts further from their mean than this many standard deviations (and 6) are left out of lower bounds.
DEVIATIONS = 7

Bounds = tuple[Fraction, Fraction]


def exact(point: arb) -> Fraction:
    """The rational number that an end of a ball is."""
    number = point.fmpq()
    return Fraction(int(number.p), int(number.q))


def _rounded(value: Fraction, up: bool) -> Fraction:
    scaled = value * 1000
    return Fraction(-(-scaled // 1) if up else scaled // 1, 1000)


def _decay(sigma: Fraction) -> Bounds:
    low, high = exp_bounds(1 / sigma)
    return 1 / high, 1 / low


class _Estimate:
    """The law of the noisy counts for one data set and budget."""

    def __init__(self, dataset: str, epsilon: Fraction) -> None:
        counts = COUNTS[dataset]
        self.drawn = round(SHARE * sum(counts))
        self.scale = 2 / epsilon
        means = [n * self.drawn / sum(counts) for n in counts]
        reach = [(mean, DEVIATIONS * mean**0.5 + 6) for mean in means]
        self.windows = [(max(0, int(mean - width)), int(mean + width)) for mean, width in reach]
        windows = zip(counts, self.windows, strict=True)
        self.ways = [[arb(comb(n, k)) for k in range(low, high + 1)] for n, (low, high) in windows]
        self.in_all = comb(sum(counts), self.drawn)
        self.largest = max(high for _, high in self.windows)
        self._below = lru_cache(maxsize=8)(self._found_below)  # each is asked for at both ends of a cell

    def _found_below(self, point: Fraction) -> list[arb]:
        """Probability that k + Lap is at most the point, for k = 0, ..., the largest count."""
        at, scale = flint_number(point), flint_number(self.scale)
        tails = (arb(-abs(at - k) / scale).exp() / 2 for k in range(self.largest + 1))
        return [1 - tail if k <= point else tail for k, tail in enumerate(tails)]

    def all_inside(self, most: Fraction, least: Fraction | None, gap_below: Fraction | None) -> arb:
        """Probability that every noisy count is at most `most` and at least `least`, or else at most `gap_below`."""
        inside = self._below(most)
        if least is not None:
            inside = [a - b for a, b in zip(inside, self._below(least), strict=True)]
        if gap_below is not None:
            inside = [a + b for a, b in zip(inside, self._below(gap_below), strict=True)]
        factors = [
            arb_poly([w * p for w, p in zip(ways, inside[low : high + 1], strict=True)])
            for ways, (low, high) in zip(self.ways, self.windows, strict=True)
        ]
        first, second = (prod(part, start=arb_poly([1])).coeffs() for part in (factors[:5], factors[5:]))
        target = self.drawn - sum(low for low, _ in self.windows)
        pairs = range(max(0, target - len(second) + 1), min(len(first), target + 1))
        row = arb_mat(1, len(pairs), [first[i] for i in pairs])
        column = arb_mat(len(pairs), 1, [second[target - i] for i in pairs])
        return (row * column)[0, 0] / self.in_all

    def enclose(self, above: Bounds, below: Bounds | None, width: Fraction, upper: bool) -> arb:
        """A bound of the probability that no noisy count lies in [below M, above M), M the largest.

        Given are bounds of both factors (without `below` nothing below `above` M is allowed) and the length of the
        intervals for M. For an upper bound thresholds are moved, and what is left out is added, the other way.
        """
        total = arb(0)
        cells = int((MOST - LEAST) / width)
        for step in range(cells):
            low, high = LEAST + step * width, LEAST + (step + 1) * width
            near, far = (low, high) if upper else (high, low)
            least = _rounded(above[not upper] * near, up=not upper)
            gap = None if below is None else _rounded(below[upper] * far, up=upper)
            total += self.all_inside(high, least, gap) - self.all_inside(low, least, gap)
        if upper:
            covered = self.all_inside(Fraction(MOST), None, None) - self.all_inside(Fraction(LEAST), None, None)
            total += 1 - covered
        return total


_estimate = cache(_Estimate)


@cache
def minority_is_empty(dataset: str, epsilon: Fraction, sigma: Fraction) -> Bounds:
    """Bounds of the probability that S2 is empty."""
    estimate = _estimate(dataset, epsilon)
    low, high = (estimate.enclose(_decay(sigma), None, Fraction(2), upper) for upper in (False, True))
    return exact(low.lower()), exact(high.upper())


@cache
def _agreement(dataset: str, epsilon: Fraction, sigma: Fraction, other: Fraction, upper: bool) -> Fraction:
    below, above = (_decay(s) for s in sorted((sigma, other)))
    bound = _estimate(dataset, epsilon).enclose(above, below, Fraction(1), upper)
    return exact(bound.upper() if upper else bound.lower())


#: Bounds of the probability that both sigmas give the same S1 from one estimate.
least_agreement, most_agreement = partial(_agreement, upper=False), partial(_agreement, upper=True)
