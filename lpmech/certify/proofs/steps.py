"""What every rule of proofs works with: a node of a file, its goal, what its hypotheses say, and its children."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from lpmech.certify.proofs.facts import Facts, conjuncts
from lpmech.certify.proofs.reading import RELATIONS, Parsed, RefusedProofError, names_in, read

__all__ = ["Goal", "Run", "Step", "a_list", "an_object", "is_condition"]

MAX_HYPOTHESES, MAX_NODES, MAX_DEEP = 400, 20_000, 60
Rule = tuple[tuple[str, ...], Callable[["Step"], None]]


class Goal(NamedTuple):
    """Parameters with their sorts, hypotheses and a conclusion."""

    sorts: dict[str, str]
    hypotheses: tuple[Parsed, ...]
    conclusion: Parsed


class Run:
    """What all steps of a check share: rules and limits, and what is not checked."""

    def __init__(self, rules: Mapping[str, Rule]):
        self.unchecked: list[str] = []
        self._rules, self._nodes = rules, 0
        self._accepted: dict[int, Goal] = {}
        self._places: dict[int, tuple[object, int]] = {}
        self._values: dict[tuple[object, ...], int] = {}

    def node(self, node: object, place: str, depth: int) -> Goal:
        """The goal of a node that is in order; one that occurs again is looked at once."""
        value = self._value(node)
        if value not in self._accepted:
            self._accepted[value] = self._looked_at(node, place, depth)
        return self._accepted[value]

    def _value(self, of: object) -> int:
        """A number for what is read of a file: the same for equal values, and for no others."""
        if id(of) not in self._places:
            parts: tuple[object, ...]
            match of:
                case dict():
                    parts = (dict, *(part for key, value in of.items() for part in (key, self._value(value))))
                case list() | tuple():
                    parts = (list, *map(self._value, of))
                case _:
                    parts = (type(of), of)
            self._places[id(of)] = of, self._values.setdefault(parts, len(self._values))  # held, so that its id stays
        return self._places[id(of)][1]

    def _looked_at(self, node: object, place: str, depth: int) -> Goal:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEEP:
            raise RefusedProofError(f"{place}: more than {MAX_NODES} steps or {MAX_DEEP} levels")
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
            raise RefusedProofError(text) from exc
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
    """Whether a tree is true or false, and no number; a condition within a term, but for a case, is refused."""
    if tree[0] in ("and", "or", "not", "implies", "iff"):
        return all(map(is_condition, tree[1:]))
    if tree[0] in ("true", "false"):
        return True
    if tree[0] == "Piecewise":
        in_order = all(is_condition(case) and not is_condition(value) for value, case in tree[1:])
    elif tree[0] == "Each":
        in_order = is_condition(tree[1]) and not any(is_condition(end) for end in tree[3:])
    else:
        in_order = not any(is_condition(part) for part in tree[1:] if isinstance(part, tuple))
    if not in_order:
        raise RefusedProofError("a condition where a number belongs, or a number where a condition does")
    return tree[0] in RELATIONS or tree[0] in ("whole", "Each")


class Step:
    """A node while it is checked."""

    def __init__(self, goal: Goal, data: Mapping[str, Any], place: str, depth: int, run: Run):
        self.goal, self.data, self._place, self._depth, self.run = goal, data, place, depth, run
        self._facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """What the hypotheses say."""
        if self._facts is None:
            self._facts = Facts(self.goal.sorts, self.goal.hypotheses)
        return self._facts

    def child(
        self,
        node: object,
        name: str,
        more: Iterable[Parsed] = (),
        sorts: Mapping[str, str] | None = None,
        given: Iterable[Parsed] | None = None,
    ) -> Parsed:
        """A child's conclusion; its hypotheses follow from those of this node, or others that are given, and more."""
        goal = self.run.node(node, f"{self._place}.{name}", self._depth + 1)
        more = list(more)
        known = [*(self.goal.hypotheses if given is None else given), *more]
        own, here = {**self.goal.sorts, **(sorts or {})}, set(known)
        for hypothesis in (lacking := [h for h in goal.hypotheses if h not in here]):
            if hypothesis == lacking[0]:
                facts = self.facts.with_more(more) if given is None and not sorts else Facts(own, known)
            if not facts.entails(hypothesis):
                raise RefusedProofError(f"{name}: its hypothesis {shortened(hypothesis)} is none of those known here")
        parts = {part for hypothesis in known for part in conjuncts(hypothesis)}
        for parameter, sort in goal.sorts.items():
            whole = parameter in own and ("whole", ("name", parameter)) in parts
            if own.get(parameter) not in (sort, "whole") and not whole:
                raise RefusedProofError(f"{name}: its parameter {parameter} is not {sort} here")
        return goal.conclusion

    def shows(self, found: Parsed, wanted: Parsed | None = None, facts: Facts | None = None) -> None:
        """Refuse unless what is found is what is wanted (the conclusion, if nothing else is), or says so at once."""
        wanted = self.goal.conclusion if wanted is None else wanted
        if found != wanted and not (self.facts if facts is None else facts).with_more([found]).entails(wanted):
            raise RefusedProofError(f"something else is shown, which is not the conclusion: {shortened(found)}")

    def demand(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined and true."""
        if not self.facts.entails(tree):
            why = self.facts.undefined(tree) or f"no identity, and no hypothesis in other words: {shortened(tree)}"
            raise RefusedProofError(why)

    def defined(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined."""
        if missing := self.facts.undefined(tree):
            raise RefusedProofError(missing)

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


def shortened(tree: Parsed) -> str:
    """A formula for a message."""
    text = str(tree)
    return text if len(text) <= 200 else text[:197] + "..."


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
