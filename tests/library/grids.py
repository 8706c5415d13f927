"""The mechanisms that release points of a grid: every method against the sums over their channels."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
from flint import arb, ctx

from library.numbers import Law, between, laplace_law, mixed, nearest, pm, up_to
from library.paper import PAPER
from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.errors import InvalidInputError
from lpmech.mechanisms.continuous import ContinuousMechanism
from lpmech.mechanisms.moments import expected_error
from lpmech.mechanisms.perturbation import PERTURBATIONS, releasable
from lpmech.papers.across.agreement import Named, agrees, compared, refused
from lpmech.papers.across.chance import DRAWS, Even, enumerated
from lpmech.papers.checks import ball
from lpmech.privacy import PrivacyLevel

_INPUTS, _OUTPUTS = ([Fraction(n, 10) for n in tenths] for tenths in ((0, 1, 3, 4), (-1, 0, 2, 5, 6)))
_ROWS = np.array([[4, 3, 1, 1, 1], [1, 4, 3, 1, 1], [1, 1, 3, 4, 1], [2, 1, 1, 2, 4]]) * Fraction(1, 10)
_ENDS = [Fraction(n, 10) for n in range(-2, 8)]
_RADII, _SHARES = [Fraction(n, 20) for n in range(12)], [Fraction(n, 20) for n in range(1, 21)]


def _law(channel: Channel) -> Law:
    """Of what is released for the nearest input."""

    def atoms(x: Fraction) -> dict[Fraction, Any]:
        return dict(zip(_OUTPUTS, nearest(channel, x), strict=True))

    ends = _OUTPUTS[0], _OUTPUTS[-1]
    return Law(lambda y, x: sum(p for z, p in atoms(x).items() if z <= y), ball(4).log(), ends, atoms)


def _drawn(mechanism: Any, x: Fraction, row: Any) -> Named:
    """What sample draws, over all random numbers, and simulate from evenly spread ones."""
    sampled = enumerated(lambda source: float(mechanism.sample(float(x), source)))
    drawn = mechanism.simulate(np.full(DRAWS, float(x)), Even())
    yield "distribution", mechanism.distribution(float(x)), row
    yield "law of a sample", [sampled.get(float(y), 0) for y in mechanism.outputs], row
    yield "shares drawn", [np.mean(drawn == float(y)) for y in mechanism.outputs], row


@PAPER.claim(
    "Ours (mechanisms on a grid, the functions)",
    "GridMechanism moves $x$ to the nearest input, the smaller of two, StochasticRounding to one of two with the mean $x$, decoded with the mean $x$; masses, cdf, quantiles and what sample and simulate draw are those of the rows; `unbiased_bipartite_rr` keeps both ends and one point for every other row of BRR",
    hypotheses="sample over everything that its random source can say, simulate from 987 evenly spread numbers, right to $1/100$",
    family="one exact channel with uneven inputs and other outputs; nine numbers, at points, half-way between them and elsewhere, all intervals with ends in tenths; within 1e-12; BRR on 6, 9 and 21 points, t = 3/2, 3",
    formula=(m.GridMechanism, m.StochasticRounding),
    mutants={
        "the outputs in reverse": (lambda q, domain: m.GridMechanism(Channel(q.matrix[:, ::-1], q.inputs, q.outputs), domain), m.StochasticRounding),
        "not decoded": (m.GridMechanism, m.GridMechanism),
    },
)  # fmt: skip
def mechanisms_on_a_grid(classes: Any) -> Parts:
    channel = Channel(_ROWS, _INPUTS, _OUTPUTS)
    grid, rounding, law = classes[0](channel, (-0.1, 0.5)), classes[1](channel), _law(channel)
    yield from compared("the grid", iter([("domain", grid.domain, (-0.1, 0.5))]))
    for x in (Fraction(n, 40) for n in (-4, 0, 1, 2, 4, 8, 14, 16, 20)):
        yield from compared(f"x = {x}", _drawn(grid, x, nearest(channel, x)))
        yield from compared(f"x = {x}", up_to(grid, law, x, _ENDS))
        yield from compared(f"x = {x}", between(grid, law, x, _ENDS, _RADII, _SHARES))
        if 0 <= x <= _INPUTS[-1]:
            row, at = mixed(channel, x), f"at random, x = {x}"
            yield from compared(at, _drawn(rounding, x, row))
            yield agrees(
                f"{at}: mean", sum(p * Fraction(y) for p, y in zip(row, rounding.outputs, strict=True)), x, 1e-12
            )
    yield agrees("at random: level", rounding.epsilon, ball(4).log(), 1e-12)
    for points, t in product((range(9), (0, 1, 2, 4, 5, 6), range(21)), map(Fraction, ("3/2", "3"))):
        level = PrivacyLevel.from_ratio(t)
        kept, whole = m.unbiased_bipartite_rr(points, level), m.bipartite_rr_on_grid(points, level).channel
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
    cells = [*pairwise([None, *cuts[1:6], None])]
    yield "points", grid.inputs, points
    yield "middles", middles, [middles[0] + j * step for j in range(6)]
    yield "tails", [beyond, beyond], [law.mass(None, cuts[0], low), law.mass(cuts[6], None, high)]
    yield "rows", grid.channel.matrix, [[law.mass(*cell, x) for cell in cells] for x in points]


@PAPER.claim(
    "Ours (released from a grid, the functions)",
    r"discretized moves $x$ to the nearest of evenly spaced points, and what is released to the middle of an even cell, the outer ones taking what lies beyond; `even_grid` and `symmetric_grid` are evenly spaced from 0 to 1 and from $-c$ to $c$; releasable has an exact channel that keeps $\epsilon$",
    hypotheses="noise without end is cut where $2^{-20}$ of it lies beyond at the nearer end of $[-2, 3]$; releasable has the mean squared error of the mechanism of PERTURBATIONS, of a continuous one to a hundredth",
    family="grids of 2, 3 and 8 points; Laplace noise and PM, 5 points, 6 cells, epsilon = 1/10, 1, 6, within 1e-9; all names of PERTURBATIONS at epsilon = 1 and 3, 4 intervals; two points and cells and one interval at least",
    formula=(m.discretized, releasable),
    mutants={
        "cells and points exchanged": (lambda mechanism, inputs, cells: m.discretized(mechanism, cells, inputs), releasable),
        "twice the level": (m.discretized, lambda name, intervals, e: releasable(name, intervals, 2 * e)),
    },
    survivors={
        "part 1: 2 -> 1 in whole_number(inputs, 'inputs', 2)": "a grid of one point, a domain without length, is refused as well",
        "part 1: last - first -> last + first in math.isfinite(last - first)": "inf - inf is as little finite as inf + inf",
        "part 1: 0.0 -> -1.0 in np.maximum(mechanism.mass(edges[:-1], edges[1:], points[:, None]), 0.0)": "no mass is negative",
        "part 1: matrix / matrix.sum(axis=1)[:, None] -> matrix in Channel(matrix / matrix.sum(axis=1)[:, None], points.tolist(), middles.tolist())": "the rows sum to one up to rounding",
    },
)  # fmt: skip
def released_from_a_grid(functions: Any) -> Parts:
    discretized, release = functions
    for n in (2, 3, 8):
        even = [Fraction(k, n - 1) for k in range(n)]
        yield agrees(f"even_grid({n})", m.even_grid(n), even)
        yield agrees(
            f"symmetric_grid of {n} points", m.symmetric_grid(3, Fraction(6, n - 1)), [6 * p - 3 for p in even]
        )
    for epsilon in map(Fraction, ("1/10", "1", "6")):
        noise, original = m.Laplace(float(epsilon), (-2, 3)), m.OriginalPM(float(epsilon))
        for made, law, beyond in (
            (noise, laplace_law(ball(epsilon)), 2.0**-20),
            (original, pm(ball(epsilon)).law, 0.0),
        ):
            named = _between_grids(discretized(made, 5, 6), made, law, beyond)
            yield from compared(f"epsilon = {epsilon}, {type(made).__name__}", named, 1e-9)
    for name, level in product(PERTURBATIONS, (1.0, 3.0)):
        made, wanted = release(name, 4, level), PERTURBATIONS[name](1, Fraction(1, 2), level)
        with ctx.workprec(160):
            kept = made.channel.is_exact and ball(made.channel.ratio) <= arb(level).exp()
        yield bool(kept) or f"{name}, epsilon = {level}: level {made.epsilon}, or not exact"
        near = 0.01 if isinstance(wanted, ContinuousMechanism) else 1e-9
        one, other = (expected_error(mechanism, [-1, 0.5, 1], 2) for mechanism in (made, wanted))
        yield agrees(f"{name}, epsilon = {level}: mean squared errors", one, other, relative=near)
    sizes = len(discretized(original, 2, 2).inputs), len(release("RR", 1, 1.0).channel.inputs)
    yield agrees("points of the least grids", sizes, (2, 2))
    none = ((m.Gaussian(1), 2, 2), (made, 2, 2), (original, 1, 2), (original, 2, 1))
    yield from refused(InvalidInputError, discretized, *none)
    yield from refused(InvalidInputError, release, ("RR", 0, 1.0))
