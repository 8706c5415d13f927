"""The few shapes that checks have: an identity, an implication, a property of a finite family of instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import chain, islice, product, takewhile
from typing import Any, TypeGuard

import numpy as np
import sympy as sp
from sympy.logic.boolalg import BooleanTrue

from lpmech.claims.at import asked
from lpmech.claims.instance import Instance, told_of
from lpmech.errors import FormulaError, InvalidInputError, LabelError, UndecidedError
from lpmech.prove import FailingPoint, Fails, Holds, Undecided, prove, typical
from lpmech.prove.arithmetic import instance_settled, instance_tried, real_found
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import conjuncts, defined, stated
from lpmech.prove.proof_files import keep
from lpmech.prove.repeated import owned
from lpmech.prove.search import first_violation
from lpmech.prove.texts import condition_from_text, evaluated, formula_from_text, in_sympy, letters_in
from lpmech.prove.wording import hypotheses_in_notation, latex_of
from lpmech.statements.coverage import (
    Stated,
    also_stated,
    follows,
    papers_side,
    sealed,
    settled_here,
    spoken_of,
    tried_here,
)
from lpmech.statements.violations import witness_of
from lpmech.terms import Term
from lpmech.terms.functions import TRUE, And, Eq, Implies
from lpmech.terms.reader import read_condition, read_formula
from lpmech.verdicts import Decided, Outcome, Verdict, both, certified, proved, refuted, replayed, unless_refuted

__all__ = [
    "check_identities",
    "check_implications",
    "check_parts",
    "check_relations",
    "check_family",
    "check_facts",
    "sharp",
    "check_reals",
    "check_sampled_reals",
    "iff",
    "unless_refuted",
    "small_values",
    "both",
    "replayed",
]

_EXACT = "exact rational arithmetic"

#: Stands for the outcome where a check only compares at a reader's point; see `lpmech.claims.at`.
_AT_A_POINT = sealed(certified("exact arithmetic", "at one point"))

SMALL = (2, 3, 1, 4, 5, 6, 7)


def small_values(symbols: Sequence[sp.Symbol], values: Iterable[int] = SMALL) -> Iterable[dict[sp.Symbol, sp.Integer]]:
    """Assignments of small integers, for showing that an identity fails."""
    for combination in product(tuple(values), repeat=len(symbols)):
        yield dict(zip(symbols, map(sp.Integer, combination), strict=True))


def check_identities(
    identities: Mapping[str, tuple[Any, Any]],
    evidence: str = "",
    points: Iterable[Mapping[sp.Symbol, Any]] | None = None,
    hypotheses: Sequence[Any] = (),
) -> Outcome:
    """Proved if every (left, right) pair agrees wherever the hypotheses hold; refuted at the first point that differs.

    Without hypotheses the identity is that of the expressions, and their poles are left out and recorded; with
    hypotheses every pole has to lie outside of them.

    Parameters
    ----------
    identities : mapping name -> (left, right)
        Expressions in the language of `lpmech.prove.language`, or texts. Of an expression sympy has cancelled
        (K-9)/(K-9) before it comes here, and what is proved is about the rest; a text is read as it stands, and each
        of its poles has to lie outside of the hypotheses. Its names are those of the symbols in the hypotheses.
    evidence : str, optional
        What was shown; default: the names.
    points : iterable of assignments, optional
        Where to look first for a counterexample; small integers if omitted.
    hypotheses : sequence of relations
        Where the identities should hold.

    Raises
    ------
    UndecidedError
        If there is no identity, or one is neither proved nor refuted.
    """
    settled_here()
    if (point := asked()) is not None:
        point.look({name: _equation(pair, hypotheses) for name, pair in identities.items()}, hypotheses)
        return _AT_A_POINT
    poles: list[str] = []
    outcomes: list[Holds] = []
    equations = [_equation(pair, hypotheses) for pair in _not_empty(identities, evidence).values()]
    for equation, (name, pair) in zip(equations, identities.items(), strict=True):
        given = list(hypotheses)
        if not given:
            where = defined(in_sympy(equation))
            if where == sp.false:
                return refuted("evaluation", f"{name} fails", f"everywhere: {name}: a division by zero")
            given = [] if where == sp.true else list(where.args) if isinstance(where, sp.And) else [where]
            poles += [str(term_of(condition)) for condition in given]
        small = _first_small(equation, given, points)
        answer = prove(equation, given) if small is None else small
        if isinstance(answer, Fails):
            return _failed(answer, name, f"{name} fails", equation, given)
        if isinstance(answer, Undecided):
            raise UndecidedError(f"{name}: {answer.told}")
        outcomes.append(_told(answer, name, pair, hypotheses))
        follows(name)
    apart = f", where {', '.join(dict.fromkeys(poles))}" if poles else ""
    return _established(
        outcomes, (evidence or _named(identities)) + apart, hypotheses, dict(zip(identities, equations, strict=True))
    )


def _equation(pair: tuple[Any, Any], hypotheses: Sequence[Any]) -> Any:
    sides = [_read(side, formula_from_text, hypotheses) for side in pair]
    if any(isinstance(side, Term) for side in sides):
        return Eq(*map(term_of, sides))
    return sp.Eq(*sides, evaluate=False)


def _read(given: Any, reader: Callable[..., Any], hypotheses: Sequence[Any]) -> Any:
    """What is given as a text, over the parameters of the hypotheses; a term as it is."""
    if isinstance(given, Term):
        return given
    if not isinstance(given, str):
        return owned(sp.sympify(given))
    if hypotheses and all(isinstance(hypothesis, Term) for hypothesis in hypotheses):
        names = set[str]().union(*map(letters_in, hypotheses))
        return _READERS[reader](given, names)
    if any(isinstance(hypothesis, str) for hypothesis in hypotheses):
        raise InvalidInputError("hypotheses", hypotheses, "relations of sympy; their symbols are those of the texts")
    return reader(given, set[sp.Symbol]().union(*(sp.sympify(h).free_symbols for h in hypotheses)))


#: What reads a text as a term, in the place of what makes an expression of sympy's of it.
_READERS: dict[Callable[..., Any], Callable[..., Any]] = {
    formula_from_text: read_formula, condition_from_text: read_condition,
}  # fmt: skip


def _first_small(
    equation: Any, hypotheses: Sequence[Any], points: Iterable[Mapping[sp.Symbol, Any]] | None
) -> Fails | None:
    """A violation at the given points, or at small whole numbers."""
    statement = stated(equation, hypotheses)
    names = {symbol.name: symbol for symbol in statement.symbols}
    given = points if points is not None else islice(small_values(statement.symbols), 200)
    bare = ({names[s.name]: in_sympy(v) for s, v in point.items() if s.name in names} for point in given)
    witness = first_violation(statement, (p for p in bare if len(p) == len(names)))
    return None if witness is None else Fails(witness)


def sharp(value: Any, bound: Any, *ends: Any) -> dict[str, Any]:
    """That a value is at most the bound, and as large where all the ends hold: no smaller bound will do."""
    return {"at most": value <= bound, "attained": _implies(ends, value >= bound)}


def iff(claimed: Any, fact: Any, what: str = "fact", words: str = "condition") -> dict[str, Any]:
    """Both directions of "claimed iff fact", by name."""
    return {f"{words} => {what}": _implies([claimed], fact), f"{what} => {words}": _implies([fact], claimed)}


def _implies(conditions: Sequence[Any], then: Any) -> Any:
    if all(condition in (TRUE, sp.true) for condition in conditions):
        return then
    if any(isinstance(part, Term) for part in (*conditions, then)):
        return Implies(And(*conditions), then)
    return sp.Implies(sp.And(*conditions), then)


def check_relations(relations: Mapping[str, Any], given: Sequence[Any], evidence: str = "") -> Outcome:
    """Proved if everything follows from what is given, refuted at a point where something does not.

    Parameters
    ----------
    relations : mapping name -> relation or (left, right)
        A pair stands for an identity; see `check_identities`.
    given : sequence of relations
        The hypotheses.
    evidence : str, optional
        What is shown; default: the names.

    Raises
    ------
    LabelError
        If a relation is a bool, or two numbers of Python where something is given; or if all of them hold and none has
        a symbol: what is true of numbers alone is an instance, and follows from nothing.
    UndecidedError
        As `check_identities` and `check_implications`.
    """
    for name, relation in relations.items():
        numbers = isinstance(relation, tuple) and all(isinstance(side, (int, float, Fraction)) for side in relation)
        if isinstance(relation, (bool, np.bool_)) or (given and numbers):
            raise LabelError("check", f"{name}: {relation}", _OVER_SYMBOLS)
    pairs = {name: pair for name, pair in relations.items() if isinstance(pair, tuple)}
    others = {name: relation for name, relation in relations.items() if name not in pairs}
    follows = [check_implications(given, others, evidence)] if others else []
    equal = [check_identities(pairs, evidence, hypotheses=given)] if pairs or not others else []
    found = reduce(both, [*equal, *follows])
    if found.verdict is Verdict.PROVED and (given or others) and not any(map(_has_symbol, relations.values())):
        name, relation = next(iter(relations.items()))
        raise LabelError("check", f"{name}: {relation}", _OVER_SYMBOLS)
    return found


#: What is allowed among relations.
_OVER_SYMBOLS = (
    "a relation over the symbols that is not decided yet: the two sides as a pair (left, right), a text, or "
    "sympy.Le(left, right, evaluate=False); an instance is yielded as `yield holds or f'...'`, with one of family, "
    "every and replay"
)


def _has_symbol(question: Any) -> bool:
    """Whether a relation, or one of a pair of sides, speaks of a parameter."""
    parts = question if isinstance(question, tuple) else (question,)
    return any(map(letters_in, parts))


def _told(answer: Holds, name: str, question: Any, hypotheses: Sequence[Any]) -> Holds:
    """The answer; of a question without a symbol the method says that sympy decided it, or that it is an instance."""
    if not hypotheses or _has_symbol(question):
        return answer
    return replace(answer, methods=(f"numbers alone by sympy ({name})",))


def check_parts(
    parts: Iterable[Any],
    given: Sequence[Any] = (),
    evidence: str = "",
    family: str = "",
    every: str | Stated = "",
    replay: str = "",
    method: str = "",
) -> Outcome:
    """The outcome of a check that yields its parts; see `lpmech.claims.Claim` for the arguments.

    Parameters
    ----------
    parts : iterable
        An `Instance`, or True for an instance that holds, else its counterexample in words; (name, relation) or (name,
        (left, right)) of what should follow from `given`; (hypotheses, relations by name) of what should follow from
        hypotheses of its own; an `Outcome`. Nothing is asked for after a part that fails.

    Raises
    ------
    LabelError
        If a part is nothing of that, or instances are yielded without one of `family`, `every` and `replay`.
    UndecidedError
        If there is no part, or a relation is neither proved nor refuted.
    """
    stated = every if isinstance(every, str) else also_stated(every)
    words = family or replay or stated
    relations: dict[str, Any] = {}
    outcomes: list[Outcome] = []
    instances = 0
    compared: list[Instance] = []
    in_turn = iter(parts)
    for part in in_turn:
        match part:
            case bool() | np.bool_() | BooleanTrue() | str() | Instance() if part:
                if not words or (family and replay):
                    raise LabelError("family", words, "one of family, every and replay, as the check yields instances")
                instances += 1
                if replay:
                    instance_tried()
                    tried_here()
                else:
                    instance_settled()
                if isinstance(part, Instance):
                    compared = [*compared[:1], part]
                if _fails(part) and asked() is None:
                    return _refuted_by(part, method or _EXACT, f"fails at instance {instances} of {words}", in_turn)
            case Outcome() | ([*_], Mapping()):
                found = part if isinstance(part, Outcome) else check_relations(part[1], part[0])
                if found.verdict.denies:
                    return found
                settled_here(parts)
                outcomes.append(found)
            case (str() as name, relation) if name not in relations:
                settled_here(parts)
                relations[name] = relation
            case _:
                raise LabelError(
                    "check",
                    part,
                    "yield holds or the counterexample in words; name, relation (a name once); hypotheses, relations; "
                    "an Outcome",
                )
    if relations:
        outcomes.insert(0, check_relations(relations, given, evidence))
    if instances or family or replay or (every and not outcomes):
        found = replace(_of_family(instances, words, method or _EXACT), compared=told_of(compared))
        found = sealed(replace(found, verdict=Verdict.PROVED)) if not (family or replay) else found
        if replay and outcomes:
            return replayed(reduce(both, outcomes), found)
        outcomes.append(found)
    if not outcomes:
        raise UndecidedError(f"nothing was asked: {evidence}")
    return reduce(both, outcomes)


def _fails(part: Any) -> TypeGuard[str | Instance]:
    return isinstance(part, str) or (isinstance(part, Instance) and not part.holds)


def _refuted_by(part: str | Instance, method: str, evidence: str, others: Iterator[Any]) -> Outcome:
    """The refutation by an instance, and the instances that follow it, up to a part that is none."""
    further = takewhile(lambda p: isinstance(p, bool | np.bool_ | str | Instance), others)
    failed = chain([part], (one if _fails(one) else None for one in further))
    if isinstance(part, str):
        return replace(refuted(method, evidence, part), failed=failed)
    return replace(refuted(method, evidence, part.told), failed=failed, witness=part.as_row)


def check_implications(
    hypotheses: Sequence[Any], conclusions: Mapping[str, Any], evidence: str = "", timeout_seconds: float = 20.0
) -> Outcome:
    """Proved if every conclusion follows from the hypotheses, refuted at a point of the hypotheses if one does not.

    A conclusion is a relation, or a text, which is read as it is written (see `check_identities`).

    Raises
    ------
    UndecidedError
        If there is no conclusion, the hypotheses contradict each other, or one is neither proved nor refuted.
    """
    settled_here()
    if (point := asked()) is not None:
        questions = {name: _read(asks, condition_from_text, hypotheses) for name, asks in conclusions.items()}
        point.look(questions, hypotheses)
        return _AT_A_POINT
    outcomes: list[Holds] = []
    known = {_normal(part) for given in hypotheses for part in conjuncts(_evaluated(given))}
    asking = [_read(c, condition_from_text, hypotheses) for c in _not_empty(conclusions, evidence).values()]
    for question, (name, conclusion) in zip(asking, conclusions.items(), strict=True):
        follows(name, was_given=_normal(_evaluated(question)) in known)
        answer = prove(question, hypotheses, timeout_seconds=timeout_seconds)
        if isinstance(answer, Fails):
            return _failed(answer, name, f"{name} does not follow", question, hypotheses)
        if isinstance(answer, Undecided):
            raise UndecidedError(f"{name}: {answer.told}")
        outcomes.append(_told(answer, name, conclusion, hypotheses))
    return _established(
        outcomes, evidence or _named(conclusions), hypotheses, dict(zip(conclusions, asking, strict=True))
    )


def _evaluated(relation: Any) -> Any:
    try:
        return evaluated(relation)
    except FormulaError:
        return in_sympy(relation)


def _normal(relation: Any) -> Any:
    """The same for relations that say the same in other words: sides exchanged, terms brought over."""
    if isinstance(relation, (sp.Lt, sp.Le)):
        relation = relation.reversed
    if isinstance(relation, (sp.Gt, sp.Ge)):
        try:
            return relation.func, sp.expand(relation.lhs - relation.rhs)
        except (TypeError, ValueError):  # sides that sympy does not take together, as Max(log(-1), 1)
            return relation
    return relation


def _named(questions: Mapping[str, Any]) -> str:
    return ", ".join(questions)


def _not_empty(questions: Mapping[str, Any], evidence: str) -> Mapping[str, Any]:
    if not questions:
        raise UndecidedError(f"nothing was asked: {evidence}")
    return questions


def _failed(answer: Fails, name: str, evidence: str, question: Any, hypotheses: Sequence[Any]) -> Outcome:
    witness = answer.witness
    against = witness_of(question, witness)
    found = refuted("exact evaluation, twice", evidence, f"{witness.where}: {against.told} ({name})")
    given, steps = _given(hypotheses, [question]), against.place.get("arithmetic", ())
    side, words = papers_side(question), "".join(given)
    failing = Decided(name, latex_of(question), found.method, side, found.verdict, words)
    row, failed = {**against.as_row, "requirement": name}, stated(question, hypotheses)
    return replace(found, given=given, decided=(failing,), arithmetic=steps, witness=row, failed=failed)


def _established(
    answers: Sequence[Holds], evidence: str, hypotheses: Sequence[Any], questions: Mapping[str, Any]
) -> Outcome:
    methods = ", ".join(dict.fromkeys(m for answer in answers for m in answer.methods)) or "nothing to show"
    point = answers[0].example
    example = FailingPoint(typical(point, hypotheses), "").where if point else None
    given = _given(hypotheses, list(questions.values()))
    decided = tuple(
        Decided(name, latex_of(question), answer.method, papers_side(question), given="".join(given))
        for (name, question), answer in zip(questions.items(), answers, strict=True)
    )
    for name, answer in zip(questions, answers, strict=True):
        keep(name, answer)
    found = replace(proved(methods, evidence), example=example, given=given, decided=decided)
    return sealed(found)


def _given(hypotheses: Sequence[Any], questions: Sequence[Any]) -> tuple[str, ...]:
    spoken_of(hypotheses, questions)
    words = hypotheses_in_notation(hypotheses, *questions)
    return (words,) if words else ()


def check_family(
    instances: Iterable[Any],
    failure: Callable[[Any], str | Instance | None],
    evidence: str,
    method: str = _EXACT,
) -> Outcome:
    """Certified if no instance fails, else refuted by the first that does; order the family from small to large.

    Parameters
    ----------
    instances : iterable
        The finite family.
    failure : callable
        Returns None if the statement holds for the instance, else the counterexample in words; or an `Instance`.
    evidence : str
        Which family; the number of instances is added.

    Raises
    ------
    LabelError
        If a counterexample has no words.
    UndecidedError
        If there is no instance.
    """
    parts = (True if found is None else found for found in map(failure, instances))
    return check_parts(parts, family=evidence, method=method)


def _of_family(count: int, evidence: str, method: str) -> Outcome:
    """The outcome of so many instances that hold."""
    if not count:
        raise UndecidedError(f"no instance was tried: {evidence}")
    return sealed(certified(method, f"{evidence} ({count} instance{'s' * (count != 1)})"))


def check_facts(
    facts: Iterable[tuple[bool, str]], evidence: str, method: str = "exact arithmetic on printed numbers"
) -> Outcome:
    """Certified if every (holds, description) does, else refuted by the first description that fails."""
    return check_parts((holds or words for holds, words in facts), family=evidence, method=method)


def check_reals(inequalities: Mapping[str, tuple[Any, Any]], evidence: str) -> Outcome:
    """Proved if every left <= right in ball arithmetic (rigorous bounds of reals), refuted by the first that fails.

    Parameters
    ----------
    inequalities : mapping name -> (left, right)
        Balls of `flint.arb`.

    Raises
    ------
    UndecidedError
        If two balls overlap, so that nothing is decided.
    """
    settled_here()
    found = _reals(inequalities, evidence)
    instance_settled()
    return found


def _reals(inequalities: Mapping[str, tuple[Any, Any]], evidence: str) -> Outcome:
    method = "ball arithmetic (rigorous)"
    compared: list[Instance] = []
    for name, (left, right) in _not_empty(inequalities, evidence).items():
        instance = Instance(name, left, "<=", right)
        if instance.holds:
            real_found("<=", left, right)
            compared = [*compared[:1], instance]
            continue
        if not left > right:
            raise UndecidedError(f"ball arithmetic did not decide: {name}")
        found = refuted(method, f"not so: {name}", f"required: {name}; but {instance.sides}")
        return replace(found, witness=instance.as_row)
    return sealed(replace(proved(method, evidence), compared=told_of(compared)))


def check_sampled_reals(inequalities: Mapping[str, tuple[Any, Any]], evidence: str) -> Outcome:
    """`check_reals` at some of the points that the statement speaks of, so that the verdict is certified at best."""
    outcome = _reals(inequalities, evidence)
    return outcome if outcome.counterexample is not None else sealed(replace(outcome, verdict=Verdict.CERTIFIED))
