"""The mechanisms that release points of a grid: every method against the sums over their channels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from math import inf, log
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.mechanisms import GridMechanism, StochasticRounding
from lpmech.papers.across.chance import DRAWS, Even, enumerated
from lpmech.papers.across.paper import PAPER

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


def _differs(named: Iterator[tuple[str, Any, Any]]) -> Iterator[bool | str]:
    for name, found, right in named:
        wanted = np.array(right, dtype=float)
        same = np.shape(found) == wanted.shape and np.allclose(np.array(found, dtype=float), wanted, rtol=0, atol=1e-12)
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
