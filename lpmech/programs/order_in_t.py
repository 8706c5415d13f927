"""Blackwell's order of two channels for every t = e^epsilon > 1: exact regimes, each with a proof on all of it.

Whether the second channel follows from the first is a system M(t) x = r(t), x >= 0 with polynomials in t. At a rational
t it is decided exactly (`lpmech.programs.solvers.farkas`), and what proves the answer, a basic solution or prices, is
solved again over the rational functions of t. It proves the same for every t at which the signs of finitely many
polynomials are what they are, so the interval follows from exact root isolation; `lpmech.programs.solvers.walking`
covers all t > 1.

That one channel follows from another one holds at the ends of an interval as well, since post-processings are a compact
set. That it does not holds at an end unless the prices cease to tell there; if those of both neighbours do, the point
between two intervals of the same answer is left open, and they are not joined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpq, fmpz_poly

from lpmech.entries import as_array
from lpmech.errors import LabelError, SolverError
from lpmech.linear_algebra import flint_number
from lpmech.priors import as_prior
from lpmech.programs.channel_in_t import ChannelInT
from lpmech.programs.compare_channels import Relation, refuse_large, relation_of
from lpmech.programs.solvers.farkas import decide
from lpmech.programs.solvers.parametric import epsilon_of
from lpmech.programs.solvers.polynomial_systems import Quotient, QuotientVector, T, solve_polynomial
from lpmech.programs.solvers.real_roots import RealRoot, nearest_root
from lpmech.programs.solvers.walking import Stretch, covering, joined

__all__ = ["OrderRegime", "VulnerabilityPiece", "order_regimes", "vulnerability_in_t"]

_ZERO = fmpz_poly()


@dataclass(frozen=True)
class OrderRegime:
    """An interval of t on which two channels stand in one relation.

    Attributes
    ----------
    ends : pair of RealRoot
        End points in s, t = s^root; the second is None at infinity.
    root : int
    relation : str
        As of `lpmech.programs.compare_channels.ChannelOrder`.
    """

    ends: tuple[RealRoot, RealRoot | None]
    root: int
    relation: Relation

    @property
    def lower(self) -> sp.Expr:
        """The lower end in t, exact."""
        return sp.expand(self.ends[0].expression(T) ** self.root)

    @property
    def upper(self) -> sp.Expr:
        """The upper end in t, or oo."""
        return sp.oo if self.ends[1] is None else sp.expand(self.ends[1].expression(T) ** self.root)

    @property
    def epsilons(self) -> tuple[float, float]:
        """The ends as epsilon, in floats."""
        low, high = (epsilon_of(end) for end in self.ends)
        return self.root * low, self.root * high


@dataclass(frozen=True)
class VulnerabilityPiece(Stretch):
    """An interval of s on which a posterior vulnerability is one rational function of s."""

    value: Quotient


@dataclass(frozen=True)
class _Answer(Stretch):
    """Whether the second channel follows on an interval; `gap` tells by how much prices tell, a polynomial."""

    follows: bool
    gap: Any

    def tells_at(self, end: RealRoot) -> bool:
        return bool(self.gap % end.polynomial)


def order_regimes(first: ChannelInT, second: ChannelInT) -> list[OrderRegime]:
    """The relation of two channels for all t > 1, in rising order.

    Raises
    ------
    LabelError
        If the inputs differ.
    SolverError
        If no proof was found near some t.
    """
    if first.inputs != second.inputs:
        raise LabelError("second", second.inputs, f"the inputs of the first channel, {first.inputs!r}")
    root = math.lcm(first.root, second.root)
    one, other = first.with_root(root), second.with_root(root)
    ways = [_answers(one, other), _answers(other, one)]
    regimes: list[OrderRegime] = []
    lower = RealRoot.rational(fmpq(1))
    while True:
        here = [answers[0] for answers in ways]
        uppers = [piece.upper for piece in here if piece.upper is not None]
        upper = reduce(lambda a, b: a if a.compared(b) <= 0 else b, uppers) if uppers else None
        regimes.append(OrderRegime((lower, upper), root, relation_of(here[0].follows, here[1].follows)))
        if upper is None:
            return regimes
        lower = upper
        ways = [a[1:] if a[0].upper is not None and a[0].upper.compared(upper) == 0 else a for a in ways]


def vulnerability_in_t(channel: ChannelInT, prior: object = None, gain: object = None) -> list[VulnerabilityPiece]:
    """`lpmech.leakage.posterior_vulnerability` for every t > 1: rational functions of s on finitely many pieces.

    Parameters
    ----------
    channel : ChannelInT
    prior, gain
        Exact; as for `lpmech.leakage.posterior_vulnerability`. With the gain K for the right label and the uniform
        prior it is the multiplicative Bayes capacity.
    """
    size, outputs = len(channel.rows), range(len(channel.outputs))
    weights = as_prior(prior, size)
    values = as_array(np.eye(size, dtype=int) if gain is None else gain, "gain", 2)
    weighted = weights[:, None] * values
    unit = math.lcm(*(v.denominator for v in weighted.ravel().tolist()))
    common = reduce(_least_multiple, (row.denominator for row in channel.rows), fmpz_poly([1]))
    entries = [[p * (common // row.denominator) for p in row.numerators] for row in channel.rows]
    actions = range(values.shape[1])
    gained = [
        [sum((entries[y][j] * int(weighted[y, a] * unit) for y in range(size)), _ZERO) for a in actions]
        for j in outputs
    ]

    def near(start: Fraction, wiggle: Fraction) -> VulnerabilityPiece:
        point = flint_number(start)
        best = [max(own, key=lambda p: (p(point), tuple(map(int, p.coeffs())))) for own in gained]
        leads = [b - p for b, own in zip(best, gained, strict=True) for p in own if b != p]
        value = Quotient(sum(best, _ZERO), unit * common)
        if any(not lead(point) for lead in leads):
            return near(start + wiggle / 12, wiggle * 11 / 12)
        return VulnerabilityPiece(*_around(leads, (common,), point), value)

    return joined(covering(near), lambda last, piece: _equal(last.value, piece.value))


def _answers(first: ChannelInT, second: ChannelInT) -> list[_Answer]:
    matrix, right = _system(first, second)

    def near(start: Fraction, wiggle: Fraction) -> _Answer:
        for attempt in range(12):
            found = _answer_at(matrix, right, flint_number(start + wiggle * Fraction(attempt, 12)))
            if found is not None:
                return found
        raise SolverError(f"no proof near s = {start} holds around it")

    def alike(last: _Answer, piece: _Answer) -> bool:
        if last.follows != piece.follows or last.upper is None:
            return False
        return last.follows or last.tells_at(last.upper) or piece.tells_at(last.upper)

    found = covering(near)
    whole: list[_Answer] = []
    for piece in joined(found, lambda last, piece: False):
        if whole and alike(whole[-1], piece):
            whole[-1] = replace(piece, lower=whole[-1].lower)
        else:
            whole.append(piece)
    return whole


def _system(first: ChannelInT, second: ChannelInT) -> tuple[list[list[Any]], list[Any]]:
    """The equations of `lpmech.programs.compare_channels` for R times a polynomial that is positive for t > 1."""
    middle, outputs = len(first.outputs), len(second.outputs)
    refuse_large(len(first.rows), middle, outputs)
    common = [b.denominator // a.denominator.gcd(b.denominator) for a, b in zip(first.rows, second.rows, strict=True)]
    scale = reduce(_least_multiple, common, fmpz_poly([1]))
    matrix, right = [], []
    for j in range(outputs):
        for a, b in zip(first.rows, second.rows, strict=True):
            row = [_ZERO] * (middle * outputs)
            row[j * middle : (j + 1) * middle] = a.numerators
            matrix.append(row)
            right.append(b.numerators[j] * (scale * a.denominator // b.denominator))
    for i in range(middle):
        matrix.append([fmpz_poly([int(k % middle == i)]) for k in range(middle * outputs)])
        right.append(scale)
    return matrix, right


def _least_multiple(one: Any, other: Any) -> Any:
    return one * other // one.gcd(other)


def _answer_at(matrix: list[list[Any]], right: list[Any], point: Any) -> _Answer | None:
    """What is decided at a point, with the interval on which its proof holds; None if it holds there only."""
    values = np.array([[entry(point) for entry in row] for row in matrix], dtype=object)
    found = decide(values, np.array([entry(point) for entry in right], dtype=object))
    columns = len(matrix[0])
    try:
        if found.solution is not None:
            return _followed(matrix, right, [(i, k) for i, k in enumerate(found.basis)], columns, point)
        return _told(matrix, right, found.basis, columns, point)
    except ZeroDivisionError:
        return None


def _followed(
    matrix: list[list[Any]], right: list[Any], basis: Sequence[tuple[int, int]], columns: int, point: Any
) -> _Answer | None:
    chosen = [k for _, k in basis if k < columns]
    redundant = {k - columns for _, k in basis if k >= columns}
    rows = [i for i in range(len(matrix)) if i not in redundant]
    solved = solve_polynomial([[matrix[i][k] for k in chosen] for i in rows], [right[i] for i in rows])
    for i in redundant:
        total = sum((matrix[i][k] * x for k, x in zip(chosen, solved.numerators, strict=True)), _ZERO)
        if total != right[i] * solved.denominator:
            return None
    return _answer(solved, list(solved.numerators), True, _ZERO, point)


def _told(matrix: list[list[Any]], right: list[Any], basis: Sequence[int], columns: int, point: Any) -> _Answer | None:
    size = len(matrix)
    ones = [k - columns for k in basis if k >= columns]  # the price of an equation whose artificial variable is left
    unknown, chosen = sorted({*range(size)} - {*ones}), [k for k in basis if k < columns]
    right_sides = [-sum((matrix[i][k] for i in ones), _ZERO) for k in chosen]
    solved = solve_polynomial([[matrix[i][k] for i in unknown] for k in chosen], right_sides)
    prices = [solved.denominator] * size
    for i, price in zip(unknown, solved.numerators, strict=True):
        prices[i] = price
    used = [i for i in range(size) if prices[i]]
    gap = sum((prices[i] * right[i] for i in used), _ZERO)
    costs = [-sum((prices[i] * matrix[i][k] for i in used if matrix[i][k]), _ZERO) for k in range(columns)]
    return _answer(solved, costs, False, gap, point)


def _answer(solved: QuotientVector, conditions: list[Any], follows: bool, gap: Any, point: Any) -> _Answer | None:
    """The interval around the point on which the conditions, over the common denominator, are not negative.

    The gap must be positive, so that a root of it ends the interval whatever its multiplicity.
    """
    sign = 1 if solved.denominator(point) > 0 else -1
    if not solved.denominator(point):
        return None
    # up to a positive factor, each once: it is their signs that matter
    signed = (sign * c // c.content() for c in conditions if c)
    left = list({tuple(map(int, each.coeffs())): each for each in signed}.values())
    tells = follows or sign * gap(point) > 0
    if not tells or not all(each(point) > 0 for each in left):
        return None
    return _Answer(*_around(left, [p for p in (solved.denominator, gap) if p], point), follows, gap)


def _around(conditions: Sequence[Any], poles: Sequence[Any], point: Any) -> tuple[RealRoot, RealRoot | None]:
    """The ends of the interval around a point, above 1, in which no condition changes its sign."""
    lower = nearest_root(conditions, poles, point, -1, limit=fmpq(1))
    return lower or RealRoot.rational(fmpq(1)), nearest_root(conditions, poles, point, +1)


def _equal(one: Quotient, other: Quotient) -> bool:
    return bool(one.numerator * other.denominator == other.numerator * one.denominator)
