"""The mechanisms that release points of a grid: every method against the sums over their channels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, pairwise, product
from math import inf, log
from typing import Any

import numpy as np
from flint import arb, ctx

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.mechanisms import GridMechanism, Laplace, OriginalPM, StochasticRounding, discretized
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.moments import expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS, releasable
from lpmech.papers.across.chance import DRAWS, Even, enumerated
from lpmech.papers.across.numbers import laplace_law, pm_law
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.paper import ball

_INPUTS = tuple(Fraction(n, 10) for n in (0, 1, 3, 4))
_OUTPUTS = tuple(Fraction(n, 10) for n in (-1, 0, 2, 5, 6))
_ROWS = tuple(
    tuple(Fraction(n, 10) for n in row) for row in ((4, 3, 1, 1, 1), (1, 4, 3, 1, 1), (1, 1, 3, 4, 1), (2, 1, 1, 2, 4))
)
_CHANNEL = Channel([list(row) for row in _ROWS], _INPUTS, _OUTPUTS)
_ENDS = tuple(Fraction(n, 10) for n in range(-2, 8))

Law = dict[Fraction, Fraction]


def _nearest(x: Fraction) -> Law:
    """The row of the nearest input, the smaller one of two."""
    return dict(zip(_OUTPUTS, _ROWS[min(range(4), key=lambda i: (abs(_INPUTS[i] - x), i))], strict=True))


def _between(x: Fraction) -> tuple[Fraction, ...]:
    """The rows of the inputs below and above, mixed so that the mean input is x."""
    i = max(k for k in range(3) if _INPUTS[k] <= x)
    share = (x - _INPUTS[i]) / (_INPUTS[i + 1] - _INPUTS[i])
    return tuple((1 - share) * p + share * q for p, q in zip(_ROWS[i], _ROWS[i + 1], strict=True))


def _of_grid(mechanism: Any, x: Fraction) -> Iterator[tuple[str, Any, Any]]:
    law, true = _nearest(x), float(x)
    yield "distribution", mechanism.distribution(true), list(law.values())
    pairs = [(a, b) for a, b in product((-inf, *_ENDS), (*_ENDS, inf)) if a <= b]
    found = mechanism.mass([float(a) for a, _ in pairs], [float(b) for _, b in pairs], true)
    yield "masses of intervals", found, [sum(p for y, p in law.items() if a <= y <= b) for a, b in pairs]
    up_to = [sum((p for y, p in law.items() if y <= end), Fraction(0)) for end in _ENDS]
    yield "cdf", mechanism.cdf(list(map(float, _ENDS)), true), up_to
    radii = [Fraction(n, 20) for n in range(12)]
    found = mechanism.concentration(true, list(map(float, radii)))
    yield "masses of balls", found, [sum(p for y, p in law.items() if abs(y - x) <= r) for r in radii]
    shares = [Fraction(n, 20) for n in range(1, 21)]
    right = [min(y for y in _OUTPUTS if sum(p for z, p in law.items() if z <= y) >= u) for u in shares]
    yield "quantiles", mechanism.quantile(list(map(float, shares)), true), right
    yield (
        "support, domain, level",
        (*mechanism.support, *mechanism.domain, mechanism.channel.ratio),
        (*_OUTPUTS[::4], *_ENDS[1:8:6], 4),
    )


def _drawn(mechanism: Any, x: Fraction, law: Law) -> Iterator[tuple[str, Any, Any]]:
    """What sample draws, over all random numbers, and simulate from evenly spread ones, to 1/100."""
    exact = enumerated(lambda source: float(mechanism.sample(float(x), source)))
    yield "law of a sample", [exact.get(float(y), 0) for y in law], list(law.values())
    drawn = mechanism.simulate(np.full(DRAWS, float(x)), Even())
    shares = [np.mean(drawn == float(y)) for y in law]
    yield (
        "shares drawn",
        [float(p) if abs(s - p) <= 0.01 else s for s, p in zip(shares, law.values(), strict=True)],
        list(law.values()),
    )


def _differs(named: Iterator[tuple[str, Any, Any]], tolerance: float = 1e-12) -> Iterator[bool | str]:
    for name, found, right in named:
        wanted = np.array(right, dtype=float)
        same = np.shape(found) == wanted.shape and np.allclose(
            np.array(found, dtype=float), wanted, rtol=0, atol=tolerance
        )
        yield bool(same) or f"{name}: {np.array(found, dtype=float).tolist()}, not {wanted.tolist()}"


@PAPER.claim(
    "Ours (mechanisms on a grid, the functions)",
    r"GridMechanism moves x to the nearest input, the smaller of two, StochasticRounding to one of two with the mean x, decoded with the mean x; masses, cdf, quantiles and what sample and simulate draw are those of the rows",
    hypotheses="sample over everything that its random source can say, simulate from 987 evenly spread numbers, right to 1/100",
    recorded="certified",
    family="one exact channel with uneven inputs and other outputs; nine numbers, at points, half-way between them and elsewhere, all intervals with ends in tenths; within 1e-12",
    formula=(GridMechanism, StochasticRounding),
    mutants={
        "the larger point of two": (
            lambda channel, domain: GridMechanism(channel, (domain[0] - 0.2, domain[1])),
            StochasticRounding,
        ),
        "not decoded": (GridMechanism, GridMechanism),
    },
)
def mechanisms_on_a_grid(classes: Any) -> Parts:
    grid, rounding = classes[0](_CHANNEL, (-0.1, 0.5)), classes[1](_CHANNEL)
    for x in (Fraction(n, 40) for n in (-4, 0, 1, 2, 4, 8, 14, 16, 20)):
        law = _nearest(x)
        for found in _differs(chain(_of_grid(grid, x), _drawn(grid, x, law))):
            yield found is True or f"x = {x}: {found}"
        if 0 <= x <= _INPUTS[-1]:
            row = _between(x)
            law = dict(zip(map(Fraction, rounding.outputs), row, strict=True))
            mean = sum(p * v for v, p in law.items())
            parts = [
                ("distribution", rounding.distribution(float(x)), row),
                ("mean", mean, x),
                ("level", rounding.epsilon, log(4)),
            ]
            for found in _differs(chain(parts, _drawn(rounding, x, law))):
                yield found is True or f"rounded at random, x = {x}: {found}"


@PAPER.claim(
    "Ours (released from a grid, the functions)",
    r"discretized moves x to the nearest of evenly spaced points, and what is released to the middle of an even cell, the outer ones taking what lies beyond; releasable has an exact channel that keeps \epsilon",
    hypotheses="noise without end is cut where 2^-20 of it lies beyond at the nearer end of [-2, 3]; `releasable` has the mean squared error of the mechanism of PERTURBATIONS, of a continuous one to a hundredth",
    recorded="certified",
    family="Laplace noise and PM, 5 points, 6 cells, epsilon = 1/10, 1, 6, within 1e-9; all names of PERTURBATIONS at epsilon = 1 and 3, 4 intervals",
    formula=(discretized, releasable),
    mutants={
        "cells and points exchanged": (lambda m, inputs, cells: discretized(m, cells, inputs), releasable),
        "half the level is kept": (discretized, lambda name, intervals, e: releasable(name, intervals, 2 * e)),
    },
)
def released_from_a_grid(functions: Any) -> Parts:
    for epsilon in map(Fraction, ("1/10", "1", "6")):
        for mechanism, law, ends in _continuous(epsilon):
            grid = functions[0](mechanism, 5, 6)
            (low, high), middles = mechanism.domain, list(map(Fraction, grid.outputs))
            step = (middles[-1] - middles[0]) / 5
            cuts = [middles[0] + (j - Fraction(1, 2)) * step for j in range(7)]
            tails = law.mass(None, cuts[0], Fraction(low)), law.mass(cuts[6], None, Fraction(high))
            points = [Fraction(low) + Fraction(i, 4) * Fraction(high - low) for i in range(5)]
            cells = [*pairwise([None, *cuts[1:6], None])]
            right = [float(law.mass(*cell, x)) for x in points for cell in cells]
            parts = [
                ("tails", list(map(float, tails)), ends),
                ("points", grid.inputs, points),
                ("middles", middles, [middles[0] + j * step for j in range(6)]),
                ("rows", grid.channel.matrix.ravel(), right),
            ]
            for found in _differs(iter(parts), 1e-9):
                yield found is True or f"epsilon = {epsilon}, {type(mechanism).__name__}: {found}"
    for name, level in product(PERTURBATIONS, (1.0, 3.0)):
        made, wanted = functions[1](name, 4, level), PERTURBATIONS[name](1, Fraction(1, 2), level)
        with ctx.workprec(160):
            kept = made.channel.is_exact and ball(made.channel.ratio) <= arb(level).exp()
        one, other = (expected_error(mechanism, [-1, 0.5, 1], 2) for mechanism in (made, wanted))
        close = np.allclose(one, other, rtol=0.01 if isinstance(wanted, ContinuousMechanism) else 1e-9, atol=0)
        yield (
            bool(kept and close)
            or f"{name}, epsilon = {level}: level {made.epsilon}, errors {one.tolist()}, not {other.tolist()}"
        )


def _continuous(epsilon: Fraction) -> Iterator[tuple[Any, Any, list[float]]]:
    """Mechanisms, their laws, and what lies beyond the cells."""
    e = ball(epsilon)
    yield Laplace(float(epsilon), (-2, 3)), laplace_law(e), [2.0**-20] * 2
    yield OriginalPM(float(epsilon)), pm_law(e), [0.0, 0.0]
