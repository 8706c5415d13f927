"""What every rule of proofs works with: a node of a file, its goal, what its hypotheses say, and its children."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from lpmech.certify.proofs.algebra import MAX_WORK, Terms
from lpmech.certify.proofs.context import Context, conjuncts, shortened
from lpmech.certify.proofs.reading import FALSE, RELATIONS, Parsed, RefusedProofError, names_in, read, without_words

__all__ = ["Goal", "Run", "Step", "a_list", "an_object", "is_condition"]

MAX_HYPOTHESES, MAX_NODES, MAX_DEEP, MAX_SECONDS = 400, 20_000, 60, 120.0
Rule = tuple[tuple[str, ...], Callable[["Step"], None]]


class Goal(NamedTuple):
    """Parameters with their sorts, hypotheses and a conclusion."""

    sorts: dict[str, str]
    hypotheses: tuple[Parsed, ...]
    conclusion: Parsed


class Run:
    """What all steps of a check share: rules and limits, and what is not checked."""

    def __init__(self, rules: Mapping[str, Rule]):
        self.terms, self.unchecked = Terms(), list[str]()
        self._rules, self._nodes, self._until = rules, 0, time.monotonic() + MAX_SECONDS
        Terms.left = MAX_WORK

    def node(self, node: object, place: str, depth: int) -> Goal:
        """The goal of a node that is in order."""
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEEP or time.monotonic() > self._until:
            most = f"{MAX_NODES} steps, {MAX_DEEP} levels or {MAX_SECONDS:g} seconds"
            raise RefusedProofError(f"{place}: more than {most}")
        data = an_object(node, place)
        rule = data.get("rule")
        if not isinstance(rule, str) or rule not in self._rules:
            raise RefusedProofError(f"{place}: no rule of this name")
        keys, function = self._rules[rule]
        if data.keys() != {"rule", "goal", *keys}:
            raise RefusedProofError(f"{place} ({rule}): its entries are not rule, goal, {', '.join(keys)}")
        try:
            goal = goal_of(data["goal"])
            function(Step(goal, data, place, depth, self))
        except RefusedProofError as exc:
            text = str(exc) if str(exc).startswith("proof") else f"{place} ({rule}): {exc}"
            raise RefusedProofError(text, exc.missing, exc.given) from exc
        return goal


def goal_of(data: object) -> Goal:
    """The goal of a node: its conditions are read, and speak of its parameters only."""
    parts = an_object(data, "goal")
    if parts.keys() != {"parameters", "hypotheses", "conclusion"}:
        raise RefusedProofError("a goal has parameters, hypotheses and a conclusion")
    sorts = an_object(parts["parameters"], "parameters")
    if not all(sort in ("real", "whole") for sort in sorts.values()):
        raise RefusedProofError("a parameter is real or whole")
    hypotheses = a_list(parts["hypotheses"], "hypotheses")
    if len(hypotheses) > MAX_HYPOTHESES:
        raise RefusedProofError(f"more than {MAX_HYPOTHESES} hypotheses")
    *given, conclusion = (read(one, sorts) for one in (*hypotheses, parts["conclusion"]))
    for formula in (*given, conclusion):
        speaks_of(formula, sorts)
        if not is_condition(formula):
            raise RefusedProofError("a number where a condition belongs")
    return Goal(dict(sorts), tuple(given), conclusion)


def speaks_of(tree: Parsed, sorts: Collection[str]) -> None:
    """Refuse a formula that speaks of anything but parameters, and vectors."""
    others = {name for name in names_in(tree) if not name.endswith("[]")} - set(sorts)
    if others:
        raise RefusedProofError(f"{sorted(others)} are no parameters")


def is_condition(tree: Parsed) -> bool:
    """Whether a tree is true or false, and no number."""
    if tree[0] in ("and", "or", "not", "implies", "iff"):
        return all(map(is_condition, tree[1:]))
    if tree[0] in RELATIONS or tree[0] == "whole":
        return not any(map(is_condition, tree[1:]))
    return tree[0] in ("true", "false", "Each")


class Step:
    """A node while it is checked."""

    def __init__(self, goal: Goal, data: Mapping[str, Any], place: str, depth: int, run: Run):
        self.goal, self.data, self._place, self._depth, self.run = goal, data, place, depth, run
        self.known = Context(goal.sorts, run.terms, goal.hypotheses)

    def child(
        self,
        node: object,
        name: str,
        more: Iterable[Parsed] = (),
        sorts: Mapping[str, str] | None = None,
        given: Iterable[Parsed] | None = None,
    ) -> Parsed:
        """The conclusion of a child, whose hypotheses are those of this node, or others that are given, and more."""
        goal = self.run.node(node, f"{self._place}.{name}", self._depth + 1)
        known = [*(self.goal.hypotheses if given is None else given), *more]
        parts = {*known, *(part for hypothesis in known for part in conjuncts(without_words(hypothesis)))}
        for hypothesis in goal.hypotheses:
            if hypothesis not in parts:
                raise RefusedProofError(f"{name}: its hypothesis {shortened(hypothesis)} is none of those known here")
        own = {**self.goal.sorts, **(sorts or {})}
        for parameter, sort in goal.sorts.items():
            whole = parameter in own and ("whole", ("name", parameter)) in parts
            if own.get(parameter) not in (sort, "whole") and not whole:
                raise RefusedProofError(f"{name}: its parameter {parameter} is not {sort} here")
        return goal.conclusion

    def shows(self, found: Parsed, wanted: Parsed | None = None, known: Context | None = None) -> None:
        """Refuse unless what is found is what is wanted, or says so at once; the conclusion if nothing else is."""
        wanted = self.goal.conclusion if wanted is None else wanted
        if found not in (FALSE, wanted):
            (self.known if known is None else known).with_more([found]).demand(wanted)

    def fact(self, number: object, *relations: str) -> Parsed:
        """A hypothesis by its number."""
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self.goal.hypotheses):
            raise RefusedProofError(f"there is no hypothesis {str(number)[:20]}")
        if relations and self.goal.hypotheses[number][0] not in relations:
            raise RefusedProofError(f"hypothesis {number} is none of {' '.join(relations)}")
        return self.goal.hypotheses[number]

    def term(self, text: object, more: Collection[str] = ()) -> Parsed:
        """A term in the parameters; that it is defined is another question."""
        tree = read(text, (*self.goal.sorts, *more))
        if is_condition(tree):
            raise RefusedProofError("a condition where a number belongs")
        speaks_of(tree, {*self.goal.sorts, *more})
        return tree

    def new(self, name: object) -> str:
        """A name that is no parameter."""
        if not isinstance(name, str) or name in self.goal.sorts or read(name, (name,)) != ("name", name):
            raise RefusedProofError("the new parameter is not new")
        return name


def an_object(data: object, name: str) -> dict[str, Any]:
    """JSON data that has to be an object."""
    if not isinstance(data, dict):
        raise RefusedProofError(f"{name} is no JSON object")
    return data


def a_list(data: object, name: str) -> list[Any]:
    """JSON data that has to be a list."""
    if not isinstance(data, list):
        raise RefusedProofError(f"{name} is no list")
    return data
