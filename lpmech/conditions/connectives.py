"""Alternatives of conditions, and what makes of a relation several: maxima, absolute values, case distinctions."""

from __future__ import annotations

from collections.abc import Sequence

from lpmech.errors import FormulaError
from lpmech.terms import FALSE, TRUE, ZERO, Apply, Choice, Node, Number
from lpmech.terms.functions import OPPOSITE, And, Not, Or
from lpmech.terms.term import parts_of

__all__ = [
    "MIRRORED", "TRUE_OF_NUMBERS", "Alternatives", "apart", "by_cases", "choice_in", "combined", "contains", "joined",
    "merged_signs", "negated", "positive", "replaced", "several", "together",
    "with_leading_signs", "without_value",
]  # fmt: skip

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
#: Each of them conditions that hold together.
Alternatives = Sequence[tuple[Node, ...]]
#: The relations to zero that a number of some sign has.
TRUE_OF_NUMBERS = {
    *(("<", -1), ("<=", -1), ("<=", 0), (">", 1), (">=", 1), (">=", 0), ("==", 0), ("!=", 1), ("!=", -1)),
}


_EITHER = {
    frozenset((">", "==")): ">=", frozenset(("<", "==")): "<=", frozenset((">", "<")): "!=",
    frozenset((">=", "<")): "any", frozenset(("<=", ">")): "any", frozenset(("!=", "==")): "any",
}  # fmt: skip


