"""The optimum as a function of t = e^epsilon: exact regimes that cover all t > 1.

At a rational t the exact basis is solved over the field Q(t) of rational functions. It is optimal for every t at
which its primal and dual conditions hold; these are signs of polynomials, so the interval around t follows from
exact root isolation, with nothing sampled. Walking from interval to interval covers (1, infinity).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import compress, groupby, pairwise
from operator import attrgetter, mul
from typing import Any

import numpy as np
import sympy as sp
from flint import arb, ctx, fmpq, fmpq_poly, fmpz_poly

from lpmech.entries import Array, is_exact
from lpmech.errors import ProgramError, SolverError
from lpmech.linear_algebra import flint_number, to_flint
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.programs.hit_rate import hit_gains, misses, threshold
from lpmech.programs.solvers.bases_in_t import solved_in_t
from lpmech.programs.solvers.basis import Basis, FloatStart, float_basis
from lpmech.programs.solvers.exact import extreme_columns
from lpmech.programs.solvers.polynomial_systems import Quotient, QuotientVector, T, solve_linear
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root
from lpmech.programs.solvers.simplex import ExtremeColumn, optimal_columns
from lpmech.programs.solvers.walking import Stretch, covering, joined

__all__ = ["Regime", "regimes_of", "value_pieces", "T"]

#: Channel, row duals and duals of the fixed entries.
Witnesses = tuple[list[list[Quotient]], list[Quotient], list[Quotient]]

_ZERO, _ONE, _RATIO = fmpz_poly(), fmpz_poly([1]), fmpz_poly([0, 1])
_EXCESS = _RATIO - _ONE


@dataclass(frozen=True)
class Regime:
    """An interval of t on which one basis is optimal.

    Attributes
    ----------
    ends : pair of RealRoot
        End points, exact algebraic numbers; the second is None at the end of the walk, which is infinity.
    optimum : Quotient
        The optimum as a rational function of t.
    proof : callable
        Channel (rows of entries), row duals and duals of the fixed entries as quotients of integer polynomials. The
        properties below are these as expressions, written out when they are asked for.
    """

    ends: tuple[RealRoot, RealRoot | None]
    optimum: Quotient
    proof: Callable[[], Witnesses] = field(repr=False)

    @cached_property
    def lower(self) -> sp.Expr:
        """The lower end: a Rational or a CRootOf."""
        return self.ends[0].expression(T)

    @cached_property
    def upper(self) -> sp.Expr:
        """The upper end, or oo."""
        return sp.oo if self.ends[1] is None else self.ends[1].expression(T)

    @cached_property
    def value(self) -> sp.Expr:
        """The optimum as a rational function of t, in factors."""
        return self.optimum.expression

    @cached_property
    def channel(self) -> sp.Matrix:
        """An optimal channel, shape (K, J)."""
        return sp.Matrix([[entry.expression for entry in row] for row in self.proof()[0]])

    @cached_property
    def row_duals(self) -> tuple[sp.Expr, ...]:
        """Dual values pi, length K."""
        return tuple(dual.expression for dual in self.proof()[1])

    @cached_property
    def fixed_duals(self) -> tuple[sp.Expr, ...]:
        """Dual values of the fixed entries, in their order."""
        return tuple(dual.expression for dual in self.proof()[2])

    def contains(self, t: Any) -> bool:
        """Whether t lies in the closed interval."""
        return bool(self.lower <= t) and bool(t <= self.upper)


@dataclass(frozen=True)
class _Piece(Stretch):
    """A regime before it is written out: its ends (None is infinity), the optimum, the channel's entries, all duals."""

    value: Quotient
    channel: QuotientVector
    duals: QuotientVector

    def proof(self, rows: int) -> Witnesses:
        """The witnesses of a program with so many rows."""
        entries = [self.channel[i] for i in range(len(self.channel.numerators))]
        columns = len(entries) // rows
        duals = [self.duals[i] for i in range(len(self.duals.numerators))]
        return [entries[y * columns : (y + 1) * columns] for y in range(rows)], duals[:rows], duals[rows:]


