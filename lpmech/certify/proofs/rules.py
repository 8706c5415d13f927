"""The rules of proofs: each node claims its goal, and its rule says why that follows from the goals of its children."""

from __future__ import annotations

from typing import Any

from lpmech.certify.proofs.algebra import Terms
from lpmech.certify.proofs.context import ALLOWED, Context
from lpmech.certify.proofs.laws import check_law
from lpmech.certify.proofs.numbers import sign_of
from lpmech.certify.proofs.reading import (
    FALSE,
    ONE,
    RELATIONS,
    Parsed,
    RefusedProofError,
    names_in,
    negated,
    number_in,
    read,
    replaced,
    without_words,
)
from lpmech.certify.proofs.slopes import derivative
from lpmech.certify.proofs.steps import Goal, Rule, Run, Step, a_list, an_object

__all__ = ["Goal", "check"]

MAX_FACTORS = 200


def check(node: object) -> tuple[Goal, tuple[str, ...]]:
    """The goal that a proof shows, and what it relies on that has no object.

    Raises
    ------
    RefusedProofError
        If a step does not follow; the message begins with its place.
    """
    run = Run(RULES)
    try:
        return run.node(node, "proof", 0), tuple(dict.fromkeys(run.unchecked))
    except RecursionError as exc:
        raise RefusedProofError("proof: formulas are nested too deeply") from exc
    except (ArithmeticError, MemoryError) as exc:
        raise RefusedProofError(f"proof: numbers that are out of all proportion ({type(exc).__name__})") from exc


def _identity(step: Step) -> None:
    step.known.demand(step.goal.conclusion)


def _evaluation(step: Step) -> None:
    relation, *sides = step.goal.conclusion
    if relation not in RELATIONS or names_in(step.goal.conclusion):
        raise RefusedProofError("the conclusion is no relation of numbers")
    sign = sign_of(("-", *(sides if "<" not in relation else sides[::-1])))  # refuses what is not defined
    if sign not in ALLOWED[relation]:
        raise RefusedProofError("it is not found to be true")


def _products(step: Step) -> None:
    """0 = the sum of products that are not negative, one of them positive, and of multiples of equations."""
    conclusion, facts = step.goal.conclusion, list(step.goal.hypotheses)
    if conclusion != FALSE:
        if conclusion[0] not in RELATIONS:
            raise RefusedProofError("the conclusion is no relation")
        step.known.defined(conclusion)
        facts.append(negated(conclusion))
    terms = _meant(step)

    def side(number: object, equation: bool = False) -> Any:
        if type(number) is not int or not 0 <= number < len(facts):
            raise RefusedProofError(f"there is no hypothesis {str(number)[:20]}")
        if facts[number][0] not in RELATIONS or (facts[number][0] == "==") != equation:
            raise RefusedProofError(f"hypothesis {number} is none of {'==' if equation else '< <= > >= !='}")
        found = terms.difference(facts[number])
        return terms.product(found, found) if facts[number][0] == "!=" else found

    def factor(text: object) -> Any:
        tree = step.term(text)
        step.known.has_value(tree)
        return terms.quotient(tree)

    total, positive = terms.number(0), False
    products = {(): terms.number(1)}
    for data in a_list(step.data["products"], "products"):
        if an_object(data, "a product").keys() != {"weight", "facts", "square"}:
            raise RefusedProofError("a product has weight, facts and square")
        weight, square = number_in(read(data["weight"])), factor(data["square"])
        if weight is None or weight <= 0:
            raise RefusedProofError("a weight is not positive")
        numbers = a_list(data["facts"], "facts")
        if not all(type(number) is int for number in numbers) or len(numbers) > MAX_FACTORS:
            raise RefusedProofError(f"facts are not at most {MAX_FACTORS} numbers")
        for n in range(len(numbers)):
            if tuple(numbers[: n + 1]) not in products:
                products[tuple(numbers[: n + 1])] = terms.product(products[tuple(numbers[:n])], side(numbers[n]))
        total = terms.sum(total, terms.product(products[tuple(numbers)], terms.product(square, square)), weight)
        constant = not square.below and square.above.keys() == {()}
        positive |= constant and all(facts[number][0] in ("<", ">", "!=") for number in numbers)
    for data in a_list(step.data["multiples"], "multiples"):
        if an_object(data, "a multiple").keys() != {"fact", "factor"}:
            raise RefusedProofError("a multiple has fact and factor")
        total = terms.sum(total, terms.product(factor(data["factor"]), side(data["fact"], equation=True)))
    if not positive:
        raise RefusedProofError("no product is positive")
    if not terms.is_zero(total):
        raise RefusedProofError("the products do not add up to nothing")


def _meant(step: Step) -> Terms:
    """How terms are read where equations say what indeterminates, or their powers, are."""
    terms = step.run.terms
    for number in a_list(step.data["meant"], "meant"):
        _, left, right = step.fact(number, "==")
        (above, below), meaning = terms.quotient(left), terms.quotient(right)
        if below or len(above) != 1 or len(next(iter(above))) != 1 or next(iter(above.values())) != 1:
            raise RefusedProofError(f"hypothesis {number} says nothing of something that stands for itself")
        ((atom, degree),) = next(iter(above))
        if degree < 1 or (degree > 1 and meaning.below):
            raise RefusedProofError(f"hypothesis {number} does not say what a power is")
        terms = Terms(step.run.terms, {**terms.meant, atom: (degree, meaning)})
    return terms


def _steps(step: Step) -> None:
    shown: list[Parsed] = []
    for number, lemma in enumerate(a_list(step.data["lemmas"], "lemmas")):
        shown.append(step.child(lemma, f"lemmas[{number}]", shown))
    last = step.child(step.data["last"], "last", shown)
    step.shows(last, known=step.known if last == step.goal.conclusion else step.known.with_more(shown))


