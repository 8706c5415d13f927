"""The console, and how verdicts and shares look on it."""

from __future__ import annotations

import math
import os

from rich.console import Console

from lpmech.verdicts import Verdict

__all__ = ["VERDICT_STYLES", "console", "percent"]

#: How the verdicts look on a terminal.
VERDICT_STYLES = {
    Verdict.PROVED: "bold green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNCLEAR: "yellow",
    Verdict.UNDECIDED: "bold yellow",
    "error": "bold white on red",
}
_PLAIN_WIDTH = 160


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal or COLUMNS; 160 columns where there is neither (a pipe or a file)."""
    made = Console(stderr=stderr, highlight=False)
    known = made.is_terminal or "COLUMNS" in os.environ
    return made if known else Console(stderr=stderr, highlight=False, width=_PLAIN_WIDTH)


def percent(mean: float, deviation: float, digits: int) -> str:
    """A share in percent, ± its deviation if there is one."""
    shown = f"{100 * mean:.{digits}f}"
    return shown if math.isnan(deviation) else f"{shown} ± {100 * deviation:.{digits}f}"
