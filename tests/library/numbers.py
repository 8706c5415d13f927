"""The mechanisms for numbers of an interval: every method against the law that their definitions give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from library.paper import PAPER
from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.papers.across.agreement import Named, as_ball, compared, halved, with_part
from lpmech.papers.across.chance import DRAWS, Even
from lpmech.papers.checks import ball
from lpmech.papers.zheng2025.balls import upper_tail

#: Places relative to an interval: 0 its left end, 1 its right one.
_TRUE = tuple(map(Fraction, ("0", "3/8", "13/16", "1")))
_PLACES = tuple(map(Fraction, ("-1/2", "0", "1/4", "3/8", "3/4", "1", "3/2")))
_RADII = tuple(map(Fraction, ("1/64", "5/32", "43/64")))
_SHARES = list(map(ball, ("1/50", "1/3", "1/2", "9/10", "99/100")))
_OFF = Fraction(1, 10**9)
_LOW, _HIGH = Fraction(-2), Fraction(3)


class Law(NamedTuple):
    """Pr[released <= y | x] of y and x, the level, the support, and the atoms of x, in balls."""

    below: Callable[[Any, Any], Any]
    level: Any
    support: tuple[Any, Any] = (-inf, inf)
    atoms: Callable[[Fraction], dict[Fraction, Any]] = lambda x: {}

    def mass(self, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        """Pr[a <= released <= b]; an end that is missing is None."""
        top = 1 if b is None else self.below(b, x)
        return top if a is None else top - self.below(a, x) + self.atoms(x).get(a, 0)


def laplace_law(e: Any) -> Law:
    """Noise of scale 5 / epsilon, for [-2, 3]."""

    def below(y: Any, x: Any) -> Any:
        tail = (-e * ball(abs(y - x)) / 5).exp() / 2
        return tail if y < x else 1 - tail

    return Law(below, e)


def _clipped(noise: Law) -> Law:
    """Of noise: what falls outside is an atom at the nearer end."""
    level = (noise.below(_LOW, _LOW) / noise.below(_LOW, _HIGH)).log()
    return Law(
        lambda y, x: arb(0) if y < _LOW else arb(1) if y >= _HIGH else noise.below(y, x), level, (_LOW, _HIGH),
        lambda x: {_LOW: noise.below(_LOW, x), _HIGH: 1 - noise.below(_HIGH, x)},
    )  # fmt: skip


def _truncated(noise: Law) -> Law:
    """Of noise: given that it falls inside."""

    def below(y: Any, x: Any) -> Any:
        inside, most = (noise.below(min(max(end, _LOW), _HIGH), x) - noise.below(_LOW, x) for end in (y, _HIGH))
        return inside / most

    return Law(below, noise.level, (_LOW, _HIGH))


class Window(NamedTuple):
    """The density high on [start(x), start(x) + width], and that over e^epsilon on the rest of [first, last]."""

    first: Any
    last: Any
    start: Callable[[Any], Any]
    width: Any
    high: Any
    level: Any

    @property
    def law(self) -> Law:
        first, last, low = as_ball(self.first), as_ball(self.last), self.high * (-self.level).exp()

        def below(y: Any, x: Any) -> Any:
            end = as_ball(y).max(first).min(last)
            near = (end - self.start(ball(x))).max(arb(0)).min(self.width)
            return (end - first - near) * low + near * self.high

        return Law(below, self.level, (first, last))

    def mean(self, integral: Callable[[Any], Any], x: Any) -> Any:
        """The expectation of a function of released - x, given by its integral from 0."""
        low, start = self.high * (-self.level).exp(), self.start(x) - x
        whole, near = integral(self.last - x) - integral(self.first - x), integral(start + self.width) - integral(start)
        return low * whole + (self.high - low) * near


def pm(e: Any) -> Window:
    """PM as published, from [-1, 1] (Wang et al. 2019, Alg. 2)."""
    s = (e / 2).exp()
    c = (s + 1) / (s - 1)
    return Window(-c, c, lambda x: (c + 1) / 2 * x - (c - 1) / 2, c - 1, (s * s - s) / (2 * s + 2), e)


def sw(e: Any) -> Window:
    """SW as published, from [0, 1] (Li et al. 2020), with their b."""
    t = e.exp()
    b = (e * t - t + 1) / (2 * t * (t - 1 - e))
    return Window(-b, 1 + b, lambda x: x - b, 2 * b, t / (2 * b * t + 1), e)


def _near(low: Any, high: Any, delta: Fraction, e: Any) -> Law:
    """RPWithPrior for a number of [low, high] (liu2026, Def. 2.6)."""
    density = 1 / (ball(2 * delta) + ball(high - low) * (-e).exp())
    law = Window(low - delta, high + delta, lambda y: y - ball(delta), ball(2 * delta), density, e).law
    return law if low < high else law._replace(level=arb(0))


def _carried(law: Law, own: int, low: int, factor: int) -> Law:
    """The law of low + factor (M - own), M applied to the number carried to its own interval, which begins at own."""
    first, last = ((end - own) * factor + low for end in law.support)
    return Law(
        lambda y, x: law.below(own + (y - low) / factor, own + (x - low) / factor), law.level, (first, last),
        lambda x: {(y - own) * factor + low: v for y, v in law.atoms(own + (x - low) / factor).items()},
    )  # fmt: skip


def nearest(channel: Channel, x: Fraction) -> Any:
    """The row of the nearest input, the smaller one of two."""
    points: Any = channel.inputs
    return channel.matrix[min(range(len(points)), key=lambda i: (abs(points[i] - x), i))]


def mixed(channel: Channel, x: Fraction) -> Any:
    """The rows of the inputs below and above, mixed so that the mean input is x."""
    points: Any = channel.inputs
    i = max(k for k in range(len(points) - 1) if points[k] <= x)
    share = (x - points[i]) / (points[i + 1] - points[i])
    return (1 - share) * channel.matrix[i] + share * channel.matrix[i + 1]


def up_to(mechanism: Any, law: Law, x: Fraction, ends: list[Fraction]) -> Named:
    """What lies below; simulate draws from evenly spread numbers."""
    points, below = list(map(float, ends)), [law.below(y, x) for y in ends]
    drawn = mechanism.simulate(np.full(DRAWS, float(x)), Even())
    yield "level", mechanism.epsilon, law.level
    yield "support", mechanism.support, law.support
    yield "cdf", mechanism.cdf(points, float(x)), below
    yield "shares drawn", [np.mean(drawn <= y) for y in points], below


def between(mechanism: Any, law: Law, x: Fraction, ends: list[Fraction], radii: list[Fraction], shares: Any) -> Named:
    """What lies in intervals and balls, and the quantiles."""
    pairs = [(a, b) for a, b in product([None, *ends], [*ends, None]) if a is None or b is None or a <= b]
    low, high = [-inf if a is None else float(a) for a, _ in pairs], [inf if b is None else float(b) for _, b in pairs]
    yield "masses of intervals", mechanism.mass(low, high, float(x)), [law.mass(a, b, x) for a, b in pairs]
    near = mechanism.concentration(float(x), list(map(float, radii)))
    yield "masses of balls", near, [law.mass(x - r, x + r, x) for r in radii]
    for u, found in zip(shares, mechanism.quantile(list(map(float, shares)), float(x)), strict=True):
        before, after = (law.below(Fraction(float(found)) + off, x) for off in (-_OFF, _OFF))
        yield f"{found:.10g} is the quantile of {u}", bool(before < u <= after), True


def _methods(mechanism: Any, law: Law, x: Fraction, ends: list[Fraction], unit: Fraction) -> Named:
    yield from up_to(mechanism, law, x, ends)
    apart, step = [y + unit / 64 for y in ends], Fraction(1, 10**12)
    slopes = [(law.below(y + step, x) - law.below(y - step, x)) / ball(2 * step) for y in apart]
    density = mechanism.pdf(list(map(float, apart)), float(x))
    yield "density", density / [1 + float(d) for d in slopes], [d / (1 + d) for d in slopes]
    if not isinstance(mechanism, m.RPWithPrior):
        yield from between(mechanism, law, x, ends, [share * unit for share in _RADII], _SHARES)
        yield "domain", mechanism.domain, (ends[1], ends[5])
        yield "atoms", mechanism.has_atoms, bool(law.atoms(x))
    if isinstance(mechanism, m.Clipped):
        yield "masses of atoms", mechanism.atoms(float(x)), list(law.atoms(x).values())


def _cases(classes: Any, epsilon: Fraction) -> Iterator[tuple[str, Any, Law, tuple[Any, Any]]]:
    """Every mechanism at one level, with its law and the interval of true numbers."""
    laplace, truncated, gaussian, clip, original_pm, original_sw, rescaled, tossed, rp = classes
    level, e, domain, longer = float(epsilon), ball(epsilon), (-2, 3), (-2, 6)
    noise, normal = laplace_law(e), Law(lambda y, x: upper_tail(ball(x - y) * e / 5), inf)
    quarter = ball("1/4")
    clipped, carried = clip(laplace(level, domain)), _carried(pm(e).law, -1, -2, 4)
    yield "Laplace", laplace(level, domain), noise, domain
    yield "truncated Laplace", truncated(level, domain), _truncated(noise), domain
    yield "Gaussian", gaussian(5 / level, domain), normal, domain
    yield "clipped Laplace", clipped, _clipped(noise), domain
    yield "clipped Gaussian", clip(gaussian(5 / level, domain)), _clipped(normal), domain
    yield "PM", original_pm(level), pm(e).law, (-1, 1)
    yield "SW", original_sw(level), sw(e).law, (0, 1)
    yield "SW at epsilon = 2^-17", original_sw(2.0**-17), sw(arb(2.0**-17)).law, (0, 1)
    yield "PM", rescaled(original_pm(level), longer), carried, longer
    yield "clipped Laplace", rescaled(clipped, (1, 11)), _carried(_clipped(noise), -2, 1, 2), (1, 11)
    mixed = Law(
        lambda y, x: carried.below(y, x) * 3 / 4 + quarter * (y >= x), inf, carried.support, lambda x: {x: quarter}
    )
    yield "PM or the true number", tossed(rescaled(original_pm(level), longer), 0.25), mixed, longer
    for delta in (Fraction(1, 2), Fraction(4)):
        made, near, wide = rp(-2, 3, float(delta), level), _near(_LOW, _HIGH, delta, e), ball(5 + 2 * delta)
        flat = Window(-2 - delta, 3 + delta, lambda y: y, arb(0), e.exp() / wide, e).law
        yield f"RPWithPrior, delta = {delta}", made, near, domain
        yield from ((f"RPWithPrior, delta = {delta}, outside", made, flat, beyond) for beyond in ((-9, -3), (4, 9)))
        yield "RPWithPrior of one number", rp(1, 1, float(delta), level), _near(1, 1, delta, e), (1, 1)


_CLASSES = (m.Laplace, m.TruncatedLaplace, m.Gaussian, m.Clipped, m.OriginalPM, m.OriginalSW, m.Rescaled, m.PrivacyIndicator, m.RPWithPrior)  # fmt: skip


@PAPER.claim(
    "Ours (mechanisms on an interval, the functions)",
    r"Laplace, TruncatedLaplace, Gaussian, Clipped, OriginalPM, OriginalSW, Rescaled, PrivacyIndicator and RPWithPrior have on every interval the cdf, density, masses, quantiles, atoms, support and level of their definitions, and simulate draws by them",
    hypotheses="RPWithPrior as in Def. 2.6 of liu2026, its level 0 for one number; the density against a quotient of the cdf; a quantile is right to $10^{-9}$, the law that simulate draws from 987 evenly spread numbers to $1/100$",
    family="ten mechanisms, SW at the level 2^-17 too, and RPWithPrior for two widths, on [-2, 3], [-1, 1], [0, 1], [-2, 6], [1, 11], [1, 1]; epsilon = 1/10, 1, 6, four true numbers, both ends among them; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=_CLASSES,
    mutants={
        **halved(_CLASSES, 0, 1, 2, 4, 5, 7, 8),
        "not truncated": with_part(_CLASSES, 1, m.Laplace),
        "PM of zheng2025": with_part(_CLASSES, 4, lambda e: m.Rescaled(m.PM(e), (-1, 1))),
    },
)
def mechanisms_on_an_interval(classes: Any) -> Parts:
    with ctx.workprec(160):
        for epsilon, place in product(map(Fraction, ("1/10", "1", "6")), _TRUE):
            for kind, mechanism, law, (low, high) in _cases(classes, epsilon):
                unit, at = Fraction(high - low) or Fraction(1), f"{kind} on [{low}, {high}], epsilon = {epsilon}"
                x, ends = low + place * (high - low), [low + p * unit for p in _PLACES]
                yield from compared(f"{at}, x = {x}", _methods(mechanism, law, x, ends, unit))
