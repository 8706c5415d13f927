"""A proof object as lines that a referee follows: what is multiplied by what, the identity, the signs of factors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from lpmech.errors import FormulaError
from lpmech.prove.objects import (
    Cases,
    Contradiction,
    Derivative,
    Evaluated,
    Goal,
    Identity,
    Implication,
    Induction,
    Known,
    Node,
    Parts,
    Product,
    Products,
    PutIn,
    Rounded,
    Steps,
    Telescoped,
    Unchecked,
    Whole,
    nodes_of,
)
from lpmech.terms import ONE, ZERO, Apply, Number
from lpmech.terms import Node as TermNode
from lpmech.terms.functions import OPPOSITE
from lpmech.terms.latex import latex_of
from lpmech.terms.reader import read_condition, read_formula

__all__ = ["CONVENTION", "Line", "in_short", "lines_of", "shown", "stated"]

#: A proof with more lines, or a line with more summands, is not printed.
_MOST_LINES, _MOST_SUMMANDS = 14, 24

CONVENTION = (
    "In every identity below no summand on the right is negative, since the relations that are named before it give "
    "the sign of each factor; factors beside the side of the conclusion on the left are positive, and where the "
    "conclusion is strict one summand is positive as well."
)
_LAWS = {
    "choice": "by the case that applies",
    "bounds of a choice": "as a maximum is at least each of its arguments, and an absolute value its number",
    "growth": "by the inequalities of exponentials, logarithms and powers",
    "logarithms": "as logarithm and exponential grow",
}


@dataclass(frozen=True)
class Line:
    """A sentence, and the identity that it ends with.

    Attributes
    ----------
    text : str
        In the notation of texts: formulas in LaTeX between dollars.
    left : str
        The left side of the identity, in LaTeX; empty where there is none.
    summands : tuple of str
        The right side: none of these is negative.
    depth : int
        In how many cases it stands.
    """

    text: str
    left: str = ""
    summands: tuple[str, ...] = ()
    depth: int = 0

    def __str__(self) -> str:
        """All of it in the notation of texts."""
        return f"{self.text} ${self.left} = {' + '.join(self.summands)}$" if self.left else self.text


def lines_of(node: Node) -> tuple[Line, ...]:
    """The lines of a proof, in the order in which they are read."""
    return _lines(node, _Lines())


def _lines(node: Node, found: _Lines) -> tuple[Line, ...]:
    found.show(node, 0)
    if not found.lines:
        found.say(f"{shown(node.goal.conclusion, node.goal)}, as is seen at once.", 0)
    return tuple(found.lines)


def in_short(node: Node, where: str, most: int = 5_000) -> tuple[Line, ...]:
    """The lines of a short proof; of a long one a line that says where it is read in full.

    Parameters
    ----------
    node : Node
    where : str
        In the notation of texts.
    most : int
        How many characters of that notation a short proof may have.
    """
    try:
        return _lines(node, _FewLines(most))
    except _TooLongError:
        return (Line(f"Of {sum(1 for _ in nodes_of(node))} steps, too long to be printed: {where}."),)


def stated(goal: Goal) -> str:
    """What is proved: the conclusion, its parameters and its hypotheses, in the notation of texts."""
    whole = [name for name, sort in goal.parameters.items() if sort == "whole"]
    given = _listed([*goal.hypotheses, *(f"{name} in Integers" for name in whole)], goal)
    return f"{shown(goal.conclusion, goal)}{f' where {given}' if given else ''}."


def _term(text: str, goal: Goal) -> TermNode:
    names = list(goal.parameters)
    try:
        return read_condition(text, names)
    except FormulaError:
        return read_formula(text, names)


def shown(text: str, goal: Goal) -> str:
    """A formula of an object in the notation of texts; what the reader of terms does not know as code."""
    term = _read(text, goal)
    return f"`{text}`" if term is None else "false" if text == "False" else f"${_latex(term)}$"


def _read(text: str, goal: Goal) -> TermNode | None:
    try:
        return _term(text, goal)
    except FormulaError:
        return None


def _latex(term: TermNode) -> str:
    """Names that the search has made, ``n_1_``, with their number below."""
    return re.sub(r"_\{(\w+?)\\?_\}", r"_{\1}", latex_of(term))


def _listed(texts: Iterable[str], goal: Goal) -> str:
    return ", ".join(shown(text, goal) for text in dict.fromkeys(texts))


class _Lines:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._said: set[tuple[str, int]] = set()

    def say(self, text: str, depth: int, left: str = "", summands: Sequence[str] = ()) -> None:
        """A further line, unless it was said before."""
        if (text, depth) not in self._said:
            self._said.add((text, depth))
            self.lines.append(Line(text, left, tuple(summands), depth))

    def show(self, node: Node, depth: int) -> None:
        """The lines of a node and of what is below it."""
        goal = node.goal
        conclusion = shown(goal.conclusion, goal)
        match node:
            case Steps(_, lemmas, last):
                for part in (*lemmas, last):
                    self.show(part, depth)
            case Parts(_, parts):
                for part in parts:
                    self.show(part, depth)
            case Products():
                self._products(node, depth)
            case Identity():  # else something that stands there, in other words
                match _read(goal.conclusion, goal):
                    case Apply("==", (left, right)) if left != right and goal.conclusion not in goal.hypotheses:
                        self.say(f"{conclusion}: both sides are the same rational function.", depth)
            case Evaluated() if goal.conclusion != "True" and not goal.parameters:
                self.say(f"{conclusion}, by exact arithmetic.", depth)
            case Implication(_, then):
                if added := [h for h in then.goal.hypotheses if h not in goal.hypotheses]:
                    self.say(f"Let {_listed(added, then.goal)}.", depth)
                self.show(then, depth)
            case Contradiction(_, PutIn(inner, fact, equation, _, None)):
                would = f"with {shown(inner.hypotheses[equation], inner)}, {shown(inner.hypotheses[fact], inner)}"
                self.say(f"{conclusion}: {would} would be false.", depth)
            case Contradiction(_, refutation):
                self.say(f"Suppose that {conclusion} is false.", depth)
                self.show(refutation, depth)
            case Cases(_, _, branches):
                for branch in branches:
                    added = [h for h in branch.goal.hypotheses if h not in goal.hypotheses]
                    if added:  # else it is known that this case is the one
                        self.say(f"Case {_listed(added, branch.goal)}:", depth)
                    self.show(branch, depth + bool(added))
            case Unchecked(_, method):
                self.say(f"{conclusion}: not written out, it rests on {method}.", depth)
            case _:
                self._of_functions(node, conclusion, depth)

    def _of_functions(self, node: Node, conclusion: str, depth: int) -> None:
        goal = node.goal
        match node:
            case PutIn(_, fact, equation, _, then):
                known = goal.hypotheses[equation]
                if then is None:
                    before = _listed([goal.hypotheses[fact]], goal)
                    self.say(f"With {_listed([known], goal)}, {before} is {conclusion}.", depth)
                else:
                    self.say(f"{_listed([known], goal)} is put in.", depth)
                    self.show(then, depth)
            case Whole(_, fact):
                self.say(f"{conclusion}, as {_listed([goal.hypotheses[fact]], goal)} between whole numbers.", depth)
            case Known(_, law):
                self.say(f"{conclusion}, {_LAWS.get(law, law)}.", depth)
            case Rounded(_, name, argument, then):
                inside = then.goal
                new, old = shown(name, inside), shown(argument, goal)
                self.say(f"Let {new} be the largest whole number up to {old}.", depth)
                self.show(then, depth)
            case Induction(_, name, start, base, step):
                self.say(f"{conclusion} by induction on {shown(name, goal)}, from {shown(start, goal)} on.", depth)
                for part in (base, step):
                    if part.goal.conclusion != "True":
                        which = "Its step" if part is step else "Its first case"
                        self.say(f"{which}: {shown(part.goal.conclusion, part.goal)}.", depth)
                    self.show(part, depth + 1)
            case Telescoped(_, name, partial, term):
                new, total = shown(name, term.goal), shown(partial, term.goal)
                self.say(f"{conclusion}: its terms are differences of {total} at {new} + 1 and {new}.", depth)
                self.show(term, depth + 1)
            case Derivative():
                self._derivative(node, conclusion, depth)

    def _derivative(self, node: Derivative, conclusion: str, depth: int) -> None:
        goal = node.goal
        x, ends = shown(node.name, goal), " and ".join(shown(end, goal) for end in node.ends)
        *_, slope = node.slope.goal.conclusion.split(" and ")
        sign = shown(slope, node.slope.goal)
        way = f"its derivative by {x} has the sign {sign}" if len(node.ends) == 1 else f"it is concave in {x}: {sign}"
        smooth = "the left side is defined and continuous from there"
        self.say(f"{conclusion}: it is so at {x} equal to {ends}, {smooth}, and {way}.", depth)
        for part in (*node.values, node.defined, node.slope):
            self.show(part, depth + 1)

    # ---- products

    def _products(self, node: Products, depth: int) -> None:
        goal = node.goal
        try:
            left, summands = _identity(node)
        except FormulaError:
            self.say(f"{shown(goal.conclusion, goal)}, by products of the hypotheses.", depth)
            return
        if summands == [left]:  # a hypothesis in other words
            return
        used = [goal.hypotheses[n] for p in node.products for n in p.facts if n < len(goal.hypotheses)]
        used += [goal.hypotheses[m.fact] for m in node.multiples if m.fact < len(goal.hypotheses)]
        since = f"since {_listed(used, goal)}" if used else "identically"
        if left == ZERO:
            conclusion = shown(goal.conclusion, goal)
            text = "This cannot be" if goal.conclusion == "False" else f"{conclusion}, or else zero is positive"
            self.say(f"{text}, {since}:", depth, "0", _added(summands))
        else:
            self.say(f"{shown(goal.conclusion, goal)}, {since}:", depth, _latex(left), _added(summands))


def _added(summands: Iterable[TermNode]) -> list[str]:
    """Summands in LaTeX; a later one that begins with a minus in parentheses."""
    return [f"({one})" if place and one.startswith("-") else one for place, one in enumerate(map(_latex, summands))]


def _identity(node: Products) -> tuple[TermNode, list[TermNode]]:
    """What the products add up to: the conclusion's side times what is positive, and the others; or zero and all."""
    goal = node.goal
    last = len(goal.hypotheses)
    used = {n for p in node.products for n in p.facts} | {m.fact for m in node.multiples}
    sides = {n: _side(_term(goal.hypotheses[n], goal)) for n in used if n < last}
    multiples = [_times([_factor(m.factor, goal), sides[m.fact]]) for m in node.multiples if m.fact < last]
    denied = [p for p in node.products if last in p.facts]
    alone = len(denied) == 1 and denied[0].facts.count(last) == 1 and len(multiples) == len(node.multiples)
    if goal.conclusion != "False" and alone:
        (own,) = denied
        scale = 1 / Fraction(own.weight)
        rest = Product("1", tuple(n for n in own.facts if n != last), own.square)
        left = _times([_side(_term(goal.conclusion, goal)), *_factors(rest, sides, goal)])
        others = [_summand(p, scale, sides, goal) for p in node.products if p is not own]
        return left, others + [_times([Number(scale), m]) for m in multiples] or [ZERO]
    if goal.conclusion != "False":
        match _term(goal.conclusion, goal):
            case Apply(relation, sides_of) if relation in OPPOSITE:
                sides[last] = _side(Apply(OPPOSITE[relation], sides_of))
            case other:
                raise FormulaError("conclusion", str(other), "a relation")
    multiples += [_times([_factor(m.factor, goal), sides[m.fact]]) for m in node.multiples if m.fact == last]
    return ZERO, [*(_summand(p, Fraction(1), sides, goal) for p in node.products), *multiples]


