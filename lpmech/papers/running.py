"""Running claims: one at a time, or many in parallel, with or without their mutants."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lpmech.errors import LabelError, LpmechError
from lpmech.papers import load_paper
from lpmech.papers.claims import Claim, Verdict

__all__ = ["ClaimResult", "select_claims", "run_claim", "run_claims"]

#: What a broken check can raise; it becomes the row's verdict "error" so that no other result is lost.
_FAILURES = (LpmechError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError, RuntimeError)


@dataclass(frozen=True)
class ClaimResult:
    """What running one claim gave.

    Attributes
    ----------
    paper, id, statement, hypotheses, method, evidence, note : str
        As in `Claim` and `Outcome`.
    verdict, recorded : str
        The verdict of this run (or ``"error"``) and the one on record.
    counterexample, repaired_by : str or None
        For a refuted claim.
    seconds : float
        Wall time of the check and its mutants.
    mutants : int
        How many wrong formulas the claim carries.
    mutants_rejected : int or None
        How many of them the check refuted; None if they were not run.
    complaints : tuple of str
        Self-test findings: accepted mutants, a refused control, a repair that is not proved or certified.
    """

    paper: str
    id: str
    statement: str
    hypotheses: str
    verdict: str
    recorded: str
    method: str
    evidence: str
    counterexample: str | None
    repaired_by: str | None
    note: str
    seconds: float
    mutants: int
    mutants_rejected: int | None
    complaints: tuple[str, ...]

    @property
    def as_recorded(self) -> bool:
        """Whether the verdict is the recorded one and the self-test, if run, has no complaint."""
        return self.verdict == self.recorded and not self.complaints

    def row(self) -> dict[str, Any]:
        """The JSON row of this result."""
        keys = (
            "paper", "id", "statement", "hypotheses", "verdict", "recorded", "method", "evidence", "counterexample",
            "repaired_by", "note", "seconds", "mutants", "mutants_rejected",
        )  # fmt: skip
        return {key: getattr(self, key) for key in keys}


def select_claims(papers: Sequence[str], only: Sequence[str] = ()) -> list[tuple[str, str]]:
    """(paper, id) of the claims to run.

    Parameters
    ----------
    papers : sequence of str
        Keys of the papers.
    only : sequence of str
        Ids; an id that is no exact match selects every claim whose id contains it, case ignored.

    Raises
    ------
    LabelError
        If a paper is unknown or an id matches nothing.
    """
    every = [(key, id) for key in papers for id in load_paper(key).claims]
    if not only:
        return every
    chosen: list[tuple[str, str]] = []
    for wanted in only:
        exact = [pair for pair in every if pair[1] == wanted]
        found = exact or [pair for pair in every if wanted.lower() in pair[1].lower()]
        if not found:
            raise LabelError("only", wanted, f"an id (or part of one) of a claim of {', '.join(papers)}")
        chosen += [pair for pair in found if pair not in chosen]
    return chosen


def run_claim(paper: str, id: str, self_test: bool) -> ClaimResult:
    """Run one claim; with `self_test` its mutants, its control and its repair as well."""
    claim = load_paper(paper).claims[id]
    start = time.perf_counter()
    try:
        outcome = claim.run()
        verdict, method, evidence = str(outcome.verdict), outcome.method, outcome.evidence
        counterexample = outcome.counterexample
    except _FAILURES as exc:
        verdict, method, evidence, counterexample = "error", type(exc).__name__, str(exc), None
    rejected, complaints = _self_test(claim) if self_test else (None, ())
    return ClaimResult(
        paper=paper,
        id=id,
        statement=claim.statement,
        hypotheses=claim.hypotheses,
        verdict=verdict,
        recorded=str(claim.recorded),
        method=method,
        evidence=evidence,
        counterexample=counterexample,
        repaired_by=claim.repaired_by,
        note=claim.note,
        seconds=round(time.perf_counter() - start, 3),
        mutants=len(claim.mutants),
        mutants_rejected=rejected,
        complaints=complaints,
    )


def _self_test(claim: Claim) -> tuple[int, tuple[str, ...]]:
    answers = {name: _rejects(claim, formula) for name, formula in claim.mutants.items()}
    accepted = [name for name, answer in answers.items() if answer is not True]
    complaints = [
        f"accepts the mutant {name!r}" + (f" ({answers[name]})" if answers[name] else "") for name in accepted
    ]
    if claim.control is not None and (answer := _rejects(claim, claim.control)):
        complaints.append("refuses its control" if answer is True else f"control: {answer}")
    if claim.repaired_by is not None:
        repair = load_paper(claim.paper).claims.get(claim.repaired_by)
        if repair is None or repair.recorded not in (Verdict.PROVED, Verdict.CERTIFIED):
            complaints.append(f"repair {claim.repaired_by!r} is not a proved or certified claim")
    return len(claim.mutants) - len(accepted), tuple(complaints)


def _rejects(claim: Claim, formula: Any) -> bool | str:
    """Whether the check refutes the formula, or the error that kept it from an answer."""
    try:
        return claim.rejects(formula)
    except _FAILURES as exc:
        return f"{type(exc).__name__}: {exc}"


def run_claims(selection: Sequence[tuple[str, str]], jobs: int, self_test: bool) -> Iterator[ClaimResult]:
    """Run claims in `jobs` processes, yielding results in the order of `selection` as they are ready."""
    if jobs == 1:
        yield from (run_claim(paper, id, self_test) for paper, id in selection)
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, return_as="generator", batch_size=4)
    yield from parallel(delayed(run_claim)(paper, id, self_test) for paper, id in selection)
