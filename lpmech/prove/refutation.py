"""The search for a point of the hypotheses, and for one that violates the conclusion."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice, takewhile

import sympy as sp
from sympy.core.relational import Relational
from sympy.polys.polyerrors import PolynomialError

from lpmech.errors import UndecidedError
from lpmech.prove.answers import Fails
from lpmech.prove.language import Sequent, settled, truth
from lpmech.prove.search import candidate_points, critical_points, first_violation, hypotheses_test
from lpmech.prove.smt import SmtFound, implied

__all__ = ["Search"]

#: How many points are tried at first; how many values of a symbol where that finds none.
_QUICK_POINTS, _FAR = 80, 32
#: Numbers of terms at which sums are looked at: they pass a bound slowly.
_TERMS = (*range(8, 21), *(2**power for power in range(5, 10)))


class Search:
    """The search for a point of the hypotheses, and for one that violates the conclusion."""

    def __init__(self, statement: Sequent, timeout_seconds: float):
        self.statement = statement
        self._timeout = timeout_seconds
        #: At how many points of the hypotheses a violation was looked for.
        self.tried = 0

    @cached_property
    def _points(self) -> list[dict[sp.Symbol, sp.Expr]]:
        found = candidate_points(self.statement, _QUICK_POINTS * 25)
        return [point for point, _ in zip(found, range(_QUICK_POINTS), strict=False)]

    def quick(self) -> Fails | None:
        """A violation at small numbers."""
        witness = first_violation(self.statement, self._counted(self._points))
        return None if witness is None else Fails(witness)

    def example(self) -> dict[sp.Symbol, sp.Expr] | None:
        """A point of the hypotheses."""
        return self._points[0] if self._points else self._far

    @cached_property
    def _far(self) -> dict[sp.Symbol, sp.Expr] | None:
        model = self._model(self.statement.with_conclusion(sp.false))
        return model or next(candidate_points(self.statement, _QUICK_POINTS * 25, reach=_FAR), None)

    def thorough(self) -> Fails | None:
        """A violation at the example, a model of z3, at critical values, or at larger whole numbers."""
        deadline = time.process_time() + 3 * self._timeout
        example = self.example()
        for points in (
            iter([] if example is None else [example]),
            self._models(),
            self._on_lines(),
            self._at_whole_numbers(),
            self._at_long_sums(),
        ):
            in_time = takewhile(lambda _: time.process_time() < deadline, self._counted(points))
            try:
                witness = first_violation(self.statement, in_time)
            except UndecidedError:
                continue
            if witness is not None:
                return Fails(witness)
        return None

    def _counted(self, points: Iterable[dict[sp.Symbol, sp.Expr]]) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        for point in points:
            self.tried += 1
            yield point

    def by_model(self) -> Fails | None:
        """A violation at a model of z3."""
        witness = first_violation(self.statement, self._models())
        return None if witness is None else Fails(witness)

    def _models(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        point = self._model(self.statement)
        if point is not None:
            yield from _rounded(point, self.statement)

    def _model(self, statement: Sequent) -> dict[sp.Symbol, sp.Expr] | None:
        hypotheses = [settled(truth(h), statement.integers) for h in statement.hypotheses]
        conclusion = settled(truth(statement.conclusion), statement.integers)
        try:
            result = implied(hypotheses, conclusion, statement.integers, self._timeout / 2)
        except UndecidedError:
            return None
        if result.found is not SmtFound.POINT or result.point is None:
            return None
        return {s: result.point.get(s, sp.S.Zero) for s in self.statement.symbols}

    def _on_lines(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        for base in self._points[:6]:
            for symbol in self.statement.symbols:
                yield from critical_points(self.statement, base, symbol)

    def _at_whole_numbers(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        """Fixed whole numbers turn powers, sums and binomials into polynomials, which z3 decides."""
        whole = sorted(self.statement.integers, key=str)
        if not whole:
            return
        reach = self._degree() + 3
        yield from candidate_points(self.statement, 400, reach=min(reach, 60))
        for symbol in whole:  # each by itself to its reach, the others as small as they can be
            for value in (p[symbol] for p in candidate_points(_alone(self.statement, symbol), reach + 1, reach=reach)):
                rest = self.statement.at({symbol: value})
                yield from ({symbol: value, **p} for p in islice(candidate_points(rest, 60), 2))
        tried: set[tuple[sp.Expr, ...]] = set()
        for base in candidate_points(self.statement, 200, reach=min(reach, 12)):
            key = tuple(base[s] for s in whole)
            if key in tried or len(tried) >= 12:
                continue
            tried.add(key)
            fixed = dict(zip(whole, key, strict=True))
            line = self.statement.at(fixed)
            point = Search(line, min(self._timeout, 3.0))._model(line)
            if point is not None:
                yield from ({**fixed, **p} for p in _rounded(point, line))
            for symbol in line.symbols:
                yield from ({**fixed, **p} for p in critical_points(line, {s: base[s] for s in line.symbols}, symbol))

    def _at_long_sums(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        sums = self.statement.conclusion.atoms(sp.Sum)
        if not self._points or any(node.function.has(sp.Sum) or len(node.limits) > 1 for node in sums):
            return
        inside = hypotheses_test(self.statement)
        limits = set[sp.Symbol]().union(*(limit.free_symbols for node in sums for limit in node.limits[0][1:]))
        for symbol in sorted(limits & self.statement.integers, key=str):
            points = ({**self._points[0], symbol: sp.Integer(value)} for value in _TERMS)
            yield from filter(inside, points)

    def _degree(self) -> int:
        """The largest degree of a side of the conclusion in a whole number."""
        degrees = [3]
        for relation in self.statement.conclusion.atoms(Relational):
            for side in sp.fraction(sp.together(relation.lhs - relation.rhs)):
                for symbol in side.free_symbols & self.statement.integers:
                    try:
                        degree = sp.Poly(side, symbol).degree()
                        degrees.append(0 if degree == -sp.oo else int(degree))
                    except PolynomialError:
                        continue
        return max(degrees)


def _alone(statement: Sequent, symbol: sp.Symbol) -> Sequent:
    """The hypotheses that speak of one symbol only."""
    own = tuple(h for h in statement.hypotheses if h.free_symbols == {symbol})
    return Sequent(own, sp.Eq(symbol, symbol, evaluate=False), statement.integers)


def _rounded(point: dict[sp.Symbol, sp.Expr], statement: Sequent) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """The point with simple rationals in place of its real coordinates, coarse ones first, and the point itself."""
    for denominator in (1, 2, 10, 1000, 10**6, 10**12):
        close = {}
        for symbol, value in point.items():
            near = sp.Rational(sp.N(value, 40)) if not value.is_Rational else value
            close[symbol] = value if symbol in statement.integers else sp.Rational(near).limit_denominator(denominator)
        yield close
    yield point
