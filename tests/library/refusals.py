"""Which arguments the mechanisms for numbers take, and which they refuse: bounds at which one comparison decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, nan
from typing import Any

from library.paper import PAPER
from lpmech import mechanisms as m
from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.errors import InvalidInputError
from lpmech.mechanisms import grid, intervals, moments, perturbation
from lpmech.privacy import PrivacyLevel

_RR, _LAPLACE, _BITS = grid.k_rr((0, 1), 1.0), m.Laplace(1.0), m.UnaryEncoding(2, Fraction(2), Fraction(3))
_HALVES = [Fraction(1, 2), Fraction(1, 2)]
_TINY = 1e-9

#: Function -> arguments that it takes, and by the name of the argument that is wrong those that it refuses.
CASES: dict[Callable[..., Any], tuple[list[tuple[Any, ...]], dict[str, list[tuple[Any, ...]]]]] = {
    intervals.as_numbers: ([(1, "v"), ([1, 2.5], "v"), (Fraction(1, 2), "v"), ([Fraction(1, 2), 1], "v"), (-inf, "v")], {"v": [(v, "v") for v in ("a", None, nan, [1, nan], True, [Fraction(1), True], [Fraction(1), "a"], [[1], [1, 2]], [10**400], 1j)]}),
    intervals.as_ends: ([(0, 0), (0, 1), (-inf, inf), ([0, 1], 1)], {"low": [(1, 0), ([0, 2], 1), ([0, 1], [0, 1, 2]), (nan, 1)], "high": [(0, nan)]}),
    intervals.as_radius: ([(0,), (1.5,), ([0, 1],)], {"radius": [(-_TINY,), (inf,), (nan,), ([1, -1],)]}),
    intervals.as_inside: ([(0, (0, 1)), (1, (0, 1)), ([0, 0.5, 1], (0, 1))], {"true": [(v, (0, 1)) for v in (-_TINY, 1 + _TINY, [0.5, 2], nan, inf)]}),
    intervals.as_interval: ([((0, 1), "d"), ((Fraction(1, 3), 2.5), "d")], {"d": [(v, "d") for v in ((0, 0), (1, 0), (0, inf), (-inf, 0), (nan, 1), (True, 2), (-1, True), ("a", 1), 3, (1, 2, 3))]}),
    intervals.as_delta: ([(_TINY,), (1 - _TINY,)], {"delta": [(v,) for v in (0, 1, -0.5, 1.5, nan, True, "a")]}),
    **dict.fromkeys((_LAPLACE.quantile, _RR.quantile), ([(0, 0.5), (1, 0.5), ([0, 1], 0.5)], {"probability": [(-_TINY, 0), (1 + _TINY, 0), ([0.5, 2], 0)], "true": [(0.5, 2)]})),
    _LAPLACE.sample: ([], {"mechanism": [(0.5,)]}),
    grid.even_grid: ([(2,)], {"size": [(1,), (2.5,)]}),
    grid.symmetric_grid: ([(1, 0.1), (1, 2), (1, Fraction(1, 500))], {"clip": [(0, 1), (-1, 1), (nan, 1)], "step": [(1, 0), (1, 0.3), (1, 5), (1, Fraction(2, 1001))]}),
    grid.k_rr: ([([0, 1], 1.0)], {"domain": [([0], 1.0)], "points": [([1, 0], 1.0), ([0, 0], 1.0), ([0, 2, 1], 1.0), ([], 1.0), (3, 1.0)]}),
    **dict.fromkeys((grid.exponential_on_grid, grid.bipartite_rr_on_grid), ([([0, 1], 1.0)], {"points": [([1, 0], 1.0)]})),
    grid.k_rr_on_bins: ([(1, 1.0)], {"count": [(0, 1.0)]}),
    grid.k_rr_concentration: ([(1, 1, 1.0), (2, 2, 1.0)], {"inside": [(0, 2, 1.0), (3, 2, 1.0)], "size": [(1, 0, 1.0)]}),
    grid.exponential_concentration: ([(1, 0, 2, 1.0), (0, 5, 2, 1.0)], {"index": [(2, 0, 2, 1.0), (-1, 0, 2, 1.0)], "steps": [(0, -1, 2, 1.0)], "size": [(0, 0, 1, 1.0)]}),
    grid.best_worst_case_concentration: ([(_TINY, 1.0)], {"radius": [(0, 1.0), (-1, 1.0)]}),
    m.GridMechanism: ([(_RR.channel,), (_RR.channel, (-1, 2))], {"domain": [(_RR.channel, (1, 1))], "channel": [([[1]],)], "channel.inputs": [(Channel([[Fraction(1)], [Fraction(1)]], [1, 0], [1]),)]}),
    m.StochasticRounding: ([(_RR.channel,)], {"channel.inputs": [(m.randomized_response([0], 1.0),), (Channel([[Fraction(1), Fraction(0)], _HALVES], [1, 0]),)]}),
    m.Rescaled: ([(m.PM(1.0), (0, 2))], {"mechanism": [(_RR, (0, 2))], "domain": [(m.PM(1.0), (2, 0))]}),
    m.Clipped: ([(_LAPLACE,)], {"mechanism": [(m.PM(1.0),), (_RR,)]}),
    m.PrivacyIndicator: ([(m.PM(1.0), 0.5)], {"mechanism": [(_RR, 0.5)], "delta": [(m.PM(1.0), 0), (m.PM(1.0), 1)]}),
    m.Gaussian: ([(1,)], {"scale": [(0,), (-1,), (inf,)], "domain": [(1, (1, 0))]}),
    m.RPWithPrior: ([(0, 1, 0.1, 1.0), (1, 1, _TINY, 1.0), (Fraction(1, 2), 1, Fraction(1, 3), 1.0)], {"low": [(1, 0, 1, 1.0), ("0", 1, 1, 1.0), (-inf, 0, 1, 1.0)], "high": [(0, nan, 1, 1.0), (0, None, 1, 1.0)], "delta": [(0, 1, 0, 1.0), (0, 1, -1, 1.0), (0, 1, True, 1.0), (0, 1, inf, 1.0)]}),
    m.RPWithPrior(0, 1, 0.1, 1.0).pdf: ([(inf, 0)], {"released": [(nan, 0), ([0, 1], [0, 1, 2])], "true": [(0, "a")]}),
    m.discretized: ([(m.PM(1.0), 2, 2)], {"mechanism": [(m.Gaussian(1), 2, 2), (_RR, 2, 2)], "inputs": [(m.PM(1.0), 1, 2)], "cells": [(m.PM(1.0), 2, 1)]}),
    moments.bias: ([(_RR, 0), (m.PM(1.0), 1)], {"true": [(_RR, 1.1), (m.PM(1.0), -_TINY)]}),
    moments.expected_error: ([(_RR, 0, 0.5)], {"power": [(_RR, 0, 0), (_RR, 0, -1), (_RR, 0, inf)]}),
    perturbation.laplace: ([(0.5, 1.0)], {"clip": [(0, 1.0), (inf, 1.0)]}),
    perturbation.releasable: ([("RR", 1, 1.0)], {"mechanism": [("rr", 1, 1.0)], "intervals": [("RR", 0, 1.0)]}),
    m.DiscreteLaplace: ([(2**40,), (Fraction(1, 2**40),), (3,)], {"scale": [(v,) for v in (0, -1, 0.5, True, 2**40 + 1, Fraction(1, 2**40 + 1), "1")]}),
    m.DiscreteLaplace(Fraction(1)).level: ([(1,)], {"sensitivity": [(0,), (0.5,)]}),
    m.DiscreteLaplace.of_level: ([(1, 1e-9)], {"sensitivity": [(0, 1.0)], "scale": [(1, 1e-13)]}),
    m.DiscreteLaplace(Fraction(1)).sample: ([(0,)], {"count": [(-1,)]}),
    m.DiscreteGaussian: ([(2**30,), (Fraction(1, 2**40),)], {"variance": [(v,) for v in (0, -1, 0.5, True, 16 * 10**8, Fraction(1, 2**40 + 1))]}),
    m.DiscreteGaussian.of_deviation: ([(2**15,), (0.1,)], {"deviation": [(0,), (-1,), (2**15 + 1,)]}),
    m.DiscreteGaussian(Fraction(1)).concentrated: ([(1,)], {"squared_sensitivity": [(0,)]}),
    m.private_histogram: ([([], [0], 1.0), ([1, 0], [0, 1], 1.0)], {"classes": [([], [], 1.0), ([], [0, 0], 1.0), ([], [[0]], 1.0)], "labels": [([2], [0, 1], 1.0), (5, [0, 1], 1.0), ([[0]], [0, 1], 1.0)]}),
    m.UnaryEncoding: ([(1, 2, 3), (2, Fraction(1, 2), 3)], {"size": [(0, 2, 3)], "odds": [(2, 0, 3), (2, -1, -3), (2, 1, 1), (2, Fraction(1, 2), 2), (2, 1e200, 1e200)]}),
    _BITS.sample: ([([0, 1],), ([1],)], {"labels": [([2],), ([-1],), ([[0]],), ([0.5],), ([[0], [0, 1]],)]}),
    m.UnaryEncoding(2, 2.0, 3.0).sample: ([], {"encoding": [([0],)]}),
    m.UnaryEncoding(2, Fraction(2**62), Fraction(3)).sample: ([], {"encoding": [([0],)]}),
    m.UnaryEncoding(2, Fraction(2**61 + 1, 2**61 - 1), Fraction(3)).sample: ([([0],)], {}),
    _BITS.exact: ([(PrivacyLevel.from_ratio(6),)], {"encoding": [(PrivacyLevel.from_ratio(5),)]}),
    _BITS.decode: ([([[0, 1]],)], {"vectors": [([0, 1],), ([[0, 1, 1]],), ([[0, 2]],), ([[0], [0, 1]],)]}),
    _BITS.count_variance: ([([0, 1],)], {"counts": [([1],), ([-1, 2],)]}),
}  # fmt: skip


@PAPER.claim(
    "Ours (what mechanisms for numbers refuse, the functions)",
    r"`as_interval` takes finite $\text{low}<\text{high}$, `as_delta` $0 < \delta < 1$, `as_radius` $0 \le r < \infty$, ...: the mechanisms for numbers take what their documentation allows, and refuse by name what is just beyond, is no number, or is too large",
    hypotheses="the formula is the table of both",
    family="forty-seven functions, at both sides of every bound",
    method="calls",
    formula=CASES,
    mutants={
        "a delta of 0 is taken": {intervals.as_delta: ([(0,)], {})},
        "a domain of one point is taken": {intervals.as_interval: ([((0, 0), "d")], {})},
        "radius 0 is refused": {intervals.as_radius: ([], {"radius": [(0,)]})},
        "the other argument is named": {intervals.as_ends: ([], {"high": [(1, 0)]})},
    },
)
def refusals(cases: Any) -> Parts:
    for function, (taken, refused) in cases.items():
        for named, arguments in [(None, given) for given in taken] + [
            (name, given) for name in refused for given in refused[name]
        ]:
            found = None
            try:
                function(*arguments)
            except InvalidInputError as error:
                found = error.argument
            call = f"{function.__qualname__}{arguments!r}"[:120]
            yield found == named or f"{call}: refused is {found or 'nothing'}, not {named or 'nothing'}"
    left_out = [function.__qualname__ for function in CASES.keys() - cases.keys()]
    yield not left_out or f"the table says nothing of {', '.join(sorted(left_out))}"
