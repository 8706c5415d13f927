"""What follows from what, asked of the engine once; and alternatives made short by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lpmech.conditions.connectives import Alternatives, joined, negated
from lpmech.prove import prove
from lpmech.terms import Node

__all__ = ["Questions", "Short"]


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


@dataclass
class Questions:
    """The engine, with hypotheses and a limit for each question; an answer is remembered.

    Parameters
    ----------
    hypotheses : tuple of terms
    seconds : float
    """

    hypotheses: tuple[Node, ...]
    seconds: float
    _asked: dict[tuple[Node, frozenset[Node]], bool] = field(default_factory=dict)

    def follows(self, conclusion: Node, under: Sequence[Node] = ()) -> bool:
        """Whether the engine proves it from the hypotheses and these."""
        key = conclusion, frozenset(under)
        if key not in self._asked:
            answer = prove(conclusion, [*self.hypotheses, *under], timeout_seconds=self.seconds)
            self._asked[key] = bool(answer)
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
        for longest in sorted(kept, key=lambda short: -sum(len(str(n)) for n in short.conditions)):
            others = [other for other in kept if other is not longest]
            if others and self.follows(_condition(others), (*under, *longest.conditions)):
                kept = others
        return [self._weakened(one, kept, under) for one in kept] if len(kept) > 1 else kept

    def _without_consequences(self, one: tuple[Node, ...], under: tuple[Node, ...]) -> Short:
        conditions, facts = list(one), list[Node]()
        for node in sorted(one, key=lambda n: -len(str(n))):
            others = [n for n in conditions if n != node]
            if self.follows(node, (*under, *others)):
                conditions, facts = others, [*facts, node]
        return Short(tuple(conditions), tuple(facts))

    def _weakened(self, one: Short, every: Sequence[Short], under: tuple[Node, ...]) -> Short:
        """Without a condition that is not needed, as where it fails another alternative holds."""
        conditions = one.conditions
        for node in conditions if len(conditions) > 1 else ():
            others = tuple(n for n in conditions if n != node)
            if others and self.follows(_condition(every), (*under, *others)):
                return self._weakened(Short(others), every, under)
        return one


def _condition(alternatives: Sequence[Short]) -> Node:
    return joined([one.conditions for one in alternatives])
