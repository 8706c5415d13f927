"""Points of the hypotheses, the simplest first, and points at which a conclusion is violated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import fmpq
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import BasePolynomialError

from lpmech.errors import SolverError, UndecidedError
from lpmech.prove.answers import FailingPoint, sides_in_words
from lpmech.prove.compiled import compiled
from lpmech.prove.evaluate import Point, holds_at, replay, shown
from lpmech.prove.language import Sequent, conjuncts, obligations, truth

__all__ = [
    "bounds",
    "by_simplicity",
    "candidate_points",
    "critical_points",
    "first_violation",
    "hypotheses_test",
    "relations_of",
    "witness_at",
]

_POWERS = tuple(sp.Integer(10) ** k for j in range(4, 13) for k in (j, -j))
_STEPS = (1, 2, sp.Rational(1, 2), 3, 5, sp.Rational(1, 10), 10, 20, sp.Rational(1, 100), 100, 1000, *_POWERS)
_SHARES = tuple(map(sp.Rational, ("1/2", "1/3", "2/3", "1/10", "9/10", "99/100")))
#: How near to a pole points are tried, in digits; what no float is made of.
_NEAR = (3, 9, 30)
#: Of polynomials whose roots are looked for.
_LARGEST_DEGREE = 40
_UNSEEN = (sp.Sum, sp.Product, sp.Piecewise, sp.binomial, sp.factorial, sp.Mod)
_ANYWHERE = (
    *map(sp.Rational, ("1", "2", "0", "1/2", "-1", "3", "-2", "-1/2", "10", "-10", "100", "-100", "1000", "-1000")),
    *(sign * power for power in _POWERS for sign in (1, -1)),
)


def witness_at(statement: Sequent, point: Point) -> FailingPoint | None:
    """A witness if the point satisfies the hypotheses and violates the conclusion, according to both evaluators.

    Raises
    ------
    SolverError
        If the evaluators contradict each other.
    """
    try:
        if not all(holds_at(h, point) for h in statement.hypotheses):
            return None
        outcome = holds_at(statement.conclusion, point)
    except UndecidedError:
        return None
    if outcome:
        return None
    for formula, expected in [*((h, True) for h in statement.hypotheses), (statement.conclusion, False)]:
        again = replay(formula, point)
        if again is None and formula is statement.conclusion and outcome is None:
            continue  # not defined, and sympy does not give it a value either
        if again is None:
            return None
        if again is not expected and not (outcome is None and formula is statement.conclusion):
            raise SolverError(f"two evaluators disagree about {formula} at {dict(point)}")
    return FailingPoint(dict(point), _violation(statement, point, outcome))


def _violation(statement: Sequent, point: Point, outcome: bool | None) -> str:
    conclusion = statement.conclusion
    relation = next((r for r in relations_of(conclusion) if not holds_at(r, point)), conclusion)
    if relation == sp.false:
        return "it is nowhere defined and true" if statement.partial else "it is false"
    if not isinstance(relation, Relational):
        return f"{relation} is false"
    if outcome is None:
        return f"{_missing(relation, point)} is violated, so that a term is not defined"
    return sides_in_words(shown(relation.lhs, point), shown(relation.rhs, point), relation.rel_op)


def _missing(relation: Relational, point: Point) -> str:
    for obligation in obligations(relation):
        if obligation.indices:
            continue
        try:
            if all(holds_at(u, point) for u in obligation.under) and not holds_at(obligation.condition, point):
                return str(obligation.condition)
        except UndecidedError:
            continue
    return str(relation)


def relations_of(formula: Boolean) -> Iterator[Boolean]:
    """The parts of a conjunction, or the formula itself."""
    if isinstance(formula, sp.And):
        for part in formula.args:
            yield from relations_of(part)
    else:
        yield formula


# ---- points of the hypotheses


def candidate_points(statement: Sequent, most: int, reach: int = 6) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Points that satisfy the hypotheses, simple ones first; `most` bounds how many are tried.

    Parameters
    ----------
    statement : Sequent
    most : int
        How many candidates are evaluated.
    reach : int
        How many values of each symbol are combined.
    """
    about = Sequent(statement.hypotheses, sp.Tuple(*statement.symbols), statement.integers)
    found, further = _begun(about, most, reach)
    for place in itertools.count():
        if place == len(found):
            try:
                point = next(further, None)
            except BaseException:  # out of time: a generator that was interrupted is at its end
                _begun.cache_clear()
                raise
            if point is None:
                return
            found.append(point)
        yield dict(found[place])


