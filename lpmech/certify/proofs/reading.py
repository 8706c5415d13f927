"""Texts of formulas as trees: nested tuples, the operation first.

``("number", Fraction)``, ``("name", text)``, ``("+", left, right)``, ``("<", left, right)``, ``("and", part, ...)``,
``("exp", x)``, ``("Piecewise", (value, condition), ...)``, ``("Sum", body, index, first, last)``, ``("[]", name, i)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

__all__ = [
    "FALSE", "NUMBER_OF", "RELATIONS", "TRUE", "RefusedProofError", "Parsed", "names_in", "negated", "normal", "read",
    "replaced", "without_words",
]  # fmt: skip

Parsed = tuple[Any, ...]

MAX_TEXT, MAX_DEPTH, MAX_DIGITS = 200_000, 120, 2000
TRUE, FALSE = ("true",), ("false",)
#: Relations, and what each becomes when it is denied.
RELATIONS = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
#: Functions and their numbers of arguments; None: one or more.
NUMBER_OF: dict[str, int | None] = {
    "sqrt": 1, "exp": 1, "log": 1, "Abs": 1, "sign": 1, "sin": 1, "cos": 1, "tan": 1, "sinh": 1, "cosh": 1, "tanh": 1,
    "coth": 1, "erfc": 1, "floor": 1, "ceiling": 1, "factorial": 1, "Mod": 2, "binomial": 2, "Min": None, "Max": None,
}  # fmt: skip
_REPEATED = ("Sum", "Product", "Each")
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([^\W\d][\w']*)|(\*\*|==|!=|<=|>=|[-+*/(),\[\]<>]))")
_JOINS = ("or", "and")
_CALLED = {"Implies": "implies", "Equivalent": "iff"}


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
    reader = _Reader(text, letters)
    tree = reader.joined(0)
    if reader.token is not None:
        raise RefusedProofError(f"{_short(text)}: {reader.token!r} is not expected")
    return tree


class _Reader:
    def __init__(self, text: str, letters: Collection[str]):
        self._text, self._place, self._depth, self._letters = text, 0, 0, letters
        self.token: str | None = None
        self._kind = 0
        self._next()

    def _next(self) -> None:
        if not self._text[self._place :].strip():
            self.token = None
            return
        found = _TOKEN.match(self._text, self._place)
        if found is None:
            raise RefusedProofError(f"{_short(self._text)}: {self._text[self._place :][:10]!r} is not understood")
        self._place, self._kind = found.end(), found.lastindex or 0
        self.token = found[self._kind]

    def _taken(self, *tokens: str) -> str | None:
        found = self.token if self.token in tokens else None
        if found is not None:
            self._next()
        return found

    def _expected(self, token: str) -> None:
        if self._taken(token) is None:
            raise RefusedProofError(f"{_short(self._text)}: {token!r} is expected before {self.token!r}")

    def joined(self, level: int) -> Parsed:
        """A condition or a number: or, and, not, relation, sum."""
        self._depth += 1
        if self._depth > 6 * MAX_DEPTH:
            raise RefusedProofError(f"{_short(self._text)}: more than {MAX_DEPTH} levels")
        try:
            if level == len(_JOINS):
                return self._denied()
            word = _JOINS[level]
            parts = [self.joined(level + 1)]
            while self._taken(word):
                parts.append(self.joined(level + 1))
            return parts[0] if len(parts) == 1 else (word, *parts)
        finally:
            self._depth -= 1

    def _denied(self) -> Parsed:
        if self._taken("not"):
            return ("not", self.joined(len(_JOINS)))
        left = self._sum()
        if self._taken("in"):
            self._expected("Integers")
            return ("whole", left)
        relation = self._taken(*RELATIONS)
        if relation is None:
            return left
        right = self._sum()
        if self.token in RELATIONS:
            raise RefusedProofError(f"{_short(self._text)}: a relation of more than two sides")
        return (relation, left, right)

    def _sum(self) -> Parsed:
        found = self._product()
        while operation := self._taken("+", "-"):
            found = (operation, found, self._product())
        return found

    def _product(self) -> Parsed:
        found = self._signed()
        while operation := self._taken("*", "/"):
            found = (operation, found, self._signed())
        return found

    def _signed(self) -> Parsed:
        if self._taken("-"):
            return ("-", ("number", Fraction(0)), self._signed())
        base = self._atom()
        return ("**", base, self._signed()) if self._taken("**") else base

    def _atom(self) -> Parsed:
        token, kind = self.token, self._kind
        if token is None:
            raise RefusedProofError(f"{_short(self._text)}: something is missing at the end")
        self._next()
        if kind == 1:
            if len(token) > MAX_DIGITS:
                raise RefusedProofError(f"a number of more than {MAX_DIGITS} digits")
            return ("number", Fraction(token))
        if token == "(":
            inside = self.joined(0)
            self._expected(")")
            return inside
        if kind == 2 and token not in ("and", "or", "not", "in", "Integers"):
            return self._named(token)
        raise RefusedProofError(f"{_short(self._text)}: {token!r} is not expected")

    def _named(self, word: str) -> Parsed:
        if word in ("True", "False"):
            return TRUE if word == "True" else FALSE
        if word == "pi" and word not in self._letters:
            return ("pi",)
        if self._taken("["):
            return ("[]", word, *self._list("]"))
        if word not in (*NUMBER_OF, *_REPEATED, *_CALLED, "Piecewise"):
            if self.token == "(":
                raise RefusedProofError(f"{_short(self._text)}: the function {word} is not known")
            return ("name", word)
        if word in _CALLED:
            return (_CALLED[word], *self._tuple(2))
        self._expected("(")
        if word == "Piecewise":
            pairs = self._separated(lambda: self._tuple(2))
            return (word, *pairs)
        if word in _REPEATED:
            body = self.joined(0)
            self._expected(",")
            index, first, last = self._tuple(3)
            self._expected(")")
            if index[0] != "name":
                raise RefusedProofError(f"{_short(self._text)}: an index that is no name")
            return (word, body, index[1], first, last)
        parts = self._list(")")
        if NUMBER_OF[word] not in (None, len(parts)):
            raise RefusedProofError(f"{_short(self._text)}: {word} of {len(parts)} arguments")
        return (word, *parts)

    def _list(self, end: str) -> list[Parsed]:
        return self._separated(lambda: self.joined(0), end)

    def _separated(self, part: Callable[[], Parsed], end: str = ")") -> list[Parsed]:
        found = [part()]
        while self._taken(","):
            found.append(part())
        self._expected(end)
        return found

    def _tuple(self, size: int) -> Parsed:
        self._expected("(")
        found = self._list(")")
        if len(found) != size:
            raise RefusedProofError(f"{_short(self._text)}: {len(found)} parts in place of {size}")
        return tuple(found)


def negated(tree: Parsed) -> Parsed:
    """The condition that is true where this one is defined and false, relations turned round, without ``not``."""
    match tree:
        case ("not", part):
            return without_words(part)
        case ("and", *parts):
            return ("or", *map(negated, parts))
        case ("or", *parts):
            return ("and", *map(negated, parts))
        case ("implies", first, then):
            return ("and", without_words(first), negated(then))
        case ("iff", first, other):
            return ("or", ("and", without_words(first), negated(other)), ("and", negated(first), without_words(other)))
        case ("true" | "false",):
            return FALSE if tree == TRUE else TRUE
        case (relation, left, right) if relation in RELATIONS:
            return (RELATIONS[relation], left, right)
    return ("not", tree)


def without_words(tree: Parsed) -> Parsed:
    """The same condition with ``not``, ``implies`` and ``iff`` written by ``and`` and ``or``."""
    match tree:
        case ("not", part):
            return negated(part)
        case ("implies", first, then):
            return ("or", negated(first), without_words(then))
        case ("iff", first, other):
            return (
                "or",
                ("and", without_words(first), without_words(other)),
                ("and", negated(first), negated(other)),
            )
        case ("and" | "or", *parts):
            return (tree[0], *map(without_words, parts))
    return tree


def normal(tree: Parsed) -> Parsed:
    """The same condition without words, its ``and`` and ``or`` flat, in one order, each part once."""
    tree = without_words(tree)
    if tree[0] not in ("and", "or"):
        return tree
    inner = map(normal, tree[1:])
    flat = {one for part in inner for one in (part[1:] if part[0] == tree[0] else (part,))}
    return (tree[0], *sorted(flat, key=repr)) if len(flat) > 1 else flat.pop()


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


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
