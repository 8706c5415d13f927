"""Terms with one small change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

from lpmech.terms import Apply, Choice, Name, Node, Number, Repeated, names_in, substituted

__all__ = ["mutated_terms"]

_TURNED = {
    "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("<=", ">=", "!="), "!=": ("==",),
}  # fmt: skip
_PARTNERS = {
    "Min": "Max", "Max": "Min", "floor": "ceiling", "ceiling": "floor", "and": "or", "or": "and", "+": "-", "-": "+",
}  # fmt: skip
#: Functions of one argument that are left out at times.
_DROPPED = ("sqrt", "log", "exp", "Abs", "floor", "ceiling", "not")


def mutated_terms(formula: Node) -> Iterator[tuple[str, Node]]:
    """Every term with one change, with the text of the change."""
    for old, rebuild in _places(formula):
        for new in _changes(old):
            yield f"{old} -> {new} in {formula}", rebuild(new)
    for one, other in combinations(sorted(names_in(formula)), 2):
        yield f"{one} and {other} exchanged", substituted(formula, {one: Name(other), other: Name(one)})


def _places(node: Node) -> Iterator[tuple[Node, Callable[[Node], Node]]]:
    """Every part of a term with the function that puts another one in its place."""
    yield node, lambda new: new
    for part, put in _parts(node):
        for old, rebuild in _places(part):
            yield old, partial(_after, put, rebuild)


def _after(put: Callable[[Node], Node], rebuild: Callable[[Node], Node], new: Node) -> Node:
    return put(rebuild(new))


def _parts(node: Node) -> Iterator[tuple[Node, Callable[[Node], Node]]]:
    match node:
        case Apply(operation, parts):
            for place, part in enumerate(parts):
                yield part, partial(_in_place, lambda every: Apply(operation, every), parts, place)
        case Choice(cases):
            parts = tuple(part for case in cases for part in case)
            for place, part in enumerate(parts):
                yield (
                    part,
                    partial(_in_place, _choice, parts, place),
                )
        case Repeated(operation, body, index, first, last):
            parts = (body, first, last)
            for place, part in enumerate(parts):
                yield part, partial(_in_place, lambda e: Repeated(operation, e[0], index, *e[1:]), parts, place)


def _choice(parts: tuple[Node, ...]) -> Choice:
    return Choice(tuple(zip(parts[::2], parts[1::2], strict=True)))


def _in_place(made: Callable[[Any], Node], parts: tuple[Node, ...], place: int, new: Node) -> Node:
    return made((*parts[:place], new, *parts[place + 1 :]))


def _changes(part: Node) -> Iterator[Node]:
    """What one part of a term is changed to."""
    match part:
        case Number(value):
            yield from (Number(value + 1), Number(value - 1))
        case Name():
            yield from (part + 1, part**2)
        case Apply("*", (left, right)):
            yield from (left, right)
        case Apply("/" | "**" | "Mod", (left, _)):
            yield left
        case Apply("implies", (given, then)):
            yield from (Apply("implies", (then, given)), then)
        case Apply(operation, (argument,)) if operation in _DROPPED:
            yield argument
    if isinstance(part, Apply):
        for other in (*_TURNED.get(part.operation, ()), *filter(None, [_PARTNERS.get(part.operation)])):
            yield replace(part, operation=other)
