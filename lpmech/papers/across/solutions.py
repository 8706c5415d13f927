"""Programs and solutions as users make them: what is taken, what is refused, and how near to an optimum it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from lpmech.channel import Channel
from lpmech.claims import Parts
from lpmech.errors import LabelError, ProgramError, SolverError
from lpmech.papers.across.paper import PAPER
from lpmech.papers.checks import refuses
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program, Solution, optimal_channel
from lpmech.programs.hit_floors import FlooredOptimum, as_floor
from lpmech.programs.optimality import loss_percent

_LEVEL = PrivacyLevel.from_ratio(3)
_HALF = Fraction(1, 2)


def _hits(
    size: int, off: Any, more: Any = 0, fixed: Any = None, top: Any = 1, level: PrivacyLevel = _LEVEL
) -> list[Any]:
    """The arguments of a solution: hits, worth `top`, by randomised response and its duals, the first and last of them off."""
    t, unit = level.ratio, off * 0 + 1
    low = unit / (t + size - 1)
    matrix = [[low * t + more if y == j else low - more * unit / (size - 1) for j in range(size)] for y in range(size)]
    weights = [[unit * (top if y == j else top - 1) for j in range(size)] for y in range(size)]
    duals = np.array([low * t + (top - 1) * unit] * size) + off * np.array([1, *[0] * (size - 2), -1])
    return [Program(weights, level, fixed=fixed), Channel(matrix), duals]


def _accepts(make: Any, arguments: list[Any]) -> bool:
    return not refuses(SolverError, make, *arguments)


@PAPER.claim(
    "What is no solution (the function)",
    "a Solution is made only of a channel that is private, has the prescribed entries and the program's names, and of duals whose bound is its value: exactly, or in floats up to 1e-9 an entry and 1e-6 of the largest weight or 1e-8 of the value",
    hypotheses="randomised response for hits, t = 3, its entries, duals, level and names off by a little more and a little less than that",
    recorded="certified",
    family="2 labels, exactly and in floats, and 200 labels at t = 10^6 in floats; privacy by a factor or 1e-9",
    formula=Solution,
    mutants={"anything": lambda *given: given},
)
def no_solution(make: Any) -> Parts:
    tiny, large = Fraction(1, 10**30), PrivacyLevel.from_ratio(10**6)
    cases = [
        (_hits(2, Fraction(0)), True),
        (_hits(2, tiny), False),
        (_hits(2, -tiny), False),
        (_hits(2, 0 * tiny, tiny), False),
    ]
    cases += [
        (_hits(2, 9e-7), True),
        (_hits(2, 1.1e-6), False),
        (_hits(2, 0.0, 2e-10), True),
        (_hits(2, 0.0, 3e-10), False),
    ]
    cases += [(_hits(200, 7.5e-9, level=large), True), (_hits(200, 1.1e-8, level=large), False)]
    for off, known in ((0, True), (tiny, False), (-tiny, False)):
        cases.append(([*_hits(2, Fraction(0), fixed={(0, 0): Fraction(3, 4) + off}), {(0, 0): Fraction(0)}], known))
    for near, known in ((5e-10, True), (2e-9, False)):
        cases.append(([*_hits(2, 0.0, fixed={(0, 0): 0.75 + near}), {(0, 0): 0.0}], known))
    program, channel, duals = _hits(2, Fraction(0))
    cases.append(([program, Channel(channel.matrix.tolist(), outputs=["a", "b"]), duals], False))
    for arguments, known in cases:
        taken = _accepts(make, arguments)
        told = f"{arguments[1].matrix.tolist()[0][:2]}, duals {arguments[2][0]}, prescribed {dict(arguments[0].fixed)}"
        yield taken is known or f"{told}: {'a' if taken else 'no'} solution"
    solution = make(program, channel, duals)
    proof = solution.certificate
    yield proof.lower == proof.upper == solution.value == Fraction(3, 2) or f"certificate {proof.lower}, {proof.upper}"


@PAPER.claim(
    "How far a solution is from the optimum (the functions)",
    r"relative_gap is (bound-value)/\max(|value|,|bound|), 0 of zeros; is_closed says whether it is at most 10^{-8}, or the gap at most 10^{-12}\sum_y(\max_jw_{yj}-\min_jw_{yj})",
    hypotheses="value and bound as the exact numbers that the floats are; the relative gap within 1e-15 of itself",
    recorded="certified",
    family="randomised response for hits, worth 1 or 1/4, 2 and 5 labels, t = 3, two duals off by 0 to 1.6e-8; a program of zeros",
    formula=(lambda solution: solution.relative_gap, lambda solution: solution.is_closed),
    mutants={"always closed": (lambda solution: solution.relative_gap, lambda solution: True)},
)
def gaps(functions: Any) -> Parts:
    relative, closed = functions
    #: with gaps on both sides of 1e-8 of the value and of 1e-12 of the number of labels
    offs = (0.0, 1e-13, 1.9e-12, 2.1e-12, 3.4e-12, 3.6e-12, 1.4e-8, 1.49e-8, 1.51e-8, 1.6e-8)
    made = [(n, top, off) for n, top in ((2, 1.0), (2, 0.25), (5, 1.0), (5, 1 - 3 / 7)) for off in offs]
    solutions = [(f"{n} labels, top {top}, off {off}", n, Solution(*_hits(n, off, top=top))) for n, top, off in made]
    zeros = Solution(Program([[0, 0]], _LEVEL), Channel([[_HALF, _HALF]]), np.array([Fraction(0)]))
    for told, reach, solution in [*solutions, ("zeros", 0, zeros)]:
        value, bound = Fraction(solution.value), Fraction(solution.bound)
        right = (bound - value) / (max(abs(value), abs(bound)) or 1)
        near = abs(Fraction(relative(solution)) - right) <= Fraction(1e-15) * right
        yield near or f"{told}: relative gap {relative(solution)}, not {float(right)}"
        is_closed = right <= Fraction(1e-8) or bound - value <= Fraction(1e-12) * reach
        yield (
            closed(solution) is is_closed
            or f"{told}: gap {float(bound - value)}, relative {float(right)}: closed {not is_closed}"
        )


def _refused() -> Iterator[tuple[type[Exception], dict[str, Any]]]:
    """Errors, and the arguments that they refuse."""
    for value in (Fraction(-1, 9), Fraction(10, 9), "a"):
        yield ProgramError, {"fixed": {("a", "x"): value}}
    yield from (
        (ProgramError, {"fixed": fixed})
        for fixed in ({("c", "x"): _HALF}, {("a", "w"): _HALF}, {"ax"}, {("a", "x", "y"): 1})
    )
    yield from ((LabelError, {"allowed": names}) for names in ((), ("x", "w")))
    yield from ((LabelError, {"outputs": names}) for names in (("x", "y"), ("x", "y", "y"), ("x", "y", [])))


@PAPER.claim(
    "A program as it is asked for (the function)",
    "optimal_channel weighs the utility by the prior, keeps the allowed outputs in their order, and takes the prescribed entries by their names; what is no probability, label or set of distinct names is refused",
    recorded="certified",
    family="two labels a, b, outputs x, y, z, every ordered choice of outputs; entries 0, 1/2 and 1; twelve arguments that are refused",
    formula=optimal_channel,
    mutants={"without the prior": lambda u, level, prior, **named: optimal_channel(u, level, [_HALF, _HALF], **named)},
)
def as_asked(make: Any) -> Parts:
    utility, prior, names = (
        [[1, -2, 5], [3, 0, 7]],
        [Fraction(1, 3), Fraction(2, 3)],
        {"inputs": "ab", "outputs": "xyz"},
    )
    for allowed in (None, "xyz", "zyx", "xz", "zx", "y"):
        program = make(utility, _LEVEL, prior, **names, allowed=allowed)
        right = [[p * row["xyz".index(j)] for j in allowed or "xyz"] for p, row in zip(prior, utility, strict=True)]
        fine = program.weights.tolist() == right and program.outputs == tuple(allowed or "xyz")
        yield fine or f"allowed {allowed}: weights {program.weights.tolist()}, outputs {program.outputs}"
    for place, value in ((("b", "x"), Fraction(0)), (("a", "z"), _HALF), (("b", "z"), Fraction(1)), (("a", "x"), 0.5)):
        program = make(utility, _LEVEL, prior, **names, fixed={place: value})
        fixed = {("ab".index(place[0]), "xyz".index(place[1])): value}
        fine = dict(program.fixed) == fixed and program.is_exact is isinstance(value, Fraction)
        yield fine or f"{place}: {value} is prescribed, not {dict(program.fixed)}, or exact: {program.is_exact}"
    for error, named in _refused():
        none = refuses(error, lambda given: make(utility, _LEVEL, prior, **{**names, **given}), named)
        yield none or f"{named} is not refused by {error.__name__}"


@PAPER.claim(
    "Losses, and floors that can be kept (the functions)",
    r"loss_percent is 100(optimum-value)/|optimum|, 0 where both agree to 10^{-12} and \infty for an optimum 0; as_floor takes h from 0 to (1-10^{-6})t/(t+K-1), no other; FlooredOptimum.priced adds the prices on the diagonal",
    hypotheses="the loss within 1e-13 of itself",
    recorded="certified",
    family="ten pairs of both signs; K = 1, 2, 7, t = 3, 1000, at both ends of the floors and beyond",
    formula=(loss_percent, as_floor),
    mutants={"of the value": (lambda value, optimum: loss_percent(optimum, value), as_floor)},
)
def losses_and_floors(functions: Any) -> Parts:
    loss, floor = functions
    pairs = [
        (1, 2),
        (-3, -2),
        (1, 1 + 5e-13),
        (1, 1 + 1e-11),
        (2, 1),
        (0, 5),
        (-1, 0),
        (0, 0),
        (-1e-16, 0),
        (-1e-14, 0),
    ]
    for value, optimum in (tuple(map(Fraction, pair)) for pair in pairs):
        gap = optimum - value
        same = abs(gap) <= max(Fraction(1e-12) * max(abs(value), abs(optimum)), Fraction(1e-15))
        right = 0 if same else 100 * gap / abs(optimum) if optimum else math.inf
        found = loss(value, optimum)
        near = found == right or (
            abs(right) < math.inf and abs(Fraction(found) - right) <= abs(right) * Fraction(1e-13)
        )
        yield near or f"value {value}, optimum {optimum}: {found}, not {right}"
    for size, t in ((k, Fraction(t)) for k in (1, 2, 7) for t in (3, 1000)):
        most, level = (1 - Fraction(1, 10**6)) * t / (t + size - 1), PrivacyLevel.from_ratio(t)
        for h in (Fraction(0), most / 3, most):
            yield floor(h, size, level) == h or f"K = {size}, t = {t}: {floor(h, size, level)} for {h}"
        for h in (-most / 10**12, most * (1 + Fraction(1, 10**12)), "a"):
            yield refuses(ProgramError, floor, h, size, level) or f"K = {size}, t = {t}: {h} is taken"
    program, channel, duals = _hits(2, Fraction(0))
    kept = FlooredOptimum(
        program, _HALF, channel, np.array([Fraction(1, 3), Fraction(2)]), duals
    ).priced.weights.tolist()
    yield kept == [[Fraction(4, 3), 0], [0, 3]] or f"priced: {kept}"
