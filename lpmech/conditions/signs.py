"""Relations of rational functions of two or three parameters as signs of irreducible polynomials, in Kleene's logic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import gcd, lcm
from typing import Any

from flint import Ordering, fmpq_mpoly_ctx, fmpz_mpoly_ctx

from lpmech.conditions.connectives import TRUE_OF_NUMBERS, by_cases, choice_in
from lpmech.conditions.substitution import without_root
from lpmech.terms import ZERO, Apply, Choice, Name, Node, Number
from lpmech.terms.functions import OPPOSITE, Or

__all__ = ["CONTEXT", "Joined", "OutsideError", "SignFormula", "SignOf", "SignReader", "irreducible_factors", "truth"]

#: Polynomials in the parameter that is solved for, x, and another one, y; or two others, y and z.
CONTEXT = fmpz_mpoly_ctx.get(("x", "y"), Ordering.lex)
_SPACE = fmpz_mpoly_ctx.get(("x", "y", "z"), Ordering.lex)
_RATIONAL = {one: fmpq_mpoly_ctx.get(one.names(), Ordering.lex) for one in (CONTEXT, _SPACE)}
#: Largest degree of a polynomial in a relation, in all parameters together.
_MOST_DEGREE = 40


class OutsideError(Exception):
    """Something is no polynomial in the parameters, or is too large; the message says what."""


@dataclass(frozen=True)
class SignOf:
    """A quotient of polynomials, related to zero; it has no value where a denominator vanishes.

    Attributes
    ----------
    relation : str
    sign : int
        Of the constant before the factors; 0 for the number zero.
    factors : tuple of (int, int)
        Numbers of polynomials, and their multiplicities.
    poles : frozenset of int
        Numbers of the polynomials that may not vanish.
    """

    relation: str
    sign: int
    factors: tuple[tuple[int, int], ...]
    poles: frozenset[int]


@dataclass(frozen=True)
class Joined:
    """Formulas joined by "and", "or", "not" or "iff"; "given": the first one, without a value unless the rest is true;
    "undefined": never with a value.
    """

    operation: str
    parts: tuple[SignFormula, ...]


SignFormula = SignOf | Joined


def truth(formula: SignFormula, signs: Sequence[int]) -> bool | None:
    """Whether a formula is true where the polynomials have these signs; None where it has no value."""
    if isinstance(formula, SignOf):
        if any(not signs[pole] for pole in formula.poles):
            return None
        value = reduce(lambda product, one: product * signs[one[0]] ** one[1], formula.factors, formula.sign)
        return (formula.relation, value) in TRUE_OF_NUMBERS
    parts = [truth(part, signs) for part in formula.parts]
    match formula.operation:
        case "and":
            return False if False in parts else None if None in parts else True
        case "or":
            return True if True in parts else None if None in parts else False
        case "not":
            return None if parts[0] is None else not parts[0]
        case "iff":
            return None if None in parts else parts[0] == parts[1]
        case "given":
            return parts[0] if all(part is True for part in parts[1:]) else None
    return None


@dataclass
class SignReader:
    """Reads relations of rational functions in two or three parameters.

    Parameters
    ----------
    names : tuple of str
        The parameter that is solved for, and the others.

    Attributes
    ----------
    polynomials : list of flint.fmpz_mpoly
        The irreducible polynomials met.
    """

    names: tuple[str, ...]
    polynomials: list[Any] = field(default_factory=list)

    @property
    def _context(self) -> Any:
        return CONTEXT if len(self.names) == 2 else _SPACE

    def formula(self, node: Node) -> SignFormula:
        """A statement as signs.

        Raises
        ------
        OutsideError
            If it is no relation of rational functions of the parameters, joined by and, or, not, implies, iff.
        """
        match node:
            case Apply("true", ()):
                return Joined("and", ())
            case Apply("false", ()):
                return Joined("or", ())
            case Apply("and" | "or" | "not" | "iff" as operation, parts):
                return Joined(operation, tuple(map(self.formula, parts)))
            case Apply("implies", (first, second)):
                return Joined("or", (Joined("not", (self.formula(first),)), self.formula(second)))
            case Apply(relation, (left, right)) if relation in OPPOSITE:
                return self._relation(node, relation, left, right)
        raise OutsideError(f"{node} is no relation of rational functions of {' and '.join(filter(None, self.names))}")

    def _relation(self, node: Node, relation: str, left: Node, right: Node) -> SignFormula:
        choice = choice_in(node)
        if choice is not None:
            needed = [self.formula(one) for one in _needed(node)]
            return Joined("given", (self.formula(by_cases(node, choice)), *needed))
        if (rational := without_root(node)) is not None:
            return Joined("given", tuple(map(self.formula, (rational[0], *_needed(node), *rational[1]))))
        poles: list[Any] = []
        (a, b), (c, d) = self._quotient(left, poles), self._quotient(right, poles)
        upper, lower = a * d - c * b, b * d
        if any(pole.is_zero() for pole in poles):
            return Joined("undefined", ())
        common = upper.gcd(lower)
        sign, factors = 1 if upper else 0, list[tuple[int, int]]()
        for part in (upper / common, lower / common) if upper else ():
            sign *= 1 if part.leading_coefficient() > 0 else -1
            factors += [(self.number(factor), times) for factor, times in irreducible_factors(part)]
        at = {self.number(factor) for pole in poles for factor, _ in irreducible_factors(pole)}
        return SignOf(relation, sign, tuple(factors), frozenset(at))

    def number(self, factor: Any) -> int:
        """The number of an irreducible polynomial, whose first coefficient is positive."""
        if factor not in self.polynomials:
            self.polynomials.append(factor)
        return self.polynomials.index(factor)

    def _quotient(self, node: Node, poles: list[Any]) -> tuple[Any, Any]:
        """Numerator and denominator; what may not vanish is added to the poles."""
        found = self._of_term(node, poles)
        if max(part.total_degree() for part in found) > _MOST_DEGREE:
            raise OutsideError(f"{node} is of a degree above {_MOST_DEGREE}")
        return found

    def _of_term(self, node: Node, poles: list[Any]) -> tuple[Any, Any]:
        match node:
            case Number(value):
                return self._context.constant(value.numerator), self._context.constant(value.denominator)
            case Name(name) if name in self.names:
                return self._context.gens()[self.names.index(name)], self._context.constant(1)
            case Apply("**", (base, exponent)):
                return self._power(base, exponent, poles)
            case Apply("+" | "-" | "*" | "/" as operation, (left, right)):
                (a, b), (c, d) = self._quotient(left, poles), self._quotient(right, poles)
                if operation in "+-":
                    return a * d + c * b if operation == "+" else a * d - c * b, b * d
                if operation == "*":
                    return a * c, b * d
                poles.append(c)
                return a * d, b * c
        raise OutsideError(f"{node} is no rational function of {' and '.join(filter(None, self.names))}")

    def _power(self, base: Node, exponent: Node, poles: list[Any]) -> tuple[Any, Any]:
        above, below = self._quotient(exponent, poles)
        if not (above.is_constant() and below.is_constant()):
            raise OutsideError(f"the exponent {exponent} is no whole number")
        times, rest = divmod(int(above.leading_coefficient()) if above else 0, int(below.leading_coefficient()))
        if rest:
            raise OutsideError(f"the exponent {exponent} is no whole number")
        upper, lower = self._quotient(base, poles)
        if abs(times) * max(upper.total_degree(), lower.total_degree(), 1) > _MOST_DEGREE:
            raise OutsideError(f"{Apply('**', (base, exponent))} is of a degree above {_MOST_DEGREE}")
        if times < 0:
            poles.append(upper)
            upper, lower = lower, upper
        return upper ** abs(times), lower ** abs(times)


def _needed(node: Node) -> list[Node]:
    """Conditions for a relation with case distinctions to have a value, but for what stands in one of the cases."""
    match node:
        case Choice(cases):
            return [Or(*(when for _, when in cases))]
        case Apply("/", (upper, lower)):
            return [*_needed(upper), *_needed(lower), Apply("!=", (lower, ZERO))]
        case Apply("**", (base, Number(value))):
            return [*_needed(base), *([Apply("!=", (base, ZERO))] if value < 0 else [])]
        case Apply("**"):
            raise OutsideError(f"within a case distinction {node} has an exponent that is not written as a number")
    return [one for part in getattr(node, "arguments", ()) for one in _needed(part)]


def irreducible_factors(polynomial: Any) -> list[tuple[Any, int]]:
    """Factors in whole numbers without a common divisor, the first coefficient positive, and their multiplicities.

    By way of rational coefficients: `fmpz_mpoly.factor` of python-flint 0.9 overflows where it sorts factors with large
    ones.
    """
    found, context = [], polynomial.context()
    for factor, times in _RATIONAL[context].from_dict(polynomial.to_dict()).factor()[1]:
        terms = factor.to_dict()
        common = lcm(*(int(c.q) for c in terms.values()))
        whole = {powers: int(c.p) * (common // int(c.q)) for powers, c in terms.items()}
        one = context.from_dict(whole)
        divisor = gcd(*whole.values()) * (1 if one.leading_coefficient() > 0 else -1)
        found.append((context.from_dict({powers: c // divisor for powers, c in whole.items()}), int(times)))
    return found
