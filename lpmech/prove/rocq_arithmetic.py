"""Comparisons as theorems in Rocq: of rational numbers, which its kernel computes, and of reals, by coq-interval."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import ceil

from lpmech.prove.arithmetic import Comparisons, Formula
from lpmech.prove.rocq_texts import Language

__all__ = ["HEAD", "REALS", "REALS_HEAD", "hash_of_comparisons", "theorems_of_comparisons"]

#: How a file of such theorems begins.
HEAD = """From Coq Require Import Reals QArith Qreals Qabs.
From lpmech Require Import Exponentials.
Open Scope Q_scope.
"""

#: How the names of theorems about real numbers begin, and a file of them; its tactic computes with whole numbers, so
#: that nothing is assumed of a machine's arithmetic.
REALS = "enclosures"
REALS_HEAD = """From Coq Require Import Reals.
From Interval Require Import Specific_stdz Specific_ops Tactic.
Module Floats := SpecificFloat StdZRadix2.
Module Enclosing := IntervalTactic Floats.
Import Enclosing.
Open Scope R_scope.
"""
_ENCLOSED = (
    "repeat match goal with |- _ /\\ _ => split end; first [interval with (i_prec 80)"
    " | apply Rgt_not_eq; interval with (i_prec 80) | apply Rlt_not_eq; interval with (i_prec 80)]"
)

#: Comparisons in a theorem; more than so many are too many for a file that somebody reads.
_TOGETHER, _MOST = 40, 4000
_SIGNS = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "=="}
_PROOF = "repeat match goal with |- _ /\\ _ => split end; vm_compute; first [reflexivity | discriminate]"


#: Terms of Taylor's series that show between which numbers an exponential is; `exp_bounds` takes as many.
_TERMS = 36


def hash_of_comparisons(found: Comparisons) -> str:
    """The hash of what their theorems say; empty where there are none, too many, or instances without."""
    if found.without or not 0 < len(found.facts) + len(found.reals) <= _MOST:
        return ""
    said = [statement for statement, _ in _exponentials(found)]
    return hashlib.sha256("\n".join([*said, *_facts(found), *_reals(found)]).encode()).hexdigest()[:32]


def theorems_of_comparisons(found: Comparisons) -> list[tuple[str, str]]:
    """Names and texts of theorems that say what was found, with the numbers as they were put in."""
    own = hash_of_comparisons(found)
    if not own:
        return []
    kinds = {
        "instances": [*_exponentials(found), *((part, _PROOF) for part in _together(_facts(found), _TOGETHER))],
        REALS: [(part, _ENCLOSED) for part in _together(_reals(found), _TOGETHER // 4)],
    }
    return [
        (name, f"Theorem {name} :\n  {statement}.\nProof. {proof}. Qed.\n")
        for kind, every in kinds.items()
        for number, (statement, proof) in enumerate(every)
        for name in [f"{kind}_{own[:12]}_{number}"]
    ]


def _together(facts: Sequence[str], most: int) -> list[str]:
    """Conjunctions of so many."""
    return [" /\\\n  ".join(facts[n : n + most]) for n in range(0, len(facts), most)]


class _Reals(Language):
    """Terms without parameters, each as it stands."""

    def _noted(self, tree: Formula, text: str) -> None:
        pass


def _reals(comparisons: Comparisons) -> list[str]:
    """The relations of real numbers, before each that it is defined."""
    language, found = _Reals((), lambda _: False), dict[str, None]()
    for relation in comparisons.reals:
        found |= dict.fromkeys(map(language.relation, [*language.needs(relation), relation]))
    return list(found)


def _exponentials(found: Comparisons) -> list[tuple[str, str]]:
    """That an e^x is between two numbers, and the proof."""
    return [
        (
            f"(Q2R {_quotient(low)} <= exp (Q2R {_quotient(x)}) <= Q2R {_quotient(high)})%R",
            f"apply (enclosed {max(ceil(x) - 1, 0).bit_length()} {_TERMS}); vm_compute; reflexivity",
        )
        for low, x, high in found.exponentials
    ]


def _quotient(value: Fraction) -> str:
    return f"({value.numerator} # {value.denominator})"


def _facts(comparisons: Comparisons) -> list[str]:
    """The relations, before each that its divisors are not zero."""
    found: dict[str, None] = {}
    for relation, left, right in comparisons.facts:
        for divisor in (*_divisors(left), *_divisors(right)):
            found[f"~ {_text(divisor)} == 0"] = None
        sides = f"{_text(left)} {_SIGNS.get(relation, '==')} {_text(right)}"
        found[sides if relation in _SIGNS else f"~ {sides}"] = None
    return list(found)


def _divisors(tree: Formula) -> Iterable[Formula]:
    if tree[0] != "number":
        for part in tree[1:]:
            yield from _divisors(part)
        if tree[0] == "/" and tree[2][0] != "number":
            yield tree[2]


def _text(tree: Formula) -> str:
    match tree:
        case ("number", value):
            return _number(value)
        case ("-", ("number", Fraction(numerator=0)), right):
            return f"(- {_text(right)})"
        case ("Abs", inner):
            return f"(Qabs {_text(inner)})"
        case ("**", base, ("number", exponent)):
            return f"({_text(base)} ^ {exponent})"
        case (sign, left, right):
            return f"({_text(left)} {sign} {_text(right)})"
    raise AssertionError(tree)


@cache
def _number(value: Fraction) -> str:
    """As a decimal where it is one of few places."""
    for places in range(5):
        scaled = abs(value) * 10**places
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(places + 1, "0")
            text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
            return text if value >= 0 else f"(- {text})"
    return _quotient(value)
