"""Proofs as objects: a tree of steps, each with the goal that it shows, as data that any program can read.

A goal is a list of parameters with their sorts, a list of hypotheses and a conclusion, all texts of `lpmech.terms`. It
says: *at every point of the sorts at which each hypothesis is defined and true, the conclusion is defined and true.*
So a denominator in a hypothesis is known not to be zero, and one in a conclusion has to be shown not to be: that is a
lemma before (`Steps`), and so are arguments of roots and logarithms that must not be negative.

Hypotheses are numbered from 0, in the order in which they are listed. Every node claims its own goal; what it may use
of its children is that *their* goals hold. The hypotheses of a child are those of its parent, and what the rule adds;
some may be missing, and a relation may be written in another way: its sides are then the same rational functions, but
for a positive factor. `lpmech.certify.proofs` checks all of this and shares no code with the search.

A term that is no rational function (``sqrt(x)``, ``exp(x)``, ``x**K``, ``Max(x, y)``, ``floor(x)``, a sum) stands for
itself as an indeterminate; what is known of it comes in by `Known`, and by the laws of exponents where the base is
positive: ``x**(K + 1)`` is ``x*x**K``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, get_type_hints

from lpmech.errors import FormulaError

__all__ = [
    "Cases", "Contradiction", "Derivative", "Evaluated", "Goal", "Identity", "Implication", "Induction", "Known",
    "Multiple", "Node", "Parts", "Product", "Products", "PutIn", "Rounded", "Steps", "Telescoped", "Unchecked", "Whole",
    "from_data", "nodes_of", "to_data", "unchecked_in",
]  # fmt: skip

#: Name and version of the format.
FORMAT = "lpmech-proof-1"


@dataclass(frozen=True)
class Goal:
    """What a node shows.

    Attributes
    ----------
    parameters : dict of str to str
        "real" or "whole" for each name.
    hypotheses : tuple of str
        Conditions, numbered from 0.
    conclusion : str
        A condition; ``False`` where the hypotheses contradict each other.
    """

    parameters: dict[str, str]
    hypotheses: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True)
class Product:
    """weight * square^2 * the product of the sides of some inequalities: never negative.

    Attributes
    ----------
    weight : str
        A positive rational, ``"3/2"``.
    facts : tuple of int
        Numbers of inequalities, repeated where a power is meant. The side of a < b, a <= b is b - a; that of
        a > b, a >= b is a - b.
    square : str
        A rational function, which is squared.
    """

    weight: str
    facts: tuple[int, ...] = ()
    square: str = "1"


@dataclass(frozen=True)
class Multiple:
    """factor * (a - b) of an equation a == b: zero.

    Attributes
    ----------
    fact : int
    factor : str
    """

    fact: int
    factor: str


@dataclass(frozen=True)
class Node:
    """A step of a proof; see the kinds below."""

    rule: ClassVar[str] = ""
    goal: Goal


@dataclass(frozen=True)
class Identity(Node):
    """Both sides of a conclusion a == b, a <= b or a >= b are the same rational function.

    Or what the conclusion says follows from one hypothesis by writing it in another way.
    """

    rule = "identity"


@dataclass(frozen=True)
class Evaluated(Node):
    """The conclusion is about numbers alone: exact arithmetic, or decimals as close as is needed."""

    rule = "evaluation"


@dataclass(frozen=True)
class Products(Node):
    """Products of hypotheses: nothing = sum of `products` + sum of `multiples`, though one product is positive.

    The conclusion is ``False`` or a relation. If it is a relation, its negation counts as the hypothesis after the last
    one: a >= b for a < b and so on; for a == b there are two such proofs, under `Cases`. The sum is zero as a
    rational function of names and other indeterminates. One product at least has a constant square and strict facts
    only, so it is positive. (Positivstellensatz of Krivine, Stengle and Handelman; the method "coefficients" is of this
    kind too, with a product of bounds for each monomial.)
    """

    rule = "products"
    products: tuple[Product, ...]
    multiples: tuple[Multiple, ...] = ()


@dataclass(frozen=True)
class Steps(Node):
    """Lemmas one after another: the conclusion of each is a hypothesis of those that follow and of the last.

    The last one's conclusion is the conclusion. Without lemmas: the same in other words.
    """

    rule = "steps"
    lemmas: tuple[Node, ...]
    last: Node


@dataclass(frozen=True)
class Parts(Node):
    """A conclusion ``A and B and ...``: a node for each part."""

    rule = "parts"
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Implication(Node):
    """A conclusion ``A implies B``: B, with A among the hypotheses; A is defined."""

    rule = "implication"
    then: Node


@dataclass(frozen=True)
class Contradiction(Node):
    """The conclusion's negation contradicts the hypotheses; the conclusion is defined."""

    rule = "contradiction"
    refutation: Node


@dataclass(frozen=True)
class Cases(Node):
    """A node for each case, with what distinguishes the case among its hypotheses; same conclusion.

    Attributes
    ----------
    cover : int or None
        Number of a hypothesis ``A or B or ...`` whose alternatives the cases are. None: for every combination of the
        signs of what the cases compare, one of the cases applies (a < b or a >= b; a < b, a == b or a > b).
    branches : tuple of Node
    """

    rule = "cases"
    cover: int | None
    branches: tuple[Node, ...]


@dataclass(frozen=True)
class PutIn(Node):
    """A hypothesis with one side of an equation in place of the other, which is a name or another indeterminate.

    Attributes
    ----------
    fact : int
        Number of the hypothesis that is rewritten to the conclusion; -1: it is the conclusion of `then`.
    equation : int
        Number of a hypothesis a == b.
    term : str
        What is replaced; the equation determines its value.
    then : Node or None
        Where the conclusion itself is rewritten.
    """

    rule = "put in"
    fact: int
    equation: int
    term: str
    then: Node | None = None