@lru_cache(maxsize=1 << 8)  # of the same hypotheses one thing after the other is asked
def _begun(statement: Sequent, most: int, reach: int) -> tuple[list[dict[sp.Symbol, sp.Expr]], Iterator[Any]]:
    """The points that were found so far, and those that are still to be found."""
    return [], _candidates(statement, most, reach)


def _candidates(statement: Sequent, most: int, reach: int) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    inside = hypotheses_test(statement)
    symbols, solved = _solved(statement)
    values = [_values(s, statement, reach) for s in symbols]
    for combination in itertools.islice(by_simplicity(values), most):
        point = dict(zip(symbols, combination, strict=True))
        for symbol, expression in solved:
            value = expression.xreplace(point)
            if not value.is_Rational or (symbol in statement.integers and not value.is_Integer):
                break
            point[symbol] = value
        else:
            if inside(point):
                yield point


def hypotheses_test(statement: Sequent) -> Callable[[Point], bool]:
    """Whether a point satisfies the hypotheses; those of rational functions are compiled."""
    tests = [(h, compiled(h, statement.symbols)) for h in statement.hypotheses]

    def inside(point: Point) -> bool:
        values = _flint(point, statement.symbols)
        try:
            return all(holds_at(h, point) if test is None else _holds(h, test, values, point) for h, test in tests)
        except UndecidedError:
            return False

    return inside


def _flint(point: Point, symbols: Iterable[sp.Symbol]) -> list[fmpq]:
    return [fmpq(int(value.p), int(value.q)) for value in (point[symbol] for symbol in symbols)]


def _holds(formula: Boolean, test: Callable[..., bool], values: Sequence[fmpq], point: Point) -> bool | None:
    try:
        return test(values)
    except ZeroDivisionError:
        return holds_at(formula, point)


def _solved(statement: Sequent) -> tuple[list[sp.Symbol], list[tuple[sp.Symbol, sp.Expr]]]:
    """Free symbols, and those that linear equations among the hypotheses determine, in order of computation."""
    solved: list[tuple[sp.Symbol, sp.Expr]] = []
    for h in conjuncts(*statement.hypotheses):
        if not isinstance(h, sp.Eq):
            continue
        difference = (h.lhs - h.rhs).subs(solved[::-1])
        for symbol in sorted(difference.free_symbols - {s for s, _ in solved}, key=str, reverse=True):
            if not difference.is_polynomial(symbol) or sp.degree(difference, symbol) != 1:
                continue
            slope, rest = sp.Poly(difference, symbol).all_coeffs()
            if slope.is_Rational:
                expression = -rest / slope
                solved = [(s, e.subs(symbol, expression)) for s, e in solved] + [(symbol, expression)]
                break
    taken = {s for s, _ in solved}
    return [s for s in statement.symbols if s not in taken], solved


def _values(symbol: sp.Symbol, statement: Sequent, reach: int) -> list[sp.Expr]:
    lower, upper, strict_lower, strict_upper = bounds(symbol, statement.hypotheses)
    whole = symbol in statement.integers
    if whole:
        start = (
            sp.ceiling(lower) if lower is not None else (sp.floor(upper) - reach if upper is not None else sp.S.Zero)
        )
        found = [start + i for i in range(reach + 1)]
        if lower is None and upper is None:
            found = [sp.Integer(i) for j in range(reach) for i in ((j, -j) if j else (0,))]
    elif lower is not None and upper is not None:
        width = upper - lower
        narrow = [_between(lower, upper)] if 0 < width < _SHARES[0] / 10 else []
        found = narrow + [lower + share * width for share in _SHARES] + ([] if strict_lower else [lower])
        found += [] if strict_upper else [upper]
        found = sorted(found, key=lambda v: (v.q, v.p))
    elif lower is not None:
        found = ([] if strict_lower else [lower]) + [lower + step for step in _STEPS]
    elif upper is not None:
        found = ([] if strict_upper else [upper]) + [upper - step for step in _STEPS]
    else:
        found = list(_ANYWHERE)
    return found[: 2 * reach if whole else reach]


