"""The tree of a text as a terminal can show it."""

from __future__ import annotations

import re

from lpmech.mathematics import tree
from lpmech.mathematics.reader import parts_of
from lpmech.mathematics.symbols import ACCENTS, FONTS, SIGNS, Role

__all__ = ["in_alphabet", "unicode_of"]

_ABOVE = dict(zip("0123456789+-abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True))
_BELOW = dict(zip("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_COMBINING = "\u0303\u0302\u0304"
_MARKS = "".join([_COMBINING, "′*", *_ABOVE.values(), *_BELOW.values()])
_ATOM = re.compile(rf"[^\W\d_][{_MARKS}]*")
_PRODUCT = re.compile(r"[^\W_]+(\^\w)?")
_BOLD_ZERO = 0x1D7CE
_WORDY = (Role.LETTER, Role.BIG, Role.FUNCTION)
_NAMES = (Role.LETTER, Role.BLANK, Role.FUNCTION)
_SPACED = (Role.RELATION, Role.BINARY)


def unicode_of(text: str) -> str:
    r"""A text with its formulas as lines of characters: ``$e^\epsilon\beta$`` becomes ``e^ε β``."""
    parts = parts_of(text)
    return "".join(_row(part.row, wide=True) if isinstance(part, tree.Formula) else part.text for part in parts)


def _row(row: tree.Row, *, wide: bool = False) -> str:
    """Side by side; relations and sums have blanks around them where it is `wide`."""
    written, before = "", None
    for node, after in zip(row.nodes, (*row.nodes[1:], None), strict=False):
        piece = _node(node)
        beside = (_is_factor(before), _is_factor(after), *(each == SIGNS["/"] for each in (before, after)))
        if isinstance(node, tree.Fraction) and any(beside):
            piece = f"({piece})"
        if isinstance(node, tree.Sign) and node.kind in _SPACED and node.latex != "/":
            sign = before is None or (isinstance(before, tree.Sign) and before.kind not in _NAMES)
            spaced = not sign and (wide or node.latex[0] == "\\")
            opens = before is None and node.kind is Role.RELATION and after is not None
            if spaced and node.character != "|":
                written = written.rstrip() + f" {piece} "
            else:
                written += piece + " " * opens
        else:
            apart = before is not None and not written.endswith(" ") and _apart(before, node, written, piece)
            written += " " * apart + piece
            if isinstance(node, tree.Sign) and node.kind is Role.POINT and node.latex in ",;:":
                written += " "
        before = node
    return written.rstrip()


def _is_factor(node: tree.Node | None) -> bool:
    """Whether something is multiplied by what stands beside it, or is a function of it."""
    if isinstance(node, tree.Words):
        return node.command != r"\text"
    return node is not None and (not isinstance(node, tree.Sign) or node.kind in _WORDY)


def _apart(before: tree.Node, node: tree.Node, written: str, piece: str) -> bool:
    """Whether a blank has to stand between two that are multiplied."""
    base = _base(before)
    if isinstance(base, tree.Sign) and base.kind in (Role.FUNCTION, Role.BIG):
        return node.kind in _WORDY if isinstance(node, tree.Sign) else not isinstance(node, tree.Fence)
    after = _base(node)
    if isinstance(after, tree.Sign) and after.kind in (Role.FUNCTION, Role.BIG):
        return written[-1:] not in ("(", "[", "/", "-")
    simple = isinstance(before, tree.Sign | tree.Font | tree.Accent | tree.Digits)
    simple &= not isinstance(node, tree.Fraction | tree.Words)
    return not simple and written[-1:].isalnum() and piece[:1].isalnum()


def _base(node: tree.Node) -> tree.Node:
    return node.base if isinstance(node, tree.Scripts) else node


def _node(node: tree.Node) -> str:
    match node:
        case tree.Sign():
            return "-" if node.latex == "-" else node.character
        case tree.Digits():
            return node.digits.replace("{,}", ",")
        case tree.Words():
            return node.text
        case tree.Font():
            return "".join(in_alphabet(node.command, letter) for letter in node.letters)
        case tree.Accent():
            inner, mark = _row(node.inner), ACCENTS[node.command][0]
            return inner + mark if len(inner) == 1 else _joined(inner) + mark
        case tree.Row():
            return _row(node)
        case tree.Fence():
            return node.left.character + _row(node.inner) + node.right.character
        case tree.Scripts():
            return _scripts(node)
        case tree.Fraction():
            above, below = map(_row, (node.above, node.below))
            above = above if _PRODUCT.fullmatch(above) else _joined(above)
            return f"{above}/{_joined(below)}"
        case tree.Matrix():
            return f"({'; '.join(' '.join(map(_row, row)) for row in node.rows)})"
        case tree.Root():
            return f"√{_joined(_row(node.inner))}"


def _scripts(node: tree.Scripts) -> str:
    base = _node(node.base)
    if isinstance(node.base, tree.Row | tree.Fraction):
        base = _joined(base)
    below = "" if node.below is None else _script(_row(node.below), "_", _BELOW)
    above = "" if node.above is None else _script(_row(node.above), "^", _ABOVE)
    return base + "′" * node.primes + below + above


def _script(inner: str, mark: str, alphabet: dict[str, str]) -> str:
    """As characters where Unicode has them all, else after ``_`` or ``^``, in brackets if long."""
    if inner == "*":
        return inner
    if inner.lstrip("-").isalnum() and all(letter in alphabet for letter in inner):
        return "".join(alphabet[letter] for letter in inner)
    letters = re.sub(f"[{_COMBINING}]", "", inner)
    short = len(letters) == 1 or letters.isdigit() or (mark == "_" and letters.isalpha())
    return f"{mark}{inner if short else _bracketed(inner)}"


def _joined(text: str) -> str:
    """In brackets, unless it is a number, or a letter with marks and small scripts."""
    return text if text.isdigit() or _ATOM.fullmatch(text) else _bracketed(text)


def _bracketed(text: str) -> str:
    closes = text.startswith("(") and text.endswith(")") and "(" not in text[1:]
    return text if closes else f"({text})"


def in_alphabet(command: str, letter: str) -> str:
    """A letter of another alphabet."""
    capital, small, elsewhere = FONTS[command]
    if letter.isdigit():
        return chr(_BOLD_ZERO + int(letter))
    start, first = (capital, "A") if letter.isupper() else (small, "a")
    return elsewhere.get(letter) or chr(start + ord(letter) - ord(first))
