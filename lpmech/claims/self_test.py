"""The self-test of a claim: its check rejects wrong formulas, those written in it and those derived from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lpmech.claims.claim import Claim, Fate
from lpmech.claims.derived import SAMPLE, SAMPLE_SECONDS, SECONDS, DerivedFates, derived_fates
from lpmech.claims.paper import Paper
from lpmech.verdicts import Verdict

__all__ = ["FAILURES", "NOT_TESTED", "SelfTest", "Trial", "self_tested"]

#: What a broken check can raise: anybody's code may raise anything, even leave the interpreter. It is a result like
#: another, so that no other one is lost.
FAILURES = (Exception, SystemExit)


class SelfTest(StrEnum):
    """How much of the self-test is run: nothing; all written mutants and a sample of the derived ones; all."""

    NONE = "none"
    SAMPLED = "sampled"
    FULL = "full"


@dataclass(frozen=True)
class Trial:
    """What a self-test gave.

    Attributes
    ----------
    fates : mapping of str to Fate
        Of every written mutant.
    derived : mapping of str to int
        How many derived mutants had which fate.
    complaints : tuple of str
        What makes the check one that can fail to notice an error.
    """

    fates: Mapping[str, Fate] = field(default_factory=dict)
    derived: Mapping[str, int] = field(default_factory=dict)
    complaints: tuple[str, ...] = ()

    @property
    def rejected(self) -> int:
        """How many written mutants the check refuted."""
        return sum(fate.rejected for fate in self.fates.values())

    @property
    def told(self) -> dict[str, str]:
        """Of every written mutant, what it died by, or that it did not."""
        return {name: ("" if fate.rejected else "NOT REJECTED: ") + fate.how for name, fate in self.fates.items()}


NOT_TESTED = Trial()


def self_tested(paper: Paper, claim: Claim, self_test: SelfTest) -> Trial:
    """Hand wrong formulas to a claim's check, and look at its control, its repair and what it refers to.

    Parameters
    ----------
    paper : Paper
        The paper of the claim.
    claim : Claim
    self_test : SelfTest
        Of the derived mutants a sample, or all.
    """
    limits = (None, SECONDS) if self_test is SelfTest.FULL else (SAMPLE, SAMPLE_SECONDS)
    fates = {name: _fate(claim, formula) for name, formula in claim.mutants.items()}
    derived = derived_fates(claim, *limits)
    complaints = (*_not_rejected(paper, claim, fates, derived), *_not_in_order(paper, claim))
    return Trial(fates, derived.counts, complaints)


def _fate(claim: Claim, formula: Any) -> Fate:
    """What became of the formula; an error that kept the check from an answer is no rejection."""
    try:
        return claim.fate_of(formula)
    except FAILURES as exc:
        return Fate(False, f"{type(exc).__name__}: {exc}")


def _not_rejected(paper: Paper, claim: Claim, fates: Mapping[str, Fate], derived: DerivedFates) -> Iterator[str]:
    for name, fate in fates.items():
        if not fate.rejected:
            yield f"does not reject the mutant {name!r} ({fate.how})"
    for name, how in derived.accepted.items():
        yield f"accepts the derived mutant {name!r} ({how})"
    repair = paper.repair_of(claim.id)
    if not fates and not derived.killed and (repair is None or repair.check is not claim.check):
        yield "rejects no wrong formula: none is written in it, and of the derived ones none is refuted"


def _not_in_order(paper: Paper, claim: Claim) -> Iterator[str]:
    if claim.control is not None:
        try:
            if claim.rejects(claim.control):
                yield "refuses its control"
        except FAILURES as exc:
            yield f"control: {type(exc).__name__}: {exc}"
    for id in claim.repairs:
        if id not in paper.claims or paper.claims[id].recorded is not Verdict.REFUTED:
            yield f"repairs {id!r}, which is no refuted claim"
    if claim.repairs and claim.recorded not in (Verdict.PROVED, Verdict.CERTIFIED):
        yield "is a repair that is neither proved nor certified"
    for id in claim.uses:
        if id not in paper.claims:
            yield f"uses {id!r}, which is no claim of {paper.key}"
