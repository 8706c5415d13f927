"""The search for products that contradict each other: a linear program over a table of candidates.

Floating-point numbers propose which candidates to use; their weights are then rational. Nothing found here counts
before `lpmech.prove.products.contradicts` has multiplied it out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement, islice
from operator import itemgetter, mul
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_mpoly

from lpmech.limits import seconds_left

__all__ = ["Candidate", "CandidateTable", "weights"]

_MOST_CANDIDATES = 1000
_MOST_BINOMIALS = 700
_MOST_SECONDS = 600.0
_FEW = 9  # candidates of which all choices are gone through: loading a solver takes longer


@dataclass(frozen=True)
class Candidate:
    """square^2 * the product of the inequalities in `factors`, or square * the equation in `equation`.

    Polynomials are in the new coordinates of the table.

    Attributes
    ----------
    factors : tuple of int
    square : polynomial
    equation : int or None
    value : polynomial
    positive : bool
        Whether it is positive wherever the relations hold.
    """

    factors: tuple[int, ...]
    square: fmpq_mpoly
    equation: int | None
    value: fmpq_mpoly
    positive: bool


class CandidateTable:
    """Candidates from sides of inequalities and equations, in coordinates in which linear inequalities are signs.

    Parameters
    ----------
    sides : sequence of polynomials in one context
    inequalities : dict of int to bool
        Positions of the inequalities; True where they are strict. All other sides are zero.
    """

    def __init__(self, sides: Sequence[fmpq_mpoly], inequalities: dict[int, bool]):
        self._sides, self._strict = sides, inequalities
        self._context = sides[0].context()
        self._one = self._context.constant(1)
        self._generators = self._context.gens()
        self._signs, self._chosen, old = self._coordinates()
        self._new = [side.compose(*old, ctx=self._context) for side in sides]

    def candidates(self, reach: int) -> list[Candidate]:
        """Products of up to so many inequalities, squares and multiples of equations, the first ones if too many."""
        found = list(islice(self._products(reach), _MOST_CANDIDATES))
        known = {_exponents(monomial) for c in found for monomial in c.value.monoms()}
        alone = (c for m in sorted(known) if (c := self._of_monomial(m, self._one)) is not None)
        return [*found, *alone, *islice(self._binomials(known), _MOST_BINOMIALS)]

    def _coordinates(self) -> tuple[dict[int, int], list[fmpq_mpoly], list[fmpq_mpoly]]:
        """Which inequality each new coordinate is, the new coordinates in the old ones, and the old in the new ones."""
        size = len(self._generators)
        linear = [i for i in self._strict if self._sides[i].total_degree() == 1]
        linear.sort(key=lambda i: _preference(self._sides[i], self._strict[i]))
        forms = [*(self._sides[i] for i in linear), *self._generators]
        slopes = [_slopes(form) for form in forms]
        reduced, rank = fmpq_mat(size, len(forms), [of_form[v] for v in range(size) for of_form in slopes]).rref()
        pivots = [next(j for j in range(len(forms)) if reduced[i, j] != 0) for i in range(rank)]
        chosen = [forms[j] for j in pivots]
        back = fmpq_mat(size, size, [slope for j in pivots for slope in slopes[j]]).inv()
        moved = [g - _constant(f) for g, f in zip(self._generators, chosen, strict=True)]
        old = [sum((back[v, k] * moved[k] for k in range(size)), self._context.constant(0)) for v in range(size)]
        return {k: linear[j] for k, j in enumerate(pivots) if j < len(linear)}, chosen, old

    def _products(self, reach: int) -> Iterator[Candidate]:
        for index in set(range(len(self._sides))) - set(self._strict):
            for multiplier in self._monomials(reach - 1):
                value = multiplier * self._new[index]
                yield Candidate((), multiplier, index, value, False)
        for size in range(1, reach + 1):
            for chosen in combinations_with_replacement(self._others, size):
                for factors, square in self._multipliers(reach - size):
                    yield self._product((*chosen, *factors), square)
        if reach > 1:
            for factors, square in self._multipliers(reach - 2):
                for more in self._squares():
                    yield self._product(factors, square * more)

    @cached_property
    def _others(self) -> list[int]:
        return [i for i in self._strict if i not in self._signs.values()]

    def _multipliers(self, degree: int) -> Iterator[tuple[tuple[int, ...], fmpq_mpoly]]:
        """Products of up to so many signs and squares of the other coordinates: factors, and what is squared."""
        for size in range(degree + 1):
            for chosen in combinations_with_replacement(range(len(self._generators)), size):
                signs = tuple(self._signs[k] for k in chosen if k in self._signs)
                yield signs, reduce(mul, (self._generators[k] for k in chosen if k not in self._signs), self._one)

    def _monomials(self, degree: int) -> list[fmpq_mpoly]:
        return [
            reduce(mul, factors, self._one)
            for size in range(degree + 1)
            for factors in combinations_with_replacement(self._generators, size)
        ]

    def _squares(self) -> Iterator[fmpq_mpoly]:
        """What is squared: sums and differences of coordinates and 1, and what completes the square of a side."""
        monomials = self._monomials(1)
        for a, b in combinations(monomials, 2):
            yield from (a - b, a + b)
        for index in self._others:
            for variable, exponent in enumerate(self._new[index].degrees()):
                if exponent == 2:
                    yield self._new[index].derivative(variable)

    def _binomials(self, known: Collection[tuple[int, ...]]) -> Iterator[Candidate]:
        """Squares of sums and differences of monomials of which all three terms are known, times signs."""
        alike: dict[int, deque[tuple[int, tuple[int, ...]]]] = {}  # those that may have a middle, in their order
        ordered = [(_packed(monomial), monomial) for monomial in sorted(known, key=sum)]
        parities = _packed((1,) * len(self._generators))
        for number, monomial in ordered:
            alike.setdefault(number & parities, deque()).append((number, monomial))
        numbers = {number for number, _ in ordered}
        for number, first in ordered:
            others = alike[number & parities]
            others.popleft()
            for other, second in others:
                if (number + other) // 2 in numbers:
                    yield from self._binomials_of(first, second)

    def _binomials_of(self, first: tuple[int, ...], second: tuple[int, ...]) -> Iterator[Candidate]:
        left = self._power(max(a - b, 0) // 2 for a, b in zip(first, second, strict=True))
        right = self._power(max(b - a, 0) // 2 for a, b in zip(first, second, strict=True))
        middle = [(a + b) // 2 for a, b in zip(first, second, strict=True)]
        signless = any(e % 2 and k not in self._signs for k, e in enumerate(middle))
        for square in (left - right, left + right) if signless else (left - right,):
            found = self._of_monomial(tuple(map(min, first, second)), square)
            if found is not None:
                yield found

    def _product(self, factors: tuple[int, ...], square: fmpq_mpoly) -> Candidate:
        value = reduce(mul, (self._new[i] for i in factors), square**2)
        positive = square.is_constant() and all(self._strict[i] for i in factors)
        return Candidate(factors, square, None, value, positive)

    def _of_monomial(self, exponents: tuple[int, ...], square: fmpq_mpoly) -> Candidate | None:
        """A monomial times a square as a product, if the monomial is known not to be negative."""
        factors = tuple(self._signs[k] for k, e in enumerate(exponents) if k in self._signs for _ in range(e))
        free = [0 if k in self._signs else e for k, e in enumerate(exponents)]
        if any(e % 2 for e in free):
            return None
        return self._product(factors, square * self._power(e // 2 for e in free))

    def _power(self, exponents: Iterable[int]) -> fmpq_mpoly:
        return self._context.from_dict({tuple(exponents): 1})

    def old(self, polynomial: fmpq_mpoly) -> fmpq_mpoly:
        """What a polynomial in the new coordinates is in the old ones."""
        return polynomial.compose(*self._chosen, ctx=self._context)


def weights(candidates: Sequence[Candidate]) -> list[tuple[Candidate, fmpq]] | None:
    """Weights with which the candidates add up to zero and the positive ones weigh one together, or None."""
    entries = [c.value.to_dict() for c in candidates]
    left = _may_cancel(candidates, entries)
    if not any(candidates[j].positive for j in left):
        return None
    candidates, entries = [candidates[j] for j in left], [entries[j] for j in left]
    if len(left) <= _FEW:
        return _lightest(candidates)

    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    rows = {m: i for i, m in enumerate(sorted({m for column in entries for m in column}), start=1)}
    places = [(0, j, 1.0) for j, c in enumerate(candidates) if c.positive]
    try:
        places += [(rows[m], j, int(v.p) / int(v.q)) for j, column in enumerate(entries) for m, v in column.items()]
    except OverflowError:  # a coefficient beyond all floats
        return None
    row, column, value = zip(*places, strict=True)
    matrix: Any = coo_array((value, (row, column)), shape=(len(rows) + 1, len(candidates))).tocsc()
    right = np.zeros(len(rows) + 1)
    right[0] = 1
    bounds: list[tuple[float | None, None]] = [(0 if c.equation is None else None, None) for c in candidates]
    costs = np.array([c.value.total_degree() if c.equation is None else 0 for c in candidates], dtype=float)
    limit: Any = {"time_limit": seconds_left(_MOST_SECONDS)}
    result = linprog(costs, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds", options=limit)
    if result.x is None or result.status != 0:
        return None
    return _exact([candidates[j] for j, weight in enumerate(result.x) if abs(weight) > 1e-9])[0] or None


def _may_cancel(candidates: Sequence[Candidate], entries: Sequence[Mapping[Any, fmpq]]) -> list[int]:
    """Which candidates are left once those are gone that have a monomial which nothing left can cancel."""
    having: dict[Any, list[int]] = {}
    balance: dict[Any, list[int]] = {}  # how many that are left have it with a minus, how many with a plus
    signs = [[(m, _signs(c, v)) for m, v in column.items()] for c, column in zip(candidates, entries, strict=True)]
    for j, column in enumerate(signs):
        for monomial, own in column:
            having.setdefault(monomial, []).append(j)
            counts = balance.setdefault(monomial, [0, 0])
            for plus in own:
                counts[plus] += 1
    left, positive = set(range(len(entries))), {j for j, c in enumerate(candidates) if c.positive}
    open_ones = [monomial for monomial, counts in balance.items() if not all(counts)]
    while open_ones and positive:
        for j in left.intersection(having[open_ones.pop()]):
            left.remove(j)
            positive.discard(j)
            for other, own in signs[j]:
                counts = balance[other]
                for plus in own:
                    counts[plus] -= 1
                    if not counts[plus]:
                        open_ones.append(other)
    return sorted(left) if positive else []


def _signs(candidate: Candidate, coefficient: fmpq) -> tuple[bool, ...]:
    return (coefficient > 0,) if candidate.equation is None else (False, True)


def _lightest(candidates: Sequence[Candidate]) -> list[tuple[Candidate, fmpq]] | None:
    """Of a few candidates: the weights that `linprog` would find, from all choices of independent ones."""
    rank = _exact(candidates)[1]
    best: tuple[fmpq, list[tuple[Candidate, fmpq]]] | None = None
    for chosen in combinations(candidates, rank):
        found, independent = _exact(chosen)
        if found and independent == rank and all(w > 0 or c.equation is not None for c, w in found):
            cost = sum((w * c.value.total_degree() for c, w in found if c.equation is None), fmpq(0))
            best = min(best or (cost, found), (cost, found), key=itemgetter(0))
    return best and best[1]


def _exact(used: Sequence[Candidate]) -> tuple[list[tuple[Candidate, fmpq]], int]:
    """Weights with which all cancel, empty if there are none, and how many of the candidates are independent."""
    entries = [c.value.to_dict() for c in used]
    table = [[*(int(c.positive) for c in used), 1]]
    table += [[*(e.get(m, 0) for e in entries), 0] for m in sorted({m for e in entries for m in e})]
    reduced, rank = fmpq_mat(len(table), len(used) + 1, [v for line in table for v in line]).rref()
    pivots = [next(j for j in range(len(used) + 1) if reduced[i, j] != 0) for i in range(rank)]
    if len(used) in pivots:
        return [], rank - 1
    return [(used[j], reduced[i, len(used)]) for i, j in enumerate(pivots) if reduced[i, len(used)] != 0], rank


def _exponents(monomial: Any) -> tuple[int, ...]:
    return tuple(map(int, monomial))


def _packed(exponents: tuple[int, ...]) -> int:
    """Exponents as one number, so that sums and halves of numbers are those of all exponents."""
    return reduce(lambda number, exponent: number << 32 | exponent, exponents, 0)


def _slopes(form: fmpq_mpoly) -> list[fmpq]:
    """Of a linear form, the coefficient of each variable."""
    found = [fmpq(0)] * form.context().nvars()
    for exponents, coefficient in form.to_dict().items():
        if any(exponents):
            found[exponents.index(1)] = coefficient
    return found


def _constant(form: fmpq_mpoly) -> fmpq:
    return form.to_dict().get((0,) * form.context().nvars(), fmpq(0))


def _preference(form: fmpq_mpoly, strict: bool) -> tuple[Any, ...]:
    """Lower bounds of single variables first, the largest bound first, a strict one before another."""
    slopes = [slope for slope in _slopes(form) if slope != 0]
    constant = _constant(form) / abs(slopes[0])
    return len(slopes), slopes[0] < 0, constant, not strict
