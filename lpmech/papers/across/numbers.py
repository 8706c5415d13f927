"""The mechanisms for numbers of an interval: every method against the law that their definitions give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, product
from math import inf
from typing import Any

import numpy as np
from flint import arb, ctx

from lpmech.claims import Parts
from lpmech.mechanisms import (
    PM,
    Clipped,
    Gaussian,
    Laplace,
    OriginalPM,
    OriginalSW,
    PrivacyIndicator,
    Rescaled,
    RPWithPrior,
    TruncatedLaplace,
)
from lpmech.papers.across.chance import DRAWS, Even
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.paper import ball, upper_tail

#: Places relative to an interval: 0 its left end, 1 its right one.
_TRUE = tuple(map(Fraction, ("0", "3/8", "13/16", "1")))
_PLACES = tuple(map(Fraction, ("-1/2", "0", "1/4", "3/8", "3/4", "1", "3/2")))
_RADII = tuple(map(Fraction, ("1/64", "5/32", "43/64")))
_SHARES = tuple(map(Fraction, ("1/50", "1/3", "1/2", "9/10", "99/100")))
_LEVELS = tuple(map(Fraction, ("1/10", "1", "6")))
_LOW, _HIGH = Fraction(-2), Fraction(3)


def _no_atoms(x: Fraction) -> dict[Fraction, Any]:
    return {}


@dataclass(frozen=True)
class Law:
    """Of the released number given the true one x: the mass of (-inf, y] without atoms, and the atoms, in balls."""

    smooth: Callable[[Any, Fraction], Any]
    level: Any
    support: tuple[Any, Any] = (-inf, inf)
    atoms: Callable[[Fraction], dict[Fraction, Any]] = field(default=_no_atoms)

    def mass(self, a: Fraction | None, b: Fraction | None, x: Fraction) -> Any:
        """Pr[a <= released <= b]; an end that is missing is None."""
        top, bottom = self.smooth(b if b is not None else 10**6, x), self.smooth(a, x) if a is not None else arb(0)
        inside = (v for y, v in self.atoms(x).items() if (a is None or a <= y) and (b is None or y <= b))
        return sum(inside, top - bottom)


def _ball(value: Any) -> Any:
    return value if isinstance(value, arb) else ball(value)


def laplace_law(e: Any, low: Fraction = _LOW, high: Fraction = _HIGH) -> Law:
    def smooth(y: Any, x: Fraction) -> Any:
        z = -e * ball(abs(y - x)) / ball(high - low)
        return z.exp() / 2 if y < x else 1 - z.exp() / 2

    return Law(smooth, e)


def _gaussian(scale: Any) -> Law:
    return Law(lambda y, x: upper_tail(ball(x - y) / scale), inf)


def _clipped(noise: Law) -> Law:
    """Of noise: what falls outside is an atom at the nearer end."""

    def atoms(x: Fraction) -> dict[Fraction, Any]:
        return {_LOW: noise.smooth(_LOW, x), _HIGH: 1 - noise.smooth(_HIGH, x)}

    level = (noise.smooth(_LOW, _LOW) / noise.smooth(_LOW, _HIGH)).log()
    return Law(
        lambda y, x: noise.smooth(min(max(y, _LOW), _HIGH), x) - noise.smooth(_LOW, x), level, (_LOW, _HIGH), atoms
    )


def _truncated(noise: Law) -> Law:
    """Of noise: given that it falls inside."""
    inside = _clipped(noise)
    return Law(lambda y, x: inside.smooth(y, x) / inside.smooth(_HIGH, x), noise.level, (_LOW, _HIGH))


def window_law(first: Any, last: Any, start: Callable[[Any], Any], width: Any, high: Any, e: Any) -> Law:
    """The density high on [start(x), start(x) + width], and that over e^epsilon on the rest of the support."""
    first, last, low = _ball(first), _ball(last), high * (-e).exp()

    def smooth(y: Any, x: Fraction) -> Any:
        end = _ball(y).max(first).min(last)
        near = (end - start(ball(x))).max(arb(0)).min(width)
        return (end - first - near) * low + near * high

    return Law(smooth, e, (first, last))


def pm_window(e: Any) -> tuple[Any, Any, Callable[[Any], Any], Any, Any]:
    """PM as published (Wang et al. 2019, Alg. 2), from [-1, 1]: ends of the support, start and width of the window, its density."""
    s = (e / 2).exp()
    c = (s + 1) / (s - 1)
    return -c, c, lambda x: (c + 1) / 2 * x - (c - 1) / 2, c - 1, (s * s - s) / (2 * s + 2)


def sw_window(e: Any) -> tuple[Any, Any, Callable[[Any], Any], Any, Any]:
    """The same of SW as published (Li et al. 2020), from [0, 1], with their b."""
    t = e.exp()
    b = (e * t - t + 1) / (2 * t * (t - 1 - e))
    return -b, 1 + b, lambda x: x - b, 2 * b, t / (2 * b * t + 1)


def _carried(law: Law, own: tuple[int, int], low: int, high: int) -> Law:
    """The law on [low, high] of a mechanism whose own interval is another."""
    factor = Fraction(high - low, own[1] - own[0])

    def back(y: Any) -> Any:
        return (y - own[0]) * (ball(factor) if isinstance(y, arb) else factor) + low

    def into(y: Fraction) -> Fraction:
        return own[0] + (y - low) / factor

    def atoms(x: Fraction) -> dict[Fraction, Any]:
        return {back(y): v for y, v in law.atoms(into(x)).items()}

    return Law(
        lambda y, x: law.smooth(into(y), into(x)), law.level, (back(law.support[0]), back(law.support[1])), atoms
    )


def _tossed(law: Law, delta: Fraction, low: int, high: int) -> Law:
    """The true number with probability delta."""
    rest = 1 - ball(delta)

    def atoms(x: Fraction) -> dict[Fraction, Any]:
        found = {y: rest * v for y, v in law.atoms(x).items()}
        return {**found, x: found.get(x, arb(0)) + ball(delta)}

    ends = (_ball(law.support[0]).min(arb(low)), _ball(law.support[1]).max(arb(high)))
    return Law(lambda y, x: rest * law.smooth(y, x), inf, ends, atoms)


Named = Iterator[tuple[str, Any, Any]]


def _common(mechanism: Any, law: Law, x: Fraction, at: Callable[[Fraction], Fraction]) -> Named:
    """What every mechanism has: level, support, cdf, density, and what simulate draws from evenly spread numbers."""
    yield "level", mechanism.epsilon, law.level
    for found, right in zip(mechanism.support, law.support, strict=True):
        yield "end of the support", found, right
    ends = [at(p) for p in _PLACES]
    drawn = mechanism.simulate(np.full(DRAWS, float(x)), Even())
    for y, found in zip(ends, mechanism.cdf(list(map(float, ends)), float(x)), strict=True):
        yield f"cdf at {y}", found, law.mass(None, y, x)
        yield f"share drawn up to {y}", np.mean(drawn <= float(y)), law.mass(None, y, x)
    apart, step = [y + Fraction(1, 64) for y in ends], Fraction(1, 10**12)
    for y, found in zip(apart, mechanism.pdf(list(map(float, apart)), float(x)), strict=True):
        quotient = (law.smooth(y + step, x) - law.smooth(y - step, x)) / ball(2 * step)
        yield f"density at {y}", found / (1 + float(quotient)), quotient / (1 + quotient)


def _whole(mechanism: Any, law: Law, x: Fraction, at: Callable[[Fraction], Fraction]) -> Named:
    """Beside what is common: masses of intervals and balls, quantiles, and whether there are atoms."""
    yield from _common(mechanism, law, x, at)
    yield "atoms", mechanism.has_atoms, arb(bool(law.atoms(x)))
    ends = [None, *map(at, _PLACES)]
    pairs = [(a, b) for a, b in product(ends, [*ends[1:], None]) if a is None or b is None or a <= b]
    low, high = [-inf if a is None else float(a) for a, _ in pairs], [inf if b is None else float(b) for _, b in pairs]
    for (a, b), found in zip(pairs, mechanism.mass(low, high, float(x)), strict=True):
        yield f"mass of [{a}, {b}]", found, law.mass(a, b, x)
    radii = [at(r) - at(Fraction(0)) for r in _RADII]
    for r, found in zip(radii, mechanism.concentration(float(x), list(map(float, radii))), strict=True):
        yield f"mass within {r}", found, law.mass(x - r, x + r, x)
    near = Fraction(1, 10**9)
    for u, found in zip(_SHARES, map(Fraction, mechanism.quantile(list(map(float, _SHARES)), float(x))), strict=True):
        below, up_to = law.mass(None, found - near, x), law.mass(None, found + near, x)
        yield f"quantile {float(found):.10g} of {u}", bool(below < ball(u) < up_to), arb(1)


def _differs(named: Named) -> Iterator[bool | str]:
    """Whether every value is the one beside it: shares that are drawn to 1/100, other values to 1e-12."""
    for name, found, right in named:
        wanted = arb(right) if isinstance(right, float) else _ball(right)
        close = abs(arb(float(found)) - wanted) <= arb("1e-2" if name.startswith("share") else "1e-12")
        yield bool(close or found == right) or f"{name}: {found}, not {wanted.str(8, radius=False)}"


def _at(low: int, high: int) -> Callable[[Fraction], Fraction]:
    return lambda place: low + place * (high - low)


Case = tuple[str, Any, Law, tuple[int, int]]


def _cases(classes: Any, epsilon: Fraction) -> Iterator[Case]:
    """Every mechanism at one level, with its law and the interval of true numbers."""
    laplace, truncated, gaussian, clipped, pm, sw, rescaled, tossed = classes
    level, e, domain = float(epsilon), ball(epsilon), (-2, 3)
    noise, normal, published = laplace_law(e), _gaussian(5 / e), _carried(window_law(*pm_window(e), e), (-1, 1), -2, 6)
    yield "Laplace", laplace(level, domain), noise, domain
    yield "truncated Laplace", truncated(level, domain), _truncated(noise), domain
    yield "Gaussian", gaussian(5 / level, domain), normal, domain
    yield "clipped Laplace", clipped(laplace(level, domain)), _clipped(noise), domain
    yield "clipped Gaussian", clipped(gaussian(5 / level, domain)), _clipped(normal), domain
    yield "PM", pm(level), window_law(*pm_window(e), e), (-1, 1)
    yield "SW", sw(level), window_law(*sw_window(e), e), (0, 1)
    yield "PM on another interval", rescaled(pm(level), (-2, 6)), published, (-2, 6)
    carried = _carried(_clipped(noise), domain, 1, 11)
    yield "clipped noise on another interval", rescaled(clipped(laplace(level, domain)), (1, 11)), carried, (1, 11)
    with_coin = _tossed(published, Fraction(1, 4), -2, 6)
    yield "PM or the true number", tossed(rescaled(pm(level), (-2, 6)), 0.25), with_coin, (-2, 6)


_CLASSES = (Laplace, TruncatedLaplace, Gaussian, Clipped, OriginalPM, OriginalSW, Rescaled, PrivacyIndicator)


def _with(place: int, other: Any) -> tuple[Any, ...]:
    return (*_CLASSES[:place], other, *_CLASSES[place + 1 :])


@PAPER.claim(
    "Ours (mechanisms on an interval, the functions)",
    r"Laplace, TruncatedLaplace, Gaussian, Clipped, OriginalPM, OriginalSW, Rescaled and PrivacyIndicator have on every interval the cdf, density, masses, quantiles, atoms, support and level of their definitions, and simulate draws by them",
    hypotheses="the density against a quotient of the cdf; a quantile is right to 1e-9; the law that simulate draws from 987 evenly spread numbers is right to 1/100",
    recorded="certified",
    family="ten mechanisms, on [-2, 3], [-1, 1], [0, 1], [-2, 6], [1, 11]; epsilon = 1/10, 1, 6, four true numbers, both ends among them; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=_CLASSES,
    mutants={
        "noise for [0, 1]": _with(0, lambda e, domain: Laplace(2.5 * e, domain)),
        "not truncated": _with(1, Laplace),
        "the variance": _with(2, lambda scale, domain: Gaussian(scale**2, domain)),
        "the other published mechanism": _with(4, lambda e: Rescaled(PM(e), (-1, 1))),
        "the coin the other way round": _with(7, lambda mechanism, delta: PrivacyIndicator(mechanism, 1 - delta)),
    },
)
def mechanisms_on_an_interval(classes: Any) -> Parts:
    with ctx.workprec(160):
        for epsilon, place in product(_LEVELS, _TRUE):
            for name, mechanism, law, domain in _cases(classes, epsilon):
                x = _at(*domain)(place)
                for found in _differs(_whole(mechanism, law, x, _at(*domain))):
                    yield found is True or f"{name} on {domain}, epsilon = {epsilon}, x = {x}: {found}"


@PAPER.claim(
    "Ours (RPWithPrior, the function)",
    r"RPWithPrior has the density of Def. 2.6 of liu2026: \frac1\gamma within \delta of y\in[A_1,A_2] and \frac1{\gamma e^\epsilon} beyond on [A_1-\delta,A_2+\delta], uniform for other y; its level is \epsilon, or 0 if A_1=A_2",
    hypotheses="the law that simulate draws from 987 evenly spread numbers is right to 1/100",
    recorded="certified",
    family="[A1, A2] = [-2, 3] and [1, 1], delta = 1/2, 4; epsilon = 1/10, 1, 6; y inside, at both ends and outside; within 1e-12",
    method="ball arithmetic (rigorous)",
    formula=RPWithPrior,
    mutants={
        "half the neighbourhood": lambda low, high, delta, e: RPWithPrior(low, high, delta / 2, e),
        "twice the level": lambda low, high, delta, e: RPWithPrior(low, high, delta, 2 * e),
    },
)
def rp_with_prior(make: Any) -> Parts:
    with ctx.workprec(160):
        for epsilon, (low, high), delta in product(_LEVELS, ((-2, 3), (1, 1)), (Fraction(1, 2), Fraction(4))):
            e, mechanism = ball(epsilon), make(low, high, float(delta), float(epsilon))
            gamma = ball(2 * delta) + (high - low) * (-e).exp()
            ends = low - delta, high + delta
            level = e if low < high else arb(0)
            near = window_law(*ends, lambda y, d=delta: y - ball(d), ball(2 * delta), 1 / gamma, e)
            flat = window_law(
                *ends, lambda y, a=ends[0]: ball(a), ball(ends[1] - ends[0]), 1 / ball(ends[1] - ends[0]), e
            )
            for y in (low, high, Fraction(low + high, 2), low - 1, high + 1, high + 100):
                law = near if low <= y <= high else flat
                named = chain(
                    [("gamma", mechanism.gamma, gamma)], _common(mechanism, replace(law, level=level), y, _at(*ends))
                )
                for found in _differs(named):
                    yield found is True or f"[{low}, {high}], delta = {delta}, epsilon = {epsilon}, y = {y}: {found}"
