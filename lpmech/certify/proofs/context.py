"""What is known in a step of a proof: hypotheses, and the signs that each of them says; nothing is searched for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from lpmech.certify.proofs.algebra import Quotient, Terms, lead
from lpmech.certify.proofs.reading import FALSE, RELATIONS, TRUE, Parsed, RefusedProofError, negated, without_words

__all__ = ["Context", "conjuncts", "shortened"]

#: Of the signs -1, 0, 1 of a difference, those that a relation allows.
ALLOWED = {">": {1}, "<": {1}, ">=": {0, 1}, "<=": {0, 1}, "==": {0}, "!=": {-1, 1}}
MAX_COMPARED = 8
_WHOLE = ("floor", "ceiling", "sign", "factorial", "binomial")


def conjuncts(tree: Parsed) -> list[Parsed]:
    """The parts of a conjunction."""
    if tree[0] != "and":
        return [] if tree == TRUE else [tree]
    return [part for inner in tree[1:] for part in conjuncts(inner)]


def shortened(tree: Parsed) -> str:
    """A formula for a message."""
    match tree:
        case ("number" | "name", value):
            text = str(value)
        case ("-", ("number", value), part) if not value:
            text = f"(-{shortened(part)})"
        case (operation, a, b) if operation in (*RELATIONS, *"+-*/", "**", "and", "or"):
            text = f"({shortened(a)} {operation} {shortened(b)})"
        case ("whole", x):
            text = f"{shortened(x)} in Integers"
        case ("true" | "false",):
            text = str(tree[0].capitalize())
        case _:
            parts = (shortened(part) if isinstance(part, tuple) and part else str(part) for part in tree[1:])
            text = f"{tree[0] if isinstance(tree[0], str) else ''}({', '.join(parts)})"
    return text if len(text) <= 200 else text[:197] + "..."


class Context:
    """Conditions that are defined and true.

    Parameters
    ----------
    sorts : mapping of str to str
    terms : Terms
    given : iterable of trees
    """

    def __init__(self, sorts: Mapping[str, str], terms: Terms, given: Iterable[Parsed] = ()):
        self.sorts, self.terms = dict(sorts), terms
        #: What is assumed besides, while it is looked whether a formula is defined.
        self.more: tuple[Parsed, ...] = ()
        self._parts: set[Parsed] = set()
        self._alternatives: list[Parsed] = []
        self._signs: dict[Any, set[int]] = {}
        self._atoms: set[int] = set()
        self._defined: set[Parsed] = set()
        self._contradictory = False
        for tree in given:
            self._learn(tree)

    def with_more(self, more: Iterable[Parsed], sorts: Mapping[str, str] | None = None) -> Context:
        """With further conditions."""
        found = Context({**self.sorts, **(sorts or {})}, self.terms)
        found.more = (*self.more, *(more := tuple(more)))
        found._parts, found._atoms, found._signs = set(self._parts), set(self._atoms), dict(self._signs)
        found._alternatives, found._defined = list(self._alternatives), set(self._defined)
        found._contradictory = self._contradictory
        for tree in more:
            found._learn(tree)
        return found

    def _learn(self, tree: Parsed) -> None:
        self._parts.add(tree)
        for part in conjuncts(without_words(tree)):
            self._parts.add(part)
            if part[0] == "or":
                self._alternatives.append(part)
            elif part[0] in RELATIONS or part[0] == "whole":
                for term in part[1:]:
                    self._learn_terms(term)
                key, turned, allowed = self._read(part)
                self._restrict(key, {sign * turned for sign in allowed})
            self._contradictory |= part == FALSE

    def _learn_terms(self, term: Parsed) -> None:
        """A term is defined, and with it what it is made of."""
        for need in self.terms.needs(term):
            if need[0] == "defined":
                self._atoms.update(atom for ((atom, _),) in self.terms.quotient(need[1]).above)
            else:
                self._learn(need)
        self._defined.add(term)

    def _restrict(self, key: Any, allowed: set[int]) -> None:
        self._signs[key] = self._domain(key) & allowed
        self._contradictory |= not self._signs[key]

    # ---- what is true

    def demand(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined and true."""
        self.defined(tree)
        if not self.holds(tree):
            raise self._missing(tree)

    def _missing(self, tree: Parsed) -> RefusedProofError:
        return RefusedProofError(f"{shortened(tree)} is not known", tree, self.more)

    def holds(self, tree: Parsed) -> bool:
        """Whether a condition that is defined is true, whatever the signs are that the hypotheses leave open."""
        if self._contradictory or tree in self._parts:
            return True
        tree = without_words(tree)
        compared = dict.fromkeys(self._compared(tree))
        given = [(part, keys) for part in self._alternatives if (keys := set(self._compared(part))) & compared.keys()]
        compared |= {key: None for _, keys in given for key in keys}
        if len(compared) > MAX_COMPARED:
            return False
        for signs in product(*map(self._domain, compared)):
            at = dict(zip(compared, signs, strict=True))
            if not self._true_at(tree, at) and all(self._true_at(part, at) for part, _ in given):
                return False
        return True

    def _domain(self, key: Any) -> set[int]:
        """The signs that are left open; of what is no relation 1 where it is true, -1 where it is not."""
        if key[0] == "constant":
            return {key[1]}
        if key[0] == "whole" and self.is_whole(Quotient(*map(dict, key[1]))):
            return {1}
        return self._signs.get(key, {-1, 0, 1} if key[0] == "sign" else {-1, 1})

    def _compared(self, tree: Parsed) -> Iterator[Any]:
        if tree[0] in ("and", "or"):
            for part in tree[1:]:
                yield from self._compared(part)
        elif tree not in (TRUE, FALSE):
            yield self._read(tree)[0]

    def _true_at(self, tree: Parsed, at: Mapping[Any, int]) -> bool:
        if tree in (TRUE, FALSE):
            return tree == TRUE
        if tree[0] in ("and", "or"):
            return (all if tree[0] == "and" else any)(self._true_at(part, at) for part in tree[1:])
        key, turned, allowed = self._read(tree)
        return at[key] * turned in allowed

    def _read(self, tree: Parsed) -> tuple[Any, int, set[int]]:
        """What a condition compares with zero, but for a factor of the sign that follows, and the signs it allows."""
        if tree not in self.terms.readings:
            self.terms.readings[tree] = self._reading(tree)
        return self.terms.readings[tree]

    def _reading(self, tree: Parsed) -> tuple[Any, int, set[int]]:
        if tree[0] not in RELATIONS:
            return (("whole", self.terms.key(tree[1])) if tree[0] == "whole" else ("truth", tree)), 1, {1}
        found = self.terms.difference(tree)
        value = lead(found.above) if found.above else 0
        turned = (value > 0) - (value < 0)
        if not found.below and not found.above.keys() - {()}:
            return ("constant", turned), 1, ALLOWED[tree[0]]
        above = frozenset((monomial, Fraction(v) / value) for monomial, v in found.above.items())
        return ("sign", above, frozenset(found.below.items())), turned, ALLOWED[tree[0]]

    # ---- what is defined

    def defined(self, tree: Parsed) -> None:
        """Refuse unless a condition is known to be defined; of a conjunction each part may use those that are alone."""
        tree = without_words(tree)
        if tree[0] in ("and", "or"):
            alone = [part for part in tree[1:] if self._is_defined(part)]
            here = self.with_more(alone if tree[0] == "and" else map(negated, alone)) if alone else self
            for part in tree[1:]:
                if part not in alone:
                    here.defined(part)
        elif tree[0] in RELATIONS or tree[0] == "whole":
            for term in tree[1:]:
                self.has_value(term)
        elif tree not in (TRUE, FALSE) and tree not in self._parts:
            raise RefusedProofError(f"{tree[0]} is not understood")

    def _is_defined(self, tree: Parsed) -> bool:
        try:
            self.defined(tree)
        except RefusedProofError:
            return False
        return True

    def has_value(self, term: Parsed) -> None:
        """Refuse unless a term is known to be defined."""
        if term in self._defined:
            return
        for need in self.terms.needs(term):
            if need[0] != "defined":
                if not self.holds(need):
                    raise self._missing(need)
            elif not self._atoms.issuperset(atom for ((atom, _),) in self.terms.quotient(need[1]).above):
                if need[1][0] != "Piecewise":
                    raise RefusedProofError(f"{need[1][0]} is not known to be defined")
                self._has_case(need[1][1:])
        self._defined.add(term)

    def _has_case(self, cases: Iterable[tuple[Parsed, Parsed]]) -> None:
        """Every condition is defined, a value where its condition is the first that holds, and one of them holds."""
        here = self
        for value, condition in cases:
            here.defined(condition)
            here.with_more([condition]).has_value(value)
            here = here.with_more([negated(condition)])
        if not self.holds(every := ("or", *(condition for _, condition in cases))):
            raise self._missing(every)

    def is_whole(self, a: Quotient) -> bool:
        """Whether a quotient is visibly whole: a polynomial with whole coefficients in what is whole."""
        keys = self.terms.keys
        return not a.below and all(
            v % 1 == 0 and all(e > 0 and self._whole_atom(keys[atom]) for atom, e in m) for m, v in a.above.items()
        )

    def _whole_atom(self, key: Any) -> bool:
        named = key[0] == "name" and (self.sorts.get(key[1]) == "whole" or ("whole", key) in self._parts)
        return named or key[0] in _WHOLE
