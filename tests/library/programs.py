"""The linear program that users solve: both sides of its proof, told by the definitions and not by the library's own checks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from library.paper import PAPER
from lpmech import PrivacyLevel
from lpmech.claims import Parts
from lpmech.errors import ProgramError
from lpmech.papers.across.agreement import agrees, refused
from lpmech.programs.general import Program, Solution
from lpmech.programs.hit_floors import floor_bound, halfway_floor, largest_floor, priced


def _programs() -> Iterator[tuple[Any, Fraction, dict[Any, Fraction]]]:
    """Whole weights with ties, one output more or fewer than labels, two levels, with and without a prescribed entry."""
    rng = np.random.default_rng(3)
    for (rows, columns), t in product(((2, 2), (2, 4), (3, 3), (4, 3), (4, 4)), map(Fraction, ("3/2", "4"))):
        weights = rng.integers(-3, 6, size=(rows, columns)).astype(object)
        yield from ((weights, t, fixed) for fixed in ({}, {(rows - 1, 0): Fraction(1, columns)}))


def _proof(weights: Any, t: Fraction, fixed: dict[Any, Fraction], solution: Any) -> Iterator[tuple[Any, str]]:
    """What the solution proves by the definitions, and what it is not where it does not hold."""
    q, pi, mu = solution.channel.matrix, solution.row_duals, solution.fixed_duals
    value, reduced = (weights * q).sum(), weights - pi[:, None]
    for place, dual in mu.items():
        reduced[place] -= dual
    excess = reduced.sum(axis=0) + (t - 1) * np.maximum(reduced, 0).sum(axis=0)
    bound = sum(pi) + sum(mu.get(place, 0) * entry for place, entry in fixed.items())
    yield np.all(q.sum(axis=1) == 1) and np.all(q >= 0), "every row a distribution"
    yield np.all(q.max(axis=0) <= t * q.min(axis=0)), "private"
    yield all(q[place] == entry for place, entry in fixed.items()), "with the prescribed entry"
    yield solution.value == value, f"of the value {value} of its channel, but {solution.value}"
    yield np.all(excess <= 0), f"feasible in its duals, whose excess is ({', '.join(map(str, excess))})"
    yield solution.bound == bound == value, f"proved: the duals have {bound}, the bound is {solution.bound}"


def _halved(solution: Solution) -> Any:
    parts = {name: getattr(solution, name) for name in ("channel", "value", "bound", "fixed_duals")}
    return SimpleNamespace(**parts, row_duals=solution.row_duals / 2)


@PAPER.claim(
    "Linear programs (the functions)",
    r"an exact solution has a private channel, its value, and duals with $\sum_y r_{yj}+(t-1)\sum_y\max(r_{yj},0)\le0$, $r=w-\pi-\mu$, that prove it; in floats value and bound enclose it",
    hypotheses="of the float solution value and bound are read as exact rationals",
    family="twenty programs with whole weights, 2 to 4 labels and outputs, ties, t = 3/2, 4, with and without a prescribed entry; "
    "in floats those without one: value <= optimum <= bound, at most 1e-6 apart",
    formula=lambda program, solver: program.solve(solver),
    mutants={
        "half the duals": lambda program, solver: _halved(program.solve(solver)),
        "for the weights negated": lambda program, solver: Program(-program.weights, program.level).solve(solver),
    },
)
def linear_programs(solve: Any) -> Parts:
    for weights, t, fixed in _programs():
        at = f"weights {weights.tolist()}, t = {t}, prescribed {[(*k, str(v)) for k, v in fixed.items()]}"
        level = PrivacyLevel.from_ratio(t)
        exact = solve(Program(weights, level, fixed=fixed), "exact")
        yield from (bool(holds) or f"{at}: not {what}" for holds, what in _proof(weights, t, fixed, exact))
        if not fixed:
            floats = solve(Program(weights.astype(float), level), None)
            low, high = Fraction(float(floats.value)), Fraction(float(floats.bound))
            enclosed = low <= exact.value <= high and high - low <= Fraction(1, 10**6)
            yield enclosed or f"{at}: {exact.value} is not in [{float(low)!r}, {float(high)!r}], or that is wide"


@PAPER.claim(
    "Floors on the hits of every label (the functions)",
    r"`largest_floor` is $\frac{t}{t+K-1}$, `halfway_floor` lies halfway from $1/K$ to it, priced adds the prices on the diagonal, `floor_bound` takes floor times their sum off and refuses a negative price",
    family="K = 1, ..., 6, t = 3/2, 4; prices k/7; exactly, halfway to 60 bits",
    formula=(largest_floor, halfway_floor, priced, floor_bound),
    mutants={
        "the bound of the priced program": (largest_floor, halfway_floor, priced, lambda upper, prices, floor: upper),
        "prices off": (largest_floor, halfway_floor, lambda program, prices: priced(program, -prices), floor_bound),
    },
)
def floors(functions: Any) -> Parts:
    most, halfway, with_prices, bound = functions
    for k, t in product(range(1, 7), map(Fraction, ("3/2", "4"))):
        level, at, right = PrivacyLevel.from_ratio(t), f"K = {k}, t = {t}", t / (t + k - 1)
        yield agrees(f"{at}: largest", most(k, level), right)
        short = (right + Fraction(1, k)) / 2 - halfway(k, level)
        yield 0 <= short < Fraction(1, 2**60) or f"{at}: halfway is {halfway(k, level)}"
        prices = np.array([Fraction(y, 7) for y in range(k)])
        weights = [[Fraction(i + 2 * j) for j in range(k)] for i in range(k)]
        yield agrees(f"{at}: priced", with_prices(Program(weights, level), prices).weights, weights + np.diag(prices))
        yield agrees(f"{at}: bound", bound(Fraction(5), prices, right), 5 - right * sum(prices))
        yield from refused(ProgramError, bound, (Fraction(5), prices - Fraction(1, 7), right))
