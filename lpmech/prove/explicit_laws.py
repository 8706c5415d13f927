"""Equations that bring powers, logarithms, factorials and roundings to one form, each an instance of a law by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import gcd
from typing import Any

from lpmech.certify.proofs.algebra import Quotient, Terms, joined
from lpmech.certify.proofs.reading import BOUND, ONE, RELATIONS, ZERO, Parsed
from lpmech.prove.explicit_signs import Spoken, number, power, times

__all__ = ["equations", "functions_in"]

E: Parsed = ("e",)
_TWO: Parsed = ("number", Fraction(2))
Factors = dict[Parsed, Quotient]


def functions_in(tree: Parsed) -> Iterator[Parsed]:
    """Terms that are no rational functions of others, the inner ones first."""
    if tree[0] in ("number", "name", "pi", "[]", *BOUND):
        return
    parts = [p for case in tree[1:] for p in case] if tree[0] == "Piecewise" else tree[1:]
    for part in parts:
        yield from functions_in(part)
    if tree[0] not in (*"+-*/", *RELATIONS, "and", "or", "not", "implies", "iff", "whole", "true", "false", "Piecewise"):
        yield tree


class _Powers:
    """Positive terms as products of powers."""

    def __init__(self, terms: Terms, spoken: Spoken, positive: Callable[[Parsed], bool]):
        self.terms, self.spoken, self._positive = terms, spoken, positive

    def factors(self, tree: Parsed) -> Factors | None:
        """Bases and exponents; None where a base is not known to be positive."""
        terms = self.terms
        match tree:
            case ("exp", x):
                return {E: terms.quotient(x)}
            case ("*" | "/" as sign, a, b):
                return self._sum(self.factors(a), self.factors(b), 1 if sign == "*" else -1)
            case ("sqrt", x):
                return self._times(self.factors(x), terms.number(Fraction(1, 2)))
            case ("**", x, exponent):
                return self._times(self.factors(x), terms.quotient(exponent))
            case ("number", value) if value > 0 and value.denominator == 1:
                return {("number", Fraction(p)): terms.number(times) for p, times in _primes(int(value)).items()}
        found = terms.quotient(tree)
        if not found.below and len(found.above) == 1 and tree[0] != "name":
            ((monomial, value),) = found.above.items()
            if value == 1 and len(monomial) == 1 and monomial[0][1] == 1 and self._positive(tree):
                return {tree: terms.number(1)}
        return {tree: terms.number(1)} if self._positive(tree) else None

    def _sum(self, a: Factors | None, b: Factors | None, sign: int) -> Factors | None:
        if a is None or b is None:
            return None
        found = dict(a)
        for base, exponent in b.items():
            found[base] = self.terms.sum(found.get(base, self.terms.number(0)), exponent, sign)
        return found

    def _times(self, a: Factors | None, exponent: Quotient) -> Factors | None:
        return None if a is None else {base: self.terms.product(own, exponent) for base, own in a.items()}

    def parts(self, tree: Parsed) -> dict[tuple[Parsed, Any], Fraction] | None:
        """The coefficient of each monomial in the exponent of each base."""
        factors = self.factors(tree)
        if factors is None:
            return None
        found: dict[tuple[Parsed, Any], Fraction] = defaultdict(Fraction)
        for base, exponent in factors.items():
            if exponent.below:
                return None
            for monomial, value in exponent.above.items():
                log = next((i for i, e in monomial if e == 1 and self.terms.keys[i][0] == "log"), None)
                if base == E and log is not None:
                    rest = joined(monomial, ((log, -1),))
                    inner = self.factors(self.spoken.atom(log)[1])
                    powers = {b: self.terms.value_of(e) for b, e in (inner or {}).items()}
                    if inner is None or None in powers.values():
                        return None
                    for inside, times_ in powers.items():
                        found[inside, rest] += Fraction(value) * times_
                else:
                    found[base, monomial] += Fraction(value)
        return {key: value for key, value in found.items() if value}


def _primes(value: int) -> dict[int, int]:
    found: dict[int, int] = {}
    for prime in range(2, 100):
        while value % prime == 0:
            found[prime], value = found.get(prime, 0) + 1, value // prime
    return found | ({value: 1} if value > 1 else {})


def _common(values: Iterable[Fraction]) -> Fraction:
    above, below = 0, 1
    for value in values:
        below = below * value.denominator // gcd(below, value.denominator)
    for value in values:
        above = gcd(above, int(value * below))
    return Fraction(above, below)


def equations(
    terms: Terms, spoken: Spoken, trees: Iterable[Parsed], positive: Callable[[Parsed], bool], whole: Callable[[Parsed], bool]
) -> Iterator[tuple[str, Parsed]]:
    """Laws and their instances: what stands on the left is written as what stands on the right."""
    functions = list(dict.fromkeys(f for tree in trees for f in functions_in(tree)))
    yield from _definitions(terms, functions, whole)
    own = _Powers(terms, spoken, positive)
    found = {}
    for tree in functions:
        if tree[0] in ("exp", "sqrt", "**") and not (tree[0] == "**" and _is_whole(terms.value(tree[2]))):
            parts = own.parts(tree)
            if parts:
                found[tree] = parts
    units: dict[Any, list[Fraction]] = defaultdict(list)
    for parts in found.values():
        for key, value in parts.items():
            units[key].append(value)
    for tree, parts in found.items():
        above, below = ONE, ONE
        for (base, monomial), value in parts.items():
            if monomial == () and base != E:
                unit, exponent = _rooted(base, value)
            else:
                size = _common(units[base, monomial])
                inside = spoken.polynomial({monomial: size})
                unit, exponent = ("exp", inside) if base == E else ("**", base, inside), int(value / size)
            part = power(unit, abs(exponent))
            above, below = (times(above, part), below) if exponent > 0 else (above, times(below, part))
        right = above if below == ONE else ("/", above, below)
        if right != tree and terms.quotient(right) != terms.quotient(tree):
            yield "powers", ("==", tree, right)
    for tree in functions:
        if tree[0] == "log":
            right = _logarithm(own, tree[1])
            if right is not None and terms.quotient(right) != terms.quotient(tree):
                yield "powers", ("==", tree, right)
        elif tree[0] == "sqrt":
            yield "definitions", ("==", ("**", tree, _TWO), tree[1])
        elif tree[0] == "**" and (value := terms.value(tree[2])) is not None and value.denominator != 1:
            root = number(value.denominator)
            if value.denominator == 2:
                yield "definitions", ("==", ("**", ("sqrt", tree[1]), _TWO), tree[1])
            else:
                yield "definitions", ("==", ("**", ("**", tree[1], ("/", ONE, root)), root), tree[1])


def _is_whole(value: Fraction | None) -> bool:
    return value is not None and value.denominator == 1


def _rooted(base: Parsed, exponent: Fraction) -> tuple[Parsed, int]:
    if exponent.denominator == 1:
        return base, int(exponent)
    root = ("sqrt", base) if exponent.denominator == 2 else ("**", base, number(Fraction(1, exponent.denominator)))
    return root, exponent.numerator


def _logarithm(own: _Powers, tree: Parsed) -> Parsed | None:
    factors = own.factors(tree)
    if factors is None:
        return None
    found = ZERO
    for base, exponent in factors.items():
        log = ONE if base == E else ("log", base)
        part = times(own.spoken.quotient(exponent), log)
        found = part if found == ZERO else ("+", found, part)
    return found


def _definitions(terms: Terms, functions: list[Parsed], whole: Callable[[Parsed], bool]) -> Iterator[tuple[str, Parsed]]:
    counted = [tree[1] for tree in functions if tree[0] == "factorial"]
    for tree in functions:
        match tree:
            case ("binomial", n, k):
                rest = ("-", n, k)
                right = ("/", ("factorial", n), ("*", ("factorial", k), ("factorial", rest)))
                yield "definitions", ("==", tree, right)
                counted += [n, k, rest]
            case ("sinh" | "cosh" | "tanh", x):
                up, down = ("exp", x), ("/", ONE, ("exp", x))
                minus, plus = ("-", up, down), ("+", up, down)
                right = ("/", minus, plus) if tree[0] == "tanh" else ("/", minus if tree[0] == "sinh" else plus, _TWO)
                yield "definitions", ("==", tree, right)
            case ("floor" | "ceiling" as name, x):
                if whole(x):
                    yield "definitions", ("==", tree, x)
                elif x[0] in "+-" and whole(x[1]):
                    rest = x[2] if x[0] == "+" else ("-", ZERO, x[2])
                    yield "definitions", ("==", tree, ("+", x[1], (name, rest)))
                elif x[0] in "+-" and whole(x[2]):
                    n = x[2] if x[0] == "+" else ("-", ZERO, x[2])
                    yield "definitions", ("==", tree, ("+", n, (name, x[1])))
    apart: dict[Any, list[tuple[Fraction, Parsed]]] = defaultdict(list)
    for n in counted:
        found = terms.quotient(n)
        steps = Fraction(found.above.get((), 0))
        rest = frozenset((m, v) for m, v in found.above.items() if m)
        if not rest and steps.denominator == 1 and 0 <= steps <= 60:
            value = 1
            for i in range(2, int(steps) + 1):
                value *= i
            yield "definitions", ("==", ("factorial", n), number(value))
        elif rest:
            apart[rest, frozenset(found.below.items())].append((steps, n))
    for several in apart.values():
        several.sort(key=lambda pair: pair[0])
        low, first = several[0]
        made = {low: first}
        for high, n in several[1:]:
            if (high - low).denominator != 1 or high - low > 12:
                continue
            for step in range(1, int(high - low) + 1):
                at = low + step
                if at not in made:
                    made[at] = n if at == high else ("+", first, number(at - low))
                    yield "definitions", ("==", ("factorial", made[at]), ("*", made[at], ("factorial", made[at - 1])))
