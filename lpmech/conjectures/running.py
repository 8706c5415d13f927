"""A whole check in a process of its own, which may take only so long; what was found until then is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from lpmech.conjectures.checks import Settled, check, requirements_of
from lpmech.conjectures.domain import LabelDomain, read_domain
from lpmech.conjectures.source import Conjecture, conjecture_from_file, conjecture_from_text
from lpmech.conjectures.statement import STATEMENT, check_statement, is_statement
from lpmech.errors import DataFileError, InvalidInputError
from lpmech.files.child import Send, in_own_process, within
from lpmech.files.guard import guarded_alone
from lpmech.verdicts import Outcome, Verdict

__all__ = ["Answers", "Request", "checked"]

#: Longest time for a solver.
_SOLVER_SECONDS = 10.0


@dataclass(frozen=True)
class Request:
    """What is to be checked.

    Attributes
    ----------
    conjecture : str
        A text, or the name of a Python file.
    params, where : tuple of str
        See `lpmech.conjectures.read_domain`.
    prior : str
        ``any`` or ``ordered``.
    utility : str or None
        Name of the utility.
    largest : int
        Largest number of labels of the family.
    timeout : float
        Seconds for everything.
    floats : str
        ``rounding`` or ``exact``: whether what floats miss by rounding is a failure, though it holds as a formula.
    """

    conjecture: str
    params: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    prior: str = "any"
    utility: str | None = None
    largest: int = 8
    timeout: float = 300.0
    floats: str = "rounding"


@dataclass(frozen=True)
class Answers:
    """The hypotheses in words, and what is required, with its verdicts."""

    domain: str
    settled: tuple[Settled, ...]


def checked(request: Request) -> Answers:
    """Run a check in a process with limits for time and memory.

    What is not settled in time are undecided.

    Raises
    ------
    LpmechError
        If the input is not usable.
    DataFileError
        If a file ends the process, or does not run in time.
    """

    domain: str | None = None
    required: list[str] = []
    settled: list[Settled] = []
    for item in in_own_process(partial(_sent, request), within(request.timeout), request.conjecture):
        if isinstance(item, Settled):
            settled.append(item)
        elif item is None:
            required = []
        else:
            domain, required = item
    if domain is None:
        raise DataFileError("conjecture", request.conjecture, f"one that is read within {request.timeout:g} seconds")
    late = Outcome(Verdict.UNDECIDED, "none", f"not settled within {request.timeout:g} seconds (--timeout)")
    names = {one.requirement for one in settled}
    return Answers(domain, (*settled, *(Settled(name, late, domain) for name in required if name not in names)))


def _sent(request: Request, send: Send) -> None:
    with guarded_alone() if request.conjecture.endswith(".py") else nullcontext():
        for item in _checking(request):
            send(item)


def _checking(request: Request) -> Iterator[Any]:
    """First the hypotheses in words and what is required, then what is settled, then None: nothing is missing."""
    domain = read_domain(request.params, request.where, request.prior)
    limit = min(_SOLVER_SECONDS, request.timeout / 4)
    if is_statement(request.conjecture):
        for name in ("utility", "prior", "largest", "floats"):
            value = getattr(request, name)
            if value != getattr(Request, name):
                raise InvalidInputError(name, value, "none: a statement speaks of no program")
        yield str(domain), [STATEMENT]
        yield check_statement(request.conjecture, domain, limit)
        yield None
        return
    if domain.vectors:
        raise InvalidInputError(
            "param", ", ".join(map(str, domain.vectors)), "vectors for a statement only: a relation"
        )
    conjecture = _read(request.conjecture, domain)
    yield conjecture.domain.about, requirements_of(conjecture)
    yield from check(conjecture, request.utility, request.largest, limit, request.floats == "exact")
    yield None


def _read(text: str, domain: LabelDomain) -> Conjecture:
    return conjecture_from_file(text, domain) if text.endswith(".py") else conjecture_from_text(text, domain)
