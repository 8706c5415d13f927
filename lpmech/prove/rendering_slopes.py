"""Objects of proofs by derivatives: from one end of a line, between two, or cut where a function is lowest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.prove.derivative import Line, Way
from lpmech.prove.language import Sequent
from lpmech.prove.objects import Cases, Derivative, Evaluated, Goal, Identity, Node, Parts, Product, Products, Steps
from lpmech.prove.products import difference
from lpmech.prove.records import Record
from lpmech.prove.writing import Writer

__all__ = ["Slopes"]


class Slopes:
    """A proof by derivatives, written down.

    Parameters
    ----------
    writer : Writer
    node : callable
        The node of a record of another kind.
    """

    def __init__(self, writer: Writer, node: Callable[[Record, Sequence[Boolean]], Node]):
        self._writer, self._other = writer, node

    def node(self, record: Record) -> Node:
        """The node of what is shown on a line; its hypotheses are what is known of the others, and the bounds."""
        statement = record.statement
        match record.how:
            case "on a line":
                main, *signs = map(self.node, record.parts)
                if signs or main.goal.conclusion != self._writer.text(statement.conclusion):
                    known = [part.goal.conclusion for part in (main, *signs)]
                    last = Identity(self._goal(statement, known))
                    main = Steps(self._goal(statement), (main, *signs), last)
                return self._without(record.data.gaps(), main, record.data)
            case "from ends":
                return self._without(record.data.line.gaps(), self._from_ends(record, record.data), record.data.line)
            case "cut":
                line, cut = record.data
                sides = (line.symbol <= cut, line.symbol >= cut)
                goals = [self._goal(statement, [self._writer.text(side)]) for side in sides]
                branches = [Steps(goal, (), self.node(part)) for goal, part in zip(goals, record.parts, strict=True)]
                return self._without(line.gaps(), Cases(self._goal(statement), None, tuple(branches)), line)
        return self._other(record, ())

    def _from_ends(self, record: Record, way: Way) -> Node:
        rising, *values = map(self.node, record.parts)
        lemmas = tuple(map(self.node, way.behind))
        continuous, differentiable = map(self.node, way.continuous), map(self.node, way.differentiable)
        first = tuple(continuous)
        derivative = Derivative(
            self._goal(record.statement, [lemma.goal.conclusion for lemma in lemmas]),
            self._writer.text(way.line.symbol),
            tuple(map(self._writer.text, way.ends)),
            tuple(values),
            self._all(way, way.closed, first),
            self._all(way, way.opened, (*first, *differentiable, rising)),
        )
        return Steps(self._goal(record.statement), lemmas, derivative) if lemmas else derivative

    def _all(self, way: Way, line: Line, nodes: Sequence[Node]) -> Node:
        """Several nodes about a line in one."""
        parts = tuple(node for n, node in enumerate(nodes) if node not in nodes[:n])
        known = [fact.statement.conclusion for fact in way.behind]
        if not parts:
            return Evaluated(self._writer.goal((), "True", ()))
        text = self._writer.joined([part.goal.conclusion for part in parts])
        hypotheses = [*line.inside(sp.true).hypotheses, *known]
        goal = self._writer.goal(list(map(self._writer.text, hypotheses)), text, line.integers)
        near = line.bounds if not way.behind else self._near(way, line)
        behind = [(bound, near[0], fact) for bound, fact in zip(near[1:], known, strict=False)]
        return self._without(
            [*behind, *line.gaps()], Parts(goal, parts) if len(parts) > 1 else Steps(goal, (), parts[0]), line
        )

    @staticmethod
    def _near(way: Way, line: Line) -> Sequence[Boolean]:
        """The bound at the end, and those behind it."""
        side = line.bounds[: len(line.lower)]
        return side if len(line.lower) > 1 and line.lower[0][0] == way.ends[0] else line.bounds[len(line.lower) :]

    def _without(self, follows: Iterable[tuple[Boolean, Boolean, Boolean]], node: Node, line: Line) -> Node:
        """With lemmas in place of hypotheses, each of which is the sum of two others."""
        text = self._writer.text
        known = set(map(text, line.rest))
        lemmas: list[Node] = []
        for relation, one, other in follows:
            fact, more = text(relation), difference(relation) - difference(one)
            if fact in known or fact not in node.goal.hypotheses:
                continue
            constant = sp.expand(more).is_Rational
            goal = self._writer.goal([text(one)] if constant else [text(one), text(other)], fact, line.integers)
            products = [Product("1", (n,)) for n in range(2 if constant else 3)]
            lemmas.append(
                Products(goal, (*products, *([Product(str(sp.expand(more)))] if constant and more != 0 else [])))
            )
        if not lemmas:
            return node
        shown = {lemma.goal.conclusion for lemma in lemmas}
        hypotheses = dict.fromkeys(h for part in (node, *lemmas) for h in part.goal.hypotheses if h not in shown)
        return Steps(self._writer.goal(list(hypotheses), node.goal.conclusion, line.integers), tuple(lemmas), node)

    def _goal(self, statement: Sequent, more: Sequence[str] = ()) -> Goal:
        text = self._writer.text
        hypotheses = [*map(text, statement.hypotheses), *more]
        return self._writer.goal(hypotheses, text(statement.conclusion), statement.integers)
