"""What every rule of proofs works with: a node of a file, its goal, what its hypotheses say, and its children."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from lpmech.certify.proofs.facts import Facts, conjuncts
from lpmech.certify.proofs.reading import RELATIONS, Parsed, RefusedProofError, names_in, read

__all__ = ["Goal", "Run", "Step", "a_list", "an_object", "fraction", "goal_of", "is_condition", "shortened"]

MAX_HYPOTHESES = 400


class Goal(NamedTuple):
    """Parameters with their sorts, hypotheses and a conclusion."""

    sorts: dict[str, str]
    hypotheses: tuple[Parsed, ...]
    conclusion: Parsed


class Run(NamedTuple):
    """What all steps of a check share: how a node is checked, at its place and depth; and what is not checked."""

    check: Callable[[object, str, int], Goal]
    unchecked: list[str]


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
    found = Goal(dict(sorts), tuple(read(one, sorts) for one in hypotheses), read(parts["conclusion"], sorts))
    free = set[str]().union(*map(names_in, (*found.hypotheses, found.conclusion)))
    if not {name for name in free if not name.endswith("[]")} <= sorts.keys():
        raise RefusedProofError(f"{sorted(free - sorts.keys())} are no parameters")
    for formula in (*found.hypotheses, found.conclusion):
        if not is_condition(formula):
            raise RefusedProofError("a number where a condition belongs")
    return found


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
        more: Sequence[Parsed] = (),
        sorts: Mapping[str, str] | None = None,
        given: Sequence[Parsed] | None = None,
    ) -> Goal:
        """A child's goal, whose hypotheses follow from those of this node, or others that are given, and some more."""
        goal = self.run.check(node, f"{self._place}.{name}", self._depth + 1)
        known = [*(self.goal.hypotheses if given is None else given), *more]
        given_here = set(known)
        lacking = [h for h in goal.hypotheses if h not in given_here]
        own = {**self.goal.sorts, **(sorts or {})}
        if lacking:
            facts = self.facts if given is None and not more and not sorts else Facts(own, known)
            for hypothesis in lacking:
                if not facts.entails(hypothesis):
                    raise RefusedProofError(
                        f"{name}: its hypothesis {shortened(hypothesis)} is none of those known here"
                    )
        parts = {part for hypothesis in known for part in conjuncts(hypothesis)}
        for parameter, sort in goal.sorts.items():
            if own.get(parameter) not in (sort, "whole") and not (
                parameter in own and ("whole", ("name", parameter)) in parts
            ):
                raise RefusedProofError(f"{name}: its parameter {parameter} is not {sort} here")
        return goal

    def fact(self, number: object) -> Parsed:
        """A hypothesis by its number."""
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self.goal.hypotheses):
            raise RefusedProofError(f"there is no hypothesis {str(number)[:20]}")
        return self.goal.hypotheses[number]

    def same_conclusion(self, found: Parsed, more: Sequence[Parsed] = ()) -> None:
        """Refuse unless the conclusion is another one, in other words."""
        if found != self.goal.conclusion and not self.facts.with_more([*more, found]).entails(self.goal.conclusion):
            raise RefusedProofError(f"{shortened(found)} is shown, which is not the conclusion")

    def defined(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined."""
        missing = self.facts.undefined(tree)
        if missing:
            raise RefusedProofError(missing)


# ---- JSON


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


def fraction(data: object) -> Fraction:
    """A text such as 3/2 as a number."""
    tree = read(data)
    match tree:
        case ("number", value) | ("/", ("number", value), ("number", Fraction(numerator=1, denominator=1))):
            return Fraction(value)
        case ("/", ("number", above), ("number", below)) if below:
            return Fraction(above / below)
    raise RefusedProofError("a weight is a number such as 3/2")


def shortened(tree: Parsed) -> str:
    """A formula for a message."""
    text = str(tree)
    return text if len(text) <= 200 else text[:197] + "..."
