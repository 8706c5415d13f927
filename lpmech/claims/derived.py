"""Mutants that are derived from a claim's formula, and what becomes of them.

A check that accepts one of them accepts a wrong formula, unless the engine proves the mutant equal to the formula
wherever the check looks, or a person has found the reason why it is right as well (the claim's `survivors`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from random import Random
from typing import Any

import sympy as sp

from lpmech.claims.claim import Claim
from lpmech.errors import FormulaError, LpmechError, UndecidedError
from lpmech.limits import time_limit
from lpmech.prove import Holds, prove
from lpmech.prove.engine import questions_asked
from lpmech.prove.mutations import mutants_of
from lpmech.prove.texts import condition_from_text, formula_from_text, in_sympy, letters_in
from lpmech.terms import Term

__all__ = ["DerivedFates", "derived_fates", "derived_mutants"]

#: How many of a claim's derived mutants are run where not all are asked for.
SAMPLE = 2
#: Most mutants that are tried until one is killed, of a claim in which none is written.
TRIED = 10
#: Longest processor time for one mutant, where all are asked for and in a sample.
SECONDS, SAMPLE_SECONDS = 20.0, 2.0


@dataclass(frozen=True)
class DerivedFates:
    """What became of derived mutants: each by name.

    Attributes
    ----------
    killed : mapping of str to str
        Refuted, with the counterexample.
    equivalent : mapping of str to str
        Accepted, and right: how that was shown, or the reason on record.
    undecided : mapping of str to str
        Neither refuted nor accepted: no method gave an answer, or what was changed is no formula any more.
    accepted : mapping of str to str
        Accepted although nothing shows them right: a hole of the check.
    """

    killed: Mapping[str, str] = field(default_factory=dict)
    equivalent: Mapping[str, str] = field(default_factory=dict)
    undecided: Mapping[str, str] = field(default_factory=dict)
    accepted: Mapping[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """How many mutants have which fate."""
        return {fate.name: len(getattr(self, fate.name)) for fate in fields(self)}


def derived_mutants(claim: Claim, most: int | None = None) -> dict[str, Any]:
    """Formulas that differ from the right one at one place, by what was changed.

    Of a refuted claim the right formula is its control; an unclear claim, and a refuted one without control, has none.

    Parameters
    ----------
    claim : Claim
    most : int, optional
        At most so many, drawn by the claim's name; default: all.
    """
    mutants = {} if claim.right is None else mutants_of(claim.right)
    return {name: mutants[name] for name in _drawn(claim, list(mutants), most)[:most]}


def _drawn(claim: Claim, names: list[str], most: int | None) -> list[str]:
    """The names, in an order drawn by the claim's name where not all are asked for."""
    if most is None or most >= len(names):
        return names
    draw = Random(f"{claim.paper} {claim.id}")
    first = draw.sample(sorted(names), most)
    others = sorted(set(names).difference(first))
    return first + draw.sample(others, len(others))


def derived_fates(claim: Claim, most: int | None = SAMPLE, seconds: float = SECONDS) -> DerivedFates:
    """Hand derived mutants to the claim's check.

    Parameters
    ----------
    claim : Claim
    most : int, optional
        At most so many, drawn by the claim's name; None for all. Of a claim in which no mutant is written, more are
        tried until one is killed.
    seconds : float
        Longest processor time for one mutant, so that a busy machine finds the same.
    """
    fates = DerivedFates({}, {}, {}, {})
    mutants = derived_mutants(claim)
    wanted = len(mutants) if most is None else most
    for tried, name in enumerate(_drawn(claim, list(mutants), most)):
        if tried >= wanted and (claim.mutants or fates.killed or fates.accepted or tried >= TRIED):
            break
        kind, how = _fate(claim, name, mutants[name], seconds)
        getattr(fates, kind)[name] = how
    return fates


