"""Distinctions of cases: whether one of them applies, whatever the signs of what they compare are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from lpmech.certify.proofs.polynomials import Quotient, proportion
from lpmech.certify.proofs.reading import FALSE, RELATIONS, TRUE, Parsed, RefusedProofError, without_words

if TYPE_CHECKING:
    from lpmech.certify.proofs.facts import Facts

__all__ = ["ALLOWED", "KIND", "covered"]

#: Of the signs -1, 0, 1 of a difference, those that a relation allows.
ALLOWED = {">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}
KIND = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "==": "==", "!=": "!="}
_COMPARED = 5


def covered(facts: Facts, cases: Sequence[Sequence[Parsed]]) -> bool:
    """Whether one of the cases applies, whatever the signs of what they compare are."""
    compared: list[Quotient] = []
    read: list[list[Any]] = []
    for case in cases:
        read.append([_compared(facts, without_words(part), compared) for part in case])
    if len(compared) > _COMPARED:
        raise RefusedProofError(f"cases that compare more than {_COMPARED} things")
    known = [_known_signs(facts, found) for found in compared]
    return all(
        any(all(_true_at(part, signs) for part in case) for case in read)
        for signs in product(*known)
        if _possible(facts, compared, signs)
    )


def _compared(facts: Facts, part: Parsed, compared: list[Quotient]) -> Any:
    if part[0] in ("and", "or"):
        return (part[0], [_compared(facts, inner, compared) for inner in part[1:]])
    if part in (TRUE, FALSE):
        return (part[0], [])
    if part[0] not in RELATIONS or facts.undefined(part):
        raise RefusedProofError(f"a case whose condition is not known to be defined: {facts.undefined(part)}")
    found = facts.algebra.difference(part)
    facts.algebra.needs = []
    for place, other in enumerate(compared):
        ratio = proportion(found.above, other.above) if found.below == other.below else None
        if ratio is not None:
            return (place, 1 if ratio > 0 else -1, ALLOWED[KIND[part[0]]])
    compared.append(found)
    return (len(compared) - 1, 1, ALLOWED[KIND[part[0]]])


def _true_at(part: Any, signs: Sequence[int]) -> bool:
    match part:
        case ("and", inner):
            return all(_true_at(p, signs) for p in inner)
        case ("or", inner):
            return any(_true_at(p, signs) for p in inner)
        case ("true" | "false" as word, _):
            return bool(word == "true")
    place, turned, allowed = part
    return signs[place] * turned in allowed


def _known_signs(facts: Facts, found: Quotient) -> list[int]:
    constant = facts.sign_of_constant(found)
    if constant is not None:
        return [constant]
    if facts.is_nonzero(found):
        return [1] if facts.is_positive(found) else [-1, 1]
    minus = facts.algebra.sum(facts.algebra.number(0), found, -1)
    return [0, 1] if facts.is_nonnegative(found) else [-1, 0] if facts.is_nonnegative(minus) else [-1, 0, 1]


def _possible(facts: Facts, compared: Sequence[Quotient], signs: Sequence[int]) -> bool:
    """Whether the signs fit together: of a - b, b - c and a - c."""
    for i, j, k in product(range(len(compared)), repeat=3):
        if i < j and k not in (i, j) and len(compared) >= 3:
            for turn in (1, -1):
                total = facts.algebra.sum(compared[i], compared[j], turn)
                ratio = proportion(total.above, compared[k].above) if total.below == compared[k].below else None
                if ratio is None:
                    continue
                parts = {signs[i], turn * signs[j]} - {0}
                should = parts.pop() if len(parts) == 1 else 0 if not parts else None
                if should is not None and signs[k] * (1 if ratio > 0 else -1) != should:
                    return False
    return True
