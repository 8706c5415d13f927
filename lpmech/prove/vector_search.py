"""Counterexamples to statements about vectors: at fixed sizes their entries are numbers, and small ones are tried."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product

import sympy as sp
from flint import fmpq

from lpmech.errors import UndecidedError
from lpmech.prove.answers import FailingPoint, Fails
from lpmech.prove.compiled import compiled
from lpmech.prove.evaluate import Point
from lpmech.prove.language import Sequent, conjuncts
from lpmech.prove.refutation import Search
from lpmech.prove.search import by_simplicity, candidate_points, first_violation, hypotheses_test
from lpmech.prove.vectors import has_vectors

__all__ = ["VectorSearch"]

_LARGEST, _MOST_SIZES, _MOST_VECTORS, _MOST_TUPLES, _MOST_NUMBERS, _BY_SOLVER = 5, 40, 30, 60, 4, 6
_MOST_TRIED = 1024


class VectorSearch:
    """The search for vectors of up to five entries that satisfy hypotheses, and for some that violate a conclusion."""

    def __init__(self, statement: Sequent, timeout_seconds: float) -> None:
        self._statement = statement
        self._timeout = timeout_seconds
        self._deadline = time.process_time() + timeout_seconds / 4
        self.example: dict[sp.Symbol, sp.Expr] | None = None
        self.tried = 0

    def quick(self) -> Fails | None:
        """A violation at small vectors; the first point of the hypotheses that is met becomes the example."""
        for values, ground in self._at_sizes():
            if time.process_time() > self._deadline and self.tried:
                return None
            witness = first_violation(ground, self._counted(values, ground))
            if witness is not None:
                return Fails(FailingPoint({**values, **witness.point}, witness.violation))
        return None

    def _counted(self, values: Point, ground: Sequent) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        for point in _points(ground):
            if time.process_time() > self._deadline and self.tried:
                return
            self.tried += 1
            self.example = self.example or {**values, **point}
            yield point

    def thorough(self) -> Fails | None:
        """A violation that a solver finds at the smallest sizes."""
        for values, ground in islice(self._at_sizes(), _BY_SOLVER):
            search = Search(ground, min(self._timeout / 2, 4.0))
            found = search.by_model()
            if self.example is None and (point := search.example()) is not None:
                self.example = {**values, **point}
            if found is not None:
                return Fails(FailingPoint({**values, **found.witness.point}, found.witness.violation))
        return None

    def _at_sizes(self) -> Iterator[tuple[dict[sp.Symbol, sp.Expr], Sequent]]:
        """The statement at small values of its whole numbers, as one about numbers."""
        whole = self._statement.integers & set(self._statement.symbols)
        own = tuple(h for h in self._statement.hypotheses if not has_vectors(h) and h.free_symbols <= whole)
        named = sp.And(*(sp.Eq(s, s, evaluate=False) for s in whole), evaluate=False)
        sizes = candidate_points(Sequent(own, named, frozenset(whole)), 4000, reach=_LARGEST)
        for values in islice(sizes if whole else [{}], _MOST_SIZES):
            if any(abs(v) > _LARGEST for v in values.values()):
                continue
            try:
                ground = self._statement.at(values)
            except UndecidedError:  # an entry outside of its vector
                continue
            if sp.false not in ground.hypotheses and not any(
                has_vectors(f) for f in (*ground.hypotheses, ground.conclusion)
            ):
                yield values, ground


def _points(ground: Sequent) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Small vectors of each name that satisfy what is said of it alone, together with small numbers."""
    families: dict[str, list[sp.Symbol]] = {}
    for symbol in ground.symbols:
        if symbol.name.endswith("]"):
            families.setdefault(symbol.name.split("[")[0], []).append(symbol)
    entries = {symbol for family in families.values() for symbol in family}
    given = [h for h in ground.hypotheses if isinstance(h, sp.Eq)]
    equal = {a: b for h in given for a, b in ((h.lhs, h.rhs), (h.rhs, h.lhs)) if a.is_Symbol and a not in entries}
    equal = {symbol: value for symbol, value in equal.items() if not value.free_symbols & equal.keys()}
    others = set(ground.symbols) - entries - equal.keys()
    own = tuple(h for h in ground.hypotheses if h.free_symbols <= others)
    named = sp.And(*(sp.Eq(s, s, evaluate=False) for s in others), evaluate=False)
    numbers = list(islice(candidate_points(Sequent(own, named, ground.integers), 200), _MOST_NUMBERS))
    inside = hypotheses_test(ground)
    lists = [list(islice(_vectors(family, ground), _MOST_VECTORS)) for family in families.values()]
    for chosen in islice(by_simplicity(lists), _MOST_TUPLES):
        for values in numbers:
            point = {**values, **{symbol: value for vector in chosen for symbol, value in vector.items()}}
            point |= {symbol: sp.sympify(value).xreplace(point) for symbol, value in equal.items()}
            if all(value.is_Rational for value in point.values()) and inside(point):
                yield point


def _vectors(entries: list[sp.Symbol], ground: Sequent) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Small vectors that satisfy what is said of their entries alone."""
    own = [h for h in conjuncts(*ground.hypotheses) if h.free_symbols and h.free_symbols <= set(entries)]
    tests = [test for h in own if (test := compiled(h, entries)) is not None]
    for vector, values in _small_vectors(len(entries)):
        if all(test(values) for test in tests):
            yield dict(zip(entries, vector, strict=True))


@lru_cache(maxsize=32)
def _small_vectors(length: int) -> list[tuple[list[sp.Rational], list[fmpq]]]:
    """Whole numbers of small sum, as they are and divided by their sum; each also as numbers of FLINT."""
    values = (0, 1, 2, 3) if length <= 4 else (0, 1, 2)
    some = sorted(islice(product(values, repeat=length), _MOST_TRIED), key=lambda v: (sum(v), max(v)))
    rows = math.isqrt(length)  # of a matrix: each of its rows has the sum one
    found = []
    for numbers in [(1,) * length, *some]:
        total = sp.Integer(sum(numbers))
        for divisor in dict.fromkeys((total, total / rows, sp.S.One) if total else (sp.S.One,)):
            vector = [n / divisor for n in numbers]
            found.append((vector, [fmpq(int(value.p), int(value.q)) for value in vector]))
    return found
