"""The console, and how verdicts and shares look on it."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from lpmech.errors import visible
from lpmech.verdicts import Verdict

__all__ = ["VERDICT_STYLES", "Fitted", "console", "is_cut", "percent"]

#: How the verdicts look on a terminal.
VERDICT_STYLES = {
    Verdict.PROVED: "bold green",
    Verdict.CERTIFIED: "green",
    Verdict.SUPPORTED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.AGAINST: "red",
    Verdict.UNCLEAR: "yellow",
    Verdict.TOLD: "bold magenta",
    Verdict.UNDECIDED: "bold yellow",
    "error": "bold white on red",
}
#: Where there is no terminal and no COLUMNS.
_PLAIN_WIDTH = 100

#: Ends what is cut.
_CUT = " […]"

_INDENT = "    "


class _Console(Console):
    """Prints texts of anybody, such as labels: none of their characters is a command to the terminal."""

    def render(self, *asked: Any, **options: Any) -> Iterable[Segment]:
        for segment in super().render(*asked, **options):
            text, style, control = segment
            yield segment if control else Segment(visible(text), style)


class _Plain:
    """A file or pipe that gets no blanks at the end of a line."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a text without the blanks that pad its lines."""
        return self._file.write(re.sub(r" +(?=\n)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal or COLUMNS; 100 columns where there is neither (a pipe or a file)."""
    made = _Console(stderr=stderr, highlight=False)
    if made.is_terminal:
        return made
    file = cast("IO[str]", _Plain(sys.stderr if stderr else sys.stdout))
    return _Console(file=file, highlight=False, width=None if "COLUMNS" in os.environ else _PLAIN_WIDTH)


class Fitted:
    """A text that is cut on a terminal, where the rest can be asked for; in a file it is whole, on lines of its own.

    Parameters
    ----------
    text : Text
        Without line breaks.
    most : int, optional
        Most characters on a terminal; default: one line.
    """

    def __init__(self, text: Text, most: int | None = None) -> None:
        self.text, self.most = text, most

    def __rich_console__(self, out: Console, options: ConsoleOptions) -> Iterator[Text]:
        if options.is_terminal:
            yield self._cut(self.most or options.max_width)
        else:
            indent = _INDENT if self.most is None else ""
            for number, line in enumerate(self.text.wrap(out, options.max_width - len(indent))):
                yield Text(indent) + line if number else line

    def _cut(self, most: int) -> Text:
        if self.text.cell_len <= most:
            return self.text
        cut = self.text.copy()
        cut.truncate(most - len(_CUT))
        return cut.append(_CUT)


def is_cut(out: Console, shown: RenderableType) -> bool:
    """Whether something ends with the mark of what is cut there."""
    return any(_CUT.strip() in segment.text for line in out.render_lines(shown) for segment in line)


def percent(mean: float, deviation: float, digits: int) -> str:
    """A share in percent, ± its deviation if there is one."""
    shown = f"{100 * mean:.{digits}f}"
    return shown if math.isnan(deviation) else f"{shown} ± {100 * deviation:.{digits}f}"
