"""Does a conclusion follow from hypotheses? Three answers: it holds, it fails at a point, or it is undecided.

A refutation is a point inside the hypotheses at which both sides are evaluated exactly or in disjoint balls, by two
evaluators. A proof is made by one of these methods:

- polynomial identity: denominators are cleared, their zeros are shown to lie outside the hypotheses;
- identity of terms: powers, radicals, exponentials, factorials and binomials are rational functions of generators;
- telescoping sums with a verified certificate, and induction on a whole number;
- coefficients: after a shift to the lower bounds of the symbols a polynomial has no negative coefficient;
- products of the hypotheses: with the negated conclusion, they and squares add up to a contradiction;
- SMT: z3 finds no violation and cvc5 confirms it;
- case distinctions taken apart, each case by one of the above.

A formula that is not defined somewhere in the hypotheses does not hold. What is neither proved nor refuted is
undecided.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from lpmech.errors import UndecidedError
from lpmech.prove import sums
from lpmech.prove.answers import Answer, Fails, Holds, Undecided
from lpmech.prove.cases import binomial_branches, branches, parity_branches
from lpmech.prove.clearing import cleared
from lpmech.prove.coefficients import no_negative_coefficient
from lpmech.prove.language import Obligation, Statement, defined, falsity, is_whole, obligations, settled, stated, truth
from lpmech.prove.product_cases import follows
from lpmech.prove.search import candidate_points, critical_points, first_violation
from lpmech.prove.smt import Found, implied
from lpmech.prove.terms import Terms

__all__ = ["example", "prove"]

_MOST_BRANCHES = 96
_QUICK_POINTS = 80
#: The first case of an induction is evaluated; from here on it takes too long.
_LARGEST_START = 10_000
_NO_PROOF = {
    Found.NOTHING: "z3 alone finds no violation",
    Found.POINT: "no proof by SMT",
    Found.UNKNOWN: "SMT gives up",
}


def prove(conclusion: Any, hypotheses: Sequence[Any] = (), *, timeout_seconds: float = 20.0) -> Answer:
    """Whether the conclusion is defined and true at every point of the hypotheses.

    Parameters
    ----------
    conclusion : sympy relation or Boolean
    hypotheses : sequence of sympy relations or Booleans
        Symbols are real unless declared integer; sympy's assumptions on symbols count as hypotheses.
    timeout_seconds : float
        For each question to a solver, and in all about three times that.

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
        return _answered(stated(conclusion, hypotheses), timeout_seconds)
    except RecursionError:
        return Undecided("the formula is nested too deeply")


def _answered(statement: Statement, timeout_seconds: float) -> Answer:
    search = _Search(statement, timeout_seconds)
    found = search.quick()
    if found is not None:
        return found
    point = search.example()
    if point is None:
        if _Proof(statement.with_conclusion(sp.false), timeout_seconds).answer():
            return Undecided("the hypotheses contradict each other: " + ", ".join(map(str, statement.hypotheses)))
        point_missing = "no point of the hypotheses was found"
    answer = _Proof(statement, timeout_seconds).whole_answer()
    if isinstance(answer, Holds):
        return Undecided(point_missing) if point is None else replace(answer, example=point)
    refutation = search.thorough()
    return answer if refutation is None else refutation


def example(hypotheses: Sequence[Any], *, timeout_seconds: float = 20.0) -> dict[sp.Symbol, sp.Expr] | None:
    """A point that satisfies all hypotheses, or None if none was found."""
    return _Search(stated(sp.true, hypotheses), timeout_seconds).example()


