"""What an assertion returns, or raises, of a statement that is settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from lpmech.errors import InvalidInputError
from lpmech.statements.domain import Domain
from lpmech.statements.following import Called
from lpmech.statements.numbers import Requirements
from lpmech.statements.settling import settle
from lpmech.statements.statement import FailsError, Found, Statement
from lpmech.testing.results import Checked, FailedAssertionError, noted
from lpmech.verdicts import Verdict

__all__ = ["How", "checked", "enough"]

_ENOUGH = [str(verdict) for verdict in Verdict if verdict.holds]


class How(TypedDict, total=False):
    """What every assertion takes besides.

    Attributes
    ----------
    require : str
        ``"proved"``, ``"certified"`` or ``"supported"`` (default): with a weaker verdict the assertion fails.
    floats : str
        Where a function misses by the rounding of its floats what holds of it as a formula, ``"rounding"`` (default)
        says so and passes, and ``"exact"`` fails: it is the floats that are asserted.
    """

    require: Literal["proved", "certified", "supported"]
    floats: Literal["rounding", "exact"]


def checked(
    text: str,
    requirements: Requirements,
    functions: Sequence[Called],
    domain: Domain,
    how: How,
    only_called: Sequence[Called] = (),
) -> Checked:
    """Settle a statement; see `lpmech.statements.statement.Statement`.

    Raises
    ------
    FailedAssertionError
        If it is false at a point, or the verdict is weaker than what is required.
    InvalidInputError
        If `how` is not usable.
    """
    __tracebackhide__ = True
    allowed: Mapping[str, Sequence[str]] = {"require": _ENOUGH, "floats": ["rounding", "exact"]}
    for name, value in how.items():
        if name not in allowed:
            raise TypeError(f"an assertion has no argument {name!r}")
        if value not in allowed[name]:
            raise InvalidInputError(name, value, " or ".join(map(repr, allowed[name])))
    try:
        statement = Statement(text, domain, requirements, functions, only_called=only_called)
        found = settle(statement, how.get("floats") == "exact")
    except FailsError as exc:
        raise FailedAssertionError.of(text, exc) from None
    return enough(text, found, how)


def enough(text: str, found: Found, how: How) -> Checked:
    """A verdict as the result of an assertion.

    Raises
    ------
    FailedAssertionError
        If it is weaker than what is required.
    """
    __tracebackhide__ = True
    result = Checked(text, found.verdict, found.evidence)
    required = how.get("require", "supported")
    if found.verdict.strength < Verdict(required).strength:
        raise FailedAssertionError(f"{required}: {text}", f"only {found.verdict} ({found.evidence})")
    return noted(result)
