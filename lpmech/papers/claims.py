"""Claims: numbered statements of a paper, each with an executable check, and the verdicts checks return."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lpmech.errors import ChannelError, LabelError, PriorError

__all__ = [
    "Verdict",
    "Outcome",
    "Claim",
    "Paper",
    "papers_made",
    "proved",
    "certified",
    "supported",
    "refuted",
    "unclear",
]


class Verdict(StrEnum):
    """What running a claim established."""

    PROVED = "proved"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNCLEAR = "unclear"
    UNDECIDED = "undecided"


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
    """

    verdict: Verdict
    method: str
    evidence: str
    counterexample: str | None = None
    readings: Mapping[str, Outcome] = field(default_factory=dict)
    example: str | None = None


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
    """An exact counterexample exists."""
    return Outcome(Verdict.REFUTED, method, evidence, counterexample)


def unclear(readings: Mapping[str, Outcome]) -> Outcome:
    """The text admits several readings; refuted when every one of them fails."""
    parts = "; ".join(f"[{text}] {outcome.verdict}: {outcome.evidence}" for text, outcome in readings.items())
    failures = [o for o in readings.values() if o.verdict is Verdict.REFUTED]
    method = ", ".join(dict.fromkeys(o.method for o in readings.values()))
    counterexample = "; ".join(o.counterexample or "" for o in failures) or None
    verdict = Verdict.REFUTED if len(failures) == len(readings) else Verdict.UNCLEAR
    return Outcome(verdict, method, parts, counterexample, dict(readings))


@dataclass(frozen=True)
class Claim:
    """One statement of a paper and the check that settles it.

    Attributes
    ----------
    paper : str
        Key of the paper.
    id : str
        The paper's own number, with a few words where one number carries several statements.
    statement : str
        One line of LaTeX-flavoured text.
    hypotheses : str
        Under which conditions the statement is read.
    recorded : Verdict
        The verdict on record; a run that returns another one is a regression.
    check : callable
        Takes the formula under test, returns an `Outcome`.
    formula : object
        The formula as the paper states it.
    mutants : mapping
        Wrong formulas, by name, which the check must refute.
    control : object or None
        For a refuted claim: a right formula, which the same check must not refute.
    repaired_by : str or None
        For a refuted claim: id of the claim that states the repair; None where none is known.
    note : str
        Reading, consequence or remark.
    source : str
        File and line where the claim stands, ``"file:line"``.
    """

    paper: str
    id: str
    statement: str
    hypotheses: str
    recorded: Verdict
    check: Callable[[Any], Outcome]
    formula: Any
    mutants: Mapping[str, Any]
    control: Any = None
    repaired_by: str | None = None
    note: str = ""
    source: str = ""

    def run(self) -> Outcome:
        """Check the paper's formula.

        Raises
        ------
        LabelError
            If the check returns anything but an `Outcome`.
        """
        return self.outcome_of(self.formula)

    def outcome_of(self, formula: Any) -> Outcome:
        """Check any formula: the paper's, a mutant, or one of the reader's own.

        Raises
        ------
        LabelError
            If the check returns anything but an `Outcome`.
        """
        outcome = self.check(formula)
        if not isinstance(outcome, Outcome):
            raise LabelError("check", outcome, "an Outcome: return what check_identities, proved, refuted ... give")
        return outcome

    def fate_of(self, formula: Any) -> Fate:
        """What becomes of a formula that is meant to be wrong.

        It dies by a refutation, whose counterexample is told, or because it is no channel or no prior at all. An
        undecided question is no death, nor a solver that gives up; such an error is passed on.
        """
        try:
            outcome = self.outcome_of(formula)
        except _NO_CHANNEL as exc:
            return Fate(True, str(exc))
        return Fate(outcome.verdict is Verdict.REFUTED, outcome.counterexample or outcome.evidence)

    def rejects(self, formula: Any) -> bool:
        """Whether the check refutes a formula; see `fate_of`."""
        return self.fate_of(formula).rejected


@dataclass(frozen=True)
class Fate:
    """What became of a formula that is meant to be wrong.

    Attributes
    ----------
    rejected : bool
        Whether the check refuted it.
    how : str
        The counterexample that it died by, or what the check says in its favour.
    """

    rejected: bool
    how: str


#: Errors that show where a formula is wrong: a row that does not sum to one, a negative entry.
_NO_CHANNEL = (ChannelError, PriorError)

#: The verdicts that can be on record.
_RECORDABLE = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.SUPPORTED, Verdict.REFUTED, Verdict.UNCLEAR)


def _unset(_: Any) -> Outcome:
    raise LabelError("check", None, "a decorated function")


_PENDING = Claim("", "", "", "", Verdict.UNCLEAR, _unset, None, {})

_made: ContextVar[list[Paper] | None] = ContextVar("papers made", default=None)


@contextmanager
def papers_made() -> Iterator[list[Paper]]:
    """The papers that are constructed inside the block, also those whose name is overwritten later."""
    found: list[Paper] = []
    token = _made.set(found)
    try:
        yield found
    finally:
        _made.reset(token)


class Paper:
    """The claims of one paper, in the paper's order.

    Parameters
    ----------
    key, title : str
        Key (``"liu2026"``) and full title with authors.

    Attributes
    ----------
    file : str
        The file in which the paper is made.
    """

    def __init__(self, key: str, title: str) -> None:
        self.key = key
        self.title = title
        self.file, _ = _caller()
        self.claims: dict[str, Claim] = {}
        self.not_checkable: dict[str, str] = {}
        made = _made.get()
        if made is not None:
            made.append(self)

    def claim(
        self,
        id: str,
        statement: str,
        *,
        recorded: str,
        formula: Any,
        mutants: Mapping[str, Any],
        hypotheses: str = "",
        control: Any = None,
        repaired_by: str | None = None,
        note: str = "",
    ) -> Callable[[Callable[[Any], Outcome]], Callable[[Any], Outcome]]:
        """Register the decorated check; see `Claim` for the arguments.

        Raises
        ------
        LabelError
            If the id is taken, there is no mutant, no such verdict, or a repair where nothing is refuted.
        """
        if not mutants:
            raise LabelError("mutants", mutants, f"at least one mutant for {self.key} {id}")
        if recorded not in _RECORDABLE:
            raise LabelError("recorded", recorded, f"one of {', '.join(_RECORDABLE)} for {self.key} {id}")
        if repaired_by is not None and recorded != Verdict.REFUTED:
            raise LabelError("repaired_by", repaired_by, f"no repair, as {self.key} {id} is not recorded as refuted")
        if id in self.claims:
            raise LabelError("id", id, "an id not used before in this paper")
        # Stacked decorators are evaluated from the top and applied from the bottom: the place is taken here, so
        # that claims stand in the order in which they are read.
        self.claims[id] = _PENDING
        file, line = _caller()

        def register(check: Callable[[Any], Outcome]) -> Callable[[Any], Outcome]:
            check.__doc__ = check.__doc__ or statement
            self.claims[id] = Claim(
                self.key, id, statement, hypotheses, Verdict(recorded), check, formula, dict(mutants),
                control, repaired_by, note, f"{file}:{line}",
            )  # fmt: skip
            return check

        return register

    def leave_out(self, item: str, why: str) -> None:
        """List an item that no machine can check, with the reason."""
        self.not_checkable[item] = why


def _caller() -> tuple[str, int]:
    """File and line of the code outside this module that called a method here."""
    frame = sys._getframe(2)
    return frame.f_code.co_filename, frame.f_lineno
