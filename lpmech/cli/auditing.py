"""The command for other people's randomizers: `audit`."""

from __future__ import annotations

import csv
import shlex
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.cli.common import ASTRAY, OK, Epsilon, Ratio, Whole, level_of
from lpmech.cli.release import bytes_read, say
from lpmech.entries import open_probability
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from lpmech.audit.table import TableAudit
    from lpmech.entries import Array
    from lpmech.privacy import PrivacyLevel

__all__ = ["audit"]

#: What the rows of a printed table may miss one by.
_ROUNDING = Fraction(1, 100)


def audit(
    randomizer: str,
    *,
    labels: str | None = None,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    trials: Whole = 50_000,
    confidence: float = 0.99,
    timeout: float = 600.0,
) -> int:
    """Find the privacy level of somebody else's randomizer: exactly for a table, else bounds with a stated confidence.

    Parameters
    ----------
    randomizer
        CSV file with the released labels as header and the true ones as first column; a directory of a design; or a
        command that reads labels, one a line, and answers each with a line, such as "python mine.py --epsilon 1".
    labels
        The labels to ask a command for: a,b,c.
    epsilon
        The level that is claimed: exit code 1 if it is exceeded.
    trials
        How often a command is asked for each label, about, in each of two halves: one finds what to test, the other
        tests it. All questions are asked twice, of two processes: exit code 1, too, if their answers have a seed in
        common, or depend on other questions (the label before, an earlier answer, the place in the run).
    confidence
        Of all that is said of a command together.
    timeout
        Seconds until a process is stopped.
    """
    claimed = level_of(epsilon, ratio)
    path = Path(randomizer)
    if path.is_dir() or (path.is_file() and path.suffix.lower() == ".csv"):
        return _audit_table(path, claimed)
    if labels is None:
        raise InvalidInputError("labels", labels, f"labels a,b,c to ask the command for ({randomizer} is no table)")
    return _audit_command(randomizer, labels, claimed, trials, confidence, timeout)


def _audit_table(path: Path, claimed: PrivacyLevel | None) -> int:
    from lpmech.audit.table import audit_table

    found = _audit_design(path) if path.is_dir() else audit_table(*_printed_numbers(path))
    if found.ratio is None:
        say(f"not private at any level: {found.unlikely} is never released as {found.output}, {found.likely} sometimes")
    else:
        say(
            f"epsilon is exactly ln({_short(found.ratio)}), between {found.low!r} and {found.high!r}: "
            f"released label {found.output}, true labels {found.likely} and {found.unlikely}"
        )
    if not found.rows_sum_to_one:
        say("warning: the rows as printed do not sum to exactly one; the level is that of the printed numbers")
    if claimed is None:
        return OK
    if found.keeps(claimed.ratio_below):
        say(f"private at {claimed}, compared exactly")
        return OK
    say(f"NOT private at {claimed}")
    return ASTRAY


def _printed_numbers(path: Path) -> tuple[Array, list[str], list[str]]:
    """The numbers of a table exactly as printed, and the names of its rows and columns."""
    from lpmech.entries import as_array
    from lpmech.errors import ChannelError
    from lpmech.tables import read_entries

    inputs, outputs, entries = read_entries(path)
    for name, row in zip(inputs, entries, strict=True):
        if min(row) < 0 or abs(Fraction(sum(row)) - 1) > _ROUNDING:
            allowed = f"numbers that are not negative and sum to one within {float(_ROUNDING):g}, as rounded ones do"
            raise ChannelError("channel", f"{path}: row {name!r} with sum {float(sum(row)):g}", allowed)
    return as_array(entries, "channel", 2, ChannelError), inputs, outputs


def _audit_design(directory: Path) -> TableAudit:
    from lpmech.audit.table import audit_sets, audit_table
    from lpmech.release import Release
    from lpmech.release.label_sets import LabelSets

    mechanism = Release.load(directory).randomizer
    if isinstance(mechanism, LabelSets):
        return audit_sets(mechanism)
    return audit_table(mechanism.matrix, mechanism.inputs, mechanism.outputs)


def _audit_command(
    command: str, labels: str, claimed: PrivacyLevel | None, trials: int, confidence: float, timeout: float
) -> int:
    from lpmech.audit.black_box import audit_answers
    from lpmech.audit.randomizer import run_randomizer
    from lpmech.report.audits import audit_lines

    try:
        words = shlex.split(command)
    except ValueError as exc:
        raise InvalidInputError("randomizer", command, f"a command as a shell reads it ({exc})") from exc
    names = [name.strip() for name in next(csv.reader([labels], skipinitialspace=True), [])]
    open_probability(confidence, "confidence")
    with bytes_read("answers", 4 * trials * len(names)) as progress:
        answers = run_randomizer(words, names, trials, timeout=timeout, progress=progress)
    found = audit_answers(answers, confidence)
    for line in audit_lines(found):
        say(line)
    exceeded = claimed is not None and found.worst.low > claimed.epsilon
    if exceeded:
        say(f"NOT private at {claimed}")
    elif not found.is_honest:
        say("NOT independent answers: the level of a single one is not that of the program")
    elif claimed is not None:
        say(f"no violation of {claimed} found, which is no proof that there is none")
    return ASTRAY if exceeded or not found.is_honest else OK


def _short(ratio: Fraction) -> str:
    text = str(ratio)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"
