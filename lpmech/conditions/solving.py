"""Relations solved for a parameter: alternatives of conditions, made short by asking what follows from what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import product
from math import ceil, floor
from typing import Any

import sympy as sp

from lpmech.conditions.polynomials import Root, coefficients, factored, real_roots, roots_of_quadratic
from lpmech.errors import LpmechError
from lpmech.prove import prove
from lpmech.prove.from_sympy import term_of
from lpmech.terms import FALSE, TRUE, Apply, Choice, Name, Node, Number, names_in, substituted
from lpmech.terms.functions import And, Not, Or

__all__ = ["NotSolvedError", "Solver"]

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
#: Alternatives, each of them conditions that hold together.
Alternatives = list[tuple[Node, ...]]
_MOST_ALTERNATIVES = 16
_ZERO = Number(Fraction(0))


class NotSolvedError(LpmechError):
    """No condition was found; the message says why."""


@dataclass
class Solver:
    """Solves statements within hypotheses.

    Parameters
    ----------
    hypotheses : tuple of terms
    whole : frozenset of str
        Parameters that are whole numbers.
    solve : str, optional
        The parameter to solve for.
    seconds : float
        For each question to the engine.
    """

    hypotheses: tuple[Node, ...]
    whole: frozenset[str]
    solve: str | None
    seconds: float
    roots: dict[Node, str] = field(default_factory=dict)
    _asked: dict[tuple[Node, tuple[Node, ...]], bool] = field(default_factory=dict)

    def condition(self, statement: Node) -> Node:
        """A condition that should be equivalent to the statement.

        Raises
        ------
        NotSolvedError
            If a part is no relation of rational functions.
        """
        return _joined(self._shortened(self._of(statement, ()), ()))

    def details(self, found: Node) -> tuple[str, ...]:
        """What is to be known of the relations in a condition."""
        return tuple(text for node, text in self.roots.items() if _contains(found, node))

    def follows(self, conclusion: Node, under: Sequence[Node]) -> bool:
        """Whether the engine proves it from the hypotheses and these."""
        key = conclusion, tuple(under)
        if key not in self._asked:
            answer = prove(conclusion, [*self.hypotheses, *under], timeout_seconds=self.seconds)
            self._asked[key] = bool(answer)
        return self._asked[key]

    # ---- connectives

    def _of(self, node: Node, under: tuple[Node, ...]) -> Alternatives:
        match node:
            case Apply("true", ()):
                return [()]
            case Apply("false", ()):
                return []
            case Apply("not", (part,)):
                return self._of(_negated(part), under)
            case Apply("and", parts):
                return reduce(_together, (self._of(part, under) for part in parts), [()])
            case Apply("or", parts):
                return [one for part in parts for one in self._of(part, under)]
            case Apply("implies", (first, second)):
                return [*self._of(_negated(first), under), *self._of(second, under)]
            case Apply("iff", (first, second)):
                both = _together(self._of(first, under), self._of(second, under))
                return [*both, *_together(self._of(_negated(first), under), self._of(_negated(second), under))]
            case Apply(relation, (left, right)) if relation in _OPPOSITE:
                return self._of_relation(relation, left, right, under)
        raise NotSolvedError(f"{node} is no relation, and none joined by and, or, not")

    def _of_relation(self, relation: str, left: Node, right: Node, under: tuple[Node, ...]) -> Alternatives:
        whole = Apply(relation, (left, right))
        choice = _choice_in(whole)
        if choice is not None:
            return self._of(_by_cases(whole, choice), under)
        parts = factored(left, right)
        if parts is None:
            raise NotSolvedError(f"{whole} is no relation of rational functions")
        if not parts.factors or parts.sign == 0:
            return [()] if Apply(relation, (Number(Fraction(parts.sign)), _ZERO)) in _TRUE else []
        sign, open_factors, outside = parts.sign, [], []
        for factor, times, below in parts.factors:
            known = self._sign(factor, under)
            if known == "+" or (known == "-" and times % 2 == 0):
                continue
            if known == "-":
                sign = -sign
            elif below:  # where it vanishes the statement has no value
                outside += self._signed(factor, "!=", under) if times % 2 == 0 else []
                open_factors += [(factor, True)] if times % 2 else []
            else:
                open_factors.append((factor, times % 2 == 1) if times % 2 else (factor, False))
        found = self._of_signs(relation, sign, open_factors, parts, under)
        return _together(found, outside) if outside else found

    def _of_signs(self, relation: str, sign: int, factors: list[Any], parts: Any, under: tuple[Node, ...]) -> Alternatives:
        """Alternatives for the signs of the factors with which the relation holds."""
        below = {factor for factor, _, is_below in parts.factors if is_below}
        found: Alternatives = []
        for signs in product((">", "==", "<"), repeat=len(factors)):
            value = sign
            defined = True
            for (factor, odd), own in zip(factors, signs, strict=True):
                defined &= not (own == "==" and factor in below)
                value *= 0 if own == "==" else -1 if own == "<" and odd else 1
            if defined and Apply(relation, (Number(Fraction(value)), _ZERO)) in _TRUE:
                found.append(tuple(Apply(own, (term_of(f), _ZERO)) for (f, _), own in zip(factors, signs, strict=True)))
        merged = _merged(found)
        solved: Alternatives = []
        for one in merged:
            each = [self._signed(_expression(node), node.operation, under) for node in one if isinstance(node, Apply)]
            solved += reduce(_together, each, [()])
        if len(solved) > _MOST_ALTERNATIVES:
            solved = self._shortened(solved, under)
        return solved

    def _sign(self, factor: Any, under: tuple[Node, ...]) -> str:
        """``+`` or ``-`` where the hypotheses decide it strictly; else nothing."""
        node = term_of(factor)
        if self.follows(Apply(">", (node, _ZERO)), under):
            return "+"
        return "-" if self.follows(Apply("<", (node, _ZERO)), under) else ""

    # ---- one polynomial against zero

    def _signed(self, polynomial: Any, relation: str, under: tuple[Node, ...]) -> Alternatives:
        """Where an irreducible polynomial is ``relation`` zero, solved for a parameter."""
        relation_itself = Apply(relation, (term_of(polynomial), _ZERO))
        if self.follows(relation_itself, under):
            return [()]
        if self.follows(_negated(relation_itself), under):
            return []
        symbol = self._chosen(polynomial, under)
        found = coefficients(polynomial, symbol)
        if len(found) == 2:
            return self._linear(symbol, *found, relation, under)
        if len(found) == 3:
            return self._quadratic(symbol, *found, relation, under)
        self._tell_roots(polynomial, symbol, relation_itself)
        return [(relation_itself,)]

    def _chosen(self, polynomial: Any, under: tuple[Node, ...]) -> sp.Symbol:
        symbols = sorted(polynomial.free_symbols, key=str)
        named = [s for s in symbols if s.name == self.solve]

        def difficulty(symbol: sp.Symbol) -> tuple[int, bool, int, bool, str]:
            parts = coefficients(polynomial, symbol)
            degree, leading = len(parts) - 1, parts[0]
            unclear = not leading.is_number and not self._sign(leading, under)
            return degree, unclear, sum(int(sp.count_ops(p)) for p in parts), symbol.name == "t", symbol.name

        return named[0] if named else min(symbols, key=difficulty)

    def _linear(self, symbol: sp.Symbol, a: Any, b: Any, relation: str, under: tuple[Node, ...]) -> Alternatives:
        bound = sp.cancel(-b / a)

        def solved(sign: str, _: tuple[Node, ...]) -> Alternatives:
            return [(self._bound(symbol, relation if sign == ">" else _MIRRORED[relation], bound),)]

        return self._by_leading(a, b, relation, under, solved)

    def _by_leading(self, a: Any, rest: Any, relation: str, under: tuple[Node, ...], solved: Any) -> Alternatives:
        """By the sign of the leading coefficient; where it vanishes, the rest decides."""
        known = ("+" if a > 0 else "-") if a.is_number else self._sign(a, under)
        if known:
            alternatives: Alternatives = solved(">" if known == "+" else "<", under)
            return alternatives
        found: Alternatives = []
        for sign in (">", "<", "=="):
            case = Apply(sign, (term_of(a), _ZERO))
            if self.follows(_negated(case), under):
                continue
            inside = (*under, case)
            then = solved(sign, inside) if sign != "==" else self._of(Apply(relation, (term_of(rest), _ZERO)), inside)
            found += _together(self._of(case, under), then)
        return found

    def _quadratic(self, symbol: sp.Symbol, a: Any, b: Any, c: Any, relation: str, under: tuple[Node, ...]) -> Alternatives:
        discriminant, minus, plus = roots_of_quadratic(a, b, c)

        def solved(sign: str, inside: tuple[Node, ...]) -> Alternatives:
            low, high = (minus, plus) if sign == ">" else (plus, minus)
            asked = relation if sign == ">" else _MIRRORED[relation]
            real = [()] if discriminant.is_positive else self._of(Apply(">=", (term_of(discriminant), _ZERO)), inside)
            none = [] if discriminant.is_positive else self._of(Apply("<", (term_of(discriminant), _ZERO)), inside)
            strict = asked in ("<", ">", "!=")
            first = self._bound(symbol, "<" if strict else "<=", low)
            last = self._bound(symbol, ">" if strict else ">=", high)
            match asked:
                case "<" | "<=":
                    above = self._bound(symbol, ">" if strict else ">=", low)
                    below = self._bound(symbol, "<" if strict else "<=", high)
                    return _together(real, [(above, below)])
                case ">" | ">=":
                    return [*_together(real, [(first,), (last,)]), *none]
                case "==":
                    at = [(Apply("==", (Name(symbol.name), term_of(root))),) for root in (low, high)]
                    return _together(real, at)
            between = self._bound(symbol, ">", low), self._bound(symbol, "<", high)
            return [*_together(real, [(first,), (last,), between]), *none]

        return self._by_leading(a, b * symbol + c, relation, under, solved)

    def _bound(self, symbol: sp.Symbol, relation: str, bound: Any) -> Node:
        """``symbol relation bound``; of whole numbers against a number, the nearest whole number."""
        if symbol.name in self.whole and bound.is_number and relation not in ("==", "!="):
            up, strict = relation in (">", ">="), relation in ("<", ">")
            nearest = int(sp.ceiling(bound)) if up else int(sp.floor(bound))
            if strict and bound == nearest:
                nearest += 1 if up else -1
            return Apply(">=" if up else "<=", (Name(symbol.name), Number(Fraction(nearest))))
        return Apply(relation, (Name(symbol.name), term_of(bound)))

    def _tell_roots(self, polynomial: Any, symbol: sp.Symbol, relation: Node) -> None:
        if polynomial.free_symbols == {symbol}:
            inside = [root for root in real_roots(polynomial, symbol) if self._meets(root)]
            told = f"it changes sign at {symbol} = {'; '.join(map(str, inside))}"
        else:
            told = "not solved for a parameter: of degree three or more in each"
        self.roots[relation] = f"{relation}: {told}"

    def _meets(self, root: Root) -> bool:
        """Whether the hypotheses leave room for a root."""
        name = Name(root.name)
        near = Or(name < root.lower, name > root.upper)
        return not self.follows(near, ())

    # ---- short

    def _shortened(self, alternatives: Alternatives, under: tuple[Node, ...]) -> Alternatives:
        """Without what follows from the rest, and without alternatives that are impossible or covered by others."""
        kept: Alternatives = []
        for one in dict.fromkeys(tuple(dict.fromkeys(one)) for one in alternatives):
            reduced = list(one)
            if reduced and self.follows(_negated(reduced[-1]), (*under, *reduced[:-1])):
                continue
            for node in sorted(one, key=lambda n: -len(str(n))):
                others = [n for n in reduced if n != node]
                if self.follows(node, (*under, *others)):
                    reduced = others
            if tuple(reduced) not in kept:
                kept.append(tuple(reduced))
        for one in sorted(kept, key=lambda c: -sum(len(str(n)) for n in c)):
            others = [other for other in kept if other != one]
            if others and self.follows(_joined(others), (*under, *one)):
                kept = others
        return kept


_TRUE = {
    Apply(relation, (Number(Fraction(value)), _ZERO))
    for relation, values in {
        "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0), "==": (0,), "!=": (1, -1),
    }.items()
    for value in values
}  # fmt: skip


def _expression(relation: Apply) -> Any:
    from lpmech.prove.texts import evaluated

    return evaluated(relation.arguments[0])


def _merged(alternatives: Alternatives) -> Alternatives:
    """Alternatives that differ in the sign of one polynomial as one: > or == is >=, and so on."""
    joins = {frozenset((">", "==")): ">=", frozenset(("<", "==")): "<=", frozenset((">", "<")): "!="}
    found = list(alternatives)
    again = True
    while again:
        again = False
        for i, first in enumerate(found):
            for second in found[i + 1 :]:
                differ = [k for k, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
                if len(differ) != 1:
                    continue
                (k,) = differ
                a, b = first[k], second[k]
                assert isinstance(a, Apply) and isinstance(b, Apply)
                pair = frozenset((a.operation, b.operation))
                if pair not in joins:
                    continue
                found = [one for one in found if one not in (first, second)]
                found.append((*first[:k], Apply(joins[pair], a.arguments), *first[k + 1 :]))
                again = True
                break
            if again:
                break
    return found


def _together(first: Alternatives, second: Alternatives) -> Alternatives:
    return [(*a, *b) for a in first for b in second]


def _joined(alternatives: Alternatives) -> Node:
    if not alternatives:
        return FALSE
    each = [And(*one) if len(one) > 1 else one[0] if one else TRUE for one in alternatives]
    return Or(*each) if len(each) > 1 else each[0]


def _negated(node: Node) -> Node:
    match node:
        case Apply(relation, sides) if relation in _OPPOSITE:
            return Apply(_OPPOSITE[relation], sides)
        case Apply("not", (part,)):
            return part
        case Apply("and", parts):
            return Apply("or", tuple(map(_negated, parts)))
        case Apply("or", parts):
            return Apply("and", tuple(map(_negated, parts)))
        case Apply("implies", (first, second)):
            return Apply("and", (first, _negated(second)))
        case Apply("iff", (first, second)):
            return Apply("iff", (first, _negated(second)))
        case Apply("true", ()):
            return FALSE
        case Apply("false", ()):
            return TRUE
    return Not(node)


def _choice_in(node: Node) -> Node | None:
    """A case distinction, a maximum, a minimum or an absolute value inside, the innermost first."""
    if isinstance(node, Choice):
        return node
    for part in getattr(node, "arguments", ()):
        if (inside := _choice_in(part)) is not None:
            return inside
    return node if isinstance(node, Apply) and node.operation in ("Max", "Min", "Abs") else None


def _by_cases(relation: Node, choice: Node) -> Node:
    """A relation with each value of a case distinction in it, and with its condition."""
    match choice:
        case Apply("Abs", (part,)):
            cases = [(part, Apply(">=", (part, _ZERO))), (Apply("-", (_ZERO, part)), Apply("<", (part, _ZERO)))]
        case Apply("Max" | "Min" as name, parts):
            above = ">=" if name == "Max" else "<="
            cases = [(p, And(*(Apply(above, (p, q)) for q in parts if q is not p))) for p in parts]
        case Choice(pairs):
            cases, before = [], []
            for value, when in pairs:
                cases.append((value, And(*before, when) if before else when))
                before.append(_negated(when))
        case _:
            raise NotSolvedError(f"{choice} is no case distinction")
    return Or(*(And(when, _replaced(relation, choice, value)) for value, when in cases))


def _replaced(node: Node, old: Node, new: Node) -> Node:
    if node == old:
        return new
    if isinstance(node, Apply):
        return Apply(node.operation, tuple(_replaced(part, old, new) for part in node.arguments))
    return node


def _contains(node: Node, part: Node) -> bool:
    return node == part or any(_contains(inside, part) for inside in getattr(node, "arguments", ()))