def regimes_of(program: Program) -> list[Regime]:
    """The exact decomposition of (1, infinity) into intervals of t = e^epsilon with one optimal basis each.

    Parameters
    ----------
    program : Program
        Exact weights and fixed entries; its own privacy level is not used.

    Returns
    -------
    list of Regime
        In rising order; neighbours share an end point and differ in channel or value.

    Raises
    ------
    ProgramError
        If the weights or fixed entries are floats.
    InfeasibleProgramError
        If the fixed entries admit no private channel at some t > 1 (fixed entries can exclude small t).
    SolverError
        If no exact basis could be found near some t.
    """
    if not is_exact(program.weights) or any(isinstance(v, float) for v in program.fixed.values()):
        raise ProgramError("program", program.level, "exact weights and exact fixed entries")
    if not program.fixed and (gains := hit_gains(program.weights)) is not None:
        return _hit_regimes(program.weights, gains)
    rows, near = len(program.weights), partial(_piece_near, program, _Whole.of(program), FloatStart(program))
    found = joined(covering(near), lambda last, piece: (piece.channel, piece.duals) == (last.channel, last.duals))
    return [Regime((piece.lower, piece.upper), piece.value, partial(piece.proof, rows)) for piece in found]


def _hit_regimes(weights: Array, gains: Array) -> list[Regime]:
    """Where only a hit counts: RRTop-k between the thresholds of ghazi2021, Theorem 3, gains in place of the prior.

    The k labels of largest gain are kept for t_(k-1) <= t <= t_k; thresholds that coincide, or lie below 1, leave
    nothing in between.
    """
    largest_first = np.sort(gains)[::-1]
    masses = np.cumsum(largest_first)
    missed = flint_number(sum(misses(weights).tolist(), Fraction(0)))
    positive = max(1, int((gains > 0).sum()))
    ends = [threshold(k, masses[k - 1], largest_first[k]) for k in range(1, positive)]
    bounds = [fmpq(1), *(max(fmpq(1), flint_number(end)) for end in ends), None]
    t = fmpq_poly([0, 1])
    found = []
    for k, (lower, upper) in enumerate(pairwise(bounds), start=1):
        if upper is None or lower < upper:
            value = Quotient.of(flint_number(masses[k - 1]) * t + missed * (t + k - 1), t + k - 1)
            reached = (RealRoot.rational(lower), None if upper is None else RealRoot.rational(upper))
            found.append(Regime(reached, value, partial(_hit_proof, weights, gains, k)))
    return found


def _hit_proof(weights: Array, gains: Array, k: int) -> Witnesses:
    """RRTop-k and its duals over Q(t): pi_y = miss_y + g_y - (V - g_y) / (t - 1) on kept labels, else miss_y."""
    kept = set(np.argsort(-gains, kind="stable")[:k].tolist())
    t, one = fmpq_poly([0, 1]), fmpq_poly([1])
    total = t + k - 1
    low, high, even, never = (Quotient.of(*pair) for pair in ((one, total), (t, total), (one, k * one), (0 * one, one)))
    size = range(len(gains))
    channel = [[((high if y == j else low) if y in kept else even) if j in kept else never for j in size] for y in size]
    missed, own = to_flint(misses(weights)), to_flint(gains)
    value = t * sum(own[y] for y in kept)  # over the total
    duals = []
    for y in size:
        gained = own[y] * (t - 1) * total - value + own[y] * total if y in kept else 0 * one
        duals.append(Quotient.of(missed[y] * (t - 1) * total + gained, (t - 1) * total))
    return channel, duals, []


def value_pieces(found: list[Regime]) -> list[tuple[sp.Expr, sp.Expr, sp.Expr]]:
    """(lower, upper, value) of the optimum as a function of t, neighbours of equal value joined."""
    alike = (list(same) for _, same in groupby(found, key=attrgetter("optimum")))
    return [(same[0].lower, same[-1].upper, same[0].value) for same in alike]


