"""The tree of a text as LaTeX, every argument in braces, and as Markdown, which has LaTeX between dollars."""

from __future__ import annotations

import re

from lpmech.mathematics import tree
from lpmech.mathematics.reader import parts_of
from lpmech.mathematics.symbols import SIGNS

__all__ = ["formula_in_latex", "latex_of", "markdown_of"]

#: Character of prose -> LaTeX, where it is not itself.
_CHARACTERS = {sign.character: f"${sign.latex}$" for sign in SIGNS.values() if not sign.character.isascii()} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "_": r"\_", "{": r"\{",
    "}": r"\}", "$": r"\$", "%": r"\%", "&": r"\&", "#": r"\#", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''",
    "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "\u00a0": "~", "√": r"$\surd$",
}  # fmt: skip

_OPENING_QUOTE = re.compile(r"(?:^|(?<=[\s(]))'(?=\S)")

#: What Markdown, or HTML, would take for more than a character.
_MARK = re.compile(r"([\\`*_\[\]<>#$~|])")


def latex_of(text: str) -> str:
    """A text as LaTeX (packages amsmath and amssymb), for a cell or a paragraph."""
    return "".join(map(_part, parts_of(_OPENING_QUOTE.sub("‘", text))))


def _part(part: tree.Prose | tree.Code | tree.Formula) -> str:
    if isinstance(part, tree.Formula):
        return f"${formula_in_latex(part.row)}$"
    prose = "".join(map(_character, part.text)).replace("--", "-{}-")
    if isinstance(part, tree.Prose):
        return prose
    breaks = prose.replace(r"\_", r"\_\allowbreak{}")  # a name may go over to the next line
    return rf"\texttt{{{breaks}}}"


def _character(character: str) -> str:
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    known = character.isascii() or "\u00c0" <= character <= "\u017f"  # Latin letters with accents
    return character if known else f"[U+{ord(character):04X}]"


def markdown_of(text: str) -> str:
    """A text as Markdown, with formulas between dollars."""
    written = ""
    for part in parts_of(text):
        if isinstance(part, tree.Formula):
            written += f"${formula_in_latex(part.row)}$"
        else:
            written += f"`{part.text}`" if isinstance(part, tree.Code) else _MARK.sub(r"\\\1", part.text)
    return written


def formula_in_latex(row: tree.Row) -> str:
    """A formula without its dollars; reading it gives the same formula."""
    written = ""
    for node in row.nodes:
        piece = _node(node)
        apart = _ends_in_command(written) and piece[:1].isalpha()
        letters = written[-2:].isalpha() and piece[:1].isalpha()
        written += (" " if apart or letters or (written[-1:].isdigit() and piece[:1].isdigit()) else "") + piece
    return written


def _ends_in_command(written: str) -> bool:
    name = written.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return name != written and name.endswith("\\")


def _node(node: tree.Node) -> str:
    match node:
        case tree.Sign():
            return node.latex
        case tree.Digits():
            return node.digits
        case tree.Words() | tree.Font():
            return f"{node.command}{{{node.text if isinstance(node, tree.Words) else node.letters}}}"
        case tree.Accent():
            return f"{node.command}{{{formula_in_latex(node.inner)}}}"
        case tree.Row():
            return f"{{{formula_in_latex(node)}}}"
        case tree.Fence():
            inner = formula_in_latex(node.inner)
            opened = node.left.latex + " " * (_ends_in_command(node.left.latex) and inner[:1].isalpha())
            return opened + inner + node.right.latex
        case tree.Scripts():
            below = "" if node.below is None else f"_{{{formula_in_latex(node.below)}}}"
            above = "" if node.above is None else f"^{{{formula_in_latex(node.above)}}}"
            return _node(node.base) + "'" * node.primes + below + above
        case tree.Fraction():
            return rf"\frac{{{formula_in_latex(node.above)}}}{{{formula_in_latex(node.below)}}}"
        case tree.Matrix():
            inner = r" \\ ".join(" & ".join(map(formula_in_latex, row)) for row in node.rows)
            return rf"\begin{{pmatrix}}{inner}\end{{pmatrix}}"
        case tree.Root():
            return rf"\sqrt{{{formula_in_latex(node.inner)}}}"
