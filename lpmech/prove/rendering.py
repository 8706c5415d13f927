"""Proof objects made of what the search has kept: the same steps, as texts, with what is not used left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.certify.proofs import RefusedProofError, check
from lpmech.errors import FormulaError
from lpmech.prove.cases import alternatives_of
from lpmech.prove.language import Sequent
from lpmech.prove.objects import (
    Cases,
    Derivative,
    Evaluated,
    Goal,
    Identity,
    Implication,
    Induction,
    Known,
    Node,
    Parts,
    PutIn,
    Rounded,
    Steps,
    Telescoped,
    Unchecked,
    nodes_of,
    to_data,
    unchecked_in,
)
from lpmech.prove.records import Record
from lpmech.prove.rendering_algebra import Argument
from lpmech.prove.rendering_slopes import Slopes
from lpmech.prove.rounded import floor
from lpmech.prove.writing import Writer
from lpmech.terms import Term

__all__ = ["goal_of", "rendered"]

#: What is called by another name in an object.
_NAMES = {"SMT (z3, cvc5)": "two SMT solvers"}


def rendered(record: Record | None, method: str) -> Node:
    """The object of a proof; where there is none yet, its method by name."""
    if record is None:
        return Unchecked(Goal({}, (), "True"), _named(method))
    try:
        return _Tree(Writer()).node(record, ())
    except FormulaError as exc:
        return Unchecked(Goal({}, (), "True"), f"no object yet: {exc.value}")


def goal_of(record: Record | None) -> Goal | None:
    """The goal of the object of an answer, without the object; None where there is none."""
    return None if record is None or record.how != "asked" else _Tree(Writer()).asked_goal(record)


def _named(method: str) -> str:
    return _NAMES.get(method, f"no object yet: {method}")


def _definitions(node: Node, known: set[str]) -> Iterator[Node]:
    """The lemmas below that follow from what is known: mostly that a denominator is not zero."""
    match node:
        case Steps(_, lemmas, last):
            for lemma in lemmas:
                short = not any(isinstance(part, (Derivative, Induction)) for part in nodes_of(lemma))
                if short and set(lemma.goal.hypotheses) <= known and lemma.goal.conclusion not in known:
                    known.add(lemma.goal.conclusion)
                    yield lemma
            yield from _definitions(last, known)
        case Parts(_, parts):
            for part in parts:
                yield from _definitions(part, known)


def _visible(goal: Goal, otherwise: Node) -> Node:
    """A conclusion that the checker sees at once, though the search did not; or another node."""
    try:
        check(json.loads(json.dumps(to_data(Identity(goal)))))
    except RefusedProofError:
        return otherwise
    return Identity(goal)


class _Tree:
    """The nodes of statements.

    Parameters
    ----------
    writer : Writer
    """

    def __init__(self, writer: Writer):
        self._writer = writer

    def node(self, record: Record, extras: Sequence[Boolean]) -> Node:
        """The node of a record; `extras` are facts that were shown before."""
        statement = record.statement
        goal = self._goal((*statement.hypotheses, *extras), statement.conclusion, statement.integers)
        match record.how:
            case "asked":
                return self._asked(record)
            case "parts":
                return Parts(goal, tuple(self.node(part, extras) for part in record.parts))
            case "implication":
                return Implication(goal, self.node(record.parts[0], extras))
            case "defined":
                return self._defined(record, extras, goal)
            case "put in":
                return self._put_in(record, extras, goal)
            case "cases":
                return self._cases(record, extras, goal)
            case "identity":
                return Identity(goal)
            case "evaluation":
                return Evaluated(goal)
            case "sums":
                return self._sums(record, extras, goal)
            case "derivative" if record.parts:
                return self._derivative(record, goal)
            case "induction":
                return self._induction(record, extras, goal)
            case "algebra":
                return Argument(self._writer, statement.integers).node(record.data, statement, extras, goal)
        return Unchecked(goal, _named(record.how))

    def _goal(self, hypotheses: Iterable[Boolean], conclusion: Any, integers: Iterable[sp.Symbol]) -> Goal:
        return self._writer.goal(list(map(self._writer.text, hypotheses)), self._writer.text(conclusion), integers)

    def asked_goal(self, record: Record) -> Goal:
        """The goal as it was asked."""
        conclusion, hypotheses = record.data
        statement = record.statement
        if all(isinstance(part, Term) for part in (conclusion, *hypotheses)):
            return self._writer.goal([self._writer.text(h) for h in hypotheses], self._writer.text(conclusion), ())
        return self._goal(statement.hypotheses, statement.conclusion, statement.integers)

    def _asked(self, record: Record) -> Node:
        statement, goal = record.statement, self.asked_goal(record)
        if statement.conclusion == sp.true:
            return Evaluated(goal)
        last = self.node(record.parts[0], ())
        if isinstance(last, Unchecked):
            return Unchecked(goal, last.method)
        return Steps(goal, tuple(_definitions(last, set(goal.hypotheses))), last)

    def _defined(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node:
        *first, last = record.parts
        known = {*record.statement.hypotheses, *extras}
        lemmas = [part for part in first if set(part.statement.hypotheses) <= known]
        shown = [part.statement.conclusion for part in lemmas]
        nodes = [self.node(part, extras) for part in lemmas]
        pairs = [(node, fact) for node, fact in zip(nodes, shown, strict=True) if not unchecked_in(node)]
        return Steps(goal, tuple(node for node, _ in pairs), self.node(last, (*extras, *(fact for _, fact in pairs))))

    def _put_in(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node:
        """The equation put in for its symbol, in all hypotheses that the rest needs."""
        symbol, equation = record.data
        value = equation.rhs if equation.lhs == symbol else equation.lhs
        text = self._writer.text
        lemmas: list[Node] = []
        new: list[Boolean] = []
        for fact in (*record.statement.hypotheses, *extras):
            if fact == equation or not fact.has(symbol):
                continue
            changed = fact.xreplace({symbol: value})
            if changed == sp.true:
                continue
            own = self._writer.goal([text(fact), text(equation)], text(changed), record.statement.integers)
            lemmas.append(PutIn(own, 0, 1, text(symbol)))
            if fact in extras:
                new.append(changed)
        (part,) = record.parts
        then = self.node(part, [*(e for e in extras if not e.has(symbol)), *new])
        shown = [lemma.goal.conclusion for lemma in lemmas]
        whole = self._writer.goal([*goal.hypotheses, *shown], goal.conclusion, record.statement.integers)
        place = whole.hypotheses.index(text(equation))
        return Steps(goal, tuple(lemmas), PutIn(whole, -1, place, text(symbol), then))

    def _induction(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node:
        variable, start = record.data
        free = [fact for fact in extras if not fact.has(variable)]
        base, step = (self.node(part, free) for part in record.parts)
        return Induction(goal, self._writer.text(variable), self._writer.text(start), base, step)

    def _sums(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node:
        """An identity, or an argument, once the sums in it are put in as what they telescope to."""
        statement, text, lemmas, values = record.statement, self._writer.text, list[Node](), dict[sp.Expr, sp.Expr]()
        for node, telescoped in record.data:
            if (found := telescoped()) is None:
                return Identity(goal)
            total, k, shown = found
            _, lower, upper = node.limits[0]
            values[node] = total.subs(k, upper + 1) - total.subs(k, lower)
            equal = text(sp.Eq(node, values[node], evaluate=False))
            own = self._writer.goal(goal.hypotheses, equal, statement.integers)
            lemmas.append(Telescoped(own, text(k), text(total), self.node(shown, extras)))
        known = [*goal.hypotheses, *(lemma.goal.conclusion for lemma in lemmas)]

        def last(relation: Boolean) -> Node:
            if record.parts:
                return self.node(replace(record.parts[0], statement=statement.with_conclusion(relation)), extras)
            return Identity(self._writer.goal(known, text(relation), statement.integers))

        return self._valued(goal, statement, lemmas, values, last)

    def _valued(
        self,
        goal: Goal,
        statement: Sequent,
        lemmas: Sequence[Node],
        values: Mapping[sp.Expr, sp.Expr],
        last: Callable[[Boolean], Node],
    ) -> Node:
        """A conclusion with values put in for terms, each by its lemma."""
        known = [*goal.hypotheses, *(lemma.goal.conclusion for lemma in lemmas)]
        put_in, relation = list[Goal](), statement.conclusion
        for node, value in values.items():
            put_in.append(self._writer.goal(known, self._writer.text(relation), statement.integers))
            relation = relation.func(*(side.xreplace({node: value}) for side in relation.args), evaluate=False)
        found = last(relation)
        for lemma, inside, node in reversed(list(zip(lemmas, put_in, values, strict=True))):
            place = inside.hypotheses.index(lemma.goal.conclusion)
            found = PutIn(inside, -1, place, self._writer.text(node), found)
        return Steps(goal, tuple(lemmas), found)

    def _zero(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node | None:
        """A base that is zero or positive; None where a case distinction is none of that."""
        statement, text = record.statement, self._writer.text
        cases = [(case, case.hypotheses[len(statement.hypotheses) :]) for case in record.data]
        if len(cases) != 2 or len(cases[1][1]) != 1:
            return None
        (zero, equations), (_, positive) = cases
        powers = sp.ordered(statement.conclusion.atoms(sp.Pow))
        values = {n: sp.Piecewise((1, sp.Eq(n.exp, 0)), (0, True)) for n in powers if positive == (n.base > 0,)}
        if not values or zero.conclusion != statement.conclusion.xreplace(values):
            return None
        inside = [
            self._writer.goal([*goal.hypotheses, *map(text, added)], goal.conclusion, statement.integers)
            for added in (equations, positive)
        ]
        lemmas = [
            Known(self._writer.goal(inside[0].hypotheses, text(equal), statement.integers), "choice")
            for equal in (sp.Eq(node, value, evaluate=False) for node, value in values.items())
        ]
        branches = [self.node(p, (*extras, *added)) for p, (_, added) in zip(record.parts, cases, strict=True)]
        first = self._valued(inside[0], statement, lemmas, values, lambda _: branches[0])
        return Cases(goal, None, (first, Steps(inside[1], (), branches[1])))

    def _derivative(self, record: Record, goal: Goal) -> Node:
        """What is positive on a line, and the conclusion in other words."""
        lemma = Slopes(self._writer, self.node).node(record.parts[0])
        known = self._writer.goal([*goal.hypotheses, lemma.goal.conclusion], goal.conclusion, record.statement.integers)
        return Steps(goal, (lemma,), _visible(known, Known(known, "logarithms")))

    def _rounded(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node | None:
        """With a new whole number in place of a floor; None where a case distinction is none of that."""
        (case, *others), (part, *_) = record.data, record.parts
        new = sorted(case.integers - record.statement.integers, key=str)
        above = [h for h in case.hypotheses if len(new) == 1 and not others and h.has(*new)]
        arguments = [a for h in above for a in h.args if a.has(*new) is False]
        if not arguments:
            return None
        node, text = floor(arguments[0], evaluate=False), self._writer.text
        equal = text(sp.Eq(node, new[0], evaluate=False))
        hypotheses = [*goal.hypotheses, *map(text, above), equal]
        inside = self._writer.goal(hypotheses, goal.conclusion, case.integers)
        place = inside.hypotheses.index(equal)
        then = PutIn(inside, -1, place, text(node), self.node(part, (*extras, *above)))
        return Rounded(goal, text(new[0]), text(arguments[0]), then)

    def _cases(self, record: Record, extras: Sequence[Boolean], goal: Goal) -> Node:
        """Min, Max, Abs, sign or Piecewise by its cases."""
        found = alternatives_of(record.statement.conclusion)
        if found is None:
            return _visible(
                goal,
                self._rounded(record, extras, goal)
                or self._zero(record, extras, goal)
                or Unchecked(goal, "no object yet: cases"),
            )
        node, values = found
        text, branches = self._writer.text, []
        for part, case in zip(record.parts, record.data, strict=True):
            added = case.hypotheses[len(record.statement.hypotheses) :]
            value = next((v for condition, v in values if (condition,) == added), None)
            hypotheses = [*goal.hypotheses, *map(text, added)]
            if part.statement.conclusion == sp.false:
                branches.append(self.node(part, (*extras, *added)))
                continue
            if value is None:
                return _visible(goal, Unchecked(goal, "no object yet: cases"))
            integers = record.statement.integers
            chosen = sp.Eq(node, value, evaluate=False)
            lemma = Known(self._writer.goal(hypotheses, text(chosen), integers), "choice")
            inside = self._writer.goal([*hypotheses, text(chosen)], goal.conclusion, integers)
            then = self.node(part, (*extras, *added))
            last = PutIn(inside, -1, len(inside.hypotheses) - 1, text(node), then)
            branches.append(Steps(self._writer.goal(hypotheses, goal.conclusion, integers), (lemma,), last))
        return Cases(goal, None, tuple(branches))
