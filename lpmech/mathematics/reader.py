r"""The reader of texts: prose, mathematics between dollars, code between backticks.

Mathematics is a part of LaTeX: letters, numbers, the commands of `lpmech.mathematics.symbols`, ``\frac``, ``\sqrt``,
accents, fonts, ``\text`` and ``\mathrm``, ``pmatrix``, brackets that balance, scripts in braces or of one token.
Everything else is refused, with its column.
"""

from __future__ import annotations

import re
from functools import cache

from lpmech.errors import NotationError
from lpmech.mathematics.symbols import ACCENTS, ALIASES, FONTS, SIGNS, SIZES, Role, Sign
from lpmech.mathematics.tree import (
    Accent,
    Code,
    Digits,
    Fence,
    Font,
    Formula,
    Fraction,
    Matrix,
    Node,
    Part,
    Prose,
    Root,
    Row,
    Scripts,
    Words,
)

__all__ = ["check_text", "parts_of", "read_formula", "read_text"]


_PARTS = re.compile(r"\$([^$]*)\$|`([^`]*)`|[^$`]+|.", re.DOTALL)
_MARKED = re.compile(r"[\\^_$`]")
_TOKEN = re.compile(r"\\(?:begin|end)\{pmatrix\}|\\[A-Za-z]+|\\.|\d+(?:\{,\}\d{3})*(?:\.\d+)?|:=|\s+|.", re.DOTALL)
_MATRIX, _END, _NEXT = r"\begin{pmatrix}", r"\end{pmatrix}", ("&", r"\\")
_CLOSED_BY = {
    "(": ")]", "[": ")]", r"\{": (r"\}",), r"\lfloor": (r"\rfloor",), r"\lceil": (r"\rceil",), r"\langle": (r"\rangle",)
}  # fmt: skip
_BETWEEN = r"mathematics between dollars, as in $e^\epsilon$, and names in code between backticks, as in `lp_solve`"
_ONE = "a group in braces, or one letter, digit or command"


def check_text(text: str, argument: str) -> None:
    """Refuse a text that cannot be read.

    Parameters
    ----------
    text : str
        Prose with mathematics between dollars and code between backticks.
    argument : str
        What the error calls it.

    Raises
    ------
    NotationError
        If a formula is outside of the notation, or something that belongs into a formula is not marked as one.
    """
    try:
        read_text(text)
    except NotationError as exc:
        raise NotationError(argument, exc.value, exc.allowed) from None


@cache
def read_text(text: str) -> tuple[Part, ...]:
    """The parts of a text, one after the other.

    Raises
    ------
    NotationError
        As `check_text`.
    """
    parts: list[Part] = []
    for found in _PARTS.finditer(text):
        if found[1] is not None:
            parts.append(Formula(_read(text, found.start(1), found.end(1))))
        elif found[2] is not None:
            parts.append(Code(found[2]))
        elif marked := _MARKED.search(found[0]):
            raise _refusal(text, found.start() + marked.start(), _BETWEEN)
        else:
            parts.append(Prose(found[0]))
    return tuple(parts)


def parts_of(text: str) -> tuple[Part, ...]:
    """The parts of what is printed, as `read_text` gives them; a line of a check that cannot be read is prose.

    What is written in a claim has been read when the claim was made, so nothing is refused here.
    """
    try:
        return read_text(text)
    except NotationError:
        return (Prose(text),)


def read_formula(latex: str) -> Row:
    """A formula without its dollars.

    Raises
    ------
    NotationError
        If it is outside of the notation.
    """
    return _read(latex, 0, len(latex))


def _refusal(text: str, at: int, allowed: str) -> NotationError:
    token = found[0] if (found := _TOKEN.match(text, at)) else "the end"
    return NotationError("text", text, f"at column {at + 1}, where {token!r} stands: {allowed}")


def _read(text: str, start: int, end: int) -> Row:
    reader = _Reader(text, start, end)
    row = reader.row()
    if reader.peek():
        raise reader.refusal("an opening brace or bracket before it")
    if not row.nodes:
        raise reader.refusal("a formula")
    return row


