"""The rules of proofs: each node claims its goal, and its rule says why that follows from the goals of its children."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from lpmech.certify.proofs.cases import ALLOWED, KIND
from lpmech.certify.proofs.facts import Facts, conjuncts
from lpmech.certify.proofs.laws import LAWS
from lpmech.certify.proofs.numbers import sign_of
from lpmech.certify.proofs.polynomials import Quotient, limited
from lpmech.certify.proofs.reading import (
    FALSE,
    ONE,
    RELATIONS,
    TRUE,
    Parsed,
    RefusedProofError,
    names_in,
    negated,
    normal,
    number_in,
    read,
    replaced,
    without_words,
)
from lpmech.certify.proofs.slopes import derivative
from lpmech.certify.proofs.steps import Goal, Rule, Run, Step, a_list, an_object, goal_of, shortened

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
        with limited():
            return run.node(node, "proof", 0), tuple(dict.fromkeys(run.unchecked))
    except RecursionError as exc:
        raise RefusedProofError("proof: formulas are nested too deeply") from exc
    except (ArithmeticError, MemoryError, ValueError) as exc:  # numbers of too many digits to be written
        raise RefusedProofError(f"proof: numbers that are out of all proportion ({type(exc).__name__})") from exc


def _identity(step: Step) -> None:
    step.demand(step.goal.conclusion)


def _evaluation(step: Step) -> None:
    if not _is_true(step, normal(step.goal.conclusion)):
        raise RefusedProofError("it is not found to be true")


def _is_true(step: Step, part: Parsed) -> bool:
    if part[0] in ("and", "or") and (all if part[0] == "and" else any)(_is_true(step, inner) for inner in part[1:]):
        return True
    if (known := step.facts.entails(part)) or part[0] not in RELATIONS or names_in(part):
        return known
    sign = sign_of(("-", *(part[1:] if "<" not in part[0] else part[:0:-1])))  # refuses what is not defined
    return sign in ALLOWED[KIND[part[0]]]


def _products(step: Step) -> None:
    """0 = the sum of products that are not negative, one of them positive, and of multiples of equations."""
    conclusion, facts = step.goal.conclusion, list(step.goal.hypotheses)
    if conclusion != FALSE:
        if conclusion[0] not in RELATIONS:
            raise RefusedProofError("the conclusion is no relation")
        step.defined(conclusion)
        facts.append(negated(conclusion))
    terms = step.facts.algebra

    @cache
    def side(number: int, relations: str) -> Quotient:
        if not 0 <= number < len(facts):
            raise RefusedProofError(f"there is no hypothesis {number}")
        if facts[number][0] not in relations.split():
            raise RefusedProofError(f"hypothesis {number} is none of {relations}")
        return terms.difference(facts[number])

    @cache
    def product(numbers: tuple[int, ...]) -> Quotient:
        return terms.product(product(numbers[:-1]), side(numbers[-1], "< <= > >=")) if numbers else terms.number(1)

    def factor(text: object) -> Quotient:
        tree = step.term(text)
        step.defined(("==", tree, tree))
        return terms.quotient(tree)

    total, positive = terms.number(0), False
    for data in a_list(step.data["products"], "products"):
        if an_object(data, "a product").keys() != {"weight", "facts", "square"}:
            raise RefusedProofError("a product has weight, facts and square")
        weight, square = number_in(read(data["weight"])), factor(data["square"])
        if weight is None or weight <= 0:
            raise RefusedProofError("a weight is not positive")
        numbers = a_list(data["facts"], "facts")
        if not all(type(number) is int for number in numbers) or len(numbers) > MAX_FACTORS:
            raise RefusedProofError(f"facts are not at most {MAX_FACTORS} numbers")
        total = terms.sum(total, terms.product(product(tuple(numbers)), terms.product(square, square)), weight)
        positive |= bool(step.facts.sign_of_constant(square)) and all(facts[n][0] in ("<", ">") for n in numbers)
    for data in a_list(step.data["multiples"], "multiples"):
        if an_object(data, "a multiple").keys() != {"fact", "factor"}:
            raise RefusedProofError("a multiple has fact and factor")
        total = terms.sum(
            total, terms.product(factor(data["factor"]), side(data["fact"] if type(data["fact"]) is int else -1, "=="))
        )
    if not positive:
        raise RefusedProofError("no product is positive")
    if total.above:
        raise RefusedProofError(f"the products do not add up to nothing, but to {step.facts.shown(total)}")


def _steps(step: Step) -> None:
    shown: list[Parsed] = []
    for number, lemma in enumerate(a_list(step.data["lemmas"], "lemmas")):
        shown.append(step.child(lemma, f"lemmas[{number}]", shown))
    last = step.child(step.data["last"], "last", shown)
    step.shows(last, facts=step.facts.with_more(shown) if last != step.goal.conclusion else None)


def _parts(step: Step) -> None:
    parts = [step.child(p, f"parts[{n}]") for n, p in enumerate(a_list(step.data["parts"], "parts"))]
    match step.goal.conclusion:
        case ("iff", a, b) if {*parts} == {("implies", a, b), ("implies", b, a)}:
            return
    step.shows(("and", *parts) if parts else TRUE)


def _implication(step: Step) -> None:
    if step.goal.conclusion[0] != "implies":
        raise RefusedProofError("the conclusion is no implication")
    _, first, wanted = step.goal.conclusion
    step.defined(first)
    if step.child(step.data["then"], "then", [first]) != wanted:
        raise RefusedProofError("something else is shown than what is implied")


def _contradiction(step: Step) -> None:
    step.defined(step.goal.conclusion)
    if step.child(step.data["refutation"], "refutation", conjuncts(negated(step.goal.conclusion))) != FALSE:
        raise RefusedProofError("the refutation does not end with False")


def _cases(step: Step) -> None:
    branches = a_list(step.data["branches"], "branches")
    if step.data["cover"] is not None:
        alternatives = without_words(step.fact(step.data["cover"]))
        if alternatives[0] != "or" or len(alternatives) - 1 != len(branches):
            raise RefusedProofError("the cases are not those of the hypothesis")
        added = [[case, *conjuncts(case)] for case in alternatives[1:]]
    else:
        own = [goal_of(an_object(branch, "branch").get("goal")).hypotheses for branch in branches]
        added = [[h for h in hypotheses if h not in step.goal.hypotheses] for hypotheses in own]
        if not step.facts.covered(added):
            raise RefusedProofError("the cases do not cover everything")
    for number, (branch, more) in enumerate(zip(branches, added, strict=True)):
        found = step.child(branch, f"branches[{number}]", more)
        if found not in (FALSE, step.goal.conclusion):
            step.shows(found, facts=step.facts.with_more(more))


def _put_in(step: Step) -> None:
    """With one side of an equation in place of the other, or what it says of something in which it is linear."""
    equation, old = step.fact(step.data["equation"], "=="), read(step.data["term"], step.goal.sorts)
    new = _solved(step, equation, old)
    if step.data["then"] is None:
        step.shows(replaced(step.fact(step.data["fact"]), old, new))
        return
    if step.data["fact"] != -1:
        raise RefusedProofError("a hypothesis and a conclusion are not rewritten at once")
    shown = step.child(step.data["then"], "then")
    if shown != FALSE:
        step.shows(shown, replaced(step.goal.conclusion, old, new))
    step.defined(step.goal.conclusion)


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
    fact = step.fact(step.data["fact"], "<", ">")
    if not step.facts.is_whole(step.facts.algebra.difference(fact)):
        raise RefusedProofError("its sides do not differ by a polynomial with whole coefficients in whole parameters")
    low, high = (fact[1], fact[2]) if fact[0] == "<" else (fact[2], fact[1])
    step.shows((">=", ("-", high, low), ONE))


def _known(step: Step) -> None:
    law = LAWS.get(step.data["law"]) if isinstance(step.data["law"], str) else None
    if law is None:
        raise RefusedProofError(f"no law of the name {str(step.data['law'])[:40]}")
    if why := law(step.facts, step.goal.conclusion):
        raise RefusedProofError(why)


def _rounded(step: Step) -> None:
    name, argument = step.new(step.data["name"]), step.term(step.data["argument"])
    step.defined(("==", argument, argument))
    new: Parsed = ("name", name)
    more = [("<=", new, argument), ("<", argument, ("+", new, ONE)), ("==", ("floor", argument), new)]
    if step.child(step.data["then"], "then", more, {name: "whole"}) != step.goal.conclusion:
        raise RefusedProofError("something else is shown")


def _induction(step: Step) -> None:
    name, start = step.data["name"], step.term(step.data["start"])
    number = step.facts.algebra.as_number(step.facts.algebra.quotient(start))
    if not isinstance(name, str) or step.goal.sorts.get(name) != "whole":
        raise RefusedProofError("no induction on a whole parameter")
    if number is None or number.denominator != 1 or names_in(start):
        raise RefusedProofError("the start is no whole number")
    variable: Parsed = ("name", name)
    from_start, conclusion = (">=", variable, start), step.goal.conclusion
    step.demand(from_start)
    others = [h for h in step.goal.hypotheses if name not in names_in(h)]
    following = ("+", variable, ONE)
    for part, at, own in (("base", start, []), ("step", following, [from_start, conclusion])):
        given = [*others, *own]
        found = step.child(step.data[part], part, given=given)
        step.shows(found, replaced(conclusion, variable, at), Facts(step.goal.sorts, given))


def _telescoping(step: Step) -> None:
    """A sum through G with f(k) = G(k + 1) - G(k), or <= or >=, wherever k is in its range."""
    match step.goal.conclusion:
        case ("==" | "<=" | ">=" as relation, ("Sum", body, index, first, last) as total, _):
            pass
        case _:
            raise RefusedProofError("the conclusion says nothing of a sum")
    name = step.new(step.data["name"])
    partial, k = step.term(step.data["partial"], (name,)), ("name", name)
    for wanted in (("whole", first), ("whole", last), (">=", last, ("-", first, ONE))):
        if not step.facts.entails(wanted):
            raise RefusedProofError(f"that the range is as it should be is not known: {shortened(wanted)}")
    more = [(">=", k, first), ("<=", k, last)]
    found = step.child(step.data["term"], "term", more, {name: "whole"})
    difference = ("-", replaced(partial, k, ("+", k, ONE)), partial)
    known = Facts({**step.goal.sorts, name: "whole"}, [*step.goal.hypotheses, *more])
    step.shows(found, (relation, replaced(body, ("name", index), k), difference), known)
    closed = ("-", replaced(partial, k, ("+", last, ONE)), replaced(partial, k, first))
    step.defined(("==", closed, closed))
    step.shows((relation, total, closed))


def _unchecked(step: Step) -> None:
    method = step.data["method"]
    if not isinstance(method, str) or not method.isprintable() or len(method) > 200:
        raise RefusedProofError("a method is named in a line")
    step.run.unchecked.append(method)


RULES: dict[str, Rule] = {
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
