"""What an assertion returns, and what it raises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lpmech.statements.numbers import TOLERANCE
from lpmech.statements.statement import FailsError
from lpmech.verdicts import Verdict

__all__ = ["Checked", "FailedAssertionError", "TOLERANCE", "taken"]

#: The verdicts on assertions since somebody took them: pytest's plugin, after each test.
_verdicts: list[str] = []


def noted(found: Checked) -> Checked:
    """The result, which counts for the summary of pytest."""
    _verdicts.append(str(found.verdict))
    return found


def taken() -> list[str]:
    """The verdicts on assertions since the last call."""
    found = _verdicts.copy()
    _verdicts.clear()
    return found


@dataclass(frozen=True)
class Checked:
    """An assertion that did not fail: how much of it was proved, and how much was only sampled.

    Attributes
    ----------
    statement : str
        What was asserted.
    verdict : Verdict
        ``proved``: on the whole domain. ``certified``: exact arithmetic, at some points or values of the domain only.
        ``supported``: floats, up to `TOLERANCE`.
    evidence : str
        What was covered and how.

    Examples
    --------
    >>> from lpmech.testing import assert_channel
    >>> print(assert_channel([["1/3", "2/3"], ["1/2", "1/2"]]))
    a channel: proved (exact arithmetic on every entry)
    """

    statement: str
    verdict: Verdict
    evidence: str

    def __str__(self) -> str:
        only = "" if self.verdict is Verdict.PROVED else "not proved, only "
        return f"{self.statement}: {only}{self.verdict} ({self.evidence})"


class FailedAssertionError(AssertionError):
    """What was asserted is false; the message shows where.

    Parameters
    ----------
    statement : str
        What was asserted.
    detail : str
        What is wrong, in numbers.
    point : mapping, optional
        Values of the parameters of the domain at which it is.
    better : object
        The better channel, of `lpmech.testing.assert_optimal`; the worth of outputs, of
        `lpmech.testing.assert_dominates`.
    """

    def __init__(
        self, statement: str, detail: str, point: Mapping[str, Any] | None = None, better: object = None
    ) -> None:
        self.statement = statement
        self.detail = detail
        self.point = dict(point or {})
        self.better = better
        where = ", ".join(f"{name} = {value}" for name, value in self.point.items())
        lines = [f"not {statement}", *([f"at {where}:"] if where else []), *detail.splitlines()]
        super().__init__("\n  ".join(lines))

    @classmethod
    def of(cls, statement: str, failed: FailsError, more: str = "") -> FailedAssertionError:
        """The error of a statement that is false."""
        witness = failed.witness
        if failed.note:
            return cls(statement, failed.note)
        return cls(statement, f"{witness.told}\n{more}".strip(), witness.point, witness.place.get("better"))

    def __reduce__(self) -> tuple[type, tuple[str, str, dict[str, Any], object]]:
        return type(self), (self.statement, self.detail, self.point, self.better)
