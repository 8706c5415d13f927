"""Does a conclusion follow from hypotheses? Three answers: it holds, it fails at a point, or it is undecided.

A refutation is a point inside the hypotheses at which both sides are evaluated exactly or in disjoint balls, by two
evaluators. A proof is made by one of these methods:

- polynomial identity: denominators are cleared, their zeros are shown to lie outside the hypotheses;
- identity of terms: powers, radicals, exponentials, factorials and binomials are rational functions of generators;
- telescoping sums with a verified certificate, and induction on a whole number;
- coefficients: after a shift to the lower bounds of the symbols a polynomial has no negative coefficient;
- products of the hypotheses: with the negated conclusion, they and squares add up to a contradiction;
- derivative: a smooth function of one symbol that starts at zero or above and does not fall is not negative;
- vectors: sums over an index, of terms about each of which something is known (`lpmech.prove.vector_proof`);
- SMT: z3 finds no violation and cvc5 confirms it;
- sums of squares: where nothing else helps, a semidefinite program proposes them (`lpmech.prove.squares`);
- case distinctions taken apart, each case by one of the above.

A formula that is not defined somewhere in the hypotheses does not hold. What is neither proved nor refuted is
undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice
from typing import Any

import sympy as sp
from sympy.core.evalf import PrecisionExhausted

from lpmech.errors import UndecidedError
from lpmech.limits import time_limit
from lpmech.prove.answers import Answer, Holds, Undecided
from lpmech.prove.attempts import after_attempts
from lpmech.prove.language import Sequent, stated
from lpmech.prove.proof import ProofSearch
from lpmech.prove.records import Record
from lpmech.prove.refutation import Search
from lpmech.prove.search import candidate_points, implied_bounds
from lpmech.prove.vector_proof import VectorProof
from lpmech.prove.vector_search import VectorSearch
from lpmech.prove.vectors import has_vectors

__all__ = ["example", "prove", "questions_asked", "typical"]

#: The longest time for all questions of a proof, beside that of one.
_IN_ALL = 6

#: What a hypothesis is left out for where it has not helped.
_NOT_RATIONAL = (sp.exp, sp.log, sp.sin, sp.cos, sp.Sum, sp.Product, sp.binomial, sp.factorial, sp.floor, sp.ceiling)

#: Relations off their bound, and how many candidates are tried for a point to show.
_STRICT = {sp.Le: sp.Lt, sp.Ge: sp.Gt}
_FEW = 400

_asked: ContextVar[list[Sequent] | None] = ContextVar("questions asked", default=None)


@contextmanager
def questions_asked() -> Iterator[list[Sequent]]:
    """The statements that `prove` is given inside the block."""
    questions: list[Sequent] = []
    token = _asked.set(questions)
    try:
        yield questions
    finally:
        _asked.reset(token)


def prove(conclusion: Any, hypotheses: Sequence[Any] = (), *, timeout_seconds: float = 20.0) -> Answer:
    """Whether the conclusion is defined and true at every point of the hypotheses.

    Parameters
    ----------
    conclusion : term, or sympy relation or Boolean
        A term is read as it was written.
    hypotheses : sequence of terms, or of sympy relations or Booleans
        Parameters are real unless declared to be whole numbers; sympy's assumptions on symbols count as hypotheses.
    timeout_seconds : float
        For each question to a solver; in all six times that, and two seconds, of processor time.

    Returns
    -------
    Holds, Fails or Undecided
        ``Holds`` carries a point of the hypotheses; contradictory hypotheses are undecided, and so are hypotheses of
        which no point is found.

    Raises
    ------
    FormulaError
        If something is outside the language (see `lpmech.prove.language`).
    SolverError
        If two solvers, or two evaluators, contradict each other.
    """
    try:
        statement = stated(conclusion, hypotheses)
        questions = _asked.get()
        if questions is not None:
            questions.append(statement)
        limit = _IN_ALL * timeout_seconds + 2
        with time_limit(limit, UndecidedError(f"no answer within {limit:g} seconds of processor time")):
            answer = _answered(statement, timeout_seconds)
            if isinstance(answer, Holds):
                own = answer.record or Record(answer.method, statement)
                asked = Record("asked", statement, (own,), (conclusion, tuple(hypotheses)))
                answer = replace(answer, record=asked)
            return answer
    except UndecidedError as exc:
        return Undecided(str(exc))
    except RecursionError:
        return Undecided("the formula is nested too deeply")
    except PrecisionExhausted:
        return Undecided("sympy would need too many digits to tell a part of it from a whole number")


def _answered(statement: Sequent, timeout_seconds: float) -> Answer:
    if any(has_vectors(f) for f in (*statement.hypotheses, statement.conclusion)):
        return _about_vectors(statement, timeout_seconds)
    search = Search(statement, timeout_seconds)
    found = search.quick()
    if found is not None:
        return found
    point = search.example()
    if point is None:
        if ProofSearch(statement.with_conclusion(sp.false), timeout_seconds).answer():
            reason = "the hypotheses contradict each other: " + ", ".join(map(str, statement.hypotheses))
            return Undecided(reason, implied=Holds(("contradiction to the hypotheses",)))
        point_missing = "no point of the hypotheses was found"
    answer = _proved(statement.connected(), timeout_seconds)
    if isinstance(answer, Holds):
        return Undecided(point_missing, implied=answer) if point is None else replace(answer, example=point)
    refutation = search.thorough()
    if refutation is not None:
        return refutation
    if point is not None:
        by_squares = ProofSearch(statement.connected(), timeout_seconds).by_squares()
        if isinstance(by_squares, Holds):
            return replace(by_squares, example=point)
    return after_attempts(answer, statement, search.tried)


def _proved(statement: Sequent, timeout_seconds: float) -> Holds | Undecided:
    """From all hypotheses; else from the rational ones, as what is not needed of the others takes time."""
    answer = ProofSearch(statement, timeout_seconds).whole_answer()
    plain = tuple(h for h in statement.hypotheses if not h.has(*_NOT_RATIONAL))
    if isinstance(answer, Holds) or plain == statement.hypotheses:
        return answer
    again = ProofSearch(replace(statement, hypotheses=plain), timeout_seconds).whole_answer()
    return again if isinstance(again, Holds) else answer


def _about_vectors(statement: Sequent, timeout_seconds: float) -> Answer:
    search = VectorSearch(statement, timeout_seconds)
    found = search.quick()
    if found is not None:
        return found
    answer = VectorProof(statement.connected(), timeout_seconds).whole_answer()
    refutation = search.thorough() if search.example is None or isinstance(answer, Undecided) else None
    if refutation is not None:
        return refutation
    if isinstance(answer, Undecided):
        return after_attempts(answer, statement, search.tried)
    if search.example is None:
        return Undecided("no point of the hypotheses was found")
    return replace(answer, example=search.example)


def example(hypotheses: Sequence[Any], *, timeout_seconds: float = 20.0) -> dict[sp.Symbol, sp.Expr] | None:
    """A point that satisfies all hypotheses, or None if none was found."""
    return Search(stated(sp.true, hypotheses), timeout_seconds).example()


def typical(point: Mapping[sp.Symbol, sp.Expr], hypotheses: Sequence[Any]) -> dict[sp.Symbol, sp.Expr]:
    """A point of the hypotheses to show: of those soon found one that meets the fewest bounds, such as ``p >= 0``.

    A letter that can be above 1, or is bounded by such a letter alone, is often a number of labels: it is whole where
    that can be.
    """
    statement = stated(sp.true, hypotheses)
    if any(map(has_vectors, statement.hypotheses)):
        return dict(point)
    ends = [h for h in statement.hypotheses if type(h) in _STRICT]
    off = {h: _STRICT[type(h)](*h.args) for h in ends}
    strict = tuple(off.get(h, h) for h in statement.hypotheses)
    inner = candidate_points(replace(statement, hypotheses=strict), _FEW)
    found = [*islice(inner, _FEW // 10), *islice(candidate_points(statement, _FEW), _FEW // 5)]
    numbers = {s for s in statement.symbols if any(one[s] > 1 for one in found)}
    orders: list[Any] = [h for h in statement.hypotheses if isinstance(h, (*_STRICT, *_STRICT.values()))]
    at_most = [(h.lts, h.gts) for h in orders if h.lts.is_Symbol]
    limited = {part for part, whole in at_most if whole.is_number}
    numbers |= {part for part, whole in at_most if whole in numbers and part not in limited}

    def oddity(one: Mapping[sp.Symbol, sp.Expr]) -> tuple[int, int]:
        met = sum(h.lhs.xreplace(one) == h.rhs.xreplace(one) for h in ends)
        return sum(not one[s].is_integer for s in numbers), met

    shown = min(found, key=oddity, default=None)
    if shown is None or oddity(shown)[1]:  # on an end: once more with the ends that follow from several hypotheses
        inner = candidate_points(replace(statement, hypotheses=(*strict, *implied_bounds(strict))), 4 * _FEW)
        shown = min(filter(None, (next(inner, None), shown)), key=oddity, default=None)
    return {**point, **(shown or {})}
