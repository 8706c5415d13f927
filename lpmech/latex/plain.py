"""Statements as plain lines: Unicode in place of LaTeX commands."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import unicodeit
from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

from lpmech.latex.words import latex_of

__all__ = ["unicode_of"]

_SYMBOLS = {
    "ne": "≠", "le": "≤", "ge": "≥", "to": "→", "iff": "⟺", "gets": "←", "epsilon": "ε", "lVert": "‖", "rVert": "‖",
    "lvert": "|", "rvert": "|", "mid": "|", "quad": "  ",
}  # fmt: skip
_FUNCTIONS = [
    "Pr",
    "det",
    "dim",
    "gcd",
    "ln",
    "log",
    "exp",
    "max",
    "min",
    "arg",
    "lim",
    "sup",
    "inf",
    "tanh",
    "sinh",
    "cosh",
    "sin",
    "cos",
    "arccos",
]
_SCRIPT = re.compile(r"([_^])\{([^{}]*)\}")
#: Stand for marks that are to stay, while LaTeX is read.
_BELOW, _ABOVE = "\ue000", "\ue001"
#: Ends the name of a command.
_END = "\ue002"
_DRAWN = re.compile(r"[_^{}\\]")


def unicode_of(text: str) -> str:
    """Prose with LaTeX-flavoured mathematics as a terminal can show it: ``e^\\epsilon\\beta`` becomes ``e^ε β``.

    Parameters
    ----------
    text : str
        As `lpmech.latex.words.latex_of` takes it.
    """
    if not any(mark in text for mark in "\\^_$"):
        return text
    latex = re.sub(r"(\\[A-Za-z]+) +(?=[_^),./|'!$])", rf"\1{_END}", latex_of(text).replace(" }", "}"))
    plain = _reader().latex_to_text(_with_scripts(latex))
    plain = plain.replace(_BELOW, "_").replace(_ABOVE, "^").replace(_END, "")
    return re.sub(r" +", " ", re.sub(r"(?<=[Α-Ωα-ωε]) (?=[-=<>≤≥≠∈,;)])", "", plain))


def _with_scripts(latex: str) -> str:
    """Sub- and superscripts as characters where Unicode has them, else after ``_`` or ``^``, in brackets if long."""
    while True:
        written = _SCRIPT.sub(_script, latex)
        if written == latex:
            return latex
        latex = written


def _script(found: re.Match[str]) -> str:
    mark, inner = found[1], found[2].strip()
    drawn = unicodeit.replace(f"{mark}{{{inner}}}") if inner.isalnum() or inner in ("*", "-1", "+", "-") else mark
    if inner in ("(", "["):  # a group in brackets, typed without braces
        return (_BELOW if mark == "_" else _ABOVE) + inner
    if not _DRAWN.search(drawn):
        return drawn
    plain = _BELOW if mark == "_" else _ABOVE
    short = re.fullmatch(r"\w+|\\[A-Za-z]+\ue002?|[*'+-]", inner)
    bracketed = inner.startswith("(") and inner.endswith(")") and inner.count("(") == 1
    return f"{plain}{inner}" if short or bracketed else f"{plain}({inner})"


@cache
def _reader() -> Any:
    known = get_default_latex_context_db()
    known.add_context_category(
        "lpmech",
        macros=[MacroTextSpec(name, sign) for name, sign in _SYMBOLS.items()]
        + [MacroTextSpec(name, f"{name} ") for name in _FUNCTIONS]
        + [MacroTextSpec("operatorname", "%s"), MacroTextSpec("mathrm", "%s"), MacroTextSpec("frac", _fraction)]
        + [MacroTextSpec("sqrt", _root)],
        prepend=True,
    )
    return LatexNodes2Text(latex_context=known, math_mode="text", keep_comments=True, strict_latex_spaces=False)


def _fraction(node: Any, l2tobj: Any) -> str:
    above, below = (l2tobj.nodelist_to_text([part]).strip() for part in node.nodeargd.argnlist[-2:])
    return f"{_bracketed(above)}/{below if re.fullmatch(r'[0-9]+|[^0-9]', below) else f'({below})'}"


def _root(node: Any, l2tobj: Any) -> str:
    return f"√{_bracketed(l2tobj.nodelist_to_text([node.nodeargd.argnlist[-1]]))}"


def _bracketed(text: str) -> str:
    inner = text.strip()
    return inner if re.fullmatch(r"[\w.√]+", inner) else f"({inner})"
