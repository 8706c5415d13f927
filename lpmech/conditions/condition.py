"""The exact set of parameters at which a statement holds, as an "if and only if" that is proved.

What the hypotheses do not decide of the statement is solved for a parameter, and the conditions are made short. Then
the engine proves that the statement follows from the condition, and the condition from the statement. Where that does
not succeed, or formulas for degrees one and two do not suffice, statements about up to three parameters are decided
cell by cell (`lpmech.conditions.cells`). Before that floors become whole numbers (`lpmech.conditions.rounding`), one
logarithm or exponential is undone (`lpmech.conditions.monotone`), and a parameter inside and outside of exponentials
is decided by monotone pieces (`lpmech.conditions.pieces`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeGuard

from lpmech.conditions import cells as cylindrical
from lpmech.conditions import pieces, rounding
from lpmech.conditions.by_cells import are_read, by_cells, is_high
from lpmech.conditions.connectives import apart, contains, joined, negated, replaced, together, without_value
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
    """

    condition: Node
    necessary: Answer
    sufficient: Answer
    details: tuple[str, ...] = ()
    is_undone: bool = False
    is_simpler: bool = True
    roots: Mapping[str, NamedRoot | RealRoot | Root] = field(default_factory=dict)
    without_names: Node | None = None

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
        return f"{directions[bool(self.necessary), bool(self.sufficient)]} {self.condition}"


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
    found = _found(statement, hypotheses, whole, solve, timeout_seconds)
    if solve is None and not found.is_simpler:
        found = _for_any(statement, hypotheses, whole, timeout_seconds, sorted(names_in(statement))) or found
    told = (f"not solved for {solve}",) if solve is not None and not _is_solved(found.condition, solve) else ()
    return replace(found, details=(*found.details, *told))


def _is_solved(node: Node, name: str) -> bool:
    """Whether a parameter stands on the left, and there only, wherever a condition speaks of it."""
    match node:
        case Apply("and" | "or", parts):
            return all(_is_solved(part, name) for part in parts)
        case Apply(relation, (_, right)) if relation in OPPOSITE:
            return name not in names_in(right)
    return name not in names_in(node)


def _found(
    statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None, timeout_seconds: float
) -> Condition:
    """The same, where a part of the condition may have no value and another one decides."""
    if has_floors(statement):
        return _of_rounded(in_floors(statement), hypotheses, frozenset(whole), solve, timeout_seconds)
    follows = Questions(tuple(hypotheses), timeout_seconds, frozenset(whole)).follows
    if (simpler := undone(statement, follows, whole)) != statement:
        found = _found(simpler, hypotheses, whole, solve, timeout_seconds)
        return replace(found, is_undone=True, without_names=statement if found.roots else None)
    try:
        found = _by_algebra(statement, hypotheses, whole, solve, timeout_seconds)
    except NotSolvedError:
        if (other := _with_named_numbers(statement, hypotheses, whole, solve, timeout_seconds)) is None:
            raise
        return other
    if found.is_proved and found.is_simpler:
        return found
    return _with_named_numbers(statement, hypotheses, whole, solve, timeout_seconds) or found


def _by_algebra(
    given: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None, timeout_seconds: float
) -> Condition:
    """By formulas, monotone pieces, or cells."""
    statement = in_exponentials(given, whole)
    try:
        high, is_read = is_high(statement, hypotheses, solve), True
    except OutsideError:
        high = is_read = False
    cells = (_of_cells if high else _of_pieces)(statement, hypotheses, whole, solve)
    if isinstance(cells, Condition) and cells.condition not in (TRUE, FALSE) and are_read(hypotheses, statement):
        return cells
    left = seconds_left(_LONGEST)
    try:
        with time_limit(_SHARE * left if isinstance(cells, Condition) else left, _too_long(left)):
            return _by_formulas(given, statement, hypotheses, whole, solve, timeout_seconds, is_read, cells)
    except UndecidedError:
        if isinstance(cells, Condition):
            return cells
        raise


