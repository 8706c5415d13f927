"""The console, and how verdicts and shares look on it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from lpmech.errors import visible
from lpmech.verdicts import Verdict

__all__ = ["VERDICT_STYLES", "console", "percent"]

#: How the verdicts look on a terminal.
VERDICT_STYLES = {
    Verdict.PROVED: "bold green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNCLEAR: "yellow",
    Verdict.TOLD: "bold magenta",
    Verdict.UNDECIDED: "bold yellow",
    "error": "bold white on red",
}
_PLAIN_WIDTH = 160


class _Console(Console):
    """Prints texts of anybody, such as labels: none of their characters is a command to the terminal."""

    def render(self, *asked: Any, **options: Any) -> Iterable[Segment]:
        for segment in super().render(*asked, **options):
            text, style, control = segment
            yield segment if control else Segment(visible(text), style)


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal or COLUMNS; 160 columns where there is neither (a pipe or a file)."""
    made = _Console(stderr=stderr, highlight=False)
    known = made.is_terminal or "COLUMNS" in os.environ
    return made if known else _Console(stderr=stderr, highlight=False, width=_PLAIN_WIDTH)


def percent(mean: float, deviation: float, digits: int) -> str:
    """A share in percent, ± its deviation if there is one."""
    shown = f"{100 * mean:.{digits}f}"
    return shown if math.isnan(deviation) else f"{shown} ± {100 * deviation:.{digits}f}"
