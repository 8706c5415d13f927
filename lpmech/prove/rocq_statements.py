"""What the goal of a proof says in Rocq, and the functions that a proof speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lpmech.certify.proofs.reading import Parsed, read, without_words
from lpmech.prove.rocq_texts import Language

__all__ = ["conclusion_of", "functions_in", "given_in", "sorts", "statement", "statement_of"]


def conclusion_of(data: dict[str, Any]) -> Parsed:
    return without_words(read(data["goal"]["conclusion"]))


def given_in(data: dict[str, Any]) -> list[Parsed]:
    return [without_words(read(text)) for text in data["goal"]["hypotheses"]]


def sorts(goal: dict[str, Any]) -> list[Parsed]:
    """What the goal says of its parameters."""
    return [("whole", ("name", name)) for name, sort in goal["parameters"].items() if sort == "whole"]


def statement(language: Language, goal: dict[str, Any]) -> str:
    names = " ".join(language.names[name] for name in goal["parameters"])
    conditions = [*sorts(goal), *(without_words(read(text)) for text in (*goal["hypotheses"], goal["conclusion"]))]
    return f"{f'({names} : R) ' if names else ''}:\n  " + " ->\n  ".join(map(language.full, conditions))


def statement_of(goal: dict[str, Any]) -> str:
    """What the theorem says that `theorem_of` writes, without its name.

    Parameters
    ----------
    goal : dict
        As `lpmech.prove.objects.to_data` writes it.

    Raises
    ------
    FormulaError
        If it speaks of what has no form in Rocq.
    """
    return statement(Language(goal["parameters"], lambda _: False), goal)


def functions_in(data: Any) -> Iterator[Parsed]:
    """The terms of a proof that are no rational functions of others."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key in ("conclusion", "square", "factor", "term"):
                yield from _functions_of(without_words(read(value)))
            elif key == "hypotheses":
                for text in value:
                    yield from _functions_of(without_words(read(text)))
            else:
                yield from functions_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from functions_in(value)


def _functions_of(tree: Parsed) -> Iterator[Parsed]:
    if tree[0] in ("sqrt", "exp", "log", "Max", "Min", "Abs") or (tree[0] == "**" and tree[2][0] == "name"):
        yield tree
    if tree[0] not in ("number", "name"):
        for part in tree[1:]:
            if isinstance(part, tuple):
                yield from _functions_of(part)
