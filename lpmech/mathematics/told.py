r"""Lines that a check tells, ``K = 4, t = 2: left side 2/5``, in the notation of texts.

What a check tells is written by Python: numbers, names and relations in ASCII, beside words. Here the mathematics in it
is found and put between dollars, so that it is set as mathematics is everywhere: letters and Greek names, quotients,
relations, powers, calls, tuples. Words stay words; what has signs that prose cannot have, and is no formula, is code.
"""

from __future__ import annotations

import re
from functools import cache

from lpmech.errors import NotationError
from lpmech.mathematics.reader import read_formula
from lpmech.mathematics.symbols import SIGNS, Role, is_two_indices

__all__ = ["in_notation"]

_LETTERS = {
    s.character: s.latex
    for s in SIGNS.values()
    if s.kind is Role.LETTER and s.latex[0] == "\\" and s.character.isalpha()
}
_GREEK = {latex[1:] for latex in _LETTERS.values()} | {"epsilon", "phi"}
_RELATIONS = {
    "==": "=", "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx",
    "=": "=", "<": "<", ">": ">", "|": r"\mid", "=>": r"\Rightarrow", "->": r"\to", "→": r"\to", "⇒": r"\Rightarrow",
}  # fmt: skip
_OTHER_NAMES = {"eps": r"\epsilon", "inf": r"\infty"}
_OPERATORS = {
    "+": "+", "-": "-", "*": " ", "/": "/", "·": r"\cdot", "±": r"\pm", "+-": r"\pm", "..": r", \dots, ",
    " x ": r"\times ",
}  # fmt: skip
_CALLS = {name: f"\\{name}" for name in ("exp", "max", "min", "tanh", "sinh", "cosh")} | {
    "ln": r"\ln", "log": r"\ln", "Max": r"\max", "Min": r"\min", "Pr": r"\Pr",
}  # fmt: skip
_AROUND = {
    "floor": (r"\lfloor ", r"\rfloor"), "ceil": (r"\lceil ", r"\rceil"), "ceiling": (r"\lceil ", r"\rceil"),
    "Abs": ("|", "|"), "abs": ("|", "|"), "sqrt": (r"\sqrt{", "}"),
}  # fmt: skip

#: What is left as it is: formulas, code, words with two letters or more, places in a paper.
_WORD = re.compile(
    r"\$[^$]*\$|`[^`]*`|i\.e\.|e\.g\.|\([a-h]\) (?=[a-z]{2})|[A-Za-z]+\.\w*_\w*|(?:[a-z]{2,}_)+[a-z]{2,}\w*"
    r"|(?:App\.|Appendix|Section|Table|Fig\.|Figs\.|eq\.|Alg\.|Lemma|Prop\.|Cor\.|Theorem|line|lines|row|step)"
    r" (?:[A-Z]\b(?:\.\d+)*|\d[\d.,]*(?: (?:and|to) \d+)?|\([\w.]+\))"
    r"|\[[A-Z][\w+]*\d\d\]|(?!Pr\[)(?:[^\W\d_]+[’'-])*[^\W\d_]{2,}(?:[.+'’-]*[^\W_]+)*(?![\w(])"
)
#: A name with a number, ``CIFAR-10_2``.
_NUMBERED = re.compile(r"([A-Z]+-\d+)_(\d+)")
_MATRIX = re.compile(r"\((-?[\w/.]+(?: -?[\w/.]+)*(?:; -?[\w/.]+(?: -?[\w/.]+)*)+)\)")
_NUMBER = re.compile(r"(\d+(?:,\d{3})*(?:\.\d+)?)(?:e([-+]?\d+))?(?![A-Za-z]{2}|\d)")
_QUOTED = re.compile(r"'(-?\d+(?:/\d+)?)'")
_NAME = re.compile(r"([^\W\d_]+)(~?)(\d*)((?:_\w+(?:\.\d+)?)?)('*)(\*(?![\w*( ])|\*(?= [=<>≤≥≠-]|$))?(?![^\W_])")
_SIGN = re.compile(r" ?(\*\*|==|<=|>=|!=|=>|->|\+-|\.\.(?!\.)|[-=<>+*/·±≤≥≠≈→⇒]|(?<=\d) x (?=\d)) ?")
_ARTICLE = re.compile(r"(?<![\w*)])[aAI] (?![-=<>≤≥≠+*/^])")
_ENDS = re.compile(r"[^\W\d_]*$")
_BAR = re.compile(r"(\|)")
_ALONE = re.compile(r"(?<![^\s(])(?:==|<=|>=|!=|=>|->|\+-)(?![^\s])")
_CLOSED_BY = {"(": ")]", "[": ")]", "{": "}", "|": "|"}


