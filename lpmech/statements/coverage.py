"""What a check has covered of what its claim states: loops that say over what they go, and formulas that were called.

A claim that is proved holds for all parameters. A loop of Python goes through some values, so it has to say which:
`each` over values that the claim states one by one (``every=``), or `cases`, which are shown to leave nothing out. A
loop over anything else that settles one thing after the other is an error, as far as it is seen here at run time and
by `lpmech.statements.loops` in the source.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial, wraps
from itertools import islice
from types import FrameType, FunctionType, GeneratorType, MethodType
from typing import Any

import sympy as sp

from lpmech.errors import LabelError, UndecidedError
from lpmech.prove import Fails, Undecided, prove
from lpmech.prove.texts import letters_in
from lpmech.statements.agreement import AtLetters, check_agreement
from lpmech.statements.calls import Calls, has_letters
from lpmech.terms import FALSE, TRUE, Apply, Name, Number, Term, names_in
from lpmech.terms.asked import questions
from lpmech.terms.functions import Or
from lpmech.terms.term import parts_of
from lpmech.verdicts import Outcome, Verdict

__all__ = [
    "Stated",
    "also_stated",
    "cases",
    "each",
    "followed",
    "follows",
    "judged",
    "papers_side",
    "running",
    "sealed",
    "settled_here",
    "spoken_of",
    "tried_here",
    "within_a_run",
]

#: The parameters that a claim states value by value: their names with a finite list of values each, or values by name.
Stated = Mapping[str, Collection[Any]]

#: What a loop that settles one thing after the other has to be.
_DECLARED = (
    "a loop that says over what it goes: `for K in each('K', range(2, 8))`, which is certified unless the claim states "
    "just these values (every={'K': ...}); or `for name, case in cases({...})`"
)
_SHOWN = 6


@dataclass(eq=False)
class _Place:
    """A declared loop that is being gone through, and in which turn."""

    name: str
    turn: int = 0


@dataclass
class Coverage:
    """One run of a check: what its claim states, and what was covered so far."""

    every: bool
    stated: dict[str, Collection[Any]] = field(default_factory=dict)
    given: Sequence[Any] = ()
    places: list[_Place] = field(default_factory=list)
    seen: set[Any] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)
    gone_through: dict[str, list[Any]] = field(default_factory=dict)
    calls: list[Calls] = field(default_factory=list)
    followed: dict[str, bool] = field(default_factory=dict)
    in_formula: set[str] = field(default_factory=set)
    spoken_of: set[str] = field(default_factory=set)
    at_letters: list[AtLetters] = field(default_factory=list)
    made: set[Term] = field(default_factory=set)
    under: dict[tuple[str, ...], Sequence[Any]] = field(default_factory=dict)
    replayed: bool = False

    def settles(self, place: Any, where: str) -> None:
        """Something is settled at a place of the source.

        Raises
        ------
        LabelError
            If it was settled there before, in the same turn of all declared loops.
        """
        self.settled.update(open.name for open in self.places)
        key = (place, tuple((open.name, open.turn) for open in self.places))
        if key in self.seen:
            raise LabelError("check", where, _DECLARED)
        self.seen.add(key)

    @property
    def in_part(self) -> dict[str, list[Any]]:
        """The parameters that stand for values which are not all that the claim states, with these values."""
        beside = self.tried - self.settled
        through = {name: values for name, values in self.gone_through.items() if name not in beside}
        found = {name: values for name, values in through.items() if not all(map(_is_name, values))}
        for calls in self.calls:
            whole = self.every and not calls.symbolic
            of = calls.tried if whole else calls.numbers
            found |= {n: list(v) for n, v in of.items() if n not in calls.letters and len(v) > whole}
        ruled = self.replayed or self.in_formula or any(calls.symbolic for calls in self.calls)
        if self.followed and not ruled:  # the relations are made of the formula at numbers
            tried = {n: list(v) for calls in self.calls for n, v in calls.tried.items()}
            found |= {n: values for n, values in tried.items() if n not in self.spoken_of}
        if self.spoken_of:
            found |= {name: ["some numbers"] for name in sorted(self.in_formula - self.spoken_of)}
        return {name: values for name, values in found.items() if not _is_all(values, self.stated.get(name))}

    def _knows(self, calls: Calls) -> bool:
        """Whether all values that a function was called with are stated."""
        return bool(calls.tried) and all(_is_all(list(v), self.stated.get(n)) for n, v in calls.tried.items())

    def covered(self, outcome: Outcome) -> Outcome:
        """The outcome with a verdict that says no more than was covered.

        Raises
        ------
        LabelError
            If the check never calls a formula that is a function, does not go through what the claim states, or
            settles nothing but what is among its hypotheses; or if the formula is another one at numbers.
        """
        if outcome.readings:
            return replace(outcome, readings={text: self.covered(found) for text, found in outcome.readings.items()})
        if outcome.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
            return outcome
        if self.calls and not any(calls.symbolic or calls.instances for calls in self.calls):
            raise LabelError("check", "the formula is not used", "a check that calls the formula which it is handed")
        if self.followed and not any(self.followed.values()):
            raise LabelError("check", ", ".join(self.followed), "a relation that is not itself among the hypotheses")
        for hypotheses in islice(self.under.values(), _COMPARED):
            check_agreement(self.at_letters, hypotheses)
        called = {name for calls in self.calls for name in (*calls.numbers, *calls.tried)}
        for name in self.stated:
            if name not in self.gone_through and name not in called:
                raise LabelError("every", name, f"a parameter that the check goes through: `for ... in each({name!r})`")
        functions = [calls for calls in self.calls if calls.instances and not calls.symbolic and not self._knows(calls)]
        if functions and outcome.verdict is Verdict.PROVED and not self.every:
            outcome = replace(outcome, function=_on_instances(functions))
        if not (part := self.in_part):
            return outcome
        words = _in_words(part)
        verdict = Verdict.CERTIFIED
        return replace(outcome, verdict=verdict, evidence=f"{outcome.evidence}; {words}, which is not all")


def _on_instances(functions: Sequence[Calls]) -> str:
    least = min(functions, key=lambda calls: (calls.instances, calls.outputs))
    up_to = f", up to {least.outputs} output{'s' * (least.outputs != 1)}" if least.outputs else ""
    return f"certified on {least.instances} instance{'s' * (least.instances != 1)}{up_to}"


_run: ContextVar[Coverage | None] = ContextVar("run", default=None)


def within_a_run() -> bool:
    """Whether the check of a claim is running, so that another claim is run as a part of it."""
    return _run.get() is not None


@contextmanager
def running(every: str | Stated, given: Sequence[Any], *, whole: bool) -> Iterator[Coverage]:
    """Inside the block, loops and calls are seen by this run; whether its instances are all that the claim states."""
    run = Coverage(bool(every) and whole, {} if isinstance(every, str) else dict(every), given)
    token = _run.set(run)
    try:
        yield run
    finally:
        _run.reset(token)


def each(name: str, values: Iterable[Any] | None = None) -> Iterator[Any]:
    """Go through values of a parameter, and say so.

    Parameters
    ----------
    name : str
        Of the parameter.
    values : finite iterable, optional
        Default: all that the claim states (``every={name: values}``); of a mapping the pairs of key and value. With
        other numbers or instances than those the verdict is certified at best. Pairs that begin with the stated values
        are these; parts of the statement that have words, letters or functions of their own need not be stated.

    Raises
    ------
    LabelError
        If there are no values, or there is more than a million of them.
    """
    run = _run.get()
    if values is None:
        if run is None or name not in run.stated:
            raise LabelError("each", name, "values, or the name of what the claim states: every={name: values}")
        stated = run.stated[name]
        values = stated.items() if isinstance(stated, Mapping) else stated
    finite = list(islice(values, _MOST + 1))
    if not 0 < len(finite) <= _MOST:
        raise LabelError("each", f"{name}: {len(finite)} values", f"1 to {_MOST} values")
    if run is None:
        yield from finite
        return
    with _open(run, name) as place:
        for value in finite:
            place.turn += 1
            yield value
    known = run.gone_through.setdefault(name, [])
    known += [value for value in finite if value not in known] if known else finite


_MOST = 10**6


@contextmanager
def _open(run: Coverage, name: str) -> Iterator[_Place]:
    place = _Place(name)
    run.places.append(place)
    try:
        yield place
    finally:
        run.places[:] = [other for other in run.places if other is not place]


def cases(conditions: Mapping[str, Any], given: Sequence[Any] = ()) -> Iterator[tuple[str, Any]]:
    """Go through a case distinction that leaves nothing out: the engine shows that one of the conditions always holds.

    Parameters
    ----------
    conditions : mapping of str to relation
        The cases, by name.
    given : sequence of relations, optional
        Wherever these hold; default: what is given in the claim.

    Raises
    ------
    LabelError
        If none of the conditions holds at some point.
    UndecidedError
        If it is not decided whether there is one.
    """
    run = _run.get()
    terms = any(isinstance(condition, Term) for condition in conditions.values())
    answer = prove((Or if terms else sp.Or)(*conditions.values()), list(given) or list(run.given if run else ()))
    if isinstance(answer, Fails):
        where = answer.witness.where
        raise LabelError(
            "cases", f"none of them at {where}", "conditions one of which holds wherever the hypotheses do"
        )
    if isinstance(answer, Undecided):
        raise UndecidedError(f"whether the cases leave nothing out: {answer.reason}")
    with _open(run or Coverage(False), "case") as place:
        for pair in conditions.items():
            place.turn += 1
            yield pair


def also_stated(stated: Stated) -> str:
    """Add parameters with all their values to what the claim states, and say so in words."""
    if (run := _run.get()) is not None:
        run.stated.update(stated)
    return _in_words(stated)


@dataclass(frozen=True)
class _Seal:
    verdict: Verdict


def sealed(outcome: Outcome) -> Outcome:
    """The outcome of what lpmech has settled itself."""
    return replace(outcome, seal=_Seal(outcome.verdict))


def judged(outcome: Outcome) -> Outcome:
    """The outcome; a check that says itself that something is proved or certified has only told so."""
    readings = {text: judged(reading) for text, reading in outcome.readings.items()}
    if outcome.verdict not in (Verdict.PROVED, Verdict.CERTIFIED) or outcome.seal == _Seal(outcome.verdict):
        return replace(outcome, readings=readings) if readings else outcome
    return replace(outcome, verdict=Verdict.TOLD)


def follows(name: str, *, was_given: bool = False) -> None:
    """Note that something follows from the hypotheses, or was among them."""
    if (run := _run.get()) is not None:
        run.followed[name] = not was_given


def spoken_of(hypotheses: Sequence[Any], questions: Sequence[Any]) -> None:
    """Note the letters of relations that the engine was asked about, or was given for one part."""
    if (run := _run.get()) is not None:
        run.under.setdefault(tuple(map(str, hypotheses)), hypotheses)
        relations = (*hypotheses, *questions)
        asked = (relation for relation in relations if not any(relation is given for given in run.given))
        run.spoken_of.update(*map(letters_in, asked))


def tried_here() -> None:
    """Note that an instance beside a proof has been tried: what is gone through around it need not be all."""
    if (run := _run.get()) is not None:
        run.tried.update(open.name for open in run.places)
        run.replayed = True


def settled_here(parts: Any = None) -> None:
    """Note that something is settled: by the generator that has just yielded, or where the caller was called.

    Raises
    ------
    LabelError
        If the same place of the source settles again and again, and no loop around it is declared.
    """
    run = _run.get()
    if run is None:
        return
    if isinstance(parts, GeneratorType):
        chain = []
        while isinstance(parts, GeneratorType) and parts.gi_frame is not None:
            chain.append((parts.gi_frame, parts.gi_frame.f_lasti, parts.gi_frame.f_lineno))
            parts = parts.gi_yieldfrom
        if isinstance(parts, type(iter({}.items()))):
            return  # of a mapping, which `lpmech.statements.loops` has looked at
        last, _, line = chain[-1]
        place = frozenset((one.f_code, at) for one, at, _ in chain)
        run.settles(place, f"{last.f_code.co_name}, line {line}: settles one thing after the other")
        return
    own = sys._getframe(1).f_code.co_filename
    caller = sys._getframe(2)
    if caller.f_code.co_filename == own:
        return
    stack = []
    frame: FrameType | None = caller
    while frame is not None and not frame.f_globals.get("__name__", "").startswith("lpmech.claims."):
        stack.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    where = f"{caller.f_code.co_name}, line {caller.f_lineno}: settles one thing after the other"
    run.settles(frozenset(stack), where)


#: What can be called, and is no class.
_FUNCTIONS = (FunctionType, MethodType, partial, type(cache(lambda: None)))


def followed(formula: Any, run: Coverage) -> Any:
    """The formula with its functions replaced by ones whose calls the run sees."""
    if type(formula) in (tuple, list):
        return type(formula)(followed(part, run) for part in formula)
    if type(formula) is dict:
        return {name: followed(part, run) for name, part in formula.items()}
    if isinstance(formula, (sp.Basic, Term)):
        run.in_formula.update(letters_in(formula))
        run.made.update(_terms(formula))
    if not isinstance(formula, _FUNCTIONS):
        return formula
    calls = Calls()
    run.calls.append(calls)
    signature = inspect.signature(formula)
    names = [p.name for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    plain = len(names) == len(signature.parameters)

    @wraps(formula)
    def seen(*arguments: Any, **named: Any) -> Any:
        with questions() as asked:
            result = formula(*arguments, **named)
        values = (
            dict(zip(names, arguments, strict=False))
            if plain and not named
            else signature.bind(*arguments, **named).arguments
        )
        if asked and has_letters(values):
            got = f"a function that asks {asked[0]} of a letter"
            raise LabelError("formula", got, "arithmetic, functions and relations of terms; cases are Piecewise")
        if calls.note(values, result):
            run.made.update(_terms(result))
            if calls.symbolic <= _COMPARED:
                run.at_letters.append(AtLetters(formula, values, result))
        return result

    return seen


def _terms(made: Any) -> Iterator[Term]:
    """What the formula is, or gives, as terms that say more than a number or a letter."""
    match made:
        case Term():
            yield from () if isinstance(made, (Number, Name)) else (made,)
        case list() | tuple():
            for part in made:
                yield from _terms(part)
        case Mapping():
            yield from _terms(list(made.values()))


def papers_side(relation: Any) -> str:
    """Which side of an equation has the formula in it: "left" or "right", empty where none has, or both."""
    match _run.get(), relation:
        case Coverage(made=made), Apply("==", sides) if made:
            has = [any(part in made for part in parts_of(side)) for side in sides]
            return ("left" if has[0] else "right") if has[0] != has[1] else ""
    return ""


#: So many calls with letters, of each function of the formula, are compared with calls with numbers.
_COMPARED = 4


def _is_name(value: Any) -> bool:
    """Whether a value names a part of the statement: words, letters, functions; numbers and tables are instances."""
    match value:
        case str():
            return _NUMBER.fullmatch(value.strip()) is None
        case Term():
            return bool(names_in(value)) or value in (TRUE, FALSE)
        case sp.Basic():
            return bool(value.free_symbols) or value in (sp.true, sp.false)
        case list() | tuple():
            return all(map(_is_name, value))
        case Mapping():
            return all(map(_is_name, value.values()))
    return callable(value)


_NUMBER = re.compile(r"[-+]?[\d.]+(/\d+|e[-+]?\d+)?")


_PLAIN = (int, float, Fraction, str)


def _is_all(values: Sequence[Any], stated: Collection[Any] | None) -> bool:
    if stated is None:
        return False
    whole = list(stated.items() if isinstance(stated, Mapping) else stated)
    firsts = [value[0] for value in values if isinstance(value, tuple) and value]
    return _equal(values, whole) or _equal(values, list(stated)) or _equal(firsts, list(stated))


def _equal(values: Sequence[Any], stated: Sequence[Any]) -> bool:
    if len(values) != len(stated):
        return False
    plain = {s for s in stated if isinstance(s, _PLAIN)}  # thousands of numbers are looked up, not compared
    return all(
        (isinstance(value, _PLAIN) and value in plain) or any(value is s or _alike(value, s) for s in stated)
        for value in values
    )


def _alike(value: Any, other: Any) -> bool:
    return isinstance(value, Term) == isinstance(other, Term) and bool(value == other)


def _in_words(stated: Mapping[str, Collection[Any]]) -> str:
    """Parameters with their values, where these are few and short, else with their number."""
    return "; ".join(f"each {name} {_listed(list(values))}" for name, values in stated.items())


def _listed(values: Sequence[Any]) -> str:
    if len(values) > 2 and all(type(v) is int for v in values) and values == list(range(values[0], values[-1] + 1)):
        return f"in {values[0]}..{values[-1]}"
    words = ", ".join(map(str, values))
    return f"in {words}" if len(values) <= _SHOWN and len(words) <= 60 else f"of {len(values)}"
