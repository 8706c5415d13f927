"""Texts of formulas as trees: nested tuples, the operation first.

``("number", Fraction)``, ``("name", text)``, ``("+", left, right)``, ``("<", left, right)``, ``("and", part, ...)``,
``("exp", x)``, ``("Piecewise", (value, condition), ...)``, ``("Sum", body, index, first, last)``, ``("[]", name, i)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from fractions import Fraction
from functools import lru_cache
from typing import Any

__all__ = [
    "FALSE", "ONE", "RELATIONS", "TRUE", "ZERO", "RefusedProofError", "Parsed", "names_in", "negated", "normal",
    "number_in", "read", "replaced", "without_words",
]  # fmt: skip

Parsed = tuple[Any, ...]
MAX_TEXT, MAX_DEPTH, MAX_DIGITS = 200_000, 120, 2000
MAX_EQUIVALENT = 8
TRUE, FALSE = ("true",), ("false",)
ZERO, ONE = ("number", Fraction(0)), ("number", Fraction(1))
#: Relations, and what each becomes when it is denied; what has an index of its own.
RELATIONS = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_BOUND = ("Sum", "Product", "Each")
#: Functions and their numbers of arguments; None: one or more.
NUMBER_OF: dict[str, int | None] = {
    "sqrt": 1, "exp": 1, "log": 1, "Abs": 1, "sign": 1, "sin": 1, "cos": 1, "tan": 1, "sinh": 1, "cosh": 1, "tanh": 1,
    "coth": 1, "erfc": 1, "floor": 1, "ceiling": 1, "factorial": 1, "Mod": 2, "binomial": 2, "Min": None, "Max": None,
}  # fmt: skip
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([^\W\d][\w']*)|(\*\*|==|!=|<=|>=|[-+*/(),\[\]<>]))")
_CALLED = {"Implies": "implies", "Equivalent": "iff"}
_WORDS = {"True": TRUE, "False": FALSE}


class RefusedProofError(Exception):
    """The proof does not show what it claims, or is no proof; the message says where, on one line."""

    def __init__(self, message: str):
        super().__init__(message if message.isprintable() else ascii(message))


def read(text: object, letters: Collection[str] = ()) -> Parsed:
    """The tree of a text; `letters` are the parameters, of which one may be called pi and is no number then.

    Raises
    ------
    RefusedProofError
        If it is no formula of the language, or too long or too deep.
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise RefusedProofError(f"a formula is not a text of at most {MAX_TEXT} characters")
    if text.count("Equivalent") > MAX_EQUIVALENT:  # each has its sides written twice
        raise RefusedProofError(f"more than {MAX_EQUIVALENT} Equivalent in a formula")
    return _read(text, "pi" in letters)


@lru_cache(maxsize=1 << 10)  # the steps of a proof share their hypotheses
def _read(text: str, has_pi: bool) -> Parsed:
    reader = _Reader(text, has_pi)
    tree = reader.joined()
    if reader.token is not None:
        reader.refuse(f"{reader.token!r} is not expected")
    return tree


class _Reader:
    def __init__(self, text: str, has_pi: bool):
        self._text, self._place, self._depth, self._has_pi = text, 0, 0, has_pi
        self.token: str | None = None
        self._kind = 0
        self._next()

    def refuse(self, why: str) -> None:
        raise RefusedProofError(f"{self._text if len(self._text) <= 60 else self._text[:57] + '...'}: {why}")

    def _next(self) -> None:
        if not self._text[self._place :].strip():
            self.token = None
            return
        found = _TOKEN.match(self._text, self._place)
        if found is None:
            self.refuse(f"{self._text[self._place :][:10]!r} is not understood")
            return
        self._place, self._kind = found.end(), found.lastindex or 0
        self.token = found[self._kind]

    def _taken(self, *tokens: str) -> str | None:
        found = self.token if self.token in tokens else None
        if found is not None:
            self._next()
        return found

    def _expected(self, token: str) -> None:
        if self._taken(token) is None:
            self.refuse(f"{token!r} is expected before {self.token!r}")

    def joined(self, words: tuple[str, ...] = ("or", "and")) -> Parsed:
        """A condition or a number: or, and, not, relation, sum."""
        self._depth += 1
        if self._depth > 6 * MAX_DEPTH:
            self.refuse(f"more than {MAX_DEPTH} levels")
        parts = [self.joined(words[1:]) if words else self._denied()]
        while words and self._taken(words[0]):
            parts.append(self.joined(words[1:]))
        self._depth -= 1
        return parts[0] if len(parts) == 1 else (words[0], *parts)

    def _denied(self) -> Parsed:
        if self._taken("not"):
            return ("not", self.joined(()))
        left = self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._signed))
        if self._taken("in"):
            self._expected("Integers")
            return ("whole", left)
        relation = self._taken(*RELATIONS)
        if relation is None:
            return left
        right = self._chain(("+", "-"), lambda: self._chain(("*", "/"), self._signed))
        if self.token in RELATIONS:
            self.refuse("a relation of more than two sides")
        return (relation, left, right)

    def _chain(self, operations: tuple[str, ...], part: Callable[[], Parsed]) -> Parsed:
        found = part()
        while operation := self._taken(*operations):
            found = (operation, found, part())
        return found

    def _signed(self) -> Parsed:
        if self._taken("-"):
            return ("-", ZERO, self._signed())
        base = self._atom()
        return ("**", base, self._signed()) if self._taken("**") else base

    def _atom(self) -> Parsed:
        token, kind = self.token, self._kind
        self._next()
        if token == "(":
            (inside,) = self._list(")", 1)
            return inside
        if kind == 1 and token is not None and len(token) <= MAX_DIGITS:
            return _number(token)
        if token is None or kind != 2 or token in ("and", "or", "not", "in", "Integers"):
            self.refuse(f"{token!r} is not expected")
        return self._named(str(token))

    def _named(self, word: str) -> Parsed:
        if word in _WORDS:
            return _WORDS[word]
        if word == "pi" and not self._has_pi:
            return ("pi",)
        if self._taken("["):
            return ("[]", word, *self._list("]"))
        if not self._taken("("):
            return ("name", word)
        if word in _CALLED:
            return (_CALLED[word], *self._list(")", 2))
        if word == "Piecewise":
            return (word, *self._separated(lambda: self._tuple(2)))
        if word in _BOUND:
            body = self.joined()
            self._expected(",")
            index, first, last = self._tuple(3)
            self._expected(")")
            if index[0] != "name":
                self.refuse("an index that is no name")
            return (word, body, index[1], first, last)
        if word not in NUMBER_OF:
            self.refuse(f"the function {word} is not known")
        return (word, *self._list(")", NUMBER_OF[word]))

    def _list(self, end: str, size: int | None = None) -> list[Parsed]:
        found = self._separated(self.joined, end)
        if size not in (None, len(found)):
            self.refuse(f"{len(found)} parts in place of {size}")
        return found

    def _separated(self, part: Callable[[], Parsed], end: str = ")") -> list[Parsed]:
        found = [part()]
        while self._taken(","):
            found.append(part())
        self._expected(end)
        return found

    def _tuple(self, size: int) -> Parsed:
        self._expected("(")
        return tuple(self._list(")", size))


