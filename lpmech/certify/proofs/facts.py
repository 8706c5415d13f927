"""What is known in a step of a proof: hypotheses, the signs that follow from them, and what follows at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property
from typing import Any

from lpmech.certify.proofs.algebra import Algebra
from lpmech.certify.proofs.cases import ALLOWED, KIND, covered
from lpmech.certify.proofs.polynomials import Polynomial, Quotient, added, divided, multiplied, proportion, spent
from lpmech.certify.proofs.reading import (
    FALSE,
    RELATIONS,
    TRUE,
    Parsed,
    RefusedProofError,
    negated,
    normal,
    without_words,
)

__all__ = ["Facts", "conjuncts"]

_CONTRADICTED = 16


def conjuncts(tree: Parsed) -> list[Parsed]:
    """The parts of a conjunction."""
    if tree == TRUE:
        return []
    return [part for inner in tree[1:] for part in conjuncts(inner)] if tree[0] == "and" else [tree]


class Facts:
    """Conditions that are defined and true, and what they say of signs.

    Parameters
    ----------
    sorts : mapping of str to str
    given : sequence of trees
    """

    def __init__(self, sorts: Mapping[str, str], given: Sequence[Parsed], splits: int = 2):
        self._splits = splits
        self.sorts = dict(sorts)
        self.algebra = Algebra(self.is_positive, self.is_whole)
        self.given = list(given)
        self.parts: list[Parsed] = []
        #: Polynomials of which the sign is known: (polynomial, kind of relation).
        self._signs: list[tuple[Polynomial, str]] = []
        self._found_bounds: dict[tuple[int, int], list[tuple[Any, bool]]] = {}  # by these signs
        self._found_signs: dict[Any, int] = {}  # likewise
        self._below: list[Polynomial] = []
        self._terms: set[Parsed] = set()
        self._learn_all(given)
        if self.algebra.unsplit:  # powers whose bases turned out to be positive later
            self.algebra.forget()
            self._learn_all(given)

    def with_more(self, more: Iterable[Parsed]) -> Facts:
        """With further conditions."""
        more = list(more)
        return self._changed([*self.given, *more], self.parts, more, 2)

    def _changed(self, given: list[Parsed], parts: list[Parsed], more: Sequence[Parsed], splits: int) -> Facts:
        """What is given now; all but `more` says of signs what was known before, if no sign was asked for in vain."""
        if not self.algebra.doubtful:
            found = copy(self)
            found.given, found._splits, found.parts = given, splits, list(parts)
            found._found_bounds, found._found_signs = {}, {}
            found.__dict__.pop("_contradictory", None)
            found._signs, found._below, found._terms = list(self._signs), list(self._below), set(self._terms)
            found.algebra = self.algebra.copied(found.is_positive, found.is_whole)
            found._learn_all(more)
            if not found.algebra.doubtful:
                return found
        return Facts(self.sorts, given, splits)

    def _learn_all(self, given: Iterable[Parsed]) -> None:
        spent()
        flat = [part for tree in given for part in conjuncts(normal(tree))]
        for part in sorted(flat, key=lambda part: len(repr(part))):
            self._learn(part)
        self.parts = list(dict.fromkeys(self.parts))

    def _learn(self, part: Parsed) -> None:
        self.parts.append(part)
        _subterms(part, self._terms)
        if part[0] not in RELATIONS:
            return
        try:
            found = self.algebra.difference(part)
        except RefusedProofError:
            return
        self._below += [dict(key) for key in found.below]
        for kind, needed in self.algebra.needs:  # the hypothesis is defined
            if kind in ("nonzero", "nonnegative", "positive"):
                self._sign_learned(needed, {"nonzero": "!=", "nonnegative": ">=", "positive": ">"}[kind])
        self.algebra.needs = []
        sign = self.sign_of_constant(found)
        if sign is not None and sign not in ALLOWED[KIND[part[0]]]:
            self.parts.append(FALSE)
        self._sign_learned(found, KIND[part[0]])

    def _sign_learned(self, found: Quotient, kind: str) -> None:
        sign = self._sign_below(found) if kind in (">", ">=") else 1
        if sign:
            above = found.above if sign > 0 else {m: -v for m, v in found.above.items()}
            self._signs.append((above, kind))
            self._found_bounds, self._found_signs = {}, {}
        else:
            self.algebra.doubtful = True  # what is learned later may tell it

    # ---- signs

    def is_positive(self, a: Quotient) -> bool:
        """Whether a rational function that is defined is known to be positive."""
        return self._sign_below(a) * self._sign(a.above, True) > 0

    def is_nonnegative(self, a: Quotient) -> bool:
        """Whether one is known not to be negative."""
        return self._sign_below(a) * self._sign(a.above, False) > 0 or not a.above

    def is_nonzero(self, a: Quotient) -> bool:
        """Whether one is known not to be zero."""
        return bool(a.above) and self._is_nonzero(a.above)

    def _sign_below(self, a: Quotient) -> int:
        found = 1
        for key, exponent in a.below.items():
            if exponent % 2:
                found *= self._sign(dict(key), True, of_nonzero=True)
        return found

    def _sign(self, a: Polynomial, strict: bool, of_nonzero: bool = False) -> int:
        """1: positive (not negative, unless strict); -1: negative (not positive); 0: not known."""
        asked = frozenset(a.items()), strict, of_nonzero
        if asked not in self._found_signs:
            self._found_signs[asked] = self._sign_found(a, strict, of_nonzero)
        return self._found_signs[asked]

    def _sign_found(self, a: Polynomial, strict: bool, of_nonzero: bool) -> int:
        if not a:
            return 0
        moving = _moving(a)
        for known, kind in self._signs:
            if kind == "!=" or abs(len(a) - len(known)) > 1 or (ratio := proportion(moving, _moving(known))) is None:
                continue
            more = a.get((), 0) - ratio * known.get((), 0)  # a = ratio known + more
            if kind == "==" and not more:
                return 0
            apart = more or kind == ">" or of_nonzero or not strict or self._differs(a)
            if (kind == "==" or more * ratio >= 0) and apart:
                return 1 if (more if kind == "==" else ratio) > 0 else -1
        for polynomial, moved in ((a, set[int]()), self._from_bounds(a)):
            signs = {1 if value > 0 else -1 for value in polynomial.values()}
            atoms = [[self._sign_of_power(atom, e, atom in moved) for atom, e in m] for m in polynomial]
            if len(signs) > 1 or any(s is None for row in atoms for s in row):
                continue
            if not strict or of_nonzero or any(all(s == ">" for s in row) for row in atoms):
                return signs.pop()
        return self._sign_of_product(a, strict)

    def _differs(self, a: Polynomial) -> bool:
        """Whether a hypothesis says that a polynomial is not zero."""
        return any(kind == "!=" and proportion(a, known) is not None for known, kind in self._signs)

    def _from_bounds(self, a: Polynomial) -> tuple[Polynomial, set[int]]:
        """With c + x in place of each indeterminate x > c or x >= c, which is then not negative."""
        bounds = {atom: b for atom in {i for m in a for i, _ in m} if (b := self._bound(atom)) is not None}
        if not bounds or not all(isinstance(e, int) and e > 0 for m in a for i, e in m if i in bounds):
            return a, set()
        found: Polynomial = {}
        for monomial, value in a.items():
            part: Polynomial = {tuple((i, e) for i, e in monomial if i not in bounds): value}
            for atom, exponent in monomial:
                for _ in range(int(exponent) if atom in bounds else 0):
                    part = multiplied(part, {((atom, 1),): 1, (): bounds[atom]} if bounds[atom] else {((atom, 1),): 1})
            found = added(found, part)
        return found, set(bounds)

    def _bound(self, atom: int) -> Any:
        """The largest number that an indeterminate is known not to be below."""
        return max((bound for bound, _ in self._bounds(atom)), default=None)

    def _bounds(self, atom: int, depth: int = 2) -> list[tuple[Any, bool]]:
        """Numbers that an indeterminate is above (True), or not below; also by others: K > k and k >= 1."""
        if (atom, depth) in self._found_bounds:
            return self._found_bounds[atom, depth]
        own = ((atom, 1),)
        found: list[tuple[Any, bool]] = []
        for known, kind in self._signs:
            slope = known.get(own, 0)
            if kind not in (">", ">=", "==") or slope <= 0:
                continue
            bound, strict = -known.get((), 0), kind == ">"
            for monomial, value in known.items():
                if monomial in ((), own):
                    continue
                linear = depth and value < 0 and len(monomial) == 1 and monomial[0][1] == 1
                best = max(self._bounds(monomial[0][0], depth - 1), default=None) if linear else None
                bound = None if bound is None or best is None else bound - value * best[0]
                strict = strict or (best is not None and best[1])
            if bound is not None:
                found.append((bound / Fraction(slope), strict))
        self._found_bounds[atom, depth] = found
        return found

    def _sign_of_product(self, a: Polynomial, strict: bool) -> int:
        """By a factor whose sign is known."""
        for known, kind in self._signs:
            if not 1 < len(known) <= len(a) or kind not in (">", "!=") or (rest := divided(a, known)) is None:
                continue
            if kind == ">":
                return self._sign(rest, strict)
            if (square := divided(rest, known)) is not None:
                return self._sign(square, strict)
        return 0

    def _sign_of_power(self, atom: int, exponent: Any, moved: bool = False) -> str | None:
        """ ">" or ">=" where a power is known to be so; of an indeterminate that starts at 0 now, by its bound."""
        if moved:
            return ">" if (self._bound(atom), True) in self._bounds(atom) else ">="
        key = self.algebra.keys[atom]
        if isinstance(key, tuple) and key[0] in self.algebra.positive_keys:
            return ">"
        if isinstance(key, tuple) and key[0] in ("base", "root"):
            base = self.algebra.bases.get(atom)
            return ">" if exponent < 0 or (base is not None and self.is_positive(base)) else ">="
        if key[0] in ("Max", "Min"):
            some = any if key[0] == "Max" else all
            return ">=" if exponent > 0 and some(map(self.is_nonnegative, self.algebra.parts[atom])) else None
        if key[0] == "Abs":
            return ">=" if exponent > 0 else ">"
        if key[0] in ("pi", "factorial"):
            return ">"
        bounds = [found for found in self._bounds(atom) if found[0] >= 0]
        if bounds:
            return ">" if exponent < 0 or any(bound > 0 or strict for bound, strict in bounds) else ">="
        if not isinstance(exponent, int):
            return ">" if exponent < 0 else ">="  # its root is defined
        if exponent % 2 == 0:
            return ">" if exponent < 0 or self._is_nonzero({((atom, 1),): 1}) else ">="
        return None

    def _is_nonzero(self, a: Polynomial) -> bool:
        if self._sign(a, True):
            return True
        known = [k for k, kind in self._signs if kind in (">", "!=")] + self._below
        if any(proportion(a, k) is not None for k in known):
            return True
        if len(a) == 1:
            ((monomial, _),) = a.items()
            return all(
                e < 0 or self._sign_of_power(atom, e) == ">" or {((atom, 1),): 1} in known for atom, e in monomial
            )
        return any(1 < len(k) <= len(a) * 4 and (r := divided(a, k)) is not None and self._is_nonzero(r) for k in known)

    # ---- being defined

    def undefined(self, tree: Parsed) -> str:
        """What of a formula is not known to be defined, or nothing; of a conjunction each part may use the others."""
        match tree:
            case ("and", *parts):
                return self._undefined_together(parts, parts)
            case ("or", *parts):
                return self._undefined_together(parts, [negated(part) for part in parts])
            case ("not", ("whole" | "Each", *_) as part):
                return self.undefined(part)
            case ("not" | "implies" | "iff", *_):
                return self.undefined(without_words(tree))
            case ("true" | "false",):
                return ""
            case ("whole", x):
                return self._undefined_terms([x])
            case (relation, left, right) if relation in RELATIONS:
                return self._undefined_terms([left, right])
        return "" if tree in self._terms else f"{tree[0]} is not understood"

    def _undefined_together(self, parts: Sequence[Parsed], meanwhile: Sequence[Parsed]) -> str:
        left = [(n, text) for n, part in enumerate(parts) if (text := self.undefined(part))]
        if not left:
            return ""
        if len(left) == len(parts):
            return left[0][1]
        more = self.with_more(m for n, m in enumerate(meanwhile) if n not in {n for n, _ in left})
        return next((text for n, _ in left if (text := more.undefined(parts[n]))), "")

    def _undefined_terms(self, trees: Iterable[Parsed]) -> str:
        self.algebra.needs = []
        for tree in trees:
            self.algebra.quotient(tree)
        needs, self.algebra.needs = self.algebra.needs, []
        return next((text for need in needs if (text := self._missing(*need))), "")

    def _missing(self, kind: str, needed: Any) -> str:
        match kind:
            case "nonzero" | "nonnegative" | "positive":
                known = {"nonzero": self.is_nonzero, "nonnegative": self.is_nonnegative, "positive": self.is_positive}
                return "" if known[kind](needed) else f"{self.shown(needed)} is not known to be {kind}"
            case "whole":
                return "" if self.is_whole(needed) else "an argument is not known to be whole"
            case "either":
                return "" if any(map(self.is_nonnegative, needed)) else "a binomial is not known to be defined"
            case "power":
                base, value = needed
                nonzero_whole = self.is_whole(value) and self.is_nonzero(base)
                both = self.is_nonnegative(base) and self.is_nonnegative(value)
                return "" if nonzero_whole or both or self.is_positive(base) else "a power is not known to be defined"
        if needed[0] == "Piecewise":
            return self._undefined_cases(needed[1:])
        return "" if self._stands_somewhere(needed) else f"{needed[0]} is not known to be defined"

    def _stands_somewhere(self, term: Parsed) -> bool:
        """Whether a term stands in a hypothesis, perhaps with arguments that are written in another way."""
        alike = (other for other in self._terms if other[0] == term[0] and other[0] in ("Sum", "Product"))
        own = self.algebra.quotient(term)
        found = term in self._terms or any(self.algebra.quotient(other) == own for other in alike)
        self.algebra.needs = []
        return found

    def _undefined_cases(self, cases: Sequence[tuple[Parsed, Parsed]]) -> str:
        """Every condition is defined, a value where its condition is the first that holds, and one of them holds."""
        here: Facts = self
        for value, condition in cases:
            if text := here.undefined(condition) or here.with_more([condition]).undefined(("==", value, value)):
                return text
            here = here.with_more([negated(condition)])
        return "" if cases[-1][1] == TRUE or self.covered([[c] for _, c in cases]) else "no case may apply"

    def is_whole(self, a: Quotient) -> bool:
        """Whether a rational function is visibly whole: a polynomial with whole coefficients in what is whole."""
        return not a.below and all(
            Fraction(v).denominator == 1 and all(isinstance(e, int) and e > 0 and self._whole_atom(i) for i, e in m)
            for m, v in a.above.items()
        )

    def _whole_atom(self, atom: int) -> bool:
        key = self.algebra.keys[atom]
        return key[0] in ("floor", "ceiling", "sign") or (key[0] == "name" and self.sorts.get(key[1]) == "whole")

    def shown(self, a: Quotient) -> str:
        """A rational function for a message."""
        terms = [
            "*".join([str(v), *(f"{self._named(atom)}^{e}" if e != 1 else self._named(atom) for atom, e in m)])
            for m, v in list(a.above.items())[:6]
        ]
        return " + ".join(terms) + (" + ..." if len(a.above) > 6 else "") + (" over a polynomial" if a.below else "")

    def _named(self, atom: int) -> str:
        key = self.algebra.keys[atom]
        return str(key[1]) if key[0] == "name" else f"[{key[0]}]"

    # ---- what follows at once

    def entails(self, target: Parsed) -> bool:
        """Whether a condition is defined and true by one hypothesis in other words, or whatever the names are."""
        return self._entailed(normal(target))

    def _entailed(self, target: Parsed) -> bool:
        if self._at_once(target):
            return True
        if target == FALSE:
            return self._contradictory
        if target[0] == "and":
            return all(map(self._entailed, target[1:]))
        return self._in_all_cases(target) or (target[0] == "or" and any(map(self._entailed, target[1:])))

    def _at_once(self, target: Parsed) -> bool:
        """Likewise without a distinction of cases."""
        if target == TRUE or target in self.parts or FALSE in self.parts:
            return True
        if target[0] in RELATIONS:
            return self._relation_entailed(target)
        if target[0] == "and":
            return all(map(self._at_once, target[1:]))
        if target[0] == "or":
            return any(map(self._at_once, target[1:])) or self._always(target[1:])
        return target[0] == "whole" and not self.undefined(target) and self.is_whole(self.algebra.quotient(target[1]))

    def _in_all_cases(self, target: Parsed) -> bool:
        """Whether it follows in each case of some disjunction that is known, of which the newest is tried first."""
        known = [part for part in reversed(self.parts) if part[0] == "or" and self._splits]
        ways = self._excluded, lambda part, case: self._in_case(part, case)._contradictory  # the cheaper one first
        return any(
            all(self._in_case(part, case)._entailed(target) or impossible(part, case) for case in part[1:])
            for impossible in ways
            for part in known
        )

    def _always(self, parts: Sequence[Parsed]) -> bool:
        """Whether one of the parts is true whatever the signs of what they compare are."""
        try:
            return self.covered([[part] for part in parts])
        except RefusedProofError:
            return False

    @cached_property
    def _contradictory(self) -> bool:
        """Whether a hypothesis is false by the others at once."""
        relations = [part for part in self.parts if part[0] in RELATIONS]
        if len(relations) > _CONTRADICTED:
            return False
        others = (Facts(self.sorts, [p for p in self.parts if p != part], 0) for part in relations)
        return any(rest.entails(negated(part)) for rest, part in zip(others, relations, strict=True))

    def _in_case(self, alternatives: Parsed, case: Parsed) -> Facts:
        rest = [part for part in self.parts if part != alternatives]
        return self._changed([*rest, case], rest, [case], self._splits - 1)

    def _excluded(self, alternatives: Parsed, case: Parsed) -> bool:
        """Whether a case is false by all that is known besides."""
        rest = [part for part in self.parts if part != alternatives]
        others = self._changed(rest, rest, (), 0)
        return any(others.entails(negated(part)) for part in conjuncts(normal(case)) if part[0] in RELATIONS)

    def _relation_entailed(self, target: Parsed) -> bool:
        if self.undefined(target):
            return False
        found, kind = self.algebra.difference(target), KIND[target[0]]
        self.algebra.needs = []
        if (sign := self.sign_of_constant(found)) is not None:
            return sign in ALLOWED[kind]
        at_once = {">": self.is_positive, ">=": self.is_nonnegative, "!=": self.is_nonzero}
        if kind in at_once and at_once[kind](found):
            return True
        return any(self._same(part, found, ALLOWED[kind]) for part in self.parts if part[0] in RELATIONS)

    def sign_of_constant(self, a: Quotient) -> int | None:
        """The sign of a rational function that is a number; None if it is none."""
        number = self.algebra.as_number(a)
        return None if number is None else (number > 0) - (number < 0)

    def _same(self, part: Parsed, found: Quotient, allowed: set[int]) -> bool:
        """Whether a hypothesis says so of the same rational function, but for a factor that is a number."""
        try:
            known = self.algebra.difference(part)
        except RefusedProofError:
            return False
        finally:
            self.algebra.needs = []
        turned = self._factor(found, known, part[0] in ("==", "!="))
        return bool(turned) and {sign * turned for sign in ALLOWED[KIND[part[0]]]} <= allowed

    def _factor(self, found: Quotient, known: Quotient, of_nonzero: bool) -> int:
        """1 or -1: the sign of s with found = s known, or 1 where only s != 0 is needed; 0 if that is not known."""
        a, b = found.above, known.above
        if known.below != found.below:
            a, b = self.algebra.times_powers(a, known.below), self.algebra.times_powers(b, found.below)
        if not a or not b:
            return 0
        for key in {**known.below, **found.below}:  # what both have in common
            while (one := divided(a, dict(key))) is not None and (other := divided(b, dict(key))) is not None:
                a, b = one, other
        if (ratio := proportion(a, b)) is not None:
            return 1 if ratio > 0 else -1
        for one, other in ((a, b), (b, a)):
            if len(other) <= len(one) and (rest := divided(one, other)) is not None:
                return int(self._is_nonzero(rest)) if of_nonzero else self._sign(rest, True)
        return 0

    def covered(self, cases: Sequence[Sequence[Parsed]]) -> bool:
        """Whether one of the cases applies, whatever the signs of what they compare are."""
        return FALSE in self.parts or covered(self, cases)


def _moving(a: Polynomial) -> Polynomial:
    """A polynomial without its constant term, if it has another one."""
    return {m: v for m, v in a.items() if m} or a


def _subterms(tree: Parsed, found: set[Parsed]) -> None:
    """All terms within a hypothesis that is defined, but not what stands below an index or in a case."""
    if tree[0] in ("or", "not", "implies", "iff"):
        return
    found.add(tree)
    if tree[0] in ("number", "name", "Sum", "Product", "Each", "Piecewise"):
        return
    for part in tree[1:]:
        if isinstance(part, tuple):
            _subterms(part, found)
