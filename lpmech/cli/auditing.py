"""The command for other people's randomizers: `audit`."""

from __future__ import annotations

import csv
import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from lpmech.cli.common import ASTRAY, OK, Epsilon, Ratio, level_of
from lpmech.cli.release import bytes_read, say
from lpmech.errors import InvalidInputError

if TYPE_CHECKING:
    from fractions import Fraction

    from lpmech.privacy import PrivacyLevel

__all__ = ["audit"]


def audit(
    randomizer: str,
    *,
    labels: str | None = None,
    epsilon: Epsilon | None = None,
    ratio: Ratio = None,
    trials: int = 50_000,
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
        How often a command is asked for each label, in each of two halves: one finds what to test, the other tests it.
    confidence
        Of the bounds for a command, both together.
    timeout
        Seconds until a command is stopped.
    """
    claimed = level_of(epsilon, ratio)
    path = Path(randomizer)
    if path.is_dir() or (path.is_file() and path.suffix.lower() == ".csv"):
        return _audit_table(path, claimed)
    if labels is None:
        raise InvalidInputError("labels", labels, f"labels a,b,c to ask the command for ({randomizer} is no table)")
    return _audit_command(randomizer, labels, claimed, trials, confidence, timeout)


def _audit_table(path: Path, claimed: PrivacyLevel | None) -> int:
    from lpmech.audit.table import audit_sets, audit_table
    from lpmech.release import Release
    from lpmech.release.label_sets import LabelSets
    from lpmech.tables import read_channel

    randomizer = Release.load(path).randomizer if path.is_dir() else read_channel(path)
    found = audit_sets(randomizer) if isinstance(randomizer, LabelSets) else audit_table(randomizer)
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


def _audit_command(
    command: str, labels: str, claimed: PrivacyLevel | None, trials: int, confidence: float, timeout: float
) -> int:
    from lpmech.audit.black_box import audit_counts
    from lpmech.audit.randomizer import run_randomizer

    try:
        words = shlex.split(command)
    except ValueError as exc:
        raise InvalidInputError("randomizer", command, f"a command as a shell reads it ({exc})") from exc
    names = [name.strip() for name in next(csv.reader([labels], skipinitialspace=True), [])]
    with bytes_read("answers", 2 * trials * len(names)) as progress:
        first, second, outputs = run_randomizer(words, names, trials, timeout=timeout, progress=progress)
    found = audit_counts(first, second, names, outputs, confidence)
    high = f"{_up(found.high)}" if math.isfinite(found.high) else "unbounded"
    say(
        f"with confidence {100 * confidence:g} %: epsilon is at least {_down(found.low)}, and on the "
        f"{len(outputs) - 1} outputs seen at most {high}"
    )
    say(
        f"shown by the answer {found.output} to {found.likely} and to {found.unlikely}, "
        f"chosen by the first half of the answers and tested on the second"
    )
    say(
        f"bounds of Clopper and Pearson on {found.trials} independent answers a label: half of the error probability "
        f"for the lower bound, half for the upper one, shared by {found.bounds} bounds (union bound)"
    )
    if claimed is None:
        return OK
    if found.low > claimed.epsilon:
        say(f"NOT private at {claimed}")
        return ASTRAY
    say(f"no violation of {claimed} found, which is no proof that there is none")
    return OK


def _down(value: float) -> str:
    return f"{math.floor(value * 1e4) / 1e4:.4f}"


def _up(value: float) -> str:
    return f"{math.ceil(value * 1e4) / 1e4:.4f}"


def _short(ratio: Fraction) -> str:
    text = str(ratio)
    return text if len(text) <= 60 else f"{text[:28]}...{text[-28:]}"
