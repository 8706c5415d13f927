"""Why a polynomial is positive, not negative or not zero: products of what is known that add up to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from lpmech.certify.proofs.algebra import Polynomial, Quotient, Terms, added, joined, multiplied
from lpmech.certify.proofs.reading import BOUND, ONE, RELATIONS, ZERO, Parsed

__all__ = ["Reason", "Signs", "Spoken", "divided", "number", "power", "proportion"]

KIND = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "==": "==", "!=": "!="}


class Reason(NamedTuple):
    """Weights, facts and what is squared of products, and factors of equations, that add up to a polynomial."""

    products: tuple[tuple[Fraction, tuple[Parsed, ...], Parsed], ...]
    multiples: tuple[tuple[Parsed, Parsed], ...]
    strict: bool

    def times(self, weight: Any, facts: tuple[Parsed, ...] = (), factor: Parsed = ONE, strict: bool = True) -> Reason:
        """Multiplied by a positive number and facts, whose product is `factor`."""
        products = tuple((w * Fraction(weight), (*f, *facts), s) for w, f, s in self.products)
        multiples = tuple((e, times(times(number(weight), factor), m)) for e, m in self.multiples)
        return Reason(products, multiples, self.strict and strict)


def together(reasons: Iterable[Reason]) -> Reason:
    """The reason for a sum."""
    found = list(reasons)
    products = tuple(p for one in found for p in one.products)
    return Reason(products, tuple(m for one in found for m in one.multiples), any(one.strict for one in found))


# ---- trees


def number(value: Any) -> Parsed:
    """A number as a tree that is read back as it is."""
    value = Fraction(value)
    found: Parsed = ("number", Fraction(abs(value.numerator)))
    found = found if value.denominator == 1 else ("/", found, ("number", Fraction(value.denominator)))
    return ("-", ZERO, found) if value < 0 else found


def times(a: Parsed, b: Parsed) -> Parsed:
    return b if a == ONE else a if b == ONE else ("*", a, b)


def power(tree: Parsed, exponent: int) -> Parsed:
    """A whole power of a term."""
    return tree if exponent == 1 else ("**", tree, number(exponent))


class Spoken:
    """Polynomials as trees: each indeterminate as it was written somewhere."""

    def __init__(self, terms: Terms):
        self.terms, self._trees, self._seen = terms, dict[int, Parsed](), set[Any]()

    def register(self, tree: Parsed, terms: Terms | None = None) -> None:
        """Remember how indeterminates are written, also as they are read by equations."""
        terms = terms or self.terms
        if (tree, id(terms)) in self._seen or not isinstance(tree, tuple):
            return
        self._seen.add((tree, id(terms)))
        if tree[0] in ("number", "name"):
            return
        if tree[0] not in (*"+-*/", *RELATIONS, *BOUND, "Piecewise", "and", "or", "not", "implies", "iff", "whole", "true", "false"):
            own = tree
            if tree[0] == "**" and (value := terms.value(tree[2])) is not None:
                root = value.denominator
                own = ("sqrt", tree[1]) if root == 2 else ("**", tree[1], number(Fraction(1, root)))
                if root == 1:
                    own = ()
            if own:
                self._own(own, terms)
        elif tree[0] in (*BOUND, "Piecewise"):
            self._own(tree, terms)
        if tree[0] == "Piecewise":
            for value, condition in tree[1:]:
                self.register(value, terms)
                self.register(condition, terms)
        elif tree[0] not in BOUND:
            for part in tree[1:]:
                self.register(part, terms)

    def _own(self, tree: Parsed, terms: Terms) -> None:
        if tree[0] == "Each":
            return
        found = terms.quotient(tree).above
        if len(found) == 1 and len(next(iter(found))) == 1 and next(iter(found))[0][1] == 1:
            self._trees.setdefault(next(iter(found))[0][0], tree)

    def atom(self, number: int) -> Parsed:
        """An indeterminate."""
        key = self.terms.keys[number]
        return ("name", key[1]) if key[0] == "name" else self._trees[number]

    def polynomial(self, a: Polynomial) -> Parsed:
        """A sum of monomials."""
        found: Parsed | None = None
        for monomial, value in a.items():
            above, below = ONE, ONE
            for atom, exponent in monomial:
                part = power(self.atom(atom), abs(exponent))
                above, below = (times(above, part), below) if exponent > 0 else (above, times(below, part))
            size = Fraction(abs(value))
            term = above if size == 1 else times(number(size), above)
            term = term if below == ONE else ("/", term, below)
            if found is None:
                found = term if value > 0 else ("-", ZERO, term)
            else:
                found = ("+" if value > 0 else "-", found, term)
        return ZERO if found is None else found

    def quotient(self, a: Quotient) -> Parsed:
        """A quotient."""
        below = ONE
        for key, exponent in a.below.items():
            below = times(below, power(self.polynomial(dict(key)), exponent))
        return self.polynomial(a.above) if below == ONE else ("/", self.polynomial(a.above), below)


# ---- polynomials


def proportion(a: Polynomial, b: Polynomial) -> Any:
    """c with a = c b for polynomials that are not zero, or None."""
    if len(a) != len(b) or not a:
        return None
    monomial, value = next(iter(a.items()))
    if monomial not in b:
        return None
    ratio = Fraction(value) / b[monomial]
    return ratio if all(m in b and v == ratio * b[m] for m, v in a.items()) else None


def divided(a: Polynomial, b: Polynomial) -> Polynomial | None:
    """a / b for polynomials without negative exponents, where that is one; None if not."""
    if not a or not b:
        return {} if b else None
    most: dict[int, int] = {}
    for monomial in a:
        for atom, exponent in monomial:
            most[atom] = max(most.get(atom, 0), exponent)
    if any(e < 0 for m in (*a, *b) for _, e in m) or any(e > most.get(atom, 0) for m in b for atom, e in m):
        return None
    atoms = sorted(most)

    def order(monomial: Any) -> Any:
        powers = dict(monomial)
        return sum(powers.values()), [powers.get(atom, 0) for atom in atoms]

    top = max(b, key=order)
    inverse = tuple((atom, -e) for atom, e in top)
    rest, found = dict(a), dict[Any, Any]()
    for _ in range(400):
        if not rest:
            return found
        first = max(rest, key=order)
        monomial, value = joined(first, inverse), Fraction(rest[first]) / b[top]
        if any(exponent < 0 for _, exponent in monomial):
            return None
        found[monomial] = value
        rest = added(rest, multiplied({monomial: value}, b), -1)
    return None


def moving(a: Polynomial) -> Polynomial:
    """A polynomial without its constant term, if it has another one."""
    return {m: v for m, v in a.items() if m} or a


class Signs:
    """What is known of signs.

    Parameters
    ----------
    spoken : Spoken
    of_atom : callable
        A fact that says that an indeterminate is positive or not negative, by a law, or None.
    lemma : callable
        Makes a fact of a relation and the reason for its difference.
    """

    def __init__(
        self,
        spoken: Spoken,
        of_atom: Callable[[int], Parsed | None],
        lemma: Callable[[Parsed, Reason], None],
    ):
        self._spoken, self._of_atom, self._lemma = spoken, of_atom, lemma
        self.facts: dict[Parsed, tuple[str, Polynomial]] = {}
        self._bounds_of: dict[tuple[int, int], list[tuple[Any, Reason]]] = {}
        self._busy: set[Any] = set()
        self._failed: dict[Any, int] = {}

    def learn(self, fact: Parsed, found: Polynomial) -> None:
        """A relation between terms that is true, whose difference is a polynomial."""
        if fact not in self.facts:
            self.facts[fact] = KIND[fact[0]], found
            self._bounds_of.clear()
            self._failed.clear()

    def reason(self, a: Polynomial, strict: bool, depth: int = 2) -> Reason | None:
        """Why a polynomial is positive (not negative, unless strict), or None."""
        key = frozenset(a.items()), strict
        if not a or key in self._busy or any(e < 0 for m in a for _, e in m):
            return None if a or strict else Reason((), (), False)
        if self._failed.get(key, -1) >= depth:
            return None
        self._busy.add(key)
        size = len(self.facts)
        try:
            for way in (self._at_once, self._termwise, self._product, self._sum)[: 4 if depth else 2]:
                for found in way(a, strict, depth):
                    if found.strict or not strict:
                        return found
        finally:
            self._busy.discard(key)
        if len(self.facts) == size:
            self._failed[key] = depth
        return None

    def _at_once(self, a: Polynomial, strict: bool, depth: int) -> Iterator[Reason]:
        for fact, (kind, known) in list(self.facts.items()):
            ratio = proportion(moving(a), moving(known)) if a.keys() - {()} else None
            if ratio is None or kind == "!=":
                continue
            more = Fraction(a.get((), 0) - ratio * known.get((), 0))
            if more < 0 or (kind != "==" and ratio < 0):
                continue
            extra = [Reason(((more, (), ONE),), (), True)] if more else []
            own = (
                Reason((), ((fact, number(ratio)),), False)
                if kind == "=="
                else Reason(((ratio, (fact,), ONE),), (), kind == ">")
            )
            yield together([own, *extra])
        if a.keys() == {()} and a[()] > 0:
            yield Reason(((Fraction(a[()]), (), ONE),), (), True)

    def _bounds(self, atom: int, depth: int = 2) -> list[tuple[Any, Reason]]:
        """Numbers that an indeterminate is not below (above, if strict), each with the reason for the difference."""
        if (atom, depth) in self._bounds_of:
            return self._bounds_of[atom, depth]
        own, found = ((atom, 1),), list[tuple[Any, Reason]]()
        self._bounds_of[atom, depth] = found
        self._of_atom(atom)
        for fact, (kind, known) in list(self.facts.items()):
            slope = Fraction(known.get(own, 0))
            if not slope or kind == "!=" or (slope < 0 and kind != "=="):
                continue
            bound: Any = -Fraction(known.get((), 0)) / slope
            first = Reason((), ((fact, number(1 / slope)),), False) if kind == "==" else None
            reasons = [first or Reason(((1 / slope, (fact,), ONE),), (), kind == ">")]
            for monomial, value in known.items():
                if monomial in ((), own):
                    continue
                linear = depth and value / slope < 0 and len(monomial) == 1 and monomial[0][1] == 1
                others = self._bounds(monomial[0][0], depth - 1) if linear else []
                best = max(others, key=lambda b: (b[0], b[1].strict), default=None)
                bound = None if bound is None or best is None else bound - value / slope * best[0]
                if best is not None:
                    reasons.append(best[1].times(-value / slope))
            if bound is not None:
                found.append((bound, together(reasons)))
        self._bounds_of[atom, depth] = found
        return found

    def _shift(self, atom: int) -> tuple[Any, Parsed, bool] | None:
        """The best bound of an indeterminate, and the fact that says so."""
        best = max(self._bounds(atom), key=lambda b: (b[0], b[1].strict), default=None)
        if best is None:
            return None
        bound, reason = best
        tree = self._spoken.atom(atom)
        fact = (">" if reason.strict else ">=", tree if not bound else ("-", tree, number(bound)), ZERO)
        simple = len(reason.products) == 1 and len(reason.products[0][1]) == 1 and reason.products[0][0] == 1
        if simple and not reason.multiples:
            return bound, reason.products[0][1][0], reason.strict
        self._lemma(fact, reason)
        return bound, fact, reason.strict

    def _termwise(self, a: Polynomial, strict: bool, depth: int) -> Iterator[Reason]:
        """Each term is a product of what is not negative: of indeterminates moved to their bounds, or squares."""
        atoms = {atom for m in a for atom, _ in m}
        shifts = {atom: found for atom in sorted(atoms) if (found := self._shift(atom)) is not None}
        zero = {atom: found for atom, found in shifts.items() if found[0] >= 0}
        for moved in ({}, shifts):
            found = self._by_terms(self._moved(a, moved), moved, zero)
            if found is not None:
                yield found

    def _moved(self, a: Polynomial, shifts: Any) -> Polynomial:
        found: Polynomial = {}
        for monomial, value in a.items():
            part: Polynomial = {tuple((i, e) for i, e in monomial if i not in shifts): value}
            for atom, exponent in monomial:
                for _ in range(exponent if atom in shifts else 0):
                    part = multiplied(part, {((atom, 1),): 1, (): shifts[atom][0]} if shifts[atom][0] else {((atom, 1),): 1})
            found = added(found, part)
        return found

    def _by_terms(self, a: Polynomial, shifts: Any, zero: Any) -> Reason | None:
        if len(a) > 400:
            return None
        reasons = []
        for monomial, value in a.items():
            if value < 0:
                return None
            facts, square, strict = list[Parsed](), ONE, True
            for atom, exponent in monomial:
                if atom in shifts:
                    facts += [shifts[atom][1]] * exponent
                    strict &= shifts[atom][2]
                elif exponent % 2 == 0:
                    nonzero = self._nonzero_fact(atom)
                    if nonzero is not None and nonzero[0] == "!=":
                        facts += [nonzero] * (exponent // 2)
                    elif atom in zero and zero[atom][2] and not zero[atom][0]:
                        facts += [zero[atom][1]] * exponent
                    else:
                        square, strict = times(square, power(self._spoken.atom(atom), exponent // 2)), False
                elif atom in zero:
                    facts += [self._from_zero(atom, zero[atom])] * exponent
                    strict &= zero[atom][2] or zero[atom][0] > 0
                else:
                    return None
            reasons.append(Reason(((Fraction(value), tuple(facts), square),), (), strict))
        return together(reasons)

    def _from_zero(self, atom: int, shift: Any) -> Parsed:
        """The fact that an indeterminate is not negative, of its bound."""
        bound, fact, strict = shift
        if not bound:
            return fact
        own = (">", self._spoken.atom(atom), ZERO)
        self._lemma(own, Reason(((Fraction(1), (fact,), ONE), (Fraction(bound), (), ONE)), (), True))
        return own

    def _nonzero_fact(self, atom: int) -> Parsed | None:
        own = {((atom, 1),): 1}
        return next((f for f, (kind, known) in self.facts.items() if kind in (">", "!=") and known == own), None)

    def _product(self, a: Polynomial, strict: bool, depth: int) -> Iterator[Reason]:
        """By a factor whose sign is known."""
        for fact, (kind, known) in list(self.facts.items()):
            if kind == "==" or not known.keys() - {()} or (len(known) > 1 and len(known) > len(a)):
                continue
            rest = divided(a, known)
            if rest is None:
                continue
            if kind == "!=":
                rest = divided(rest, known)
            if rest is None or (kind == ">=" and strict):
                continue
            found = self.reason(rest, strict, depth - 1)
            if found is not None:
                tree = self._spoken.polynomial(known if kind != "!=" else multiplied(known, known))
                yield found.times(1, (fact,), tree, kind != ">=")

    def _sum(self, a: Polynomial, strict: bool, depth: int) -> Iterator[Reason]:
        """A fact, and what is left is seen at once: of facts with more than one term."""
        for fact, (kind, known) in list(self.facts.items()):
            if kind not in (">", ">=") or len(known.keys() - {()}) < 1 or not set(moving(known)) <= a.keys():
                continue
            ratio = min((Fraction(a[m]) / v for m, v in known.items() if m and a[m] * v > 0), default=None)
            if ratio is None:
                continue
            rest = added(a, known, -ratio)
            if len(rest) >= len(a):
                continue
            found = self.reason(rest, strict and kind == ">=", 0) if rest else Reason((), (), False)
            if found is not None:
                yield together([found, Reason(((ratio, (fact,), ONE),), (), kind == ">")])

    def nonzero(self, a: Polynomial, depth: int = 3) -> tuple[Any, list[Parsed]] | None:
        """c and facts such that a is c times the product of what they compare, none of which is zero."""
        if a.keys() == {()}:
            return a[()], []
        for sign in (1, -1):
            found = self.reason({m: v * sign for m, v in a.items()}, True)
            if found is not None:
                tree = self._spoken.polynomial({m: v * sign for m, v in a.items()})
                fact = (">", tree, ZERO)
                self._lemma(fact, found)
                return sign, [fact]
        for fact, (kind, known) in list(self.facts.items()):
            if kind in (">", "!=") and known.keys() - {()} and (rest := divided(a, known)) is not None and depth:
                others = self.nonzero(rest, depth - 1)
                if others is not None:
                    return others[0], [fact, *others[1]]
        return None
