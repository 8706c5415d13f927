"""For which parameters a statement of one's own holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lpmech.certify.proofs import RefusedProofError, check
from lpmech.conditions import Condition, NotSolvedError, condition
from lpmech.conjectures.domain import read_domain
from lpmech.conjectures.named import spelled_out
from lpmech.entries import positive_number
from lpmech.errors import InvalidInputError, UndecidedError
from lpmech.limits import time_limit
from lpmech.prove.from_sympy import term_of
from lpmech.prove.objects import Node as Step
from lpmech.prove.objects import to_data
from lpmech.terms import Node, names_in
from lpmech.terms.reader import read_condition

__all__ = ["Found", "offered", "when"]


@dataclass(frozen=True)
class Found:
    """For which parameters a statement holds.

    Attributes
    ----------
    statement : str
    domain : str
        The parameters and hypotheses.
    condition : Condition
    hypotheses : tuple of terms
    whole : frozenset of str
        The parameters that are whole numbers.
    """

    statement: str
    domain: str
    condition: Condition
    hypotheses: tuple[Node, ...] = ()
    whole: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.statement}: {self.condition}; for {self.domain}"

    def proofs(self) -> list[tuple[str, Step]]:
        """Both directions with their proofs as objects.

        Raises
        ------
        InvalidInputError
            If there are none: what is proved by cells, by monotone pieces, by signs of factors, with floors as whole
            numbers, or by undoing a function, has no object, nor has what two SMT solvers say; or if the checker does
            not follow one.
        """
        found = self.condition
        if not found.proofs or found.is_undone:
            how = f"proved by {found.method}, which has" if found.is_proved else "not proved, and has"
            raise InvalidInputError("proof", self.statement, f"a condition with a proof object; this one is {how} none")
        for name, one in found.proofs:
            try:
                _, unchecked = check(to_data(one.proof))
            except RefusedProofError as exc:
                allowed = f"a condition of which the checker follows the proof; not that of {name!r}: {exc}"
                raise InvalidInputError("proof", self.statement, allowed) from None
            if unchecked:
                relied = " and ".join(unchecked)
                allowed = f"a condition with a proof object; that of {name!r} relies on {relied}, which has none"
                raise InvalidInputError("proof", self.statement, allowed)
        return [(name, one.proof) for name, one in found.proofs]

    @property
    def as_row(self) -> dict[str, Any]:
        """For JSON."""
        found = self.condition
        return {
            "statement": self.statement,
            "domain": self.domain,
            "holds": str(found),
            "condition": found.told,
            "necessary": bool(found.necessary),
            "sufficient": bool(found.sufficient),
            "proved": found.is_proved,
            "simpler": found.is_simpler,
            "method": found.method,
            "details": list(found.details),
        }


def when(
    statement: str,
    param: Sequence[str] = (),
    where: Sequence[str] = (),
    solve: str | None = None,
    timeout_seconds: float = 60.0,
) -> Found:
    """The exact set of parameters, within the hypotheses, at which a statement holds.

    Parameters
    ----------
    statement : str
        As `lpmech check` reads it: ``"t/(t+K-1) >= 1/4"``, for real t > 1 and whole K >= 2.
    param, where : sequence of str
        Parameters of one's own and hypotheses; see `read_domain`.
    solve : str, optional
        The parameter to solve for; default: whichever gives the simplest condition.
    timeout_seconds : float
        Of processor time, for all of it.

    Returns
    -------
    Found
        Its ``condition.is_proved`` says whether both directions are proved.

    Raises
    ------
    FormulaError
        If a text is outside the language.
    InvalidInputError
        If `solve` is no parameter, a parameter is a vector, or `timeout_seconds` is not positive.
    NotSolvedError
        If no condition was found.
    UndecidedError
        If it took too long.

    Examples
    --------
    >>> print(when("t/(t+K-1) >= 1/4").condition)
    if and only if t >= (K - 1)/3
    >>> print(when("2*K >= 17").condition)
    if and only if K >= 9
    """
    positive_number(timeout_seconds, "timeout_seconds")
    domain = read_domain(param, where)
    if domain.vectors:
        raise InvalidInputError("param", str(domain.vectors[0]), "numbers; conditions on vectors are not solved for")
    node = read_condition(spelled_out(statement, "statement"), domain.names, "statement")
    too_long = UndecidedError(f"no condition within {timeout_seconds:g} seconds of processor time")
    if solve is not None and solve not in names_in(node):
        allowed = f"one of {', '.join(sorted(names_in(node)))}, which the statement is about"
        raise InvalidInputError("solve", solve, allowed)
    with time_limit(timeout_seconds, too_long):
        hypotheses = list(map(term_of, domain.hypotheses))
        whole = frozenset(p.name for p in domain.parameters if p.whole)
        found = condition(node, hypotheses, whole=whole, solve=solve)
    if idle := [p.name for p in domain.own if p.name not in names_in(node).union(*_among(hypotheses, p.name))]:
        found = replace(found, details=(*found.details, f"the statement is not about {', '.join(idle)}"))
    return Found(statement, str(domain), found, tuple(hypotheses), whole)


def _among(hypotheses: Sequence[Node], name: str) -> list[set[str]]:
    """The names in hypotheses that relate a parameter to others."""
    return [names for one in hypotheses if len(names := names_in(one)) > 1 and name in names]


def offered(
    statement: str, param: Sequence[str] = (), where: Sequence[str] = (), timeout_seconds: float = 5.0
) -> Found | None:
    """For which parameters a refuted statement holds; None where that cannot be solved for, or is not proved one way.

    Raises
    ------
    UndecidedError
        If it takes longer.
    """
    try:
        found = when(statement, param, where, timeout_seconds=timeout_seconds)
    except (InvalidInputError, NotSolvedError):
        return None
    says_more = found.condition.is_simpler and (found.condition.necessary or found.condition.sufficient)
    return found if says_more else None
