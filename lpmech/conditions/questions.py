"""What follows from what, asked of the engine once; and alternatives made short by it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import sympy as sp

from lpmech.conditions.connectives import Alternatives, joined, negated
from lpmech.prove import Answer, Undecided, prove
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import defined, settled
from lpmech.prove.texts import NOWHERE_DEFINED, in_sympy
from lpmech.terms import FALSE, TRUE, Apply, Name, Node, Number
from lpmech.terms.functions import And
from lpmech.terms.term import parts_of

__all__ = ["Questions", "Short", "implied", "lacking", "needed"]


@dataclass(frozen=True)
class Short:
    """One of the alternatives of a condition.

    Attributes
    ----------
    conditions : tuple of terms
        What holds together.
    facts : tuple of terms
        What was proved to follow from that and the hypotheses.
    """

    conditions: tuple[Node, ...]
    facts: tuple[Node, ...] = ()


def implied(answer: Answer) -> Answer:
    """The answer where no point of the hypotheses has to be known: everything follows from contradictory ones."""
    return answer.implied or answer if isinstance(answer, Undecided) else answer


def needed(node: Node, whole: Collection[str]) -> list[Node]:
    """What a relation needs to have a value, one by one; FALSE if it has none."""
    try:
        found = term_of(settled(defined(in_sympy(node)), list(map(sp.Symbol, whole))))
    except NOWHERE_DEFINED:
        return [FALSE]
    if isinstance(found, Apply) and found.operation == "and":
        return [*found.arguments]
    return [] if found == TRUE else [found]


def lacking(before: Node, after: Node, whole: Collection[str]) -> list[Node]:
    """What a relation needs to have a value, and does not follow from a condition that is to take its place: sympy
    takes away what cancels.
    """
    said = _said(after, whole)
    return [] if after == FALSE else [one for one in needed(before, whole) if one not in said]


def _said(node: Node, whole: Collection[str]) -> set[Node]:
    """What holds wherever a condition does: its parts, and that these have a value."""
    match node:
        case Apply("and", parts):
            return set().union(*(_said(part, whole) for part in parts))
        case Apply("or", (first, *others)):
            return _said(first, whole).intersection(*(_said(part, whole) for part in others))
    return {node, *needed(node, whole)}


@dataclass
class Questions:
    """The engine, with hypotheses and a limit for each question; an answer is remembered.

    Parameters
    ----------
    hypotheses : tuple of terms
    seconds : float
    whole : frozenset of str
        Parameters that are whole numbers.
    """

    hypotheses: tuple[Node, ...]
    seconds: float
    whole: frozenset[str] = frozenset()
    _asked: dict[tuple[Node, frozenset[Node]], bool] = field(default_factory=dict)

    def follows(self, conclusion: Node, under: Sequence[Node] = ()) -> bool:
        """Whether the engine proves it from the hypotheses and these."""
        key = conclusion, frozenset(under)
        if key not in self._asked:
            self._asked[key] = bool(
                implied(prove(conclusion, [*self.hypotheses, *under], timeout_seconds=self.seconds))
            )
        return self._asked[key]

    def guarded(self, node: Node, under: tuple[Node, ...] = ()) -> Node:
        """The same condition with a value everywhere, read from the left: what a part needs stands before it."""
        if isinstance(node, Apply) and node.operation in ("and", "or"):
            left, found = [*node.arguments], list[Node]()
            while left:
                seen = (*under, *(found if node.operation == "and" else map(negated, found)))
                tried = ((one, self.guarded(one, seen)) for one in left)
                first = next((pair for pair in tried if _size(pair[1]) <= _size(pair[0])), None)
                one, own = first or (left[0], self.guarded(left[0], seen))
                left.remove(one)
                found += own.arguments if isinstance(own, Apply) and own.operation == node.operation else [own]
            return Apply(node.operation, tuple(found))
        open_ones = [one for one in needed(node, self.whole) if not self.follows(one, under)]
        if FALSE in open_ones:
            return FALSE
        return self.guarded(And(*open_ones, node), under) if open_ones else node

    def _is_guarded(self, alternatives: Sequence[tuple[Node, ...]], under: tuple[Node, ...]) -> bool:
        """Whether alternatives have a value everywhere in some order."""
        node = joined(alternatives)
        return _size(self.guarded(node, under)) <= _size(node)

    def shortened(self, alternatives: Alternatives, under: tuple[Node, ...] = ()) -> list[Short]:
        """Without what follows from the rest, and without alternatives that are impossible or covered by others."""
        kept: list[Short] = []
        for one in dict.fromkeys(tuple(dict.fromkeys(one)) for one in alternatives):
            if one and self.follows(negated(one[-1]), (*under, *one[:-1])):
                continue
            short = self._without_consequences(one, under)
            if short.conditions not in [other.conditions for other in kept]:
                kept.append(short)
        kept = self._uncovered(kept, under)
        if len(kept) > 1:
            kept = self._uncovered([self._weakened(one, kept, under) for one in kept], under)
        return sorted((_ordered(one) for one in kept), key=lambda one: [str(node) for node in one.conditions])

    def _uncovered(self, alternatives: list[Short], under: tuple[Node, ...]) -> list[Short]:
        """Without those that the others cover, the longest first."""
        kept = alternatives
        for longest in sorted(alternatives, key=lambda one: -sum(len(str(n)) for n in one.conditions)):
            others = [one for one in kept if one is not longest]
            covers = [[one] for one in others] + [others] * (len(others) > 1)
            if any(self.follows(_condition(one), (*under, *longest.conditions)) for one in covers):
                kept = others
        return kept

    def _without_consequences(self, one: tuple[Node, ...], under: tuple[Node, ...]) -> Short:
        conditions, facts = list(one), list[Node]()
        for node in sorted(one, key=lambda n: -len(str(n))):
            others = [n for n in conditions if n != node]
            if self.follows(node, (*under, *others)) and self._is_guarded([tuple(others)], under):
                conditions, facts = others, [*facts, node]
        return Short(tuple(conditions), tuple(facts))

    def _weakened(self, one: Short, every: Sequence[Short], under: tuple[Node, ...]) -> Short:
        """With conditions left out, or with a little more, where another alternative holds in what is added."""
        for node in one.conditions:
            others = tuple(n for n in one.conditions if n != node)
            for instead in ((), *((wider,) for wider in self._wider(node))):
                wider = (*others, *instead)
                if wider and self.follows(_condition(every), (*under, *wider)):
                    beside = [other.conditions for other in every if other is not one]
                    if self._is_guarded([*beside, wider], under):
                        return self._weakened(Short(wider), [Short(wider), *map(Short, beside)], under)
        return one

    def _wider(self, node: Node) -> list[Node]:
        """< as <=; and a threshold of a whole number by one further."""
        match node:
            case Apply("<" | ">" as strict, sides):
                return [Apply(f"{strict}=", sides)]
            case Apply("<=" | ">=" as relation, (Name(name) as own, Number(bound))) if name in self.whole:
                return [Apply(relation, (own, Number(bound + (1 if relation == "<=" else -1))))]
        return []


def _ordered(one: Short) -> Short:
    """Lower bounds first; two that leave one number as an equation."""
    told = list(one.conditions)
    for node in one.conditions:
        match node:
            case Apply("<=" | ">=" as relation, sides) if (hole := Apply("!=", sides)) in told:
                told[told.index(node)] = Apply(relation[0], sides)
                told.remove(hole)
            case Apply(">=", (Name(), Number()) as sides) if Apply("<=", sides) in told:
                told[told.index(node)] = Apply("==", sides)
                told.remove(Apply("<=", sides))
    return Short(tuple(sorted(told, key=lambda node: getattr(node, "operation", "") not in (">", ">="))), one.facts)


def _size(node: Node) -> int:
    return sum(1 for _ in parts_of(node))


def _condition(alternatives: Sequence[Short]) -> Node:
    return joined([one.conditions for one in alternatives])
