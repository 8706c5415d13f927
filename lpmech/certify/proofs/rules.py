"""The rules of proofs: each node claims its goal, and its rule says why that follows from the goals of its children."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction

from lpmech.certify.proofs.facts import Facts, conjuncts
from lpmech.certify.proofs.laws import LAWS
from lpmech.certify.proofs.numbers import sign_of
from lpmech.certify.proofs.polynomials import MAX_WORK, Quotient, Work
from lpmech.certify.proofs.reading import (
    FALSE,
    RELATIONS,
    Parsed,
    RefusedProofError,
    names_in,
    negated,
    normal,
    read,
    replaced,
    without_words,
)
from lpmech.certify.proofs.slopes import derivative
from lpmech.certify.proofs.steps import (
    Goal,
    Run,
    Step,
    a_list,
    an_object,
    fraction,
    goal_of,
    is_condition,
    shortened,
)

__all__ = ["Goal", "check"]

MAX_NODES, MAX_DEEP, MAX_FACTORS, MAX_SECONDS = 20_000, 60, 200, 120.0
_ZERO: Parsed = ("number", Fraction(0))
_SIGNS_OF = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}


def check(node: object) -> tuple[Goal, tuple[str, ...]]:
    """The goal that a proof shows, and what it relies on that has no object.

    Raises
    ------
    RefusedProofError
        If a step does not follow; the message begins with its place.
    """
    Work.left = MAX_WORK
    checking = _Checking()
    try:
        return checking.node(node, "proof", 0), tuple(dict.fromkeys(checking.run.unchecked))
    except RecursionError as exc:
        raise RefusedProofError("proof: formulas are nested too deeply") from exc
    except (ArithmeticError, MemoryError) as exc:
        raise RefusedProofError(f"proof: numbers that are out of all proportion ({type(exc).__name__})") from exc


class _Checking:
    """The nodes that are checked, within limits."""

    def __init__(self) -> None:
        self.run = Run(self.node, [])
        self._nodes, self._until = 0, time.monotonic() + MAX_SECONDS

    def node(self, node: object, place: str, depth: int) -> Goal:
        """The goal of a node that is in order."""
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEEP or time.monotonic() > self._until:
            most = f"{MAX_NODES} steps, {MAX_DEEP} levels or {MAX_SECONDS:g} seconds"
            raise RefusedProofError(f"{place}: more than {most}")
        data = an_object(node, place)
        rule = data.get("rule")
        if not isinstance(rule, str) or rule not in _RULES:
            raise RefusedProofError(f"{place}: no rule of this name")
        keys, function = _RULES[rule]
        if data.keys() != {"rule", "goal", *keys}:
            raise RefusedProofError(f"{place} ({rule}): its entries are not rule, goal, {', '.join(keys)}")
        try:
            goal = goal_of(data["goal"])
            function(Step(goal, data, place, depth, self.run))
        except RefusedProofError as exc:
            text = str(exc)
            raise RefusedProofError(text if text.startswith("proof") else f"{place} ({rule}): {text}") from exc
        return goal


# ---- rules


def _identity(step: Step) -> None:
    if not step.facts.entails(step.goal.conclusion):
        why = step.facts.undefined(step.goal.conclusion)
        raise RefusedProofError(why or "the conclusion is no identity, and no hypothesis in other words")


def _evaluation(step: Step) -> None:
    if not _is_true(step, normal(step.goal.conclusion)):
        raise RefusedProofError("it is not found to be true")


def _is_true(step: Step, part: Parsed) -> bool:
    if part[0] in ("and", "or") and (all if part[0] == "and" else any)(_is_true(step, inner) for inner in part[1:]):
        return True
    if step.facts.entails(part):
        return True
    if part[0] not in RELATIONS or names_in(part):
        return False
    sign = sign_of(("-", part[1], part[2]))  # refuses what is not defined
    return sign is not None and sign in _SIGNS_OF[part[0]]


def _products(step: Step) -> None:
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

    for entry in a_list(step.data["products"], "products"):
        data = an_object(entry, "a product")
        if data.keys() != {"weight", "facts", "square"}:
            raise RefusedProofError("a product has weight, facts and square")
        weight = fraction(data["weight"])
        if weight <= 0:
            raise RefusedProofError("a weight is not positive")
        square = _defined_term(step, data["square"])
        facts = a_list(data["facts"], "facts")
        if not all(type(number) is int for number in facts) or len(facts) > MAX_FACTORS:
            raise RefusedProofError(f"facts are not at most {MAX_FACTORS} numbers")
        found = algebra.product(product(tuple(facts)), algebra.product(square, square))
        total = algebra.sum(total, found, weight)
        nonzero = bool(step.facts.sign_of_constant(square))
        positive |= nonzero and all(hypotheses[number][0] in ("<", ">") for number in facts)
    for entry in a_list(step.data["multiples"], "multiples"):
        data = an_object(entry, "a multiple")
        if data.keys() != {"fact", "factor"}:
            raise RefusedProofError("a multiple has fact and factor")
        total = algebra.sum(total, algebra.product(_defined_term(step, data["factor"]), side(data["fact"], "==")))
    if not positive:
        raise RefusedProofError("no product is positive")
    if total.above:
        raise RefusedProofError(f"the products do not add up to nothing, but to {step.facts.shown(total)}")


def _defined_term(step: Step, text: object) -> Quotient:
    tree = read(text, step.goal.sorts)
    if is_condition(tree):
        raise RefusedProofError("a condition where a number belongs")
    if not names_in(tree) <= step.goal.sorts.keys():
        raise RefusedProofError("a factor of what is no parameter")
    step.defined(("==", tree, tree))
    return step.facts.algebra.quotient(tree)


def _steps(step: Step) -> None:
    shown: list[Parsed] = []
    for number, lemma in enumerate(a_list(step.data["lemmas"], "lemmas")):
        shown.append(step.child(lemma, f"lemmas[{number}]", shown).conclusion)
    last = step.child(step.data["last"], "last", shown).conclusion
    step.same_conclusion(last, shown)


def _parts(step: Step) -> None:
    parts = [step.child(p, f"parts[{n}]").conclusion for n, p in enumerate(a_list(step.data["parts"], "parts"))]
    match step.goal.conclusion:
        case ("iff", a, b) if {*parts} == {("implies", a, b), ("implies", b, a)}:
            return
    if step.goal.conclusion != ("and", *parts):
        step.same_conclusion(("and", *parts) if parts else ("true",))


def _implication(step: Step) -> None:
    conclusion = step.goal.conclusion
    if conclusion[0] != "implies":
        raise RefusedProofError("the conclusion is no implication")
    step.defined(conclusion[1])
    then = step.child(step.data["then"], "then", [conclusion[1]])
    if then.conclusion != conclusion[2]:
        raise RefusedProofError("something else is shown than what is implied")


def _contradiction(step: Step) -> None:
    step.defined(step.goal.conclusion)
    found = step.child(step.data["refutation"], "refutation", conjuncts(negated(step.goal.conclusion)))
    if found.conclusion != FALSE:
        raise RefusedProofError("the refutation does not end with False")


def _cases(step: Step) -> None:
    branches = a_list(step.data["branches"], "branches")
    if step.data["cover"] is not None:
        alternatives = without_words(step.fact(step.data["cover"]))
        if alternatives[0] != "or" or len(alternatives) - 1 != len(branches):
            raise RefusedProofError("the cases are not those of the hypothesis")
        added: list[Sequence[Parsed]] = [[case, *conjuncts(case)] for case in alternatives[1:]]
    else:
        own = [goal_of(an_object(b, "branch").get("goal")).hypotheses for b in branches]
        added = [[h for h in hypotheses if h not in step.goal.hypotheses] for hypotheses in own]
        if not step.facts.covered(added):
            raise RefusedProofError("the cases do not cover everything")
    for number, (branch, more) in enumerate(zip(branches, added, strict=True)):
        found = step.child(branch, f"branches[{number}]", more)
        if found.conclusion not in (FALSE, step.goal.conclusion):
            step.same_conclusion(found.conclusion, more)


def _put_in(step: Step) -> None:
    equation, old = step.fact(step.data["equation"]), read(step.data["term"], step.goal.sorts)
    if equation[0] != "==":
        raise RefusedProofError("no equation")
    facts = step.facts
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


def _solved(step: Step, equation: Parsed, old: Parsed) -> Parsed:
    """What a term is by an equation of which it is one side, or in which it is linear with a number before it."""
    for one, other in ((equation[1], equation[2]), (equation[2], equation[1])):
        if one == old:
            return other
    algebra = step.facts.algebra
    side, atom = algebra.difference(equation), algebra.quotient(old)
    if len(atom.above) != 1 or atom.below or len(next(iter(atom.above))) != 1:
        raise RefusedProofError("what is replaced is no name and nothing that stands for itself")
    ((monomial, _),) = atom.above.items()
    slope = side.above.get(monomial)
    if side.below or slope is None or any(monomial[0][0] in dict(m) for m in side.above if m != monomial):
        raise RefusedProofError("the equation does not determine what is replaced")
    minus = ("number", Fraction(-1) / slope)
    return ("+", old, ("*", minus, ("-", equation[1], equation[2])))


def _whole(step: Step) -> None:
    fact = step.fact(step.data["fact"])
    if fact[0] not in ("<", ">"):
        raise RefusedProofError("the hypothesis is no strict inequality")
    found = step.facts.difference(fact)
    if not step.facts.is_whole(found):
        raise RefusedProofError("its sides do not differ by a polynomial with whole coefficients in whole parameters")
    low, high = (fact[1], fact[2]) if fact[0] == "<" else (fact[2], fact[1])
    more = (">=", ("-", high, low), ("number", Fraction(1)))
    if not step.facts.with_more([more]).entails(step.goal.conclusion):
        raise RefusedProofError("the conclusion is another one")


def _known(step: Step) -> None:
    law = LAWS.get(step.data["law"]) if isinstance(step.data["law"], str) else None
    if law is None:
        raise RefusedProofError(f"no law of the name {str(step.data['law'])[:40]}")
    why = law(step.facts, step.goal.conclusion)
    if why:
        raise RefusedProofError(why)


def _rounded(step: Step) -> None:
    name, argument = step.data["name"], read(step.data["argument"], step.goal.sorts)
    if not isinstance(name, str) or name in step.goal.sorts or read(name, (name,)) != ("name", name):
        raise RefusedProofError("the new parameter is not new")
    step.defined(("==", argument, argument))
    new: Parsed = ("name", name)
    above = ("<", argument, ("+", new, ("number", Fraction(1))))
    more = [("<=", new, argument), above, ("==", ("floor", argument), new)]
    found = step.child(step.data["then"], "then", more, {name: "whole"})
    if found.conclusion != step.goal.conclusion:
        raise RefusedProofError("something else is shown")


def _induction(step: Step) -> None:
    name, start = step.data["name"], read(step.data["start"], step.goal.sorts)
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
    others = [h for h in step.goal.hypotheses if name not in names_in(h)]
    conclusion = step.goal.conclusion
    following = ("+", variable, ("number", Fraction(1)))
    base, rest = step.data["base"], step.data["step"]
    for node, part, own in ((base, "base", ()), (rest, "step", (from_start, conclusion))):
        goal = step.child(node, part, given=[*others, *own])
        wanted = replaced(conclusion, variable, start if part == "base" else following)
        if goal.conclusion != wanted:
            facts = Facts(goal.sorts, [*goal.hypotheses, goal.conclusion])
            if not facts.entails(wanted):
                raise RefusedProofError(f"{part}: it shows something else")


def _telescoping(step: Step) -> None:
    """A sum through G with f(k) = G(k + 1) - G(k), or <= or >=, wherever k is in its range."""
    match step.goal.conclusion:
        case ("==" | "<=" | ">=" as relation, ("Sum", body, index, first, last) as total, _):
            pass
        case _:
            raise RefusedProofError("the conclusion says nothing of a sum")
    name, facts = step.data["name"], step.facts
    if not isinstance(name, str) or name in step.goal.sorts or read(name, (name,)) != ("name", name):
        raise RefusedProofError("the new parameter is not new")
    partial = read(step.data["partial"], (*step.goal.sorts, name))
    if is_condition(partial) or not names_in(partial) <= {*step.goal.sorts, name}:
        raise RefusedProofError("the partial sum is no number in the parameters")
    k: Parsed = ("name", name)
    one: Parsed = ("number", Fraction(1))
    for wanted in (("whole", first), ("whole", last), (">=", last, ("-", first, one))):
        if not facts.entails(wanted):
            raise RefusedProofError(f"that the range is as it should be is not known: {shortened(wanted)}")
    more = [(">=", k, first), ("<=", k, last)]
    found = step.child(step.data["term"], "term", more, {name: "whole"})
    known = Facts({**step.goal.sorts, name: "whole"}, [*step.goal.hypotheses, *more, found.conclusion])
    difference = ("-", replaced(partial, k, ("+", k, one)), partial)
    if not known.entails((relation, replaced(body, ("name", index), k), difference)):
        raise RefusedProofError("term: it shows something else")
    closed = ("-", replaced(partial, k, ("+", last, one)), replaced(partial, k, first))
    step.defined(("==", closed, closed))
    step.same_conclusion((relation, total, closed))


def _unchecked(step: Step) -> None:
    method = step.data["method"]
    if not isinstance(method, str) or not method.isprintable() or len(method) > 200:
        raise RefusedProofError("a method is named in a line")
    step.run.unchecked.append(method)


_RULES: dict[str, tuple[tuple[str, ...], Callable[[Step], None]]] = {
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
    "telescoping": (("name", "partial", "term"), _telescoping),
    "derivative": (("name", "ends", "values", "defined", "slope"), derivative),
    "unchecked": (("method",), _unchecked),
}