class _Proof:
    """Attempts to prove a statement; it never refutes."""

    def __init__(self, statement: Statement, timeout_seconds: float, parent: _Proof | None = None):
        self.statement = statement
        self._timeout = timeout_seconds
        self._deadline: float = parent._deadline if parent else time.monotonic() + 3 * timeout_seconds
        self._depth: int = parent._depth + 1 if parent else 0
        self._known: dict[tuple[Statement, Boolean], bool] = parent._known if parent else {}
        self._closed: dict[tuple[Statement, sp.Expr], sp.Expr | None] = parent._closed if parent else {}

    def whole_answer(self) -> Holds | Undecided:
        """The conclusion, and that the terms of its sums are defined."""
        total = self.answer()
        try:
            for needed in self._shown(self.statement.bodies):
                total = _both(total, self._on(needed).answer())
        except UndecidedError as exc:
            return Undecided(str(exc))
        return total

    def answer(self) -> Holds | Undecided:
        """The conclusion's parts one by one."""
        total: Holds | Undecided = Holds(())
        try:
            for part in self._parts():
                total = _both(total, self._part(part))
                if isinstance(total, Undecided):
                    return total
        except UndecidedError as exc:
            return Undecided(str(exc))
        except RecursionError:
            return Undecided("the formula is nested too deeply")
        return total

    def _on(self, statement: Statement) -> _Proof:
        if time.monotonic() > self._deadline or self._depth > 12:
            raise UndecidedError("no proof was found in time")
        return _Proof(statement, self._timeout, self)

    def _parts(self) -> Iterator[Boolean]:
        conclusion = self.statement.conclusion
        yield from conclusion.args if isinstance(conclusion, sp.And) else (conclusion,)

    def _part(self, part: Boolean) -> Holds | Undecided:
        statement = self.statement.with_conclusion(part)
        if part == sp.true:
            return Holds(("evaluation",))
        if isinstance(part, sp.And):
            return self._on(statement).answer()
        if isinstance(part, sp.Implies):
            premise, conclusion = part.args
            inside = self._on(statement.under([truth(premise)]).with_conclusion(conclusion)).answer()
            where = settled(sp.Or(falsity(premise), truth(premise)), statement.integers)
            return inside if where == sp.true else _both(inside, self._solved(statement.with_conclusion(where)))
        if not isinstance(part, Relational):
            split = branches(statement) if part.has(sp.floor, sp.ceiling, sp.Mod) else None
            if split is not None and all(self._on(s).answer() for s in self._shown(obligations(part))):
                return self._cases(split)
            known_defined = statement.with_conclusion(settled(truth(part), statement.integers))
            simpler = _with_equations_used(known_defined)
            return self._solved(known_defined) if simpler is None else self._on(simpler).answer()
        for needed in self._shown(obligations(part)):
            shown = self._on(needed).answer()
            if isinstance(shown, Undecided):
                return Undecided(f"where {part} is defined: {needed.conclusion} is not proved")
        simpler = _with_equations_used(statement)  # only now: 1/(x - y) is lost where x = y is put in
        return self._relation(statement) if simpler is None else self._on(simpler).answer()

    def _shown(self, needed: Iterable[Obligation]) -> Iterator[Statement]:
        """Obligations as statements; what is among the hypotheses is left out."""
        for obligation in needed:
            statement = self.statement.under(obligation.under, obligation.indices)
            condition = settled(obligation.condition, statement.integers)
            if condition not in (sp.true, *statement.hypotheses):
                yield statement.with_conclusion(condition)

    # ---- one relation, defined wherever the hypotheses hold

    def _relation(self, statement: Statement) -> Holds | Undecided:
        relation = statement.conclusion
        difference = relation.lhs - relation.rhs
        if isinstance(relation, sp.Eq) and self._is_zero(statement, difference):
            return Holds((self._zero_method(difference),))
        split = branches(statement)
        if split is not None and difference.has(sp.floor, sp.ceiling, sp.Mod):
            return self._cases(split)  # solvers know little of whole numbers
        for more in (binomial_branches(statement), parity_branches(statement)):
            if more is not None:
                return self._cases(more)
        found = self._solved(statement)
        if isinstance(found, Holds):
            return found
        if split is not None:
            return self._cases(split)
        if isinstance(relation, sp.Eq) and difference.has(sp.Sum, sp.Product):
            by_induction = self._by_induction(statement, difference)
            if by_induction is not None:
                return by_induction
        return self._step_by_step(statement) or found

    def _cases(self, split: list[Statement]) -> Holds | Undecided:
        if len(split) > _MOST_BRANCHES:
            return Undecided(f"more than {_MOST_BRANCHES} cases")
        total: Holds | Undecided = Holds(("cases",))
        for case in split:
            empty = self._solved(case.with_conclusion(sp.false), quick=True)
            if isinstance(empty, Holds):
                total = _both(total, empty)
                continue
            total = _both(total, self._on(case).answer())
            if isinstance(total, Undecided):
                return total
        return total

    def _is_zero(self, statement: Statement, difference: sp.Expr) -> bool:
        """Whether an expression is zero wherever it is defined and the hypotheses hold."""
        if difference == 0:
            return True
        try:
            abstraction = self._terms(statement).abstract([difference])
            return abstraction.ring.is_zero(abstraction.expressions[0])
        except UndecidedError:
            return False

    @staticmethod
    def _zero_method(difference: sp.Expr) -> str:
        rational = difference.is_rational_function(*difference.free_symbols) if difference.free_symbols else True
        return "polynomial identity" if rational else "identity of terms"

    def _terms(self, statement: Statement) -> Terms:
        def knows(condition: Boolean, facts: Sequence[Boolean]) -> bool:
            return self._knows(statement.under(facts), condition)

        def closed(node: sp.Expr) -> sp.Expr | None:
            question = (statement.with_conclusion(sp.true), node)
            if question not in self._closed:
                self._closed[question] = sums.closed_form(node, self._prover(statement))
            return self._closed[question]

        return Terms(statement.integers, knows, closed)

    def _knows(self, statement: Statement, condition: Boolean) -> bool:
        if condition in (sp.true, sp.false):
            return bool(condition)
        if condition in statement.hypotheses:
            return True
        question = (statement.with_conclusion(sp.true), condition)
        if question not in self._known:
            try:
                found = self._on(statement.with_conclusion(condition)).answer()
                self._known[question] = isinstance(found, Holds)
            except UndecidedError:
                return False
        return self._known[question]

    def _prover(self, statement: Statement) -> sums.Prover:
        def quotient(expression: sp.Expr) -> tuple[sp.Expr, sp.Expr] | None:
            try:
                abstraction = self._terms(statement).abstract([expression])
                ring = abstraction.ring
                parts = [ring.expression(ring.reduced(p)) for p in ring.quotient(abstraction.expressions[0])]
            except UndecidedError:
                return None
            plain = set(statement.symbols) | expression.free_symbols
            return None if any(part.free_symbols - plain for part in parts) else (parts[0], parts[1])

        return sums.Prover(
            knows=lambda condition: self._knows(statement, condition),
            vanishes=lambda expression: self._is_zero(statement, expression),
            quotient=quotient,
            under=lambda more, whole: self._prover(statement.under(more, whole)),
            equals=lambda left, right: self._by_induction(statement, left - right) is not None,
            integers=statement.integers,
        )

    def _by_induction(self, statement: Statement, difference: sp.Expr) -> Holds | None:
        whole = sorted(statement.integers & difference.free_symbols, key=str)
        starts = {s: n for s in whole if (n := sums.smallest(s, statement.hypotheses)) is not None}
        for variable, start in starts.items():
            if abs(start) > _LARGEST_START:
                continue
            free = tuple(h for h in statement.hypotheses if not h.has(variable))
            others = Statement(free, sp.true, statement.integers)
            prover = self._prover(others)
            ways = (w for s in range(3) for w in sums.induction(difference, {variable: start + s}, prover))
            for way in ways:
                later = others.under([variable >= way.start])
                firsts = [difference.subs(variable, n) for n in range(start, way.start)]
                needed = [
                    *(others.with_conclusion(sp.Eq(first, 0)) for first in (*firsts, way.first)),
                    later.with_conclusion(sp.Eq(way.step, 0)),
                    later.with_conclusion(sp.Ne(way.nonzero, 0)),
                    *self._on(later)._shown(obligations(difference)),
                ]
                if all(isinstance(self._on(s).answer(), Holds) for s in needed):
                    return Holds(("induction",))
        return None

    def _step_by_step(self, statement: Statement) -> Holds | None:
        """Induction of an inequality or equation without sums: from n to n + 1 by the solvers."""
        relation = statement.conclusion
        powers = [node.exp for node in relation.atoms(sp.Pow) if not node.exp.is_number]
        inner = [a for node in relation.atoms(sp.binomial, sp.factorial) for a in node.args]
        whole = set[sp.Symbol]().union(*(e.free_symbols for e in powers + inner)) & statement.integers
        for variable in sorted(whole, key=str):
            start = sums.smallest(variable, statement.hypotheses)
            if start is None or abs(start) > _LARGEST_START:
                continue
            others = Statement(
                tuple(h for h in statement.hypotheses if not h.has(variable)), sp.true, statement.integers
            )
            later = others.under([variable >= start])
            step = later.under([relation])
            following = relation.subs(variable, variable + 1)
            needed = [
                *self._on(later)._shown(obligations(relation)),
                others.with_conclusion(relation.subs(variable, start)),
            ]
            if all(isinstance(self._on(s).answer(), Holds) for s in needed) and isinstance(
                self._solved(step.with_conclusion(following)), Holds
            ):
                return Holds(("induction",))
        return None

    # ---- solvers

    def _defined_throughout(self, statement: Statement, relation: Boolean) -> bool:
        needed = self._on(statement)._shown(obligations(relation))
        return all(self._knows(s.with_conclusion(sp.true), s.conclusion) for s in needed)

    def _solved(self, statement: Statement, quick: bool = False) -> Holds | Undecided:
        """By coefficients, products or SMT, with generators for what is no rational function."""
        statement = statement.with_conclusion(settled(statement.conclusion, statement.integers))
        try:
            plain, hypotheses, conclusion = self._plain(statement)
        except UndecidedError as exc:
            return Undecided(str(exc))
        if isinstance(conclusion, Relational) and no_negative_coefficient(hypotheses, conclusion):
            return Holds(("coefficients",))
        hypotheses = [cleared(h, hypotheses) for h in hypotheses]
        conclusion = cleared(conclusion, hypotheses)
        if follows(hypotheses, conclusion, plain):
            return Holds(("products of the hypotheses",))
        abstract = conclusion.free_symbols - set(statement.symbols)
        timeout = min(self._timeout, 3.0) if quick or abstract else self._timeout
        timeout = min(timeout, max(0.1, self._deadline - time.monotonic()))
        try:
            result = implied(hypotheses, conclusion, plain, timeout)
        except UndecidedError as exc:
            return Undecided(str(exc))
        if result.found is Found.NOTHING and result.confirmed:
            return Holds(("SMT (z3, cvc5)",))
        return Undecided(f"{statement.conclusion}: {_NO_PROOF[result.found]}")

    def _plain(self, statement: Statement) -> tuple[frozenset[sp.Symbol], list[Boolean], Boolean]:
        """Hypotheses and conclusion over symbols and generators; hypotheses outside the language are left out."""
        known = [settled(truth(h), statement.integers) for h in statement.hypotheses]
        if all(map(_is_plain, (*known, statement.conclusion))):
            return statement.integers, known, statement.conclusion
        terms = self._terms(Statement(tuple(h for h in known if _is_plain(h)), sp.true, statement.integers))
        relations = sorted(
            {r for f in (*known, statement.conclusion) for r in f.atoms(Relational) if not _is_plain(r)}, key=str
        )
        kept, sides = [], []
        plain_part = Statement(tuple(h for h in known if _is_plain(h)), sp.true, statement.integers)
        for relation in relations:
            # what is known of a generator holds only where the part it stands for is defined
            if relation != statement.conclusion and not self._defined_throughout(plain_part, relation):
                continue
            try:
                terms.abstract([relation.lhs, relation.rhs])
            except UndecidedError:
                continue
            kept.append(relation)
            sides += [relation.lhs, relation.rhs]
        abstraction = terms.abstract(sides)
        whole = iter(abstraction.expressions)
        replaced = {r: r.func(left, right) for r, left, right in zip(kept, whole, whole, strict=True)}
        plain = [h.xreplace(replaced) for h in known]
        conclusion = statement.conclusion.xreplace(replaced)
        if not _is_plain(conclusion):
            raise UndecidedError(f"{conclusion} has a part that is not understood")
        powers = {g: (q, *sp.fraction(sp.together(f))) for g, (q, f) in abstraction.roots.items()}
        roots = [sp.Eq(g**q * below, above) for g, (q, above, below) in powers.items()]
        scaled = _bound_to_roots(abstraction, plain, conclusion)
        return (
            statement.integers,
            [*(h for h in plain if _is_plain(h)), *roots, *abstraction.facts, *scaled],
            conclusion,
        )