@dataclass(frozen=True)
class Whole(Node):
    """a >= b + 1 of a > b, where a - b is a polynomial with whole coefficients in whole parameters.

    Attributes
    ----------
    fact : int
        The number of a > b.
    """

    rule = "whole"
    fact: int


@dataclass(frozen=True)
class Known(Node):
    """An instance of what is known of a function; what it demands is among the hypotheses or visible.

    Attributes
    ----------
    law : str
        Its name in the table of `lpmech.certify.proofs.laws`.
    """

    rule = "known"
    law: str


@dataclass(frozen=True)
class Rounded(Node):
    """A new whole parameter n for floor(x): n <= x < n + 1 and floor(x) == n are hypotheses of the child.

    Attributes
    ----------
    name : str
    argument : str
        x, which is defined.
    then : Node
    """

    rule = "rounded"
    name: str
    argument: str
    then: Node


@dataclass(frozen=True)
class Induction(Node):
    """Along a whole parameter n from a whole number on: the conclusion there, and at n + 1 if it holds at n >= start.

    Attributes
    ----------
    name : str
    start : str
        A whole number; n >= start is among the hypotheses, and no other hypothesis speaks of n.
    base : Node
        With the number in place of n.
    step : Node
        Its conclusion is the conclusion with n + 1 in place of n; its hypotheses are n >= start and the conclusion.
    """

    rule = "induction"
    name: str
    start: str
    base: Node
    step: Node


@dataclass(frozen=True)
class Telescoped(Node):
    """A sum of f(k) from a to b through G with f(k) = G(k + 1) - G(k): it is G(b + 1) - G(a); likewise <= and >=.

    The conclusion is ``Sum(f, (k, a, b)) == ...`` with that, or with something equal. The range may be empty, but
    b >= a - 1.

    Attributes
    ----------
    name : str
        A new whole parameter k.
    partial : str
        G(k).
    term : Node
        f(k) = G(k + 1) - G(k), where a <= k and k <= b; both sides are defined there.
    """

    rule = "telescoping"
    name: str
    partial: str
    term: Node


@dataclass(frozen=True)
class Derivative(Node):
    """A function f of a real parameter x that is not negative (positive), by its values at ends and its slope.

    The conclusion is ``f >= 0`` or ``f > 0``. From one end a, with x >= a or x <= a among the hypotheses: f is not
    negative there and does not fall on the way from a to x. Between two, a <= x <= b: it is not negative at both and
    concave. What the children may use are the hypotheses without x, that x is on the line between, and with one end the
    bounds of x on the other side. The checker differentiates by itself.

    Attributes
    ----------
    name : str
        x; a whole number counts as a real one here.
    ends : tuple of str
    values : tuple of Node
        That f is not negative at each end, or positive.
    defined : Node
        Conditions under which f is defined on the line with its ends, and bases of powers are positive.
    slope : Node
        The sign of f' (at two ends, of f'') inside of the line; and conditions under which f' is defined.
    """

    rule = "derivative"
    name: str
    ends: tuple[str, ...]
    values: tuple[Node, ...]
    defined: Node
    slope: Node


@dataclass(frozen=True)
class Unchecked(Node):
    """No object: what was relied on, by its name ("two SMT solvers", "told", "no object yet: derivative")."""

    rule = "unchecked"
    method: str


_NODES: dict[str, type[Node]] = {kind.rule: kind for kind in Node.__subclasses__()}


def to_data(part: Any) -> Any:
    """A node, and what it is made of, as `json.dumps` takes it: an object of its rule and its attributes."""
    match part:
        case Node():
            own = {field.name: to_data(getattr(part, field.name)) for field in fields(part)}
            return {"rule": part.rule, **own}
        case Goal() | Product() | Multiple():
            return {field.name: to_data(getattr(part, field.name)) for field in fields(part)}
        case tuple():
            return list(map(to_data, part))
    return part


def from_data(data: Any) -> Node:
    """The node that `to_data` has written; it is not checked.

    Raises
    ------
    FormulaError
        If it is nothing of the kind.
    """
    kind = _NODES.get(data.get("rule", "")) if isinstance(data, dict) else None
    if kind is None:
        raise FormulaError("rule", str(data)[:80], f"an object with a rule, one of {', '.join(sorted(_NODES))}")
    return kind(**_attributes(kind, {key: value for key, value in data.items() if key != "rule"}))


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The attributes of a dataclass with their types."""
    types = get_type_hints(kind)
    return {field.name: types[field.name] for field in fields(kind)}


def _attributes(kind: type, data: dict[str, Any]) -> dict[str, Any]:
    hints = _hints(kind)
    if data.keys() != hints.keys():
        raise FormulaError(kind.__name__, ", ".join(sorted(data)), f"exactly {', '.join(sorted(hints))}")
    return {name: _read(hints[name], value) for name, value in data.items()}


def _read(hint: Any, value: Any) -> Any:
    parts = getattr(hint, "__args__", ())
    if hint is Goal or hint is Product or hint is Multiple:
        return hint(**_attributes(hint, value))
    if hint is Node or (Node in parts and value is not None and ... not in parts):
        return from_data(value)
    if ... in parts:
        kind = next(iter(parts))
        return tuple(_read(kind, entry) for entry in value)
    return value


def nodes_of(node: Node) -> Iterator[Node]:
    """The node and all below it, from the root."""
    yield node
    for field in fields(node):
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from nodes_of(part)


def unchecked_in(node: Node) -> tuple[str, ...]:
    """What the proof relies on that has no object, by name; nothing where the object is complete."""
    return tuple(dict.fromkeys(part.method for part in nodes_of(node) if isinstance(part, Unchecked)))
