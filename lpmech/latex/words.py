"""Statements in LaTeX: prose with mathematics among its words, the mathematics not marked by dollars.

A word with a backslash, ``^`` or ``_`` is mathematics, together with the words that its commands still want. It is read
by a small grammar and written anew with every argument in braces. What the grammar does not know is set as it was
typed, so that the result always compiles and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lpmech.latex.alphabet import ARITY, CHARACTERS, MARKS, SIZES, SPELT, SYMBOLS

__all__ = ["Part", "latex_of", "parts_of"]

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_DIGITS = re.compile(r"-?\d+")
_LETTERS = re.compile(r"[A-Za-z]+")
_SHORT = 2
#: A name in code has words between its underscores; the first is no command: ``rr_with_prior``, not ``rho_avg``.
_IN_CODE = re.compile(r"(?<![A-Za-z_\\])([A-Za-z]{2,})(?:_[A-Za-z]{2,})+(?![\w{])")


class _UnknownError(Exception):
    """The grammar does not know this."""


class _WantsMoreError(_UnknownError):
    """The text ends before an argument."""


class Part(NamedTuple):
    """A formula, as LaTeX without the dollars, or a word of prose as it was typed."""

    text: str
    is_mathematics: bool


def latex_of(text: str) -> str:
    """The text as LaTeX (packages amsmath and amssymb), for a cell or a paragraph.

    Parameters
    ----------
    text : str
        Prose with LaTeX-flavoured mathematics, with or without dollars.
    """
    return " ".join(f"${part.text}$" if part.is_mathematics else _prose(part.text) for part in parts_of(text))


def parts_of(text: str) -> Iterator[Part]:
    """The formulas and the words of prose between them, one after the other, as `latex_of` tells them apart."""
    words = _words(text)
    start = 0
    while start < len(words):
        part, start = _next_part(words, start)
        yield part


def _next_part(words: list[str], start: int) -> tuple[Part, int]:
    """The longest run of mathematics from here, or one word of prose, and where it ends."""
    if not _is_mathematics(words[start]):
        return Part(words[start], False), start + 1
    end, found = start + 1, None
    while True:
        try:
            mathematics = _Reader(" ".join(words[start:end]).strip("$")).read()
            found = Part(mathematics, True), end
        except _WantsMoreError:
            pass
        except _UnknownError:
            break
        else:
            if end < len(words) and not _is_mathematics(words[end]):
                break
        if end == len(words):
            break
        end += 1
    return found or (Part(words[start], False), start + 1)


def _is_mathematics(word: str) -> bool:
    name = _IN_CODE.search(word)
    if name is not None and name[1] not in ARITY and not any(mark in word for mark in "\\^$"):
        return False
    return any(mark in word for mark in "\\^_") or (len(word) > _SHORT and word[0] == word[-1] == "$")


def _words(text: str) -> list[str]:
    """Split at blanks outside braces and dollars."""
    words, word, depth, inside = [], "", 0, False
    for token in _TOKEN.findall(text):
        depth += (token == "{") - (token == "}")
        inside ^= token == "$"
        if token.isspace() and depth <= 0 and not inside:
            words.append(word)
            word = ""
        else:
            word += token
    return [word for word in [*words, word] if word]


def _prose(word: str) -> str:
    return "".join(map(_character, word)).replace("--", "-{}-")


def _character(character: str) -> str:
    if character in SYMBOLS:
        return f"${SYMBOLS[character]}$"
    if character in CHARACTERS:
        return CHARACTERS[character]
    known = character.isascii() or "\u00c0" <= character <= "\u017f"  # Latin letters with accents
    return character if known else f"[U+{ord(character):04X}]"


class _Reader:
    """Reads mathematics and writes it with every argument in braces."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def read(self) -> str:
        written = self._sequence()
        if self.at < len(self.tokens):
            raise _UnknownError  # a brace too many
        return written

    def _next(self) -> str:
        if self.at == len(self.tokens):
            raise _WantsMoreError
        self.at += 1
        return str(self.tokens[self.at - 1])

    def _peek(self) -> str:
        return str(self.tokens[self.at]) if self.at < len(self.tokens) else ""

    def _sequence(self) -> str:
        written, above, below = "", False, False
        while (token := self._peek()) and token != "}":
            if token in ("^", "_"):
                if (above, below)[token == "_"]:
                    raise _UnknownError  # two exponents
                above, below = above or token == "^", below or token == "_"
                self.at += 1
                written += token + _braced(self._script())
            elif token == "'":
                self.at += 1
                written += r"\text{'}" if above else "'"  # after an exponent it is a quotation mark
            else:
                above = below = False
                written += self._atom()
        return written

    def _script(self) -> str:
        """What stands above or below: a group, a number, a word of three letters or more, or one token."""
        self._skip_blanks()
        rest = "".join(self.tokens[self.at :])
        for pattern, least in ((_DIGITS, 1), (_LETTERS, _SHORT + 1)):
            found = pattern.match(rest)
            if found and len(found.group()) >= least:
                self.at += len(found.group())
                return _word(found.group())
        return self._argument()

    def _argument(self) -> str:
        self._skip_blanks()
        if self._peek() in ("^", "_", "}", "'"):
            raise _UnknownError
        return self._atom(single=True)

    def _skip_blanks(self) -> None:
        while self._peek().isspace():
            self.at += 1

    def _atom(self, *, single: bool = False) -> str:
        token = self._next()
        if token == "{":
            written = self._sequence()
            if self._next() != "}":
                raise _UnknownError
            return f"{{{written}}}"
        if token[0] == "\\":
            return self._command(token[1:])
        if token.isspace():
            return " "
        if token.isascii() and token.isalpha():
            while not single and self._peek().isascii() and self._peek().isalpha():
                token += self._next()
            return _word(token)
        if token in SYMBOLS:
            return f"{SYMBOLS[token]} "
        if not token.isascii():
            raise _UnknownError
        return {"~": r"\tilde{}", "<": "<", ">": ">", "%": r"\%", "&": r"\&", "#": r"\#"}.get(token, token)

    def _command(self, name: str) -> str:
        if name in MARKS:
            return f"\\{name}"
        if name in SIZES:
            if self._peek() == ".":
                self.at += 1
            return ""
        if name not in ARITY:
            raise _UnknownError
        if name == "text":
            return self._text()
        arguments = "".join(_braced(self._argument()) for _ in range(ARITY[name]))
        return SPELT.get(name, "\\" + name) + (arguments or " ")

    def _text(self) -> str:
        if self._next() != "{":
            raise _UnknownError
        written = ""
        while (token := self._next()) != "}":
            if token == "{":
                raise _UnknownError
            written += token
        return rf"\text{{{_prose(written)}}}"


def _braced(argument: str) -> str:
    return argument if argument.startswith("{") and argument.endswith("}") else f"{{{argument}}}"


def _word(letters: str) -> str:
    """A name is upright, a Greek letter a letter, one or two letters are variables."""
    if letters in ARITY and ARITY[letters] == 0 and letters not in ("to", "in", "ni", "mid", "top", "star"):
        return f"\\{letters} "
    return rf"\mathrm{{{letters}}}" if len(letters) > _SHORT and letters.isalpha() else letters
