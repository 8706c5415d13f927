"""Attempts to prove a statement, part by part and case by case; nothing is refuted here."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove import sums
from lpmech.prove.answers import Holds, Undecided, both, direct, together
from lpmech.prove.cases import (
    binomial_branches,
    branches,
    branches_of_truth,
    parity_branches,
    with_equation_used,
    zero_branches,
)
from lpmech.prove.clearing import Cleared, cleared, clearing
from lpmech.prove.coefficients import Coefficients, no_negative_coefficient
from lpmech.prove.derivative import follows_by_derivative
from lpmech.prove.evaluate import is_true
from lpmech.prove.increments import by_increments
from lpmech.prove.language import Obligation, Sequent, falsity, obligations, settled, truth
from lpmech.prove.plain import Plain, bound_to_roots, is_plain
from lpmech.prove.product_cases import Contradicted, Refutation, follows
from lpmech.prove.products import certificate
from lpmech.prove.records import Algebraic, Record
from lpmech.prove.search import candidate_points, first_violation
from lpmech.prove.smt import SmtFound, implied
from lpmech.prove.squares import contradictory_by_squares
from lpmech.prove.telescoping import with_sums
from lpmech.prove.terms import Terms

__all__ = ["ProofSearch"]

_MOST_BRANCHES = 96
_BY_SMT = "SMT (z3, cvc5)"
#: Points at which a question is tried before it is asked of a prover.
_TRIED_BEFORE = 60
_NO_PROOF = {
    SmtFound.NOTHING: "z3 alone finds no violation",
    SmtFound.POINT: "no proof by SMT",
    SmtFound.UNKNOWN: "SMT gives up",
}


class ProofSearch:
    """Attempts to prove a statement; it never refutes."""

    def __init__(self, statement: Sequent, timeout_seconds: float, parent: ProofSearch | None = None):
        self.statement = statement
        self._timeout = timeout_seconds
        self._deadline: float = parent._deadline if parent else time.process_time() + 3 * timeout_seconds
        self._depth: int = parent._depth + 1 if parent else 0
        self._known: dict[tuple[Sequent, Boolean], Holds | None] = parent._known if parent else {}
        self._closed: dict[tuple[Sequent, sp.Expr], sp.Expr | None] = parent._closed if parent else {}

    def whole_answer(self) -> Holds | Undecided:
        """The conclusion, and that the terms of its sums are defined."""
        return self._with_bodies(self.answer())

    def _with_bodies(self, found: Holds | Undecided) -> Holds | Undecided:
        try:
            defined = [self._on(needed).answer() for needed in self._shown(self.statement.bodies)]
        except UndecidedError as exc:
            return Undecided(str(exc))
        return together("defined", self.statement, [*defined, found]) if defined else found

    def answer(self) -> Holds | Undecided:
        """The conclusion's parts one by one."""
        shown: list[Holds] = []
        try:
            for part in self._parts():
                found = self._part(part)
                if shown and found.methods == (_BY_SMT,):
                    found = self._after(shown, part) or found
                if isinstance(found, Undecided):
                    return found
                shown.append(found)
        except UndecidedError as exc:
            return Undecided(str(exc))
        except RecursionError:
            return Undecided("the formula is nested too deeply")
        return shown[0] if len(shown) == 1 else together("parts", self.statement, shown)

    def _after(self, shown: Sequence[Holds], part: Boolean) -> Holds | None:
        """A part from those that were shown before, by more than SMT."""
        known = [one.record.statement.conclusion for one in shown if one.record is not None]
        found = self._on(self.statement.under(known).with_conclusion(part)).answer()
        whole = together("defined", self.statement.with_conclusion(part), [*shown, found])
        return (
            replace(whole, methods=found.methods) if isinstance(whole, Holds) and _BY_SMT not in found.methods else None
        )

    def _on(self, statement: Sequent) -> ProofSearch:
        if time.process_time() > self._deadline or self._depth > 12:
            raise UndecidedError("no proof was found in time")
        return ProofSearch(statement, self._timeout, self)

    def _parts(self) -> Iterator[Boolean]:
        conclusion = self.statement.conclusion
        yield from conclusion.args if isinstance(conclusion, sp.And) else (conclusion,)

    def _part(self, part: Boolean) -> Holds | Undecided:
        statement = self.statement.with_conclusion(part)
        if part == sp.true:
            return direct("evaluation", statement)
        if isinstance(part, sp.And):
            return self._on(statement).answer()
        if isinstance(part, sp.Implies):
            premise, conclusion = part.args
            inside = self._on(statement.under([truth(premise)]).with_conclusion(conclusion)).answer()
            needed = [self._on(condition).answer() for condition in self._shown(obligations(premise))]
            if all(needed):
                return together("defined", statement, [*needed, together("implication", statement, [inside])])
            where = settled(sp.Or(falsity(premise), truth(premise)), statement.integers)
            defined = [] if where == sp.true else [self._solved(statement.with_conclusion(where))]
            return together("implication", statement, [inside, *defined])
        if isinstance(part, sp.Equivalent) and len(part.args) == 2:
            ways = (sp.Implies(*sides, evaluate=False) for sides in (part.args, part.args[::-1]))
            both_ways = [self._on(statement.with_conclusion(way)).answer() for way in ways]
            if all(isinstance(way, Holds) and _BY_SMT not in way.methods for way in both_ways):
                return together("parts", statement, both_ways)
        if not isinstance(part, Relational):
            split = branches(statement) if part.has(sp.floor, sp.ceiling, sp.Mod) else None
            if split is not None and all(self._on(s).answer() for s in self._shown(obligations(part))):
                return self._cases(statement, split)
            known_defined = statement.with_conclusion(settled(truth(part), statement.integers))
            found = self._with_equations(known_defined, self._solved)
            doubtful = isinstance(found, Undecided) or found.methods == (_BY_SMT,)
            if doubtful and part.has(sp.Piecewise) and (split := branches_of_truth(known_defined)):
                cased = self._cases(known_defined, split)
                found = cased if isinstance(cased, Holds) and _BY_SMT not in cased.methods else found
            return together("defined", statement, [found])
        # only then: 1/(x - y) is lost where x = y is put in
        return self._where_defined(statement, lambda known: self._with_equations(known, self._relation))

    def _where_defined(self, statement: Sequent, then: Callable[[Sequent], Holds | Undecided]) -> Holds | Undecided:
        """That a relation is defined, and then what else is to be shown of it."""
        needed = []
        for condition in self._on(statement)._shown(obligations(statement.conclusion)):
            shown = self._on(condition).answer()
            if isinstance(shown, Undecided):
                return Undecided(f"where {statement.conclusion} is defined: {condition.conclusion} is not proved")
            needed.append(shown)
        found = then(statement)
        whole = together("defined", statement, [*needed, found])
        return replace(whole, methods=found.methods) if isinstance(whole, Holds) else whole

    def _with_equations(
        self, statement: Sequent, otherwise: Callable[[Sequent], Holds | Undecided]
    ) -> Holds | Undecided:
        """With values in place of symbols that a hypothesis gives as an equation, as long as there is one."""
        used = with_equation_used(statement)
        if used is None:
            return otherwise(statement)
        simpler, symbol, equation = used
        return together("put in", statement, [self._on(simpler).answer()], (symbol, equation))

    def _shown(self, needed: Iterable[Obligation]) -> Iterator[Sequent]:
        """Obligations as statements; what is among the hypotheses is left out."""
        for obligation in needed:
            statement = self.statement.under(obligation.under, obligation.indices)
            condition = settled(obligation.condition, statement.integers)
            if condition not in (sp.true, *statement.hypotheses):
                yield statement.with_conclusion(condition)

    # ---- one relation, defined wherever the hypotheses hold

    def _relation(self, statement: Sequent) -> Holds | Undecided:
        relation = statement.conclusion
        if not relation.free_symbols and is_true(relation):
            return direct("evaluation", statement)
        difference = relation.lhs - relation.rhs
        if isinstance(relation, sp.Eq) and self._is_zero(statement, difference):
            record = self._of_sums(statement, Record("identity", statement))
            return Holds((self._zero_method(difference),), record=record)
        split = branches(statement)
        if split is not None and difference.has(sp.floor, sp.ceiling, sp.Mod):
            return self._cases(statement, split)  # solvers know little of whole numbers
        if isinstance(relation, sp.Ne) and (signed := self._by_sign(statement, difference)) is not None:
            return signed
        zero = zero_branches(statement, lambda condition: self._knows(statement, condition))
        for more in (binomial_branches(statement), parity_branches(statement), zero):
            if more is not None:
                return self._cases(statement, more)
        found = self._solved(statement)
        if isinstance(found, Holds) and found.methods == (_BY_SMT,) and split is not None:
            without = self._cases(statement, split)
            return found if isinstance(without, Undecided) or _BY_SMT in without.methods else without
        if isinstance(found, Holds):
            return found
        if split is not None:
            return self._cases(statement, split)
        if isinstance(relation, sp.Eq) and difference.has(sp.Sum, sp.Product):
            by_induction = self._by_induction(statement, difference)
            if by_induction is not None:
                return by_induction
        by_steps = self._by_increments(statement) if difference.has(sp.Sum) else self._step_by_step(statement)
        if by_steps is None and (sloping := follows_by_derivative(statement, self._recorded)) is not None:
            return Holds(("derivative",), record=sloping)
        return by_steps or found

    @staticmethod
    def _by_sign(statement: Sequent, difference: sp.Expr) -> Holds | None:
        """That a difference is not zero, since its coefficients show that it is positive, or negative."""
        for sign in (sp.Gt(difference, 0, evaluate=False), sp.Lt(difference, 0, evaluate=False)):
            if (shown := no_negative_coefficient(statement.hypotheses, sign)) is not None:
                hypotheses = tuple((h, Cleared(h)) for h in statement.hypotheses)
                data = Algebraic(hypotheses, sign, Cleared(sign), shown)
                by_sign = Record("algebra", statement.with_conclusion(sign), data=data)
                record = Record("defined", statement, (by_sign, Record("identity", statement)))
                return Holds(("coefficients",), record=record)
        return None

    def _cases(self, statement: Sequent, split: list[Sequent]) -> Holds | Undecided:
        if len(split) > _MOST_BRANCHES:
            return Undecided(f"more than {_MOST_BRANCHES} cases")
        shown: list[Holds] = []
        for case in split:
            found = self._solved(case.with_conclusion(sp.false), quick=True)
            if isinstance(found, Undecided):
                found = self._on(case).answer()
            if isinstance(found, Undecided):
                return found
            shown.append(found)
        return together("cases", statement, [Holds(("cases",)), *shown], tuple(split))

    def _is_zero(self, statement: Sequent, difference: sp.Expr) -> bool:
        """Whether an expression is zero wherever it is defined and the hypotheses hold."""
        if difference == 0:
            return True
        try:
            abstraction = self._terms(statement).abstract([difference])
            return abstraction.ring.is_zero(abstraction.expressions[0])
        except UndecidedError:
            return False

    def _of_sums(self, statement: Sequent, record: Record) -> Record:
        return with_sums(statement, record, partial(ProofSearch, timeout_seconds=self._timeout))

    def prover(self) -> sums.Prover:
        """What it offers to `lpmech.prove.sums`."""
        return self._prover(self.statement)

    @staticmethod
    def _zero_method(difference: sp.Expr) -> str:
        rational = difference.is_rational_function(*difference.free_symbols) if difference.free_symbols else True
        return "polynomial identity" if rational else "identity of terms"

    def _terms(self, statement: Sequent) -> Terms:
        def knows(condition: Boolean, facts: Sequence[Boolean]) -> bool:
            return self._knows(statement.under(facts), condition)

        def closed(node: sp.Expr) -> sp.Expr | None:
            question = (statement.with_conclusion(sp.true), node)
            if question not in self._closed:
                self._closed[question] = sums.closed_form(node, self._prover(statement))
            return self._closed[question]

        return Terms(statement.integers, knows, closed)

    def _knows(self, statement: Sequent, condition: Boolean) -> bool:
        return self._shown_of(statement, condition) is not None

    def _shown_of(self, statement: Sequent, condition: Boolean) -> Holds | None:
        """The proof of a condition, looked for once."""
        asked = statement.with_conclusion(condition)
        if condition in (sp.true, *statement.hypotheses):
            return direct("identity", asked)
        if condition == sp.false:
            return None
        question = (statement.with_conclusion(sp.true), condition)
        if question not in self._known:
            try:
                found = self._on(asked).answer()
            except UndecidedError:
                return None
            self._known[question] = found if isinstance(found, Holds) else None
        return self._known[question]

    def _prover(self, statement: Sequent) -> sums.Prover:
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

    def _by_induction(self, statement: Sequent, difference: sp.Expr) -> Holds | None:
        whole = sorted(statement.integers & difference.free_symbols, key=str)
        starts = {s: n for s in whole if (n := sums.smallest(s, statement.hypotheses)) is not None}
        for variable, start in starts.items():
            if abs(start) > sums.LARGEST_START:
                continue
            free = tuple(h for h in statement.hypotheses if not h.has(variable))
            others = Sequent(free, sp.true, statement.integers)
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

    def _step_by_step(self, statement: Sequent) -> Holds | None:
        """Induction of an inequality or equation without sums: from n to n + 1 by the solvers."""
        relation = statement.conclusion
        powers = [node.exp for node in relation.atoms(sp.Pow) if not node.exp.is_number]
        inner = [a for node in relation.atoms(sp.binomial, sp.factorial) for a in node.args]
        whole = set[sp.Symbol]().union(*(e.free_symbols for e in powers + inner)) & statement.integers
        for variable, start, others, later in sums.starts(statement, whole):
            base = self._on(others.with_conclusion(relation.subs(variable, start))).answer()
            following = later.under([relation]).with_conclusion(relation.subs(variable, variable + 1))
            if base and (step := self._where_defined(following, self._solved)):
                found = together("induction", statement, [base, step], (variable, start))
                return replace(found, methods=("induction",)) if isinstance(found, Holds) else None
        return None

    def _by_increments(self, statement: Sequent) -> Holds | None:
        """Induction of an inequality with sums, by what is added from n to n + 1."""
        for needed in by_increments(statement, lambda s: self._on(s)._shown(obligations(s.conclusion))):
            if all(isinstance(self._on(s).answer(), Holds) for s in needed):
                return Holds(("induction",))
        return None

    # ---- solvers

    def by_solvers(self) -> Holds | Undecided:
        """By identities, coefficients, products and SMT; the conclusion is defined wherever the hypotheses hold."""
        total: Holds | Undecided = Holds(())
        for part in self._parts():
            statement = self.statement.with_conclusion(part)
            equal = isinstance(part, sp.Eq) and self._is_zero(statement, part.lhs - part.rhs)
            shown = Holds((self._zero_method(part.lhs - part.rhs),)) if equal else self._solved(statement)
            total = both(total, shown)
        return total

    def by_squares(self) -> Holds | Undecided:
        """By sums of squares, after everything else; of several parts those that squares do not show as ever."""
        parts = list(self._parts())
        shown: list[Holds | Undecided] = []
        try:
            for part in parts:
                statement = self.statement.with_conclusion(part)
                found = self._where_defined(statement, self._shown_by_squares)
                if isinstance(found, Undecided) and len(parts) > 1:
                    found = self._on(statement).answer()
                if isinstance(found, Undecided):
                    return found
                shown.append(found)
        except UndecidedError as exc:
            return Undecided(str(exc))
        return self._with_bodies(shown[0] if len(shown) == 1 else together("parts", self.statement, shown))

    def _shown_by_squares(self, statement: Sequent) -> Holds | Undecided:
        plain = self._plain(statement)
        found = self._algebraic(statement, plain, statement.integers, contradictory_by_squares)
        return Undecided("no sum of squares") if found is None else replace(found, methods=("sums of squares",))

    def by_algebra(self) -> bool:
        """Whether identities, coefficients or products of the hypotheses show the conclusion, a relation or several."""
        return all(self._by_algebra(self.statement.with_conclusion(part)) for part in self._parts())

    def _recorded(self, statement: Sequent) -> Record | None:
        found = self._by_algebra(statement)
        return None if found is None else found.record or Record(found.method, statement)

    def _by_algebra(self, statement: Sequent) -> Holds | None:
        """That a relation is defined and shown by identities, coefficients or products of the hypotheses."""
        relation = statement.conclusion
        if relation in (sp.true, sp.false):
            return direct("evaluation", statement) if relation == sp.true else None
        if time.process_time() > self._deadline or (defined := self._defined_throughout(statement, relation)) is None:
            return None
        if not relation.free_symbols:
            return direct("evaluation", statement) if is_true(relation) else None
        if (
            first_violation(statement, islice(candidate_points(statement, _TRIED_BEFORE), _TRIED_BEFORE // 4))
            is not None
        ):
            return None
        difference = relation.lhs - relation.rhs
        if not isinstance(relation, (sp.Lt, sp.Gt, sp.Ne)) and self._is_zero(statement, difference):
            found: Holds | None = direct("identity", statement)
        else:
            try:
                found = self._algebraic(statement, self._plain(statement), statement.integers)
            except UndecidedError:
                return None
        whole = None if found is None else together("defined", statement, [*defined, found])
        return whole if isinstance(whole, Holds) else None

    @staticmethod
    def _algebraic(
        statement: Sequent, plain: Plain, integers: Collection[sp.Symbol], contradicted: Contradicted = certificate
    ) -> Holds | None:
        """By coefficients or products, over rational functions."""
        hypotheses, conclusion = plain.hypotheses, plain.conclusion

        def holds(method: str, found: Coefficients | Refutation, given: Sequence[Cleared], target: Cleared) -> Holds:
            data = Algebraic(tuple(zip(hypotheses, given, strict=True)), conclusion, target, found, plain.meanings)
            return Holds((method,), record=Record("algebra", statement, data=data))

        if isinstance(conclusion, Relational) and (shown := no_negative_coefficient(hypotheses, conclusion)):
            return holds("coefficients", shown, list(map(Cleared, hypotheses)), Cleared(conclusion))
        given = [clearing(h, hypotheses) for h in hypotheses]
        without = [h.formula for h in given]
        target = clearing(conclusion, without)
        found = follows(without, target.formula, integers, contradicted)
        return None if found is None else holds("products of the hypotheses", found, given, target)

    def _defined_throughout(self, statement: Sequent, relation: Boolean) -> list[Holds] | None:
        """That what a relation needs to be defined holds; None where one condition is not proved."""
        needed = self._on(statement)._shown(obligations(relation))
        shown = [self._shown_of(s.with_conclusion(sp.true), s.conclusion) for s in needed]
        return None if None in shown else [one for one in shown if one is not None]

    def _solved(self, statement: Sequent, quick: bool = False) -> Holds | Undecided:
        """By coefficients, products or SMT, with generators for what is no rational function."""
        statement = statement.with_conclusion(settled(statement.conclusion, statement.integers))
        try:
            plain = self._plain(statement)
        except UndecidedError as exc:
            return Undecided(str(exc))
        if (found := self._algebraic(statement, plain, plain.integers)) is not None:
            record = found.record if isinstance(statement.conclusion, Relational) else None
            return found if record is None else replace(found, record=self._of_sums(statement, record))
        hypotheses = [cleared(h, plain.hypotheses) for h in plain.hypotheses]
        conclusion = cleared(plain.conclusion, hypotheses)
        abstract = conclusion.free_symbols - set(statement.symbols)
        timeout = min(self._timeout, 3.0) if quick or abstract else self._timeout
        timeout = min(timeout, max(0.1, self._deadline - time.process_time()))
        try:
            result = implied(hypotheses, conclusion, plain.integers, timeout)
        except UndecidedError as exc:
            return Undecided(str(exc))
        if result.found is SmtFound.NOTHING and result.confirmed:
            return direct(_BY_SMT, statement)
        return Undecided(f"{statement.conclusion}: {_NO_PROOF[result.found]}")

    def _plain(self, statement: Sequent) -> Plain:
        """Hypotheses and conclusion over symbols and generators; hypotheses outside the language are left out."""
        known = [settled(truth(h), statement.integers) for h in statement.hypotheses]
        if all(map(is_plain, (*known, statement.conclusion))):
            return Plain(statement.integers, known, statement.conclusion)
        terms = self._terms(Sequent(tuple(h for h in known if is_plain(h)), sp.true, statement.integers))
        relations = sorted(
            {r for f in (*known, statement.conclusion) for r in f.atoms(Relational) if not is_plain(r)}, key=str
        )
        kept, sides = [], []
        plain_part = Sequent(tuple(h for h in known if is_plain(h)), sp.true, statement.integers)
        for relation in relations:
            # what is known of a generator holds only where the part it stands for is defined
            if relation != statement.conclusion and self._defined_throughout(plain_part, relation) is None:
                continue
            try:
                alone = terms.abstract([relation.lhs, relation.rhs])
            except UndecidedError:
                continue
            if any(side.has(sp.nan, sp.zoo) for side in alone.expressions):  # no number where the rest is true
                continue
            kept.append(relation)
            sides += [relation.lhs, relation.rhs]
        abstraction = terms.abstract(sides)
        whole = iter(abstraction.expressions)
        replaced = {r: r.func(left, right) for r, left, right in zip(kept, whole, whole, strict=True)}
        plain = [h.xreplace(replaced) for h in known]
        conclusion = statement.conclusion.xreplace(replaced)
        if not is_plain(conclusion):
            raise UndecidedError(f"{conclusion} has a part that is not understood")
        powers = {g: (q, *sp.fraction(sp.together(f))) for g, (q, f) in abstraction.roots.items()}
        roots = [sp.Eq(g**q * below, above) for g, (q, above, below) in powers.items()]
        scaled = bound_to_roots(abstraction, plain, conclusion)
        return Plain(
            statement.integers,
            [*(h for h in plain if is_plain(h)), *roots, *abstraction.facts, *scaled],
            conclusion,
            abstraction.meanings,
        )
