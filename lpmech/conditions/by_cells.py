"""The condition of a statement about one, two or three parameters, from its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Any

from lpmech.conditions.cells import Cell, Line, decomposed, inside, projected
from lpmech.conditions.connectives import MIRRORED, Alternatives, negated
from lpmech.conditions.fibres import degree_in
from lpmech.conditions.region_words import NamedRoot, Words
from lpmech.conditions.regions import Range
from lpmech.conditions.signs import (
    CONTEXT,
    Joined,
    OutsideError,
    SignFormula,
    SignOf,
    SignReader,
    irreducible_factors,
)
from lpmech.conditions.solving import NotSolvedError
from lpmech.conditions.spatial import cover, cut_plane, lines_above
from lpmech.conditions.substitution import substitution
from lpmech.limits import seconds_left
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.terms import Apply, Name, Node, names_in
from lpmech.terms.term import parts_of

__all__ = ["Celled", "are_read", "by_cells", "is_high"]

#: Up to this degree roots are formulas; of so many parameters at most.
_DEGREE, _MOST_NAMES = 2, 3
#: So many polynomials cut a plane at most, and so many alternatives are a condition that can be read.
_MOST_IN_PLANE, _MOST_ALTERNATIVES = 60, 40
#: Of processor time for the lines above a plane's base, or above the plane, but only a part of what is left; and how
#: near its ends are told.
_SECONDS_OF_A_PLANE, _SECONDS_IN_SPACE, _SHARE, _NEAR = 8.0, 12.0, 0.4, Fraction(1, 10**12)
_TRUE = Joined("and", ())


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
    is_undone : bool
        Whether bounds on functions are written as bounds on parameters.
    undecided : str
        Where it is not known whether the statement holds; there none of the alternatives does.
    """

    alternatives: Alternatives
    roots: Mapping[str, NamedRoot | RealRoot]
    told: tuple[str, ...]
    is_undone: bool = False
    undecided: str = ""


def is_high(statement: Node, hypotheses: Sequence[Node], solve: str | None) -> bool:
    """Whether formulas for each parameter that a polynomial of the statement may be solved for are of a degree above
    two, or have a square root that is not real everywhere.

    Raises
    ------
    OutsideError
        If the statement is about more than three parameters, or no relation of rational functions.
    """
    letters = substitution(statement, hypotheses)
    statement, hypotheses, solve = letters.into(statement), letters.hypotheses(hypotheses), letters.named(solve)
    names = _names(statement)
    reader = SignReader(names)
    reader.formula(statement)
    if any(isinstance(one, Apply) and one.operation == "sqrt" for one in parts_of(statement)):
        return True
    places = [names.index(solve)] if solve in names else range(len(names))
    for one in reader.polynomials:
        degrees = [degree_in(one, place) for place in places if degree_in(one, place)]
        if sum(map(bool, one.degrees())) == 1 and sum(one.degrees()) > _DEGREE:
            return True
        if sum(map(bool, one.degrees())) > 1 and degrees and min(degrees) > 1:
            quadratic = [place for place in places if degree_in(one, place) == _DEGREE]
            if not any(_is_real(one, place, hypotheses, names) for place in quadratic):
                return True
    return False


def _is_real(polynomial: Any, place: int, hypotheses: Sequence[Node], names: tuple[str, ...]) -> bool:
    """Whether a polynomial of degree two in a parameter has real roots wherever the hypotheses hold."""
    others = (names[:place] + names[place + 1 :]) if len(names) == _MOST_NAMES else ("", names[1 - place])
    read = _Read(Apply("true", ()), [one for one in hypotheses if names_in(one) <= {*others}], frozenset(), others)
    found = polynomial.discriminant(polynomial.context().names()[place])
    terms = {powers[:place] + powers[place + 1 :]: c for powers, c in found.to_dict().items()}
    if len(names) < _MOST_NAMES:
        terms = {(0, *powers): c for powers, c in terms.items()}
    discriminant = CONTEXT.from_dict(terms)
    sign = 1 if discriminant.leading_coefficient() > 0 else -1
    factors = tuple((read.reader.number(one), times) for one, times in irreducible_factors(discriminant))
    asked = SignOf("<", sign, factors, frozenset())
    return not any(
        True in cell.truths
        for cell in filter(None, decomposed(asked, read.given, read.reader.polynomials, whole=False))
    )


