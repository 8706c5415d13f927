"""What follows from what, asked of the engine once; and alternatives made short by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lpmech.conditions.connectives import Alternatives, joined, negated
from lpmech.prove import Answer, Undecided, prove
from lpmech.terms import Apply, Name, Node, Number

__all__ = ["Questions", "Short", "implied"]


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
            if self.follows(node, (*under, *others)):
                conditions, facts = others, [*facts, node]
        return Short(tuple(conditions), tuple(facts))

    def _weakened(self, one: Short, every: Sequence[Short], under: tuple[Node, ...]) -> Short:
        """With conditions left out, or with a little more, where another alternative holds in what is added."""
        for node in one.conditions:
            others = tuple(n for n in one.conditions if n != node)
            for instead in ((), *((wider,) for wider in self._wider(node))):
                wider = (*others, *instead)
                if wider and self.follows(_condition(every), (*under, *wider)):
                    return self._weakened(Short(wider), every, under)
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
            case Apply(">=", (Name(), Number()) as sides) if Apply("<=", sides) in told:
                told[told.index(node)] = Apply("==", sides)
                told.remove(Apply("<=", sides))
    return Short(tuple(sorted(told, key=lambda node: getattr(node, "operation", "") not in (">", ">="))), one.facts)


def _condition(alternatives: Sequence[Short]) -> Node:
    return joined([one.conditions for one in alternatives])
