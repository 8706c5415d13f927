"""Mathematics as MathML, which browsers set by themselves; and q[y][j], which is no link."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

from lpmech.latex.alphabet import CHARACTERS
from lpmech.latex.words import latex_of

__all__ = ["Indices", "mathml", "typeset"]

_PROSE = {latex: character for character, latex in CHARACTERS.items() if not latex.startswith("$")} | {"-{}-": "--"}
_ESCAPED = re.compile("|".join(map(re.escape, sorted(_PROSE, key=len, reverse=True))))
_PART = re.compile(r"(?<!\\)\$(.*?)(?<!\\)\$", re.DOTALL)


def mathml(latex: str, display: str = "inline") -> str:
    """A formula in LaTeX as an element of HTML."""
    return convert(latex.strip(), display=display).replace("&#x029F5;", "&#x02216;")  # fonts lack the other one


def typeset(text: str) -> str:
    """A claim's prose with its mathematics, whether marked or not, as HTML."""
    parts = _PART.split(latex_of(text))
    return "".join(mathml(part) if place % 2 else _plain(part) for place, part in enumerate(parts))


def _plain(prose: str) -> str:
    return escape(_ESCAPED.sub(lambda found: _PROSE[found[0]], prose), quote=False)


class Indices(Extension):
    """An entry of a matrix, ``q[y][j]``, stays as it is: Markdown would take it for a link."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Before links (160, 170), after code (190)."""
        md.inlinePatterns.register(_AsItIs(r"(?<=\w)\[\w+'?\]\[\w+\]", md), "indices", 180)


class _AsItIs(InlineProcessor):
    def handleMatch(self, found: re.Match[str], data: str) -> tuple[Any, int, int]:  # type: ignore[override]
        return found[0], found.start(0), found.end(0)