def epsilon_at(t: sp.Expr) -> float:
    """ln(t) of an end point, which may be beyond the range of floats."""
    return float(sp.log(t.evalf(40)))


def epsilon_of(end: RealRoot | None) -> float:
    """ln(t) of an end point, from the middle of the interval that it is kept in."""
    if end is None:
        return math.inf
    with ctx.workprec(200):
        return float(((arb(end.lower) + arb(end.upper)) / 2).log().mid())


def _piece_near(program: Program, whole: _Whole, floats: FloatStart, start: Fraction, wiggle: Fraction) -> _Piece:
    """The regime around `start` or a point slightly beside it (in case `start` is a break point).

    Where no basis that was found in floats verifies, exact pivoting finds one.
    """
    fixed: dict[tuple[Hashable, Hashable], Any] = {(y, j): value for (y, j), value in program.fixed.items()}
    guesses: list[tuple[Fraction, Program, Basis]] = []
    for attempt in range(12):
        t = start + wiggle * Fraction(attempt, 12)
        here = Program(program.weights, PrivacyLevel.from_ratio(t), fixed=fixed)
        basis = float_basis(here, floats)
        piece = _piece_of(whole, basis, t)
        if piece is not None:
            return piece
        guesses.append((t, here, basis))
    for t, here, basis in guesses:
        piece = _piece_of_columns(whole, optimal_columns(here, extreme_columns(here, basis)), t)
        if piece is not None:
            return piece
    raise SolverError(f"no basis near t = {start} verifies exactly")


def _piece_of(whole: _Whole, basis: Basis, t: Fraction) -> _Piece | None:
    """The interval around t on which the basis is optimal, or None if it is not optimal around t."""
    point = flint_number(t)
    try:
        solved = _with_fixed_entries(whole, basis) if whole.fixed else solved_in_t(basis, whole.weights)
    except ZeroDivisionError:
        return None
    signed = _signed(solved, point)
    if signed is None:
        return None
    (primal, primal_one), (dual, dual_one) = signed
    channel = basis.channel(primal, whole.weights.shape, _RATIO, _ONE)
    duals = basis.duals(dual, len(whole.weights) + len(whole.fixed), _ONE)
    fixed_entries = {key: value * primal_one for key, value in whole.fixed.items()}
    conditions = _primal_conditions(basis, primal, channel, primal_one * whole.part, fixed_entries)
    return _Proof(whole, channel, primal_one, duals, dual_one, list(conditions)).piece(point)


def _with_fixed_entries(whole: _Whole, basis: Basis) -> tuple[QuotientVector, QuotientVector]:
    """The solutions of a basis and of its transpose.

    Raises
    ------
    ZeroDivisionError
        If the system is not square, or singular for every t.
    """
    given = {key: Fraction(value, whole.part) for key, value in whole.fixed.items()}
    constant, right, low = basis.system(whole.weights, given, 0, 1)
    both, _, high = basis.system(whole.weights, given, 1, 1)
    if any(len(row) != len(constant) for row in constant):
        raise ZeroDivisionError("the system of the basis is not square")
    linear = [[b - a for a, b in zip(*pair, strict=True)] for pair in zip(constant, both, strict=True)]
    objective = [fmpz_poly([a, b - a]) for a, b in zip(low, high, strict=True)]
    return _solved(constant, linear, [int(v * whole.part) for v in right], objective)


