"""Rational functions over the rationals in names and other indeterminates, exactly.

An indeterminate is a name, or a term that is no rational function of others and stands for itself: ``sqrt(x + 1)``,
``Max(x, y)``, ``x**K``. Exponents are rational numbers: sqrt(x) is x^(1/2), 1/x is x^-1, and the square of
``sqrt(x + 1)`` is x + 1. A power with a letter in its exponent is split by the laws of exponents if its base is
positive: x^(2 K + 1) is x times the square of the indeterminate x^K.

What a term demands to be defined is collected while it is read: a denominator is not zero, what stands below a root is
not negative, and so on. Whether that is known is for `lpmech.certify.proofs.facts` to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from fractions import Fraction
from math import isqrt
from typing import Any

from lpmech.certify.proofs.functions import binomial, extreme, factorial, hyperbolic, rounded
from lpmech.certify.proofs.polynomials import (
    MAX_BITS,
    MAX_EXPONENT,
    Exponent,
    Monomial,
    Polynomial,
    Quotient,
    added,
    constant,
    divided,
    joined,
    multiplied,
    order,
    primes,
    whole,
    without_monomial,
)
from lpmech.certify.proofs.reading import Parsed, RefusedProofError

__all__ = ["Algebra", "Quotient", "of_key"]


Asked = Callable[[Quotient], bool]


class Algebra:
    """Reads terms as rational functions; one for each step of a proof.

    Parameters
    ----------
    is_positive, is_whole : callable
        Whether a rational function is known to be so; asked of the bases of powers, and of what is counted or rounded.
    """

    def __init__(self, is_positive: Asked, is_whole: Asked = lambda _: False):
        self._asked, self.is_whole = is_positive, is_whole
        self.numbers: dict[Any, int] = {}
        self.keys: list[Any] = []
        #: What a base stands for, by its indeterminate; what an indeterminate was made of.
        self.bases: dict[int, Quotient] = {}
        self.trees: dict[int, Parsed] = {}
        #: The arguments of a Max or Min.
        self.parts: dict[int, list[Quotient]] = {}
        self.positive_keys: set[Any] = {("e",)}
        self._read: dict[Parsed, tuple[Quotient, tuple[Any, ...]]] = {}
        self.needs: list[tuple[str, Any]] = []
        #: Whether a power was left as it is because the sign of its base is not known.
        self.unsplit = False
        #: Whether a sign was asked for that is not known.
        self.doubtful = False

    def copied(self, is_positive: Asked, is_whole: Asked) -> Algebra:
        """The same with somebody else to ask, who knows all that is known here."""
        found = copy(self)
        found._asked, found.is_whole = is_positive, is_whole
        found.numbers, found.keys, found.bases = dict(self.numbers), list(self.keys), dict(self.bases)
        found.trees, found.parts, found.positive_keys = dict(self.trees), dict(self.parts), set(self.positive_keys)
        found._read, found.needs = dict(self._read), []
        return found

    def is_positive(self, a: Quotient) -> bool:
        """Whether a rational function is known to be positive."""
        known = self._asked(a)
        self.doubtful |= not known
        return known

    def forget(self) -> None:
        """Read terms anew: more signs are known."""
        self._read, self.unsplit = {}, False

    # ---- arithmetic of quotients

    def number(self, value: Any) -> Quotient:
        """A number as a rational function."""
        return Quotient(constant(whole(value)), {})

    def atom(self, key: Any, exponent: Exponent = 1) -> Quotient:
        """An indeterminate."""
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return Quotient({((self.numbers[key], exponent),): 1}, {})

    def sum(self, a: Quotient, b: Quotient, times: Any = 1) -> Quotient:
        """a + times b."""
        if a.below == b.below:
            return Quotient(added(a.above, b.above, times), a.below if a.above or b.above else {})
        common = {key: max(a.below.get(key, 0), b.below.get(key, 0)) for key in {**a.below, **b.below}}
        left, right = (
            self.times_powers(q.above, {k: e - q.below.get(k, 0) for k, e in common.items()}) for q in (a, b)
        )
        return Quotient(added(left, right, times), common)

    def product(self, a: Quotient, b: Quotient) -> Quotient:
        """a b; a numerator that is a factor of the other's denominator is cancelled."""
        if not a.above or not b.above:
            return self.number(0)
        (above, below), (other, under) = self._cancelled(a.above, b.below), self._cancelled(b.above, a.below)
        for key, exponent in under.items():
            below[key] = below.get(key, 0) + exponent
        return Quotient(self._reduced(multiplied(above, other)), below)

    def _cancelled(self, above: Polynomial, below: dict[frozenset[Any], int]) -> tuple[Polynomial, dict[Any, int]]:
        """The same quotient without a factor below that is all of what is above, but for a monomial."""
        below = dict(below)
        if len(above) > 1 and any(len(key) == len(above) for key in below):
            monomial, value, key = self._monic(above)
            if key in below:
                below[key] -= 1
                if not below[key]:
                    del below[key]
                return {monomial: value}, below
        return above, below

    def inverse(self, a: Quotient) -> Quotient:
        """1 / a, for a that is not zero as a rational function."""
        above = self.times_powers(constant(1), a.below)
        if not a.above:
            raise RefusedProofError("a denominator is zero identically")
        below: dict[frozenset[Any], int] = {}
        if len(a.above) == 1:
            ((monomial, value),) = a.above.items()
        else:
            monomial, value, key = self._monic(a.above)
            below = {key: 1}
        inverted: Monomial = ()
        for atom, exponent in monomial:
            base = self.bases.get(atom)
            if base is None or len(base.above) == 1:
                inverted = joined(inverted, ((atom, -exponent),))
                continue
            steps = -(-exponent // 1)  # (x + 1)^(-1/2) is (x + 1)^(1/2) / (x + 1)
            inverted = joined(inverted, ((atom, whole(Fraction(steps - exponent))),) if steps != exponent else ())
            common, factor, key = self._monic(base.above)
            inverted = joined(inverted, tuple((other, -e * steps) for other, e in common))
            value = value * factor**steps
            below[key] = below.get(key, 0) + steps
        return Quotient(self._reduced(multiplied(above, {inverted: Fraction(1) / value})), below)

    def _monic(self, polynomial: Polynomial) -> tuple[Monomial, Any, frozenset[Any]]:
        """A monomial and a number, and the polynomial divided by them, as a key."""
        moved, common = without_monomial(polynomial)
        value = moved[max(moved, key=order)]
        return common, value, frozenset((m, whole(Fraction(v) / value)) for m, v in moved.items())

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """a^exponent."""
        if abs(exponent) > MAX_EXPONENT:
            raise RefusedProofError(f"an exponent above {MAX_EXPONENT}")
        if any(abs(exponent) * (v.numerator * v.denominator).bit_length() > MAX_BITS for v in a.above.values()):
            raise RefusedProofError(f"a power with numbers of more than {MAX_BITS} bits")
        if exponent < 0:
            a, exponent = self.inverse(a), -exponent
        found = self.number(1)
        while exponent:
            if exponent % 2:
                found = self.product(found, a)
            exponent //= 2
            if exponent:
                a = self.product(a, a)
        return found

    def times_powers(self, above: Polynomial, powers: dict[frozenset[Any], int]) -> Polynomial:
        """A polynomial times a denominator."""
        for key, exponent in powers.items():
            for _ in range(exponent):
                above = multiplied(above, dict(key))
        return self._reduced(above)

    def _reduced(self, polynomial: Polynomial) -> Polynomial:
        """With what a base stands for in place of its whole powers: sqrt(x + 1)^2 as x + 1."""
        if not self.bases or not any(atom in self.bases for monomial in polynomial for atom, _ in monomial):
            return polynomial
        found: Polynomial = {}
        for monomial, value in polynomial.items():
            part: Polynomial = {(): value}
            for atom, exponent in monomial:
                steps = exponent // 1 if atom in self.bases else 0
                if steps < 0 and len(self.bases[atom].above) != 1:
                    steps = 0  # a denominator stays
                rest = exponent - steps
                if rest:
                    part = multiplied(part, {((atom, whole(rest)),): 1})
                base = self.bases[atom].above if steps else {}
                if steps < 0:
                    ((monomial_below, number),) = base.items()
                    base = {tuple((other, -e) for other, e in monomial_below): Fraction(1) / number}
                for _ in range(abs(int(steps))):
                    part = multiplied(part, base)
            found = added(found, part)
        return found

    # ---- terms

    def quotient(self, tree: Parsed) -> Quotient:
        """The rational function of a term; what it demands is added to `needs`."""
        if tree not in self._read:
            outside, self.needs = self.needs, []
            try:
                found = self._made(tree)
                self._read[tree] = found, tuple(self.needs)
            finally:
                self.needs = outside
        found, needs = self._read[tree]
        self.needs.extend(needs)
        return found

    def difference(self, relation: Parsed) -> Quotient:
        """What a relation says to be positive, not negative, zero or not zero."""
        left, right = self.quotient(relation[1]), self.quotient(relation[2])
        if relation[0] in ("<", "<="):
            left, right = right, left
        return self.sum(left, right, -1)

    def _made(self, tree: Parsed) -> Quotient:
        match tree:
            case ("number", value):
                return self.number(value)
            case ("name", _):
                return self.atom(tree)
            case ("+", a, b):
                return self.sum(self.quotient(a), self.quotient(b))
            case ("-", a, b):
                return self.sum(self.quotient(a), self.quotient(b), -1)
            case ("*", a, b):
                return self.product(self.quotient(a), self.quotient(b))
            case ("/", a, b):
                below = self.quotient(b)
                self.needs.append(("nonzero", below))
                return self.product(self.quotient(a), self.inverse(below))
            case ("**", base, exponent):
                return self._power(base, exponent)
            case ("sqrt", x):
                return self._root(self.quotient(x), Fraction(1, 2))
            case ("log", x):
                return self._log(self.quotient(x))
            case ("exp", x):
                return self.split(("e",), self.quotient(x), None)
            case ("Max" | "Min" as name, *parts):
                return extreme(self, name, parts)
            case ("Abs", x) if (number := self.as_number(self.quotient(x))) is not None:
                return self.number(abs(number))
            case ("Abs", x) if (above := self.quotient(x).above)[max(above, key=order)] < 0:  # of x and -x one
                return self.quotient(("Abs", ("-", ("number", Fraction(0)), x)))
            case ("floor" | "ceiling" as name, x) if (found := rounded(self, name, self.quotient(x))) is not None:
                return found
            case ("binomial", n, k) if (found := binomial(self, self.quotient(n), self.quotient(k))) is not None:
                return found
            case ("factorial", n) if (found := factorial(self, self.quotient(n))) is not None:
                return found
            case ("sinh" | "cosh" | "tanh", x):
                return hyperbolic(self, tree[0], self.quotient(x))
        return self._opaque(tree)

    def as_number(self, a: Quotient) -> Fraction | None:
        """The number that a rational function is, or None."""
        return None if a.above and (a.below or a.above.keys() - {()}) else Fraction(a.above.get((), 0))

    def _power(self, base: Parsed, exponent: Parsed) -> Quotient:
        value, raised = self.quotient(exponent), self.quotient(base)
        if not value.below and set(value.above) <= {()}:
            number = Fraction(value.above.get((), 0))
            if number.denominator == 1:
                if number < 0:
                    self.needs.append(("nonzero", raised))
                return self.power(raised, int(number))
            return self._root(raised, number)
        if not self.is_positive(raised):
            self.needs.append(("power", (raised, value)))
            self.unsplit = True
            return self._opaque(("**", base, exponent))
        found, factors = self.number(1), self._factors(raised)
        for factor, times in factors if all(isinstance(e, int) for _, e in factors) else [(raised, 1)]:
            exponents = self.product(self.number(times), value)
            if (power := self._as_power(factor)) is not None:  # (b^m)^n is b^(m n)
                found = self.product(found, self.split(power[0], self.product(power[1], exponents), None))
            else:
                self.positive_keys.add(("power", self.key(factor)))
                found = self.product(found, self.split(("power", self.key(factor)), exponents, factor))
        return found

    def _factors(self, raised: Quotient) -> list[tuple[Quotient, Any]]:
        """Positive factors of a positive base, with their exponents; the base alone if a sign is not known."""
        for key in raised.below:
            while raised.below.get(key) and (rest := divided(raised.above, dict(key))) is not None:
                raised = Quotient(rest, {k: e - (k == key) for k, e in raised.below.items() if e > (k == key)})
        found: list[tuple[Quotient, Any]] = [(Quotient(dict(key), {}), -e) for key, e in raised.below.items()]
        common, value, key = self._monic(raised.above)
        if len(raised.above) > 1:
            found.append((Quotient(dict(key), {}), 1))
        found += [(Quotient({((atom, 1),): 1}, {}), e) for atom, e in common]
        if value < 0 or not all(self.is_positive(f) for f, _ in found):
            return [(raised, 1)]
        return found + [(self.number(p), e) for p, e in primes(Fraction(value))]

    def _log(self, x: Quotient) -> Quotient:
        """log(x) by the logarithms of its factors, where they are known to be positive."""
        self.needs.append(("positive", x))
        if not self.is_positive(x):
            self.unsplit = True
            return self.atom(("log", self.key(x)))
        found = self.number(0)
        for factor, times in self._factors(x):
            found = self.sum(found, self._log_of_factor(factor), times)
        return found

    def _log_of_factor(self, x: Quotient) -> Quotient:
        """Of b^m it is m log(b), of what stands below a root the logarithm of that."""
        if (power := self._as_power(x)) is not None:
            (_, *base), exponent = power
            return self.product(exponent, self._log(of_key(base[0])) if base else self.number(1))
        base = next((base for atom, base in self.bases.items() if x == ({((atom, 1),): 1}, {})), None)
        return self.atom(("log", self.key(x))) if base is None else self._log(base)

    def _as_power(self, x: Quotient) -> tuple[Any, Quotient] | None:
        """The base of an indeterminate that is a power, and its exponent."""
        ((monomial, value), *others) = x.above.items()
        if others or x.below or len(monomial) != 1 or value != 1:
            return None
        ((atom, times),) = monomial
        base, *exponents = self.keys[atom]
        if base not in self.positive_keys:
            return None
        (raised,) = exponents
        return base, self.product(of_key(raised), self.number(times))

    def _root(self, x: Quotient, exponent: Fraction) -> Quotient:
        """x^exponent for an exponent that is not whole."""
        if abs(exponent) > MAX_EXPONENT:
            raise RefusedProofError(f"an exponent above {MAX_EXPONENT}")
        self.needs.append(("positive" if exponent < 0 else "nonnegative", x))
        if exponent < 0:
            return self.inverse(self._root(x, -exponent))
        if not x.below and set(x.above) <= {()} and (found := self._root_of_number(x.above.get((), 0), exponent)):
            return found
        if not x.below and len(x.above) == 1:
            ((monomial, value),) = x.above.items()
            if value == 1 and len(monomial) == 1:
                ((atom, power),) = monomial
                if isinstance(power, int) and power % 2:  # x^3 >= 0 only where x >= 0
                    return Quotient(self._reduced({((atom, whole(power * exponent)),): 1}), {})
        factors = self._factors(x)
        if len(factors) > 1 and (len(x.above) == 1 or x.below) and all(isinstance(e, int) for _, e in factors):
            found = self.number(1)
            for factor, times in factors:
                found = self.product(found, self.power(self._root(factor, exponent), times))
            return found
        if x.below:  # the root of a quotient is one indeterminate
            found = self.atom(("root", self.key(x), exponent.denominator))
            return self.power(found, exponent.numerator)
        base = self.atom(("base", self.key(x)))
        ((((number, _),), _),) = base.above.items()
        self.bases.setdefault(number, x)
        return Quotient(self._reduced({((number, exponent),): 1}), {})

    def _root_of_number(self, number: Any, exponent: Fraction) -> Quotient | None:
        """Of a square it is a number, of zero and for other roots a term; None where it is a base like others."""
        value = Fraction(number)
        if exponent.denominator != 2 or value <= 0:
            return self._opaque(("**", ("number", value), ("number", exponent)))
        roots = isqrt(value.numerator), isqrt(value.denominator)
        square = roots[0] ** 2 == value.numerator and roots[1] ** 2 == value.denominator
        return self.power(self.number(Fraction(*roots)), exponent.numerator) if square else None

    def split(self, base: Any, exponent: Quotient, raised: Quotient | None) -> Quotient:
        """base^exponent as a product: of whole powers, and of an indeterminate for each other monomial."""
        if exponent.below:
            return self.atom((base, self.key(exponent)))
        found = self.number(1)
        for monomial, value in exponent.above.items():
            power = whole(Fraction(value))
            if abs(power) > MAX_EXPONENT:
                raise RefusedProofError(f"an exponent above {MAX_EXPONENT}")
            log = next((i for i, e in monomial if base == ("e",) and e == 1 and self.keys[i][0] == "log"), None)
            rest = tuple((i, e) for i, e in monomial if i != log)
            if log is not None:  # e^(m log(x)) is x^m
                inside = of_key(self.keys[log][1])
                self.positive_keys.add(("power", self.key(inside)))
                found = self.product(
                    found, self.split(("power", self.key(inside)), Quotient({rest: value}, {}), inside)
                )
            elif monomial == () and raised is not None:
                found = self.product(
                    found, self.power(raised, power) if isinstance(power, int) else self._root(raised, power)
                )
            else:
                found = self.product(found, self.atom((base, monomial), power))
        return found

    def _opaque(self, tree: Parsed) -> Quotient:
        """A term that stands for itself; equal terms are one, also where their arguments are written differently."""
        parts: list[Any] = []
        for place, part in enumerate(tree[1:]):
            if tree[0] == "Piecewise":
                parts.append((self.key(self.quotient(part[0])), self._key_of_condition(part[1])))
            elif not isinstance(part, tuple) or (tree[0] in ("Sum", "Product", "Each") and not place):
                parts.append(part)
            else:
                parts.append(self.key(self.quotient(part)))
        self.needs = [] if tree[0] == "Piecewise" else self.needs  # it is defined as a whole or not
        self.needs.extend(self._demands(tree))
        key = (tree[0], *parts)
        found = self.atom(key)
        self.trees.setdefault(self.numbers[key], tree)
        return found

    def _demands(self, tree: Parsed) -> Iterable[tuple[str, Any]]:
        match tree:
            case ("Min" | "Max" | "Abs" | "sign" | "floor" | "ceiling" | "sin" | "cos", *_) | ("pi",) | ("**", *_):
                return []
            case ("factorial", n):
                return [("whole", self.quotient(n)), ("nonnegative", self.quotient(n))]
            case ("binomial", n, k):
                both = self.quotient(n), self.quotient(k)
                return [("whole", both[0]), ("whole", both[1]), ("either", both)]
            case ("Mod", _, y):
                return [("nonzero", self.quotient(y))]
        return [("defined", tree)]

    def _key_of_condition(self, condition: Parsed) -> Any:
        """Likewise of conditions."""
        if condition[0] in ("<", "<=", ">", ">=", "==", "!="):
            word = {"<": ">", "<=": ">="}.get(condition[0], condition[0])
            found = self.difference(condition)
            return word, self.key(found)
        if condition[0] == "whole":
            return "whole", self.key(self.quotient(condition[1]))
        if condition[0] == "Each":  # below an index nothing is known of what a name is
            return condition
        return (condition[0], *map(self._key_of_condition, condition[1:]))

    def key(self, a: Quotient) -> Any:
        """What tells different rational functions apart, and equal ones that are written alike."""
        return frozenset(a.above.items()), frozenset(a.below.items())


def of_key(key: Any) -> Quotient:
    """The rational function of a key, or of a monomial."""
    quotient = len(key) == 2 and isinstance(key[0], frozenset)
    return Quotient(*map(dict, key)) if quotient else Quotient({key: 1}, {})