def _bound_to_roots(abstraction: Any, hypotheses: list[Boolean], conclusion: Boolean) -> list[Boolean]:
    """t = s^q where the conclusion has s and the hypotheses have t."""
    free = set[sp.Symbol]().union(conclusion.free_symbols, *(h.free_symbols for h in hypotheses))
    return [sp.Eq(base, new**q) for base, (new, q) in abstraction.scales.items() if base in free]


def _is_plain(formula: Boolean) -> bool:
    """Whether solvers can read it: rational functions and case distinctions."""
    for node in sp.preorder_traversal(formula):
        if isinstance(node, sp.Pow) and not node.exp.is_Integer:
            return False
        if isinstance(node, (sp.Sum, sp.Product, sp.exp, sp.factorial, sp.binomial)) or node in (
            sp.pi,
            sp.E,
            sp.GoldenRatio,
        ):
            return False
        if isinstance(node, (sp.log, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh, sp.coth)):
            return False
    return True


def _with_equations_used(statement: Statement) -> Statement | None:
    """With values in place of symbols that a hypothesis gives as an equation; None if there is none."""
    for h in statement.hypotheses:
        if not isinstance(h, sp.Eq):
            continue
        for symbol, value in ((h.lhs, h.rhs), (h.rhs, h.lhs)):
            if not isinstance(symbol, sp.Symbol) or value.has(symbol) or not statement.conclusion.has(symbol):
                continue
            if symbol in statement.integers and not is_whole(value, statement.integers):
                continue
            rest = tuple(o for o in statement.hypotheses if o != h)
            return Statement((*rest, defined(h)), statement.conclusion, statement.integers).at({symbol: value})
    return None