def bounds(symbol: sp.Symbol, hypotheses: Sequence[Boolean]) -> tuple[Any, Any, bool, bool]:
    """Rational bounds of a symbol from below and above, or None, and whether it is strictly beyond each."""
    lower = upper = None
    strict_lower = strict_upper = False
    for h in conjuncts(*map(truth, hypotheses)):
        if not isinstance(h, (sp.Lt, sp.Le, sp.Gt, sp.Ge)):
            continue
        slope, end = _end(symbol, h)
        if end is None:
            continue
        strict = isinstance(h, (sp.Lt, sp.Gt)) or not end.is_Rational
        if slope > 0 and (lower is None or end >= lower):
            lower, strict_lower = end if end.is_Rational else _near(end, 1), strict
        if slope < 0 and (upper is None or end <= upper):
            upper, strict_upper = end if end.is_Rational else _near(end, -1), strict
    return lower, upper, strict_lower, strict_upper


def implied_bounds(hypotheses: Sequence[Boolean]) -> list[Boolean]:
    """The bounds of single symbols that follow from linear hypotheses by the bounds of the other symbols in them."""
    found: list[Boolean] = []
    for _ in range(2):  # from l < r and r < 1 it follows that l < 1, and then what follows from that
        for h in hypotheses:
            if isinstance(h, (sp.Lt, sp.Le, sp.Gt, sp.Ge)) and len(h.free_symbols) > 1:
                found.extend(_without_others(h, [*hypotheses, *found]))
    return found


def _without_others(inequality: Relational, hypotheses: Sequence[Boolean]) -> Iterator[Boolean]:
    side = inequality.gts - inequality.lts
    slopes = {symbol: side.diff(symbol) for symbol in side.free_symbols}
    if not all(slope.is_Rational for slope in slopes.values()):
        return
    for symbol, slope in slopes.items():
        ends = {other: bounds(other, hypotheses)[1 if slopes[other] > 0 else 0] for other in slopes if other != symbol}
        if None not in ends.values():
            end = -(side - slope * symbol).xreplace(ends) / slope  # the others at the end that admits most
            yield sp.Gt(symbol, end) if slope > 0 else sp.Lt(symbol, end)


def _end(symbol: sp.Symbol, inequality: Relational) -> tuple[int, sp.Expr | None]:
    """Where a linear inequality about one symbol begins or ends, and whether it bounds it from below (1) or above."""
    if symbol not in inequality.free_symbols:
        return 0, None
    side = inequality.gts - inequality.lts
    if side.free_symbols != {symbol} or not (slope := side.diff(symbol)).is_Rational or slope == 0:
        return 0, None
    return int(sp.sign(slope)), (slope * symbol - side).expand() / slope


def _near(number: sp.Expr, direction: int) -> sp.Rational:
    """A rational beside an irrational number, on the side of the direction."""
    return sp.Rational(sp.N(number, 60)) + direction * sp.Rational(1, 10**40)


