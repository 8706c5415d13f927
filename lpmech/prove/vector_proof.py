"""Proofs about vectors of any size: sums over an index are cut into pieces, and what is known of each term is added up.

All sums of a statement are cut at the same places, whose order is proved (or both orders are cases), and are sums of
monomials over single pieces then: a sum is linear, and a range is split at a place within it. A case distinction in a
term is resolved on a piece where it is proved which case applies. What the hypotheses say of each index becomes
inequalities between these sums and single entries, termwise: N(i) >= 0 on a piece gives sum N(i) >= 0, M(i) >= 0
besides gives sum M(i) N(i) >= 0, and two functions that both fall or both rise give Chebyshev's sum inequality. Then
every sum and every entry is a real number of its own, and the statement is one about numbers (`lpmech.prove.proof`).

Beyond its length a vector may be anything: what is used of an entry is a hypothesis at an index that is proved to be in
range wherever the term exists, and the places in the statement are proved to be in range by themselves.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, islice, pairwise, product
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from lpmech.errors import UndecidedError
from lpmech.prove import sums
from lpmech.prove.answers import Holds, Undecided, both
from lpmech.prove.language import Obligation, Sequent, conjuncts, is_whole, obligations, settled, truth
from lpmech.prove.proof import ProofSearch
from lpmech.prove.repeated import Sum
from lpmech.prove.search import candidate_points, first_violation
from lpmech.prove.termwise import at_each_index
from lpmech.prove.vectors import Each, VectorEntry, has_vectors

__all__ = ["VectorProof"]

_DEEPEST, _MOST_SPLITS, _MOST_INSTANCES, _MOST_PAIRS, _WRITTEN_OUT = 4, 4, 150, 120, 3
#: The last kind of facts that is tried: that of monotone functions.
_MONOTONE = 3
_CASES = (sp.Piecewise, sp.Abs, sp.Max, sp.Min)
#: The index of every sum in normal form, by how many sums stand inside.
_INDICES = tuple(sp.Dummy(f"i{level}") for level in range(8))


class _UnorderedError(Exception):
    """Neither of two places is proved to be before the other."""

    def __init__(self, first: sp.Expr, second: sp.Expr) -> None:
        super().__init__(first, second)
        self.cases = (first <= second, second + 1 <= first)


class VectorProof:
    """Attempts to prove a statement about vectors; it never refutes."""

    def __init__(self, statement: Sequent, timeout_seconds: float, parent: VectorProof | None = None) -> None:
        given = conjuncts(*(settled(h, statement.integers) for h in statement.hypotheses))
        self.statement = replace(statement, hypotheses=tuple(h for h in dict.fromkeys(given) if h != sp.true))
        self._timeout = timeout_seconds
        self._deadline: float = parent._deadline if parent else time.process_time() + 3 * timeout_seconds
        self._depth: int = parent._depth + 1 if parent else 0
        self._known: dict[Sequent, bool] = parent._known if parent else {}
        self._points: dict[Any, list[dict[sp.Symbol, sp.Expr]]] = parent._points if parent else {}

    def whole_answer(self) -> Holds | Undecided:
        """The conclusion, and that the terms of its sums are defined."""
        try:
            missing = self._not_shown(self.statement.bodies)
        except UndecidedError as exc:
            return Undecided(str(exc))
        return self.answer() if missing is None else Undecided(f"{missing} for every term is not proved")

    def answer(self) -> Holds | Undecided:
        """The conclusion's parts one by one."""
        total: Holds | Undecided = Holds(())
        try:
            for part in conjuncts(self.statement.conclusion):
                total = both(total, self._part(part))
                if isinstance(total, Undecided):
                    return total
        except UndecidedError as exc:
            return Undecided(str(exc))
        return total

    def _on(self, statement: Sequent) -> VectorProof:
        if time.process_time() > self._deadline or self._depth > _DEEPEST:
            raise UndecidedError("no proof was found in time")
        return VectorProof(statement, self._timeout, self)

    def _part(self, part: Boolean) -> Holds | Undecided:
        statement = self.statement.with_conclusion(part)
        if isinstance(part, Each):
            own = {i: sp.Dummy(i.name) for i, _, _ in part.limits}
            ranges = [c.xreplace(own) for i, lower, upper in part.limits for c in (lower <= i, i <= upper)]
            inside = statement.under(ranges, own.values())
            return self._on(inside.with_conclusion(part.function.xreplace(own))).answer()
        if isinstance(part, sp.Or):  # where an alternative is false, the others have to be defined
            shown = [a for a in part.args if self._not_shown(obligations(a)) is None]
            rest = [a for a in part.args if a not in shown]
            if rest and shown:
                where = statement.under(map(sp.Not, shown))
                return self._on(where.with_conclusion(sp.Or(*rest))).answer()
        missing = self._not_shown(obligations(part))
        if missing is not None:
            return Undecided(f"where {part} is defined: {missing} is not proved")
        if isinstance(part, sp.Implies):
            premise, conclusion = part.args
            return self._on(statement.under(conjuncts(truth(premise))).with_conclusion(conclusion)).answer()
        if not has_vectors(part):
            plain = tuple(h for h in statement.hypotheses if not has_vectors(h))
            if found := ProofSearch(replace(statement, hypotheses=plain), self._timeout / 2).answer():
                return found
        return self._term_by_term(statement, self._by_cases(statement, _MOST_SPLITS))

    def _term_by_term(self, statement: Sequent, before: Holds | Undecided) -> Holds | Undecided:
        """What was found before, unless it is undecided and the terms at each index show it."""
        if isinstance(before, Undecided):
            for term in at_each_index(statement):
                if isinstance(found := self._on(term).answer(), Holds):
                    return both(Holds(("term by term",)), found)
        return before

    def _not_shown(self, needed: Iterable[Obligation]) -> Boolean | None:
        """The first obligation that is not proved; its indices get names that no formula binds."""
        for obligation in needed:
            own = {i: sp.Dummy(i.name) for i in obligation.indices}
            inside = self.statement.under((u.xreplace(own) for u in obligation.under), own.values())
            condition = obligation.condition.xreplace(own)
            if not self._knows(inside, condition):
                return condition
        return None

    def _by_cases(self, statement: Sequent, left: int) -> Holds | Undecided:
        """The statement, in both cases where the order of two places is not known."""
        try:
            return self._in_order(statement)
        except _UnorderedError as exc:
            if left == 0:
                return Undecided(f"the order of {' and '.join(map(str, exc.args))}, and others, is not known")
            total: Holds | Undecided = Holds(("cases",))
            for case in exc.cases:
                total = both(total, self._by_cases(self._with_equation(statement.under([case]), case), left - 1))
                if isinstance(total, Undecided):
                    return total
            return total

    def _with_equation(self, statement: Sequent, case: Boolean) -> Sequent:
        """With a value in place of a whole number, where the inequality of the case is proved to be an equation."""
        difference = sp.expand(case.gts - case.lts)
        if self._knows(statement, difference <= 0):
            for symbol in sorted(difference.free_symbols & statement.integers, key=str):
                if (slope := difference.diff(symbol)) in (1, -1):
                    return statement.at({symbol: sp.expand(symbol - slope * difference)})
        return statement

    # ---- what is known

    def _knows(self, statement: Sequent, condition: Boolean) -> bool:
        """Whether a condition is proved; of one about numbers and indices alone, from what is said of them alone."""
        condition = settled(condition, statement.integers)
        if condition in (sp.true, sp.false) or condition in statement.hypotheses:
            return condition != sp.false
        about = has_vectors(condition)
        hypotheses = tuple(h for h in statement.hypotheses if about or not has_vectors(h))
        if condition.free_symbols <= statement.integers:
            hypotheses = tuple(h for h in hypotheses if h.free_symbols <= statement.integers)
        question = Sequent(hypotheses, condition, statement.integers)
        if question not in self._known:
            try:
                self._known[question] = bool(self._on(question).answer()) if about else self._about_numbers(question)
            except UndecidedError:
                return False
        return self._known[question]

    def _about_numbers(self, question: Sequent) -> bool:
        if not question.conclusion.free_symbols <= question.integers:
            return bool(ProofSearch(question, min(self._timeout, 3.0)).answer())
        if question.hypotheses not in self._points:
            self._points[question.hypotheses] = list(candidate_points(question, 100))
        points = self._points[question.hypotheses]
        if any(question.conclusion.xreplace(point) == sp.false for point in points):
            return False
        return ProofSearch(question, 1.0).by_algebra() or bool(ProofSearch(question, 1.0).answer())

    # ---- one formula, defined wherever the hypotheses hold

    def _in_order(self, statement: Sequent) -> Holds | Undecided:
        said = [h for h in statement.hypotheses if not h.has(Each)]
        if statement.conclusion.has(Each):
            raise UndecidedError("a condition for each index stands inside of another formula")
        each = [h for h in statement.hypotheses if isinstance(h, Each)]
        facts = _Facts(statement, each, self._knows)
        said += facts.with_sums([*said, statement.conclusion])
        found: Holds | Undecided = Undecided("nothing was tried")
        for entries in (False, True) if self._depth == 0 or statement.conclusion.has(sp.Sum) else (False,):
            pieces = _Pieces(statement, self._knows, [*said, statement.conclusion], entries)
            normal = [pieces.normal(h) for h in said]
            conclusion = pieces.normal(statement.conclusion)
            wide = [sp.Ge(b - a, 0) for a, b in pairwise(pieces.places)]
            summed = facts.of_pieces(pieces, [*normal, conclusion])
            for most in sorted({0, *(kind for _, kind in summed), _MONOTONE}):
                more = facts.of_monotone(pieces, [*normal, conclusion]) if most == _MONOTONE else []
                if most == _MONOTONE and not more:
                    continue
                known = [
                    *normal,
                    *wide,
                    *(fact for fact, kind in summed if kind <= most and (kind < 2 or not more)),
                    *more,
                ]
                known += facts.of_entries([*known, conclusion])
                names: dict[sp.Expr, sp.Symbol] = {}
                named = [_named(h, names) for h in dict.fromkeys(known)]
                question = Sequent(
                    tuple(h for h in named if h != sp.true), _named(conclusion, names), statement.integers
                )
                if first_violation(question, islice(candidate_points(question, 200), 40)) is not None:
                    continue
                found = ProofSearch(question, min(self._timeout, 1.0 if self._depth else 3.0)).by_solvers()
                if isinstance(found, Holds):
                    return Holds(("sums over an index termwise", *found.methods))
                if time.process_time() > self._deadline:
                    return Undecided("no proof was found in time")
        if facts.undecided and not self._depth:
            raise _UnorderedError(*facts.undecided[0])
        return Undecided(f"{statement.conclusion}: no proof from what is known of each index")


