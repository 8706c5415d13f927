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
from lpmech.mechanisms import (
    GridMechanism,
    Laplace,
    OriginalPM,
    StochasticRounding,
    bipartite_rr_on_grid,
    discretized,
    even_grid,
    symmetric_grid,
    unbiased_bipartite_rr,
)
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.moments import expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS, releasable
from lpmech.papers.across.chance import DRAWS, Even, enumerated
from lpmech.papers.across.numbers import laplace_law, pm_law
from lpmech.papers.across.paper import PAPER
from lpmech.papers.zheng2025.balls import ball
from lpmech.privacy import PrivacyLevel

_INPUTS = tuple(Fraction(n, 10) for n in (0, 1, 3, 4))
_OUTPUTS = tuple(Fraction(n, 10) for n in (-1, 0, 2, 5, 6))
_ROWS = np.array([[4, 3, 1, 1, 1], [1, 4, 3, 1, 1], [1, 1, 3, 4, 1], [2, 1, 1, 2, 4]]) * Fraction(1, 10)
_ENDS = [Fraction(n, 10) for n in range(-2, 8)]

Law = dict[Fraction, Fraction]
Named = Iterator[tuple[str, Any, Any]]


def _nearest(x: Fraction) -> Law:
    """The row of the nearest input, the smaller one of two."""
    return dict(zip(_OUTPUTS, _ROWS[min(range(4), key=lambda i: (abs(_INPUTS[i] - x), i))], strict=True))


def _between(x: Fraction) -> Any:
    """The rows of the inputs below and above, mixed so that the mean input is x."""
    i = max(k for k in range(3) if _INPUTS[k] <= x)
    share = (x - _INPUTS[i]) / (_INPUTS[i + 1] - _INPUTS[i])
    return (1 - share) * _ROWS[i] + share * _ROWS[i + 1]


def _of_grid(mechanism: Any, x: Fraction, law: Law) -> Named:
    true, radii, shares = float(x), [Fraction(n, 20) for n in range(12)], [Fraction(n, 20) for n in range(1, 21)]
    ends: list[Any] = [-inf, *_ENDS, inf]
    pairs = [(a, b) for a, b in product(ends[:-1], ends[1:]) if a <= b]
    up_to = {y: sum((p for z, p in law.items() if z <= y), Fraction(0)) for y in (*_OUTPUTS, *_ENDS)}
    inside = mechanism.mass([float(a) for a, _ in pairs], [float(b) for _, b in pairs], true)
    near = mechanism.concentration(true, list(map(float, radii)))
    yield "distribution", mechanism.distribution(true), list(law.values())
    yield "masses of intervals", inside, [sum(p for y, p in law.items() if a <= y <= b) for a, b in pairs]
    yield "masses of balls", near, [sum(p for y, p in law.items() if abs(y - x) <= r) for r in radii]
    yield "cdf", mechanism.cdf(list(map(float, _ENDS)), true), [up_to[y] for y in _ENDS]
    quantiles = [min(y for y in _OUTPUTS if up_to[y] >= u) for u in shares]
    yield "quantiles", mechanism.quantile(list(map(float, shares)), true), quantiles
    yield "support", mechanism.support, (_OUTPUTS[0], _OUTPUTS[-1])
    yield "domain and e^epsilon", (*mechanism.domain, mechanism.channel.ratio), (-0.1, 0.5, 4)


def _of_rounding(mechanism: Any, x: Fraction, law: Law) -> Named:
    yield "distribution", mechanism.distribution(float(x)), list(law.values())
    yield "mean", sum(p * v for v, p in law.items()), x
    yield "level", mechanism.epsilon, log(4)


def _drawn(mechanism: Any, x: Fraction, law: Law) -> Named:
    """What sample draws, over all random numbers, and simulate from evenly spread ones."""
    exact = enumerated(lambda source: float(mechanism.sample(float(x), source)))
    yield "law of a sample", [exact.get(float(y), 0) for y in law], list(law.values())
    drawn = mechanism.simulate(np.full(DRAWS, float(x)), Even())
    yield "shares drawn", [np.mean(drawn == float(y)) for y in law], list(law.values())


def _compared(where: str, named: Named, tolerance: float = 1e-12) -> Parts:
    for name, found, right in named:
        one, other = (np.array(values, dtype=float) for values in (found, right))
        limit = 0.01 if name == "shares drawn" else tolerance
        same = one.shape == other.shape and np.allclose(one, other, rtol=0, atol=limit)
        yield bool(same) or f"{where}: {name}: {one.tolist()}, not {other.tolist()}"


