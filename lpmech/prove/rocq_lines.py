"""The lines of a proof in Rocq, and the state that belongs to a place among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

from lpmech.prove.rocq_algebra import Algebra, Quotient
from lpmech.certify.proofs.reading import Parsed
from lpmech.prove.rocq_texts import Language

__all__ = ["Known", "Lines"]


class Known(NamedTuple):
    """A relation: what it compares with zero, and its name in the context."""

    found: Quotient
    kind: str
    tree: Parsed
    name: str


class Lines:
    """Lines, and what is known where the next one stands.

    Parameters
    ----------
    language : Language
    """

    def __init__(self, language: Language):
        self.language, self.lines, self._fresh = language, list[str](), count(1)
        self.algebra: Algebra = self.language.algebra
        #: Names of equations by which `same` rewrites, with their left sides, and of those of squares of roots.
        self.twins: list[tuple[str, str]] = []
        self.squares: list[str] = []
        self.named: dict[Parsed, str] = {}
        self._known: list[Known] = []
        self._busy: set[Any] = set()
        self._apart: set[Any] = set()
        #: What is not known to be apart from zero, with these facts; relations whose denominators are.
        self._vain: set[Any] = set()
        self._ready: set[Parsed] = set()
        #: Denominators that have been shown to be one fraction.
        self._flat: set[str] = set()

    def emit(self, line: str) -> None:
        if self.twins or self.squares:
            line = re.sub(r"\bsame\b", self._same(), line)
        self.lines.append(line)

    def _same(self) -> str:
        """`same`, with what is known of functions."""
        turned = f"rewrite {', '.join(f'?{name}' for name, _ in self.twins)}; " if self.twins else ""
        hints = " ".join(self.squares)
        more = f" | solve [{turned}ring [{hints}]] | {turned}field [{hints}]; never_zero" if hints else ""
        plain = "solve [same_] | " if turned else ""  # often enough, and soon seen
        return f"(first [{plain}solve [{turned}same_]{more}])"

    def learn_twin(self, name: str, text: str) -> None:
        """An equation by which `same` rewrites: the outermost first, which is not there any more when one within is."""
        self.twins = sorted([*self.twins, (name, text)], key=lambda twin: -len(twin[1]))

    def new(self, letter: str) -> str:
        """A name that is not taken."""
        names = (f"{letter}{number}" for number in self._fresh)
        return next(name for name in names if name not in self.language.names.values())

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines in braces; what is learned there is forgotten after them."""
        kept = self._state()
        self.emit(head + "{")
        yield
        self.emit("}")
        self._back(kept)

    def _state(self) -> tuple[Any, ...]:
        return (
            dict(self.named),
            list(self._known),
            set(self._apart),
            list(self.twins),
            list(self.squares),
            set(self._ready),
            set(self._flat),
        )

    def _back(self, state: tuple[Any, ...]) -> None:
        self.named, self._known, self._apart, self.twins, self.squares, self._ready, self._flat = state

    def tried(self, attempt: Callable[..., bool], *about: Any) -> bool:
        """Whether an attempt succeeds; what a failing one has written is taken back."""
        kept, length = self._state(), len(self.lines)
        if attempt(*about):
            return True
        self._back(kept)
        del self.lines[length:]
        return False