def _piece_of_columns(whole: _Whole, basis: Sequence[ExtremeColumn], t: Fraction) -> _Piece | None:
    """The same for a basis of extreme columns: each a level, not negative, times t on a set of rows and 1 elsewhere."""
    (rows, columns), point = whole.weights.shape, flint_number(t)
    cells = [*((y, None) for y in range(rows)), *whole.fixed]
    constant = [[int(j in (None, output) and y not in high) for output, high in basis] for y, j in cells]
    linear = [[int(j in (None, output) and y in high) for output, high in basis] for y, j in cells]
    gains = [whole.weights[:, output] for output, _ in basis]
    objective = [
        fmpz_poly([sum(g for y, g in enumerate(gain) if (y in high) == power) for power in (False, True)])
        for gain, (_, high) in zip(gains, basis, strict=True)
    ]
    right = [whole.part] * rows + list(whole.fixed.values())
    try:
        signed = _signed(_solved(constant, linear, right, objective), point)
    except ZeroDivisionError:
        return None
    if signed is None:
        return None
    (levels, levels_one), (duals, duals_one) = signed
    channel = [[_ZERO] * columns for _ in range(rows)]
    for level, (output, high) in zip(levels, basis, strict=True):
        for y in range(rows):
            channel[y][output] += level * (_RATIO if y in high else _ONE)
    return _Proof(whole, channel, levels_one, duals, duals_one, levels).piece(point)


@dataclass(frozen=True)
class _Whole:
    """A program in whole numbers: weights in units of 1 / `unit`, fixed entries in units of 1 / `part`."""

    weights: Array
    unit: int
    fixed: dict[tuple[int, int], int]
    part: int

    @cached_property
    def free(self) -> list[list[int]]:
        """The weights of each row but for fixed entries, each once, in rising order."""
        rows = enumerate(self.weights.tolist())
        return [sorted({w for j, w in enumerate(row) if (y, j) not in self.fixed}) for y, row in rows]

    @classmethod
    def of(cls, program: Program) -> _Whole:
        weights, unit = _whole(program.weights.ravel().tolist())
        values, part = _whole([Fraction(value) for value in program.fixed.values()])
        reward = np.array(weights, dtype=object).reshape(program.weights.shape)
        return cls(reward, unit, dict(zip(program.fixed, values, strict=True)), part)


#: Numerators of a vector over the field Q(t), and their denominator, which is positive at a point.
_Signed = tuple[list[Any], Any]


def _solved(
    constant: Sequence[Any], linear: Sequence[Any], right: Sequence[int], objective: Sequence[Any]
) -> tuple[QuotientVector, QuotientVector]:
    """The solutions of a system and of its transpose."""
    turned, turned_linear = ([list(column) for column in zip(*part, strict=True)] for part in (constant, linear))
    primal = solve_linear(constant, linear, [fmpz_poly([value]) for value in right])
    return primal, solve_linear(turned, turned_linear, objective)


def _signed(solved: tuple[QuotientVector, QuotientVector], point: Any) -> tuple[_Signed, _Signed] | None:
    """Numerators and denominators that are positive at a point, or None if one vanishes there."""
    signs = [each.denominator(point) for each in solved]
    if not all(signs):
        return None
    primal, dual = (
        ([-each for each in vector.numerators], -vector.denominator)
        if sign < 0
        else (list(vector.numerators), vector.denominator)
        for vector, sign in zip(solved, signs, strict=True)
    )
    return primal, dual


@dataclass(frozen=True)
class _Proof:
    """Channel and duals that prove each other's optimality wherever they are feasible.

    The numerators of the channel are in units of 1 / part, those of the duals in units of 1 / unit.
    """

    whole: _Whole
    channel: Sequence[Sequence[Any]]
    channel_one: Any
    duals: Sequence[Any]
    duals_one: Any
    primal_conditions: Sequence[Any]

    def value(self) -> Any:
        """The numerator of the channel's value if it is that of the duals, or None."""
        whole, rows = self.whole, len(self.whole.weights)
        weighted = zip(whole.weights.ravel().tolist(), (entry for row in self.channel for entry in row), strict=True)
        value = sum([weight * entry for weight, entry in weighted if weight and entry], _ZERO)
        bound = sum(self.duals[:rows], _ZERO) * whole.part + sum(
            map(mul, self.duals[rows:], whole.fixed.values()), _ZERO
        )
        return value if value * self.duals_one == bound * self.channel_one else None

    def reach(self, point: Any) -> tuple[RealRoot, RealRoot | None] | None:
        """The interval around a point on which both are feasible, or None."""
        poles = (self.channel_one, self.duals_one)
        if not all(pole(point) > 0 for pole in poles):
            return None
        duals = _dual_conditions(self.whole, self.duals, self.duals_one, point)
        conditions = [each for each in (*self.primal_conditions, *duals) if each]
        if not all(condition(point) > 0 for condition in conditions):
            return None
        lower = nearest_root(conditions, poles, point, -1, limit=fmpq(1))
        return lower or RealRoot.rational(fmpq(1)), nearest_root(conditions, poles, point, +1)

    def piece(self, point: Any) -> _Piece | None:
        """The regime around a point, or None."""
        value, reached = self.value(), self.reach(point)
        if value is None or reached is None:
            return None
        whole = self.whole
        one = whole.part * self.channel_one
        return _Piece(
            *reached,
            QuotientVector.of([value], whole.unit * one)[0],
            QuotientVector.of([entry for row in self.channel for entry in row], one),
            QuotientVector.of(self.duals, whole.unit * self.duals_one),
        )