def _by_formulas(
    given: Node, statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None,
    timeout_seconds: float, is_read: bool, cells: Condition | str,
) -> Condition:  # fmt: skip
    """By formulas for a parameter; if these do not suffice, by the cells, which may be known already."""
    always = prove(given, hypotheses, timeout_seconds=timeout_seconds)
    if isinstance(always, Holds):
        return Condition(TRUE, always, always)
    if _contradict(always):
        raise NotSolvedError(always.reason)
    never = prove(Not(given), hypotheses, timeout_seconds=timeout_seconds)
    if isinstance(never, Holds):
        return Condition(FALSE, never, never)
    if isinstance(cells, Condition):
        return cells
    try:
        limit = _SHARE * seconds_left(_SECONDS_FOR_FORMULAS / _SHARE if is_read else _LONGEST)
        with time_limit(limit, _too_long(limit)):
            found = _solved(statement, hypotheses, whole, solve, timeout_seconds, _MOST_FACTORS if is_read else None)
    except (NotSolvedError, UndecidedError) as exc:
        cells = cells or _of_cells(statement, hypotheses, whole, solve)
        if isinstance(cells, Condition):
            return cells
        raise type(exc)(f"{exc}; {cells}" if is_read else str(exc)) from None
    if found.is_proved and found.is_simpler:
        return found
    cells = cells or _of_cells(statement, hypotheses, whole, solve)
    return cells if isinstance(cells, Condition) else replace(found, details=(*found.details, cells))


def _of_rounded(
    statement: Node, hypotheses: Sequence[Node], whole: frozenset[str], solve: str | None, timeout_seconds: float
) -> Condition:
    """By whole numbers in place of floors, or by remainders where a parameter stands on both sides of a bound."""
    rounded, names = Rounded.of(statement), names_in(statement)
    questions = Questions(tuple(hypotheses), timeout_seconds, whole)
    freed = rounded.freed(rounded.statement, whole)
    if freed != statement:
        return _found(freed, hypotheses, whole, solve, timeout_seconds)
    for number, x in enumerate(rounded.letters.values()):
        needed = term_of(defined(in_sympy(Eq(x, ZERO))))
        answer = prove(needed, rounded.hypotheses(hypotheses, number), timeout_seconds=timeout_seconds)
        if not isinstance(implied(answer), Holds):
            part = floor(substituted(x, {name: floor(inner) for name, inner in rounded.letters.items()}))
            return _where_defined(part, needed, statement, hypotheses, whole, solve, timeout_seconds)
    taken = names.union(*map(names_in, hypotheses))
    remainders = Remainders.of(statement, whole, taken, solve)
    if remainders is not None and names == {remainders.name}:
        return _of_remainders(remainders, statement, hypotheses, whole, solve, timeout_seconds)
    inside = names_in(rounded.statement)
    if solve is not None and solve not in inside:  # solved for by way of what is rounded
        solve = next((name for name in inside & {*rounded.letters} if solve in names_in(rounded.letters[name])), None)
    letters = whole | {*rounded.letters}
    found = _found(rounded.statement, rounded.hypotheses(hypotheses), letters, solve, timeout_seconds)
    told = questions.guarded(rounded.back(found.condition, whole))
    if remainders is not None and not (found.is_simpler and says_more(told)):
        return _of_remainders(remainders, statement, hypotheses, whole, solve, timeout_seconds)
    if found.is_proved and not (found.roots or says_more(told) or has_floors(told)):  # bounds on what was rounded
        then = _found(told, hypotheses, whole, None, timeout_seconds)
        directions = (_together([found.necessary, then.necessary]), _together([found.sufficient, then.sufficient]))
        return replace(then, necessary=_rounded(directions[0]), sufficient=_rounded(directions[1]))
    return replace(
        found,
        condition=told,
        necessary=_rounded(found.necessary),
        sufficient=_rounded(found.sufficient),
        is_simpler=found.is_simpler and says_more(told),
        without_names=statement if found.roots else None,
    )


def _rounded(answer: Answer) -> Answer:
    return Holds((*answer.methods, rounding.METHOD)) if isinstance(answer, Holds) else answer


def _of_remainders(
    remainders: Remainders,
    statement: Node,
    hypotheses: Sequence[Node],
    whole: frozenset[str],
    solve: str | None,
    timeout_seconds: float,
) -> Condition:
    """For each remainder by itself."""
    found, told = list[Condition](), list[Node | None]()
    for rest in range(remainders.modulus):
        given = [*(remainders.into(one, rest) for one in hypotheses), Whole(Name(remainders.own))]
        if _contradict(prove(FALSE, given, timeout_seconds=timeout_seconds)):
            told.append(None)
            continue
        own = remainders.own if solve == remainders.name else solve
        asked, letters = remainders.into(statement, rest), whole | {remainders.own}
        found.append(_found(asked, given, letters, own, timeout_seconds))
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


