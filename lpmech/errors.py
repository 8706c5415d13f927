"""Typed errors: each names the argument, the offending value and what is allowed."""

from __future__ import annotations

import re

__all__ = [
    "LpmechError",
    "InvalidInputError",
    "PrivacyLevelError",
    "PriorError",
    "UtilityError",
    "ChannelError",
    "LabelError",
    "BlockError",
    "DataFileError",
    "ProgramError",
    "FormulaError",
    "NotationError",
    "MissingDependencyError",
    "NotInvertibleError",
    "InfeasibleProgramError",
    "SolverError",
    "UndecidedError",
    "CertificateError",
    "ReleaseError",
    "SpentError",
    "TelltaleError",
    "shown",
    "visible",
]


class LpmechError(Exception):
    """Base class of every error that lpmech raises on purpose."""


class InvalidInputError(LpmechError, ValueError):
    """An argument has a value that is not allowed.

    Parameters
    ----------
    argument : str
        Name of the offending argument.
    value : object
        The value that was given (shown shortened).
    allowed : str
        What would have been accepted.
    """

    def __init__(self, argument: str, value: object, allowed: str) -> None:
        self.argument = argument
        self.value = value
        self.allowed = allowed
        super().__init__(f"{argument}: got {shown(value)}; allowed: {allowed}")

    def __reduce__(self) -> tuple[type, tuple[str, object, str]]:
        return type(self), (self.argument, self.value, self.allowed)


class PrivacyLevelError(InvalidInputError):
    """Epsilon or e^epsilon is zero, negative, NaN or infinite."""


class PriorError(InvalidInputError):
    """A prior is negative somewhere, has the wrong size or does not sum to one."""


class UtilityError(InvalidInputError):
    """A utility has the wrong shape or an entry that is not a finite number."""


class ChannelError(InvalidInputError):
    """A matrix is not a channel: negative entries or rows that do not sum to one."""


class LabelError(InvalidInputError):
    """A label is unknown, duplicated or missing."""


class BlockError(InvalidInputError):
    """The blocks of BlockRR overlap, miss labels or have impossible sizes."""


class DataFileError(InvalidInputError):
    """A data file is missing, unreadable, empty or malformed."""


class ProgramError(InvalidInputError):
    """A program is stated inconsistently (an unknown output, a fixed entry outside [0, 1], ...)."""


class FormulaError(InvalidInputError):
    """A formula has a part outside the language of `lpmech.prove.language`."""


class NotationError(InvalidInputError):
    """A text has mathematics that is not marked, or that is outside of the notation of `lpmech.mathematics.reader`."""


class PrivacyWarning(UserWarning):
    """A release shows, or spends, more than its level says."""


class MissingDependencyError(LpmechError, ImportError):
    """An optional library is not installed.

    Parameters
    ----------
    library : str
        Name of the distribution.
    extra : str
        The extra of lpmech that brings it.
    """

    def __init__(self, library: str, extra: str) -> None:
        self.library = library
        self.extra = extra
        super().__init__(f"{library} is not installed; it comes with: pip install 'lpmech[{extra}]'")

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.library, self.extra)


class NotInvertibleError(LpmechError):
    """A channel merges inputs, so that no unbiased decoding exists."""


class InfeasibleProgramError(LpmechError):
    """No channel satisfies the constraints of the program."""


class SolverError(LpmechError):
    """A solver stopped without an optimum, or its answer did not survive the check."""


class UndecidedError(LpmechError):
    """A question was put to a prover, or to interval arithmetic, and neither answer was proved."""


class CertificateError(LpmechError):
    """A certificate does not prove what it states."""


class ReleaseError(InvalidInputError):
    """A release does not keep what it states, or states it in another form."""


class SpentError(LpmechError):
    """Labels have been released before: to release them again spends their privacy again."""


class TelltaleError(LpmechError):
    """What would be released beside a random label tells the true one."""


_FRACTION = re.compile(r"\bFraction\((-?\d+), (\d+)\)")


def _written(fraction: re.Match[str]) -> str:
    numerator, denominator = fraction.groups()
    return numerator if denominator == "1" else f"{numerator}/{denominator}"


def shown(value: object, limit: int = 120) -> str:
    """A value for a message: on one line, fractions as a/b, shortened; never an error of its own."""
    try:
        text = _FRACTION.sub(_written, " ".join(repr(value).split()))
    except Exception as exc:  # an int of more than 4300 digits, or somebody else's __repr__
        text = f"a value of type {type(value).__name__} that cannot be shown ({type(exc).__name__})"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def visible(text: str) -> str:
    """The text with what cannot be printed, but for line breaks, as Python writes it: an escape is \\x1b."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text)