@PAPER.claim(
    "Ours (mechanisms on a grid, the functions)",
    r"GridMechanism moves x to the nearest input, the smaller of two, StochasticRounding to one of two with the mean x, decoded with the mean x; masses, cdf, quantiles and what sample and simulate draw are those of the rows; unbiased_bipartite_rr keeps both ends and one point for every other row of BRR",
    hypotheses="sample over everything that its random source can say, simulate from 987 evenly spread numbers, right to 1/100",
    recorded="certified",
    family="one exact channel with uneven inputs and other outputs; nine numbers, at points, half-way between them and elsewhere, all intervals with ends in tenths; within 1e-12; BRR on 6, 9 and 21 points, t = 3/2, 3",
    formula=(GridMechanism, StochasticRounding),
    mutants={
        "the outputs in reverse": (lambda q, domain: GridMechanism(Channel(q.matrix[:, ::-1], q.inputs, q.outputs), domain), StochasticRounding),
        "not decoded": (GridMechanism, GridMechanism),
    },
)  # fmt: skip
def mechanisms_on_a_grid(classes: Any) -> Parts:
    channel = Channel(_ROWS, _INPUTS, _OUTPUTS)
    grid, rounding = classes[0](channel, (-0.1, 0.5)), classes[1](channel)
    for x in (Fraction(n, 40) for n in (-4, 0, 1, 2, 4, 8, 14, 16, 20)):
        law = _nearest(x)
        yield from _compared(f"x = {x}", chain(_of_grid(grid, x, law), _drawn(grid, x, law)))
        if 0 <= x <= _INPUTS[-1]:
            law = dict(zip(map(Fraction, rounding.outputs), _between(x), strict=True))
            yield from _compared(f"at random, x = {x}", chain(_of_rounding(rounding, x, law), _drawn(rounding, x, law)))
    for points, t in product((range(9), (0, 1, 2, 4, 5, 6), range(21)), map(Fraction, ("3/2", "3"))):
        level = PrivacyLevel.from_ratio(t)
        kept, whole = unbiased_bipartite_rr(points, level), bipartite_rr_on_grid(points, level).channel
        rows, every = ([tuple(row) for row in channel.matrix.tolist()] for channel in (kept.channel, whole))
        right = len(set(rows)) == len(rows) and set(rows) == set(every) and kept.domain == (points[0], points[-1])
        yield right or f"points {list(points)}, t = {t}: kept are {kept.inputs.tolist()}"


def _between_grids(grid: Any, mechanism: Any, law: Any, beyond: float) -> Named:
    (low, high), middles = map(Fraction, mechanism.domain), list(map(Fraction, grid.outputs))
    step = (middles[-1] - middles[0]) / 5
    cuts, points = (
        [middles[0] + (j - Fraction(1, 2)) * step for j in range(7)],
        [low + i * (high - low) / 4 for i in range(5)],
    )
    yield "points", grid.inputs, points
    yield "middles", middles, [middles[0] + j * step for j in range(6)]
    yield "tails", [float(law.mass(None, cuts[0], low)), float(law.mass(cuts[6], None, high))], [beyond, beyond]
    cells = [*pairwise([None, *cuts[1:6], None])]
    yield "rows", grid.channel.matrix, [[float(law.mass(*cell, x)) for cell in cells] for x in points]


@PAPER.claim(
    "Ours (released from a grid, the functions)",
    r"discretized moves x to the nearest of evenly spaced points, and what is released to the middle of an even cell, the outer ones taking what lies beyond; even_grid and symmetric_grid are evenly spaced from 0 to 1 and from -c to c; releasable has an exact channel that keeps \epsilon",
    hypotheses="noise without end is cut where 2^-20 of it lies beyond at the nearer end of [-2, 3]; releasable has the mean squared error of the mechanism of PERTURBATIONS, of a continuous one to a hundredth",
    recorded="certified",
    family="grids of 2, 3 and 8 points; Laplace noise and PM, 5 points, 6 cells, epsilon = 1/10, 1, 6, within 1e-9; all names of PERTURBATIONS at epsilon = 1 and 3, 4 intervals",
    formula=(discretized, releasable),
    mutants={
        "cells and points exchanged": (lambda mechanism, inputs, cells: discretized(mechanism, cells, inputs), releasable),
        "twice the level": (discretized, lambda name, intervals, e: releasable(name, intervals, 2 * e)),
    },
    survivors={
        **dict.fromkeys((f"part 1: 2 -> {n}, line {line}" for n in (1, 3) for line in (32, 38)), "refuses other arguments"),
        **dict.fromkeys((f"part 2: 1 -> {n}, line 20, place 2" for n in (0, 2)), "refuses other arguments"),
        "part 1: not isinstance(mechanism, ContinuousMechanism) or not math.isfinite(mechanism.epsilon) -> not isinstance(mechanism, ContinuousMechanism) and (not math.isfinite(mechanism.epsilon)), line 30": "refuses other arguments",
        "part 1: last - first -> last + first, line 34": "inf - inf is as little finite as inf + inf",
        "part 1: 0.0 -> -1.0, line 41": "no mass is negative",
        "part 1: matrix / matrix.sum(axis=1)[:, None] -> matrix, line 42": "the rows sum to one up to rounding",
    },
)  # fmt: skip
def released_from_a_grid(functions: Any) -> Parts:
    for n in (2, 3, 8):
        even = tuple(Fraction(k, n - 1) for k in range(n))
        grids = even_grid(n), symmetric_grid(3, Fraction(6, n - 1))
        yield grids == (even, tuple(6 * p - 3 for p in even)) or f"grids of {n} points: {grids}"
    for epsilon in map(Fraction, ("1/10", "1", "6")):
        noise, pm = Laplace(float(epsilon), (-2, 3)), OriginalPM(float(epsilon))
        for made, law, beyond in ((noise, laplace_law(ball(epsilon)), 2.0**-20), (pm, pm_law(ball(epsilon)), 0.0)):
            named = _between_grids(functions[0](made, 5, 6), made, law, beyond)
            yield from _compared(f"epsilon = {epsilon}, {type(made).__name__}", named, 1e-9)
    for name, level in product(PERTURBATIONS, (1.0, 3.0)):
        made, wanted = functions[1](name, 4, level), PERTURBATIONS[name](1, Fraction(1, 2), level)
        with ctx.workprec(160):
            kept = made.channel.is_exact and ball(made.channel.ratio) <= arb(level).exp()
        one, other = (expected_error(mechanism, [-1, 0.5, 1], 2).tolist() for mechanism in (made, wanted))
        close = np.allclose(one, other, rtol=0.01 if isinstance(wanted, ContinuousMechanism) else 1e-9, atol=0)
        yield bool(kept and close) or f"{name}, epsilon = {level}: level {made.epsilon}, errors {one}, not {other}"