def are_read(hypotheses: Sequence[Node], statement: Node) -> bool:
    """Whether no hypothesis on a parameter of the statement is left aside."""
    letters = substitution(statement, hypotheses)
    reader, own = SignReader(_names(letters.into(statement))), names_in(statement)
    try:
        for one in letters.hypotheses(hypotheses):
            if names_in(one) & own and not (isinstance(one, Apply) and one.operation == "whole"):
                reader.formula(one)
    except OutsideError:
        return False
    return True


def _names(statement: Node) -> tuple[str, ...]:
    """The parameters of a statement; of a single one the cells are those of the base."""
    names = sorted(names_in(statement))
    if not 1 <= len(names) <= _MOST_NAMES:
        raise OutsideError(f"it is about {len(names)} parameters, more than three" if names else "no parameter")
    return tuple(names) if len(names) > 1 else ("", names[0])


def by_cells(statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None) -> Celled:
    """The shortest condition; hypotheses on other parameters, or outside of rational functions, are not used.

    A condition that is right without them is right with them.

    Raises
    ------
    OutsideError
        If the statement is about more than three parameters, or no relation of rational functions, or too large.
    NotSolvedError
        If no point satisfies the hypotheses.
    """
    letters = substitution(statement, hypotheses)
    found = _of_rational(
        letters.into(statement), letters.hypotheses(hypotheses), frozenset(whole), letters.named(solve)
    )
    numbers = {name for name, root in found.roots.items() if isinstance(root, RealRoot)}
    alternatives = [tuple(letters.back(node, numbers) for node in one) for one in _short(found.alternatives)]
    return replace(found, alternatives=alternatives, is_undone=bool(letters.letters))


def _short(alternatives: Alternatives) -> Alternatives:
    """A, or not A and B, is A or B, with B at the end if it may have no value where A holds; A relates a parameter to a
    number, so that it has a value everywhere.
    """
    alone = {negated(one[0]) for one in alternatives if len(one) == 1 and _relates_to_number(one[0])}
    shorter = [tuple(node for node in one if node not in alone) for one in alternatives]
    last = {
        one
        for one, whole in zip(shorter, alternatives, strict=True)
        if one != whole and not all(map(_relates_to_number, one))
    }
    return sorted(shorter, key=lambda one: one in last)


def _relates_to_number(node: Node) -> bool:
    return isinstance(node, Apply) and not names_in(node.arguments[-1]) and isinstance(node.arguments[0], Name)


def _of_rational(statement: Node, hypotheses: Sequence[Node], whole: frozenset[str], solve: str | None) -> Celled:
    names = _names(statement)
    if len(names) == _MOST_NAMES:
        return _in_space(_Read(statement, hypotheses, whole, _order(statement, whole, solve)))
    orders = [one for one in (names, names[::-1]) if one[1] and solve in (None, one[0])] or [names]
    found = [_in_plane(_Read(statement, hypotheses, whole, order)) for order in orders]
    return min(
        found, key=lambda one: (one.undecided, len(one.roots), len(one.alternatives), len(str(one.alternatives)))
    )


class _Read:
    """A statement and its hypotheses as signs of polynomials in parameters in some order."""

    def __init__(
        self, statement: Node, hypotheses: Sequence[Node], whole: frozenset[str], names: tuple[str, ...]
    ) -> None:
        self.names, self.whole, self.hypotheses = names, whole, hypotheses
        self.reader = SignReader(names)
        self.asked, self.given = self.reader.formula(statement), list[SignFormula]()
        self.within: Range = ()
        for one in hypotheses:
            before = len(self.reader.polynomials)
            try:
                formula = self.reader.formula(one)
            except OutsideError:
                del self.reader.polynomials[before:]
                continue
            self.given.append(formula)
            self.within = (*self.within, *_bound(formula, self.reader))
        self.taken = frozenset(names).union(names_in(statement), *map(names_in, hypotheses))

    def words(self, lines: Sequence[Line]) -> Words:
        """What makes conditions of cells."""
        return Words(self.names, self.whole, self.reader.polynomials, _tightest(self.within), lines, self.taken)


