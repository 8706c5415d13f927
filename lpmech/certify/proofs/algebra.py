"""Terms as quotients of polynomials over the rationals in indeterminates: names, and terms that stand for themselves.

``sqrt(x + 1)``, ``Max(x, y)``, ``x**K`` are indeterminates; two are one if their arguments are the same quotients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from lpmech.certify.proofs.reading import BOUND, ONE, RELATIONS, ZERO, Parsed, RefusedProofError

__all__ = ["MAX_EXPONENT", "Polynomial", "Quotient", "Terms", "added", "multiplied"]

MAX_TERMS, MAX_WORK, MAX_EXPONENT = 60_000, 20_000_000, 400
Monomial = tuple[tuple[int, int], ...]
Polynomial = dict[Monomial, Any]


class Quotient(NamedTuple):
    """above / the product of powers of `below`, whose keys are polynomials; exponents of `above` may be negative."""

    above: Polynomial
    below: dict[frozenset[Any], int]


def added(a: Polynomial, b: Polynomial, times: Any = 1) -> Polynomial:
    """a + times b."""
    found = dict(a)
    for monomial, value in b.items():
        total = found.get(monomial, 0) + times * value
        found[monomial] = total
        if not total:
            del found[monomial]
    return found


def joined(a: Monomial, b: Monomial) -> Monomial:
    """The product of two monomials."""
    if not a or not b:
        return a or b
    powers = dict(a)
    for atom, exponent in b:
        powers[atom] = powers.get(atom, 0) + exponent
    return tuple(sorted((atom, exponent) for atom, exponent in powers.items() if exponent))


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    """a b."""
    Terms.spent(len(a) * len(b))
    found: Polynomial = {}
    for one, value in a.items():
        for other, factor in b.items():
            monomial = joined(one, other)
            found[monomial] = found.get(monomial, 0) + value * factor
    if len(found) > MAX_TERMS:
        raise RefusedProofError(f"a polynomial of more than {MAX_TERMS} terms")
    return {monomial: value for monomial, value in found.items() if value}


def lead(a: Polynomial) -> Any:
    """The coefficient of one term, the same for all multiples of a polynomial."""
    return a[max(a)]


class Terms:
    """Reads terms; what stands for itself has the same number wherever it occurs in a file.

    Parameters
    ----------
    base : Terms, optional
        One that knows indeterminates by number.
    meant : mapping
        What to write for an indeterminate: (n, quotient) where its n-th power is that.
    """

    left = MAX_WORK

    def __init__(self, base: Terms | None = None, meant: Mapping[int, tuple[int, Quotient]] | None = None):
        self.meant = dict(meant or {})
        self._numbers: dict[Any, int] = {} if base is None else base._numbers
        #: What each indeterminate is made of; what conditions compare, kept for those who ask.
        self.keys: list[Any] = [] if base is None else base.keys
        self.readings: dict[Parsed, Any] = {}
        self._read: dict[Parsed, Quotient] = {}

    @classmethod
    def spent(cls, amount: int) -> None:
        """Count products of terms; refuse where there are too many."""
        cls.left -= amount
        if cls.left < 0:
            raise RefusedProofError("too much arithmetic")

    # ---- arithmetic

    @staticmethod
    def number(value: Any) -> Quotient:
        """A number as a quotient."""
        value = value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
        return Quotient({(): value} if value else {}, {})

    def sum(self, a: Quotient, b: Quotient, times: Any = 1) -> Quotient:
        """a + times b."""
        below = {key: max(a.below.get(key, 0), b.below.get(key, 0)) for key in {**a.below, **b.below}}
        left, right = a.above, b.above
        for key, exponent in below.items():
            for _ in range(exponent - a.below.get(key, 0)):
                left = multiplied(left, dict(key))
            for _ in range(exponent - b.below.get(key, 0)):
                right = multiplied(right, dict(key))
        above = added(left, right, times)
        return Quotient(above, below if above else {})

    def product(self, a: Quotient, b: Quotient) -> Quotient:
        """a b."""
        below = {key: a.below.get(key, 0) + b.below.get(key, 0) for key in {**a.below, **b.below}}
        above = multiplied(a.above, b.above)
        return Quotient(above, below if above else {})

    def inverse(self, a: Quotient) -> Quotient:
        """1 / a; that a is not zero has to be known besides."""
        if not a.above:
            raise RefusedProofError("a denominator is zero identically")
        powers = list(map(dict, a.above))
        least = {atom: min(p.get(atom, 0) for p in powers) for atom in set[int]().union(*powers)}
        back = tuple(sorted((atom, -e) for atom, e in least.items() if e))
        factor = Fraction(1) / lead(a.above)
        above: Polynomial = {back: factor.numerator if factor.denominator == 1 else factor}
        for key, exponent in a.below.items():
            for _ in range(exponent):
                above = multiplied(above, dict(key))
        rest = multiplied(a.above, {back: factor})
        return Quotient(above, {frozenset(rest.items()): 1} if len(rest) > 1 else {})

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """a^exponent."""
        if abs(exponent) > MAX_EXPONENT:
            raise RefusedProofError(f"an exponent above {MAX_EXPONENT}")
        a = self.inverse(a) if exponent < 0 else a
        found = self.number(1)
        for _ in range(abs(exponent)):
            found = self.product(found, a)
        return found

    def is_zero(self, a: Quotient) -> bool:
        """Whether a quotient is zero, with what is meant by powers in place of them."""
        above = a.above
        for atom in self.meant:
            lowest = min((dict(m).get(atom, 0) for m in above), default=0)
            above = multiplied(above, {((atom, -lowest),): 1}) if lowest < 0 else above
        return not self.reduced(above)

    def reduced(self, above: Polynomial) -> Polynomial:
        """A polynomial with what is meant by powers in place of them."""
        for atom, (degree, meaning) in self.meant.items():
            while high := {m: v for m, v in above.items() if dict(m).get(atom, 0) >= degree}:
                above = added(above, high, -1)
                above = added(above, multiplied(multiplied(high, {((atom, -degree),): 1}), meaning.above))
        return above

    # ---- terms

    def quotient(self, tree: Parsed) -> Quotient:
        """What a term is."""
        if tree not in self._read:
            self._read[tree] = self._made(tree)
        return self._read[tree]

    def difference(self, relation: Parsed) -> Quotient:
        """What a relation says to be positive, not negative, zero or not zero."""
        left, right = map(self.quotient, relation[1:])
        return self.sum(right, left, -1) if relation[0] in ("<", "<=") else self.sum(left, right, -1)

    def value(self, tree: Parsed) -> Fraction | None:
        """The number that a term is, or None."""
        return self.value_of(self.quotient(tree))

    @staticmethod
    def value_of(found: Quotient) -> Fraction | None:
        """The number that a quotient is, or None."""
        return None if found.below or found.above.keys() - {()} else Fraction(found.above.get((), 0))

    def _made(self, tree: Parsed) -> Quotient:
        match tree:
            case ("number", value):
                return self.number(value)
            case ("+" | "-" as sign, a, b):
                return self.sum(self.quotient(a), self.quotient(b), 1 if sign == "+" else -1)
            case ("*", a, b):
                return self.product(self.quotient(a), self.quotient(b))
            case ("/", a, b):
                return self.product(self.quotient(a), self.inverse(self.quotient(b)))
            case ("sqrt", x):
                return self._atom(("root", self.key(x), 2))
            case ("**", x, exponent) if (value := self.value(exponent)) is not None:
                root = self.quotient(x)
                if value.denominator != 1:
                    root = self._atom(("root", self.key(x), value.denominator))
                return self.power(root, value.numerator)
            case ("Max" | "Min" as name, *parts):
                return self._atom((name, frozenset(map(self.key, parts))))
            case ("name", _):
                return self._atom(tree)
        return self._atom((tree[0], *(self._key_of(tree, part) for part in tree[1:])))

    def _atom(self, key: Any) -> Quotient:
        if key not in self._numbers:
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
        number = self._numbers[key]
        degree, meaning = self.meant.get(number, (0, None))
        return meaning if degree == 1 and meaning is not None else Quotient({((number, 1),): 1}, {})

    def key(self, tree: Parsed) -> Any:
        """What tells different quotients apart."""
        found = self.quotient(tree)
        return frozenset(found.above.items()), frozenset(found.below.items())

    def _key_of(self, tree: Parsed, part: Any) -> Any:
        if tree[0] == "Piecewise":
            return self.key(part[0]), self._key_of_condition(part[1])
        return self.key(part) if isinstance(part, tuple) and not (tree[0] in BOUND and part is tree[1]) else part

    def _key_of_condition(self, condition: Parsed) -> Any:
        if condition[0] in RELATIONS:
            found = self.difference(condition)
            return condition[0].replace("<", ">"), frozenset(found.above.items()), frozenset(found.below.items())
        joined = condition[0] in ("and", "or", "not", "implies", "iff")
        return (condition[0], *map(self._key_of_condition, condition[1:])) if joined else condition

    def needs(self, tree: Parsed) -> Iterator[Parsed]:
        """What has to be true for a term to be defined, from within; ("defined", part) where that is no relation."""
        if tree[0] not in ("number", "name", "Piecewise", "[]", *BOUND):
            for part in tree[1:]:
                yield from self.needs(part)
        match tree:
            case ("/", _, x) if not self.value(x):
                yield ("!=", x, ZERO)
            case ("sqrt", x):
                yield (">=", x, ZERO)
            case ("log", x):
                yield (">", x, ZERO)
            case ("**", x, exponent):
                value = self.value(exponent)
                if value is None:
                    zero = ("and", (">=", x, ZERO), (">=", exponent, ZERO))
                    yield ("or", (">", x, ZERO), zero, ("and", ("whole", exponent), ("!=", x, ZERO)))
                elif value.denominator != 1:
                    yield (">" if value < 0 else ">=", x, ZERO)
                elif value < 0:
                    yield ("!=", x, ZERO)
            case ("factorial", n):
                yield ("whole", n)
                yield (">=", n, ZERO)
            case ("binomial", n, k):
                yield ("whole", n)
                yield ("whole", k)
                yield ("or", (">=", n, ZERO), (">=", k, ZERO))
            case ("Mod", _, y):
                yield ("!=", y, ZERO)
            case ("Piecewise" | "[]" | "Sum" | "Product" | "tan" | "coth", *_):
                yield ("defined", tree)