def _of_cells(
    statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None
) -> Condition | str:
    """From a cylindrical decomposition, which proves both directions; or why there is none."""
    try:
        with time_limit(limit := _SHARE * seconds_left(_SECONDS_FOR_CELLS / _SHARE), _too_long(limit)):
            found = by_cells(statement, hypotheses, whole, solve)
    except (OutsideError, UndecidedError) as exc:
        return f"not decided cell by cell: {exc}"
    shown = Holds((cylindrical.METHOD,))
    plain = statement if found.roots else None
    necessary = Undecided(found.undecided) if found.undecided else shown
    told = (*found.told, found.undecided) if found.undecided else found.told
    return Condition(
        joined(found.alternatives), necessary, shown, told, found.is_undone, roots=found.roots, without_names=plain
    )


def _too_long(seconds: float) -> UndecidedError:
    return UndecidedError(f"no result within {seconds:.2g} seconds of processor time")


def _of_pieces(
    statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None
) -> Condition | str:
    """From the monotone pieces of functions of one parameter; or why not, "" where it is about others."""
    part = pieces.logarithm(statement)
    if part is not None and not Questions(tuple(hypotheses), _SECONDS_FOR_A_SIGN).follows(part.arguments[0] > 0):
        return _where_defined(part, part.arguments[0] > 0, statement, hypotheses, whole, solve, _SECONDS_FOR_A_SIGN)
    try:
        with time_limit(limit := _SHARE * seconds_left(_SECONDS_FOR_CELLS / _SHARE), _too_long(limit)):
            found = pieces.by_pieces(statement, hypotheses, whole)
    except (OutsideError, UndecidedError) as exc:
        return f"not decided by {pieces.METHOD}: {exc}"
    if found is None:
        return ""
    shown, told = Holds((pieces.METHOD,)), tuple(f"{name}: {root}" for name, root in found.roots.items())
    plain = statement if found.roots else None
    return Condition(joined(found.alternatives), shown, shown, told, roots=found.roots, without_names=plain)


def _where_defined(
    part: Node, needed: Node, statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None,
    timeout_seconds: float,
) -> Condition:  # fmt: skip
    """Where a part of the statement has a value, and where it has none, so that no relation with it is true."""
    cases, told = list[Condition](), list[tuple[Node, ...]]()
    for case, asked in ((needed, statement), (negated(needed), without_value(statement, part))):
        given = [*hypotheses, case]
        if asked == FALSE or _contradict(prove(FALSE, given, timeout_seconds=timeout_seconds)):
            continue
        where = _found(case, hypotheses, whole, None, timeout_seconds)
        found = _found(asked, given, whole, solve if solve in names_in(asked) else None, timeout_seconds)
        told += together(apart(where.condition), apart(found.condition))
        cases += where, found
    roots = {name: root for one in cases for name, root in one.roots.items()}
    if len(roots) < sum(len(one.roots) for one in cases):
        raise NotSolvedError(f"where {part} has a value, and where it has none, other roots")
    near = [bound for name, one in roots.items() for bound in _bounds(name, one)]
    questions = Questions((*hypotheses, *near), timeout_seconds, frozenset(whole))
    every = questions.shortened(told)
    return Condition(
        questions.guarded(joined([one.conditions for one in every])), _together([one.necessary for one in cases]),
        _together([one.sufficient for one in cases]), tuple(text for one in cases for text in one.details),
        any(one.is_undone for one in cases), all(one.is_simpler for one in cases), roots, statement if roots else None,
    )  # fmt: skip


def _bounds(name: str, root: NamedRoot | RealRoot | Root) -> list[Node]:
    """Between which numbers a root lies that is a number itself."""
    if not isinstance(root, Root):
        return []
    return [Name(name) >= Number(root.lower), Name(name) <= Number(root.upper)]