def _implication(step: Step) -> None:
    if step.goal.conclusion[0] != "implies":
        raise RefusedProofError("the conclusion is no implication")
    _, first, wanted = step.goal.conclusion
    step.known.defined(first)
    step.shows(step.child(step.data["then"], "then", [first]), wanted)


def _contradiction(step: Step) -> None:
    step.known.defined(step.goal.conclusion)
    if step.child(step.data["refutation"], "refutation", [negated(step.goal.conclusion)]) != FALSE:
        raise RefusedProofError("the refutation does not end with False")


def _cases(step: Step) -> None:
    branches = a_list(step.data["branches"], "branches")
    if step.data["cover"] is not None:
        alternatives = without_words(step.fact(step.data["cover"]))
        if alternatives[0] != "or" or len(alternatives) - 1 != len(branches):
            raise RefusedProofError("the cases are not those of the hypothesis")
        added = [[case] for case in alternatives[1:]]
    else:
        own = [[read(h, step.goal.sorts) for h in _hypotheses(branch)] for branch in branches]
        added = [[h for h in hypotheses if h not in step.goal.hypotheses] for hypotheses in own]
        step.known.demand(("or", *(("and", *more) for more in added)))
    for number, (branch, more) in enumerate(zip(branches, added, strict=True)):
        found = step.child(branch, f"branches[{number}]", more)
        step.shows(found, known=step.known if found == step.goal.conclusion else step.known.with_more(more))


def _hypotheses(node: object) -> list[Any]:
    return a_list(an_object(an_object(node, "branch").get("goal"), "goal").get("hypotheses"), "hypotheses")


def _put_in(step: Step) -> None:
    """With the right side of an equation in place of the left one; or of the term that is the other side."""
    equation, old = step.fact(step.data["equation"], "=="), step.term(step.data["term"])
    if old not in equation[1:]:
        raise RefusedProofError("the equation does not determine what is replaced")
    new = equation[2] if old == equation[1] else equation[1]
    if step.data["then"] is None:
        step.shows(replaced(step.fact(step.data["fact"]), old, new))
        return
    step.known.defined(step.goal.conclusion)
    step.shows(step.child(step.data["then"], "then"), replaced(step.goal.conclusion, old, new))


def _whole(step: Step) -> None:
    fact = step.fact(step.data["fact"], "<", ">")
    if not step.known.is_whole(step.run.terms.difference(fact)):
        raise RefusedProofError("its sides do not differ by a polynomial with whole coefficients in whole parameters")
    low, high = (fact[1], fact[2]) if fact[0] == "<" else (fact[2], fact[1])
    step.shows((">=", ("-", high, low), ONE))


def _known(step: Step) -> None:
    check_law(step.known, step.data["law"], step.goal.conclusion)


def _rounded(step: Step) -> None:
    name, argument = step.new(step.data["name"]), step.term(step.data["argument"])
    step.known.has_value(argument)
    new: Parsed = ("name", name)
    more = [("<=", new, argument), ("<", argument, ("+", new, ONE)), ("==", ("floor", argument), new)]
    if step.child(step.data["then"], "then", more, {name: "whole"}) != step.goal.conclusion:
        raise RefusedProofError("something else is shown")


def _induction(step: Step) -> None:
    name, start = step.data["name"], step.term(step.data["start"])
    variable: Parsed = ("name", name)
    number = step.run.terms.value(start)
    if step.goal.sorts.get(name) != "whole" or number is None or number.denominator != 1 or names_in(start):
        raise RefusedProofError("no induction on a whole parameter from a whole number on")
    from_start, conclusion = (">=", variable, start), step.goal.conclusion
    step.known.demand(from_start)
    free = [h for h in step.goal.hypotheses if name not in names_in(h)]
    known = Context(step.goal.sorts, step.run.terms, free)
    step.shows(step.child(step.data["base"], "base", given=free), replaced(conclusion, variable, start), known)
    more, following = [from_start, conclusion], replaced(conclusion, variable, ("+", variable, ONE))
    found = step.child(step.data["step"], "step", given=[*free, *more])
    step.shows(found, following, known.with_more(more))


def _telescoping(step: Step) -> None:
    """A sum through G with f(k) = G(k + 1) - G(k), or <= or >=, wherever k is in its range."""
    match step.goal.conclusion:
        case ("==" | "<=" | ">=" as relation, ("Sum", body, index, first, last) as total, _):
            pass
        case _:
            raise RefusedProofError("the conclusion says nothing of a sum")
    name = step.new(step.data["name"])
    partial, k = step.term(step.data["partial"], (name,)), ("name", name)
    step.known.demand(("and", ("whole", first), ("whole", last), (">=", last, ("-", first, ONE))))
    more = [(">=", k, first), ("<=", k, last)]
    found = step.child(step.data["term"], "term", more, {name: "whole"})
    difference = ("-", replaced(partial, k, ("+", k, ONE)), partial)
    wanted = (relation, replaced(body, ("name", index), k), difference)
    step.shows(found, wanted, step.known.with_more(more, {name: "whole"}))
    closed = ("-", replaced(partial, k, ("+", last, ONE)), replaced(partial, k, first))
    step.known.has_value(closed)
    step.shows((relation, total, closed))


def _unchecked(step: Step) -> None:
    method = step.data["method"]
    if not isinstance(method, str) or not method.isprintable() or len(method) > 200:
        raise RefusedProofError("a method is named in a line")
    step.run.unchecked.append(method)


RULES: dict[str, Rule] = {
    "identity": ((), _identity),
    "evaluation": ((), _evaluation),
    "products": (("products", "multiples", "meant"), _products),
    "steps": (("lemmas", "last"), _steps),
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
