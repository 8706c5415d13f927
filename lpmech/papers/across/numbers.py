"""The mechanisms for numbers of an interval: every method against the law that their definitions give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from lpmech import mechanisms as m
from lpmech.claims import Parts
from lpmech.papers.across.chance import DRAWS, Even
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.balls import ball, upper_tail

#: Places relative to an interval: 0 its left end, 1 its right one.
_TRUE = tuple(map(Fraction, ("0", "3/8", "13/16", "1")))
_PLACES = tuple(map(Fraction, ("-1/2", "0", "1/4", "3/8", "3/4", "1", "3/2")))
_RADII = tuple(map(Fraction, ("1/64", "5/32", "43/64")))
_SHARES = tuple(map(Fraction, ("1/50", "1/3", "1/2", "9/10", "99/100")))
_LOW, _HIGH = Fraction(-2), Fraction(3)


class Law(NamedTuple):
    """Pr[released <= y | x] of y and x, the level, the support, and the atoms of x, in balls."""

    below: Callable[[Any, Any], Any]
    level: Any
    support: tuple[Any, Any] = (-inf, inf)
    atoms: Callable[[Fraction], dict[Fraction, Any]] = lambda x: {}

    def mass(self, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        """Pr[a <= released <= b]; an end that is missing is None."""
        top, rest = arb(1) if b is None else self.below(b, x), arb(0) if a is None else self.below(a, x)
        return top - rest + (0 if a is None else self.atoms(x).get(a, 0))


def _ball(value: Any) -> Any:
    return value if isinstance(value, arb) else arb(value) if isinstance(value, float) else ball(value)


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


def window_law(first: Any, last: Any, start: Callable[[Any], Any], width: Any, high: Any, e: Any) -> Law:
    """The density high on [start(x), start(x) + width], and that over e^epsilon on the rest of the support."""
    first, last, low = _ball(first), _ball(last), high * (-e).exp()

    def below(y: Any, x: Any) -> Any:
        end = _ball(y).max(first).min(last)
        near = (end - start(ball(x))).max(arb(0)).min(width)
        return (end - first - near) * low + near * high

    return Law(below, e, (first, last))


def pm_law(e: Any) -> Law:
    """PM as published, from [-1, 1] (Wang et al. 2019, Alg. 2)."""
    s = (e / 2).exp()
    c = (s + 1) / (s - 1)
    return window_law(-c, c, lambda x: (c + 1) / 2 * x - (c - 1) / 2, c - 1, (s * s - s) / (2 * s + 2), e)


def _sw(e: Any) -> Law:
    """SW as published, from [0, 1] (Li et al. 2020), with their b."""
    t = e.exp()
    b = (e * t - t + 1) / (2 * t * (t - 1 - e))
    return window_law(-b, 1 + b, lambda x: x - b, 2 * b, t / (2 * b * t + 1), e)


def _near(low: Any, high: Any, delta: Fraction, e: Any) -> Law:
    """RPWithPrior for a number of [low, high] (liu2026, Def. 2.6)."""
    density = 1 / (ball(2 * delta) + ball(high - low) * (-e).exp())
    law = window_law(low - delta, high + delta, lambda y: y - ball(delta), ball(2 * delta), density, e)
    return law if low < high else law._replace(level=arb(0))


def _flat(low: Any, high: Any, e: Any) -> Law:
    width = ball(high - low)
    return window_law(low, high, lambda y: ball(low), width, 1 / width, e)


def _carried(law: Law, own: int, low: int, factor: int) -> Law:
    """The law of low + factor (M - own), M applied to the number carried to its own interval, which begins at own."""
    first, last = ((end - own) * factor + low for end in law.support)
    return Law(
        lambda y, x: law.below(own + (y - low) / factor, own + (x - low) / factor), law.level, (first, last),
        lambda x: {(y - own) * factor + low: v for y, v in law.atoms(own + (x - low) / factor).items()},
    )  # fmt: skip


def _tossed(law: Law) -> Law:
    """The true number with probability 1/4."""
    return Law(
        lambda y, x: law.below(y, x) * 3 / 4 + (arb("0.25") if y >= x else 0),
        inf,
        law.support,
        lambda x: {x: arb("0.25")},
    )


def _values(
    mechanism: Any, law: Law, x: Fraction, ends: list[Fraction], unit: Fraction
) -> Iterator[tuple[str, Any, Any]]:
    """What the methods give, and the law; simulate draws from evenly spread numbers."""
    at, points = float(x), list(map(float, ends))
    yield "level", mechanism.epsilon, law.level
    yield from (("end of the support", *pair) for pair in zip(mechanism.support, law.support, strict=True))
    drawn = mechanism.simulate(np.full(DRAWS, at), Even())
    for y, found in zip(ends, mechanism.cdf(points, at), strict=True):
        yield f"cdf at {y}", found, law.below(y, x)
        yield f"share drawn up to {y}", np.mean(drawn <= float(y)), law.below(y, x)
    apart, step = [y + unit / 64 for y in ends], Fraction(1, 10**12)
    for y, found in zip(apart, mechanism.pdf(list(map(float, apart)), at), strict=True):
        quotient = (law.below(y + step, x) - law.below(y - step, x)) / ball(2 * step)
        yield f"density at {y}", found / (1 + float(quotient)), quotient / (1 + quotient)
    if isinstance(mechanism, m.RPWithPrior):
        return
    yield "atoms", mechanism.has_atoms, arb(bool(law.atoms(x)))
    yield from (("domain", *pair) for pair in zip(mechanism.domain, (ends[1], ends[5]), strict=True))
    pairs = [(a, b) for a, b in product([None, *ends], [*ends, None]) if a is None or b is None or a <= b]
    low, high = [-inf if a is None else float(a) for a, _ in pairs], [inf if b is None else float(b) for _, b in pairs]
    for (a, b), found in zip(pairs, mechanism.mass(low, high, at), strict=True):
        yield f"mass of [{a}, {b}]", found, law.mass(a, b, x)
    for share in _RADII:
        r = share * unit
        yield f"mass within {r}", mechanism.concentration(at, float(r)), law.mass(x - r, x + r, x)
    for u in _SHARES:
        found = Fraction(float(mechanism.quantile(float(u), at)))
        sides = law.below(found - Fraction(1, 10**9), x), law.below(found + Fraction(1, 10**9), x)
        yield f"quantile {float(found):.10g} of {u}", bool(sides[0] < ball(u) < sides[1]), arb(1)
    if isinstance(mechanism, m.Clipped):
        yield from (("atom", *pair) for pair in zip(mechanism.atoms(at), law.atoms(x).values(), strict=True))


def _cases(classes: Any, epsilon: Fraction) -> Iterator[tuple[str, Any, Law, tuple[Any, Any]]]:
    """Every mechanism at one level, with its law and the interval of true numbers."""
    laplace, truncated, gaussian, clipped, pm, sw, rescaled, tossed, rp = classes
    level, e, domain = float(epsilon), ball(epsilon), (-2, 3)
    noise, normal = laplace_law(e), Law(lambda y, x: upper_tail(ball(x - y) * e / 5), inf)
    yield "Laplace", laplace(level, domain), noise, domain
    yield "truncated Laplace", truncated(level, domain), _truncated(noise), domain
    yield "Gaussian", gaussian(5 / level, domain), normal, domain
    yield "clipped Laplace", clipped(laplace(level, domain)), _clipped(noise), domain
    yield "clipped Gaussian", clipped(gaussian(5 / level, domain)), _clipped(normal), domain
    yield "PM", pm(level), pm_law(e), (-1, 1)
    yield "SW", sw(level), _sw(e), (0, 1)
    yield "SW at epsilon = 2^-17", sw(2.0**-17), _sw(arb(2.0**-17)), (0, 1)
    carried = _carried(pm_law(e), -1, -2, 4)
    yield "PM", rescaled(pm(level), (-2, 6)), carried, (-2, 6)
    yield (
        "clipped Laplace",
        rescaled(clipped(laplace(level, domain)), (1, 11)),
        _carried(_clipped(noise), -2, 1, 2),
        (1, 11),
    )
    yield "PM or the true number", tossed(rescaled(pm(level), (-2, 6)), 0.25), _tossed(carried), (-2, 6)
    for delta in (Fraction(1, 2), Fraction(4)):
        made, near, flat = rp(-2, 3, float(delta), level), _near(_LOW, _HIGH, delta, e), _flat(-2 - delta, 3 + delta, e)
        yield f"RPWithPrior, delta = {delta}", made, near, domain
        yield from ((f"RPWithPrior, delta = {delta}, outside", made, flat, beyond) for beyond in ((-9, -3), (4, 9)))
        yield "RPWithPrior of one number", rp(1, 1, float(delta), level), _near(1, 1, delta, e), (1, 1)


_CLASSES = (m.Laplace, m.TruncatedLaplace, m.Gaussian, m.Clipped, m.OriginalPM, m.OriginalSW, m.Rescaled, m.PrivacyIndicator, m.RPWithPrior)  # fmt: skip


def _with(place: int, other: Any) -> tuple[Any, ...]:
    return (*_CLASSES[:place], other, *_CLASSES[place + 1 :])


@PAPER.claim(
    "Ours (mechanisms on an interval, the functions)",
    r"Laplace, TruncatedLaplace, Gaussian, Clipped, OriginalPM, OriginalSW, Rescaled, PrivacyIndicator and RPWithPrior have on every interval the cdf, density, masses, quantiles, atoms, support and level of their definitions, and simulate draws by them",
    hypotheses="RPWithPrior as in Def. 2.6 of liu2026, its level 0 for one number; the density against a quotient of the cdf; a quantile is right to 1e-9, the law that simulate draws from 987 evenly spread numbers to 1/100",
    recorded="certified",
    family="ten mechanisms, SW at the level 2^-17 too, and RPWithPrior for two widths, on [-2, 3], [-1, 1], [0, 1], [-2, 6], [1, 11], [1, 1]; epsilon = 1/10, 1, 6, four true numbers, both ends among them; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=_CLASSES,
    mutants={
        "noise for [0, 1]": _with(0, lambda e, domain: m.Laplace(2.5 * e, domain)),
        "not truncated": _with(1, m.Laplace),
        "the variance": _with(2, lambda scale, domain: m.Gaussian(scale**2, domain)),
        "PM of zheng2025": _with(4, lambda e: m.Rescaled(m.PM(e), (-1, 1))),
        "the coin the other way round": _with(7, lambda mechanism, delta: m.PrivacyIndicator(mechanism, 1 - delta)),
        "half the neighbourhood": _with(8, lambda low, high, delta, e: m.RPWithPrior(low, high, delta / 2, e)),
    },
)
def mechanisms_on_an_interval(classes: Any) -> Parts:
    with ctx.workprec(160):
        for epsilon, place in product(map(Fraction, ("1/10", "1", "6")), _TRUE):
            for kind, mechanism, law, (low, high) in _cases(classes, epsilon):
                unit = Fraction(high - low) or Fraction(1)
                x, ends = low + place * (high - low), [low + p * unit for p in _PLACES]
                for name, found, right in _values(mechanism, law, x, ends, unit):
                    limit = arb("1e-2" if name.startswith("share") else "1e-12")
                    same = abs(arb(float(found)) - _ball(right)) <= limit or found == right
                    at = f"{kind} on [{low}, {high}], epsilon = {epsilon}, x = {x}"
                    yield bool(same) or f"{at}: {name}: {found}, not {_ball(right).str(8, radius=False)}"