def _named(node: Any, names: dict[sp.Expr, sp.Symbol]) -> Any:
    """Every sum of entries, and every entry, as a real number of its own."""
    if not has_vectors(node):
        return node
    if isinstance(node, (VectorEntry, sp.Sum, sp.Product)):
        return names.setdefault(node, sp.Symbol(f"[{node}]"))
    return node.func(*(_named(part, names) for part in node.args))


def _outermost(node: Any) -> Iterator[Any]:
    """The sums and entries that stand in no other."""
    if isinstance(node, (VectorEntry, sp.Sum, sp.Product)):
        if has_vectors(node):
            yield node
    elif has_vectors(node):
        for part in node.args:
            yield from _outermost(part)


class _Pieces:
    """The places at which all sums of a statement are cut, in order; and sums as sums over the pieces between them.

    Raises
    ------
    _UnorderedError
        If the order of two places is not proved.
    """

    def __init__(self, statement: Sequent, knows: Any, formulas: Sequence[Boolean], entries: bool) -> None:
        self.statement = statement
        self._knows = knows
        wanted: dict[sp.Expr, None] = {}
        for node in (n for f in formulas for n in sp.ordered(f.atoms(sp.Sum)) if has_vectors(n)):
            for index, lower, upper in node.limits:
                inner = [sp.expand(b + 1) for b in sums.breaks(node.function, index)]
                for place in (lower, upper + 1, *inner, *(b - 1 for b in inner)):
                    wanted[sp.expand(place)] = None
        if entries and wanted:
            single = (n for f in formulas for n in _outermost(f) if isinstance(n, VectorEntry))
            wanted |= dict.fromkeys(place for n in single for i in n.indices for place in (i, i + 1))
        self.places: list[sp.Expr] = []
        for place in wanted:
            if is_whole(place, statement.integers):
                self._insert(place)

    def _insert(self, place: sp.Expr) -> None:
        for position, other in enumerate(self.places):
            if self.before(place, other):
                self.places.insert(position, place)
                return
            if not self.before(other, place):
                raise _UnorderedError(place, other)
        self.places.append(place)

    def before(self, first: sp.Expr, second: sp.Expr) -> bool:
        """Whether a place is proved to be at another one or before it."""
        return bool(self._knows(self.statement, first <= second))

    def normal(self, node: Any) -> Any:
        """An expression or a formula with its sums over single pieces, of monomials."""
        if not has_vectors(node) or isinstance(node, (VectorEntry, sp.Product)):
            return node
        found = self._sum(node) if isinstance(node, sp.Sum) else node.func(*map(self.normal, node.args))
        if found.has(sp.zoo, sp.nan, sp.oo):
            raise UndecidedError(f"{node} is not defined")
        return found

    def _sum(self, node: sp.Sum) -> sp.Expr:
        *inner, (index, lower, upper) = node.limits
        own = sp.Dummy(index.name)
        body = (Sum(node.function, *inner) if inner else node.function).xreplace({index: own})
        ends = sp.expand(lower), sp.expand(upper + 1)
        if not all(end in self.places for end in ends):
            return node
        first, last = map(self.places.index, ends)
        return sp.Add(*(self.over(body, own, a, b) for a, b in pairwise(self.places[first : last + 1])))

    def over(self, body: sp.Expr, own: sp.Dummy, start: sp.Expr, stop: sp.Expr) -> sp.Expr:
        """The sum of a body from one place to before the next."""
        width = sp.expand(stop - start)
        if width.is_Integer and width <= _WRITTEN_OUT:
            return sp.Add(*(self.normal(body.xreplace({own: start + j})) for j in range(int(width))))
        if body.has(*_CASES):
            inside = self.statement.under([start <= own, own <= stop - 1], [own])
            resolved = sums.resolved(body, lambda condition: bool(self._knows(inside, condition)))
            body = body if resolved is None else resolved
        total = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(self.normal(body))):
            factor, monomial = term.as_independent(own, as_Add=False)
            if monomial == 1:
                total += factor * width
            else:
                index = _INDICES[1 + max((_level(n) for n in monomial.atoms(sp.Sum, sp.Product)), default=0)]
                total += factor * Sum(monomial.xreplace({own: index}), (index, start, stop - 1))
        return sp.expand(total)


