"""Programs and solutions as users make them: what is taken, what is refused, and how near to an optimum it is."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from library.paper import PAPER
from lpmech.certify import certificate_of
from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.errors import LabelError, ProgramError, SolverError
from lpmech.papers.across.agreement import agrees, refused
from lpmech.papers.checks import refuses
from lpmech.privacy import PrivacyLevel
from lpmech.programs import Program, Solution, optimal_channel
from lpmech.programs.hit_floors import FlooredOptimum, as_floor
from lpmech.programs.optimality import loss_percent

_LEVEL, _HALF, _TINY = PrivacyLevel.from_ratio(3), Fraction(1, 2), Fraction(1, 10**30)


def _hits(n: int, off: Any, more: Any = 0, fixed: Any = None, top: Any = 1, t: int = 3) -> list[Any]:
    """The arguments of a solution: hits, worth `top`, by randomised response and its duals, the first and last of them off."""
    unit = off * 0 + 1
    low, same = unit / (t + n - 1), np.eye(n, dtype=int)
    matrix = same * (low * t + more) + (1 - same) * (low - more * unit / (n - 1))
    duals = np.array([low * t + (top - 1) * unit] * n) + off * np.array([1, *[0] * (n - 2), -1])
    program = Program((same + top - 1) * unit, PrivacyLevel.from_ratio(t), fixed=fixed and {(0, 0): fixed})
    return [program, Channel(matrix), duals, {(0, 0): unit * 0} if fixed else {}]


@PAPER.claim(
    "What is no solution (the function)",
    "a Solution is made only of a channel that is private, has the prescribed entries and the program's names, and of duals whose bound is its value: exactly, or in floats up to $10^{-9}$ an entry and $10^{-6}$ of the largest weight or $10^{-8}$ of the value",
    hypotheses="randomised response for hits with entries, duals and names off by a little more and a little less than that",
    family="2 labels, t = 3, exactly and in floats, and 200 labels at t = 10^6 in floats",
    formula=Solution,
    mutants={"anything": lambda *given: given},
)
def no_solution(make: Any) -> Parts:
    exact, most, wide, worth = Fraction(0), Fraction(3, 4), (0, None, 1, 10**6), (0, None, 1000)
    sides: Any = (  # just taken, and just not
        ((2, exact), (2, _TINY)), ((2, exact), (2, -_TINY)), ((2, exact), (2, exact, _TINY)), ((2, 9e-7), (2, 1.1e-6)),
        ((2, 0.0, 2e-10), (2, 0.0, 3e-10)), ((200, 7.5e-9, *wide), (200, 1.1e-8, *wide)), ((2, 9e-4, *worth), (2, 1.1e-3, *worth)),
        *(((2, exact, 0, most), (2, exact, 0, most + v)) for v in (_TINY, -_TINY)), ((2, 0.0, 0, 0.75 + 5e-10), (2, 0.0, 0, 0.75 + 2e-9)),
    )  # fmt: skip
    calls = [(_hits(*given), taken) for side in sides for given, taken in zip(side, (True, False), strict=True)]
    program, channel, *duals = _hits(2, exact)
    for inputs, outputs in ((None, "ab"), ("ab", None), ((1, 0), None), (None, (1, 0))):
        calls.append(([program, Channel(channel.matrix, inputs, outputs), *duals], False))
    for arguments, taken in calls:
        names = f"{arguments[1].inputs[:2]} to {arguments[1].outputs[:2]}"
        told = f"{arguments[1].matrix.tolist()[0][:2]}, {names}, duals {arguments[2][0]}, prescribed {dict(arguments[0].fixed)}"
        yield refuses(SolverError, make, *arguments) is not taken or f"{told}: {'no' if taken else 'a'} solution"
    proof = certificate_of(make(program, channel, *duals))
    yield agrees("certificate", [proof.lower, proof.upper], [Fraction(3, 2)] * 2)


@PAPER.claim(
    "How far a solution is from the optimum (the functions)",
    r"`relative_gap` is $(\mathrm{bound}-\mathrm{value})/\max(|\mathrm{value}|,|\mathrm{bound}|)$, 0 of zeros; `is_closed` says whether it is at most $10^{-8}$, or the gap at most $10^{-12}\sum_y(\max_j w_{yj}-\min_j w_{yj})$",
    hypotheses="value and bound as the exact numbers that the floats are; the relative gap within $10^{-15}$ of itself",
    family="randomised response for hits of 2 and 5 labels, t = 3, with an optimum near zero and not, duals off by 0 to 1.6e-8; a program of zeros",
    formula=(lambda solution: solution.relative_gap, lambda solution: solution.is_closed),
    mutants={"always closed": (lambda solution: solution.relative_gap, lambda solution: True)},
)
def gaps(functions: Any) -> Parts:
    relative, closed = functions
    ends = (1.9e-12, 2.1e-12, 3.4e-12, 3.6e-12, 1.49e-8, 1.51e-8)  # the last floats that are closed, and the next
    tops = ((2, 1.0), (2, 0.25), (5, 1.0), (5, 1 - 3 / 7))
    made = [Solution(*_hits(n, off, top=top)) for n, top in tops for off in (0.0, 1e-13, *ends, 1.4e-8, 1.6e-8)]
    made.append(Solution(Program([[0, 0]], _LEVEL), Channel([[_HALF, _HALF]]), np.array([Fraction(0)])))
    for solution in made:
        value, bound = Fraction(solution.value), Fraction(solution.bound)
        right = (bound - value) / (max(abs(value), abs(bound)) or 1)
        told = f"{solution.program.weights[0]}, from {float(value)!r} to {float(bound)!r}"
        yield agrees(f"{told}: relative gap", relative(solution), right, relative=1e-15)
        reach = sum(max(row) - min(row) for row in solution.program.weights.tolist())
        is_closed = right <= Fraction(1e-8) or bound - value <= Fraction(1e-12) * Fraction(reach)
        yield agrees(f"{told}: closed", closed(solution), is_closed)


#: Arguments that are refused, by name.
_REFUSED: dict[tuple[type[Exception], str], Any] = {
    (ProgramError, "fixed"): [
        *({("a", "x"): value} for value in (Fraction(-1, 9), Fraction(10, 9), "a")),
        *({("c", "x"): _HALF}, {("a", "w"): _HALF}, {"ax"}, {("a", "x", "y"): 1}),
    ],
    (LabelError, "allowed"): ["", "xw"],
    (LabelError, "outputs"): ["xy", "xyy", ["x", "y", []]],
    (LabelError, "inputs"): ["a", "aa", ["a", []]],
}


@PAPER.claim(
    "A program as it is asked for (the function)",
    "`optimal_channel` weighs the utility by the prior, keeps the allowed outputs in their order, and takes the prescribed entries by their names; what is no probability, label or set of distinct names is refused",
    family="two labels a, b, outputs x, y, z, six choices of outputs, exactly and in floats; entries 0, 1/2 and 1; fifteen arguments that are refused",
    formula=optimal_channel,
    mutants={"without the prior": lambda u, level, prior, **named: optimal_channel(u, level, [_HALF, _HALF], **named)},
    survivors={
        "exact_product(weights[:, None], gain) if is_exact(gain) else weights[:, None] * gain -> weights[:, None] * gain if is_exact(gain) else exact_product(weights[:, None], gain)": "a product of floats has no exact part",
    },
)
def as_asked(make: Any) -> Parts:
    prior, utility = [Fraction(1, 4), Fraction(3, 4)], [[1, -2, 5], [3, 0, 7]]
    names: dict[str, Any] = {"inputs": "ab", "outputs": "xyz"}
    prescribed = {("b", "x"): Fraction(0), ("a", "z"): _HALF, ("b", "z"): Fraction(1), ("a", "x"): 0.5}
    for allowed, unit in product((None, "xyz", "zyx", "xz", "zx", "y"), (1, 1.0)):
        program = make([[unit * u for u in row] for row in utility], _LEVEL, prior, **names, allowed=allowed)
        right = [[p * row["xyz".index(j)] for j in allowed or "xyz"] for p, row in zip(prior, utility, strict=True)]
        yield agrees(f"allowed {allowed}: weights", program.weights, right)
        yield agrees(f"allowed {allowed}: names", [*program.inputs, *program.outputs], [*"ab", *(allowed or "xyz")])
    for ((y, j), value), inputs in product(prescribed.items(), ("ab", "ba")):
        program = make(utility, _LEVEL, prior, **{**names, "inputs": inputs}, fixed={(y, j): value})
        fixed = {(inputs.index(y), "xyz".index(j)): value}
        fine = dict(program.fixed) == fixed and program.is_exact is isinstance(value, Fraction)
        yield fine or f"{y}, {j}: {value} is prescribed, not {dict(program.fixed)}, or exact: {program.is_exact}"
        yield agrees("names", [*program.inputs, *program.outputs], [*inputs, *"xyz"])
    for (error, argument), wrong in _REFUSED.items():
        calls = (({**names, argument: value},) for value in wrong)
        yield from refused(error, lambda named: make(utility, _LEVEL, prior, **named), *calls)


@PAPER.claim(
    "Losses, and floors that can be kept (the functions)",
    r"`loss_percent` is $100(\text{optimum}-\text{value})/|\text{optimum}|$, 0 where both agree to $10^{-12}$ and $\infty$ for an optimum 0; `as_floor` takes $h$ from 0 to $(1-10^{-6})t/(t+K-1)$, or the word halfway for $(1/K+t/(t+K-1))/2$ in 60 bits, no other; FlooredOptimum.priced adds the prices on the diagonal",
    hypotheses="the loss within $10^{-13}$ of itself",
    family="ten pairs of both signs; K = 1, 2, 7, t = 3, 1000, at both ends of the floors and beyond",
    formula=(loss_percent, as_floor),
    survivors={"part 1: optimum -> optimum ** 2 in optimum != 0": "an optimum is zero iff its square is"},
)
def losses_and_floors(functions: Any) -> Parts:
    loss, floor = functions
    values, optima = (1, -3, 1, 1, 2, 0, -1, 0, -1e-16, -1e-14), (2, -2, 1 + 5e-13, 1 + 1e-11, 1, 5, 0, 0, 0, 0)
    for value, optimum in zip(map(Fraction, values), map(Fraction, optima), strict=True):
        gap = optimum - value
        same = abs(gap) <= max(Fraction(1e-12) * max(abs(value), abs(optimum)), Fraction(1e-15))
        right: Any = 0 if same else 100 * gap / abs(optimum) if optimum else math.inf
        yield agrees(f"value {value}, optimum {optimum}", loss(value, optimum), right, relative=1e-13)
    for size, t in product((1, 2, 7), map(Fraction, (3, 1000))):
        most, level = (1 - Fraction(1, 10**6)) * t / (t + size - 1), PrivacyLevel.from_ratio(t)
        for h in (Fraction(0), most / 3, most):
            yield agrees(f"K = {size}, t = {t}", floor(h, size, level), h)
        halfway = Fraction((Fraction(1, size) + t / (t + size - 1)) / 2 * 2**60 // 1, 2**60)
        yield agrees(f"K = {size}, t = {t}: halfway", floor("halfway", size, level), halfway)
        none = (-most / 10**12, most * (1 + Fraction(1, 10**12)), "a")
        yield from refused(ProgramError, floor, *((h, size, level) for h in none))
    program, channel, duals, _ = _hits(2, Fraction(0))
    kept = FlooredOptimum(program, _HALF, channel, np.array([Fraction(1, 3), Fraction(2)]), duals)
    yield agrees("priced", kept.priced.weights, [[Fraction(4, 3), 0], [0, 3]])