def _fate(claim: Claim, name: str, mutant: Any, seconds: float) -> tuple[str, str]:
    try:
        with time_limit(seconds, _late(seconds)):
            fate = claim.fate_of(mutant)
    except UndecidedError as exc:
        return "undecided", str(exc)
    except (Exception, SystemExit) as exc:  # what was changed may be no formula at all
        return "undecided", f"{type(exc).__name__}: {exc}"
    if fate.rejected:
        return "killed", fate.how
    reason = claim.survivors if isinstance(claim.survivors, str) else claim.survivors.get(name)
    if reason:
        return "equivalent", reason
    try:
        with time_limit(SECONDS, _late(SECONDS)):
            shown = _shown_equal(claim, claim.right, mutant)
    except UndecidedError:
        shown = None
    return ("equivalent", shown) if shown else ("accepted", fate.how)


def _late(seconds: float) -> UndecidedError:
    return UndecidedError(f"no answer within {seconds:g} seconds")


def _shown_equal(claim: Claim, formula: Any, mutant: Any) -> str | None:
    """How the engine shows that the mutant is the formula at the check's own symbols and hypotheses, if it does."""
    if isinstance(formula, tuple) and isinstance(mutant, tuple):
        changed = [place for place, part in enumerate(formula) if mutant[place] is not part]
        if len(changed) != 1:
            return None
        place = changed[0]
        calls, questions = _looked_at(
            claim, formula[place], lambda part: (*formula[:place], part, *formula[place + 1 :])
        )
        formula, mutant = formula[place], mutant[place]
    else:
        calls, questions = _looked_at(claim, formula, lambda part: part)
    if isinstance(formula, str):
        return _texts_equal(formula, mutant, questions)
    if isinstance(formula, Term):
        return _equal(formula, mutant, questions)
    methods: dict[str, None] = {}
    for arguments, named in calls:
        try:
            equal = _equal(formula(*arguments, **named), mutant(*arguments, **named), questions)
        except (LpmechError, ArithmeticError, TypeError, ValueError, AttributeError, LookupError):
            return None
        if equal is None:
            return None
        methods[equal] = None
    return ", ".join(methods) or None


def _looked_at(claim: Claim, formula: Any, whole: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
    """The arguments with which the check calls the formula, and the questions that it asks."""
    calls: list[Any] = []
    if isinstance(formula, type) or not (callable(formula) or isinstance(formula, (str, Term))):
        return calls, []

    @wraps(formula)
    def recorded(*arguments: Any, **named: Any) -> Any:
        if any(isinstance(a, (sp.Basic, Term)) and letters_in(a) for a in (*arguments, *named.values())):
            calls.append((arguments, named))
        return formula(*arguments, **named)

    with questions_asked() as questions:
        try:
            claim.outcome_of(whole(recorded if callable(formula) else formula))
        except (Exception, SystemExit):
            return [], []
    return calls, questions


def _texts_equal(formula: str, mutant: str, questions: list[Any]) -> str | None:
    """As `_equal`, of texts: their names are the symbols of the questions."""
    symbols = {symbol for question in questions for symbol in question.symbols}
    for reader in (formula_from_text, condition_from_text):
        try:
            return _equal(reader(formula, symbols), reader(mutant, symbols), questions)
        except FormulaError:
            continue
    return None


def _equal(left: Any, right: Any, questions: list[Any]) -> str | None:
    left, right = (in_sympy(side) if isinstance(side, Term) else side for side in (left, right))
    if left == right:
        return "the same expression"
    if not isinstance(left, sp.Basic) or not isinstance(right, sp.Basic):
        return None
    boolean = isinstance(left, sp.logic.boolalg.Boolean)
    same = sp.And(sp.Implies(left, right), sp.Implies(right, left)) if boolean else sp.Eq(left, right, evaluate=False)
    free = left.free_symbols | right.free_symbols
    # a formula that the check takes for granted says nothing of what it is equal to
    own = {left, *(left.args if isinstance(left, sp.And) else ())}
    asked = (q for q in questions if free <= set(q.symbols))
    whole = {q: tuple(sp.Contains(s, sp.S.Integers) for s in sorted(q.integers & free, key=str)) for q in asked}
    given = ((*(h for h in q.hypotheses if h not in own), *integers) for q, integers in whole.items())
    lists = dict.fromkeys(given) or {(): None}
    methods: dict[str, None] = {}
    for hypotheses in lists:
        answer = prove(same, hypotheses, timeout_seconds=5.0)
        if not isinstance(answer, Holds):
            return None
        methods[answer.method] = None
    return ", ".join(methods)