def _both(first: Holds | Undecided, second: Holds | Undecided) -> Holds | Undecided:
    if isinstance(first, Undecided) or isinstance(second, Undecided):
        return first if isinstance(first, Undecided) else second
    return Holds(tuple(dict.fromkeys(first.methods + second.methods)), first.confirmed and second.confirmed)


class _Search:
    """The search for a point of the hypotheses, and for one that violates the conclusion."""

    def __init__(self, statement: Statement, timeout_seconds: float):
        self.statement = statement
        self._timeout = timeout_seconds

    @cached_property
    def _points(self) -> list[dict[sp.Symbol, sp.Expr]]:
        found = candidate_points(self.statement, _QUICK_POINTS * 25)
        return [point for point, _ in zip(found, range(_QUICK_POINTS), strict=False)]

    def quick(self) -> Fails | None:
        """A violation at small numbers."""
        witness = first_violation(self.statement, self._points)
        return None if witness is None else Fails(witness)

    def example(self) -> dict[sp.Symbol, sp.Expr] | None:
        """A point of the hypotheses."""
        if self._points:
            return self._points[0]
        return self._model(self.statement.with_conclusion(sp.false))

    def thorough(self) -> Fails | None:
        """A violation at a model of z3, at critical values, or at larger whole numbers."""
        deadline = time.monotonic() + 3 * self._timeout
        for points in (self._models(), self._on_lines(), self._at_whole_numbers()):
            in_time = takewhile(lambda _: time.monotonic() < deadline, points)
            try:
                witness = first_violation(self.statement, in_time)
            except UndecidedError:
                continue
            if witness is not None:
                return Fails(witness)
        return None

    def _models(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        point = self._model(self.statement)
        if point is not None:
            yield from _rounded(point, self.statement)

    def _model(self, statement: Statement) -> dict[sp.Symbol, sp.Expr] | None:
        hypotheses = [settled(truth(h), statement.integers) for h in statement.hypotheses]
        conclusion = settled(truth(statement.conclusion), statement.integers)
        try:
            result = implied(hypotheses, conclusion, statement.integers, self._timeout / 2)
        except UndecidedError:
            return None
        if result.found is not Found.POINT or result.point is None:
            return None
        return {s: result.point.get(s, sp.S.Zero) for s in self.statement.symbols}

    def _on_lines(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        for base in self._points[:6]:
            for symbol in self.statement.symbols:
                yield from critical_points(self.statement, base, symbol)

    def _at_whole_numbers(self) -> Iterator[dict[sp.Symbol, sp.Expr]]:
        """Fixed whole numbers turn powers, sums and binomials into polynomials, which z3 decides."""
        whole = sorted(self.statement.integers, key=str)
        if not whole:
            return
        reach = self._degree() + 3
        yield from candidate_points(self.statement, 400, reach=min(reach, 60))
        for symbol in whole:  # each by itself to its reach, the others as small as they can be
            for value in (p[symbol] for p in candidate_points(_alone(self.statement, symbol), reach + 1, reach=reach)):
                rest = self.statement.at({symbol: value})
                yield from ({symbol: value, **p} for p in islice(candidate_points(rest, 60), 2))
        tried: set[tuple[sp.Expr, ...]] = set()
        for base in candidate_points(self.statement, 200, reach=min(reach, 12)):
            key = tuple(base[s] for s in whole)
            if key in tried or len(tried) >= 12:
                continue
            tried.add(key)
            fixed = dict(zip(whole, key, strict=True))
            line = _written_out(self.statement.at(fixed))
            point = _Search(line, min(self._timeout, 3.0))._model(line)
            if point is not None:
                yield from ({**fixed, **p} for p in _rounded(point, line))
            for symbol in line.symbols:
                yield from ({**fixed, **p} for p in critical_points(line, {s: base[s] for s in line.symbols}, symbol))

    def _degree(self) -> int:
        """The largest degree of a side of the conclusion in a whole number."""
        degrees = [3]
        for relation in self.statement.conclusion.atoms(Relational):
            for side in sp.fraction(sp.together(relation.lhs - relation.rhs)):
                for symbol in side.free_symbols & self.statement.integers:
                    try:
                        degrees.append(int(sp.Poly(side, symbol).degree()))
                    except PolynomialError:
                        continue
        return max(degrees)


def _alone(statement: Statement, symbol: sp.Symbol) -> Statement:
    """The hypotheses that speak of one symbol only."""
    own = tuple(h for h in statement.hypotheses if h.free_symbols == {symbol})
    return Statement(own, sp.Eq(symbol, symbol, evaluate=False), statement.integers)


def _written_out(statement: Statement) -> Statement:
    """Sums and products between numbers written out."""

    def terms(node: sp.Expr) -> sp.Expr:
        index, lower, upper = node.limits[0]
        combine = sp.Add if isinstance(node, sp.Sum) else sp.Mul
        return combine(*(node.function.subs(index, i) for i in range(int(lower), int(upper) + 1)))

    def written(formula: Boolean) -> Boolean:
        nodes = [n for n in formula.atoms(sp.Sum, sp.Product) if len(n.limits) == 1]
        short = {n: terms(n) for n in nodes if all(end.is_Integer and abs(end) < 100 for end in n.limits[0][1:])}
        return formula.xreplace(short)

    return Statement(tuple(map(written, statement.hypotheses)), written(statement.conclusion), statement.integers)


def _rounded(point: dict[sp.Symbol, sp.Expr], statement: Statement) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """The point with simple rationals in place of its real coordinates, coarse ones first, and the point itself."""
    for denominator in (1, 2, 10, 1000, 10**6, 10**12):
        close = {}
        for symbol, value in point.items():
            near = sp.Rational(sp.N(value, 40)) if not value.is_Rational else value
            close[symbol] = value if symbol in statement.integers else sp.Rational(near).limit_denominator(denominator)
        yield close
    yield point
