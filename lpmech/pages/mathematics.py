"""The tree of a text as HTML with MathML, written ahead of time: a browser shows it without a library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

from lpmech.mathematics import tree
from lpmech.mathematics.plain import in_alphabet
from lpmech.mathematics.reader import parts_of, read_formula
from lpmech.mathematics.symbols import ACCENTS, Role

__all__ = ["displayed", "html_of", "mathml_of"]

#: A piece of a formula with the brackets and commas of the prose that touch it: a browser would break there.
_WITH_SIGNS = re.compile(r"(?:[(\['‘“]|&#39;)*<math>.*?</math>(?:[,.;:!?)\]’”]|&#39;)*")
_THIN = "0.17em"
_CLOSE = {"lspace": "0", "rspace": "0"}
_NO_NUMBERS = (Role.RELATION, Role.BINARY, Role.POINT)
_TAGS = {Role.LETTER: "mi", Role.BLANK: "mtext"}


@cache
def html_of(text: str) -> Markup:
    """A text as HTML, its formulas as MathML."""
    shown = Markup()
    for part in parts_of(text):
        if isinstance(part, tree.Formula):
            shown += _mathml(part.row)
        else:
            shown += Markup("<code>{}</code>").format(part.text) if isinstance(part, tree.Code) else escape(part.text)
    return Markup(_WITH_SIGNS.sub(_unbroken, shown))


def _unbroken(found: re.Match[str]) -> str:
    bare = found[0].startswith("<math>") and found[0].endswith("</math>")
    return found[0] if bare else f'<span style="white-space:nowrap">{found[0]}</span>'


def mathml_of(latex: str) -> Markup:
    """A formula of LaTeX as one or more ``<math>`` between which a line may be broken.

    Raises
    ------
    NotationError
        As `lpmech.mathematics.reader.read_formula`.
    """
    return _mathml(read_formula(latex))


def displayed(latex: str) -> Markup:
    """A formula of LaTeX on a line of its own.

    Raises
    ------
    NotationError
        As `lpmech.mathematics.reader.read_formula`.
    """
    whole = Element("math", display="block")
    whole.extend(_elements(read_formula(latex)))
    return Markup(ElementTree.tostring(whole, encoding="unicode"))


def _mathml(row: tree.Row) -> Markup:
    pieces = list(_broken(row))
    for end, side in ((pieces[0][0], "lspace"), (pieces[-1][-1], "rspace")):
        if end.tag == "mo":  # the blank of the prose is there already
            end.set(side, "0")
    return Markup("<wbr>").join(map(_written, pieces))


def _broken(row: tree.Row) -> Iterator[list[Element]]:
    """The pieces of a formula: outside of brackets a line may end before a relation or sum and after a comma."""
    piece: list[Element] = []
    befores = [None, *row.nodes]
    for before, node, element in zip(befores, row.nodes, _elements(row), strict=False):
        kind = node.kind if isinstance(node, tree.Sign) and node.character not in "/|" else None
        if kind in (Role.RELATION, Role.BINARY) and piece and not _is_prefix(node, before):
            yield piece
            piece = []
            element.set("form", "infix")
        piece.append(element)
        if kind is Role.POINT:
            yield piece
            piece = []
    if piece:
        yield piece


def _written(piece: list[Element]) -> Markup:
    whole = Element("math")
    whole.extend(piece)
    return Markup(ElementTree.tostring(whole, encoding="unicode"))


def _elements(row: tree.Row) -> list[Element]:
    """An element for each node; a name of a function has thin spaces beside letters."""
    found: list[Element] = []
    before: tree.Node | None = None
    for node in row.nodes:
        element = _element(node)
        if _is_function(node):
            core = element if element.tag == "mo" else element[0]
            beside = before is not None and (not isinstance(before, tree.Sign) or before.kind is Role.LETTER)
            core.set("lspace", _THIN if beside else "0")
        elif _is_function(before) and not isinstance(node, tree.Fence):
            core = found[-1] if found[-1].tag == "mo" else found[-1][0]
            core.set("rspace", _THIN)
        if _is_prefix(node, before):
            element.set("form", "prefix")
        found.append(element)
        before = node
    return found


def _is_prefix(node: tree.Node, before: tree.Node | None) -> bool:
    """Whether it is the sign of one number: there is none before it."""
    signs = isinstance(node, tree.Sign) and node.character in "+−±∓"
    return signs and (before is None or (isinstance(before, tree.Sign) and before.kind in _NO_NUMBERS))


def _is_function(node: tree.Node | None) -> bool:
    base = node.base if isinstance(node, tree.Scripts) else node
    return isinstance(base, tree.Sign) and base.kind is Role.FUNCTION


def _element(node: tree.Node) -> Element:
    match node:
        case tree.Sign():
            return _sign(node)
        case tree.Digits():
            return _leaf("mn", node.digits.replace("{,}", ","))
        case tree.Words():
            text = node.text.replace(" ", "\u00a0")  # a browser takes blanks away from both ends
            return _leaf("mi" if text.isalpha() and len(text) > 1 else "mtext", text)
        case tree.Font():
            return _leaf("mi", "".join(in_alphabet(node.command, letter) for letter in node.letters))
        case tree.Accent():
            mark = _leaf("mo", ACCENTS[node.command][1], stretchy=str(len(node.inner.nodes) > 1).lower())
            return _with("mover", _row(node.inner), mark, accent="true")
        case tree.Row():
            return _row(node)
        case tree.Fence():
            inner = _elements(node.inner)
            tall = any(part.tag == "mfrac" for each in inner for part in each.iter())
            grows = str(tall and node.left.kind is not Role.BAR).lower()
            left, right = (_leaf("mo", sign.character, stretchy=grows, **_CLOSE) for sign in (node.left, node.right))
            left.set("form", "prefix")
            right.set("form", "postfix")
            return _with("mrow", left, *inner, right)
        case tree.Scripts():
            return _scripts(node)
        case tree.Fraction():
            return _with("mfrac", _row(node.above), _row(node.below))
        case tree.Matrix():
            rows = [_with("mtr", *(_with("mtd", *_elements(entry)) for entry in row)) for row in node.rows]
            left, right = (_leaf("mo", sign, stretchy="true", **_CLOSE) for sign in "()")
            return _with("mrow", left, _with("mtable", *rows), right)
        case tree.Root():
            return _with("msqrt", *_elements(node.inner))


def _sign(sign: tree.Sign) -> Element:
    element = _leaf(_TAGS.get(sign.kind, "mo"), sign.character.replace(" ", "\u2009"))
    if sign.character in "/|!" or sign.kind is Role.FUNCTION:
        element.attrib |= _CLOSE
    elif sign.kind is Role.LETTER and sign.character in "…#%*":
        element.tag = "mo" if sign.character == "*" else "mtext"
    return element


def _scripts(node: tree.Scripts) -> Element:
    above = [] if node.above is None else _elements(node.above)
    above = [*([_leaf("mo", "′" * node.primes, **_CLOSE)] if node.primes else []), *above]
    base = _element(node.base)
    if not above and node.below is not None:
        return _with("msub", base, _row(node.below))
    script = above[0] if len(above) == 1 else _with("mrow", *above)
    return _with("msup", base, script) if node.below is None else _with("msubsup", base, _row(node.below), script)


def _row(row: tree.Row) -> Element:
    inner = _elements(row)
    return inner[0] if len(inner) == 1 else _with("mrow", *inner)


def _leaf(tag: str, text: str, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.text = text
    return element


def _with(tag: str, *children: Element, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.extend(children)
    return element