def _in_plane(read: _Read) -> Celled:
    name, polynomials = read.names[1], read.reader.polynomials
    seconds = _SHARE * seconds_left(_SECONDS_OF_A_PLANE / _SHARE)
    cells = decomposed(read.asked, read.given, polynomials, whole=name in read.whole, seconds=seconds)
    known = list(filter(None, cells))
    if not known:
        raise NotSolvedError("the hypotheses contradict each other")
    words, left = read.words(known), [cell for cell in known if not cell.is_decided]
    if len(left) == len(known):
        raise OutsideError(f"none of {len(known)} cells is decided")
    undecided = f"undecided over {len(left)} of {len(known)} cells: {', '.join(_ends(name, cell) for cell in left)}"
    return Celled(words.alternatives(cells, cells), words.roots, tuple(words.told), undecided=undecided if left else "")


def _ends(name: str, cell: Cell) -> str:
    """Between which numbers a cell lies, in short."""
    low, high = ([f"{float(end.near(_NEAR)):.6g}"] if end else [] for end in (cell.lower, cell.upper))
    return f"{name} = {low[0]}" if cell.is_point else " < ".join([*low, name, *high])


def _order(statement: Node, whole: Collection[str], solve: str | None) -> tuple[str, ...]:
    """The parameter that is solved for, and the order of the others that leaves the smallest degrees."""

    def cost(order: tuple[str, ...]) -> tuple[bool, int, bool, int]:
        reader, plane = SignReader(order), SignReader(order[1:])
        reader.formula(statement)
        cut_plane(plane, reader.polynomials)
        highest = max((degree_in(one, 0) for one in reader.polynomials), default=0)
        last = sum(one.total_degree() for one in projected(plane.polynomials))
        return highest == 0, highest, bool(set(order) & set(whole)) and order[2] not in whole, last

    every = [order for order in permutations(sorted(names_in(statement))) if solve in (None, order[0])]
    return min(every, key=cost)


def _in_space(read: _Read) -> Celled:
    polynomials, others = read.reader.polynomials, read.names[1:]
    plane = _Read(Apply("true", ()), [one for one in read.hypotheses if names_in(one) <= {*others}], read.whole, others)
    cut_plane(plane.reader, polynomials)
    cells = decomposed(
        _TRUE, plane.given, plane.reader.polynomials, whole=others[1] in read.whole, most_polynomials=_MOST_IN_PLANE
    )
    seconds = _SHARE * seconds_left(_SECONDS_IN_SPACE / _SHARE)
    lines = lines_above(cells, read.asked, read.given, polynomials, seconds)
    if not lines:
        raise NotSolvedError("the hypotheses contradict each other")
    above, below = read.words(list(filter(None, lines.values()))), plane.words(list(filter(None, cells)))
    found = list[tuple[Node, ...]]()
    for region, where in cover(lines, polynomials, above.within, above.length):
        bounds = above.bounds(region)
        below.taken |= {name.partition("(")[0] for name in above.roots}
        spoken = [cell and cell.among(number, where) for number, cell in enumerate(cells)]
        found += [(*one, *bounds) for one in below.alternatives(spoken, cells)]
    if len(found) > _MOST_ALTERNATIVES:
        raise OutsideError(f"all {len(lines)} cells are decided, but the condition has {len(found)} alternatives")
    open_lines = sum(one is None for one in lines.values())
    undecided = f"undecided above {open_lines} of {len(lines)} cells of ({', '.join(others)})" if open_lines else ""
    return Celled(found, {**above.roots, **below.roots}, (*above.told, *below.told), undecided=undecided)


def _bound(formula: SignFormula, reader: SignReader) -> Range:
    """A hypothesis that relates the parameter that is solved for to a number."""
    if not (isinstance(formula, SignOf) and len(formula.factors) == 1 and formula.relation in ("<", "<=", ">", ">=")):
        return ()
    ((number, times),) = formula.factors
    polynomial = reader.polynomials[number]
    if inside(formula) != {number} or times != 1 or (degree_in(polynomial, 0), sum(polynomial.degrees())) != (1, 1):
        return ()
    every = {powers[0]: int(c) for powers, c in polynomial.to_dict().items()}
    slope, constant = every[1], every.get(0, 0)
    relation = formula.relation if formula.sign * slope > 0 else MIRRORED[formula.relation]
    return ((relation, Fraction(-constant, slope)),)


def _tightest(within: Range) -> Range:
    """The largest lower and the least upper bound."""
    lower = [(bound, relation == ">", relation) for relation, bound in within if relation in (">", ">=")]
    upper = [(-bound, relation == "<", relation) for relation, bound in within if relation in ("<", "<=")]
    found = [(max(lower)[2], max(lower)[0])] if lower else []
    return (*found, *([(max(upper)[2], -max(upper)[0])] if upper else []))
