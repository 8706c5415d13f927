"""The linear program that users solve: both sides of its proof, told by the definitions and not by the library's own checks."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lpmech import PrivacyLevel
from lpmech.claims import Parts
from lpmech.errors import ProgramError
from lpmech.papers.across.paper import PAPER
from lpmech.programs.general import Program, Solution
from lpmech.programs.hit_floors import floor_bound, halfway_floor, largest_floor, priced

Fixed = dict[tuple[int, int], Fraction]


def _programs() -> list[tuple[list[list[int]], Fraction, Fixed]]:
    """Whole weights with ties, one output more or fewer than labels, two levels, with and without a prescribed entry."""
    rng = np.random.default_rng(3)
    shapes = ((2, 2), (2, 4), (3, 3), (4, 3), (4, 4))
    found: list[tuple[list[list[int]], Fraction, Fixed]] = []
    for rows, columns in shapes:
        for t in map(Fraction, ("3/2", "4")):
            weights = rng.integers(-3, 6, size=(rows, columns)).tolist()
            found += [(weights, t, {}), (weights, t, {(rows - 1, 0): Fraction(1, columns)})]
    return found


def proved(weights: Any, t: Fraction, fixed: Fixed, solution: Any) -> str | None:
    """What the solution fails to prove, from the definitions: channel, privacy, value, dual constraints, bound."""
    q, pi, mu = solution.channel.matrix.tolist(), solution.row_duals.tolist(), dict(solution.fixed_duals)
    if any(sum(row) != 1 or min(row) < 0 for row in q):
        return "a row is no distribution"
    if any(max(column) > t * min(column) for column in zip(*q, strict=True)):
        return f"not private at t = {t}"
    if any(q[y][j] != value for (y, j), value in fixed.items()):
        return "the prescribed entry is another"
    value = sum(w * p for ws, ps in zip(weights, q, strict=True) for w, p in zip(ws, ps, strict=True))
    if solution.value != value:
        return f"value {solution.value}, the channel attains {value}"
    for j in range(len(weights[0])):
        reduced = [weights[y][j] - pi[y] - mu.get((y, j), 0) for y in range(len(weights))]
        if sum(reduced) + (t - 1) * sum(max(r, 0) for r in reduced) > 0:
            return f"the dual constraint of output {j} is violated"
    bound = sum(pi) + sum(mu.get(place, 0) * value for place, value in fixed.items())
    return None if solution.bound == bound == value else f"bound {solution.bound}, the duals prove {bound}"


@PAPER.claim(
    "Linear programs (the functions)",
    r"an exact solution has a private channel, its value, and duals with \sum_y r_{yj}+(t-1)\sum_y\max(r_{yj},0)\le0, r=w-\pi-\mu, that prove it; in floats value and bound enclose it",
    hypotheses="of the float solution value and bound are read as exact rationals",
    recorded="certified",
    family="twenty programs with whole weights, 2 to 4 labels and outputs, ties, t = 3/2, 4, with and without a prescribed entry; "
    "in floats those without one: value <= optimum <= bound, at most 1e-6 apart",
    formula=lambda program, solver: program.solve(solver),
    mutants={
        "half the duals": lambda program, solver: _Halved(program.solve(solver), 2),
        "another program's solution": lambda program, solver: Program(
            -program.weights, program.level, fixed=program.fixed
        ).solve(solver),
    },
)
def linear_programs(solve: Any) -> Parts:
    for weights, t, fixed in _programs():
        at = f"weights {weights}, t = {t}, prescribed {[(*k, str(v)) for k, v in fixed.items()]}"
        named: dict[tuple[Hashable, Hashable], Fraction | float] = {(y, j): value for (y, j), value in fixed.items()}
        exact = solve(Program(weights, PrivacyLevel.from_ratio(t), fixed=named), "exact")
        wrong = proved(weights, t, fixed, exact)
        yield wrong is None or f"{at}: {wrong}"
        if not fixed:
            floats = solve(Program([[float(w) for w in ws] for ws in weights], PrivacyLevel.from_ratio(t)), None)
            low, high = Fraction(float(floats.value)), Fraction(float(floats.bound))
            enclosed = low <= exact.value <= high and high - low <= Fraction(1, 10**6)
            wide = f"{at}: the optimum {exact.value} is not in [{float(low)!r}, {float(high)!r}], or that is wide"
            yield enclosed or wide


class _Halved:
    """A solution whose duals are divided by a number: a wrong proof."""

    def __init__(self, solution: Solution, by: int) -> None:
        self.channel, self.value, self.bound = solution.channel, solution.value, solution.bound
        self.row_duals, self.fixed_duals = solution.row_duals / by, solution.fixed_duals


@PAPER.claim(
    "Floors on the hits of every label (the functions)",
    r"largest_floor is \frac t{t+K-1}, halfway_floor lies halfway from 1/K to it, priced adds the prices on the diagonal, floor_bound takes floor times their sum off and refuses a negative price",
    recorded="certified",
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
        yield most(k, level) == right or f"{at}: {most(k, level)}, not {right}"
        short = (right + Fraction(1, k)) / 2 - halfway(k, level)
        yield 0 <= short < Fraction(1, 2**60) or f"{at}: halfway is {halfway(k, level)}"
        prices = np.array([Fraction(y, 7) for y in range(k)])
        weights = [[Fraction(i + 2 * j) for j in range(k)] for i in range(k)]
        made = with_prices(Program(weights, level), prices).weights.tolist()
        expected = (np.array(weights) + np.diag(prices)).tolist()
        yield made == expected or f"{at}: priced weights {made}"
        found, least = bound(Fraction(5), prices, right), 5 - right * sum(prices)
        yield found == least or f"{at}: bound {found}, not {least}"
        yield (
            _refuses(bound, prices - Fraction(1, 7), right)
            or f"{at}: a bound from the price -1/7, which proves nothing"
        )


def _refuses(bound: Any, prices: Any, floor: Fraction) -> bool:
    try:
        bound(Fraction(5), prices, floor)
    except ProgramError:
        return True
    return False
