"""Claims: numbered statements of a paper, each with an executable check, and the verdicts checks return."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lpmech.errors import CertificateError, InfeasibleProgramError, InvalidInputError, LabelError, NotInvertibleError

__all__ = [
    "Verdict",
    "Outcome",
    "Claim",
    "Paper",
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
        For a refuted claim: id of the claim that states the repair.
    note : str
        Reading, consequence or remark.
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

    def run(self) -> Outcome:
        """Check the paper's formula."""
        return self.check(self.formula)

    def rejects(self, formula: Any) -> bool:
        """Whether the check refutes a formula.

        A typed error that says what is wrong with it counts: the formula is no channel at all, or proves nothing. An
        undecided question does not, nor a solver that gives up; such an error is passed on.
        """
        try:
            return self.check(formula).verdict is Verdict.REFUTED
        except _REJECTIONS:
            return True


#: Errors that say what is wrong with a formula.
_REJECTIONS = (InvalidInputError, CertificateError, NotInvertibleError, InfeasibleProgramError)


def _unset(_: Any) -> Outcome:
    raise LabelError("check", None, "a decorated function")


_PENDING = Claim("", "", "", "", Verdict.UNCLEAR, _unset, None, {})


class Paper:
    """The claims of one paper, in the paper's order.

    Parameters
    ----------
    key, title : str
        Key (``"liu2026"``) and full title with authors.
    """

    def __init__(self, key: str, title: str) -> None:
        self.key = key
        self.title = title
        self.claims: dict[str, Claim] = {}
        self.not_checkable: dict[str, str] = {}

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
            If the id is taken, there is no mutant, or a refuted claim lacks its control or its repair.
        """
        if not mutants:
            raise LabelError("mutants", mutants, f"at least one mutant for {self.key} {id}")
        if recorded == Verdict.REFUTED and (control is None or repaired_by is None):
            raise LabelError("repaired_by", repaired_by, f"a control and a repair for the refuted {self.key} {id}")

        if id in self.claims:
            raise LabelError("id", id, "an id not used before in this paper")
        # Stacked decorators are evaluated from the top and applied from the bottom: the place is taken here, so
        # that claims stand in the order in which they are read.
        self.claims[id] = _PENDING

        def register(check: Callable[[Any], Outcome]) -> Callable[[Any], Outcome]:
            check.__doc__ = check.__doc__ or statement
            self.claims[id] = Claim(
                self.key, id, statement, hypotheses, Verdict(recorded), check, formula, dict(mutants),
                control, repaired_by, note,
            )  # fmt: skip
            return check

        return register

    def leave_out(self, item: str, why: str) -> None:
        """List an item that no machine can check, with the reason."""
        self.not_checkable[item] = why