def _whole(values: Sequence[Fraction]) -> tuple[list[int], int]:
    """Numerators over one denominator, and that denominator."""
    unit = math.lcm(*(value.denominator for value in values))
    return [value.numerator * (unit // value.denominator) for value in values], unit


def _primal_conditions(
    basis: Basis, unknowns: Sequence[Any], channel: Sequence[Sequence[Any]], one: Any, fixed: Mapping[Any, Any]
) -> Iterator[Any]:
    """Polynomials that must be >= 0 where the channel is one with the fixed entries, all in units of `one`.

    Row sums and fixed entries that are not equations of the basis enter as two inequalities each.
    """
    floors = dict(zip(basis.floors, unknowns, strict=False))
    yield from floors.values()
    for y, j in basis.free:
        floor = floors.get(j, _ZERO)
        yield channel[y][j] - floor
        yield _RATIO * floor - channel[y][j]
    equations = [(sum(row, _ZERO), one) for row in channel]
    equations += [(channel[y][j], value) for (y, j), value in fixed.items()]
    for left, right in equations:
        yield left - right
        yield right - left


def _dual_conditions(whole: _Whole, duals: Sequence[Any], one: Any, point: Any) -> Iterator[Any]:
    """Polynomials that must be >= 0 where the duals, in units of `one`, are feasible and reduced weights keep signs.

    Where `one` is positive the reduced weights of a row, but for fixed entries, are ordered like its weights, so that
    the least positive and the largest negative one speak for all.
    """
    weights, rows = whole.weights, len(whole.weights)
    own = one(point)
    levels = [dual(point) / own for dual in duals[:rows]]
    floors = [int(level.floor()) for level in levels]
    positive = weights > np.array(floors, dtype=object)[:, None]
    offset: dict[int, Any] = {}
    for (y, j), mu in zip(whole.fixed, duals[rows:], strict=True):
        reduced = weights[y, j] * one - duals[y] - mu
        positive[y, j] = reduced(point) > 0
        offset[j] = offset.get(j, _ZERO) + (_RATIO * mu if positive[y, j] else mu)
        yield reduced if positive[y, j] else -reduced
    for dual, level, floor, free in zip(duals, levels, floors, whole.free, strict=False):
        below = bisect_right(free, floor)
        if below < len(free):
            yield free[below] * one - dual
        if below:
            yield dual - free[below - 1] * one
            if below > 1 and free[below - 1] == level:  # one that vanishes at the point speaks for itself alone
                yield dual - free[below - 2] * one
    total = sum(duals[:rows], _ZERO)
    lifted = (weights * positive).sum(axis=0)
    for j, (high, gain, rest) in enumerate(zip(positive.T.tolist(), lifted, weights.sum(axis=0) - lifted, strict=True)):
        raised = sum(compress(duals, high), _ZERO)
        yield total + _EXCESS * raised + offset.get(j, _ZERO) - fmpz_poly([int(rest), int(gain)]) * one
