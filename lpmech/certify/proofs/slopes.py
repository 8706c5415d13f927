"""The rule of derivatives: values at ends and the sign of a slope, which is taken here as in a textbook."""

from __future__ import annotations

from fractions import Fraction

from lpmech.certify.proofs.context import Context
from lpmech.certify.proofs.reading import ONE, ZERO, Parsed, RefusedProofError, names_in, number_in, replaced
from lpmech.certify.proofs.steps import Step, a_list

__all__ = ["derivative"]

_TWO: Parsed = ("number", Fraction(2))
#: The derivatives of functions of one argument.
_OUTER = {
    "exp": lambda u: ("exp", u), "log": lambda u: ("/", ONE, u), "sqrt": lambda u: ("/", ONE, ("*", _TWO, ("sqrt", u))),
    "sin": lambda u: ("cos", u), "cos": lambda u: ("-", ZERO, ("sin", u)),
    "sinh": lambda u: ("cosh", u), "cosh": lambda u: ("sinh", u),
    "tanh": lambda u: ("-", ONE, ("**", ("tanh", u), _TWO)),
}  # fmt: skip


def slope(tree: Parsed, name: str) -> Parsed:
    """The derivative of a term by a name; where it is defined and the term is, around a point, the term has it there."""
    if name not in names_in(tree):
        return ZERO
    match tree:
        case ("name", _):
            return ONE
        case ("+" | "-" as sign, a, b):
            return (sign, slope(a, name), slope(b, name))
        case ("*", a, b):
            return ("+", ("*", slope(a, name), b), ("*", a, slope(b, name)))
        case ("/", a, b):
            return ("/", ("-", ("*", slope(a, name), b), ("*", a, slope(b, name))), ("*", b, b))
        case ("**", base, exponent):
            power = ("*", ("*", exponent, ("**", base, ("-", exponent, ONE))), slope(base, name))
            if name not in names_in(exponent):
                return power
            return ("+", power, ("*", ("*", tree, ("log", base)), slope(exponent, name)))
        case (function, u) if function in _OUTER:
            return ("*", _OUTER[function](u), slope(u, name))
    raise RefusedProofError(f"{tree[0]} is not differentiated")


def bases_of_powers(tree: Parsed, name: str) -> set[Parsed]:
    """The bases of powers in which a name occurs and whose exponents are no numbers: x**x is not continuous at 0."""
    if name not in names_in(tree):
        return set()
    inner = set[Parsed]().union(*(bases_of_powers(part, name) for part in tree[1:] if isinstance(part, tuple)))
    return inner | {tree[1]} if tree[0] == "**" and names_in(tree[2]) else inner


def _rise(tree: Parsed, name: str) -> Fraction | None:
    """By how much a term grows when a name grows by one, where it is visibly linear in it; else None."""
    if name not in names_in(tree):
        return Fraction(0)
    match tree:
        case ("name", _):
            return Fraction(1)
        case ("+" | "-" as sign, a, b):
            one, other = _rise(a, name), _rise(b, name)
            return None if one is None or other is None else one + other if sign == "+" else one - other
        case ("*", a, b) | ("*", b, a) if (value := number_in(a)) is not None:
            return None if (found := _rise(b, name)) is None else value * found
        case ("/", a, b) if value := number_in(b):
            return None if (found := _rise(a, name)) is None else found / value
    return None


def derivative(step: Step) -> None:
    """f >= 0 (> 0) along a parameter: from one end on, where f does not fall, or between two, where f is concave."""
    name, conclusion, terms = step.data["name"], step.goal.conclusion, step.run.terms
    ends = [step.term(end) for end in a_list(step.data["ends"], "ends")]
    values = a_list(step.data["values"], "values")
    if conclusion[0] not in (">", ">=") or conclusion[2] != ZERO:
        raise RefusedProofError("the conclusion does not say that a function is positive or not negative")
    x, function, sorts = ("name", name), conclusion[1], {**step.goal.sorts, name: "real"}
    if not 1 <= len(ends) == len(values) <= 2 or name not in step.goal.sorts or any(name in names_in(e) for e in ends):
        raise RefusedProofError("no one or two ends of a line along a parameter")
    sides = [">=", "<="] if len(ends) == 2 else [">=" if step.known.holds((">=", x, ends[0])) else "<="]
    closed = [(side, x, end) for side, end in zip(sides, ends, strict=True)]
    for bound in closed:
        step.known.demand(bound)
    opened = [(side[0], x, end) for side, _, end in closed]
    free = [h for h in step.goal.hypotheses if name not in names_in(h)]
    if len(ends) == 1:  # what bounds the parameter on the other side does so on the way
        more = [h for h in step.goal.hypotheses if bounds_beyond(h, name, 1 if sides[0] == ">=" else -1)]
        closed, opened = [*closed, *more], [*opened, *more]
    above = True
    for number, (node, end) in enumerate(zip(values, ends, strict=True)):
        value, place = replaced(function, x, end), f"values[{number}]"
        found = step.child(node, place, sorts={name: "real"}, given=free)
        above = above and found in ((">", value, ZERO), ("false",))
        step.shows(found, (">=", value, ZERO), Context(sorts, terms, free))
    rises = conclusion[0] == ">" and not above
    if rises and not (len(ends) == 1 and step.known.holds(opened[0])):
        raise RefusedProofError("why it is positive and not zero is not shown")
    found = step.child(step.data["defined"], "defined", sorts={name: "real"}, given=[*free, *closed])
    known = Context(sorts, terms, [*free, *closed, found])
    known.has_value(function)
    for base in bases_of_powers(function, name):
        known.demand((">", base, ZERO))
    found = step.child(step.data["slope"], "slope", sorts={name: "real"}, given=[*free, *opened])
    first = slope(function, name)
    Context(sorts, terms, [*free, *opened, found]).has_value(first)
    minus = ("-", ZERO, slope(first, name) if len(ends) == 2 else first)
    wanted = (">" if rises else ">=", first if sides == [">="] else minus, ZERO)
    Context(sorts, terms, [*free, *opened, found]).demand(wanted)


def bounds_beyond(hypothesis: Parsed, name: str, direction: int) -> bool:
    """Whether a hypothesis about a parameter holds on the way back (-1: on) from where it holds."""
    if hypothesis[0] not in ("<", "<=", ">", ">=") or name not in names_in(hypothesis):
        return False
    grown = _rise(("-", *hypothesis[1:]), name)
    return grown is not None and grown * direction * (1 if hypothesis[0] in ("<", "<=") else -1) >= 0
