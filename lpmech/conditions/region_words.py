"""Regions of cells in words: bounds on parameters, by numbers, formulas, and roots that have names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp
from flint import fmpq

from lpmech.conditions.cells import Cell, Line, first_whole, last_whole
from lpmech.conditions.fibres import Base, degree_in, over
from lpmech.conditions.generators import Letters
from lpmech.conditions.polynomials import Root, coefficients, real_roots, roots_of_quadratic, told_apart
from lpmech.conditions.regions import Change, Range, Region, names_of_roots, regions
from lpmech.programs.solvers.real_roots import RealRoot, roots_apart
from lpmech.prove.from_sympy import term_of
from lpmech.terms import Apply, Name, Node, Number, names_in
from lpmech.terms.term import parts_of

__all__ = ["NamedRoot", "Words"]

_ORDER = ("", "second", "third", "fourth")


@dataclass(frozen=True)
class NamedRoot:
    """A root as a function of the other parameters.

    Attributes
    ----------
    polynomial : flint.fmpz_mpoly
        In x, y, and z if there are three.
    change : Change
        Which of its roots in x.
    within : tuple of (str, Fraction)
        Relations of x to numbers: the range in which roots are counted.
    """

    polynomial: Any
    change: Change
    within: Range

    def at(self, *others: RealRoot) -> RealRoot | None:
        """The exact root at values of the other parameters; None if there are not so many."""
        base = Base(others[-1])
        for one in others[-2::-1]:
            base = base.above(one, [])
        fibre = over(base, [self.polynomial])
        for root, names in zip(fibre.roots, names_of_roots(fibre, [self.polynomial], self.within), strict=True):
            if self.change in names:
                return root
        return None


def _is_partial(bounds: Sequence[Node]) -> bool:
    """Whether bounds are quotients, or roots, of the other parameters."""
    names = [one.name for bound in bounds for one in parts_of(bound) if isinstance(one, Name)]
    every = [
        one for bound in bounds for one in parts_of(bound) if isinstance(one, Apply) and names_in(one.arguments[-1])
    ]
    return any("(" in name for name in names) or any(one.operation in ("/", "sqrt") for one in every)


@dataclass
class Words:
    """Conditions made of cells.

    Parameters
    ----------
    names : tuple of str
        The parameter that is solved for, and the others.
    whole : frozenset of str
    polynomials : sequence of flint.fmpz_mpoly
    within : tuple of (str, Fraction)
    lines : sequence of Line
        All of them, or one of each kind.
    taken : frozenset of str
        Names of parameters, which no root gets.

    Attributes
    ----------
    roots : dict of str to NamedRoot or RealRoot
        What the names in the condition are that are no parameters.
    """

    names: tuple[str, ...]
    whole: frozenset[str]
    polynomials: Sequence[Any]
    within: Range
    lines: Sequence[Line]
    taken: frozenset[str]
    roots: dict[str, NamedRoot | RealRoot] = field(default_factory=dict)
    _letters: dict[str, str] = field(default_factory=dict)
    _cells: Sequence[Cell | None] = ()
    _every: Sequence[Cell | None] = ()

    def alternatives(self, cells: Sequence[Cell | None], every: Sequence[Cell | None]) -> list[tuple[Node, ...]]:
        """Conditions on two parameters of which one holds exactly where the statement does, within the hypotheses.

        Parameters
        ----------
        cells : sequence of Cell or None
            None: it need not be said whether it holds there.
        every : sequence of Cell or None
            None: there the hypotheses do not hold.
        """
        self._cells, self._every = cells, every
        found = regions(cells, self.polynomials, self.within, lambda place: self._value(place) is not None, self.length)
        each = [(region, self.bounds(region, self._only(region))) for region in found]
        return [(*self._base(region, _is_partial(bounds)), *bounds) for region, bounds in each]

    @property
    def told(self) -> list[str]:
        """What the names are."""
        numbers = {
            name: self._number_in_words(name, one) for name, one in self.roots.items() if isinstance(one, RealRoot)
        }
        every = dict(zip(numbers, told_apart(list(numbers.values())), strict=True))
        return [
            f"{name}: {self._in_words(root) if isinstance(root, NamedRoot) else every[name]}"
            for name, root in self.roots.items()
        ]

    def length(self, region: Region) -> Any:
        """How long a region is to say, in short."""
        of_roots = []
        for one in region.changes:
            polynomial = self.polynomials[one.polynomial]
            order = ("", "0", "-", "+", "below", "above").index(one.how)
            of_roots.append((degree_in(polynomial, 0), len(polynomial.to_dict()), one.rank, order))
        return len(set(of_roots)), sorted(of_roots, reverse=True), region.changes

    def _cell(self, place: int) -> Cell:
        cell = self._cells[place]
        assert cell is not None
        return cell

    def _value(self, place: int) -> RealRoot | None:
        """The only value of the other parameter in a cell."""
        cell = self._cell(place)
        if cell.is_point:
            return cell.lower
        if self.names[1] in self.whole and cell.lower and cell.upper:
            first, last = last_whole(cell.lower) + 1, first_whole(cell.upper) - 1
            return RealRoot.rational(fmpq(first)) if first == last else None
        return None

    def _only(self, region: Region) -> RealRoot | None:
        """The only value of the other parameter in a region."""
        return self._value(region.first) if region.first == region.last else None

    def _base(self, region: Region, is_partial: bool) -> list[Node]:
        """What the other parameter satisfies; where bounds may have no value elsewhere that is said, too."""
        name, cells = self.names[1], self._every if is_partial else self._cells
        places = [place for place, cell in enumerate(cells) if cell]
        below, above = region.first != places[0], region.last != places[-1]
        if (below or above) and (value := self._only(region)):
            return [Apply("==", (Name(name), self._number(name, value)))]
        low, high = self._cell(region.first), self._cell(region.last)
        bounds = list[Node]()
        if below and low.lower:
            bounds.append(self._bound(name, ">=" if low.is_point else ">", low.lower))
        if above and high.upper:
            bounds.append(self._bound(name, "<=" if high.is_point else "<", high.upper))
        holes = filter(None, map(self._value, region.missing))
        return [*bounds, *(self._bound(name, "!=", hole) for hole in holes)]

    def _bound(self, name: str, relation: str, root: RealRoot) -> Node:
        """A bound on a parameter by a number; on a whole one by a whole number."""
        if name in self.whole and relation in (">", ">="):
            number = last_whole(root) + 1 if relation == ">" else first_whole(root)
            return Apply(">=", (Name(name), Number(Fraction(number))))
        if name in self.whole and relation in ("<", "<="):
            number = first_whole(root) - 1 if relation == "<" else last_whole(root)
            return Apply("<=", (Name(name), Number(Fraction(number))))
        return Apply(relation, (Name(name), self._number(name, root)))

    def _number(self, parameter: str, root: RealRoot) -> Node:
        """A number, by radicals or by a name."""
        if root.polynomial.degree() <= 2:
            return term_of(root.expression(sp.Symbol(parameter)))
        numbers = {name: one for name, one in self.roots.items() if isinstance(one, RealRoot)}
        for name, one in numbers.items():
            if not one.compared(root):
                return Name(name)
        name = self._fresh("r")
        self.roots[name] = root
        self._letters[name] = parameter
        return Name(name)

    def bounds(self, region: Region, value: RealRoot | None = None) -> list[Node]:
        """What the parameter that is solved for satisfies, where the other one may have one value only."""
        lower, upper = region.lower, region.upper
        if lower and not lower.after and upper == lower._replace(after=True):
            return [self._relation("==", lower, value)]
        found = [self._relation(">" if lower.after else ">=", lower, value)] if lower else []
        found += [self._relation("<=" if upper.after else "<", upper, value)] if upper else []
        return [*found, *(self._relation("!=", hole, value) for hole in region.holes)]

    def _relation(self, relation: str, change: Change, value: RealRoot | None) -> Node:
        """The parameter related to a root."""
        polynomial, x = self.polynomials[change.polynomial], self.names[0]
        root = NamedRoot(polynomial, change._replace(polynomial=0, after=False), self.within)
        is_constant = sum(polynomial.degrees()) == degree_in(polynomial, 0)
        values = (RealRoot.rational(fmpq(0)),) * (len(self.names) - 1) if is_constant else (value,) if value else ()
        number = root.at(*values) if values else None
        if number and (is_constant or number.polynomial.degree() <= 2):
            return self._bound(x, relation, number)
        if change.how in ("", "0", "-", "+"):
            return Apply(relation, (Name(x), self._closed(polynomial, change.how)))
        return Apply(relation, (Name(x), Name(self._named(root))))

    def _closed(self, polynomial: Any, how: str) -> Node:
        """A root of degree one or two as a formula."""
        parts = coefficients(self._expression(polynomial), sp.Symbol(self.names[0]))
        if how in ("", "0"):
            parts = parts[-2:]
            return Letters().quotient(sp.factor(-parts[1] / parts[0]))
        _, minus, plus = roots_of_quadratic(*parts)
        return Letters().quotient(minus if how == "-" else plus)

    def _expression(self, polynomial: Any) -> Any:
        symbols = list(map(sp.Symbol, self.names))
        terms = polynomial.to_dict().items()
        return sp.Add(*(int(c) * sp.Mul(*(s**n for s, n in zip(symbols, powers, strict=True))) for powers, c in terms))

    def _named(self, root: NamedRoot) -> str:
        """The name of a root that is a function of the other parameters."""
        for name, one in self.roots.items():
            if one == root:
                return name
        x, *others = self.names
        name = f"{self._fresh(x if x.isidentifier() else 'r')}({', '.join(others)})"
        self.roots[name] = root
        return name

    def _fresh(self, letter: str) -> str:
        """The letter with the first number that makes it the name of no parameter and no other root."""
        taken = self.taken | {name.partition("(")[0] for name in self.roots}
        return next(name for n in count(1) if (name := f"{letter}{n}") not in taken)

    def _number_in_words(self, name: str, root: RealRoot) -> Root:
        own = sp.Symbol(self._letters[name])
        every = real_roots(sum(int(c) * own**k for k, c in enumerate(root.polynomial.coeffs())), own)
        return every[[one.compared(root) for one in roots_apart([root.polynomial])].index(0)]

    def _in_words(self, root: NamedRoot) -> str:
        bounds = " and ".join(f"{relation} {Number(bound)}" for relation, bound in root.within)
        roots = f"root {f'{self.names[0]} {bounds}'.strip()}"
        polynomial = term_of(self._expression(root.polynomial))
        rank, how = root.change.rank, root.change.how
        if self._most_roots(root) == 1:
            return f"the only {roots} of {polynomial}"
        order = _ORDER[rank - 1] if rank <= len(_ORDER) else f"{rank}th"
        which = f"{order} largest" if how == "above" else order if rank > 1 else "least"
        return f"the {which.strip()} {roots} of {polynomial}{', counted with multiplicity' * (rank > 1)}"

    def _most_roots(self, root: NamedRoot) -> int:
        """How many different roots in the range a polynomial has at most, where the hypotheses hold."""
        least = Change(list(self.polynomials).index(root.polynomial), "below")
        lines = [names_of_roots(line.fibre, self.polynomials, self.within) for line in self.lines]
        return max(sum(any(one[:2] == least[:2] for one in names) for names in line) for line in lines)
