"""Checks of a conjectured formula: normalisation, privacy, tight level, optimality; for all t where it can be.

A formula is followed as a rational function of t, from branch to branch (`lpmech.prove.tracing`). On each piece the
signs of entries follow from exact root isolation, and the optimum is compared with the exact regimes of the program:
that settles all t > 1 at each K, but for irrational break points. A formula that cannot be followed (square roots,
floors of t) is evaluated exactly at a ladder of rational t. Expressions in t and K are proved for all K where possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp

from lpmech.conjectures.source import ChannelFormula, K, T, ValueFormula
from lpmech.entries import Array
from lpmech.errors import InvalidInputError, LpmechError, SolverError
from lpmech.papers.claims import Outcome, certified, proved, refuted
from lpmech.programs import Program, optimal_channel
from lpmech.prove import Holds, prove
from lpmech.prove.counterexamples import Counterexample, Instance, find_counterexample, shrink
from lpmech.prove.rational_functions import as_rational, negative_point, nonzero_point, simplest_between
from lpmech.prove.tracing import Piece
from lpmech.prove.tracing import pieces as traced_pieces
from lpmech.solvers.parametric import regimes, value_pieces

__all__ = ["Finding", "check_channel_formula", "check_value_formula", "LADDER"]

#: Where formulas that cannot be followed are evaluated, and all formulas at more than `_LARGEST_FOR_ALL_T` labels.
LADDER = tuple(
    Fraction(t)
    for t in ("101/100", "5/4", "3/2", "2", "3", "5", "8", "10", "15", "20", "21", "25", "50", "100", "1000")
)
_LARGEST_FOR_ALL_T = 6
_SEARCHED = {"largest": 4, "systematic": 60, "random_tries": 10}

Utility = Callable[[int], Array]


@dataclass(frozen=True)
class Finding:
    """A question about a conjecture and what was established."""

    question: str
    outcome: Outcome


@dataclass(frozen=True)
class _Question:
    """A question: exactly at one instance (`statement`), and on a piece (`on_piece`: a failing t or None)."""

    text: str
    statement: Callable[[Instance], str | None]
    on_piece: Callable[[Instance, Piece], Fraction | None]
    how: str


def check_channel_formula(formula: ChannelFormula, utility: Utility, largest: int = 8) -> list[Finding]:
    """Normalisation, privacy, tight level and optimality of a conjectured channel.

    Parameters
    ----------
    formula : ChannelFormula
        The conjecture.
    utility : callable
        The utility for K labels.
    largest : int
        Largest number of labels tried.

    Raises
    ------
    InvalidInputError
        If `largest` is below 2, or the formula raises or returns something that is no matrix of exact numbers.
    """
    _check_largest(largest)
    entries = _guarded(formula.entries)

    def matrix(instance: Instance) -> sp.Matrix:
        return entries(as_rational(instance.ratio), _prior(instance))

    pieces = _pieces_of(entries)
    questions = [
        _Question(
            "rows sum to one",
            lambda i: _failing_row(matrix(i)),
            lambda _, p: _first(nonzero_point(total - 1, T, p.lower, p.upper) for total in _row_sums(p.result)),
            "identities in t",
        ),
        _Question(
            "epsilon-private",
            lambda i: _failing_pair(matrix(i), i.ratio),
            lambda _, p: _first(negative_point(f, T, p.lower, p.upper) for f in _privacy_conditions(p.result)),
            "signs of polynomials in t",
        ),
    ]
    findings = [_settle(q, formula.uses_prior, pieces, largest, _all_sizes(formula, q.text)) for q in questions]
    if any(f.outcome.counterexample for f in findings):
        return findings
    findings.append(Finding("tight level", _tight_level(matrix, formula.uses_prior, largest)))
    optimal = _Question(
        "optimal",
        lambda i: _not_optimal(i, "expected utility", _value(matrix(i), utility, i), utility),
        lambda i, p: _differs(_value(p.result, utility, i), p, utility, i),
        "exact regimes of the program",
    )
    findings.append(_settle(optimal, formula.uses_prior, pieces, largest, _all_optimal(formula.diagonal, utility)))
    return findings


def check_value_formula(formula: ValueFormula, utility: Utility, largest: int = 8) -> list[Finding]:
    """Whether a conjectured value is the optimum of the program; see `check_channel_formula`."""
    _check_largest(largest)
    value = _guarded(formula.value)
    pieces = _pieces_of(value)
    question = _Question(
        "value of the optimum",
        lambda i: _not_optimal(i, "the formula gives", value(as_rational(i.ratio), _prior(i)), utility),
        lambda i, p: _differs(p.result, p, utility, i),
        "exact regimes of the program",
    )
    return [_settle(question, formula.uses_prior, pieces, largest, _all_optimal(formula.expression, utility))]


# ---- the walk over instances


def _settle(
    question: _Question,
    uses_prior: bool,
    pieces: Callable[[Instance], list[Piece] | None],
    largest: int,
    for_all_sizes: Callable[[], str | None],
) -> Finding:
    tried = _Tried()
    for instance in _instances(uses_prior, largest):
        covering = pieces(instance) if len(instance.counts) <= _LARGEST_FOR_ALL_T else None
        if covering is None:
            tried.at_points.append(len(instance.counts))
            candidates: Iterable[Fraction] = LADDER
        else:
            tried.for_all_t.append(len(instance.counts))
            inside = [question.on_piece(instance, piece) for piece in covering]
            between = [
                Fraction(int(p.lower.p), int(p.lower.q)) for p in covering if p.lower.is_Rational and p.lower > 1
            ]
            candidates = [t for t in inside if t is not None] + between
        at = (Instance(t, instance.counts) for t in candidates)
        found = next((i for i in at if question.statement(i)), None)
        if found is not None:
            return Finding(question.text, _refuted(question, found, uses_prior))
    if uses_prior:
        counterexample = find_counterexample(question.statement, **_SEARCHED)
        if counterexample is not None:
            return Finding(question.text, _refutation(counterexample))
        tried.searched = True
    argument = for_all_sizes()
    if argument is not None:
        return Finding(question.text, proved("for all K and t", argument))
    return Finding(question.text, certified(question.how if tried.for_all_t else "exact evaluation", str(tried)))


class _Tried:
    """What was covered, in words."""

    def __init__(self) -> None:
        self.for_all_t: list[int] = []
        self.at_points: list[int] = []
        self.searched = False

    def __str__(self) -> str:
        parts = []
        if self.for_all_t:
            parts.append(f"all t > 1 at K = {_span(self.for_all_t)}{_priors(self.for_all_t)}")
        if self.at_points:
            parts.append(
                f"{len(LADDER)} rational t up to {LADDER[-1]} at K = {_span(self.at_points)}{_priors(self.at_points)}"
            )
        if self.searched:
            parts.append("no counterexample among small and random priors, K <= 4")
        return "; ".join(parts)


def _span(sizes: Sequence[int]) -> str:
    return str(sizes[0]) if sizes[0] == sizes[-1] else f"{sizes[0]}..{sizes[-1]}"


def _priors(sizes: Sequence[int]) -> str:
    each = len(sizes) // len(set(sizes))
    return "" if each == 1 else f", {each} priors each"


def _instances(uses_prior: bool, largest: int) -> Iterator[Instance]:
    """Label counts from few to many labels; the ratio is a placeholder."""
    for size in range(2, largest + 1):
        counts = [(1,) * size]
        if uses_prior:
            counts += [
                tuple(range(size, 0, -1)),
                tuple(2**y for y in range(size)),
                (size, *([1] * (size - 1))),
                (*([2] * (size - 1)), 0),
                tuple(60 // (y + 1) for y in range(size)),
            ]
        yield from (Instance(Fraction(2), c) for c in counts)


def _refuted(question: _Question, instance: Instance, uses_prior: bool) -> Outcome:
    if uses_prior:
        return _refutation(shrink(question.statement, instance))
    failure = question.statement(instance)
    if failure is None:
        raise InvalidInputError(
            "conjecture", instance, "a function that gives at numbers t what it gives for the symbol t"
        )
    return _refutation(Counterexample(instance, failure))


def _refutation(counterexample: Counterexample) -> Outcome:
    labels = len(counterexample.instance.counts)
    return refuted(
        "exact rational arithmetic", f"the smallest counterexample found has K = {labels}", str(counterexample)
    )


# ---- the conditions


def _row_sums(matrix: sp.Matrix) -> set[sp.Expr]:
    return {sp.cancel(sum(matrix.row(y))) for y in range(matrix.rows)}


def _privacy_conditions(matrix: sp.Matrix) -> set[sp.Expr]:
    """What must be at least zero: every entry, and t q[y', j] - q[y, j]."""
    conditions = {sp.cancel(entry) for entry in matrix}
    for j in range(matrix.cols):
        column = set(map(sp.cancel, matrix.col(j)))
        conditions |= {sp.cancel(T * low - high) for low in column for high in column}
    return conditions


def _failing_row(matrix: sp.Matrix) -> str | None:
    sums = [sum(matrix.row(y)) for y in range(matrix.rows)]
    return next((f"row {y} sums to {s}" for y, s in enumerate(sums) if sp.cancel(s) != 1), None)


def _failing_pair(matrix: sp.Matrix, ratio: Fraction) -> str | None:
    for j in range(matrix.cols):
        column = list(matrix.col(j))
        low, high = column.index(min(column)), column.index(max(column))
        if column[low] < 0:
            return f"q[{low}, {j}] = {column[low]} is negative"
        if column[high] > as_rational(ratio) * column[low]:
            return f"q[{high}, {j}] = {column[high]} is more than t = {ratio} times q[{low}, {j}] = {column[low]}"
    return None


def _tight_level(matrix: Callable[[Instance], sp.Matrix], uses_prior: bool, largest: int) -> Outcome:
    below: list[str] = []
    count = 0
    for instance in _instances(uses_prior, min(largest, 5)):
        for ratio in LADDER[3:10]:
            count += 1
            at = Instance(ratio, instance.counts)
            entries = matrix(at)
            columns = [list(entries.col(j)) for j in range(entries.cols)]
            largest_ratio = max(max(c) / min(c) for c in columns if max(c) > 0)
            if largest_ratio < as_rational(ratio):
                below.append(f"e^level = {largest_ratio} at {at}")
    if not below:
        return certified("exact rational arithmetic", f"exactly epsilon ({count} instances)")
    return certified("exact rational arithmetic", f"below epsilon at {len(below)} of {count} instances: {below[0]}")


def _program(instance: Instance, utility: Utility) -> Program:
    return optimal_channel(utility(len(instance.counts)), instance.level, instance.prior)


def _value(matrix: sp.Matrix, utility: Utility, instance: Instance) -> sp.Expr:
    gain = utility(len(instance.counts))
    if gain.shape != matrix.shape:
        raise InvalidInputError("channel", f"shape {matrix.shape}", f"the shape of the utility, {gain.shape}")
    return sum(
        (as_rational(p * Fraction(u)) * q
         for p, gains, row in zip(instance.prior, gain.tolist(), matrix.tolist(), strict=True)
         for u, q in zip(gains, row, strict=True)),
        sp.Integer(0),
    )  # fmt: skip


def _not_optimal(instance: Instance, called: str, value: sp.Expr, utility: Utility) -> str | None:
    optimum = as_rational(Fraction(_program(instance, utility).solve("exact").value))
    return None if value == optimum else f"{called} {value}, the optimum is {optimum}"


def _differs(value: sp.Expr, piece: Piece, utility: Utility, instance: Instance) -> Fraction | None:
    """A rational t in a piece at which a rational function is not the optimum, or None if it is throughout."""
    return _first(
        nonzero_point(value - optimum, T, sp.Max(lower, piece.lower), sp.Min(upper, piece.upper))
        for lower, upper, optimum in _optimum(_program(instance, utility))
        if lower < piece.upper and piece.lower < upper
    )


_OPTIMA: dict[tuple[Any, ...], list[tuple[sp.Expr, sp.Expr, sp.Expr]]] = {}


def _optimum(program: Program) -> list[tuple[sp.Expr, sp.Expr, sp.Expr]]:
    key = tuple(map(tuple, program.weights.tolist()))
    if key not in _OPTIMA:
        _OPTIMA[key] = value_pieces(regimes(program))
    return _OPTIMA[key]


# ---- all K


def _all_sizes(formula: ChannelFormula, text: str) -> Callable[[], str | None]:
    """An argument for all K for a channel with one diagonal and one off-diagonal entry, or None."""
    a, b = formula.diagonal, formula.off_diagonal

    def argument() -> str | None:
        if a is None or b is None:
            return None
        if text == "rows sum to one":
            return (
                "identity in t and K" if isinstance(prove(sp.Eq(a + (K - 1) * b, 1), [T > 1, K >= 2]), Holds) else None
            )
        conclusion = sp.And(a >= 0, b >= 0, a <= T * b, b <= T * a)
        return "SMT for all t > 1 and real K >= 2" if isinstance(prove(conclusion, [T > 1, K >= 2]), Holds) else None

    return argument


def _all_optimal(value: sp.Expr | None, utility: Utility) -> Callable[[], str | None]:
    """An argument for all K that the value is the optimal hit rate for the uniform prior, or None.

    The dual pi_y = t / (K (t + K - 1)) is feasible with equality for every K, and randomised response attains its sum.
    """

    def argument() -> str | None:
        if value is None or not _is_hit_rate(utility):
            return None
        dual = T / (K * (T + K - 1))
        excess = (1 / K - dual) + (K - 1) * (-dual) + (T - 1) * (1 / K - dual)
        signs = isinstance(prove(sp.And(1 / K - dual >= 0, dual >= 0), [T > 1, K >= 2]), Holds)
        equal = prove(sp.And(sp.Eq(excess, 0), sp.Eq(value, K * dual)), [T > 1, K >= 2])
        if signs and isinstance(equal, Holds):
            return "dual certificate t/(K(t+K-1)), an identity in t and K"
        return None

    return argument


@cache
def _is_hit_rate(utility: Utility) -> bool:
    return all((utility(size) == sp.eye(size).tolist()).all() for size in (2, 3, 5))


# ---- small helpers


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The user's function; what it raises at numbers becomes a typed error."""

    def call(t: sp.Expr, prior: Sequence[sp.Rational]) -> Any:
        try:
            return function(t, prior)
        except LpmechError:
            raise
        except Exception as exc:
            at = f"t = {t}, prior {[str(p) for p in prior]}"
            raise InvalidInputError("conjecture", at, f"no exception there ({type(exc).__name__}: {exc})") from exc

    return call


def _pieces_of(function: Callable[..., Any]) -> Callable[[Instance], list[Piece] | None]:
    """The formula piece by piece, or None if it cannot be followed."""

    @cache
    def of_counts(counts: tuple[int, ...]) -> list[Piece] | None:
        prior = _prior(Instance(Fraction(2), counts))
        try:
            found = traced_pieces(lambda t: function(t, prior))
        except (InvalidInputError, SolverError):
            return _one_piece(function, prior)
        return found if all(_agrees(function, prior, piece) for piece in found) else None

    return lambda instance: of_counts(instance.counts)


def _one_piece(function: Callable[..., Any], prior: list[sp.Rational]) -> list[Piece] | None:
    """A formula that takes sympy's symbol t and is one rational function."""
    try:
        piece = Piece(sp.S.One, sp.oo, function(T, prior))
    except InvalidInputError:
        return None
    rational = all(entry.is_rational_function(T) for entry in sp.Matrix([piece.result]))
    return [piece] if rational and _agrees(function, prior, piece) else None


def _agrees(function: Callable[..., Any], prior: list[sp.Rational], piece: Piece) -> bool:
    """Whether the function gives at a number what its piece says: it might look at the kind of its argument."""
    t = as_rational(simplest_between(piece.lower, piece.upper))
    return _same(piece.result.subs(T, t), function(t, prior))


def _same(first: Any, second: Any) -> bool:
    return bool(sp.Matrix([first]) == sp.Matrix([second]))


def _prior(instance: Instance) -> list[sp.Rational]:
    return [as_rational(p) for p in instance.prior]


def _first(points: Iterable[Fraction | None]) -> Fraction | None:
    """The simplest of the failing points."""
    return min((p for p in points if p is not None), key=lambda p: (p.denominator, p.numerator), default=None)


def _check_largest(largest: int) -> None:
    if largest < 2:
        raise InvalidInputError("largest", largest, "a whole number >= 2")
