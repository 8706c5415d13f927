"""What is known of functions, by name: a law looks at a conclusion and says why it is none of its instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from lpmech.certify.proofs.facts import Facts
from lpmech.certify.proofs.reading import ONE, ZERO, Parsed, negated, number_in

__all__ = ["LAWS", "inequalities", "terms_in"]

Law = Callable[[Facts, Parsed], str]
_OF_SIGN: dict[Fraction | None, str] = {Fraction(1): ">", Fraction(0): "==", Fraction(-1): "<"}
_NONE = "it is no instance of the law"


def _choice(facts: Facts, conclusion: Parsed) -> str:
    """Max(a, b) == a where a >= b, Abs(x) == x where x >= 0, sign(x) == 1 where x > 0, a Piecewise by its cases.

    0**m == Piecewise((1, m == 0), (0, True)) where m >= 0.
    """
    match conclusion:
        case ("==", ("Max" | "Min" as name, *parts), value):
            if value not in parts:
                return "the value is none of the arguments"
            relation = ">=" if name == "Max" else "<="
            rest = [part for part in parts if part != value]
            unknown = [part for part in rest if not facts.entails((relation, value, part))]
            return "that it is the value is not known" if unknown else facts.undefined(conclusion)
        case ("==", ("Abs", x), value):
            signs = [sign for sign in (1, -1) if facts.entails((">=" if sign > 0 else "<=", x, ZERO))]
            turned = {1: x, -1: ("-", ZERO, x)}
            return "" if any(facts.entails(("==", value, turned[sign])) for sign in signs) else "no sign is known"
        case ("==", ("sign", x), value) if number_in(value) in _OF_SIGN:
            known = facts.entails((_OF_SIGN[number_in(value)], x, ZERO))
            return "" if known else "no sign is known"
        case ("==", ("**", base, exponent), ("Piecewise", (one, empty), (other, ("true",)))):
            known = (one, other) == (ONE, ZERO) and facts.entails(("==", base, ZERO))
            none = ("==", exponent, ZERO)
            same = facts.with_more([empty]).entails(none) and facts.with_more([none]).entails(empty)
            instance = known and same and facts.entails((">=", exponent, ZERO))
            return facts.undefined(("==", conclusion[2], conclusion[2])) if instance else _NONE
        case ("==", ("Piecewise", *cases), value):
            for own, condition in cases:
                if facts.entails(condition):
                    return facts.undefined(conclusion) or ("" if facts.entails(("==", own, value)) else _NONE)
                if not facts.entails(negated(condition)):
                    return "that an earlier case does not apply is not known"
    return _NONE


def _max_bounds(facts: Facts, conclusion: Parsed) -> str:
    """Max(a, b) >= a, Min(a, b) <= a, Abs(x) >= x, Abs(x) >= -x, Abs(x) >= 0."""
    if facts.undefined(conclusion):
        return facts.undefined(conclusion)
    match conclusion:
        case (">=", ("Max", *parts), value) | ("<=", ("Min", *parts), value):
            return "" if value in parts else _NONE
        case (">=", ("Abs", x), value):
            return "" if value in (x, ("-", ZERO, x), ZERO) else _NONE
    return _NONE


def _logarithms(facts: Facts, conclusion: Parsed) -> str:
    """What is so of the logarithms of two positive numbers, or of the exponentials of two, is so of them."""
    if conclusion[0] not in ("<", "<=", ">", ">="):
        return _NONE
    relation, *sides = conclusion
    positive = all(facts.entails((">", side, ZERO)) for side in sides)
    if positive and facts.entails((relation, *(("log", side) for side in sides))):
        return ""
    exponentials = facts.entails((relation, *(("exp", side) for side in sides)))
    return facts.undefined(conclusion) if exponentials else _NONE


def _growth(facts: Facts, conclusion: Parsed) -> str:
    """What follows from one of the inequalities of `inequalities` in other words."""
    for term in terms_in(conclusion):
        for conditions, law in inequalities(term):
            known = any(all(map(facts.entails, alternative)) for alternative in conditions)
            if known and not facts.undefined(law) and facts.with_more([law]).entails(conclusion):
                return ""
    return _NONE


def inequalities(term: Parsed) -> Iterator[tuple[Sequence[Sequence[Parsed]], Parsed]]:
    """Inequalities of exp(x), log(x) and powers b**m, each with alternatives of what they demand.

    exp(x) >= 1 + x, also of -x; exp(x) >= 1 + x + x^2/2 + x^3/6 for x >= 0; log(x) <= x - 1 and log(x) >= 1 - 1/x for
    x > 0; Bernoulli's b**m >= 1 + m (b - 1) for b > 0 and m >= 1, or whole m >= 0; b**m >= 1 for b >= 1 and m >= 0;
    n! >= 1.
    """
    match term:
        case ("exp", x):
            yield [[]], (">=", term, ("+", ONE, x))
            yield [[]], ("<=", ("*", term, ("-", ONE, x)), ONE)
            square = ("/", ("*", x, x), ("number", Fraction(2)))
            cube = ("/", ("*", x, ("*", x, x)), ("number", Fraction(6)))
            yield [[(">=", x, ZERO)]], (">=", term, ("+", ("+", ONE, x), ("+", square, cube)))
        case ("log", x):
            positive = (">", x, ZERO)
            yield [[positive]], ("<=", term, ("-", x, ONE))
            yield [[positive]], (">=", ("*", x, term), ("-", x, ONE))
        case ("**", ("exp", ("number", Fraction(numerator=1, denominator=1))), x):
            yield from inequalities(("exp", x))
        case ("**", base, exponent):
            positive, more = (">", base, ZERO), (">=", exponent, ZERO)
            linear = ("+", ONE, ("*", exponent, ("-", base, ONE)))
            whole = [positive, more, ("whole", exponent)]
            yield [[positive, (">=", exponent, ONE)], whole], (">=", term, linear)
            yield [[(">=", base, ONE), more]], (">=", term, ONE)
        case ("factorial", _):
            yield [[]], (">=", term, ONE)


def terms_in(tree: Parsed) -> Iterator[Parsed]:
    """The exponentials, logarithms and powers within a relation."""
    if tree[0] in ("exp", "log", "**", "factorial"):
        yield tree
    if tree[0] not in ("number", "name", "Sum", "Product", "Each", "Piecewise", "[]"):
        for part in tree[1:]:
            yield from terms_in(part)


LAWS: dict[str, Law] = {
    "choice": _choice,
    "bounds of a choice": _max_bounds,
    "growth": _growth,
    "logarithms": _logarithms,
}
