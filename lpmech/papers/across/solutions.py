"""Programs and solutions as users make them: what is taken, what is refused, and how near to an optimum it is."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
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
    "a Solution is made only of a channel that is private, has the prescribed entries and the program's names, and of duals whose bound is its value: exactly, or in floats up to 1e-9 an entry and 1e-6 of the largest weight or 1e-8 of the value",
    hypotheses="randomised response for hits with entries, duals and names off by a little more and a little less than that",
    recorded="certified",
    family="2 labels, t = 3, exactly and in floats, and 200 labels at t = 10^6 in floats",
    formula=Solution,
    mutants={"anything": lambda *given: given},
)
def no_solution(make: Any) -> Parts:
    exact = Fraction(0)
    fine = [_hits(2, exact), _hits(2, 9e-7), _hits(2, 0.0, 2e-10), _hits(200, 7.5e-9, t=10**6)]
    fine += [_hits(2, exact, fixed=3 * _HALF / 2), _hits(2, 0.0, fixed=0.75 + 5e-10)]
    none = [_hits(2, _TINY), _hits(2, -_TINY), _hits(2, exact, _TINY), _hits(2, 1.1e-6), _hits(2, 0.0, 3e-10)]
    none += [_hits(2, exact, fixed=3 * _HALF / 2 + v) for v in (_TINY, -_TINY)] + [_hits(2, 0.0, fixed=0.75 + 2e-9)]
    none += [
        _hits(200, 1.1e-8, t=10**6),
        [_hits(2, exact)[0], Channel([[3 * _HALF / 2, _HALF / 2]] * 2, outputs="ab"), np.array([_HALF, _HALF])],
    ]
    for arguments in (*fine, *none):
        taken = not refuses(SolverError, make, *arguments)
        told = f"{arguments[1].matrix.tolist()[0][:2]}, duals {arguments[2][0]}, prescribed {dict(arguments[0].fixed)}"
        yield taken is any(arguments is known for known in fine) or f"{told}: {'a' if taken else 'no'} solution"
    proof = make(*fine[0]).certificate
    yield proof.lower == proof.upper == Fraction(3, 2) or f"certificate from {proof.lower} to {proof.upper}"


@PAPER.claim(
    "How far a solution is from the optimum (the functions)",
    r"relative_gap is (bound-value)/\max(|value|,|bound|), 0 of zeros; is_closed says whether it is at most 10^{-8}, or the gap at most 10^{-12}\sum_y(\max_jw_{yj}-\min_jw_{yj})",
    hypotheses="value and bound as the exact numbers that the floats are; the relative gap within 1e-15 of itself",
    recorded="certified",
    family="randomised response for hits of 2 and 5 labels, t = 3, with an optimum near zero and not, duals off by 0 to 1.6e-8; a program of zeros",
    formula=(lambda solution: solution.relative_gap, lambda solution: solution.is_closed),
    mutants={"always closed": (lambda solution: solution.relative_gap, lambda solution: True)},
)
def gaps(functions: Any) -> Parts:
    relative, closed = functions
    offs = (
        0.0,
        1e-13,
        1.9e-12,
        2.1e-12,
        3.4e-12,
        3.6e-12,
        1.4e-8,
        1.49e-8,
        1.51e-8,
        1.6e-8,
    )  # on both sides of the ends
    made = [
        Solution(*_hits(n, off, top=top)) for n, top in ((2, 1.0), (2, 0.25), (5, 1.0), (5, 1 - 3 / 7)) for off in offs
    ]
    for solution in (*made, Solution(Program([[0, 0]], _LEVEL), Channel([[_HALF, _HALF]]), np.array([Fraction(0)]))):
        value, bound = Fraction(solution.value), Fraction(solution.bound)
        right = (bound - value) / (max(abs(value), abs(bound)) or 1)
        told = f"{solution.program.weights[0]}, from {float(value)!r} to {float(bound)!r}"
        near = abs(Fraction(relative(solution)) - right) <= Fraction(1e-15) * right
        yield near or f"{told}: relative gap {relative(solution)}, not {float(right)}"
        reach = sum(max(row) - min(row) for row in solution.program.weights.tolist())
        is_closed = right <= Fraction(1e-8) or bound - value <= Fraction(1e-12) * Fraction(reach)
        yield closed(solution) is is_closed or f"{told}: closed {not is_closed}"


#: Arguments that are refused.
_REFUSED: tuple[tuple[type[Exception], dict[str, Any]], ...] = (
    *((ProgramError, {"fixed": {("a", "x"): value}}) for value in (Fraction(-1, 9), Fraction(10, 9), "a")),
    *(
        (ProgramError, {"fixed": fixed})
        for fixed in ({("c", "x"): _HALF}, {("a", "w"): _HALF}, {"ax"}, {("a", "x", "y"): 1})
    ),
    *((LabelError, {"allowed": names}) for names in ((), ("x", "w"))),
    *((LabelError, {"outputs": names}) for names in (("x", "y"), ("x", "y", "y"), ("x", "y", []))),
)


@PAPER.claim(
    "A program as it is asked for (the function)",
    "optimal_channel weighs the utility by the prior, keeps the allowed outputs in their order, and takes the prescribed entries by their names; what is no probability, label or set of distinct names is refused",
    recorded="certified",
    family="two labels a, b, outputs x, y, z, six choices of outputs, exactly and in floats; entries 0, 1/2 and 1; twelve arguments that are refused",
    formula=optimal_channel,
    mutants={"without the prior": lambda u, level, prior, **named: optimal_channel(u, level, [_HALF, _HALF], **named)},
    survivors="a product of floats has no exact part",
)
def as_asked(make: Any) -> Parts:
    prior, names = [Fraction(1, 4), Fraction(3, 4)], {"inputs": "ab", "outputs": "xyz"}
    for allowed, unit in product((None, "xyz", "zyx", "xz", "zx", "y"), (1, 1.0)):
        utility = [[1 * unit, -2, 5], [3, 0, 7]]
        program = make(utility, _LEVEL, prior, **names, allowed=allowed)
        right = [[p * row["xyz".index(j)] for j in allowed or "xyz"] for p, row in zip(prior, utility, strict=True)]
        fine = program.weights.tolist() == right and program.outputs == tuple(allowed or "xyz")
        yield fine or f"allowed {allowed}: weights {program.weights.tolist()}, outputs {program.outputs}"
    for (y, j), value in {("b", "x"): Fraction(0), ("a", "z"): _HALF, ("b", "z"): Fraction(1), ("a", "x"): 0.5}.items():
        program = make([[1, 2, 3], [4, 5, 6]], _LEVEL, prior, **names, fixed={(y, j): value})
        fixed = {("ab".index(y), "xyz".index(j)): value}
        fine = dict(program.fixed) == fixed and program.is_exact is isinstance(value, Fraction)
        yield fine or f"{y}, {j}: {value} is prescribed, not {dict(program.fixed)}, or exact: {program.is_exact}"
    for error, named in _REFUSED:
        none = refuses(error, lambda given: make([[1, 2, 3]] * 2, _LEVEL, prior, **{**names, **given}), named)
        yield none or f"{named} is not refused by {error.__name__}"


@PAPER.claim(
    "Losses, and floors that can be kept (the functions)",
    r"loss_percent is 100(optimum-value)/|optimum|, 0 where both agree to 10^{-12} and \infty for an optimum 0; as_floor takes h from 0 to (1-10^{-6})t/(t+K-1), no other; FlooredOptimum.priced adds the prices on the diagonal",
    hypotheses="the loss within 1e-13 of itself",
    recorded="certified",
    family="ten pairs of both signs; K = 1, 2, 7, t = 3, 1000, at both ends of the floors and beyond",
    formula=(loss_percent, as_floor),
    mutants={"of the value": (lambda value, optimum: loss_percent(optimum, value), as_floor)},
    survivors="an optimum is zero iff its square is; the array has one entry",
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
        found, gap = loss(value, optimum), optimum - value
        same = abs(gap) <= max(Fraction(1e-12) * max(abs(value), abs(optimum)), Fraction(1e-15))
        right = 0 if same else 100 * gap / abs(optimum) if optimum else math.inf
        near = found == right or abs(found - right) <= abs(right) * 1e-13 < math.inf
        yield near or f"value {value}, optimum {optimum}: {found}, not {right}"
    for size, t in product((1, 2, 7), map(Fraction, (3, 1000))):
        most, level = (1 - Fraction(1, 10**6)) * t / (t + size - 1), PrivacyLevel.from_ratio(t)
        for h in (Fraction(0), most / 3, most):
            yield floor(h, size, level) == h or f"K = {size}, t = {t}: {floor(h, size, level)} for {h}"
        for h in (-most / 10**12, most * (1 + Fraction(1, 10**12)), "a"):
            yield refuses(ProgramError, floor, h, size, level) or f"K = {size}, t = {t}: {h} is taken"
    program, channel, duals, _ = _hits(2, Fraction(0))
    kept = FlooredOptimum(
        program, _HALF, channel, np.array([Fraction(1, 3), Fraction(2)]), duals
    ).priced.weights.tolist()
    yield kept == [[Fraction(4, 3), 0], [0, 3]] or f"priced: {kept}"