_NEXT = re.compile(r"(?<![\w.])(\d+)\.\.(\d+)(?![\w.])")


class _NoFormulaError(Exception):
    """Here begins no formula."""


@cache
def in_notation(line: str) -> str:
    """The line with its mathematics between dollars, so that `lpmech.mathematics.reader.read_text` reads it."""
    line = _NEXT.sub(lambda ends: f"{ends[1]}, {ends[2]}" if int(ends[1]) + 1 == int(ends[2]) else ends[0], line)
    written, at = "", 0
    while at < len(line):
        if numbered := _NUMBERED.match(line, at):
            written, at = rf"{written}$\text{{{numbered[1]}}}_{{{numbered[2]}}}$", numbered.end()
            continue
        word = _ARTICLE.match(line, at) or _WORD.match(line, at)
        if word and (not _is_greek(word[0]) or line.startswith("-", word.end())):
            written, at = written + _prose(word[0]), word.end()
            continue
        formula, end = "", at
        sign = _ALONE.match(line, at)
        if sign:
            formula, end = (_RELATIONS | _OPERATORS)[sign[0]], sign.end()
        elif at == 0 or not (line[at - 1].isalnum() or line[at - 1] in "_'-."):
            formula, end = _formula(line, at)
        end = max(end, at + 1)
        written, at = written + (f"${formula}$" if formula else _prose(line[at:end])), end
    return written


def _is_greek(word: str) -> bool:
    """Whether it is a letter and not the name of a function: rho_avg and phi2, not rho_as_stated."""
    return (word.partition("_")[0].rstrip("0123456789") in _GREEK and word.count("_") < 2) or word in _OTHER_NAMES


def _prose(text: str) -> str:
    if text[0] in "$`" and len(text) > 1:
        return text
    return f"`{text}`" if re.search(r"[\\^_$]", text) else text.replace("`", "'")


def _formula(line: str, at: int) -> tuple[str, int]:
    """The longest formula that begins here, in LaTeX, and where it ends; empty for what is better left in prose."""
    reader = _Reader(line, at)
    try:
        latex = reader.row()
        read_formula(latex)
    except (_NoFormulaError, NotationError):
        return "", at
    text = line[at : reader.at]
    plain = not reader.weight or text in ("a", "A", "I") or (text[0] in "([{" and reader.weight < 2)
    return ("", at if len(text) > 1 and text[0] in "([{" else reader.at) if plain else (latex, reader.at)


