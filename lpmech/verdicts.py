"""What a check establishes: the verdicts and how each came about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Context, Decimal, Inexact
from enum import StrEnum
from fractions import Fraction
from typing import Any

__all__ = [
    "Decided",
    "Outcome",
    "Verdict",
    "against",
    "both",
    "certified",
    "proved",
    "refuted",
    "replayed",
    "supported",
    "unclear",
    "unless_refuted",
]


class Verdict(StrEnum):
    """What running a claim established."""

    PROVED = "proved"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    AGAINST = "supported against"
    UNCLEAR = "unclear"
    TOLD = "told"
    UNDECIDED = "undecided"

    @property
    def meaning(self) -> str:
        """What it says about a claim, for people."""
        return _MEANINGS[self]

    @property
    def strength(self) -> int:
        """How much it says for a claim: the larger the more, 0 of a refutation."""
        return _WEAKEST_FIRST.index(self)

    @property
    def denies(self) -> bool:
        """Whether something speaks against a claim: an exact counterexample, or a simulation."""
        return self in (Verdict.REFUTED, Verdict.AGAINST)

    @property
    def is_not_true(self) -> bool:
        """Whether a claim is not simply true, so that something may depend on that."""
        return self.denies or self is Verdict.UNCLEAR

    @property
    def holds(self) -> bool:
        """Whether something speaks for a claim and nothing against it."""
        return self.strength >= Verdict.SUPPORTED.strength


_WEAKEST_FIRST = (
    *(Verdict.REFUTED, Verdict.AGAINST, Verdict.UNDECIDED, Verdict.TOLD, Verdict.UNCLEAR),
    *(Verdict.SUPPORTED, Verdict.CERTIFIED, Verdict.PROVED),
)

_MEANINGS = {
    Verdict.PROVED: "holds for all parameters in the stated hypotheses. The evidence says which part a machine proved, "
    "and which step is told in words",
    Verdict.CERTIFIED: "exact rational arithmetic on a stated finite family of instances, not for all parameters",
    Verdict.SUPPORTED: "floating point or statistical evidence only; says tolerance, sample size, and what it could "
    "have missed",
    Verdict.REFUTED: "an exact counterexample inside the hypotheses, which can be checked by hand. It says nothing "
    "about other statements; what is right instead stands beside it, where it is known",
    Verdict.AGAINST: "floating point or statistical evidence against the claim; says tolerance and sample size. It is "
    "no refutation, which is exact",
    Verdict.UNCLEAR: "the text admits more than one reading; every reading is listed with its own verdict, and they "
    "differ",
    Verdict.TOLD: "what the check says of itself: neither the engine nor exact arithmetic of instances has settled it",
    Verdict.UNDECIDED: "no method gave an answer: neither a proof nor a refutation",
}


@dataclass(frozen=True)
class Decided:
    """A relation that a prover has decided, as it was asked: a part of what a claim says.

    Attributes
    ----------
    name : str
        What the check calls it.
    relation : str
        LaTeX in the notation of `lpmech.mathematics`, without dollars.
    method : str
        How it was shown.
    papers : str
        Of an equation: the side that has the formula of the claim in it, "left" or "right"; empty where that is not so.
    verdict : Verdict
        Of this part.
    given : str
        Its hypotheses, in the notation of texts.
    """

    name: str
    relation: str
    method: str
    papers: str = ""
    verdict: Verdict = Verdict.PROVED
    given: str = ""

    @property
    def asked(self) -> str:
        """The relation by name, in the notation of texts."""
        side = f" (on the {self.papers} the formula of the claim)" if self.papers else ""
        return f"{self.name}: ${self.relation}${side}"

    @property
    def how(self) -> str:
        """Verdict and method."""
        return f"{self.verdict}: {self.method}"


@dataclass(frozen=True)
class Outcome:
    """The result of one check.

    Attributes
    ----------
    verdict : Verdict
        What was established.
    method : str
        How, in a few words ("sympy identity", "exact rational arithmetic", "SMT (z3)", ...).
    evidence : str
        What was seen, in a sentence: family of instances, tolerance, sample size.
    counterexample : str or None
        For a refuted claim: one a person can check by hand.
    readings : mapping
        For an unclear claim: each reading of the text with its own outcome.
    example : str or None
        A point that satisfies the hypotheses, where a prover was given any.
    given : tuple of str
        The hypotheses that a prover was given, a line for each list of them.
    decided : tuple of Decided
        The relations that were settled, in their order; nothing is asked after one that fails.
    arithmetic : tuple of str
        For a refuted claim: lines that lead from the point of the counterexample to the values that it compares.
    witness : mapping, optional
        Of a relation or an instance that fails: the point, which one it is, and its two sides there, numbers as text.
    compared : tuple of str
        Of instances that were settled: what was compared at the first and at the last of them, with the numbers.
    failed : object, optional
        What was refuted, for the search of further counterexamples: the statement, or those of the
        instances, this first.
    function : str
        Of a claim on a function and the rule that it follows, where the rule is proved: on how many instances the
        function is certified, and up to how many outputs.
    seal : object, optional
        Put on by what settles claims; without it nobody has looked at what is said to be proved or certified.
    """

    verdict: Verdict
    method: str
    evidence: str
    counterexample: str | None = None
    readings: Mapping[str, Outcome] = field(default_factory=dict)
    example: str | None = None
    given: tuple[str, ...] = ()
    decided: tuple[Decided, ...] = ()
    arithmetic: tuple[str, ...] = ()
    witness: Mapping[str, Any] | None = None
    compared: tuple[str, ...] = ()
    failed: Any = field(default=None, compare=False, repr=False)
    function: str = ""
    seal: Any = field(default=None, compare=False, repr=False)

    def told(self) -> Outcome:
        """The outcome in words, as it is sent from one process to another."""
        readings = {text: reading.told() for text, reading in self.readings.items()}
        return replace(self, failed=None, seal=None, readings=readings)


def proved(method: str, evidence: str) -> Outcome:
    """Holds for all parameters: a symbolic identity or an SMT proof, nothing sampled."""
    return Outcome(Verdict.PROVED, method, evidence)


def certified(method: str, evidence: str) -> Outcome:
    """Exact rational arithmetic on a stated finite family of instances."""
    return Outcome(Verdict.CERTIFIED, method, evidence)


def supported(method: str, evidence: str) -> Outcome:
    """Floating point or statistical evidence only; the evidence states tolerance and sample size."""
    return Outcome(Verdict.SUPPORTED, method, evidence)


def refuted(method: str, evidence: str, counterexample: str) -> Outcome:
    """An exact counterexample exists; its long numbers are written with a power of ten where that is exact."""
    return Outcome(Verdict.REFUTED, method, evidence, _LONG.sub(_with_power, counterexample))


def against(method: str, evidence: str, seen: str) -> Outcome:
    """Floating point or statistical evidence says that it is not so; `seen` tells where, as a counterexample does."""
    return Outcome(Verdict.AGAINST, method, evidence, seen)


#: Whole numbers and quotients that fill a line.
_LONG = re.compile(r"(?<![\w.])(\d{30,}|\d+/\d{30,}|\d{30,}/\d+)(?![\w./])")


def _with_power(number: re.Match[str]) -> str:
    """The same number as 2e-380 or 1 + 2e-380, else as it is."""
    value = Fraction(number[0])
    for whole in dict.fromkeys((0, round(value))):
        try:
            apart = _EXACTLY.divide(Decimal((value - whole).numerator), Decimal(value.denominator)).normalize(_EXACTLY)
        except Inexact:
            continue
        sign = "-" if apart < 0 else "+"
        return f"{apart:e}" if whole == 0 else f"({whole} {sign} {abs(apart):e})"
    return number[0]


_EXACTLY = Context(prec=20, traps=[Inexact])


def unclear(readings: Mapping[str, Outcome]) -> Outcome:
    """The text admits several readings; where every one of them fails, the claim does."""
    parts = "; ".join(f"[{text}] {outcome.verdict}: {outcome.evidence}" for text, outcome in readings.items())
    failures = [o for o in readings.values() if o.verdict.denies]
    method = _methods(*readings.values())
    counterexample = "; ".join(o.counterexample or "" for o in failures) or None
    denied = max((o.verdict for o in failures), key=lambda verdict: verdict.strength, default=Verdict.UNCLEAR)
    verdict = denied if len(failures) == len(readings) else Verdict.UNCLEAR
    return Outcome(verdict, method, parts, counterexample, dict(readings))


#: Between two methods, not within brackets.
_APART = re.compile(r", (?![^()]*\))")


def _methods(*outcomes: Outcome) -> str:
    """What they rest on, each method named once; what stands in its brackets is not taken apart."""
    return ", ".join(dict.fromkeys(part for outcome in outcomes for part in _APART.split(outcome.method)))


def unless_refuted(search: Outcome, proof: Callable[[], Outcome]) -> Outcome:
    """The outcome of the proof, unless the search among small instances has found a counterexample."""
    return search if search.verdict.denies else proof()


def both(first: Outcome, second: Outcome) -> Outcome:
    """The weaker of two outcomes that must both hold; a refutation wins. Where they differ, each has its verdict."""
    weaker, other = sorted((first, second), key=lambda o: o.verdict.strength)
    if weaker.verdict.denies:
        return weaker
    method = _methods(weaker, other)
    same = first.verdict is second.verdict
    parts = [o.evidence if same else f"{o.verdict}: {o.evidence}" for o in (first, second)]
    given = tuple(dict.fromkeys((*first.given, *second.given)))
    return replace(
        weaker,
        method=method,
        evidence="; ".join(dict.fromkeys(parts)),
        example=first.example or second.example,
        given=given,
        decided=(*first.decided, *second.decided),
        compared=tuple(dict.fromkeys((*first.compared, *second.compared))),
    )


def replayed(proof: Outcome, instances: Outcome) -> Outcome:
    """A proof for all parameters that exact instances confirm: the verdict is the proof's.

    A counterexample among the instances comes first, because a person can check it by hand; a formula that all
    instances admit is refuted all the same where its proof fails.

    Parameters
    ----------
    proof : Outcome
        Of `check_identities` or `check_implications`.
    instances : Outcome
        Of `check_family`.
    """
    if instances.counterexample is not None or proof.verdict is not Verdict.PROVED:
        return instances if instances.counterexample is not None else proof
    told = f"{proof.evidence}; replayed on {instances.evidence}"
    return replace(proof, evidence=told, compared=(*proof.compared, *instances.compared))
