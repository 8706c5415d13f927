"""What is known of functions, by name: a law looks at a conclusion and refuses what is none of its instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import factorial

from lpmech.certify.proofs.algebra import Quotient, Terms
from lpmech.certify.proofs.context import Context
from lpmech.certify.proofs.reading import ONE, RELATIONS, ZERO, Parsed, RefusedProofError, number_in, negated

__all__ = ["LAWS"]

_LARGEST = 60


def _choice(known: Context, conclusion: Parsed) -> bool:
    """Max(a, b) == a where a >= b, Abs(x) == x where x >= 0, sign(x) == 1 where x > 0, a Piecewise by its cases.

    0**m == Piecewise((1, m == 0), (0, True)) where m >= 0.
    """
    match conclusion:
        case ("==", ("Max" | "Min" as name, *parts), value) if value in parts:
            for part in parts:
                known.demand((">=" if name == "Max" else "<=", value, part))
        case ("==", ("Abs", x), value):
            known.demand(("or", ("and", (">=", x, ZERO), ("==", value, x)), ("and", ("<=", x, ZERO), ("==", value, ("-", ZERO, x)))))
        case ("==", ("sign", x), value) if (number := number_in(value)) in (-1, 0, 1):
            known.demand(("==" if not number else ">" if number > 0 else "<", x, ZERO))
        case ("==", ("**", base, m), ("Piecewise", (one, none), (other, ("true",)))) if (one, other) == (ONE, ZERO):
            known.demand(("and", ("==", base, ZERO), (">=", m, ZERO), ("iff", none, ("==", m, ZERO))))
        case ("==", ("Piecewise", *cases), value):
            place = next((n for n, (own, _) in enumerate(cases) if own == value), 0)
            for _, condition in cases[:place]:
                known.demand(negated(condition))
            known.demand(cases[place][1])
            return bool(cases[place][0] == value)
        case _:
            return False
    return True


def _bounds(known: Context, conclusion: Parsed) -> bool:
    """Max(a, b) >= a, Max(a, b) <= c where a <= c and b <= c, likewise Min, Abs(x) >= x, Abs(x) >= -x, Abs(x) >= 0."""
    match conclusion:
        case (">=", ("Max", *parts), value) | ("<=", ("Min", *parts), value) if value in parts:
            return True
        case ("<" | "<=" as sign, ("Max", *parts), value) | (">" | ">=" as sign, ("Min", *parts), value):
            known.demand(("and", *((sign, part, value) for part in parts)))
            return True
        case (">=", ("Abs", x), value):
            return value in (x, ("-", ZERO, x), ZERO)
    return False


def _logarithms(known: Context, conclusion: Parsed) -> bool:
    """What is so of the logarithms of two positive numbers, or of the exponentials of two, is so of them."""
    relation, *sides = conclusion
    if relation not in RELATIONS or relation == "!=":
        return False
    name = "exp" if known.holds((relation, *(("exp", side) for side in sides))) else "log"
    known.demand((relation, *((name, side) for side in sides)))
    return True


def _growth(known: Context, conclusion: Parsed) -> bool:
    """An inequality of exp(x), log(x), a power or a factorial."""
    terms = conclusion[1], conclusion[1][-1] if conclusion[1][0] == "*" else ()
    for term in filter(None, terms):
        for demanded, law in inequalities(term):
            if law == conclusion:
                known.demand(demanded)
                return True
    return False


def inequalities(term: Parsed) -> Iterator[tuple[Parsed, Parsed]]:
    match term:
        case ("exp", x):
            yield ("true",), (">", term, ZERO)
            yield ("true",), (">=", term, ("+", ONE, x))
            yield ("true",), ("<=", ("*", ("-", ONE, x), term), ONE)
            square = ("/", ("*", x, x), ("number", Fraction(2)))
            cube = ("/", ("*", x, ("*", x, x)), ("number", Fraction(6)))
            yield (">=", x, ZERO), (">=", term, ("+", ("+", ONE, x), ("+", square, cube)))
        case ("log", x):
            yield (">", x, ZERO), ("<=", term, ("-", x, ONE))
            yield (">", x, ZERO), (">=", ("*", x, term), ("-", x, ONE))
        case ("sqrt", x):
            yield (">=", x, ZERO), (">=", term, ZERO)
            yield (">", x, ZERO), (">", term, ZERO)
        case ("**", base, exponent):
            positive, more = (">", base, ZERO), (">=", exponent, ZERO)
            whole = ("and", more, ("whole", exponent))
            bernoulli = (">=", term, ("+", ONE, ("*", exponent, ("-", base, ONE))))
            yield ("and", positive, ("or", (">=", exponent, ONE), whole)), bernoulli
            yield ("and", (">=", base, ONE), more), (">=", term, ONE)
            yield positive, (">", term, ZERO)
            yield ("and", (">=", base, ZERO), more), (">=", term, ZERO)
        case ("factorial", _):
            yield ("true",), (">=", term, ONE)


def _powers(known: Context, conclusion: Parsed) -> bool:
    """A product of powers is another one if their logarithms are the same; log(x) by the logarithms of its factors."""
    match conclusion:
        case ("==", ("log", x), value):
            found, wanted = _logarithm(known, x), known.terms.quotient(value)
        case ("==", a, b):
            found, wanted = _logarithm(known, a), _logarithm(known, b)
        case _:
            return False
    return not known.terms.sum(found, wanted, -1).above


def _logarithm(known: Context, tree: Parsed) -> Quotient:
    """The logarithm of a term, all of whose factors are known to be positive."""
    terms = known.terms
    match tree:
        case ("exp", x):
            return terms.quotient(x)
        case ("*" | "/" as sign, a, b):
            return terms.sum(_logarithm(known, a), _logarithm(known, b), 1 if sign == "*" else -1)
        case ("sqrt", x):
            return terms.product(terms.number(Fraction(1, 2)), _logarithm(known, x))
        case ("**", x, exponent):
            return terms.product(terms.quotient(exponent), _logarithm(known, x))
        case ("number", value) if value > 0 and value.denominator == 1:
            return _of_number(terms, int(value))
    known.demand((">", tree, ZERO))
    return terms.quotient(("log", tree))


def _of_number(terms: Terms, value: int) -> Quotient:
    """By the primes up to 100 in it."""
    found = terms.number(0)
    for prime in range(2, 100):
        while value % prime == 0:
            found, value = terms.sum(found, terms.quotient(("log", ("number", Fraction(prime))))), value // prime
    return found if value == 1 else terms.sum(found, terms.quotient(("log", ("number", Fraction(value)))))


def _definitions(known: Context, conclusion: Parsed) -> bool:
    """What a root, a factorial, a binomial, a rounding, a hyperbolic function is by others."""
    terms = known.terms
    match conclusion:
        case ("==", ("**", ("sqrt", x), ("number", Fraction(numerator=2, denominator=1))), value):
            return bool(value == x)
        case ("==", ("**", ("**", x, ("/", one, ("number", root) as q)), power), value):
            return one == ONE and power == q and root.denominator == 1 and root > 0 and value == x
        case ("==", ("factorial", n), ("*", a, ("factorial", m))):
            known.demand(("and", ("whole", m), (">=", m, ZERO)))
            return not terms.sum(terms.quotient(n), terms.quotient(a), -1).above and terms.value(("-", n, m)) == 1
        case ("==", ("factorial", n), value) if (number := terms.value(n)) is not None and 0 <= number <= _LARGEST:
            return number.denominator == 1 and terms.value(value) == factorial(int(number))
        case ("==", ("binomial", n, k), value):
            rest = ("-", n, k)
            known.demand(("and", ("whole", n), ("whole", k), (">=", k, ZERO), (">=", rest, ZERO)))
            return value == ("/", ("factorial", n), ("*", ("factorial", k), ("factorial", rest)))
        case ("==", ("floor" | "ceiling" as name, x), ("+", n, (other, y))) if other == name:
            known.demand(("whole", n))
            return terms.value(("-", x, ("+", n, y))) == 0
        case ("==", ("floor" | "ceiling", x), n):  # of what is next to a whole number
            up = conclusion[1][0] == "ceiling"
            known.demand(("and", ("whole", n), *((("<=", x, n), (">", x, ("-", n, ONE))) if up else ((">=", x, n), ("<", x, ("+", n, ONE))))))
            return True
        case ("==", ("sinh" | "cosh" | "tanh" as name, x), value):
            up, down = ("exp", x), ("/", ONE, ("exp", x))
            sums = ("-", up, down), ("+", up, down)
            return value == ("/", *sums) if name == "tanh" else value == ("/", sums[name == "cosh"], ("number", Fraction(2)))
    return False


LAWS: dict[str, Callable[[Context, Parsed], bool]] = {
    "choice": _choice,
    "bounds of a choice": _bounds,
    "growth": _growth,
    "logarithms": _logarithms,
    "powers": _powers,
    "definitions": _definitions,
}


def check_law(known: Context, name: object, conclusion: Parsed) -> None:
    """Refuse what is no instance of a law, or not known to be defined."""
    law = LAWS.get(name) if isinstance(name, str) else None
    if law is None:
        raise RefusedProofError(f"no law of the name {str(name)[:40]}")
    if conclusion[0] not in RELATIONS or not law(known, conclusion):
        raise RefusedProofError("it is no instance of the law")
    known.defined(conclusion)