def _ends(nodes: list[Node]) -> bool:
    """Whether something may end here: after a letter, not after an operator."""
    if not nodes:
        return False
    last = nodes[-1]
    return not isinstance(last, Sign) or last.kind in (Role.LETTER, Role.POINT) or nodes == [SIGNS[r"\cdot"]]


class _Reader:
    """Goes through the tokens of one formula."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.tokens = [(found[0], found.start()) for found in _TOKEN.finditer(text, start, end)]
        self.tokens.append(("", end))
        self.at = 0

    def refusal(self, allowed: str) -> NotationError:
        return _refusal(self.text, self.tokens[self.at][1], allowed)

    def peek(self) -> str:
        """The next token that matters; the empty one at the end."""
        while self.tokens[self.at][0].isspace() or self.tokens[self.at][0] in SIZES:
            self.at += 1
        token = self.tokens[self.at][0]
        return ALIASES.get(token, token)

    def take(self, wanted: str) -> None:
        if self.peek() != wanted:
            raise self.refusal(f"{wanted!r}")
        self.at += 1

    def row(self, bar: str = "") -> Row:
        """Up to what cannot belong to it; inside of bars up to the one that closes."""
        nodes: list[Node] = []
        while (token := self.peek()) not in ("", "}", _END, *_NEXT):
            sign = SIGNS.get(token)
            if sign is not None and (sign.kind is Role.CLOSING or (token == bar and _ends(nodes))):
                break
            start = self.at
            if token in (r"\arg\max", r"\arg\min"):
                nodes.append(SIGNS[r"\arg"])
                self.at += 1
                nodes.append(self.scripts(SIGNS[token[4:]]))
            else:
                nodes.append(self.scripts(self.atom()))
            self.refuse_neighbours(nodes, start)
        return Row(tuple(nodes))

    def refuse_neighbours(self, nodes: list[Node], start: int) -> None:
        """``<=`` is no relation here, ``...`` no ellipsis, ``2 2`` neither 22 nor 4."""
        if len(nodes) > 1 and isinstance(nodes[-2], Digits) and isinstance(nodes[-1], Digits):
            self.at = start
            raise self.refusal("a sign between two numbers")
        last = "".join(node.latex if isinstance(node, Sign) else " " for node in nodes[-2:])
        if last in ("<=", ">=", "->", "..", "=="):
            self.at = start
            raise self.refusal(r"\le, \ge, \to, \dots")

    def scripts(self, base: Node) -> Node:
        below: Row | None = None
        above: Row | None = None
        primes = 0
        while (token := self.peek()) in ("^", "_", "'"):
            if isinstance(base, Sign) and base.kind not in (Role.LETTER, Role.FUNCTION, Role.BIG):
                raise self.refusal("a letter, a number, a bracket or a group before a script")
            if token == "'" and above is None:
                self.at += 1
                primes += 1
            elif token == "_" and below is None:
                below = self.script()
            elif token == "^" and above is None:
                above = self.script()
            else:
                raise self.refusal("one script above, one below, and primes before the one above")
        return base if (below, above, primes) == (None, None, 0) else Scripts(base, below, above, primes)

    def script(self) -> Row:
        self.at += 1
        if self.peek() == "*":
            self.at += 1
            return Row((Sign("*", "*", Role.LETTER),))
        braced, found = self.peek() == "{", self.argument()
        last, after = self.tokens[self.at - 1][0], self.tokens[self.at][0]
        run_on = (last.isalpha() and after.isalpha()) or (last.isdigit() and after[:1].isdigit())
        if not braced and run_on and after.isascii():
            raise self.refusal("braces around a script of more than one letter or digit, or a blank after it")
        return found

    def argument(self) -> Row:
        """A group, or one token."""
        token = self.peek()
        if token == "{":
            return self.group()
        if token == "" or (token[0] != "\\" and not (token.isascii() and token.isalnum())):
            raise self.refusal(_ONE)
        if token[0].isdigit() and len(token) > 1:
            raise self.refusal("braces around a number of more than one digit")
        node = self.atom(alone=True)
        if isinstance(node, Sign) and node.kind not in (Role.LETTER, Role.FUNCTION):
            self.at -= 1
            raise self.refusal(_ONE)
        return Row((node,))

    def group(self) -> Row:
        self.take("{")
        if self.peek() == "*":
            self.at += 1
            row = Row((Sign("*", "*", Role.LETTER),))
        else:
            row = self.row()
        if not row.nodes:
            raise self.refusal("something between braces")
        self.take("}")
        return row

    def atom(self, *, alone: bool = False) -> Node:
        token = self.peek()
        if token == "{":
            return self.group()
        if token in ("^", "_", "'"):
            raise self.refusal("a letter, a number, a bracket or a group before a script")
        if token.isascii() and token.isalpha():
            return self.letter(alone)
        if token[0].isascii() and token[0].isdigit():
            self.at += 1
            return Digits(token)
        if (sign := SIGNS.get(token)) is not None:
            self.at += 1
            return self.fence(sign) if sign.kind in (Role.OPENING, Role.BAR) else sign
        return self.command(token)

    def letter(self, alone: bool) -> Sign:
        run = "".join(token for token, _ in self.tokens[self.at : self.at + 3])
        if not alone and len(run) == 3 and run.isascii() and run.isalpha():
            raise self.refusal(r"\mathrm{...} for a name, blanks between letters that are multiplied")
        letter = self.peek()
        self.at += 1
        return Sign(letter, letter, Role.LETTER)

    def fence(self, left: Sign) -> Fence:
        inner = self.row(left.latex if left.kind is Role.BAR else "")
        token = self.peek()
        if not token or token not in _CLOSED_BY.get(left.latex, (left.latex,)):
            raise self.refusal(f"what closes {left.latex} (a bar alone is \\mid)")
        self.at += 1
        return Fence(left, inner, SIGNS[token])

    def command(self, token: str) -> Node:
        if token in (r"\text", r"\mathrm"):
            self.at += 1
            return self.words(token)
        if token in FONTS:
            self.at += 1
            found = self.argument()
            letters = "".join(getattr(node, "latex", getattr(node, "digits", "")) for node in found.nodes)
            if not (letters.isascii() and (letters.isalpha() or (letters.isdigit() and token == r"\mathbf"))):
                raise self.refusal(f"letters after {token}")
            return Font(token, letters)
        if token in ACCENTS:
            self.at += 1
            return Accent(token, self.argument())
        if token == r"\frac":
            self.at += 1
            above = self.argument()
            return Fraction(above, self.argument())
        if token == r"\sqrt":
            self.at += 1
            return Root(self.argument())
        if token == _MATRIX:
            return self.matrix()
        raise self.refusal("a letter, a number, or a sign or command of lpmech.mathematics.symbols")

    def matrix(self) -> Matrix:
        rows: list[tuple[Row, ...]] = [()]
        while self.peek() != _END:
            self.at += 1  # what opens, or stands between entries
            rows[-1] = (*rows[-1], self.row())
            if not rows[-1][-1].nodes or self.peek() not in (*_NEXT, _END):
                raise self.refusal(rf"an entry, and & or \\ or {_END} after it")
            if self.peek() == _NEXT[1]:
                rows.append(())
        self.take(_END)
        if len(set(map(len, rows))) != 1:
            raise self.refusal("rows with as many entries as the first one before it")
        return Matrix(tuple(rows))

    def words(self, command: str) -> Words:
        self.take("{")
        written = ""
        while (token := self.tokens[self.at][0]) != "}":
            if token in ("", "{", "$", "^", "_", "`") or token[0] == "\\":
                raise self.refusal(f"words and a closing brace in {command}")
            written += token
            self.at += 1
        self.at += 1
        return Words(written, command)
