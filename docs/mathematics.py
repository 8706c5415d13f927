"""What Markdown takes for something else: q[y][j], which is no link."""

from __future__ import annotations

import re
from typing import Any

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor

__all__ = ["Indices"]


class Indices(Extension):
    """An entry of a matrix, ``q[y][j]``, stays as it is: Markdown would take it for a link."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Before links (160, 170), after code (190)."""
        md.inlinePatterns.register(_AsItIs(r"(?<=\w)\[\w+'?\]\[\w+\]", md), "indices", 180)


class _AsItIs(InlineProcessor):
    def handleMatch(self, found: re.Match[str], data: str) -> tuple[Any, int, int]:  # type: ignore[override]
        return found[0], found.start(0), found.end(0)
