"""Quotations in texts: what stands between single quotation marks, to the letter, omissions as "..."."""

from __future__ import annotations

import re

__all__ = ["quotations_of"]

#: A formula or code, in which an apostrophe is none of the marks.
_MARKED = re.compile(r"\$[^$]*\$|`[^`]*`")
_QUOTED = re.compile(r"(?<![\w∎])'(.+?)'(?!\w)")


def quotations_of(text: str) -> tuple[str, ...]:
    """The quotations of a text in the notation of `lpmech.mathematics`, in their order, formulas between dollars.

    Examples
    --------
    >>> quotations_of("the rows' sums, 'at most $x'$ ... b' and BRR's 'c'")
    ("at most $x'$ ... b", 'c')
    """
    covered = _MARKED.sub(lambda found: "∎" * len(found[0]), text)  # every sign keeps its place
    return tuple(text[found.start(1) : found.end(1)] for found in _QUOTED.finditer(covered))
