"""What makes relations rational: e^(a x), log(x), roots of a parameter as parameters of their own; square roots by
cases.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import floor, gcd, lcm
from operator import mul

import sympy as sp
from flint import arb, fmpq

from lpmech.conditions.connectives import MIRRORED, combined, negated, replaced
from lpmech.errors import UndecidedError
from lpmech.prove.evaluate import UndefinedError, holds_at, value_of
from lpmech.prove.from_sympy import term_of
from lpmech.prove.language import is_whole
from lpmech.prove.texts import evaluated, in_sympy
from lpmech.terms import FALSE, ONE, TRUE, ZERO, Apply, Name, Node, Number, names_in
from lpmech.terms.functions import OPPOSITE, And, Eq, Or
from lpmech.terms.term import parts_of

__all__ = [
    "Letter", "Substitution", "in_exponentials", "named_numbers", "substitution", "without_known", "without_root",
]  # fmt: skip

_Linear = dict[str, Fraction]
#: Between which multiples of what part of one a number is said to lie.
_NEAR = 10**9
#: A binomial of so many at most is a polynomial.
_MOST_CHOSEN = 20


@dataclass(frozen=True)
class Letter:
    """A function of a parameter that rises: "exp" or "log" of a multiple of it, or a "root", its power `step`."""

    own: str
    kind: str
    step: Fraction = Fraction(1)

    @property
    def meaning(self) -> Node:
        """The function."""
        own: Node = Name(self.own)
        if self.kind == "root":
            return Apply("sqrt", (own,)) if self.step == Fraction(1, 2) else Apply("**", (own, Number(self.step)))
        above, below = self.step.numerator, self.step.denominator
        scaled = own if above == 1 else Number(Fraction(above)) * own
        return Apply(self.kind, (scaled if below == 1 else scaled / below,))

    @property
    def name(self) -> str:
        """The text of the function, so that it can be read wherever the letter stands."""
        return str(self.meaning)

    @property
    def ends(self) -> list[Node]:
        """What every value of the function satisfies."""
        return {"exp": [Name(self.name) > 0], "root": [Name(self.name) >= 0]}.get(self.kind, [])

    def power(self, times: Fraction) -> Node:
        """A power of the function."""
        if self.kind == "root" and (self.step * times).denominator == 1:
            return Name(self.own) ** Number(self.step * times)
        return replace(self, step=self.step * times).meaning if self.kind == "exp" else self.meaning ** Number(times)

    def undone(self, relation: str, bound: Node) -> Apply:
        """A bound on the function by a number that it may be as one on the parameter."""
        if self.kind == "exp":
            inverse = ZERO if bound == ONE else Apply("log", (bound,))
            inverse = self.step.denominator * inverse / self.step.numerator
        elif self.kind == "log":
            inverse = ONE if bound == ZERO else Apply("exp", (bound,))
        else:
            inverse = bound ** Number(1 / self.step)
        return Apply(relation, (Name(self.own), inverse))


@dataclass(frozen=True)
class Substitution:
    """Parameters of their own in place of functions.

    Attributes
    ----------
    letters : tuple of Letter
    """

    letters: tuple[Letter, ...] = ()
    _known: dict[str, Letter] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_known", {one.own: one for one in self.letters})

    def named(self, name: str | None) -> str | None:
        """A parameter, or what stands in its place."""
        return self._known[name].name if name in self._known else name

    def hypotheses(self, given: Sequence[Node]) -> list[Node]:
        """With the letters, and what they satisfy; what cannot be said in them still names the parameters."""
        return [*map(self.into, given), *(end for one in self.letters for end in one.ends)]

    def into(self, node: Node) -> Node:
        """A formula with the letters."""
        match node:
            case Name(name) if name in self._known and self._known[name].kind == "root":
                return Name(self._known[name].name) ** Number(1 / self._known[name].step)
            case Apply("log", (Name(name),)) if name in self._known and self._known[name].kind == "log":
                return Name(self._known[name].name)
            case Apply("exp", (argument,)) if (parts := _linear(argument)) and all(
                name in self._known and self._known[name].kind == "exp" for name in parts
            ):
                powers = [(self._known[name], value) for name, value in parts.items()]
                factors = [Name(one.name) ** Number(value / one.step) for one, value in powers]
                return _product(factors)
            case Apply(relation, (Name(name), Number(bound))) if relation in MIRRORED and name in self._known:
                return self._bound(node, relation, self._known[name], bound)
            case Apply(relation, (Number(bound), Name(name))) if relation in MIRRORED and name in self._known:
                return self._bound(node, MIRRORED[relation], self._known[name], bound)
            case Apply() if (power := _root_of_name(node)) and power[0] in self._known:
                one = self._known[power[0]]
                return Name(one.name) ** Number(power[1] / one.step)
            case Apply(operation, parts):
                return Apply(operation, tuple(map(self.into, parts)))
        return node

    def _bound(self, node: Node, relation: str, letter: Letter, bound: Fraction) -> Node:
        if letter.kind == "root":
            own = Name(letter.name) if bound in (0, 1) else Name(letter.name) ** Number(1 / letter.step)
            return Apply(relation, (own, Number(bound)))
        same = {("exp", Fraction(0)): ONE, ("log", Fraction(1)): ZERO}.get((letter.kind, bound))
        return node if same is None else Apply(relation, (Name(letter.name), same))

    def back(self, node: Node, numbers: Collection[str]) -> Node:
        """A condition in the parameters; some of its names are numbers. A bound on a letter by a number is one on the
        parameter: where that has no logarithm the letter, which is positive, is not below it. One on a root by a
        formula is one on the parameter, too, by its power, where that formula is not negative.
        """
        known = {one.name: one for one in self.letters}
        match node:
            case Name(name):
                return known[name].meaning if name in known else node
            case Apply("**", (Name(name), Number(power))) if name in known:
                return known[name].power(power)
            case Apply(relation, (Name(name), bound)) if relation in MIRRORED and name in known:
                if names_in(bound) <= {*numbers}:
                    return known[name].undone(relation, bound)
                inner = self.back(bound, numbers)
                if known[name].kind != "root":
                    return Apply(relation, (known[name].meaning, inner))
                is_met = self.back(_at_least_0(bound, {*known}), numbers)
                powers = Apply(relation, (Name(known[name].own), inner ** Number(1 / known[name].step)))
                if relation in ("<", "<=", "=="):
                    return combined("and", [is_met, powers])
                return combined("or", [FALSE if is_met == TRUE else negated(is_met), powers])
            case Apply(operation, parts):
                return Apply(operation, tuple(self.back(part, numbers) for part in parts))
        return node


def _at_least_0(bound: Node, letters: Collection[str]) -> Node:
    """That a bound is not negative, as a bound on the one name in it if it is linear; roots are not negative."""
    parts = _linear(bound)
    if parts is None or len(names := {*parts} - {""}) != 1:
        return Apply(">=", (bound, ZERO))
    (name,) = names
    least = -parts.get("", Fraction(0)) / parts[name]
    if parts[name] > 0 and name in letters and least <= 0:
        return TRUE
    return Apply(">=" if parts[name] > 0 else "<=", (Name(name), Number(least)))


def _product(factors: Sequence[Node]) -> Node:
    product = factors[0]
    for one in factors[1:]:
        product = product * one
    return product


def substitution(statement: Node, hypotheses: Sequence[Node], *, beside: bool = False) -> Substitution:
    """What makes functions of a parameter rational, where the statement is about nothing else of it; or also beside it,
    for those who know that the two are no parameters of their own.
    """
    alone = set[str]() if beside else _outside(statement)
    steps = dict[tuple[str, str], list[Fraction]]()
    for node in parts_of(statement):
        match node:
            case Apply("exp", (argument,)):
                for name, value in (_linear(argument) or {}).items():
                    steps.setdefault(("exp", name), []).append(value)
            case Apply("log", (Name(name),)):
                steps.setdefault(("log", name), []).append(Fraction(1))
            case Apply() if power := _root_of_name(node):
                steps.setdefault(("root", power[0]), []).append(power[1])
    found, kinds = list[Letter](), {name: {kind for kind, own in steps if own == name} for _, name in steps}
    for (kind, name), values in steps.items():
        below = lcm(*(one.denominator for one in values))
        if len(kinds[name]) > 1 or not name or (kind != "root" and name in alone):
            continue
        if kind != "exp" and not any(_is_at_least_0(one, name, strictly=kind == "log") for one in hypotheses):
            continue  # without a value at some points
        if kind == "root":
            found.append(Letter(name, kind, Fraction(1, below)))
        else:
            found.append(Letter(name, kind, Fraction(gcd(*(int(one * below) for one in values)), below)))
    return Substitution(tuple(found))


def in_exponentials(node: Node, whole: Collection[str]) -> Node:
    """The same with exponentials in place of hyperbolic functions, and polynomials in place of binomials."""
    for part in [*parts_of(node)]:
        match part:
            case Apply("binomial", (n, Number(k))) if k.denominator == 1 and 0 <= k <= _MOST_CHOSEN:
                if is_whole(evaluated(n), list(map(sp.Symbol, whole))):
                    node = replaced(node, part, reduce(mul, ((n - i) / (i + 1) for i in range(int(k))), ONE))
            case Apply("tanh" | "coth" as name, (x,)):
                above, below = Apply("exp", (2 * x,)) - 1, Apply("exp", (2 * x,)) + 1
                node = replaced(node, part, above / below if name == "tanh" else below / above)
            case Apply("sinh" | "cosh" as name, (x,)):
                rising, falling = Apply("exp", (x,)), Apply("exp", (-x,))
                node = replaced(node, part, (rising - falling if name == "sinh" else rising + falling) / 2)
    return node


def named_numbers(node: Node) -> dict[str, tuple[Node, Node, Node]]:
    """Numbers in a statement that are not rational, such as log(2), by their texts; and relations of these to rational
    numbers below and above.
    """
    found = dict[str, tuple[Node, Node, Node]]()
    if isinstance(node, Apply) and (
        names_in(node) or node.operation in {*OPPOSITE, "and", "or", "not", "implies", "iff"}
    ):
        for part in node.arguments:
            found |= named_numbers(part)
    elif isinstance(node, Apply) and node.operation not in ("true", "false", "whole"):
        try:
            value = value_of(evaluated(node), {})
        except (UndefinedError, UndecidedError):
            return {}
        if isinstance(value, arb):
            own, near = Name(str(node)), floor(float(value.mid()) * _NEAR)
            ends = [Fraction(near + side, _NEAR) for side in (-1, 2)]
            if (
                arb(fmpq(ends[0].numerator, ends[0].denominator))
                < value
                < arb(fmpq(ends[1].numerator, ends[1].denominator))
            ):
                found[str(node)] = node, own > Number(ends[0]), own < Number(ends[1])
    return found


def without_known(node: Node) -> Node:
    """A condition without relations of numbers, which are true or false."""
    match node:
        case Apply("and" | "or" as operation, parts):
            return combined(operation, [*map(without_known, parts)])
        case Apply(relation, _) if relation in OPPOSITE and not names_in(node):
            return TRUE if holds_at(in_sympy(node), {}) else FALSE
    return node


def _outside(node: Node) -> set[str]:
    """Names that stand outside of exponentials and logarithms."""
    match node:
        case Apply("exp", (argument,)) if _linear(argument):
            return set()
        case Apply("log", (Name(),)):
            return set()
        case Name(name):
            return {name}
    return set[str]().union(*map(_outside, node.arguments)) if isinstance(node, Apply) else names_in(node)


def _linear(node: Node) -> _Linear | None:
    """Names and what they are multiplied with, where a formula is a sum of such."""
    match node:
        case Name(name):
            return {name: Fraction(1)}
        case Number(value):
            return {} if value == 0 else {"": value}
        case Apply("+" | "-" as operation, (left, right)):
            first, second = _linear(left), _linear(right)
            if first is None or second is None:
                return None
            sign = 1 if operation == "+" else -1
            every = {n: first.get(n, Fraction(0)) + sign * second.get(n, Fraction(0)) for n in {**first, **second}}
            return {name: value for name, value in every.items() if value}
        case Apply("*", (Number(value), other)) | Apply("*", (other, Number(value))) if value:
            inner = _linear(other)
            return None if inner is None else {name: value * own for name, own in inner.items()}
        case Apply("/", (other, Number(value))) if value:
            inner = _linear(other)
            return None if inner is None else {name: own / value for name, own in inner.items()}
    return None


def _root_of_name(node: Node) -> tuple[str, Fraction] | None:
    match node:
        case Apply("sqrt", (Name(name),)):
            return name, Fraction(1, 2)
        case Apply("**", (Name(name), exponent)) if (parts := _linear(exponent)) and set(parts) == {""}:
            return (name, parts[""]) if parts[""].denominator > 1 else None
    return None


def _is_at_least_0(node: Node, name: str, *, strictly: bool) -> bool:
    """Whether a hypothesis says that a parameter is not negative, or that it is positive."""
    match node:
        case Apply(">" | ">=" as how, (Name(own), Number(bound))) | Apply(
            "<" | "<=" as how, (Number(bound), Name(own))
        ):
            return own == name and (bound > 0 or (bound == 0 and not (strictly and how.endswith("="))))
    return False


def without_root(node: Node) -> tuple[Node, list[Node]] | None:
    """A relation with one square root less, the same where it has a value, and that no square root is of a negative.

    P + Q sqrt(A) > 0 where A >= 0: P > 0 and Q >= 0; or P > 0 and P^2 > Q^2 A; or Q > 0 and P^2 < Q^2 A.
    """
    if not (isinstance(node, Apply) and node.operation in OPPOSITE):
        return None
    every = {part for part in parts_of(node) if isinstance(part, Apply) and part.operation == "sqrt"}
    if not every:
        return None
    roots = sorted(every, key=lambda root: (-len(str(root)), str(root)))  # those around others first
    letters = {Name(f"_{number}"): root for number, root in enumerate(roots)}
    plain: list[Node] = [*node.arguments, roots[0].arguments[0]]
    for letter, root in letters.items():
        plain = [replaced(one, root, letter) for one in plain]
    left, right, inside = plain
    above, below = sp.fraction(sp.together(evaluated(left) - evaluated(right)))
    own, argument = sp.Symbol("_0"), evaluated(inside)
    parts = [sp.Integer(0), sp.Integer(0)]
    for (power,), value in sp.Poly(sp.expand(above * below), own).terms():
        parts[power % 2] += value * argument ** (power // 2)

    def written(expression: sp.Expr) -> Node:
        found = term_of(sp.together(expression))
        for letter, root in reversed(letters.items()):
            found = replaced(found, letter, root)
        return found

    p, q, squares = written(parts[0]), written(parts[1]), written(parts[0] ** 2 - parts[1] ** 2 * argument)
    needed: list[Node] = [Apply(">=", (root.arguments[0], ZERO)) for root in roots]
    if node.operation in ("==", "!="):
        equal = And(Eq(squares, 0), Or(And(p >= 0, q <= 0), And(p <= 0, q >= 0)))
        return (equal if node.operation == "==" else Apply("not", (equal,))), needed
    if node.operation in ("<", "<="):
        p, q = -p, -q
    relation = ">" if node.operation in ("<", ">") else ">="
    ways = [
        And(Apply(relation, (p, ZERO)), q >= 0),
        And(Apply(relation, (p, ZERO)), Apply(relation, (squares, ZERO))),
        And(Apply(relation, (q, ZERO)), Apply(MIRRORED[relation], (squares, ZERO))),
    ]
    return Or(*ways), needed
