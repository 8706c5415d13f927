"""Theorems in Rocq made from proofs, and files of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lpmech.certify.proofs.reading import RefusedProofError
from lpmech.certify.rocq import commented, theory
from lpmech.errors import FormulaError
from lpmech.prove.answers import Holds
from lpmech.prove.objects import Node, to_data, unchecked_in
from lpmech.prove.rendering import goal_of
from lpmech.prove.rocq import example_of, theorem_of
from lpmech.prove.rocq_statements import says_nothing, statement_of

__all__ = ["Theorem", "hash_of_statement", "theorem_from", "theorems_file"]


@dataclass(frozen=True)
class Theorem:
    """A relation that was proved, as a theorem in Rocq.

    Attributes
    ----------
    said : str
        Its name, hypotheses and conclusion, as the claim prints them.
    statement : str
        The hash of what the theorem says; empty where it has no form.
    name : str
        Of the theorem.
    text : str
        The theorem with its proof; empty where there is none.
    example : str
        That its hypotheses are true somewhere, as a theorem ``NAME_is_not_empty``; empty where no point is at hand.
    reason : str
        Why there is none.
    """

    said: str
    statement: str
    name: str
    text: str = ""
    example: str = ""
    reason: str = ""


def theorem_from(said: str, proof: Node, example: Mapping[Any, Any] | None = None) -> Theorem:
    """The theorem that a proof shows; what has no form in Rocq is told why.

    Parameters
    ----------
    said : str
        What the relation is called.
    proof : Node
    example : mapping of Symbol to sympy number, optional
        A point of the hypotheses.
    """
    data = json.loads(json.dumps(to_data(proof)))
    goal = data["goal"]
    told = f"{said}: {', '.join(goal['hypotheses'])} => {goal['conclusion']}"
    statement = _hashed(goal)
    name = f"relation_{statement[:12]}"
    lacking = ", ".join(unchecked_in(proof))
    if goal["conclusion"] == "True" or lacking:
        return Theorem(told, "", name, reason=lacking or "it says nothing: evaluated before it was asked")
    try:
        point = {str(symbol): Fraction(str(value)) for symbol, value in (example or {}).items() if value.is_Rational}
        whole = example is not None and len(point) == len(example)  # what hypotheses do not speak of may be 0
        return Theorem(told, statement, name, theorem_of(name, data), _example(name, goal, point) if whole else "")
    except (FormulaError, RefusedProofError) as exc:
        return Theorem(told, "", name, reason=str(exc.value if isinstance(exc, FormulaError) else exc))


def _example(name: str, goal: dict[str, Any], point: Mapping[str, Fraction]) -> str:
    try:
        return example_of(f"{name}_is_not_empty", goal, point)
    except FormulaError:
        return ""


def hash_of_statement(answer: Holds) -> tuple[str, bool]:
    """The hash of what the theorem of an answer would say, and whether that is something.

    The hash is empty where it has no form; a relation that sympy has evaluated has none.
    """
    try:
        goal = goal_of(answer.record)
    except FormulaError:
        return "", False
    if goal is None or goal.conclusion == "True":
        return "", False
    data = json.loads(json.dumps(to_data(goal)))
    hashed = _hashed(data)
    return hashed, bool(hashed) and not says_nothing(data)


def _hashed(goal: dict[str, Any]) -> str:
    try:
        return hashlib.sha256(statement_of(goal).encode()).hexdigest()[:32]
    except (FormulaError, RefusedProofError):
        return ""


def theorems_file(title: str, theorems: Sequence[Theorem]) -> str:
    """The text of a file in Rocq; what has no form is named in a comment, with the reason.

    Parameters
    ----------
    title : str
    theorems : sequence of Theorem

    Raises
    ------
    DataFileError
        If the theory is not there.
    """
    parts = []
    for one in {theorem.name or theorem.said: theorem for theorem in theorems}.values():
        if one.text:
            parts += [f"(** {commented(one.said)} *)\n{one.text}", *filter(None, [one.example])]
        else:
            parts.append(f"(** Not written. {commented(one.said)}\n    {commented(one.reason)} *)")
    head = f"(** {commented(title)} *)\n\nFrom Coq Require Import Reals Lra Psatz.\n\n{theory('Relations.v')}"
    return "\n\n".join([head, *parts, ""])