@lru_cache(maxsize=1 << 10)
def _number(digits: str) -> Parsed:
    return ("number", Fraction(digits))


def without_words(tree: Parsed, denied: bool = False) -> Parsed:
    """The same condition, or what is true where it is defined and false, with ``and`` and ``or`` alone."""
    match tree:
        case ("not", part):
            return without_words(part, not denied)
        case ("and" | "or" as word, *parts):
            join = {"and": "or", "or": "and"}[word] if denied else word
            return (join, *(without_words(part, denied) for part in parts))
        case ("implies", first, then):
            return without_words(("or", ("not", first), then), denied)
        case ("iff", first, other):
            (a, not_a), (b, not_b) = ((without_words(part), without_words(part, True)) for part in (first, other))
            return ("or", ("and", a, not_b if denied else b), ("and", not_a, b if denied else not_b))
        case ("true",) | ("false",):
            return {TRUE: FALSE, FALSE: TRUE}[tree] if denied else tree
        case (relation, left, right) if relation in RELATIONS and denied:
            return (RELATIONS[relation], left, right)
    return ("not", tree) if denied else tree


def negated(tree: Parsed) -> Parsed:
    """The condition that is true where this one is defined and false."""
    return without_words(tree, True)


def normal(tree: Parsed) -> Parsed:
    """The same condition without words, its ``and`` and ``or`` flat, in one order, each part once."""
    tree = without_words(tree)
    if tree[0] not in ("and", "or"):
        return tree
    inner = map(normal, tree[1:])
    flat = {one for part in inner for one in (part[1:] if part[0] == tree[0] else (part,))}
    return (tree[0], *sorted(flat, key=repr)) if len(flat) > 1 else flat.pop()


def number_in(tree: Parsed) -> Fraction | None:
    """The rational number that a term is visibly: -3/2."""
    match tree:
        case ("number", value):
            return Fraction(value)
        case ("-", ("number", Fraction(numerator=0)), part) if (value := number_in(part)) is not None:
            return -value
        case ("/", ("number", above), ("number", below)) if below:
            return Fraction(above / below)
    return None


def names_in(tree: Parsed) -> set[str]:
    """The free names of a formula; those of vectors with brackets."""
    match tree:
        case ("name", name):
            return {name}
        case ("number", _):
            return set()
        case ("[]", name, *places):
            return {f"{name}[]"}.union(*map(names_in, places))
        case ("Sum" | "Product" | "Each", body, index, first, last):
            return (names_in(body) - {index}) | names_in(first) | names_in(last)
        case ("Piecewise", *cases):
            return set[str]().union(*(names_in(part) for case in cases for part in case))
    return set[str]().union(*map(names_in, tree[1:]))


def replaced(tree: Parsed, old: Parsed, new: Parsed) -> Parsed:
    """A formula with another part in place of one; nothing below an index that either speaks of."""
    if tree == old:
        return new
    match tree:
        case ("number" | "name", _):
            return tree
        case ("[]", name, *places):
            return ("[]", name, *(replaced(part, old, new) for part in places))
        case ("Sum" | "Product" | "Each", body, index, first, last):
            if index in names_in(old) | names_in(new):
                raise RefusedProofError(f"the index {index} is also a name")
            return (tree[0], replaced(body, old, new), index, replaced(first, old, new), replaced(last, old, new))
        case ("Piecewise", *cases):
            return ("Piecewise", *((replaced(v, old, new), replaced(c, old, new)) for v, c in cases))
    return (tree[0], *(replaced(part, old, new) for part in tree[1:]))
