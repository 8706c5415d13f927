"""What the goal of a proof says in Rocq, and the functions that a proof speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.facts import Facts
from lpmech.certify.proofs.reading import Parsed, read, replaced, without_words
from lpmech.prove.rocq_positive import refused
from lpmech.prove.rocq_texts import Language, within

__all__ = [
    "conclusion_of",
    "functions_in",
    "functions_of",
    "given_in",
    "parsed",
    "premises",
    "says_nothing",
    "sorts",
    "statement",
    "statement_of",
]


def parsed(goal: dict[str, Any], text: str) -> Parsed:
    """A formula of a node with this goal; a parameter that is called pi is no number."""
    tree = read(text)
    return replaced(tree, ("pi",), ("name", "pi")) if "pi" in goal["parameters"] else tree


def conclusion_of(data: dict[str, Any]) -> Parsed:
    """What a node shows."""
    return without_words(parsed(data["goal"], data["goal"]["conclusion"]))


def given_in(data: dict[str, Any]) -> list[Parsed]:
    """The hypotheses of a node."""
    return premises(data["goal"])


def premises(goal: dict[str, Any]) -> list[Parsed]:
    """The hypotheses of a goal."""
    return [without_words(parsed(goal, text)) for text in goal["hypotheses"]]


def sorts(goal: dict[str, Any]) -> list[Parsed]:
    """What the goal says of its parameters."""
    return [("whole", ("name", name)) for name, sort in goal["parameters"].items() if sort == "whole"]


def statement(language: Language, goal: dict[str, Any]) -> str:
    """What a goal says."""
    names = " ".join(language.names[name] for name in goal["parameters"])
    given = [*sorts(goal), *premises(goal)]
    hypotheses = [language.full(tree) for tree in given]
    if language.bases:  # of a hypothesis: that they are positive may not be one hypothesis more
        facts = Facts(goal["parameters"], given)
        if not all(facts.entails((">", base, ("number", Fraction(0)))) for base in language.bases):
            raise refused("a power in a hypothesis whose base may not be positive")
    if any(function[0] == "Piecewise" for tree in given for function in functions_of(tree)):
        raise refused("a case distinction in a hypothesis")  # which would be defined in every case
    conclusion = language.full(without_words(parsed(goal, goal["conclusion"])))
    return f"{f'({names} : R) ' if names else ''}:\n  " + " ->\n  ".join([*hypotheses, conclusion])


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


def says_nothing(goal: dict[str, Any]) -> bool:
    """Whether the conclusion compares a term with itself, or is one of the hypotheses.

    Such a relation is what became of a formula and of what was computed beside it: both are written in one way, so
    that a kernel has nothing to check.

    Parameters
    ----------
    goal : dict
        As `lpmech.prove.objects.to_data` writes it.
    """
    return _nothing(without_words(parsed(goal, goal["conclusion"])), premises(goal))


def _nothing(tree: Parsed, given: Sequence[Parsed]) -> bool:
    match tree:
        case ("and", *parts):
            return all(_nothing(part, given) for part in parts)
        case ("or", *parts):
            return any(_nothing(part, given) or without_words(part, True) in parts for part in parts)
        case ("==" | "<=" | ">=", left, right) if left == right:
            return True
    return tree in given


def functions_in(node: dict[str, Any]) -> Iterator[Parsed]:
    """The terms of a proof that are no rational functions of others."""
    goal = node["goal"]
    texts = [*goal["hypotheses"], goal["conclusion"], *([node["term"]] if "term" in node else [])]
    texts += [entry["square"] for entry in node.get("products", ())]
    texts += [entry["factor"] for entry in node.get("multiples", ())]
    for text in texts:
        yield from functions_of(without_words(parsed(goal, text)))
    for value in node.values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict) and "rule" in part:
                yield from functions_in(part)


def functions_of(tree: Parsed) -> Iterator[Parsed]:
    """Likewise of a formula."""
    if tree[0] in ("sqrt", "exp", "log", "Max", "Min", "Abs", "Piecewise") or (
        tree[0] == "**" and tree[2][0] != "number"
    ):
        yield tree
    if tree[0] not in ("number", "name"):
        for part in within(tree):
            yield from functions_of(part)