def merged_signs(found: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Signs that differ in one place as one: > or == is >=, and so on."""
    for i, first in enumerate(found):
        for second in found[i + 1 :]:
            (k, *more) = (k for k, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
            joined = _EITHER.get(frozenset((first[k], second[k])))
            if not more and joined:
                rest = [one for one in found if one not in (first, second)]
                return merged_signs([*rest, (*first[:k], joined, *first[k + 1 :])])
    return found


def together(first: Alternatives, second: Alternatives) -> Alternatives:
    """Every alternative of the first with every one of the second."""
    return [(*a, *b) for a in first for b in second]


def joined(alternatives: Alternatives) -> Node:
    """As one condition."""
    if not alternatives:
        return FALSE
    each = [And(*one) if len(one) > 1 else one[0] if one else TRUE for one in alternatives]
    return Or(*each) if len(each) > 1 else each[0]


def apart(condition: Node) -> Alternatives:
    """The alternatives of a condition that was joined of them."""
    either = condition.arguments if isinstance(condition, Apply) and condition.operation == "or" else (condition,)
    both = [one.arguments if isinstance(one, Apply) and one.operation == "and" else (one,) for one in either]
    return [tuple(node for node in one if node != TRUE) for one in both if FALSE not in one]


def negated(node: Node) -> Node:
    """The opposite condition, where both have a value."""
    match node:
        case Apply(relation, sides) if relation in OPPOSITE:
            return Apply(OPPOSITE[relation], sides)
        case Apply("not", (part,)):
            return part
        case Apply("and", parts):
            return Apply("or", tuple(map(negated, parts)))
        case Apply("or", parts):
            return Apply("and", tuple(map(negated, parts)))
        case Apply("implies", (first, second)):
            return Apply("and", (first, negated(second)))
        case Apply("iff", (first, second)):
            return Apply("iff", (first, negated(second)))
        case Apply("true", ()):
            return FALSE
        case Apply("false", ()):
            return TRUE
    return Not(node)


def positive(node: Node) -> Node:
    """A denial, an implication or an equivalence by conditions that are not denied."""
    match node:
        case Apply("not", (part,)):
            return negated(part)
        case Apply("implies", (first, second)):
            return Or(negated(first), second)
        case Apply("iff", (first, second)):
            return Or(And(first, second), And(negated(first), negated(second)))
    return node


def combined(operation: str, parts: Sequence[Node]) -> Node:
    """Conditions joined by "and" or "or", of which some may be known."""
    deciding, idle = (FALSE, TRUE) if operation == "and" else (TRUE, FALSE)
    kept = tuple(one for one in parts if one != idle)
    if deciding in kept:
        return deciding
    return Apply(operation, kept) if len(kept) > 1 else kept[0] if kept else idle


def without_value(node: Node, part: Node) -> Node:
    """A statement where a part of it has no value: true exactly where it is with its relations about that false."""
    match node:
        case Apply("and" | "or" as operation, parts):
            return combined(operation, [without_value(one, part) for one in parts])
        case Apply("not" | "implies" | "iff") if positive(node) != node:
            return without_value(positive(node), part)
    if not contains(node, part):
        return node
    choice = choice_in(node)
    return FALSE if choice is None else without_value(by_cases(node, choice), part)


def several(relation: str, left: Node, right: Node) -> Node | None:
    """Relations without the largest, the least, the absolute value that is one side of a relation."""
    if relation not in ("<", "<=", ">", ">="):
        return None
    for side, other, asked in ((left, right, relation), (right, left, MIRRORED[relation])):
        match side:
            case Apply("Max" | "Min" as name, parts):
                each = tuple(Apply(asked, (part, other)) for part in parts)
                return Apply("and" if (name == "Max") == (asked in ("<", "<=")) else "or", each)
            case Apply("Abs", (part,)):
                each = Apply(asked, (part, other)), Apply(asked, (Apply("-", (ZERO, part)), other))
                return Apply("and" if asked in ("<", "<=") else "or", each)
    return None


def choice_in(node: Node) -> Node | None:
    """A case distinction, a maximum, a minimum or an absolute value inside, the innermost first."""
    if isinstance(node, Choice):
        return node
    for part in getattr(node, "arguments", ()):
        if (inside := choice_in(part)) is not None:
            return inside
    return node if isinstance(node, Apply) and node.operation in ("Max", "Min", "Abs") else None


def by_cases(relation: Node, choice: Node) -> Node:
    """A relation with each value of a case distinction in it, and with its condition."""
    cases: list[tuple[Node, Node]]
    match choice:
        case Apply("Abs", (part,)):
            cases = [(part, Apply(">=", (part, ZERO))), (Apply("-", (ZERO, part)), Apply("<", (part, ZERO)))]
        case Apply("Max" | "Min" as name, parts):
            above = ">=" if name == "Max" else "<="
            cases = [(p, And(*(Apply(above, (p, q)) for q in parts if q is not p))) for p in parts]
        case Choice(pairs):
            cases, before = [], list[Node]()
            for value, when in pairs:
                cases.append((value, And(*before, when) if before else when))
                before.append(negated(when))
        case _:
            raise FormulaError("statement", str(choice), "a case distinction")
    return Or(*(And(when, replaced(relation, choice, value)) for value, when in cases))


def replaced(node: Node, old: Node, new: Node) -> Node:
    """A term with one part of it in place of another."""
    if node == old:
        return new
    if isinstance(node, Apply):
        return Apply(node.operation, tuple(replaced(part, old, new) for part in node.arguments))
    if isinstance(node, Choice):
        return Choice(tuple((replaced(value, old, new), replaced(when, old, new)) for value, when in node.cases))
    return node


def contains(node: Node, part: Node) -> bool:
    """Whether a term is a part of another."""
    return any(one == part for one in parts_of(node))


def with_leading_signs(node: Node) -> Node:
    """The same, with the sign of a product at its first factor: -9*x in place of -(9*x)."""
    match node:
        case Apply("-", (Number(value), part)) if value == 0:
            return _opposite(with_leading_signs(part))
        case Apply(operation, parts):
            return Apply(operation, tuple(map(with_leading_signs, parts)))
    return node


def _opposite(node: Node) -> Node:
    match node:
        case Apply("*" | "/" as operation, (left, right)):
            return Apply(operation, (_opposite(left), right))
    return Apply("-", (ZERO, node))