def _with_named_numbers(
    statement: Node, hypotheses: Sequence[Node], whole: Collection[str], solve: str | None, timeout_seconds: float
) -> Condition | None:
    """With numbers such as log(2) as parameters of which bounds are known; None where that does not solve it."""
    numbers = named_numbers(statement)
    if not numbers:
        return None
    plain, given = statement, [*hypotheses]
    for name, (value, *bounds) in numbers.items():
        plain, *given = (replaced(one, value, Name(name)) for one in (plain, *given))
        given += bounds
    found = _for_any(plain, given, whole, timeout_seconds, [solve] if solve else sorted(names_in(statement)))
    if found is None or found.roots:
        return None
    asked = found.condition
    for name, (value, *_) in numbers.items():
        asked = replaced(asked, Name(name), value)
    return replace(found, condition=without_known(asked))


def _for_any(
    statement: Node, hypotheses: Sequence[Node], whole: Collection[str], timeout_seconds: float, names: Sequence[str]
) -> Condition | None:
    """Solved for the first parameter of which it is proved and says more than the statement."""
    for name in names:
        try:
            found = _found(statement, hypotheses, whole, name, timeout_seconds)
        except NotSolvedError:
            continue
        if found.is_proved and found.is_simpler:
            return found
    return None


def _solved(
    statement: Node,
    hypotheses: Sequence[Node],
    whole: Collection[str],
    solve: str | None,
    timeout_seconds: float,
    most_factors: int | None,
) -> Condition:
    """By formulas for a parameter, proved by the engine."""
    questions = Questions(tuple(hypotheses), timeout_seconds, frozenset(whole))
    solver = Solver(questions, frozenset(whole), solve, most_factors)
    every = questions.shortened(solver.alternatives(statement))
    plain = {inside: solver.plain(inside) for one in every for inside in one.conditions}
    asked = joined([tuple(plain[node] for node in one.conditions) for one in every])
    necessary = implied(prove(asked, [*hypotheses, statement], timeout_seconds=timeout_seconds))
    if isinstance(necessary, Undecided) and len(every) == 1:
        each = [prove(node, [*hypotheses, statement], timeout_seconds=timeout_seconds) for node in apart(asked)[0]]
        necessary = _together(list(map(implied, each)))
    if isinstance(necessary, Undecided):
        necessary = _by_signs(asked, [*hypotheses, statement], list(solver.factors), timeout_seconds) or necessary
    if asked == FALSE and isinstance(necessary, Holds):  # nowhere true, and somewhere without a value
        return Condition(FALSE, necessary, necessary)
    sufficient: Answer = Holds(())
    methods: tuple[str, ...] = ()
    for one in every:
        known = [plain[node] for node in one.conditions] + [solver.plain(node) for node in one.facts]
        answer = implied(prove(statement, [*hypotheses, *known], timeout_seconds=timeout_seconds))
        if not isinstance(answer, Holds):
            sufficient = answer
            break
        methods += answer.methods
        sufficient = Holds(tuple(dict.fromkeys(methods)), answer.example)
    found = questions.guarded(joined([one.conditions for one in every]))
    for direction, answer in (("necessary", necessary), ("sufficient", sufficient)):
        if isinstance(answer, Fails):
            raise NotSolvedError(f"{found} is not {direction}: {answer.witness}")
    details = tuple(f"{node}: {text}" for node, text in solver.told.items() if contains(found, node))
    says_nothing = found in solver.unsolved and isinstance(statement, Apply) and statement.operation in OPPOSITE
    return Condition(found, necessary, sufficient, details, any(a != b for a, b in plain.items()), not says_nothing)


def _by_signs(asked: Node, given: Sequence[Node], factors: Sequence[Node], seconds: float) -> Holds | None:
    """That a condition follows, for each choice of signs of the factors that decide; None if it is not proved so."""
    if not 0 < len(factors) <= _MOST_FACTORS:
        return None
    cases = [[Apply(sign, (factor, ZERO)) for sign in ("<", "==", ">")] for factor in factors]
    methods: dict[str, None] = {}
    for one in cases:  # of a factor without a value none holds
        has_value = implied(prove(Or(*one), given, timeout_seconds=seconds))
        if not isinstance(has_value, Holds):
            return None
    for signs in product(*cases):
        answer = implied(prove(asked, [*given, *signs], timeout_seconds=seconds))
        if not isinstance(answer, Holds):
            return None
        methods |= dict.fromkeys(answer.methods)
    return Holds((*methods, "signs of the factors"))


def _contradict(answer: Answer) -> TypeGuard[Undecided]:
    """Whether the engine found that no point satisfies the hypotheses."""
    return isinstance(answer, Undecided) and "contradict" in answer.reason
