"""The rules of proofs: each node claims its goal, and its rule says why that follows from the goals of its children."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from lpmech.certify.proofs.algebra import Quotient
from lpmech.certify.proofs.facts import Facts, conjuncts
from lpmech.certify.proofs.laws import LAWS
from lpmech.certify.proofs.numbers import sign_of
from lpmech.certify.proofs.polynomials import MAX_WORK, Work
from lpmech.certify.proofs.reading import (
    FALSE,
    RELATIONS,
    Parsed,
    RefusedProofError,
    names_in,
    negated,
    read,
    replaced,
    without_words,
)

__all__ = ["Goal", "check"]

MAX_NODES, MAX_DEEP, MAX_HYPOTHESES, MAX_FACTORS, MAX_SECONDS = 20_000, 60, 400, 200, 120.0
_SIGNS_OF = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


class Goal(NamedTuple):
    """Parameters with their sorts, hypotheses and a conclusion."""

    sorts: dict[str, str]
    hypotheses: tuple[Parsed, ...]
    conclusion: Parsed


class _Run(NamedTuple):
    """What a check has used up: nodes, and until when it may last; what is not checked."""

    nodes: list[int]
    until: float
    unchecked: list[str]


def check(node: object) -> tuple[Goal, tuple[str, ...]]:
    """The goal that a proof shows, and what it relies on that has no object.

    Raises
    ------
    RefusedProofError
        If a step does not follow; the message begins with its place.
    """
    Work.left = MAX_WORK
    run = _Run([0], time.monotonic() + MAX_SECONDS, [])
    try:
        return _checked(node, "proof", 0, run), tuple(dict.fromkeys(run.unchecked))
    except RecursionError as exc:
        raise RefusedProofError("proof: formulas are nested too deeply") from exc
    except (ArithmeticError, MemoryError) as exc:
        raise RefusedProofError(f"proof: numbers that are out of all proportion ({type(exc).__name__})") from exc


def _checked(node: object, place: str, depth: int, run: _Run) -> Goal:
    run.nodes[0] += 1
    if run.nodes[0] > MAX_NODES or depth > MAX_DEEP or time.monotonic() > run.until:
        raise RefusedProofError(f"{place}: more than {MAX_NODES} steps, {MAX_DEEP} levels or {MAX_SECONDS:g} seconds")
    data = _object(node, place)
    rule = data.get("rule")
    if not isinstance(rule, str) or rule not in _RULES:
        raise RefusedProofError(f"{place}: no rule of this name")
    keys, function = _RULES[rule]
    if data.keys() != {"rule", "goal", *keys}:
        raise RefusedProofError(f"{place} ({rule}): its entries are not rule, goal, {', '.join(keys)}")
    try:
        goal = _goal(data["goal"])
        step = _Step(goal, data, place, depth, run)
        function(step)
        return goal
    except RefusedProofError as exc:
        text = str(exc)
        raise RefusedProofError(text if text.startswith("proof") else f"{place} ({rule}): {text}") from exc


def _goal(data: object) -> Goal:
    parts = _object(data, "goal")
    if parts.keys() != {"parameters", "hypotheses", "conclusion"}:
        raise RefusedProofError("a goal has parameters, hypotheses and a conclusion")
    sorts = _object(parts["parameters"], "parameters")
    if not all(sort in ("real", "whole") for sort in sorts.values()):
        raise RefusedProofError("a parameter is real or whole")
    hypotheses = _list(parts["hypotheses"], "hypotheses")
    if len(hypotheses) > MAX_HYPOTHESES:
        raise RefusedProofError(f"more than {MAX_HYPOTHESES} hypotheses")
    found = Goal(dict(sorts), tuple(map(read, hypotheses)), read(parts["conclusion"]))
    free = set[str]().union(*map(names_in, (*found.hypotheses, found.conclusion)))
    if not {name for name in free if not name.endswith("[]")} <= sorts.keys():
        raise RefusedProofError(f"{sorted(free - sorts.keys())} are no parameters")
    for formula in (*found.hypotheses, found.conclusion):
        if not _is_condition(formula):
            raise RefusedProofError("a number where a condition belongs")
    return found


def _is_condition(tree: Parsed) -> bool:
    if tree[0] in ("and", "or", "not", "implies", "iff"):
        return all(map(_is_condition, tree[1:]))
    if tree[0] in RELATIONS or tree[0] == "whole":
        return not any(map(_is_condition, tree[1:]))
    return tree[0] in ("true", "false", "Each")


class _Step:
    """A node while it is checked."""

    def __init__(self, goal: Goal, data: Mapping[str, Any], place: str, depth: int, run: _Run):
        self.goal, self.data, self._place, self._depth, self.run = goal, data, place, depth, run
        self._facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """What the hypotheses say."""
        if self._facts is None:
            self._facts = Facts(self.goal.sorts, self.goal.hypotheses)
        return self._facts

    def child(
        self, node: object, name: str, more: Sequence[Parsed] = (), sorts: Mapping[str, str] | None = None
    ) -> Goal:
        """A child's goal, whose hypotheses follow from those of this node and some more."""
        goal = _checked(node, f"{self._place}.{name}", self._depth + 1, self.run)
        known = {*self.goal.hypotheses, *more}
        lacking = [h for h in goal.hypotheses if h not in known]
        if lacking:
            facts = self.facts.with_more(more) if more else self.facts
            for hypothesis in lacking:
                if not facts.entails(hypothesis):
                    raise RefusedProofError(f"{name}: its hypothesis {_text(hypothesis)} is none of those known here")
        own = {**self.goal.sorts, **(sorts or {})}
        for parameter, sort in goal.sorts.items():
            if own.get(parameter) not in (sort, "whole") and not (
                parameter in own and ("whole", ("name", parameter)) in self.facts.parts
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
            raise RefusedProofError(f"{_text(found)} is shown, which is not the conclusion")

    def defined(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined."""
        missing = self.facts.undefined(tree)
        if missing:
            raise RefusedProofError(missing)


# ---- rules


def _identity(step: _Step) -> None:
    if not step.facts.entails(step.goal.conclusion):
        why = step.facts.undefined(step.goal.conclusion)
        raise RefusedProofError(why or "the conclusion is no identity, and no hypothesis in other words")


def _evaluation(step: _Step) -> None:
    for part in conjuncts(without_words(step.goal.conclusion)):
        if part[0] == "or":
            true = any(_is_true(step, inner) for inner in part[1:])
            if not true and not step.facts.covered([[inner] for inner in part[1:]]):
                raise RefusedProofError("no alternative is true")
        elif not _is_true(step, part):
            raise RefusedProofError("it is not found to be true")


def _is_true(step: _Step, part: Parsed) -> bool:
    if part[0] == "and":
        return all(_is_true(step, inner) for inner in part[1:])
    if step.facts.entails(part):
        return True
    if part[0] not in RELATIONS or names_in(part):
        return False
    step.defined(part)
    sign = sign_of(("-", part[1], part[2]))
    return sign is not None and sign in _SIGNS_OF[part[0]]


def _products(step: _Step) -> None:
    hypotheses, conclusion = list(step.goal.hypotheses), step.goal.conclusion
    if conclusion != FALSE:
        if conclusion[0] not in RELATIONS:
            raise RefusedProofError("the conclusion is no relation")
        step.defined(conclusion)
        hypotheses.append(negated(conclusion))
    algebra = step.facts.algebra
    sides: dict[int, Quotient] = {}

    def side(number: object, relations: str) -> Quotient:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(hypotheses):
            raise RefusedProofError(f"there is no hypothesis {str(number)[:20]}")
        if hypotheses[number][0] not in relations.split():
            raise RefusedProofError(f"hypothesis {number} is none of {relations}")
        if number not in sides:
            sides[number] = algebra.difference(hypotheses[number])
        return sides[number]

    total, positive = algebra.number(0), False
    powers: dict[tuple[int, ...], Quotient] = {(): algebra.number(1)}

    def product(facts: tuple[int, ...]) -> Quotient:
        if facts not in powers:
            powers[facts] = algebra.product(product(facts[:-1]), side(facts[-1], "< <= > >="))
        return powers[facts]

    for entry in _list(step.data["products"], "products"):
        data = _object(entry, "a product")
        if data.keys() != {"weight", "facts", "square"}:
            raise RefusedProofError("a product has weight, facts and square")
        weight = _fraction(data["weight"])
        if weight <= 0:
            raise RefusedProofError("a weight is not positive")
        square = _defined_term(step, data["square"])
        facts = _list(data["facts"], "facts")
        if not all(type(number) is int for number in facts) or len(facts) > MAX_FACTORS:
            raise RefusedProofError(f"facts are not at most {MAX_FACTORS} numbers")
        found = algebra.product(product(tuple(facts)), algebra.product(square, square))
        total = algebra.sum(total, found, weight)
        nonzero = bool(step.facts.sign_of_constant(square))
        positive |= nonzero and all(hypotheses[number][0] in ("<", ">") for number in facts)
    for entry in _list(step.data["multiples"], "multiples"):
        data = _object(entry, "a multiple")
        if data.keys() != {"fact", "factor"}:
            raise RefusedProofError("a multiple has fact and factor")
        total = algebra.sum(total, algebra.product(_defined_term(step, data["factor"]), side(data["fact"], "==")))
    if not positive:
        raise RefusedProofError("no product is positive")
    if total.above:
        raise RefusedProofError(f"the products do not add up to nothing, but to {step.facts.shown(total)}")


def _defined_term(step: _Step, text: object) -> Quotient:
    tree = read(text)
    if _is_condition(tree):
        raise RefusedProofError("a condition where a number belongs")
    if not names_in(tree) <= step.goal.sorts.keys():
        raise RefusedProofError("a factor of what is no parameter")
    step.defined(("==", tree, tree))
    return step.facts.algebra.quotient(tree)


def _steps(step: _Step) -> None:
    shown: list[Parsed] = []
    for number, lemma in enumerate(_list(step.data["lemmas"], "lemmas")):
        shown.append(step.child(lemma, f"lemmas[{number}]", shown).conclusion)
    last = step.child(step.data["last"], "last", shown).conclusion
    step.same_conclusion(last, shown)


def _parts(step: _Step) -> None:
    parts = [step.child(p, f"parts[{n}]").conclusion for n, p in enumerate(_list(step.data["parts"], "parts"))]
    if step.goal.conclusion != ("and", *parts):
        step.same_conclusion(("and", *parts) if parts else ("true",))


def _implication(step: _Step) -> None:
    conclusion = step.goal.conclusion
    if conclusion[0] != "implies":
        raise RefusedProofError("the conclusion is no implication")
    step.defined(conclusion[1])
    then = step.child(step.data["then"], "then", [conclusion[1]])
    if then.conclusion != conclusion[2]:
        raise RefusedProofError("something else is shown than what is implied")


def _contradiction(step: _Step) -> None:
    step.defined(step.goal.conclusion)
    found = step.child(step.data["refutation"], "refutation", conjuncts(negated(step.goal.conclusion)))
    if found.conclusion != FALSE:
        raise RefusedProofError("the refutation does not end with False")


def _cases(step: _Step) -> None:
    branches = _list(step.data["branches"], "branches")
    if step.data["cover"] is not None:
        alternatives = without_words(step.fact(step.data["cover"]))
        if alternatives[0] != "or" or len(alternatives) - 1 != len(branches):
            raise RefusedProofError("the cases are not those of the hypothesis")
        added: list[Sequence[Parsed]] = [[case, *conjuncts(case)] for case in alternatives[1:]]
    else:
        own = [_goal(_object(b, "branch").get("goal")).hypotheses for b in branches]
        added = [[h for h in hypotheses if h not in step.goal.hypotheses] for hypotheses in own]
        if not step.facts.covered(added):
            raise RefusedProofError("the cases do not cover everything")
    for number, (branch, more) in enumerate(zip(branches, added, strict=True)):
        found = step.child(branch, f"branches[{number}]", more)
        if found.conclusion not in (FALSE, step.goal.conclusion):
            step.same_conclusion(found.conclusion, more)


def _put_in(step: _Step) -> None:
    equation, old = step.fact(step.data["equation"]), read(step.data["term"])
    if equation[0] != "==":
        raise RefusedProofError("no equation")
    facts = step.facts
    atom = facts.algebra.quotient(old)
    if len(atom.above) != 1 or atom.below or len(next(iter(atom.above))) != 1:
        raise RefusedProofError("what is replaced is no name and nothing that stands for itself")
    new = _solved(step, equation, old)
    if step.data["then"] is not None:
        if step.data["fact"] != -1:
            raise RefusedProofError("a hypothesis and a conclusion are not rewritten at once")
        shown = step.child(step.data["then"], "then").conclusion
        if shown != FALSE and not facts.with_more([shown]).entails(replaced(step.goal.conclusion, old, new)):
            raise RefusedProofError("the conclusion is not what is shown, rewritten")
        step.defined(step.goal.conclusion)
        return
    moved = replaced(step.fact(step.data["fact"]), old, new)
    if not facts.with_more([moved]).entails(step.goal.conclusion):
        raise RefusedProofError("the conclusion is not the hypothesis, rewritten")


def _solved(step: _Step, equation: Parsed, old: Parsed) -> Parsed:
    """What a term is by an equation of which it is one side, or in which it is linear with a number before it."""
    for one, other in ((equation[1], equation[2]), (equation[2], equation[1])):
        if one == old:
            return other
    algebra = step.facts.algebra
    side, atom = algebra.difference(equation), algebra.quotient(old)
    ((monomial, _),) = atom.above.items()
    slope = side.above.get(monomial)
    if side.below or slope is None or any(monomial[0][0] in dict(m) for m in side.above if m != monomial):
        raise RefusedProofError("the equation does not determine what is replaced")
    minus = ("number", Fraction(-1) / slope)
    return ("+", old, ("*", minus, ("-", equation[1], equation[2])))


def _whole(step: _Step) -> None:
    fact = step.fact(step.data["fact"])
    if fact[0] not in ("<", ">"):
        raise RefusedProofError("the hypothesis is no strict inequality")
    found = step.facts.difference(fact)
    if found.below or not step.facts.is_whole_polynomial(found.above):
        raise RefusedProofError("its sides do not differ by a polynomial with whole coefficients in whole parameters")
    low, high = (fact[1], fact[2]) if fact[0] == "<" else (fact[2], fact[1])
    more = (">=", ("-", high, low), ("number", Fraction(1)))
    if not step.facts.with_more([more]).entails(step.goal.conclusion):
        raise RefusedProofError("the conclusion is another one")


def _known(step: _Step) -> None:
    law = LAWS.get(step.data["law"]) if isinstance(step.data["law"], str) else None
    if law is None:
        raise RefusedProofError(f"no law of the name {str(step.data['law'])[:40]}")
    why = law(step.facts, step.goal.conclusion)
    if why:
        raise RefusedProofError(why)


def _rounded(step: _Step) -> None:
    name, argument = step.data["name"], read(step.data["argument"])
    if not isinstance(name, str) or name in step.goal.sorts or read(name) != ("name", name):
        raise RefusedProofError("the new parameter is not new")
    step.defined(("==", argument, argument))
    new: Parsed = ("name", name)
    above = ("<", argument, ("+", new, ("number", Fraction(1))))
    more = [("<=", new, argument), above, ("==", ("floor", argument), new)]
    found = step.child(step.data["then"], "then", more, {name: "whole"})
    if found.conclusion != step.goal.conclusion:
        raise RefusedProofError("something else is shown")


def _induction(step: _Step) -> None:
    name, start = step.data["name"], read(step.data["start"])
    if not isinstance(name, str):
        raise RefusedProofError("the parameter has no name")
    number = step.facts.algebra.quotient(start)
    if step.goal.sorts.get(name) != "whole" or names_in(start) or number.below or not number.above.keys() <= {()}:
        raise RefusedProofError("no induction on a whole parameter from a whole number on")
    if Fraction(number.above.get((), 0)).denominator != 1:
        raise RefusedProofError("the start is no whole number")
    variable: Parsed = ("name", name)
    from_start = (">=", variable, start)
    if not step.facts.entails(from_start):
        raise RefusedProofError("that the parameter is not below the start is not known")
    others = {h for h in step.goal.hypotheses if name not in names_in(h)}
    conclusion = step.goal.conclusion
    following = ("+", variable, ("number", Fraction(1)))
    base, rest = step.data["base"], step.data["step"]
    for node, part, own in ((base, "base", ()), (rest, "step", (from_start, conclusion))):
        goal = step.child(node, part, own)
        if not set(goal.hypotheses) <= {*others, *own}:
            raise RefusedProofError(f"{part}: it uses what is known of the parameter")
        wanted = replaced(conclusion, variable, start if part == "base" else following)
        if goal.conclusion != wanted:
            facts = Facts(goal.sorts, [*goal.hypotheses, goal.conclusion])
            if not facts.entails(wanted):
                raise RefusedProofError(f"{part}: it shows something else")


def _unchecked(step: _Step) -> None:
    method = step.data["method"]
    if not isinstance(method, str) or not method.isprintable() or len(method) > 200:
        raise RefusedProofError("a method is named in a line")
    step.run.unchecked.append(method)


_RULES: dict[str, tuple[tuple[str, ...], Callable[[_Step], None]]] = {
    "identity": ((), _identity),
    "evaluation": ((), _evaluation),
    "products": (("products", "multiples"), _products),
    "steps": (("lemmas", "last"), _steps),
    "parts": (("parts",), _parts),
    "implication": (("then",), _implication),
    "contradiction": (("refutation",), _contradiction),
    "cases": (("cover", "branches"), _cases),
    "put in": (("fact", "equation", "term", "then"), _put_in),
    "whole": (("fact",), _whole),
    "known": (("law",), _known),
    "rounded": (("name", "argument", "then"), _rounded),
    "induction": (("name", "start", "base", "step"), _induction),
    "unchecked": (("method",), _unchecked),
}


# ---- JSON


def _object(data: object, name: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise RefusedProofError(f"{name} is no JSON object")
    return data


def _list(data: object, name: str) -> list[Any]:
    if not isinstance(data, list):
        raise RefusedProofError(f"{name} is no list")
    return data


def _fraction(data: object) -> Fraction:
    tree = read(data)
    match tree:
        case ("number", value) | ("/", ("number", value), ("number", Fraction(numerator=1, denominator=1))):
            return Fraction(value)
        case ("/", ("number", above), ("number", below)) if below:
            return Fraction(above / below)
    raise RefusedProofError("a weight is a number such as 3/2")


def _text(tree: Parsed) -> str:
    text = str(tree)
    return text if len(text) <= 200 else text[:197] + "..."