def _summand(product: Product, scale: Fraction, sides: dict[int, TermNode], goal: Goal) -> TermNode:
    weight = Fraction(product.weight) * scale
    return _times([Number(weight), *_factors(product, sides, goal)])


def _factors(product: Product, sides: dict[int, TermNode], goal: Goal) -> list[TermNode]:
    powers = [_power(sides[n], times) for n, times in Counter(product.facts).items()]
    square = _factor(product.square, goal)
    return powers if square == ONE else [*powers, _power(square, 2)]


def _factor(text: str, goal: Goal) -> TermNode:
    return read_formula(text, list(goal.parameters))


def _power(base: TermNode, exponent: int) -> TermNode:
    return base if exponent == 1 else Apply("**", (base, Number(Fraction(exponent))))


def _times(factors: Sequence[TermNode]) -> TermNode:
    kept = [factor for factor in factors if factor != ONE]
    return reduce(lambda a, b: Apply("*", (a, b)), kept) if kept else ONE


def _side(relation: TermNode) -> TermNode:
    """What a relation says to be positive, not negative or zero."""
    match relation:
        case Apply("<" | "<=", (left, right)):
            left, right = right, left
        case Apply(">" | ">=" | "==", (left, right)):
            pass
        case _:
            raise FormulaError("relation", str(relation), "an inequality or an equation")
    return left if right == ZERO else Apply("-", (left, right))


class _TooLongError(Exception):
    pass


class _FewLines(_Lines):
    """Lines of a proof that is short; of a longer one only the first are made."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def say(self, text: str, depth: int, left: str = "", summands: Sequence[str] = ()) -> None:
        super().say(text, depth, left, summands)
        long = len(self.lines) > _MOST_LINES or sum(len(str(line)) for line in self.lines) > self._most
        if long or len(summands) > _MOST_SUMMANDS:
            raise _TooLongError
