"""Formulas as MathML, written ahead of time: a browser shows them without a library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markupsafe import Markup, escape

from lpmech.latex.plain import unicode_of
from lpmech.latex.words import parts_of

__all__ = ["html_of", "mathml_of"]

_SPACE = "http://www.w3.org/1998/Math/MathML"

#: A line of text may be broken before these, and after a comma; browsers break no line inside a formula.
_RELATIONS = frozenset("=≠<>≤≥≈≡∼∝→←↦⇒⇔⟺∈∉⊂⊆∧∨:")
_COMMAS = frozenset(",;")


def html_of(text: str, unset: list[str] | None = None) -> Markup:
    """Prose with LaTeX-flavoured mathematics, with or without dollars, as HTML with MathML.

    Parameters
    ----------
    text : str
        As `lpmech.latex.words.latex_of` takes it.
    unset : list of str, optional
        Gets the formulas that could not be set; they stand as plain text (`lpmech.latex.plain.unicode_of`).
    """
    shown = []
    for part in parts_of(text):
        mathml = mathml_of(part.text) if part.is_mathematics else escape(part.text)
        if mathml is None:
            mathml = escape(unicode_of(f"${part.text}$"))
            if unset is not None:
                unset.append(part.text)
        shown.append(mathml)
    return Markup(" ").join(shown)


@cache
def mathml_of(latex: str) -> Markup | None:
    """A formula of LaTeX as one or more ``<math>`` between which a line may be broken; None if it cannot be read."""
    try:
        root = ElementTree.fromstring(convert(latex))
    except Exception:  # the library raises whatever its parser stumbles over
        return None
    if any("\\" in text for text in root.itertext()):  # an unknown command is passed through as a name
        return None
    pieces = _broken(_simplified(list(root)))
    return Markup("<wbr>").join(_written(piece) for piece in pieces)


def _simplified(nodes: Iterable[Element]) -> list[Element]:
    """Without name spaces and rows around single elements, and with the letters of a name in one element."""
    found: list[Element] = []
    for node in nodes:
        node.tag = node.tag.removeprefix(f"{{{_SPACE}}}")
        node[:] = _simplified(node)
        if node.tag == "mrow" and len(node) == 1:
            node = node[0]
        if _is_upright(node) and found and _is_upright(found[-1]):
            found[-1].text = (found[-1].text or "") + (node.text or "")
        else:
            found.append(node)
    return found


def _is_upright(node: Element) -> bool:
    return node.tag == "mi" and node.get("mathvariant") == "normal"


def _broken(nodes: list[Element]) -> Iterator[list[Element]]:
    """The pieces of a formula: before a relation and after a comma, outside of brackets, a line may end."""
    if len(nodes) == 1 and nodes[0].tag == "mrow":
        nodes = list(nodes[0])
    piece: list[Element] = []
    depth = 0
    for node in nodes:
        sign = (node.text or "").strip() if node.tag == "mo" else ""
        depth += (sign in set("([{⌊⌈⟨")) - (sign in set(")]}⌋⌉⟩"))
        if depth <= 0 and sign in _RELATIONS and piece:
            yield piece
            piece = []
            node.set("form", "infix")
        piece.append(node)
        if depth <= 0 and sign in _COMMAS:
            yield piece
            piece = []
    if piece:
        yield piece


def _written(piece: list[Element]) -> Markup:
    whole = Element("math")
    whole.extend(piece)
    for name in whole.iter("mi"):
        if len(name.text or "") > 1:  # names of several letters are upright without being told
            name.attrib.pop("mathvariant", None)
    return Markup(ElementTree.tostring(whole, encoding="unicode"))