class _Reader:
    """Reads one formula from a place of a line; what it weighs tells whether it is more than a number."""

    def __init__(self, line: str, at: int) -> None:
        self.line, self.at, self.weight, self.opened = line, at, 0, ""

    def row(self) -> str:
        """Atoms with signs between them, as far as they go."""
        written = ""
        if self.line.startswith(("-", "+"), self.at) and not self.line.startswith(("--", "->", "- "), self.at):
            written = self.line[self.at]
            self.at, self.weight = self.at + 1, self.weight + 1
        written += self.atom()
        while True:
            start, weight = self.at, self.weight
            sign = _SIGN.match(self.line, start) or (_BAR.match(self.line, start) if self.opened[-1:] in "({" else None)
            try:
                if sign is None:
                    joined = self.beside()
                else:
                    if sign[1] == "-" and sign[0].strip(" ") == sign[0] and not self.is_tight(sign):
                        return written
                    self.at = sign.end()
                    self.weight += 1
                    joined = self.after(sign[1], written)
                    if sign[1] == "**":
                        written, joined = joined, ""
            except _NoFormulaError:
                self.at, self.weight = start, weight
                return written
            written += joined

    def is_tight(self, sign: re.Match[str]) -> bool:
        """Whether a hyphen without blanks is a difference: something short follows, no word."""
        return _WORD.match(self.line, sign.end()) is None

    def after(self, sign: str, before: str) -> str:
        """What follows a sign, with it."""
        if sign == "**":
            return f"{before}^{{{self.exponent()}}}"
        if sign in _RELATIONS:
            negative = self.line.startswith("-", self.at)
            self.at += negative
            return f" {_RELATIONS[sign]} {'-' * negative}{self.atom()}"
        operator = _OPERATORS[sign]
        number = self.line[self.at : self.at + 1].isdigit() and before[-1:].isdigit()
        return (r" \cdot " if sign == "*" and number else f" {operator} " if sign in "+-·±" else operator) + self.atom()

    def beside(self) -> str:
        """Something multiplied by what stands before it."""
        line, after = self.line, self.at + 1
        if line.startswith(" ", self.at):
            if self.opened and line[after : after + 1].isdigit():
                self.at, self.weight = after, self.weight + 1
                return rf" \cdot {self.atom()}"
            inside = self.opened and line.startswith(("(", "√"), after)
            if not (inside or self.is_factor(after) or self.is_bracketed(after)):
                raise _NoFormulaError
            self.at = after
        elif not line.startswith("(", self.at) and not line[self.at : self.at + 1].isalpha():
            raise _NoFormulaError
        self.weight += 1
        return " " * (not line.startswith("(", self.at)) + self.atom()

    def is_bracketed(self, after: int) -> bool:
        """Whether brackets after closed ones are a factor, ``(1 - a) (1 - b)``: they hold no remark and no list."""
        if self.line[self.at - 1] != ")" or not self.line.startswith("(", after):
            return False
        end, depth = after + 1, 1
        while depth and end < len(self.line):
            depth += {"(": 1, ")": -1}.get(self.line[end], 0)
            end += 1
        inner = self.line[after:end]
        words = re.findall(r"[^\W\d_]{2,}", inner)
        return not re.search(r"[=<>≤≥≠,;:]", inner) and all(
            _is_greek(w) or w in _CALLS.keys() | _AROUND.keys() for w in words
        )

    def is_factor(self, after: int) -> bool:
        """Whether a name after a blank is multiplied by what stands before the blank."""
        line, before = self.line, self.line[self.at - 1]
        word, name = _WORD.match(line, after), _NAME.match(line, after)
        if (word and not _is_greek(word[0])) or name is None:
            return line.startswith("√", after) and before.isdigit()
        if line.startswith("(", name.end()) and name[1] in _AROUND.keys() | _CALLS.keys():
            return True
        short = len(name[1]) == 1 or bool(name[4]) or _is_greek(name[1])
        article = name[0] in "aAI" and not before.isdigit() and not self.opened
        last = _ENDS.findall(line[: self.at])[0]
        return short and not article and (before.isdigit() or before == ")" or len(last) == 1 or _is_greek(last))

    def atom(self) -> str:
        """A number, a name, a call, something in brackets, with what stands above it."""
        line, at = self.line, self.at
        if found := _NUMBER.match(line, at):
            self.at = found.end()
            digits = found[1].replace(",", "{,}")
            base = digits if found[2] is None else rf"{digits} \cdot 10^{{{found[2].lstrip('+')}}}"
        elif found := _QUOTED.match(line, at):
            self.at = found.end()
            base = found[1]
        elif found := _MATRIX.match(line, at):
            self.at, self.weight = found.end(), self.weight + 2
            inner = r" \\ ".join(" & ".join(row.split()) for row in found[1].split("; "))
            base = rf"\begin{{pmatrix}}{inner}\end{{pmatrix}}"
        elif line[at : at + 1] in _CLOSED_BY:
            base = self.group(line[at])
        elif line.startswith("√", at):
            self.at += 1
            self.weight += 1
            base = rf"\sqrt{{{self.bare()}}}"
        elif found := _NAME.match(line, at):
            base = self.name(found)
        else:
            raise _NoFormulaError
        while self.line.startswith(("^", "_(", "_{"), self.at):
            mark = self.line[self.at]
            self.at += 1
            self.weight += 1
            base = f"{base}{mark}{{{self.exponent()}}}"
        if self.line.startswith("!", self.at) and not self.line.startswith("!=", self.at):
            self.at += 1
            base += "!"
        return base

    def exponent(self) -> str:
        if self.line.startswith("*", self.at):
            self.at += 1
            return "*"
        if self.line.startswith("-", self.at):
            self.at += 1
            return "-" + self.bare()
        return self.bare()

    def bare(self) -> str:
        """An atom; what stands in brackets without them."""
        if not self.line.startswith(("(", "{"), self.at):
            return self.atom()
        inner = self.group(self.line[self.at])
        return inner[1:-1] if inner.startswith("(") else inner[2:-2]

    def group(self, opened: str) -> str:
        """What stands between brackets, its parts separated by commas."""
        self.at, self.opened = self.at + 1, self.opened + opened
        parts = [self.row()]
        while found := re.compile(r"[,;]\s*").match(self.line, self.at):
            self.at = found.end()
            self.weight += 1
            if self.line.startswith(")", self.at):  # a tuple of one
                break
            if self.line.startswith("...", self.at):
                self.at += 3
                parts.append(r"\dots")
            else:
                parts.append(self.row())
        self.opened = self.opened[:-1]
        closed = self.line[self.at : self.at + 1]
        if not closed or closed not in _CLOSED_BY[opened]:
            raise _NoFormulaError
        self.at += 1
        inner = ", ".join(parts)
        return rf"\{{{inner}\}}" if opened == "{" else f"{opened}{inner}{closed}"

    def name(self, found: re.Match[str]) -> str:
        letters, tilde, digits, below, primes, star = found.groups()
        after = self.line[found.end() : found.end() + 1]
        if letters in _AROUND and after == "(" and not digits + below:
            self.at, self.weight = found.end(), self.weight + 1
            return self.bare().join(_AROUND[letters])
        if letters in _CALLS and not digits + below:
            self.at, self.weight = found.end(), self.weight + 1
            if after and after in "([":
                return _CALLS[letters] + self.group(after)
            if re.match(r" (?:\d|[^\W\d_](?![^\W\d_]))", self.line[self.at :]):
                self.at += 1
                return f"{_CALLS[letters]} {self.atom()}"
            raise _NoFormulaError
        known = _is_greek(letters) or letters in _LETTERS or len(letters) == 1
        if not known and not (below and letters.isascii()):
            raise _NoFormulaError
        self.at, self.weight = found.end(), self.weight + 1
        base = f"\\{letters}" if letters in _GREEK else (_LETTERS | _OTHER_NAMES).get(letters, letters)
        base = base if known else rf"\mathrm{{{letters}}}"
        scripts = ", ".join(_script(part) for part in [digits, *below.split("_")] if part)
        base = rf"\tilde{{{base}}}" if tilde else base
        base += primes + (f"_{{{scripts}}}" if scripts else "") + ("^*" if star else "")
        if self.line.startswith("[", self.at) and not scripts:
            return f"{base}_{{{self.group('[')[1:-1]}}}"
        return base


def _script(part: str) -> str:
    if part in _GREEK:
        return f"\\{part}"
    return part if len(part) == 1 or part.isdigit() or is_two_indices(part) else rf"\mathrm{{{part}}}"
