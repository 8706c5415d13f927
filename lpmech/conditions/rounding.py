"""Floors, ceilings and remainders in a statement: floor(x) as a whole number n of its own, with n <= x < n + 1.

Wherever x has a value this is one whole number, so that a condition on n and the parameters is one on floor(x) and the
parameters; a bound on floor(x) is one on x. Where a parameter would stand on both sides of a bound, a whole one is told
by its remainders: K = b q + r makes (a K + c)/b the number a q + (a r + c)/b, of which the rest alone is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, TypeGuard

import sympy as sp

from lpmech.conditions.connectives import MIRRORED, joined, negated, replaced
from lpmech.conditions.questions import lacking, needed
from lpmech.conditions.solving import NotSolvedError
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import is_whole
from lpmech.prove.texts import evaluated
from lpmech.terms import FALSE, TRUE, Apply, Choice, Name, Node, Number, Repeated, names_in, substituted, term
from lpmech.terms.functions import Eq, Mod, Whole, ceiling, floor
from lpmech.terms.term import parts_of

__all__ = ["METHOD", "Remainders", "Rounded", "has_floors", "in_floors", "line_of", "moved", "says_more"]

#: What the step is called.
METHOD = "floors as whole numbers"
#: Remainders by so much at most are gone through.
_MOST_REMAINDERS = 12


def has_floors(node: Node) -> bool:
    """Whether a statement has floors, ceilings or remainders."""
    return any(isinstance(one, Apply) and one.operation in ("floor", "ceiling", "Mod") for one in parts_of(node))


def in_floors(node: Node) -> Node:
    """The same with floors in place of ceilings and remainders."""
    if isinstance(node, Apply):
        match node.operation, tuple(map(in_floors, node.arguments)):
            case "ceiling", (x,):
                return -floor(-x)
            case "Mod", (x, y):
                return x - y * floor(x / y)
            case operation, parts:
                return Apply(operation, parts)
    if isinstance(node, Choice):
        return Choice(tuple((in_floors(value), in_floors(when)) for value, when in node.cases))
    return node


@dataclass(frozen=True)
class Rounded:
    """A statement with whole numbers of their own in place of floors, the innermost first.

    Attributes
    ----------
    statement : term
    letters : dict of str to term
        The names, which are the texts of the floors, and what is rounded.
    """

    statement: Node
    letters: dict[str, Node]

    @classmethod
    def of(cls, statement: Node) -> Rounded:
        """Of a statement without ceilings and remainders."""
        if any(isinstance(one, Repeated) for one in parts_of(statement)):
            raise NotSolvedError("a floor beside a sum")
        letters = dict[str, Node]()
        while (inner := next((one for one in parts_of(statement) if _is_floor(one)), None)) is not None:
            (x,) = inner.arguments
            name = str(_back(inner, letters))
            letters[name] = x
            statement = replaced(statement, inner, Name(name))
        return cls(statement, letters)

    def hypotheses(self, given: Sequence[Node], most: int | None = None) -> list[Node]:
        """With what the whole numbers satisfy, or so many of them."""
        own = [[Whole(Name(n)), Name(n) <= x, x < Name(n) + 1] for n, x in [*self.letters.items()][:most]]
        return [*given, *(one for each in own for one in each)]

    def freed(self, node: Node, whole: Collection[str]) -> Node:
        """The statement in the parameters alone; floors against whole numbers are bounds on what is rounded."""
        match node:
            case Apply("and" | "or" | "not" | "implies" | "iff" as operation, parts):
                return Apply(operation, tuple(self.freed(part, whole) for part in parts))
            case Apply(relation, (left, right)) if relation in MIRRORED:
                for name in self.letters:
                    if (
                        name in names_in(node)
                        and (bound := self._against(name, relation, left, right, whole)) is not None
                    ):
                        return bound
        return _back(node, self.letters)

    def _against(self, name: str, relation: str, left: Node, right: Node, whole: Collection[str]) -> Node | None:
        """A relation as a bound on what is rounded, if it is one of the floor against a whole number."""
        difference = evaluated(left) - evaluated(right)
        slope = _slope(term_of(difference), name)
        if not slope:
            return None
        bound = sp.expand(sp.Symbol(name) - difference / slope)
        if not (bound.is_Rational or is_whole(bound, [sp.Symbol(one) for one in (*whole, *self.letters)])):
            return None
        turned = relation if slope > 0 else MIRRORED[relation]
        found = self._bound(name, turned, term_of(bound), {*whole, *self.letters})
        if name in names_in(found):
            return None
        found = _back(found, self.letters)
        return None if lacking(_back(Apply(relation, (left, right)), self.letters), found, whole) else found

    def back(self, node: Node, whole: Collection[str]) -> Node:
        """A condition in the parameters alone."""
        match node:
            case Apply("and" | "or" as operation, parts):
                return Apply(operation, tuple(self.back(part, whole) for part in parts))
            case Apply(relation, (Name(name), bound)) if relation in MIRRORED and name in self.letters:
                return self._bound(name, relation, _back(bound, self.letters), whole)
        return _back(node, self.letters)

    def _bound(self, name: str, relation: str, bound: Node, whole: Collection[str]) -> Node:
        """A bound on a floor as one on what is rounded."""
        inside = _back(self.letters[name], self.letters)
        exact = is_whole(evaluated(bound), [sp.Symbol(one) for one in whole])
        nearest: dict[str, tuple[str, Node]] = {
            ">=": (">=", bound if exact else ceiling(bound)),
            ">": (">=", bound + 1 if exact else floor(bound) + 1),
            "<": ("<", bound if exact else ceiling(bound)),
            "<=": ("<", bound + 1 if exact else floor(bound) + 1),
        }
        if relation in nearest:
            return moved(inside, *nearest[relation], whole)
        if exact:
            equal = (moved(inside, ">=", bound, whole), moved(inside, "<", bound + 1, whole))
            return Apply("and", equal) if relation == "==" else Apply("or", tuple(map(negated, equal)))
        return Apply(relation, (floor(inside), bound))


def _is_floor(node: Node) -> TypeGuard[Apply]:
    """Whether it is a floor without others inside."""
    is_one = isinstance(node, Apply) and node.operation == "floor"
    return is_one and sum(isinstance(part, Apply) and part.operation == "floor" for part in parts_of(node)) == 1


def _back(node: Node, letters: dict[str, Node]) -> Node:
    """With the floors in place of their names."""
    for name, x in reversed(letters.items()):
        node = substituted(node, {name: floor(x)})
    return node


def moved(inside: Node, relation: str, bound: Node, whole: Collection[str]) -> Node:
    """A bound on a x + d, numbers a and d, as one on x."""
    line = line_of(inside)
    if line is None:
        return Apply(relation, (inside, bound))
    name, slope, constant = line
    end = sp.expand((evaluated(bound) - constant) / slope)
    relation = relation if slope > 0 else MIRRORED[relation]
    nearest = {">=": sp.ceiling(end), ">": sp.floor(end) + 1, "<": sp.ceiling(end) - 1, "<=": sp.floor(end)}
    if name in whole and end.is_Rational and relation in nearest:
        return Apply(">=" if relation in (">", ">=") else "<=", (Name(name), term_of(nearest[relation])))
    return Apply(relation, (Name(name), term_of(sp.together(end))))


def line_of(node: Node) -> tuple[str, Any, Any] | None:
    """x, a and d of a x + d."""
    if len(names := names_in(node)) != 1 or needed(node, ()):
        return None
    own = sp.Symbol(*names)
    slope = _slope(node, own.name)
    constant = None if slope is None else sp.expand(evaluated(node) - slope * own)
    return (own.name, slope, constant) if slope and constant is not None and constant.is_Rational else None


def _slope(node: Node, name: str) -> Any | None:
    """The number by which a name is multiplied in a formula; None if it does not stand there in this way alone."""
    expression, own = evaluated(node), sp.Symbol(name)
    if not expression.is_polynomial(own) or sp.degree(expression, own) > 1:
        return None
    slope = sp.expand(expression).coeff(own, 1)
    return slope if slope.is_Rational else None


@dataclass(frozen=True)
class Remainders:
    """A whole parameter by its remainders: name = modulus q + rest.

    Attributes
    ----------
    name : str
    modulus : int
    own : str
        The name of q.
    """

    name: str
    modulus: int
    own: str

    @classmethod
    def of(
        cls, statement: Node, whole: Collection[str], taken: Collection[str], solve: str | None
    ) -> Remainders | None:
        """Of the parameter that is rounded in a statement without ceilings and remainders; None if there is none."""
        inner = [part.arguments[0] for part in parts_of(statement) if _is_floor(part)]
        for name in sorted(set(whole).intersection(*map(names_in, inner)), key=lambda one: (one != solve, one)):
            slopes = [slope for one in inner if (slope := _slope(one, name))]
            modulus = math.lcm(*(int(slope.q) for slope in slopes))
            is_fit = len(slopes) == len(inner) and 1 < modulus <= _MOST_REMAINDERS
            if is_fit and not any(lacking(one, term_of(evaluated(one)), whole) for one in inner):
                return cls(name, modulus, next(own for n in count(1) if (own := f"q{n}") not in taken))
        return None

    def value(self, rest: int) -> Node:
        """modulus q + rest."""
        return Number(Fraction(self.modulus)) * Name(self.own) + rest

    def into(self, node: Node, rest: int) -> Node:
        """A statement in q, with less to be rounded."""
        for part in [*parts_of(node)]:
            if _is_floor(part) and self.name in names_in(part):
                (x,) = part.arguments
                slope = sp.sympify(_slope(x, self.name))
                left = evaluated(substituted(x, {self.name: Number(Fraction(rest))}))
                turns = Number(Fraction(int(slope * self.modulus))) * Name(self.own)
                node = replaced(node, part, turns + term_of(sp.floor(left)))
        return substituted(node, {self.name: self.value(rest)})

    def back(self, node: Node, rest: int) -> Node:
        """A condition in the parameter."""
        match node:
            case Apply("and" | "or" as operation, parts):
                return Apply(operation, tuple(self.back(part, rest) for part in parts))
            case Apply(relation, (Name(name), bound)) if relation in MIRRORED and name == self.own:
                moved = sp.expand(self.modulus * evaluated(bound) + rest)
                return Apply(relation, (Name(self.name), term_of(moved)))
            case Apply(relation, (left, right)) if relation in MIRRORED:
                return Apply(relation, (self._without(left, rest), self._without(right, rest)))
        return node

    def _without(self, node: Node, rest: int) -> Node:
        if self.own not in names_in(node):
            return node
        turns = (sp.Symbol(self.name) - rest) / self.modulus
        return term_of(sp.factor(evaluated(node).subs(sp.Symbol(self.own), turns)))

    def joined(self, found: Sequence[Node | None]) -> Node:
        """What holds for each remainder, as one condition; None: the hypotheses exclude it."""
        known = [one for one in found if one is not None]
        if all(one == known[0] for one in known):
            return known[0]
        if (bound := self._one_bound(found)) is not None:
            return bound
        alike = dict[Node | None, list[int]]()
        for rest, one in enumerate(found):
            alike.setdefault(one, []).append(rest)
        alternatives = list[tuple[Node, ...]]()
        for one, rests in alike.items():
            if one not in (None, FALSE):
                which = joined([(Eq(Mod(Name(self.name), self.modulus), rest),) for rest in rests])
                alternatives.append((which,) if one == TRUE else (which, one))
        return joined(alternatives)

    def _one_bound(self, found: Sequence[Node | None]) -> Node | None:
        """One bound by a number in place of one for each remainder: K >= 12 of even K, K >= 13 of odd ones."""
        ends = dict[str, list[int]]()
        for rest, one in enumerate(found):
            match one:
                case Apply(">=" | "<=" as relation, (Name(name), Number(bound))) if name == self.name:
                    up = relation == ">="
                    turns = (bound - rest) / self.modulus
                    nearest = rest + self.modulus * (math.ceil(turns) if up else math.floor(turns))
                    ends.setdefault(relation, []).append(nearest)
        for way, numbers in ends.items():
            if len(numbers) == len(found) and max(numbers) - min(numbers) < self.modulus:
                return Apply(way, (Name(self.name), term(min(numbers) if way == ">=" else max(numbers))))
        return None


def says_more(node: Node) -> bool:
    """Whether no bound on a parameter holds the same one."""
    match node:
        case Apply("and" | "or", parts):
            return all(map(says_more, parts))
        case Apply(relation, (left, right)) if relation in MIRRORED:
            return isinstance(left, Name) and left.name not in names_in(right)
    return True
