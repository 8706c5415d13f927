"""Relations solved for a parameter: alternatives, each of them bounds that hold together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from lpmech.conditions.connectives import (
    MIRRORED,
    TRUE_OF_NUMBERS,
    Alternatives,
    by_cases,
    choice_in,
    merged_signs,
    negated,
    positive,
    several,
    together,
)  # fmt: skip
from lpmech.conditions.generators import Letters
from lpmech.conditions.polynomials import Factored, coefficients, factored, roots_of_quadratic
from lpmech.conditions.questions import Questions, needed
from lpmech.errors import LpmechError
from lpmech.prove.texts import evaluated
from lpmech.terms import ZERO, Apply, Name, Node, Number
from lpmech.terms.functions import OPPOSITE

__all__ = ["NotSolvedError", "Solver"]

#: More alternatives are made fewer on the way.
_MOST_ALTERNATIVES = 16

Under = tuple[Node, ...]


class NotSolvedError(LpmechError):
    """No condition was found; the message says why."""


@dataclass
class Solver:
    """Solves statements within hypotheses.

    Parameters
    ----------
    questions : Questions
        What follows from the hypotheses.
    whole : frozenset of str
        Parameters that are whole numbers.
    solve : str, optional
        The parameter to solve for.
    most_factors : int, optional
        Of how many factors of one relation the signs are gone through at most.

    Attributes
    ----------
    told : dict of term to str
        What is to be said of relations that were not solved.
    bounds : dict of term to term
        Bounds on a parameter, and the bounds on its exponential, logarithm or root which they are the same as.
    factors : dict of term to None
        Whose signs decide: the hypotheses do not.
    unsolved : set of terms
        Relations in which no parameter stands alone.
    """

    questions: Questions
    whole: frozenset[str]
    solve: str | None = None
    most_factors: int | None = None
    told: dict[Node, str] = field(default_factory=dict)
    bounds: dict[Node, Node] = field(default_factory=dict)
    factors: dict[Node, None] = field(default_factory=dict)
    unsolved: set[Node] = field(default_factory=set)
    _letters: Letters = field(default_factory=Letters)

    def plain(self, node: Node) -> Node:
        """A bound on a parameter as the one on its exponential, logarithm or root."""
        match node:
            case Apply(relation, sides):
                for known, itself in self.bounds.items():
                    if isinstance(known, Apply) and isinstance(itself, Apply) and known.arguments == sides:
                        return Apply(relation, itself.arguments)
        return node

    def alternatives(self, node: Node, under: Under = ()) -> Alternatives:
        """Conditions of which one should hold exactly where the statement does.

        Raises
        ------
        NotSolvedError
            If a part is no relation of rational functions in parameters, exponentials, logarithms and powers, or too
            many of its factors have no known sign.
        """
        match node:
            case Apply("true", ()):
                return [()]
            case Apply("false", ()):
                return []
            case Apply("not" | "implies" | "iff") if (plain := positive(node)) != node:
                return self.alternatives(plain, under)
            case Apply("and", parts):
                return _all(self.alternatives(part, under) for part in parts)
            case Apply("or", parts):
                return [one for part in parts for one in self.alternatives(part, under)]
            case Apply(relation, (left, right)) if relation in OPPOSITE:
                return self._of_relation(relation, left, right, under)
        raise NotSolvedError(f"{node} is no relation, and none joined by and, or, not")

    def _of_relation(self, relation: str, left: Node, right: Node, under: Under) -> Alternatives:
        whole = Apply(relation, (left, right))
        parts = several(relation, left, right)
        if parts is None and (choice := choice_in(whole)) is not None:
            parts = by_cases(whole, choice)
        if parts is not None:
            return self.alternatives(parts, under)
        domain = _all(self._of_domain(one, under) for one in needed(whole, self.whole))
        return together(domain, self._of_difference(relation, left, right, under)) if domain else []

    def _of_domain(self, one: Node, under: Under) -> Alternatives:
        """Where a relation has a value: a denominator does not vanish, and so on."""
        match one:
            case Apply(relation, (left, right)) if relation in OPPOSITE:
                return self._of_difference(relation, left, right, under)
        return self.alternatives(one, under)

    def _of_difference(self, relation: str, left: Node, right: Node, under: Under) -> Alternatives:
        difference = self._letters.rational(evaluated(left) - evaluated(right))
        if difference is None:
            raise NotSolvedError(f"{Apply(relation, (left, right))} is no relation of rational functions")
        return self._of_quotient(relation, factored(difference), under)

    def _of_quotient(self, relation: str, quotient: Factored, under: Under) -> Alternatives:
        """Where a quotient is ``relation`` zero: factors of a known sign are dropped, the others go through theirs."""
        sign, open_factors = quotient.sign, []
        for factor, times, below in quotient.factors:
            known = self._sign(factor, under)
            if known == "-" and times % 2:
                sign = -sign
            if not known:
                open_factors.append((factor, times % 2 == 1, below))
                self.factors[self._letters.term(factor)] = None
        if self.most_factors is not None and len(open_factors) > self.most_factors:
            raise NotSolvedError(f"more than {self.most_factors} factors without a known sign")
        fitting = []
        for signs in product((">", "==", "<"), repeat=len(open_factors)):
            value = sign
            for (_, odd, _), own in zip(open_factors, signs, strict=True):
                value *= 0 if own == "==" else -1 if own == "<" and odd else 1
            undefined = any(own == "==" and below for (_, _, below), own in zip(open_factors, signs, strict=True))
            if not undefined and (relation, value) in TRUE_OF_NUMBERS:
                fitting.append(signs)
        found: list[tuple[Node, ...]] = []
        for signs in merged_signs(fitting):
            asked = [(f, own) for (f, _, _), own in zip(open_factors, signs, strict=True) if own != "any"]
            found += _all(self._signed(factor, own, under) for factor, own in asked)
        if len(found) > _MOST_ALTERNATIVES:
            return [short.conditions for short in self.questions.shortened(found, under)]
        return found

    def _sign(self, polynomial: Any, under: Under) -> str:
        """``+`` or ``-`` where the hypotheses decide it strictly; else nothing."""
        if polynomial.is_number:
            return "+" if polynomial > 0 else "-" if polynomial < 0 else ""
        if self.questions.follows(self._against_zero(polynomial, ">"), under):
            return "+"
        return "-" if self.questions.follows(self._against_zero(polynomial, "<"), under) else ""

    def _against_zero(self, polynomial: Any, relation: str) -> Apply:
        return Apply(relation, (self._letters.term(polynomial), ZERO))

    # ---- one polynomial against zero

    def _signed(self, polynomial: Any, relation: str, under: Under) -> Alternatives:
        """Where an irreducible polynomial is ``relation`` zero, solved for a parameter."""
        asked = self._against_zero(polynomial, relation)
        if self.questions.follows(asked, under):
            return [()]
        if self.questions.follows(negated(asked), under):
            return []
        if relation in ("<=", ">=") and self.questions.follows(
            self._against_zero(polynomial, MIRRORED[relation]), under
        ):
            return self._signed(polynomial, "==", under)
        symbol = self._chosen(polynomial, under)
        found = coefficients(polynomial, symbol)
        if len(found) > 3:
            self.told[asked] = "not solved for a parameter: of degree three or more"
            self.unsolved.add(asked)
            return [(asked,)]
        of_degree = self._linear if len(found) == 2 else self._quadratic
        return self._by_leading(polynomial, symbol, relation, under, of_degree)

    def _chosen(self, polynomial: Any, under: Under) -> sp.Symbol:
        symbols = sorted(polynomial.free_symbols - self._letters.hidden(polynomial), key=str)
        if not symbols:
            raise NotSolvedError(f"{self._letters.term(polynomial)} is a number, and its sign is not known")
        names = {s: self._letters.names(s) for s in polynomial.free_symbols}
        apart = [s for s in symbols if not any(names[s] & names[other] for other in names if other != s)]
        symbols = apart or symbols
        named = [s for s in symbols if self.solve in self._letters.names(s)]

        def difficulty(symbol: sp.Symbol) -> tuple[int, bool, int, bool, str]:
            parts = coefficients(polynomial, symbol)
            unclear = not self._sign(parts[0], under)
            return len(parts), unclear, sum(int(sp.count_ops(p)) for p in parts), symbol.name == "t", symbol.name

        return named[0] if named else min(symbols, key=difficulty)

    def _by_leading(
        self, polynomial: Any, symbol: sp.Symbol, relation: str, under: Under, solved: Callable[..., Alternatives]
    ) -> Alternatives:
        """By the sign of the leading coefficient; where it vanishes, the rest decides."""
        leading, *rest = coefficients(polynomial, symbol)
        known = self._sign(leading, under)
        if known:
            return solved(symbol, (leading, *rest), relation if known == "+" else MIRRORED[relation], known, under)
        found: list[tuple[Node, ...]] = []
        for sign, of_sign in ((">", "+"), ("<", "-"), ("==", "")):
            case = self._against_zero(leading, sign)
            if self.questions.follows(negated(case), under):
                continue
            inside = (*under, case)
            if of_sign:
                asked = relation if of_sign == "+" else MIRRORED[relation]
                then = solved(symbol, (leading, *rest), asked, of_sign, inside)
            else:
                remaining = sp.Poly(rest, symbol).as_expr()
                then = self._of_quotient(relation, factored(remaining), inside)
            found += together(self.alternatives(case, under), then)
        return found

    def _linear(self, symbol: sp.Symbol, parts: Any, relation: str, *_: Any) -> Alternatives:
        a, b = parts
        return [(self._bound(symbol, relation, sp.factor(-b / a)),)]

    def _quadratic(self, symbol: sp.Symbol, parts: Any, relation: str, sign: str, under: Under) -> Alternatives:
        discriminant, *roots = roots_of_quadratic(*parts)
        low, high = roots if sign == "+" else roots[::-1]
        strict = relation in ("<", ">", "!=")
        equal = "" if strict else "="
        real = self._of_quotient(">=", factored(discriminant), under)
        none = self._of_quotient("<", factored(discriminant), under)
        if self.questions.follows(self._against_zero(discriminant, "<="), under):
            a, b, _ = parts
            return self._touching(symbol, sp.factor(-b / (2 * a)), relation, real, none)
        outside = [(self._bound(symbol, f"<{equal}", low),), (self._bound(symbol, f">{equal}", high),)]
        between = self._bound(symbol, f">{equal}", low), self._bound(symbol, f"<{equal}", high)
        match relation:
            case "<" | "<=":
                return together(real, [between])
            case "==":
                return together(real, [(self._bound(symbol, "==", root),) for root in (low, high)])
            case "!=":
                return [*together(real, [*outside, between]), *none]
        return [*together(real, outside), *none]

    def _touching(
        self, symbol: sp.Symbol, root: Any, relation: str, real: Alternatives, none: Alternatives
    ) -> Alternatives:
        """Of a square with what is never negative added to it: zero at the root, if that vanishes, else positive."""
        if relation in ("<=", "=="):
            return together(real, [(self._bound(symbol, "==", root),)])
        if relation in (">", "!="):
            return [*none, *together(real, [(self._bound(symbol, "!=", root),)])]
        return [()] if relation == ">=" else []

    def _bound(self, symbol: sp.Symbol, relation: str, bound: Any) -> Node:
        """``symbol relation bound``; of whole numbers against a number, the nearest whole number."""
        if symbol.name in self.whole and bound.is_number and relation not in ("==", "!="):
            up, strict = relation in (">", ">="), relation in ("<", ">")
            nearest = int(sp.ceiling(bound)) if up else int(sp.floor(bound))
            if strict and bound == nearest:
                nearest += 1 if up else -1
            return Apply(">=" if up else "<=", (Name(symbol.name), Number(Fraction(nearest))))
        itself = Apply(relation, (self._letters.term(symbol), self._letters.quotient(bound)))
        inside = self._letters.undone(symbol, relation, bound, self.questions.follows)
        if inside is None:
            if self._letters.names(symbol) != {symbol.name}:
                self.unsolved.add(itself)
            return itself
        self.bounds[inside] = itself
        return inside


def _all(parts: Iterable[Alternatives]) -> Alternatives:
    found: Alternatives = [()]
    for part in parts:
        found = together(found, part)
    return found