def by_simplicity(values: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Combinations in the order of the sum of their places, so that simple values come together first."""
    if not values:
        yield ()
        return
    for total in range(sum(len(v) - 1 for v in values) + 1):
        for places in _places(total, [len(v) for v in values]):
            yield tuple(v[i] for v, i in zip(values, places, strict=True))


def _places(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total < sizes[0]:
            yield (total,)
        return
    for first in range(min(total, sizes[0] - 1) + 1):
        for rest in _places(total - first, sizes[1:]):
            yield (first, *rest)


# ---- critical points on a line


def critical_points(statement: Sequent, base: Point, symbol: sp.Symbol) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Points that differ from a base point in one symbol: at, between and beside the critical values on that line.

    Critical values are the roots of every numerator, denominator, radicand, logarithm and case condition, also inside
    of other functions, those of polynomials in one exponential or logarithm and of their slopes (log 2, e), and where
    floats see a side lowest; for a whole number, the whole numbers next to them.
    """
    fixed = {s: v for s, v in base.items() if s != symbol}
    line = statement.at(fixed)
    roots = sorted(set(_roots(line, symbol)), key=lambda r: Fraction(str(sp.Rational(sp.N(r, 30)))))
    if symbol not in statement.integers:
        yield from ({**fixed, symbol: value} for value in _lowest(line, symbol))
    if not roots:
        return
    if symbol in statement.integers:
        near = {sp.floor(root) + j for root in roots for j in (-1, 0, 1, 2)}
        yield from ({**fixed, symbol: value} for value in sorted(near))
        return
    ends = [roots[0] - 1, *roots, roots[-1] + 1]
    for low, high in itertools.pairwise(ends):
        yield {**fixed, symbol: _between(low, high)}
    for root in roots:
        yield {**fixed, symbol: root}
        for digits in _NEAR:
            near = sp.Rational(int(sp.N(root * 10 ** (digits + 1), 60)), 10 ** (digits + 1))
            yield from ({**fixed, symbol: near + sp.Rational(sign, 10**digits)} for sign in (1, -1))


def _between(low: sp.Expr, high: sp.Expr) -> sp.Expr:
    middle = sp.Rational(sp.N((low + high) / 2, 40))
    width = sp.Rational(sp.N(high - low, 40)) / 2
    close = Fraction(int(middle.p), int(middle.q))
    for denominator in (1, 2, 3, 10, 100, 10**4, 10**8, 10**16):
        simple = close.limit_denominator(denominator)
        if abs(simple - close) < Fraction(int(width.p), int(width.q)) * Fraction(9, 10):
            return sp.Rational(simple.numerator, simple.denominator)
    return middle


def _roots(line: Sequent, symbol: sp.Symbol) -> Iterator[sp.Expr]:
    parts: set[sp.Expr] = set()
    for formula in (*line.hypotheses, line.conclusion):
        for relation in formula.atoms(Relational):
            parts |= {relation.lhs - relation.rhs}
        for node in formula.atoms(sp.Max, sp.Min, sp.Abs, sp.sign):
            parts |= {a - b for a, b in itertools.combinations((*node.args, sp.S.Zero), 2)}
        inner = (node.args[0] for node in formula.atoms(sp.log, sp.exp, sp.Abs, sp.Pow))
        parts |= {part for part in inner if part.free_symbols == {symbol}}
    smooth = {
        part
        for part in parts
        if not part.has(sp.Sum, sp.Product, sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.floor, sp.ceiling, sp.Mod)
    }
    curved = (part for part in smooth if part.has(sp.exp, sp.log) or _is_exponent(symbol, part))
    slopes = (sp.factor_terms(sp.diff(part, symbol)) for part in curved)
    for part in smooth.union(*(sp.Mul.make_args(slope) for slope in slopes)):
        yield from _roots_in_a_function(part, symbol)
        exponents = [node.exp for node in part.atoms(sp.Pow) if node.base == symbol and node.exp.is_Rational]
        degree = int(sp.ilcm(1, 1, *(e.q for e in exponents)))  # in s with symbol = s^degree, s >= 0
        s = sp.Dummy("s", positive=True) if degree > 1 else symbol
        for side in sp.fraction(sp.together(part.subs(symbol, s**degree))):
            polynomial = _rational_polynomial(side, s)
            if polynomial is not None and 0 < polynomial.degree() <= _LARGEST_DEGREE:
                roots = (root for root, _ in sp.real_roots(polynomial, multiple=False))
                yield from (root**degree for root in roots if degree == 1 or root >= 0)


def _is_exponent(symbol: sp.Symbol, part: sp.Expr) -> bool:
    return any(symbol in node.exp.free_symbols for node in part.atoms(sp.Pow))


def _roots_in_a_function(part: sp.Expr, symbol: sp.Symbol) -> Iterator[sp.Expr]:
    """Where a polynomial in exp(c x), or in log(x), vanishes: log 2, e."""
    value = sp.Dummy("u", positive=True)
    factors = {node: node.args[0] / symbol for node in part.atoms(sp.exp) if symbol in node.free_symbols}
    if not all(factor.is_Rational for factor in factors.values()):
        return
    below = sp.ilcm(1, 1, *(factor.q for factor in factors.values()))
    unit = sp.Rational(sp.igcd(0, 0, *(factor * below for factor in factors.values())), below)
    inside = part.xreplace({node: value ** (factor / unit) for node, factor in factors.items()})
    if not factors:
        inside = part.xreplace({sp.log(symbol): value})
    polynomial = _rational_polynomial(sp.fraction(sp.together(inside))[0], value)
    if polynomial is None or not 0 < polynomial.degree() <= _LARGEST_DEGREE:
        return
    for root, _ in sp.real_roots(polynomial, multiple=False):
        if not factors:
            yield sp.exp(root)
        elif root > 0:
            yield sp.log(root) / unit


def _rational_polynomial(side: sp.Expr, symbol: sp.Symbol) -> sp.Poly | None:
    """A polynomial over the rationals that vanishes where a side does: of algebraic coefficients their norm."""
    if side.free_symbols != {symbol} or not side.is_polynomial(symbol):
        return None
    try:
        with_roots = any(node.exp.is_Rational for node in side.atoms(sp.Pow) if not node.free_symbols)
        return sp.Poly(side, symbol, extension=True).norm() if with_roots else sp.Poly(side, symbol, domain="QQ")
    except (BasePolynomialError, NotImplementedError):
        return None


def _lowest(line: Sequent, symbol: sp.Symbol) -> Iterator[sp.Expr]:
    """Rationals near which floats see a side of the conclusion lowest, coarse ones first."""
    lower, upper, *_ = bounds(symbol, line.hypotheses)
    begin, end = (None if e is None else float(e) for e in (lower, upper))
    steps = [1.2**n for n in range(-60, 60)]
    if begin is not None and end is not None:
        places = [begin + (end - begin) * n / 240 for n in range(1, 240)]
    else:
        places = [
            s for n in steps for s in ([begin + n] if begin is not None else [end - n] if end is not None else [n, -n])
        ]
    places.sort()
    for relation in line.conclusion.atoms(sp.Lt, sp.Le, sp.Gt, sp.Ge):
        side = relation.gts - relation.lts
        if side.free_symbols != {symbol} or side.is_rational_function(symbol) or side.has(*_UNSEEN):
            continue
        compute = sp.lambdify(symbol, side, "math")
        seen = {place: value for place in places if (value := _float(compute, place)) is not None}
        kept = sorted(seen)
        inner = [i for i in range(1, len(kept) - 1) if seen[kept[i]] <= min(seen[kept[i - 1]], seen[kept[i + 1]])]
        for i in sorted(inner, key=lambda i: seen[kept[i]])[:2]:
            a, b = kept[i - 1], kept[i + 1]
            for _ in range(60):
                c, d = a + 0.382 * (b - a), a + 0.618 * (b - a)
                low, high = _float(compute, c), _float(compute, d)
                a, b = (a, d) if low is not None and (high is None or low <= high) else (c, b)
            yield from (sp.Rational(Fraction(a).limit_denominator(n)) for n in (10, 1000, 10**6))


def _float(compute: Callable[[float], float], place: float) -> float | None:
    try:
        value = compute(place)
    except (ValueError, ArithmeticError):
        return None
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None


def first_violation(statement: Sequent, points: Iterable[Point]) -> FailingPoint | None:
    """The witness of the first point that is one."""
    test = compiled(statement.conclusion, statement.symbols)
    for point in points:
        rational = all(isinstance(point.get(s), sp.Rational) for s in statement.symbols)
        known = test if rational else None
        if known is not None and _holds(statement.conclusion, known, _flint(point, statement.symbols), point):
            continue
        if (witness := witness_at(statement, point)) is not None:
            return witness
    return None
