"""The optimum as a function of t = e^epsilon: exact regimes that cover all t > 1.

At a rational t the exact basis is solved over the field Q(t) of rational functions. It is optimal for every t at
which its primal and dual conditions hold; these are signs of polynomials, so the interval around t follows from
exact root isolation, with nothing sampled. Walking from interval to interval covers (1, infinity).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from sympy.polys.matrices import DomainMatrix
from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

from lpmech.entries import Array, is_exact
from lpmech.errors import ProgramError, SolverError
from lpmech.mechanisms.rr_with_prior import threshold
from lpmech.privacy import PrivacyLevel
from lpmech.programs.general import Program
from lpmech.solvers.basis import Basis, float_basis
from lpmech.solvers.hit_rate import hit_gains, misses

__all__ = ["Regime", "regimes", "value_pieces", "T"]

#: The parameter t = e^epsilon.
T = sp.Symbol("t")

#: Channel, row duals and duals of the fixed entries, elements of Q(t).
Proof = tuple[list[list[Any]], list[Any], list[Any]]

_FIELD = sp.QQ.frac_field(T)
_FIRST = Fraction(2)
_MOST_REFINEMENTS = 60
_MOST_REGIMES = 1000


@dataclass(frozen=True)
class Regime:
    """An interval of t on which one basis is optimal.

    Attributes
    ----------
    lower, upper : sympy expression
        End points, exact algebraic numbers (Rational or CRootOf); 1 and oo at the ends of the walk.
    value : sympy expression
        The optimum as a rational function of t.
    proof : callable
        Channel (rows of entries), row duals and duals of the fixed entries as reduced elements of Q(t). The properties
        below are these as expressions, written out when they are asked for.
    """

    lower: sp.Expr
    upper: sp.Expr
    value: sp.Expr
    proof: Callable[[], Proof] = field(repr=False)

    @cached_property
    def channel(self) -> sp.Matrix:
        """An optimal channel, shape (K, J)."""
        return sp.Matrix([[_expression(entry) for entry in row] for row in self.proof()[0]])

    @cached_property
    def row_duals(self) -> tuple[sp.Expr, ...]:
        """Dual values pi, length K."""
        return tuple(_expression(dual) for dual in self.proof()[1])

    @cached_property
    def fixed_duals(self) -> tuple[sp.Expr, ...]:
        """Dual values of the fixed entries, in their order."""
        return tuple(_expression(dual) for dual in self.proof()[2])

    def contains(self, t: Any) -> bool:
        """Whether t lies in the closed interval."""
        return bool(self.lower <= t) and bool(t <= self.upper)


def regimes(program: Program) -> list[Regime]:
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
    found = [_regime_near(program, _FIRST, Fraction(1, 64))]
    while found[-1].upper != sp.oo:
        found.append(_neighbour(program, found[-1].upper, +1))
        _guard(found)
    while found[0].lower > 1:
        found.insert(0, _neighbour(program, found[0].lower, -1))
        _guard(found)
    return _merged(found)


def _hit_regimes(weights: Array, gains: Array) -> list[Regime]:
    """Where only a hit counts: RRTop-k between the thresholds of ghazi2021, Theorem 3, gains in place of the prior.

    The k labels of largest gain are kept for t_(k-1) <= t <= t_k; thresholds that coincide, or lie below 1, leave
    nothing in between.
    """
    largest_first = np.sort(gains)[::-1]
    masses = np.cumsum(largest_first)
    missed = _rational(sum(misses(weights).tolist(), Fraction(0)))
    positive = max(1, int((gains > 0).sum()))
    ends = [threshold(k, masses[k - 1], largest_first[k]) for k in range(1, positive)]
    bounds = [sp.Integer(1), *(sp.Max(1, sp.Rational(end.numerator, end.denominator)) for end in ends), sp.oo]
    found = []
    for k, (lower, upper) in enumerate(pairwise(bounds), start=1):
        if lower < upper:
            value = sp.Rational(masses[k - 1].numerator, masses[k - 1].denominator) * T / (T + k - 1)
            if missed:
                value = sp.factor(value + sp.Rational(missed.numerator, missed.denominator))
            found.append(Regime(lower, upper, value, partial(_hit_proof, weights, gains, k)))
    return found


def _hit_proof(weights: Array, gains: Array, k: int) -> Proof:
    """RRTop-k and its duals over Q(t): pi_y = miss_y + g_y - (V - g_y) / (t - 1) on kept labels, else miss_y."""
    t, one = _FIELD.from_sympy(T), _FIELD.one
    kept = set(np.argsort(-gains, kind="stable")[:k].tolist())
    low = one / (t + k - 1)
    outside = one / k
    size = range(len(gains))
    channel = [
        [((t if y == j else one) * low if y in kept else outside) if j in kept else _FIELD.zero for j in size]
        for y in size
    ]
    missed = [_FIELD(_rational(value)) for value in misses(weights).tolist()]
    own = [_FIELD(_rational(value)) for value in gains.tolist()]
    value = t * sum((own[y] for y in kept), _FIELD.zero) * low
    duals = [missed[y] + (own[y] - (value - own[y]) / (t - one) if y in kept else _FIELD.zero) for y in size]
    return channel, duals, []


def value_pieces(found: list[Regime]) -> list[tuple[sp.Expr, sp.Expr, sp.Expr]]:
    """(lower, upper, value) of the optimum as a function of t, neighbours of equal value joined."""
    pieces: list[tuple[sp.Expr, sp.Expr, sp.Expr]] = []
    for regime in found:
        if pieces and pieces[-1][2] == regime.value:
            pieces[-1] = (pieces[-1][0], regime.upper, regime.value)
        else:
            pieces.append((regime.lower, regime.upper, regime.value))
    return pieces


def epsilon_at(t: sp.Expr) -> float:
    """ln(t) of an end point, which may be beyond the range of floats."""
    return float(sp.log(t))


def _guard(found: list[Regime]) -> None:
    if len(found) > _MOST_REGIMES:
        raise SolverError(f"more than {_MOST_REGIMES} regimes")


def _neighbour(program: Program, end: sp.Expr, direction: int) -> Regime:
    """The regime on the other side of an end point: tried ever closer to it until no gap is left."""
    for k in range(6, _MOST_REFINEMENTS):
        step = Fraction(1, 2**k)
        start = _rational_near(end, step) + direction * step
        if start <= 1:
            continue
        regime = _regime_near(program, start, step / 4)
        if regime.lower <= end <= regime.upper:
            return regime
    raise SolverError(f"no regime found next to t = {end}")


def _rational_near(number: sp.Expr, tolerance: Fraction) -> Fraction:
    """A rational within tolerance / 8 of an algebraic number."""
    digits = max(15, len(str(tolerance.denominator)) + 5)
    rational = sp.Rational(str(sp.N(number, digits)))
    return Fraction(int(rational.p), int(rational.q))


def _regime_near(program: Program, start: Fraction, wiggle: Fraction) -> Regime:
    """The regime around `start` or a point slightly beside it (in case `start` is a break point)."""
    fixed: dict[tuple[Hashable, Hashable], Any] = {(y, j): value for (y, j), value in program.fixed.items()}
    for attempt in range(12):
        t = start + wiggle * Fraction(attempt, 12)
        basis = float_basis(Program(program.weights, PrivacyLevel.from_ratio(t), fixed=fixed))
        regime = _regime_of(program, basis, t)
        if regime is not None:
            return regime
    raise SolverError(f"no basis near t = {start} verifies exactly")


def _regime_of(program: Program, basis: Basis, t: Fraction) -> Regime | None:
    """The interval around t on which the basis is optimal, or None if it is not optimal around t."""
    weights = np.array([[_FIELD(_rational(w)) for w in row] for row in program.weights.tolist()], dtype=object)
    fixed = {key: _FIELD(_rational(Fraction(value))) for key, value in program.fixed.items()}
    ratio, one = _FIELD.from_sympy(T), _FIELD.one
    system, right, objective = basis.system(weights, fixed, ratio, one)
    size = len(system)
    if any(len(row) != size for row in system):
        return None
    matrix = DomainMatrix(system, (size, size), _FIELD)
    try:
        unknowns = _column(matrix.lu_solve(DomainMatrix([[v] for v in right], (size, 1), _FIELD)))
        solved = _column(matrix.transpose().lu_solve(DomainMatrix([[v] for v in objective], (size, 1), _FIELD)))
    except (DMNonInvertibleMatrixError, ZeroDivisionError):
        return None
    rows, columns = program.weights.shape
    duals = basis.duals(solved, rows + len(fixed), one)
    channel = basis.channel(unknowns, (rows, columns), ratio, one)
    conditions = _conditions(weights, fixed, basis, unknowns, channel, duals, ratio, t)
    interval = _interval(conditions, t)
    if interval is None:
        return None
    value = sum((weights[y, j] * channel[y][j] for y in range(rows) for j in range(columns)), _FIELD.zero)
    bound = sum(duals[:rows], _FIELD.zero) + sum(
        (mu * f for mu, f in zip(duals[rows:], fixed.values(), strict=True)), _FIELD.zero
    )
    if value != bound:
        return None
    proof = (channel, duals[:rows], duals[rows:])
    return Regime(*interval, _expression(value), lambda: proof)


def _expression(element: Any) -> sp.Expr:
    return sp.factor(_FIELD.to_sympy(element))


def _rational(value: Fraction) -> Any:
    return sp.QQ(value.numerator, value.denominator)


def _column(solution: DomainMatrix) -> list[Any]:
    return [row[0] for row in solution.to_list()]


def _conditions(
    weights: Any, fixed: Any, basis: Basis, unknowns: Any, channel: Any, duals: Any, ratio: Any, t: Fraction
) -> list[Any]:
    """Field elements that must be >= 0: primal and dual feasibility; zero ones are dropped.

    Row sums and fixed entries that are not equations of the basis enter as two inequalities each.
    """
    rows, columns = weights.shape
    floors = [_FIELD.zero] * columns
    for j, value in zip(basis.floors, unknowns, strict=False):
        floors[j] = value
    must = list(floors)
    for y, j in basis.free:
        must += [channel[y][j] - floors[j], ratio * floors[j] - channel[y][j]]
    for y in range(rows):
        excess = sum(channel[y], _FIELD.zero) - _FIELD.one
        must += [excess, -excess]
    for (y, j), value in fixed.items():
        must += [channel[y][j] - value, value - channel[y][j]]
    reduced = [[weights[y, j] - duals[y] for j in range(columns)] for y in range(rows)]
    for (y, j), mu in zip(fixed, duals[rows:], strict=True):
        reduced[y][j] -= mu
    for j in range(columns):
        positive = [_value_at(reduced[y][j], t) > 0 for y in range(rows)]
        must += [reduced[y][j] if positive[y] else -reduced[y][j] for y in range(rows)]
        must.append(-sum(((ratio if positive[y] else _FIELD.one) * reduced[y][j] for y in range(rows)), _FIELD.zero))
    return [condition for condition in must if condition != 0]


def _value_at(element: Any, t: Fraction) -> Any:
    point = _rational(t)
    numerator, denominator = (_poly(part).eval(point) for part in (element.numer, element.denom))
    return numerator / denominator


def _poly(element: Any) -> sp.Poly:
    return sp.Poly(element.as_expr(), T, domain="QQ")


def _interval(conditions: list[Any], t: Fraction) -> tuple[sp.Expr, sp.Expr] | None:
    """The largest interval around t, within [1, oo), on which every condition is >= 0; None if one is not > 0 at t.

    It ends at roots where a numerator changes sign and at every pole.
    """
    lower: sp.Expr = sp.Integer(1)
    upper: sp.Expr = sp.oo
    point = sp.Rational(t.numerator, t.denominator)
    if not all(_value_at(condition, t) > 0 for condition in conditions):
        return None
    numerators = {_poly(condition.numer): True for condition in conditions}
    denominators = {_poly(condition.denom): False for condition in conditions}
    for polynomial, must_change_sign in [*numerators.items(), *denominators.items()]:
        if polynomial.degree() == 0:
            continue
        for factor, multiplicity in polynomial.factor_list()[1]:
            if must_change_sign and multiplicity % 2 == 0:
                continue
            for root in factor.real_roots():
                if lower < root < point:
                    lower = root
                elif point < root < upper:
                    upper = root
    return lower, upper


def _merged(found: list[Regime]) -> list[Regime]:
    """Intervals that overlap are cut at the first one's end, and neighbours with the same solution are joined."""
    joined = [found[0]]
    for regime in found[1:]:
        last = joined[-1]
        if regime.lower > last.upper:
            raise SolverError(f"a gap between t = {last.upper} and {regime.lower}")
        if regime.upper <= last.upper:
            continue
        if regime.value == last.value and regime.proof()[:2] == last.proof()[:2]:
            joined[-1] = replace(last, upper=regime.upper)
        else:
            joined.append(replace(regime, lower=last.upper))
    return joined
