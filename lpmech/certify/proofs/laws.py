"""What is known of functions, by name: a law looks at a conclusion and says why it is none of its instances."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lpmech.certify.proofs.facts import Facts
from lpmech.certify.proofs.reading import Tree, negated

__all__ = ["LAWS"]

Law = Callable[[Facts, Tree], str]
_ZERO: Tree = ("number", Fraction(0))
_NONE = "it is no instance of the law"


def _choice(facts: Facts, conclusion: Tree) -> str:
    """Max(a, b) == a where a >= b, Abs(x) == x where x >= 0, sign(x) == 1 where x > 0, a Piecewise by its cases."""
    match conclusion:
        case ("==", ("Max" | "Min" as name, *parts), value):
            if value not in parts:
                return "the value is none of the arguments"
            relation = ">=" if name == "Max" else "<="
            rest = [part for part in parts if part != value]
            unknown = [part for part in rest if not facts.entails((relation, value, part))]
            return "that it is the value is not known" if unknown else facts.undefined(conclusion)
        case ("==", ("Abs", x), value):
            signs = [sign for sign in (1, -1) if facts.entails((">=" if sign > 0 else "<=", x, _ZERO))]
            turned = {1: x, -1: ("-", _ZERO, x)}
            return "" if any(facts.entails(("==", value, turned[sign])) for sign in signs) else "no sign is known"
        case ("==", ("sign", x), ("number", value)) | ("==", ("sign", x), ("-", ("number", _), ("number", value))):
            wanted = value if conclusion[2][0] == "number" else -value
            relation = {1: ">", 0: "==", -1: "<"}.get(wanted, "")
            return "" if relation and facts.entails((relation, x, _ZERO)) else "no sign is known"
        case ("==", ("Piecewise", *cases), value):
            for own, condition in cases:
                if facts.entails(condition):
                    return facts.undefined(conclusion) or ("" if facts.entails(("==", own, value)) else _NONE)
                if not facts.entails(negated(condition)):
                    return "that an earlier case does not apply is not known"
    return _NONE


def _max_bounds(facts: Facts, conclusion: Tree) -> str:
    """Max(a, b) >= a, Min(a, b) <= a, Abs(x) >= x, Abs(x) >= -x, Abs(x) >= 0."""
    if facts.undefined(conclusion):
        return facts.undefined(conclusion)
    match conclusion:
        case (">=", ("Max", *parts), value) | ("<=", ("Min", *parts), value):
            return "" if value in parts else _NONE
        case (">=", ("Abs", x), value):
            return "" if value in (x, ("-", _ZERO, x), _ZERO) else _NONE
    return _NONE


def _tangent(facts: Facts, conclusion: Tree) -> str:
    """exp(x) >= 1 + x."""
    match conclusion:
        case (">=", ("exp", x), value):
            same = facts.entails(("==", value, ("+", ("number", Fraction(1)), x)))
            return "" if same else _NONE
    return _NONE


def _logarithm(facts: Facts, conclusion: Tree) -> str:
    """log(x) <= x - 1, where x > 0."""
    match conclusion:
        case ("<=", ("log", x), value):
            same = facts.entails(("==", value, ("-", x, ("number", Fraction(1)))))
            return facts.undefined(conclusion) if same else _NONE
    return _NONE


LAWS: dict[str, Law] = {
    "choice": _choice,
    "bounds of a choice": _max_bounds,
    "tangent of the exponential": _tangent,
    "tangent of the logarithm": _logarithm,
}
