"""The condition of a statement about one or two parameters, from its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lpmech.conditions.cells import decomposed, inside
from lpmech.conditions.connectives import MIRRORED, Alternatives
from lpmech.conditions.fibres import degree_in
from lpmech.conditions.region_words import NamedRoot, Words
from lpmech.conditions.regions import Range
from lpmech.conditions.signs import OutsideError, Planar, SignFormula, SignOf
from lpmech.conditions.solving import NotSolvedError
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.terms import Apply, Node, names_in

__all__ = ["Celled", "are_read", "by_cells", "is_high"]

#: Up to this degree roots are formulas.
_DEGREE = 2


@dataclass(frozen=True)
class Celled:
    """What was found.

    Attributes
    ----------
    alternatives : sequence of tuple of terms
        One of them holds exactly where the statement does.
    roots : mapping of str to NamedRoot or RealRoot
        What names in them are that are no parameters.
    told : tuple of str
        The same in words.
    """

    alternatives: Alternatives
    roots: Mapping[str, NamedRoot | RealRoot]
    told: tuple[str, ...]


def is_high(statement: Node, solve: str | None) -> bool:
    """Whether a polynomial of the statement has a degree above two in each parameter that it may be solved for.

    Raises
    ------
    OutsideError
        If the statement is about more than two parameters, or no relation of rational functions.
    """
    names = _names(statement)
    planar = Planar(names)
    planar.formula(statement)
    places = [names.index(solve)] if solve in names else [0, 1]
    mixed = [one for one in planar.polynomials if degree_in(one, 0) and degree_in(one, 1)]
    return any(min(degree_in(one, place) for place in places) > _DEGREE for one in mixed)


def are_read(hypotheses: Sequence[Node], statement: Node) -> bool:
    """Whether no hypothesis on a parameter of the statement is left aside."""
    planar, own = Planar(_names(statement)), names_in(statement)
    try:
        for one in hypotheses:
            if names_in(one) & own and not (isinstance(one, Apply) and one.operation == "whole"):
                planar.formula(one)
    except OutsideError:
        return False
    return True


def _names(statement: Node) -> tuple[str, str]:
    """The two parameters of a statement; of a single one the cells are those of the base."""
    names = sorted(names_in(statement))
    if not 1 <= len(names) <= 2:
        raise OutsideError(f"it is about {len(names)} parameters, not one or two")
    return (names[0], names[1]) if len(names) == 2 else ("", names[0])


def by_cells(statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None) -> Celled:
    """The shortest condition; hypotheses on other parameters, or outside of rational functions, are not used.

    A condition that is right without them is right with them.

    Raises
    ------
    OutsideError
        If the statement is about more than two parameters, or no relation of rational functions, or too large.
    NotSolvedError
        If no point satisfies the hypotheses.
    """
    names = _names(statement)
    orders = [one for one in (names, names[::-1]) if one[1] and solve in (None, one[0])] or [names]
    found = [_by_cells(statement, hypotheses, frozenset(whole), order) for order in orders]
    return min(found, key=lambda one: (len(one.roots), len(one.alternatives), len(str(one.alternatives))))


def _by_cells(statement: Node, hypotheses: Sequence[Node], whole: frozenset[str], names: tuple[str, str]) -> Celled:
    planar = Planar(names)
    asked, given = planar.formula(statement), list[SignFormula]()
    within: Range = ()
    for one in hypotheses:
        before = len(planar.polynomials)
        try:
            formula = planar.formula(one)
        except OutsideError:
            del planar.polynomials[before:]
            continue
        given.append(formula)
        within = (*within, *_bound(formula, planar))
    cells = decomposed(asked, given, planar.polynomials, whole=names[1] in whole)
    if not any(cells):
        raise NotSolvedError("the hypotheses contradict each other")
    taken = frozenset(names).union(names_in(statement), *map(names_in, hypotheses))
    words = Words(names, whole, planar.polynomials, _tightest(within), cells, taken)
    return Celled(words.alternatives(), words.roots, tuple(words.told))


def _bound(formula: SignFormula, planar: Planar) -> Range:
    """A hypothesis that relates the parameter that is solved for to a number."""
    if not (isinstance(formula, SignOf) and len(formula.factors) == 1 and formula.relation in ("<", "<=", ">", ">=")):
        return ()
    ((number, times),) = formula.factors
    polynomial = planar.polynomials[number]
    if inside(formula) != {number} or times != 1 or tuple(polynomial.degrees()) != (1, 0):
        return ()
    slope, constant = int(polynomial[1, 0]), int(polynomial[0, 0])
    relation = formula.relation if formula.sign * slope > 0 else MIRRORED[formula.relation]
    return ((relation, Fraction(-constant, slope)),)


def _tightest(within: Range) -> Range:
    """The largest lower and the least upper bound."""
    lower = [(bound, relation == ">", relation) for relation, bound in within if relation in (">", ">=")]
    upper = [(-bound, relation == "<", relation) for relation, bound in within if relation in ("<", "<=")]
    found = [(max(lower)[2], max(lower)[0])] if lower else []
    return (*found, *([(max(upper)[2], -max(upper)[0])] if upper else []))
