"""The exact set of parameters at which a statement holds, as an "if and only if" that is proved.

What the hypotheses do not decide of the statement is solved for a parameter, and the conditions are made short. Then
the engine proves that the statement follows from the condition, and the condition from the statement. Where that does
not succeed, or formulas for degrees one and two do not suffice, statements about up to three parameters are decided
cell by cell (`lpmech.conditions.cells`). Before that floors become whole numbers (`lpmech.conditions.rounding`), one
logarithm or exponential is undone (`lpmech.conditions.monotone`), and a parameter inside and outside of exponentials
is decided by monotone pieces (`lpmech.conditions.pieces`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TypeGuard

from lpmech.conditions import cells as cylindrical
from lpmech.conditions import pieces, rounding
from lpmech.conditions.by_cells import are_read, by_cells, is_high
from lpmech.conditions.connectives import (
    apart,
    contains,
    joined,
    negated,
    replaced,
    together,
    with_leading_signs,
    without_value,
)
from lpmech.conditions.monotone import undone
from lpmech.conditions.polynomials import Root
from lpmech.conditions.questions import Questions, implied
from lpmech.conditions.region_words import NamedRoot
from lpmech.conditions.rounding import Remainders, Rounded, has_floors, in_floors, says_more
from lpmech.conditions.signs import OutsideError
from lpmech.conditions.solving import NotSolvedError, Solver
from lpmech.conditions.substitution import in_exponentials, named_numbers, without_known
from lpmech.errors import UndecidedError
from lpmech.limits import seconds_left, time_limit
from lpmech.programs.solvers.real_roots import RealRoot
from lpmech.prove import Answer, Fails, Holds, Undecided, prove
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import defined
from lpmech.prove.texts import in_sympy
from lpmech.terms import FALSE, TRUE, ZERO, Apply, Name, Node, Number, names_in, substituted
from lpmech.terms.functions import OPPOSITE, Eq, Not, Or, Whole, floor

__all__ = ["Condition", "condition"]

#: The signs of so many factors are gone through.
_MOST_FACTORS = 3
#: So much processor time is given to one way before the other is tried.
_SECONDS_FOR_CELLS, _SECONDS_FOR_FORMULAS = 20.0, 12.0
#: And for whether a logarithm has a value.
_SECONDS_FOR_A_SIGN = 2.0
#: Of what time is left so much is given to one way, so that another one can be told of; and there may be no limit.
_SHARE, _LONGEST = 0.7, 1e6


@dataclass(frozen=True)
class Condition:
    """Under which condition a statement holds.

    Attributes
    ----------
    condition : term
        True where it always holds, False where it never does.
    necessary, sufficient : Holds, Fails or Undecided
        Whether the engine proves that the statement implies the condition, and the condition the statement.
    details : tuple of str
        What the numbers in the condition are, and what was left unsolved.
    is_undone : bool
        Whether bounds on exponentials, logarithms and roots were proved, and are written as bounds on parameters.
    is_simpler : bool
        Whether it says more than the statement itself.
    roots : mapping of str to NamedRoot, RealRoot or Root
        What the names in the condition are that are no parameters.
    without_names : term, optional
        The same in parameters alone, where the condition has such names.
    proofs : tuple of (str, Holds)
        What the engine has proved of both directions, by cases; empty where another method proves it.
    """

    condition: Node
    necessary: Answer
    sufficient: Answer
    details: tuple[str, ...] = ()
    is_undone: bool = False
    is_simpler: bool = True
    roots: Mapping[str, NamedRoot | RealRoot | Root] = field(default_factory=dict)
    without_names: Node | None = None
    proofs: tuple[tuple[str, Holds], ...] = field(default=(), compare=False, repr=False)

    @property
    def is_proved(self) -> bool:
        """Whether both directions are."""
        return bool(self.necessary) and bool(self.sufficient)

    @property
    def method(self) -> str:
        """By what both directions are proved."""
        methods = [m for one in (self.necessary, self.sufficient) if isinstance(one, Holds) for m in one.methods]
        last = ["exp, log and roots increase"] if self.is_undone else []
        return ", ".join(dict.fromkeys([*methods, *last])) or "nothing to show"

    def __str__(self) -> str:
        if self.condition == TRUE:
            return "always"
        if self.condition == FALSE:
            return "never" if self.is_proved else "perhaps never (not proved)"
        directions = {
            (True, True): "if and only if", (True, False): "only if", (False, True): "if",
            (False, False): "perhaps if and only if (not proved)",
        }  # fmt: skip
        return f"{directions[bool(self.necessary), bool(self.sufficient)]} {self.told}"

    @property
    def told(self) -> str:
        """The condition as text."""
        return str(with_leading_signs(self.condition))


def condition(
    statement: Node,
    hypotheses: Sequence[Node],
    *,
    whole: Collection[str] = (),
    solve: str | None = None,
    timeout_seconds: float = 5.0,
) -> Condition:
    """Under which condition a statement holds at the points of the hypotheses.

    Parameters
    ----------
    statement : term
        Relations joined by and, or, not, implies, iff.
    hypotheses : sequence of terms
    whole : collection of str
        The parameters that are whole numbers, as the hypotheses say.
    solve : str, optional
        The parameter to solve for; default: whichever gives the simplest condition.
    timeout_seconds : float
        For each question to the engine.

    Raises
    ------
    NotSolvedError
        If no condition was found; it says what stands in the way.
    """
    asked = _Asked(statement, tuple(hypotheses), frozenset(whole), solve, timeout_seconds)
    found = _found(asked)
    if solve is None and not found.is_simpler:
        found = _for_any(asked, sorted(names_in(statement))) or found
    names = names_in(statement)
    if len(names) == 1 and not _is_solved(found.condition, *names):
        found = replace(found, is_simpler=False)  # x >= exp(1/log(x + 1)) is no condition on x
    told = (f"not solved for {solve}",) if solve is not None and not _is_solved(found.condition, solve) else ()
    return replace(found, details=(*found.details, *told))


@dataclass(frozen=True)
class _Asked:
    """A statement of which the condition is asked, as `condition` has it."""

    statement: Node
    hypotheses: tuple[Node, ...]
    whole: frozenset[str]
    solve: str | None
    seconds: float

    def about(self, statement: Node, solve: str | None = None) -> _Asked:
        """The same of another statement, solved for another parameter."""
        return replace(self, statement=statement, solve=solve)

    def under(self, hypotheses: Iterable[Node], whole: Collection[str] = ()) -> _Asked:
        """The same under other hypotheses, with further whole numbers."""
        return replace(self, hypotheses=tuple(hypotheses), whole=self.whole | {*whole})

    def proved(self, conclusion: Node, *more: Node) -> Answer:
        """What the engine says of a conclusion from the hypotheses, and more."""
        return prove(conclusion, [*self.hypotheses, *more], timeout_seconds=self.seconds)

    @property
    def is_contradictory(self) -> bool:
        """Whether no point satisfies the hypotheses."""
        return _contradict(self.proved(FALSE))

    @cached_property
    def questions(self) -> Questions:
        """What follows from the hypotheses."""
        return Questions(self.hypotheses, self.seconds, self.whole)


def _is_solved(node: Node, name: str) -> bool:
    """Whether a parameter stands on the left, and there only, wherever a condition speaks of it."""
    match node:
        case Apply("and" | "or", parts):
            return all(_is_solved(part, name) for part in parts)
        case Apply(relation, (_, right)) if relation in OPPOSITE:
            return name not in names_in(right)
    return name not in names_in(node)


def _found(asked: _Asked) -> Condition:
    """The same, where a part of the condition may have no value and another one decides."""
    statement = asked.statement
    if has_floors(statement):
        return _of_rounded(replace(asked, statement=in_floors(statement)))
    if (simpler := undone(statement, asked.questions.follows, asked.whole)) != statement:
        found = _found(replace(asked, statement=simpler))
        return replace(found, is_undone=True, without_names=statement if found.roots else None)
    try:
        found = _by_algebra(asked)
    except NotSolvedError:
        if (other := _with_named_numbers(asked)) is None:
            raise
        return other
    if found.is_proved and found.is_simpler:
        return found
    return _with_named_numbers(asked) or found


def _by_algebra(asked: _Asked) -> Condition:
    """By formulas, monotone pieces, or cells."""
    read = replace(asked, statement=in_exponentials(asked.statement, asked.whole))
    try:
        high, is_read = is_high(read.statement, read.hypotheses, read.solve), True
    except OutsideError:
        high = is_read = False
    cells = (_of_cells if high else _of_pieces)(read)
    is_told = isinstance(cells, Condition) and cells.condition not in (TRUE, FALSE)
    if isinstance(cells, Condition) and is_told and are_read(read.hypotheses, read.statement):
        return cells
    left = seconds_left(_LONGEST)
    try:
        with time_limit(_SHARE * left if isinstance(cells, Condition) else left, _too_long(left)):
            return _by_formulas(asked, read, is_read, cells)
    except UndecidedError:
        if isinstance(cells, Condition):
            return cells
        raise


def _by_formulas(asked: _Asked, read: _Asked, is_read: bool, cells: Condition | str) -> Condition:
    """By formulas for a parameter; if these do not suffice, by the cells, which may be known already."""
    always = asked.proved(asked.statement)
    if isinstance(always, Holds):
        return Condition(TRUE, always, always, proofs=((f"{asked.statement}", always),))
    if _contradict(always):
        raise NotSolvedError(always.reason)
    never = asked.proved(Not(asked.statement))
    if isinstance(never, Holds):
        return Condition(FALSE, never, never, proofs=((f"{Not(asked.statement)}", never),))
    if isinstance(cells, Condition):
        return cells
    try:
        limit = _SHARE * seconds_left(_SECONDS_FOR_FORMULAS / _SHARE if is_read else _LONGEST)
        with time_limit(limit, _too_long(limit)):
            found = _solved(read, _MOST_FACTORS if is_read else None)
            found = replace(found, proofs=found.proofs if read.statement == asked.statement else ())
    except (NotSolvedError, UndecidedError) as exc:
        cells = cells or _of_cells(read)
        if isinstance(cells, Condition):
            return cells
        raise type(exc)(f"{exc}; {cells}" if is_read else str(exc)) from None
    if found.is_proved and found.is_simpler:
        return found
    cells = cells or _of_cells(read)
    return cells if isinstance(cells, Condition) else replace(found, details=(*found.details, cells))


def _of_rounded(asked: _Asked) -> Condition:
    """By whole numbers in place of floors, or by remainders where a parameter stands on both sides of a bound."""
    statement, solve, whole = asked.statement, asked.solve, asked.whole
    rounded, names = Rounded.of(statement), names_in(statement)
    freed = rounded.freed(rounded.statement, whole)
    if freed != statement:
        found = _found(replace(asked, statement=freed))
        return replace(found, necessary=_rounded(found.necessary), sufficient=_rounded(found.sufficient), proofs=())
    for number, x in enumerate(rounded.letters.values()):
        needed = term_of(defined(in_sympy(Eq(x, ZERO))))
        if not isinstance(implied(asked.under(rounded.hypotheses(asked.hypotheses, number)).proved(needed)), Holds):
            part = floor(substituted(x, {name: floor(inner) for name, inner in rounded.letters.items()}))
            return _where_defined(asked, part, needed)
    taken = names.union(*map(names_in, asked.hypotheses))
    remainders = Remainders.of(statement, whole, taken, solve)
    if remainders is not None and names == {remainders.name}:
        return _of_remainders(asked, remainders)
    inside = names_in(rounded.statement)
    if solve is not None and solve not in inside:  # solved for by way of what is rounded
        solve = next((name for name in inside & {*rounded.letters} if solve in names_in(rounded.letters[name])), None)
    letters = asked.under(rounded.hypotheses(asked.hypotheses), rounded.letters)
    found = _found(letters.about(rounded.statement, solve))
    told = asked.questions.guarded(rounded.back(found.condition, whole))
    if remainders is not None and not (found.is_simpler and says_more(told)):
        return _of_remainders(asked, remainders)
    if found.is_proved and not (found.roots or says_more(told) or has_floors(told)):  # bounds on what was rounded
        then = _found(asked.about(told))
        directions = (_together([found.necessary, then.necessary]), _together([found.sufficient, then.sufficient]))
        return replace(then, necessary=_rounded(directions[0]), sufficient=_rounded(directions[1]), proofs=())
    return replace(
        found,
        condition=told,
        necessary=_rounded(found.necessary),
        sufficient=_rounded(found.sufficient),
        is_simpler=found.is_simpler and says_more(told),
        without_names=statement if found.roots else None,
        proofs=(),
    )


def _rounded(answer: Answer) -> Answer:
    return Holds((*answer.methods, rounding.METHOD)) if isinstance(answer, Holds) else answer


def _of_remainders(asked: _Asked, remainders: Remainders) -> Condition:
    """For each remainder by itself."""
    found, told = list[Condition](), list[Node | None]()
    solve = remainders.own if asked.solve == remainders.name else asked.solve
    for rest in range(remainders.modulus):
        given = [*(remainders.into(one, rest) for one in asked.hypotheses), Whole(Name(remainders.own))]
        there = asked.under(given, [remainders.own])
        if there.is_contradictory:
            told.append(None)
            continue
        found.append(_found(there.about(remainders.into(asked.statement, rest), solve)))
        told.append(remainders.back(found[-1].condition, rest))
        if found[-1].roots:
            raise NotSolvedError(f"for each remainder of {remainders.name} by {remainders.modulus} other roots")
    if not found:
        raise NotSolvedError("the hypotheses contradict each other")
    is_simpler = all(one.is_simpler for one in found)
    directions = zip(*((one.necessary, one.sufficient) for one in found), strict=True)
    necessary, sufficient = map(_together, directions)
    return Condition(remainders.joined(told), _rounded(necessary), _rounded(sufficient), is_simpler=is_simpler)


def _together(answers: Sequence[Answer]) -> Answer:
    """One answer for all cases."""
    left = next((one for one in answers if not isinstance(one, Holds)), None)
    return left or Holds(tuple(dict.fromkeys(m for one in answers if isinstance(one, Holds) for m in one.methods)))


def _of_cells(asked: _Asked) -> Condition | str:
    """From a cylindrical decomposition, which proves both directions; or why there is none."""
    try:
        with time_limit(limit := _SHARE * seconds_left(_SECONDS_FOR_CELLS / _SHARE), _too_long(limit)):
            found = by_cells(asked.statement, asked.hypotheses, asked.whole, asked.solve)
    except (OutsideError, UndecidedError) as exc:
        return f"not decided cell by cell: {exc}"
    shown = Holds((cylindrical.METHOD,))
    plain = asked.statement if found.roots else None
    necessary = Undecided(found.undecided) if found.undecided else shown
    told = (*found.told, found.undecided) if found.undecided else found.told
    return Condition(
        joined(found.alternatives), necessary, shown, told, found.is_undone, roots=found.roots, without_names=plain
    )


def _too_long(seconds: float) -> UndecidedError:
    return UndecidedError(f"no result within {seconds:.2g} seconds of processor time")


def _of_pieces(asked: _Asked) -> Condition | str:
    """From the monotone pieces of functions of one parameter; or why not, "" where it is about others."""
    part = pieces.logarithm(asked.statement)
    quick = replace(asked, seconds=_SECONDS_FOR_A_SIGN)
    if part is not None and not quick.questions.follows(part.arguments[0] > 0):
        return _where_defined(quick, part, part.arguments[0] > 0)
    try:
        with time_limit(limit := _SHARE * seconds_left(_SECONDS_FOR_CELLS / _SHARE), _too_long(limit)):
            found = pieces.by_pieces(asked.statement, asked.hypotheses, asked.whole)
    except (OutsideError, UndecidedError) as exc:
        return f"not decided by {pieces.METHOD}: {exc}"
    if found is None:
        return ""
    shown, told = Holds((pieces.METHOD,)), tuple(f"{name}: {root}" for name, root in found.roots.items())
    plain = asked.statement if found.roots else None
    return Condition(joined(found.alternatives), shown, shown, told, roots=found.roots, without_names=plain)


def _where_defined(asked: _Asked, part: Node, needed: Node) -> Condition:
    """Where a part of the statement has a value, and where it has none, so that no relation with it is true."""
    cases, told = list[Condition](), list[tuple[Node, ...]]()
    for case, statement in ((needed, asked.statement), (negated(needed), without_value(asked.statement, part))):
        there = asked.under((*asked.hypotheses, case))
        if statement == FALSE or there.is_contradictory:
            continue
        where = _found(asked.about(case))
        found = _found(there.about(statement, asked.solve if asked.solve in names_in(statement) else None))
        told += together(apart(where.condition), apart(found.condition))
        cases += where, found
    roots = {name: root for one in cases for name, root in one.roots.items()}
    if len(roots) < sum(len(one.roots) for one in cases):
        raise NotSolvedError(f"where {part} has a value, and where it has none, other roots")
    near = [bound for name, one in roots.items() for bound in _bounds(name, one)]
    questions = asked.under((*asked.hypotheses, *near)).questions
    every = questions.shortened(told)
    return Condition(
        questions.guarded(joined([one.conditions for one in every])), _together([one.necessary for one in cases]),
        _together([one.sufficient for one in cases]), tuple(text for one in cases for text in one.details),
        any(one.is_undone for one in cases), all(one.is_simpler for one in cases), roots,
        asked.statement if roots else None,
    )  # fmt: skip


def _bounds(name: str, root: NamedRoot | RealRoot | Root) -> list[Node]:
    """Between which numbers a root lies that is a number itself."""
    if not isinstance(root, Root):
        return []
    return [Name(name) >= Number(root.lower), Name(name) <= Number(root.upper)]


def _with_named_numbers(asked: _Asked) -> Condition | None:
    """With numbers such as log(2) as parameters of which bounds are known; None where that does not solve it."""
    numbers = named_numbers(asked.statement)
    if not numbers:
        return None
    plain, given = asked.statement, [*asked.hypotheses]
    for name, (value, *bounds) in numbers.items():
        plain, *given = (replaced(one, value, Name(name)) for one in (plain, *given))
        given += bounds
    names = [asked.solve] if asked.solve else sorted(names_in(asked.statement))
    found = _for_any(asked.under(given).about(plain), names)
    if found is None or found.roots:
        return None
    told = found.condition
    for name, (value, *_) in numbers.items():
        told = replaced(told, Name(name), value)
    return replace(found, condition=without_known(told), proofs=())


def _for_any(asked: _Asked, names: Sequence[str]) -> Condition | None:
    """Solved for the first parameter of which it is proved and says more than the statement."""
    for name in names:
        try:
            found = _found(replace(asked, solve=name))
        except NotSolvedError:
            continue
        if found.is_proved and found.is_simpler:
            return found
    return None


def _solved(asked: _Asked, most_factors: int | None) -> Condition:
    """By formulas for a parameter, proved by the engine."""
    statement, questions = asked.statement, asked.questions
    solver = Solver(questions, asked.whole, asked.solve, most_factors)
    every = questions.shortened(solver.alternatives(statement))
    plain = {inside: solver.plain(inside) for one in every for inside in one.conditions}
    told = joined([tuple(plain[node] for node in one.conditions) for one in every])
    necessary = implied(asked.proved(told, statement))
    if isinstance(necessary, Undecided) and len(every) == 1:
        necessary = _together([implied(asked.proved(node, statement)) for node in apart(told)[0]])
    if isinstance(necessary, Undecided):
        necessary = _by_signs(asked, told, list(solver.factors)) or necessary
    if told == FALSE and isinstance(necessary, Holds):  # nowhere true, and somewhere without a value
        return Condition(FALSE, necessary, necessary)
    sufficient: Answer = Holds(())
    methods: tuple[str, ...] = ()
    proofs = [(f"{told} for {statement}", necessary)]
    for one in every:
        known = [plain[node] for node in one.conditions] + [solver.plain(node) for node in one.facts]
        answer = implied(asked.proved(statement, *known))
        if not isinstance(answer, Holds):
            sufficient = answer
            break
        methods += answer.methods
        proofs.append((f"{statement} for {' and '.join(map(str, known))}", answer))
        sufficient = Holds(tuple(dict.fromkeys(methods)), answer.example)
    found = questions.guarded(joined([one.conditions for one in every]))
    for direction, answer in (("necessary", necessary), ("sufficient", sufficient)):
        if isinstance(answer, Fails):
            raise NotSolvedError(f"{found} is not {direction}: {answer.witness}")
    details = tuple(f"{node}: {text}" for node, text in solver.told.items() if contains(found, node))
    says_nothing = found in solver.unsolved and isinstance(statement, Apply) and statement.operation in OPPOSITE
    is_undone = any(a != b for a, b in plain.items())
    shown = tuple((name, one) for name, one in proofs if isinstance(one, Holds) and one.record is not None)
    complete = shown if len(shown) == len(proofs) == len(every) + 1 and not is_undone else ()
    return Condition(found, necessary, sufficient, details, is_undone, not says_nothing, proofs=complete)


def _by_signs(asked: _Asked, told: Node, factors: Sequence[Node]) -> Holds | None:
    """That a condition is necessary, for each choice of signs of the factors that decide; None if not proved so."""
    if not 0 < len(factors) <= _MOST_FACTORS:
        return None
    cases = [[Apply(sign, (factor, ZERO)) for sign in ("<", "==", ">")] for factor in factors]
    methods: dict[str, None] = {}
    for one in cases:  # of a factor without a value none holds
        has_value = implied(asked.proved(Or(*one), asked.statement))
        if not isinstance(has_value, Holds):
            return None
    for signs in product(*cases):
        answer = implied(asked.proved(told, asked.statement, *signs))
        if not isinstance(answer, Holds):
            return None
        methods |= dict.fromkeys(answer.methods)
    return Holds((*methods, "signs of the factors"))


def _contradict(answer: Answer) -> TypeGuard[Undecided]:
    """Whether the engine found that no point satisfies the hypotheses."""
    return isinstance(answer, Undecided) and "contradict" in answer.reason