def _level(node: Any) -> int:
    return 1 + max((_level(n) for n in node.function.atoms(sp.Sum, sp.Product)), default=0)


class _Facts:
    """What the hypotheses about each index say at the indices that occur, and of sums over pieces."""

    def __init__(self, statement: Sequent, each: Sequence[Each], knows: Any) -> None:
        self._statement = statement
        self._each = each
        self._knows = knows
        #: Pairs of places whose order decides whether an index is in the range of a hypothesis with sums.
        self.undecided: list[tuple[sp.Expr, sp.Expr]] = []

    def with_sums(self, formulas: Sequence[Boolean]) -> list[Boolean]:
        """The hypotheses with sums, at the indices that occur and, where an index ends a sum, beside them."""
        found = []
        for hypothesis in self._each:
            if hypothesis.function.has(sp.Sum):
                near = _ends(formulas, self._statement.integers)
                found += list(self._instances(hypothesis, self._statement, _Places(formulas), near))
        return found

    def of_entries(self, formulas: Sequence[Boolean]) -> list[Boolean]:
        """What holds between the entries that occur."""
        entries = {n for f in formulas for n in _outermost(f) if isinstance(n, VectorEntry)}
        places = _Places(formulas)
        found = (i for h in self._each for i in self._instances(h, self._statement, places, []))
        return [i for i in found if set(_outermost(i)) <= entries]

    def of_pieces(self, pieces: _Pieces, formulas: Sequence[Boolean]) -> list[tuple[Boolean, int]]:
        """Inequalities of sums over pieces; 0 if linear, 1 of products of which the functions occur, 2 of others."""
        summed = {n.function for f in formulas for n in _outermost(f) if isinstance(n, sp.Sum)}
        found: list[tuple[Boolean, int]] = []
        for start, stop in pairwise(pieces.places):
            width = sp.expand(stop - start)
            if width.is_Integer and width <= _WRITTEN_OUT:
                continue
            own = sp.Dummy("i")
            inside = self._statement.under([start <= own, own <= stop - 1], [own])
            ends = list(map(sp.expand, (start, stop - 1, stop, start - 1)))
            sides = list(dict.fromkeys(self._sides(inside, own, ends, _Places(formulas))))
            totals = [(pieces.over(side, own, start, stop), 0) for side in sides]
            pairs = combinations_with_replacement([*sides, own - start, stop - 1 - own], 2)
            totals += [(pieces.over(sp.expand(a * b), own, start, stop), 2) for a, b in islice(pairs, _MOST_PAIRS)]
            unknown = Counter(f for total, kind in totals for f in _functions(total) - summed if kind)
            for total, kind in totals:
                functions = _functions(total)
                if functions and functions <= summed:
                    found.append((sp.Ge(total, 0), min(kind, 1)))
                elif functions and kind and all(f in summed or unknown[f] > 1 for f in functions):
                    found.append((sp.Ge(total, 0), 2))
        return found

    def of_monotone(self, pieces: _Pieces, formulas: Sequence[Boolean]) -> list[Boolean]:
        """Chebyshev's sum inequality for the products of two functions that are summed."""
        summed = {n for f in formulas for n in _outermost(f) if isinstance(n, sp.Sum)}
        return [fact for n in sorted(summed, key=str) for fact in self._of_two(n, pieces)]

    def _of_two(self, node: sp.Sum, pieces: _Pieces) -> Iterator[Boolean]:
        """n sum f g >= sum f sum g, where f and g both fall or both rise, or are the same; <= where one falls only."""
        own, (index, start, last) = sp.Dummy("i"), node.limits[0]
        inside = self._statement.under([start <= own, own <= last - 1], [own])
        factors = sp.Mul.make_args(node.function)
        if len(factors) == 1 and factors[0].is_Pow and factors[0].exp == 2:
            factors = (factors[0].base,) * 2
        if len(factors) != 2 or (start, sp.expand(last + 1)) not in set(pairwise(pieces.places)):
            return
        f, g = (factor.xreplace({index: own}) for factor in factors)
        known = set(self._sides(inside, own, [own + 1], _Places([])))

        def monotone(h: sp.Expr) -> int:
            rise = sp.expand(h.xreplace({own: own + 1}) - h)
            return 1 if rise in known or rise == 1 else -1 if -rise in known else 0

        sign = 1 if f == g else monotone(f) * monotone(g)
        if sign:
            first, second = (pieces.over(h, own, start, last + 1) for h in (f, g))
            yield sp.Ge(sign * ((last + 1 - start) * node - first * second), 0)

    def _sides(self, inside: Sequent, own: sp.Dummy, ends: Sequence[sp.Expr], places: _Places) -> Iterator[sp.Expr]:
        """Expressions in an index that are not negative for any value of it."""
        for hypothesis in self._each:
            single = all(len(n.indices) == 1 for n in hypothesis.function.atoms(VectorEntry))
            for relation in self._instances(hypothesis, inside, places, ends if single else [], own):
                for part in conjuncts(relation):
                    if isinstance(part, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
                        yield sp.expand(part.gts - part.lts)
                    elif isinstance(part, sp.Eq):
                        yield sp.expand(part.lhs - part.rhs)
                        yield sp.expand(part.rhs - part.lhs)

    def _instances(
        self,
        hypothesis: Each,
        context: Sequent,
        places: _Places,
        more: Sequence[sp.Expr],
        among: sp.Dummy | None = None,
    ) -> Iterator[Boolean]:
        """A hypothesis about each index at places that are proved to be in its range; `among` is one of them."""
        indices = [i for i, _, _ in hypothesis.limits]
        choices = [places.of(i, hypothesis.function, more, among) for i in indices]

        def knows(condition: Boolean) -> bool:
            return bool(self._knows(context, condition))

        for values in islice(product(*choices), _MOST_INSTANCES):
            if among is not None and among not in values:
                continue
            at = dict(zip(indices, values, strict=True))
            ranges = ((lower.xreplace(at), at[i], upper.xreplace(at)) for i, lower, upper in hypothesis.limits)
            open_ends = [(a, b) for first, v, last in ranges for a, b in ((first, v), (v, last)) if not knows(a <= b)]
            if len(open_ends) == 1 and more and among is None and not knows(open_ends[0][1] < open_ends[0][0]):
                self.undecided += open_ends
            if not open_ends:
                found = hypothesis.function.xreplace(at)
                if found != sp.true:
                    yield found


class _Places:
    """The indices at which the entries of each vector are taken in some formulas, by vector and row or column."""

    def __init__(self, formulas: Sequence[Boolean]) -> None:
        self._at: dict[Any, dict[sp.Expr, None]] = {}
        bound = {limit[0] for f in formulas for n in f.atoms(sp.Sum, sp.Product) for limit in n.limits}
        for entry in sorted({n for f in formulas for n in f.atoms(VectorEntry)}, key=str):
            for slot, index in enumerate(entry.indices):
                if not index.free_symbols & bound:
                    self._at.setdefault((entry.args[0], slot), {})[index] = None

    def of(self, index: sp.Symbol, function: Boolean, more: Sequence[sp.Expr], among: sp.Dummy | None) -> list[sp.Expr]:
        """The values that an index of a hypothesis may take."""
        slots = [
            (n.args[0], s)
            for n in sp.ordered(function.atoms(VectorEntry))
            for s, i in enumerate(n.indices)
            if i == index
        ]
        found = dict.fromkeys([] if among is None else [among])
        for slot in slots:
            found |= self._at.get(slot, {})
        in_limits = any(index in n.limits[0][2].free_symbols for n in function.atoms(sp.Sum))
        return list(found | dict.fromkeys(more if in_limits or among is not None or not slots else []))


def _functions(total: sp.Expr) -> set[sp.Expr]:
    return {n.function for n in _outermost(total) if isinstance(n, sp.Sum)}


def _ends(formulas: Sequence[Boolean], integers: frozenset[sp.Symbol]) -> list[sp.Expr]:
    """The indices of entries, the last ones of sums, and those beside them."""
    found: dict[sp.Expr, None] = {}
    for node in (n for f in formulas for n in _outermost(f)):
        for i in node.indices if isinstance(node, VectorEntry) else [node.limits[-1][2]]:
            found |= dict.fromkeys(sp.expand(i + j) for j in (0, -1, 1) if is_whole(i, integers))
    return list(found)
